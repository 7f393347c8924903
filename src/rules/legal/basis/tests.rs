//! Replies that another piece would bar: what they rely on tells the positions apart.

use super::*;
use crate::notation::fen5d;
use crate::rules::ActionSieve;
use crate::types::Limit;

fn position(text: &str) -> Position {
    fen5d::parse(text).into_result().expect("a position")
}

/// Whether the last boards agree on what counts.
fn agree(basis: &Basis, one: &Position, other: &Position) -> bool {
    let ends = |position: &Position| -> Vec<(BoardCoordinate, Board)> {
        position.multiverse().ends().map(|(at, board)| (at, *board)).collect()
    };
    basis.agree(&ends(one), &ends(other), one.to_move())
}

#[test]
fn what_would_bar_a_last_reply_counts() {
    let cases = [
        (
            "the pawn that is taken en passant",
            "[4k/1p3/5/5/P*3K:0:1:b] [4k/5/1p3/5/P*3K:0:2:w] [4k/5/Pp3/5/4K:0:2:b]",
            "[4k/1p3/5/5/P*3K:0:1:b] [4k/5/1p3/5/P*3K:0:2:w] [4k/5/1p3/5/4K:0:2:b]",
            "(0T2b)b3a2",
        ),
        (
            "what shields the square that a castling king crosses",
            "[4k*2r*/8/8/8/5P2/8/8/K4R2:0:1:b]",
            "[4k*2r*/8/8/8/8/8/8/K4R2:0:1:b]",
            "(0T1b)e8g8",
        ),
        (
            "the square on which a jump lands",
            "[4k/5/r4/5/4K:0:1:b] [5/5/5/5/5:1:1:b]",
            "[4k/5/r4/5/4K:0:1:b] [5/5/p4/5/5:1:1:b]",
            "(0T1b)a3>(1T1b)a3",
        ),
        (
            "a square that a jump crosses",
            "[4k/5/r4/5/4K:0:1:b] [5/4p/5/5/5:1:1:b] [5/5/5/5/5:2:1:b]",
            "[4k/5/r4/5/4K:0:1:b] [5/4p/P4/5/5:1:1:b] [5/5/5/5/5:2:1:b]",
            "(0T1b)a3>(2T1b)a3 (1T1b)e4e3",
        ),
        ("a square that a move crosses", "[r4/5/5/4k/2K2:0:1:b]", "[r4/5/P4/4k/2K2:0:1:b]", "(0T1b)a5a1"),
        (
            "what shields a king on his board",
            "[4k/5/2P2/r4/B3K:0:1:b]",
            "[4k/5/5/r4/B3K:0:1:b]",
            "(0T1b)a2a3",
        ),
        (
            "what shields a king on another board, where the reply moves something else",
            "[5/4p/5/5/R3K:-1:1:b] [5/4p/5/5/N4:0:1:b] [5/4p/5/5/k4:1:1:b]",
            "[5/4p/5/5/R3K:-1:1:b] [5/4p/5/5/5:0:1:b] [5/4p/5/5/k4:1:1:b]",
            "(-1T1b)e4e3 (0T1b)e4e3 (1T1b)e4e3",
        ),
    ];
    for (what, one, other, reply) in cases {
        let (one, other) = (position(one), position(other));
        let reply: Action = reply.parse().unwrap();
        assert!(one.clone().play(&reply).is_ok() && other.clone().play(&reply).is_err(), "{what}");
        let mut replied = one.clone();
        reply.moves().iter().for_each(|m| replied.push(m));
        let mut basis = Basis::default();
        basis.add_last_reply(&reply, &replied, None, |_| true);
        assert!(agree(&basis, &one, &one) && !agree(&basis, &one, &other), "{what}");
    }
}

/// Black leaves the middle board alone, which his last action made. The knight there came with the board before, so no capture by it counts.
#[test]
fn what_shields_a_king_on_a_board_that_a_legal_reply_leaves_alone_counts() {
    let one = "[5/4p/5/5/R3K:-1:1:b] [5/4p/5/5/N4:0:1:b] [5/4p/5/5/N4:0:2:w] [5/4p/5/5/k4:1:1:b]";
    let other = "[5/4p/5/5/R3K:-1:1:b] [5/4p/5/5/N4:0:1:b] [5/4p/5/5/5:0:2:w] [5/4p/5/5/k4:1:1:b]";
    let (one, other) = (position(one), position(other));
    let reply: Action = "(-1T1b)e4e3 (1T1b)e4e3".parse().unwrap();
    assert!(one.clone().play(&reply).is_ok() && other.clone().play(&reply).is_err());
    let mut basis = Basis::default();
    basis.add_legal(&one, &reply);
    assert!(agree(&basis, &one, &one) && !agree(&basis, &one, &other));
}

/// One reply answers White's actions with the rook on c1 and those with it on a1, as long as a knight shields the king from there.
#[test]
fn what_would_bar_a_last_reply_to_another_action_counts() {
    let one = "[5/4p/5/5/2R2:-1:1:w] [5/4p/5/5/N4:0:1:b] [K4/4p/5/5/k4:1:1:w]";
    let other = "[5/4p/5/5/2R2:-1:1:w] [5/4p/5/5/5:0:1:b] [K4/4p/5/5/k4:1:1:w]";
    let (one, other) = (position(one), position(other));
    let reply: Action = "(-1T1b)e4e3 (0T1b)e4e3 (1T1b)e4e3".parse().unwrap();
    let to_a1: Move = "(-1T1w)c1a1".parse().unwrap();
    let mut actions = ActionSieve::with_basis(&one);
    loop {
        assert!(actions.advance(Limit::NONE).expect("no limit"), "there are other actions");
        if actions.action().moves().iter().all(|m| m.kind == MoveKind::Physical && *m != to_a1) {
            break;
        }
        actions.exclude_current();
    }
    assert!(actions.exclude_answered_by(&reply), "the reply is legal");
    assert!(!agree(&actions.basis(), &one, &other));
}
