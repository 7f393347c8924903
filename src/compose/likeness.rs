//! The likeness of two mates, from 0 to 1: a measure for an editor's "we have that one already".
//!
//! Three things are compared, each from 0 to 1. The *solution*: which kinds of pieces make which kinds of
//! moves in the key, the answers and the mates. The *placing*: the largest part of the pieces on playable
//! boards that agrees after shifting and mirroring. The *material*. Their weights are 0.5, 0.3 and 0.2.
//! Colours are swapped if the attacker is Black. Begin at [`Likeness::to`].
//!
//! Mates of different lengths are not alike, but the shorter may be the *tail* of the longer: after the key and some defences of the longer
//! the playable boards are those of the shorter, perhaps mirrored, and the same actions go on: [`Likeness::is_tail_of`].

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Solution;
use super::line::{Line, LineGoal};
use super::step::{Role, Step, mover};
use super::study::Study;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Color, Move, MoveKind, PieceKind, Square};

/// Two mates with at least this likeness are near-duplicates.
pub const NEAR_DUPLICATE: f64 = 0.8;

/// The features of a mate that are compared.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// The goal, if it is a helpmate or a selfmate.
    line: Option<LineGoal>,
    mate_in: u32,
    /// The kinds of moves of the solution, each with its number, at most 2.
    solution: Counted<Feature>,
    /// The squares of the pieces on the playable boards, by number of the board and kind of piece.
    placing: BTreeMap<(usize, Man), Vec<(i8, i8)>>,
    material: Counted<Man>,
    /// The first actions of the solution, each with the boards before it.
    firsts: BTreeSet<Moment>,
    /// The later actions of the attacker.
    laters: BTreeSet<Moment>,
    is_complete: bool,
}

/// A hash of an action and the boards that the player to move may play on, the same after mirroring or swapping colours.
type Moment = u64;

type Counted<T> = BTreeMap<T, u32>;

/// A piece, and whether it is the attacker's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Man {
    own: bool,
    kind: PieceKind,
}

/// The kind of a move of the solution. Moves of one kind look the same to an editor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Feature {
    is_key: bool,
    mates: bool,
    left: u32,
    mover: PieceKind,
    kind: MoveKind,
    turns: i16,
    captures: bool,
    promotes: Option<PieceKind>,
}

impl Likeness {
    /// The features of this mate.
    pub fn of(position: &Position, study: &Study) -> Likeness {
        let is_complete = study.open.is_none();
        let mut likeness = Likeness { is_complete, ..Likeness::of_boards(position, None, study.mate_in) };
        study.visit(position, &mut |step| {
            if step.role != Role::Defence {
                likeness.add(step, step.left == study.mate_in);
            }
        });
        likeness.cut_numbers();
        likeness
    }

    /// The features of this helpmate or selfmate.
    pub fn of_line(position: &Position, line: &Line) -> Likeness {
        let mut likeness = Likeness::of_boards(position, Some(line.goal), line.mate_in);
        line.visit(position, |step| likeness.add(step, step.left as usize == line.actions.len()));
        likeness.cut_numbers();
        likeness
    }

    /// The features of this solution.
    pub fn of_solution(position: &Position, solution: &Solution) -> Likeness {
        match solution {
            Solution::Mate(study) => Likeness::of(position, study),
            Solution::Line(line) => Likeness::of_line(position, line),
        }
    }

    /// The features of the boards alone.
    fn of_boards(position: &Position, line: Option<LineGoal>, mate_in: u32) -> Likeness {
        let player = position.to_move();
        let man = |piece: crate::types::Piece| Man { own: piece.color == player, kind: piece.kind };
        let mut placing: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let mut material = Counted::new();
        for (index, at) in position.playable_boards().enumerate() {
            for (square, piece) in position.board(at).into_iter().flat_map(|board| board.pieces()) {
                let rank = square.rank() as i8 * player.rank_forward();
                placing.entry((index, man(piece))).or_default().push((square.file() as i8, rank));
                *material.entry(man(piece)).or_insert(0) += 1;
            }
        }
        let (firsts, laters) = (BTreeSet::new(), BTreeSet::new());
        Likeness {
            line,
            mate_in,
            solution: Counted::new(),
            placing,
            material,
            firsts,
            laters,
            is_complete: true,
        }
    }

    /// Adds the features of an action.
    fn add(&mut self, step: Step<'_>, is_key: bool) {
        let moments = if is_key { &mut self.firsts } else { &mut self.laters };
        moments.insert(moment(step.position, step.action));
        for m in step.action.moves() {
            if let Some(feature) = feature(step.position, m, is_key, step.role == Role::Mate, step.left) {
                *self.solution.entry(feature).or_insert(0) += 1;
            }
        }
    }

    /// Cuts the numbers of features: the frequency of an answer says more about the defender's pieces than about the idea.
    fn cut_numbers(&mut self) {
        self.solution.values_mut().for_each(|count| *count = (*count).min(2));
    }

    /// Whether every defence was read. If not, the solution is compared as far as it was.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The likeness of this mate to another, from 0 to 1. Mates of different lengths and goals have 0.
    pub fn to(&self, other: &Likeness) -> f64 {
        if (self.line, self.mate_in) != (other.line, other.mate_in) {
            return 0.0;
        }
        0.5 * shared(&self.solution, &other.solution)
            + 0.3 * self.placed_like(other)
            + 0.2 * shared(&self.material, &other.material)
    }

    /// Whether this mate is the end of a longer one: an action with which the longer goes on, in its position, is one of this.
    pub fn is_tail_of(&self, longer: &Likeness) -> bool {
        self.line == longer.line && self.mate_in < longer.mate_in && !self.firsts.is_disjoint(&longer.laters)
    }

    /// The largest part of the pieces that agrees after a shift and perhaps a mirroring, from 0 to 1.
    fn placed_like(&self, other: &Likeness) -> f64 {
        let pieces = |placing: &BTreeMap<_, Vec<_>>| placing.values().map(Vec::len).sum::<usize>();
        let all = pieces(&self.placing) + pieces(&other.placing);
        let best = [1, -1].map(|mirror| self.most_at_one_shift(other, mirror)).into_iter().max();
        (2 * best.unwrap_or(0)) as f64 / all.max(1) as f64
    }

    /// The number of pieces that agree with those of the other after the shift that suits most of them.
    fn most_at_one_shift(&self, other: &Likeness, mirror: i8) -> u32 {
        const ZERO: i8 = 16;
        let mut shifts = [[0; 2 * ZERO as usize]; 2 * ZERO as usize];
        for (place, squares) in &self.placing {
            let others = other.placing.get(place).map_or(&[][..], Vec::as_slice);
            for (&(file, rank), &(other_file, other_rank)) in
                squares.iter().flat_map(|square| others.iter().map(move |other| (square, other)))
            {
                let (files, ranks) = (ZERO + file * mirror - other_file, ZERO + rank - other_rank);
                shifts[files as usize][ranks as usize] += 1;
            }
        }
        shifts.into_iter().flatten().max().unwrap_or(0)
    }
}

/// An action in its position, seen from the player to move.
fn moment(position: &Position, action: &Action) -> Moment {
    [false, true].map(|mirrored| seen(position, action, mirrored)).into_iter().min().unwrap_or_default()
}

fn seen(position: &Position, action: &Action, mirrored: bool) -> Moment {
    let player = position.to_move();
    let size = position.size();
    let place = |square: Square| {
        let file = if mirrored { size.width() - 1 - square.file() } else { square.file() };
        let rank = if player == Color::White { square.rank() } else { size.height() - 1 - square.rank() };
        (file, rank)
    };
    // Timelines of the player are counted up, and turns from the present.
    let at = |board: BoardCoordinate| {
        (board.timeline.0 * i16::from(player.rank_forward()), board.half_turn.0 - position.present().0)
    };
    let mut boards: Vec<_> = position.playable_boards().collect();
    boards.sort_by_key(|board| at(*board));
    let mut hash = DefaultHasher::new();
    for board in boards {
        let pieces = position.board(board).into_iter().flat_map(|board| board.pieces());
        let man = |piece: crate::types::Piece| Man { own: piece.color == player, kind: piece.kind };
        let mut men: Vec<_> = pieces.map(|(square, piece)| (place(square), man(piece))).collect();
        men.sort();
        (at(board), men).hash(&mut hash);
    }
    let moves = action
        .moves()
        .iter()
        .map(|m| (at(m.from.board), place(m.from.square), at(m.to.board), place(m.to.square), m.promotion));
    let mut moves: Vec<_> = moves.collect();
    moves.sort();
    (size, moves).hash(&mut hash);
    hash.finish()
}

fn feature(position: &Position, m: &Move, is_key: bool, mates: bool, left: u32) -> Option<Feature> {
    let mover = mover(position, m)?;
    let target = position.board(m.to.board).and_then(|board| board.get(m.to.square));
    Some(Feature {
        is_key,
        mates,
        left,
        mover: mover.kind,
        kind: m.kind,
        turns: m.to.board.half_turn.0 - m.from.board.half_turn.0,
        captures: target.is_some_and(|piece| piece.color != mover.color),
        promotes: m.promotion,
    })
}

/// The shared part of two collections, from 0 to 1.
fn shared<T: Ord>(one: &Counted<T>, other: &Counted<T>) -> f64 {
    let both: u32 = one.iter().map(|(key, count)| count.min(other.get(key).unwrap_or(&0))).sum();
    let all: u32 = one.values().chain(other.values()).sum();
    if all == 0 { 1.0 } else { f64::from(2 * both) / f64::from(all) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen5d, pgn5d};
    use crate::search::{Budget, Prover};

    fn likeness(text: &str) -> Likeness {
        let position = fen5d::parse(text).into_result().unwrap();
        let study = Study::of(&position, 2, &mut Prover::new(Budget::default())).unwrap().unwrap();
        Likeness::of(&position, &study)
    }

    #[test]
    fn a_mirrored_or_swapped_puzzle_is_the_same() {
        let one = likeness("[5/NK2k/p4/5/5:0:1:w]");
        for other in ["[5/NK2k/p4/5/5:0:1:w]", "[5/k2KN/4p/5/5:0:1:w]", "[5/5/P4/nk2K/5:0:1:b]"] {
            let likeness = one.to(&likeness(other));
            assert!((likeness - 1.0).abs() < 1e-9, "{other}: {likeness}");
        }
    }

    #[test]
    fn the_end_of_a_longer_mate_is_its_tail() {
        let mut position = fen5d::parse("[4/KR1R/4/2k1:0:1:w]").into_result().unwrap();
        let of = |position: &Position, n| {
            let study = Study::of(position, n, &mut Prover::new(Budget::default())).unwrap().unwrap();
            Likeness::of(position, &study)
        };
        let longer = of(&position, 2);
        for action in ["Rb3c3", "Kc1b1"] {
            let action = pgn5d::parse_action(&position, action).unwrap();
            position.play(&action).unwrap();
        }
        let tail = of(&position, 1);
        assert!(tail.is_tail_of(&longer) && !longer.is_tail_of(&tail) && !longer.is_tail_of(&longer));
        // The same boards without a past, mirrored, and with the colours swapped.
        for text in ["[4/K1RR/4/1k2:0:1:w]", "[4/RR1K/4/2k1:0:1:w]", "[1K2/4/k1rr/4:0:1:b]"] {
            let alone = fen5d::parse(text).into_result().unwrap();
            assert!(of(&alone, 1).is_tail_of(&longer), "{text}");
        }
        let other = fen5d::parse("[4/K1RR/4/k3:0:1:w]").into_result().unwrap();
        assert!(!of(&other, 1).is_tail_of(&longer));
    }

    #[test]
    fn another_idea_is_not() {
        let knight = likeness("[5/NK2k/p4/5/5:0:1:w]");
        let rooks = likeness("[4/3k/KR1R/3r:0:1:w]");
        assert!(knight.to(&rooks) < 0.4, "{}", knight.to(&rooks));
    }
}
