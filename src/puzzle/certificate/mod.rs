//! Certificate files: proofs of a puzzle's keys that can be checked without a search (`spec/certificates.md`).
//!
//! A file stands by itself: it contains the start as plain boards and the rules, so that a checker need not
//! read puzzles. The program writes it, and reads it as strictly as a puzzle. Begin at
//! [`CertificateFile::check`].

mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use super::check::promotion;
use super::deserialize::parse;
use super::finding::Finding;
use super::grammar::CERTIFICATE;
use super::load::File;
use super::model::{PASS, Rows, Spanned};
use super::start::{in_document, unreadable};
use super::yaml::{MAX_DEPTH, MAX_NODES};
use crate::notation::{Span, fen5d};
use crate::search::certificate::{
    self as proof, Denial, Flaw, Looks, MOST_ACTIONS, Node, RefutationTable, Rejection, Reply, Verdict, When,
};
use crate::search::{Class, Start};
use crate::state::Position;
use crate::types::{Action, Because, BoardCoordinate, Promotions, RuleProfile};

use text::{Reader, Writer, Wrong};

/// The value of `schema` that this version writes.
pub const SCHEMA: &str = "worldlines/certificate-2";

/// The value of `schema` of certificates of keys alone, which are read too.
pub const SCHEMA_1: &str = "worldlines/certificate-1";

/// The most further answers of a file.
pub(super) const MOST_ANSWERS: usize = 2_000;

/// A proof that the keys of a puzzle mate, or, without any key, that there is no mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The position to be solved.
    pub start: Position,
    /// The number of actions in which the player to move mates, or does not.
    pub mate_in: u32,
    /// Actions that mate, each with its proof. Without any, the claim is that there is no mate.
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
        let (answers, no, refutations) = (Vec::new(), Vec::new(), RefutationTable::default());
        Certificate { puzzle, start, mate_in, keys, answers, no, refutations }
    }

    /// The proof of the mate after a line: a key, and defences each with an answer of which the certificate says that it mates.
    pub fn proof_after(&self, line: &[Action]) -> Option<&Node> {
        let (key, later) = line.split_first().filter(|(_, later)| later.len() % 2 == 0)?;
        let (_, proof) = self.keys.iter().find(|(proven, _)| proven == key)?;
        (1..=later.len() / 2).try_fold(proof, |proof, pair| {
            let (before, answer) = (&line[..2 * pair], &line[2 * pair]);
            let given = self.answers(proof, before).into_iter().filter(|(given, _)| *given == answer);
            given.map(|(_, node)| node).min_by_key(|node| node.mate_in())
        })
    }

    /// The answers that mate after a line, which ends with a defence, each with its proof: that of the row first.
    pub fn answers_after(&self, line: &[Action]) -> Vec<(&Action, &Node)> {
        let proof = line.split_last().and_then(|(_, before)| self.proof_after(before));
        proof.map(|proof| self.answers(proof, line)).unwrap_or_default()
    }

    /// The answers to the last action of a line, before which the proof is this.
    fn answers<'c>(&'c self, proof: &'c Node, line: &[Action]) -> Vec<(&'c Action, &'c Node)> {
        let row = line.last().and_then(|defence| proof.reply_to(defence));
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

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    schema: Spanned<String>,
    puzzle: Spanned<String>,
    rules: WrittenRules,
    start: Spanned<String>,
    mate_in: Spanned<u32>,
    keys: Spanned<Vec<WrittenKey>>,
    answers: Option<Vec<Spanned<WrittenAnswer>>>,
    no: Option<Vec<Spanned<WrittenNo>>>,
    refutations: Option<Vec<Spanned<Vec<Spanned<String>>>>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAnswer {
    after: Vec<Spanned<String>>,
    answer: Spanned<String>,
    threats: Vec<Spanned<String>>,
    #[serde(default)]
    replies: Vec<Spanned<WrittenRow>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenNo {
    #[serde(default)]
    after: Vec<Spanned<String>>,
    mate_in: Option<Spanned<u32>>,
    other_mate_in: Option<Spanned<u32>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRules {
    profile: Spanned<String>,
    promotions: Vec<Spanned<String>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenKey {
    key: Spanned<String>,
    threats: Vec<Spanned<String>>,
    #[serde(default)]
    replies: Vec<Spanned<WrittenRow>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRow {
    #[serde(rename = "if")]
    defence: Option<Spanned<String>>,
    class: Option<Spanned<WrittenClass>>,
    otherwise: Option<Spanned<bool>>,
    answer: Spanned<String>,
    threats: Vec<Spanned<String>>,
    #[serde(default)]
    replies: Vec<Spanned<WrittenRow>>,
}

/// Boards, each with the moves that may start there.
type WrittenClass = Rows<Spanned<Vec<Spanned<String>>>>;

/// Reads a file.
///
/// # Errors
///
/// The first fault: it is not YAML of this schema, or a text in it cannot be read. Whether it proves anything
/// is left to [`CertificateFile::check`].
pub fn read(text: &str) -> Result<CertificateFile, Finding> {
    let written: Written = parse(text, &CERTIFICATE)?;
    let has_more = written.answers.is_some() || written.no.is_some() || written.refutations.is_some();
    match &*written.schema.value {
        SCHEMA => {}
        SCHEMA_1 if has_more => {
            let message =
                format!("expected `{SCHEMA}`, the format that has `answers`, `no` and `refutations`");
            return Err(Finding::new("schema", written.schema.span, message));
        }
        SCHEMA_1 => {}
        _ => {
            let message = format!("expected `{SCHEMA}` or `{SCHEMA_1}`, the formats that this version reads");
            return Err(Finding::new("schema", written.schema.span, message));
        }
    }
    let (answers, no) =
        (written.answers.as_deref().unwrap_or_default(), written.no.as_deref().unwrap_or_default());
    if let Some(more) = answers.get(MOST_ANSWERS) {
        let message = format!("expected at most {MOST_ANSWERS} further answers");
        return Err(Finding::new("range", more.span, message));
    }
    if written.keys.value.is_empty() && no.is_empty() {
        let message = "expected the proof of at least one key, or a claim in `no`";
        return Err(Finding::new("empty-list", written.keys.span, message));
    }
    let given = fen5d::Given { size: None, parity: None, profile: profile(&written.rules)? };
    let start = fen5d::blocks(&written.start.value)
        .and_then(|blocks| fen5d::position(&blocks, given))
        .map_err(|error| unreadable(text, &written.start, &error))?;
    let (parity, attacker) = (start.parity(), start.to_move());
    let nodes = Nodes {
        text,
        attacker: Reader { parity, color: attacker },
        defender: Reader { parity, color: !attacker },
    };
    let keys = written.keys.value.iter().map(|WrittenKey { key, threats, replies }| {
        Ok((nodes.read(key, |text| nodes.attacker.action(text))?, nodes.node(threats, replies)?))
    });
    let certificate = Certificate {
        puzzle: written.puzzle.value.clone(),
        keys: keys.collect::<Result<_, Finding>>()?,
        mate_in: written.mate_in.value,
        answers: answers.iter().map(|answer| nodes.answer(answer)).collect::<Result<_, _>>()?,
        no: no.iter().map(|no| nodes.no_mate(no)).collect::<Result<_, _>>()?,
        refutations: nodes.refutations(written.refutations.as_deref().unwrap_or_default())?,
        start,
    };
    Ok(CertificateFile { certificate, written })
}

/// Reads a certificate file, unless its bytes already could not be read as text.
pub(super) fn read_file(file: &File) -> Result<CertificateFile, Finding> {
    file.unreadable.clone().map_or_else(|| read(&file.text), Err)
}

/// The rules, named as in puzzle files.
fn profile(rules: &WrittenRules) -> Result<RuleProfile, Finding> {
    let WrittenRules { profile: name, promotions } = rules;
    let unknown =
        |_| Finding::new("unknown-profile", name.span, format!("there is no rule profile `{}`", name.value));
    let mut profile = name.value.parse::<RuleProfile>().map_err(unknown)?;
    profile.promotions = Promotions::NONE;
    for letter in promotions {
        let set = promotion(&letter.value).and_then(|kind| profile.promotions.with(kind));
        let wrong = || Finding::new("promotion", letter.span, format!("no pawn becomes `{}`", letter.value));
        profile.promotions = set.ok_or_else(wrong)?;
    }
    Ok(profile)
}

/// Reads the nodes of a file.
struct Nodes<'t> {
    text: &'t str,
    attacker: Reader,
    defender: Reader,
}

impl Nodes<'_> {
    /// Reads one scalar.
    fn read<T>(
        &self,
        written: &Spanned<String>,
        read: impl FnOnce(&str) -> Result<T, Wrong>,
    ) -> Result<T, Finding> {
        read(&written.value).map_err(|(range, message)| {
            let span = in_document(self.text, written, Span::new(range.start, range.end));
            Finding::new("malformed", span, message)
        })
    }

    fn node(&self, threats: &[Spanned<String>], replies: &[Spanned<WrittenRow>]) -> Result<Node, Finding> {
        let threats = threats.iter().map(|threat| self.read(threat, |text| self.attacker.threat(text)));
        let mut otherwise = replies.iter().filter(|row| row.value.otherwise.is_some());
        if let Some(second) = otherwise.nth(1) {
            return Err(Finding::new("row", second.span, "expected one row with `otherwise` in the list"));
        }
        Ok(Node {
            threats: threats.collect::<Result<_, _>>()?,
            replies: replies.iter().map(|row| self.row(row)).collect::<Result<_, _>>()?,
        })
    }

    fn no_mate(&self, no: &Spanned<WrittenNo>) -> Result<NoMate, Finding> {
        let WrittenNo { after, mate_in, other_mate_in } = &no.value;
        let (mate_in, but_keys) = match (mate_in, other_mate_in) {
            (Some(mate_in), None) => (mate_in, false),
            (None, Some(other)) if after.is_empty() => (other, true),
            _ => {
                let message = "expected `mate-in: N`, with `after` if need be, or `other-mate-in: N`";
                return Err(Finding::new("row", no.span, message));
            }
        };
        if !(1..=MOST_ACTIONS).contains(&mate_in.value) {
            let message = format!("expected a number from 1 to {MOST_ACTIONS}");
            return Err(Finding::new("range", mate_in.span, message));
        }
        Ok(NoMate { after: self.line(after)?, mate_in: mate_in.value, but_keys })
    }

    fn answer(&self, written: &Spanned<WrittenAnswer>) -> Result<FurtherAnswer, Finding> {
        let WrittenAnswer { after, answer, threats, replies } = &written.value;
        if after.is_empty() {
            let message = "expected the actions before the answer; one at the start is a key";
            return Err(Finding::new("row", written.span, message));
        }
        Ok(FurtherAnswer {
            after: self.line(after)?,
            answer: self.read(answer, |text| self.attacker.action(text))?,
            node: self.node(threats, replies)?,
        })
    }

    /// Actions of both players, after which the attacker is to move.
    fn line(&self, written: &[Spanned<String>]) -> Result<Vec<Action>, Finding> {
        if !written.len().is_multiple_of(2) {
            let message = "expected an even number of actions, so that the attacker is to move after them";
            return Err(Finding::new("row", written[0].span, message));
        }
        let readers = [self.attacker, self.defender].into_iter().cycle();
        written.iter().zip(readers).map(|(written, it)| self.read(written, |text| it.action(text))).collect()
    }

    fn refutations(&self, written: &[Spanned<Vec<Spanned<String>>>]) -> Result<RefutationTable, Finding> {
        if let Some(last) = written.get(MOST_ACTIONS as usize) {
            let message = format!("expected at most {MOST_ACTIONS} lists");
            return Err(Finding::new("range", last.span, message));
        }
        let list = |list: &Spanned<Vec<Spanned<String>>>| {
            let replies = list.value.iter().map(|reply| self.read(reply, |text| self.defender.action(text)));
            replies.collect::<Result<Vec<Action>, Finding>>()
        };
        Ok(RefutationTable::new(written.iter().map(list).collect::<Result<_, _>>()?))
    }

    fn row(&self, row: &Spanned<WrittenRow>) -> Result<Reply, Finding> {
        let WrittenRow { defence, class, otherwise, answer, threats, replies } = &row.value;
        let when = match (defence, class, otherwise.as_ref().map(|it| it.value)) {
            (Some(defence), None, None) => When::If(self.read(defence, |text| self.defender.action(text))?),
            (None, Some(class), None) => When::Class(self.class(class)?),
            (None, None, Some(true)) => When::Otherwise,
            _ => {
                let message = "expected one of `if: ACTION`, `class: …` and `otherwise: true` in the row";
                return Err(Finding::new("row", row.span, message));
            }
        };
        let answer = self.read(answer, |text| self.attacker.action(text))?;
        Ok(Reply { when, answer, node: self.node(threats, replies)? })
    }

    fn class(&self, written: &Spanned<WrittenClass>) -> Result<Class, Finding> {
        let mut boards = BTreeMap::new();
        for (name, starts) in &written.value.0 {
            let board = self.read(name, |text| self.defender.board(text))?;
            if boards.insert(board, self.starts(board, starts)?).is_some() {
                return Err(Finding::new("repeated-key", name.span, "this board is written twice"));
            }
        }
        if boards.is_empty() {
            return Err(Finding::new("empty-list", written.span, "expected at least one board"));
        }
        Ok(Class::new(boards.into_iter().collect()))
    }

    /// The moves that may start on a board.
    fn starts(
        &self,
        board: BoardCoordinate,
        written: &Spanned<Vec<Spanned<String>>>,
    ) -> Result<Vec<Start>, Finding> {
        if written.value.is_empty() {
            return Err(Finding::new("empty-list", written.span, "expected at least one move, or `pass`"));
        }
        let start = |written: &Spanned<String>| match written.value.as_str() {
            PASS => Ok(Start::Pass),
            _ => self.read(written, |text| self.defender.start(board, text)).map(Start::Move),
        };
        written.value.iter().map(start).collect()
    }
}

/// The claims of a puzzle that a certificate must prove.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The id of the puzzle.
    pub puzzle: &'a str,
    /// The position to be solved.
    pub start: &'a Position,
    /// The number of actions in which the player to move mates, or does not.
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
            if let Err(because) = looks.charge_for(copy) {
                checked.open(because);
                continue;
            }
            match proof::check(&certificate.start, key, certificate.mate_in, node, looks) {
                Verdict::Accepted { defences } => {
                    checked.keys += 1;
                    checked.defences += defences;
                }
                Verdict::Undecided(because) => checked.open(because),
                Verdict::Rejected(rejection) => {
                    checked.findings.push(self.rejected(&rejection, &[], node, *span, replies));
                }
            }
        }
        for (FurtherAnswer { after, answer, node }, written) in
            certificate.answers.iter().zip(written.answers.iter().flatten())
        {
            let WrittenAnswer { answer: Spanned { span, .. }, replies, .. } = &written.value;
            let paid = looks.charge_for(2 * copy).map_err(Flawed::Undecided);
            let verdict = paid
                .and_then(|()| self.after(after, looks))
                .map(|position| proof::check(&position, answer, node.mate_in(), node, looks));
            match verdict {
                Ok(Verdict::Accepted { defences }) => checked.defences += defences,
                Ok(Verdict::Undecided(because)) | Err(Flawed::Undecided(because)) => checked.open(because),
                Ok(Verdict::Rejected(rejection)) => {
                    checked.findings.push(self.rejected(&rejection, after, node, *span, replies));
                }
                Err(Flawed::Open(words)) => {
                    checked.findings.push(Finding::new("no-proof", written.span, words));
                }
            }
        }
        let mut table = certificate.refutations.clone();
        for (claim, written) in certificate.no.iter().zip(written.no.iter().flatten()) {
            let paid = looks.charge_for(copy).map_err(Flawed::Undecided);
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
            Denial::Denied { .. } => Ok(position),
            Denial::Open(action) => {
                let action = writer.action(&action);
                Err(Flawed::Open(format!("none of the listed replies is enough after `{action}`")))
            }
            Denial::Undecided(because) => Err(because.into()),
        }
    }

    /// The place where the class of a row names a board.
    fn name_of(&self, board: BoardCoordinate, row: &WrittenRow) -> Option<Span> {
        let start = &self.certificate.start;
        let reader = Reader { parity: start.parity(), color: !start.to_move() };
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

/// The certificate is longer or more deeply nested than [`read`] accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the certificate has more than {MAX_NODES} entries, or is nested more deeply than {MAX_DEPTH} times"
        )
    }
}

impl std::error::Error for TooLarge {}

/// The text of a file.
///
/// # Errors
///
/// If [`read`] would refuse the text for its size.
pub fn write(certificate: &Certificate) -> Result<String, TooLarge> {
    let Certificate { puzzle, start, mate_in, keys, answers, no, refutations } = certificate;
    let proofs = keys.iter().map(|(_, node)| node).chain(answers.iter().map(|further| &further.node));
    let sizes = proofs.map(Size::of).fold(Size { nodes: 0, depth: 0 }, Size::beside);
    // The names, values and lists of the file itself; and for each key its mapping, its name and its text.
    let promotions = start.profile().promotions.iter().count();
    // Each list with its name.
    let named = |is_empty: bool| if is_empty { 0 } else { 2 };
    let after = |no: &NoMate| named(no.after.is_empty()) + no.after.len();
    let denied = named(no.is_empty()) + no.iter().map(|no| 3 + after(no)).sum::<usize>();
    // For each further answer its mapping, two names, its text and its line.
    let further = answers.iter().map(|further| 5 + further.after.len()).sum::<usize>();
    let denied = denied + named(answers.is_empty()) + further;
    let lists = refutations.lists();
    let replies = named(lists.is_empty()) + lists.iter().map(|list| 1 + list.len()).sum::<usize>();
    let nodes = 17 + promotions + 3 * keys.len() + sizes.nodes + denied + replies;
    if nodes > MAX_NODES || 3 + sizes.depth > MAX_DEPTH {
        return Err(TooLarge);
    }
    let profile = start.profile();
    // Without quotes an `N` is a boolean to many readers of YAML.
    let letter = |letter: char| if letter == 'N' { "\"N\"".to_owned() } else { letter.to_string() };
    let promotions: Vec<String> = profile.promotions.iter().map(|kind| letter(kind.letter())).collect();
    let mut out = format!(
        "schema: {SCHEMA}\npuzzle: {puzzle}\nrules: {{ profile: {}, promotions: [{}] }}\nstart: |\n",
        profile,
        promotions.join(", ")
    );
    for line in fen5d::write(start).lines() {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "mate-in: {mate_in}\nkeys:{}", if keys.is_empty() { " []" } else { "" });
    let writer = Writer(start.parity());
    for (key, node) in keys {
        let _ = writeln!(out, "  - key: \"{}\"", writer.action(key));
        write_node(&mut out, writer, node, 4);
    }
    let line = |actions: &[Action]| {
        let actions: Vec<String> =
            actions.iter().map(|action| format!("\"{}\"", writer.action(action))).collect();
        format!("[{}]", actions.join(", "))
    };
    if !answers.is_empty() {
        out.push_str("answers:\n");
    }
    for FurtherAnswer { after, answer, node } in answers {
        let _ = writeln!(out, "  - after: {}\n    answer: \"{}\"", line(after), writer.action(answer));
        write_node(&mut out, writer, node, 4);
    }
    if !no.is_empty() {
        out.push_str("no:\n");
    }
    for NoMate { after, mate_in, but_keys } in no {
        let name = if *but_keys { "other-mate-in" } else { "mate-in" };
        let after = if after.is_empty() { String::new() } else { format!("after: {}, ", line(after)) };
        let _ = writeln!(out, "  - {{ {after}{name}: {mate_in} }}");
    }
    if !refutations.lists().is_empty() {
        out.push_str("refutations:\n");
    }
    for list in refutations.lists() {
        let _ = writeln!(out, "  - {}", line(list));
    }
    Ok(out)
}

/// The size of a node in a file, in the units that are limited.
#[derive(Clone, Copy)]
struct Size {
    /// Scalars, lists and mappings.
    nodes: usize,
    /// The deepest nesting of lists and mappings.
    depth: usize,
}

impl Size {
    /// The size of a node, with its lists and their names.
    fn of(node: &Node) -> Size {
        let rows = node.replies.iter().map(Size::of_row).fold(Size { nodes: 0, depth: 0 }, Size::beside);
        let names = if node.replies.is_empty() { 1 } else { 2 };
        Size { nodes: 2 * names + node.threats.len() + rows.nodes, depth: 1 + rows.depth }
    }

    fn of_row(row: &Reply) -> Size {
        let when = match &row.when {
            When::Class(class) => {
                let starts: usize = class.boards().iter().map(|(_, starts)| 2 + starts.len()).sum();
                Size { nodes: 2 + starts, depth: 2 }
            }
            When::If(_) | When::Otherwise => Size { nodes: 2, depth: 0 },
        };
        let Size { nodes, depth } = when.beside(Size::of(&row.node));
        Size { nodes: 3 + nodes, depth: 1 + depth }
    }

    fn beside(self, other: Size) -> Size {
        Size { nodes: self.nodes + other.nodes, depth: self.depth.max(other.depth) }
    }
}

fn write_node(out: &mut String, writer: Writer, node: &Node, indent: usize) {
    let threats: Vec<String> =
        node.threats.iter().map(|threat| format!("\"{}\"", writer.threat(threat))).collect();
    let _ = writeln!(out, "{:indent$}threats: [{}]", "", threats.join(", "));
    if node.replies.is_empty() {
        return;
    }
    let _ = writeln!(out, "{:indent$}replies:", "");
    for Reply { when, answer, node } in &node.replies {
        let when = match when {
            When::If(action) => format!("if: \"{}\"", writer.action(action)),
            When::Class(class) => format!("class: {}", writer.class(class)),
            When::Otherwise => "otherwise: true".to_owned(),
        };
        let _ = writeln!(out, "{:indent$}  - {when}", "");
        let _ = writeln!(out, "{:indent$}    answer: \"{}\"", "", writer.action(answer));
        write_node(out, writer, node, indent + 4);
    }
}

#[cfg(test)]
mod tests;
