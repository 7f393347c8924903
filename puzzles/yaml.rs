//! A second YAML parser reads the same values, so that other programs will too.

use libtest_mimic::Failed;
use serde::de::Deserialize;

/// Whether both parsers read a text alike.
pub fn another_parser(text: &str) -> Result<(), Failed> {
    let here: Vec<serde_json::Value> = serde_saphyr::from_multiple(text)?;
    let there: Vec<serde_json::Value> = serde_yaml::Deserializer::from_str(text)
        .map(serde_json::Value::deserialize)
        .collect::<Result<_, _>>()?;
    if here == there { Ok(()) } else { Err(format!("expected {here:#?}, but found {there:#?}").into()) }
}
