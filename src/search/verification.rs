//! Questions that only the verification of puzzles asks: whether a list is complete, by the evidence for it. Begin at
//! [`Prover::confirm_classes`].

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::certificate::{self, Denial, LOOKS_PER_STEP, RefutationTable, Standing};
use super::helpmate::line_contains;
use super::keys::grouped;
use super::prover::Prover;
use super::{Dual, Helpmates, KeyClass, Selfmates, Solution, Variation, Verdict};
use crate::rules::Count;
use crate::state::Position;
use crate::types::{Action, Because, Undecided};

impl Prover<'_> {
    /// Looks for evidence that these classes hold all keys of a mate in `n`, each of them whole and no two of them one. The caller asks for
    /// evidence of the first key of each class.
    ///
    /// # Errors
    ///
    /// Those of [`Prover::deny`] and [`Prover::confirm`].
    ///
    /// # Panics
    ///
    /// Those of [`Prover::deny`] and [`Prover::confirm`].
    pub(crate) fn confirm_classes(
        &mut self,
        position: &Position,
        n: u32,
        classes: &[KeyClass],
    ) -> Result<(), Undecided> {
        let keys: Vec<Action> = classes.iter().flat_map(KeyClass::keys).cloned().collect();
        for key in classes.iter().flat_map(|class| &class.keys()[1..]) {
            self.confirm_mate(position, key, n)?;
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
            let denial = prover.with_looks(|prover, looks| {
                certificate::deny(position, n, keys, &mut prover.refutation_table, None, looks)
            });
            matches!(denial, Ok(Denial::Denied))
        })
    }

    /// Replies that are tried first in [`Prover::deny`] and [`Prover::is_denied`], and what was shown with them.
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
            prover.with_looks(|_, looks| {
                let mates = certificate::mates_in_one(position, table, looks)?;
                let is_whole =
                    |mate: &&Action| !mates.iter().any(|part| part != *mate && mate.contains(part));
                let whole: Vec<Action> = mates.iter().filter(is_whole).cloned().collect();
                grouped(position, &whole, |after, action| certificate::is_mate(after, action, looks))
            })?
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
        let Ok(Helpmates { lines: shown, .. }) = self.listed_helpmates(position, plies) else { return false };
        let agrees = shown == lines;
        if let (false, Some(first)) =
            (agrees, shown.iter().flatten().next().or(lines.iter().flatten().next()))
        {
            self.contradict(position, first, "the helpmates are not those that the checker finds");
        }
        agrees
    }

    /// A mate in one, found without the search. The part of the budget for evidence that *no mate* may take is charged.
    ///
    /// # Errors
    ///
    /// If that or the time ends first.
    pub(crate) fn shown_mate_in_one(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        let mate = self.on_denials(|prover, table| {
            prover.with_looks(|_, looks| certificate::mate_in_one(position, table, looks))?
        });
        mate.map_err(|because| self.undecided(because))
    }

    /// The legal actions of the player to move, as the checker lists them. The part of the budget for evidence that *no mate* may take is charged.
    ///
    /// # Errors
    ///
    /// If that, the memory or the time ends first.
    pub(crate) fn shown_legal_actions(&mut self, position: &Position) -> Result<BTreeSet<Action>, Undecided> {
        let actions = self.on_denials(|prover, _| {
            prover.with_looks(|_, looks| certificate::legal_actions(position, looks))?
        });
        actions.map_err(|because| self.undecided(because))
    }

    /// All helpmates of so many actions of both players of which none has a superfluous move, as the checker lists them. The budget for evidence is
    /// charged.
    ///
    /// # Errors
    ///
    /// If that budget or the time ends first.
    pub(crate) fn listed_helpmates(
        &mut self,
        position: &Position,
        plies: usize,
    ) -> Result<Helpmates, Undecided> {
        let shown = self.on_denials(|prover, table| {
            let shown = prover.with_looks(|_, looks| {
                certificate::helpmates(&mut position.clone(), plies, table, looks)
            })??;
            let pairs = (shown.len() as u64).saturating_mul(shown.len() as u64);
            prover.charge(pairs / LOOKS_PER_STEP as u64).map_err(|it| it.because)?;
            Ok::<_, Because>(shown)
        });
        let shown = shown.map_err(|because| self.undecided(because))?;
        let is_whole =
            |line: &&Vec<Action>| !shown.iter().any(|part| part != *line && line_contains(line, part));
        let lines = shown.iter().filter(is_whole).cloned().collect();
        Ok(Helpmates { lines, complete: true, undecided: None })
    }

    /// All keys of a selfmate in `n`, found without the search; of a shorter one, if there is one, and then the list is not complete. The
    /// part of the budget for evidence that *no mate* may take is charged.
    ///
    /// # Errors
    ///
    /// If that, the memory or the time ends first.
    pub(crate) fn listed_selfmates(&mut self, position: &Position, n: u32) -> Result<Selfmates, Undecided> {
        let listed = self.on_denials(|prover, _| {
            prover.with_looks(|_, looks| {
                let legal_actions = certificate::legal_actions(position, looks)?.len();
                let mut length = 1;
                loop {
                    let forcing = certificate::selfmates(&mut position.clone(), length, looks)?;
                    if !forcing.is_empty() || length == n {
                        return Ok((forcing, length, legal_actions));
                    }
                    length += 1;
                }
            })?
        });
        let (forcing, length, legal_actions) = listed.map_err(|because| self.undecided(because))?;
        let is_none = forcing.is_empty();
        Ok(Selfmates {
            verdict: if is_none { Verdict::Refuted } else { Verdict::Proven },
            keys: self.classes_of_selfmates(position, &forcing)?,
            complete: length == n,
            shortest: (!is_none).then_some(length),
            legal_actions: Count { count: legal_actions as u64, capped: false },
            forcing_actions: forcing.len() as u64,
            near_miss: None,
            undecided: None,
        })
    }

    /// Whether there is evidence that these classes hold all keys of a selfmate in `n`; without any, that there is none.
    pub(crate) fn confirms_selfmates(&mut self, position: &Position, n: u32, classes: &[KeyClass]) -> bool {
        let keys: Vec<Action> = classes.iter().flat_map(KeyClass::keys).cloned().collect();
        let confirmed = self.on_denials(|prover, _| {
            prover.with_looks(|prover, looks| {
                let at = &mut position.clone();
                let mut wrong = None;
                for key in &keys {
                    if !certificate::forces_selfmate(at, key, n, prover, looks)? {
                        wrong = Some(key);
                    }
                }
                let is_none = certificate::has_no_selfmate(at, n, &keys, prover, looks)?;
                Ok::<_, Because>((wrong.cloned(), is_none))
            })?
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
        // An action without a key does not mate; one that contains a key may.
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

    /// The standing of the player to move, in the opinion of the checker. The budget for evidence is charged.
    ///
    /// # Errors
    ///
    /// If that budget or the time ends first.
    pub(crate) fn standing(&mut self, position: &Position) -> Result<Standing, Undecided> {
        let standing = self
            .on_evidence(|prover| prover.with_looks(|_, looks| certificate::standing(position, looks))?);
        standing.map_err(|because| self.undecided(because))
    }

    /// The solution that a certificate shows of a mate in `n` by these keys, which are all if it is `complete`.
    ///
    /// # Errors
    ///
    /// When the budget is spent first, or an action that contains a key would have to be searched.
    pub(crate) fn certified_solution(
        &mut self,
        position: &Position,
        n: u32,
        keys: &[Action],
        complete: bool,
    ) -> Result<Solution, Undecided> {
        let before = self.steps();
        let is_whole = |key: &&Action| !keys.iter().any(|part| part != *key && key.contains(part));
        let whole: Vec<Action> = keys.iter().filter(is_whole).cloned().collect();
        self.charge((keys.len() * keys.len() / 64) as u64)?;
        let classes = self.classes_of(position, &whole)?;
        let legal_actions = self.count(position, 0);
        Ok(Solution {
            verdict: Verdict::Proven,
            mating_actions: Count { count: classes.len() as u64, capped: true },
            keys: classes,
            soonest: None,
            evidence: Vec::new(),
            complete,
            legal_actions,
            mates_in: Some(n),
            shortest: Some(n),
            found_by: None,
            near_miss: None,
            undecided: None,
            steps: self.steps() - before,
        })
    }
}

impl Analysis<'_, '_> {
    /// The same after one key, and whether there is evidence that these are all.
    ///
    /// # Errors
    ///
    /// Those of [`Analysis::duals`].
    pub(crate) fn all_duals(&mut self, key: &Action) -> Result<(Vec<Dual>, bool), Undecided> {
        let mut evident = true;
        let duals = self.duals_after(key, |prover, position, Variation { mates_in, answers, .. }| {
            if *mates_in == 1 {
                match prover.mates_in_one(position) {
                    Ok(shown) if shown != *answers => {
                        let what = "it is the first of the mates in one, and the checker finds others";
                        prover.contradict(position, answers[0].key(), what);
                        evident = false;
                    }
                    shown => evident &= shown.is_ok(),
                }
                return Ok(());
            }
            evident = evident
                && prover.deny(position, mates_in - 1, &[]).is_ok()
                && answers.iter().all(|class| prover.confirm_mate(position, class.key(), *mates_in).is_ok())
                && prover.confirm_classes(position, *mates_in, answers).is_ok();
            Ok(())
        })?;
        Ok((duals, evident))
    }
}
