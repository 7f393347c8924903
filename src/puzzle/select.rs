//! The filter that selects puzzles.

use super::load::Document;

/// A filter like `rook,-promotion,=fork-2`: terms between commas.
///
/// A plain term selects the puzzles whose `collection/id` contains it. `-term` excludes those, and `=id`
/// selects the puzzle with exactly this id. Without selecting terms, all puzzles that are not excluded are
/// selected.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    terms: Vec<(Kind, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Contains,
    LeaveOut,
    Exactly,
}

impl Filter {
    /// Reads the terms; empty ones are ignored.
    pub fn new(text: &str) -> Filter {
        let terms = text.split(',').map(str::trim).filter_map(|term| {
            let (kind, term) = match (term.strip_prefix('-'), term.strip_prefix('=')) {
                (Some(rest), _) => (Kind::LeaveOut, rest),
                (_, Some(rest)) => (Kind::Exactly, rest),
                _ => (Kind::Contains, term),
            };
            (!term.is_empty()).then(|| (kind, term.to_owned()))
        });
        Filter { terms: terms.collect() }
    }

    /// Whether a puzzle is selected.
    pub fn selects(&self, document: &Document) -> bool {
        self.matches(document.collection(), &document.id)
    }

    fn matches(&self, collection: &str, id: &str) -> bool {
        let name = format!("{collection}/{id}");
        let holds = |(kind, term): &(Kind, String)| match kind {
            Kind::Exactly => id == term,
            Kind::Contains | Kind::LeaveOut => name.contains(term.as_str()),
        };
        let (out, chosen): (Vec<_>, Vec<_>) =
            self.terms.iter().partition(|(kind, _)| *kind == Kind::LeaveOut);
        !out.into_iter().any(holds) && (chosen.is_empty() || chosen.into_iter().any(holds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_select_and_leave_out() {
        let selects = |filter: &str, id: &str| Filter::new(filter).matches("forks", id);
        assert!(selects("", "knight-2"));
        assert!(selects("knight", "knight-2"));
        assert!(selects("forks/", "knight-2"));
        assert!(selects("rook,knight", "knight-2"));
        assert!(!selects("rook", "knight-2"));
        assert!(!selects("knight,-2", "knight-2"));
        assert!(selects("-3", "knight-2"));
        assert!(selects("=knight", "knight"));
        assert!(!selects("=knight", "knight-2"));
    }
}
