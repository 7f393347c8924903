//! Games with the numbers of legal actions before each action and at the end; several programs agree on these
//! numbers.

use super::{Cell, SlowState};
use crate::types::Status::{self, Checkmate, Ongoing, Softmate, Stalemate};
use crate::types::{
    Action, BoardCoordinate, BoardSize, Color, Coordinate, Move, MoveKind, Parity, Piece, RuleProfile, Square,
};

/// A limit that no position here reaches.
pub const LIMIT: usize = 1_000_000;

const STANDARD: &str = "
    [r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:1:w]
";
const JUST_KINGS: &str = "
    [2k*/3/K*2:0:1:w]
";
const VERY_SMALL_OPEN: &str = "
    [nbr*k*/3p*/P*3/K*R*BN:0:1:w]
";
const TURN_ZERO: &str = "
    [r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:0:b]
    [r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:1:w]
";
const JUST_BRAWNS: &str = "
    [w*w*w*w*k*/5/5/5/K*W*W*W*W*:0:1:w]
";
const BATTLEGROUND: &str = "
    [r*r*k*r*r*/bbqbb/p*p*p*p*p*/5/P*P*P*P*P*:-1:1:w]
    [nnnnn/p*p*p*p*p*/5/P*P*P*P*P*/NNNNN:0:1:w]
    [p*p*p*p*p*/5/P*P*P*P*P*/BBQBB/R*R*K*R*R*:1:1:w]
";
const FRAGMENTS: &str = "
    [k*p*p*p*/4/4/NBR*U:-0:1:b]
    [nbr*u/4/4/K*P*P*P*:+0:1:w]
";
const TACTICIAN: &str = "
    [k*bnr*/p*p*p*p*/4/4:-0:1:w]
    [4/4/P*P*P*P*/K*BNR*:+0:1:w]
";

/// Start, moves, legal actions before each action and at the end, final status.
#[rustfmt::skip]
const GAMES: [(&str, &str, &[usize], Status); 25] = [
    (STANDARD, "1. e3 / f6", &[20, 20, 32], Ongoing),
    (STANDARD, "1. Nf3 / Nf6", &[20, 20, 26], Ongoing),
    (STANDARD, "1. Nf3 / Nf6 2. (0T2)Nf3>>(0T1)f5 / (1T1)e6", &[20, 20, 26, 575, 34], Ongoing),
    (STANDARD, "1. Nf3 / Nf6 2. (0T2)Nf3>>(0T1)f5 / (1T1)e6 3. (1T2)Nc3 / (0T2)e6 (1T2)d6", &[20, 20, 26, 575, 34, 1093, 1140], Ongoing),
    (STANDARD, "1. e3 / f6 2. Qe2 / Nc6 3. Qh5", &[20, 20, 32, 21, 36, 0], Checkmate),
    (STANDARD, "1. f3 / e6 2. g4 / Qh4", &[20, 20, 21, 32, 1], Softmate),
    (STANDARD, "1. e4 / d5 2. e5 / f5", &[20, 20, 33, 29, 36], Ongoing),
    (JUST_KINGS, "1. (0T1)Ka1a2 / (0T1)Kc3c2 2. (0T2)Ka2>>(0T1)a3 / (0T2)Kc2c3 (1T1)Kc3>>(0T2)c3 3. (1T2)Ka1>(0T3)b1", &[2, 1, 4, 27, 17, 0], Stalemate),
    (JUST_KINGS, "1. (0T1)Ka1b1 / (0T1)Kc3b3 2. (0T2)Kb1>>(0T1)c1 / (1T1)Kc3b3 (0T2)Kb3>>(0T1)b3", &[2, 1, 4, 27, 142], Ongoing),
    (JUST_KINGS, "1. (0T1)Ka1b1 / (0T1)Kc3b3 2. (0T2)Kb1>>(0T1)c1 / (0T2)Kb3>(1T1)a3 3. (1T2)Kc1>>(0T1)c1 / (2T1)Kc3b3 (1T2)Kc3>>(0T2)b2", &[2, 1, 4, 27, 11, 62, 51], Ongoing),
    (JUST_KINGS, "1. (0T1)Ka1b1 / (0T1)Kc3b3 2. (0T2)Kb1>>(0T1)b1 / (0T2)Kb3c3 (1T1)Kc3>>(0T2)c2 3. (1T2)Ka1>>(0T1)a2 / (2T1)Kc3>(1T2)c3 4. (1T3)Kb1>>(1T2)a2 (2T2)Ka2>>(1T3)a2 / (1T3)Kc3>(2T2)c3", &[2, 1, 4, 27, 21, 2, 223, 4, 0], Stalemate),
    (JUST_KINGS, "1. (0T1)Ka1b1 / (0T1)Kc3b3 2. (0T2)Kb1>>(0T1)c1 / (0T2)Kb3>>(0T1)b3 (1T1)Kc3>>(0T2)c3 3. (-1T2)Kb1a1 (1T2)Ka1b2", &[2, 1, 4, 27, 256, 0], Checkmate),
    (JUST_KINGS, "1. (0T1)Ka1b1 / (0T1)Kc3b3 2. (0T2)Kb1a1 / (0T2)Kb3>>(0T1)a3 3. (-1T2)Kb1>>(0T1)a2", &[2, 1, 4, 5, 40, 0], Checkmate),
    (JUST_KINGS, "1. (0T1)Ka1b1 / (0T1)Kc3b3 2. (0T2)Kb1>>(0T1)c1 / (0T2)Kb3a3 (1T1)Kc3b3 3. (1T2)Ka1>>(0T2)a1", &[2, 1, 4, 27, 11, 94], Ongoing),
    (JUST_KINGS, "1. (0T1)Ka1a2 / (0T1)Kc3c2 2. (0T2)Ka2>>(0T1)a3 / (0T2)Kc2c1 (1T1)Kc3>>(0T2)c3 3. (1T2)Ka3>>(0T1)a3 / (2T1)Kc3>(1T2)c2 4. (2T2)Ka1>>(1T2)a2 (1T3)Ka1>>(1T2)b1 / (1T3)Kc2>(2T2)c1", &[2, 1, 4, 27, 17, 4, 127, 4, 0], Stalemate),
    (JUST_KINGS, "1. (0T1)Ka1b1 / (0T1)Kc3b3 2. (0T2)Kb1>>(0T1)c1 / (0T2)Kb3a3 (1T1)Kc3>>(0T2)b2 3. (1T2)Ka1>>(0T1)a2 / (2T1)Kc3>(1T2)c3 4. (1T3)Kc1>(0T3)b1 (2T2)Ka2a3 / (1T3)Kc3>(2T2)c2", &[2, 1, 4, 27, 17, 2, 187, 2, 0], Checkmate),
    (VERY_SMALL_OPEN, "1. (0T1)Rb1b4 / (0T1)Na4c3 2. (0T2)Bc1>>(0T1)c2", &[9, 4, 16, 112], Ongoing),
    (VERY_SMALL_OPEN, "1. (0T1)Pa2a3 / (0T1)Bb4c3 2. (0T2)Nd1c3 / (0T2)Na4>>(0T1)a2", &[9, 9, 5, 8, 183], Ongoing),
    (VERY_SMALL_OPEN, "1. Nc3 / Nb2", &[9, 8, 10], Ongoing),
    (TURN_ZERO, "1. Nf3 / (0T1)Ng8>>(0T0)g6", &[20, 22, 602], Ongoing),
    (JUST_BRAWNS, "1. (0T1)Wb1b3 / (0T1)Wb5b4 2. (0T2)Ka1>>(0T1)a2 / (0T2)Wa5a4 (1T1)Ke5>>(0T2)d4", &[10, 9, 11, 200, 2479], Ongoing),
    (JUST_BRAWNS, "1. (0T1)Wd1d2 / (0T1)Wa5a4 2. (0T2)Ka1>>(0T1)a2 / (0T2)Wd5d3 (1T1)Wb5b3 3. (1T2)Ka2>(0T3)a3", &[10, 10, 11, 198, 77, 248], Ongoing),
    (BATTLEGROUND, "", &[3571], Ongoing),
    (FRAGMENTS, "1. (+0T1)Pd1d2 / (-0T1)Pb4b3 (+0T1)Na4>>(-0T1)a2", &[7, 86, 762], Ongoing),
    (TACTICIAN, "1. (+0T1)Pb2>(-0T1)b2 / (-0T1)Pd3>(+0T1)d3 2. (-0T2)Pb2c3 (+0T2)Pd2>>(-0T2)d2", &[12, 13, 58, 3072], Ongoing),
];

#[test]
fn games_have_the_known_counts() {
    for (start, text, counts, standing) in GAMES {
        let mut state = parse(start);
        let mut counts = counts.iter();
        for part in text.split(['/', '.']) {
            let action = read_action(&state, part);
            if action.is_empty() {
                continue;
            }
            let legal = state.legal_actions(LIMIT).expect("small enough");
            assert_eq!(Some(&legal.len()), counts.next(), "{text}: before {action:?}");
            assert!(legal.contains(&action), "{text}: {action:?}");
            state.play(&action);
        }
        let legal = state.legal_actions(LIMIT).expect("small enough");
        assert_eq!(Some(&legal.len()), counts.next(), "{text}: at the end");
        assert_eq!(standing, state.standing(&legal), "{text}");
    }
}

/// The position of some 5DFEN boards.
pub fn parse(text: &str) -> SlowState {
    parse_with(text, RuleProfile::default())
}

pub fn parse_with(text: &str, profile: RuleProfile) -> SlowState {
    let parity = if text.contains(":-0:") || text.contains(":+0:") { Parity::Even } else { Parity::Odd };
    let boards: Vec<_> = text.split_whitespace().map(|block| parse_board(block, parity)).collect();
    let size = boards[0].0;
    SlowState::new(size, parity, profile, boards.into_iter().map(|(_, at, cells)| (at, cells)))
        .expect("a multiverse")
}

fn parse_board(block: &str, parity: Parity) -> (BoardSize, BoardCoordinate, Vec<(Square, Cell)>) {
    let fields: Vec<&str> = block.trim_matches(['[', ']']).split(':').collect();
    let [rows, label, turn, color] = fields[..] else { panic!("{block}: four fields") };
    let mut timeline: i16 = label.parse().expect("a timeline");
    if parity == Parity::Even && label.starts_with('-') {
        timeline -= 1;
    }
    let color = if color == "w" { Color::White } else { Color::Black };
    let at = BoardCoordinate::new(timeline, turn.parse().expect("a turn"), color);

    let mut cells: Vec<(Square, Cell)> = Vec::new();
    let (mut width, height) = (0, rows.split('/').count() as u8);
    for (rank, row) in (0..height).rev().zip(rows.split('/')) {
        width = 0;
        for c in row.chars() {
            if let Some(empty) = c.to_digit(10) {
                width += empty as u8;
            } else if c == '*' {
                cells.last_mut().expect("a piece before the flag").1.unmoved = true;
            } else {
                let piece = Piece::try_from(c).expect("a piece");
                cells.push((Square::new(width, rank).expect("a square"), Cell { piece, unmoved: false }));
                width += 1;
            }
        }
    }
    (BoardSize::new(width, height).expect("a size"), at, cells)
}

/// The action of a part of a game. Numbers between the moves are skipped.
pub fn read_action(state: &SlowState, text: &str) -> Action {
    let mut now = state.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace().filter(|word| word.parse::<u8>().is_err()) {
        moves.push(read_move(&now, word));
        now.play_move(moves.last().expect("just read"));
    }
    Action::new(moves)
}

pub fn read_move(state: &SlowState, word: &str) -> Move {
    let candidates: Vec<Move> = state.moves().into_iter().filter(|m| writes(state, m, word)).collect();
    let [m] = candidates[..] else { panic!("{word}: {candidates:?}") };
    m
}

/// Whether `word` is one of the ways to write the move, with or without board, piece and source square.
fn writes(state: &SlowState, m: &Move, word: &str) -> bool {
    let board = |place: Coordinate| {
        format!("({}T{})", state.parity.label(place.board.timeline), place.board.half_turn.turn())
    };
    let piece = state.cell(m.from).expect("a piece moves").piece.kind;
    let target = match m.kind {
        MoveKind::Physical => m.to.square.to_string(),
        MoveKind::Hop => format!(">{}{}", board(m.to), m.to.square),
        MoveKind::Branch => format!(">>{}{}", board(m.to), m.to.square),
    };
    let word = word.strip_prefix(&board(m.from)).unwrap_or(word);
    let short = match word.strip_prefix(piece.letter()) {
        Some(rest) => rest,
        None if piece.is_pawn_like() => word,
        None => return false,
    };
    short == target || short == format!("{}{target}", m.from.square)
}
