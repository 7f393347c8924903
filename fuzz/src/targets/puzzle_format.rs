//! The output of `fmt` has the same meaning as its input, and is not changed the second time.

use arbitrary::Result;
use worldlines::puzzle::{NotFormatted, format};

use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 200, "puzzle_yaml", Source::Puzzles);

fn run(bytes: &[u8]) -> Result<()> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text, format);
    }
    Ok(())
}

type Formatter = fn(&str) -> std::result::Result<String, NotFormatted>;

fn check(text: &str, format: Formatter) {
    let formatted = match format(text) {
        Ok(formatted) => formatted,
        Err(why) => return assert!(!why.to_string().is_empty(), "not formatted without a reason"),
    };
    assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "formatted twice: {text}");
    let values = |text: &str| serde_saphyr::from_str::<serde_json::Value>(text).ok();
    if let Some(before) = values(text) {
        assert_eq!(values(&formatted), Some(before), "other values in\n{formatted}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let text = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
        check(text, format);
        let grows: Formatter = |text| Ok(format!("{text}# again\n"));
        let loses: Formatter = |text| format(&text.replace("unique: true\n", ""));
        assert!(flags(|| check(text, grows)));
        assert!(flags(|| check(text, loses)));
    }
}
