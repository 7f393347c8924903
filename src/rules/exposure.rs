//! Whether an action leaves a royal piece open to capture.
//!
//! This is checked for every action, and the answer is nearly always no. So the check first takes all first
//! steps from a board at once, as sets of squares, and follows rays only where one could hit.

use std::ops::ControlFlow;

use super::attacks::{Check, Frontier, Seen, is_exposed_within};
use super::geometry::{Shift, lines_to, shifted, shifted_all, union};
use super::steps::{BoardStep, knight_shifts, reach, slider_rays};
use crate::state::{Board, Position};
use crate::types::{BoardCoordinate, Color, TimelineRange};

impl Position {
    /// A capture of a royal piece of the player who acts, from any board that is now the opponent's, if there
    /// is one.
    ///
    /// For use after the moves of an action. An action that leaves such a capture may not be submitted.
    pub(super) fn exposed_royal(&self) -> Option<Check> {
        let multiverse = self.multiverse();
        let victim = self.to_move();
        let origins = Origins::of(multiverse.royal_squares(victim), !victim);
        let mut attacking = multiverse.ends().filter(|(at, _)| at.color() != victim);
        let (at, board) = attacking.find(|&(at, board)| self.attacks_a_royal(at, board, &origins))?;
        let mut found = None;
        // Every board that the action made is part of the position by now.
        let _ = Frontier::new(self, TimelineRange::EMPTY).scan(at, board, board.by_color(!victim), |hit| {
            found = Some(hit.check());
            ControlFlow::Break(())
        });
        found
    }

    /// Whether the opponent could capture a royal piece of the player who acts from this board, the last of its timeline.
    fn attacks_a_royal(&self, at: BoardCoordinate, board: &Board, origins: &Origins) -> bool {
        let (multiverse, victim) = (self.multiverse(), self.to_move());
        if is_exposed_within(board, victim) {
            return true;
        }
        if !self.profile().time_travel {
            return false;
        }
        let suspects = origins.suspects(board, !victim);
        if suspects == 0 {
            return false;
        }
        let first = FirstSteps::of(board, suspects, !victim, origins);
        let forward = i16::from((!victim).timeline_forward());
        for (timelines, squares) in [
            (0, &first.same),
            (forward, &first.forward),
            (-forward, &first.backward),
            (2, &first.two_away),
            (-2, &first.two_away),
        ] {
            if squares[0] | squares[1] | squares[2] == 0 {
                continue;
            }
            let Some((start, boards)) = multiverse.timeline_boards(at.timeline.0 + timelines) else {
                continue;
            };
            // From two turns before this board to two turns after it, as far as that timeline goes.
            let here = at.half_turn.0 - start;
            for turns in (-(here >> 1)).max(-2)..3 {
                let reached = squares[usize::from(turns.unsigned_abs())];
                if reached == 0 {
                    continue;
                }
                let Some(near) = boards.get((here + 2 * turns) as usize) else { break };
                let seen = Seen::of(near, victim);
                if reached & seen.targets != 0 {
                    return true;
                }
                if timelines.abs().max(turns.abs()) == 1 {
                    let (rays, free) = (first.rays(timelines, turns), !seen.blockers);
                    let at = at.offset(timelines, turns);
                    if rays.all & free != 0 && self.rays_hit(at, (timelines, turns), rays, free) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether rays reach a royal piece of the player who acts with a further step. They have come to the
    /// board at `at` by a step between boards and go on from its `free` squares.
    #[inline]
    fn rays_hit(&self, mut at: BoardCoordinate, step: BoardStep, rays: &Rays, mut free: u64) -> bool {
        let mut rays = rays.by_shift;
        loop {
            at = at.offset(step.0, step.1);
            let Some(board) = self.multiverse().board(at) else { return false };
            let seen = Seen::of(board, self.to_move());
            for ray in &mut rays {
                *ray &= free;
            }
            rays = shifted_all(&rays);
            let all = union(&rays);
            free = !seen.blockers;
            if all & seen.targets != 0 {
                return true;
            }
            if all & free == 0 {
                return false;
            }
        }
    }
}

/// On-board part of a knight's leap for board distances (0, 1), (0, 2) and (1, 2).
const KNIGHT_NEXT: &[Shift] = knight_shifts((0, 1));
const KNIGHT_TWO_AWAY: &[Shift] = knight_shifts((0, 2));
const KNIGHT_ASKEW: &[Shift] = knight_shifts((1, 2));

/// The squares from which pieces of each kind could reach a royal piece on some board by way of other boards,
/// if nothing stood between. Royal pieces move little, so this excludes most pieces at once.
struct Origins {
    /// Per on-board shift: start squares of a slider that reaches the square by zero or more such shifts.
    lines: [u64; 9],
    straight: u64,
    diagonal: u64,
    kings: u64,
    knights: u64,
    brawns: u64,
}

impl Origins {
    fn of(targets: u64, attacker: Color) -> Origins {
        let lines = lines_to(targets);
        let beside = shifted(targets, (1, 0)) | shifted(targets, (-1, 0));
        Origins {
            lines,
            straight: lines[1] | lines[2] | lines[3] | lines[4],
            diagonal: lines[5] | lines[6] | lines[7] | lines[8],
            kings: union(&shifted_all(&[targets; 9])),
            knights: reach(targets, KNIGHT_NEXT)
                | reach(targets, KNIGHT_TWO_AWAY)
                | reach(targets, KNIGHT_ASKEW),
            brawns: targets | beside | shifted(targets, (0, -attacker.rank_forward())),
        }
    }

    /// The squares of the royal pieces.
    fn here(&self) -> u64 {
        self.lines[0]
    }

    /// The pieces of a board that may reach such a square. Sliders keep at least one of their axes for the
    /// step between boards.
    fn suspects(&self, board: &Board, color: Color) -> u64 {
        let [one, two, three, four] = board.sliders_by_axes(u64::MAX);
        let sliders =
            (one | two) & self.here() | (two | three) & self.straight | (three | four) & self.diagonal;
        let steppers = board.king_steppers() & self.kings | board.knights() & self.knights;
        let pawns = board.pawns() & self.here() | board.brawns() & self.brawns;
        (sliders | steppers | pawns) & board.by_color(color)
    }
}

/// Sliders after their first step between boards.
struct Rays {
    /// Indexed by the on-board part of their step.
    by_shift: [u64; 9],
    all: u64,
}

/// The squares on other boards that the pieces of a board reach with their first step, as far as a royal
/// piece stands on or beyond such a square on some board. There is a set of squares for each board distance:
/// on the same timeline, on the next ones forward and backward, and on those two away. Each array is indexed
/// by the number of turns between.
struct FirstSteps {
    same: [u64; 3],
    forward: [u64; 3],
    backward: [u64; 3],
    two_away: [u64; 3],
    /// The sliders among them, after a step between boards along one axis and along two.
    straight: Rays,
    diagonal: Rays,
}

impl FirstSteps {
    fn of(board: &Board, pieces: u64, color: Color, origins: &Origins) -> FirstSteps {
        let sliders = [board.sliders(1), board.sliders(2), board.sliders(3), board.sliders(4)];
        let sliders = sliders.map(|sliders| sliders & pieces);
        let rays = |step| {
            let mut by_shift = shifted_all(&slider_rays(&sliders, step));
            for (index, ray) in by_shift.iter_mut().enumerate() {
                *ray &= origins.lines[index];
            }
            Rays { by_shift, all: union(&by_shift) }
        };
        let (straight, diagonal) = (rays((0, 1)), rays((1, 1)));

        let here = origins.here();
        let kings = board.king_steppers() & pieces;
        let kings = if kings == 0 { 0 } else { union(&shifted_all(&[kings; 9])) & here };
        let knights = board.knights() & pieces;
        let (adjacent, two_away) = match knights {
            0 => (0, 0),
            _ => (reach(knights, KNIGHT_NEXT) & here, reach(knights, KNIGHT_TWO_AWAY) & here),
        };
        let (next, across) = (kings | adjacent | straight.all, kings | diagonal.all);

        // Pawns and brawns of a last board find no later board on their own timeline, so the turn between can
        // only be an earlier one.
        let (pawns, brawns) = (board.pawns() & pieces & here, board.brawns() & pieces);
        let ahead = shifted(brawns, (0, color.rank_forward())) & here;
        let beside = (shifted(brawns, (1, 0)) | shifted(brawns, (-1, 0))) & here;
        let knights = reach(knights, KNIGHT_ASKEW) & here;
        FirstSteps {
            same: [0, next | ahead, two_away],
            forward: [next | ahead | beside, across | pawns, knights],
            backward: [next, across, knights],
            two_away: [two_away, knights, 0],
            straight,
            diagonal,
        }
    }

    /// The sliders that have stepped to an adjacent board.
    fn rays(&self, timelines: i16, turns: i16) -> &Rays {
        if timelines == 0 || turns == 0 { &self.straight } else { &self.diagonal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Random, multiverse};
    use crate::rules::variants::VARIANTS;

    #[test]
    fn a_board_attacks_when_an_attack_is_found() {
        let mut random = Random(1);
        let (mut attacking, mut quiet) = (0, 0);
        let mut compare = |position: &Position| {
            let (multiverse, victim) = (position.multiverse(), position.to_move());
            let origins = Origins::of(multiverse.royal_squares(victim), !victim);
            let frontier = Frontier::new(position, TimelineRange::EMPTY);
            for (at, board) in multiverse.ends().filter(|(at, _)| at.color() != victim) {
                let found = frontier.scan(at, board, board.by_color(!victim), |_| ControlFlow::Break(()));
                assert_eq!(position.attacks_a_royal(at, board, &origins), found.is_break(), "{position:?}");
                *if found.is_break() { &mut attacking } else { &mut quiet } += 1;
            }
        };
        for variant in &VARIANTS {
            let mut position = Position::from_setup(&variant.setup()).unwrap();
            for _ in 0..60 {
                let moves = position.pseudo_legal_moves();
                let Some(m) = random.pick(&moves) else { break };
                position.push(m);
                compare(&position);
                if position.present().color() != position.to_move() {
                    position.switch_player();
                }
            }
        }
        for _ in 0..6_000 {
            compare(&multiverse(&mut random, 3));
        }
        assert!(attacking > 1_000 && quiet > 5_000, "{attacking} {quiet}");
    }
}
