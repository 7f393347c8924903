//! Orthodox chess as a rule profile of the same core, and the conversion of games between it and 5D chess.
//!
//! A game is orthodox when its [`RuleProfile`] is without time travel: one timeline, and moves and attacks on
//! the board only. [`pgn`](crate::notation::pgn), [`fen`](crate::notation::fen) and
//! [`chess64`](crate::notation::chess64) read such games and write no others.
//!
//! Some games fit both: they have one board at a time, and every action is legal under both rules. Such a
//! game can be written in any notation and loses only its rules. A game that needs the other rules cannot be
//! written: in 5D chess a queen also gives check to the king's earlier selves, and in orthodox chess nothing
//! jumps. [`pgn5d`](crate::notation::pgn5d) alone holds games of both, since it has a header for the rules.

use std::borrow::Cow;

use super::error::{Issue, ParseError};
use super::game::{Game, Loss, WriteError};
use super::replay::Replay;
use super::span::Span;
use crate::rules::variants;
use crate::rules::{IllegalAction, IllegalMove};
use crate::state::{Board, Position, Setup};
use crate::types::{Move, MoveKind, PieceKind, Promotions, RuleProfile, Status};

/// The start position of orthodox chess.
pub(crate) fn standard_start() -> Position {
    let standard = variants::by_name("Standard").expect("the table has the standard position");
    let setup = Setup { profile: RuleProfile::orthodox(), ..standard.setup() };
    Position::from_setup(&setup).expect("variants are positions")
}

/// The end of the game, checkmate or stalemate, if the player to move has no legal move.
pub(crate) fn over(position: &Position) -> Option<Status> {
    let mut moves = Vec::with_capacity(64);
    position.legal_moves_on_board(&mut moves);
    moves.is_empty().then(|| match position.is_attacked_on_board(position.to_move()) {
        true => Status::Checkmate,
        false => Status::Stalemate,
    })
}

/// The error of a move in the text after the game has ended; `None` if it has not.
pub(crate) fn game_over(replay: &Replay, span: Span) -> Option<ParseError> {
    let message =
        format!("expected the end of the text: the game has ended with {}", over(&replay.position)?);
    Some(replay.in_action(Issue::new("game-over", span, message).illegal()))
}

/// The error of a move that leaves the king in check.
pub(crate) fn exposed(replay: &Replay, span: Span) -> ParseError {
    let message = format!("the move leaves the {} king in check", replay.position.to_move());
    replay.in_action(Issue::new("royal-exposed", span, message).illegal())
}

/// The number of files that the king goes to the right if the move is castling.
pub(crate) fn castling(board: &Board, m: &Move) -> Option<i8> {
    let (from, to) = (m.from.square.file(), m.to.square.file());
    let king = board.get(m.from.square).is_some_and(|piece| piece.kind == PieceKind::King);
    (king && from.abs_diff(to) == 2).then_some(if to > from { 2 } else { -2 })
}

/// The game under the rules of orthodox chess, and the losses of that.
///
/// # Errors
///
/// When it has several timelines, or an action is not legal in orthodox chess.
pub fn from_5d(game: &Game) -> Result<(Cow<'_, Game>, Vec<Loss>), WriteError> {
    let profile = game.start.profile();
    if game.start.multiverse().range().len() != 1 {
        return Err(WriteError::new("orthodox chess is played on one board"));
    }
    if profile == RuleProfile::orthodox() {
        return Ok((Cow::Borrowed(game), Vec::new()));
    }
    let jump = game.actions.iter().position(|action| {
        action.moves().len() != 1 || action.moves().iter().any(|m| m.kind != MoveKind::Physical)
    });
    if let Some(index) = jump {
        return Err(WriteError::at(
            index,
            "the action goes to another board, as no move of orthodox chess does",
        ));
    }
    let replayed = replay(game, RuleProfile::orthodox(), "orthodox chess")?;
    let lost = if profile.time_travel {
        "the rules of 5D chess: time travel is not part of orthodox chess"
    } else {
        "the rules in force, which differ from those of orthodox chess"
    };
    Ok((Cow::Owned(replayed), vec![Loss::new(lost)]))
}

/// The game under the rules of 5D chess, and the losses of that.
///
/// Pawns may become queens only, as is usual there, unless a pawn of the game becomes something else.
///
/// # Errors
///
/// When an action is not legal in 5D chess.
pub fn to_5d(game: &Game) -> Result<(Cow<'_, Game>, Vec<Loss>), WriteError> {
    to_5d_with(game, false)
}

/// Like [`to_5d`]; with `same_promotions`, pawns may become the same pieces as before in any case.
pub(in crate::notation) fn to_5d_with(
    game: &Game,
    same_promotions: bool,
) -> Result<(Cow<'_, Game>, Vec<Loss>), WriteError> {
    let profile = game.start.profile();
    if profile.time_travel {
        return Ok((Cow::Borrowed(game), Vec::new()));
    }
    let mut promotions = game.actions.iter().flat_map(|action| action.moves()).filter_map(|m| m.promotion);
    let promotions = if same_promotions || promotions.any(|kind| !Promotions::QUEEN.contains(kind)) {
        profile.promotions
    } else {
        Promotions::QUEEN
    };
    let profile = RuleProfile { promotions, ..RuleProfile::default() };
    let replayed = replay(game, profile, "5D chess")?;
    let lost = "the rules of orthodox chess: in 5D chess pieces move through time too";
    Ok((Cow::Owned(replayed), vec![Loss::new(lost)]))
}

fn replay(game: &Game, profile: RuleProfile, name: &str) -> Result<Game, WriteError> {
    let setup = Setup { profile, ..game.start.to_setup() };
    let start = Position::from_setup(&setup).map_err(|error| WriteError::new(error.to_string()))?;
    let mut position = start.clone();
    for (index, action) in game.actions.iter().enumerate() {
        position.play(action).map_err(|illegal| {
            let why = match illegal {
                IllegalAction::Exposed(_) => "the opponent could capture a royal piece",
                IllegalAction::IllegalMove { why: IllegalMove::TooLarge, .. } => {
                    "the game has too many timelines"
                }
                _ => "no piece moves like that",
            };
            WriteError::at(index, format!("the action is illegal in {name}: {why}"))
        })?;
    }
    Ok(Game { start, ..game.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, pgn, pgn5d};

    /// The number of games with `depth` actions that begin here.
    fn perft(position: &mut Position, depth: u32) -> u64 {
        let mut moves = Vec::with_capacity(64);
        position.legal_moves_on_board(&mut moves);
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut sum = 0;
        for m in moves {
            position.play_legal_on_board(&m);
            sum += perft(position, depth - 1);
            position.switch_player();
            position.pop(&m);
        }
        sum
    }

    /// The usual positions for counting, with the numbers that all programs agree on
    /// (<https://www.chessprogramming.org/Perft_Results>), and some of en passant and promotion, counted by
    /// two programs.
    const POSITIONS: [(&str, &[u64]); 12] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2_039, 97_862, 4_085_603, 193_690_690],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9_467, 422_333, 15_833_292],
        ),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            &[6, 264, 9_467, 422_333, 15_833_292],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1_486, 62_379, 2_103_487, 89_941_194],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2_079, 89_890, 3_894_594, 164_075_551],
        ),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[24, 496, 9_483, 182_838, 3_605_103, 71_179_139]),
        // En passant at the start: one that is legal, one that would open the rank, one onto a square just
        // vacated.
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", &[31, 707, 21_637, 524_138]),
        ("8/8/8/K1pP3r/8/8/8/7k w - c6 0 2", &[5, 70, 438, 7_046]),
        ("4k3/8/8/8/1pPp4/8/8/4K2B b - c3 0 1", &[9, 112, 849, 12_167]),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", &[6, 136, 863, 20_471]),
    ];

    /// Counts the rows of the table whose number of nodes is in the range.
    fn count(nodes: std::ops::RangeInclusive<u64>) -> (usize, usize) {
        let started = std::time::Instant::now();
        let (mut counted, mut skipped, mut all) = (0, 0, 0);
        for (text, numbers) in POSITIONS {
            let (mut position, _) = fen::parse(text).into_result().expect("a FEN");
            for (depth, &number) in (1..).zip(numbers) {
                if !nodes.contains(&number) {
                    skipped += 1;
                    continue;
                }
                assert_eq!(perft(&mut position, depth), number, "{text}, depth {depth}");
                all += number;
                counted += 1;
            }
        }
        let rate = all as f64 / started.elapsed().as_secs_f64() / 1e6;
        println!("{counted} counted, {skipped} skipped, {all} nodes, {rate:.1} million a second");
        (counted, skipped)
    }

    #[test]
    fn games_are_as_many_as_published() {
        assert_eq!(count(0..=500_000), (44, 15));
    }

    #[test]
    #[ignore = "counts 750 million games: cargo test --release published -- --ignored --nocapture"]
    fn games_are_as_many_as_published_deep_down() {
        assert_eq!(count(500_001..=u64::MAX), (15, 44));
    }

    /// Checks the same numbers with the action search of 5D chess.
    #[test]
    fn actions_are_as_many_as_published() {
        fn perft(position: &Position, depth: u32) -> u64 {
            if depth == 1 {
                return position.count_legal_actions(u64::MAX).count;
            }
            position
                .legal_actions()
                .map(|action| {
                    let mut after = position.clone();
                    after.play(&action).expect("a legal action");
                    perft(&after, depth - 1)
                })
                .sum()
        }
        for (text, numbers) in POSITIONS {
            let (position, _) = fen::parse(text).into_result().expect("a FEN");
            for (depth, &number) in (1..).zip(numbers).take_while(|(_, number)| **number < 10_000) {
                assert_eq!(perft(&position, depth), number, "{text}, depth {depth}");
            }
        }
    }

    #[test]
    fn a_game_of_both_worlds_goes_over_and_back() {
        let game = pgn5d::parse("1. e4 / e5 2. Nf3 / Nc6 3. Bb5 / a6 4. O-O").into_result().unwrap();
        let (orthodox, losses) = from_5d(&game).unwrap();
        assert_eq!(losses[0].what, "the rules of 5D chess: time travel is not part of orthodox chess");
        assert_eq!(orthodox.actions, game.actions);
        let (back, losses) = to_5d(&orthodox).unwrap();
        assert_eq!(losses.len(), 1);
        assert_eq!(*back, game);
        assert_eq!(to_5d(&game).unwrap(), (Cow::Borrowed(&game), vec![]));
        assert_eq!(from_5d(&orthodox).unwrap().1, []);
    }

    #[test]
    fn headers_that_mean_something_in_the_other_notation_are_lost() {
        let game = pgn::parse("[White \"a\"] [Board \"3\"] 1. e4 *").into_result().unwrap();
        let written = pgn5d::write(&to_5d(&game).unwrap().0, pgn5d::Marks::None);
        assert_eq!(written.losses, [Loss::new("the header `Board`")]);
        let text = String::from_utf8(written.bytes).unwrap();
        assert_eq!(
            pgn5d::parse(&text).into_result().unwrap().headers,
            [("White".to_string(), "a".to_string())]
        );
    }

    #[test]
    fn a_game_of_one_world_stays_there() {
        let from = |text: &str| from_5d(&pgn5d::parse(text).into_result().unwrap()).map(|_| ()).unwrap_err();
        let jump = from("1. Nf3 / Nf6 2. N>>f5");
        assert_eq!((jump.action, jump.reason.contains("goes to another board")), (Some(2), true));
        assert_eq!(from("[Board \"Standard - Two Timelines\"]").action, None);
        // The queen takes on e5 with check; in 5D chess she then also sees the king that stood behind it a
        // turn ago.
        let game = pgn::parse("1. e4 e5 2. Qh5 Nf6 3. Qxe5+ Be7 *").into_result().unwrap();
        let refused = to_5d(&game).map(|_| ()).unwrap_err();
        assert_eq!(refused.action, Some(5), "{refused}");
    }
}
