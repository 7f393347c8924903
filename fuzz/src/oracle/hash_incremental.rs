//! The hash that is kept up to date is the one computed from nothing, after every move that can be made and after taking it
//! back, and two ways to one position give one hash.

use arbitrary::Result;
use worldlines::state::Position;

use super::{Question, any_position, shown};

/// A position.
pub struct Incremental;

impl Question for Incremental {
    type Case = Position;

    fn case(bytes: &[u8]) -> Result<Position> {
        any_position(bytes)
    }

    fn ask(position: Position) -> Result<()> {
        check(&position, Position::hash);
        Ok(())
    }
}

fn check(position: &Position, hash: fn(&Position) -> u128) {
    assert_eq!(hash(position), position.hash_from_scratch(), "hash of{}", shown(position));
    let rebuilt = Position::from_setup(&position.to_setup()).expect("the boards of a position");
    assert!(rebuilt == *position, "another position is built from the boards of{}", shown(position));
    assert_eq!(hash(&rebuilt), hash(position), "hash of a rebuilt{}", shown(position));
    let mut trial = position.clone();
    let moves = position.pseudo_legal_moves();
    for m in &moves {
        trial.push(m);
        assert_eq!(hash(&trial), trial.hash_from_scratch(), "hash after {m:?} in{}", shown(position));
        assert!(hash(&trial) != hash(position), "{m:?} does not change the hash of{}", shown(position));
        trial.pop(m);
        assert_eq!(hash(&trial), hash(position), "hash after {m:?} and back in{}", shown(position));
        assert!(trial == *position, "{m:?} leaves a trace in{}", shown(position));
    }
    // Moves on different boards commute unless one of them makes a timeline.
    let physical = |board| {
        moves
            .iter()
            .find(|m| m.from.board.timeline == board && m.kind == worldlines::types::MoveKind::Physical)
    };
    let timelines: Vec<_> = position.multiverse().timelines().collect();
    for pair in timelines.windows(2) {
        let (Some(one), Some(other)) = (physical(pair[0]), physical(pair[1])) else { continue };
        let after = |moves: [_; 2]| {
            let mut trial = position.clone();
            moves.into_iter().for_each(|m| trial.push(m));
            hash(&trial)
        };
        assert_eq!(
            after([one, other]),
            after([other, one]),
            "{one:?} and {other:?} do not commute in{}",
            shown(position)
        );
    }
}

#[cfg(test)]
mod tests {
    use worldlines::notation::fen5d;

    use super::*;
    use crate::oracle::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let position = fen5d::read("[3k/4/4/R*2K:0:1:w]").expect("a position");
        check(&position, Position::hash);
        assert!(flags(|| check(&position, |_| 0)));
        assert!(flags(|| check(&position, |position| position.hash() & 0xff)));
    }
}
