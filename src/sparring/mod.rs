//! The sparring engine: a small, honest UCI engine, so that a match runs where no engine is installed.
