//! The engine's options: what it declared, and the commands that set them.

use super::Engine;
use crate::engine::fault::OptionFault;
use crate::engine::option::{self, OptionKind};

impl Engine {
    /// The commands that set these options.
    ///
    /// # Errors
    /// Every option that isn't declared and every value that doesn't fit, in words.
    pub fn option_commands(&self, options: &[(String, String)]) -> Result<Vec<u8>, Vec<OptionFault>> {
        let mut commands = Vec::new();
        let mut faults = Vec::new();
        // Engines that allocate per thread want to know the threads before the hash size.
        let (threads, others): (Vec<_>, Vec<_>) =
            options.iter().partition(|(name, _)| name.eq_ignore_ascii_case("threads"));
        for (name, value) in threads.into_iter().chain(others) {
            match self.option_command(name, value) {
                Ok(command) => commands.extend(command.unwrap_or_default()),
                Err(words) => faults.push(OptionFault { option: name.clone(), words }),
            }
        }
        if faults.is_empty() { Ok(commands) } else { Err(faults) }
    }

    /// The command that sets one option; `None` for a button that is not to be pressed.
    ///
    /// # Errors
    /// The option isn't declared or the value doesn't fit, in words.
    pub fn option_command(&self, name: &str, value: &str) -> Result<Option<Vec<u8>>, String> {
        let Some(option) = option::find(&self.declared, name) else {
            return Err(match self.near_miss(name) {
                Some(near) => format!("it has no option `{name}`; did you mean `{near}`?"),
                None => format!("it has no option `{name}`"),
            });
        };
        option.set(value).map_err(|fault| format!("option `{}` {fault}", option.name))
    }

    fn near_miss(&self, name: &str) -> Option<&str> {
        let distance = |candidate: &str| {
            strsim::damerau_levenshtein(&candidate.to_ascii_lowercase(), &name.to_ascii_lowercase())
        };
        let names = self.declared.iter().map(|option| option.name.as_str());
        names.map(|name| (distance(name), name)).filter(|(far, _)| *far <= 3).min().map(|(_, name)| name)
    }

    /// Whether it declares a check option of this name.
    pub fn has_check(&self, name: &str) -> bool {
        option::find(&self.declared, name)
            .is_some_and(|option| matches!(option.kind, OptionKind::Check { .. }))
    }
}
