//! Parses PGN text into a [`Record`], byte by byte.

use super::{MAX_NESTING, Record, Remark};
use crate::notation::common::move_text::NO_PASS;
use crate::notation::common::{CheckMark, MoveText, Number, Shape};
use crate::notation::common::{Cursor, GameResult, Header, Issue, MAX_ACTIONS, ParseError, Span};
use crate::types::{Color, PieceKind, Square};

/// Reads `text` up to the first error.
pub(super) fn parse(text: &str) -> (Record<'_>, Option<ParseError>) {
    let record = Record { text, headers: Vec::new(), moves: Vec::new(), remarks: Vec::new(), result: None };
    let mut parser = Parser { cursor: Cursor::new(text), record, number: None };
    let error = parser.text().err();
    (parser.record, error)
}

/// Whether a text begins with a number and two moves in standard algebraic notation. A single move could be
/// 5DPGN too.
pub(super) fn begins_with_moves(text: &str) -> bool {
    let mut words =
        text.split_ascii_whitespace().map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()));
    let first = words.next().unwrap_or_default();
    let Some(word) = first.strip_prefix('.').map(|rest| rest.trim_start_matches('.')) else { return false };
    let moved = if word.is_empty() { words.next().unwrap_or_default() } else { word };
    let is_move = |word: &str| {
        let mut cursor = Cursor::new(word.trim_end_matches(['!', '?']));
        // A pawn move with its square of origin is simplified notation.
        let origin = |text: &MoveText| {
            matches!(text.shape, Shape::Piece { kind: None | Some(PieceKind::Pawn), rank: Some(_), .. })
        };
        move_text(&mut cursor).is_ok_and(|text| !origin(&text)) && cursor.is_at_end()
    };
    // `1. e4 / e5` is 5DPGN and `1. e2e4, e7e5` simplified notation.
    is_move(moved) && words.next().is_some_and(is_move)
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    record: Record<'t>,
    /// The last number, until its move is read.
    number: Option<Number>,
}

impl Parser<'_> {
    fn text(&mut self) -> Result<(), ParseError> {
        self.cursor.begin()?;
        loop {
            self.cursor.skip_whitespace();
            let Some(byte) = self.cursor.peek() else { return Ok(()) };
            match byte {
                b'{' => self.comment()?,
                b';' => self.rest_of_line(Remark::Comment),
                b'%' if self.cursor.line_before().is_empty() => self.rest_of_line(Remark::Escape),
                _ if self.record.result.is_some() => {
                    let issue = self.cursor.expected("second-game", "the end of the game");
                    return Err(issue
                        .hint("where a text holds several games, each begins with headers")
                        .malformed());
                }
                b'[' => self.header()?,
                b'$' => self.annotation()?,
                b'(' => self.variation()?,
                b'*' => self.result(GameResult::Open, 1)?,
                b'0'..=b'9' => self.number_or_result()?,
                b'!' | b'?' => self.glyph()?,
                _ => self.read_move()?,
            }
        }
    }

    fn header(&mut self) -> Result<(), ParseError> {
        if !self.record.moves.is_empty() || self.number.is_some() {
            let issue = self.cursor.expected("second-game", "a move or the result");
            return Err(issue.hint("headers stand before the moves, each on a line of its own").malformed());
        }
        self.record.headers.push(Header::read(&mut self.cursor)?);
        Ok(())
    }

    fn remark(&mut self, remark: Remark, start: usize) {
        self.record.remarks.push((remark, self.cursor.span_from(start)));
    }

    fn rest_of_line(&mut self, remark: Remark) {
        let start = self.cursor.at;
        self.cursor.skip_line();
        self.remark(remark, start);
    }

    fn comment(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        self.skip_comment()?;
        self.remark(Remark::Comment, start);
        Ok(())
    }

    /// Steps over a comment in braces, which ends at the first closing brace.
    fn skip_comment(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        self.cursor.skip_while(|byte| byte != b'}');
        if self.cursor.eat("}") {
            return Ok(());
        }
        let span = Span::new(start, start + 1);
        Err(Issue::new("unclosed-comment", span, "expected `}` at the end of the comment").malformed())
    }

    fn annotation(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        if self.cursor.number().is_none() {
            return Err(self.cursor.expected("malformed-annotation", "a number after `$`").malformed());
        }
        self.remark(Remark::Annotation, start);
        Ok(())
    }

    /// `!`, `?!` and so on, apart from their move.
    fn glyph(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        self.cursor.skip_while(|byte| matches!(byte, b'!' | b'?'));
        if self.record.moves.is_empty() || self.cursor.at - start > 2 {
            let span = self.cursor.span_from(start);
            return Err(
                Issue::new("malformed-annotation", span, "expected a move before the annotation").malformed()
            );
        }
        self.remark(Remark::Annotation, start);
        Ok(())
    }

    fn variation(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        let mut depth = 0;
        loop {
            self.cursor.skip_while(|byte| !matches!(byte, b'(' | b')' | b'{' | b';'));
            match self.cursor.peek() {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                Some(b'{') => {
                    self.skip_comment()?;
                    continue;
                }
                Some(_) => {
                    self.cursor.skip_line();
                    continue;
                }
                None => {
                    let message = "expected `)` at the end of the variation";
                    let span = Span::new(start, start + 1);
                    return Err(Issue::new("unclosed-variation", span, message).malformed());
                }
            }
            if depth > MAX_NESTING {
                let message = format!("expected at most {MAX_NESTING} levels of nesting");
                return Err(Issue::new("nested-too-deeply", self.cursor.span_here(), message).malformed());
            }
            self.cursor.at += 1;
            if depth == 0 {
                self.remark(Remark::Variation, start);
                return Ok(());
            }
        }
    }

    fn result(&mut self, result: GameResult, length: usize) -> Result<(), ParseError> {
        if let Some(number) = self.number.take() {
            let message = "expected a move after the number, but found the result";
            return Err(Issue::new("missing-move", number.span, message).malformed());
        }
        let start = self.cursor.at;
        self.cursor.at += length;
        self.record.result = Some((result, self.cursor.span_from(start)));
        Ok(())
    }

    fn number_or_result(&mut self) -> Result<(), ParseError> {
        let rest = self.cursor.rest();
        for result in [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw] {
            let text = result.text().as_bytes();
            if rest.starts_with(text) && !rest.get(text.len()).is_some_and(u8::is_ascii_alphanumeric) {
                return self.result(result, text.len());
            }
        }
        if rest.starts_with(b"1/2") && !rest.get(3).is_some_and(u8::is_ascii_graphic) {
            return self.result(GameResult::Draw, 3);
        }
        if rest.starts_with(b"0-0") {
            return self.read_move();
        }
        if let Some(number) = self.number {
            let issue = self.cursor.expected("missing-move", "a move after the number");
            let hint = format!("the number is {}", number.value);
            return Err(issue.hint(hint).malformed());
        }
        let start = self.cursor.at;
        let value = self.cursor.number().unwrap_or(u32::MAX);
        let digits = self.cursor.at;
        self.cursor.skip_blanks();
        let dots = self.cursor.at;
        self.cursor.skip_while(|byte| byte == b'.');
        let dots = self.cursor.at - dots;
        if dots == 0 {
            self.cursor.at = digits;
        }
        let span = self.cursor.span_from(start);
        let color = if dots > 1 { Color::Black } else { Color::White };
        self.number = Some(Number { span, value, color });
        Ok(())
    }

    fn read_move(&mut self) -> Result<(), ParseError> {
        if self.record.moves.len() == MAX_ACTIONS {
            let message = format!("expected at most {MAX_ACTIONS} moves");
            return Err(Issue::new("too-many-actions", self.cursor.span_here(), message).malformed());
        }
        // `e.p.` may stand apart from its move.
        let start = self.cursor.at;
        if !self.record.moves.is_empty() && self.number.is_none() && eat_en_passant(&mut self.cursor) {
            let end = self.cursor.at;
            if let Some(last) = self.record.moves.last_mut() {
                last.span = last.span.to(Span::new(start, end));
            }
            return Ok(());
        }
        let number = self.number.take();
        let text = move_text(&mut self.cursor)?;
        self.record.moves.push(MoveText { number, ..text });
        if matches!(self.cursor.peek(), Some(b'!' | b'?')) {
            self.glyph()?;
        }
        Ok(())
    }
}

fn eat_en_passant(cursor: &mut Cursor<'_>) -> bool {
    let long = cursor.eat("e.p.");
    // `ep` is not a square, and no move begins with it.
    long || cursor.eat("ep")
}

/// Steps over one move and its check mark.
fn move_text(cursor: &mut Cursor<'_>) -> Result<MoveText, ParseError> {
    let start = cursor.at;
    let mut promotion = None;
    let shape = match cursor.castling() {
        Some(castling) => castling,
        None => {
            let shape = piece_move(cursor)?;
            promotion = promoted(cursor)?;
            eat_en_passant(cursor);
            shape
        }
    };
    let check = match cursor.peek() {
        Some(b'+') => {
            cursor.at += 1;
            cursor.eat("+");
            Some(CheckMark::Check)
        }
        Some(b'#') => {
            cursor.at += 1;
            Some(CheckMark::Checkmate)
        }
        _ => None,
    };
    let ends = cursor.peek().is_none_or(|byte| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'{' | b'}' | b'(' | b')' | b';' | b'$' | b'!' | b'?' | b'*')
    });
    if !ends {
        return Err(cursor.expected("malformed-move", "the end of the move").malformed());
    }
    Ok(MoveText { promotion, check, ..MoveText::new(cursor.span_from(start), None, shape) })
}

fn piece_move(cursor: &mut Cursor<'_>) -> Result<Shape, ParseError> {
    let start = cursor.at;
    if matches!(cursor.rest(), [b'-', b'-', ..] | [b'Z', b'0', ..]) {
        let span = Span::new(start, start + 2);
        return Err(Issue::new("null-move", span, NO_PASS).malformed());
    }
    let letter = cursor.peek().and_then(kind_of);
    cursor.at += usize::from(letter.is_some());
    let mut file = cursor.file();
    let mut rank = cursor.rank();
    let marked = matches!(cursor.peek(), Some(b'x' | b'X' | b'-' | b':'));
    let capture = marked && cursor.peek() != Some(b'-');
    cursor.at += usize::from(marked);
    let to = match cursor.file() {
        Some(to) => cursor.rank().and_then(|rank| Square::new(to, rank)),
        None if marked => None,
        None => match (file.take(), rank.take()) {
            (Some(file), Some(rank)) => Square::new(file, rank),
            _ => None,
        },
    };
    let Some(to) = to else {
        if cursor.at == start {
            return Err(cursor.expected("malformed-move", "a move").malformed());
        }
        let issue = cursor.missing_destination();
        return Err(issue.hint("a move reads `e4`, `Nf3` or `exd5`").malformed());
    };
    Ok(Shape::Piece { kind: letter, file, rank, jump: None, target: None, capture, to })
}

/// `=Q`, `Q`, `/Q` or `(Q)`
fn promoted(cursor: &mut Cursor<'_>) -> Result<Option<PieceKind>, ParseError> {
    let (ahead, sign) = match cursor.peek() {
        Some(sign @ (b'=' | b'/')) => (1, Some(sign)),
        Some(b'(') if cursor.peek_at(1).and_then(kind_of).is_some() && cursor.peek_at(2) == Some(b')') => {
            (1, Some(b'('))
        }
        _ => (0, None),
    };
    let kind = cursor.peek_at(ahead).and_then(kind_of);
    if kind.is_none() && sign.is_none() {
        return Ok(None);
    }
    cursor.at += ahead;
    let Some(kind) = kind else {
        let issue = cursor
            .expected("malformed-promotion", "the letter of a piece that the pawn becomes, such as `Q`");
        return Err(issue.malformed());
    };
    cursor.at += 1 + usize::from(sign == Some(b'('));
    Ok(Some(kind))
}

/// Letters of the pieces of orthodox chess.
fn kind_of(byte: u8) -> Option<PieceKind> {
    PieceKind::try_from(char::from(byte)).ok().filter(|_| b"PNBRQK".contains(&byte))
}
