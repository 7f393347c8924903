//! Sentences of a `point` that can be compared with the lines of a mate. Begin at [`of`].
//!
//! Only plain statements are read: a piece or a player followed directly by a verb, or the length of the
//! mate. A sentence with a condition, a doubt or a denial is skipped.

use std::fmt;

use crate::notation::is_en_passant;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Color, HalfTurn, Move, MoveKind, PieceKind};

/// Words in whose sentences something may not happen.
const DOUBTS: [&str; 46] = [
    "if",
    "unless",
    "would",
    "could",
    "can",
    "cannot",
    "may",
    "might",
    "should",
    "not",
    "no",
    "never",
    "nothing",
    "nobody",
    "nor",
    "neither",
    "none",
    "without",
    "instead",
    "otherwise",
    "else",
    "threat",
    "threats",
    "threatens",
    "try",
    "tries",
    "wrong",
    "fails",
    "loses",
    "had",
    "was",
    "were",
    "ordinary",
    "whenever",
    "until",
    "too",
    "elsewhere",
    "before",
    "any",
    "almost",
    "seems",
    "looks",
    "later",
    "longer",
    "slower",
    "wherever",
];

/// The search steps for an escape from check.
const LOOKED_AT: u64 = 20_000;

/// Something that a player or piece is said to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    Moves,
    Captures,
    CapturesEnPassant,
    Castles,
    Promotes,
    GivesCheck,
    Mates,
}

/// The subject of a statement: a player, a kind of piece, or a piece of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Who {
    color: Option<Color>,
    kind: Option<PieceKind>,
}

/// A statement of a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// The length of the mate.
    Length(u32),
    Does(Who, Deed),
}

/// A claim with the words that make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    pub claim: Claim,
    words: String,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the point says `{}`", self.words)
    }
}

/// The statements of a point.
pub(super) fn of(point: &str) -> Vec<Said> {
    let sentences = point.split(['.', ';', ':', '!', '?', '(', ')']);
    sentences.flat_map(in_sentence).collect()
}

fn in_sentence(sentence: &str) -> Vec<Said> {
    let split = sentence.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')));
    let words: Vec<&str> = split.filter(|word| !word.is_empty()).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> =
        lower.iter().map(|word| word.trim_end_matches("'s").trim_end_matches("’s")).collect();
    if lower.iter().any(|word| DOUBTS.contains(word) || word.ends_with("n't")) {
        return Vec::new();
    }
    let said = |from: usize, to: usize, claim| Said { claim, words: words[from..to].join(" ") };
    let mut found = Vec::new();
    for at in 0..lower.len() {
        if let ["mates" | "mate" | "mated", "in", number, ..] = lower[at..]
            && let Some(n) = number_of(number)
        {
            found.push(said(at, at + 3, Claim::Length(n)));
        }
        if let [number, "action" | "actions", "to", "mate", ..] = lower[at..]
            && let Some(n) = number_of(number)
        {
            found.push(said(at, at + 4, Claim::Length(n)));
        }
        let Some((deed, length)) = deed(&lower[at..]) else { continue };
        let (who, before) = who(&lower[..at]);
        let is_by_player = who.kind.is_none() && matches!(deed, Deed::Moves | Deed::Mates);
        if before > 0 && !is_by_player || deed == Deed::CapturesEnPassant {
            found.push(said(at - before, at + length, Claim::Does(who, deed)));
        }
    }
    found
}

/// The verb with which these words begin, and the number of words that it takes.
fn deed(words: &[&str]) -> Option<(Deed, usize)> {
    Some(match words {
        ["gives", "check", ..] => (Deed::GivesCheck, 2),
        ["gives", "mate", ..] => (Deed::Mates, 2),
        ["en", "passant", ..] => (Deed::CapturesEnPassant, 2),
        ["checks", ..] => (Deed::GivesCheck, 1),
        ["mates", ..] => (Deed::Mates, 1),
        ["castles", ..] => (Deed::Castles, 1),
        ["promotes", ..] => (Deed::Promotes, 1),
        ["captures" | "takes", ..] => (Deed::Captures, 1),
        ["moves", ..] => (Deed::Moves, 1),
        _ => return None,
    })
}

/// The subject that the last of these words name, and the number of words that it takes.
fn who(words: &[&str]) -> (Who, usize) {
    let color = |word: Option<&&str>| match word {
        Some(&"white") => Some(Color::White),
        Some(&"black") => Some(Color::Black),
        _ => None,
    };
    let Some(kind) = words.last().and_then(|word| kind_of(word)) else {
        let color = color(words.last());
        return (Who { color, kind: None }, usize::from(color.is_some()));
    };
    let color = color(words[..words.len() - 1].last());
    (Who { color, kind: Some(kind) }, 1 + usize::from(color.is_some()))
}

fn kind_of(word: &str) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|kind| kind.name() == word)
}

fn number_of(word: &str) -> Option<u32> {
    const NUMBERS: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let named = NUMBERS.iter().position(|number| *number == word).map(|index| index as u32 + 1);
    named.or_else(|| word.parse().ok())
}

impl Who {
    fn is(self, color: Color, kind: PieceKind) -> bool {
        self.color.is_none_or(|named| named == color)
            && self.kind.is_none_or(|named| family(named) == family(kind))
    }
}

/// The kind that stands for all kinds that a sentence may call by one name.
fn family(kind: PieceKind) -> PieceKind {
    match kind {
        PieceKind::Brawn => PieceKind::Pawn,
        PieceKind::RoyalQueen => PieceKind::Queen,
        PieceKind::CommonKing => PieceKind::King,
        other => other,
    }
}

/// Whether an action in this position does what a claim says.
pub(super) fn does(before: &Position, action: &Action, who: Who, deed: Deed) -> bool {
    let color = before.to_move();
    let piece = |m: &Move| before.board(m.from.board)?.get(m.from.square).map(|piece| piece.kind);
    let is_theirs = |m: &Move| piece(m).is_some_and(|kind| who.is(color, kind));
    let mut moves = action.moves().iter().filter(|m| is_theirs(m));
    match deed {
        Deed::Moves => moves.next().is_some(),
        Deed::Captures => moves.any(|m| captures(before, m) || is_en_passant(before, m)),
        Deed::CapturesEnPassant => moves.any(|m| is_en_passant(before, m)),
        Deed::Castles => action.moves().iter().any(|m| {
            let is_royal = piece(m).is_some_and(PieceKind::is_royal);
            is_royal && is_castling(m) && who.color.is_none_or(|named| named == color)
        }),
        Deed::Promotes => moves.any(|m| m.promotion.is_some()),
        Deed::GivesCheck | Deed::Mates => {
            let moved = moves.next().is_some();
            let mut after = before.clone();
            after.play_unchecked(action);
            let checks = after.is_in_check();
            // A defender whose escape is not found in time counts as mated.
            let escapes = || after.outcome_within(LOOKED_AT).is_ok_and(|outcome| outcome.escape.is_some());
            let ends = deed == Deed::GivesCheck || checks && !escapes();
            checks && ends && (moved || checkers(&after).any(|kind| who.is(color, kind)))
        }
    }
}

/// The kinds of the pieces that give check.
fn checkers(position: &Position) -> impl Iterator<Item = PieceKind> {
    position.checks().into_iter().filter_map(|check| {
        // A board that a pass would make is a copy of an earlier one.
        let back = |by: i16| {
            let half_turn = HalfTurn(check.from.board.half_turn.0 - by);
            position.board(BoardCoordinate { half_turn, ..check.from.board })
        };
        let board = [0, 1, 2].into_iter().find_map(back)?;
        board.get(check.from.square).map(|piece| piece.kind)
    })
}

pub(super) fn captures(position: &Position, m: &Move) -> bool {
    let target = position.board(m.to.board).and_then(|board| board.get(m.to.square));
    target.is_some_and(|piece| piece.color != position.to_move())
}

pub(super) fn is_castling(m: &Move) -> bool {
    m.kind == MoveKind::Physical && m.from.square.file().abs_diff(m.to.square.file()) == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(point: &str) -> Vec<String> {
        of(point).into_iter().map(|said| said.words).collect()
    }

    #[test]
    fn plain_statements_are_read() {
        let point = "White's queen gives check and mates in three. White castles, and the pawn promotes.";
        let expected = ["White's queen gives check", "mates in three", "White castles", "pawn promotes"];
        assert_eq!(words(point), expected);
        assert_eq!(of(point)[1].claim, Claim::Length(3));
        assert_eq!(words("The pawn captures en passant."), ["pawn captures", "en passant"]);
        assert_eq!(words("Black is mated in three actions."), ["mated in three"]);
        assert_eq!(words("It takes two actions to mate."), ["two actions to mate"]);
    }

    #[test]
    fn other_sentences_are_passed_over() {
        for point in [
            "If the rook gives check, Black castles.",
            "Nothing gives check. Two mates wait.",
            "The rook doesn't promote: without it White castles.",
            "Would the queen mate in three?",
            "Black mates first.",
        ] {
            assert_eq!(words(point), [""; 0], "{point}");
        }
    }
}
