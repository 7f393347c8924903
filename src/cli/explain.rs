//! `worldlines explain`

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::ForEvidence;
use super::json::{Limit, Spent};
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
    evidence: ForEvidence,
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
    /// Whether the claim is true; `null` when the search ended before that was known.
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
    /// Whether a list is shorter than it could be: `--most` says how much is told, and the search may have ended early.
    cut: bool,
    /// The reason why the search ended before everything was told.
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
    let puzzle = document.draft().map_err(|findings| source::unreadable(&document, &findings))?;
    let n = match &puzzle.goal.value {
        Goal::MateIn(n) | Goal::NoMateIn(n) | Goal::Survive(n) | Goal::OnlyDefence(n) => n.value,
        Goal::HelpmateIn(n) | Goal::SelfmateIn(n) => n.value,
        _ => {
            let why = "this puzzle asks how the game stands: `worldlines status --why` explains that";
            return Err(Failure::new(why));
        }
    };
    let budget = Budget { evidence: arguments.evidence.steps(), ..Budget::steps(arguments.budget) };
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
    let asked = "the goal";
    let mut told =
        Telling { start: &start, n, most: arguments.most, asked, prover: &mut prover, out, report };
    let explained = match &puzzle.goal.value {
        Goal::MateIn(_) => told.mate(),
        Goal::NoMateIn(_) => told.no_mate(),
        Goal::HelpmateIn(_) => told.helpmate(),
        Goal::SelfmateIn(_) => told.selfmate(),
        goal => told.defence(matches!(goal, Goal::OnlyDefence(_))),
    };
    let exit = match explained {
        Ok(()) if told.report.holds == Some(true) => Exit::Ok,
        Ok(()) => Exit::Findings,
        Err(Stop::Failed(failure)) => return Err(failure),
        Err(Stop::Open(why)) => {
            let asked = told.asked;
            let more = match Limit::from(why.because).option() {
                Some(option) => format!("; {option} allows more"),
                None => String::new(),
            };
            writeln!(told.out, "\n{why}, so {asked} and all that comes after is not told{more}")?;
            (told.report.undecided, told.report.cut) = (Some(why.into()), true);
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
    /// The question that is being asked, in words.
    asked: &'static str,
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

    /// Notes whether the claim is true.
    fn settle(&mut self, holds: bool) {
        self.report.holds = Some(holds);
    }

    /// The actions with which classes begin, as many as are told, and how many more there are.
    fn several(&mut self, position: &Position, classes: &[KeyClass]) -> (Vec<String>, String) {
        let told = classes.iter().take(self.most).map(|class| action_text(position, class.key())).collect();
        match classes.len().saturating_sub(self.most) {
            0 => (told, String::new()),
            more => {
                self.report.cut = true;
                (told, format!(" (and {more} more)"))
            }
        }
    }

    fn mate(&mut self) -> Result<(), Stop> {
        let (start, n) = (self.start, self.n);
        let (solver, opponent) = (name(start.to_move()), name(!start.to_move()));
        let Some((shortest, keys)) = self.prover.shortest_mates(start, n)? else {
            self.settle(false);
            return Ok(writeln!(self.out, "\n{solver} has no mate in {n}: the claim is not true")?);
        };
        for class in &keys {
            self.prover.confirm(start, class.key(), shortest)?;
        }
        writeln!(self.out, "\n{solver} mates in {shortest}.")?;
        self.report.shortest = Some(shortest);
        self.settle(shortest == n);
        let mut deepest = None;
        for class in &keys {
            let position = self.key(start, class)?;
            self.threat(&position, shortest, opponent)?;
            self.asked = "what answers each defence";
            let variations = self.prover.variations(&position, shortest - 1)?.unwrap_or_default();
            for Variation { defence, mates_in, answers } in variations.iter().take(self.most) {
                let defended = after(&position, defence);
                let (texts, more) = self.several(&defended, answers);
                let mate = match mates_in {
                    1 => "mates".to_owned(),
                    n => format!("mates in {n}"),
                };
                let dual = if answers.len() > 1 { "   (dual)" } else { "" };
                self.note_variation(action_text(&position, defence), *mates_in, texts.clone());
                writeln!(
                    self.out,
                    "  {}: {}{more} {mate}{dual}",
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
        self.tries(&keys, shortest)
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
        self.asked = "the threat";
        match self.prover.shortest_mates(&passed, n - 1)? {
            None => {
                self.note_threats(true, Vec::new());
                writeln!(self.out, "  Zugzwang: if {opponent} could pass, there would be no mate in time.")?
            }
            Some((_, threats)) => {
                let (texts, more) = self.several(&passed, &threats);
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
            self.report.cut = true;
            writeln!(self.out, "  … there are more tries than are told here")?;
        }
        Ok(())
    }

    /// What would be answered if the opponent were to move.
    fn set_play(&mut self, n: u32, opponent: &str) -> Result<(), Stop> {
        let Some(passed) = after_null_action(self.start).filter(|_| n > 1) else { return Ok(()) };
        self.asked = "set play";
        let (mut lines, mut met, mut count) = (Vec::new(), 0, 0_u64);
        let mut defences = self.prover.actions(&passed);
        while let Some(defence) = self.prover.next_action(&mut defences)? {
            count += 1;
            let defended = after(&passed, &defence);
            let Some((mates_in, answers)) = self.prover.shortest_mates(&defended, n - 1)? else { continue };
            met += 1;
            if lines.len() < self.most {
                let action = action_text(&passed, &defence);
                let (answers, more) = self.several(&defended, &answers);
                lines.push(format!("  {action}: {}{more}", answers.join(", or ")));
                self.report.set_play.push(Met { action, mates_in, answers });
            }
        }
        if met == 0 {
            return Ok(writeln!(
                self.out,
                "\nSet play: none; if {opponent} were to move, nothing would be met by a mate in time."
            )?);
        }
        writeln!(self.out, "\nSet play, if {opponent} were to move ({met} of {count} actions):")?;
        lines.iter().try_for_each(|line| writeln!(self.out, "{line}"))?;
        self.leave_out(met, "actions")
    }

    /// The actions that fail by the fewest replies.
    fn tries(&mut self, keys: &[KeyClass], n: u32) -> Result<(), Stop> {
        let start = self.start;
        self.asked = "the tries";
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
            return Ok(writeln!(
                self.out,
                "\nTries: no other check or capture, and no threat that is soon found."
            )?);
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

    fn no_mate(&mut self) -> Result<(), Stop> {
        let solver = name(self.start.to_move());
        if let Some((n, keys)) = self.prover.shortest_mates(self.start, self.n)? {
            self.prover.confirm(self.start, keys[0].key(), n)?;
            let key = action_text(self.start, keys[0].key());
            self.report.shortest = Some(n);
            self.settle(false);
            return Ok(writeln!(self.out, "\n{solver} mates in {n} with {key}: the claim is not true")?);
        }
        self.settle(true);
        writeln!(self.out, "\n{solver} has no mate in {}.", self.n)?;
        self.tries(&[], self.n)
    }

    /// Every line that both players together can play.
    fn helpmate(&mut self) -> Result<(), Stop> {
        let (start, n) = (self.start, self.n);
        let (solver, opponent) = (name(start.to_move()), name(!start.to_move()));
        let shortest = self.prover.shortest_helpmate(start, n)?;
        let Some(shortest) = shortest else {
            self.settle(false);
            return Ok(writeln!(
                self.out,
                "\n{solver} cannot be mated in {n}, however both help: the claim is not true"
            )?);
        };
        self.settle(shortest == n);
        self.asked = "all lines";
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
        self.report.cut = !help.complete;
        let (mut end, mut first) = (start.clone(), Vec::new());
        for (index, line) in help.lines.iter().take(self.most).enumerate() {
            let (texts, last) = self.written(line);
            writeln!(self.out, "  {}", texts.join(" / "))?;
            if index == 0 {
                (end, first) = (last, texts.clone());
            }
            self.report.lines.push(texts);
        }
        self.leave_out(help.lines.len(), "lines")?;
        writeln!(self.out, "\nWhy the first of them ends in mate:")?;
        self.why(first, &end)?;
        // What the opponent could do alone, if it were to move.
        if let Some(passed) = after_null_action(start) {
            self.asked = "set play";
            let set = self.prover.help_from(&passed, 2 * shortest as usize - 1, 2);
            match (set.lines.first(), set.undecided) {
                (Some(line), _) => {
                    let more =
                        if set.complete && set.lines.len() == 1 { "" } else { " (and perhaps others)" };
                    self.report.cut |= !more.is_empty();
                    let mut at = passed;
                    let texts: Vec<String> = line
                        .iter()
                        .map(|action| {
                            let text = action_text(&at, action);
                            at = after(&at, action);
                            text
                        })
                        .collect();
                    writeln!(self.out, "\nSet play, if {opponent} began: {}{more}", texts.join(" / "))?;
                    if let Some((action, answers)) = texts.split_first() {
                        let (action, answers) = (action.clone(), answers.to_vec());
                        self.report.set_play.push(Met { action, mates_in: shortest - 1, answers });
                    }
                }
                (None, None) => writeln!(self.out, "\nSet play: none, if {opponent} began.")?,
                (None, Some(why)) => return Err(why.into()),
            }
        }
        Ok(())
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
    fn selfmate(&mut self) -> Result<(), Stop> {
        let (start, n) = (self.start, self.n);
        let (solver, opponent) = (name(start.to_move()), name(!start.to_move()));
        let found = self.prover.selfmates(start, n, true);
        if let Some(why) = found.undecided {
            return Err(why.into());
        }
        let Some(shortest) = found.shortest else {
            self.settle(false);
            return Ok(writeln!(self.out, "\n{solver} has no selfmate in {n}: the claim is not true")?);
        };
        self.settle(shortest == n);
        self.asked = "what answers each reply";
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
        self.failing(|prover, action, tried| {
            if found.keys.iter().flat_map(KeyClass::keys).any(|key| action.contains(key)) {
                return Ok(None);
            }
            Ok(prover.selfmate_evasion(tried, n - 1)?.map(|evasion| match evasion {
                Defence::Action(reply) => (action_text(tried, &reply), String::new()),
                Defence::Stalemate if tried.is_in_check() => (format!("{opponent} is mated"), String::new()),
                Defence::Stalemate => ("stalemate".to_owned(), String::new()),
            }))
        })
    }

    /// Tells which actions fail: those with a reply, and what is to be said behind it.
    fn failing(
        &mut self,
        mut why: impl FnMut(&mut Prover<'_>, &Action, &Position) -> Result<Option<(String, String)>, Undecided>,
    ) -> Result<(), Stop> {
        self.asked = "what fails";
        writeln!(self.out, "\nWhat fails:")?;
        let mut actions = self.prover.actions(self.start);
        while let Some(action) = self.prover.next_action(&mut actions)? {
            let Some((reply, mates)) = why(self.prover, &action, &after(self.start, &action))? else {
                continue;
            };
            if self.report.fails.len() == self.most {
                self.report.cut = true;
                return Ok(writeln!(self.out, "  …")?);
            }
            let action = action_text(self.start, &action);
            writeln!(self.out, "  {action}: {reply}{mates}")?;
            self.report.fails.push(Failing { action, refutations: None, reply });
        }
        Ok(())
    }

    fn defence(&mut self, is_only: bool) -> Result<(), Stop> {
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
        self.leave_out(surviving.len(), "survive")?;
        let holds = surviving.len() == 1 || !(surviving.is_empty() || is_only);
        self.settle(holds);
        if !holds {
            writeln!(self.out, "  The claim is not true.")?;
        }
        self.failing(|prover, action, tried| {
            // The list is in canonical order.
            if surviving.binary_search(action).is_ok() {
                return Ok(None);
            }
            let mate = prover.shortest_mates(tried, n)?;
            Ok(mate
                .map(|(mates_in, keys)| (action_text(tried, keys[0].key()), format!(" mates in {mates_in}"))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use worldlines::notation::fen5d;
    use worldlines::types::RuleProfile;

    /// Set play of the position after this budget, with at most one line told.
    fn set_play(steps: u64) -> (String, Report, bool) {
        let text = "[k7/6p1/1K5P/8/8/8/8/6R1:-1:1:w][1qr1n2k/8/8/8/8/8/4PP2/6K1:0:1:w][1qr1n2k/8/8/8/8/8/4PP2/6K1:1:1:w]";
        let mut setup = fen5d::parse(text).into_result().unwrap().to_setup();
        setup.profile = RuleProfile::orthodox();
        let start = Position::from_setup(&setup).unwrap();
        let (mut prover, mut out) = (Prover::new(Budget::steps(steps)), Vec::new());
        let (asked, report) = ("", Report::default());
        let (most, n) = (1, 2);
        let mut told = Telling { start: &start, n, most, asked, prover: &mut prover, out: &mut out, report };
        let is_told = told.set_play(2, "Black").is_ok();
        let report = told.report;
        (String::from_utf8(out).unwrap(), report, is_told)
    }

    /// The only defences that are met are none of the first thousand.
    #[test]
    fn all_set_play_is_looked_at() {
        let (text, report, is_told) = set_play(100_000_000);
        assert!(is_told && text.contains("Set play, if Black were to move (900 of 2700 actions):"), "{text}");
        assert!(text.contains("… and 899 more actions"), "{text}");
        assert!(report.cut && report.set_play.len() == 1);
        let (text, report, is_told) = set_play(5_000);
        assert!(
            !is_told && text.is_empty() && report.set_play.is_empty(),
            "nothing is said of what was not looked at"
        );
    }
}
