//! Recorded figures of games: YAML of schema `worldlines/figures-1` (`spec/figures.md`).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Deserialize;

use super::{Answer, Count, Difference, Figures, Manifest, Question, compare, move_text, read_action};
use crate::notation::{Format, Game, LineIndex, Options, Source};
use crate::puzzle::{Spanned, from_yaml};
use crate::state::Position;
use crate::types::{Action, RuleProfile, Status};

/// The first line of a file of figures.
pub const SCHEMA: &str = "worldlines/figures-1";

/// The recorded figures of a game.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name of the game in its file.
    pub id: String,
    /// The line of its entry in the file, from 1.
    pub line: usize,
    /// The rules that the game shows, by their numbers in `spec/`.
    pub about: Vec<String>,
    /// The game.
    pub game: Game,
    /// Figures of positions, with the number of actions before each.
    pub positions: Vec<(usize, Figures)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: String,
    source: String,
    games: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<String>,
    #[serde(default)]
    about: Vec<String>,
    #[serde(default)]
    #[expect(dead_code, reason = "for readers of the file")]
    comment: String,
    game: Option<String>,
    file: Option<String>,
    rules: Option<String>,
    positions: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    index: usize,
    in_check: Option<bool>,
    status: Option<String>,
    /// A number, or `at least` and a number.
    legal_actions: Option<String>,
    actions: Option<Vec<String>>,
    hash: Option<String>,
}

/// A number of legal actions.
fn count(text: &str) -> Option<Count> {
    let (number, exact) = text.strip_prefix("at least ").map_or((text, true), |number| (number, false));
    Some(Count { count: number.parse().ok()?, exact })
}

/// Whether a text is a file of figures.
pub fn is_figures(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.map(|line| line.trim_start_matches("---").trim()).find(|line| !line.is_empty());
    first
        .and_then(|line| line.strip_prefix("schema:"))
        .is_some_and(|name| name.trim().trim_matches(['"', '\'']) == SCHEMA)
}

/// The records of a file. `load` returns the bytes of another file in the same folder.
///
/// # Errors
///
/// The message about an error in the file, with the place for errors of its YAML.
pub fn read(
    text: &str,
    mut load: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Vec<Record>, String> {
    let document: Document = from_yaml(text)?;
    if document.schema != SCHEMA {
        return Err(format!("expected the schema `{SCHEMA}`, but found `{}`", document.schema));
    }
    if document.source.trim().is_empty() {
        return Err("expected where the figures come from, but `source` is empty".into());
    }
    let lines = LineIndex::of(text);
    let mut ids = BTreeSet::new();
    let mut records = Vec::new();
    for entry in document.games {
        let id = entry.id.value.clone();
        if !ids.insert(id.clone()) {
            return Err(format!("there are two games `{id}`"));
        }
        let line = Source::Indexed(text, &lines).location(entry.id.span.range().start).line;
        records.push(entry.record(line, &mut load).map_err(|error| format!("game `{id}`: {error}"))?);
    }
    Ok(records)
}

impl Entry {
    fn record(
        self,
        line: usize,
        load: &mut impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Record, String> {
        let bytes = match (self.game, self.file) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(file)) => load(&file)?,
            _ => return Err("expected either `game` or `file`".into()),
        };
        let format = Format::detect(&bytes).unwrap_or(Format::Pgn5d);
        let parsed = format.parse(&bytes, &Options::default());
        if let Some(error) = parsed.error {
            return Err(format!("it cannot be read as {format}: {}", error.issue.message));
        }
        let mut game = parsed.value.ok_or("it holds no game")?;
        if let Some(name) = self.rules {
            let rules: RuleProfile = name.parse().map_err(|_| format!("there are no rules `{name}`"))?;
            game = under(game, rules)?;
        }
        let mut positions: Vec<(usize, Figures)> = Vec::new();
        let mut seen = BTreeSet::new();
        for line in self.positions {
            let index = line.index;
            if index > game.actions.len() {
                return Err(format!(
                    "it has {} actions, so there is no position {index}",
                    game.actions.len()
                ));
            }
            if !seen.insert(index) {
                return Err(format!("there are two positions {index}"));
            }
            let figures = line
                .figures(&game.until(index).end())
                .map_err(|error| format!("position {index}: {error}"))?;
            positions.push((index, figures));
        }
        Ok(Record { id: self.id.value, line, about: self.about, game, positions })
    }
}

/// The game under other rules, as long as its actions are legal there.
fn under(game: Game, rules: RuleProfile) -> Result<Game, String> {
    let mut setup = game.start.to_setup();
    setup.profile = RuleProfile { promotions: setup.profile.promotions, ..rules };
    let start = Position::from_setup(&setup).map_err(|error| error.to_string())?;
    let mut position = start.clone();
    for (index, action) in game.actions.iter().enumerate() {
        position.play(action).map_err(|error| format!("action {index} under its rules: {error}"))?;
    }
    Ok(Game { start, ..game })
}

impl Line {
    fn figures(self, position: &Position) -> Result<Figures, String> {
        let status = match &self.status {
            None => None,
            Some(text) => {
                let known = Status::ALL.into_iter().find(|status| status.to_string() == *text);
                Some(known.ok_or_else(|| format!("`{text}` is no status"))?)
            }
        };
        let legal_actions = match &self.legal_actions {
            None => None,
            Some(number) => {
                Some(count(number).ok_or("expected a number of legal actions, or `at least` and a number")?)
            }
        };
        let actions = match &self.actions {
            None => None,
            Some(list) => {
                let read = list.iter().map(|text| read_action(position, text.split_ascii_whitespace()));
                let set = read.collect::<Result<BTreeSet<Action>, String>>()?;
                if set.len() != list.len() {
                    return Err("it lists an action twice".into());
                }
                Some(set)
            }
        };
        Ok(Figures {
            in_check: self.in_check,
            status,
            legal_actions,
            actions,
            hash: self.hash,
            ..Figures::default()
        })
    }
}

impl Record {
    /// The differences between an answer about one of the positions and its record.
    pub fn differences(&self, position: usize, manifest: &Manifest, answer: &Answer) -> Vec<Difference> {
        let Some((index, expected)) = self.positions.get(position) else { return Vec::new() };
        let game = self.game.until(*index);
        let end = game.end();
        let question =
            Question { game: &game, position: &end, cap: 0, tries: &[], time: std::time::Duration::ZERO };
        compare(&question, expected, manifest, answer)
    }

    /// The number up to which the legal actions of a position must be counted to compare it with its record.
    pub fn cap(&self, position: usize) -> u64 {
        let recorded = self.positions.get(position).and_then(|(_, figures)| figures.legal_actions);
        recorded.map_or(0, |count| count.count).saturating_add(1)
    }
}

/// The beginning of a file of figures from this source.
pub fn heading(source: &str) -> String {
    format!("schema: {SCHEMA}\nsource: {}\ngames:\n", quoted(source))
}

/// The entry of a game in a file of figures. `game` is its text, or the name of a file beside it.
pub fn entry(
    id: &str,
    game: Result<&str, &str>,
    about: &[String],
    positions: &[(usize, &Position, Figures)],
) -> String {
    let mut text = format!("  - id: {id}\n");
    // Writing to a string cannot fail.
    let _ = match game {
        Ok(game) => write!(text, "    game: |\n{}", indented(game)),
        Err(file) => writeln!(text, "    file: {}", quoted(file)),
    };
    if !about.is_empty() {
        let _ = writeln!(text, "    about: [{}]", about.join(", "));
    }
    text.push_str("    positions:\n");
    for (index, position, figures) in positions {
        let mut fields = vec![format!("index: {index}")];
        fields.extend(figures.in_check.map(|check| format!("in_check: {check}")));
        fields.extend(figures.status.map(|status| format!("status: {status}")));
        fields.extend(figures.legal_actions.map(|count| format!("legal_actions: {count}")));
        fields.extend(figures.hash.as_ref().map(|hash| format!("hash: {}", quoted(hash))));
        let _ = writeln!(text, "      - {}", fields.join("\n        "));
        let Some(actions) = &figures.actions else { continue };
        if actions.is_empty() {
            text.push_str("        actions: []\n");
            continue;
        }
        text.push_str("        actions:\n");
        for action in actions {
            let moves: Vec<String> = action.moves().iter().map(|m| move_text(position, m)).collect();
            let _ = writeln!(text, "          - {}", quoted(&moves.join(" ")));
        }
    }
    text
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("      {line}\n")).collect()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("text is plain data")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::work::assert_in_proportion;
    use crate::oracle::{Feature, Oracle, Own};

    fn nothing(_: &str) -> Result<Vec<u8>, String> {
        Err("there is no file".into())
    }

    #[test]
    fn reading_takes_work_in_proportion_to_the_file() {
        let file = |games: usize| {
            let game =
                |number| format!("  - {{ id: g{number}, game: '[Board \"Standard\"]', positions: [] }}\n");
            format!("schema: {SCHEMA}\nsource: s\ngames:\n{}", (0..games).map(game).collect::<String>())
        };
        assert_in_proportion("figures", file, |text| assert_eq!(read(text, nothing).map(|_| ()), Ok(())));
    }

    #[test]
    fn a_field_without_a_value_is_refused() {
        for nothing_is_said in
            ["source:\ngames: []", "source: ~\ngames: []", "source: x\ngames:\n  - id:\n    positions: []"]
        {
            let refused =
                read(&format!("schema: {SCHEMA}\n{nothing_is_said}\n"), nothing).expect_err("a refusal");
            assert!(refused.ends_with("expected a value, but found nothing"), "{refused}");
        }
    }

    #[test]
    fn what_is_recorded_is_read_back_and_agrees() {
        let text = "[Board \"Standard - Two Timelines\"]\n1. (-0T1)e4 (+0T1)Nf3 / (-0T1)e5 (+0T1)e5\n";
        let game = Format::Pgn5d.parse(text.as_bytes(), &Options::default()).into_result().unwrap();
        let own = Own::new(None, 1_000_000);
        let mut recorded = Vec::new();
        let mut positions = Vec::new();
        positions.extend((0..=2).map(|index| game.until(index).end()));
        for (index, position) in positions.iter().enumerate() {
            recorded.push((index, position, own.figures(position, 2000)));
        }
        let file = heading("a test") + &entry("two", Ok(text), &["R-4.1".into()], &recorded);
        assert!(is_figures(&file), "{file}");
        let records = read(&file, nothing).unwrap();
        let [record] = &*records else { panic!("{records:?}") };
        assert_eq!(record.about, ["R-4.1"]);
        for (place, (_, position, figures)) in recorded.iter().enumerate() {
            assert_eq!(record.positions[place].1.actions, figures.actions);
            let answer = Answer::Figures(Box::new(own.figures(position, record.cap(place))));
            assert_eq!(record.differences(place, own.manifest(), &answer), []);
        }
    }

    #[test]
    fn a_wrong_figure_is_a_difference() {
        let own = Own::new(None, 1_000_000);
        for (line, about) in [
            ("in_check: true", Feature::InCheck),
            ("status: stalemate", Feature::Status),
            ("legal_actions: 4", Feature::LegalActions),
            ("legal_actions: at least 6", Feature::LegalActions),
            ("{legal_actions: 1, actions: [\"(0T1)a1(0T1)a2\"]}", Feature::Actions),
            ("actions: [\"(0T1)a1(0T1)a3\"]", Feature::Actions),
            ("hash: \"0\"", Feature::Hash),
        ] {
            let line = line.trim_matches(['{', '}']);
            let file = format!(
                "schema: {SCHEMA}\nsource: s\ngames: [{{id: a, game: \"[2k/3/K2:0:1:w]\", positions: [{{index: 0, {line}}}]}}]"
            );
            let record = &read(&file, nothing).expect(line)[0];
            let answer = Answer::Figures(Box::new(own.figures(&record.game.start, 100)));
            let differences = record.differences(0, own.manifest(), &answer);
            assert_eq!(
                differences.first().map(|difference| difference.about),
                Some(about),
                "{line}: {differences:?}"
            );
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        for (games, message) in [
            ("[{id: a, positions: []}]", "expected either `game` or `file`"),
            ("[{id: a, file: x, positions: []}]", "there is no file"),
            ("[{id: a, game: \"1. e9\", positions: []}]", "it cannot be read"),
            ("[{id: a, game: \"1. e4\", positions: [{index: 2}]}]", "there is no position 2"),
            ("[{id: a, game: \"1. e4\", positions: [{index: 0}, {index: 0}]}]", "two positions 0"),
            ("[{id: a, game: \"1. e4\", positions: [{index: 0, status: won}]}]", "`won` is no status"),
            ("[{id: a, game: \"1. e4\", positions: [{index: 0, legal_actions: many}]}]", "expected a number"),
            ("[{id: a, game: \"1. e4\", positions: [{index: 0, actions: [e4]}]}]", "`e4` is no move"),
            ("[{id: a, game: \"1. e4\", colour: red, positions: []}]", "colour"),
            (
                "[{id: a, game: \"1. e4\", positions: []}, {id: a, game: \"\", positions: []}]",
                "two games `a`",
            ),
            ("[{id: a, game: \"1. e4\", rules: odd, positions: []}]", "no rules `odd`"),
        ] {
            let error = read(&format!("schema: {SCHEMA}\nsource: s\ngames: {games}"), nothing).unwrap_err();
            assert!(error.contains(message), "{games}: {error}");
        }
    }
}
