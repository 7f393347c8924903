//! Making a certificate for a mate whose answers are known.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use super::capture::threats_of;
use super::check::{gives_check, is_proof};
use super::cover::Cover;
use super::looks::{Held, Looks};
use super::{Node, Reply, Threat, When};
use crate::search::{Class, Start};
use crate::state::Position;
use crate::types::{Action, Because, BoardCoordinate, Move, Status};

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The last of these actions is a legal defence, to which no answer was given.
    NoAnswer(Vec<Action>),
    /// After these actions the defender has no legal action, but is not in check.
    Stalemate(Vec<Action>),
    /// It was not found out: looks or memory did not suffice, or more timelines can be made than are supported.
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
/// use worldlines::search::certificate::{Looks, CheckResult, certify, check};
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
/// assert!(verdict == CheckResult::Accepted { defences: 0 } && looks.spent() < 1_000);
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
///
/// # Errors
///
/// When there is no such mate, as far as `answers` knows, and when no looks or bytes are left.
pub fn certify(
    position: &Position,
    mate_in: u32,
    answers: &mut Answers<'_>,
    looks: &Looks<'_>,
) -> Result<Node, BuildError> {
    certify_at(Length::Short, position, mate_in, answers, looks)
}

/// The length of a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Length {
    /// Threats and rows that are not needed are left out.
    Short,
    /// They stay, which takes less time.
    Any,
}

/// The same, of this length.
pub(in crate::search) fn certify_at(
    length: Length,
    position: &Position,
    mate_in: u32,
    answers: &mut Answers<'_>,
    looks: &Looks<'_>,
) -> Result<Node, BuildError> {
    let mut builder = Builder { position: position.clone(), answers, looks, kept: looks.hold(), length };
    let node = builder.node(&[Line::default()], mate_in.saturating_sub(1));
    node.map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::Clash => unreachable!("rows of one defence are made of one position"),
    })
}

/// The actions that lead to a position. Lines share what they have in common.
#[derive(Clone, Default)]
struct Line(Option<Rc<(Line, Action)>>);

impl Line {
    fn then(&self, action: &Action) -> Line {
        Line(Some(Rc::new((self.clone(), action.clone()))))
    }

    /// The last of its actions.
    fn last(&self) -> &Action {
        &self.0.as_ref().expect("a line of at least one action").1
    }

    /// Its actions, the last one first.
    fn backward(&self) -> impl Iterator<Item = &Action> {
        std::iter::successors(self.0.as_deref(), |(before, _)| before.0.as_deref()).map(|(_, action)| action)
    }

    /// Its actions in their order.
    fn actions(&self) -> Vec<Action> {
        let mut actions: Vec<Action> = self.backward().cloned().collect();
        actions.reverse();
        actions
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

/// Legal defences, each the last action of its line, that have one answer.
struct Group {
    answer: Action,
    lines: Vec<Line>,
}

impl Group {
    /// The defences, each once.
    fn defences(&self) -> BTreeSet<&Action> {
        self.lines.iter().map(Line::last).collect()
    }
}

/// The bytes for a defence, in a list, a line, a group and the sets by which groups are told apart, without its moves.
const DEFENCE: usize = 256;

/// The number of answers to other defences that are tried before a new one is asked for.
const TRIED: usize = 8;

/// Steps of [`Position::outcome_within`] for testing whether a known answer works here too.
const OUTCOME_STEPS: u64 = 10_000;

/// The number of looks that take as long as such a step.
pub const LOOKS_PER_STEP: usize = 64;

struct Builder<'a, 'b> {
    /// The position after the key, wherever the builder is not in [`Builder::after`].
    position: Position,
    answers: &'a mut Answers<'b>,
    looks: &'a Looks<'a>,
    /// The bytes of the nodes that are made.
    kept: Held<'a>,
    length: Length,
}

/// The defences after all lines that lead to one node.
struct Defences<'a> {
    /// Each the last action of its line.
    lines: Vec<Line>,
    /// The boards that the defender can play after every line; `None` before the first.
    playable: Option<BTreeSet<BoardCoordinate>>,
    held: Held<'a>,
}

impl<'a> Builder<'a, '_> {
    /// Does something in the position after a line.
    fn after<T, E: From<Because>>(
        &mut self,
        line: &Line,
        act: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let actions: Vec<&Action> = line.backward().collect();
        self.looks.charge(actions.len())?;
        actions.iter().rev().for_each(|action| self.position.play_unchecked(action));
        let done = act(self);
        actions.iter().for_each(|action| self.position.undo_unchecked(action));
        done
    }

    /// The node that is true after each of these lines, where the attacker has at most `left` more actions.
    fn node(&mut self, lines: &[Line], left: u32) -> Result<Node, Stop> {
        let mut threats = Vec::new();
        let mut defences = Defences { lines: Vec::new(), playable: None, held: self.looks.hold() };
        for line in lines {
            self.after(line, |builder| builder.complete(line, left, &mut threats, &mut defences))?;
        }
        let tried = if self.length == Length::Short { threats.len() } else { 0 };
        for index in (0..tried).rev() {
            let threat = threats.swap_remove(index);
            if !self.suffice(lines, &threats)? {
                threats.push(threat);
            }
        }
        threats.sort_unstable();
        let node = Node { threats, replies: self.rows(&defences, left)? };
        self.kept.take(bytes_of(&node))?;
        Ok(node)
    }

    /// Adds threats until every action after a line that parries all is legal, and lists these; without any until there is a check.
    fn complete(
        &mut self,
        line: &Line,
        left: u32,
        threats: &mut Vec<Threat>,
        defences: &mut Defences<'a>,
    ) -> Result<(), Stop> {
        let here: BTreeSet<_> = self.position.playable_boards().collect();
        let playable = defences.playable.get_or_insert_with(|| here.clone());
        playable.retain(|board| here.contains(board));
        let before = defences.lines.len();
        let mut cover = Cover::new(&self.position, threats, self.looks)?;
        while let Some(action) = cover.next_action()? {
            let stands = self.threats_after(&action)?;
            if let Some(threat) = stands.into_iter().min_by_key(|threat| cost(&self.position, threat)) {
                threats.push(threat);
                cover.add_threat(&self.position, threat)?;
                continue;
            }
            if left == 0 {
                return Err(BuildError::NoAnswer(line.then(&action).actions()).into());
            }
            defences.held.take(DEFENCE + size_of_val(action.moves()))?;
            defences.lines.push(line.then(&action));
        }
        if defences.lines.len() == before && !gives_check(&mut self.position, threats) {
            let check = self.position.checks().into_iter().next();
            let check = check.ok_or_else(|| BuildError::Stalemate(line.actions()))?;
            threats.push(Threat { from: check.from, to: check.to });
        }
        Ok(())
    }

    /// The threats that an action leaves.
    fn threats_after(&mut self, action: &Action) -> Result<Vec<Threat>, Because> {
        self.position.play_unchecked(action);
        let threats = threats_of(&self.position, self.looks);
        self.position.undo_unchecked(action);
        threats
    }

    /// Whether these threats are all that is needed after each of these lines.
    fn suffice(&mut self, lines: &[Line], threats: &[Threat]) -> Result<bool, Because> {
        for line in lines {
            if !self.after(line, |builder| builder.suffice_here(threats))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn suffice_here(&mut self, threats: &[Threat]) -> Result<bool, Because> {
        let mut is_legal = false;
        let mut cover = Cover::new(&self.position, threats, self.looks)?;
        while let Some(action) = cover.next_action()? {
            is_legal = self.threats_after(&action)?.is_empty();
            if !is_legal {
                return Ok(false);
            }
        }
        Ok(is_legal || gives_check(&mut self.position, threats))
    }

    /// The rows that answer these defences.
    fn rows(&mut self, defences: &Defences<'a>, left: u32) -> Result<Vec<Reply>, Stop> {
        let mut groups = self.answered(&defences.lines, left)?;
        groups.sort_by_key(|group| std::cmp::Reverse(group.lines.len()));
        let sets: Vec<BTreeSet<&Action>> = groups.iter().map(Group::defences).collect();
        let distinct: BTreeSet<&Action> = sets.iter().flatten().copied().collect();
        if sets.iter().map(BTreeSet::len).sum::<usize>() > distinct.len() {
            return Err(Stop::Clash);
        }
        let mut rows: Vec<(Reply, Vec<&Line>)> = Vec::new();
        let mut otherwise = None;
        for (index, (group, set)) in groups.iter().zip(&sets).enumerate() {
            let members: Vec<&Line> = group.lines.iter().collect();
            let when = match set.first() {
                Some(only) if set.len() == 1 => Some(When::If((*only).clone())),
                _ if index == 0 => Some(When::Otherwise),
                _ => self.class_of(set, &distinct, defences)?.map(When::Class),
            };
            let shared = match when {
                Some(when) => match self.row(when, &members, &group.answer, left) {
                    Err(Stop::Clash) if set.len() > 1 => None,
                    row => Some(row?),
                },
                None => None,
            };
            match shared {
                Some(row) if row.when == When::Otherwise => otherwise = Some(row),
                Some(row) => rows.push((row, members)),
                None => {
                    for (defence, lines) in by_defence(&members) {
                        let when = When::If(defence.clone());
                        rows.push((self.row(when, &lines, &group.answer, left)?, lines));
                    }
                }
            }
        }
        let mut kept = Vec::new();
        for (row, members) in rows {
            if self.length == Length::Any || !self.is_answered_by(otherwise.as_ref(), &members)? {
                kept.push(row);
            }
        }
        Ok(kept.into_iter().chain(otherwise).collect())
    }

    /// One row, which answers all of these defences in the same way.
    fn row(&mut self, when: When, members: &[&Line], answer: &Action, left: u32) -> Result<Reply, Stop> {
        let before = self.kept.bytes();
        let lines: Vec<Line> = members.iter().map(|line| line.then(answer)).collect();
        let node = self.node(&lines, left - 1).inspect_err(|_| self.kept.keep(before))?;
        Ok(Reply { when, answer: answer.clone(), node })
    }

    /// Whether the last row answers these defences as well, so that they need no row of their own.
    fn is_answered_by(&mut self, otherwise: Option<&Reply>, members: &[&Line]) -> Result<bool, Stop> {
        let Some(Reply { answer, node, .. }) = otherwise else { return Ok(false) };
        for line in members {
            if !self.after(line, |builder| is_proof(&mut builder.position, answer, node, builder.looks))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Answers each defence, and puts those together that have the same answer. Few different answers are used.
    fn answered(&mut self, defences: &[Line], left: u32) -> Result<Vec<Group>, Stop> {
        let mut groups: Vec<Group> = Vec::new();
        // By defence the groups that have it, after another line.
        let mut answered_by: BTreeMap<&Action, BTreeSet<usize>> = BTreeMap::new();
        for line in defences {
            let had = answered_by.entry(line.last()).or_default();
            let answer = match self.known_answer(line, &groups, had, left)? {
                Some(index) => groups[index].answer.clone(),
                None => self.new_answer(line, left)?,
            };
            let index = groups.iter().position(|group| group.answer == answer);
            let index = index.unwrap_or_else(|| {
                groups.push(Group { answer, lines: Vec::new() });
                groups.len() - 1
            });
            groups[index].lines.push(line.clone());
            had.insert(index);
        }
        Ok(groups)
    }

    /// The group whose answer mates after this line too: one that `had` this defence, if possible, or has many.
    fn known_answer(
        &mut self,
        line: &Line,
        groups: &[Group],
        had: &BTreeSet<usize>,
        left: u32,
    ) -> Result<Option<usize>, Stop> {
        self.looks.charge(groups.len() / 8)?;
        let mut known: Vec<usize> = (0..groups.len()).collect();
        known.sort_by_key(|index| (!had.contains(index), std::cmp::Reverse(groups[*index].lines.len())));
        for index in known.into_iter().take(TRIED) {
            if self.mates(line, &groups[index].answer, left)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// An answer to the last action of a line that whoever knows the answers gives.
    fn new_answer(&mut self, line: &Line, left: u32) -> Result<Action, Stop> {
        let answer =
            self.after(line, |builder| Ok::<_, Because>((builder.answers)(&builder.position, left)))?;
        Ok(answer.ok_or_else(|| BuildError::NoAnswer(line.actions()))?)
    }

    /// Whether this action mates after a line in so many actions at most.
    fn mates(&mut self, line: &Line, action: &Action, left: u32) -> Result<bool, Stop> {
        if left == 1 {
            return Ok(self.after(line, |builder| builder.mates_at_once(action))?);
        }
        let is_legal = self.after(line, |builder| {
            let is_legal = builder.position.play_if_legal(action);
            if is_legal {
                builder.position.undo_unchecked(action);
            }
            Ok::<_, Because>(is_legal)
        })?;
        if !is_legal {
            return Ok(false);
        }
        let before = self.kept.bytes();
        let node = self.node(&[line.then(action)], left - 1);
        self.kept.keep(before);
        match node {
            Ok(_) => Ok(true),
            Err(Stop::Failed(BuildError::Undecided(because))) => Err(because.into()),
            Err(_) => Ok(false),
        }
    }

    fn mates_at_once(&mut self, action: &Action) -> Result<bool, Because> {
        if !self.position.play_if_legal(action) {
            return Ok(false);
        }
        let outcome = self.position.outcome_within(OUTCOME_STEPS);
        self.position.undo_unchecked(action);
        let steps = outcome.as_ref().map_or_else(|undecided| undecided.steps, |outcome| outcome.steps);
        self.looks.charge(LOOKS_PER_STEP * steps as usize)?;
        Ok(outcome.is_ok_and(|outcome| outcome.status == Status::Checkmate))
    }

    /// A class of all these actions and none of the others, if there is one. It names boards of the list.
    fn class_of(
        &self,
        members: &BTreeSet<&Action>,
        all: &BTreeSet<&Action>,
        defences: &Defences<'a>,
    ) -> Result<Option<Class>, Because> {
        let named: BTreeSet<_> = all.iter().flat_map(|action| action.moves()).map(|m| m.from.board).collect();
        let starts = |board| members.iter().map(|action| Start::of(action, board)).collect();
        let playable = defences.playable.iter().flat_map(|boards| boards.intersection(&named));
        let mut boards: Vec<(BoardCoordinate, Vec<Start>)> =
            playable.map(|&board| (board, starts(board))).collect();
        let is_class = |boards: &[(BoardCoordinate, Vec<Start>)]| {
            self.looks.charge((1 + boards.len()) * all.len() / 8)?;
            let class = Class::new(boards.to_vec());
            let is_class = all.iter().all(|action| !class.contains(action) || members.contains(action));
            Ok(is_class.then_some(class))
        };
        let Some(mut class) = is_class(&boards)? else { return Ok(None) };
        // Boards that tell none apart are not named.
        for index in (0..boards.len()).rev() {
            let board = boards.remove(index);
            match is_class(&boards)? {
                Some(wider) => class = wider,
                None => boards.insert(index, board),
            }
        }
        Ok(Some(class))
    }
}

/// Lines by their last action.
fn by_defence<'l>(lines: &[&'l Line]) -> BTreeMap<&'l Action, Vec<&'l Line>> {
    let mut sorted: BTreeMap<&Action, Vec<&Line>> = BTreeMap::new();
    lines.iter().for_each(|line| sorted.entry(line.last()).or_default().push(line));
    sorted
}

/// The bytes of a node, without those of the nodes below it.
fn bytes_of(node: &Node) -> usize {
    let moves = |row: &Reply| match &row.when {
        When::If(action) => action.moves().len(),
        when => when.boards().iter().map(|(_, starts)| 1 + starts.len()).sum(),
    };
    let moves: usize = node.replies.iter().map(|row| moves(row) + row.answer.moves().len()).sum();
    size_of_val(&*node.threats) + size_of_val(&*node.replies) + moves * 2 * size_of::<Move>()
}

/// The number of boards that have to be left alone for a threat to stand, and the length of its way.
fn cost(position: &Position, threat: &Threat) -> (usize, usize) {
    let needs = threat.needs(!position.to_move(), true).into_iter().flatten();
    let boards: Vec<BoardCoordinate> = needs.map(|(at, _)| at).collect();
    let made: BTreeSet<_> = boards.iter().filter(|at| position.board(**at).is_none()).collect();
    (made.len(), boards.len())
}
