//! `--resign` and `--draw`: settings `KEY=VALUE` between blanks.

use std::ops::RangeInclusive;

use super::entrant::setting;
use worldlines::contest::{Draw, Resign};
use worldlines::notation::printable;

/// The scores and numbers of actions that can be set.
const SCORES: RangeInclusive<i64> = 0..=1_000_000;
const ACTIONS: RangeInclusive<i64> = 1..=100_000;

/// Reads the value of `--resign`.
pub fn resign(text: &str) -> Result<Resign, String> {
    let settings = Settings::of(text, &["score", "actions", "two-sided"])?;
    Ok(Resign {
        score: settings.number("score", 1..=*SCORES.end(), None)?,
        actions: settings.count("actions", ACTIONS, None)?,
        two_sided: settings.flag("two-sided")?,
    })
}

/// Reads the value of `--draw`.
pub fn draw(text: &str) -> Result<Draw, String> {
    let settings = Settings::of(text, &["score", "actions", "after"])?;
    Ok(Draw {
        score: settings.number("score", SCORES, None)?,
        actions: settings.count("actions", ACTIONS, None)?,
        after: settings.count("after", 0..=*ACTIONS.end(), Some(0))?,
    })
}

/// Settings by their keys.
struct Settings<'t>(Vec<(&'t str, Option<&'t str>)>);

impl Settings<'_> {
    fn of<'t>(text: &'t str, keys: &[&str]) -> Result<Settings<'t>, String> {
        let settings: Vec<_> = text.split_ascii_whitespace().map(setting).collect();
        for (index, (key, _)) in settings.iter().enumerate() {
            if !keys.contains(key) {
                return Err(format!(
                    "there is no setting `{}`; there are {}",
                    printable(key),
                    keys.join(", ")
                ));
            }
            if settings[..index].iter().any(|(earlier, _)| earlier == key) {
                return Err(format!("`{key}` is set twice"));
            }
        }
        Ok(Settings(settings))
    }

    fn value(&self, key: &str) -> Option<Option<&str>> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    fn number(&self, key: &str, range: RangeInclusive<i64>, default: Option<i64>) -> Result<i64, String> {
        let read = |value: Option<&str>| value?.parse().ok().filter(|number| range.contains(number));
        let wrong = || format!("expected {key}=N with N from {} to {}", range.start(), range.end());
        self.value(key).map_or(default, read).ok_or_else(wrong)
    }

    fn count(&self, key: &str, range: RangeInclusive<i64>, default: Option<i64>) -> Result<usize, String> {
        self.number(key, range, default).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
    }

    fn flag(&self, key: &str) -> Result<bool, String> {
        match self.value(key) {
            None => Ok(false),
            Some(None) => Ok(true),
            Some(Some(_)) => Err(format!("`{key}` takes no value")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_are_shown() {
        for text in ["score=600 actions=3", "score=600 actions=3 two-sided"] {
            assert_eq!(resign(text).unwrap().to_string(), text);
        }
        assert_eq!(draw("actions=8 score=0").unwrap(), Draw { score: 0, actions: 8, after: 0 });
        assert_eq!(draw("score=10 actions=8 after=40").unwrap().to_string(), "score=10 actions=8 after=40");
    }

    #[test]
    fn wrong_settings_are_refused_with_their_reason() {
        for (text, why) in [
            ("", "expected score=N with N from 1 to 1000000"),
            ("score=0 actions=3", "expected score=N with N from 1 to 1000000"),
            ("score=600", "expected actions=N with N from 1 to 100000"),
            ("score=600 actions=-1", "expected actions=N"),
            ("score=6e2 actions=1", "expected score=N"),
            ("score=600 movecount=3", "there is no setting `movecount`; there are score, actions, two-sided"),
            ("score=600 score=600", "`score` is set twice"),
            ("score=600 actions=3 two-sided=true", "`two-sided` takes no value"),
        ] {
            let found = resign(text).unwrap_err();
            assert!(found.starts_with(why), "{text}: {found}");
        }
        assert!(
            draw("score=600 actions=3 two-sided").is_err() && resign("score=1 actions=1 after=2").is_err()
        );
    }
}
