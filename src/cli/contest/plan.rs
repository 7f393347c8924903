//! The plan of a match: its engines, openings and games.

use super::super::exit::Failure;
use super::entrant::{Control, Entrant};
use worldlines::contest::{Conduct, Fixture, Pace, Proof, Schedule, Sprt, over};
use worldlines::host::{Limits, Player, Settings};
use worldlines::notation::{Game, printable};

/// An engine of a match.
pub struct Engine {
    pub name: String,
    pub command: String,
    pub settings: Settings,
    pub control: Control,
    pub nodes: Option<u64>,
}

/// The plan of a match.
pub struct Plan {
    pub engines: Vec<Engine>,
    pub schedule: Schedule,
    /// The openings, in the order in which rounds use them; at least one.
    pub openings: Vec<Game>,
    pub conduct: Conduct,
    /// The sequential test that ends the match.
    pub sprt: Option<Sprt>,
}

impl Engine {
    /// The engine of the command line with this index, with the settings of all engines where it has none of its own.
    pub fn new(index: usize, entrant: Entrant, control: Control, nodes: Option<u64>) -> Engine {
        let Entrant { command, options, whole_actions, .. } = entrant;
        Engine {
            name: entrant.name.unwrap_or_else(|| default_name(index)),
            command,
            settings: Settings { options, whole_actions, ..Settings::default() },
            control: entrant.time.unwrap_or(control),
            nodes: entrant.nodes.or(nodes),
        }
    }

    pub fn pace(&self) -> Pace {
        Pace { time: self.control.time(), nodes: self.nodes }
    }

    /// The settings on which its play depends, by the names of their headers.
    fn own_settings(&self) -> Vec<(&'static str, String)> {
        let options = self.settings.options.iter().map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        });
        let options = printable(&options.collect::<Vec<_>>().join(", ")).replace('"', "'");
        let nodes = self.nodes.map(|nodes| ("Nodes", nodes.to_string()));
        let options = (!options.is_empty()).then_some(("Options", options));
        [Some(self.control.header()), nodes, options].into_iter().flatten().collect()
    }

    pub fn player(&self) -> Result<Player, Failure> {
        Player::new(&self.command, &self.settings).map_err(|error| {
            Failure::new(format_args!("{}: {}", printable(&self.name), printable(&error.to_string())))
        })
    }
}

/// `A` for the first engine, and so on.
fn default_name(index: usize) -> String {
    let letter = u8::try_from(index).ok().filter(|index| *index < 26).map(|index| char::from(b'A' + index));
    letter.map_or_else(|| format!("Engine {}", index + 1), String::from)
}

impl Plan {
    /// Refuses a match whose games cannot be told apart, or not be played.
    pub fn check(&self) -> Result<(), Failure> {
        for (index, engine) in self.engines.iter().enumerate() {
            if self.engines[..index].iter().any(|other| other.name == engine.name) {
                let name = printable(&engine.name);
                return Err(Failure::new(format_args!(
                    "two engines have the name {name}; name=NAME gives another"
                )));
            }
        }
        for (index, opening) in self.openings.iter().enumerate() {
            if let Some((_, ending)) = over(&opening.end()) {
                let (number, actions) = (index + 1, opening.actions.len());
                return Err(Failure::new(format_args!(
                    "opening {number} leaves nothing to play after {actions} actions: {ending}; --opening-actions uses only the first actions of each game"
                )));
            }
        }
        Ok(())
    }

    /// The opening of a round.
    pub fn opening(&self, round: usize) -> &Game {
        &self.openings[round % self.openings.len()]
    }

    /// The settings with which a game of this round between these engines is played, as its headers have them.
    pub fn settings(&self, Fixture { white, black, .. }: Fixture) -> Vec<(String, String)> {
        let [of_white, of_black] = [white, black].map(|engine| self.engines[engine].own_settings());
        let (shared, own_of_white): (Vec<_>, Vec<_>) =
            of_white.into_iter().partition(|setting| of_black.contains(setting));
        let own_of_black = of_black.into_iter().filter(|setting| !shared.contains(setting)).collect();
        let named = |side: &str, settings: Vec<(&str, String)>| -> Vec<(String, String)> {
            settings.into_iter().map(|(key, value)| (format!("{side}{key}"), value)).collect()
        };
        let own = [named("White", own_of_white), named("Black", own_of_black)].concat();
        [named("", shared), own, named("", self.common_settings())].concat()
    }

    /// The settings of every game.
    fn common_settings(&self) -> Vec<(&'static str, String)> {
        let Conduct { most_actions, proof, resign, draw } = self.conduct;
        let steps = |proof: Proof| proof.budget.steps.to_string();
        let settings = [
            ("MostActions", Some(most_actions.to_string())),
            ("Adjudicate", proof.map(|proof| proof.mate_in.to_string())),
            ("Budget", proof.map(steps)),
            ("Resign", resign.map(|resign| resign.to_string())),
            ("Draw", draw.map(|draw| draw.to_string())),
        ];
        settings.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }

    /// Refuses an engine whose scores are needed and that gives none after an opening, where it has a choice.
    pub fn refuse_silent_engines(&self) -> Result<(), Failure> {
        let has_choice = |opening: &&Game| opening.end().legal_actions().take(2).count() == 2;
        let needs_scores = self.conduct.resign.is_some() || self.conduct.draw.is_some();
        let Some(opening) = self.openings.iter().filter(|_| needs_scores).find(has_choice) else {
            return Ok(());
        };
        for engine in &self.engines {
            let Pace { time, nodes } = engine.pace();
            let limits = Limits { time: time.for_action(time.at_first()), nodes, mate: None };
            // An engine that has no action at all loses its games.
            let turn = engine.player()?.turn(opening, limits);
            if turn.is_ok_and(|turn| turn.score.is_none()) {
                let name = printable(&engine.name);
                return Err(Failure::new(format_args!(
                    "{name} gives no score with its action, and --resign and --draw go by the scores of all engines"
                )));
            }
        }
        Ok(())
    }
}

/// Whether a header of a game is about the settings with which it was played.
pub fn is_setting(key: &str) -> bool {
    let of_engine = key.strip_prefix("White").or_else(|| key.strip_prefix("Black")).unwrap_or(key);
    OF_ENGINE.contains(&of_engine) || OF_ALL.contains(&key)
}

/// The headers of settings that players can have of their own.
const OF_ENGINE: [&str; 4] = ["TimePerAction", "TimeControl", "Nodes", "Options"];
/// The headers of settings that both players have.
const OF_ALL: [&str; 5] = ["MostActions", "Adjudicate", "Budget", "Resign", "Draw"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_without_a_name_have_letters() {
        assert_eq!([0, 1, 25, 26].map(default_name), ["A", "B", "Z", "Engine 27"]);
    }
}
