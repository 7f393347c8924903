//! Certificates for another checker, true ones and spoilt ones, with the verdicts of this one.
//!
//! Both checkers are to say the same of each. Begin at [`write_all`].

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use arbitrary::{Result, Unstructured};
use worldlines::generate::{authored_position, edited, mating_position, quiet_mate};
use worldlines::puzzle::certificate::{self, Certificate, CertificateFile, FurtherAnswer, NoMate};
use worldlines::search::certificate::{Looks, Node, RefutationTable};
use worldlines::search::{self, Budget, Prover};
use worldlines::state::Position;
use worldlines::types::Action;

use crate::random::Random;

/// The budget of the prover and the looks of the checker.
const NODES: u64 = 20_000;
const LOOKS: u64 = 1_000_000;

/// Writes so many certificates to `certificates` in a folder, and beside it `verdicts.txt`: a line for each with its name and `accepted`,
/// `refused` or `undecided`. Other series are other certificates.
///
/// # Errors
///
/// When a file cannot be written.
pub fn write_all(count: usize, series: u32, folder: &Path) -> io::Result<()> {
    let files = folder.join("certificates");
    fs::create_dir_all(&files)?;
    let mut random = Random::series(series);
    let mut verdicts = String::new();
    let (mut written, mut without_keys) = (0, 0);
    while written < count {
        let bytes = random.bytes(300);
        let Ok(certificate) = certificate_of(&mut Unstructured::new(&bytes)) else { continue };
        // Most positions have no mate: one in four of them is enough.
        without_keys += usize::from(certificate.keys.is_empty());
        if certificate.keys.is_empty() && !without_keys.is_multiple_of(4) {
            continue;
        }
        let Ok(text) = certificate::write(&certificate) else { continue };
        let verdict = certificate::read(&text).map_or(Verdict::Refused, |file| verdict(&file));
        let name = format!("{written:05}.yaml");
        fs::write(files.join(&name), text)?;
        let _ = writeln!(verdicts, "{name} {}", verdict.name());
        written += 1;
    }
    fs::write(folder.join("verdicts.txt"), verdicts)
}

/// The verdict on all that a certificate claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Accepted,
    Refused,
    Undecided,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Refused => "refused",
            Verdict::Undecided => "undecided",
        }
    }
}

/// The verdict of the checker.
pub(crate) fn verdict(file: &CertificateFile) -> Verdict {
    let checked = file.check_alone(&Looks::within(LOOKS));
    match (checked.findings.is_empty(), checked.undecided) {
        (false, _) => Verdict::Refused,
        (true, 0) => Verdict::Accepted,
        (true, _) => Verdict::Undecided,
    }
}

/// A certificate of a mate in at most two actions, or of none, with up to two parts that were spoilt.
pub(crate) fn certificate_of(u: &mut Unstructured<'_>) -> Result<Certificate> {
    let position = match u.int_in_range(0..=4)? {
        0 | 1 => mating_position(u)?,
        2 => quiet_mate(u)?,
        _ => authored_position(u)?,
    };
    let defended = if u.ratio(1, 4)? { defence(u, &position)? } else { None };
    let mut certificate = defended.or_else(|| truth(&position)).ok_or(arbitrary::Error::IncorrectFormat)?;
    for _ in 0..u.int_in_range(0..=2)? {
        spoil(u, &mut certificate)?;
    }
    Ok(certificate)
}

/// The most defences of a certificate about them.
const MOST_DEFENCES: usize = 12;

/// The certificate of which defences survive a mate in one or two, in a position after one more action. Without one that survives there is none.
fn defence(u: &mut Unstructured<'_>, position: &Position) -> Result<Option<Certificate>> {
    let actions: Vec<Action> = position.legal_actions().within(NODES).take(40).collect();
    if actions.is_empty() {
        return Ok(None);
    }
    let mut start = position.clone();
    start.play(u.choose(&actions)?).expect("a legal action");
    let n = u.int_in_range(1..=2)?;
    let mut prover = Prover::new(Budget::steps(NODES));
    let (mut answers, mut no) = (Vec::new(), Vec::new());
    for action in start.legal_actions().within(NODES).take(MOST_DEFENCES).collect::<Vec<_>>() {
        let mut after = start.clone();
        after.play(&action).expect("a legal action");
        let line = vec![action];
        match prover.mating_answer(&after, n) {
            Ok(Some(answer)) => {
                let Ok(evidence) = prover.confirm(&after, &answer, n) else { return Ok(None) };
                answers.push(FurtherAnswer { after: line, answer, node: evidence.node });
            }
            Ok(None) if prover.deny(&after, n, &[]).is_ok() => {
                no.push(NoMate { after: line, mate_in: n, but_keys: false });
            }
            _ => return Ok(None),
        }
    }
    let refutations = prover.refutation_table().fresh();
    let attacker = !start.to_move();
    let keyless = Certificate::of_keys("generated".to_owned(), start, n, Vec::new());
    let certificate = Certificate { attacker, answers, no, refutations, ..keyless };
    Ok(Some(certificate).filter(|certificate| !certificate.no.is_empty()))
}

/// The certificate of the shortest mate in at most two actions: its keys, and lines of wrong first actions with replies that refute them.
/// Without such a mate, that there is none.
fn truth(position: &Position) -> Option<Certificate> {
    let mut prover = Prover::new(Budget::steps(NODES));
    let found = prover.solve(position, 2, false);
    if found.verdict == search::Verdict::Refuted {
        prover.deny(position, 2, &[]).ok()?;
        let mut no = vec![NoMate { after: Vec::new(), mate_in: 2, but_keys: false }];
        no.extend(refuted(position, &mut prover));
        let refutations = prover.refutation_table().fresh();
        let start = position.clone();
        let keyless = Certificate::of_keys("generated".to_owned(), start, 2, Vec::new());
        return Some(Certificate { no, refutations, ..keyless });
    }
    // Nothing may be claimed where the budget ended first.
    let n = found.shortest?;
    let solution = prover.solve(position, n, true);
    if !solution.complete {
        return None;
    }
    let keys: Vec<Action> = solution.keys.iter().flat_map(|class| class.keys()).cloned().collect();
    let mut proofs: Vec<(Action, Node)> = Vec::new();
    for key in &keys {
        let evidence = prover.confirm(position, key, n).ok()?;
        // A key that mates sooner has no proof of this length.
        if evidence.node.mate_in() == n {
            proofs.push((evidence.key, evidence.node));
        }
    }
    let mut no = vec![NoMate { after: Vec::new(), mate_in: n, but_keys: true }];
    prover.deny(position, n, &keys).ok()?;
    if n == 2 {
        prover.deny(position, 1, &[]).ok()?;
        no.push(NoMate { after: Vec::new(), mate_in: 1, but_keys: false });
        no.extend(refuted(position, &mut prover));
    }
    let refutations = prover.refutation_table().fresh();
    let start = position.clone();
    if proofs.is_empty() {
        return None;
    }
    let mut certificate =
        Certificate { no, refutations, ..Certificate::of_keys("generated".to_owned(), start, n, proofs) };
    if n == 2 {
        certificate.answers = further(&certificate, &mut prover);
    }
    Some(certificate)
}

/// Answers to some defences that mate, beside those of the rows of a mate in two.
fn further(certificate: &Certificate, prover: &mut Prover<'_>) -> Vec<FurtherAnswer> {
    let mut answers = Vec::new();
    for (key, _) in &certificate.keys {
        let mut after = certificate.start.clone();
        after.play(key).expect("a legal key");
        for defence in after.legal_actions().within(NODES).take(4).collect::<Vec<_>>() {
            let mut defended = after.clone();
            defended.play(&defence).expect("a legal action");
            let line = vec![key.clone(), defence];
            let given = certificate.answers_after(&line);
            for answer in prover.solve(&defended, 1, true).keys.iter().flat_map(|class| class.keys()) {
                if given.iter().all(|(given, _)| *given != answer)
                    && let Ok(evidence) = prover.confirm(&defended, answer, 1)
                {
                    let (after, answer) = (line.clone(), answer.clone());
                    answers.push(FurtherAnswer { after, answer, node: evidence.node });
                }
            }
        }
    }
    answers
}

/// Lines of a wrong first action and a reply that refutes it.
fn refuted(position: &Position, prover: &mut Prover<'_>) -> Vec<NoMate> {
    let mut lines = Vec::new();
    for action in position.legal_actions().within(NODES).take(8).collect::<Vec<_>>() {
        let mut after = position.clone();
        after.play(&action).expect("a legal action");
        for reply in after.legal_actions().within(NODES).take(8).collect::<Vec<_>>() {
            let mut replied = after.clone();
            replied.play(&reply).expect("a legal action");
            let is_no_mate = prover.mating_answer(&replied, 1).is_ok_and(|mate| mate.is_none());
            if is_no_mate && prover.deny(&replied, 1, &[]).is_ok() {
                lines.push(NoMate { after: vec![action.clone(), reply], mate_in: 1, but_keys: false });
                break;
            }
        }
    }
    lines
}

/// Changes some part of a certificate, which may be false then, or as true as before.
fn spoil(u: &mut Unstructured<'_>, certificate: &mut Certificate) -> Result<()> {
    let Certificate { start, attacker, keys, answers, no, refutations, mate_in, .. } = certificate;
    let mut lists = refutations.lists().to_vec();
    match u.int_in_range(0..=13)? {
        0 | 1 => {
            let list = u.choose_index(lists.len().max(1))?;
            if let Some(list) = lists.get_mut(list).filter(|list| !list.is_empty()) {
                list.remove(u.choose_index(list.len())?);
            }
        }
        2 => lists.reverse(),
        3 => {
            let claim = u.choose_index(no.len())?;
            no[claim].mate_in = u.int_in_range(1..=3)?;
        }
        4 => no.push(NoMate { after: Vec::new(), mate_in: *mate_in, but_keys: false }),
        5 if keys.len() > 1 => drop(keys.remove(u.choose_index(keys.len())?)),
        6 if !keys.is_empty() => {
            let key = u.choose_index(keys.len())?;
            let node = &mut keys[key].1;
            if !node.threats.is_empty() && u.arbitrary()? {
                node.threats.remove(u.choose_index(node.threats.len())?);
            } else if !node.replies.is_empty() {
                node.replies.remove(u.choose_index(node.replies.len())?);
            }
        }
        7 => *start = edited(u, start)?,
        10 | 11 if !answers.is_empty() => {
            let index = u.choose_index(answers.len())?;
            let FurtherAnswer { after, answer, node } = &mut answers[index];
            match u.int_in_range(0..=3)? {
                0 if !node.threats.is_empty() => {
                    let _ = node.threats.remove(u.choose_index(node.threats.len())?);
                }
                1 if !keys.is_empty() => *answer = u.choose(keys)?.0.clone(),
                2 if after.len() > 1 => after.swap(0, 1),
                _ => *after.last_mut().expect("an answer comes after something") = answer.clone(),
            }
        }
        // An action that survives gets the answer to one that loses.
        12 if *attacker != start.to_move() && !answers.is_empty() => {
            let index = u.choose_index(answers.len())?;
            answers[index].after.clone_from(&u.choose(no)?.after);
        }
        13 => *attacker = !*attacker,
        8 => {
            let others: Vec<Action> = start.legal_actions().within(NODES).take(40).collect();
            let claim = u.choose_index(no.len())?;
            if let (Some(first), false) = (no[claim].after.first_mut(), others.is_empty()) {
                *first = u.choose(&others)?.clone();
            }
        }
        _ => {
            let others: Vec<Action> = start.legal_actions().within(NODES).take(40).collect();
            if !others.is_empty() && !keys.is_empty() {
                let key = u.choose_index(keys.len())?;
                keys[key].0 = u.choose(&others)?.clone();
            }
        }
    }
    *refutations = RefutationTable::new(lists);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All verdicts occur, and what was not changed is accepted.
    #[test]
    fn true_and_false_certificates_are_written() {
        let folder = std::env::temp_dir().join(format!("worldlines-certificates-{}", std::process::id()));
        write_all(60, 1, &folder).expect("a folder");
        let verdicts = fs::read_to_string(folder.join("verdicts.txt")).expect("the verdicts");
        let count = |verdict: &str| verdicts.lines().filter(|line| line.ends_with(verdict)).count();
        assert!(count("accepted") > 10 && count("refused") > 10, "{verdicts}");
        fs::remove_dir_all(&folder).expect("it was made above");
    }
}
