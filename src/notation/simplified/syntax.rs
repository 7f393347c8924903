//! Parses text into [`MoveText`].

use crate::notation::common::move_text::CASTLING;
use crate::notation::common::{BoardText, CheckMark, MoveText, Place, Shape, Target};
use crate::notation::common::{Cursor, Issue, Label, ParseError};
use crate::types::{PieceKind, Square};

/// Reads one part, up to a blank, `;`, a comma or the end.
pub(super) fn parse_part(cursor: &mut Cursor<'_>, warnings: &mut Vec<Issue>) -> Result<MoveText, ParseError> {
    let start = cursor.at;
    let length = cursor.bytes_before(is_end);
    let word = &cursor.text[start..start + length];
    let (unmarked, mark) = match word.as_bytes().last() {
        Some(b'+') => (&word[..length - 1], Some(CheckMark::Check)),
        Some(b'#') => (&word[..length - 1], Some(CheckMark::Checkmate)),
        _ => (word, None),
    };
    let (timeline, shape, promotion) = match castling_part(unmarked) {
        Some((timeline, castling)) => {
            cursor.at = start + unmarked.len();
            (timeline, castling, None)
        }
        None => piece_part(cursor, warnings)?,
    };
    if mark.is_some() && cursor.at == start + unmarked.len() {
        cursor.at += 1;
    }
    if cursor.at != start + length {
        return Err(cursor.expected("unexpected-character", "the end of the part").malformed());
    }
    let span = cursor.span_from(start);
    let from = BoardText { span, timeline, turn: None, color: None };
    Ok(MoveText { promotion, check: mark, ..MoveText::new(span, Some(from), shape) })
}

fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b',')
}

/// Castling, with the timeline in front. It is read from its end, because of `L+10-0`.
fn castling_part(word: &str) -> Option<(Option<Label>, Shape)> {
    for (form, shape) in CASTLING {
        let Some(front) = word.strip_suffix(form) else { continue };
        if front.is_empty() {
            return Some((None, shape));
        }
        let Some(label) = front.strip_prefix('L') else { continue };
        let mut cursor = Cursor::new(label);
        if let Ok(Some(label)) = cursor.label()
            && cursor.is_at_end()
        {
            return Some((Some(label), shape));
        }
    }
    None
}

/// A part that is not castling: its timeline, move and promotion.
fn piece_part(
    cursor: &mut Cursor<'_>,
    warnings: &mut Vec<Issue>,
) -> Result<(Option<Label>, Shape, Option<PieceKind>), ParseError> {
    let start = cursor.at;
    let timeline = label(cursor)?;
    let mut misplaced = None;
    // A capital before a digit is a file, before a letter a piece.
    let mut kind = match is_square(cursor) {
        true => None,
        false => {
            misplaced = Some("the letter of the piece stands after the square of origin");
            cursor.piece_letter()
        }
    };
    let Some(from) = square(cursor, warnings) else {
        let issue = cursor.expected("missing-origin", "the square of origin");
        return Err(issue.hint("a part reads `e2e4` or `g1Nf3`").malformed());
    };
    let is_origin = cursor.peek().is_some_and(|byte| !is_end(byte) && !matches!(byte, b'+' | b'#' | b'='));
    if kind.is_some() && !is_origin {
        let span = cursor.span_from(start);
        let issue = Issue::new(
            "missing-origin",
            span,
            "expected the square of origin, but found only the square to which the piece goes",
        );
        return Err(issue.hint("write both squares, as in `g1Nf3`").malformed());
    }
    if kind.is_some()
        && let Some(message) = misplaced
    {
        warnings.push(Issue::new("misplaced-piece", cursor.span_from(start), message));
    }
    let mut captures = 0;
    let mut early = false;
    while cursor.eat("x") {
        captures += 1;
    }
    if kind.is_none() && !is_square(cursor) {
        let before = cursor.at;
        kind = cursor.piece_letter();
        early = captures > 0 && kind.is_some();
        if kind == Some(PieceKind::Pawn) {
            let message = "a pawn has no letter in this notation";
            warnings.push(Issue::new("needless-letter", cursor.span_from(before), message));
        }
    }
    while cursor.eat("x") {
        captures += 1;
    }
    let target = cursor.at;
    let (to_timeline, turns) = (label(cursor)?, turns(cursor)?);
    let target = Target {
        span: cursor.span_from(target),
        timeline: to_timeline.map(Place::At),
        turn: turns.map(Place::Away),
        color: None,
    };
    let late = cursor.eat("x");
    if captures > 1 || late && captures > 0 {
        return Err(
            Issue::new("repeated-capture", cursor.span_from(start), "`x` is written twice").malformed()
        );
    }
    if early || late {
        let message = "`x` stands after the letter of the piece and before the square to which it goes";
        warnings.push(Issue::new("misplaced-capture", cursor.span_from(start), message));
    }
    let Some(to) = square(cursor, warnings) else {
        return Err(cursor.missing_destination().malformed());
    };
    let promotion = if cursor.eat("=") {
        let Some(kind) = cursor.piece_letter() else {
            return Err(cursor.missing_promotion().malformed());
        };
        Some(kind)
    } else {
        None
    };
    let capture = captures > 0 || late;
    let (file, rank) = (Some(from.file()), Some(from.rank()));
    let shape = Shape::Piece { kind, file, rank, jump: None, target: Some(target), capture, to };
    Ok((timeline, shape, promotion))
}

/// `L+1`
fn label(cursor: &mut Cursor<'_>) -> Result<Option<Label>, ParseError> {
    if !cursor.eat("L") {
        return Ok(None);
    }
    match cursor.label()? {
        Some(label) => Ok(Some(label)),
        None => Err(cursor.expected("missing-timeline", "a timeline number after `L`").malformed()),
    }
}

/// `T-1`
fn turns(cursor: &mut Cursor<'_>) -> Result<Option<i16>, ParseError> {
    if !cursor.eat("T") {
        return Ok(None);
    }
    let back = cursor.eat("-");
    if !back {
        cursor.eat("+");
    }
    let turns = cursor.turn()?;
    Ok(Some(if back { -turns } else { turns }))
}

fn is_square(cursor: &Cursor<'_>) -> bool {
    let file = cursor.peek().map(|byte| byte.to_ascii_lowercase());
    matches!((file, cursor.peek_at(1)), (Some(b'a'..=b'h'), Some(b'1'..=b'8')))
}

fn square(cursor: &mut Cursor<'_>, warnings: &mut Vec<Issue>) -> Option<Square> {
    if !is_square(cursor) {
        return None;
    }
    let (file, rank) = (cursor.peek()?, cursor.peek_at(1)?);
    let start = cursor.at;
    cursor.at += 2;
    if file.is_ascii_uppercase() {
        let message = "a file is written as a small letter";
        warnings.push(Issue::new("capital-file", cursor.span_from(start), message));
    }
    Square::new(file.to_ascii_lowercase() - b'a', rank - b'1')
}
