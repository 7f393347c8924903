//! `worldlines diff --bless`: records figures.

use std::path::Path;

use super::super::exit::Failure;
use super::super::files::{self, shown};
use super::super::terminal::say;
use super::Run;
use worldlines::notation::{Format as GameNotation, Game};
use worldlines::oracle::record;

impl Run<'_> {
    /// Records the figures of the games of a file.
    pub(super) fn bless(&mut self, path: &Path, figures: &Path, games: &[Game]) -> Result<(), Failure> {
        let mut text = record::heading("Worldlines; nobody else has confirmed them");
        for (number, game) in games.iter().enumerate() {
            self.begin(&files::name(path), (path, None), game);
            let mut positions = vec![game.start.clone()];
            for action in &game.actions {
                let mut next = positions[positions.len() - 1].clone();
                next.play(action).expect("the actions of a game are legal");
                positions.push(next);
            }
            if let Some(current) = self.games.last_mut() {
                current.positions = positions.len() as u64;
            }
            let recorded = positions.iter().enumerate();
            let lines: Vec<_> =
                recorded.map(|(index, position)| (index, position, self.recorded(position))).collect();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            text += &if games.len() == 1 {
                record::entry(&stem, Err(&file), &[], &lines)
            } else {
                let game = GameNotation::Pgn5d.write(game).map(|written| written.into_text());
                let game = game.map_err(|error| Failure::new(format_args!("game {number}: {error}")))?;
                record::entry(&format!("{stem}-{}", number + 1), Ok(&game), &[], &lines)
            };
        }
        files::create(figures, &text)?;
        say(&format!("note: recorded {}", shown(figures)));
        Ok(())
    }
}
