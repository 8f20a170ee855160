//! Arbiter: the referee between two UCI chess engines.
//!
//! Modules, from the Laws upwards; a module imports only from those before it:
//! [`law`] (the Laws of Chess, pure), [`clock`] (time controls, pure), [`config`] (the match file),
//! [`sparring`] (the small engine that comes with the program).

pub mod clock;
pub mod config;
pub mod law;
pub mod sparring;
