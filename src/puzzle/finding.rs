//! [`Finding`]: one thing that is wrong with a puzzle, and its place.

use crate::notation::Span;

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
    /// Notes: the expected text, the truth, or a hint.
    pub notes: Vec<String>,
    /// The name that was probably meant in place of the wrong bytes, if it can stand there without a change of the claim.
    pub instead: Option<Box<str>>,
    /// The boards that it concerns, as text under a heading.
    pub boards: Option<String>,
}

impl Finding {
    /// A finding without notes or boards.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
            span,
            in_certificate: false,
            message: message.into(),
            notes: Vec::new(),
            instead: None,
            boards: None,
        }
    }

    /// The finding with one more note.
    pub fn note(mut self, text: impl Into<String>) -> Finding {
        self.notes.push(text.into());
        self
    }

    /// The finding with a hint at the name that was probably meant.
    pub(super) fn meant(self, name: &str) -> Finding {
        self.note(format!("hint: did you mean `{name}`?"))
    }

    /// The same for a name that decides nothing: `verify --fix` writes it.
    pub(super) fn misspelt(self, name: &str) -> Finding {
        Finding { instead: Some(name.into()), ..self.meant(name) }
    }
}
