//! Rules, notations, verified puzzles and a test corpus for *5D Chess With Multiverse Time Travel*.
//!
//! In this game pieces also move through time. A move to an earlier board creates a timeline, and in a turn a player
//! makes an *action*: moves on as many boards as it takes to pass the present to the opponent. The library works with
//! whole actions.
//!
//! # Map
//!
//! | module | content |
//! |---|---|
//! | [`types`] | values without rules: squares, pieces, moves, actions |
//! | [`state`] | boards and timelines: [`Position`](state::Position), made from a [`Setup`](state::Setup) |
//! | [`rules`] | legal actions and the status of the game, as methods of `Position`; the named start positions |
//! | [`notation`] | 5DPGN, 5DFEN and every other [`Format`](notation::Format); each converts to each |
//! | [`search`] | the prover of mates in N |
//! | [`chessjs`] | the object API of 5d-chess-js |
//! | [`engine`] | the choice of an action to play, and the protocol of engines |
//! | [`render`] | boards as text and as pictures |
//! | `generate` | positions and games made from bytes (feature `arbitrary`) |
//! | `puzzle` | puzzle files, and the check of all their claims (feature `puzzle`) |
//! | `compose` | the search for new puzzles: in games, and by composing (feature `compose`) |
//! | `oracle` | other implementations of the rules, and their differences from this one (feature `oracle`) |
//! | `child` | programs that may hang, die or talk nonsense, run safely (feature `oracle`) |
//! | `host` | engines that are asked for actions, and their faults (feature `oracle`) |
//! | `exam` | the test whether an engine mates against every class of defence (feature `oracle`) |
//! | `contest` | matches between engines, and which of them is stronger (feature `oracle`) |
//! | `slow` | the rules a second time, naive, to compare with (feature `slow-rules`) |
//!
//! An action is played as a whole, or entered move by move as a [`PartialAction`](rules::PartialAction). With the
//! feature `serde` the values of [`types`] are serialised as the text that `Display` shows.
//!
//! The folder `spec/` of the repository has the rules in words, with examples that the tests run, and a glossary.
//! Without features the library depends only on the standard library. It does no input or output, starts no threads
//! and reads no clock.
//!
//! # Reading and playing
//!
//! ```
//! use worldlines::notation::{fen5d, pgn5d};
//!
//! let game = pgn5d::parse("1. Nf3 / Nf6 2. N>>f5").into_result()?;
//! let mut position = game.end();
//! assert_eq!(position.multiverse().timelines().count(), 2);
//!
//! // White's knight has left turn 2 for turn 1, where a new timeline begins: Black is to move there, one turn earlier.
//! let reply = pgn5d::parse_action(&position, "(1T1)e6")?;
//! let undo = position.play(&reply).expect("what was read is legal");
//! assert_eq!(fen5d::write(&position).lines().count(), 6);
//!
//! position.undo(undo).expect("nothing else was played");
//! assert_eq!(position, game.end());
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```
//!
//! Text that cannot be read is malformed, illegal or ambiguous, and the [error](notation::ParseError) has its place
//! in the text.
//!
//! # Legal actions and outcome
//!
//! ```
//! use worldlines::notation::{fen5d, pgn5d};
//! use worldlines::types::Status;
//!
//! let position = fen5d::parse("[k2/2R/1K1:0:1:b]").into_result()?;
//! let actions: Vec<String> =
//!     position.legal_actions().map(|action| pgn5d::action_text(&position, &action)).collect();
//! assert_eq!(actions, ["(0T1)Ka3b3"]);
//! assert_eq!(position.outcome().status, Status::Ongoing);
//!
//! // Constructed positions can have more actions than a program can count, so there are caps and budgets.
//! let standard = pgn5d::parse("").into_result()?.start;
//! assert_eq!(standard.count_legal_actions(1_000).count, 20);
//! assert!(standard.outcome_within(100).is_ok_and(|outcome| !outcome.in_check));
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```
//!
//! # Solving
//!
//! ```
//! use worldlines::notation::{fen5d, pgn5d};
//! use worldlines::search::{Budget, Solve, Verdict, solve};
//!
//! let position = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result()?;
//! let question = Solve { mate_in: 2, all: true, budget: Budget::steps(20_000) };
//! let solution = solve(&position, question);
//! assert_eq!(solution.verdict, Verdict::Proven);
//! assert_eq!(solution.keys.len(), 1);
//! assert_eq!(pgn5d::action_text(&position, solution.keys[0].key()), "(0T1)Rb2b3");
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```

pub mod chessjs;
#[cfg(feature = "oracle")]
pub mod child;
#[cfg(feature = "compose")]
pub mod compose;
#[cfg(feature = "oracle")]
pub mod contest;
pub mod engine;
#[cfg(feature = "oracle")]
pub mod exam;
#[cfg(feature = "arbitrary")]
pub mod generate;
#[cfg(feature = "oracle")]
pub mod host;
pub mod notation;
#[cfg(feature = "oracle")]
pub mod oracle;
#[cfg(feature = "puzzle")]
pub mod puzzle;
pub mod render;
pub mod rules;
pub mod search;
#[cfg(feature = "slow-rules")]
pub mod slow;
mod spelling;
pub mod state;
pub mod types;

#[cfg(test)]
mod layers;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
