//! The actions that are left out, and those that are not, on random multiverses.

use std::collections::BTreeSet;

use super::*;
use crate::rules::samples::{Random, multiverse};
use crate::state::Setup;
use crate::types::{BoardCoordinate, BoardSize, Coordinate, Parity, RuleProfile, Square};

/// The actions that come before the `n`-th, the `n`-th, and those that come once `leave` has left some out with it.
fn explored(
    position: &Position,
    n: usize,
    leave: impl FnOnce(&mut ActionSieve<'_>),
) -> (Vec<Action>, Action, Vec<Action>) {
    let mut actions = ActionSieve::new(position);
    let next = |actions: &mut ActionSieve<'_>| {
        actions.advance(Limit::NONE).expect("no limit").then(|| actions.action().clone())
    };
    let before = (0..n).map_while(|_| next(&mut actions)).collect();
    let current = next(&mut actions).expect("as many legal actions");
    leave(&mut actions);
    let after = std::iter::from_fn(|| next(&mut actions)).collect();
    assert_eq!(next(&mut actions), None, "what is over stays so");
    (before, current, after)
}

/// Positions with their legal actions, not too many, and one of these by number.
fn positions(seed: u64, count: usize) -> impl Iterator<Item = (Position, BTreeSet<Action>, usize, Random)> {
    let mut random = Random(seed);
    let position = move |_| {
        let pieces = 1 + random.below(4);
        let position = multiverse(&mut random, pieces);
        let legal: BTreeSet<Action> = position.legal_actions().take(400).collect();
        let n = random.below(legal.len().max(1));
        (1..400).contains(&legal.len()).then_some((position, legal, n, Random(random.0)))
    };
    (0..count).filter_map(position)
}

#[test]
fn actions_with_the_same_moves_are_left_out_together() {
    let (left_out, times) = left_out_with(MoveKind::Hop, 10_000);
    assert!(left_out > 3 * times, "{left_out} actions were left out at {times} times");
}

/// A piece that branches to one board may branch to another: that is another move.
#[test]
fn actions_with_the_same_branch_are_left_out_together() {
    let (left_out, times) = left_out_with(MoveKind::Branch, 3_000);
    assert!(left_out > times, "{left_out} actions were left out at {times} times");
}

/// The number of actions with some move of this kind that are left out, and at how many times. Those without it must all be there.
fn left_out_with(kind: MoveKind, count: usize) -> (usize, usize) {
    let (mut left_out, mut times) = (0, 0);
    for (position, legal, n, mut random) in positions(1, count) {
        let moves = legal.iter().nth(n).expect("one of them").moves();
        let jumps: Vec<Move> = moves.iter().filter(|m| m.kind == kind).copied().collect();
        let Some(jump) = random.pick(&jumps) else { continue };
        let part = Action::new(vec![*jump]);
        let mut others = Vec::new();
        let mut actions = ActionSieve::new(&position);
        while actions.advance(Limit::NONE).expect("no limit") {
            let action = actions.action().clone();
            assert_eq!(actions.exclude_containing(&part), action.contains(&part));
            if action.contains(&part) { times += 1 } else { others.push(action) }
        }
        let (with, without): (BTreeSet<Action>, BTreeSet<Action>) =
            legal.into_iter().partition(|action| action.contains(&part));
        assert_eq!(others.len(), without.len(), "an action comes twice in {position:?}");
        assert_eq!(others.into_iter().collect::<BTreeSet<_>>(), without, "{part:?} in {position:?}");
        left_out += with.len();
    }
    (left_out, times)
}

/// On random squares of the boards that an action makes.
#[test]
fn actions_that_are_left_out_as_agreeing_agree() {
    let (mut left_out, mut branches) = (0, 0);
    for (position, legal, n, mut random) in positions(9, 6_000) {
        let defender = !position.to_move();
        let (mut basis, mut own) = (Basis::default(), Vec::new());
        let (before, current, after) = explored(&position, n, |actions| {
            own = actions.made();
            for (at, _) in &own {
                match random.below(4) {
                    0 => {}
                    1 => basis.add(*at, u64::MAX),
                    _ => basis.add(*at, Square::from_index(random.below(64) as u32).bit()),
                }
            }
            actions.exclude_agreeing(&basis, defender);
        });
        let met: BTreeSet<&Action> = before.iter().chain([&current]).chain(&after).collect();
        for action in legal.iter().filter(|action| !met.contains(action)) {
            let mut played = position.clone();
            played.play(action).expect("a legal action");
            let made = made(&position, &played);
            assert!(
                basis.agree(&own, &made, defender),
                "{current} and {action} in {position:?} on {basis:?}"
            );
            left_out += 1;
            branches += usize::from(action.moves().iter().any(|m| m.kind == MoveKind::Branch));
        }
    }
    assert!(left_out > 1_000 && branches > 100, "{left_out} were left out, {branches} with a branch");
}

#[test]
fn what_is_left_out_with_a_reply_is_answered_by_it() {
    let (mut alone, mut regions) = (0, 0);
    for (position, legal, n, mut random) in positions(2, 20_000) {
        let mut reply = None;
        let (before, current, after) = explored(&position, n, |actions| {
            let replies: Vec<Action> = actions.after().legal_actions().take(100).collect();
            reply = random.pick(&replies).cloned();
            assert!(reply.iter().all(|reply| actions.exclude_answered_by(reply)), "the reply is legal");
        });
        let listed: BTreeSet<Action> = before.into_iter().chain(after).collect();
        let gone: Vec<&Action> = legal.difference(&listed).collect();
        assert!(gone.contains(&&current));
        for action in &gone {
            let mut answered = position.clone();
            answered.play(action).unwrap();
            let is_answered = reply.as_ref().is_none_or(|reply| answered.play(reply).is_ok());
            assert!(is_answered, "{reply:?} to {action:?} as to {current:?} in {position:?}");
        }
        *if gone.len() == 1 { &mut alone } else { &mut regions } += 1;
    }
    assert!(alone > 100 && regions > 100, "{alone} alone, {regions} regions");
}

/// A rook between whose board and that of a king lies one on which the knight stands in the way.
#[test]
fn a_reply_on_other_boards_does_not_answer_what_opens_a_line() {
    let size = BoardSize::new(3, 3).unwrap();
    let board = |timeline, turn, color, rows| {
        let at = BoardCoordinate::new(timeline, turn, color);
        (at, Board::from_rows(rows, Some(size)).unwrap())
    };
    let boards = vec![
        board(-1, 1, Color::Black, "n2/3/1R1"),
        board(0, 1, Color::White, "2n/B2/1N1"),
        board(1, 2, Color::White, "3/3/1k1"),
    ];
    let profile = RuleProfile::default();
    let position = Position::from_setup(&Setup { size, parity: Parity::Odd, profile, boards }).unwrap();
    let on_board = |timeline, color, from: (u8, u8), to: (u8, u8)| {
        let board = BoardCoordinate::new(timeline, 1, color);
        let place = |(file, rank)| Coordinate { board, square: Square::new(file, rank).unwrap() };
        Move { kind: MoveKind::Physical, from: place(from), to: place(to), promotion: None }
    };
    let bishop = Action::new(vec![on_board(0, Color::White, (0, 1), (1, 2))]);
    let knight = Action::new(vec![on_board(0, Color::White, (1, 0), (0, 2))]);
    let reply = Action::new(vec![
        on_board(-1, Color::Black, (0, 2), (2, 1)),
        on_board(0, Color::Black, (2, 2), (0, 1)),
    ]);
    let mut actions = ActionSieve::new(&position);
    let mut left = Vec::new();
    while actions.advance(Limit::NONE).unwrap() {
        if actions.action() == &bishop {
            assert!(actions.exclude_answered_by(&reply));
            left.clear();
        } else {
            left.push(actions.action().clone());
        }
    }
    assert!(left.contains(&knight), "{left:?}");
}

/// The parts of an action, which a key is made smaller by, are all legal actions made of some of its moves.
#[test]
fn the_parts_of_an_action_are_the_legal_ones() {
    let (mut compared, mut with_parts, mut branches) = (0, 0, 0);
    for (position, legal, n, _) in positions(11, 6_000) {
        let whole = legal.iter().nth(n).expect("one of them");
        let moves = whole.moves();
        if moves.len() < 2 {
            continue;
        }
        let mut found = BTreeSet::new();
        let mut actions = ActionSieve::parts_of(&position, whole);
        while actions.advance(Limit::NONE).expect("no limit") {
            if whole.contains(actions.action()) {
                assert!(found.insert(actions.action().clone()), "a part comes twice in {position:?}");
            }
        }
        let chosen = |part: u32| {
            let chosen = moves.iter().enumerate().filter(|(index, _)| part >> index & 1 == 1);
            Action::new(chosen.map(|(_, m)| *m).collect())
        };
        let parts = (1..1_u32 << moves.len()).map(chosen);
        let expected: BTreeSet<Action> = parts.filter(|part| position.clone().play(part).is_ok()).collect();
        assert_eq!(found, expected, "the parts of {whole:?} in {position:?}");
        compared += 1;
        with_parts += usize::from(expected.len() > 1);
        branches += usize::from(moves.iter().filter(|m| m.kind == MoveKind::Branch).count() > 1);
    }
    assert!(compared > 500 && with_parts > 100 && branches > 20, "{compared} {with_parts} {branches}");
}
