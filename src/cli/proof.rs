//! The shortest mate of a position, and the proof of a mate as a game with variations: every defence, each with an answer.

use std::io::Write;

use super::exit::Failure;
use super::json::Spent;
use worldlines::notation::pgn5d::{self, Marks};
use worldlines::notation::{Game, Note, Notes, Variation};
use worldlines::search::{Analysis, Cut, KeyClass, Prover, Verdict};
use worldlines::state::Position;
use worldlines::types::{Action, Because, Undecided};

/// The length of the shortest mate of the player to move, if there is one in at most `longest` actions.
///
/// # Errors
///
/// The reason why that was not found out.
pub fn shortest_mate(
    prover: &mut Prover<'_>,
    position: &Position,
    longest: u32,
) -> Result<Option<u32>, Because> {
    let solution = prover.solve(position, longest, false);
    match (solution.verdict, solution.shortest) {
        (Verdict::Proven, Some(shortest)) => Ok(Some(shortest)),
        (Verdict::Refuted, _) => Ok(None),
        _ => Err(solution.undecided.map_or(Because::Budget, |undecided| undecided.because)),
    }
}

/// A line that goes on after an action of the attacker, with the other defences beside it.
#[derive(Default)]
struct Line {
    actions: Vec<Action>,
    notes: Notes,
}

/// Prints the game with a proof after its end: keys that mate in so many actions, and after each every defence with one answer, at most
/// `most` at a place. The first key and the longest defences are its main line.
///
/// # Errors
///
/// When the budget is spent first, or nothing can be printed.
pub fn print(
    analysis: &mut Analysis<'_, '_>,
    game: &Game,
    keys: &[(&Action, u32)],
    most: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let proof = proof(analysis, game, keys, most).map_err(|why| {
        Failure::new(format_args!("the proof cannot be written down: {}", Spent::from(why)))
    })?;
    out.write_all(&pgn5d::write(&proof, Marks::Check).bytes)?;
    Ok(())
}

fn proof(
    analysis: &mut Analysis<'_, '_>,
    game: &Game,
    keys: &[(&Action, u32)],
    most: usize,
) -> Result<Game, Undecided> {
    let (end, mut game) = (game.actions.len(), game.clone());
    for (index, (key, mates_in)) in keys.iter().enumerate() {
        let mut played = vec![(*key).clone()];
        let Line { actions: rest, notes } = follow(analysis, &mut played, mates_in - 1, most)?;
        let actions: Vec<Action> = played.into_iter().chain(rest).collect();
        if index == 0 {
            game.actions.extend(actions);
            game.notes.extend(shifted(notes, end + 1));
        } else {
            let variation = Variation { actions, notes: shifted(notes, 1).collect(), result: None };
            game.notes.entry(end).or_default().variations.push(variation);
        }
    }
    Ok(game)
}

/// The defences after a line that ends with an action of the attacker, who mates in `left` more.
fn follow(
    analysis: &mut Analysis<'_, '_>,
    line: &mut Vec<Action>,
    left: u32,
    most: usize,
) -> Result<Line, Undecided> {
    if left == 0 {
        return Ok(Line::default());
    }
    let defences = analysis.variations(line, left, most);
    let (before, mut note) = (line.len(), Note::default());
    match defences.cut {
        Some(Cut::Undecided(why)) => return Err(why),
        Some(Cut::More(more)) => note.comments.push(format!("and {more} more defences")),
        None => {}
    }
    let longest = defences.items.iter().map(|variation| variation.mates_in).max();
    let mut main = None;
    for variation in defences.items {
        let Some(answer) = variation.answers.first().map(KeyClass::key) else { continue };
        line.extend([variation.defence.clone(), answer.clone()]);
        let rest = follow(analysis, line, variation.mates_in - 1, most)?;
        let actions: Vec<Action> = line.drain(before..).chain(rest.actions).collect();
        let notes = shifted(rest.notes, 2).collect();
        if main.is_none() && Some(variation.mates_in) == longest {
            main = Some(Line { actions, notes });
        } else {
            note.variations.push(Variation { actions, notes, result: None });
        }
    }
    let mut main = main.unwrap_or_default();
    if !note.is_empty() {
        main.notes.insert(0, note);
    }
    Ok(main)
}

/// Notes that stand so many actions later.
fn shifted(notes: Notes, by: usize) -> impl Iterator<Item = (usize, Note)> {
    notes.into_iter().map(move |(after, note)| (after + by, note))
}
