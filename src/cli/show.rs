//! `worldlines show`

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::GameFile;
use super::{Format, print_json};
use worldlines::notation::chessjs::frames;
use worldlines::notation::{fen5d, hash};
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
    /// Draw every board in a frame, as 5d-chess-js does
    #[arg(long, value_name = "LABELS", conflicts_with_all = ["width", "whole"])]
    frames: Option<Labels>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Labels {
    /// Nothing in the frames, as in the README of 5d-chess-js
    Plain,
    /// The indices of timeline and turn in the frames, and a heading, as its print() writes them
    RawIndices,
}

/// What other programs call the position.
#[derive(Serialize)]
struct Hashes {
    #[serde(rename = "5dfen-md5")]
    fen5d: String,
    /// Left out where that program has no numbers for the boards.
    #[serde(rename = "chessjs-0.3.6", skip_serializing_if = "Option::is_none")]
    chessjs: Option<String>,
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
    hashes: Hashes,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let input = arguments.input.read()?;
    input.refuse_errors()?;
    let position = input.end();
    match arguments.input.format {
        Format::Text if arguments.frames.is_some() => {
            let labels = match arguments.frames {
                Some(Labels::RawIndices) => frames::Labels::RawIndices,
                _ => frames::Labels::None,
            };
            out.write_all(frames::text(input.game(), labels).as_bytes())?;
        }
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
                hashes: Hashes {
                    fen5d: hash::fen5d_md5(&position),
                    chessjs: hash::chessjs_036(input.game()),
                },
            };
            print_json(out, &report)?;
        }
    }
    Ok(Exit::Ok)
}

fn terminal_width() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}
