//! Values of keys in the JSON objects of [`schema`](super::schema), read and written.

use std::fmt::Write;

use super::syntax::{kind_of, letter_of};
use crate::notation::json::{Json, write_string};
use crate::notation::{Issue, ReadError, Span};
use crate::types::{BoardSize, Color, PieceKind};

pub(super) type Read<T> = Result<T, ReadError>;

/// What a key must have.
pub(super) fn required<T>(value: Option<T>, key: &str, object: Span) -> Read<T> {
    value.ok_or_else(|| {
        let message = format!("expected the key `{key}` in the object");
        let span = Span::new(object.range().start, object.range().start + 1);
        Issue::new("missing-key", span, message).malformed()
    })
}

pub(super) fn number<T: TryFrom<i64>>(json: &mut Json<'_>) -> Read<T> {
    let (number, span) = json.integer()?;
    T::try_from(number)
        .map_err(|_| Issue::new("number-too-large", span, "the number is out of range").malformed())
}

/// A number of a turn or a timeline, which half-turns can still hold.
pub(super) fn coordinate(json: &mut Json<'_>) -> Read<i16> {
    let (number, span) = json.integer()?;
    i16::try_from(number)
        .ok()
        .filter(|number| number.unsigned_abs() <= 16_000)
        .ok_or_else(|| Issue::new("number-too-large", span, "expected a number up to 16000").malformed())
}

pub(super) fn player(json: &mut Json<'_>) -> Read<Color> {
    let (name, span) = json.string()?;
    match &*name {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => {
            let message = format!("expected `white` or `black`, but found `{name}`");
            Err(Issue::new("unknown-player", span, message).malformed())
        }
    }
}

pub(super) fn kind(json: &mut Json<'_>) -> Read<PieceKind> {
    let (letter, span) = json.string()?;
    let mut letters = letter.chars();
    let kind = match (letters.next(), letters.next()) {
        (None, _) => Some(PieceKind::Pawn),
        (Some(letter), None) => kind_of(letter),
        _ => None,
    };
    kind.ok_or_else(|| {
        let message = format!("expected the letter of a piece, but found `{letter}`");
        Issue::new("unknown-piece", span, message).malformed()
    })
}

/// A value that may be `null`.
pub(super) fn nullable<'t, T>(
    json: &mut Json<'t>,
    read: impl FnOnce(&mut Json<'t>) -> Read<T>,
) -> Read<Option<T>> {
    if json.null() { Ok(None) } else { read(json).map(Some) }
}

pub(super) fn side(json: &mut Json<'_>) -> Read<u8> {
    let (number, span) = json.integer()?;
    u8::try_from(number).ok().filter(|side| (1..=BoardSize::MAX).contains(side)).ok_or_else(|| {
        let max = BoardSize::MAX;
        let message = format!("expected boards of at most {max}x{max}: larger ones are not supported");
        Issue::new("board-too-large", span, message).malformed()
    })
}

/// Begins a key of an object.
pub(super) fn put(text: &mut String, key: &str) {
    if !text.ends_with('{') {
        text.push(',');
    }
    write_string(text, key);
    text.push(':');
}

pub(super) fn put_number(text: &mut String, key: &str, number: impl Into<i64>) {
    put(text, key);
    // Writing to a string cannot fail.
    let _ = write!(text, "{}", number.into());
}

pub(super) fn put_player(text: &mut String, key: &str, player: Color) {
    put(text, key);
    write_string(text, &player.to_string());
}

pub(super) fn put_boolean(text: &mut String, key: &str, value: bool) {
    put(text, key);
    text.push_str(if value { "true" } else { "false" });
}

pub(super) fn put_list<T>(text: &mut String, key: &str, items: &[T], encode: impl Fn(&T, &mut String)) {
    put(text, key);
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        encode(item, text);
    }
    text.push(']');
}

pub(super) fn put_nullable<T>(
    text: &mut String,
    key: &str,
    value: Option<&T>,
    encode: impl Fn(&T, &mut String),
) {
    put(text, key);
    match value {
        None => text.push_str("null"),
        Some(value) => encode(value, text),
    }
}

pub(super) fn letter_text(kind: PieceKind) -> String {
    letter_of(kind).map(String::from).unwrap_or_default()
}
