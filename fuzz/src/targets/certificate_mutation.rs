//! Certificates are accepted, shortened ones are not, and every accepted one is a mate by the naive rules.
//!
//! This holds even if key, certificate and position have nothing to do with each other. The text of a
//! certificate is read as it was written, and is refused with a mistake in it.

use arbitrary::{Arbitrary, Error, Result, Unstructured};
use worldlines::generate::{authored_position, edited, mating_position};
use worldlines::puzzle::Finding;
use worldlines::puzzle::certificate::{self, Certificate, CertificateFile};
use worldlines::search::certificate::{CheckResult, Looks, Node, Reply, Threat, When, certify, check};
use worldlines::search::{Budget, Class, Prover, Start, Verdict};
use worldlines::state::Position;
use worldlines::types::{Action, BoardCoordinate, HalfTurn, Timeline};

use super::mate_prover::PATIENCE;
use super::{Case, noted, shown, small_position_of, twin_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 300);

/// The budget of the prover and the looks of the checker.
const NODES: u64 = 20_000;
const STEPS: u64 = 1_000_000;

/// A claim of a mate, with its support.
struct Claim {
    position: Position,
    key: Action,
    mate_in: u32,
    node: Node,
    origin: Origin,
}

/// The change of a certificate since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// No change.
    Made,
    /// A threat or a row was taken out.
    Shortened,
    /// A row is about a class that names a board which is not there.
    Misnamed,
    /// It was not made for this position, and may be anything.
    Foreign,
}

impl Case for Claim {
    fn shown(&self) -> String {
        let Claim { position, key, mate_in, node, origin } = self;
        format!("{}mate in {mate_in} by {key:?}, {origin:?}: {node:#?}", position.shown())
    }
}

fn run(bytes: &[u8]) -> Result<()> {
    let claim = noted(case(bytes)?)?;
    judge(&claim, check)?;
    if claim.origin == Origin::Made {
        assert_spelling(&claim, certificate::read);
    }
    Ok(())
}

fn case(bytes: &[u8]) -> Result<Claim> {
    let position = small_position_of(bytes, |u| match u.int_in_range(0..=2)? {
        0 | 1 => mating_position(u),
        _ => authored_position(u),
    })?;
    // The choices about the certificate come from the end of the bytes, so that the position stays the
    // same.
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    let u = &mut Unstructured::new(&reversed);
    let mut claim = match made(&position) {
        Some(claim) => claim,
        None => made_up(u, position)?,
    };
    match u.int_in_range(0..=6)? {
        0 => {}
        6 if claim.origin == Origin::Made => {
            if misname(u, &mut claim.node)? {
                claim.origin = Origin::Misnamed;
            }
        }
        1 | 2 if claim.origin == Origin::Made => {
            if shorten(u, &mut claim.node)? {
                claim.origin = Origin::Shortened;
            }
        }
        3 => {
            claim.position = edited(u, &claim.position)?;
            claim.origin = Origin::Foreign;
        }
        4 => {
            let legal: Vec<Action> = claim.position.legal_actions().take(50).collect();
            if !legal.is_empty() {
                claim.key = u.choose(&legal)?.clone();
                claim.origin = Origin::Foreign;
            }
        }
        _ => {
            claim.mate_in = u.int_in_range(1..=2)?;
            claim.node.threats.push(threat(u, &claim.position)?);
            claim.origin = Origin::Foreign;
        }
    }
    Ok(claim)
}

/// The certificate of the shortest mate, if there is one in at most two actions.
fn made(position: &Position) -> Option<Claim> {
    let mut prover = Prover::new(Budget::steps(NODES));
    let solution = prover.solve(position, 2, false);
    if solution.verdict != Verdict::Proven {
        return None;
    }
    let key = solution.keys.first()?.key().clone();
    let mut after = position.clone();
    after.play(&key).expect("a legal action");
    let answers = &mut |position: &Position, n| prover.mating_answer(position, n).ok().flatten();
    let node = certify(&after, solution.shortest?, answers, &Looks::within(STEPS)).ok()?;
    let mate_in = node.mate_in();
    Some(Claim { position: position.clone(), key, mate_in, node, origin: Origin::Made })
}

/// A claim without any support.
fn made_up(u: &mut Unstructured<'_>, position: Position) -> Result<Claim> {
    let legal: Vec<Action> = position.legal_actions().take(50).collect();
    let key = if legal.is_empty() { Action::default() } else { u.choose(&legal)?.clone() };
    let mut node = Node::default();
    for _ in 0..u.int_in_range(0..=3)? {
        node.threats.push(threat(u, &position)?);
    }
    Ok(Claim { position, key, mate_in: 1, node, origin: Origin::Foreign })
}

/// Some capture, from any square to any other.
fn threat(u: &mut Unstructured<'_>, position: &Position) -> Result<Threat> {
    let boards: Vec<_> = position.multiverse().boards().map(|(at, _)| at).collect();
    let mut place = || -> Result<_> {
        let mut board = *u.choose(&boards)?;
        board.half_turn.0 += i16::arbitrary(u)? % 3;
        let square = worldlines::types::Square::from_index(u.int_in_range(0..=63)?);
        Ok(worldlines::types::Coordinate { board, square })
    };
    Ok(Threat { from: place()?, to: place()? })
}

/// Removes a threat or a row from a node or one below it. Returns false if there was nothing to remove.
fn shorten(u: &mut Unstructured<'_>, node: &mut Node) -> Result<bool> {
    let Node { threats, replies } = node;
    let choices = threats.len() + 2 * replies.len();
    if choices == 0 {
        return Ok(false);
    }
    let chosen = u.int_in_range(0..=choices - 1)?;
    if chosen < threats.len() {
        threats.remove(chosen);
        return Ok(true);
    }
    let row = (chosen - threats.len()) / 2;
    if (chosen - threats.len()).is_multiple_of(2) {
        replies.remove(row);
        return Ok(true);
    }
    let Reply { node, .. } = &mut replies[row];
    shorten(u, node)
}

/// Makes a row be about a class that names one board too many. Returns false if there is no row.
fn misname(u: &mut Unstructured<'_>, node: &mut Node) -> Result<bool> {
    let Some(row) = node.replies.last_mut() else { return Ok(false) };
    let mut boards = match &row.when {
        When::If(defence) => defence.moves().iter().map(|m| (m.from.board, vec![Start::Move(*m)])).collect(),
        When::Class(class) => class.boards().to_vec(),
        When::Otherwise => Vec::new(),
    };
    let board = BoardCoordinate {
        timeline: Timeline(*u.choose(&[-500, 500])?),
        half_turn: HalfTurn(u.int_in_range(0..=9)?),
    };
    boards.push((board, vec![Start::Pass]));
    row.when = When::Class(Class::new(boards));
    Ok(true)
}

type Checker = fn(&Position, &Action, u32, &Node, &Looks<'_>) -> CheckResult;

fn judge(claim: &Claim, check: Checker) -> Result<()> {
    let Claim { position, key, mate_in, node, origin } = claim;
    let verdict = check(position, key, *mate_in, node, &Looks::within(STEPS));
    let accepted = matches!(verdict, CheckResult::Accepted { .. });
    match origin {
        Origin::Made => assert!(accepted, "{verdict:?} for\n{}", claim.shown()),
        Origin::Shortened | Origin::Misnamed => {
            assert!(matches!(verdict, CheckResult::Rejected(_)), "{verdict:?} for\n{}", claim.shown());
        }
        Origin::Foreign => {}
    }
    if accepted {
        let mating = twin_of(position).mating_actions(*mate_in, &mut PATIENCE.clone());
        let mating = mating.ok_or(Error::IncorrectFormat)?;
        assert!(mating.contains(key), "accepted, and no mate: {}{}", shown(position), claim.shown());
    }
    Ok(())
}

type Reader = fn(&str) -> std::result::Result<CertificateFile, Finding>;

/// Parts of a certificate's text, each with a wrong text in its place.
const MISTAKES: [(&str, &str); 11] = [
    (">>", ">>>"),
    ("T1)", "T01)"),
    ("(0T", "(-0T"),
    ("(0T", "(00T"),
    ("(-0T", "(-00T"),
    ("mate-in: ", "mate-in: 0x"),
    ("profile: default, ", ""),
    ("threats: ", "# threats: "),
    ("otherwise: true", "class: {}"),
    ("otherwise: true", "class: { \"(0T1)\": any }"),
    ("otherwise: true", "class: { \"(0T1)\": [] }"),
];

/// Checks that the text of a certificate is read as it was written, and is refused with a mistake.
fn assert_spelling(claim: &Claim, read: Reader) {
    let Claim { position, key, mate_in, node, .. } = claim;
    let (puzzle, start, keys) = ("a-mate".to_owned(), position.clone(), vec![(key.clone(), node.clone())]);
    let written = Certificate::of_keys(puzzle, start, *mate_in, keys);
    let Ok(text) = certificate::write(&written) else { return };
    let again = read(&text).map(|file| file.certificate);
    assert!(again.as_ref().is_ok_and(|again| *again == written), "{again:?} and not as in\n{text}");
    let mistakes = MISTAKES.iter().filter(|(right, _)| text.contains(right));
    let spoilt = mistakes
        .map(|(right, wrong)| text.replacen(right, wrong, 1))
        .chain(disordered(&text))
        .chain(keyless(&text));
    for spoilt in spoilt {
        assert!(read(&spoilt).is_err(), "this is read:\n{spoilt}");
    }
}

/// The text without a key.
fn keyless(text: &str) -> Option<String> {
    text.split_once("keys:\n").map(|(head, _)| format!("{head}keys: []\n"))
}

/// The text with a move after a branch, on the board that the branch visits.
fn disordered(text: &str) -> Option<String> {
    let branch = text.find(">>")?;
    let board = &text[branch + 2..branch + 3 + text[branch..].find(')')? - 2];
    let end = branch + text[branch..].find(['"', ' '])?;
    Some(format!("{} {board}a1a2{}", &text[..end], &text[end..]))
}

#[cfg(test)]
mod tests {
    use worldlines::notation::fen5d;

    use worldlines::types::Because;

    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let position = fen5d::parse("[k2/3/1QK:0:1:w]").into_result().expect("a position");
        let claim = made(&position).expect("a mate in one");
        assert_eq!(judge(&claim, check), Ok(()));
        let accepts_all: Checker = |_, _, _, _, _| CheckResult::Accepted { defences: 0 };
        let rejects_all: Checker = |_, _, _, _, _| CheckResult::Undecided(Because::Budget);
        assert!(flags(|| judge(&claim, rejects_all)));
        let shortened = Claim { node: Node::default(), origin: Origin::Shortened, ..claim };
        assert_eq!(judge(&shortened, check), Ok(()));
        assert!(flags(|| judge(&shortened, accepts_all)));
        let key = position.legal_actions().find(|action| *action != shortened.key).expect("another action");
        let foreign = Claim { key, origin: Origin::Foreign, ..shortened };
        assert_eq!(judge(&foreign, check), Ok(()));
        assert!(flags(|| judge(&foreign, accepts_all)));
    }

    /// Mates whose certificates together contain everything that can be corrupted.
    const MATES: [&str; 3] =
        ["[4/3k/KR1R/3r:0:1:w]", "[4/1k2/4/K2R:-0:1:w] [3R/4/4/4:+0:1:w]", "[4/2B1/2B1/k3:0:1:w]"];

    #[test]
    fn a_checker_that_looks_for_no_boards_is_noticed() {
        let mut claim =
            made(&fen5d::parse(MATES[0]).into_result().expect("a position")).expect("a mate in two");
        let right = claim.node.clone();
        assert_eq!(misname(&mut Unstructured::new(&[0; 8]), &mut claim.node), Ok(true));
        claim.origin = Origin::Misnamed;
        assert_eq!(judge(&claim, check), Ok(()));
        assert_ne!(claim.node, right);
        assert!(flags(|| judge(&claim, |_, _, _, _, _| CheckResult::Accepted { defences: 1 })));
    }

    #[test]
    fn a_reader_that_knows_one_mistake_less_is_noticed() {
        thread_local!(static TAUGHT: std::cell::Cell<(&'static str, &'static str)> = const { std::cell::Cell::new(("", "")) });
        // This reader accepts the one mistake that it was taught.
        let lenient: Reader = |text| {
            let (right, wrong) = TAUGHT.get();
            certificate::read(text).or_else(|_| certificate::read(&text.replacen(wrong, right, 1)))
        };
        let claims =
            MATES.map(|fen| made(&fen5d::parse(fen).into_result().expect("a position")).expect("a mate"));
        for claim in &claims {
            assert_spelling(claim, certificate::read);
        }
        for (right, wrong) in MISTAKES.into_iter().filter(|(_, wrong)| !wrong.is_empty()) {
            TAUGHT.set((right, wrong));
            let noticed = claims.iter().any(|claim| flags(|| assert_spelling(claim, lenient)));
            assert!(noticed, "`{wrong}` for `{right}`");
        }
        TAUGHT.set(("", " (0T1)a1a2"));
        assert!(flags(|| assert_spelling(&claims[0], lenient)), "an order that cannot be played");
    }
}
