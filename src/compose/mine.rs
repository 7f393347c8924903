//! Mining: the search for puzzles among the positions of a game. Begin at [`mine`].

use std::sync::atomic::AtomicBool;

use super::merit::Merit;
use super::study::Study;
use super::themes::themes;
use super::{Found, Solution};
use crate::notation::Game;
use crate::search::{Budget, Prover, Verdict};
use crate::state::Position;
use crate::types::{Because, Limit, Undecided};

/// The criteria for mates in games, and the budget for finding them.
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
    /// The search steps for finding a mate at one position. A study of a mate that was found may cost twenty
    /// times as many.
    pub steps: u64,
    /// The bytes of the memory of the search.
    pub memory: u64,
    /// The search steps that the evidence of a mate may cost: see [`Budget::evidence`].
    pub evidence: u64,
}

impl Default for Sieve {
    fn default() -> Sieve {
        Sieve {
            longest: 2,
            shortest: 1,
            most_keys: 1,
            least_first_actions: 8,
            steps: 100_000,
            memory: Budget::default().memory,
            evidence: Budget::default().evidence,
        }
    }
}

impl Sieve {
    /// The search steps for the study of a mate.
    pub fn study_steps(&self) -> u64 {
        self.steps.saturating_mul(20)
    }

    fn prover<'s>(&self, steps: u64, stop: Option<&'s AtomicBool>) -> Prover<'s> {
        let Sieve { memory, evidence, .. } = *self;
        Prover::new(Budget { steps, memory, evidence }).stopping_on(stop)
    }
}

/// The positions of a game that have a mate with few keys, each with the number of actions before it.
/// Positions for which the budget does not suffice are errors. `is_asked` selects the positions by their
/// number. After `stop` there are no more.
pub fn mine<'g>(
    game: &'g Game,
    sieve: Sieve,
    is_asked: impl Fn(usize) -> bool + 'g,
    stop: Option<&'g AtomicBool>,
) -> impl Iterator<Item = (usize, Result<Found, Undecided>)> + 'g {
    let find = move |position: &Position, index| {
        let Some(study) = study(position, sieve, stop)? else { return Ok(None) };
        let mut prover = sieve.prover(sieve.study_steps(), stop);
        let themes = themes(position, &study, &mut prover);
        let merit = Merit::of(&study, position, &mut prover);
        Ok(Some(Found { game: game.until(index), themes, merit, solution: Solution::Mate(study) }))
    };
    each(game, is_asked, stop, find)
}

/// Calls `find` for the selected positions of a game, until `stop` is true.
pub(super) fn each<'g, T: 'g>(
    game: &'g Game,
    is_asked: impl Fn(usize) -> bool + 'g,
    stop: Option<&'g AtomicBool>,
    find: impl Fn(&Position, usize) -> Result<Option<T>, Undecided> + 'g,
) -> impl Iterator<Item = (usize, Result<T, Undecided>)> + 'g {
    let mut position = game.start.clone();
    let goes_on = move |_: &usize| !Limit::NONE.stopping_on(stop).is_stopped();
    (0..=game.actions.len()).take_while(goes_on).filter_map(move |index| {
        let found = if is_asked(index) { find(&position, index).transpose() } else { None };
        if let Some(action) = game.actions.get(index) {
            position.play(action).expect("the actions of a game are legal");
        }
        found.map(|found| (index, found))
    })
}

fn study(position: &Position, sieve: Sieve, stop: Option<&AtomicBool>) -> Result<Option<Study>, Undecided> {
    let length = shortest(position, sieve, stop)?.filter(|length| *length >= sieve.shortest);
    let Some(length) = length else { return Ok(None) };
    let study = Study::of(position, length, &mut sieve.prover(sieve.study_steps(), stop))?;
    if let Some(why) = study.as_ref().and_then(|study| study.open) {
        return Err(why);
    }
    Ok(study.filter(|study| {
        study.keys.len() <= sieve.most_keys && study.first_actions.count >= sieve.least_first_actions
    }))
}

/// The length of the shortest mate.
fn shortest(position: &Position, sieve: Sieve, stop: Option<&AtomicBool>) -> Result<Option<u32>, Undecided> {
    let mut prover = sieve.prover(sieve.steps, stop);
    for n in 1..=sieve.longest {
        let solution = prover.search_for(position, n, false);
        match (solution.verdict, solution.undecided) {
            (Verdict::Proven, _) => return Ok(Some(n)),
            (Verdict::Refuted, _) | (_, Some(Undecided { because: Because::Size, .. })) => {}
            (Verdict::Undecided, undecided) => {
                let because = Because::Memory;
                return Err(undecided.unwrap_or(Undecided { steps: prover.steps(), because }));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;

    fn game() -> Game {
        let position = fen5d::parse("[5/NK2k/p4/5/5:0:1:w]").into_result().unwrap();
        Game::new(position, Vec::new())
    }

    fn mined(sieve: Sieve, stop: Option<&AtomicBool>) -> Vec<(usize, Result<u32, Because>)> {
        let game = game();
        let mined = mine(&game, sieve, |_| true, stop);
        mined
            .map(|(at, found)| (at, found.map(|found| found.solution.mate_in()).map_err(|u| u.because)))
            .collect()
    }

    #[test]
    fn what_the_budget_leaves_open_is_told() {
        let sieve = Sieve { least_first_actions: 1, ..Sieve::default() };
        assert_eq!(mined(sieve, None), [(0, Ok(2))]);
        assert_eq!(mined(Sieve { steps: 3, ..sieve }, None), [(0, Err(Because::Budget))]);
        // Finding the mate takes fewer steps than finding all its defences.
        let open = (1..sieve.steps).map(|steps| mined(Sieve { steps, ..sieve }, None));
        let first = open.map(|mut mined| mined.remove(0).1).find(|found| *found != Err(Because::Budget));
        assert_eq!(first, Some(Ok(2)));
        assert_eq!(mine(&game(), sieve, |_| false, None).count(), 0);
        assert_eq!(mined(Sieve { evidence: 0, ..sieve }, None), [(0, Err(Because::Unconfirmed))]);
    }

    #[test]
    fn a_study_ends_when_it_is_stopped() {
        let stop = AtomicBool::new(true);
        let sieve = Sieve { least_first_actions: 1, ..Sieve::default() };
        assert_eq!(mined(sieve, Some(&stop)), []);
        let stopped = study(&game().end(), sieve, Some(&stop)).unwrap_err();
        assert_eq!(stopped.because, Because::Stopped);
    }
}
