//! The search: alpha-beta with iterative deepening over selected candidates, together with the mate prover.
//!
//! The tree is kept between iterations; there is no transposition table, since a position never repeats. At
//! every position except the leaves the prover first looks for a mate in one. At the root it looks for longer
//! mates too, with a share of the steps that grows with the search.

use super::candidates::{Candidate, Wish, candidates};
use super::evaluation::evaluate;
use super::meter::{Meter, Stopped};
use super::question::{Ending, LIKELY_MATE, Question, Report, Score, Thought};
use super::worth::Worths;
use crate::search::{Budget, Candidates as Tier, Prover, cost_of_size};
use crate::state::Position;
use crate::types::{Action, Limit};

/// The score of a mate on the spot; each ply before it takes one off.
const MATE: i32 = 1_000_000;
/// Scores beyond this limit are mates.
const MATES: i32 = MATE - 1_000;
/// The deepest iteration.
const DEEPEST: u32 = 40;
/// The number of times that the last ply of a line is extended because of check.
const EXTENSIONS: u32 = 2;
/// The steps for finding a legal action, which are taken even without any time left.
const FOR_A_LEGAL_ACTION: u64 = 20_000;
/// The steps for looking for a mate in one before the search begins.
const FOR_A_FIRST_LOOK: u64 = 3_000;
/// The bytes of a node without its actions.
const NODE_BYTES: u64 = size_of::<Node>() as u64 + 64;

/// The limits of the candidates at the root, and at other positions by the number of plies left.
const ROOT: Wish = Wish { count: 160, tries: 900, listed: 1_500, steps: 20_000 };
const WISHES: [Wish; 3] = [
    Wish { count: 30, tries: 70, listed: 60, steps: 600 },
    Wish { count: 30, tries: 90, listed: 80, steps: 1_000 },
    Wish { count: 30, tries: 120, listed: 100, steps: 2_000 },
];

/// The number of candidates that are searched, by the number of plies left below them.
fn width(left: u32) -> usize {
    match left {
        0 => 30,
        1 => 20,
        2 => 14,
        3 => 10,
        _ => 8,
    }
}

/// The number of candidates that are searched at the root.
fn root_width(depth: u32) -> usize {
    match depth {
        0 | 1 => usize::MAX,
        2 => 60,
        3 => 36,
        _ => 24,
    }
}

/// The steps for looking for a mate in one, by the number of plies left.
fn worth_of_a_mate(left: u32) -> u64 {
    match left {
        0 | 1 => 150,
        2 => 600,
        _ => 2_500,
    }
}

/// A position of the tree.
#[derive(Default)]
struct Node {
    /// The candidates; `None` before they have been selected.
    children: Option<Vec<Child>>,
    /// Whether the children are all legal actions.
    complete: bool,
    /// A mating action of the player to move, if one was found.
    mate: Option<Action>,
    /// The steps within which no mate in one was found; `u64::MAX` if there is none.
    no_mate_within: u64,
    /// The bytes that it has taken from the memory of the tree.
    paid: u64,
}

struct Child {
    action: Action,
    node: Option<Box<Node>>,
}

/// An action at the root.
struct RootMove {
    action: Action,
    node: Box<Node>,
    score: i32,
    /// A small random number that is added to the score, so that another seed leads to another game.
    noise: i32,
    verified: Verified,
}

/// Whether the opponent has a mate in one after an action.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verified {
    Not,
    Safe,
    Mated,
}

struct Search<'a> {
    worths: Worths,
    prover: Prover<'a>,
    meter: Meter<'a>,
    /// The bytes that are left for the tree.
    room: u64,
    /// The score of the iteration before; at first, that of the position itself.
    before: i32,
}

/// Searches until the question is answered or the limit is reached.
pub(super) fn think(question: &Question, limit: Limit<'_>, report: &mut dyn FnMut(&Report)) -> Thought {
    let mut position = question.position.clone();
    let mut thought = Thought::default();
    // There is an answer in any case, even if the limit is reached before the search begins.
    let made = &question.made;
    let mut list = position.legal_actions_containing(made).within(Limit::steps(FOR_A_LEGAL_ACTION));
    let mut first = list.next();
    let mut known = first.is_some() || list.is_complete();
    thought.steps = list.steps();
    if !known {
        let mut list = position.legal_actions_containing(made).within(limit);
        first = list.next();
        known = first.is_some() || list.is_complete();
        thought.steps += list.steps();
    }
    let Some(first) = first else {
        let in_check = position.is_in_check();
        thought.ending = Some(match (known, made.is_empty()) {
            (false, _) => Ending::Unknown,
            (true, false) => Ending::DeadEnd,
            (true, true) if in_check => Ending::Checkmate,
            (true, true) => Ending::Stalemate,
        });
        return thought;
    };
    thought.best = Some(first);
    // A third of the memory is for the tree, and a third for each half of the prover's.
    let share = question.memory / 3;
    let stop = limit.stop();
    let mut search = Search {
        worths: Worths::new(),
        prover: Prover::new(Budget { steps: u64::MAX, memory: share, ..Budget::default() }).stopping_on(stop),
        meter: Meter::new(limit),
        room: share,
        before: 0,
    };
    search.before = evaluate(&position, &mut search.worths);
    search.meter.add(thought.steps);
    // When the search is stopped, the answer so far is used.
    let _ = search.run(question, &mut position, &mut thought, report);
    thought.steps = search.meter.steps();
    // The answer may be an action of which no line is known.
    if thought.line.first() != thought.best.as_ref() {
        thought.line = Vec::from_iter(thought.best.clone());
    }
    thought
}

impl Search<'_> {
    fn run(
        &mut self,
        question: &Question,
        position: &mut Position,
        thought: &mut Thought,
        report: &mut dyn FnMut(&Report),
    ) -> Result<(), Stopped> {
        if question.made.is_empty() && self.prove(question, position, thought, report)? {
            return Ok(());
        }
        let mut roots = self.roots(question, position)?;
        if let ([only], true) = (&roots.list[..], roots.complete) {
            thought.best = Some(only.action.clone());
            return Ok(());
        }
        // The first candidate is better than just any legal action, in case there is no time for more.
        if let (Some(first), None) = (roots.list.first(), thought.score) {
            thought.best = Some(first.action.clone());
        }
        let mut proofs = Proofs::default();
        for depth in 1..=question.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            let before = self.meter.steps();
            self.iterate(&mut roots, position, depth, thought)?;
            // The longer the search, the more steps for ruling out a mate in one by the opponent.
            let mut sure = 1_000 + self.meter.steps() / 2;
            while roots.list[0].verified == Verified::Not {
                self.verify(&mut roots.list[0], position, sure)?;
                if roots.list[0].verified != Verified::Mated {
                    break;
                }
                self.iterate(&mut roots, position, depth, thought)?;
                sure = sure / 2 + 1_000;
            }
            thought.depth = depth;
            if roots.list[0].score <= -MATES && !roots.complete {
                self.look_for_an_escape(question, position, &mut roots)?;
                // An action may have been found, and if none is left, the mate is proved.
                self.answer(&roots, depth, thought);
            }
            let (steps, score) = (self.meter.steps(), self.told(roots.score()));
            report(&Report { depth, steps, score, line: thought.line.clone() });
            self.before = roots.list[0].score;
            if roots.list[0].score.abs() >= MATES {
                // No action is better than the shortest mate, and none helps against a proven one. A
                // candidate that was left out may still delay it longer.
                if roots.list[0].score >= MATES || roots.complete || depth > 4 {
                    break;
                }
            }
            let spent = self.meter.steps() - before;
            if question.made.is_empty() && self.prove_more(position, spent, &mut proofs, thought, report)? {
                break;
            }
        }
        Ok(())
    }

    /// Looks for the mate of `go mate`, which is then the only task; otherwise for a mate in one.
    fn prove(
        &mut self,
        question: &Question,
        position: &Position,
        thought: &mut Thought,
        report: &mut dyn FnMut(&Report),
    ) -> Result<bool, Stopped> {
        let Some(mate_in) = question.mate_in else {
            return self
                .ask(position, 1, Tier::Complete, FOR_A_FIRST_LOOK, thought, report)
                .map(|proven| proven == Some(true));
        };
        let mut refuted = true;
        for n in 1..=mate_in {
            for tier in [Tier::Checks, Tier::Complete] {
                match self.ask(position, n, tier, u64::MAX, thought, report)? {
                    Some(true) => return Ok(true),
                    Some(false) => {}
                    None => refuted = false,
                }
            }
        }
        thought.no_mate_in = refuted.then_some(mate_in);
        Ok(false)
    }

    /// Asks the prover for a mate in `n`. True if there is one, which then is the answer; `None` if the steps
    /// do not suffice.
    fn ask(
        &mut self,
        position: &Position,
        n: u32,
        tier: Tier,
        steps: u64,
        thought: &mut Thought,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Option<bool>, Stopped> {
        let before = self.prover.steps();
        let steps = steps.min(self.meter.left().most_steps());
        let found = self.prover.mate_within(position, n, tier, steps);
        self.meter.add(self.prover.steps() - before);
        if let Ok(Some((length, action))) = found {
            thought.best = Some(action.clone());
            thought.score = Some(Score::Mate(length as i32));
            thought.line = vec![action];
            let steps = self.meter.steps();
            report(&Report {
                depth: 2 * length - 1,
                steps,
                score: Score::Mate(length as i32),
                line: thought.line.clone(),
            });
            return Ok(Some(true));
        }
        self.meter.spend(0)?;
        Ok(found.ok().map(|_| false))
    }

    /// Continues the proofs, with about as many steps as the search has just taken.
    fn prove_more(
        &mut self,
        position: &Position,
        spent: u64,
        proofs: &mut Proofs,
        thought: &mut Thought,
        report: &mut dyn FnMut(&Report),
    ) -> Result<bool, Stopped> {
        proofs.credit += spent.max(2_000);
        let mut index = 0;
        while let Some(&(n, tier)) = proofs.open.get(index)
            && proofs.credit > 0
        {
            let is_last = index + 1 == proofs.open.len();
            let share = if is_last { proofs.credit } else { proofs.credit.div_ceil(2) };
            let before = self.meter.steps();
            let answer = self.ask(position, n, tier, share, thought, report)?;
            proofs.credit = proofs.credit.saturating_sub(self.meter.steps() - before);
            match answer {
                Some(true) => {
                    self.shorten(position, n, thought, report)?;
                    return Ok(true);
                }
                Some(false) => drop(proofs.open.remove(index)),
                None => index += 1,
            }
        }
        Ok(false)
    }

    /// Looks for mates shorter than a mate in `n` that was found.
    fn shorten(
        &mut self,
        position: &Position,
        n: u32,
        thought: &mut Thought,
        report: &mut dyn FnMut(&Report),
    ) -> Result<(), Stopped> {
        const STEPS: u64 = 300_000;
        for shorter in 2..n {
            if self.ask(position, shorter, Tier::Complete, STEPS, thought, report)? == Some(true) {
                break;
            }
        }
        Ok(())
    }

    fn roots(&mut self, question: &Question, position: &mut Position) -> Result<Roots, Stopped> {
        let found = candidates(position, &question.made, &mut self.worths, ROOT, &mut self.meter)?;
        let list =
            found.list.into_iter().map(|candidate| RootMove::new(candidate.action, question.seed)).collect();
        Ok(Roots { list, complete: found.complete })
    }

    /// One iteration over the actions of the root. Afterwards the best one comes first and is the answer. If
    /// the search ends before, the answer is the best action so far, if it is better than the best of the
    /// previous iteration.
    fn iterate(
        &mut self,
        roots: &mut Roots,
        position: &mut Position,
        depth: u32,
        thought: &mut Thought,
    ) -> Result<(), Stopped> {
        let mut alpha = -MATE;
        let mut best = 0;
        for index in 0..roots.list.len() {
            if index >= root_width(depth) && alpha > -MATES {
                break;
            }
            let root = &mut roots.list[index];
            if alpha <= -MATES && root.verified != Verified::Mated {
                // If the search ends now, an action not known to lose is better than one known to lose.
                thought.best = Some(root.action.clone());
            }
            if root.verified != Verified::Mated {
                let bound = alpha.max(-MATE).saturating_sub(root.noise);
                position.play_unchecked(&root.action);
                let score = self.child(&mut root.node, position, depth - 1, -MATE, -bound, 1, EXTENSIONS);
                position.undo_unchecked(&root.action);
                let score = -score?;
                root.score = if score.abs() >= MATES { score } else { score + root.noise };
                if root.score > alpha && root.verified == Verified::Not {
                    let steps = 500 + self.meter.steps() / 8;
                    self.verify(root, position, steps)?;
                }
            }
            if root.verified == Verified::Mated {
                root.score = root.score.min(-(MATE - 2));
            }
            if roots.list[index].score > alpha {
                alpha = roots.list[index].score;
                best = index;
                thought.choose(&roots.list[index], depth);
                // Other actions may be better than one that loses, so that its score says nothing yet.
                if alpha > -MATES {
                    thought.score = Some(self.told(alpha));
                }
            }
        }
        if depth == 1 {
            // All were searched, so they are sorted by their scores.
            roots.list.sort_by_key(|root| std::cmp::Reverse(root.score));
        } else {
            roots.list[..=best].rotate_right(1);
        }
        self.answer(roots, depth, thought);
        Ok(())
    }

    fn answer(&self, roots: &Roots, depth: u32, thought: &mut Thought) {
        thought.choose(&roots.list[0], depth);
        thought.score = Some(self.told(roots.score()));
    }

    /// The score as it is told: the mean of this iteration and the one before, unless one of them is a mate. A line ends with an action of
    /// one player in an iteration, and of the other in the next one; whoever makes the last action seems to do better.
    fn told(&self, score: i32) -> Score {
        let is_guess = |score: i32| score.abs() < LIKELY_MATE / 2;
        score_of(if is_guess(score) && is_guess(self.before) { (score + self.before) / 2 } else { score })
    }

    /// Tests whether the opponent has a mate in one after an action that may be played.
    fn verify(&mut self, root: &mut RootMove, position: &mut Position, steps: u64) -> Result<(), Stopped> {
        position.play_unchecked(&root.action);
        let mate = self.mate_at_once(&mut root.node, position, steps);
        position.undo_unchecked(&root.action);
        root.verified = match mate? {
            true => Verified::Mated,
            false if root.node.no_mate_within == u64::MAX => Verified::Safe,
            false => Verified::Not,
        };
        Ok(())
    }

    /// Every candidate loses: looks for another legal action that does not lose at once.
    fn look_for_an_escape(
        &mut self,
        question: &Question,
        position: &mut Position,
        roots: &mut Roots,
    ) -> Result<(), Stopped> {
        let start = position.clone();
        let mut list = start.legal_actions_containing(&question.made).within(self.meter.left());
        let mut paid = 0;
        while let Some(action) = list.next() {
            let steps = list.steps();
            self.meter.spend(steps - paid)?;
            paid = steps;
            if roots.list.iter().any(|root| root.action == action) {
                continue;
            }
            let mut root = RootMove::new(action, question.seed);
            self.verify(&mut root, position, 20_000)?;
            if root.verified != Verified::Mated {
                root.score = -MATES + 1;
                roots.list.insert(0, root);
                return Ok(());
            }
        }
        roots.complete = list.is_complete();
        Ok(())
    }

    /// Whether the player to move has a mate in one, as far as the steps suffice to tell.
    fn mate_at_once(&mut self, node: &mut Node, position: &Position, steps: u64) -> Result<bool, Stopped> {
        if node.mate.is_some() {
            return Ok(true);
        }
        // A search that failed is not repeated with little more steps.
        if node.no_mate_within.saturating_mul(2) > steps {
            return Ok(false);
        }
        let before = self.prover.steps();
        let found = self.prover.mate_in_one_within(position, steps.min(self.meter.left().most_steps()));
        self.meter.add(self.prover.steps() - before);
        match found {
            Ok(Some(action)) => node.mate = Some(action),
            Ok(None) => node.no_mate_within = u64::MAX,
            Err(_) => node.no_mate_within = steps,
        }
        self.meter.spend(0)?;
        Ok(node.mate.is_some())
    }

    /// The score of the position after an action, for its player to move.
    #[expect(clippy::too_many_arguments, reason = "the usual ones of alpha-beta")]
    fn child(
        &mut self,
        node: &mut Node,
        position: &mut Position,
        left: u32,
        alpha: i32,
        beta: i32,
        ply: i32,
        extensions: u32,
    ) -> Result<i32, Stopped> {
        if left > 0 {
            return self.inner(node, position, left, alpha, beta, ply, extensions);
        }
        self.meter.spend(1 + cost_of_size(position))?;
        // A player in check may be mated.
        if extensions > 0 && position.is_in_check() {
            return self.inner(node, position, 1, alpha, beta, ply, extensions - 1);
        }
        Ok(evaluate(position, &mut self.worths))
    }

    #[expect(clippy::too_many_arguments, reason = "the usual ones of alpha-beta")]
    fn inner(
        &mut self,
        node: &mut Node,
        position: &mut Position,
        left: u32,
        mut alpha: i32,
        beta: i32,
        ply: i32,
        extensions: u32,
    ) -> Result<i32, Stopped> {
        self.meter.spend(1)?;
        if self.mate_at_once(node, position, worth_of_a_mate(left))? {
            return Ok(MATE - ply - 1);
        }
        if node.children.is_none() {
            let wish = WISHES[(left as usize - 1).min(WISHES.len() - 1)];
            let found = candidates(position, &[], &mut self.worths, wish, &mut self.meter)?;
            let children = found.list.into_iter().map(Child::new).collect();
            node.children = Some(children);
            node.complete = found.complete;
        }
        let children = node.children.as_mut().expect("they were just made");
        if children.is_empty() {
            return Ok(if position.is_in_check() { ply - MATE } else { 0 });
        }
        let mut most = -MATE;
        let mut best = 0;
        for (index, Child { action, node }) in children.iter_mut().enumerate() {
            if index >= width(left - 1) && most > -MATES {
                break;
            }
            let mut below = node.take().unwrap_or_default();
            position.play_unchecked(action);
            let score = self.child(&mut below, position, left - 1, -beta, -alpha, ply + 1, extensions);
            position.undo_unchecked(action);
            let score = -score?;
            self.keep(node, below);
            if score > most {
                (most, best) = (score, index);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        children[..=best].rotate_right(1);
        // It is not a mate as long as there may be a defence.
        Ok(if most <= -MATES && !node.complete { ply - LIKELY_MATE } else { most })
    }

    /// Stores a node of the tree, if there is memory for it.
    fn keep(&mut self, place: &mut Option<Box<Node>>, mut node: Box<Node>) {
        if node.children.is_none() && node.mate.is_none() && node.no_mate_within == 0 {
            return;
        }
        let child = |child: &Child| (size_of::<Child>() + size_of_val(child.action.moves())) as u64;
        let bytes = NODE_BYTES + node.children.iter().flatten().map(child).sum::<u64>();
        // The part that was stored before is already charged.
        let more = bytes.saturating_sub(node.paid);
        if let Some(room) = self.room.checked_sub(more) {
            self.room = room;
            node.paid = bytes;
            *place = Some(node);
        }
    }
}

/// A score as it is reported.
fn score_of(score: i32) -> Score {
    if score >= MATES {
        Score::Mate((MATE - score + 1) / 2)
    } else if score <= -MATES {
        Score::Mate(-(MATE + score) / 2)
    } else {
        Score::Pawns(score)
    }
}

/// The actions of the root.
struct Roots {
    list: Vec<RootMove>,
    complete: bool,
}

impl Roots {
    /// The score of the best action. A mate against the player is a guess as long as there may be another action.
    fn score(&self) -> i32 {
        let score = self.list[0].score;
        if score <= -MATES && !self.complete { score + MATE - LIKELY_MATE } else { score }
    }
}

impl Thought {
    /// Takes an action as the answer, with the line that is expected from it on.
    fn choose(&mut self, root: &RootMove, depth: u32) {
        self.best = Some(root.action.clone());
        self.line = root.line(depth);
    }
}

impl RootMove {
    fn new(action: Action, seed: u64) -> RootMove {
        const NOISE: u64 = 8;
        let noise =
            if seed == 0 { 0 } else { (mixed(&action, seed) % (2 * NOISE + 1)) as i32 - NOISE as i32 };
        RootMove { action, node: Box::default(), score: 0, noise, verified: Verified::Not }
    }

    /// The line that the tree expects from this action on, of at most so many actions.
    fn line(&self, depth: u32) -> Vec<Action> {
        let mut line = vec![self.action.clone()];
        let mut node = Some(&*self.node);
        while let Some(at) = node
            && line.len() < depth as usize
        {
            let next = match (&at.mate, at.children.as_ref().and_then(|children| children.first())) {
                (Some(mate), _) => {
                    line.push(mate.clone());
                    break;
                }
                (None, Some(child)) => child,
                (None, None) => break,
            };
            line.push(next.action.clone());
            node = next.node.as_deref();
        }
        line
    }
}

impl Child {
    fn new(candidate: Candidate) -> Child {
        Child { action: candidate.action, node: None }
    }
}

/// A pseudo-random number that depends only on an action and a seed.
fn mixed(action: &Action, seed: u64) -> u64 {
    let mix = |sum: u64, value: u64| (sum ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let mut sum = mix(seed, 1);
    for m in action.moves() {
        for at in [m.from, m.to] {
            let (timeline, half_turn) = (at.board.timeline.0 as u16, at.board.half_turn.0 as u16);
            sum = mix(sum, u64::from(timeline) << 32 | u64::from(half_turn) << 8 | at.square.index() as u64);
        }
    }
    sum >> 16
}

/// The open searches of the prover, and the steps that may be spent on them.
struct Proofs {
    open: Vec<(u32, Tier)>,
    credit: u64,
}

impl Default for Proofs {
    fn default() -> Proofs {
        let checks = [2, 3, 4, 5, 6].map(|n| (n, Tier::Checks));
        let [two, three, longer @ ..] = checks;
        let mut open = vec![(1, Tier::Complete), two, (2, Tier::Complete), three, (3, Tier::Complete)];
        open.extend(longer);
        Proofs { open, credit: 0 }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::notation::{fen5d, pgn5d};
    use crate::rules::samples::multiverses;

    fn thought(position: &Position, steps: u64) -> Thought {
        think(&Question::new(position.clone()), Limit::steps(steps), &mut |_| ())
    }

    /// `None` if the answer is not found quickly.
    fn mates_at_once(position: &Position) -> Option<bool> {
        Prover::new(Budget::steps(20_000)).mating_answer(position, 1).ok().map(|answer| answer.is_some())
    }

    fn after(position: &Position, action: &Action) -> Position {
        let mut after = position.clone();
        after.play(action).expect("a legal action");
        after
    }

    /// A mate in one is played, and one by the opponent is avoided.
    #[test]
    fn mates_in_one_are_given_and_avoided() {
        let (mut given, mut avoided) = (0, 0);
        for position in multiverses(71, 700) {
            let legal: Vec<Action> = position.legal_actions().take(200).collect();
            if legal.len() == 200 || legal.is_empty() {
                continue;
            }
            let losing = |action: &Action| mates_at_once(&after(&position, action));
            let losing: Option<Vec<bool>> = legal.iter().map(losing).collect();
            let (Some(mates), Some(losing)) = (mates_at_once(&position), losing) else { continue };
            let best = thought(&position, 6_000).best.expect("a legal action");
            if mates {
                assert!(after(&position, &best).is_checkmate(), "{best:?} in {position:?}");
                given += 1;
            } else if losing.contains(&true) && losing.contains(&false) {
                let index = legal.iter().position(|action| *action == best).expect("a legal action");
                assert!(!losing[index], "{best:?} in {position:?}");
                avoided += 1;
            }
        }
        assert!(given > 20 && avoided > 20, "{given} given, {avoided} avoided");
    }

    #[test]
    fn a_question_with_the_same_steps_has_the_same_answer() {
        let game = pgn5d::parse("1. Nf3 / Nf6 2. N>>f5 / (1T1)e6 3. (0T3)e4 (1T2)Nf5xg7").value.unwrap();
        for seed in [0, 7] {
            let question = Question { seed, ..Question::new(game.end()) };
            let ask = || {
                let mut reports = Vec::new();
                let thought = think(&question, Limit::steps(8_000), &mut |report: &Report| {
                    reports.push(report.clone())
                });
                (thought, reports)
            };
            let (one, other) = (ask(), ask());
            assert_eq!(one, other);
            assert!(!one.1.is_empty() && one.0.steps >= 8_000);
        }
    }

    #[test]
    fn scores_are_the_mean_of_two_iterations_unless_one_is_a_mate() {
        let search = |before| Search {
            worths: Worths::new(),
            prover: Prover::new(Budget::default()),
            meter: Meter::new(Limit::NONE),
            room: 0,
            before,
        };
        assert_eq!([300, -100].map(|score| search(100).told(score)), [Score::Pawns(200), Score::Pawns(0)]);
        assert_eq!(search(100).told(MATE - 1), Score::Mate(1));
        assert_eq!(
            [100, LIKELY_MATE].map(|before| search(before).told(LIKELY_MATE - 3)),
            [Score::Pawns(LIKELY_MATE - 3); 2]
        );
        assert_eq!(search(LIKELY_MATE).told(100), Score::Pawns(100));
    }

    #[test]
    fn a_mate_against_the_player_is_told_only_after_every_action() {
        let text = "1. e4 / e5 2. Bc4 / Qg5 3. (0T3)Ng1>>(0T2)g3 / (0T3)Qg5xg2 (1T2)Qd8f6
            4. (1T3)Pg2>x(0T4)g2 / (1T3)Bf8b4 (0T4)Nb8>>(0T3)b6 5. (1T4)Nb1>>(1T3)b3 / (2T3)Bf8b4 (1T4)Ke8>>(0T3)d8
            6. (-2T4)Ke1f1 (-1T4)Ke1f1 (2T4)Ke1e2 / (-2T4)Bf8c5 (-1T4)Nb6xc4 (2T4)Ke8>>(1T4)f8
            7. (-3T5)Ng3>x(-2T5)g5 (-1T5)Qd1f3 (0T5)Qd1g4 (1T5)Ng1f3 (2T5)Ng3f5";
        let position = pgn5d::parse(text).value.unwrap().end();
        // The search ends while it looks at the first action, which loses; another one does not.
        let thought = thought(&position, 4_000);
        assert!(!matches!(thought.score, Some(Score::Mate(_))), "{:?}", thought.score);
    }

    #[test]
    fn a_line_begins_with_the_answer() {
        let text = "1. e4 / e5 2. Nf3 / Nc6 3. Bc4 / Nf6 4. (0T4)Nf3>>(0T3)f5 / (1T3)Nc6>>x(0T3)c4";
        let position = pgn5d::parse(text).value.unwrap().end();
        let question = Question::new(position);
        // Some searches end within an iteration, and the last line that they told is that of the iteration before.
        let mut others = 0;
        for steps in (1_000..=40_000).step_by(1_000) {
            let mut told = None;
            let thought =
                think(&question, Limit::steps(steps), &mut |report| told = Some(report.line.clone()));
            assert_eq!(thought.line.first(), thought.best.as_ref(), "{steps} steps");
            others += usize::from(told.is_some_and(|line| line.first() != thought.best.as_ref()));
        }
        assert!(others > 0, "no search ended with another answer than that of its line");
    }

    #[test]
    fn there_is_an_answer_without_time() {
        let stop = AtomicBool::new(true);
        for position in multiverses(72, 300) {
            let question = Question::new(position.clone());
            let thought = think(&question, Limit::steps(1).stopping_on(&stop), &mut |_| ());
            match thought.best {
                Some(best) => drop(after(&position, &best)),
                None if position.is_checkmate() => assert_eq!(thought.ending, Some(Ending::Checkmate)),
                None => {
                    assert_eq!((thought.ending, position.is_stalemate()), (Some(Ending::Stalemate), true))
                }
            }
        }
    }

    #[test]
    fn many_timelines_have_an_answer() {
        let text: String = (-15..=15)
            .map(|l| format!("[r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:{l}:1:w]"))
            .collect();
        let position = fen5d::parse(&text).into_result().unwrap();
        let thought = thought(&position, 30_000);
        let best = thought.best.expect("a legal action");
        after(&position, &best);
        assert!(best.moves().len() >= 15 && thought.depth >= 1, "{best:?}");
    }

    #[test]
    fn an_action_under_way_is_completed() {
        let start = pgn5d::parse("[Board \"Standard - Two Timelines\"]").into_result().unwrap().start;
        let made: Vec<crate::types::Move> = vec!["(0T1w)g1f3".parse().unwrap()];
        let question = Question { made: made.clone(), ..Question::new(start.clone()) };
        let best = think(&question, Limit::steps(5_000), &mut |_| ()).best.unwrap();
        assert!(best.moves().contains(&made[0]) && best.moves().len() == 2, "{best:?}");
        after(&start, &best);
    }

    #[test]
    fn what_cannot_become_legal_is_said() {
        let position = fen5d::parse("[k2/2R/1K1:0:1:b]").into_result().unwrap();
        let made = vec!["(0T1b)a3a2".parse().unwrap()];
        let question = Question { made, ..Question::new(position) };
        let thought = think(&question, Limit::NONE, &mut |_| ());
        assert_eq!((thought.best, thought.ending), (None, Some(Ending::DeadEnd)));
    }

    #[test]
    fn a_mate_that_is_asked_for_is_found_or_denied() {
        let position = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().unwrap();
        for (mate_in, score, denied) in [(1, None, Some(1)), (2, Some(Score::Mate(2)), None)] {
            let question =
                Question { mate_in: Some(mate_in), depth: Some(1), ..Question::new(position.clone()) };
            let thought = think(&question, Limit::steps(100_000), &mut |_| ());
            assert_eq!(thought.no_mate_in, denied);
            assert!(thought.best.is_some() && score.is_none_or(|score| thought.score == Some(score)));
        }
    }
}
