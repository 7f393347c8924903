//! Moves and threats as certificates write them: squares and boards, without the letters of pieces.
//!
//! `(0T2)d4d3` stays on its board, `(0T2)d4>(1T2)d3` hops, `(0T2)d4>>(0T1)d3` branches, and `=Q` follows a
//! move of a pawn that becomes a queen. `(0T3)d1xd8` and `(0T3)d1x(0T2)d8` are threats. Unlike 5DPGN these
//! can be read without knowing the boards, so a row can be about moves in many positions.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::search::certificate::Threat;
use crate::search::{Class, Start};
use crate::types::{
    Action, BoardCoordinate, Color, Coordinate, HalfTurn, Move, MoveKind, Parity, PieceKind, Square, Timeline,
};

/// The place of an error in a text, and the text that was expected there.
pub(super) type Wrong = (Range<usize>, &'static str);

/// A reader of moves and threats. It knows what their text leaves out: the labels of timelines, and the
/// player to move on the named boards.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    pub parity: Parity,
    pub color: Color,
}

impl Reader {
    /// An action: its moves with one blank between two, in an order in which they can be made.
    pub(super) fn action(self, text: &str) -> Result<Action, Wrong> {
        let mut rest = Rest { text, at: 0, reader: self };
        let mut moves = Vec::new();
        while moves.is_empty() || rest.accept(" ") {
            let start = rest.at;
            let board = rest.board()?;
            moves.push((rest.move_from(board)?, start..rest.at));
        }
        rest.end()?;
        check_order(&moves)?;
        Ok(Action::new(moves.into_iter().map(|(m, _)| m).collect()))
    }

    /// A move without the board on which it starts.
    pub(super) fn start(self, board: BoardCoordinate, text: &str) -> Result<Move, Wrong> {
        let mut rest = Rest { text, at: 0, reader: self };
        let start = rest.move_from(board)?;
        rest.end()?;
        Ok(start)
    }

    pub(super) fn board(self, text: &str) -> Result<BoardCoordinate, Wrong> {
        let mut rest = Rest { text, at: 0, reader: self };
        let board = rest.board()?;
        rest.end()?;
        Ok(board)
    }

    pub(super) fn threat(self, text: &str) -> Result<Threat, Wrong> {
        let mut rest = Rest { text, at: 0, reader: self };
        let board = rest.board()?;
        let from = Coordinate { board, square: rest.square()? };
        rest.require("x", "expected `x` between the two places of a threat")?;
        let to = rest.place(board)?;
        rest.end()?;
        Ok(Threat { from, to })
    }
}

/// Refuses a branch to a board that a later move advances: in that order it would be a hop. Other changes of
/// the order do not change the kind of a move.
fn check_order(moves: &[(Move, Range<usize>)]) -> Result<(), Wrong> {
    let mut advanced = BTreeSet::new();
    for (m, place) in moves.iter().rev() {
        if m.kind == MoveKind::Branch && advanced.contains(&m.to.board) {
            return Err((place.clone(), "expected this branch after the move that advances its board"));
        }
        if m.kind != MoveKind::Branch {
            advanced.extend([m.from.board, m.to.board]);
        }
    }
    Ok(())
}

/// The rest of a text, from `at`.
struct Rest<'t> {
    text: &'t str,
    at: usize,
    reader: Reader,
}

impl Rest<'_> {
    fn accept(&mut self, token: &str) -> bool {
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn wrong<T>(&self, expected: &'static str) -> Result<T, Wrong> {
        let next = self.text[self.at..].chars().next();
        Err((self.at..self.at + next.map_or(0, char::len_utf8), expected))
    }

    fn require(&mut self, token: &str, expected: &'static str) -> Result<(), Wrong> {
        if self.accept(token) { Ok(()) } else { self.wrong(expected) }
    }

    fn end(&self) -> Result<(), Wrong> {
        if self.at == self.text.len() { Ok(()) } else { self.wrong("expected nothing more in this text") }
    }

    fn number(&mut self) -> Result<i16, Wrong> {
        let digits = self.text[self.at..].bytes().take_while(u8::is_ascii_digit).count();
        let end = self.at + digits;
        if digits > 1 && self.text[self.at..].starts_with('0') {
            return Err((self.at..end, "expected a number without zeros before it"));
        }
        match self.text[self.at..end].parse() {
            // The limit keeps sums of numbers within their type.
            Ok(number @ 0..=16_000) => {
                self.at = end;
                Ok(number)
            }
            _ if digits > 0 => Err((self.at..end, "this number is larger than is supported")),
            _ => self.wrong("expected a number"),
        }
    }

    /// `(0T1)`
    fn board(&mut self) -> Result<BoardCoordinate, Wrong> {
        self.require("(", "expected a board such as `(0T1)`")?;
        let sign = self.at;
        let below = self.accept("-");
        if self.reader.parity == Parity::Even && !below {
            self.require("+", "expected `-` or `+` before the number of the timeline")?;
        }
        let number = self.number()?;
        if self.reader.parity == Parity::Odd && below && number == 0 {
            return Err((sign..self.at, "expected `0` without a sign: there is one timeline of this number"));
        }
        let timeline = match (self.reader.parity, below) {
            (_, false) => number,
            (Parity::Odd, true) => -number,
            (Parity::Even, true) => -1 - number,
        };
        self.require("T", "expected `T` and the number of the turn")?;
        let half_turn = HalfTurn(2 * self.number()? + self.reader.color as i16);
        self.require(")", "expected `)` at the end of the board")?;
        Ok(BoardCoordinate { timeline: Timeline(timeline), half_turn })
    }

    fn square(&mut self) -> Result<Square, Wrong> {
        let bytes = self.text.as_bytes();
        let coordinate = |index: usize, first: u8| bytes.get(index)?.checked_sub(first);
        let square = coordinate(self.at, b'a').zip(coordinate(self.at + 1, b'1'));
        match square.and_then(|(file, rank)| Square::new(file, rank)) {
            Some(square) => {
                self.at += 2;
                Ok(square)
            }
            None => self.wrong("expected a square from a1 to h8"),
        }
    }

    /// A square with its board; the board is `board` if none is written.
    fn place(&mut self, board: BoardCoordinate) -> Result<Coordinate, Wrong> {
        let is_written = self.text[self.at..].starts_with('(');
        let board = if is_written { self.board()? } else { board };
        Ok(Coordinate { board, square: self.square()? })
    }

    fn move_from(&mut self, board: BoardCoordinate) -> Result<Move, Wrong> {
        let from = Coordinate { board, square: self.square()? };
        let kind = if self.accept(">>") {
            MoveKind::Branch
        } else if self.accept(">") {
            MoveKind::Hop
        } else {
            MoveKind::Physical
        };
        let to_board = if kind == MoveKind::Physical { board } else { self.board()? };
        let to = Coordinate { board: to_board, square: self.square()? };
        let mut promotion = None;
        if self.accept("=") {
            let letter = self.text[self.at..].chars().next();
            promotion = letter.and_then(|letter| PieceKind::try_from(letter).ok());
            if promotion.is_none() {
                return self.wrong("expected the letter of a piece");
            }
            self.at += 1;
        }
        Ok(Move { kind, from, to, promotion })
    }
}

/// Writes texts that [`Reader`] reads.
#[derive(Clone, Copy)]
pub(super) struct Writer(pub Parity);

impl Writer {
    pub(super) fn action(self, action: &Action) -> String {
        let moves = action.moves().iter().map(|m| self.board(m.from.board) + &self.start(m));
        moves.collect::<Vec<_>>().join(" ")
    }

    fn start(self, m: &Move) -> String {
        let target = match m.kind {
            MoveKind::Physical => String::new(),
            MoveKind::Hop => format!(">{}", self.board(m.to.board)),
            MoveKind::Branch => format!(">>{}", self.board(m.to.board)),
        };
        let promotion = m.promotion.map(|kind| format!("={}", kind.letter())).unwrap_or_default();
        format!("{}{target}{}{promotion}", m.from.square, m.to.square)
    }

    pub(super) fn board(self, board: BoardCoordinate) -> String {
        format!("({}T{})", self.0.label(board.timeline), board.half_turn.turn())
    }

    pub(super) fn threat(self, threat: &Threat) -> String {
        let Threat { from, to } = threat;
        let board = if from.board == to.board { String::new() } else { self.board(to.board) };
        format!("{}{}x{board}{}", self.board(from.board), from.square, to.square)
    }

    /// A class as a mapping on one line.
    pub(super) fn class(self, class: &Class) -> String {
        let boards = class.boards().iter().map(|(board, starts)| {
            let starts = starts.iter().map(|start| match start {
                Start::Pass => crate::puzzle::PASS.to_owned(),
                Start::Move(m) => format!("\"{}\"", self.start(m)),
            });
            format!("\"{}\": [{}]", self.board(*board), starts.collect::<Vec<_>>().join(", "))
        });
        format!("{{ {} }}", boards.collect::<Vec<_>>().join(", "))
    }
}
