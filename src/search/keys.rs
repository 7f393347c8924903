//! Keys: mating actions without a superfluous move, and their classes. Begin at [`KeyClass`].

use std::collections::{BTreeMap, BTreeSet};

use super::Candidates;
use super::prover::Prover;
use crate::rules::ActionSieve;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Move, MoveKind, Undecided};

/// Keys that differ only on free boards.
///
/// A *key* is a mating action from which no move can be left out: no legal action made of some of its moves forces
/// mate in time. A board is *free* in a key if every other move within the board that gives a legal action mates too.
/// Keys with the same free boards and the same moves on all other boards form one class. A key whose boards are all
/// free is a class of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyClass {
    keys: Vec<Action>,
    free: Vec<BoardCoordinate>,
}

impl KeyClass {
    /// A class of one key without a free board.
    pub(super) fn single(key: Action) -> KeyClass {
        KeyClass { keys: vec![key], free: Vec::new() }
    }

    /// A class of these keys, in canonical order.
    pub(super) fn of(keys: Vec<Action>, free: Vec<BoardCoordinate>) -> KeyClass {
        KeyClass { keys, free }
    }

    /// The representative: the first key in canonical order.
    pub fn key(&self) -> &Action {
        &self.keys[0]
    }

    /// Every key of the class that was found, in canonical order.
    pub fn keys(&self) -> &[Action] {
        &self.keys
    }

    /// The free boards of the class.
    pub fn free(&self) -> &[BoardCoordinate] {
        &self.free
    }

    /// Whether this action is one of the keys.
    pub fn contains(&self, action: &Action) -> bool {
        self.keys.binary_search(action).is_ok()
    }
}

impl Prover<'_> {
    /// Whether the current action forces mate in `n`. If not, more actions that do not may be left out with it.
    fn mates(&mut self, actions: &mut ActionSieve<'_>, n: u32) -> Result<bool, Undecided> {
        if n == 1 {
            return Ok(!self.answer_around(actions)? && actions.after().is_in_check());
        }
        self.charge_trial()?;
        let refuted = self.refute(actions.after(), n - 1, Candidates::Complete)?;
        if let Some((_, basis)) = &refuted {
            let defender = actions.after().to_move();
            actions.exclude_agreeing(basis, defender);
        }
        Ok(refuted.is_none())
    }

    /// Whether the player to move, who defends, is mated in `left` further actions of the attacker.
    fn is_lost(&mut self, position: &Position, left: u32) -> Result<bool, Undecided> {
        Ok(self.defence(position, left, Candidates::Complete)?.is_none())
    }

    /// Adds every key of the player to move. If the budget runs out, `keys` has those found so far.
    pub(super) fn keys(
        &mut self,
        position: &Position,
        n: u32,
        keys: &mut Vec<Action>,
    ) -> Result<(), Undecided> {
        if self.shares(n) {
            return self.shared_keys(position, n, keys);
        }
        let mut actions = self.sieve(position);
        while self.advance(&mut actions)? {
            if keys.iter().any(|key| actions.exclude_containing(key)) {
                self.charge_trial()?;
            } else if self.mates(&mut actions, n)? {
                let key = self.minimized(position, n, actions.action().clone())?;
                actions.exclude_containing(&key);
                self.charge_memory(&key)?;
                keys.push(key);
            }
        }
        Ok(())
    }

    /// The number of legal actions that mate in `n`. Each contains a key.
    pub(super) fn count_mating_actions(
        &mut self,
        position: &Position,
        n: u32,
        keys: &[Action],
    ) -> Result<u64, Undecided> {
        if self.shares(n) {
            return self.shared_number(position, n, keys);
        }
        let mut count = 0;
        let mut actions = self.sieve(position);
        while self.advance(&mut actions)? {
            // A refuted action of a mate in one takes others with it at little cost. Refuting a longer one costs much, so only actions that
            // contain a key are asked.
            let possible = n == 1 || keys.iter().any(|key| actions.action().contains(key));
            count += u64::from(possible && self.mates(&mut actions, n)?);
        }
        Ok(count)
    }

    /// The smallest part of a mating action that still mates. Every legal part is searched.
    pub(super) fn minimized(
        &mut self,
        position: &Position,
        n: u32,
        mut action: Action,
    ) -> Result<Action, Undecided> {
        'smaller: loop {
            let mut parts = self.sieve_of_parts(position, &action);
            while self.advance(&mut parts)? {
                let part = parts.action().clone();
                if part != action && action.contains(&part) && self.mates(&mut parts, n)? {
                    action = part;
                    continue 'smaller;
                }
            }
            return Ok(action);
        }
    }

    /// All keys by class, classes and keys in canonical order.
    pub(super) fn classes(
        &mut self,
        position: &Position,
        n: u32,
        keys: &[Action],
    ) -> Result<Vec<KeyClass>, Undecided> {
        grouped(position, keys, |after, action| {
            self.charge_trial()?;
            if !after.play_if_legal(action) {
                return Ok(None);
            }
            let lost = self.is_lost(after, n - 1);
            after.undo_unchecked(action);
            lost.map(Some)
        })
    }
}

/// All keys by class, classes and keys in canonical order. `mates` says of an action that is no key whether it mates in time; `None`
/// if it is illegal.
pub(super) fn grouped<E>(
    position: &Position,
    keys: &[Action],
    mut mates: impl FnMut(&mut Position, &Action) -> Result<Option<bool>, E>,
) -> Result<Vec<KeyClass>, E> {
    let known: BTreeSet<&Action> = keys.iter().collect();
    let mut after = position.clone();
    let mut mates = |action: &Action| match known.contains(action) {
        true => Ok(Some(true)),
        false => mates(&mut after, action),
    };
    let mut classes: BTreeMap<(Vec<Move>, Vec<BoardCoordinate>), Vec<Action>> = BTreeMap::new();
    for &key in &known {
        let mut free = Vec::new();
        for m in key.moves().iter().filter(|m| m.kind == MoveKind::Physical) {
            if is_free(position, key, m, &mut mates)? {
                free.push(m.from.board);
            }
        }
        if key.moves().iter().all(|m| free.contains(&m.from.board)) {
            free.clear();
        }
        let bound = key.moves().iter().filter(|m| !free.contains(&m.from.board)).copied().collect();
        classes.entry((bound, free)).or_default().push(key.clone());
    }
    let mut classes: Vec<KeyClass> =
        classes.into_iter().map(|((_, free), keys)| KeyClass { keys, free }).collect();
    classes.sort_by(|a, b| a.key().cmp(b.key()));
    Ok(classes)
}

/// Whether a key mates with any other move on the board of its move `m`.
fn is_free<E>(
    position: &Position,
    key: &Action,
    m: &Move,
    mates: &mut impl FnMut(&Action) -> Result<Option<bool>, E>,
) -> Result<bool, E> {
    let mut others = Vec::new();
    position.pseudo_legal_moves_from(m.from.board, &mut others);
    let mut alternatives = 0;
    for other in others.iter().filter(|other| other.kind == MoveKind::Physical && *other != m) {
        let replaced = key.moves().iter().map(|old| if old == m { *other } else { *old });
        match mates(&Action::new(replaced.collect()))? {
            Some(true) => alternatives += 1,
            Some(false) => return Ok(false),
            None => {}
        }
    }
    Ok(alternatives > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;

    /// Without the rook's move the bishop would hop and not branch, so no legal part has exactly one of the
    /// two moves.
    #[test]
    fn a_key_has_no_mating_part_however_small() {
        let text = "[k1/2/1U:0:2:w] [2/1U/2:0:2:b] [1k/1R/K1:1:2:w] [2/2/2:2:1:b] [2/2/1B:2:2:w] [2/r1/2:3:2:b] \
                    [2/Rk/2:3:3:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let whole: Action = "(1T2w)b2b3 (3T3w)a2a3 (2T2w)b1>>(3T3w)b1".parse().unwrap();
        let part: Action = "(1T2w)b2b3".parse().unwrap();
        let smallest = Prover::new(Budget::default()).minimized(&position, 1, whole);
        assert_eq!(smallest, Ok(part));
    }

    /// The part with both journeys is looked at before the part with the queen's alone, which mates as well.
    #[test]
    fn a_part_that_mates_is_made_smaller_in_turn() {
        let text = "[3/3/2R:-3:2:w] [3/3/3:-2:2:w] [3/3/P2:-1:2:w] [3/Q2/RR1:0:1:w] [k2/3/1K1:1:1:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let whole: Action = "(-3T2w)c1>(-2T2w)c1 (-1T2w)a1a2 (0T1w)a2>(1T1w)a2".parse().unwrap();
        let part: Action = "(0T1w)a2>(1T1w)a2".parse().unwrap();
        let smallest = Prover::new(Budget::default()).minimized(&position, 1, whole);
        assert_eq!(smallest, Ok(part));
    }

    /// A search of hundreds of steps is needed here to see that the move of one board suffices.
    #[test]
    fn a_move_that_is_not_needed_is_left_out_however_long_that_takes() {
        let mut setup =
            fen5d::parse("[4/4/KbSB/4:-1:3:w] [1Q2/2N1/1k2/P3:0:2:w]").into_result().unwrap().to_setup();
        setup.profile.time_travel = false;
        let position = Position::from_setup(&setup).unwrap();
        let solution = Prover::new(Budget::default()).solve(&position, 2, true);
        let keys: Vec<&Action> = solution.keys.iter().flat_map(KeyClass::keys).collect();
        assert!(solution.complete && keys.len() > 1);
        for key in &keys {
            assert!(!keys.iter().any(|part| part != key && key.contains(part)), "{key}");
        }
    }

    /// Check passes every board here: Black is stalemated, or mated once either of the boards with his kings is played.
    #[test]
    fn keys_with_other_free_boards_are_of_other_classes() {
        let text = "[1k2/4/4/3C:-1:3:w] [4/4/N3/4:0:1:w] [1k2/4/4/3C:1:3:w]";
        let mut setup = fen5d::parse(text).into_result().unwrap().to_setup();
        setup.profile.check_passes_every_board = true;
        let position = Position::from_setup(&setup).unwrap();
        let knight: Move = "(0T1w)a2b4".parse().unwrap();
        let solution = Prover::new(Budget::default()).solve(&position, 1, true);
        let classes = solution.keys.iter().filter(|class| class.key().moves().contains(&knight));
        let found: Vec<(usize, &[BoardCoordinate])> =
            classes.map(|class| (class.keys().len(), class.free())).collect();
        let free: Vec<BoardCoordinate> = ["(-1T3w)", "(1T3w)"].map(|at| at.parse().unwrap()).into();
        assert_eq!(found, [(3, &free[..1]), (3, &free[1..])]);
    }
}
