//! Operating-system signals as requests to end a run.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use crate::platform::own_process::ignores_hang_up;
use crate::tournament::dispatcher::{Interrupt, Request};

const FILE_TOO_LARGE: i32 = nix::libc::SIGXFSZ;

/// Listens from now on: the first SIGINT asks to finish, a second one, SIGTERM and SIGHUP (the terminal is closed) ask to
/// stop at once. A run that was started by `nohup` goes on without its terminal.
///
/// # Errors
/// The system refuses to have its signals handled.
pub fn listen(requests: mpsc::UnboundedSender<Request>) -> std::io::Result<()> {
    let interrupt = signal(SignalKind::interrupt())?;
    let terminate = signal(SignalKind::terminate())?;
    let hang_up = if ignores_hang_up() { None } else { Some(signal(SignalKind::hangup())?) };
    // Handled, it makes a write beyond the limit of a file's size an error like a full disk, not the end of the process.
    let file_too_large = signal(SignalKind::from_raw(FILE_TOO_LARGE))?;
    drop(file_too_large);
    tokio::spawn(forward(interrupt, terminate, hang_up, requests));
    Ok(())
}

async fn forward(
    mut interrupt: Signal,
    mut terminate: Signal,
    mut hang_up: Option<Signal>,
    requests: mpsc::UnboundedSender<Request>,
) {
    let mut asked = false;
    loop {
        let interrupt = tokio::select! {
            Some(()) = interrupt.recv() => if asked { Interrupt::Now } else { Interrupt::FinishSoon },
            Some(()) = terminate.recv() => Interrupt::Now,
            Some(()) = received(&mut hang_up) => Interrupt::Now,
            else => return,
        };
        asked = true;
        if requests.send(Request::Interrupt(interrupt)).is_err() {
            return;
        }
    }
}

async fn received(signal: &mut Option<Signal>) -> Option<()> {
    match signal {
        Some(signal) => signal.recv().await,
        None => None,
    }
}
