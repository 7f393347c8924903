//! Texts in any notation, and games out of them.

use pyo3::prelude::*;
use worldlines::notation::{Format, Issue, Loss, Options};

use crate::errors::{Input, raise, text_error};
use crate::work::run;

/// A text longer than this is read on a thread that can be interrupted.
pub const LONG: usize = 20_000;

/// A text or bytes that Python gives.
#[derive(FromPyObject)]
pub enum Text {
    Text(String),
    Bytes(Vec<u8>),
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
        let message = "the notation cannot be told from the text: name it (`notation=`)";
        raise(py, "WorldlinesError", "unknown-notation", message)
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
