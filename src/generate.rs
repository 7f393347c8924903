//! Makes positions, actions and games from bytes, for fuzzing and property tests (feature `arbitrary`).
//!
//! Positions are reached by playing random legal actions from a named variant or a small random start, so
//! that timelines, branches and inactive lines arise as in games. Some are then edited by adding or removing
//! a piece. A third get a past that no game has, since an author may write any boards. [`Position`] and
//! [`Game`] are [`Arbitrary`]; the functions give positions of one kind.
//!
//! ```
//! use arbitrary::{Arbitrary, Unstructured};
//! use worldlines::notation::fen5d;
//! use worldlines::state::Position;
//!
//! let position = Position::arbitrary(&mut Unstructured::new(b"any bytes will do, the more of them the better"))?;
//! assert_eq!(fen5d::parse(&fen5d::write(&position)).into_result().map(|again| again.multiverse() == position.multiverse()), Ok(true));
//! # Ok::<(), arbitrary::Error>(())
//! ```

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::notation::{Game, GameResult, Note, Notes, Variation};
use crate::rules::variants::VARIANTS;
use crate::state::{Board, Position, Setup};
use crate::types::{
    Action, BoardCoordinate, BoardSize, Color, HalfTurn, Move, Parity, Piece, PieceKind, Promotions,
    RuleProfile, Square, Timeline,
};

/// A position of any kind: few pieces, close to mate or to promotion, or some actions into a named variant;
/// perhaps edited, or with a past that no game has.
impl<'a> Arbitrary<'a> for Position {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Position> {
        let position = match u.int_in_range(0..=7)? {
            0 => mating_position(u)?,
            7 => rank_and_file_position(u)?,
            1 | 2 => {
                let start = start(u)?;
                played(u, start, 8)?.0
            }
            _ => small_position(u, 6)?,
        };
        match u.int_in_range(0..=5)? {
            0 => edited(u, &position),
            1 | 2 => with_any_past(u, &position),
            _ => Ok(position),
        }
    }
}

/// A game of random legal actions from a [`start`], perhaps with a result and headers.
impl<'a> Arbitrary<'a> for Game {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Game> {
        let start = start(u)?;
        game(u, start, MOST_ACTIONS)
    }
}

/// The largest number of actions of a game.
const MOST_ACTIONS: usize = 16;

/// A game of at most `most_actions` random legal actions, perhaps with a result and headers.
///
/// # Errors
///
/// When the bytes lead to no game.
pub fn game(u: &mut Unstructured<'_>, start: Position, most_actions: usize) -> Result<Game> {
    let (_, actions) = played(u, start.clone(), most_actions)?;
    let mut game = Game::new(start, actions);
    if u.ratio(1, 2)? {
        game.result = Some(*u.choose(&GameResult::ALL)?);
    }
    if u.ratio(1, 4)? {
        // Any text without line ends, which headers cannot have.
        let value = u.arbitrary::<String>()?.replace(['\n', '\r'], "\\");
        game.headers.push(("Event".into(), value));
    }
    if u.ratio(1, 4)? {
        let mut position = game.start.clone();
        game.notes = random_notes(u, &mut position, &game.actions, 2)?;
    }
    Ok(game)
}

/// Random notes beside these actions, with variations that have variations up to this depth. The position is the same afterwards.
fn random_notes(
    u: &mut Unstructured<'_>,
    position: &mut Position,
    actions: &[Action],
    depth: usize,
) -> Result<Notes> {
    let mut notes = Notes::new();
    for after in 0..=actions.len() {
        if u.ratio(1, 3)? {
            let mut note = Note { glyphs: u.arbitrary()?, comments: u.arbitrary()?, variations: Vec::new() };
            // Line ends are read as `\n`, and braces of a comment with several lines that are not in pairs are lost.
            for text in &mut note.comments {
                *text = text.replace('\r', "\n");
                if text.contains('\n') {
                    *text = text.replace(['{', '}'], "");
                }
            }
            for _ in 0..u.int_in_range(0..=depth)? {
                let (_, actions) = played(u, position.clone(), 3)?;
                if !actions.is_empty() {
                    let notes = random_notes(u, position, &actions, depth - 1)?;
                    let result = if u.arbitrary()? { Some(*u.choose(&GameResult::ALL)?) } else { None };
                    note.variations.push(Variation { actions, notes, result });
                }
            }
            notes.extend((!note.is_empty()).then_some((after, note)));
        }
        if let Some(action) = actions.get(after) {
            position.play_unchecked(action);
        }
    }
    actions.iter().rev().for_each(|action| position.undo_unchecked(action));
    Ok(notes)
}

/// A game of orthodox chess, from its start position or from an edited one.
///
/// # Errors
///
/// When the bytes lead to no game.
pub fn orthodox_game(u: &mut Unstructured<'_>, most_actions: usize) -> Result<Game> {
    let mut setup = VARIANTS[0].setup();
    setup.profile = RuleProfile::orthodox();
    let mut start = Position::from_setup(&setup).expect("variants are positions");
    if u.ratio(1, 4)? {
        start = edited(u, &start)?;
    }
    game(u, start, most_actions)
}

/// Plays at most `most_actions` random legal actions.
fn played(
    u: &mut Unstructured<'_>,
    mut position: Position,
    most_actions: usize,
) -> Result<(Position, Vec<Action>)> {
    let mut actions = Vec::new();
    for _ in 0..u.int_in_range(0..=most_actions)? {
        let Some(action) = random_action(u, &position)? else { break };
        position.play_unchecked(&action);
        actions.push(action);
    }
    Ok((position, actions))
}

/// The position with up to three squares changed, on any of its boards; its history may be impossible then.
///
/// # Errors
///
/// When the bytes run out.
pub fn edited(u: &mut Unstructured<'_>, position: &Position) -> Result<Position> {
    let mut setup = position.to_setup();
    for _ in 0..u.int_in_range(1..=3)? {
        // Half of the changes are on the last board in the list.
        let last = setup.boards.len() - 1;
        let index = if u.ratio(1, 2)? { last } else { u.int_in_range(0..=last)? };
        disturb(u, setup.size, &mut setup.boards[index].1)?;
    }
    Ok(Position::from_setup(&setup).expect("the same boards with other pieces"))
}

/// The position with a past that no game has. Timelines begin earlier than they did, earlier boards have
/// other pieces, and a timeline without an origin may be added. The last boards of the other timelines stay
/// as they are.
///
/// An author may write any of this, so no proof may depend on how a board arose.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn with_any_past(u: &mut Unstructured<'_>, position: &Position) -> Result<Position> {
    /// The number of half-turns by which everything is shifted, so that there is room for earlier boards.
    const ROOM: i16 = 4;
    let mut setup = position.to_setup();
    setup.boards.iter_mut().for_each(|(at, _)| at.half_turn.0 += ROOM);
    let range = position.multiverse().range();
    for timeline in range.lowest.0..=range.highest.0 {
        let of_timeline = |(at, _): &&mut (BoardCoordinate, Board)| at.timeline.0 == timeline;
        let mut boards: Vec<_> = setup.boards.iter_mut().filter(of_timeline).collect();
        boards.sort_by_key(|(at, _)| at.half_turn);
        let (first, mut next) = *boards[0];
        let past = boards.len() - 1;
        for (_, board) in &mut boards[..past] {
            *board = another_past(u, setup.size, *board)?;
        }
        for back in 1..=u.int_in_range(0..=2)? {
            next = another_past(u, setup.size, next)?;
            let half_turn = HalfTurn(first.half_turn.0 - back);
            setup.boards.push((BoardCoordinate { half_turn, ..first }, next));
        }
    }
    if u.ratio(1, 4)? {
        let timeline = Timeline(*u.choose(&[range.lowest.0 - 1, range.highest.0 + 1])?);
        let half_turn = HalfTurn(position.present().0 + u.int_in_range(ROOM + 1..=ROOM + 6)?);
        let mut board = Board::empty(setup.size);
        for _ in 0..u.int_in_range(0..=2)? {
            disturb(u, setup.size, &mut board)?;
        }
        setup.boards.push((BoardCoordinate { timeline, half_turn }, board));
    }
    Position::from_setup(&setup).map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// A board for the time before this one: the same, an empty one, one with some of its pieces, or any.
fn another_past(u: &mut Unstructured<'_>, size: BoardSize, mut board: Board) -> Result<Board> {
    match u.int_in_range(0..=4)? {
        0 => Ok(board),
        1 => Ok(Board::empty(size)),
        2 => random_board(u, size),
        _ => {
            for (square, _) in board.pieces().collect::<Vec<_>>() {
                if u.ratio(1, 2)? {
                    board.remove(square);
                }
            }
            Ok(board)
        }
    }
}

/// A position with few pieces on small boards, some actions after a random start.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn small_position(u: &mut Unstructured<'_>, most_actions: usize) -> Result<Position> {
    let mut position = small_start(u)?;
    // Random boards often leave the player to move without a legal action; most runs should get beyond that.
    for _ in 0..4 {
        if first_action(&position).is_some() || u.ratio(1, 8)? {
            break;
        }
        position = small_start(u)?;
    }
    Ok(played(u, position, most_actions)?.0)
}

/// A position as an author may write it, without a game that leads to it: any number of timelines on each
/// side, far apart in time, on small boards.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn written_position(u: &mut Unstructured<'_>) -> Result<Position> {
    let size = BoardSize::new(u.int_in_range(1..=4)?, u.int_in_range(2..=4)?).expect("sizes up to 4 exist");
    let parity = *u.choose(&[Parity::Odd, Parity::Odd, Parity::Even])?;
    let profile = random_profile(u)?;
    let (below, above) = (u.int_in_range(0..=3)?, u.int_in_range(0..=3)?);
    let central = parity.central();
    let mut boards = Vec::new();
    for timeline in central.lowest.0 - below..=central.highest.0 + above {
        let first = u.int_in_range(2..=9)?;
        for half_turn in first..=first + u.int_in_range(0..=2)? {
            let at = BoardCoordinate { timeline: Timeline(timeline), half_turn: HalfTurn(half_turn) };
            boards.push((at, random_board(u, size)?));
        }
    }
    Position::from_setup(&Setup { size, parity, profile, boards })
        .map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// A start: a variant or a small random one.
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

/// A position that often has a mate: a king on a small board against a king and one to three pieces, pawns
/// often about to promote, on one to three timelines, perhaps some actions later.
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
    const PROMOTIONS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Rook, PieceKind::Unicorn, PieceKind::CommonKing];
    let mut side = || Ok(*u.choose(&[2, 2, 3, 3, 3, 4, 4, 5])?);
    let size = BoardSize::new(side()?, side()?).expect("sizes up to 5 exist");
    let attacker = *u.choose(&Color::ALL)?;
    let mut boards = Vec::new();
    let high = *u.choose(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2])?;
    let mut profile = random_profile(u)?;
    for timeline in 0..=high {
        let mut board = Board::empty(size);
        for _ in 0..u.int_in_range(1..=3)? {
            let (mut square, any, unmoved) = random_piece(u, size)?;
            let kind = if u.ratio(1, 8)? { any.kind } else { *u.choose(&MATING)? };
            if kind == PieceKind::Pawn && u.ratio(1, 2)? {
                // About to promote, with at least one promotion other than the queen.
                let rank = if attacker == Color::White { size.height() - 2 } else { 1 };
                square = Square::new(square.file(), rank).expect("boards have two ranks");
                let more = *u.choose(&PROMOTIONS)?;
                profile.promotions = profile.promotions.with(more).unwrap_or(profile.promotions);
            }
            board.put(square, Piece { color: attacker, kind }, unmoved);
        }
        for color in [attacker, !attacker] {
            let (square, _, _) = random_piece(u, size)?;
            board.put(square, Piece { color, kind: PieceKind::King }, false);
        }
        boards.push((BoardCoordinate::new(timeline, 1, attacker), board));
    }
    let setup = Setup { size, parity: Parity::Odd, profile, boards };
    let position = Position::from_setup(&setup).map_err(|_| arbitrary::Error::IncorrectFormat)?;
    let most_actions = *u.choose(&[0, 0, 0, 1, 2])?;
    Ok(played(u, position, most_actions)?.0)
}

/// A position that often has a mate, as an author may write it: with boards that arose in no game. Their past
/// does not fit, other timelines are far ahead, and some of these allow no moves, or none that matter. There
/// may be more than eight timelines.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn authored_position(u: &mut Unstructured<'_>) -> Result<Position> {
    let mut setup = mating_position(u)?.to_setup();
    let (first, board) = setup.boards[0];
    if u.ratio(1, 2)? && first.half_turn.0 > 0 {
        let mut past = board;
        disturb(u, setup.size, &mut past)?;
        setup.boards.push((BoardCoordinate { half_turn: HalfTurn(first.half_turn.0 - 1), ..first }, past));
    }
    let (low, high) = setup
        .boards
        .iter()
        .fold((0, 0), |(low, high), (at, _)| (at.timeline.0.min(low), at.timeline.0.max(high)));
    for count in 1..=*u.choose(&[1, 1, 2, 3, 9, 70])? {
        let timeline = if u.arbitrary()? { Timeline(high + count) } else { Timeline(low - count) };
        let mut board = Board::empty(setup.size);
        if u.ratio(1, 4)? {
            let (square, piece, unmoved) = random_piece(u, setup.size)?;
            board.put(square, piece, unmoved);
        }
        let ahead = *u.choose(&[0, 0, 1, 2, 3, 20])?;
        setup
            .boards
            .push((BoardCoordinate { timeline, half_turn: HalfTurn(first.half_turn.0 + ahead) }, board));
    }
    without_gaps(&mut setup);
    Position::from_setup(&setup).map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// Renumbers the timelines above and below 0 in order, so that none is missing.
fn without_gaps(setup: &mut Setup) {
    let numbers: BTreeSet<i16> = setup.boards.iter().map(|(at, _)| at.timeline.0).collect();
    let below = numbers.range(..0).count() as i16;
    let renumbered = |number: i16| numbers.range(..number).count() as i16 - below;
    for (at, _) in &mut setup.boards {
        at.timeline = Timeline(renumbered(at.timeline.0));
    }
}

/// A position with three timelines in a line through time. At one end is a board of the attacker that is
/// ahead of the present, at the other a king of the defender, and between them, at the present, a piece that
/// may block the line. The defender need not play the boards that the attacker makes at the ends. So a
/// refutation of one action refutes many, and captures depend on the boards that any of them makes.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn three_in_a_line(u: &mut Unstructured<'_>) -> Result<Position> {
    const BARRIERS: [PieceKind; 5] =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::CommonKing];
    const SLIDERS: [PieceKind; 3] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Princess];
    let size = BoardSize::new(u.int_in_range(3..=4)?, u.int_in_range(3..=4)?).expect("sizes up to 4 exist");
    let (attacker, defender) = (Color::White, Color::Black);
    let side = *u.choose(&[-1, 1])?;
    let (in_line, _, _) = random_piece(u, size)?;
    let mut add = |board: &mut Board, color, kinds: &[PieceKind], most: u8| -> Result<()> {
        for _ in 0..u.int_in_range(0..=most)? {
            let (square, _, _) = random_piece(u, size)?;
            if square != in_line {
                board.put(square, Piece { color, kind: *u.choose(kinds)? }, false);
            }
        }
        Ok(())
    };
    let [mut present, mut ahead, mut target] = [Board::empty(size); 3];
    add(&mut present, attacker, &BARRIERS, 2)?;
    add(&mut present, attacker, &SLIDERS, 1)?;
    add(&mut present, defender, &[PieceKind::Pawn, PieceKind::Pawn, PieceKind::Knight], 2)?;
    add(&mut ahead, attacker, &BARRIERS, 2)?;
    add(&mut ahead, attacker, &SLIDERS, 1)?;
    add(&mut ahead, defender, &[PieceKind::Pawn], 2)?;
    add(&mut target, defender, &[PieceKind::Pawn], 1)?;
    present.put(in_line, Piece { color: attacker, kind: *u.choose(&BARRIERS)? }, false);
    target.put(in_line, Piece { color: defender, kind: PieceKind::King }, false);
    let boards = vec![
        (BoardCoordinate::new(0, 2, attacker), present),
        (BoardCoordinate::new(side, 3, attacker), ahead),
        (BoardCoordinate::new(-side, 4, attacker), target),
    ];
    let setup = Setup { size, parity: Parity::Odd, profile: RuleProfile::default(), boards };
    Position::from_setup(&setup).map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// A position similar to a quiet mate on boards that arose in no game. A bishop of the attacker, far ahead,
/// attacks along a line through time a square that a king may enter, and the attacker has one pawn. Up to
/// three squares are changed.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn quiet_mate(u: &mut Unstructured<'_>) -> Result<Position> {
    use PieceKind::{Bishop, King, Pawn, Rook};
    let size = BoardSize::new(1, 8).expect("a size");
    let (white, black) = (Color::White, Color::Black);
    let mut boards = Vec::new();
    let mut add = |timeline, turn, color, pieces: &[(u8, Color, PieceKind)]| {
        let mut board = Board::empty(size);
        for &(rank, color, kind) in pieces {
            let square = Square::new(0, rank).expect("one of eight ranks");
            board.put(square, Piece { color, kind }, false);
        }
        boards.push((BoardCoordinate::new(timeline, turn, color), board));
    };
    let looking = u.int_in_range(0..=3)?;
    add(0, 5, black, &[(7, black, King), (0, white, Bishop)]);
    add(0, 6, white, &[(7, black, King), (looking, white, Bishop)]);
    add(1, 3, white, &[(4, white, Pawn), (3, black, Pawn)]);
    add(2, 4, white, &[]);
    add(3, 2, black, &[(u.int_in_range(2..=4)?, black, King)]);
    for timeline in 4..4 + u.int_in_range(1..=3)? {
        add(timeline, *u.choose(&[2, 5])?, black, &[(3, black, Rook)]);
    }
    let setup = Setup { size, parity: Parity::Odd, profile: RuleProfile::default(), boards };
    let position = Position::from_setup(&setup).map_err(|_| arbitrary::Error::IncorrectFormat)?;
    if u.ratio(1, 4)? { Ok(position) } else { edited(u, &position) }
}

/// A position with two small boards at the present: on one the defender's king may be mated, on the other the
/// defender has pieces with many moves. Most of these moves do not matter, so that one answer serves many
/// defences, and a few of them defend.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn spare_board(u: &mut Unstructured<'_>) -> Result<Position> {
    use PieceKind::{Bishop, CommonKing, King, Knight, Pawn, Queen, Rook, Unicorn};
    let size = BoardSize::new(u.int_in_range(3..=4)?, u.int_in_range(2..=4)?).expect("sizes up to 4 exist");
    let (attacker, defender) = (Color::White, Color::Black);
    let mut add = |board: &mut Board, color, kinds: &[PieceKind], number: RangeInclusive<u8>| -> Result<()> {
        for _ in 0..u.int_in_range(number)? {
            let (square, _, _) = random_piece(u, size)?;
            board.put(square, Piece { color, kind: *u.choose(kinds)? }, false);
        }
        Ok(())
    };
    let [mut mating, mut spare] = [Board::empty(size); 2];
    add(&mut mating, attacker, &[Rook, Knight, Bishop, Pawn, CommonKing, Queen], 1..=2)?;
    add(&mut mating, defender, &[King], 1..=1)?;
    add(&mut spare, defender, &[Knight, Rook, Bishop, Unicorn, Pawn], 1..=2)?;
    add(&mut spare, defender, &[King, CommonKing], 0..=1)?;
    add(&mut spare, attacker, &[King, CommonKing, Pawn, Knight], 1..=1)?;
    let boards = vec![
        (BoardCoordinate::new(0, 1, attacker), mating),
        (BoardCoordinate::new(*u.choose(&[-1, 1])?, 1, attacker), spare),
    ];
    let setup = Setup { size, parity: Parity::Odd, profile: RuleProfile::default(), boards };
    Position::from_setup(&setup).map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// A position that often has a mate, with additional timelines that are nearly the same as others: they
/// differ only in the marks of unmoved pieces, or in pawns that are brawns. Jumps to both lead to nearly the
/// same positions.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn near_duplicates(u: &mut Unstructured<'_>) -> Result<Position> {
    let mut setup = mating_position(u)?.to_setup();
    let highest = setup.boards.iter().map(|(at, _)| at.timeline.0).max().unwrap_or(0);
    let outermost: Vec<(BoardCoordinate, Board)> =
        setup.boards.iter().filter(|(at, _)| at.timeline.0 == highest).copied().collect();
    for copy in 1..=u.int_in_range(1..=2)? {
        for (at, board) in &outermost {
            let mut board = *board;
            for (square, piece) in board.pieces().collect::<Vec<_>>() {
                if !u.ratio(1, 3)? {
                    continue;
                }
                let kind = match piece.kind {
                    PieceKind::Pawn if u.ratio(1, 4)? => PieceKind::Brawn,
                    kind => kind,
                };
                board.put(square, Piece { kind, ..piece }, !board.is_unmoved(square));
            }
            setup.boards.push((BoardCoordinate { timeline: Timeline(highest + copy), ..*at }, board));
        }
    }
    Position::from_setup(&setup).map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// A position in which castling and en passant are often possible, or forbidden by one detail: kings and
/// rooks on one rank, and pawns near the squares of a double step, with changes on each of several
/// consecutive boards.
///
/// # Errors
///
/// When the bytes lead to no position.
pub fn rank_and_file_position(u: &mut Unstructured<'_>) -> Result<Position> {
    let size = BoardSize::new(u.int_in_range(4..=8)?, u.int_in_range(4..=6)?).expect("sizes up to 8 exist");
    let mover = *u.choose(&Color::ALL)?;
    let profile = random_profile(u)?;
    let rank = u.int_in_range(0..=size.height() - 1)?;
    let file = u.int_in_range(0..=size.width() - 1)?;
    // The double step of an opponent's pawn: its start, the skipped square, its target, and the squares of a
    // capturer.
    let forward = (!mover).rank_forward();
    let home =
        if forward > 0 { u.int_in_range(0..=1)? } else { size.height() - 1 - u.int_in_range(0..=1)? };
    let step = |steps: i8| Square::new(file, home).and_then(|square| square.offset(0, forward * steps));
    let passing = [
        step(0),
        step(1),
        step(2),
        step(2).and_then(|s| s.offset(1, 0)),
        step(2).and_then(|s| s.offset(-1, 0)),
    ];
    let passing: Vec<Square> =
        passing.into_iter().flatten().filter(|square| size.contains(*square)).collect();
    let mut board = Board::empty(size);
    for _ in 0..u.int_in_range(0..=3)? {
        let kind = *u.choose(&[PieceKind::King, PieceKind::Rook, PieceKind::Rook, PieceKind::Queen])?;
        let square = Square::new(u.int_in_range(0..=size.width() - 1)?, rank).expect("on the board");
        board.put(square, Piece { color: mover, kind }, u.ratio(5, 6)?);
    }
    let pawn_of = |u: &mut Unstructured<'_>, color| {
        let kind = *u.choose(&[PieceKind::Pawn, PieceKind::Pawn, PieceKind::Brawn])?;
        Ok(Piece { color, kind })
    };
    for (index, &square) in passing.iter().enumerate() {
        if matches!(index, 0 | 3 | 4) && u.ratio(3, 4)? {
            let color = if index == 0 { !mover } else { mover };
            board.put(square, pawn_of(u, color)?, u.ratio(7, 8)?);
        }
    }
    let mut boards = Vec::new();
    for timeline in 0..=i16::from(u.ratio(1, 2)?) {
        let count = u.int_in_range(1..=3)?;
        let end = HalfTurn::new(2, mover).0;
        for half_turn in end + 1 - count..=end {
            if half_turn == end
                && u.ratio(3, 4)?
                && let (Some(&home), Some(&landing)) = (passing.first(), passing.get(2))
                && let Some(piece) = board.get(home)
            {
                board.remove(home);
                board.put(landing, piece, false);
            }
            for &square in &passing {
                let color = *u.choose(&[!mover, !mover, mover])?;
                match u.int_in_range(0..=15)? {
                    1 | 2 => board.put(square, pawn_of(u, color)?, u.ratio(3, 4)?),
                    3 => board.remove(square),
                    _ => {}
                }
            }
            if u.ratio(1, 4)? {
                disturb(u, size, &mut board)?;
            }
            let half_turn = HalfTurn(half_turn);
            boards.push((BoardCoordinate { timeline: Timeline(timeline), half_turn }, board));
        }
    }
    Position::from_setup(&Setup { size, parity: Parity::Odd, profile, boards })
        .map_err(|_| arbitrary::Error::IncorrectFormat)
}

fn random_profile(u: &mut Unstructured<'_>) -> Result<RuleProfile> {
    let mut promotions = Promotions::QUEEN;
    if u.ratio(1, 4)? {
        // `with` rejects pieces to which a pawn never promotes.
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
    // Positions without royal pieces are rare in games.
    for color in Color::ALL {
        if u.ratio(4, 5)? {
            let (square, _, unmoved) = random_piece(u, size)?;
            board.put(square, Piece { color, kind: PieceKind::King }, unmoved);
        }
    }
    Ok(board)
}

/// The next board of a made-up history: with a piece more or less.
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

/// A random legal action, with jumps as likely as other moves; `None` when there is none or it is hard to
/// find.
///
/// # Errors
///
/// When the bytes run out.
pub fn random_action(u: &mut Unstructured<'_>, position: &Position) -> Result<Option<Action>> {
    for _ in 0..4 {
        let mut trial = position.clone();
        let mut moves: Vec<Move> = Vec::new();
        loop {
            if trial.can_submit().is_ok() && (u.ratio(4, 5)? || trial.playable_boards().next().is_none()) {
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
    Ok(first_action(position))
}

/// A legal action, if the search finds one quickly: in some positions with many timelines it takes seconds.
fn first_action(position: &Position) -> Option<Action> {
    position.legal_actions().within(300).next()
}
