//! The games of a match: their results so far, and the file that keeps them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::super::exit::Failure;
use super::super::files::{self, shown};
use super::plan::{Plan, is_setting};
use worldlines::contest::{Ending, Fixture, Played, Standings, Test};
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
    pub failure: Option<Failure>,
}

/// The header with the number of actions that the opening of a game has.
const OPENING_ACTIONS: &str = "OpeningActions";

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
        let text = files::text(path, files::MAX_REPORT)?;
        for part in games(&text).into_iter().map(|part| part.of(&text)).filter(|part| !part.trim().is_empty())
        {
            let game = pgn5d::parse(part).into_result().map_err(|error| wrong(&error.issue.message))?;
            let number = number_of(&game, plan).map_err(|why| wrong(&why))?;
            let kept = Kept {
                result: game.result,
                termination: game.header("Termination").unwrap_or_default().to_owned(),
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

    /// Whether the sequential test of the match, if it has one, needs no more games.
    pub fn is_decided(&self, plan: &Plan) -> bool {
        plan.sprt.is_some_and(|sprt| self.standings(plan).pairings[0].tally.test(sprt) != Test::Open)
    }

    /// Whether no more games are to be played.
    pub fn is_over(&self, plan: &Plan) -> bool {
        self.failure.is_some() || self.is_decided(plan)
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
                self.note_failure(files::create_folder(folder).and_then(|()| files::replace(&path, text)));
            }
        }
        self.note_clocks(plan, number, &played);
        self.games.insert(number, kept(plan, number, played));
        if let Some(path) = output {
            // The file is replaced as a whole: if the run is interrupted meanwhile, the old one stays.
            self.note_failure(files::replace(path, self.text()));
        }
    }

    fn note_failure(&mut self, written: Result<(), Failure>) {
        self.failure = self.failure.take().or(written.err());
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
    let round = game.header("Round").and_then(|round| round.parse::<usize>().ok()).filter(|round| *round > 0);
    let Some((round, number)) = round.map(|round| (round, round - 1)) else {
        return Err("it has games without a number in the header Round".to_owned());
    };
    let planned = plan.schedule.games();
    if number >= planned {
        return Err(format!(
            "it has a game {round}, and this match has {planned} games; --games asks for more"
        ));
    }
    let fixture = plan.schedule.fixture(number);
    let names = [fixture.white, fixture.black].map(|engine| Some(&*plan.engines[engine].name));
    if names != [game.header("White"), game.header("Black")] {
        return Err("it has games of other engines, or in another order".to_owned());
    }
    let opening = plan.opening(fixture.round);
    let has_length = game.header(OPENING_ACTIONS) == Some(&*opening.actions.len().to_string());
    if game.start != opening.start || !has_length || !game.actions.starts_with(&opening.actions) {
        return Err(format!("its game {round} has another opening"));
    }
    compare_settings(round, game, &plan.settings(fixture))?;
    Ok(number)
}

/// Refuses a kept game that was played with other settings than these.
fn compare_settings(round: usize, game: &Game, settings: &[(String, String)]) -> Result<(), String> {
    let kept: Vec<_> = game.headers.iter().filter(|(key, _)| is_setting(key)).cloned().collect();
    let only = |these: &[(String, String)], those: &[(String, String)]| {
        let others = these.iter().filter(|setting| !those.contains(setting));
        let others: Vec<String> = others.map(|(key, value)| format!("{key} {}", printable(value))).collect();
        if others.is_empty() { "no such setting".to_owned() } else { others.join(", ") }
    };
    if kept.len() == settings.len() && settings.iter().all(|setting| kept.contains(setting)) {
        return Ok(());
    }
    let (there, here) = (only(&kept, settings), only(settings, &kept));
    Err(format!("its game {round} was played with {there}; this match has {here}"))
}

/// A game with its headers, as the file keeps it.
fn kept(plan: &Plan, number: usize, played: Played) -> Kept {
    let Played { mut game, before, said, ending, .. } = played;
    let fixture = plan.schedule.fixture(number);
    let termination = printable(&ending.to_string()).replace('"', "'");
    let [white, black] = [fixture.white, fixture.black].map(|engine| plan.engines[engine].name.clone());
    let own = |key: &str, value: String| (key.to_owned(), value);
    game.headers = vec![own("White", white), own("Black", black), own("Round", (number + 1).to_string())];
    game.headers.push(own(OPENING_ACTIONS, before.to_string()));
    game.headers.extend(plan.settings(fixture));
    game.headers.push(own("Termination", termination.clone()));
    let comments = said.iter().map(|said| {
        let score = said.score.map(|score| format!(", {score}")).unwrap_or_default();
        let clock = said.left.map(|left| format!(" [%clk {}]", clock_text(left))).unwrap_or_default();
        format!("{:.3} s{score}{clock}", said.time.as_secs_f64())
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

#[cfg(test)]
mod tests {
    use super::super::entrant::{Control, Entrant};
    use super::super::plan::Engine;
    use super::*;
    use worldlines::contest::{Conduct, Draw, Proof, Resign, Schedule, Tournament};
    use worldlines::search::Budget;

    /// A match of two engines from this opening, with so many rounds.
    fn plan(opening: &str, rounds: usize) -> Plan {
        let control = Control::MoveTime(Duration::from_secs(1));
        let engine = |index| Engine::new(index, Entrant::default(), control, Some(100));
        Plan {
            engines: vec![engine(0), engine(1)],
            schedule: Schedule::new(2, Tournament::RoundRobin, rounds),
            openings: vec![pgn5d::parse(opening).into_result().unwrap()],
            conduct: Conduct { most_actions: 200, proof: None, resign: None, draw: None },
            sprt: None,
        }
    }

    /// The text of a game of this match that White has won by a fault of Black.
    fn kept_text(plan: &Plan, number: usize) -> String {
        let game = Game { result: Some(GameResult::WhiteWins), ..plan.openings[0].clone() };
        let before = game.actions.len();
        let (said, ending, transcript) = (Vec::new(), Ending::Length, Vec::new());
        kept(plan, number, Played { game, before, said, ending, transcript }).text
    }

    #[test]
    fn a_game_of_another_match_is_refused_with_the_difference() {
        let here = plan("1. e4 / e5", 2);
        let number =
            |plan: &Plan| number_of(&pgn5d::parse(&kept_text(&here, 2)).into_result().unwrap(), plan);
        assert_eq!(number(&here), Ok(2));
        let changed = |change: &dyn Fn(&mut Plan)| {
            let mut plan = plan("1. e4 / e5", 2);
            change(&mut plan);
            number(&plan).unwrap_err()
        };
        assert_eq!(number(&plan("1. e4", 2)).unwrap_err(), "its game 3 has another opening");
        assert_eq!(number(&plan("1. e4 / e5 2. Nf3", 2)).unwrap_err(), "its game 3 has another opening");
        assert_eq!(
            number(&plan("1. e4 / e5", 1)).unwrap_err(),
            "it has a game 3, and this match has 2 games; --games asks for more"
        );
        assert_eq!(
            changed(&|plan| plan.conduct.most_actions = 100),
            "its game 3 was played with MostActions 200; this match has MostActions 100"
        );
        let proof = Some(Proof { mate_in: 2, budget: Budget::steps(5_000) });
        assert_eq!(
            changed(&|plan| plan.conduct.proof = proof),
            "its game 3 was played with no such setting; this match has Adjudicate 2, Budget 5000"
        );
        let resign = Some(Resign { score: 600, actions: 3, two_sided: true });
        let found = changed(&|plan| plan.conduct.resign = resign);
        assert!(found.ends_with("this match has Resign score=600 actions=3 two-sided"), "{found}");
        let draw = Some(Draw { score: 10, actions: 8, after: 40 });
        let found = changed(&|plan| plan.conduct.draw = draw);
        assert!(found.ends_with("this match has Draw score=10 actions=8 after=40"), "{found}");
        assert_eq!(
            changed(&|plan| plan.engines[1].nodes = None),
            "its game 3 was played with Nodes 100; this match has WhiteNodes 100"
        );
        let threads = |plan: &mut Plan| {
            for engine in &mut plan.engines {
                engine.settings.options.push(("Threads".to_owned(), Some("2".to_owned())));
            }
        };
        assert!(changed(&threads).ends_with("this match has Options Threads=2"), "{}", changed(&threads));
        assert!(changed(&|plan| plan.engines[0].name = "Z".to_owned()).contains("other engines"));
    }

    #[test]
    fn a_file_of_many_games_is_read_to_its_end() {
        let plan = plan("1. e4", 2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.5dpgn");
        let texts: Vec<String> = (0..4).map(|number| kept_text(&plan, number)).collect();
        std::fs::write(&path, texts.join(&"\n".repeat(6 << 20))).unwrap();
        assert_eq!(Results::of_file(Some(&path), &plan).unwrap().games.len(), 4);
    }

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
