//! The title and the id of a position, and small words for them and for the [point](super::point).

use std::collections::BTreeMap;

use crate::state::Position;
use crate::types::{Color, Piece, PieceKind, fnv1a};

/// The pieces of both sides in words, as `Two bishops against a lone king`; or only their number.
pub fn title(position: &Position) -> String {
    sides(position, "against")
}

/// The title of a helpmate or a selfmate, as `A queen beside a lone king`.
pub fn title_of_line(position: &Position) -> String {
    sides(position, "beside")
}

/// The pieces of both players, with a word between them.
fn sides(position: &Position, between: &str) -> String {
    let player = position.to_move();
    let [own, other] = [player, !player].map(|color| material(position, color));
    capital(&format!("{own} {between} {other}"))
}

/// The pieces of a player on the playable boards, in words.
fn material(position: &Position, color: Color) -> String {
    let boards = position.playable_boards().filter_map(|at| position.board(at));
    let mut kinds: BTreeMap<std::cmp::Reverse<PieceKind>, usize> = BTreeMap::new();
    for (_, piece) in boards.flat_map(|board| board.pieces().collect::<Vec<(_, Piece)>>()) {
        if piece.color == color {
            *kinds.entry(std::cmp::Reverse(piece.kind)).or_insert(0) += 1;
        }
    }
    let kings = kinds.remove(&std::cmp::Reverse(PieceKind::King)).unwrap_or(0);
    let count: usize = kinds.values().sum();
    if count == 0 {
        return if kings > 1 { several(PieceKind::King, kings) } else { "a lone king".to_owned() };
    }
    if kinds.len() > 3 || count > 6 {
        return format!("{} pieces", number(count));
    }
    let kinds: Vec<String> = kinds.into_iter().map(|(kind, count)| several(kind.0, count)).collect();
    listed(&kinds)
}

fn several(kind: PieceKind, count: usize) -> String {
    match count {
        1 => format!("a {kind}"),
        _ => format!("{} {kind}s", number(count)).replace("princesss", "princesses"),
    }
}

/// Small numbers as words.
pub(super) fn number(count: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(parts: &[String]) -> String {
    joined(parts, "and")
}

/// `a`, `a or b`, `a, b or c`, with the last word before the last part.
pub(super) fn joined(parts: &[String], last_word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} {last_word} {last}", rest.join(", ")),
    }
}

/// An id for the position: the pieces of the player to move, the task, and 16 bits of a hash that tell most
/// positions apart.
pub fn id(position: &Position, asked: &str) -> String {
    let boards = position.multiverse().boards();
    let bytes = boards.flat_map(|(at, board)| format!("{at}{}", board.rows()).into_bytes());
    let hash = fnv1a(bytes);
    let attacker = position.to_move();
    let mut kinds: Vec<PieceKind> = position
        .playable_boards()
        .filter_map(|at| position.board(at))
        .flat_map(|board| board.pieces().map(|(_, piece)| piece).collect::<Vec<Piece>>())
        .filter(|piece| piece.color == attacker && piece.kind != PieceKind::King)
        .map(|piece| piece.kind)
        .collect();
    kinds.sort();
    kinds.dedup();
    let names: Vec<String> = match kinds.len() {
        0 => vec!["kings".to_owned()],
        1..=2 => kinds.iter().rev().map(|kind| kind.name().replace(' ', "-")).collect(),
        _ => vec!["many".to_owned()],
    };
    // Of ten thousand finds with one of these names, no two have the same number in 99 of 100 collections.
    format!("{}-{asked}-{:08x}", names.join("-"), hash & 0xffff_ffff)
}

/// A text with a capital first letter.
pub(super) fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;

    #[test]
    fn a_position_has_a_title_and_an_id() {
        let titled = |text: &str| title(&fen5d::parse(text).into_result().unwrap());
        let position = fen5d::parse("[5/NK2k/p4/5/5:0:1:w]").into_result().unwrap();
        assert_eq!(title(&position), "A knight against a pawn");
        assert!(id(&position, "in-2").starts_with("knight-in-2-"));
        assert_eq!(titled("[2K/2R/k2:0:1:w]"), "A rook against a lone king");
        assert_eq!(titled("[2K/2R/k2:-0:1:w] [2K/3/k2:+0:1:w]"), "A rook against two kings");
    }

    #[test]
    fn lists_and_numbers_are_english() {
        assert_eq!(several(PieceKind::Princess, 2), "two princesses");
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
        assert_eq!(joined(&["a".into(), "b".into()], "or"), "a or b");
        assert_eq!(number(40), "40");
    }
}
