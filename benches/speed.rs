//! Benchmarks of the core on real input: `cargo bench`, about three minutes. `benches/README.md` explains the
//! results.
//!
//! The input is the games of `corpus/games/`. With `WORLDLINES_REFERENCE` set to the folder of the larger
//! set, its recorded games are measured too, some of them separately. Compare two versions with
//! `--save-baseline` and `--baseline`.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use worldlines::notation::pgn5d::{self, Record};
use worldlines::notation::{Game, chess64, fen};
use worldlines::puzzle::certificate::{self, Certificate, CertificateFile, Claim};
use worldlines::puzzle::{Goal, Table, load};
use worldlines::rules::PartialAction;
use worldlines::search::certificate::Looks;
use worldlines::search::{Budget, Class, Prover, Start};
use worldlines::state::Position;
use worldlines::types::{Action, BoardCoordinate};

/// Games that are measured together.
struct Input {
    name: &'static str,
    texts: Vec<String>,
    games: Vec<Game>,
    /// Every position of every game.
    positions: Vec<Position>,
}

impl Input {
    fn new(name: &'static str, texts: Vec<String>) -> Input {
        let games: Vec<Game> = texts.iter().filter_map(|text| pgn5d::parse(text).value).collect();
        let mut positions = Vec::new();
        for game in &games {
            let mut position = game.start.clone();
            for action in &game.actions {
                positions.push(position.clone());
                position.play(action).expect("a legal action");
            }
            positions.push(position);
        }
        Input { name, texts, games, positions }
    }

    fn bytes(&self) -> u64 {
        self.texts.iter().map(|text| text.len() as u64).sum()
    }
}

/// The folder of the recorded games, if it is known.
fn recorded_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("WORLDLINES_REFERENCE");
    if folder.is_none() {
        eprintln!("recorded games skipped: WORLDLINES_REFERENCE is not set to the folder that holds them");
    }
    Some(PathBuf::from(folder?).join("real"))
}

fn inputs() -> Vec<Input> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut inputs = vec![Input::new("corpus", files(&root.join("corpus/games"), "5dpgn"))];
    if let Some(folder) = recorded_folder() {
        let texts = files(&folder, "json").iter().map(|game| recorded(game)).collect();
        inputs.push(Input::new("recorded", texts));
    }
    inputs
}

/// Some of the recorded games as one input; `None` if they are not there.
fn chosen(name: &'static str, games: &[&str]) -> Option<Input> {
    let folder = recorded_folder()?;
    let text = |game: &&str| {
        let path = folder.join(format!("{game}.json"));
        recorded(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    };
    Some(Input::new(name, games.iter().map(text).collect()))
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

fn semimoves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("single moves");
    for input in inputs() {
        let moves: Vec<_> = input.positions.iter().map(Position::pseudo_legal_moves).collect();
        group.throughput(Throughput::Elements(moves.iter().map(|moves| moves.len() as u64).sum()));
        group.bench_function(BenchmarkId::new("generated", input.name), |bencher| {
            let mut list = Vec::new();
            bencher.iter(|| {
                for position in &input.positions {
                    for board in position.playable_boards() {
                        list.clear();
                        position.pseudo_legal_moves_from(board, &mut list);
                        black_box(&list);
                    }
                }
            });
        });
        let mut partial: Vec<_> = input.positions.into_iter().map(PartialAction::new).collect();
        group.bench_function(BenchmarkId::new("made and taken back", input.name), |bencher| {
            bencher.iter(|| {
                for (partial, moves) in partial.iter_mut().zip(&moves) {
                    for m in moves {
                        partial.push(*black_box(m)).expect("a pseudo-legal move");
                        partial.pop();
                    }
                }
            });
        });
    }
}

/// Measures whether there is a legal action, in every position of some games that other programs are measured
/// with.
fn mate_decisions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mate or not, by position");
    let together = [
        "another",
        "chessin5d-illegal-move-example",
        "ctp1",
        "exiledkings",
        "futures",
        "manychecks",
        "np",
        "np0",
        "number1",
        "silly",
        "small",
        "standard",
        "very-small",
        "wide",
    ];
    let mut measure = |input: Input, positions: &[Position]| {
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(input.name), |bencher| {
            bencher.iter(|| positions.iter().filter(|p| p.legal_action_within(u64::MAX) == Ok(None)).count());
        });
    };
    let sets: [(&str, &[&str]); 3] =
        [("14 recorded games", &together), ("wide", &["wide"]), ("manychecks", &["manychecks"])];
    for (name, games) in sets {
        if let Some(mut input) = chosen(name, games) {
            let positions = std::mem::take(&mut input.positions);
            measure(input, &positions);
        }
    }
    if let Some(mut input) = chosen("last of 100timelines", &["100timelines"]) {
        let last = input.positions.split_off(input.positions.len() - 1);
        measure(input, &last);
    }
}

/// Measures the legal actions of one position with many of them.
fn many_actions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("many actions");
    for name in ["another", "exiledkings"] {
        let Some(input) = chosen(name, &[name]) else { continue };
        let last = input.games[0].end();
        group.throughput(Throughput::Elements(20_000));
        group.bench_function(BenchmarkId::new("20000 listed one by one", name), |bencher| {
            bencher.iter(|| last.legal_actions().take(20_000).map(black_box).count());
        });
        group.throughput(Throughput::Elements(last.count_legal_actions(u64::MAX).count));
        group.bench_function(BenchmarkId::new("counted", name), |bencher| {
            bencher.iter(|| last.count_legal_actions(u64::MAX));
        });
    }
}

/// Measures the whole command: start, reading, replaying and the status of every position.
fn processes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("status --each, whole process");
    group.sampling_mode(SamplingMode::Flat);
    for name in ["100timelines", "many2", "niceandrey"] {
        let Some(input) = chosen(name, &[name]) else { continue };
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.5dpgn"));
        fs::write(&path, &input.texts[0]).expect("the folder can be written");
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_worldlines"));
                let command = command.args(["status", "--each"]).arg(&path).stdout(Stdio::null());
                command.status().expect("the command runs")
            });
        });
    }
}

/// The most actions that are listed and counted in each position.
const CAP: u64 = 1_000;

/// The search steps of slow measurements, which leave out the widest positions.
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

fn notation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("notation");
    for input in inputs() {
        group.throughput(Throughput::Bytes(input.bytes()));
        group.bench_function(BenchmarkId::new("5DPGN, syntax by byte", input.name), |bencher| {
            bencher.iter(|| {
                input.texts.iter().map(|text| Record::parse(text).0.line.moves.len()).sum::<usize>()
            });
        });
        group.bench_function(BenchmarkId::new("5DPGN, games by byte", input.name), |bencher| {
            bencher
                .iter(|| input.texts.iter().filter(|text| pgn5d::parse(text).into_result().is_ok()).count());
        });
    }
    let texts = orthodox_texts();
    group.throughput(Throughput::Elements(texts.iter().map(|text| text.len() as u64 / 2).sum()));
    group.bench_function(BenchmarkId::new("CHESS64, by move", "random"), |bencher| {
        bencher.iter(|| texts.iter().filter(|text| chess64::parse(text).into_result().is_ok()).count());
    });
}

/// Games of orthodox chess as CHESS64, by random play that is the same in every run.
fn orthodox_texts() -> Vec<String> {
    let (start, _) = fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        .into_result()
        .expect("a position");
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut game = || {
        let (mut position, mut actions) = (start.clone(), Vec::new());
        while actions.len() < 160 {
            let mut legal: Vec<_> = position.legal_actions().collect();
            if legal.is_empty() {
                break;
            }
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let action = legal.swap_remove((seed >> 33) as usize % legal.len());
            position.play(&action).expect("a legal action");
            actions.push(action);
        }
        let written = chess64::write(&Game::new(start.clone(), actions)).expect("orthodox chess");
        String::from_utf8(written.bytes).expect("text").trim_end().to_owned()
    };
    (0..40).map(|_| game()).collect()
}

/// The looks for a certificate.
const LOOKS: u64 = 100_000_000;

/// The shipped puzzle files.
fn puzzle_texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles");
    let folders = fs::read_dir(root).expect("a folder").map(|entry| entry.expect("an entry").path());
    folders.filter(|path| path.is_dir()).flat_map(|folder| files(&folder, "yaml")).collect()
}

/// Measures the reading of puzzle files.
fn puzzle_files(criterion: &mut Criterion) {
    let texts = puzzle_texts();
    let mut group = criterion.benchmark_group("puzzle files");
    group.throughput(Throughput::Elements(texts.len() as u64));
    group.bench_function("read, by file", |bencher| {
        bencher.iter(|| {
            texts.iter().map(|text| load("bench.yaml", black_box(text.as_bytes())).len()).sum::<usize>()
        });
    });
}

/// Measures the check of the certificates of all shipped puzzles: as values, and including the reading of the
/// files.
fn certificates(criterion: &mut Criterion) {
    let mut proven = Vec::new();
    for text in puzzle_texts() {
        for document in load("bench.yaml", text.as_bytes()) {
            let (Ok(puzzle), Ok(game)) = (&document.puzzle, document.game()) else { continue };
            let Goal::MateIn(mate_in) = &puzzle.goal.value else { continue };
            let start = game.end();
            let keys = puzzle.solutions.iter().map(|line| pgn5d::parse_action(&start, &line.value[0].value));
            let keys: Vec<Action> = keys.filter_map(Result::ok).collect();
            let mut prover = Prover::new(Budget::default());
            let mut prove = |key: &Action| {
                let evidence = prover.confirm(&start, key, mate_in.value).ok()?;
                Some((evidence.key, evidence.node))
            };
            let Some(proofs) = keys.iter().map(&mut prove).collect() else { continue };
            let (puzzle, mate_in) = (puzzle.id.value.clone(), mate_in.value);
            let made = certificate::write(&Certificate::of_keys(puzzle, start, mate_in, proofs));
            proven.extend(made.ok().map(|text| (text, keys)));
        }
    }
    let check = |file: &CertificateFile, keys: &[Action]| {
        let Certificate { puzzle, start, mate_in, .. } = &file.certificate;
        let claim = Claim { puzzle, start, attacker: start.to_move(), mate_in: *mate_in, keys: Some(keys) };
        file.check(claim, &Looks::within(LOOKS)).findings.len()
    };
    let mut group = criterion.benchmark_group("certificates, by puzzle");
    group.throughput(Throughput::Elements(proven.len() as u64));
    group.bench_function("read and checked", |bencher| {
        bencher.iter(|| {
            let checked = proven
                .iter()
                .map(|(text, keys)| check(&certificate::read(text).expect("what was written is read"), keys));
            checked.sum::<usize>()
        });
    });
    let files: Vec<_> = proven
        .iter()
        .map(|(text, keys)| (certificate::read(text).expect("what was written is read"), keys))
        .collect();
    group.bench_function("checked", |bencher| {
        bencher.iter(|| files.iter().map(|(file, keys)| check(file, keys)).sum::<usize>());
    });
}

/// Measures the look-up of an action among the wrong first actions of a puzzle, by hash and in classes.
fn tables(criterion: &mut Criterion) {
    let text = include_str!("../puzzles/rook/rook-tactics-4.yaml");
    let document = load("rook-tactics-4.yaml", text.as_bytes()).remove(0);
    let start = document.game().expect("a legal start").end();
    let actions: Vec<Action> = start.legal_actions().collect();
    let mut by_action = Table::default();
    for (row, action) in actions.iter().enumerate() {
        by_action.add(action.clone(), row).expect("every action is listed once");
    }
    let mut by_class = Table::default();
    let boards: Vec<BoardCoordinate> = start.playable_boards().collect();
    for (row, action) in actions.iter().enumerate().step_by(10) {
        let starts = boards.iter().map(|&board| (board, vec![Start::of(action, board)])).collect();
        by_class.add_class(Class::new(starts), row);
    }
    by_class.set_otherwise(actions.len());
    let mut group = criterion.benchmark_group("tables, by look-up");
    group.throughput(Throughput::Elements(actions.len() as u64));
    for (name, table) in [("rows", &by_action), ("21 classes", &by_class)] {
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| actions.iter().filter_map(|action| table.get(action)).sum::<usize>());
        });
    }
    group.finish();
}

criterion_group! {
    name = speed;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(4));
    targets = semimoves, mate_decisions, many_actions, processes, legal_actions, notation,
        puzzle_files, certificates, tables
}
criterion_main!(speed);
