//! A mate that the opponent defends against: its keys, tries and duals.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use super::report::{Answer, Class, DualOf, FoundBy, Missed, Report, Wrong};
use super::{Arguments, Scope};
use crate::cli::exit::Failure;
use crate::cli::input::{Input, position_name};
use crate::cli::json::Spent;
use crate::cli::proof;
use crate::cli::terminal;
use worldlines::notation::Game;
use worldlines::notation::pgn5d::action_text;
use worldlines::puzzle::MAX_MATE_IN;
use worldlines::search::{Analysis, Dual, KeyClass, Progress, Prover, Solution, Try, Verdict};
use worldlines::types::{Action, Because, Undecided, counted};

/// Finds a mate, or all keys; with tries and duals, if they are asked for.
pub fn find(
    report: &mut Report,
    analysis: &mut Analysis<'_, '_>,
    arguments: &Arguments,
    progress: &Progress,
) -> Solution {
    let start = analysis.start();
    let status = || {
        let (steps, length) =
            (progress.steps.load(Ordering::Relaxed), progress.mate_in.load(Ordering::Relaxed));
        format!("looking for a mate in {length}, {}", counted(steps, "search step"))
    };
    let solution =
        terminal::waiting(
            status,
            || {
                if arguments.all { analysis.solution().clone() } else { analysis.mate() }
            },
        );
    let wrong = |wrong: &Try| Wrong::of(start, wrong);
    let tries = arguments.tries.map(|scope| {
        let wanted = |prover: &mut Prover<'_>, action: &Action| match scope {
            Scope::All => Ok(true),
            Scope::Plausible => prover.is_plausible(start, action),
        };
        let tries = analysis.wrong_actions(wanted)?;
        Ok::<Vec<Wrong>, Undecided>(tries.iter().map(wrong).collect())
    });
    let lines: Vec<(u32, Option<Vec<Action>>)> =
        solution.keys.iter().map(|class| line(analysis, &solution, class.key())).collect();
    let duals = arguments.duals.then(|| {
        let mut duals: Vec<Dual> = Vec::new();
        for (class, (n, _)) in solution.keys.iter().zip(&lines) {
            let mut analysis = Analysis::new(analysis.prover(), start, *n);
            duals.extend(analysis.duals(std::slice::from_ref(class.key()))?);
        }
        Ok::<Vec<DualOf>, Undecided>(duals.iter().map(|dual| DualOf::of(start, dual)).collect())
    });
    report.verdict = solution.verdict.into();
    report.keys = solution.keys.iter().map(|class| action_text(start, class.key())).collect();
    let classes = solution.keys.iter().zip(&lines);
    report.classes = classes.map(|(class, (_, line))| Class::of(start, class, line.as_deref())).collect();
    report.mating_actions = solution.mating_actions.into();
    report.complete = solution.complete;
    report.legal_actions = Some(solution.legal_actions.into());
    (report.mates_in, report.shortest) = (solution.mates_in, solution.shortest);
    report.found_by = solution.found_by.map(FoundBy::from);
    report.near_miss = solution.near_miss.as_ref().map(wrong);
    let mut undecided = solution.undecided;
    report.tries = found(tries, &mut undecided);
    report.duals = found(duals, &mut undecided);
    report.undecided = undecided.map(Spent::from);
    solution
}

/// The most actions of a player that are looked back for a mate that was missed.
const MOST_LOOKED_BACK: u32 = 8;

/// The last mate that the player had before a position without a mate in `n`. It is found if as many steps suffice as the prover has left.
///
/// A mate in n + 1 an action earlier began with another action than the one that was played, which leaves no mate in `n`. And so on: of
/// the first that is found going back, the action that was played is no key.
pub fn missed(prover: &mut Prover<'_>, input: &Input, n: u32) -> Option<Missed> {
    let (game, begins) = (input.game(), input.game().start.to_move());
    for back in 1..=MOST_LOOKED_BACK.min(MAX_MATE_IN.saturating_sub(n)) {
        let index = game.actions.len().checked_sub(2 * back as usize)?;
        let position = input.after(index);
        let solution = Analysis::new(prover, &position, n + back).mate();
        match solution.verdict {
            Verdict::Refuted => {}
            Verdict::Undecided => return None,
            Verdict::Proven => {
                let text = |action: &Action| action_text(&position, action);
                return Some(Missed {
                    name: position_name(index, begins),
                    mates_in: solution.mates_in.unwrap_or(n + back),
                    key: text(solution.keys.first()?.key()),
                    played: text(&game.actions[index]),
                });
            }
        }
    }
    None
}

/// The most defences at a place of a proof.
const MOST_DEFENCES: usize = 10_000;

/// Prints the game with the proof of its mate: the keys that were found, and every defence with an answer.
pub fn print_proof(
    analysis: &mut Analysis<'_, '_>,
    solution: &Solution,
    game: &Game,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let lengths: Vec<u32> =
        solution.keys.iter().map(|class| line(analysis, solution, class.key()).0).collect();
    let keys: Vec<(&Action, u32)> = solution.keys.iter().map(KeyClass::key).zip(lengths).collect();
    proof::print(analysis, game, &keys, MOST_DEFENCES, out)
}

/// A list that was asked for, if it was found. Its limit is noted, unless another one came before.
fn found<T>(asked: Option<Result<T, Undecided>>, undecided: &mut Option<Undecided>) -> Option<T> {
    match asked? {
        Ok(list) => Some(list),
        Err(why) => {
            *undecided = undecided.or(Some(why));
            None
        }
    }
}

/// A line of a key, if one is found, and the number of actions in which the key mates: as soon as any key, or in N.
fn line(analysis: &mut Analysis<'_, '_>, solution: &Solution, key: &Action) -> (u32, Option<Vec<Action>>) {
    let (start, asked) = (analysis.start(), analysis.n());
    for n in [solution.mates_in.unwrap_or(asked), asked] {
        match Analysis::new(analysis.prover(), start, n).line(key) {
            Ok(None) => {}
            Ok(line) => return (n, line),
            Err(_) => break,
        }
    }
    (asked, None)
}

pub fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let Report { name, mate_in, search_steps, .. } = report;
    let player = report.player();
    write!(out, "{}: ", name.at)?;
    match report.verdict {
        Answer::Proven => write!(out, "proven: {player} mates in {}", report.mates_in.unwrap_or(*mate_in))?,
        Answer::Refuted => write!(out, "refuted: {player} has no mate in {mate_in}")?,
        Answer::Undecided => write!(out, "undecided: a mate in {mate_in} by {player}")?,
    }
    match report.found_by {
        Some(FoundBy::Checks) => writeln!(out, ", with checks alone")?,
        _ => writeln!(out)?,
    }
    // The first line says how long they are if all are equally long.
    let is_marked = report.classes.iter().any(|class| class.mates_in != report.mates_in);
    for class in &report.classes {
        let length = class.mates_in.filter(|_| is_marked);
        let length = length.map_or(String::new(), |length| format!("  mates in {length}"));
        writeln!(out, "  {}{length}{}", class.key, class.others())?;
        if let Some(line) = class.line.as_ref().filter(|line| line.len() > 1) {
            writeln!(out, "    {}", line.join(" / "))?;
        }
    }
    if let Some(Wrong { action, reply }) = &report.near_miss {
        writeln!(out, "  {action} is refuted by {}", reply.as_deref().unwrap_or("stalemate"))?;
    }
    if let Some(Missed { name, mates_in, key, played }) = &report.missed {
        writeln!(out, "  earlier, at {}, {key} mated in {mates_in}; {played} was played", name.at)?;
    }
    if let Some(tries) = &report.tries {
        writeln!(out, "wrong first actions, each with a reply that refutes it:")?;
        for Wrong { action, reply } in tries {
            writeln!(out, "  {action}: {}", reply.as_deref().unwrap_or("stalemate"))?;
        }
    }
    if let (Some(duals), Answer::Proven) = (&report.duals, report.verdict) {
        writeln!(out, "{}", if duals.is_empty() { "no duals" } else { "duals:" })?;
        for DualOf { after, answers, .. } in duals {
            writeln!(out, "  after {}: {}", after.join(" / "), answers.join(", "))?;
        }
    }
    let steps = counted(*search_steps, "search step");
    if let (true, Some(legal)) = (report.complete, &report.legal_actions) {
        let classes = match report.classes.len() {
            1 => "1 key class".into(),
            many => format!("{many} key classes"),
        };
        let (count, found) = (report.mating_actions.count, report.mating_actions.at_least());
        let (all, looked) = (legal.count, legal.at_least());
        return writeln!(out, "{found}{count} of {looked}{all} first actions mate, {classes}; {steps}");
    }
    let because = report.undecided.map_or(Because::Budget, |spent| spent.because);
    let Answer::Proven = report.verdict else {
        return writeln!(out, "{}", Spent { steps: *search_steps, because });
    };
    if report.shortest.is_none() {
        writeln!(out, "whether there is a shorter mate was not found out")?;
    }
    match because {
        Because::Unconfirmed => writeln!(out, "other keys were found and not confirmed; {steps}"),
        _ => writeln!(out, "not all other first actions were examined; {steps}"),
    }
}
