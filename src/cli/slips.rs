//! All errors of a text at once: each word with an error is taken for the one that was meant, where that is clear, and reading goes on.

use std::ops::Range;

use worldlines::notation::{Correction, Issue, ParseError, Span, corrections, did_you_mean};

/// The most errors of a text.
const MOST: usize = 20;

/// The errors of a text in their order, each with a hint at what was meant. `read` returns the error that stops the reading of a text.
pub fn errors(text: &str, read: impl Fn(&str) -> Option<ParseError>) -> Vec<ParseError> {
    let stop = |text: &str| read(text).map(|error| place(&error));
    let mut corrected = Corrected { text: text.to_owned(), made: Vec::new() };
    let mut errors = Vec::new();
    while let Some(error) = read(&corrected.text).filter(|_| errors.len() < MOST) {
        let meant = corrections(&corrected.text, place(&error), stop);
        errors.push(error.map(|issue| {
            let span = corrected.before(issue.span);
            // One question is enough: corrections are moves that can be made.
            let is_question = |hint: &String| hint.starts_with("did you mean");
            let own = issue.hint.filter(|hint| meant.is_empty() || !is_question(hint));
            let hints: Vec<String> = own.into_iter().chain(did_you_mean(&meant)).collect();
            Issue { span, hint: (!hints.is_empty()).then(|| hints.join("; ")), ..issue }
        }));
        let [only] = &meant[..] else { break };
        corrected.make(only.clone());
    }
    errors
}

/// The place where an error begins.
fn place(error: &ParseError) -> usize {
    error.issue.span.range().start
}

/// A text with corrections.
struct Corrected {
    text: String,
    /// The corrections, in the order in which they were made.
    made: Vec<Correction>,
}

impl Corrected {
    fn make(&mut self, correction: Correction) {
        self.text = correction.applied(&self.text);
        self.made.push(correction);
    }

    /// The range in the text before its corrections.
    fn before(&self, span: Span) -> Span {
        let before = |mut at: usize| {
            for Correction { span, text } in self.made.iter().rev() {
                let Range { start, end } = span.range();
                if at >= start + text.len() {
                    at = at - text.len() + (end - start);
                } else if at > start {
                    at = at.min(end);
                }
            }
            at
        };
        Span::new(before(span.range().start), before(span.range().end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use worldlines::notation::pgn5d;

    #[test]
    fn every_slip_has_its_place_in_the_text_as_it_is() {
        let text = "1. e4 / e5 2. Nf33 / nc6 3. Bc4 / Nf7 4. what";
        let found = errors(text, |text| pgn5d::parse(text).error);
        let seen =
            found.iter().map(|error| (&text[place(error)..][..3], error.issue.hint.as_deref().unwrap_or("")));
        let seen: Vec<_> = seen.collect();
        assert_eq!(seen.len(), 4, "{seen:?}");
        assert!(seen[0].1.ends_with("did you mean `Nf3`?"), "{seen:?}");
        assert!(seen[1].0 == "nc6" && seen[1].1.ends_with("did you mean `Nc6`?"), "{seen:?}");
        assert_eq!(seen[2], ("Nf7", "did you mean `Nf6`?"));
        assert!(seen[3].0.starts_with('w') && !seen[3].1.contains("did you mean"), "{seen:?}");
        assert!(errors("1. e4 / e5", |text| pgn5d::parse(text).error).is_empty());
    }
}
