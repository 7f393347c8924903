//! The files that are written from the grammar and the collection, and the agreement of the grammar with the model.
//!
//! `puzzles/schema.json` lets editors complete and check puzzle files. The tables of fields in `spec/puzzle-files.md` stand between
//! comments with the name of the mapping. `puzzles/list.rs` makes the collection a part of programs. Set `BLESS=1` to write them anew.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::check::{MAX_DIFFICULTY, MAX_HINTS, themes};
use super::grammar::*;
use super::model;
use super::shape::misshapen;
use super::yaml::Yaml;

/// The mappings of a puzzle file, each with a name.
static MAPPINGS: [(&str, &Kind); 16] = [
    ("puzzle", &PUZZLE),
    ("lesson", &LESSON),
    ("source", &SOURCE),
    ("start", &START),
    ("rules", &RULES),
    ("goal", &GOAL),
    ("tries", &TRIES),
    ("refutation", &COUNTED_REFUTATION),
    ("try-class", &TRY_CLASS),
    ("reply", &REPLY),
    ("dual", &DUAL),
    ("twin", &TWIN),
    ("change", &CHANGE),
    ("comment", &COMMENT),
    ("budget", &BUDGET),
    ("class", &CLASS),
];

/// The schema of a value; the mappings are definitions.
fn schema(kind: &'static Kind) -> Value {
    match MAPPINGS.iter().find(|(_, mapping)| std::ptr::eq(*mapping, kind)) {
        Some((name, _)) => json!({ "$ref": format!("#/$defs/{name}") }),
        None => definition(kind),
    }
}

fn definition(kind: &'static Kind) -> Value {
    match kind {
        Kind::Word([]) | Kind::Prose | Kind::Text | Kind::Notation | Kind::Quoted(_) => {
            json!({ "type": "string" })
        }
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Number => json!({ "type": "integer", "minimum": 0 }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::List(item) => json!({ "type": "array", "items": schema(item) }),
        Kind::Rows(value) => json!({ "type": "object", "additionalProperties": schema(value) }),
        Kind::Or(scalar, other) => json!({ "anyOf": [schema(scalar), schema(other)] }),
        Kind::Fields(fields) => {
            let needed: Vec<&str> =
                fields.iter().filter(|field| field.is_needed).map(|field| field.name).collect();
            let mut object = object(fields);
            object.insert("required".to_owned(), json!(needed));
            object.into()
        }
        Kind::OneOf(fields) => {
            let mut object = object(fields);
            object.extend([("minProperties".to_owned(), json!(1)), ("maxProperties".to_owned(), json!(1))]);
            object.into()
        }
    }
}

fn object(fields: &'static [Field]) -> Map<String, Value> {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.to_owned(), property(field).into())).collect();
    Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), properties.into()),
        ("additionalProperties".to_owned(), json!(false)),
    ])
}

fn property(field: &'static Field) -> Map<String, Value> {
    let mut more = match (field.name, field.kind) {
        ("id", _) => json!({ "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$" }),
        ("themes", _) => {
            let names: Vec<&str> = themes().map(|(name, _)| name).collect();
            json!({ "items": { "enum": names }, "uniqueItems": true })
        }
        ("otherwise", Kind::Boolean) => json!({ "const": true }),
        ("difficulty", _) => json!({ "minimum": 1, "maximum": MAX_DIFFICULTY }),
        ("hints", _) => json!({ "maxItems": MAX_HINTS }),
        _ => json!({}),
    };
    let mut property = json!({ "description": about(field) });
    for part in [schema(field.kind), more.take()] {
        if let (Value::Object(property), Value::Object(part)) = (&mut property, part) {
            property.extend(part);
        }
    }
    match property {
        Value::Object(property) => property,
        _ => Map::new(),
    }
}

/// The sentence about a field, with the goals that have it.
fn about(field: &Field) -> String {
    let goals: Vec<String> = field.goals.iter().map(|goal| format!("`{goal}`")).collect();
    let only = if goals.is_empty() { String::new() } else { format!(". Only for {}", goals.join(", ")) };
    format!("{}{only}", field.says)
}

/// The table of a mapping.
fn table(kind: &Kind) -> String {
    let has_needed = kind.fields().iter().any(|field| field.is_needed);
    let head = if has_needed {
        "| field | needed | holds | example |\n|---|---|---|---|\n"
    } else {
        "| field | holds | example |\n|---|---|---|\n"
    };
    let rows = kind.fields().iter().map(|field| {
        let needed = if field.is_needed { "yes" } else { "no" };
        let needed = if has_needed { format!(" {needed} |") } else { String::new() };
        format!("| `{}` |{needed} {} | `{}` |\n", field.name, about(field), field.example)
    });
    head.to_owned() + &rows.collect::<String>()
}

/// Holds a file against what it should be, or writes it.
fn hold(path: &str, expected: impl Fn(&str) -> String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let published = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    let expected = expected(&published);
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(&file, &expected).expect("the file can be written");
    } else {
        assert!(published == expected, "{path} is out of date: run .ci/bless");
    }
}

#[test]
fn every_puzzle_is_listed() {
    let mut names = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles")];
    let root = folders[0].clone();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                let name = path.strip_prefix(&root).expect("it is in the folder");
                names.push(name.display().to_string().replace('\\', "/"));
            }
        }
    }
    names.sort();
    let files = names.iter().map(|name| format!("    (\"puzzles/{name}\", include_str!(\"{name}\")),\n"));
    let files: String = files.collect();
    hold("puzzles/list.rs", |_| {
        format!(
            "// Every puzzle and certificate with its path and content. A test writes this file: .ci/bless.\n&[\n{files}]\n"
        )
    });
}

#[test]
fn the_published_schema_is_the_grammar() {
    let definitions: Map<String, Value> =
        MAPPINGS[1..].iter().map(|(name, kind)| ((*name).to_owned(), definition(kind))).collect();
    let mut whole = definition(&PUZZLE);
    whole["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    whole["title"] = json!("Puzzle");
    whole["$defs"] = definitions.into();
    let whole = serde_json::to_string_pretty(&whole).expect("a schema is JSON") + "\n";
    hold("puzzles/schema.json", |_| whole.clone());
}

#[test]
fn the_tables_of_the_schema_are_in_the_chapter() {
    hold("spec/puzzle-files.md", |chapter| {
        let mut written = chapter.to_owned();
        for (name, kind) in MAPPINGS.iter().filter(|(_, kind)| !kind.fields().is_empty()) {
            let begin = format!("<!-- fields: {name} -->\n");
            let (before, rest) = written.split_once(&begin).unwrap_or_else(|| panic!("no table of {name}"));
            let (_, after) = rest.split_once("<!-- end -->").expect("an end of the table");
            written = format!("{before}{begin}{}<!-- end -->{after}", table(kind));
        }
        written
    });
}

/// The names of fields that a type of the model knows, as its refusal of another one lists them.
fn names<T: DeserializeOwned>() -> Vec<String> {
    let yaml = Yaml::of("{ there-is-no-such-field: 1 }");
    let refusal = T::deserialize(yaml.whole().expect("YAML")).err().expect("no such field").to_string();
    refusal.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

/// The model knows the same fields, reads each as it is in the example, and needs the same.
fn agrees<T: DeserializeOwned>(kind: &'static Kind) {
    let mut known = names::<T>();
    let mut fields: Vec<&str> = kind.fields().iter().map(|field| field.name).collect();
    known.sort_unstable();
    fields.sort_unstable();
    assert_eq!(known, fields);
    let read = |text: &str| {
        let yaml = Yaml::of(text);
        let is_good = misshapen(text, yaml.whole().expect("YAML"), kind).is_empty();
        let error = T::deserialize(yaml.whole().expect("YAML")).err();
        assert_eq!(error.is_none(), is_good, "{text}\n{error:?}");
        is_good
    };
    let lines = |chosen: &dyn Fn(&Field) -> bool| {
        let fields = kind.fields().iter().filter(|field| chosen(field));
        fields.map(|field| format!("{}\n", field.example)).collect::<String>()
    };
    for field in kind.fields() {
        match kind {
            Kind::OneOf(_) => assert!(read(&format!("{}\n", field.example)), "{}", field.name),
            _ => {
                let others = lines(&|other| other.name != field.name);
                assert_eq!(
                    read(if others.is_empty() { "{}\n" } else { &others }),
                    !field.is_needed,
                    "{}",
                    field.name
                );
            }
        }
    }
    if let Kind::Fields(_) = kind {
        assert!(read(&lines(&|_| true)));
    }
}

#[test]
fn the_model_agrees_with_the_schema() {
    agrees::<model::Puzzle>(&PUZZLE);
    agrees::<model::Lesson>(&LESSON);
    agrees::<model::Source>(&SOURCE);
    agrees::<model::Start>(&START);
    agrees::<model::Rules>(&RULES);
    agrees::<model::Goal>(&GOAL);
    agrees::<model::Tries>(&TRIES);
    agrees::<model::Counted>(&COUNTED_REFUTATION);
    agrees::<model::TryClass>(&TRY_CLASS);
    agrees::<model::Reply>(&REPLY);
    agrees::<model::Dual>(&DUAL);
    agrees::<model::Twin>(&TWIN);
    agrees::<model::Change>(&CHANGE);
    agrees::<model::Comment>(&COMMENT);
    agrees::<model::Budget>(&BUDGET);
}
