//! Explains in words why a player has no legal action, by trying everything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::notation::pgn5d::move_text;
use crate::rules::{Check, IllegalAction, PartialAction};
use crate::state::Position;
use crate::types::{
    Because, BoardCoordinate, Coordinate, HalfTurn, Limit, Move, Square, Timeline, Undecided,
};

/// The most combinations of moves that are tried.
const TRIED: usize = 20_000;
/// The most reasons that are reported, and the most that are counted separately.
const MOST: usize = 12;
const MOST_COUNTED: usize = 1_000;
/// The number of boards and moves that are examined in one search step.
const LOOKS: usize = 32;

/// A reason why some actions are illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The number of tried actions with this reason.
    pub count: usize,
    /// The reason in words.
    pub why: String,
    /// One of them.
    pub example: String,
}

/// The example with its reason and the number of further actions: `Ke1f2: Black captures the king (and 2 more actions)`.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.example.is_empty() {
            write!(f, "{}: ", self.example)?;
        }
        f.write_str(&self.why)?;
        match self.count {
            0 | 1 => Ok(()),
            2 => f.write_str(" (and 1 more action)"),
            count => write!(f, " (and {} more actions)", count - 1),
        }
    }
}

/// The reasons why every action of a player is illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reasons {
    /// The reasons, the most frequent first, at most twelve.
    pub told: Vec<Reason>,
    /// Whether everything was tried and all reasons are listed.
    pub all: bool,
    /// The limit that ended the search, if one did.
    pub undecided: Option<Undecided>,
}

/// The reasons why every action of the player to move is illegal. Uses no more search steps than the limit
/// allows, and no more than about `memory` bytes.
pub fn reasons<'l>(position: &Position, limit: impl Into<Limit<'l>>, memory: u64) -> Reasons {
    let purse = Purse { limit: limit.into(), steps: 0, bytes: memory };
    let checks = position.first_checks(MOST_COUNTED).0;
    let mut tries = Tries {
        position,
        checks: checks.iter().map(line_of).collect(),
        partial: PartialAction::new(position.clone()),
        texts: Vec::new(),
        tried: 0,
        found: BTreeMap::new(),
        all: true,
        purse,
    };
    let undecided = match tries.go_on() {
        Ok(()) => None,
        Err(End::Enough) => {
            tries.all = false;
            None
        }
        Err(End::Limit(undecided)) => Some(undecided),
    };
    let reason = |(why, (count, example))| Reason { count, why, example };
    let mut told: Vec<Reason> = tries.found.into_iter().map(reason).collect();
    told.sort_by(|a, b| (b.count, &a.why).cmp(&(a.count, &b.why)));
    let all = tries.all && undecided.is_none() && told.len() <= MOST;
    told.truncate(MOST);
    Reasons { told, all, undecided }
}

/// The reason why the search ends early.
enum End {
    /// There are too many to report.
    Enough,
    /// A limit was reached.
    Limit(Undecided),
}

/// The limits of the search, and the amounts used.
struct Purse<'l> {
    limit: Limit<'l>,
    steps: u64,
    bytes: u64,
}

impl Purse<'_> {
    /// Charges for boards and moves that are examined.
    fn pay(&mut self, looks: usize) -> Result<(), End> {
        self.steps += 1 + (looks / LOOKS) as u64;
        if self.limit.is_stopped() {
            Err(self.end(Because::Stopped))
        } else if self.steps > self.limit.most_steps() {
            Err(self.end(Because::Budget))
        } else {
            Ok(())
        }
    }

    fn keep(&mut self, bytes: usize) -> Result<(), End> {
        self.bytes = self.bytes.checked_sub(bytes as u64).ok_or(self.end(Because::Memory))?;
        Ok(())
    }

    fn end(&self, because: Because) -> End {
        End::Limit(Undecided { steps: self.steps.min(self.limit.most_steps()), because })
    }
}

/// The state of the search, and the reasons found so far.
struct Tries<'p, 'l> {
    position: &'p Position,
    /// The checks that the player is in.
    checks: BTreeSet<Line>,
    partial: PartialAction,
    /// The texts of the moves made.
    texts: Vec<String>,
    tried: usize,
    found: BTreeMap<String, (usize, String)>,
    /// Whether every reason has been counted.
    all: bool,
    purse: Purse<'l>,
}

impl Tries<'_, '_> {
    /// Tries the moves from the first mandatory board that is left, and then those from the others.
    fn go_on(&mut self) -> Result<(), End> {
        let timelines = self.partial.multiverse().range();
        self.purse.pay(timelines.len())?;
        let mandatory = self.partial.mandatory_boards().next();
        if mandatory.is_none() && !self.texts.is_empty() {
            return self.judge();
        }
        let mut is_stuck = true;
        for timeline in timelines.iter() {
            let Some(at) = self.partial.position().playable(timeline) else { continue };
            let moves = self.moves(at, mandatory)?;
            is_stuck &= moves.is_empty();
            self.each(&moves)?;
            self.purse.bytes += size_of_val(&moves[..]) as u64;
        }
        match mandatory {
            Some(board) if is_stuck => {
                let board = label(self.position, board);
                self.count(format!("nothing can be moved on {board}, which must be played"), String::new())
            }
            _ => Ok(()),
        }
    }

    /// The moves from a board that may help while `mandatory` must be played.
    fn moves(&mut self, at: BoardCoordinate, mandatory: Option<BoardCoordinate>) -> Result<Vec<Move>, End> {
        let mut moves = Vec::new();
        self.partial.position().pseudo_legal_moves_from(at, &mut moves);
        self.purse.pay(moves.len())?;
        // A jump plays the board that it leaves, and a hop also the board that it enters.
        moves.retain(|m| {
            mandatory.is_none_or(|board| {
                m.from.board == board || m.to.board == board || m.to.board.half_turn < board.half_turn
            })
        });
        moves.shrink_to_fit();
        self.purse.keep(size_of_val(&moves[..]))?;
        Ok(moves)
    }

    fn each(&mut self, moves: &[Move]) -> Result<(), End> {
        for m in moves {
            self.tried += 1;
            if self.tried > TRIED {
                return Err(End::Enough);
            }
            let text = move_text(&self.partial, m);
            if self.partial.push(*m).is_ok() {
                self.texts.push(text);
                self.go_on()?;
                self.texts.pop();
                self.partial.pop();
            }
        }
        Ok(())
    }

    /// Counts the reason why an action is illegal.
    fn judge(&mut self) -> Result<(), End> {
        // The test for check looks at every board.
        self.purse.pay(4 * self.partial.multiverse().range().len())?;
        let why = match self.partial.can_submit() {
            Ok(()) => "it is legal".to_owned(),
            Err(IllegalAction::Exposed(check)) => self.in_check(&check),
            Err(why) => why.to_string(),
        };
        self.count(why, self.texts.join(" "))
    }

    fn count(&mut self, why: String, example: String) -> Result<(), End> {
        if let Some((count, _)) = self.found.get_mut(&why) {
            *count += 1;
        } else if self.found.len() < MOST_COUNTED {
            self.purse.keep(why.len() + example.len())?;
            self.found.insert(why, (1, example));
        } else {
            self.all = false;
        }
        Ok(())
    }

    fn in_check(&self, check: &Check) -> String {
        let word = if self.checks.contains(&line_of(check)) { "still in check" } else { "in check" };
        let (partial, position) = (&self.partial, self.position);
        let board = |at: BoardCoordinate| partial.multiverse().board(at).or_else(|| position.board(at));
        // The square before the action, if the same piece is there then.
        let now = |at: Coordinate| {
            let moved = board(at.board).and_then(|board| board.get(at.square));
            let old = existing(at, position);
            let stands = position.board(old.board).and_then(|board| board.get(old.square));
            if stands.is_some() && stands == moved { old } else { at }
        };
        let (from, to) = (now(check.from), now(check.to));
        let piece = |at: Coordinate| {
            let piece = board(at.board).and_then(|board| board.get(at.square));
            piece.map(|piece| format!("{} ", piece.kind)).unwrap_or_default()
        };
        format!(
            "{word} from the {}{} on the {}{}",
            piece(from),
            place(position, from),
            piece(to),
            place(position, to)
        )
    }
}

/// An attacker, by timeline and square, and the royal piece that it attacks.
type Line = (Timeline, Square, Coordinate);

/// The part of a check that stays the same while the same piece attacks the same royal piece.
fn line_of(check: &Check) -> Line {
    (check.from.board.timeline, check.from.square, check.to)
}

/// The square itself, or if its board does not exist, the same square on the newest board of the timeline
/// before it: a board that a pass would make is a copy of the one before it.
pub fn existing(at: Coordinate, position: &Position) -> Coordinate {
    let back = |turns| {
        let board = BoardCoordinate { half_turn: HalfTurn(at.board.half_turn.0 - turns), ..at.board };
        Coordinate { board, ..at }
    };
    (0..=2).map(back).find(|at| position.board(at.board).is_some()).unwrap_or(at)
}

/// The checks in a position, in words, with boards that exist; at most a thousand.
pub fn checks(position: &Position) -> Vec<String> {
    let checks = position.first_checks(MOST_COUNTED).0;
    let here = |check: &Check| (existing(check.from, position), existing(check.to, position));
    let mut told = BTreeSet::new();
    let new = checks.iter().map(here).filter(|&check| told.insert(check));
    let piece = |at: Coordinate| {
        let piece = position.board(at.board).and_then(|board| board.get(at.square));
        piece.map(|piece| format!("{piece} ")).unwrap_or_default()
    };
    let text = |(from, to)| {
        format!("{}{} attacks {}{}", piece(from), place(position, from), piece(to), place(position, to))
    };
    new.map(text).collect()
}

fn place(position: &Position, at: Coordinate) -> String {
    format!("{}{}", label(position, at.board), at.square)
}

/// The name of a board as pictures have it, `(0T2w)`: with the player, since a turn has two boards and a check may concern both.
fn label(position: &Position, at: BoardCoordinate) -> String {
    format!("({}{})", position.parity().label(at.timeline), at.half_turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;

    /// The sum of the counts, and the reasons.
    fn told(text: &str) -> (usize, Vec<String>, bool) {
        let position = fen5d::parse(text).into_result().unwrap();
        let Reasons { told, all, undecided } = reasons(&position, Limit::NONE, u64::MAX);
        assert_eq!(undecided, None);
        (told.iter().map(|reason| reason.count).sum(), told.into_iter().map(|r| r.why).collect(), all)
    }

    #[test]
    fn every_try_of_a_mated_player_has_a_reason() {
        let (count, reasons, all) = told("[k2/1Q1/1K1:0:1:b]");
        assert!(all);
        assert_eq!(count, 3, "the king has three squares to try");
        assert!(
            reasons
                .iter()
                .all(|why| why.starts_with("still in check from") || why.starts_with("in check from")),
            "{reasons:?}"
        );
        assert!(reasons.iter().any(|why| why.contains("queen")), "{reasons:?}");
    }

    #[test]
    fn who_can_play_is_told_so() {
        let (_, reasons, _) = told("[k2/3/2K:0:1:b]");
        assert!(reasons.contains(&"it is legal".to_owned()), "{reasons:?}");
    }

    #[test]
    fn only_boards_that_are_there_are_named() {
        let position = fen5d::parse("[r2k/4/4/P2K:0:1:w]").into_result().unwrap();
        for text in checks(&position) {
            assert!(!text.contains("T2"), "{text}");
        }
    }

    #[test]
    fn the_two_boards_of_a_turn_have_two_names() {
        let position = fen5d::parse("[3/3/1Qk:0:1:w] [3/3/1Qk:0:1:b]").into_result().unwrap();
        let on = |board| format!("white queen (0T1b)b1 attacks black king ({board})c1");
        assert_eq!(checks(&position), [on("0T1w"), on("0T1b")]);
    }

    /// Boards side by side, each with a queen that can go almost anywhere.
    fn wide(boards: i32) -> Position {
        let board = |timeline| format!("[Q7/8/8/8/8/8/8/7K:{timeline}:1:w] ");
        let half = boards / 2;
        fen5d::parse(&(-half..=half).map(board).collect::<String>()).into_result().unwrap()
    }

    #[test]
    fn trying_takes_no_more_than_it_may() {
        let position = wide(300);
        for steps in [0, 1, 1_000, 20_000] {
            let undecided = reasons(&position, steps, u64::MAX).undecided;
            assert_eq!(undecided, Some(Undecided { steps, because: Because::Budget }));
        }
        let stop = std::sync::atomic::AtomicBool::new(true);
        let stopped = reasons(&position, Limit::NONE.stopping_on(&stop), u64::MAX).undecided.unwrap();
        assert_eq!(stopped.because, Because::Stopped);
        let full = reasons(&position, Limit::NONE, 1 << 10).undecided.unwrap();
        assert_eq!(full.because, Because::Memory);
    }

    #[test]
    fn what_is_told_of_many_boards_takes_little_memory() {
        // A list of all moves of all boards at every depth would take a hundred times as much memory.
        let Reasons { all, undecided, .. } = reasons(&wide(300), Limit::NONE, 4 << 20);
        assert_eq!((all, undecided), (false, None));
    }
}
