//! Writes the boards at the end of a game as a file with one variant.

use std::collections::BTreeMap;

use super::{list, mark_unmoved};
use crate::notation::common::json::write_string;
use crate::notation::common::{Game, Loss, Written};
use crate::rules::variants;
use crate::state::{Board, Multiverse};
use crate::types::{BoardCoordinate, HalfTurn, Parity, Promotions};

/// The header that is a field of its own.
const AUTHOR: &str = "Author";

/// The boards at the end of a game, and the losses. Without a name the variant has the name of its boards, or
/// `Custom`.
pub fn write(game: &Game) -> Written {
    let end = game.end();
    let multiverse = end.multiverse();
    let mut losses = Vec::new();

    let known = variants::by_setup(&end.to_setup());
    let name = game.name.as_deref().or(known.map(|variant| variant.name)).unwrap_or("Custom");
    let author = game.headers.iter().position(|(key, _)| key == AUTHOR);
    let others = game.headers.iter().enumerate().filter(|(index, _)| Some(*index) != author);
    losses.extend(others.map(|(_, (key, _))| Loss::new(format!("the header `{key}`"))));
    losses.extend(game.loss_of_result());
    losses.extend(game.loss_of_rules(Promotions::QUEEN));
    if !game.actions.is_empty() {
        losses.push(Loss::new("how the position was reached: the actions are not written, their boards are"));
    }
    if !unmoved_is_clear(multiverse) {
        losses.push(Loss::new("which pieces have moved: on the first board of a timeline none has"));
    }

    let mut text = String::from("[\n  {\n    \"Name\": ");
    write_string(&mut text, name);
    if let Some(author) = author {
        text.push_str(",\n    \"Author\": ");
        write_string(&mut text, &game.headers[author].1);
    }
    // The first board of a list is White's on the earliest turn of all timelines.
    let spans = || multiverse.timelines().filter_map(|timeline| multiverse.span(timeline));
    let first = spans().map(|(first, _)| first.turn()).min().unwrap_or(1);
    let place = |at: HalfTurn| usize::try_from(at.0 - 2 * first).unwrap_or_default();
    let mut timelines: BTreeMap<_, Vec<Option<&Board>>> = BTreeMap::new();
    for (at, board) in multiverse.boards() {
        let boards = timelines.entry(at.timeline).or_default();
        boards.resize(place(at.half_turn), None);
        boards.push(Some(board));
    }
    text.push_str(",\n    \"Timelines\": {");
    for (index, (timeline, boards)) in timelines.iter().enumerate() {
        text.push_str(if index == 0 { "\n      \"" } else { ",\n      \"" });
        if multiverse.parity() == Parity::Odd && timeline.0 > 0 {
            text.push('+');
        }
        text.push_str(&multiverse.parity().label(*timeline).to_string());
        text.push_str("L\": [");
        for (index, board) in boards.iter().enumerate() {
            text.push_str(if index == 0 { "\n        " } else { ",\n        " });
            match board {
                Some(board) => write_string(&mut text, &board.rows().to_string().replace('*', "")),
                None => text.push_str("null"),
            }
        }
        text.push_str("\n      ]");
    }
    text.push_str("\n    }");
    if first != 1 {
        text.push_str(&format!(",\n    \"CosmeticTurnOffset\": {}", first - 1));
    }
    let counted = if timelines.len().is_multiple_of(2) { Parity::Even } else { Parity::Odd };
    if counted != multiverse.parity() {
        let builder = if counted == Parity::Even { "GameBuilderOdd" } else { "GameBuilderEven" };
        text.push_str(&format!(",\n    \"GameBuilderOverride\": \"{builder}\""));
    }
    text.push_str("\n  }\n]\n");
    Written::new(text, losses)
}

/// One list with the variants of all these texts, each as it is written there. A text that cannot be read adds none.
///
/// ```
/// use worldlines::notation::variants_json::{join, list};
///
/// let joined = join([r#"{"Timelines":{"0L":["k"]}}"#, r#"[{"Name":"B","Timelines":{"0L":["q"]}}]"#]);
/// let text = String::from_utf8_lossy(&joined);
/// assert_eq!(list(&text).into_result()?.len(), 2);
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub fn join<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<u8> {
    let variants = |text: &'t str| {
        let variants = list(text).into_result().unwrap_or_default();
        variants.into_iter().map(|variant| variant.span.of(text))
    };
    let all: Vec<&str> = texts.into_iter().flat_map(variants).collect();
    format!("[\n  {}\n]\n", all.join(",\n  ")).into_bytes()
}

/// Whether a reader finds the same pieces unmoved that are so.
fn unmoved_is_clear(multiverse: &Multiverse) -> bool {
    let mut before: Option<(BoardCoordinate, Board)> = None;
    multiverse.boards().all(|(at, board)| {
        let earlier = before.as_ref().filter(|(other, _)| other.timeline == at.timeline);
        let mut read = *board;
        mark_unmoved(&mut read, earlier.map(|(_, board)| board));
        before = Some((at, read));
        read == *board
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::variants_json::parse;
    use crate::notation::{Options, pgn5d};
    use crate::rules::variants::VARIANTS;
    use crate::state::Position;

    fn written(text: &str) -> Written {
        write(&pgn5d::parse(text).into_result().unwrap())
    }

    #[test]
    fn every_variant_is_written_and_read_back() {
        for variant in &VARIANTS {
            let start = Position::from_setup(&variant.setup()).unwrap();
            let game = Game::new(start, Vec::new());
            let Written { bytes, losses } = write(&game);
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(losses, [], "{text}");
            let reading = parse(&text);
            assert_eq!((&reading.warnings[..], &reading.losses[..]), (&[][..], &[][..]), "{text}");
            assert_eq!(reading.into_result(), Ok(game), "{text}");
            assert_eq!(list(&text).into_result().unwrap()[0].name.as_deref(), Some(variant.name));
        }
    }

    #[test]
    fn turns_parity_and_names_are_written_where_they_must_be() {
        let turn_zero = written("[Board \"Standard - Turn Zero\"]").into_text();
        assert!(
            turn_zero.contains("\"CosmeticTurnOffset\": -1\n") && turn_zero.contains("[\n        null,\n")
        );
        assert!(!turn_zero.contains("Override"));
        let game = "[Board \"custom\"]\n[Size \"2x2\"]\n[k*1/1K*:0:3:w]\n[k*1/1K*:1:4:w]\n";
        let text = written(game).into_text();
        assert!(
            text.contains("\"CosmeticTurnOffset\": 2,\n    \"GameBuilderOverride\": \"GameBuilderOdd\"\n")
        );
        assert!(text.contains(
            "\"0L\": [\n        \"k1/1K\"\n      ],\n      \"+1L\": [\n        null,\n        null,\n"
        ));
        let named =
            written("[Board \"Two \\\"kings\\\"\"]\n[Author \"me\"]\n[Size \"2x2\"]\n[k*1/1K*:0:1:w]\n");
        assert_eq!(named.losses, []);
        let named = named.into_text();
        let game = parse(&named).into_result().unwrap();
        assert_eq!(game.name.as_deref(), Some("Two \"kings\""));
        assert_eq!(game.headers, [("Author".to_owned(), "me".to_owned())]);
    }

    #[test]
    fn what_is_lost_is_told() {
        let losses = |text: &str| {
            let losses = written(text).losses.into_iter();
            losses
                .map(|loss| loss.what.split([':', ',']).next().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(losses("[White \"a\"]\n1. e4 / e5 1-0").len(), 3);
        assert_eq!(losses("1. e4 / e5"), ["how the position was reached"]);
        // On the new timeline a king stands that has moved before.
        let branch = "1. e4 / e5 2. Ke2 / Nf6 3. Ke2>>(0T2)d3";
        assert_eq!(losses(branch), ["how the position was reached", "which pieces have moved"]);
        assert_eq!(losses("[Size \"2x2\"]\n[k1/1K*:0:1:w]\n"), ["which pieces have moved"]);
        assert_eq!(losses("[Promotions \"N\"]\n"), ["the rules in force"]);
        // Without a loss the boards lead back, their marks included.
        let text = written("1. e4 / e5 2. Ke2 / Nf6 3. Ke1").into_text();
        let end = pgn5d::parse("1. e4 / e5 2. Ke2 / Nf6 3. Ke1").into_result().unwrap().end();
        let again = crate::notation::Format::VariantsJson.parse(text.as_bytes(), &Options::default());
        assert_eq!(again.into_result().unwrap().start, end);
    }
}
