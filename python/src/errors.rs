//! Exceptions, and the records of `worldlines/_records.py`, made from values of the library.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyDict, PyModule};
use worldlines::notation::{ErrorClass, Issue, Location, ParseError, Source, Span, WriteError};
use worldlines::rules::IllegalAction;
use worldlines::types::{Because, Undecided};

static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
static RECORDS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

fn module<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyModule>>,
    name: &str,
) -> PyResult<Bound<'py, PyModule>> {
    Ok(cell.get_or_try_init(py, || py.import(name).map(Bound::unbind))?.bind(py).clone())
}

/// A record with these fields.
pub fn record<'py>(
    py: Python<'py>,
    name: &str,
    fields: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    module(py, &RECORDS, "worldlines._records")?.getattr(name)?.call1(fields)
}

/// An exception with details, which become attributes.
fn raise_with(
    py: Python<'_>,
    class: &str,
    code: &str,
    message: &str,
    hint: Option<&str>,
    details: Option<&Bound<'_, PyDict>>,
) -> PyErr {
    let made = module(py, &ERRORS, "worldlines._errors")
        .and_then(|errors| errors.getattr(class))
        .and_then(|class| class.call((code, message, hint), details));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The exception for an object of a wrong type.
pub fn wrong_type(expected: &str, object: Borrowed<'_, '_, PyAny>, hint: &str) -> PyErr {
    match object.get_type().name() {
        Ok(found) => PyTypeError::new_err(format!("expected {expected}, but found {found}{hint}")),
        Err(error) => error,
    }
}

/// An exception of a class of `worldlines/_errors.py`.
pub fn raise(py: Python<'_>, class: &str, code: &str, message: &str) -> PyErr {
    raise_with(py, class, code, message, None, None)
}

/// The text that was read.
#[derive(Clone, Copy)]
pub enum Input<'t> {
    Text(&'t str),
    Bytes(&'t [u8]),
}

impl<'t> Input<'t> {
    pub fn bytes(self) -> &'t [u8] {
        match self {
            Input::Text(text) => text.as_bytes(),
            Input::Bytes(bytes) => bytes,
        }
    }

    fn source(self) -> Source<'t> {
        match self {
            Input::Text(text) => Source::Text(text),
            Input::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Source::Text(text),
                Err(_) => Source::Bytes(bytes),
            },
        }
    }

    /// Line, column, and the index of its ends as Python counts them.
    fn place(self, span: Span) -> (Location, usize, usize) {
        let range = span.range();
        let location = self.source().location(range.start);
        let index = |offset: usize| match self {
            Input::Text(text) => text.get(..offset).map_or(0, |part| part.chars().count()),
            Input::Bytes(_) => offset,
        };
        (location, index(range.start), index(range.end))
    }
}

/// The exception for a text that cannot be read.
pub fn text_error(py: Python<'_>, error: &ParseError, input: Input<'_>) -> PyErr {
    let class = match error.class {
        ErrorClass::Malformed => "MalformedError",
        ErrorClass::Illegal => "IllegalError",
        ErrorClass::Ambiguous => "AmbiguousError",
    };
    let Issue { code, span, message, hint } = &error.issue;
    let (Location { line, column }, start, end) = input.place(*span);
    let details = PyDict::new(py);
    let excerpt = error.excerpt("text", input.source()).to_string();
    let set = || {
        details.set_item("line", line)?;
        details.set_item("column", column)?;
        details.set_item("start", start)?;
        details.set_item("end", end)?;
        details.set_item("excerpt", excerpt.trim_end())
    };
    if let Err(error) = set() {
        return error;
    }
    let message = format!("{message}, at line {line}, column {column}");
    raise_with(py, class, code, &message, hint.as_deref(), Some(&details))
}

/// The exception for a text that is refused as a whole.
pub fn unreadable(py: Python<'_>, code: &'static str, why: &impl std::fmt::Display, text: &str) -> PyErr {
    let issue = Issue::new(code, Span::new(0, text.len()), why.to_string());
    text_error(py, &issue.malformed(), Input::Text(text))
}

/// A warning about a text.
pub fn issue<'py>(py: Python<'py>, issue: &Issue, input: Input<'_>) -> PyResult<Bound<'py, PyAny>> {
    let (Location { line, column }, start, end) = input.place(issue.span);
    let Issue { code, message, hint, .. } = issue;
    record(py, "Issue", (*code, message, hint.as_deref(), line, column, start, end))
}

/// The exception for an action that may not be played.
pub fn illegal(py: Python<'_>, error: &IllegalAction) -> PyErr {
    raise(py, "IllegalActionError", error.code(), &error.to_string())
}

/// The exception for a game that a notation cannot hold.
pub fn unwritable(py: Python<'_>, error: &WriteError) -> PyErr {
    raise(py, "WriteError", "unwritable", &error.to_string())
}

/// The name of a limit.
pub fn because(because: Because) -> &'static str {
    match because {
        Because::Budget => "budget",
        Because::Stopped => "time",
        Because::Memory => "memory",
        Because::Size => "size",
        Because::Unconfirmed => "unconfirmed",
    }
}

/// The exception for a question that was not decided.
pub fn undecided(py: Python<'_>, error: &Undecided) -> PyErr {
    let details = PyDict::new(py);
    if let Err(error) = details.set_item("steps", error.steps) {
        return error;
    }
    raise_with(py, "UndecidedError", because(error.because), &error.to_string(), None, Some(&details))
}
