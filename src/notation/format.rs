//! All notations by name: which one a text is in, and reading and writing in any of them.
//!
//! A notation takes part by one row of a table and one variant of [`Format`].
//!
//! # Detection
//!
//! [`detect`] looks at the beginning of the text only, at most [`DETECTION_BYTES`] bytes: at its first significant
//! character, the headers, and the first words after headers, boards and comments. Each notation says whether that can be
//! its own, and the first one in the table that says so is it; so the rows go from the notations that are easiest to tell
//! to those that are hardest. A text of which nobody is sure is of no notation: then `--from` has to say it.

use super::cursor::{Cursor, check_length};
use super::work::look_at;
use super::{
    Game, Header, Reading, Unwritable, Written, ceo, chess64, chessjs, fen, fen5d, gui_fen, orthodox, pgn,
    pgn5d, raw, simplified, text_of, uci5d,
};
use crate::state::Position;

/// A notation of games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Format {
    /// `5dpgn`: [`pgn5d`].
    Pgn5d,
    /// `5dfen`: [`fen5d`].
    Fen5d,
    /// `5duci`: [`uci5d`].
    Uci5d,
    /// `simplified`: [`simplified`].
    Simplified,
    /// `chessjs`: [`chessjs`] in full.
    ChessJs,
    /// `chessjs-short`: [`chessjs`] in the short layout.
    ChessJsShort,
    /// `chessjs-json`: [`chessjs::json`].
    ChessJsJson,
    /// `raw`: [`raw`].
    Raw,
    /// `gui-fen`: [`gui_fen`].
    GuiFen,
    /// `chess64`: [`chess64`] as text.
    Chess64,
    /// `chess64-binary`: [`chess64`] as bytes.
    Chess64Binary,
    /// `pgn`: [`pgn`].
    Pgn,
    /// `fen`: [`fen`].
    Fen,
    /// `ceo`: [`ceo`], the notation of another game.
    Ceo,
}

/// What a notation can do.
struct Notation {
    format: Format,
    /// The name on the command line and in files.
    name: &'static str,
    /// What people call it.
    title: &'static str,
    /// Whether a text that begins like this is in the notation.
    detect: fn(&Head<'_>) -> bool,
    read: Read,
    write: fn(&Game) -> Result<Written, Unwritable>,
}

/// What a notation reads.
#[derive(Clone, Copy)]
enum Read {
    /// Text.
    Text(fn(&str, &Options) -> Reading),
    /// Bytes that need not be text.
    Bytes(fn(&[u8], &Options) -> Reading),
}

/// Every notation, those that are easiest to tell first.
static NOTATIONS: &[Notation] = &[
    Notation {
        format: Format::Chess64Binary,
        name: "chess64-binary",
        title: "CHESS64 as binary",
        detect: chess64::detect_binary,
        read: Read::Bytes(|bytes, _| chess64::read_binary(bytes)),
        write: chess64::write_binary_game,
    },
    Notation {
        format: Format::Fen,
        name: "fen",
        title: "FEN",
        detect: fen::detect,
        read: Read::Text(|text, _| fen::read_game(text)),
        write: fen::write_game,
    },
    Notation {
        format: Format::ChessJsJson,
        name: "chessjs-json",
        title: "JSON of 5d-chess-js",
        detect: chessjs::detect_json,
        read: Read::Text(chessjs::json::read),
        write: chessjs::json::write_game,
    },
    Notation {
        format: Format::ChessJsShort,
        name: "chessjs-short",
        title: "5d-chess-js, short",
        detect: chessjs::detect_short,
        read: Read::Text(chessjs::read_so_far),
        write: chessjs::write_short,
    },
    Notation {
        format: Format::ChessJs,
        name: "chessjs",
        title: "5d-chess-js",
        detect: chessjs::detect,
        read: Read::Text(chessjs::read_so_far),
        write: chessjs::write_game,
    },
    Notation {
        format: Format::Uci5d,
        name: "5duci",
        title: "5DUCI",
        detect: uci5d::detect,
        read: Read::Text(|text, _| uci5d::read(text)),
        write: uci5d::write_game,
    },
    Notation {
        format: Format::GuiFen,
        name: "gui-fen",
        title: "the FEN of the 5D chess GUI",
        detect: gui_fen::detect,
        read: Read::Text(gui_fen::read),
        write: gui_fen::write_game,
    },
    Notation {
        format: Format::Raw,
        name: "raw",
        title: "the raw coordinate notation",
        detect: raw::detect,
        read: Read::Text(raw::read),
        write: raw::write_game,
    },
    Notation {
        format: Format::Fen5d,
        name: "5dfen",
        title: "5DFEN",
        detect: |head| head.headers.is_empty() && head.has_boards && head.moves.is_empty(),
        read: Read::Text(|text, _| fen5d::read_game(text)),
        write: fen5d::write_game,
    },
    Notation {
        format: Format::Pgn5d,
        name: "5dpgn",
        title: "5DPGN",
        detect: pgn5d::detect,
        read: Read::Text(pgn5d::read_with),
        write: pgn5d::write_game,
    },
    Notation {
        format: Format::Ceo,
        name: "ceo",
        title: "the notation of Chess Evolved Online",
        detect: ceo::detect,
        read: Read::Text(|text, _| ceo::refuse(text)),
        write: |_| Err(Unwritable::new(ceo::ANOTHER_GAME)),
    },
    Notation {
        format: Format::Simplified,
        name: "simplified",
        title: "Simplified 5D algebraic",
        detect: simplified::detect,
        read: Read::Text(simplified::read),
        write: simplified::write_game,
    },
    Notation {
        format: Format::Pgn,
        name: "pgn",
        title: "PGN",
        detect: pgn::detect,
        read: Read::Text(|text, _| pgn::read_so_far(text)),
        write: pgn::write_game,
    },
    Notation {
        format: Format::Chess64,
        name: "chess64",
        title: "CHESS64",
        detect: chess64::detect,
        read: Read::Text(|text, _| chess64::read_so_far(text)),
        write: chess64::write_game,
    },
];

/// What the reader of a text knows beside it. Most notations need none of this.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The start position, for notations that do not say it. Without, that is the start of `Standard`.
    pub start: Option<Position>,
    /// Coordinates count from 0, in notations in which they usually count from 1.
    pub zero_based: bool,
    /// Which pawns have never moved, in notations that do not say it.
    pub unmoved_pawns: UnmovedPawns,
    /// Compare what the text says about check and mate with what is the case. That takes time.
    pub check_marks: bool,
}

/// Which pawns and brawns have never moved, for notations that do not say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnmovedPawns {
    /// Those in front of their player's first rank: on the second rank and on the last but one.
    #[default]
    StartRank,
    /// All of them.
    All,
    /// None of them.
    None,
}

impl Format {
    /// Every notation.
    pub fn all() -> impl Iterator<Item = Format> {
        NOTATIONS.iter().map(|notation| notation.format)
    }

    /// The notation with this name.
    ///
    /// ```
    /// use worldlines::notation::Format;
    ///
    /// assert_eq!(Format::by_name("5dpgn"), Some(Format::Pgn5d));
    /// assert_eq!(Format::by_name("5D PGN"), None);
    /// ```
    pub fn by_name(name: &str) -> Option<Format> {
        NOTATIONS.iter().find(|notation| notation.name == name).map(|notation| notation.format)
    }

    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        self.notation().name
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        self.notation().title
    }

    /// Whether it is for games of [orthodox] chess and no others.
    pub fn is_orthodox(self) -> bool {
        matches!(self, Format::Chess64 | Format::Chess64Binary | Format::Pgn | Format::Fen)
    }

    fn notation(self) -> &'static Notation {
        NOTATIONS.iter().find(|notation| notation.format == self).expect("every notation has its row")
    }
}

/// The game in these bytes, as far as it can be read.
pub fn read(bytes: &[u8], format: Format) -> Reading {
    read_with(bytes, format, &Options::default())
}

/// As [`read`], with something known beforehand.
pub fn read_with(bytes: &[u8], format: Format, options: &Options) -> Reading {
    if let Err(error) = check_length(bytes.len()) {
        return Reading::refused(error);
    }
    match format.notation().read {
        Read::Bytes(read) => read(bytes, options),
        Read::Text(read) => match text_of(bytes) {
            Ok(text) => read(text, options),
            Err(error) => Reading::refused(error),
        },
    }
}

/// The game in a notation.
///
/// # Errors
///
/// When the notation has no way to write it at all. What it cannot say in part is a [`Loss`](super::Loss).
pub fn write(game: &Game, format: Format) -> Result<Written, Unwritable> {
    let write = format.notation().write;
    // 5DPGN names other rules in a header, and 5DFEN writes boards, whatever rules they came about by.
    if format.is_orthodox() || matches!(format, Format::Pgn5d | Format::Fen5d) {
        return write(game);
    }
    let (game, mut losses) = orthodox::to_5d(game)?;
    let written = write(&game)?;
    losses.extend(written.losses);
    Ok(Written { losses, ..written })
}

/// How many bytes [`detect`] looks at.
pub const DETECTION_BYTES: usize = 1 << 16;

/// The notation of a text, if its beginning leaves no doubt.
///
/// ```
/// use worldlines::notation::{Format, format::detect};
///
/// assert_eq!(detect(b"[r2k/4/4/P2K:0:1:w]"), Some(Format::Fen5d));
/// assert_eq!(detect(b"1. e4 / e5"), Some(Format::Pgn5d));
/// assert_eq!(detect(b"what is this?"), None);
/// ```
pub fn detect(bytes: &[u8]) -> Option<Format> {
    let head = Head::of(bytes);
    NOTATIONS.iter().find(|notation| (notation.detect)(&head)).map(|notation| notation.format)
}

/// The beginning of a text, taken apart as far as that needs no knowledge of notations.
pub(super) struct Head<'t> {
    /// The bytes as they are, for notations that are not text.
    pub bytes: &'t [u8],
    /// The text from its first significant character on: after a byte order mark and white space.
    pub text: &'t str,
    /// The headers `[Name "value"]` at the beginning.
    pub headers: Vec<(&'t str, &'t str)>,
    /// Whether boards `[rows:timeline:turn:colour]` follow.
    pub has_boards: bool,
    /// What comes after headers, boards and comments in braces.
    pub moves: &'t str,
}

impl<'t> Head<'t> {
    fn of(bytes: &'t [u8]) -> Head<'t> {
        let shown = &bytes[..bytes.len().min(DETECTION_BYTES)];
        look_at(shown.len());
        // The cut may go through a character.
        let text = match std::str::from_utf8(shown) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&shown[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => "",
        };
        let text = text.trim_start_matches('\u{feff}').trim_ascii_start();
        let mut head = Head { bytes, text, headers: Vec::new(), has_boards: false, moves: text };
        head.take_apart();
        head
    }

    /// Steps over headers, boards and comments.
    fn take_apart(&mut self) {
        loop {
            let rest = self.moves.trim_ascii_start();
            self.moves = rest;
            let after = match rest.bytes().next() {
                Some(b'{') => rest.find('}').map(|end| end + 1),
                Some(b'[') => self.header(rest).or_else(|| self.board(rest)),
                _ => None,
            };
            let Some(after) = after else { return };
            look_at(after);
            self.moves = &rest[after..];
        }
    }

    fn header(&mut self, text: &'t str) -> Option<usize> {
        let mut cursor = Cursor::new(text);
        let header = Header::read(&mut cursor).ok()?;
        self.headers.push((header.key.of(text), header.value.of(text)));
        Some(cursor.at)
    }

    fn board(&mut self, text: &str) -> Option<usize> {
        look_at(text.find(']').unwrap_or(text.len()));
        let end = text.find(']')?;
        let inner = &text[1..end];
        let is_board = inner.bytes().filter(|&byte| byte == b':').count() == 3
            && !inner.bytes().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'{' | b'['));
        self.has_boards |= is_board;
        is_board.then_some(end + 1)
    }

    /// The value of a header, whatever the case of its name.
    pub fn header_value(&self, name: &str) -> Option<&'t str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_one_row() {
        for (index, notation) in NOTATIONS.iter().enumerate() {
            let same = |other: &&Notation| {
                other.format == notation.format
                    || other.name == notation.name
                    || other.format.title() == notation.format.title()
            };
            assert_eq!(NOTATIONS.iter().position(|other| same(&other)), Some(index), "{}", notation.name);
            assert_eq!(Format::by_name(notation.name), Some(notation.format));
        }
    }

    #[test]
    fn the_head_of_a_text_is_taken_apart() {
        let head =
            Head::of(b"\xef\xbb\xbf [A \"b \\\"c\\\"\"] [D \"\"]\r\n[k1/1K:0:1:w] {x [y] z} 1. e4 [z]");
        assert_eq!(head.headers, [("A", "b \\\"c\\\""), ("D", "")]);
        assert_eq!((head.has_boards, head.moves), (true, "1. e4 [z]"));
        assert_eq!(head.header_value("a"), Some("b \\\"c\\\""));
        assert_eq!(Head::of(b"[{\"a\":1}]").moves, "[{\"a\":1}]");
        assert_eq!(Head::of(b"\xff\xfe").text, "");
    }

    #[test]
    fn beginnings_are_told_apart() {
        for (text, format) in [
            ("[Board \"Standard\"]\n[Mode \"5D\"]\n", Some(Format::Pgn5d)),
            ("[k1/1K:0:1:w]\n1. Kb1a1", Some(Format::Pgn5d)),
            ("[k1/1K:0:1:w]\n[k1/K1:0:1:b]\n", Some(Format::Fen5d)),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Some(Format::Fen)),
            ("[Event \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *", Some(Format::Pgn)),
            // One move alone may be of either game.
            ("[Event \"?\"]\n[Result \"*\"]\n\n1. e4 *", None),
            ("1. e4 e5 2. Nf3", Some(Format::Pgn)),
            ("1.e4 e5", Some(Format::Pgn)),
            ("1.e4", None),
            ("1. e4 / e5", Some(Format::Pgn5d)),
            ("1w. e4\n1b. e5", Some(Format::Pgn5d)),
            ("[Board \"Standard\"]\n1. e4", Some(Format::Pgn5d)),
            ("[Puzzle \"mate-in-2\"]\n1. e4", Some(Format::Pgn5d)),
            ("[Board \"3\"]\n1. e4 e5", Some(Format::Pgn)),
            ("1. e2e4, e7e5", Some(Format::Simplified)),
            ("M5m4GVbs", Some(Format::Chess64)),
            ("kk\n", Some(Format::Chess64)),
            ("Rust", None),
            ("CHESS64M5m4", Some(Format::Chess64)),
            ("CHESS64\u{7f}", Some(Format::Chess64Binary)),
            ("(1,2,1,0)(1,4,1,0)", Some(Format::Raw)),
            ("(,2,1,0)(1,4,1,0)", None),
            ("", None),
            ("[", None),
            ("[{}]", None),
        ] {
            assert_eq!(detect(text.as_bytes()), format, "{text}");
        }
    }
}
