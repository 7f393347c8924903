//! A game between two engines.

use std::fmt;
use std::time::Duration;

use crate::host::{Fault, Limits, Player, Turn};
use crate::notation::{Game, GameResult};
use crate::state::Position;
use crate::types::{Color, Status};

/// The most search steps for the question how a game stands.
const STEPS: u64 = 2_000_000;

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game, with its result.
    pub game: Game,
    /// How many of its actions were there before the engines began.
    pub before: usize,
    /// What was said about each of the others.
    pub said: Vec<Said>,
    /// Why it ended.
    pub ending: Ending,
    /// The end of what was said by the engine that lost by its own fault.
    pub transcript: Vec<String>,
}

/// What an engine said about its action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Said {
    /// How long it took.
    pub time: Duration,
    /// What its clock showed after that, if there was one.
    pub left: Option<Duration>,
    /// The mate that it announced.
    pub mate: Option<i64>,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// It had as many actions as a game may have.
    Length,
    /// How it stands was not found out.
    Undecided,
    /// The player to move did something wrong.
    Fault(Fault),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Checkmate => f.write_str("checkmate"),
            Ending::Stalemate => f.write_str("stalemate"),
            Ending::Length => f.write_str("as long as a game may be"),
            Ending::Undecided => f.write_str("how the game stands was not found out"),
            Ending::Fault(fault) => write!(f, "{}: {fault}", fault.name()),
        }
    }
}

/// How long engines may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// The time.
    pub time: Time,
    /// The most nodes for an answer, for engines that know such a limit.
    pub nodes: Option<u64>,
}

/// The time that a player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// For each action.
    PerAction(Duration),
    /// For the whole game, and what is added after each action.
    Clock {
        /// For the whole game.
        game: Duration,
        /// After each action.
        increment: Duration,
    },
}

impl Time {
    /// What a clock shows at the beginning, if there is one.
    pub fn at_first(self) -> Option<Duration> {
        match self {
            Time::PerAction(_) => None,
            Time::Clock { game, .. } => Some(game),
        }
    }

    /// How long an engine is told to think about its next action, when its clock shows this: with a clock, a thirtieth of what is left
    /// and three quarters of the increment, but not more than four fifths of what is left.
    pub fn for_action(self, left: Option<Duration>) -> Duration {
        match (self, left) {
            (Time::PerAction(time), _) => time,
            (Time::Clock { increment, .. }, left) => {
                let left = left.unwrap_or_default();
                (left / 30 + increment * 3 / 4).min(left * 4 / 5)
            }
        }
    }

    /// What a clock shows after an action that took so long. `None` if it has run out.
    pub fn after(self, left: Duration, taken: Duration) -> Option<Duration> {
        let increment = match self {
            Time::PerAction(_) => Duration::ZERO,
            Time::Clock { increment, .. } => increment,
        };
        left.checked_sub(taken).map(|left| left + increment)
    }
}

/// How a game stands, if it is over: its result, and why.
pub fn over(position: &Position) -> Option<(GameResult, Ending)> {
    match position.outcome_within(STEPS).map(|outcome| outcome.status) {
        Ok(Status::Checkmate) => Some((won_by(!position.to_move()), Ending::Checkmate)),
        Ok(Status::Stalemate) => Some((GameResult::Draw, Ending::Stalemate)),
        Ok(_) => None,
        Err(_) => Some((GameResult::Draw, Ending::Undecided)),
    }
}

/// Lets two engines play on, at most so many actions. The rules here say how it ends; an engine that does something wrong, or whose
/// clock runs out, has lost.
pub fn play(white: &mut Player, black: &mut Player, start: &Game, pace: Pace, most_actions: usize) -> Played {
    let mut played = Played {
        game: start.clone(),
        before: start.actions.len(),
        said: Vec::new(),
        ending: Ending::Length,
        transcript: Vec::new(),
    };
    for (color, player) in [(Color::White, &mut *white), (Color::Black, &mut *black)] {
        if let Err(fault) = player.new_game() {
            return played.lost(color, fault, player);
        }
    }
    let mut position = start.end();
    let mut clocks = [pace.time.at_first(); 2];
    loop {
        if let Some((result, ending)) = over(&position) {
            (played.game.result, played.ending) = (Some(result), ending);
            return played;
        }
        if played.said.len() >= most_actions {
            played.game.result = Some(GameResult::Draw);
            return played;
        }
        let mover = position.to_move();
        let is_white = mover == Color::White;
        let (player, clock) =
            if is_white { (&mut *white, &mut clocks[0]) } else { (&mut *black, &mut clocks[1]) };
        let limits = Limits { time: pace.time.for_action(*clock), nodes: pace.nodes, mate: None };
        let Turn { action, time, mate, .. } = match player.turn(&played.game, limits) {
            Ok(turn) => turn,
            Err(fault) => return played.lost(mover, fault, player),
        };
        if let Some(left) = *clock {
            *clock = pace.time.after(left, time);
            if clock.is_none() {
                let (left, taken) = (left.as_secs_f64(), time.as_secs_f64());
                let what = format!("it thought for {taken:.3} s, and its clock showed {left:.3} s");
                return played.lost(mover, Fault::OutOfTime(what), player);
            }
        }
        position.play_unchecked(&action);
        played.game.actions.push(action);
        played.said.push(Said { time, left: *clock, mate });
    }
}

impl Played {
    /// The game, lost by a fault of this player.
    fn lost(mut self, color: Color, fault: Fault, player: &Player) -> Played {
        self.game.result = Some(won_by(!color));
        self.transcript = player.transcript();
        self.ending = Ending::Fault(fault);
        self
    }
}

fn won_by(color: Color) -> GameResult {
    if color == Color::White { GameResult::WhiteWins } else { GameResult::BlackWins }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_clock_runs_and_is_divided_among_the_actions() {
        let time = Time::Clock { game: 60 * SECOND, increment: 2 * SECOND };
        assert_eq!(time.at_first(), Some(60 * SECOND));
        assert_eq!(time.for_action(time.at_first()), 3500 * SECOND / 1000);
        assert_eq!(time.for_action(Some(SECOND)), 800 * SECOND / 1000, "not more than there is");
        assert_eq!(time.after(60 * SECOND, 3 * SECOND), Some(59 * SECOND));
        assert_eq!(time.after(SECOND, SECOND), Some(2 * SECOND));
        assert_eq!(time.after(SECOND, 1001 * SECOND / 1000), None);
        let mut left = time.at_first().unwrap();
        for _ in 0..500 {
            left = time
                .after(left, time.for_action(Some(left)))
                .expect("who takes what is given has always time left");
        }
        let per_action = Time::PerAction(SECOND);
        assert_eq!((per_action.at_first(), per_action.for_action(None)), (None, SECOND));
    }

    #[test]
    fn the_rules_say_when_a_game_is_over() {
        let over = |text: &str| over(&crate::notation::fen5d::parse(text).into_result().unwrap());
        assert_eq!(over("[k2/1Q1/1K1:0:1:b]"), Some((GameResult::WhiteWins, Ending::Checkmate)));
        assert_eq!(over("[k2/2Q/1K1:0:1:b]"), Some((GameResult::Draw, Ending::Stalemate)));
        assert_eq!(over("[k2/3/1K1:0:1:b]"), None);
    }
}
