//! `worldlines compose`: searches for new puzzles.

use std::io::Write;

use super::exit::{Exit, Failure};
use super::finds::{Keeping, in_order};
use super::input::Limits;
use super::terminal::{self, say};
use worldlines::compose::{Wishes, attempt};
use worldlines::types::{BoardSize, PieceKind};

/// Compose puzzles: search small positions for mates that meet your wishes
///
/// Each attempt draws a random position, improves it by small changes, and then removes every piece and every
/// action that is not needed. Each puzzle is proven: it has one key, no shorter mate, and no duals unless you
/// allow them. The same seed leads to the same puzzles. Without --write the files are printed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines compose
  worldlines compose --mate 3 --size 4x4 --pieces NU --count 5 --write my-puzzles
  worldlines compose --theme branch-mate --theme sacrifice --attempts 2000 --seed 7

Exit codes: 0 something was found, 4 nothing was found.")]
pub struct Arguments {
    /// Compose mates in N actions
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=6))]
    mate: u32,
    /// The sizes of boards to choose from, between commas
    #[arg(long, value_name = "WxH", value_parser = size, value_delimiter = ',', default_value = "4x4,5x5")]
    size: Vec<BoardSize>,
    /// The kinds of pieces to choose from beside the kings, as capital letters
    #[arg(long, value_name = "LETTERS", value_parser = pieces, default_value = "PNBRUDS")]
    pieces: Pieces,
    /// The most pieces on a board, kings included
    #[arg(long, value_name = "K", default_value_t = 6, value_parser = clap::value_parser!(u8).range(2..=32))]
    most: u8,
    /// The fewest pieces on a board, kings included
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=32))]
    fewest: u8,
    /// Start with two timelines
    #[arg(long)]
    two_timelines: bool,
    /// The most actions before the position
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u8).range(..=12))]
    history: u8,
    /// Let pieces travel in these actions
    #[arg(long)]
    history_travels: bool,
    /// A theme that the solution must show, from puzzles/themes.toml; may be given several times
    #[arg(long, value_name = "THEME", value_parser = theme)]
    theme: Vec<String>,
    /// The fewest legal first actions
    #[arg(long, value_name = "K", default_value_t = 8)]
    first_actions: u64,
    /// The most defences with more than one mating answer
    #[arg(long, value_name = "K", default_value_t = 0)]
    duals: usize,
    /// Also accept keys that check, or that capture without a sacrifice
    #[arg(long)]
    any_key: bool,
    /// Stop after K puzzles
    #[arg(long, value_name = "K", default_value_t = 1)]
    count: usize,
    /// Stop after K attempts
    #[arg(long, value_name = "K", default_value_t = 1_000)]
    attempts: usize,
    /// Seed of the random choices
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    keeping: Keeping,
}

/// Kinds of pieces.
#[derive(Clone)]
struct Pieces(Vec<PieceKind>);

fn size(text: &str) -> Result<BoardSize, String> {
    let size = text.parse().ok().filter(|size: &BoardSize| size.width() > 1 && size.height() > 1);
    size.ok_or_else(|| format!("expected a size from 2x2 to {0}x{0}, such as 5x5", BoardSize::MAX))
}

fn pieces(text: &str) -> Result<Pieces, String> {
    let kind = |letter| PieceKind::try_from(letter).ok().filter(|kind| *kind != PieceKind::King);
    let kinds: Option<Vec<PieceKind>> = text.chars().map(kind).collect();
    kinds.filter(|kinds| !kinds.is_empty()).map(Pieces).ok_or_else(|| {
        let letters: String =
            PieceKind::ALL.iter().map(|kind| kind.letter()).filter(|letter| *letter != 'K').collect();
        format!("expected capital letters of pieces, out of {letters}")
    })
}

fn theme(text: &str) -> Result<String, String> {
    let known = worldlines::puzzle::themes().any(|(word, _)| word == text);
    if known {
        Ok(text.to_owned())
    } else {
        Err("there is no such theme; see puzzles/themes.toml".to_owned())
    }
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    if arguments.fewest > arguments.most {
        return Err(Failure::new("--fewest is more than --most"));
    }
    let wishes = Wishes {
        mate_in: arguments.mate,
        sizes: arguments.size.clone(),
        kinds: arguments.pieces.0.clone(),
        least_pieces: arguments.fewest.into(),
        most_pieces: arguments.most.into(),
        two_timelines: arguments.two_timelines,
        most_history: arguments.history.into(),
        history_travels: arguments.history_travels,
        themes: arguments.theme.clone(),
        least_first_actions: arguments.first_actions,
        most_duals: arguments.duals,
        fine_key: !arguments.any_key,
    };
    let clock = arguments.limits.time.start();
    let stop = clock.stop();
    let options = arguments.limits.options(None, Some(stop));
    let mut finds = arguments.keeping.begin(options)?;
    let bar = terminal::progress(arguments.attempts, "attempts");
    let seed = |index: usize| arguments.seed.wrapping_add(index as u64);
    in_order(
        arguments.keeping.threads(),
        arguments.attempts,
        stop,
        |index| attempt(&wishes, seed(index), options),
        |index, found| {
            bar.inc(1);
            if let Some(found) = found {
                let from = format!("composed by `worldlines compose`, seed {}", seed(index));
                let origin = arguments.keeping.origin(from, false);
                bar.suspend(|| finds.keep(&found, &origin, out))?;
            }
            Ok(finds.kept() < arguments.count)
        },
    )?;
    bar.finish_and_clear();
    say(&finds.summary());
    Ok(if finds.kept() == 0 { Exit::NothingSelected } else { Exit::Ok })
}
