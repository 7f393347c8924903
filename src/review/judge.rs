//! The judgement of one action. Begin at [`judge`].

use std::sync::atomic::AtomicBool;

use super::finding::{Finding, Grade, before_action};
use super::look::{Limits, Look, Mate};
use crate::engine::{Question, think};
use crate::search::{Analysis, Defence, Prover, after_null_action};
use crate::state::Position;
use crate::types::{Action, Limit, Undecided};

/// The findings about an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The findings, those about mates first.
    pub findings: Vec<Finding>,
    /// Whether a limit was reached before all was known.
    pub is_open: bool,
}

/// Judges an action in a position by the looks before and after it.
pub fn judge(
    position: &Position,
    action: &Action,
    [before, after]: [&Look; 2],
    limits: Limits,
    stop: Option<&AtomicBool>,
) -> Judgement {
    let mut judge = Judge {
        position,
        action,
        prover: Prover::new(limits.budget).stopping_on(stop),
        limits,
        played: position.clone(),
        findings: Vec::new(),
    };
    judge.played.play_unchecked(action);
    let is_open = judge.judge(before, after, stop).is_err();
    Judgement { findings: judge.findings, is_open }
}

struct Judge<'a, 's> {
    position: &'a Position,
    action: &'a Action,
    prover: Prover<'s>,
    limits: Limits,
    /// The position after the action.
    played: Position,
    findings: Vec<Finding>,
}

impl Judge<'_, '_> {
    fn judge(&mut self, before: &Look, after: &Look, stop: Option<&AtomicBool>) -> Result<(), Undecided> {
        if before.actions == 1 {
            self.findings.push(Finding::Forced);
            return Ok(());
        }
        match (&before.mate, &after.mate) {
            (Some(mate), _) => self.with_mate(mate)?,
            (None, Some(mate)) => self.against_mate(mate)?,
            (None, None) => self.against_threat()?,
        }
        if self.findings.is_empty() {
            self.findings.extend(self.worse(before, after, stop));
        }
        Ok(())
    }

    /// Judges an action where there was a mate.
    fn with_mate(&mut self, mate: &Mate) -> Result<(), Undecided> {
        let mut refutation = None;
        for mate_in in mate.mate_in..=self.limits.longest.max(mate.mate_in) {
            match self.prover.surviving_defence(&self.played, mate_in - 1)? {
                None if mate_in == mate.mate_in => {
                    self.findings.push(Finding::KeptMate { mate_in });
                    return Ok(());
                }
                None => {
                    self.findings.push(Finding::SlowerMate { mate: mate.clone(), played: mate_in });
                    return Ok(());
                }
                Some(Defence::Action(reply)) => refutation = refutation.or(Some(reply)),
                Some(Defence::Stalemate) => {}
            }
        }
        self.findings.push(Finding::MissedMate { mate: mate.clone(), refutation });
        Ok(())
    }

    /// Judges an action after which the opponent mates.
    fn against_mate(&mut self, mate: &Mate) -> Result<(), Undecided> {
        let mut analysis = Analysis::new(&mut self.prover, self.position, mate.mate_in);
        let (mut defences, _) = analysis.surviving_actions(2)?;
        let is_only = defences.len() == 1;
        if !defences.is_empty() {
            let defence = defences.swap_remove(0);
            self.findings.push(Finding::AllowedMate { mate: mate.clone(), defence, is_only });
        }
        Ok(())
    }

    /// Judges an action after which there is no mate: was a mate threatened?
    fn against_threat(&mut self) -> Result<(), Undecided> {
        let Some(passed) = after_null_action(self.position) else { return Ok(()) };
        for mate_in in 1..=self.limits.longest {
            if self.prover.mating_answer(&passed, mate_in)?.is_none() {
                continue;
            }
            let mut analysis = Analysis::new(&mut self.prover, self.position, mate_in);
            let (defences, _) = analysis.surviving_actions(2)?;
            if defences == [self.action.clone()] {
                self.findings.push(Finding::OnlyDefence { mate_in });
            }
            break;
        }
        Ok(())
    }
}

impl Judge<'_, '_> {
    /// The mistake in the judgement of the engine, if the action is one. The engine thinks as long about the position after the action as
    /// about the one after the action that it prefers, so that both scores come from the same depth.
    fn worse(&self, before: &Look, after: &Look, stop: Option<&AtomicBool>) -> Option<Finding> {
        let played = before_action(after.score?);
        let preferred = before.line.first().filter(|preferred| *preferred != self.action)?;
        Grade::of(before.score?, played)?;
        let mut instead = self.position.clone();
        instead.play_unchecked(preferred);
        let limit = Limit::steps(self.limits.thinking).stopping_on(stop);
        let preferred_score = before_action(think(&Question::new(instead), limit, &mut |_| ()).score?);
        let grade = Grade::of(preferred_score, played)?;
        Some(Finding::Worse { grade, played, preferred: preferred_score, better: before.line.clone() })
    }
}
