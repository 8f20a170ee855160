//! A terminal that the program runs on, and what a person sees there.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::pty::{OpenptyResult, Winsize, openpty};
use nix::sys::termios::{FlowArg, tcflow};

/// A pseudo-terminal. What is written to it is read at once, unless it is stopped.
pub struct Terminal {
    size: Winsize,
    device: OwnedFd,
    written: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

/// What stands on a terminal.
pub struct Seen {
    /// Everything that was written to it.
    pub raw: String,
    /// The lines that are seen.
    pub lines: Vec<String>,
    /// The cursor's row and column, from 0; `None`: it is hidden.
    pub cursor: Option<(u16, u16)>,
}

impl Terminal {
    pub fn new(columns: u16, rows: u16) -> Terminal {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let OpenptyResult { master, slave } = openpty(&size, None).unwrap();
        // No child of another test may hold it open.
        for end in [&master, &slave] {
            fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).unwrap();
        }
        let written = Arc::new(Mutex::new(Vec::new()));
        let reader = std::thread::spawn({
            let (mut master, written) = (File::from(master), Arc::clone(&written));
            move || {
                let mut bytes = [0; 4096];
                // An error: nobody has it open any more.
                while let Ok(count) = master.read(&mut bytes) {
                    written.lock().unwrap().extend_from_slice(&bytes[..count]);
                }
            }
        });
        Terminal { size, device: slave, written, reader }
    }

    /// For a program's stdout or stderr.
    pub fn stdio(&self) -> Stdio {
        Stdio::from(self.device.try_clone().unwrap())
    }

    /// As Ctrl-S does: whoever writes to it waits.
    pub fn stop(&self) {
        tcflow(&self.device, FlowArg::TCOOFF).unwrap();
    }

    /// As Ctrl-Q does.
    pub fn go_on(&self) {
        tcflow(&self.device, FlowArg::TCOON).unwrap();
    }

    /// What is seen now.
    pub fn seen(&self) -> Seen {
        seen(&self.written.lock().unwrap(), self.size)
    }

    /// What is seen once the program is gone, and all of it has been read.
    pub fn seen_at_the_end(self) -> Seen {
        let Terminal { size, device, written, reader } = self;
        drop(device);
        reader.join().unwrap();
        let written = written.lock().unwrap();
        seen(&written, size)
    }
}

fn seen(written: &[u8], size: Winsize) -> Seen {
    let mut parser = vt100::Parser::new(size.ws_row, size.ws_col, 0);
    parser.process(written);
    let screen = parser.screen();
    Seen {
        raw: String::from_utf8_lossy(written).into_owned(),
        lines: screen.rows(0, size.ws_col).map(|row| row.trim_end().to_owned()).collect(),
        cursor: (!screen.hide_cursor()).then(|| screen.cursor_position()),
    }
}

impl Seen {
    /// The lines that begin so.
    pub fn beginning<'a>(&'a self, start: &'a str) -> impl Iterator<Item = &'a String> {
        self.lines.iter().filter(move |line| line.starts_with(start))
    }

    /// A line has this in it.
    pub fn has(&self, part: &str) -> bool {
        self.lines.iter().any(|line| line.contains(part))
    }

    /// Nothing is left of the live lines, and the shell's prompt can follow.
    #[track_caller]
    pub fn expect_clean(&self) {
        let text = self.lines.join("\n");
        assert!(!self.has("█") && !self.has("░") && !self.has("  move "), "{text}");
        let last = self.lines.iter().rposition(|line| !line.is_empty()).unwrap();
        assert_eq!(self.cursor, Some((u16::try_from(last).unwrap() + 1, 0)), "{text}");
    }
}

/// The environment of a person at a terminal.
pub fn set_environment(command: &mut Command) {
    command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
}
