//! Texts of another program keep their meaning when they are written and read again.
//!
//! They are answers, recordings, files of figures and of known differences. An answer about another position
//! counts for nothing.

use std::time::Duration;

use arbitrary::Result;
use worldlines::notation::Game;
use worldlines::oracle::known::Known;
use worldlines::oracle::record::{self, Record};
use worldlines::oracle::{
    Answer, Class, Difference, Feature, Manifest, Oracle, Own, Program, Question as Asked, compare,
    move_text, read_answer,
};
use worldlines::rules::variants;
use worldlines::state::Position;

use super::assert_printable;
use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 1_000, "oracle", Source::Oracles);

/// The search steps for one figure.
const STEPS: u64 = 2_000;

fn run(bytes: &[u8]) -> Result<()> {
    let text = String::from_utf8_lossy(bytes);
    let own = Own::new(None, STEPS);
    let start = |name| {
        let variant = variants::by_name(name).expect("a variant");
        Position::from_setup(&variant.setup()).expect("variants are positions")
    };
    for name in ["Very Small - Open", "Standard - Two Timelines"] {
        answer(&text, &own, start(name), compare);
    }
    if let Ok(mut program) = Program::replay(&text) {
        let game = Game::new(start("Very Small - Open"), Vec::new());
        // A recording has an answer to everything.
        program.ask(&asked(&game, &game.start));
    }
    let _ = Known::read(&text);
    if let Ok(records) = record::read(&text, |_| Err("there is no file".to_owned())) {
        for record in &records {
            written(record);
        }
    }
    Ok(())
}

fn asked<'a>(game: &'a Game, position: &'a Position) -> Asked<'a> {
    Asked { game, position, cap: 50, tries: &[], time: Duration::from_secs(1) }
}

type Compare = fn(&Asked<'_>, &worldlines::oracle::Figures, &Manifest, &Answer) -> Vec<Difference>;

/// Checks an answer about a position.
fn answer(text: &str, own: &Own, start: Position, compare: Compare) {
    let game = Game::new(start, Vec::new());
    let question = asked(&game, &game.start);
    let answer = read_answer(text, &question);
    let expected = own.figures(&game.start, question.cap);
    let differences = compare(&question, &expected, own.manifest(), &answer);
    for difference in &differences {
        for action in difference.missing.iter().chain(&difference.extra) {
            // Every action can be shown, even one that no rule allows.
            let words: Vec<String> = action.moves().iter().map(|m| move_text(&game.start, m)).collect();
            assert_printable(&words.join(" "));
        }
    }
    let Answer::Figures(figures) = &answer else { return };
    let is_same = figures.position.as_ref().is_some_and(|shown| shown.to_string() == game.start.to_string());
    if !is_same {
        let [only] = &*differences else {
            panic!("an answer about another position counts: {differences:?}")
        };
        assert_eq!((only.class, only.about), (Class::Void, Feature::Boards));
    }
}

/// Checks that a record means the same after it is written and read again.
fn written(record: &Record) {
    let mut positions = Vec::new();
    for (index, figures) in &record.positions {
        positions.push((*index, record.game.until(*index).end(), figures.clone()));
    }
    let lines: Vec<_> =
        positions.iter().map(|(index, position, figures)| (*index, position, figures.clone())).collect();
    let Ok(game) = worldlines::notation::Format::Pgn5d.write(&record.game) else { return };
    let text = record::heading("fuzz") + &record::entry("a", Ok(&game.into_text()), &[], &lines);
    let read = record::read(&text, |_| Err("there is no file".to_owned()));
    let read = read.unwrap_or_else(|error| panic!("what is written is not read: {error}\n{text}"));
    assert_eq!(read.len(), 1, "{text}");
    assert_eq!(read[0].positions, record.positions, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let start = || {
            let variant = variants::by_name("Very Small - Open").unwrap();
            Position::from_setup(&variant.setup()).unwrap()
        };
        let other = r#"{"boards":["[k3/4/4/3K:0:1:w]"],"in_check":true}"#;
        let own = Own::new(None, STEPS);
        answer(other, &own, start(), compare);
        assert!(flags(|| answer(other, &own, start(), |_, _, _, _| Vec::new())));
        let silent = r#"{"in_check":true}"#;
        answer(silent, &own, start(), compare);
        assert!(flags(|| answer(silent, &own, start(), |_, _, _, _| {
            vec![Difference::new(Class::Rules, Feature::InCheck, "not in check", "in check")]
        })));
    }
}
