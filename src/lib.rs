//! Rules, notations, verified puzzles and a test corpus for *5D Chess With Multiverse Time Travel*.
//!
//! In this game pieces also move through time. A move to an earlier board creates a timeline, and a player's turn is an
//! *action*: moves on as many boards as it takes to pass the present on. Everything here speaks of whole actions.
//!
//! # Map
//!
//! | module | answers |
//! |---|---|
//! | [`types`] | what are the words? Squares, pieces, moves, actions: values without rules |
//! | [`state`] | what does a game look like now? [`Position`](state::Position), and the way to it from a [`Setup`](state::Setup) |
//! | [`rules`] | which actions are legal, and how does the game stand? As methods of `Position`; and the named start positions |
//! | [`notation`] | how is it written? 5DPGN, 5DFEN and every other [`Format`](notation::Format), each from and to each |
//! | [`search`] | is there a mate in N? |
//! | [`render`] | what does it look like? Boards as text |
//! | `generate` | what could happen? Positions and games out of bytes (feature `arbitrary`) |
//! | `puzzle` | is everything true that a puzzle file says? (feature `puzzle`) |
//! | `slow` | the rules again, naive, to compare with (feature `slow-rules`) |
//!
//! The rules in words, with examples that are run, are in the folder `spec/` of the repository. Without features the library needs
//! nothing but the standard library. It does no input or output, starts no threads and reads no clock.
//!
//! # Reading and playing
//!
//! ```
//! use worldlines::notation::{fen5d, pgn5d};
//!
//! let game = pgn5d::read("1. Nf3 / Nf6 2. N>>f5")?;
//! let mut position = game.end();
//! assert_eq!(position.multiverse().timelines().count(), 2);
//!
//! // White's knight has left turn 2 for turn 1, where a new timeline begins: Black is to move there, one turn earlier.
//! let reply = pgn5d::parse_action(&position, "(1T1)e6")?;
//! position.play(&reply).expect("what was read is legal");
//! assert_eq!(fen5d::write(&position).lines().count(), 6);
//!
//! position.undo(&reply);
//! assert_eq!(position, game.end());
//! # Ok::<(), worldlines::notation::ReadError>(())
//! ```
//!
//! Text that cannot be read is malformed, illegal or ambiguous, and the [error](notation::ReadError) knows where.
//!
//! # Legal actions and outcome
//!
//! ```
//! use worldlines::notation::{fen5d, pgn5d};
//! use worldlines::types::Status;
//!
//! let position = fen5d::read("[k2/2R/1K1:0:1:b]")?;
//! let actions: Vec<String> =
//!     position.legal_actions().map(|action| pgn5d::action_text(&position, &action)).collect();
//! assert_eq!(actions, ["(0T1)Ka3b3"]);
//! assert_eq!(position.outcome().status, Status::Ongoing);
//!
//! // Made-up positions can have more actions than anybody can count: there are caps and budgets for that.
//! let standard = pgn5d::read("")?.start;
//! assert_eq!(standard.count_legal_actions(1_000).count, 20);
//! assert!(standard.outcome_within(100).is_ok_and(|outcome| !outcome.in_check));
//! # Ok::<(), worldlines::notation::ReadError>(())
//! ```
//!
//! # Solving
//!
//! ```
//! use worldlines::notation::{fen5d, pgn5d};
//! use worldlines::search::{Budget, Solve, Verdict, solve};
//!
//! let position = fen5d::read("[4/3k/KR1R/3r:0:1:w]")?;
//! let question = Solve { mate_in: 2, all: true, budget: Budget::nodes(20_000) };
//! let solution = solve(&position, question);
//! assert_eq!(solution.verdict, Verdict::Proven);
//! assert_eq!(solution.keys.len(), 1);
//! assert_eq!(pgn5d::action_text(&position, solution.keys[0].key()), "(0T1)Rb2b3");
//! # Ok::<(), worldlines::notation::ReadError>(())
//! ```

#[cfg(feature = "arbitrary")]
pub mod generate;
pub mod notation;
#[cfg(feature = "puzzle")]
pub mod puzzle;
pub mod render;
pub mod rules;
pub mod search;
#[cfg(feature = "slow-rules")]
pub mod slow;
pub mod state;
pub mod types;

#[cfg(test)]
mod layers;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
