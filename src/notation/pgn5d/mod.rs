//! 5DPGN: games as text, in the notation that most players and programs use.
//!
//! ```text
//! [Board "Standard"]
//! [Mode "5D"]
//! 1. (0T1)Ng1f3 / (0T1)Ng8f6
//! 2. (0T2)Nf3>>(0T1)f5 / (1T1)e7e6
//! ```
//!
//! Headers and, for a position without a name, [5DFEN](super::fen5d) boards come first. Then come numbered
//! actions of White and Black with `/` between them. A move names its board as `(timeline T turn)`, then
//! piece, origin and target; `>` jumps to the last board of another timeline, `>>` to an earlier board, which
//! creates a timeline.
//!
//! Reading has two steps. [`Record::parse`] reads the text into a record, in which every part has its place
//! in the text. [`parse`] then looks up each move, in the order of the text, among the moves that can be made
//! at that moment, and each action must be legal as a whole. Each game is written in one form.
//!
//! # Relaxations
//!
//! Beyond the form that [`write()`] prints, these are accepted:
//!
//! * Headers in any case of their names and under the names that programs use (`Board`, `Variant` and
//!   `Layout`; `Timelines` and `Timeline`; `Promotions` and `Promotion`), with values in any case; promotions
//!   with commas, blanks or nothing between the letters, or `*` for every piece. Without a `Board` header the
//!   variant is `Standard`. Boards in the text override a name.
//! * Numbers as `1.`, `1w.`, `1b.`, `1...`, `1. ...`, `w.` and `b.`, or only `/` between actions. A wrong
//!   number is a warning.
//! * `(L0 T1)`, `(+0T1)`, `(-0T1)`, `(0T1b)`; a timeline alone, `(L1)`, or a turn alone, `(T5)`.
//! * Anything left out, as long as one move fits: the board, the letter, the square of origin or a part of
//!   it. If several fit and there is no letter, it is a pawn move if exactly one pawn can make it.
//! * Jumps without their target board, `Q>>f7`; with a relative one, `Q>>$(L+1T-2)f7`; without `>`,
//!   `Nf3(0T1)f5`.
//! * Physical moves with their board repeated, `Pe2(0T1)e3`.
//! * `x` may be left out, and stand before `>` or after the target board. A wrong `x` is a warning.
//! * `P` for pawns; `BR`, `PR` and `RQ` for brawns, princesses and royal queens.
//! * A promotion without `=Q` is to a queen, or to the only piece that is allowed.
//! * Castling as `O-O` (to the right) and `O-O-O` (to the left), with letters or zeros, or as the king's move
//!   of two squares, for every king.
//! * `e.p.` and `ep`; `~` and `(>L1)`, which give a warning if they are wrong; `(~T3)`, which is not checked;
//!   `+`, `*` and `#` after a move. A wrong mark of check or mate is a loss, and with
//!   [`Options::check_marks`] a warning.
//! * Comments, judgements such as `!?` and `$14`, and variations in parentheses, before or after the action that they replace:
//!   they are the [notes](crate::notation::Note) of the game. A variation that cannot be read is left out with a warning.
//! * A number or `/` without an action at the end of the text.
//!
//! A result is not compared with the position at the end. Null moves, except those at turn zero before the
//! game, and a second game in the text are refused; [`games`](super::games) splits a text with several games.

pub(crate) mod brief;
mod meaning;
#[cfg(test)]
mod properties;
mod record;
mod resolve;
mod syntax;
mod write;

use crate::notation::common::{
    Game, Head, Header, Issue, Options, ParseError, Parsed, Span, Written, describe,
};
use crate::rules::PartialAction;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Move};

pub use crate::notation::common::describe::board_text;
pub use crate::notation::common::passes::Pass;
pub use brief::Tokens;
pub use record::{ActionText, LineText, Record, RemarkText, VariationText};

/// The maximum nesting depth of comments and variations.
pub const MAX_NESTING: usize = 100;

/// The game of a text.
///
/// ```
/// use worldlines::notation::pgn5d;
///
/// let game = pgn5d::parse("1. Nf3 / Nf6 2. N>>f5 1-0").into_result().unwrap();
/// assert_eq!(game.end().multiverse().timelines().count(), 2);
///
/// let error = pgn5d::parse("1. Nf3 / Nf5").into_result().unwrap_err();
/// assert_eq!((error.class.name(), error.span().start), ("illegal", 9));
/// ```
///
pub fn parse(text: &str) -> Parsed {
    parse_with(text, &Options::default())
}

/// Like [`parse`], with options: only [`Options::check_marks`] is used.
pub(super) fn parse_with(text: &str, options: &Options) -> Parsed {
    let (record, malformed) = Record::parse(text);
    let reading = match &malformed {
        // The error is before the moves: there may be more headers and boards.
        Some(_) if record.line.actions.is_empty() => Parsed::default(),
        _ => resolve::game(&record, options.check_marks, |start| start),
    };
    Parsed { error: reading.error.or(malformed), ..reading }
}

/// Like [`parse`], with another start: `change` makes it of the start of the text, and is told whether a
/// header gives the promotions.
pub(crate) fn parse_changing(text: &str, change: impl FnOnce(Position, bool) -> Position) -> Parsed {
    let (record, malformed) = Record::parse(text);
    let says = |header: &Header| {
        let key = header.key.of(text);
        key.eq_ignore_ascii_case("Promotions") || key.eq_ignore_ascii_case("Promotion")
    };
    let says_promotions = record.headers.iter().any(says);
    let reading = match &malformed {
        Some(_) if record.line.actions.is_empty() => Parsed::default(),
        _ => resolve::game(&record, false, |start| change(start, says_promotions)),
    };
    Parsed { error: reading.error.or(malformed), ..reading }
}

/// The action with these moves; a number is not needed.
///
/// ```
/// use worldlines::notation::pgn5d;
///
/// let start = pgn5d::parse("[Board \"Standard - Two Timelines\"]").into_result().unwrap().start;
/// let action = pgn5d::parse_action(&start, "(+0T1)Nf3 (-0T1)e4").unwrap();
/// assert_eq!(pgn5d::action_text(&start, &action), "(-0T1)e2e4 (+0T1)Ng1f3");
/// ```
///
/// # Errors
///
/// When the text is not one action, or the action is not legal in this position.
pub fn parse_action(position: &Position, text: &str) -> Result<Action, ParseError> {
    only_action(text, parse_line(position, text)?)
}

/// The action of a text, if it is legal in this position. Most texts that are not are found out sooner than by [`parse_action`].
#[cfg(feature = "puzzle")]
pub(crate) fn legal_action(position: &Position, text: &str) -> Option<Action> {
    let (record, malformed) = Record::parse(text);
    let first = record.line.actions.first().and_then(|action| record.line.moves_of(action).first());
    if first.is_some_and(|first| meaning::is_impossible(position, first)) {
        return None;
    }
    only_action(text, line_of(&record, malformed, position).ok()?).ok()
}

/// The action of a line that has no others.
fn only_action(text: &str, mut line: Vec<Action>) -> Result<Action, ParseError> {
    let span = Span::new(0, text.len());
    if line.len() > 1 {
        let message = format!("expected one action, but found {}", line.len());
        return Err(Issue::new("more-than-one-action", span, message).malformed());
    }
    line.pop().ok_or_else(|| Issue::new("no-move", span, "expected at least one move").malformed())
}

/// The actions of a text, which follow each other from this position on, written as in a game: `1. … / …`, or
/// with `/` alone.
///
/// # Errors
///
/// When the text contains anything but actions, or an action is not legal.
pub fn parse_line(position: &Position, text: &str) -> Result<Vec<Action>, ParseError> {
    let (record, malformed) = Record::parse(text);
    line_of(&record, malformed, position)
}

/// The actions of a record that is nothing but a line.
fn line_of(
    record: &Record<'_>,
    malformed: Option<ParseError>,
    position: &Position,
) -> Result<Vec<Action>, ParseError> {
    let header = record.headers.first().map(|header| header.span);
    let board = record.boards.first().map(|board| board.span);
    if let Some(span) = header.or(board).or(record.line.variations.first().map(|variation| variation.span)) {
        return Err(Issue::new(
            "not-a-move",
            span,
            "expected moves only, without headers, boards and variations",
        )
        .malformed());
    }
    let actions = resolve::actions(record, position)?;
    malformed.map_or(Ok(actions), Err)
}

/// The board with this name, from which the player to move must be able to move.
///
/// ```
/// use worldlines::notation::pgn5d;
///
/// let position = pgn5d::parse("1. Nf3 / Nf6").into_result().unwrap().end();
/// let board = pgn5d::parse_board(&position, "(0T2)").unwrap();
/// assert_eq!(pgn5d::board_text(&position, board), "(0T2)");
/// assert_eq!(pgn5d::parse_board(&position, "(0T1)").unwrap_err().issue.code, "not-playable");
/// ```
///
/// # Errors
///
/// When the text is not a board, or the player to move cannot move from it.
pub fn parse_board(position: &Position, text: &str) -> Result<BoardCoordinate, ParseError> {
    meaning::playable_board(position, &syntax::parse_board(text)?)
}

/// The move of this text that starts on a board in some action. The rest of the action is not checked. A jump
/// to a board that can still be played may be written as a hop, or as the branch that it becomes once the
/// action has played there.
///
/// ```
/// use worldlines::notation::pgn5d;
///
/// let position = pgn5d::parse("1. Nf3 / Nf6").into_result().unwrap().end();
/// let board = pgn5d::parse_board(&position, "(0T2)").unwrap();
/// let jump = pgn5d::parse_start(&position, board, "N>>f5").unwrap();
/// assert_eq!(pgn5d::start_text(&position, &jump), "Nf3>>(0T1)f5");
/// ```
///
/// # Errors
///
/// When the text is not one move without a board in front, or if no such move starts there, or several do.
pub fn parse_start(position: &Position, board: BoardCoordinate, text: &str) -> Result<Move, ParseError> {
    let (record, malformed) = Record::parse(text);
    if let Some(error) = malformed {
        return Err(error);
    }
    let plain = record.headers.is_empty()
        && record.boards.is_empty()
        && record.passes.is_empty()
        && record.line.result.is_none();
    match &record.line.moves[..] {
        [only] if plain && record.line.actions.len() == 1 => meaning::start_on(position, board, only),
        _ => Err(Issue::new("not-a-move", Span::new(0, text.len()), "expected one move and nothing else")
            .malformed()),
    }
}

/// A move without its board, in canonical form; see [`parse_start`].
pub fn start_text(position: &Position, m: &Move) -> String {
    let mut text = String::new();
    write::write_start(&mut text, position, m);
    text
}

/// The moves of a text, as the next moves of an action under way, in this order.
///
/// ```
/// use worldlines::notation::pgn5d;
/// use worldlines::rules::PartialAction;
/// use worldlines::state::Position;
///
/// let action = PartialAction::new(Position::default());
/// let moves = pgn5d::parse_moves(&action, "Nf3").unwrap();
/// assert_eq!(pgn5d::move_text(&action, &moves[0]), "(0T1)Ng1f3");
/// ```
///
/// # Errors
///
/// When the text contains anything but the moves of one action, or one of them cannot be made. It is not
/// checked that they can be submitted.
pub fn parse_moves(action: &PartialAction, text: &str) -> Result<Vec<Move>, ParseError> {
    moves_at(action.position(), text)
}

/// [`parse_moves`] in a position after the moves that were made.
pub(crate) fn moves_at(position: &Position, text: &str) -> Result<Vec<Move>, ParseError> {
    let (record, malformed) = Record::parse(text);
    if let Some(error) = malformed {
        return Err(error);
    }
    let plain = record.headers.is_empty() && record.boards.is_empty() && record.line.result.is_none();
    if !plain || record.line.actions.len() != 1 || !record.line.variations.is_empty() {
        let span = Span::new(0, text.len());
        return Err(
            Issue::new("not-a-move", span, "expected the moves of one action and nothing else").malformed()
        );
    }
    resolve::moves(&record.line.moves, position)
}

/// The next move of an action under way, in canonical form.
pub fn move_text(action: &PartialAction, m: &Move) -> String {
    write::move_text(action.position(), m)
}

/// The marks that are written after an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Marks {
    /// No marks; nothing has to be computed.
    #[default]
    None,
    /// `+`, `*` and `#` for check, softmate and checkmate.
    Check,
}

/// A game in canonical form, every move with its board, letter, origin and target; and the losses.
///
/// Rules other than the default ones are named in a header `Rules`, which other programs do not know; see
/// [`RuleProfile`](crate::types::RuleProfile).
pub fn write(game: &Game, marks: Marks) -> Written {
    write::game(game, marks)
}

/// The mark of an action after which this position stands: `+`, `*` or `#` for check, softmate and checkmate, or nothing. A mate that
/// cannot be told within some thousand search steps is marked as a check, which is true as well.
pub fn check_mark(position: &Position) -> &'static str {
    describe::check_mark(position).unwrap_or("+")
}

/// Whether a text with this beginning is 5DPGN: it has boards or a header that only this notation has, or its
/// first moves have a form that only this notation has.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let mode = head.header_value("Mode").is_some_and(|mode| mode.eq_ignore_ascii_case("5D"));
    let is_own = |word: &str| {
        word.starts_with('/')
            || is_both_actions(word)
            || word.starts_with('(') && word.contains('T')
            || is_number_with_color(word)
    };
    let own_moves = || head.moves.split_ascii_whitespace().take(DETECTED_WORDS).any(is_own);
    mode || head.has_5d_header() || head.has_boards || own_moves()
}

/// Whether a word begins with the number of an action and its player, as in `1w.`.
fn is_number_with_color(word: &str) -> bool {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < word.len() && (after.starts_with("w.") || after.starts_with("b."))
}

/// Whether a word is a number and the actions of both players, as `1.e3/Nf6`.
fn is_both_actions(word: &str) -> bool {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let actions = after.strip_prefix('.').filter(|_| after.len() < word.len());
    actions.and_then(|actions| actions.split_once('/')).is_some_and(|(white, black)| {
        let is_move = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '(');
        is_move(white) && (black.is_empty() || is_move(black))
    })
}

/// The number of words after the headers that detection reads.
const DETECTED_WORDS: usize = 16;

/// The moves of an action that can be played in this position, in canonical form, as `(0T2)Kd4d3 (1T2)Ra2c2`.
pub fn action_text(position: &Position, action: &Action) -> String {
    write::action_text(position, action)
}

/// The actions of a line that begins in this position, each as [`action_text`] writes it, and the position after the line.
///
/// # Panics
///
/// When an action is not legal.
pub fn line_texts(start: &Position, line: &[Action]) -> (Vec<String>, Position) {
    let mut at = start.clone();
    let text = |action| {
        let text = action_text(&at, action);
        at.play(action).expect("an action of a line is legal");
        text
    };
    (line.iter().map(text).collect(), at)
}

/// Like [`action_text`]; appends one move to a text.
pub(super) fn write_move(text: &mut String, position: &Position, m: &Move) {
    write::write_move(text, position, m);
}

impl<'t> Record<'t> {
    /// Parses a text, and returns the error that stopped reading before its end, if any.
    ///
    /// After an error the record ends with the last complete action, followed by an empty one if the moves
    /// had begun.
    pub fn parse(text: &'t str) -> (Record<'t>, Option<ParseError>) {
        syntax::parse(text)
    }
}
