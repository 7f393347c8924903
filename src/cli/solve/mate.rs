//! A mate that the opponent defends against: its keys, tries and duals.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use serde::Serialize;

use super::parts::{Class, Question, Verdict, Wrong};
use super::{Arguments, Scope};
use crate::cli::exit::Failure;
use crate::cli::input::{Input, position_name};
use crate::cli::json::{Number, PositionName, Spent};
use crate::cli::proof;
use crate::cli::terminal;
use worldlines::notation::Game;
use worldlines::notation::pgn5d::{action_text, line_texts};
use worldlines::puzzle::MAX_MATE_IN;
use worldlines::search::{self, Analysis, Candidates, Dual, KeyClass, Progress, Prover, Solution, Try};
use worldlines::state::Position;
use worldlines::types::{Action, Because, Undecided, counted};

/// The answer about a mate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mate {
    pub verdict: Verdict,
    /// The mate that was asked for.
    pub mate_in: u32,
    /// First actions that mate and have no part that mates: one of each class.
    pub keys: Vec<String>,
    /// The classes of these keys in full.
    pub classes: Vec<Class>,
    /// The number of first actions that mate, of those that were looked at.
    pub mating_actions: Number,
    /// Whether every first action was looked at, so that there are no keys but these.
    pub complete: bool,
    /// The number of first actions that were looked at.
    pub legal_actions: Number,
    /// The number of actions in which it mates at the latest, as far as was shown.
    pub mates_in: Option<u32>,
    /// The smallest number of actions that mates, when it is known.
    pub shortest: Option<u32>,
    /// The way in which the mate was found.
    pub found_by: Option<FoundBy>,
    /// A first action that leaves few replies, if nothing mates.
    pub near_miss: Option<Wrong>,
    /// If nothing mates: the last mate that the player had before, as far as it was looked for. Its search steps are not counted.
    pub missed: Option<Missed>,
    /// With `--tries`: wrong first actions, each with a reply that refutes it; `null` when the search ended before all
    /// were found.
    pub tries: Option<Vec<Wrong>>,
    /// With `--duals`: the defences with answers of several classes; `null` when the search ended before all were found.
    pub duals: Option<Vec<DualOf>>,
}

/// The way in which a mate was found.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FoundBy {
    /// Every action of the mate gives check.
    Checks,
    /// Other actions were needed.
    Complete,
}

impl From<Candidates> for FoundBy {
    fn from(tier: Candidates) -> FoundBy {
        match tier {
            Candidates::Checks => FoundBy::Checks,
            Candidates::Complete => FoundBy::Complete,
        }
    }
}

/// A mate that a player had earlier in the game, and did not play.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Missed {
    /// The position in which it was there.
    #[serde(flatten)]
    pub name: PositionName,
    /// The number of actions in which it mated at the latest.
    pub mates_in: u32,
    /// A first action of it.
    pub key: String,
    /// The action that was played.
    pub played: String,
}

/// A defence with answers of several classes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DualOf {
    /// The actions up to the defence.
    pub after: Vec<String>,
    /// The number of actions in which each answer mates.
    pub mates_in: u32,
    /// One answer of each class.
    pub answers: Vec<String>,
}

impl DualOf {
    pub fn of(position: &Position, dual: &Dual) -> DualOf {
        let (after, at) = line_texts(position, &dual.line);
        let answers = dual.answers.iter().map(|class| action_text(&at, class.key())).collect();
        DualOf { after, mates_in: dual.mates_in, answers }
    }
}

impl Mate {
    /// The sentence about a header of the game that announces this mate, if it is false.
    pub fn false_header(&self) -> Option<String> {
        let found = match (self.verdict, self.shortest.or(self.mates_in)) {
            (Verdict::Refuted, _) => "there is none".to_owned(),
            (Verdict::Proven, Some(shortest)) if shortest < self.mate_in => {
                format!("there is one in {shortest}")
            }
            _ => return None,
        };
        Some(format!("a header of the game announces a mate in {}, but {found}", self.mate_in))
    }

    /// Whether a list that was asked for was not found.
    pub fn lacks_a_list(&self, Arguments { tries, duals, .. }: &Arguments) -> bool {
        tries.is_some() && self.tries.is_none() || *duals && self.duals.is_none()
    }

    pub fn print(&self, question: &Question<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Question { at, player, undecided, steps } = question;
        let mate_in = self.mate_in;
        write!(out, "{at}: ")?;
        match self.verdict {
            Verdict::Proven => write!(out, "proven: {player} mates in {}", self.mates_in.unwrap_or(mate_in))?,
            Verdict::Refuted => write!(out, "refuted: {player} has no mate in {mate_in}")?,
            Verdict::Undecided => write!(out, "undecided: a mate in {mate_in} by {player}")?,
        }
        match self.found_by {
            Some(FoundBy::Checks) => writeln!(out, ", with checks alone")?,
            _ => writeln!(out)?,
        }
        // The first line says how long they are if all are equally long.
        let is_marked = self.classes.iter().any(|class| class.mates_in != self.mates_in);
        for class in &self.classes {
            let length = class.mates_in.filter(|_| is_marked);
            let length = length.map_or(String::new(), |length| format!("  mates in {length}"));
            writeln!(out, "  {}{length}{}", class.key, class.others())?;
            if let Some(line) = class.line.as_ref().filter(|line| line.len() > 1) {
                writeln!(out, "    {}", line.join(" / "))?;
            }
        }
        if let Some(Wrong { action, reply }) = &self.near_miss {
            writeln!(out, "  {action} is refuted by {}", reply.as_deref().unwrap_or("stalemate"))?;
        }
        if let Some(Missed { name, mates_in, key, played }) = &self.missed {
            writeln!(out, "  earlier, at {}, {key} mated in {mates_in}; {played} was played", name.at)?;
        }
        if let Some(tries) = &self.tries {
            writeln!(out, "wrong first actions, each with a reply that refutes it:")?;
            for Wrong { action, reply } in tries {
                writeln!(out, "  {action}: {}", reply.as_deref().unwrap_or("stalemate"))?;
            }
        }
        if let (Some(duals), Verdict::Proven) = (&self.duals, self.verdict) {
            writeln!(out, "{}", if duals.is_empty() { "no duals" } else { "duals:" })?;
            for DualOf { after, answers, .. } in duals {
                writeln!(out, "  after {}: {}", after.join(" / "), answers.join(", "))?;
            }
        }
        let said = counted(*steps, "search step");
        if self.complete {
            let legal = &self.legal_actions;
            let classes = match self.classes.len() {
                1 => "1 key class".into(),
                many => format!("{many} key classes"),
            };
            let (count, found) = (self.mating_actions.count, self.mating_actions.at_least());
            let (all, looked) = (legal.count, legal.at_least());
            return writeln!(out, "{found}{count} of {looked}{all} first actions mate, {classes}; {said}");
        }
        let because = undecided.map_or(Because::Budget, |spent| spent.because);
        let Verdict::Proven = self.verdict else {
            return writeln!(out, "{}", Spent { steps: *steps, because });
        };
        if self.shortest.is_none() {
            writeln!(out, "whether there is a shorter mate was not found out")?;
        }
        match because {
            Because::Unconfirmed => writeln!(out, "other keys were found and not confirmed; {said}"),
            _ => writeln!(out, "not all other first actions were examined; {said}"),
        }
    }
}

/// Finds a mate, or all keys; with tries and duals, if they are asked for.
pub fn find(
    analysis: &mut Analysis<'_, '_>,
    arguments: &Arguments,
    progress: &Progress,
) -> (Mate, Option<Undecided>, Solution) {
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
    let mut undecided = solution.undecided;
    let classes = solution.keys.iter().zip(&lines);
    let mate = Mate {
        verdict: solution.verdict.into(),
        mate_in: analysis.n(),
        keys: solution.keys.iter().map(|class| action_text(start, class.key())).collect(),
        classes: classes.map(|(class, (_, line))| Class::of(start, class, line.as_deref())).collect(),
        mating_actions: solution.mating_actions.into(),
        complete: solution.complete,
        legal_actions: solution.legal_actions.into(),
        mates_in: solution.mates_in,
        shortest: solution.shortest,
        found_by: solution.found_by.map(FoundBy::from),
        near_miss: solution.near_miss.as_ref().map(wrong),
        missed: None,
        tries: found(tries, &mut undecided),
        duals: found(duals, &mut undecided),
    };
    (mate, undecided, solution)
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
            search::Verdict::Refuted => {}
            search::Verdict::Undecided => return None,
            search::Verdict::Proven => {
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
    out: &mut dyn Write,
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
