//! Corrections of words with an error: the word that may have been meant. Begin at [`corrections`].
//!
//! Every word that is one slip away is tried: another case, two signs exchanged, a sign replaced, left out or
//! added. Those with which the text is read furthest are corrections, and among these the likeliest kind of
//! slip counts alone. Nothing here knows a notation, so that all of them are served.

use crate::notation::common::Span;
use crate::notation::common::excerpt::printable;

/// A word that may have been meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correction {
    /// The range of the word with the error.
    pub span: Span,
    /// The word in its place.
    pub text: String,
}

impl Correction {
    /// The text with the correction made.
    pub fn applied(&self, text: &str) -> String {
        let range = self.span.range();
        [&text[..range.start], &self.text, &text[range.end..]].concat()
    }
}

/// The question whether one of these was meant, for messages. `None` if there are none.
///
/// ```
/// use worldlines::notation::{Correction, Span, did_you_mean};
///
/// let correction = |text: &str| Correction { span: Span::new(0, 3), text: text.to_owned() };
/// let asked = did_you_mean(&[correction("Nf1"), correction("Nf3")]);
/// assert_eq!(asked.as_deref(), Some("did you mean `Nf1` or `Nf3`?"));
/// assert_eq!(did_you_mean(&[]), None);
/// ```
pub fn did_you_mean(corrections: &[Correction]) -> Option<String> {
    let words: Vec<String> =
        corrections.iter().map(|correction| format!("`{}`", printable(&correction.text))).collect();
    match words.split_last()? {
        (only, []) => Some(format!("did you mean {only}?")),
        (last, rest) => Some(format!("did you mean {} or {last}?", rest.join(", "))),
    }
}

/// The most bytes that are read for one error. A game of a hundred actions has about 2,000.
const MOST_BYTES: usize = 1 << 20;

/// The most bytes of a word.
const LONGEST_WORD: usize = 32;

/// The bytes after a word that are read in the first trial: an action with moves on many boards.
const AFTER: usize = 256;

/// The most corrections: of more, none is likely.
const MOST: usize = 3;

/// The signs that are put in place of others: those of moves. A parenthesis would make a comment of the rest.
const SIGNS: &str = "NQRBKPabcdefgh12345678xUDSWCY0-+=TL>/O.";

/// The corrections of the word at `error`, where `text` stops to be readable. `read` returns the place at which
/// reading another text stops, or `None` if it is read to its end.
///
/// ```
/// use worldlines::notation::{corrections, pgn5d};
///
/// let text = "1. e4 / e5 2. Mf3 / Nc6";
/// let error = |text: &str| pgn5d::parse(text).error.map(|error| error.issue.span.range().start);
/// let found = corrections(text, error(text).expect("there is no piece M"), error);
/// assert_eq!(found[0].text, "Nf3");
/// assert_eq!(found.len(), 1);
/// ```
pub fn corrections(text: &str, error: usize, read: impl Fn(&str) -> Option<usize>) -> Vec<Correction> {
    let Some(span) = word_at(text, error) else { return Vec::new() };
    let word = &text[span.range()];
    let cut =
        (span.range().end + AFTER..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    // The bytes that stay unread, in which texts of different lengths are compared.
    let unread = |other: &str, end: usize| {
        let corrected = Correction { span, text: other.to_owned() }.applied(&text[..end]);
        read(&corrected).map_or(0, |at| corrected.len().saturating_sub(at).max(1))
    };
    // Reading must go beyond the word. The rest of the text decides only between words that pass.
    let passes = |other: &str| unread(other, cut) < (cut - span.range().end).max(1);
    let mut left = MOST_BYTES / (cut + 64);
    let mut found: Vec<(usize, Slip, String)> = Vec::new();
    for (slip, other) in slips(word) {
        if left == 0 {
            break;
        }
        left -= 1;
        if passes(&other) && !found.iter().any(|(.., known)| *known == other) {
            found.push((0, slip, other));
        }
    }
    let mut left = MOST_BYTES / (text.len() + 64);
    for (rest, _, other) in &mut found {
        let end = if left > 0 { text.len() } else { cut };
        left = left.saturating_sub(1);
        *rest = unread(other, end);
    }
    let Some(best) = found.iter().map(|(rest, slip, _)| (*rest, *slip)).min() else { return Vec::new() };
    found.retain(|(rest, slip, _)| (*rest, *slip) == best);
    if found.len() > MOST {
        return Vec::new();
    }
    found.into_iter().map(|(.., text)| Correction { span, text }).collect()
}

/// The word at this place: the text between blanks or quotes.
fn word_at(text: &str, at: usize) -> Option<Span> {
    if !text.is_char_boundary(at) {
        return None;
    }
    let ends = |sign: char| sign.is_whitespace() || sign == '"';
    let start = text[..at]
        .rfind(ends)
        .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
    let end = text[at..].find(ends).map_or(text.len(), |after| at + after);
    let word = &text[start..end];
    (!word.is_empty() && word.len() <= LONGEST_WORD && word.is_ascii()).then(|| Span::new(start, end))
}

/// A kind of slip, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    Case,
    Exchange,
    /// A sign that stands there twice.
    Doubled,
    /// A `>` that stands there once instead of twice.
    Halved,
    /// A sign in place of one beside it in the alphabet or on a board.
    Neighbour,
    Replacement,
    Other,
}

/// The words that are one slip away from this one, the likeliest kind of slip first.
fn slips(word: &str) -> Vec<(Slip, String)> {
    let bytes = word.as_bytes();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut other = bytes.to_vec();
        change(&mut other);
        String::from_utf8(other).expect("the word and the signs are ASCII")
    };
    let mut found = Vec::new();
    for at in 0..bytes.len() {
        found.push((
            Slip::Case,
            with(&|other| other[at] ^= if other[at].is_ascii_alphabetic() { 0x20 } else { 0 }),
        ));
    }
    for at in 1..bytes.len() {
        found.push((Slip::Exchange, with(&|other| other.swap(at - 1, at))));
    }
    for at in (1..bytes.len()).filter(|&at| bytes[at] == bytes[at - 1]) {
        found.push((Slip::Doubled, [&word[..at], &word[at + 1..]].concat()));
    }
    for at in (0..bytes.len()).filter(|&at| bytes[at] == b'>') {
        found.push((Slip::Halved, [&word[..at], ">", &word[at..]].concat()));
    }
    for at in 0..bytes.len() {
        let letter = bytes[at].to_ascii_lowercase();
        // A digit is beside digits only: `/` comes before `0` in ASCII, and on no board.
        let is_beside = |sign: u8| {
            sign.to_ascii_lowercase().abs_diff(letter) == 1
                && sign.is_ascii_digit() == letter.is_ascii_digit()
        };
        let slip = |sign: u8| if is_beside(sign) { Slip::Neighbour } else { Slip::Replacement };
        found.extend(SIGNS.bytes().map(|sign| (slip(sign), with(&|other| other[at] = sign))));
    }
    for at in 0..bytes.len() {
        found.push((Slip::Other, [&word[..at], &word[at + 1..]].concat()));
    }
    for at in 0..=bytes.len() {
        found.extend(SIGNS.bytes().map(|sign| (Slip::Other, with(&|other| other.insert(at, sign)))));
    }
    found.retain(|(_, other)| other != word && !other.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Format, Options};

    fn found(format: Format, text: &str) -> Vec<String> {
        let stop = |text: &str| {
            format
                .parse(text.as_bytes(), &Options::default())
                .error
                .map(|error| error.issue.span.range().start)
        };
        let error = stop(text).unwrap_or_else(|| panic!("{text}: no error"));
        corrections(text, error, stop).into_iter().map(|correction| correction.text).collect()
    }

    #[test]
    fn the_move_that_was_meant_is_found() {
        for (text, meant) in [
            ("1. e4 / e5 2. Mf3 / Nc6 3. Bc4 / Nf6", &["Nf3"][..]),
            ("1. e4 / e5 2. Nf3 / nc6 3. Bc4 / Nf6", &["Nc6"]),
            ("1. e4 / e5 2. mf3 / Nc6 3. Bc4 / Nf6", &["Nf3"]),
            ("1. e4 / e5 2. N3f / Nc6", &["Nf3"]),
            // With the other square the rest cannot be played.
            ("1. e4 / e5 2. Qh6 / Nc6 3. Qxf7", &["Qh5"]),
            ("1. e4 / e5 2. Nf3 / Nc6 3. Bc44 / Nf6", &["Bc4"]),
            ("1. Nf3 / Nf6 2. (0T2)Nf3>(0T1)f5", &["(0T2)Nf3>>(0T1)f5"]),
            // Another error follows.
            ("1. e4 / e5 2. Qh6 / Nc6 3. Bc4 / Nf7 4. Qxf7#", &["Qh5"]),
            // A sign that stands before a digit in ASCII is no slip of the hand.
            (
                "[Board \"custom\"]\n[4/UK2/4/3k:0:1:w]\n1. (0T1)Kb3c4 / (0T1)Kd1c2 2. (0T3)Kc4d4 / (0T2)Kc2b1",
                &["(0T2)Kc4d4"],
            ),
            // Nothing is one slip away.
            ("1. e4 / e5 2. checkmate", &[]),
            ("1. e4 / e5 2. é", &[]),
        ] {
            assert_eq!(found(Format::Pgn5d, text), meant, "{text}");
        }
        assert_eq!(found(Format::Simplified, "1. e2e4, e7e5\n2. g1f3, b8c7\n3. f1c4, g8f6"), ["b8c6"]);
    }

    #[test]
    fn any_spoilt_text_is_read_further_with_a_correction() {
        let text = "1. e4 / e5 {a word} 2. (0T2)Nf3 / Nc6 (2b. d6) 3. Bb5 / a6 4. Ba4 / Nf6";
        let stop = |text: &str| {
            let error = Format::Pgn5d.parse(text.as_bytes(), &Options::default()).error;
            error.map(|error| error.issue.span.range().start)
        };
        let mut corrected = 0;
        for at in 0..text.len() {
            for sign in ["z", "é", ")", "8", ""] {
                let spoilt = [&text[..at], sign, &text[at + 1..]].concat();
                let Some(error) = stop(&spoilt) else { continue };
                for correction in corrections(&spoilt, error, stop) {
                    let better = correction.applied(&spoilt);
                    let word = correction.span.range().start + correction.text.len();
                    assert!(stop(&better).is_none_or(|at| at > word), "{spoilt}: {better}");
                    corrected += 1;
                }
            }
        }
        assert!(corrected > 50, "{corrected}");
    }

    #[test]
    fn work_is_bounded() {
        let text = format!("1. e4 / e5 2. Mf3 {{{}}}", "x".repeat(1 << 20));
        let calls = std::cell::Cell::new(0);
        let read = |text: &str| {
            calls.set(calls.get() + text.len());
            Some(14)
        };
        assert!(corrections(&text, 14, read).is_empty());
        assert!(calls.get() <= 2 * MOST_BYTES, "{}", calls.get());
    }
}
