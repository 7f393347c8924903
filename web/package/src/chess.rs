//! The object API of 5d-chess-js, with texts in place of objects. Begin at [`Chess`].

use std::collections::HashMap;

use wasm_bindgen::prelude::wasm_bindgen;
use worldlines::chessjs::{self, Edition, Selection, Text, Tokens};
use worldlines::types::{Color, Limit, Move, Status};

use crate::fault::{Fault, write_string};

/// The most actions in one list.
const MOST_AT_ONCE: usize = 200_000;
/// The most moves in the actions of a list: texts of JavaScript are limited to some hundred megabytes.
const MOST_MOVES: usize = 600_000;

/// The form of moves in an answer. `js/api.js` refuses unknown names.
#[derive(Clone, Copy)]
enum Form {
    Json,
    Raw,
    Text(Text),
}

impl Form {
    /// `json`, `raw`, `full`, `short`, or `5dpgn` with the tokens after it.
    fn of(name: &str) -> Form {
        match name {
            "raw" => Form::Raw,
            "full" => Form::Text(Text::Full),
            "short" => Form::Text(Text::Short),
            name if name.starts_with("5dpgn") => Form::Text(Text::Pgn5d(Tokens {
                boards: name.contains("superphysical"),
                timelines: name.contains("timeline"),
                activation: name.contains("active"),
                one_line: name.contains("inline"),
            })),
            _ => Form::Json,
        }
    }
}

/// A game. Functions that do the same as in 5d-chess-js have its names.
#[wasm_bindgen(js_name = Game)]
#[derive(Clone)]
pub struct Chess(chessjs::Chess);

impl From<chessjs::Chess> for Chess {
    fn from(game: chessjs::Chess) -> Chess {
        Chess(game)
    }
}

fn edition(readme: bool) -> Edition {
    if readme { Edition::Readme } else { Edition::Current }
}

#[wasm_bindgen(js_class = Game)]
impl Chess {
    /// The start of a variant, by its name or as boards in JSON; without either, the standard game.
    pub fn begin(readme: bool, variant: Option<String>) -> Result<Chess, Fault> {
        let Some(variant) = variant else { return Ok(Chess(chessjs::Chess::new(edition(readme)))) };
        let start = chessjs::Chess::start(edition(readme), &variant);
        start.map(Chess).map_err(|error| Fault::of(&error, &variant))
    }

    /// The game of a text or of JSON.
    pub fn read(readme: bool, text: &str, variant: Option<String>) -> Result<Chess, Fault> {
        let game = chessjs::Chess::import(edition(readme), text, variant.as_deref());
        game.map(Chess).map_err(|error| Fault::of(&error, text))
    }

    /// An independent game in the same state.
    pub fn copy(&self) -> Chess {
        self.clone()
    }

    /// The whole state, which [`Chess::read`] reads.
    pub fn save(&self) -> String {
        self.0.save()
    }

    /// Goes back to the start of the game.
    pub fn restart(&mut self) {
        self.0.reset();
    }

    /// Sets the most search steps of a verdict.
    #[wasm_bindgen(js_name = setSteps)]
    pub fn set_steps(&mut self, steps: f64) {
        self.0.steps = steps as u64;
    }

    /// Sets `skip_detection` of the library.
    #[wasm_bindgen(js_name = setSkipDetection)]
    pub fn set_skip_detection(&mut self, skips: bool) {
        self.0.skip_detection = skips;
    }

    /// Whether the player who acts is Black.
    #[wasm_bindgen(js_name = isBlack)]
    pub fn is_black(&self) -> bool {
        self.0.player() == Color::Black
    }

    /// The number of the current action.
    #[wasm_bindgen(js_name = actionNumber)]
    pub fn action_number(&self) -> u32 {
        self.0.action_number()
    }

    /// The number of actions played.
    #[wasm_bindgen(js_name = actionCount)]
    pub fn action_count(&self) -> usize {
        self.0.action_count()
    }

    /// Makes a move.
    pub fn make(&mut self, text: &str) -> Result<(), Fault> {
        self.0.make(text).map_err(|error| Fault::of(&error, text))
    }

    /// Whether the move can be made.
    pub fn moveable(&self, text: &str) -> bool {
        self.0.moveable(text)
    }

    /// Plays a whole action.
    pub fn act(&mut self, text: &str) -> Result<(), Fault> {
        self.0.act(text).map_err(|error| Fault::of(&error, text))
    }

    /// Whether the action can be played.
    pub fn actionable(&self, text: &str) -> bool {
        self.0.actionable(text)
    }

    /// Ends the current action.
    pub fn submit(&mut self) -> Result<(), Fault> {
        self.0.submit().map_err(|error| Fault::of(&error, ""))
    }

    /// Whether the current action can be ended.
    pub fn submittable(&self) -> bool {
        self.0.submittable()
    }

    /// Takes back the last move.
    pub fn undo(&mut self) -> Result<(), Fault> {
        self.0.undo().map_err(|error| Fault::of(&error, ""))
    }

    /// Whether there is a move to take back.
    pub fn undoable(&self) -> bool {
        self.0.undoable()
    }

    /// Passes for the player.
    pub fn pass(&mut self) -> Result<(), Fault> {
        self.0.pass().map_err(|error| Fault::of(&error, ""))
    }

    /// Whether the player can pass.
    pub fn passable(&self) -> bool {
        self.0.passable()
    }

    /// Whether the player is in check.
    #[wasm_bindgen(js_name = inCheck)]
    pub fn in_check(&self) -> bool {
        self.0.in_check()
    }

    /// Sets `skipDetection` and the steps, and returns the status of the player: 0 if the steps do not
    /// suffice, 1 for ongoing, 2 for softmate, 3 for checkmate, 4 for stalemate.
    pub fn verdict(&mut self, skip: bool, steps: f64) -> u8 {
        self.0.skip_detection = skip;
        self.0.steps = steps as u64;
        self.0.outcome().map_or(0, |outcome| match outcome.status {
            Status::Ongoing => 1,
            Status::Softmate => 2,
            Status::Checkmate => 3,
            Status::Stalemate => 4,
        })
    }

    /// The moves that can be made, as text or JSON.
    pub fn moves(&self, form: &str, active_only: bool, present_only: bool, spatial_only: bool) -> String {
        let selection =
            Selection { active_only, present_only, spatial_only, new_active_timelines_only: false };
        self.listed(Form::of(form), &self.0.moves(selection))
    }

    /// Writes moves, each of which can be made now.
    fn listed(&self, form: Form, moves: &[Move]) -> String {
        let position = self.0.now();
        match form {
            Form::Text(text) => moves.iter().map(|m| self.0.move_text_in(position, m, text) + "\n").collect(),
            Form::Json => {
                let write = |m: &Move| self.0.move_object(position, m).write_for(self.0.edition());
                list(moves.iter().map(write))
            }
            Form::Raw => list(moves.iter().map(|m| unlisted(self.0.raw_moves(position, &[*m])))),
        }
    }

    /// At most `most` legal actions after the first `skip`, as JSON `{"actions":[…],"complete":…}`.
    /// `complete` says that there are no more; the list ends early if it has very many moves. An action is a
    /// list of numbers, or a text. In the form of objects, `"moves"` lists all moves, and an action is a list
    /// of their indices, because most moves are part of many actions.
    #[expect(clippy::too_many_arguments, reason = "the border to JavaScript has no structs by value")]
    pub fn actions(
        &self,
        form: &str,
        active_only: bool,
        present_only: bool,
        new_active_timelines_only: bool,
        skip: usize,
        most: usize,
        steps: f64,
    ) -> Result<String, Fault> {
        let selection =
            Selection { active_only, present_only, new_active_timelines_only, spatial_only: false };
        let position = self.0.now();
        let form = Form::of(form);
        let mut found = self.0.actions(selection, Limit::steps(steps as u64));
        let (mut parts, mut objects, mut listed) = (Vec::new(), Vec::new(), 0);
        let mut known = HashMap::new();
        for moves in found.by_ref().skip(skip).take(most.min(MOST_AT_ONCE)) {
            listed += moves.len();
            parts.push(match form {
                Form::Json => {
                    let shown = self.0.move_objects(position, &moves);
                    let indices = moves.iter().zip(shown).map(|(m, object)| {
                        // The place of a new timeline depends on the moves before.
                        let key = (*m, object.real_end.map(|end| (end.timeline, end.turn)));
                        let next = objects.len();
                        let index = *known.entry(key).or_insert(next);
                        if index == next {
                            objects.push(object.write_for(self.0.edition()));
                        }
                        index.to_string()
                    });
                    list(indices)
                }
                Form::Raw => self.0.raw_moves(position, &moves),
                Form::Text(text) => {
                    let mut json = String::new();
                    write_string(&mut json, &self.0.action_text(position, &moves, text));
                    json
                }
            });
            if listed >= MOST_MOVES {
                break;
            }
        }
        if let Some(Err(undecided)) = found.end() {
            return Err(undecided.into());
        }
        let complete = found.end().is_some();
        let moves = list(objects.into_iter());
        Ok(format!("{{\"actions\":{},\"moves\":{moves},\"complete\":{complete}}}", list(parts.into_iter())))
    }

    /// The number of legal actions, up to `most`.
    #[wasm_bindgen(js_name = countActions)]
    pub fn count_actions(&self, most: f64, steps: f64) -> Result<f64, Fault> {
        let count = self.0.position().count_legal_actions_within(most as u64, steps as u64)?;
        Ok(count.count as f64)
    }

    /// The captures of royal pieces that the opponent threatens.
    pub fn checks(&self, form: &str) -> Result<String, Fault> {
        let (position, moves) = &self.0.checks().map_err(|error| Fault::of(&error, ""))?;
        Ok(match Form::of(form) {
            Form::Text(text) => moves.iter().map(|m| self.0.move_text_in(position, m, text) + "\n").collect(),
            Form::Raw => list(moves.iter().map(|m| unlisted(self.0.raw_moves(position, &[*m])))),
            Form::Json => {
                list(moves.iter().map(|m| self.0.move_object(position, m).write_for(self.0.edition())))
            }
        })
    }

    /// The game as text, JSON or numbers.
    pub fn export(&self, form: &str) -> Result<String, Fault> {
        match Form::of(form) {
            Form::Json => Ok(self.0.export_json()),
            Form::Raw => Ok(self.0.raw_action_history()),
            Form::Text(text) => self.0.export(text).map_err(|error| Fault::of(&error, "")),
        }
    }

    /// The hash of the boards.
    pub fn hash(&self) -> Result<String, Fault> {
        self.0.hash().map_err(|error| Fault::of(&error, ""))
    }

    /// The Board object.
    pub fn board(&self) -> String {
        self.0.board().write_for(self.0.edition())
    }

    /// The Board objects of the start and after each action.
    #[wasm_bindgen(js_name = boardHistory)]
    pub fn board_history(&self) -> String {
        list(self.0.board_history().iter().map(|board| board.write_for(self.0.edition())))
    }

    /// The moves of the current action.
    #[wasm_bindgen(js_name = moveBuffer)]
    pub fn move_buffer(&self) -> String {
        list(self.0.move_buffer().iter().map(|m| m.write_for(self.0.edition())))
    }

    /// The boards as numbers.
    #[wasm_bindgen(js_name = rawBoard)]
    pub fn raw_board(&self) -> Result<String, Fault> {
        Ok(self.0.raw_board().map_err(|error| Fault::of(&error, ""))?.write())
    }

    /// The boards of the start and after each action as numbers.
    #[wasm_bindgen(js_name = rawBoardHistory)]
    pub fn raw_board_history(&self) -> Result<String, Fault> {
        let raws = self.0.raw_board_history().map_err(|error| Fault::of(&error, ""))?;
        Ok(list(raws.iter().map(|raw| raw.write())))
    }

    /// The moves of the current action as numbers.
    #[wasm_bindgen(js_name = rawMoveBuffer)]
    pub fn raw_move_buffer(&self) -> String {
        self.0.raw_move_buffer()
    }

    /// The kinds that a pawn may become, as letters.
    pub fn promotions(&self) -> String {
        self.0.position().profile().promotions.to_string()
    }

    /// The boards as 5DFEN: those now, or those of the start.
    pub fn fen(&self, now: bool) -> String {
        self.0.fen(now)
    }

    /// A drawing of the boards as text.
    pub fn print(&self) -> String {
        self.0.print()
    }

    /// The multiverse as text, for a terminal of this width, with at most this many timelines.
    pub fn render(&self, width: usize, timelines: usize) -> String {
        worldlines::render::text(self.0.now(), worldlines::render::Frame { width, timelines })
    }

    /// The name of the start, if it has one.
    pub fn variant(&self) -> Option<String> {
        self.0.variant().map(str::to_owned)
    }

    /// The headers except those about the start: a list of pairs.
    pub fn headers(&self) -> String {
        list(self.0.headers().iter().map(|(key, value)| {
            let mut json = String::from("[");
            write_string(&mut json, key);
            json.push(',');
            write_string(&mut json, value);
            json + "]"
        }))
    }
}

impl Chess {
    /// The game inside.
    pub fn game(&self) -> &chessjs::Chess {
        &self.0
    }
}

/// Joins JSON texts into a JSON list.
pub fn list(parts: impl Iterator<Item = String>) -> String {
    let mut json = String::from("[");
    for (index, part) in parts.enumerate() {
        json.push_str(if index == 0 { "" } else { "," });
        json.push_str(&part);
    }
    json + "]"
}

/// The only part of a JSON list.
fn unlisted(json: String) -> String {
    json[1..json.len() - 1].to_owned()
}

/// Every variant, as a list of `[name, short name]`.
#[wasm_bindgen]
pub fn variants() -> String {
    list(chessjs::names().map(|(name, short)| format!("[\"{name}\",\"{short}\"]")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_through_texts() {
        let mut chess = Chess::begin(false, None).ok().unwrap();
        assert_eq!(chess.moves("5dpgn", true, true, false).lines().count(), 20);
        assert!(chess.make("e4").is_ok() && chess.submittable());
        assert!(chess.moves("raw", true, true, false) == "[]" && chess.submit().is_ok());
        assert!(chess.is_black() && chess.action_count() == 1);
        let refused = chess.make("e4").err().unwrap();
        assert!(refused.json().starts_with("{\"code\":\"no-such-move\""), "{}", refused.json());
        let some = chess.actions("json", true, true, true, 5, 10, 1e6).ok().unwrap();
        assert!(
            some.ends_with("\"complete\":false}") && some.starts_with("{\"actions\":[[0],[1],"),
            "{some}"
        );
        assert_eq!(some.matches("\"start\":").count(), 10);
        let rest = chess.actions("5dpgn", true, true, true, 15, 10, 1e6).ok().unwrap();
        assert!(rest.ends_with("\"complete\":true}"), "{rest}");
        assert!(chess.actions("raw", true, true, true, 0, 10, 0.0).is_err());
        let again = Chess::read(false, &chess.save(), None).ok().unwrap();
        assert_eq!(again.hash().ok(), chess.hash().ok());
        assert_eq!(chess.verdict(false, 1e6), 1);
        assert_eq!(chess.copy().verdict(false, 0.0), 1, "it is known by now");
        chess.restart();
        assert_eq!(chess.verdict(false, 0.0), 0);
    }
}
