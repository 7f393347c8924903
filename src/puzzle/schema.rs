//! Generates `puzzles/schema.json` from the model. Editors use it to complete and check puzzle files.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};

use super::check::themes;
use super::model::{ANY, Counted, Dual, Duals, NONE, Puzzle, Refutation, Rows, Spanned, Starts};

impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }
}

impl<T: JsonSchema> JsonSchema for Rows<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Rows{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({ "type": "object", "additionalProperties": value })
    }

    fn inline_schema() -> bool {
        true
    }
}

impl JsonSchema for Refutation {
    fn schema_name() -> Cow<'static, str> {
        "Refutation".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let counted = generator.subschema_for::<Counted>();
        json_schema!({ "anyOf": [{ "type": "string" }, counted] })
    }
}

impl JsonSchema for Starts {
    fn schema_name() -> Cow<'static, str> {
        "Starts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "const": ANY }, { "type": "array", "items": { "type": "string" } }] })
    }
}

impl JsonSchema for Duals {
    fn schema_name() -> Cow<'static, str> {
        "Duals".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let dual = generator.subschema_for::<Dual>();
        json_schema!({ "anyOf": [{ "const": NONE }, { "type": "array", "items": dual }] })
    }
}

/// The list of themes, so that editors complete their names.
pub(super) fn theme_names(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = themes().map(|(name, _)| name).collect();
    json_schema!({ "type": "array", "items": { "enum": names }, "uniqueItems": true })
}

/// Set `BLESS=1` to write the schema file anew.
#[test]
fn the_published_schema_is_the_model() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles/schema.json");
    let generated = serde_json::to_string_pretty(&schema_for!(Puzzle)).expect("a schema is JSON") + "\n";
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, &generated).expect("the schema can be written");
    }
    let published = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(published == generated, "puzzles/schema.json is out of date: run .ci/bless");
}
