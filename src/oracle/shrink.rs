//! Makes a position with a difference smaller, as long as the difference stays.

use super::{Answer, Class, Difference, Feature, Oracle, Own, Question, compare};
use crate::notation::Game;
use crate::puzzle::capturable_royal;
use crate::state::{Board, Position, Setup};
use crate::types::{Action, BoardCoordinate, BoardSize, HalfTurn, Square, Timeline};

/// A small position with a difference.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The position, as the start of a game, and the action that the oracle refuses or plays differently, if
    /// the difference is about one.
    pub game: Game,
    /// The difference in that position.
    pub difference: Difference,
    /// The number of questions to the oracle.
    pub asked: u64,
}

/// Makes the position of a question smaller as long as the oracle still gives a
/// [similar](Difference::is_like) difference: fewer timelines, boards, pieces and squares. `None` when the
/// boards without their history do not show the difference, and for classes that smaller positions cannot
/// explain.
///
/// The oracle is asked at most `most` times.
pub fn shrink(
    oracle: &mut dyn Oracle,
    own: &Own,
    question: &Question<'_>,
    difference: &Difference,
    most: u64,
) -> Option<Shrunk> {
    if !oracle.manifest().boards || matches!(difference.class, Class::Notation | Class::Void | Class::TimeOut)
    {
        return None;
    }
    let (position, action) = about(question, difference)?;
    let mut shrinker = Shrinker { oracle, own, question, difference, action, left: most, asked: 0 };
    // Begin with the boards as a start, without the game that led to them.
    let mut best = shrinker.first(Box::new([position.to_setup()].into_iter()))?;
    loop {
        let before = best.0.clone();
        for change in [timelines, oldest, newest, pieces, edges, turns] {
            while let Some(smaller) = shrinker.first(change(&best.0)) {
                best = smaller;
            }
        }
        if best.0 == before || shrinker.left == 0 {
            break;
        }
    }
    let (game, difference) = (shrinker.game(&best.0)?, best.1);
    Some(Shrunk { game, difference, asked: shrinker.asked })
}

/// The position that the difference is about: that of the question, or the one before an action that the
/// oracle refuses or plays differently, with that action.
fn about(question: &Question<'_>, difference: &Difference) -> Option<(Position, Option<Action>)> {
    let index = match (difference.about, difference.class) {
        (Feature::Game, Class::Rules) => difference.refused?,
        (Feature::Boards, Class::Rules) => question.game.actions.len().checked_sub(1)?,
        _ => return Some((question.position.clone(), None)),
    };
    let action = question.game.actions.get(index)?.clone();
    Some((question.game.until(index).end(), Some(action)))
}

struct Shrinker<'a, 'q> {
    oracle: &'a mut dyn Oracle,
    own: &'a Own,
    question: &'a Question<'q>,
    difference: &'a Difference,
    /// The action that the difference is about. A setup in which it is illegal is skipped.
    action: Option<Action>,
    left: u64,
    asked: u64,
}

impl Shrinker<'_, '_> {
    /// The first setup that shows the difference.
    fn first(&mut self, candidates: Candidates) -> Option<(Setup, Difference)> {
        for setup in candidates {
            if self.left == 0 {
                break;
            }
            if let Some(difference) = self.shows(&setup) {
                return Some((setup, difference));
            }
        }
        None
    }

    fn game(&self, setup: &Setup) -> Option<Game> {
        let start = Position::from_setup(setup).ok()?;
        if let Some(action) = &self.action {
            start.clone().play(action).ok()?;
        }
        Some(Game::new(start, self.action.iter().cloned().collect()))
    }

    fn shows(&mut self, setup: &Setup) -> Option<Difference> {
        let game = self.game(setup)?;
        // A position in which a king can be captured at once is not convincing.
        if capturable_royal(&game.start).is_some() && capturable_royal(self.question.position).is_none() {
            return None;
        }
        let position = game.end();
        let expected = self.own.figures(&position, self.question.cap);
        let tries: Vec<_> =
            expected.actions.iter().flatten().take(self.question.tries.len()).cloned().collect();
        let question = Question { game: &game, position: &position, tries: &tries, ..*self.question };
        self.left -= 1;
        self.asked += 1;
        let answer = self.oracle.provoke(&question);
        if matches!(answer, Answer::NotAsked(_)) {
            return None;
        }
        let differences = compare(&question, &expected, self.oracle.manifest(), &answer);
        differences.into_iter().find(|difference| difference.is_like(self.difference))
    }
}

/// Smaller setups, the most promising first.
type Candidates = Box<dyn Iterator<Item = Setup>>;

/// The setup with other boards.
fn with(setup: &Setup, boards: Vec<(BoardCoordinate, Board)>) -> Setup {
    Setup { boards, ..setup.clone() }
}

/// Removes the lowest or the highest timeline.
fn timelines(setup: &Setup) -> Candidates {
    let lines = || setup.boards.iter().map(|(at, _)| at.timeline);
    let ends: Vec<Option<Timeline>> = vec![lines().min(), lines().max()];
    let setup = setup.clone();
    Box::new(ends.into_iter().flatten().map(move |end| {
        with(&setup, setup.boards.iter().filter(|(at, _)| at.timeline != end).cloned().collect())
    }))
}

/// Removes the boards before a half-turn, everywhere or on one timeline: half of them first.
fn oldest(setup: &Setup) -> Candidates {
    let setup = setup.clone();
    let times = || setup.boards.iter().map(|(at, _)| at.half_turn);
    let (first, last) = (times().min(), times().max());
    let mut cuts: Vec<(Option<Timeline>, HalfTurn)> = Vec::new();
    if let (Some(first), Some(last)) = (first, last) {
        let middle = HalfTurn(first.0.midpoint(last.0));
        cuts.push((None, middle));
        cuts.push((None, HalfTurn(first.0 + 1)));
        let mut lines: Vec<Timeline> = setup.boards.iter().map(|(at, _)| at.timeline).collect();
        lines.dedup();
        for line in lines {
            let start =
                setup.boards.iter().filter(|(at, _)| at.timeline == line).map(|(at, _)| at.half_turn).min();
            cuts.extend(start.map(|start| (Some(line), HalfTurn(start.0 + 1))));
        }
    }
    Box::new(cuts.into_iter().filter_map(move |(line, cut)| {
        let is_kept =
            |at: &BoardCoordinate| line.is_some_and(|line| at.timeline != line) || at.half_turn >= cut;
        let boards: Vec<_> = setup.boards.iter().filter(|(at, _)| is_kept(at)).cloned().collect();
        (boards.len() < setup.boards.len()).then(|| with(&setup, boards))
    }))
}

/// Removes the last board of one timeline.
fn newest(setup: &Setup) -> Candidates {
    let setup = setup.clone();
    let mut ends: Vec<BoardCoordinate> = Vec::new();
    for (at, _) in &setup.boards {
        match ends.iter_mut().find(|end| end.timeline == at.timeline) {
            Some(end) => *end = (*end).max(*at),
            None => ends.push(*at),
        }
    }
    Box::new(
        ends.into_iter().map(move |end| {
            with(&setup, setup.boards.iter().filter(|(at, _)| *at != end).cloned().collect())
        }),
    )
}

/// Removes pieces: those of a whole square on all boards, then one by one.
fn pieces(setup: &Setup) -> Candidates {
    let setup = setup.clone();
    let places: Vec<(BoardCoordinate, Square)> =
        setup.boards.iter().flat_map(|(at, board)| board.pieces().map(|(square, _)| (*at, square))).collect();
    let mut squares: Vec<Square> = places.iter().map(|(_, square)| *square).collect();
    squares.sort();
    squares.dedup();
    let everywhere = squares.into_iter().map(|square| (None, square));
    let alone = places.into_iter().map(|(at, square)| (Some(at), square));
    Box::new(everywhere.chain(alone).map(move |(only, square)| {
        let mut smaller = setup.clone();
        for (at, board) in &mut smaller.boards {
            if only.is_none_or(|only| only == *at) {
                board.remove(square);
            }
        }
        smaller
    }))
}

/// Makes the boards smaller: removes an empty file or rank at an edge.
fn edges(setup: &Setup) -> Candidates {
    let setup = setup.clone();
    let (width, height) = (setup.size.width(), setup.size.height());
    let cuts = [
        (0, 0, width - 1, height),
        (1, 0, width - 1, height),
        (0, 0, width, height - 1),
        (0, 1, width, height - 1),
    ];
    Box::new(cuts.into_iter().filter_map(move |(left, bottom, width, height)| {
        let size = BoardSize::new(width, height)?;
        let mut boards = Vec::new();
        for (at, board) in &setup.boards {
            let mut smaller = Board::empty(size);
            for (square, piece) in board.pieces() {
                let moved =
                    Square::new(square.file().checked_sub(left)?, square.rank().checked_sub(bottom)?)?;
                if moved.file() >= width || moved.rank() >= height {
                    return None;
                }
                smaller.put(moved, piece, board.is_unmoved(square));
            }
            boards.push((*at, smaller));
        }
        Some(Setup { size, boards, ..setup.clone() })
    }))
}

/// Shifts all boards to earlier turns.
fn turns(setup: &Setup) -> Candidates {
    let setup = setup.clone();
    let first = setup.boards.iter().map(|(at, _)| at.half_turn.0).min().unwrap_or(0);
    // The first turn has the number 1, and the colour stays.
    let shift = (first - 2) / 2 * 2;
    Box::new((shift > 0).then_some(shift).into_iter().map(move |shift| {
        let mut earlier = setup.clone();
        for (at, _) in &mut earlier.boards {
            at.half_turn.0 -= shift;
        }
        earlier
    }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::notation::pgn5d;
    use crate::oracle::{Asking, Figures, Manifest};
    use crate::types::PieceKind;

    /// An oracle that refuses every action with a queen's move.
    struct WithoutQueens(Manifest);

    impl Oracle for WithoutQueens {
        fn manifest(&self) -> &Manifest {
            &self.0
        }

        fn ask(&mut self, question: &Question<'_>) -> Answer {
            let mut position = question.game.start.clone();
            for (index, action) in question.game.actions.iter().enumerate() {
                let board = |at| position.multiverse().board(at);
                let is_queen = |m: &crate::types::Move| {
                    let piece = board(m.from.board).and_then(|board| board.get(m.from.square));
                    piece.is_some_and(|piece| piece.kind == PieceKind::Queen)
                };
                if action.moves().iter().any(is_queen) {
                    return Answer::Refused { action: Some(index), message: "no queens".into() };
                }
                position.play(action).unwrap();
            }
            Answer::Figures(Box::new(Figures { position: Some(position), ..Figures::default() }))
        }
    }

    #[test]
    fn an_action_that_is_refused_is_shown_with_few_pieces() {
        let game = pgn5d::parse("1. e4 / e5 2. Nf3 / Nc6 3. Qe2 / Nf6").into_result().unwrap();
        let own = Own::new(None, 100_000);
        let mut oracle = WithoutQueens(own.manifest().clone());
        let asking = Asking { cap: 50, tries: 4, time: Duration::ZERO, shrinking: 400 };
        // Only the end is asked about, so that the refused action is not the last one.
        let mut walked = asking.first_divergence(&mut oracle, &own, &game, [game.actions.len()]);
        let divergence = walked.divergences.pop().unwrap();
        assert_eq!(divergence.differences[0].refused, Some(4));
        let Shrunk { game, difference, .. } = divergence.shrunk.unwrap();
        assert_eq!((difference.about, difference.refused), (Feature::Game, Some(0)));
        let boards: Vec<_> = game.start.to_setup().boards;
        assert_eq!((boards.len(), boards[0].1.pieces().count()), (1, 1), "{}", game.start);
        assert_eq!(pgn5d::action_text(&game.start, &game.actions[0]), "(0T3)Qd1e2");
    }
}
