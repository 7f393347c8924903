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
            boards: None,
        }
    }

    /// The finding with one more note.
    pub fn note(mut self, text: impl Into<String>) -> Finding {
        self.notes.push(text.into());
        self
    }
}
