//! The notation of Hexicube's viewer of games (2020).
//!
//! ```text
//! 1. Nf3 .. Nf6
//! 2. L0f3 N T1f5 .. -; e6
//! 3W. e3
//! 3B. e6; L1 a6
//! ```
//!
//! A turn is a number and White's moves, then `..` and Black's; `3W.` and `3B.` may stand instead. Moves are
//! separated by `;`. A move of one word is played on the lowest timeline without a move so far; `-` stands
//! for a timeline on which the player does not move. With its timeline in front a move may stand anywhere:
//! `L0 Nf3`. A jump names the square of origin, the piece, and the parts of the target that differ from the
//! origin: `L0f3 N T1f5`. The grammar is in `spec/notation-hexicube.md`.
//!
//! The notation has no header, start position or result: a game that starts elsewhere than `Standard` needs
//! its start beside the text ([`Options::start`]). It says nothing about promotion: a pawn becomes a queen,
//! or the only piece that it may become.
//!
//! # Relaxations
//!
//! * any white space between words, a number without blank after it;
//! * with a warning: numbers that do not count up, `;` without a blank after it, a wrong piece, `x` or `#`,
//!   timelines that the action leaves out without `-`.

mod write;

pub use write::write;

use crate::notation::common::describe::piece_at;
use crate::notation::common::replay::{CoordinateMove, Replay, start_or_standard, wrong_letter};
use crate::notation::common::shorthand::{Shorthand, meant};
use crate::notation::common::{Cursor, Head, Issue, Label, Options, ParseError, Parsed, Span};
use crate::types::{
    BoardCoordinate, Color, Coordinate, HalfTurn, Move, MoveKind, PieceKind, Promotions, Timeline,
};

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::hexicube;
///
/// let game = hexicube::parse("1. Nf3 .. Nf6 2. L0f3 N T1f5 .. -; e6").into_result()?;
/// assert_eq!(game.actions.len(), 4);
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub fn parse(text: &str) -> Parsed {
    parse_with(text, &Options::default())
}

/// Like [`parse`], with the start from the options.
pub(super) fn parse_with(text: &str, options: &Options) -> Parsed {
    let player = Replay::new(start_or_standard(options.start.as_ref(), Promotions::QUEEN));
    let mut reader = Reader { cursor: Cursor::new(text), player, side: None };
    let error = reader.text().err();
    reader.player.finish(error)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    player: Replay,
    /// The action in the course of being read; `None` before the first number.
    side: Option<Side>,
}

/// The moves of one player in the course of being read.
struct Side {
    color: Color,
    /// The number or `..` in front of them.
    announced: Span,
    /// The span from the first word to the last one.
    words: Option<Span>,
    /// The timelines without a move or `-` so far, the lowest one last.
    left: Vec<Timeline>,
    /// `#`
    mate: Option<Span>,
}

/// A word: a part of a move, up to a blank or `;`.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    span: Span,
}

impl<'t> Reader<'t> {
    fn text(&mut self) -> Result<(), ParseError> {
        self.cursor.begin()?;
        loop {
            self.cursor.skip_whitespace();
            let start = self.cursor.at;
            match self.cursor.peek() {
                None => return self.close(true),
                Some(b'0'..=b'9') => self.number()?,
                Some(_) if self.cursor.eat("..") => {
                    let span = self.cursor.span_from(start);
                    self.announce(Color::Black, None, span)?;
                }
                Some(_) => self.read_move()?,
            }
        }
    }

    /// `3.`, `3W.` or `3B.`
    fn number(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        let number = self.cursor.number();
        let color = match self.cursor.peek() {
            Some(b'W' | b'B') => self.cursor.color(),
            _ => Some(Color::White),
        };
        if !self.cursor.eat(".") {
            let issue = self.cursor.expected("missing-full-stop", "`.` after the number of the turn");
            return Err(issue.malformed());
        }
        let span = self.cursor.span_from(start);
        self.announce(color.unwrap_or(Color::White), number, span)
    }

    /// Ends the previous action and begins one of this player.
    fn announce(&mut self, color: Color, number: Option<u32>, span: Span) -> Result<(), ParseError> {
        if self.side.is_none() && number.is_none() {
            let issue = Issue::new("missing-number", span, "expected the number of a turn, but found `..`");
            return Err(issue.hint("a turn reads `1. e4 .. e5`").malformed());
        }
        self.close(false)?;
        let player = &mut self.player;
        let to_move = player.position.to_move();
        // Black may begin: White's action is empty then.
        let is_empty = color == Color::White && player.actions.is_empty();
        if color != to_move && !is_empty {
            let message =
                format!("expected the moves of {}, but found those of {}", to_move.name(), color.name());
            let hint = "White's moves stand after the number of the turn, Black's after `..`";
            let error = Issue::new("wrong-player", span, message).hint(hint).illegal();
            return Err(player.in_action(error));
        }
        if let Some(number) = number {
            player.check_number(number, span);
        }
        let mut left: Vec<Timeline> = player.position.playable_boards().map(|at| at.timeline).collect();
        left.reverse();
        self.side = Some(Side { color, announced: span, words: None, left, mate: None });
        Ok(())
    }

    /// Ends the action under way. It may be without moves only if there is nothing to move.
    fn close(&mut self, at_end: bool) -> Result<(), ParseError> {
        let Some(side) = self.side.take() else { return Ok(()) };
        let player = &mut self.player;
        let played = !player.made().is_empty();
        if let (Some(words), true) = (side.words, played || side.mate.is_none()) {
            if let (Some(timeline), true) = (side.left.last(), played) {
                let label = player.position.parity().label(*timeline);
                let message = format!("timeline {label} has neither a move nor `-`: read as if it had `-`");
                player.warn("missing-pass", words, message);
            }
            player.submit(words).map_err(|error| player.in_action(error))?;
        } else if !at_end && side.color == player.position.to_move() {
            let message = format!("expected a move of {}", side.color.name());
            let error = Issue::new("no-move", side.announced, message).illegal();
            return Err(player.in_action(error));
        }
        if let Some(span) = side.mate {
            player.check_checkmate(span);
        }
        Ok(())
    }

    /// A move, and the `;` after it.
    fn read_move(&mut self) -> Result<(), ParseError> {
        let Some(side) = &self.side else {
            let issue = self.cursor.expected("missing-number", "the number of a turn");
            return Err(issue.hint("a turn reads `1. e4 .. e5`").malformed());
        };
        let to_move = self.player.position.to_move();
        if side.color != to_move {
            let message =
                format!("expected the moves of {}, but found one of {}", to_move.name(), side.color.name());
            let error = Issue::new("wrong-player", self.cursor.span_here(), message).illegal();
            return Err(self.player.in_action(error));
        }
        if side.mate.is_some() {
            let issue = self.cursor.expected("move-after-mate", "the end of the action after `#`");
            return Err(self.player.in_action(issue.malformed()));
        }
        let (first, second, third) = (self.word(), self.word(), self.word());
        let Some(first) = first else {
            return Err(self.cursor.expected("missing-move", "a move").malformed());
        };
        let span = third.or(second).map_or(first.span, |last| first.span.to(last.span));
        if let Some(word) = self.word() {
            let message = "expected `;`, because a move has at most three words";
            let issue = Issue::new("too-many-words", word.span, message);
            return Err(issue.hint("a jump reads `L0f3 N T1f5`").malformed());
        }
        if self.cursor.eat(";") && !self.cursor.peek().is_none_or(|byte| byte.is_ascii_whitespace()) {
            self.player.warn("missing-blank", self.cursor.span_here(), "expected a blank after `;`");
        }
        let played = match (second, third) {
            (None, _) => self.on_next(first),
            (Some(second), None) => self.on_timeline(first, second, span),
            (Some(second), Some(third)) => self.jump(first, second, third, span),
        };
        played.map_err(|error| self.player.in_action(error))?;
        if let Some(side) = &mut self.side {
            side.words = Some(side.words.map_or(span, |words| words.to(span)));
        }
        Ok(())
    }

    /// The next word of the move, if there is one.
    fn word(&mut self) -> Option<Word<'t>> {
        self.cursor.skip_whitespace();
        let start = self.cursor.at;
        let is_end = self.cursor.peek().is_none_or(|byte| byte.is_ascii_digit())
            || self.cursor.peek() == Some(b'.') && self.cursor.peek_at(1) == Some(b'.');
        if is_end {
            return None;
        }
        self.cursor.skip_while(|byte| !byte.is_ascii_whitespace() && byte != b';');
        let span = self.cursor.span_from(start);
        (self.cursor.at > start).then(|| Word { text: span.of(self.cursor.text), span })
    }

    /// A move of one word, on the lowest timeline that is left.
    fn on_next(&mut self, word: Word<'_>) -> Result<(), ParseError> {
        let Some(side) = &mut self.side else { return Ok(()) };
        if word.text == "#" {
            side.mate = Some(word.span);
            return Ok(());
        }
        let Some(timeline) = side.left.pop() else {
            let message = "every timeline on which the player can move has had its move or `-`";
            let hint = "a move on another timeline than the next one names it, as `L0 Nf3`";
            return Err(Issue::new("no-board-left", word.span, message).hint(hint).illegal());
        };
        if word.text == "-" {
            return Ok(());
        }
        let at = self.player.source(timeline, word.span)?;
        self.within(at, word, word.span)
    }

    /// `L0 Nf3`
    fn on_timeline(&mut self, front: Word<'_>, word: Word<'_>, span: Span) -> Result<(), ParseError> {
        let mut cursor = self.cursor_at(front);
        let label = timeline(&mut cursor)?;
        at_end(&cursor, front, "the end of the timeline")?;
        let at = self.source(label, front.span)?;
        self.within(at, word, span)
    }

    /// `L0f3 N T1f5`
    fn jump(
        &mut self,
        front: Word<'_>,
        piece: Word<'_>,
        target: Word<'_>,
        span: Span,
    ) -> Result<(), ParseError> {
        let mut cursor = self.cursor_at(front);
        let label = timeline(&mut cursor)?;
        let Some(from) = cursor.square() else {
            return Err(cursor.expected("missing-origin", "the square of origin").malformed());
        };
        at_end(&cursor, front, "the end of the square")?;

        let mut cursor = self.cursor_at(piece);
        let kind = cursor.piece_letter();
        let capture = cursor.eat("x");
        let kind = kind.or_else(|| capture.then_some(PieceKind::Pawn));
        let Some(kind) = kind else {
            return Err(cursor.expected("missing-piece", "the letter of the piece").malformed());
        };
        at_end(&cursor, piece, "the end of the piece")?;

        let mut cursor = self.cursor_at(target);
        let to_label = match cursor.peek() {
            Some(b'L') => Some(timeline(&mut cursor)?),
            _ => None,
        };
        let to_turn = if cursor.eat("T") { Some(cursor.turn()?) } else { None };
        let to = cursor.square().unwrap_or(from);
        at_end(&cursor, target, "the square to which the piece goes")?;

        let source = self.source(label, front.span)?;
        let to_timeline = match to_label {
            Some(label) => label.timeline_at(self.player.position.parity(), target.span)?,
            None => source.timeline,
        };
        let half_turn = to_turn.map_or(source.half_turn, |turn| HalfTurn::new(turn, source.color()));
        let board = BoardCoordinate { timeline: to_timeline, half_turn };
        let from = Coordinate { board: source, square: from };
        let there = piece_at(&self.player.position, from).map(|piece| piece.kind);
        let wanted = CoordinateMove { from, to: Coordinate { board, square: to }, promotion: None };
        self.push(wanted, capture, span)?;
        if let Some(there) = there.filter(|&there| there != kind) {
            self.player.warn("wrong-letter", piece.span, wrong_letter(there, kind));
        }
        Ok(())
    }

    /// A move within a board: `e4`, `exd5`, `exf`, `Nf3`, `Nbc6`, `O-O`.
    fn within(&mut self, at: BoardCoordinate, word: Word<'_>, span: Span) -> Result<(), ParseError> {
        if let "O-O" | "O-O-O" = word.text {
            let files = if word.text == "O-O" { 2 } else { -2 };
            let m = self.player.castling(at.timeline, files, span)?;
            self.player.push_move(m, span)?;
            self.moved(&m);
            return Ok(());
        }
        let mut cursor = self.cursor_at(word);
        let kind = cursor.piece_letter().unwrap_or(PieceKind::Pawn);
        let (file, rank) = (cursor.file(), cursor.rank());
        let capture = cursor.eat("x");
        let to = (cursor.file(), cursor.rank());
        let is_pawn = kind == PieceKind::Pawn;
        let (origin, to_file, to_rank) = match (file, rank, to) {
            (Some(file), Some(rank), (None, None)) if !capture => ((None, None), file, Some(rank)),
            (file, rank, (Some(to), Some(to_rank))) => ((file, rank), to, Some(to_rank)),
            // `exf`: the only pawn on the file that can capture there.
            (Some(file), None, (Some(to), None)) if is_pawn && capture => ((Some(file), None), to, None),
            _ => {
                return Err(cursor.missing_destination().malformed());
            }
        };
        at_end(&cursor, word, "the end of the move")?;
        // Without `x` a pawn stays on its file.
        let file = origin.0.or((is_pawn && !capture).then_some(to_file));
        let text = Shorthand { span, at, kind, file, rank: origin.1, to_file, to_rank, capture };
        let m = meant(&mut self.player, &text, |m| m.kind == MoveKind::Physical)?;
        self.push(CoordinateMove { from: m.from, to: m.to, promotion: None }, capture, span)
    }

    fn push(&mut self, wanted: CoordinateMove, capture: bool, span: Span) -> Result<(), ParseError> {
        let m = self.player.meant(wanted, span)?;
        self.player.check_capture(capture, &m, span);
        // The notation never says what a pawn becomes, so nothing is missing.
        let m = self.player.push(CoordinateMove { promotion: m.promotion, ..wanted }, span)?;
        self.moved(&m);
        Ok(())
    }

    /// Removes the timelines of a move from those that are left.
    fn moved(&mut self, m: &Move) {
        if let Some(side) = &mut self.side {
            let hop = (m.kind == MoveKind::Hop).then_some(m.to.board.timeline);
            side.left.retain(|&timeline| timeline != m.from.board.timeline && Some(timeline) != hop);
        }
    }

    fn source(&self, label: Label, span: Span) -> Result<BoardCoordinate, ParseError> {
        let timeline = label.timeline_at(self.player.position.parity(), span)?;
        self.player.source(timeline, span)
    }

    fn cursor_at(&self, word: Word<'_>) -> Cursor<'t> {
        Cursor { text: self.cursor.text, at: word.span.range().start }
    }
}

/// `L-1`
fn timeline(cursor: &mut Cursor<'_>) -> Result<Label, ParseError> {
    let label = if cursor.eat("L") { cursor.label()? } else { None };
    label.ok_or_else(|| {
        let issue = cursor.expected("missing-timeline", "a timeline, as `L0`");
        issue.hint("moves on several boards are separated by `;`, and Black's begin with `..`").malformed()
    })
}

/// The error if a word continues where it should end.
fn at_end(cursor: &Cursor<'_>, word: Word<'_>, what: &str) -> Result<(), ParseError> {
    if cursor.at == word.span.range().end {
        return Ok(());
    }
    Err(cursor.expected("unexpected-character", what).malformed())
}

/// The number of words that detection reads.
const DETECTED_WORDS: usize = 64;

/// Whether a text with this beginning is in this notation: a number, and `..` as a word of its own.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let digits = head.text.bytes().take_while(u8::is_ascii_digit).count();
    let number = &head.text[digits..];
    let is_numbered = digits > 0 && [".", "W."].iter().any(|end| number.starts_with(end));
    is_numbered && head.text.split_ascii_whitespace().take(DETECTED_WORDS).any(|word| word == "..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::common::samples::{assert_refused, read, without_headers};
    use crate::notation::{fen5d, pgn5d};

    fn moves(text: &str) -> String {
        without_headers(&pgn5d::write(&read(text, parse(text)), pgn5d::Marks::None).into_text())
    }

    #[test]
    fn words_mean_the_timelines_from_below() {
        assert_eq!(moves("1. e4 .. d5 2. exd .. Qxd5"), moves("1W. e4 1B. d5 2W. e4xd5 2B. Qd8xd5"));
        let branch = "1. Nf3 .. Nf6 2. L0f3 N T1f5 .. -; e6 3. e3 .. e6; a6 4. d3; d4";
        assert_eq!(
            moves(branch),
            "1. (0T1)Ng1f3 / (0T1)Ng8f6 2. (0T2)Nf3>>(0T1)f5 / (1T1)e7e6 \
             3. (1T2)e2e3 / (0T2)e7e6 (1T2)a7a6 4. (0T3)d2d3 (1T3)d2d4"
        );
        assert_eq!(moves(branch), moves(&branch.replace("-; e6", "L1 e6; -").replace("e6; a6", "L1 a6; e6")));
    }

    #[test]
    fn what_is_left_out_of_a_target_is_that_of_the_origin() {
        let back = |target: &str| moves(&format!("1. e4 .. Nf6 2. Qh5 .. a6 3. L0h5 {target}"));
        assert_eq!(back("Q T2"), back("Q L0T2h5"));
        assert!(back("Q T2").ends_with("Qh5>>(0T2)h5"));
        let hop =
            |target: &str| moves(&format!("1. Nf3 .. Nf6 2. L0f3 N T1f5 .. -; e6 3. e3 .. L1g8 {target}"));
        assert_eq!(hop("N L0g6"), hop("N L0T2g6"));
        assert!(hop("N L0g6").ends_with("Ng8>(0T2)g6"));
    }

    #[test]
    fn every_mistake_has_its_class_and_place() {
        for (text, class, code, start, end) in [
            ("e4", "malformed", "missing-number", 0, 1),
            (".. e4", "malformed", "missing-number", 0, 2),
            ("1 e4", "malformed", "missing-full-stop", 1, 2),
            ("1. ;", "malformed", "missing-move", 3, 4),
            ("1. e4 e5", "malformed", "missing-timeline", 3, 4),
            ("1. L0e2 P L0e4 x", "malformed", "too-many-words", 15, 16),
            ("1. L0 Nf3+", "malformed", "unexpected-character", 9, 10),
            ("1. L0x P e4", "malformed", "missing-origin", 5, 6),
            ("1. L0e2 - e4", "malformed", "missing-piece", 8, 9),
            ("1. L0e2 P Te4", "malformed", "missing-turn", 11, 12),
            ("1. ex", "malformed", "missing-destination", 5, 5),
            ("1. #; e4", "malformed", "move-after-mate", 6, 7),
            ("1. e4 .. .. e5", "illegal", "no-move", 6, 8),
            ("1. .. e5", "illegal", "no-move", 0, 2),
            ("1. e4 2. d4", "illegal", "wrong-player", 6, 8),
            ("1. e4; d4", "illegal", "no-board-left", 7, 9),
            ("1. -", "illegal", "no-move", 3, 4),
            ("1. Nd2", "illegal", "no-such-move", 3, 6),
            ("1. L1 e4", "illegal", "no-such-timeline", 3, 5),
            ("1. L0e2 P T3e4", "illegal", "no-such-board", 3, 14),
            ("1. O-O", "illegal", "no-such-move", 3, 6),
            ("1. Nf3 .. e5 2. Nc3 .. e4 3. Nb5 .. a6 4. Nd4", "ambiguous", "ambiguous-move", 42, 45),
        ] {
            assert_refused(text, parse(text), (class, code, start, end));
        }
    }

    #[test]
    fn oddities_are_warnings() {
        for (text, code) in [
            ("2. e4", "wrong-number"),
            ("1. e4 2B. e5", "wrong-number"),
            ("1. Nf3 .. Nf6 2. L0f3 N T1f5 .. e6;e6", "missing-blank"),
            ("1. Nxf3", "not-a-capture"),
            ("1. e4; #", "wrong-mark"),
            ("1. e4 .. #", "wrong-mark"),
            ("1. Nf3 .. Nf6 2. L0f3 B T1f5", "wrong-letter"),
            ("1. Nf3 .. Nf6 2. L0f3 N T1f5 .. L1 e6 3. L1 e3", "missing-pass"),
        ] {
            let reading = parse(text);
            let found: Vec<&str> = reading.warnings.iter().map(|warning| warning.code).collect();
            assert_eq!((found, &reading.error), (vec![code], &None), "{text}");
        }
        let start = fen5d::parse("[k4/5/1K3/5/4R:0:1:w]").into_result().unwrap();
        let options = Options { start: Some(start), ..Options::default() };
        for text in ["1. Re5; #", "1. Re5 .. #", "1. Re5"] {
            assert_eq!(parse_with(text, &options).warnings, [], "{text}");
        }
    }
}
