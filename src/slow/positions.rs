//! Single positions that show one rule each, with the numbers of moves and actions; several programs agree on
//! these numbers.

use super::games::{LIMIT, parse};
use super::{Pruning, SlowState};
use crate::types::Status::{self, Checkmate, Ongoing, Stalemate};

/// The rule shown, moves, legal actions, whether the player to move is in check, status, boards.
type Row = (&'static str, usize, usize, bool, Status, &'static str);

#[rustfmt::skip]
const POSITIONS: [Row; 52] = [
    ("castling on both sides", 26, 26, false, Ongoing, "[r*3k*2r*/8/8/8/8/8/8/R*3K*2R*:0:1:w]"),
    ("no castling out of check", 24, 4, true, Ongoing, "[4k3/4r3/8/8/8/8/8/R*3K*2R*:0:1:w]"),
    ("no castling across an attacked square", 25, 23, false, Ongoing, "[3rk3/8/8/8/8/8/8/R*3K*2R*:0:1:w]"),
    ("the rook may cross an attacked square", 26, 26, false, Ongoing, "[1r2k3/8/8/8/8/8/8/R*3K*2R*:0:1:w]"),
    ("castling on a narrow board", 23, 23, false, Ongoing, "[3k3/7/7/7/7/7/R*2K*2R*:0:1:w]"),
    ("castling with a rook two files to the right", 12, 12, false, Ongoing, "[3k2/6/6/6/6/3K*1R*:0:1:w]"),
    ("castling with a rook two files to the left", 12, 12, false, Ongoing, "[3k2/6/6/6/6/R*1K*3:0:1:w]"),
    ("the castling rook need not stand in the corner", 16, 16, false, Ongoing, "[4k3/8/8/8/8/8/8/1R*2K*3:0:1:w]"),
    ("a near rook away from the corner", 15, 15, false, Ongoing, "[4k3/8/8/8/8/8/8/4K*1R*1:0:1:w]"),
    ("no castling with a neighbour", 11, 11, false, Ongoing, "[4k3/8/8/8/8/8/8/6K*R*:0:1:w]"),
    ("castling ignores attacks through timelines", 22, 5, false, Ongoing, "
        [5r2/8/8/8/8/8/8/k7:-0:1:w] [4k3/8/8/8/8/8/8/4K*2R*:+0:1:w]
    "),
    ("pawns do not attack backwards", 18, 18, false, Ongoing, "[4k3/8/8/8/8/4K*2R*/3p4/8:0:1:w]"),
    ("a unicorn attacks nothing on its board, but shields", 15, 14, false, Ongoing, "
        [4k3/8/8/8/8/4r3/4u3/4K*2R*:0:1:w]
    "),
    ("en passant", 12, 12, false, Ongoing, "
        [4k3/3p*4/8/4P3/8/8/8/3K4:0:1:w] [4k3/3p*4/8/4P3/8/8/8/4K3:0:1:b] [4k3/8/8/3pP3/8/8/8/4K3:0:2:w]
    "),
    ("no en passant when the victim had moved before", 11, 11, false, Ongoing, "
        [4k3/3p4/8/4P3/8/8/8/3K4:0:1:w] [4k3/3p4/8/4P3/8/8/8/4K3:0:1:b] [4k3/8/8/3pP3/8/8/8/4K3:0:2:w]
    "),
    ("no en passant when the victim's square was taken", 41, 525, false, Ongoing, "
        [k7/4p*3/8/3Pp3/8/8/8/3K4:-0:1:w] [k7/4p*3/8/3Pp3/8/8/8/4K3:-0:1:b]
        [k7/8/8/3Pp3/8/8/8/4K3:-0:2:w] [k7/8/8/8/8/8/8/3K4:+0:1:w] [k7/8/8/8/8/8/8/4K3:+0:1:b]
        [k7/4p3/8/8/8/8/8/4K3:+0:2:w]
    "),
    ("no en passant on a timeline's first board", 38, 350, false, Ongoing, "
        [4k3/3p*4/8/4P3/8/8/8/3K4:0:1:w] [4k3/3p*4/8/4P3/8/8/8/4K3:0:1:b]
        [3k4/3p*4/8/4P3/8/8/8/4K3:0:2:w] [4k3/3p*4/8/4P3/8/8/8/3K1N2:1:1:b]
        [4k3/8/8/3pP3/8/8/8/3K1N2:1:2:w]
    "),
    ("pawn takes brawn en passant", 12, 12, false, Ongoing, "
        [4k3/3w*4/8/4P3/8/8/8/3K4:0:1:w] [4k3/3w*4/8/4P3/8/8/8/4K3:0:1:b] [4k3/8/8/3wP3/8/8/8/4K3:0:2:w]
    "),
    ("brawn takes pawn en passant", 12, 12, false, Ongoing, "
        [4k3/3p*4/8/4W3/8/8/8/3K4:0:1:w] [4k3/3p*4/8/4W3/8/8/8/4K3:0:1:b] [4k3/8/8/3pW3/8/8/8/4K3:0:2:w]
    "),
    ("no en passant without a past", 6, 6, false, Ongoing, "
        [4k3/8/8/8/3p4/8/4P*3/4K3:0:1:w] [4k3/8/8/8/3pP3/8/8/4K3:0:1:b]
    "),
    ("en passant after a turn-zero board", 12, 12, false, Ongoing, "
        [4k3/8/8/8/3p4/8/4P*3/4K3:0:0:b] [3k4/8/8/8/3p4/8/4P*3/4K3:0:1:w] [3k4/8/8/8/3pP3/8/8/4K3:0:1:b]
    "),
    ("white promotion", 4, 4, false, Ongoing, "[4k/P4/5/5/4K:0:1:w]"),
    ("double step to the last rank", 5, 5, false, Ongoing, "[3k/4/P*3/3K:0:1:w]"),
    ("black promotion", 4, 4, false, Ongoing, "[4k/5/5/p4/4K:0:1:b]"),
    ("white pawn across timelines", 25, 525, false, Ongoing, "
        [4k/5/5/5/4K:-1:1:w] [4k/5/5/5/4K:0:1:w] [4k/5/5/P*4/4K:1:1:w]
    "),
    ("white pawn blocked on the next timeline", 23, 417, false, Ongoing, "
        [4k/5/5/5/4K:-1:1:w] [4k/5/5/p4/4K:0:1:w] [4k/5/5/P*4/4K:1:1:w]
    "),
    ("only the timeline double step is blocked", 24, 465, false, Ongoing, "
        [4k/5/5/p4/4K:-1:1:w] [4k/5/5/5/4K:0:1:w] [4k/5/5/P*4/4K:1:1:w]
    "),
    ("black pawn across timelines", 24, 474, false, Ongoing, "
        [4k/5/5/p*4/4K:-1:1:b] [4k/5/5/5/4K:0:1:b] [4k/5/5/5/4K:1:1:b]
    "),
    ("pawn capture through time", 42, 556, false, Ongoing, "
        [4k/5/5/p4/4K:-0:1:w] [4k/5/5/p4/3K1:-0:1:b] [3k1/5/5/p4/3K1:-0:2:w] [4k/5/5/P4/4K:+0:1:w]
        [4k/5/5/P4/3K1:+0:1:b] [3k1/5/5/P4/3K1:+0:2:w]
    "),
    ("white brawn captures", 45, 406, false, Ongoing, "
        [n3k/5/pp3/1p3/4K:-0:1:w] [4k/5/pp3/1p3/3K1:-0:1:b] [3k1/5/pp3/1p3/3K1:-0:2:w]
        [4k/5/p4/W4/4K:+0:1:w] [4k/5/5/W4/3K1:+0:1:b] [3k1/5/5/W4/3K1:+0:2:w]
    "),
    ("brawns step like pawns", 11, 11, false, Ongoing, "
        [4k/5/5/5/4K:0:1:w] [4k/5/5/W4/3K1:0:1:b] [3k1/5/5/W4/3K1:0:2:w]
    "),
    ("black brawn captures", 16, 51, false, Ongoing, "[4k/1w3/5/5/4K:-0:1:b] [4k/P4/1P3/5/4K:+0:1:b]"),
    ("white brawn before its last rank", 14, 43, false, Ongoing, "[4k/5/1w3/5/4K:-0:1:w] [4k/W4/5/5/4K:+0:1:w]"),
    ("brawn promotes on arrival elsewhere", 15, 47, false, Ongoing, "[p3k/5/5/5/4K:-0:1:w] [4k/W4/5/5/4K:+0:1:w]"),
    ("a pawn before its last rank attacks", 5, 4, false, Ongoing, "[4k/5/5/1p3/3K1:0:1:w]"),
    ("the same beside a queen", 5, 2, false, Ongoing, "[q3k/5/5/1p3/3K1:0:1:w]"),
    ("stalemate on one board", 3, 0, false, Stalemate, "[k2/2Q/1K1:0:1:b]"),
    ("checkmate on one board", 3, 0, true, Checkmate, "[k2/1Q1/1K1:0:1:b]"),
    ("boards that may wait give no check", 9, 0, false, Stalemate, "
        [1p1/1P1/B1R:-0:1:b] [1k1/3/Q2:+0:1:b] [2k/3/Q2:+0:2:w] [2k/3/2Q:+0:2:b]
    "),
    ("check in the past", 16, 0, true, Checkmate, "
        [4k/5/5/5/K1R2:0:1:w] [4k/5/5/1K3/2R2:0:1:b] [5/4k/5/1K3/2R2:0:2:w] [5/4k/5/1K3/4R:0:2:b]
        [5/5/3k1/1K3/4R:0:3:w] [4R/5/3k1/1K3/5:0:3:b]
    "),
    ("second extra timeline is inactive, even", 66, 0, true, Checkmate, "
        [k2/3/2K:-0:1:w] [k2/3/1K1:-0:1:b] [1k1/3/1K1:-0:2:w] [k2/3/2K:+0:1:w] [k2/3/1K1:+0:1:b]
        [1k1/3/1K1:+0:2:w] [k2/3/1KK:+1:1:b] [1k1/3/1KK:+1:2:w] [k2/2K/2K:+2:1:b]
    "),
    ("second extra timeline is inactive, odd", 36, 0, true, Checkmate, "
        [k2/3/2K:0:1:w] [k2/3/1K1:0:1:b] [1k1/3/1K1:0:2:w] [k2/3/1KK:1:1:b] [1k1/3/1KK:1:2:w]
        [k2/2K/2K:2:1:b]
    "),
    ("lopsided start", 40, 0, true, Checkmate, "
        [k2/3/2K:0:1:w] [k2/3/1K1:0:1:b] [1k1/3/1K1:0:2:w] [k2/3/2K:1:1:w] [k2/3/1K1:1:1:b]
        [1k1/3/1K1:1:2:w] [k2/2K/2K:2:1:b]
    "),
    ("even start with one branch", 21, 17, false, Ongoing, "
        [k2/3/2K:-0:1:w] [k2/3/1K1:-0:1:b] [k2/3/2K:+0:1:w] [k2/3/1K1:+0:1:b] [k2/3/1KK:+1:1:b]
    "),
    ("inactive timeline that may be played", 27, 78, false, Ongoing, "
        [3k/4/4/K3:0:1:w] [3k/4/4/1K2:0:1:b] [2k1/4/4/1K2:0:2:w] [2k1/4/4/K3:0:2:b] [3k/4/4/K3:0:3:w]
        [3k/4/k3/1K2:-1:2:w] [3k/4/k3/K3:-1:2:b] [3k/k3/4/K3:-1:3:w] [3k/4/r3/1K2:-2:2:w]
        [3k/4/r3/2K1:-2:2:b]
    "),
    ("order of branches", 10, 25, false, Ongoing, "
        [k2/3/2R:0:1:w] [k2/3/1R1:0:1:b] [1k1/3/1R1:0:2:w] [k2/3/2N:1:1:b] [1k1/3/2N:1:2:w]
    "),
    ("rook needs the board between, knight does not", 47, 4640, false, Ongoing, "
        [3k/4/4/3K:0:1:w] [3k/4/4/2K1:0:1:b] [2k1/4/4/2K1:0:2:w] [2k1/4/4/3K:0:2:b] [3k/4/4/3K:0:3:w]
        [2k1/4/4/1K2:1:2:b] [3k/4/4/1K2:1:3:w] [3k/4/4/RN1K:2:1:b] [2k1/4/4/RN1K:2:2:w]
    "),
    ("end of a small game", 57, 0, true, Checkmate, "
        [k*qb1r*/p*1p*1p*/2n2/P*P*Q1P*/K*1n1R*:-1:5:w] [k*qb1r*/p*1p*1p*/2n2/P*P*Q1P*/K*1R2:-1:5:b]
        [k*qb1r*/p*1p*1p*/5/nP*Q1P*/K*1R2:-1:6:w] [k*qb1r*/p*1p*1p*/2Q2/nP*Q1P*/K*1R2:-1:6:b]
        [k*qb1r*/p*1p*1p*/2n2/1P*Q1P*/K*1R2:-1:7:w] [k*qb1r*/p*1p*1p*/2Q2/1P*2P*/K*1R2:-1:7:b]
        [k*qbnr*/p*p*p*p*p*/5/P*P*P*P*P*/K*QBNR*:0:1:w] [k*qbnr*/p*p*p*p*p*/2P2/P*P*1P*P*/K*QBNR*:0:1:b]
        [k*qbnr*/p*p*p*1p*/2p2/P*P*1P*P*/K*QBNR*:0:2:w] [k*qbnr*/p*p*p*1p*/2P2/P*P*2P*/K*QBNR*:0:2:b]
        [k*qbnr*/p*1p*1p*/2p2/P*P*2P*/K*QBNR*:0:3:w] [k*qbnr*/p*1p*1p*/2N2/P*P*2P*/K*QB1R*:0:3:b]
        [k*qb1r*/p*1p*1p*/2n2/P*P*2P*/K*QB1R*:0:4:w] [k*qb1r*/p*1p*1p*/2n2/P*P*Q1P*/K*1B1R*:0:4:b]
        [k*q2r*/p*bp*1p*/2n2/P*P*Q1P*/K*1B1R*:0:5:w] [k*q2r*/p*bp*1p*/2n2/P*P*QBP*/K*3R*:0:5:b]
        [k*q2r*/p*bp*1p*/5/P*P*QBP*/K*3R*:0:6:w] [k*q2r*/p*bp*1p*/5/P*P*1BP*/K*3R*:0:6:b]
        [k*q2r*/p*1p*1p*/5/P*P*1bP*/K*3R*:0:7:w] [k*q2r*/p*1p*1p*/5/P*P*1bP*/K*2R1:0:7:b]
    "),
    ("check from an inactive timeline", 27, 0, true, Checkmate, "
        [3k/4/4/K3:0:1:w] [3k/4/4/1K2:0:1:b] [2k1/4/4/1K2:0:2:w] [2k1/4/4/K3:0:2:b] [3k/4/4/K3:0:3:w]
        [3k/4/k3/1K2:-1:2:w] [3k/4/k3/K3:-1:2:b] [3k/k3/4/K3:-1:3:w] [3k/4/4/rK2:-2:2:w]
        [3k/4/4/r1K1:-2:2:b]
    "),
    ("no royal", 14, 14, false, Ongoing, "[4k3/8/8/8/8/8/8/R7:0:1:w]"),
    ("royal queen gives check", 5, 2, true, Ongoing, "[4k3/8/8/8/8/4y3/8/4K3:0:1:w]"),
    ("common king gives check and is not royal", 6, 1, true, Ongoing, "[4k/5/5/c4/K3C:0:1:w]"),
];

#[test]
fn positions_have_the_known_counts() {
    let mut wrong = Vec::new();
    for (name, moves, actions, check, status, boards) in POSITIONS {
        let state: SlowState = parse(boards);
        let legal = state.legal_actions(LIMIT).expect("small enough");
        let pruned = state.legal_actions_with(Pruning::CheckedEarly, LIMIT).expect("small enough");
        assert!(pruned == legal, "{name}: pruning changes the legal actions");
        let found = (state.moves().len(), legal.len(), state.is_in_check(), state.standing(&legal));
        if found != (moves, actions, check, status) {
            wrong.push(format!("{name}: {found:?} instead of {:?}", (moves, actions, check, status)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
