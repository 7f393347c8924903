//! Writes games as text.

use std::fmt::Write as _;

use super::Generation;
use super::board::{castling_pair, castling_rights, plain_rows};
use super::parse_with;
use crate::notation::common::coordinates::{self, Base};
use crate::notation::common::en_passant::{self, start_rank};
use crate::notation::common::{Game, Loss, WriteError, Written};
use crate::notation::common::{Options, UnmovedPawns};
use crate::state::{Board, Multiverse, Position};
use crate::types::{BoardCoordinate, Color, HalfTurn, MoveKind, Parity, PieceKind, Square, Timeline};

/// `w1`
pub(super) fn start_text(start: HalfTurn) -> String {
    format!("{}{}", start.color().letter(), start.turn())
}

/// A game in one of the forms, and the losses. Without a form it is the seed form if that holds all actions,
/// else the origins form.
///
/// # Errors
///
/// When the start has boards before the first one of a timeline; in the seed form also when a piece goes to
/// the last board of another timeline.
pub fn write(game: &Game, generation: Option<Generation>) -> Result<Written, WriteError> {
    write_with(game, generation, &Options::default())
}

/// Like [`write()`], with the first number of files and ranks from the options.
pub(in crate::notation) fn write_with(
    game: &Game,
    generation: Option<Generation>,
    options: &Options,
) -> Result<Written, WriteError> {
    let base = Base::to_write(options);
    let text = match generation {
        Some(Generation::Seed) => write_seed(game, base)?,
        Some(Generation::Origins) => write_origins(game, base)?,
        None => match write_seed(game, base) {
            Ok(text) if leads_back(&text, game, options.zero_based) => text,
            _ => write_origins(game, base)?,
        },
    };
    let mut losses = game.losses_of_headers();
    losses.extend(losses_of_start(game));
    losses.extend(game.loss_of_result());
    Ok(Written::new(text, losses))
}

/// Whether the text is read back with the same actions, with or without all pawns unmoved.
fn leads_back(text: &str, game: &Game, zero_based: bool) -> bool {
    let reading = parse_with(text, &Options { zero_based, ..Options::default() });
    let read = reading.error.is_none() && reading.value.is_some_and(|read| read.actions == game.actions);
    read || {
        // A pawn that has moved may stand where others start; reading with all pawns unmoved then decides.
        let options = Options { unmoved_pawns: UnmovedPawns::All, zero_based, ..Options::default() };
        let reading = parse_with(text, &options);
        reading.error.is_none() && reading.value.is_some_and(|read| read.actions == game.actions)
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
        losses.push(Loss::new("which pawns are unmoved: those on their second rank will be read so"));
    }
    if pieces {
        losses.push(Loss::new("which of the kings and rooks that cannot castle are unmoved"));
    }
    losses.extend(game.loss_of_rules(game.promotions_shown()));
    losses
}

/// The beginning of the line of a timeline.
struct Opening<'g> {
    start: HalfTurn,
    board: &'g Board,
    skipped: Option<Square>,
}

impl<'g> Opening<'g> {
    /// The beginning with one board.
    fn at(multiverse: &'g Multiverse, timeline: Timeline, start: HalfTurn) -> Opening<'g> {
        let board = multiverse.board(BoardCoordinate { timeline, half_turn: start });
        Opening { start, board: board.expect("it is in the span of the timeline"), skipped: None }
    }
}

/// The beginning of a start timeline: one board, two equal ones from turn zero on, or three, whose last one
/// follows from a double step of a pawn and needs the others for the capture.
fn opening(start: &Position, timeline: Timeline) -> Result<Opening<'_>, WriteError> {
    let multiverse = start.multiverse();
    let (first, last) = multiverse.span(timeline).expect("a timeline has boards");
    let at = |half_turn| Opening::at(multiverse, timeline, half_turn);
    let board = |half_turn| at(half_turn).board;
    let zero = first == HalfTurn::new(0, Color::Black);
    match last.0 - first.0 {
        0 if zero => {
            let reason = "it adds a board at turn 1 to a timeline that begins with turn zero";
            Err(WriteError::new(reason))
        }
        0 => Ok(at(first)),
        1 if zero && board(first) == board(last) => Ok(at(first)),
        2 if board(first) == board(first.next())
            && let Some(skipped) = en_passant::skipped(board(first), board(last), last.color())
            && en_passant::has_capturer(board(last), last.color(), skipped) =>
        {
            Ok(Opening { skipped: Some(skipped), ..at(last) })
        }
        _ => {
            let label = start.parity().label(timeline);
            let reason =
                format!("timeline {label} starts with several boards, but there is room for one only");
            Err(WriteError::new(reason))
        }
    }
}

fn write_seed(game: &Game, base: Base) -> Result<String, WriteError> {
    let parity = game.start.parity();
    let at_start = game.start.multiverse().range();
    let mut position = game.start.clone();
    let mut moves: Vec<(Timeline, String)> = Vec::new();
    for (index, action) in game.actions.iter().enumerate() {
        for m in action.moves() {
            if m.kind == MoveKind::Hop {
                let reason = "a hop cannot be written in the line of a timeline";
                return Err(WriteError::at(index, reason));
            }
            moves.push((m.from.board.timeline, coordinates::move_text(base, &position, m)));
        }
        position.play_unchecked(action);
    }
    let multiverse = position.multiverse();
    let range = multiverse.range();
    // A stable sort leaves the moves of a timeline in their order.
    moves.sort_by_key(|(timeline, _)| *timeline);
    let mut moves = moves.into_iter().peekable();
    let flag = if parity == Parity::Even { 'T' } else { 'F' };
    let mut text = format!(
        "{};{};{};{};{};{flag}\n",
        position.size().width(),
        position.size().height(),
        range.len(),
        parity.label(range.lowest),
        position.to_move().letter(),
    );
    for timeline in multiverse.timelines() {
        let opening = if at_start.contains(timeline) {
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

fn write_origins(game: &Game, base: Base) -> Result<String, WriteError> {
    let start = &game.start;
    let multiverse = start.multiverse();
    let range = multiverse.range();
    let mut position = start.clone();
    let mut actions = Vec::new();
    for action in &game.actions {
        actions.push(coordinates::action_text_from(base, &position, action));
        position.play_unchecked(action);
    }
    let mut text = format!(
        "{};{};{};{};{};{}\n",
        start.size().width(),
        start.size().height(),
        u8::from(start.parity() == Parity::Even),
        range.len(),
        start.parity().label(range.lowest),
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
