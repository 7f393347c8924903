//! Texts in any notation, and games out of them.

use pyo3::prelude::*;
use pyo3::types::PyString;
use worldlines::notation::{Format, Issue, Loss, Options, Span};

use crate::errors::{Input, raise, text_error, wrong_type};
use crate::work::run;

/// A text longer than this is read on a thread that can be interrupted.
pub const LONG: usize = 20_000;

/// A text or bytes that Python gives.
pub enum Text {
    Text(String),
    Bytes(Vec<u8>),
}

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Text> {
        if object.is_instance_of::<PyString>() {
            return object.extract().map(Text::Text);
        }
        object.extract().map(Text::Bytes).map_err(|_| no_text(object))
    }
}

/// The exception for what is neither a text nor bytes. Files and paths are told how to become one.
fn no_text(object: Borrowed<'_, '_, PyAny>) -> PyErr {
    let readers = ["read", "read_bytes"];
    let reader = readers.into_iter().find(|name| object.hasattr(*name).unwrap_or(false));
    let hint = reader.map(|name| format!("; give what its `{name}()` returns")).unwrap_or_default();
    wrong_type("a text or bytes", object, &hint)
}

impl Text {
    pub fn input(&self) -> Input<'_> {
        match self {
            Text::Text(text) => Input::Text(text),
            Text::Bytes(bytes) => Input::Bytes(bytes),
        }
    }
}

/// The notation with this name.
pub fn format_of(py: Python<'_>, name: &str) -> PyResult<Format> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = Format::all().map(Format::name).collect();
        let message = format!("there is no notation {name:?}; the names are {}", names.join(", "));
        raise(py, "WorldlinesError", "unknown-notation", &message)
    })
}

/// The notation of a text: the named one, or the one that is detected.
pub fn notation_of(py: Python<'_>, input: Input<'_>, name: Option<&str>) -> PyResult<Format> {
    if let Some(name) = name {
        return format_of(py, name);
    }
    Format::detect(input.bytes()).ok_or_else(|| {
        let message = "the notation cannot be told from the beginning of the text";
        let hint = "name it, as in `notation=\"5dpgn\"`; `worldlines.notations()` lists the names";
        let issue = Issue::new("unknown-notation", Span::new(0, 0), message).hint(hint);
        text_error(py, &issue.malformed(), input)
    })
}

/// The result of reading a game.
pub type Reading = (worldlines::Game, Vec<Issue>, Vec<Loss>, Format);

/// Reads the game of a text.
pub fn read(
    py: Python<'_>,
    input: Input<'_>,
    notation: Option<&str>,
    options: &Options,
) -> PyResult<Reading> {
    let format = notation_of(py, input, notation)?;
    read_in(py, input, format, options)
}

pub fn read_in(py: Python<'_>, input: Input<'_>, format: Format, options: &Options) -> PyResult<Reading> {
    let bytes = input.bytes();
    let parsed = if bytes.len() > LONG {
        run(py, None, |_| format.parse(bytes, options))?
    } else {
        format.parse(bytes, options)
    };
    let (warnings, losses) = (parsed.warnings.clone(), parsed.losses.clone());
    let game = parsed.into_result().map_err(|error| text_error(py, &error, input))?;
    Ok((game, warnings, losses, format))
}
