//! The boards as numbers: `board[timeline][turn][rank][file]`, which is how 5d-chess-js keeps them.
//!
//! Timelines 0, +1, +2 have the indices 0, 2, 4, and −1, −2 have 1, 3. White's board of turn 1 has index 0, Black's
//! index 1, White's of turn 2 index 2. Rank 8 comes first, file a comes first. An empty square is 0; pieces are
//!
//! | | pawn | bishop | knight | rook | queen | king | princess |
//! |---|---|---|---|---|---|---|---|
//! | White | 2 | 4 | 6 | 8 | 10 | 12 | 14 |
//! | Black | 1 | 3 | 5 | 7 | 9 | 11 | 13 |
//!
//! and a piece that has never moved is negative. The README names a negative number for pawn, rook and king only, and
//! [`Raw::of`] follows it; every sign is read.
//!
//! 5d-chess-js 1.2.1 ([`Edition::Current`]) puts rank 1 first and has numbers for more pieces, which the other edition does not read:
//!
//! | | brawn | common king | royal queen | unicorn | dragon |
//! |---|---|---|---|---|---|
//! | White | 16 | 18 | 20 | 22 | 24 |
//! | Black | 15 | 17 | 19 | 21 | 23 |
//!
//! There the timelines `-0`, `+0`, `-1`, `+1` have the indices 1, 2, 3, 4.
//!
//! # Relaxations
//!
//! [`Raw::write`] prints `null` for a missing board and nothing after the last one. Read are also arrays of `null`s at
//! the end, and white space.

use std::fmt::Write;

use super::edition::Edition;
use super::numbering::Numbering;
use super::start::Named;
use super::touched::{Untouched, also_moved, is_moved_queen};
use crate::notation::common::boards::too_large;
use crate::notation::common::json::Json;
use crate::notation::common::{Game, Issue, ParseError};
use crate::state::{Board, MAX_BOARDS, MAX_TIMELINES, MAX_TURN, Position, Setup};
use crate::types::{
    BoardCoordinate, BoardSize, Color, Coordinate, HalfTurn, Parity, Piece, PieceKind, RuleProfile, Square,
    Timeline,
};

/// One board: ranks from the top down, files from `a`.
pub type RawTurn = Vec<Vec<i8>>;

/// All boards as numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Raw(pub Vec<Option<Vec<Option<RawTurn>>>>);

/// The pieces that get a negative number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signs {
    /// Pawns, rooks and kings that have never moved, as the README says.
    Readme,
    /// Every piece that has never moved, apart from one slip.
    Library {
        /// White's queen and princess start with a positive number.
        positive_queen: bool,
    },
}

impl Raw {
    /// The boards at the end of a game, with the signs of the README.
    ///
    /// `None` when the format has no place for them: pieces that are not in the table, `-0` and `+0`, or a turn 0.
    pub fn of(game: &Game) -> Option<Raw> {
        Raw::with(game, Signs::Readme)
    }

    /// The boards at the end of a game, with the signs that 5d-chess-js 0.3.6 gives them.
    ///
    /// There every piece that has never moved is negative, but White's queen or princess on d1 of `standard`,
    /// `half_reflected`, `princess` and `turn_zero` is positive from the start.
    pub fn of_library(game: &Game) -> Option<Raw> {
        let positive_queen = Named::of(&game.start).is_some_and(Named::has_moved_queen);
        Raw::with(game, Signs::Library { positive_queen })
    }

    fn with(game: &Game, signs: Signs) -> Option<Raw> {
        let later = super::start::turn_offset(&game.start);
        let (position, untouched) = Untouched::at_the_end(game);
        if position.parity() == Parity::Even {
            return None;
        }
        let mut raw = Raw::default();
        for (at, board) in position.multiverse().boards() {
            let turn = usize::try_from(i32::from(at.half_turn.0) - 2 + 2 * i32::from(later)).ok()?;
            let squares = turn_of(board, |square, piece| {
                let number = number_of(piece).filter(|&number| number <= README_NUMBERS)?;
                let negative = untouched.contains(at, square)
                    && match signs {
                        Signs::Readme => piece.kind.tracks_unmoved(),
                        Signs::Library { positive_queen } => !(positive_queen && is_moved_queen(piece)),
                    };
                Some(if negative { -number } else { number })
            })?;
            raw.put(index_of(at.timeline), turn, squares);
        }
        Some(raw)
    }

    /// The boards of a position in an edition's numbers, also in the middle of an action. `from_zero` says whether the game begins at
    /// turn 0.
    pub(crate) fn seen(
        position: &Position,
        untouched: &Untouched,
        numbering: Numbering,
        from_zero: bool,
    ) -> Raw {
        let mut raw = Raw::default();
        for (at, board) in position.multiverse().boards() {
            let Some(turn) = numbering.turn_index(at.half_turn, from_zero) else { continue };
            let squares = turn_of(board, |square, piece| {
                let number = number_of(piece)?;
                Some(if untouched.contains(at, square) { -number } else { number })
            });
            let mut squares = squares.expect("every piece has a number");
            squares.reverse();
            raw.put(numbering.timeline_index(at.timeline), turn, squares);
        }
        raw
    }

    /// Adds a board at the end of a timeline.
    fn put(&mut self, timeline: usize, turn: usize, squares: RawTurn) {
        if self.0.len() <= timeline {
            self.0.resize(timeline + 1, None);
        }
        let turns = self.0[timeline].get_or_insert_default();
        turns.resize(turns.len().max(turn), None);
        turns.push(Some(squares));
    }

    /// The boards and where they stand, as 0.3.6 has them. The first board decides about the size.
    ///
    /// # Errors
    ///
    /// When there is no board, or one has ranks of several lengths or a number that is no piece: the reason in words.
    pub fn setup(&self) -> Result<Setup, String> {
        let setup = self.setup_in(Edition::Readme, Parity::Odd, 0)?;
        Ok(super::start::renumbered(setup))
    }

    /// The boards as an edition has them. For [`Edition::Current`] a game without a timeline 0 has `-0` and `+0`, and one without a
    /// first board of White begins at turn 0 if it has Black's board before the first turn and White's after it.
    ///
    /// # Errors
    ///
    /// Those of [`Raw::setup`].
    pub fn setup_for(&self, edition: Edition) -> Result<Setup, String> {
        if edition == Edition::Readme {
            return self.setup();
        }
        let has = |turn: usize| {
            self.0.iter().flatten().any(|turns| turns.get(turn).is_some_and(|board| board.is_some()))
        };
        let is_even = self.0.first().is_some_and(Option::is_none);
        let later = if !has(0) && has(1) && has(2) { 2 } else { 0 };
        self.setup_in(edition, if is_even { Parity::Even } else { Parity::Odd }, later)
    }

    fn setup_in(&self, edition: Edition, parity: Parity, later: i16) -> Result<Setup, String> {
        let mut boards = Vec::new();
        let mut size = None;
        let mut turned = RawTurn::new();
        for (index, turns) in self.0.iter().enumerate() {
            let mut timeline = timeline_of(index);
            timeline.0 -= i16::from(parity == Parity::Even && timeline.0 > 0);
            for (turn, squares) in turns.iter().flatten().enumerate() {
                let Some(mut squares) = squares.as_ref() else { continue };
                if edition == Edition::Current {
                    turned.clone_from(squares);
                    turned.reverse();
                    squares = &turned;
                }
                let half_turn =
                    i16::try_from(turn + 2).map_err(|_| format!("expected at most {MAX_TURN} turns"))?;
                let size = *size.get_or_insert(size_of(squares)?);
                boards.push((
                    BoardCoordinate { timeline, half_turn: HalfTurn(half_turn - later) },
                    board_of(squares, size)?,
                ));
            }
        }
        let size = size.ok_or("expected at least one board")?;
        Ok(Setup { size, parity, profile: RuleProfile::default(), boards })
    }

    /// The position of the boards, under the default rules.
    ///
    /// # Errors
    ///
    /// Those of [`Raw::setup`], and when the boards make no multiverse.
    pub fn position(&self) -> Result<Position, String> {
        let setup = self.setup()?;
        Position::from_setup(&setup).map_err(|error| error.to_string())
    }

    /// The game that starts from these boards, under the default rules, with the pieces that have moved.
    ///
    /// # Errors
    ///
    /// Those of [`Raw::position`].
    pub fn game(&self) -> Result<Game, String> {
        let start = self.position()?;
        let also_moved = also_moved(&start, self.pieces());
        Ok(Game { also_moved, ..Game::new(start, Vec::new()) })
    }

    /// Gives the game like [`Raw::game`], with the numbers of an edition.
    ///
    /// # Errors
    ///
    /// Those of [`Raw::position`].
    pub fn game_for(&self, edition: Edition) -> Result<Game, String> {
        if edition == Edition::Readme {
            return self.game();
        }
        let setup = self.setup_for(edition)?;
        let start = Position::from_setup(&setup).map_err(|error| error.to_string())?;
        Ok(Game::new(start, Vec::new()))
    }

    /// Every piece, where it stands, and whether it has moved.
    fn pieces(&self) -> impl Iterator<Item = (Coordinate, Piece, bool)> {
        let turns = self.0.iter().enumerate().flat_map(|(index, turns)| {
            let turns = turns.iter().flatten().enumerate();
            turns.filter_map(move |(turn, squares)| Some((timeline_of(index), turn, squares.as_ref()?)))
        });
        turns.flat_map(|(timeline, turn, squares)| {
            let half_turn = HalfTurn(i16::try_from(turn + 2).unwrap_or(i16::MAX));
            let board = BoardCoordinate { timeline, half_turn };
            let ranks = (0..squares.len() as u8).rev().zip(squares);
            ranks.flat_map(move |(rank, row)| {
                (0..).zip(row).filter_map(move |(file, &number)| {
                    Some((
                        Coordinate { board, square: Square::new(file, rank)? },
                        piece_of(number)?,
                        number > 0,
                    ))
                })
            })
        })
    }

    /// The arrays as JSON.
    pub fn write(&self) -> String {
        let mut text = String::new();
        list(&mut text, &self.0, |text, turns| match turns {
            None => text.push_str("null"),
            Some(turns) => list(text, turns, |text, squares| match squares {
                None => text.push_str("null"),
                Some(squares) => list(text, squares, |text, rank| {
                    list(text, rank, |text, number| {
                        // Writing to a string cannot fail.
                        let _ = write!(text, "{number}");
                    });
                }),
            }),
        });
        text
    }

    /// The arrays of a JSON text.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or holds something else.
    pub fn parse(text: &str) -> Result<Raw, ParseError> {
        Raw::parse_for(Edition::Readme, text)
    }

    /// Parses like [`Raw::parse`], with the numbers of an edition.
    ///
    /// # Errors
    ///
    /// Those of [`Raw::parse`].
    pub fn parse_for(edition: Edition, text: &str) -> Result<Raw, ParseError> {
        let mut json = Json::new(text)?;
        let raw = Raw::decode_for(&mut json, edition)?;
        json.end()?;
        Ok(raw)
    }

    pub(super) fn decode(json: &mut Json<'_>) -> Result<Raw, ParseError> {
        Raw::decode_for(json, Edition::Readme)
    }

    fn decode_for(json: &mut Json<'_>, edition: Edition) -> Result<Raw, ParseError> {
        let most = if edition == Edition::Readme { README_NUMBERS } else { 2 * KINDS.len() as i8 };
        let mut raw = Raw::default();
        let mut left = MAX_BOARDS;
        json.array(|json| {
            if raw.0.len() == MAX_TIMELINES {
                return Err(too_many(json, &format!("{MAX_TIMELINES} timelines")));
            }
            let timeline =
                if json.null() { None } else { Some(Raw::decode_timeline(json, &mut left, most)?) };
            raw.0.push(timeline);
            Ok(())
        })?;
        Ok(raw)
    }

    fn decode_timeline(
        json: &mut Json<'_>,
        left: &mut usize,
        most: i8,
    ) -> Result<Vec<Option<RawTurn>>, ParseError> {
        let mut turns = Vec::new();
        json.array(|json| {
            if turns.len() == 2 * MAX_TURN as usize {
                return Err(too_many(json, &format!("{MAX_TURN} turns")));
            }
            if json.null() {
                turns.push(None);
                return Ok(());
            }
            *left = left.checked_sub(1).ok_or_else(|| too_many(json, &format!("{MAX_BOARDS} boards")))?;
            let mut squares = RawTurn::new();
            json.array(|json| {
                let mut rank = Vec::new();
                json.array(|json| {
                    let (number, span) = json.integer()?;
                    let number = i8::try_from(number).ok().filter(|n| (-most..=most).contains(n));
                    let side = usize::from(BoardSize::MAX);
                    match number {
                        Some(number) if rank.len() < side => rank.push(number),
                        Some(_) => return Err(too_large(span)),
                        None => {
                            let message = format!("expected the number of a piece, from -{most} to {most}");
                            return Err(Issue::new("unknown-piece", span, message).malformed());
                        }
                    }
                    Ok(())
                })?;
                if squares.len() == usize::from(BoardSize::MAX) {
                    return Err(too_large(json.here()));
                }
                squares.push(rank);
                Ok(())
            })?;
            turns.push(Some(squares));
            Ok(())
        })?;
        Ok(turns)
    }

    /// The text of which 5d-chess-js 0.3.6 takes the MD5: `A` for a missing timeline, `B` for a missing board, and for each board
    /// its pieces as letters with the number of empty squares before each.
    pub(in crate::notation) fn key(&self) -> String {
        let mut key = String::new();
        for turns in &self.0 {
            let Some(turns) = turns else {
                key.push('A');
                continue;
            };
            for squares in turns {
                let Some(squares) = squares else {
                    key.push('B');
                    continue;
                };
                let mut empty = 0;
                for &number in squares.iter().flatten() {
                    if number == 0 {
                        empty += 1;
                        continue;
                    }
                    if empty > 0 {
                        let _ = write!(key, "{empty}");
                        empty = 0;
                    }
                    let first = if number > 0 { b'a' } else { b'C' };
                    key.push((first + number.unsigned_abs()) as char);
                }
            }
        }
        key
    }
}

/// Writes items between brackets.
fn list<T>(text: &mut String, items: &[T], mut item: impl FnMut(&mut String, &T)) {
    text.push('[');
    for (index, each) in items.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        item(text, each);
    }
    text.push(']');
}

fn too_many(json: &Json<'_>, what: &str) -> ParseError {
    Issue::new("too-many-boards", json.here(), format!("expected at most {what}")).malformed()
}

/// 0, +1, -1, +2, -2 -> 0, 2, 1, 4, 3.
fn index_of(timeline: Timeline) -> usize {
    let number = usize::from(timeline.0.unsigned_abs());
    if timeline.0 < 0 { 2 * number - 1 } else { 2 * number }
}

fn timeline_of(index: usize) -> Timeline {
    let number = i16::try_from(index.div_ceil(2)).unwrap_or(i16::MAX);
    Timeline(if index.is_multiple_of(2) { number } else { -number })
}

/// The board as ranks of numbers.
fn turn_of(board: &Board, number: impl Fn(Square, Piece) -> Option<i8>) -> Option<RawTurn> {
    let size = board.size();
    let square = |rank, file| {
        let square = Square::new(file, rank)?;
        board.get(square).map_or(Some(0), |piece| number(square, piece))
    };
    (0..size.height()).rev().map(|rank| (0..size.width()).map(|file| square(rank, file)).collect()).collect()
}

fn size_of(squares: &RawTurn) -> Result<BoardSize, String> {
    let side = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
    let (width, height) = (squares.first().map_or(0, Vec::len), squares.len());
    BoardSize::new(side(width), side(height)).ok_or_else(|| {
        let max = BoardSize::MAX;
        format!("expected a board of 1x1 to {max}x{max} squares, but found one of {width}x{height}")
    })
}

fn board_of(squares: &RawTurn, size: BoardSize) -> Result<Board, String> {
    let width = usize::from(size.width());
    if squares.len() != usize::from(size.height()) || squares.iter().any(|rank| rank.len() != width) {
        return Err(format!(
            "a board or one of its ranks has another size than the first board, which has {size}"
        ));
    }
    let mut board = Board::empty(size);
    for (rank, row) in (0..size.height()).rev().zip(squares) {
        for (file, &number) in (0..size.width()).zip(row) {
            if number == 0 {
                continue;
            }
            let piece = piece_of(number)
                .ok_or_else(|| format!("expected the number of a piece, but found {number}"))?;
            if let Some(square) = Square::new(file, rank) {
                board.put(square, piece, number < 0);
            }
        }
    }
    Ok(board)
}

/// The largest number of 0.3.6.
const README_NUMBERS: i8 = 14;

/// By number, two for each.
const KINDS: [PieceKind; 12] = [
    PieceKind::Pawn,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Rook,
    PieceKind::Queen,
    PieceKind::King,
    PieceKind::Princess,
    PieceKind::Brawn,
    PieceKind::CommonKing,
    PieceKind::RoyalQueen,
    PieceKind::Unicorn,
    PieceKind::Dragon,
];

/// The number of a piece that has moved.
pub(super) fn number_of(piece: Piece) -> Option<i8> {
    let index = KINDS.iter().position(|&kind| kind == piece.kind)? as i8;
    Some(2 * index + if piece.color == Color::White { 2 } else { 1 })
}

/// The piece of a number, whatever its sign.
pub(super) fn piece_of(number: i8) -> Option<Piece> {
    let number = usize::from(number.unsigned_abs());
    let kind = *KINDS.get(number.checked_sub(1)? / 2)?;
    Some(Piece { color: if number % 2 == 0 { Color::White } else { Color::Black }, kind })
}
