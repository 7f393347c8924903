//! `worldlines convert`

use std::io::Write;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{ErrorReport, Read, Source, WarningReport};
use super::{Format, complain, print_json};
use worldlines::notation::format::{Format as Notation, write};
use worldlines::notation::{Game, Loss, Unwritable, Written, ceo};
use worldlines::types::Color;

/// Write a game in another notation
///
/// What the other notation cannot say is reported on standard error, with the action that loses it. Nothing is reported
/// when nothing is lost: then the result can be converted back to the same game.
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
    #[arg(long, value_name = "NOTATION", value_parser = super::input::notation)]
    to: Notation,
    /// Write nothing when something would be lost
    #[arg(long)]
    strict: bool,
    /// How to print the answer; `text` is the game itself
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    from: Option<&'static str>,
    to: &'static str,
    /// How many actions were converted.
    actions: usize,
    /// The text; `null` when nothing was written.
    text: Option<String>,
    /// The bytes as hexadecimal digits, when they are not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    losses: Vec<LossReport>,
    warnings: Vec<WarningReport>,
    /// Why the notation cannot hold the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    unwritable: Option<LossReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorReport>,
}

/// What is lost, and which action loses it.
#[derive(Serialize)]
struct LossReport {
    what: String,
    /// How many actions were played before it; `null` when it is not about one.
    index: Option<usize>,
    /// The number that White's and Black's action share.
    action: Option<usize>,
    player: Option<String>,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let Arguments { source, to, strict, format } = arguments;
    let read = source.read()?;
    let is_ceo = |notation: Option<Notation>| notation == Some(Notation::Ceo);
    let of_another_game = is_ceo(read.notation) && is_ceo(Some(*to));
    let mut report = Report {
        schema: "worldlines/convert-1",
        from: read.notation.map(Notation::name),
        to: to.name(),
        actions: 0,
        text: None,
        bytes: None,
        losses: Vec::new(),
        warnings: read.warning_reports(),
        unwritable: None,
        error: read.error_report(),
    };
    if of_another_game {
        return canonical_ceo(&read, report, *format, out);
    }
    let (Some(game), None) = (&read.reading.game, &read.reading.error) else {
        if *format == Format::Json {
            print_json(out, &report)?;
            out.flush()?;
        }
        return Err(read.failure());
    };
    read.complain_warnings();
    report.actions = game.actions.len();
    let written = match write(game, *to) {
        Ok(written) => written,
        Err(Unwritable { reason, action }) => {
            let report_of = loss_report(game, &Loss { what: reason, action });
            complain(&format!("error: {} cannot hold this game: {}", to.title(), shown(&report_of)));
            report.unwritable = Some(report_of);
            if *format == Format::Json {
                print_json(out, &report)?;
            }
            return Ok(Exit::Findings);
        }
    };
    let Written { bytes, losses } = written;
    report.losses = read.reading.losses.iter().chain(&losses).map(|loss| loss_report(game, loss)).collect();
    for loss in &report.losses {
        complain(&format!("lost: {}", shown(loss)));
    }
    let refused = *strict && !report.losses.is_empty();
    if refused {
        complain("error: nothing is written, because --strict forbids losses");
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

/// Writes moves of Chess Evolved Online, which are no game here, in canonical form.
fn canonical_ceo(
    read: &Read,
    mut report: Report,
    format: Format,
    out: &mut impl Write,
) -> Result<Exit, Failure> {
    let entries = match ceo::read(read.text()) {
        Ok(entries) => entries,
        Err(_) => {
            if format == Format::Json {
                print_json(out, &report)?;
                out.flush()?;
            }
            return Err(read.failure());
        }
    };
    read.complain_warnings();
    report.error = None;
    report.actions = entries.len();
    let text = ceo::write(&entries).map_err(|unwritable| Failure::usage(format_args!("{unwritable}")))?;
    if format == Format::Json {
        report.text = Some(text);
        print_json(out, &report)?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(Exit::Ok)
}

fn loss_report(game: &Game, loss: &Loss) -> LossReport {
    let Some(index) = loss.action else {
        return LossReport { what: loss.what.clone(), index: None, action: None, player: None };
    };
    let black_begins = usize::from(game.start.to_move() == Color::Black);
    let player = if (index + black_begins).is_multiple_of(2) { Color::White } else { Color::Black };
    LossReport {
        what: loss.what.clone(),
        index: Some(index),
        action: Some((index + black_begins) / 2 + 1),
        player: Some(player.to_string()),
    }
}

fn shown(loss: &LossReport) -> String {
    match (loss.action, &loss.player) {
        (Some(action), Some(player)) => format!("{} (action {action}, {player})", loss.what),
        _ => loss.what.clone(),
    }
}
