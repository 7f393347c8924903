//! The things that a review says about an action.

use super::look::Mate;
use crate::engine::Score;
use crate::types::Action;

/// Something to say about an action of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// It was the only legal action.
    Forced,
    /// There was a mate, and the action keeps it.
    KeptMate {
        /// The number of actions to the mate, this one included.
        mate_in: u32,
    },
    /// There was a mate, and the action mates later than necessary.
    SlowerMate {
        /// The mate that there was.
        mate: Mate,
        /// The number of actions in which the action mates.
        played: u32,
    },
    /// There was a mate, and the action does not mate in so many actions; `refutation` avoids it.
    MissedMate {
        /// The mate that there was.
        mate: Mate,
        /// An action of the opponent after which there is no mate in time.
        refutation: Option<Action>,
    },
    /// The opponent mates after the action, and there was a defence.
    AllowedMate {
        /// The mate of the opponent.
        mate: Mate,
        /// An action that avoids it.
        defence: Action,
        /// Whether no other action avoids it.
        is_only: bool,
    },
    /// The opponent threatened mate, and the action alone avoids it.
    OnlyDefence {
        /// The number of actions of the mate.
        mate_in: u32,
    },
    /// The engine thinks much less of the action than of another one.
    Worse {
        /// The size of the mistake.
        grade: Grade,
        /// The score after it, for the player.
        played: Score,
        /// The score after the action that the engine prefers, for the player.
        preferred: Score,
        /// The line that the engine prefers.
        better: Vec<Action>,
    },
}

impl Finding {
    /// The name of its kind, for programs.
    pub const fn kind(&self) -> &'static str {
        match self {
            Finding::Forced => "forced",
            Finding::KeptMate { .. } => "kept-mate",
            Finding::SlowerMate { .. } => "slower-mate",
            Finding::MissedMate { .. } => "missed-mate",
            Finding::AllowedMate { .. } => "allowed-mate",
            Finding::OnlyDefence { .. } => "only-defence",
            Finding::Worse { grade, .. } => grade.name(),
        }
    }
}

/// The size of a mistake in the judgement of the engine, by how much the expected result falls: see [`expectation`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// At least 5 points of 100.
    Inaccuracy,
    /// At least 10.
    Mistake,
    /// At least 15.
    Blunder,
}

impl Grade {
    /// The grades with the least fall of the expected result, in points of 100.
    const FALLS: [(Grade, f64); 3] =
        [(Grade::Blunder, 15.0), (Grade::Mistake, 10.0), (Grade::Inaccuracy, 5.0)];

    /// The grades with the least fall of the expected result, in points of 100, the worst one first.
    pub const fn falls() -> [(Grade, f64); 3] {
        Grade::FALLS
    }

    /// The size of the mistake that leads from one score of a player to another, if it is one.
    pub fn of(before: Score, after: Score) -> Option<Grade> {
        let fall = expectation(before) - expectation(after);
        Grade::FALLS.into_iter().find(|(_, least)| fall >= *least).map(|(grade, _)| grade)
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }
}

/// The expected result of the player with this score, from 0 to 100: 50 is even, and three pawns are 75.
pub fn expectation(score: Score) -> f64 {
    match score {
        Score::Mate(actions) if actions > 0 => 100.0,
        Score::Mate(_) => 0.0,
        Score::Pawns(hundredths) => 100.0 / (1.0 + (-f64::from(hundredths) * 3.0_f64.ln() / 300.0).exp()),
    }
}

/// The score for the other player.
pub fn negated(score: Score) -> Score {
    match score {
        Score::Pawns(hundredths) => Score::Pawns(hundredths.saturating_neg()),
        Score::Mate(actions) => Score::Mate(actions.saturating_neg()),
    }
}

/// The score of an action for its player, by the score of the position after it, which is the opponent's. The action counts as one of those
/// that mate.
pub(super) fn before_action(after: Score) -> Score {
    match negated(after) {
        Score::Mate(actions) if actions >= 0 => Score::Mate(actions.saturating_add(1)),
        score => score,
    }
}
