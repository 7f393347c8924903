//! Finds the move that a text means, even if it leaves parts out.

use super::write::move_text;
use crate::notation::common::describe::{is_capture, place_text};
use crate::notation::common::move_text::{BRANCH_NOT_HOP, HOP_NOT_BRANCH, NO_CASTLING};
use crate::notation::common::replay::{
    becomes, cannot_become, list, not_the_last, opponents_piece, opponents_timeline,
};
use crate::notation::common::{
    BoardText, ErrorClass, Issue, Jump, Label, MoveText, ParseError, Place, Shape, Target,
};
use crate::state::Position;
use crate::types::{BoardCoordinate, Coordinate, HalfTurn, Move, MoveKind, PieceKind, Square};

/// The one move that a text can mean. `candidates` is a buffer.
pub(super) fn meant(
    position: &Position,
    text: &MoveText,
    candidates: &mut Vec<Move>,
) -> Result<Move, ParseError> {
    if let Some(m) = named(position, text, candidates)? {
        return Ok(m);
    }
    list_candidates(position, text, candidates)?;
    let only = only(position, candidates, text);
    // `>>` to the last board of a timeline with the full name of the board can only mean the hop.
    let Shape::Piece { kind, file, rank, jump: Some(Jump::Branch), target: Some(target), capture, to } =
        text.shape
    else {
        return only;
    };
    only.or_else(|error| {
        let shape =
            Shape::Piece { kind, file, rank, jump: Some(Jump::Hop), target: Some(target), capture, to };
        let hop = MoveText { shape, ..text.clone() };
        let mut fitting = candidates.iter().filter(|m| fits(position, &hop, m));
        match (error.class, fitting.next(), fitting.next()) {
            (ErrorClass::Illegal, Some(m), None) => Ok(*m),
            _ => Err(error),
        }
    })
}

/// Lists the moves between two squares that a text gives in full with their boards, and says whether it does.
fn list_between(
    position: &Position,
    text: &MoveText,
    candidates: &mut Vec<Move>,
) -> Result<bool, ParseError> {
    let Some((board, label)) = text.from.and_then(|board| Some((board, board.timeline?))) else {
        return Ok(false);
    };
    let at = source(position, label, &board)?;
    let (Some(square), Some(to)) = (text.origin(), target(position, text, at)) else { return Ok(false) };
    candidates.clear();
    position.pseudo_legal_moves_between(Coordinate { board: at, square }, to, candidates);
    Ok(true)
}

/// The move between two squares that a text gives in full, if exactly one can be made.
fn named(
    position: &Position,
    text: &MoveText,
    candidates: &mut Vec<Move>,
) -> Result<Option<Move>, ParseError> {
    if !list_between(position, text, candidates)? {
        return Ok(None);
    }
    let mut fitting = candidates.iter().filter(|m| fits(position, text, m));
    let first = fitting.next().copied();
    Ok(first.filter(|_| fitting.next().is_none()))
}

/// Whether no move is possible here from the board and, if both are given in full, between the squares of a text. It takes much less time
/// than a message that says so.
#[cfg(feature = "puzzle")]
pub(super) fn is_impossible(position: &Position, text: &MoveText) -> bool {
    let mut candidates = Vec::new();
    match list_between(position, text, &mut candidates) {
        Ok(are_given) => are_given && candidates.is_empty(),
        Err(_) => true,
    }
}

/// Lists the moves from all boards that the text allows, or fewer if the one that it means is among them.
fn list_candidates(
    position: &Position,
    text: &MoveText,
    candidates: &mut Vec<Move>,
) -> Result<(), ParseError> {
    candidates.clear();
    if let Some((board, label)) = text.from.and_then(|board| Some((board, board.timeline?))) {
        let at = source(position, label, &board)?;
        // The target square is mostly given: then only moves to it are listed.
        if let Some(to) = target(position, text, at) {
            position.pseudo_legal_moves_to(at, to, candidates);
        }
        if !candidates.iter().any(|m| fits(position, text, m)) {
            candidates.clear();
            position.pseudo_legal_moves_from(at, candidates);
        }
        return Ok(());
    }
    for at in position.playable_boards() {
        let allowed = text.from.is_none_or(|board| {
            board.turn.is_none_or(|turn| turn == at.half_turn.turn())
                && board.color.is_none_or(|color| color == at.color())
        });
        if allowed {
            position.pseudo_legal_moves_from(at, candidates);
        }
    }
    Ok(())
}

/// The board that a text names. An error if the player to move may not move from it.
pub(super) fn playable_board(position: &Position, text: &BoardText) -> Result<BoardCoordinate, ParseError> {
    let Some(label) = text.timeline else {
        return Err(Issue::new(
            "no-such-timeline",
            text.span,
            "expected a board with its timeline, such as `(0T1)`",
        )
        .malformed());
    };
    source(position, label, text)
}

/// The move of a text without a board when it starts on the board `at`, whatever the action plays before it.
pub(super) fn start_on(
    position: &Position,
    at: BoardCoordinate,
    text: &MoveText,
) -> Result<Move, ParseError> {
    if let Some(board) = text.from {
        let message = "expected a move without its board, which was named before";
        return Err(Issue::new("board-named-twice", board.span, message).malformed());
    }
    let mut candidates = Vec::new();
    position.pseudo_legal_moves_from(at, &mut candidates);
    // Once the action has played on the target board of a hop, that board is history: the same jump is a
    // branch then.
    let hops = candidates.iter().filter(|m| m.kind == MoveKind::Hop);
    let branches: Vec<Move> = hops.map(|m| Move { kind: MoveKind::Branch, ..*m }).collect();
    candidates.extend(branches);
    only(position, &candidates, text)
}

/// The target square of a move from the board `at`, if the text gives it in full.
fn target(position: &Position, text: &MoveText, at: BoardCoordinate) -> Option<Coordinate> {
    let Shape::Piece { jump, target, to, .. } = text.shape else { return None };
    let board = match target {
        None => jump.is_none().then_some(at)?,
        Some(Target { timeline, turn, color, .. }) => {
            let (Place::At(label), Place::At(turn)) = timeline.zip(turn)? else { return None };
            let timeline = label.timeline(position.parity())?;
            turn.checked_mul(2).filter(|&half| half < i16::MAX)?;
            let half_turn = HalfTurn::new(turn, color.unwrap_or(at.color()));
            BoardCoordinate { timeline, half_turn }
        }
    };
    Some(Coordinate { board, square: to })
}

/// The one of these moves that the text can mean. An error if none or several fit.
fn only(position: &Position, candidates: &[Move], text: &MoveText) -> Result<Move, ParseError> {
    let fitting = || candidates.iter().filter(|m| fits(position, text, m));
    let (first, second) = {
        let mut fitting = fitting();
        (fitting.next(), fitting.next())
    };
    match (first, second) {
        (None, _) => return Err(no_move(position, candidates, text)),
        (Some(only), None) => return Ok(*only),
        _ => {}
    }
    // If several fit, no letter means a pawn, if exactly one pawn can move.
    let lettered = matches!(text.shape, Shape::Piece { kind: Some(_), .. });
    let is_pawn = |m: &&Move| !lettered && piece_of(position, m) == Some(PieceKind::Pawn);
    let pawns: Vec<&Move> = fitting().filter(is_pawn).collect();
    if let [pawn] = *pawns {
        return Ok(*pawn);
    }
    // If several fit, `x` means the capture, if there is exactly one.
    let captures = matches!(text.shape, Shape::Piece { capture: true, .. });
    let mut capturing = fitting().filter(|m| captures && is_capture(position, m));
    if let (Some(capture), None) = (capturing.next(), capturing.next()) {
        return Ok(*capture);
    }
    // The likeliest first: those of a pawn alone if there are some, on boards that must be played before others.
    let mut meant = if pawns.is_empty() { fitting().collect() } else { pawns };
    meant.sort_by_key(|m| m.from.board.half_turn != position.present());
    let hint = format!("write one of: {}", list(meant.into_iter().map(|m| move_text(position, m))));
    Err(Issue::new("ambiguous-move", text.span, "more than one move is written like this")
        .hint(hint)
        .ambiguous())
}

/// The last board of a timeline, if a piece can move from it and the text does not name another board.
fn source(position: &Position, label: Label, text: &BoardText) -> Result<BoardCoordinate, ParseError> {
    let timeline = label.timeline_at(position.parity(), text.span)?;
    let label = position.parity().label(timeline);
    let refused = |code, message: String| Err(Issue::new(code, text.span, message).illegal());
    let Some((_, end)) = position.multiverse().span(timeline) else {
        return refused("no-such-timeline", format!("there is no timeline {label}"));
    };
    let at = BoardCoordinate { timeline, half_turn: end };
    let to_move = position.to_move();
    if text.color.is_some_and(|color| color != to_move) {
        return refused(
            "not-playable",
            format!("{} is to move, and cannot move on a {} board", to_move.name(), (!to_move).name()),
        );
    }
    if end.color() != to_move {
        return refused("not-playable", opponents_timeline(position, timeline));
    }
    if let Some(turn) = text.turn.filter(|&turn| turn != end.turn()) {
        let issue = Issue::new("not-playable", text.span, not_the_last(position, at));
        let from_zero = turn == 0 && end.turn() == 1;
        return Err(if from_zero { issue.hint("turns are counted from 1") } else { issue }.illegal());
    }
    Ok(at)
}

/// The error that no move fits, with the most likely reason.
fn no_move(position: &Position, candidates: &[Move], text: &MoveText) -> ParseError {
    let to_move = position.to_move();
    let fitting = |text: &MoveText| {
        let fitting = candidates.iter().filter(|m| fits(position, text, m));
        fitting.map(|m| move_text(position, m)).collect::<Vec<String>>()
    };
    let refused = |message: &str, hint: Option<String>| {
        let issue = Issue::new("no-such-move", text.span, message);
        Issue { hint, ..issue }.illegal()
    };
    let meant = |moves: &[String]| moves.first().map(|one| format!("did you mean {one}?"));

    if text.from.is_none() && position.playable_boards().next().is_none() {
        let hint = "an action of Black is written after `/`, the next one of White with its number";
        let message = format!("{} has no board left to move on in this action", to_move.name());
        return refused(&message, Some(hint.to_owned()));
    }
    let Shape::Piece { kind, file, rank, jump, target, capture, to } = text.shape else {
        return refused(NO_CASTLING, None);
    };
    if let Some(message) = wrong_piece(position, text) {
        return refused(&message, None);
    }
    if let Some(Target { span, timeline: Some(Place::At(label)), .. }) = target
        && let Err(error) = label.timeline_at(position.parity(), span)
    {
        return error;
    }
    if text.promotion.is_some() {
        // A hop may be written as a branch: the kind of jump does not count here.
        let jump = jump.filter(|_| target.is_none());
        let shape = Shape::Piece { kind, file, rank, jump, target, capture, to };
        let moves = fitting(&MoveText { promotion: None, shape, ..text.clone() });
        if !moves.is_empty() {
            return refused(&cannot_become(text.promotion), meant(&moves));
        }
    }
    let shaped = |kind, jump| Shape::Piece { kind, file: None, rank: None, jump, target, capture, to };
    if jump.is_some() && target.is_some() {
        let anyhow = MoveText { shape: shaped(kind, None), ..text.clone() };
        if let Some(m) = candidates.iter().find(|m| fits(position, &anyhow, m)) {
            let message = match m.kind {
                MoveKind::Physical => "`>` and `>>` mark a jump, but this move stays on its board",
                MoveKind::Hop => HOP_NOT_BRANCH,
                MoveKind::Branch => BRANCH_NOT_HOP,
            };
            return refused(message, meant(&fitting(&anyhow)));
        }
    }
    if let Some(Target { turn: Some(Place::At(0)), .. }) = target
        && position.multiverse().boards().all(|(at, _)| at.half_turn.turn() > 0)
    {
        let hint = "is the start one with a turn zero, as `Standard - Turn Zero`?";
        return refused("the game has no turn 0", Some(hint.to_string()));
    }
    let others = fitting(&MoveText { shape: shaped(None, jump), ..text.clone() });
    let hint = (!others.is_empty()).then(|| format!("what can go there: {}", list(others.into_iter())));
    let piece = kind.map_or("piece", PieceKind::name);
    refused(&format!("no {to_move} {piece} can make this move"), hint)
}

/// The message about the square of origin, if it is empty or has another piece than the text says.
fn wrong_piece(position: &Position, text: &MoveText) -> Option<String> {
    let Shape::Piece { kind, file: Some(file), rank: Some(rank), .. } = text.shape else { return None };
    let board = match text.from {
        Some(board) => source(position, board.timeline?, &board).ok()?,
        None => {
            let mut boards = position.playable_boards();
            boards.next().filter(|_| boards.next().is_none())?
        }
    };
    let place = Coordinate { board, square: Square::new(file, rank)? };
    let on = place_text(position, place);
    match position.board(board)?.get(place.square) {
        None => Some(format!("there is no piece on {on}")),
        Some(piece) if piece.color != position.to_move() => Some(opponents_piece(position, piece, place)),
        Some(piece) => {
            let said = kind.filter(|&kind| kind != piece.kind)?;
            Some(format!("the piece on {on} is a {piece}, not a {said}"))
        }
    }
}

/// Whether the text can mean this move.
fn fits(position: &Position, text: &MoveText, m: &Move) -> bool {
    match text.shape {
        Shape::CastlingRight | Shape::CastlingLeft => is_castling(position, m, text.shape),
        Shape::Piece { kind, file, rank, jump, target, to, .. } => {
            let from = m.from.square;
            to == m.to.square
                && file.is_none_or(|file| file == from.file())
                && rank.is_none_or(|rank| rank == from.rank())
                && kind.is_none_or(|kind| piece_of(position, m) == Some(kind))
                && goes(position, jump, target, m)
                && becomes(position.profile().promotions, text.promotion, m.promotion)
        }
    }
}

fn is_castling(position: &Position, m: &Move, shape: Shape) -> bool {
    let (from, to) = (m.from.square, m.to.square);
    m.kind == MoveKind::Physical
        && shape.castling().is_some_and(|files| from.offset(files, 0) == Some(to))
        && piece_of(position, m) == Some(PieceKind::King)
}

/// Whether the move goes to the target board of the text, by the jump that is written.
fn goes(position: &Position, jump: Option<Jump>, target: Option<Target>, m: &Move) -> bool {
    let kind = match jump {
        Some(jump) => jump.is_of(m),
        None => target.is_some() || m.kind == MoveKind::Physical,
    };
    kind && target.is_none_or(|target| target.fits(position.parity(), m.from.board, m.to.board))
}

pub(super) fn piece_of(position: &Position, m: &Move) -> Option<PieceKind> {
    Some(position.board(m.from.board)?.get(m.from.square)?.kind)
}
