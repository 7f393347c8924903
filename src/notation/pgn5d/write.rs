//! Writes games, actions and moves as canonical 5DPGN.

use std::fmt::Write;

use super::{MAX_NESTING, Marks, check_mark};
use crate::notation::common::describe::{arrow, castling, is_capture, piece_at, push_square, write_board};
use crate::notation::common::start::{self, is_reserved};
use crate::notation::common::{Game, Loss, Note, Notes, Written, glyph_mark, header};
use crate::state::Position;
use crate::types::{Action, Color, Move, MoveKind, PieceKind};

pub(super) fn game(game: &Game, marks: Marks) -> Written {
    let mut writer = Writer { text: String::new(), losses: Vec::new(), marks, kept: 0 };
    headers(&mut writer.text, game, &mut writer.losses);
    let mut position = game.start.clone();
    let mut place = Place { number: 1, depth: 0, is_clear: true };
    writer.line(&mut position, &game.actions, &game.notes, &mut place);
    let Writer { mut text, losses, .. } = writer;
    if let Some(result) = game.result {
        text.push_str(if text.ends_with('\n') { "" } else { " " });
        text.push_str(result.text());
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Written::new(text, losses)
}

/// Writes the actions of a game and of its variations.
struct Writer {
    text: String,
    losses: Vec<Loss>,
    marks: Marks,
    /// The length of the text up to the end of the last comment after `;`, whose line end and blanks stay.
    kept: usize,
}

/// A place in the text of a line.
struct Place {
    /// The number of the next action.
    number: usize,
    /// The number of variations around it.
    depth: usize,
    /// Whether a variation or the beginning of the line stands before it, so that Black's action needs its number.
    is_clear: bool,
}

impl Writer {
    /// Writes a line from this position on, and takes its actions back.
    fn line(&mut self, position: &mut Position, actions: &[Action], notes: &Notes, place: &mut Place) {
        for (index, action) in actions.iter().enumerate() {
            self.note(position, notes.get(&index), place);
            // Writing to a string cannot fail, here and below.
            let _ = match (position.to_move(), place.is_clear) {
                (Color::White, _) => write!(self.text, "{}. ", place.number),
                (Color::Black, true) => write!(self.text, "{}b. ", place.number),
                (Color::Black, false) => write!(self.text, " / "),
            };
            place.is_clear = false;
            self.text.push_str(&action_text(position, action));
            position.play_unchecked(action);
            if self.marks == Marks::Check {
                self.text.push_str(check_mark(position));
            }
            let glyphs = notes.get(&(index + 1)).map_or(&[][..], |note| &note.glyphs);
            self.text.push_str(glyphs.first().and_then(|&number| glyph_mark(number)).unwrap_or_default());
            place.number += usize::from(position.to_move() == Color::White);
            if position.to_move() == Color::White {
                self.end_of_turn(place);
            }
        }
        self.note(position, notes.get(&actions.len()), place);
        for action in actions.iter().rev() {
            position.undo_unchecked(action);
        }
    }

    /// Ends the turn of both players: with a line end in the game, with a blank in a variation.
    fn end_of_turn(&mut self, place: &Place) {
        self.text.push(if place.depth == 0 { '\n' } else { ' ' });
    }

    /// Writes the note before the next action, except for a mark that was written with the action before.
    fn note(&mut self, position: &mut Position, note: Option<&Note>, place: &mut Place) {
        let Some(note) = note.filter(|note| !note.is_empty()) else { return };
        let begins = place.is_clear;
        let is_marked =
            |(index, number): (usize, &u8)| index == 0 && !begins && glyph_mark(*number).is_some();
        let glyphs = note.glyphs.iter().enumerate().filter(|&glyph| !is_marked(glyph));
        let mut words: Vec<String> = glyphs.map(|(_, number)| format!("${number}")).collect();
        words.extend(note.comments.iter().map(|text| self.comment(text)));
        let ends_turn = self.text.ends_with(['\n', ' ']) && !begins;
        if !words.is_empty() {
            if !begins {
                self.trim();
                self.text.push(' ');
            }
            self.text.push_str(&words.join(" "));
            if self.text.ends_with('\n') {
                self.kept = self.text.len();
            }
        }
        for variation in &note.variations {
            let depth = place.depth + 1;
            if !self.text.ends_with('(') {
                self.trim();
                self.begin_row(place);
            }
            self.text.push('(');
            let mut within = Place { number: place.number, depth, is_clear: true };
            self.line(position, &variation.actions, &variation.notes, &mut within);
            self.trim();
            if let Some(result) = variation.result {
                self.text.push(' ');
                self.text.push_str(result.text());
            }
            self.text.push(')');
            place.is_clear = true;
        }
        if !note.variations.is_empty() {
            self.begin_row(place);
        } else if ends_turn || begins {
            self.end_of_turn(place);
        }
    }

    /// Takes off the blanks and line ends at the end, except those of a comment.
    fn trim(&mut self) {
        let length = self.text.trim_end_matches([' ', '\n']).len();
        self.text.truncate(length.max(self.kept));
    }

    /// Begins a row for a variation, or for what follows one.
    fn begin_row(&mut self, place: &Place) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.extend(std::iter::repeat_n(' ', 2 * place.depth));
    }

    /// A comment in braces, or after `;` if its own braces are not in pairs.
    fn comment(&mut self, text: &str) -> String {
        if has_paired_braces(text) {
            return format!("{{{text}}}");
        }
        if !text.contains(['\n', '\r']) {
            return format!(";{text}\n");
        }
        self.losses.push(Loss::new("the braces of a comment, which are not in pairs"));
        format!("{{{}}}", text.replace('{', "(").replace('}', ")"))
    }
}

/// Whether a text can stand in braces: its own are in pairs, and not nested too deeply.
fn has_paired_braces(text: &str) -> bool {
    let mut depth = 0;
    let is_within = |brace: char| {
        depth += if brace == '{' { 1 } else { -1 };
        (0..MAX_NESTING as isize).contains(&depth)
    };
    text.chars().filter(|c| matches!(c, '{' | '}')).all(is_within) && depth == 0
}

fn headers(text: &mut String, game: &Game, losses: &mut Vec<Loss>) {
    let variant = start::variant(game);
    let name = game.name.as_deref().or(variant.map(|variant| variant.name)).unwrap_or("custom");
    start::write_headers(text, name, &game.start);
    for (key, value) in &game.headers {
        header::write_kept(text, (key, value), is_reserved(key, value), losses);
    }
    if variant.is_none() {
        let _ = writeln!(text, "{}", game.start);
    }
}

pub(super) fn action_text(position: &Position, action: &Action) -> String {
    let mut text = String::new();
    for (index, m) in action.moves().iter().enumerate() {
        text.push_str(if index == 0 { "" } else { " " });
        // Every board that an action leaves or enters exists before the action begins.
        write_move(&mut text, position, m);
    }
    text
}

pub(super) fn move_text(position: &Position, m: &Move) -> String {
    let mut text = String::new();
    write_move(&mut text, position, m);
    text
}

pub(super) fn write_move(text: &mut String, position: &Position, m: &Move) {
    write_board(text, position, m.from.board);
    write_start(text, position, m);
}

/// Appends a move without its board.
pub(super) fn write_start(text: &mut String, position: &Position, m: &Move) {
    let (from, to) = (m.from.square, m.to.square);
    let piece = piece_at(position, m.from).map(|piece| piece.kind);
    if let Some(castling) = castling(position, m) {
        text.push_str(castling);
        return;
    }
    let physical = m.kind == MoveKind::Physical;
    if let Some(kind) = piece.filter(|&kind| !(physical && kind == PieceKind::Pawn)) {
        text.push(kind.letter());
    }
    push_square(text, from);
    text.push_str(arrow(m.kind));
    if is_capture(position, m) {
        text.push('x');
    }
    if !physical {
        write_board(text, position, m.to.board);
    }
    push_square(text, to);
    if let Some(kind) = m.promotion {
        text.push('=');
        text.push(kind.letter());
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::pgn5d::{Marks, parse, write};
    use crate::notation::{Loss, Note};

    #[test]
    fn canonical_text_is_written_back_byte_for_byte() {
        for text in [
            "[Board \"Standard\"]\n[Mode \"5D\"]\n\
             1. (0T1)e2e3 / (0T1)f7f6\n2. (0T2)Nb1>>(0T1)b3 / (1T1)a7a6\n\
             3. (1T2)c2c3 / (0T2)Nb8c6 (1T2)Nb8c6\n4. (0T3)Qd1h5 (1T3)Qd1c2 *\n",
            "[Board \"custom\"]\n[Mode \"5D\"]\n[Size \"5x5\"]\n[Promotions \"Q,N\"]\n[White \"a \\\"b\\\" \\\\\"]\n\
             [4k/P4/5/p4/4K:-0:1:w]\n[4k/5/5/5/4K:+0:1:w]\n1. (-0T1)a4a5=N (+0T1)Ke1e2\n",
            "[Board \"custom\"]\n[Mode \"5D\"]\n[Size \"3x3\"]\n[2k/3/K2:0:1:b]\n1b. (0T1)Kc3c2\n1/2-1/2\n",
            "[Board \"Standard\"]\n[Mode \"5D\"]\n",
            "[Board \"Standard\"]\n[Mode \"5D\"]\n0-1\n",
            "[Board \"Standard\"]\n[Mode \"5D\"]\n{the {usual} start}\n(1. (0T1)d2d4?! $140 {%csl Rd4} 1-0)\n\
             (1. (0T1)c2c4 / (0T1)e7e5 2. (0T2)d2d3)\n1. (0T1)e2e4! {best}\n(1b. (0T1)d7d5)\n1b. (0T1)e7e5\n\
             2. (0T2)Ng1f3 / (0T2)Nb8c6 ;{ or :)\n\n3. (0T3)Bf1b5 {a}\n(3b. (0T3)a7a6\n  (4. (0T4)Bb5a4)\n  4. (0T4)Bb5xc6 {b})\n0-1\n",
            "[Board \"Standard\"]\n[Mode \"5D\"]\n(;y} \n  (1. (0T1)c2c4)\n  1. (0T1)e2e4 ;} \n)\n1. (0T1)d2d4 ;} \n / (0T1)d7d5\n",
        ] {
            assert_eq!(write(&parse(text).into_result().unwrap(), Marks::None).into_text(), text);
        }
    }

    #[test]
    fn a_comment_whose_braces_cannot_stand_in_braces_is_changed_with_a_loss() {
        let mut game = parse("1. e4 {a} ;}\n / e5").into_result().unwrap();
        assert_eq!(game.notes[&1].comments, ["a", "}"]);
        game.notes.insert(2, Note::comment("}\n{"));
        let written = write(&game, Marks::None);
        assert_eq!(written.losses, [Loss::new("the braces of a comment, which are not in pairs")]);
        assert!(written.into_text().ends_with("1. (0T1)e2e4 {a} ;}\n / (0T1)e7e5 {)\n(}\n"));
    }

    #[test]
    fn marks_say_how_the_opponent_stands() {
        let marked = |text: &str| write(&parse(text).into_result().unwrap(), Marks::Check).into_text();
        assert!(marked("1. e3 / f6 2. Qe2 / Nc6 3. Qh5").ends_with("3. (0T3)Qe2h5#\n"));
        assert!(marked("1. f3 / e6 2. g4 / Qh4").ends_with(" / (0T2)Qd8h4*\n"));
        assert!(marked("1. e4 / d6 2. Bb5").ends_with("2. (0T2)Bf1b5+\n"));
        assert!(marked("1. e4").ends_with("1. (0T1)e2e4\n"));
    }

    #[test]
    fn a_name_of_its_own_keeps_its_boards() {
        let text = "[Board \"Opposing Triangles\"]\n[Mode \"5D\"]\n[Size \"2x2\"]\n[k1/1K:0:1:w]\n";
        assert_eq!(write(&parse(text).into_result().unwrap(), Marks::None).into_text(), text);
        // Sources disagree about these boards, so they are written in addition to the name.
        let practice =
            write(&parse("[Board \"Checkmate Practice - Queen\"]").into_result().unwrap(), Marks::None)
                .into_text();
        assert!(practice.starts_with("[Board \"custom\"]") && practice.contains(":0:1:w]"));
    }
}
