//! Engines that are ended at the same time, so that several slow ones take no longer than one.

use tokio::task::JoinSet;

use crate::engine::misbehaviour::Misbehaviour;
use crate::engine::session::Engine;

/// Ends the engines, and tells what each did wrong on the way, in the order in which they came. Dropping the future kills
/// those that are still there.
pub async fn quit_all(engines: Vec<(usize, Engine)>) -> Vec<(usize, Vec<Misbehaviour>)> {
    let mut endings: JoinSet<(usize, usize, Vec<Misbehaviour>)> = engines
        .into_iter()
        .enumerate()
        .map(|(order, (place, engine))| async move { (order, place, engine.quit().await) })
        .collect();
    let mut ended = Vec::new();
    while let Some(ending) = endings.join_next().await {
        match ending {
            Ok(ending) => ended.push(ending),
            Err(error) => tracing::error!("an engine's end was not seen: {error}"),
        }
    }
    ended.sort_by_key(|(order, ..)| *order);
    ended.into_iter().map(|(_, place, misbehaviour)| (place, misbehaviour)).collect()
}
