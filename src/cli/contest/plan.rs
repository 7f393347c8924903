//! The plan of a match: its engines, openings and games.

use super::super::exit::Failure;
use super::entrant::{Control, Entrant};
use worldlines::contest::{Conduct, Pace, Schedule, over};
use worldlines::host::{Player, Settings};
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
                return Err(Failure::new(format_args!("two engines have the name {name}; name=NAME gives another")));
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

    /// The headers of the time controls of a game between these engines.
    pub fn time_headers(&self, white: usize, black: usize) -> Vec<(String, String)> {
        let [of_white, of_black] = [white, black].map(|engine| self.engines[engine].control.header());
        if of_white == of_black {
            return vec![(of_white.0.to_owned(), of_white.1)];
        }
        vec![(format!("White{}", of_white.0), of_white.1), (format!("Black{}", of_black.0), of_black.1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_without_a_name_have_letters() {
        assert_eq!([0, 1, 25, 26].map(default_name), ["A", "B", "Z", "Engine 27"]);
    }
}
