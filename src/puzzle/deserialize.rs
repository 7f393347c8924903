//! From the tree of a YAML text to the model, by serde.
//!
//! Of a puzzle file the grammar (`shape.rs`) has refused what does not fit by then, in the words of puzzle files; numbers that are too large
//! are left. Files without a grammar have all that does not fit their type refused here ([`from_yaml`]).

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::fault::repeated_key;
use super::finding::Finding;
use super::grammar::Kind as Grammar;
use super::model::SPANNED;
use super::shape::{bare, is_nothing, is_number, misshapen, repeated_keys};
use super::yaml::{Kind, Node, Yaml};
use crate::notation::{Location, Source, Span};

/// Reads a document as plain YAML of a grammar.
///
/// # Errors
///
/// The first fault.
pub(super) fn parse<T: DeserializeOwned>(text: &str, grammar: &'static Grammar) -> Result<T, Finding> {
    match parse_all(text, &Yaml::of(text), grammar) {
        Ok((value, findings)) if findings.is_empty() => Ok(value),
        Ok((_, mut findings)) | Err(mut findings) => Err(findings.swap_remove(0)),
    }
}

/// The value of a document in the model, with everything that the grammar has against it.
pub(super) fn parse_all<T: DeserializeOwned>(
    text: &str,
    yaml: &Yaml,
    grammar: &'static Grammar,
) -> Result<(T, Vec<Finding>), Vec<Finding>> {
    let root = yaml.value().map_err(|finding| vec![finding])?;
    let mut findings = misshapen(text, root, grammar);
    match T::deserialize(root) {
        Ok(value) => Ok((value, findings)),
        Err(error) => {
            // The grammar says in our words what does not fit the model, and more of it.
            if findings.is_empty() {
                findings.push(Finding::new("yaml", error.span.unwrap_or_default(), error.message));
            }
            Err(findings)
        }
    }
}

/// A document of plain YAML as a value of a type that holds texts, whole numbers from 0, booleans, lists and fields: for the files beside
/// puzzles, which have no grammar.
///
/// # Errors
///
/// The first fault, with its line and column. A key that is written twice is one.
///
/// ```
/// let numbers: Vec<u32> = worldlines::puzzle::from_yaml("[1, 2]")?;
/// assert_eq!(numbers, [1, 2]);
/// let refused = worldlines::puzzle::from_yaml::<Vec<u32>>("[1,\n two]");
/// assert_eq!(refused, Err("line 2, column 2: expected a number in decimal digits".to_owned()));
/// # Ok::<(), String>(())
/// ```
pub fn from_yaml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let said = |span: Span, message: &str| {
        let Location { line, column } = Source::from(text).location(span.range().start);
        format!("line {line}, column {column}: {message}")
    };
    let yaml = Yaml::of(text);
    let root = yaml.value().and_then(|root| match first_repeated(root) {
        Some((name, span)) => Err(repeated_key(name, span)),
        None => Ok(root),
    });
    let root = root.map_err(|finding| said(finding.span, &finding.message))?;
    T::deserialize(root).map_err(|error| said(error.span.unwrap_or_default(), &error.message))
}

/// A key that its mapping has before, wherever that is.
fn first_repeated(node: &Node) -> Option<(&str, Span)> {
    let within = node.items().iter().chain(node.pairs().iter().flat_map(|(key, value)| [key, value]));
    repeated_keys(node.pairs()).next().or_else(|| within.into_iter().find_map(first_repeated))
}

/// A value that does not fit the model, and where it stands.
#[derive(Debug)]
pub(super) struct Misfit {
    message: String,
    span: Option<Span>,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misfit {}

impl de::Error for Misfit {
    fn custom<M: fmt::Display>(message: M) -> Misfit {
        Misfit { message: message.to_string(), span: None }
    }
}

impl Node {
    /// The error, which is about this value unless a part of it is to blame.
    fn blamed<T>(&self, result: Result<T, Misfit>) -> Result<T, Misfit> {
        result.map_err(|error| Misfit { span: error.span.or(Some(self.span())), ..error })
    }

    fn number(&self, most: u64) -> Result<u64, Misfit> {
        let digits = self.said().map(bare).filter(|said| is_number(said));
        let number = digits.and_then(|digits| digits.parse().ok()).filter(|number| *number <= most);
        self.blamed(match (digits, number) {
            (_, Some(number)) => Ok(number),
            (Some(_), None) => Err(de::Error::custom(format_args!("expected a number of at most {most}"))),
            (None, None) => Err(de::Error::custom("expected a number in decimal digits")),
        })
    }
}

impl<'de> Deserializer<'de> for &'de Node {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.blamed(match &self.kind {
            Kind::Scalar(..) if is_nothing(self) => {
                Err(de::Error::custom("expected a value, but found nothing"))
            }
            Kind::Scalar(_, said) => visitor.visit_borrowed_str(said),
            Kind::Sequence(_, items) => visitor.visit_seq(Items(items.iter())),
            Kind::Mapping(_, pairs) => visitor.visit_map(Pairs { rest: pairs.iter(), value: None }),
        })
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_u64(self.number(u32::MAX.into())?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_u64(self.number(u64::MAX)?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let value = self.said().and_then(|said| bare(said).parse().ok());
        visitor.visit_bool(self.blamed(value.ok_or_else(|| de::Error::custom("expected `true` or `false`")))?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if is_nothing(self) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        if name != SPANNED {
            return visitor.visit_newtype_struct(self);
        }
        let span = self.span();
        visitor.visit_seq(Placed { bounds: [span.start, span.end].into_iter(), value: Some(self) })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.blamed(match &self.kind {
            Kind::Scalar(_, said) => visitor.visit_enum(said.as_str().into_deserializer()),
            Kind::Mapping(_, pairs) if let [pair] = &pairs[..] => visitor.visit_enum(Claim(pair)),
            _ => Err(de::Error::custom("expected one field")),
        })
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// The items of a list.
struct Items<'de>(std::slice::Iter<'de, Node>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misfit;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misfit> {
        self.0.next().map(|item| seed.deserialize(item)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The keys and values of a mapping.
struct Pairs<'de> {
    rest: std::slice::Iter<'de, (Node, Node)>,
    value: Option<&'de Node>,
}

impl<'de> MapAccess<'de> for Pairs<'de> {
    type Error = Misfit;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misfit> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Misfit> {
        seed.deserialize(self.value.take().expect("the key was asked for first"))
    }
}

/// The first and the last byte of a value, and then the value.
struct Placed<'de> {
    bounds: std::array::IntoIter<u32, 2>,
    value: Option<&'de Node>,
}

impl<'de> SeqAccess<'de> for Placed<'de> {
    type Error = Misfit;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misfit> {
        match self.bounds.next() {
            Some(bound) => seed.deserialize(bound.into_deserializer()).map(Some),
            None => self.value.take().map(|value| seed.deserialize(value)).transpose(),
        }
    }
}

/// The only field of a mapping, whose name says what its value is.
struct Claim<'de>(&'de (Node, Node));

impl<'de> EnumAccess<'de> for Claim<'de> {
    type Error = Misfit;
    type Variant = Claim<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Claim<'de>), Misfit> {
        let name: StrDeserializer<'_, Misfit> = self.0.0.said().unwrap_or_default().into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Claim<'de> {
    type Error = Misfit;

    fn unit_variant(self) -> Result<(), Misfit> {
        Err(de::Error::custom("expected a word"))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Misfit> {
        seed.deserialize(&self.0.1)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misfit> {
        self.0.1.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.0.1.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Map, Value};

    use super::*;
    use crate::puzzle::load::shipped_files;

    /// A value with every scalar as its text.
    fn texts(node: &Node) -> Value {
        match &node.kind {
            Kind::Scalar(_, said) => Value::String(said.clone()),
            Kind::Sequence(_, items) => items.iter().map(texts).collect(),
            Kind::Mapping(_, pairs) => {
                let pair =
                    |(key, value): &(Node, Node)| (key.said().expect("a text").to_owned(), texts(value));
                Value::Object(pairs.iter().map(pair).collect())
            }
        }
    }

    /// The same of a value that another reader made.
    fn as_texts(value: Value) -> Value {
        match value {
            Value::Number(number) => Value::String(number.to_string()),
            Value::Bool(bool) => Value::String(bool.to_string()),
            Value::Array(items) => items.into_iter().map(as_texts).collect(),
            Value::Object(fields) => {
                let fields = fields.into_iter().map(|(name, value)| (name, as_texts(value)));
                Value::Object(fields.collect::<Map<_, _>>())
            }
            other => other,
        }
    }

    #[test]
    fn another_reader_reads_the_same_of_every_shipped_puzzle() {
        for (path, text) in shipped_files() {
            let yaml = Yaml::of(&text);
            let other: Value = serde_saphyr::from_str(&text).expect("YAML");
            assert_eq!(texts(yaml.whole().expect("YAML")), as_texts(other), "{path}");
        }
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "for its text")]
    struct Small {
        number: u32,
        maybe: Option<u64>,
        is: bool,
        list: Vec<String>,
    }

    fn small(text: &str) -> String {
        match Small::deserialize(Yaml::of(text).whole().expect("YAML")) {
            Ok(read) => format!("{read:?}"),
            Err(Misfit { message, span }) => format!("{message} at {}", span.expect("a place").of(text)),
        }
    }

    #[test]
    fn a_value_that_does_not_fit_is_told_with_its_place() {
        assert_eq!(
            small("{ number: 4294967295, maybe: ~, is: true, list: ['1'] }"),
            "Small { number: 4294967295, maybe: None, is: true, list: [\"1\"] }"
        );
        assert_eq!(
            small("{ number: 4294967296, is: true, list: [] }"),
            "expected a number of at most 4294967295 at 4294967296"
        );
        let most = "expected a number of at most 18446744073709551615 at 18446744073709551616";
        assert_eq!(small("{ number: 1, maybe: 18446744073709551616, is: true, list: [] }"), most);
        assert_eq!(small("{ number: 1, is: yes, list: [] }"), "expected `true` or `false` at yes");
        assert_eq!(small("{ number: 1, is: true, list: [a, [b]] }").split(" at ").count(), 2);
        for not in ["two", "0x10", "1_000", "00", "+1", "-1"] {
            let refused = format!("expected a number in decimal digits at {not}");
            assert_eq!(small(&format!("{{ number: {not}, is: true, list: [] }}")), refused);
        }
        for nothing in ["", "~", "null", "Null", "NULL"] {
            let text = format!("number: 1\nis: true\nlist: [a]\nmaybe: {nothing}\n");
            assert!(small(&text).contains("maybe: None"), "{text}");
            let refused = small(&format!("number: 1\nis: true\nlist: {nothing}\n"));
            assert!(refused.starts_with("expected a value, but found nothing at"), "{refused}");
        }
    }

    #[test]
    fn a_key_that_is_written_twice_is_refused_with_its_place() {
        use std::collections::BTreeMap;
        for text in ["a: 1\n'a': 2\n", "{ b: 1, a: 1, a: 2 }"] {
            let refused = from_yaml::<BTreeMap<String, u32>>(text).expect_err("a repeated key");
            assert!(refused.ends_with(": `a` is written twice"), "{refused}");
        }
        let within =
            from_yaml::<BTreeMap<String, Vec<BTreeMap<String, u32>>>>("x:\n- { a: 1 }\n- a: 1\n  a: 1\n");
        assert_eq!(within, Err("line 4, column 3: `a` is written twice".to_owned()));
    }
}
