//! Text to [`Part`].

use super::{Mark, Part, Shape};
use crate::notation::common::{Cursor, Label};
use crate::notation::common::{Issue, ParseError};
use crate::types::{PieceKind, Square};

/// Reads one part, up to a blank, `;`, a comma or the end.
pub(super) fn parse_part(cursor: &mut Cursor<'_>, warnings: &mut Vec<Issue>) -> Result<Part, ParseError> {
    let start = cursor.at;
    let length = cursor.bytes_before(is_end);
    let word = &cursor.text[start..start + length];
    let (unmarked, mark) = match word.as_bytes().last() {
        Some(b'+') => (&word[..length - 1], Some(Mark::Check)),
        Some(b'#') => (&word[..length - 1], Some(Mark::Checkmate)),
        _ => (word, None),
    };
    let (timeline, shape) = match castling_part(unmarked)? {
        Some(castling) => {
            cursor.at = start + unmarked.len();
            castling
        }
        None => piece_part(cursor, warnings)?,
    };
    if mark.is_some() && cursor.at == start + unmarked.len() {
        cursor.at += 1;
    }
    if cursor.at != start + length {
        return Err(cursor.expected("unexpected-character", "the end of the part").malformed());
    }
    Ok(Part { span: cursor.span_from(start), timeline, shape, mark })
}

fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b',')
}

/// Castling, with the timeline in front: `L+10-0` can only be read from its end.
fn castling_part(word: &str) -> Result<Option<(Option<Label>, Shape)>, ParseError> {
    const FORMS: [(&str, Shape); 4] = [
        ("0-0-0", Shape::CastlingLong),
        ("O-O-O", Shape::CastlingLong),
        ("0-0", Shape::CastlingShort),
        ("O-O", Shape::CastlingShort),
    ];
    for (form, shape) in FORMS {
        let Some(front) = word.strip_suffix(form) else { continue };
        if front.is_empty() {
            return Ok(Some((None, shape)));
        }
        let Some(label) = front.strip_prefix('L') else { continue };
        let mut cursor = Cursor::new(label);
        if let Ok(Some(label)) = cursor.label()
            && cursor.is_at_end()
        {
            return Ok(Some((Some(label), shape)));
        }
    }
    Ok(None)
}

fn piece_part(
    cursor: &mut Cursor<'_>,
    warnings: &mut Vec<Issue>,
) -> Result<(Option<Label>, Shape), ParseError> {
    let start = cursor.at;
    let timeline = label(cursor)?;
    let mut misplaced = None;
    // A capital with a digit is a square, with another letter a piece.
    let mut kind = match is_square(cursor) {
        true => None,
        false => {
            misplaced = Some("the piece stands after the square of origin");
            piece_letter(cursor)
        }
    };
    let Some(from) = square(cursor, warnings) else {
        let issue = cursor.expected("missing-origin", "the square of origin");
        return Err(issue.hint("a part reads `e2e4` or `g1Nf3`").malformed());
    };
    let is_origin = cursor.peek().is_some_and(|byte| !is_end(byte) && !matches!(byte, b'+' | b'#' | b'='));
    if kind.is_some() && !is_origin {
        let span = cursor.span_from(start);
        let issue = Issue::new("missing-origin", span, "expected the square of origin before the target");
        return Err(issue
            .hint("write it in full, as in `g1Nf3`: nothing tells two pieces apart")
            .malformed());
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
        kind = piece_letter(cursor);
        early = captures > 0 && kind.is_some();
        if kind == Some(PieceKind::Pawn) {
            let message = "a pawn has no letter in this notation";
            warnings.push(Issue::new("needless-letter", cursor.span_from(before), message));
        }
    }
    while cursor.eat("x") {
        captures += 1;
    }
    let to_timeline = label(cursor)?;
    let turns = turns(cursor)?;
    let late = cursor.eat("x");
    if captures > 1 || late && captures > 0 {
        return Err(Issue::new("repeated-capture", cursor.span_from(start), "`x` stands twice").malformed());
    }
    if early || late {
        let message = "`x` stands after the piece and before the target";
        warnings.push(Issue::new("misplaced-capture", cursor.span_from(start), message));
    }
    let Some(to) = square(cursor, warnings) else {
        let issue = cursor.expected("missing-destination", "the square to which the piece goes");
        return Err(issue.malformed());
    };
    let promotion = if cursor.eat("=") {
        let Some(kind) = piece_letter(cursor) else {
            let issue = cursor.expected("missing-promotion", "the letter of a piece after `=`");
            return Err(issue.malformed());
        };
        Some(kind)
    } else {
        None
    };
    let capture = captures > 0 || late;
    Ok((timeline, Shape::Piece { from, kind, capture, timeline: to_timeline, turns, to, promotion }))
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
        let message = "a file is a small letter";
        warnings.push(Issue::new("capital-file", cursor.span_from(start), message));
    }
    Square::new(file.to_ascii_lowercase() - b'a', rank - b'1')
}

fn piece_letter(cursor: &mut Cursor<'_>) -> Option<PieceKind> {
    let kind = PieceKind::try_from(char::from(cursor.peek()?)).ok()?;
    cursor.at += 1;
    Some(kind)
}
