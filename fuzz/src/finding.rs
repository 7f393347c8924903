//! The report of a finding, printed when a target panics: the case, and the command that runs it again.

use std::cell::RefCell;
use std::fmt::Write;
use std::panic;
use std::sync::Once;

use crate::Target;
use crate::cases::Case;

thread_local! {
    /// The running target and its bytes.
    static RUNNING: RefCell<Option<(&'static Target, Vec<u8>)>> = const { RefCell::new(None) };
    /// The stage of the run.
    static STAGE: RefCell<Stage> = const { RefCell::new(Stage::Making) };
}

/// A stage of a run.
#[derive(Default)]
enum Stage {
    /// The bytes are made into a case.
    #[default]
    Making,
    /// The question is asked, so that making the case again is safe.
    Asking,
    /// The case is made again for a report.
    Reporting,
    /// The case for the eye: the end of a run for a report.
    Shown(String),
}

/// The most bytes that the command repeats. The fuzzer has written longer inputs to a file.
const LONGEST_ARGUMENT: usize = 2_000;

/// Notes the case that was made of the bytes: a finding after this shows it.
///
/// # Errors
///
/// When the run was only for showing the case, and ends here.
pub(crate) fn noted<C: Case>(case: C) -> arbitrary::Result<C> {
    if STAGE.with_borrow(|stage| matches!(stage, Stage::Reporting)) {
        STAGE.set(Stage::Shown(case.shown()));
        return Err(arbitrary::Error::IncorrectFormat);
    }
    STAGE.set(Stage::Asking);
    Ok(case)
}

/// The case of a run that ended in a panic. A text is its own case.
fn case(target: &Target, bytes: &[u8]) -> Option<String> {
    if let Stage::Asking = STAGE.replace(Stage::Reporting) {
        // The run ends where the case is noted, before the panic.
        let _ = (target.run)(bytes);
    }
    match STAGE.take() {
        Stage::Shown(case) => Some(case),
        _ => target.dictionary.map(|_| String::from_utf8_lossy(bytes).into_owned()),
    }
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
                eprint!("{}", report(target, &bytes));
            }
            before(info);
        }));
    });
    STAGE.set(Stage::Making);
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
fn report(target: &Target, bytes: &[u8]) -> String {
    let mut text = format!("\nfinding of {}:\n", target.name);
    match case(target, bytes) {
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
        let text = reported("legal_twin", bytes);
        assert!(text.contains("[3k/4/4/K2R:0:1:w]"), "{text}");
        let argument = text.split_whitespace().find(|word| word.starts_with("hex:")).expect("a command");
        assert_eq!(from_hex(argument), Some(bytes.to_vec()));
        let choices = reported("legal_twin", &[7; 100]);
        assert!(choices.contains(":w]") || choices.contains(":b]"), "{choices}");
        assert!(reported("play_undo", &[0; 5_000]).contains("fuzz/artifacts/play_undo/"));
        assert_eq!(from_hex("hex:0"), None);
        assert_eq!(from_hex("hex:0g"), None);
        assert_eq!(from_hex("corpus/x.input"), None);
    }

    #[test]
    fn a_finding_says_how_far_the_run_was() {
        assert!(reported("fen_text", b"8/8 w").contains("\n8/8 w\n"), "a text is its own case");
        let too_large = reported("mate_prover", b"[Board \"Standard\"]");
        assert!(too_large.contains("while the input was turned into a case"), "{too_large}");
    }

    /// The report of a panic at the end of a run.
    fn reported(name: &str, bytes: &[u8]) -> String {
        let _ = watched(named(name), bytes);
        report(named(name), bytes)
    }
}
