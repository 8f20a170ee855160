//! Operating-system signals as requests to end a run.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use crate::tournament::dispatcher::Interrupt;

const FILE_TOO_LARGE: i32 = nix::libc::SIGXFSZ;

/// Listens from now on: the first SIGINT asks to finish, a second one, SIGTERM and SIGHUP ask to stop at once.
///
/// # Errors
/// The system refuses to have its signals handled.
pub fn listen() -> std::io::Result<mpsc::UnboundedReceiver<Interrupt>> {
    let interrupt = signal(SignalKind::interrupt())?;
    let terminate = signal(SignalKind::terminate())?;
    let hang_up = signal(SignalKind::hangup())?;
    // Handled, it makes a write beyond the limit of a file's size an error like a full disk, not the end of the process.
    let file_too_large = signal(SignalKind::from_raw(FILE_TOO_LARGE))?;
    let (sender, receiver) = mpsc::unbounded_channel();
    drop(file_too_large);
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
