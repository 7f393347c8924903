//! Values in the JSON objects of [`schema`](super::schema), read and written.

use std::fmt::Write;

use super::edition::Edition;
use super::syntax::{kind_of, letter_of};
use crate::notation::common::json::{Json, write_string};
use crate::notation::common::{Issue, ParseError, Span, boards};
use crate::types::{BoardSize, Color, PieceKind};

pub(super) type Read<T> = Result<T, ParseError>;

/// JSON that is being written.
pub(super) struct Out {
    pub text: String,
    /// Whose letters pieces have.
    pub edition: Edition,
}

impl Out {
    pub fn new(edition: Edition) -> Out {
        Out { text: String::new(), edition }
    }
}

/// The value of a key, or an item of a list.
pub(super) trait Value: Sized {
    /// The most that a list may hold of it, and their name.
    const MOST: (usize, &str) = (usize::MAX, "");

    fn decode(json: &mut Json<'_>) -> Read<Self>;

    fn encode(&self, out: &mut Out);

    /// The value that a missing key stands for.
    fn missing() -> Option<Self> {
        None
    }
}

/// Makes objects of structures: how many a list may hold, and their keys in the order in which they are written. A key after
/// `only written` is written when there is a value, and never read.
macro_rules! objects {
    ($($name:ident(at most $most:expr, $what:literal) {
        $($field:ident: $key:literal),* $(; only written $rare:ident: $rare_key:literal)?
    })*) => {
        $(impl Value for $name {
            const MOST: (usize, &str) = ($most, $what);

            fn decode(json: &mut Json<'_>) -> Read<$name> {
                $(let mut $field = None;)*
                let object = json.object(|json, key, _| {
                    match key {
                        $($key => $field = Some(Value::decode(json)?),)*
                        _ => json.skip()?,
                    }
                    Ok(())
                })?;
                Ok($name { $($field: required($field, $key, object)?,)* $($rare: None)? })
            }

            fn encode(&self, out: &mut Out) {
                out.text.push('{');
                $(put(out, $key, &self.$field);)*
                $(if self.$rare.is_some() {
                    put(out, $rare_key, &self.$rare);
                })?
                out.text.push('}');
            }
        })*
    };
}
pub(super) use objects;

/// The value of a key that must have one.
pub(super) fn required<T: Value>(value: Option<T>, key: &str, object: Span) -> Read<T> {
    value.or_else(T::missing).ok_or_else(|| {
        let message = format!("expected the key `{key}` in the object");
        let span = Span::new(object.range().start, object.range().start + 1);
        Issue::new("missing-key", span, message).malformed()
    })
}

/// Writes a key of an object and its value.
pub(super) fn put(out: &mut Out, key: &str, value: &impl Value) {
    if !out.text.ends_with('{') {
        out.text.push(',');
    }
    write_string(&mut out.text, key);
    out.text.push(':');
    value.encode(out);
}

impl<T: Value> Value for Option<T> {
    fn decode(json: &mut Json<'_>) -> Read<Option<T>> {
        if json.null() { Ok(None) } else { T::decode(json).map(Some) }
    }

    fn encode(&self, out: &mut Out) {
        match self {
            None => out.text.push_str("null"),
            Some(value) => value.encode(out),
        }
    }

    fn missing() -> Option<Option<T>> {
        Some(None)
    }
}

impl<T: Value> Value for Vec<T> {
    fn decode(json: &mut Json<'_>) -> Read<Vec<T>> {
        let (most, what) = T::MOST;
        let mut list = Vec::new();
        json.array(|json| {
            if list.len() == most {
                let message = format!("expected at most {most} {what}");
                return Err(Issue::new("too-many-boards", json.here(), message).malformed());
            }
            list.push(T::decode(json)?);
            Ok(())
        })?;
        Ok(list)
    }

    fn encode(&self, out: &mut Out) {
        out.text.push('[');
        for (index, item) in self.iter().enumerate() {
            out.text.push_str(if index == 0 { "" } else { "," });
            item.encode(out);
        }
        out.text.push(']');
    }
}

/// The number of an action.
impl Value for u32 {
    fn decode(json: &mut Json<'_>) -> Read<u32> {
        let (number, span) = json.integer()?;
        u32::try_from(number).map_err(|_| {
            Issue::new("number-too-large", span, format!("expected a number from 0 to {}", u32::MAX))
                .malformed()
        })
    }

    fn encode(&self, out: &mut Out) {
        // Writing to a string cannot fail, here and below.
        let _ = write!(out.text, "{self}");
    }
}

/// The number of a turn or a timeline, which half-turns can still hold.
impl Value for i16 {
    fn decode(json: &mut Json<'_>) -> Read<i16> {
        let (number, span) = json.integer()?;
        i16::try_from(number).ok().filter(|number| number.unsigned_abs() <= 16_000).ok_or_else(|| {
            Issue::new("number-too-large", span, "expected a number from -16000 to 16000").malformed()
        })
    }

    fn encode(&self, out: &mut Out) {
        let _ = write!(out.text, "{self}");
    }
}

/// A number of files or ranks.
impl Value for u8 {
    fn decode(json: &mut Json<'_>) -> Read<u8> {
        let (number, span) = json.integer()?;
        let side = u8::try_from(number).ok().filter(|side| (1..=BoardSize::MAX).contains(side));
        side.ok_or_else(|| boards::too_large(span))
    }

    fn encode(&self, out: &mut Out) {
        let _ = write!(out.text, "{self}");
    }
}

impl Value for bool {
    fn decode(json: &mut Json<'_>) -> Read<bool> {
        json.boolean()
    }

    fn encode(&self, out: &mut Out) {
        out.text.push_str(if *self { "true" } else { "false" });
    }
}

impl Value for Color {
    fn decode(json: &mut Json<'_>) -> Read<Color> {
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

    fn encode(&self, out: &mut Out) {
        write_string(&mut out.text, &self.to_string());
    }
}

impl Value for PieceKind {
    fn decode(json: &mut Json<'_>) -> Read<PieceKind> {
        let (letter, span) = json.string()?;
        let mut letters = letter.chars();
        let kind = match (letters.next(), letters.next()) {
            (None, _) => Some(PieceKind::Pawn),
            // 1.2.1 has the letters of 5DFEN.
            (Some('S'), None) => Some(PieceKind::Princess),
            (Some(letter), None) => kind_of(letter),
            _ => None,
        };
        kind.ok_or_else(|| {
            let message = format!("expected the letter of a piece, but found `{letter}`");
            Issue::new("unknown-piece", span, message).malformed()
        })
    }

    fn encode(&self, out: &mut Out) {
        let letter = match (out.edition, self) {
            (Edition::Current, PieceKind::Princess) => Some('S'),
            _ => letter_of(*self),
        };
        write_string(&mut out.text, &letter.map(String::from).unwrap_or_default());
    }
}
