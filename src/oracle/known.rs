//! Known differences, each with a reason: YAML of schema `worldlines/known-1`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Known differences of one oracle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// The name of the oracle, or the beginning of it; without a version it stands for all versions.
    pub oracle: String,
    /// The reasons for the differences, by the name of the case.
    pub cases: BTreeMap<String, Reason>,
}

/// The reason for a difference.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The reason, in a sentence.
    pub reason: String,
    /// The place where it is discussed or described; empty if there is none.
    pub link: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: String,
    oracle: String,
    differences: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    cases: Vec<String>,
    reason: String,
    #[serde(default)]
    link: String,
}

impl Known {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The message about an error in the file.
    pub fn read(text: &str) -> Result<Known, String> {
        const SCHEMA: &str = "worldlines/known-1";
        let document: Document = crate::puzzle::from_yaml(text)?;
        if document.schema != SCHEMA {
            return Err(format!("expected the schema `{SCHEMA}`, but found `{}`", document.schema));
        }
        let mut cases = BTreeMap::new();
        for Entry { cases: names, reason, link } in document.differences {
            if reason.trim().is_empty() {
                return Err(format!("the difference in {names:?} needs a reason"));
            }
            for name in names {
                let reason = Reason { reason: reason.clone(), link: link.clone() };
                if cases.insert(name.clone(), reason).is_some() {
                    return Err(format!("`{name}` is there twice"));
                }
            }
        }
        Ok(Known { oracle: document.oracle, cases })
    }

    /// Whether these differences are those of the oracle with this name.
    pub fn is_about(&self, oracle: &str) -> bool {
        oracle.strip_prefix(&self.oracle).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_difference_has_a_reason_and_perhaps_a_link() {
        let file = |rest: &str| format!("schema: worldlines/known-1\noracle: a\ndifferences: [{rest}]");
        let known = Known::read(&file("{cases: [x, y], reason: r, link: l}")).unwrap();
        assert_eq!(known.cases.len(), 2);
        assert!(Known::read(&file("{cases: [x], reason: r}")).is_ok());
        assert!(known.is_about("a") && known.is_about("a 1.2") && !known.is_about("ab"));
        for (rest, message) in [
            ("{cases: [x], reason: '', link: l}", "needs a reason"),
            ("{cases: [x, x], reason: r, link: l}", "twice"),
            ("{cases: [x], link: l}", "reason"),
        ] {
            let error = Known::read(&file(rest)).unwrap_err();
            assert!(error.contains(message), "{rest}: {error}");
        }
    }
}
