//! Composing: draws random positions until one has a mate, improves it by small changes until it meets the wishes, and then by
//! changes that raise its merit. Begin at [`attempt`].

use std::convert::Infallible;

use fastrand::Rng;

use super::draft::Draft;
use super::line::Line;
use super::merit::Merit;
use super::study::Study;
use super::themes::{of_line, themes};
use super::wishes::{KeyWish, Wishes};
use super::{Found, Solution};
use crate::notation::Game;
use crate::puzzle::{Options, without_boards};
use crate::rules::Count;
use crate::search::{self, Budget, Prover, Verdict, after_null_action};
use crate::state::Position;
use crate::types::{BoardCoordinate, Limit, PieceKind};

/// The search steps for one study of a mate in 2, and twice as many for a mate in 3. Nineteen in twenty of the shipped mates need
/// fewer. A draft that needs more costs more than it is likely to bring.
const STEPS: u64 = 10_000;
/// The search steps for one helpmate or selfmate in 2, and twice as many for each action more.
const LINE_STEPS: u64 = 100_000;
/// The fewest search steps for one look at merit: tries and set play cost more than the mate.
const MERIT_STEPS: u64 = 200_000;
/// The most bytes of the prover's memory; fewer bytes are sooner allocated.
const MEMORY: u64 = 1 << 20;
/// The same for long mates, which have more positions to remember.
const LONG_MEMORY: u64 = 16 << 20;
/// The number of random positions before the attempt is given up.
const DRAWN: usize = 4_000;
/// The number of attempts to draw an earlier position of a mate, among which a longer mate is looked for.
const EARLIER: usize = 400;
/// The number of changes without progress after which the climb to the wishes ends.
const PATIENCE: usize = 300;
/// The loss that is taken in one of e changes.
const WARMTH: f64 = 5.0;
/// The number of changes without progress after which the climb to merit ends.
const POLISH: usize = 600;
/// The number of actions from which a mate is looked for by changes of a shorter one.
const LONG: u32 = 4;
/// The number of changes without progress after which a longer mate is given up.
const LENGTHEN: usize = 60;
/// The most key classes of a position from which the climb begins.
const MOST_KEYS: usize = 6;
/// The most different answers that count in the climb to the wishes.
const MOST_ANSWERS: usize = 4;

/// One attempt to compose a puzzle. All random choices follow from `seed`, so that the result repeats. Of the options it takes
/// the memory, the evidence and the stop. `None` if the attempt failed, which is usual, or if it was stopped.
pub fn attempt(wishes: &Wishes, seed: u64, options: Options<'_>) -> Option<Found> {
    let mut climb = Climb { wishes, options, rng: Rng::with_seed(seed) };
    let first = climb.first()?;
    let wished = climb.reach_wishes(first)?;
    let economical = climb.economical(wished);
    let best = climb.raise_merit(economical);
    let best = climb.rated(best.draft.counted_from_one(), wishes.mate_in, Worst::WISHED)?;
    // A piece that goes from one of several boards that are set up would leave a step that no move makes, so boards go last.
    let best = climb.without_idle_boards(climb.economical(best));
    if !best.is_wished() || best.has_idle_piece || !climb.is_evident(&best) {
        return None;
    }
    let is_good = wishes.least_score.is_none_or(|least| best.score() >= least);
    is_good.then(|| climb.found(best)).flatten()
}

/// The search steps for one study of a mate in `n`. From mates in 4 on, each action more takes eight times as many: most of them are
/// endings with few pieces, where a king has many ways into the past.
fn steps(n: u32) -> u64 {
    let shift = if n <= 3 { n.saturating_sub(2) } else { 3 * (n - 3) + 1 };
    STEPS.saturating_mul(1_u64.checked_shl(shift).unwrap_or(u64::MAX))
}

/// The distance to the wishes from which a draft is of no use, whatever else it has.
#[derive(Clone, Copy)]
struct Worst(i64);

impl Worst {
    /// Every draft is of use.
    const NONE: Worst = Worst(i64::MAX);
    /// All wishes must be met.
    const WISHED: Worst = Worst(1);
}

/// A draft with its solution.
struct Rated {
    draft: Draft,
    position: Position,
    solution: Solution,
    /// The distance to the wishes; 0 if all are met.
    lacks: i64,
    /// The number of wished themes that the solution does not show.
    missing_themes: usize,
    /// The merit, if all wishes are met.
    merit: Option<Merit>,
    /// Whether a piece of the last boards could go without a difference for the solution.
    has_idle_piece: bool,
}

impl Rated {
    fn is_wished(&self) -> bool {
        self.lacks == 0
    }

    /// The score in tenths of a point; the lowest number where a wish is not met or a piece is idle.
    fn score(&self) -> i32 {
        let merit = self.merit.as_ref().filter(|_| !self.has_idle_piece);
        merit.map_or(i32::MIN, Merit::tenths)
    }

    /// The measure of the climb to the wishes: the higher, the better.
    fn towards_wishes(&self) -> i64 {
        let answers = match &self.solution {
            Solution::Mate(study) => study.answers().len().min(MOST_ANSWERS),
            Solution::Line(_) => 0,
        };
        5 * answers as i64 - self.lacks - self.draft.size()
    }

    /// The number of solutions, or of their classes.
    fn solutions(&self) -> usize {
        match &self.solution {
            Solution::Mate(study) => study.keys.len(),
            Solution::Line(line) => line.solutions,
        }
    }
}

/// A mate on the way to a long one; the longer with the fewer keys is the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mate {
    length: u32,
    /// The number of keys, or of their classes, by which it has fewer than too many; 0 if it has too many or is too short.
    fewer_keys: usize,
}

/// Random drafts. Of those that precede another one, none comes twice.
struct Drafts {
    /// The draft that those of this run precede by a turn; `None` if they are drawn freely.
    later: Option<Draft>,
    /// The number of attempts that are left.
    left: usize,
    seen: Vec<Draft>,
}

impl Drafts {
    fn next(&mut self, climb: &mut Climb<'_>) -> Option<Draft> {
        while self.left > 0 && climb.goes_on() {
            self.left -= 1;
            match &self.later {
                None => return Some(Draft::draw(climb.wishes, &mut climb.rng)),
                Some(later) => {
                    let Some(draft) = later.earlier(&mut climb.rng) else { continue };
                    if !self.seen.contains(&draft) {
                        self.seen.push(draft.clone());
                        return Some(draft);
                    }
                }
            }
        }
        None
    }
}

/// The number that is missing, up to 8.
fn too_few(count: u64, wanted: u64) -> i64 {
    wanted.saturating_sub(count).min(8) as i64
}

/// One attempt.
struct Climb<'a> {
    wishes: &'a Wishes,
    options: Options<'a>,
    rng: Rng,
}

impl Climb<'_> {
    fn goes_on(&self) -> bool {
        !Limit::NONE.stopping_on(self.options.stop).is_stopped()
    }

    /// A random draft that has a solution with few keys, if possible one that shows the wished themes.
    fn first(&mut self) -> Option<Rated> {
        let n = self.wishes.mate_in;
        if n >= LONG && self.wishes.line.is_none() {
            let draft = self.lengthened(n)?;
            return self.rated(draft, n, Worst::NONE);
        }
        let mut drafts = self.drafts(n)?;
        let mut without_themes = None;
        while let Some(draft) = drafts.next(self) {
            match self.rated(draft, n, Worst::NONE).filter(|rated| rated.solutions() <= MOST_KEYS) {
                Some(rated) if rated.missing_themes == 0 => return Some(rated),
                rated => without_themes = without_themes.or(rated),
            }
        }
        without_themes
    }

    /// The drafts among which one with a solution in `n` is looked for. Longer mates are rare among random positions, so they are looked for a
    /// turn before shorter ones. `None` if no shorter one is found.
    fn drafts(&mut self, n: u32) -> Option<Drafts> {
        let seen = Vec::new();
        if n <= 2 {
            return Some(Drafts { later: None, left: DRAWN, seen });
        }
        let mut shorter = self.drafts(n - 1)?;
        while let Some(draft) = shorter.next(self) {
            if self.has_few_keys(&draft, n - 1) {
                return Some(Drafts { later: Some(draft), left: EARLIER, seen });
            }
        }
        None
    }

    /// A draft with a mate in `n`, no shorter one and few keys: a random draft with any mate, changed as long as its mate gets longer or its
    /// keys get fewer. Long mates lie beside each other, so this finds them sooner than looking a turn before a shorter one, which
    /// is as likely to be no mate at all.
    fn lengthened(&mut self, n: u32) -> Option<Draft> {
        let drawn = (0..DRAWN).find_map(|_| {
            let draft = Draft::draw(self.wishes, &mut self.rng);
            let mate = self.goes_on().then(|| self.mate(&draft, n)).flatten()?;
            (mate.length > 1).then_some((draft, mate))
        });
        let (mut draft, mut mate) = drawn?;
        let mut patience = LENGTHEN;
        while mate.length < n || mate.fewer_keys == 0 {
            patience = patience.checked_sub(1).filter(|_| self.goes_on())?;
            let Some(changed) = draft.changed(self.wishes, &mut self.rng) else { continue };
            let Some(next) = self.mate(&changed, n).filter(|next| *next >= mate) else { continue };
            if next > mate {
                patience = LENGTHEN;
            }
            (draft, mate) = (changed, next);
        }
        Some(draft)
    }

    /// The shortest mate of a draft, on the word of the search. `None` if there is none in `n`, or if a length takes more than half of the
    /// steps that a study of it may take: a position that costs much is left out before a longer mate is looked for.
    fn mate(&self, draft: &Draft, n: u32) -> Option<Mate> {
        let position = draft.position().filter(|position| !position.is_in_check())?;
        for length in 1..=n {
            let found = self.searched(&position, length, length == n);
            match found.verdict {
                Verdict::Refuted => {}
                Verdict::Undecided => return None,
                Verdict::Proven => {
                    let keys: usize = found.keys.iter().map(|class| class.keys().len()).sum();
                    let is_read = length == n && found.complete;
                    let fewer_keys = if is_read { (MOST_KEYS + 1).saturating_sub(keys) } else { 0 };
                    return Some(Mate { length, fewer_keys });
                }
            }
        }
        None
    }

    /// Whether a draft has a solution in `n`, and no shorter one, with few keys. What follows the keys is not read, and no more steps are
    /// taken than for the shortest: a longer mate before a draft that costs much would cost too much.
    fn has_few_keys(&self, draft: &Draft, n: u32) -> bool {
        let Some(position) = draft.position().filter(|position| !position.is_in_check()) else {
            return false;
        };
        let keys = match self.wishes.line {
            None => Study::count_keys(&position, n, &mut self.prover(STEPS)).unwrap_or(0),
            Some(goal) => {
                let line = Line::of(&position, goal, n, &mut self.prover(LINE_STEPS));
                line.ok().flatten().map_or(0, |line| line.solutions)
            }
        };
        (1..=MOST_KEYS).contains(&keys)
    }

    /// Changes a draft until it meets all wishes. Now and then a change for the worse is taken, the less worse the likelier, since many
    /// drafts need two changes at once. `None` if there is no progress for long.
    fn reach_wishes(&mut self, mut now: Rated) -> Option<Rated> {
        let (mut best, mut patience) = (now.towards_wishes(), PATIENCE);
        while !now.is_wished() && patience > 0 && self.goes_on() {
            patience -= 1;
            let Some(draft) = now.draft.changed(self.wishes, &mut self.rng) else { continue };
            // The least progress that is taken this time.
            let least = WARMTH * self.rng.f64().ln();
            let most = 5 * MOST_ANSWERS as i64 - draft.size() - now.towards_wishes();
            let worst = Worst(((most as f64 - least) as i64).saturating_add(1));
            let changed = self.rated(draft, self.wishes.mate_in, worst);
            let is_taken = |changed: &Rated| (changed.towards_wishes() - now.towards_wishes()) as f64 > least;
            if let Some(changed) = changed.filter(is_taken) {
                now = changed;
            }
            if now.towards_wishes() > best {
                (best, patience) = (now.towards_wishes(), PATIENCE);
            }
        }
        Some(now).filter(Rated::is_wished)
    }

    /// Changes an economical draft as long as its score can be raised so.
    fn raise_merit(&mut self, mut best: Rated) -> Rated {
        let mut patience = self.polish();
        while patience > 0 && self.goes_on() {
            patience -= 1;
            let changed = best.draft.changed(self.wishes, &mut self.rng);
            let better = changed.and_then(|draft| self.rated(draft, self.wishes.mate_in, Worst::WISHED));
            let better = better.filter(|changed| changed.score() > best.score());
            let better = better.map(|better| self.economical(better));
            if let Some(better) = better.filter(|better| better.score() > best.score()) {
                best = better;
                patience = self.polish();
            }
        }
        best
    }

    /// The number of changes without progress after which the climb to merit ends: the fewer, the longer one look takes.
    fn polish(&self) -> usize {
        POLISH >> self.wishes.mate_in.saturating_sub(LONG - 1)
    }

    /// Removes pieces from the first boards and actions from the beginning until no further one can go without a wish failing.
    fn economical(&self, mut best: Rated) -> Rated {
        let smaller = |best: &Rated| {
            let fewer = best.draft.begun_later().into_iter().chain(best.draft.without_a_piece());
            let mut rated = fewer.filter_map(|draft| self.rated(draft, self.wishes.mate_in, Worst::WISHED));
            rated.find(Rated::is_wished)
        };
        while let Some(rated) = smaller(&best) {
            best = rated;
        }
        best.has_idle_piece = self.has_idle_piece(&best);
        best
    }

    /// Whether the keys and the answers stay the same without one of the pieces of the last boards: such a piece is there only for a
    /// wish.
    fn has_idle_piece(&self, rated: &Rated) -> bool {
        let setup = rated.position.to_setup();
        let ends: Vec<BoardCoordinate> = rated.position.multiverse().ends().map(|(at, _)| at).collect();
        let boards = setup.boards.iter().enumerate().filter(|(_, (at, _))| ends.contains(at));
        let pieces =
            boards.flat_map(|(index, (_, board))| board.pieces().map(move |(square, _)| (index, square)));
        pieces.into_iter().any(|(index, square)| {
            let mut fewer = setup.clone();
            fewer.boards[index].1.remove(square);
            let Ok(position) = Position::from_setup(&fewer) else { return false };
            let without = self.solution(&position, rated.solution.mate_in(), Worst::NONE);
            without.is_some_and(|without| is_same(&rated.solution, &without))
        })
    }

    /// Sets up the boards that decide something, if the actions before the position make others too. As long as an action plays two
    /// boards, it cannot be taken away for the sake of one.
    fn without_idle_boards(&self, best: Rated) -> Rated {
        if best.has_idle_piece || best.draft.history.is_empty() {
            return best;
        }
        let is_same = |position: &Position| {
            let without = self.solution(position, best.solution.mate_in(), Worst::NONE);
            Ok::<bool, Infallible>(without.is_some_and(|without| is_same(&best.solution, &without)))
        };
        let Ok((needed, dropped)) = without_boards(&best.position, is_same);
        if dropped.is_empty() {
            return best;
        }
        let set_up = Draft { start: needed, history: Vec::new() };
        let rated = self.rated(set_up.counted_from_one(), self.wishes.mate_in, Worst::WISHED);
        match rated.filter(|rated| rated.is_wished() && rated.score() >= best.score()) {
            Some(rated) if !self.has_idle_piece(&rated) => rated,
            _ => best,
        }
    }

    /// Rates a draft. `None` if it has no solution in `n`, or if its keys alone show that it is of no use.
    fn rated(&self, draft: Draft, n: u32, worst: Worst) -> Option<Rated> {
        let position = draft.position()?;
        if position.is_in_check() {
            return None;
        }
        let solution = self.solution(&position, n, worst)?;
        let (lacks, missing_themes, merit, has_idle_piece) = (0, 0, None, false);
        let mut rated = Rated { draft, position, solution, lacks, missing_themes, merit, has_idle_piece };
        // On the way to a long mate only its length counts.
        if n == self.wishes.mate_in {
            rated.missing_themes = self.missing_themes(&rated);
            rated.lacks = self.lacks(&rated);
            if rated.is_wished() {
                self.look_closer(&mut rated);
            }
        }
        Some(rated)
    }

    /// The whole solution of a position in `n`, if there is one, and it is not too much to read.
    fn solution(&self, position: &Position, n: u32, worst: Worst) -> Option<Solution> {
        match self.wishes.line {
            None => {
                if !self.has_no_mate_before(position, n) {
                    return None;
                }
                let mut prover = self.prover(steps(n));
                let keys = |found: &search::Solution| {
                    let keys = found.keys.iter().map(|class| class.keys().len()).sum();
                    self.lacks_of_keys(keys, found.legal_actions) < worst.0
                };
                let study = Study::sketch(position, n, &mut prover, keys).ok()??;
                study.open.is_none().then_some(Solution::Mate(study))
            }
            Some(goal) => {
                let mut prover = self.prover(LINE_STEPS << n.saturating_sub(2));
                Some(Solution::Line(Line::of(position, goal, n, &mut prover).ok()??))
            }
        }
    }

    /// Whether the search finds no mate that is shorter than `n` by two actions or more, each with the steps of its own length. A position
    /// that takes more is left out before a long mate is looked for.
    fn has_no_mate_before(&self, position: &Position, n: u32) -> bool {
        let is_none = |shorter| self.searched(position, shorter, false).verdict == Verdict::Refuted;
        (2..n.saturating_sub(1)).all(is_none)
    }

    /// The answer of the search for one length, with half of the steps that a study of such a mate may take.
    fn searched(&self, position: &Position, length: u32, all_keys: bool) -> search::Solution {
        self.prover(steps(length) / 2).search_for(position, length, all_keys)
    }

    /// Whether there is evidence for a mate that the climb took on the word of the search.
    fn is_evident(&self, best: &Rated) -> bool {
        let Solution::Mate(sketch) = &best.solution else { return true };
        let mut prover = self.prover(steps(sketch.mate_in));
        Study::of(&best.position, sketch.mate_in, &mut prover) == Ok(Some(sketch.clone()))
    }

    fn prover(&self, steps: u64) -> Prover<'_> {
        let Options { memory, evidence, .. } = self.options;
        let most = if self.wishes.mate_in < LONG { MEMORY } else { LONG_MEMORY };
        Prover::new(Budget { steps, memory: memory.min(most), evidence })
    }

    /// The distance to the wishes that the solution tells of.
    fn lacks(&self, rated: &Rated) -> i64 {
        let wishes = self.wishes;
        let (solutions, travels, first_actions) = match &rated.solution {
            Solution::Mate(study) => (
                study.keys.iter().map(|class| class.keys().len()).sum::<usize>(),
                study.travels(&rated.position) || self.checks_instead(rated),
                study.first_actions,
            ),
            Solution::Line(line) => (line.solutions, line.travels(), line.first_actions),
        };
        let of_mate = match &rated.solution {
            Solution::Mate(study) => {
                15 * study.duals().saturating_sub(wishes.most_duals).isqrt().min(20) as i64
                    + 30 * i64::from(!self.has_wished_key(&rated.position, study))
                    + 10 * too_few(study.answers().len() as u64, wishes.least_answers as u64)
                    + 5 * too_few(study.variations.len() as u64, wishes.least_defences as u64)
            }
            Solution::Line(_) => 0,
        };
        of_mate
            + self.lacks_of_keys(solutions, first_actions)
            + 30 * i64::from(!travels)
            + 40 * rated.missing_themes as i64
    }

    /// The part of the distance that the keys, or the lines, tell of alone.
    fn lacks_of_keys(&self, solutions: usize, first_actions: Count) -> i64 {
        40 * (solutions as i64 - 1).min(10)
            + 8 * too_few(first_actions.count, self.wishes.least_first_actions)
    }

    /// Whether the wished key of a mate in 1 cannot travel, and a check through time stands for that.
    fn checks_instead(&self, rated: &Rated) -> bool {
        let stays = self.wishes.has_theme("castling") || self.wishes.has_theme("en-passant");
        self.wishes.mate_in == 1 && stays && self.themes(rated).contains(&"check-through-time")
    }

    /// The search steps for one look at merit.
    fn merit_steps(&self) -> u64 {
        MERIT_STEPS.max(5 * steps(self.wishes.mate_in))
    }

    fn missing_themes(&self, rated: &Rated) -> usize {
        if self.wishes.themes.is_empty() {
            return 0;
        }
        let shown = self.themes(rated);
        self.wishes.themes.iter().filter(|theme| !shown.contains(&theme.as_str())).count()
    }

    fn themes(&self, rated: &Rated) -> Vec<&'static str> {
        match &rated.solution {
            Solution::Mate(study) => themes(&rated.position, study, &mut self.prover(self.merit_steps())),
            Solution::Line(line) => of_line(&rated.position, line),
        }
    }

    fn has_wished_key(&self, position: &Position, study: &Study) -> bool {
        let moved = |kind: &PieceKind| study.key_pieces(position).contains(kind);
        let is_wished_piece = self.wishes.key_pieces.is_empty() || self.wishes.key_pieces.iter().any(moved);
        let has_manner = match self.wishes.key {
            KeyWish::Any => true,
            KeyWish::NoCheck => !study.checks(position),
            KeyWish::Fine => study.is_quiet(position) || study.offered(position).is_some(),
            KeyWish::Quiet => study.is_quiet(position),
            KeyWish::Offer => study.offered(position).is_some(),
            KeyWish::Travels => study.key().travels(),
        };
        is_wished_piece && has_manner
    }

    /// The merit, and the distance to the wishes that cost more to ask.
    fn look_closer(&self, rated: &mut Rated) {
        let merit = match &rated.solution {
            Solution::Line(line) => Merit::of_line(line, &rated.position),
            Solution::Mate(study) => {
                let mut prover = self.prover(self.merit_steps());
                if opponent_mates(&rated.position, &mut prover) {
                    rated.lacks = 30;
                    return;
                }
                let merit = Merit::of(study, &rated.position, &mut prover);
                rated.lacks = 4 * self.wishes.least_tries.saturating_sub(merit.near_tries.len()) as i64;
                merit
            }
        };
        rated.merit = Some(merit);
    }

    fn found(&self, best: Rated) -> Option<Found> {
        let start = Position::from_setup(&best.draft.start).ok()?;
        let themes = self.themes(&best);
        let merit = best.merit?;
        Some(Found { game: Game::new(start, best.draft.history), solution: best.solution, themes, merit })
    }
}

/// Whether two solutions have the same keys and answers, or the same line.
fn is_same(one: &Solution, other: &Solution) -> bool {
    match (one, other) {
        (Solution::Mate(one), Solution::Mate(other)) => {
            one.keys == other.keys
                && one.answers() == other.answers()
                && (one.duals() > 0) == (other.duals() > 0)
        }
        (Solution::Line(one), Solution::Line(other)) => {
            (one.solutions, &one.actions) == (other.solutions, &other.actions)
        }
        _ => false,
    }
}

/// Whether the defender could mate at once if it were to move. Then the attacker has no choice but to hurry.
fn opponent_mates(position: &Position, prover: &mut Prover<'_>) -> bool {
    after_null_action(position)
        .is_some_and(|passed| prover.search_for(&passed, 1, false).verdict != Verdict::Refuted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::LineGoal;
    use crate::notation::{fen5d, pgn5d};

    #[test]
    fn a_board_that_only_the_history_makes_goes() {
        let wishes = Wishes { two_timelines: true, ..Wishes::default() };
        let climb = Climb { wishes: &wishes, options: Options::default(), rng: Rng::with_seed(0) };
        let start = fen5d::parse("[K2/3/3/kd1:-0:1:b]\n[2B/3/3/1kb:+0:1:b]").into_result().unwrap();
        let action = pgn5d::parse_action(&start, "(-0T1)Ka1a2 (+0T1)Kb1c2").unwrap();
        let draft = Draft { start: start.to_setup(), history: vec![action] };
        let rated = climb.rated(draft, 2, Worst::WISHED).expect("a mate in 2");
        let (boards, score) = (rated.position.multiverse().count(), rated.score());
        let without = climb.without_idle_boards(rated);
        assert_eq!((boards, without.position.multiverse().count()), (4, 3));
        assert!(without.draft.history.is_empty() && without.score() >= score);
    }

    #[test]
    fn the_same_seed_leads_to_the_same_puzzle_which_meets_the_wishes() {
        let wishes = Wishes { key: KeyWish::Offer, least_tries: 1, ..Wishes::default() };
        let composed = || (0..40).find_map(|seed| Some((seed, attempt(&wishes, seed, Options::default())?)));
        let (seed, found) = composed().expect("one of forty attempts finds something");
        let position = found.game.end();
        let Solution::Mate(study) = &found.solution else { panic!("no mate") };
        assert!(study.offered(&position).is_some() && study.is_unique());
        assert!(!found.merit.near_tries.is_empty() && study.duals() == 0);
        let again = attempt(&wishes, seed, Options::default()).unwrap();
        assert_eq!((again.solution, again.merit), (found.solution, found.merit));
    }

    #[test]
    fn helpmates_and_selfmates_have_one_solution_in_which_a_piece_travels() {
        for goal in [LineGoal::Helpmate, LineGoal::Selfmate] {
            let wishes = Wishes { least_first_actions: 2, ..Wishes::usual_of(Some(goal), 1) };
            let found = (0..60).find_map(|seed| attempt(&wishes, seed, Options::default()));
            let found = found.unwrap_or_else(|| panic!("one of sixty attempts finds a {goal:?}"));
            let mut prover = Prover::new(Budget::default());
            let again = Line::of(&found.game.end(), goal, 1, &mut prover).expect("the budget suffices");
            let line = again.expect("there is one");
            assert!(line.solutions == 1 && line.travels(), "{line:?}");
            assert_eq!(found.solution, Solution::Line(line));
        }
    }

    #[test]
    fn a_longer_mate_is_looked_for_a_turn_before_a_shorter_one() {
        let wishes = Wishes::usual(3);
        let found = (0..20).find_map(|seed| {
            let mut climb = Climb { wishes: &wishes, options: Options::default(), rng: Rng::with_seed(seed) };
            let mut drafts = climb.drafts(3)?;
            let later = drafts.later.clone().expect("a shorter mate");
            assert!(climb.has_few_keys(&later, 2), "{later:?}");
            let mut drawn = Vec::new();
            while let Some(draft) = drafts.next(&mut climb) {
                assert!(!drawn.contains(&draft), "{draft:?} was drawn twice");
                drawn.push(draft);
            }
            let rated = drawn.into_iter().find_map(|draft| climb.rated(draft, 3, Worst::NONE))?;
            let mut prover = Prover::new(Budget::default());
            assert_eq!(Study::count_keys(&rated.position, 3, &mut prover), Ok(rated.solutions()));
            Some(rated)
        });
        assert!(found.is_some());
    }

    #[test]
    fn a_long_mate_is_found_by_changes_of_a_shorter_one() {
        let wishes = Wishes { kinds: vec![PieceKind::Rook], ..Wishes::usual(LONG) };
        let found = (0..20).find_map(|seed| {
            let mut climb = Climb { wishes: &wishes, options: Options::default(), rng: Rng::with_seed(seed) };
            climb.lengthened(LONG)
        });
        let position = found.expect("one of twenty walks leads to a mate in 4").position().unwrap();
        let mut prover = Prover::new(Budget::default());
        let keys = Study::count_keys(&position, LONG, &mut prover).expect("the budget suffices");
        assert!((1..=MOST_KEYS).contains(&keys), "{keys} keys");
    }

    #[test]
    fn a_lower_score_than_wished_for_is_no_find() {
        let endless = Wishes { least_score: Some(1_000), ..Wishes::default() };
        let found =
            |wishes: &Wishes| (0..10).filter_map(|seed| attempt(wishes, seed, Options::default())).count();
        assert!(found(&Wishes::default()) > 0);
        assert_eq!(found(&endless), 0);
    }
}
