//! Moves that are given to the object API as JSON: Move and Action objects, and arrays of numbers.
//!
//! A move is a Move object, or `[[timeline,turn,rank,file],[timeline,turn,rank,file,piece]]` in [raw](super::raw) indices, where the
//! number of a piece is what the pawn becomes. What else an array holds, for captures en passant and castling, follows from the move.
//! An action is an Action object, or an array of moves; several are an array of these.

use super::edition::Edition;
use super::numbering::Numbering;
use super::raw::piece_of;
use super::schema;
use crate::notation::chessjs::field::{Read, Value};
use crate::notation::common::json::{Json, Kind};
use crate::notation::common::lines::after_mark;
use crate::notation::common::replay::{CoordinateMove, Replay};
use crate::notation::common::{Issue, MAX_ACTIONS, Span};
use crate::state::Position;
use crate::types::{BoardSize, Color, Coordinate, HalfTurn, Move, PieceKind, Square};

/// A move of a JSON text.
#[derive(Clone, Debug)]
pub(crate) struct MoveInput {
    shape: Shape,
    span: Span,
}

#[derive(Clone, Debug)]
enum Shape {
    Object(schema::Move),
    Raw { from: Corner, to: Corner, promotion: Option<PieceKind> },
}

/// A timeline, a turn, a rank and a file as indices.
type Corner = [u16; 4];

/// An action of a JSON text.
#[derive(Clone, Debug)]
pub(crate) struct ActionInput {
    pub moves: Vec<MoveInput>,
    /// Who acts, if that is said.
    pub player: Option<Color>,
    /// Whether the player passes after these moves: the key `pass`, which is not the library's.
    pub passes: bool,
    pub span: Span,
}

/// Whether a text is JSON and not boards or headers in brackets.
pub(crate) fn is_json(text: &str) -> bool {
    let text = after_mark(text).trim_ascii_start();
    let first = text.strip_prefix('[').map(str::trim_ascii_start);
    text.starts_with('{')
        || first.is_some_and(|first| first.starts_with(['{', '[', ']']) || first.starts_with("null"))
}

/// The move of a JSON text.
pub(crate) fn parse_move(text: &str) -> Read<MoveInput> {
    let mut json = Json::new(text)?;
    let input = one_move(&mut json)?;
    json.end()?;
    Ok(input)
}

/// The action of a JSON text.
pub(crate) fn parse_action(text: &str) -> Read<ActionInput> {
    let mut json = Json::new(text)?;
    let input = one_action(&mut json)?;
    json.end()?;
    Ok(input)
}

/// The actions of a JSON text.
pub(crate) fn parse_actions(text: &str) -> Read<Vec<ActionInput>> {
    let mut json = Json::new(text)?;
    let actions = match json.kind() {
        Kind::Object => vec![one_action(&mut json)?],
        _ => list_of_actions(&mut json)?,
    };
    json.end()?;
    Ok(actions)
}

/// A string as JSON.
pub(crate) fn write_string(text: &mut String, value: &str) {
    crate::notation::common::json::write_string(text, value);
}

/// A game as the object API saves it.
pub(crate) struct Saved {
    /// The start and the headers, in 5DPGN.
    pub start: String,
    /// The pieces of the start that have moved and of which no rule asks that.
    pub moved: Vec<String>,
    pub is_custom: bool,
    pub actions: Vec<ActionInput>,
    /// The moves of the action under way.
    pub moves: Vec<MoveInput>,
}

/// The saved game of a JSON text; `None` for other JSON.
pub(crate) fn parse_saved(text: &str) -> Read<Option<Saved>> {
    if !text.starts_with("{\"saved\":") {
        return Ok(None);
    }
    let mut json = Json::new(text)?;
    let mut saved = Saved {
        start: String::new(),
        moved: Vec::new(),
        is_custom: false,
        actions: Vec::new(),
        moves: Vec::new(),
    };
    json.object(|json, key, _| {
        match key {
            "saved" => saved.start = json.string()?.0.into_owned(),
            "moved" => {
                json.array(|json| {
                    saved.moved.push(json.string()?.0.into_owned());
                    Ok(())
                })?;
            }
            "custom" => saved.is_custom = bool::decode(json)?,
            "actions" => saved.actions = list_of_actions(json)?,
            "moves" => saved.moves = list_of_moves(json)?,
            _ => json.skip()?,
        }
        Ok(())
    })?;
    json.end()?;
    Ok(Some(saved))
}

fn list_of_actions(json: &mut Json<'_>) -> Read<Vec<ActionInput>> {
    let mut actions = Vec::new();
    json.array(|json| {
        if actions.len() == MAX_ACTIONS {
            let message = format!("expected at most {MAX_ACTIONS} actions");
            return Err(Issue::new("too-many-actions", json.here(), message).malformed());
        }
        actions.push(one_action(json)?);
        Ok(())
    })?;
    Ok(actions)
}

fn one_action(json: &mut Json<'_>) -> Read<ActionInput> {
    let start = json.offset();
    let (mut moves, mut player, mut passes) = (None, None, false);
    if json.kind() == Kind::Array {
        moves = Some(list_of_moves(json)?);
    } else {
        json.object(|json, key, _| {
            match key {
                "moves" => moves = Some(list_of_moves(json)?),
                "player" => player = Some(Color::decode(json)?),
                "pass" => passes = bool::decode(json)?,
                _ => json.skip()?,
            }
            Ok(())
        })?;
    }
    let span = json.span_from(start);
    let moves = moves.ok_or_else(|| {
        let issue = Issue::new("missing-key", span, "expected the key `moves` in the object");
        issue.hint("an action is an Action object or an array of moves").malformed()
    })?;
    Ok(ActionInput { moves, player, passes, span })
}

fn list_of_moves(json: &mut Json<'_>) -> Read<Vec<MoveInput>> {
    let mut moves = Vec::new();
    json.array(|json| {
        moves.push(one_move(json)?);
        Ok(())
    })?;
    Ok(moves)
}

fn one_move(json: &mut Json<'_>) -> Read<MoveInput> {
    let start = json.offset();
    let shape = match json.kind() {
        Kind::Object => Shape::Object(schema::Move::decode(json)?),
        Kind::Array => raw_move(json)?,
        _ => return Err(json.expected("a Move object or an array of numbers")),
    };
    Ok(MoveInput { shape, span: json.span_from(start) })
}

fn raw_move(json: &mut Json<'_>) -> Read<Shape> {
    let mut corners: Vec<Vec<(i64, Span)>> = Vec::new();
    let span = json.array(|json| {
        let mut numbers = Vec::new();
        json.array(|json| {
            if json.null() {
                return Ok(());
            }
            if numbers.len() == 5 {
                return Err(json.expected("`]` after five numbers"));
            }
            numbers.push(json.integer()?);
            Ok(())
        })?;
        if corners.len() == 4 {
            return Err(json.expected("`]` after four places"));
        }
        corners.push(numbers);
        Ok(())
    })?;
    let wrong = || {
        let issue = Issue::new("no-such-move", span, "expected two places of four numbers each");
        issue
            .hint("a place is [timeline,turn,rank,file], and the target may have a piece as fifth number")
            .malformed()
    };
    let corner = |numbers: &[(i64, Span)]| -> Read<Corner> {
        let mut corner = [0; 4];
        if numbers.len() < 4 {
            return Err(wrong());
        }
        for (index, (number, span)) in corner.iter_mut().zip(numbers) {
            *index = u16::try_from(*number).ok().filter(|&index| index <= 16_000).ok_or_else(|| {
                Issue::new("number-too-large", *span, "expected an index from 0 to 16000").malformed()
            })?;
        }
        Ok(corner)
    };
    let [from, to, ..] = &corners[..] else { return Err(wrong()) };
    let promotion = match to.get(4) {
        None | Some((0, _)) => None,
        Some(&(number, span)) => {
            let piece = i8::try_from(number).ok().and_then(piece_of);
            let message = "expected the number of a piece";
            Some(piece.ok_or_else(|| Issue::new("unknown-piece", span, message).malformed())?.kind)
        }
    };
    Ok(Shape::Raw { from: corner(from)?, to: corner(to)?, promotion })
}

impl ActionInput {
    /// Refuses it if it is said to be the opponent's.
    pub(crate) fn check_player(&self, position: &Position) -> Read<()> {
        let Some(player) = self.player else { return Ok(()) };
        Replay::new(position.clone()).check_player(player, self.span).map_err(Issue::illegal)
    }
}

impl MoveInput {
    /// The piece that the pawn becomes.
    pub(crate) fn promotion(&self) -> Option<PieceKind> {
        match &self.shape {
            Shape::Object(m) => m.promotion,
            Shape::Raw { promotion, .. } => *promotion,
        }
    }

    /// The move that it can only mean now, in the middle of an action too.
    pub(crate) fn meant(&self, position: &Position, numbering: Numbering, from_zero: bool) -> Read<Move> {
        let (from, to, promotion) = match &self.shape {
            Shape::Object(m) => (numbering.coordinate(&m.start), numbering.coordinate(&m.end), m.promotion),
            Shape::Raw { from, to, promotion } => {
                let place = |corner: &Corner| {
                    raw_place(corner, position.size(), numbering, from_zero).ok_or_else(|| {
                        let message = "expected a place on a board, but found one beside it";
                        Issue::new("missing-square", self.span, message).malformed()
                    })
                };
                (place(from)?, place(to)?, *promotion)
            }
        };
        Replay::new(position.clone()).meant(CoordinateMove { from, to, promotion }, self.span)
    }
}

fn raw_place(corner: &Corner, size: BoardSize, numbering: Numbering, from_zero: bool) -> Option<Coordinate> {
    let [timeline, turn, rank, file] = *corner;
    let half = i16::try_from(timeline.div_ceil(2)).ok()?;
    let number = if timeline % 2 == 0 { half } else { -half };
    let shift = numbering.turn_index(HalfTurn::new(1, Color::White), from_zero)?;
    let half_turn = HalfTurn(i16::try_from(turn).ok()? + 2 - i16::try_from(shift).ok()?);
    let rank = match numbering.edition {
        Edition::Readme => u16::from(size.height()).checked_sub(rank + 1)?,
        Edition::Current => rank,
    };
    let square = Square::new(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)?;
    let board = crate::types::BoardCoordinate { timeline: numbering.timeline_of(number), half_turn };
    Some(Coordinate { board, square })
}

/// A move as numbers, in the order of [`MoveInput`]: what is captured en passant or castles with it stands behind.
pub(crate) fn write_raw(
    text: &mut String,
    position: &Position,
    m: &Move,
    numbering: Numbering,
    from_zero: bool,
) {
    use std::fmt::Write;
    let object = numbering.move_object(position, m);
    let place = |text: &mut String, at: Coordinate, piece: Option<i8>| {
        let rank = match numbering.edition {
            Edition::Readme => position.size().height() - 1 - at.square.rank(),
            Edition::Current => at.square.rank(),
        };
        let timeline = numbering.timeline_index(at.board.timeline);
        let turn = numbering.turn_index(at.board.half_turn, from_zero).unwrap_or(0);
        // Writing to a string cannot fail.
        let _ = write!(text, "[{timeline},{turn},{rank},{}", at.square.file());
        if let Some(number) = piece {
            let _ = write!(text, ",{number}");
        }
        text.push(']');
    };
    let becomes = m
        .promotion
        .and_then(|kind| super::raw::number_of(crate::types::Piece { color: position.to_move(), kind }));
    text.push('[');
    place(text, m.from, None);
    text.push(',');
    place(text, m.to, becomes);
    let castling = object.castling.iter().flat_map(|castling| [castling.start, castling.end]);
    for other in object.en_passant.into_iter().chain(castling) {
        text.push(',');
        place(text, numbering.coordinate(&other), None);
    }
    text.push(']');
}
