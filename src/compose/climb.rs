//! Composing: draws random positions until one has a mate, and improves it by small changes. Begin at
//! [`attempt`].

use fastrand::Rng;

use super::Found;
use super::draft::Draft;
use super::study::Study;
use super::themes::themes;
use super::wishes::Wishes;
use crate::notation::Game;
use crate::puzzle::Options;
use crate::search::{Budget, Prover, Verdict, after_null_action};
use crate::state::Position;
use crate::types::Limit;

/// The search steps for one study.
const STEPS: u64 = 40_000;
/// The most bytes of its prover's memory.
const MEMORY: u64 = 1 << 20;
/// The number of random positions before the attempt is given up.
const DRAWN: usize = 4_000;
/// The number of changes without progress after which the climb ends.
const PATIENCE: usize = 250;
/// The most key classes of a position from which the climb begins.
const MOST_KEYS: usize = 6;

/// One attempt to compose a puzzle. All random choices follow from `seed`, so that the result repeats. Of the options it takes
/// the memory, the evidence and the stop. `None` if the attempt failed, which is usual, or if it was stopped.
pub fn attempt(wishes: &Wishes, seed: u64, options: Options<'_>) -> Option<Found> {
    let mut rng = Rng::with_seed(seed);
    let goes_on = || !Limit::NONE.stopping_on(options.stop).is_stopped();
    let first = (0..DRAWN).take_while(|_| goes_on()).find_map(|_| {
        let draft = Draft::draw(wishes, &mut rng);
        let rated = Rated::of(draft, wishes, options)?;
        (rated.study.keys.len() <= MOST_KEYS).then_some(rated)
    });
    let mut best = first?;
    let mut patience = PATIENCE;
    while !best.is_wished && patience > 0 && goes_on() {
        patience -= 1;
        let changed = best.draft.changed(wishes, &mut rng);
        let changed = changed.and_then(|draft| Rated::of(draft, wishes, options));
        if let Some(changed) = changed.filter(|changed| changed.score >= best.score) {
            if changed.score > best.score {
                patience = PATIENCE;
            }
            best = changed;
        }
    }
    best.is_wished.then(|| economical(best, wishes, options)).flatten()
}

/// A draft with its study and its score.
struct Rated {
    draft: Draft,
    position: Position,
    study: Study,
    /// The higher, the closer to the wishes.
    score: i64,
    is_wished: bool,
}

impl Rated {
    /// Studies and rates a draft. `None` if it has no such mate.
    fn of(draft: Draft, wishes: &Wishes, options: Options<'_>) -> Option<Rated> {
        let position = draft.position()?;
        if position.is_in_check() {
            return None;
        }
        let Options { memory, evidence, .. } = options;
        let mut prover = Prover::new(Budget { steps: STEPS, memory: memory.min(MEMORY), evidence });
        let study = Study::of(&position, wishes.mate_in, &mut prover).ok()??;
        if study.open.is_some() {
            return None;
        }
        let keys: usize = study.keys.iter().map(|class| class.keys().len()).sum();
        let duals = study.duals();
        let answers = study.answers().len();
        let is_fine = study.is_quiet(&position) || study.offered(&position).is_some();
        let few = |count: u64, wanted: u64| wanted.saturating_sub(count).min(8) as i64;
        let shown = if wishes.themes.is_empty() { Vec::new() } else { themes(&position, &study) };
        let missing = wishes.themes.iter().filter(|theme| !shown.contains(&theme.as_str())).count();
        let travels = study.travels(&position);
        let score = -40 * (keys as i64 - 1).min(10)
            - 10 * duals.saturating_sub(wishes.most_duals).min(10) as i64
            - 30 * i64::from(wishes.fine_key && !is_fine)
            - 30 * i64::from(!travels)
            - 40 * missing as i64
            - 8 * few(study.first_actions.count, wishes.least_first_actions)
            - 10 * few(answers as u64, if wishes.mate_in > 1 { 2 } else { 0 })
            + 5 * answers.min(4) as i64
            - draft.pieces() as i64
            - draft.history.len() as i64;
        let is_wished = study.is_unique()
            && duals <= wishes.most_duals
            && (is_fine || !wishes.fine_key)
            && travels
            && missing == 0
            && study.first_actions.count >= wishes.least_first_actions
            && (answers > 1 || wishes.mate_in == 1)
            && !opponent_mates(&position, &mut prover);
        Some(Rated { draft, position, study, score, is_wished })
    }
}

/// Whether the defender could mate at once if it were to move. Then the attacker has no choice but to hurry.
fn opponent_mates(position: &Position, prover: &mut Prover<'_>) -> bool {
    after_null_action(position)
        .is_some_and(|passed| prover.search_for(&passed, 1, false).verdict != Verdict::Refuted)
}

/// Removes pieces from the first boards and actions from the beginning until no further one can go without a
/// wish failing. `None` if counting from turn 1 makes a wish fail.
fn economical(mut best: Rated, wishes: &Wishes, options: Options<'_>) -> Option<Found> {
    'again: loop {
        let whole = best.draft.clone();
        for draft in whole.begun_later().into_iter().chain(whole.without_a_piece()) {
            if let Some(rated) = Rated::of(draft, wishes, options)
                && rated.is_wished
            {
                best = rated;
                continue 'again;
            }
        }
        break;
    }
    let best = Rated::of(best.draft.counted_from_one(), wishes, options).filter(|best| best.is_wished)?;
    let start = Position::from_setup(&best.draft.start).expect("the boards were a position");
    let themes = themes(&best.position, &best.study);
    Some(Found { game: Game::new(start, best.draft.history), study: best.study, themes })
}
