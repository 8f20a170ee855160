//! This process becomes another program.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Executes a program in place of this one, with its signals as a new process has them. Returns only if that fails.
///
/// The program is a path: unlike the standard library's `exec`, which asks `execvp`, this never takes a file that is no
/// program for a shell script.
pub fn become_program(path: &Path, args: &[impl AsRef<OsStr>]) -> io::Error {
    match try_to_become(path, args) {
        Ok(never) => match never {},
        Err(error) => error,
    }
}

fn try_to_become(path: &Path, args: &[impl AsRef<OsStr>]) -> io::Result<std::convert::Infallible> {
    let text = |text: &OsStr| CString::new(text.as_bytes());
    let program = text(path.as_os_str())?;
    let words: Result<Vec<CString>, _> = args.iter().map(|arg| text(arg.as_ref())).collect();
    let words: Vec<CString> = [vec![program.clone()], words?].concat();
    // Rust programs ignore SIGPIPE, and what is ignored stays so; a signal with a handler gets back its usual effect.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let _inside = runtime.enter();
    let _handled = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::pipe())?;
    Ok(nix::unistd::execv(&program, &words)?)
}
