//! Compares the full search with the enumeration of whole endings.
//!
//! `enumerate_endings [STEP [ENDING...]]`: every STEPth placement of each ending (default: all of them).

#[path = "../tests/support/endings.rs"]
mod endings;

fn main() {
    let mut args = std::env::args().skip(1);
    let step = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let named: Vec<String> = args.collect();
    for ending in endings::ENDINGS {
        if named.is_empty() || named.iter().any(|name| name == ending) {
            let compared = endings::compare_all(ending, step);
            println!("{ending}: {compared} questions agree");
        }
    }
}
