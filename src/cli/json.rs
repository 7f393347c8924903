//! What several commands print as JSON. `spec/json.md` describes all of it; the files of `spec/schemas/` are generated from these types.
//!
//! Every field is always there. What has no value is `null`, and a list without entries is `[]`.

use std::fmt;

use serde::Serialize;

use super::time;

use worldlines::rules::Count;
use worldlines::types::{Because, Color, Partition, RuleProfile, Undecided, fnv1a};

/// White or Black.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Player {
    White,
    Black,
}

impl From<Color> for Player {
    fn from(color: Color) -> Player {
        match color {
            Color::White => Player::White,
            Color::Black => Player::Black,
        }
    }
}

/// Which position of a game this is about.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionName {
    /// How many actions were played before.
    pub index: usize,
    /// The action that comes next, as games number it: `8b`. `--at` reads this and the index.
    pub at: String,
    /// Who is to move.
    pub to_move: Player,
}

/// The rules by which something was judged.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rules {
    /// The name of the rule profile, such as `default +en-passant-onto-vacated`.
    pub rules: String,
    /// What pawns and brawns may become: letters between commas.
    pub promotions: String,
}

impl From<RuleProfile> for Rules {
    fn from(profile: RuleProfile) -> Rules {
        Rules { rules: profile.to_string(), promotions: profile.promotions.to_string() }
    }
}

/// How many there are.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Number {
    /// So many were found.
    pub count: u64,
    /// Whether these are all. Otherwise there are more.
    pub exact: bool,
}

impl From<Count> for Number {
    fn from(Count { count, capped }: Count) -> Number {
        Number { count, exact: !capped }
    }
}

/// One part of a run that was divided with `--partition`.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Part {
    /// Its number, from 1.
    pub part: u32,
    /// How many parts there are.
    pub of: u32,
}

impl From<Partition> for Part {
    fn from(partition: Partition) -> Part {
        Part { part: partition.part(), of: partition.of() }
    }
}

/// Everything that was read, whichever part of it was looked at: that of all parts of a run is equal.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Everything {
    /// How many puzzles or cases.
    pub count: usize,
    /// The FNV-1a hash of their texts.
    pub fnv1a: String,
}

/// The beginning of a report that can be divided with `--partition`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Head<R> {
    pub schema: &'static str,
    /// What was asked for.
    pub run: R,
    /// Everything that was read, that of other parts and what a filter leaves out too.
    pub input: Everything,
    /// Which part this is, of a run with `--partition`.
    pub partition: Option<Part>,
    /// The exit code of the command.
    pub exit_code: u32,
}

impl Everything {
    /// Of these texts.
    pub fn of<'t>(count: usize, texts: impl Iterator<Item = &'t str>) -> Everything {
        // No text has this byte, so that it shows where one ends.
        let bytes = texts.flat_map(|text| text.bytes().chain([0xff]));
        Everything { count, fnv1a: format!("{:016x}", fnv1a(bytes)) }
    }
}

/// What ended a search before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// The steps of `--budget` were spent.
    Budget,
    /// The seconds of `--time` were over.
    Time,
    /// The memory of `--memory` was full.
    Memory,
    /// The answer depends on actions that lead beyond the largest position supported.
    Size,
    /// A mate was found, and the steps of `--evidence-budget` did not suffice to confirm it.
    Unconfirmed,
}

impl From<Because> for Limit {
    fn from(because: Because) -> Limit {
        match because {
            Because::Budget => Limit::Budget,
            Because::Stopped => Limit::Time,
            Because::Memory => Limit::Memory,
            Because::Unconfirmed => Limit::Unconfirmed,
            _ => Limit::Size,
        }
    }
}

impl Limit {
    /// The same in words.
    pub fn reason(self) -> &'static str {
        match self {
            Limit::Budget => "the budget is spent",
            Limit::Time => "the time is up",
            Limit::Memory => "the memory is full",
            Limit::Size => "the answer depends on positions that are larger than is supported",
            Limit::Unconfirmed => "a mate was found and not confirmed within the budget for evidence",
        }
    }
}

impl Limit {
    /// The option that sets the limit.
    pub fn option(self) -> Option<&'static str> {
        match self {
            Limit::Budget => Some("--budget"),
            Limit::Time => Some("--time"),
            Limit::Memory => Some("--memory"),
            Limit::Unconfirmed => Some("--evidence-budget"),
            Limit::Size => None,
        }
    }
}

/// `1 search step`, `2 search steps`.
pub fn search_steps(number: u64) -> String {
    format!("{number} search step{}", if number == 1 { "" } else { "s" })
}

/// What was spent without an answer.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Spent {
    /// Search steps.
    pub steps: u64,
    /// What ended the search.
    pub because: Limit,
}

impl From<Undecided> for Spent {
    fn from(Undecided { steps, because }: Undecided) -> Spent {
        Spent { steps, because: because.into() }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self.because, Limit::Time) && time::was_interrupted() {
            return write!(f, "stopped after {}", search_steps(self.steps));
        }
        write!(f, "{} after {}", self.because.reason(), search_steps(self.steps))?;
        self.because.option().map_or(Ok(()), |option| write!(f, "; {option} allows more"))
    }
}

/// Something that looks wrong and prevents nothing.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Warning {
    /// A stable name for what it is.
    pub code: &'static str,
    /// What it is.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
    /// The line of the file, from 1, if it is about a place in the file.
    pub line: Option<usize>,
    /// The character of the line, from 1.
    pub column: Option<usize>,
}

/// Why there is no answer, or none for the rest of the input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Error {
    /// What is wrong with the input; `failed` if there is none, or it is not asked for rightly.
    pub class: ErrorClass,
    /// A stable name for what it is.
    pub code: Option<&'static str>,
    /// What it is.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
    /// The line of the file, from 1, if it is about a place in the file.
    pub line: Option<usize>,
    /// The character of the line, from 1.
    pub column: Option<usize>,
}

/// What is wrong with an input.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ErrorClass {
    /// It cannot be parsed.
    Malformed,
    /// It breaks a rule of the game.
    Illegal,
    /// It can be understood in more than one way.
    Ambiguous,
    /// The command could not do its work.
    Failed,
}

/// All that is printed when a command has no answer at all.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "worldlines/error-1"))]
pub struct Failed<'a> {
    pub schema: &'static str,
    /// Why.
    pub error: &'a Error,
}

impl<'a> Failed<'a> {
    pub const SCHEMA: &'static str = "worldlines/error-1";

    pub fn new(error: &'a Error) -> Failed<'a> {
        Failed { schema: Failed::SCHEMA, error }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use schemars::generate::SchemaSettings;
    use schemars::{JsonSchema, Schema};

    use super::super::verify::engine::{self, compliance};
    use super::super::{
        actions, conformance, contest, convert, count, diff, explain, fmt, judge, lint, new, show, similar,
        solve, status, verify,
    };
    use super::Failed;

    /// The schema of what a command prints. The field `schema` holds its name and nothing else.
    fn schema_of<T: JsonSchema>(name: &str) -> Schema {
        let mut schema =
            SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
        schema.insert("title".to_owned(), name.into());
        let properties = schema.get_mut("properties").and_then(|properties| properties.as_object_mut());
        let properties = properties.expect("an object has properties");
        properties.insert("schema".to_owned(), serde_json::json!({ "const": name }));
        schema
    }

    /// Set `BLESS=1` to write the files anew.
    #[test]
    fn the_published_schemas_are_what_is_printed() {
        let schemas = [
            (actions::SCHEMA, schema_of::<actions::Report<'_>>(actions::SCHEMA)),
            (actions::SCHEMA_OF_MOVES, schema_of::<actions::ReportOfMoves<'_>>(actions::SCHEMA_OF_MOVES)),
            (count::SCHEMA, schema_of::<count::Report>(count::SCHEMA)),
            (status::SCHEMA, schema_of::<status::End<'_>>(status::SCHEMA)),
            (status::SCHEMA_OF_EACH, schema_of::<status::Report<'_>>(status::SCHEMA_OF_EACH)),
            (show::SCHEMA, schema_of::<show::Report>(show::SCHEMA)),
            (solve::SCHEMA, schema_of::<solve::Report>(solve::SCHEMA)),
            (judge::SCHEMA, schema_of::<judge::Report<'_>>(judge::SCHEMA)),
            (similar::SCHEMA, schema_of::<similar::Report>(similar::SCHEMA)),
            (explain::SCHEMA, schema_of::<explain::Report>(explain::SCHEMA)),
            (new::SCHEMA, schema_of::<new::Report>(new::SCHEMA)),
            (fmt::SCHEMA, schema_of::<fmt::Report>(fmt::SCHEMA)),
            (lint::SCHEMA, schema_of::<lint::Report>(lint::SCHEMA)),
            (convert::SCHEMA, schema_of::<convert::Report>(convert::SCHEMA)),
            (verify::SCHEMA, schema_of::<verify::Json<'_>>(verify::SCHEMA)),
            (diff::SCHEMA, schema_of::<diff::Report>(diff::SCHEMA)),
            (conformance::SCHEMA, schema_of::<conformance::Report>(conformance::SCHEMA)),
            (engine::report::SCHEMA, schema_of::<engine::Report>(engine::report::SCHEMA)),
            (compliance::SCHEMA, schema_of::<compliance::Compliance>(compliance::SCHEMA)),
            (contest::SCHEMA, schema_of::<contest::Report>(contest::SCHEMA)),
            (Failed::SCHEMA, schema_of::<Failed<'_>>(Failed::SCHEMA)),
        ];
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/schemas");
        for (name, schema) in &schemas {
            let file = format!("{}.json", name.strip_prefix("worldlines/").expect("a name of ours"));
            let generated = serde_json::to_string_pretty(schema).expect("a schema is JSON") + "\n";
            if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
                fs::create_dir_all(&folder).expect("a folder for the schemas");
                fs::write(folder.join(&file), &generated).expect("the schema can be written");
            }
            let published = fs::read_to_string(folder.join(&file)).unwrap_or_default().replace("\r\n", "\n");
            assert!(
                published == generated,
                "spec/schemas/{file} is out of date: run BLESS=1 cargo test --bin worldlines"
            );
        }
        assert_eq!(
            fs::read_dir(&folder).expect("the schemas").count(),
            schemas.len(),
            "there is one file for each"
        );
    }
}
