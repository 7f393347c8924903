//! Labels: the names of timelines as they are written.

use super::error::{Issue, ParseError};
use super::span::Span;
use crate::types::{Parity, Timeline};

/// A written sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// A timeline as it is written. The [`Parity`] of the game decides which timeline it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// The sign, if one is written.
    pub sign: Option<Sign>,
    /// The number.
    pub number: u16,
}

impl Label {
    /// The timeline in a game of this parity; `None` for a 0 without sign in a game with `-0` and `+0`.
    pub fn timeline(self, parity: Parity) -> Option<Timeline> {
        let number = i16::try_from(self.number).ok()?;
        Some(Timeline(match (parity, self.sign) {
            (Parity::Odd, Some(Sign::Minus)) => -number,
            (Parity::Odd, _) => number,
            (Parity::Even, Some(Sign::Minus)) => -1 - number,
            (Parity::Even, None) if number == 0 => return None,
            (Parity::Even, _) => number,
        }))
    }

    /// The timeline in a game of this parity, for a label at `span`.
    ///
    /// # Errors
    ///
    /// For a 0 without sign in a game with `-0` and `+0`.
    pub(crate) fn timeline_at(self, parity: Parity, span: Span) -> Result<Timeline, ParseError> {
        self.timeline(parity).ok_or_else(|| unsigned_zero(span).ambiguous())
    }

    /// Like [`Label::timeline_at`], but a missing label means timeline 0, if there is only one.
    pub(crate) fn timeline_or_zero(
        label: Option<Label>,
        parity: Parity,
        span: Span,
    ) -> Result<Timeline, ParseError> {
        label.unwrap_or(Label { sign: None, number: 0 }).timeline_at(parity, span)
    }

    /// Whether it is `-0` or `+0`, which only a game of even parity has.
    pub fn is_signed_zero(self) -> bool {
        self.number == 0 && self.sign.is_some()
    }
}

/// The issue that timeline 0 is written without a sign, or is left out, in a game with `-0` and `+0`.
pub(crate) fn unsigned_zero(span: Span) -> Issue {
    Issue::new("unsigned-zero", span, "expected `-0` or `+0`: this game has both")
}
