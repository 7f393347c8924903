//! The targets: one file for each, named after it, which declares `TARGET`. The build script makes the table
//! of them.
//!
//! A target makes a case of some bytes, notes it (`noted`), and asks its question about it. It panics on a
//! finding and is silent otherwise. Where possible, the asking function takes the code under test as an
//! argument, so that the tests can pass broken code and see that it is noticed.

pub mod ceo_entries;
pub mod ceo_text;
pub mod certificate;
pub mod certificate_claims;
pub mod certificate_mutation;
pub mod chess64_binary;
pub mod chess64_text;
pub mod chessjs_api;
pub mod chessjs_json;
pub mod chessjs_raw;
pub mod chessjs_short;
pub mod chessjs_text;
pub mod convert_loss;
pub mod diagnostics;
pub mod engine_session;
pub mod falsehoods;
pub mod fen5d_text;
pub mod fen_text;
pub mod fix_idempotent;
pub mod fix_positions;
pub mod game_notations;
pub mod game_orthodox;
pub mod gui_fen_text;
pub mod hexicube_text;
pub mod hostile_claims;
pub mod legal_twin;
pub mod many_defences;
pub mod mate_prover;
pub mod no_mate;
pub mod oracle_texts;
pub mod other_mates;
pub mod outcome_twin;
pub mod pgn5d_game;
pub mod pgn5d_text;
pub mod pgn_text;
pub mod pictures;
pub mod play_undo;
pub mod proof_memory;
pub mod puzzle_format;
pub mod puzzle_mutated;
pub mod puzzle_start;
pub mod puzzle_yaml;
pub mod raw_text;
pub mod simplified_text;
pub mod symmetry;
pub mod tn_text;
pub mod uci5d_text;
pub mod variants_json_text;
pub mod whole_file;

use crate::Target;
#[cfg(test)]
use crate::cases::flags;
use crate::cases::{
    Case, any_position, assert_has_place, assert_marks, assert_printable, game_of, is_same, position_of,
    puzzle_about, shown, small_position_of, twin_of,
};
use crate::finding::noted;
#[cfg(test)]
use crate::random::Random;

include!(concat!(env!("OUT_DIR"), "/targets.rs"));
