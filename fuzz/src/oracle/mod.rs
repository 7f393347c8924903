//! What must hold. Each oracle panics on a finding and is silent otherwise.
//!
//! An oracle is two functions: `run` turns bytes into a question, and `check` asks it. `check` takes what is under test
//! as an argument, so that the tests can pass something broken and see that it is noticed.

pub mod certificate;
pub mod fen5d_text;
pub mod mate_prover;
pub mod pgn5d_game;
pub mod pgn5d_text;
pub mod play_undo;
pub mod puzzle_yaml;
pub mod rules_twin;

use worldlines::notation::{Excerpt, Location, Span, fen5d};
use worldlines::state::Position;

/// The position as something to paste into a file, with the rules that the file does not hold.
fn shown(position: &Position) -> String {
    let profile = position.profile();
    format!("\n{}under {}, promotion to {}\n", fen5d::write(position), profile.name(), profile.promotions)
}

/// The place of an error or a warning lies in its text and can be shown.
fn assert_has_place(text: &str, span: Span, excerpt: &Excerpt<'_>) {
    assert!(text.get(span.range()).is_some(), "{span:?} is no part of the text of {} bytes", text.len());
    let shown = excerpt.to_string();
    assert!(shown.lines().any(|line| line.contains('^')), "nothing is marked in\n{shown}");
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "a control character in {shown:?}");
    let Location { line, column } = Location::of(text, span.range().start);
    assert!(line >= 1 && line <= text.matches('\n').count() + 1, "line {line} is not in the text");
    let longest = text.split('\n').nth(line - 1).map_or(0, |line| line.chars().count());
    assert!(column >= 1 && column <= longest + 1, "column {column} is not in line {line}");
}

/// Runs an oracle on pseudo-random bytes and returns how many runs it accepted.
#[cfg(test)]
fn smoke(runs: u64, length: usize, oracle: impl Fn(&[u8]) -> arbitrary::Result<()>) -> u64 {
    let mut random = Random::default();
    (0..runs).map(|_| u64::from(oracle(&random.bytes(length)).is_ok())).sum()
}

/// Runs a text oracle on samples with a few random edits.
#[cfg(test)]
fn smoke_text(
    samples: &[&str],
    tokens: &[&str],
    runs: usize,
    oracle: impl Fn(&[u8]) -> arbitrary::Result<()>,
) {
    let mut random = Random::default();
    for run in 0..runs {
        let mut bytes = samples[run % samples.len()].as_bytes().to_vec();
        for _ in 0..random.below(4) {
            let start = random.below(bytes.len() + 1);
            let end = (start + random.below(8)).min(bytes.len());
            let token = tokens[random.below(tokens.len())];
            bytes.splice(start..end, token.bytes());
        }
        oracle(&bytes).expect("every text is an input");
    }
}

/// Whether something panics, as an oracle does on a finding.
#[cfg(test)]
fn flags<T>(check: impl FnOnce() -> T) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err()
}

/// Numbers that look random and are the same in every run (xorshift64).
#[cfg(test)]
struct Random(u64);

#[cfg(test)]
impl Default for Random {
    fn default() -> Random {
        Random(0x2545_f491_4f6c_dd1d)
    }
}

#[cfg(test)]
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 32
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}
