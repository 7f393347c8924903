//! JSON types that several commands share. `spec/json.md` describes all of it; the files of `spec/schemas/`
//! are generated from these types.
//!
//! Every field is always there. A field without a value is `null`, and an empty list is `[]`.
//!
//! Some of these types repeat a type of the library. The words of JSON are a promise of the command with a schema, which the
//! library does not make: a new variant or another name there must not change a report unnoticed.

use std::fmt;

use serde::{Serialize, Serializer};

use super::time;

use worldlines::rules::Count;
use worldlines::types::{Because, Color, Partition, RuleProfile, Undecided, counted, fnv1a};

/// White or Black.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Player {
    White,
    Black,
}

impl Player {
    /// The player as an answer names it, with a small letter.
    pub fn word(self) -> &'static str {
        match self {
            Player::White => "white",
            Player::Black => "black",
        }
    }
}

impl From<Color> for Player {
    fn from(color: Color) -> Player {
        match color {
            Color::White => Player::White,
            Color::Black => Player::Black,
        }
    }
}

/// The version of worldlines, in release builds with the commit if git knows it: see `build.rs`.
pub const VERSION: &str = env!("WORLDLINES_VERSION");

/// The name of a position in a game.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionName {
    /// The number of actions played before it.
    pub index: usize,
    /// The next action, as games number it: `8b`. `--at` accepts this and the index.
    pub at: String,
    /// The player to move.
    pub to_move: Player,
}

/// The rules by which something was judged.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rules {
    /// The name of the rule profile, such as `default +en-passant-onto-vacated`.
    pub rules: String,
    /// The pieces that pawns and brawns may become: letters between commas.
    pub promotions: String,
}

impl From<RuleProfile> for Rules {
    fn from(profile: RuleProfile) -> Rules {
        Rules { rules: profile.to_string(), promotions: profile.promotions.to_string() }
    }
}

/// A number that may be incomplete.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Number {
    /// The number found.
    pub count: u64,
    /// Whether there are no more.
    pub exact: bool,
}

impl Number {
    /// `at least ` before a number that may be incomplete, in a text.
    pub fn at_least(self) -> &'static str {
        if self.exact { "" } else { "at least " }
    }
}

impl From<Count> for Number {
    fn from(Count { count, capped }: Count) -> Number {
        Number { count, exact: !capped }
    }
}

/// A part of a run that was divided with `--partition`.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Part {
    /// Its number, from 1.
    pub part: u32,
    /// The number of parts.
    pub of: u32,
}

impl From<Partition> for Part {
    fn from(partition: Partition) -> Part {
        Part { part: partition.part(), of: partition.of() }
    }
}

/// The whole input, before it is divided into parts. It is equal in all parts of a run.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Everything {
    /// The number of puzzles or cases.
    pub count: usize,
    /// The FNV-1a hash of their texts.
    pub fnv1a: String,
}

/// The beginning of a report that can be divided with `--partition`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Head<R> {
    pub schema: &'static str,
    /// The settings of the run.
    pub run: R,
    /// The whole input, with the puzzles or cases of other parts and those that a filter leaves out.
    pub input: Everything,
    /// The part, if the run was divided with `--partition`.
    pub partition: Option<Part>,
    /// The exit code of the command.
    pub exit_code: u32,
}

impl<R> Head<R> {
    /// The beginning of the report of a run, which ends with this exit code.
    pub fn new(
        schema: &'static str,
        run: R,
        input: Everything,
        partition: Option<Partition>,
        exit_code: u8,
    ) -> Head<R> {
        Head { schema, run, input, partition: partition.map(Part::from), exit_code: exit_code.into() }
    }
}

impl Everything {
    /// The whole input that consists of these texts.
    pub fn of<'t>(count: usize, texts: impl Iterator<Item = &'t str>) -> Everything {
        // No text contains this byte, so it marks the end of each.
        let bytes = texts.flat_map(|text| text.bytes().chain([0xff]));
        Everything { count, fnv1a: format!("{:016x}", fnv1a(bytes)) }
    }
}

/// The limit that ended a search before it had an answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Limit"))]
#[serde(rename_all = "lowercase")]
enum EndedBy {
    /// The steps of `--budget` were spent.
    Budget,
    /// The seconds of `--time` were over.
    Time,
    /// The memory of `--memory` was full.
    Memory,
    /// The answer depends on actions beyond the largest position supported.
    Size,
    /// A mate was found, but the steps of `--evidence-budget` did not suffice to confirm it.
    Unconfirmed,
}

impl From<Because> for EndedBy {
    fn from(because: Because) -> EndedBy {
        match because {
            Because::Budget => EndedBy::Budget,
            Because::Stopped => EndedBy::Time,
            Because::Memory => EndedBy::Memory,
            Because::Size => EndedBy::Size,
            Because::Unconfirmed => EndedBy::Unconfirmed,
        }
    }
}

/// The option that allows more.
fn option_for(because: Because) -> Option<&'static str> {
    match because {
        Because::Budget => Some("--budget"),
        Because::Stopped => Some("--time"),
        Because::Memory => Some("--memory"),
        Because::Unconfirmed => Some("--evidence-budget"),
        Because::Size => None,
    }
}

/// The effort of a search without an answer.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Spent {
    /// The search steps.
    pub steps: u64,
    /// The limit that ended the search.
    #[serde(serialize_with = "ended_by")]
    #[cfg_attr(test, schemars(with = "EndedBy"))]
    pub because: Because,
}

fn ended_by<S: Serializer>(because: &Because, serializer: S) -> Result<S::Ok, S::Error> {
    EndedBy::from(*because).serialize(serializer)
}

impl From<Undecided> for Spent {
    fn from(Undecided { steps, because }: Undecided) -> Spent {
        Spent { steps, because }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = counted(self.steps, "search step");
        match self.because {
            Because::Stopped if time::was_interrupted() => return write!(f, "stopped after {steps}"),
            Because::Stopped => write!(f, "the time is up after {steps}")?,
            because => write!(f, "{because} after {steps}")?,
        }
        option_for(self.because).map_or(Ok(()), |option| write!(f, "; {option} allows more"))
    }
}

/// A warning: something looks wrong, but prevents nothing.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Warning {
    /// A stable name for its kind.
    pub code: &'static str,
    /// The message, for people.
    pub message: String,
    /// A hint for people.
    pub hint: Option<String>,
    /// The line of the file, from 1, if it is about a place in the file.
    pub line: Option<usize>,
    /// The character of the line, from 1.
    pub column: Option<usize>,
}

/// The reason why there is no answer, or none for the rest of the input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Error {
    /// The kind of fault in the input; `failed` if the fault is not in the input.
    pub class: ErrorClass,
    /// A stable name for its kind.
    pub code: Option<&'static str>,
    /// The message, for people.
    pub message: String,
    /// A hint for people.
    pub hint: Option<String>,
    /// The line of the file, from 1, if it is about a place in the file.
    pub line: Option<usize>,
    /// The character of the line, from 1.
    pub column: Option<usize>,
}

/// The class of an error of a reader, or the failure of a command.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ErrorClass {
    /// It cannot be parsed.
    Malformed,
    /// It breaks a rule of the game.
    Illegal,
    /// It has more than one meaning.
    Ambiguous,
    /// The command could not do its work.
    Failed,
}

impl From<worldlines::notation::ErrorClass> for ErrorClass {
    fn from(class: worldlines::notation::ErrorClass) -> ErrorClass {
        match class {
            worldlines::notation::ErrorClass::Malformed => ErrorClass::Malformed,
            worldlines::notation::ErrorClass::Illegal => ErrorClass::Illegal,
            worldlines::notation::ErrorClass::Ambiguous => ErrorClass::Ambiguous,
        }
    }
}

/// The output of a command that has no answer at all.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "worldlines/error-1"))]
pub struct Failed<'a> {
    pub schema: &'static str,
    /// The reason.
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
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use schemars::generate::SchemaSettings;
    use schemars::{JsonSchema, Schema};

    use super::super::report::compare;
    use super::super::verify::engine::{self, compliance};
    use super::super::{
        actions, conformance, contest, convert, count, diff, explain, fmt, judge, lint, mine, new, review,
        show, similar, solve, status, verify,
    };
    use super::Failed;

    /// The schema of a command's output. The field `schema` can only have its name.
    fn schema_of<T: JsonSchema>(name: &str) -> Schema {
        let mut schema =
            SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
        schema.insert("title".to_owned(), name.into());
        let properties = schema.get_mut("properties").and_then(|properties| properties.as_object_mut());
        let properties = properties.expect("an object has properties");
        properties.insert("schema".to_owned(), serde_json::json!({ "const": name }));
        schema
    }

    /// The names of schemas that the commands declare: `const SCHEMA: &str = "worldlines/…"`.
    fn names_in_the_code() -> Vec<String> {
        let mut names = Vec::new();
        for entry in walkdir::WalkDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli")) {
            let path = entry.expect("a readable folder").into_path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let code = fs::read_to_string(path).expect("a source file");
                let declared = code
                    .lines()
                    .map(str::trim_start)
                    .filter(|line| line.trim_start_matches("pub ").starts_with("const SCHEMA"));
                let quoted = declared.filter_map(|line| line.split('"').nth(1));
                names.extend(quoted.map(str::to_owned));
            }
        }
        assert!(names.len() > 20, "{names:?}");
        names
    }

    /// Set `BLESS=1` to write the schema files anew.
    #[test]
    fn the_published_schemas_are_what_is_printed() {
        let schemas = [
            (actions::SCHEMA, schema_of::<actions::Report<'_>>(actions::SCHEMA)),
            (actions::SCHEMA_OF_MOVES, schema_of::<actions::ReportOfMoves<'_>>(actions::SCHEMA_OF_MOVES)),
            (count::SCHEMA, schema_of::<count::Report>(count::SCHEMA)),
            (status::SCHEMA, schema_of::<status::End<'_>>(status::SCHEMA)),
            (status::SCHEMA_OF_EACH, schema_of::<status::Report<'_>>(status::SCHEMA_OF_EACH)),
            (show::SCHEMA, schema_of::<show::Report>(show::SCHEMA)),
            (review::SCHEMA, schema_of::<review::Report>(review::SCHEMA)),
            (solve::SCHEMA, schema_of::<solve::Report>(solve::SCHEMA)),
            (judge::SCHEMA, schema_of::<judge::Report<'_>>(judge::SCHEMA)),
            (similar::SCHEMA, schema_of::<similar::Report>(similar::SCHEMA)),
            (explain::SCHEMA, schema_of::<explain::Report>(explain::SCHEMA)),
            (new::SCHEMA, schema_of::<new::Report>(new::SCHEMA)),
            (fmt::SCHEMA, schema_of::<fmt::Report>(fmt::SCHEMA)),
            (lint::SCHEMA, schema_of::<lint::Report<'_>>(lint::SCHEMA)),
            (mine::SCHEMA, schema_of::<mine::Report>(mine::SCHEMA)),
            (convert::SCHEMA, schema_of::<convert::Report>(convert::SCHEMA)),
            (verify::SCHEMA, schema_of::<verify::Json<'_>>(verify::SCHEMA)),
            (diff::SCHEMA, schema_of::<diff::Report>(diff::SCHEMA)),
            (conformance::SCHEMA, schema_of::<conformance::Report>(conformance::SCHEMA)),
            (engine::report::SCHEMA, schema_of::<engine::Report>(engine::report::SCHEMA)),
            (compliance::SCHEMA, schema_of::<compliance::Compliance>(compliance::SCHEMA)),
            (contest::SCHEMA, schema_of::<contest::Report>(contest::SCHEMA)),
            (compare::SCHEMA, schema_of::<compare::Comparison>(compare::SCHEMA)),
            (Failed::SCHEMA, schema_of::<Failed<'_>>(Failed::SCHEMA)),
        ];
        let listed: BTreeSet<&str> = schemas.iter().map(|(name, _)| *name).collect();
        // A file that `play` alone writes and reads.
        for name in names_in_the_code().into_iter().filter(|name| name != "worldlines/progress-1") {
            assert!(listed.contains(&*name), "`{name}` has no row in this test");
        }
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
