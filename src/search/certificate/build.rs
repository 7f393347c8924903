//! Making a certificate for a mate whose answers are known.

use std::collections::BTreeSet;
use std::fmt;

use super::capture::threats_of;
use super::check::{gives_check, is_proof};
use super::cover::{Cover, Looks};
use super::{Node, Reply, Threat, When};
use crate::search::{Class, Start};
use crate::state::Position;
use crate::types::{Action, Because, BoardCoordinate, Status};

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The last of these actions is a legal defence, to which no answer was given.
    NoAnswer(Vec<Action>),
    /// After these actions the defender has no legal action, but is not in check.
    Stalemate(Vec<Action>),
    /// It was not found out: the budget was spent, or more boards can be played or timelines made at once than the checker
    /// supports.
    Undecided(Because),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NoAnswer(_) => f.write_str("a legal defence has no answer that mates"),
            BuildError::Stalemate(_) => f.write_str("the defender is stalemated"),
            BuildError::Undecided(because) => because.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}

/// Asks for an action of the player to move that mates in so many actions or fewer.
pub type Answers<'a> = dyn FnMut(&Position, u32) -> Option<Action> + 'a;

/// The certificate of a mate: of the position after the attacker's action, which together with this one takes `mate_in`
/// actions at most. It is checked with [`Node::mate_in`], which may be less.
///
/// No threat can be left out of it, and no row either.
///
/// ```
/// use worldlines::notation::fen5d;
/// use worldlines::search::certificate::{Looks, Verdict, certify, check};
///
/// let start = fen5d::parse("[k2/3/1QK:0:1:w]").into_result()?;
/// let key = start.legal_actions().find(|action| {
///     let mut after = start.clone();
///     after.play(action).unwrap();
///     after.status() == worldlines::types::Status::Checkmate
/// });
/// let key = key.expect("a mate");
/// let mut after = start.clone();
/// after.play(&key).unwrap();
/// let looks = Looks::within(100_000);
/// let node = certify(&after, 1, &mut |_, _| None, &looks).expect("a certificate");
/// let verdict = check(&start, &key, 1, &node, &looks);
/// assert!(verdict == Verdict::Accepted { defences: 0 } && looks.spent() < 1_000);
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
///
/// # Errors
///
/// When there is no such mate, as far as `answers` knows, and when there are no looks left.
pub fn certify(
    position: &Position,
    mate_in: u32,
    answers: &mut Answers<'_>,
    looks: &Looks<'_>,
) -> Result<Node, BuildError> {
    let root = Line { position: position.clone(), actions: Vec::new() };
    let node = Builder { answers, looks }.node(&[root], mate_in.saturating_sub(1));
    node.map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::Clash => unreachable!("rows of one defence are made of one position"),
    })
}

/// A position, and the actions that led to it.
#[derive(Clone)]
struct Line {
    position: Position,
    actions: Vec<Action>,
}

impl Line {
    fn after(&self, action: &Action) -> Line {
        let mut after = self.clone();
        after.position.play_unchecked(action);
        after.actions.push(action.clone());
        after
    }
}

/// Why no node was made.
enum Stop {
    Failed(BuildError),
    /// A defence needs different answers in positions that are to share a node.
    Clash,
}

impl From<BuildError> for Stop {
    fn from(error: BuildError) -> Stop {
        Stop::Failed(error)
    }
}

impl From<Because> for Stop {
    fn from(because: Because) -> Stop {
        Stop::Failed(BuildError::Undecided(because))
    }
}

/// Why looking at the actions that parry all threats ended early.
enum Halt {
    /// One of them leaves these threats, which were not named.
    Illegal(Vec<Threat>),
    /// One of them is legal, and that is all that was to be known.
    Legal(Action),
    Undecided(Because),
}

impl From<Because> for Halt {
    fn from(because: Because) -> Halt {
        Halt::Undecided(because)
    }
}

/// A legal defence, and the answer to it.
struct Answered {
    defence: Action,
    after: Line,
    answer: Action,
}

/// How many answers to other defences are tried before a new one is asked for.
const TRIED: usize = 8;

/// How hard an answer to another defence is looked at, in steps of [`Position::outcome_within`].
const OUTCOME_STEPS: u64 = 10_000;

/// As many looks take as long as such a step.
pub const LOOKS_PER_STEP: usize = 64;

struct Builder<'a, 'b> {
    answers: &'a mut Answers<'b>,
    looks: &'a Looks<'a>,
}

impl Builder<'_, '_> {
    /// The node that is true of each of these positions, in which the attacker has at most `left` more actions.
    fn node(&mut self, lines: &[Line], left: u32) -> Result<Node, Stop> {
        let mut threats = Vec::new();
        let mut defences = Vec::new();
        for line in lines {
            let legal = self.complete(line, left, &mut threats)?;
            if legal.is_empty() && !gives_check(&line.position, &threats) {
                let check = line.position.checks().into_iter().next();
                let check = check.ok_or_else(|| BuildError::Stalemate(line.actions.clone()))?;
                threats.push(Threat { from: check.from, to: check.to });
            }
            defences.extend(legal.into_iter().map(|defence| (line, defence)));
        }
        for index in (0..threats.len()).rev() {
            let threat = threats.swap_remove(index);
            for line in lines {
                if !self.suffice(&line.position, &threats)? {
                    threats.push(threat);
                    break;
                }
            }
        }
        threats.sort_unstable();
        Ok(Node { threats, replies: self.rows(defences, left)? })
    }

    /// Adds threats until every action that parries all is legal, and lists these.
    fn complete(&self, line: &Line, left: u32, threats: &mut Vec<Threat>) -> Result<Vec<Action>, Stop> {
        loop {
            let mut legal = Vec::new();
            match self.look(&line.position, threats, (left > 0).then_some(&mut legal)) {
                Ok(()) => return Ok(legal),
                Err(Halt::Illegal(found)) => {
                    let best = found.into_iter().min_by_key(|threat| cost(&line.position, threat));
                    threats.extend(best);
                }
                Err(Halt::Legal(defence)) => {
                    return Err(BuildError::NoAnswer(line.after(&defence).actions).into());
                }
                Err(Halt::Undecided(because)) => return Err(because.into()),
            }
        }
    }

    /// Whether these threats are all that is needed in a position.
    fn suffice(&self, position: &Position, threats: &[Threat]) -> Result<bool, Because> {
        let mut legal = Vec::new();
        match self.look(position, threats, Some(&mut legal)) {
            Ok(()) => Ok(!legal.is_empty() || gives_check(position, threats)),
            Err(Halt::Undecided(because)) => Err(because),
            Err(Halt::Illegal(_) | Halt::Legal(_)) => Ok(false),
        }
    }

    /// Looks at the actions that parry all threats, and lists the legal ones, if they are wanted.
    fn look(
        &self,
        position: &Position,
        threats: &[Threat],
        mut legal: Option<&mut Vec<Action>>,
    ) -> Result<(), Halt> {
        let mut after = position.clone();
        Cover::new(position, threats, self.looks)?.parries(self.looks, |action| {
            after.play_unchecked(&action);
            let left = threats_of(&after, after.to_move(), self.looks)?;
            after.undo_unchecked(&action);
            match &mut legal {
                _ if !left.is_empty() => return Err(Halt::Illegal(left)),
                Some(legal) => legal.push(action),
                None => return Err(Halt::Legal(action)),
            }
            Ok(())
        })
    }

    /// The rows that answer these defences, each with the position in which it is made.
    fn rows(&mut self, defences: Vec<(&Line, Action)>, left: u32) -> Result<Vec<Reply>, Stop> {
        let mut groups = self.answered(defences, left)?;
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let sets: Vec<BTreeSet<&Action>> =
            groups.iter().map(|group| group.iter().map(|it| &it.defence).collect()).collect();
        let distinct: BTreeSet<&Action> = sets.iter().flatten().copied().collect();
        if sets.iter().map(BTreeSet::len).sum::<usize>() > distinct.len() {
            return Err(Stop::Clash);
        }
        let mut rows: Vec<(Reply, Vec<&Answered>)> = Vec::new();
        let mut otherwise = None;
        for (index, (group, set)) in groups.iter().zip(&sets).enumerate() {
            let members: Vec<&Answered> = group.iter().collect();
            let when = match set.first() {
                Some(only) if set.len() == 1 => Some(When::If((*only).clone())),
                _ if index == 0 => Some(When::Otherwise),
                _ => class_of(set, &distinct).map(When::Class),
            };
            let shared = match when {
                Some(when) => match self.row(when, &members, left) {
                    Err(Stop::Clash) if set.len() > 1 => None,
                    row => Some(row?),
                },
                None => None,
            };
            match shared {
                Some(row) if row.when == When::Otherwise => otherwise = Some(row),
                Some(row) => rows.push((row, members)),
                None => {
                    for &defence in set {
                        let members: Vec<&Answered> =
                            group.iter().filter(|it| it.defence == *defence).collect();
                        rows.push((self.row(When::If(defence.clone()), &members, left)?, members));
                    }
                }
            }
        }
        // What the last row answers as well needs no row of its own.
        if let Some(Reply { answer, node, .. }) = &otherwise {
            rows.retain(|(_, members)| {
                !members.iter().all(|it| is_proof(&it.after.position, answer, node, self.looks))
            });
        }
        Ok(rows.into_iter().map(|(row, _)| row).chain(otherwise).collect())
    }

    /// One row, which answers all of these defences in the same way.
    fn row(&mut self, when: When, members: &[&Answered], left: u32) -> Result<Reply, Stop> {
        let answer = members[0].answer.clone();
        let lines: Vec<Line> = members.iter().map(|it| it.after.after(&answer)).collect();
        Ok(Reply { when, node: self.node(&lines, left - 1)?, answer })
    }

    /// Answers each defence, and puts those together that have the same answer. Few different answers are used.
    fn answered(&mut self, defences: Vec<(&Line, Action)>, left: u32) -> Result<Vec<Vec<Answered>>, Stop> {
        let mut groups: Vec<Vec<Answered>> = Vec::new();
        for (line, defence) in defences {
            let after = line.after(&defence);
            let mut known: Vec<usize> = (0..groups.len()).collect();
            let has_answered = |group: &Vec<Answered>| group.iter().any(|it| it.defence == defence);
            known.sort_by_key(|&index| {
                (!has_answered(&groups[index]), std::cmp::Reverse(groups[index].len()))
            });
            let mut answer = None;
            for &index in known.iter().take(TRIED) {
                if self.mates(&after.position, &groups[index][0].answer, left)? {
                    answer = Some(groups[index][0].answer.clone());
                    break;
                }
            }
            let answer = answer.or_else(|| (self.answers)(&after.position, left));
            let answer = answer.ok_or_else(|| BuildError::NoAnswer(after.actions.clone()))?;
            let group = groups.iter().position(|group| group[0].answer == answer);
            let answered = Answered { defence, after, answer };
            match group {
                Some(index) => groups[index].push(answered),
                None => groups.push(vec![answered]),
            }
        }
        Ok(groups)
    }

    /// Whether this action of the player to move mates in so many actions at most.
    fn mates(&mut self, position: &Position, action: &Action, left: u32) -> Result<bool, Stop> {
        let mut position = position.clone();
        if !position.play_if_legal(action) {
            return Ok(false);
        }
        if left == 1 {
            let outcome = position.outcome_within(OUTCOME_STEPS);
            let steps = outcome.as_ref().map_or_else(|undecided| undecided.steps, |outcome| outcome.steps);
            self.looks.spend(LOOKS_PER_STEP * steps as usize)?;
            return Ok(outcome.is_ok_and(|outcome| outcome.status == Status::Checkmate));
        }
        match self.node(&[Line { position, actions: Vec::new() }], left - 1) {
            Ok(_) => Ok(true),
            Err(Stop::Failed(BuildError::Undecided(because))) => Err(because.into()),
            Err(_) => Ok(false),
        }
    }
}

/// How many boards have to be left alone for a threat to stand, and how long its way is.
fn cost(position: &Position, threat: &Threat) -> (usize, usize) {
    let needs = threat.needs(!position.to_move(), true).into_iter().flatten();
    let boards: Vec<BoardCoordinate> = needs.map(|(at, _)| at).collect();
    let made: BTreeSet<_> = boards.iter().filter(|at| position.board(**at).is_none()).collect();
    (made.len(), boards.len())
}

/// A class of all these actions and none of the others, if there is one.
fn class_of(members: &BTreeSet<&Action>, all: &BTreeSet<&Action>) -> Option<Class> {
    let mut boards: Vec<(BoardCoordinate, Vec<Start>)> = Vec::new();
    let named: BTreeSet<_> = all.iter().flat_map(|action| action.moves()).map(|m| m.from.board).collect();
    for board in named {
        boards.push((board, members.iter().map(|action| Start::of(action, board)).collect()));
    }
    let is_class = |boards: &[(BoardCoordinate, Vec<Start>)]| {
        let class = Class::new(boards.to_vec());
        all.iter().all(|action| !class.contains(action) || members.contains(action)).then_some(class)
    };
    let mut class = is_class(&boards)?;
    // Boards that tell none apart are not named.
    for index in (0..boards.len()).rev() {
        let board = boards.remove(index);
        match is_class(&boards) {
            Some(wider) => class = wider,
            None => boards.insert(index, board),
        }
    }
    Some(class)
}
