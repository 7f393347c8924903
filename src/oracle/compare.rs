//! Finds the differences between two answers about one position.

use std::collections::BTreeSet;
use std::fmt;

use super::{Answer, Figures, Manifest, Question};
use crate::notation::pgn5d::action_text;
use crate::types::{Action, Status};

/// The kinds of differences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Class {
    /// The oracle judges a position differently.
    Rules,
    /// The oracle reads or writes a text differently.
    Notation,
    /// Two statements of the oracle contradict each other.
    SelfContradiction,
    /// The oracle ended without an answer.
    Crash,
    /// The oracle gave no answer in time.
    TimeOut,
    /// The oracle answered about another position, or with a text that cannot be understood. This says
    /// nothing about the rules.
    Void,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 6] =
        [Class::Rules, Class::Notation, Class::SelfContradiction, Class::Crash, Class::TimeOut, Class::Void];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Rules => "rules",
            Class::Notation => "notation",
            Class::SelfContradiction => "self-contradiction",
            Class::Crash => "crash",
            Class::TimeOut => "time-out",
            Class::Void => "void",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A property of a position, or an ability of an oracle, on which answers can differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Feature {
    /// The start, or an action that leads to the position.
    Game,
    /// The boards.
    Boards,
    /// Whether the player to move is in check.
    InCheck,
    /// The status of the game.
    Status,
    /// The number of legal actions.
    LegalActions,
    /// The legal actions.
    Actions,
    /// Whether an action may be played.
    Accepts,
    /// The hash `5dfen-md5`.
    Hash,
    /// A text that is read.
    Reads,
    /// A text that is written.
    Writes,
}

impl Feature {
    /// The figures about a position that an oracle may give.
    pub const FIGURES: [Feature; 6] = [
        Feature::InCheck,
        Feature::Status,
        Feature::LegalActions,
        Feature::Actions,
        Feature::Accepts,
        Feature::Hash,
    ];

    /// The name in reports and in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Game => "game",
            Feature::Boards => "boards",
            Feature::InCheck => "in_check",
            Feature::Status => "status",
            Feature::LegalActions => "legal_actions",
            Feature::Actions => "actions",
            Feature::Accepts => "accepts",
            Feature::Hash => "hash",
            Feature::Reads => "reads",
            Feature::Writes => "writes",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A difference between two answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The class.
    pub class: Class,
    /// The property that differs.
    pub about: Feature,
    /// The correct value.
    pub expected: String,
    /// The value of the oracle.
    pub found: String,
    /// Legal actions that the oracle does not have.
    pub missing: Vec<Action>,
    /// Actions that the oracle has and that are not legal.
    pub extra: Vec<Action>,
    /// The action of the game that the oracle refuses, by its index from 0.
    pub refused: Option<usize>,
}

impl Difference {
    /// A difference without actions.
    pub fn new(
        class: Class,
        about: Feature,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Difference {
        let (expected, found) = (expected.to_string(), found.to_string());
        Difference { class, about, expected, found, missing: Vec::new(), extra: Vec::new(), refused: None }
    }

    /// Whether another difference is of the same kind, so that a smaller position with it shows the same
    /// fault.
    pub fn is_like(&self, other: &Difference) -> bool {
        (self.class, self.about, self.missing.is_empty(), self.extra.is_empty())
            == (other.class, other.about, other.missing.is_empty(), other.extra.is_empty())
            && (self.about != Feature::Status
                || (&self.expected, &self.found) == (&other.expected, &other.found))
            && (self.about != Feature::InCheck || self.found == other.found)
    }
}

/// The differences between the answer of an oracle and `expected`, which is correct. The most telling one
/// comes first.
///
/// Only properties that both give are compared. If the oracle does not show the same position, that is the
/// only difference.
pub fn compare(
    question: &Question<'_>,
    expected: &Figures,
    manifest: &Manifest,
    answer: &Answer,
) -> Vec<Difference> {
    let found = match answer {
        Answer::Figures(found) => found,
        Answer::NotAsked(_) => return Vec::new(),
        Answer::Crash(how) => {
            return vec![Difference::new(Class::Crash, Feature::Game, "an answer", how)];
        }
        Answer::TimeOut(how) => {
            return vec![Difference::new(Class::TimeOut, Feature::Game, "an answer", how)];
        }
        Answer::Void(why) => return vec![Difference::new(Class::Void, Feature::Game, "an answer", why)],
        Answer::Refused { action: None, message } => {
            let found = format!("it does not take the start: {message}");
            return vec![Difference::new(Class::Void, Feature::Game, "the start is read", found)];
        }
        Answer::Refused { action: Some(index), message } => {
            let expected = match last_action(question, *index) {
                Some(text) => format!("{text} is legal"),
                None => "the actions are legal".to_owned(),
            };
            let found = format!("refused: {message}");
            let difference = Difference::new(Class::Rules, Feature::Game, expected, found);
            return vec![Difference { refused: Some(*index), ..difference }];
        }
    };
    if let Some(difference) = other_position(question, manifest, found) {
        return vec![difference];
    }
    let mut differences = contradictions(found);
    differences.extend(status(expected, manifest, found));
    if let (Some(expected), Some(found)) = (expected.in_check, found.in_check)
        && expected != found
    {
        let text = |check| if check { "in check" } else { "not in check" };
        differences.push(Difference::new(Class::Rules, Feature::InCheck, text(expected), text(found)));
    }
    differences.extend(actions(question, expected, found));
    if let (Some(expected), Some(found)) = (&expected.hash, &found.hash)
        && expected != found
    {
        differences.push(Difference::new(Class::Notation, Feature::Hash, expected, found));
    }
    differences
}

fn last_action(question: &Question<'_>, index: usize) -> Option<String> {
    let mut position = question.game.start.clone();
    for action in question.game.actions.get(..index)? {
        position.play(action).ok()?;
    }
    Some(action_text(&position, question.game.actions.get(index)?))
}

/// The difference if the oracle shows no position, or another one.
fn other_position(question: &Question<'_>, manifest: &Manifest, found: &Figures) -> Option<Difference> {
    let Some(shown) = &found.position else {
        let why = "it does not say which boards it talks about";
        return Some(Difference::new(Class::Void, Feature::Boards, "the boards of the position", why));
    };
    let (expected, found) = if manifest.marks {
        (question.position.to_string(), shown.to_string())
    } else {
        let without = |position: &crate::state::Position| position.to_string().replace('*', "");
        (without(question.position), without(shown))
    };
    if expected == found {
        return None;
    }
    // The start was shown correctly, so the oracle has played an action differently.
    let class = if question.game.actions.is_empty() { Class::Void } else { Class::Rules };
    Some(Difference::new(class, Feature::Boards, expected, found))
}

/// The contradictions within an answer.
fn contradictions(found: &Figures) -> Vec<Difference> {
    let mut contradictions = Vec::new();
    if found.repeated > 0 {
        let said = format!("{} are listed again", found.repeated);
        contradictions.push(Difference::new(
            Class::SelfContradiction,
            Feature::Actions,
            "each action once",
            said,
        ));
    }
    let mut contradict = |expected: String, found: String| {
        contradictions.push(Difference::new(Class::SelfContradiction, Feature::Status, expected, found));
    };
    let listed = found.actions.as_ref().map_or(0, BTreeSet::len) as u64;
    let count = found.legal_actions.map_or(listed, |count| count.count.max(listed));
    let accepted = found.accepts.iter().flatten().filter(|accepted| **accepted == Some(true)).count();
    match found.status {
        Some(status @ (Status::Checkmate | Status::Stalemate)) if count > 0 || accepted > 0 => {
            let has = if count > 0 {
                format!("has {count} legal actions")
            } else {
                format!("accepts {accepted} of the actions that were tried")
            };
            contradict(format!("no legal action, since it says {status}"), has);
        }
        Some(status @ (Status::Ongoing | Status::Softmate)) => {
            let none = found.legal_actions.is_some_and(|count| count.exact && count.count == 0);
            if none {
                contradict(format!("a legal action, since it says {status}"), "has none".into());
            }
        }
        _ => {}
    }
    match (found.status, found.in_check) {
        (Some(Status::Checkmate), Some(false)) => {
            contradict("a check, since it says checkmate".into(), "says that there is none".into());
        }
        (Some(Status::Stalemate), Some(true)) => {
            contradict("no check, since it says stalemate".into(), "says that there is one".into());
        }
        _ => {}
    }
    contradictions
}

fn status(expected: &Figures, manifest: &Manifest, found: &Figures) -> Option<Difference> {
    let (expected, found) = (expected.status?, found.status?);
    let called = |status: Status| match status {
        Status::Softmate if !manifest.statuses.contains("softmate") => Status::Ongoing,
        status => status,
    };
    (called(expected) != called(found))
        .then(|| Difference::new(Class::Rules, Feature::Status, expected, found))
}

/// The differences in the legal actions: their number, the list, and the actions that are accepted.
fn actions(question: &Question<'_>, expected: &Figures, found: &Figures) -> Option<Difference> {
    let mut extra: Vec<Action> = Vec::new();
    let mut missing: Vec<Action> = Vec::new();
    if let (Some(legal), Some(listed)) = (&expected.actions, &found.actions) {
        let judged = expected.position.as_ref().unwrap_or(question.position);
        let complete = expected.legal_actions.is_some_and(|count| count.exact);
        // If the list of legal actions was cut, the actions beyond it are checked one by one.
        let is_legal =
            |action: &&Action| legal.contains(action) || (!complete && judged.clone().play(action).is_ok());
        extra = listed.iter().filter(|action| !is_legal(action)).cloned().collect();
        if found.legal_actions.is_some_and(|count| count.exact && count.count == listed.len() as u64) {
            missing = legal.difference(listed).cloned().collect();
        }
    }
    if let (Some(legal), Some(accepts)) = (&expected.actions, &found.accepts) {
        let refused = question
            .tries
            .iter()
            .zip(accepts)
            .filter(|(action, ok)| legal.contains(*action) && **ok == Some(false));
        let known: BTreeSet<Action> = missing.iter().cloned().collect();
        missing.extend(refused.map(|(action, _)| action.clone()).filter(|action| !known.contains(action)));
    }
    if !extra.is_empty() || !missing.is_empty() {
        let expected = expected.legal_actions.map(|count| count.to_string()).unwrap_or_default();
        let said = match found.legal_actions {
            Some(count) => count.to_string(),
            None => format!("{} missing, {} too many", missing.len(), extra.len()),
        };
        let difference = Difference::new(Class::Rules, Feature::Actions, expected, said);
        return Some(Difference { missing, extra, ..difference });
    }
    let (expected, found) = (expected.legal_actions?, found.legal_actions?);
    let differ = match (expected.exact, found.exact) {
        (true, true) => expected.count != found.count,
        (true, false) => found.count > expected.count,
        (false, true) => found.count < expected.count,
        (false, false) => false,
    };
    differ.then(|| Difference::new(Class::Rules, Feature::LegalActions, expected, found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Count;

    #[test]
    fn what_cannot_all_be_true_is_a_contradiction() {
        let figures = |status, in_check, count, exact| Figures {
            status: Some(status),
            in_check: Some(in_check),
            legal_actions: Some(Count { count, exact }),
            ..Figures::default()
        };
        for (figures, number) in [
            (figures(Status::Checkmate, true, 0, true), 0),
            (figures(Status::Stalemate, false, 0, true), 0),
            (figures(Status::Ongoing, true, 3, true), 0),
            (figures(Status::Ongoing, false, 0, false), 0),
            (figures(Status::Checkmate, false, 0, true), 1),
            (figures(Status::Stalemate, true, 0, true), 1),
            (figures(Status::Softmate, true, 0, true), 1),
            (figures(Status::Checkmate, true, 1, false), 1),
            (figures(Status::Stalemate, true, 1, true), 2),
            (Figures { repeated: 1, ..figures(Status::Ongoing, false, 2, true) }, 1),
        ] {
            let found = contradictions(&figures);
            assert_eq!(found.len(), number, "{figures:?}");
            assert!(found.iter().all(|difference| difference.class == Class::SelfContradiction));
        }
    }
}
