//! The checker: are all claims of a certificate true? (`spec/certificates.md`)
//!
//! It goes through the actions of the defender that parry all threats, and no others. A row must answer each of them,
//! and the answer must mate in the same way.

use std::collections::BTreeSet;
use std::ptr;

use super::capture::{Need, threats_of};
use super::cover::Cover;
use super::looks::Looks;
use super::{Flaw, Node, Rejection, Reply, Threat, Verdict, When};
use crate::state::{Board, Position};
use crate::types::{Action, Because, BoardCoordinate, Move};

/// Checks that the player to move mates in exactly `mate_in` actions at the latest, the first of them `key`, as `node` explains.
///
/// A typical mate in one takes some hundreds of looks.
pub fn check(start: &Position, key: &Action, mate_in: u32, node: &Node, looks: &Looks<'_>) -> Verdict {
    let mut position = start.clone();
    let mut checker = Checker::new(&mut position, looks);
    let outcome = match node.mate_in() {
        shown if shown != mate_in => Err(Flaw::Length(shown).into()),
        _ => checker
            .mates(key, node)
            .and_then(|()| checker.unused_row(node).map_or(Ok(()), |path| Err(Flaw::UnusedRow(path).into()))),
    };
    match outcome {
        Ok(()) => Verdict::Accepted { defences: checker.defences },
        Err(Stop::Flaw(flaw)) => Verdict::Rejected(Rejection { line: checker.line, flaw }),
        Err(Stop::Undecided(because)) => Verdict::Undecided(because),
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
enum Stop {
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
        let cover = Cover::new(self.position, &node.threats, self.looks)?;
        let before = self.defences;
        cover.parries(|defence| {
            self.defences += 1;
            self.line.push(defence.clone());
            self.position.play_unchecked(&defence);
            let answered = self.is_answered(node, &defence);
            self.position.undo_unchecked(&defence);
            answered?;
            self.line.pop();
            Ok::<(), Stop>(())
        })?;
        if self.defences == before && !gives_check(self.position, &node.threats) {
            return Err(Flaw::NoCheck.into());
        }
        Ok(())
    }

    /// Whether a defence that was just played is legal, and one row of the node answers it.
    fn is_answered(&mut self, node: &Node, defence: &Action) -> Result<(), Stop> {
        if let Some(&threat) = threats_of(self.position, self.position.to_move(), self.looks)?.first() {
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
    let (otherwise, mut about): (Vec<_>, Vec<_>) =
        node.replies.iter().partition(|row| row.when == When::Otherwise);
    about.retain(|row| row.when.holds(defence));
    match *(if about.is_empty() { otherwise } else { about }) {
        [] => Err(Flaw::NoRow.into()),
        [row] => Ok(row),
        _ => Err(Flaw::TwoRows.into()),
    }
}

/// Plays an action if it is legal. Otherwise the position stays as it is.
fn play(position: &mut Position, action: &Action, looks: &Looks<'_>) -> Result<(), Stop> {
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
    if let Some(&threat) = threats_of(position, !player, looks)?.first() {
        return Err(Flaw::Exposed(threat).into());
    }
    position.submit_unchecked();
    Ok(())
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

/// Whether one of the threats would be there if the player to move passed on every board that must be played, or that
/// may be played where the rules say so.
pub(super) fn gives_check(position: &Position, threats: &[Threat]) -> bool {
    let (multiverse, profile) = (position.multiverse(), position.profile());
    let (player, present) = (position.to_move(), position.present());
    let active = multiverse.active();
    // The last board of a timeline on which the opponent is to move, once the player has passed.
    let passed = |at: BoardCoordinate| -> Option<&Board> {
        let (end, board) = multiverse.last(at.timeline)?;
        let must = end == present && active.contains(at.timeline);
        let passes = end.color() == player && (must || profile.check_passes_every_board);
        let now = if passes { end.next() } else { end };
        (now == at.half_turn && now.color() != player).then_some(board)
    };
    let is_met = |(at, need): (BoardCoordinate, Need)| {
        let board = match need {
            Need::Capturer(..) => passed(at),
            Need::Empty(_) | Need::Royal(..) => passed(at).or_else(|| position.board(at)),
        };
        board.is_some_and(|board| need.is_met(board))
    };
    threats
        .iter()
        .any(|threat| threat.needs(!player, profile.time_travel).is_some_and(|mut needs| needs.all(is_met)))
}
