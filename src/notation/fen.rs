//! FEN: one board of orthodox chess and the state that is needed to continue the game.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! ```
//!
//! Six fields: the pieces, the player to move, the castling rights, the square that a pawn has just skipped,
//! the half-moves since the last capture or pawn move, and the move number. Here this becomes a multiverse:
//!
//! * The move number is the turn of the board.
//! * Kings and rooks are unmoved if a castling right says so, and pawns if they stand on their start rank.
//! * A skipped square adds two earlier boards, half a turn and a turn before, with the pawn on its start
//!   square on both. The move between those two is unknown and not shown.
//! * A position has no half-move clock. Unless it is 0 it is kept as the header `HalfmoveClock` of the game,
//!   from which it is written again.
//!
//! The skipped square is written after every double step, whether or not a pawn can capture there.
//!
//! # Relaxations
//!
//! One form of each position is written. Others are accepted, with a warning that says how they were read:
//!
//! * white space around the fields, and more than one blank between them;
//! * missing fields after the player to move: no castling, no skipped square, the clocks `0 1`;
//! * the player to move as a capital; the letters of castling in any order, or repeated;
//! * castling rights without king or rook on their squares: they are dropped;
//! * several numbers of empty squares in a row; numbers with leading zeros; the move number 0, which is read
//!   as 1.
//!
//! A position must have one king of each colour, no pawn on a first or last rank, and no check against the
//! player who has just moved.

use crate::notation::common::Head;
use crate::notation::common::fen::{clock_header, clock_of, loss_of_start, without_clock};
use crate::notation::common::{Game, Loss, Parsed, WriteError, Written, orthodox};
use crate::state::Position;
use crate::types::PieceKind;

pub use super::common::fen::{HALFMOVE_CLOCK, parse, write};

/// The game that starts and ends at the position of a FEN.
pub(super) fn parse_game(text: &str) -> Parsed {
    parse(text).map(|(start, clock)| Game {
        headers: clock_header(clock).into_iter().collect(),
        ..Game::new(start, Vec::new())
    })
}

/// Whether a text with this beginning is FEN.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let mut words = head.text.split_ascii_whitespace();
    let is_board = |word: &str| {
        word.bytes().filter(|&byte| byte == b'/').count() == 7
            && word.bytes().all(|byte| b"pnbrqkPNBRQK12345678/".contains(&byte))
    };
    words.next().is_some_and(is_board) && words.next().is_some_and(|color| matches!(color, "w" | "b"))
}

/// The position at the end of a game as FEN.
///
/// # Errors
///
/// When the game is not one of orthodox chess, or FEN cannot describe the position.
pub(super) fn write_game(game: &Game) -> Result<Written, WriteError> {
    let (game, mut losses) = orthodox::from_5d(game)?;
    let end = game.end();
    let clock = clock_at_end(&game, &end);
    let mut text = write(&end, clock)?;
    let kept = Game { headers: without_clock(&game.headers), ..Game::new(end.clone(), Vec::new()) };
    losses.extend(Game { name: game.name.clone(), ..kept }.losses_of_headers());
    losses.extend(game.loss_of_result());
    if game.actions.is_empty() {
        losses.extend(loss_of_start(&game.start, &text));
    } else {
        losses.push(Loss::new("how the position was reached: the actions are not written"));
    }
    text.push('\n');
    Ok(Written::new(text, losses))
}

/// The half-moves since the last capture or pawn move, counted on from the clock at the start.
fn clock_at_end(game: &Game, end: &Position) -> u32 {
    let mut clock = clock_of(&game.headers);
    for m in game.actions.iter().flat_map(|action| action.moves()) {
        let board = end.board(m.from.board);
        let at = |square| board.and_then(|board| board.get(square));
        let pawn = at(m.from.square).is_some_and(|piece| piece.kind == PieceKind::Pawn);
        clock = if pawn || at(m.to.square).is_some() { 0 } else { clock.saturating_add(1) };
    }
    clock
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::common::orthodox::standard_start;
    use crate::notation::common::samples::assert_refused;
    use crate::state::{Board, Setup};
    use crate::types::{BoardCoordinate, Color};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn strict_text_is_written_back_byte_for_byte() {
        for text in [
            START,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 40",
            "r1bqk2r/p1pp1Qpp/1pn2n2/4b3/2B1P3/8/PPPP1PPP/RNB2RK1 b kq - 0 7",
            "8/8/8/8/8/8/8/k1K5 w - - 99 8000",
            "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1",
        ] {
            let reading = parse_game(text);
            assert_eq!((reading.error, reading.warnings), (None, vec![]), "{text}");
            let written = write_game(&reading.value.unwrap()).unwrap();
            assert_eq!((written.bytes, written.losses), (format!("{text}\n").into_bytes(), vec![]));
        }
        assert_eq!(parse(START).into_result().unwrap().0, standard_start());
    }

    #[test]
    fn earlier_boards_of_the_start_are_a_loss() {
        let (start, _) = parse(START).into_result().unwrap();
        let mut later = start.clone();
        for _ in 0..2 {
            let action = later.legal_actions().next().unwrap();
            later.play_unchecked(&action);
        }
        let losses = |start: &Position| write_game(&Game::new(start.clone(), Vec::new())).unwrap().losses;
        assert_eq!(losses(&start), []);
        let [loss] = &losses(&later)[..] else { panic!("{:?}", losses(&later)) };
        assert!(loss.what.starts_with("the earlier boards"), "{loss:?}");
    }

    #[test]
    fn a_skipped_square_is_two_earlier_boards() {
        let text = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
        let (position, _) = parse(text).into_result().unwrap();
        let boards: Vec<String> = position
            .multiverse()
            .boards()
            .map(|(at, board)| format!("{} {}", at.half_turn, board.rows()))
            .collect();
        let before = "r*nbqk*bnr*/p*p*p*1p*p*p*p*/8/3pP3/8/8/P*P*P*P*1P*P*P*/R*NBQK*BNR*";
        assert_eq!(boards.len(), 3);
        assert_eq!(boards[..2], [format!("T2w {before}"), format!("T2b {before}")]);
        assert_eq!(position.to_move(), Color::White);
        // Both double steps show on a board; only the last one can be captured en passant.
        assert_eq!(position.count_legal_actions(100).count, 31);
    }

    #[test]
    fn relaxed_text_means_the_same() {
        let canonical = "r3k3/8/8/8/4p3/8/8/4K2R w Kq - 0 1";
        for (text, code) in [
            (" r3k3/8/8/8/4p3/8/8/4K2R w Kq - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R  w Kq - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R\tw\tKq\t-\t0\t1\n\n", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R W Kq - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w qK - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w KqK - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p111/8/8/4K2R w Kq - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w Kq - 00 01", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w KQkq - 0 1", "castling-dropped"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w Kq - 0 0", "move-number-zero"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w Kq -", "missing-field"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w Kq", "missing-field"),
        ] {
            let reading = parse_game(text);
            assert_eq!(reading.warnings.first().map(|w| w.code), Some(code), "{text}");
            assert_eq!(
                write_game(&reading.clone().value.unwrap()).unwrap().bytes,
                format!("{canonical}\n").as_bytes()
            );
            assert_eq!(reading.strict().unwrap_err().class.name(), "malformed");
        }
        assert_eq!(parse_game("4k3/8/8/8/8/8/8/4K3 b").warnings.len(), 1);
    }

    #[test]
    fn every_mistake_has_its_class_and_place() {
        for (text, class, code, start, end) in [
            ("", "malformed", "wrong-rank-length", 0, 0),
            ("8/8 w - - 0 1", "malformed", "wrong-rank-count", 0, 3),
            ("8/8/8/8/8/8/8/8/8 w - - 0 1", "malformed", "wrong-rank-count", 0, 15),
            ("7/8/8/8/8/8/8/8 w - - 0 1", "malformed", "wrong-rank-length", 0, 1),
            ("8/pppppppppp/8 w - - 0 1", "malformed", "wrong-rank-length", 2, 11),
            ("u7/8/8/8/8/8/8/8 w - - 0 1", "malformed", "unknown-piece", 0, 1),
            ("k*7/8/8/8/8/8/8/8 w - - 0 1", "malformed", "unknown-piece", 1, 2),
            ("k7/8/8/8/8/8/8/K7", "malformed", "missing-colour", 17, 17),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "malformed", "missing-colour", 18, 19),
            ("k7/8/8/8/8/8/8/K7 w x - 0 1", "malformed", "malformed-castling", 20, 21),
            ("k7/8/8/8/8/8/8/K7 w - e 0 1", "malformed", "malformed-en-passant", 22, 23),
            ("k7/8/8/8/8/8/8/K7 w - - x 1", "malformed", "missing-number", 24, 25),
            ("k7/8/8/8/8/8/8/K7 w - - 0 8001", "malformed", "number-too-large", 26, 30),
            ("k7/8/8/8/8/8/8/K7 w - - 0 1 x", "malformed", "text-after-fen", 28, 29),
            ("k7/8/8/8/8/8/8/8 w - - 0 1", "illegal", "king-count", 0, 26),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "illegal", "king-count", 0, 28),
            ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "illegal", "pawn-on-last-rank", 0, 28),
            ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "illegal", "opponent-in-check", 0, 28),
            ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "illegal", "impossible-en-passant", 22, 24),
            ("k7/8/8/4p3/8/8/8/K7 w - e5 0 1", "illegal", "impossible-en-passant", 24, 26),
        ] {
            assert_refused(text, parse(text), (class, code, start, end));
        }
    }

    #[test]
    fn what_fen_cannot_say_is_not_written() {
        let refused = |text: &str| {
            let (start, _) = parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").into_result().unwrap();
            let board = Board::from_rows(text, None).unwrap();
            let at = BoardCoordinate::new(0, 1, Color::White);
            let setup = Setup { size: board.size(), boards: vec![(at, board)], ..start.to_setup() };
            write(&Position::from_setup(&setup).unwrap(), 0).map_err(|unwritable| unwritable.reason)
        };
        assert_eq!(refused("4k3/8/8/8/8/8/P*7/R*3K*2R").as_deref(), Ok("4k3/8/8/8/8/8/P7/R3K2R w Q - 0 1"));
        for (text, part) in [
            ("4k3/8/8/8/8/8/P7/4K3", "pawn on a2 has moved"),
            ("4k3/8/8/8/P*7/8/8/4K3", "pawn on a4 has never moved"),
            ("4k3/8/8/8/8/8/8/1R*1K*4", "castle with the rook on b1"),
            ("4k3/8/8/8/8/8/8/4K1U1", "no unicorn"),
            ("4k3/8/8/8/8/8/8/8", "one white king"),
            ("4k3/4R3/8/8/8/8/8/4K3", "could capture the king"),
            ("4k/5/5/5/4K", "8x8"),
        ] {
            assert!(refused(text).unwrap_err().contains(part), "{text}");
        }
    }

    #[test]
    fn clocks_go_on_with_the_game() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 7 30\"]\n30. Rh8+ Kd7 *";
        let game = crate::notation::pgn::parse(text).into_result().unwrap();
        let written = write_game(&game).unwrap();
        assert_eq!(written.bytes, b"7R/3k4/8/8/8/8/4P3/4K3 w - - 9 31\n");
        assert_eq!(written.losses.len(), 1);
        let game = crate::notation::pgn::parse(&text.replace("Kd7", "Kd7 31. e4")).into_result().unwrap();
        assert_eq!(write_game(&game).unwrap().bytes, b"7R/3k4/8/8/4P3/8/8/4K3 b - e3 0 31\n");
    }
}
