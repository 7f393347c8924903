//! The text of a puzzle file.

use std::fmt::Write;

use super::{Found, words};
use crate::notation::pgn5d::{self, Marks};
use crate::notation::{Game, fen5d};
use crate::puzzle::{self, FixError, Options};
use crate::rules::variants;
use crate::search::{Budget, Prover};
use crate::types::RuleProfile;

/// Where a puzzle comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// A sentence for `source: from`.
    pub from: String,
    /// The name for `source: author`.
    pub author: Option<String>,
    /// Whether it was played and not composed.
    pub is_game: bool,
    /// Ahead of the id that the position has.
    pub id_prefix: String,
}

/// How many first actions a table may have that refutes all of them.
const WHOLE_TABLE: u64 = 150;

/// The whole text of a puzzle file, with solutions and tables.
///
/// # Errors
///
/// When the tables cost more than the budget of a puzzle.
pub fn puzzle_text(
    found: &Found,
    origin: &Origin,
    options: Options<'_>,
) -> Result<(String, String), FixError> {
    let position = found.game.end();
    let study = &found.study;
    let mut prover = Prover::new(Budget::default());
    let id = format!("{}{}", origin.id_prefix, words::id(&position, study));
    let mut text =
        String::from("# yaml-language-server: $schema=../schema.json\nschema: worldlines/puzzle-1\n");
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key}: {value}");
    };
    line("id", &id);
    line("title", &quoted(&words::title(&position)));
    line("point", &quoted(&words::point(&position, study, &mut prover)));
    let author =
        origin.author.as_ref().map_or(String::new(), |author| format!(", author: {}", quoted(author)));
    line("source", &format!("{{ from: {}{author} }}", quoted(&origin.from)));
    let mut themes = found.themes.clone();
    themes.push(if origin.is_game { "game" } else { "study" });
    line("themes", &format!("[{}]", themes.join(", ")));
    text.push_str(&start(&found.game));
    text.push_str(&rules(found.game.start.profile()));
    let _ = writeln!(text, "goal: {{ mate-in: {} }}", study.mate_in);
    let counted = study.first_actions;
    let scope = if !counted.capped && counted.count <= WHOLE_TABLE { "all" } else { "plausible" };
    let _ = writeln!(text, "tries:\n  scope: {scope}");
    let path = format!("{id}.yaml");
    let document = puzzle::load(&path, text.as_bytes()).pop();
    let document = document.ok_or_else(|| FixError::Text("the text holds no puzzle".to_owned()))?;
    let fixed = puzzle::fix(&document, options)?;
    let mut text = fixed.map_or(text, |fixed| fixed.text);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok((id, text))
}

/// The field `start` of a game's end.
fn start(game: &Game) -> String {
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

/// The field `rules`, if they are not the usual ones.
fn rules(profile: RuleProfile) -> String {
    let usual = RuleProfile::default();
    if profile == usual {
        return String::new();
    }
    let letters: Vec<String> = profile.promotions.iter().map(|kind| kind.letter().to_string()).collect();
    format!("rules: {{ profile: {}, promotions: [{}] }}\n", quoted(&profile.to_string()), letters.join(", "))
}

/// Text between quotes, as YAML and JSON have it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
