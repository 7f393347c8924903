//! Single actions at the end of a game: read from a text in any notation, and written one after another.
//!
//! A position may have millions of legal actions. Neighbours in the order of the search mostly share their
//! first moves, so only the moves that changed are written anew, into one buffer.

use std::fmt;

use super::chessjs::{self, Layout};
use super::format::{Format, Options};
use super::{pgn5d, raw, simplified, uci5d};
use crate::notation::common::coordinates::Base;
use crate::notation::common::{Game, Issue, ParseError, Span};
use crate::rules::PartialAction;
use crate::state::Position;
use crate::types::{Action, Color, Move, MoveKind, Timeline};

/// Writes the possible next actions of a game, in the spelling that they have in a game, without marks of
/// check and mate.
///
/// ```
/// use worldlines::notation::{ActionWriter, Format, Game, Options};
/// use worldlines::state::Position;
///
/// let game = Game::new(Position::default(), Vec::new());
/// let mut writer = ActionWriter::new(Format::Uci5d, &game, &Options::default()).expect("it writes actions");
/// let position = game.end();
/// let texts: Vec<String> = position.legal_actions().map(|action| writer.action(&action).to_owned()).collect();
/// assert!(texts.contains(&"(0T1)e2(0T1)e4 submit".to_owned()));
/// ```
pub struct ActionWriter {
    spelling: Spelling,
    position: Position,
    /// The moves in `text`, in the order in which they are written.
    moves: Vec<Move>,
    /// The byte of `text` at which each of them ends.
    ends: Vec<usize>,
    text: String,
}

/// The spelling of moves in a notation, with the state that it needs.
enum Spelling {
    Pgn5d,
    Uci5d,
    Simplified,
    Raw(Base),
    ChessJs { layout: Layout, offset: i16, number: String },
}

impl ActionWriter {
    /// A writer for actions at the end of a game. `None` for a notation in which an action cannot stand
    /// alone: those of boards and of orthodox chess, and those that write a timeline only in its turn.
    pub fn new(format: Format, game: &Game, options: &Options) -> Option<ActionWriter> {
        let chessjs = |layout| {
            let half_turns = game.actions.len() + usize::from(game.start.to_move() == Color::Black);
            let player = if half_turns.is_multiple_of(2) { Color::White } else { Color::Black };
            let number = format!("{}{}. ", half_turns / 2 + 1, player.letter());
            Spelling::ChessJs { layout, offset: chessjs::turn_offset(&game.start), number }
        };
        let spelling = match format {
            Format::Pgn5d => Spelling::Pgn5d,
            Format::Uci5d => Spelling::Uci5d,
            Format::Simplified => Spelling::Simplified,
            Format::Raw => Spelling::Raw(Base::to_write(options)),
            Format::ChessJs => chessjs(Layout::Full),
            Format::ChessJsShort => chessjs(Layout::Short),
            _ => return None,
        };
        let (moves, ends) = (Vec::new(), Vec::new());
        Some(ActionWriter { spelling, position: game.end(), moves, ends, text: String::new() })
    }

    /// The notations that can write single actions.
    pub fn formats() -> impl Iterator<Item = Format> {
        let game = Game::new(Position::default(), Vec::new());
        Format::all().filter(move |&format| ActionWriter::new(format, &game, &Options::default()).is_some())
    }

    /// Writes an action that can be played at the end of the game.
    pub fn action(&mut self, action: &Action) -> &str {
        if let Spelling::Raw(_) = self.spelling {
            let mut moves = action.moves().to_vec();
            raw::sort(&mut moves);
            self.write(&moves);
        } else {
            self.write(action.moves());
        }
        if let Spelling::Uci5d = self.spelling {
            self.text.push_str(" submit");
        }
        &self.text
    }

    /// Writes a single move that can begin an action at the end of the game.
    pub fn single(&mut self, m: &Move) -> &str {
        self.write(std::slice::from_ref(m));
        &self.text
    }

    /// Changes the text to these moves, from the first one that differs.
    fn write(&mut self, moves: &[Move]) {
        let same = self.moves.iter().zip(moves).take_while(|(old, new)| old == new).count();
        self.moves.truncate(same);
        self.ends.truncate(same);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
        for m in &moves[same..] {
            if !self.moves.is_empty() {
                self.text.push_str(match self.spelling {
                    Spelling::Pgn5d | Spelling::Uci5d | Spelling::Simplified => " ",
                    Spelling::Raw(_) => ";",
                    Spelling::ChessJs { .. } => "; ",
                });
            }
            self.write_move(m);
            self.moves.push(*m);
            self.ends.push(self.text.len());
        }
    }

    /// Appends a move to the text. Every board that an action leaves or enters exists before the action
    /// begins.
    fn write_move(&mut self, m: &Move) {
        let ActionWriter { spelling, position, moves, text, .. } = self;
        match spelling {
            Spelling::Pgn5d => pgn5d::write_move(text, position, m),
            Spelling::Uci5d => uci5d::write_move(text, m),
            Spelling::Simplified => simplified::write_part(text, position, m),
            Spelling::Raw(base) => raw::write_move(text, *base, position, m),
            Spelling::ChessJs { layout, offset, number } => {
                let made = moves.iter().filter(|m| m.kind == MoveKind::Branch).count() as i16;
                let player = position.to_move();
                let Timeline(next) = position.multiverse().next_timeline(player);
                let created = Timeline(if player == Color::White { next + made } else { next - made });
                text.push_str(number);
                chessjs::write_move(text, position, m, created, *layout, *offset);
            }
        }
    }
}

/// The actions of a text, which are played one after another from this position on. Without a notation: those
/// of 5DPGN with all its spellings, or else of any notation in which actions can stand alone.
///
/// # Errors
///
/// When no notation reads the text: the error of 5DPGN, or of the given notation.
pub fn parse_actions(
    position: &Position,
    text: &str,
    notation: Option<Format>,
) -> Result<Vec<Action>, ParseError> {
    if let Some(format) = notation {
        return read_in(format, position, text);
    }
    pgn5d::parse_line(position, text).and_then(not_empty).or_else(|error| {
        let others = [Format::Uci5d, Format::Simplified, Format::Raw, Format::ChessJs, Format::ChessJsShort];
        let mut other = others.into_iter().map(|format| read_in(format, position, text));
        other.find_map(Result::ok).ok_or(error)
    })
}

/// Reads the actions of a text in one notation.
fn read_in(format: Format, position: &Position, text: &str) -> Result<Vec<Action>, ParseError> {
    let actions = match format {
        Format::Pgn5d => pgn5d::parse_line(position, text)?,
        Format::Uci5d => {
            // A line cannot name the promotions of the game, so they are kept from the position.
            let mut partial = PartialAction::new(position.clone());
            let mut actions = Vec::new();
            for word in text.split_ascii_whitespace() {
                if word == "submit" {
                    actions.push(submitted(&mut partial, text)?);
                } else {
                    let m = uci5d::parse_move(&partial, word)?;
                    partial.push(m).map_err(|why| refused("no-such-move", text, &why))?;
                }
            }
            if !partial.moves().is_empty() {
                actions.push(submitted(&mut partial, text)?);
            }
            actions
        }
        _ => {
            let options = Options { start: Some(position.clone()), ..Options::default() };
            let read = format.parse(text.as_bytes(), &options).into_result();
            // Some notations number every turn, and then write a comma for White's missing action; an answer
            // may leave these out.
            let number = if position.to_move() == Color::White { "1." } else { "1. ," };
            let numbered = |error| {
                let text = format!("{number} {text}");
                format.parse(text.as_bytes(), &options).into_result().map_err(|_| error)
            };
            let read = read.or_else(numbered)?;
            if read.start != *position {
                return Err(refused("another-start", text, &"the answer begins in another position"));
            }
            read.actions
        }
    };
    not_empty(actions)
}

fn submitted(partial: &mut PartialAction, text: &str) -> Result<Action, ParseError> {
    partial.submit().map_err(|why| refused(why.code(), text, &why))
}

fn refused(code: &'static str, text: &str, why: &dyn fmt::Display) -> ParseError {
    Issue::new(code, Span::new(0, text.len()), why.to_string()).illegal()
}

fn not_empty(actions: Vec<Action>) -> Result<Vec<Action>, ParseError> {
    if actions.is_empty() {
        return Err(Issue::new("no-move", Span::default(), "expected at least one move").malformed());
    }
    Ok(actions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::common::samples::random_game;

    /// The text without the marks of check, mate and stalemate after moves.
    fn unmarked(text: &str) -> String {
        text.replace(['+', '#', '='], "")
    }

    #[test]
    fn actions_are_written_as_they_stand_in_a_game() {
        let mut seen = [0; 6];
        assert_eq!(ActionWriter::formats().count(), seen.len());
        for seed in 0..60 {
            let game = random_game(seed);
            let end = game.end();
            for (format, seen) in ActionWriter::formats().zip(&mut seen) {
                let mut writer = ActionWriter::new(format, &game, &Options::default()).unwrap();
                for action in end.legal_actions().take(40) {
                    let text = writer.action(&action).to_owned();
                    let mut longer = game.clone();
                    longer.actions.push(action);
                    longer.result = None;
                    let whole = format.write(&longer).unwrap().into_text();
                    let mut whole = whole.trim_end().to_owned();
                    if matches!(format, Format::ChessJs | Format::ChessJsShort) {
                        whole = whole.replace('\n', "; ");
                    }
                    let (whole, text) = (unmarked(&whole), unmarked(&text));
                    let before = whole.strip_suffix(&text);
                    let before = before.unwrap_or_else(|| panic!("{format}: `{text}` does not end {whole}"));
                    assert!(before.ends_with(['\n', ' ']) || before.is_empty(), "{format}: {text}");
                    *seen += 1;
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 500), "{seen:?}");
    }

    #[test]
    fn what_was_written_before_changes_nothing() {
        let game = pgn5d::parse("1. Nf3 / Nf6 2. N>>f5 / (1T1)Nf6").into_result().unwrap();
        let end = game.end();
        for format in ActionWriter::formats() {
            let fresh = || ActionWriter::new(format, &game, &Options::default()).unwrap();
            let mut writer = fresh();
            for action in end.legal_actions() {
                assert_eq!(writer.action(&action), fresh().action(&action));
            }
            for m in end.pseudo_legal_moves() {
                assert_eq!(writer.single(&m), fresh().single(&m));
            }
        }
    }
}
