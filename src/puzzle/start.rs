//! Turns the start of a puzzle into a position. Every error has its place in the file.

use super::check::{did_you_mean, promotion};
use super::finding::Finding;
use super::model::{Change, Mover, Puzzle, Spanned};
use crate::notation::pgn5d::{self, Record};
use crate::notation::{Game, Parsed};
use crate::notation::{ParseError, Span, fen5d};
use crate::render::{Frame, text as draw};
use crate::rules::variants;
use crate::state::{Position, Setup};
use crate::types::{Action, BoardSize, Color, Piece, Promotions, RuleProfile, Square};

/// The game that leads to the position of a puzzle. The game of a twin has no actions: its changed boards are
/// set up directly.
pub(super) fn start(text: &str, puzzle: &Puzzle) -> Result<Game, Finding> {
    let game = unchanged(text, puzzle)?;
    if puzzle.changes.is_empty() {
        return Ok(game);
    }
    changed(&game.end(), &puzzle.changes).map(|position| Game::new(position, Vec::new()))
}

/// The position with the changes of a twin.
fn changed(position: &Position, changes: &[Spanned<Change>]) -> Result<Position, Finding> {
    let mut setup = position.to_setup();
    for change in changes {
        let refuse = |scalar: &Spanned<String>, message: String| {
            let hint = "hint: squares are written `(0T1)a2`, and boards are those on which the player to move may move";
            Finding::new("change", scalar.span, message).note(hint)
        };
        // The index of a board in the setup, and the text written behind the board.
        let place =
            |setup: &Setup, scalar: &Spanned<String>, written: &str| -> Result<(usize, String), Finding> {
                let end = written.find(')').map_or(0, |end| end + 1);
                let (board, squares) = written.split_at(end);
                let at = pgn5d::parse_board(position, board)
                    .map_err(|error| refuse(scalar, error.issue().message.clone()))?;
                let index = setup.boards.iter().position(|(other, _)| *other == at);
                index
                    .map(|index| (index, squares.to_owned()))
                    .ok_or_else(|| refuse(scalar, format!("there is no board {board}")))
            };
        let square = |setup: &Setup, scalar: &Spanned<String>, text: &str| -> Result<Square, Finding> {
            let square = text.parse::<Square>().ok().filter(|square| setup.size.contains(*square));
            square.ok_or_else(|| refuse(scalar, format!("there is no square `{text}`")))
        };
        match &change.value {
            Change::Remove(scalar) => {
                let (board, squares) = place(&setup, scalar, &scalar.value)?;
                let square = square(&setup, scalar, &squares)?;
                taken(&mut setup, board, square)
                    .ok_or_else(|| refuse(scalar, format!("no piece stands on {square}")))?;
            }
            Change::Put(scalar) => {
                let mut letters = scalar.value.chars();
                let letter = letters.next().unwrap_or_default();
                let piece = Piece::try_from(letter)
                    .map_err(|_| refuse(scalar, format!("no piece has the letter `{letter}`")))?;
                let (board, squares) = place(&setup, scalar, letters.as_str())?;
                let square = square(&setup, scalar, &squares)?;
                setup.boards[board].1.put(square, piece, false);
            }
            Change::Move(scalar) => {
                let (board, squares) = place(&setup, scalar, &scalar.value)?;
                let (from, to) = squares.split_at(squares.len().min(2));
                let (from, to) = (square(&setup, scalar, from)?, square(&setup, scalar, to)?);
                let piece = taken(&mut setup, board, from)
                    .ok_or_else(|| refuse(scalar, format!("no piece stands on {from}")))?;
                setup.boards[board].1.put(to, piece, false);
            }
            Change::ToMove(mover) => {
                let color = if mover.value == Mover::White { Color::White } else { Color::Black };
                if color != position.to_move() {
                    for (at, _) in &mut setup.boards {
                        at.half_turn = at.half_turn.next();
                    }
                }
            }
        }
    }
    Position::from_setup(&setup).map_err(|error| {
        let span = changes.first().map_or_else(Span::default, |change| change.span);
        Finding::new("change", span, format!("there is no such position: {error}"))
    })
}

fn taken(setup: &mut Setup, board: usize, square: Square) -> Option<Piece> {
    let piece = setup.boards[board].1.get(square)?;
    setup.boards[board].1.remove(square);
    Some(piece)
}

/// The game without the changes of a twin.
fn unchanged(text: &str, puzzle: &Puzzle) -> Result<Game, Finding> {
    let start = &puzzle.start.value;
    if let Some(game) = &start.pgn_text {
        let Parsed { value: so_far, error, .. } = pgn5d::parse(&game.value);
        return match (so_far, error) {
            (Some(game), None) => Ok(game),
            (so_far, error) => {
                let error = error.expect("a text without a game has an error");
                let end = so_far.as_ref().map(Game::end);
                Err(before(end.as_ref(), unreadable(text, game, &error)))
            }
        };
    }
    let boards = boards(text, puzzle)?;
    let Some(moves) = &start.moves else { return Ok(Game::new(boards, Vec::new())) };
    let (actions, error) = actions(&boards, &moves.value);
    let game = Game::new(boards, actions);
    match error {
        None => Ok(game),
        Some(error) => Err(before(Some(&game.end()), unreadable(text, moves, &error))),
    }
}

/// The actions of a text up to the first that cannot be read, and its error.
fn actions(start: &Position, moves: &str) -> (Vec<Action>, Option<ParseError>) {
    match pgn5d::parse_line(start, moves) {
        Ok(actions) => (actions, None),
        Err(error) => {
            let (record, _) = Record::parse(moves);
            let wrong = record.line.actions.iter().find(|action| error.span().start < action.span.end);
            let good = &moves[..wrong.map_or(error.span(), |action| action.span).range().start];
            (pgn5d::parse_line(start, good).unwrap_or_default(), Some(error))
        }
    }
}

/// Adds the boards before the action that a finding is about.
fn before(position: Option<&Position>, mut finding: Finding) -> Finding {
    finding.boards =
        position.map(|position| format!("Before this action:\n{}", draw(position, Frame::REPORT)));
    finding
}

fn boards(text: &str, puzzle: &Puzzle) -> Result<Position, Finding> {
    let start = &puzzle.start.value;
    // Unknown names were refused before.
    let named = puzzle.rules.profile.as_ref().and_then(|name| name.value.parse::<RuleProfile>().ok());
    let mut profile = named.unwrap_or_default();
    if let Some(promotions) = &puzzle.rules.promotions {
        let kinds = promotions.value.iter().filter_map(|letter| promotion(&letter.value));
        profile.promotions = kinds.fold(Promotions::NONE, |set, kind| set.with(kind).unwrap_or(set));
    }
    if let Some(name) = &start.variant {
        let Some(variant) = variants::by_name(&name.value) else {
            let message = format!("there is no variant `{}`", name.value);
            let finding = Finding::new("unknown-variant", name.span, message);
            return Err(match variants::closest(&name.value) {
                Some(near) => finding.note(did_you_mean(near.name)),
                None => finding.note("hint: for another start, write its boards under `fen`"),
            });
        };
        let setup = Setup { profile, ..variant.setup() };
        return Ok(Position::from_setup(&setup).expect("the boards of a variant are a multiverse"));
    }
    let size = match &start.size {
        None => None,
        Some(size) => Some(board_size(&size.value).ok_or_else(|| {
            let message =
                format!("expected a size from 1x1 to {0}x{0}, but found `{1}`", BoardSize::MAX, size.value);
            Finding::new("size", size.span, message)
        })?),
    };
    let given = fen5d::Given { size, parity: None, profile };
    // All boards are read as one text, so that they can be compared. An error is then traced back to the
    // scalar that contains it.
    let written: Vec<&Spanned<String>> = start.fen.iter().flatten().chain(&start.fen_text).collect();
    let joined: Vec<&str> = written.iter().map(|board| board.value.as_str()).collect();
    fen5d::blocks(&joined.join("\n")).and_then(|blocks| fen5d::position(&blocks, given)).map_err(|error| {
        let span = error.span();
        let mut offset = 0;
        for board in &written {
            let end = offset + board.value.len();
            if span.range().start <= end {
                let within = Span::new(span.range().start - offset, span.range().end.min(end) - offset);
                return finding(in_document(text, board, within), &error);
            }
            offset = end + 1;
        }
        finding(puzzle.start.span, &error)
    })
}

fn board_size(text: &str) -> Option<BoardSize> {
    let (width, height) = text.split_once(['x', 'X'])?;
    BoardSize::new(width.parse().ok()?, height.parse().ok()?)
}

/// The finding of a scalar whose text cannot be read.
pub(super) fn unreadable(text: &str, scalar: &Spanned<String>, error: &ParseError) -> Finding {
    finding(in_document(text, scalar, error.span()), error)
}

fn finding(span: Span, error: &ParseError) -> Finding {
    let issue = error.issue();
    let finding = Finding::new(issue.code, span, format!("{}: {}", error.class(), issue.message));
    match &issue.hint {
        Some(hint) => finding.note(format!("hint: {hint}")),
        None => finding,
    }
}

/// The span in the document of a part of a scalar's value; the whole scalar if escapes or folded lines make
/// that unclear.
pub(super) fn in_document(text: &str, scalar: &Spanned<String>, part: Span) -> Span {
    let (raw, value) = (scalar.span.of(text), scalar.value.as_str());
    let start = scalar.span.range().start;
    let shifted = |by: usize| Span::new(start + by + part.range().start, start + by + part.range().end);
    let unquoted = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    if raw.starts_with(['"', '\'']) {
        return if unquoted == value { shifted(1) } else { scalar.span };
    }
    if raw == value {
        return shifted(0);
    }
    // A block: every line of the value is the end of a line of the document.
    let (mut in_raw, mut in_value) = (0, 0);
    for (raw_line, line) in raw.split_inclusive('\n').zip(value.split_inclusive('\n')) {
        let (bare, line_bare) = (raw_line.trim_end_matches(['\r', '\n']), line.trim_end_matches('\n'));
        if !bare.ends_with(line_bare) {
            break;
        }
        if part.range().start < in_value + line.len() {
            let column = bare.len() - line_bare.len() + part.range().start - in_value;
            let length =
                part.range().len().min(line_bare.len().saturating_sub(part.range().start - in_value));
            return Span::new(start + in_raw + column, start + in_raw + column + length);
        }
        in_raw += raw_line.len();
        in_value += line.len();
    }
    // At the end of the text, something is missing after the last line.
    let end = start + raw.trim_end().len();
    if part.range().start >= value.trim_end().len() { Span::new(end, end) } else { scalar.span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Document {
        a: Spanned<String>,
    }

    /// The text of the document at the place of `needle` in the value.
    fn located(text: &str, needle: &str) -> String {
        let document: Document = serde_saphyr::from_str(text).unwrap();
        let at = document.a.value.find(needle).unwrap();
        let span = in_document(text, &document.a, Span::new(at, at + needle.len()));
        format!("{}@{}", span.of(text), span.range().start)
    }

    #[test]
    fn parts_of_scalars_are_found_in_the_document() {
        assert_eq!(located("a: one two", "two"), "two@7");
        assert_eq!(located("a: \"é two\"", "two"), "two@7");
        assert_eq!(located("a: 'é two'", "two"), "two@7");
        assert_eq!(located("a: |\n  one\n   two\n\n  three\n", "two"), "two@14");
        assert_eq!(located("a: |\n  one\n   two\n\n  three\n", "three"), "three@21");
        assert_eq!(located("a: |\r\n  one\r\n   two\r\n  three", "three"), "three@23");
        assert_eq!(located("a: \"x\\ttwo\"", "two"), "\"x\\ttwo\"@3");
    }

    #[test]
    fn the_end_of_a_block_is_its_last_line() {
        let text = "a: |\n  one\n  two\nb: 1";
        let document: Document = serde_saphyr::from_str(text).unwrap();
        assert_eq!(in_document(text, &document.a, Span::new(8, 8)), Span::new(16, 16));
    }
}
