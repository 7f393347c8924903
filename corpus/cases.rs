//! Case files: `corpus/<topic>/*.yaml` of schema `worldlines/cases-1`.
//!
//! ```yaml
//! schema: worldlines/cases-1
//! count: 2                        # of the cases below; another number is an error
//! source: where the expectations come from
//! cases:
//!   - { id: start, op: count, from: 5dpgn, file: small-2.5dpgn, ply: 0, cap: 1000, expect: 7, result: valid }
//!   - { id: end, op: status, from: 5dpgn, input: "1. f3 / e5 2. g4 / Qh4", expect: ongoing, result: valid }
//! ```
//!
//! A case has its text as `input`, or in a `file` beside the case file; `ply` stops after so many actions. Operations and
//! what they expect:
//!
//! - `count`: the number of legal actions up to `cap`; `at least 1000` when there are more than were counted;
//! - `status`: `ongoing`, `softmate`, `checkmate` or `stalemate`.
//!
//! `result` is `valid`, or how the text is refused: `malformed`, `illegal` or `ambiguous`, with nothing expected then.
//! Ids are unique within a file; unknown fields are errors.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use serde::Deserialize;
use worldlines::notation::{Game, pgn5d};
use worldlines::state::Position;
use worldlines::types::RuleProfile;

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
    from: Format,
    input: Option<String>,
    file: Option<String>,
    ply: Option<usize>,
    cap: Option<u64>,
    expect: Option<Expected>,
    result: Outcome,
    /// A rule profile by name, instead of the default one.
    profile: Option<String>,
    /// Kept for readers; nothing is done with the rest.
    #[serde(default)]
    #[expect(dead_code, reason = "for readers of the file")]
    covers: Vec<String>,
    #[serde(default)]
    #[expect(dead_code, reason = "for readers of the file")]
    comment: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Operation {
    Count,
    Status,
}

#[derive(Deserialize, Clone, Copy)]
enum Format {
    #[serde(rename = "5dpgn")]
    Pgn5d,
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

/// The search steps that a case may take: far more than any of them needs, and an end for one that is wrong.
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

fn run(case: &Case, folder: &Path) -> Result<(), Failed> {
    let text = match (&case.input, &case.file) {
        (Some(input), None) => input.clone(),
        (None, Some(file)) => {
            fs::read_to_string(folder.join(file)).map_err(|error| format!("{file}: {error}"))?
        }
        _ => return Err("a case has either `input` or `file`".into()),
    };
    let Format::Pgn5d = case.from;
    let refused = |class: &str, why: String| match case.result.name() {
        expected if expected == class => Ok(()),
        expected => Err(format!("expected {expected}, but found {class}: {why}").into()),
    };
    let game = match pgn5d::read(&text) {
        Ok(game) => game,
        Err(error) => return refused(error.class(), error.excerpt("input", &text).to_string()),
    };
    if case.result != Outcome::Valid {
        return refused("valid", "the text was read".into());
    }
    let position = position(game, case)?;
    let expected = match &case.expect {
        Some(Expected::Number(number)) => number.to_string(),
        Some(Expected::Text(text)) => text.clone(),
        None => return Err("a valid case says what to `expect`".into()),
    };
    let found = match case.op {
        Operation::Status => position.outcome_within(STEPS)?.status.to_string(),
        Operation::Count => {
            // One more than is counted tells whether there are more.
            let cap = case.cap.ok_or("a count needs a `cap`")?;
            let count = position.count_legal_actions_within(cap, STEPS)?;
            let more = count.capped || (count.count == cap && expected.starts_with("at least"));
            if more { format!("at least {cap}") } else { count.count.to_string() }
        }
    };
    if found == expected { Ok(()) } else { Err(format!("expected {expected}, but found {found}").into()) }
}

fn position(mut game: Game, case: &Case) -> Result<Position, Failed> {
    if let Some(name) = &case.profile {
        let profile = RuleProfile::from_name(name).ok_or_else(|| format!("there is no profile `{name}`"))?;
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
    Ok(game.end())
}

/// A game is stored in canonical form, without a warning, and has a case file beside it.
pub fn game(path: &Path) -> Result<(), Failed> {
    let absolute = crate::root().join(path);
    let text = fs::read_to_string(&absolute)?;
    let reading = pgn5d::read_so_far(&text);
    if let Some(error) = &reading.error {
        return Err(error.excerpt(&crate::shown(path), &text).to_string().into());
    }
    if let Some(warning) = reading.warnings.first() {
        return Err(warning.excerpt(&crate::shown(path), &text).to_string().into());
    }
    let game = reading.game.ok_or("there is no game")?;
    if !absolute.with_extension("yaml").exists() {
        return Err("it has no case file".into());
    }
    Ok(crate::golden(&absolute, &pgn5d::write(&game, pgn5d::Marks::None))?)
}
