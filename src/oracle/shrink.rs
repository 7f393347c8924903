//! Makes the position with a difference small, while the difference stays.

use super::{Answer, Class, Difference, Oracle, Own, Question, compare};
use crate::notation::Game;
use crate::puzzle::capturable_royal;
use crate::state::{Board, Position, Setup};
use crate::types::{BoardCoordinate, BoardSize, HalfTurn, Square, Timeline};

/// A small position with a difference.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The position, as the start of a game, and with the action that the oracle refuses or plays otherwise, if it is about one.
    pub game: Game,
    /// What differs there.
    pub difference: Difference,
    /// How often the oracle was asked.
    pub asked: u64,
}

/// Makes the position of a question smaller as long as the oracle still gives a [like](Difference::is_like) difference: fewer
/// timelines, boards, pieces and squares. `None` when the boards alone do not show the difference, and for classes about which a
/// smaller position says nothing.
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
    let mut shrinker = Shrinker { oracle, own, question, difference, left: most, asked: 0 };
    let mut best = shrinker.alone()?;
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

struct Shrinker<'a, 'q> {
    oracle: &'a mut dyn Oracle,
    own: &'a Own,
    question: &'a Question<'q>,
    difference: &'a Difference,
    left: u64,
    asked: u64,
}

impl Shrinker<'_, '_> {
    /// The position with nothing of how it came about, if that still shows the difference.
    fn alone(&mut self) -> Option<(Setup, Difference)> {
        self.first(Box::new([self.question.position.to_setup()].into_iter()))
    }

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
        Some(Game::new(Position::from_setup(setup).ok()?, Vec::new()))
    }

    fn shows(&mut self, setup: &Setup) -> Option<Difference> {
        let game = self.game(setup)?;
        // A position in which a king can be captured at once convinces nobody.
        if capturable_royal(&game.start).is_some() && capturable_royal(self.question.position).is_none() {
            return None;
        }
        let expected = self.own.figures(&game.start, self.question.cap);
        let tries: Vec<_> =
            expected.actions.iter().flatten().take(self.question.tries.len()).cloned().collect();
        let question = Question { game: &game, position: &game.start, tries: &tries, ..*self.question };
        self.left -= 1;
        self.asked += 1;
        let answer = self.oracle.ask(&question);
        if matches!(answer, Answer::NotAsked(_)) {
            return None;
        }
        let differences = compare(&question, &expected, self.oracle.manifest(), &answer);
        differences.into_iter().find(|difference| difference.is_like(self.difference))
    }
}

/// Smaller setups, the ones that promise most first.
type Candidates = Box<dyn Iterator<Item = Setup>>;

/// The setup with other boards.
fn with(setup: &Setup, boards: Vec<(BoardCoordinate, Board)>) -> Setup {
    Setup { boards, ..setup.clone() }
}

/// Without the lowest or the highest timeline.
fn timelines(setup: &Setup) -> Candidates {
    let lines = || setup.boards.iter().map(|(at, _)| at.timeline);
    let ends: Vec<Option<Timeline>> = vec![lines().min(), lines().max()];
    let setup = setup.clone();
    Box::new(ends.into_iter().flatten().map(move |end| {
        with(&setup, setup.boards.iter().filter(|(at, _)| at.timeline != end).cloned().collect())
    }))
}

/// Without the boards before a half-turn, everywhere or on one timeline: half of them first.
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

/// Without the last board of one timeline.
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

/// Without pieces: those of a whole square on all boards, then one by one.
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

/// On smaller boards: without an empty file or rank at an edge.
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

/// At an earlier time.
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
