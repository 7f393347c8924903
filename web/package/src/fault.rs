//! Errors and panics on their way to JavaScript.

use std::cell::RefCell;
use std::fmt::Write;

use wasm_bindgen::prelude::wasm_bindgen;
use worldlines::chessjs;
use worldlines::notation::{Location, ParseError, Span};
use worldlines::types::Undecided;

thread_local! {
    /// The message of the last panic.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics store their message for [`last_panic`]. JavaScript calls this once.
#[wasm_bindgen]
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        let said = info.to_string();
        PANIC.with(|last| last.replace(Some(said)));
    }));
}

/// Returns the message of the last panic, and forgets it.
#[wasm_bindgen(js_name = lastPanic)]
pub fn last_panic() -> Option<String> {
    PANIC.with(RefCell::take)
}

/// An error: `{"code":…,"message":…,"start":…,"end":…,"line":…,"column":…}`; the last four only if it has a
/// place in a text. `start` and `end` count the UTF-16 units of JavaScript's strings.
pub struct Fault(String);

impl Fault {
    /// An error with its place in a text, if it has one.
    pub fn new(code: &str, message: &str, place: Option<(&str, Span)>) -> Fault {
        let mut json = String::from("{\"code\":");
        write_string(&mut json, code);
        json.push_str(",\"message\":");
        match place {
            None => write_string(&mut json, message),
            Some((text, span)) => {
                let range = span.range();
                let Location { line, column } = Location::of(text, range.start);
                write_string(&mut json, &format!("{message}, at line {line}, column {column}"));
                let units = |bytes: usize| text.get(..bytes).map_or(0, |part| part.encode_utf16().count());
                let (start, end) = (units(range.start), units(range.end));
                // Writing to a string cannot fail.
                let _ = write!(json, ",\"start\":{start},\"end\":{end},\"line\":{line},\"column\":{column}");
            }
        }
        json.push('}');
        Fault(json)
    }

    /// The error of a text that cannot be read.
    pub fn of_text(error: &ParseError, text: &str) -> Fault {
        let issue = &error.issue;
        let message = match &issue.hint {
            Some(hint) => format!("{} ({hint})", issue.message),
            None => issue.message.clone(),
        };
        Fault::new(issue.code, &message, Some((text, issue.span)))
    }

    /// The error of the object API for this text.
    pub fn of(error: &chessjs::Error, text: &str) -> Fault {
        Fault::new(error.code(), &error.to_string(), error.span().map(|span| (text, span)))
    }

    /// The JSON.
    pub fn json(&self) -> &str {
        &self.0
    }
}

impl From<Undecided> for Fault {
    fn from(undecided: Undecided) -> Fault {
        Fault::new("undecided", &undecided.to_string(), None)
    }
}

impl From<Fault> for wasm_bindgen::JsValue {
    fn from(fault: Fault) -> wasm_bindgen::JsValue {
        wasm_bindgen::JsValue::from_str(&fault.0)
    }
}

/// A string as JSON.
pub fn write_string(json: &mut String, value: &str) {
    json.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                let _ = write!(json, "\\u{:04x}", c as u32);
            }
            c => json.push(c),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_its_place_in_units_of_javascript() {
        let fault = Fault::new("c", "m \"q\"\n", Some(("é𝄞\nab", Span::new(7, 8))));
        let place = "\"start\":4,\"end\":5,\"line\":2,\"column\":1";
        assert_eq!(
            fault.json(),
            format!("{{\"code\":\"c\",\"message\":\"m \\\"q\\\"\\u000a, at line 2, column 1\",{place}}}")
        );
        assert_eq!(Fault::new("c", "m", None).json(), "{\"code\":\"c\",\"message\":\"m\"}");
    }

    #[test]
    fn what_a_panic_says_is_kept_once() {
        start();
        assert!(std::panic::catch_unwind(|| panic!("said")).is_err());
        assert!(last_panic().is_some_and(|text| text.contains("said")));
        assert_eq!(last_panic(), None);
    }
}
