//! Rules, notations, verified puzzles and a test corpus for *5D Chess With Multiverse Time Travel*.
//!
//! ```
//! use worldlines::notation::pgn5d;
//!
//! // `N>>f5` is a branch: White's knight goes back in time to f5, and a new timeline begins there.
//! let game = pgn5d::parse("1. Nf3 / Nf6 2. N>>f5").into_result()?;
//! let mut position = game.end();
//! assert_eq!(position.multiverse().timelines().count(), 2);
//!
//! // On the new timeline, 1, it is turn 1 once more, and Black is to move: `(1T1)e6` is ...e6 on that board.
//! let reply = pgn5d::parse_action(&position, "(1T1)e6")?;
//! let undo = position.play(&reply).expect("what was read is legal");
//! position.undo(undo).expect("nothing else was played");
//! assert_eq!(position, game.end());
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```
//!
//! # The game in six words
//!
//! | word | means |
//! |---|---|
//! | *board* | one chessboard at one moment. A move never changes a board; it adds a new one |
//! | *timeline* | boards in the order of time. A move to a board of the past begins a new timeline |
//! | *present* | the earliest moment at which an active timeline ends. Its colour says who is to move |
//! | *move* | one piece goes to another square, of its own board or of another one |
//! | *action* | all moves of a player's turn, on as many boards as it takes to pass the present to the opponent |
//! | *position* | all boards of all timelines, and whose turn it is |
//!
//! The library works with whole actions. `spec/glossary.md` of the repository has all other words.
//!
//! # Types
//!
//! | type | is |
//! |---|---|
//! | [`Position`] | all boards, and whose turn it is: the type to begin with. It lists legal actions, plays and takes back |
//! | [`Action`], [`Move`] | a turn of one player, and the moves of which it is made |
//! | [`Game`] | a start with the actions that were played, as a notation reads and writes it |
//! | [`Format`] | a notation: 5DPGN, 5DFEN and every other; each converts to each |
//! | [`PartialAction`] | an action that is entered move by move |
//! | [`Status`] | ongoing, softmate, checkmate or stalemate |
//! | [`Prover`], [`Budget`], [`Verdict`] | the search for mates, its limits, and its answers |
//! | [`Analysis`] | everything that is true of a goal in a position: keys, variations, duals, tries |
//! | `Puzzle` | a puzzle of a file (feature `puzzle`) |
//!
//! # Use
//!
//! ```toml
//! [dependencies]
//! worldlines = { path = "worldlines", default-features = false } # a clone of the repository beside your program
//! ```
//!
//! # Features
//!
//! Without features the library depends only on the standard library. It does no input or output, starts no threads and reads no
//! clock. The feature `cli`, which is on by default, is the command.
//!
//! | feature | adds |
//! |---|---|
//! | `serde` | `Serialize` and `Deserialize` for the values of [`types`], as the text that `Display` shows |
//! | `puzzle` | `puzzle`: puzzle files, and the check of all their claims |
//! | `compose` | `compose`: the search for new puzzles, in games and by composing; with `puzzle` |
//! | `slow-rules` | `slow`: the rules a second time, naive, to compare with |
//! | `arbitrary` | `generate`: positions and games made from bytes, for fuzzing |
//! | `oracle` | `oracle`, `child`, `host`, `exam` and `contest`: other implementations of the rules and engines, run safely, asked and compared; with `puzzle`, `slow-rules` and `arbitrary` |
//! | `png` | `render::png`: pictures of pixels; the only feature that needs a while to compile |
//! | `cli` | the command `worldlines`; with `compose` and `oracle` |
//!
//! # Limits, and what it does not do
//!
//! * Boards have at most [8 by 8](types::BoardSize) squares. A start has at most [`MAX_TURN`](state::MAX_TURN) turns, a game twice as many; there are at
//!   most [`MAX_TIMELINES`](state::MAX_TIMELINES) timelines, and [`MAX_BOARDS`](state::MAX_BOARDS) boards in a start. Text beyond that is refused.
//! * A question that may take long has a form with a [`Limit`](types::Limit), whose answer can be *undecided*. Without one, [`Position::outcome`] and
//!   [`Position::count_legal_actions`] panic where the answer depends on positions beyond these sizes; the list of legal actions ends there, and
//!   [says why](rules::LegalActions::end).
//! * House rules are no part of it: the rules of the official game are the default, and [`RuleProfile`] has switches for the few points in which
//!   programs differ.
//! * Without features it has no clock: a program that wants a time limit sets the flag of a `Limit` when the time is up.
//!
//! # Cookbook
//!
//! [Read a game](#read-a-game) · [list legal actions](#list-legal-actions) · [solve a mate](#solve-a-mate) ·
//! [check a certificate](#check-a-certificate) · [verify a puzzle](#verify-a-puzzle) · [convert a notation](#convert-a-notation)
//!
//! ## Read a game
//!
//! A text that cannot be read is malformed, illegal or ambiguous. The [error](notation::ParseError) has a code, its place and often a hint.
//!
//! ```
//! use worldlines::notation::Options;
//! use worldlines::{Color, Format};
//!
//! let text = b"1. e3 / f6 2. Nf3";
//! let game = Format::detect(text).expect("a notation").parse(text, &Options::default()).into_result()?;
//! assert_eq!(game.end().to_move(), Color::Black);
//!
//! let wrong = b"1. e3 / f6 2. Nf4";
//! let error = Format::Pgn5d.parse(wrong, &Options::default()).into_result().unwrap_err();
//! assert_eq!(&wrong[error.span().range()], b"Nf4");
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```
//!
//! ## List legal actions
//!
//! ```
//! use worldlines::notation::{fen5d, pgn5d};
//! use worldlines::{Position, Status};
//!
//! let position = fen5d::parse("[k2/2R/1K1:0:1:b]").into_result()?;
//! let actions: Vec<String> =
//!     position.legal_actions().map(|action| pgn5d::action_text(&position, &action)).collect();
//! assert_eq!(actions, ["(0T1)Ka3b3"]);
//! assert_eq!(position.outcome().status, Status::Ongoing);
//!
//! // Constructed positions can have more actions than a program can count, so there are caps and budgets.
//! let standard = Position::default();
//! assert_eq!(standard.count_legal_actions(1_000).count, 20);
//! assert!(standard.outcome_within(100).is_ok_and(|outcome| !outcome.in_check));
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```
//!
//! ## Solve a mate
//!
//! ```
//! use worldlines::notation::{fen5d, pgn5d};
//! use worldlines::{Analysis, Budget, Prover, Verdict};
//!
//! let position = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result()?;
//! let mut prover = Prover::new(Budget::steps(100_000));
//! let mut analysis = Analysis::new(&mut prover, &position, 2);
//! let solution = analysis.solution();
//! assert_eq!((solution.verdict, solution.keys.len()), (Verdict::Proven, 1));
//! let key = solution.keys[0].key().clone();
//! assert_eq!(pgn5d::action_text(&position, &key), "(0T1)Rb2b3");
//!
//! // Every defence with its answer. A list that lacks something says so.
//! assert!(analysis.variations(&[key], 1, usize::MAX).is_complete());
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```
//!
//! ## Check a certificate
//!
//! The prover makes the evidence of a mate, and the checker, which shares nothing with the search, says whether it is one.
//!
//! ```
//! use worldlines::notation::fen5d;
//! use worldlines::search::certificate::{CheckResult, Looks, check};
//! use worldlines::{Budget, Prover};
//!
//! let position = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result()?;
//! let mut prover = Prover::new(Budget::steps(100_000));
//! let key = prover.solve(&position, 2, true).keys[0].key().clone();
//! let evidence = prover.confirm(&position, &key, 2).expect("the budget suffices");
//! let accepted = check(&position, &key, 2, &evidence.node, &Looks::within(1_000_000));
//! assert!(matches!(accepted, CheckResult::Accepted { .. }));
//! // It proves no mate in 1.
//! let refused = check(&position, &key, 1, &evidence.node, &Looks::within(1_000_000));
//! assert!(matches!(refused, CheckResult::Rejected(_)));
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```
//!
//! ## Verify a puzzle
//!
//! ```
//! # #[cfg(feature = "puzzle")] {
//! use worldlines::puzzle::{Answer, Options, load, verify};
//!
//! let text = r#"
//! schema: worldlines/puzzle-1
//! id: rook-from-the-corner
//! title: The rook from the corner
//! source: { from: "made for this page" }
//! themes: []
//! start: { size: 3x3, fen: ["[k2/3/1KR:0:1:w]"] }
//! goal: { mate-in: 1 }
//! solutions: [["(0T1)Rc1c3#"]]
//! unique: true
//! "#;
//! for document in load("rook.yaml", text.as_bytes()) {
//!     let report = verify(&document, Options::default());
//!     assert_eq!(report.answer(), Answer::Pass, "{}", report.findings_text());
//! }
//! # }
//! ```
//!
//! ## Convert a notation
//!
//! ```
//! use worldlines::notation::pgn5d;
//! use worldlines::Format;
//!
//! let game = pgn5d::parse("[Event \"An evening\"]\n1. e3 / f6").into_result()?;
//! let written = Format::Simplified.write(&game).expect("the notation can hold this game");
//! assert_eq!(written.bytes, b"1. e2e3, f7f6\n");
//! // What the other notation has no place for is named.
//! assert!(!written.losses.is_empty());
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | [`types`] | values without rules: squares, pieces, moves, actions |
//! | [`state`] | boards and timelines: [`Position`], made from a [`Setup`](state::Setup) |
//! | [`rules`] | legal actions and the status of the game, as methods of `Position`; the named start positions |
//! | [`notation`] | every [`Format`], each with a module of its own |
//! | [`search`] | the prover of mates in N, and certificates of mates |
//! | [`chessjs`] | the object API of 5d-chess-js |
//! | [`engine`] | the choice of an action to play, and the protocol of engines |
//! | [`review`] | games: mates missed and allowed, blunders, forced actions |
//! | [`render`] | boards as text and as pictures |
//!
//! # More
//!
//! The repository has the rules in words with examples that the tests run (`spec/README.md`), the layout of the code
//! (`ARCHITECTURE.md`), how legal actions are found (`spec/legal-actions.md`), what a proof relies on (`spec/proofs.md`), programs of
//! about thirty lines (`examples/`), and hundreds of verified puzzles (`puzzles/`).

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
pub mod review;
pub mod rules;
pub mod search;
#[cfg(feature = "slow-rules")]
pub mod slow;
mod spelling;
pub mod state;
pub mod types;

pub use notation::{Format, Game};
#[cfg(feature = "puzzle")]
pub use puzzle::Puzzle;
pub use rules::PartialAction;
pub use search::{Analysis, Budget, Prover, Verdict};
pub use state::Position;
pub use types::{Action, Color, Move, RuleProfile, Status};

#[cfg(test)]
mod layers;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
