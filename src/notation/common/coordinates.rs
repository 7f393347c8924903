//! Raw coordinate moves `(x,y,T,L)(x,y,T,L)`, a part of the grammars of two notations.

use std::fmt::Write as _;

use super::cursor::Cursor;
use super::describe::castling;
use super::error::{Issue, ParseError};
use super::label::Label;
use super::move_text;
use super::options::Options;
use super::replay::{CoordinateMove, Replay};
use super::span::Span;
use crate::state::Position;
use crate::types::{
    Action, BoardCoordinate, Coordinate, HalfTurn, Move, MoveKind, PieceKind, Promotions, Square, Timeline,
};

/// `(x,y,T,L)` as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawCoordinate {
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
    /// The kind of move.
    pub shape: Shape,
}

/// The kinds of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `(1,2,1,0)(1,4,1,0)`
    Move {
        /// The square that the piece leaves.
        from: RawCoordinate,
        /// The square that it enters.
        to: RawCoordinate,
        /// `=Q`
        promotion: Option<PieceKind>,
    },
    /// `O-O,0` or `O-O-O,0`
    Castling {
        /// `2` to the right, `-2` to the left.
        files: i8,
        /// The timeline of the king.
        timeline: Label,
    },
    /// `0000`
    Null,
}

/// Reads moves up to the end of the line.
pub(crate) fn elements(cursor: &mut Cursor<'_>) -> Result<Vec<Element>, ParseError> {
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

fn element(cursor: &mut Cursor<'_>) -> Result<Element, ParseError> {
    let start = cursor.at;
    if cursor.eat("0000") {
        return Ok(Element { span: cursor.span_from(start), shape: Shape::Null });
    }
    if let Some(files) = cursor.castling().and_then(move_text::Shape::castling) {
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
        let kind =
            cursor.peek().and_then(|byte| PieceKind::try_from(char::from(byte.to_ascii_uppercase())).ok());
        if kind.is_none() {
            return Err(cursor.missing_promotion().malformed());
        }
        cursor.at += 1;
        kind
    } else {
        None
    };
    Ok(Element { span: cursor.span_from(start), shape: Shape::Move { from, to, promotion } })
}

fn coordinate(cursor: &mut Cursor<'_>) -> Result<RawCoordinate, ParseError> {
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
        return Err(cursor.expected("unclosed-coordinate", "`)` at the end of the coordinate").malformed());
    }
    Ok(RawCoordinate { span: cursor.span_from(start), x, y, turn, timeline })
}

/// The promotions that the moves show: to a queen, and those that are written.
pub(crate) fn promotions_in<'e>(elements: impl Iterator<Item = &'e Element>) -> Promotions {
    elements.fold(Promotions::QUEEN, |set, element| match element.shape {
        Shape::Move { promotion: Some(kind), .. } => set.with(kind).unwrap_or(set),
        _ => set,
    })
}

/// The number of the first file and rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    Zero,
    One,
}

impl Base {
    /// The base in which a text is written.
    pub fn to_write(options: &Options) -> Base {
        if options.zero_based { Base::Zero } else { Base::One }
    }

    /// The number of a file or rank.
    const fn number(self, side: u8) -> u8 {
        match self {
            Base::Zero => side,
            Base::One => side + 1,
        }
    }

    /// The base that the options give, or else the one that the text needs. Warns if only the text shows that
    /// it counts from 0.
    pub fn of<'e>(
        options: &Options,
        elements: impl Iterator<Item = &'e Element>,
        warnings: &mut Vec<Issue>,
    ) -> Base {
        if options.zero_based {
            return Base::Zero;
        }
        let is_zero = |at: &RawCoordinate| at.x == 0 || at.y == 0;
        let zero = elements
            .filter_map(|element| match &element.shape {
                Shape::Move { from, to, .. } => [from, to].into_iter().find(|at| is_zero(at)),
                _ => None,
            })
            .next();
        let Some(zero) = zero else { return Base::One };
        let message = "read with files and ranks counted from 0, because one of them is 0";
        warnings.push(Issue::new("zero-based", zero.span, message));
        Base::Zero
    }

    /// The square of a coordinate.
    pub fn square(self, position: &Position, at: &RawCoordinate) -> Result<Square, ParseError> {
        let from_zero = |n: u32| match self {
            Base::Zero => Some(n),
            Base::One => n.checked_sub(1),
        };
        let side = |n: u32| from_zero(n).and_then(|n| u8::try_from(n).ok());
        let square = side(at.x).zip(side(at.y)).and_then(|(file, rank)| Square::new(file, rank));
        square.filter(|square| position.size().contains(*square)).ok_or_else(|| {
            let message = format!("there is no such square on a board of {}", position.size());
            Issue::new("outside-board", at.span, message).illegal()
        })
    }
}

/// Makes one move. A null move makes none.
pub(crate) fn push(player: &mut Replay, element: &Element, base: Base) -> Result<(), ParseError> {
    let parity = player.position.parity();
    match &element.shape {
        Shape::Null => {}
        Shape::Castling { files, timeline: label } => {
            let timeline = label.timeline_at(parity, element.span)?;
            let m = player.castling(timeline, *files, element.span)?;
            player.push_move(m, element.span)?;
        }
        Shape::Move { from, to, promotion } => {
            let wanted = CoordinateMove {
                from: place(player, from, base)?,
                to: place(player, to, base)?,
                promotion: *promotion,
            };
            player.push(wanted, element.span)?;
        }
    }
    Ok(())
}

fn place(player: &Replay, at: &RawCoordinate, base: Base) -> Result<Coordinate, ParseError> {
    let timeline = at.timeline.timeline_at(player.position.parity(), at.span)?;
    let half_turn = HalfTurn::new(at.turn, player.position.to_move());
    Ok(Coordinate {
        board: BoardCoordinate { timeline, half_turn },
        square: base.square(&player.position, at)?,
    })
}

/// The moves of an action that can be played in this position, with files and ranks from 1.
pub fn action_text(position: &Position, action: &Action) -> String {
    action_text_from(Base::One, position, action)
}

/// The moves of an action that can be played in this position.
pub(crate) fn action_text_from(base: Base, position: &Position, action: &Action) -> String {
    let mut moves = action.moves().to_vec();
    sort(&mut moves);
    let texts: Vec<String> = moves.iter().map(|m| move_text(base, position, m)).collect();
    texts.join(";")
}

/// Puts the moves of an action into the order in which they are written.
pub(crate) fn sort(moves: &mut [Move]) {
    // Branches keep their order behind the others.
    moves.sort_by_key(|m| match m.kind {
        MoveKind::Branch => (true, Timeline(0)),
        MoveKind::Physical | MoveKind::Hop => (false, m.to.board.timeline),
    });
}

/// One move. The boards that it leaves and enters must exist.
pub(crate) fn move_text(base: Base, position: &Position, m: &Move) -> String {
    let mut text = String::new();
    write_move(&mut text, base, position, m);
    text
}

/// Appends one move to a text; see [`move_text`].
pub(crate) fn write_move(text: &mut String, base: Base, position: &Position, m: &Move) {
    let label = |timeline| position.parity().label(timeline);
    if let Some(castling) = castling(position, m) {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "{castling},{}", label(m.from.board.timeline));
        return;
    }
    for place in [m.from, m.to] {
        let Coordinate { board, square } = place;
        let (turn, label) = (board.half_turn.turn(), label(board.timeline));
        let (file, rank) = (base.number(square.file()), base.number(square.rank()));
        let _ = write!(text, "({file},{rank},{turn},{label})");
    }
    if let Some(kind) = m.promotion {
        text.push('=');
        text.push(kind.letter());
    }
}
