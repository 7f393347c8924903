//! `worldlines show`

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::GameFile;
use super::json::{PositionName, Rules, Warning};
use super::output::{Format, print_json};
use super::terminal;
use worldlines::notation::chessjs::frames;
use worldlines::notation::{fen5d, hash};
use worldlines::render::{Frame, text};

/// Draw a position as text
///
/// Timelines are rows, time runs to the right, and a bar marks the present. What does not fit is left out: the earliest
/// boards first.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines show game.5dpgn
  worldlines show --at 4w --all-boards game.5dpgn | less -S
  echo '[r2k/4/4/P2K:0:1:w]' | worldlines show -")]
pub struct Arguments {
    #[command(flatten)]
    pub input: GameFile,
    /// The widest line, in characters [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,
    /// Draw every board, however wide that is
    #[arg(long, conflicts_with = "width")]
    all_boards: bool,
    /// Draw every board in a frame, as 5d-chess-js does
    #[arg(long, value_name = "LABELS", conflicts_with_all = ["width", "all_boards"])]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Hashes {
    #[serde(rename = "5dfen-md5")]
    fen5d: String,
    /// `null` where that program has no numbers for the boards.
    #[serde(rename = "chessjs-0.3.6")]
    chessjs: Option<String>,
}

pub const SCHEMA: &str = "worldlines/show-1";

/// A position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    #[serde(flatten)]
    rules: Rules,
    #[serde(flatten)]
    name: PositionName,
    /// The present, such as `T2b`.
    present: String,
    /// The size of every board, width by height: `8x8`.
    size: String,
    /// The boards as 5DFEN, by timeline and time.
    boards: Vec<String>,
    /// The labels of the lowest and the highest active timeline.
    active: [String; 2],
    hashes: Hashes,
    /// What looks wrong with the game.
    warnings: Vec<Warning>,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let input = arguments.input.read(false)?;
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
            let width = arguments.width.unwrap_or_else(terminal::width);
            let frame =
                if arguments.all_boards { Frame::ALL } else { Frame { width, timelines: usize::MAX } };
            out.write_all(terminal::drawing(&text(&position, frame)).as_bytes())?;
        }
        Format::Json => {
            let label = |timeline| position.parity().label(timeline).to_string();
            let active = position.multiverse().active();
            let report = Report {
                schema: SCHEMA,
                rules: input.rules(),
                name: input.end_name(),
                present: position.present().to_string(),
                size: position.size().to_string(),
                boards: fen5d::write(&position).lines().map(str::to_owned).collect(),
                active: [label(active.lowest), label(active.highest)],
                hashes: Hashes {
                    fen5d: hash::fen5d_md5(&position),
                    chessjs: hash::chessjs_036(input.game()),
                },
                warnings: input.warnings(),
            };
            print_json(out, &report)?;
        }
    }
    Ok(Exit::Ok)
}
