//! Games with comments, judgements and variations, as texts. Begin at [`read_tree`].

use wasm_bindgen::prelude::wasm_bindgen;
use worldlines::chessjs::{self, Edition};
use worldlines::notation::pgn5d::{self, Marks};
use worldlines::notation::{Format, Game, GameResult, Note, Notes, Options, Parsed, Variation};
use worldlines::state::Position;
use worldlines::types::{Action, Promotions};

use crate::chess::list;
use crate::fault::{Fault, write_string};
use crate::tools::format_of;

/// The most variations within each other that are written.
const DEEPEST: usize = pgn5d::MAX_NESTING;

fn quoted(text: &str) -> String {
    let mut json = String::new();
    write_string(&mut json, text);
    json
}

/// A game with everything beside its actions: `{"start","from","line","losses","warnings"}`. A line is
/// `{"actions","notes","result"}`, without `result` if the text gives none, and a note
/// `{"after","glyphs","comments","variations"}` belongs to the position after so many actions of its line. Variations are
/// lines that leave there.
#[wasm_bindgen(js_name = readTree)]
pub fn read_tree(text: &str, from: Option<String>) -> Result<String, Fault> {
    let from = match from {
        Some(name) => format_of(&name)?,
        None => Format::detect(text.as_bytes()).ok_or_else(|| {
            Fault::new("unknown-format", "it cannot be told which notation this is: say it", None)
        })?,
    };
    let mut parsed = from.parse(text.as_bytes(), &Options::default());
    if parsed.error.is_some()
        && from == Format::Pgn5d
        && let Some(again) = with_usual_promotions(text)
    {
        parsed = again;
    }
    if let Some(error) = &parsed.error {
        return Err(Fault::of_text(error, text));
    }
    let losses: Vec<String> = parsed.losses.iter().map(|loss| quoted(&loss.what)).collect();
    let warnings: Vec<String> = parsed.warnings.iter().map(|warning| quoted(&warning.message)).collect();
    let game = parsed.into_result().map_err(|error| Fault::of_text(&error, text))?;
    let start = Game { result: None, ..game.until(0).without_notes() };
    let line = line_json(&mut game.start.clone(), &game.actions, &game.notes, game.result);
    Ok(format!(
        "{{\"start\":{},\"from\":\"{}\",\"line\":{line},\"losses\":{},\"warnings\":{}}}",
        quoted(&record_of(&start, Marks::None)),
        from.name(),
        list(losses.into_iter()),
        list(warnings.into_iter())
    ))
}

/// The text of a game in 5DPGN, with its promotions. Usually a text without them means that pawns become queens; this package reads it as
/// 5d-chess-js does, so that they become the pieces that are on the boards.
pub(crate) fn record_of(game: &Game, marks: Marks) -> String {
    let text = pgn5d::write(game, marks).into_text();
    if game.start.profile().promotions == Promotions::QUEEN {
        format!("[Promotions \"Q\"]\n{text}")
    } else {
        text
    }
}

/// The game of a text under the promotions that 5d-chess-js has where a text gives none.
fn with_usual_promotions(text: &str) -> Option<Parsed> {
    let usual = chessjs::Chess::import(Edition::Current, text, None).ok()?;
    let head = format!("[Promotions \"{}\"]\n", usual.position().profile().promotions);
    let parsed = pgn5d::parse(&(head + text));
    parsed.error.is_none().then_some(parsed)
}

/// A line that begins in this position, which is the same afterwards.
fn line_json(
    position: &mut Position,
    actions: &[Action],
    notes: &Notes,
    result: Option<GameResult>,
) -> String {
    let (mut texts, mut noted, mut undone) = (Vec::new(), Vec::new(), Vec::new());
    for after in 0..=actions.len() {
        if let Some(note) = notes.get(&after) {
            let variations = note
                .variations
                .iter()
                .map(|line| line_json(position, &line.actions, &line.notes, line.result));
            let variations = list(variations);
            noted.push(format!(
                "{{\"after\":{after},\"glyphs\":{},\"comments\":{},\"variations\":{variations}}}",
                list(note.glyphs.iter().map(u8::to_string)),
                list(note.comments.iter().map(|comment| quoted(comment)))
            ));
        }
        if let Some(action) = actions.get(after) {
            texts.push(quoted(&pgn5d::action_text(position, action)));
            undone.push(position.play(action).expect("the actions of a game are legal"));
        }
    }
    for undo in undone.into_iter().rev() {
        position.undo(undo).expect("an action that was played is taken back");
    }
    let result = result.map_or_else(String::new, |result| format!(",\"result\":\"{}\"", result.text()));
    format!("{{\"actions\":{},\"notes\":{}{result}}}", list(texts.into_iter()), list(noted.into_iter()))
}

/// A line in the course of being put together.
struct Line {
    position: Position,
    actions: Vec<Action>,
    notes: Notes,
    result: Option<GameResult>,
}

impl Line {
    fn new(position: Position) -> Line {
        Line { position, actions: Vec::new(), notes: Notes::new(), result: None }
    }

    fn note(&mut self) -> &mut Note {
        self.notes.entry(self.actions.len()).or_default()
    }
}

/// The text of a game with notes: `{"text","losses"}`. `start` is the text of its start. Parts follow each other as in the
/// text of a game: `a` and an action, `c` and a comment, `g` and the number of a judgement, `r` and the result of the line,
/// `(` and `)` around a variation, which takes the place of the action after it.
#[wasm_bindgen(js_name = writeTree)]
pub fn write_tree(start: &str, parts: Vec<String>, to: &str) -> Result<String, Fault> {
    let to = format_of(to)?;
    let begun = chessjs::Chess::import(Edition::Current, start, None);
    let begun = begun.and_then(|chess| chess.game()).map_err(|error| Fault::of(&error, start))?;
    let wrong = |what: &str| Fault::new("not-a-tree", what, None);
    let mut outer: Vec<Line> = Vec::new();
    let mut line = Line::new(begun.end());
    for part in &parts {
        let kind = part.chars().next().unwrap_or(' ');
        let rest = &part[kind.len_utf8().min(part.len())..];
        match kind {
            'a' => {
                let action = pgn5d::parse_action(&line.position, rest)
                    .map_err(|error| Fault::of_text(&error, rest))?;
                line.position.play(&action).map_err(|error| wrong(&error.to_string()))?;
                line.actions.push(action);
            }
            'c' => line.note().comments.push(rest.to_owned()),
            'g' => {
                let number = rest.parse().map_err(|_| wrong("a judgement has a number from 0 to 255"))?;
                line.note().glyphs.push(number);
            }
            'r' => {
                let result = GameResult::from_text(rest);
                line.result = Some(result.ok_or_else(|| wrong("a result is 1-0, 0-1, 1/2-1/2 or *"))?);
            }
            '(' if outer.len() >= DEEPEST => {
                return Err(wrong(&format!("variations lie more than {DEEPEST} deep in each other")));
            }
            '(' => {
                let inner = Line::new(line.position.clone());
                outer.push(std::mem::replace(&mut line, inner));
            }
            ')' => {
                let around = outer.pop().ok_or_else(|| wrong("a variation ends that did not begin"))?;
                let Line { actions, notes, result, .. } = std::mem::replace(&mut line, around);
                if actions.is_empty() {
                    return Err(wrong("a variation has at least one action"));
                }
                line.note().variations.push(Variation { actions, notes, result });
            }
            _ => return Err(wrong("a part begins with one of a, c, g, r, ( and )")),
        }
    }
    if !outer.is_empty() {
        return Err(wrong("a variation is not closed"));
    }
    let game = Game { actions: line.actions, notes: line.notes, result: line.result, ..begun };
    let written = to.write(&game).map_err(|error| Fault::new("unwritable", &error.reason, None))?;
    let Ok(text) = worldlines::notation::text_of(&written.bytes) else {
        return Err(Fault::new("binary", "this format is not text", None));
    };
    let losses = list(written.losses.iter().map(|loss| quoted(&loss.what)));
    Ok(format!("{{\"text\":{},\"losses\":{losses}}}", quoted(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(list: &[&str]) -> Vec<String> {
        list.iter().map(|part| (*part).to_owned()).collect()
    }

    #[test]
    fn a_tree_is_read_and_written() {
        let text = "{first} 1. e4! {good} (1. d4 $2 / d5 (1... Nf6)) / e5 {[%cal Ge2e4]}";
        let read = read_tree(text, None).ok().unwrap();
        assert!(
            read.contains("\"from\":\"5dpgn\",\"line\":{\"actions\":[\"(0T1)e2e4\",\"(0T1)e7e5\"]"),
            "{read}"
        );
        assert!(read.contains("\"comments\":[\"first\"]") && read.contains("[%cal Ge2e4]"), "{read}");
        assert!(read.contains("\"variations\":[{\"actions\":[\"(0T1)Ng8f6\"],\"notes\":[]}]"), "{read}");
        let given = parts(&["cfirst", "(", "ad4", "g2", "ad5", ")", "ae4", "g1", "cgood } here", "ae5"]);
        let written = write_tree("[Board \"Standard\"]", given, "5dpgn").ok().unwrap();
        for part in ["{first}", "(1. (0T1)d2d4?", "1. (0T1)e2e4! ;good } here"] {
            assert!(written.contains(part), "{part}: {written}");
        }
        let results = parts(&["(", "ad4", "r1-0", ")", "ae4", "r0-1"]);
        let written = write_tree("[Board \"Standard\"]", results, "5dpgn").ok().unwrap();
        assert!(written.contains("d2d4 1-0)") && written.contains("e2e4 0-1"), "{written}");
        let read = read_tree("1. e4 (1. d4 1-0) / e5 0-1", None).ok().unwrap();
        assert!(
            read.contains("\"notes\":[],\"result\":\"1-0\"}") && read.contains("],\"result\":\"0-1\"}"),
            "{read}"
        );
        let lost = write_tree("[Board \"Standard\"]", parts(&["ae4", "cgood"]), "raw").ok().unwrap();
        assert!(lost.contains("\"a comment\"]"), "{lost}");
    }

    /// A pawn becomes a queen where no queen is on the boards.
    #[test]
    fn a_record_keeps_the_promotions() {
        let game = pgn5d::parse("[Board \"custom\"]\n[4k/P4/5/5/K1N2:0:1:w]\n1. a5=Q").into_result().unwrap();
        let record = record_of(&game, Marks::None);
        let again = chessjs::Chess::import(Edition::Current, &record, None).ok().unwrap();
        assert_eq!(again.position().profile().promotions, Promotions::QUEEN, "{record}");
    }

    #[test]
    fn promotions_of_the_pieces_on_the_board_are_read() {
        let text = "[Board \"custom\"]\n[4k/P4/5/5/K1N2:0:1:w]\n1. a5=N {so}";
        let read = read_tree(text, None).ok().unwrap();
        assert!(read.contains("a4a5=N") && read.contains("Promotions") && read.contains("so"), "{read}");
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        for bad in ["1. e4 (1. d4", "what?", "1. e4 / e6 2. Ke3"] {
            assert!(read_tree(bad, None).is_err(), "{bad}");
        }
        let bad: [&[&str]; 8] = [&["x"], &[""], &[")"], &["("], &["(", ")"], &["g999"], &["r2-0"], &["ae5"]];
        for parts_given in bad {
            assert!(
                write_tree("[Board \"Standard\"]", parts(parts_given), "5dpgn").is_err(),
                "{parts_given:?}"
            );
        }
        assert!(write_tree("[Board \"Standard\"]", vec!["(".to_owned(); 1000], "5dpgn").is_err());
    }
}
