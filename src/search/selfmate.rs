//! Selfmates: the player to move forces the opponent to mate him, against the opponent's will.
//!
//! An and/or search, depth first, like that for mates. A reply that did not mate is tried first against other
//! actions, since one such reply refutes an action. Begin at [`Prover::selfmates`].

use std::collections::{BTreeMap, BTreeSet};

use super::prover::Prover;
use super::{Defence, KeyClass, Try, Verdict};
use crate::rules::Count;
use crate::state::Position;
use crate::types::{Action, Move, MoveKind, Undecided};

/// The number of refuting replies that are remembered for each number of actions left.
const REMEMBERED: usize = 8;

/// The answer to whether there is a selfmate, with its first actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selfmates {
    /// Whether there is one.
    pub verdict: Verdict,
    /// The first actions that force it and contain no smaller one that does, by class. All of them if
    /// `complete`.
    pub keys: Vec<KeyClass>,
    /// Whether every first action was examined.
    pub complete: bool,
    /// The fewest actions that force it, if known.
    pub shortest: Option<u32>,
    /// The number of legal first actions, if `complete`.
    pub legal_actions: Count,
    /// The number of first actions that force it, if `complete`.
    pub forcing_actions: u64,
    /// If there is none: an action, and the opponent's reply that avoids mating.
    pub near_miss: Option<Try>,
    /// The reason why the search ended early.
    pub undecided: Option<Undecided>,
}

/// A reply of the opponent, and the continuation after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForcedReply {
    /// The opponent's action.
    pub reply: Action,
    /// The number of further actions in which the selfmate is forced; 0 if this reply mates.
    pub left: u32,
    /// An action that forces it, unless this reply mates.
    pub answer: Option<Action>,
}

/// Replies that did not mate, indexed by the number of actions left.
#[derive(Default)]
struct Evasions(Vec<Vec<Action>>);

impl Evasions {
    fn at(&mut self, left: u32) -> &mut Vec<Action> {
        let level = left as usize;
        if self.0.len() <= level {
            self.0.resize_with(level + 1, Vec::new);
        }
        &mut self.0[level]
    }

    fn remember(&mut self, left: u32, reply: &Action) {
        let known = self.at(left);
        known.retain(|other| other != reply);
        known.insert(0, reply.clone());
        known.truncate(REMEMBERED);
    }
}

impl Prover<'_> {
    /// Looks for selfmates in `n`, at least 1: the player to move plays so that the opponent has to mate him with the `n`-th reply or
    /// sooner, whatever the opponent chooses. With `all`, every key is looked for.
    ///
    /// ```
    /// use worldlines::notation::fen5d;
    /// use worldlines::search::{Budget, Prover, Verdict};
    ///
    /// let position = fen5d::parse("[k2/3/2K:0:1:w]").into_result()?;
    /// let selfmates = Prover::new(Budget::default()).selfmates(&position, 1, false);
    /// assert_eq!(selfmates.verdict, Verdict::Refuted);
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    pub fn selfmates(&mut self, position: &Position, n: u32, all: bool) -> Selfmates {
        let mut found = Selfmates {
            verdict: Verdict::Undecided,
            keys: Vec::new(),
            complete: false,
            shortest: None,
            legal_actions: Count { count: 0, capped: true },
            forcing_actions: 0,
            near_miss: None,
            undecided: None,
        };
        self.ask_about(position);
        found.undecided = self.fill_selfmates(position, n, all, &mut found).err();
        found
    }

    fn fill_selfmates(
        &mut self,
        position: &Position,
        n: u32,
        all: bool,
        found: &mut Selfmates,
    ) -> Result<(), Undecided> {
        let before = self.steps();
        let mut evasions = Evasions::default();
        for length in 1..=n {
            self.show_length(length);
            if let Some(action) = self.selfmating(position, length, &mut evasions)? {
                found.verdict = Verdict::Proven;
                found.shortest = Some(length);
                found.keys = vec![KeyClass::single(action)];
                break;
            }
        }
        if found.verdict != Verdict::Proven {
            found.verdict = Verdict::Refuted;
            found.complete = true;
            found.near_miss = self.refuted_selfmate(position, n, &mut evasions)?;
        } else if all {
            let mut forcing = BTreeSet::new();
            let mut after = position.clone();
            let mut actions = self.actions(position);
            while let Some(action) = self.next_action(&mut actions)? {
                after.play_unchecked(&action);
                let evasion = self.evades(&after, n - 1, &mut evasions);
                after.undo_unchecked(&action);
                if evasion?.is_none() {
                    self.charge_memory(&action)?;
                    forcing.insert(action);
                }
            }
            found.forcing_actions = forcing.len() as u64;
            found.keys = self.classes_of_selfmates(position, &forcing)?;
            found.complete = true;
        }
        if found.complete {
            found.legal_actions = self.count(position, self.steps() - before);
        }
        Ok(())
    }

    /// A reply of the opponent, who is to move, after which no selfmate is forced in `left` more actions.
    /// [`Defence::Stalemate`] stands for a game that ends before the opponent can mate: in stalemate, or with
    /// the opponent mated.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub(crate) fn selfmate_evasion(
        &mut self,
        position: &Position,
        left: u32,
    ) -> Result<Option<Defence>, Undecided> {
        self.ask_about(position);
        self.evades(position, left, &mut Evasions::default())
    }

    /// Every reply of the opponent, who is to move, with the continuation of the selfmate after it, in
    /// canonical order. `None` if one of them avoids the selfmate in `left` more actions, or if there is no
    /// reply.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub(crate) fn forced_replies(
        &mut self,
        position: &Position,
        left: u32,
    ) -> Result<Option<Vec<ForcedReply>>, Undecided> {
        self.ask_about(position);
        let mut evasions = Evasions::default();
        let mut replies = Vec::new();
        let mut after = position.clone();
        let mut actions = self.actions(position);
        while let Some(reply) = self.next_action(&mut actions)? {
            after.play_unchecked(&reply);
            let forced = self.shortest_selfmate(&after, left, &mut evasions);
            after.undo_unchecked(&reply);
            let Some((left, answer)) = forced? else { return Ok(None) };
            self.charge_memory(&reply)?;
            replies.push(ForcedReply { reply, left, answer });
        }
        replies.sort_by(|a, b| a.reply.cmp(&b.reply));
        Ok((!replies.is_empty()).then_some(replies))
    }

    /// The line of a selfmate in `n` that begins with `key`: the opponent resists as long as possible, and
    /// mates with the last action. `None` if `key` does not force it.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    ///
    /// # Panics
    ///
    /// If `key` cannot be played.
    pub(crate) fn selfmate_line(
        &mut self,
        position: &Position,
        n: u32,
        key: &Action,
    ) -> Result<Option<Vec<Action>>, Undecided> {
        let mut line = vec![key.clone()];
        let mut after = position.clone();
        after.play_unchecked(key);
        let mut left = n.saturating_sub(1);
        loop {
            let Some(replies) = self.forced_replies(&after, left)? else { return Ok(None) };
            let longest = replies.into_iter().rev().max_by_key(|reply| reply.left);
            let Some(ForcedReply { reply, left: more, answer }) = longest else { return Ok(None) };
            after.play_unchecked(&reply);
            line.push(reply);
            let Some(answer) = answer else { return Ok(Some(line)) };
            after.play_unchecked(&answer);
            line.push(answer);
            left = more - 1;
        }
    }

    /// The number of actions, at most `left`, in which the player to move forces a selfmate, with an action
    /// that does it; 0 if he is mated already.
    fn shortest_selfmate(
        &mut self,
        position: &Position,
        left: u32,
        evasions: &mut Evasions,
    ) -> Result<Option<(u32, Option<Action>)>, Undecided> {
        if self.is_mated(position)? {
            return Ok(Some((0, None)));
        }
        for length in 1..=left {
            if let Some(action) = self.selfmating(position, length, evasions)? {
                return Ok(Some((length, Some(action))));
            }
        }
        Ok(None)
    }

    fn is_mated(&mut self, position: &Position) -> Result<bool, Undecided> {
        if !position.is_in_check() {
            return Ok(false);
        }
        let searched = position.first_legal_action(self.limit());
        Ok(self.charge_for(searched)?.is_none())
    }

    fn selfmating(
        &mut self,
        position: &Position,
        n: u32,
        evasions: &mut Evasions,
    ) -> Result<Option<Action>, Undecided> {
        let mut after = position.clone();
        let mut actions = self.actions(position);
        while let Some(action) = self.next_action(&mut actions)? {
            after.play_unchecked(&action);
            let evasion = self.evades(&after, n - 1, evasions);
            after.undo_unchecked(&action);
            if evasion?.is_none() {
                return Ok(Some(action));
            }
        }
        Ok(None)
    }

    fn evades(
        &mut self,
        position: &Position,
        left: u32,
        evasions: &mut Evasions,
    ) -> Result<Option<Defence>, Undecided> {
        let mut after = position.clone();
        for index in 0..evasions.at(left).len() {
            let reply = evasions.at(left)[index].clone();
            self.charge_trial()?;
            if after.play_if_legal(&reply) {
                let evades = self.is_out(&after, left, evasions);
                after.undo_unchecked(&reply);
                if evades? {
                    evasions.remember(left, &reply);
                    return Ok(Some(Defence::Action(reply)));
                }
            }
        }
        let mut any = false;
        let mut replies = self.actions(position);
        while let Some(reply) = self.next_action(&mut replies)? {
            any = true;
            after.play_unchecked(&reply);
            let evades = self.is_out(&after, left, evasions);
            after.undo_unchecked(&reply);
            if evades? {
                evasions.remember(left, &reply);
                return Ok(Some(Defence::Action(reply)));
            }
        }
        Ok((!any).then_some(Defence::Stalemate))
    }

    /// Whether the player to move is neither mated nor able to force a selfmate in `left` actions.
    fn is_out(&mut self, position: &Position, left: u32, evasions: &mut Evasions) -> Result<bool, Undecided> {
        if self.is_mated(position)? {
            return Ok(false);
        }
        Ok(left == 0 || self.selfmating(position, left, evasions)?.is_none())
    }

    /// The first legal action, if there is any, with its refutation.
    fn refuted_selfmate(
        &mut self,
        position: &Position,
        n: u32,
        evasions: &mut Evasions,
    ) -> Result<Option<Try>, Undecided> {
        let searched = position.first_legal_action(self.limit());
        let Some(action) = self.charge_for(searched)? else { return Ok(None) };
        let mut after = position.clone();
        after.play_unchecked(&action);
        let refutation = self.evades(&after, n - 1, evasions)?;
        Ok(refutation.map(|refutation| Try { action, refutation }))
    }

    /// The classes of all actions that force a selfmate, formed as for mates: actions that contain a smaller
    /// one are left out, and those that differ only on free boards are put together.
    pub(super) fn classes_of_selfmates(
        &mut self,
        position: &Position,
        forcing: &BTreeSet<Action>,
    ) -> Result<Vec<KeyClass>, Undecided> {
        let mut classes = BTreeMap::new();
        for key in forcing {
            self.charge(forcing.len() as u64 / 64)?;
            if forcing.iter().any(|part| part != key && key.contains(part)) {
                continue;
            }
            let mut free = Vec::new();
            for m in key.moves().iter().filter(|m| m.kind == MoveKind::Physical) {
                if self.is_free_in_selfmate(position, key, m, forcing)? {
                    free.push(m.from.board);
                }
            }
            if key.moves().iter().all(|m| free.contains(&m.from.board)) {
                free.clear();
            }
            let bound: Vec<Move> =
                key.moves().iter().filter(|m| !free.contains(&m.from.board)).copied().collect();
            classes.entry((bound, free)).or_insert_with(Vec::new).push(key.clone());
        }
        let mut classes: Vec<KeyClass> =
            classes.into_iter().map(|((_, free), keys)| KeyClass::of(keys, free)).collect();
        classes.sort_by(|a, b| a.key().cmp(b.key()));
        Ok(classes)
    }

    fn is_free_in_selfmate(
        &mut self,
        position: &Position,
        key: &Action,
        m: &Move,
        forcing: &BTreeSet<Action>,
    ) -> Result<bool, Undecided> {
        let mut others = Vec::new();
        position.pseudo_legal_moves_from(m.from.board, &mut others);
        let mut alternatives = 0;
        for other in others.iter().filter(|other| other.kind == MoveKind::Physical && *other != m) {
            let replaced = key.moves().iter().map(|old| if old == m { *other } else { *old });
            let replaced = Action::new(replaced.collect());
            self.charge_trial()?;
            if forcing.contains(&replaced) {
                alternatives += 1;
            } else if position.clone().play_if_legal(&replaced) {
                return Ok(false);
            }
        }
        Ok(alternatives > 0)
    }
}
