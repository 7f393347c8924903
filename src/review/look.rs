//! The look at one position: its mate, and the engine's judgement.

use std::sync::atomic::AtomicBool;

use crate::engine::{Question, Score, think};
use crate::search::{Analysis, Budget, Prover, Verdict};
use crate::state::Position;
use crate::types::{Action, Because, Limit, Undecided};

/// The limits of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest mate to look for, at least 1.
    pub longest: u32,
    /// The limits of the prover for each position, and again for each action.
    pub budget: Budget,
    /// The search steps of the engine for each position.
    pub thinking: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { longest: 2, budget: Budget::steps(50_000), thinking: 50_000 }
    }
}

/// A mate in a position, with evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The number of actions of the player who mates.
    pub mate_in: u32,
    /// A line of the longest defence; at least its first action.
    pub line: Vec<Action>,
}

/// The first look at a position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// The shortest mate of the player to move, if there is one.
    pub mate: Option<Mate>,
    /// The reason why it is not known whether there is a mate.
    pub undecided: Option<Undecided>,
    /// The engine's score for the player to move; `None` if it found no action.
    pub score: Option<Score>,
    /// The line that the engine expects.
    pub line: Vec<Action>,
    /// The number of legal actions, counted up to two.
    pub actions: u64,
}

impl Look {
    /// Looks at a position.
    pub fn at(position: &Position, limits: Limits, stop: Option<&AtomicBool>) -> Look {
        let limit = Limit::steps(limits.budget.steps).stopping_on(stop);
        let mut look = Look { mate: None, undecided: None, score: None, line: Vec::new(), actions: 0 };
        match position.count_legal_actions_within(2, limit) {
            Ok(counted) if counted.count == 0 => return look,
            Ok(counted) => look.actions = counted.count,
            Err(why) => {
                look.undecided = Some(why);
                return look;
            }
        }
        let mut prover = Prover::new(limits.budget).stopping_on(stop);
        for mate_in in 1..=limits.longest {
            let solution = prover.solve(position, mate_in, false);
            match (solution.verdict, solution.soonest) {
                (Verdict::Refuted, _) => {}
                (Verdict::Proven, Some(key)) => {
                    let line = Analysis::new(&mut prover, position, mate_in).line(&key).ok().flatten();
                    look.mate = Some(Mate { mate_in, line: line.unwrap_or_else(|| vec![key]) });
                    look.score = i32::try_from(mate_in).ok().map(Score::Mate);
                    return look;
                }
                // A mate for which positions are too large is none that a player can reach.
                _ if solution.undecided.is_some_and(|why| why.because == Because::Size) => {}
                _ => {
                    look.undecided = solution.undecided;
                    break;
                }
            }
        }
        let thought = think(
            &Question::new(position.clone()),
            Limit::steps(limits.thinking).stopping_on(stop),
            &mut |_| (),
        );
        (look.score, look.line) = (thought.score, thought.line);
        if look.line.is_empty() {
            look.line.extend(thought.best);
        }
        look
    }
}
