//! The oracles of the fuzz targets, as a library that knows no fuzzer.
//!
//! Three layers: [`worldlines::generate`] turns bytes into positions and games, an oracle in [`oracle`] asks a question
//! about them and is silent or panics with a finding, and a target in `fuzz_targets/` is a line of glue. Every oracle also
//! runs in `cargo test`.

pub mod finding;
pub mod oracle;
pub mod replay;
pub mod runs;
pub mod seeds;
#[cfg(test)]
mod tests;

use arbitrary::Result;
use oracle::{
    Case, Question, ceo, certificate, certificate_mutation, chessjs_raw, convert_loss, diagnostics,
    fix_idempotent, game_notations, game_orthodox, hostile_claims, legal_twin, mate_prover,
    notation_text as text, outcome_twin, pgn5d_game, play_undo, proof_memory, puzzle_mutated, puzzle_yaml,
};
use seeds::Source;
use worldlines::notation::Format;

/// A [`Question`] under the name of its target.
pub struct Oracle {
    /// The name of the target.
    pub name: &'static str,
    /// Asks the question about these bytes. It panics on a finding and is an error when the bytes are no input.
    pub run: fn(&[u8]) -> Result<()>,
    /// What the question would be about, in a form that can be looked at by hand.
    pub show: fn(&[u8]) -> Result<String>,
    /// How often the smoke test asks: a second or two in a build for tests.
    pub smoke_runs: u32,
    /// Which dictionary of `dictionaries/` helps; none for inputs that are choices and not text.
    pub dictionary: Option<&'static str>,
    /// Which files of the repository are good first inputs.
    pub seeds: Source,
}

impl Oracle {
    /// An oracle whose bytes are choices.
    const fn of_choices<Q: Question>(name: &'static str, smoke_runs: u32) -> Oracle {
        Oracle { name, run: ask::<Q>, show: show::<Q>, smoke_runs, dictionary: None, seeds: Source::Games }
    }

    /// An oracle whose bytes are text.
    const fn of_text<Q: Question>(
        name: &'static str,
        smoke_runs: u32,
        dictionary: &'static str,
        seeds: Source,
    ) -> Oracle {
        Oracle { dictionary: Some(dictionary), seeds, ..Oracle::of_choices::<Q>(name, smoke_runs) }
    }

    /// The oracle of a target.
    pub fn by_name(name: &str) -> Option<&'static Oracle> {
        ORACLES.iter().find(|oracle| oracle.name == name)
    }
}

fn ask<Q: Question>(bytes: &[u8]) -> Result<()> {
    let case = Q::case(bytes)?;
    finding::generated();
    Q::ask(case)
}

fn show<Q: Question>(bytes: &[u8]) -> Result<String> {
    Ok(Q::case(bytes)?.shown())
}

/// Every oracle, by name.
pub static ORACLES: &[Oracle] = &[
    Oracle { seeds: Source::Bytes, ..Oracle::of_choices::<ceo::Entries>("ceo_entries", 2_000) },
    Oracle::of_text::<ceo::Text>("ceo_text", 4_000, "ceo", Source::Ceo),
    Oracle::of_choices::<certificate::Proof>("certificate", 300),
    Oracle::of_choices::<certificate_mutation::Certificates>("certificate_mutation", 300),
    Oracle::of_text::<text::Chess64Binary>(
        "chess64_binary",
        2_000,
        "chess64",
        Source::Notation(Format::Chess64Binary),
    ),
    Oracle::of_text::<text::Chess64>("chess64_text", 2_000, "chess64", Source::Notation(Format::Chess64)),
    Oracle::of_text::<text::ChessJsJson>(
        "chessjs_json",
        500,
        "chessjs",
        Source::Notation(Format::ChessJsJson),
    ),
    Oracle::of_text::<chessjs_raw::Numbers>("chessjs_raw", 2_000, "chessjs", Source::ChessJsObjects),
    Oracle::of_text::<text::ChessJsShort>(
        "chessjs_short",
        1_000,
        "chessjs",
        Source::Notation(Format::ChessJsShort),
    ),
    Oracle::of_text::<text::ChessJs>("chessjs_text", 1_000, "chessjs", Source::Notation(Format::ChessJs)),
    Oracle::of_text::<convert_loss::Convert>("convert_loss", 400, "pgn5d", Source::EveryNotation),
    Oracle::of_text::<diagnostics::AnyReader>("diagnostics", 400, "pgn5d", Source::EveryNotation),
    Oracle::of_text::<text::Fen5d>("fen5d_text", 4_000, "fen5d", Source::Notation(Format::Fen5d)),
    Oracle::of_text::<text::Fen>("fen_text", 4_000, "pgn", Source::Notation(Format::Fen)),
    Oracle::of_text::<fix_idempotent::Fixes>("fix_idempotent", 60, "puzzle_yaml", Source::Puzzles),
    Oracle::of_choices::<game_notations::EveryNotation>("game_notations", 300),
    Oracle::of_choices::<game_orthodox::Orthodox>("game_orthodox", 150),
    Oracle::of_text::<text::GuiFen>("gui_fen_text", 1_000, "gui_fen", Source::Notation(Format::GuiFen)),
    Oracle::of_choices::<hostile_claims::Hostile>("hostile_claims", 150),
    Oracle::of_choices::<legal_twin::Legal>("legal_twin", 1_500),
    Oracle::of_choices::<mate_prover::Mate>("mate_prover", 150),
    Oracle::of_choices::<outcome_twin::Standing>("outcome_twin", 2_000),
    Oracle::of_choices::<pgn5d_game::Marked>("pgn5d_game", 500),
    Oracle::of_text::<text::Pgn5d>("pgn5d_text", 2_000, "pgn5d", Source::Notation(Format::Pgn5d)),
    Oracle::of_text::<text::Pgn>("pgn_text", 1_000, "pgn", Source::Notation(Format::Pgn)),
    Oracle::of_choices::<play_undo::Undo>("play_undo", 1_500),
    Oracle::of_choices::<proof_memory::NearDuplicates>("proof_memory", 100),
    Oracle { seeds: Source::Bytes, ..Oracle::of_choices::<puzzle_mutated::Changed>("puzzle_mutated", 60) },
    Oracle::of_text::<puzzle_yaml::Yaml>("puzzle_yaml", 600, "puzzle_yaml", Source::Puzzles),
    Oracle::of_text::<text::Raw>("raw_text", 1_000, "raw", Source::Notation(Format::Raw)),
    Oracle::of_text::<text::Simplified>(
        "simplified_text",
        1_000,
        "simplified",
        Source::Notation(Format::Simplified),
    ),
    Oracle::of_text::<text::Uci5d>("uci5d_text", 1_000, "uci5d", Source::Notation(Format::Uci5d)),
];

/// A fuzz target: under the fuzzer its inputs go to the oracle, without one it replays the files it is given.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
            match $crate::finding::watched($crate::named(stringify!($name)), bytes) {
                Ok(()) => libfuzzer_sys::Corpus::Keep,
                Err(_) => libfuzzer_sys::Corpus::Reject,
            }
        });

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            let files = std::env::args().skip(1).collect::<Vec<_>>();
            $crate::replay::files(Some($crate::named(stringify!($name))), &files)
        }
    };
}

/// The oracle of a target that must exist.
///
/// # Panics
///
/// When there is none of this name.
pub fn named(name: &str) -> &'static Oracle {
    Oracle::by_name(name).unwrap_or_else(|| panic!("there is no oracle `{name}`"))
}
