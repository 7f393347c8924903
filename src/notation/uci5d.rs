//! The `position` line of 5DUCI, which gives an engine its position.
//!
//! ```text
//! position size 8x8 odd fen [r*nbqk*bnr*/…:0:1:w] moves (0T1)e2(0T1)e3 submit (0T1)g7(0T1)g6 submit
//! position startpos moves (0T1)g1(0T1)f3 submit
//! ```
//!
//! A move is written with both of its boards, and with the letter of the piece that a pawn becomes; `submit`
//! ends an action. `startpos` is the variant `Standard - Turn Zero`. In a game with two start timelines the
//! moves call them `-1` and `0`, and the boards call them `-0` and `+0`. The grammar is in
//! `spec/notation-5duci.md`.
//!
//! # Relaxations
//!
//! [`write()`] prints one form of each game: one line, size and parity always. These are accepted too:
//!
//! * `size` and `odd` or `even` left out: the boards say it; line ends for blanks;
//! * `-0` and `+0` in moves, and with `even` the plain numbers `-1` and `0` in boards;
//! * moves within a board without their second board, `(0T1)e2e4`;
//! * promotions as `=Q` and with small letters; without a letter it is to a queen, or to the only kind that
//!   is allowed;
//! * promotions are not listed, so every promotion that is written is allowed;
//! * with a warning: `move` for `moves`, and no `submit` after the last action.

use std::fmt::Write as _;

use crate::notation::common::Head;
use crate::notation::common::boards::{self, Block, Given};
use crate::notation::common::describe::{push_number, push_square};
use crate::notation::common::replay::{CoordinateMove, Replay};
use crate::notation::common::{Cursor, Label};
use crate::notation::common::{Game, Issue, ParseError, Parsed, Sign, Span, Written};
use crate::rules::{PartialAction, variants};
use crate::state::{Position, Setup};
use crate::types::{
    BoardCoordinate, BoardSize, Coordinate, HalfTurn, Move, Parity, PieceKind, Promotions, RuleProfile,
    Square, Timeline,
};

/// The game of a line, as far as it can be read.
///
/// ```
/// use worldlines::notation::uci5d;
///
/// let reading = uci5d::parse("position startpos moves (0T1)g1(0T1)f3 submit");
/// assert_eq!(reading.value.unwrap().actions.len(), 1);
/// ```
pub fn parse(text: &str) -> Parsed {
    parse_to(text, Ending::Submitted).game
}

/// A game with the moves of an action that is not submitted yet.
#[derive(Clone, Debug)]
pub struct UnderWay {
    /// The game, up to the last submitted action.
    pub game: Parsed,
    /// The moves after the last `submit`, in the order of play.
    pub made: Vec<Move>,
}

/// The game of a line, as far as it can be read, and the moves after the last `submit`, as the action under
/// way. Engines read the line in this way.
///
/// ```
/// use worldlines::notation::uci5d;
///
/// let line = "position startpos moves (0T1)g1f3 submit (0T1)g8f6 submit (0T2)b1c3";
/// let reading = uci5d::parse_under_way(line);
/// assert_eq!(reading.game.value.unwrap().actions.len(), 2);
/// assert_eq!(reading.made, ["(0T2w)b1c3".parse().unwrap()]);
/// ```
pub fn parse_under_way(text: &str) -> UnderWay {
    parse_to(text, Ending::Open)
}

/// The treatment of moves after the last `submit`: an action whose `submit` is missing, or the action under
/// way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Submitted,
    Open,
}

fn parse_to(text: &str, ending: Ending) -> UnderWay {
    let refused = |warnings, error| {
        let game = Parsed { warnings, ..Parsed::refused(error) };
        UnderWay { game, made: Vec::new() }
    };
    let mut cursor = Cursor::new(text);
    let mut warnings = Vec::new();
    let start = match start_text(&mut cursor) {
        Ok(start) => start,
        Err(error) => return refused(warnings, error),
    };
    let mut steps = Vec::new();
    let malformed = match moves_begin(&mut cursor, &mut warnings) {
        Ok(true) => read_steps(&mut cursor, &mut steps).err(),
        Ok(false) => None,
        Err(error) => Some(error),
    };
    let start = match start.position(promotions(&steps)) {
        Ok(start) => start,
        Err(error) => return refused(warnings, error),
    };
    let mut player = Replay::new(start);
    player.warnings = warnings;
    let submits = malformed.is_none() && ending == Ending::Submitted;
    let error = play(&mut player, &steps, submits).err();
    let made = player.made().to_vec();
    UnderWay { game: player.finish(error.or(malformed)), made }
}

/// The start position as it is written.
enum Start<'t> {
    /// `startpos`
    TurnZero,
    /// `fen`
    Boards { blocks: Vec<Block<'t>>, size: Option<BoardSize>, parity: Option<Parity> },
}

impl Start<'_> {
    fn position(&self, promotions: Promotions) -> Result<Position, ParseError> {
        let profile = RuleProfile { promotions, ..RuleProfile::default() };
        match self {
            Start::TurnZero => {
                let variant = variants::by_name("Standard - Turn Zero").expect("there is such a variant");
                let setup = Setup { profile, ..variant.setup() };
                Ok(Position::from_setup(&setup).expect("variants are positions"))
            }
            Start::Boards { blocks, size, parity } => {
                boards::position(blocks, Given { size: *size, parity: *parity, profile })
            }
        }
    }
}

/// A move, or the end of an action.
enum Step {
    Move { from: Corner, to: Corner, promotion: Option<PieceKind>, span: Span },
    Submit { span: Span },
}

/// A board and a square as they are written.
#[derive(Clone, Copy)]
struct Corner {
    timeline: Label,
    turn: i16,
    square: Square,
}

/// The promotions that the moves show: to a queen, and those that are written. The line does not list them.
fn promotions(steps: &[Step]) -> Promotions {
    steps.iter().fold(Promotions::QUEEN, |set, step| match step {
        Step::Move { promotion: Some(kind), .. } => set.with(*kind).unwrap_or(set),
        _ => set,
    })
}

/// Steps over a word, if it is this one.
fn word(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let mut ahead = cursor.clone();
    let comes = ahead.eat(word) && ahead.peek().is_none_or(|byte| byte.is_ascii_whitespace());
    if comes {
        ahead.skip_whitespace();
        *cursor = ahead;
    }
    comes
}

fn start_text<'t>(cursor: &mut Cursor<'t>) -> Result<Start<'t>, ParseError> {
    cursor.begin()?;
    cursor.skip_whitespace();
    if !word(cursor, "position") {
        return Err(cursor.expected("missing-position", "`position` at the beginning").malformed());
    }
    if word(cursor, "startpos") {
        return Ok(Start::TurnZero);
    }
    let size = if word(cursor, "size") { Some(size(cursor)?) } else { None };
    let parity = if word(cursor, "odd") {
        Some(Parity::Odd)
    } else if word(cursor, "even") {
        Some(Parity::Even)
    } else {
        None
    };
    if !word(cursor, "fen") {
        return Err(cursor.expected("missing-start", "`fen` with boards, or `startpos`").malformed());
    }
    let mut blocks = Vec::new();
    while cursor.peek() == Some(b'[') {
        boards::read_next(cursor, &mut blocks)?;
        cursor.skip_whitespace();
    }
    if blocks.is_empty() {
        return Err(cursor.expected("missing-board", "a board in brackets").malformed());
    }
    if parity == Some(Parity::Even) {
        relabel(&mut blocks);
    }
    Ok(Start::Boards { blocks, size, parity })
}

/// Turns the plain numbers of a game of even parity into labels. A 0 without sign shows that plain numbers
/// are used.
fn relabel(blocks: &mut [Block<'_>]) {
    let plain = |block: &Block<'_>| block.timeline.number == 0 && block.timeline.sign.is_none();
    if !blocks.iter().any(plain) || blocks.iter().any(|block| block.timeline.is_signed_zero()) {
        return;
    }
    for block in blocks {
        let Label { sign, number } = block.timeline;
        block.timeline = match sign {
            Some(Sign::Minus) => Label { sign, number: number.saturating_sub(1) },
            _ => Label { sign: Some(Sign::Plus), number },
        };
    }
}

fn size(cursor: &mut Cursor<'_>) -> Result<BoardSize, ParseError> {
    let start = cursor.at;
    let width = cursor.number();
    let by = cursor.eat("x");
    let height = cursor.number();
    let span = cursor.span_from(start);
    cursor.skip_whitespace();
    let (Some(width), true, Some(height)) = (width, by, height) else {
        return Err(Issue::new("malformed-size", span, "expected a size such as `8x8`").malformed());
    };
    boards::board_size(width.into(), height.into(), span)
}

/// Whether moves follow.
fn moves_begin(cursor: &mut Cursor<'_>, warnings: &mut Vec<Issue>) -> Result<bool, ParseError> {
    let start = cursor.at;
    if cursor.is_at_end() {
        return Ok(false);
    }
    if word(cursor, "moves") {
        return Ok(true);
    }
    if word(cursor, "move") {
        let span = Span::new(start, start + 4);
        warnings.push(Issue::new("misspelt-word", span, "read as `moves`"));
        return Ok(true);
    }
    Err(cursor.expected("missing-moves", "`moves` or the end of the line").malformed())
}

fn read_steps(cursor: &mut Cursor<'_>, steps: &mut Vec<Step>) -> Result<(), ParseError> {
    while !cursor.is_at_end() {
        let start = cursor.at;
        if cursor.rest().starts_with(b"submit") {
            if !word(cursor, "submit") {
                cursor.at += "submit".len();
                return Err(cursor.expected("unexpected-character", "a blank after `submit`").malformed());
            }
            steps.push(Step::Submit { span: Span::new(start, start + "submit".len()) });
            continue;
        }
        steps.push(read_move(cursor)?);
        cursor.skip_whitespace();
    }
    Ok(())
}

fn read_move(cursor: &mut Cursor<'_>) -> Result<Step, ParseError> {
    let start = cursor.at;
    let (timeline, turn) = board(cursor)?;
    let from = Corner { timeline, turn, square: square(cursor)? };
    let (timeline, turn) = if cursor.peek() == Some(b'(') { board(cursor)? } else { (timeline, turn) };
    let to = Corner { timeline, turn, square: square(cursor)? };
    let sign = cursor.eat("=");
    let letter = cursor.peek().filter(|byte| !byte.is_ascii_whitespace());
    let promotion = letter.and_then(|byte| PieceKind::try_from(char::from(byte.to_ascii_uppercase())).ok());
    cursor.at += usize::from(promotion.is_some());
    if sign && promotion.is_none() {
        return Err(cursor.missing_promotion().malformed());
    }
    if cursor.peek().is_some_and(|byte| !byte.is_ascii_whitespace()) {
        return Err(cursor.expected("unexpected-character", "the end of the move").malformed());
    }
    Ok(Step::Move { from, to, promotion, span: cursor.span_from(start) })
}

fn board(cursor: &mut Cursor<'_>) -> Result<(Label, i16), ParseError> {
    if !cursor.eat("(") {
        let issue = cursor.expected("missing-board", "a move such as `(0T1)e2(0T1)e4`, or `submit`");
        return Err(issue.malformed());
    }
    let Some(label) = cursor.label()? else {
        return Err(cursor.expected("missing-timeline", "a timeline number").malformed());
    };
    if !cursor.eat("T") {
        return Err(cursor.expected("missing-turn", "`T` and a turn number").malformed());
    }
    let turn = cursor.turn()?;
    if !cursor.eat(")") {
        return Err(cursor.expected("unclosed-board", "`)` at the end of the board").malformed());
    }
    Ok((label, turn))
}

/// Plays the steps. With `submits`, it submits the moves that are left at the end.
fn play(player: &mut Replay, steps: &[Step], submits: bool) -> Result<(), ParseError> {
    let mut first: Option<Span> = None;
    let mut last = Span::default();
    for step in steps {
        match step {
            Step::Submit { span } => {
                let span = first.take().map_or(*span, |first| first.to(last));
                player.submit(span).map_err(|error| player.in_action(error))?;
            }
            Step::Move { from, to, promotion, span } => {
                let wanted = CoordinateMove {
                    from: place(player, from),
                    to: place(player, to),
                    promotion: *promotion,
                };
                player.push(wanted, *span).map_err(|error| player.in_action(error))?;
                first.get_or_insert(*span);
                last = *span;
            }
        }
    }
    match first {
        Some(first) if submits => {
            player.warn("missing-submit", last, "the last action is not submitted: read as if it were");
            player.submit(first.to(last)).map_err(|error| player.in_action(error))
        }
        _ => Ok(()),
    }
}

fn place(player: &Replay, corner: &Corner) -> Coordinate {
    let half_turn = HalfTurn::new(corner.turn, player.position.to_move());
    let timeline = timeline(corner.timeline, player.position.parity());
    Coordinate { board: BoardCoordinate { timeline, half_turn }, square: corner.square }
}

/// The timeline of a plain number, or of the labels `-0` and `+0`.
fn timeline(label: Label, parity: Parity) -> Timeline {
    let number = label.number as i16;
    match label.sign {
        Some(Sign::Minus) if number == 0 && parity == Parity::Even => Timeline(-1),
        Some(Sign::Minus) => Timeline(-number),
        _ => Timeline(number),
    }
}

fn square(cursor: &mut Cursor<'_>) -> Result<Square, ParseError> {
    let issue = cursor.expected("missing-square", "a square, a1 to h8");
    cursor.square().ok_or_else(|| issue.malformed())
}

/// A move of an engine's answer, as the next move of an action under way.
///
/// ```
/// use worldlines::notation::uci5d;
/// use worldlines::rules::PartialAction;
/// use worldlines::state::Position;
///
/// let action = PartialAction::new(Position::default());
/// assert_eq!(uci5d::parse_move(&action, "(0T1)e2e4"), uci5d::parse_move(&action, "(0T1)e2(0T1)e4"));
/// assert_eq!(uci5d::parse_move(&action, "(0T1)e7e5").unwrap_err().issue.code, "no-such-move");
/// ```
///
/// # Errors
///
/// When the text cannot be read, or the move cannot be made now.
pub fn parse_move(action: &PartialAction, text: &str) -> Result<Move, ParseError> {
    let mut cursor = Cursor::new(text);
    let Step::Move { from, to, promotion, span } = read_move(&mut cursor)? else {
        return Err(cursor.expected("missing-board", "a move").malformed());
    };
    let mut player = Replay::new(action.position().clone());
    let wanted = CoordinateMove { from: place(&player, &from), to: place(&player, &to), promotion };
    player.meant(wanted, span)
}

/// Whether a text with this beginning is a `position` line.
pub(super) fn detect(head: &Head<'_>) -> bool {
    head.text.strip_prefix("position").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()))
}

/// A game as a line, and the losses.
pub fn write(game: &Game) -> Written {
    let mut losses = game.losses_of_headers();
    losses.extend(game.loss_of_rules(game.promotions_shown()));
    losses.extend(game.loss_of_result());
    let start = &game.start;
    let mut text = String::from("position ");
    if variants::by_setup(&start.to_setup()).is_some_and(|variant| variant.name == "Standard - Turn Zero") {
        text.push_str("startpos");
    } else {
        let parity = if start.parity() == Parity::Odd { "odd" } else { "even" };
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "size {} {parity} fen", start.size());
        for block in start.to_string().lines() {
            let _ = write!(text, " {block}");
        }
    }
    if !game.actions.is_empty() {
        text.push_str(" moves");
    }
    for action in &game.actions {
        for m in action.moves() {
            text.push(' ');
            write_move(&mut text, m);
        }
        text.push_str(" submit");
    }
    text.push('\n');
    Written::new(text, losses)
}

/// A move as it is written in a line, with both of its boards.
///
/// ```
/// assert_eq!(worldlines::notation::uci5d::move_text(&"(0T1w)e2e4".parse().unwrap()), "(0T1)e2(0T1)e4");
/// ```
pub fn move_text(m: &Move) -> String {
    let mut text = String::new();
    write_move(&mut text, m);
    text
}

/// Appends one move to a text.
pub(super) fn write_move(text: &mut String, m: &Move) {
    for Coordinate { board, square } in [m.from, m.to] {
        text.push('(');
        push_number(text, board.timeline.0);
        text.push('T');
        push_number(text, board.half_turn.turn());
        text.push(')');
        push_square(text, square);
    }
    text.extend(m.promotion.map(PieceKind::letter));
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_follows_a_word_without_a_blank_is_the_error() {
        let moves = "position startpos moves (0T1)g1(0T1)f3 submit";
        let error = super::parse(&format!("{moves}ted")).error.unwrap();
        assert_eq!((error.issue.code, error.span().range().start), ("unexpected-character", moves.len()));
    }
}
