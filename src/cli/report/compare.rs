//! `worldlines report compare`: tells what got worse and what got better between two reports of the same command.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::exit::{Exit, Failure};
use super::super::files::{self, shown};
use super::super::output::{Format, print_json};
use super::super::{conformance, diff, lint, verify};
use super::{MAX_DEPTH, difference, opened};
use worldlines::notation::printable;

/// Compare two reports of the same command
///
/// Reads two reports in JSON of `worldlines verify`, `lint`, `diff` or `conformance`, and says which puzzles, games or cases got worse, got better,
/// are new or are gone. An entry got worse if its answer did, if it has a finding or objection that it had not, or if a step that was asked or rested on evidence
/// does so no more. Reports of engines are compared by `worldlines verify --engine … --baseline`.
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
    /// Print the comparison as text or JSON
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub const SCHEMA: &str = "worldlines/comparison-1";

/// The changes between two reports.
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

/// The schemas of the reports that can be compared.
const SCHEMAS: [&str; 4] = [verify::SCHEMA, lint::SCHEMA, diff::SCHEMA, conformance::SCHEMA];

pub fn run(arguments: &Compare, out: &mut dyn Write) -> Result<Exit, Failure> {
    let read = |path: &PathBuf| {
        let text = files::text(path, files::MAX_REPORT)?;
        Report::parse(&shown(path), &text).map_err(|why| Failure::new(printable(&why)))
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
    run: Option<Box<RawValue>>,
    entries: BTreeMap<String, Said>,
}

/// The statements of a report about a puzzle, game or case.
#[derive(PartialEq, Eq)]
struct Said {
    answer: String,
    /// The [`weight`] of the answer.
    weight: u8,
    faults: BTreeSet<String>,
    /// Statements that rest on less than evidence, or were not asked.
    weak: BTreeSet<String>,
}

/// A number for an answer, the worse the larger: 0 if all is well.
fn weight(answer: &str) -> u8 {
    match answer {
        "pass" | "right" => 0,
        "known" => 1,
        "skipped" | "not-asked" => 2,
        "undecided" => 3,
        _ => 4,
    }
}

impl Said {
    /// Whether something is wrong with an entry that is new.
    fn has_finding(&self) -> bool {
        self.weight > weight("skipped") || !self.faults.is_empty()
    }
}

impl Report {
    fn parse(name: &str, text: &str) -> Result<Report, String> {
        let wrong = |why: String| format!("{name} is no report that can be compared: {why}");
        let (fields, list) = opened(name, text, "compared", &SCHEMAS)?;
        let schema: String = fields.parse("schema").map_err(wrong)?;
        let mut entries = BTreeMap::new();
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for entry in fields.parse::<Vec<Entry>>(list).map_err(wrong)? {
            // Several with one name are counted in the order of the report.
            let time = times.entry(entry.name.clone()).or_default();
            *time += 1;
            let name = if *time == 1 { entry.name.clone() } else { format!("{} ({time})", entry.name) };
            entries.insert(name, entry.said());
        }
        let run = fields.0.into_iter().find(|(name, _)| name == "run").map(|(_, run)| run);
        Ok(Report { schema, run, entries })
    }
}

/// An entry of any of the lists; each has some of these fields.
#[derive(Deserialize)]
struct Entry {
    #[serde(alias = "id", alias = "game", alias = "case")]
    name: String,
    #[serde(alias = "result")]
    answer: Option<String>,
    #[serde(default)]
    steps: Vec<Step>,
    #[serde(default)]
    findings: Vec<Fault>,
    #[serde(default)]
    objections: Vec<Fault>,
    unreadable: Option<String>,
    crash: Option<String>,
    contradiction: Option<String>,
    /// The question of `lint` that was left open.
    open: Option<String>,
    by_evidence: Option<bool>,
    difference: Option<Difference>,
    #[serde(default)]
    results: Vec<OfOracle>,
}

#[derive(Deserialize)]
struct Step {
    step: String,
    answer: Option<String>,
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

impl Entry {
    fn said(self) -> Said {
        // Implementations come in the order in which they were named.
        let results = || self.results.iter().map(|one| one.result.as_str());
        let answer = self.answer.clone().unwrap_or_else(|| results().collect::<Vec<_>>().join(", "));
        let weight = match &self.answer {
            Some(answer) => weight(answer),
            None => results().map(weight).max().unwrap_or(0),
        };
        let found = self.findings.iter().chain(&self.objections);
        let found = found.map(|fault| format!("[{}] {}", fault.code, fault.message));
        let difference = self.difference.iter().map(|difference| match &difference.at {
            Some(at) => format!("{} at {at}", difference.class),
            None => difference.class.clone(),
        });
        let of_oracles = self.results.iter().enumerate().filter(|(_, one)| one.result == "wrong");
        let of_oracles = of_oracles.map(|(index, one)| {
            format!("implementation {}: {}", index + 1, one.why.as_deref().unwrap_or("wrong"))
        });
        let named = [
            ("crash", &self.crash),
            ("contradiction", &self.contradiction),
            ("unreadable", &self.unreadable),
        ];
        let named = named.into_iter().filter_map(|(name, text)| Some(format!("{name}: {}", text.as_ref()?)));
        let faults = found.chain(difference).chain(of_oracles).chain(named).collect();
        let weak_step = |step: &Step| match (step.answer.as_deref(), step.rests_on.as_deref()) {
            (_, Some("search")) => Some(format!("{}: by search only", step.step)),
            (Some("undecided"), _) => Some(format!("{}: undecided", step.step)),
            (Some("skipped"), _) => Some(format!("{}: not asked", step.step)),
            _ => None,
        };
        let open = self.open.iter().map(|question| format!("`{question}` was not asked"));
        let unproved = (self.by_evidence == Some(false)).then(|| "not proved by evidence".to_owned());
        let weak = self.steps.iter().filter_map(weak_step).chain(open).chain(unproved).collect();
        Said { answer, weight, faults, weak }
    }
}

impl Comparison {
    fn of(before: &Report, after: &Report) -> Result<Comparison, String> {
        if before.schema != after.schema {
            return Err(format!("one report is `{}`, the other `{}`", before.schema, after.schema));
        }
        let runs = before.run.as_deref().zip(after.run.as_deref());
        let settings = runs.and_then(|(before, after)| difference("run", before, after, MAX_DEPTH));
        let settings = settings.map(|(place, before, after)| format!("{place} was {before}, is {after}"));
        let (mut changes, mut summary) = (Vec::new(), Summary::default());
        let names: BTreeSet<&String> = before.entries.keys().chain(after.entries.keys()).collect();
        for name in names {
            let (was, is) = (before.entries.get(name), after.entries.get(name));
            // A better answer may rest on less, such as a pass on the search where the limits left the claim open before.
            let is_no_better = was.zip(is).is_some_and(|(was, is)| is.weight >= was.weight);
            let stated = |said: Option<&Said>| -> BTreeSet<String> {
                let weak = said.filter(|_| is_no_better).into_iter().flat_map(|said| &said.weak);
                said.into_iter().flat_map(|said| &said.faults).chain(weak).cloned().collect()
            };
            let (old, new) = (stated(was), stated(is));
            let appeared: Vec<String> = new.difference(&old).cloned().collect();
            let disappeared: Vec<String> = old.difference(&new).cloned().collect();
            let (count, change) = match (was, is) {
                (Some(was), Some(is)) if was == is => {
                    summary.as_before += 1;
                    continue;
                }
                (Some(was), Some(is)) if is.weight > was.weight || !appeared.is_empty() => {
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

    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
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
        Report::parse("a", &text).unwrap_or_else(|why| panic!("{why}"))
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
        let skipped = good.replace(r#""rests_on":"evidence""#, r#""answer":"skipped","rests_on":null"#);
        let crashed = wrong.replace(r#""findings":["#, r#""crash":"it ended","findings":["#);
        let unsure = puzzle("a", "undecided", "search", &[]);
        let pairs = [
            (&good, &skipped, Some(Change::Worse)),
            (&wrong, &crashed, Some(Change::Worse)),
            (&unsure, &searched, Some(Change::Better)),
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
            [of("a", Change::Worse), of("b", Change::Gone), of("c", Change::New), of("c (2)", Change::New)]
        );
        assert_eq!(
            text,
            "the runs differ: run.quick was false, is true\n\
             worse   a: pass, now fail\n        + [mate-missing] wrong\n\
             gone    b: pass\n\
             new     c: fail\n        + [x] wrong\n\
             new     c (2): fail\n        + [x] wrong\n\
             1 worse, 0 better, 2 new (2 with findings), 1 gone, 0 as before\n"
        );
    }

    /// Each implementation is compared with itself.
    #[test]
    fn results_of_implementations_are_compared_in_their_order() {
        let case = |results: &[&str]| {
            let results: Vec<String> =
                results.iter().map(|one| format!(r#"{{"result":"{one}","why":"other boards"}}"#)).collect();
            let results = results.join(",");
            let text = format!(
                r#"{{"schema":"worldlines/conformance-1","cases":[{{"case":"a","results":[{results}]}}]}}"#
            );
            Report::parse("a", &text).unwrap_or_else(|why| panic!("{why}"))
        };
        for (before, after, change) in [
            (["right", "wrong"], ["right", "wrong"], None),
            (["right", "wrong"], ["wrong", "wrong"], Some(Change::Worse)),
            (["right", "wrong"], ["wrong", "right"], Some(Change::Worse)),
            (["right", "right"], ["known", "right"], Some(Change::Worse)),
            (["right", "wrong"], ["right", "right"], Some(Change::Better)),
        ] {
            let comparison = Comparison::of(&case(&before), &case(&after)).unwrap();
            let found: Vec<Change> = comparison.changes.iter().map(|changed| changed.change).collect();
            assert_eq!(found, change.into_iter().collect::<Vec<_>>(), "{before:?} {after:?}");
        }
    }

    #[test]
    fn other_reports_are_refused() {
        let refused = |text: &str| Report::parse("a.json", text).err().unwrap();
        assert!(refused("[]").starts_with("a.json is no report in JSON"));
        assert!(refused("{}").contains("it has no field `schema`"));
        assert!(
            refused(r#"{"schema":"worldlines/count-1"}"#)
                .contains("its schema is `worldlines/count-1`, and not")
        );
        assert!(refused(r#"{"schema":"worldlines/lint-1"}"#).contains("it has no field `puzzles`"));
        assert!(refused(r#"{"schema":"worldlines/lint-1","puzzles":[{}]}"#).contains("missing field"));
    }
}
