//! The points of a tournament.

use super::schedule::Schedule;
use super::tally::Tally;
use crate::notation::GameResult;

/// The results of one side: an engine against all others, or against one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// The number of games that it won.
    pub wins: u64,
    /// The number of games that were drawn.
    pub draws: u64,
    /// The number of games that it lost.
    pub losses: u64,
    /// The pairs of games of which both were played.
    pub tally: Tally,
}

impl Score {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points: one for a win, a half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games for the other side.
    pub fn reversed(&self) -> Score {
        let mut tally = self.tally;
        tally.pairs.reverse();
        Score { wins: self.losses, losses: self.wins, tally, ..*self }
    }

    fn add(&mut self, other: &Score) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (sum, pairs) in self.tally.pairs.iter_mut().zip(other.tally.pairs) {
            *sum += pairs;
        }
    }

    fn add_game(&mut self, half_points: usize) {
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] += 1;
    }
}

/// The points of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standings {
    /// The results of each pairing of the schedule, for its first engine.
    pub pairings: Vec<Score>,
    /// The results of each engine against all others.
    pub engines: Vec<Score>,
}

impl Standings {
    /// The points after some of the games: their numbers, in increasing order, and their results. A game without a result counts
    /// as drawn.
    pub fn of(
        schedule: &Schedule,
        results: impl IntoIterator<Item = (usize, Option<GameResult>)>,
    ) -> Standings {
        let mut pairings = vec![Score::default(); schedule.pairings().len()];
        let mut before = None;
        for (game, result) in results {
            let is_first = game.is_multiple_of(2);
            let half_points = match result {
                Some(GameResult::WhiteWins) => 2 * usize::from(is_first),
                Some(GameResult::BlackWins) => 2 * usize::from(!is_first),
                _ => 1,
            };
            let score = &mut pairings[schedule.fixture(game).pairing];
            score.add_game(half_points);
            if let Some((_, others)) = before.filter(|(other, _)| !is_first && other + 1 == game) {
                score.tally.add(half_points + others);
            }
            before = Some((game, half_points));
        }
        let mut engines = vec![Score::default(); schedule.engines()];
        for (&[first, second], score) in schedule.pairings().iter().zip(&pairings) {
            engines[first].add(score);
            engines[second].add(&score.reversed());
        }
        Standings { pairings, engines }
    }

    /// The indices of the engines, the best first: by the share of points, then by the number of points, then in their order.
    pub fn ranking(&self) -> Vec<usize> {
        let share =
            |score: &Score| if score.games() == 0 { 0.0 } else { score.points() / score.games() as f64 };
        let mut ranking: Vec<usize> = (0..self.engines.len()).collect();
        ranking.sort_by(|&a, &b| {
            let (a, b) = (&self.engines[a], &self.engines[b]);
            share(b).total_cmp(&share(a)).then(b.points().total_cmp(&a.points()))
        });
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::Tournament;
    use super::*;

    const WHITE: Option<GameResult> = Some(GameResult::WhiteWins);
    const BLACK: Option<GameResult> = Some(GameResult::BlackWins);
    const DRAW: Option<GameResult> = Some(GameResult::Draw);

    #[test]
    fn points_go_to_engines_whatever_their_colour() {
        let schedule = Schedule::new(3, Tournament::RoundRobin, 1);
        // The first engine wins both games against the second one; the third one draws, and wins with Black.
        let results = [WHITE, BLACK, DRAW, DRAW, BLACK, DRAW];
        let standings = Standings::of(&schedule, results.into_iter().enumerate());
        let points: Vec<f64> = standings.engines.iter().map(Score::points).collect();
        assert_eq!(points, [3.0, 0.5, 2.5]);
        assert!(standings.engines.iter().all(|score| score.games() == 4));
        let pairs: Vec<_> = standings.pairings.iter().map(|score| score.tally.pairs).collect();
        assert_eq!(pairs, [[0, 0, 0, 0, 1], [0, 0, 1, 0, 0], [0, 1, 0, 0, 0]]);
        assert_eq!(standings.engines[2].tally.pairs, [0, 0, 1, 1, 0]);
        assert_eq!(standings.ranking(), [0, 2, 1]);
    }

    #[test]
    fn half_a_pair_gives_points_and_is_no_pair() {
        let schedule = Schedule::new(2, Tournament::RoundRobin, 2);
        let standings = Standings::of(&schedule, [(0, WHITE), (3, WHITE)]);
        let score = standings.pairings[0];
        assert_eq!((score.wins, score.losses, score.tally), (1, 1, Tally::default()));
        assert_eq!(score.reversed().reversed(), score);
    }
}
