//! The report of an engine examination.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use serde::Serialize;

use super::super::super::ci::{Case as CiCase, Ended, Note};
use super::super::super::exit::{Exit, Failure};
use super::super::super::json::VERSION;
use super::super::super::page::{self, escaped};
use super::Examining;
use worldlines::exam::{Case, Kind, Outcome, Verdict};
use worldlines::notation::printable;
use worldlines::types::counted;

pub const SCHEMA: &str = "worldlines/engine-1";

/// The results of an engine in all cases.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// The settings of the run.
    run: Run,
    /// The exit code of the command.
    exit_code: u32,
    cases: Vec<Row>,
    /// The numbers of solved cases, by group.
    rates: Vec<Rate>,
    /// The number of cases with each verdict that occurs.
    verdicts: Vec<Counted>,
    /// The faults of the engine when it was told to quit.
    at_the_end: Vec<String>,
    /// The cases that were solved in an earlier report and are not solved now.
    worse: Vec<String>,
    /// The cases that are solved now and were not before.
    better: Vec<String>,
}

/// The settings on which the answers depend, besides the puzzles.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Run {
    /// The version of worldlines.
    version: &'static str,
    /// The name of the engine.
    engine: String,
    /// The choice of the defences that are played.
    defences: String,
    seed: u64,
    /// The seconds for an action.
    time_per_action: f64,
    nodes: Option<u64>,
    whole_actions: bool,
    negatives: bool,
}

/// The result of a case.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// The id of the puzzle. For cases that are made from a puzzle, `#` and the kind follow.
    name: String,
    file: String,
    /// `mate`, `no-mate`, `longer`, `only-action`, `play` or `over`.
    kind: &'static str,
    /// The number of actions of the mate that is there, or is not.
    mate_in: Option<u32>,
    themes: Vec<String>,
    /// The number of timelines.
    timelines: usize,
    /// `solved`, `slower-mate`, `lost-mate`, `false-mate`, `illegal`, `no-move`, `crashed`, `hung`, `babbled`, `undecided` or
    /// `not-asked`.
    verdict: &'static str,
    /// The reason for the verdict, for people.
    why: String,
    /// The number, from 1, of the engine's action that decided the verdict.
    at: usize,
    /// The actions from the start of the case, in 5DPGN.
    line: Vec<String>,
    /// The defence against which the mate was lost.
    defence: Option<String>,
    /// The number of defences that the engine has met.
    defences: u32,
    /// The longest time for an action, in seconds.
    slowest: f64,
    /// The number of times that the time was over and the engine was told to stop.
    stopped: u32,
    /// The reason for a known failure, even if it does not occur any more.
    known: Option<String>,
    /// The end of the transcript, if the engine failed.
    transcript: Vec<String>,
    #[serde(skip)]
    judged: Verdict,
    /// Whether it is a finding: a failure that is neither known nor in an earlier report, or a known failure
    /// that is gone.
    #[serde(skip)]
    is_finding: bool,
}

/// The number of cases with a verdict.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Counted {
    verdict: &'static str,
    count: usize,
}

/// The number of solved cases in a group.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Rate {
    /// `all`, `kind`, `mate in`, `timelines` or `theme`.
    group: &'static str,
    /// The value that the cases of the group share.
    of: String,
    solved: usize,
    asked: usize,
}

impl Row {
    pub fn of(case: &Case<'_>, outcome: Outcome, known: Option<String>) -> Row {
        let Outcome { verdict, why, at, line, defence, defences, slowest, stopped, transcript } = outcome;
        let themes = case.document.puzzle.iter().flat_map(|puzzle| &puzzle.themes);
        let mate_in = match case.kind {
            Kind::Mate(n) | Kind::NoMate(n) | Kind::Longer(n) => Some(n),
            _ => None,
        };
        Row {
            name: case.name.clone(),
            file: case.document.file.path.clone(),
            kind: case.kind.name(),
            mate_in,
            themes: themes.map(|theme| theme.value.clone()).collect(),
            timelines: case.game.end().multiverse().timelines().count(),
            verdict: verdict.name(),
            why: printable(&why),
            at,
            line,
            defence,
            defences,
            slowest: slowest.as_secs_f64(),
            stopped,
            known,
            transcript: transcript.iter().map(|line| printable(line)).collect(),
            judged: verdict,
            is_finding: false,
        }
    }

    /// The question of the case, in words.
    fn question(&self) -> String {
        match (self.kind, self.mate_in) {
            ("mate", Some(n)) => format!("mate in {n}"),
            ("no-mate", Some(n)) => format!("no mate in {n}"),
            ("longer", Some(n)) => format!("mate in {n}, asked for one action less"),
            ("only-action", _) => "a single legal action".to_owned(),
            ("over", _) => "no legal action".to_owned(),
            _ => "a legal action".to_owned(),
        }
    }

    /// Whether a known failure does not occur any more.
    fn is_surprise(&self) -> bool {
        self.judged == Verdict::Solved && self.known.is_some()
    }

    fn text(&self) -> String {
        let Row { name, verdict, why, at, defence, known, .. } = self;
        let mut text = match known {
            Some(_) if self.judged.is_failure() => "known ".to_owned(),
            Some(_) if self.is_surprise() => "SURPRISE ".to_owned(),
            _ => String::new(),
        };
        let question = self.question();
        // Writing to a string cannot fail.
        let _ = write!(text, "{verdict}: {} ({question})", printable(name));
        if self.judged.is_failure() {
            let _ = write!(text, ": action {at}");
        }
        // If the line ends with an action of the engine, that action failed.
        if let Some(action) =
            self.line.last().filter(|_| self.judged.is_failure() && self.line.len() % 2 == 1)
        {
            let _ = write!(text, ", {action}");
        }
        if let Some(defence) = defence {
            let _ = write!(text, ", against {defence}");
        }
        if !why.is_empty() {
            let _ = write!(text, ": {why}");
        }
        if let Some(reason) = known {
            let _ = write!(text, " - {reason}");
        }
        text
    }
}

impl Report {
    /// The report of these cases, compared with the verdicts of an earlier report.
    pub fn of(
        arguments: &Examining,
        mut cases: Vec<Row>,
        at_the_end: Vec<String>,
        before: Option<&BTreeMap<String, String>>,
    ) -> Report {
        let was_solved = |row: &&Row| before.and_then(|before| before.get(&row.name)).map(|v| v == "solved");
        let names = |is_in: &dyn Fn(&&Row) -> bool| {
            cases.iter().filter(is_in).map(|row| row.name.clone()).collect::<Vec<_>>()
        };
        let worse = names(&|row| was_solved(row) == Some(true) && row.judged.is_failure());
        let better = names(&|row| was_solved(row) == Some(false) && row.judged == Verdict::Solved);
        for row in &mut cases {
            let is_new = match before {
                Some(_) => worse.contains(&row.name),
                None => row.judged.is_failure() && row.known.is_none(),
            };
            row.is_finding = is_new || row.is_surprise();
        }
        let counted = Verdict::ALL.map(|verdict| Counted {
            verdict: verdict.name(),
            count: cases.iter().filter(|row| row.judged == verdict).count(),
        });
        let verdicts = counted.into_iter().filter(|counted| counted.count > 0).collect();
        let run = Run {
            version: VERSION,
            engine: arguments.name(),
            defences: arguments.defences.to_string(),
            seed: arguments.seed,
            time_per_action: arguments.time_per_action.as_secs_f64(),
            nodes: arguments.nodes,
            whole_actions: arguments.whole_actions,
            negatives: arguments.negatives,
        };
        let rates = rates(&cases);
        let mut report =
            Report { schema: SCHEMA, run, exit_code: 0, cases, rates, verdicts, at_the_end, worse, better };
        report.exit_code = report.exit().code().into();
        report
    }

    /// The exit code of the command.
    pub fn exit(&self) -> Exit {
        let undecided = |row: &Row| row.judged == Verdict::Undecided;
        Exit::worst(
            [
                self.cases.iter().any(|row| row.is_finding).then_some(Exit::Findings),
                (!self.at_the_end.is_empty()).then_some(Exit::Findings),
                self.cases.iter().any(undecided).then_some(Exit::Undecided),
                self.cases.is_empty().then_some(Exit::NothingSelected),
            ]
            .into_iter()
            .flatten(),
        )
    }

    pub fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for row in self.cases.iter().filter(|row| row.judged != Verdict::Solved || row.known.is_some()) {
            writeln!(out, "{}", row.text())?;
        }
        for fault in &self.at_the_end {
            writeln!(out, "at the end: {}", printable(fault))?;
        }
        for (what, names) in [("worse", &self.worse), ("better", &self.better)] {
            for name in names {
                writeln!(out, "{what} than before: {}", printable(name))?;
            }
        }
        if !self.cases.is_empty() {
            writeln!(out, "{:<36} solved  asked", "")?;
        }
        for Rate { group, of, solved, asked } in &self.rates {
            writeln!(out, "{:<36} {solved:>6} {asked:>6}", format!("{group} {of}").trim_end())?;
        }
        writeln!(out, "{}", self.summary())?;
        Ok(())
    }

    /// The cases for CI servers, with one more for each fault at the end.
    pub fn cases(&self) -> Vec<CiCase> {
        let suite = &self.run.engine;
        let at_the_end = self.at_the_end.iter().map(|fault| CiCase {
            suite: suite.clone(),
            name: "at the end".to_owned(),
            file: String::new(),
            ended: Ended::Failed,
            notes: vec![Note::error("at-the-end", fault)],
            text: fault.clone(),
        });
        self.cases.iter().map(|row| row.case(suite)).chain(at_the_end).collect()
    }

    /// The numbers of cases on one line.
    pub fn summary(&self) -> String {
        let mut text = format!("{}: {}", self.run.engine, counted(self.cases.len(), "case"));
        for (index, Counted { verdict, count }) in self.verdicts.iter().enumerate() {
            let _ = write!(text, "{} {count} {verdict}", if index == 0 { ":" } else { "," });
        }
        text
    }

    /// An HTML page, which needs no other file.
    pub fn html(&self) -> String {
        let title = format!("Engine {}", self.run.engine);
        let mut page = page::begin(&title);
        let Run { version, defences, time_per_action, .. } = &self.run;
        let _ = write!(
            page,
            "<h1>{}</h1>\n<p>{}. {time_per_action} s for an action, defences: {}, worldlines {version}.</p>\n",
            escaped(&title),
            escaped(&self.summary()),
            escaped(defences),
        );
        page.push_str("<table>\n<thead><tr><th scope=\"col\">Cases</th><th scope=\"col\">solved</th><th scope=\"col\">asked</th></tr></thead>\n<tbody>\n");
        for Rate { group, of, solved, asked } in &self.rates {
            let name = escaped(format!("{group} {of}").trim_end());
            let _ = writeln!(page, "<tr><th scope=\"row\">{name}</th><td>{solved}</td><td>{asked}</td></tr>");
        }
        page.push_str("</tbody>\n</table>\n<table>\n<thead><tr><th scope=\"col\">Case</th><th scope=\"col\">Question</th><th scope=\"col\">Verdict</th><th scope=\"col\">Line</th></tr></thead>\n<tbody>\n");
        for row in &self.cases {
            let kind = match row.judged {
                Verdict::Solved if row.known.is_some() => "surprise",
                Verdict::Solved => "right",
                Verdict::Undecided | Verdict::NotAsked => "not-asked",
                _ if row.known.is_some() => "known",
                _ => "wrong",
            };
            let _ = writeln!(
                page,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"{kind}\">{}<small>{}</small></td><td>{}</td></tr>",
                escaped(&row.name),
                escaped(&row.question()),
                row.verdict,
                escaped(&row.why),
                escaped(&row.line.join(" / ")),
            );
        }
        page.push_str("</tbody>\n</table>\n");
        page.push_str(page::END);
        page
    }
}

impl Row {
    fn case(&self, suite: &str) -> CiCase {
        let ended = match self.judged {
            Verdict::Undecided => Ended::Error,
            _ if self.is_finding => Ended::Failed,
            Verdict::Solved => Ended::Passed,
            _ => Ended::Skipped,
        };
        let (mut notes, mut text) = (Vec::new(), String::new());
        if ended != Ended::Passed {
            let code = if self.is_surprise() { "surprise" } else { self.verdict };
            notes.push(Note::error(code, self.known.as_deref().unwrap_or(&self.why)));
            text = [self.text(), self.line.join(" / "), self.transcript.join("\n")].join("\n");
        }
        CiCase { suite: suite.into(), name: self.name.clone(), file: self.file.clone(), ended, notes, text }
    }
}

/// The numbers of solved cases in each group. Cases that are not puzzles themselves count only in groups by
/// kind.
fn rates(cases: &[Row]) -> Vec<Rate> {
    let mut groups: BTreeMap<(usize, &'static str, String), (usize, usize)> = BTreeMap::new();
    for row in cases.iter().filter(|row| row.judged != Verdict::NotAsked) {
        let mut keys = vec![(0, "all", String::new()), (1, "kind", row.kind.to_owned())];
        if let ("mate", Some(n)) = (row.kind, row.mate_in) {
            keys.push((2, "mate in", n.to_string()));
            keys.push((3, "timelines", format!("{:>2}", row.timelines)));
            keys.extend(row.themes.iter().map(|theme| (4, "theme", theme.clone())));
        }
        for key in keys {
            let (solved, asked) = groups.entry(key).or_default();
            *solved += usize::from(row.judged == Verdict::Solved);
            *asked += 1;
        }
    }
    let rate = |((_, group, of), (solved, asked)): ((usize, &'static str, String), (usize, usize))| Rate {
        group,
        of: of.trim().to_owned(),
        solved,
        asked,
    };
    groups.into_iter().map(rate).collect()
}
