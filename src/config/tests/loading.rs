//! Files on the disk and `--set`.

use std::path::PathBuf;

use super::*;
use crate::config::settings::Restart;

const OWN: &str =
    "engines:\n  - { name: A, command: arbiter, options: { Hash: 1 } }\n  - { name: B, command: arbiter }\n";

fn file(text: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.yaml");
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn set(overrides: &[&str]) -> Result<LoadedMatch, String> {
    let (_folder, path) = file(OWN);
    let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
    load(&path, &overrides).map_err(|errors| errors.to_string())
}

#[test]
fn a_file_is_read_from_its_folder() {
    let (folder, path) = file(format!("\u{feff}{OWN}openings: {{ file: book.epd }}\n"));
    fs::write(folder.path().join("book.epd"), "").unwrap();
    let loaded = load(&path, &[]).unwrap();
    assert_eq!(loaded.settings.event, "match");
    assert_eq!(loaded.settings.output.dir, folder.path().join("match.out"));
    assert_eq!(loaded.settings.engines[0].dir, folder.path());
    assert_eq!(loaded.settings.engines[0].program, std::env::current_exe().unwrap());
}

#[test]
fn what_is_not_there_is_said() {
    let (_folder, path) = file(
        "engines:\n  - { command: ./nix }\n  - { command: arbiter, dir: nix }\nopenings: { file: nix.epd }\n",
    );
    let errors = load(&path, &[]).unwrap_err().to_string();
    let base = path.parent().unwrap().display();
    let file = path.display();
    assert_eq!(
        errors,
        format!(
            "\
error: there is no program `./nix`
 --> {file}:2:16
  |
2 |   - {{ command: ./nix }}
  |                ^^^^^
  = tried `{base}/./nix`

error: `dir` `{base}/nix`: no such file or directory
 --> {file}:3:30
  |
3 |   - {{ command: arbiter, dir: nix }}
  |                              ^^^
  = `dir` is relative to the match file

error: the book `{base}/nix.epd`: no such file or directory
 --> {file}:4:19
  |
4 | openings: {{ file: nix.epd }}
  |                   ^^^^^^^
  = `file` is relative to the match file
"
        )
    );
}

#[test]
fn files_that_are_no_match_files() {
    let (folder, path) = file(b"event: a\nsite: \xff\n");
    let shown = path.display();
    let errors = load(&path, &[]).unwrap_err().to_string();
    assert!(
        errors.starts_with(&format!(
            "error: the match file is not UTF-8 text from here on\n --> {shown}:2:7\n"
        )),
        "{errors}"
    );
    let errors = load(folder.path(), &[]).unwrap_err().to_string();
    assert!(errors.starts_with("error: the match file can't be read: it is a folder\n"), "{errors}");
    let errors = load(&folder.path().join("nix.yaml"), &[]).unwrap_err().to_string();
    assert!(
        errors.starts_with("error: the match file can't be read: no such file or directory\n"),
        "{errors}"
    );
    let sparse = folder.path().join("huge.yaml");
    fs::File::create(&sparse).unwrap().set_len(LONGEST_FILE + 1).unwrap();
    let errors = load(&sparse, &[]).unwrap_err().to_string();
    assert!(
        errors.starts_with("error: the match file can't be read: it is longer than 16 MiB\n"),
        "{errors}"
    );
}

#[test]
fn overrides_replace_and_add() {
    let loaded = set(&[
        "rounds=2",
        "engines.0.options.hash=32",
        "engines.1.options.Move Overhead=10",
        "defaults.time_control=40/60+0.5:20/30",
        "engines.1.time_control=movetime=100ms",
        "output.log=",
        "engines.0.restart=never",
        "rounds=3",
        "openings={fens: [a, b]}",
        "openings.start=2",
    ])
    .unwrap();
    let settings = loaded.settings;
    assert_eq!(settings.rounds.unwrap().get(), 3);
    let [a, b] = settings.engines.as_slice() else { panic!("{settings:?}") };
    assert_eq!((a.options[0].name.as_str(), a.options[0].value.as_str()), ("Hash", "32"));
    assert_eq!((b.options[0].name.as_str(), b.options[0].value.as_str()), ("Move Overhead", "10"));
    assert_eq!(
        (a.time_control.to_string(), b.time_control.to_string()),
        ("40/60+0.5:20/30".into(), "movetime=100ms".into())
    );
    assert_eq!((a.restart, b.restart), (Restart::Never, Restart::OnFault));
    assert_eq!(settings.openings.unwrap().start.get(), 2);
}

#[test]
fn errors_of_overrides_show_the_override() {
    assert_eq!(
        set(&["rounds=2", "rouns=5", "engines.0.options.Hash=[", "engines.0.sync=mov"]).unwrap_err(),
        "\
error: unknown key `rouns`
 --> --set:1:1
  |
1 | rouns=5
  | ^^^^^
  = did you mean `rounds`?

error: not valid YAML: did not find expected node content, while parsing a flow node
 --> --set:1:25
  |
1 | engines.0.options.Hash=[
  |                         ^

error: `sync` must be `game` or `move`, not `mov`
 --> --set:1:16
  |
1 | engines.0.sync=mov
  |                ^^^
  = did you mean `move`?
"
    );
    for (text, message) in [
        ("rounds", "error: `=` and a value are missing\n"),
        ("engines.2.name=C", "error: `engines` has no entry `2`\n"),
        ("engines.A.name=C", "error: `engines` has no entry `A`\n"),
        ("engines..name=C", "error: a part of the path is empty\n"),
        ("=5", "error: a part of the path is empty\n"),
        ("engines.0.name.x=C", "error: `name` is `A` and has no part `x`\n"),
        ("rounds=x", "error: `rounds` must be a whole number from 1 to 10000000, not `x`\n --> --set:1:8\n"),
    ] {
        let errors = set(&[text]).unwrap_err();
        assert!(errors.starts_with(message), "{text}: {errors}");
    }
}

#[test]
fn later_errors_are_shown_like_the_others() {
    let loaded = set(&["engines.1.options.Hsh=1"]).unwrap();
    let place = loaded.settings.engines[1].options[0].place;
    let error = Diagnostic::error(Some(place), "B has no option `Hsh`").with_hint("did you mean `Hash`?");
    assert_eq!(
        loaded.errors(vec![error]).to_string(),
        "\
error: B has no option `Hsh`
 --> --set:1:19
  |
1 | engines.1.options.Hsh=1
  |                   ^^^^^
  = did you mean `Hash`?
"
    );
}
