//! Numbers and objects of 5d-chess-js are read back equal, and have the boards of the game's end.

use arbitrary::{Arbitrary, Result, Unstructured};
use worldlines::notation::chessjs::{raw::Raw, schema};
use worldlines::notation::{Game, ParseError};
use worldlines::types::{BoardCoordinate, RuleProfile};

use super::{assert_has_place, noted, shown};
use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 2_000, "chessjs", Source::ChessJsObjects);

/// Takes any text as numbers and as every kind of object, or the numbers and objects of a game.
fn run(bytes: &[u8]) -> Result<()> {
    match bytes.first() {
        Some(b'[' | b'{') => check_text(&String::from_utf8_lossy(bytes)),
        _ => check_game(&noted(Game::arbitrary(&mut Unstructured::new(bytes))?)?, Raw::of, schema::Board::of),
    }
    Ok(())
}

fn check_text(text: &str) {
    check(text, Raw::parse, Raw::write);
    check(text, schema::Position::parse, schema::Position::write);
    check(text, schema::Move::parse, schema::Move::write);
    check(text, schema::Castling::parse, schema::Castling::write);
    check(text, schema::Action::parse, schema::Action::write);
    check(text, schema::Piece::parse, schema::Piece::write);
    check(text, schema::Turn::parse, schema::Turn::write);
    check(text, schema::Timeline::parse, schema::Timeline::write);
    check(text, schema::Board::parse, schema::Board::write);
    if let Ok(raw) = Raw::parse(text) {
        let _ = raw.position();
    }
    if let Ok(board) = schema::Board::parse(text) {
        let _ = board.position();
    }
}

fn check<T: PartialEq>(
    text: &str,
    read: fn(&str) -> std::result::Result<T, ParseError>,
    write: impl Fn(&T) -> String,
) {
    match read(text) {
        Err(error) => assert_has_place(text, error.span(), &error.excerpt("x", text)),
        Ok(value) => {
            let written = write(&value);
            assert!(read(&written).is_ok_and(|again| again == value), "another value is read from {written}");
        }
    }
}

/// Numbers and objects have the boards of the end. They do not contain the rules, whether other pieces have
/// moved, or whether a continued game began at turn 0, which is this notation's turn 1.
fn check_game(game: &Game, raw: fn(&Game) -> Option<Raw>, board: fn(&Game) -> Option<schema::Board>) {
    let pieces = |position: &worldlines::state::Position| {
        let boards = position.to_setup().boards;
        let first = boards.iter().map(|(at, _)| at.half_turn.0).min().unwrap_or(0);
        let later = |at: BoardCoordinate| (at.timeline, at.half_turn.0 - first);
        boards.iter().map(|(at, board)| (later(*at), board.pieces().collect::<Vec<_>>())).collect::<Vec<_>>()
    };
    let end = game.end();
    let found = [
        raw(game).map(|raw| {
            check(&raw.write(), Raw::parse, Raw::write);
            raw.position()
        }),
        board(game).map(|board| {
            check(&board.write(), schema::Board::parse, schema::Board::write);
            board.position()
        }),
    ];
    for position in found.into_iter().flatten() {
        let position = position.unwrap_or_else(|error| panic!("{error}: boards of{}", shown(&end)));
        assert_eq!(position.profile(), RuleProfile::default(), "rules are not said");
        assert_eq!(pieces(&position), pieces(&end), "boards of{}", shown(&end));
    }
}

#[cfg(test)]
mod tests {
    use worldlines::notation::pgn5d;

    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let text = "[[[[1,2],[3,4]]]]";
        check(text, Raw::parse, Raw::write);
        assert!(flags(|| check(text, Raw::parse, |raw| raw.write().replace('1', "5"))));
        let game = pgn5d::parse("1. e4 / e5 2. Nf3").into_result().expect("a game");
        check_game(&game, Raw::of, schema::Board::of);
        let forgets_the_end: fn(&Game) -> Option<Raw> =
            |game| Raw::of(&Game { actions: game.actions[..1].to_vec(), ..game.clone() });
        assert!(flags(|| check_game(&game, forgets_the_end, schema::Board::of)));
    }
}
