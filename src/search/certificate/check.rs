//! The checker: are all claims of a certificate true? (`spec/certificates.md`)
//!
//! It goes through the actions of the defender that parry all threats, and no others. A row must answer each of them,
//! and the answer must mate in the same way.

use std::collections::BTreeSet;
use std::ptr;

use super::capture::{Need, threats_of};
use super::cover::{Cover, Looks};
use super::{Flaw, Node, Rejection, Reply, Threat, Verdict, When};
use crate::state::{Board, Position};
use crate::types::{Action, Because, BoardCoordinate};

/// Checks that the player to move mates in exactly `mate_in` actions at the latest, the first of them `key`, as `node` explains.
///
/// A typical mate in one takes some hundreds of looks.
pub fn check(start: &Position, key: &Action, mate_in: u32, node: &Node, looks: &Looks<'_>) -> Verdict {
    let mut checker = Checker::new(start, looks);
    let outcome = match node.mate_in() {
        shown if shown != mate_in => Err(Flaw::Length(shown).into()),
        _ => checker.mates(key, node).and_then(|()| match checker.unused_row(node) {
            Some(path) => Err(Flaw::UnusedRow(path).into()),
            None => Ok(()),
        }),
    };
    match outcome {
        Ok(()) => Verdict::Accepted { defences: checker.defences },
        Err(Stop::Flaw(flaw)) => Verdict::Rejected(Rejection { line: checker.line, flaw }),
        Err(Stop::Undecided(because)) => Verdict::Undecided(because),
    }
}

/// Whether the player to move mates by this action as the node explains; some rows may be left over.
pub(super) fn is_proof(position: &Position, action: &Action, node: &Node, looks: &Looks<'_>) -> bool {
    Checker::new(position, looks).mates(action, node).is_ok()
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
    position: Position,
    /// How the position came about.
    line: Vec<Action>,
    /// How many defences were answered.
    defences: u64,
    /// The rows that answered some defence, by where they are in memory.
    used: BTreeSet<*const Reply>,
    looks: &'a Looks<'a>,
}

impl<'a> Checker<'a> {
    fn new(start: &Position, looks: &'a Looks<'a>) -> Checker<'a> {
        Checker { position: start.clone(), line: Vec::new(), defences: 0, used: BTreeSet::new(), looks }
    }

    /// Whether this action of the attacker is legal and mates as the node explains.
    fn mates(&mut self, action: &Action, node: &Node) -> Result<(), Stop> {
        self.line.push(action.clone());
        play(&mut self.position, action, self.looks)?;
        self.is_mated(node)?;
        self.position.undo_unchecked(action);
        self.line.pop();
        Ok(())
    }

    /// Whether the defender, who is to move, is mated as the node explains.
    fn is_mated(&mut self, node: &Node) -> Result<(), Stop> {
        let cover = Cover::new(&self.position, &node.threats, self.looks)?;
        let before = self.defences;
        cover.parries(self.looks, |defence| {
            self.defences += 1;
            self.line.push(defence.clone());
            self.position.play_unchecked(&defence);
            let attacker = self.position.to_move();
            if let Some(&threat) = threats_of(&self.position, attacker, self.looks)?.first() {
                return Err(Stop::from(Flaw::MissingThreat(threat)));
            }
            self.looks.spend(node.replies.len() / 8)?;
            let row = row_about(node, &defence)?;
            self.used.insert(row);
            self.mates(&row.answer, &row.node)?;
            self.position.undo_unchecked(&defence);
            self.line.pop();
            Ok(())
        })?;
        if self.defences == before && !gives_check(&self.position, &node.threats) {
            return Err(Flaw::NoCheck.into());
        }
        Ok(())
    }

    /// The way to a row that answered nothing.
    fn unused_row(&self, node: &Node) -> Option<Vec<usize>> {
        node.replies.iter().enumerate().find_map(|(index, row)| {
            let rest = if self.used.contains(&ptr::from_ref(row)) {
                self.unused_row(&row.node)?
            } else {
                Vec::new()
            };
            Some(std::iter::once(index).chain(rest).collect())
        })
    }
}

/// The only row that is about an action.
fn row_about<'a>(node: &'a Node, defence: &Action) -> Result<&'a Reply, Flaw> {
    let (otherwise, mut about): (Vec<_>, Vec<_>) =
        node.replies.iter().partition(|row| row.when == When::Otherwise);
    about.retain(|row| row.when.holds(defence));
    match *(if about.is_empty() { otherwise } else { about }) {
        [] => Err(Flaw::NoRow),
        [row] => Ok(row),
        _ => Err(Flaw::TwoRows),
    }
}

/// Plays an action if it is legal.
fn play(position: &mut Position, action: &Action, looks: &Looks<'_>) -> Result<(), Stop> {
    if action.is_empty() {
        return Err(Flaw::NoMove.into());
    }
    let player = position.to_move();
    for m in action.moves() {
        if !position.is_pseudo_legal(m) {
            return Err(Flaw::IllegalMove(*m).into());
        }
        if !position.has_room_for(m) {
            return Err(Because::Size.into());
        }
        position.push(m);
    }
    if position.present().color() == player {
        return Err(Flaw::PresentNotAdvanced.into());
    }
    position.submit_unchecked();
    match threats_of(position, !player, looks)?.first() {
        Some(&threat) => Err(Flaw::Exposed(threat).into()),
        None => Ok(()),
    }
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
