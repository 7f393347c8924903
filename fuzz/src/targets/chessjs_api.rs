//! In the object API exports are imported equal, listed moves can be made, and undoing leaves no trace.

use arbitrary::Result;
use worldlines::chessjs::{Chess, Edition, Error, Selection, Text, Tokens};
use worldlines::notation::Game;
use worldlines::types::{Action, Limit};

use super::{game_of, noted, shown};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 120);

fn run(bytes: &[u8]) -> Result<()> {
    let game = noted(game_of(bytes, |u| u.arbitrary())?)?;
    for edition in [Edition::Readme, Edition::Current] {
        check(&game, edition, |text, start| Chess::import(edition, text, start));
    }
    Ok(())
}

/// The most moves, and the most actions, that are tried in each position.
const MOST: usize = 8;

fn check(
    game: &Game,
    edition: Edition,
    import: impl Fn(&str, Option<&str>) -> std::result::Result<Chess, Error>,
) {
    let mut chess = Chess::of(edition, game);
    assert_eq!(chess.position(), &game.end(), "the game ends elsewhere");
    assert_eq!(chess.game().as_ref().map(|game| &game.actions), Ok(&game.actions));
    check_forms(&chess, &import);
    check_moves(&chess, &import);
    check_actions(&mut chess);
    if chess.passable() {
        chess.pass().expect("it was passable");
        assert_ne!(chess.position().to_move(), game.end().to_move());
        assert_eq!(chess.export(Text::Full), Err(Error::Pass));
        let again = import(&chess.save(), None).unwrap_or_else(|error| panic!("{error}: {}", chess.save()));
        assert_same(&again, &chess);
    }
}

/// Checks that an export is imported as the same game.
fn check_forms(chess: &Chess, import: impl Fn(&str, Option<&str>) -> std::result::Result<Chess, Error>) {
    let read = |text: &str, start: Option<&str>| {
        import(text, start).unwrap_or_else(|error| panic!("{error}\n{text}\n{}", shown(chess.position())))
    };
    assert_same(&read(&chess.save(), None), chess);
    let plain = Text::Pgn5d(Tokens::default());
    let all = Text::Pgn5d(Tokens { boards: true, timelines: true, activation: true, one_line: true });
    for text in [plain, all, Text::Full] {
        let written = chess.export(text).expect("nobody has passed");
        assert_eq!(read(&written, None).position().multiverse(), chess.position().multiverse(), "{written}");
    }
    // A name stands for the usual rules.
    let start = chess.variant().and_then(|name| Some((name, import("", Some(name)).ok()?)));
    if let Some((name, _)) =
        start.filter(|(_, start)| start.position().profile() == chess.position().profile())
    {
        for text in [chess.export_json(), chess.raw_action_history()] {
            let again = read(&text, Some(name));
            assert_eq!(again.position().multiverse(), chess.position().multiverse(), "{text}");
        }
    }
}

fn assert_same(again: &Chess, chess: &Chess) {
    assert_eq!(again.save(), chess.save());
    assert_eq!(again.now(), chess.now());
    assert_eq!(again.board(), chess.board());
    assert_eq!(again.hash(), chess.hash());
}

/// Checks that each listed move can be made, as text, object and numbers, and is undone without a trace.
fn check_moves(chess: &Chess, import: impl Fn(&str, Option<&str>) -> std::result::Result<Chess, Error>) {
    let moves = chess.moves(Selection::ALL);
    for selection in [Selection::default(), Selection { spatial_only: true, ..Selection::ALL }] {
        assert!(chess.moves(selection).iter().all(|m| moves.contains(m)), "a selection adds moves");
    }
    let before = chess.save();
    for m in moves.iter().step_by(moves.len() / MOST + 1) {
        let raw = chess.raw_moves(chess.now(), &[*m]);
        let mut made = Vec::new();
        for text in [
            chess.move_text(m, Text::Pgn5d(Tokens::default())),
            chess.move_text(m, Text::Short),
            chess.move_object(chess.now(), m).write_for(chess.edition()),
            raw[1..raw.len() - 1].to_owned(),
        ] {
            // 0.3.6 has no numbers for -0 and +0.
            let is_json = text.starts_with(['{', '[']);
            if is_json && chess.edition() == Edition::Readme && chess.hash().is_err() {
                continue;
            }
            assert!(chess.moveable(&text), "{text} is listed and not moveable in{}", shown(chess.now()));
            let mut after = chess.clone();
            after.make(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(after.under_way().moves(), [*m], "{text}");
            made.push(after.board());
            let read = import(&after.save(), None).unwrap_or_else(|error| panic!("{error}"));
            assert_same(&read, &after);
            after.undo().expect("a move was made");
            assert_eq!(after.save(), before, "{text} leaves a trace");
            assert_eq!(after.board(), chess.board());
        }
        assert!(made.windows(2).all(|pair| pair[0] == pair[1]), "forms of {m} lead to several boards");
    }
}

/// Checks that each listed action is legal, and that submitting it gives the same position as playing it.
fn check_actions(chess: &mut Chess) {
    let steps = Limit::steps(5_000);
    let position = chess.position().clone();
    for selection in [Selection::ALL, Selection::default()] {
        for moves in chess.actions(selection, steps).take(MOST) {
            let mut played = position.clone();
            played.play(&Action::new(moves.clone())).unwrap_or_else(|error| panic!("{error}"));
            let object = chess.move_objects(&position, &moves);
            let texts: Vec<String> = object.iter().map(|m| m.write_for(chess.edition())).collect();
            if chess.edition() == Edition::Readme && chess.hash().is_err() {
                continue;
            }
            let mut after = chess.clone();
            after.act(&format!("[{}]", texts.join(","))).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(after.position(), &played);
            let mut after = chess.clone();
            after.act(&chess.action_text(&position, &moves, Text::Pgn5d(Tokens::default()))).unwrap();
            assert_eq!(after.position(), &played);
        }
    }
    if let Ok(true) = chess.in_checkmate() {
        assert!(chess.in_check() && chess.moves(Selection::ALL).is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;
    use crate::targets::game_notations::example;

    #[test]
    fn what_is_wrong_is_flagged() {
        let game = example(|u| u.arbitrary());
        let edition = Edition::Current;
        let import = |text: &str, start: Option<&str>| Chess::import(edition, text, start);
        check(&game, edition, import);
        assert!(!game.actions.is_empty());
        let forgets = |text: &str, start: Option<&str>| {
            import(text, start).map(|mut chess| {
                chess.reset();
                chess
            })
        };
        assert!(flags(|| check(&game, edition, forgets)));
        let swaps = |text: &str, start: Option<&str>| Chess::import(Edition::Readme, text, start);
        assert!(flags(|| check(&game, edition, swaps)));
    }
}
