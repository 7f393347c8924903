//! Puzzle files: read, verified and judged. Begin at [`Puzzle`].

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use worldlines::notation::parse_actions;
use worldlines::puzzle::{
    self, Document, File, Finding, Goal, Judge, Judgement, NoJudge, Options, Resolved, Support,
    verify as verify_puzzle,
};
use worldlines::search::Defence;

use crate::errors::{Input, raise, record, text_error};
use crate::game::Game;
use crate::reading::Text;
use crate::search::finding_record;
use crate::values::{Action, Position, tuple};
use crate::work::{deadline, run};

/// Every puzzle and certificate of the collection, sorted by path.
static SHIPPED: &[(&str, &str)] = include!("../../puzzles/list.rs");

/// A function and its arguments that make a pickled puzzle again: path, text, index and certificate.
type Reduced<'py> = (Bound<'py, PyAny>, (String, String, usize, Option<String>));

/// A puzzle of a YAML file, or what is wrong with it: then most questions raise a `PuzzleError`, and `verify` reports it.
#[pyclass(frozen, module = "worldlines")]
pub struct Puzzle {
    documents: Arc<Vec<Document>>,
    index: usize,
}

/// The exception for a puzzle that cannot be read.
fn unreadable(py: Python<'_>, document: &Document, findings: &[Finding]) -> PyErr {
    match findings.first() {
        None => raise(py, "PuzzleError", "unreadable", "this puzzle cannot be read"),
        Some(finding) => {
            let (file, span) = document.place(finding);
            let at = file.location(span.range().start);
            let message = format!("{}, at {}:{}:{}", finding.message, file.path, at.line, at.column);
            raise(py, "PuzzleError", finding.code, &message)
        }
    }
}

impl Puzzle {
    fn document(&self) -> &Document {
        &self.documents[self.index]
    }

    fn puzzle(&self, py: Python<'_>) -> PyResult<&puzzle::Puzzle> {
        let document = self.document();
        document.puzzle.as_ref().map_err(|findings| unreadable(py, document, findings))
    }

    fn end(&self, py: Python<'_>) -> PyResult<worldlines::Game> {
        let document = self.document();
        document.game().map_err(|findings| unreadable(py, document, &findings))
    }
}

#[pymethods]
impl Puzzle {
    /// The id.
    #[getter]
    fn id(&self) -> &str {
        &self.document().id
    }

    /// The name of the file.
    #[getter]
    fn path(&self) -> &str {
        &self.document().file.path
    }

    /// The YAML text.
    #[getter]
    fn text(&self) -> &str {
        self.document().text()
    }

    /// A line for people.
    #[getter]
    fn title(&self, py: Python<'_>) -> PyResult<&str> {
        Ok(&self.puzzle(py)?.title.value)
    }

    /// The sentence that says what the puzzle shows.
    #[getter]
    fn point(&self, py: Python<'_>) -> PyResult<Option<&str>> {
        Ok(self.puzzle(py)?.point.as_ref().map(|point| point.value.as_str()))
    }

    /// The author.
    #[getter]
    fn author(&self, py: Python<'_>) -> PyResult<Option<&str>> {
        Ok(self.puzzle(py)?.source.author.as_ref().map(|author| author.value.as_str()))
    }

    /// The themes.
    #[getter]
    fn themes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.puzzle(py)?.themes.iter().map(|theme| theme.value.as_str()))
    }

    /// The hints: the first says little, the last nearly all.
    #[getter]
    fn hints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.puzzle(py)?.hints.iter().map(|hint| hint.value.as_str()))
    }

    /// The difficulty, from 1 to 5.
    #[getter]
    fn difficulty(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        Ok(self.puzzle(py)?.difficulty.as_ref().map(|difficulty| difficulty.value))
    }

    /// The name of the goal, such as `mate-in`, with its number of actions or the status.
    #[getter]
    fn goal<'py>(&self, py: Python<'py>) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
        let goal = &self.puzzle(py)?.goal.value;
        let claim = match goal {
            Goal::Status(word) => word.value.status().to_string().into_pyobject(py)?.into_any(),
            _ => goal.length().into_pyobject(py)?,
        };
        Ok((goal.name(), claim))
    }

    /// The position to be solved.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<Position> {
        Ok(self.end(py)?.end().into())
    }

    /// The game that leads to the position.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Game> {
        Game::of(py, self.end(py)?)
    }

    /// The solutions that are listed: a line of actions for each, the solver's and the opponent's in turn.
    #[getter]
    fn solutions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let document = self.document();
        let resolved = Resolved::of(document).map_err(|findings| unreadable(py, document, &findings))?;
        let lines = resolved.solutions.iter().map(|line| tuple(py, line.iter().cloned()));
        PyTuple::new(py, lines.collect::<PyResult<Vec<_>>>()?)
    }

    /// The text of the certificate that is shipped with the puzzle.
    #[getter]
    fn certificate(&self) -> Option<&str> {
        self.document().certificate.as_ref().map(|file| file.text.as_str())
    }

    /// Verifies all claims of the puzzle. `quick` looks at lines, tables and the certificate only.
    #[pyo3(signature = (*, quick = false, steps = None, memory = None, evidence = None, time = None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        quick: bool,
        steps: Option<u64>,
        memory: Option<u64>,
        evidence: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let end = deadline(time)?;
        let document = self.document();
        let report = run(py, end, |stop| {
            let usual = Options::default();
            let (memory, evidence) = (memory.unwrap_or(usual.memory), evidence.unwrap_or(usual.evidence));
            let options =
                Options { quick, max_steps: steps, memory, evidence, stop: Some(stop), ..Options::default() };
            verify_puzzle(document, options)
        })?;
        if let Some(bug) = report.bug() {
            return Err(raise(py, "WorldlinesError", "bug", &format!("this is a bug of worldlines: {bug}")));
        }
        let rests_on = |step| {
            report.support(step).map(|support| match support {
                Support::Rules => "rules",
                Support::Evidence => "evidence",
                Support::Search => "search",
            })
        };
        let steps = report.steps.iter().map(|(step, answer, note)| {
            record(py, "Step", (step.name(), answer.name(), rests_on(*step), note))
        });
        let steps = PyTuple::new(py, steps.collect::<PyResult<Vec<_>>>()?)?;
        let list = |level: &str, findings: &[Finding]| {
            let all = findings.iter().map(|finding| {
                finding_record(py, finding, report.location(finding), &document.show(level, finding))
            });
            PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)
        };
        let (findings, warnings) = (list("error", &report.findings)?, list("warning", &report.warnings)?);
        record(py, "Report", (self.id(), report.answer().name(), steps, findings, warnings))
    }

    /// Judges an answer: an action, or a line of the solver's actions and the opponent's in turn. Actions are `Action`s or texts.
    #[pyo3(signature = (*actions, time = None))]
    fn judge<'py>(
        &self,
        py: Python<'py>,
        actions: Vec<Bound<'py, PyAny>>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let end = deadline(time)?;
        let document = self.document();
        let judge = Judge::new(document, Options::default()).map_err(|error| match error {
            NoJudge::Unreadable(findings) => unreadable(py, document, &findings),
            _ => raise(py, "PuzzleError", "no-answer", "no action answers this puzzle"),
        })?;
        let mut line: Vec<worldlines::Action> = Vec::new();
        let mut position = judge.start().clone();
        for item in &actions {
            let read = match item.cast::<Action>() {
                Ok(action) => vec![action.get().0.clone()],
                Err(_) => {
                    let text: String = item.extract()?;
                    parse_actions(&position, &text, None)
                        .map_err(|error| text_error(py, &error, Input::Text(&text)))?
                }
            };
            for action in read {
                // The judge says what is wrong with an action that is not legal.
                let _ = position.play(&action);
                line.push(action);
            }
        }
        let judged = run(py, end, |stop| {
            let mut prover = judge.prover().stopping_on(Some(stop));
            judge.judge_with(&line, &mut prover)
        })?;
        let (mut left, mut refutation, mut message) = (None, None, None);
        let shown = |defence: &Defence| match defence {
            Defence::Action(action) => Some(Action::from(action.clone())),
            Defence::Stalemate => None,
        };
        match &judged.verdict {
            Judgement::Correct { left: more, .. } => left = Some(*more),
            Judgement::Holds { .. } => left = Some(0),
            Judgement::Slower { refutation: by, .. } | Judgement::Wrong { refutation: by, .. } => {
                refutation = shown(by);
            }
            Judgement::Illegal(illegal) => message = Some(illegal.message.clone()),
            Judgement::Undecided(undecided) => message = Some(undecided.to_string()),
        }
        record(py, "Judgement", (judged.verdict.name(), judged.at, left, refutation, message))
    }

    /// The text of a certificate for the solutions; None if the goal is no mate, or the puzzle has this certificate.
    #[pyo3(signature = (*, time = None))]
    fn certify(&self, py: Python<'_>, time: Option<f64>) -> PyResult<Option<String>> {
        let end = deadline(time)?;
        let document = self.document();
        let made = run(py, end, |stop| {
            puzzle::certify(document, Options { stop: Some(stop), ..Options::default() })
        })?;
        made.map_err(|error| raise(py, "PuzzleError", "no-certificate", &error.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<Puzzle {}>", self.id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Puzzle>().is_ok_and(|other| {
            let other = other.get();
            self.id() == other.id() && self.text() == other.text() && self.path() == other.path()
        })
    }

    fn __hash__(&self) -> u64 {
        crate::values::hash_of(&(self.id(), self.text()))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.game(py)?._repr_svg_())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let restore = py.get_type::<Puzzle>().getattr("_restore")?;
        let file = &self.document().file;
        Ok((
            restore,
            (file.path.clone(), file.text.clone(), self.index, self.certificate().map(str::to_owned)),
        ))
    }

    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        path: &str,
        text: &str,
        index: usize,
        certificate: Option<&str>,
    ) -> PyResult<Puzzle> {
        let mut documents = puzzle::load(path, text.as_bytes());
        let Some(document) = documents.get_mut(index) else {
            return Err(raise(py, "PuzzleError", "no-puzzle", "there is no such puzzle in this file"));
        };
        document.certificate =
            certificate.map(|text| Arc::new(File::new(document.certificate_path(), text.as_bytes())));
        Ok(Puzzle { documents: Arc::new(documents), index })
    }
}

/// The puzzles of a file of the collection, with their certificates.
fn with_certificates(path: &str, bytes: &[u8]) -> Vec<Document> {
    let mut documents = puzzle::load(path, bytes);
    for document in &mut documents {
        let path = document.certificate_path();
        let at = SHIPPED.binary_search_by_key(&path.as_str(), |(name, _)| name);
        document.certificate = at.ok().map(|at| Arc::new(File::new(path, SHIPPED[at].1.as_bytes())));
    }
    documents
}

fn all_of(documents: Vec<Document>) -> impl Iterator<Item = Puzzle> {
    let documents = Arc::new(documents);
    (0..documents.len()).map(move |index| Puzzle { documents: Arc::clone(&documents), index })
}

/// The puzzles of a YAML text, which may hold several. `certificates` are the texts of certificates, by the ids of puzzles.
#[pyfunction]
#[pyo3(signature = (text, path = "puzzle.yaml", *, certificates = None))]
pub fn read_puzzles(
    py: Python<'_>,
    text: Text,
    path: &str,
    certificates: Option<HashMap<String, Text>>,
) -> PyResult<Vec<Puzzle>> {
    let bytes = text.input().bytes();
    let mut documents = run(py, None, |_| puzzle::load(path, bytes))?;
    let certificates = certificates.unwrap_or_default();
    for document in &mut documents {
        let bytes = certificates.get(&document.id).map(|text| text.input().bytes());
        document.certificate = bytes.map(|bytes| Arc::new(File::new(document.certificate_path(), bytes)));
    }
    Ok(all_of(documents).collect())
}

/// The verified puzzles of the collection, by path.
#[pyfunction]
pub fn puzzles(py: Python<'_>) -> PyResult<Vec<Puzzle>> {
    let is_puzzle = |path: &str| !path.contains(&format!("/{}/", puzzle::CERTIFICATES));
    let load = |(path, text): &(&str, &str)| with_certificates(path, text.as_bytes());
    let loaded: Vec<Vec<Document>> = run(py, None, |stop| {
        let mut loaded = Vec::new();
        for file in SHIPPED.iter().filter(|(path, _)| is_puzzle(path)) {
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            loaded.push(load(file));
        }
        loaded
    })?;
    Ok(loaded.into_iter().flat_map(all_of).collect())
}

/// The puzzle of the collection with this id.
#[pyfunction]
#[pyo3(name = "puzzle")]
pub fn one_puzzle(id: &str) -> PyResult<Puzzle> {
    let name = format!("/{id}.yaml");
    let is_wanted =
        |path: &str| path.ends_with(&name) && !path.contains(&format!("/{}/", puzzle::CERTIFICATES));
    let files = SHIPPED.iter().filter(|(path, _)| is_wanted(path));
    let mut found = files.flat_map(|(path, text)| all_of(with_certificates(path, text.as_bytes())));
    found.find(|puzzle| puzzle.id() == id).ok_or_else(|| PyKeyError::new_err(id.to_owned()))
}
