//! The checker: are all claims of a certificate true? (`spec/certificates.md`)
//!
//! It goes through the actions of the defender that parry all threats, and no others. A row must answer each of them,
//! and the answer must mate in the same way.

use std::collections::BTreeSet;
use std::ptr;

use super::capture::first_threat;
use super::cover::Cover;
use super::looks::Looks;
use super::{CheckResult, Flaw, Node, Rejection, Reply, Threat};
use crate::state::Position;
use crate::types::{Action, Because, BoardCoordinate, Move};

/// Checks that the player to move mates in exactly `mate_in` actions at the latest, the first of them `key`, as `node` explains.
///
/// A typical mate in one takes some hundreds of looks.
pub fn check(start: &Position, key: &Action, mate_in: u32, node: &Node, looks: &Looks<'_>) -> CheckResult {
    let mut position = start.clone();
    let mut checker = Checker::new(&mut position, looks);
    let outcome = match node.mate_in() {
        shown if shown != mate_in => Err(Flaw::Length(shown).into()),
        _ => checker
            .mates(key, node)
            .and_then(|()| checker.unused_row(node).map_or(Ok(()), |path| Err(Flaw::UnusedRow(path).into()))),
    };
    match outcome {
        Ok(()) => CheckResult::Accepted { defences: checker.defences },
        Err(Stop::Flaw(flaw)) => CheckResult::Rejected(Rejection { line: checker.line, flaw }),
        Err(Stop::Undecided(because)) => CheckResult::Undecided(because),
    }
}

/// Whether the player to move mates by this action as the node explains; some rows may be left over.
pub(super) fn is_proof(
    position: &mut Position,
    action: &Action,
    node: &Node,
    looks: &Looks<'_>,
) -> Result<bool, Because> {
    match Checker::new(position, looks).mates(action, node) {
        Ok(()) => Ok(true),
        Err(Stop::Flaw(_)) => Ok(false),
        Err(Stop::Undecided(because)) => Err(because),
    }
}

/// Why checking ended early.
pub(super) enum Stop {
    Flaw(Flaw),
    Undecided(Because),
}

impl From<Because> for Stop {
    fn from(because: Because) -> Stop {
        Stop::Undecided(because)
    }
}

impl From<Flaw> for Stop {
    fn from(flaw: Flaw) -> Stop {
        Stop::Flaw(flaw)
    }
}

struct Checker<'a> {
    position: &'a mut Position,
    /// The actions that led to the position; after a flaw, those that lead to the flaw.
    line: Vec<Action>,
    /// The number of defences that were answered.
    defences: u64,
    /// The rows that answered some defence, by where they are in memory.
    used: BTreeSet<*const Reply>,
    looks: &'a Looks<'a>,
}

impl<'a> Checker<'a> {
    fn new(position: &'a mut Position, looks: &'a Looks<'a>) -> Checker<'a> {
        Checker { position, line: Vec::new(), defences: 0, used: BTreeSet::new(), looks }
    }

    /// Whether this action of the attacker is legal and mates as the node explains.
    fn mates(&mut self, action: &Action, node: &Node) -> Result<(), Stop> {
        self.line.push(action.clone());
        play(self.position, action, self.looks)?;
        let mated = self.is_mated(node);
        self.position.undo_unchecked(action);
        mated?;
        self.line.pop();
        Ok(())
    }

    /// Whether the defender, who is to move, is mated as the node explains.
    fn is_mated(&mut self, node: &Node) -> Result<(), Stop> {
        check_classes(self.position, node, self.looks)?;
        let mut cover = Cover::new(self.position, &node.threats, self.looks)?;
        let before = self.defences;
        while let Some(defence) = cover.next_action()? {
            self.defences += 1;
            self.line.push(defence.clone());
            self.position.play_unchecked(&defence);
            let answered = self.is_answered(node, &defence);
            self.position.undo_unchecked(&defence);
            answered?;
            self.line.pop();
        }
        if self.defences == before && !gives_check(self.position, &node.threats) {
            return Err(Flaw::NoCheck.into());
        }
        Ok(())
    }

    /// Whether a defence that was just played is legal, and one row of the node answers it.
    fn is_answered(&mut self, node: &Node, defence: &Action) -> Result<(), Stop> {
        if let Some(threat) = first_threat(self.position, self.looks)? {
            return Err(Flaw::MissingThreat(threat).into());
        }
        let row = row_about(node, defence, self.looks)?;
        self.used.insert(row);
        self.mates(&row.answer, &row.node)
    }

    /// The way to a row that answered nothing.
    fn unused_row(&self, node: &Node) -> Option<Vec<usize>> {
        node.replies.iter().enumerate().find_map(|(index, row)| {
            let is_used = self.used.contains(&ptr::from_ref(row));
            let rest = if is_used { self.unused_row(&row.node)? } else { Vec::new() };
            Some(std::iter::once(index).chain(rest).collect())
        })
    }
}

/// Whether the classes of a node name boards that the player to move can play, and no others.
fn check_classes(position: &Position, node: &Node, looks: &Looks<'_>) -> Result<(), Stop> {
    for (index, row) in node.replies.iter().enumerate() {
        looks.charge(row.when.boards().len() / 8)?;
        for (board, _) in row.when.boards() {
            if position.playable(board.timeline) != Some(*board) {
                return Err(Flaw::UnplayableBoard(index, *board).into());
            }
        }
    }
    Ok(())
}

/// The only row that is about an action. Each board that a class names is looked for among the moves.
fn row_about<'a>(node: &'a Node, defence: &Action, looks: &Looks<'_>) -> Result<&'a Reply, Stop> {
    let named: usize = node.replies.iter().map(|row| row.when.boards().len()).sum();
    looks.charge((node.replies.len() + named * defence.moves().len()) / 8)?;
    match *node.rows_about(defence) {
        [] => Err(Flaw::NoRow.into()),
        [row] => Ok(row),
        _ => Err(Flaw::TwoRows.into()),
    }
}

/// Plays an action if it is legal, and says whether it is. The search has no part in it.
///
/// # Errors
///
/// When looks do not suffice, or more timelines would be made than are supported.
pub fn play_if_legal(position: &mut Position, action: &Action, looks: &Looks<'_>) -> Result<bool, Because> {
    match play(position, action, looks) {
        Ok(()) => Ok(true),
        Err(Stop::Flaw(_)) => Ok(false),
        Err(Stop::Undecided(because)) => Err(because),
    }
}

/// Plays an action if it is legal. Otherwise the position stays as it is.
pub(super) fn play(position: &mut Position, action: &Action, looks: &Looks<'_>) -> Result<(), Stop> {
    if action.is_empty() {
        return Err(Flaw::NoMove.into());
    }
    let mut made = 0;
    let mut push_all =
        || action.moves().iter().try_for_each(|m| push(position, m, looks).map(|()| made += 1));
    let played = push_all().and_then(|()| submit(position, looks));
    if played.is_err() {
        action.moves()[..made].iter().rev().for_each(|m| position.pop(m));
    }
    played
}

/// Ends an action if the present has passed on and no royal piece of the player can be captured.
fn submit(position: &mut Position, looks: &Looks<'_>) -> Result<(), Stop> {
    let player = position.to_move();
    if position.present().color() == player {
        return Err(Flaw::PresentNotAdvanced.into());
    }
    position.switch_player();
    let submitted = match first_threat(position, looks) {
        Ok(None) => return Ok(()),
        Ok(Some(threat)) => Flaw::Exposed(threat).into(),
        Err(because) => because.into(),
    };
    position.switch_player();
    Err(submitted)
}

/// Makes a move of an action if it is possible.
fn push(position: &mut Position, m: &Move, looks: &Looks<'_>) -> Result<(), Stop> {
    looks.charge(1)?;
    if !position.is_pseudo_legal(m) {
        return Err(Flaw::IllegalMove(*m).into());
    }
    if !position.has_room_for(m) {
        return Err(Because::Size.into());
    }
    position.push(m);
    Ok(())
}

/// Whether one of the threats would be there if the player to move passed.
pub(super) fn gives_check(position: &mut Position, threats: &[Threat]) -> bool {
    passed(position, |position| threats.iter().any(|threat| threat.stands(position)))
}

/// Whether a royal piece could be captured if the player to move passed. Eight pairs of pieces cost a look.
pub(super) fn is_in_check(position: &mut Position, looks: &Looks<'_>) -> Result<bool, Because> {
    passed(position, |position| first_threat(position, looks)).map(|threat| threat.is_some())
}

/// Asks about the position after a pass on every board that must be played, or that may be played where the rules say so.
fn passed<T>(position: &mut Position, ask: impl FnOnce(&Position) -> T) -> T {
    let every = position.profile().check_passes_every_board;
    let boards =
        if every { position.playable_boards().collect() } else { position.mandatory_boards().collect() };
    let boards: Vec<BoardCoordinate> = boards;
    boards.iter().for_each(|at| position.push_pass(at.timeline));
    position.switch_player();
    let answer = ask(position);
    position.switch_player();
    boards.iter().for_each(|at| position.pop_pass(at.timeline));
    answer
}
