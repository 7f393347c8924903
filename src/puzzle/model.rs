//! What a puzzle file says, field by field, before any rule of the game is asked.
//!
//! The doc comments of this file become the descriptions of `puzzles/schema.json`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::notation::Span;
use crate::types::Status;

/// The value of `schema` that this version reads.
pub const SCHEMA: &str = "worldlines/puzzle-1";
/// The nodes that the proofs of one puzzle may cost when the file does not say.
pub const DEFAULT_NODES: u64 = 1_000_000;

/// A value, and where it stands in its document.
#[derive(Clone, Debug)]
pub struct At<T> {
    /// What is written.
    pub value: T,
    /// Its bytes in the document. For a list or a mapping only the beginning counts.
    pub span: Span,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<At<T>, D::Error> {
        let spanned = serde_saphyr::Spanned::<T>::deserialize(deserializer)?;
        let span = spanned.defined.span();
        let start = span.byte_offset().unwrap_or(0) as usize;
        Ok(At { value: spanned.value, span: Span::new(start, start + span.byte_len().unwrap_or(0) as usize) })
    }
}

/// A puzzle for 5D Chess With Multiverse Time Travel.
#[derive(Clone, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Puzzle {
    /// The format of the file: `worldlines/puzzle-1`.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    pub schema: At<String>,
    /// The name of the puzzle: small letters, digits and hyphens. No two puzzles share one.
    #[cfg_attr(test, schemars(regex(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")))]
    pub id: At<String>,
    /// A line for people.
    pub title: At<String>,
    /// What the puzzle shows, in a sentence or two.
    pub point: Option<At<String>>,
    /// Where the position comes from.
    pub source: Source,
    /// Words of `puzzles/themes.toml`.
    #[serde(default)]
    #[cfg_attr(test, schemars(schema_with = "super::schema::theme_names"))]
    pub themes: Vec<At<String>>,
    /// The position to be solved.
    pub start: At<Start>,
    /// Rules that differ from the usual ones.
    #[serde(default)]
    pub rules: Rules,
    /// What is claimed.
    pub goal: At<Goal>,
    /// The solutions, one line of actions for each; every line ends in the goal. Its actions are the solver's and the
    /// opponent's in turn.
    #[serde(default)]
    pub solutions: Vec<At<Vec<At<String>>>>,
    /// Whether there is exactly one solution.
    pub unique: Option<At<bool>>,
    /// Actions that look right and are not, each with a reply that refutes it.
    pub tries: Option<At<Tries>>,
    /// For mates in two and more: the answer to each of the opponent's actions. Empty, or complete.
    #[serde(default)]
    pub replies: Vec<At<Reply>>,
    /// What the proofs may cost.
    #[serde(default)]
    pub budget: Budget,
}

/// Where a position comes from.
#[derive(Clone, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Source {
    /// A game, a book, a page, a person, or how it was found.
    pub from: At<String>,
    /// Who made it.
    pub author: Option<At<String>>,
    /// Where it can be read.
    pub url: Option<At<String>>,
}

/// A start position in one of four ways: `fen` with `size`, `variant`, `5dfen` or `5dpgn`. The first three may be
/// followed by `moves`.
#[derive(Clone, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Start {
    /// The size of every board, width by height: `8x8`.
    pub size: Option<At<String>>,
    /// Every board as 5DFEN, in quotes.
    pub fen: Option<Vec<At<String>>>,
    /// The name of an official variant, as `Standard` or `Misc - Timeline Invasion`.
    pub variant: Option<At<String>>,
    /// All boards as one block of 5DFEN lines.
    #[serde(rename = "5dfen")]
    pub fen_text: Option<At<String>>,
    /// A whole game as 5DPGN with its headers; the puzzle starts where it ends.
    #[serde(rename = "5dpgn")]
    pub pgn_text: Option<At<String>>,
    /// How the position came about from those boards, as 5DPGN.
    pub moves: Option<At<String>>,
}

/// Rules that differ from the usual ones.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rules {
    /// The name of the rule profile: `default` or `orthodox`, then switches that are turned on or off, as in
    /// `default +en-passant-onto-vacated`. See `spec/experiments.md`.
    pub profile: Option<At<String>>,
    /// What pawns and brawns may become, as capital letters.
    pub promotions: Option<At<Vec<At<String>>>>,
}

/// What is claimed about the position.
#[derive(Clone, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The player to move mates with the n-th own action at the latest, whatever the opponent does.
    MateIn(At<u32>),
    /// The player to move cannot force mate in n own actions.
    NoMateIn(At<u32>),
    /// How the game stands for the player to move.
    Status(At<StatusWord>),
}

/// How a game stands for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StatusWord {
    /// There is a legal action, and it is no softmate.
    Ongoing,
    /// In check, and every legal action moves the present to an earlier time.
    Softmate,
    /// In check without a legal action.
    Checkmate,
    /// Not in check, without a legal action.
    Stalemate,
}

impl StatusWord {
    /// The status that the word stands for.
    pub const fn status(self) -> Status {
        match self {
            StatusWord::Ongoing => Status::Ongoing,
            StatusWord::Softmate => Status::Softmate,
            StatusWord::Checkmate => Status::Checkmate,
            StatusWord::Stalemate => Status::Stalemate,
        }
    }
}

/// Wrong actions with their refutations.
#[derive(Clone, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tries {
    /// Whether the rows are a choice, or every legal action that is no solution.
    pub scope: Scope,
    /// The wrong action, and a reply after which the goal is out of reach.
    pub rows: Table,
}

/// Which wrong actions a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Every legal action that is no solution.
    All,
    /// Those that the author thinks worth refuting.
    Plausible,
}

/// What answers one action of the opponent.
#[derive(Clone, Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reply {
    /// The solution that this row follows. Only on the outermost rows, and only needed when there are several.
    pub key: Option<At<String>>,
    /// The opponent's action.
    #[serde(rename = "if")]
    pub defence: Option<At<String>>,
    /// A whole box of actions. Not in this version.
    #[cfg_attr(test, schemars(skip))]
    pub class: Option<At<serde::de::IgnoredAny>>,
    /// The action that answers it.
    pub answer: At<String>,
    /// What answers the opponent's next action, when the answer is not mate yet.
    #[serde(default)]
    pub replies: Vec<At<Reply>>,
}

/// What the proofs may cost.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// Positions that all proofs of this puzzle may look at together. 1000000 when left out.
    pub nodes: Option<At<u64>>,
}

/// Written instead of a reply: the wrong action leaves the opponent without a legal action, but not in check.
pub const STALEMATE: &str = "stalemate";

/// A mapping whose rows keep their order and their places.
#[derive(Clone, Debug, Default)]
pub struct Table(pub Vec<(At<String>, At<String>)>);

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Table, D::Error> {
        struct Rows(PhantomData<Table>);

        impl<'de> Visitor<'de> for Rows {
            type Value = Table;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping from actions to actions")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Table, A::Error> {
                let mut rows = Vec::new();
                while let Some(key) = map.next_key()? {
                    rows.push((key, map.next_value()?));
                }
                Ok(Table(rows))
            }
        }

        deserializer.deserialize_map(Rows(PhantomData))
    }
}
