//! The examples that users copy: every match file under `configs/` and in the README is one that can be played.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may end by a panic")]

use std::fs;
use std::path::Path;

use arbiter::config;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn assert_playable(text: &str, name: &str) {
    let loaded = config::parse(text, name, root()).unwrap_or_else(|errors| panic!("{errors}"));
    let warnings: Vec<String> =
        loaded.warnings.iter().map(|warning| warning.render(&loaded.sources)).collect();
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn every_example_can_be_played() {
    let mut engines = Vec::new();
    for entry in fs::read_dir(root().join("configs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let text = fs::read_to_string(&path).unwrap();
            assert_playable(&text, &path.display().to_string());
            engines.push(text);
        }
    }
    let all = engines.concat();
    for engine in ["stockfish", "ethereal-chess", "glaurung", "toga2", "fairy-stockfish", "gnuchess, --uci"] {
        assert!(all.contains(&format!("/usr/games/{engine}")), "no example with {engine}");
    }
}

#[test]
fn the_readmes_match_file_can_be_played() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let blocks: Vec<&str> =
        readme.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        assert_playable(block, "README.md");
    }
}

/// The words that come right after this one.
fn words_after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(word).skip(1).filter_map(|rest| rest.split([' ', '\n', '`']).next())
}

#[test]
fn scripts_examples_and_benchmarks_that_are_named_are_there() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut texts = vec![readme];
    for script in words_after(&texts[0].clone(), "scripts/") {
        texts.push(fs::read_to_string(root().join("scripts").join(script)).expect(script));
    }
    let named = |word: &'static str| texts.iter().flat_map(move |text| words_after(text, word));
    let examples: Vec<&str> = named(" --example ").collect();
    let benchmarks: Vec<&str> = named(" --bench ").collect();
    assert!(!examples.is_empty() && !benchmarks.is_empty());
    for (names, folder) in [(examples, "examples"), (benchmarks, "benches")] {
        for name in names {
            let file = root().join(folder).join(format!("{name}.rs"));
            assert!(file.exists() || manifest.contains(&format!("name = \"{name}\"")), "{folder}: {name}");
        }
    }
}

#[test]
fn the_readme_names_every_command() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for command in ["run", "check", "merge", "judge", "stats", "sparring"] {
        assert!(readme.contains(&format!("`arbiter {command}")), "{command}");
    }
    for test in ["cargo test", "cargo run --release -- run configs/quickstart.yaml"] {
        assert!(readme.contains(test), "{test}");
    }
}
