//! A text never makes a notation panic: errors and warnings can be shown under any name.
//!
//! Marks of check are compared with the position, and positions are drawn.

use arbitrary::Result;
use worldlines::notation::format::DETECTION_BYTES;
use worldlines::notation::{Format, Parsed, text_of};
use worldlines::notation::{Options, UnmovedPawns};
use worldlines::render::{Frame, text as draw};

use super::{assert_has_place, assert_marks, assert_printable};
use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 400, "pgn5d", Source::EveryNotation);

/// Takes a text for every notation, and a byte of options.
fn run(bytes: &[u8]) -> Result<()> {
    let Some((&choice, bytes)) = bytes.split_last() else { return Ok(()) };
    let _ = Format::detect(bytes);
    let start = Format::Fen5d.parse(b"[3k/4/4/K3:0:1:w]", &Options::default()).value.map(|g| g.start);
    let options = Options {
        start: start.filter(|_| choice & 1 != 0),
        zero_based: choice & 2 != 0,
        unmoved_pawns: [UnmovedPawns::StartRank, UnmovedPawns::All, UnmovedPawns::None]
            [usize::from(choice >> 2) % 3],
        check_marks: choice & 64 == 0,
    };
    for format in Format::all() {
        check(bytes, format, format.parse(bytes, &options));
    }
    assert!(
        bytes.len() <= DETECTION_BYTES || Format::detect(&bytes[..DETECTION_BYTES]) == Format::detect(bytes)
    );
    Ok(())
}

fn check(bytes: &[u8], format: Format, reading: Parsed) {
    let Parsed { value: game, warnings, losses, error, .. } = reading;
    let name = "a name\u{1b}[31m";
    for issue in warnings.iter().chain(error.iter().map(|error| &error.issue)) {
        match text_of(bytes) {
            Ok(text) if format != Format::Chess64Binary => {
                assert_has_place(text, issue.span, &issue.excerpt(name, text));
            }
            _ => assert_marks(&issue.excerpt(name, bytes)),
        }
    }
    losses.iter().for_each(|loss| assert_printable(&loss.what));
    if let Some(game) = game {
        assert_printable(&draw(&game.end(), Frame::REPORT));
    }
}

#[cfg(test)]
mod tests {
    use worldlines::notation::{Issue, Loss, Span};

    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let of = |issue: Issue| Parsed { warnings: vec![issue], ..Parsed::default() };
        check(b"1. e4", Format::Pgn5d, of(Issue::new("a-code", Span::new(3, 5), "a message")));
        let beyond = of(Issue::new("beyond", Span::new(3, 9), "a message"));
        assert!(flags(|| check(b"1. e4", Format::Pgn5d, beyond)));
        let mut loss = Loss::new("the header");
        loss.what.push('\u{1b}');
        let control = Parsed { losses: vec![loss], ..Parsed::default() };
        assert!(flags(|| check(b"1. e4", Format::Pgn5d, control)));
    }
}
