//! The host's side of 5DUCI: starts engines and asks them for actions, without trusting them. Begin at
//! [`Player`].
//!
//! | file | question |
//! |---|---|
//! | `said` | what does a line of an engine say? |
//! | `dialogue` | was that asked for? |
//! | `fault` | what can an engine do wrong? [`Fault`] |
//! | `engine` | what does an engine answer? [`Engine`] |
//! | `turn` | which action does it play? [`turn`] |
//! | `player` | is it started again after it has gone? [`Player`] |
//! | `compliance` | does it keep to the protocol? [`compliance`] |
//!
//! An [`Engine`] is a program, or a recording of one. Every call returns an answer or a [`Fault`] soon after
//! its time is over, whatever the engine does. `spec/engines.md` lists the lines that are sent to it.

mod compliance;
mod dialogue;
mod engine;
mod fault;
mod player;
mod said;
mod turn;

pub use compliance::{Check, Kept, compliance};
pub use engine::{Answer, Engine, Limits, Settings, StartError};
pub use fault::Fault;
pub use player::Player;
pub use said::{Said, Score};
pub use turn::{Turn, position_line, turn};
