use std::collections::{BTreeMap, BTreeSet};

use super::Looks;
use super::capture::threats_of;
use super::cover::Cover;
use super::{
    BuildError, CheckResult, Denial, Flaw, Node, RefutationTable, Reply, Threat, When, certify, check, deny,
    forces_selfmate, has_no_selfmate, helpmates, selfmates, standing,
};
use crate::notation::fen5d;
use crate::rules::samples::{Random, multiverse};
use crate::rules::variants;
use crate::search::{Budget as Nodes, Class, Prover, Start};
use crate::state::{Board, MAX_TIMELINES, Position, Setup};
use crate::types::{
    Action, Because, BoardCoordinate, BoardSize, Color, Coordinate, Move, MoveKind, Parity, Piece, PieceKind,
    RuleProfile, Square, Status, Timeline,
};

const BUDGET: u64 = 20_000_000;

/// Positions of random games of small variants, which like branches, under several rules.
fn positions(games: u64) -> Vec<Position> {
    const VARIANTS: [&str; 8] = [
        "Very Small - Open",
        "Just Kings",
        "Just Brawns",
        "Just Knights",
        "Misc - Timeline Fragments",
        "Misc - Timeline Tactician",
        "Simple - Knights vs. Bishops",
        "Standard",
    ];
    let mut positions = Vec::new();
    for game in 0..games {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ game << 20);
        let variant = variants::by_name(VARIANTS[random.below(VARIANTS.len())]);
        let profile = RuleProfile {
            check_passes_every_board: random.below(4) == 0,
            en_passant_on_new_timelines: random.below(2) == 0,
            time_travel: random.below(16) > 0,
            ..RuleProfile::default()
        };
        let setup = Setup { profile, ..variant.expect("a variant").setup() };
        let mut position = Position::from_setup(&setup).expect("variants are positions");
        for _ in 0..random.below(10) {
            let actions: Vec<Action> = position.legal_actions().take(2_000).collect();
            if actions.is_empty() {
                break;
            }
            let branchy = |action: &&Action| action.moves().iter().any(|m| m.from.board != m.to.board);
            let jumping: Vec<&Action> = actions.iter().filter(branchy).collect();
            let action = match jumping.is_empty() || random.below(2) == 0 {
                true => actions[random.below(actions.len())].clone(),
                false => jumping[random.below(jumping.len())].clone(),
            };
            position.play_unchecked(&action);
        }
        positions.push(position);
    }
    positions
}

/// The first action that parries no threat at all.
fn first_action(position: &Position) -> Result<Option<Action>, Because> {
    Cover::new(position, &[], &Looks::within(BUDGET)).expect("a small position").next_action()
}

/// The actions that parry these threats, each with the threats that it leaves, unless there are too many actions.
fn parries(position: &Position, threats: &[Threat], budget: u64) -> Option<BTreeMap<Action, Vec<Threat>>> {
    let mut found = BTreeMap::new();
    let mut after = position.clone();
    let budget = Looks::within(budget);
    let mut cover = Cover::new(position, threats, &budget).ok()?;
    while let Some(action) = cover.next_action().ok()? {
        after.play_unchecked(&action);
        let left = threats_of(&after, &budget).ok()?;
        after.undo_unchecked(&action);
        let again = found.insert(action.clone(), left);
        assert!(again.is_none(), "{action} comes twice in {position:?}");
    }
    Some(found)
}

#[test]
fn what_parries_no_threat_at_all_is_every_legal_action() {
    let mut compared = 0;
    let mut random = Random(1);
    let sparse = (0..1_000).map(|_| multiverse(&mut random, 2));
    for position in positions(100).into_iter().chain(sparse) {
        // Illegal actions have to be listed too.
        let Some(found) = parries(&position, &[], 100_000) else { continue };
        let found = found.into_iter().filter(|(_, left)| left.is_empty()).map(|(action, _)| action);
        let legal: BTreeSet<Action> = position.legal_actions().collect();
        assert_eq!(found.collect::<BTreeSet<Action>>(), legal, "in {position:?}");
        compared += 1;
    }
    assert!(compared > 50, "only {compared} positions were small enough");
}

#[test]
fn what_parries_some_threats_leaves_none_of_them() {
    let mut parried = 0;
    for position in positions(100) {
        let Some(all) = parries(&position, &[], 10_000) else { continue };
        let threats: BTreeSet<Threat> = all.values().flatten().copied().collect();
        for every in 1..4 {
            let named: Vec<Threat> = threats.iter().copied().step_by(every).collect();
            let found = parries(&position, &named, u64::MAX).expect("no more steps than without threats");
            let mut expected = all.clone();
            expected.retain(|_, left| !left.iter().any(|threat| named.contains(threat)));
            assert_eq!(found, expected, "of {named:?} in {position:?}");
            parried += all.len() - found.len();
        }
    }
    assert!(parried > 1_000, "only {parried} actions left a threat");
}

#[test]
fn what_is_mate_has_a_certificate_and_nothing_else_has() {
    let (mut mates, mut others) = (0, 0);
    for position in positions(80) {
        for action in position.legal_actions().take(40) {
            let mut after = position.clone();
            after.play_unchecked(&action);
            let status = after.status();
            match certify(&after, 1, &mut |_, _| None, &Looks::within(BUDGET)) {
                Ok(node) => {
                    assert_eq!(status, Status::Checkmate, "{node:?} after {action} in {position:?}");
                    let verdict = check(&position, &action, 1, &node, &Looks::within(BUDGET));
                    assert!(
                        matches!(verdict, CheckResult::Accepted { defences: 0, .. }),
                        "{verdict:?} of {position:?}"
                    );
                    assert_no_part_is_idle(&position, &action, &node);
                    mates += 1;
                }
                Err(BuildError::NoAnswer(line)) => {
                    assert_ne!(status, Status::Checkmate);
                    assert!(
                        after.play(&line[0]).is_ok(),
                        "{} is no defence to {action} in {position:?}",
                        line[0]
                    );
                    others += 1;
                }
                Err(BuildError::Stalemate(_)) => assert_eq!(status, Status::Stalemate),
                Err(BuildError::Undecided(because)) => panic!("undecided: {because}: {position:?}"),
            }
        }
    }
    assert!(mates > 10 && others > 300, "{mates} mates and {others} others");
}

/// Leaves every threat and every row out in turn, at every node, and claims other lengths.
fn assert_no_part_is_idle(start: &Position, key: &Action, node: &Node) {
    let mate_in = node.mate_in();
    let refused = |node: &Node, what: &str| {
        let verdict = check(start, key, mate_in, node, &Looks::within(BUDGET));
        assert!(matches!(verdict, CheckResult::Rejected(_)), "{what}: {verdict:?} of {node:?} in {start:?}");
    };
    for index in 0..parts(node) {
        let mut less = node.clone();
        remove_part(&mut less, index);
        refused(&less, "without a part");
    }
    for claimed in [mate_in - 1, mate_in + 1] {
        let verdict = check(start, key, claimed, node, &Looks::within(BUDGET));
        assert!(
            matches!(verdict, CheckResult::Rejected(ref it) if it.flaw == Flaw::Length(mate_in)),
            "{verdict:?}"
        );
    }
}

/// The number of threats and rows in all.
fn parts(node: &Node) -> usize {
    let below: usize = node.replies.iter().map(|reply| 1 + parts(&reply.node)).sum();
    node.threats.len() + below
}

fn remove_part(node: &mut Node, index: usize) {
    let Some(mut index) = index.checked_sub(node.threats.len()) else {
        node.threats.remove(index);
        return;
    };
    for row in 0..node.replies.len() {
        if index == 0 {
            node.replies.remove(row);
            return;
        }
        index -= 1;
        let below = parts(&node.replies[row].node);
        if index < below {
            return remove_part(&mut node.replies[row].node, index);
        }
        index -= below;
    }
}

/// The certificate of a mate that the prover finds, for its first key.
fn certified(start: &Position, mate_in: u32) -> (Action, Node) {
    let mut prover = Prover::new(Nodes::default());
    let solution = prover.solve(start, mate_in, false);
    let key = solution.keys.first().expect("a mate").key().clone();
    let mut after = start.clone();
    after.play_unchecked(&key);
    let mut answers = |position: &Position, left: u32| prover.mating_answer(position, left).ok()?;
    let node = certify(&after, mate_in, &mut answers, &Looks::within(BUDGET)).expect("a certificate");
    assert_eq!(node.mate_in(), mate_in);
    (key, node)
}

#[test]
fn mates_in_two_and_three_are_certified() {
    let puzzles = [
        ("[4/3k/KR1R/3r:0:1:w]", 2),
        ("[N3/2k1/4/Rq2:0:1:w]", 2),
        ("[K3/3k/1n2/1SB1:0:1:w]", 2),
        ("[4/2B1/2B1/k3:0:1:w]", 2),
        ("[4/1k2/R2R/2K1:0:1:w]", 3),
        // Some rows of these are about some of the lines only that lead to them.
        ("[k2K/4/1r1Q/4:0:1:w]", 3),
        ("[1b1N/4/k2K/2B1:0:1:w]", 3),
    ];
    for (fen, mate_in) in puzzles {
        let start = fen5d::parse(fen).into_result().expect("a position");
        let (key, node) = certified(&start, mate_in);
        let looks = Looks::within(BUDGET);
        let verdict = check(&start, &key, mate_in, &node, &looks);
        assert!(matches!(verdict, CheckResult::Accepted { .. }), "{fen}: {verdict:?} {node:?}");
        let within = |looks| check(&start, &key, mate_in, &node, &Looks::within(looks));
        assert_eq!(within(looks.spent()), verdict, "{fen}: the looks suffice");
        assert_eq!(within(looks.spent() - 1), CheckResult::Undecided(Because::Budget), "{fen}");
        assert_no_part_is_idle(&start, &key, &node);
    }
}

#[test]
fn a_defence_has_exactly_one_row() {
    let start = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().expect("a position");
    let (key, node) = certified(&start, 2);
    let flaw = |replies: Vec<_>| match check(
        &start,
        &key,
        2,
        &Node { replies, ..node.clone() },
        &Looks::within(BUDGET),
    ) {
        CheckResult::Rejected(rejection) => rejection.flaw,
        verdict => panic!("{verdict:?}"),
    };
    // The length is that of the rows, so one is kept that is about nothing.
    let idle = Reply { when: When::If(key.clone()), ..node.replies[0].clone() };
    assert_eq!(flaw(vec![idle]), Flaw::NoRow);
    assert_eq!(flaw([node.replies.clone(), node.replies.clone()].concat()), Flaw::TwoRows);
}

#[test]
fn what_is_too_large_to_be_looked_at_is_undecided() {
    let size = BoardSize::new(1, 1).expect("a size");
    let empty = Board::empty(size);
    let mut queen = empty;
    let square = Square::new(0, 0).expect("a square");
    queen.put(square, Piece { color: Color::White, kind: PieceKind::Queen }, false);
    for (timelines, fits) in [(MAX_TIMELINES - 1, true), (MAX_TIMELINES, false)] {
        let at = |timeline, turn, color| (BoardCoordinate::new(timeline, turn, color), empty);
        let mut boards: Vec<_> =
            (1..timelines as i16).map(|timeline| at(timeline, 2, Color::Black)).collect();
        boards.extend([at(0, 1, Color::White), at(0, 1, Color::Black)]);
        boards.push((BoardCoordinate::new(0, 2, Color::White), queen));
        let profile = RuleProfile::default();
        let position = Position::from_setup(&Setup { size, parity: Parity::Odd, profile, boards });
        let position = position.expect("a position");
        let cover = Cover::new(&position, &[], &Looks::within(BUDGET)).err();
        assert_eq!(cover, (!fits).then_some(Because::Size), "{timelines}");
        // The queen can go back a turn and do nothing else.
        let made = certify(&position, 1, &mut |_, _| None, &Looks::within(BUDGET));
        match made {
            Err(BuildError::NoAnswer(_)) if fits => {}
            Err(BuildError::Undecided(Because::Size)) if !fits => {}
            made => panic!("{timelines}: {made:?}"),
        }
    }
}

/// The mate in one of the page about certificates, beside other boards.
fn mate_beside(boards: &str) -> (Position, Action, Node) {
    let start = fen5d::parse(&format!("[k2/3/1QK:0:1:w] {boards}")).into_result().expect("a position");
    let square = |file, rank| Square::new(file, rank).expect("a square");
    let place = |turn, file, rank| Coordinate {
        board: BoardCoordinate::new(0, turn, Color::White),
        square: square(file, rank),
    };
    let queen = Move { kind: MoveKind::Physical, from: place(1, 1, 0), to: place(1, 1, 1), promotion: None };
    let threats = [(place(2, 2, 0), place(2, 1, 1)), (place(2, 1, 1), place(1, 0, 2))];
    let threats = threats.map(|(from, to)| Threat { from, to }).to_vec();
    (start, Action::new(vec![queen]), Node { threats, replies: Vec::new() })
}

#[test]
fn boards_on_which_nothing_can_be_done_are_no_reason_to_stop() {
    for (board, timelines, most) in [("3/3/3", 1_000, 5_000), ("n2/3/3", 200, 100_000)] {
        let boards: String =
            (1..=timelines).map(|timeline| format!("[{board}:{timeline}:{}:b] ", 9 + 3 * timeline)).collect();
        let (start, key, node) = mate_beside(&boards);
        let looks = Looks::within(BUDGET);
        let verdict = check(&start, &key, 1, &node, &looks);
        assert_eq!(verdict, CheckResult::Accepted { defences: 0 }, "{board}");
        assert!(looks.spent() < most, "{} looks for {board}", looks.spent());
        let mut after = start.clone();
        after.play_unchecked(&key);
        assert_eq!(certify(&after, 1, &mut |_, _| None, &Looks::within(BUDGET)), Ok(node));
    }
}

#[test]
fn a_mandatory_board_on_which_nothing_can_be_done_holds_the_present() {
    let first = |fen| first_action(&fen5d::parse(fen).into_result().expect("a position"));
    // Black must play the empty board and cannot: the pawn does not go down to it. A turn later it need not be played.
    assert_eq!(first("[p2/3/2K:0:1:b] [3/3/3:-1:1:b]"), Ok(None));
    assert!(matches!(first("[p2/3/2K:0:1:b] [3/3/3:-1:2:b]"), Ok(Some(_))));
    // A king hops onto it.
    assert!(matches!(first("[k2/3/2K:0:1:b] [3/3/3:-1:1:b]"), Ok(Some(_))));
    // An inactive board need not be played either.
    assert!(matches!(first("[p2/3/2K:0:1:b] [k2/3/3:-1:2:w] [3/3/3:-2:1:b]"), Ok(Some(_))));
}

#[test]
fn a_class_names_boards_that_the_defender_can_play() {
    let start = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().expect("a position");
    let (key, node) = certified(&start, 2);
    let When::If(defence) = &node.replies[0].when else { panic!("{node:?}") };
    let here = defence.moves()[0].from.board;
    for (index, at) in [
        (0, BoardCoordinate { timeline: Timeline(7), ..here }),
        (1, BoardCoordinate::new(0, 1, Color::White)),
    ] {
        let mut spoilt = node.clone();
        let When::If(defence) = &spoilt.replies[index].when else { panic!("{node:?}") };
        let starts = vec![Start::of(defence, here)];
        spoilt.replies[index].when = When::Class(Class::new(vec![(here, starts), (at, vec![Start::Pass])]));
        let verdict = check(&start, &key, 2, &spoilt, &Looks::within(BUDGET));
        let CheckResult::Rejected(rejection) = verdict else { panic!("{verdict:?}") };
        assert_eq!(rejection.flaw, Flaw::UnplayableBoard(index, at));
        assert_eq!(rejection.line, std::slice::from_ref(&key));
    }
}

/// Two timelines with a mate in two, beside black knights in the far future and a long timeline without pieces.
fn many_defences(knights: i16, empty: i16) -> (Position, Action) {
    let row = "uncknu/w*w*w*w*w*w*/6/6/P*P*P*P*P*P*/UNCKNU";
    let mut fen = format!("[{row}:-0:1:w] [{row}:+0:1:w] ");
    for timeline in 1..=knights {
        fen += &format!("[n1n1n1/6/6/6/6/6:-{timeline}:12:b] ");
    }
    for turn in 20..20 + empty {
        fen += &format!("[6/6/6/6/6/6:+1:{turn}:w] [6/6/6/6/6/6:+1:{turn}:b] ");
    }
    let start = fen5d::parse(&fen).into_result().expect("a position");
    let square = |file, rank| Square::new(file, rank).expect("a square");
    let knight = |timeline, from: (u8, u8), to: (u8, u8)| {
        let board = BoardCoordinate::new(timeline, 1, Color::White);
        let place = |(file, rank)| Coordinate { board, square: square(file, rank) };
        Move { kind: MoveKind::Physical, from: place(from), to: place(to), promotion: None }
    };
    (start, Action::new(vec![knight(-1, (4, 0), (5, 2)), knight(0, (1, 0), (0, 2))]))
}

/// The certificate of a mate in two, what it took, and what its check took.
fn built(start: &Position, key: &Action) -> (Node, Looks<'static>, Looks<'static>) {
    let mut prover = Prover::new(Nodes::default());
    let mut after = start.clone();
    after.play_unchecked(key);
    let mut answers = |position: &Position, left: u32| prover.mating_answer(position, left).ok()?;
    let (building, checking) = (Looks::within(BUDGET), Looks::within(BUDGET));
    let node = certify(&after, 2, &mut answers, &building).expect("a certificate");
    let verdict = check(start, key, 2, &node, &checking);
    assert!(matches!(verdict, CheckResult::Accepted { .. }), "{verdict:?}");
    (node, building, checking)
}

#[test]
fn defences_take_no_more_memory_where_positions_are_larger() {
    let (start, key) = many_defences(1, 0);
    let (_, small, checking) = built(&start, &key);
    assert!(small.most_held() < 1 << 20, "{} bytes", small.most_held());
    assert!(checking.most_held() < 1 << 18, "{} bytes", checking.most_held());
    let (start, key) = many_defences(1, 400);
    let (_, large, _) = built(&start, &key);
    assert!(
        large.most_held() < small.most_held() * 11 / 10,
        "{} and {}",
        small.most_held(),
        large.most_held()
    );
    // The most bytes that were held are enough, and one byte less is not.
    let within = |bytes| {
        let mut prover = Prover::new(Nodes::default());
        let mut after = start.clone();
        after.play_unchecked(&key);
        let mut answers = |position: &Position, left: u32| prover.mating_answer(position, left).ok()?;
        certify(&after, 2, &mut answers, &Looks::within(BUDGET).with_memory(bytes))
    };
    assert!(within(large.most_held()).is_ok());
    assert_eq!(within(large.most_held() - 1), Err(BuildError::Undecided(Because::Memory)));
}

#[test]
fn useless_threats_take_no_memory_for_each_step() {
    let boards: String = (1..=40).map(|timeline| format!("[q1q/3/1q1:{timeline}:9:b] ")).collect();
    let (start, key, node) = mate_beside(&boards);
    let threat = |number: i16| {
        let square = |number: i16| Square::new((number % 3) as u8, (number / 3 % 3) as u8).expect("a square");
        let place = |number: i16, turn| Coordinate {
            board: BoardCoordinate::new(number / 9 % 41, turn, Color::White),
            square: square(number),
        };
        Threat { from: place(number, 10), to: place(number / 7, 10) }
    };
    let useless: Vec<Threat> = (0..20_000).map(threat).collect();
    // The others are at the end, and are needed.
    let node = Node { threats: [useless, node.threats].concat(), replies: Vec::new() };
    let looks = Looks::within(20 * BUDGET).with_memory(16 << 20);
    let verdict = check(&start, &key, 1, &node, &looks);
    assert_eq!(verdict, CheckResult::Accepted { defences: 0 });
    let less = Looks::within(20 * BUDGET).with_memory(looks.most_held() - 1);
    assert_eq!(check(&start, &key, 1, &node, &less), CheckResult::Undecided(Because::Memory));
}

/// The flaw of a certificate of `key`, a move on timeline 0 in turn 1, that names captures between squares of one board: each with
/// the timeline and the turn of White's board.
fn flaw_of(fen: &str, key: (&str, &str), threats: &[(i16, i16, &str, &str)]) -> Flaw {
    let square =
        |text: &str| Square::new(text.as_bytes()[0] - b'a', text.as_bytes()[1] - b'1').expect("a square");
    let start = fen5d::parse(fen).into_result().expect("a position");
    let at = BoardCoordinate::new(0, 1, Color::White);
    let is_meant =
        |m: &Move| (m.from.board, m.from.square, m.to.square) == (at, square(key.0), square(key.1));
    let key = start.legal_actions().find(|action| action.moves().iter().all(is_meant)).expect("a key");
    let threat = |&(timeline, turn, from, to): &(i16, i16, &str, &str)| {
        let board = BoardCoordinate::new(timeline, turn, Color::White);
        let place = |text| Coordinate { board, square: square(text) };
        Threat { from: place(from), to: place(to) }
    };
    let node = Node { threats: threats.iter().map(threat).collect(), replies: Vec::new() };
    match check(&start, &key, 1, &node, &Looks::within(BUDGET)) {
        CheckResult::Rejected(rejection) => rejection.flaw,
        verdict => panic!("{verdict:?} of {fen}"),
    }
}

#[test]
fn nothing_captures_from_a_board_of_the_past() {
    // After Qa1+ Black escapes to b3. That the queen could have taken the king a turn ago does not prevent it.
    let named = [(0, 2, "a1", "a3"), (0, 1, "c3", "a3")];
    assert_eq!(flaw_of("[k1Q/3/2K:0:1:w]", ("c3", "a1"), &named), Flaw::NoRow);
    // The same of a timeline on which White is to move: its queen was there a turn ago and is not any more.
    let fen = "[k1Q/3/2K:0:1:w] [k1Q/3/3:1:1:w] [k1Q/3/3:1:1:b] [3/3/3:1:2:w]";
    let named = [(0, 2, "a1", "a3"), (1, 1, "c3", "a3")];
    assert_eq!(flaw_of(fen, ("c3", "a1"), &named), Flaw::NoRow);
    // After Qb1 Black is stalemated. That the king was in check a turn ago does not make it mate.
    let named = [(0, 2, "b1", "a2"), (0, 2, "b1", "b2"), (0, 2, "b1", "b3"), (0, 1, "c1", "a3")];
    assert_eq!(flaw_of("[k2/3/2Q:0:1:w]", ("c1", "b1"), &named), Flaw::NoCheck);
}

#[test]
fn nothing_gives_check_on_an_inactive_timeline() {
    // After Qb1 Black is stalemated on the only board that he must play. White's second timeline is inactive.
    let fen = "[k2/3/2Q:0:1:w] [3/3/3:1:2:w] [k2/3/Q2:2:1:b]";
    let named = [(0, 2, "b1", "a2"), (0, 2, "b1", "b2"), (0, 2, "b1", "b3"), (2, 2, "a1", "a3")];
    assert_eq!(flaw_of(fen, ("c1", "b1"), &named), Flaw::NoCheck);
}

#[test]
fn a_key_that_leaves_a_king_to_another_board_proves_nothing() {
    // Qb2 would be mate, but then the rook takes White's king across the timelines.
    let start = fen5d::parse("[k2/3/1QK:0:1:w] [3/3/2r:1:1:b]").into_result().expect("a position");
    let square = |file, rank| Square::new(file, rank).expect("a square");
    let place = |timeline, turn, color, square| Coordinate {
        board: BoardCoordinate::new(timeline, turn, color),
        square,
    };
    let here = |square| place(0, 1, Color::White, square);
    let queen =
        Move { kind: MoveKind::Physical, from: here(square(1, 0)), to: here(square(1, 1)), promotion: None };
    let key = Action::new(vec![queen]);
    let mut after = start.clone();
    after.play_unchecked(&key);
    let node = certify(&after, 1, &mut |_, _| None, &Looks::within(BUDGET)).expect("no defence parries it");
    let corner = square(2, 0);
    let capture = Threat { from: place(1, 1, Color::Black, corner), to: place(0, 1, Color::Black, corner) };
    let verdict = check(&start, &key, 1, &node, &Looks::within(BUDGET));
    let CheckResult::Rejected(rejection) = verdict else { panic!("{verdict:?}") };
    assert_eq!(rejection.flaw, Flaw::Exposed(capture));
}

#[test]
fn a_row_within_a_row_answers_something_too() {
    let start = fen5d::parse("[4/1k2/R2R/2K1:0:1:w]").into_result().expect("a position");
    let (key, mut node) = certified(&start, 3);
    let index = node.replies.iter().position(|row| !row.node.replies.is_empty()).expect("a mate in three");
    let rows = &mut node.replies[index].node.replies;
    // No defence is like the key, which is an action of the attacker.
    rows.push(Reply { when: When::If(key.clone()), ..rows[0].clone() });
    let path = vec![index, rows.len() - 1];
    let verdict = check(&start, &key, 3, &node, &Looks::within(BUDGET));
    let CheckResult::Rejected(rejection) = verdict else { panic!("{verdict:?}") };
    assert_eq!(rejection.flaw, Flaw::UnusedRow(path));
}

/// The legal actions that give check, and those among the listed ones.
#[test]
fn every_check_is_listed() {
    let (mut checks, mut others, mut random) = (0, 0, Random(3));
    let sparse = (0..1_000).map(|nth| {
        let position = multiverse(&mut random, 2);
        let profile = RuleProfile { check_passes_every_board: nth % 4 == 0, ..position.profile() };
        position.with_profile(profile)
    });
    for position in positions(100).into_iter().chain(sparse) {
        let legal: Vec<Action> = position.legal_actions().take(2_001).collect();
        if legal.len() > 2_000 {
            continue;
        }
        let looks = Looks::within(BUDGET);
        let mut listed = BTreeSet::new();
        let mut cover = Cover::of_checks(&position, &[], &looks).expect("enough looks");
        // Illegal actions are listed too, and there may be very many.
        let all = loop {
            match cover.next_action() {
                Ok(Some(action)) => listed.insert(action),
                all => break all,
            };
        };
        if all.is_err() {
            continue;
        }
        for action in legal {
            let mut after = position.clone();
            after.play_unchecked(&action);
            if after.is_in_check() {
                assert!(listed.contains(&action), "{action} gives check in {position:?}");
                checks += 1;
            } else {
                others += usize::from(!listed.contains(&action));
            }
        }
    }
    assert!(checks > 1_000 && others > 10_000, "{checks} checks, and {others} others left out");
}

/// After each action that is passed over because of a reply, this reply is legal.
#[test]
fn actions_with_a_known_reply_are_passed_over_and_no_others() {
    // Among the replies are some that begin several timelines.
    let branches = |reply: &Action| reply.moves().iter().filter(|m| m.kind == MoveKind::Branch).count();
    let (mut passed_over, mut listed, mut random) = (0, 0, Random(5));
    let sparse = (0..1_000).map(|_| multiverse(&mut random, 2));
    for position in positions(100).into_iter().chain(sparse) {
        let legal: BTreeSet<Action> = position.legal_actions().take(201).collect();
        if legal.len() > 200 {
            continue;
        }
        for nth in 0..4 {
            let looks = Looks::within(BUDGET / 4);
            let mut cover = Cover::new(&position, &[], &looks).expect("a small position");
            let (mut seen, mut after) = (BTreeSet::new(), position.clone());
            // The first action with a reply, and this reply; illegal actions are listed too.
            let pair = loop {
                let Ok(Some(action)) = cover.next_action() else { break None };
                if !legal.contains(&action) {
                    continue;
                }
                after.play_unchecked(&action);
                let reply = match nth {
                    0 => after.legal_actions().take(200).max_by_key(branches),
                    nth => after.legal_actions().nth(nth),
                };
                after.undo_unchecked(&action);
                seen.insert(action.clone());
                if let Some(reply) = reply {
                    break Some((action, reply));
                }
            };
            let Some((action, reply)) = pair else { continue };
            cover.add_reply(&mut after, &action, &reply).expect("enough looks");
            assert_eq!(after, position);
            let rest = std::iter::from_fn(|| cover.next_action().transpose());
            let Ok(rest) = rest.collect::<Result<BTreeSet<Action>, Because>>() else { continue };
            for other in legal.iter().filter(|other| !seen.contains(other) && !rest.contains(other)) {
                let mut after = position.clone();
                after.play_unchecked(other);
                let is_legal = after.play_if_legal(&reply);
                assert!(is_legal, "{reply} follows {action}, but not {other}, in {position:?}");
                passed_over += 1;
            }
            listed += rest.len();
        }
    }
    assert!(passed_over > 5_000 && listed > 5_000, "{passed_over} passed over, {listed} not");
}

/// Castling and captures en passant look at more than two squares: they are not legal after each action that leaves these as they are.
#[test]
fn a_reply_that_looks_at_the_whole_board_answers_no_change_of_it() {
    let pawns = "4k/2p2/5/1P*1P*1/4K";
    let pawns = format!("[{pawns}:0:1:w] [{pawns}:0:1:b] [{pawns}:0:2:w]");
    for (fen, action, reply, other) in [
        (&*pawns, "(0T2w)b2b4", "(0T2b)c4b3", "(0T2w)d2d4"),
        ("[4k*2r*/8/8/8/8/8/K7/R7:0:1:w]", "(0T1w)a1b1", "(0T1b)e8g8", "(0T1w)a1f1"),
    ] {
        let mut position = fen5d::parse(fen).into_result().expect("a position");
        let [action, reply, other] =
            [action, reply, other].map(|text| text.parse::<Action>().expect("an action"));
        for (action, is_answered) in [(&action, true), (&other, false)] {
            position.play_unchecked(action);
            assert_eq!(position.play_if_legal(&reply), is_answered, "{reply} after {action}");
            if is_answered {
                position.undo_unchecked(&reply);
            }
            position.undo_unchecked(action);
        }
        let looks = Looks::within(BUDGET);
        let mut cover = Cover::new(&position, &[], &looks).expect("a small position");
        let mut listed = BTreeSet::new();
        while let Some(found) = cover.next_action().expect("enough looks") {
            if found == action {
                assert!(!listed.contains(&other), "{other} comes later");
                cover.add_reply(&mut position, &action, &reply).expect("enough looks");
            }
            listed.insert(found);
        }
        assert!(listed.contains(&other), "{other} is passed over because of {reply}");
    }
}

/// With the search as adviser there is evidence of no mate where there is none, and nowhere else.
#[test]
fn what_is_no_mate_is_denied_and_nothing_else() {
    let (mut denied, mut open) = (0, 0);
    for position in positions(60) {
        let mut prover = Prover::new(Nodes::default());
        let solution = prover.solve(&position, 1, true);
        if !solution.complete {
            continue;
        }
        let keys: Vec<Action> = solution.keys.iter().flat_map(|class| class.keys()).cloned().collect();
        let mut table = RefutationTable::default();
        let looks = Looks::within(BUDGET);
        let others = deny(&position, 1, &keys, &mut table, Some(&mut prover), &looks);
        if matches!(others, Denial::Undecided(_)) {
            continue;
        }
        let looks = Looks::within(4 * BUDGET);
        assert!(matches!(others, Denial::Denied), "{others:?} of {position:?}");
        // The replies are enough without an adviser too.
        assert_eq!(deny(&position, 1, &keys, &mut table.fresh(), None, &looks), others);
        let all = deny(&position, 1, &[], &mut table, None, &looks);
        assert_eq!(matches!(all, Denial::Denied), keys.is_empty(), "{all:?} of {position:?}");
        denied += usize::from(keys.is_empty());
        open += usize::from(!keys.is_empty());
        let standing = standing(&position, &looks).expect("enough looks");
        assert_eq!(standing.status(), position.status(), "{position:?}");
    }
    assert!(denied > 20 && open > 2, "{denied} denied, {open} not");
}

/// No mate in two needs a list for each number of actions, and a budget; what is asked is bounded.
#[test]
fn a_denial_needs_all_its_lists_and_looks() {
    let start = fen5d::parse("[3k/R1R1/K3/3r:0:1:w]").into_result().expect("a position");
    let mut prover = Prover::new(Nodes::default());
    let key: Action = "(0T1w)a3a4".parse().expect("an action");
    let mut table = RefutationTable::default();
    let looks = Looks::within(BUDGET);
    let denial = deny(&start, 2, std::slice::from_ref(&key), &mut table, Some(&mut prover), &looks);
    assert_eq!(denial, Denial::Denied);
    let lists = table.lists().to_vec();
    for (missing, list) in lists.iter().enumerate() {
        let mut fewer = lists.clone();
        fewer[missing].clear();
        let mut table = RefutationTable::new(fewer);
        let open = deny(&start, 2, std::slice::from_ref(&key), &mut table, None, &looks);
        assert!(matches!(open, Denial::Open(_)) && !list.is_empty(), "{open:?} without {list:?}");
    }
    assert!(matches!(deny(&start, 2, &[], &mut table, None, &looks), Denial::Open(open) if open == key));
    let poor = Looks::within(50);
    assert_eq!(deny(&start, 2, &[], &mut table, None, &poor), Denial::Undecided(Because::Budget));
    assert_eq!(deny(&start, 65, &[], &mut table, None, &looks), Denial::Undecided(Because::Budget));
    assert!(matches!(deny(&start, 64, &[], &mut table, None, &looks), Denial::Open(_)));
}

/// A table remembers what was shown with it. In whichever order the lengths are asked, the answers are those of a table with the same replies that
/// was never used, and those of the search: at the start and after each first action with its reply.
#[test]
fn what_was_shown_before_changes_no_answer() {
    let starts = ["[3k/R1R1/K3/3r:0:1:w]", "[5/NK2k/p4/5/5:0:1:w]", "[5/n4/1k3/4b/S1K2:0:1:b]"];
    let looks = Looks::within(20 * BUDGET);
    let (mut denied, mut open, mut later) = (0, 0, 0);
    for (start, order) in
        starts.iter().flat_map(|start| [[1, 2, 3], [3, 2, 1], [2, 3, 1]].map(|order| (start, order)))
    {
        let start = fen5d::parse(start).into_result().expect("a position");
        let mut prover = Prover::new(Nodes::default());
        let mut table = RefutationTable::default();
        for n in order {
            let told = deny(&start, n, &[], &mut table, Some(&mut prover), &looks);
            let is_told = matches!(told, Denial::Denied);
            // The memory, the replies that were added for it, and the search say the same.
            for mut table in [table.clone(), table.fresh()] {
                let again = deny(&start, n, &[], &mut table, None, &looks);
                assert_eq!(
                    matches!(again, Denial::Denied),
                    is_told,
                    "no mate in {n}: {told:?} and {again:?}"
                );
            }
            let is_found = prover.mating_answer(&start, n).expect("a small position").is_some();
            assert_eq!(is_told, !is_found, "no mate in {n}: {told:?}");
            denied += usize::from(is_told);
            open += usize::from(is_found);
        }
        for after in after_a_reply(&start) {
            for n in order {
                let mut prover = Prover::new(Nodes::default());
                let again = deny(&after, n, &[], &mut table, None, &looks);
                let is_found = prover.mating_answer(&after, n).expect("a small position").is_some();
                assert!(
                    !is_found || !matches!(again, Denial::Denied),
                    "no mate in {n} of {after:?}: {again:?}"
                );
                later += usize::from(is_found);
            }
        }
    }
    assert!(denied > 5 && open > 5 && later > 100, "{denied} denied, {open} not, {later} later");
}

/// The positions after each first action and each reply.
fn after_a_reply(start: &Position) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut at = start.clone();
    for action in start.legal_actions() {
        at.play_unchecked(&action);
        for reply in at.clone().legal_actions() {
            at.play_unchecked(&reply);
            positions.push(at.clone());
            at.undo_unchecked(&reply);
        }
        at.undo_unchecked(&action);
    }
    positions
}

/// With more than one action left, actions that give no check are looked at too.
#[test]
fn a_mate_with_a_quiet_key_is_not_denied() {
    let start = fen5d::parse("[5/NK2k/p4/5/5:0:1:w]").into_result().expect("a position");
    let key: Action = "(0T1w)b4c4".parse().expect("an action");
    let mut prover = Prover::new(Nodes::default());
    let looks = Looks::within(BUDGET);
    let mut table = RefutationTable::default();
    let all = deny(&start, 2, &[], &mut table, Some(&mut prover), &looks);
    assert_eq!(all, Denial::Open(key.clone()));
    let others = deny(&start, 2, &[key], &mut table, Some(&mut prover), &looks);
    assert_eq!(others, Denial::Denied);
}

/// A line of helpmates and a forced selfmate, and that there are no others.
#[test]
fn helpmates_and_selfmates_have_evidence() {
    let looks = Looks::within(BUDGET);
    let help = fen5d::parse("[4/KR1R/4/1k2:0:1:b]").into_result().expect("a position");
    let found = Prover::new(Nodes::default()).helpmates(&help, 1, 100);
    let listed = helpmates(&mut help.clone(), 2, &mut RefutationTable::default(), &looks);
    assert!(found.complete && !found.lines.is_empty());
    assert!(found.lines.iter().all(|line| listed.as_ref().is_ok_and(|listed| listed.contains(line))));
    let mut forced = fen5d::parse("[4/2K1/2B1/ku2:0:1:w]").into_result().expect("a position");
    for action in ["(0T1w)c3d3", "(0T1b)a1b2"] {
        forced.play(&action.parse().expect("an action")).expect("a legal action");
    }
    let mut prover = Prover::new(Nodes::default());
    let n = (1..=2).find(|&n| prover.selfmates(&forced, n, false).shortest == Some(n)).expect("a selfmate");
    let keys: Vec<Action> =
        prover.selfmates(&forced, n, true).keys.iter().flat_map(|class| class.keys()).cloned().collect();
    let at = &mut forced.clone();
    for action in forced.legal_actions() {
        let is_key = keys.iter().any(|key| action.contains(key));
        let forces = forces_selfmate(at, &action, n, &mut prover, &looks);
        assert!(is_key || forces == Ok(false), "{action}: {forces:?}");
    }
    assert!(keys.iter().all(|key| forces_selfmate(at, key, n, &mut prover, &looks) == Ok(true)));
    assert_eq!(has_no_selfmate(at, n, &keys, &mut prover, &looks), Ok(true));
    assert_eq!(has_no_selfmate(at, n, &[], &mut prover, &looks), Ok(false));
    // Without advice the same is found.
    for length in 1..=n {
        let listed = selfmates(at, length, &looks).expect("looks suffice");
        assert_eq!(listed.is_empty(), length < n);
        let minimal = |action: &&Action| !listed.iter().any(|part| part != *action && action.contains(part));
        let minimal: BTreeSet<&Action> = listed.iter().filter(minimal).collect();
        assert!(length < n || minimal == keys.iter().collect());
    }
    assert_eq!(selfmates(at, n, &Looks::within(100)), Err(Because::Budget));
    assert_eq!(*at, forced, "all is taken back");
}
