//! `worldlines explain`: the analysis of a puzzle's goal as a report, which [`text`] prints and JSON holds.

mod report;
mod text;

use std::io::Write;
use std::sync::atomic::AtomicBool;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::input::{At, Limits};
use super::output::{Format, ProofFormat, print_json};
use super::terminal::{Answers, drawing, say};
use super::{proof, source};
pub use report::Report;
use report::{Asked, Failed, Key, LeftOut, Mate, Met, Players, Then, Told};
use worldlines::notation::pgn5d::{action_text, line_texts};
use worldlines::notation::{Game, printable};
use worldlines::render::{Frame, text as draw, why};
use worldlines::search::{
    Analysis, Budget, Cut, Defence, Failing, ForcedReply, KeyClass, Listed, Prover, Threat, Variation,
    Verdict,
};
use worldlines::state::Position;
use worldlines::types::{Action, Status, Undecided};

/// Explain a puzzle: key, threat or zugzwang, every variation with all its mates, why it is mate, set play and tries
///
/// Everything is proved now, so it does not depend on what the file lists.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines explain puzzles/promotion/four-answers.yaml
  worldlines explain my-puzzle.yaml --limit 50
  worldlines explain my-game.5dpgn --at 8w
  worldlines explain my-puzzle.yaml --format json
  worldlines explain my-puzzle.yaml --format 5dpgn --limit 1000 > proof.5dpgn

Exit codes: 0 the claim is true, 1 it is not, 2 the puzzle cannot be read, 3 the budget was spent before that was known.")]
pub struct Arguments {
    /// The puzzle: FILE, FILE#ID if the file holds several, or the id of a shipped one; or a game, for the shortest mate at its end
    #[arg(value_name = "PUZZLE")]
    puzzle: String,
    /// The position of a game: `8b` is the one before Black's action 8, and a number counts the actions before it
    #[arg(long, value_name = "POSITION")]
    at: Option<At>,
    /// Print at most N keys, variations, set play and tries, half as many at each further turn, and a quarter as many answers to
    /// a defence. A list that is cut says so
    #[arg(long = "limit", alias = "most", value_name = "N", default_value_t = 12)]
    most: usize,
    /// Draw the boards of the start too
    #[arg(long)]
    boards: bool,
    /// The most search steps [default: 10000000, or the budget of the puzzle if that is larger]
    #[arg(long, value_name = "STEPS")]
    budget: Option<u64>,
    #[command(flatten)]
    limits: Limits,
    /// The shape of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ProofFormat,
}

pub const SCHEMA: &str = "worldlines/explain-1";

/// The search steps of an explanation, unless the puzzle has more.
const STEPS: u64 = 10_000_000;
/// The longest mate that is looked for in a game.
const LONGEST: u32 = 4;
/// The most helpmates that are counted.
const MOST_HELPMATES: usize = 1_000;

/// A goal at the end of a game, which is explained.
struct Subject {
    id: String,
    title: String,
    point: Option<String>,
    game: Game,
    /// The claim and its N; `None` if the goal is how the game stands.
    asks: Option<(Asked, u32)>,
    /// The search steps, unless the command line says how many.
    steps: u64,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let subject = match (source::is_game(&self.puzzle), self.at) {
            (true, _) => match self.of_game()? {
                Some(subject) => subject,
                None => {
                    say("undecided: the shortest mate was not found within the limits; --budget allows more");
                    return Ok(Exit::Undecided);
                }
            },
            (false, None) => Subject::of_puzzle(&self.puzzle)?,
            (false, Some(_)) => {
                return Err(Failure::new("--at names a position of a game, and this is a puzzle"));
            }
        };
        if self.format == ProofFormat::Pgn5d {
            return print_proof(self, &subject, out);
        }
        let report = explain(self, &subject)?;
        match self.format {
            ProofFormat::Json => print_json(out, &report)?,
            ProofFormat::Text | ProofFormat::Pgn5d => {
                writeln!(out, "{}: {}", printable(&report.puzzle), printable(&report.title))?;
                if let Some(point) = &report.point {
                    writeln!(out, "{}", printable(point))?;
                }
                if self.boards {
                    write!(out, "\n{}", drawing(&draw(&subject.game.end(), Frame::REPORT)))?;
                }
                let mut answers = Answers::new(&mut *out);
                text::print(&report, &mut answers)?;
                answers.flush()?;
            }
        }
        Ok(match report.holds {
            Some(true) => Exit::Ok,
            Some(false) => Exit::Findings,
            None => Exit::Undecided,
        })
    }

    fn format(&self) -> Format {
        self.format.of_errors()
    }
}

/// Prints the game with the proof of the mate at its end.
fn print_proof(arguments: &Arguments, subject: &Subject, out: &mut dyn Write) -> Result<Exit, Failure> {
    let Some((Asked::Mate, n)) = subject.asks else {
        return Err(Failure::new("--format 5dpgn is about mates that the opponent defends against"));
    };
    let clock = arguments.limits.time.start();
    let mut prover = arguments.prover(subject.steps, clock.stop());
    let start = subject.game.end();
    let mut analysis = Analysis::new(&mut prover, &start, n);
    let solution = analysis.solution().clone();
    match solution.verdict {
        Verdict::Proven => {}
        Verdict::Refuted => return Err(Failure::new(format_args!("there is no mate in {n}"))),
        Verdict::Undecided => return Ok(Exit::Undecided),
    }
    let keys: Vec<(&Action, u32)> = solution.keys.iter().map(|class| (class.key(), n)).collect();
    proof::print(&mut analysis, &subject.game, &keys, arguments.most, out)?;
    Ok(Exit::Ok)
}

impl Subject {
    fn of_puzzle(file: &str) -> Result<Subject, Failure> {
        let document = source::document(file)?;
        let game = document.game().map_err(|findings| source::unreadable(&document, &findings))?;
        let puzzle = document.draft().map_err(|findings| source::unreadable(&document, &findings))?;
        Ok(Subject {
            id: document.id.clone(),
            title: puzzle.title.value.clone(),
            point: puzzle.point.as_ref().map(|point| point.value.clone()),
            game,
            asks: Asked::of(&puzzle.goal.value),
            steps: puzzle.budget.nodes.as_ref().map_or(0, |nodes| nodes.value).max(STEPS),
        })
    }
}

impl Arguments {
    /// The shortest mate at a position of a game; `None` if the limits are too narrow to find it.
    fn of_game(&self) -> Result<Option<Subject>, Failure> {
        let name = printable(&self.puzzle);
        let mut games = source::games(&self.puzzle)?;
        let (Some(game), true) = (games.pop(), games.is_empty()) else {
            return Err(Failure::new(format_args!("{name} holds several games, and `explain` takes one")));
        };
        let game = match self.at {
            Some(at) => at.cut(&game, &name)?,
            None => game,
        };
        let end = game.end();
        let player = end.to_move().name();
        let clock = self.limits.time.start();
        match proof::shortest_mate(&mut self.prover(STEPS, clock.stop()), &end, LONGEST) {
            Ok(Some(n)) => Ok(Some(Subject {
                id: "position".to_owned(),
                title: format!("{player} mates in {n}"),
                point: None,
                game: Game::new(game.start.clone(), game.actions.clone()),
                asks: Some((Asked::Mate, n)),
                steps: STEPS,
            })),
            Ok(None) => {
                let file = shell_words::quote(&name);
                if end.outcome_within(STEPS).is_ok_and(|outcome| outcome.status == Status::Checkmate) {
                    return Err(Failure::new(format_args!(
                        "{player} is mated here: `worldlines status --why {file}` says why, and --at explains an earlier position"
                    )));
                }
                Err(Failure::new(format_args!(
                    "{player} has no mate in {LONGEST} or fewer here; `worldlines review {file}` says where there is one, and \
                     `worldlines status --why {file}` how the game stands"
                )))
            }
            Err(_) => Ok(None),
        }
    }

    /// A prover with the steps of the command line, or else with so many.
    fn prover<'s>(&self, steps: u64, stop: &'s AtomicBool) -> Prover<'s> {
        Prover::new(self.limits.budget(self.budget.unwrap_or(steps))).stopping_on(Some(stop))
    }
}

/// The report about a goal.
fn explain(arguments: &Arguments, subject: &Subject) -> Result<Report, Failure> {
    let Some((asks, n)) = subject.asks else {
        let why = "this puzzle asks how the game stands: `worldlines status --why` explains that";
        return Err(Failure::new(why));
    };
    let clock = arguments.limits.time.start();
    let mut prover = arguments.prover(subject.steps, clock.stop());
    let start = subject.game.end();
    let report = Report {
        schema: SCHEMA,
        puzzle: subject.id.clone(),
        title: subject.title.clone(),
        point: subject.point.clone(),
        n,
        asks,
        players: Players { solver: start.to_move().name(), opponent: (!start.to_move()).name() },
        ..Report::default()
    };
    let analysis = Analysis::new(&mut prover, &start, n);
    let mut telling = Telling { analysis, limit: arguments.most, report };
    match asks {
        Asked::Mate => telling.mate(),
        Asked::NoMate => telling.no_mate(),
        Asked::Helpmate => telling.helpmate(),
        Asked::Selfmate => telling.selfmate(),
        Asked::Survive | Asked::OnlyDefence => telling.defence(),
    }
    let mut report = telling.report;
    report.cut = !report.left_out.is_empty() || report.undecided.is_some();
    Ok(report)
}

/// An explanation under way.
struct Telling<'a, 's> {
    analysis: Analysis<'a, 's>,
    limit: usize,
    report: Report,
}

/// The reply of a row about an action that stalemates.
const STALEMATE: &str = "stalemate";
/// The name of the list of reasons, for `left_out`.
const REASONS: &str = "the reasons why it is mate";

impl Telling<'_, '_> {
    /// A list as it is told, cut at the limit.
    fn told<T, U>(&mut self, name: &str, listed: Listed<T>, tell: impl FnMut(T) -> U) -> Told<U> {
        self.told_at_most(self.limit, name, listed, tell)
    }

    fn told_at_most<T, U>(
        &mut self,
        most: usize,
        name: &str,
        listed: Listed<T>,
        tell: impl FnMut(T) -> U,
    ) -> Told<U> {
        let beyond = listed.items.len().saturating_sub(most) as u64;
        let cut = match listed.cut {
            Some(Cut::More(more)) => Some(Cut::More(more + beyond)),
            None if beyond > 0 => Some(Cut::More(beyond)),
            cut => cut,
        };
        let items = listed.items.into_iter().take(most).map(tell).collect();
        self.leave_out(name, cut);
        Told { items, cut }
    }

    fn leave_out(&mut self, name: &str, cut: Option<Cut>) {
        let (more, undecided) = match cut {
            None => return,
            Some(Cut::More(more)) => (Some(more), None),
            Some(Cut::Undecided(why)) => (None, Some(why.into())),
        };
        self.report.left_out.push(LeftOut { list: name.to_owned(), more, undecided });
    }

    /// Leaves it open whether the claim is true.
    fn open(&mut self, why: Undecided) {
        self.report.undecided = Some(why.into());
    }

    fn action(&self, action: &Action) -> String {
        action_text(self.analysis.start(), action)
    }

    /// The most answers to a defence.
    fn answers(&self) -> usize {
        (self.limit / 4).max(2)
    }

    /// One action of each class.
    fn classes(&mut self, name: &str, position: &Position, classes: &[KeyClass]) -> Told<String> {
        let listed = Listed { items: classes.iter().collect(), cut: None };
        self.told_at_most(self.answers(), name, listed, |class| action_text(position, class.key()))
    }

    fn mate(&mut self) {
        let solution = self.analysis.solution().clone();
        match (solution.verdict, solution.shortest) {
            (Verdict::Refuted, _) => return self.report.holds = Some(false),
            (Verdict::Proven, Some(shortest)) => {
                self.report.shortest = Some(shortest);
                self.report.holds = Some(shortest == self.report.n);
                if shortest < self.report.n {
                    let (start, prover) = (self.analysis.start(), self.analysis.prover());
                    let mut shorter = Telling {
                        analysis: Analysis::new(prover, start, shortest),
                        limit: self.limit,
                        report: std::mem::take(&mut self.report),
                    };
                    shorter.solved();
                    self.report = shorter.report;
                    return;
                }
            }
            (Verdict::Proven, None) | (Verdict::Undecided, _) => {
                let why = solution.undecided;
                self.open(why.unwrap_or(Undecided {
                    steps: solution.steps,
                    because: worldlines::types::Because::Budget,
                }));
                if solution.verdict == Verdict::Undecided {
                    return;
                }
            }
        }
        self.solved();
    }

    /// The mate of the analysis, and all that belongs to it.
    fn solved(&mut self) {
        let solution = self.analysis.solution().clone();
        let cut = solution.undecided.filter(|_| !solution.complete).map(Cut::Undecided);
        let first = solution.keys.first().map(|class| class.key().clone());
        let listed = Listed { items: solution.keys, cut };
        let classes = self.told("keys", listed, |class| class);
        let keys = classes.items.iter().map(|class| self.key(class, true)).collect();
        self.report.keys = Told { items: keys, cut: classes.cut };
        if let Some(key) = first {
            match self.analysis.line(&key) {
                Ok(line) => self.why(&line.unwrap_or_default(), 1),
                Err(why) => self.leave_out("a line to the mate", Some(Cut::Undecided(why))),
            }
        }
        self.set_play();
        self.tries();
    }

    /// A key; if it mates, with its threats and variations.
    fn key(&mut self, class: &KeyClass, mates: bool) -> Key {
        let action = class.key();
        let line = [action.clone()];
        let position = self.analysis.after(&line);
        let text = self.action(action);
        let (is_zugzwang, threats) = if mates { self.threat(action, &text) } else { (None, Told::default()) };
        let left = self.analysis.n() - 1;
        let variations = match mates && left > 0 {
            true => self.variations(&line, left, self.limit),
            false => Told::default(),
        };
        let others = class.keys().len() - 1;
        Key { action: text, gives_check: position.is_in_check(), others, is_zugzwang, threats, variations }
    }

    fn threat(&mut self, key: &Action, text: &str) -> (Option<bool>, Told<String>) {
        let name = format!("threats of {text}");
        match self.analysis.threat(key) {
            Ok(Threat::Nothing) => (None, Told::default()),
            Ok(Threat::Zugzwang) => (Some(true), Told::default()),
            Ok(Threat::Mates(classes)) => {
                let passed =
                    worldlines::search::after_null_action(&self.analysis.after(std::slice::from_ref(key)));
                let passed = passed.expect("a threat follows a pass");
                (Some(false), self.classes(&name, &passed, &classes))
            }
            Err(why) => {
                self.leave_out(&name, Some(Cut::Undecided(why)));
                (None, Told { items: Vec::new(), cut: Some(Cut::Undecided(why)) })
            }
        }
    }

    /// The first defences after a line, and all that follows them.
    fn variations(&mut self, line: &[Action], left: u32, most: usize) -> Told<Met> {
        let listed = self.analysis.variations(line, left, most);
        let position = self.analysis.after(line);
        let (before, last) = line.split_at(line.len() - 1);
        let name = format!("defences after {}", action_text(&self.analysis.after(before), &last[0]));
        let variations = self.told_at_most(most, &name, listed, |variation| variation);
        let further = (most / 2).max(1);
        let met =
            variations.items.into_iter().map(|variation| self.met(line, &position, &variation, further));
        Told { items: met.collect(), cut: variations.cut }
    }

    /// A defence after a line that leads to `position`, and what follows it: `most` variations of each answer.
    fn met(&mut self, line: &[Action], position: &Position, variation: &Variation, most: usize) -> Met {
        let action = action_text(position, &variation.defence);
        let mut defended = position.clone();
        defended.play(&variation.defence).expect("a defence is legal");
        // Those that are soon read come first.
        let mut classes = variation.answers.clone();
        classes.sort_by_key(|class| class.key().moves().len());
        let answers = self.classes(&format!("answers to {action}"), &defended, &classes);
        let confirmed = Some(self.analysis.confirms(&defended, variation));
        let mut then = Vec::new();
        for class in classes.iter().take(self.answers()).filter(|_| variation.mates_in > 1) {
            let line = [line, &[variation.defence.clone(), class.key().clone()]].concat();
            let answer = action_text(&defended, class.key());
            then.push(Then { answer, variations: self.variations(&line, variation.mates_in - 1, most) });
        }
        Met { action, mates_in: variation.mates_in, answers, confirmed, then }
    }

    /// Why the player to move at the end of a line is mated. The first `known` actions of the line are not told again.
    fn why(&mut self, line: &[Action], known: usize) {
        let (texts, mated) = line_texts(self.analysis.start(), line);
        let mut why: Vec<String> = why::checks(&mated).iter().map(ToString::to_string).collect();
        let limit = self.analysis.prover().limit();
        let reasons = why::reasons(&mated, limit, Budget::default().memory);
        why.extend(reasons.told.iter().map(ToString::to_string));
        if !reasons.all {
            self.leave_out(REASONS, Some(reasons.undecided.map_or(Cut::More(1), Cut::Undecided)));
        }
        self.report.mate = Some(Mate { line: texts[known..].to_vec(), why });
    }

    fn set_play(&mut self) {
        let Some(found) = self.analysis.set_play(self.limit) else { return };
        self.report.set_play_of = Some((found.count, found.defences));
        let met = self.told("set play", found.met, |variation| variation);
        let cut = met.cut;
        let items = met.items.into_iter().map(|variation| {
            let action = action_text(&found.passed, &variation.defence);
            let mut defended = found.passed.clone();
            defended.play(&variation.defence).expect("a defence is legal");
            let answers = self.classes(&format!("set play after {action}"), &defended, &variation.answers);
            let confirmed = Some(self.analysis.confirms(&defended, &variation));
            Met { action, mates_in: variation.mates_in, answers, confirmed, then: Vec::new() }
        });
        self.report.set_play = Told { items: items.collect(), cut };
    }

    fn tries(&mut self) {
        let listed = self.analysis.tries(self.limit);
        let tries = self.told("tries", listed, |failing| failing);
        let failed = tries.items.into_iter().map(|Failing { action, refutations, best }| {
            let text = self.action(&action);
            let tried = self.analysis.after(std::slice::from_ref(&action));
            let reply = match &best {
                Defence::Action(reply) => action_text(&tried, reply),
                Defence::Stalemate => STALEMATE.to_owned(),
            };
            let listed = self.analysis.refutations(&action, self.limit);
            let replies =
                self.told(&format!("refutations of {text}"), listed, |reply| action_text(&tried, &reply));
            Failed { action: text, refutations, reply, replies, mates_in: None }
        });
        self.report.fails = Told { items: failed.collect(), cut: tries.cut };
    }

    fn no_mate(&mut self) {
        let solution = self.analysis.solution().clone();
        match solution.verdict {
            Verdict::Undecided => {
                if let Some(why) = solution.undecided {
                    self.open(why);
                }
            }
            Verdict::Proven => {
                self.report.holds = Some(false);
                self.report.shortest = solution.shortest.or(solution.mates_in);
                let keys = solution.keys.iter().take(1).map(|class| self.key(class, false)).collect();
                self.report.keys = Told { items: keys, cut: None };
            }
            Verdict::Refuted => {
                self.report.holds = Some(true);
                self.tries();
            }
        }
    }

    /// The lines that both players together can play.
    fn helpmate(&mut self) {
        let shortest = match self.analysis.shortest_helpmate() {
            Err(why) => return self.open(why),
            Ok(None) => return self.report.holds = Some(false),
            Ok(Some(shortest)) => shortest,
        };
        self.report.holds = Some(shortest == self.report.n);
        self.report.shortest = Some(shortest);
        let start = self.analysis.start();
        let mut analysis = Analysis::new(self.analysis.prover(), start, shortest);
        let help = analysis.helpmates(MOST_HELPMATES);
        let set = analysis.set_helpmates(2);
        let cut = match (help.complete, help.undecided) {
            (true, _) => None,
            (false, Some(why)) => Some(Cut::Undecided(why)),
            (false, None) => Some(Cut::More(1)),
        };
        let first = help.lines.first().cloned();
        let lines = self.told("lines", Listed { items: help.lines, cut }, |line| line);
        let texts = lines.items.iter().map(|line| line_texts(start, line).0).collect();
        self.report.lines = Told { items: texts, cut: lines.cut };
        if let Some(line) = first {
            self.why(&line, 0);
        }
        let Some((passed, set)) = set else { return };
        let line = set.lines.first().map(|line| line_texts(&passed, line).0);
        let cut = match (set.undecided, set.lines.len()) {
            (Some(why), _) => Some(Cut::Undecided(why)),
            (None, 2..) => Some(Cut::More(1)),
            (None, _) => None,
        };
        self.leave_out("set play", cut);
        let met = line.as_deref().and_then(|line| line.split_first()).map(|(action, answers)| Met {
            action: action.clone(),
            mates_in: shortest - 1,
            answers: Told { items: answers.to_vec(), cut: None },
            confirmed: None,
            then: Vec::new(),
        });
        self.report.set_play_of = Some((met.iter().len() as u64, 0));
        self.report.set_play = Told { items: met.into_iter().collect(), cut };
    }

    /// The keys, and how every reply is met.
    fn selfmate(&mut self) {
        let found = self.analysis.selfmates().clone();
        if found.verdict == Verdict::Undecided
            && let Some(why) = found.undecided
        {
            return self.open(why);
        }
        self.report.shortest = found.shortest;
        self.report.holds = Some(found.shortest == Some(self.report.n));
        let cut = found.undecided.map(Cut::Undecided);
        let first = found.keys.first().map(|class| class.key().clone());
        let classes = self.told("keys", Listed { items: found.keys, cut }, |class| class);
        let mut keys = Vec::new();
        for class in &classes.items {
            let mut key = self.key(class, false);
            key.variations = self.replies(class.key());
            keys.push(key);
        }
        self.report.keys = Told { items: keys, cut: classes.cut };
        let Some(key) = first else { return };
        match self.analysis.selfmate_line(&key) {
            Ok(line) => self.why(&line.unwrap_or_default(), 0),
            Err(why) => self.leave_out("a line to the mate", Some(Cut::Undecided(why))),
        }
        let listed = self.analysis.escapes(self.limit);
        let opponent = self.report.players.opponent;
        let escapes = self.told("actions that fail", listed, |escape| escape);
        let failed = escapes.items.into_iter().map(|escape| {
            let tried = self.analysis.after(std::slice::from_ref(&escape.action));
            let reply = match &escape.refutation {
                Defence::Action(reply) => action_text(&tried, reply),
                Defence::Stalemate if tried.is_in_check() => format!("{opponent} is mated"),
                Defence::Stalemate => STALEMATE.to_owned(),
            };
            Failed { reply, ..Failed::of(self.action(&escape.action)) }
        });
        self.report.fails = Told { items: failed.collect(), cut: escapes.cut };
    }

    /// The replies to a key of a selfmate.
    fn replies(&mut self, key: &Action) -> Told<Met> {
        let listed = self.analysis.forced_replies(key, self.limit);
        let position = self.analysis.after(std::slice::from_ref(key));
        self.told("replies", listed, |ForcedReply { reply, left, answer }| {
            let mut replied = position.clone();
            replied.play(&reply).expect("a reply is legal");
            let answers = answer.iter().map(|answer| action_text(&replied, answer)).collect();
            let (action, answers) = (action_text(&position, &reply), Told { items: answers, cut: None });
            Met { action, mates_in: left, answers, confirmed: None, then: Vec::new() }
        })
    }

    fn defence(&mut self) {
        let (surviving, losing) = match self.analysis.surviving_actions(usize::MAX) {
            Ok(found) => found,
            Err(why) => return self.open(why),
        };
        let is_only = self.report.asks == Asked::OnlyDefence;
        self.report.holds = Some(surviving.len() == 1 || !(surviving.is_empty() || is_only));
        self.report.survive_of = Some((surviving.len() as u64, surviving.len() as u64 + losing));
        let start = self.analysis.start();
        let listed = Listed { items: surviving, cut: None };
        self.report.survives =
            self.told("actions that survive", listed, |action| action_text(start, &action));
        let listed = self.analysis.losing_actions(self.limit);
        let losing = self.told("actions that fail", listed, |losing| losing);
        let failed = losing.items.into_iter().map(|losing| {
            let tried = self.analysis.after(std::slice::from_ref(&losing.action));
            let (reply, mates_in) = (action_text(&tried, &losing.mate), Some(losing.mates_in));
            Failed { reply, mates_in, ..Failed::of(self.action(&losing.action)) }
        });
        self.report.fails = Told { items: failed.collect(), cut: losing.cut };
    }
}
