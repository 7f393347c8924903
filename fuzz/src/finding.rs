//! The report of a finding, printed when a target panics: the case, and the command that runs it again.

use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::panic;
use std::sync::Once;

use crate::Target;

thread_local! {
    /// The running target and its bytes.
    static RUNNING: RefCell<Option<(&'static Target, Vec<u8>)>> = const { RefCell::new(None) };
    /// Whether a case was made of the bytes, so that making it again is safe.
    static GENERATED: Cell<bool> = const { Cell::new(false) };
}

/// The most bytes that the command repeats. The fuzzer has written longer inputs to a file.
const LONGEST_ARGUMENT: usize = 2_000;

/// Notes that a case was made of the bytes.
pub(crate) fn generated() {
    GENERATED.set(true);
}

/// Runs a target. A panic is reported with its case.
///
/// # Errors
///
/// The same as those of the target: when the bytes are no input of it.
pub fn watched(target: &'static Target, bytes: &[u8]) -> arbitrary::Result<()> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A panic that is caught further in, as in `verify`, is a finding too.
            let running = RUNNING.with(|running| running.try_borrow_mut().ok().and_then(|mut r| r.take()));
            if let Some((target, bytes)) = running {
                eprint!("{}", report(target, &bytes, GENERATED.get()));
            }
            before(info);
        }));
    });
    GENERATED.set(false);
    RUNNING.with_borrow_mut(|running| match running {
        Some((last, buffer)) => {
            *last = target;
            buffer.clear();
            buffer.extend_from_slice(bytes);
        }
        None => *running = Some((target, bytes.to_vec())),
    });
    (target.run)(bytes)
}

/// The case, with the command that runs it again.
fn report(target: &Target, bytes: &[u8], generated: bool) -> String {
    let mut text = format!("\nfinding of {}:\n", target.name);
    let case = if generated { (target.show)(bytes).ok() } else { None };
    match case {
        Some(case) => text += case.trim_end(),
        None => text += "while the input was turned into a case",
    }
    let name = target.name;
    let _ = match hex(bytes) {
        Some(hex) => write!(text, "\nreproduce: cargo run -p worldlines-fuzz -- replay {name} hex:{hex}\n\n"),
        None => {
            write!(
                text,
                "\nreproduce: cargo run -p worldlines-fuzz -- replay {name} fuzz/artifacts/{name}/FILE\n\n"
            )
        }
    };
    text
}

fn hex(bytes: &[u8]) -> Option<String> {
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    (bytes.len() <= LONGEST_ARGUMENT).then(|| digits.collect())
}

/// The bytes of an argument `hex:00ff`, if it is one.
pub fn from_hex(argument: &str) -> Option<Vec<u8>> {
    let digits = argument.strip_prefix("hex:")?;
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    pairs.map(|pair| u8::from_str_radix(pair.filter(|pair| pair.len() == 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;

    #[test]
    fn a_finding_can_be_pasted_and_reproduced() {
        let bytes = b"[3k/4/4/K2R:0:1:w]";
        let text = report(named("legal_twin"), bytes, true);
        assert!(text.contains("[3k/4/4/K2R:0:1:w]"), "{text}");
        let argument = text.split_whitespace().find(|word| word.starts_with("hex:")).expect("a command");
        assert_eq!(from_hex(argument), Some(bytes.to_vec()));
        let choices = report(named("legal_twin"), &[7; 100], true);
        assert!(choices.contains(":w]") || choices.contains(":b]"), "{choices}");
        assert!(report(named("play_undo"), &[0; 5_000], true).contains("fuzz/artifacts/play_undo/"));
        assert_eq!(from_hex("hex:0"), None);
        assert_eq!(from_hex("hex:0g"), None);
        assert_eq!(from_hex("corpus/x.input"), None);
    }
}
