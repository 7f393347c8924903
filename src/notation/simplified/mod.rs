//! Simplified 5D algebraic notation: games as a player writes them down.
//!
//! ```text
//! 6. c3Ne4, c8Bf5
//! 7. g5NxT-1g7, g7BxL+1g7
//! 8. L+1c3Ne4, L+1c8Bf5
//! ```
//!
//! A turn is a number, the parts of White, a comma and the parts of Black. A part gives the timeline and the
//! square of origin, then, as ornaments, the piece and `x`, then the timeline and turn of the target board if
//! they differ, and the target square. The timeline of origin is left out on timeline 0, and its turn always
//! is: a piece only moves from the last board. `T-1` means one board of the mover's colour earlier than the
//! board of origin, and without `T` the piece goes to the last board of the timeline. The grammar is in
//! `spec/notation-simplified.md`.
//!
//! The notation has no header, start position or result: a game that starts elsewhere than `Standard` needs
//! its start beside the text ([`Options::start`]).
//!
//! # Relaxations
//!
//! [`write()`] prints one form of each game: turns on their own lines, blanks between parts, every ornament.
//! These are accepted too:
//!
//! * any white space between turns, also without line ends; `;` instead of or beside blanks; a comma after
//!   White's parts at the end of the text, and a number without parts there;
//! * every ornament may be missing: piece, `x`, `+`, `#`; a wrong piece, `x` or `#` gives a warning, a wrong
//!   `+` only if [`Options::check_marks`] asks for it;
//! * with a warning: the piece before the square (`Nc6xc4`), a capital for the file (`E3e4`), `P` for pawns,
//!   `x` in another place than after the piece, numbers that do not count up;
//! * `L1`, `L0` and `L+0` where there is one timeline 0; `T1`, `T0` and `T-0`;
//! * `T` where the piece goes to the last board of a timeline, and `L` where it stays on its own;
//! * a promotion without `=Q`, which is one to a queen, with a warning where there is a choice;
//! * castling with the letter `O`, and on other timelines as `L+10-0`; the king's move of two squares
//!   everywhere.
//!
//! A part without its square of origin, as `Nf3`, is refused: the notation has no rules for telling pieces
//! apart.

mod syntax;
mod write;

use crate::notation::common::replay::{CoordinateMove, Replay, checking_moves, start_or_standard};
use crate::notation::common::{CheckMark, MoveText, Place, Shape, Target};
use crate::notation::common::{Cursor, Label};
use crate::notation::common::{Head, Options};
use crate::notation::common::{Issue, ParseError, Parsed, Span};
use crate::types::{BoardCoordinate, Color, Coordinate, HalfTurn, MoveKind, PieceKind, Promotions, Timeline};
use syntax::parse_part;

pub(super) use write::write_part;
pub use write::{Separator, write};

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::simplified;
///
/// let reading = simplified::parse("1. e2e3, g7g6 2. d1Qd3");
/// assert_eq!(reading.value.unwrap().actions.len(), 2);
/// let error = reading.error.unwrap();
/// assert_eq!(error.issue.hint.as_deref(), Some("a white pawn on (0T2)d2 is in the way"));
/// ```
pub fn parse(text: &str) -> Parsed {
    parse_with(text, &Options::default())
}

/// Like [`parse`], with the start from the options, and with a comparison of `+` if they ask for it.
pub(super) fn parse_with(text: &str, options: &Options) -> Parsed {
    let player = Replay::new(start_or_standard(options.start.as_ref(), promotions_in(text)));
    let mut reader = Reader {
        cursor: Cursor::new(text),
        player,
        side: None,
        first: None,
        last: Span::new(0, 0),
        marks: Vec::new(),
        check_marks: options.check_marks,
    };
    let error = reader.text().err();
    reader.player.finish(error)
}

/// The promotions in the text: to a queen, and the letters after `=`, which has no other use.
fn promotions_in(text: &str) -> Promotions {
    let letters = text.split('=').skip(1).filter_map(|rest| rest.chars().next());
    let kinds = letters.filter_map(|letter| PieceKind::try_from(letter).ok());
    kinds.fold(Promotions::QUEEN, |set, kind| set.with(kind).unwrap_or(set))
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    player: Replay,
    /// The player whose parts are being read; `None` before the first number.
    side: Option<Color>,
    /// The first part of this side.
    first: Option<Span>,
    /// The number, comma or part that was read last.
    last: Span,
    /// The marks of the parts of this side.
    marks: Vec<(Option<CheckMark>, Span)>,
    /// Whether to compare `+` with the position. `#` is rare and always compared.
    check_marks: bool,
}

impl Reader<'_> {
    fn text(&mut self) -> Result<(), ParseError> {
        self.cursor.begin()?;
        loop {
            self.cursor.skip_while(|byte| byte.is_ascii_whitespace() || byte == b';');
            let start = self.cursor.at;
            match self.cursor.peek() {
                None => return self.close_side(true),
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

    fn number(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        if self.side.is_some() {
            self.close_side(false)?;
            if self.player.position.to_move() == Color::Black && !self.player.actions.is_empty() {
                let issue = self.cursor.expected("no-move", "a comma and the parts of Black");
                return Err(self.player.in_action(issue.illegal()));
            }
        }
        let number = self.cursor.number();
        if !self.cursor.eat(".") {
            let issue = self.cursor.expected("missing-full-stop", "`.` after the number of the turn");
            return Err(issue.malformed());
        }
        let span = self.cursor.span_from(start);
        self.player.check_number(number.unwrap_or(0), span);
        self.side = Some(Color::White);
        self.last = span;
        Ok(())
    }

    fn part(&mut self) -> Result<(), ParseError> {
        let Some(side) = self.side else {
            let issue = self.cursor.expected("missing-number", "the number of a turn");
            return Err(issue.hint("a turn reads `1. e2e4, e7e5`").malformed());
        };
        let part = parse_part(&mut self.cursor, &mut self.player.warnings)?;
        let to_move = self.player.position.to_move();
        if side != to_move {
            let message = format!("expected parts of {}, but found one of {}", to_move.name(), side.name());
            let hint = "the parts of White stand before the comma, those of Black after it";
            let error = Issue::new("wrong-player", part.span, message).hint(hint).illegal();
            return Err(self.player.in_action(error));
        }
        self.play(&part).map_err(|error| self.player.in_action(error))?;
        self.first.get_or_insert(part.span);
        self.last = part.span;
        self.marks.push((part.check, part.span));
        Ok(())
    }

    fn play(&mut self, part: &MoveText) -> Result<(), ParseError> {
        let position = &self.player.position;
        let (parity, color) = (position.parity(), position.to_move());
        let timeline =
            Label::timeline_or_zero(part.from.and_then(|board| board.timeline), parity, part.span)?;
        let Shape::Piece { target, to, .. } = part.shape else {
            let files = part.shape.castling().unwrap_or_default();
            let m = self.player.castling(timeline, files, part.span)?;
            return self.player.push_move(m, part.span).map(drop);
        };
        let from = part.origin().expect("a part has its square of origin");
        let source = self.player.source(timeline, part.span)?;
        let to_timeline = match target {
            Some(Target { timeline: Some(Place::At(label)), .. }) => label.timeline_at(parity, part.span)?,
            _ => timeline,
        };
        let target = match target.and_then(|target| target.turn) {
            // A piece that stays on its timeline stays on its board.
            None if to_timeline == timeline => source,
            None => self.player.source(to_timeline, part.span)?,
            Some(Place::At(turns) | Place::Away(turns)) => {
                let turn = i32::from(source.half_turn.turn()) + i32::from(turns);
                let turn = i16::try_from(turn).ok().filter(|turn| (0..i16::MAX / 2).contains(turn));
                let half_turn = turn.map(|turn| HalfTurn::new(turn, color)).ok_or_else(|| {
                    Issue::new("no-such-board", part.span, "there is no board so many turns away").illegal()
                })?;
                BoardCoordinate { timeline: to_timeline, half_turn }
            }
        };
        let wanted = CoordinateMove {
            from: Coordinate { board: source, square: from },
            to: Coordinate { board: target, square: to },
            promotion: part.promotion,
        };
        let m = self.player.meant(wanted, part.span)?;
        self.player.check_remarks(part, &m);
        self.player.push(wanted, part.span)?;
        Ok(())
    }

    /// Submits the parts of one player. An error if there are none and more text follows.
    fn close_side(&mut self, at_end: bool) -> Result<(), ParseError> {
        let Some(first) = self.first.take() else {
            let waits = self.side == Some(self.player.position.to_move());
            if waits && !at_end {
                let message = format!("expected a part of {}", self.player.position.to_move().name());
                let error = Issue::new("no-move", self.last, message).illegal();
                return Err(self.player.in_action(error));
            }
            return Ok(());
        };
        let marks = std::mem::take(&mut self.marks);
        let checked = |&(mark, _): &(Option<CheckMark>, Span)| match mark {
            Some(CheckMark::Check) => self.check_marks,
            Some(CheckMark::Checkmate) => true,
            _ => false,
        };
        let moves = marks.iter().any(checked).then(|| self.player.made().to_vec());
        let creator = self.player.position.to_move();
        let created = self.player.made().iter().filter(|m| m.kind == MoveKind::Branch).count() as i16;
        let next = self.player.position.multiverse().next_timeline(creator);
        let next = Timeline(next.0 - creator.branch_direction() * created);
        self.player.submit(first.to(self.last)).map_err(|error| self.player.in_action(error))?;
        if let Some(moves) = moves {
            self.compare_marks(&marks, &checking_moves(next, &moves, &self.player.position));
        }
        Ok(())
    }

    /// Warns about marks of a played action that are wrong.
    fn compare_marks(&mut self, marks: &[(Option<CheckMark>, Span)], checking: &[bool]) {
        for (index, (&(mark, span), &checks)) in marks.iter().zip(checking).enumerate() {
            match mark {
                Some(CheckMark::Check) if self.check_marks && !checks => {
                    let message = "`+` marks a check, but the move gives none";
                    self.player.warn("wrong-mark", span, message);
                }
                Some(CheckMark::Checkmate) if index + 1 != marks.len() => {
                    let message = "`#` stands after the last part of an action";
                    self.player.warn("wrong-mark", span, message);
                }
                Some(CheckMark::Checkmate) => self.player.check_checkmate(span),
                _ => {}
            }
        }
    }
}

/// Whether a text with this beginning is in this notation: a number, and a comma before any part of another
/// notation; or a piece after its square.
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
