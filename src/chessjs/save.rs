//! Saves the whole state of a game as one text, including the action under way.

use super::game::Chess;
use crate::notation::chessjs::input::write_string;
use crate::notation::chessjs::{Edition, Numbering};
use crate::notation::pgn5d::{self, Marks};
use crate::notation::{Game, fen5d};

impl Chess {
    /// The state as JSON that [`Chess::import`] reads: all but the [`Chess::steps`],
    /// [`Chess::skip_detection`] and the edition.
    pub fn save(&self) -> String {
        let mut text = String::from("{\"saved\":");
        let start = Game { actions: Vec::new(), result: None, ..self.start.clone() };
        let mut record = pgn5d::write(&start, Marks::None).into_text();
        // Boards are clearer than a name that stands for other boards in other programs.
        if !record.contains(":w]") && !record.contains(":b]") {
            record.push_str(&fen5d::write(&start.start));
        }
        write_string(&mut text, &record);
        text.push_str(",\"moved\":[");
        for (index, at) in self.start.also_moved.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { "," });
            write_string(&mut text, &at.to_string());
        }
        text.push_str(if self.is_custom { "],\"custom\":true" } else { "],\"custom\":false" });
        text.push_str(",\"actions\":");
        // This edition has numbers for every game.
        let numbering = Numbering::of(Edition::Current, &self.start.start);
        text.push_str(&self.actions_json(numbering));
        text.push_str(",\"moves\":");
        text.push_str(&self.moves_json(&self.begun, self.under_way.moves(), numbering));
        text.push('}');
        text
    }
}
