//! Wiring and exit code only.

use arbiter::sparring::{SparringSettings, run};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut settings = SparringSettings::default();
    if arguments.next().as_deref() == Some("sparring") {
        while let (Some(name), Some(value)) = (arguments.next(), arguments.next()) {
            match name.as_str() {
                "--depth" => settings.depth = value.parse().ok(),
                "--seed" => settings.seed = value.parse().unwrap_or(0),
                _ => {}
            }
        }
        run(settings)?;
    }
    Ok(())
}
