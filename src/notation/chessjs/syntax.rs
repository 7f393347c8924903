//! Text to [`Record`]: one pass over the bytes, without looking at any position.

use super::record::{Record, action_of};
use crate::notation::common::Cursor;
use crate::notation::common::boards;
use crate::notation::common::header::Header;
use crate::notation::common::{BoardText, CheckMark, MoveText, Number, Place, Shape, Target};
use crate::notation::common::{Issue, Label, ParseError, Span};
use crate::types::{Color, PieceKind};

/// Reads `text` as far as it can be parsed. After an error the moves of the action that it interrupts are left out,
/// since more could have followed.
pub(super) fn parse(text: &str) -> (Record<'_>, Option<ParseError>) {
    let record = Record { text, tags: Vec::new(), boards: Vec::new(), moves: Vec::new() };
    let mut parser = Parser { cursor: Cursor::new(text), record, announced: None };
    let error = parser.text().err();
    if error.is_some()
        && let Some(last) = parser.record.moves.last().map(action_of)
        && (parser.announced.is_none() || parser.announced == last)
    {
        let of_last = |m: &MoveText| action_of(m) == last;
        let kept = parser.record.moves.iter().rposition(|m| !of_last(m)).map_or(0, |index| index + 1);
        parser.record.moves.truncate(kept);
    }
    (parser.record, error)
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    record: Record<'t>,
    /// Number and colour of the move that is being read.
    announced: Option<(u32, Color)>,
}

type Read<T> = Result<T, ParseError>;

impl Parser<'_> {
    fn text(&mut self) -> Read<()> {
        self.cursor.begin()?;
        loop {
            self.cursor.skip_while(|byte| byte.is_ascii_whitespace() || byte == b';');
            match self.cursor.peek() {
                None => return Ok(()),
                Some(b'[') => self.tag_or_board()?,
                Some(_) => {
                    self.announced = None;
                    let read = self.read_move()?;
                    self.record.moves.push(read);
                }
            }
            self.cursor.skip_blanks();
            if !matches!(self.cursor.peek(), None | Some(b'\n' | b'\r' | b';' | b'[')) {
                let issue = self.cursor.expected("unexpected-character", "the end of the line or `;`");
                return Err(issue.malformed());
            }
        }
    }

    // Tags and boards

    fn tag_or_board(&mut self) -> Read<()> {
        let ahead = self.cursor.bytes_before(|byte| matches!(byte, b'"' | b']' | b'\n'));
        match self.cursor.peek_at(ahead) {
            Some(b'"') => self.tag(),
            _ if !self.record.moves.is_empty() => {
                let issue = self.cursor.expected("board-after-moves", "a move");
                Err(issue.hint("start boards stand before the moves").malformed())
            }
            _ => boards::read_next(&mut self.cursor, &mut self.record.boards),
        }
    }

    fn tag(&mut self) -> Read<()> {
        let tag = Header::read_with_json(&mut self.cursor)?;
        self.record.tags.push(tag);
        Ok(())
    }

    // Moves

    fn read_move(&mut self) -> Read<MoveText> {
        let start = self.cursor.at;
        let Some(number) = self.cursor.number() else {
            let issue = self.cursor.expected("missing-number", "the number of an action, as `1w.`");
            return Err(issue.malformed());
        };
        let Some(color) = self.cursor.color() else {
            let issue = self.cursor.expected("missing-colour", "`w` or `b` after the number of the action");
            let hint = "a move begins with the number and the player of its action, as `1w. 1:e2:e3`";
            return Err(issue.hint(hint).malformed());
        };
        self.announced = Some((number, color));
        let number = Number { span: self.cursor.span_from(start), value: number, color };
        if !self.cursor.eat(".") {
            return Err(self
                .cursor
                .expected("missing-full-stop", "`.` after the player, as in `1w.`")
                .malformed());
        }
        self.cursor.skip_blanks();
        let board = self.cursor.at;
        let turn = Some(self.cursor.turn()?);
        let timeline = self.cursor.label()?;
        let from = BoardText { span: self.cursor.span_from(board), timeline, turn, color: Some(color) };
        self.colon("the board")?;
        let mut read = match self.cursor.castling() {
            Some(castling) => MoveText::new(Span::default(), Some(from), castling),
            None => self.piece(from)?,
        };
        read.check = match self.cursor.peek() {
            Some(b'+') => Some(CheckMark::Check),
            Some(b'#') => Some(CheckMark::Checkmate),
            Some(b'=') => Some(CheckMark::Stalemate),
            _ => None,
        };
        self.cursor.at += usize::from(read.check.is_some());
        Ok(MoveText { span: self.cursor.span_from(start), number: Some(number), ..read })
    }

    fn colon(&mut self, after: &str) -> Read<()> {
        if self.cursor.eat(":") {
            return Ok(());
        }
        let issue = self.cursor.expected("missing-colon", &format!("`:` after {after}"));
        Err(issue.malformed())
    }

    fn piece(&mut self, board: BoardText) -> Read<MoveText> {
        let kind = self.letter()?;
        let Some(from) = self.cursor.square() else {
            return Err(self.cursor.expected("missing-square", "a square, a1 to h8").malformed());
        };
        let mut creates = None;
        let mut target = None;
        if self.cursor.eat("<") {
            (creates, target) = self.target().map(|(creates, target)| (creates, Some(target)))?;
        }
        self.colon(if target.is_some() { "the target board" } else { "the square of origin" })?;
        let capture = self.cursor.eat("x");
        let promotion = self.letter()?;
        let Some(to) = self.cursor.square() else {
            let issue = self.cursor.expected("missing-square", "the square to which the piece goes");
            let digit = target.is_none() && self.cursor.peek().is_some_and(|byte| byte.is_ascii_digit());
            let hint = digit.then(|| "a board before the square needs `<>`, as in `2:Nb1<>1:b3`".to_owned());
            return Err(Issue { hint, ..issue }.malformed());
        };
        let en_passant = self.cursor.eat("e.p.") || self.cursor.eat("ep");
        let (file, rank) = (Some(from.file()), Some(from.rank()));
        let shape = Shape::Piece { kind, file, rank, jump: None, target, capture, to };
        let read = MoveText::new(Span::default(), Some(board), shape);
        Ok(MoveText { creates, promotion, en_passant, ..read })
    }

    /// The timeline that the move creates, and the board to which it goes.
    fn target(&mut self) -> Read<(Option<Label>, Target)> {
        let creates = self.cursor.label()?;
        if !self.cursor.eat(">") {
            return Err(self
                .cursor
                .expected("missing-bracket", "`>` before the board to which the piece goes")
                .malformed());
        }
        let start = self.cursor.at;
        let digit = self.cursor.peek().is_some_and(|byte| byte.is_ascii_digit());
        let turn = if digit { Some(self.cursor.turn()?) } else { None };
        let timeline = self.cursor.label()?;
        let span = self.cursor.span_from(start);
        let (timeline, turn) = (timeline.map(Place::At), turn.map(Place::At));
        Ok((creates, Target { span, timeline, turn, color: None }))
    }

    /// The letter of a piece, if there is one.
    fn letter(&mut self) -> Read<Option<PieceKind>> {
        let Some(letter @ b'A'..=b'Z') = self.cursor.peek() else { return Ok(None) };
        let Some(kind) = kind_of(letter as char) else {
            let issue = self.cursor.expected("unknown-piece", "the letter of a piece");
            let hint = (letter == b'S').then(|| "the princess is `P` in this notation".to_owned());
            return Err(Issue { hint, ..issue }.malformed());
        };
        self.cursor.at += 1;
        Ok(Some(kind))
    }
}

/// The kind of a letter. `P` is the princess here; pawns have no letter.
pub(super) fn kind_of(letter: char) -> Option<PieceKind> {
    match letter {
        'P' => Some(PieceKind::Princess),
        'S' => None,
        _ => PieceKind::try_from(letter).ok(),
    }
}

/// The letter of a kind; `None` for the pawn.
pub(super) const fn letter_of(kind: PieceKind) -> Option<char> {
    match kind {
        PieceKind::Pawn => None,
        PieceKind::Princess => Some('P'),
        _ => Some(kind.letter()),
    }
}
