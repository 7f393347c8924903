//! `worldlines report`: merges the reports of parts, and compares two reports.
//!
//! Reports are merged without knowledge of what their entries say. A report must have these fields, in any
//! order: `run` and every other field not named here, equal in all parts; `input` with a `count` of
//! everything that was read; `partition`; `exit_code`; a list whose entries have a number `index` that is
//! their place in the whole run; and `summary`, whose numbers add up, with `filtered` for the entries that a
//! filter leaves out, if there is one. Entries and equal fields are copied byte for byte. Only of the finds of `mine` more is known: those
//! that are like an earlier one leave, over all parts.

pub mod compare;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::output::Format;
use super::{command, conformance, diff, lint, mine, review, verify};
use worldlines::notation::printable;
use worldlines::types::Partition;

/// Work with reports of other commands
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Merge(Merge),
    Compare(compare::Compare),
}

/// Merge the reports of all parts of a run
///
/// Reads the output of `worldlines verify`, `lint`, `mine`, `review`, `diff` or `conformance` with `--partition hash:M/N --format json`
/// for every M from 1 to N, in any order. Prints what the same run without --partition would have printed,
/// byte for byte, and ends with its exit code. Finds of `mine` that are like others, in whatever part, are left out as in one run.
///
/// Reports that do not belong together are refused: those of other versions, options or puzzles, and a part
/// that is missing or given twice.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines report merge part-*.json > report.json
  worldlines report merge part-*.json --write my-puzzles > report.json

Exit codes: that of the whole run, or 2 if the parts do not belong together.")]
struct Merge {
    /// The reports of the parts
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write each find of `mine` into a file of its own in this folder
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

/// The reports that can be merged, with the name of the list of their entries.
const KINDS: [(&str, &str); 6] = [
    (verify::SCHEMA, "puzzles"),
    (lint::SCHEMA, "puzzles"),
    (mine::SCHEMA, "games"),
    (review::SCHEMA, "games"),
    (diff::SCHEMA, "games"),
    (conformance::SCHEMA, "cases"),
];

impl command::Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let Merge { files, write } = match &self.command {
            Command::Merge(merge) => merge,
            Command::Compare(compare) => return compare::run(compare, out),
        };
        let read = |path: &PathBuf| Ok((shown(path), files::text(path, files::MAX_REPORT)?));
        let texts: Vec<(String, String)> = files.iter().map(read).collect::<Result<_, Failure>>()?;
        let (merged, exit) = merge(&texts, write.as_deref()).map_err(|why| Failure::new(printable(&why)))?;
        writeln!(out, "{merged}")?;
        Ok(exit)
    }

    fn format(&self) -> Format {
        match &self.command {
            Command::Merge(_) => Format::Json,
            Command::Compare(compare) => compare.format,
        }
    }
}

/// An object with its fields in their order, each with its text.
struct Object(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Object, M::Error> {
                let mut fields: Vec<(String, Box<RawValue>)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    // Objects in reports of this program have few fields.
                    if fields.len() >= MAX_FIELDS || fields.iter().any(|(other, _)| *other == name) {
                        return Err(M::Error::custom(format_args!("the field `{name}` is one too many")));
                    }
                    fields.push((name, value));
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// The most fields of an object that is compared or added up.
const MAX_FIELDS: usize = 100;
/// The deepest nesting of objects that are compared or added up.
const MAX_DEPTH: usize = 8;

impl Object {
    fn field(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| &**value)
    }

    fn parse<'t, T: Deserialize<'t>>(&'t self, name: &str) -> Result<T, String> {
        let value = self.field(name).ok_or_else(|| format!("it has no field `{name}`"))?;
        serde_json::from_str(value.get()).map_err(|error| format!("the field `{name}`: {error}"))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }
}

#[derive(Deserialize)]
struct Part {
    part: u32,
    of: u32,
}

#[derive(Deserialize)]
struct Input {
    count: u64,
}

#[derive(Deserialize)]
struct Index {
    index: u64,
}

#[derive(Deserialize)]
struct Filtered {
    #[serde(default)]
    filtered: u64,
}

/// The fields of a report of one of these schemas, and the name of the list of its entries. `done` says what cannot be done with others.
fn opened(name: &str, text: &str, done: &str, schemas: &[&str]) -> Result<(Object, &'static str), String> {
    let fields: Object =
        serde_json::from_str(text).map_err(|error| format!("{name} is no report in JSON: {error}"))?;
    let wrong = |why: String| format!("{name} is no report that can be {done}: {why}");
    let schema: String = fields.parse("schema").map_err(wrong)?;
    let kind = KINDS.iter().find(|(known, _)| *known == schema && schemas.contains(known));
    let Some(&(_, list)) = kind else {
        return Err(wrong(format!("its schema is `{schema}`, and not {}", schemas.join(" or "))));
    };
    Ok((fields, list))
}

/// The report of a part.
struct Report<'t> {
    /// The file that it was read from.
    name: &'t str,
    fields: Object,
    /// The name of the field with the entries.
    list: &'static str,
    partition: Partition,
    exit: Exit,
}

impl<'t> Report<'t> {
    fn parse(name: &'t str, text: &str) -> Result<Report<'t>, String> {
        let (fields, list) = opened(name, text, "merged", &KINDS.map(|(schema, _)| schema))?;
        let wrong = |why: String| format!("{name} is no report that can be merged: {why}");
        let Some(Part { part, of }) = fields.parse("partition").map_err(wrong)? else {
            return Err(wrong("it was made without --partition".to_owned()));
        };
        let partition =
            Partition::new(part, of).ok_or_else(|| wrong(format!("there is no part {part} of {of}")))?;
        let code: u8 = fields.parse("exit_code").map_err(wrong)?;
        let exit = Exit::of_code(code).ok_or_else(|| wrong(format!("there is no exit code {code}")))?;
        Ok(Report { name, fields, list, partition, exit })
    }

    /// Refuses a report that is not of the same run as the first one.
    fn belongs_to(&self, first: &Report<'_>) -> Result<(), String> {
        let refused = |why: String| format!("{} and {} do not belong together: {why}", first.name, self.name);
        if !self.fields.names().eq(first.fields.names()) {
            return Err(refused("they have different fields, so different versions made them".to_owned()));
        }
        let (of, other) = (self.partition.of(), first.partition.of());
        if of != other {
            return Err(refused(format!("one is of {other} parts, the other of {of}")));
        }
        let own = [self.list, "partition", "exit_code", "summary"];
        for (name, value) in self.fields.0.iter().filter(|(name, _)| !own.contains(&&**name)) {
            let there = first.fields.field(name).expect("the names are equal");
            if let Some((place, there, here)) = difference(name, there, value, MAX_DEPTH) {
                return Err(refused(format!("`{place}` is {there} in one, and {here} in the other")));
            }
        }
        Ok(())
    }
}

/// The first field in which two values differ, and both values.
fn difference(
    place: &str,
    one: &RawValue,
    other: &RawValue,
    depth: usize,
) -> Option<(String, String, String)> {
    if one.get() == other.get() {
        return None;
    }
    let objects = (serde_json::from_str::<Object>(one.get()), serde_json::from_str::<Object>(other.get()));
    if let (Ok(one), Ok(other)) = &objects
        && one.names().eq(other.names())
        && depth > 0
    {
        let differs = |(name, value): &(String, Box<RawValue>)| {
            difference(&format!("{place}.{name}"), value, other.field(name)?, depth - 1)
        };
        return one.0.iter().find_map(differs);
    }
    let short = |value: &RawValue| value.get().chars().take(SHOWN).collect();
    Some((place.to_owned(), short(one), short(other)))
}

/// The most characters of a value that are shown.
const SHOWN: usize = 60;

/// The output and the exit code of the whole run.
fn merge(texts: &[(String, String)], folder: Option<&Path>) -> Result<(String, Exit), String> {
    let reports = texts.iter().map(|(name, text)| Report::parse(name, text));
    let reports: Vec<Report<'_>> = reports.collect::<Result<_, _>>()?;
    let first = reports.first().ok_or("there is no report")?;
    let mut parts: BTreeMap<u32, &Report<'_>> = BTreeMap::new();
    for report in &reports {
        report.belongs_to(first)?;
        if let Some(other) = parts.insert(report.partition.part(), report) {
            return Err(format!("{} and {} are both {}", other.name, report.name, part(report.partition)));
        }
    }
    let of = first.partition.of();
    if let Some(missing) = (1..=of).find(|part| !parts.contains_key(part)) {
        let count = of as usize - parts.len();
        let more = if count > 1 { format!(", and {} more", count - 1) } else { String::new() };
        return Err(format!("part {missing} of {of} is missing{more}"));
    }
    let schema: String = first.fields.parse("schema")?;
    let is_mined = schema == mine::SCHEMA;
    if folder.is_some() && !is_mined {
        return Err(format!("{} has no puzzles to write: only reports of `mine` have", first.name));
    }
    let (entries, sum) = (entries(&reports)?, sum(&reports)?);
    let Input { count } = first.fields.parse("input").map_err(|why| format!("{}: {why}", first.name))?;
    let Filtered { filtered } = serde_json::from_str(&sum).map_err(|error| format!("`summary`: {error}"))?;
    let found = (entries.len() as u64).saturating_add(filtered);
    if found != count {
        return Err(format!("the parts do not make a whole: {count} were read, but they hold {found}"));
    }
    let nothing = entries.is_empty().then_some(Exit::NothingSelected);
    let exit = Exit::worst(reports.iter().map(|report| report.exit).chain(nothing));
    if is_mined {
        return merge_mined(first, &entries, exit == Exit::Usage, folder);
    }
    let entries: Vec<&str> = entries.values().map(|entry| entry.get()).collect();
    Ok((written(first, &entries, &sum, exit), exit))
}

/// The output and the exit code of the whole run of `mine`.
fn merge_mined(
    first: &Report<'_>,
    entries: &BTreeMap<u64, &RawValue>,
    is_unread: bool,
    folder: Option<&Path>,
) -> Result<(String, Exit), String> {
    let run: mine::Run = first.fields.parse("run").map_err(|why| format!("{}: {why}", first.name))?;
    let games = entries.values().map(|entry| serde_json::from_str(entry.get()));
    let games: Result<Vec<mine::Mined>, _> = games.collect();
    let mut games = games.map_err(|error| format!("an entry of `{}`: {error}", first.list))?;
    let merged = mine::merge(&run, &mut games, is_unread, folder);
    let (summary, exit) = merged.map_err(|failure| failure.error.message)?;
    let text = |value: Result<String, serde_json::Error>| value.map_err(|error| error.to_string());
    let entries: Vec<String> =
        games.iter().map(|mined| text(serde_json::to_string(mined))).collect::<Result<_, _>>()?;
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let sum = text(serde_json::to_string(&summary))?;
    Ok((written(first, &entries, &sum, exit), exit))
}

/// `part 2 of 3`
fn part(partition: Partition) -> String {
    format!("part {} of {}", partition.part(), partition.of())
}

/// The entries of all parts, in the order of the whole run.
fn entries<'r>(reports: &'r [Report<'_>]) -> Result<BTreeMap<u64, &'r RawValue>, String> {
    let mut entries = BTreeMap::new();
    for report in reports {
        let wrong = |why: &dyn fmt::Display| format!("{}: in `{}`: {why}", report.name, report.list);
        let list: Vec<&RawValue> = report.fields.parse(report.list).map_err(|why| wrong(&why))?;
        for entry in list {
            let Index { index } = serde_json::from_str(entry.get()).map_err(|error| wrong(&error))?;
            if entries.insert(index, entry).is_some() {
                return Err(wrong(&format_args!("another entry has the index {index} too")));
            }
        }
    }
    Ok(entries)
}

/// The sum of all summaries, as JSON.
fn sum(reports: &[Report<'_>]) -> Result<String, String> {
    let mut parts = Vec::new();
    for report in reports {
        let wrong = |why: String| format!("{}: {why}", report.name);
        parts.push(report.fields.field("summary").ok_or_else(|| wrong("it has no summary".to_owned()))?);
    }
    let mut text = String::new();
    add(&parts, MAX_DEPTH, &mut text).map_err(|why| format!("the summaries cannot be added up: {why}"))?;
    Ok(text)
}

/// Adds numbers; or objects with the same fields, field by field.
fn add(values: &[&RawValue], depth: usize, sum: &mut String) -> Result<(), String> {
    let number = |value: &&RawValue| serde_json::from_str::<u64>(value.get()).ok();
    if let Some(numbers) = values.iter().map(number).collect::<Option<Vec<u64>>>() {
        let total = numbers.into_iter().try_fold(0_u64, u64::checked_add).ok_or("a number is too large")?;
        // Writing to a string cannot fail.
        let _ = write!(sum, "{total}");
        return Ok(());
    }
    if depth == 0 {
        return Err(format!("they are deeper than {MAX_DEPTH} objects"));
    }
    let objects: Result<Vec<Object>, _> =
        values.iter().map(|value| serde_json::from_str(value.get())).collect();
    let objects = objects.map_err(|error| error.to_string())?;
    let Some(first) = objects.first() else { return Ok(()) };
    sum.push('{');
    for (index, name) in first.names().enumerate() {
        let fields: Option<Vec<&RawValue>> = objects.iter().map(|object| object.field(name)).collect();
        let fields = fields.ok_or_else(|| format!("one has no field `{name}`"))?;
        sum.push_str(if index == 0 { "" } else { "," });
        sum.push_str(&serde_json::to_string(name).map_err(|error| error.to_string())?);
        sum.push(':');
        add(&fields, depth - 1, sum)?;
    }
    sum.push('}');
    Ok(())
}

/// The report of the whole run, with its fields in the order of the first part.
fn written(first: &Report<'_>, entries: &[&str], sum: &str, exit: Exit) -> String {
    let mut text = String::from("{");
    for (index, (name, value)) in first.fields.0.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "{}:", serde_json::Value::from(&**name));
        match &**name {
            "partition" => text.push_str("null"),
            "exit_code" => {
                let _ = write!(text, "{}", exit.code());
            }
            "summary" => text.push_str(sum),
            list if list == first.list => {
                text.push('[');
                for (index, entry) in entries.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    text.push_str(entry);
                }
                text.push(']');
            }
            _ => text.push_str(value.get()),
        }
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::FromArgMatches;

    use super::*;

    fn verify(arguments: &[String]) -> (String, Exit) {
        command(&[&["verify".to_owned()], arguments].concat())
    }

    /// The output and the exit code of a command.
    fn command(arguments: &[String]) -> (String, Exit) {
        let words = ["worldlines".to_owned()].into_iter().chain(arguments.iter().cloned());
        let all = words.chain(["--format", "json"].map(str::to_owned));
        let matches = super::super::all_commands().try_get_matches_from(all).unwrap();
        let mut command = super::super::Chosen::from_arg_matches(&matches).unwrap();
        let mut out = Vec::new();
        let exit = super::super::answer(command.command(), &mut out).unwrap();
        (String::from_utf8(out).unwrap(), exit)
    }

    /// The reports of the parts of a run, each with a name.
    fn parts(of: u32, arguments: &[String]) -> Vec<(String, String)> {
        let part = |part| {
            let partition = format!("--partition=hash:{part}/{of}");
            (format!("part-{part}"), verify(&[&[partition], arguments].concat()).0)
        };
        (1..=of).map(part).collect()
    }

    fn puzzle_files() -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folders = ["corpus/puzzles/wrong", "corpus/puzzles/odd", "puzzles/promotion", "puzzles/rook"];
        let mut files: Vec<String> = folders
            .iter()
            .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
            .map(|path| path.strip_prefix(root).unwrap().display().to_string())
            .collect();
        files.sort();
        files
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (self.0 >> 33) as usize % most
        }

        fn shuffle<T>(&mut self, items: &mut [T]) {
            for end in (1..items.len()).rev() {
                items.swap(end, self.below(end + 1));
            }
        }
    }

    #[test]
    fn the_parts_of_comparisons_make_what_the_whole_run_prints() {
        let commands: [&[&str]; 5] = [
            &[
                "diff",
                "--profile",
                "default",
                "--profile",
                "default -castling-at-distance-two",
                "corpus/rules",
            ],
            &["diff", "--profile", "default", "--profile", "orthodox", "--random", "40", "--shrink", "20"],
            &["diff", "corpus/games/small-2.5dpgn", "corpus/rules"],
            &["conformance", "--oracle", "slow", "corpus/notation", "corpus/games/small-2.figures.yaml"],
            &[
                "conformance",
                "--oracle",
                "slow",
                "--known",
                "corpus/cli/known.yaml",
                "corpus/notation/fen.yaml",
            ],
        ];
        let mut random = Random(2);
        let mut exits = std::collections::BTreeSet::new();
        for words in commands {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            let (whole, exit) = command(&words);
            exits.insert(exit.code());
            for of in [1, 2, 5] {
                let part = |part| {
                    let partition = format!("--partition=hash:{part}/{of}");
                    (format!("part-{part}"), command(&[&words[..], &[partition]].concat()).0)
                };
                let mut parts: Vec<(String, String)> = (1..=of).map(part).collect();
                random.shuffle(&mut parts);
                let (merged, merged_exit) = merge(&parts, None).unwrap();
                assert_eq!(
                    (merged + "\n", merged_exit.code()),
                    (whole.clone(), exit.code()),
                    "{words:?} of {of}"
                );
            }
        }
        assert_eq!(exits, [0, 1].into(), "commands with differences and without");
    }

    #[test]
    fn the_parts_make_what_the_whole_run_prints() {
        let files = puzzle_files();
        assert!(files.len() > 30, "{files:?}");
        let options: [&[&str]; 6] = [
            &["--quick"],
            &["--quick", "--strict"],
            &["--quick", "--filter", "rook,-wrong"],
            &["--quick", "--filter", "no-such-puzzle"],
            &["--budget", "50", "--jobs", "2", "--filter=-wrong,-odd"],
            &["--budget", "50", "--jobs", "1", "--strict"],
        ];
        let mut random = Random(1);
        let (mut empty, mut exits) = (0, Vec::new());
        for round in 0..120 {
            let mut arguments: Vec<String> = options[round % 6].iter().map(|&word| word.to_owned()).collect();
            let mut chosen = files.clone();
            random.shuffle(&mut chosen);
            chosen.truncate(1 + random.below(12));
            arguments.extend(chosen);
            let of = 1 + random.below(9) as u32;
            let (whole, exit) = verify(&arguments);
            let mut parts = parts(of, &arguments);
            empty += parts.iter().filter(|(_, text)| text.contains("\"puzzles\":[]")).count();
            random.shuffle(&mut parts);
            let (merged, merged_exit) =
                merge(&parts, None).unwrap_or_else(|why| panic!("{arguments:?}: {why}"));
            assert!(merged + "\n" == whole, "{of} parts of {arguments:?} make something else");
            assert_eq!(merged_exit, exit, "{of} parts of {arguments:?}");
            exits.push(exit);
        }
        assert!(empty > 0, "no part was empty");
        for exit in [Exit::Ok, Exit::Findings, Exit::Undecided, Exit::NothingSelected] {
            assert!(exits.contains(&exit), "no run ended with {exit:?}");
        }
    }

    #[test]
    fn parts_that_do_not_belong_together_are_refused() {
        let arguments = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let good = parts(3, &arguments("--quick puzzles/small"));
        let refused =
            |parts: &[(String, String)]| merge(parts, None).expect_err("they do not belong together");
        let with = |number: usize, text: String| {
            let mut parts = good.clone();
            parts[number].1 = text;
            parts
        };
        let spoilt = |from: &str, to: &str| {
            assert!(good[1].1.contains(from), "{from} is not in {}", good[1].1);
            with(1, good[1].1.replacen(from, to, 1))
        };
        let other = |words: &str| with(1, parts(3, &arguments(words))[1].1.clone());
        let twice = [&good[..], &[("copy".to_owned(), good[2].1.clone())]].concat();
        let entry = good.iter().position(|(_, text)| text.contains("\"index\":")).unwrap();
        let index = good[entry].1.split("\"index\":").nth(1).unwrap().split(',').next().unwrap();
        let moved = good[entry].1.replacen(&format!("\"index\":{index},"), "\"index\":77,", 1);
        let removed = {
            let (start, rest) = good[entry].1.split_once("\"puzzles\":[").unwrap();
            format!(
                "{start}\"puzzles\":[{}",
                rest.split_once("],\"summary\"").unwrap().1.replacen("", "],\"summary\"", 1)
            )
        };
        let deep = format!("\"exit_code\":0,\"deep\":{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        for (parts, why) in [
            (Vec::new(), "there is no report"),
            (good[..2].to_vec(), "part 3 of 3 is missing"),
            (good[2..].to_vec(), "part 1 of 3 is missing, and 1 more"),
            (twice, "part-3 and copy are both part 3 of 3"),
            (with(1, verify(&arguments("--quick puzzles/small")).0), "it was made without --partition"),
            (with(1, "{".to_owned()), "part-2 is no report in JSON"),
            (with(1, "[]".to_owned()), "part-2 is no report in JSON"),
            (with(1, "{}".to_owned()), "it has no field `schema`"),
            (with(1, "{\"schema\":\"worldlines/count-1\"}".to_owned()), "its schema is `worldlines/count-1`"),
            (with(1, good[1].1.clone() + "{}"), "part-2 is no report in JSON"),
            (
                with(1, parts(2, &arguments("--quick puzzles/small"))[1].1.clone()),
                "one is of 3 parts, the other of 2",
            ),
            (other("--quick --strict puzzles/small"), "`run.strict` is false in one, and true in the other"),
            (other("--quick --budget 9 puzzles/small"), "`run.budget` is null in one, and 9 in the other"),
            (other("--quick puzzles/rook"), "`input.count` is 3 in one, and 1 in the other"),
            (spoilt("\"version\":\"", "\"version\":\"9"), "`run.version`"),
            (spoilt("\"fnv1a\":\"", "\"fnv1a\":\"0"), "`input.fnv1a`"),
            (spoilt("\"part\":2", "\"part\":4"), "there is no part 4 of 3"),
            (spoilt("\"exit_code\":0", "\"exit_code\":9"), "there is no exit code 9"),
            (spoilt("\"exit_code\":0", "\"exit_code\":0,\"exit_code\":0"), "one too many"),
            (spoilt("\"exit_code\":0", "\"exit_code\":0,\"new\":0"), "different versions made them"),
            (spoilt("\"warnings\":0", "\"warnings\":-1"), "the summaries cannot be added up"),
            (spoilt("\"warnings\":0", "\"warnings\":18446744073709551615"), ""),
            (spoilt("\"filtered\":0", "\"filtered\":1"), "3 were read, but they hold 4"),
            (with(entry, removed), "3 were read, but they hold"),
            (
                with(
                    (entry + 1) % 3,
                    good[entry].1.replacen(
                        &format!("\"part\":{},", entry + 1),
                        &format!("\"part\":{},", (entry + 1) % 3 + 1),
                        1,
                    ),
                ),
                "too",
            ),
        ] {
            if why.is_empty() {
                // This sum is just not too large.
                assert!(merge(&parts, None).is_ok());
                continue;
            }
            let said = refused(&parts);
            assert!(said.contains(why), "expected `{why}`, but found `{said}`");
        }
        let deeper =
            |(name, text): &(String, String)| (name.clone(), text.replacen("\"exit_code\":0", &deep, 1));
        let mut parts: Vec<_> = good.iter().map(deeper).collect();
        assert!(merge(&parts, None).is_ok(), "what is equal may be as deep as it likes");
        parts[1].1 = parts[1].1.replacen("}}}1", "}}}2", 1).replacen(":1}}}", ":2}}}", 1);
        assert!(refused(&parts).contains("`deep.a.a.a"));
        // An index in a wrong place is no error by itself: the entries are put in the order of the whole run.
        assert!(merge(&with(entry, moved), None).is_ok());
        let said = merge(&good, Some(Path::new("no-folder"))).expect_err("it has no finds");
        assert!(said.contains("has no puzzles to write"), "{said}");
    }
}
