//! Swapping the colours, mirroring the files, or adding turns changes no rule and no mate.

use std::collections::BTreeSet;

use arbitrary::{Error, Result, Unstructured};
use worldlines::generate::{mating_position, written_position};
use worldlines::search::{Budget, Solution, Solve, Verdict, solve};
use worldlines::state::{Board, Position, Setup};
use worldlines::types::{
    Action, BoardCoordinate, BoardSize, Color, Coordinate, HalfTurn, Move, Parity, Piece, Square, Status,
    Timeline, TimelineRange,
};

use super::{noted, position_of, shown};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 100);

/// The most legal actions; positions with more are skipped.
const MOST_ACTIONS: usize = 2_000;
/// The most search steps for one question.
const NODES: u64 = 3_000;
/// The longest mate that is tested.
const LONGEST: u32 = 2;

fn run(bytes: &[u8]) -> Result<()> {
    let position = noted(case(bytes)?)?;
    check(&position, Answers::of)
}

/// A position of any kind, also one that no game leads to.
fn case(bytes: &[u8]) -> Result<Position> {
    position_of(bytes, |u: &mut Unstructured<'_>| match u.int_in_range(0..=3)? {
        0 => mating_position(u),
        1 => u.arbitrary(),
        _ => written_position(u),
    })
}

/// Answers about a position.
#[derive(PartialEq, Debug)]
struct Answers {
    to_move: Color,
    present: HalfTurn,
    active: TimelineRange,
    moves: BTreeSet<Move>,
    in_check: bool,
    status: Status,
    actions: BTreeSet<Action>,
    count: u64,
}

impl Answers {
    fn of(position: &Position) -> Result<Answers> {
        let actions: BTreeSet<Action> = position.legal_actions().take(MOST_ACTIONS + 1).collect();
        if actions.len() > MOST_ACTIONS {
            return Err(Error::IncorrectFormat);
        }
        Ok(Answers {
            to_move: position.to_move(),
            present: position.present(),
            active: position.multiverse().active(),
            moves: position.pseudo_legal_moves().into_iter().collect(),
            in_check: position.is_in_check(),
            status: position.outcome().status,
            actions,
            count: position.count_legal_actions(u64::MAX).count,
        })
    }
}

/// A change of a multiverse that changes no answer.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    size: BoardSize,
    parity: Parity,
    /// Whether colours are swapped: of pieces, ranks, timelines, and players to move.
    colours: bool,
    /// Whether files are mirrored.
    files: bool,
    /// The number of turns that are added.
    turns: i16,
}

impl Symmetry {
    /// Each kind by itself, and all of them together.
    fn all(position: &Position) -> [Symmetry; 4] {
        [(true, false, 0), (false, true, 0), (false, false, 3), (true, true, 5)].map(
            |(colours, files, turns)| Symmetry {
                size: position.size(),
                parity: position.parity(),
                colours,
                files,
                turns,
            },
        )
    }

    fn color(self, color: Color) -> Color {
        if self.colours { !color } else { color }
    }

    fn square(self, square: Square) -> Square {
        let file = if self.files { self.size.width() - 1 - square.file() } else { square.file() };
        let rank = if self.colours { self.size.height() - 1 - square.rank() } else { square.rank() };
        Square::new(file, rank).expect("a square of the board")
    }

    /// Black's boards come half a turn after White's.
    fn half_turn(self, at: HalfTurn) -> HalfTurn {
        HalfTurn(at.0 + 2 * self.turns + i16::from(self.colours))
    }

    /// In a game of even parity -0 and +0 change places.
    fn timeline(self, Timeline(timeline): Timeline) -> Timeline {
        match (self.colours, self.parity) {
            (false, _) => Timeline(timeline),
            (true, Parity::Odd) => Timeline(-timeline),
            (true, Parity::Even) => Timeline(-1 - timeline),
        }
    }

    fn board(self, at: BoardCoordinate) -> BoardCoordinate {
        BoardCoordinate { timeline: self.timeline(at.timeline), half_turn: self.half_turn(at.half_turn) }
    }

    fn coordinate(self, at: Coordinate) -> Coordinate {
        Coordinate { board: self.board(at.board), square: self.square(at.square) }
    }

    fn mv(self, m: Move) -> Move {
        Move { from: self.coordinate(m.from), to: self.coordinate(m.to), ..m }
    }

    fn action(self, action: &Action) -> Action {
        Action::new(action.moves().iter().map(|&m| self.mv(m)).collect())
    }

    fn content(self, board: &Board) -> Board {
        let mut changed = Board::empty(self.size);
        for (square, piece) in board.pieces() {
            let piece = Piece { color: self.color(piece.color), ..piece };
            changed.put(self.square(square), piece, board.is_unmoved(square));
        }
        changed
    }

    fn position(self, position: &Position) -> Result<Position> {
        let setup = position.to_setup();
        let boards = setup.boards.iter().map(|(at, board)| (self.board(*at), self.content(board))).collect();
        // The last possible turn has none after it.
        Position::from_setup(&Setup { boards, ..setup }).map_err(|_| Error::IncorrectFormat)
    }

    fn answers(self, answers: &Answers) -> Answers {
        let ends = [answers.active.lowest, answers.active.highest].map(|timeline| self.timeline(timeline));
        Answers {
            to_move: self.color(answers.to_move),
            present: self.half_turn(answers.present),
            active: TimelineRange { lowest: ends[0].min(ends[1]), highest: ends[0].max(ends[1]) },
            moves: answers.moves.iter().map(|&m| self.mv(m)).collect(),
            actions: answers.actions.iter().map(|action| self.action(action)).collect(),
            ..*answers
        }
    }
}

fn check(position: &Position, answers: fn(&Position) -> Result<Answers>) -> Result<()> {
    let here = answers(position)?;
    for symmetry in Symmetry::all(position) {
        let changed = symmetry.position(position)?;
        let context = || format!("{symmetry:?} of{}gives{}", shown(position), shown(&changed));
        assert_eq!(answers(&changed)?, symmetry.answers(&here), "{}", context());
        for mate_in in 1..=LONGEST {
            let [here, there] = [position, &changed].map(|position| mates(position, mate_in));
            let Some((here, there)) = here.zip(there) else { break };
            let mapped = (here.0, here.1.iter().map(|action| symmetry.action(action)).collect());
            assert_eq!(there, mapped, "mate in {mate_in}: {}", context());
        }
    }
    Ok(())
}

/// The verdict on a mate, and the actions that mate; `None` if that is undecided.
fn mates(position: &Position, mate_in: u32) -> Option<(Verdict, BTreeSet<Action>)> {
    let Solution { verdict, complete, keys, .. } =
        solve(position, Solve { mate_in, all: true, budget: Budget::steps(NODES) });
    let keys = keys.iter().flat_map(|class| class.keys().iter().cloned()).collect();
    (complete && verdict != Verdict::Undecided).then_some((verdict, keys))
}

#[cfg(test)]
mod tests {
    use worldlines::notation::fen5d;

    use super::*;
    use crate::targets::{Random, flags};

    fn position(text: &str) -> Position {
        fen5d::parse(text).into_result().expect("a position")
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let castling = position("[4k3/8/8/8/8/8/p7/R*3K*2R*:0:1:w]");
        assert_eq!(check(&castling, Answers::of), Ok(()));
        let but_white = |position: &Position| {
            let mut answers = Answers::of(position)?;
            if answers.to_move == Color::White {
                answers.actions.pop_first();
            }
            Ok(answers)
        };
        assert!(flags(|| check(&castling, but_white)));
        let but_on_the_right = |position: &Position| {
            let mut answers = Answers::of(position)?;
            answers.moves.retain(|m| m.to.square.file() < 6);
            Ok(answers)
        };
        assert!(flags(|| check(&castling, but_on_the_right)));
        let early = |position: &Position| {
            let answers = Answers::of(position)?;
            Ok(Answers { in_check: position.present().turn() < 4, ..answers })
        };
        assert!(flags(|| check(&castling, early)));
    }

    #[test]
    fn positions_that_no_game_made_are_asked_about() {
        let mut random = Random::default();
        let mut counts = [0; 4];
        for _ in 0..300 {
            let bytes = random.bytes(500);
            let Ok(position) = case(&bytes) else { continue };
            let multiverse = position.multiverse();
            let ends = || multiverse.ends().map(|(at, _)| at.half_turn.0);
            counts[0] += usize::from(multiverse.active() != multiverse.range());
            counts[1] += usize::from(ends().max() > ends().min().map(|end| end + 3));
            counts[2] += usize::from(position.parity() == Parity::Even);
            counts[3] += usize::from(position.legal_actions().next().is_some());
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }
}
