//! What an editor asks about a mate: its keys, every defence, and every mate after it.

use std::collections::BTreeSet;

use crate::rules::Count;
use crate::search::{KeyClass, Prover, Verdict, after_null_action};
use crate::state::Position;
use crate::types::{Action, Because, MoveKind, PieceKind, Undecided};

/// A mate in N, with every mate after every defence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Study {
    /// N: there is no shorter mate.
    pub mate_in: u32,
    /// All keys by class.
    pub keys: Vec<KeyClass>,
    /// How many legal first actions there are.
    pub first_actions: Count,
    /// What follows the first key, one for each legal defence. Empty for a mate in one.
    pub variations: Vec<Variation>,
}

/// A defence and what mates after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The legal action of the defender.
    pub defence: Action,
    /// Every answer that mates in time, by class; more than one is a dual.
    pub answers: Vec<KeyClass>,
    /// What follows the first answer; empty when it mates.
    pub then: Vec<Variation>,
}

/// The most defences that a study has, all turns together. With more of them nobody would read it.
const MOST_DEFENCES: usize = 2_000;

impl Study {
    /// Studies the mate in `mate_in` of the player to move. `None` when there is none, or a shorter one.
    ///
    /// # Errors
    ///
    /// When the budget is spent first, or there are more than 2,000 defences.
    pub fn of(
        position: &Position,
        mate_in: u32,
        prover: &mut Prover<'_>,
    ) -> Result<Option<Study>, Undecided> {
        if mate_in > 1 {
            let shorter = prover.solve(position, mate_in - 1, false);
            match shorter.verdict {
                Verdict::Proven => return Ok(None),
                Verdict::Undecided => return Err(undecided(prover, shorter.undecided)),
                Verdict::Refuted => {}
            }
        }
        let solution = prover.solve(position, mate_in, true);
        match solution.verdict {
            Verdict::Refuted => return Ok(None),
            Verdict::Proven if solution.complete => {}
            _ => return Err(undecided(prover, solution.undecided)),
        }
        let mut after = position.clone();
        after.play(solution.keys[0].key()).expect("a key is legal");
        let mut room = MOST_DEFENCES;
        let variations = variations(&after, mate_in - 1, prover, &mut room)?;
        Ok(Some(Study { mate_in, keys: solution.keys, first_actions: solution.legal_actions, variations }))
    }

    /// The first key.
    pub fn key(&self) -> &Action {
        self.keys[0].key()
    }

    /// Whether one key alone mates in time.
    pub fn is_unique(&self) -> bool {
        self.keys.len() == 1 && self.keys[0].keys().len() == 1
    }

    /// How many defences, at any turn, have more than one class of mating answers.
    pub fn duals(&self) -> usize {
        fn count(variations: &[Variation]) -> usize {
            variations.iter().map(|one| usize::from(one.answers.len() > 1) + count(&one.then)).sum()
        }
        count(&self.variations)
    }

    /// The different actions that answer the first defence.
    pub fn answers(&self) -> BTreeSet<&Action> {
        self.variations.iter().map(|one| one.answers[0].key()).collect()
    }

    /// Whether the key neither checks nor captures.
    pub fn is_quiet(&self, position: &Position) -> bool {
        let mut after = position.clone();
        after.play(self.key()).expect("a key is legal");
        captured(position, self.key()).is_empty() && !after.is_in_check()
    }

    /// The most valuable piece that a defence captures, if it is worth more than what the key captured.
    pub fn offered(&self, position: &Position) -> Option<PieceKind> {
        let mut after = position.clone();
        after.play(self.key()).expect("a key is legal");
        let gained: u32 = captured(position, self.key()).into_iter().map(worth).sum();
        let offered = self.variations.iter().flat_map(|one| captured(&after, &one.defence));
        offered.max_by_key(|kind| worth(*kind)).filter(|kind| worth(*kind) > gained)
    }

    /// Whether the key threatens nothing: if the defender could pass, there would be no mate in time. `None` where the defender cannot
    /// pass, or the question takes too long.
    pub fn is_zugzwang(&self, position: &Position, prover: &mut Prover<'_>) -> Option<bool> {
        if self.mate_in == 1 {
            return None;
        }
        let mut after = position.clone();
        after.play(self.key()).expect("a key is legal");
        if after.is_in_check() {
            return Some(false);
        }
        match prover.solve(&after_null_action(&after)?, self.mate_in - 1, false).verdict {
            Verdict::Proven => Some(false),
            Verdict::Refuted => Some(true),
            Verdict::Undecided => None,
        }
    }

    /// Shows every action of both sides with the position before it: the keys, and along the first key the defences and all answers.
    pub fn visit(&self, position: &Position, visit: &mut dyn FnMut(Step<'_>)) {
        fn walk(
            position: &Position,
            left: u32,
            classes: &[KeyClass],
            variations: &[Variation],
            visit: &mut dyn FnMut(Step<'_>),
        ) {
            for class in classes {
                let action = class.key();
                let role = if left == 1 { Role::Mate } else { Role::Attack };
                visit(Step { position, action, role, left });
            }
            let mut after = position.clone();
            after.play(classes[0].key()).expect("a mating action is legal");
            for one in variations {
                visit(Step { position: &after, action: &one.defence, role: Role::Defence, left: left - 1 });
                let mut replied = after.clone();
                replied.play(&one.defence).expect("a defence is legal");
                // An answer that leaves nothing to be played mates at once, however many actions there would be.
                let left = if one.then.is_empty() { 1 } else { left - 1 };
                walk(&replied, left, &one.answers, &one.then, visit);
            }
        }
        let left = if self.variations.is_empty() { 1 } else { self.mate_in };
        walk(position, left, &self.keys, &self.variations, visit);
    }

    /// Whether a piece travels in the solution: in a key, an answer, or a defence.
    pub fn travels(&self, position: &Position) -> bool {
        let mut travels = false;
        self.visit(position, &mut |step| {
            travels |= step.action.moves().iter().any(|m| m.kind != MoveKind::Physical);
        });
        travels
    }
}

/// An action of a study.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The position before it.
    pub position: &'a Position,
    /// The action.
    pub action: &'a Action,
    /// What it is for.
    pub role: Role,
    /// How many actions the attacker has at most, this one included if it is the attacker's.
    pub left: u32,
}

/// What an action of a study is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It mates at once.
    Mate,
    /// It forces mate.
    Attack,
    /// It is a defence.
    Defence,
}

fn variations(
    position: &Position,
    left: u32,
    prover: &mut Prover<'_>,
    room: &mut usize,
) -> Result<Vec<Variation>, Undecided> {
    let mut variations = Vec::new();
    if left == 0 {
        return Ok(variations);
    }
    let mut after = position.clone();
    let mut defences = prover.actions(position);
    while let Some(defence) = prover.next_action(&mut defences)? {
        *room = room.checked_sub(1).ok_or(undecided(prover, None))?;
        let undo = after.play(&defence).expect("a listed action is legal");
        let solution = prover.solve(&after, left, true);
        if !solution.complete {
            return Err(undecided(prover, solution.undecided));
        }
        let length = solution.shortest.unwrap_or(left);
        let answers = solution.keys;
        let then = match answers.first() {
            Some(class) if length > 1 => {
                let mut answered = after.clone();
                answered.play(class.key()).expect("a mating action is legal");
                self::variations(&answered, left - 1, prover, room)?
            }
            _ => Vec::new(),
        };
        after.undo(undo).expect("what was just played");
        variations.push(Variation { defence, answers, then });
    }
    Ok(variations)
}

fn undecided(prover: &Prover<'_>, known: Option<Undecided>) -> Undecided {
    known.unwrap_or(Undecided { steps: prover.steps(), because: Because::Memory })
}

/// The pieces that an action captures, as far as they stand where its moves end.
pub(super) fn captured(position: &Position, action: &Action) -> Vec<PieceKind> {
    let opponent = !position.to_move();
    let at = |m: &crate::types::Move| position.board(m.to.board)?.get(m.to.square);
    let captured = action.moves().iter().filter_map(at).filter(|piece| piece.color == opponent);
    captured.map(|piece| piece.kind).collect()
}

/// What a piece is worth, in pawns: enough to tell a sacrifice from an exchange.
pub(super) fn worth(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Brawn => 2,
        PieceKind::Knight | PieceKind::Unicorn | PieceKind::Dragon | PieceKind::CommonKing => 3,
        PieceKind::Bishop => 4,
        PieceKind::Rook => 5,
        PieceKind::Princess => 8,
        PieceKind::Queen => 12,
        PieceKind::RoyalQueen | PieceKind::King => 0,
    }
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
