//! Output of the object API: objects, arrays of numbers, notations, drawings.

use super::error::Error;
use super::game::{Chess, Played};
use crate::notation::Game;
use crate::notation::chessjs::input::write_raw;
use crate::notation::chessjs::schema::{self, Board};
use crate::notation::chessjs::{self, Edition, Layout, Numbering, Raw, frames, turn_offset};
use crate::notation::pgn5d::{self, Tokens, brief};
use crate::rules::variants::{self, VARIANTS};
use crate::state::Position;
use crate::types::{Color, Move, Parity, Promotions};

/// A notation in which moves and games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// 5DPGN, as 1.2.1 writes it.
    Pgn5d(Tokens),
    /// The notation of 0.3.6.
    Full,
    /// The notation of 0.3.6 without its optional parts.
    Short,
}

impl Chess {
    /// The boards now, with the moves of the action under way.
    pub fn board(&self) -> Board {
        let untouched = self.untouched_now();
        Board::seen(self.under_way.position(), &untouched, self.numbering(), self.action_number())
    }

    /// The boards at the start and after each action.
    pub fn board_history(&self) -> Vec<Board> {
        let numbering = self.numbering();
        let mut boards = Vec::new();
        self.walk(|index, position, untouched| {
            boards.push(Board::seen(position, untouched, numbering, self.number_of(index)));
        });
        boards
    }

    /// The unmoved pieces now.
    fn untouched_now(&self) -> chessjs::Untouched {
        let mut untouched = self.walk(|_, _, _| {});
        let mut position = self.begun.clone();
        for m in self.under_way.moves() {
            untouched.follow(&position, m);
            position.push(m);
        }
        untouched
    }

    /// The boards now as numbers.
    ///
    /// # Errors
    ///
    /// When the edition is 0.3.6, which does not have numbers for all boards.
    pub fn raw_board(&self) -> Result<Raw, Error> {
        match self.edition {
            Edition::Current => {
                let untouched = self.untouched_now();
                let zero = self.begins_at_turn_zero();
                Ok(Raw::seen(self.under_way.position(), &untouched, self.numbering(), zero))
            }
            Edition::Readme => Raw::of_library(&self.game()?).ok_or(Error::NoNumbers),
        }
    }

    /// The boards at the start and after each action, as numbers.
    ///
    /// # Errors
    ///
    /// The same as those of [`Chess::raw_board`].
    pub fn raw_board_history(&self) -> Result<Vec<Raw>, Error> {
        let mut raws = Vec::new();
        if self.edition == Edition::Readme {
            let game = self.game()?;
            for actions in 0..=game.actions.len() {
                raws.push(Raw::of_library(&game.until(actions)).ok_or(Error::NoNumbers)?);
            }
            return Ok(raws);
        }
        let (numbering, zero) = (self.numbering(), self.begins_at_turn_zero());
        self.walk(|_, position, untouched| raws.push(Raw::seen(position, untouched, numbering, zero)));
        Ok(raws)
    }

    /// The moves of each action as numbers, as JSON.
    pub fn raw_action_history(&self) -> String {
        let mut parts = Vec::new();
        self.walk(|index, position, _| {
            let Some(played) = self.history.get(index) else { return };
            parts.push(self.raw_moves(position, &played.moves));
        });
        format!("[{}]", parts.join(","))
    }

    /// The moves of the action under way as numbers, as JSON.
    pub fn raw_move_buffer(&self) -> String {
        self.raw_moves(&self.begun, self.under_way.moves())
    }

    /// The JSON, as numbers, of moves that are made one after another in a position.
    ///
    /// # Panics
    ///
    /// When they cannot be made there.
    pub fn raw_moves(&self, position: &Position, moves: &[Move]) -> String {
        let (numbering, zero) = (self.numbering(), self.begins_at_turn_zero());
        let mut text = String::from("[");
        for (index, m) in moves.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { "," });
            write_raw(&mut text, position, m, numbering, zero);
        }
        text.push(']');
        text
    }

    /// The moves of the action under way.
    pub fn move_buffer(&self) -> Vec<schema::Move> {
        self.move_objects(&self.begun, self.under_way.moves())
    }

    /// The objects of moves that are made one after another in a position.
    ///
    /// # Panics
    ///
    /// When they cannot be made there.
    pub fn move_objects(&self, position: &Position, moves: &[Move]) -> Vec<schema::Move> {
        self.numbering().move_objects(position, moves)
    }

    /// The object of one move that is possible in a position.
    ///
    /// # Panics
    ///
    /// When it cannot be made there.
    pub fn move_object(&self, position: &Position, m: &Move) -> schema::Move {
        self.numbering().move_object(position, m)
    }

    /// The actions of the game. An action that ends with a pass has the moves before it.
    pub fn action_history(&self) -> Vec<schema::Action> {
        let mut actions = Vec::new();
        self.walk(|index, position, _| {
            let Some(played) = self.history.get(index) else { return };
            actions.push(schema::Action {
                action: self.number_of(index),
                player: position.to_move(),
                moves: self.move_objects(position, &played.moves),
            });
        });
        actions
    }

    /// The actions of the game as JSON of Action objects, which [`Chess::import`] reads. An action that ends
    /// with a pass has the extra key `pass`.
    pub fn export_json(&self) -> String {
        self.actions_json(self.numbering())
    }

    /// Actions as JSON. One that ends with a pass has an extra key.
    pub(super) fn actions_json(&self, numbering: Numbering) -> String {
        let mut parts = Vec::new();
        self.walk(|index, position, _| {
            let Some(Played { moves, passes }) = self.history.get(index) else { return };
            let moves = self.moves_json(position, moves, numbering);
            let pass = if *passes { ",\"pass\":true" } else { "" };
            let (number, player) = (self.number_of(index), position.to_move());
            parts.push(format!("{{\"action\":{number},\"player\":\"{player}\",\"moves\":{moves}{pass}}}"));
        });
        format!("[{}]", parts.join(","))
    }

    pub(super) fn moves_json(&self, position: &Position, moves: &[Move], numbering: Numbering) -> String {
        let objects = numbering.move_objects(position, moves);
        let parts: Vec<String> = objects.iter().map(|m| m.write_for(numbering.edition)).collect();
        format!("[{}]", parts.join(","))
    }

    /// The game as text, without the action under way.
    ///
    /// # Errors
    ///
    /// When a player has passed.
    pub fn export(&self, text: Text) -> Result<String, Error> {
        let game = self.game()?;
        Ok(match text {
            Text::Full => chessjs::write(&game, Layout::Full).into_text(),
            Text::Short => chessjs::write(&game, Layout::Short).into_text(),
            Text::Pgn5d(tokens) => {
                let made = self.history.iter().map(|played| &played.moves[..]);
                self.head() + &brief::actions_text(&self.start.start, made, tokens)
            }
        })
    }

    /// The headers and the boards of the start.
    fn head(&self) -> String {
        let game = Game { actions: Vec::new(), result: None, ..self.start.clone() };
        let name = self.variant().filter(|name| KNOWN.iter().any(|(known, _)| known == name));
        let start = &self.start.start;
        let mut text = format!("[Board \"{}\"]\n[Mode \"5D\"]\n", name.unwrap_or("Custom"));
        // The canonical text has the other headers, in order.
        let canonical = pgn5d::write(&game, pgn5d::Marks::None).into_text();
        let usual = Chess::usual_promotions(Edition::Current, start);
        let promotions = self.history.iter().flat_map(|played| &played.moves).filter_map(|m| m.promotion);
        // Other programs allow only queens unless a header lists other promotions.
        let becomes_other = promotions.into_iter().any(|kind| !Promotions::QUEEN.contains(kind));
        if start.profile().promotions != usual || becomes_other {
            text.push_str(&format!("[Promotions \"{}\"]\n", start.profile().promotions));
        }
        let own = ["[Board ", "[Mode ", "[Promotions "];
        for line in canonical.lines().filter(|line| line.ends_with("\"]")) {
            if !own.iter().any(|own| line.starts_with(own)) {
                text.push_str(line);
                text.push('\n');
            }
        }
        if name.is_none() {
            text.push_str(&self.fen(false));
        }
        text
    }

    /// The name of the start, if it has one.
    pub fn variant(&self) -> Option<&'static str> {
        let found = variants::by_setup(&self.start.start.to_setup())?;
        (!self.is_custom).then_some(found.name)
    }

    /// The text of a move that is possible now. In the notation of 0.3.6 it has the number of the action
    /// under way.
    ///
    /// # Panics
    ///
    /// When it is not possible.
    pub fn move_text(&self, m: &Move, text: Text) -> String {
        self.move_text_in(self.under_way.position(), m, text)
    }

    /// The text of a move that is possible in a position.
    ///
    /// # Panics
    ///
    /// When it cannot be made there.
    pub fn move_text_in(&self, position: &Position, m: &Move, text: Text) -> String {
        let layout = match text {
            Text::Pgn5d(tokens) => return brief::move_text(position, m, tokens),
            Text::Full => Layout::Full,
            Text::Short => Layout::Short,
        };
        let player = position.to_move();
        // A check is a move of the next action.
        let later = u32::from(player == Color::White && self.player() == Color::Black);
        let mut written = format!("{}{}. ", self.action_number() + later, player.letter());
        let created = position.multiverse().next_timeline(player);
        let offset = turn_offset(&self.start.start);
        chessjs::write_move(&mut written, position, m, created, layout, offset);
        written
    }

    /// The text of moves that are made one after another in a position: blanks between them in 5DPGN, line
    /// ends in the notation of 0.3.6.
    ///
    /// # Panics
    ///
    /// When they cannot be made there.
    pub fn action_text(&self, position: &Position, moves: &[Move], text: Text) -> String {
        let mut parts = Vec::with_capacity(moves.len());
        let mut later: Option<Position> = None;
        for (index, m) in moves.iter().enumerate() {
            let now = later.as_ref().unwrap_or(position);
            parts.push(self.move_text_in(now, m, text));
            if index + 1 < moves.len() {
                later.get_or_insert_with(|| position.clone()).push(m);
            }
        }
        parts.join(if matches!(text, Text::Pgn5d(_)) { " " } else { "\n" })
    }

    /// The boards as 5DFEN, one in each line: the present ones if `now`, or those of the start.
    pub fn fen(&self, now: bool) -> String {
        let position = if now { self.under_way.position() } else { &self.start.start };
        let mut text = String::new();
        for (at, board) in position.multiverse().boards() {
            let plus = if position.parity() == Parity::Odd && at.timeline.0 > 0 { "+" } else { "" };
            let (label, turn) = (position.parity().label(at.timeline), at.half_turn.turn());
            text.push_str(&format!("[{}:{plus}{label}:{turn}:{}]\n", board.rows(), at.color().letter()));
        }
        text
    }

    /// A drawing: the player to move, the moves of the action under way, and the boards in frames with their
    /// indices.
    pub fn print(&self) -> String {
        let player = self.player().name();
        let mut text = format!("Current Player: {player}\nAction Number: {}\n", self.action_number());
        if self.undoable() {
            text.push_str("Move Stack:\n");
        }
        let mut position = self.begun.clone();
        for m in self.under_way.moves() {
            let layout = match self.edition {
                Edition::Current => Text::Pgn5d(Tokens::default()),
                Edition::Readme => Text::Full,
            };
            text.push_str(&format!("  {}\n", self.move_text_in(&position, m, layout)));
            position.push(m);
        }
        let (numbering, zero) = (self.numbering(), self.begins_at_turn_zero());
        frames::draw(&mut text, &position, |at| {
            let turn = numbering.turn_index(at.half_turn, zero).unwrap_or(0);
            format!("{},{turn}", numbering.timeline_index(at.timeline))
        });
        text
    }
}

/// The names that 1.2.1 knows, each with its short name.
const KNOWN: [(&str, &str); 7] = [
    ("Standard", "standard"),
    ("Standard - Defended Pawn", "defended_pawn"),
    ("Standard - Half Reflected", "half_reflected"),
    ("Standard - Princess", "princess"),
    ("Standard - Turn Zero", "turn_zero"),
    ("Standard - Two Timelines", "two_timelines"),
    ("Standard - Reversed Royalty", "reversed_royalty"),
];

/// Every variant: its name, and a short name that is also accepted.
pub fn names() -> impl Iterator<Item = (&'static str, String)> {
    VARIANTS.iter().map(|variant| {
        let known = KNOWN.iter().find(|(name, _)| *name == variant.name);
        let short = known.map_or_else(|| shortened(variant.name), |(_, short)| (*short).to_owned());
        (variant.name, short)
    })
}

/// `Standard - Only Bishops` as `standard_only_bishops`.
fn shortened(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}
