//! Games and figures of other programs, which are not part of this repository.
//!
//! The set is a folder, named by `WORLDLINES_REFERENCE`. `real/*.json` and `generated/*.json` are games:
//! start boards as 5DFEN, moves as 5DPGN and as coordinates, the number of legal actions that up to three
//! programs found in each position (up to 1000), and the moves that a program refused. `positions/*.jsonl`
//! are prefixes of these games with a verdict. `claims.jsonl` and `long-mates.jsonl` are positions in which a
//! mate was claimed or looked for, with the known verdicts by length. `disputed.json` lists figures on which
//! two programs agree against the rules, with the figure of the rules. `variants/*.json` are files of start positions
//! of FiveDChessDataInterface and its tournaments.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use worldlines::notation::Options;
use worldlines::notation::{Format, Game, pgn5d, variants_json};
use worldlines::search::certificate::{self, Looks, certify, check};
use worldlines::search::{Budget, Prover, Solve, Verdict, solve};
use worldlines::state::Position;
use worldlines::types::{Action, Coordinate, Move, PieceKind, Status};

/// The name of the variable that holds the path of the folder.
const FOLDER: &str = "WORLDLINES_REFERENCE";

/// The number at which the other programs stopped counting.
const CAP: u64 = 1000;

/// The search steps for the keys of one position; and the games with hundreds or thousands of keys, for which
/// they do not suffice.
const KEY_NODES: u64 = 20_000;
const TOO_MANY_KEYS: [&str; 10] = [
    "100timelines",
    "ctp2",
    "gen-focused-just-dragons-2",
    "gen-simple-simple-set-1",
    "gen-two-timelines-turn-zero-2",
    "np0",
    "run-games-10",
    "run-games-8",
    "standard-checkmate-2",
    "test-4",
];

/// The search steps for one position.
const STEPS: u64 = 50_000_000;

/// The search steps for a long mate. Not every verdict is found with so many.
const LONG_MATE_STEPS: u64 = 1_000_000;

/// The longest mate that is looked for.
const LONGEST: u32 = 6;

/// Mates that players announced, with their lengths. They must be found, with a certificate.
const ANNOUNCED: [(&str, u32); 4] = [("mage-v-nageek", 2), ("mage-los", 3), ("mage-1", 4), ("ryanfour-1", 4)];

/// Verdicts that the rules contradict: game, number of actions, file of the verdict, and reason. It is an
/// error if one agrees with its file, so that no entry outlives its reason.
const EXPECTED_DIFFERENCES: [(&str, u64, &str, &str); 1] = [(
    "run-games-10",
    42,
    "softmate",
    "the only escape creates an inactive timeline, which does not move the present back, so the game is ongoing",
)];

/// Variants that no position here has: one of two central timelines without boards, and timelines with a gap.
const NO_POSITIONS: [&str; 2] = ["Timeline Advantage for Queen", "Custom - Spaced Dimensions"];

/// A figure of the rules where two programs agree on another, by game and number of actions.
type Disputed = BTreeMap<(String, u64), u64>;

/// Trials for each game and each verdict; a single ignored one when there is no such folder.
pub fn trials(trials: &mut Vec<Trial>) {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        let how =
            format!("reference games skipped: set {FOLDER} to a folder with real, generated and positions");
        eprintln!("{how}");
        trials.push(Trial::test(how, || Ok(())).with_ignored_flag(true));
        return;
    };
    let disputed = Arc::new(disputed(&folder));
    let mut games = BTreeMap::new();
    for path in ["real", "generated"].iter().flat_map(|part| files(&folder.join(part), "json")) {
        let game: Arc<Value> = Arc::new(json(&fs::read_to_string(&path).expect("a readable file")));
        let name = text(&game, "name").to_owned();
        let disputed = Arc::clone(&disputed);
        games.insert(name.clone(), Arc::clone(&game));
        let convertible = Arc::clone(&game);
        trials.push(Trial::test(format!("reference: {name}"), move || replay(&game, &disputed)));
        trials
            .push(Trial::test(format!("reference: {name} in every notation"), move || convert(&convertible)));
    }
    let mut verdicts = 0;
    for path in files(&folder.join("positions"), "jsonl") {
        let kind = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for line in fs::read_to_string(&path).expect("a readable file").lines() {
            let record = json(line);
            let (name, ply) = (text(&record, "game").to_owned(), record["ply"].as_u64().expect("a ply"));
            let game = games.get(&name).cloned();
            if let (Some(before), "checkmate", Some(game)) = (ply.checked_sub(1), &*kind, game.clone()) {
                let title = format!("reference: keys of {name} after {before} actions");
                trials.push(Trial::test(title, move || keys(&game, before as usize)));
            }
            let kind = kind.clone();
            let title = format!("reference: {name} after {ply} actions: {kind}");
            trials.push(Trial::test(title, move || {
                let game = game.ok_or("a verdict on a game that is not among the games")?;
                verdict(&game, &name, ply, &kind)
            }));
            verdicts += 1;
        }
    }
    if folder.join("variants").is_dir() {
        for path in files(&folder.join("variants"), "json") {
            let title = format!("reference: {}", path.file_name().unwrap_or_default().display());
            trials.push(Trial::test(title, move || variants(&fs::read(&path)?)));
        }
    } else {
        let title = "reference variants skipped: the folder has no variants";
        trials.push(Trial::test(title, || Ok(())).with_ignored_flag(true));
    }
    for name in ["claims", "long-mates"] {
        let Ok(positions) = fs::read_to_string(folder.join(name).with_extension("jsonl")) else { continue };
        for line in positions.lines() {
            let position = json(line);
            let title = format!("reference: {name}: {}", text(&position, "name"));
            trials.push(Trial::test(title, move || long_mates(&position)));
        }
    }
    assert!(!games.is_empty() && verdicts > 0, "no games or no verdicts in {}", folder.display());
}

fn disputed(folder: &Path) -> Disputed {
    let Ok(entries) = fs::read_to_string(folder.join("disputed.json")) else { return Disputed::new() };
    let entries = json(&entries);
    let number = |entry: &Value, field: &str| entry[field].as_u64().expect("a number");
    let entry =
        |entry: &Value| ((text(entry, "game").to_owned(), number(entry, "index")), number(entry, "rules"));
    list(&entries).map(entry).collect()
}

/// Checks that every variant of a file is read, written, and read back equal, alone and in one file with all others.
fn variants(bytes: &[u8]) -> Result<(), Failed> {
    let format = Format::VariantsJson;
    let read = |bytes: &[u8]| format.parse(bytes, &Options::default()).into_result();
    let (mut starts, mut texts) = (Vec::new(), Vec::new());
    for variant in
        variants_json::list(std::str::from_utf8(bytes)?).into_result().map_err(|error| error.to_string())?
    {
        let name = variant.name.clone().unwrap_or_default();
        let game = match (variant.game().into_result(), NO_POSITIONS.contains(&&*name)) {
            (Ok(game), false) => game,
            (Err(error), true) if error.issue.code == "no-multiverse" => continue,
            (Ok(_), true) => return Err(format!("`{name}` is read now").into()),
            (Err(error), _) => return Err(format!("`{name}`: {error}").into()),
        };
        let written = format.write(&game).map_err(|error| error.to_string())?;
        if let Some(loss) = written.losses.first() {
            return Err(format!("`{name}` loses {}", loss.what).into());
        }
        if read(&written.bytes).as_ref() != Ok(&game) {
            return Err(format!("`{name}` is another start when it is written").into());
        }
        starts.push(game);
        texts.push(written.bytes);
    }
    let joined = format.join(&texts).ok_or("the variants are not joined")?;
    let found = format.games(&joined).into_iter().map(|span| read(&joined[span.range()]));
    let found = found.collect::<Result<Vec<Game>, _>>().map_err(|error| error.to_string())?;
    if found == starts { Ok(()) } else { Err("in one file the starts are others".into()) }
}

/// Checks that the search agrees with the known verdicts, and that a mate has a certificate.
fn long_mates(record: &Value) -> Result<(), Failed> {
    let game = pgn5d::parse(text(record, "game")).into_result().map_err(|error| error.to_string())?;
    let start = game.end();
    let announced = ANNOUNCED.iter().find(|(name, _)| *name == text(record, "name"));
    for n in 2..=announced.map_or(3, |_| LONGEST) {
        let mut prover = Prover::new(Budget::steps(LONG_MATE_STEPS));
        let solution = prover.solve(&start, n, false);
        let known = record["known"][n.to_string()].as_str();
        if known.is_some_and(|known| ![known, "undecided"].contains(&&*solution.verdict.to_string())) {
            return Err(format!("a mate in {n} is {}, which is known not to be so", solution.verdict).into());
        }
        if announced.is_some_and(|(_, length)| (n >= *length) != (solution.verdict == Verdict::Proven)) {
            return Err(format!("a mate in {n} is {}", solution.verdict).into());
        }
        let (Some(length), [class]) = (solution.mates_in, &solution.keys[..]) else { continue };
        if announced.is_some_and(|(_, announced)| length != *announced) {
            return Err(format!("the mate takes {length} actions").into());
        }
        let mut after = start.clone();
        after.play(class.key()).map_err(|error| error.to_string())?;
        let looks = Looks::within(100 * LONG_MATE_STEPS);
        let mut answers = |position: &Position, left| prover.mating_answer(position, left).ok().flatten();
        let node = certify(&after, length, &mut answers, &looks).map_err(|error| error.to_string())?;
        match check(&start, class.key(), node.mate_in(), &node, &looks) {
            certificate::CheckResult::Accepted { .. } => {}
            other => return Err(format!("the certificate of a mate in {length}: {other:?}").into()),
        }
    }
    Ok(())
}

/// Checks that every action is read as its coordinates say, that the game is written and read back, and that
/// the counts agree.
fn replay(game: &Value, disputed: &Disputed) -> Result<(), Failed> {
    let record = record(game);
    let reading = pgn5d::parse(&record);
    if let Some(warning) = reading.warnings.first() {
        return Err(warning.excerpt("warning", &record).to_string().into());
    }
    let read = reading.value.ok_or("the start position was not read")?;
    let expected: Vec<Vec<&str>> = list(&game["moves"])
        .map(|action| list(action).filter_map(Value::as_str).map(|m| m.trim_end_matches('Q')).collect())
        .collect();
    if let Some(error) = reading.error {
        // If other programs refused the move too, its refusal is no fault of this one.
        let played = read.actions.len() as u64;
        let mut refusals = list(&game["rejections"]).map(|refusal| refusal["after_ply"].as_u64());
        if !refusals.any(|after| after == Some(played)) {
            return Err(error.excerpt("error", &record).to_string().into());
        }
    } else if read.actions.len() != expected.len() {
        return Err(format!("{} actions instead of {}", read.actions.len(), expected.len()).into());
    }
    for (index, (action, expected)) in read.actions.iter().zip(expected).enumerate() {
        let (mut found, mut expected) = (coordinates(action), expected);
        found.sort();
        expected.sort();
        if found != expected {
            return Err(format!("action {index} is {found:?} instead of {expected:?}").into());
        }
    }
    let again = pgn5d::parse(&pgn5d::write(&read, pgn5d::Marks::None).into_text())
        .into_result()
        .map_err(|error| error.to_string())?;
    if again != read {
        return Err("the written game is another one".into());
    }
    counts(game, &read, disputed)
}

/// Checks that the game is written in every notation that can hold it and is read back; without losses it
/// must be equal.
fn convert(game: &Value) -> Result<(), Failed> {
    let game = pgn5d::parse(&record(game)).value.ok_or("the start position was not read")?;
    for format in Format::all() {
        let Ok(written) = format.write(&game) else { continue };
        let text = String::from_utf8_lossy(&written.bytes).into_owned();
        let wrong = |what: &str| Failed::from(format!("{}: {what}:\n{text}", format.name()));
        // Moves that the short layout does not shorten are in both notations.
        let family = |format| if format == Format::ChessJsShort { Format::ChessJs } else { format };
        if Format::detect(&written.bytes).is_some_and(|found| family(found) != family(format)) {
            return Err(wrong("it is taken for another notation"));
        }
        // Parts that the text lacks are given, so that the actions can be compared.
        let start = written.losses.iter().any(|loss| loss.what.contains("start position"));
        let options = Options { start: start.then(|| game.start.clone()), ..Options::default() };
        let reading = format.parse(&written.bytes, &options);
        let read = match (reading.value, reading.error) {
            (Some(read), None) => read,
            // A loss may make it unreadable, as when the unmoved pawns are lost.
            _ if !written.losses.is_empty() => continue,
            (_, error) => return Err(wrong(&error.map(|error| error.to_string()).unwrap_or_default())),
        };
        if written.losses.is_empty() && read != game {
            return Err(wrong("nothing is lost, but it is another game"));
        }
        if format != Format::Fen5d
            && !written.losses.is_empty()
            && read.start == game.start
            && read.actions != game.actions
        {
            return Err(wrong("the actions are others"));
        }
    }
    Ok(())
}

/// Checks that before an action that mates the keys mate, and that the action contains one of them if all are
/// known.
fn keys(game: &Value, before: usize) -> Result<(), Failed> {
    let read = pgn5d::parse(&record(game)).value.ok_or("the start position was not read")?;
    let last = read.actions.get(before).ok_or("the game has no such action")?;
    let position = Game { actions: read.actions[..before].to_vec(), ..read.clone() }.end();
    let mates = |action: &Action| {
        let mut after = position.clone();
        after.play(action).expect("a legal action");
        after.outcome_within(STEPS).is_ok_and(|outcome| outcome.status == Status::Checkmate)
    };
    let budget = Budget { steps: KEY_NODES, ..Budget::default() };
    let solution = solve(&position, Solve { mate_in: 1, all: true, budget });
    if solution.verdict != Verdict::Proven {
        return Err(format!("{:?}, but the next action mates", solution.verdict).into());
    }
    if let Some(class) = solution.keys.iter().find(|class| !mates(class.key())) {
        return Err(format!("{} does not mate", pgn5d::action_text(&position, class.key())).into());
    }
    if solution.complete == TOO_MANY_KEYS.contains(&text(game, "name")) {
        let known = if solution.complete { "all keys are known" } else { "not all keys are known" };
        return Err(format!("{known} after {} nodes", solution.steps).into());
    }
    let has_key = || solution.keys.iter().flat_map(|class| class.keys()).any(|key| last.contains(key));
    if solution.complete && !has_key() {
        return Err("the next action mates and has no key".into());
    }
    Ok(())
}

fn counts(game: &Value, read: &Game, disputed: &Disputed) -> Result<(), Failed> {
    let mut position = read.start.clone();
    let mut wrong = Vec::new();
    for (index, figures) in (0..).zip(list(&game["positions"])) {
        let listed = disputed.get(&(text(game, "name").to_owned(), index)).copied();
        if let Some(expected) = listed.or_else(|| consensus(figures)) {
            let found = position.count_legal_actions_within(CAP, STEPS)?.count;
            if found != expected {
                wrong.push(format!("after {index} actions: expected {expected}, but found {found}"));
            }
        }
        let Some(action) = read.actions.get(index as usize) else { break };
        position.play(action).expect("a legal action");
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The figure that at least two programs give.
fn consensus(figures: &Value) -> Option<u64> {
    let figures: Vec<u64> =
        ["ftxi", "cwmtt", "js"].iter().filter_map(|program| figures[program].as_u64()).collect();
    let agreed = |figure: &&u64| figures.iter().filter(|other| other == figure).count() >= 2;
    figures.iter().find(agreed).copied()
}

fn verdict(game: &Value, name: &str, ply: u64, kind: &str) -> Result<(), Failed> {
    let mut read = pgn5d::parse(&record(game)).value.ok_or("the start position was not read")?;
    let ply_index = usize::try_from(ply)?;
    if read.actions.len() < ply_index {
        return Err(format!("only {} actions were read", read.actions.len()).into());
    }
    read.actions.truncate(ply_index);
    let outcome = read.end().outcome_within(STEPS)?;
    let agrees = match kind {
        "checkmate" => outcome.status == Status::Checkmate,
        "stalemate" => outcome.status == Status::Stalemate,
        "softmate" => outcome.status == Status::Softmate,
        "check_not_mate" => outcome.in_check && matches!(outcome.status, Status::Ongoing | Status::Softmate),
        other => return Err(format!("there is no verdict `{other}`").into()),
    };
    let mut known = EXPECTED_DIFFERENCES.iter();
    let known = known.find(|(game, after, file, _)| (*game, *after, *file) == (name, ply, kind));
    match (agrees, known) {
        (true, None) | (false, Some(_)) => Ok(()),
        (false, None) => {
            Err(format!("expected {kind}, but found {} (in check: {})", outcome.status, outcome.in_check)
                .into())
        }
        (true, Some((.., why))) => Err(format!("agrees now, although it should not: {why}").into()),
    }
}

/// The game with its boards before the moves.
fn record(game: &Value) -> String {
    let boards: Vec<&str> = list(&game["initial_boards"]).filter_map(Value::as_str).collect();
    let mut moves = text(game, "moves_pgn").to_owned();
    let black_begins = text(&game["positions"][0], "present").ends_with('b');
    if black_begins && !moves.starts_with("1b.") {
        moves = moves.replacen("1.", "1b.", 1);
    }
    let size = text(game, "size");
    format!("[Mode \"5D\"]\n[Board \"Custom\"]\n[Size \"{size}\"]\n{}\n\n{moves}\n", boards.join("\n"))
}

/// The moves with plain numbers, as in the set: `(0T1)e2(0T1)e4`. A promotion to a queen is not written.
fn coordinates(action: &Action) -> Vec<String> {
    let place = |place: Coordinate| {
        format!("({}T{}){}", place.board.timeline.0, place.board.half_turn.turn(), place.square)
    };
    let promotion = |m: &Move| match m.promotion {
        None | Some(PieceKind::Queen) => String::new(),
        Some(kind) => kind.letter().to_string(),
    };
    action.moves().iter().map(|m| format!("{}{}{}", place(m.from), place(m.to), promotion(m))).collect()
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the set is JSON")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
