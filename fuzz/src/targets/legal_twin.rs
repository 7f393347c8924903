//! The fast rules and the naive twin agree on the present, the active timelines, every move and every legal action.

use std::collections::BTreeSet;

use arbitrary::Result;
use worldlines::slow::SlowState;
use worldlines::state::Position;
use worldlines::types::{Action, Coordinate, Move, Square};

use super::{any_position, noted, shown, twin_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 1_500);

/// The most partial actions that the twin tries; a position with more is skipped.
const TWIN_LIMIT: usize = 4_000;

fn run(bytes: &[u8]) -> Result<()> {
    let position = noted(any_position(bytes)?)?;
    check(&position, &twin_of(&position))
}

fn check(position: &Position, twin: &SlowState) -> Result<()> {
    assert_eq!(twin.present(), position.present(), "present of{}", shown(position));
    assert_eq!(twin.active(), position.multiverse().active(), "active timelines of{}", shown(position));
    assert_eq!(twin.to_move(), position.to_move(), "player to move of{}", shown(position));
    let moves = position.pseudo_legal_moves();
    let set: BTreeSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice in{}", shown(position));
    assert_eq!(set, twin.moves(), "pseudo-legal moves of{}", shown(position));
    for at in position.playable_boards() {
        // The moves to one square are found in a different way than all moves of a board.
        for (board, content) in position.multiverse().boards() {
            for square in (0..64).map(Square::from_index).filter(|s| content.squares() & s.bit() != 0) {
                let to = Coordinate { board, square };
                let mut found = Vec::new();
                position.pseudo_legal_moves_to(at, to, &mut found);
                let found: BTreeSet<Move> = found.into_iter().collect();
                let expected = moves.iter().filter(|m| m.from.board == at && m.to == to).copied();
                assert_eq!(found, expected.collect(), "moves from {at:?} to {to:?} in{}", shown(position));
            }
        }
    }
    let Some(expected) = twin.legal_actions(TWIN_LIMIT) else {
        return Err(arbitrary::Error::IncorrectFormat);
    };
    let listed: Vec<Action> = position.legal_actions().collect();
    let set: BTreeSet<Action> = listed.iter().cloned().collect();
    assert_eq!(set.len(), listed.len(), "an action is listed twice in{}", shown(position));
    let missing: Vec<_> = expected.difference(&set).take(3).collect();
    let extra: Vec<_> = set.difference(&expected).take(3).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "missing {missing:?}\nextra {extra:?}\nin{}",
        shown(position)
    );
    let count = position.count_legal_actions(u64::MAX);
    assert_eq!((count.count, count.capped), (set.len() as u64, false), "count of{}", shown(position));
    // Compares the boards after a few actions. A few are enough, since the fuzzer asks about many positions.
    for action in set.iter().step_by(set.len() / 6 + 1) {
        let (mut after, mut expected) = (position.clone(), twin.clone());
        after.play(action).expect("a legal action");
        expected.play(action);
        assert_eq!(after.to_move(), expected.to_move(), "after {action:?} in{}", shown(position));
        let found: Vec<_> = twin_of(&after).boards().collect();
        assert_eq!(found, expected.boards().collect::<Vec<_>>(), "after {action:?} in{}", shown(position));
    }
    // Played one by one, the same actions are legal, and others are not.
    for action in &set {
        assert_eq!(position.clone().play(action).err(), None, "{action:?} in{}", shown(position));
    }
    for m in &moves {
        let single = Action::new(vec![*m]);
        let accepted = position.clone().play(&single).is_ok();
        assert_eq!(accepted, set.contains(&single), "{single:?} in{}", shown(position));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use worldlines::notation::fen5d;
    use worldlines::types::{MoveKind, PieceKind, Status};

    use super::*;
    use crate::targets::{Random, flags};

    /// This takes minutes in a release build: `cargo test --release -p worldlines-fuzz -- --ignored
    /// --nocapture`.
    #[test]
    #[ignore = "100 000 positions take minutes"]
    fn a_hundred_thousand_positions_of_every_sort() {
        let mut seen: BTreeMap<String, u64> = BTreeMap::new();
        let mut compared = 0_u64;
        let mut random = Random::default();
        while compared < 100_000 {
            let bytes = random.bytes(500);
            let Ok(position) = any_position(&bytes) else { continue };
            if check(&position, &twin_of(&position)).is_err() {
                continue;
            }
            compared += 1;
            for sort in sorts(&position) {
                *seen.entry(sort).or_default() += 1;
            }
        }
        println!("{compared} positions: {seen:#?}");
        let rare = SORTS.iter().filter(|&&sort| seen.get(sort).copied().unwrap_or(0) < 100);
        assert_eq!(rare.collect::<Vec<_>>(), Vec::<&&str>::new(), "sorts seen in fewer than 100 positions");
    }

    /// Kinds of positions that a comparison must meet.
    const SORTS: [&str; 14] = [
        "even start",
        "odd start",
        "inactive timeline",
        "reactivating action",
        "two branches in one action",
        "hop",
        "castling",
        "orthodox",
        "promotion to Queen",
        "promotion to Knight",
        "promotion to Unicorn",
        "checkmate",
        "stalemate",
        "softmate",
    ];

    fn sorts(position: &Position) -> Vec<String> {
        let mut sorts = vec![format!("{:?} start", position.parity()).to_lowercase()];
        let multiverse = position.multiverse();
        let inactive = |position: &Position| position.multiverse().active() != position.multiverse().range();
        if inactive(position) {
            sorts.push("inactive timeline".into());
        }
        if !position.profile().time_travel {
            sorts.push("orthodox".into());
        }
        if position.status() != Status::Ongoing {
            sorts.push(position.status().to_string());
        }
        let mut found = BTreeSet::new();
        for action in position.legal_actions().take(400) {
            let moves = action.moves();
            if moves.iter().filter(|m| m.kind == MoveKind::Branch).count() > 1 {
                found.insert("two branches in one action".to_owned());
            }
            for m in moves {
                if m.kind == MoveKind::Hop {
                    found.insert("hop".to_owned());
                }
                if let Some(kind) = m.promotion {
                    found.insert(format!("promotion to {kind:?}"));
                }
                let board = position.board(m.from.board).expect("a source board");
                let castles = m.from.square.file().abs_diff(m.to.square.file()) == 2
                    && board.get(m.from.square).is_some_and(|piece| piece.kind == PieceKind::King);
                if castles && m.kind == MoveKind::Physical {
                    found.insert("castling".to_owned());
                }
            }
            let mut after = position.clone();
            after.play(&action).expect("a legal action");
            let (all, was, active) = (multiverse.range(), multiverse.active(), after.multiverse().active());
            if (active.lowest < was.lowest && was.lowest > all.lowest)
                || (active.highest > was.highest && was.highest < all.highest)
            {
                found.insert("reactivating action".to_owned());
            }
        }
        sorts.extend(found);
        sorts
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let position = |text| fen5d::parse(text).into_result().expect("a position");
        let castling = position("[r*3k*3/8/8/8/8/8/8/R*3K*3:0:1:w]");
        check(&castling, &twin_of(&castling)).expect("small enough");
        for other in ["[r*3k*3/8/8/8/8/8/8/R*3K3:0:1:w]", "[r*3k*3/8/8/8/8/8/8/4K*3:0:1:w]"] {
            let other = twin_of(&position(other));
            assert!(flags(|| check(&castling, &other)), "rules that forget something");
        }
    }
}
