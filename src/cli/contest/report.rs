//! The report of a match.

use std::time::Duration;

use serde::Serialize;

use super::super::exit::Exit;
use super::super::json::VERSION;
use super::entrant::Control;
use super::kept::{Kept, Results};
use super::plan::{Engine, Plan};
use super::{Arguments, Form};
use worldlines::contest::{Elo, Fixture, Schedule, Score, Sprt, Standings, Test};
use worldlines::notation::{GameResult, printable};

pub const SCHEMA: &str = "worldlines/match-1";

/// The report of a match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// The version of worldlines.
    version: &'static str,
    /// The exit code of the command.
    exit_code: u32,
    /// The form of the tournament: `round-robin` or `gauntlet`.
    tournament: &'static str,
    /// The most actions of a game.
    most_actions: usize,
    /// The longest mate that ends a game when it is proven; `null` if none is looked for.
    adjudicate: Option<u32>,
    /// The most search steps for such a proof.
    budget: Option<u64>,
    /// The scores at which a player gives up, as `--resign` has them.
    resign: Option<String>,
    /// The scores at which the players agree to a draw, as `--draw` has them.
    draw: Option<String>,
    /// The number of games of the whole match.
    planned: usize,
    /// The engines, in the order of the command line.
    pub engines: Vec<Row>,
    /// The indices of the engines, the best first.
    pub ranking: Vec<usize>,
    /// The engines that meet.
    pub pairings: Vec<Pairing>,
    /// The sequential test.
    pub sprt: Option<Sequential>,
    /// The games, with those of earlier runs.
    pub games: Vec<Line>,
    /// The games that were lost by a fault of an engine, and faults when engines were told to quit.
    pub faults: Vec<String>,
}

/// An engine and its results against all others.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    pub name: String,
    pub command: String,
    /// The seconds for an action; `null` with a clock.
    move_time: Option<f64>,
    /// The seconds for a game and the seconds added after each action, such as `60+0.5`.
    clock: Option<String>,
    nodes: Option<u64>,
    #[serde(flatten)]
    pub results: Counts,
    /// The least seconds on its clock after an action, in the games of this run.
    pub least_left: Option<f64>,
}

/// Two engines that meet, and the results of the first one against the second one.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pairing {
    /// The index of the first engine.
    pub first: usize,
    /// The index of the second engine.
    pub second: usize,
    #[serde(flatten)]
    pub results: Counts,
}

/// The results of one side.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    pub points: f64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The numbers of pairs of games with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The most likely difference in Elo to the other side; `null` if it is infinite or unknown.
    pub elo: Option<f64>,
    /// The lower end of the 95% confidence interval.
    pub elo_least: Option<f64>,
    /// The upper end of the 95% confidence interval.
    pub elo_most: Option<f64>,
}

/// The sequential test between two differences in Elo of the first engine.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sequential {
    pub elo0: f64,
    pub elo1: f64,
    /// The result: `accepted`, `rejected` or `open`.
    pub result: &'static str,
    /// The logarithm of the generalised likelihood ratio of the pairs: how much likelier the larger difference is.
    pub log_likelihood: f64,
    /// The ratio at which the larger difference is accepted; the smaller one is at minus this.
    pub bound: f64,
}

/// A finished game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Line {
    /// Its number, from 1.
    number: usize,
    /// The index of the engine with White.
    white: usize,
    /// The index of the engine with Black.
    black: usize,
    /// `1-0`, `0-1` or `1/2-1/2`; `null` if a kept game has none.
    result: Option<String>,
    /// The reason for its end, such as `checkmate`, or `mate in 2 proven: ` and the action.
    pub termination: String,
    /// The number of its actions, with those of the opening.
    actions: usize,
}

impl Counts {
    pub fn of(score: &Score) -> Counts {
        let elo = score.tally.elo();
        let finite = |part: fn(&Elo) -> f64| elo.as_ref().map(part).filter(|number| number.is_finite());
        Counts {
            points: score.points(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            pairs: score.tally.pairs,
            elo: finite(|elo| elo.elo),
            elo_least: finite(|elo| elo.least),
            elo_most: finite(|elo| elo.most),
        }
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

impl Row {
    fn new(engine: &Engine, score: &Score, least_left: Option<Duration>) -> Row {
        let (move_time, clock) = match engine.control {
            Control::MoveTime(time) => (Some(time.as_secs_f64()), None),
            Control::Clock(clock) => (None, Some(clock.to_string())),
        };
        Row {
            name: printable(&engine.name),
            command: printable(&engine.command),
            move_time,
            clock,
            nodes: engine.nodes,
            results: Counts::of(score),
            least_left: least_left.map(|left| left.as_secs_f64()),
        }
    }
}

impl Sequential {
    fn new(sprt: Sprt, score: &Score) -> Sequential {
        let result = match score.tally.test(sprt) {
            Test::Accepted => "accepted",
            Test::Rejected => "rejected",
            Test::Open => "open",
        };
        let (log_likelihood, bound) = (score.tally.log_likelihood(sprt), Sprt::bound());
        Sequential { elo0: sprt.elo0, elo1: sprt.elo1, result, log_likelihood, bound }
    }
}

fn pairings(schedule: &Schedule, standings: &Standings) -> Vec<Pairing> {
    let scores = schedule.pairings().iter().zip(&standings.pairings);
    scores.map(|(&[first, second], score)| Pairing { first, second, results: Counts::of(score) }).collect()
}

/// The faults, in an order that does not depend on which game ended first.
fn faults(results: &Results) -> Vec<String> {
    let mut late: Vec<&String> = results.late_faults.iter().collect();
    late.sort();
    results.faults.values().chain(late).map(|fault| printable(fault)).collect()
}

fn lines(plan: &Plan, results: &Results) -> Vec<Line> {
    let line = |(&number, game): (&usize, &Kept)| {
        let Fixture { white, black, .. } = plan.schedule.fixture(number);
        let result = game.result.as_ref().map(GameResult::to_string);
        let termination = printable(&game.termination);
        Line { number: number + 1, white, black, result, termination, actions: game.actions }
    };
    results.games.iter().map(line).collect()
}

impl Report {
    pub fn new(arguments: &Arguments, plan: &Plan, results: &Results) -> Report {
        let standings = results.standings(plan);
        let engines = plan.engines.iter().zip(&standings.engines).zip(&results.least_left);
        let mut report = Report {
            schema: SCHEMA,
            version: VERSION,
            exit_code: 0,
            tournament: match arguments.tournament {
                Form::RoundRobin => "round-robin",
                Form::Gauntlet => "gauntlet",
            },
            most_actions: arguments.most_actions,
            adjudicate: arguments.adjudicate,
            budget: arguments.adjudicate.map(|_| arguments.budget),
            resign: plan.conduct.resign.map(|resign| resign.to_string()),
            draw: plan.conduct.draw.map(|draw| draw.to_string()),
            planned: plan.schedule.games(),
            engines: engines.map(|((engine, score), least)| Row::new(engine, score, *least)).collect(),
            ranking: standings.ranking(),
            pairings: pairings(&plan.schedule, &standings),
            sprt: arguments.sprt.map(|sprt| Sequential::new(sprt, &standings.pairings[0])),
            games: lines(plan, results),
            faults: faults(results),
        };
        report.exit_code = report.exit().code().into();
        report
    }

    /// The exit code of the command.
    pub fn exit(&self) -> Exit {
        let test = self.sprt.as_ref().map(|test| test.result);
        if !self.faults.is_empty() || test == Some("rejected") {
            return Exit::Findings;
        }
        match test {
            Some("accepted") => Exit::Ok,
            _ if self.games.len() < self.planned => Exit::Undecided,
            Some(_) => Exit::Findings,
            None => Exit::Ok,
        }
    }

    /// The sentence about games that are missing, if there are some.
    pub fn missing(&self) -> Option<String> {
        let (played, planned) = (self.games.len(), self.planned);
        (played < planned).then(|| format!("{played} of {planned} games were played"))
    }
}

/// A report of a match with these results, and nothing else in it.
#[cfg(test)]
pub fn example(names: &[&str], schedule: &Schedule, standings: &Standings) -> Report {
    let row = |(name, score): (&&str, &Score)| Row {
        name: (*name).to_owned(),
        command: String::new(),
        move_time: None,
        clock: None,
        nodes: None,
        results: Counts::of(score),
        least_left: None,
    };
    Report {
        schema: SCHEMA,
        version: "",
        exit_code: 0,
        tournament: "round-robin",
        most_actions: 0,
        adjudicate: None,
        budget: None,
        resign: None,
        draw: None,
        planned: 0,
        engines: names.iter().zip(&standings.engines).map(row).collect(),
        ranking: standings.ranking(),
        pairings: pairings(schedule, standings),
        sprt: None,
        games: Vec::new(),
        faults: Vec::new(),
    }
}
