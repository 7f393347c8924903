//! The games of a match: their results so far, and the file that keeps them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use super::super::exit::Failure;
use super::super::files::{self, shown};
use super::plan::Plan;
use worldlines::contest::{Ending, Fixture, Played, Standings};
use worldlines::notation::{Game, GameResult, games, pgn5d, printable};
use worldlines::types::Color;

/// A finished game.
pub struct Kept {
    pub result: Option<GameResult>,
    /// The reason for its end.
    pub termination: String,
    /// The number of its actions, with those of the opening.
    pub actions: usize,
    /// The game in 5DPGN.
    text: String,
}

/// The results of the games so far.
pub struct Results {
    /// The games, by number from 0.
    pub games: BTreeMap<usize, Kept>,
    /// The faults that lost games of this run, by number.
    pub faults: BTreeMap<usize, String>,
    /// The faults when engines were told to quit.
    pub late_faults: Vec<String>,
    /// The least time that a clock has shown after an action of each engine, in the games of this run.
    pub least_left: Vec<Option<Duration>>,
    /// The reason why games can no longer be kept.
    pub failure: Option<String>,
}

/// The headers about time.
const TIME_HEADERS: [&str; 6] = [
    "TimePerAction",
    "TimeControl",
    "WhiteTimePerAction",
    "WhiteTimeControl",
    "BlackTimePerAction",
    "BlackTimeControl",
];

fn header<'g>(game: &'g Game, name: &str) -> Option<&'g str> {
    game.headers.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
}

impl Results {
    /// The games that an earlier run has kept in this file. There are none if it does not exist.
    pub fn of_file(path: Option<&Path>, plan: &Plan) -> Result<Results, Failure> {
        let mut results = Results {
            games: BTreeMap::new(),
            faults: BTreeMap::new(),
            late_faults: Vec::new(),
            least_left: vec![None; plan.engines.len()],
            failure: None,
        };
        let Some(path) = path.filter(|path| path.exists()) else { return Ok(results) };
        let wrong = |why: &str| Failure::new(format_args!("{} cannot be gone on with: {why}", shown(path)));
        let bytes = files::read(path).map_err(|error| wrong(&error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8"))?;
        for part in games(&text).into_iter().map(|part| part.of(&text)).filter(|part| !part.trim().is_empty()) {
            let game = pgn5d::parse(part).into_result().map_err(|error| wrong(&error.issue().message))?;
            let number = number_of(&game, plan).map_err(|why| wrong(&why))?;
            let kept = Kept {
                result: game.result,
                termination: header(&game, "Termination").unwrap_or_default().to_owned(),
                actions: game.actions.len(),
                text: part.trim_end().to_owned() + "\n",
            };
            if results.games.insert(number, kept).is_some() {
                return Err(wrong(&format!("it has two games with the number {}", number + 1)));
            }
        }
        Ok(results)
    }

    pub fn standings(&self, plan: &Plan) -> Standings {
        Standings::of(&plan.schedule, self.games.iter().map(|(number, game)| (*number, game.result)))
    }

    /// The text of the file that keeps the games.
    fn text(&self) -> String {
        let texts: Vec<&str> = self.games.values().map(|game| &*game.text).collect();
        texts.join("\n")
    }

    /// Records a game, and writes the file and the transcript.
    pub fn keep(
        &mut self,
        plan: &Plan,
        number: usize,
        played: Played,
        output: Option<&Path>,
        transcripts: Option<&Path>,
    ) {
        if let Ending::Fault(fault) = &played.ending {
            let Fixture { white, black, .. } = plan.schedule.fixture(number);
            let loser = if played.game.result == Some(GameResult::WhiteWins) { black } else { white };
            let (loser, name) = (&plan.engines[loser].name, fault.name());
            self.faults.insert(number, format!("game {}: {loser}: {name}: {fault}", number + 1));
            if let Some(folder) = transcripts {
                let path = folder.join(format!("game-{}.txt", number + 1));
                let text = played.transcript.join("\n") + "\n";
                let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
                self.note_failure(&path, written);
            }
        }
        self.note_clocks(plan, number, &played);
        self.games.insert(number, kept(plan, number, played));
        if let Some(path) = output {
            // The file is replaced as a whole: if the run is interrupted meanwhile, the old one stays.
            self.note_failure(path, replace(path, &self.text()));
        }
    }

    fn note_failure(&mut self, path: &Path, written: std::io::Result<()>) {
        if let Err(error) = written {
            self.failure = Some(format!("cannot write {}: {error}", shown(path)));
        }
    }

    fn note_clocks(&mut self, plan: &Plan, number: usize, played: &Played) {
        let Fixture { white, black, .. } = plan.schedule.fixture(number);
        let begins_white = played.game.start.to_move() == Color::White;
        for (index, said) in (played.before..).zip(&played.said) {
            let is_white = index.is_multiple_of(2) == begins_white;
            let least = &mut self.least_left[if is_white { white } else { black }];
            *least = [*least, said.left].into_iter().flatten().min();
        }
    }
}

/// The number of a kept game, from 0. Fails if the match has no such game.
fn number_of(game: &Game, plan: &Plan) -> Result<usize, String> {
    let round = header(game, "Round").and_then(|round| round.parse::<usize>().ok());
    let numbered = round.filter(|round| *round > 0).map(|round| round - 1);
    let names = |fixture: Fixture| [fixture.white, fixture.black].map(|engine| Some(&*plan.engines[engine].name));
    let found = numbered.map(|number| (number, plan.schedule.fixture(number)));
    let found = found.filter(|(_, fixture)| names(*fixture) == [header(game, "White"), header(game, "Black")]);
    let Some((number, fixture)) = found else {
        return Err("it has games of other engines, or in another order".to_owned());
    };
    let listed = |headers: &[(String, String)]| {
        let all = headers.iter().filter(|(key, _)| TIME_HEADERS.contains(&key.as_str()));
        let all: Vec<String> = all.map(|(key, value)| format!("{key} {value}")).collect();
        if all.is_empty() { "no time control".to_owned() } else { all.join(" and ") }
    };
    let (there, here) = (listed(&game.headers), listed(&plan.time_headers(fixture.white, fixture.black)));
    if there != here {
        return Err(format!("its games were played with {there}; this match has {here}"));
    }
    let opening = plan.opening(fixture.round);
    if game.start != opening.start || !game.actions.starts_with(&opening.actions) {
        return Err(format!("its game {} has another opening", number + 1));
    }
    Ok(number)
}

/// A game with its headers, as the file keeps it.
fn kept(plan: &Plan, number: usize, played: Played) -> Kept {
    let Played { mut game, before, said, ending, .. } = played;
    let Fixture { white, black, .. } = plan.schedule.fixture(number);
    let termination = printable(&ending.to_string()).replace('"', "'");
    let [white_name, black_name] = [white, black].map(|engine| plan.engines[engine].name.clone());
    let own = |key: &str, value: String| (key.to_owned(), value);
    game.headers =
        vec![own("White", white_name), own("Black", black_name), own("Round", (number + 1).to_string())];
    game.headers.extend(plan.time_headers(white, black));
    game.headers.push(own("Termination", termination.clone()));
    let comments = said.iter().map(|said| {
        let mate = said.mate.map(|mate| format!(", mate {mate}")).unwrap_or_default();
        let clock = said.left.map(|left| format!(" [%clk {}]", clock_text(left))).unwrap_or_default();
        format!("{:.3} s{mate}{clock}", said.time.as_secs_f64())
    });
    let text = with_comments(&game, before, comments);
    Kept { result: game.result, termination, actions: game.actions.len(), text }
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
    let mut file = tempfile::NamedTempFile::new_in(files::parent(path))?;
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
