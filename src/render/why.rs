//! Why a player has no legal action: what is wrong with everything that could be tried, in words.

use std::collections::BTreeMap;

use crate::notation::pgn5d::move_text;
use crate::rules::{Check, IllegalAction, PartialAction};
use crate::state::Position;
use crate::types::{BoardCoordinate, Coordinate, HalfTurn, Move};

/// The most combinations of moves that are tried.
const TRIED: usize = 20_000;
/// The most reasons that are told apart.
const MOST: usize = 12;

/// What is wrong with some actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// How many of those that were tried.
    pub count: usize,
    /// Why they are not legal, in words.
    pub why: String,
    /// One of them.
    pub example: String,
}

/// Why nothing that the player to move can try is legal, the most frequent reason first; and whether everything was tried.
pub fn reasons(position: &Position) -> (Vec<Reason>, bool) {
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut tried = 0;
    let mut partial = PartialAction::new(position.clone());
    let all = collect(&mut partial, position, &mut Vec::new(), &mut tried, &mut found);
    let mut reasons: Vec<Reason> =
        found.into_iter().map(|(why, (count, example))| Reason { count, why, example }).collect();
    reasons.sort_by(|a, b| (b.count, &a.why).cmp(&(a.count, &b.why)));
    let all = all && reasons.len() <= MOST;
    reasons.truncate(MOST);
    (reasons, all)
}

/// Tries moves on the first mandatory board that is left, and then on the others. False if there were too many.
fn collect(
    partial: &mut PartialAction,
    position: &Position,
    texts: &mut Vec<String>,
    tried: &mut usize,
    found: &mut BTreeMap<String, (usize, String)>,
) -> bool {
    let mandatory = partial.mandatory_boards().next();
    if mandatory.is_none() && !texts.is_empty() {
        let why = match partial.can_submit() {
            Ok(()) => "it is legal".to_owned(),
            Err(IllegalAction::Exposed(check)) => in_check(partial, position, &check),
            Err(why) => why.to_string(),
        };
        let entry = found.entry(why).or_insert_with(|| (0, texts.join(" ")));
        entry.0 += 1;
        return true;
    }
    let moves: Vec<Move> = partial
        .pseudo_legal_moves()
        .into_iter()
        .filter(|m| {
            // A jump away from a board plays it; one that arrives on it plays it too.
            mandatory.is_none_or(|board| {
                m.from.board == board || m.to.board == board || m.to.board.half_turn < board.half_turn
            })
        })
        .collect();
    if moves.is_empty() && mandatory.is_some() {
        let board = mandatory.map(|board| label(position, board)).unwrap_or_default();
        let entry =
            found.entry(format!("nothing can be moved on {board}, which must be played")).or_default();
        entry.0 += 1;
        return true;
    }
    for m in moves {
        *tried += 1;
        if *tried > TRIED {
            return false;
        }
        let text = move_text(partial, &m);
        if partial.push(m).is_err() {
            continue;
        }
        texts.push(text);
        let all = collect(partial, position, texts, tried, found);
        texts.pop();
        partial.pop();
        if !all {
            return false;
        }
    }
    true
}

fn in_check(partial: &PartialAction, position: &Position, check: &Check) -> String {
    let is_old = position.checks().iter().any(|old| same_piece(old, check));
    let word = if is_old { "still in check" } else { "in check" };
    let board = |at: BoardCoordinate| partial.multiverse().board(at).or_else(|| position.board(at));
    // Where it stands before the action, if it stands there then.
    let now = |at: Coordinate| {
        let moved = board(at.board).and_then(|board| board.get(at.square));
        let old = existing(at, |board| position.board(board).is_some());
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

/// Whether two checks are by one piece against one piece, whenever they are given.
fn same_piece(one: &Check, other: &Check) -> bool {
    let same = |a: Coordinate, b: Coordinate| a.board.timeline == b.board.timeline && a.square == b.square;
    same(one.from, other.from) && one.to == other.to
}

/// The same square of the newest board of its timeline that is there, if this one is not.
fn existing(mut at: Coordinate, is_there: impl Fn(BoardCoordinate) -> bool) -> Coordinate {
    let asked = at;
    // A board that a pass would leave is a copy of the one before it.
    for _ in 0..2 {
        if is_there(at.board) {
            return at;
        }
        at.board = BoardCoordinate { half_turn: HalfTurn(at.board.half_turn.0 - 1), ..at.board };
    }
    if is_there(at.board) { at } else { asked }
}

/// The checks in a position, in words, naming boards that exist.
pub fn checks(position: &Position) -> Vec<String> {
    let is_there = |at: BoardCoordinate| position.board(at).is_some();
    let mut found: Vec<String> = Vec::new();
    for Check { from, to } in position.checks() {
        let (from, to) = (existing(from, is_there), existing(to, is_there));
        let piece = |at: Coordinate| {
            let piece = position.board(at.board).and_then(|board| board.get(at.square));
            piece.map(|piece| format!("{piece} ")).unwrap_or_default()
        };
        let text =
            format!("{}{} attacks {}{}", piece(from), place(position, from), piece(to), place(position, to));
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

fn place(position: &Position, at: Coordinate) -> String {
    format!("{}{}", label(position, at.board), at.square)
}

fn label(position: &Position, at: BoardCoordinate) -> String {
    format!("({}T{})", position.parity().label(at.timeline), at.half_turn.turn())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;

    /// The sum of the counts, and the reasons.
    fn told(text: &str) -> (usize, Vec<String>, bool) {
        let position = fen5d::parse(text).into_result().unwrap();
        let (reasons, all) = reasons(&position);
        (reasons.iter().map(|reason| reason.count).sum(), reasons.into_iter().map(|r| r.why).collect(), all)
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
}
