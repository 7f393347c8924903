//! Generated games as files, for commands that are to be tried on many games. Begin at [`write_all`].

use std::path::Path;
use std::{fs, io};

use arbitrary::Unstructured;
use worldlines::generate::{game, mating_position, start};
use worldlines::notation::pgn5d::{self, Marks};
use worldlines::notation::{Game, Notes};

use crate::random::Random;

/// The most actions of a game.
const MOST_ACTIONS: usize = 8;

/// Writes so many games of random actions to a folder, each into a file of its own. A third begin where a mate is near. Other series are
/// other games.
///
/// # Errors
///
/// When a file cannot be written.
pub fn write_all(count: usize, series: u32, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (index, text) in texts(series).take(count).enumerate() {
        fs::write(folder.join(format!("generated-{index:05}.5dpgn")), text)?;
    }
    Ok(())
}

/// Texts of games without end, the same for the same series.
fn texts(series: u32) -> impl Iterator<Item = String> {
    let mut random = Random::series(series);
    std::iter::repeat_with(move || {
        let near_mate = random.below(3) == 0;
        text(&random.bytes(300), near_mate)
    })
    .flatten()
}

/// The text of the game that these bytes make, if it is read back as it is: 5DPGN does not say every switch of the rules.
fn text(bytes: &[u8], near_mate: bool) -> Option<String> {
    let u = &mut Unstructured::new(bytes);
    let start = if near_mate { mating_position(u) } else { start(u) }.ok()?;
    let made = game(u, start, MOST_ACTIONS).ok()?;
    let game = Game { headers: Vec::new(), notes: Notes::new(), result: None, ..made };
    let text = pgn5d::write(&game, Marks::None).into_text();
    let again = pgn5d::parse(&text).into_result().ok()?;
    (again == game).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_series_is_the_same_games() {
        let written = |series| texts(series).take(20).collect::<Vec<_>>();
        let games = written(0);
        assert!(games == written(0) && games != written(1));
        let is_long = |text: &&String| pgn5d::parse(text).into_result().unwrap().actions.len() > 2;
        assert!(games.iter().filter(is_long).count() > 3, "games have actions");
    }
}
