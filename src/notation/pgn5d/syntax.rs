//! Parses text into a [`Record`] in one pass over the bytes, without looking at any position.

mod moves;

use super::MAX_NESTING;
use super::record::{ActionText, LineText, Record, RemarkText, VariationText};
use crate::notation::common::Cursor;
use crate::notation::common::boards;
use crate::notation::common::passes::Pass;
use crate::notation::common::{BoardText, GameResult, MAX_ACTIONS, MoveText};
use crate::notation::common::{Header, Issue, ParseError, Span};
use crate::types::Color;

/// Reads `text` up to the first error. After an error the moves of the unfinished action are left out, since
/// more could have followed.
pub(super) fn parse(text: &str) -> (Record<'_>, Option<ParseError>) {
    let mut parser = Parser::new(text);
    let error = parser.text().err();
    if let Some(game) = parser.enclosing.drain(..).next() {
        (parser.record.line, parser.open) = (game.line, game.open);
    }
    if error.is_some() {
        parser.cut_action();
    }
    parser.close_action();
    (parser.record, error)
}

/// Reads a text that is one board, as `(0T1)`.
pub(super) fn parse_board(text: &str) -> Result<BoardText, ParseError> {
    let mut parser = Parser::new(text);
    if parser.cursor.peek() != Some(b'(') {
        return Err(parser.cursor.expected("not-a-board", "a board such as `(0T1)`").malformed());
    }
    let board = parser.board()?;
    match parser.cursor.peek() {
        None => Ok(board),
        Some(_) => Err(parser.cursor.expected("not-a-board", "nothing after the board").malformed()),
    }
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    /// The parts that were read; its line is the innermost one.
    record: Record<'t>,
    /// The action in the course of being read.
    open: Option<ActionText>,
    /// The lines around this one: of the game, and of the variations within it.
    enclosing: Vec<Enclosing>,
}

/// A line in which a variation is being read.
struct Enclosing {
    line: LineText,
    open: Option<ActionText>,
    /// The parenthesis that opens the variation.
    start: usize,
}

/// The meaning of an opening parenthesis.
enum Parenthesis {
    Board,
    Annotation,
    Variation,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        let (cursor, record) = (Cursor::new(text), Record::new(text));
        Parser { cursor, record, open: None, enclosing: Vec::new() }
    }

    fn text(&mut self) -> Result<(), ParseError> {
        self.cursor.begin()?;
        loop {
            match self.elements() {
                Ok(()) if self.enclosing.is_empty() => return Ok(()),
                Ok(()) => {
                    let start = self.enclosing[0].start;
                    let what = "expected `)` at the end of the variation";
                    return Err(
                        Issue::new("unclosed-variation", Span::new(start, start + 1), what).malformed()
                    );
                }
                Err(error) => self.leave_variation(error)?,
            }
        }
    }

    /// Reads up to the end of the text, or to the first error.
    fn elements(&mut self) -> Result<(), ParseError> {
        loop {
            self.cursor.skip_whitespace();
            let Some(byte) = self.cursor.peek() else { return Ok(()) };
            match byte {
                b'{' => self.comment()?,
                b';' => self.line_comment(),
                b')' if !self.enclosing.is_empty() => {
                    self.cursor.at += 1;
                    self.close_variation(None);
                }
                _ if self.record.line.result.is_some() => {
                    let what = if self.enclosing.is_empty() { "the end of the game" } else { "`)`" };
                    let issue = self.cursor.expected("text-after-result", what);
                    return Err(issue
                        .hint("where a text holds several games, each begins with headers")
                        .malformed());
                }
                b'[' => self.header_or_board()?,
                b'(' => match self.parenthesis() {
                    Parenthesis::Board => self.read_move()?,
                    Parenthesis::Annotation => self.late_annotation()?,
                    Parenthesis::Variation => self.begin_variation()?,
                },
                b'/' => {
                    let start = self.cursor.at;
                    self.cursor.at += 1;
                    self.open_action(start, None, None)?;
                }
                b'0'..=b'9' => self.number_or_result()?,
                b'*' => self.result(GameResult::Open),
                b'$' if self.cursor.peek_at(1).is_some_and(|byte| byte.is_ascii_digit()) => {
                    self.numeric_annotation();
                }
                b'#' if self.cursor.line_before().trim().is_empty() => {
                    let issue = self.cursor.expected("unexpected-character", "a move");
                    return Err(issue
                        .hint("a comment stands in braces, or after `;` up to the end of its line")
                        .malformed());
                }
                b'.' => self.dots()?,
                b'w' | b'b' if self.cursor.peek_at(1) == Some(b'.') => {
                    let start = self.cursor.at;
                    let color = self.cursor.color();
                    self.cursor.at += 1;
                    self.open_action(start, None, color)?;
                }
                b'e' if self.cursor.rest().starts_with(b"e.p.") => {
                    self.cursor.at += 4;
                    let end = self.cursor.at;
                    self.last_move("en-passant-without-move", "`e.p.`", end - 4)?.en_passant = true;
                }
                _ => self.read_move()?,
            }
        }
    }

    // Headers and boards

    fn header_or_board(&mut self) -> Result<(), ParseError> {
        let has_moves = self.open.is_some() || !self.record.line.actions.is_empty();
        if has_moves || !self.enclosing.is_empty() {
            let issue = self.cursor.expected("header-after-moves", "a move");
            return Err(issue.hint("headers and boards stand before the moves").malformed());
        }
        let ahead = self.cursor.bytes_before(|byte| matches!(byte, b'"' | b']' | b'\n' | b'\r'));
        match self.cursor.peek_at(ahead) {
            Some(b'"') => self.header(),
            _ => match self.unquoted_header() {
                Some((key, value)) => {
                    let what = "a board, or a header with its value in quotation marks";
                    let issue = self.cursor.expected("malformed-header", what);
                    let (key, value) =
                        if key.len() + value.len() > 80 { ("Mode", "5D") } else { (key, value) };
                    Err(issue.hint(format!("a header reads `[{key} \"{value}\"]`")).malformed())
                }
                None => boards::read_next(&mut self.cursor, &mut self.record.boards),
            },
        }
    }

    /// Name and value of the brackets at the cursor, if they contain words and no colon, as in `[Mode 5D]`.
    fn unquoted_header(&self) -> Option<(&str, &str)> {
        let length = self.cursor.bytes_before(|byte| matches!(byte, b']' | b'\n' | b'\r' | b':'));
        let rest = &self.cursor.text[self.cursor.at..];
        let inner = rest.get(1..length).filter(|_| rest.as_bytes().get(length) == Some(&b']'))?;
        inner.trim().split_once(' ')
    }

    fn header(&mut self) -> Result<(), ParseError> {
        self.record.headers.push(Header::read(&mut self.cursor)?);
        Ok(())
    }

    // Comments and variations

    fn comment(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        self.skip_comment()?;
        self.remark(start);
        Ok(())
    }

    /// Steps over a comment in braces. Braces within it must be in pairs.
    fn skip_comment(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        let mut depth = 0;
        loop {
            self.cursor.skip_while(|byte| byte != b'{' && byte != b'}');
            match self.cursor.peek() {
                Some(b'{') => depth += 1,
                Some(_) => depth -= 1,
                None => {
                    let span = Span::new(start, start + 1);
                    let issue =
                        Issue::new("unclosed-comment", span, "expected `}` at the end of the comment");
                    return Err(issue.hint("a `{` within a comment needs its own `}`").malformed());
                }
            }
            self.check_nesting(depth)?;
            self.cursor.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn line_comment(&mut self) {
        let start = self.cursor.at;
        self.cursor.skip_line();
        self.remark(start);
    }

    /// `$140`: an annotation by its number.
    fn numeric_annotation(&mut self) {
        let start = self.cursor.at;
        self.cursor.at += 1;
        self.cursor.skip_while(|byte| byte.is_ascii_digit());
        self.remark(start);
    }

    /// Keeps the comment or annotation that begins there and ends here.
    fn remark(&mut self, start: usize) {
        let (span, after) = (self.cursor.span_from(start), self.begun());
        self.record.line.remarks.push(RemarkText { span, after });
    }

    /// The number of actions of the line that have begun.
    fn begun(&self) -> u32 {
        let is_begun = self.open.as_ref().is_some_and(|open| !open.moves.is_empty());
        (self.record.line.actions.len() + usize::from(is_begun)) as u32
    }

    fn begin_variation(&mut self) -> Result<(), ParseError> {
        self.check_nesting(self.enclosing.len() + 1)?;
        let start = self.cursor.at;
        self.cursor.at += 1;
        let line = std::mem::take(&mut self.record.line);
        self.enclosing.push(Enclosing { line, open: self.open.take(), start });
        Ok(())
    }

    /// Ends the variation at the cursor. With an error its unfinished action is left out.
    fn close_variation(&mut self, error: Option<ParseError>) {
        if error.is_some() {
            self.cut_action();
        }
        self.close_action();
        let Some(Enclosing { line, open, start }) = self.enclosing.pop() else { return };
        let line = std::mem::replace(&mut self.record.line, line);
        self.open = open;
        let (span, after) = (self.cursor.span_from(start), self.begun());
        self.record.line.variations.push(VariationText { span, after, line, error });
    }

    /// Goes on after the variation that has this error. Outside variations the error ends the text.
    fn leave_variation(&mut self, error: ParseError) -> Result<(), ParseError> {
        let Some(variation) = self.enclosing.last() else { return Err(error) };
        self.cursor.at = variation.start;
        self.skip_variation()?;
        self.close_variation(Some(error));
        Ok(())
    }

    /// Steps over a variation whose content cannot be read. Its parentheses must be in pairs.
    fn skip_variation(&mut self) -> Result<(), ParseError> {
        let (start, mut depth) = (self.cursor.at, 0);
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
                    let span = Span::new(start, start + 1);
                    let what = "expected `)` at the end of the variation";
                    return Err(Issue::new("unclosed-variation", span, what).malformed());
                }
            }
            self.check_nesting(depth)?;
            self.cursor.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn check_nesting(&self, depth: usize) -> Result<(), ParseError> {
        if depth <= MAX_NESTING {
            return Ok(());
        }
        let message = format!("expected at most {MAX_NESTING} levels of nesting");
        Err(Issue::new("nested-too-deeply", self.cursor.span_here(), message).malformed())
    }

    // Numbers, slashes and results

    fn number_or_result(&mut self) -> Result<(), ParseError> {
        let rest = self.cursor.rest();
        // `0-0` is castling, and no result begins with it.
        if let Some(result) = GameResult::ALL.into_iter().find(|r| rest.starts_with(r.text().as_bytes())) {
            self.result(result);
            return Ok(());
        }
        if rest.starts_with(b"0-0") || rest.starts_with(b"0000") {
            return self.read_move();
        }
        let start = self.cursor.at;
        let number = self.cursor.number();
        let color = self.cursor.color();
        let dots = self.cursor.at;
        self.cursor.skip_while(|byte| byte == b'.');
        let color = match (self.cursor.at - dots, color) {
            (0, _) => {
                let issue = self.cursor.expected("missing-full-stop", "`.` after the number of the action");
                return Err(issue.malformed());
            }
            (_, Some(color)) => color,
            (1, None) => Color::White,
            // `3... e5`
            (_, None) => Color::Black,
        };
        let begins = self.open.is_none() && self.record.line.actions.is_empty() && self.enclosing.is_empty();
        if begins && self.passes(number) {
            return Ok(());
        }
        self.open_action(start, number, Some(color))
    }

    /// Steps over the null moves after this number, with slashes between them, if some come next.
    fn passes(&mut self, number: Option<u32>) -> bool {
        let before = self.record.passes.len();
        while let Some(pass) = self.pass(number) {
            self.record.passes.push(pass);
        }
        self.record.passes.len() > before
    }

    /// A null move with its board. After the number 0 it may be without a board, and means turn zero.
    fn pass(&mut self, number: Option<u32>) -> Option<Pass> {
        let begin = self.cursor.at;
        self.cursor.skip_while(|byte| byte.is_ascii_whitespace() || byte == b'/');
        let start = self.cursor.at;
        let board = if self.cursor.peek() == Some(b'(') { self.board().ok() } else { None };
        if !self.cursor.eat("0000") {
            self.cursor.at = begin;
            return None;
        }
        let (timeline, turn) = match board {
            Some(board) => (board.timeline, board.turn),
            None => (None, number.filter(|&number| number == 0).map(|_| 0)),
        };
        Some(Pass { span: self.cursor.span_from(start), timeline, turn })
    }

    /// `...` on its own, as in `3. ... e5`: the number belongs to Black's action.
    fn dots(&mut self) -> Result<(), ParseError> {
        match &mut self.open {
            Some(open) if open.moves.is_empty() && self.cursor.rest().starts_with(b"..") => {
                open.color = Some(Color::Black);
                self.cursor.skip_while(|byte| byte == b'.');
                Ok(())
            }
            _ => Err(self.cursor.expected("unexpected-character", "a move").malformed()),
        }
    }

    fn result(&mut self, result: GameResult) {
        let start = self.cursor.at;
        self.cursor.at += result.text().len();
        self.record.line.result = Some((result, self.cursor.span_from(start)));
    }

    fn open_action(
        &mut self,
        start: usize,
        number: Option<u32>,
        color: Option<Color>,
    ) -> Result<(), ParseError> {
        self.close_action();
        let span = self.cursor.span_from(start);
        if self.record.line.actions.len() == MAX_ACTIONS {
            let message = format!("expected at most {MAX_ACTIONS} actions");
            return Err(Issue::new("too-many-actions", span, message).malformed());
        }
        let next = self.record.line.moves.len() as u32;
        self.open = Some(ActionText { span, number, color, moves: next..next });
        Ok(())
    }

    fn close_action(&mut self) {
        if let Some(open) = self.open.take() {
            self.record.line.actions.push(open);
        }
    }

    /// Leaves out the moves of the action that is being read.
    fn cut_action(&mut self) {
        if let Some(open) = &mut self.open {
            open.moves.end = open.moves.start;
            self.record.line.moves.truncate(open.moves.end as usize);
        }
    }

    // Moves

    fn read_move(&mut self) -> Result<(), ParseError> {
        if self.open.is_none() {
            self.open_action(self.cursor.at, None, None)?;
        }
        let read = self.move_text()?;
        let ends = self.cursor.peek().is_none_or(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b'{' | b';' | b'/' | b'(' | b')' | b'[')
        });
        if !ends {
            let issue = self.cursor.expected("unexpected-character", "the end of the move");
            let hint = match self.cursor.peek() {
                Some(b'-') => Some("squares follow each other without `-`, as in `e2e4`"),
                _ => None,
            };
            return Err(Issue { hint: hint.map(String::from), ..issue }.malformed());
        }
        if let Some(open) = &mut self.open {
            open.span = open.span.to(read.span);
            open.moves.end += 1;
        }
        self.record.line.moves.push(read);
        Ok(())
    }

    /// Reads an annotation that stands apart from its move.
    fn late_annotation(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        let mut read = self.last_move("annotation-without-move", "the annotation", start)?.clone();
        self.annotation(&mut read)?;
        *self.last_move("annotation-without-move", "the annotation", start)? = read;
        Ok(())
    }

    /// The last move of the action under way.
    fn last_move(
        &mut self,
        code: &'static str,
        what: &str,
        start: usize,
    ) -> Result<&mut MoveText, ParseError> {
        let in_action = self.open.as_ref().is_some_and(|open| !open.moves.is_empty());
        let span = Span::new(start, start + 1);
        match self.record.line.moves.last_mut() {
            Some(last) if in_action => Ok(last),
            _ => Err(Issue::new(code, span, format!("expected a move before {what}")).malformed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::common::Parsed;
    use crate::notation::common::samples::assert_refused;

    fn reading(text: &str) -> Parsed<()> {
        Parsed { error: parse(text).1, ..Parsed::default() }
    }

    #[test]
    fn actions_are_numbered_in_many_ways() {
        let colors = |text: &str| {
            let (record, error) = parse(text);
            assert_eq!(error, None, "{text}");
            record.line.actions.iter().map(|a| (a.number, a.color, a.moves.len())).collect::<Vec<_>>()
        };
        let (white, black) = (Some(Color::White), Some(Color::Black));
        assert_eq!(colors("1. e4 / e5 2.d4"), [(Some(1), white, 1), (None, None, 1), (Some(2), white, 1)]);
        assert_eq!(colors("1w.e4 1b.e5"), [(Some(1), white, 1), (Some(1), black, 1)]);
        assert_eq!(colors("w. e4\nb. e5"), [(None, white, 1), (None, black, 1)]);
        assert_eq!(colors("1... e5"), [(Some(1), black, 1)]);
        assert_eq!(colors("1. ... e5"), [(Some(1), black, 1)]);
        assert_eq!(colors("1. / e5 2."), [(Some(1), white, 0), (None, None, 1), (Some(2), white, 0)]);
        assert_eq!(colors("e4 d4/\r\n(0T1)e5"), [(None, None, 2), (None, None, 1)]);
    }

    #[test]
    fn headers_boards_comments_variations_and_results_keep_their_places() {
        let text = "\u{feff}[Site \"a \\\"b\\\" ]\"] [k1:0:1:w]\n; line\n1. e4 {a {b} ; (} (1b. e5 (2. d4)) / e5 1/2-1/2 {c}";
        let (record, error) = parse(text);
        assert_eq!(error, None);
        assert_eq!(record.headers[0].key.of(text), "Site");
        assert_eq!(record.headers[0].value(text), "a \"b\" ]");
        assert_eq!(record.boards[0].span.of(text), "[k1:0:1:w]");
        let comments: Vec<&str> = record.line.remarks.iter().map(|remark| remark.span.of(text)).collect();
        assert_eq!(comments, ["; line", "{a {b} ; (}", "{c}"]);
        let outer = &record.line.variations[0];
        assert_eq!((outer.span.of(text), outer.after), ("(1b. e5 (2. d4))", 1));
        assert_eq!(outer.line.variations[0].span.of(text), "(2. d4)");
        assert_eq!(record.line.result.unwrap().0, GameResult::Draw);
        assert_eq!(record.line.actions[0].span.of(text), "1. e4");
        for result in GameResult::ALL {
            assert_eq!(parse(&format!("1. e4 {result}")).0.line.result.unwrap().0, result);
        }
    }

    #[test]
    fn a_header_without_quotation_marks_is_shown_with_them() {
        for (text, hint) in [
            ("[Size 8x8]\n1. e4", "a header reads `[Size \"8x8\"]`"),
            (&*format!("[Size {}]", "8".repeat(100)), "a header reads `[Mode \"5D\"]`"),
        ] {
            let error = parse(text).1.expect("no header");
            assert_eq!((error.issue.code, error.issue.hint.as_deref()), ("malformed-header", Some(hint)));
        }
    }

    #[test]
    fn every_mistake_has_its_place() {
        for (text, code, start, end) in [
            ("1 e4", "missing-full-stop", 1, 2),
            ("1. N", "missing-destination", 4, 4),
            ("1. Nf / e5", "missing-destination", 5, 6),
            ("1. Ng1> e5", "missing-destination", 7, 8),
            ("1. Ng1xx", "missing-destination", 7, 8),
            ("1. Xf3", "unknown-piece", 3, 4),
            ("1. e2-e4", "unexpected-character", 5, 6),
            ("1. é", "unexpected-character", 3, 5),
            ("1. e4 $x", "unexpected-character", 6, 7),
            ("1. e4 )", "unexpected-character", 6, 7),
            (".. e4", "unexpected-character", 0, 1),
            ("1. a8=", "missing-promotion", 6, 6),
            ("1. e4 / (0T1)0000", "null-move", 13, 17),
            ("1. (e4)", "malformed-board", 4, 5),
            ("1. (0T1 e4", "malformed-board", 8, 9),
            ("1. (0T)e4", "missing-turn", 6, 7),
            ("1. (0T99999)e4", "number-too-large", 6, 11),
            ("1. Q>>$(T)f7", "malformed-board", 9, 10),
            ("1. e4 (>x)", "malformed-annotation", 8, 9),
            ("1. (>L1) e4", "annotation-without-move", 3, 4),
            ("e.p.", "en-passant-without-move", 0, 1),
            ("{ {} ", "unclosed-comment", 0, 1),
            ("1. e4 (1b. e5", "unclosed-variation", 6, 7),
            ("[Site \"x\n\"]", "unclosed-header", 8, 9),
            ("[Site \"x\r\"]", "unclosed-header", 8, 9),
            ("[Site \"x\" ", "unclosed-header", 10, 10),
            ("[Site x \"y\"]", "malformed-header", 6, 7),
            ("[k1:0:1]", "missing-field", 7, 8),
            ("1. e4 [Site \"x\"]", "header-after-moves", 6, 7),
            ("1. e4 1-0 2. d4", "text-after-result", 10, 11),
        ] {
            assert_refused(text, reading(text), ("malformed", code, start, end));
        }
    }

    #[test]
    fn limits_are_errors() {
        let code = |text: &str| reading(text).into_result().unwrap_err().issue.code;
        assert_eq!(code(&" ".repeat(crate::notation::MAX_INPUT_BYTES + 1)), "text-too-long");
        assert_eq!(code(&"{".repeat(1000)), "nested-too-deeply");
        assert_eq!(code(&"(/".repeat(1000)), "nested-too-deeply");
        assert_eq!(code(&"/".repeat(MAX_ACTIONS + 2)), "too-many-actions");
    }

    #[test]
    fn an_error_leaves_out_the_action_that_it_interrupts() {
        let (record, error) = parse("1. e4 / e5 2. Nf3 Nc3 Zz");
        assert!(error.is_some());
        let moves: Vec<usize> = record.line.actions.iter().map(|action| action.moves.len()).collect();
        assert_eq!(moves, [1, 1, 0]);
        assert_eq!(record.line.moves.len(), 2);
    }
}
