//! Sockets with a name in a folder: for this user alone, whatever the length of the folder's path.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, fchmod, unlinkat};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with};

/// The name of a listening socket in its folder, which goes with this value, wherever the folder has been moved to.
#[derive(Debug)]
pub struct SocketName {
    folder: File,
    name: &'static str,
}

impl Drop for SocketName {
    fn drop(&mut self) {
        if let Err(error) = unlinkat(&self.folder, self.name, AtFlags::empty()) {
            tracing::debug!("the socket {} can't be removed: {error}", self.name);
        }
    }
}

/// Connections that wait to be accepted.
const BACKLOG: i32 = 16;

/// Listens by this name in a folder; a socket of this name that was left there is replaced. Only this user may connect.
///
/// # Errors
/// A file of this name is there that is no socket, or what the operating system says: some file systems hold no sockets.
pub fn listen_in(folder: &Path, name: &'static str) -> io::Result<(UnixListener, SocketName)> {
    let path = folder.join(name);
    let folder = File::open(folder)?;
    match path.symlink_metadata() {
        Ok(metadata) if metadata.file_type().is_socket() => unlinkat(&folder, name, AtFlags::empty())?,
        Ok(_) => {
            return Err(io::Error::new(ErrorKind::AlreadyExists, "a file that is no socket has its name"));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    // Before it has a name: Linux gives the name the socket's own mode.
    fchmod(&socket, Mode::RUSR | Mode::WUSR)?;
    bind(&socket, &SocketAddrUnix::new(address(&path, &folder))?)?;
    let bound = SocketName { folder, name };
    listen(&socket, BACKLOG)?;
    Ok((UnixListener::from(socket), bound))
}

/// Connects to the socket of this name in a folder.
///
/// # Errors
/// What the operating system says: `NotFound` where there is none, `ConnectionRefused` where nobody listens any more.
pub fn connect_in(folder: &Path, name: &str) -> io::Result<UnixStream> {
    UnixStream::connect(address(&folder.join(name), &File::open(folder)?))
}

/// The name itself, or one by way of the open folder where that would be too long for a socket (108 bytes).
fn address(path: &Path, folder: &impl AsFd) -> PathBuf {
    if SocketAddrUnix::new(path).is_ok() {
        return path.to_owned();
    }
    let through = PathBuf::from(format!("/proc/self/fd/{}", folder.as_fd().as_raw_fd()));
    path.file_name().map_or(through.clone(), |name| through.join(name))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const NAME: &str = "a.sock";

    fn talk(folder: &Path) {
        let (listener, name) = listen_in(folder, NAME).unwrap();
        let mode = folder.join(NAME).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        connect_in(folder, NAME).unwrap().write_all(b"word").unwrap();
        let mut heard = String::new();
        listener.accept().unwrap().0.read_to_string(&mut heard).unwrap();
        assert_eq!(heard, "word");
        drop(name);
        assert_eq!(connect_in(folder, NAME).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_folder_may_have_a_path_of_any_length() {
        let parent = tempfile::tempdir().unwrap();
        talk(parent.path());
        let deep = parent.path().join("a".repeat(120)).join("b".repeat(200));
        std::fs::create_dir_all(&deep).unwrap();
        talk(&deep);
    }

    #[test]
    fn a_socket_that_was_left_is_replaced_and_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let (listener, name) = listen_in(folder.path(), NAME).unwrap();
        drop(listener);
        std::mem::forget(name);
        assert_eq!(connect_in(folder.path(), NAME).unwrap_err().kind(), ErrorKind::ConnectionRefused);
        talk(folder.path());
        std::fs::write(folder.path().join(NAME), "thesis").unwrap();
        assert_eq!(listen_in(folder.path(), NAME).unwrap_err().kind(), ErrorKind::AlreadyExists);
    }

    #[test]
    fn the_name_goes_though_its_folder_was_moved() {
        let parent = tempfile::tempdir().unwrap();
        let (old, new) = (parent.path().join("old"), parent.path().join("new"));
        std::fs::create_dir(&old).unwrap();
        let (_listener, name) = listen_in(&old, NAME).unwrap();
        std::fs::rename(&old, &new).unwrap();
        assert!(new.join(NAME).exists());
        drop(name);
        assert!(!new.join(NAME).exists());
    }
}
