//! Operating-system signals as requests to end a run.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use crate::tournament::dispatcher::Interrupt;

/// Listens from now on: the first SIGINT asks to finish, a second one, SIGTERM and SIGHUP ask to stop at once.
///
/// # Errors
/// The system refuses to have its signals handled.
pub fn listen() -> std::io::Result<mpsc::UnboundedReceiver<Interrupt>> {
    let interrupt = signal(SignalKind::interrupt())?;
    let terminate = signal(SignalKind::terminate())?;
    let hang_up = signal(SignalKind::hangup())?;
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(forward(interrupt, terminate, hang_up, sender));
    Ok(receiver)
}

async fn forward(
    mut interrupt: Signal,
    mut terminate: Signal,
    mut hang_up: Signal,
    sender: mpsc::UnboundedSender<Interrupt>,
) {
    let mut asked = false;
    loop {
        let request = tokio::select! {
            Some(()) = interrupt.recv() => if asked { Interrupt::Now } else { Interrupt::Finish },
            Some(()) = terminate.recv() => Interrupt::Now,
            Some(()) = hang_up.recv() => Interrupt::Now,
            else => return,
        };
        asked = true;
        if sender.send(request).is_err() {
            return;
        }
    }
}
