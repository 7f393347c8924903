//! `worldlines convert`: writes games in other notations.

use std::io::Write;

use serde::Serialize;

use super::command::{Command, Join};
use super::drawing;
use super::exit::{Exit, Failure};
use super::input::{position_name, warning_of_start};
use super::json::{PositionName, Warning};
use super::notation::{Notation, notation};
use super::output::{Format, print_json};
use super::source::{Read, Source};
use super::terminal::say;
use worldlines::notation::{Format as GameNotation, Game, Loss, WriteError, Written, ceo};
use worldlines::puzzle::{Goal, PUZZLE_HEADER, Puzzle};

/// Write a game in another notation
///
/// Every loss is reported on standard error: something that the other notation cannot say, with the action
/// concerned. If nothing is reported, the result can be converted back to the same game.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines convert --to simplified game.5dpgn
  worldlines convert --from raw --zero-based --to 5dpgn moves.txt
  worldlines convert --to 5duci --strict --format json game.5dpgn

Exit codes: 0 converted, 1 something would be lost and --strict forbids it, or the notation cannot hold the game,
2 the input cannot be read.")]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// The notation to write
    #[arg(long, value_name = "NOTATION", value_parser = notation())]
    to: Notation,
    /// Write nothing if something would be lost
    #[arg(long)]
    strict: bool,
    /// Format of the answer; `text` is the game itself
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

pub const SCHEMA: &str = "worldlines/convert-1";

/// A converted game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// The notation that was read, or `puzzle`.
    from: &'static str,
    /// The notation that was written.
    to: &'static str,
    /// The number of converted actions.
    actions: usize,
    /// The text; `null` if nothing was written, or if the result is not text.
    text: Option<String>,
    /// The result as hexadecimal digits, if it is not text.
    bytes: Option<String>,
    /// The losses: things that the result does not say.
    losses: Vec<LossReport>,
    /// Things in the game that look wrong.
    warnings: Vec<Warning>,
    /// The reason why the notation cannot hold the game.
    unwritable: Option<LossReport>,
}

/// A loss.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LossReport {
    what: String,
    /// The position before the action that the loss concerns, if it concerns one.
    position: Option<PositionName>,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let Arguments { source, to, strict, format } = self;
        let read = source.read()?;
        if read.notation == Some(Notation::ChessEvolvedOnline) && read.notation == Some(*to) {
            return canonical_ceo(&read, *format, out);
        }
        let (Some(game), None) = (&read.reading.value, &read.reading.error) else {
            return Err(read.failure());
        };
        let game = &with_puzzle_header(game, &read, *to);
        let mut report = Report::of(&read, *to, game.actions.len());
        report.warnings.extend(warning_of_start(game));
        let (title, written) = match to {
            Notation::Games(format) => {
                (format.title(), format.write_with(game, &source.options_of_writing()))
            }
            Notation::Drawing => ("a drawing", Ok(drawing::write(&game.end()))),
            Notation::ChessEvolvedOnline => {
                ("the notation of Chess Evolved Online", Err(WriteError::new(ceo::ANOTHER_GAME)))
            }
        };
        let written = match written {
            Ok(written) => written,
            Err(WriteError { reason, action }) => {
                let report_of = loss_report(game, &Loss { what: reason, action });
                say(&format!("error: {title} cannot hold this game: {}", shown(&report_of)));
                report.unwritable = Some(report_of);
                if *format == Format::Json {
                    print_json(out, &report)?;
                }
                return Ok(Exit::Findings);
            }
        };
        let Written { bytes, losses } = written;
        let of_puzzle = read.puzzle.as_ref().map(loss_of_puzzle);
        let losses = of_puzzle.iter().chain(&read.reading.losses).chain(&losses);
        report.losses = losses.map(|loss| loss_report(game, loss)).collect();
        if *to == Notation::Drawing && !game.actions.is_empty() {
            report
                .losses
                .push(loss_report(game, &Loss::new("the actions, since a drawing shows boards alone")));
        }
        for loss in &report.losses {
            say(&format!("lost: {}", shown(loss)));
        }
        let refused = *strict && !report.losses.is_empty();
        if refused {
            say("error: nothing is written, because something would be lost and --strict forbids that");
        } else if *format == Format::Text {
            out.write_all(&bytes)?;
        } else {
            match String::from_utf8(bytes) {
                Ok(text) => report.text = Some(text),
                Err(error) => {
                    report.bytes = Some(error.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect());
                }
            }
        }
        if *format == Format::Json {
            print_json(out, &report)?;
        }
        Ok(if refused { Exit::Findings } else { Exit::Ok })
    }

    fn format(&self) -> Format {
        self.format
    }

    fn source(&mut self) -> Option<&mut Source> {
        Some(&mut self.source)
    }

    /// Refuses several games for a notation that has one in a text.
    fn refuse_several(&self, count: usize) -> Result<(), Failure> {
        match self.to {
            // The JSON of each game stands alone.
            _ if self.format == Format::Json => Ok(()),
            Notation::Games(format) if format.holds_several_games() => Ok(()),
            to => {
                let name = to.name();
                Err(Failure::new(format_args!(
                    "a text in the notation {name} has one game, but there are {count}: choose one with --game N"
                )))
            }
        }
    }

    fn join(&self) -> Option<Join<'_>> {
        Some(Box::new(|texts| self.joined(texts)))
    }
}

impl Arguments {
    /// One text of those of several games.
    fn joined(&self, texts: &[Vec<u8>]) -> Result<Vec<u8>, Failure> {
        let joined = match self.to {
            Notation::Games(format) => format.join(texts),
            _ => None,
        };
        joined.ok_or_else(|| {
            let name = self.to.name();
            Failure::new(format_args!(
                "in the notation {name} the games could not be told apart, for want of headers or of boards in the same place: choose one with --game N, or write another notation"
            ))
        })
    }
}

impl Report {
    /// A report of this many actions, before they are written. Prints the warnings of the game.
    fn of(read: &Read, to: Notation, actions: usize) -> Report {
        Report {
            schema: SCHEMA,
            // Without a notation of its own, the input is a puzzle or was read as 5DPGN.
            from: match (&read.puzzle, read.notation) {
                (Some(_), _) => "puzzle",
                (None, notation) => notation.map_or(GameNotation::Pgn5d.name(), Notation::name),
            },
            to: to.name(),
            actions,
            text: None,
            bytes: None,
            losses: Vec::new(),
            warnings: read.warnings(),
            unwritable: None,
        }
    }
}

/// Writes moves of Chess Evolved Online in canonical form. They are no game in the sense of this program.
fn canonical_ceo(read: &Read, format: Format, out: &mut dyn Write) -> Result<Exit, Failure> {
    let Ok(said) = ceo::parse(read.text()).into_result() else { return Err(read.failure()) };
    let entries = said.entries;
    let mut report = Report::of(read, Notation::ChessEvolvedOnline, entries.len());
    let text = ceo::write(&entries).map_err(|error| Failure::new(format_args!("{error}")))?;
    if format == Format::Json {
        report.text = Some(text);
        print_json(out, &report)?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(Exit::Ok)
}

/// The game of a puzzle that is a mate in N, with the header of 5DPGN that says so.
fn with_puzzle_header(game: &Game, read: &Read, to: Notation) -> Game {
    let mut game = game.clone();
    let goal = read.puzzle.as_ref().map(|puzzle| &puzzle.goal.value);
    if let (Some(Goal::MateIn(n)), Notation::Games(GameNotation::Pgn5d)) = (goal, to) {
        game.headers.retain(|(key, _)| !key.eq_ignore_ascii_case(PUZZLE_HEADER));
        game.headers.push((PUZZLE_HEADER.to_owned(), format!("mate-in-{}", n.value)));
    }
    game
}

/// The loss of everything in a puzzle besides its game, which no notation of games can hold.
fn loss_of_puzzle(puzzle: &Puzzle) -> Loss {
    let parts = [
        ("goal", true),
        ("point", puzzle.point.is_some()),
        ("themes", !puzzle.themes.is_empty()),
        ("solutions", !puzzle.solutions.is_empty()),
        ("tries", puzzle.tries.is_some()),
        ("replies", !puzzle.replies.is_empty()),
    ];
    let there: Vec<&str> = parts.into_iter().filter(|(_, there)| *there).map(|(part, _)| part).collect();
    Loss { what: format!("what makes it a puzzle: id, title, source, {}", there.join(", ")), action: None }
}

fn loss_report(game: &Game, loss: &Loss) -> LossReport {
    let position = loss.action.map(|index| position_name(index, game.start.to_move()));
    LossReport { what: loss.what.clone(), position }
}

fn shown(loss: &LossReport) -> String {
    match &loss.position {
        Some(position) => format!("{} (action {})", loss.what, position.at),
        None => loss.what.clone(),
    }
}
