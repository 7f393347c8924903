//! The games of a match: their results so far, and the file that keeps them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use super::super::exit::Failure;
use super::super::files::{self, shown};
use super::Arguments;
use worldlines::contest::{Ending, Played, Tally};
use worldlines::notation::{Game, GameResult, games, pgn5d, printable};
use worldlines::types::Color;

/// The result of a game, for the first engine, in half points.
fn half_points(result: Option<GameResult>, is_white: bool) -> usize {
    match (result, is_white) {
        (Some(GameResult::WhiteWins), true) | (Some(GameResult::BlackWins), false) => 2,
        (Some(GameResult::Draw), _) => 1,
        _ => 0,
    }
}

/// The results of the games so far.
#[derive(Default)]
pub struct Results {
    /// Half points of the first engine, by the number of the game from 0. In games with an even number it has
    /// White.
    pub points: BTreeMap<usize, usize>,
    pub faults: Vec<String>,
    /// The least time that a clock has shown after an action in the games of this run: for the first engine
    /// and for the second.
    pub least_left: [Option<Duration>; 2],
    /// The games in 5DPGN.
    text: String,
    pub failure: Option<String>,
}

impl Results {
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (game, first) in self.points.iter().filter(|(game, _)| *game % 2 == 0) {
            if let Some(second) = self.points.get(&(game + 1)) {
                tally.add(first + second);
            }
        }
        tally
    }
}

impl Arguments {
    /// The results of the games that an earlier run has kept.
    pub(super) fn played(&self) -> Result<Results, Failure> {
        let mut results = Results::default();
        let Some(path) = self.out.as_deref().filter(|path| path.exists()) else { return Ok(results) };
        let wrong = |why: &str| Failure::new(format_args!("{} cannot be gone on with: {why}", shown(path)));
        let bytes = files::read(path).map_err(|error| wrong(&error.to_string()))?;
        results.text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8"))?;
        for part in games(&results.text).into_iter().filter(|part| !part.of(&results.text).trim().is_empty())
        {
            let game = pgn5d::parse(part.of(&results.text)).into_result();
            let game = game.map_err(|error| wrong(&error.issue().message))?;
            let header =
                |name: &str| game.headers.iter().find(|(key, _)| key == name).map(|(_, value)| &**value);
            let number = header("Round").and_then(|round| round.parse::<usize>().ok()).filter(|n| *n > 0);
            let is_white = header("White") == Some(&self.name_a) && header("Black") == Some(&self.name_b);
            let is_black = header("White") == Some(&self.name_b) && header("Black") == Some(&self.name_a);
            let (control, value) = self.time_control();
            let [per_action, clock] = ["TimePerAction", "TimeControl"].map(header);
            if header(control) != Some(&value) || (per_action.is_some() && clock.is_some()) {
                let there = per_action.map(|time| format!("{time} s for an action"));
                let there = there.or(clock.map(|clock| format!("the clock {clock}")));
                let there = there.unwrap_or_else(|| "no time control".to_owned());
                return Err(wrong(&format!(
                    "its games were played with {there}; this match has {control} {value}"
                )));
            }
            let Some(number) = number.filter(|number| if number % 2 == 1 { is_white } else { is_black })
            else {
                return Err(wrong("it has games of other engines, or in another order"));
            };
            results.points.insert(number - 1, half_points(game.result, is_white));
        }
        Ok(results)
    }

    /// Records a game, and writes the file.
    pub(super) fn keep(&self, results: &mut Results, number: usize, is_white: bool, played: Played) {
        let Played { mut game, before, said, ending, transcript } = played;
        let names = [&self.name_a, &self.name_b];
        let [white, black] = if is_white { names } else { [names[1], names[0]] };
        results.points.insert(number, half_points(game.result, is_white));
        let headers = [
            ("White", white.clone()),
            ("Black", black.clone()),
            ("Round", (number + 1).to_string()),
            self.time_control(),
            ("Termination", printable(&ending.to_string()).replace('"', "'")),
        ];
        game.headers = headers.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        if let Ending::Fault(fault) = &ending {
            let loser = if game.result == Some(GameResult::WhiteWins) { black } else { white };
            results.faults.push(format!("game {}: {loser}: {}: {fault}", number + 1, fault.name()));
            if let Some(folder) = &self.transcripts {
                let path = folder.join(format!("game-{}.txt", number + 1));
                let written = std::fs::create_dir_all(folder)
                    .and_then(|()| std::fs::write(&path, transcript.join("\n") + "\n"));
                if let Err(error) = written {
                    results.failure = Some(format!("cannot write {}: {error}", shown(&path)));
                }
            }
        }
        let begins_white = game.start.to_move() == Color::White;
        for (index, said) in (before..).zip(&said) {
            let is_first = (index.is_multiple_of(2) == begins_white) == is_white;
            let least = &mut results.least_left[usize::from(!is_first)];
            *least = [*least, said.left].into_iter().flatten().min();
        }
        let comments = said.iter().map(|said| {
            let mate = said.mate.map(|mate| format!(", mate {mate}")).unwrap_or_default();
            let clock = said.left.map(|left| format!(" [%clk {}]", clock_text(left))).unwrap_or_default();
            format!("{:.3} s{mate}{clock}", said.time.as_secs_f64())
        });
        let text = with_comments(&game, before, comments);
        let separator = if results.text.is_empty() { "" } else { "\n" };
        let _ = write!(results.text, "{separator}{text}");
        if let Some(path) = &self.out {
            // The file is replaced as a whole: if the run is interrupted meanwhile, the old one stays.
            if let Err(error) = replace(path, &results.text) {
                results.failure = Some(format!("cannot write {}: {error}", shown(path)));
            }
        }
    }
}

/// The time on a clock, as PGN writes it: hours, minutes and seconds.
fn clock_text(left: Duration) -> String {
    let (seconds, milliseconds) = (left.as_secs(), left.subsec_millis());
    format!("{}:{:02}:{:02}.{milliseconds:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A game as 5DPGN, with a comment after each action that was played after the first `before` ones.
fn with_comments(game: &Game, before: usize, comments: impl Iterator<Item = String>) -> String {
    let mut game = game.clone();
    for (after, comment) in (before + 1..).zip(comments) {
        game.notes.entry(after).or_default().comments.push(comment);
    }
    pgn5d::write(&game, pgn5d::Marks::default()).into_text()
}

fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_times_are_comments_that_can_be_read() {
        assert_eq!(clock_text(Duration::from_millis(3_723_045)), "1:02:03.045");
        let game = pgn5d::parse("1. e4 / e5 2. Nf3").into_result().unwrap();
        let comments = ["0.100 s [%clk 0:00:09.900]".to_owned(), "0.200 s, mate 2".to_owned()];
        let text = with_comments(&game, 1, comments.into_iter());
        assert!(text.contains("e7e5 {0.100 s [%clk 0:00:09.900]}"), "{text}");
        let read = pgn5d::parse(&text).into_result().unwrap();
        assert_eq!(read.actions, game.actions);
    }
}
