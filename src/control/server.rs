//! The run's end of the socket. Whatever clients do, the run goes on: few of them are heard at a time, each for a short
//! time, and no more than one line of it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::command::Command;
use super::reply::Reply;
use crate::config::settings::CONTROL_SOCKET;
use crate::platform::local_socket::{SocketName, listen_in};
use crate::tournament::dispatcher::{Interrupt, Request};

/// Clients that are heard at a time; others wait.
const CLIENTS: usize = 4;
/// How long a client may take for its request and for reading the answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest request, in bytes.
const REQUEST_CAP: usize = 256;
/// After a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(200);

/// Hands requests that come by the socket in this folder to the run, for as long as the runtime lives. The socket's name
/// goes with the value.
///
/// # Errors
/// The folder can't have such a socket.
pub fn serve(folder: &Path, requests: mpsc::UnboundedSender<Request>) -> std::io::Result<SocketName> {
    let (listener, name) = listen_in(folder, CONTROL_SOCKET)?;
    listener.set_nonblocking(true)?;
    tokio::spawn(accept(UnixListener::from_std(listener)?, requests));
    Ok(name)
}

async fn accept(listener: UnixListener, requests: mpsc::UnboundedSender<Request>) {
    let seats = Arc::new(Semaphore::new(CLIENTS));
    while let Ok(seat) = Arc::clone(&seats).acquire_owned().await {
        match listener.accept().await {
            Ok((client, _)) => {
                let requests = requests.clone();
                tokio::spawn(async move {
                    // Who is too slow gets no answer.
                    let _ = tokio::time::timeout(PATIENCE, serve_client(client, requests)).await;
                    drop(seat);
                });
            }
            Err(error) => {
                tracing::debug!("a request can't be taken: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// One request, one answer.
async fn serve_client(
    mut client: UnixStream,
    requests: mpsc::UnboundedSender<Request>,
) -> std::io::Result<()> {
    let reply = match read_line(&mut client).await? {
        Some(line) => match String::from_utf8_lossy(line.trim_ascii()).parse() {
            Ok(command) => answer(command, &requests).await,
            Err(error) => Some(Reply::BadRequest { error }),
        },
        None => {
            Some(Reply::BadRequest { error: format!("a request is one line of at most {REQUEST_CAP} bytes") })
        }
    };
    match reply {
        Some(reply) => client.write_all(reply.line().as_bytes()).await,
        None => Ok(()),
    }
}

/// A line, or what came before the client closed its end; `None`: it is too long.
async fn read_line(client: &mut UnixStream) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::with_capacity(REQUEST_CAP);
    let mut taken = client.take(REQUEST_CAP as u64);
    loop {
        let before = line.len();
        let read = taken.read_buf(&mut line).await?;
        if let Some(end) = memchr::memchr(b'\n', &line[before..]) {
            line.truncate(before + end);
            return Ok(Some(line));
        }
        if line.len() >= REQUEST_CAP {
            return Ok(None);
        }
        if read == 0 {
            return Ok(Some(line));
        }
    }
}

/// `None`: the run is over.
async fn answer(command: Command, requests: &mpsc::UnboundedSender<Request>) -> Option<Reply> {
    match command {
        Command::Status => ask(requests, Request::Status).await.map(|status| Reply::Status(status.into())),
        Command::Concurrency(games) => {
            ask(requests, |reply| Request::Concurrency(games, reply)).await.map(Reply::from)
        }
        Command::Finish => {
            requests.send(Request::Interrupt(Interrupt::Finish)).ok()?;
            ask(requests, Request::Status).await.map(|status| Reply::to_finish(&status))
        }
    }
}

async fn ask<T>(
    requests: &mpsc::UnboundedSender<Request>,
    request: impl FnOnce(oneshot::Sender<T>) -> Request,
) -> Option<T> {
    let (sender, reply) = oneshot::channel();
    requests.send(request(sender)).ok()?;
    reply.await.ok()
}
