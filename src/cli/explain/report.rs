//! The report of `explain`: all that is true of a puzzle, in the order in which it is told.

use serde::{Serialize, Serializer};

use crate::cli::json::Spent;
use worldlines::puzzle::Goal;
use worldlines::search::Cut;

/// The truth about a puzzle, found by the search and not taken from its file.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    pub schema: &'static str,
    pub puzzle: String,
    pub title: String,
    pub point: Option<String>,
    /// Whether the claim is true; `null` when the search ended before that was known.
    pub holds: Option<bool>,
    /// N of the claim.
    pub n: u32,
    /// The number of actions in which it mates at the soonest, whoever is mated.
    pub shortest: Option<u32>,
    /// The first actions that solve it, one of each class.
    pub keys: Told<Key>,
    /// Of a helpmate: its lines.
    pub lines: Told<Vec<String>>,
    /// Of a goal of the defender: actions that survive.
    pub survives: Told<String>,
    /// Why a line ends in mate.
    pub mate: Option<Mate>,
    /// The answers that there would be if the opponent were to move.
    pub set_play: Told<Met>,
    /// Actions that fail.
    pub fails: Told<Failed>,
    /// Whether a list is shorter than it could be: see `left_out`.
    pub cut: bool,
    /// The lists that lack something.
    pub left_out: Vec<LeftOut>,
    /// The reason why the search ended before it was known whether the claim is true.
    pub undecided: Option<Spent>,
    /// The numbers for the text of set play: the actions that are met, and all.
    #[serde(skip)]
    pub set_play_of: Option<(u64, u64)>,
    /// The numbers of actions that survive, and of all.
    #[serde(skip)]
    pub survive_of: Option<(u64, u64)>,
    #[serde(skip)]
    pub players: Players,
    #[serde(skip)]
    pub asks: Asked,
}

/// A list, and the reason why it may lack something. JSON has the list here and the reason under `left_out`.
pub struct Told<T> {
    pub items: Vec<T>,
    pub cut: Option<Cut>,
}

impl<T> Default for Told<T> {
    fn default() -> Told<T> {
        Told { items: Vec::new(), cut: None }
    }
}

impl<T: Serialize> Serialize for Told<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}

#[cfg(test)]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Told<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<T>::json_schema(generator)
    }
}

/// A list that lacks something.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// The list, in words.
    pub list: String,
    /// The number of entries beyond `--limit`, at least; `null` when the search ended.
    pub more: Option<u64>,
    /// The reason why the search ended.
    pub undecided: Option<Spent>,
}

/// A first action that solves the puzzle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Key {
    pub action: String,
    pub gives_check: bool,
    /// The number of further actions that differ from it only where it does not matter.
    pub others: usize,
    /// Whether there would be no mate in time if the opponent could pass; `null` where that is not asked.
    pub is_zugzwang: Option<bool>,
    /// Its threats.
    pub threats: Told<String>,
    /// The play after each action of the opponent.
    pub variations: Told<Met>,
}

/// An action of the opponent, and what it is met with.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Met {
    pub action: String,
    /// The number of actions in which it mates then; 0 if the action itself mates, as in a selfmate.
    pub mates_in: u32,
    /// One answer of each class.
    pub answers: Told<String>,
    /// Whether certificates of the answers were accepted; `null` where there are none, as in a selfmate.
    pub confirmed: Option<bool>,
    /// The play after each answer that does not mate at once.
    pub then: Vec<Then>,
}

/// An answer that does not mate at once, and what follows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Then {
    pub answer: String,
    pub variations: Told<Met>,
}

/// Why a player is mated.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mate {
    /// The line that ends in this mate, after the key or from the start.
    pub line: Vec<String>,
    /// Why nothing helps, in words.
    pub why: Vec<String>,
}

/// An action that fails.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failed {
    pub action: String,
    /// The number of replies that refute it, if that was counted.
    pub refutations: Option<u64>,
    /// One of them; `stalemate` or `mate` where the game is over.
    pub reply: String,
    /// All of them, as far as the list goes; only where they refute a try.
    pub replies: Told<String>,
    /// The number of actions in which the reply mates, where the goal is to survive.
    pub mates_in: Option<u32>,
}

/// The two players, by what the puzzle asks of them.
#[derive(Default)]
pub struct Players {
    pub solver: &'static str,
    pub opponent: &'static str,
}

/// The claim of a puzzle, for the words of the text.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Asked {
    #[default]
    Mate,
    NoMate,
    Survive,
    OnlyDefence,
    Helpmate,
    Selfmate,
}

impl Asked {
    /// The claim and its N; `None` for a puzzle that asks how the game stands.
    pub fn of(goal: &Goal) -> Option<(Asked, u32)> {
        let asked = match goal {
            Goal::MateIn(_) => Asked::Mate,
            Goal::NoMateIn(_) => Asked::NoMate,
            Goal::Survive(_) => Asked::Survive,
            Goal::OnlyDefence(_) => Asked::OnlyDefence,
            Goal::HelpmateIn(_) => Asked::Helpmate,
            Goal::SelfmateIn(_) => Asked::Selfmate,
            _ => return None,
        };
        Some((asked, goal.length()?))
    }
}

impl Failed {
    /// An action of which nothing else is known.
    pub fn of(action: String) -> Failed {
        Failed { action, refutations: None, reply: String::new(), replies: Told::default(), mates_in: None }
    }
}
