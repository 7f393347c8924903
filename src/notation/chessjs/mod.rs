//! The notation of 5d-chess-js up to 0.3.6: games as text, as JSON, as numbers and as a drawing.
//!
//! ```text
//! [Variant "standard"]
//! 1w. 1:e2<>1:e3                   1w. 1:e2:e3
//! 1b. 1:f7<>1:f6                   1b. 1:f7:f6
//! 2w. 2:Nb1<+1>1:b3                2w. 2:Nb1<+1>1:b3
//! 2b. 1+1:a7<>1+1:a6               2b. 1+1:a7:a6
//! ```
//!
//! Each line is one move: the number and player of its action, then the turn and timeline of the board from which it
//! goes, piece and square, `<>` with the timeline that it creates, the board to which it goes, `x`, what a pawn becomes,
//! and the square. The short layout leaves out what is the same at the target. Both are read by one reader.
//!
//! | what | module | format |
//! |---|---|---|
//! | moves, in full or short | this one | `chessjs`, `chessjs-short` |
//! | games as JSON | [`json`] | `chessjs-json` |
//! | the objects of the library as JSON | [`schema`] | |
//! | boards as numbers | [`Raw`] | |
//! | boards in frames | [`frames`] | |
//!
//! The grammar, the errors of the README and what the library does otherwise are in `spec/notation-chessjs.md`.
//!
//! # What it starts from
//!
//! The `Variant` tag names one of five start positions. In `princess` the princess has the letter `P`; pawns have none. In
//! `turn_zero` Black's extra board is turn 1, so that every turn has a number higher by one than elsewhere. Pawns become
//! queens, rooks, bishops or knights, and in `princess` princesses instead of queens. Any other position is written as
//! `[Variant "custom"]` and 5DFEN boards, other promotions and rules as the tags `Promotions` and `Rules` of 5DPGN:
//! 5d-chess-js knows none of them.
//!
//! # Relaxations
//!
//! Beyond the form that [`write()`] prints, these are accepted:
//!
//! * `;` and any line ends between tags and moves, with blanks around; blank lines; tags between moves;
//! * any text in the value of a tag, with `\"` for a quotation mark, whatever the README allows; its name in any case;
//! * a board object as JSON in the `Variant` tag, which 5d-chess-js 0.3.6 writes and cannot read; the name of any variant;
//! * any blanks or none after `1w.`, and a capital for the player;
//! * `2+0:` and `2-0:` for timeline 0; a target board with any of its parts left out that are the same as at the origin;
//! * everything that is for the eye left out: piece, `x`, the timeline in `<+1>`, marks;
//! * castling with the letter `O`; `ep` for `e.p.`.
//!
//! With a warning:
//!
//! * a wrong piece, `x`, `e.p.` or created timeline; a capture en passant without `e.p.`; castling as the king's move;
//! * a wrong mark, as in the README's example, whose `#` is no mate, which is always looked at; a mark that is not on the
//!   last move of its action;
//! * a number that does not follow the one before it. The first may be 2 in `turn_zero`;
//! * a promotion that is not written, where only one is possible;
//! * a `Date` or `Result` tag that is none.
//!
//! An action that is left unfinished at the end of the text is an error.

mod edition;
mod field;
pub mod frames;
pub(crate) mod input;
pub mod json;
#[cfg(test)]
mod json_properties;
mod moves;
mod numbering;
#[cfg(test)]
mod properties;
pub mod raw;
mod record;
mod resolve;
pub mod schema;
mod start;
mod syntax;
mod touched;
mod write;

use crate::notation::common::describe::MARK_STEPS;
use crate::notation::common::{CheckMark, Game, ParseError, Parsed, Written};
use crate::notation::common::{Head, Options};
use crate::state::Position;
use crate::types::{Move, Status, Undecided};

pub use edition::Edition;
pub(crate) use numbering::Numbering;
pub use raw::{Raw, RawTurn};
pub use record::Record;
pub(crate) use start::{Named, turn_offset, usual_promotions};
pub(crate) use touched::Untouched;
pub(crate) use write::write_move;

/// The length in which each move is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// The target board with every move: `1:e2<>1:e3`.
    #[default]
    Full,
    /// The target board only where it is another one: `1:e2:e3`.
    Short,
}

/// The game of a text.
///
/// ```
/// use worldlines::notation::chessjs;
///
/// let game = chessjs::parse("1w. 1:e2:e3; 1b. 1:f7:f6; 2w. 2:Nb1<>1:b3").into_result().unwrap();
/// assert_eq!(game.end().multiverse().timelines().count(), 2);
///
/// let error = chessjs::parse("1w. 1:e2:e5").into_result().unwrap_err();
/// assert_eq!((error.class.name(), error.issue.code), ("illegal", "no-such-move"));
/// ```
///
pub fn parse(text: &str) -> Parsed {
    parse_with(text, &Options::default())
}

/// Parses like [`parse`]. A start that is given counts when no tag and no board says another one.
pub(super) fn parse_with(text: &str, options: &Options) -> Parsed {
    let (record, malformed) = Record::parse(text);
    let reading = match &malformed {
        // The error is before the moves: there may be more tags and boards.
        Some(_) if record.moves.is_empty() => Parsed::default(),
        _ => resolve::game(&record, options),
    };
    Parsed { error: reading.error.or(malformed), ..reading }
}

/// The moves of a text, made one after another in a position, also in the middle of an action. Their numbers do not count. Turns are
/// numbered this much later.
pub(crate) fn parse_moves(position: &Position, later: i16, text: &str) -> Result<Vec<Move>, ParseError> {
    let (record, malformed) = Record::parse(text);
    if let Some(error) = malformed {
        return Err(error);
    }
    resolve::moves(position, later, &record)
}

/// A game as text, and what is lost by it. Every action that gives check or mate is marked.
pub fn write(game: &Game, layout: Layout) -> Written {
    write::game(game, layout)
}

impl<'t> Record<'t> {
    /// The record of a text, and the error if it could not be parsed to its end.
    ///
    /// After an error the record ends with the last complete action.
    pub fn parse(text: &'t str) -> (Record<'t>, Option<ParseError>) {
        syntax::parse(text)
    }
}

/// Whether a text with this beginning is in this notation: its first move begins like `1w. 1:`, or there is none and the
/// tags are like those that [`write()`] prints.
pub(super) fn detect(head: &Head<'_>) -> bool {
    if head.moves.is_empty() {
        let first = head.headers.first().is_some_and(|(key, _)| *key == "Variant");
        // Any tags may stand before it; its values are spelt like no other notation's.
        let own = head
            .header_value("Variant")
            .is_some_and(|name| Named::ALL.iter().any(|named| named.tag() == name));
        return (first || own) && head.header_value("Mode").is_none();
    }
    head.moves.starts_with("[Variant \"{") || moves(head).next().is_some()
}

/// Whether [`detect`] holds and a move is in the short layout.
pub(super) fn detect_short(head: &Head<'_>) -> bool {
    moves(head).any(|m| !m.contains(['<', 'O']) && !m.contains("0-0"))
}

/// Whether a text begins with the number and the player of a move: `1w. 1:`.
pub(crate) fn is_move(text: &str) -> bool {
    move_of(text.trim_ascii_start()).is_some()
}

/// The first moves at the beginning of a text, each without its number and player.
fn moves<'t>(head: &Head<'t>) -> impl Iterator<Item = &'t str> {
    head.moves
        .split([';', '\n', '\r'])
        .map(str::trim_ascii)
        .filter(|m| !m.is_empty())
        .map_while(move_of)
        .take(16)
}

/// Whether a text with this beginning is [JSON](json) of 5d-chess-js.
pub(super) fn detect_json(head: &Head<'_>) -> bool {
    let text = head.text;
    let known = ["action", "player", "timelines", "variant", "moves", "width", "height"];
    let object = text.strip_prefix('[').map_or(text, str::trim_ascii_start);
    match object.strip_prefix('{').map(str::trim_ascii_start) {
        Some(inner) => {
            known.iter().any(|key| inner.strip_prefix('"').is_some_and(|key_on| key_on.starts_with(key)))
        }
        None => {
            text.starts_with('[')
                && (object.starts_with("[[") || object.starts_with("null,") || object == "]")
        }
    }
}

/// A move without its number and player, if the text is one as far as the board from which it goes.
fn move_of(text: &str) -> Option<&str> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits(text));
    let rest = rest.strip_prefix(['w', 'b', 'W', 'B'])?.strip_prefix('.')?.trim_ascii_start();
    let (turn, line) = rest.split_at(digits(rest));
    let line = line.strip_prefix(['+', '-']).map_or(line, |number| &number[digits(number)..]);
    (!number.is_empty() && !turn.is_empty()).then(|| line.strip_prefix(':')).flatten()
}

/// The mark of an action after which the position is this one.
fn mark_of(position: &Position) -> Result<Option<CheckMark>, Undecided> {
    let outcome = position.outcome_within(MARK_STEPS)?;
    Ok(match outcome.status {
        Status::Checkmate => Some(CheckMark::Checkmate),
        Status::Stalemate => Some(CheckMark::Stalemate),
        _ => outcome.in_check.then_some(CheckMark::Check),
    })
}
