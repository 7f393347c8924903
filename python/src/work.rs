//! Long calls: without the lock of the interpreter, stopped by Ctrl-C or a deadline.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use worldlines::types::{Limit, Undecided};

use crate::errors::undecided;

/// The time after which signals are looked at again, by all that waits.
pub const WATCH: Duration = Duration::from_millis(20);
/// The steps that a question may take before it moves to a thread that can be interrupted: some milliseconds.
const QUICK: u64 = 2_000;
/// The stack of a worker: the same on every system, and that of a program's first thread.
pub const STACK: usize = 8 << 20;

/// The moment when a call has to end, for a number of seconds from Python.
pub fn deadline(seconds: Option<f64>) -> PyResult<Option<Instant>> {
    let Some(seconds) = seconds else { return Ok(None) };
    let duration = Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("expected a number of seconds, but found {seconds}")))?;
    Ok(Instant::now().checked_add(duration))
}

/// Runs `work` on a thread of its own, without the lock of the interpreter. A signal or the deadline sets `stop`, which `work` has to
/// look at. If a signal handler raises an exception, as that of Ctrl-C does, the result is this exception.
pub fn run_with<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    deadline: Option<Instant>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    // A call that is one of many may begin after the deadline.
    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        stop.store(true, Ordering::Relaxed);
    }
    let ended = py.detach(|| {
        thread::scope(|scope| {
            let (done, waiting) = channel::<()>();
            let body = move || {
                let result = catch_unwind(AssertUnwindSafe(work));
                drop(done);
                result
            };
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
            let worker = worker.map_err(|error| PyRuntimeError::new_err(format!("no thread: {error}")))?;
            let mut raised = None;
            let left = || deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let watch = || left().filter(|left| !left.is_zero()).map_or(WATCH, |left| left.min(WATCH));
            while waiting.recv_timeout(watch()) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals()).err();
                }
                if raised.is_some() || left() == Some(Duration::ZERO) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(Err);
            raised.map_or(Ok(result), Err)
        })
    })?;
    Ok(ended.unwrap_or_else(|panic| resume_unwind(panic)))
}

/// [`run_with`] a flag of its own.
pub fn run<T: Send>(
    py: Python<'_>,
    deadline: Option<Instant>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    run_with(py, &stop, deadline, || work(&stop))
}

/// Asks a question whose answer does not depend on the limit that it is found in.
pub fn ask<T: Send>(
    py: Python<'_>,
    steps: Option<u64>,
    time: Option<f64>,
    question: impl Fn(Limit<'_>) -> Result<T, Undecided> + Sync,
) -> PyResult<T> {
    let end = deadline(time)?;
    let most = steps.unwrap_or(u64::MAX);
    let answer = match question(Limit::steps(most.min(QUICK))) {
        Err(_) if most > QUICK => run(py, end, |stop| question(Limit::steps(most).stopping_on(stop)))?,
        answer => answer,
    };
    answer.map_err(|error| undecided(py, &error))
}
