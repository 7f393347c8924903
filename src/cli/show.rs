//! `worldlines show`: draws positions.

#[cfg(feature = "png")]
use std::io::IsTerminal;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files;
use super::input::{GameFile, Input};
use super::json::{PositionName, Rules, Warning};
use super::output::{self, print_json};
use super::page;
use super::source::Source;
use super::terminal;
use worldlines::notation::chessjs::frames;
use worldlines::notation::pgn5d::line_texts;
use worldlines::notation::{Game, Variation, fen5d, glyph_mark, hash, pgn5d, printable};
#[cfg(feature = "png")]
use worldlines::render::png::png;
use worldlines::render::{Frame, Layout, Marks, Options, STYLE, Sheet, escape, svg, text};
use worldlines::state::Position;

/// Draw a position as text or as a picture
///
/// Timelines are rows, time runs to the right, and a bar marks the present. A text leaves out boards that do
/// not fit, the earliest first. A picture shows all boards, the branches of timelines, the last moves, and
/// checks.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines show game.5dpgn
  worldlines show --at 4w --all-boards game.5dpgn | less -S
  worldlines show --format svg -o game.svg game.5dpgn
  worldlines show --format png --crop --legend -o game.png game.5dpgn   # with the feature png
  worldlines show --format html --arrows '(0T3)Qh5' --flipped -o game.html game.5dpgn
  echo '[r2k/4/4/P2K:0:1:w]' | worldlines show -")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile<Format>,
    /// The width of a text in characters [default: the terminal's width, or 100], or of a PNG in pixels
    /// [default: 60 for each square, 30 in large pictures]
    #[arg(long, value_name = "WIDTH", value_parser = clap::value_parser!(u32).range(1..))]
    width: Option<u32>,
    /// Draw every board, however wide that is
    #[arg(long, conflicts_with = "width")]
    all_boards: bool,
    /// Draw every board in a frame, as 5d-chess-js does
    #[arg(long, value_name = "LABELS", conflicts_with_all = ["width", "all_boards"])]
    frames: Option<Labels>,
    /// Draw an arrow for each move of this action, which could be played next
    #[arg(long, value_name = "ACTION")]
    arrows: Option<String>,
    /// Draw at most N columns of a picture, the latest ones; more, where a check begins or ends. Timelines without
    /// a board in them are left out
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    columns: Option<u16>,
    /// Leave out of a picture the timelines and the earlier columns where nothing happens: no board that must be
    /// played, no part of the last action, no check, no arrow
    #[arg(long)]
    crop: bool,
    /// Name the pieces that orthodox chess does not have below the boards of a picture. A page in HTML always
    /// does
    #[arg(long)]
    legend: bool,
    /// Draw a picture from Black's side
    #[arg(long)]
    flipped: bool,
    /// Write into this file, which is replaced in one step or not at all. For a page in Markdown, the picture
    /// is written beside it
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs; the field `schema` names the shape and its version
    Json,
    /// A picture that fits light and dark backgrounds
    Svg,
    /// A picture of at most 25 million pixels, for chats and forums; only in a command built with the feature `png`
    Png,
    /// An HTML page with the picture
    Html,
    /// A Markdown page with the picture; without a file, with the text
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Labels {
    /// Nothing in the frames, as in the README of 5d-chess-js
    Plain,
    /// The indices of timeline and turn in the frames, and a heading, as its print() writes them
    RawIndices,
}

/// The hashes of the position in other programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Hashes {
    #[serde(rename = "5dfen-md5")]
    fen5d: String,
    /// `null` if that program has no numbers for the boards.
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
    /// The words and variations of the game at this position.
    notes: Notes,
    /// Things in the game that look wrong.
    warnings: Vec<Warning>,
}

/// The words and variations of a game at a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Notes {
    /// Judgements of the action before: `!?`, or `$14` by the number of PGN.
    judgements: Vec<String>,
    comments: Vec<String>,
    /// The actions of each line that leaves the game here.
    variations: Vec<Vec<String>>,
}

impl Notes {
    /// The notes at the end of the game.
    fn of(game: &Game, end: &Position) -> Notes {
        let note = game.notes.get(&game.actions.len()).cloned().unwrap_or_default();
        let judgement = |&number: &u8| glyph_mark(number).map_or(format!("${number}"), str::to_owned);
        let actions = |variation: &Variation| line_texts(end, &variation.actions).0;
        Notes {
            judgements: note.glyphs.iter().map(judgement).collect(),
            variations: note.variations.iter().map(actions).collect(),
            comments: note.comments,
        }
    }

    /// A line for each.
    fn text(&self) -> String {
        let judgements = self.judgements.iter().map(|judgement| format!("judgement: {judgement}\n"));
        let comments =
            self.comments.iter().map(|comment| format!("comment: {}\n", printable(comment.trim())));
        let variations = self.variations.iter().map(|line| format!("variation: {}\n", line.join(" / ")));
        let lines: String = judgements.chain(comments).chain(variations).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }
}

impl Arguments {
    /// The position as a picture.
    fn layout(&self, input: &Input, position: &Position) -> Result<Layout, Failure> {
        let mut marks = Marks::of_game(input.game());
        marks.checks(&position.checks());
        if let Some(arrows) = &self.arrows {
            let action = pgn5d::parse_action(position, arrows).map_err(|error| {
                let shown = error.excerpt("--arrows", arrows.as_str()).to_string();
                Failure { shown, ..Failure::new(&error.issue.message) }
            })?;
            marks.planned(&action);
        }
        // A page has a legend of its own.
        let legend = self.legend && self.input.format != Format::Html;
        let options = Options { flipped: self.flipped, columns: self.columns, crop: self.crop, legend };
        Ok(Layout::new(position, &marks, options))
    }

    /// The position as a picture of pixels.
    #[cfg(feature = "png")]
    fn png(&self, input: &Input, position: &Position) -> Result<Vec<u8>, Failure> {
        if self.output.is_none() && std::io::stdout().is_terminal() {
            return Err(Failure::new("a PNG is nothing for a terminal: name a file with -o"));
        }
        png(&self.layout(input, position)?, self.width).map_err(Failure::new)
    }

    #[cfg(not(feature = "png"))]
    fn png(&self, _: &Input, _: &Position) -> Result<Vec<u8>, Failure> {
        Err(Failure::new(
            "this command was built without PNG: `cargo install --locked --path . --features png` builds one with it, and \
             --format svg needs nothing; the board of `worldlines serve` has a button for it under Text",
        ))
    }

    /// Writes the answer to the file that was named, or else to standard output.
    fn write(&self, content: &[u8], out: &mut dyn Write) -> Result<Exit, Failure> {
        match &self.output {
            Some(path) => files::replace(path, content)?,
            None => out.write_all(content)?,
        }
        Ok(Exit::Ok)
    }

    fn text(&self, input: &Input, position: &Position) -> String {
        if let Some(labels) = self.frames {
            let labels = match labels {
                Labels::RawIndices => frames::Labels::RawIndices,
                Labels::Plain => frames::Labels::None,
            };
            return frames::text(input.game(), labels);
        }
        let width = self.width.map_or_else(terminal::width, |width| width as usize);
        let frame = if self.all_boards { Frame::ALL } else { Frame { width, timelines: usize::MAX } };
        text(position, frame) + &Notes::of(input.game(), position).text()
    }
}

/// The facts about the position on a page, beside the picture.
fn facts(layout: &Layout, position: &Position) -> [(&'static str, String); 3] {
    [
        ("Position", layout.describe()),
        ("Rules", position.profile().to_string()),
        ("5DFEN", fen5d::write(position)),
    ]
}

fn html(layout: &Layout, position: &Position, title: &str) -> String {
    let mut sheet = Sheet::new("");
    let picture = sheet.picture(layout);
    let legend = page::legend(&mut sheet, layout);
    let [_, rules, fen] = facts(layout, position);
    let style =
        format!("<style>{STYLE}{}svg.parts{{display:none}}pre{{overflow:auto}}</style>", page::PICTURE_STYLE);
    let begin = page::begin(title).replacen("</head>", &format!("{style}</head>"), 1);
    let title = escape(title);
    let (rules, fen) = (escape(&rules.1), fen.1.lines().map(escape).collect::<Vec<_>>().join("\n"));
    let parts = sheet.definitions();
    format!(
        "{begin}<h1>{title}</h1>\n<svg class=\"wl parts\" aria-hidden=\"true\"><defs>{parts}</defs></svg>\n<div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"Position\">{picture}</div>\n{legend}\n\
         <p>Rules: {rules}</p>\n<pre tabindex=\"0\">{fen}</pre>\n{}",
        page::END
    )
}

/// A page in Markdown: with the picture, if it is in a file beside the page, and otherwise with the text.
fn markdown(layout: &Layout, position: &Position, title: &str, picture: Option<&str>) -> String {
    let about = layout.describe();
    let drawing = match picture {
        Some(name) => format!("![{about}](<{name}>)"),
        None => format!("```text\n{}```", text(position, Frame::REPORT)),
    };
    let [_, rules, fen] = facts(layout, position);
    // The name of a file may contain characters with a meaning in Markdown.
    let mut shown = String::new();
    for c in title.chars() {
        if "\\`*_[]<>#&!|".contains(c) {
            shown.push('\\');
        }
        shown.push(c);
    }
    format!(
        "# {shown}\n\n{about}.\n\n{drawing}\n\nRules: {}\n\n```text\n{}\n```\n",
        rules.1,
        fen.1.trim_end()
    )
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let input = self.input.read(false)?;
        input.refuse_errors()?;
        let position = input.end();
        let name = input.end_name();
        let title = format!("{}, {}", input.title(), name.at);
        let shown = match self.input.format {
            Format::Json => return json(&input, &position, out),
            Format::Png => {
                let png = self.png(&input, &position)?;
                return self.write(&png, out);
            }
            Format::Text => match self.output {
                Some(_) => self.text(&input, &position),
                None if self.frames.is_some() => self.text(&input, &position),
                None => terminal::drawing(&self.text(&input, &position)),
            },
            Format::Svg => svg(&self.layout(&input, &position)?),
            Format::Html => html(&self.layout(&input, &position)?, &position, &title),
            Format::Markdown => {
                let layout = self.layout(&input, &position)?;
                let picture = self.output.as_ref().map(|page| page.with_extension("svg"));
                if picture.is_some() && picture == self.output {
                    return Err(Failure::new(
                        "the picture of the page is an .svg beside it, so the page needs another ending",
                    ));
                }
                if let Some(path) = &picture {
                    files::replace(path, svg(&layout).as_bytes())?;
                }
                let name = picture.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
                markdown(&layout, &position, &title, name.as_deref())
            }
        };
        self.write(shown.as_bytes(), out)
    }

    fn format(&self) -> output::Format {
        if self.input.format == Format::Json { output::Format::Json } else { output::Format::Text }
    }

    fn source(&mut self) -> Option<&mut Source> {
        Some(&mut self.input.source)
    }

    /// Refuses several games where one picture is written.
    fn refuse_several(&self, count: usize) -> Result<(), Failure> {
        let one = self.output.is_some() || !matches!(self.input.format, Format::Text | Format::Json);
        if !one {
            return Ok(());
        }
        Err(Failure::new(format_args!("there are {count} games, and this shows one: choose it with --game")))
    }
}

fn json(input: &Input, position: &Position, out: &mut dyn Write) -> Result<Exit, Failure> {
    let label = |timeline| position.parity().label(timeline).to_string();
    let active = position.multiverse().active();
    let report = Report {
        schema: SCHEMA,
        rules: input.rules(),
        name: input.end_name(),
        present: position.present().to_string(),
        size: position.size().to_string(),
        boards: fen5d::write(position).lines().map(str::to_owned).collect(),
        active: [label(active.lowest), label(active.highest)],
        hashes: Hashes { fen5d: hash::fen5d_md5(position), chessjs: hash::chessjs_036(input.game()) },
        notes: Notes::of(input.game(), position),
        warnings: input.warnings(),
    };
    print_json(out, &report)?;
    Ok(Exit::Ok)
}

#[cfg(test)]
mod tests {
    use super::super::command::arguments_of;

    use super::*;

    /// Runs `show --format png` for a puzzle, into this file.
    fn png(path: &Path, more: &[&str]) -> Result<Exit, String> {
        let path = path.to_str().unwrap();
        let line = ["show", "--format", "png", "fools-mate-is-none", "-o", path];
        let mut arguments: Arguments = arguments_of(line.iter().chain(more))?;
        arguments.input.source.open().map_err(|failure| failure.shown)?;
        arguments.run(&mut Vec::new()).map_err(|failure| failure.shown)
    }

    #[cfg(feature = "png")]
    #[test]
    fn a_png_is_written_to_a_file_unless_it_is_too_large() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.png");
        assert_eq!(png(&path, &["--width", "500"]), Ok(Exit::Ok));
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
        let why = png(&path, &["--width", "1000000"]).unwrap_err();
        assert!(why.contains("at most 25 million pixels"), "{why}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        assert!(png(&path, &["--width", "0"]).is_err());
    }

    #[cfg(not(feature = "png"))]
    #[test]
    fn a_command_without_png_says_how_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.png");
        let why = png(&path, &[]).unwrap_err();
        assert!(why.lines().count() == 1 && why.contains("--features png"), "{why}");
        assert!(!path.exists());
    }
}
