//! The report of `worldlines conformance`: as text, JSON, an HTML page, and for CI servers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use serde::Serialize;

use super::super::ci::{Case, Ended, Note, Place};
use super::super::exit::Failure;
use super::super::json::Head;
use super::super::oracle::Verdict;
use super::super::page::{self, escaped};
use worldlines::notation::printable;
use worldlines::oracle::Difference;
use worldlines::types::counted;

pub const SCHEMA: &str = "worldlines/conformance-1";

/// The cases, with the results of each implementation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    pub head: Head<Settings>,
    /// The cases, in the order of their files.
    pub cases: Vec<Row>,
    pub summary: Summary,
}

/// The settings on which the answers depend, besides the cases.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Settings {
    /// The version of worldlines.
    pub version: &'static str,
    /// The implementations that were asked.
    pub oracles: Vec<String>,
    /// The number of known differences in all files of --known.
    pub known: usize,
    /// The seconds of `--time`.
    pub time: f64,
}

/// The number of cases, and of results of each kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    cases: usize,
    /// The numbers of results of each implementation.
    pub oracles: BTreeMap<String, Asked>,
}

/// The numbers of results of an implementation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Asked {
    /// The number of cases that it gets right.
    right: usize,
    /// The number of cases in which it differs.
    wrong: usize,
    /// The number of cases in which it differs, and is known to.
    known: usize,
    /// The number of cases in which it was known to differ, and does not.
    surprises: usize,
    /// The number of cases about which it could not be asked.
    not_asked: usize,
}

/// A case, with the result of each implementation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// Its number among all cases that were read, from 1.
    pub index: usize,
    /// The file and the id of the case, and the position if there are several.
    pub case: String,
    pub results: Vec<Cell>,
    /// The file and the line of the case.
    #[serde(skip)]
    pub place: (String, usize),
}

/// The result of an implementation in a case.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cell {
    pub result: Verdict,
    /// The class of the difference.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    class: Option<&'static str>,
    /// A description of the difference, or the reason why it could not be asked or why the difference is
    /// known.
    why: Option<String>,
}

impl Summary {
    pub fn new(rows: &[Row], oracles: &[String]) -> Summary {
        let asked = (0..).zip(oracles).map(|(column, name)| (name.clone(), Asked::new(rows, column)));
        Summary { cases: rows.len(), oracles: asked.collect() }
    }
}

impl Asked {
    /// The numbers for the oracle in this column.
    fn new(rows: &[Row], column: usize) -> Asked {
        let count = |verdict| rows.iter().filter(|row| row.results[column].result == verdict).count();
        Asked {
            right: count(Verdict::Right),
            wrong: count(Verdict::Wrong),
            known: count(Verdict::Known),
            surprises: count(Verdict::Surprise),
            not_asked: count(Verdict::NotAsked),
        }
    }
}

impl Cell {
    pub const RIGHT: Cell = Cell { result: Verdict::Right, class: None, why: None };

    pub fn not_asked(why: String) -> Cell {
        Cell { result: Verdict::NotAsked, class: None, why: Some(why) }
    }

    pub fn wrong(difference: &Difference) -> Cell {
        let Difference { class, about, expected, found, .. } = difference;
        let why = if expected.contains('\n') {
            format!("{about}: other boards")
        } else {
            format!("{about}: expected {expected}, but found {found}")
        };
        Cell { result: Verdict::Wrong, class: Some(class.name()), why: Some(why) }
    }

    /// The result of a case for which a difference is known, if `reason` says so.
    pub fn known(self, reason: Option<String>) -> Cell {
        match (self.result, reason) {
            (Verdict::NotAsked, _) | (_, None) => self,
            (result, why) => Cell { result: result.of_known(), why, ..self },
        }
    }
}

impl Cell {
    /// The case for CI servers.
    fn case(&self, oracle: &str, row: &Row) -> Case {
        let Cell { result, class, why } = self;
        let ended = result.ended();
        let why = why.clone().unwrap_or_default();
        let code = class.unwrap_or(if *result == Verdict::Surprise { "surprise" } else { "not-asked" });
        let (file, line) = row.place.clone();
        let place = Some(Place { file: file.clone(), line, column: None });
        let note = Note { place, ..Note::error(code, &why) };
        let is_told = ended != Ended::Passed;
        Case {
            suite: oracle.to_owned(),
            name: row.case.clone(),
            file,
            ended,
            notes: is_told.then_some(note).into_iter().collect(),
            text: if is_told { why } else { String::new() },
        }
    }
}

impl Summary {
    /// The numbers of results of an implementation, on one line.
    fn text(&self, oracle: &str) -> String {
        let name = printable(oracle);
        let Some(asked) = self.oracles.get(oracle) else { return format!("{name}: nothing asked") };
        let Asked { right, wrong, known, surprises, not_asked } = asked;
        format!(
            "{name}: {} cases: {right} right, {wrong} wrong, {known} known, {surprises} surprises, {not_asked} not asked",
            self.cases
        )
    }
}

impl Report {
    pub fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for (column, name) in self.head.run.oracles.iter().enumerate() {
            for row in &self.cases {
                let cell = &row.results[column];
                if matches!(cell.result, Verdict::Wrong | Verdict::Known | Verdict::Surprise) {
                    let class = cell.class.map(|class| format!(" {class}")).unwrap_or_default();
                    let why = cell.why.as_deref().unwrap_or_default();
                    writeln!(
                        out,
                        "{}{class}: {}: {}",
                        cell.result.name(),
                        printable(&row.case),
                        printable(why)
                    )?;
                }
            }
            for (why, cases) in self.not_asked(column) {
                let cases = counted(cases, "case");
                writeln!(out, "{}: {cases}: {}", Verdict::NotAsked.name(), printable(why))?;
            }
            writeln!(out, "{}", self.summary.text(name))?;
        }
        Ok(())
    }

    /// The reasons why the implementation in this column could not be asked, each with its number of cases.
    fn not_asked(&self, column: usize) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for cell in self.cases.iter().map(|row| &row.results[column]) {
            if let (Verdict::NotAsked, Some(why)) = (cell.result, &cell.why) {
                *reasons.entry(why.as_str()).or_default() += 1;
            }
        }
        reasons
    }

    /// The cases for CI servers: a suite for each implementation, with all cases.
    pub fn ci_cases(&self) -> Vec<Case> {
        let suite = |(column, name): (usize, &String)| {
            let case = move |row: &Row| row.results[column].case(name, row);
            self.cases.iter().map(case).collect::<Vec<_>>()
        };
        self.head.run.oracles.iter().enumerate().flat_map(suite).collect()
    }

    /// The last lines of the text report.
    pub fn last_lines(&self) -> String {
        let lines = self.head.run.oracles.iter().map(|name| self.summary.text(name) + "\n");
        lines.collect()
    }

    /// An HTML page with the matrix, which needs no other file.
    pub fn html(&self) -> String {
        let mut page = page::begin("Conformance");
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "<h1>Conformance</h1>\n<p>{} cases.</p>\n<table>\n<thead><tr><th scope=\"col\">Case</th>",
            self.cases.len()
        );
        for name in &self.head.run.oracles {
            let _ = write!(page, "<th scope=\"col\">{}</th>", escaped(name));
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        for (index, label) in ["right", "wrong", "known", "surprises", "not asked"].into_iter().enumerate() {
            let _ = write!(page, "<tr class=\"total\"><th scope=\"row\">{label}</th>");
            for name in &self.head.run.oracles {
                let count = self.summary.oracles.get(name).map_or(0, |asked| asked.counts()[index]);
                let _ = write!(page, "<td>{count}</td>");
            }
            page.push_str("</tr>\n");
        }
        for row in &self.cases {
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(&row.case));
            for cell in &row.results {
                let kind = cell.result.name().to_lowercase().replace(' ', "-");
                let class = cell.class.unwrap_or_default();
                let why = cell.why.as_deref().unwrap_or_default();
                let _ = write!(
                    page,
                    "<td class=\"{kind}\">{} {class}<small>{}</small></td>",
                    cell.result.name().to_lowercase(),
                    escaped(why)
                );
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tbody>\n</table>\n");
        page.push_str(page::END);
        page
    }
}

impl Asked {
    fn counts(&self) -> [usize; 5] {
        [self.right, self.wrong, self.known, self.surprises, self.not_asked]
    }
}
