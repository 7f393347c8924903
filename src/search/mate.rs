//! Mate in N: proven against every legal defence, refuted with a defence that survives, or undecided.
//!
//! N counts the attacker's actions. The search is complete: it looks at every action of both sides, quiet ones too, and
//! only its order is a guess. It is single-threaded and counts its work in nodes, so the same question with the same
//! budget has the same answer on every machine.

use std::fmt;

use crate::rules::{Count, Undecided};
use crate::state::Position;
use crate::types::Action;

/// How much work a proof may take.
///
/// A node is one combination of moves that was looked at in search of a legal action, or one legal action that was
/// tried, whichever side makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The most nodes.
    pub nodes: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { nodes: 2_000_000 }
    }
}

/// What is known of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It holds.
    Proven,
    /// It does not hold.
    Refuted,
    /// The budget was spent first.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Proven => "proven",
            Verdict::Refuted => "refuted",
            Verdict::Undecided => "undecided",
        })
    }
}

/// Why an attacker's action does not mate in the actions that are left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defence {
    /// This legal action of the defender leaves no mate in time.
    Action(Action),
    /// The defender has no legal action but is not in check: stalemate.
    Stalemate,
}

/// A question to [`solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solve {
    /// N: how many actions the attacker, who is to move, may use. At least 1.
    pub mate_in: u32,
    /// Whether to find every action that mates, instead of one.
    pub all: bool,
    /// How much work may be done.
    pub budget: Budget,
}

/// The answer of [`solve`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Whether there is a mate in N.
    pub verdict: Verdict,
    /// First actions that mate in N or less: all of them if that was asked for and `mating_actions` is exact. In the
    /// order in which they were found.
    pub keys: Vec<Action>,
    /// How many first actions were looked at to the end, and whether there are more.
    pub examined: Count,
    /// How many of them mate in N or less, and whether there may be more.
    pub mating_actions: Count,
    /// The smallest number of actions in which the attacker mates, when it is known.
    pub shortest: Option<u32>,
    /// When no key was found: an action that comes near, and why it does not mate.
    pub near_miss: Option<(Action, Defence)>,
    /// How much work was done.
    pub nodes: u64,
}

/// Looks for mates in `question.mate_in` by the player to move.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use worldlines::notation::fen5d;
/// use worldlines::search::{Budget, Solve, Verdict, solve};
///
/// let position = fen5d::read("[5k/w5/5K/1R4:0:1:w]")?;
/// let solution = solve(&position, Solve { mate_in: 1, all: true, budget: Budget::default() });
/// assert_eq!(solution.verdict, Verdict::Proven);
/// # Ok(())
/// # }
/// ```
pub fn solve(position: &Position, question: Solve) -> Solution {
    let mut prover = Prover { position: position.clone(), nodes: 0, limit: question.budget.nodes };
    let mut solution = Solution {
        verdict: Verdict::Refuted,
        keys: Vec::new(),
        examined: Count { count: 0, capped: false },
        mating_actions: Count { count: 0, capped: false },
        shortest: None,
        near_miss: None,
        nodes: 0,
    };
    // A mate in fewer actions is looked for first: it is cheap, and tells how short the shortest is.
    let mut complete = Ok(());
    for n in 1..=question.mate_in {
        let last = n == question.mate_in;
        let mut attempt = Attempt { all: question.all && last, ..Attempt::default() };
        complete = prover.try_every_action(n, &mut attempt);
        let found = !attempt.keys.is_empty();
        if found && solution.shortest.is_none() {
            solution.shortest = Some(n);
        }
        if last || complete.is_err() || (found && !question.all) {
            solution.examined = Count { count: attempt.examined, capped: attempt.cut || complete.is_err() };
            solution.mating_actions =
                Count { count: attempt.keys.len() as u64, capped: attempt.cut || complete.is_err() };
            solution.near_miss = attempt.near_miss.filter(|_| !found);
            solution.keys = attempt.keys;
            break;
        }
    }
    solution.verdict = match (solution.keys.is_empty(), complete) {
        (false, _) => Verdict::Proven,
        (true, Ok(())) => Verdict::Refuted,
        (true, Err(Undecided { .. })) => Verdict::Undecided,
    };
    solution.nodes = prover.nodes;
    solution
}

/// After an action of the attacker: a defence that leaves no mate in `left` further actions of the attacker, or `None`
/// when there is none. `left` = 0 asks whether the player to move is checkmated.
///
/// The second part of the answer is the number of nodes that were spent.
///
/// # Errors
///
/// When the budget is spent before the answer is known.
pub fn surviving_defence(
    position: &Position,
    left: u32,
    budget: Budget,
) -> Result<(Option<Defence>, u64), Undecided> {
    let mut prover = Prover { position: position.clone(), nodes: 0, limit: budget.nodes };
    let defence = prover.defence(left, &mut Vec::new())?;
    Ok((defence, prover.nodes))
}

/// What trying the attacker's first actions gave.
#[derive(Default)]
struct Attempt {
    /// Whether to go on after the first key.
    all: bool,
    keys: Vec<Action>,
    examined: u64,
    /// Whether the list of actions was left before its end.
    cut: bool,
    near_miss: Option<(Action, Defence)>,
}

struct Prover {
    position: Position,
    nodes: u64,
    limit: u64,
}

/// How many refuting or mating answers are remembered and tried first on the next sibling.
const REMEMBERED: usize = 4;

impl Prover {
    fn spend(&mut self, nodes: u64) -> Result<(), Undecided> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > self.limit { Err(Undecided { steps: self.limit }) } else { Ok(()) }
    }

    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.nodes)
    }

    /// Tries the actions of the attacker, who is to move, for a mate in `n`: first those that give check, then, if there
    /// is more than one action left, the quiet ones. Nothing is stored in between, as there can be millions.
    fn try_every_action(&mut self, n: u32, attempt: &mut Attempt) -> Result<(), Undecided> {
        let mut killers = Vec::new();
        let passes: &[bool] = if n > 1 { &[true, false] } else { &[true] };
        for &checking in passes {
            if self.try_actions(n, checking, &mut killers, attempt)? {
                attempt.cut = true;
                break;
            }
        }
        Ok(())
    }

    /// Tries the actions that give check, or those that do not. True when the search for keys is over.
    fn try_actions(
        &mut self,
        n: u32,
        checking: bool,
        killers: &mut Vec<Action>,
        attempt: &mut Attempt,
    ) -> Result<bool, Undecided> {
        let base = self.position.clone();
        let mut actions = base.legal_actions().within(self.left());
        let mut counted = 0;
        while let Some(action) = actions.next() {
            // Blocks give many actions for one step, but each has to be looked at.
            self.spend(actions.steps() - counted + 1)?;
            counted = actions.steps();
            self.position.play_unchecked(&action);
            let done = if self.position.is_in_check() == checking {
                self.try_action(&action, n, killers, attempt)
            } else {
                // Only the last action of a mate must give check.
                attempt.examined += u64::from(n == 1);
                Ok(false)
            };
            self.position.undo(&action);
            if done? {
                return Ok(true);
            }
        }
        self.spend(actions.steps() - counted)?;
        if actions.is_complete() { Ok(false) } else { Err(Undecided { steps: self.limit }) }
    }

    /// Looks at an action of the attacker that has been played. True when the search for keys is over.
    fn try_action(
        &mut self,
        action: &Action,
        n: u32,
        killers: &mut Vec<Action>,
        attempt: &mut Attempt,
    ) -> Result<bool, Undecided> {
        match self.defence(n - 1, killers)? {
            None => {
                attempt.keys.push(action.clone());
                attempt.examined += 1;
                return Ok(!attempt.all);
            }
            Some(defence) => {
                attempt.examined += 1;
                if attempt.near_miss.is_none() {
                    attempt.near_miss = Some((action.clone(), defence));
                }
            }
        }
        Ok(false)
    }

    /// A defence of the player to move after which the attacker has no mate in `left` actions. Defences that worked
    /// against other actions are tried first, and the one that works is remembered.
    fn defence(&mut self, left: u32, killers: &mut Vec<Action>) -> Result<Option<Defence>, Undecided> {
        for index in 0..killers.len() {
            let killer = killers[index].clone();
            self.spend(1)?;
            if self.position.play(&killer).is_ok() {
                let survives = left == 0 || self.reply(left)?.is_none();
                self.position.undo(&killer);
                if survives {
                    killers.swap(0, index);
                    return Ok(Some(Defence::Action(killer)));
                }
            }
        }
        let base = self.position.clone();
        let mut defences = base.legal_actions().within(self.left());
        let mut counted = 0;
        let mut any = false;
        let mut replies: Vec<Action> = Vec::new();
        while let Some(defence) = defences.next() {
            any = true;
            self.spend(defences.steps() - counted + 1)?;
            counted = defences.steps();
            let survives = left == 0 || {
                self.position.play_unchecked(&defence);
                let answered = self.answer(left, &mut replies);
                self.position.undo(&defence);
                !answered?
            };
            if survives {
                killers.insert(0, defence.clone());
                killers.truncate(REMEMBERED);
                return Ok(Some(Defence::Action(defence)));
            }
        }
        self.spend(defences.steps() - counted)?;
        if !defences.is_complete() {
            return Err(Undecided { steps: self.limit });
        }
        Ok((!any && !self.position.is_in_check()).then_some(Defence::Stalemate))
    }

    /// Whether the attacker, who is to move, mates in `left`. Replies that mated after other defences are tried first.
    fn answer(&mut self, left: u32, replies: &mut Vec<Action>) -> Result<bool, Undecided> {
        for index in 0..replies.len() {
            let reply = replies[index].clone();
            self.spend(1)?;
            if self.position.play(&reply).is_ok() {
                let defence = self.defence(left - 1, &mut Vec::new());
                self.position.undo(&reply);
                if defence?.is_none() {
                    replies.swap(0, index);
                    return Ok(true);
                }
            }
        }
        match self.reply(left)? {
            Some(reply) => {
                replies.insert(0, reply);
                replies.truncate(REMEMBERED);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// An action of the attacker that mates in `left` or less, the shortest mate first.
    fn reply(&mut self, left: u32) -> Result<Option<Action>, Undecided> {
        for n in 1..=left {
            let mut attempt = Attempt::default();
            self.try_every_action(n, &mut attempt)?;
            if let Some(key) = attempt.keys.pop() {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
}
