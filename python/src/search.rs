//! Questions to the prover and to the engine, as methods of positions; certificates.
//!
//! Defaults are numbers in the signatures, and those of the command: `help()` shows a name as `Ellipsis`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use worldlines::engine::{Question, think};
use worldlines::puzzle::certificate::{self, Certificate};
use worldlines::puzzle::{File, Finding, MAX_MATE_IN};
use worldlines::search::certificate::Looks;
use worldlines::search::{
    Analysis, Budget, Cut, Defence, Failing, KeyClass, Listed, Prover, SetPlay, Solution, Threat, Variation,
    Verdict,
};
use worldlines::types::{Limit, Undecided};

use crate::analysis::{Analysis as Running, thought_record};
use crate::errors::{because, raise, record, undecided};
use crate::values::{Action, Position, tuple};
use crate::work::{deadline, run};

/// The search steps of a thought, unless there is a limit.
const THINKING: u64 = 50_000;
/// The most threads of a proof.
const MOST_JOBS: u16 = 256;

/// A length of a mate, which has to be sensible.
pub fn length(mate_in: u32) -> PyResult<u32> {
    if (1..=MAX_MATE_IN).contains(&mate_in) {
        return Ok(mate_in);
    }
    let message = format!("expected a number of actions from 1 to {MAX_MATE_IN}, but found {mate_in}");
    Err(PyValueError::new_err(message))
}

/// A solution, with the line of its first key.
struct Solved {
    solution: Solution,
    line: Vec<worldlines::Action>,
}

/// The solution of a mate, with a line against the longest defence.
fn solved(analysis: &mut Analysis<'_, '_>, all: bool) -> Solved {
    let solution = if all { analysis.solution().clone() } else { analysis.mate() };
    let line = match (solution.verdict, solution.shortest.or(solution.mates_in), solution.keys.first()) {
        (Verdict::Proven, Some(shortest), Some(class)) => {
            let start = analysis.start();
            let mut of_key = Analysis::new(analysis.prover(), start, shortest);
            of_key.line(class.key()).ok().flatten().unwrap_or_default()
        }
        _ => Vec::new(),
    };
    Solved { solution, line }
}

fn heads(classes: &[KeyClass]) -> Vec<worldlines::Action> {
    classes.iter().map(|class| class.key().clone()).collect()
}

fn solution_record<'py>(py: Python<'py>, solved: Solved) -> PyResult<Bound<'py, PyAny>> {
    let Solved { solution, line } = solved;
    let classes = solution.keys.iter().map(|class| tuple(py, class.keys().iter().cloned()));
    let classes = PyTuple::new(py, classes.collect::<PyResult<Vec<_>>>()?)?;
    let count = record(py, "Count", (solution.legal_actions.count, solution.legal_actions.capped))?;
    let fields = (
        solution.verdict.to_string(),
        solution.shortest.or(solution.mates_in),
        tuple(py, heads(&solution.keys))?,
        classes,
        solution.complete,
        count,
        tuple(py, line)?,
        solution.undecided.map(|why| because(why.because)),
        solution.steps,
    );
    record(py, "Solution", fields)
}

fn variation_record<'py>(py: Python<'py>, variation: &Variation) -> PyResult<Bound<'py, PyAny>> {
    let Variation { defence, mates_in, answers } = variation;
    record(py, "AnsweredDefence", (Action::from(defence.clone()), *mates_in, tuple(py, heads(answers))?))
}

fn variations_tuple<'py>(py: Python<'py>, variations: &[Variation]) -> PyResult<Bound<'py, PyTuple>> {
    let all = variations.iter().map(|variation| variation_record(py, variation));
    PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)
}

/// Everything that an explanation tells.
struct Told {
    solved: Solved,
    threat: Option<Threat>,
    variations: Vec<Variation>,
    set_play: Option<SetPlay>,
    tries: Vec<Failing>,
    left_out: Vec<String>,
}

impl Told {
    /// Notes that a list is not complete.
    fn note<T>(&mut self, name: &str, list: Listed<T>) -> Vec<T> {
        match list.cut {
            None => {}
            Some(Cut::More(more)) => self.left_out.push(format!("{name}: {more} more")),
            Some(Cut::Undecided(why)) => self.left_out.push(format!("{name}: {why}")),
        }
        list.items
    }
}

fn told(prover: &mut Prover<'_>, position: &worldlines::Position, mate_in: u32, most: usize) -> Told {
    let mut analysis = Analysis::new(prover, position, mate_in);
    let solved = solved(&mut analysis, true);
    let keys = heads(&solved.solution.keys);
    let mut told = Told {
        solved,
        threat: None,
        variations: Vec::new(),
        set_play: None,
        tries: Vec::new(),
        left_out: Vec::new(),
    };
    if let Some(why) = told.solved.solution.undecided {
        told.left_out.push(format!("keys: {why}"));
    }
    if let (Verdict::Proven, Some(key)) = (told.solved.solution.verdict, keys.first()) {
        match analysis.threat(key) {
            Ok(threat) => told.threat = Some(threat),
            Err(why) => told.left_out.push(format!("threat: {why}")),
        }
        if mate_in > 1 {
            let listed = analysis.variations(std::slice::from_ref(key), mate_in - 1, most);
            told.variations = told.note("variations", listed);
        }
        told.set_play = analysis.set_play(most);
        if let Some(SetPlay { met, .. }) = &told.set_play {
            let cut = Listed::<()> { items: Vec::new(), cut: met.cut };
            told.note("set play", cut);
        }
    }
    let tries = analysis.tries(most);
    told.tries = told.note("tries", tries);
    told
}

fn told_record<'py>(py: Python<'py>, told: Told) -> PyResult<Bound<'py, PyAny>> {
    let threat = match told.threat {
        None => None,
        Some(Threat::Nothing) => Some(record(py, "Threat", ("nothing", PyTuple::empty(py)))?),
        Some(Threat::Zugzwang) => Some(record(py, "Threat", ("zugzwang", PyTuple::empty(py)))?),
        Some(Threat::Mates(classes)) => Some(record(py, "Threat", ("mate", tuple(py, heads(&classes))?))?),
    };
    let set_play = match told.set_play {
        None => None,
        Some(SetPlay { passed, met, count, defences }) => {
            let variations = variations_tuple(py, &met.items)?;
            Some(record(py, "SetPlay", (Position::from(passed), variations, count, defences))?)
        }
    };
    let failing = |failing: Failing| {
        let best = match failing.best {
            Defence::Action(action) => Some(Action::from(action)),
            Defence::Stalemate => None,
        };
        record(py, "Failing", (Action::from(failing.action), failing.refutations, best))
    };
    let tries = told.tries.into_iter().map(failing).collect::<PyResult<Vec<_>>>()?;
    let fields = (
        solution_record(py, told.solved)?,
        threat,
        variations_tuple(py, &told.variations)?,
        set_play,
        PyTuple::new(py, tries)?,
        PyTuple::new(py, told.left_out)?,
    );
    record(py, "Explanation", fields)
}

/// Asks a prover, on a thread that Ctrl-C and a deadline interrupt.
fn prove<T: Send>(
    py: Python<'_>,
    budget: Budget,
    time: Option<f64>,
    question: impl FnOnce(&mut Prover<'_>) -> T + Send,
) -> PyResult<T> {
    prove_on_threads(py, budget, 1, time, question)
}

/// [`prove`] with a prover that shares long proofs among so many threads.
fn prove_on_threads<T: Send>(
    py: Python<'_>,
    budget: Budget,
    jobs: u16,
    time: Option<f64>,
    question: impl FnOnce(&mut Prover<'_>) -> T + Send,
) -> PyResult<T> {
    if !(1..=MOST_JOBS).contains(&jobs) {
        let message = format!("expected a number of threads from 1 to {MOST_JOBS}, but found {jobs}");
        return Err(PyValueError::new_err(message));
    }
    let end = deadline(time)?;
    run(py, end, |stop: &AtomicBool| {
        question(&mut Prover::on_threads(budget, usize::from(jobs), at_once).stopping_on(Some(stop)))
    })
}

/// Runs the tasks of a proof, each on a thread.
fn at_once(tasks: Vec<Box<dyn FnOnce() + Send + '_>>) {
    thread::scope(|scope| tasks.into_iter().for_each(|task| drop(scope.spawn(task))));
}

/// Questions to the prover. `worldlines/_core.pyi` names them as methods of `Position`.
#[pymethods]
impl Position {
    /// Looks for a mate in `mate_in` actions of the player to move. `all` asks for every key. `jobs` threads share the proof of a mate in
    /// 3 or more; the verdict is the same with any number of them.
    #[pyo3(signature = (mate_in, *, all = false, jobs = 1, steps = 2_000_000, memory = 268_435_456, evidence = 20_000_000, time = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        mate_in: u32,
        all: bool,
        jobs: u16,
        steps: u64,
        memory: u64,
        evidence: u64,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = length(mate_in)?;
        let budget = Budget { steps, memory, evidence };
        let solved = prove_on_threads(py, budget, jobs, time, |prover| {
            solved(&mut Analysis::new(prover, &self.0, n), all)
        })?;
        solution_record(py, solved)
    }

    /// Explains a mate: keys, threat or zugzwang, variations, set play and tries, at most `limit` of each.
    #[pyo3(signature = (mate_in, *, limit = 12, steps = 10_000_000, memory = 268_435_456, evidence = 20_000_000, time = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        mate_in: u32,
        limit: usize,
        steps: u64,
        memory: u64,
        evidence: u64,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = length(mate_in)?;
        let budget = Budget { steps, memory, evidence };
        let told = prove(py, budget, time, |prover| told(prover, &self.0, n, limit))?;
        told_record(py, told)
    }

    /// The actions after which the opponent cannot mate in `mate_in`, at most `limit`.
    #[pyo3(signature = (mate_in, *, limit = 1000, steps = 2_000_000, memory = 268_435_456, evidence = 20_000_000, time = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn surviving_actions<'py>(
        &self,
        py: Python<'py>,
        mate_in: u32,
        limit: usize,
        steps: u64,
        memory: u64,
        evidence: u64,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let n = length(mate_in)?;
        let budget = Budget { steps, memory, evidence };
        let found: Result<_, Undecided> =
            prove(py, budget, time, |prover| Analysis::new(prover, &self.0, n).surviving_actions(limit))?;
        let (actions, _) = found.map_err(|error| undecided(py, &error))?;
        tuple(py, actions)
    }

    /// The text of a certificate that the mating action, or with `all` every key, mates. `check_certificate` checks it.
    #[pyo3(signature = (mate_in, *, name = "position", all = false, steps = 2_000_000, memory = 268_435_456, evidence = 20_000_000, time = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn certify(
        &self,
        py: Python<'_>,
        mate_in: u32,
        name: &str,
        all: bool,
        steps: u64,
        memory: u64,
        evidence: u64,
        time: Option<f64>,
    ) -> PyResult<String> {
        let n = length(mate_in)?;
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty()
            || !name.chars().all(is_plain)
            || !name.starts_with(|c: char| c.is_ascii_lowercase())
        {
            return Err(PyValueError::new_err("a name has small letters, digits and hyphens"));
        }
        let budget = Budget { steps, memory, evidence };
        let solution =
            prove(py, budget, time, |prover| solved(&mut Analysis::new(prover, &self.0, n), all))?.solution;
        match solution.verdict {
            Verdict::Proven => {}
            Verdict::Refuted => {
                let message = format!("there is no mate in {n}");
                return Err(raise(py, "WorldlinesError", "no-mate", &message));
            }
            Verdict::Undecided => {
                let steps = solution.steps;
                let open = Undecided { steps, because: worldlines::types::Because::Budget };
                return Err(undecided(py, &solution.undecided.unwrap_or(open)));
            }
        }
        let keys: Vec<_> =
            solution.evidence.iter().map(|proof| (proof.key.clone(), proof.node.clone())).collect();
        let written = Certificate::of_keys(name.to_owned(), (*self.0).clone(), n, keys);
        certificate::write(&written)
            .map_err(|error| raise(py, "WorldlinesError", "too-large", &error.to_string()))
    }

    /// The action that our engine plays. The same steps and seed give the same answer everywhere; `time` does not.
    #[pyo3(signature = (*, steps = None, time = None, depth = None, mate_in = None, seed = 0, memory = 67_108_864))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn think<'py>(
        &self,
        py: Python<'py>,
        steps: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
        mate_in: Option<u32>,
        seed: u64,
        memory: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mate_in = mate_in.map(length).transpose()?;
        let question = Question { depth, mate_in, seed, memory, ..Question::new((*self.0).clone()) };
        let is_limited = time.is_some() || depth.is_some();
        let steps = steps.unwrap_or(if is_limited { u64::MAX } else { THINKING });
        let end = deadline(time)?;
        let thought =
            run(py, end, |stop| think(&question, Limit::steps(steps).stopping_on(stop), &mut |_| ()))?;
        thought_record(py, &self.0, thought)
    }

    /// Starts our engine on this position, on a thread of its own, and returns at once. Iterate over the `Analysis`, or ask for its
    /// `info`; `stop()` ends it, and so does the end of a `with` block. Without a limit it goes on until the engine has nothing to add: as a rule
    /// never.
    #[pyo3(signature = (*, steps = None, time = None, depth = None, mate_in = None, seed = 0, memory = 67_108_864))]
    fn analysis(
        &self,
        steps: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
        mate_in: Option<u32>,
        seed: u64,
        memory: u64,
    ) -> PyResult<Running> {
        let mate_in = mate_in.map(length).transpose()?;
        let question = Question { depth, mate_in, seed, memory, ..Question::new((*self.0).clone()) };
        Running::start(Arc::clone(&self.0), question, steps.unwrap_or(u64::MAX), deadline(time)?)
    }
}

/// A finding with its place.
pub fn finding_record<'py>(
    py: Python<'py>,
    finding: &Finding,
    location: worldlines::notation::Location,
    text: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = (finding.code, &finding.message, location.line, location.column, text.trim_end());
    record(py, "Finding", fields)
}

/// Checks a certificate without a search: that its keys mate, and that what it denies is not there.
#[pyfunction]
#[pyo3(signature = (text, *, steps = 20_000_000, time = None))]
pub fn check_certificate<'py>(
    py: Python<'py>,
    text: &str,
    steps: u64,
    time: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let end = deadline(time)?;
    let looks = steps.saturating_mul(worldlines::search::certificate::LOOKS_PER_STEP as u64);
    let checked = run(py, end, |stop| {
        let file = certificate::read(text)?;
        Ok(file.check_alone(&Looks::within(Limit::steps(looks).stopping_on(stop))))
    })?;
    let checked = checked.map_err(|finding: Finding| {
        let location = worldlines::notation::Location::of(text, finding.span.range().start);
        let message = format!("{}, at line {}, column {}", finding.message, location.line, location.column);
        raise(py, "PuzzleError", finding.code, &message)
    })?;
    let file = File::new("certificate", text.as_bytes());
    let found = checked.findings.iter().map(|finding| {
        let location = file.location(finding.span.range().start);
        let shown = format!("error[{}]: {}", finding.code, finding.message);
        finding_record(
            py,
            finding,
            location,
            &[shown].into_iter().chain(finding.lines()).collect::<Vec<_>>().join("\n"),
        )
    });
    let found = PyTuple::new(py, found.collect::<PyResult<Vec<_>>>()?)?;
    let accepted = checked.findings.is_empty() && checked.undecided == 0;
    let open = (checked.undecided > 0).then(|| checked.because.map_or("limit", because));
    record(py, "CheckedCertificate", (accepted, checked.keys, checked.defences, found, open))
}
