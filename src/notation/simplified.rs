//! Simplified 5D algebraic notation: games as a player would write them down.
//!
//! ```text
//! 6. c3Ne4, c8Bf5
//! 7. g5NxT-1g7, g7BxL+1g7
//! 8. L+1c3Ne4, L+1c8Bf5
//! ```
//!
//! A turn is a number, the parts of White, a comma and the parts of Black. A part names the timeline and the square of
//! origin, then, as ornaments, the piece and `x`, then the timeline and turn to which it goes if they are others, and the
//! square. The timeline of origin is left out on timeline 0, and its turn always is: a piece only moves from the last
//! board. `T-1` means one board of the mover's colour earlier than the board of origin, and without `T` the piece goes to
//! the last board of the timeline. The grammar is in `spec/notation-simplified.md`.
//!
//! The notation has no header, start position or result: a game that starts elsewhere than `Standard` needs its start
//! beside the text ([`Options::start`]).
//!
//! # Relaxations
//!
//! [`write_game`] prints one form of each game: turns on their own lines, blanks between parts, every ornament. These are
//! accepted too:
//!
//! * any white space between turns, even none of them a line end; `;` instead of or beside blanks; a comma after White's
//!   parts at the end of the text, and a number without parts there;
//! * every ornament may be missing: piece, `x`, `+`, `#`; a wrong piece or `x` is a warning, a wrong `+` or `#` only if
//!   [`Options::check_marks`] asks for it;
//! * with a warning: the piece before the square (`Nc6xc4`), a capital for the file (`E3e4`), `P` for pawns, `x` elsewhere
//!   than after the piece, numbers that do not count up;
//! * `L1`, `L0` and `L+0` where there is one timeline 0; `T1`, `T0` and `T-0`;
//! * `T` where the piece goes to the last board of a timeline, and `L` where it stays on its own;
//! * a promotion without `=Q`, which is one to a queen, with a warning where there is a choice;
//! * castling with the letter `O`, and on other timelines as `L+10-0`; the king's move of two squares everywhere.
//!
//! A part without its square of origin, as `Nf3`, is refused: there are no rules for telling pieces apart.

use std::fmt::Write as _;

use super::cursor::{Cursor, Label};
use super::format::{Head, Options};
use super::pgn5d::{castling, check_mark, is_capture};
use super::play::{Player, Wanted, checking_moves, start_or_standard, starts_as_standard};
use super::{Game, Issue, Loss, ReadError, Reading, Span, Unwritable, Written};
use crate::state::Position;
use crate::types::{
    Action, BoardCoordinate, Color, HalfTurn, Move, MoveKind, Parity, PieceKind, Place, Square, Timeline,
};

/// One move as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// All of it.
    pub span: Span,
    /// The timeline in front.
    pub timeline: Option<Label>,
    /// What moves where.
    pub shape: Shape,
    /// The mark at the end.
    pub mark: Option<Mark>,
}

/// What moves where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `0-0`
    CastlingShort,
    /// `0-0-0`
    CastlingLong,
    /// Everything else.
    Piece {
        /// The square of origin.
        from: Square,
        /// The piece.
        kind: Option<PieceKind>,
        /// `x`
        capture: bool,
        /// The timeline to which it goes.
        timeline: Option<Label>,
        /// How many boards of the mover's colour later than the board of origin.
        turns: Option<i16>,
        /// The square to which it goes.
        to: Square,
        /// `=Q`
        promotion: Option<PieceKind>,
    },
}

/// What the author says that a part does to the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// `+`
    Check,
    /// `#`
    Checkmate,
}

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::{format::Options, simplified};
///
/// let reading = simplified::read("1. e2e3, g7g6 2. d1Qd3", &Options::default());
/// assert_eq!(reading.game.unwrap().actions.len(), 2);
/// let error = reading.error.unwrap();
/// assert_eq!(error.issue().hint.as_deref(), Some("a white pawn on (0T2)d2 is in the way"));
/// ```
pub fn read(text: &str, options: &Options) -> Reading {
    let player = Player::new(start_or_standard(options.start.as_ref()));
    let marks = options.check_marks.then(Vec::new);
    let mut reader =
        Reader { cursor: Cursor::new(text), player, side: None, first: None, last: Span::new(0, 0), marks };
    let error = reader.text().err();
    reader.player.finish(error)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    player: Player,
    /// Whose parts are being read; `None` before the first number.
    side: Option<Color>,
    /// The first part of this side.
    first: Option<Span>,
    /// The number, comma or part that was read last.
    last: Span,
    /// The marks of the parts of this side, if they are to be checked.
    marks: Option<Vec<(Option<Mark>, Span)>>,
}

impl Reader<'_> {
    fn text(&mut self) -> Result<(), ReadError> {
        self.cursor.eat("\u{feff}");
        loop {
            self.cursor.skip_while(|byte| byte.is_ascii_whitespace() || byte == b';');
            let start = self.cursor.at;
            match self.cursor.peek() {
                None => return self.end(),
                Some(b',') if self.side == Some(Color::White) => {
                    self.close_side(false)?;
                    self.cursor.at += 1;
                    self.side = Some(Color::Black);
                    self.last = self.cursor.span_from(start);
                }
                Some(b',') => {
                    let issue = self.cursor.expected("unexpected-comma", "a part or the number of a turn");
                    let hint = "one comma stands between the parts of White and those of Black";
                    return Err(issue.hint(hint).malformed());
                }
                Some(b'0'..=b'9') if self.is_number() => self.number()?,
                Some(_) => self.part()?,
            }
        }
    }

    /// Whether digits with a full stop come next, and not castling.
    fn is_number(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.number();
        !matches!(ahead.peek(), Some(b'-'))
    }

    fn number(&mut self) -> Result<(), ReadError> {
        let start = self.cursor.at;
        if self.side.is_some() {
            self.close_side(false)?;
            if self.player.position.to_move() == Color::Black && !self.player.actions.is_empty() {
                let issue = self.cursor.expected("no-move", "a comma and the parts of black");
                return Err(self.player.in_action(issue.illegal()));
            }
        }
        let number = self.cursor.number();
        if !self.cursor.eat(".") {
            let issue = self.cursor.expected("missing-full-stop", "`.` after the number of the turn");
            return Err(issue.malformed());
        }
        let span = self.cursor.span_from(start);
        let (number, expected) = (number.unwrap_or(0), self.player.number());
        if usize::try_from(number) != Ok(expected) {
            let message = format!("the number {number} is out of turn: this is turn {expected}");
            self.player.warn("wrong-number", span, message);
            self.player.take_number(number);
        }
        self.side = Some(Color::White);
        self.last = span;
        Ok(())
    }

    fn part(&mut self) -> Result<(), ReadError> {
        let Some(side) = self.side else {
            let issue = self.cursor.expected("missing-number", "the number of a turn");
            return Err(issue.hint("a turn reads `1. e2e4, e7e5`").malformed());
        };
        let part = parse_part(&mut self.cursor, &mut self.player.warnings)?;
        let to_move = self.player.position.to_move();
        if side != to_move {
            let message = format!("expected parts of {to_move}, but found one of {side}");
            let hint = "the parts of White stand before the comma, those of Black after it";
            let error = Issue::new("wrong-player", part.span, message).hint(hint).illegal();
            return Err(self.player.in_action(error));
        }
        self.play(&part).map_err(|error| self.player.in_action(error))?;
        self.first.get_or_insert(part.span);
        self.last = part.span;
        if let Some(marks) = &mut self.marks {
            marks.push((part.mark, part.span));
        }
        Ok(())
    }

    fn play(&mut self, part: &Part) -> Result<(), ReadError> {
        let position = &self.player.position;
        let (parity, color) = (position.parity(), position.to_move());
        let timeline = match part.timeline {
            Some(label) => timeline(label, parity, part.span)?,
            None if parity == Parity::Even => {
                let message = "expected the timeline in front: this game has no timeline 0";
                return Err(Issue::new("unsigned-zero", part.span, message)
                    .hint("`L+0` or `L-0`")
                    .ambiguous());
            }
            None => Timeline(0),
        };
        let (from, kind, capture, to_timeline, turns, to, promotion) = match part.shape {
            Shape::CastlingShort | Shape::CastlingLong => {
                let files = if part.shape == Shape::CastlingShort { 2 } else { -2 };
                let m = self.player.castling(timeline, files, part.span)?;
                return self.player.push_move(m, part.span).map(drop);
            }
            Shape::Piece { from, kind, capture, timeline, turns, to, promotion } => {
                (from, kind, capture, timeline, turns, to, promotion)
            }
        };
        let source = self.player.source(timeline, part.span)?;
        let to_timeline =
            to_timeline.map_or(Ok(timeline), |label| self::timeline(label, parity, part.span))?;
        let target = match turns {
            // Where it stays on its timeline it stays on its board.
            None if to_timeline == timeline => source,
            None => self.player.source(to_timeline, part.span)?,
            Some(turns) => {
                let turn = i32::from(source.half_turn.turn()) + i32::from(turns);
                let turn = i16::try_from(turn).ok().filter(|turn| (0..i16::MAX / 2).contains(turn));
                let half_turn = turn.map(|turn| HalfTurn::new(turn, color)).ok_or_else(|| {
                    Issue::new("no-such-board", part.span, "there is no board so far away").illegal()
                })?;
                BoardCoordinate { timeline: to_timeline, half_turn }
            }
        };
        let wanted = Wanted {
            from: Place { board: source, square: from },
            to: Place { board: target, square: to },
            promotion,
        };
        let position = &self.player.position;
        let piece = position.board(source).and_then(|board| board.get(from)).map(|piece| piece.kind);
        let captures = |position: &Position, m: &Move| is_capture(position, m);
        let is_capture = position.move_kind(source, target).is_some_and(|kind| {
            captures(position, &Move { kind, from: wanted.from, to: wanted.to, promotion })
        });
        self.player.push(wanted, part.span)?;
        if let (Some(said), Some(is)) = (kind, piece)
            && said != is
        {
            self.player.warn("wrong-letter", part.span, format!("a {is} moves, not a {said}"));
        }
        if capture && !is_capture {
            let message = "`x` marks a capture, which the move is not";
            self.player.warn("not-a-capture", part.span, message);
        }
        Ok(())
    }

    /// Ends the parts of one side. A side without parts is right only where there is nothing to move.
    fn close_side(&mut self, at_end: bool) -> Result<(), ReadError> {
        let Some(first) = self.first.take() else {
            let waits = self.side == Some(self.player.position.to_move());
            if waits && !at_end {
                let message = format!("expected a part of {}", self.player.position.to_move());
                let error = Issue::new("no-move", self.last, message).illegal();
                return Err(self.player.in_action(error));
            }
            return Ok(());
        };
        let creator = self.player.position.to_move();
        let created = self.player.made().iter().filter(|m| m.kind == MoveKind::Branch).count() as i16;
        let next = self.player.position.multiverse().next_timeline(creator);
        let next = Timeline(next.0 - creator.creation_step() * created);
        let moves = self.marks.as_ref().map(|_| self.player.made().to_vec());
        self.player.submit(first.to(self.last)).map_err(|error| self.player.in_action(error))?;
        if let (Some(marks), Some(moves)) = (&mut self.marks, moves) {
            let marks = std::mem::take(marks);
            self.check_marks(&marks, &checking_moves(next, &moves, &self.player.position));
        }
        Ok(())
    }

    /// Compares the marks of an action that was played with what is the case.
    fn check_marks(&mut self, marks: &[(Option<Mark>, Span)], checking: &[bool]) {
        for (index, (&(mark, span), &checks)) in marks.iter().zip(checking).enumerate() {
            let wrong = match mark {
                Some(Mark::Check) if !checks => Some("`+` marks a check, which the move does not give"),
                Some(Mark::Checkmate) if index + 1 != marks.len() => {
                    Some("`#` stands after the last part of an action")
                }
                Some(Mark::Checkmate) if check_mark(&self.player.position) != "#" => {
                    Some("`#` marks a checkmate, which this is not")
                }
                _ => None,
            };
            if let Some(message) = wrong {
                self.player.warn("wrong-mark", span, message);
            }
        }
    }

    fn end(&mut self) -> Result<(), ReadError> {
        self.close_side(true)
    }
}

/// The timeline that a label means.
fn timeline(label: Label, parity: Parity, span: Span) -> Result<Timeline, ReadError> {
    label.timeline(parity).ok_or_else(|| {
        let message = "expected `-0` or `+0`: this game has both";
        Issue::new("unsigned-zero", span, message).ambiguous()
    })
}

/// Reads one part, up to a blank, `;`, a comma or the end.
fn parse_part(cursor: &mut Cursor<'_>, warnings: &mut Vec<Issue>) -> Result<Part, ReadError> {
    let start = cursor.at;
    let length = cursor.rest().iter().position(|&byte| is_end(byte)).unwrap_or(cursor.rest().len());
    let word = &cursor.text[start..start + length];
    let (unmarked, mark) = match word.as_bytes().last() {
        Some(b'+') => (&word[..length - 1], Some(Mark::Check)),
        Some(b'#') => (&word[..length - 1], Some(Mark::Checkmate)),
        _ => (word, None),
    };
    let (timeline, shape) = match castling_part(unmarked)? {
        Some(castling) => {
            cursor.at = start + unmarked.len();
            castling
        }
        None => piece_part(cursor, warnings)?,
    };
    if mark.is_some() && cursor.at == start + unmarked.len() {
        cursor.at += 1;
    }
    if cursor.at != start + length {
        return Err(cursor.expected("unexpected-character", "the end of the part").malformed());
    }
    Ok(Part { span: cursor.span_from(start), timeline, shape, mark })
}

fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b',')
}

/// Castling, with the timeline in front: `L+10-0` can only be read from its end.
fn castling_part(word: &str) -> Result<Option<(Option<Label>, Shape)>, ReadError> {
    const FORMS: [(&str, Shape); 4] = [
        ("0-0-0", Shape::CastlingLong),
        ("O-O-O", Shape::CastlingLong),
        ("0-0", Shape::CastlingShort),
        ("O-O", Shape::CastlingShort),
    ];
    for (form, shape) in FORMS {
        let Some(front) = word.strip_suffix(form) else { continue };
        if front.is_empty() {
            return Ok(Some((None, shape)));
        }
        let Some(label) = front.strip_prefix('L') else { continue };
        let mut cursor = Cursor::new(label);
        if let Ok(Some(label)) = cursor.label()
            && cursor.is_at_end()
        {
            return Ok(Some((Some(label), shape)));
        }
    }
    Ok(None)
}

fn piece_part(
    cursor: &mut Cursor<'_>,
    warnings: &mut Vec<Issue>,
) -> Result<(Option<Label>, Shape), ReadError> {
    let start = cursor.at;
    let timeline = label(cursor)?;
    let mut misplaced = None;
    // A capital with a digit is a square, with another letter a piece.
    let mut kind = match is_square(cursor) {
        true => None,
        false => {
            misplaced = Some("the piece stands after the square of origin");
            piece_letter(cursor)
        }
    };
    let Some(from) = square(cursor, warnings) else {
        let issue = cursor.expected("missing-origin", "the square of origin");
        return Err(issue.hint("a part reads `e2e4` or `g1Nf3`").malformed());
    };
    let is_origin = cursor.peek().is_some_and(|byte| !is_end(byte) && !matches!(byte, b'+' | b'#' | b'='));
    if kind.is_some() && !is_origin {
        let span = cursor.span_from(start);
        let issue = Issue::new("missing-origin", span, "expected the square of origin before the target");
        return Err(issue
            .hint("write it in full, as in `g1Nf3`: nothing tells two pieces apart")
            .malformed());
    }
    if kind.is_some()
        && let Some(message) = misplaced
    {
        warnings.push(Issue::new("misplaced-piece", cursor.span_from(start), message));
    }
    let mut captures = 0;
    let mut early = false;
    while cursor.eat("x") {
        captures += 1;
    }
    if kind.is_none() && !is_square(cursor) {
        let before = cursor.at;
        kind = piece_letter(cursor);
        early = captures > 0 && kind.is_some();
        if kind == Some(PieceKind::Pawn) {
            let message = "a pawn has no letter in this notation";
            warnings.push(Issue::new("needless-letter", cursor.span_from(before), message));
        }
    }
    while cursor.eat("x") {
        captures += 1;
    }
    let to_timeline = label(cursor)?;
    let turns = turns(cursor)?;
    let late = cursor.eat("x");
    if captures > 1 || late && captures > 0 {
        return Err(Issue::new("repeated-capture", cursor.span_from(start), "`x` stands twice").malformed());
    }
    if early || late {
        let message = "`x` stands after the piece and before the target";
        warnings.push(Issue::new("misplaced-capture", cursor.span_from(start), message));
    }
    let Some(to) = square(cursor, warnings) else {
        let issue = cursor.expected("missing-destination", "the square to which the piece goes");
        return Err(issue.malformed());
    };
    let promotion = if cursor.eat("=") {
        let Some(kind) = piece_letter(cursor) else {
            let issue = cursor.expected("missing-promotion", "the letter of a piece after `=`");
            return Err(issue.malformed());
        };
        Some(kind)
    } else {
        None
    };
    let capture = captures > 0 || late;
    Ok((timeline, Shape::Piece { from, kind, capture, timeline: to_timeline, turns, to, promotion }))
}

/// `L+1`
fn label(cursor: &mut Cursor<'_>) -> Result<Option<Label>, ReadError> {
    if !cursor.eat("L") {
        return Ok(None);
    }
    match cursor.label()? {
        Some(label) => Ok(Some(label)),
        None => Err(cursor.expected("missing-timeline", "a timeline number after `L`").malformed()),
    }
}

/// `T-1`
fn turns(cursor: &mut Cursor<'_>) -> Result<Option<i16>, ReadError> {
    if !cursor.eat("T") {
        return Ok(None);
    }
    let back = cursor.eat("-");
    if !back {
        cursor.eat("+");
    }
    let turns = cursor.turn()?;
    Ok(Some(if back { -turns } else { turns }))
}

fn is_square(cursor: &Cursor<'_>) -> bool {
    let file = cursor.peek().map(|byte| byte.to_ascii_lowercase());
    matches!((file, cursor.peek_at(1)), (Some(b'a'..=b'h'), Some(b'1'..=b'8')))
}

fn square(cursor: &mut Cursor<'_>, warnings: &mut Vec<Issue>) -> Option<Square> {
    if !is_square(cursor) {
        return None;
    }
    let (file, rank) = (cursor.peek()?, cursor.peek_at(1)?);
    let start = cursor.at;
    cursor.at += 2;
    if file.is_ascii_uppercase() {
        let message = "a file is a small letter";
        warnings.push(Issue::new("capital-file", cursor.span_from(start), message));
    }
    Square::new(file.to_ascii_lowercase() - b'a', rank - b'1')
}

fn piece_letter(cursor: &mut Cursor<'_>) -> Option<PieceKind> {
    let kind = PieceKind::from_letter(cursor.peek()?.into())?;
    cursor.at += 1;
    Some(kind)
}

/// Whether a text with this beginning is in this notation: a number, and a comma before anything of another notation; or
/// a piece after its square.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let digits = head.moves.bytes().take_while(u8::is_ascii_digit).count();
    let bytes = head.moves.as_bytes();
    if !head.headers.is_empty() || head.has_boards || digits == 0 || bytes.get(digits) != Some(&b'.') {
        return false;
    }
    let rest = &bytes[digits + 1..];
    let decisive =
        rest.iter().copied().find(|byte| matches!(byte, b',' | b'/' | b'(' | b'{' | b'[' | b'<' | b'>'));
    let word = rest.trim_ascii_start();
    let lettered =
        matches!(word, [b'a'..=b'h', b'1'..=b'8', b'A'..=b'Z', ..] | [b'L', b'+' | b'-' | b'0'..=b'9', ..]);
    decisive == Some(b',') || lettered && decisive.is_none()
}

/// How parts are separated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Separator {
    /// A blank, and one after each number and comma.
    #[default]
    Blank,
    /// `;`, and no blank within a turn.
    Semicolon,
}

/// A game in canonical form, and what is lost by it.
///
/// # Errors
///
/// Never.
pub fn write_game(game: &Game) -> Result<Written, Unwritable> {
    Ok(Written::new(write(game, Separator::Blank), losses(game)))
}

fn losses(game: &Game) -> Vec<Loss> {
    let mut losses = game.losses_of_headers();
    if !starts_as_standard(game) {
        let what = "the start position, which is not that of `Standard`: reading needs it beside the text";
        losses.push(Loss::new(what));
    }
    losses.extend(game.loss_of_result());
    losses
}

/// The actions of a game, with every ornament.
pub fn write(game: &Game, separator: Separator) -> String {
    let (between, after) = match separator {
        Separator::Blank => (" ", " "),
        Separator::Semicolon => (";", ""),
    };
    let mut text = String::new();
    let mut position = game.start.clone();
    let mut number = 1;
    for (index, action) in game.actions.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = match position.to_move() {
            Color::White => write!(text, "{number}.{after}"),
            Color::Black if index == 0 => write!(text, "{number}.{after},{after}"),
            Color::Black => write!(text, ",{after}"),
        };
        text.push_str(&action_text(&mut position, action, between));
        if position.to_move() == Color::White {
            number += 1;
            text.push('\n');
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The parts of an action, which is played.
fn action_text(position: &mut Position, action: &Action, between: &str) -> String {
    let next = position.multiverse().next_timeline(position.to_move());
    let parts: Vec<String> = action.moves().iter().map(|m| part_text(position, m)).collect();
    position.play_unchecked(action);
    let mut checking = checking_moves(next, action.moves(), position);
    let mate = check_mark(position) == "#";
    if mate && let Some(last) = checking.last_mut() {
        *last = false;
    }
    let mut text = String::new();
    for (index, (part, checks)) in parts.iter().zip(checking).enumerate() {
        text.push_str(if index == 0 { "" } else { between });
        text.push_str(part);
        text.push_str(if checks { "+" } else { "" });
    }
    text.push_str(if mate { "#" } else { "" });
    text
}

/// A move without its mark. Every board that an action leaves or enters exists before it begins.
fn part_text(position: &Position, m: &Move) -> String {
    let mut text = String::new();
    let (from, to) = (m.from.board, m.to.board);
    let is_home = position.parity() == Parity::Odd && from.timeline == Timeline(0);
    match castling(position, m).filter(|_| is_home) {
        Some("O-O") => return "0-0".into(),
        Some(_) => return "0-0-0".into(),
        None => {}
    }
    if !is_home {
        push_label(&mut text, position.parity(), from.timeline);
    }
    // Writing to a string cannot fail, here and below.
    let _ = write!(text, "{}", m.from.square);
    let piece = position.board(from).and_then(|board| board.get(m.from.square));
    if let Some(kind) = piece.map(|piece| piece.kind).filter(|&kind| kind != PieceKind::Pawn) {
        text.push(kind.letter());
    }
    if is_capture(position, m) {
        text.push('x');
    }
    if to.timeline != from.timeline {
        push_label(&mut text, position.parity(), to.timeline);
    }
    if m.kind == MoveKind::Branch {
        let turns = i32::from(to.half_turn.turn()) - i32::from(from.half_turn.turn());
        let _ = write!(text, "T{turns:+}");
    }
    let _ = write!(text, "{}", m.to.square);
    if let Some(kind) = m.promotion {
        text.push('=');
        text.push(kind.letter());
    }
    text
}

/// `L0`, `L+1`, `L-0`
fn push_label(text: &mut String, parity: Parity, timeline: Timeline) {
    text.push('L');
    if parity == Parity::Odd && timeline.0 > 0 {
        text.push('+');
    }
    let _ = write!(text, "{}", parity.label(timeline));
}
