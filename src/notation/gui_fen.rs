//! The FEN of an open GUI for engines, in the three forms that it had: boards by timeline, and raw coordinate moves.
//!
//! ```text
//! 4;4;2;0;b;F
//! r2k/4/4/P2K;;-;w1;3;(1,1,1,0)(1,2,1,0);(1,4,1,0)(3,4,1,0);(4,1,2,0)(3,2,1,0)
//! r2k/4/2K1/P2K;;-;b1;2;(1,4,1,1)(1,2,1,1);(3,2,2,1)(2,3,2,1)
//! ```
//!
//! The *seed* form has a line for each timeline: its first board, castling rights, en passant square, when it starts, how
//! many moves follow, and the moves, each of which adds a board to *this* timeline. A timeline that a move creates is a
//! line of its own, whose board must be the one that the move makes. Its header is `width;height;timelines;lowest
//! timeline;player to move;T or F`, with `T` for two start timelines. The later *origins* form lists the start boards only
//! and all moves in one last line; its header is `width;height;0 or 1;start timelines;lowest timeline;player to move`. The
//! grammar is in `spec/notation-gui-fen.md`.
//!
//! The seed form cannot say a move to the last board of another timeline, nor which action a move belongs to where that
//! does not follow. So [`write_game`] writes the seed form when reading it leads back to the same game, and otherwise the
//! origins form.
//!
//! # What the notation leaves out
//!
//! * Which pawns have never moved: [`Options::unmoved_pawns`] decides. Kings and rooks go by the castling rights.
//! * Boards of a timeline before its first one, so a game cannot start in the middle. The exception is turn zero: a
//!   timeline that starts at `b0` has the same board at turn 1 too.
//!
//! # Relaxations
//!
//! * Headers of four fields (`8;8;1;0`: the start of the first line says who moves) and of five (no `T` or `F`).
//! * Starts as `1w`; numbers alone in front of the start, which other programs' clocks left behind; no number of moves.
//! * `-` for no castling rights, nothing for no en passant square, numbers of empty squares above 8.
//! * Everything that [`raw`] accepts in moves, coordinates from 0 too.
//! * `>` in front of lines, empty lines, `;` at the end of a line.
//! * With a warning: another player to move in the header than is to move after the moves, a wrong number of moves,
//!   castling rights without king or rook, castling rights of a created timeline that differ, and an en passant square,
//!   which means nothing without the boards before.

use std::fmt::Write as _;

use super::cursor::{Cursor, Label};
use super::format::{Head, Options, UnmovedPawns};
use super::play::Player;
use super::raw::{self, Base, Element, Shape};
use super::{Game, Issue, Loss, ReadError, Reading, Span, Unwritable, Written};
use crate::state::{Board, MAX_BOARDS, MAX_TIMELINES, Position, Setup, SetupError};
use crate::types::{
    Action, BoardCoordinate, BoardSize, Color, HalfTurn, MoveKind, Parity, Piece, PieceKind, Place,
    Promotions, RuleProfile, Square, Timeline,
};

/// The forms that the notation had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// Moves by timeline, with created timelines as lines of their own.
    Seed,
    /// Start boards, and all moves in the last line.
    Origins,
}

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// All of it.
    pub span: Span,
    /// Which form follows.
    pub generation: Generation,
    /// The size of the boards.
    pub size: BoardSize,
    /// How many timelines are listed.
    pub timelines: usize,
    /// The lowest of them.
    pub lowest: Label,
    /// Who is to move at the end.
    pub to_move: Option<Color>,
    /// Whether there are two start timelines.
    pub parity: Parity,
}

/// The line of a timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// All of it.
    pub span: Span,
    /// The pieces.
    pub rows: Span,
    /// The castling rights.
    pub castling: Span,
    /// The en passant square.
    pub en_passant: Span,
    /// When it starts.
    pub start: HalfTurn,
    /// How many moves follow, if that is said.
    pub count: Option<(u32, Span)>,
    /// The moves.
    pub elements: Vec<Element>,
}

/// What a text says, before anyone has asked what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// A line for each timeline.
    pub lines: Vec<Line>,
    /// The moves of the last line.
    pub moves: Vec<Element>,
}

// Parsing

/// What a text says.
///
/// # Errors
///
/// When it does not parse.
pub fn parse(text: &str) -> Result<Record, ReadError> {
    let mut cursor = Cursor::new(text);
    cursor.eat("\u{feff}");
    let header = {
        skip_to_line(&mut cursor);
        header(&mut cursor)?
    };
    let mut record = Record { header, lines: Vec::new(), moves: Vec::new() };
    loop {
        skip_to_line(&mut cursor);
        let Some(byte) = cursor.peek() else { break };
        if record.lines.len() < record.header.timelines {
            record.lines.push(line(&mut cursor, &record.header)?);
        } else if record.header.generation == Generation::Origins && record.moves.is_empty() && byte != b';' {
            record.moves = raw::elements(&mut cursor)?;
        } else {
            let issue = cursor.expected("text-after-game", "the end of the game");
            let hint = format!("the header announces {} timelines", record.header.timelines);
            return Err(issue.hint(hint).malformed());
        }
    }
    if record.lines.len() < record.header.timelines {
        let (announced, found) = (record.header.timelines, record.lines.len());
        let message = format!("the header announces {announced} timelines, but {found} follow");
        return Err(Issue::new("missing-timeline", record.header.span, message).malformed());
    }
    Ok(record)
}

fn skip_to_line(cursor: &mut Cursor<'_>) {
    cursor.skip_while(|byte| byte.is_ascii_whitespace() || byte == b'>');
}

/// Steps up to the end of the line, without blanks and `;` there.
fn field_end(cursor: &mut Cursor<'_>) -> Span {
    cursor.skip_blanks();
    let start = cursor.at;
    cursor.skip_while(|byte| !matches!(byte, b';' | b'\n' | b'\r'));
    let text = cursor.span_from(start).of(cursor.text);
    Span::new(start, start + text.trim_ascii_end().len())
}

fn header(cursor: &mut Cursor<'_>) -> Result<Header, ReadError> {
    let start = cursor.at;
    let mut fields: Vec<Span> = Vec::new();
    loop {
        fields.push(field_end(cursor));
        if !cursor.eat(";") || fields.len() > 6 {
            break;
        }
    }
    if fields.len() > 4 && fields.last().is_some_and(|field| field.of(cursor.text).is_empty()) {
        fields.pop();
    }
    let span = Span::new(start, fields.last().map_or(start, |field| field.end as usize));
    let text = |index: usize| fields.get(index).map_or("", |field: &Span| field.of(cursor.text));
    let hint = "a header reads `8;8;1;0;w;F`";
    if !(4..=6).contains(&fields.len()) {
        let message = format!("expected a header of 4 to 6 fields, but found {}", fields.len());
        return Err(Issue::new("malformed-header", span, message).hint(hint).malformed());
    }
    let number = |index: usize, what: &str| {
        text(index).parse::<u32>().map_err(|_| {
            let message = format!("expected {what}, but found `{}`", text(index));
            Issue::new("malformed-header", fields[index], message).hint(hint).malformed()
        })
    };
    let label = |index: usize| {
        let mut label = Cursor::new(text(index));
        match label.label() {
            Ok(Some(read)) if label.is_at_end() => Ok(read),
            _ => {
                let message = format!("expected the lowest timeline, but found `{}`", text(index));
                Err(Issue::new("malformed-header", fields[index], message).hint(hint).malformed())
            }
        }
    };
    let color = |index: usize| match text(index) {
        "w" | "W" => Some(Color::White),
        "b" | "B" => Some(Color::Black),
        _ => None,
    };
    let flag = |index: usize| match text(index) {
        "T" | "t" => Some(Parity::Even),
        "F" | "f" => Some(Parity::Odd),
        _ => None,
    };
    let unknown = |index: usize, what: &str| {
        let message = format!("expected {what}, but found `{}`", text(index));
        Issue::new("malformed-header", fields[index], message).hint(hint).malformed()
    };
    let (generation, timelines, lowest, to_move, parity) = match fields.len() {
        4 => (Generation::Seed, number(2, "the number of timelines")?, label(3)?, None, None),
        5 => {
            let to_move = color(4).ok_or_else(|| unknown(4, "`w` or `b`"))?;
            (Generation::Seed, number(2, "the number of timelines")?, label(3)?, Some(to_move), None)
        }
        _ => match (flag(5), color(5)) {
            (Some(parity), _) => {
                let to_move = color(4).ok_or_else(|| unknown(4, "`w` or `b`"))?;
                (
                    Generation::Seed,
                    number(2, "the number of timelines")?,
                    label(3)?,
                    Some(to_move),
                    Some(parity),
                )
            }
            (None, Some(to_move)) => {
                let parity = match text(2) {
                    "0" => Parity::Odd,
                    "1" => Parity::Even,
                    _ => return Err(unknown(2, "`0` or `1`")),
                };
                let timelines = number(3, "the number of start timelines")?;
                (Generation::Origins, timelines, label(4)?, Some(to_move), Some(parity))
            }
            (None, None) => return Err(unknown(5, "`T`, `F`, `w` or `b`")),
        },
    };
    let (width, height) = (number(0, "the number of files")?, number(1, "the number of ranks")?);
    let side = |n| u8::try_from(n).unwrap_or(u8::MAX);
    let size = BoardSize::new(side(width), side(height)).ok_or_else(|| {
        let max = BoardSize::MAX;
        let message = format!("expected boards of at most {max}x{max}: larger ones are not supported");
        Issue::new("board-too-large", fields[0].to(fields[1]), message).malformed()
    })?;
    let timelines = timelines as usize;
    if timelines == 0 || timelines > MAX_TIMELINES {
        let message = format!("expected 1 to {MAX_TIMELINES} timelines");
        return Err(Issue::new("malformed-header", span, message).malformed());
    }
    let parity = parity.unwrap_or(if lowest.is_signed_zero() { Parity::Even } else { Parity::Odd });
    Ok(Header { span, generation, size, timelines, lowest, to_move, parity })
}

fn line(cursor: &mut Cursor<'_>, header: &Header) -> Result<Line, ReadError> {
    let start = cursor.at;
    let semicolon = |cursor: &mut Cursor<'_>, after: &str| {
        let issue = cursor.expected("missing-field", &format!("`;` after the {after}"));
        let hint = "a timeline reads `pieces;castling;en passant;start;number of moves;moves`";
        if cursor.eat(";") { Ok(()) } else { Err(issue.hint(hint).malformed()) }
    };
    let rows = field_end(cursor);
    semicolon(cursor, "pieces")?;
    let castling = field_end(cursor);
    semicolon(cursor, "castling rights")?;
    let en_passant = field_end(cursor);
    semicolon(cursor, "en passant square")?;
    let start_turn = loop {
        let field = field_end(cursor);
        match start_of(field.of(cursor.text)) {
            Some(start) => break start,
            // Clocks that were left behind.
            None if is_number(field.of(cursor.text)) && cursor.peek() == Some(b';') => cursor.at += 1,
            None => {
                let found = field.of(cursor.text);
                let message = format!("expected when the timeline starts, such as `w1`, but found `{found}`");
                return Err(Issue::new("malformed-start", field, message).malformed());
            }
        }
    };
    let mut line = Line {
        span: Span::new(start, cursor.at),
        rows,
        castling,
        en_passant,
        start: start_turn,
        count: None,
        elements: Vec::new(),
    };
    let mut more = cursor.eat(";");
    if more && header.generation == Generation::Seed {
        let mut ahead = cursor.clone();
        let field = field_end(&mut ahead);
        if is_number(field.of(cursor.text)) {
            *cursor = ahead;
            let count = field.of(cursor.text).parse().unwrap_or(u32::MAX);
            line.count = Some((count, field));
            more = cursor.eat(";");
        }
        cursor.skip_blanks();
        if more && !matches!(cursor.peek(), None | Some(b'\n' | b'\r')) {
            line.elements = raw::elements(cursor)?;
        }
    }
    cursor.skip_blanks();
    if !matches!(cursor.peek(), None | Some(b'\n' | b'\r')) {
        return Err(cursor.expected("unexpected-field", "the end of the line").malformed());
    }
    line.span = Span::new(start, cursor.at);
    Ok(line)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `w1`, or `1w`.
fn start_of(text: &str) -> Option<HalfTurn> {
    let mut cursor = Cursor::new(text);
    let color = cursor.color();
    let turn = cursor.turn().ok()?;
    let color = color.or_else(|| cursor.color())?;
    cursor.is_at_end().then(|| HalfTurn::new(turn, color))
}

// Meaning

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::{format::Options, gui_fen};
///
/// let text = "4;4;2;-0;w;T\nnbru/4/4/KPPP;;-;w1;0;\nkppp/4/4/NBRU;;-;b1;0;\n";
/// let start = gui_fen::read(text, &Options::default()).game.unwrap().start;
/// assert_eq!(start.count_legal_actions(100).count, 4);
/// ```
pub fn read(text: &str, options: &Options) -> Reading {
    let record = match parse(text) {
        Ok(record) => record,
        Err(error) => return Reading::refused(error),
    };
    let mut warnings = Vec::new();
    let mut losses = Vec::new();
    match Replay::start(text, &record, options, &mut warnings, &mut losses) {
        Err(error) => Reading { warnings, losses, error: Some(error), ..Reading::default() },
        Ok(mut replay) => {
            let error = replay.play().err();
            let complete = error.is_none();
            if complete {
                replay.check_player();
            }
            let reading = replay.player.finish(error);
            warnings.extend(reading.warnings);
            Reading { warnings, losses, ..reading }
        }
    }
}

/// A record that is being played.
struct Replay<'r> {
    text: &'r str,
    record: &'r Record,
    base: Base,
    player: Player,
    /// The timeline of the first line.
    lowest: i16,
    /// How many moves of each line were made.
    made: Vec<usize>,
}

impl<'r> Replay<'r> {
    fn start(
        text: &'r str,
        record: &'r Record,
        options: &Options,
        warnings: &mut Vec<Issue>,
        losses: &mut Vec<Loss>,
    ) -> Result<Replay<'r>, ReadError> {
        let Header { parity, size, .. } = record.header;
        let lowest = match record.header.lowest.timeline(parity) {
            Some(timeline) => timeline.0,
            // `0` for the lowest of -0 and +0.
            None => {
                let message = "the lowest of two start timelines is `-0`";
                warnings.push(Issue::new("unsigned-zero", record.header.span, message));
                -1
            }
        };
        let elements = record.lines.iter().flat_map(|line| &line.elements).chain(&record.moves);
        let base = Base::of(options, elements, warnings);
        for line in &record.lines {
            if let Some((count, span)) = line.count
                && count as usize != line.elements.len()
            {
                let message = format!("{count} moves are announced, but {} follow", line.elements.len());
                warnings.push(Issue::new("wrong-number", span, message));
            }
        }
        let mut boards = Vec::new();
        for index in origins(record)? {
            let line = &record.lines[index];
            let timeline = Timeline(lowest + index as i16);
            let board = read_board(text, line, size, options.unmoved_pawns, warnings)?;
            let ep = line.en_passant.of(text);
            if !matches!(ep, "" | "-") {
                let message = "an en passant square means nothing without the boards before";
                warnings.push(Issue::new("en-passant-skipped", line.en_passant, message));
                losses.push(Loss::new(format!("the en passant square `{ep}`")));
            }
            boards.push((BoardCoordinate { timeline, half_turn: line.start }, board));
            // Nobody begins a game at turn 0: the board is there to be moved back to.
            if line.start == HalfTurn::new(0, Color::Black) {
                boards.push((BoardCoordinate { timeline, half_turn: line.start.next() }, board));
            }
            if boards.len() > MAX_BOARDS {
                let message = format!("expected at most {MAX_BOARDS} boards");
                return Err(Issue::new("too-many-boards", line.span, message).malformed());
            }
        }
        let setup = Setup { size, parity, profile: profile(record), boards };
        let start = Position::from_setup(&setup).map_err(|error| {
            let at = match error {
                SetupError::TurnOutOfRange(at) => Some(at.timeline),
                SetupError::MissingTimeline(timeline) => Some(timeline),
                _ => None,
            };
            let index = at.and_then(|timeline| usize::try_from(timeline.0 - lowest).ok());
            let line = index.and_then(|index| record.lines.get(index));
            let span = line.map_or(record.header.span, |line| line.span);
            Issue::new("no-multiverse", span, error.describe(parity)).illegal()
        })?;
        let made = vec![0; record.lines.len()];
        Ok(Replay { text, record, base, player: Player::new(start), lowest, made })
    }

    fn play(&mut self) -> Result<(), ReadError> {
        match self.record.header.generation {
            Generation::Origins => self.play_moves(),
            Generation::Seed => self.play_lines(),
        }
    }

    /// Plays the moves of the last line. An action ends where a piece of the other player moves.
    fn play_moves(&mut self) -> Result<(), ReadError> {
        let mut first: Option<Span> = None;
        let mut last = Span::default();
        for element in &self.record.moves {
            let mover = self.mover(element);
            if let Some(begin) = first
                && mover.is_some_and(|mover| mover != self.player.position.to_move())
            {
                self.player.submit(begin.to(last)).map_err(|error| self.player.in_action(error))?;
                first = None;
            }
            if element.shape == Shape::Null {
                return Err(self.player.in_action(null_move(element)));
            }
            raw::push(&mut self.player, element, self.base).map_err(|error| self.player.in_action(error))?;
            first.get_or_insert(element.span);
            last = element.span;
        }
        match first {
            Some(begin) => self.player.submit(begin.to(last)).map_err(|error| self.player.in_action(error)),
            None => Ok(()),
        }
    }

    /// The player on the last board of the timeline from which a piece moves.
    fn mover(&self, element: &Element) -> Option<Color> {
        let label = match &element.shape {
            Shape::Move { from, .. } => from.timeline,
            Shape::Castling { timeline, .. } => *timeline,
            Shape::Null => return None,
        };
        let timeline = label.timeline(self.player.position.parity())?;
        Some(self.player.position.multiverse().span(timeline)?.1.color())
    }

    /// Plays the moves of all lines together.
    ///
    /// The record does not say which moves belong to one action. Boards of the present must be played, so their moves are
    /// made; others wait, unless the action is not complete without them, or nothing must be played any more.
    fn play_lines(&mut self) -> Result<(), ReadError> {
        loop {
            let (mut due, mut waiting) = (Vec::new(), Vec::new());
            let position = &self.player.position;
            let (low, high) = position.multiverse().active();
            for at in position.playable_boards() {
                let Some(index) = self.waiting_line(at.timeline) else { continue };
                let must = at.half_turn == position.present() && low <= at.timeline && at.timeline <= high;
                if must { due.push(index) } else { waiting.push(index) }
            }
            if due.is_empty() && waiting.is_empty() {
                return self.left_over();
            }
            if due.is_empty() {
                due.append(&mut waiting);
            }
            let span = self.make_all(due)?;
            let span = match self.player.position.submit_obstacle() {
                Some(_) if !waiting.is_empty() => span.to(self.make_all(waiting)?),
                _ => span,
            };
            self.player.submit(span).map_err(|error| self.player.in_action(error))?;
        }
    }

    /// The line of this timeline, if moves of it are left.
    fn waiting_line(&self, timeline: Timeline) -> Option<usize> {
        let index = usize::try_from(i32::from(timeline.0) - i32::from(self.lowest)).ok()?;
        let line = self.record.lines.get(index)?;
        (self.made[index] < line.elements.len()).then_some(index)
    }

    /// Makes the next move of each of these lines: first those within boards, then those that create timelines, in the
    /// order in which the created lines want them.
    fn make_all(&mut self, lines: Vec<usize>) -> Result<Span, ReadError> {
        let next =
            |replay: &Replay<'r>, index: usize| replay.record.lines[index].elements[replay.made[index]];
        let is_jump = |replay: &Replay<'r>, index: usize| match next(replay, index).shape {
            Shape::Move { from, to, .. } => (from.turn, from.timeline) != (to.turn, to.timeline),
            _ => false,
        };
        let mut span: Option<Span> = None;
        let (mut jumps, others): (Vec<usize>, Vec<usize>) =
            lines.into_iter().partition(|&index| is_jump(self, index));
        for index in others {
            let element = next(self, index);
            self.make(index, &element).map_err(|error| self.player.in_action(error))?;
            span = Some(span.map_or(element.span, |span| span.to(element.span)));
        }
        while !jumps.is_empty() {
            let position = &self.player.position;
            let created = position.multiverse().next_timeline(position.to_move());
            let line = usize::try_from(i32::from(created.0) - i32::from(self.lowest)).ok();
            let wanted = line.and_then(|index| self.record.lines.get(index));
            let fits = jumps.iter().position(|&index| {
                wanted.is_some_and(|line| self.arrives(&next(self, index), line).unwrap_or(false))
            });
            let index = jumps.remove(fits.unwrap_or(0));
            let element = next(self, index);
            self.make(index, &element).map_err(|error| self.player.in_action(error))?;
            span = Some(span.map_or(element.span, |span| span.to(element.span)));
        }
        Ok(span.unwrap_or_default())
    }

    /// Whether a jump makes the first board of a line.
    fn arrives(&self, element: &Element, line: &Line) -> Option<bool> {
        let Shape::Move { from, to, promotion } = &element.shape else { return None };
        let position = &self.player.position;
        let place = |at: &raw::Coordinate| {
            let timeline = at.timeline.timeline(position.parity())?;
            let half_turn = HalfTurn::new(at.turn, position.to_move());
            let square = self.base.square(position, at).ok()?;
            Some(Place { board: BoardCoordinate { timeline, half_turn }, square })
        };
        let (from, to) = (place(from)?, place(to)?);
        if line.start != to.board.half_turn.next() {
            return Some(false);
        }
        let piece = position.board(from.board)?.get(from.square)?;
        let mut board = *position.board(to.board)?;
        let kind = promotion.unwrap_or(piece.kind);
        board.put(to.square, Piece { kind, ..piece }, false);
        let found = Board::from_rows(line.rows.of(self.text), Some(position.size())).ok()?;
        Some(same_pieces(&board, &found))
    }

    /// Makes one move of a line and compares the timeline that it creates with its line.
    fn make(&mut self, index: usize, element: &Element) -> Result<(), ReadError> {
        let position = &self.player.position;
        let before = self.player.made().len();
        let created = position.multiverse().next_timeline(position.to_move());
        let own = Timeline(self.lowest + index as i16);
        if element.shape == Shape::Null {
            return Err(null_move(element));
        }
        let source = match &element.shape {
            Shape::Move { from, .. } => from.timeline,
            Shape::Castling { timeline, .. } => *timeline,
            Shape::Null => Label { sign: None, number: 0 },
        };
        if raw::timeline(source, position.parity(), element.span)? != own {
            let message = format!(
                "this is the line of timeline {}: a move of it leaves there",
                position.parity().label(own)
            );
            return Err(Issue::new("wrong-timeline", element.span, message).illegal());
        }
        raw::push(&mut self.player, element, self.base)?;
        self.made[index] += 1;
        match self.player.made().get(before) {
            Some(m) if m.kind == MoveKind::Hop => {
                let message = "a move to the last board of another timeline cannot be written by timelines";
                let hint = "the later form has all moves in its last line";
                Err(Issue::new("arrival-on-timeline", element.span, message).hint(hint).illegal())
            }
            Some(m) if m.kind == MoveKind::Branch => {
                let start = m.to.board.half_turn.next();
                self.check_created(created, start, element.span)
            }
            _ => Ok(()),
        }
    }

    fn check_created(&mut self, created: Timeline, start: HalfTurn, span: Span) -> Result<(), ReadError> {
        let record = self.record;
        let label = self.player.position.parity().label(created).to_string();
        let index = usize::try_from(i32::from(created.0) - i32::from(self.lowest)).ok();
        let Some(line) = index.and_then(|index| record.lines.get(index)) else {
            let message = format!("the move creates timeline {label}, which has no line");
            return Err(Issue::new("missing-timeline", span, message).illegal());
        };
        if line.start != start {
            let (is, said) = (start_text(start), start_text(line.start));
            let message = format!("timeline {label} starts at {is}, where its move arrives, not at {said}");
            return Err(Issue::new("created-board-differs", line.span, message).illegal());
        }
        let at = BoardCoordinate { timeline: created, half_turn: start };
        let made = *self.player.position.board(at).expect("the board was just made");
        let size = self.player.position.size();
        let written = rows(self.text, line, size)?;
        if !same_pieces(&made, &written) {
            let message = format!("this is not the board that the move to timeline {label} makes");
            let hint = format!("the move makes {}", plain_rows(&made));
            return Err(Issue::new("created-board-differs", line.rows, message).hint(hint).illegal());
        }
        let rights = castling_rights(&made);
        let said = line.castling.of(self.text);
        if rights != said && !(rights.is_empty() && said == "-") {
            let message = format!("the castling rights on timeline {label} are `{rights}`");
            self.player.warn("castling-differs", line.castling, message);
        }
        Ok(())
    }

    /// No move can be made any more; each one that is left has its reason.
    fn left_over(&self) -> Result<(), ReadError> {
        for (index, line) in self.record.lines.iter().enumerate() {
            let Some(element) = line.elements.get(self.made[index]) else { continue };
            let position = &self.player.position;
            let label = position.parity().label(Timeline(self.lowest + index as i16));
            let message =
                format!("this move cannot be made: timeline {label} waits for {}", !position.to_move());
            return Err(Issue::new("not-playable", element.span, message).illegal());
        }
        Ok(())
    }

    fn check_player(&mut self) {
        let to_move = self.player.position.to_move();
        if let Some(said) = self.record.header.to_move.filter(|&said| said != to_move) {
            let message = format!("the header says that {said} is to move, but {to_move} is");
            self.player.warn("wrong-player", self.record.header.span, message);
        }
    }
}

fn null_move(element: &Element) -> ReadError {
    let message = "a null move passes, and nobody may pass in this game";
    Issue::new("null-move", element.span, message).illegal()
}

/// The lines of the start timelines. In the seed form a jump of White adds a line at the end, one of Black at the
/// beginning.
fn origins(record: &Record) -> Result<std::ops::Range<usize>, ReadError> {
    let mut created = [0usize; 2];
    for line in &record.lines {
        // A timeline from turn zero has its second board before the first move.
        let first = if line.start == HalfTurn::new(0, Color::Black) { line.start.next() } else { line.start };
        let mut mover = first.color();
        for element in &line.elements {
            if let Shape::Move { from, to, .. } = &element.shape
                && (from.turn, from.timeline) != (to.turn, to.timeline)
            {
                created[mover.index()] += 1;
            }
            mover = !mover;
        }
    }
    let [above, below] = created;
    let end = record.lines.len().checked_sub(above).filter(|&end| end > below);
    end.map(|end| below..end).ok_or_else(|| {
        let message =
            format!("{} moves create timelines, but only {} are listed", above + below, record.lines.len());
        Issue::new("missing-timeline", record.header.span, message).illegal()
    })
}

/// What pawns become, as far as the moves show it.
fn profile(record: &Record) -> RuleProfile {
    let elements = record.lines.iter().flat_map(|line| &line.elements).chain(&record.moves);
    let promotions = elements.fold(Promotions::QUEEN, |set, element| match element.shape {
        Shape::Move { promotion: Some(kind), .. } => set.with(kind).unwrap_or(set),
        _ => set,
    });
    RuleProfile { promotions, ..RuleProfile::default() }
}

/// The pieces of a line, none of them unmoved.
fn rows(text: &str, line: &Line, size: BoardSize) -> Result<Board, ReadError> {
    Board::from_rows(line.rows.of(text), Some(size)).map_err(|error| {
        let start = line.rows.start as usize;
        let span = Span::new(start + error.at.start, start + error.at.end);
        Issue::new("malformed-pieces", span, error.to_string()).malformed()
    })
}

/// The board of a line, with what is known about unmoved pieces.
fn read_board(
    text: &str,
    line: &Line,
    size: BoardSize,
    pawns: UnmovedPawns,
    warnings: &mut Vec<Issue>,
) -> Result<Board, ReadError> {
    let mut board = rows(text, line, size)?;
    for (square, piece) in board.pieces().collect::<Vec<_>>() {
        if piece.kind.is_pawn_like() {
            let unmoved = match pawns {
                UnmovedPawns::All => true,
                UnmovedPawns::None => false,
                UnmovedPawns::StartRank => square.rank() == start_rank(piece.color, size),
            };
            board.put(square, piece, unmoved);
        }
    }
    let rights = line.castling.of(text);
    for (index, letter) in rights.char_indices().filter(|_| rights != "-") {
        let start = line.castling.start as usize + index;
        let span = Span::new(start, start + letter.len_utf8());
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let side = match letter.to_ascii_uppercase() {
            'K' => 1,
            'Q' => -1,
            _ => {
                let message = format!("expected `K`, `Q`, `k` or `q`, but found `{letter}`");
                return Err(Issue::new("malformed-castling", span, message).malformed());
            }
        };
        match castling_pair(&board, color, side, size) {
            Some((king, rook)) => {
                board.put(king, Piece { color, kind: PieceKind::King }, true);
                board.put(rook, Piece { color, kind: PieceKind::Rook }, true);
            }
            None => {
                let message = format!("`{letter}` needs a {color} king and a rook on their first rank");
                warnings.push(Issue::new("castling-without-rook", span, message));
            }
        }
    }
    Ok(board)
}

/// The rank on which the pawns of a player start.
fn start_rank(color: Color, size: BoardSize) -> u8 {
    match color {
        Color::White => 1,
        Color::Black => size.height().saturating_sub(2),
    }
}

/// The king and the outermost rook on one side of it, on the first rank of their player.
fn castling_pair(board: &Board, color: Color, side: i8, size: BoardSize) -> Option<(Square, Square)> {
    let rank = if color == Color::White { 0 } else { size.height() - 1 };
    let on = |kind| {
        (0..size.width())
            .filter_map(move |file| Square::new(file, rank))
            .filter(move |&square| board.get(square) == Some(Piece { color, kind }))
    };
    let king = on(PieceKind::King).next()?;
    let rook = if side > 0 { on(PieceKind::Rook).next_back() } else { on(PieceKind::Rook).next() }?;
    let right_side = (rook.file() > king.file()) == (side > 0);
    right_side.then_some((king, rook))
}

/// The castling rights that a board shows: an unmoved king and the outermost rook, unmoved, on each side.
fn castling_rights(board: &Board) -> String {
    let size = board.size();
    let mut rights = String::new();
    for (color, side, letter) in
        [(Color::White, 1, 'K'), (Color::White, -1, 'Q'), (Color::Black, 1, 'k'), (Color::Black, -1, 'q')]
    {
        let pair = castling_pair(board, color, side, size);
        if pair.is_some_and(|(king, rook)| board.is_unmoved(king) && board.is_unmoved(rook)) {
            rights.push(letter);
        }
    }
    rights
}

fn same_pieces(a: &Board, b: &Board) -> bool {
    a.pieces().eq(b.pieces())
}

/// The pieces without marks of unmoved ones.
fn plain_rows(board: &Board) -> String {
    board.rows().to_string().replace('*', "")
}

/// `w1`
fn start_text(start: HalfTurn) -> String {
    format!("{}{}", start.color().letter(), start.turn())
}

/// Whether a text with this beginning is in this notation: two numbers and `;`.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let text = head.text.trim_start_matches(|c: char| c == '>' || c.is_ascii_whitespace());
    let mut cursor = Cursor::new(text);
    (0..2).all(|_| {
        cursor.skip_blanks();
        let number = cursor.number().is_some();
        cursor.skip_blanks();
        number && cursor.eat(";")
    })
}

// Writing

/// A game in the seed form if that holds it, in the origins form otherwise, and what is lost by it.
///
/// # Errors
///
/// When the start has boards before the first one of a timeline.
pub fn write_game(game: &Game) -> Result<Written, Unwritable> {
    let seed = write(game, Generation::Seed);
    let text = match seed {
        Ok(text) if leads_back(&text, game) => text,
        _ => write(game, Generation::Origins)?,
    };
    let mut losses = game.losses_of_headers();
    losses.extend(losses_of_start(game));
    losses.extend(game.loss_of_result());
    Ok(Written::new(text, losses))
}

/// Whether the actions are read back as they are, whatever becomes of the marks of unmoved pieces.
fn leads_back(text: &str, game: &Game) -> bool {
    let reading = read(text, &Options::default());
    let read = reading.error.is_none() && reading.game.is_some_and(|read| read.actions == game.actions);
    read || {
        // Pawns that have moved may stand where others start.
        let options = Options { unmoved_pawns: UnmovedPawns::All, ..Options::default() };
        let reading = self::read(text, &options);
        reading.error.is_none() && reading.game.is_some_and(|read| read.actions == game.actions)
    }
}

fn losses_of_start(game: &Game) -> Vec<Loss> {
    let start = &game.start;
    let mut losses = Vec::new();
    let mut unmoved = [false; 2];
    for (_, board) in start.multiverse().boards() {
        let kings: Vec<Square> = [Color::White, Color::Black]
            .into_iter()
            .flat_map(|color| [1, -1].map(|side| (color, side)))
            .filter_map(|(color, side)| castling_pair(board, color, side, start.size()))
            .filter(|&(king, rook)| board.is_unmoved(king) && board.is_unmoved(rook))
            .flat_map(|(king, rook)| [king, rook])
            .collect();
        for (square, piece) in board.pieces() {
            let (is, read) = match piece.kind {
                PieceKind::Pawn | PieceKind::Brawn => {
                    (board.is_unmoved(square), square.rank() == start_rank(piece.color, start.size()))
                }
                PieceKind::King | PieceKind::Rook => (board.is_unmoved(square), kings.contains(&square)),
                _ => continue,
            };
            unmoved[usize::from(piece.kind.is_pawn_like())] |= is != read;
        }
    }
    let [pieces, pawns] = unmoved;
    if pawns {
        losses.push(Loss::new("which pawns have never moved: those on their second rank are read so"));
    }
    if pieces {
        losses.push(Loss::new("that kings or rooks have never moved which cannot castle"));
    }
    let used = game.actions.iter().flat_map(|action| action.moves()).filter_map(|m| m.promotion);
    let shown = used.fold(Promotions::QUEEN, |set, kind| set.with(kind).unwrap_or(set));
    if start.profile() != (RuleProfile { promotions: shown, ..RuleProfile::default() }) {
        losses.push(Loss::new("the rules in force, such as promotions"));
    }
    losses
}

/// A game in one of the forms, whether or not that says everything.
///
/// # Errors
///
/// When the start has boards before the first one of a timeline; in the seed form also when a piece goes to the last
/// board of another timeline.
pub fn write(game: &Game, generation: Generation) -> Result<String, Unwritable> {
    check_start(&game.start)?;
    match generation {
        Generation::Seed => write_seed(game),
        Generation::Origins => Ok(write_origins(game)),
    }
}

/// Every timeline must start with one board, or two equal ones from turn zero on.
fn check_start(start: &Position) -> Result<(), Unwritable> {
    let multiverse = start.multiverse();
    for timeline in multiverse.timelines() {
        let Some((first, last)) = multiverse.span(timeline) else { continue };
        let board = |half_turn| multiverse.board(BoardCoordinate { timeline, half_turn });
        let zero = first == HalfTurn::new(0, Color::Black);
        if first != last && !(zero && last == first.next() && board(first) == board(last)) {
            let label = start.parity().label(timeline);
            let reason =
                format!("timeline {label} starts with several boards: a game cannot start in the middle");
            return Err(Unwritable::new(reason));
        }
        if zero && first == last {
            let reason = "a game in which Black begins at turn 0 is read as one with another board at turn 1";
            return Err(Unwritable::new(reason));
        }
    }
    Ok(())
}

fn write_seed(game: &Game) -> Result<String, Unwritable> {
    let parity = game.start.parity();
    let (start_low, start_high) = game.start.multiverse().range();
    let mut position = game.start.clone();
    let mut moves: Vec<(Timeline, String)> = Vec::new();
    for (index, action) in game.actions.iter().enumerate() {
        for m in action.moves() {
            if m.kind == MoveKind::Hop {
                let reason = "a move to the last board of another timeline cannot be written by timelines";
                return Err(Unwritable::at(index, reason));
            }
            moves.push((m.from.board.timeline, raw::move_text(&position, m)));
        }
        position.play_unchecked(action);
    }
    let multiverse = position.multiverse();
    let (lowest, highest) = multiverse.range();
    // A stable sort leaves the moves of a timeline in their order.
    moves.sort_by_key(|(timeline, _)| *timeline);
    let mut moves = moves.into_iter().peekable();
    let flag = if parity == Parity::Even { 'T' } else { 'F' };
    let mut text = format!(
        "{};{};{};{};{};{flag}\n",
        position.size().width(),
        position.size().height(),
        i32::from(highest.0) - i32::from(lowest.0) + 1,
        parity.label(lowest),
        position.to_move().letter(),
    );
    for timeline in multiverse.timelines() {
        let origin = (start_low..=start_high).contains(&timeline);
        let source = if origin { game.start.multiverse() } else { multiverse };
        push_line(&mut text, source, timeline);
        let mut own = Vec::new();
        while let Some((_, m)) = moves.next_if(|(of, _)| *of == timeline) {
            own.push(m);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, ";{};{}", own.len(), own.join(";"));
    }
    Ok(text)
}

fn write_origins(game: &Game) -> String {
    let start = &game.start;
    let multiverse = start.multiverse();
    let (lowest, highest) = multiverse.range();
    let mut position = start.clone();
    let mut actions = Vec::new();
    for action in &game.actions {
        actions.push(action_text(&position, action));
        position.play_unchecked(action);
    }
    let mut text = format!(
        "{};{};{};{};{};{}\n",
        start.size().width(),
        start.size().height(),
        u8::from(start.parity() == Parity::Even),
        i32::from(highest.0) - i32::from(lowest.0) + 1,
        start.parity().label(lowest),
        position.to_move().letter(),
    );
    for timeline in multiverse.timelines() {
        push_line(&mut text, multiverse, timeline);
        text.push('\n');
    }
    if !actions.is_empty() {
        text.push_str(&actions.join(";"));
        text.push('\n');
    }
    text
}

fn action_text(position: &Position, action: &Action) -> String {
    raw::action_text(position, action)
}

/// `pieces;castling;en passant;start` of the first board of a timeline.
fn push_line(text: &mut String, multiverse: &crate::state::Multiverse, timeline: Timeline) {
    let Some((first, _)) = multiverse.span(timeline) else { return };
    let board =
        multiverse.board(BoardCoordinate { timeline, half_turn: first }).expect("the first board exists");
    // Writing to a string cannot fail.
    let _ = write!(text, "{};{};-;{}", plain_rows(board), castling_rights(board), start_text(first));
}
