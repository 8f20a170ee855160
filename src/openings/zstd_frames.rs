//! All frames of a Zstandard file, one after the other, each compared with its checksum: the library decodes one.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Decompresses to the end of `source`.
pub(super) struct ZstdFrames<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    pub(super) fn new(source: R) -> ZstdFrames<R> {
        ZstdFrames { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Goes on to the next frame with content; false at the end.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(length.into())?,
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
        if skipped < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    /// Frames may come without a checksum.
    fn end_frame(&mut self) -> io::Result<()> {
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"));
        }
        self.in_frame = false;
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame {
                self.in_frame = self.begin_frame()?;
                if !self.in_frame {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let decoded =
                    self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
                decoded.map_err(io::Error::other)?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.end_frame()?;
        }
    }
}
