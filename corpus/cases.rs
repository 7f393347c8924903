//! Case files: `corpus/notation/*.yaml` of schema `worldlines/cases-1`. `corpus/README.md` says what their fields mean.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use serde::Deserialize;
use worldlines::notation::chessjs::frames;
use worldlines::notation::{Format, Game, Issue, Loss, Parsed, WriteError, ceo, fen5d, hash, pgn5d};
use worldlines::notation::{Options, UnmovedPawns};
use worldlines::search::{Budget, Solve, solve};
use worldlines::state::Position;
use worldlines::types::{BoardCoordinate, Color, RuleProfile};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    schema: String,
    count: usize,
    source: String,
    cases: Vec<Case>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    op: Operation,
    from: String,
    to: Option<String>,
    input: Option<String>,
    file: Option<String>,
    ply: Option<usize>,
    cap: Option<u64>,
    mate: Option<u32>,
    expect: Option<Expected>,
    expect_file: Option<String>,
    result: Outcome,
    code: Option<String>,
    at: Option<usize>,
    warnings: Option<Vec<String>>,
    losses: Option<Vec<String>>,
    /// A rule profile by name, instead of the default one.
    profile: Option<String>,
    start: Option<String>,
    #[serde(default)]
    zero_based: bool,
    unmoved_pawns: Option<Unmoved>,
    #[serde(default)]
    check_marks: bool,
    /// The items of the source documents that the case covers; see `coverage.rs`.
    #[serde(default)]
    covers: Vec<String>,
    /// A note for readers, which the tests ignore.
    #[serde(default)]
    #[expect(dead_code, reason = "for readers of the file")]
    comment: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Unmoved {
    StartRank,
    All,
    None,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Operation {
    Count,
    Status,
    Solve,
    Parse,
    Print,
    Convert,
    Apply,
    Hash,
    Frames,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Valid,
    Malformed,
    Illegal,
    Ambiguous,
}

impl Outcome {
    const fn name(self) -> &'static str {
        match self {
            Outcome::Valid => "valid",
            Outcome::Malformed => "malformed",
            Outcome::Illegal => "illegal",
            Outcome::Ambiguous => "ambiguous",
        }
    }
}

#[derive(Deserialize, Clone)]
#[serde(untagged)]
enum Expected {
    Number(u64),
    Text(String),
}

/// The search steps of a case: far more than any needs, so that a wrong one ends.
const STEPS: u64 = 10_000_000;

/// One trial for each case of a file, and one for the file itself.
pub fn trials(path: &Path, trials: &mut Vec<Trial>) {
    let name = crate::shown(path);
    let file = match read(path) {
        Ok(file) => file,
        Err(message) => return trials.push(Trial::test(name, move || Err(message.into()))),
    };
    for case in file.cases {
        let folder: Arc<Path> = crate::root().join(path).parent().unwrap_or(Path::new("")).into();
        trials.push(Trial::test(format!("{name}: {}", case.id), move || run(&case, &folder)));
    }
}

fn read(path: &Path) -> Result<CaseFile, String> {
    let text = fs::read_to_string(crate::root().join(path)).map_err(|error| error.to_string())?;
    let file: CaseFile = serde_saphyr::from_str(&text).map_err(|error| error.to_string())?;
    if file.schema != "worldlines/cases-1" {
        return Err(format!("expected the schema `worldlines/cases-1`, but found `{}`", file.schema));
    }
    if file.count != file.cases.len() {
        return Err(format!("`count` says {}, but there are {} cases", file.count, file.cases.len()));
    }
    if file.source.trim().is_empty() {
        return Err("expected where the expectations come from, but `source` is empty".into());
    }
    let mut ids = BTreeSet::new();
    match file.cases.iter().find(|case| !ids.insert(&case.id)) {
        Some(case) => Err(format!("there are two cases `{}`", case.id)),
        None => Ok(file),
    }
}

/// The items that the cases of a file cover.
pub fn covered(path: &Path) -> Vec<String> {
    read(path).map(|file| file.cases).unwrap_or_default().into_iter().flat_map(|case| case.covers).collect()
}

fn run(case: &Case, folder: &Path) -> Result<(), Failed> {
    let load = |file: &String| fs::read(folder.join(file)).map_err(|error| format!("{file}: {error}"));
    let input = match (&case.input, &case.file) {
        (Some(input), None) => input.clone().into_bytes(),
        (None, Some(file)) => load(file)?,
        _ => return Err("a case has either `input` or `file`".into()),
    };
    let expected = match (&case.expect, &case.expect_file) {
        (Some(Expected::Number(number)), None) => Some(number.to_string()),
        (Some(Expected::Text(text)), None) => Some(text.clone()),
        (None, Some(file)) => Some(String::from_utf8(load(file)?)?),
        (None, None) => None,
        _ => return Err("a case has either `expect` or `expect_file`".into()),
    };
    if case.from == "ceo" {
        return moves_of_another_game(case, &input, expected.as_deref());
    }
    let format = format(&case.from)?;
    if case.result != Outcome::Malformed {
        is_not_mistaken(&input, format)?;
    }
    let options = options(case)?;
    let reading = format.parse(&input, &options);
    if let Some(expected) = &case.warnings {
        let found: Vec<&str> = reading.warnings.iter().map(|warning| warning.code).collect();
        if &found != expected {
            return Err(format!("expected the warnings {expected:?}, but found {found:?}").into());
        }
    }
    if let Some(error) = &reading.error {
        let text = String::from_utf8_lossy(&input);
        let why = error.excerpt("input", &*text).to_string();
        return refused(case, error.class.name(), &error.issue, &why);
    }
    if case.result != Outcome::Valid {
        return Err(format!("expected {}, but the text was read", case.result.name()).into());
    }
    if case.code.is_some() || case.at.is_some() {
        return Err("a valid case has neither `code` nor `at`".into());
    }
    let Parsed { value: Some(mut game), losses, .. } = reading else { return Err("there is no game".into()) };
    adapt(&mut game, case)?;
    if !matches!(case.op, Operation::Print | Operation::Convert) {
        same_losses(case, &game, &losses)?;
    }
    let found = match case.op {
        Operation::Parse => expected.as_ref().map(|_| game.actions.len().to_string()).unwrap_or_default(),
        Operation::Print => converted(case, &game, format, losses, &options)?,
        Operation::Convert => {
            let to = case.to.as_deref().ok_or("a conversion has a notation `to`")?;
            converted(case, &game, self::format(to)?, losses, &options)?
        }
        Operation::Apply => last_boards(&game.end()),
        Operation::Hash => match case.to.as_deref() {
            Some("5dfen-md5") => hash::fen5d_md5(&game.end()),
            Some("chessjs-0.3.6") => hash::chessjs_036(&game).unwrap_or("none".into()),
            _ => return Err("a hash has its name in `to`".into()),
        },
        Operation::Frames => frames::text(
            &game,
            if case.to.is_some() { frames::Labels::RawIndices } else { frames::Labels::None },
        ),
        Operation::Count | Operation::Status | Operation::Solve => {
            judged(case, &game.end(), expected.as_deref())?
        }
    };
    match expected {
        Some(expected) if expected.trim_end() == found.trim_end() => Ok(()),
        Some(expected) => {
            let (expected, found) = (expected.trim_end(), found.trim_end());
            let difference = similar::TextDiff::from_lines(expected, found);
            Err(format!("{}", difference.unified_diff().header("expected", "found")).into())
        }
        None if matches!(case.op, Operation::Parse | Operation::Convert) => Ok(()),
        None => Err("a valid case says what to `expect`".into()),
    }
}

/// A case of Chess Evolved Online.
fn moves_of_another_game(case: &Case, input: &[u8], expected: Option<&str>) -> Result<(), Failed> {
    let text = std::str::from_utf8(input)?;
    if case.result != Outcome::Malformed
        && let Some(found) = Format::detect(input)
    {
        return Err(format!("the text is taken for `{found}`").into());
    }
    let reading = ceo::parse(text);
    if let Some(expected) = &case.warnings {
        let found: Vec<&str> = reading.warnings.iter().map(|warning| warning.code).collect();
        if &found != expected {
            return Err(format!("expected the warnings {expected:?}, but found {found:?}").into());
        }
    }
    if let Some(error) = &reading.error {
        return refused(case, error.class.name(), &error.issue, &error.excerpt("input", text).to_string());
    }
    if case.result != Outcome::Valid {
        return Err(format!("expected {}, but the text was read", case.result.name()).into());
    }
    let entries = reading.value.unwrap_or_default().entries;
    let printed = ceo::write(&entries)?;
    if ceo::parse(&printed).into_result()?.entries != entries {
        return Err("the printed text means something else".into());
    }
    let found = match case.op {
        Operation::Parse => entries.len().to_string(),
        _ => printed,
    };
    let expected = expected.ok_or("a valid case says what to `expect`")?;
    if expected.trim_end() == found.trim_end() {
        Ok(())
    } else {
        Err(format!("expected {expected}, but found {found}").into())
    }
}

fn format(name: &str) -> Result<Format, String> {
    name.parse().map_err(|_| format!("there is no notation `{name}`"))
}

/// Detection may give no answer, but no wrong one.
fn is_not_mistaken(input: &[u8], format: Format) -> Result<(), String> {
    match Format::detect(input) {
        None => Ok(()),
        Some(found) if found == format => Ok(()),
        // Text with boards alone is in both notations, and so are moves that the short layout does not
        // shorten.
        Some(Format::ChessJs | Format::ChessJsShort)
            if matches!(format, Format::ChessJs | Format::ChessJsShort) =>
        {
            Ok(())
        }
        Some(Format::Fen5d) if format == Format::Pgn5d => Ok(()),
        Some(found) => Err(format!("the text is taken for `{}`", found.name())),
    }
}

fn options(case: &Case) -> Result<Options, Failed> {
    let start = match &case.start {
        None => None,
        Some(text) => {
            let format = Format::detect(text.as_bytes()).unwrap_or(Format::Pgn5d);
            let reading = format.parse(text.as_bytes(), &Options::default());
            match (reading.value, reading.error) {
                (Some(game), None) => Some(game.end()),
                _ => return Err("`start` cannot be read".into()),
            }
        }
    };
    let unmoved_pawns = match case.unmoved_pawns {
        None | Some(Unmoved::StartRank) => UnmovedPawns::StartRank,
        Some(Unmoved::All) => UnmovedPawns::All,
        Some(Unmoved::None) => UnmovedPawns::None,
    };
    Ok(Options { start, zero_based: case.zero_based, unmoved_pawns, check_marks: case.check_marks })
}

/// Checks that a text is refused as the case says.
fn refused(case: &Case, class: &str, issue: &Issue, why: &str) -> Result<(), Failed> {
    if case.result.name() != class {
        return Err(format!("expected {}, but found {class}: {why}", case.result.name()).into());
    }
    if let Some(code) = case.code.as_ref().filter(|code| *code != issue.code) {
        return Err(format!("expected the code {code}: {why}").into());
    }
    if let Some(at) = case.at.filter(|&at| at != issue.span.range().start) {
        return Err(format!("expected the error at {at}, not {}: {why}", issue.span.range().start).into());
    }
    Ok(())
}

/// Checks the losses, if the case says them.
fn same_losses(case: &Case, game: &Game, losses: &[Loss]) -> Result<(), Failed> {
    let found: Vec<String> = losses.iter().map(|loss| shown_loss(game, loss)).collect();
    match &case.losses {
        Some(expected) if *expected != found => {
            Err(format!("expected the losses {expected:?}, but found {found:?}").into())
        }
        _ => Ok(()),
    }
}

/// The game in a notation. If nothing is lost, checks that it leads back to the game.
fn converted(
    case: &Case,
    game: &Game,
    to: Format,
    of_reading: Vec<Loss>,
    options: &Options,
) -> Result<String, Failed> {
    let written = match to.write_with(game, options) {
        Ok(written) => written,
        Err(WriteError { reason, action }) => {
            same_losses(case, game, &[Loss { what: reason, action }])?;
            return Ok("unwritable".into());
        }
    };
    if written.losses.is_empty() {
        let again = to.parse(&written.bytes, options);
        if let Some(error) = again.error {
            let text = String::from_utf8_lossy(&written.bytes).into_owned();
            return Err(error.excerpt("written", &text).to_string().into());
        }
        if again.value.as_ref() != Some(game) {
            return Err("nothing is lost, but the text leads back to another game".into());
        }
    }
    let losses: Vec<Loss> = of_reading.into_iter().chain(written.losses).collect();
    same_losses(case, game, &losses)?;
    is_not_mistaken(&written.bytes, to)?;
    Ok(match String::from_utf8(written.bytes) {
        Ok(text) => text,
        Err(error) => error.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}

/// `2b: a comment`
fn shown_loss(game: &Game, loss: &Loss) -> String {
    let Some(index) = loss.action else { return loss.what.clone() };
    let index = index + usize::from(game.start.to_move() == Color::Black);
    let player = if index.is_multiple_of(2) { 'w' } else { 'b' };
    format!("{}{player}: {}", index / 2 + 1, loss.what)
}

/// The boards at the ends of all timelines.
fn last_boards(position: &Position) -> String {
    let multiverse = position.multiverse();
    let is_last =
        |at: BoardCoordinate| multiverse.span(at.timeline).is_some_and(|(_, end)| end == at.half_turn);
    let boards = multiverse.boards().map(|(at, _)| is_last(at));
    let text = fen5d::write(position);
    let lines = text.lines().zip(boards).filter(|(_, last)| *last).map(|(line, _)| line);
    lines.collect::<Vec<_>>().join("\n")
}

fn judged(case: &Case, position: &Position, expected: Option<&str>) -> Result<String, Failed> {
    Ok(match case.op {
        Operation::Status => position.outcome_within(STEPS)?.status.to_string(),
        Operation::Solve => {
            let mate_in = case.mate.ok_or("a search needs `mate`")?;
            let solution = solve(position, Solve { mate_in, all: true, budget: Budget::default() });
            let keys = solution.keys.iter().map(|key| pgn5d::action_text(position, key.key()));
            let mut keys: Vec<String> = keys.collect();
            keys.sort();
            keys.join("\n")
        }
        _ => {
            // Counting one more than the cap shows whether there are more.
            let cap = case.cap.ok_or("a count needs a `cap`")?;
            let count = position.count_legal_actions_within(cap, STEPS)?;
            let at_least = expected.is_some_and(|expected| expected.starts_with("at least"));
            let more = count.capped || (count.count == cap && at_least);
            if more { format!("at least {cap}") } else { count.count.to_string() }
        }
    })
}

/// Changes the game as the case asks for.
fn adapt(game: &mut Game, case: &Case) -> Result<(), Failed> {
    if let Some(name) = &case.profile {
        let profile = name.parse::<RuleProfile>().map_err(|_| format!("there is no profile `{name}`"))?;
        let mut setup = game.start.to_setup();
        setup.profile = RuleProfile { promotions: setup.profile.promotions, ..profile };
        game.start = Position::from_setup(&setup)?;
    }
    if let Some(ply) = case.ply {
        if ply > game.actions.len() {
            return Err(format!("there are {} actions, but `ply` is {ply}", game.actions.len()).into());
        }
        game.actions.truncate(ply);
    }
    Ok(())
}

/// Checks that a game is stored in canonical form, without a warning, and has a file of figures beside it.
pub fn game(path: &Path) -> Result<(), Failed> {
    let absolute = crate::root().join(path);
    let text = fs::read_to_string(&absolute)?;
    let reading = pgn5d::parse(&text);
    if let Some(error) = &reading.error {
        return Err(error.excerpt(&crate::shown(path), &text).to_string().into());
    }
    if let Some(warning) = reading.warnings.first() {
        return Err(warning.excerpt(&crate::shown(path), &text).to_string().into());
    }
    let game = reading.value.ok_or("there is no game")?;
    if !absolute.with_extension("figures.yaml").exists() {
        return Err("it has no figures; `worldlines diff --bless` records them".into());
    }
    Ok(crate::golden(&absolute, &pgn5d::write(&game, pgn5d::Marks::None).into_text())?)
}
