//! `worldlines explain`

use std::collections::BTreeMap;
use std::io::Write;

use super::exit::{Exit, Failure};
use super::terminal::drawing;
use super::time::Time;
use super::{source, why};
use worldlines::notation::pgn5d::action_text;
use worldlines::notation::printable;
use worldlines::puzzle::{Goal, Judge, NoJudge, Options};
use worldlines::render::{Frame, text};
use worldlines::search::{Budget, Defence, KeyClass, Prover, Try, Variation, after_null_action};
use worldlines::state::Position;
use worldlines::types::{Action, Color, Undecided};

/// Explain a puzzle: key, threat or zugzwang, every variation with all its mates, why each mate is one, set play and tries
///
/// Everything is proved now, so it does not depend on what the file lists.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines explain puzzles/promotion/four-answers.yaml
  worldlines explain my-puzzle.yaml --most 50

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
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let document = source::document(&arguments.puzzle)?;
    let clock = arguments.time.start();
    let judge = Judge::new(&document, Options::default()).map_err(|why| match why {
        NoJudge::Unreadable(findings) => source::unreadable(&document, &findings),
        _ => Failure::new("this puzzle asks how the game stands: `worldlines status --why` explains that"),
    })?;
    let Ok(puzzle) = &document.puzzle else { return Err(Failure::new("the puzzle cannot be read")) };
    let budget = Budget { steps: arguments.budget, memory: Budget::default().memory };
    let mut prover = Prover::new(budget).or_when(Some(clock.stop()));
    writeln!(out, "{}: {}", printable(&document.id), printable(&puzzle.title.value))?;
    if let Some(point) = &puzzle.point {
        writeln!(out, "{}", printable(&point.value))?;
    }
    let start = judge.start();
    if arguments.boards {
        write!(out, "\n{}", drawing(&text(start, Frame::REPORT)))?;
    }
    let mut told = Telling { start, n: judge.mate_in(), most: arguments.most, prover: &mut prover, out };
    let explained = match &puzzle.goal.value {
        Goal::MateIn(_) => told.mate(),
        Goal::NoMateIn(_) => told.no_mate(),
        _ => told.defence(),
    };
    match explained {
        Ok(exit) => Ok(exit),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Open(why)) => {
            writeln!(told.out, "{why}; --budget allows more")?;
            Ok(Exit::Undecided)
        }
    }
}

/// Why the telling ends.
enum Stop {
    Failed(Failure),
    Open(Undecided),
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Stop {
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
    fn mate(&mut self) -> Result<Exit, Stop> {
        let (start, n) = (self.start, self.n);
        let (solver, opponent) = (name(start.to_move()), name(!start.to_move()));
        let Some((shortest, keys)) = self.prover.shortest_mates(start, n)? else {
            writeln!(self.out, "\n{solver} has no mate in {n}: the claim is not true")?;
            return Ok(Exit::Findings);
        };
        writeln!(self.out, "\n{solver} mates in {shortest}.")?;
        let mut deepest = None;
        for class in &keys {
            let key = class.key();
            let position = after(start, key);
            let check = if position.is_in_check() { "check" } else { "no check" };
            let more = match class.keys().len() - 1 {
                0 => String::new(),
                others => format!("; {others} more actions differ only where it does not matter"),
            };
            writeln!(self.out, "\nKey: {} ({check}{more})", action_text(start, key))?;
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
                writeln!(
                    self.out,
                    "  {}: {} {mate}{dual}",
                    action_text(&position, defence),
                    texts.join(", or ")
                )?;
            }
            if variations.len() > self.most {
                writeln!(self.out, "  … and {} more defences", variations.len() - self.most)?;
            }
            if deepest.is_none() {
                deepest = Some(self.end_of(&position, &variations)?);
            }
        }
        if let Some((line, end)) = deepest {
            let line = if line.is_empty() { String::new() } else { format!(" after {}", line.join(" / ")) };
            writeln!(self.out, "\nWhy it is mate{line}:")?;
            self.why(&end)?;
        }
        self.set_play(shortest, opponent)?;
        self.tries(&keys, shortest)?;
        Ok(if shortest == n { Exit::Ok } else { Exit::Findings })
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
                writeln!(self.out, "  Zugzwang: if {opponent} could pass, there would be no mate in time.")?
            }
            Some((_, threats)) => {
                let texts: Vec<String> =
                    threats.iter().take(4).map(|class| action_text(&passed, class.key())).collect();
                let more = if threats.len() > 4 { " …" } else { "" };
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
    fn why(&mut self, mated: &Position) -> Result<(), Stop> {
        for check in why::checks(mated) {
            writeln!(self.out, "  {check}")?;
        }
        let (reasons, all) = why::reasons(mated);
        for why::Reason { count, why, example } in reasons {
            let example = if example.is_empty() { String::new() } else { format!("{example}: ") };
            let more = match count {
                0 | 1 => String::new(),
                2 => " (and 1 more)".to_owned(),
                _ => format!(" (and {} more)", count - 1),
            };
            writeln!(self.out, "  {example}{why}{more}")?;
        }
        if !all {
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
            if let Some((_, answers)) = self.prover.shortest_mates(&defended, n - 1)? {
                let texts: Vec<String> =
                    answers.iter().take(4).map(|class| action_text(&defended, class.key())).collect();
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
                    return Ok(());
                }
                let number = match refutations {
                    0 => "leaves".to_owned(),
                    1 => "only".to_owned(),
                    many => format!("{many} replies, best"),
                };
                writeln!(self.out, "  {action}: {number} {reply}")?;
                told += 1;
            }
        }
        Ok(())
    }

    fn no_mate(&mut self) -> Result<Exit, Stop> {
        let solver = name(self.start.to_move());
        if let Some((n, keys)) = self.prover.shortest_mates(self.start, self.n)? {
            let key = action_text(self.start, keys[0].key());
            writeln!(self.out, "\n{solver} mates in {n} with {key}: the claim is not true")?;
            return Ok(Exit::Findings);
        }
        writeln!(self.out, "\n{solver} has no mate in {}.", self.n)?;
        self.tries(&[], self.n)?;
        Ok(Exit::Ok)
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
        }
        writeln!(self.out, "\nWhat fails:")?;
        let mut told = 0;
        for action in start.legal_actions().filter(|action| !surviving.contains(action)) {
            if told == self.most {
                writeln!(self.out, "  …")?;
                break;
            }
            let tried = after(start, &action);
            if let Some((mates_in, keys)) = self.prover.shortest_mates(&tried, n)? {
                let mate = action_text(&tried, keys[0].key());
                writeln!(self.out, "  {}: {mate} mates in {mates_in}", action_text(start, &action))?;
                told += 1;
            }
        }
        Ok(if surviving.is_empty() { Exit::Findings } else { Exit::Ok })
    }
}
