//! The objects of 5d-chess-js as JSON: Position, Move, Action, Piece, Turn, Timeline and Board.
//!
//! Each one is written with its keys in the order of the README, and read with its keys in any order. What
//! [`parse`](Board::parse) gives for what [`write`](Board::write) made is equal to it, apart from `realEnd`.
//!
//! # Relaxations
//!
//! * Unknown keys are skipped, and so is `realEnd`, which follows from the move.
//! * `promotion`, `enPassant` and `castling` may be missing, as if they were `null`.
//! * Of `coordinate` on the one hand and `rank` and `file` on the other, one is enough; they must not contradict.
//! * `P` is the princess, which the README forgets, and the empty string the pawn. `S` is read as a princess too, for which
//!   5d-chess-js 1.2.1 writes it; so does [`write_for`](Board::write_for). Pieces that 5d-chess-js 0.3.6 does not
//!   know have their letters of 5DFEN: `W U D C Y`.

use super::edition::Edition;
use super::field::{Out, Read, Value, objects, put, required};
use super::numbering::Numbering;
use super::start::renumbered;
use super::touched::{Untouched, also_moved};
use crate::notation::common::json::{Json, write_string};
use crate::notation::common::{Game, Issue, ParseError, Span};
use crate::state::{self, MAX_BOARDS, MAX_TIMELINES, Setup};
use crate::types::{
    BoardCoordinate, BoardSize, Color, Coordinate, HalfTurn, Parity, PieceKind, RuleProfile, Square,
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
    /// The square of the piece.
    pub start: Position,
    /// The square to which it goes.
    pub end: Position,
    /// Who moves.
    pub player: Color,
    /// The piece that the pawn becomes.
    pub promotion: Option<PieceKind>,
    /// The square of the pawn that is captured en passant.
    pub en_passant: Option<Position>,
    /// The rook's move when castling.
    pub castling: Option<Castling>,
    /// The board on which the piece then stands, one half-turn later and on the timeline that the move creates. 5d-chess-js
    /// 1.2.1 writes it; it is never read.
    pub real_end: Option<Position>,
}

/// The rook's part of castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castling {
    /// The square where it stands.
    pub start: Position,
    /// The square to which it goes.
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
    /// Its kind.
    pub piece: PieceKind,
    /// Whose it is.
    pub player: Color,
    /// The square where it stands.
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
            pub fn parse(text: &str) -> Result<$name, ParseError> {
                let mut json = Json::new(text)?;
                let value = $name::decode(&mut json)?;
                json.end()?;
                Ok(value)
            }

            /// The object as JSON.
            pub fn write(&self) -> String {
                self.write_for(Edition::Readme)
            }

            /// The object as JSON, with the letters of an edition of the library.
            pub fn write_for(&self, edition: Edition) -> String {
                let mut out = Out::new(edition);
                self.encode(&mut out);
                out.text
            }
        })*
    };
}

texts! { Position Move Castling Action Piece Turn Timeline Board }

impl Position {
    /// The board.
    pub fn board(&self) -> BoardCoordinate {
        BoardCoordinate::new(self.timeline, self.turn, self.player)
    }
}

impl Numbering {
    /// The square as an object.
    pub fn place(self, Coordinate { board, square }: Coordinate) -> Position {
        Position {
            timeline: self.timeline(board.timeline),
            turn: self.turn(board.half_turn),
            player: board.color(),
            square,
        }
    }

    /// The square of an object.
    pub fn coordinate(self, position: &Position) -> Coordinate {
        let half_turn = self.half_turn_of(position.turn, position.player);
        let board = BoardCoordinate { timeline: self.timeline_of(position.timeline), half_turn };
        Coordinate { board, square: position.square }
    }
}

impl Value for Position {
    fn decode(json: &mut Json<'_>) -> Read<Position> {
        let (mut timeline, mut turn, mut color) = (None, None, None);
        let (mut square, mut rank, mut file) = (None, None, None);
        let object = json.object(|json, key, _| {
            match key {
                "timeline" => timeline = Some(i16::decode(json)?),
                "turn" => turn = Some(i16::decode(json)?),
                "player" => color = Some(Color::decode(json)?),
                "coordinate" => square = Some(Square::decode(json)?),
                "rank" => rank = Some(u8::decode(json)?),
                "file" => file = Some(u8::decode(json)?),
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

    fn encode(&self, out: &mut Out) {
        out.text.push('{');
        put(out, "timeline", &self.timeline);
        put(out, "turn", &self.turn);
        put(out, "player", &self.player);
        put(out, "coordinate", &self.square);
        put(out, "rank", &(self.square.rank() + 1));
        put(out, "file", &(self.square.file() + 1));
        out.text.push('}');
    }
}

impl Value for Square {
    fn decode(json: &mut Json<'_>) -> Read<Square> {
        let (text, span) = json.string()?;
        let found = match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Square::new(file - b'a', rank - b'1'),
            _ => None,
        };
        found.ok_or_else(|| {
            let message = format!("expected a square, a1 to h8, but found `{text}`");
            Issue::new("missing-square", span, message).malformed()
        })
    }

    fn encode(&self, out: &mut Out) {
        write_string(&mut out.text, &self.to_string());
    }
}

objects! {
    Castling(at most usize::MAX, "castlings") { start: "start", end: "end" }
    Move(at most usize::MAX, "moves") {
        start: "start", end: "end", player: "player", promotion: "promotion", en_passant: "enPassant",
        castling: "castling"; only written real_end: "realEnd"
    }
    Piece(at most 64, "pieces") {
        piece: "piece", player: "player", position: "position", has_moved: "hasMoved"
    }
    Turn(at most MAX_BOARDS, "boards") {
        turn: "turn", player: "player", width: "width", height: "height", pieces: "pieces"
    }
    Timeline(at most MAX_TIMELINES, "timelines") {
        timeline: "timeline", player: "player", active: "active", present: "present", turns: "turns"
    }
    Board(at most usize::MAX, "objects") {
        action: "action", player: "player", width: "width", height: "height", timelines: "timelines"
    }
}

impl Value for Action {
    fn decode(json: &mut Json<'_>) -> Read<Action> {
        Ok(Action::decode_with_spans(json)?.0)
    }

    fn encode(&self, out: &mut Out) {
        out.text.push('{');
        put(out, "action", &self.action);
        put(out, "player", &self.player);
        put(out, "moves", &self.moves);
        out.text.push('}');
    }
}

impl Action {
    /// The action, its place, and that of each of its moves.
    pub(super) fn decode_with_spans(json: &mut Json<'_>) -> Read<(Action, Span, Vec<Span>)> {
        let (mut action, mut color, mut moves) = (None, None, None);
        let mut spans = Vec::new();
        let object = json.object(|json, key, _| {
            match key {
                "action" => action = Some(u32::decode(json)?),
                "player" => color = Some(Color::decode(json)?),
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
}

impl Board {
    /// The boards at the end of a game; `None` for a game with `-0` and `+0`, which have no numbers here.
    ///
    /// A piece has moved if it moved in the game, or stood as moved at its start. The game's start remembers that of
    /// pawns, brawns, kings and rooks; of the others [`Game::also_moved`] says so.
    pub fn of(game: &Game) -> Option<Board> {
        let (position, untouched) = Untouched::at_the_end(game);
        let begun = usize::from(game.start.to_move() == Color::Black);
        let action = u32::try_from((game.actions.len() + begun) / 2 + 1).unwrap_or(u32::MAX);
        let numbering = Numbering::of(Edition::Readme, &game.start);
        (position.parity() == Parity::Odd).then(|| Board::seen(&position, &untouched, numbering, action))
    }

    /// The boards of a position, also in the middle of an action, which has this number.
    pub(crate) fn seen(
        position: &state::Position,
        untouched: &Untouched,
        numbering: Numbering,
        action: u32,
    ) -> Board {
        let size = position.size();
        let multiverse = position.multiverse();
        let (present, active) = (position.present(), multiverse.active());
        let mut timelines: Vec<Timeline> = Vec::new();
        for (at, board) in multiverse.boards() {
            let place = |square| numbering.place(Coordinate { board: at, square });
            let mut pieces: Vec<Piece> = board
                .pieces()
                .map(|(square, piece)| Piece {
                    piece: piece.kind,
                    player: piece.color,
                    position: place(square),
                    has_moved: !untouched.contains(at, square),
                })
                .collect();
            if numbering.edition == Edition::Readme {
                pieces.sort_by_key(|piece| {
                    (std::cmp::Reverse(piece.position.square.rank()), piece.position.square.file())
                });
            }
            let turn = Turn {
                turn: numbering.turn(at.half_turn),
                player: at.color(),
                width: size.width(),
                height: size.height(),
                pieces,
            };
            let number = numbering.timeline(at.timeline);
            if timelines.last().is_none_or(|last| last.timeline != number) {
                let end = multiverse.span(at.timeline).map(|(_, end)| end);
                let is_active = active.contains(at.timeline);
                timelines.push(Timeline {
                    timeline: number,
                    player: if number < 0 { Color::Black } else { Color::White },
                    active: is_active,
                    present: is_active && end == Some(present) && present.color() == position.to_move(),
                    turns: Vec::new(),
                });
            }
            timelines.last_mut().expect("it was just pushed").turns.push(turn);
        }
        timelines.sort_by_key(|timeline| (timeline.timeline.unsigned_abs(), timeline.timeline));
        let (width, height) = (size.width(), size.height());
        Board { action, player: position.to_move(), width, height, timelines }
    }

    /// The position of the boards, under the default rules.
    ///
    /// # Errors
    ///
    /// When the boards contradict themselves or make no multiverse: the reason in words.
    pub fn position(&self) -> Result<state::Position, String> {
        let setup = renumbered(self.setup()?);
        state::Position::from_setup(&setup).map_err(|error| error.to_string())
    }

    /// The game that starts from these boards, under the default rules, with the pieces that have moved.
    ///
    /// # Errors
    ///
    /// Those of [`Board::position`].
    pub fn game(&self) -> Result<Game, String> {
        let start = self.position()?;
        let numbering = Numbering::of_timelines(self.timelines.iter().map(|timeline| timeline.timeline));
        let pieces = self.timelines.iter().flat_map(|timeline| &timeline.turns).flat_map(|turn| &turn.pieces);
        let also_moved = also_moved(
            &start,
            pieces.map(|piece| {
                let at = numbering.coordinate(&piece.position);
                (at, crate::types::Piece { color: piece.player, kind: piece.piece }, piece.has_moved)
            }),
        );
        Ok(Game { also_moved, ..Game::new(start, Vec::new()) })
    }

    /// Contradictions between the object and the position of its boards: who is to move, and of each timeline who made it, whether
    /// it is active, and whether it ends in the present. Each is a sentence.
    pub(super) fn contradictions(&self, position: &state::Position) -> Vec<String> {
        let numbering = Numbering::of_timelines(self.timelines.iter().map(|timeline| timeline.timeline));
        let untouched = Untouched::at_start(&Game::new(position.clone(), Vec::new()));
        let meant = Board::seen(position, &untouched, numbering, self.action);
        let mut found = Vec::new();
        if self.player != meant.player {
            let message = format!(
                "`player` says that {} is to move, but by the boards {} is",
                self.player, meant.player
            );
            found.push(message);
        }
        for timeline in &self.timelines {
            let number = timeline.timeline;
            let Some(other) = meant.timelines.iter().find(|other| other.timeline == number) else { continue };
            if timeline.player != other.player {
                found.push(format!(
                    "`player` of timeline {number} is {}, but {} made it",
                    timeline.player, other.player
                ));
            }
            for (key, said, is) in
                [("active", timeline.active, other.active), ("present", timeline.present, other.present)]
            {
                if said != is {
                    found.push(format!(
                        "`{key}` of timeline {number} is {said}, but by the boards it is {is}"
                    ));
                }
            }
        }
        found
    }

    fn setup(&self) -> Result<Setup, String> {
        let size = BoardSize::new(self.width, self.height).ok_or_else(|| {
            let max = BoardSize::MAX;
            let (width, height) = (self.width, self.height);
            format!("expected a board of 1x1 to {max}x{max} squares, but found one of {width}x{height}")
        })?;
        let numbering = Numbering::of_timelines(self.timelines.iter().map(|timeline| timeline.timeline));
        let parity = numbering.parity;
        let mut boards = Vec::new();
        for timeline in &self.timelines {
            for turn in &timeline.turns {
                let at = BoardCoordinate {
                    timeline: numbering.timeline_of(timeline.timeline),
                    half_turn: HalfTurn::new(turn.turn, turn.player),
                };
                let name = || format!("the board ({}{})", parity.label(at.timeline), at.half_turn);
                if (turn.width, turn.height) != (self.width, self.height) {
                    return Err(format!("{} has another size than the game", name()));
                }
                let mut board = state::Board::empty(size);
                for piece in &turn.pieces {
                    let square = piece.position.square;
                    let (place, own) = (piece.position, (timeline.timeline, turn.turn, turn.player));
                    if (place.timeline, place.turn, place.player) != own {
                        return Err(format!("{} lists a piece whose `position` is on another board", name()));
                    }
                    if square.file() >= self.width || square.rank() >= self.height {
                        return Err(format!(
                            "{} lists a piece on {square}, which is not on the board",
                            name()
                        ));
                    }
                    if board.get(square).is_some() {
                        return Err(format!("{} lists two pieces on {square}", name()));
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
        Ok(Setup { size, parity, profile: RuleProfile::default(), boards })
    }
}
