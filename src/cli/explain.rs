//! `worldlines explain`

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::json::Spent;
use super::output::{Format, print_json};
use super::source;
use super::terminal::drawing;
use super::time::Time;
use worldlines::notation::pgn5d::action_text;
use worldlines::notation::printable;
use worldlines::puzzle::Goal;
use worldlines::render::{Frame, text, why};
use worldlines::search::{Budget, Defence, ForcedReply, KeyClass, Prover, Try, Variation, after_null_action};
use worldlines::state::Position;
use worldlines::types::{Action, Color, Undecided};

/// Explain a puzzle: key, threat or zugzwang, every variation with all its mates, why each mate is one, set play and tries
///
/// Everything is proved now, so it does not depend on what the file lists.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines explain puzzles/promotion/four-answers.yaml
  worldlines explain my-puzzle.yaml --most 50
  worldlines explain my-puzzle.yaml --format json

Exit codes: 0 explained, 1 the claim is not true, 2 the puzzle cannot be read, 3 the budget was spent first.")]
pub struct Arguments {
    /// The puzzle; FILE#ID if the file holds several
    #[arg(value_name = "PUZZLE")]
    puzzle: String,
    /// How many variations, and how many tries, are told at most
    #[arg(long, value_name = "N", default_value_t = 12)]
    most: usize,
    /// Draw the boards of the start too
    #[arg(long)]
    boards: bool,
    /// The most search steps
    #[arg(long, value_name = "STEPS", default_value_t = 10_000_000)]
    budget: u64,
    #[command(flatten)]
    time: Time,
    /// How to print what is told
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub const SCHEMA: &str = "worldlines/explain-1";

/// What is true of a puzzle, found by the search and not taken from its file.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    puzzle: String,
    title: String,
    point: Option<String>,
    /// Whether the claim is true; `null` when the search ended first, and what follows may be incomplete then.
    holds: Option<bool>,
    /// N of the claim.
    n: u32,
    /// In how many actions it mates at the soonest, whoever is mated.
    shortest: Option<u32>,
    /// The first actions that solve it, one of each class.
    keys: Vec<Key>,
    /// Of a helpmate: its lines.
    lines: Vec<Vec<String>>,
    /// Of a goal of the defender: actions that survive.
    survives: Vec<String>,
    /// Why a line ends in mate.
    mate: Option<Mate>,
    /// What would be answered if the opponent were to move.
    set_play: Vec<Met>,
    /// Actions that fail.
    fails: Vec<Failing>,
    /// Whether a list is shorter than it could be: `--most` says how much is told.
    cut: bool,
    /// What ended the search.
    undecided: Option<Spent>,
}

/// A first action that solves the puzzle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Key {
    action: String,
    gives_check: bool,
    /// How many more actions differ from it only where it does not matter.
    others: usize,
    /// Whether there would be no mate in time if the opponent could pass; `null` where that is not asked.
    is_zugzwang: Option<bool>,
    /// What it threatens.
    threats: Vec<String>,
    /// What follows each action of the opponent.
    variations: Vec<Met>,
}

/// An action of the opponent, and what it is met with.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Met {
    action: String,
    /// In how many actions it mates then; 0 if the action itself mates, as in a selfmate.
    mates_in: u32,
    /// One answer of each class.
    answers: Vec<String>,
}

/// Why a player is mated.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Mate {
    /// The line that ends in this mate, after the key or from the start.
    line: Vec<String>,
    /// Why nothing helps, in words.
    why: Vec<String>,
}

/// An action that fails.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Failing {
    action: String,
    /// How many replies refute it, if that was counted.
    refutations: Option<u64>,
    /// One of them; `stalemate` or `mate` where the game is over.
    reply: String,
}

/// The most helpmates that are counted.
const MOST_HELPMATES: usize = 1_000;

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    if arguments.format == Format::Text {
        return tell(arguments, out).map(|(exit, _)| exit);
    }
    let (exit, report) = tell(arguments, &mut io::sink())?;
    print_json(out, &report)?;
    Ok(exit)
}

/// Tells everything, and notes it.
fn tell(arguments: &Arguments, out: &mut impl Write) -> Result<(Exit, Report), Failure> {
    let document = source::document(&arguments.puzzle)?;
    let clock = arguments.time.start();
    let game = document.game().map_err(|findings| source::unreadable(&document, &findings))?;
    let Ok(puzzle) = &document.puzzle else { return Err(Failure::new("the puzzle cannot be read")) };
    let n = match &puzzle.goal.value {
        Goal::MateIn(n) | Goal::NoMateIn(n) | Goal::Survive(n) | Goal::OnlyDefence(n) => n.value,
        Goal::HelpmateIn(n) | Goal::SelfmateIn(n) => n.value,
        _ => {
            let why = "this puzzle asks how the game stands: `worldlines status --why` explains that";
            return Err(Failure::new(why));
        }
    };
    let budget = Budget::steps(arguments.budget);
    let mut prover = Prover::new(budget).or_when(Some(clock.stop()));
    writeln!(out, "{}: {}", printable(&document.id), printable(&puzzle.title.value))?;
    if let Some(point) = &puzzle.point {
        writeln!(out, "{}", printable(&point.value))?;
    }
    let start = game.end();
    if arguments.boards {
        write!(out, "\n{}", drawing(&text(&start, Frame::REPORT)))?;
    }
    let report = Report {
        schema: SCHEMA,
        puzzle: document.id.clone(),
        title: puzzle.title.value.clone(),
        point: puzzle.point.as_ref().map(|point| point.value.clone()),
        n,
        ..Report::default()
    };
    let mut told = Telling { start: &start, n, most: arguments.most, prover: &mut prover, out, report };
    let explained = match &puzzle.goal.value {
        Goal::MateIn(_) => told.mate(),
        Goal::NoMateIn(_) => told.no_mate(),
        Goal::HelpmateIn(_) => told.helpmate(),
        Goal::SelfmateIn(_) => told.selfmate(),
        _ => told.defence(),
    };
    let exit = match explained {
        Ok(exit) => {
            told.report.holds = Some(exit == Exit::Ok);
            exit
        }
        Err(Stop::Failed(failure)) => return Err(failure),
        Err(Stop::Open(why)) => {
            writeln!(told.out, "{why}; --budget allows more")?;
            told.report.undecided = Some(why.into());
            Exit::Undecided
        }
    };
    Ok((exit, told.report))
}

/// Why the telling ends.
enum Stop {
    Failed(Failure),
    Open(Undecided),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Failed(error.into())
    }
}

impl From<Undecided> for Stop {
    fn from(why: Undecided) -> Stop {
        Stop::Open(why)
    }
}

struct Telling<'t, 'p, W> {
    start: &'t Position,
    n: u32,
    most: usize,
    prover: &'t mut Prover<'p>,
    out: &'t mut W,
    report: Report,
}

fn name(color: Color) -> &'static str {
    if color == Color::White { "White" } else { "Black" }
}

fn after(position: &Position, action: &Action) -> Position {
    let mut after = position.clone();
    after.play(action).expect("a legal action");
    after
}

impl<W: Write> Telling<'_, '_, W> {
    fn note_key(&mut self, class: &KeyClass, after: &Position) {
        self.report.keys.push(Key {
            action: action_text(self.start, class.key()),
            gives_check: after.is_in_check(),
            others: class.keys().len() - 1,
            is_zugzwang: None,
            threats: Vec::new(),
            variations: Vec::new(),
        });
    }

    /// Notes what the latest key threatens.
    fn note_threats(&mut self, is_zugzwang: bool, threats: Vec<String>) {
        if let Some(key) = self.report.keys.last_mut() {
            (key.is_zugzwang, key.threats) = (Some(is_zugzwang), threats);
        }
    }

    /// Notes what follows the latest key.
    fn note_variation(&mut self, action: String, mates_in: u32, answers: Vec<String>) {
        if let Some(key) = self.report.keys.last_mut() {
            key.variations.push(Met { action, mates_in, answers });
        }
    }

    fn mate(&mut self) -> Result<Exit, Stop> {
        let (start, n) = (self.start, self.n);
        let (solver, opponent) = (name(start.to_move()), name(!start.to_move()));
        let Some((shortest, keys)) = self.prover.shortest_mates(start, n)? else {
            writeln!(self.out, "\n{solver} has no mate in {n}: the claim is not true")?;
            return Ok(Exit::Findings);
        };
        writeln!(self.out, "\n{solver} mates in {shortest}.")?;
        self.report.shortest = Some(shortest);
        let mut deepest = None;
        for class in &keys {
            let position = self.key(start, class)?;
            self.threat(&position, shortest, opponent)?;
            let variations = self.prover.variations(&position, shortest - 1)?.unwrap_or_default();
            for Variation { defence, mates_in, answers } in variations.iter().take(self.most) {
                let defended = after(&position, defence);
                let texts: Vec<String> =
                    answers.iter().map(|class| action_text(&defended, class.key())).collect();
                let mate = match mates_in {
                    1 => "mates".to_owned(),
                    n => format!("mates in {n}"),
                };
                let dual = if answers.len() > 1 { "   (dual)" } else { "" };
                self.note_variation(action_text(&position, defence), *mates_in, texts.clone());
                writeln!(
                    self.out,
                    "  {}: {} {mate}{dual}",
                    action_text(&position, defence),
                    texts.join(", or ")
                )?;
            }
            self.leave_out(variations.len(), "defences")?;
            if deepest.is_none() {
                deepest = Some(self.end_of(&position, &variations)?);
            }
        }
        if let Some((line, end)) = deepest {
            let after = if line.is_empty() { String::new() } else { format!(" after {}", line.join(" / ")) };
            writeln!(self.out, "\nWhy it is mate{after}:")?;
            self.why(line, &end)?;
        }
        self.set_play(shortest, opponent)?;
        self.tries(&keys, shortest)?;
        Ok(if shortest == n { Exit::Ok } else { Exit::Findings })
    }

    /// A key in words, and the position after it.
    fn key(&mut self, start: &Position, class: &KeyClass) -> Result<Position, Stop> {
        let position = after(start, class.key());
        let check = if position.is_in_check() { "check" } else { "no check" };
        let more = match class.keys().len() - 1 {
            0 => String::new(),
            others => format!("; {others} more actions differ only where it does not matter"),
        };
        writeln!(self.out, "\nKey: {} ({check}{more})", action_text(start, class.key()))?;
        self.note_key(class, &position);
        Ok(position)
    }

    /// Says that there are more of these than were told, if so.
    fn leave_out(&mut self, all: usize, what: &str) -> Result<(), Stop> {
        if all > self.most {
            writeln!(self.out, "  … and {} more {what}", all - self.most)?;
            self.report.cut = true;
        }
        Ok(())
    }

    /// What the key threatens.
    fn threat(&mut self, position: &Position, n: u32, opponent: &str) -> Result<(), Stop> {
        if n == 1 {
            return Ok(());
        }
        let Some(passed) = after_null_action(position).filter(|_| !position.is_in_check()) else {
            return Ok(());
        };
        match self.prover.shortest_mates(&passed, n - 1)? {
            None => {
                self.note_threats(true, Vec::new());
                writeln!(self.out, "  Zugzwang: if {opponent} could pass, there would be no mate in time.")?
            }
            Some((_, threats)) => {
                let texts: Vec<String> =
                    threats.iter().take(4).map(|class| action_text(&passed, class.key())).collect();
                let more = if threats.len() > 4 { " …" } else { "" };
                self.note_threats(false, texts.clone());
                writeln!(self.out, "  Threat: {}{more}", texts.join(", or "))?;
            }
        }
        Ok(())
    }

    /// The line from here to a mate: the longest resistance, and where it ends.
    fn end_of(
        &mut self,
        position: &Position,
        variations: &[Variation],
    ) -> Result<(Vec<String>, Position), Stop> {
        let (mut line, mut position) = (Vec::new(), position.clone());
        let mut variations = variations.to_vec();
        while let Some(longest) = variations.iter().rev().max_by_key(|variation| variation.mates_in) {
            line.push(action_text(&position, &longest.defence));
            position = after(&position, &longest.defence);
            let keys = longest.answers.iter().map(KeyClass::key);
            let Some(answer) = keys.min_by_key(|key| key.moves().len()) else { break };
            line.push(action_text(&position, answer));
            position = after(&position, answer);
            let left = longest.mates_in - 1;
            variations = self.prover.variations(&position, left)?.unwrap_or_default();
        }
        Ok((line, position))
    }

    /// Why a mated player has no legal action.
    fn why(&mut self, line: Vec<String>, mated: &Position) -> Result<(), Stop> {
        let mut told = Vec::new();
        for check in why::checks(mated) {
            writeln!(self.out, "  {check}")?;
            told.push(check.to_string());
        }
        let reasons = why::reasons(mated, self.prover.limit(), Budget::default().memory);
        for why::Reason { count, why, example } in reasons.told {
            let example = if example.is_empty() { String::new() } else { format!("{example}: ") };
            let more = match count {
                0 | 1 => String::new(),
                2 => " (and 1 more)".to_owned(),
                _ => format!(" (and {} more)", count - 1),
            };
            writeln!(self.out, "  {example}{why}{more}")?;
            told.push(format!("{example}{why}{more}"));
        }
        self.report.mate = Some(Mate { line, why: told });
        if !reasons.all {
            writeln!(self.out, "  … there are more tries than are told here")?;
        }
        Ok(())
    }

    /// What would be answered if the opponent were to move.
    fn set_play(&mut self, n: u32, opponent: &str) -> Result<(), Stop> {
        let Some(passed) = after_null_action(self.start).filter(|_| n > 1) else { return Ok(()) };
        let mut set = Vec::new();
        let mut count = 0;
        for defence in passed.legal_actions().take(1000) {
            count += 1;
            let defended = after(&passed, &defence);
            if let Some((mates_in, answers)) = self.prover.shortest_mates(&defended, n - 1)? {
                let texts: Vec<String> =
                    answers.iter().take(4).map(|class| action_text(&defended, class.key())).collect();
                let action = action_text(&passed, &defence);
                if self.report.set_play.len() < self.most {
                    self.report.set_play.push(Met { action, mates_in, answers: texts.clone() });
                } else {
                    self.report.cut = true;
                }
                set.push(format!("  {}: {}", action_text(&passed, &defence), texts.join(", or ")));
            }
        }
        if set.is_empty() {
            return Ok(writeln!(
                self.out,
                "\nSet play: none; if {opponent} were to move, nothing would be met by a mate in time."
            )?);
        }
        writeln!(self.out, "\nSet play, if {opponent} were to move ({} of {count} actions):", set.len())?;
        for line in set.iter().take(self.most) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// The actions that fail by the fewest replies.
    fn tries(&mut self, keys: &[KeyClass], n: u32) -> Result<(), Stop> {
        let start = self.start;
        let wrong = self.prover.wrong_actions(start, n, |prover, action| {
            let solves = keys.iter().flat_map(KeyClass::keys).any(|key| action.contains(key));
            Ok(!solves && prover.is_plausible(start, action)?)
        })?;
        let mut by_number: BTreeMap<u64, Vec<(String, String)>> = BTreeMap::new();
        let count = wrong.len();
        for Try { action, .. } in wrong {
            let tried = after(start, &action);
            let refutations = self.prover.refutations(&tried, n - 1)?.count;
            let reply = match self.prover.best_refutation(&tried, n - 1, 1, 20_000)? {
                Some(Defence::Action(reply)) => action_text(&tried, &reply),
                _ => "stalemate".to_owned(),
            };
            by_number.entry(refutations).or_default().push((action_text(start, &action), reply));
        }
        if by_number.is_empty() {
            return Ok(writeln!(self.out, "\nTries: no other check, capture or threat.")?);
        }
        writeln!(self.out, "\nTries (checks, captures and threats), the nearest first:")?;
        let mut told = 0;
        for (refutations, tries) in by_number {
            for (action, reply) in tries {
                if told == self.most {
                    writeln!(self.out, "  … and {} more", count - told)?;
                    self.report.cut = true;
                    return Ok(());
                }
                let number = match refutations {
                    0 => "leaves".to_owned(),
                    1 => "only".to_owned(),
                    many => format!("{many} replies, best"),
                };
                writeln!(self.out, "  {action}: {number} {reply}")?;
                self.report.fails.push(Failing { action, refutations: Some(refutations), reply });
                told += 1;
            }
        }
        Ok(())
    }

    fn no_mate(&mut self) -> Result<Exit, Stop> {
        let solver = name(self.start.to_move());
        if let Some((n, keys)) = self.prover.shortest_mates(self.start, self.n)? {
            let key = action_text(self.start, keys[0].key());
            self.report.shortest = Some(n);
            writeln!(self.out, "\n{solver} mates in {n} with {key}: the claim is not true")?;
            return Ok(Exit::Findings);
        }
        writeln!(self.out, "\n{solver} has no mate in {}.", self.n)?;
        self.tries(&[], self.n)?;
        Ok(Exit::Ok)
    }

    /// Every line that both players together can play.
    fn helpmate(&mut self) -> Result<Exit, Stop> {
        let (start, n) = (self.start, self.n);
        let (solver, opponent) = (name(start.to_move()), name(!start.to_move()));
        let shortest = self.prover.shortest_helpmate(start, n)?;
        let Some(shortest) = shortest else {
            writeln!(
                self.out,
                "\n{solver} cannot be mated in {n}, however both help: the claim is not true"
            )?;
            return Ok(Exit::Findings);
        };
        let help = self.prover.helpmates(start, shortest, MOST_HELPMATES);
        if let Some(why) = help.undecided {
            return Err(why.into());
        }
        let number = match help.lines.len() {
            1 => "one line".to_owned(),
            many if help.complete => format!("{many} lines"),
            many => format!("{many} lines or more"),
        };
        writeln!(self.out, "\nHelpmate in {shortest}: {solver} begins, {opponent} mates; {number}.")?;
        self.report.shortest = Some(shortest);
        self.report.cut = help.lines.len() > self.most || !help.complete;
        let (mut end, mut first) = (start.clone(), Vec::new());
        for (index, line) in help.lines.iter().take(self.most).enumerate() {
            let (texts, last) = self.written(line);
            writeln!(self.out, "  {}", texts.join(" / "))?;
            if index == 0 {
                (end, first) = (last, texts.clone());
            }
            self.report.lines.push(texts);
        }
        if help.lines.len() > self.most {
            writeln!(self.out, "  … and {} more", help.lines.len() - self.most)?;
        }
        writeln!(self.out, "\nWhy the first of them ends in mate:")?;
        self.why(first, &end)?;
        // What the opponent could do alone, if it were to move.
        if let Some(passed) = after_null_action(start) {
            let set = self.prover.help_from(&passed, 2 * shortest as usize - 1, 1);
            match (set.lines.first(), set.undecided) {
                (Some(line), _) => {
                    let mut at = passed;
                    let texts: Vec<String> = line
                        .iter()
                        .map(|action| {
                            let text = action_text(&at, action);
                            at = after(&at, action);
                            text
                        })
                        .collect();
                    writeln!(self.out, "\nSet play, if {opponent} began: {}", texts.join(" / "))?;
                    if let Some((action, answers)) = texts.split_first() {
                        let (action, answers) = (action.clone(), answers.to_vec());
                        self.report.set_play.push(Met { action, mates_in: shortest - 1, answers });
                    }
                }
                (None, None) => writeln!(self.out, "\nSet play: none, if {opponent} began.")?,
                (None, Some(why)) => return Err(why.into()),
            }
        }
        Ok(if shortest == n { Exit::Ok } else { Exit::Findings })
    }

    /// The texts of a line from the start, and where it ends.
    fn written(&self, line: &[Action]) -> (Vec<String>, Position) {
        let mut at = self.start.clone();
        let texts = line.iter().map(|action| {
            let text = action_text(&at, action);
            at = after(&at, action);
            text
        });
        (texts.collect(), at)
    }

    /// The keys, and how every reply is met.
    fn selfmate(&mut self) -> Result<Exit, Stop> {
        let (start, n) = (self.start, self.n);
        let (solver, opponent) = (name(start.to_move()), name(!start.to_move()));
        let found = self.prover.selfmates(start, n, true);
        if let Some(why) = found.undecided {
            return Err(why.into());
        }
        let Some(shortest) = found.shortest else {
            writeln!(self.out, "\n{solver} has no selfmate in {n}: the claim is not true")?;
            return Ok(Exit::Findings);
        };
        writeln!(self.out, "\n{solver} makes {opponent} mate in {shortest}.")?;
        self.report.shortest = Some(shortest);
        for (index, class) in found.keys.iter().enumerate() {
            let position = self.key(start, class)?;
            let replies = self.prover.forced_replies(&position, n - 1)?.unwrap_or_default();
            for ForcedReply { reply, left, answer } in replies.iter().take(self.most) {
                let text = action_text(&position, reply);
                let answer = answer.as_ref().map(|answer| action_text(&after(&position, reply), answer));
                match &answer {
                    None => writeln!(self.out, "  {text} mates")?,
                    Some(answer) => writeln!(self.out, "  {text}: {answer} forces it in {left}")?,
                }
                self.note_variation(text, *left, answer.into_iter().collect());
            }
            self.leave_out(replies.len(), "replies")?;
            if let (0, Some(line)) = (index, self.prover.selfmate_line(start, n, class.key())?) {
                let (texts, end) = self.written(&line);
                writeln!(self.out, "\nWhy it is mate after {}:", texts.join(" / "))?;
                self.why(texts, &end)?;
            }
        }
        writeln!(self.out, "\nWhat fails:")?;
        let mut told = 0;
        for action in start.legal_actions() {
            if found.keys.iter().flat_map(KeyClass::keys).any(|key| action.contains(key)) {
                continue;
            }
            if told == self.most {
                writeln!(self.out, "  …")?;
                self.report.cut = true;
                break;
            }
            let tried = after(start, &action);
            let why = match self.prover.selfmate_evasion(&tried, n - 1)? {
                None => continue,
                Some(Defence::Action(reply)) => action_text(&tried, &reply),
                Some(Defence::Stalemate) if tried.is_in_check() => format!("{opponent} is mated"),
                Some(Defence::Stalemate) => "stalemate".to_owned(),
            };
            let action = action_text(start, &action);
            writeln!(self.out, "  {action}: {why}")?;
            self.report.fails.push(Failing { action, refutations: None, reply: why });
            told += 1;
        }
        Ok(if shortest == n { Exit::Ok } else { Exit::Findings })
    }

    fn defence(&mut self) -> Result<Exit, Stop> {
        let (start, n) = (self.start, self.n);
        let (solver, opponent) = (name(start.to_move()), name(!start.to_move()));
        let (surviving, losing) = self.prover.surviving_actions(start, n, usize::MAX)?;
        writeln!(
            self.out,
            "\n{solver} has to survive: {} of {} actions leave {opponent} no mate in {n}.",
            surviving.len(),
            surviving.len() as u64 + losing
        )?;
        for action in surviving.iter().take(self.most) {
            writeln!(self.out, "  survives: {}", action_text(start, action))?;
            self.report.survives.push(action_text(start, action));
        }
        writeln!(self.out, "\nWhat fails:")?;
        let mut told = 0;
        for action in start.legal_actions().filter(|action| !surviving.contains(action)) {
            if told == self.most {
                writeln!(self.out, "  …")?;
                self.report.cut = true;
                break;
            }
            let tried = after(start, &action);
            if let Some((mates_in, keys)) = self.prover.shortest_mates(&tried, n)? {
                let mate = action_text(&tried, keys[0].key());
                let action = action_text(start, &action);
                writeln!(self.out, "  {action}: {mate} mates in {mates_in}")?;
                self.report.fails.push(Failing { action, refutations: None, reply: mate });
                told += 1;
            }
        }
        Ok(if surviving.is_empty() { Exit::Findings } else { Exit::Ok })
    }
}
