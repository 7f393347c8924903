//! Games as text.

use std::fmt::Write as _;

use super::Generation;
use super::board::{castling_pair, castling_rights, plain_rows};
use super::read;
use crate::notation::double_step::{self, start_rank};
use crate::notation::format::{Options, UnmovedPawns};
use crate::notation::raw;
use crate::notation::{Game, Loss, Unwritable, Written};
use crate::state::{Board, Multiverse, Position};
use crate::types::{
    BoardCoordinate, Color, HalfTurn, MoveKind, Parity, PieceKind, Promotions, RuleProfile, Square, Timeline,
};

/// `w1`
pub(super) fn start_text(start: HalfTurn) -> String {
    format!("{}{}", start.color().letter(), start.turn())
}

/// A game in the seed form if that holds it, in the origins form otherwise, and what is lost by it.
///
/// # Errors
///
/// When the start has boards before the first one of a timeline.
pub fn write_game(game: &Game) -> Result<Written, Unwritable> {
    let seed = write(game, Generation::Seed);
    let text = match seed {
        Ok(text) if leads_back(&text, game) => text,
        _ => write(game, Generation::Origins)?,
    };
    let mut losses = game.losses_of_headers();
    losses.extend(losses_of_start(game));
    losses.extend(game.loss_of_result());
    Ok(Written::new(text, losses))
}

/// Whether the actions are read back as they are, whatever becomes of the marks of unmoved pieces.
fn leads_back(text: &str, game: &Game) -> bool {
    let reading = read(text, &Options::default());
    let read = reading.error.is_none() && reading.game.is_some_and(|read| read.actions == game.actions);
    read || {
        // Pawns that have moved may stand where others start.
        let options = Options { unmoved_pawns: UnmovedPawns::All, ..Options::default() };
        let reading = self::read(text, &options);
        reading.error.is_none() && reading.game.is_some_and(|read| read.actions == game.actions)
    }
}

fn losses_of_start(game: &Game) -> Vec<Loss> {
    let start = &game.start;
    let mut losses = Vec::new();
    let mut unmoved = [false; 2];
    for (_, board) in start.multiverse().boards() {
        let kings: Vec<Square> = [Color::White, Color::Black]
            .into_iter()
            .flat_map(|color| [1, -1].map(|side| (color, side)))
            .filter_map(|(color, side)| castling_pair(board, color, side, start.size()))
            .filter(|&(king, rook)| board.is_unmoved(king) && board.is_unmoved(rook))
            .flat_map(|(king, rook)| [king, rook])
            .collect();
        for (square, piece) in board.pieces() {
            let (is, read) = match piece.kind {
                PieceKind::Pawn | PieceKind::Brawn => {
                    (board.is_unmoved(square), square.rank() == start_rank(piece.color, start.size()))
                }
                PieceKind::King | PieceKind::Rook => (board.is_unmoved(square), kings.contains(&square)),
                _ => continue,
            };
            unmoved[usize::from(piece.kind.is_pawn_like())] |= is != read;
        }
    }
    let [pieces, pawns] = unmoved;
    if pawns {
        losses.push(Loss::new("which pawns have never moved: those on their second rank are read so"));
    }
    if pieces {
        losses.push(Loss::new("that kings or rooks have never moved which cannot castle"));
    }
    let used = game.actions.iter().flat_map(|action| action.moves()).filter_map(|m| m.promotion);
    let shown = used.fold(Promotions::QUEEN, |set, kind| set.with(kind).unwrap_or(set));
    if start.profile() != (RuleProfile { promotions: shown, ..RuleProfile::default() }) {
        losses.push(Loss::new("the rules in force, such as promotions"));
    }
    losses
}

/// A game in one of the forms, whether or not that says everything.
///
/// # Errors
///
/// When the start has boards before the first one of a timeline; in the seed form also when a piece goes to the last
/// board of another timeline.
pub fn write(game: &Game, generation: Generation) -> Result<String, Unwritable> {
    match generation {
        Generation::Seed => write_seed(game),
        Generation::Origins => write_origins(game),
    }
}

/// What the line of a timeline begins with.
struct Opening<'g> {
    start: HalfTurn,
    board: &'g Board,
    skipped: Option<Square>,
}

impl<'g> Opening<'g> {
    /// That with one board.
    fn at(multiverse: &'g Multiverse, timeline: Timeline, start: HalfTurn) -> Opening<'g> {
        let board = multiverse.board(BoardCoordinate { timeline, half_turn: start });
        Opening { start, board: board.expect("it is in the span of the timeline"), skipped: None }
    }
}

/// How a start timeline begins: with one board, two equal ones from turn zero on, or three of which the last follows from a
/// pawn's double step.
fn opening(start: &Position, timeline: Timeline) -> Result<Opening<'_>, Unwritable> {
    let multiverse = start.multiverse();
    let (first, last) = multiverse.span(timeline).expect("a timeline has boards");
    let at = |half_turn| Opening::at(multiverse, timeline, half_turn);
    let board = |half_turn| at(half_turn).board;
    let zero = first == HalfTurn::new(0, Color::Black);
    match last.0 - first.0 {
        0 if zero => {
            let reason = "a game in which Black begins at turn 0 is read as one with another board at turn 1";
            Err(Unwritable::new(reason))
        }
        0 => Ok(at(first)),
        1 if zero && board(first) == board(last) => Ok(at(first)),
        2 if board(first) == board(first.next())
            && let Some(skipped) = double_step::skipped(board(first), board(last), last.color()) =>
        {
            Ok(Opening { skipped: Some(skipped), ..at(last) })
        }
        _ => {
            let label = start.parity().label(timeline);
            let reason =
                format!("timeline {label} starts with several boards: a game cannot start in the middle");
            Err(Unwritable::new(reason))
        }
    }
}

fn write_seed(game: &Game) -> Result<String, Unwritable> {
    let parity = game.start.parity();
    let (start_low, start_high) = game.start.multiverse().range();
    let mut position = game.start.clone();
    let mut moves: Vec<(Timeline, String)> = Vec::new();
    for (index, action) in game.actions.iter().enumerate() {
        for m in action.moves() {
            if m.kind == MoveKind::Hop {
                let reason = "a move to the last board of another timeline cannot be written by timelines";
                return Err(Unwritable::at(index, reason));
            }
            moves.push((m.from.board.timeline, raw::move_text(&position, m)));
        }
        position.play_unchecked(action);
    }
    let multiverse = position.multiverse();
    let (lowest, highest) = multiverse.range();
    // A stable sort leaves the moves of a timeline in their order.
    moves.sort_by_key(|(timeline, _)| *timeline);
    let mut moves = moves.into_iter().peekable();
    let flag = if parity == Parity::Even { 'T' } else { 'F' };
    let mut text = format!(
        "{};{};{};{};{};{flag}\n",
        position.size().width(),
        position.size().height(),
        i32::from(highest.0) - i32::from(lowest.0) + 1,
        parity.label(lowest),
        position.to_move().letter(),
    );
    for timeline in multiverse.timelines() {
        let opening = if (start_low..=start_high).contains(&timeline) {
            opening(&game.start, timeline)?
        } else {
            let (first, _) = multiverse.span(timeline).expect("a timeline has boards");
            Opening::at(multiverse, timeline, first)
        };
        push_line(&mut text, &opening);
        let mut own = Vec::new();
        while let Some((_, m)) = moves.next_if(|(of, _)| *of == timeline) {
            own.push(m);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, ";{};{}", own.len(), own.join(";"));
    }
    Ok(text)
}

fn write_origins(game: &Game) -> Result<String, Unwritable> {
    let start = &game.start;
    let multiverse = start.multiverse();
    let (lowest, highest) = multiverse.range();
    let mut position = start.clone();
    let mut actions = Vec::new();
    for action in &game.actions {
        actions.push(raw::action_text(&position, action));
        position.play_unchecked(action);
    }
    let mut text = format!(
        "{};{};{};{};{};{}\n",
        start.size().width(),
        start.size().height(),
        u8::from(start.parity() == Parity::Even),
        i32::from(highest.0) - i32::from(lowest.0) + 1,
        start.parity().label(lowest),
        position.to_move().letter(),
    );
    for timeline in multiverse.timelines() {
        push_line(&mut text, &opening(start, timeline)?);
        text.push('\n');
    }
    if !actions.is_empty() {
        text.push_str(&actions.join(";"));
        text.push('\n');
    }
    Ok(text)
}

/// `pieces;castling;en passant;start`
fn push_line(text: &mut String, Opening { start, board, skipped }: &Opening<'_>) {
    let skipped = skipped.map_or("-".to_owned(), |square| square.to_string());
    // Writing to a string cannot fail.
    let _ = write!(text, "{};{};{skipped};{}", plain_rows(board), castling_rights(board), start_text(*start));
}
