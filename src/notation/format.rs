//! The registry of notations: their names, detection of the notation of a text, reading and writing.
//!
//! A notation has a variant of [`Format`] and a row of the table `NOTATIONS`. Its exceptions are listed by
//! hand: in [`Format::holds_several_games`], [`Format::is_orthodox`] and [`Format::write_with`], and single
//! actions in [`ActionWriter`](super::ActionWriter).
//!
//! # Detection
//!
//! [`Format::detect`] reads only the beginning of the text, at most [`DETECTION_BYTES`] bytes: its first
//! significant character, the headers, and the first words after headers, boards and comments. Each notation
//! has a test for its texts, and the first notation of the table whose test passes is chosen. So the rows go
//! from the notations that are easiest to recognise to the hardest. If no test passes, no notation is
//! detected, and the caller has to name one (`--from`).

use std::fmt;
use std::str::FromStr;

use super::common::Head;

pub use super::common::head::DETECTION_BYTES;
pub use super::common::{Options, UnmovedPawns};

use super::chessjs::Layout;
use super::pgn5d::Marks;
use super::simplified::Separator;
use super::{
    chess64, chessjs, fen, fen5d, gui_fen, hexicube, pgn, pgn5d, raw, simplified, tn, uci5d, variants_json,
};
use crate::notation::common::cursor::check_length;
use crate::notation::common::{Game, Parsed, Span, WriteError, Written, games, orthodox, text_of};

/// A notation of games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
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
    /// `hexicube`: [`hexicube`].
    Hexicube,
    /// `tn`: [`tn`].
    Tn,
    /// `variants-json`: [`variants_json`].
    VariantsJson,
}

/// The row of a notation in the table.
struct Notation {
    format: Format,
    /// The name on the command line and in files.
    name: &'static str,
    /// The title for people.
    title: &'static str,
    /// Whether a text that begins like this is in the notation.
    detect: fn(&Head<'_>) -> bool,
    parse: Parse,
    write: Write,
}

/// The function that writes a notation.
type Write = fn(&Game, &Options) -> Result<Written, WriteError>;

/// The function that reads a notation.
#[derive(Clone, Copy)]
enum Parse {
    /// Text.
    Text(fn(&str, &Options) -> Parsed),
    /// Bytes that need not be text.
    Bytes(fn(&[u8]) -> Parsed),
}

/// Every notation, in the order of detection.
static NOTATIONS: &[Notation] = &[
    Notation {
        format: Format::Chess64Binary,
        name: "chess64-binary",
        title: "CHESS64 as binary",
        detect: chess64::detect_binary,
        parse: Parse::Bytes(chess64::parse_binary),
        write: |game, _| chess64::write_binary(game),
    },
    Notation {
        format: Format::Fen,
        name: "fen",
        title: "FEN",
        detect: fen::detect,
        parse: Parse::Text(|text, _| fen::parse_game(text)),
        write: |game, _| fen::write_game(game),
    },
    Notation {
        format: Format::VariantsJson,
        name: "variants-json",
        title: "the JSON of variants",
        detect: variants_json::detect,
        parse: Parse::Text(|text, _| variants_json::parse(text)),
        write: |game, _| Ok(variants_json::write(game)),
    },
    Notation {
        format: Format::ChessJsJson,
        name: "chessjs-json",
        title: "JSON of 5d-chess-js",
        detect: chessjs::detect_json,
        parse: Parse::Text(chessjs::json::parse_with),
        write: |game, _| chessjs::json::write(game),
    },
    Notation {
        format: Format::ChessJsShort,
        name: "chessjs-short",
        title: "5d-chess-js, short",
        detect: chessjs::detect_short,
        parse: Parse::Text(chessjs::parse_with),
        write: |game, _| Ok(chessjs::write(game, Layout::Short)),
    },
    Notation {
        format: Format::ChessJs,
        name: "chessjs",
        title: "5d-chess-js",
        detect: chessjs::detect,
        parse: Parse::Text(chessjs::parse_with),
        write: |game, _| Ok(chessjs::write(game, Layout::Full)),
    },
    Notation {
        format: Format::Uci5d,
        name: "5duci",
        title: "5DUCI",
        detect: uci5d::detect,
        parse: Parse::Text(|text, _| uci5d::parse(text)),
        write: |game, _| Ok(uci5d::write(game)),
    },
    Notation {
        format: Format::GuiFen,
        name: "gui-fen",
        title: "the FEN of the 5D chess GUI",
        detect: gui_fen::detect,
        parse: Parse::Text(gui_fen::parse_with),
        write: |game, options| gui_fen::write_with(game, None, options),
    },
    Notation {
        format: Format::Raw,
        name: "raw",
        title: "the raw coordinate notation",
        detect: raw::detect,
        parse: Parse::Text(raw::parse_with),
        write: |game, options| Ok(raw::write_with(game, options)),
    },
    Notation {
        format: Format::Fen5d,
        name: "5dfen",
        title: "5DFEN",
        detect: |head| head.headers.is_empty() && head.has_boards && head.moves.is_empty(),
        parse: Parse::Text(|text, _| fen5d::parse_game(text)),
        write: |game, _| Ok(fen5d::write_game(game)),
    },
    Notation {
        format: Format::Hexicube,
        name: "hexicube",
        title: "Hexicube's notation",
        detect: hexicube::detect,
        parse: Parse::Text(hexicube::parse_with),
        write: |game, _| hexicube::write(game),
    },
    Notation {
        format: Format::Tn,
        name: "tn",
        title: "the notation of cwmtt",
        detect: tn::detect,
        parse: Parse::Text(tn::parse_with),
        write: |game, _| tn::write(game),
    },
    Notation {
        format: Format::Pgn5d,
        name: "5dpgn",
        title: "5DPGN",
        detect: pgn5d::detect,
        parse: Parse::Text(pgn5d::parse_with),
        write: |game, _| Ok(pgn5d::write(game, Marks::None)),
    },
    Notation {
        format: Format::Simplified,
        name: "simplified",
        title: "Simplified 5D algebraic",
        detect: simplified::detect,
        parse: Parse::Text(simplified::parse_with),
        write: |game, _| Ok(simplified::write(game, Separator::Blank)),
    },
    Notation {
        format: Format::Pgn,
        name: "pgn",
        title: "PGN",
        detect: pgn::detect,
        parse: Parse::Text(|text, _| pgn::parse(text)),
        write: |game, _| pgn::write(game),
    },
    Notation {
        format: Format::Chess64,
        name: "chess64",
        title: "CHESS64",
        detect: chess64::detect,
        parse: Parse::Text(|text, _| chess64::parse(text)),
        write: |game, _| chess64::write(game),
    },
];

impl Format {
    /// Every notation.
    pub fn all() -> impl Iterator<Item = Format> {
        NOTATIONS.iter().map(|notation| notation.format)
    }

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        self.notation().name
    }

    /// The title for people.
    pub fn title(self) -> &'static str {
        self.notation().title
    }

    /// Whether a text may contain several games; see [`games`](Format::games).
    pub fn holds_several_games(self) -> bool {
        let has_headers =
            matches!(self, Format::Pgn5d | Format::ChessJs | Format::ChessJsShort | Format::Pgn);
        has_headers || matches!(self, Format::Fen5d | Format::VariantsJson)
    }

    /// Whether the notation is for games of [orthodox] chess and no others.
    pub fn is_orthodox(self) -> bool {
        matches!(self, Format::Chess64 | Format::Chess64Binary | Format::Pgn | Format::Fen)
    }

    /// The notation of a text; `None` if its beginning is not clear.
    ///
    /// ```
    /// use worldlines::notation::Format;
    ///
    /// assert_eq!(Format::detect(b"[r2k/4/4/P2K:0:1:w]"), Some(Format::Fen5d));
    /// assert_eq!(Format::detect(b"1. e4 / e5"), Some(Format::Pgn5d));
    /// assert_eq!(Format::detect(b"what is this?"), None);
    /// ```
    pub fn detect(bytes: &[u8]) -> Option<Format> {
        let head = Head::of(bytes);
        NOTATIONS.iter().find(|notation| (notation.detect)(&head)).map(|notation| notation.format)
    }

    /// The parts of these bytes that are a game each: see [`games`], [`fen5d::positions`] and [`variants_json::list`]. Bytes that
    /// are not text count as one game.
    ///
    /// A part is read with [`parse`](Format::parse); [`Parsed::at`] then shifts its places to those in the
    /// whole.
    pub fn games(self, bytes: &[u8]) -> Vec<Span> {
        let whole = || vec![Span::new(0, bytes.len())];
        match (self.notation().parse, text_of(bytes)) {
            (_, Ok(text)) if self == Format::VariantsJson => match variants_json::list(text).into_result() {
                Ok(variants) if !variants.is_empty() => variants.iter().map(|variant| variant.span).collect(),
                _ => whole(),
            },
            (_, Ok(text)) if self == Format::Fen5d => fen5d::positions(text),
            (Parse::Text(_), Ok(text)) => games(text),
            _ => whole(),
        }
    }

    /// One text with the games of all these texts of the notation; [`games`](Format::games) finds them in it. `None`
    /// if it would not: the notation has one game in a text, or two positions, or games without headers, could be taken for one.
    ///
    /// ```
    /// use worldlines::notation::Format;
    ///
    /// let (one, other) = (b"[2k/3/K2:0:1:w]\n".to_vec(), b"[2k/3/1K1:0:1:w]\n".to_vec());
    /// let both = Format::Fen5d.join(&[one, other]).expect("two positions");
    /// assert_eq!(both, b"[2k/3/K2:0:1:w]\n\n[2k/3/1K1:0:1:w]\n");
    /// assert_eq!(Format::Uci5d.join(&[b"position startpos\n".to_vec(), b"position startpos\n".to_vec()]), None);
    /// ```
    pub fn join(self, texts: &[Vec<u8>]) -> Option<Vec<u8>> {
        let count: usize = texts.iter().map(|text| self.games(text).len()).sum();
        let joined = match self {
            Format::VariantsJson => variants_json::join(texts.iter().filter_map(|text| text_of(text).ok())),
            _ => texts.join(&b'\n'),
        };
        let is_divided = || self.holds_several_games() && self.games(&joined).len() == count;
        (texts.len() == 1 || is_divided()).then_some(joined)
    }

    /// The game in these bytes, as far as it can be read.
    ///
    /// ```
    /// use worldlines::notation::{Format, Options};
    ///
    /// let options = Options { zero_based: true, ..Options::default() };
    /// let parsed = Format::Raw.parse(b"(4,1,1,0)(4,3,1,0)", &options);
    /// assert_eq!(parsed.into_result()?.actions.len(), 1);
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    pub fn parse(self, bytes: &[u8], options: &Options) -> Parsed {
        if let Err(error) = check_length(bytes.len()) {
            return Parsed::refused(error);
        }
        match self.notation().parse {
            Parse::Bytes(parse) => parse(bytes),
            Parse::Text(parse) => match text_of(bytes) {
                Ok(text) => parse(text, options),
                Err(error) => Parsed::refused(error),
            },
        }
    }

    /// Writes a game in this notation.
    ///
    /// # Errors
    ///
    /// When the notation cannot hold the game at all. Parts that it cannot say are a [`Loss`](super::Loss)
    /// each.
    pub fn write(self, game: &Game) -> Result<Written, WriteError> {
        self.write_with(game, &Options::default())
    }

    /// Like [`write`](Format::write), with options, such as coordinates that count from 0.
    ///
    /// ```
    /// use worldlines::notation::{Format, Options};
    ///
    /// let game = Format::Pgn5d.parse(b"1. e4", &Options::default()).into_result()?;
    /// let options = Options { zero_based: true, ..Options::default() };
    /// let text = Format::Raw.write_with(&game, &options).expect("raw moves hold all games").into_text();
    /// assert_eq!(text, "(4,1,1,0)(4,3,1,0)\n");
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as those of `write`.
    pub fn write_with(self, game: &Game, options: &Options) -> Result<Written, WriteError> {
        let write = self.notation().write;
        // 5DPGN names other rules in a header, and 5DFEN and the JSON of variants write boards, whatever the rules.
        let is_any = matches!(self, Format::Pgn5d | Format::Fen5d | Format::VariantsJson);
        let (written, mut losses) = if self.is_orthodox() || is_any {
            (write(game, options)?, Vec::new())
        } else {
            // These notations have the promotions of orthodox chess.
            let same = matches!(self, Format::ChessJs | Format::ChessJsShort | Format::ChessJsJson);
            let (game, losses) = orthodox::to_5d_with(game, same)?;
            (write(&game, options)?, losses)
        };
        losses.extend(written.losses);
        if self != Format::ChessJsJson {
            losses.extend(game.loss_of_moved());
        }
        if self != Format::Pgn5d {
            losses.extend(game.losses_of_notes());
        }
        Ok(Written { losses, ..written })
    }

    fn notation(self) -> &'static Notation {
        NOTATIONS.iter().find(|notation| notation.format == self).expect("every notation has its row")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The notation with this name.
///
/// ```
/// use worldlines::notation::Format;
///
/// assert_eq!("5dpgn".parse(), Ok(Format::Pgn5d));
/// assert!("5D PGN".parse::<Format>().is_err());
/// ```
impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let named = NOTATIONS.iter().find(|notation| notation.name == name);
        named.map(|notation| notation.format).ok_or(UnknownFormat)
    }
}

/// The error that no notation has this name. Printed with all the names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Format::all().map(Format::name).collect();
        write!(f, "there is no notation of this name; the names are {}", names.join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

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
            assert_eq!(notation.name.parse(), Ok(notation.format));
        }
    }

    #[test]
    fn beginnings_are_told_apart() {
        for (text, format) in [
            ("[Board \"Standard\"]\n[Mode \"5D\"]\n", Some(Format::Pgn5d)),
            ("[k1/1K:0:1:w]\n1. Kb1a1", Some(Format::Pgn5d)),
            ("[k1/1K:0:1:w]\n[k1/K1:0:1:b]\n", Some(Format::Fen5d)),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Some(Format::Fen)),
            ("[Event \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *", Some(Format::Pgn)),
            // One move alone may be of orthodox or of 5D chess.
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
            ("1. c4 .. e6\n2. Nf3 .. Nc6", Some(Format::Hexicube)),
            ("1W. c4\n1B. e6", None),
            ("1. e3 / Nf6\n2. N>>t-1f5", Some(Format::Tn)),
            ("e3\n5bT1. Kxf7;-", Some(Format::Tn)),
            ("1. e3 / Nf6", Some(Format::Pgn5d)),
            ("[{\"Name\": \"A\", \"Timelines\": {}}]", Some(Format::VariantsJson)),
            ("{\"Timelines\": {}}", Some(Format::VariantsJson)),
            ("[", None),
            ("[{}]", None),
        ] {
            assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
        }
    }
}
