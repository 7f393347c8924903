//! How fast the oracles are, and how many of their inputs they accept.

use std::time::{Duration, Instant};

use crate::oracle::Random;
use crate::seeds::{Repository, seeds};
use crate::{Oracle, seeds};

/// What was measured of an oracle.
pub struct Measured {
    /// Runs in the time that was given.
    pub runs: u64,
    /// How many of them were accepted.
    pub accepted: u64,
    /// The time they took.
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

/// Runs an oracle for so long on inputs as a fuzzer makes them: seeds with edits, and for oracles of choices bytes of every
/// length up to 512.
pub fn measure(oracle: &Oracle, repository: &Repository, limit: Duration) -> Measured {
    let mut random = Random::default();
    let tokens = oracle.dictionary.map(|name| repository.dictionary(name)).unwrap_or_default();
    let texts = if oracle.dictionary.is_some() { seeds(oracle, repository) } else { Vec::new() };
    let mut measured = Measured { runs: 0, accepted: 0, time: Duration::ZERO };
    while measured.time < limit {
        let inputs: Vec<Vec<u8>> = (0..64)
            .map(|_| {
                if texts.is_empty() {
                    let length = random.below(513);
                    return random.bytes(length);
                }
                let seeds::Seed { bytes, .. } = &texts[random.below(texts.len())];
                random.spoilt(bytes, &tokens)
            })
            .collect();
        let start = Instant::now();
        for input in &inputs {
            measured.accepted += u64::from((oracle.run)(input).is_ok());
        }
        measured.time += start.elapsed();
        measured.runs += inputs.len() as u64;
    }
    measured
}
