//! Keeps engines from outliving this program, however it ends.

use std::sync::Arc;

use super::launch::Launcher;
use super::watchdog::{Watchdog, Watched};
use crate::platform::process_group::ProcessGroup;

/// How engines are started and watched. Without launcher and watchdog, as where this library is used by another program,
/// they still end with the run, but not if that is killed.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    launcher: Option<Launcher>,
    watchdog: Option<Arc<Watchdog>>,
}

impl Guard {
    /// For a run of this program. What can't be had is told as a warning.
    pub fn of_this_program() -> Guard {
        let launcher = match Launcher::this_program() {
            Ok(launcher) => launcher,
            Err(error) => {
                tracing::warn!("engines may be left if this program is killed: {error}");
                return Guard::default();
            }
        };
        let watchdog = match Watchdog::start(&launcher) {
            Ok(watchdog) => Some(Arc::new(watchdog)),
            Err(error) => {
                tracing::warn!(
                    "no watchdog ({error}): if this program is killed, processes that engines have started may be left"
                );
                None
            }
        };
        Guard { launcher: Some(launcher), watchdog }
    }

    /// What starts engines, if anything stands in between.
    pub fn launcher(&self) -> Option<&Launcher> {
        self.launcher.as_ref()
    }

    /// Has a group watched until the answer is dropped.
    pub fn watch(&self, group: ProcessGroup) -> Option<Watched> {
        self.watchdog.as_ref().map(|watchdog| watchdog.watch(group))
    }
}
