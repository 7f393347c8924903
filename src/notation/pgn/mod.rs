//! PGN: games of orthodox chess as text, in standard algebraic notation.
//!
//! ```text
//! [White "Anderssen"]
//! [Black "Dufresne"]
//!
//! 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 1-0
//! ```
//!
//! Headers come first, then the moves with their numbers, then the result. Reading has two steps, as in
//! [`pgn5d`](super::pgn5d): [`Record::parse`] reads the text into a record, in which every part has its
//! place, comments and annotations included; [`parse`] finds the moves. A game that does not start at the
//! usual position has the headers `SetUp` and `FEN`, see [`fen`](super::fen).
//!
//! Each game is written in one form: its own headers and no others, the moves in standard algebraic notation
//! with the shortest origin that tells the piece apart, `+` and `#`, lines of at most 79 columns. A game
//! without a result ends with `*`, and `*` is read as no result.
//!
//! # Relaxations
//!
//! With a warning:
//!
//! * moves in another form than standard algebraic notation: more of the origin than needed, up to `Ng1-f3`,
//!   a missing or needless `x`, `P` for pawns, castling with zeros, `e8Q` and `e8(Q)`, `e.p.`, `!` and `?`;
//! * a check mark that is missing or wrong, `++`;
//! * a promotion without its piece, which is one to a queen;
//! * wrong numbers, or moves without any numbers, as long as it is clear who moves;
//! * a result that contradicts the header `Result`, a result only in that header, and `1/2` for a draw;
//! * a header `Variant` that names another game, `SetUp` without `FEN`;
//! * variations in parentheses, which are skipped.
//!
//! Comments in braces and from `;` to the end of the line, annotations as `$1`, and lines that begin with `%`
//! are part of PGN: they are read without a warning and are not part of the [`Game`], but of the [`Record`]
//! and of [`Parsed::losses`]. Null moves are refused, and so is a second game in the text:
//! [`games`](super::games) splits a text with several games.

#[cfg(test)]
mod properties;
mod resolve;
mod san;
mod syntax;

use crate::notation::common::Head;
use crate::notation::common::fen;
use crate::notation::common::{
    Game, GameResult, Loss, MoveText, ParseError, Parsed, Span, WriteError, Written, orthodox,
};
use crate::notation::common::{Header, header};
use crate::state::Position;
use crate::types::{Color, Move};

/// The maximum nesting depth of variations.
pub const MAX_NESTING: usize = 100;

/// The longest line that is written.
const COLUMNS: usize = 79;

/// A game as it is written. Every part knows its place in the text, so nothing is lost.
#[derive(Clone, Debug)]
pub struct Record<'t> {
    /// The text into which all spans point.
    pub text: &'t str,
    /// The headers, in order.
    pub headers: Vec<Header>,
    /// The moves, in order.
    pub moves: Vec<MoveText>,
    /// Comments, annotations, variations and escaped lines, in order.
    pub remarks: Vec<(Remark, Span)>,
    /// The result at the end of the moves.
    pub result: Option<(GameResult, Span)>,
}

/// A part of a text other than headers, moves and result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// `{…}` or `; …`
    Comment,
    /// `$n`, `!` or `?`
    Annotation,
    /// `(…)`
    Variation,
    /// A line that begins with `%`
    Escape,
}

impl<'t> Record<'t> {
    /// Parses a text, and returns the error that stopped reading before its end, if any.
    pub fn parse(text: &'t str) -> (Record<'t>, Option<ParseError>) {
        syntax::parse(text)
    }
}

/// The game of a text.
///
/// ```
/// use worldlines::notation::pgn;
///
/// let game = pgn::parse("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0").into_result().unwrap();
/// assert_eq!(game.actions.len(), 7);
///
/// let error = pgn::parse("1. e4 e5 2. Ke3").into_result().unwrap_err();
/// assert_eq!((error.class.name(), error.span().start), ("illegal", 12));
/// ```
///
pub fn parse(text: &str) -> Parsed {
    let (record, malformed) = Record::parse(text);
    let reading = match &malformed {
        // The error is before the moves: there may be more headers.
        Some(_) if record.moves.is_empty() => Parsed::default(),
        _ => resolve::game(&record),
    };
    Parsed { error: reading.error.or(malformed), ..reading }
}

/// A legal move of orthodox chess in standard algebraic notation, as `Nbxd2+`.
pub fn san(position: &Position, m: &Move) -> String {
    let mut text = String::new();
    san::Writer::default().write(&mut text, &mut position.clone(), m);
    text
}

/// Whether a text with this beginning is PGN: it has headers and none of 5D chess, or it begins with numbered
/// moves in standard algebraic notation.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let names = |names: &[&str]| names.iter().any(|name| head.header_value(name).is_some());
    let of_5d = names(&["Mode", "Variant", "Promotions"]) || head.has_5d_header();
    !of_5d && (names(&["FEN", "ECO"]) || syntax::begins_with_moves(head.moves))
}

/// Headers that say where the game starts. They are written anew.
const START_HEADERS: [&str; 2] = ["SetUp", "FEN"];

/// A game in canonical form, and the losses.
///
/// # Errors
///
/// When it is not a game of orthodox chess, or its start position has no FEN.
pub fn write(game: &Game) -> Result<Written, WriteError> {
    let (game, mut losses) = orthodox::from_5d(game)?;
    let mut text = String::new();
    losses.extend(game.name.iter().map(|name| Loss::new(format!("the name of the start, `{name}`"))));
    write_headers(&mut text, &game, &mut losses)?;
    if !text.is_empty() {
        text.push('\n');
    }
    let mut lines = Lines { text, column: 0 };
    let mut position = game.start.clone();
    let mut writer = san::Writer::default();
    for (index, m) in game.actions.iter().flat_map(|action| action.moves()).enumerate() {
        let (turn, color) = (m.from.board.half_turn.turn(), m.from.board.color());
        match color {
            Color::White => lines.word(&format!("{turn}.")),
            Color::Black if index == 0 => lines.word(&format!("{turn}...")),
            Color::Black => {}
        }
        let mut word = String::new();
        writer.write(&mut word, &mut position, m);
        lines.word(&word);
    }
    let header = game.headers.iter().find(|(key, _)| key == "Result");
    let told = header.and_then(|(_, value)| GameResult::from_text(value));
    lines.word(game.result.or(told).unwrap_or(GameResult::Open).text());
    match (game.result, told) {
        (Some(GameResult::Open), _) => {
            losses.push(Loss::new("the result `*`, which is the same here as no result"));
        }
        (None, Some(told)) if told != GameResult::Open => {
            losses
                .push(Loss::new(format!("that the moves end with no result, where a header says `{told}`")));
        }
        _ => {}
    }
    lines.text.push('\n');
    Ok(Written::new(lines.text, losses))
}

fn write_headers(text: &mut String, game: &Game, losses: &mut Vec<Loss>) -> Result<(), WriteError> {
    for (key, value) in fen::without_clock(&game.headers) {
        let is_start = START_HEADERS.iter().any(|start| start.eq_ignore_ascii_case(&key));
        header::write_kept(text, (&key, &value), is_start, losses);
    }
    let clock = fen::clock_of(&game.headers);
    let start = fen::write(&game.start, clock)?;
    if game.start == orthodox::standard_start() && clock == 0 {
        return Ok(());
    }
    losses.extend(fen::loss_of_start(&game.start, &start));
    header::write(text, "SetUp", "1");
    header::write(text, "FEN", &start);
    Ok(())
}

/// Text that is broken into lines of limited length, word by word.
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        if self.column > 0 {
            let fits = self.column + 1 + word.len() <= COLUMNS;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column += word.len();
    }
}
