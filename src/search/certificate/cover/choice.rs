//! The choice of steps, one after another, that meet all demands. Begin at [`Cover::next_action`].

use std::ops::Range;

use super::{Cover, Set, has, insert, join, meet, remove, subtract};
use crate::types::{Action, Because};

/// The steps that are chosen, and what may be chosen next.
#[derive(Default)]
pub(super) struct Choice {
    /// The number of new timelines that comes next.
    next_count: usize,
    /// The steps chosen, as a set and in their order.
    pub(super) chosen: Set,
    pub(super) path: Vec<usize>,
    levels: Vec<Level>,
    /// For each level, and the next: the steps that may still be chosen, and those of them that meet its demand.
    sets: Vec<u64>,
    /// The demands and checks of all levels: see [`Level`].
    open: Vec<usize>,
    open_checks: Vec<usize>,
    /// The number of actions that were found, but for those that a later demand forbade at once.
    found: u64,
    /// The number of demands when the last action was found.
    known: Option<usize>,
}

/// The choice of a step that meets a demand.
struct Level {
    /// The demands that are not met yet, and the checks that are possible yet, as parts of the lists of [`Choice`].
    open: Range<usize>,
    open_checks: Range<usize>,
    /// The number of demands that there were, and that were looked at since.
    read: usize,
    seen: usize,
    /// The step that is chosen, and the number of actions that had been found before.
    step: Option<usize>,
    found: u64,
}

/// Adds those items of a part of a list to its end that are to be kept.
fn keep(list: &mut Vec<usize>, part: Range<usize>, is_kept: impl Fn(usize) -> bool) {
    for index in part {
        if is_kept(list[index]) {
            list.push(list[index]);
        }
    }
}

/// The lowest step of a set.
fn first(set: &[u64]) -> Option<usize> {
    let word = set.iter().position(|word| *word != 0)?;
    Some(64 * word + set[word].trailing_zeros() as usize)
}

impl Cover<'_> {
    /// The next action.
    ///
    /// # Errors
    ///
    /// When looks or memory do not suffice.
    pub(in crate::search::certificate) fn next_action(&mut self) -> Result<Option<Action>, Because> {
        // Demands that were added since then forbid that action.
        self.choice.found += u64::from(self.choice.known.take() == Some(self.demands.len()));
        loop {
            let found = if !self.choice.levels.is_empty() {
                self.advance()?
            } else if self.choice.next_count <= self.most_created() {
                self.choice.next_count += 1;
                self.begin(self.choice.next_count - 1)?
            } else {
                return Ok(None);
            };
            if found && !self.choice.path.is_empty() && !self.add_order()? && !self.add_unmet()? {
                self.choice.known = Some(self.demands.len());
                return Ok(Some(self.action()));
            }
        }
    }

    /// Begins to choose the steps of actions that create so many timelines. Says whether none has to be chosen.
    fn begin(&mut self, count: usize) -> Result<bool, Because> {
        self.demand_all(count)?;
        let mut alive = self.set(0..self.steps.len());
        let mut chosen = self.set([]);
        for axis in self.boards.len()..self.made.len() {
            if axis < self.axis_of_created(count) {
                remove(&mut alive, self.alone[axis]);
            } else {
                subtract(&mut alive, &self.on[axis]);
                insert(&mut chosen, self.alone[axis]);
            }
        }
        let checks = self.checks.as_deref().unwrap_or_default();
        self.looks.charge(checks.len() * self.words / 8)?;
        // A check that needs more new timelines is none here.
        let open_checks = (0..checks.len()).filter(|&check| !meet(&checks[check], &chosen)).collect();
        let Choice { next_count, found, .. } = self.choice;
        let sets = alive.into_vec();
        self.choice = Choice { next_count, found, chosen, sets, open_checks, ..Choice::default() };
        self.enter()
    }

    /// Chooses the next step of the last level, and says whether that makes an action. If none is left, the level above goes on.
    fn advance(&mut self) -> Result<bool, Because> {
        let mut level = self.choice.levels.pop().expect("a level");
        let start = 2 * self.words * self.choice.levels.len();
        if let Some(step) = level.step.take() {
            self.choice.path.pop();
            remove(&mut self.choice.chosen, step);
            if level.found == self.choice.found {
                let worse = self.no_better_than(step, &level)?;
                let (alive, choices) = self.choice.sets[start..].split_at_mut(self.words);
                subtract(alive, &worse);
                subtract(choices, &worse);
            }
        }
        let Some(step) = self.next_step(&mut level, start)? else {
            self.choice.open.truncate(level.open.start);
            self.choice.open_checks.truncate(level.open_checks.start);
            return Ok(false);
        };
        let Choice { chosen, path, levels, sets, open, open_checks, found, .. } = &mut self.choice;
        (level.step, level.found) = (Some(step), *found);
        insert(chosen, step);
        path.push(step);
        open.truncate(level.open.end);
        open_checks.truncate(level.open_checks.end);
        levels.push(level);
        let (alive, choices) = sets[start..].split_at_mut(self.words);
        remove(alive, step);
        remove(choices, step);
        sets.truncate(start + 2 * self.words);
        let [source, arrives] = self.steps[step].axes.map(|axis| &self.on[axis]);
        for word in 0..self.words {
            sets.push(sets[start + word] & !source[word] & !arrives[word]);
        }
        self.enter()
    }

    /// The step to choose next in a level, whose sets start there. None is left if one of the demands that came since cannot be met.
    fn next_step(&self, level: &mut Level, start: usize) -> Result<Option<usize>, Because> {
        let (alive, choices) = self.choice.sets[start..start + 2 * self.words].split_at(self.words);
        let new = &self.demands[std::mem::replace(&mut level.seen, self.demands.len())..];
        self.looks.charge(new.len() * (1 + self.words / 8))?;
        let is_dead = |steps: &Set| !meet(steps, &self.choice.chosen) && !meet(steps, alive);
        Ok(if new.iter().any(|demand| is_dead(&demand.steps)) { None } else { first(choices) })
    }

    /// The steps that lead to nothing in a level, as one of them led to nothing: those that settle its axes too, meet no demand but those that
    /// it meets, and end each check that it ends. A choice with such a step would be one with that step as well.
    fn no_better_than(&self, step: usize, level: &Level) -> Result<Set, Because> {
        let is_met = |demand: &usize| meet(&self.demands[*demand].steps, &self.choice.chosen);
        let came = (level.read..self.demands.len()).filter(|demand| !is_met(demand));
        let open = self.choice.open[level.open.clone()].iter().copied().chain(came);
        let checks = self.choice.open_checks[level.open_checks.clone()].iter();
        let came = self.demands.len() - level.read;
        self.looks.charge(1 + (level.open.len() + came + level.open_checks.len()) * self.words / 8)?;
        let mut better = self.set([]);
        for demand in open.map(|demand| &self.demands[demand].steps).filter(|steps| !has(steps, step)) {
            join(&mut better, demand);
        }
        let [source, arrives] = self.steps[step].axes.map(|axis| &self.on[axis]);
        let mut worse: Set = source.iter().zip(arrives).map(|(source, arrives)| source & arrives).collect();
        subtract(&mut worse, &better);
        let all = self.checks.as_deref().unwrap_or_default();
        for ends in checks.map(|&check| &all[check]).filter(|steps| has(steps, step)) {
            worse.iter_mut().zip(ends).for_each(|(worse, ends)| *worse &= ends);
        }
        Ok(worse)
    }

    /// Begins a level after a step, with the demands that are not met yet. Says whether none is left: then no level begins.
    fn enter(&mut self) -> Result<bool, Because> {
        let (words, demands) = (self.words, &self.demands);
        let checks = self.checks.as_deref().unwrap_or_default();
        let Choice { chosen, path, levels, sets, open, open_checks, .. } = &mut self.choice;
        let (before, checks_before, read) = match levels.last() {
            Some(level) => (level.open.clone(), level.open_checks.clone(), level.read),
            None => (0..0, 0..open_checks.len(), 0),
        };
        let (start, start_checks) = (open.len(), open_checks.len());
        let lacks_last = |steps: &Set| path.last().is_none_or(|&last| !has(steps, last));
        keep(open, before, |demand| lacks_last(&demands[demand].steps));
        open.extend((read..demands.len()).filter(|&demand| !meet(&demands[demand].steps, chosen)));
        keep(open_checks, checks_before, |check| lacks_last(&checks[check]));
        let possible = &open_checks[start_checks..];
        self.looks.charge(4 + (open.len() - start + possible.len()) * words / 4)?;
        let first_alive = sets.len() - words;
        if self.checks.is_some() {
            // A step is of no use that ends all checks which are possible yet.
            for (word, alive) in sets[first_alive..].iter_mut().enumerate() {
                *alive &= !possible.iter().fold(u64::MAX, |all, &check| all & checks[check][word]);
            }
        }
        let choices = |demand: usize| -> u32 {
            let steps = demands[demand].steps.iter().zip(&sets[first_alive..]);
            steps.map(|(steps, alive)| (steps & alive).count_ones()).sum()
        };
        let narrowest = open[start..].iter().map(|&demand| (choices(demand), demand)).min();
        let is_possible = self.checks.is_none() || !possible.is_empty();
        let Some((_, demand)) = narrowest.filter(|(choices, _)| is_possible && *choices > 0) else {
            let is_found = narrowest.is_none() && is_possible;
            open.truncate(start);
            open_checks.truncate(start_checks);
            return Ok(is_found);
        };
        (0..words).for_each(|word| sets.push(demands[demand].steps[word] & sets[first_alive + word]));
        let (open, open_checks) = (start..open.len(), start_checks..open_checks.len());
        let (read, seen) = (demands.len(), demands.len());
        levels.push(Level { open, open_checks, read, seen, step: None, found: 0 });
        Ok(false)
    }

    /// The steps chosen, as an action.
    fn action(&self) -> Action {
        let steps = self.choice.path.iter().map(|&step| &self.steps[step]);
        let mut moves: Vec<_> = steps.filter_map(|step| Some((step.creates, step.made?))).collect();
        moves.sort_unstable();
        Action::new(moves.into_iter().map(|(_, m)| m).collect())
    }
}
