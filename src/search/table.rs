//! The memory of the prover: results about positions with the attacker to move, of bounded size.
//!
//! # A result about one position is never used for another
//!
//! Positions are found by their boards, not by a hash. The *root* is the position of the first question. The
//! key of a position is the list of boards that were added since the root. Each board is a number that stands
//! for its coordinate, its pieces and their marks. Only positions that continue the root, under the same
//! rules, are looked up. A question about any other position makes it the new root and forgets all results.
//! So equal keys mean equal positions, and there can be no collision, by design or by accident. As nothing is
//! random, the same questions in the same order find the same answers on every machine.
//!
//! The numbers make this cheap. The positions of one proof are combinations of few different boards, so each
//! board is stored once, and a position takes four bytes for each of its boards.

use std::collections::BTreeMap;

use super::Candidates;
use crate::rules::Basis;
use crate::state::{Board, Position};
use crate::types::{Action, BoardCoordinate};

/// The known results about one position.
#[derive(Clone, Default)]
struct Entry {
    /// The shortest known mate: its length and first action.
    proven: Option<(u32, Action)>,
    /// There is no mate in this many actions or fewer. `basis` has the dependencies of this.
    disproven: u32,
    basis: Basis,
    /// There is no mate by checks in this many actions or fewer.
    disproven_by_checks: u32,
}

/// A position, by the player to move and the numbers of the boards that it has beyond the root.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key(Box<[u32]>);

/// The results about positions that continue one root. A result that does not fit is not stored; no result is
/// forgotten while the root stays the same. The maps are trees, since a hash map with random keys would make runs
/// differ.
pub(super) struct Table {
    root: Option<Position>,
    numbers: BTreeMap<(BoardCoordinate, Board), u32>,
    entries: BTreeMap<Key, Entry>,
    bytes: u64,
    limit: u64,
}

/// The bytes of a pair in a tree, with its links and the unused part of the tree's nodes.
const fn in_a_tree<T>() -> u64 {
    2 * (size_of::<T>() as u64 + 1)
}

const ENTRY_BYTES: u64 = in_a_tree::<(Key, Entry)>();
const BOARD_BYTES: u64 = in_a_tree::<((BoardCoordinate, Board), u32)>();

impl Table {
    pub(super) fn new(limit: u64) -> Table {
        Table { root: None, numbers: BTreeMap::new(), entries: BTreeMap::new(), bytes: 0, limit }
    }

    /// Prepares for questions about this position and those that follow from it. If it does not continue the
    /// root, everything is forgotten.
    pub(super) fn ask_about(&mut self, position: &Position) {
        if !self.root.as_ref().is_some_and(|root| position.continues(root)) {
            *self = Table { root: Some(position.clone()), ..Table::new(self.limit) };
        }
    }

    /// The key of a position that continues the root; `None` if there is no memory for its boards.
    pub(super) fn key(&mut self, position: &Position) -> Option<Key> {
        let root = self.root.as_ref().filter(|_| self.limit > 0)?;
        debug_assert!(position.continues(root), "the question was announced");
        let mut numbers = vec![position.to_move() as u32];
        for (at, board) in position.multiverse().boards_beyond(root.multiverse()) {
            let next = self.numbers.len() as u32;
            let number = match self.numbers.get(&(at, *board)) {
                Some(number) => *number,
                None if self.bytes + BOARD_BYTES > self.limit => return None,
                None => {
                    self.bytes += BOARD_BYTES;
                    *self.numbers.entry((at, *board)).or_insert(next)
                }
            };
            numbers.push(number);
        }
        Some(Key(numbers.into()))
    }

    /// A known mate in at most `n`.
    pub(super) fn mate(&self, position: &Key, n: u32) -> Option<(u32, &Action)> {
        let (length, action) = self.entries.get(position)?.proven.as_ref()?;
        (*length <= n).then_some((*length, action))
    }

    /// The largest number of actions that is known not to suffice for a mate.
    pub(super) fn disproven(&self, position: &Key, tier: Candidates) -> u32 {
        self.entries.get(position).map_or(0, |entry| match tier {
            Candidates::Complete => entry.disproven,
            Candidates::Checks => entry.disproven.max(entry.disproven_by_checks),
        })
    }

    pub(super) fn prove(&mut self, position: &Key, n: u32, action: &Action) {
        let bytes = size_of_val(action.moves()) as u64;
        if let Some(entry) = self.entry(position, bytes) {
            entry.proven = Some((n, action.clone()));
        }
    }

    /// The dependencies of the result of [`Table::disproven`].
    pub(super) fn basis(&self, position: &Key, tier: Candidates) -> Basis {
        let entry = self.entries.get(position);
        let is_known =
            |entry: &&Entry| entry.disproven > 0 && entry.disproven == self.disproven(position, tier);
        entry.filter(is_known).map_or(Basis::EVERYTHING, |entry| entry.basis.clone())
    }

    /// Records that there is no mate in `n`, with the dependencies of that if the search was complete.
    pub(super) fn disprove(&mut self, position: &Key, n: u32, tier: Candidates, basis: &Basis) {
        let bytes = if tier == Candidates::Complete { basis.bytes() } else { 0 };
        let Some(entry) = self.entry(position, bytes) else { return };
        match tier {
            Candidates::Complete if n > entry.disproven => {
                entry.disproven = n;
                entry.basis = basis.clone();
            }
            Candidates::Complete => {}
            Candidates::Checks => entry.disproven_by_checks = n.max(entry.disproven_by_checks),
        }
    }

    fn entry(&mut self, position: &Key, bytes: u64) -> Option<&mut Entry> {
        let new = match self.entries.contains_key(position) {
            true => 0,
            false => ENTRY_BYTES + size_of_val(&*position.0) as u64,
        };
        if self.bytes + new + bytes > self.limit {
            return None;
        }
        self.bytes += new + bytes;
        Some(self.entries.entry(position.clone()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::types::{BoardSize, Color, HalfTurn, Piece, PieceKind, Square, Timeline};

    fn key(number: u32) -> Key {
        Key(vec![number].into())
    }

    #[test]
    fn lengths_answer_for_longer_mates_and_shorter_disproofs() {
        let mut table = Table::new(1 << 20);
        let seven = key(7);
        table.disprove(&seven, 2, Candidates::Checks, &Basis::EVERYTHING);
        assert_eq!(table.disproven(&seven, Candidates::Checks), 2);
        assert_eq!(table.disproven(&seven, Candidates::Complete), 0);
        table.disprove(&seven, 3, Candidates::Complete, &Basis::EVERYTHING);
        assert_eq!(table.disproven(&seven, Candidates::Checks), 3);
        table.prove(&seven, 4, &Action::default());
        assert_eq!(table.mate(&seven, 3), None);
        assert_eq!(table.mate(&seven, 5).map(|(n, _)| n), Some(4));
    }

    #[test]
    fn memory_is_bounded() {
        let mut table = Table::new(10 * (ENTRY_BYTES + 4));
        for position in 0..1000 {
            table.disprove(&key(position), 1, Candidates::Complete, &Basis::EVERYTHING);
        }
        assert_eq!(table.entries.len(), 10);
        assert!(table.bytes <= table.limit);
    }

    #[test]
    fn what_disproofs_rely_on_takes_memory_too() {
        let mut basis = Basis::default();
        basis.add_uses(&"(0T1w)a1a2".parse().unwrap());
        assert!(basis.bytes() > 0);
        let mut table = Table::new(10 * (ENTRY_BYTES + 4 + basis.bytes()));
        for position in 0..1000 {
            table.disprove(&key(position), 1, Candidates::Complete, &basis);
        }
        assert_eq!(table.entries.len(), 10);
    }

    /// The dependencies of there being no mate in one say nothing of longer mates by checks.
    #[test]
    fn only_a_complete_disproof_of_that_length_has_a_basis() {
        let (mut table, mut basis, seven) = (Table::new(1 << 20), Basis::default(), key(7));
        basis.add_uses(&"(0T1w)a1a2".parse().unwrap());
        table.disprove(&seven, 1, Candidates::Complete, &basis);
        assert_eq!(table.basis(&seven, Candidates::Checks), basis);
        table.disprove(&seven, 3, Candidates::Checks, &Basis::EVERYTHING);
        assert_eq!(table.basis(&seven, Candidates::Complete), basis);
        assert_eq!(table.basis(&seven, Candidates::Checks), Basis::EVERYTHING);
    }

    /// Positions whose boards do not fit in the memory are not confused with each other.
    #[test]
    fn without_room_for_its_boards_a_position_has_no_key() {
        let read = |more: &str| fen5d::parse(&format!("[2K/3/k2:0:1:w]{more}")).into_result().unwrap();
        let (one, other) = (read("[2K/3/k2:0:1:b]"), read("[2K/3/1k1:0:1:b]"));
        let mut table = Table::new(BOARD_BYTES);
        table.ask_about(&read(""));
        assert!(table.key(&one).is_some());
        assert_eq!(table.key(&other), None);
    }

    #[test]
    fn another_game_or_other_rules_are_another_root() {
        let start = fen5d::parse("[5k/w5/5K/1R4:0:1:w]").into_result().unwrap();
        let mut after = start.clone();
        let action = start.legal_actions().next().unwrap();
        after.play_unchecked(&action);
        let mut table = Table::new(1 << 20);
        table.ask_about(&start);
        let known = table.key(&after).unwrap();
        table.disprove(&known, 1, Candidates::Complete, &Basis::EVERYTHING);
        table.ask_about(&after);
        assert_eq!(table.key(&after), Some(known.clone()), "it continues the root");
        assert_eq!(table.disproven(&known, Candidates::Complete), 1);
        let mut setup = start.to_setup();
        setup.profile.time_travel = false;
        table.ask_about(&Position::from_setup(&setup).unwrap());
        assert!(table.entries.is_empty() && table.numbers.is_empty());
    }

    /// A board counts with its place: the same board on another timeline, or in another turn, makes another position.
    #[test]
    fn the_same_board_elsewhere_has_another_key() {
        let root = fen5d::parse("[2K/3/k2:0:1:w]").into_result().unwrap();
        let read = |more: &str| fen5d::parse(&format!("[2K/3/k2:0:1:w]{more}")).into_result().unwrap();
        let positions = [
            read("[2K/3/k2:0:1:b]"),
            read("[2K/3/k2:0:1:b][2K/3/k2:1:1:b]"),
            read("[2K/3/k2:0:1:b][2K/3/k2:1:2:b]"),
            read("[2K/3/k2:0:1:b][2K/3/k2:1:2:w]"),
            read("[2K/3/k2:0:1:b][2K/3/k2:-1:1:b]"),
            read("[2K/3/k2:0:1:b][2K/3/k2:0:2:w]"),
        ];
        let mut table = Table::new(1 << 20);
        table.ask_about(&root);
        let keys: std::collections::BTreeSet<Key> =
            positions.iter().map(|position| table.key(position).unwrap()).collect();
        assert_eq!(keys.len(), positions.len());
    }

    #[test]
    fn another_past_is_another_root() {
        let past = |rows: &str| {
            let text = format!("[{rows}:0:1:w][2K/3/k2:0:1:b][2K/k2/3:0:2:w]");
            fen5d::parse(&text).into_result().unwrap()
        };
        let (one, other) = (past("3/2K/k2"), past("1K1/3/k2"));
        let mut table = Table::new(1 << 20);
        table.ask_about(&one);
        let known = table.key(&one).unwrap();
        table.disprove(&known, 1, Candidates::Complete, &Basis::EVERYTHING);
        table.ask_about(&other);
        let key = table.key(&other).unwrap();
        assert_eq!(table.disproven(&key, Candidates::Complete), 0, "nothing is known of this past");
    }

    /// Positions after a branch to every board of a start whose old boards differ in one plane have different
    /// keys, whatever the planes of those boards are. A hash that multiplied planes in pairs confused some of
    /// them.
    #[test]
    fn boards_that_differ_in_one_plane_have_different_keys() {
        let size = BoardSize::new(8, 8).unwrap();
        let coordinate =
            |half_turn| BoardCoordinate { timeline: Timeline(0), half_turn: HalfTurn(half_turn) };
        let root = {
            let mut board = Board::empty(size);
            board.put(
                Square::new(0, 0).unwrap(),
                Piece { color: Color::White, kind: PieceKind::Queen },
                false,
            );
            let boards = vec![(coordinate(2), board)];
            let (parity, profile) = (crate::types::Parity::Odd, Default::default());
            Position::from_setup(&crate::state::Setup { size, parity, profile, boards }).unwrap()
        };
        let mut table = Table::new(1 << 24);
        table.ask_about(&root);
        let mut keys = std::collections::BTreeSet::new();
        let mut made = 0;
        // Constants that absorbed a factor, and others; every way to put two of them into two sets of pieces.
        let patterns =
            [0, u64::MAX, 0x6a09_e667_f3bc_c909, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179, 1, 1 << 63];
        for one in patterns {
            for other in patterns {
                for (kind, second) in [
                    (PieceKind::Dragon, PieceKind::Pawn),
                    (PieceKind::Rook, PieceKind::Brawn),
                    (PieceKind::King, PieceKind::King),
                ] {
                    for marked in [false, true] {
                        let mut board = Board::empty(size);
                        for index in 0..64 {
                            let (bit, square) = (1 << index, Square::from_index(index));
                            let color = if other & bit == 0 { Color::White } else { Color::Black };
                            if one & bit != 0 {
                                board.put(square, Piece { color, kind }, marked);
                            } else if other & bit != 0 {
                                board.put(square, Piece { color, kind: second }, marked && index % 3 == 0);
                            }
                        }
                        let mut setup = root.to_setup();
                        setup.boards.push((coordinate(3), board));
                        let position = Position::from_setup(&setup).unwrap();
                        made += usize::from(keys.insert((board, table.key(&position).unwrap())));
                    }
                }
            }
        }
        let distinct: std::collections::BTreeSet<_> = keys.iter().map(|(_, key)| key).collect();
        assert_eq!(distinct.len(), made, "one key for each different board");
        assert!(made > 150, "{made}");
    }
}
