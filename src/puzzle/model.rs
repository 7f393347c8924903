//! The content of a puzzle file, field by field, before it is checked against the rules of the game.
//!
//! The table of the fields is `grammar.rs`; a test holds it against these types.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};

use crate::notation::Span;
use crate::types::Status;

/// The value of `schema` that this version reads.
pub const SCHEMA: &str = "worldlines/puzzle-1";
/// The nodes that the proofs of one puzzle may cost when the file does not say.
pub const DEFAULT_NODES: u64 = 1_000_000;

/// A value, and where it stands in its document.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The value as it is written.
    pub value: T,
    /// Its bytes in the document. For a list or a mapping only the beginning counts.
    pub span: Span,
}

/// The name by which a value asks `deserialize.rs` for its place too.
pub(super) const SPANNED: &str = "worldlines::Spanned";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spanned<T>, D::Error> {
        struct Placed<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Placed<T> {
            type Value = Spanned<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value with its place")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Spanned<T>, A::Error> {
                let mut bound = || parts.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self));
                let (start, end) = (bound()?, bound()?);
                let value = parts.next_element()?.ok_or_else(|| de::Error::invalid_length(2, &self))?;
                Ok(Spanned { value, span: Span { start, end } })
            }
        }

        deserializer.deserialize_newtype_struct(SPANNED, Placed(PhantomData))
    }
}

/// A puzzle for 5D Chess With Multiverse Time Travel.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Puzzle {
    /// The format of the file: `worldlines/puzzle-1`.
    pub schema: Spanned<String>,
    /// The name of the puzzle: small letters, digits and hyphens. No two puzzles share one.
    pub id: Spanned<String>,
    /// A line for people.
    pub title: Spanned<String>,
    /// The idea of the puzzle, in a sentence or two.
    pub point: Option<Spanned<String>>,
    /// The place in a course.
    pub lesson: Option<Spanned<Lesson>>,
    /// The origin of the position.
    pub source: Source,
    /// Words of `puzzles/themes.toml`.
    #[serde(default)]
    pub themes: Vec<Spanned<String>>,
    // A puzzle and its twins share it, however long it is.
    /// The position to be solved.
    #[serde(deserialize_with = "shared")]
    pub start: Arc<Spanned<Start>>,
    /// Rules that differ from the usual ones.
    #[serde(default)]
    pub rules: Rules,
    /// The claim.
    pub goal: Spanned<Goal>,
    /// The solutions, one line of actions for each; every line ends in the goal. Its actions are the solver's and the
    /// opponent's in turn.
    #[serde(default)]
    pub solutions: Vec<Spanned<Vec<Spanned<String>>>>,
    /// Whether there is exactly one solution.
    pub unique: Option<Spanned<bool>>,
    /// Actions that look right and are not, each with a reply that refutes it.
    pub tries: Option<Spanned<Tries>>,
    /// For mates in two and more: the answer to each of the opponent's actions. Empty, or complete.
    #[serde(default)]
    pub replies: Vec<Spanned<Reply>>,
    /// The defences that have answers of several classes: the word `none`, or each of them with its answers.
    pub duals: Option<Spanned<Duals>>,
    /// Answers to the opponent's actions if it were the opponent's turn: lines that begin with such an action and
    /// end in mate.
    #[serde(default)]
    pub set_play: Vec<Spanned<Vec<Spanned<String>>>>,
    /// Twins: the same puzzle with a small change, each with solutions of its own. What a twin does not say is as in the puzzle.
    #[serde(default)]
    pub twins: Vec<Spanned<Twin>>,
    /// The changes of the start, in a puzzle that was read from a twin. No field of files.
    #[serde(skip)]
    pub changes: Vec<Spanned<Change>>,
    /// Hints for who solves it, at most three: the first says little, the last nearly all.
    #[serde(default)]
    pub hints: Vec<Spanned<String>>,
    /// The difficulty of solving it, from 1 to 5.
    pub difficulty: Option<Spanned<u32>>,
    /// When it was made or published: `2026`, `2026-11` or `2026-11-22`.
    pub date: Option<Spanned<String>>,
    /// Comments on single actions.
    #[serde(default)]
    pub comments: Vec<Spanned<Comment>>,
    /// The most that the proofs may cost.
    #[serde(default)]
    pub budget: Budget,
}

/// The place of a puzzle in a course.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The place in the order, from 1.
    pub number: Spanned<u32>,
    /// The part of the course.
    pub chapter: Spanned<String>,
    /// The text to read before the puzzle. The text to read after it is the `point`.
    pub text: Spanned<String>,
    /// The rule that it is about, as `R-2.4`.
    pub rule: Option<Spanned<String>>,
}

/// The same puzzle with a small change.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Twin {
    /// The end of its id, after the id of the puzzle and a hyphen: `b`.
    pub id: Spanned<String>,
    /// The changes of the position, one after another.
    pub change: Vec<Spanned<Change>>,
    /// Its idea.
    pub point: Option<Spanned<String>>,
    /// Its claim, if that is another one.
    pub goal: Option<Spanned<Goal>>,
    /// Its solutions.
    #[serde(default)]
    pub solutions: Vec<Spanned<Vec<Spanned<String>>>>,
    /// Whether there is exactly one.
    pub unique: Option<Spanned<bool>>,
}

/// A change of the position of a twin. Boards are those on which the player to move may move.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The piece that stands here is taken off: `(0T1)a2`.
    Remove(Spanned<String>),
    /// This piece stands here, whatever did: `N(0T1)a2`, White's in capitals.
    Put(Spanned<String>),
    /// The piece on the first square stands on the second: `(0T1)a2b3`.
    Move(Spanned<String>),
    /// The player to move: if that is the other one, each board is one half-turn later.
    ToMove(Spanned<Mover>),
}

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mover {
    /// White.
    White,
    /// Black.
    Black,
}

impl Puzzle {
    /// The puzzle that a twin is. It takes as long as the twin, whatever else the puzzle holds: parts that may be long are shared.
    pub(super) fn of_twin(&self, twin: &Twin) -> Puzzle {
        let suffix = &twin.id.value;
        let id = Spanned { value: format!("{}-{suffix}", self.id.value), span: twin.id.span };
        let title = Spanned { value: format!("{} ({suffix})", self.title.value), span: self.title.span };
        Puzzle {
            schema: self.schema.clone(),
            id,
            title,
            point: twin.point.clone().or_else(|| self.point.clone()),
            // A twin is no lesson of its own.
            lesson: None,
            source: self.source.clone(),
            themes: self.themes.clone(),
            start: Arc::clone(&self.start),
            rules: self.rules.clone(),
            goal: twin.goal.clone().unwrap_or_else(|| self.goal.clone()),
            solutions: twin.solutions.clone(),
            unique: twin.unique.clone(),
            changes: twin.change.clone(),
            twins: Vec::new(),
            // Statements about the actions of the puzzle are not about those of the twin.
            tries: None,
            replies: Vec::new(),
            duals: None,
            set_play: Vec::new(),
            hints: Vec::new(),
            comments: Vec::new(),
            difficulty: self.difficulty.clone(),
            date: self.date.clone(),
            budget: self.budget.clone(),
        }
    }
}

fn shared<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<T>, D::Error> {
    T::deserialize(deserializer).map(Arc::new)
}

/// Something that is said of an action.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Comment {
    /// The actions from the start up to this one.
    pub after: Vec<Spanned<String>>,
    /// The words of the comment.
    pub text: Spanned<String>,
}

/// The origin of a position.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Source {
    /// A game, a book, a page, a person, or how it was found.
    pub from: Spanned<String>,
    /// Who made it.
    pub author: Option<Spanned<String>>,
    /// The address at which it can be read.
    pub url: Option<Spanned<String>>,
}

/// A start position in one of five ways: `fen` with `size`, `variant`, `5dfen`, `5dpgn`, or `text` with its
/// `notation`. All but `5dpgn` may be followed by `moves`.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Start {
    /// The size of every board, width by height: `8x8`.
    pub size: Option<Spanned<String>>,
    /// Every board as 5DFEN, in quotes.
    pub fen: Option<Vec<Spanned<String>>>,
    /// The name of an official variant, as `Standard` or `Misc - Timeline Invasion`.
    pub variant: Option<Spanned<String>>,
    /// All boards as one block of 5DFEN lines. Headers of 5DPGN may stand before them, or name them alone.
    #[serde(rename = "5dfen")]
    pub fen_text: Option<Spanned<String>>,
    /// A whole game as 5DPGN with its headers; the puzzle starts where it ends.
    #[serde(rename = "5dpgn")]
    pub pgn_text: Option<Spanned<String>>,
    /// The name of the notation of `text`.
    pub notation: Option<Spanned<String>>,
    /// A position or a game in that notation; the puzzle starts where it ends.
    pub text: Option<Spanned<String>>,
    /// The actions that lead from those boards to the position, as 5DPGN.
    pub moves: Option<Spanned<String>>,
}

impl Start {
    /// The text that says everything about the position, in whatever notation.
    pub(super) fn whole_text(&self) -> Option<&Spanned<String>> {
        self.pgn_text.as_ref().or(self.fen_text.as_ref()).or(self.text.as_ref())
    }

    /// Whether the start is a game of 5DPGN, which has its own moves and rules.
    pub(super) fn is_5dpgn(&self) -> bool {
        self.pgn_text.is_some() || self.notation.as_ref().is_some_and(|name| name.value == "5dpgn")
    }
}

/// Rules that differ from the usual ones.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rules {
    /// The name of the rule profile: `default` or `orthodox`, then switches that are turned on or off, as in
    /// `default +en-passant-onto-vacated`. See `spec/experiments.md`.
    pub profile: Option<Spanned<String>>,
    /// The kinds that pawns and brawns may become, as capital letters.
    pub promotions: Option<Spanned<Vec<Spanned<String>>>>,
}

/// The claim about the position.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Goal {
    /// The player to move mates with the n-th own action at the latest, whatever the opponent does.
    MateIn(Spanned<u32>),
    /// The player to move cannot force mate in n own actions.
    NoMateIn(Spanned<u32>),
    /// The state of the game for the player to move.
    Status(Spanned<StatusWord>),
    /// The player to move has an action after which the opponent cannot force mate in n.
    Survive(Spanned<u32>),
    /// The player to move has exactly one action after which the opponent cannot force mate in n.
    OnlyDefence(Spanned<u32>),
    /// Both players play for it: the player to move begins, and is mated by the opponent's n-th action.
    HelpmateIn(Spanned<u32>),
    /// The player to move forces the opponent to mate him with the n-th reply at the latest, whatever the opponent chooses.
    SelfmateIn(Spanned<u32>),
}

impl Goal {
    /// The name of the goal in files.
    pub const fn name(&self) -> &'static str {
        match self {
            Goal::MateIn(_) => "mate-in",
            Goal::NoMateIn(_) => "no-mate-in",
            Goal::Status(_) => "status",
            Goal::Survive(_) => "survive",
            Goal::OnlyDefence(_) => "only-defence",
            Goal::HelpmateIn(_) => "helpmate-in",
            Goal::SelfmateIn(_) => "selfmate-in",
        }
    }

    /// Whether the player to move looks for a defence.
    pub(super) const fn is_defence(&self) -> bool {
        matches!(self, Goal::Survive(_) | Goal::OnlyDefence(_))
    }

    /// N of the goal; `None` where it says how the game stands.
    pub fn length(&self) -> Option<u32> {
        self.count().map(|n| n.value)
    }

    /// N of the goal as it is written.
    pub(super) fn count(&self) -> Option<&Spanned<u32>> {
        match self {
            Goal::MateIn(n) | Goal::NoMateIn(n) | Goal::Survive(n) | Goal::OnlyDefence(n) => Some(n),
            Goal::HelpmateIn(n) | Goal::SelfmateIn(n) => Some(n),
            Goal::Status(_) => None,
        }
    }
}

/// The state of a game for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
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
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tries {
    /// Whether the rows are a choice, or every legal action that is no solution.
    pub scope: Scope,
    /// A wrong action, and what refutes it.
    #[serde(default)]
    pub rows: Rows<Refutation>,
    /// Many wrong actions, and what refutes each of them.
    #[serde(default)]
    pub classes: Vec<Spanned<TryClass>>,
    /// Replies to every wrong action that no row and no class is about: the first of them that is legal refutes it. The word
    /// `stalemate` stands for all of them that stalemate.
    #[serde(default)]
    pub otherwise: Vec<Spanned<String>>,
}

impl Tries {
    /// Whether there are only actions with a reply that can be played: no classes, no stalemates, and no numbers of replies.
    pub(super) fn names_every_reply(&self) -> bool {
        let is_named = |row: &Refutation| row.reply.value != STALEMATE && row.refutations.is_none();
        let rows_name_it = self.rows.0.iter().all(|(_, row)| is_named(row));
        rows_name_it && self.classes.is_empty() && self.otherwise.is_empty()
    }
}

/// The refutation of a wrong action: a reply after which the goal is out of reach, or the word `stalemate`.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The reply.
    pub reply: Spanned<String>,
    /// The number of replies that refute.
    pub refutations: Option<Spanned<u64>>,
}

impl<'de> Deserialize<'de> for Refutation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Refutation, D::Error> {
        let Spanned { value, span } = Spanned::deserialize(deserializer)?;
        Ok(match value {
            WordOr::Word(reply) => Refutation { reply: Spanned { value: reply, span }, refutations: None },
            WordOr::Other(Counted { reply, refutations }) => Refutation { reply, refutations },
        })
    }
}

/// A text, or a list or mapping in its place.
enum WordOr<T> {
    Word(String),
    Other(T),
}

impl<T> WordOr<T> {
    /// The word, which is the only one that may stand here, or the other value.
    fn word<V, E: de::Error>(self, word: &str, value: V, other: impl FnOnce(T) -> V) -> Result<V, E> {
        match self {
            WordOr::Word(text) if text == word => Ok(value),
            WordOr::Word(text) => Err(E::invalid_value(Unexpected::Str(&text), &word)),
            WordOr::Other(written) => Ok(other(written)),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for WordOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WordOr<T>, D::Error> {
        struct Forms<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Forms<T> {
            type Value = WordOr<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text, a list or fields")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<WordOr<T>, E> {
                Ok(WordOr::Word(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<WordOr<T>, A::Error> {
                T::deserialize(SeqAccessDeserializer::new(list)).map(WordOr::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WordOr<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(WordOr::Other)
            }
        }

        deserializer.deserialize_any(Forms(PhantomData))
    }
}

/// A reply, and how many refute.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counted {
    /// A reply that refutes the action.
    reply: Spanned<String>,
    /// The number of replies that refute it.
    refutations: Option<Spanned<u64>>,
}

/// Many wrong actions, and what refutes each of them.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TryClass {
    /// The wrong actions.
    pub class: Spanned<ClassText>,
    /// A reply that refutes each of them, or the word `stalemate`.
    pub reply: Spanned<String>,
}

/// The wrong actions that a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Every legal action that is no solution.
    All,
    /// Those worth refuting: some of the checks, captures and threats, and whatever the author thinks of.
    Plausible,
}

/// The answer to an action of the opponent: a row with one of `if`, `class` and `otherwise`.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reply {
    /// The solution that this row follows. Only on the outermost rows, and only needed when there are several.
    pub key: Option<Spanned<String>>,
    /// The opponent's action.
    #[serde(rename = "if")]
    pub defence: Option<Spanned<String>>,
    /// Many actions of the opponent.
    pub class: Option<Spanned<ClassText>>,
    /// Every action of the opponent that no other row of the list is about. Written `true`, in the last row.
    pub otherwise: Option<Spanned<bool>>,
    /// The action that answers it.
    pub answer: Spanned<String>,
    /// Wrong answers to the opponent's action, each with a reply that refutes it.
    pub tries: Option<Spanned<Tries>>,
    /// The answers to the opponent's next action, when this answer is not mate yet.
    #[serde(default)]
    pub replies: Vec<Spanned<Reply>>,
}

/// The defences that have answers of several classes.
#[derive(Clone, Debug)]
pub enum Duals {
    /// None has: the word `none`.
    None,
    /// These.
    Listed(Vec<Spanned<Dual>>),
}

/// A defence with answers of several classes.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dual {
    /// The actions from the start up to the defence.
    pub after: Vec<Spanned<String>>,
    /// One action of each class that mates as soon as possible.
    pub answers: Vec<Spanned<String>>,
}

/// Written when no defence has answers of several classes.
pub const NONE: &str = "none";

impl<'de> Deserialize<'de> for Duals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Duals, D::Error> {
        WordOr::deserialize(deserializer)?.word(NONE, Duals::None, Duals::Listed)
    }
}

/// Boards of the player to move, each with the moves that may start on it. On other boards anything may.
pub type ClassText = Rows<Starts>;

/// The moves that may start on a board.
#[derive(Clone, Debug)]
pub enum Starts {
    /// Anything: the word `any`.
    Any,
    /// One of these moves, written without the board; or none, written `pass`.
    Listed(Vec<Spanned<String>>),
}

/// Written for a board on which anything may start.
pub const ANY: &str = "any";
/// Written among moves: none of them starts on the board.
pub const PASS: &str = "pass";

impl<'de> Deserialize<'de> for Starts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Starts, D::Error> {
        WordOr::deserialize(deserializer)?.word(ANY, Starts::Any, Starts::Listed)
    }
}

/// The most that the proofs may cost.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// Positions that all proofs of this puzzle may look at together. 1000000 when left out.
    pub nodes: Option<Spanned<u64>>,
}

/// Written instead of a reply: the wrong action leaves the opponent without a legal action, but not in check.
pub const STALEMATE: &str = "stalemate";

/// A mapping whose rows keep their order and their places.
#[derive(Clone, Debug)]
pub struct Rows<T>(pub Vec<(Spanned<String>, T)>);

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rows<T>, D::Error> {
        struct Pairs<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Pairs<T> {
            type Value = Rows<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rows<T>, A::Error> {
                let mut rows = Vec::new();
                while let Some(key) = map.next_key()? {
                    rows.push((key, map.next_value()?));
                }
                Ok(Rows(rows))
            }
        }

        deserializer.deserialize_map(Pairs(PhantomData))
    }
}
