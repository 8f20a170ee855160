//! How many games at once, and on which processors: what the match file asks for beside what this machine gives.

use std::num::NonZeroUsize;
use std::path::Path;

use super::run::{Refusal, not_played};
use super::stderr::tell;
use crate::config::LoadedMatch;
use crate::config::diagnostic::Diagnostic;
use crate::config::settings::{Affinity, EngineSettings, Place};
use crate::exit_code::Exit;
use crate::platform::processors::{ProcessorSet, SYSTEM_PROCESSORS};
use crate::report::counted::counted;
use crate::tournament::game_slot::{EngineLoad, SlotSupply, processors_per_game};

/// Where games are played.
pub(super) struct Slots {
    /// Games at once: never more than games.
    pub number: u32,
    /// Where they find a place.
    pub supply: SlotSupply,
    affinity: Affinity,
}

impl Slots {
    /// Warns of what is surely not meant.
    pub fn tell(&self) {
        if let Some(warning) = self.warning(self.number) {
            tell(format_args!("warning: {warning}\n"));
        }
    }

    /// What is surely not meant with so many games at once, in words.
    pub fn warning(&self, games: u32) -> Option<String> {
        let (each, processors) = match &self.supply {
            SlotSupply::Anywhere { processors, each } => (*each, *processors),
            SlotSupply::OnProcessors { cores, each } => {
                let usable = cores.iter().map(|core| core.numbers().len()).sum::<usize>();
                (*each, usable.min(processors_at_once()))
            }
        };
        too_few(&self.affinity, games as usize, each, processors)
    }
}

fn processors_at_once() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The slots for so many games.
///
/// # Errors
/// `affinity` names a processor that this process can't use, or the system doesn't tell its processors.
pub(super) fn slots(loaded: &LoadedMatch, games: u32) -> Result<Slots, Refusal> {
    let settings = &loaded.settings;
    let each = processors_per_game(&settings.engines.iter().map(load).collect::<Vec<_>>());
    let supply = match usable(loaded)? {
        None => SlotSupply::Anywhere { processors: processors_at_once(), each },
        Some(usable) => {
            SlotSupply::OnProcessors { cores: usable.by_core(Path::new(SYSTEM_PROCESSORS)), each }
        }
    };
    let affinity = settings.affinity.clone();
    Ok(Slots { number: settings.concurrency.get().min(games), supply, affinity })
}

/// The processors that games are to keep to; `None`: they need not.
fn usable(loaded: &LoadedMatch) -> Result<Option<ProcessorSet>, Refusal> {
    if loaded.settings.affinity == Affinity::Off {
        return Ok(None);
    }
    let allowed = ProcessorSet::allowed().map_err(|error| {
        not_played(format_args!(
            "the system doesn't tell which processors can be used ({error}): set `affinity: off`"
        ))
    })?;
    let Affinity::Processors(wanted) = &loaded.settings.affinity else { return Ok(Some(allowed)) };
    let errors = not_allowed(wanted, &allowed);
    if errors.is_empty() {
        return Ok(Some(wanted.iter().map(|(number, _)| *number).collect()));
    }
    Err(Refusal { exit: Exit::Usage, message: loaded.errors(errors).to_string() })
}

fn not_allowed(wanted: &[(usize, Place)], allowed: &ProcessorSet) -> Vec<Diagnostic> {
    let missing = wanted.iter().filter(|(number, _)| !allowed.numbers().contains(number));
    missing
        .map(|(number, place)| {
            let message = format!("processor {number} is not there, or not for this process");
            Diagnostic::error(Some(*place), message).with_hint(format!("it may use: {allowed}"))
        })
        .collect()
}

fn load(engine: &EngineSettings) -> EngineLoad {
    let threads = engine.options.iter().find(|option| option.name.eq_ignore_ascii_case("threads"));
    let threads = threads.and_then(|option| option.value.trim().parse().ok());
    EngineLoad { threads: threads.unwrap_or(1), ponders: engine.ponder }
}

/// Says that engines will get less of the processors than their clocks tell.
fn too_few(affinity: &Affinity, slots: usize, each: usize, processors: usize) -> Option<String> {
    let needed = slots.saturating_mul(each);
    if needed <= processors {
        return None;
    }
    let games = counted(slots, "game");
    let (needed, available) = (counted(needed, "processor"), counted(processors, "processor"));
    let mut words = format!(
        "{games} at once, {each} to a game, need {needed}, and {available} can be used: clocks run on while engines \
         wait for a processor"
    );
    if *affinity != Affinity::Off {
        let surplus = slots - processors / each.max(1);
        words.push_str(&format!(
            "; {} of them may use all of these",
            if surplus == slots { "all".to_owned() } else { surplus.to_string() }
        ));
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(lines: &str) -> crate::config::settings::MatchSettings {
        let text = format!(
            "engines:\n  - {{ name: A, command: a, options: {{ threads: 2 }} }}\n  - {{ name: B, command: b }}\n{lines}\n"
        );
        crate::config::parse(&text, "match.yaml", Path::new("/base")).unwrap().settings
    }

    #[test]
    fn an_engine_has_the_threads_of_its_option() {
        let engines = settings("").engines;
        assert_eq!([load(&engines[0]).threads, load(&engines[1]).threads], [2, 1]);
    }

    #[test]
    fn too_few_processors_are_told() {
        assert_eq!(too_few(&Affinity::Off, 2, 1, 2), None);
        let off = too_few(&Affinity::Off, 3, 2, 4).unwrap();
        assert!(
            off.starts_with("3 games at once, 2 to a game, need 6 processors, and 4 processors can"),
            "{off}"
        );
        let auto = too_few(&Affinity::Auto, 3, 2, 4).unwrap();
        assert!(auto.ends_with("; 1 of them may use all of these"), "{auto}");
    }
}
