//! `worldlines report compare`: tells what got worse and what got better between two reports of the same command.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::super::exit::{Exit, Failure};
use super::super::files::{self, shown};
use super::super::output::{Format, print_json};
use super::super::{conformance, diff, lint, verify};
use super::{MAX_DEPTH, Object, difference};
use worldlines::notation::printable;

/// Compare two reports of the same command
///
/// Reads two reports in JSON of `worldlines verify`, `lint`, `diff` or `conformance`, and says which puzzles, games or cases got worse, got better,
/// are new or are gone. An entry got worse if its answer did, if it has a finding or objection that it had not, or if a claim that rested on evidence rests on the
/// search alone now. Reports of engines are compared by `worldlines verify --engine … --baseline`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines verify puzzles --format json > before.json
  worldlines verify puzzles --format json > after.json
  worldlines report compare before.json after.json

Exit codes: 0 nothing got worse, 1 something got worse, or something new has a finding, 2 unreadable reports, or reports of different commands.")]
pub struct Compare {
    /// The earlier report
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The later report
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// How to print the comparison
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub const SCHEMA: &str = "worldlines/comparison-1";

/// What changed between two reports.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    schema: &'static str,
    /// The schema of both reports.
    of: String,
    /// The first setting in which the runs differ, with its values.
    settings: Option<String>,
    /// Everything that is not as before, in the order of the names.
    changes: Vec<Changed>,
    summary: Summary,
}

/// A puzzle, game or case that is not as before.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Changed {
    /// The id of the puzzle, or the name of the game or case.
    name: String,
    change: Change,
    /// Its answer before; `null` if it is new.
    before: Option<String>,
    /// Its answer now; `null` if it is gone.
    after: Option<String>,
    /// Findings, objections, differences and claims by search alone that were not there before.
    appeared: Vec<String>,
    /// Those that are there no more.
    disappeared: Vec<String>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Change {
    Worse,
    Better,
    New,
    Gone,
}

impl Change {
    const fn name(self) -> &'static str {
        match self {
            Change::Worse => "worse",
            Change::Better => "better",
            Change::New => "new",
            Change::Gone => "gone",
        }
    }
}

#[derive(Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Summary {
    worse: usize,
    better: usize,
    new: usize,
    /// The new ones with a finding.
    new_with_findings: usize,
    gone: usize,
    as_before: usize,
}

/// The lists of the reports that can be compared, by their schemas.
const KINDS: [(&str, &str); 4] = [
    (verify::SCHEMA, "puzzles"),
    (lint::SCHEMA, "puzzles"),
    (diff::SCHEMA, "games"),
    (conformance::SCHEMA, "cases"),
];

pub fn run(arguments: &Compare, out: &mut impl Write) -> Result<Exit, Failure> {
    let read = |path: &PathBuf| {
        let text = files::text(path, files::MAX_REPORT)?;
        Report::parse(&text).map_err(|why| Failure::new(printable(&format!("{}: {why}", shown(path)))))
    };
    let (before, after) = (read(&arguments.before)?, read(&arguments.after)?);
    let comparison = Comparison::of(&before, &after).map_err(Failure::new)?;
    match arguments.format {
        Format::Json => print_json(out, &comparison)?,
        Format::Text => comparison.print(out)?,
    }
    let Summary { worse, new_with_findings, .. } = comparison.summary;
    Ok(if worse + new_with_findings > 0 { Exit::Findings } else { Exit::Ok })
}

/// A report, as far as it is compared.
struct Report {
    schema: String,
    fields: Object,
    entries: BTreeMap<String, Said>,
}

/// The statements of a report about a puzzle, game or case.
#[derive(PartialEq, Eq)]
struct Said {
    answer: String,
    faults: BTreeSet<String>,
}

impl Said {
    /// The weight of the answer: 0 if all is well.
    fn weight(&self) -> u8 {
        match &*self.answer {
            "pass" | "right" | "known" => 0,
            "skipped" | "not-asked" => 1,
            "undecided" => 2,
            _ => 3,
        }
    }

    fn has_finding(&self) -> bool {
        self.weight() > 1 || !self.faults.is_empty()
    }
}

impl Report {
    fn parse(text: &str) -> Result<Report, String> {
        let fields: Object =
            serde_json::from_str(text).map_err(|error| format!("this is no report in JSON: {error}"))?;
        let schema: String = fields.parse("schema")?;
        let Some((_, list)) = KINDS.iter().find(|(known, _)| *known == schema) else {
            let known: Vec<&str> = KINDS.iter().map(|(known, _)| *known).collect();
            return Err(format!(
                "reports of the schema `{schema}` are not compared, only {}",
                known.join(", ")
            ));
        };
        let mut entries = BTreeMap::new();
        for read in fields.parse::<Vec<Read>>(list)? {
            let (name, file) = (read.name.clone(), read.file.clone());
            let said = read.said();
            match entries.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(said);
                }
                Entry::Occupied(first) => {
                    let name = format!("{} ({})", first.key(), file.unwrap_or_default());
                    entries.insert(name, said);
                }
            }
        }
        Ok(Report { schema, fields, entries })
    }
}

/// An entry of any of the lists; each has some of these fields.
#[derive(Deserialize)]
struct Read {
    #[serde(alias = "id", alias = "game", alias = "case")]
    name: String,
    file: Option<String>,
    #[serde(alias = "result")]
    answer: Option<String>,
    #[serde(default)]
    steps: Vec<Step>,
    #[serde(default)]
    findings: Vec<Fault>,
    #[serde(default)]
    objections: Vec<Fault>,
    unreadable: Option<String>,
    difference: Option<Difference>,
    #[serde(default)]
    results: Vec<OfOracle>,
}

#[derive(Deserialize)]
struct Step {
    step: String,
    rests_on: Option<String>,
}

#[derive(Deserialize)]
struct Fault {
    code: String,
    message: String,
}

/// A difference of `diff`.
#[derive(Deserialize)]
struct Difference {
    class: String,
    at: Option<String>,
}

/// The result of `conformance` with one implementation.
#[derive(Deserialize)]
struct OfOracle {
    result: String,
    why: Option<String>,
}

impl Read {
    fn said(self) -> Said {
        let results: BTreeSet<&str> = self.results.iter().map(|one| one.result.as_str()).collect();
        let results: Vec<&str> = results.into_iter().collect();
        let answer = self.answer.unwrap_or_else(|| results.join(", "));
        let by_search = self.steps.iter().filter(|step| step.rests_on.as_deref() == Some("search"));
        let by_search = by_search.map(|step| format!("{}: by search only", step.step));
        let faults = self.findings.iter().chain(&self.objections);
        let faults = faults.map(|fault| format!("[{}] {}", fault.code, fault.message));
        let difference = self.difference.iter().map(|difference| match &difference.at {
            Some(at) => format!("{} at {at}", difference.class),
            None => difference.class.clone(),
        });
        let of_oracles = self.results.iter().filter_map(|one| {
            let why = one.why.as_ref().filter(|_| one.result == "wrong")?;
            Some(why.clone())
        });
        let faults = by_search.chain(faults).chain(self.unreadable).chain(difference).chain(of_oracles);
        Said { answer, faults: faults.collect() }
    }
}

impl Comparison {
    fn of(before: &Report, after: &Report) -> Result<Comparison, String> {
        if before.schema != after.schema {
            return Err(format!("one report is `{}`, the other `{}`", before.schema, after.schema));
        }
        let runs = before.fields.field("run").zip(after.fields.field("run"));
        let settings = runs.and_then(|(before, after)| difference("run", before, after, MAX_DEPTH));
        let settings = settings.map(|(place, before, after)| format!("{place} was {before}, is {after}"));
        let (mut changes, mut summary) = (Vec::new(), Summary::default());
        let names: BTreeSet<&String> = before.entries.keys().chain(after.entries.keys()).collect();
        for name in names {
            let (was, is) = (before.entries.get(name), after.entries.get(name));
            let none = BTreeSet::new();
            let (old, new) = (was.map_or(&none, |said| &said.faults), is.map_or(&none, |said| &said.faults));
            let appeared: Vec<String> = new.difference(old).cloned().collect();
            let disappeared: Vec<String> = old.difference(new).cloned().collect();
            let (count, change) = match (was, is) {
                (Some(was), Some(is)) if was == is => {
                    summary.as_before += 1;
                    continue;
                }
                (Some(was), Some(is)) if is.weight() > was.weight() || !appeared.is_empty() => {
                    (&mut summary.worse, Change::Worse)
                }
                (Some(_), Some(_)) => (&mut summary.better, Change::Better),
                (None, Some(is)) => {
                    summary.new_with_findings += usize::from(is.has_finding());
                    (&mut summary.new, Change::New)
                }
                (_, None) => (&mut summary.gone, Change::Gone),
            };
            *count += 1;
            let answer = |said: Option<&Said>| said.map(|said| said.answer.clone());
            let (before, after) = (answer(was), answer(is));
            changes.push(Changed { name: name.clone(), change, before, after, appeared, disappeared });
        }
        Ok(Comparison { schema: SCHEMA, of: before.schema.clone(), settings, changes, summary })
    }

    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(settings) = &self.settings {
            writeln!(out, "the runs differ: {}", printable(settings))?;
        }
        for changed in &self.changes {
            let answer = match (&changed.before, &changed.after) {
                (Some(before), Some(after)) if before != after => format!("{before}, now {after}"),
                (_, Some(answer)) | (Some(answer), None) => answer.clone(),
                (None, None) => String::new(),
            };
            let name = printable(&changed.name);
            writeln!(out, "{:<6}  {name}: {}", changed.change.name(), printable(&answer))?;
            for fault in &changed.appeared {
                writeln!(out, "        + {}", printable(fault))?;
            }
            for fault in &changed.disappeared {
                writeln!(out, "        - {}", printable(fault))?;
            }
        }
        let Summary { worse, better, new, new_with_findings, gone, as_before } = self.summary;
        let faulty = if new_with_findings > 0 {
            format!(" ({new_with_findings} with findings)")
        } else {
            String::new()
        };
        writeln!(
            out,
            "{worse} worse, {better} better, {new} new{faulty}, {gone} gone, {as_before} as before"
        )?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(puzzles: &[&str]) -> Report {
        let text = format!(
            r#"{{"schema":"worldlines/verify-1","run":{{"quick":{}}},"puzzles":[{}]}}"#,
            puzzles.len() == 3,
            puzzles.join(",")
        );
        Report::parse(&text).unwrap_or_else(|why| panic!("{why}"))
    }

    fn puzzle(id: &str, answer: &str, rests_on: &str, findings: &[&str]) -> String {
        let findings = findings.iter().map(|code| format!(r#"{{"code":"{code}","message":"wrong"}}"#));
        let findings: Vec<String> = findings.collect();
        format!(
            r#"{{"id":"{id}","answer":"{answer}","steps":[{{"step":"shortest","rests_on":"{rests_on}"}}],"findings":[{}]}}"#,
            findings.join(",")
        )
    }

    fn changes(before: &[&str], after: &[&str]) -> (Vec<(String, Change)>, String) {
        let comparison = Comparison::of(&report(before), &report(after)).unwrap();
        let mut out = Vec::new();
        comparison.print(&mut out).map_err(|failure| failure.shown).unwrap();
        let changes = comparison.changes.iter().map(|changed| (changed.name.clone(), changed.change));
        (changes.collect(), String::from_utf8(out).unwrap())
    }

    #[test]
    fn reports_are_compared_entry_by_entry() {
        let good = puzzle("a", "pass", "evidence", &[]);
        let searched = puzzle("a", "pass", "search", &[]);
        let wrong = puzzle("a", "fail", "evidence", &["mate-missing"]);
        let otherwise = puzzle("a", "fail", "evidence", &["second-key"]);
        let undecided = puzzle("a", "undecided", "evidence", &[]);
        let pairs = [
            (&good, &good, None),
            (&good, &searched, Some(Change::Worse)),
            (&searched, &good, Some(Change::Better)),
            (&good, &wrong, Some(Change::Worse)),
            (&wrong, &good, Some(Change::Better)),
            (&wrong, &otherwise, Some(Change::Worse)),
            (&undecided, &wrong, Some(Change::Worse)),
            (&undecided, &good, Some(Change::Better)),
        ];
        for (before, after, change) in pairs {
            let (found, _) = changes(&[before], &[after]);
            let expected: Vec<(String, Change)> =
                change.map(|change| ("a".to_owned(), change)).into_iter().collect();
            assert_eq!(found, expected, "{before} {after}");
        }
        let others = [puzzle("b", "pass", "evidence", &[]), puzzle("c", "fail", "evidence", &["x"])];
        let (found, text) = changes(&[&good, &others[0]], &[&wrong, &others[1], &others[1]]);
        let of = |name: &str, change| (name.to_owned(), change);
        assert_eq!(
            found,
            [of("a", Change::Worse), of("b", Change::Gone), of("c", Change::New), of("c ()", Change::New)]
        );
        assert_eq!(
            text,
            "the runs differ: run.quick was false, is true\n\
             worse   a: pass, now fail\n        + [mate-missing] wrong\n\
             gone    b: pass\n\
             new     c: fail\n        + [x] wrong\n\
             new     c (): fail\n        + [x] wrong\n\
             1 worse, 0 better, 2 new (2 with findings), 1 gone, 0 as before\n"
        );
    }

    #[test]
    fn other_reports_are_refused() {
        let refused = |text: &str| Report::parse(text).err().unwrap();
        assert!(refused("[]").starts_with("this is no report in JSON"));
        assert!(refused("{}").contains("it has no field `schema`"));
        assert!(refused(r#"{"schema":"worldlines/count-1"}"#).contains("are not compared"));
        assert!(refused(r#"{"schema":"worldlines/lint-1"}"#).contains("it has no field `puzzles`"));
        assert!(refused(r#"{"schema":"worldlines/lint-1","puzzles":[{}]}"#).contains("missing field"));
    }
}
