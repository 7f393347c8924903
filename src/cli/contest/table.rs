//! The report of a match as text that fits a width: a list of the engines, a cross table, and what is sure.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::terminal::{cut, wrapped};
use super::report::{Counts, Pairing, Report, Row, Sequential};

/// The report as text, in lines of at most `width` characters.
pub fn text(report: &Report, width: usize) -> String {
    let mut text = String::new();
    let mut say = |sentence: &str| text += &wrapped(sentence, width);
    report.faults.iter().for_each(|fault| say(fault));
    if let ([first, second], [pairing]) = (&*report.engines, &*report.pairings) {
        for engine in [first, second].into_iter().filter(|engine| engine.name != engine.command) {
            say(&format!("{}: {}", engine.name, engine.command));
        }
        say(&against(&first.name, &second.name, pairing));
        if pairing.results.pairs.iter().sum::<u64>() > 0 {
            let [none, half, one, more, two] = pairing.results.pairs;
            let elo = elo(&pairing.results, [", between ", " and ", " in 95 of 100 cases"]);
            say(&format!("difference in Elo: {}", elo.as_deref().unwrap_or("unknown after so few games")));
            say(&format!("pairs with 0, ½, 1, 1½ and 2 points: {none}, {half}, {one}, {more} and {two}"));
        }
    } else {
        text += &list(report, width);
        text += "\n";
        text += &cross_tables(report, width);
    }
    let mut say = |sentence: &str| text += &wrapped(sentence, width);
    let left = |row: &Row| row.least_left.map(|left| format!("{} {left:.3} s", row.name));
    let left: Vec<String> = report.engines.iter().filter_map(left).collect();
    if !left.is_empty() {
        say(&format!("least time left on a clock: {}", left.join(", ")));
    }
    say(&endings(report));
    if let Some(Sequential { elo0, elo1, result, log_likelihood, bound }) = &report.sprt {
        say(&format!(
            "SPRT of Elo {elo0} and {elo1}: {result}, log-likelihood ratio {log_likelihood:+.2} (it ends at -{bound:.2} and +{bound:.2})"
        ));
    }
    report.missing().iter().for_each(|sentence| say(sentence));
    text
}

fn against(first: &str, second: &str, pairing: &Pairing) -> String {
    let Counts { wins, draws, losses, .. } = pairing.results;
    let games = pairing.results.games();
    format!("{first} against {second}: {games} games: {wins} won, {draws} drawn, {losses} lost")
}

/// The difference in Elo and its interval, with the texts before its ends and after them; `None` as long as the games say nothing of it, which
/// is so without pairs and where both ends are infinite.
fn elo(results: &Counts, [before, between, after]: [&str; 3]) -> Option<String> {
    let difference = results.elo?;
    results.elo_least.or(results.elo_most)?;
    // Adding 0 makes a positive number of -0.
    let rounded = |number: f64| format!("{:+.0}", number.round() + 0.0);
    let end = |number: Option<f64>, infinite: &str| number.map_or_else(|| infinite.to_owned(), rounded);
    let (least, most) = (end(results.elo_least, "-∞"), end(results.elo_most, "+∞"));
    Some(format!("{}{before}{least}{between}{most}{after}", rounded(difference)))
}

/// The reasons for which games ended, the most frequent first.
fn endings(report: &Report) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for game in &report.games {
        // Details stand after a colon.
        *counts.entry(game.termination.split(':').next().unwrap_or_default()).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let parts: Vec<String> = counts.iter().map(|(ending, count)| format!("{ending} {count}")).collect();
    if parts.is_empty() { String::new() } else { format!("endings: {}", parts.join(", ")) }
}

/// The names of the engines, the best first, with their ranks.
fn names(report: &Report, most: usize) -> Vec<String> {
    let ranks = report.ranking.len().to_string().len();
    let name = |(rank, &engine): (usize, &usize)| {
        let name = cut(&report.engines[engine].name, most.saturating_sub(ranks + 1));
        format!("{:>ranks$} {name}", rank + 1)
    };
    report.ranking.iter().enumerate().map(name).collect()
}

/// The columns with their titles; texts on the left, numbers on the right.
struct Columns(Vec<Vec<String>>);

impl Columns {
    fn write(&self, text: &mut String) {
        let widths: Vec<usize> = self
            .0
            .iter()
            .map(|column| column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0))
            .collect();
        for row in 0..self.0.first().map_or(0, Vec::len) {
            let mut line = String::new();
            for (index, (column, width)) in self.0.iter().zip(&widths).enumerate() {
                let cell = &column[row];
                // Writing to a string cannot fail.
                let _ = match index {
                    0 => write!(line, "{cell:<width$}"),
                    _ => write!(line, "  {cell:>width$}"),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
}

/// The engines, the best first.
fn list(report: &Report, width: usize) -> String {
    let counts: Vec<&Counts> = report.ranking.iter().map(|&engine| &report.engines[engine].results).collect();
    let column = |title: &str, cell: &dyn Fn(&Counts) -> String| {
        let cells = counts.iter().map(|counts| cell(counts));
        std::iter::once(title.to_owned()).chain(cells).collect::<Vec<String>>()
    };
    let elo = |counts: &Counts| elo(counts, [" (", " to ", ")"]).unwrap_or_else(|| "unknown".to_owned());
    let numbers = [
        column("points", &|counts| counts.points.to_string()),
        column("games", &|counts| counts.games().to_string()),
        column("results", &|Counts { wins, draws, losses, .. }| format!("+{wins} ={draws} -{losses}")),
        column("Elo", &elo),
    ];
    let longest =
        |column: &Vec<String>| 2 + column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let taken: usize = numbers.iter().map(longest).sum();
    let mut first = vec![String::new()];
    first.extend(names(report, width.saturating_sub(taken).max(LEAST_NAME)));
    let mut text = String::new();
    Columns([vec![first], numbers.into()].concat()).write(&mut text);
    text
}

/// The fewest characters for the name of an engine with its rank.
const LEAST_NAME: usize = 6;
/// The most characters for it in a cross table.
const NAME_IN_CROSS_TABLE: usize = 20;

/// The points of each engine against each other one, in as many tables as the width needs.
fn cross_tables(report: &Report, width: usize) -> String {
    let mut met: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for Pairing { first, second, results } in &report.pairings {
        let (games, points) = (results.games(), results.points);
        met.insert((*first, *second), format!("{points}/{games}"));
        met.insert((*second, *first), format!("{}/{games}", games as f64 - points));
    }
    let mut first = vec![String::new()];
    first.extend(names(report, NAME_IN_CROSS_TABLE.min(width / 3)));
    let columns = report.ranking.iter().enumerate().map(|(rank, opponent)| {
        let cell = |engine: &usize| met.get(&(*engine, *opponent)).cloned().unwrap_or_else(|| "-".to_owned());
        let cells = report.ranking.iter().map(cell);
        std::iter::once((rank + 1).to_string()).chain(cells).collect::<Vec<String>>()
    });
    let columns: Vec<Vec<String>> = columns.collect();
    let longest = |cells: &[String]| cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widest = columns.iter().map(|column| 2 + longest(column)).max().unwrap_or(1);
    let at_once = (width.saturating_sub(longest(&first)) / widest).max(1);
    let tables = columns.chunks(at_once).map(|columns| {
        let mut text = String::new();
        Columns([&[first.clone()], columns].concat()).write(&mut text);
        text
    });
    tables.collect::<Vec<String>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::report;
    use super::*;
    use worldlines::contest::{Schedule, Standings, Tournament};
    use worldlines::notation::GameResult;

    fn report(names: &[&str]) -> Report {
        let schedule = Schedule::new(names.len(), Tournament::RoundRobin, 2);
        // The engine that stands first on the command line wins, unless it has Black in the second round.
        let result = |game: usize| match (game.is_multiple_of(2), game < schedule.games() / 2) {
            (true, _) => GameResult::WhiteWins,
            (false, true) => GameResult::BlackWins,
            (false, false) => GameResult::Draw,
        };
        let results = (0..schedule.games()).map(|game| (game, Some(result(game))));
        report::example(names, &schedule, &Standings::of(&schedule, results))
    }

    #[test]
    fn engines_are_listed_by_their_points_and_met_crosswise() {
        let text = text(&report(&["Ada", "Bob", "Cy"]), 80);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "       points  games   results                   Elo");
        assert_eq!(lines[1], "1 Ada       7      8  +6 =2 -0  +338 (+193 to +1040)");
        assert_eq!(
            lines[4..8],
            ["", "           1      2      3", "1 Ada      -  3.5/4  3.5/4", "2 Bob  0.5/4      -  3.5/4"]
        );
    }

    #[test]
    fn a_difference_is_told_as_soon_as_the_games_say_something() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let schedule = Schedule::new(2, Tournament::RoundRobin, 5);
        let told = |games: &[(usize, GameResult)]| {
            let games = games.iter().map(|(game, result)| (*game, Some(*result)));
            text(&report::example(&["Ada", "Bob"], &schedule, &Standings::of(&schedule, games)), 80)
        };
        // The first pair is won by the first engine, and the first games of the others by the second one.
        let one_pair =
            [(0, WhiteWins), (1, BlackWins), (2, BlackWins), (4, BlackWins), (6, BlackWins), (8, BlackWins)];
        let text = told(&one_pair);
        assert!(
            text.contains("2 won, 0 drawn, 4 lost\ndifference in Elo: unknown after so few games"),
            "{text}"
        );
        // One end of the interval may be infinite.
        let text = told(&[(0, WhiteWins), (1, BlackWins), (2, WhiteWins), (3, Draw)]);
        assert!(
            text.contains("difference in Elo: +338, between +")
                && text.contains(" and +∞ in 95 of 100 cases"),
            "{text}"
        );
    }

    #[test]
    fn tables_keep_to_the_width_and_show_that_a_name_is_cut() {
        let names: Vec<String> = (0..20).map(|n| format!("An engine with a long name, number {n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for width in [60, 80, 200] {
            let text = text(&report(&names), width);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            assert!(text.contains('…'));
            // Every engine has met every other one.
            assert_eq!(text.matches("3.5/4").count(), 190);
        }
    }
}
