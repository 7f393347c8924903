//! `worldlines show`

use std::io::Write;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::GameFile;
use super::{Format, print_json};
use worldlines::notation::fen5d;
use worldlines::render::{Frame, text};

/// The width of the drawing when the output is no terminal.
const WIDTH: usize = 100;

/// Draw a position as text
///
/// Timelines are rows, time runs to the right, and a bar marks the present. What does not fit is left out: the earliest
/// boards first.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines show game.5dpgn
  worldlines show --ply 6 --whole game.5dpgn | less -S
  echo '[r2k/4/4/P2K:0:1:w]' | worldlines show -")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile,
    /// The widest line, in characters [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,
    /// Draw every board, however wide that is
    #[arg(long, conflicts_with = "width")]
    whole: bool,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    to_move: String,
    present: String,
    size: String,
    /// The boards as 5DFEN, by timeline and time.
    boards: Vec<String>,
    active: [String; 2],
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let input = arguments.input.read()?;
    input.refuse_errors()?;
    let position = input.end();
    match arguments.input.format {
        Format::Text => {
            let width = arguments.width.or_else(terminal_width).unwrap_or(WIDTH);
            let frame = if arguments.whole { Frame::ALL } else { Frame { width, timelines: usize::MAX } };
            out.write_all(text(&position, frame).as_bytes())?;
        }
        Format::Json => {
            let label = |timeline| position.parity().label(timeline).to_string();
            let (lowest, highest) = position.multiverse().active();
            let report = Report {
                schema: "worldlines/show-1",
                to_move: position.to_move().to_string(),
                present: position.present().to_string(),
                size: position.size().to_string(),
                boards: fen5d::write(&position).lines().map(str::to_owned).collect(),
                active: [label(lowest), label(highest)],
            };
            print_json(out, &report)?;
        }
    }
    Ok(Exit::Ok)
}

fn terminal_width() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}
