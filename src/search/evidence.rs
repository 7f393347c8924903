//! Evidence: a mate counts as proven only after a certificate of it was accepted, and *no mate* can be shown without the search too.
//!
//! The search takes shortcuts, and a shortcut can be wrong. [`certificate`](super::certificate) makes a proof
//! of the mates that were found, and the checker goes through every defence without the search. So a hole in
//! the search can lead to an undecided answer, or to a [`Contradiction`](super::Contradiction), but to no
//! false mate.
//!
//! Evidence has a budget of its own, [`Budget::evidence`](super::Budget::evidence). When it runs out, the
//! answer is undecided with the reason [`Because::Unconfirmed`].

use super::certificate::{
    self, Adviser, BuildError, Denial, LOOKS_PER_STEP, Length, Looks, Node, RefutationTable, SelfmateAdviser,
};
use super::prover::Prover;
use super::{Defence, Verdict};
use crate::state::Position;
use crate::types::{Action, Because, Undecided};

/// The proof of a key, which the checker accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The key.
    pub key: Action,
    /// The reason why it mates.
    pub node: Node,
    /// The number of defences that the checker answered.
    pub defences: u64,
}

impl Adviser for Prover<'_> {
    fn reply(&mut self, position: &Position, left: u32) -> Result<Option<Action>, Because> {
        match self.surviving_defence(position, left) {
            Ok(Some(Defence::Action(reply))) => Ok(Some(reply)),
            Ok(Some(Defence::Stalemate) | None) => Ok(None),
            Err(why) => Err(why.because),
        }
    }

    fn mates(&mut self, position: &Position, left: u32) -> Result<bool, Because> {
        self.mating_answer(position, left).map(|answer| answer.is_some()).map_err(|why| why.because)
    }
}

impl SelfmateAdviser for Prover<'_> {
    fn forcing(&mut self, position: &Position, n: u32) -> Result<Option<Action>, Because> {
        let found = self.selfmates(position, n, false);
        match found.undecided {
            Some(why) if found.verdict == Verdict::Undecided => Err(why.because),
            _ => Ok(found.keys.first().map(|class| class.key().clone())),
        }
    }

    fn evasion(&mut self, position: &Position, left: u32) -> Result<Option<Action>, Because> {
        match self.selfmate_evasion(position, left) {
            Ok(Some(Defence::Action(reply))) => Ok(Some(reply)),
            Ok(Some(Defence::Stalemate) | None) => Ok(None),
            Err(why) => Err(why.because),
        }
    }
}

/// The reason why there is no evidence.
enum Lack {
    Open(Because),
    Contradiction(String),
}

impl From<Because> for Lack {
    fn from(because: Because) -> Lack {
        Lack::Open(because)
    }
}

impl<'s> Prover<'s> {
    /// Makes a certificate of a mate in at most `mate_in` by `key`, and has it checked. The caller says that
    /// the search found this mate. The budget for evidence is charged.
    ///
    /// # Errors
    ///
    /// If that budget or the time ends first. Also if the checker contradicts the search and the prover
    /// [notes](Prover::noting) contradictions.
    ///
    /// # Panics
    ///
    /// If the checker contradicts the search, unless the prover notes contradictions; and if the key cannot
    /// be played.
    pub fn confirm(
        &mut self,
        position: &Position,
        key: &Action,
        mate_in: u32,
    ) -> Result<Evidence, Undecided> {
        self.confirm_at(Length::Short, position, key, mate_in)
    }

    /// The same with a certificate that nobody sees: it is made in less time, and may be longer. A mate in one needs none, since the checker
    /// sees it.
    ///
    /// # Errors
    ///
    /// Those of [`Prover::confirm`].
    ///
    /// # Panics
    ///
    /// Those of [`Prover::confirm`].
    pub(crate) fn confirm_mate(
        &mut self,
        position: &Position,
        key: &Action,
        mate_in: u32,
    ) -> Result<(), Undecided> {
        if mate_in > 1 {
            return self.confirm_at(Length::Any, position, key, mate_in).map(drop);
        }
        let is_mate = self.on_evidence(|prover| {
            prover.with_looks(|_, looks| certificate::is_mate(&mut position.clone(), key, looks))?
        });
        let shown = match is_mate {
            Ok(Some(true)) => Ok(()),
            Ok(_) => Err(Lack::Contradiction("the search finds a mate, and the checker none".to_owned())),
            Err(because) => Err(Lack::Open(because)),
        };
        self.confirmed(position, key, shown)
    }

    fn confirm_at(
        &mut self,
        length: Length,
        position: &Position,
        key: &Action,
        mate_in: u32,
    ) -> Result<Evidence, Undecided> {
        let certified = self.on_evidence(|prover| prover.certified(length, position, key, mate_in));
        self.confirmed(position, key, certified)
    }

    /// Notes a contradiction about a key.
    fn confirmed<T>(
        &mut self,
        position: &Position,
        key: &Action,
        found: Result<T, Lack>,
    ) -> Result<T, Undecided> {
        let lack = match found {
            Ok(found) => return Ok(found),
            Err(lack) => lack,
        };
        if let Lack::Contradiction(what) = &lack {
            self.contradict(position, key, what);
        }
        Err(self.undecided(match lack {
            Lack::Open(Because::Budget) | Lack::Contradiction(_) => Because::Unconfirmed,
            Lack::Open(because) => because,
        }))
    }

    fn certified(
        &mut self,
        length: Length,
        position: &Position,
        key: &Action,
        mate_in: u32,
    ) -> Result<Evidence, Lack> {
        let mut after = position.clone();
        after.play_unchecked(key);
        let node = self.explain(length, &after, mate_in)?;
        let shown = node.mate_in();
        if shown > mate_in {
            return Err(Lack::Contradiction(format!(
                "the search proves a mate in {mate_in}, and its certificate one in {shown}"
            )));
        }
        match self.with_looks(|_, looks| certificate::check(position, key, shown, &node, looks))? {
            certificate::CheckResult::Accepted { defences } => {
                Ok(Evidence { key: key.clone(), node, defences })
            }
            certificate::CheckResult::Undecided(because) => Err(because.into()),
            certificate::CheckResult::Rejected(rejection) => {
                let flaw = rejection.flaw;
                Err(Lack::Contradiction(format!("the certificate made of its proof is rejected: {flaw}")))
            }
        }
    }

    /// A proof that the player to move is mated in at most `mate_in` - 1 further actions of the attacker.
    fn explain(&mut self, length: Length, after: &Position, mate_in: u32) -> Result<Node, Lack> {
        let mut open = None;
        let made = self.with_looks(|prover, looks| {
            let mut answers = |position: &Position, n| {
                prover.mating_answer(position, n).unwrap_or_else(|why| {
                    open = Some(why.because);
                    None
                })
            };
            certificate::certify_at(length, after, mate_in, &mut answers, looks)
        })?;
        match (made, open) {
            (_, Some(because)) | (Err(BuildError::Undecided(because)), None) => Err(because.into()),
            (Ok(node), None) => Ok(node),
            (Err(error), None) => {
                Err(Lack::Contradiction(format!("the search proves that this mates, but {error}")))
            }
        }
    }

    /// Looks for evidence that the player to move has no mate in `n`, except perhaps by actions that contain one of these keys. The
    /// caller says that the search found none. The budget for evidence is charged.
    ///
    /// # Errors
    ///
    /// If that budget or the time ends first. Also if no evidence can be made and the prover [notes](Prover::noting) contradictions.
    ///
    /// # Panics
    ///
    /// If no evidence can be made, unless the prover notes contradictions.
    pub fn deny(&mut self, position: &Position, n: u32, keys: &[Action]) -> Result<(), Undecided> {
        let denial = self.on_denials(|prover, table| {
            prover
                .with_looks(|prover, looks| certificate::deny(position, n, keys, table, Some(prover), looks))
        });
        let because = match denial {
            Ok(Denial::Denied) => return Ok(()),
            Ok(Denial::Open(action)) => {
                let what = format!("the search finds no mate in {n} by it, and no reply to it");
                self.contradict(position, &action, &what);
                Because::Unconfirmed
            }
            Ok(Denial::Undecided(Because::Budget)) | Err(Because::Budget) => Because::Unconfirmed,
            Ok(Denial::Undecided(because)) | Err(because) => because,
        };
        Err(self.undecided(because))
    }

    /// The replies that were enough in all questions to [`Prover::deny`], with what was shown by them.
    pub fn refutation_table(&self) -> &RefutationTable {
        &self.refutation_table
    }

    /// Asks for *no mate* with the replies that are known, within the part of the budget for evidence that this may take.
    pub(super) fn on_denials<T>(&mut self, question: impl FnOnce(&mut Self, &mut RefutationTable) -> T) -> T {
        self.on_evidence(|prover| {
            let (before, allowance) = (prover.steps(), prover.left_for_denials);
            let mut table = std::mem::take(&mut prover.refutation_table);
            let answer = prover.within(allowance, |prover| question(prover, &mut table));
            prover.refutation_table = table;
            prover.left_for_denials = allowance.saturating_sub(prover.steps() - before);
            answer
        })
    }

    /// The looks that the rest of the budget pays for, with the memory that is left for lists.
    pub(crate) fn looks(&self) -> Looks<'s> {
        Looks::within(self.limit().times(LOOKS_PER_STEP as u64)).with_memory(self.memory_left())
    }

    /// Asks the checker, and pays for its looks.
    ///
    /// # Errors
    ///
    /// If there are not so many left.
    pub(crate) fn with_looks<T>(
        &mut self,
        question: impl FnOnce(&mut Self, &Looks<'s>) -> T,
    ) -> Result<T, Because> {
        let looks = self.looks();
        let answer = question(self, &looks);
        self.charge_looks(&looks).map(|()| answer)
    }

    /// Pays for looks.
    pub(crate) fn charge_looks(&mut self, looks: &Looks<'_>) -> Result<(), Because> {
        self.charge(looks.spent() / LOOKS_PER_STEP as u64).map_err(|undecided| undecided.because)
    }

    /// A defence against an action of the player to move, after which he has no mate in `left` further
    /// actions. `None` if the action mates in time; then there is [evidence](Evidence) of it.
    ///
    /// # Errors
    ///
    /// If a budget is spent before the answer is known or confirmed.
    ///
    /// # Panics
    ///
    /// If the action cannot be played, and where [`Prover::confirm`] panics.
    pub fn defence_against(
        &mut self,
        position: &Position,
        action: &Action,
        left: u32,
    ) -> Result<Option<Defence>, Undecided> {
        let mut after = position.clone();
        after.play_unchecked(action);
        let defence = self.surviving_defence(&after, left)?;
        if defence.is_none() {
            self.confirm_mate(position, action, left + 1)?;
        }
        Ok(defence)
    }

    /// Asks a `question` for which the budget for evidence is charged.
    pub(crate) fn on_evidence<T>(&mut self, question: impl FnOnce(&mut Self) -> T) -> T {
        self.change_accounts();
        let answer = question(self);
        self.change_accounts();
        answer
    }
}
