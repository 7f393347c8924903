//! The study of a mate: its keys, every defence, and every mate after it. Begin at [`Study::of`].

use std::collections::{BTreeMap, BTreeSet};

use super::step::{Role, Step, captured, landing, mover, played, worth};
use crate::rules::Count;
use crate::search::{Analysis, Cut, KeyClass, Prover, Solution, Threat, Variation, Verdict};
use crate::state::Position;
use crate::types::{Action, Because, Coordinate, PieceKind, Undecided};

/// A mate in N, with every mate after every defence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Study {
    /// N of the mate; no mate is shorter.
    pub mate_in: u32,
    /// All keys by class.
    pub keys: Vec<KeyClass>,
    /// The number of legal first actions.
    pub first_actions: Count,
    /// The continuations after the first key, one for each legal defence. Empty for a mate in one.
    pub variations: Vec<Continuation>,
    /// Why not every defence was read, if there are more of them at some turn.
    pub open: Option<Undecided>,
}

/// A defence, every answer to it, and the continuations after the first answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Continuation {
    /// The defence, and the answers that mate as soon as possible, by class; more than one class is a dual.
    pub variation: Variation,
    /// The continuations after the first answer; empty if it mates.
    pub then: Vec<Continuation>,
}

/// The most defences of a study, at all turns together. A longer study would be too long to read.
const MOST_DEFENCES: usize = 2_000;
/// The most defences of set play that are compared.
const MOST_SET_PLAY: usize = 60;
/// The most boards that are copied for second looks at positions.
const MOST_BOARDS: usize = 200_000;

impl Study {
    /// Studies the mate in `mate_in` of the player to move. `None` if there is none, or a shorter one. The study is
    /// [open](Study::open) if the budget runs out among the defences, or if there are more than 2,000; fewer are too many if
    /// there are more than a hundred boards.
    ///
    /// # Errors
    ///
    /// If the budget runs out before all keys and one defence are read.
    pub fn of(
        position: &Position,
        mate_in: u32,
        prover: &mut Prover<'_>,
    ) -> Result<Option<Study>, Undecided> {
        Study::read(position, mate_in, prover, |analysis| Some(analysis.solution().clone()))
    }

    /// The same without evidence, for a composer that looks at thousands of positions and studies its find again. `None` also if
    /// the keys are not of interest; then nothing after them is read.
    ///
    /// # Errors
    ///
    /// Those of [`Study::of`].
    pub(super) fn sketch(
        position: &Position,
        mate_in: u32,
        prover: &mut Prover<'_>,
        is_of_interest: impl FnOnce(&Solution) -> bool,
    ) -> Result<Option<Study>, Undecided> {
        Study::read(position, mate_in, prover, |analysis| {
            let searched = analysis.searched();
            is_of_interest(searched).then(|| searched.clone())
        })
    }

    /// The number of keys of a mate in `mate_in`, on the word of the search; 0 if there is none, or a shorter one.
    ///
    /// # Errors
    ///
    /// Those of [`Study::of`], as far as they are about the shorter mates.
    pub(super) fn count_keys(
        position: &Position,
        mate_in: u32,
        prover: &mut Prover<'_>,
    ) -> Result<usize, Undecided> {
        let mut count = 0;
        Study::read(position, mate_in, prover, |analysis| {
            let found = analysis.searched();
            if found.verdict == Verdict::Proven && found.complete {
                count = found.keys.iter().map(|class| class.keys().len()).sum();
            }
            None
        })?;
        Ok(count)
    }

    /// A study of all that follows from the keys. `None` also if there are none to go on with.
    fn read(
        position: &Position,
        mate_in: u32,
        prover: &mut Prover<'_>,
        keys: impl FnOnce(&mut Analysis<'_, '_>) -> Option<Solution>,
    ) -> Result<Option<Study>, Undecided> {
        if mate_in > 1 {
            let shorter = prover.search_for(position, mate_in - 1, false);
            match shorter.verdict {
                Verdict::Proven => return Ok(None),
                Verdict::Undecided => return Err(undecided(prover, shorter.undecided)),
                Verdict::Refuted => {}
            }
        }
        let mut analysis = Analysis::new(prover, position, mate_in);
        let Some(solution) = keys(&mut analysis) else { return Ok(None) };
        match solution.verdict {
            Verdict::Refuted => return Ok(None),
            Verdict::Proven if solution.complete => {}
            _ => return Err(undecided(analysis.prover(), solution.undecided)),
        }
        let boards = position.multiverse().boards().count();
        let room = MOST_DEFENCES.min(MOST_BOARDS / boards.max(1));
        let mut reading = Reading { analysis, room, open: None };
        let variations = reading.variations(&mut vec![solution.keys[0].key().clone()], mate_in - 1);
        match reading.open {
            Some(why) if variations.is_empty() => Err(why),
            open => {
                let (keys, first_actions) = (solution.keys, solution.legal_actions);
                Ok(Some(Study { mate_in, keys, first_actions, variations, open }))
            }
        }
    }

    /// The first key.
    pub fn key(&self) -> &Action {
        self.keys[0].key()
    }

    /// Whether one key alone mates in time.
    pub fn is_unique(&self) -> bool {
        self.keys.len() == 1 && self.keys[0].keys().len() == 1
    }

    /// The number of defences, at any turn, that have more than one class of mating answers.
    pub fn duals(&self) -> usize {
        fn count(variations: &[Continuation]) -> usize {
            let of = |one: &Continuation| usize::from(one.variation.answers.len() > 1) + count(&one.then);
            variations.iter().map(of).sum()
        }
        count(&self.variations)
    }

    /// The different actions that answer the first move of the defender.
    pub fn answers(&self) -> BTreeSet<&Action> {
        self.variations.iter().map(|one| one.variation.answers[0].key()).collect()
    }

    /// Whether the key neither checks nor captures.
    pub fn is_quiet(&self, position: &Position) -> bool {
        captured(position, self.key()).is_empty() && !self.checks(position)
    }

    /// Whether the key checks.
    pub fn checks(&self, position: &Position) -> bool {
        played(position, self.key()).is_in_check()
    }

    /// The kinds of the pieces that the key moves.
    pub fn key_pieces(&self, position: &Position) -> BTreeSet<PieceKind> {
        self.key().moves().iter().filter_map(|m| mover(position, m)).map(|piece| piece.kind).collect()
    }

    /// The most valuable piece that the key moves and a defence captures, if it is worth more than the pieces
    /// that the key captured.
    pub fn offered(&self, position: &Position) -> Option<PieceKind> {
        let after = played(position, self.key());
        let gained: u32 = captured(position, self.key()).into_iter().map(worth).sum();
        let landed: Vec<Coordinate> = self.key().moves().iter().map(|m| landing(position, m)).collect();
        let defences = self.variations.iter().flat_map(|one| one.variation.defence.moves());
        let taken = defences.filter(|m| landed.contains(&m.to));
        let kinds = taken.filter_map(|m| Some(after.board(m.to.board)?.get(m.to.square)?.kind));
        kinds.max_by_key(|kind| worth(*kind)).filter(|kind| worth(*kind) > gained)
    }

    /// Whether the key threatens nothing: if the defender could pass, there would be no mate in time. `None`
    /// if the defender cannot pass, or if the proof takes too long.
    pub fn is_zugzwang(&self, position: &Position, prover: &mut Prover<'_>) -> Option<bool> {
        if self.mate_in == 1 {
            return None;
        }
        let mut analysis = Analysis::new(prover, position, self.mate_in);
        match analysis.threat(self.key()).ok()? {
            Threat::Mates(_) => Some(false),
            Threat::Zugzwang => Some(true),
            Threat::Nothing => {
                analysis.after(std::slice::from_ref(self.key())).is_in_check().then_some(false)
            }
        }
    }

    /// The answers that were there before the key, if the defender were to move. `None` for a mate in 1, and if the attacker cannot pass.
    pub fn set_play(&self, position: &Position, prover: &mut Prover<'_>) -> Option<SetAnswers> {
        let set = Analysis::new(prover, position, self.mate_in).set_play(MOST_SET_PLAY)?;
        let meets_all = set.count == set.defences && set.met.is_complete();
        let answer = |variation: Variation| (variation.defence, variation.answers[0].key().clone());
        Some(SetAnswers { answers: set.met.items.into_iter().map(answer).collect(), meets_all })
    }

    /// Calls `visit` with each action of the study and the position before it: the keys, and after the first
    /// key the defences and all answers.
    pub fn visit(&self, position: &Position, visit: &mut dyn FnMut(Step<'_>)) {
        fn walk(
            position: &Position,
            left: u32,
            classes: &[KeyClass],
            variations: &[Continuation],
            visit: &mut dyn FnMut(Step<'_>),
        ) {
            for class in classes {
                let action = class.key();
                let role = if left == 1 { Role::Mate } else { Role::Attack };
                visit(Step { position, action, role, left });
            }
            let after = played(position, classes[0].key());
            for Continuation { variation, then } in variations {
                let action = &variation.defence;
                visit(Step { position: &after, action, role: Role::Defence, left: left - 1 });
                walk(&played(&after, action), variation.mates_in, &variation.answers, then, visit);
            }
        }
        let left = if self.variations.is_empty() { 1 } else { self.mate_in };
        walk(position, left, &self.keys, &self.variations, visit);
    }

    /// Whether a piece travels in the solution: in a key, an answer, or a defence.
    pub fn travels(&self, position: &Position) -> bool {
        let mut travels = false;
        self.visit(position, &mut |step| {
            travels |= step.action.travels();
        });
        travels
    }
}

/// The answers to defences before the key.
pub struct SetAnswers {
    answers: BTreeMap<Action, Action>,
    /// Whether every action of the defender has an answer.
    pub meets_all: bool,
}

impl SetAnswers {
    /// A defence of the study with its answer before the key, if that is no answer any more. A piece that comes from elsewhere to the same
    /// square is no other answer.
    pub fn changed(&self, study: &Study) -> Option<(&Action, &Action)> {
        study.variations.iter().find_map(|one| {
            let (defence, before) = self.answers.get_key_value(&one.variation.defence)?;
            let ends = |action: &Action| -> Vec<(Coordinate, Option<PieceKind>)> {
                action.moves().iter().map(|m| (m.to, m.promotion)).collect()
            };
            let mut answers = one.variation.answers.iter().flat_map(KeyClass::keys);
            let is_kept = answers.any(|answer| ends(answer) == ends(before));
            (!is_kept).then_some((defence, before))
        })
    }
}

/// The reading of defences.
struct Reading<'a, 's> {
    analysis: Analysis<'a, 's>,
    /// The number of defences for which there is room.
    room: usize,
    /// The first limit that was reached.
    open: Option<Undecided>,
}

impl Reading<'_, '_> {
    /// The defences after a line that mates in `left` more, and what follows the first answer to each, as far as they can be read.
    fn variations(&mut self, line: &mut Vec<Action>, left: u32) -> Vec<Continuation> {
        if left == 0 {
            return Vec::new();
        }
        let listed = self.analysis.variations(line, left, self.room);
        let cut = listed.cut.map(|cut| match cut {
            Cut::Undecided(why) => why,
            Cut::More(_) => undecided(self.analysis.prover(), None),
        });
        self.open = self.open.or(cut);
        self.room -= listed.items.len();
        let continued = listed.items.into_iter().map(|variation| {
            line.extend([variation.defence.clone(), variation.answers[0].key().clone()]);
            let then = self.variations(line, variation.mates_in - 1);
            line.truncate(line.len() - 2);
            Continuation { variation, then }
        });
        continued.collect()
    }
}

fn undecided(prover: &Prover<'_>, known: Option<Undecided>) -> Undecided {
    known.unwrap_or(Undecided { steps: prover.steps(), because: Because::Memory })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::notation::pgn5d::action_text;
    use crate::search::Budget;

    fn study(text: &str, n: u32) -> (Position, Option<Study>) {
        let position = fen5d::parse(text).into_result().unwrap();
        let study = Study::of(&position, n, &mut Prover::new(Budget::default())).unwrap();
        (position, study)
    }

    #[test]
    fn a_study_has_every_defence_and_every_mate() {
        let (position, study) = study("[5/NK2k/p4/5/5:0:1:w]", 2);
        let study = study.unwrap();
        assert_eq!(action_text(&position, study.key()), "(0T1)Kb4c4");
        assert!(study.is_unique() && study.is_quiet(&position) && study.travels(&position));
        assert_eq!((study.variations.len(), study.duals()), (3, 0));
        assert_eq!(study.answers().len(), 3);
        let mut roles = Vec::new();
        study.visit(&position, &mut |step| roles.push((step.role, step.left)));
        let variation = [(Role::Defence, 1), (Role::Mate, 1)];
        assert_eq!(roles, [&[(Role::Attack, 2)][..], &variation, &variation, &variation].concat());
    }

    #[test]
    fn a_longer_question_than_the_mate_has_no_study() {
        assert_eq!(study("[5/NK2k/p4/5/5:0:1:w]", 1).1, None);
        assert_eq!(study("[5/NK2k/p4/5/5:0:1:w]", 3).1, None);
    }
}
