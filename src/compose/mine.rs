//! Mining: which positions of a game are puzzles?

use super::Found;
use super::study::Study;
use super::themes::themes;
use crate::notation::Game;
use crate::search::{Budget, Prover, Verdict};
use crate::state::Position;
use crate::types::Because;

/// What is looked for in games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sieve {
    /// The longest mate.
    pub longest: u32,
    /// The shortest mate.
    pub shortest: u32,
    /// The most classes of keys.
    pub most_keys: usize,
    /// The fewest legal first actions.
    pub least_first_actions: u64,
    /// What looking for a mate may cost at each position.
    pub steps: u64,
    /// What studying a mate that was found may cost.
    pub study_steps: u64,
}

impl Default for Sieve {
    fn default() -> Sieve {
        Sieve {
            longest: 2,
            shortest: 1,
            most_keys: 1,
            least_first_actions: 8,
            steps: 100_000,
            study_steps: 2_000_000,
        }
    }
}

/// The bytes of a prover's memory.
const MEMORY: u64 = 64 << 20;

/// Shows every position of a game that has a mate with few keys. A position whose questions take too long is passed over. `goes_on` is
/// asked before each position.
pub fn mine<'g>(
    game: &'g Game,
    sieve: Sieve,
    mut goes_on: impl FnMut() -> bool + 'g,
) -> impl Iterator<Item = Found> + 'g {
    let positions = (0..=game.actions.len()).scan(game.start.clone(), |position, index| {
        let now = position.clone();
        if let Some(action) = game.actions.get(index) {
            position.play(action).expect("the actions of a game are legal");
        }
        Some((index, now))
    });
    positions.take_while(move |_| goes_on()).filter_map(move |(index, position)| {
        let study = study(&position, sieve)?;
        let themes = themes(&position, &study);
        Some(Found { game: game.until(index), study, themes })
    })
}

fn study(position: &Position, sieve: Sieve) -> Option<Study> {
    let mut prover = Prover::new(Budget { steps: sieve.steps, memory: MEMORY, ..Budget::default() });
    let mut steps = sieve.steps;
    let length = (1..=sieve.longest).find_map(|n| {
        let solution = prover.search_for(position, n, false);
        match (solution.verdict, solution.undecided.map(|undecided| undecided.because)) {
            (Verdict::Proven, _) => Some(Some(n)),
            (Verdict::Undecided, Some(Because::Budget | Because::Memory | Because::Stopped) | None) => {
                Some(None)
            }
            _ => {
                steps = prover.left();
                None
            }
        }
    })??;
    if length < sieve.shortest {
        return None;
    }
    let mut prover = Prover::new(Budget { steps: sieve.study_steps, memory: MEMORY, ..Budget::default() });
    let study = Study::of(position, length, &mut prover).ok()??;
    let fits = study.keys.len() <= sieve.most_keys && study.first_actions.count >= sieve.least_first_actions;
    fits.then_some(study)
}
