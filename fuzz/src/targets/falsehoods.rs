//! Every kind of false claim of a puzzle is refused, by the step that checks it.
//!
//! The naive rules, which try everything, say that the claims are false. The positions include some that no
//! game reaches.

use std::collections::BTreeSet;

use arbitrary::{Error, Result, Unstructured};
use worldlines::generate::{mating_position, near_duplicates, small_position, spare_board};
use worldlines::notation::pgn5d::action_text;
use worldlines::puzzle::{Answer, Options, Report, Step, load, verify};
use worldlines::search::after_null_action;
use worldlines::slow::SlowState;
use worldlines::state::Position;
use worldlines::types::{Action, Status};

use super::mate_prover::{LEGAL, PATIENCE, key_classes, legal};
use super::{Case, noted, puzzle_about, small_position_of, twin_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 150);

/// The search steps of one puzzle: far beyond what such puzzles need.
const STEPS: u64 = 300_000;

/// The longest mate that is claimed.
const LONGEST: u32 = 3;

/// A puzzle with a false claim.
struct Falsehood {
    kind: &'static str,
    text: String,
    /// The steps, one of which must refuse it.
    refused_by: &'static [Step],
}

impl Case for Falsehood {
    fn shown(&self) -> String {
        format!("# {}\n{}", self.kind, self.text)
    }
}

fn run(bytes: &[u8]) -> Result<()> {
    let case = noted(case(bytes)?)?;
    check(&case, verified).map(drop)
}

fn case(bytes: &[u8]) -> Result<Falsehood> {
    let position = small_position_of(bytes, |u| match u.int_in_range(0..=5)? {
        0 => small_position(u, 3),
        1 => near_duplicates(u),
        2 => spare_board(u),
        _ => mating_position(u),
    })?;
    // The choices about the claim come from the end of the bytes, so that the position stays the same.
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    let mut u = Unstructured::new(&reversed);
    let facts = Facts::of(position).ok_or(Error::IncorrectFormat)?;
    let first = u.choose_index(KINDS.len())?;
    let kinds = KINDS[first..].iter().chain(&KINDS[..first]);
    let made = kinds.filter_map(|kind| kind.make(&facts, &mut u)).next();
    made.ok_or(Error::IncorrectFormat)
}

/// Everything that the naive rules find out about a position.
struct Facts {
    position: Position,
    twin: SlowState,
    all: BTreeSet<Action>,
    /// The length of the shortest mate, with the actions that force it. Without a mate, the longest length
    /// that was searched.
    n: u32,
    mating: BTreeSet<Action>,
    classes: Vec<BTreeSet<Action>>,
}

impl Facts {
    /// The facts; `None` if the twin gives up.
    fn of(position: Position) -> Option<Facts> {
        let twin = twin_of(&position);
        let all = legal(&twin)?;
        let (mut n, mut mating) = (1, twin.mating_actions(1, &mut PATIENCE.clone())?);
        while mating.is_empty() && n < LONGEST {
            let Some(longer) = twin.mating_actions(n + 1, &mut PATIENCE.clone()) else { break };
            (n, mating) = (n + 1, longer);
        }
        let classes = key_classes(&twin, &mating)?;
        Some(Facts { position, twin, all, n, mating, classes })
    }

    fn is_mate(&self) -> bool {
        !self.mating.is_empty()
    }

    /// A legal action that does not mate in time.
    fn wrong(&self, u: &mut Unstructured<'_>) -> Option<&Action> {
        let wrong: Vec<&Action> = self.all.iter().filter(|action| !self.mating.contains(*action)).collect();
        u.choose(&wrong).ok().copied()
    }

    /// The first key of each class.
    fn keys(&self) -> impl Iterator<Item = &Action> {
        self.classes.iter().filter_map(|class| class.first())
    }

    /// A true line from a key to the mate.
    fn line(&self, key: &Action) -> Option<Vec<Action>> {
        let mut at = played(&self.twin, key);
        let mut line = vec![key.clone()];
        for left in (1..self.n).rev() {
            let Some(defence) = legal(&at)?.into_iter().next() else { break };
            at.play(&defence);
            let answer = at.mating_actions(left, &mut PATIENCE.clone())?.into_iter().next()?;
            at.play(&answer);
            line.extend([defence, answer]);
        }
        Some(line)
    }

    /// The true lines of all keys, as fields of a puzzle with a mate in `n`.
    fn solved(&self, n: u32, u: &mut Unstructured<'_>) -> Option<String> {
        if !self.is_mate() {
            return None;
        }
        let lines = self.keys().map(|key| self.line(key)).collect::<Option<Vec<_>>>()?;
        let unique =
            if u.ratio(1, 2).ok()? { format!("unique: {}\n", lines.len() == 1) } else { String::new() };
        Some(format!("goal: {{ mate-in: {n} }}\n{}{unique}", self.lines(&lines)))
    }

    fn lines(&self, lines: &[Vec<Action>]) -> String {
        let written = lines.iter().map(|line| format!("  - {}\n", self.list(line)));
        format!("solutions:\n{}", written.collect::<String>())
    }

    /// Actions that follow each other from the start, as a YAML list. It ends before the first that cannot be
    /// played.
    fn list(&self, line: &[Action]) -> String {
        let mut at = self.position.clone();
        let mut words = Vec::new();
        for action in line {
            words.push(format!("\"{}\"", action_text(&at, action)));
            if at.play(action).is_err() {
                break;
            }
        }
        format!("[{}]", words.join(", "))
    }

    fn said(&self, action: &Action) -> String {
        action_text(&self.position, action)
    }

    /// The text of an action after some others.
    fn said_after(&self, line: &[Action], action: &Action) -> String {
        let mut at = self.position.clone();
        line.iter().for_each(|played| drop(at.play(played)));
        action_text(&at, action)
    }
}

fn played(twin: &SlowState, action: &Action) -> SlowState {
    let mut after = twin.clone();
    after.play(action);
    after
}

/// A kind of false claim.
struct Kind {
    name: &'static str,
    refused_by: &'static [Step],
    /// The claim as fields of a puzzle; `None` if the position does not suit it.
    fields: fn(&Facts, &mut Unstructured<'_>) -> Option<String>,
}

impl Kind {
    fn make(&self, facts: &Facts, u: &mut Unstructured<'_>) -> Option<Falsehood> {
        let fields = (self.fields)(facts, u)?;
        let text = puzzle_about(&facts.position, "false") + &fields;
        Some(Falsehood { kind: self.name, text, refused_by: self.refused_by })
    }
}

const fn kind(
    name: &'static str,
    refused_by: &'static [Step],
    fields: fn(&Facts, &mut Unstructured<'_>) -> Option<String>,
) -> Kind {
    Kind { name, refused_by, fields }
}

const GOAL: &[Step] = &[Step::GoalProven];
const TRIES: &[Step] = &[Step::TableComplete, Step::TriesRefuted];
const REPLIES: &[Step] = &[Step::RepliesComplete];

static KINDS: [Kind; 29] = [
    kind("a mate where there is none", GOAL, |facts, u| {
        let wrong = facts.wrong(u).filter(|_| !facts.is_mate())?;
        let line = facts.list(std::slice::from_ref(wrong));
        Some(format!("goal: {{ mate-in: {} }}\nsolutions:\n  - {line}\n", facts.n))
    }),
    kind("a mate sooner than there is one", GOAL, |facts, _| {
        let key = facts.keys().next().filter(|_| facts.n > 1)?;
        let line = facts.list(std::slice::from_ref(key));
        Some(format!("goal: {{ mate-in: {} }}\nsolutions:\n  - {line}\n", facts.n - 1))
    }),
    kind("a mate later than the shortest", &[Step::Shortest, Step::GoalProven], |facts, u| {
        facts.solved(facts.n + 1, u)
    }),
    kind("a key that does not mate", GOAL, |facts, u| {
        let wrong = facts.wrong(u).filter(|_| facts.is_mate())?.clone();
        let mut lines = facts.keys().map(|key| facts.line(key)).collect::<Option<Vec<_>>>()?;
        lines.push(vec![wrong]);
        Some(format!("goal: {{ mate-in: {} }}\n{}", facts.n, facts.lines(&lines)))
    }),
    kind("a key with a move too many", GOAL, |facts, _| {
        let mut keys = facts.classes.iter().flatten();
        let is_key = |action: &&Action| facts.classes.iter().any(|class| class.contains(*action));
        let more =
            facts.mating.iter().find(|action| !is_key(action) && keys.any(|key| action.contains(key)))?;
        let mut lines = facts.keys().map(|key| facts.line(key)).collect::<Option<Vec<_>>>()?;
        lines.push(facts.line(more)?);
        Some(format!("goal: {{ mate-in: {} }}\n{}", facts.n, facts.lines(&lines)))
    }),
    kind("a solution that is not listed", &[Step::EveryKeyListed], |facts, _| {
        let mut lines = facts.keys().map(|key| facts.line(key)).collect::<Option<Vec<_>>>()?;
        lines.pop().filter(|_| !lines.is_empty())?;
        Some(format!("goal: {{ mate-in: {} }}\n{}", facts.n, facts.lines(&lines)))
    }),
    kind("a wrong word about uniqueness", &[Step::EveryKeyListed], |facts, _| {
        let lines = facts.keys().map(|key| facts.line(key)).collect::<Option<Vec<_>>>()?;
        let unique = lines.len() != 1;
        facts
            .is_mate()
            .then(|| format!("goal: {{ mate-in: {} }}\n{}unique: {unique}\n", facts.n, facts.lines(&lines)))
    }),
    kind("a line that does not end in mate", GOAL, |facts, _| {
        let mut line = facts.line(facts.keys().next()?)?;
        line.truncate(line.len().checked_sub(2).filter(|left| *left > 0)?);
        Some(format!("goal: {{ mate-in: {} }}\n{}", facts.n, facts.lines(&[line])))
    }),
    kind("a line with an illegal action", &[Step::LinesLegal], |facts, _| {
        let key = facts.keys().next().filter(|_| facts.n > 1)?;
        let twice = facts.said(key);
        Some(format!(
            "goal: {{ mate-in: {} }}\nsolutions:\n  - [\"{twice}\", \"{twice}\", \"{twice}\"]\n",
            facts.n
        ))
    }),
    kind("a try that mates", TRIES, |facts, u| {
        let key = facts.keys().next()?;
        let reply = facts.all.iter().next()?;
        let solved = facts.solved(facts.n, u)?;
        Some(format!(
            "{solved}tries:\n  scope: plausible\n  rows:\n    \"{}\": \"{}\"\n",
            facts.said(key),
            facts.said_after(std::slice::from_ref(key), reply)
        ))
    }),
    kind("a reply that does not refute", TRIES, |facts, u| {
        let solved = facts.solved(facts.n, u).filter(|_| facts.n > 1)?;
        let (wrong, reply) =
            facts.all.iter().filter(|action| !facts.mating.contains(*action)).find_map(|wrong| {
                let after = played(&facts.twin, wrong);
                let fails =
                    |reply: &Action| played(&after, reply).has_mate(facts.n - 1, &mut PATIENCE.clone());
                Some((wrong, legal(&after)?.into_iter().find(|reply| fails(reply) == Some(true))?))
            })?;
        Some(row(
            facts,
            solved,
            wrong,
            &format!("\"{}\"", facts.said_after(std::slice::from_ref(wrong), &reply)),
        ))
    }),
    kind("stalemate where there is none", TRIES, |facts, u| {
        let solved = facts.solved(facts.n, u)?;
        let moves_on = |wrong: &&Action| {
            let after = played(&facts.twin, wrong);
            !facts.mating.contains(*wrong) && legal(&after).is_some_and(|replies| !replies.is_empty())
        };
        Some(row(facts, solved, facts.all.iter().find(moves_on)?, "stalemate"))
    }),
    kind("a number of refutations that is wrong", TRIES, |facts, u| {
        let solved = facts.solved(facts.n, u)?;
        let wrong = facts.wrong(u)?;
        let after = played(&facts.twin, wrong);
        let refutes = |reply: &Action| {
            Some(facts.n == 1 || !played(&after, reply).has_mate(facts.n - 1, &mut PATIENCE.clone())?)
        };
        let mut refuting = Vec::new();
        for reply in legal(&after)? {
            if refutes(&reply)? {
                refuting.push(reply);
            }
        }
        let reply = facts.said_after(std::slice::from_ref(wrong), refuting.first()?);
        let said = format!("{{ reply: \"{reply}\", refutations: {} }}", refuting.len() + 1);
        Some(row(facts, solved, wrong, &said))
    }),
    kind("a table of all that lacks a row", &[Step::TableComplete], |facts, u| {
        let solved = facts.solved(facts.n, u)?;
        facts.wrong(u)?;
        Some(format!("{solved}tries:\n  scope: all\n  rows: {{}}\n"))
    }),
    kind("replies to everything else that do not refute all", TRIES, |facts, u| {
        let solved = facts.solved(facts.n, u)?;
        // The claim says that every wrong action stalemates, but one of them leaves a reply.
        let wrong = facts.wrong(u)?;
        legal(&played(&facts.twin, wrong))?.first()?;
        Some(format!("{solved}tries:\n  scope: all\n  rows: {{}}\n  otherwise: [stalemate]\n"))
    }),
    kind("an answer that does not mate", REPLIES, |facts, u| {
        let SecondTurn { solved, key, defence, answers, after } = SecondTurn::of(facts, u)?;
        let wrong = legal(&after)?.into_iter().find(|action| !answers.contains(action))?;
        let line = [key.clone(), defence];
        Some(format!(
            "{solved}replies:\n  - {{ key: \"{}\", otherwise: true, answer: \"{}\" }}\n",
            facts.said(&key),
            facts.said_after(&line, &wrong)
        ))
    }),
    kind("a defence without a row", REPLIES, |facts, u| {
        let SecondTurn { solved, key, defence, answers, .. } = SecondTurn::of(facts, u)?;
        if legal(&played(&facts.twin, &key))?.len() < 2 {
            return None;
        }
        let line = [key.clone(), defence.clone()];
        let (said, answer) =
            (facts.said_after(&line[..1], &defence), facts.said_after(&line, answers.first()?));
        Some(format!(
            "{solved}replies:\n  - {{ key: \"{}\", if: \"{said}\", answer: \"{answer}\" }}\n",
            facts.said(&key)
        ))
    }),
    kind("a dual that is denied", &[Step::DualsListed], |facts, u| {
        let SecondTurn { solved, key, .. } = SecondTurn::of(facts, u).filter(|_| facts.n == 2)?;
        let after = played(&facts.twin, &key);
        let has_dual = |defence: &Action| {
            let at = played(&after, defence);
            let mating = at.mating_actions(1, &mut PATIENCE.clone())?;
            Some(key_classes(&at, &mating)?.len() > 1)
        };
        let defences = legal(&after)?;
        defences
            .iter()
            .any(|defence| has_dual(defence) == Some(true))
            .then(|| format!("{solved}duals: none\n"))
    }),
    kind("a dual that there is not", &[Step::DualsListed], |facts, u| {
        let SecondTurn { solved, key, defence, answers, after } =
            SecondTurn::of(facts, u).filter(|_| facts.n == 2)?;
        let classes = key_classes(&after, &answers)?;
        let wrong = legal(&after)?.into_iter().find(|action| !answers.contains(action))?;
        let line = [key, defence];
        let said = |action: &Action| format!("\"{}\"", facts.said_after(&line, action));
        (classes.len() == 1).then(|| {
            let (one, other) = (said(answers.first().expect("an answer")), said(&wrong));
            format!("{solved}duals:\n  - {{ after: {}, answers: [{one}, {other}] }}\n", facts.list(&line))
        })
    }),
    kind("set play that does not mate", &[Step::SetPlayHolds], |facts, u| {
        let solved = facts.solved(facts.n, u).filter(|_| facts.n == 2)?;
        let passed = after_null_action(&facts.position)?;
        let twin = twin_of(&passed);
        let defence = legal(&twin)?.into_iter().next()?;
        let at = played(&twin, &defence);
        let answers = at.mating_actions(1, &mut PATIENCE.clone())?;
        let wrong = legal(&at)?.into_iter().find(|action| !answers.contains(action))?;
        let mut replied = passed.clone();
        replied.play(&defence).ok()?;
        Some(format!(
            "{solved}set-play:\n  - [\"{}\", \"{}\"]\n",
            action_text(&passed, &defence),
            action_text(&replied, &wrong)
        ))
    }),
    kind("no mate where there is one", GOAL, |facts, _| {
        facts.is_mate().then(|| format!("goal: {{ no-mate-in: {} }}\n", facts.n))
    }),
    kind("a defence that loses", GOAL, |facts, _| {
        let (losing, _) = defences(facts)?;
        Some(format!("goal: {{ survive: 1 }}\nsolutions:\n  - {}\n", facts.list(&[losing.first()?.clone()])))
    }),
    kind("an only defence of several", GOAL, |facts, _| {
        let (_, surviving) = defences(facts)?;
        let one = surviving.first().filter(|_| surviving.len() > 1)?;
        Some(format!(
            "goal: {{ only-defence: 1 }}\nsolutions:\n  - {}\n",
            facts.list(std::slice::from_ref(one))
        ))
    }),
    kind("an only defence that is not the one", GOAL, |facts, _| {
        let (losing, _) = defences(facts)?;
        Some(format!(
            "goal: {{ only-defence: 1 }}\nsolutions:\n  - {}\n",
            facts.list(&[losing.first()?.clone()])
        ))
    }),
    kind("a helpmate that is none", GOAL, |facts, u| {
        let first = u.choose(&facts.all.iter().collect::<Vec<_>>()).ok().copied()?.clone();
        let after = played(&facts.twin, &first);
        let second = legal(&after)?.into_iter().find(|action| {
            let end = played(&after, action);
            end.status(LEGAL).is_some_and(|status| status != Status::Checkmate)
        })?;
        Some(format!("goal: {{ helpmate-in: 1 }}\n{}", facts.lines(&[vec![first, second]])))
    }),
    kind("a helpmate that is not listed", &[Step::EveryKeyListed], |facts, _| {
        let mut lines = Vec::from_iter(facts.twin.helpmates(2, &mut PATIENCE.clone())?);
        lines.retain(|line| line.len() == 2);
        let contained = |line: &&Vec<Action>| {
            lines
                .iter()
                .filter(|other| *other != *line)
                .all(|other| !line.iter().zip(other).all(|(action, part)| action.contains(part)))
        };
        let smallest: Vec<Vec<Action>> = lines.iter().filter(contained).cloned().collect();
        let listed = smallest.split_first().filter(|(_, rest)| !rest.is_empty())?.1;
        Some(format!("goal: {{ helpmate-in: 1 }}\n{}", facts.lines(listed)))
    }),
    kind("a selfmate that is none", GOAL, |facts, u| {
        let forcing = facts.twin.selfmating_actions(1, &mut PATIENCE.clone())?;
        let wrong = facts.all.iter().find(|action| !forcing.contains(*action))?;
        let reply = legal(&played(&facts.twin, wrong))?.into_iter().next()?;
        let _ = u;
        Some(format!("goal: {{ selfmate-in: 1 }}\n{}", facts.lines(&[vec![wrong.clone(), reply]])))
    }),
    kind("another status than the position has", GOAL, |facts, u| {
        let status = facts.twin.status(LEGAL)?;
        let words = [Status::Ongoing, Status::Softmate, Status::Stalemate, Status::Checkmate];
        let others: Vec<Status> = words.into_iter().filter(|other| *other != status).collect();
        Some(format!("goal: {{ status: {} }}\n", u.choose(&others).ok()?))
    }),
    kind("a twin of which the claim is not true", &[Step::LinesLegal], |facts, u| {
        let solved = facts.solved(facts.n, u)?;
        // Without the piece that moves in the key, this key does not exist.
        let key = facts.keys().next()?;
        let from = key.moves().first()?.from;
        let label = facts.said(key);
        let board = label.split(')').next()?;
        (key.moves().len() == 1 && facts.classes.len() == 1).then(|| {
            format!("{solved}twins:\n  - id: b\n    change: [{{ remove: \"{board}){}\" }}]\n    solutions:\n      - {}\n", from.square, facts.list(std::slice::from_ref(key)))
        })
    }),
];

/// The fields with a table of one row.
fn row(facts: &Facts, solved: String, action: &Action, reply: &str) -> String {
    format!("{solved}tries:\n  scope: plausible\n  rows:\n    \"{}\": {reply}\n", facts.said(action))
}

/// The turn after the key, in a longer mate with only one key.
struct SecondTurn {
    /// The fields of the true solution.
    solved: String,
    key: Action,
    defence: Action,
    /// The actions that mate in time after the defence.
    answers: BTreeSet<Action>,
    /// The state before them.
    after: SlowState,
}

impl SecondTurn {
    fn of(facts: &Facts, u: &mut Unstructured<'_>) -> Option<SecondTurn> {
        let key = facts.keys().next().filter(|_| facts.n > 1 && facts.classes.len() == 1)?.clone();
        let solved = facts.solved(facts.n, u)?;
        let defence = legal(&played(&facts.twin, &key))?.into_iter().next()?;
        let after = played(&played(&facts.twin, &key), &defence);
        let answers = after.mating_actions(facts.n - 1, &mut PATIENCE.clone())?;
        Some(SecondTurn { solved, key, defence, answers, after })
    }
}

/// The actions after which the opponent mates at once, and the other actions.
fn defences(facts: &Facts) -> Option<(Vec<Action>, Vec<Action>)> {
    let (mut losing, mut surviving) = (Vec::new(), Vec::new());
    for action in &facts.all {
        let mated = played(&facts.twin, action).has_mate(1, &mut PATIENCE.clone())?;
        if mated { &mut losing } else { &mut surviving }.push(action.clone());
    }
    Some((losing, surviving))
}

/// The answer, the failed steps, a bug, and the report.
type Said = (Answer, Vec<Step>, Option<String>, String);

/// The worst result of verifying the documents of the text.
fn verified(text: &str) -> Said {
    let documents = load("false.yaml", text.as_bytes());
    let options = Options { max_steps: Some(STEPS), ..Options::default() };
    let reports: Vec<Report<'_>> = documents.iter().map(|document| verify(document, options)).collect();
    let failed = |report: &Report<'_>| {
        report
            .steps
            .iter()
            .filter(|(_, answer, _)| *answer == Answer::Fail)
            .map(|(step, ..)| *step)
            .collect::<Vec<_>>()
    };
    let said = reports.iter().map(|report| report.steps_text() + &report.findings_text()).collect();
    let answer = reports.iter().map(Report::answer).max().unwrap_or(Answer::Skipped);
    let bug = reports.iter().find_map(|report| report.bug().map(str::to_owned));
    (answer, reports.iter().flat_map(failed).collect(), bug, said)
}

/// Checks that the falsehood is refused by the right step.
fn check(case: &Falsehood, verified: fn(&str) -> Said) -> Result<&'static str> {
    let (answer, failed, bug, said) = verified(&case.text);
    let context = || format!("{said}\n{}", case.shown());
    assert_eq!(bug, None, "{}", context());
    match answer {
        Answer::Pass | Answer::Skipped => panic!("a falsehood passes: {}", context()),
        Answer::Undecided => Err(Error::IncorrectFormat),
        Answer::Fail => {
            let is_seen = failed.iter().any(|step| case.refused_by.contains(step));
            assert!(is_seen, "another step refuses it, {failed:?}: {}", context());
            Ok(case.kind)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::targets::{Random, flags};

    fn cases(count: usize) -> impl Iterator<Item = Falsehood> {
        let mut random = Random::default();
        (0..count).filter_map(move |_| case(&random.bytes(160)).ok())
    }

    #[test]
    fn many_kinds_of_falsehood_are_refused_by_the_step_that_asks() {
        let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
        for case in cases(1_200) {
            if let Ok(kind) = check(&case, verified) {
                *refused.entry(kind).or_default() += 1;
            }
        }
        let unmet: Vec<&str> =
            KINDS.iter().map(|kind| kind.name).filter(|name| !refused.contains_key(name)).collect();
        assert!(refused.len() >= 20, "{refused:?}, not met: {unmet:?}");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let case = cases(100).next().expect("a case");
        assert!(flags(|| check(&case, |_| (Answer::Pass, Vec::new(), None, String::new()))));
        assert!(flags(|| check(&case, |_| (Answer::Fail, vec![Step::WellFormed], None, String::new()))));
        let contradicts =
            |_: &str| (Answer::Fail, vec![Step::GoalProven], Some(String::new()), String::new());
        assert!(flags(|| check(&case, contradicts)));
    }
}
