//! Every game of a set of recorded and generated ones, which is not part of this repository.
//!
//! The set is a folder with `real/*.json` and `generated/*.json`. Each file has the start boards as 5DFEN, the moves as
//! 5DPGN and as coordinates, and the moves that other programs refused.

use std::fs; // only for the games of WORLDLINES_REFERENCE
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Marks, read, read_so_far, write};
use crate::types::{Action, Move, PieceKind, Place};

/// The name of the variable that holds the path of the folder.
const FOLDER: &str = "WORLDLINES_REFERENCE";

#[test]
fn every_reference_game_is_read_to_its_end() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        eprintln!("skipped: set {FOLDER} to a folder with real/*.json and generated/*.json to run this test");
        return;
    };
    let files = ["real", "generated"].map(|part| json_files(&folder.join(part))).concat();
    assert!(!files.is_empty(), "there is no game in {}", folder.display());
    let mut failures = Vec::new();
    for path in &files {
        let source = fs::read_to_string(path).expect("the file can be read");
        let game: Value = serde_json::from_str(&source).expect("the file is JSON");
        if let Err(message) = check(&game) {
            failures.push(format!("{}: {message}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{} of {} games:\n{}", failures.len(), files.len(), failures.join("\n"));
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    files
}

/// Reads the game with its boards in front of the moves, and compares the moves with their coordinates.
fn check(game: &Value) -> Result<(), String> {
    let text = |field: &str| game[field].as_str().unwrap_or_default();
    let boards: Vec<&str> = list(&game["initial_boards"]).filter_map(Value::as_str).collect();
    let mut moves = text("moves_pgn").to_string();
    let black_begins = game["positions"][0]["present"].as_str().is_some_and(|present| present.ends_with('b'));
    if black_begins && !moves.starts_with("1b.") {
        moves = moves.replacen("1.", "1b.", 1);
    }
    let record = format!(
        "[Mode \"5D\"]\n[Board \"Custom\"]\n[Size \"{}\"]\n{}\n\n{moves}\n",
        text("size"),
        boards.join("\n")
    );

    let reading = read_so_far(&record);
    if let Some(warning) = reading.warnings.first() {
        return Err(warning.excerpt("warning", &record).to_string());
    }
    let read_game = reading.game.ok_or("the start position was not read")?;
    if let Some(error) = reading.error {
        // A move that other programs refused too says nothing about this one.
        let actions = read_game.actions.len() as u64;
        let listed =
            list(&game["rejections"]).any(|rejection| rejection["after_ply"].as_u64() == Some(actions));
        return if listed { Ok(()) } else { Err(error.excerpt("error", &record).to_string()) };
    }
    let expected: Vec<Vec<&str>> = list(&game["moves"])
        .map(|action| list(action).filter_map(Value::as_str).map(|m| m.trim_end_matches('Q')).collect())
        .collect();
    if read_game.actions.len() != expected.len() {
        return Err(format!("{} actions instead of {}", read_game.actions.len(), expected.len()));
    }
    for (index, (action, expected)) in read_game.actions.iter().zip(&expected).enumerate() {
        let mut found = coordinates(action);
        let mut expected = expected.clone();
        found.sort();
        expected.sort();
        if found != expected {
            return Err(format!("action {index} is {found:?} instead of {expected:?}"));
        }
    }
    let again = read(&write(&read_game, Marks::None)).map_err(|error| error.to_string())?;
    if again == read_game { Ok(()) } else { Err("the written game is another one".into()) }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The moves with plain numbers, as the set has them: `(0T1)e2(0T1)e4`. A promotion to a queen goes without saying.
fn coordinates(action: &Action) -> Vec<String> {
    let place = |place: Place| {
        format!("({}T{}){}", place.board.timeline.0, place.board.half_turn.turn(), place.square)
    };
    let promotion = |m: &Move| match m.promotion {
        None | Some(PieceKind::Queen) => String::new(),
        Some(kind) => kind.letter().to_string(),
    };
    action.moves().iter().map(|m| format!("{}{}{}", place(m.from), place(m.to), promotion(m))).collect()
}
