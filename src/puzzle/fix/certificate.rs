//! The certificate beside the puzzle.

use super::{Draft, FixError, Work, spent};
use crate::puzzle::certificate::{Certificate, Claim, FurtherAnswer, MOST_ANSWERS, read_file, write};
use crate::puzzle::load::{Document, File};
use crate::puzzle::model::{Goal, Puzzle};
use crate::puzzle::resolve::Texts;
use crate::puzzle::verify::{Content, Options, budget_of, content, verify};
use crate::search::certificate::Node;
use crate::search::{Analysis, Evidence, KeyClass, Prover, Verdict};
use crate::types::Action;

/// The most bytes of a certificate with further answers. Without them it is shorter, and they are searched for where they are asked.
const MOST_BYTES: usize = 200_000;

/// The text of a certificate that proves every solution of a mate and, as far as the budget for evidence suffices, that there is no
/// other and no shorter one, and further answers that mate later; or that there is no mate, if that is the claim. `None` when nothing
/// has to be proven, or the document has this certificate.
///
/// # Errors
///
/// When the puzzle cannot be read, a solution does not mate, or the budget does not suffice.
pub fn certify(document: &Document, options: Options<'_>) -> Result<Option<String>, FixError> {
    let draft = Draft::of(document)?;
    let puzzle = draft.puzzle()?;
    let (Goal::MateIn(count) | Goal::NoMateIn(count)) = &puzzle.goal.value else {
        return certify_defence(document, &draft, &puzzle, options);
    };
    let claims_mate = matches!(puzzle.goal.value, Goal::MateIn(_));
    let game = crate::puzzle::start::start(&draft.text, &puzzle)?;
    let mut prover = Prover::new(budget_of(&puzzle, options)).stopping_on(options.stop);
    let start = game.end();
    let mut work = Work { analysis: Analysis::new(&mut prover, &start, count.value), claims_mate };
    let mut keys: Vec<Action> = Vec::new();
    for first in puzzle.solutions.iter().filter_map(|line| line.value.first()) {
        let key = Texts(&draft.text).action(&start, first)?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    if keys.is_empty() && claims_mate {
        return Err(FixError::Text("the puzzle lists no solution".to_owned()));
    }
    let attacker = start.to_move();
    let claimed = claims_mate.then_some(&*keys);
    let claim = Claim { puzzle: &puzzle.id.value, start: &start, attacker, mate_in: work.n(), keys: claimed };
    let is_accepted = work.is_accepted(document, claim)?;
    if is_accepted && spares_search(document, options) {
        return Ok(None);
    }
    let mut proven = work.proven(&keys)?;
    let Content { no, refutations, answers } = content(document, options);
    if !claims_mate && !no.iter().any(|no| no.after.is_empty()) {
        return Err(match work.analysis.mate().verdict {
            Verdict::Proven => FixError::Claim("there is a mate".into()),
            _ => FixError::Undecided("show that there is no mate"),
        });
    }
    if no.iter().any(|no| no.but_keys) {
        let classes = work.analysis.searched().keys.clone();
        for key in classes.iter().flat_map(KeyClass::keys).filter(|key| !keys.contains(key)) {
            let Evidence { key, node, .. } = work.analysis.evidence(key).map_err(spent)?.clone();
            proven.push((key, node));
        }
    }
    let of_keys = Certificate::of_keys(puzzle.id.value.clone(), start.clone(), work.n(), proven);
    let mut certificate = Certificate { no, refutations, ..of_keys };
    let plain = write(&certificate).map_err(|error| FixError::Claim(error.to_string()))?;
    if spares_search(&with(document, &plain), options) {
        return Ok(Some(plain).filter(|text| is_new(document, text)));
    }
    for (after, answer, n) in answers.into_iter().take(MOST_ANSWERS) {
        work.add_answer(&mut certificate, after, answer, n);
    }
    let further = write(&certificate).ok().filter(|text| text.len() <= MOST_BYTES);
    Ok(match further.filter(|text| spares_search(&with(document, text), options)) {
        Some(text) => Some(text).filter(|text| is_new(document, text)),
        // An accepted one is not worse.
        None if is_accepted => None,
        None => Some(plain).filter(|text| is_new(document, text)),
    })
}

impl Work<'_> {
    /// Whether the certificate beside the puzzle is accepted, and proves all that a first one proves.
    fn is_accepted(&mut self, document: &Document, claim: Claim<'_>) -> Result<bool, FixError> {
        let certificate = document.certificate.as_ref().map(|file| read_file(file));
        let Some(Ok(certificate)) = certificate else { return Ok(false) };
        let checked =
            self.prover().on_evidence(|prover| prover.with_looks(|_, looks| certificate.check(claim, looks)));
        let checked = checked.map_err(spent)?;
        let n = claim.mate_in;
        let denies = |n| n == 0 || checked.no_mate.iter().any(|(at, m)| *m >= n && at == claim.start);
        let is_whole =
            if self.claims_mate { checked.no_other_mate >= Some(n) && denies(n - 1) } else { denies(n) };
        Ok(checked.findings.is_empty() && checked.undecided == 0 && is_whole)
    }

    /// The listed keys with their proofs.
    fn proven(&mut self, keys: &[Action]) -> Result<Vec<(Action, Node)>, FixError> {
        let mut proven = Vec::new();
        for key in keys {
            let after = self.analysis.after(std::slice::from_ref(key));
            let left = self.n() - 1;
            if self.prover().surviving_defence(&after, left).map_err(spent)?.is_some() {
                return Err(FixError::Claim("one of the solutions does not mate in time".into()));
            }
            let Evidence { key, node, .. } = self.analysis.evidence(key).map_err(spent)?.clone();
            proven.push((key, node));
        }
        Ok(proven)
    }

    /// Adds a further answer that mates in `n` if it can be shown, unless the certificate gives it. Lines go on with answers that were
    /// added before.
    fn add_answer(&mut self, certificate: &mut Certificate, after: Vec<Action>, answer: Action, n: u32) {
        let given = certificate.answers_after(&after);
        let is_given = given.iter().any(|(given, node)| **given == answer && node.mate_in() <= n);
        let position = self.analysis.after(&after);
        if !is_given && let Ok(Evidence { node, .. }) = self.prover().confirm(&position, &answer, n) {
            certificate.answers.push(FurtherAnswer { after, answer, node });
        }
    }
}

/// The text of a certificate for a defence against a mate in two and more: no mate after what survives, and an answer to everything else.
/// `None` when the document has this certificate, when everything can be checked without one, or when it would be too long.
fn certify_defence(
    document: &Document,
    draft: &Draft<'_>,
    puzzle: &Puzzle,
    options: Options<'_>,
) -> Result<Option<String>, FixError> {
    let (Goal::Survive(count) | Goal::OnlyDefence(count)) = &puzzle.goal.value else { return Ok(None) };
    if spares_search(document, options) {
        return Ok(None);
    }
    let n = count.value;
    let start = super::super::start::start(&draft.text, puzzle)?.end();
    let mut prover = Prover::new(budget_of(puzzle, options)).stopping_on(options.stop);
    let Content { no, refutations, .. } = content(document, options);
    let keyless = Certificate::of_keys(puzzle.id.value.clone(), start.clone(), n, Vec::new());
    let mut certificate = Certificate { attacker: !start.to_move(), no, refutations, ..keyless };
    if certificate.no.is_empty() {
        return Err(FixError::Undecided("show what survives"));
    }
    let mut legal = prover.actions(&start);
    while let Some(action) = prover.next_action(&mut legal).map_err(spent)? {
        let line = vec![action];
        if certificate.no.iter().any(|no| no.after == line) {
            continue;
        }
        let mut after = start.clone();
        after.play_unchecked(&line[0]);
        if let Some(answer) = prover.mating_answer(&after, n).map_err(spent)? {
            let Evidence { node, .. } = prover.confirm(&after, &answer, n).map_err(spent)?;
            certificate.answers.push(FurtherAnswer { after: line, answer, node });
        }
        if certificate.answers.len() > MOST_ANSWERS {
            return Ok(None);
        }
    }
    let text = write(&certificate).ok().filter(|text| text.len() <= MOST_BYTES);
    Ok(text.filter(|text| spares_search(&with(document, text), options)))
}

/// Whether all claims of a puzzle can be checked without a search, with the certificate beside it.
fn spares_search(document: &Document, options: Options<'_>) -> bool {
    verify(document, Options { quick: true, ..options }).grounds().is_some()
}

/// A puzzle with another certificate.
fn with(document: &Document, certificate: &str) -> Document {
    let mut document = document.clone();
    document.certificate =
        Some(File::new(document.certificate_path().as_str(), certificate.as_bytes()).into());
    document
}

/// Whether this is another certificate than the one beside a puzzle.
fn is_new(document: &Document, text: &str) -> bool {
    document.certificate.as_ref().is_none_or(|file| file.text != text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::load::{File, load};

    /// A certificate that was not checked to the end proves nothing yet.
    #[test]
    fn a_certificate_that_takes_too_long_to_check_does_not_count() {
        let puzzle = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
        let certificate = include_str!("../../../puzzles/small/certificates/rook-from-the-past.yaml");
        let mut document = load("puzzle.yaml", puzzle.as_bytes()).remove(0);
        document.certificate = Some(File::new("certificate.yaml", certificate.as_bytes()).into());
        assert_eq!(certify(&document, Options::default()), Ok(None));
        let poor = certify(&document, Options { evidence: 0, ..Options::default() });
        assert!(matches!(poor, Err(FixError::Undecided(_))), "{poor:?}");
    }
}
