//! Reading certificate files. Begin at [`read`].

use std::collections::BTreeMap;

use super::text::{Reader, Wrong};
use super::{Certificate, CertificateFile, FurtherAnswer, MOST_ANSWERS, NoMate, OPPONENT, SCHEMA, SCHEMA_1};
use crate::notation::{Span, fen5d};
use crate::puzzle::check::promotion;
use crate::puzzle::deserialize::parse;
use crate::puzzle::finding::Finding;
use crate::puzzle::grammar::CERTIFICATE;
use crate::puzzle::load::File;
use crate::puzzle::model::{PASS, Rows, Spanned};
use crate::puzzle::start::{in_document, unreadable};
use crate::search::certificate::{MOST_ACTIONS, Node, RefutationTable, Reply, When};
use crate::search::{Class, Start};
use crate::types::{Action, BoardCoordinate, Color, Promotions, RuleProfile};

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Written {
    pub schema: Spanned<String>,
    pub puzzle: Spanned<String>,
    pub rules: WrittenRules,
    pub start: Spanned<String>,
    pub mate_in: Spanned<u32>,
    pub attacker: Option<Spanned<String>>,
    pub keys: Spanned<Vec<WrittenKey>>,
    pub answers: Option<Vec<Spanned<WrittenAnswer>>>,
    pub no: Option<Vec<Spanned<WrittenNo>>>,
    pub refutations: Option<Vec<Spanned<Vec<Spanned<String>>>>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenAnswer {
    pub after: Vec<Spanned<String>>,
    pub answer: Spanned<String>,
    pub threats: Vec<Spanned<String>>,
    #[serde(default)]
    pub replies: Vec<Spanned<WrittenRow>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WrittenNo {
    #[serde(default)]
    pub after: Vec<Spanned<String>>,
    pub mate_in: Option<Spanned<u32>>,
    pub other_mate_in: Option<Spanned<u32>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRules {
    pub profile: Spanned<String>,
    pub promotions: Vec<Spanned<String>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenKey {
    pub key: Spanned<String>,
    pub threats: Vec<Spanned<String>>,
    #[serde(default)]
    pub replies: Vec<Spanned<WrittenRow>>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRow {
    #[serde(rename = "if")]
    pub defence: Option<Spanned<String>>,
    pub class: Option<Spanned<WrittenClass>>,
    pub otherwise: Option<Spanned<bool>>,
    pub answer: Spanned<String>,
    pub threats: Vec<Spanned<String>>,
    #[serde(default)]
    pub replies: Vec<Spanned<WrittenRow>>,
}

/// Boards, each with the moves that may start there.
pub(super) type WrittenClass = Rows<Spanned<Vec<Spanned<String>>>>;

/// Reads a file.
///
/// # Errors
///
/// The first fault: it is not YAML of this schema, or a text in it cannot be read. Whether it proves anything
/// is left to [`CertificateFile::check`].
pub fn read(text: &str) -> Result<CertificateFile, Finding> {
    let written: Written = parse(text, &CERTIFICATE)?;
    let has_more = written.answers.is_some()
        || written.no.is_some()
        || written.refutations.is_some()
        || written.attacker.is_some();
    match &*written.schema.value {
        SCHEMA => {}
        SCHEMA_1 if has_more => {
            let message = format!(
                "expected `{SCHEMA}`, the format that has `attacker`, `answers`, `no` and `refutations`"
            );
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
    let (parity, to_move) = (start.parity(), start.to_move());
    let attacker = match &written.attacker {
        None => to_move,
        Some(opponent) if *opponent.value == *OPPONENT => !to_move,
        Some(other) => {
            let message = format!("expected `{OPPONENT}`, or no `attacker` if it is the player to move");
            return Err(Finding::new("attacker", other.span, message));
        }
    };
    if attacker != to_move && !written.keys.value.is_empty() {
        let message = "expected no keys, as the player to move is the defender";
        return Err(Finding::new("attacker", written.keys.span, message));
    }
    let nodes = Nodes {
        text,
        to_move,
        attacker: Reader { parity, color: attacker },
        defender: Reader { parity, color: !attacker },
    };
    let keys = written.keys.value.iter().map(|WrittenKey { key, threats, replies }| {
        Ok((nodes.read(key, |text| nodes.attacker.action(text))?, nodes.node(threats, replies)?))
    });
    let certificate = Certificate {
        puzzle: written.puzzle.value.clone(),
        attacker,
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
pub(in crate::puzzle) fn read_file(file: &File) -> Result<CertificateFile, Finding> {
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
    /// The player who is to move at the start.
    to_move: Color,
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
        Ok(NoMate { after: self.line(after, no.span)?, mate_in: mate_in.value, but_keys })
    }

    fn answer(&self, written: &Spanned<WrittenAnswer>) -> Result<FurtherAnswer, Finding> {
        let WrittenAnswer { after, answer, threats, replies } = &written.value;
        if after.is_empty() {
            let message = "expected the actions before the answer; one at the start is a key";
            return Err(Finding::new("row", written.span, message));
        }
        Ok(FurtherAnswer {
            after: self.line(after, written.span)?,
            answer: self.read(answer, |text| self.attacker.action(text))?,
            node: self.node(threats, replies)?,
        })
    }

    /// Actions of both players from the start, after which the attacker is to move, in the row at this place.
    fn line(&self, written: &[Spanned<String>], row: Span) -> Result<Vec<Action>, Finding> {
        let attacks = self.attacker.color == self.to_move;
        if written.len().is_multiple_of(2) != attacks {
            let number = if attacks { "even" } else { "odd" };
            let message =
                format!("expected an {number} number of actions, so that the attacker is to move after them");
            return Err(Finding::new("row", written.first().map_or(row, |first| first.span), message));
        }
        let readers = [self.attacker, self.defender].into_iter().cycle().skip(usize::from(!attacks));
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
