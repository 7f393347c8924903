//! A game between two engines.

use std::fmt;
use std::time::Duration;

use crate::host::{Fault, Limits, Player, Turn};
use crate::notation::{Game, GameResult};
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

/// Lets two engines play on, at most so many actions. The rules here say how it ends; an engine that does something wrong has lost.
pub fn play(
    white: &mut Player,
    black: &mut Player,
    start: &Game,
    limits: Limits,
    most_actions: usize,
) -> Played {
    let mut played = Played {
        game: start.clone(),
        before: start.actions.len(),
        said: Vec::new(),
        ending: Ending::Length,
        transcript: Vec::new(),
    };
    let mut position = start.end();
    let fault = [(Color::White, white.new_game()), (Color::Black, black.new_game())]
        .into_iter()
        .find_map(|(color, ready)| Some((color, ready.err()?)));
    if let Some((color, fault)) = fault {
        played.game.result = Some(won_by(!color));
        played.transcript = if color == Color::White { white.transcript() } else { black.transcript() };
        played.ending = Ending::Fault(fault);
        return played;
    }
    played.game.result = Some(GameResult::Draw);
    while played.said.len() < most_actions {
        let mover = position.to_move();
        match position.outcome_within(STEPS).map(|outcome| outcome.status) {
            Ok(Status::Checkmate) => {
                played.game.result = Some(won_by(!mover));
                played.ending = Ending::Checkmate;
                return played;
            }
            Ok(Status::Stalemate) => {
                played.ending = Ending::Stalemate;
                return played;
            }
            Ok(_) => {}
            Err(_) => {
                played.ending = Ending::Undecided;
                return played;
            }
        }
        let player = if mover == Color::White { &mut *white } else { &mut *black };
        match player.turn(&played.game, limits) {
            Ok(Turn { action, time, mate, .. }) => {
                position.play_unchecked(&action);
                played.game.actions.push(action);
                played.said.push(Said { time, mate });
            }
            Err(fault) => {
                played.transcript = player.transcript();
                played.game.result = Some(won_by(!mover));
                played.ending = Ending::Fault(fault);
                return played;
            }
        }
    }
    // The last action may have been mate.
    if position.outcome_within(STEPS).is_ok_and(|outcome| outcome.status == Status::Checkmate) {
        played.game.result = Some(won_by(!position.to_move()));
        played.ending = Ending::Checkmate;
    }
    played
}

fn won_by(color: Color) -> GameResult {
    if color == Color::White { GameResult::WhiteWins } else { GameResult::BlackWins }
}
