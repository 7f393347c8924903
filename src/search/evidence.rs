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
    self, Adviser, BuildError, Denial, LOOKS_PER_STEP, Looks, Node, RefutationTable, SelfmateAdviser,
    Standing,
};
use super::helpmate::line_contains;
use super::keys::grouped;
use super::prover::Prover;
use super::{Defence, KeyClass, Verdict};
use crate::state::Position;
use crate::types::{Action, Because, Status, Undecided};

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

/// Evidence that there is no mate in time, except perhaps by actions that were set aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Denied {
    /// The legal actions that contain one of the keys and give check, in no order.
    pub aside: Vec<Action>,
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

#[cfg_attr(not(feature = "puzzle"), allow(dead_code))] // Some of it only verification asks.
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
        let lack = match self.on_evidence(|prover| prover.certified(position, key, mate_in)) {
            Ok(evidence) => return Ok(evidence),
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

    fn certified(&mut self, position: &Position, key: &Action, mate_in: u32) -> Result<Evidence, Lack> {
        let mut after = position.clone();
        after.play_unchecked(key);
        let node = self.explain(&after, mate_in)?;
        let shown = node.mate_in();
        if shown > mate_in {
            return Err(Lack::Contradiction(format!(
                "the search proves a mate in {mate_in}, and its certificate one in {shown}"
            )));
        }
        let looks = self.looks();
        let verdict = certificate::check(position, key, shown, &node, &looks);
        self.charge_looks(&looks)?;
        match verdict {
            certificate::Verdict::Accepted { defences } => Ok(Evidence { key: key.clone(), node, defences }),
            certificate::Verdict::Undecided(because) => Err(because.into()),
            certificate::Verdict::Rejected(rejection) => {
                let flaw = rejection.flaw;
                Err(Lack::Contradiction(format!("the certificate made of its proof is rejected: {flaw}")))
            }
        }
    }

    /// A proof that the player to move is mated in at most `mate_in` - 1 further actions of the attacker.
    fn explain(&mut self, after: &Position, mate_in: u32) -> Result<Node, Lack> {
        let looks = self.looks();
        let mut open = None;
        let mut answers = |position: &Position, n| {
            self.mating_answer(position, n).unwrap_or_else(|why| {
                open = Some(why.because);
                None
            })
        };
        let made = certificate::certify(after, mate_in, &mut answers, &looks);
        self.charge_looks(&looks)?;
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
    pub fn deny(&mut self, position: &Position, n: u32, keys: &[Action]) -> Result<Denied, Undecided> {
        let denial = self.on_denials(|prover, table| {
            let looks = prover.looks();
            let denial = certificate::deny(position, n, keys, table, Some(prover), &looks);
            prover.charge_looks(&looks).map(|()| denial)
        });
        let because = match denial {
            Ok(Denial::Denied { aside }) => return Ok(Denied { aside }),
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

    /// Looks for evidence that these classes hold all keys of a mate in `n`, each of them whole and no two of them one. The caller asks for
    /// evidence of the first key of each class.
    ///
    /// # Errors
    ///
    /// As for [`Prover::deny`] and [`Prover::confirm`].
    ///
    /// # Panics
    ///
    /// As for [`Prover::deny`] and [`Prover::confirm`].
    pub(crate) fn confirm_classes(
        &mut self,
        position: &Position,
        n: u32,
        classes: &[KeyClass],
    ) -> Result<(), Undecided> {
        let keys: Vec<Action> = classes.iter().flat_map(KeyClass::keys).cloned().collect();
        for key in classes.iter().flat_map(|class| &class.keys()[1..]) {
            self.confirm(position, key, n)?;
        }
        self.deny(position, n, &keys)?;
        let [first, _, ..] = &*keys else { return Ok(()) };
        self.on_evidence(|prover| prover.charge((keys.len() * keys.len()) as u64 / LOOKS_PER_STEP as u64))?;
        let contains = |key: &Action, part: &Action| key != part && key.contains(part);
        let is_minimal = |key: &Action| !keys.iter().any(|part| contains(key, part));
        let grouped = self.classes_of(position, &keys)?;
        if grouped != classes || !keys.iter().all(is_minimal) {
            self.contradict(position, first, "the classes of keys are not those that the checker finds");
            return Err(self.undecided(Because::Unconfirmed));
        }
        Ok(())
    }

    /// Whether the replies that are known show, without a search, that the player to move has no mate in `n`, except perhaps by actions
    /// that contain one of these keys. The budget for evidence is charged.
    pub(crate) fn is_denied(&mut self, position: &Position, n: u32, keys: &[Action]) -> bool {
        self.on_evidence(|prover| {
            let looks = prover.looks();
            let denial = certificate::deny(position, n, keys, &mut prover.refutation_table, None, &looks);
            prover.charge_looks(&looks).is_ok() && matches!(denial, Denial::Denied { .. })
        })
    }

    /// The replies that were enough in all questions to [`Prover::deny`].
    pub fn refutation_table(&self) -> &RefutationTable {
        &self.refutation_table
    }

    /// Replies that are tried first in [`Prover::deny`].
    pub(crate) fn set_refutation_table(&mut self, table: RefutationTable) {
        self.refutation_table = table;
    }

    /// The keys of a mate in one by class, found without the search. The part of the budget for evidence that *no mate* may take is
    /// charged.
    ///
    /// # Errors
    ///
    /// If that or the time ends first.
    pub(crate) fn mates_in_one(&mut self, position: &Position) -> Result<Vec<KeyClass>, Undecided> {
        let classes = self.on_denials(|prover, table| {
            let looks = prover.looks();
            let mates = certificate::mates_in_one(position, table, &looks);
            let classes = mates.and_then(|mates| {
                let is_whole =
                    |mate: &&Action| !mates.iter().any(|part| part != *mate && mate.contains(part));
                let whole: Vec<Action> = mates.iter().filter(is_whole).cloned().collect();
                grouped(position, &whole, |after, action| {
                    if !certificate::play_if_legal(after, action, &looks)? {
                        return Ok(None);
                    }
                    let standing = certificate::standing(after, &looks);
                    after.undo_unchecked(action);
                    standing.map(|standing| Some(standing.status() == Status::Checkmate))
                })
            });
            prover.charge_looks(&looks).and(classes)
        });
        classes.map_err(|because| self.undecided(because))
    }

    /// Whether there is evidence that these are all helpmates of so many actions of both players, of which none has a superfluous move.
    pub(crate) fn confirms_helpmates(
        &mut self,
        position: &Position,
        plies: usize,
        lines: &[Vec<Action>],
    ) -> bool {
        let shown = self.on_denials(|prover, table| {
            let looks = prover.looks();
            let shown = certificate::helpmates(&mut position.clone(), plies, table, &looks);
            let pairs = shown.as_ref().map_or(0, |shown| shown.len() * shown.len());
            prover
                .charge_looks(&looks)
                .and(prover.charge((pairs / LOOKS_PER_STEP) as u64).map_err(|it| it.because))?;
            shown
        });
        let Ok(shown) = shown else { return false };
        let is_whole =
            |line: &&Vec<Action>| !shown.iter().any(|part| part != *line && line_contains(line, part));
        let agrees = shown.iter().filter(is_whole).eq(lines);
        if let (false, Some(first)) =
            (agrees, shown.iter().flatten().next().or(lines.iter().flatten().next()))
        {
            self.contradict(position, first, "the helpmates are not those that the checker finds");
        }
        agrees
    }

    /// Whether there is evidence that these classes hold all keys of a selfmate in `n`; without any, that there is none.
    pub(crate) fn confirms_selfmates(&mut self, position: &Position, n: u32, classes: &[KeyClass]) -> bool {
        let keys: Vec<Action> = classes.iter().flat_map(KeyClass::keys).cloned().collect();
        let confirmed = self.on_denials(|prover, _| {
            let looks = prover.looks();
            let at = &mut position.clone();
            let mut wrong = None;
            for key in &keys {
                if !certificate::forces_selfmate(at, key, n, prover, &looks)? {
                    wrong = Some(key);
                }
            }
            let is_none = certificate::has_no_selfmate(at, n, &keys, prover, &looks)?;
            prover.charge_looks(&looks).map(|()| (wrong.cloned(), is_none))
        });
        match confirmed {
            Ok((None, true)) => self.classes_of(position, &keys).is_ok_and(|shown| shown == classes),
            Ok((wrong, _)) => {
                let first = wrong.or_else(|| keys.first().cloned()).unwrap_or_default();
                self.contradict(position, &first, "the selfmates are not those that the checker finds");
                false
            }
            Err(_) => false,
        }
    }

    /// Asks for *no mate* with the replies that are known, within the part of the budget for evidence that this may take.
    fn on_denials<T>(&mut self, question: impl FnOnce(&mut Self, &mut RefutationTable) -> T) -> T {
        self.on_evidence(|prover| {
            let (before, allowance) = (prover.steps(), prover.left_for_denials);
            let mut table = std::mem::take(&mut prover.refutation_table);
            let answer = prover.within(allowance, |prover| question(prover, &mut table));
            prover.refutation_table = table;
            prover.left_for_denials = allowance.saturating_sub(prover.steps() - before);
            answer
        })
    }

    /// The classes of all keys of a mate in time.
    ///
    /// # Errors
    ///
    /// When an action that contains a key would have to be searched.
    pub(crate) fn classes_of(
        &mut self,
        position: &Position,
        keys: &[Action],
    ) -> Result<Vec<KeyClass>, Undecided> {
        // What contains no key does not mate; what contains one may.
        let grouped = grouped(position, keys, |after, action| {
            if keys.iter().any(|key| action.contains(key)) {
                return Err(Because::Unconfirmed);
            }
            let is_legal = after.play_if_legal(action);
            if is_legal {
                after.undo_unchecked(action);
            }
            Ok(is_legal.then_some(false))
        });
        grouped.map_err(|because| self.undecided(because))
    }

    /// How the game stands for the player to move, in the opinion of the checker. The budget for evidence is charged.
    ///
    /// # Errors
    ///
    /// If that budget or the time ends first.
    pub(crate) fn standing(&mut self, position: &Position) -> Result<Standing, Undecided> {
        let standing = self.on_evidence(|prover| {
            let looks = prover.looks();
            let standing = certificate::standing(position, &looks);
            prover.charge_looks(&looks).and(standing)
        });
        standing.map_err(|because| self.undecided(because))
    }

    /// The looks that the rest of the budget pays for, with the memory that is left for lists.
    pub(crate) fn looks(&self) -> Looks<'s> {
        Looks::within(self.limit().times(LOOKS_PER_STEP as u64)).with_memory(self.memory_left())
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
            self.confirm(position, action, left + 1)?;
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
