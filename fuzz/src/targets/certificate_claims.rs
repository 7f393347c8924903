//! Certificates with several claims, true or spoilt in many ways, hold by the naive rules in all that they claim whenever they are accepted.
//!
//! A claim is a key, an answer after a line, or that there is no mate.

use std::collections::BTreeSet;

use arbitrary::{Error, Result, Unstructured};
use worldlines::puzzle::certificate::{self, Certificate, CertificateFile, FurtherAnswer, NoMate};
use worldlines::slow::SlowState;
use worldlines::types::Action;

use super::mate_prover::PATIENCE;
use super::{Case, noted, twin_of};
use crate::Target;
use crate::certificates::{Verdict, certificate_of, verdict};

/// The target.
pub const TARGET: Target = Target::of_choices(run, 300);

impl Case for Certificate {
    fn shown(&self) -> String {
        certificate::write(self).unwrap_or_else(|why| why.to_string())
    }
}

fn run(bytes: &[u8]) -> Result<()> {
    let certificate = noted(certificate_of(&mut Unstructured::new(bytes))?)?;
    judge(&certificate, verdict)
}

/// The most actions of a player that are listed to see that one is legal.
const MOST_ACTIONS: usize = 2_000;

type Checker = fn(&CertificateFile) -> Verdict;

fn judge(certificate: &Certificate, check: Checker) -> Result<()> {
    let Ok(text) = certificate::write(certificate) else { return Err(Error::IncorrectFormat) };
    let Ok(file) = certificate::read(&text) else { return Ok(()) };
    if check(&file) != Verdict::Accepted {
        return Ok(());
    }
    let after = |line: &[Action]| -> Result<SlowState> {
        let mut state = twin_of(&certificate.start);
        for action in line {
            let legal = state.legal_actions(MOST_ACTIONS).ok_or(Error::IncorrectFormat)?;
            assert!(legal.contains(action), "accepted, and {action:?} of {line:?} is not legal in\n{text}");
            state.play(action);
        }
        Ok(state)
    };
    let mates = |line: &[Action], n| {
        after(line)?.mating_actions(n, &mut PATIENCE.clone()).ok_or(Error::IncorrectFormat)
    };
    let keys = if certificate.keys.is_empty() { BTreeSet::new() } else { mates(&[], certificate.mate_in)? };
    for (key, _) in &certificate.keys {
        assert!(keys.contains(key), "accepted, and {key:?} is no key of\n{text}");
    }
    for FurtherAnswer { after, answer, .. } in &certificate.answers {
        let left = certificate.mate_in - after.len() as u32 / 2;
        assert!(mates(after, left)?.contains(answer), "accepted, and {answer:?} is no answer of\n{text}");
    }
    for NoMate { after, mate_in, but_keys } in &certificate.no {
        let mut others = mates(after, *mate_in)?;
        if *but_keys {
            others.retain(|action| certificate.keys.iter().all(|(key, _)| !action.contains(key)));
        }
        assert!(others.is_empty(), "accepted, and {others:?} mate in {mate_in} after {after:?} of\n{text}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::{Random, flags};

    /// An accepted certificate of the wanted kind, which the naive rules find true.
    fn true_one(is_wanted: impl Fn(&Certificate) -> bool) -> Certificate {
        let mut random = Random::default();
        let certificates =
            std::iter::from_fn(|| Some(certificate_of(&mut Unstructured::new(&random.bytes(300)))));
        let is_true = |certificate: &Certificate| {
            let text = certificate::write(certificate).unwrap_or_default();
            certificate::read(&text).is_ok_and(|file| verdict(&file) == Verdict::Accepted)
                && judge(certificate, verdict) == Ok(())
        };
        let mut true_ones = certificates.filter_map(Result::ok).filter(is_true);
        true_ones.find(|certificate| is_wanted(certificate)).expect("a certificate of this kind")
    }

    /// Whether a spoilt certificate is noticed, if a checker accepts it.
    fn is_noticed(certificate: &Certificate, spoil: impl Fn(&mut Certificate)) -> bool {
        let mut spoilt = certificate.clone();
        spoil(&mut spoilt);
        assert_eq!(judge(&spoilt, verdict), Ok(()));
        let accepts_all: Checker = |_| Verdict::Accepted;
        flags(|| judge(&spoilt, accepts_all))
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let certificate =
            true_one(|certificate| !certificate.keys.is_empty() && !certificate.answers.is_empty());
        let is_noticed = |spoil: &dyn Fn(&mut Certificate)| is_noticed(&certificate, spoil);
        let keys: Vec<&Action> = certificate.keys.iter().map(|(key, _)| key).collect();
        let wrong = certificate.start.legal_actions().find(|action| !keys.contains(&action)).expect("no key");
        assert!(is_noticed(&|spoilt| spoilt.keys[0].0 = wrong.clone()));
        assert!(is_noticed(&|spoilt| spoilt.answers[0].answer = wrong.clone()));
        assert!(is_noticed(&|spoilt| spoilt.answers[0].after[1] = wrong.clone()));
        let denied = NoMate { after: Vec::new(), mate_in: certificate.mate_in, but_keys: false };
        assert!(is_noticed(&|spoilt| spoilt.no.push(denied.clone())));
    }

    /// In the certificates of a defence too.
    #[test]
    fn a_wrong_defence_is_flagged() {
        let certificate = true_one(|certificate| {
            certificate.attacker != certificate.start.to_move() && !certificate.answers.is_empty()
        });
        let survives = &certificate.no[0].after;
        let loses = &certificate.answers[0].after;
        assert!(is_noticed(&certificate, |spoilt| spoilt.answers[0].after.clone_from(survives)));
        assert!(is_noticed(&certificate, |spoilt| spoilt.no[0].after.clone_from(loses)));
    }
}
