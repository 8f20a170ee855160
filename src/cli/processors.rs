//! How many games at once, and on which processors: what the match file asks for beside what this machine gives.

use std::num::NonZeroUsize;
use std::path::Path;

use super::run::{Refusal, not_played};
use super::stderr::tell;
use crate::config::LoadedMatch;
use crate::config::diagnostic::Diagnostic;
use crate::config::settings::{Affinity, EngineSettings, MatchSettings, Place};
use crate::exit_code::Exit;
use crate::platform::processors::{ProcessorSet, SYSTEM_PROCESSORS};
use crate::report::counted::counted;
use crate::tournament::game_slot::{EngineLoad, GameSlot, allot, processors_per_game};

/// Where games are played.
pub(super) struct Slots {
    /// As many as games at once, never more than games.
    pub slots: Vec<GameSlot>,
    /// What is surely not meant, in words.
    pub warning: Option<String>,
}

impl Slots {
    /// Tells the warning.
    pub fn tell(&self) {
        if let Some(warning) = &self.warning {
            tell(format_args!("warning: {warning}\n"));
        }
    }

    /// Games at once.
    pub fn number(&self) -> u32 {
        u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
    }
}

/// The slots for so many games.
///
/// # Errors
/// `affinity` names a processor that this process can't use, or the system doesn't tell its processors.
pub(super) fn slots(loaded: &LoadedMatch, games: u32) -> Result<Slots, Refusal> {
    let settings = &loaded.settings;
    let number = settings.concurrency.get().min(games) as usize;
    let each = processors_per_game(&settings.engines.iter().map(load).collect::<Vec<_>>());
    let at_once = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let Some(usable) = usable(loaded)? else {
        let stays_awake = number.saturating_mul(each + 1) <= at_once;
        let slots = vec![GameSlot { processors: None, stays_awake }; number];
        return Ok(Slots { slots, warning: too_few(settings, number, each, at_once) });
    };
    let slots = allot(&usable.by_core(Path::new(SYSTEM_PROCESSORS)), number, each);
    let warning = too_few(settings, number, each, usable.numbers().len().min(at_once));
    Ok(Slots { slots, warning })
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
fn too_few(settings: &MatchSettings, slots: usize, each: usize, processors: usize) -> Option<String> {
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
    if settings.affinity != Affinity::Off {
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

    fn settings(lines: &str) -> MatchSettings {
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
        assert_eq!(too_few(&settings(""), 2, 1, 2), None);
        let off = too_few(&settings(""), 3, 2, 4).unwrap();
        assert!(
            off.starts_with("3 games at once, 2 to a game, need 6 processors, and 4 processors can"),
            "{off}"
        );
        let auto = too_few(&settings("affinity: auto"), 3, 2, 4).unwrap();
        assert!(auto.ends_with("; 1 of them may use all of these"), "{auto}");
    }
}
