//! Start positions that are put together, as 5DFEN that need not be a multiverse yet. Begin at [`boards_of`].

use std::fmt::Write;

use wasm_bindgen::prelude::wasm_bindgen;
use worldlines::chessjs::{self, Edition};
use worldlines::notation::{Game, fen5d};
use worldlines::state::{Board, Setup};
use worldlines::types::{BoardCoordinate, BoardSize, Color, Piece, Promotions, RuleProfile, Square};

use crate::chess::{Chess, list};
use crate::fault::Fault;

fn read(fen: &str, profile: RuleProfile) -> Result<Setup, Fault> {
    let given = fen5d::Given { profile, ..fen5d::Given::default() };
    let setup = fen5d::blocks(fen).and_then(|blocks| fen5d::setup(&blocks, given));
    setup.map_err(|error| Fault::of_text(&error, fen))
}

fn write(setup: &Setup) -> String {
    let mut text = String::new();
    for (at, board) in &setup.boards {
        let (label, half_turn) = (setup.parity.label(at.timeline), at.half_turn);
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "[{}:{label}:{}:{}]", board.rows(), half_turn.turn(), half_turn.color().letter());
    }
    text
}

fn missing(what: &str) -> Fault {
    Fault::new("no-board", what, None)
}

/// The boards of a text, in its order: `{"timeline","label","halfTurn","turn","color","files","ranks"}`.
#[wasm_bindgen(js_name = boardsOf)]
pub fn boards_of(fen: &str) -> Result<String, Fault> {
    if fen.trim().is_empty() {
        return Ok("[]".to_owned());
    }
    let setup = read(fen, RuleProfile::default())?;
    Ok(list(setup.boards.iter().map(|(at, board)| {
        let size = board.size();
        format!(
            "{{\"timeline\":{},\"label\":\"{}\",\"halfTurn\":{},\"turn\":{},\"color\":\"{}\",\"files\":{},\"ranks\":{}}}",
            at.timeline.0,
            setup.parity.label(at.timeline),
            at.half_turn.0,
            at.half_turn.turn(),
            at.half_turn.color().letter(),
            size.width(),
            size.height()
        )
    })))
}

/// The text with a piece on a square of the board with this index, or without it if it stands there already. No letter clears the square.
/// `unmoved` counts for pieces of which the rules ask it.
#[wasm_bindgen(js_name = withPiece)]
pub fn with_piece(
    fen: &str,
    board: usize,
    file: u8,
    rank: u8,
    letter: &str,
    unmoved: bool,
) -> Result<String, Fault> {
    let mut setup = read(fen, RuleProfile::default())?;
    let (_, board) = setup.boards.get_mut(board).ok_or_else(|| missing("there is no such board"))?;
    let size = board.size();
    let square = Square::new(file, rank).filter(|_| file < size.width() && rank < size.height());
    let square = square.ok_or_else(|| Fault::new("no-square", "the board has no such square", None))?;
    let before = board.get(square).map(|piece| (piece, board.is_unmoved(square)));
    board.remove(square);
    let mut letters = letter.chars();
    if let Some(letter) = letters.next() {
        let piece = Piece::try_from(letter).ok().filter(|_| letters.next().is_none());
        let piece =
            piece.ok_or_else(|| Fault::new("no-piece", "there is no piece with this letter", None))?;
        board.put(square, piece, unmoved);
        if before == Some((piece, board.is_unmoved(square))) {
            board.remove(square);
        }
    }
    Ok(write(&setup))
}

/// A board without pieces as text.
fn empty(label: &str, turn: u32, color: &str, files: u8, ranks: u8) -> String {
    let rows = vec![files.to_string(); usize::from(ranks)].join("/");
    format!("[{rows}:{label}:{turn}:{color}]")
}

/// The text with an empty board. If it has boards, theirs is its size.
#[wasm_bindgen(js_name = withBoard)]
pub fn with_board(
    fen: &str,
    label: &str,
    turn: u32,
    color: &str,
    files: u8,
    ranks: u8,
) -> Result<String, Fault> {
    let size = match fen.trim().is_empty() {
        true => (files, ranks),
        false => {
            let setup = read(fen, RuleProfile::default())?;
            (setup.size.width(), setup.size.height())
        }
    };
    let fen = format!("{fen}\n{}", empty(label, turn, color, size.0, size.1));
    Ok(write(&read(&fen, RuleProfile::default())?))
}

/// The text with all boards in another size. Squares keep their names; pieces on squares that are no longer there are gone.
#[wasm_bindgen(js_name = withSize)]
pub fn with_size(fen: &str, files: u8, ranks: u8) -> Result<String, Fault> {
    let mut setup = read(fen, RuleProfile::default())?;
    let size = BoardSize::new(files, ranks)
        .ok_or_else(|| Fault::new("board-too-large", "a board has 1 to 8 files and ranks", None))?;
    for (_, board) in &mut setup.boards {
        let mut sized = Board::empty(size);
        for (square, piece) in board.pieces() {
            if square.file() < files && square.rank() < ranks {
                sized.put(square, piece, board.is_unmoved(square));
            }
        }
        *board = sized;
    }
    Ok(write(&setup))
}

/// The text with the last board once more, for the other player.
#[wasm_bindgen(js_name = withNextBoard)]
pub fn with_next_board(fen: &str) -> Result<String, Fault> {
    let mut setup = read(fen, RuleProfile::default())?;
    let last: (BoardCoordinate, Board) =
        setup.boards.last().cloned().ok_or_else(|| missing("there is no board"))?;
    let half_turn = last.0.half_turn.next();
    setup.boards.push((BoardCoordinate { half_turn, ..last.0 }, last.1));
    Ok(write(&setup))
}

/// The text without a board.
#[wasm_bindgen(js_name = withoutBoard)]
pub fn without_board(fen: &str, label: &str, turn: u32, color: &str) -> Result<String, Fault> {
    let mut setup = read(fen, RuleProfile::default())?;
    let is_wanted = |at: &BoardCoordinate| {
        let color_of = if at.half_turn.color() == Color::White { "w" } else { "b" };
        setup.parity.label(at.timeline).to_string().trim_start_matches('+') == label.trim_start_matches('+')
            && u32::try_from(at.half_turn.turn()).is_ok_and(|of| of == turn)
            && color_of == color
    };
    let index = setup.boards.iter().position(|(at, _)| is_wanted(at));
    let index = index.ok_or_else(|| missing(&format!("there is no board ({label}T{turn}{color})")))?;
    setup.boards.remove(index);
    Ok(write(&setup))
}

/// The game that starts on these boards. `promotions` are the letters of the pieces that a pawn may become.
#[wasm_bindgen(js_name = gameOfBoards)]
pub fn game_of_boards(fen: &str, promotions: &str) -> Result<Chess, Fault> {
    // The letters may stand apart or together.
    let letters: Vec<String> = promotions.chars().filter(|c| c.is_alphanumeric()).map(String::from).collect();
    let promotions: Promotions =
        letters.join(",").parse().map_err(|error: worldlines::types::ParseValueError| {
            Fault::new("promotions", &error.to_string(), None)
        })?;
    let given = fen5d::Given {
        profile: RuleProfile { promotions, ..RuleProfile::default() },
        ..fen5d::Given::default()
    };
    let start = fen5d::blocks(fen).and_then(|blocks| fen5d::position(&blocks, given));
    let start = start.map_err(|error| Fault::of_text(&error, fen))?;
    Ok(Chess::from(chessjs::Chess::of(Edition::Current, &Game::new(start, Vec::new()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_put_together() {
        let fen = with_board("", "0", 1, "w", 3, 3).ok().unwrap();
        assert_eq!(fen, "[3/3/3:0:1:w]\n");
        let king = with_piece(&fen, 0, 0, 2, "K", true).ok().unwrap();
        let queen = with_piece(&king, 0, 2, 0, "q", true).ok().unwrap();
        assert_eq!(queen, "[K*2/3/2q:0:1:w]\n", "a queen may have moved");
        assert_eq!(with_piece(&queen, 0, 2, 0, "q", true).ok().unwrap(), king, "the same piece goes away");
        assert_eq!(with_piece(&queen, 0, 2, 0, "", false).ok().unwrap(), king);
        assert_eq!(with_size(&queen, 4, 4).ok().unwrap(), "[4/K*3/4/2q1:0:1:w]\n");
        assert_eq!(with_size(&queen, 3, 2).ok().unwrap(), "[3/2q:0:1:w]\n", "squares keep their names");
        assert!(with_size(&queen, 9, 3).is_err());
        let two = with_next_board(&queen).ok().unwrap();
        assert_eq!(two, "[K*2/3/2q:0:1:w]\n[K*2/3/2q:0:1:b]\n");
        assert_eq!(without_board(&two, "0", 1, "w").ok().unwrap(), "[K*2/3/2q:0:1:b]\n");
        assert!(
            boards_of(&two).ok().unwrap().contains("\"halfTurn\":3,\"turn\":1,\"color\":\"b\",\"files\":3")
        );
        let game = game_of_boards(&two, "QN").ok().unwrap();
        assert!(game.is_black() && game.promotions().contains('N'));
        assert_eq!(boards_of(" ").ok().unwrap(), "[]");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let fen = "[3/3/3:0:1:w]";
        assert!(
            with_piece(fen, 1, 0, 0, "K", false).is_err() && with_piece(fen, 0, 3, 0, "K", false).is_err()
        );
        assert!(
            with_piece(fen, 0, 0, 0, "KQ", false).is_err() && with_piece(fen, 0, 0, 0, "x", false).is_err()
        );
        assert!(without_board(fen, "0", 2, "w").is_err() && with_board(fen, "what", 1, "w", 3, 3).is_err());
        assert!(with_next_board("").is_err() && boards_of("[9:0:1:w]").is_err());
        assert!(game_of_boards(fen, "X").is_err() && game_of_boards("[3/3/3:1:1:w]", "Q").is_err());
    }
}
