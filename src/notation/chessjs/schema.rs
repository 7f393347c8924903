//! The objects of 5d-chess-js as JSON: Position, Move, Action, Piece, Turn, Timeline and Board.
//!
//! Each one is written with its keys in the order of the README, and read with its keys in any order. What
//! [`read`](Board::read) gives for what [`write`](Board::write) made is equal to it.
//!
//! # Relaxations
//!
//! * Unknown keys are skipped: 5d-chess-js 1.2.1 adds `realEnd` to moves.
//! * `promotion`, `enPassant` and `castling` may be missing, as if they were `null`.
//! * Of `coordinate` on the one hand and `rank` and `file` on the other, one is enough; they must not contradict.
//! * `P` is the princess, which the README forgets, and the empty string the pawn. Pieces that 5d-chess-js 0.3.6 does not
//!   know have their letters of 5DFEN: `W U D C Y`.

use std::fmt::Write;

use super::start::renumbered;
use super::syntax::{kind_of, letter_of};
use super::touched::Untouched;
use crate::notation::json::{Json, write_string};
use crate::notation::{Game, Issue, ReadError, Span};
use crate::state::{self, MAX_BOARDS, MAX_TIMELINES, Setup};
use crate::types::{
    BoardCoordinate, BoardSize, Color, Parity, PieceKind, RuleProfile, Square, Timeline as TimelineNumber,
};

/// A square of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// 0, positive for White's timelines, negative for Black's.
    pub timeline: i16,
    /// The turn.
    pub turn: i16,
    /// The player to move on the board.
    pub player: Color,
    /// `coordinate`, `rank` and `file`.
    pub square: Square,
}

/// A move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Where the piece stands.
    pub start: Position,
    /// Where it goes.
    pub end: Position,
    /// Who moves.
    pub player: Color,
    /// What the pawn becomes.
    pub promotion: Option<PieceKind>,
    /// Where the pawn stands that is captured en passant.
    pub en_passant: Option<Position>,
    /// Where the rook goes when castling.
    pub castling: Option<Castling>,
}

/// The rook's part of castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castling {
    /// Where it stands.
    pub start: Position,
    /// Where it goes.
    pub end: Position,
}

/// The moves of one player's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The number that White's and Black's action share.
    pub action: u32,
    /// Who acts.
    pub player: Color,
    /// The moves in order.
    pub moves: Vec<Move>,
}

/// A piece on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// What it is.
    pub piece: PieceKind,
    /// Whose it is.
    pub player: Color,
    /// Where it stands.
    pub position: Position,
    /// Whether it has moved.
    pub has_moved: bool,
}

/// One board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The turn.
    pub turn: i16,
    /// The player to move.
    pub player: Color,
    /// The number of files.
    pub width: u8,
    /// The number of ranks.
    pub height: u8,
    /// The pieces, from a8 to h1.
    pub pieces: Vec<Piece>,
}

/// One timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timeline {
    /// 0, positive for White's, negative for Black's.
    pub timeline: i16,
    /// Who made it; White for timeline 0.
    pub player: Color,
    /// Whether it is active.
    pub active: bool,
    /// Whether it ends in the present.
    pub present: bool,
    /// The boards in order.
    pub turns: Vec<Turn>,
}

/// All boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The number of the next action.
    pub action: u32,
    /// Who acts next.
    pub player: Color,
    /// The number of files of every board.
    pub width: u8,
    /// The number of ranks of every board.
    pub height: u8,
    /// The timelines: 0, -1, +1, -2, +2, and so on.
    pub timelines: Vec<Timeline>,
}

macro_rules! texts {
    ($($name:ident)*) => {
        $(impl $name {
            /// The object of a JSON text.
            ///
            /// # Errors
            ///
            /// When the text is not JSON, or is not such an object.
            pub fn read(text: &str) -> Result<$name, ReadError> {
                let mut json = Json::new(text)?;
                let value = $name::decode(&mut json)?;
                json.end()?;
                Ok(value)
            }

            /// The object as JSON.
            pub fn write(&self) -> String {
                let mut text = String::new();
                self.encode(&mut text);
                text
            }
        })*
    };
}

texts! { Position Move Castling Action Piece Turn Timeline Board }

type Read<T> = Result<T, ReadError>;

/// What a key must have.
fn required<T>(value: Option<T>, key: &str, object: Span) -> Read<T> {
    value.ok_or_else(|| {
        let message = format!("expected the key `{key}` in the object");
        let span = Span::new(object.range().start, object.range().start + 1);
        Issue::new("missing-key", span, message).malformed()
    })
}

fn number<T: TryFrom<i64>>(json: &mut Json<'_>) -> Read<T> {
    let (number, span) = json.integer()?;
    T::try_from(number)
        .map_err(|_| Issue::new("number-too-large", span, "the number is out of range").malformed())
}

/// A number of a turn or a timeline, which half-turns can still hold.
fn coordinate(json: &mut Json<'_>) -> Read<i16> {
    let (number, span) = json.integer()?;
    i16::try_from(number)
        .ok()
        .filter(|number| number.unsigned_abs() <= 16_000)
        .ok_or_else(|| Issue::new("number-too-large", span, "expected a number up to 16000").malformed())
}

fn player(json: &mut Json<'_>) -> Read<Color> {
    let (name, span) = json.string()?;
    match &*name {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => {
            let message = format!("expected `white` or `black`, but found `{name}`");
            Err(Issue::new("unknown-player", span, message).malformed())
        }
    }
}

fn kind(json: &mut Json<'_>) -> Read<PieceKind> {
    let (letter, span) = json.string()?;
    let mut letters = letter.chars();
    let kind = match (letters.next(), letters.next()) {
        (None, _) => Some(PieceKind::Pawn),
        (Some(letter), None) => kind_of(letter),
        _ => None,
    };
    kind.ok_or_else(|| {
        let message = format!("expected the letter of a piece, but found `{letter}`");
        Issue::new("unknown-piece", span, message).malformed()
    })
}

/// A value that may be `null`.
fn nullable<'t, T>(json: &mut Json<'t>, read: impl FnOnce(&mut Json<'t>) -> Read<T>) -> Read<Option<T>> {
    if json.null() { Ok(None) } else { read(json).map(Some) }
}

fn side(json: &mut Json<'_>) -> Read<u8> {
    let (number, span) = json.integer()?;
    u8::try_from(number).ok().filter(|side| (1..=BoardSize::MAX).contains(side)).ok_or_else(|| {
        let max = BoardSize::MAX;
        let message = format!("expected boards of at most {max}x{max}: larger ones are not supported");
        Issue::new("board-too-large", span, message).malformed()
    })
}

/// Begins a key of an object.
fn put(text: &mut String, key: &str) {
    if !text.ends_with('{') {
        text.push(',');
    }
    write_string(text, key);
    text.push(':');
}

fn put_number(text: &mut String, key: &str, number: impl Into<i64>) {
    put(text, key);
    // Writing to a string cannot fail.
    let _ = write!(text, "{}", number.into());
}

fn put_player(text: &mut String, key: &str, player: Color) {
    put(text, key);
    write_string(text, &player.to_string());
}

fn put_boolean(text: &mut String, key: &str, value: bool) {
    put(text, key);
    text.push_str(if value { "true" } else { "false" });
}

fn put_list<T>(text: &mut String, key: &str, items: &[T], encode: impl Fn(&T, &mut String)) {
    put(text, key);
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        encode(item, text);
    }
    text.push(']');
}

fn put_nullable<T>(text: &mut String, key: &str, value: Option<&T>, encode: impl Fn(&T, &mut String)) {
    put(text, key);
    match value {
        None => text.push_str("null"),
        Some(value) => encode(value, text),
    }
}

fn letter_text(kind: PieceKind) -> String {
    letter_of(kind).map(String::from).unwrap_or_default()
}

impl Position {
    fn decode(json: &mut Json<'_>) -> Read<Position> {
        let (mut timeline, mut turn, mut color) = (None, None, None);
        let (mut square, mut rank, mut file) = (None, None, None);
        let object = json.object(|json, key, _| {
            match key {
                "timeline" => timeline = Some(coordinate(json)?),
                "turn" => turn = Some(coordinate(json)?),
                "player" => color = Some(player(json)?),
                "coordinate" => {
                    let (text, span) = json.string()?;
                    let found = match *text.as_bytes() {
                        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Square::new(file - b'a', rank - b'1'),
                        _ => None,
                    };
                    square = Some(found.ok_or_else(|| {
                        let message = format!("expected a square, a1 to h8, but found `{text}`");
                        Issue::new("missing-square", span, message).malformed()
                    })?);
                }
                "rank" => rank = Some(side(json)?),
                "file" => file = Some(side(json)?),
                _ => json.skip()?,
            }
            Ok(())
        })?;
        let counted = file.zip(rank).and_then(|(file, rank)| Square::new(file - 1, rank - 1));
        let agree = |square: Square| {
            file.is_none_or(|file| file == square.file() + 1)
                && rank.is_none_or(|rank| rank == square.rank() + 1)
        };
        if square.is_some_and(|square| !agree(square)) {
            let message = "`coordinate` is another square than `rank` and `file`";
            return Err(Issue::new("contradicting-keys", object, message).malformed());
        }
        Ok(Position {
            timeline: required(timeline, "timeline", object)?,
            turn: required(turn, "turn", object)?,
            player: required(color, "player", object)?,
            square: required(square.or(counted), "coordinate", object)?,
        })
    }

    fn encode(&self, text: &mut String) {
        text.push('{');
        put_number(text, "timeline", self.timeline);
        put_number(text, "turn", self.turn);
        put_player(text, "player", self.player);
        put(text, "coordinate");
        write_string(text, &self.square.to_string());
        put_number(text, "rank", self.square.rank() + 1);
        put_number(text, "file", self.square.file() + 1);
        text.push('}');
    }

    /// The board.
    pub fn board(&self) -> BoardCoordinate {
        BoardCoordinate::new(self.timeline, self.turn, self.player)
    }
}

impl Castling {
    fn decode(json: &mut Json<'_>) -> Read<Castling> {
        let (mut start, mut end) = (None, None);
        let object = json.object(|json, key, _| {
            match key {
                "start" => start = Some(Position::decode(json)?),
                "end" => end = Some(Position::decode(json)?),
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(Castling { start: required(start, "start", object)?, end: required(end, "end", object)? })
    }

    fn encode(&self, text: &mut String) {
        text.push('{');
        put_nullable(text, "start", Some(&self.start), Position::encode);
        put_nullable(text, "end", Some(&self.end), Position::encode);
        text.push('}');
    }
}

impl Move {
    fn decode(json: &mut Json<'_>) -> Read<Move> {
        let (mut start, mut end, mut color) = (None, None, None);
        let (mut promotion, mut en_passant, mut castling) = (None, None, None);
        let object = json.object(|json, key, _| {
            match key {
                "start" => start = Some(Position::decode(json)?),
                "end" => end = Some(Position::decode(json)?),
                "player" => color = Some(player(json)?),
                "promotion" => promotion = nullable(json, kind)?,
                "enPassant" => en_passant = nullable(json, Position::decode)?,
                "castling" => castling = nullable(json, Castling::decode)?,
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(Move {
            start: required(start, "start", object)?,
            end: required(end, "end", object)?,
            player: required(color, "player", object)?,
            promotion,
            en_passant,
            castling,
        })
    }

    fn encode(&self, text: &mut String) {
        text.push('{');
        put_nullable(text, "start", Some(&self.start), Position::encode);
        put_nullable(text, "end", Some(&self.end), Position::encode);
        put_player(text, "player", self.player);
        put_nullable(text, "promotion", self.promotion.as_ref(), |kind, text| {
            write_string(text, &letter_text(*kind));
        });
        put_nullable(text, "enPassant", self.en_passant.as_ref(), Position::encode);
        put_nullable(text, "castling", self.castling.as_ref(), Castling::encode);
        text.push('}');
    }
}

impl Action {
    fn decode(json: &mut Json<'_>) -> Read<Action> {
        Ok(Action::decode_with_spans(json)?.0)
    }

    /// The action, its place, and that of each of its moves.
    pub(super) fn decode_with_spans(json: &mut Json<'_>) -> Read<(Action, Span, Vec<Span>)> {
        let (mut action, mut color, mut moves) = (None, None, None);
        let mut spans = Vec::new();
        let object = json.object(|json, key, _| {
            match key {
                "action" => action = Some(number(json)?),
                "player" => color = Some(player(json)?),
                "moves" => {
                    let mut list = Vec::new();
                    json.array(|json| {
                        let start = json.offset();
                        list.push(Move::decode(json)?);
                        spans.push(json.span_from(start));
                        Ok(())
                    })?;
                    moves = Some(list);
                }
                _ => json.skip()?,
            }
            Ok(())
        })?;
        let action = Action {
            action: required(action, "action", object)?,
            player: required(color, "player", object)?,
            moves: required(moves, "moves", object)?,
        };
        Ok((action, object, spans))
    }

    fn encode(&self, text: &mut String) {
        text.push('{');
        put_number(text, "action", self.action);
        put_player(text, "player", self.player);
        put_list(text, "moves", &self.moves, Move::encode);
        text.push('}');
    }
}

impl Piece {
    fn decode(json: &mut Json<'_>) -> Read<Piece> {
        let (mut piece, mut color, mut position, mut has_moved) = (None, None, None, None);
        let object = json.object(|json, key, _| {
            match key {
                "piece" => piece = Some(kind(json)?),
                "player" => color = Some(player(json)?),
                "position" => position = Some(Position::decode(json)?),
                "hasMoved" => has_moved = Some(json.boolean()?),
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(Piece {
            piece: required(piece, "piece", object)?,
            player: required(color, "player", object)?,
            position: required(position, "position", object)?,
            has_moved: required(has_moved, "hasMoved", object)?,
        })
    }

    fn encode(&self, text: &mut String) {
        text.push('{');
        put(text, "piece");
        write_string(text, &letter_text(self.piece));
        put_player(text, "player", self.player);
        put_nullable(text, "position", Some(&self.position), Position::encode);
        put_boolean(text, "hasMoved", self.has_moved);
        text.push('}');
    }
}

/// Reads items up to a number of them.
fn items<T>(
    json: &mut Json<'_>,
    most: usize,
    what: &str,
    decode: fn(&mut Json<'_>) -> Read<T>,
) -> Read<Vec<T>> {
    let mut list = Vec::new();
    json.array(|json| {
        if list.len() == most {
            let message = format!("expected at most {most} {what}");
            return Err(Issue::new("too-many-boards", json.here(), message).malformed());
        }
        list.push(decode(json)?);
        Ok(())
    })?;
    Ok(list)
}

impl Turn {
    fn decode(json: &mut Json<'_>) -> Read<Turn> {
        let (mut turn, mut color, mut width, mut height, mut pieces) = (None, None, None, None, None);
        let object = json.object(|json, key, _| {
            match key {
                "turn" => turn = Some(coordinate(json)?),
                "player" => color = Some(player(json)?),
                "width" => width = Some(side(json)?),
                "height" => height = Some(side(json)?),
                "pieces" => pieces = Some(items(json, 64, "pieces", Piece::decode)?),
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(Turn {
            turn: required(turn, "turn", object)?,
            player: required(color, "player", object)?,
            width: required(width, "width", object)?,
            height: required(height, "height", object)?,
            pieces: required(pieces, "pieces", object)?,
        })
    }

    fn encode(&self, text: &mut String) {
        text.push('{');
        put_number(text, "turn", self.turn);
        put_player(text, "player", self.player);
        put_number(text, "width", self.width);
        put_number(text, "height", self.height);
        put_list(text, "pieces", &self.pieces, Piece::encode);
        text.push('}');
    }
}

impl Timeline {
    fn decode(json: &mut Json<'_>) -> Read<Timeline> {
        let (mut timeline, mut color, mut active, mut present, mut turns) = (None, None, None, None, None);
        let object = json.object(|json, key, _| {
            match key {
                "timeline" => timeline = Some(coordinate(json)?),
                "player" => color = Some(player(json)?),
                "active" => active = Some(json.boolean()?),
                "present" => present = Some(json.boolean()?),
                "turns" => turns = Some(items(json, MAX_BOARDS, "boards", Turn::decode)?),
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(Timeline {
            timeline: required(timeline, "timeline", object)?,
            player: required(color, "player", object)?,
            active: required(active, "active", object)?,
            present: required(present, "present", object)?,
            turns: required(turns, "turns", object)?,
        })
    }

    fn encode(&self, text: &mut String) {
        text.push('{');
        put_number(text, "timeline", self.timeline);
        put_player(text, "player", self.player);
        put_boolean(text, "active", self.active);
        put_boolean(text, "present", self.present);
        put_list(text, "turns", &self.turns, Turn::encode);
        text.push('}');
    }
}

impl Board {
    pub(super) fn decode(json: &mut Json<'_>) -> Read<Board> {
        let (mut action, mut color, mut width, mut height, mut timelines) = (None, None, None, None, None);
        let object = json.object(|json, key, _| {
            match key {
                "action" => action = Some(number(json)?),
                "player" => color = Some(player(json)?),
                "width" => width = Some(side(json)?),
                "height" => height = Some(side(json)?),
                "timelines" => {
                    timelines = Some(items(json, MAX_TIMELINES, "timelines", Timeline::decode)?);
                }
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(Board {
            action: required(action, "action", object)?,
            player: required(color, "player", object)?,
            width: required(width, "width", object)?,
            height: required(height, "height", object)?,
            timelines: required(timelines, "timelines", object)?,
        })
    }

    pub(super) fn encode(&self, text: &mut String) {
        text.push('{');
        put_number(text, "action", self.action);
        put_player(text, "player", self.player);
        put_number(text, "width", self.width);
        put_number(text, "height", self.height);
        put_list(text, "timelines", &self.timelines, Timeline::encode);
        text.push('}');
    }

    /// The boards at the end of a game; `None` for a game with `-0` and `+0`, which have no numbers here.
    ///
    /// A piece has moved if it moved in the game, or stood as moved at its start. The game's start remembers that of
    /// pawns, brawns, kings and rooks; all others count as not moved there.
    pub fn of(game: &Game) -> Option<Board> {
        let later = super::start::turn_offset(&game.start);
        let (position, untouched) = Untouched::at_the_end(game);
        if position.parity() == Parity::Even {
            return None;
        }
        let size = position.size();
        let multiverse = position.multiverse();
        let (present, active) = (position.present(), multiverse.active());
        let mut timelines: Vec<Timeline> = Vec::new();
        for (at, board) in multiverse.boards() {
            let place = |square| Position {
                timeline: at.timeline.0,
                turn: at.half_turn.turn() + later,
                player: at.color(),
                square,
            };
            let mut pieces: Vec<Piece> = board
                .pieces()
                .map(|(square, piece)| Piece {
                    piece: piece.kind,
                    player: piece.color,
                    position: place(square),
                    has_moved: !untouched.contains(at, square),
                })
                .collect();
            pieces.sort_by_key(|piece| {
                (std::cmp::Reverse(piece.position.square.rank()), piece.position.square.file())
            });
            let turn = Turn {
                turn: at.half_turn.turn() + later,
                player: at.color(),
                width: size.width(),
                height: size.height(),
                pieces,
            };
            if timelines.last().is_none_or(|last| last.timeline != at.timeline.0) {
                let end = multiverse.span(at.timeline).map(|(_, end)| end);
                let is_active = active.0 <= at.timeline && at.timeline <= active.1;
                timelines.push(Timeline {
                    timeline: at.timeline.0,
                    player: if at.timeline.0 < 0 { Color::Black } else { Color::White },
                    active: is_active,
                    present: is_active && end == Some(present),
                    turns: Vec::new(),
                });
            }
            timelines.last_mut().expect("it was just pushed").turns.push(turn);
        }
        timelines.sort_by_key(|timeline| (timeline.timeline.unsigned_abs(), timeline.timeline));
        let begun = game.start.to_move() == Color::Black;
        let action = u32::try_from((game.actions.len() + usize::from(begun)) / 2 + 1).unwrap_or(u32::MAX);
        let (width, height) = (size.width(), size.height());
        Some(Board { action, player: position.to_move(), width, height, timelines })
    }

    /// The position of the boards, under the default rules.
    ///
    /// # Errors
    ///
    /// When the boards contradict themselves or make no multiverse: the reason in words.
    pub fn position(&self) -> Result<state::Position, String> {
        let setup = renumbered(self.setup()?);
        state::Position::from_setup(&setup).map_err(|error| error.describe(setup.parity))
    }

    fn setup(&self) -> Result<Setup, String> {
        let size = BoardSize::new(self.width, self.height).ok_or("the boards are too large")?;
        let mut boards = Vec::new();
        for timeline in &self.timelines {
            for turn in &timeline.turns {
                let at = BoardCoordinate::new(timeline.timeline, turn.turn, turn.player);
                let name = || {
                    let label = Parity::Odd.label(TimelineNumber(timeline.timeline));
                    format!("the board at timeline {label} turn {} {}", turn.turn, turn.player)
                };
                if (turn.width, turn.height) != (self.width, self.height) {
                    return Err(format!("{} has another size", name()));
                }
                let mut board = state::Board::empty(size);
                for piece in &turn.pieces {
                    let square = piece.position.square;
                    if piece.position.board() != at {
                        return Err(format!("{} has a piece of another board", name()));
                    }
                    if square.file() >= self.width
                        || square.rank() >= self.height
                        || board.get(square).is_some()
                    {
                        return Err(format!("{} has a piece too many on {square}", name()));
                    }
                    board.put(
                        square,
                        crate::types::Piece { color: piece.player, kind: piece.piece },
                        !piece.has_moved,
                    );
                }
                boards.push((at, board));
            }
        }
        Ok(Setup { size, parity: Parity::Odd, profile: RuleProfile::default(), boards })
    }
}
