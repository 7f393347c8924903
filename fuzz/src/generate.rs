//! Positions and actions out of bytes.
//!
//! Positions are reached by playing: a small random start, then random legal actions, so that timelines, branches and
//! inactive lines arise as they do in games.

use arbitrary::{Result, Unstructured};
use worldlines::rules::variants::VARIANTS;
use worldlines::state::{Board, Position, Setup};
use worldlines::types::{
    Action, BoardCoordinate, BoardSize, Color, Move, Parity, Piece, PieceKind, Promotions, RuleProfile,
    Square,
};

/// A position of few pieces on small boards, some actions away from a random start.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn small_position(u: &mut Unstructured<'_>, most_actions: usize) -> Result<Position> {
    let mut position = small_start(u)?;
    // Random boards often leave the player to move without an action; most runs should go further than that.
    for _ in 0..4 {
        if position.legal_actions().next().is_some() || u.ratio(1, 8)? {
            break;
        }
        position = small_start(u)?;
    }
    for _ in 0..u.int_in_range(0..=most_actions)? {
        match random_action(u, &position)? {
            Some(action) => position.play_unchecked(&action),
            None => break,
        }
    }
    Ok(position)
}

/// A start: a named one or a small random one.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn start(u: &mut Unstructured<'_>) -> Result<Position> {
    if u.ratio(1, 2)? {
        return small_position(u, 2);
    }
    let mut setup = u.choose(&VARIANTS)?.setup();
    setup.profile = random_profile(u)?;
    Ok(Position::from_setup(&setup).expect("variants are positions"))
}

/// A position of any kind: few pieces, close to mate or to promotion, or some actions into a named variant.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn any_position(u: &mut Unstructured<'_>) -> Result<Position> {
    match u.int_in_range(0..=7)? {
        0 => mating_position(u),
        1 | 2 => {
            let mut position = start(u)?;
            for _ in 0..u.int_in_range(0..=8)? {
                match random_action(u, &position)? {
                    Some(action) => position.play_unchecked(&action),
                    None => break,
                }
            }
            Ok(position)
        }
        _ => small_position(u, 6),
    }
}

/// A position in which a mate is not unlikely: a king on a small board against a king and one to three pieces, on one
/// timeline or two, perhaps some actions later.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn mating_position(u: &mut Unstructured<'_>) -> Result<Position> {
    const MATING: [PieceKind; 6] = [
        PieceKind::Queen,
        PieceKind::Rook,
        PieceKind::Princess,
        PieceKind::Pawn,
        PieceKind::Bishop,
        PieceKind::Knight,
    ];
    let size = BoardSize::new(u.int_in_range(2..=4)?, u.int_in_range(2..=4)?).expect("sizes up to 4 exist");
    let attacker = *u.choose(&Color::ALL)?;
    let mut boards = Vec::new();
    let high = i16::from(u.ratio(1, 5)?);
    for timeline in 0..=high {
        let mut board = Board::empty(size);
        for _ in 0..u.int_in_range(1..=3)? {
            let (square, _, unmoved) = random_piece(u, size)?;
            board.put(square, Piece { color: attacker, kind: *u.choose(&MATING)? }, unmoved);
        }
        for color in [attacker, !attacker] {
            let (square, _, _) = random_piece(u, size)?;
            board.put(square, Piece { color, kind: PieceKind::King }, false);
        }
        boards.push((BoardCoordinate::new(timeline, 1, attacker), board));
    }
    let setup = Setup { size, parity: Parity::Odd, profile: random_profile(u)?, boards };
    let mut position = Position::from_setup(&setup).map_err(|_| arbitrary::Error::IncorrectFormat)?;
    for _ in 0..*u.choose(&[0, 0, 0, 1, 2])? {
        match random_action(u, &position)? {
            Some(action) => position.play_unchecked(&action),
            None => break,
        }
    }
    Ok(position)
}

fn random_profile(u: &mut Unstructured<'_>) -> Result<RuleProfile> {
    let mut promotions = Promotions::QUEEN;
    if u.ratio(1, 4)? {
        // `with` refuses what a pawn never becomes.
        let more = u.arbitrary::<u16>()?;
        let wanted = PieceKind::ALL.into_iter().filter(|&kind| more >> kind as u16 & 1 == 1);
        promotions = wanted.fold(promotions, |set, kind| set.with(kind).unwrap_or(set));
    }
    if u.ratio(1, 2)? {
        return Ok(RuleProfile { promotions, ..RuleProfile::default() });
    }
    Ok(RuleProfile {
        promotions,
        castling_at_distance_two: u.arbitrary()?,
        en_passant_on_new_timelines: u.arbitrary()?,
        en_passant_onto_vacated: u.arbitrary()?,
        check_passes_every_board: u.arbitrary()?,
        time_travel: u.ratio(7, 8)?,
    })
}

/// A random start: one to three timelines, each with one to three boards.
fn small_start(u: &mut Unstructured<'_>) -> Result<Position> {
    let size = BoardSize::new(u.int_in_range(1..=5)?, u.int_in_range(1..=5)?).expect("sizes up to 5 exist");
    let parity = if u.ratio(1, 3)? { Parity::Even } else { Parity::Odd };
    let (low, high): (i16, i16) = match parity {
        Parity::Odd => *u.choose(&[(0, 0), (0, 0), (0, 0), (0, 1), (-1, 0), (-1, 1)])?,
        Parity::Even => *u.choose(&[(-1, 0), (-1, 0), (-1, 1), (-2, 0)])?,
    };
    let profile = random_profile(u)?;
    let mut boards = Vec::new();
    let common = (u.int_in_range(0..=1)?, *u.choose(&Color::ALL)?);
    for timeline in low..=high {
        let (turn, color) =
            if u.ratio(5, 6)? { common } else { (u.int_in_range(0..=1)?, *u.choose(&Color::ALL)?) };
        let first = BoardCoordinate::new(timeline, turn, color);
        let mut board = random_board(u, size)?;
        for step in 0..u.int_in_range(1..=3)? {
            let mut at = first;
            at.half_turn.0 += step;
            boards.push((at, board));
            disturb(u, size, &mut board)?;
        }
    }
    Position::from_setup(&Setup { size, parity, profile, boards })
        .map_err(|_| arbitrary::Error::IncorrectFormat)
}

fn random_board(u: &mut Unstructured<'_>, size: BoardSize) -> Result<Board> {
    let mut board = Board::empty(size);
    for _ in 0..u.int_in_range(0..=4)? {
        let (square, piece, unmoved) = random_piece(u, size)?;
        board.put(square, piece, unmoved);
    }
    // Positions without royal pieces are rare in play.
    for color in Color::ALL {
        if u.ratio(4, 5)? {
            let (square, _, unmoved) = random_piece(u, size)?;
            board.put(square, Piece { color, kind: PieceKind::King }, unmoved);
        }
    }
    Ok(board)
}

/// The next board of a made-up history: a piece more or less.
fn disturb(u: &mut Unstructured<'_>, size: BoardSize, board: &mut Board) -> Result<()> {
    let (square, piece, unmoved) = random_piece(u, size)?;
    if u.ratio(1, 2)? {
        board.put(square, piece, unmoved);
    } else {
        board.remove(square);
    }
    Ok(())
}

fn random_piece(u: &mut Unstructured<'_>, size: BoardSize) -> Result<(Square, Piece, bool)> {
    let (file, rank) = (u.int_in_range(0..=size.width() - 1)?, u.int_in_range(0..=size.height() - 1)?);
    let square = Square::new(file, rank).expect("the square is on the board");
    let piece = Piece { color: *u.choose(&Color::ALL)?, kind: *u.choose(&PieceKind::ALL)? };
    Ok((square, piece, u.ratio(2, 3)?))
}

/// A random legal action, jumps as likely as other moves; `None` when there is none.
///
/// # Errors
///
/// When the bytes run out.
pub fn random_action(u: &mut Unstructured<'_>, position: &Position) -> Result<Option<Action>> {
    for _ in 0..4 {
        let mut trial = position.clone();
        let mut moves: Vec<Move> = Vec::new();
        loop {
            if trial.submit_obstacle().is_none()
                && (u.ratio(4, 5)? || trial.playable_boards().next().is_none())
            {
                return Ok(Some(Action::new(moves)));
            }
            let choices = trial.pseudo_legal_moves();
            if choices.is_empty() {
                break;
            }
            let m = *u.choose(&choices)?;
            trial.push(&m);
            moves.push(m);
        }
    }
    Ok(position.legal_actions().next())
}
