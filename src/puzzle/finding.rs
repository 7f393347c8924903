//! What is wrong with a puzzle, and where.

use crate::notation::Span;

/// Something that is wrong with a puzzle.
#[derive(Clone, Debug)]
pub struct Finding {
    /// A stable name for what is wrong, such as `unlisted-key`.
    pub code: &'static str,
    /// The wrong bytes of the document, or of its certificate.
    pub span: Span,
    /// Whether it is about the certificate.
    pub in_certificate: bool,
    /// What is wrong: a phrase without a full stop.
    pub message: String,
    /// What was expected, what is true, what to do.
    pub notes: Vec<String>,
    /// The boards that it is about, as text under a heading.
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
