//! Cases that are made of bytes, and the questions that several targets ask.

use arbitrary::{Result, Unstructured};
use worldlines::generate::with_any_past;
use worldlines::notation::pgn5d::{self, Marks};
use worldlines::notation::{Excerpt, Game, Location, Parsed, Span, fen5d, text_of};
use worldlines::slow::{Cell, SlowState};
use worldlines::state::Position;

/// A case that a question is about.
pub(crate) trait Case {
    /// The case for the eye: a text, or a game to paste into a file.
    fn shown(&self) -> String;
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
/// So what a finding shows is an input of its target too, which means the same after a change of the generator.
pub(crate) fn game_of(
    bytes: &[u8],
    generate: impl FnOnce(&mut Unstructured<'_>) -> Result<Game>,
) -> Result<Game> {
    if bytes.starts_with(b"[")
        && let Ok(text) = text_of(bytes)
        && let Parsed { value: Some(game), error: None, .. } = pgn5d::parse(text)
    {
        return Ok(game);
    }
    generate(&mut Unstructured::new(bytes))
}

/// The position of some bytes, as [`game_of`]. A third have a past that no game has.
pub(crate) fn position_of(
    bytes: &[u8],
    generate: impl FnOnce(&mut Unstructured<'_>) -> Result<Position>,
) -> Result<Position> {
    let start = |u: &mut Unstructured<'_>| {
        let position = generate(u)?;
        // Without bytes left, it stays as it is.
        if u.ratio(2, 3)? { Ok(position) } else { with_any_past(u, &position) }
    };
    Ok(game_of(bytes, |u| Ok(Game::new(start(u)?, Vec::new())))?.end())
}

/// [`position_of`], if it is about as small as what [`worldlines::generate::mating_position`] makes: trying everything has an end there.
///
/// # Errors
///
/// When it is larger.
pub(crate) fn small_position_of(
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
pub(crate) fn any_position(bytes: &[u8]) -> Result<Position> {
    position_of(bytes, |u| u.arbitrary())
}

/// The position as something to paste into a file, with the rules that the file does not hold.
pub(crate) fn shown(position: &Position) -> String {
    let profile = position.profile();
    format!("\n{}under {}, promotion to {}\n", fen5d::write(position), profile, profile.promotions)
}

/// The first lines of a puzzle about a position: all but what it claims.
pub(crate) fn puzzle_about(position: &Position, id: &str) -> String {
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
pub(crate) fn twin_of(position: &Position) -> SlowState {
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

/// Whether these are one game. Where the board says how a game ended, the result is added to a game without one.
pub(crate) fn is_same(game: &Game, again: &Game) -> bool {
    let added =
        game.result.is_none() && again.result.is_some() && game.end().legal_actions().next().is_none();
    if added { Game { result: None, ..again.clone() } == *game } else { again == game }
}

/// The place of an error or a warning lies in its text and can be shown.
pub(crate) fn assert_has_place(text: &str, span: Span, excerpt: &Excerpt<'_>) {
    assert!(text.get(span.range()).is_some(), "{span:?} is no part of the text of {} bytes", text.len());
    assert_marks(excerpt);
    let Location { line, column } = Location::of(text, span.range().start);
    assert!(line >= 1 && line <= text.matches('\n').count() + 1, "line {line} is not in the text");
    let longest = text.split('\n').nth(line - 1).map_or(0, |line| line.chars().count());
    assert!(column >= 1 && column <= longest + 1, "column {column} is not in line {line}");
}

/// Something is marked, in what a terminal can show.
pub(crate) fn assert_marks(excerpt: &Excerpt<'_>) {
    let shown = excerpt.to_string();
    assert!(shown.lines().any(|line| line.contains('^')), "nothing is marked in\n{shown}");
    assert_printable(&shown);
}

/// Nothing in this text changes the state of a terminal.
pub(crate) fn assert_printable(text: &str) {
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "a control character in {text:?}");
}

/// Whether something panics, as a target does on a finding.
#[cfg(test)]
pub(crate) fn flags<T>(check: impl FnOnce() -> T) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err()
}
