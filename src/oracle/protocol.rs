//! The oracle protocol: JSON objects, one in each line (`spec/oracle-protocol.md`).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::{Answer, Count, Feature, Figures, Manifest, Question};
use crate::notation::fen5d::{self, Given};
use crate::notation::{Format, Game};
use crate::rules::variants;
use crate::state::Position;
use crate::types::{
    Action, BoardCoordinate, Coordinate, HalfTurn, Move, MoveKind, Parity, PieceKind, RuleProfile, Square,
    Status, Timeline,
};

/// The name and version of the protocol.
pub(super) const SCHEMA: &str = "worldlines/oracle-1";

/// The first line to an oracle.
#[derive(Serialize)]
pub(super) struct Hello {
    schema: &'static str,
    ask: &'static str,
}

impl Hello {
    pub(super) const LINE: Hello = Hello { schema: SCHEMA, ask: "hello" };
}

/// The answer of an oracle to the first line.
#[derive(Deserialize)]
pub(super) struct Introduction {
    name: String,
    #[serde(default)]
    version: Option<String>,
    /// Names of figures.
    #[serde(default)]
    features: Vec<String>,
    #[serde(default)]
    statuses: Option<Vec<String>>,
    #[serde(default)]
    variants: Vec<String>,
    #[serde(default = "yes")]
    boards: bool,
    #[serde(default = "yes")]
    marks: bool,
    #[serde(default)]
    reads: Vec<String>,
    #[serde(default)]
    writes: Vec<String>,
}

fn yes() -> bool {
    true
}

impl Introduction {
    pub(super) fn manifest(self) -> Result<Manifest, String> {
        let features = self.features.iter().map(|name| {
            let known = Feature::FIGURES.into_iter().find(|feature| feature.name() == name);
            known.ok_or_else(|| format!("its manifest names the unknown figure `{name}`"))
        });
        let name = match self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name,
        };
        let statuses = self.statuses.map(|statuses| statuses.into_iter().collect());
        Ok(Manifest {
            name,
            features: features.collect::<Result<_, _>>()?,
            statuses: statuses.unwrap_or_else(|| Status::ALL.iter().map(Status::to_string).collect()),
            variants: self.variants,
            boards: self.boards,
            marks: self.marks,
            reads: self.reads,
            writes: self.writes,
        })
    }
}

/// A question to an oracle.
#[derive(Serialize, Default)]
pub(super) struct Asked<'a> {
    id: u64,
    ask: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    notation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Start>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    want: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tries: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<u64>,
    milliseconds: u64,
}

/// The start of a game.
#[derive(Serialize)]
struct Start {
    variant: Option<&'static str>,
    size: String,
    parity: &'static str,
    promotions: String,
    to_move: String,
    boards: Vec<String>,
}

impl<'a> Asked<'a> {
    /// Asks for the figures of a position.
    pub(super) fn position(id: u64, question: &Question<'a>, manifest: &Manifest) -> Asked<'a> {
        let want: Vec<Feature> = manifest.features.iter().copied().collect();
        let tries = || question.tries.iter().map(|action| action_words(question.position, action)).collect();
        Asked {
            ask: "position",
            want: Some(want.iter().map(|feature| feature.name()).collect()),
            tries: want.contains(&Feature::Accepts).then(tries),
            cap: Some(question.cap),
            ..Asked::game(id, question)
        }
    }

    /// Asks for the text of a game.
    pub(super) fn write(id: u64, notation: &'a str, question: &Question<'a>) -> Asked<'a> {
        Asked { ask: "write", notation: Some(notation), ..Asked::game(id, question) }
    }

    /// Asks for the meaning of a text.
    pub(super) fn read(id: u64, notation: &'a str, text: &'a str, milliseconds: u64) -> Asked<'a> {
        let (notation, text) = (Some(notation), Some(text));
        Asked { id, ask: "read", notation, text, milliseconds, ..Asked::default() }
    }

    fn game(id: u64, question: &Question<'_>) -> Asked<'a> {
        let game = question.game;
        let mut position = game.start.clone();
        let mut actions = Vec::new();
        for action in &game.actions {
            actions.push(action_words(&position, action));
            position.play(action).expect("the actions of a game are legal");
        }
        let plain = Game::new(game.start.clone(), game.actions.clone());
        Asked {
            id,
            start: Some(Start::of(&game.start)),
            actions: Some(actions),
            game: Format::Pgn5d.write(&plain).ok().map(|written| written.into_text()),
            milliseconds: u64::try_from(question.time.as_millis()).unwrap_or(u64::MAX).max(1),
            ..Asked::default()
        }
    }
}

impl Start {
    fn of(position: &Position) -> Start {
        let variant = variants::by_setup(&position.to_setup()).map(|variant| variant.name);
        let size = position.size();
        Start {
            variant,
            size: format!("{}x{}", size.width(), size.height()),
            parity: match position.parity() {
                Parity::Odd => "odd",
                Parity::Even => "even",
            },
            promotions: position.profile().promotions.to_string(),
            to_move: position.to_move().to_string(),
            boards: position.to_string().lines().map(str::to_owned).collect(),
        }
    }
}

/// The answer of an oracle to a question.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Said {
    id: Option<u64>,
    boards: Option<Vec<String>>,
    in_check: Option<bool>,
    status: Option<String>,
    legal_actions: Option<SaidCount>,
    actions: Option<Vec<Vec<String>>>,
    accepts: Option<Vec<Option<bool>>>,
    hash: Option<String>,
    played: Option<u64>,
    text: Option<String>,
    refused: Option<Refusal>,
    not_asked: Option<String>,
}

#[derive(Deserialize)]
struct SaidCount {
    count: u64,
    exact: bool,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    action: Option<usize>,
    message: String,
}

impl Said {
    /// The answer to the question with this number, about this position if the question has one.
    pub(super) fn answer(self, id: u64, position: Option<&Position>) -> Answer {
        if self.id != Some(id) {
            return Answer::Void(format!("it answers question {:?} instead of {id}", self.id));
        }
        if let Some(Refusal { action, message }) = self.refused {
            return Answer::Refused { action, message };
        }
        if let Some(why) = self.not_asked {
            return Answer::NotAsked(why);
        }
        match self.figures(position) {
            Ok(figures) => Answer::Figures(Box::new(figures)),
            Err(why) => Answer::Void(why),
        }
    }

    /// The text in an answer to a request for one.
    pub(super) fn text(self, id: u64) -> Result<String, Answer> {
        if let (Some(said), Some(text)) = (self.id, &self.text)
            && said == id
        {
            return Ok(text.clone());
        }
        match self.answer(id, None) {
            Answer::Figures(_) => Err(Answer::Void("its answer has no `text`".into())),
            answer => Err(answer),
        }
    }

    fn figures(self, position: Option<&Position>) -> Result<Figures, String> {
        let shown = match &self.boards {
            None => None,
            Some(boards) => Some(read_boards(boards, position)?),
        };
        let status = match &self.status {
            None => None,
            Some(text) => {
                let known = Status::ALL.into_iter().find(|status| status.to_string() == *text);
                Some(known.ok_or_else(|| format!("`{text}` is no status"))?)
            }
        };
        // Actions can only be read in the same position.
        let actions = match (&self.actions, position, &shown) {
            (Some(actions), Some(position), Some(shown))
                if shown.multiverse().range() == position.multiverse().range() =>
            {
                let read =
                    actions.iter().map(|action| read_action(position, action.iter().map(String::as_str)));
                Some(read.collect::<Result<BTreeSet<Action>, _>>()?)
            }
            _ => None,
        };
        let listed = self.actions.as_ref().map_or(0, Vec::len);
        let repeated = actions.as_ref().map_or(0, |actions| (listed - actions.len()) as u64);
        Ok(Figures {
            position: shown,
            in_check: self.in_check,
            status,
            legal_actions: self.legal_actions.map(|SaidCount { count, exact }| Count { count, exact }),
            actions,
            repeated,
            accepts: self.accepts,
            hash: self.hash,
            played: self.played,
        })
    }
}

/// The answer in a line of an oracle, about the position of a question. The number in the line is ignored.
pub fn read_answer(line: &str, question: &Question<'_>) -> Answer {
    match serde_json::from_str::<Said>(line) {
        Ok(said) => Said { id: Some(0), ..said }.answer(0, Some(question.position)),
        Err(error) => Answer::Void(not_of_the_protocol(&error)),
    }
}

pub(super) fn not_of_the_protocol(error: &serde_json::Error) -> String {
    format!("its answer is no JSON object of the protocol: {error}")
}

/// The position that an oracle shows, under the rules of the position in the question.
fn read_boards(boards: &[String], asked: Option<&Position>) -> Result<Position, String> {
    let text = boards.join("\n");
    let given = match asked {
        Some(position) => Given {
            size: Some(position.size()),
            parity: Some(position.parity()),
            profile: position.profile(),
        },
        None => Given { profile: RuleProfile::default(), ..Given::default() },
    };
    let blocks = fen5d::blocks(&text);
    let read = blocks.and_then(|blocks| fen5d::position(&blocks, given));
    read.map_err(|error| format!("the boards that it shows cannot be read: {}", error.issue.message))
}

/// The moves of an action as the protocol writes them, in an order in which they can be played.
fn action_words(position: &Position, action: &Action) -> Vec<String> {
    action.moves().iter().map(|m| move_text(position, m)).collect()
}

/// A move with both of its boards, such as `(0T1)e2(0T1)e4`, and the letter of its promotion.
///
/// ```
/// use worldlines::notation::pgn5d;
/// use worldlines::oracle::move_text;
///
/// let start = pgn5d::parse("[Board \"Standard - Two Timelines\"]").into_result().unwrap().start;
/// let action = pgn5d::parse_action(&start, "(-0T1)e4 (+0T1)Nf3").unwrap();
/// assert_eq!(move_text(&start, &action.moves()[0]), "(-0T1)e2(-0T1)e4");
/// ```
pub fn move_text(position: &Position, m: &Move) -> String {
    let mut text = String::new();
    for Coordinate { board, square } in [m.from, m.to] {
        let label = position.parity().label(board.timeline);
        // Writing to a string cannot fail.
        let _ = write!(text, "({label}T{}){square}", board.half_turn.turn());
    }
    text.extend(m.promotion.map(PieceKind::letter));
    text
}

/// The action with these moves, legal or not. Every move has both of its boards.
///
/// # Errors
///
/// The message about an invalid text, or a board that does not exist.
pub fn read_action<'t>(
    position: &Position,
    words: impl IntoIterator<Item = &'t str>,
) -> Result<Action, String> {
    let mut moves = Vec::new();
    let mut played: Vec<BoardCoordinate> = Vec::new();
    for word in words {
        let (from, to, promotion) = read_move(position, word).ok_or_else(|| {
            let label = word.strip_prefix('(').and_then(|rest| rest.split_once('T')).map(|(label, _)| label);
            match label {
                Some("0") if position.parity() == Parity::Even => {
                    format!(
                        "there is no timeline `0` in `{word}`: an even start has the timelines `-0` and `+0`"
                    )
                }
                _ => format!("`{word}` is no move such as `(0T1)e2(0T1)e4`"),
            }
        })?;
        let kind = if from.board == to.board {
            MoveKind::Physical
        } else if played.contains(&to.board) {
            MoveKind::Branch
        } else {
            let kind = position.move_kind(from.board, to.board);
            kind.ok_or_else(|| format!("`{word}` is between boards that cannot be played so"))?
        };
        played.push(from.board);
        if kind == MoveKind::Hop {
            played.push(to.board);
        }
        moves.push(Move { kind, from, to, promotion });
    }
    Ok(Action::new(moves))
}

fn read_move(position: &Position, word: &str) -> Option<(Coordinate, Coordinate, Option<PieceKind>)> {
    let (from, rest) = read_place(position, word)?;
    let (to, rest) = read_place(position, rest)?;
    let letter = rest.strip_prefix('=').unwrap_or(rest);
    let promotion = match letter.as_bytes() {
        [] => None,
        [_] => Some(PieceKind::try_from(letter.chars().next()?.to_ascii_uppercase()).ok()?),
        _ => return None,
    };
    Some((from, to, promotion))
}

fn read_place<'t>(position: &Position, text: &'t str) -> Option<(Coordinate, &'t str)> {
    let (label, rest) = text.strip_prefix('(')?.split_once('T')?;
    let (turn, rest) = rest.split_once(')')?;
    let timeline = read_label(position.parity(), label)?;
    let half_turn =
        HalfTurn::new(turn.parse().ok().filter(|turn| (0..=8_000).contains(turn))?, position.to_move());
    let square: Square = rest.get(..2)?.parse().ok()?;
    position.size().contains(square).then_some(())?;
    Some((Coordinate { board: BoardCoordinate { timeline, half_turn }, square }, &rest[2..]))
}

/// The timeline with this label. In a game with two start timelines a zero needs its sign.
fn read_label(parity: Parity, label: &str) -> Option<Timeline> {
    let digits = label.strip_prefix(['+', '-']).unwrap_or(label);
    let number: i16 = digits.parse().ok().filter(|number| (0..2_000).contains(number))?;
    let is_minus = label.starts_with('-');
    Some(match parity {
        Parity::Odd => Timeline(if is_minus { -number } else { number }),
        Parity::Even if number == 0 && !label.starts_with(['+', '-']) => return None,
        Parity::Even => Timeline(if is_minus { -number - 1 } else { number }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn5d;

    #[test]
    fn moves_are_read_as_they_are_written() {
        for text in [
            "1. Nf3 / Nf6 2. (0T2)Nf3>>(0T1)f5 / (1T1)e6",
            "[Board \"Standard - Two Timelines\"]\n1. (-0T1)e4 (+0T1)Nf3 / (-0T1)e5 (+0T1)e5 2. (-0T2)Qd1f3 (+0T2)Nf3>>(+0T1)f5",
            "[Board \"custom\"][Promotions \"Q,N\"]\n[2k2/P4/5/5/4K:0:1:w]\n1. a5=N",
        ] {
            let game = pgn5d::parse(text).into_result().expect(text);
            let mut position = game.start.clone();
            for action in &game.actions {
                let words = action_words(&position, action);
                let read = read_action(&position, words.iter().map(String::as_str));
                assert_eq!(read.as_ref(), Ok(action), "{words:?}");
                position.play(action).unwrap();
            }
        }
    }

    #[test]
    fn a_jump_to_a_board_that_was_played_is_a_branch() {
        let game = pgn5d::parse("[Board \"Standard - Two Timelines\"]").into_result().unwrap();
        let words = ["(+0T1)e2(+0T1)e4", "(-0T1)g1(+0T1)g3"];
        let action = read_action(&game.start, words).unwrap();
        assert_eq!(action.moves().last().unwrap().kind, MoveKind::Branch);
        let hop = read_action(&game.start, words[1..].iter().copied()).unwrap();
        assert_eq!(hop.moves()[0].kind, MoveKind::Hop);
    }

    #[test]
    fn what_is_no_move_is_refused() {
        let start = pgn5d::parse("").into_result().unwrap().start;
        for word in [
            "",
            "e4",
            "(0T1)e2e4",
            "(0T1)e2(0T1)e9",
            "(0T1)e2(0T1)e4QQ",
            "(0T99999)e2(0T1)e4",
            "(0T1)e2(7T1)e4",
            "(0T1)é2(0T1)e4",
        ] {
            assert!(read_action(&start, [word]).is_err(), "{word}");
        }
    }

    #[test]
    fn an_answer_to_another_question_is_void() {
        let said: Said = serde_json::from_str(r#"{"id":3,"in_check":true}"#).unwrap();
        assert!(matches!(said.answer(4, None), Answer::Void(_)));
        let said: Said = serde_json::from_str(r#"{"id":4,"status":"lost"}"#).unwrap();
        assert!(matches!(said.answer(4, None), Answer::Void(why) if why.contains("lost")));
        let said: Said = serde_json::from_str(r#"{"id":4,"boards":["[9:0:1:w]"]}"#).unwrap();
        assert!(matches!(said.answer(4, None), Answer::Void(why) if why.contains("boards")));
    }
}
