//! Moves of which a text gives the board, the piece and the target, and perhaps a part of the square of
//! origin.

use super::describe::{is_capture, piece_at, place_text};
use super::error::{Issue, ParseError};
use super::game::WriteError;
use super::replay::{Replay, becomes, list};
use super::span::Span;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Move, PieceKind, Square};

/// The parts of a move that a text gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shorthand {
    /// All of it.
    pub span: Span,
    /// The board that the piece leaves.
    pub at: BoardCoordinate,
    /// The piece.
    pub kind: PieceKind,
    /// The file from which it comes, counted from 0.
    pub file: Option<u8>,
    /// The rank from which it comes, counted from 0.
    pub rank: Option<u8>,
    /// The file to which it goes.
    pub to_file: u8,
    /// The rank to which it goes.
    pub to_rank: Option<u8>,
    /// Whether a capture is written.
    pub capture: bool,
}

impl Shorthand {
    fn arrives(&self, m: &Move) -> bool {
        let to = m.to.square;
        to.file() == self.to_file && self.to_rank.is_none_or(|rank| rank == to.rank())
    }

    fn leaves(&self, position: &Position, m: &Move) -> bool {
        let from = m.from.square;
        self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && piece_at(position, m.from).is_some_and(|piece| piece.kind == self.kind)
    }
}

/// The one move that the text can mean, among those for which `goes` is true. A pawn becomes a queen, or the
/// only piece that it may become.
pub(crate) fn meant(
    player: &mut Replay,
    text: &Shorthand,
    goes: impl Fn(&Move) -> bool,
) -> Result<Move, ParseError> {
    let Replay { position, candidates, .. } = player;
    candidates.clear();
    position.pseudo_legal_moves_from(text.at, candidates);
    let choice = position.profile().promotions;
    candidates.retain(|m| goes(m) && text.arrives(m) && becomes(choice, None, m.promotion));
    let fitting = || candidates.iter().filter(|m| text.leaves(position, m));
    // If captures fit a text with a capture sign, only they are meant.
    let captures = text.capture && fitting().any(|m| is_capture(position, m));
    let mut meant = fitting().filter(|m| !captures || is_capture(position, m));
    let shown = |moves: &mut dyn Iterator<Item = &Move>| {
        let texts =
            moves.map(|m| format!("{} to {}", place_text(position, m.from), place_text(position, m.to)));
        list(texts)
    };
    match (meant.next(), meant.next()) {
        (Some(only), None) => Ok(*only),
        (Some(_), Some(_)) => {
            let hint = format!("write one of: {}", shown(&mut fitting()));
            let message = "more than one move is written like this";
            Err(Issue::new("ambiguous-move", text.span, message).hint(hint).ambiguous())
        }
        (None, _) => {
            let message = format!("no {} {} can make this move", position.to_move(), text.kind);
            let issue = Issue::new("no-such-move", text.span, message);
            let others = shown(&mut candidates.iter());
            let hint = (!others.is_empty()).then(|| format!("what can go there: {others}"));
            Err(Issue { hint, ..issue }.illegal())
        }
    }
}

/// The file and the rank of the origin of a move, as far as they tell it from the same moves of other pieces
/// of its kind; the file with every capture by a pawn.
pub(crate) fn origin_needed(position: &Position, m: &Move) -> (Option<u8>, Option<u8>) {
    let kind = piece_at(position, m.from).map(|piece| piece.kind);
    let mut candidates = Vec::new();
    position.pseudo_legal_moves_from(m.from.board, &mut candidates);
    let from = m.from.square;
    let others: Vec<Square> = candidates
        .iter()
        .filter(|other| other.to == m.to && other.from != m.from)
        .filter(|other| piece_at(position, other.from).map(|piece| piece.kind) == kind)
        .map(|other| other.from.square)
        .collect();
    let same_file = others.iter().any(|other| other.file() == from.file());
    let same_rank = others.iter().any(|other| other.rank() == from.rank());
    let pawn_captures = kind.is_some_and(PieceKind::is_pawn_like) && is_capture(position, m);
    let both = same_file && same_rank;
    let file = both || pawn_captures || !others.is_empty() && !same_file;
    (file.then_some(from.file()), (both || same_file).then_some(from.rank()))
}

/// Refuses an action in which a pawn becomes another piece than the one that [`meant`] takes for granted.
pub(crate) fn promotion_is_clear(
    position: &Position,
    action: &Action,
    index: usize,
) -> Result<(), WriteError> {
    let choice = position.profile().promotions;
    let guessed = |made| choice.iter().filter(|&kind| becomes(choice, None, Some(kind))).eq([made]);
    let kinds = action.moves().iter().filter_map(|m| m.promotion);
    match kinds.into_iter().find(|&made| !guessed(made)) {
        None => Ok(()),
        Some(kind) => {
            let reason =
                format!("a pawn becomes a {kind}, but this notation does not say what a pawn becomes");
            Err(WriteError::at(index, reason))
        }
    }
}
