//! Checks that the JSON of the commands fits the schemas of `spec/schemas/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::{Map, Value};

use super::page::Page;
use super::root;

/// Commands besides those of the page, so that every field has a value somewhere. `ENGINE` is the command of
/// the built-in engine.
const COMMANDS: [&str; 52] = [
    "count corpus/cli/rook-tactics-4.5dpgn",
    "count --each --cap 10 corpus/cli/misprint.5dpgn",
    "count --budget 1 corpus/cli/rook-tactics-4.5dpgn",
    "status --each corpus/cli/misprint.5dpgn",
    "status --budget 0 corpus/cli/rook-tactics-4.5dpgn",
    "status puzzles/endings/unicorn-softmate.yaml",
    "show corpus/cli/rook-tactics-4.5dpgn",
    "show corpus/cli/king-capturable.5dfen",
    "show corpus/cli/annotated.5dpgn",
    "review corpus/games/ending-mate-14.5dpgn",
    "review --budget 5 corpus/games/small-2.5dpgn",
    "solve --all --tries plausible puzzles/rook/rook-tactics-4.yaml",
    "solve puzzles/small/rook-from-the-past.yaml",
    "solve --mate 1 --at 2b --rules default corpus/cli/rook-tactics-4.5dpgn",
    "convert --to 5dpgn corpus/cli/rook-tactics-4.5dpgn",
    "convert --to pgn corpus/cli/rook-tactics-4.5dpgn",
    "convert --to chess64-binary --from pgn corpus/cli/orthodox.pgn",
    "verify corpus/puzzles/wrong/refutation-fails.yaml",
    "verify corpus/puzzles/wrong/unknown-field.yaml",
    "verify corpus/puzzles/odd/king-capturable.yaml",
    "verify puzzles/small",
    "verify --partition hash:1/2 --budget 100000 --time 600 puzzles/small",
    "verify no-such-folder",
    "diff corpus/games/small-2.5dpgn",
    "diff --profile default --profile orthodox --shrink 20 corpus/games/small-2.5dpgn",
    "diff --oracle slow --end --partition hash:1/2 corpus/cli/rook-tactics-4.5dpgn",
    "diff --oracle nobody corpus/games",
    "conformance --oracle slow corpus/rules",
    "verify --engine replay:corpus/cli/engine.jsonl --negatives puzzles/small/rook-from-the-past.yaml puzzles/first-steps",
    "verify --engine ENGINE --compliance --time-per-action 0.2",
    "match ENGINE ENGINE --opening Small --nodes 100 --most-actions 2 --clock 60+1 --sprt 0,10",
    "match ENGINE ENGINE ENGINE --opening puzzles/small/rook-from-the-past.yaml --nodes 100 --most-actions 1 --adjudicate 2",
    "judge puzzles/small/rook-from-the-past.yaml Ra5",
    "judge puzzles/small/today-and-yesterday.yaml Kc1",
    "judge --budget 3 puzzles/small/today-and-yesterday.yaml Re1 Kd3 Kb2",
    "solve --helpmate 2 --all puzzles/helpmates/pawn-needs-help.yaml",
    "solve --selfmate 1 puzzles/selfmates/unicorn-has-to.yaml",
    "explain puzzles/promotion/four-answers.yaml",
    "explain puzzles/helpmates/pawn-needs-help.yaml",
    "explain --most 2 puzzles/selfmates/unicorn-has-to.yaml",
    "explain puzzles/only-defences/brawn-saves-6fe8.yaml",
    "explain --budget 10 puzzles/promotion/four-answers.yaml",
    "explain puzzles/endings/unicorn-softmate.yaml",
    "new --mate 1 --at 3b corpus/cli/rook-tactics-4.5dpgn -",
    "new --mate 1 --at 2b corpus/cli/rook-tactics-4.5dpgn -",
    "fmt --check puzzles/promotion corpus/cli/authoring.in/messy.yaml",
    "lint corpus/puzzles/fix/duals.fixed puzzles/promotion/four-answers.yaml",
    "lint --budget 40 corpus/puzzles/good",
    "lint corpus/puzzles/wrong/unknown-field.yaml",
    "similar puzzles/promotion/stay-a-pawn.yaml puzzles/promotion puzzles/two-timelines",
    "mine corpus/games/ending-mate-8.5dpgn corpus/games/small-2.5dpgn",
    "report compare corpus/cli/report-before.json corpus/cli/report-after.json",
];

/// Checks that every schema is used, and that all output fits.
pub fn check(pages: &[Page]) -> Result<(), String> {
    let page =
        pages.iter().find(|page| page.path.ends_with("/json.md")).ok_or("there is no page about JSON")?;
    let shown = page.text.lines().filter_map(|line| line.strip_prefix("$ worldlines "));
    let commands = shown.map(str::to_owned).chain(COMMANDS.map(|command| format!("{command} --format json")));
    let schemas = schemas()?;
    let mut met = BTreeSet::new();
    let mut problems = Vec::new();
    for command in commands {
        match fits(&command, &schemas) {
            Ok(name) => {
                met.insert(name);
            }
            Err(problem) => problems.push(format!("worldlines {command}: {problem}")),
        }
    }
    for name in schemas.keys().filter(|name| !met.contains(*name)) {
        problems.push(format!("no command printed `{name}`"));
    }
    for name in schemas.keys().filter(|name| !page.text.contains(&format!("[`{name}`]"))) {
        problems.push(format!("the page does not mention `{name}`"));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The schemas, by name.
fn schemas() -> Result<BTreeMap<String, Value>, String> {
    let files = fs::read_dir(root().join("spec/schemas")).map_err(|error| error.to_string())?;
    let read = |path: std::path::PathBuf| -> Option<(String, Value)> {
        let schema: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
        Some((schema["title"].as_str()?.to_owned(), schema))
    };
    files
        .map(|file| read(file.ok()?.path()))
        .collect::<Option<_>>()
        .ok_or("a schema cannot be read".to_owned())
}

/// The name of the schema of a command's output. Fails unless the output fits it.
fn fits(command: &str, schemas: &BTreeMap<String, Value>) -> Result<String, String> {
    let program = env!("CARGO_BIN_EXE_worldlines");
    let engine = format!("'{}' engine", program.replace('\\', "/"));
    let words = command.split(' ').map(|word| if word == "ENGINE" { &*engine } else { word });
    let output = Command::new(program).current_dir(root()).args(words).output();
    let output = output.map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let name = value["schema"].as_str().ok_or("there is no field `schema`")?;
    let schema = schemas.get(name).ok_or(format!("there is no schema `{name}`"))?;
    mismatch(schema, schema, &value, "").map_or(Ok(name.to_owned()), Err)
}

/// The place where a value does not fit a schema, or has a field that the schema does not name.
fn mismatch(root: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let unnamed = || {
        let named = named_fields(root, schema, value)?;
        let name = value.as_object()?.keys().find(|name| !named.contains(name.as_str()))?;
        Some(format!("{place}/{name}: the schema has no such field"))
    };
    misfit(root, schema, value, place).or_else(unnamed)
}

/// The fields that a schema names, with its definition and the choices that a value fits; `None` if it may have any.
fn named_fields<'s>(root: &'s Value, schema: &'s Value, value: &Value) -> Option<BTreeSet<&'s str>> {
    if schema.get("additionalProperties").is_some() {
        return None;
    }
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut named: BTreeSet<&str> = properties.map(|(name, _)| name.as_str()).collect();
    let definition = schema.get("$ref").and_then(Value::as_str);
    let definition = definition.and_then(|path| root.pointer(path.trim_start_matches('#')));
    let choices =
        ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    let fitting = choices.filter(|choice| misfit(root, choice, value, "").is_none());
    for part in definition.into_iter().chain(fitting) {
        named.extend(named_fields(root, part, value)?);
    }
    Some(named)
}

/// The place where a value breaks a keyword of a schema. Only the keywords of generated schemas are known; any other
/// is refused, as it would not be checked.
fn misfit(root: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let Some(keywords) = schema.as_object() else { return Some(format!("{place}: the schema is no object")) };
    keywords.iter().find_map(|(keyword, rule)| {
        let holds = match (keyword.as_str(), rule) {
            ("$schema" | "title" | "description" | "$defs" | "format", _) => true,
            ("$ref", Value::String(path)) => {
                let definition = root.pointer(path.trim_start_matches('#'));
                return match definition {
                    Some(definition) => misfit(root, definition, value, place),
                    None => Some(format!("{place}: there is no {path}")),
                };
            }
            ("const", rule) => value == rule,
            ("enum", Value::Array(values)) => values.contains(value),
            ("anyOf" | "oneOf", Value::Array(options)) => {
                options.iter().any(|option| misfit(root, option, value, place).is_none())
            }
            ("type", Value::String(name)) => is(value, name),
            ("type", Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).any(|name| is(value, name))
            }
            ("minimum", rule) => value.as_f64().is_none_or(|number| Some(number) >= rule.as_f64()),
            ("minItems", rule) => {
                value.as_array().is_none_or(|list| Some(list.len() as u64) >= rule.as_u64())
            }
            ("maxItems", rule) => {
                value.as_array().is_none_or(|list| Some(list.len() as u64) <= rule.as_u64())
            }
            ("items", rule) => {
                let values = value.as_array().into_iter().flatten().enumerate();
                return values
                    .map(|(index, value)| mismatch(root, rule, value, &format!("{place}/{index}")))
                    .find_map(|found| found);
            }
            ("properties", Value::Object(rules)) => return in_fields(root, rules, value, place),
            // An object whose field names the schema cannot know.
            ("additionalProperties", Value::Object(_)) => {
                let fields = value.as_object().into_iter().flatten();
                return fields
                    .map(|(name, value)| mismatch(root, rule, value, &format!("{place}/{name}")))
                    .find_map(|found| found);
            }
            ("required", Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).all(|name| value.get(name).is_some())
            }
            _ => return Some(format!("{place}: `{keyword}` is not known here")),
        };
        (!holds).then(|| format!("{place}: expected `{keyword}` {rule}, but found {value}"))
    })
}

/// The place of a field that does not fit its rule.
fn in_fields(root: &Value, rules: &Map<String, Value>, value: &Value, place: &str) -> Option<String> {
    value.as_object()?.iter().find_map(|(name, value)| {
        let rule = rules.get(name)?;
        mismatch(root, rule, value, &format!("{place}/{name}"))
    })
}

fn is(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        _ => false,
    }
}
