//! The report of a match.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use super::super::exit::{Exit, Failure};
use super::Arguments;
use super::kept::Results;
use worldlines::contest::Test;
use worldlines::notation::printable;

pub const SCHEMA: &str = "worldlines/match-1";

/// The report of a match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// The version of worldlines.
    version: &'static str,
    /// The name of the first engine.
    first: String,
    /// The name of the second engine.
    second: String,
    /// The exit code of the command.
    exit_code: u32,
    /// The seconds for an action; `null` with a clock.
    time_per_action: Option<f64>,
    /// The seconds for a game and the seconds added after each action, such as `60+0.5`.
    clock: Option<String>,
    nodes: Option<u64>,
    /// The number of games, with those of earlier runs.
    games: usize,
    /// The wins of the first engine.
    wins: usize,
    draws: usize,
    losses: usize,
    /// The numbers of pairs in which the first engine has 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    /// The most likely difference in Elo; `null` if it is infinite or unknown.
    elo: Option<f64>,
    /// The lower end of the 95% confidence interval.
    elo_least: Option<f64>,
    /// The upper end of the 95% confidence interval.
    elo_most: Option<f64>,
    /// The result of the sequential test: `accepted`, `rejected` or `open`.
    pub sprt: Option<&'static str>,
    /// The logarithm of the likelihood ratio: how much likelier the larger difference is.
    log_likelihood: Option<f64>,
    /// The least seconds on the clock of the first engine after an action, in the games of this run.
    least_left_first: Option<f64>,
    /// The least seconds on the clock of the second engine.
    least_left_second: Option<f64>,
    /// The games that were lost by a fault of an engine, and faults when the engines were told to quit.
    pub faults: Vec<String>,
}

impl Report {
    pub fn new(arguments: &Arguments, results: &Results) -> Report {
        let tally = results.tally();
        let elo = tally.elo();
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        let count = |wanted| results.points.values().filter(|points| **points == wanted).count();
        let test = |sprt| match tally.test(sprt) {
            Test::Accepted => "accepted",
            Test::Rejected => "rejected",
            Test::Open => "open",
        };
        let sprt = arguments.sprt.map(test);
        let seconds = |left: Option<Duration>| left.map(|left| left.as_secs_f64());
        let has_clock = arguments.clock.is_some();
        let mut report = Report {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            first: printable(&arguments.name_a),
            second: printable(&arguments.name_b),
            exit_code: 0,
            time_per_action: (!has_clock).then_some(arguments.thinking.time_per_action.as_secs_f64()),
            clock: arguments.clock.map(|clock| clock.to_string()),
            nodes: arguments.thinking.nodes,
            games: results.points.len(),
            wins: count(2),
            draws: count(1),
            losses: count(0),
            pairs: tally.pairs,
            elo: elo.and_then(|elo| finite(elo.elo)),
            elo_least: elo.and_then(|elo| finite(elo.least)),
            elo_most: elo.and_then(|elo| finite(elo.most)),
            sprt,
            log_likelihood: arguments.sprt.map(|sprt| tally.log_likelihood(sprt)),
            least_left_first: seconds(results.least_left[0]),
            least_left_second: seconds(results.least_left[1]),
            faults: results.faults.iter().map(|fault| printable(fault)).collect(),
        };
        report.exit_code = report.exit().code().into();
        report
    }

    /// The exit code of the command.
    pub fn exit(&self) -> Exit {
        let fails = !self.faults.is_empty() || self.sprt.is_some_and(|test| test != "accepted");
        if fails { Exit::Findings } else { Exit::Ok }
    }

    pub fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let Report { first, second, games, wins, draws, losses, .. } = self;
        for fault in &self.faults {
            writeln!(out, "{fault}")?;
        }
        writeln!(out, "{first} against {second}: {games} games: {wins} won, {draws} drawn, {losses} lost")?;
        if let (Some(a), Some(b)) = (self.least_left_first, self.least_left_second) {
            writeln!(out, "least time left on a clock: {first} {a:.3} s, {second} {b:.3} s")?;
        }
        let shown = |number: Option<f64>, end| number.map_or(end, |number| format!("{number:+.0}"));
        if self.pairs.iter().sum::<u64>() > 0 {
            let better = wins > losses;
            let elo = shown(self.elo, if better { "+∞" } else { "-∞" }.to_owned());
            let (least, most) = (shown(self.elo_least, "-∞".into()), shown(self.elo_most, "+∞".into()));
            writeln!(
                out,
                "Elo {elo}, between {least} and {most} in 95 of 100 cases; pairs: {:?}",
                self.pairs
            )?;
        }
        if let (Some(test), Some(llr)) = (self.sprt, self.log_likelihood) {
            writeln!(out, "SPRT: {test}, log-likelihood {llr:+.2}")?;
        }
        Ok(())
    }
}
