//! Comments, judgements and variations of games, as the records `Note` and `Variation`.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyMapping, PyTuple};
use worldlines::notation::pgn5d::MAX_NESTING;
use worldlines::notation::{GameResult, MAX_INPUT_BYTES, Note, Notes, Variation, glyph_mark};

use crate::errors::{illegal, record};
use crate::values::{ActionLike, tuple};

/// The bytes of the shortest text of an action, as `/a3`.
const SHORTEST_ACTION: usize = 3;

/// A judgement as PGN writes it: `!?`, or `$14` if it has no mark.
fn judgement_text(number: u8) -> String {
    glyph_mark(number).map_or_else(|| format!("${number}"), str::to_owned)
}

/// The number of a judgement that Python gives.
pub fn judgement_of(text: &str) -> PyResult<u8> {
    let is_number = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let by_number = text.strip_prefix('$').filter(is_number).and_then(|digits| digits.parse().ok());
    let by_mark = || (0..=u8::MAX).find(|&number| glyph_mark(number) == Some(text));
    by_number.or_else(by_mark).ok_or_else(|| {
        let message = format!("{text:?} is no judgement: !, ?, !!, ??, !?, ?!, or $0 to $255");
        PyValueError::new_err(message)
    })
}

/// A comment that Python gives, with the line ends of a text that is read.
pub fn comment_of(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The result of a text.
pub fn result_of(text: &str) -> PyResult<GameResult> {
    GameResult::from_text(text)
        .ok_or_else(|| PyValueError::new_err(format!("{text:?} is no result: 1-0, 0-1, 1/2-1/2 or *")))
}

/// A new dict with a record for each note.
pub fn notes_dict<'py>(py: Python<'py>, notes: &Notes) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (after, note) in notes {
        let judgements = PyTuple::new(py, note.glyphs.iter().map(|&number| judgement_text(number)))?;
        let comments = PyTuple::new(py, &note.comments)?;
        let variations = note.variations.iter().map(|variation| variation_record(py, variation));
        let variations = PyTuple::new(py, variations.collect::<PyResult<Vec<_>>>()?)?;
        dict.set_item(after, record(py, "Note", (judgements, comments, variations))?)?;
    }
    Ok(dict)
}

fn variation_record<'py>(py: Python<'py>, variation: &Variation) -> PyResult<Bound<'py, PyAny>> {
    let Variation { actions, notes, result } = variation;
    let fields = (tuple(py, actions.iter().cloned())?, notes_dict(py, notes)?, result.map(GameResult::text));
    record(py, "Variation", fields)
}

/// Reads notes that Python gives. The actions of their variations have to be legal.
pub struct Reader {
    /// The bytes of text that may still come: no text that can be read has more.
    left: usize,
    /// The variations around the line that is read.
    depth: usize,
}

impl Reader {
    pub fn new() -> Reader {
        Reader { left: MAX_INPUT_BYTES, depth: 0 }
    }

    /// The notes of a line that begins in this position.
    pub fn notes(
        &mut self,
        notes: &Bound<'_, PyAny>,
        start: &worldlines::Position,
        actions: &[worldlines::Action],
    ) -> PyResult<Notes> {
        let mut given = Vec::new();
        for item in notes.cast::<PyMapping>()?.items()?.iter() {
            given.push(item.extract::<(usize, Bound<'_, PyAny>)>()?);
        }
        given.sort_by_key(|(after, _)| *after);
        let (mut position, mut played) = (start.clone(), 0);
        let mut read = Notes::new();
        for (after, note) in given {
            place(after, actions.len())?;
            for action in &actions[played..after] {
                position.play(action).map_err(|error| illegal(notes.py(), &error))?;
            }
            played = after;
            let note = self.note(&note, &position)?;
            if !note.is_empty() {
                read.insert(after, note);
            }
        }
        Ok(read)
    }

    fn note(&mut self, note: &Bound<'_, PyAny>, position: &worldlines::Position) -> PyResult<Note> {
        let (judgements, comments, variations): (Vec<String>, Vec<String>, Vec<Bound<'_, PyAny>>) =
            note.extract()?;
        self.take(judgements.len() + comments.iter().map(|text| text.len() + 1).sum::<usize>())?;
        let mut read = Note {
            glyphs: judgements.iter().map(|text| judgement_of(text)).collect::<PyResult<_>>()?,
            comments: comments.iter().map(|text| comment_of(text)).collect(),
            variations: Vec::with_capacity(variations.len()),
        };
        for variation in variations {
            let (actions, notes, result): (Vec<ActionLike<'_>>, Bound<'_, PyAny>, Option<String>) =
                variation.extract()?;
            read.variations.push(self.variation(position, &actions, Some(&notes), result.as_deref())?);
        }
        Ok(read)
    }

    /// A variation that leaves its line in this position.
    pub fn variation(
        &mut self,
        position: &worldlines::Position,
        actions: &[ActionLike<'_>],
        notes: Option<&Bound<'_, PyAny>>,
        result: Option<&str>,
    ) -> PyResult<Variation> {
        if actions.is_empty() {
            return Err(PyValueError::new_err("a variation has at least one action"));
        }
        if self.depth == MAX_NESTING {
            let message = format!("variations stand in one another at most {MAX_NESTING} deep");
            return Err(PyValueError::new_err(message));
        }
        self.take(2 + SHORTEST_ACTION * actions.len())?;
        let mut now = position.clone();
        let mut played = Vec::with_capacity(actions.len());
        for action in actions {
            played.push(play(&mut now, action)?);
        }
        self.depth += 1;
        let notes = notes.map(|notes| self.notes(notes, position, &played)).transpose()?.unwrap_or_default();
        self.depth -= 1;
        Ok(Variation { actions: played, notes, result: result.map(result_of).transpose()? })
    }

    fn take(&mut self, size: usize) -> PyResult<()> {
        let left = self.left.checked_sub(size);
        self.left = left.ok_or_else(|| PyValueError::new_err("no text has so many notes"))?;
        Ok(())
    }
}

/// Plays an action that Python gives, while Ctrl-C ends the call.
fn play(position: &mut worldlines::Position, action: &ActionLike<'_>) -> PyResult<worldlines::Action> {
    Python::attach(|py| {
        py.check_signals()?;
        let action = action.action(py, position)?;
        position.play(&action).map_err(|error| illegal(py, &error))?;
        Ok(action)
    })
}

/// Refuses a place after the end of a line.
pub fn place(after: usize, actions: usize) -> PyResult<()> {
    if after <= actions {
        return Ok(());
    }
    let plural = if actions == 1 { "" } else { "s" };
    let message = format!("there is no place after {after} actions: the line has {actions} action{plural}");
    Err(PyIndexError::new_err(message))
}
