//! The engine at work while the program goes on.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use worldlines::engine::{Question, Report, Score, Thought, think};
use worldlines::types::Limit;

use crate::errors::record;
use crate::values::{Action, tuple};
use crate::work::{STACK, WATCH};

/// The end of an analysis.
#[derive(Clone)]
enum End {
    Thought(Thought),
    /// The engine panicked.
    Failed,
}

/// The results so far. There is one for each iteration, so that a program which reads none of them loses little memory.
#[derive(Default)]
struct Results {
    unread: VecDeque<Report>,
    last: Option<Report>,
    end: Option<End>,
}

/// Everything that the engine's thread shares with Python.
#[derive(Default)]
struct Shared {
    results: Mutex<Results>,
    news: Condvar,
    stop: AtomicBool,
}

impl Shared {
    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, change: impl FnOnce(&mut Results)) {
        change(&mut self.results());
        self.news.notify_all();
    }
}

/// The engine at work on a position: `Position.analysis` starts it. Iterating gives a `Thought` after every iteration of the engine, until
/// it is stopped or has nothing to add.
#[pyclass(frozen, module = "worldlines")]
pub struct Analysis {
    shared: Arc<Shared>,
    position: Arc<worldlines::Position>,
    /// The process of the engine's thread: a fork has a copy of this object, and no thread.
    process: u32,
}

impl Analysis {
    pub fn start(
        position: Arc<worldlines::Position>,
        question: Question,
        steps: u64,
        deadline: Option<Instant>,
    ) -> PyResult<Analysis> {
        let shared = Arc::new(Shared::default());
        let no_thread = |error| PyRuntimeError::new_err(format!("no thread: {error}"));
        let (done, waiting) = channel::<()>();
        if let Some(deadline) = deadline {
            let watched = Arc::clone(&shared);
            let watch = move || {
                // The engine's thread drops its end when it is done.
                let left = deadline.saturating_duration_since(Instant::now());
                let _ = waiting.recv_timeout(left);
                watched.stop.store(true, Ordering::Relaxed);
            };
            thread::Builder::new().spawn(watch).map_err(no_thread)?;
        }
        let told = Arc::clone(&shared);
        let work = move || {
            let limit = Limit::steps(steps).stopping_on(&told.stop);
            let mut report = |report: &Report| {
                told.tell(|results| {
                    results.unread.push_back(report.clone());
                    results.last = Some(report.clone());
                });
            };
            let thought = catch_unwind(AssertUnwindSafe(|| think(&question, limit, &mut report)));
            told.tell(|results| results.end = Some(thought.map_or(End::Failed, End::Thought)));
            drop(done);
        };
        thread::Builder::new().stack_size(STACK).spawn(work).map_err(no_thread)?;
        Ok(Analysis { shared, position, process: process::id() })
    }

    fn refuse_forks(&self) -> PyResult<()> {
        if process::id() == self.process {
            return Ok(());
        }
        Err(PyRuntimeError::new_err("this analysis belongs to another process"))
    }

    /// The first answer that `look` has, now or after news. Signals interrupt it; the analysis goes on.
    fn wait_for<T: Send>(
        &self,
        py: Python<'_>,
        look: impl Fn(&mut Results) -> Option<T> + Send + Sync,
    ) -> PyResult<T> {
        self.refuse_forks()?;
        loop {
            // The lock is held only where the interpreter's is not, so that no thread waits for both.
            let found = py.detach(|| {
                let mut results = self.shared.results();
                look(&mut results).or_else(|| {
                    let waited = self.shared.news.wait_timeout(results, WATCH);
                    look(&mut waited.unwrap_or_else(PoisonError::into_inner).0)
                })
            });
            if let Some(found) = found {
                return Ok(found);
            }
            py.check_signals()?;
        }
    }

    fn ended<'py>(&self, py: Python<'py>, end: End) -> PyResult<Bound<'py, PyAny>> {
        match end {
            End::Thought(thought) => thought_record(py, &self.position, thought),
            End::Failed => Err(PyRuntimeError::new_err("the engine failed: this is a bug of worldlines")),
        }
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(slf: Py<Analysis>) -> Py<Analysis> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let next = self.wait_for(py, |results| match (results.unread.pop_front(), &results.end) {
            (Some(report), _) => Some(Ok(report)),
            (None, Some(end)) => Some(Err(end.clone())),
            (None, None) => None,
        })?;
        match next {
            Ok(report) => thought_record(py, &self.position, so_far(report)).map(Some),
            Err(end) => self.ended(py, end).map(|_| None),
        }
    }

    /// The latest `Thought`, without waiting; None before the first.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.refuse_forks()?;
        let last = py.detach(|| self.shared.results().last.clone());
        last.map(|report| thought_record(py, &self.position, so_far(report))).transpose()
    }

    /// Whether the engine has ended.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        self.refuse_forks()?;
        Ok(py.detach(|| self.shared.results().end.is_some()))
    }

    /// Tells the engine to stop, and returns at once.
    fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until the engine ends, and returns its last `Thought`: call `stop` first, or give the analysis a limit.
    fn wait<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let end = self.wait_for(py, |results| results.end.clone())?;
        self.ended(py, end)
    }

    fn __enter__(slf: Py<Analysis>) -> Py<Analysis> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, _raised: Vec<Py<PyAny>>) {
        self.stop();
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Analysis, {}>", if self.done(py)? { "ended" } else { "running" }))
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        // A thread that nobody can ask does not go on.
        self.shared.stop.store(true, Ordering::Relaxed);
    }
}

/// The answer of the engine. `action` is legal in `position`.
pub fn thought_record<'py>(
    py: Python<'py>,
    position: &Arc<worldlines::Position>,
    thought: Thought,
) -> PyResult<Bound<'py, PyAny>> {
    let (score, mate) = match thought.score {
        None => (None, None),
        Some(Score::Pawns(score)) => (Some(f64::from(score) / 100.0), None),
        Some(Score::Mate(actions)) => (None, Some(actions)),
    };
    let fields = (
        thought.best.map(|action| Action::of(position, action)),
        score,
        mate,
        thought.depth,
        tuple(py, thought.line)?,
        thought.ending.map(|ending| ending.to_string()),
        thought.steps,
    );
    record(py, "Thought", fields)
}

/// An interim result as an answer.
fn so_far(report: Report) -> Thought {
    let Report { depth, steps, score, line } = report;
    Thought { best: line.first().cloned(), score: Some(score), line, depth, steps, ..Thought::default() }
}
