//! The targets: one file for each, named after it, which declares `TARGET`. The build script makes the table
//! of them.
//!
//! A target asks a [`Question`]: bytes become a case, and the question is asked about it. It panics on a
//! finding and is silent otherwise. Where possible, the asking function takes the code under test as an
//! argument, so that the tests can pass broken code and see that it is noticed.

pub mod ceo_entries;
pub mod ceo_text;
pub mod certificate;
pub mod certificate_mutation;
pub mod chess64_binary;
pub mod chess64_text;
pub mod chessjs_api;
pub mod chessjs_json;
pub mod chessjs_raw;
pub mod chessjs_short;
pub mod chessjs_text;
pub mod convert_loss;
pub mod diagnostics;
pub mod engine_session;
pub mod falsehoods;
pub mod fen5d_text;
pub mod fen_text;
pub mod fix_idempotent;
pub mod fix_positions;
pub mod game_notations;
pub mod game_orthodox;
pub mod gui_fen_text;
pub mod hexicube_text;
pub mod hostile_claims;
pub mod legal_twin;
pub mod many_defences;
pub mod mate_prover;
pub mod oracle_texts;
pub mod other_mates;
pub mod outcome_twin;
pub mod pgn5d_game;
pub mod pgn5d_text;
pub mod pgn_text;
pub mod pictures;
pub mod play_undo;
pub mod proof_memory;
pub mod puzzle_format;
pub mod puzzle_mutated;
pub mod puzzle_yaml;
pub mod raw_text;
pub mod simplified_text;
pub mod symmetry;
pub mod tn_text;
pub mod uci5d_text;
pub mod variants_json_text;
pub mod whole_file;

use arbitrary::{Result, Unstructured};
use worldlines::generate::with_any_past;
use worldlines::notation::pgn5d::{self, Marks};
use worldlines::notation::{Excerpt, Game, Location, Parsed, Span, fen5d, text_of};
use worldlines::slow::{Cell, SlowState};
use worldlines::state::Position;

use crate::Target;

include!(concat!(env!("OUT_DIR"), "/targets.rs"));

/// A question about cases of one kind.
pub trait Question {
    /// The subject of the question.
    type Case: Case;

    /// The case of these bytes.
    ///
    /// # Errors
    ///
    /// If the bytes lead to no case.
    fn case(bytes: &[u8]) -> Result<Self::Case>;

    /// Asks the question. Panics on a finding.
    ///
    /// # Errors
    ///
    /// If the case is too large for an answer.
    fn ask(case: Self::Case) -> Result<()>;
}

/// The subject of a question.
pub trait Case {
    /// The case for people: a text, or a game to paste into a file.
    fn shown(&self) -> String;
}

impl Case for Vec<u8> {
    fn shown(&self) -> String {
        String::from_utf8_lossy(self).into_owned()
    }
}

impl Case for Position {
    fn shown(&self) -> String {
        Game::new(self.clone(), Vec::new()).shown()
    }
}

impl Case for Game {
    fn shown(&self) -> String {
        pgn5d::write(self, Marks::None).into_text()
    }
}

/// The game of some bytes: 5DPGN as it is shown, or choices of the generator.
///
/// So the text of a finding is also an input of its target, and keeps its meaning if the generator changes.
fn game_of(bytes: &[u8], generate: impl FnOnce(&mut Unstructured<'_>) -> Result<Game>) -> Result<Game> {
    if bytes.starts_with(b"[")
        && let Ok(text) = text_of(bytes)
        && let Parsed { value: Some(game), error: None, .. } = pgn5d::parse(text)
    {
        return Ok(game);
    }
    generate(&mut Unstructured::new(bytes))
}

/// The position of some bytes, like [`game_of`]. A third of them get a past that no game has.
fn position_of(
    bytes: &[u8],
    generate: impl FnOnce(&mut Unstructured<'_>) -> Result<Position>,
) -> Result<Position> {
    let start = |u: &mut Unstructured<'_>| {
        let position = generate(u)?;
        // If no bytes are left, the position stays as it is.
        if u.ratio(2, 3)? { Ok(position) } else { with_any_past(u, &position) }
    };
    Ok(game_of(bytes, |u| Ok(Game::new(start(u)?, Vec::new())))?.end())
}

/// [`position_of`], if it is about as small as those of [`worldlines::generate::mating_position`], so that
/// trying everything ends.
///
/// # Errors
///
/// If it is larger.
fn small_position_of(
    bytes: &[u8],
    generate: impl FnOnce(&mut Unstructured<'_>) -> Result<Position>,
) -> Result<Position> {
    const SQUARES: u32 = 25;
    const PIECES: usize = 16;
    let position = position_of(bytes, generate)?;
    let pieces: usize = position.multiverse().ends().map(|(_, board)| board.pieces().count()).sum();
    let is_small = position.size().squares().count_ones() <= SQUARES && pieces <= PIECES;
    if is_small { Ok(position) } else { Err(arbitrary::Error::IncorrectFormat) }
}

/// Any position.
fn any_position(bytes: &[u8]) -> Result<Position> {
    position_of(bytes, |u| u.arbitrary())
}

/// The position as text to paste into a file, with the rules that the file does not contain.
fn shown(position: &Position) -> String {
    let profile = position.profile();
    format!("\n{}under {}, promotion to {}\n", fen5d::write(position), profile, profile.promotions)
}

/// The first lines of a puzzle about a position: everything except the claim.
fn puzzle_about(position: &Position, id: &str) -> String {
    let profile = position.profile();
    let promotions: Vec<String> = profile.promotions.iter().map(|kind| kind.letter().to_string()).collect();
    let boards = fen5d::write(position).replace('\n', "\n    ");
    format!(
        "schema: worldlines/puzzle-1\nid: {id}\ntitle: A puzzle of the fuzzer\nsource: {{ from: fuzzing }}\n\
         rules: {{ profile: {profile}, promotions: [{}] }}\nstart:\n  5dfen: |\n    {}\n",
        promotions.join(", "),
        boards.trim_end(),
    )
}

/// The same position for the naive twin of the rules.
fn twin_of(position: &Position) -> SlowState {
    let boards = position.multiverse().boards().map(|(at, board)| {
        let cells = board
            .pieces()
            .map(|(square, piece)| (square, Cell { piece, unmoved: board.is_unmoved(square) }))
            .collect();
        (at, cells)
    });
    SlowState::new(position.size(), position.parity(), position.profile(), boards)
        .expect("a position is a state of the twin")
}

/// Whether these are one game. If the board shows how a game ended, the result is added to a game without
/// one.
pub(crate) fn is_same(game: &Game, again: &Game) -> bool {
    let added =
        game.result.is_none() && again.result.is_some() && game.end().legal_actions().next().is_none();
    if added { Game { result: None, ..again.clone() } == *game } else { again == game }
}

/// Checks that the place of an error or a warning lies in its text and can be shown.
pub(crate) fn assert_has_place(text: &str, span: Span, excerpt: &Excerpt<'_>) {
    assert!(text.get(span.range()).is_some(), "{span:?} is no part of the text of {} bytes", text.len());
    assert_marks(excerpt);
    let Location { line, column } = Location::of(text, span.range().start);
    assert!(line >= 1 && line <= text.matches('\n').count() + 1, "line {line} is not in the text");
    let longest = text.split('\n').nth(line - 1).map_or(0, |line| line.chars().count());
    assert!(column >= 1 && column <= longest + 1, "column {column} is not in line {line}");
}

/// Checks that something is marked, and that a terminal can show it.
pub(crate) fn assert_marks(excerpt: &Excerpt<'_>) {
    let shown = excerpt.to_string();
    assert!(shown.lines().any(|line| line.contains('^')), "nothing is marked in\n{shown}");
    assert_printable(&shown);
}

/// Checks that nothing in this text changes the state of a terminal.
fn assert_printable(text: &str) {
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "a control character in {text:?}");
}

/// Pseudo-random numbers, the same in every run (xorshift64).
pub struct Random(u64);

impl Default for Random {
    fn default() -> Random {
        Random::series(0)
    }
}

impl Random {
    /// The numbers of another series; each `number` gives different ones.
    pub fn series(number: u32) -> Random {
        // An odd factor: no two series begin alike, and none with the 0 that would stay 0.
        Random((2 * u64::from(number) + 1).wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 32
    }

    /// A number below this one.
    pub fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }

    /// This many bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// The bytes with up to three edits made of these tokens.
    pub fn spoilt(&mut self, bytes: &[u8], tokens: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..self.below(4) {
            let start = self.below(bytes.len() + 1);
            let end = (start + self.below(8)).min(bytes.len());
            let token = if tokens.is_empty() { Vec::new() } else { tokens[self.below(tokens.len())].clone() };
            bytes.splice(start..end, token);
        }
        bytes
    }
}

/// Whether `check` panics, as a target does on a finding.
#[cfg(test)]
pub(crate) fn flags<T>(check: impl FnOnce() -> T) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err()
}
