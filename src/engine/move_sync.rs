//! The round trip before a move, for engines whose clock is not to be charged with reading `position`.

use super::fault::Fault;
use super::session::Engine;

impl Engine {
    /// Sends `position`, and waits until the engine has read it: `isready`, `readyok`.
    ///
    /// # Errors
    /// [`Fault::Stalled`] without `readyok`, [`Fault::Disconnected`], [`Fault::LineTooLong`].
    pub async fn get_ready(&mut self, commands: &[u8]) -> Result<(), Fault> {
        self.drain().await?;
        self.link_send(commands).await;
        self.wait_ready(self.timeouts.ready).await
    }
}
