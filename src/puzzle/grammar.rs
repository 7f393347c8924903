//! The fields of puzzle files and certificates: one table, from which everything that speaks of fields is derived.
//!
//! `shape.rs` compares files with it, `check.rs` asks which goals have a field, `fmt` and `--fix` take the order from it, and
//! `schema.rs` writes `puzzles/schema.json` and the tables of `spec/puzzle-files.md`. A test there holds it against `model.rs`.

use super::model::{ANY, NONE, PASS, SCHEMA, STALEMATE};

/// The kind of a value.
#[derive(Debug)]
pub(super) enum Kind {
    /// Words for people, in double quotes by `fmt`.
    Prose,
    /// One of these words, or a word of the author's own if there are none. Without quotes by `fmt`, where it needs none.
    Word(&'static [&'static str]),
    /// Text that may be written in any way.
    Text,
    /// Moves or boards as a block or in quotes: a comment behind plain text may be the mate sign of the last move.
    Notation,
    /// An action, a move, a board or 5DFEN, which needs quotes; or one of these words, which does not.
    Quoted(&'static [&'static str]),
    /// A number in decimal digits.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A list of such values.
    List(&'static Kind),
    /// Texts in quotes, each with such a value.
    Rows(&'static Kind),
    /// These fields, in canonical order.
    Fields(&'static [Field]),
    /// One of these fields.
    OneOf(&'static [Field]),
    /// A scalar of the first kind, or a list or mapping of the second.
    Or(&'static Kind, &'static Kind),
}

/// A field of a mapping.
#[derive(Debug)]
pub(super) struct Field {
    pub name: &'static str,
    pub kind: &'static Kind,
    pub is_needed: bool,
    /// The goals that allow it; none if all do.
    pub goals: &'static [&'static str],
    /// A way to write it.
    pub example: &'static str,
    /// A sentence about it, as Markdown without a full stop.
    pub says: &'static str,
}

/// The fields of a mapping, each with its name, kind, example, the goals that allow it, and the sentence.
macro_rules! fields {
    ($form:ident; $($need:ident $name:literal: $kind:expr, $example:literal $(, only $goals:ident)?, $says:literal;)*) => {
        Kind::$form(&[$(Field {
            name: $name,
            kind: &$kind,
            is_needed: fields!($need),
            goals: fields!(@ $($goals)?),
            example: $example,
            says: $says,
        }),*])
    };
    (@) => { &[] };
    (@ $goals:ident) => { $goals };
    (needed) => { true };
    (optional) => { false };
}

impl Kind {
    /// The fields of a mapping of this kind.
    pub fn fields(&self) -> &'static [Field] {
        match self {
            Kind::Fields(fields) | Kind::OneOf(fields) => fields,
            Kind::Or(_, other) => other.fields(),
            _ => &[],
        }
    }

    /// The place of a field in canonical order.
    pub fn rank(&self, name: &str) -> Option<usize> {
        self.fields().iter().position(|field| field.name == name)
    }

    /// The kind of the value of a field or row. A field that is not known may hold anything.
    pub fn under(&self, name: &str) -> &'static Kind {
        match self {
            Kind::Rows(inner) => inner,
            Kind::Or(_, other) => other.under(name),
            _ => self.rank(name).map_or(&Kind::Text, |rank| self.fields()[rank].kind),
        }
    }

    /// The kind of the items of a list.
    pub fn item(&self) -> &'static Kind {
        match self {
            Kind::List(inner) => inner,
            Kind::Or(_, other) => other.item(),
            _ => &Kind::Text,
        }
    }
}

/// The fields of a puzzle that come before one of this name, the nearest first.
pub(super) fn fields_before(name: &str) -> impl Iterator<Item = &'static str> {
    let fields = PUZZLE.fields();
    let place = PUZZLE.rank(name).unwrap_or(fields.len());
    fields[..place].iter().rev().map(|field| field.name)
}

/// The fields of a puzzle that not every goal allows, but this one does.
pub(super) fn fields_of_goal(goal: &str) -> impl Iterator<Item = &'static str> {
    PUZZLE.fields().iter().filter(move |field| field.goals.contains(&goal)).map(|field| field.name)
}

/// Fields of earlier versions, each with a hint for who still writes it.
pub(super) const DROPPED: [(&str, &str); 2] = [
    ("award", "write the honour into `point`, or into a comment of YAML"),
    ("texts", "a translation is a puzzle file of its own"),
];

static WORD: Kind = Kind::Word(&[]);
static TEXTS: Kind = Kind::List(&Kind::Text);
static QUOTED: Kind = Kind::Quoted(&[]);
static ACTIONS: Kind = Kind::List(&QUOTED);
static LINES: Kind = Kind::List(&ACTIONS);
pub(super) static CLASS: Kind =
    Kind::Rows(&Kind::Or(&Kind::Word(&[ANY]), &Kind::List(&Kind::Quoted(&[PASS]))));
static REFUTATION: Kind = Kind::Quoted(&[STALEMATE]);
static REPLIES: Kind = Kind::List(&REPLY);

const MATE: &[&str] = &["mate-in"];
const TRIED: &[&str] = &["mate-in", "no-mate-in", "survive", "only-defence"];
const SOLVED: &[&str] = &["mate-in", "survive", "only-defence", "helpmate-in", "selfmate-in"];
const COUNTED: &[&str] = &["mate-in", "survive", "helpmate-in", "selfmate-in"];

/// A puzzle.
pub(super) static PUZZLE: Kind = fields! { Fields;
    needed "schema": Kind::Word(&[SCHEMA]), "schema: worldlines/puzzle-1", "the format and its version";
    needed "id": WORD, "id: rook-tactics-4",
        "the name of the puzzle: small letters, digits and single hyphens, at most 80 characters; no two puzzles that are verified together may have the same";
    needed "title": Kind::Prose, "title: Two rooks on the edge", "a line for human readers";
    optional "point": Kind::Prose, "point: Only the quiet move mates.",
        "the idea that the puzzle shows, in a sentence or two";
    optional "lesson": LESSON, r#"lesson: { number: 7, chapter: "Through time", text: "A rook may also go back." }"#,
        "the place of the puzzle in a course, and the text to read before it; its `point` is read after it";
    needed "source": SOURCE, r#"source: { from: "made for this page" }"#, "the place that the position comes from";
    optional "date": Kind::Text, "date: 2026-11-22", "the day, month or year when it was made or published";
    optional "themes": Kind::List(&WORD), "themes: [rook, two-timelines]",
        "words of `puzzles/themes.toml`, each once";
    optional "difficulty": Kind::Number, "difficulty: 3", "a number from 1, easy, to 5, hard";
    needed "start": START, r#"start: { size: 4x4, fen: ["[r2k/4/4/P2K:0:1:w]"] }"#, "the position";
    optional "rules": RULES, "rules: { promotions: [Q, N] }", "rules that differ from the usual ones";
    needed "goal": GOAL, "goal: { mate-in: 2 }", "the claim";
    optional "solutions": LINES, r#"solutions: [["(0T1)Rb3c3", "(0T1)Kc1b1", "(0T2)Rd3d1#"]]"#, only SOLVED,
        "a list of lines, each a list of actions; needed for every goal that has it";
    optional "unique": Kind::Boolean, "unique: true", only COUNTED, "whether there is exactly one solution";
    optional "tries": TRIES, r#"tries: { scope: plausible, rows: { "(0T1)Kd4d3": "(0T1)Kd1c1" } }"#, only TRIED,
        "wrong first actions, each with a reply that refutes it";
    optional "replies": REPLIES, r#"replies: [{ if: "(0T1)Kc1b1", answer: "(0T2)Rd3d1" }]"#, only MATE,
        "answers to every defence, for mates in two and more";
    optional "duals": Kind::Or(&Kind::Word(&[NONE]), &Kind::List(&DUAL)), "duals: none", only MATE,
        "the defences with answers of several classes, or the word `none`; for mates in two and more";
    optional "set-play": LINES, r#"set-play: [["(0T1)Kc1b1", "(0T2)Rd3d1#"]]"#, only MATE,
        "lines that begin with the opponent, as if the solver could pass; for mates in two and more";
    optional "twins": Kind::List(&TWIN), r#"twins: [{ id: b, change: [{ remove: "(0T1)a2" }], solutions: [["(0T1)Rd3d1"]] }]"#,
        "the same puzzle with a small change, once or several times";
    optional "hints": Kind::List(&Kind::Prose), r#"hints: ["Look at the board of yesterday."]"#,
        "at most three hints; the first says little, the last nearly all";
    optional "comments": Kind::List(&COMMENT), r#"comments: [{ after: ["(0T1)Rb3c3"], text: The rook waits. }]"#,
        "remarks about single actions";
    optional "budget": BUDGET, "budget: { nodes: 200000 }", "the cost that the proofs may have";
};

pub(super) static SOURCE: Kind = fields! { Fields;
    needed "from": Kind::Prose, r#"from: "a game of 2021""#,
        "a game, a book, a page, a person, or the way it was found";
    optional "author": Kind::Prose, "author: somebody", "the person who made it";
    optional "url": Kind::Prose, "url: https://example.org", "the page where it can be read";
};

pub(super) static LESSON: Kind = fields! { Fields;
    needed "number": Kind::Number, "number: 7", "the place in the course; lessons are read in the order of their numbers";
    needed "chapter": Kind::Prose, r#"chapter: "Through time""#, "the part of the course; lessons with the same one stand together";
    needed "text": Kind::Prose, r#"text: "A rook may also go back in time.""#, "the one thing that the lesson teaches";
    optional "rule": WORD, "rule: R-2.4", "the rule of the chapters of `spec/` that the lesson is about";
};

/// The notations of a start: all that are text.
pub(super) const NOTATIONS: &[&str] = &[
    "5dfen",
    "5dpgn",
    "5duci",
    "chess64",
    "chessjs",
    "chessjs-json",
    "chessjs-short",
    "fen",
    "gui-fen",
    "hexicube",
    "pgn",
    "raw",
    "simplified",
    "tn",
    "variants-json",
];

pub(super) static START: Kind = fields! { Fields;
    optional "size": Kind::Text, "size: 8x8", "the size of every board, width by height; with `fen` or `5dfen`";
    optional "fen": ACTIONS, r#"fen: ["[r2k/4/4/P2K:0:1:w]"]"#, "the boards, one 5DFEN in each string";
    optional "variant": Kind::Prose, "variant: Standard - Turn Zero", "a start position by its name";
    optional "5dfen": Kind::Notation, r#"5dfen: "[r2k/4/4/P2K:0:1:w]""#,
        "all boards as a block of text with a line for each; headers such as `[Size \"4x4\"]` may stand before them, and `[Board \"NAME\"]` names those of a variant";
    optional "5dpgn": Kind::Notation, r#"5dpgn: "1. e3 / f6""#,
        "a whole game with its headers; the puzzle starts where it ends";
    optional "notation": Kind::Word(NOTATIONS), "notation: gui-fen", "the notation of `text`, by its name";
    optional "text": Kind::Notation, r#"text: "4;4;1;0;w;F\nr2k/4/4/P2K;;-;w1;0;""#,
        "a position or a game in that `notation`; the puzzle starts where it ends";
    optional "moves": Kind::Notation, r#"moves: "1. e3 / f6""#,
        "the actions that lead from those boards to the position, as 5DPGN without headers; not with `5dpgn`";
};

pub(super) static RULES: Kind = fields! { Fields;
    optional "profile": WORD, "profile: default +en-passant-onto-vacated",
        "the rule profile: `default` or `orthodox`, then switches that are turned on or off";
    optional "promotions": TEXTS, r#"promotions: [Q, "N"]"#,
        "the pieces that pawns and brawns may become, as capital letters; only a queen when left out";
};

pub(super) static GOAL: Kind = fields! { OneOf;
    optional "mate-in": Kind::Number, "mate-in: 2",
        "whatever the opponent does, the solver can mate with the solver's N-th action or earlier, and cannot force mate in fewer than N";
    optional "no-mate-in": Kind::Number, "no-mate-in: 2", "the solver cannot force mate in N";
    optional "status": Kind::Word(&["ongoing", "softmate", "checkmate", "stalemate"]), "status: checkmate",
        "the start itself is `checkmate`, `stalemate`, `softmate` or `ongoing` for the player to move";
    optional "survive": Kind::Number, "survive: 1",
        "the solver has an action after which the opponent cannot force mate in N";
    optional "only-defence": Kind::Number, "only-defence: 1",
        "the solver has exactly one action after which the opponent cannot force mate in N";
    optional "helpmate-in": Kind::Number, "helpmate-in: 2",
        "both players play for it: the solver begins, and is mated by the opponent's N-th action; there is no such line with fewer actions";
    optional "selfmate-in": Kind::Number, "selfmate-in: 2",
        "whatever the opponent does, the opponent has to mate the solver with the N-th reply or sooner, and the solver cannot force that in fewer than N";
};

pub(super) static TRIES: Kind = fields! { Fields;
    needed "scope": Kind::Word(&["all", "plausible"]), "scope: all",
        "`all` if every wrong action has a reply, `plausible` if the rows are a choice";
    optional "rows": Kind::Rows(&Kind::Or(&REFUTATION, &COUNTED_REFUTATION)), r#"rows: { "(0T1)Kd4d3": "(0T1)Kd1c1" }"#,
        "wrong actions, each with a reply that refutes it or with the word `stalemate`";
    optional "classes": Kind::List(&TRY_CLASS), r#"classes: [{ class: { "(0T1)": any }, reply: "(0T1)Kd1c1" }]"#,
        "many wrong actions at once";
    optional "otherwise": Kind::List(&REFUTATION), r#"otherwise: ["(0T1)Kd1c1"]"#,
        "replies to all other wrong actions, with `scope: all`: the first that is legal refutes";
};

pub(super) static COUNTED_REFUTATION: Kind = fields! { Fields;
    needed "reply": REFUTATION, r#"reply: "(0T1)Kd1c1""#, "a reply that refutes, or the word `stalemate`";
    optional "refutations": Kind::Number, "refutations: 3", "the number of replies that refute";
};

pub(super) static TRY_CLASS: Kind = fields! { Fields;
    needed "class": CLASS, r#"class: { "(0T1)": ["a2a3", pass], "(1T1)": any }"#, "the wrong actions";
    needed "reply": REFUTATION, r#"reply: "(0T1)Kd1c1""#,
        "a reply that refutes each of them, or the word `stalemate`";
};

pub(super) static REPLY: Kind = fields! { Fields;
    optional "key": QUOTED, r#"key: "(0T1)Rb3c3""#,
        "the solution that the row follows: in the outermost rows, if there are several solutions";
    optional "if": QUOTED, r#"if: "(0T1)Kc1b1""#, "the action that it answers";
    optional "class": CLASS, r#"class: { "(0T1)": ["a2a3", pass], "(1T1)": any }"#,
        "in place of `if`: every legal action of the class";
    optional "otherwise": Kind::Boolean, "otherwise: true",
        "in place of `if`: every legal action that no other row matches; the last row";
    needed "answer": QUOTED, r#"answer: "(0T2)Rd3d1""#, "the action that answers it";
    optional "tries": TRIES, r#"tries: { scope: all, otherwise: ["(0T2)Kb1a1"] }"#,
        "wrong answers, each with a reply that refutes it";
    optional "replies": REPLIES, r#"replies: [{ if: "(0T1)Kc1b1", answer: "(0T2)Rd3d1" }]"#,
        "answers to the actions that can follow, if the answer does not mate";
};

pub(super) static DUAL: Kind = fields! { Fields;
    needed "after": ACTIONS, r#"after: ["(0T1)Rb3c3", "(0T1)Kc1b1"]"#, "the actions from the start up to the defence";
    needed "answers": ACTIONS, r#"answers: ["(0T2)Rd3d1", "(0T2)Rc3c1"]"#, "one answer of each class";
};

pub(super) static TWIN: Kind = fields! { Fields;
    needed "id": WORD, "id: b", "the part that comes behind the id of the puzzle and a hyphen";
    optional "point": Kind::Prose, "point: Now the other rook mates.", "its idea, if that is another";
    needed "change": Kind::List(&CHANGE), r#"change: [{ remove: "(0T1)a2" }]"#,
        "one change or several, one after another";
    optional "goal": GOAL, "goal: { mate-in: 2 }", "the claim, if that is another";
    optional "solutions": LINES, r#"solutions: [["(0T1)Rb3c3", "(0T1)Kc1b1", "(0T2)Rd3d1#"]]"#, only SOLVED,
        "its solutions, as in a puzzle; `--fix` fills them too";
    optional "unique": Kind::Boolean, "unique: true", only COUNTED, "whether there is exactly one solution";
};

pub(super) static CHANGE: Kind = fields! { OneOf;
    optional "remove": QUOTED, r#"remove: "(0T1)a2""#, "takes the piece off";
    optional "put": QUOTED, r#"put: "N(0T1)a2""#,
        "puts a piece there, in place of what stands there; White's in capitals";
    optional "move": QUOTED, r#"move: "(0T1)a2b3""#, "puts the piece of the first square on the second";
    optional "to-move": Kind::Word(&["white", "black"]), "to-move: black",
        "gives the turn to this player: if it was the other's, every board is one half-turn later; comes last, since squares are named as they are in the puzzle";
};

pub(super) static COMMENT: Kind = fields! { Fields;
    needed "after": ACTIONS, r#"after: ["(0T1)Rb3c3"]"#,
        "the actions from the start up to this one, which must be legal";
    needed "text": Kind::Prose, "text: The rook waits.", "the remark";
};

pub(super) static BUDGET: Kind = fields! { Fields;
    optional "nodes": Kind::Number, "nodes: 200000",
        "the search steps that all proofs of the puzzle may take together; 1,000,000 when left out";
};

/// A certificate.
pub(super) static CERTIFICATE: Kind = fields! { Fields;
    needed "schema": WORD, "schema: worldlines/certificate-1", "the format and its version";
    needed "puzzle": WORD, "puzzle: rook-tactics-4", "the `id` of the puzzle whose keys are proven";
    needed "rules": CERTIFIED_RULES, "rules: { profile: default, promotions: [Q] }", "the rules";
    needed "start": Kind::Text, r#"start: "[r2k/4/4/P2K:0:1:w]""#, "all boards, as a block of 5DFEN";
    needed "mate-in": Kind::Number, "mate-in: 2", "the number of actions in which the attacker mates";
    optional "attacker": WORD, "attacker: opponent", "the attacker, if the player to move is the defender";
    needed "keys": Kind::List(&KEY), r#"keys: [{ key: "(0T1)b3c3", threats: [] }]"#, "at least one proof";
    optional "answers": Kind::List(&FURTHER_ANSWER), r#"answers: [{ after: [], answer: "(0T1)b3c3", threats: [] }]"#, "further answers that mate";
    optional "no": Kind::List(&NO_MATE), "no: [{ mate-in: 1 }]", "mates that there are not";
    optional "refutations": Kind::List(&TEXTS), r#"refutations: [["(0T1)a1a2"]]"#, "the replies that show it";
};

static FURTHER_ANSWER: Kind = fields! { Fields;
    needed "after": TEXTS, r#"after: ["(0T1)b3c3", "(0T1)c1b1"]"#, "the actions that lead to the position";
    needed "answer": Kind::Text, r#"answer: "(0T2)d3d1""#, "the action that mates there";
    needed "threats": TEXTS, r#"threats: ["(0T2)d1xb1"]"#, "the captures that threaten after it";
    optional "replies": Kind::List(&CERTIFIED_ROW), "replies: []", "answers to what parries them";
};

static NO_MATE: Kind = fields! { Fields;
    optional "after": TEXTS, r#"after: ["(0T1)b3c3", "(0T1)c1b1"]"#, "the actions that lead to the position";
    optional "mate-in": Kind::Number, "mate-in: 1", "the number of actions of the attacker";
    optional "other-mate-in": Kind::Number, "other-mate-in: 2", "the same, but for actions that contain a key";
};

static CERTIFIED_RULES: Kind = fields! { Fields;
    needed "profile": WORD, "profile: default", "the rule profile";
    needed "promotions": TEXTS, "promotions: [Q]", "the pieces that pawns and brawns may become";
};

static KEY: Kind = fields! { Fields;
    needed "key": Kind::Text, r#"key: "(0T1)b3c3""#, "the action that mates";
    needed "threats": TEXTS, r#"threats: ["(0T1)b3xc1"]"#, "the captures that threaten";
    optional "replies": Kind::List(&CERTIFIED_ROW), "replies: []", "answers to what parries all threats";
};

static CERTIFIED_ROW: Kind = fields! { Fields;
    optional "if": Kind::Text, r#"if: "(0T1)c1b1""#, "the action that it answers";
    optional "class": Kind::Rows(&TEXTS), r#"class: { "(0T1)": ["a2a3", pass] }"#, "many such actions";
    optional "otherwise": Kind::Boolean, "otherwise: true", "every action that no other row matches";
    needed "answer": Kind::Text, r#"answer: "(0T2)d3d1""#, "the action that answers it";
    needed "threats": TEXTS, r#"threats: ["(0T2)d1xb1"]"#, "the captures that threaten after it";
    optional "replies": Kind::List(&CERTIFIED_ROW), "replies: []", "answers to what parries them";
};
