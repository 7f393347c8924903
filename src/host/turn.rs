//! Plays a whole action of an engine, which answers move by move.

use std::time::Duration;

use super::engine::{Answer, Engine, Limits};
use super::fault::Fault;
use super::said::Score;
use crate::notation::{Game, ParseError, printable, uci5d};
use crate::rules::{IllegalAction, PartialAction};
use crate::types::{Action, Move};

/// The most questions for one action.
const MOST_ANSWERS: usize = 1_000;

/// The action of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The action.
    pub action: Action,
    /// The time of all answers together.
    pub time: Duration,
    /// The score that it gave with its first answer.
    pub score: Option<Score>,
    /// The number of times that it had to be sent `stop`, because its time was over.
    pub stopped: u32,
}

/// The line of a game and the moves that were made after it.
pub fn position_line(game: &Game, made: &[Move]) -> String {
    let mut line = uci5d::write(game).into_text();
    line.truncate(line.trim_end().len());
    if game.actions.is_empty() && !made.is_empty() {
        line.push_str(" moves");
    }
    for m in made {
        line.push(' ');
        line.push_str(&uci5d::move_text(m));
    }
    line
}

/// Lets an engine play the next action of a game: asks for moves until it answers `submit`. The time of
/// `limits` is for all of them together.
///
/// # Errors
///
/// The fault of the engine.
pub fn turn(engine: &mut Engine, game: &Game, limits: Limits) -> Result<Turn, Fault> {
    /// The least time for each further move, even if the time of the action is over.
    const LEAST: Duration = Duration::from_millis(50);
    let whole_actions = engine.settings().whole_actions;
    let mut partial = PartialAction::new(game.end());
    let mut turn = Turn { action: Action::new(Vec::new()), time: Duration::ZERO, score: None, stopped: 0 };
    for nth in 0..MOST_ANSWERS {
        let time = limits.time.saturating_sub(turn.time).max(LEAST.min(limits.time));
        let line = position_line(game, partial.moves());
        let Answer { moves, score, time, stopped } = engine.ask(&line, Limits { time, ..limits })?;
        turn.time += time;
        turn.stopped += u32::from(stopped);
        if nth == 0 {
            turn.score = score;
        }
        let moves = moves.unwrap_or_default();
        if moves.is_empty() {
            return Err(none(&partial));
        }
        let mut submits = whole_actions;
        for word in moves {
            if word == "submit" {
                submits = true;
                break;
            }
            // The action was complete before, and the engine did not say that it ends.
            let hint = if nth > 0 && partial.can_submit().is_ok() { MISSING_SUBMIT } else { "" };
            let m = uci5d::parse_move(&partial, &word).map_err(|error| unplayable(&word, &error, hint))?;
            let pushed = partial.push(m);
            pushed.map_err(|why| illegal("no-such-move", &format!("`{word}`: {why}")))?;
        }
        if submits {
            turn.action = partial.submit().map_err(|why| not_submitted(&partial, why))?;
            return Ok(turn);
        }
    }
    Err(Fault::Babbled(format!("after {MOST_ANSWERS} answers its action is not submitted")))
}

/// The fault that an engine has no move.
fn none(partial: &PartialAction) -> Fault {
    let made = partial.moves().len();
    Fault::NoMove(match (made, partial.can_submit()) {
        (0, _) => "it says that there is no move".into(),
        (_, Ok(())) => {
            format!("it does not say `submit` after its moves{MISSING_SUBMIT}")
        }
        (_, Err(_)) => format!("it begins an action and has no move after {made}"),
    })
}

/// The advice where an action seems to be complete without `submit`.
const MISSING_SUBMIT: &str = "; if it names whole actions, it needs the setting whole-actions";

fn unplayable(word: &str, error: &ParseError, hint: &str) -> Fault {
    let issue = &error.issue;
    illegal(issue.code, &format!("`{}`: {}{hint}", printable(word), issue.message))
}

fn not_submitted(partial: &PartialAction, why: IllegalAction) -> Fault {
    let moves: Vec<String> = partial.moves().iter().map(uci5d::move_text).collect();
    illegal(why.code(), &format!("`{}` cannot be submitted: {why}", moves.join(" ")))
}

fn illegal(code: &'static str, message: &str) -> Fault {
    Fault::Illegal { code, message: message.to_owned() }
}
