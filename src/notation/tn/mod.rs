//! The notation of the program `cwmtt`, in files `.tn`.
//!
//! ```text
//! 1. Nf3 / Nf6
//! 2. N>>t-1f5 /       ? the knight goes a turn back
//! 2bT1. e6;-
//! 3. e3;_ / N>0Lg6;<
//! ```
//!
//! An action is an optional number, as `2bT1.`, and moves that `;` separates; `/` or a line end stands
//! between actions. The first move is made on the highest active timeline, each later one on the timeline
//! below the one before, unless a move names its timeline: `-1LQd3`. A placeholder stands for a timeline
//! without a move: `-` if the player does not move there, `_` if the other player is to move there, `<` if a
//! piece of this action goes there. A piece has its origin as far as needed, its letter, `>` for a jump to
//! the last board of a timeline or `>>` for one that creates a timeline, and its target, whose timeline and
//! turn may be relative: `N>>0Lt-1f4`. The grammar is in `spec/notation-tn.md`.
//!
//! Headers as in 5DPGN may stand in front. For another start than theirs, give it beside the text
//! ([`Options::start`]). The notation says nothing about promotion: a pawn becomes a queen, or the only piece
//! that it may become.
//!
//! # Relaxations
//!
//! * a number without moves at the end of the text;
//! * with a warning: numbers and presents that are wrong, more than one `/` between actions, `+` and `#`
//!   after a move that is not the last one, a wrong `x`, `#` or placeholder, `>>` for a jump that creates no
//!   timeline, and `mate?`, which is a command of the program.

mod resolve;
mod syntax;
mod write;

pub use write::write;

use crate::notation::common::header::{self, Header};
use crate::notation::common::replay::{Replay, start_or_standard};
use crate::notation::common::start::{self, StartText, is_about_start};
use crate::notation::common::{Game, Head, Issue, Options, ParseError, Parsed};
use crate::state::Position;
use crate::types::Promotions;
use syntax::{Next, Reader};

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::tn;
///
/// let game = tn::parse("1. e3 / Nf6\n2. Bb5 / e6\n3. B>>t-1b6 ? one turn back").into_result()?;
/// assert_eq!(game.end().multiverse().timelines().count(), 2);
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub fn parse(text: &str) -> Parsed {
    parse_with(text, &Options::default())
}

/// Like [`parse`], with the start from the options, and with a comparison of `+` if they ask for it.
pub(super) fn parse_with(text: &str, options: &Options) -> Parsed {
    let mut reader = Reader::new(text);
    let mut warnings = Vec::new();
    let begun =
        reader.begin().and_then(|headers| Ok((start_of(text, &headers, options, &mut warnings)?, headers)));
    let ((start, name), headers) = match begun {
        Ok(begun) => begun,
        Err(error) => return Parsed { warnings, ..Parsed::refused(error) },
    };
    let mut player = Replay::new(start);
    player.warnings = warnings;
    let error = play(&mut reader, &mut player, options.check_marks).err();
    let headers = header::kept(&headers, text, is_about_start);
    let losses = player.losses_at(reader.comments.iter().map(|&at| (at as u32, "a comment".into())));
    Parsed { losses, ..player.finish(error).map(|game| Game { name, headers, ..game }) }
}

/// The start of the game: that of the headers, or else the given one.
fn start_of(
    text: &str,
    headers: &[Header],
    options: &Options,
    warnings: &mut Vec<Issue>,
) -> Result<(Position, Option<String>), ParseError> {
    if headers.iter().any(|header| is_about_start(header, text) && !is_mode(header, text)) {
        start::position(StartText { text, headers, boards: &[] }, warnings)
    } else {
        Ok((start_or_standard(options.start.as_ref(), Promotions::QUEEN), None))
    }
}

fn is_mode(header: &Header, text: &str) -> bool {
    header.key.of(text).eq_ignore_ascii_case("Mode")
}

/// Reads and plays one action after the other.
fn play(reader: &mut Reader<'_>, player: &mut Replay, check_marks: bool) -> Result<(), ParseError> {
    loop {
        match reader.next(&mut player.warnings)? {
            Next::End => return Ok(()),
            Next::Action(action) => {
                resolve::play(player, &action, check_marks).map_err(|error| player.in_action(error))?;
            }
        }
    }
}

/// The number of lines that detection reads.
const DETECTED_LINES: usize = 64;

/// Whether a text with this beginning is in this notation: no parentheses outside comments, and a word that
/// no other notation has.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let lines = || head.lines(DETECTED_LINES).map(|line| line.split('?').next().unwrap_or_default());
    let is_other = lines().any(|line| line.contains(['(', '{', '[', ':']));
    let mut words = lines().flat_map(|line| line.split([' ', '\t', '\r', ';', '/']));
    !head.has_boards && !is_other && words.any(is_telling)
}

/// Whether only this notation has the word: `2bT1.`, `Q>>xt-3f7`, `N>T1g6`, `-1LQd3`, `_`.
fn is_telling(word: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let after_number = |text: &'_ str| text[digits(text)..].to_owned();
    // A timeline in front of a piece, as `-1L`, or in front of the target turn or square.
    let names_timeline = |text: &str| {
        let number = text.strip_prefix(['-', '+']).unwrap_or(text);
        digits(number) > 0 && number[digits(number)..].starts_with(['L', 'l'])
    };
    let present = after_number(word);
    let present = present.strip_prefix(['w', 'b']).unwrap_or(&present).strip_prefix('T').map(after_number);
    let is_number = present.is_some_and(|rest| rest.starts_with('.'));
    let jumps_far = word.rsplit_once('>').is_some_and(|(_, target)| {
        let target = target.strip_prefix('x').unwrap_or(target);
        let turn = target.strip_prefix(['t', 'T']);
        names_timeline(target)
            || turn.is_some_and(|turn| turn.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
    });
    word == "_" || is_number || jumps_far || names_timeline(word)
}

#[cfg(test)]
mod tests;
