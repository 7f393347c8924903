//! The games of a tournament: who meets whom, and in which order.

/// The form of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tournament {
    /// Every engine meets every other one.
    RoundRobin,
    /// The first engine meets every other one.
    Gauntlet,
}

/// The games of a tournament, numbered from 0.
///
/// Two engines that meet play pairs of games, each from one opening with both colours. In a round every pairing plays one pair, all
/// from the same opening. So a tournament that is interrupted is fair up to its last round, and further rounds change no number.
///
/// ```
/// use worldlines::contest::{Schedule, Tournament};
///
/// let schedule = Schedule::new(3, Tournament::RoundRobin, 2);
/// assert_eq!(schedule.pairings(), [[0, 1], [0, 2], [1, 2]]);
/// assert_eq!(schedule.games(), 12);
/// let game = schedule.fixture(3);
/// assert_eq!((game.white, game.black, game.round), (2, 0, 0));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    engines: usize,
    pairings: Vec<[usize; 2]>,
    rounds: usize,
}

/// A game of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The round, from 0. It decides the opening.
    pub round: usize,
    /// The index of the pairing.
    pub pairing: usize,
    /// The index of the engine that plays White.
    pub white: usize,
    /// The index of the engine that plays Black.
    pub black: usize,
}

impl Schedule {
    /// The games of so many engines.
    pub fn new(engines: usize, tournament: Tournament, rounds: usize) -> Schedule {
        let hosts = match tournament {
            Tournament::RoundRobin => engines,
            Tournament::Gauntlet => engines.min(1),
        };
        let pairings = (0..hosts).flat_map(|first| (first + 1..engines).map(move |second| [first, second]));
        Schedule { engines, pairings: pairings.collect(), rounds }
    }

    /// The number of engines.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// The indices of the engines of each pairing. The first one has White in its games with even numbers.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        2 * self.pairings.len() * self.rounds
    }

    /// The game with this number.
    ///
    /// # Panics
    ///
    /// If nobody meets anybody.
    pub fn fixture(&self, game: usize) -> Fixture {
        let (round, pairing) = (game / 2 / self.pairings.len(), game / 2 % self.pairings.len());
        let [first, second] = self.pairings[pairing];
        let (white, black) = if game.is_multiple_of(2) { (first, second) } else { (second, first) };
        Fixture { round, pairing, white, black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let schedule = Schedule::new(4, Tournament::RoundRobin, 3);
        assert_eq!((schedule.pairings().len(), schedule.games()), (6, 36));
        for white in 0..4 {
            for black in (0..4).filter(|black| *black != white) {
                let games = (0..schedule.games()).map(|game| schedule.fixture(game));
                let rounds = games.filter(|game| (game.white, game.black) == (white, black));
                assert_eq!(rounds.map(|game| game.round).collect::<Vec<_>>(), [0, 1, 2]);
            }
        }
    }

    #[test]
    fn a_gauntlet_has_the_first_engine_in_every_game() {
        let schedule = Schedule::new(4, Tournament::Gauntlet, 2);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2], [0, 3]]);
        let games = (0..schedule.games()).map(|game| schedule.fixture(game));
        assert!(games.clone().all(|game| (game.white == 0) != (game.black == 0)));
        assert_eq!(games.filter(|game| game.white == 0).count(), 6);
    }

    #[test]
    fn more_rounds_change_no_number() {
        let (few, many) =
            (Schedule::new(5, Tournament::RoundRobin, 2), Schedule::new(5, Tournament::RoundRobin, 9));
        assert!((0..few.games()).all(|game| few.fixture(game) == many.fixture(game)));
    }
}
