//! This library as an oracle: its rules under any profile, and its naive rules.

use std::collections::BTreeSet;

use super::{Answer, Count, Feature, Figures, Manifest, Oracle, Question};
use crate::notation::{Format, hash};
use crate::puzzle::twin_of;
use crate::state::Position;
use crate::types::{Action, Limit, RuleProfile, Status};

/// The rules of this library.
#[derive(Clone, Debug)]
pub struct Own {
    manifest: Manifest,
    /// The rules to use instead of those of the game.
    profile: Option<RuleProfile>,
    steps: u64,
}

impl Own {
    /// The rules of this library, under those of the game or another profile, with at most `steps` search
    /// steps for each figure.
    pub fn new(profile: Option<RuleProfile>, steps: u64) -> Own {
        let name = match profile {
            None => "worldlines".to_owned(),
            Some(profile) => format!("worldlines with the rules `{profile}`"),
        };
        Own { manifest: manifest(name), profile, steps }
    }

    /// The position under the rules of this oracle.
    pub fn judged(&self, position: &Position) -> Position {
        let Some(profile) = self.profile else { return position.clone() };
        let mut setup = position.to_setup();
        setup.profile = RuleProfile { promotions: setup.profile.promotions, ..profile };
        Position::from_setup(&setup).expect("a position is one under all rules")
    }

    /// The figures of a position under the rules of this oracle.
    pub fn figures(&self, position: &Position, cap: u64) -> Figures {
        let judged = self.judged(position);
        let (actions, exact) = listed(&judged, cap, self.steps);
        let status = judged.outcome_within(self.steps).ok().map(|outcome| outcome.status);
        let (in_check, hash) = (judged.is_in_check(), hash::fen5d_md5(position));
        Figures {
            position: Some(judged),
            in_check: Some(in_check),
            status,
            legal_actions: Some(Count { count: actions.len() as u64, exact }),
            actions: Some(actions),
            repeated: 0,
            accepts: None,
            hash: Some(hash),
            played: None,
        }
    }
}

/// The legal actions up to a cap, and whether these are all.
fn listed(position: &Position, cap: u64, steps: u64) -> (BTreeSet<Action>, bool) {
    let mut legal = position.legal_actions().within(Limit::steps(steps));
    let cap = usize::try_from(cap).unwrap_or(usize::MAX);
    let actions: BTreeSet<Action> = legal.by_ref().take(cap).collect();
    let more = actions.len() == cap && legal.next().is_some();
    (actions, !more && legal.is_complete())
}

impl Oracle for Own {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn ask(&mut self, question: &Question<'_>) -> Answer {
        let mut figures = self.figures(question.position, question.cap);
        let judged = self.judged(question.position);
        let accepts = |action: &_| judged.clone().play(action).is_ok();
        figures.accepts = Some(question.tries.iter().map(|action| Some(accepts(action))).collect());
        Answer::Figures(Box::new(figures))
    }
}

fn manifest(name: String) -> Manifest {
    let formats = || Format::all().map(|format| format.name().to_owned()).collect();
    Manifest {
        name,
        features: Feature::FIGURES.into_iter().collect(),
        statuses: Status::ALL.iter().map(Status::to_string).collect(),
        variants: Vec::new(),
        boards: true,
        marks: true,
        reads: formats(),
        writes: formats(),
    }
}

/// The naive rules of [`slow`](crate::slow), by exhaustive search.
#[derive(Clone, Debug)]
pub struct Slow {
    manifest: Manifest,
    /// The most beginnings of actions to examine for one position.
    patience: usize,
}

impl Slow {
    /// The naive rules, with the most beginnings of actions to examine for one position.
    pub fn new(patience: usize) -> Slow {
        let mut manifest = manifest("slow".to_owned());
        manifest.features.remove(&Feature::Hash);
        Slow { manifest, patience }
    }
}

impl Oracle for Slow {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn ask(&mut self, question: &Question<'_>) -> Answer {
        let position = question.position;
        let Some(state) = twin_of(position) else {
            return Answer::Refused { action: None, message: "it takes no such boards".into() };
        };
        let actions = state.legal_actions(self.patience);
        let Some(actions) = actions else {
            let patience = self.patience;
            return Answer::NotAsked(format!(
                "it would have to look at more than {patience} beginnings of actions"
            ));
        };
        Answer::Figures(Box::new(Figures {
            position: Some(position.clone()),
            in_check: Some(state.is_in_check()),
            status: state.status(self.patience),
            legal_actions: Some(Count { count: actions.len() as u64, exact: true }),
            accepts: Some(question.tries.iter().map(|action| Some(actions.contains(action))).collect()),
            actions: Some(actions),
            repeated: 0,
            hash: None,
            played: None,
        }))
    }
}
