//! Errors and warnings of readers.
//!
//! An [`Issue`] says what is wrong and where. Every reader refuses its input with a [`ParseError`], which
//! sorts the issue into one of three classes; an issue that does not prevent reading is a warning. An
//! [`Excerpt`] prints either with the part of the text that it is about.

use std::fmt;

use super::excerpt::{Excerpt, Source};
use super::span::Span;

/// A message about a range of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issue {
    /// A stable name for the kind of issue, such as `missing-destination`.
    pub code: &'static str,
    /// The range of the text.
    pub span: Span,
    /// The message: a lowercase phrase without a full stop.
    pub message: String,
    /// A suggestion, or more about the cause.
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

    /// The issue as the error that the text cannot be parsed.
    pub fn malformed(self) -> ParseError {
        ParseError { class: ErrorClass::Malformed, issue: self }
    }

    /// The issue as the error that the text breaks a rule.
    pub fn illegal(self) -> ParseError {
        ParseError { class: ErrorClass::Illegal, issue: self }
    }

    /// The issue as the error that the text has more than one meaning.
    pub fn ambiguous(self) -> ParseError {
        ParseError { class: ErrorClass::Ambiguous, issue: self }
    }

    /// An excerpt of `source` that shows the issue as a warning. `name` is the file or place that the source
    /// came from.
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

/// The three ways in which reading fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorClass {
    /// The text does not parse.
    Malformed,
    /// The text parses and breaks a rule of the game.
    Illegal,
    /// The text parses and fits more than one move or position.
    Ambiguous,
}

impl ErrorClass {
    /// `malformed`, `illegal` or `ambiguous`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorClass::Malformed => "malformed",
            ErrorClass::Illegal => "illegal",
            ErrorClass::Ambiguous => "ambiguous",
        }
    }
}

/// The reason why a text was refused. `Display` says it in one line: the class, the message, the byte of the text (from 0) and the
/// hint. An [excerpt](ParseError::excerpt) shows the place in the text.
///
/// One type serves all notations: a program that reads several can treat them alike, and the stable [code](Issue::code) says what
/// is special.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The way in which reading failed.
    pub class: ErrorClass,
    /// The message, with its place in the text.
    pub issue: Issue,
}

impl ParseError {
    /// The same class of error with another issue.
    pub fn map(self, change: impl FnOnce(Issue) -> Issue) -> ParseError {
        ParseError { issue: change(self.issue), ..self }
    }

    /// The range of the text that is wrong.
    pub fn span(&self) -> Span {
        self.issue.span
    }

    /// An excerpt of `source` that shows the error. `name` is the file or place that the source came from.
    pub fn excerpt<'a>(&self, name: &'a str, source: impl Into<Source<'a>>) -> Excerpt<'a> {
        let Issue { code, message, hint, .. } = &self.issue;
        Excerpt {
            name,
            source: source.into(),
            span: self.span(),
            title: format!("error[{code}]: {}: {message}", self.class.name()),
            notes: hint.iter().map(|hint| format!("hint: {hint}")).collect(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Issue { span, message, hint, .. } = &self.issue;
        write!(f, "{}: {message}, at byte {}", self.class.name(), span.start)?;
        hint.as_ref().map_or(Ok(()), |hint| write!(f, " ({hint})"))
    }
}

impl std::error::Error for ParseError {}

/// The text of these bytes.
///
/// # Errors
///
/// When they are not UTF-8. The span covers the first invalid bytes.
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

    #[test]
    fn an_error_says_where_it_is_and_has_its_hint() {
        let issue = Issue::new("no-such-move", Span::new(3, 5), "no piece can do this");
        assert_eq!(issue.clone().illegal().to_string(), "illegal: no piece can do this, at byte 3");
        let hint = issue.hint("the board has been played").illegal().to_string();
        assert_eq!(hint, "illegal: no piece can do this, at byte 3 (the board has been played)");
    }
}
