//! Certificate files: proofs of a puzzle's keys that can be checked without a search (`spec/certificates.md`).
//!
//! A file stands by itself: it contains the start as plain boards and the rules, so that a checker need not
//! read puzzles. The program writes it, and reads it as strictly as a puzzle. Begin at
//! [`CertificateFile::check`].

mod read;
mod text;
mod write;

use std::collections::BTreeSet;

use super::finding::Finding;
use super::model::Spanned;
use crate::notation::Span;
use crate::search::certificate::{
    self as proof, CheckResult, Denial, Flaw, Looks, Node, RefutationTable, Rejection, Reply,
};
use crate::state::Position;
use crate::types::{Action, Because, BoardCoordinate, Color};

pub use read::read;
pub(super) use read::read_file;
use read::{Written, WrittenAnswer, WrittenKey, WrittenRow};
use text::{Reader, Writer};
pub use write::{TooLarge, write};

/// The value of `schema` that this version writes.
pub const SCHEMA: &str = "worldlines/certificate-2";

/// The value of `schema` of certificates of keys alone, which are read too.
pub const SCHEMA_1: &str = "worldlines/certificate-1";

/// The value of `attacker` if the player to move is the defender.
const OPPONENT: &str = "opponent";

/// The most further answers of a file.
pub(super) const MOST_ANSWERS: usize = 2_000;

/// A proof that the keys of a puzzle mate, or, without any key, that there is no mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The position to be solved.
    pub start: Position,
    /// The player who mates, or does not: the player to move, or the opponent if the player to move looks for a defence.
    pub attacker: Color,
    /// The number of actions in which the attacker mates, or does not.
    pub mate_in: u32,
    /// Actions that mate, each with its proof. Without any, the claim is that there is no mate. Only the player to move has keys.
    pub keys: Vec<(Action, Node)>,
    /// Further answers of the attacker that mate.
    pub answers: Vec<FurtherAnswer>,
    /// Mates that there are not.
    pub no: Vec<NoMate>,
    /// The replies that show it.
    pub refutations: RefutationTable,
}

impl Certificate {
    /// A certificate that proves keys and denies nothing.
    pub fn of_keys(puzzle: String, start: Position, mate_in: u32, keys: Vec<(Action, Node)>) -> Certificate {
        let attacker = start.to_move();
        let (answers, no, refutations) = (Vec::new(), Vec::new(), RefutationTable::default());
        Certificate { puzzle, start, attacker, mate_in, keys, answers, no, refutations }
    }

    /// The proof of the mate after a line that ends with a key, or with an answer of which the certificate says that it mates.
    pub fn proof_after(&self, line: &[Action]) -> Option<&Node> {
        let (answer, before) = line.split_last()?;
        let given = match before {
            [] => self.keys.iter().map(|(key, node)| (key, node)).collect(),
            _ => self.answers_after(before),
        };
        given
            .into_iter()
            .filter(|(given, _)| *given == answer)
            .map(|(_, node)| node)
            .min_by_key(|node| node.mate_in())
    }

    /// The answers that mate after a line, which ends with a defence, each with its proof: that of the row first.
    pub fn answers_after(&self, line: &[Action]) -> Vec<(&Action, &Node)> {
        let last = line.split_last();
        let row = last.and_then(|(defence, before)| self.proof_after(before)?.reply_to(defence));
        let row = row.map(|row| (&row.answer, &row.node));
        let further = self.answers.iter().filter(|further| further.after == line);
        row.into_iter().chain(further.map(|further| (&further.answer, &further.node))).collect()
    }
}

/// An action that mates after others, beside the answer that a row gives there: another answer of a dual, for example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FurtherAnswer {
    /// The actions of both players that lead from the start to the position, where the attacker is to move.
    pub after: Vec<Action>,
    /// The action.
    pub answer: Action,
    /// The proof that it mates.
    pub node: Node,
}

/// The claim that there is no mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoMate {
    /// The actions of both players that lead from the start to the position, where the attacker is to move.
    pub after: Vec<Action>,
    /// The number of actions of the attacker.
    pub mate_in: u32,
    /// Whether actions that contain a key of the certificate are set aside: there is no *other* mate.
    pub but_keys: bool,
}

/// A certificate read from a file, with the places of its parts.
#[derive(Clone, Debug)]
pub struct CertificateFile {
    /// The certificate.
    pub certificate: Certificate,
    written: Written,
}

/// The claims of a puzzle that a certificate must prove.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The id of the puzzle.
    pub puzzle: &'a str,
    /// The position to be solved.
    pub start: &'a Position,
    /// The player who mates, or does not.
    pub attacker: Color,
    /// The number of actions in which the attacker mates, or does not.
    pub mate_in: u32,
    /// The first actions of the solutions of a mate; `None` if there is said to be no mate.
    pub keys: Option<&'a [Action]>,
}

/// Why a further answer or a claim of *no mate* is not accepted.
enum Flawed {
    Open(String),
    Undecided(Because),
}

impl From<Because> for Flawed {
    fn from(because: Because) -> Flawed {
        Flawed::Undecided(because)
    }
}

/// The result of checking a file.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The faults, with their places in the file.
    pub findings: Vec<Finding>,
    /// The number of keys that are proven.
    pub keys: usize,
    /// The number of the defender's actions that were answered.
    pub defences: u64,
    /// The number of keys, further answers and claims that were not decided.
    pub undecided: usize,
    /// The reason why the last of these was not decided.
    pub because: Option<Because>,
    /// The positions without a mate, with the number of actions. That of the start, if the keys were set aside, is the last field.
    pub no_mate: Vec<(Position, u32)>,
    /// The number of actions in which no action mates but those that contain a key.
    pub no_other_mate: Option<u32>,
    /// The replies of the file, and what was shown with them.
    pub refutations: RefutationTable,
}

impl Checked {
    /// Notes that something was not decided.
    fn open(&mut self, because: Because) {
        self.undecided += 1;
        self.because = Some(because);
    }
}

impl CertificateFile {
    /// Checks without a search that the file proves the claims of a puzzle.
    pub fn check(&self, claim: Claim<'_>, looks: &Looks<'_>) -> Checked {
        let mut checked = self.check_alone(looks);
        checked.findings.splice(..0, self.other_claims(claim));
        checked
    }

    /// The findings where the file says something else than a puzzle.
    fn other_claims(&self, claim: Claim<'_>) -> Vec<Finding> {
        let CertificateFile { certificate, written } = self;
        let mut findings = Vec::new();
        let mut find = |code, span, message: &str| findings.push(Finding::new(code, span, message));
        if certificate.puzzle != claim.puzzle {
            let message = format!("expected the id of the puzzle, `{}`", claim.puzzle);
            find("other-puzzle", written.puzzle.span, &message);
        }
        if certificate.start != claim.start.clone() || certificate.start.profile() != claim.start.profile() {
            find("other-start", written.start.span, "the start or the rules are not those of the puzzle");
        }
        if certificate.mate_in != claim.mate_in {
            let no = if claim.keys.is_some() { "a mate" } else { "that there is no mate" };
            let message = format!("expected {}, as the puzzle claims {no} in {0}", claim.mate_in);
            find("other-goal", written.mate_in.span, &message);
        }
        if certificate.attacker != claim.attacker {
            let message = if claim.attacker == claim.start.to_move() {
                "expected the player to move as the attacker, as the puzzle is about his mate"
            } else {
                "expected `attacker: opponent`, as the puzzle is about a defence"
            };
            let place = written.attacker.as_ref().map_or(written.mate_in.span, |attacker| attacker.span);
            find("other-goal", place, message);
        }
        let is_of_mate = !certificate.keys.is_empty();
        if is_of_mate != claim.keys.is_some() {
            let message = if is_of_mate {
                "expected no keys, as the puzzle claims that there is no mate"
            } else {
                "expected the proof of a key, as the puzzle claims a mate"
            };
            find("other-goal", written.keys.span, message);
        }
        let certified: BTreeSet<&Action> = certificate.keys.iter().map(|(action, _)| action).collect();
        for key in claim.keys.unwrap_or_default() {
            if !certified.contains(key) {
                let writer = Writer(certificate.start.parity());
                let message =
                    format!("the solution `{}` of the puzzle is missing among the keys", writer.action(key));
                find("missing-key", written.schema.span, &message);
            }
        }
        findings
    }

    /// Checks without a search what the file says, whichever puzzle it belongs to.
    pub fn check_alone(&self, looks: &Looks<'_>) -> Checked {
        let CertificateFile { certificate, written } = self;
        let mut checked = Checked::default();
        // Each proof and claim begins with a copy of the start.
        let copy = certificate.start.multiverse().count() / 8;
        for ((key, node), written) in certificate.keys.iter().zip(&written.keys.value) {
            let WrittenKey { key: Spanned { span, .. }, replies, .. } = written;
            if let Err(because) = looks.charge(copy) {
                checked.open(because);
                continue;
            }
            match proof::check(&certificate.start, key, certificate.mate_in, node, looks) {
                CheckResult::Accepted { defences } => {
                    checked.keys += 1;
                    checked.defences += defences;
                }
                CheckResult::Undecided(because) => checked.open(because),
                CheckResult::Rejected(rejection) => {
                    checked.findings.push(self.rejected(&rejection, &[], node, *span, replies));
                }
            }
        }
        for (FurtherAnswer { after, answer, node }, written) in
            certificate.answers.iter().zip(written.answers.iter().flatten())
        {
            let WrittenAnswer { answer: Spanned { span, .. }, replies, .. } = &written.value;
            let paid = looks.charge(2 * copy).map_err(Flawed::Undecided);
            let verdict = paid
                .and_then(|()| self.after(after, looks))
                .map(|position| proof::check(&position, answer, node.mate_in(), node, looks));
            match verdict {
                Ok(CheckResult::Accepted { defences }) => checked.defences += defences,
                Ok(CheckResult::Undecided(because)) | Err(Flawed::Undecided(because)) => {
                    checked.open(because)
                }
                Ok(CheckResult::Rejected(rejection)) => {
                    checked.findings.push(self.rejected(&rejection, after, node, *span, replies));
                }
                Err(Flawed::Open(words)) => {
                    checked.findings.push(Finding::new("no-proof", written.span, words));
                }
            }
        }
        let mut table = certificate.refutations.fresh();
        for (claim, written) in certificate.no.iter().zip(written.no.iter().flatten()) {
            let paid = looks.charge(copy).map_err(Flawed::Undecided);
            match paid.and_then(|()| self.deny(claim, &mut table, looks)) {
                Ok(position) if claim.but_keys => {
                    debug_assert!(position == certificate.start, "read so");
                    checked.no_other_mate = checked.no_other_mate.max(Some(claim.mate_in));
                }
                Ok(position) => checked.no_mate.push((position, claim.mate_in)),
                Err(Flawed::Undecided(because)) => checked.open(because),
                Err(Flawed::Open(words)) => {
                    checked.findings.push(Finding::new("no-proof", written.span, words));
                }
            }
        }
        checked.refutations = table;
        checked
    }

    /// The position after some actions from the start.
    fn after(&self, line: &[Action], looks: &Looks<'_>) -> Result<Position, Flawed> {
        let mut position = self.certificate.start.clone();
        for action in line {
            if !proof::play_if_legal(&mut position, action, looks)? {
                let action = Writer(position.parity()).action(action);
                return Err(Flawed::Open(format!("`{action}` is illegal in this line")));
            }
        }
        Ok(position)
    }

    /// The position in which there is no mate, as a claim says and the refutations show.
    fn deny(
        &self,
        claim: &NoMate,
        table: &mut RefutationTable,
        looks: &Looks<'_>,
    ) -> Result<Position, Flawed> {
        let Certificate { start, keys, .. } = &self.certificate;
        let writer = Writer(start.parity());
        let position = self.after(&claim.after, looks)?;
        let keys: Vec<Action> =
            keys.iter().filter(|_| claim.but_keys).map(|(action, _)| action.clone()).collect();
        match proof::deny(&position, claim.mate_in, &keys, table, None, looks) {
            Denial::Denied => Ok(position),
            Denial::Open(action) => {
                let action = writer.action(&action);
                Err(Flawed::Open(format!("none of the listed replies is enough after `{action}`")))
            }
            Denial::Undecided(because) => Err(because.into()),
        }
    }

    /// The place where the class of a row names a board.
    fn name_of(&self, board: BoardCoordinate, row: &WrittenRow) -> Option<Span> {
        let Certificate { start, attacker, .. } = &self.certificate;
        let reader = Reader { parity: start.parity(), color: !*attacker };
        let mut names = row.class.iter().flat_map(|class| &class.value.0).map(|(name, _)| name);
        names.find(|name| reader.board(&name.value) == Ok(board)).map(|name| name.span)
    }

    /// The finding of a rejection, at the row that is wrong. `after` leads to the position; `span` is the place of the action that is said to mate there,
    /// `rows` are the replies to it.
    fn rejected(
        &self,
        rejection: &Rejection,
        after: &[Action],
        mut node: &Node,
        mut span: Span,
        mut rows: &[Spanned<WrittenRow>],
    ) -> Finding {
        let writer = Writer(self.certificate.start.parity());
        if let Flaw::UnusedRow(path) = &rejection.flaw {
            for &index in path {
                span = rows[index].span;
                rows = &rows[index].value.replies;
            }
        } else {
            // The answers of the line determine the rows that lead to the wrong one.
            for pair in rejection.line.get(1..).unwrap_or_default().chunks_exact(2) {
                let is_row = |reply: &Reply| reply.answer == pair[1] && reply.when.holds(&pair[0]);
                let Some(index) = node.replies.iter().position(is_row) else { break };
                (node, span) = (&node.replies[index].node, rows[index].value.answer.span);
                rows = &rows[index].value.replies;
            }
        }
        if let Flaw::UnplayableBoard(index, board) = rejection.flaw {
            span = self.name_of(board, &rows[index].value).unwrap_or(span);
        }
        let line: Vec<String> =
            after.iter().chain(&rejection.line).map(|action| writer.action(action)).collect();
        let finding = Finding::new("no-proof", span, rejection.flaw.to_string());
        let finding = match &rejection.flaw {
            Flaw::Length(_) | Flaw::UnusedRow(_) => return finding,
            Flaw::MissingThreat(threat) | Flaw::Exposed(threat) => {
                finding.note(format!("true: {} is possible", writer.threat(threat)))
            }
            Flaw::UnplayableBoard(_, board) => finding.note(format!("board: {}", writer.board(*board))),
            _ => finding,
        };
        finding.note(format!("line: {}", line.join(" / ")))
    }
}

#[cfg(test)]
mod tests;
