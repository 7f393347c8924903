//! `worldlines play`: a game against an engine, or a puzzle to solve.

mod course;
mod entry;
mod lines;
mod progress;
mod puzzle;

use std::io::Write;
use std::path::{Path, PathBuf};

use super::command::Command;
use super::contest::Thinking;
use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::input::{self, Proving};
use super::output::Format;
use super::terminal::{self, say};
use super::{notation, shipped, source, verify};
use entry::{Entry, Said};
use lines::Lines;
use puzzle::Ended;
use worldlines::contest::{Ending, over};
use worldlines::host::{Limits, Player, Score, Settings};
use worldlines::notation::pgn5d::{self, Marks, action_text};
use worldlines::notation::{Game, GameResult, printable};
use worldlines::puzzle::{Document, Goal, load};
use worldlines::render::{Frame, text};
use worldlines::state::Position;
use worldlines::types::{Action, Color};

/// Play a game against an engine at the terminal, or solve a puzzle
///
/// Enter moves, in any spelling that the other commands read, or a command; `help` lists the commands. An
/// action is over when you cannot move from any board any more, or when you enter `submit`. In a puzzle, a
/// wrong action is refuted on the board and undone, each `hint` reveals more, and any mate is accepted.
/// Solved puzzles are remembered in `worldlines/progress.json` in the folder $XDG_STATE_HOME, or
/// ~/.local/state.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines play
  worldlines play Small --as black
  worldlines play my-game.5dpgn --against '5dchess mcts' --whole-actions --move-time 5
  worldlines play puzzles/promotion/stay-a-pawn.yaml
  worldlines play --course
  worldlines play --course --lesson 12
  worldlines play --daily
  worldlines play --next
  worldlines play puzzles/first-steps

START is a variant, or a file with one game or position in any notation, which goes on from its end, or a puzzle, as FILE#ID if the file
holds several.

Exit codes: 0 the game is over, or was left, or the puzzle is solved, 1 the engine lost by its own fault, or the puzzle was left, 2 the
engine or START cannot be used.")]
pub struct Arguments {
    /// Start of the game: a variant, or a file with one game; or a puzzle to solve, as a file or the id of a shipped one; or a folder of
    /// puzzles, of which the first one that you have not solved comes
    #[arg(value_name = "START", default_value = "Standard")]
    start: String,
    /// Solve the puzzle of today, or of another day, from the puzzles that are part of the program
    #[arg(long, value_name = "DAY", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["start", "against"])]
    daily: Option<String>,
    /// Solve the next puzzle that you have not solved yet, of those that are part of the program: the lessons in their order, then the
    /// easiest
    #[arg(long, conflicts_with_all = ["start", "against", "daily"])]
    next: bool,
    /// Learn the game: the lessons of the course that you have not solved yet, one after another
    #[arg(long, conflicts_with_all = ["start", "against", "daily", "next"])]
    course: bool,
    /// Begin the course with this lesson: its number or its id
    #[arg(long, value_name = "LESSON", requires = "course")]
    lesson: Option<String>,
    /// Notation of START [default: detected]
    #[arg(long, value_name = "NOTATION", value_parser = notation::notation(), conflicts_with_all = ["daily", "next", "course"])]
    from: Option<notation::Notation>,
    /// File that remembers which puzzles you have solved [default: worldlines/progress.json in the folder for state]
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
    /// The command of the engine, which speaks 5DUCI [default: worldlines engine]
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
    /// Your colour
    #[arg(long = "as", value_name = "COLOUR", default_value = "white")]
    you: notation::Player,
    #[command(flatten)]
    thinking: Thinking,
    /// The engine names all moves of an action at once and does not say `submit`
    #[arg(long)]
    whole_actions: bool,
    /// Set an option of the engine, such as Seed=5; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = input::engine_option)]
    option: Vec<(String, Option<String>)>,
    #[command(flatten)]
    proving: Proving,
}

const HELP: &str = "\
e2e4, Nf3, (0T3)Nf3>>(0T2)f5 …   moves; several in one line are made one after another
submit                           end your action
undo                             take back the last move, or else your last action and the answer to it
board                            draw the boards, with the moves that you have made
moves                            list the moves that can come next
pieces                           the letters of the pieces, and how each one moves
save FILE                        write the game as 5DPGN into a new file
resign                           lose the game
quit                             leave the game; so does the end of the input
";

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        if self.course {
            let mut progress = progress::Progress::load(self.progress.as_deref());
            let lessons = course::Course::of(shipped_documents());
            return lessons.learn(self, &mut progress, &mut Lines::of_user(), out);
        }
        if let Some(day) = &self.daily {
            return solve(&daily(day)?, self, out);
        }
        if self.next {
            return solve(&next(shipped_documents(), self)?, self, out);
        }
        if Path::new(&self.start).is_dir() {
            let mut documents = Vec::new();
            for file in verify::files(&[PathBuf::from(&self.start)])? {
                documents.extend(verify::load_file(&file)?);
            }
            return solve(&next(documents, self)?, self, out);
        }
        let is_puzzle = || self.from.is_none() && source::is_puzzle(&self.start);
        if self.start != files::STDIN && is_puzzle() {
            return solve(&source::document(&self.start)?, self, out);
        }
        let game = start(&self.start, self.from)?;
        let command = match &self.against {
            Some(command) => command.clone(),
            None => own_engine()?,
        };
        let settings = Settings {
            options: self.option.clone(),
            whole_actions: self.whole_actions,
            ..Settings::default()
        };
        let player = Player::new(&command, &settings);
        let player = player.map_err(|error| Failure::new(printable(&error.to_string())))?;
        let (time, nodes) = (self.thinking.move_time, self.thinking.nodes);
        Table {
            entry: Entry::new(&game),
            before: game.actions.len(),
            game,
            player,
            limits: Limits { time, nodes, mate: None },
            you: self.you.color(),
            engine: self.against.clone().unwrap_or_else(|| "worldlines engine".to_owned()),
            out,
        }
        .run(&mut Lines::of_user())
    }

    fn format(&self) -> Format {
        Format::Text
    }
}

/// Lets the user solve a puzzle, and remembers the result.
fn solve(document: &Document, arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut progress = progress::Progress::load(arguments.progress.as_deref());
    let lines = &mut Lines::of_user();
    let ended = puzzle::play(document, &arguments.proving, &mut progress, lines, out)?;
    out.flush()?;
    progress.save()?;
    Ok(if ended == Ended::Solved { Exit::Ok } else { Exit::Findings })
}

/// The puzzles of the day, in their order; `puzzles/daily` makes the list.
const DAILY: &str = include_str!("../../puzzles/daily.txt");

/// The puzzle of a day: each of the list comes once before any comes again. The board in the browser has the same.
fn daily(day: &str) -> Result<Document, Failure> {
    let day = if day.is_empty() { progress::today() } else { day.to_owned() };
    let number = progress::day_of(&day).map_err(Failure::new)?;
    let number = number.rem_euclid(DAILY.lines().count() as i64) as usize;
    let id = DAILY.lines().nth(number).expect("the number of a line");
    let found = shipped_documents().into_iter().find(|document| document.id == id);
    found.ok_or_else(|| Failure::new(format_args!("no puzzle {id} is part of this program")))
}

/// The puzzles that are part of the program.
fn shipped_documents() -> Vec<Document> {
    shipped::all().flat_map(|(name, text)| load(name, text)).collect()
}

/// Whether single actions of a solver can be judged.
fn can_be_played(document: &Document) -> bool {
    let goal = document.puzzle.as_ref().map(|puzzle| &puzzle.goal.value);
    matches!(goal, Ok(Goal::MateIn(_) | Goal::Survive(_) | Goal::OnlyDefence(_) | Goal::SelfmateIn(_)))
}

/// The first puzzle that is not solved yet: a lesson, or else the easiest, and of those the first in the order of the files.
fn next(documents: Vec<Document>, arguments: &Arguments) -> Result<Document, Failure> {
    let progress = progress::Progress::load(arguments.progress.as_deref());
    let mut open: Vec<Document> = documents.into_iter().filter(can_be_played).collect();
    let all = open.len();
    open.retain(|document| progress.solved(&document.id).is_none());
    // Whoever begins learns first: lessons in their order, then puzzles by difficulty.
    let grade = |document: &Document| {
        let puzzle = document.puzzle.as_ref().ok();
        let lesson = puzzle
            .and_then(|puzzle| puzzle.lesson.as_ref())
            .map(|lesson| u64::from(lesson.value.number.value));
        let grade = puzzle
            .and_then(|puzzle| puzzle.difficulty.as_ref())
            .map_or(u64::MAX, |grade| u64::from(grade.value));
        (lesson.is_none(), lesson.unwrap_or(grade))
    };
    let hardest_last = |one: &Document, other: &Document| grade(one).cmp(&grade(other));
    open.sort_by(hardest_last);
    if open.is_empty() {
        let why =
            if all == 0 { "there is no puzzle that can be played" } else { "you have solved all of them" };
        return Err(Failure::new(why));
    }
    say(&format!("note: {} of {all} puzzles are solved", all - open.len()));
    Ok(open.swap_remove(0))
}

/// The one game of START.
fn start(name: &str, from: Option<notation::Notation>) -> Result<Game, Failure> {
    if name == files::STDIN {
        return Err(Failure::new("standard input holds what you say, so START needs a file"));
    }
    let mut games = source::starts(name, from)?;
    match (games.pop(), games.len()) {
        (Some(game), 0) => Ok(game),
        (_, others) => {
            let why = format_args!(
                "{} holds {} games; `play` takes a file with one",
                shown(Path::new(name)),
                others + 1
            );
            Err(Failure::new(why))
        }
    }
}

/// The command that starts this program as an engine.
fn own_engine() -> Result<String, Failure> {
    let program = std::env::current_exe();
    let program = program.map_err(|error| Failure::new(format_args!("cannot find this program: {error}")))?;
    Ok(shell_words::join([&*program.to_string_lossy(), "engine"]))
}

/// A game in progress.
struct Table<'a> {
    game: Game,
    /// The number of actions before the game was continued here.
    before: usize,
    /// The action that you are entering.
    entry: Entry,
    player: Player,
    limits: Limits,
    you: Color,
    engine: String,
    out: &'a mut dyn Write,
}

/// The continuation of a game after a line of input.
enum Next {
    /// The game goes on with the next action.
    On,
    Over(GameResult),
    /// The user has left.
    Left,
}

impl Table<'_> {
    fn run(mut self, lines: &mut Lines<'_>) -> Result<Exit, Failure> {
        let you = self.you.name();
        writeln!(
            self.out,
            "You are {you} against {}. `help` lists what you can say.",
            printable(&self.engine)
        )?;
        let mut fault = self.player.new_game().err();
        let mut shows = true;
        loop {
            let position = self.game.end();
            if let Some((result, ending)) = over(&position) {
                draw(&self.game.end(), self.out)?;
                writeln!(self.out, "{ending}: {}", said(result, self.you))?;
                self.game.result = Some(result);
                // The search was undecided, which is no result of the game.
                if ending == Ending::Undecided {
                    self.game.result = None;
                }
                break;
            }
            if let Some(fault) = &fault {
                let result = won_by(self.you);
                writeln!(self.out, "the engine has lost by its own fault: {}: {fault}", fault.name())?;
                self.game.result = Some(result);
                break;
            }
            if position.to_move() != self.you {
                match self.player.turn(&self.game, self.limits) {
                    Ok(turn) => {
                        let mate = turn
                            .score
                            .and_then(Score::mate)
                            .map(|mate| format!(" (it announces mate in {mate})"));
                        let text = action_text(&position, &turn.action);
                        writeln!(self.out, "{}: {text}{}", self.number(), mate.unwrap_or_default())?;
                        self.push(turn.action);
                    }
                    Err(wrong) => fault = Some(wrong),
                }
                shows = true;
                continue;
            }
            if std::mem::take(&mut shows) {
                draw(&self.game.end(), self.out)?;
            }
            match self.ask(lines)? {
                Next::On => {}
                Next::Over(result) => {
                    writeln!(self.out, "{}", said(result, self.you))?;
                    self.game.result = Some(result);
                    break;
                }
                Next::Left => break,
            }
        }
        self.named();
        write!(self.out, "\n{}", self.text())?;
        let exit = if fault.is_some() { Exit::Findings } else { Exit::Ok };
        // A failure to quit does not concern the game.
        let _ = self.player.quit();
        Ok(exit)
    }

    /// The number of the next action.
    fn number(&self) -> String {
        input::position_name(self.game.actions.len(), self.game.start.to_move()).at
    }

    fn push(&mut self, action: Action) {
        self.game.actions.push(action);
        self.entry = Entry::new(&self.game);
    }

    /// Reads a line and does what it asks.
    fn ask(&mut self, lines: &mut Lines<'_>) -> Result<Next, Failure> {
        let number = self.number();
        let Some(line) = lines.ask(&self.entry.prompt(&number), self.out)? else { return Ok(Next::Left) };
        match Said::of(&line) {
            Said::Nothing => {}
            Said::Help => self.out.write_all(HELP.as_bytes())?,
            Said::Board => draw(self.entry.position(), self.out)?,
            Said::Pieces => {
                self.entry.listed_pieces().iter().try_for_each(|line| writeln!(self.out, "{line}"))?
            }
            Said::Moves => {
                self.entry.listed_moves().iter().try_for_each(|line| writeln!(self.out, "{line}"))?
            }
            Said::Save(file) => self.save(file)?,
            Said::Resign => return Ok(Next::Over(won_by(!self.you))),
            Said::Quit => return Ok(Next::Left),
            Said::Undo => self.undo()?,
            Said::Submit => self.submit()?,
            Said::Hint | Said::Solution => writeln!(
                self.out,
                "puzzles have hints and solutions, a game has not; `moves` lists the moves"
            )?,
            Said::Moved(text) => match self.entry.add(text) {
                Ok(true) => self.submit()?,
                Ok(false) => writeln!(self.out, "{}", self.entry.way_on())?,
                Err(why) => writeln!(self.out, "{}", printable(&why))?,
            },
        }
        Ok(Next::On)
    }

    fn submit(&mut self) -> Result<(), Failure> {
        match self.entry.submit() {
            Ok(action) => self.push(action),
            Err(why) if self.entry.made_text().is_empty() => writeln!(self.out, "{why}")?,
            Err(why) => writeln!(self.out, "{why}; `undo` takes back a move")?,
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let length = self.game.actions.len();
        if self.entry.undo() {
            return Ok(());
        }
        if length < self.before + 2 {
            writeln!(self.out, "there is nothing to take back")?;
            return Ok(());
        }
        self.game.actions.truncate(length - 2);
        self.entry = Entry::new(&self.game);
        draw(&self.game.end(), self.out)
    }

    fn save(&mut self, file: &str) -> Result<(), Failure> {
        self.named();
        let path = Path::new(file);
        if path.exists() {
            writeln!(self.out, "{} is there already; name a new file", shown(path))?;
            return Ok(());
        }
        match files::create(path, &self.text()) {
            Ok(()) => writeln!(self.out, "saved as {}", shown(path))?,
            Err(failure) => writeln!(self.out, "{}", failure.error.message)?,
        }
        Ok(())
    }

    /// Writes the names of the players into the headers.
    fn named(&mut self) {
        let engine = printable(&self.engine).replace('"', "'");
        let [white, black] =
            if self.you == Color::White { ["you".to_owned(), engine] } else { [engine, "you".to_owned()] };
        self.game.headers = vec![("White".to_owned(), white), ("Black".to_owned(), black)];
    }

    /// The game as 5DPGN.
    fn text(&self) -> String {
        pgn5d::write(&self.game, Marks::Check).into_text()
    }
}

/// Draws the boards of a position.
fn draw(position: &Position, out: &mut dyn Write) -> Result<(), Failure> {
    let frame = Frame { width: terminal::width(), timelines: usize::MAX };
    Ok(write!(out, "\n{}\n", terminal::drawing(&text(position, frame)))?)
}

fn won_by(color: Color) -> GameResult {
    if color == Color::White { GameResult::WhiteWins } else { GameResult::BlackWins }
}

fn said(result: GameResult, you: Color) -> &'static str {
    match result {
        GameResult::Draw => "a draw",
        result if result == won_by(you) => "you win",
        _ => "the engine wins",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_moves_of_the_help_can_be_made() {
        for help in [HELP, puzzle::HELP] {
            let jump = help.split_whitespace().find(|word| word.starts_with("(0T3)")).expect("a jump");
            assert_eq!(pgn5d::parse(&format!("1. Nf3 / Nf6 2. e2e4 / e5 3. {jump}")).error, None);
        }
    }

    #[test]
    fn every_puzzle_of_the_list_is_the_puzzle_of_a_day_before_one_comes_again() {
        let id = |day: &str| daily(day).unwrap().id;
        assert_eq!(id("1970-01-01"), DAILY.lines().next().unwrap());
        assert_eq!(id("1970-01-02"), DAILY.lines().nth(1).unwrap());
        assert_eq!(id("2026-11-26"), id("2026-11-26"));
        let listed: BTreeSet<&str> = DAILY.lines().collect();
        assert_eq!(listed.len(), DAILY.lines().count(), "none stands there twice");
        let playable = shipped_documents().into_iter().filter(can_be_played).map(|document| document.id);
        let playable: BTreeSet<String> = playable.collect();
        assert!(listed.iter().all(|id| playable.contains(*id)), "each can be played");
        assert!(daily("yesterday").is_err());
    }
}
