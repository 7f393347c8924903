//! The checker: is everything true that a certificate says? (`spec/certificates.md`)
//!
//! It lets the defender try every action that parries all threats, and nothing else: such an action must be answered by a row,
//! and the answer must mate in the same way.

use std::fmt;

use super::capture::{Need, threats_of};
use super::cover::{Budget, Cover, TooLarge};
use super::{Node, Threat, When};
use crate::state::{Board, Position};
use crate::types::{Action, BoardCoordinate, Move};

/// What became of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All that it says is true: the attacker mates.
    Accepted {
        /// How many actions of the defender were answered, over all lines.
        defences: u64,
        /// How many single choices were looked at.
        steps: u64,
    },
    /// Something is missing or false. That does not mean that there is no mate.
    Rejected(Rejection),
    /// The budget was spent, or more boards can be played at once than the checker supports.
    Undecided,
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The actions that lead to what is wrong: the key, a defence, its answer, and so on.
    pub line: Vec<Action>,
    /// What is wrong there.
    pub flaw: Flaw,
}

/// What is wrong with a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The rows show a mate in so many actions, which is not what is claimed.
    Length(u32),
    /// The last action of the line is the attacker's and has no move.
    NoMove,
    /// The last action of the line is the attacker's and has a move that cannot be made.
    NotAMove(Move),
    /// The last action of the line is the attacker's and does not pass the present on.
    PresentStays,
    /// The last action of the line is the attacker's and leaves a royal piece of his to be captured.
    Exposed(Threat),
    /// The last action of the line is the defender's and is illegal, as it leaves this threat, which the certificate does
    /// not name.
    MissingThreat(Threat),
    /// The last action of the line is a legal action of the defender that no row is about.
    NoRow,
    /// The last action of the line is a legal action of the defender that two rows are about.
    TwoRows,
    /// After the line, the row with this index is about no legal action of the defender.
    UnusedRow(usize),
    /// After the line the defender has no legal action, but no threat named would be there if he passed: nothing shows that this
    /// is no stalemate.
    NoCheck,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Length(shown) => write!(f, "what is shown is a mate in {shown}"),
            Flaw::NoMove => f.write_str("the attacker makes no move"),
            Flaw::NotAMove(_) => f.write_str("the attacker's action has a move that cannot be made"),
            Flaw::PresentStays => f.write_str("the attacker's action does not pass the present on"),
            Flaw::Exposed(_) => f.write_str("the attacker's action leaves a royal piece to be captured"),
            Flaw::MissingThreat(_) => f.write_str("the threat that makes the defence illegal is not named"),
            Flaw::NoRow => f.write_str("the defence has no answer"),
            Flaw::TwoRows => f.write_str("two rows are about the defence"),
            Flaw::UnusedRow(index) => write!(f, "row {} is about no legal defence", index + 1),
            Flaw::NoCheck => f.write_str("no threat named gives check, so this may be stalemate"),
        }
    }
}

/// Checks that the player to move mates in exactly `mate_in` actions at the latest, the first of them `key`, as `node` explains.
///
/// `budget` limits how many single choices are looked at; a typical mate in one takes some hundreds.
pub fn check(start: &Position, key: &Action, mate_in: u32, node: &Node, budget: u64) -> Verdict {
    let budget_left = Budget::new(budget);
    let mut checker =
        Checker { position: start.clone(), line: Vec::new(), defences: 0, budget: &budget_left };
    let outcome = match node.mate_in() {
        shown if shown != mate_in => Err(Stop::Flaw(Flaw::Length(shown))),
        _ => checker.mates(key, node),
    };
    match outcome {
        Ok(()) => Verdict::Accepted { defences: checker.defences, steps: budget - budget_left.get() },
        Err(Stop::Flaw(flaw)) => Verdict::Rejected(Rejection { line: checker.line, flaw }),
        Err(Stop::TooLarge) => Verdict::Undecided,
    }
}

/// Whether the player to move mates by this action as the node explains.
pub(super) fn is_proof(position: &Position, action: &Action, node: &Node, budget: &Budget) -> bool {
    Checker { position: position.clone(), line: Vec::new(), defences: 0, budget }.mates(action, node).is_ok()
}

/// Why checking ended early.
enum Stop {
    Flaw(Flaw),
    TooLarge,
}

impl From<TooLarge> for Stop {
    fn from(_: TooLarge) -> Stop {
        Stop::TooLarge
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
    defences: u64,
    budget: &'a Budget,
}

impl Checker<'_> {
    /// Whether this action of the attacker is legal and mates as the node explains.
    fn mates(&mut self, action: &Action, node: &Node) -> Result<(), Stop> {
        self.line.push(action.clone());
        play(&mut self.position, action)?;
        self.is_mated(node)?;
        self.position.undo(action);
        self.line.pop();
        Ok(())
    }

    /// Whether the defender, who is to move, is mated as the node explains.
    fn is_mated(&mut self, node: &Node) -> Result<(), Stop> {
        let cover = Cover::new(&self.position, &node.threats, self.budget)?;
        let mut used = vec![false; node.replies.len()];
        let before = self.defences;
        cover.parries(self.budget, |defence| {
            self.defences += 1;
            self.line.push(defence.clone());
            self.position.play_unchecked(&defence);
            let attacker = self.position.to_move();
            if let Some(&threat) = threats_of(&self.position, attacker).first() {
                return Err(Stop::from(Flaw::MissingThreat(threat)));
            }
            let row = row_about(node, &defence)?;
            used[row] = true;
            self.mates(&node.replies[row].answer, &node.replies[row].node)?;
            self.position.undo(&defence);
            self.line.pop();
            Ok(())
        })?;
        if let Some(unused) = used.iter().position(|used| !used) {
            return Err(Flaw::UnusedRow(unused).into());
        }
        if self.defences == before && !gives_check(&self.position, &node.threats) {
            return Err(Flaw::NoCheck.into());
        }
        Ok(())
    }
}

/// The index of the only row that is about an action.
fn row_about(node: &Node, defence: &Action) -> Result<usize, Flaw> {
    let is_otherwise = |index: &usize| node.replies[*index].when == When::Otherwise;
    let (otherwise, named): (Vec<_>, Vec<_>) = (0..node.replies.len()).partition(is_otherwise);
    let about: Vec<usize> =
        named.into_iter().filter(|&index| node.replies[index].when.holds(defence)).collect();
    match *(if about.is_empty() { otherwise } else { about }) {
        [] => Err(Flaw::NoRow),
        [row] => Ok(row),
        _ => Err(Flaw::TwoRows),
    }
}

/// Plays an action if it is legal.
fn play(position: &mut Position, action: &Action) -> Result<(), Flaw> {
    if action.is_empty() {
        return Err(Flaw::NoMove);
    }
    let player = position.to_move();
    for m in action.moves() {
        if !position.has_room_for(m) || !position.is_pseudo_legal(m) {
            return Err(Flaw::NotAMove(*m));
        }
        position.push(m);
    }
    if position.present().color() == player {
        return Err(Flaw::PresentStays);
    }
    position.submit_unchecked();
    match threats_of(position, !player).first() {
        Some(&threat) => Err(Flaw::Exposed(threat)),
        None => Ok(()),
    }
}

/// Whether one of the threats would be there if the player to move passed on every board that must be played, or that
/// may be played where the rules say so.
pub(super) fn gives_check(position: &Position, threats: &[Threat]) -> bool {
    let (multiverse, profile) = (position.multiverse(), position.profile());
    let (player, present) = (position.to_move(), position.present());
    let (low, high) = multiverse.active();
    // The last board of a timeline on which the opponent is to move, once the player has passed.
    let passed = |at: BoardCoordinate| -> Option<&Board> {
        let (end, board) = multiverse.last(at.timeline)?;
        let must = end == present && (low..=high).contains(&at.timeline);
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
