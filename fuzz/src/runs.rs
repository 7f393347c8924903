//! Runs of many inputs, without a fuzzer.

use std::time::{Duration, Instant};

use crate::Target;
use crate::finding::watched;
use crate::random::Random;
use crate::seeds::{Repository, Seed, Source, seeds};

/// Inputs for a target, the same in every run of a series: for a target of text seeds with edits, otherwise
/// pseudo-random bytes.
pub struct Inputs {
    random: Random,
    seeds: Vec<Seed>,
    tokens: Vec<Vec<u8>>,
}

impl Inputs {
    /// Inputs made from the seeds in the repository.
    pub fn with_seeds(target: &Target, repository: &Repository) -> Inputs {
        let mut inputs = Inputs::from_nothing();
        if let Some(dictionary) = target.dictionary {
            inputs.seeds = seeds(target, repository);
            inputs.tokens = repository.dictionary(dictionary);
        }
        inputs
    }

    /// Inputs without seeds, as a fuzzer with an empty corpus makes them.
    pub fn from_nothing() -> Inputs {
        Inputs { random: Random::default(), seeds: Vec::new(), tokens: Vec::new() }
    }

    /// The inputs of another series; each `number` gives different ones.
    pub fn of_series(self, number: u32) -> Inputs {
        Inputs { random: Random::series(number), ..self }
    }
}

impl Iterator for Inputs {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let Inputs { random, seeds, tokens } = self;
        Some(if seeds.is_empty() {
            let length = [40, 120, 400, 700][random.below(4)];
            random.bytes(length)
        } else {
            let seed = &seeds[random.below(seeds.len())].bytes;
            random.spoilt(seed, tokens)
        })
    }
}

/// Runs the seeds, and as many inputs as the target asks for.
///
/// # Panics
///
/// On a finding, and when fewer than four fifths of the inputs are accepted.
pub fn smoke(target: &'static Target, repository: &Repository) {
    let own = seeds(target, repository);
    let every = match target.seeds {
        // Games are seeds only for loading, and some are too large for an answer, so only a part of them
        // runs.
        Source::Games => 7,
        _ => 1,
    };
    for seed in own.iter().step_by(every) {
        let accepted = watched(target, &seed.bytes).is_ok();
        assert!(accepted || target.dictionary.is_none(), "{}: {} is no input", target.name, seed.name);
    }
    let inputs = Inputs::with_seeds(target, repository).take(target.smoke_runs as usize);
    let accepted = inputs.filter(|input| watched(target, input).is_ok()).count();
    let runs = target.smoke_runs as usize;
    assert!(accepted * 5 >= runs * 4, "{}: only {accepted} of {runs} inputs are accepted", target.name);
}

/// The measurement of a target.
pub struct Measured {
    /// The number of runs.
    pub runs: u64,
    /// The number of inputs that were accepted.
    pub accepted: u64,
    /// The time they took, without that in which they were made.
    pub time: Duration,
}

impl Measured {
    /// Runs per second.
    pub fn speed(&self) -> f64 {
        self.runs as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// The share of inputs that were refused, in percent.
    pub fn refused(&self) -> f64 {
        100.0 - 100.0 * self.accepted as f64 / (self.runs as f64).max(1.0)
    }
}

/// Runs a target on these inputs until the time is over, by the clock: making the inputs takes some of it.
///
/// # Panics
///
/// On a finding.
pub fn measure(target: &'static Target, mut inputs: Inputs, limit: Duration) -> Measured {
    let mut measured = Measured { runs: 0, accepted: 0, time: Duration::ZERO };
    let begun = Instant::now();
    while begun.elapsed() < limit {
        let Some(input) = inputs.next() else { break };
        let start = Instant::now();
        measured.accepted += u64::from(watched(target, &input).is_ok());
        measured.time += start.elapsed();
        measured.runs += 1;
    }
    measured
}
