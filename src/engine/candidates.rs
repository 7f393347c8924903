//! Selects the actions of a position that the search examines.
//!
//! An action is a choice for every board, and there may be far too many to list. So each move is valued by
//! the boards that it makes, which do not depend on the moves of other boards. Actions are then put together
//! from the best moves: the best choice on every mandatory board, then the next best, and so on; and each
//! jump with the best choices on the other boards. Each proposal is then tried. If few actions are legal, as
//! in check, the legal actions are listed instead.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::evaluation::TIMELINE;
use super::meter::{Meter, Stopped};
use super::worth::Worths;
use crate::search::cost_of_size;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Limit, Move, MoveKind};

/// An action and the value of its moves.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub action: Action,
    pub worth: i32,
}

/// The candidates that were found.
pub(super) struct Candidates {
    /// The candidates, the best first.
    pub list: Vec<Candidate>,
    /// Whether these are all legal actions.
    pub complete: bool,
}

/// The limits of a selection.
#[derive(Clone, Copy)]
pub(super) struct Wish {
    /// The largest number of candidates.
    pub count: usize,
    /// The largest number of proposals to try.
    pub tries: usize,
    /// The largest number of legal actions to list.
    pub listed: usize,
    /// The search steps for each list of legal actions.
    pub steps: u64,
}

/// A move and its value for the player.
#[derive(Clone, Copy)]
struct Choice {
    m: Move,
    worth: i32,
}

/// A playable board.
struct Seat {
    at: BoardCoordinate,
    must: bool,
    /// The value of leaving the board as it is.
    idle: i32,
    /// Moves within the board, the best first.
    physicals: Vec<Choice>,
    jumps: Vec<Choice>,
}

/// The value of a check when moves are sorted.
const CHECK: i32 = 60;
/// The number of best moves within a board that are kept.
const PHYSICALS: usize = 24;

/// The playable boards with the values of their moves, without moves that expose a royal piece on the board
/// that they make.
fn seats(position: &Position, worths: &mut Worths, meter: &mut Meter<'_>) -> Result<Vec<Seat>, Stopped> {
    let multiverse = position.multiverse();
    let (me, present, active) = (position.to_move(), position.present(), multiverse.active());
    let (mut sum, mut count) = (0, 0);
    for timeline in active.iter() {
        if let Some((_, board)) = multiverse.last(timeline) {
            sum += worths.of(board).balance_for(me);
            count += 1;
        }
    }
    let mean = sum / count.max(1);
    let mut moves = Vec::new();
    let mut seats = Vec::new();
    for at in position.playable_boards() {
        let Some(board) = position.board(at) else { continue };
        moves.clear();
        position.pseudo_legal_moves_from(at, &mut moves);
        meter.spend(1 + moves.len() as u64 / 6)?;
        let before = worths.of(board);
        let must = at.half_turn == present && active.contains(at.timeline);
        let idle = before.gain[me] / 2;
        let mut seat = Seat { at, must, idle, physicals: Vec::new(), jumps: Vec::new() };
        // The value of a new board; `None` if it is illegal whatever else is played.
        let mut made = |board| {
            let worth = worths.of(&board);
            let check = if worth.attacked[!me] { CHECK } else { 0 };
            (!worth.attacked[me]).then_some(worth.balance_for(me) - worth.gain[!me] * 9 / 10 + check)
        };
        let base = before.balance_for(me);
        for &m in &moves {
            if m.kind == MoveKind::Physical {
                let after = made(board.after_physical(m.from.square, m.to.square, m.promotion));
                seat.physicals.extend(after.map(|after| Choice { m, worth: after - base }));
                continue;
            }
            let Some(target) = position.board(m.to.board) else { continue };
            let Some(left) = made(board.after_departure(m.from.square)) else { continue };
            let arrived = target.after_arrival(board, m.from.square, m.to.square, m.promotion);
            let Some(arrived) = made(arrived) else { continue };
            let worth = match m.kind {
                MoveKind::Hop => left - base + arrived,
                _ => left - base + arrived - mean - TIMELINE,
            };
            seat.jumps.push(Choice { m, worth });
        }
        seats.push(seat);
    }
    // A hop replaces the board that it enters.
    for seat in &mut seats {
        for jump in seat.jumps.iter_mut().filter(|jump| jump.m.kind == MoveKind::Hop) {
            if let Some(target) = position.board(jump.m.to.board) {
                jump.worth -= worths.of(target).balance_for(me);
            }
        }
        seat.jumps.sort_by_key(|choice| (Reverse(choice.worth), choice.m));
        seat.physicals.sort_by_key(|choice| (Reverse(choice.worth), choice.m));
    }
    Ok(seats)
}

/// Proposals without a jump, the best first: each is a choice for each seat.
struct Mixtures {
    /// The choices of each seat, the best first; `None` leaves the board as it is.
    columns: Vec<Vec<(i32, Option<Move>)>>,
    /// Combinations of choices with their value, and the first seat that may still be varied.
    heap: BinaryHeap<(i32, Reverse<Vec<u8>>, usize)>,
}

impl Mixtures {
    /// The largest number of seats whose choice is varied.
    const VARIED: usize = 48;

    fn new(seats: &[Seat]) -> Mixtures {
        let mut columns = Vec::new();
        for seat in seats {
            let mut column: Vec<(i32, Option<Move>)> =
                seat.physicals.iter().map(|choice| (choice.worth, Some(choice.m))).collect();
            if seats.len() > 1 {
                column.truncate(PHYSICALS);
            }
            column.truncate(usize::from(u8::MAX));
            if !seat.must {
                column.push((seat.idle, None));
                column.sort_by_key(|(worth, m)| (Reverse(*worth), *m));
            }
            columns.push(column);
        }
        let mut heap = BinaryHeap::new();
        if columns.iter().all(|column| !column.is_empty()) {
            // The seats with the cheapest second choice come last, since proposals vary the last ones most.
            columns
                .sort_by_key(|column| Reverse(column.get(1).map_or(i32::MAX, |next| column[0].0 - next.0)));
            let worth = columns.iter().map(|column| column[0].0).sum();
            heap.push((worth, Reverse(vec![0; columns.len()]), columns.len().saturating_sub(Self::VARIED)));
        }
        Mixtures { columns, heap }
    }
}

impl Iterator for Mixtures {
    type Item = (i32, Vec<Move>);

    fn next(&mut self) -> Option<(i32, Vec<Move>)> {
        let (worth, Reverse(picks), from) = self.heap.pop()?;
        // Each combination has one predecessor: the one with its last changed seat one choice better.
        for index in from..self.columns.len() {
            let column = &self.columns[index];
            let pick = usize::from(picks[index]);
            if let Some(next) = column.get(pick + 1) {
                let mut picks = picks.clone();
                picks[index] += 1;
                self.heap.push((worth - column[pick].0 + next.0, Reverse(picks), index));
            }
        }
        let moves = self.columns.iter().zip(&picks).filter_map(|(column, &pick)| column[usize::from(pick)].1);
        Some((worth, moves.collect()))
    }
}

/// A proposal with one jump.
struct WithAJump {
    worth: i32,
    /// The index of the seat, and the index of the jump there.
    jump: (usize, usize),
    /// Whether the other mandatory boards are played too.
    filled: bool,
}

/// The best proposals with one jump each, the best first.
fn with_a_jump(position: &Position, seats: &[Seat], most: usize) -> Vec<WithAJump> {
    let me = position.to_move();
    let present = position.present();
    let new = position.multiverse().next_timeline(me);
    let (above, below) = if me.branch_direction() > 0 { (1, 0) } else { (0, 1) };
    let active = position.multiverse().active_with(above, below);
    let idle: i32 = seats.iter().map(|seat| seat.idle).sum();
    // The gain from playing the best move on a mandatory board.
    let added = |seat: &Seat| match seat.physicals.first() {
        Some(best) if seat.must => best.worth - seat.idle,
        _ => 0,
    };
    let played: i32 = seats.iter().map(added).sum();
    let must = seats.iter().filter(|seat| seat.must).count();
    let mut proposals = Vec::new();
    for (number, seat) in seats.iter().enumerate() {
        for (index, Choice { m, worth }) in seat.jumps.iter().enumerate() {
            let target = seats.iter().find(|other| m.kind == MoveKind::Hop && other.at == m.to.board);
            let used = || [Some(seat), target].into_iter().flatten();
            let alone = worth + idle - used().map(|seat| seat.idle).sum::<i32>();
            let jump = (number, index);
            let new_end = m.to.board.half_turn.next();
            let rewinds = m.kind == MoveKind::Branch && new_end < present && active.contains(new);
            if rewinds {
                proposals.push(WithAJump { worth: alone, jump, filled: false });
            }
            if !rewinds || must > used().filter(|seat| seat.must).count() {
                let worth = alone + played - used().map(added).sum::<i32>();
                proposals.push(WithAJump { worth, jump, filled: true });
            }
        }
    }
    proposals.sort_by_key(|proposal| (Reverse(proposal.worth), proposal.jump, proposal.filled));
    proposals.truncate(most);
    proposals
}

impl WithAJump {
    /// The moves; `None` if a mandatory board has no move.
    fn moves(&self, seats: &[Seat]) -> Option<Vec<Move>> {
        let Choice { m: jump, .. } = seats[self.jump.0].jumps[self.jump.1];
        let mut moves = Vec::new();
        for seat in seats.iter().filter(|seat| self.filled && seat.must) {
            if seat.at != jump.from.board && !(jump.kind == MoveKind::Hop && seat.at == jump.to.board) {
                moves.push(seat.physicals.first()?.m);
            }
        }
        moves.push(jump);
        Some(moves)
    }
}

/// The candidates of the player to move after the moves `made` of the action.
pub(super) fn candidates(
    position: &mut Position,
    made: &[Move],
    worths: &mut Worths,
    wish: Wish,
    meter: &mut Meter<'_>,
) -> Result<Candidates, Stopped> {
    let seats = seats(position, worths, meter)?;
    let trial = 1 + cost_of_size(position);
    let mut found: Vec<Candidate> = Vec::new();
    let mut complete = false;
    let product = seats.iter().fold(1_usize, |product, seat| {
        let choices = seat.physicals.len() + seat.jumps.len() + usize::from(!seat.must);
        product.saturating_mul(choices.max(1))
    });
    if !made.is_empty() || product <= wish.listed || position.is_in_check() {
        let limit = Limit::steps(wish.steps.min(meter.left().most_steps())).stopping_on(meter.left().stop());
        let mut list = position.legal_actions_containing(made).within(limit);
        let mut actions = Vec::new();
        while actions.len() < wish.listed
            && let Some(action) = list.next()
        {
            actions.push(action);
        }
        // A list that was cut may not be complete.
        complete = actions.len() < wish.listed && list.is_complete();
        let steps = list.steps();
        meter.spend(1 + steps)?;
        found.extend(actions.into_iter().map(|action| {
            let worth = worth_of(&action, &seats);
            Candidate { action, worth }
        }));
    }
    if !complete && made.is_empty() {
        let mut mixtures = Mixtures::new(&seats);
        let mut jumps = with_a_jump(position, &seats, wish.tries)
            .into_iter()
            .filter_map(|proposal| Some((proposal.worth, proposal.moves(&seats)?)));
        let listed = found.len();
        for number in 0..wish.tries {
            if found.len() >= listed + wish.count {
                break;
            }
            // Two of three proposals are without a jump, as long as there are both kinds.
            let proposal = if number % 3 == 2 {
                jumps.next().or_else(|| mixtures.next())
            } else {
                mixtures.next().or_else(|| jumps.next())
            };
            let Some((worth, moves)) = proposal else { break };
            meter.spend(trial)?;
            let action = Action::new(moves);
            if found[..listed].iter().any(|known| known.action == action) {
                continue;
            }
            if position.play_if_legal(&action) {
                let check = if position.is_in_check() { CHECK } else { 0 };
                position.undo_unchecked(&action);
                found.push(Candidate { action, worth: worth + check });
            }
        }
    }
    if found.is_empty() && !complete {
        let mut list = position.legal_actions_containing(made).within(meter.left());
        let action = list.next();
        let is_known = action.is_some() || list.is_complete();
        meter.add(list.steps());
        if !is_known {
            return Err(Stopped);
        }
        complete = action.is_none();
        found.extend(action.map(|action| Candidate { action, worth: 0 }));
    }
    found.sort_by(|one, other| other.worth.cmp(&one.worth).then_with(|| one.action.cmp(&other.action)));
    Ok(Candidates { list: found, complete })
}

/// The value of the moves of an action, and of the boards that it leaves.
fn worth_of(action: &Action, seats: &[Seat]) -> i32 {
    let mut worth = 0;
    for seat in seats {
        let move_from = action.move_from(seat.at);
        let is_target = action.moves().iter().any(|m| m.kind == MoveKind::Hop && m.to.board == seat.at);
        worth += match move_from {
            Some(m) => {
                let choices = if m.kind == MoveKind::Physical { &seat.physicals } else { &seat.jumps };
                choices.iter().find(|choice| choice.m == *m).map_or(0, |choice| choice.worth)
            }
            None if is_target => 0,
            None => seat.idle,
        };
    }
    worth
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::samples::multiverses;

    const WISH: Wish = Wish { count: 40, tries: 120, listed: 60, steps: 2_000 };

    fn found(position: &Position, made: &[Move], wish: Wish) -> Candidates {
        let mut meter = Meter::new(Limit::NONE);
        candidates(&mut position.clone(), made, &mut Worths::new(), wish, &mut meter).unwrap()
    }

    #[test]
    fn candidates_are_legal_and_differ() {
        let (mut complete, mut chosen) = (0, 0);
        for position in multiverses(61, 500) {
            let legal: BTreeSet<Action> = position.legal_actions().take(2_000).collect();
            let Candidates { list, complete: all } = found(&position, &[], WISH);
            let actions: BTreeSet<Action> = list.iter().map(|candidate| candidate.action.clone()).collect();
            assert_eq!(actions.len(), list.len(), "twice in {position:?}");
            for action in &actions {
                position.clone().play(action).expect("a legal action");
            }
            assert_eq!(actions.is_empty(), legal.is_empty(), "{position:?}");
            if all {
                assert_eq!(actions, legal, "{position:?}");
                complete += 1;
            } else {
                chosen += 1;
            }
        }
        assert!(complete > 200 && chosen > 50, "{complete} complete, {chosen} chosen");
    }

    #[test]
    fn candidates_contain_the_moves_that_are_made() {
        let mut asked = 0;
        for position in multiverses(62, 200) {
            let Some(action) = position.legal_actions().find(|action| action.moves().len() > 1) else {
                continue;
            };
            let made = &action.moves()[..1];
            let list = found(&position, made, WISH).list;
            assert!(!list.is_empty() && list.iter().all(|other| other.action.moves().contains(&made[0])));
            asked += 1;
        }
        assert!(asked > 50, "{asked}");
    }

    /// The best choice on every board comes first, and there are candidates even if the legal actions are too
    /// many to list.
    #[test]
    fn many_boards_have_candidates() {
        let text: String = (-15..=15).map(|l| format!("[1nk2/5/1p1q1/1P3/R1KN1:{l}:1:w]")).collect();
        let position = crate::notation::fen5d::parse(&text).into_result().unwrap();
        assert!(position.count_legal_actions_within(1_000_000, 100_000).unwrap().capped);
        let Candidates { list, complete } = found(&position, &[], WISH);
        assert!(!complete && list.len() >= WISH.count, "{}", list.len());
        assert!(list[0].worth > list[list.len() - 1].worth);
        for candidate in &list {
            position.clone().play(&candidate.action).expect("a legal action");
        }
    }
}
