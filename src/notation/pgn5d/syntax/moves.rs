//! Parses one move, with its boards and marks.

use super::{Parenthesis, Parser};
use crate::notation::common::move_text::NO_PASS;
use crate::notation::common::notes::glyph_of;
use crate::notation::common::{BoardText, CheckMark, MoveText, Place, Shape, Target};
use crate::notation::common::{Issue, Label, ParseError, Sign};
use crate::types::{PieceKind, Square};

/// Hint for a capital that is no piece.
const LETTERS: &str = "the letters are K, Q, R, B, N and P, W for brawn, S princess, U unicorn, D dragon, C common king, Y royal queen";

impl Parser<'_> {
    pub(super) fn move_text(&mut self) -> Result<MoveText, ParseError> {
        let start = self.cursor.at;
        let from = match self.cursor.peek() {
            Some(b'(') => Some(self.board()?),
            _ => None,
        };
        self.cursor.skip_blanks();
        let shape = match self.cursor.castling() {
            Some(castling) => castling,
            None => self.piece_move()?,
        };
        let mut read = MoveText::new(self.cursor.span_from(start), from, shape);
        self.marks(&mut read)?;
        read.span = self.cursor.span_from(start);
        Ok(read)
    }

    fn piece_move(&mut self) -> Result<Shape, ParseError> {
        let start = self.cursor.at;
        if self.cursor.eat("0000") {
            return Err(Issue::new("null-move", self.cursor.span_from(start), NO_PASS).malformed());
        }
        let kind = self.piece_letter()?;
        let (mut file, mut rank) = (self.cursor.file(), self.cursor.rank());
        let mut capture = self.cursor.eat("x");
        let jump = self.cursor.jump();
        capture = capture || self.cursor.eat("x");
        let target = self.target()?;
        capture = capture || self.cursor.eat("x");

        let to = match self.cursor.square() {
            Some(to) => to,
            // The square read as origin is the target, as in `Nf3`.
            None if !capture && jump.is_none() && target.is_none() => {
                let to = file.zip(rank).and_then(|(file, rank)| Square::new(file, rank));
                (file, rank) = (None, None);
                to.ok_or_else(|| self.missing_square(start))?
            }
            None => return Err(self.missing_square(start)),
        };
        Ok(Shape::Piece { kind, file, rank, jump, target, capture, to })
    }

    fn missing_square(&self, start: usize) -> ParseError {
        if self.cursor.at == start {
            let issue = self.cursor.expected("unexpected-character", "a move");
            let goes_on =
                |at| self.cursor.peek_at(at).is_some_and(|byte| b"abcdefgh12345678x>".contains(&byte));
            let letter = self.cursor.peek().map(|byte| char::from(byte.to_ascii_uppercase()));
            return match letter
                .filter(|&letter| PieceKind::try_from(letter).is_ok() && goes_on(1) && goes_on(2))
            {
                Some(letter) => {
                    issue.hint(format!("the letter of a piece is a capital: `{letter}`")).malformed()
                }
                None => issue.malformed(),
            };
        }
        self.cursor.missing_destination().malformed()
    }

    /// A letter, or one of the two-letter names that some programs write.
    fn piece_letter(&mut self) -> Result<Option<PieceKind>, ParseError> {
        let Some(letter @ b'A'..=b'Z') = self.cursor.peek() else { return Ok(None) };
        let pair = match (letter, self.cursor.peek_at(1)) {
            (b'B', Some(b'R')) => Some(PieceKind::Brawn),
            (b'P', Some(b'R')) => Some(PieceKind::Princess),
            (b'R', Some(b'Q')) => Some(PieceKind::RoyalQueen),
            _ => None,
        };
        let Some(kind) = pair.or_else(|| PieceKind::try_from(char::from(letter)).ok()) else {
            let issue = self.cursor.expected("unknown-piece", "the letter of a piece");
            return Err(issue.hint(LETTERS).malformed());
        };
        self.cursor.at += if pair.is_some() { 2 } else { 1 };
        Ok(Some(kind))
    }

    fn target(&mut self) -> Result<Option<Target>, ParseError> {
        match self.cursor.peek() {
            Some(b'(') if matches!(self.parenthesis(), Parenthesis::Board) => Ok(Some(self.board()?.into())),
            Some(b'$') => self.relative_board().map(Some),
            _ => Ok(None),
        }
    }

    /// The marks after the squares, in any order.
    fn marks(&mut self, read: &mut MoveText) -> Result<(), ParseError> {
        loop {
            match self.cursor.peek() {
                Some(b'=') => {
                    self.cursor.at += 1;
                    read.promotion = self.piece_letter()?;
                    if read.promotion.is_none() {
                        return Err(self.cursor.missing_promotion().malformed());
                    }
                }
                Some(b'e') if self.cursor.eat("e.p.") || self.cursor.eat("ep") => read.en_passant = true,
                Some(b'(') if matches!(self.parenthesis(), Parenthesis::Annotation) => {
                    self.annotation(read)?;
                }
                Some(b'!' | b'?') => read.glyph = self.judgement().or(read.glyph),
                Some(mark @ (b'+' | b'*' | b'#' | b'~')) => {
                    self.cursor.at += 1;
                    match mark {
                        b'+' => read.check = Some(CheckMark::Check),
                        b'*' => read.check = Some(CheckMark::Softmate),
                        b'#' => read.check = Some(CheckMark::Checkmate),
                        _ => read.rewinds = true,
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// `!`, `?` or a pair of them, by its number. Further ones, as in `!!!`, mean no more.
    fn judgement(&mut self) -> Option<u8> {
        let start = self.cursor.at;
        self.cursor.skip_while(|byte| matches!(byte, b'!' | b'?'));
        let run = self.cursor.span_from(start).of(self.cursor.text);
        run.get(..2).and_then(glyph_of).or_else(|| glyph_of(run.get(..1)?))
    }

    pub(super) fn parenthesis(&self) -> Parenthesis {
        let mut ahead = self.cursor.clone();
        ahead.at += 1;
        ahead.skip_whitespace();
        match ahead.peek() {
            Some(b'>' | b'~') => Parenthesis::Annotation,
            Some(b'+') if ahead.peek_at(1) == Some(b'L') => Parenthesis::Annotation,
            Some(b'/' | b'{' | b';' | b'(' | b'$') => Parenthesis::Variation,
            Some(b'0'..=b'9' | b'w' | b'b') => {
                ahead.number();
                ahead.color();
                if ahead.peek() == Some(b'.') { Parenthesis::Variation } else { Parenthesis::Board }
            }
            _ => Parenthesis::Board,
        }
    }

    /// `(0T1)`, `(L0 T1)`, `(L1)`, `(T3b)`.
    pub(super) fn board(&mut self) -> Result<BoardText, ParseError> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        self.cursor.skip_blanks();
        self.cursor.eat("L");
        let timeline = self.cursor.label()?;
        self.cursor.skip_blanks();
        let turn = if self.cursor.eat("T") { Some(self.cursor.turn()?) } else { None };
        let color = if turn.is_some() { self.cursor.color() } else { None };
        self.cursor.skip_blanks();
        let named = timeline.is_some() || turn.is_some();
        if !named || !self.cursor.eat(")") {
            let what = if named { "`)` after the board" } else { "a board such as `(0T1)`" };
            return Err(self.cursor.expected("malformed-board", what).malformed());
        }
        Ok(BoardText { span: self.cursor.span_from(start), timeline, turn, color })
    }

    /// `$(L+1T-2)`, `$(+1T=)`.
    fn relative_board(&mut self) -> Result<Target, ParseError> {
        let start = self.cursor.at;
        if !self.cursor.eat("$(") {
            let issue = self.cursor.expected("unexpected-character", "a move");
            return Err(issue
                .hint("`$` stands before a number, as in `$1`, or before a board, as in `$(L+1T-2)`")
                .malformed());
        }
        self.cursor.eat("L");
        let timelines = self.difference()?;
        let turns = if self.cursor.eat("T") { self.difference()? } else { None };
        if (timelines.is_none() && turns.is_none()) || !self.cursor.eat(")") {
            let issue = self.cursor.expected("malformed-board", "a difference such as `$(L+1T-2)`");
            return Err(issue.malformed());
        }
        let (timeline, turn) = (timelines.map(Place::Away), turns.map(Place::Away));
        Ok(Target { span: self.cursor.span_from(start), timeline, turn, color: None })
    }

    fn difference(&mut self) -> Result<Option<i16>, ParseError> {
        if self.cursor.eat("=") {
            return Ok(Some(0));
        }
        Ok(self.cursor.label()?.map(|Label { sign, number }| {
            let number = number as i16; // labels are small
            if sign == Some(Sign::Minus) { -number } else { number }
        }))
    }

    /// `(>L1)`, `(~T3)`, and the older `(+L1)`.
    pub(super) fn annotation(&mut self, read: &mut MoveText) -> Result<(), ParseError> {
        self.cursor.at += 1;
        self.cursor.skip_whitespace();
        let rewinds = self.cursor.peek() == Some(b'~');
        self.cursor.at += 1;
        if rewinds && self.cursor.eat("T") {
            read.present = Some(self.cursor.turn()?);
        } else {
            self.cursor.eat("L");
            let label = self.cursor.label()?;
            if label.is_none() {
                let issue =
                    self.cursor.expected("malformed-annotation", "a timeline or a turn, as in `(>L1)`");
                return Err(issue.malformed());
            }
            // `(~L1)` names the timeline that became active again, which follows from the move.
            if !rewinds {
                read.creates = label;
            }
        }
        self.cursor.skip_blanks();
        if !self.cursor.eat(")") {
            return Err(self
                .cursor
                .expected("malformed-annotation", "`)` at the end of the annotation")
                .malformed());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use crate::notation::common::Jump;
    use crate::types::Color;

    /// The only move of a text.
    fn only(text: &str) -> MoveText {
        let (record, error) = parse(text);
        assert_eq!(error, None, "{text}");
        assert_eq!(record.line.moves.len(), 1, "{text}");
        record.line.moves[0].clone()
    }

    #[test]
    fn squares_before_the_last_one_are_the_origin() {
        for (text, origin) in [
            ("Nf3", (None, None)),
            ("Ngf3", (Some(6), None)),
            ("N1f3", (None, Some(0))),
            ("Ng1f3", (Some(6), Some(0))),
            ("gxf3", (Some(6), None)),
            ("xf3", (None, None)),
            ("Ng1xf3", (Some(6), Some(0))),
            ("N>>f3", (None, None)),
            ("g>>f3", (Some(6), None)),
            ("Ng1x>>(0T1)f3", (Some(6), Some(0))),
            ("Ng1>>x(0T1)f3", (Some(6), Some(0))),
            ("Ng1>(0T1)xf3", (Some(6), Some(0))),
            ("Pg1(0T1)f3", (Some(6), Some(0))),
        ] {
            let Shape::Piece { file, rank, to, capture, .. } = only(text).shape else { panic!("{text}") };
            assert_eq!(((file, rank), to.to_string()), (origin, "f3".to_string()), "{text}");
            assert_eq!(capture, text.contains('x'), "{text}");
        }
    }

    #[test]
    fn boards_are_written_in_many_ways() {
        let label = |sign, number| Some(Label { sign, number });
        for (text, timeline, turn, color) in [
            ("(0T1)e4", label(None, 0), Some(1), None),
            ("(L0 T1)e4", label(None, 0), Some(1), None),
            ("( L-0T1b ) e4", label(Some(Sign::Minus), 0), Some(1), Some(Color::Black)),
            ("(+12T34w)e4", label(Some(Sign::Plus), 12), Some(34), Some(Color::White)),
            ("(L1)e4", label(None, 1), None, None),
            ("(T5)e4", None, Some(5), None),
        ] {
            let from = only(text).from.unwrap();
            assert_eq!((from.timeline, from.turn, from.color), (timeline, turn, color), "{text}");
        }
        let Shape::Piece { target, jump, .. } = only("(0T3)Q>>$(L+1T-2)f7").shape else { panic!() };
        let away = target.map(|target| (target.timeline, target.turn));
        assert_eq!(away, Some((Some(Place::Away(1)), Some(Place::Away(-2)))));
        assert_eq!(jump, Some(Jump::Branch));
    }

    #[test]
    fn marks_come_in_any_order() {
        let read = only("(0T5)Qb3>>x(0T1)f7=Q+~!? (~T1) (>L-2)");
        assert_eq!(read.promotion, Some(PieceKind::Queen));
        assert_eq!((read.check, read.rewinds), (Some(CheckMark::Check), true));
        assert_eq!(read.creates, Some(Label { sign: Some(Sign::Minus), number: 2 }));
        assert_eq!(read.present, Some(1));
        assert_eq!(only("Nb1>>(0T5)b3~(+L1)").creates, Some(Label { sign: None, number: 1 }));
        assert_eq!(only("Qh5*").check, Some(CheckMark::Softmate));
        assert!(only("exd6 e.p.").en_passant && only("exd6e.p.+").en_passant);
        assert_eq!(only("0-0-0#").shape, Shape::CastlingLeft);
        assert_eq!(only("(1T4)O-O").shape, Shape::CastlingRight);
    }
}
