//! Verifying a puzzle passes only claims that the naive rules, trying everything, confirm.
//!
//! The claims are about goal, lines, keys, tries and replies, in positions with several royal pieces and
//! nearly equal boards. Some were true before they were corrupted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use arbitrary::{Arbitrary, Error, Result, Unstructured};
use worldlines::generate::{edited, mating_position, near_duplicates, small_position};
use worldlines::notation::pgn5d::{action_text, board_text, start_text};
use worldlines::puzzle::certificate::{self, Certificate};
use worldlines::puzzle::{Answer, File, Options, Report, load, verify};
use worldlines::search::certificate::{Looks, certify};
use worldlines::search::{Budget, Class, Prover, Start};
use worldlines::slow::SlowState;
use worldlines::state::Position;
use worldlines::types::{Action, BoardCoordinate, Status};

use super::mate_prover::{LEGAL, PATIENCE, key_classes, legal};
use super::{Case, noted, puzzle_about, small_position_of, twin_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 150);

/// The search steps for verifying: far beyond what such puzzles need.
const NODES: u64 = 300_000;

/// The looks for the certificate of a puzzle.
const LOOKS: u64 = 100_000_000;

/// The longest mate that is claimed.
const LONGEST: u32 = 3;

/// The most legal actions for which a table of all is made.
const MOST_ROWS: usize = 30;

/// A puzzle.
struct Claims {
    position: Position,
    goal: Goal,
    lines: Vec<Vec<Action>>,
    unique: Option<bool>,
    tries: Option<Tries>,
    replies: Vec<Reply>,
    certificate: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    MateIn(u32),
    NoMateIn(u32),
    Status(Status),
}

struct Tries {
    all: bool,
    /// Each action with a reply; `None` means stalemate.
    rows: Vec<(Action, Option<Action>)>,
    classes: Vec<(Class, Action)>,
}

struct Reply {
    key: Action,
    when: When,
    answer: Action,
    /// One of the defences that the row is about. The answer is written for the position after it.
    example: Action,
}

#[derive(Clone, PartialEq, Eq)]
enum When {
    If(Action),
    Class(Class),
    Otherwise,
}

impl Case for Claims {
    fn shown(&self) -> String {
        let certificate = self.certificate.as_deref().unwrap_or("none");
        format!("{}\n# certificate:\n{certificate}", self.yaml())
    }
}

fn run(bytes: &[u8]) -> Result<()> {
    let case = noted(case(bytes)?)?;
    check(&case, verified).map(drop)
}

fn case(bytes: &[u8]) -> Result<Claims> {
    let position = small_position_of(bytes, |u| match u.int_in_range(0..=5)? {
        0 => small_position(u, 3),
        1 => near_duplicates(u),
        2 => {
            let position = mating_position(u)?;
            edited(u, &position)
        }
        _ => mating_position(u),
    })?;
    // The choices about the claims come from the end of the bytes, so that the position stays the same.
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    claims(&mut Unstructured::new(&reversed), position)
}

fn after(position: &Position, action: &Action) -> Position {
    let mut after = position.clone();
    after.play(action).expect("a legal action");
    after
}

fn played(twin: &SlowState, action: &Action) -> SlowState {
    let mut after = twin.clone();
    after.play(action);
    after
}

/// True claims about a position, perhaps corrupted afterwards.
fn claims(u: &mut Unstructured<'_>, position: Position) -> Result<Claims> {
    let too_much = Error::IncorrectFormat;
    let twin = twin_of(&position);
    let all: Vec<Action> = legal(&twin).ok_or(too_much)?.into_iter().collect();
    let most = *u.choose(&[1, 1, 1, 2, 2, 2, LONGEST])?;
    let known = |n| Some((n, twin.mating_actions(n, &mut PATIENCE.clone())?));
    let (n, mating) = (1..=most).rev().find_map(known).ok_or(too_much)?;
    let mut claims = Claims {
        goal: if mating.is_empty() { Goal::NoMateIn(n) } else { Goal::MateIn(n) },
        lines: Vec::new(),
        unique: None,
        tries: None,
        replies: Vec::new(),
        certificate: None,
        position,
    };
    if u.ratio(1, 8)? {
        claims.goal = Goal::Status(twin.status(LEGAL).ok_or(too_much)?);
        return spoilt(u, claims, &all);
    }
    let classes = key_classes(&twin, &mating).ok_or(too_much)?;
    for class in &classes {
        let key = class.first().ok_or(too_much)?.clone();
        claims.lines.push(line(u, &twin, key.clone(), n)?);
        if n == 2 && u.ratio(1, 2)? {
            claims.replies.extend(replies(u, &played(&twin, &key), &key)?);
        }
    }
    if !mating.is_empty() && u.ratio(2, 3)? {
        claims.unique = Some(classes.len() == 1);
    }
    if u.ratio(1, 2)? {
        claims.tries = tries(u, &twin, &all, &mating, n)?;
    }
    if u.ratio(2, 3)? {
        claims = spoilt(u, claims, &all)?;
    }
    if u.ratio(1, 3)? {
        claims.certificate = claims.made_certificate();
    }
    Ok(claims)
}

/// A line that begins with a mating action.
fn line(u: &mut Unstructured<'_>, twin: &SlowState, key: Action, n: u32) -> Result<Vec<Action>> {
    let too_much = Error::IncorrectFormat;
    let mut at = played(twin, &key);
    let mut line = vec![key];
    for left in (1..n).rev() {
        let defences: Vec<Action> = legal(&at).ok_or(too_much)?.into_iter().collect();
        if defences.is_empty() {
            break;
        }
        let defence = u.choose(&defences)?.clone();
        at.play(&defence);
        line.push(defence);
        let answers = at.mating_actions(left, &mut PATIENCE.clone()).ok_or(too_much)?;
        let Some(answer) = answers.into_iter().next() else { break };
        at.play(&answer);
        line.push(answer);
    }
    Ok(line)
}

/// Rows that answer every defence after a key. Some of them are about a class, or about all other defences.
fn replies(u: &mut Unstructured<'_>, twin: &SlowState, key: &Action) -> Result<Vec<Reply>> {
    let too_much = Error::IncorrectFormat;
    let mut groups: BTreeMap<Action, BTreeSet<Action>> = BTreeMap::new();
    for defence in legal(twin).ok_or(too_much)? {
        let answers = played(twin, &defence).mating_actions(1, &mut PATIENCE.clone()).ok_or(too_much)?;
        // An answer that also mates after other defences, if there is one.
        let answer = answers.iter().find(|answer| groups.contains_key(*answer)).or(answers.first());
        let answer = answer.ok_or(too_much)?.clone();
        groups.entry(answer).or_default().insert(defence);
    }
    let mut rows = Vec::new();
    let mut last = None;
    for (answer, defences) in groups {
        let example = defences.first().ok_or(too_much)?.clone();
        let row = |when| Reply { key: key.clone(), when, answer: answer.clone(), example: example.clone() };
        match u.int_in_range(0..=3)? {
            0 if last.is_none() => last = Some(row(When::Otherwise)),
            1 => rows.push(row(When::Class(class_of(u, &defences)?))),
            _ => rows.extend(defences.iter().map(|defence| Reply {
                key: key.clone(),
                when: When::If(defence.clone()),
                answer: answer.clone(),
                example: defence.clone(),
            })),
        }
    }
    rows.extend(last);
    Ok(rows)
}

/// A class that contains these actions, and perhaps others.
fn class_of(u: &mut Unstructured<'_>, members: &BTreeSet<Action>) -> Result<Class> {
    let boards: BTreeSet<BoardCoordinate> =
        members.iter().flat_map(Action::moves).map(|m| m.from.board).collect();
    let mut named = Vec::new();
    for board in boards {
        if named.is_empty() || u.ratio(2, 3)? {
            named.push((board, members.iter().map(|action| Start::of(action, board)).collect()));
        }
    }
    Ok(Class::new(named))
}

fn tries(
    u: &mut Unstructured<'_>,
    twin: &SlowState,
    all: &[Action],
    mating: &BTreeSet<Action>,
    n: u32,
) -> Result<Option<Tries>> {
    let wrong: Vec<&Action> = all.iter().filter(|action| !mating.contains(*action)).collect();
    let scope_all = u.ratio(1, 2)? && wrong.len() <= MOST_ROWS;
    let mut tries = Tries { all: scope_all, rows: Vec::new(), classes: Vec::new() };
    for action in wrong.into_iter().take(MOST_ROWS) {
        if !scope_all && u.ratio(2, 3)? {
            continue;
        }
        let Some(refutation) = refutation(&played(twin, action), n) else { return Ok(None) };
        tries.rows.push((action.clone(), refutation));
    }
    if !scope_all && u.ratio(1, 4)? && tries.rows.len() > 1 {
        // One row for some of them: it has the reply to the first, which may not refute the others.
        let members: BTreeSet<Action> = tries.rows.iter().map(|(action, _)| action.clone()).collect();
        if let (_, Some(reply)) = &tries.rows[0] {
            tries.classes.push((class_of(u, &members)?, reply.clone()));
            tries.rows.clear();
        }
    }
    Ok(Some(tries))
}

/// A reply after which there is no mate in time; `Some(None)` for stalemate; `None` if the twin gives up.
fn refutation(twin: &SlowState, n: u32) -> Option<Option<Action>> {
    for reply in legal(twin)? {
        if n == 1 || !played(twin, &reply).has_mate(n - 1, &mut PATIENCE.clone())? {
            return Some(Some(reply));
        }
    }
    Some(None)
}

/// The claims after one or two changes, which may or may not make them false.
fn spoilt(u: &mut Unstructured<'_>, mut claims: Claims, all: &[Action]) -> Result<Claims> {
    if all.is_empty() {
        return Ok(claims);
    }
    for _ in 0..u.int_in_range(1..=2)? {
        let some = u.choose(all)?.clone();
        match u.int_in_range(0..=13)? {
            0 => {
                claims.goal = match claims.goal {
                    Goal::MateIn(n) => Goal::MateIn(n % LONGEST + 1),
                    Goal::NoMateIn(n) => Goal::NoMateIn(n % LONGEST + 1),
                    Goal::Status(_) => {
                        let words = [Status::Ongoing, Status::Softmate, Status::Stalemate, Status::Checkmate];
                        Goal::Status(*u.choose(&words)?)
                    }
                }
            }
            1 => {
                claims.goal = match claims.goal {
                    Goal::MateIn(n) => Goal::NoMateIn(n),
                    Goal::NoMateIn(n) => Goal::MateIn(n),
                    status => status,
                }
            }
            2 => claims.unique = Some(bool::arbitrary(u)?),
            3 => drop(claims.lines.pop()),
            4 => claims.lines.push(vec![some]),
            5 if !claims.lines.is_empty() => {
                let index = u.choose_index(claims.lines.len())?;
                claims.lines[index][0] = some;
            }
            6 if !claims.lines.is_empty() => {
                let index = u.choose_index(claims.lines.len())?;
                if let Some(last) = claims.lines[index].last_mut() {
                    *last = some;
                }
            }
            7 if !claims.replies.is_empty() => {
                let index = u.choose_index(claims.replies.len())?;
                drop(claims.replies.remove(index));
            }
            8 if claims.replies.len() > 1 => {
                let (one, other) =
                    (u.choose_index(claims.replies.len())?, u.choose_index(claims.replies.len())?);
                claims.replies[one].answer = claims.replies[other].answer.clone();
            }
            9 if !claims.replies.is_empty() => {
                // The row covers more than before: one board fewer is named, or none at all.
                let index = u.choose_index(claims.replies.len())?;
                let row = &mut claims.replies[index];
                row.when = match &row.when {
                    When::Class(class) if class.boards().len() > 1 => {
                        When::Class(Class::new(class.boards()[1..].to_vec()))
                    }
                    _ => When::Otherwise,
                };
            }
            10 => {
                if let Some(tries) = &mut claims.tries
                    && !tries.rows.is_empty()
                {
                    let index = u.choose_index(tries.rows.len())?;
                    drop(tries.rows.remove(index));
                }
            }
            11 => {
                if let Some(tries) = &mut claims.tries
                    && !tries.rows.is_empty()
                {
                    let index = u.choose_index(tries.rows.len())?;
                    tries.rows[index].0 = some;
                }
            }
            12 => {
                if let Some(tries) = &mut claims.tries
                    && tries.rows.len() > 1
                {
                    let one = u.choose_index(tries.rows.len())?;
                    tries.rows[one].1 = tries.rows[u.choose_index(tries.rows.len())?].1.clone();
                }
            }
            13 => {
                if let Some(tries) = &mut claims.tries {
                    tries.all = !tries.all;
                }
            }
            _ => {}
        }
    }
    Ok(claims)
}

impl Claims {
    /// The claims as a file, which may be malformed.
    fn yaml(&self) -> String {
        let position = &self.position;
        let mut text = puzzle_about(position, "hostile");
        let _ = match self.goal {
            Goal::MateIn(n) => writeln!(text, "goal: {{ mate-in: {n} }}"),
            Goal::NoMateIn(n) => writeln!(text, "goal: {{ no-mate-in: {n} }}"),
            Goal::Status(status) => writeln!(text, "goal: {{ status: {status} }}"),
        };
        if !self.lines.is_empty() {
            text += "solutions:\n";
        }
        for line in &self.lines {
            let mut at = position.clone();
            let mut said = Vec::new();
            for action in line {
                said.push(format!("\"{}\"", action_text(&at, action)));
                if at.play(action).is_err() {
                    break;
                }
            }
            let _ = writeln!(text, "  - [{}]", said.join(", "));
        }
        if let Some(unique) = self.unique {
            let _ = writeln!(text, "unique: {unique}");
        }
        if let Some(Tries { all, rows, classes }) = &self.tries {
            let _ = writeln!(text, "tries:\n  scope: {}", if *all { "all" } else { "plausible" });
            text += if rows.is_empty() { "  rows: {}\n" } else { "  rows:\n" };
            for (action, reply) in rows {
                let reply = match reply {
                    Some(reply) => format!("\"{}\"", action_text(&after(position, action), reply)),
                    None => "stalemate".to_owned(),
                };
                let _ = writeln!(text, "    \"{}\": {reply}", action_text(position, action));
            }
            if !classes.is_empty() {
                text += "  classes:\n";
            }
            for (class, reply) in classes {
                let member = self.position.legal_actions().find(|action| class.contains(action));
                let at = member.map_or(position.clone(), |member| after(position, &member));
                let (class, reply) = (class_text(position, class), action_text(&at, reply));
                let _ = writeln!(text, "    - {{ class: {class}, reply: \"{reply}\" }}");
            }
        }
        if !self.replies.is_empty() {
            text += "replies:\n";
        }
        for Reply { key, when, answer, example } in &self.replies {
            let at = after(position, key);
            let when = match when {
                When::If(action) => format!("if: \"{}\"", action_text(&at, action)),
                When::Class(class) => format!("class: {}", class_text(&at, class)),
                When::Otherwise => "otherwise: true".to_owned(),
            };
            let (key, answer) = (action_text(position, key), action_text(&after(&at, example), answer));
            let _ = writeln!(text, "  - {{ key: \"{key}\", {when}, answer: \"{answer}\" }}");
        }
        text
    }

    /// The certificate of the first actions of all lines, if they mate.
    fn made_certificate(&self) -> Option<String> {
        let Goal::MateIn(n) = self.goal else { return None };
        let mut keys: Vec<Action> = Vec::new();
        for line in &self.lines {
            if !keys.contains(&line[0]) {
                keys.push(line[0].clone());
            }
        }
        let mut prover = Prover::new(Budget::steps(NODES));
        let mut answers = |position: &Position, n| prover.mating_answer(position, n).ok().flatten();
        let looks = Looks::within(LOOKS);
        let prove = |key: Action| {
            let node = certify(&after(&self.position, &key), n, &mut answers, &looks).ok()?;
            Some((key, node))
        };
        let keys = keys.into_iter().map(prove).collect::<Option<_>>()?;
        let (puzzle, start) = ("hostile".to_owned(), self.position.clone());
        certificate::write(&Certificate::of_keys(puzzle, start, n, keys)).ok()
    }
}

fn class_text(position: &Position, class: &Class) -> String {
    let boards = class.boards().iter().map(|(board, starts)| {
        let starts = starts.iter().map(|start| match start {
            Start::Pass => "pass".to_owned(),
            Start::Move(m) => format!("\"{}\"", start_text(position, m)),
        });
        format!("\"{}\": [{}]", board_text(position, *board), starts.collect::<Vec<_>>().join(", "))
    });
    format!("{{ {} }}", boards.collect::<Vec<_>>().join(", "))
}

/// Whether all claims are true; `None` if the twin gives up.
fn referee(claims: &Claims) -> Option<bool> {
    let twin = twin_of(&claims.position);
    // Fields that do not suit a goal must be absent.
    let of_mates = !claims.lines.is_empty() || claims.unique.is_some() || !claims.replies.is_empty();
    match claims.goal {
        Goal::MateIn(_) if claims.lines.is_empty() => return Some(false),
        Goal::NoMateIn(_) if of_mates => return Some(false),
        Goal::Status(_) if of_mates || claims.tries.is_some() => return Some(false),
        _ => {}
    }
    let (Goal::MateIn(n) | Goal::NoMateIn(n)) = claims.goal else {
        let Goal::Status(status) = claims.goal else { return None };
        return Some(twin.status(LEGAL)? == status);
    };
    let all = legal(&twin)?;
    let mating = twin.mating_actions(n, &mut PATIENCE.clone())?;
    let classes = key_classes(&twin, &mating)?;
    let keys: BTreeSet<&Action> = classes.iter().flatten().collect();
    if let Goal::NoMateIn(_) = claims.goal {
        return Some(mating.is_empty() && tries_are_true(claims, &twin, &all, &mating, &keys, n)?);
    }
    let sooner = n > 1 && twin.has_mate(n - 1, &mut PATIENCE.clone())?;
    let listed: BTreeSet<&Action> = claims.lines.iter().map(|line| &line[0]).collect();
    let mut truth = !mating.is_empty() && !sooner && listed.iter().all(|key| keys.contains(*key));
    truth &= classes.iter().all(|class| class.iter().any(|key| listed.contains(key)));
    truth &= claims.unique.is_none_or(|unique| unique == (classes.len() == 1));
    let distinct: BTreeSet<&Vec<Action>> = claims.lines.iter().collect();
    truth &= distinct.len() == claims.lines.len();
    for line in &claims.lines {
        truth &= line.len() % 2 == 1 && line.len() < 2 * n as usize;
        let mut at = twin.clone();
        for action in line {
            if !legal(&at)?.contains(action) {
                return Some(false);
            }
            at.play(action);
        }
        truth &= legal(&at)?.is_empty() && at.is_in_check();
    }
    Some(
        truth
            && tries_are_true(claims, &twin, &all, &mating, &keys, n)?
            && replies_are_true(claims, &twin, &listed, n)?,
    )
}

fn tries_are_true(
    claims: &Claims,
    twin: &SlowState,
    all: &BTreeSet<Action>,
    mating: &BTreeSet<Action>,
    keys: &BTreeSet<&Action>,
    n: u32,
) -> Option<bool> {
    let Some(Tries { all: scope_all, rows, classes }) = &claims.tries else { return Some(true) };
    let refutes = |action: &Action, reply: &Option<Action>| -> Option<bool> {
        let after = played(twin, action);
        let replies = legal(&after)?;
        match reply {
            None => Some(replies.is_empty() && !after.is_in_check()),
            Some(reply) if !replies.contains(reply) => Some(false),
            Some(_) if n == 1 => Some(true),
            Some(reply) => Some(!played(&after, reply).has_mate(n - 1, &mut PATIENCE.clone())?),
        }
    };
    let mut covered = BTreeSet::new();
    for (action, reply) in rows {
        let wrong = !all.contains(action) || keys.contains(action) || !covered.insert(action.clone());
        if wrong || !refutes(action, reply)? {
            return Some(false);
        }
    }
    for (class, reply) in classes {
        let members: Vec<&Action> = all.iter().filter(|action| class.contains(action)).collect();
        if members.is_empty() {
            return Some(false);
        }
        for member in members {
            let wrong = keys.contains(member) || !covered.insert(member.clone());
            if wrong || !refutes(member, &Some(reply.clone()))? {
                return Some(false);
            }
        }
    }
    Some(!scope_all || all.iter().all(|action| mating.contains(action) || covered.contains(action)))
}

fn replies_are_true(claims: &Claims, twin: &SlowState, listed: &BTreeSet<&Action>, n: u32) -> Option<bool> {
    if claims.replies.is_empty() {
        return Some(true);
    }
    if n == 1 || claims.replies.iter().any(|row| !listed.contains(&row.key)) {
        return Some(false);
    }
    for &key in listed {
        let rows: Vec<&Reply> = claims.replies.iter().filter(|row| row.key == *key).collect();
        let after_key = played(twin, key);
        let mut used = BTreeSet::new();
        for defence in legal(&after_key)? {
            let mut about = rows.iter().enumerate().filter(|(_, row)| match &row.when {
                When::If(action) => *action == defence,
                When::Class(class) => class.contains(&defence),
                When::Otherwise => false,
            });
            let row = match (about.next(), about.next()) {
                (Some(_), Some(_)) => return Some(false),
                (Some(only), None) => Some(only),
                (None, _) => rows.iter().enumerate().find(|(_, row)| row.when == When::Otherwise),
            };
            let Some((index, row)) = row else { return Some(false) };
            used.insert(index);
            let answered = played(&after_key, &defence);
            if !answered.mating_actions(1, &mut PATIENCE.clone())?.contains(&row.answer) {
                return Some(false);
            }
        }
        let last = |index: usize| index + 1 == rows.len();
        let misplaced =
            rows.iter().enumerate().any(|(index, row)| row.when == When::Otherwise && !last(index));
        if misplaced || used.len() < rows.len() {
            return Some(false);
        }
    }
    Some(true)
}

/// The answer of verifying, a contradiction between two of its opinions, and the report.
fn verified(claims: &Claims) -> (Answer, Option<String>, String) {
    let text = claims.yaml();
    let mut documents = load("hostile.yaml", text.as_bytes());
    let [document] = &mut documents[..] else { panic!("{} documents in\n{text}", documents.len()) };
    if let Some(certificate) = &claims.certificate {
        document.certificate =
            Some(Arc::new(File::new("certificate.yaml".to_owned(), certificate.as_bytes())));
    }
    let options = Options { max_steps: Some(NODES), paranoid: true, ..Options::default() };
    let report: Report<'_> = verify(document, options);
    let said = report.steps_text() + &report.findings_text();
    (report.answer(), report.bug().map(str::to_owned), said)
}

type Verifier = fn(&Claims) -> (Answer, Option<String>, String);

/// The judgement of the referee. Panics unless verifying agrees with it.
fn check(claims: &Claims, verified: Verifier) -> Result<bool> {
    let truth = referee(claims).ok_or(Error::IncorrectFormat)?;
    let (answer, bug, said) = verified(claims);
    let context = || format!("{said}\nby trying everything: {truth}\n{}", claims.shown());
    assert_eq!(bug, None, "{}", context());
    match (answer, truth) {
        (Answer::Pass | Answer::Skipped, true) | (Answer::Fail, false) => Ok(truth),
        (Answer::Pass | Answer::Skipped, false) => panic!("what is false passes: {}", context()),
        // An answer that captures only after some defences has the same text after all of them.
        (Answer::Fail, true) if claims.has_classes() => Err(Error::IncorrectFormat),
        (Answer::Fail, true) => panic!("what is true fails: {}", context()),
        (Answer::Undecided, _) => Err(Error::IncorrectFormat),
    }
}

impl Claims {
    /// Whether a row is about several actions.
    fn has_classes(&self) -> bool {
        self.replies.iter().any(|row| !matches!(row.when, When::If(_)))
            || self.tries.as_ref().is_some_and(|tries| !tries.classes.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::{Random, flags};

    fn cases(count: usize) -> impl Iterator<Item = Claims> {
        let mut random = Random::default();
        (0..count).filter_map(move |_| case(&random.bytes(160)).ok())
    }

    #[test]
    fn claims_of_both_kinds_are_met_and_judged() {
        let (mut right, mut wrong, mut open) = (0, 0, 0);
        for claims in cases(400) {
            match check(&claims, verified) {
                Ok(true) => right += 1,
                Ok(false) => wrong += 1,
                Err(_) => open += 1,
            }
        }
        assert!(right > 50 && wrong > 50 && open < right + wrong, "{right} true, {wrong} false, {open} open");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let passes_everything: Verifier = |_| (Answer::Pass, None, String::new());
        let fails_everything: Verifier = |_| (Answer::Fail, None, String::new());
        let contradicts: Verifier = |_| (Answer::Fail, Some("a contradiction".to_owned()), String::new());
        let judged: Vec<(Claims, bool)> =
            cases(100).filter_map(|claims| referee(&claims).map(|truth| (claims, truth))).collect();
        let case = |wanted: bool| {
            let found = judged.iter().find(|(claims, truth)| *truth == wanted && !claims.has_classes());
            &found.expect("a case").0
        };
        assert!(flags(|| check(case(false), passes_everything)));
        assert!(flags(|| check(case(true), fails_everything)));
        assert!(flags(|| check(case(true), contradicts)));
    }
}
