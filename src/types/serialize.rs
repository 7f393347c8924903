//! Serde forms of the basic types (feature `serde`): every value as its text, a rule profile as a map of two
//! texts.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    Action, BoardCoordinate, BoardSize, Color, Coordinate, HalfTurn, Move, Piece, PieceKind, Promotions,
    RuleProfile, Square, Status,
};

/// Reads a text as a `T`.
struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($value:ty),*) => {
        $(
            impl Serialize for $value {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $value {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$value, D::Error> {
                    deserializer.deserialize_str(TextVisitor(PhantomData))
                }
            }
        )*
    };
}

as_text!(
    Action,
    BoardCoordinate,
    BoardSize,
    Color,
    Coordinate,
    HalfTurn,
    Move,
    Piece,
    PieceKind,
    Promotions,
    Square,
    Status
);

/// The serialised form of a [`RuleProfile`]: its name does not include the promotions.
#[derive(Serialize, Deserialize)]
#[serde(rename = "RuleProfile", deny_unknown_fields)]
struct NamedProfile {
    name: String,
    promotions: Promotions,
}

impl Serialize for RuleProfile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NamedProfile { name: self.to_string(), promotions: self.promotions }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RuleProfile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RuleProfile, D::Error> {
        let NamedProfile { name, promotions } = NamedProfile::deserialize(deserializer)?;
        let profile: RuleProfile = name.parse().map_err(D::Error::custom)?;
        Ok(RuleProfile { promotions, ..profile })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_read_back<T: Serialize + for<'a> Deserialize<'a> + PartialEq + fmt::Debug>(value: T, text: &str) {
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
        assert_eq!(serde_json::from_str::<T>(text).unwrap(), value);
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        assert!(serde_json::from_value::<T>(value).is_ok(), "owned text");
    }

    #[test]
    fn values_are_texts() {
        is_read_back(Color::Black, "\"black\"");
        is_read_back(PieceKind::RoyalQueen, "\"royal queen\"");
        is_read_back(Piece { color: Color::White, kind: PieceKind::Knight }, "\"white knight\"");
        is_read_back(Square::new(4, 3).unwrap(), "\"e4\"");
        is_read_back(BoardSize::STANDARD, "\"8x8\"");
        is_read_back(HalfTurn::new(3, Color::Black), "\"T3b\"");
        is_read_back("(-1T3b)a8".parse::<Coordinate>().unwrap(), "\"(-1T3b)a8\"");
        is_read_back("(-1T3b)".parse::<BoardCoordinate>().unwrap(), "\"(-1T3b)\"");
        is_read_back("(0T9w)a7a8=Q".parse::<Move>().unwrap(), "\"(0T9w)a7a8=Q\"");
        let action: Action = "(0T1w)e2e4 (1T2w)f3>>(0T1w)f5".parse().unwrap();
        is_read_back(action, "\"(0T1w)e2e4 (1T2w)f3>>(0T1w)f5\"");
        is_read_back(Status::Softmate, "\"softmate\"");
        is_read_back(
            RuleProfile { en_passant_onto_vacated: true, ..RuleProfile::default() },
            r#"{"name":"default +en-passant-onto-vacated","promotions":"Q"}"#,
        );
        is_read_back(RuleProfile::orthodox(), r#"{"name":"orthodox","promotions":"Q,N,B,R"}"#);
    }

    #[test]
    fn what_is_no_value_is_refused() {
        let error = serde_json::from_str::<Square>("\"z9\"").unwrap_err();
        assert!(error.to_string().starts_with("expected a square"), "{error}");
        assert!(serde_json::from_str::<Square>("4").is_err());
        assert!(serde_json::from_str::<RuleProfile>(r#"{"name":"chess960","promotions":"Q"}"#).is_err());
        assert!(serde_json::from_str::<RuleProfile>(r#"{"name":"default","promotions":"K"}"#).is_err());
        assert!(serde_json::from_str::<RuleProfile>(r#"{"name":"default","promotions":"Q","x":1}"#).is_err());
    }
}
