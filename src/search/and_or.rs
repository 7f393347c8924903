//! The and/or search: mates and defences in the order of their length, depth first, with iterative deepening.
//! Begin at [`Prover::mate`].
//!
//! For a mate in one, the search goes through the attacker's actions. Each reply of the defender that it
//! finds excludes all actions that the reply answers. For longer mates each refutation names the squares on
//! which it relies, and excludes all actions that agree there; each answer does the same for the defences.
//! Replies that refuted, and answers that mated, at sibling nodes are tried first; then replies that leave
//! the attacker few actions.

use std::collections::BTreeMap;

#[cfg(debug_assertions)]
use super::Budget;
use super::prover::{Prover, cost_of_size};
use super::{Candidates, Defence};
use crate::rules::{ActionSieve, Basis};
use crate::state::Position;
#[cfg(debug_assertions)]
use crate::types::Color;
use crate::types::{Action, BoardCoordinate, MoveKind, Undecided};

/// The number of actions, from the beginning of the list, among which checks are looked for if only checks count.
const CHECKS_AMONG: usize = 2_000;
/// The same number if all actions are searched afterwards.
const CHECKS_FIRST_AMONG: usize = 200;

/// The search steps that debug builds spend on checking one sample.
#[cfg(debug_assertions)]
const AUDIT: u64 = 10_000;

impl Prover<'_> {
    /// An action of the attacker, who is to move, that mates in `n` or less, with its length. A known mate is
    /// preferred, otherwise the shortest.
    pub(super) fn mate(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        Ok(self.search(position, n, tier, n > 1)?.ok())
    }

    /// Like [`Prover::mate`], but if there is no mate, returns the dependencies of that answer: everything
    /// unless `wants_basis`.
    fn search(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
        wants_basis: bool,
    ) -> Result<Result<(u32, Action), Basis>, Undecided> {
        let mut memory = self.memory();
        let table = &mut memory.table;
        let key = table.key(position);
        if let Some((length, action)) = key.as_ref().and_then(|key| table.mate(key, n)) {
            return Ok(Ok((length, action.clone())));
        }
        let disproven = key.as_ref().map_or(0, |key| table.disproven(key, tier));
        let mut basis = key.as_ref().map_or(Basis::EVERYTHING, |key| table.basis(key, tier));
        drop(memory);
        for length in disproven + 1..=n {
            let (found, tier) = match length {
                1 => (self.mate_in_one(position, wants_basis)?, Candidates::Complete),
                _ => (self.mate_in(position, length, tier)?, tier),
            };
            match found {
                Ok(action) => {
                    if let Some(key) = &key {
                        self.memory().table.prove(key, length, &action);
                    }
                    return Ok(Ok((length, action)));
                }
                // A refutation of a longer mate refutes the shorter ones.
                Err(relied) => basis = relied,
            }
            if let Some(key) = &key {
                self.memory().table.disprove(key, length, tier, &basis);
            }
        }
        Ok(Err(basis))
    }

    /// An action of the player to move that mates in `n` or less, and its length, if this many steps suffice
    /// to find out. Results are kept for later questions about positions that continue the position of the
    /// first one.
    pub(crate) fn mate_within(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
        steps: u64,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        self.ask_about(position);
        self.within(steps, |prover| prover.mate(position, n, tier))
    }

    /// A checkmating action of the player to move, if this many steps suffice to find out. Nothing is
    /// remembered, so any position may be asked about.
    pub(crate) fn mate_in_one_within(
        &mut self,
        position: &Position,
        steps: u64,
    ) -> Result<Option<Action>, Undecided> {
        self.trial_cost = 1 + cost_of_size(position);
        self.within(steps, |prover| prover.mate_in_one(position, false)).map(Result::ok)
    }

    fn mate_in_one(
        &mut self,
        position: &Position,
        wants_basis: bool,
    ) -> Result<Result<Action, Basis>, Undecided> {
        let mut actions = if wants_basis { self.sieve_with_basis(position) } else { self.sieve(position) };
        while self.advance(&mut actions)? {
            if self.answer_around(&mut actions)? {
                continue;
            }
            if actions.after().is_in_check() {
                return Ok(Ok(actions.action().clone()));
            }
            actions.rely_on_everything();
        }
        Ok(Err(actions.basis().within(|board| position.board(board).is_some())))
    }

    /// Looks for a legal reply to the current action of the attacker and leaves out the actions that it answers. False if
    /// there is none: checkmate or stalemate.
    pub(super) fn answer_around(&mut self, actions: &mut ActionSieve<'_>) -> Result<bool, Undecided> {
        for index in 0..self.replies.0.len() {
            if actions.exclude_answered_by(&self.replies.0[index]) {
                self.replies.promote(index);
                self.charge_trial()?;
                return Ok(true);
            }
        }
        let reply = match self.rewinding_action(actions.after())? {
            Some(reply) => Some(reply),
            None => self.legal_action(actions.after())?,
        };
        let Some(reply) = reply else { return Ok(false) };
        let left_out = actions.exclude_answered_by(&reply);
        debug_assert!(left_out, "the reply {reply:?} is legal");
        self.replies.remember(reply);
        Ok(true)
    }

    /// An action of the attacker that mates in `n` (at least 2) actions, or the dependencies of there being
    /// none. Checks among the first actions of the list come first; then each action to which no known
    /// refutation applies.
    fn mate_in(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
    ) -> Result<Result<Action, Basis>, Undecided> {
        let mut after = position.clone();
        let mut refuted = BTreeMap::new();
        let mut list = self.actions(position);
        let listed = if tier == Candidates::Checks { CHECKS_AMONG } else { CHECKS_FIRST_AMONG };
        for _ in 0..listed {
            let Some(action) = self.next_action(&mut list)? else { break };
            after.play_unchecked(&action);
            let refutation = if after.is_in_check() { Some(self.refute(&after, n - 1, tier)) } else { None };
            after.undo_unchecked(&action);
            match refutation.transpose()? {
                None => {}
                Some(None) => return Ok(Ok(action)),
                Some(Some(refutation)) => drop(refuted.insert(action, refutation)),
            }
        }
        if tier == Candidates::Checks {
            return Ok(Err(Basis::EVERYTHING));
        }
        let mut actions = self.sieve_with_basis(position);
        let mut relied = Basis::default();
        while self.advance(&mut actions)? {
            self.charge_trial()?;
            let known = refuted.remove(actions.action());
            let refutation = if known.is_some() { known } else { self.refute(actions.after(), n - 1, tier)? };
            let Some(refutation) = refutation else { return Ok(Ok(actions.action().clone())) };
            #[cfg(debug_assertions)]
            audit_agreeing(&mut actions, &refutation.1, !position.to_move(), |after| {
                is_refuted(after, &refutation.0, n - 1)
            });
            actions.exclude_agreeing(&refutation.1, !position.to_move());
            relied.add_all(&refutation.1);
        }
        relied.add_all(&actions.basis());
        Ok(Err(relied.within(|board| position.board(board).is_some())))
    }

    /// A defence of the player to move after which the attacker has no mate in `left` actions.
    pub(super) fn defence(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Option<Defence>, Undecided> {
        Ok(self.refute(position, left, tier)?.map(|(defence, _)| defence))
    }

    /// Like [`Prover::defence`], with the dependencies of the defence.
    pub(super) fn refute(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Option<(Defence, Basis)>, Undecided> {
        let refuting = |defence: Action, relied: Basis| {
            let mut basis = relied.within(|board| position.board(board).is_some());
            basis.add_uses(&defence);
            basis.heed_royals();
            Some((Defence::Action(defence), basis))
        };
        let stalemate = || (!position.is_in_check()).then_some((Defence::Stalemate, Basis::EVERYTHING));
        if left == 0 {
            return Ok(match self.legal_action(position)? {
                Some(action) => refuting(action, Basis::default()),
                None => stalemate(),
            });
        }
        if let Some((defence, relied)) = self.defence_that_helped(position, left, tier)? {
            return Ok(refuting(defence, relied));
        }
        let first = self.defences_in_order(position)?;
        if first.is_empty() {
            return Ok(stalemate());
        }
        let Some((defence, relied)) = self.new_defence(position, first, left, tier)? else { return Ok(None) };
        let (defence, relied) = self.smallest_part(position, defence, relied, left, tier)?;
        self.remember_defence(left, &defence);
        Ok(refuting(defence, relied))
    }

    /// A defence that refuted elsewhere and refutes here too, with its dependencies. Defences with few moves
    /// are tried first.
    fn defence_that_helped(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Option<(Action, Basis)>, Undecided> {
        let mut after = position.clone();
        let mut known = self.defences(left);
        known.sort_by_key(|defence| defence.moves().len());
        for defence in known {
            self.charge_trial()?;
            if after.play_if_legal(&defence) {
                let answer = self.answer_or_basis(&after, left, tier)?;
                after.undo_unchecked(&defence);
                if let Err(relied) = answer {
                    self.remember_defence(left, &defence);
                    return Ok(Some((defence, relied)));
                }
            }
        }
        Ok(None)
    }

    /// The first legal defences of the list, sorted: those that leave the attacker few actions come first.
    fn defences_in_order(&mut self, position: &Position) -> Result<Vec<Action>, Undecided> {
        let mut list = self.actions(position);
        let mut first = Vec::new();
        while first.len() < self.in_order
            && let Some(defence) = self.next_action(&mut list)?
        {
            first.push(defence);
        }
        let mut after = position.clone();
        first.sort_by_cached_key(|defence| {
            after.play_unchecked(defence);
            let width = width(&after);
            after.undo_unchecked(defence);
            width
        });
        Ok(first)
    }

    /// A defence that refutes, with its dependencies: one of `first`, or one of all others. Of the others,
    /// those that a known answer also mates are excluded.
    fn new_defence(
        &mut self,
        position: &Position,
        first: Vec<Action>,
        left: u32,
        tier: Candidates,
    ) -> Result<Option<(Action, Basis)>, Undecided> {
        let is_all = first.len() < self.in_order;
        let mut answered = BTreeMap::new();
        let mut after = position.clone();
        for defence in first {
            after.play_unchecked(&defence);
            let answer = self.answer_or_basis(&after, left, tier)?;
            after.undo_unchecked(&defence);
            match answer {
                Err(relied) => return Ok(Some((defence, relied))),
                Ok(answer) => drop(answered.insert(defence, answer)),
            }
        }
        if is_all {
            return Ok(None);
        }
        let mut defences = self.sieve(position);
        while self.advance(&mut defences)? {
            self.charge_trial()?;
            let answer = match answered.remove(defences.action()) {
                Some(answer) => answer,
                None => match self.answer_or_basis(defences.after(), left, tier)? {
                    Ok(answer) => answer,
                    Err(relied) => return Ok(Some((defences.action().clone(), relied))),
                },
            };
            let basis = self.basis_of_mate(defences.after(), &answer, left, tier)?;
            #[cfg(debug_assertions)]
            audit_agreeing(&mut defences, &basis, position.to_move(), |after| {
                is_answered(after, &answer, left)
            });
            defences.exclude_agreeing(&basis, position.to_move());
        }
        Ok(None)
    }

    /// The dependencies of a mate in `n` or less that begins with this action of the attacker, who is to move.
    fn basis_of_mate(
        &mut self,
        position: &Position,
        action: &Action,
        n: u32,
        tier: Candidates,
    ) -> Result<Basis, Undecided> {
        let mut after = position.clone();
        after.play_unchecked(action);
        let mut basis = Basis::default();
        basis.add_uses(action);
        let is_check = basis.add_check(&after);
        let mut replies = self.sieve_with_basis(&after);
        let mut any = false;
        while self.advance(&mut replies)? {
            self.charge_trial()?;
            // Without a check it must not become stalemate.
            if !is_check && !any {
                basis.add_legal(&after, replies.action());
            }
            any = true;
            // The mate may have been found among more candidates and then forgotten.
            let Some(answer) = self.answer(replies.after(), n - 1, tier)? else {
                return Ok(Basis::EVERYTHING);
            };
            let relied = self.basis_of_mate(replies.after(), &answer, n - 1, tier)?;
            if relied.is_everything() {
                return Ok(Basis::EVERYTHING);
            }
            replies.exclude_agreeing(&relied, after.to_move());
            basis.add_all(&relied);
        }
        debug_assert!(is_check || any, "stalemate is no mate");
        basis.add_all(&replies.basis());
        Ok(basis.within(|board| position.board(board).is_some()))
    }

    /// A part of a defence that refutes too: moves are left out one after another as long as it does. A part plays fewer boards. The basis
    /// is that of the part, and need not lie within that of the whole: boards that the part leaves alone may count now.
    fn smallest_part(
        &mut self,
        position: &Position,
        mut defence: Action,
        mut relied: Basis,
        left: u32,
        tier: Candidates,
    ) -> Result<(Action, Basis), Undecided> {
        let mut after = position.clone();
        for m in defence.clone().moves().iter().filter(|m| m.kind == MoveKind::Physical) {
            let part = Action::new(defence.moves().iter().filter(|other| *other != m).copied().collect());
            self.charge_trial()?;
            if !part.is_empty() && after.play_if_legal(&part) {
                let answer = self.answer_or_basis(&after, left, tier)?;
                after.undo_unchecked(&part);
                if let Err(less) = answer {
                    (defence, relied) = (part, less);
                }
            }
        }
        Ok((defence, relied))
    }

    /// Like [`Prover::defence`], but at the last ply too a reply that refuted another action is preferred.
    pub(super) fn refutation(
        &mut self,
        position: &Position,
        left: u32,
    ) -> Result<Option<Defence>, Undecided> {
        if left == 0 {
            for index in 0..self.replies.0.len() {
                self.charge_trial()?;
                if position.clone().play_if_legal(&self.replies.0[index]) {
                    return Ok(Some(Defence::Action(self.replies.0[index].clone())));
                }
            }
        }
        let refutation = self.defence(position, left, Candidates::Complete)?;
        if let (0, Some(Defence::Action(reply))) = (left, &refutation) {
            self.replies.remember(reply.clone());
        }
        Ok(refutation)
    }

    /// The attacker's answer, the attacker to move, that mates in `left` or less. Answers that mated after
    /// other defences are tried first.
    pub(super) fn answer(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Option<Action>, Undecided> {
        Ok(self.answer_or_basis(position, left, tier)?.ok())
    }

    /// Like [`Prover::answer`], but if there is none, returns the dependencies of that.
    fn answer_or_basis(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Result<Action, Basis>, Undecided> {
        if let Some((_, answer)) = self.known_mate(position, left) {
            return Ok(Ok(answer));
        }
        let mut after = position.clone();
        for answer in self.answers(left) {
            self.charge_trial()?;
            if after.play_if_legal(&answer) {
                let mates = self.defence(&after, left - 1, tier)?.is_none();
                after.undo_unchecked(&answer);
                if mates {
                    self.remember_answer(left, &answer);
                    return Ok(Ok(answer));
                }
            }
        }
        let answer = self.search(position, left, tier, true)?.map(|(_, action)| action);
        if let Ok(answer) = &answer {
            self.remember_answer(left, answer);
        }
        Ok(answer)
    }
}

/// Debug builds pick a sample of the excluded actions, and change irrelevant squares on the boards that the
/// current action makes. They panic if the claim does not hold there.
#[cfg(debug_assertions)]
fn audit_agreeing(
    actions: &mut ActionSieve<'_>,
    basis: &Basis,
    defender: Color,
    holds: impl Fn(Position) -> Result<(), String>,
) {
    if let Some((action, after)) = actions.sample_agreeing(basis, defender)
        && let Err(what) = holds(after)
    {
        panic!("{action:?} is left out with {:?}, but {what}", actions.action());
    }
    if let Some(after) = actions.disturbed(basis, defender)
        && let Err(what) = holds(after.clone())
    {
        let boards: Vec<String> =
            after.multiverse().ends().map(|(at, board)| format!("{at:?} {}", board.rows())).collect();
        panic!("{:?} leads to a position that agrees with {boards:?}, but {what}", actions.action());
    }
}

/// For debug builds: fails if a quick search finds a mate in `left` after this defence.
#[cfg(debug_assertions)]
fn is_refuted(mut after: Position, defence: &Defence, left: u32) -> Result<(), String> {
    let Defence::Action(defence) = defence else { return Err("stalemate refutes one action".into()) };
    after.play(defence).map_err(|why| format!("{defence:?} is no reply: {why}"))?;
    match Prover::new(Budget::steps(AUDIT)).mating_answer(&after, left) {
        Ok(Some(mate)) => Err(format!("{mate:?} mates after {defence:?}")),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// For debug builds: fails if a quick search finds that the answer does not mate in `n` after a defence.
#[cfg(debug_assertions)]
fn is_answered(mut after: Position, answer: &Action, n: u32) -> Result<(), String> {
    after.play(answer).map_err(|why| format!("{answer:?} is no answer: {why}"))?;
    match Prover::new(Budget::steps(AUDIT)).surviving_defence(&after, n - 1) {
        Ok(Some(defence)) => Err(format!("{defence:?} survives {answer:?}")),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// The approximate number of actions of the player to move: as if each board could be played alone. Of
/// defences that may all be good, the one that leaves the attacker the fewest has the shortest proof, since
/// each of his actions must be refuted.
fn width(position: &Position) -> u64 {
    let mut moves = Vec::new();
    let mut width: u64 = 1;
    let mandatory: Vec<BoardCoordinate> = position.mandatory_boards().collect();
    for at in position.playable_boards() {
        moves.clear();
        position.pseudo_legal_moves_from(at, &mut moves);
        let choices = moves.len() as u64 + u64::from(!mandatory.contains(&at));
        width = width.saturating_mul(choices.max(1));
    }
    width
}

#[cfg(test)]
mod tests {
    use super::super::Budget;
    use super::*;
    use crate::notation::fen5d;

    /// White may also play a board of a later turn, which Black leaves alone. White's choice there does not
    /// matter: one refutation is for all.
    #[test]
    fn one_refutation_is_found_for_many_actions() {
        let text = "[4k/5/5/5/K4:0:1:w][4k/5/5/5/K4:1:1:w][4k/5/5/5/K4:1:1:b][4k/5/2R2/2N2/K4:1:2:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let legal = position.legal_actions().count();
        assert!(legal > 100, "{legal}");
        let mut actions = ActionSieve::with_basis(&position);
        let mut prover = Prover::new(Budget::default());
        prover.ask_about(&position);
        let mut refuted = 0;
        while prover.advance(&mut actions).unwrap() {
            let (_, basis) =
                prover.refute(actions.after(), 1, Candidates::Complete).unwrap().expect("no mate in 2");
            actions.exclude_agreeing(&basis, !position.to_move());
            refuted += 1;
        }
        assert!(3 * refuted < legal, "{refuted} of {legal}");
    }

    /// Three boards without time travel: the attacker mates at once unless the defender finds the only good
    /// move on each. The position is made so that this defence is the first in the list that is not in the
    /// first batch.
    #[test]
    fn the_first_defence_of_the_second_batch_is_asked_too() {
        const BOARDS: [&str; 6] = [
            "3s/4/2QR/k3",
            "k3/1RS1/4/s3",
            "1S2/2Pk/r3/2P1",
            "1R2/1nKQ/k3/4",
            "4/K3/2bS/k1UQ",
            "1k2/3Q/S3/2q1",
        ];
        let position = |boards: &[&str]| {
            let numbered = boards.iter().enumerate();
            let text: String = numbered
                .map(|(index, rows)| format!("[{rows}:{}:1:b]", index as i16 - boards.len() as i16 / 2))
                .collect();
            let mut setup = fen5d::parse(&text).into_result().unwrap().to_setup();
            setup.profile.time_travel = false;
            Position::from_setup(&setup).unwrap()
        };
        let refutes = |position: &Position, defence: &Action| {
            let mut after = position.clone();
            after.play(defence).expect("a legal action");
            Prover::new(Budget::default()).mating_answer(&after, 1).expect("few steps").is_none()
        };
        let squares = |action: &Action| -> Vec<_> {
            let mut moves: Vec<_> = action.moves().iter().collect();
            moves.sort_by_key(|m| m.from.board);
            moves.iter().map(|m| (m.from.square, m.to.square)).collect()
        };
        let good = BOARDS.map(|rows| {
            let position = position(&[rows]);
            let good: Vec<Action> =
                position.legal_actions().filter(|defence| refutes(&position, defence)).collect();
            assert_eq!(good.len(), 1, "{rows}");
            squares(&good[0])[0]
        });
        let indices = || 0..BOARDS.len();
        let triples = indices().flat_map(|a| indices().flat_map(move |b| indices().map(move |c| [a, b, c])));
        let found = triples.into_iter().find_map(|triple| {
            let position = position(&triple.map(|index| BOARDS[index]));
            let next = position.legal_actions().nth(Prover::new(Budget::default()).in_order)?;
            (squares(&next) == triple.map(|index| good[index])).then_some((position, next))
        });
        let (position, only) = found.expect("boards on which the good defence is listed there");
        let defence = Prover::new(Budget::default()).surviving_defence(&position, 1);
        assert_eq!(defence, Ok(Some(Defence::Action(only))));
    }

    /// After the hop to a4 the pawn may leave b4 free for the queen behind it. Other hops are refuted by a
    /// reply that is found after an action that leaves the pawn in her way. The reply also answers actions
    /// that do not.
    #[test]
    fn a_reply_that_answers_many_actions_relies_on_what_bars_captures_after_each() {
        let text = "[3/3/1r1/3:-1:3:w] [1P1/QRp/3/3:0:2:w] [2k/3/3/3:1:4:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let key: Action = "(0T2w)a3>(-1T3w)a4".parse().unwrap();
        let solution = Prover::new(Budget::default()).solve(&position, 2, true);
        assert_eq!(solution.verdict, crate::search::Verdict::Proven);
        assert_eq!(solution.keys.iter().map(|class| class.key()).collect::<Vec<_>>(), [&key]);
        let text = "[k2/3/3/3:-1:4:w] [N2/1Qp/3/R2:0:2:w] [3/3/1p1/3:1:3:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let mut mating = position.legal_actions().collect::<Vec<_>>();
        mating.retain(|action| {
            let mut after = position.clone();
            after.play_unchecked(action);
            matches!(Prover::new(Budget::default()).surviving_defence(&after, 1), Ok(None))
        });
        let solution = Prover::new(Budget::default()).solve(&position, 2, true);
        assert_eq!(solution.mating_actions.count, mating.len() as u64);
    }
}
