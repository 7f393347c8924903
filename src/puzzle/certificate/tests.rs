use super::*;
use crate::notation::{fen5d, pgn5d};
use crate::puzzle::load::shipped_files;
use crate::puzzle::yaml::{MAX_DEPTH, MAX_NODES};
use crate::puzzle::{Document, Goal, load};
use crate::search::certificate::{Threat, certify, check};
use crate::search::{Budget, Prover};
use crate::types::{Color, Coordinate, Parity, Square, Status};

/// The looks for the proof of one key.
const BUDGET: u64 = 100_000_000;

/// A claimed mate: id, start, number of actions, first actions of the solutions.
type Mate = (String, Position, u32, Vec<Action>);

fn mate(document: &Document) -> Option<Mate> {
    let puzzle = document.puzzle.as_ref().expect("shipped puzzles are well-formed");
    let Goal::MateIn(count) = &puzzle.goal.value else { return None };
    let start = crate::puzzle::start::start(document.text(), puzzle).expect("a legal start").end();
    let mut keys: Vec<Action> = Vec::new();
    for line in &puzzle.solutions {
        let key = pgn5d::parse_action(&start, &line.value[0].value).expect("a legal key");
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Some((document.id.clone(), start, count.value, keys))
}

/// Every shipped puzzle that claims a mate.
fn shipped() -> Vec<Mate> {
    let files = shipped_files();
    let documents = files.iter().flat_map(|(name, text)| load(name, text.as_bytes()));
    let mates: Vec<Mate> = documents.filter_map(|document| mate(&document)).collect();
    assert!(mates.len() > 15, "only {} puzzles claim a mate", mates.len());
    mates
}

fn certificate((puzzle, start, mate_in, keys): &Mate) -> Certificate {
    let mut prover = Prover::new(Budget::default());
    let mut answers = |position: &Position, left: u32| prover.mating_answer(position, left).ok()?;
    let mut prove = |key: &Action| {
        let mut after = start.clone();
        after.play_unchecked(key);
        let node = certify(&after, *mate_in, &mut answers, &Looks::within(BUDGET));
        (key.clone(), node.unwrap_or_else(|e| panic!("{puzzle}: {e:?}")))
    };
    let keys = keys.iter().map(&mut prove).collect();
    Certificate::of_keys(puzzle.clone(), start.clone(), *mate_in, keys)
}

fn claim((puzzle, start, mate_in, keys): &Mate) -> Claim<'_> {
    Claim { puzzle, start, attacker: start.to_move(), mate_in: *mate_in, keys: Some(keys) }
}

fn is_accepted(certificate: &Certificate, key: usize, node: &Node) -> bool {
    let Certificate { start, mate_in, keys, .. } = certificate;
    matches!(check(start, &keys[key].0, *mate_in, node, &Looks::within(BUDGET)), CheckResult::Accepted { .. })
}

#[test]
fn every_shipped_mate_has_a_certificate_that_is_written_and_read() {
    for mate in shipped() {
        let certificate = certificate(&mate);
        let text = write(&certificate).expect("a small certificate");
        let file = read(&text).unwrap_or_else(|finding| panic!("{finding:?} in\n{text}"));
        assert_eq!(file.certificate, certificate, "{text}");
        let checked = file.check(claim(&mate), &Looks::within(BUDGET));
        assert!(checked.findings.is_empty() && checked.undecided == 0, "{checked:?} of\n{text}");
        assert_eq!(checked.keys, mate.3.len());
        // A second parser reads the same values.
        let here: serde_json::Value = serde_saphyr::from_str(&text).expect("YAML");
        let there: serde_json::Value = serde_yaml::from_str(&text).expect("YAML");
        assert_eq!(here, there);
    }
}

/// A change of a node, or of a node below it.
type Change<'a> = &'a dyn Fn(&mut Node);

/// Applies a change to the node at this place in the tree, counted from 0 downwards.
fn change_node(node: &mut Node, index: &mut usize, change: Change<'_>) -> bool {
    if *index == 0 {
        change(node);
        return true;
    }
    *index -= 1;
    node.replies.iter_mut().any(|reply| change_node(&mut reply.node, index, change))
}

/// The trees that differ from `node` in one node, by one of `changes`.
fn changed(node: &Node, changes: impl Fn(&Node) -> Vec<Box<dyn Fn(&mut Node)>>) -> Vec<Node> {
    fn all<'a>(node: &'a Node, into: &mut Vec<&'a Node>) {
        into.push(node);
        node.replies.iter().for_each(|reply| all(&reply.node, into));
    }
    let mut nodes = Vec::new();
    all(node, &mut nodes);
    let mut results = Vec::new();
    for (index, at) in nodes.iter().enumerate() {
        for change in changes(at) {
            let mut result = node.clone();
            assert!(change_node(&mut result, &mut index.clone(), &*change));
            results.push(result);
        }
    }
    results
}

/// A change, boxed.
fn boxed(change: impl Fn(&mut Node) + 'static) -> Box<dyn Fn(&mut Node)> {
    Box::new(change)
}

#[test]
fn nothing_can_be_left_out_or_flipped() {
    let (mut tried, mut proofs) = (0, 0);
    for mate in shipped() {
        let certificate = certificate(&mate);
        for (index, (key, node)) in certificate.keys.iter().enumerate() {
            let threats = changed(node, |node| {
                let mut changes = Vec::new();
                for threat in 0..node.threats.len() {
                    changes.push(boxed(move |node| {
                        node.threats.remove(threat);
                    }));
                    // The threat reversed, and with a square that is not on the board.
                    changes.push(boxed(move |node| {
                        let Threat { from, to } = node.threats[threat];
                        node.threats[threat] = Threat { from: to, to: from };
                    }));
                    changes.push(boxed(move |node| {
                        let Threat { from, to } = node.threats[threat];
                        let board = to.board;
                        let flipped = Square::from_index(to.square.index() as u32 ^ 63);
                        node.threats[threat] = Threat { from, to: Coordinate { board, square: flipped } };
                    }));
                }
                changes
            });
            for spoilt in threats {
                tried += 1;
                assert!(!is_accepted(&certificate, index, &spoilt), "{}: {key}: {spoilt:?}", mate.0);
            }
            let rows = changed(node, |node| {
                let mut changes = Vec::new();
                for row in 0..node.replies.len() {
                    changes.push(boxed(move |node| drop(node.replies.remove(row))));
                    changes.push(boxed(move |node| node.replies.push(node.replies[row].clone())));
                    changes.push(boxed(move |node| node.replies[row].answer = Action::default()));
                    changes.push(boxed(move |node| {
                        node.replies[row].answer =
                            Action::new(node.replies[row].answer.moves()[1..].to_vec());
                    }));
                    changes.push(boxed(move |node| node.replies[row].node = Node::default()));
                }
                changes
            });
            for spoilt in rows {
                tried += 1;
                // A part of an answer may mate for the same reasons: then the change is another valid proof.
                proofs += usize::from(is_accepted(&certificate, index, &spoilt));
            }
            for claimed in (1..=mate.2 + 1).filter(|claimed| *claimed != mate.2) {
                let verdict = check(&certificate.start, key, claimed, node, &Looks::within(BUDGET));
                assert!(matches!(verdict, CheckResult::Rejected(_)), "{}: {claimed}: {verdict:?}", mate.0);
            }
        }
    }
    assert!(tried > 500, "only {tried} changes");
    assert!(proofs * 1_000 < tried, "{proofs} of {tried} changes are proofs");
}

/// Threats whose squares are moved by one are refused, unless they are real threats themselves.
#[test]
fn a_threat_with_another_square_proves_nothing_by_itself() {
    let (mut refused, mut real) = (0, 0);
    for mate in shipped().iter().filter(|mate| mate.2 == 1) {
        let certificate = certificate(mate);
        for (index, (key, node)) in certificate.keys.iter().enumerate() {
            for threat in 0..node.threats.len() {
                let mut less = node.clone();
                let Threat { from, to } = less.threats.remove(threat);
                let verdict = check(&certificate.start, key, 1, &less, &Looks::within(BUDGET));
                let CheckResult::Rejected(Rejection { line, .. }) = verdict else { panic!("{verdict:?}") };
                let mut after = certificate.start.clone();
                line.iter().for_each(|action| after.play_unchecked(action));
                for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)] {
                    let moved = |place: Coordinate| {
                        let square = place.square.offset(files, ranks)?;
                        Some(Coordinate { square, ..place })
                    };
                    for (from, to) in [(moved(from), Some(to)), (Some(from), moved(to))] {
                        let (Some(from), Some(to)) = (from, to) else { continue };
                        let mut other = less.clone();
                        other.threats.push(Threat { from, to });
                        if is_accepted(&certificate, index, &other) {
                            let mut captures = Vec::new();
                            after.pseudo_legal_moves_to(from.board, to, &mut captures);
                            assert!(captures.iter().any(|m| m.from == from), "{}: {other:?}", mate.0);
                            real += 1;
                        } else {
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 200 && real < refused / 20, "{refused} refused, {real} real");
}

/// Another answer is refused, unless it mates as well.
#[test]
fn an_answer_that_does_not_mate_is_refused() {
    let mut refused = 0;
    for mate in shipped().iter().filter(|mate| mate.2 == 2) {
        let certificate = certificate(mate);
        for (index, (key, node)) in certificate.keys.iter().enumerate() {
            let mut after = certificate.start.clone();
            after.play_unchecked(key);
            for row in 0..node.replies.len() {
                let named = |defence: &Action| {
                    node.replies.iter().position(|reply| reply.when.holds(defence)) == Some(row)
                };
                let defences: Vec<Action> = after.legal_actions().filter(named).collect();
                let mut answered = after.clone();
                answered.play_unchecked(&defences[0]);
                for answer in answered.legal_actions().take(40) {
                    let mut other = node.clone();
                    other.replies[row].answer = answer.clone();
                    if is_accepted(&certificate, index, &other) {
                        let mut end = answered.clone();
                        end.play_unchecked(&answer);
                        assert_eq!(end.status(), Status::Checkmate, "{}: {answer}", mate.0);
                    } else {
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 300, "only {refused} other answers");
}

#[test]
fn a_file_is_refused_at_the_place_that_is_wrong() {
    const GOOD: &str = include_str!("sample.yaml");
    let start = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().expect("a position");
    let key = pgn5d::parse_action(&start, "(0T1)Rb2b3").expect("a legal key");
    let mate = &("rook-from-the-past".to_owned(), start, 2, vec![key]);
    let checked = |text: &str| match read(text) {
        Ok(file) => file.check(claim(mate), &Looks::within(BUDGET)).findings.into_iter().next(),
        Err(finding) => Some(finding),
    };
    assert_eq!(write(&certificate(mate)).as_deref(), Ok(GOOD));
    let cases = [
        ("certificate-2", "certificate-3", "schema", "worldlines/certificate-3"),
        ("rook-from-the-past", "another", "other-puzzle", "another"),
        ("mate-in: 2", "mate-in: 3", "other-goal", "3"),
        ("promotions: [Q]", "promotions: [K]", "promotion", "K"),
        ("promotions: [Q]", "promotions: [N]", "other-start", ""),
        ("profile: default", "profile: strange", "unknown-profile", "strange"),
        ("KR1R", "KR1!", "unknown-piece", "!"),
        ("    threats: [\"(0T2)d2xc2\", ", "    threats: [", "no-proof", "\"(0T1)b2b3\""),
        ("(0T2)d2xc2", "(0T2)d2c2", "malformed", "c"),
        ("(0T2)d2xc2", "(+0T2)d2xc2", "malformed", "+"),
        ("(0T2)d2xc2", "(0T99999)d2xc2", "malformed", "99999"),
        ("(0T2)d2xc2", "(0T2)d2xc9", "malformed", "c"),
        ("(0T2)b3d3", "(0T2)b3d4", "no-proof", "\"(0T2)b3d4\""),
        ("(0T2)b3d3", "(0T2)b3d3 ", "malformed", ""),
        ("if: \"(0T1)d3c4\"", "otherwise: false", "row", ""),
        ("if: \"(0T1)d3c4\"", "if: \"(0T1)d3e4\"", "no-proof", ""),
        ("if: \"(0T1)d3c4\"", "class: { \"(0T1)\": [\"d3c4\", pass] }", "none", ""),
        ("if: \"(0T1)d3c4\"", "class: { \"(0T1)\": [\"d3c4\", \"d3d2\"] }", "no-proof", ""),
        ("if: \"(0T1)d3c4\"", "class: { \"(0T1)\": any }", "shape", "any"),
        ("if: \"(0T1)d3c4\"", "class: { \"(0T1)\": [] }", "empty-list", "["),
        ("if: \"(0T1)d3c4\"", "class: {}", "empty-list", "{"),
        ("if: \"(0T1)d3c4\"", "class: { \"(1T1)\": [pass] }", "no-proof", "\"(1T1)\""),
        ("if: \"(0T1)d3c4\"", "class: { \"(0T0)\": [pass] }", "no-proof", "\"(0T0)\""),
        (
            "if: \"(0T1)d3c4\"",
            "class: { \"(0T1)\": [\"d3c4\"], '(0T1)': [\"d3c4\"] }",
            "repeated-key",
            "'(0T1)'",
        ),
        ("if: \"(0T1)d3c4\"", "if: \"(00T1)d3c4\"", "malformed", "00"),
        ("if: \"(0T1)d3c4\"", "if: \"(0T01)d3c4\"", "malformed", "01"),
        ("if: \"(0T1)d3c4\"", "if: \"(-0T1)d3c4\"", "malformed", "-0"),
        ("(0T2)b3>>(0T1)b3", "(0T2)b3>>>(0T1)b3", "malformed", ">"),
        ("(0T2)b3>>(0T1)b3", "(0T2)b3>>(1T2)b3 (1T2)b2b3", "malformed", "(0T2)b3>>(1T2)b3"),
        ("mate-in: 2", "mate-in: 0x2", "malformed", "0x2"),
        ("mate-in: 2", "mate-in: +2", "malformed", "+2"),
        ("mate-in: 2", "mate-in: 02", "malformed", "02"),
        ("rules: { profile: default, promotions: [Q] }\n", "", "missing-field", ""),
        ("profile: default, ", "", "missing-field", ""),
        (", promotions: [Q]", "", "missing-field", ""),
        ("threats: [\"(0T3)d2xd3\", \"(0T3)d3x(0T1)d3\"]\n", "replies: []\n", "missing-field", ""),
    ];
    for (old, new, code, at) in cases {
        assert_eq!(GOOD.matches(old).count().min(1), 1, "{old}");
        let text = GOOD.replacen(old, new, 1);
        let Some(finding) = checked(&text) else {
            assert_eq!(code, "none", "{new} is accepted");
            continue;
        };
        assert_eq!(finding.code, code, "{new}: {finding:?}");
        if !at.is_empty() {
            assert_eq!(finding.span.of(&text), at, "{new}: {finding:?}");
        }
    }
    let row = "\n      - otherwise: true\n        answer: \"(0T2)b3d3\"\n        threats: []\n";
    let keyless = GOOD.split("  - key").next().expect("a head").replace("keys:", "keys: []");
    let keyless = checked(&keyless).expect("a finding");
    assert_eq!(
        (keyless.code, keyless.message.as_str()),
        ("empty-list", "expected the proof of at least one key, or a claim in `no`")
    );
    let twice =
        checked(&format!("{}{row}{}", GOOD.trim_end(), row.trim_start_matches('\n'))).expect("a finding");
    assert_eq!(
        (twice.code, twice.message.as_str()),
        ("row", "expected one row with `otherwise` in the list")
    );
    let unused = checked(&format!("{}{row}", GOOD.trim_end())).expect("a finding");
    assert_eq!((unused.code, unused.message.as_str()), ("no-proof", "the row answers no legal defence"));
}

#[test]
fn each_solution_is_proven_and_not_only_as_many() {
    let start = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().expect("a position");
    let file = read(include_str!("sample.yaml")).expect("a certificate");
    let certified = &file.certificate.keys[0].0;
    let other = start.legal_actions().find(|action| action != certified).expect("another action");
    let mate = &("rook-from-the-past".to_owned(), start, 2, vec![other]);
    let codes: Vec<_> =
        file.check(claim(mate), &Looks::within(BUDGET)).findings.into_iter().map(|it| it.code).collect();
    assert_eq!(codes, ["missing-key"]);
}

/// A certificate with further answers, after the first of which another one mates.
const FURTHER: &str = include_str!("../../../puzzles/three-actions/certificates/unicorn-rook-in-3-ab7d.yaml");

#[test]
fn further_answers_are_proofs_of_lines() {
    let file = read(FURTHER).expect("a certificate");
    let certificate = &file.certificate;
    assert_eq!(write(certificate).as_deref(), Ok(FURTHER));
    assert!(file.check_alone(&Looks::within(BUDGET)).findings.is_empty());
    for FurtherAnswer { after, answer, node } in &certificate.answers {
        let mut line = after.clone();
        let given = certificate.answers_after(&line);
        assert!(given.len() > 1 && given.contains(&(answer, node)), "the row has an answer too");
        line.push(answer.clone());
        assert_eq!(certificate.proof_after(&line), Some(node));
        let other = certificate.start.legal_actions().next().expect("an action");
        *line.last_mut().expect("the answer") = other;
        assert_eq!(certificate.proof_after(&line), None);
    }
    assert_eq!(certificate.proof_after(&[]), None);
    assert_eq!(certificate.answers_after(&[]), []);
}

/// Whatever is left out of a further answer, it is not accepted.
#[test]
fn nothing_can_be_left_out_of_a_further_answer() {
    let good = read(FURTHER).expect("a certificate").certificate;
    let mut refused = 0;
    for index in 0..good.answers.len() {
        let node = &good.answers[index].node;
        for part in 0..node.threats.len() + node.replies.len() {
            let mut less = good.clone();
            let FurtherAnswer { node, .. } = &mut less.answers[index];
            match part.checked_sub(node.threats.len()) {
                None => _ = node.threats.remove(part),
                Some(row) => _ = node.replies.remove(row),
            }
            let file = read(&write(&less).expect("not too large")).expect("a certificate");
            let found = file.check_alone(&Looks::within(BUDGET)).findings;
            assert_eq!(
                found.iter().map(|finding| finding.code).collect::<Vec<_>>(),
                ["no-proof"],
                "{less:?}"
            );
            refused += 1;
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn moves_are_read_in_each_order_in_which_they_can_be_made() {
    let reader = Reader { parity: Parity::Odd, color: Color::White };
    let moves = ["(0T2)b3>>(1T2)b3", "(1T2)b2b3", "(2T2)a1a2"];
    for (order, is_one) in
        [([0, 1, 2], false), ([0, 2, 1], false), ([2, 0, 1], false), ([1, 0, 2], true), ([1, 2, 0], true)]
    {
        let text = order.map(|index| moves[index]).join(" ");
        let start = text.find(moves[0]).expect("the branch");
        let expected = "expected this branch after the move that advances its board";
        let read = reader.action(&text).map(|action| action.moves().len());
        assert_eq!(
            read,
            if is_one { Ok(3) } else { Err((start..start + moves[0].len(), expected)) },
            "{text}"
        );
    }
    // A hop also advances the board on which it arrives.
    assert!(reader.action("(0T2)b3>>(1T2)b3 (2T2)b2>(1T2)b3").is_err());
    assert!(reader.action("(2T2)b2>(1T2)b3 (0T2)b3>>(1T2)b3").is_ok());
    // A branch from that board is different: both orders may be right.
    assert!(reader.action("(0T2)b3>>(1T2)b3 (1T2)b2>>(1T1)b3").is_ok());
}

#[test]
fn what_is_written_is_not_too_large_to_be_read() {
    let good = read(include_str!("sample.yaml")).expect("a certificate").certificate;
    let with_threats = |threats: usize| {
        let node = Node { threats: vec![good.keys[0].1.threats[0]; threats], replies: Vec::new() };
        Certificate { keys: vec![(good.keys[0].0.clone(), node)], ..good.clone() }
    };
    // The nodes other than threats: 23 scalars, lists and mappings.
    let most = MAX_NODES - 23;
    assert_eq!(write(&with_threats(most + 1)), Err(TooLarge));
    let text = write(&with_threats(most)).expect("not too large");
    assert!(read(&text).is_ok());
    let one_more = text.replacen("threats: [", "threats: [\"(0T2)d2xc2\", ", 1);
    assert_eq!(read(&one_more).expect_err("too large").code, "too-large");
    let nested = |rows: usize| {
        let row = good.keys[0].1.replies[0].clone();
        let inmost = Node { replies: Vec::new(), ..row.node.clone() };
        let node = (0..rows).fold(inmost, |node, _| {
            let reply = Reply { node, ..row.clone() };
            Node { threats: reply.node.threats.clone(), replies: vec![reply] }
        });
        Certificate { keys: vec![(good.keys[0].0.clone(), node)], ..good.clone() }
    };
    let most = (1..MAX_DEPTH).filter(|&rows| write(&nested(rows)).is_ok()).max().expect("a row");
    assert!(most > 40, "{most}");
    assert!(read(&write(&nested(most)).expect("not too deep")).is_ok());
    assert_eq!(write(&nested(most + 1)), Err(TooLarge));
}
