//! Orthodox chess as a ruleset of the same core, and how a game goes from it to 5D chess and back.
//!
//! A game is orthodox when its [`RuleProfile`] is without time travel: one timeline, and moves and attacks on the board
//! only. [`pgn`](super::pgn), [`fen`](super::fen) and [`chess64`](super::chess64) read such games and write no others.
//!
//! Some games belong to both worlds: they have one board at a time, and every action is legal under both rulesets. Such a
//! game can be written in any notation, and the rules are what is lost by it. A game that needs the other ruleset cannot
//! be written: in 5D chess a queen also gives check to the king's earlier selves, and in orthodox chess nothing jumps.

use std::borrow::Cow;

use super::{Game, Loss, Unwritable};
use crate::rules::{IllegalAction, IllegalReason};
use crate::state::{Position, Setup};
use crate::types::{MoveKind, RuleProfile};

/// The game under the rules of orthodox chess, and what is lost by that.
///
/// # Errors
///
/// When it has several timelines, or an action is not legal in orthodox chess.
pub fn from_5d(game: &Game) -> Result<(Cow<'_, Game>, Vec<Loss>), Unwritable> {
    let profile = game.start.profile();
    let (low, high) = game.start.multiverse().range();
    if low != high {
        return Err(Unwritable::new("orthodox chess is played on one board"));
    }
    if profile == RuleProfile::orthodox() {
        return Ok((Cow::Borrowed(game), Vec::new()));
    }
    let jump = game.actions.iter().position(|action| {
        action.moves().len() != 1 || action.moves().iter().any(|m| m.kind != MoveKind::Physical)
    });
    if let Some(index) = jump {
        return Err(Unwritable::at(index, "the action leaves its board, which nothing does in orthodox chess"));
    }
    let replayed = replay(game, RuleProfile::orthodox(), "orthodox chess")?;
    let lost = if profile.time_travel {
        "the rules of 5D chess: time travel is not part of orthodox chess"
    } else {
        "the rules in force, which differ from those of orthodox chess"
    };
    Ok((Cow::Owned(replayed), vec![Loss::new(lost)]))
}

/// The game under the rules of 5D chess, and what is lost by that. Pawns become what they can in the game.
///
/// # Errors
///
/// When an action is not legal in 5D chess.
pub fn to_5d(game: &Game) -> Result<(Cow<'_, Game>, Vec<Loss>), Unwritable> {
    let profile = game.start.profile();
    if profile.time_travel {
        return Ok((Cow::Borrowed(game), Vec::new()));
    }
    let profile = RuleProfile { promotions: profile.promotions, ..RuleProfile::default() };
    let replayed = replay(game, profile, "5D chess")?;
    let lost = "the rules of orthodox chess: in 5D chess pieces move through time too";
    Ok((Cow::Owned(replayed), vec![Loss::new(lost)]))
}

fn replay(game: &Game, profile: RuleProfile, name: &str) -> Result<Game, Unwritable> {
    let setup = Setup { profile, ..game.start.to_setup() };
    let start = Position::from_setup(&setup).map_err(|error| Unwritable::new(error.to_string()))?;
    let mut position = start.clone();
    for (index, action) in game.actions.iter().enumerate() {
        position.play(action).map_err(|IllegalAction { reason }| {
            let why = match reason {
                IllegalReason::Exposed(_) => "a royal piece could be captured",
                IllegalReason::TooLarge => "the game is too long",
                _ => "no piece moves like that",
            };
            Unwritable::at(index, format!("the action is illegal in {name}: {why}"))
        })?;
    }
    Ok(Game { start, ..game.clone() })
}
