//! Evidence of *no mate* is never false, and there is always some where it is true.
//!
//! The twin tries everything. Whatever replies a table holds, and whatever keys are set aside, no mate may be denied.

use std::collections::BTreeSet;

use arbitrary::{Error, Result, Unstructured};
use worldlines::generate::{authored_position, mating_position, quiet_mate};
use worldlines::search::certificate::{
    Adviser, Denial, Looks, RefutationTable, deny, mates_in_one, standing,
};
use worldlines::search::{Budget, Prover};
use worldlines::state::Position;
use worldlines::types::Action;

use super::mate_prover::PATIENCE;
use super::{Case, noted, shown, small_position_of, twin_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 300);

/// The budget of the prover and the looks of the checker.
const NODES: u64 = 20_000;
const LOOKS: u64 = 1_000_000;

/// A question, with replies that may show the answer.
struct Question {
    position: Position,
    n: u32,
    /// Of the actions that mate, those with these numbers are set aside. Others do not matter.
    aside: u8,
    replies: Vec<Vec<Action>>,
}

impl Case for Question {
    fn shown(&self) -> String {
        let Question { position, n, aside, replies } = self;
        format!("{}no mate in {n}, {aside:#b} set aside, by {replies:?}", position.shown())
    }
}

fn run(bytes: &[u8]) -> Result<()> {
    let question = noted(case(bytes)?)?;
    judge(&question, deny)
}

fn case(bytes: &[u8]) -> Result<Question> {
    let position = small_position_of(bytes, |u| match u.int_in_range(0..=5)? {
        0 | 1 => mating_position(u),
        2 => quiet_mate(u),
        _ => authored_position(u),
    })?;
    // The other choices come from the end of the bytes, so that the position stays the same.
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    let u = &mut Unstructured::new(&reversed);
    // Three actions take the twin long.
    let n = match u.int_in_range(0..=8)? {
        0 => 3,
        1..=4 => 2,
        _ => 1,
    };
    let aside = u.arbitrary()?;
    let mut replies = Vec::new();
    for _ in 0..n {
        let mut list = Vec::new();
        for _ in 0..u.int_in_range(0..=3)? {
            list.extend(some_reply(u, &position)?);
        }
        replies.push(list);
    }
    Ok(Question { position, n, aside, replies })
}

/// A reply to some action, perhaps two actions later.
fn some_reply(u: &mut Unstructured<'_>, position: &Position) -> Result<Option<Action>> {
    let mut position = position.clone();
    for _ in 0..=2 * u.int_in_range(0..=1)? {
        let legal: Vec<Action> = position.legal_actions().within(NODES).take(60).collect();
        if legal.is_empty() {
            return Ok(None);
        }
        position.play(u.choose(&legal)?).expect("a legal action");
    }
    let legal: Vec<Action> = position.legal_actions().within(NODES).take(60).collect();
    Ok(if legal.is_empty() { None } else { Some(u.choose(&legal)?.clone()) })
}

type Denier = for<'a, 'b, 'c, 'd> fn(
    &'a Position,
    u32,
    &'b [Action],
    &'c mut RefutationTable,
    Option<&'c mut dyn Adviser>,
    &'d Looks<'d>,
) -> Denial;

fn judge(question: &Question, deny: Denier) -> Result<()> {
    let Question { position, n, aside, replies } = question;
    let mating = twin_of(position).mating_actions(*n, &mut PATIENCE.clone()).ok_or(Error::IncorrectFormat)?;
    let chosen = mating.iter().zip(0..8).filter(|(_, bit)| aside >> bit & 1 > 0);
    let keys: Vec<Action> = chosen.map(|(action, _)| action.clone()).collect();
    let is_aside = |action: &&Action| keys.iter().any(|key| action.contains(key));
    let left: BTreeSet<&Action> = mating.iter().filter(|action| !is_aside(action)).collect();
    let context = || format!("{left:?} of {}{}", shown(position), question.shown());
    let looks = Looks::within(LOOKS);
    let denial = deny(position, *n, &keys, &mut RefutationTable::new(replies.clone()), None, &looks);
    assert!(left.is_empty() || !matches!(denial, Denial::Denied), "a mate is denied: {}", context());
    let (mut prover, mut table) = (Prover::new(Budget::steps(NODES)), RefutationTable::default());
    let denial = deny(position, *n, &keys, &mut table, Some(&mut prover), &looks);
    if matches!(denial, Denial::Denied) {
        let alone = deny(position, *n, &keys, &mut table.fresh(), None, &looks);
        assert!(!matches!(alone, Denial::Open(_)), "the replies are not enough: {}", context());
    }
    // Positions that were shown under way must not change the answer for other lengths, or without keys.
    for length in 1..=*n {
        let denial = deny(position, length, &[], &mut table, None, &looks);
        let mates = twin_of(position).mating_actions(length, &mut PATIENCE.clone());
        let is_false = matches!(denial, Denial::Denied) && mates.is_some_and(|mates| !mates.is_empty());
        assert!(!is_false, "what was shown before denies a mate in {length}: {}", context());
    }
    match denial {
        Denial::Denied => assert!(left.is_empty(), "a mate is denied: {}", context()),
        Denial::Open(_) => assert!(!left.is_empty(), "no evidence: {}", context()),
        Denial::Undecided(_) => return Err(Error::IncorrectFormat),
    }
    if *n == 1
        && let Ok(listed) = mates_in_one(position, &mut RefutationTable::default(), &looks)
    {
        assert!(listed.iter().all(|action| mating.contains(action)), "{listed:?}: {}", context());
        let is_listed = |mate: &Action| listed.iter().any(|part| mate.contains(part));
        assert!(mating.iter().all(is_listed), "a mate was not looked at: {}", context());
    }
    if let (Ok(outcome), Ok(standing)) = (position.outcome_within(NODES), standing(position, &looks)) {
        assert_eq!(standing.status(), outcome.status, "{}", context());
        assert_eq!(standing.in_check, outcome.in_check, "{}", context());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::{Random, flags};

    fn questions() -> Vec<Question> {
        let mut random = Random::default();
        std::iter::from_fn(|| Some(case(&random.bytes(160))))
            .filter_map(std::result::Result::ok)
            .take(400)
            .collect()
    }

    /// An action without a reply counts as refuted here.
    fn credulous(
        position: &Position,
        n: u32,
        keys: &[Action],
        table: &mut RefutationTable,
        adviser: Option<&mut dyn Adviser>,
        looks: &Looks<'_>,
    ) -> Denial {
        match deny(position, n, keys, table, adviser, looks) {
            Denial::Open(_) => Denial::Denied,
            denial => denial,
        }
    }

    #[test]
    fn a_denied_mate_is_noticed() {
        let questions = questions();
        let decided = questions.iter().filter(|question| judge(question, deny).is_ok()).count();
        assert!(decided > questions.len() / 2, "only {decided} were decided");
        assert!(questions.iter().any(|question| flags(|| judge(question, credulous))));
    }
}
