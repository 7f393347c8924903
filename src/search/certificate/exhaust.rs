//! Helpmates and selfmates: all actions of both players are listed. Begin at [`helpmates`] and [`selfmates`].
//!
//! There are no files of such evidence. It is made when a puzzle is verified, and takes no shortcut but the listing of actions.

use std::collections::BTreeSet;

use super::check::play_if_legal;
use super::deny::{RefutationTable, legal_actions, mates_in_one, standing};
use super::looks::Looks;
use crate::state::Position;
use crate::types::{Action, Because, Status};

/// Somebody who knows how a selfmate is forced, and how it is avoided. What is said is checked.
pub trait SelfmateAdviser {
    /// An action of the player to move that forces a selfmate in so many actions.
    ///
    /// # Errors
    ///
    /// When it is not known.
    fn forcing(&mut self, position: &Position, n: u32) -> Result<Option<Action>, Because>;

    /// A reply of the player to move, who would have to mate, after which no selfmate is forced in `left` further actions of the other.
    ///
    /// # Errors
    ///
    /// When it is not known.
    fn evasion(&mut self, position: &Position, left: u32) -> Result<Option<Action>, Because>;
}

/// Every line of so many actions, at least 1, of both players in turn, of which the last mates: at least each that has no superfluous
/// move.
///
/// # Errors
///
/// When looks or memory do not suffice.
pub fn helpmates(
    position: &mut Position,
    plies: usize,
    table: &mut RefutationTable,
    looks: &Looks<'_>,
) -> Result<BTreeSet<Vec<Action>>, Because> {
    if plies == 1 {
        let mates = mates_in_one(position, table, looks)?;
        return Ok(mates.into_iter().map(|mate| vec![mate]).collect());
    }
    let mut lines = BTreeSet::new();
    for action in legal_actions(position, looks)? {
        position.play_unchecked(&action);
        let rest = helpmates(position, plies - 1, table, looks);
        position.undo_unchecked(&action);
        lines.extend(rest?.into_iter().map(|line| [std::slice::from_ref(&action), &*line].concat()));
    }
    Ok(lines)
}

/// Every action of the player to move that forces the opponent to mate with the `n`-th reply, at least the first, or sooner. All actions are
/// tried. [`forces_selfmate`] and [`has_no_selfmate`] show the same of single actions with advice, where trying everything takes too long.
///
/// # Errors
///
/// When looks or memory do not suffice.
pub fn selfmates(position: &mut Position, n: u32, looks: &Looks<'_>) -> Result<BTreeSet<Action>, Because> {
    Trial { looks, evasions: vec![Vec::new(); n as usize] }.forcing(position, n, usize::MAX)
}

/// The most replies that are tried first.
const MOST_EVASIONS: usize = 8;

/// The trial of every action.
struct Trial<'a> {
    looks: &'a Looks<'a>,
    /// Replies that avoided a selfmate, by the number of actions that were left. They are tried first, which changes no answer.
    evasions: Vec<Vec<Action>>,
}

impl Trial<'_> {
    /// The actions that force a selfmate in `n`, until there are so many.
    fn forcing(&mut self, position: &mut Position, n: u32, most: usize) -> Result<BTreeSet<Action>, Because> {
        let mut forcing = BTreeSet::new();
        for action in legal_actions(position, self.looks)? {
            position.play_unchecked(&action);
            let avoided = self.is_avoided(position, n - 1);
            position.undo_unchecked(&action);
            if !avoided? {
                forcing.insert(action);
            }
            if forcing.len() == most {
                break;
            }
        }
        Ok(forcing)
    }

    /// Whether the player to move has no reply, or one after which nothing is forced in `left` further actions.
    fn is_avoided(&mut self, position: &mut Position, left: u32) -> Result<bool, Because> {
        for reply in self.evasions[left as usize].clone() {
            if play_if_legal(position, &reply, self.looks)? {
                let is_out = self.is_out(position, left);
                position.undo_unchecked(&reply);
                if is_out? {
                    return Ok(true);
                }
            }
        }
        let replies = legal_actions(position, self.looks)?;
        for reply in &replies {
            position.play_unchecked(reply);
            let is_out = self.is_out(position, left);
            position.undo_unchecked(reply);
            if is_out? {
                let known = &mut self.evasions[left as usize];
                known.insert(0, reply.clone());
                known.truncate(MOST_EVASIONS);
                return Ok(true);
            }
        }
        Ok(replies.is_empty())
    }

    /// Whether the player to move is neither mated nor able to force a selfmate in so many actions.
    fn is_out(&mut self, position: &mut Position, left: u32) -> Result<bool, Because> {
        if standing(position, self.looks)?.status() == Status::Checkmate {
            return Ok(false);
        }
        Ok(left == 0 || self.forcing(position, left, 1)?.is_empty())
    }
}

/// Whether an action forces the opponent to mate with the `n`-th reply at the latest.
///
/// # Errors
///
/// When looks or memory do not suffice, or the adviser does not know.
pub fn forces_selfmate(
    position: &mut Position,
    action: &Action,
    n: u32,
    adviser: &mut dyn SelfmateAdviser,
    looks: &Looks<'_>,
) -> Result<bool, Because> {
    if !play_if_legal(position, action, looks)? {
        return Ok(false);
    }
    let forced = is_forced(position, n - 1, adviser, looks);
    position.undo_unchecked(action);
    forced
}

/// Whether the player to move must mate, with this reply or one of the next `left`.
fn is_forced(
    position: &mut Position,
    left: u32,
    adviser: &mut dyn SelfmateAdviser,
    looks: &Looks<'_>,
) -> Result<bool, Because> {
    let replies = legal_actions(position, looks)?;
    for reply in &replies {
        position.play_unchecked(reply);
        let goes_on = goes_on(position, left, adviser, looks);
        position.undo_unchecked(reply);
        if !goes_on? {
            return Ok(false);
        }
    }
    Ok(!replies.is_empty())
}

/// Whether the player to move is mated, or has an action that forces it.
fn goes_on(
    position: &mut Position,
    left: u32,
    adviser: &mut dyn SelfmateAdviser,
    looks: &Looks<'_>,
) -> Result<bool, Because> {
    if standing(position, looks)?.status() == Status::Checkmate {
        return Ok(true);
    }
    if left == 0 {
        return Ok(false);
    }
    let Some(answer) = adviser.forcing(position, left)? else { return Ok(false) };
    forces_selfmate(position, &answer, left, adviser, looks)
}

/// Whether no action of the player to move forces a selfmate in `n`, except perhaps those that contain one of these keys.
///
/// # Errors
///
/// When looks or memory do not suffice, or the adviser does not know.
pub fn has_no_selfmate(
    position: &mut Position,
    n: u32,
    keys: &[Action],
    adviser: &mut dyn SelfmateAdviser,
    looks: &Looks<'_>,
) -> Result<bool, Because> {
    for action in legal_actions(position, looks)? {
        if keys.iter().any(|key| action.contains(key)) {
            continue;
        }
        position.play_unchecked(&action);
        let avoided = is_avoided(position, n - 1, adviser, looks);
        position.undo_unchecked(&action);
        if !avoided? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the player to move has no reply, or one after which nothing is forced in `left` further actions.
fn is_avoided(
    position: &mut Position,
    left: u32,
    adviser: &mut dyn SelfmateAdviser,
    looks: &Looks<'_>,
) -> Result<bool, Because> {
    let Some(reply) = adviser.evasion(position, left)? else {
        return Ok(legal_actions(position, looks)?.is_empty());
    };
    if !play_if_legal(position, &reply, looks)? {
        return Ok(false);
    }
    let avoided = standing(position, looks).and_then(|standing| {
        let mates = standing.status() == Status::Checkmate;
        Ok(!mates && (left == 0 || has_no_selfmate(position, left, &[], adviser, looks)?))
    });
    position.undo_unchecked(&reply);
    avoided
}
