//! What goes wrong when text is read.
//!
//! An [`Issue`] says what is wrong and where. Every reader refuses its input with a [`ParseError`], which sorts the issue
//! into one of three classes; an issue that does not prevent reading is a warning. An [`Excerpt`] shows either in its
//! text.

use std::fmt;

use super::excerpt::{Excerpt, Source};
use super::span::Span;

/// Something to say about a range of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issue {
    /// A stable name for the kind of issue, such as `missing-destination`.
    pub code: &'static str,
    /// Where in the text it is.
    pub span: Span,
    /// What it is: a lowercase phrase without a full stop.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
}

impl Issue {
    /// An issue without a hint.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Issue {
        Issue { code, span, message: message.into(), hint: None }
    }

    /// The issue with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Issue {
        self.hint = Some(hint.into());
        self
    }

    /// The error of a text that cannot be parsed because of this.
    pub fn malformed(self) -> ParseError {
        ParseError::Malformed(self)
    }

    /// The error of a text that breaks a rule in this way.
    pub fn illegal(self) -> ParseError {
        ParseError::Illegal(self)
    }

    /// The error of a text that can be understood in more than one way.
    pub fn ambiguous(self) -> ParseError {
        ParseError::Ambiguous(self)
    }

    /// The issue as a warning, shown in its text or bytes, which came from the file or place `name`.
    pub fn excerpt<'a>(&self, name: &'a str, source: impl Into<Source<'a>>) -> Excerpt<'a> {
        Excerpt {
            name,
            source: source.into(),
            span: self.span,
            title: format!("warning[{}]: {}", self.code, self.message),
            notes: self.hint.iter().map(|hint| format!("hint: {hint}")).collect(),
        }
    }
}

/// Why a text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseError {
    /// The text does not parse.
    Malformed(Issue),
    /// The text parses and breaks a rule of the game.
    Illegal(Issue),
    /// The text parses and fits more than one move or position.
    Ambiguous(Issue),
}

impl ParseError {
    /// What is wrong.
    pub fn issue(&self) -> &Issue {
        match self {
            ParseError::Malformed(issue) | ParseError::Illegal(issue) | ParseError::Ambiguous(issue) => issue,
        }
    }

    /// The same class of error with another issue.
    pub(crate) fn map(self, change: impl FnOnce(Issue) -> Issue) -> ParseError {
        match self {
            ParseError::Malformed(issue) => ParseError::Malformed(change(issue)),
            ParseError::Illegal(issue) => ParseError::Illegal(change(issue)),
            ParseError::Ambiguous(issue) => ParseError::Ambiguous(change(issue)),
        }
    }

    /// `malformed`, `illegal` or `ambiguous`.
    pub fn class(&self) -> &'static str {
        match self {
            ParseError::Malformed(_) => "malformed",
            ParseError::Illegal(_) => "illegal",
            ParseError::Ambiguous(_) => "ambiguous",
        }
    }

    /// Where in the text it is.
    pub fn span(&self) -> Span {
        self.issue().span
    }

    /// The error shown in its text or bytes, which came from the file or place `name`.
    pub fn excerpt<'a>(&self, name: &'a str, source: impl Into<Source<'a>>) -> Excerpt<'a> {
        let Issue { code, message, hint, .. } = self.issue();
        Excerpt {
            name,
            source: source.into(),
            span: self.span(),
            title: format!("error[{code}]: {}: {message}", self.class()),
            notes: hint.iter().map(|hint| format!("hint: {hint}")).collect(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class(), self.issue().message)
    }
}

impl std::error::Error for ParseError {}

/// The text of these bytes.
///
/// # Errors
///
/// When they are not UTF-8. The span is the first wrong byte.
pub fn text_of(bytes: &[u8]) -> Result<&str, ParseError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let span = Span::new(at, at + error.error_len().unwrap_or(bytes.len() - at));
        let message = format!("expected UTF-8 text, but found the byte {:#04x}", bytes[at]);
        Issue::new("not-utf-8", span, message).malformed()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_text_are_refused_at_their_offset() {
        assert_eq!(text_of(b"1. e4"), Ok("1. e4"));
        assert_eq!(text_of(b"1. \xff e4").unwrap_err().span(), Span::new(3, 4));
        assert_eq!(text_of(b"1. \xe2\x82").unwrap_err().span(), Span::new(3, 5));
    }
}
