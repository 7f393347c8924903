//! Helpmates and selfmates agree with the naive twin, which tries everything, on small positions.

use std::collections::BTreeSet;

use arbitrary::Result;
use worldlines::generate::mating_position;
use worldlines::search::certificate::{self, Looks, RefutationTable};
use worldlines::search::{Budget, Helpmates, KeyClass, Prover, Selfmates, Verdict};
use worldlines::slow::Patience;
use worldlines::state::Position;
use worldlines::types::Action;

use super::{noted, shown, small_position_of, twin_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 150);

/// The limit of the twin for one question.
const PATIENCE: Patience = Patience(8_000);
/// The search steps: far beyond what such positions need.
const STEPS: u64 = 200_000;
/// The looks of the checker.
const LOOKS: u64 = 1_000_000;
/// The most lines: more than such positions have.
const MOST: usize = 20_000;
/// The longest mate that is tested.
const LONGEST: u32 = 2;

fn run(bytes: &[u8]) -> Result<()> {
    let position = noted(small_position_of(bytes, mating_position)?)?;
    let asked = helpmates(&position, |position, n| prover().helpmates(position, n, MOST)).is_some();
    let asked = asked | selfmates(&position, |position, n| prover().selfmates(position, n, true)).is_some();
    if asked { Ok(()) } else { Err(arbitrary::Error::IncorrectFormat) }
}

fn prover() -> Prover<'static> {
    Prover::new(Budget::steps(STEPS))
}

/// The number of lines; `None` if the twin gives up before the first question is answered.
fn helpmates(position: &Position, search: fn(&Position, u32) -> Helpmates) -> Option<usize> {
    let twin = twin_of(position);
    let mut lines = None;
    for n in 1..=LONGEST {
        let Some(naive) = twin.helpmates(2 * n, &mut PATIENCE.clone()) else { break };
        let found = search(position, n);
        if !found.complete {
            break;
        }
        let holds =
            |line: &[Action], part: &[Action]| line.iter().zip(part).all(|(line, part)| line.contains(part));
        let is_needed = |line: &&Vec<Action>| !naive.iter().any(|part| part != *line && holds(line, part));
        let needed: Vec<&Vec<Action>> = naive.iter().filter(is_needed).collect();
        assert_eq!(found.lines.iter().collect::<Vec<_>>(), needed, "helpmates in {n} of{}", shown(position));
        let (mut table, looks) = (RefutationTable::default(), Looks::within(LOOKS));
        if let Ok(all) = certificate::helpmates(&mut position.clone(), 2 * n as usize, &mut table, &looks) {
            let is_needed = |line: &&Vec<Action>| !all.iter().any(|part| part != *line && holds(line, part));
            let listed: Vec<&Vec<Action>> = all.iter().filter(is_needed).collect();
            assert_eq!(listed, needed, "helpmates in {n}, listed, of{}", shown(position));
        }
        lines = Some(lines.unwrap_or(0) + needed.len());
    }
    lines
}

/// The number of actions that force a selfmate; `None` if the twin gives up before the first question is
/// answered.
fn selfmates(position: &Position, search: fn(&Position, u32) -> Selfmates) -> Option<usize> {
    let twin = twin_of(position);
    let (mut forcing, mut shortest) = (None, None);
    for n in 1..=LONGEST {
        let Some(naive) = twin.selfmating_actions(n, &mut PATIENCE.clone()) else { break };
        let found = search(position, n);
        if !found.complete {
            break;
        }
        let context = || format!("selfmates in {n} of{}", shown(position));
        if !naive.is_empty() {
            shortest = shortest.or(Some(n));
        }
        let verdict = if naive.is_empty() { Verdict::Refuted } else { Verdict::Proven };
        assert_eq!((found.verdict, found.shortest), (verdict, shortest), "{}", context());
        let is_key = |action: &&Action| !naive.iter().any(|part| part != *action && action.contains(part));
        let keys: BTreeSet<&Action> = found.keys.iter().flat_map(KeyClass::keys).collect();
        assert_eq!(keys, naive.iter().filter(is_key).collect(), "{}", context());
        assert_eq!(found.forcing_actions, naive.len() as u64, "{}", context());
        assert_evident(position, n, &keys, naive.is_empty(), &context);
        forcing = Some(forcing.unwrap_or(0) + naive.len());
    }
    forcing
}

/// Checks that there is evidence of selfmates, and that there are no others.
fn assert_evident(
    position: &Position,
    n: u32,
    keys: &BTreeSet<&Action>,
    is_none: bool,
    context: &dyn Fn() -> String,
) {
    let (at, looks, mut adviser) = (&mut position.clone(), Looks::within(LOOKS), prover());
    for key in keys {
        let forces = certificate::forces_selfmate(at, key, n, &mut adviser, &looks);
        assert!(forces != Ok(false), "{key:?} without evidence: {}", context());
    }
    let keys: Vec<Action> = keys.iter().map(|&key| key.clone()).collect();
    let no_other = certificate::has_no_selfmate(at, n, &keys, &mut adviser, &looks);
    assert!(no_other != Ok(false), "no evidence that there is no other: {}", context());
    let none = certificate::has_no_selfmate(at, n, &[], &mut adviser, &looks);
    assert!(none != Ok(!is_none), "{none:?}: {}", context());
}

#[cfg(test)]
mod tests {
    use worldlines::notation::fen5d;

    use super::*;
    use crate::targets::flags;

    fn position(text: &str) -> Position {
        fen5d::parse(text).into_result().expect("a position")
    }

    #[test]
    fn a_line_that_is_missing_is_flagged() {
        let position = position("[4/KR1R/4/1k2:0:1:b]");
        let lines = helpmates(&position, |position, n| prover().helpmates(position, n, MOST));
        assert!(lines.is_some_and(|lines| lines > 0), "{lines:?}");
        assert!(flags(|| helpmates(&position, |position, n| {
            let mut found = prover().helpmates(position, n, MOST);
            found.lines.pop();
            found
        })));
    }

    #[test]
    fn a_key_that_is_missing_is_flagged() {
        let mut position = position("[4/2K1/2B1/ku2:0:1:w]");
        for action in ["(0T1w)c3d3", "(0T1b)a1b2"] {
            position.play(&action.parse().expect("an action")).expect("a legal action");
        }
        let forcing = selfmates(&position, |position, n| prover().selfmates(position, n, true));
        assert!(forcing.is_some_and(|forcing| forcing > 0), "{forcing:?}");
        assert!(flags(|| selfmates(&position, |position, n| Selfmates {
            keys: Vec::new(),
            ..prover().selfmates(position, n, true)
        })));
        assert!(flags(|| selfmates(&position, |position, n| Selfmates {
            verdict: Verdict::Refuted,
            ..prover().selfmates(position, n, true)
        })));
    }
}
