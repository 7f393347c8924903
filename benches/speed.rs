//! How fast the core is on real input: `cargo bench`, about a minute.
//!
//! The input is the games of `corpus/games/`. With `WORLDLINES_REFERENCE` set to the folder of the larger set, its recorded
//! games are measured too, as one more input of every group. Compare two versions with `--save-baseline` and `--baseline`.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use worldlines::notation::Game;
use worldlines::notation::pgn5d::{self, Record};
use worldlines::state::Position;

/// Games that belong together.
struct Input {
    name: &'static str,
    texts: Vec<String>,
    games: Vec<Game>,
    /// Every position of every game.
    positions: Vec<Position>,
}

impl Input {
    fn new(name: &'static str, texts: Vec<String>) -> Input {
        let games: Vec<Game> = texts.iter().filter_map(|text| pgn5d::read_so_far(text).game).collect();
        let mut positions = Vec::new();
        for game in &games {
            let mut position = game.start.clone();
            for action in &game.actions {
                positions.push(position.clone());
                position.play_unchecked(action);
            }
            positions.push(position);
        }
        Input { name, texts, games, positions }
    }

    fn bytes(&self) -> u64 {
        self.texts.iter().map(|text| text.len() as u64).sum()
    }
}

fn inputs() -> Vec<Input> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = files(&root.join("corpus/games"), "5dpgn");
    let mut inputs = vec![Input::new("corpus", texts)];
    match std::env::var_os("WORLDLINES_REFERENCE") {
        None => {
            eprintln!("recorded games skipped: WORLDLINES_REFERENCE is not set to the folder that holds them")
        }
        Some(folder) => {
            let games = files(&PathBuf::from(folder).join("real"), "json");
            inputs.push(Input::new("recorded", games.iter().map(|game| recorded(game)).collect()));
        }
    }
    inputs
}

fn files(folder: &Path, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a readable file")).collect()
}

/// The 5DPGN of a recorded game.
fn recorded(json: &str) -> String {
    let game: serde_json::Value = serde_json::from_str(json).expect("a game as JSON");
    let text = |field: &str| game[field].as_str().unwrap_or_default();
    let boards = game["initial_boards"].as_array().into_iter().flatten().filter_map(|board| board.as_str());
    let boards: Vec<&str> = boards.collect();
    let mut moves = text("moves_pgn").to_owned();
    if game["positions"][0]["present"].as_str().is_some_and(|present| present.ends_with('b')) {
        moves = moves.replacen("1.", "1b.", 1);
    }
    format!("[Board \"Custom\"]\n[Size \"{}\"]\n{}\n{moves}\n", text("size"), boards.join("\n"))
}

fn play_and_undo(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("play and undo, by action");
    for input in inputs() {
        let actions: usize = input.games.iter().map(|game| game.actions.len()).sum();
        group.throughput(Throughput::Elements(actions as u64));
        group.bench_function(BenchmarkId::from_parameter(input.name), |bencher| {
            let mut starts: Vec<Position> = input.games.iter().map(|game| game.start.clone()).collect();
            bencher.iter(|| {
                for (position, game) in starts.iter_mut().zip(&input.games) {
                    game.actions.iter().for_each(|action| position.play_unchecked(black_box(action)));
                    game.actions.iter().rev().for_each(|action| position.undo(black_box(action)));
                }
            });
        });
    }
}

/// Listing and counting stop here in each position.
const CAP: u64 = 1_000;

/// The widest positions are left out of what takes long.
const STEPS: u64 = 20_000;

fn legal_actions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("legal actions, by position");
    group.sampling_mode(SamplingMode::Flat);
    for input in inputs() {
        group.throughput(Throughput::Elements(input.positions.len() as u64));
        group.bench_function(BenchmarkId::new("listed up to 1000", input.name), |bencher| {
            bencher.iter(|| {
                let listed = |position: &Position| {
                    position.legal_actions().within(STEPS).take(CAP as usize).map(black_box).count()
                };
                input.positions.iter().map(listed).sum::<usize>()
            });
        });
        group.bench_function(BenchmarkId::new("counted up to 1000", input.name), |bencher| {
            bencher.iter(|| {
                let counted = |position: &Position| position.count_legal_actions_within(CAP, STEPS).is_ok();
                input.positions.iter().filter(|position| counted(position)).count()
            });
        });
        group.bench_function(BenchmarkId::new("one or mate", input.name), |bencher| {
            bencher.iter(|| {
                let has_one =
                    |position: &Position| matches!(position.legal_action_within(STEPS), Ok(Some(_)));
                input.positions.iter().filter(|position| has_one(position)).count()
            });
        });
    }
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("5DPGN, by byte");
    for input in inputs() {
        group.throughput(Throughput::Bytes(input.bytes()));
        group.bench_function(BenchmarkId::new("syntax", input.name), |bencher| {
            bencher.iter(|| input.texts.iter().map(|text| Record::parse(text).0.moves.len()).sum::<usize>());
        });
        group.bench_function(BenchmarkId::new("games", input.name), |bencher| {
            bencher.iter(|| input.texts.iter().filter(|text| pgn5d::read(text).is_ok()).count());
        });
    }
}

criterion_group! {
    name = speed;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(4));
    targets = play_and_undo, legal_actions, reading
}
criterion_main!(speed);
