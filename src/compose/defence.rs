//! Positions in which only one action avoids mate.

use std::sync::atomic::AtomicBool;

use super::mine::each;
use super::step::played;
use super::themes::of_position;
use crate::notation::Game;
use crate::search::{Analysis, Budget, Prover};
use crate::state::Position;
use crate::types::{Action, Undecided};

/// A position in which only one action of the player to move avoids mate in N.
#[derive(Clone, Debug)]
pub struct OnlyDefence {
    /// A game that ends at the position.
    pub game: Game,
    /// N of the mate.
    pub mate_in: u32,
    /// The action that avoids it.
    pub action: Action,
    /// The number of legal actions that do not avoid it.
    pub losing: u64,
    /// The themes that it shows.
    pub themes: Vec<&'static str>,
}

/// The positions of a game in which only one legal action, of at least `least_actions`, avoids mate in
/// `mate_in`, each with the number of actions before it. Positions for which the budget does not suffice are
/// errors. `is_asked` selects the positions by their number. After `stop` there are no more.
pub fn only_defences<'g>(
    game: &'g Game,
    mate_in: u32,
    least_actions: u64,
    budget: Budget,
    is_asked: impl Fn(usize) -> bool + 'g,
    stop: Option<&'g AtomicBool>,
) -> impl Iterator<Item = (usize, Result<OnlyDefence, Undecided>)> + 'g {
    each(game, is_asked, stop, move |position, index| {
        let mut prover = Prover::new(budget).stopping_on(stop);
        let (surviving, losing) = Analysis::new(&mut prover, position, mate_in).surviving_actions(2)?;
        let [action] = &surviving[..] else { return Ok(None) };
        let (action, themes) = (action.clone(), themes(position, action));
        let find = || OnlyDefence { game: game.until(index), mate_in, action, losing, themes };
        Ok((losing + 1 >= least_actions).then(find))
    })
}

/// The themes of a surviving action.
fn themes(position: &Position, action: &Action) -> Vec<&'static str> {
    let mut themes = std::collections::BTreeSet::from(["only-defence"]);
    let mandatory: Vec<_> = position.mandatory_boards().collect();
    if action.moves().iter().any(|m| !mandatory.contains(&m.from.board)) {
        themes.insert("optional-board");
    }
    let after = played(position, action);
    if after.present() < position.present() {
        themes.insert("present-shift");
    }
    if !action.travels() && !after.is_in_check() {
        themes.insert("quiet");
    }
    of_position(position, &mut themes);
    themes.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn5d;

    #[test]
    fn one_action_alone_survives() {
        let text = "[Board \"custom\"]\n[Size \"4x4\"]\n[k3/2R1/4/K2R:0:1:b]\n";
        let game = pgn5d::parse(text).into_result().unwrap();
        let position = game.end();
        let found = only_defences(&game, 1, 1, Budget::steps(100_000), |_| true, None);
        let found: Vec<OnlyDefence> = found.map(|(_, found)| found.unwrap()).collect();
        let open = only_defences(&game, 1, 1, Budget::steps(1), |_| true, None);
        assert!(open.map(|(at, found)| (at, found.is_err())).eq([(0, true)]));
        let survives = |action: &Action| {
            let mut after = position.clone();
            after.play(action).unwrap();
            Prover::new(Budget::default()).mating_answer(&after, 1).unwrap().is_none()
        };
        let surviving: Vec<Action> = position.legal_actions().filter(survives).collect();
        match &found[..] {
            [] => assert_ne!(surviving.len(), 1),
            [one] => assert_eq!(surviving, std::slice::from_ref(&one.action)),
            _ => panic!("a game of one position has at most one"),
        }
    }
}
