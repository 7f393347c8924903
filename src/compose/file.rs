//! The text of a puzzle file. Begin at [`puzzle_text`].

use std::fmt::Write;

use super::line::Line;
use super::point::{point, point_of_defence, point_of_line};
use super::study::Study;
use super::{Found, OnlyDefence, Solution, words};
use crate::notation::pgn5d::{self, Marks};
use crate::notation::{Game, fen5d, is_hidden};
use crate::puzzle::{self, FixError, Options, Wanted};
use crate::rules::variants;
use crate::search::{Budget, Prover};
use crate::types::{Limit, RuleProfile};

/// The origin of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// A sentence for `source: from`.
    pub from: String,
    /// The name for `source: author`.
    pub author: Option<String>,
    /// Whether it was played rather than composed.
    pub is_game: bool,
}

/// The most duals that are listed. A longer list says only that there are many.
const MOST_DUALS: usize = 6;

/// The longest text with tables that answer everything, in bytes.
const LONGEST: usize = 24 << 10;

/// The text of a puzzle file with a find: its id, and the whole text with solutions and tables.
///
/// # Errors
///
/// If the solutions cost more than the budget of a puzzle.
pub fn puzzle_text(
    found: &Found,
    origin: &Origin,
    options: Options<'_>,
) -> Result<(String, String), FixError> {
    match &found.solution {
        Solution::Mate(study) => mate_text(found, study, origin, options),
        Solution::Line(line) => line_text(found, line, origin, options),
    }
}

/// The text of a puzzle file with a mate.
fn mate_text(
    found: &Found,
    study: &Study,
    origin: &Origin,
    options: Options<'_>,
) -> Result<(String, String), FixError> {
    let position = found.game.end();
    let budget = Budget::default();
    let budget = Budget {
        steps: options.max_steps.unwrap_or(budget.steps),
        memory: options.memory,
        evidence: options.evidence,
    };
    let mut prover = Prover::new(budget).stopping_on(options.stop);
    let id = words::id(&position, &format!("in-{}", study.mate_in));
    let point = point(&position, study, &found.merit, &found.themes, &mut prover);
    if is_stopped(options) {
        return Err(FixError::Undecided("say what the mate shows"));
    }
    let title = words::title(&position);
    let mut text = head(&found.game, &id, &title, &point, &found.themes, origin);
    let _ = writeln!(text, "goal: {{ mate-in: {} }}", study.mate_in);
    let _ = writeln!(text, "difficulty: {}", found.merit.grade());
    let duals = study.duals() <= MOST_DUALS;
    let solutions = || {
        let plausible = format!("{text}tries:\n  scope: plausible\n");
        filled(&id, &plausible, options, Wanted { duals, ..Wanted::default() })
    };
    let text = match filled(&id, &text, options, Wanted { tables: true, duals, ..Wanted::default() }) {
        // Tables that answer everything may be endless, or too long to read; solutions are not.
        Err(FixError::Undecided(_)) => solutions()?,
        Ok(whole) if whole.len() > LONGEST => solutions()?,
        text => text?,
    };
    Ok((id, text))
}

/// The text of a puzzle file with a helpmate or a selfmate.
fn line_text(
    found: &Found,
    line: &Line,
    origin: &Origin,
    options: Options<'_>,
) -> Result<(String, String), FixError> {
    let position = found.game.end();
    let goal = line.goal.name();
    let id = words::id(&position, &format!("{goal}-in-{}", line.mate_in));
    let (title, point) = (words::title_of_line(&position), point_of_line(&position, line));
    let mut text = head(&found.game, &id, &title, &point, &found.themes, origin);
    let _ = writeln!(text, "goal: {{ {goal}-in: {} }}", line.mate_in);
    let _ = writeln!(text, "difficulty: {}", found.merit.grade());
    Ok((id.clone(), filled(&id, &text, options, Wanted::default())?))
}

/// The text of a puzzle file with an only defence: its id, and the whole text with solution and table.
///
/// # Errors
///
/// If the table costs more than the budget of a puzzle.
pub fn defence_text(
    found: &OnlyDefence,
    origin: &Origin,
    options: Options<'_>,
) -> Result<(String, String), FixError> {
    let position = found.game.end();
    let id = words::id(&position, "saves");
    let point = point_of_defence(&position, found.mate_in, &found.action, found.losing);
    let title = words::title(&position);
    let mut text = head(&found.game, &id, &title, &point, &found.themes, origin);
    let _ = writeln!(text, "goal: {{ only-defence: {} }}", found.mate_in);
    let difficulty = if found.losing < HARD { 3 } else { 4 };
    let _ = writeln!(text, "tries:\n  scope: plausible\ndifficulty: {difficulty}");
    Ok((id.clone(), filled(&id, &text, options, Wanted::default())?))
}

/// The number of losing actions from which an only defence counts as hard to find.
const HARD: u64 = 100;

/// The fields before the goal.
fn head(game: &Game, id: &str, title: &str, point: &str, themes: &[&str], origin: &Origin) -> String {
    let mut text =
        String::from("# yaml-language-server: $schema=../schema.json\nschema: worldlines/puzzle-1\n");
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key}: {value}");
    };
    line("id", id);
    line("title", &quoted(title));
    line("point", &quoted(point));
    let author =
        origin.author.as_ref().map_or(String::new(), |author| format!(", author: {}", quoted(author)));
    line("source", &format!("{{ from: {}{author} }}", quoted(&origin.from)));
    let kind = if origin.is_game { "game" } else { "study" };
    line("themes", &format!("[{}]", [themes, &[kind]].concat().join(", ")));
    text + &start_text(game) + &rules_text(game.start.profile())
}

/// The text with the fields that `fix` derives from its claim, in canonical form.
fn filled(id: &str, text: &str, options: Options<'_>, wanted: Wanted) -> Result<String, FixError> {
    let path = format!("{id}.yaml");
    let document = puzzle::load(&path, text.as_bytes()).pop();
    let document = document.ok_or_else(|| FixError::Text("the text holds no puzzle".to_owned()))?;
    let fixed = puzzle::repair(&document, options, wanted)?;
    if let Some(what) = fixed.as_ref().and_then(|fixed| fixed.open.first()) {
        return Err(FixError::Undecided(what));
    }
    let text = fixed.map_or(text.to_owned(), |fixed| fixed.text);
    puzzle::format(&text).map_err(|why| FixError::Text(why.to_string()))
}

/// The field `start` for the position at the end of a game.
pub fn start_text(game: &Game) -> String {
    let setup = game.start.to_setup();
    let variant = variants::by_setup(&setup);
    let mut text = String::from("start:\n");
    match variant {
        Some(variant) => {
            let _ = writeln!(text, "  variant: {}", quoted(variant.name));
        }
        None => {
            let _ = writeln!(text, "  size: {}x{}\n  fen:", setup.size.width(), setup.size.height());
            for line in fen5d::write(&game.start).split_inclusive(']').filter(|line| !line.trim().is_empty())
            {
                let _ = writeln!(text, "    - \"{}\"", line.trim());
            }
        }
    }
    if !game.actions.is_empty() {
        text.push_str("  moves: |\n");
        let moves =
            pgn5d::write(&Game::new(game.start.clone(), game.actions.clone()), Marks::None).into_text();
        let lines = moves.lines().filter(|line| !line.starts_with('[') && !line.trim().is_empty());
        lines.for_each(|line| {
            let _ = writeln!(text, "    {line}");
        });
    }
    text
}

/// The field `rules`, unless the rules are the default ones.
pub fn rules_text(profile: RuleProfile) -> String {
    let usual = RuleProfile::default();
    if profile == usual {
        return String::new();
    }
    // Without quotes an `N` is a boolean to many readers of YAML.
    let letter = |letter: char| if letter == 'N' { "\"N\"".to_owned() } else { letter.to_string() };
    let letters: Vec<String> = profile.promotions.iter().map(|kind| letter(kind.letter())).collect();
    format!("rules: {{ profile: {}, promotions: [{}] }}\n", quoted(&profile.to_string()), letters.join(", "))
}

fn is_stopped(options: Options<'_>) -> bool {
    Limit::NONE.stopping_on(options.stop).is_stopped()
}

/// Text in quotes, as YAML writes it. Invisible characters are escaped.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if is_hidden(c) => {
                let _ = match u32::from(c) {
                    c @ ..=0xffff => write!(quoted, "\\u{c:04x}"),
                    c => write!(quoted, "\\U{c:08x}"),
                };
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped_and_reads_the_same() {
        let text = "a\u{202e}b\u{61c}\u{feff}\u{200b}\u{2066}\u{e0041}\u{1b}\t\"\\ é";
        let written = quoted(text);
        assert_eq!(written, "\"a\\u202eb\\u061c\\ufeff\\u200b\\u2066\\U000e0041\\u001b\\u0009\\\"\\\\ é\"");
        assert_eq!(serde_saphyr::from_str::<String>(&written).unwrap(), text);
        assert_eq!(serde_yaml::from_str::<String>(&written).unwrap(), text);
    }
}
