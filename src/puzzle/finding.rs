//! [`Finding`]: one thing that is wrong with a puzzle, and its place.

use std::fmt;

use crate::notation::Span;

/// A line below a finding. `Display` marks hints: `hint: …`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// A way to mend it, or its likely cause.
    Hint(String),
    /// More about it, such as `true: …` or `expected: …`.
    Note(String),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Hint(text) => write!(f, "hint: {text}"),
            Remark::Note(text) => f.write_str(text),
        }
    }
}

/// One thing that is wrong with a puzzle.
#[derive(Clone, Debug)]
pub struct Finding {
    /// A stable name for the kind of finding, such as `unlisted-key`.
    pub code: &'static str,
    /// The wrong bytes of the document, or of its certificate.
    pub span: Span,
    /// Whether it is about the certificate.
    pub in_certificate: bool,
    /// The message: a phrase without a full stop.
    pub message: String,
    /// The lines below it.
    pub remarks: Vec<Remark>,
    /// The name that was probably meant in place of the wrong bytes, if it can stand there without a change of the claim.
    pub instead: Option<Box<str>>,
    /// The boards that it concerns, as text under a heading.
    pub boards: Option<String>,
}

impl Finding {
    /// A finding without remarks or boards.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
            span,
            in_certificate: false,
            message: message.into(),
            remarks: Vec::new(),
            instead: None,
            boards: None,
        }
    }

    /// The remarks as text, a line for each.
    pub fn lines(&self) -> Vec<String> {
        self.remarks.iter().map(ToString::to_string).collect()
    }

    /// The finding with one more note.
    pub fn note(mut self, text: impl Into<String>) -> Finding {
        self.remarks.push(Remark::Note(text.into()));
        self
    }

    /// The finding with one more hint.
    pub fn hint(mut self, text: impl Into<String>) -> Finding {
        self.remarks.push(Remark::Hint(text.into()));
        self
    }

    /// The finding with a hint at the name that was probably meant.
    pub(super) fn meant(self, name: &str) -> Finding {
        self.hint(format!("did you mean `{name}`?"))
    }

    /// The same for a name that decides nothing: `verify --fix` writes it.
    pub(super) fn misspelt(self, name: &str) -> Finding {
        Finding { instead: Some(name.into()), ..self.meant(name) }
    }
}
