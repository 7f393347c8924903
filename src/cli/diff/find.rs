//! Finds the files with games, and the files with their figures.

use std::path::{Path, PathBuf};

use super::super::exit::Failure;
use super::super::files::{self, STDIN};

/// The extensions of files with games in folders.
const GAMES: [&str; 3] = ["5dpgn", "5dfen", "pgn"];
/// The ending of the names of files with figures.
const FIGURES: &str = ".figures.yaml";

/// The files at these paths, sorted by name within each folder.
pub fn paths(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in given {
        if path == Path::new(STDIN) || !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        found.extend(files::in_folder(path, |file| {
            let is_game = file.extension().is_some_and(|ending| GAMES.iter().any(|known| ending == *known));
            let is_figures = file.to_string_lossy().ends_with(FIGURES);
            // The figures of a game are read with the game.
            is_game || is_figures && game_of(file).is_none()
        })?);
    }
    Ok(found)
}

/// The game to which a file of figures belongs, if there is one.
fn game_of(figures: &Path) -> Option<PathBuf> {
    let name = figures.file_name()?.to_str()?.strip_suffix(FIGURES)?.to_owned();
    GAMES.iter().map(|ending| figures.with_file_name(format!("{name}.{ending}"))).find(|path| path.exists())
}

/// The path of the figures of a game.
pub fn figures_of(game: &Path) -> PathBuf {
    let mut name = game.file_stem().unwrap_or_default().to_owned();
    name.push(FIGURES);
    game.with_file_name(name)
}
