//! `arbiter run --shard`: one part of a run, so that several machines play it together.

use std::path::{Path, PathBuf};

use super::run::{Refusal, shown, usage};
use super::stderr::tell;
use crate::config::LoadedMatch;
use crate::config::settings::RequireSettings;
use crate::report::counted::counted;
use crate::tournament::schedule::Schedule;
use crate::tournament::schedule::shard::Shard;

/// Makes of a whole run one of its shards: the part of its schedule, and a folder of its own.
///
/// # Errors
/// The schedule can't be divided so, or the part would leave nothing to be merged.
pub(super) fn only(shard: Shard, schedule: Schedule, loaded: &mut LoadedMatch) -> Result<Schedule, Refusal> {
    let schedule = schedule.only(shard).map_err(usage)?;
    let output = &mut loaded.settings.output;
    if output.database.is_none() {
        return Err(usage(
            "without `output.database` shards can't be merged: take the key out, or name a file",
        ));
    }
    output.dir = folder(&output.dir, shard);
    Ok(schedule)
}

/// The folder of a shard's records, beside that of the run.
fn folder(dir: &Path, shard: Shard) -> PathBuf {
    let mut name = dir.as_os_str().to_owned();
    name.push(format!(".{}-of-{}", shard.index(), shard.of()));
    PathBuf::from(name)
}

/// Says what of the run is played here.
pub(super) fn announce(shard: Shard, schedule: &Schedule, loaded: &LoadedMatch) {
    let games = counted(schedule.len(), "game");
    tell(format_args!(
        "shard {shard}: {games} of the schedule, records in {}\n",
        shown(&loaded.settings.output.dir).display()
    ));
    if loaded.settings.sprt.is_some() {
        tell("`sprt` is not judged in a shard, which plays all of its games: `arbiter merge` judges it\n");
    }
    if loaded.settings.require != RequireSettings::default() {
        tell("`require` is not judged in a shard: `arbiter run --resume` in the merged folder judges it\n");
    }
}
