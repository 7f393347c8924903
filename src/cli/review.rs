//! `worldlines review`: the library's review of games, as a report, a page or an annotated game.

mod page;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::ValueEnum;
use serde::Serialize;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files;
use super::finds::in_order;
use super::input::{self, position_name, threads};
use super::json::{self, Everything, Head, PositionName, VERSION};
use super::notation::Player;
use super::output::{Format as Errors, print_json};
use super::source;
use super::terminal::{self, say};
use worldlines::notation::pgn5d::{self, Marks, action_text, line_texts};
use worldlines::notation::{Game, GameResult};
use worldlines::review::{
    Finding, Limits, Look, Review, annotated, judge, positions, score_for_white, short_text,
};
use worldlines::state::Position;
use worldlines::types::{Action, Partition, counted};

/// Review games: mates that were missed or allowed, only defences, blunders, forced actions
///
/// Mates are proved. Blunders, mistakes and inaccuracies are the engine's judgement, which is a guess: the expected result falls by at
/// least 15, 10 or 5 points of 100. Scores are in pawns, for White. The report counts the actions whose
/// judgement a limit left open.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines review game.5dpgn
  worldlines review my-games --player white
  worldlines review game.5dpgn --longest 3 --budget 500000
  worldlines review game.5dpgn --format html -o review.html
  worldlines review game.5dpgn --format 5dpgn -o annotated.5dpgn
  worldlines review games --partition hash:1/4 --format json > part-1.json

Exit codes: 0 the games were reviewed, 2 a game has an error, so that only the part before it was reviewed (0 with
--before-error), 3 a limit left something open.")]
pub struct Arguments {
    /// Files with games in any notation, and folders of them
    #[arg(value_name = "GAME", required = true)]
    games: Vec<PathBuf>,
    /// Number of the game in each file, from 1 [default: all games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Accept the part of a game before its first error: the error is reported, but it is no failure
    #[arg(long)]
    before_error: bool,
    /// Check that marks of check and mate are right
    #[arg(long)]
    check_marks: bool,
    /// Review the actions of this player only
    #[arg(long, value_name = "COLOUR")]
    player: Option<Player>,
    /// The longest mate to look for
    #[arg(long, value_name = "N", default_value_t = Limits::default().longest, value_parser = clap::value_parser!(u32).range(1..=10))]
    longest: u32,
    /// The most search steps for the mates in a position, and again for judging an action
    #[arg(long, value_name = "STEPS", default_value_t = Limits::default().budget.steps)]
    budget: u64,
    /// The search steps of the engine for a position; 0 leaves its judgement out
    #[arg(long, value_name = "STEPS", default_value_t = Limits::default().thinking)]
    thinking: u64,
    #[command(flatten)]
    limits: input::Limits,
    /// The number of threads that share the work; the review is the same with any number [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Review only one of N parts of the games, `hash:M/N` with M from 1 to N; `worldlines report merge` merges their reports in JSON
    #[arg(long, value_name = "PART")]
    partition: Option<Partition>,
    /// Print no boards
    #[arg(long)]
    no_boards: bool,
    /// Print inaccuracies and forced actions too
    #[arg(short, long)]
    verbose: bool,
    /// The shape of the review
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Write the review to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The shape of a review.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs; the field `schema` names the shape and its version
    Json,
    /// A page that needs no other file: boards to step through, the actions, a graph
    Html,
    /// The game with judgements, comments and variations
    #[value(name = "5dpgn")]
    Pgn5d,
}

impl Format {
    /// The format of errors.
    pub fn of_errors(self) -> Errors {
        if self == Format::Json { Errors::Json } else { Errors::Text }
    }
}

pub const SCHEMA: &str = "worldlines/review-1";

/// A game with its review.
struct Reviewed {
    name: String,
    game: Game,
    positions: Vec<Position>,
    review: Review,
    /// The error at which the text could not be read any further.
    error: Option<String>,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let clock = self.limits.time.start();
        let (mut exits, mut texts, mut count_read) = (Vec::new(), Vec::new(), 0);
        let mut output = Output::of(self);
        for path in source::files_of_games(&self.games)? {
            let file = files::name(&path);
            let games = match source::readable_games(&file, self.game, self.check_marks) {
                Ok(games) => games,
                Err(failure) => {
                    say(&failure.shown);
                    exits.push(Exit::Usage);
                    continue;
                }
            };
            let count = games.len();
            for (index, (game, failure)) in games.into_iter().enumerate() {
                let number = self.game.map_or(index + 1, |number| number as usize);
                let name = if count == 1 { file.clone() } else { format!("{file}, game {number}") };
                count_read += 1;
                texts.extend([name.clone(), format!("{}{:?}", game.start, game.actions)]);
                if self.partition.is_some_and(|partition| !partition.contains(&name)) {
                    continue;
                }
                let name = if failure.is_some() { format!("{name}, up to its first error") } else { name };
                let error = failure.as_ref().map(|failure| failure.shown.clone());
                let one = Reviewed { error, ..self.review(name, game, clock.stop())? };
                exits.push(if one.review.open.is_empty() { Exit::Ok } else { Exit::Undecided });
                if let (true, Some(sentence)) = (self.format != Format::Text, text::open(&one)) {
                    say(&format!("note: {}: {sentence}", one.name));
                }
                if let Some(failure) = failure {
                    say(&failure.shown);
                    exits.extend((!self.before_error).then_some(Exit::Usage));
                }
                output.add(count_read, one)?;
                // A long run tells what it has found so far.
                if self.output.is_none() {
                    out.write_all(&output.printed)?;
                    out.flush()?;
                    output.printed.clear();
                }
            }
        }
        let exit = match (exits.is_empty(), self.partition) {
            // An empty part is no mistake: a hash of its name decides the part of a game.
            (true, Some(_)) => Exit::Ok,
            (true, None) => Exit::NothingSelected,
            _ => Exit::worst(exits),
        };
        let reviewed_games = output.games;
        let printed = output.end(Everything::of(count_read, texts.iter().map(String::as_str)), exit)?;
        match &self.output {
            Some(path) => {
                files::replace(path, &printed)?;
            }
            None => out.write_all(&printed)?,
        }
        match self.partition {
            _ if exit == Exit::NothingSelected => say("no file with games was found"),
            Some(partition) if reviewed_games == 0 => {
                say(&format!("note: there is no game in part {} of {}", partition.part(), partition.of()));
            }
            _ => {}
        }
        Ok(exit)
    }

    fn format(&self) -> Errors {
        self.format.of_errors()
    }
}

/// The output of a run: some formats tell each game by itself, and others need all of them.
struct Output<'a> {
    arguments: &'a Arguments,
    /// The bytes that were not written yet.
    printed: Vec<u8>,
    /// The number of games that were reviewed.
    games: usize,
    sums: text::Sums,
    reports: Vec<OfGame>,
    reviewed: Vec<Reviewed>,
}

impl<'a> Output<'a> {
    fn of(arguments: &'a Arguments) -> Output<'a> {
        let (printed, reports, reviewed) = (Vec::new(), Vec::new(), Vec::new());
        Output { arguments, printed, games: 0, sums: text::Sums::default(), reports, reviewed }
    }

    /// Adds a game, which was read as this one of all, from 1.
    fn add(&mut self, number: usize, one: Reviewed) -> Result<(), Failure> {
        self.games += 1;
        match self.arguments.format {
            Format::Text => {
                if self.games > 1 {
                    writeln!(self.printed)?;
                }
                text::print(&one, self.arguments, &mut self.printed)?;
                self.sums.add(&text::Sums::of(&one));
            }
            Format::Json => self.reports.push(OfGame::of(number, &one)),
            Format::Pgn5d => {
                let separator = if self.printed.is_empty() { "" } else { "\n" };
                let written = pgn5d::write(&annotated(&one.game, &one.review), Marks::Check);
                self.printed.extend_from_slice(separator.as_bytes());
                self.printed.extend_from_slice(&written.bytes);
            }
            Format::Html => self.reviewed.push(one),
        }
        Ok(())
    }

    /// The bytes that are left to write at the end of a run with this input and exit code.
    fn end(mut self, input: Everything, exit: Exit) -> Result<Vec<u8>, Failure> {
        let Arguments { format, partition, .. } = *self.arguments;
        if format == Format::Json && (input.count > 0 || partition.is_some()) {
            let head = Head::new(SCHEMA, self.arguments.as_json(), input, partition, exit.code());
            let summary = Summary::of(&self.reports);
            print_json(&mut self.printed, &Report { head, games: self.reports, summary })?;
        }
        if format == Format::Text && self.games > 0 {
            text::end(self.games, &self.sums, self.arguments, &mut self.printed)?;
        }
        if format == Format::Html && !self.reviewed.is_empty() {
            self.printed.extend_from_slice(page::page(&self.reviewed, self.arguments).as_bytes());
        }
        Ok(self.printed)
    }
}

impl Arguments {
    fn as_json(&self) -> Run {
        let input::Limits { time, memory, evidence_budget } = &self.limits;
        Run {
            version: VERSION,
            player: self.player.map(|player| player.color().into()),
            longest: self.longest,
            budget: self.budget,
            thinking: self.thinking,
            time: time.seconds(),
            memory: memory.mib(),
            evidence_budget: *evidence_budget,
        }
    }

    fn review(&self, name: String, game: Game, stop: &AtomicBool) -> Result<Reviewed, Failure> {
        let limits = Limits {
            longest: self.longest,
            budget: self.limits.budget(self.budget),
            thinking: self.thinking,
        };
        let positions = positions(&game);
        let bar = terminal::progress(positions.len() + game.actions.len(), "positions");
        let mut looks: Vec<Look> = Vec::new();
        let threads = threads(self.jobs);
        in_order(
            threads,
            positions.len(),
            &AtomicBool::new(false),
            |index| Look::at(&positions[index], limits, Some(stop)),
            |_, look| {
                bar.inc(1);
                looks.push(look);
                Ok(true)
            },
        )?;
        let mut judged = Vec::new();
        in_order(
            threads,
            game.actions.len(),
            &AtomicBool::new(false),
            |index| {
                let beside = [&looks[index], &looks[index + 1]];
                judge(&positions[index], &game.actions[index], beside, limits, Some(stop))
            },
            |_, judgement| {
                bar.inc(1);
                judged.push(judgement);
                Ok(true)
            },
        )?;
        bar.finish_and_clear();
        let mut review = Review::of(judged, looks);
        if let Some(player) = self.player {
            review.keep_only(&game, player.color());
        }
        Ok(Reviewed { name, game, positions, review, error: None })
    }
}

impl Reviewed {
    /// The players, if the headers name one.
    fn players(&self) -> Option<String> {
        let header = |name: &str| {
            self.game.header(name).map(str::trim).filter(|value| !value.is_empty() && *value != "?")
        };
        let (white, black) = (header("White"), header("Black"));
        white.or(black)?;
        Some(format!("{} against {}", white.unwrap_or("White"), black.unwrap_or("Black")))
    }

    /// The players and the result, as far as the headers tell.
    fn heading(&self) -> String {
        let players = self.players().map_or(String::new(), |players| format!("{players}, "));
        let actions = counted(self.game.actions.len(), "action");
        let result = self.game.result.filter(|result| *result != GameResult::Open);
        let result = result.map(|result| format!(", {result}")).unwrap_or_default();
        format!("{players}{actions}{result}")
    }

    /// The name of the position before an action.
    fn at(&self, index: usize) -> PositionName {
        position_name(index, self.game.start.to_move())
    }

    fn action_text(&self, index: usize) -> String {
        action_text(&self.positions[index], &self.game.actions[index])
    }

    /// The action, shortened if it is long.
    fn short_text(&self, index: usize) -> String {
        short_text(&self.positions[index], &self.game.actions[index])
    }

    fn sentence(&self, index: usize, finding: &Finding) -> String {
        finding.sentence(&self.positions[index], &self.game.actions[index])
    }
}

/// The reviews of games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head<Run>,
    games: Vec<OfGame>,
    summary: Summary,
}

/// The settings on which the answers depend, besides the games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of worldlines.
    version: &'static str,
    /// The player whose actions are reviewed; `null` for both.
    player: Option<json::Player>,
    /// The longest mate to look for.
    longest: u32,
    /// The search steps for a position, and for judging an action.
    budget: u64,
    /// The search steps of the engine for a position.
    thinking: u64,
    /// The seconds for everything.
    time: Option<f64>,
    /// The memory of the search, in mebibytes.
    memory: u64,
    /// The search steps for evidence.
    evidence_budget: u64,
}

/// Numbers about all games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Summary {
    games: usize,
    positions: usize,
    findings: usize,
    /// The number of actions whose judgement a limit left open.
    open: usize,
}

impl Summary {
    fn of(games: &[OfGame]) -> Summary {
        let sum = |number: fn(&OfGame) -> usize| games.iter().map(number).sum();
        Summary {
            games: games.len(),
            positions: sum(|game| game.positions.len()),
            findings: sum(|game| game.findings.len()),
            open: sum(|game| game.open.len()),
        }
    }
}

/// The review of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OfGame {
    /// The number of the game among all that were read, from 1.
    index: usize,
    /// The file, and the number of the game in it if it holds several.
    game: String,
    /// Every position, from the start to the end.
    positions: Vec<Seen>,
    /// The findings, in the order of the actions.
    findings: Vec<Found>,
    /// The actions whose judgement a limit left open.
    open: Vec<PositionName>,
}

/// A position of the game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Seen {
    #[serde(flatten)]
    name: PositionName,
    /// The action that was played; `null` at the end.
    played: Option<String>,
    /// The length of the shortest mate of the player to move, if there is one within the limits.
    mate_in: Option<u32>,
    /// The score for White in pawns, such as `+0.35`, or `#2` for mate in 2, `#-2` for mate by Black.
    score: Option<String>,
    /// The line of the mate, or the one that the engine expects.
    line: Vec<String>,
}

/// A finding about an action.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Found {
    #[serde(flatten)]
    name: PositionName,
    /// The action.
    played: String,
    /// The kind: `missed-mate`, `slower-mate`, `kept-mate`, `allowed-mate`, `only-defence`, `blunder`, `mistake`, `inaccuracy` or `forced`.
    kind: &'static str,
    /// A sentence for people.
    text: String,
    /// The better line instead of the action.
    better: Vec<String>,
    /// The line of the opponent that punishes the action.
    punishment: Vec<String>,
}

impl OfGame {
    fn of(index: usize, reviewed: &Reviewed) -> OfGame {
        let Reviewed { name, game, positions, review, .. } = reviewed;
        let lines = |position: &Position, line: &[Action]| line_texts(position, line).0;
        let seen = review.looks.iter().enumerate().map(|(index, look)| Seen {
            name: reviewed.at(index),
            played: (index < game.actions.len()).then(|| reviewed.action_text(index)),
            mate_in: look.mate.as_ref().map(|mate| mate.mate_in),
            score: look.score.map(|score| score_for_white(score, positions[index].to_move())),
            line: lines(&positions[index], look.mate.as_ref().map_or(&look.line, |mate| &mate.line)),
        });
        let findings = review.findings.iter().enumerate().flat_map(|(index, findings)| {
            findings.iter().map(move |finding| Found {
                name: reviewed.at(index),
                played: reviewed.action_text(index),
                kind: finding.kind(),
                text: reviewed.sentence(index, finding),
                better: finding.better().map_or(Vec::new(), |line| line_texts(&positions[index], line).0),
                punishment: finding
                    .punishment()
                    .map_or(Vec::new(), |line| line_texts(&positions[index + 1], line).0),
            })
        });
        OfGame {
            index,
            game: name.clone(),
            positions: seen.collect(),
            findings: findings.collect(),
            open: review.open.iter().map(|&index| reviewed.at(index)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::arguments_of;

    use super::*;

    /// The page of a game.
    fn page_of(game: &str) -> String {
        let file = format!("{}/{game}", env!("CARGO_MANIFEST_DIR"));
        let arguments: Arguments =
            arguments_of(["review", &file, "--format", "html", "--thinking", "0", "--jobs", "1"]).unwrap();
        let mut out = Vec::new();
        arguments.run(&mut out).map_err(|failure| failure.shown).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_page_says_what_the_text_says() {
        let page = page_of("corpus/games/ending-mate-14.5dpgn");
        for said in [
            "<title>Review: ",
            "better: (0T1)Kb3c3 / (0T1)Kd1c1 / (0T2)Ua3&gt;&gt;(0T1)b2",
            "then: (0T2)Kc4d4 / ",
            "White: 1 missed mate, 2 mates found; Black: 1 allowed mate",
            "mates in at most 2 were looked for",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        let page = page_of("corpus/cli/misprint.5dpgn");
        assert!(page.contains("no white king can make this move"), "{page}");
    }
}
