//! `worldlines verify --engine`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, Event};
use serde::Serialize;
use serde_json::Value;

use super::super::exit::{Exit, Failure};
use super::super::files::{self, shown};
use super::super::output::print_json;
use super::super::page::{self, escaped};
use super::super::time::seconds;
use super::Shape;
use super::junit::{start, text_in};
use worldlines::exam::{Case, Defences, Kind, Outcome, Rules, Verdict, cases, examine};
use worldlines::host::{Fault, Kept, Player, Settings, compliance};
use worldlines::notation::printable;
use worldlines::oracle::known::Known;
use worldlines::puzzle::{Document, Options};

/// Examining an engine instead of verifying the puzzles.
#[derive(clap::Args)]
#[command(next_help_heading = "Examining an engine")]
pub struct Examining {
    /// Ask this engine, which speaks 5DUCI, to solve the puzzles: a command, or replay:FILE, what --record has written. The
    /// puzzles themselves are taken for true
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["fix", "certify", "quick", "paranoid", "partition", "strict", "limit"])]
    engine: Option<String>,
    /// Against which defences it has to mate: `longest`, `each-class`, or `sample:K` for K by chance
    #[arg(long, value_name = "WHICH", default_value = "each-class", requires = "engine")]
    defences: Chosen,
    /// Where chance begins: the same number chooses the same defences
    #[arg(long, value_name = "S", default_value_t = 1, requires = "engine")]
    seed: u64,
    /// How many seconds it may think about an action, all its moves together
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds, requires = "engine")]
    time_per_action: Duration,
    /// The most nodes for an answer, for engines that know such a limit
    #[arg(long, value_name = "N", requires = "engine")]
    nodes: Option<u64>,
    /// It names all moves of an action at once and does not say `submit`
    #[arg(long, requires = "engine")]
    whole_actions: bool,
    /// Set an option of the engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "engine")]
    option: Vec<String>,
    /// Ask about positions without a mate too, which are made from the puzzles
    #[arg(long, requires = "engine")]
    negatives: bool,
    /// The name of the engine in reports, and in files of known failures [default: its command]
    #[arg(long, value_name = "NAME", requires = "engine")]
    name: Option<String>,
    /// An earlier report in JSON: only what got worse is a finding
    #[arg(long, value_name = "FILE", requires = "engine")]
    baseline: Option<PathBuf>,
    /// A file of known failures, each with a reason: they are no findings, but if one is gone, that is
    #[arg(long, value_name = "FILE", requires = "engine")]
    known: Vec<PathBuf>,
    /// Write what the engine was asked and answered into a new file, for --engine replay:FILE
    #[arg(long, value_name = "FILE", requires = "engine")]
    record: Option<PathBuf>,
    /// Ask no puzzle, but whether the engine keeps to the protocol
    #[arg(long, requires = "engine", conflicts_with_all = ["baseline", "known", "record", "negatives"])]
    compliance: bool,
}

/// `--defences`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Chosen {
    Longest,
    EachClass,
    Sample(u32),
}

impl FromStr for Chosen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Chosen, &'static str> {
        match (text, text.strip_prefix("sample:").and_then(|count| count.parse().ok())) {
            ("longest", _) => Ok(Chosen::Longest),
            ("each-class", _) => Ok(Chosen::EachClass),
            (_, Some(count @ 1..)) => Ok(Chosen::Sample(count)),
            _ => Err("expected `longest`, `each-class`, or `sample:K` with K from 1"),
        }
    }
}

impl std::fmt::Display for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Chosen::Longest => f.write_str("longest"),
            Chosen::EachClass => f.write_str("each-class"),
            Chosen::Sample(count) => write!(f, "sample:{count}"),
        }
    }
}

pub const SCHEMA: &str = "worldlines/engine-1";
pub const SCHEMA_OF_COMPLIANCE: &str = "worldlines/compliance-1";

/// What an engine can do.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// What was asked for.
    run: Run,
    /// The exit code of the command.
    exit_code: u32,
    cases: Vec<Row>,
    /// How many cases were solved, by what they are about.
    rates: Vec<Rate>,
    /// How many cases have each verdict, without those that none has.
    verdicts: Vec<Counted>,
    /// What the engine did wrong when it was told to quit.
    at_the_end: Vec<String>,
    /// The cases that an earlier report has as solved and this one has not.
    worse: Vec<String>,
    /// The cases that are solved and were not.
    better: Vec<String>,
}

/// What has an influence on the answers, besides the puzzles.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Run {
    /// The version of worldlines.
    version: &'static str,
    /// The name of the engine.
    engine: String,
    /// Which defences were played.
    defences: String,
    seed: u64,
    /// The seconds for an action.
    time_per_action: f64,
    nodes: Option<u64>,
    whole_actions: bool,
    negatives: bool,
}

/// What came of a case.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Row {
    /// The id of the puzzle; for cases that are made from one, with `#` and the kind.
    name: String,
    file: String,
    /// `mate`, `no-mate`, `longer`, `only-action`, `play` or `over`.
    kind: &'static str,
    /// The actions in which there is a mate, or none.
    mate_in: Option<u32>,
    themes: Vec<String>,
    /// How many timelines there are.
    timelines: usize,
    /// `solved`, `slower-mate`, `lost-mate`, `false-mate`, `illegal`, `no-move`, `crashed`, `hung`, `babbled`, `undecided` or
    /// `not-asked`.
    verdict: &'static str,
    /// Why, for people.
    why: String,
    /// Which action of the engine decided it, from 1.
    at: usize,
    /// The actions from the start of the case, in 5DPGN.
    line: Vec<String>,
    /// The defence against which the mate was lost.
    defence: Option<String>,
    /// How many defences the engine has met.
    defences: u32,
    /// The longest time for an action, in seconds.
    slowest: f64,
    /// How often the time was over and the engine was told to stop.
    stopped: u32,
    /// Why the failure is known, or was.
    known: Option<String>,
    /// The end of what was said, if the engine failed.
    transcript: Vec<String>,
    #[serde(skip)]
    judged: Verdict,
}

/// How many cases have a verdict.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Counted {
    verdict: &'static str,
    count: usize,
}

/// How many cases of a group were solved.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Rate {
    /// `all`, `kind`, `mate in`, `timelines` or `theme`.
    group: &'static str,
    /// Which of them.
    of: String,
    solved: usize,
    asked: usize,
}

/// Whether an engine keeps to the protocol.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compliance {
    schema: &'static str,
    /// The name of the engine.
    engine: String,
    /// The exit code of the command.
    exit_code: u32,
    checks: Vec<Checked>,
}

/// One thing that the protocol asks.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Checked {
    /// What is asked.
    check: &'static str,
    /// Whether the engine does it; `null` if it was not asked.
    kept: Option<bool>,
    /// The kind of its fault.
    fault: Option<&'static str>,
    /// What it did, or why it was not asked.
    why: Option<String>,
    /// The end of what was said.
    transcript: Vec<String>,
}

impl Examining {
    /// The engine that is to be examined, if one is.
    pub fn engine(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    fn settings(&self) -> Settings {
        let option = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        Settings {
            options: self.option.iter().map(option).collect(),
            whole_actions: self.whole_actions,
            ..Settings::default()
        }
    }

    fn rules(&self) -> Rules {
        let defences = match self.defences {
            Chosen::Longest => Defences::Longest,
            Chosen::EachClass => Defences::EachClass,
            Chosen::Sample(count) => Defences::Sample { count, seed: self.seed },
        };
        Rules { time: self.time_per_action, nodes: self.nodes, defences }
    }

    fn name(&self) -> String {
        printable(self.name.as_deref().or(self.engine()).unwrap_or_default())
    }

    fn player(&self, command: &str) -> Result<Player, Failure> {
        let player = match command.strip_prefix("replay:") {
            None => Player::new(command, &self.settings()),
            Some(file) => Player::replay(&text(Path::new(file))?, &self.settings()),
        };
        let mut player = player.map_err(|error| Failure::new(printable(&error.to_string())))?;
        if self.record.is_some() {
            player.record();
        }
        Ok(player)
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    let cannot =
        |why: &dyn std::fmt::Display| Failure::new(format_args!("cannot read {}: {why}", shown(path)));
    let bytes = files::read_at_most(path, 1 << 30).map_err(|error| cannot(&error))?;
    String::from_utf8(bytes).map_err(|error| cannot(&error))
}

/// Examines the engine of `--engine`.
pub(super) fn run(
    arguments: &Examining,
    command: &str,
    shape: Shape,
    jobs: usize,
    documents: &[Document],
    options: Options<'_>,
    out: &mut impl Write,
) -> Result<Exit, Failure> {
    if shape == Shape::Github {
        return Err(Failure::new("with --engine the formats are text, json, junit and html"));
    }
    if arguments.compliance {
        return comply(arguments, command, shape, out);
    }
    let before = arguments.baseline.as_deref().map(baseline).transpose()?;
    let known = arguments.known.iter().map(|path| {
        Known::read(&text(path)?).map_err(|error| Failure::new(format_args!("{}: {error}", shown(path))))
    });
    let mut known: Vec<Known> = known.collect::<Result<_, _>>()?;
    known.retain(|known| known.is_about(&arguments.name()));
    // That it can be started is seen before anything else is done.
    let first = arguments.player(command)?;
    let cases = cases(documents, options, arguments.negatives);
    let examined = examine_all(arguments, command, first, &cases, jobs)?;
    let reason = |name: &str| {
        let reason = known.iter().find_map(|known| known.cases.get(name))?;
        Some(format!("{} ({})", reason.reason, reason.link))
    };
    let rows: Vec<Row> = cases
        .iter()
        .zip(examined.outcomes)
        .map(|(case, outcome)| Row::of(case, outcome, reason(&case.name)))
        .collect();
    let mut report = Report::of(arguments, rows, examined.at_the_end, before.as_ref());
    let exit = report.exit(before.is_some());
    report.exit_code = exit.code().into();
    if let Some(path) = &arguments.record {
        files::create(path, &examined.recording)
            .map_err(|error| Failure::new(format_args!("cannot write {}: {error}", shown(path))))?;
    }
    match shape {
        Shape::Json => print_json(out, &report)?,
        Shape::Html => out.write_all(report.html().as_bytes())?,
        Shape::Junit => report.junit(out)?,
        Shape::Text | Shape::Github => report.print(out)?,
    }
    Ok(exit)
}

/// What came of all cases.
struct Examined {
    outcomes: Vec<Outcome>,
    at_the_end: Vec<String>,
    recording: String,
}

/// Asks about every case, with so many engines at once.
fn examine_all(
    arguments: &Examining,
    command: &str,
    first: Player,
    cases: &[Case<'_>],
    jobs: usize,
) -> Result<Examined, Failure> {
    let mut players = vec![first];
    for _ in 1..jobs.min(cases.len()) {
        players.push(arguments.player(command)?);
    }
    let (next, rules) = (AtomicUsize::new(0), arguments.rules());
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; cases.len()]);
    let ends: Mutex<(Vec<String>, String)> = Mutex::new((Vec::new(), String::new()));
    thread::scope(|scope| {
        for mut player in players {
            let (next, rules, outcomes, ends) = (&next, &rules, &outcomes, &ends);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    let outcome = examine(case, &mut player, rules);
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(outcome);
                }
                let recording = player.recording().unwrap_or_default();
                let fault: Option<Fault> = player.quit().err();
                let mut ends = ends.lock().unwrap_or_else(PoisonError::into_inner);
                ends.0.extend(fault.map(|fault| format!("{}: {fault}", fault.name())));
                ends.1.push_str(&recording);
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (at_the_end, recording) = ends.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Examined { outcomes: outcomes.into_iter().flatten().collect(), at_the_end, recording })
}

/// The verdicts of an earlier report, by the names of the cases.
fn baseline(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let wrong = |why: String| Failure::new(format_args!("{} is no report of an engine: {why}", shown(path)));
    let value: Value = serde_json::from_str(&text(path)?).map_err(|error| wrong(error.to_string()))?;
    if value["schema"] != SCHEMA {
        return Err(wrong(format!("its schema is not `{SCHEMA}`")));
    }
    let rows = value["cases"].as_array().ok_or_else(|| wrong("it has no cases".into()))?;
    let row = |row: &Value| Some((row["name"].as_str()?.to_owned(), row["verdict"].as_str()?.to_owned()));
    rows.iter().map(row).collect::<Option<_>>().ok_or_else(|| wrong("a case has no verdict".into()))
}

impl Row {
    fn of(case: &Case<'_>, outcome: Outcome, known: Option<String>) -> Row {
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
        }
    }

    /// What the case asks, in words.
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

    /// Whether it is a failure that nobody knew of.
    fn is_new_failure(&self) -> bool {
        self.judged.is_failure() && self.known.is_none()
    }

    /// Whether a known failure is not there.
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
        // If the line ends with an action of the engine, that is the one.
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
    fn of(
        arguments: &Examining,
        cases: Vec<Row>,
        at_the_end: Vec<String>,
        before: Option<&BTreeMap<String, String>>,
    ) -> Report {
        let was_solved = |row: &&Row| before.and_then(|before| before.get(&row.name)).map(|v| v == "solved");
        let names = |is_in: &dyn Fn(&&Row) -> bool| {
            cases.iter().filter(is_in).map(|row| row.name.clone()).collect::<Vec<_>>()
        };
        let worse = names(&|row| was_solved(row) == Some(true) && row.judged.is_failure());
        let better = names(&|row| was_solved(row) == Some(false) && row.judged == Verdict::Solved);
        let counted = Verdict::ALL.map(|verdict| Counted {
            verdict: verdict.name(),
            count: cases.iter().filter(|row| row.judged == verdict).count(),
        });
        let verdicts = counted.into_iter().filter(|counted| counted.count > 0).collect();
        let run = Run {
            version: env!("CARGO_PKG_VERSION"),
            engine: arguments.name(),
            defences: arguments.defences.to_string(),
            seed: arguments.seed,
            time_per_action: arguments.time_per_action.as_secs_f64(),
            nodes: arguments.nodes,
            whole_actions: arguments.whole_actions,
            negatives: arguments.negatives,
        };
        let rates = rates(&cases);
        Report { schema: SCHEMA, run, exit_code: 0, cases, rates, verdicts, at_the_end, worse, better }
    }

    fn exit(&self, has_baseline: bool) -> Exit {
        let fails = |row: &Row| (!has_baseline && row.is_new_failure()) || row.is_surprise();
        let undecided = |row: &Row| row.judged == Verdict::Undecided;
        Exit::worst(
            [
                self.cases.iter().any(fails).then_some(Exit::Findings),
                (!self.worse.is_empty() || !self.at_the_end.is_empty()).then_some(Exit::Findings),
                self.cases.iter().any(undecided).then_some(Exit::Undecided),
                self.cases.is_empty().then_some(Exit::NothingSelected),
            ]
            .into_iter()
            .flatten(),
        )
    }

    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
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

    /// On one line.
    fn summary(&self) -> String {
        let count = self.cases.len();
        let mut text = format!("{}: {count} case{}", self.run.engine, if count == 1 { "" } else { "s" });
        for (index, Counted { verdict, count }) in self.verdicts.iter().enumerate() {
            let _ = write!(text, "{} {count} {verdict}", if index == 0 { ":" } else { "," });
        }
        text
    }

    /// A page, which needs no other file.
    fn html(&self) -> String {
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

    /// A test suite with a test case for each case.
    fn junit(&self, out: &mut impl Write) -> Result<(), Failure> {
        let count = |is_in: &dyn Fn(&Row) -> bool| self.cases.iter().filter(|row| is_in(row)).count();
        let errors = count(&|row| row.judged == Verdict::Undecided);
        let skipped = count(&|row| row.judged == Verdict::NotAsked || row.is_known_failure());
        let failures = count(&|row| row.is_new_failure() || row.is_surprise());
        let numbers = [("tests", self.cases.len()), ("failures", failures), ("errors", errors)];
        let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        for tag in ["testsuites", "testsuite"] {
            let mut suite = start(tag, &[("name", &self.run.engine)]);
            for (name, number) in numbers {
                suite.push_attribute((name, &*number.to_string()));
            }
            if tag == "testsuite" {
                suite.push_attribute(("skipped", &*skipped.to_string()));
            }
            writer.write_event(Event::Start(suite))?;
        }
        for row in &self.cases {
            let case = start("testcase", &[("name", &row.name), ("classname", &row.file)]);
            let kind = match row.judged {
                Verdict::Undecided => "error",
                Verdict::NotAsked => "skipped",
                _ if row.is_known_failure() => "skipped",
                _ if row.is_new_failure() || row.is_surprise() => "failure",
                _ => {
                    writer.write_event(Event::Empty(case))?;
                    continue;
                }
            };
            writer.write_event(Event::Start(case))?;
            let text = format!("{}\n{}\n{}", row.text(), row.line.join(" / "), row.transcript.join("\n"));
            text_in(&mut writer, start(kind, &[("type", row.verdict), ("message", &row.why)]), text.trim())?;
            writer.write_event(Event::End(BytesEnd::new("testcase")))?;
        }
        for tag in ["testsuite", "testsuites"] {
            writer.write_event(Event::End(BytesEnd::new(tag)))?;
        }
        writeln!(out)?;
        Ok(())
    }
}

impl Row {
    fn is_known_failure(&self) -> bool {
        self.judged.is_failure() && self.known.is_some()
    }
}

/// How many cases of each group were solved. Of those that are no puzzles themselves only the kinds are counted.
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

/// Asks whether an engine keeps to the protocol.
fn comply(arguments: &Examining, command: &str, shape: Shape, out: &mut impl Write) -> Result<Exit, Failure> {
    if command.starts_with("replay:") {
        return Err(Failure::new("a recording has no protocol; --compliance needs the engine itself"));
    }
    let checks = compliance(command, &arguments.settings(), arguments.time_per_action)
        .map_err(|error| Failure::new(printable(&error.to_string())))?;
    let checked = checks.into_iter().map(|check| {
        let (kept, fault, why) = match &check.kept {
            Kept::Yes => (Some(true), None, None),
            Kept::No(fault) => (Some(false), Some(fault.name()), Some(printable(&fault.to_string()))),
            Kept::NotAsked(why) => (None, None, Some((*why).to_owned())),
        };
        let transcript = check.transcript.iter().map(|line| printable(line)).collect();
        Checked { check: check.name, kept, fault, why, transcript }
    });
    let checks: Vec<Checked> = checked.collect();
    let is_kept = checks.iter().all(|check| check.kept != Some(false));
    let exit = if is_kept { Exit::Ok } else { Exit::Findings };
    let exit_code = exit.code().into();
    let report = Compliance { schema: SCHEMA_OF_COMPLIANCE, engine: arguments.name(), exit_code, checks };
    match shape {
        Shape::Text => report.print(out)?,
        Shape::Json => print_json(out, &report)?,
        _ => return Err(Failure::new("with --compliance the formats are text and json")),
    }
    Ok(exit)
}

impl Compliance {
    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        for Checked { check, kept, fault, why, transcript } in &self.checks {
            let word = match kept {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "-",
            };
            write!(out, "{word:<4}{check}")?;
            if let Some(fault) = fault {
                write!(out, ": {fault}")?;
            }
            writeln!(out, "{}", why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())?;
            for line in transcript {
                writeln!(out, "      {line}")?;
            }
        }
        let number = |wanted| self.checks.iter().filter(|check| check.kept == wanted).count();
        let (yes, no) = (number(Some(true)), number(Some(false)));
        writeln!(out, "{}: {yes} kept, {no} not, {} not asked", self.engine, number(None))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defences_are_read_and_shown() {
        for text in ["longest", "each-class", "sample:3"] {
            assert_eq!(text.parse::<Chosen>().unwrap().to_string(), text);
        }
        for text in ["", "sample", "sample:0", "sample:x", "all"] {
            assert!(text.parse::<Chosen>().is_err(), "{text}");
        }
    }
}
