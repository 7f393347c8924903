//! Raw coordinate moves, as an open GUI for engines writes them: one turn in each line.
//!
//! ```text
//! (7,1,1,0)(6,3,1,0)
//! (7,8,1,0)(6,6,1,0)
//! (6,3,2,0)(6,5,1,0)
//! ```
//!
//! A move is two coordinates `(x,y,T,L)`: file and rank, both counted from 1, the turn that both players share, and the
//! timeline. Moves of one turn are separated by `;`. `=Q` after a move promotes, `O-O,0` castles on timeline 0, and `0000`
//! is a null move. The grammar is in `spec/notation-raw.md`.
//!
//! The notation has no header, start position or result: a game that starts elsewhere than `Standard` needs its start
//! beside the text ([`Options::start`]).
//!
//! # Relaxations
//!
//! [`write_game`] prints one form of each game: moves within boards and to last boards by the timeline to which they go,
//! lowest first, then those that create timelines, in their order. These are accepted too:
//!
//! * moves in any order in which they can be made;
//! * blanks, empty lines, `;` at the end of a line, a comma before the closing parenthesis, `>` in front of a line;
//! * files and ranks counted from 0, if [`Options::zero_based`] says so, or with a warning if one of them is 0;
//! * `+1` for timeline 1;
//! * a small letter after `=`; a promotion without `=Q` is one to a queen, or to the only kind that is allowed, with a
//!   warning where there is a choice;
//! * castling with zeros, for kings on the e-file, and as the king's move for every king;
//! * with a warning: `0000` beside other moves, where it means nothing. Alone it passes, which no rule allows.

use std::fmt::Write as _;

use super::cursor::{Cursor, Label};
use super::format::{Head, Options};
use super::pgn5d::castling;
use super::play::{Player, Wanted, start_or_standard, starts_as_standard};
use super::{Game, Issue, Loss, ReadError, Reading, Span, Unwritable, Written};
use crate::state::Position;
use crate::types::{
    Action, BoardCoordinate, HalfTurn, Move, MoveKind, Parity, PieceKind, Place, Square, Timeline,
};

/// `(x,y,T,L)` as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate {
    /// All of it.
    pub span: Span,
    /// The file.
    pub x: u32,
    /// The rank.
    pub y: u32,
    /// The turn.
    pub turn: i16,
    /// The timeline.
    pub timeline: Label,
}

/// One move as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub shape: Shape,
}

/// What a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `(1,2,1,0)(1,4,1,0)`
    Move {
        /// Where the piece stands.
        from: Coordinate,
        /// Where it goes.
        to: Coordinate,
        /// `=Q`
        promotion: Option<PieceKind>,
    },
    /// `O-O,0` or `O-O-O,0`
    Castling {
        /// `2` to the right, `-2` to the left.
        files: i8,
        /// On which timeline.
        timeline: Label,
    },
    /// `0000`
    Null,
}

/// The moves of one player's turn as they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// From the first move to the last.
    pub span: Span,
    /// The moves, in order.
    pub elements: Vec<Element>,
}

impl Turn {
    /// Whether the player passes.
    pub fn is_null(&self) -> bool {
        self.elements.iter().all(|element| element.shape == Shape::Null)
    }
}

/// What a text says, before anyone has asked what it means, and why it could not be parsed to its end.
///
/// ```
/// use worldlines::notation::raw;
///
/// let (turns, error) = raw::parse("(1,2,1,0)(1,4,1,0);O-O,1\n0000\n");
/// assert_eq!(error, None);
/// assert_eq!((turns[0].elements.len(), turns[1].is_null()), (2, true));
/// ```
pub fn parse(text: &str) -> (Vec<Turn>, Option<ReadError>) {
    let mut turns = Vec::new();
    let mut cursor = Cursor::new(text);
    cursor.eat("\u{feff}");
    loop {
        cursor.skip_while(|byte| byte.is_ascii_whitespace() || byte == b'>');
        if cursor.is_at_end() {
            return (turns, None);
        }
        match turn(&mut cursor) {
            Ok(turn) => turns.push(turn),
            Err(error) => return (turns, Some(error)),
        }
    }
}

/// Steps over one line.
fn turn(cursor: &mut Cursor<'_>) -> Result<Turn, ReadError> {
    let start = cursor.at;
    let elements = elements(cursor)?;
    let span =
        elements.last().map_or(cursor.span_from(start), |last| Span::new(start, last.span.end as usize));
    Ok(Turn { span, elements })
}

/// Steps over moves up to the end of the line.
pub(super) fn elements(cursor: &mut Cursor<'_>) -> Result<Vec<Element>, ReadError> {
    let mut elements = Vec::new();
    loop {
        cursor.skip_blanks();
        elements.push(element(cursor)?);
        cursor.skip_blanks();
        let separated = cursor.eat(";");
        cursor.skip_blanks();
        match cursor.peek() {
            None | Some(b'\n' | b'\r') => return Ok(elements),
            Some(_) if separated => {}
            Some(_) => {
                let issue = cursor.expected("unexpected-character", "`;` or the end of the line");
                return Err(issue.malformed());
            }
        }
    }
}

fn element(cursor: &mut Cursor<'_>) -> Result<Element, ReadError> {
    const CASTLING: [(&str, i8); 4] = [("O-O-O", -2), ("0-0-0", -2), ("O-O", 2), ("0-0", 2)];
    let start = cursor.at;
    if cursor.eat("0000") {
        return Ok(Element { span: cursor.span_from(start), shape: Shape::Null });
    }
    if let Some((_, files)) = CASTLING.into_iter().find(|(form, _)| cursor.eat(form)) {
        cursor.skip_blanks();
        if !cursor.eat(",") {
            let issue = cursor.expected("missing-timeline", "a comma and the timeline after castling");
            return Err(issue.hint("castling on timeline 0 reads `O-O,0`").malformed());
        }
        cursor.skip_blanks();
        let Some(timeline) = cursor.label()? else {
            return Err(cursor.expected("missing-timeline", "a timeline number").malformed());
        };
        return Ok(Element { span: cursor.span_from(start), shape: Shape::Castling { files, timeline } });
    }
    let from = coordinate(cursor)?;
    cursor.skip_blanks();
    let to = coordinate(cursor)?;
    let promotion = if cursor.eat("=") {
        let kind = cursor.peek().and_then(|byte| PieceKind::from_letter(byte.to_ascii_uppercase().into()));
        if kind.is_none() {
            let issue = cursor.expected("missing-promotion", "the letter of a piece after `=`");
            return Err(issue.malformed());
        }
        cursor.at += 1;
        kind
    } else {
        None
    };
    Ok(Element { span: cursor.span_from(start), shape: Shape::Move { from, to, promotion } })
}

fn coordinate(cursor: &mut Cursor<'_>) -> Result<Coordinate, ReadError> {
    let start = cursor.at;
    if !cursor.eat("(") {
        let issue = cursor.expected("missing-coordinate", "a coordinate `(x,y,T,L)`");
        return Err(issue.malformed());
    }
    let number = |cursor: &mut Cursor<'_>, what: &str| {
        cursor.skip_blanks();
        cursor.number().ok_or_else(|| cursor.expected("missing-number", what).malformed())
    };
    let comma = |cursor: &mut Cursor<'_>| {
        cursor.skip_blanks();
        let issue = cursor.expected("missing-comma", "a comma");
        if cursor.eat(",") { Ok(()) } else { Err(issue.hint("a coordinate reads `(x,y,T,L)`").malformed()) }
    };
    let x = number(cursor, "the number of a file")?;
    comma(cursor)?;
    let y = number(cursor, "the number of a rank")?;
    comma(cursor)?;
    cursor.skip_blanks();
    let turn = cursor.turn()?;
    comma(cursor)?;
    cursor.skip_blanks();
    let Some(timeline) = cursor.label()? else {
        return Err(cursor.expected("missing-timeline", "a timeline number").malformed());
    };
    cursor.skip_blanks();
    if cursor.eat(",") {
        cursor.skip_blanks();
    }
    if !cursor.eat(")") {
        return Err(cursor.expected("unclosed-coordinate", "`)`").malformed());
    }
    Ok(Coordinate { span: cursor.span_from(start), x, y, turn, timeline })
}

/// From where files and ranks are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    Zero,
    One,
}

impl Base {
    /// What is asked for, or what the text cannot do without, which is a warning.
    pub fn of<'e>(
        options: &Options,
        elements: impl Iterator<Item = &'e Element>,
        warnings: &mut Vec<Issue>,
    ) -> Base {
        if options.zero_based {
            return Base::Zero;
        }
        let is_zero = |at: &Coordinate| at.x == 0 || at.y == 0;
        let zero = elements
            .filter_map(|element| match &element.shape {
                Shape::Move { from, to, .. } => [from, to].into_iter().find(|at| is_zero(at)),
                _ => None,
            })
            .next();
        let Some(zero) = zero else { return Base::One };
        let message = "files and ranks are counted from 0 in this text, because one of them is 0";
        warnings.push(Issue::new("zero-based", zero.span, message));
        Base::Zero
    }

    /// The square of a coordinate.
    pub fn square(self, position: &Position, at: &Coordinate) -> Result<Square, ReadError> {
        let from_zero = |n: u32| match self {
            Base::Zero => Some(n),
            Base::One => n.checked_sub(1),
        };
        let side = |n: u32| from_zero(n).and_then(|n| u8::try_from(n).ok());
        let square = side(at.x).zip(side(at.y)).and_then(|(file, rank)| Square::new(file, rank));
        square.filter(|square| position.size().contains(*square)).ok_or_else(|| {
            let message = format!("there is no such square on boards of {}", position.size());
            Issue::new("outside-board", at.span, message).illegal()
        })
    }
}

/// The timeline that a label means.
pub(super) fn timeline(label: Label, parity: Parity, span: Span) -> Result<Timeline, ReadError> {
    label.timeline(parity).ok_or_else(|| {
        let message = "expected `-0` or `+0`: this game has both";
        Issue::new("unsigned-zero", span, message).ambiguous()
    })
}

/// Makes one move. A null move makes none.
pub(super) fn push(player: &mut Player, element: &Element, base: Base) -> Result<(), ReadError> {
    let parity = player.position.parity();
    match &element.shape {
        Shape::Null => {}
        Shape::Castling { files, timeline: label } => {
            let timeline = timeline(*label, parity, element.span)?;
            let m = player.castling(timeline, *files, element.span)?;
            player.push_move(m, element.span)?;
        }
        Shape::Move { from, to, promotion } => {
            let wanted = Wanted {
                from: place(player, from, base)?,
                to: place(player, to, base)?,
                promotion: *promotion,
            };
            player.push(wanted, element.span)?;
        }
    }
    Ok(())
}

fn place(player: &Player, at: &Coordinate, base: Base) -> Result<Place, ReadError> {
    let timeline = timeline(at.timeline, player.position.parity(), at.span)?;
    let half_turn = HalfTurn::new(at.turn, player.position.to_move());
    Ok(Place { board: BoardCoordinate { timeline, half_turn }, square: base.square(&player.position, at)? })
}

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::{format::Options, raw};
///
/// let text = "(5,2,1,0)(5,4,1,0)\n(5,7,1,0)(5,5,1,0)\n";
/// assert_eq!(raw::read(text, &Options::default()).game.unwrap().actions.len(), 2);
/// ```
pub fn read(text: &str, options: &Options) -> Reading {
    let mut player = Player::new(start_or_standard(options.start.as_ref()));
    let (turns, malformed) = parse(text);
    let elements = turns.iter().flat_map(|turn| &turn.elements);
    let base = Base::of(options, elements, &mut player.warnings);
    for turn in &turns {
        if let Err(error) = play(&mut player, turn, base) {
            let error = player.in_action(error);
            return player.finish(Some(error));
        }
    }
    player.finish(malformed)
}

fn play(player: &mut Player, turn: &Turn, base: Base) -> Result<(), ReadError> {
    if turn.is_null() {
        let message = "a null move passes, and nobody may pass in this game";
        return Err(Issue::new("null-move", turn.span, message).illegal());
    }
    for element in &turn.elements {
        if element.shape == Shape::Null {
            player.warn("needless-null-move", element.span, "a null move beside other moves means nothing");
        }
        push(player, element, base)?;
    }
    player.submit(turn.span)
}

/// Whether a text with this beginning is in this notation.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let text = head.text.trim_start_matches(|c: char| c == '>' || c.is_ascii_whitespace());
    let coordinate = text.strip_prefix('(').is_some_and(|rest| {
        let digits = rest.trim_ascii_start().trim_start_matches(|c: char| c.is_ascii_digit());
        digits.len() < rest.len() && digits.trim_ascii_start().starts_with(',')
    });
    coordinate || ["O-O,", "O-O-O,", "0000"].iter().any(|word| text.starts_with(word))
}

/// A game in canonical form, and what is lost by it.
///
/// # Errors
///
/// Never.
pub fn write_game(game: &Game) -> Result<Written, Unwritable> {
    let mut losses = game.losses_of_headers();
    if !starts_as_standard(game) {
        let what = "the start position, which is not that of `Standard`: reading needs it beside the text";
        losses.push(Loss::new(what));
    }
    losses.extend(game.loss_of_result());
    Ok(Written::new(write(game), losses))
}

/// The actions of a game, one in each line.
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    let mut position = game.start.clone();
    for action in &game.actions {
        text.push_str(&action_text(&position, action));
        text.push('\n');
        position.play_unchecked(action);
    }
    text
}

/// The moves of an action that can be played in this position.
pub fn action_text(position: &Position, action: &Action) -> String {
    let mut moves: Vec<&Move> = action.moves().iter().collect();
    // Branches keep their order behind the others.
    moves.sort_by_key(|m| match m.kind {
        MoveKind::Branch => (true, Timeline(0)),
        MoveKind::Physical | MoveKind::Hop => (false, m.to.board.timeline),
    });
    let texts: Vec<String> = moves.into_iter().map(|m| move_text(position, m)).collect();
    texts.join(";")
}

/// One move. The boards that it leaves and enters must exist.
pub(super) fn move_text(position: &Position, m: &Move) -> String {
    let label = |timeline| position.parity().label(timeline);
    if let Some(castling) = castling(position, m) {
        return format!("{castling},{}", label(m.from.board.timeline));
    }
    let mut text = String::new();
    for place in [m.from, m.to] {
        let Place { board, square } = place;
        let (turn, label) = (board.half_turn.turn(), label(board.timeline));
        // Writing to a string cannot fail.
        let _ = write!(text, "({},{},{turn},{label})", square.file() + 1, square.rank() + 1);
    }
    if let Some(kind) = m.promotion {
        text.push('=');
        text.push(kind.letter());
    }
    text
}
