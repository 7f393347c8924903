//! The game or position that a command is about.

use std::fs::File;
use std::io::{self, Read, Write};

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::{Format, complain};
use worldlines::notation::pgn5d;
use worldlines::notation::{Game, Reading};
use worldlines::notation::{Location, ReadError, text_of};
use worldlines::state::Position;
use worldlines::types::Color;

/// The longest input that is read, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The search steps for one position unless the command line says otherwise. The widest games on record take up to
/// 200 000 to count a million actions; on hundreds of timelines this many take some 20 seconds.
const DEFAULT_STEPS: u64 = 300_000;

/// Arguments of every command that reads one game.
#[derive(clap::Args)]
pub struct GameFile {
    /// A game as 5DPGN or boards as 5DFEN; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Stop after this many actions of the game
    #[arg(long, value_name = "N", visible_alias = "at")]
    ply: Option<usize>,
    /// How to print the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// What a search may cost, for commands whose answer needs one.
#[derive(clap::Args)]
pub struct Effort {
    /// The most search steps for one position; an answer that needs more is undecided
    #[arg(long = "budget", value_name = "STEPS", default_value_t = DEFAULT_STEPS)]
    pub steps: u64,
}

/// A budget that was spent before the answer was known, for JSON.
#[derive(Serialize)]
pub struct Spent {
    pub steps: u64,
}

/// A game, as far as it could be read.
pub struct Input {
    name: String,
    text: String,
    game: Game,
    error: Option<ReadError>,
}

/// A position of a game.
pub struct Moment<'a> {
    /// How many actions were played before.
    pub index: usize,
    /// The number that White's and Black's next action share.
    pub action: usize,
    /// The boards.
    pub position: &'a Position,
}

/// An error in the input, for JSON.
#[derive(Serialize)]
pub struct ErrorReport {
    class: &'static str,
    code: &'static str,
    message: String,
    hint: Option<String>,
    line: usize,
    column: usize,
}

impl GameFile {
    /// Reads the game. When there is not even a start position, that is a failure.
    pub fn read(&self) -> Result<Input, Failure> {
        let name = if self.file == "-" { "<stdin>" } else { &self.file };
        let bytes =
            self.read_bytes().map_err(|error| Failure::usage(format_args!("cannot read {name}: {error}")))?;
        let unreadable =
            |text: &str, error: &ReadError| Failure::Usage(error.excerpt(name, text).to_string());
        let text = text_of(&bytes).map_err(|error| unreadable(&String::from_utf8_lossy(&bytes), &error))?;
        let Reading { game, warnings, mut error, .. } = pgn5d::read_so_far(text);
        let Some(mut game) = game else {
            return Err(
                error.map_or_else(|| Failure::usage("there is no game"), |error| unreadable(text, &error))
            );
        };
        for warning in warnings {
            complain(&warning.excerpt(name, text).to_string());
        }
        if let Some(ply) = self.ply {
            let actions = game.actions.len();
            if ply <= actions {
                // What comes later was not asked for, so what is wrong there does not matter.
                error = None;
                game.actions.truncate(ply);
            } else if error.is_none() {
                let message = format_args!("{name} has {actions} actions, but {ply} were asked for");
                return Err(Failure::usage(message));
            }
        }
        Ok(Input { name: name.to_owned(), text: text.to_owned(), game, error })
    }

    fn read_bytes(&self) -> io::Result<Vec<u8>> {
        let source: Box<dyn Read> =
            if self.file == "-" { Box::new(io::stdin()) } else { Box::new(File::open(&self.file)?) };
        let mut bytes = Vec::new();
        source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(io::Error::other(format!("it holds more than {MAX_BYTES} bytes")));
        }
        Ok(bytes)
    }
}

impl Input {
    /// Visits the positions from the start to the end, or the end alone.
    pub fn visit(
        &self,
        each: bool,
        mut visitor: impl FnMut(Moment<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut position = self.game.start.clone();
        let mut action = 1;
        for (index, next) in self.game.actions.iter().enumerate() {
            if each {
                visitor(Moment { index, action, position: &position })?;
            }
            action += usize::from(position.to_move() == Color::Black);
            position.play_unchecked(next);
        }
        visitor(Moment { index: self.game.actions.len(), action, position: &position })
    }

    /// The position at the end.
    pub fn end(&self) -> Position {
        self.game.end()
    }

    /// What is wrong after the part that could be read.
    pub fn error(&self) -> Option<ErrorReport> {
        let error = self.error.as_ref()?;
        let issue = error.issue();
        let Location { line, column } = Location::of(&self.text, issue.span.range().start);
        Some(ErrorReport {
            class: error.class(),
            code: issue.code,
            message: issue.message.clone(),
            hint: issue.hint.clone(),
            line,
            column,
        })
    }

    /// How a command ends that has answered for the part that could be read: says what is wrong with the rest.
    pub fn finish(&self, out: &mut impl Write) -> Result<Exit, Failure> {
        let Some(error) = &self.error else { return Ok(Exit::Ok) };
        out.flush()?;
        complain(&error.excerpt(&self.name, &self.text).to_string());
        Ok(Exit::Usage)
    }

    /// For commands that answer for the end of the game only: a game that cannot be read to its end has no answer.
    pub fn refuse_errors(&self) -> Result<(), Failure> {
        match &self.error {
            Some(error) => Err(Failure::Usage(error.excerpt(&self.name, &self.text).to_string())),
            None => Ok(()),
        }
    }
}
