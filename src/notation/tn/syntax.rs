//! Parses text into actions. Blanks and comments are skipped everywhere.

use crate::notation::common::{BoardText, CheckMark, MoveText, Place, Shape, Target};
use crate::notation::common::{Cursor, Header, Issue, Label, ParseError, Sign, Span};
use crate::state::MAX_TIMELINES;
use crate::types::{Color, Square};

/// The moves of one action, as they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ActionText {
    /// The span from the number to the last mark.
    pub span: Span,
    /// The number in front.
    pub number: Option<NumberText>,
    /// The moves and placeholders, highest timeline first; at least one.
    pub items: Vec<(Item, Span)>,
    /// The mark at the end.
    pub mark: Option<(CheckMark, Span)>,
}

/// `2bT1.`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NumberText {
    pub span: Span,
    pub number: Option<u32>,
    pub color: Option<Color>,
    /// The turn of the present.
    pub present: Option<i16>,
}

/// The text between two `;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// `-`: the player does not move on this timeline.
    Stays,
    /// `_`: it is not the player's turn on this timeline.
    NotToMove,
    /// `<`: a piece arrives on this timeline.
    Arrives,
    Move(MoveText),
}

/// The next part of a text.
pub(super) enum Next {
    Action(ActionText),
    End,
}

/// A place in a text, after blanks and comments.
pub(super) struct Reader<'t> {
    cursor: Cursor<'t>,
    /// The end of the part that was read last.
    end: usize,
    /// The bytes at which the comments begin.
    pub comments: Vec<usize>,
    /// Whether there was a command of the program, so that there is one warning only.
    has_command: bool,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader { cursor: Cursor::new(text), end: 0, comments: Vec::new(), has_command: false }
    }

    /// Reads the headers at the beginning.
    pub fn begin(&mut self) -> Result<Vec<Header>, ParseError> {
        self.cursor.begin()?;
        let mut headers = Vec::new();
        loop {
            self.lines();
            if self.cursor.peek() != Some(b'[') {
                return Ok(headers);
            }
            headers.push(Header::read(&mut self.cursor)?);
            self.read();
        }
    }

    /// The next action.
    pub fn next(&mut self, warnings: &mut Vec<Issue>) -> Result<Next, ParseError> {
        let mut slashes = 0;
        loop {
            self.lines();
            let start = self.cursor.at;
            match self.cursor.peek() {
                None => return Ok(Next::End),
                Some(b'/') => {
                    slashes += 1;
                    self.eat("/");
                    if slashes == 2 {
                        let message = "one `/` stands between two actions: the others are left out";
                        warnings.push(Issue::new("needless-slash", Span::new(start, start + 1), message));
                    }
                }
                Some(b'm') if self.eat("mate") => {
                    // One warning is enough: a text may have a million of these commands.
                    if !std::mem::replace(&mut self.has_command, true) {
                        let message = "`mate?` is a command to the program and no part of the game: left out";
                        warnings.push(Issue::new("program-command", Span::new(start, self.end), message));
                    }
                    self.separated()?;
                }
                Some(b'[') => {
                    let issue = self.cursor.expected("header-after-moves", "a move");
                    return Err(issue.hint("headers and boards stand before the moves").malformed());
                }
                Some(_) => break,
            }
        }
        let start = self.cursor.at;
        let number = self.number()?;
        if number.is_some() && self.cursor.is_at_end() {
            return Ok(Next::End);
        }
        let mut items = Vec::new();
        let mut mark = None;
        loop {
            if items.len() == MAX_TIMELINES {
                let message = format!("expected at most {MAX_TIMELINES} moves in an action");
                return Err(Issue::new("too-many-moves", self.cursor.span_here(), message).malformed());
            }
            if let Some((_, span)) = mark {
                let message = "`+` and `#` stand after the last move of an action";
                warnings.push(Issue::new("misplaced-mark", span, message));
            }
            let at = self.cursor.at;
            let item = self.item()?;
            items.push((item, Span::new(at, self.end)));
            mark = self.mark().or(mark);
            if !self.semicolon() {
                break;
            }
        }
        let span = Span::new(start, self.end);
        self.separated()?;
        Ok(Next::Action(ActionText { span, number, items, mark }))
    }

    /// Checks that an action ends here.
    fn separated(&self) -> Result<(), ParseError> {
        match self.cursor.peek() {
            None | Some(b'\n' | b'\r' | b'/') => Ok(()),
            Some(_) => {
                let issue = self.cursor.expected("unexpected-character", "`;`, `/` or the end of the line");
                Err(issue.malformed())
            }
        }
    }

    /// `2bT1.`, where every part except the full stop may be missing.
    fn number(&mut self) -> Result<Option<NumberText>, ParseError> {
        let (start, end) = (self.cursor.at, self.end);
        let number = self.part(Cursor::number);
        let color = match self.cursor.peek() {
            Some(b'w') if self.eat("w") => Some(Color::White),
            Some(b'b') if self.eat("b") => Some(Color::Black),
            _ => None,
        };
        let present = if self.eat("T") { Some(self.turn()?) } else { None };
        if self.end > start && self.eat(".") {
            return Ok(Some(NumberText { span: Span::new(start, self.end), number, color, present }));
        }
        (self.cursor.at, self.end) = (start, end);
        Ok(None)
    }

    /// `+` or `#`
    fn mark(&mut self) -> Option<(CheckMark, Span)> {
        let start = self.cursor.at;
        let mark = match self.cursor.peek()? {
            b'+' if self.eat("+") => CheckMark::Check,
            b'#' if self.eat("#") => CheckMark::Checkmate,
            _ => return None,
        };
        Some((mark, Span::new(start, self.end)))
    }

    /// `;`, with line ends around it.
    fn semicolon(&mut self) -> bool {
        let (at, end) = (self.cursor.at, self.end);
        self.lines();
        if self.eat(";") {
            self.lines();
            return true;
        }
        (self.cursor.at, self.end) = (at, end);
        false
    }

    fn item(&mut self) -> Result<Item, ParseError> {
        let is_sign = self.cursor.peek_at(1).is_some_and(|byte| byte.is_ascii_digit());
        Ok(match self.cursor.peek() {
            Some(b'_') if self.eat("_") => Item::NotToMove,
            Some(b'<') if self.eat("<") => Item::Arrives,
            Some(b'-') if !is_sign && self.eat("-") => Item::Stays,
            _ => Item::Move(self.read_move()?),
        })
    }

    /// A move. Its first square may be the origin or the target, so it is read in both ways.
    fn read_move(&mut self) -> Result<MoveText, ParseError> {
        let (start, end) = (self.cursor.at, self.end);
        let with_origin = self.origin().and_then(|origin| self.rest(start, origin));
        let first = match with_origin {
            Ok(text) => return Ok(text),
            Err(error) => error,
        };
        (self.cursor.at, self.end) = (start, end);
        let nothing = Origin { timeline: None, turn: None, file: None, rank: None };
        let second = match self.rest(start, nothing) {
            Ok(text) => return Ok(text),
            Err(error) => error,
        };
        // The reading that got further gives the error.
        Err(if second.span() > first.span() { second } else { first })
    }

    fn origin(&mut self) -> Result<Origin, ParseError> {
        let timeline = match self.timeline()? {
            None => None,
            Some(Place::At(label)) => Some(label),
            Some(Place::Away(_)) => {
                let issue = self.cursor.expected("relative-origin", "a piece after a timeline with `L`");
                return Err(issue.hint("only a target can be relative, as `1l`").malformed());
            }
        };
        let turn = if self.eat("T") { Some(self.turn()?) } else { None };
        Ok(Origin { timeline, turn, file: self.part(Cursor::file), rank: self.part(Cursor::rank) })
    }

    /// The part of a move after the origin.
    fn rest(&mut self, start: usize, origin: Origin) -> Result<MoveText, ParseError> {
        let kind = self.part(Cursor::piece_letter);
        let jump = self.part(Cursor::jump);
        let capture = self.eat("x");
        let to_timeline = self.timeline()?;
        let to_turn = if self.eat("t") {
            Some(Place::Away(self.relative()?))
        } else if self.eat("T") {
            Some(Place::At(self.turn()?))
        } else {
            None
        };
        let to = self.target(kind.is_some())?;
        let Origin { timeline, turn, file, rank } = origin;
        let span = Span::new(start, self.end);
        // A move without a jump starts on the timeline of its target.
        let timeline = match (timeline, jump, to_timeline) {
            (None, None, Some(Place::At(label))) => Some(label),
            _ => timeline,
        };
        let from = BoardText { span, timeline, turn, color: None };
        let target = Some(Target { span, timeline: to_timeline, turn: to_turn, color: None });
        let shape = Shape::Piece { kind, file, rank, jump, target, capture, to };
        Ok(MoveText::new(span, Some(from), shape))
    }

    /// The square to which a piece goes.
    fn target(&mut self, has_letter: bool) -> Result<Square, ParseError> {
        let missing = |reader: &Self| reader.cursor.missing_destination();
        let Some(file) = self.part(Cursor::file) else {
            let issue = missing(self);
            let castles = self.cursor.peek() == Some(b'O');
            let hint = "castling is written as the king's move, as `Kg1`";
            return Err(if castles { issue.hint(hint) } else { issue }.malformed());
        };
        let to = self.part(Cursor::rank).and_then(|rank| Square::new(file, rank));
        to.ok_or_else(|| {
            let issue = missing(self);
            let hint = "what tells two pieces apart stands before the letter, as in `bNd2`";
            if has_letter { issue.hint(hint) } else { issue }.malformed()
        })
    }

    /// `-1L` or `-1l`; `None` if no `L` follows the number.
    fn timeline(&mut self) -> Result<Option<Place<Label>>, ParseError> {
        let (at, end) = (self.cursor.at, self.end);
        let is_sign = matches!(self.cursor.peek(), Some(b'-' | b'+'));
        if !self.cursor.peek_at(usize::from(is_sign)).is_some_and(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        let label = self.cursor.label()?;
        self.read();
        let Some(label) = label else { return Ok(None) };
        if self.eat("L") {
            return Ok(Some(Place::At(label)));
        }
        if self.eat("l") {
            // A label is at most some thousands.
            let number = i16::try_from(label.number).unwrap_or(i16::MAX);
            let below = label.sign == Some(Sign::Minus);
            return Ok(Some(Place::Away(if below { -number } else { number })));
        }
        (self.cursor.at, self.end) = (at, end);
        Ok(None)
    }

    /// The turn after `T`. A turn before the first one is possible in some games, but has no boards.
    fn turn(&mut self) -> Result<i16, ParseError> {
        self.cursor.eat("+");
        let turn = self.cursor.turn()?;
        self.read();
        Ok(turn)
    }

    /// The number of turns after `t`.
    fn relative(&mut self) -> Result<i16, ParseError> {
        let back = self.cursor.eat("-");
        if !back {
            self.cursor.eat("+");
        }
        let turns = self.cursor.turn()?;
        self.read();
        Ok(if back { -turns } else { turns })
    }

    /// Reads a part with this function, if one comes next.
    fn part<T>(&mut self, read: impl FnOnce(&mut Cursor<'t>) -> Option<T>) -> Option<T> {
        let part = read(&mut self.cursor)?;
        self.read();
        Some(part)
    }

    /// Steps over this text if it comes next.
    fn eat(&mut self, text: &str) -> bool {
        let comes = self.cursor.eat(text);
        if comes {
            self.read();
        }
        comes
    }

    /// Records that the text was read up to here, and steps over blanks and comments.
    fn read(&mut self) {
        self.end = self.cursor.at;
        self.blanks();
    }

    /// Steps over blanks, comments and line ends.
    fn lines(&mut self) {
        self.blanks();
        while self.cursor.eat("\n") || self.cursor.eat("\r") {
            self.blanks();
        }
    }

    fn blanks(&mut self) {
        self.cursor.skip_while(|byte| byte.is_ascii_whitespace() && !matches!(byte, b'\n' | b'\r'));
        if self.cursor.peek() == Some(b'?') {
            // A part that is read twice gives its comments once.
            if self.comments.last().is_none_or(|&last| last < self.cursor.at) {
                self.comments.push(self.cursor.at);
            }
            self.cursor.skip_line();
        }
    }
}

/// The origin of a move, as far as it is written.
struct Origin {
    timeline: Option<Label>,
    turn: Option<i16>,
    file: Option<u8>,
    rank: Option<u8>,
}
