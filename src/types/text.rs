//! The text form of the basic types: [`FromStr`] reads what [`Display`](fmt::Display) writes.
//!
//! These are the library's own forms, which can be read without a position: a board has the internal number
//! of its timeline, and a move has all its parts. The notations read the forms that people and other programs
//! write.

use std::fmt;
use std::str::FromStr;

use super::{
    Action, BoardCoordinate, BoardSize, Color, Coordinate, HalfTurn, Move, MoveKind, Piece, PieceKind,
    Promotions, RuleProfile, Square, Status, Timeline,
};

/// A number with its noun: `1 board`, `2 boards`.
pub fn counted(count: impl fmt::Display + PartialEq + From<u8>, what: &str) -> String {
    let plural = if count == 1.into() { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// The text is not a value of the requested type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseValueError {
    expected: &'static str,
    found: String,
}

impl ParseValueError {
    /// Longer texts are cut in the message.
    const SHOWN: usize = 40;

    pub(super) fn new(expected: &'static str, found: impl fmt::Display) -> ParseValueError {
        let mut found = found.to_string();
        if let Some((end, _)) = found.char_indices().nth(ParseValueError::SHOWN) {
            found.truncate(end);
            found.push('…');
        }
        ParseValueError { expected, found }
    }
}

impl fmt::Display for ParseValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, but found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for ParseValueError {}

/// A number in its usual form: no plus sign, no leading zeros, no minus zero.
fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

impl FromStr for Color {
    type Err = ParseValueError;

    /// Reads `white` or `black`.
    fn from_str(text: &str) -> Result<Color, ParseValueError> {
        let color = Color::ALL.into_iter().find(|color| color.to_string() == text);
        color.ok_or_else(|| ParseValueError::new("`white` or `black`", text))
    }
}

impl TryFrom<char> for Color {
    type Error = ParseValueError;

    /// The colour with this [letter](Color::letter): `w` or `b`.
    fn try_from(letter: char) -> Result<Color, ParseValueError> {
        let color = Color::ALL.into_iter().find(|color| color.letter() == letter);
        color.ok_or_else(|| ParseValueError::new("`w` or `b`", letter))
    }
}

impl FromStr for PieceKind {
    type Err = ParseValueError;

    /// Reads a [name](PieceKind::name) such as `royal queen`.
    fn from_str(text: &str) -> Result<PieceKind, ParseValueError> {
        let kind = PieceKind::ALL.into_iter().find(|kind| kind.name() == text);
        kind.ok_or_else(|| ParseValueError::new("a kind of piece such as `royal queen`", text))
    }
}

impl TryFrom<char> for PieceKind {
    type Error = ParseValueError;

    /// The kind with this capital [letter](PieceKind::letter) of 5DFEN.
    fn try_from(letter: char) -> Result<PieceKind, ParseValueError> {
        let kind = PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter);
        kind.ok_or_else(|| ParseValueError::new("the capital letter of a piece", letter))
    }
}

impl FromStr for Piece {
    type Err = ParseValueError;

    /// Reads a colour and a kind, such as `white royal queen`.
    fn from_str(text: &str) -> Result<Piece, ParseValueError> {
        let piece = text
            .split_once(' ')
            .and_then(|(color, kind)| Some(Piece { color: color.parse().ok()?, kind: kind.parse().ok()? }));
        piece.ok_or_else(|| ParseValueError::new("a piece such as `white queen`", text))
    }
}

impl TryFrom<char> for Piece {
    type Error = ParseValueError;

    /// The piece with this [letter](Piece::letter) of 5DFEN: a capital for White, a small letter for Black.
    fn try_from(letter: char) -> Result<Piece, ParseValueError> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match PieceKind::try_from(letter.to_ascii_uppercase()) {
            Ok(kind) => Ok(Piece { color, kind }),
            Err(_) => Err(ParseValueError::new("the letter of a piece", letter)),
        }
    }
}

impl FromStr for Square {
    type Err = ParseValueError;

    /// Reads a file and a rank, such as `e4`.
    fn from_str(text: &str) -> Result<Square, ParseValueError> {
        let square = match *text.as_bytes() {
            [file, rank] => Square::new(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1')),
            _ => None,
        };
        square.ok_or_else(|| ParseValueError::new("a square from `a1` to `h8`", text))
    }
}

impl FromStr for BoardSize {
    type Err = ParseValueError;

    /// Reads a width and a height, such as `8x8`.
    fn from_str(text: &str) -> Result<BoardSize, ParseValueError> {
        let size =
            text.split_once('x').and_then(|(width, height)| BoardSize::new(number(width)?, number(height)?));
        size.ok_or_else(|| ParseValueError::new("a board size from `1x1` to `8x8`", text))
    }
}

impl FromStr for HalfTurn {
    type Err = ParseValueError;

    /// Reads a turn and the player to move, such as `T1w`.
    fn from_str(text: &str) -> Result<HalfTurn, ParseValueError> {
        half_turn(text).ok_or_else(|| ParseValueError::new("a half-turn such as `T1w`", text))
    }
}

fn half_turn(text: &str) -> Option<HalfTurn> {
    let digits = text.strip_prefix('T')?;
    let color = Color::try_from(digits.chars().next_back()?).ok()?;
    let turn: i16 = number(&digits[..digits.len() - 1])?;
    // Half-turns have the same number of bits as turns.
    turn.checked_mul(2)?;
    Some(HalfTurn::new(turn, color))
}

impl FromStr for BoardCoordinate {
    type Err = ParseValueError;

    /// Reads a timeline, by its internal number, and a half-turn, such as `(0T1w)`.
    fn from_str(text: &str) -> Result<BoardCoordinate, ParseValueError> {
        board_coordinate(text).ok_or_else(|| ParseValueError::new("a board such as `(0T1w)`", text))
    }
}

fn board_coordinate(text: &str) -> Option<BoardCoordinate> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let (timeline, time) = inner.split_at(inner.find('T')?);
    Some(BoardCoordinate { timeline: Timeline(number(timeline)?), half_turn: half_turn(time)? })
}

impl FromStr for Coordinate {
    type Err = ParseValueError;

    /// Reads a board and a square, such as `(0T1w)e2`.
    fn from_str(text: &str) -> Result<Coordinate, ParseValueError> {
        coordinate(text).ok_or_else(|| ParseValueError::new("a board and a square such as `(0T1w)e2`", text))
    }
}

fn coordinate(text: &str) -> Option<Coordinate> {
    let (board, square) = text.split_at(text.find(')')? + 1);
    Some(Coordinate { board: board_coordinate(board)?, square: square.parse().ok()? })
}

impl FromStr for Move {
    type Err = ParseValueError;

    /// Reads a move as it is displayed: `(0T1w)e2e4`, `(0T2w)f3>(1T2w)f5`, `(0T2w)f3>>(0T1w)f5` or
    /// `(0T9w)a7a8=Q`. It is not checked whether the move is possible.
    fn from_str(text: &str) -> Result<Move, ParseValueError> {
        a_move(text)
            .ok_or_else(|| ParseValueError::new("a move such as `(0T1w)e2e4` or `(0T2w)f3>>(0T1w)f5`", text))
    }
}

fn a_move(text: &str) -> Option<Move> {
    let (squares, promotion) = match text.split_once('=') {
        Some((squares, letter)) => {
            let mut letters = letter.chars();
            let kind = PieceKind::try_from(letters.next()?).ok()?;
            (squares, letters.next().is_none().then_some(Some(kind))?)
        }
        None => (text, None),
    };
    let (kind, from, to) = match squares.split_once('>') {
        Some((from, to)) => {
            let (kind, to) = match to.strip_prefix('>') {
                Some(to) => (MoveKind::Branch, to),
                None => (MoveKind::Hop, to),
            };
            (kind, coordinate(from)?, coordinate(to)?)
        }
        None => {
            let (from, square) = squares.split_at_checked(squares.len().checked_sub(2)?)?;
            let from = coordinate(from)?;
            (MoveKind::Physical, from, Coordinate { square: square.parse().ok()?, ..from })
        }
    };
    Some(Move { kind, from, to, promotion })
}

impl FromStr for Action {
    type Err = ParseValueError;

    /// Reads moves with single spaces between them, in any order in which they can be played. The error names
    /// the first move that cannot be read.
    fn from_str(text: &str) -> Result<Action, ParseValueError> {
        if text.is_empty() {
            return Ok(Action::default());
        }
        text.split(' ').map(str::parse).collect::<Result<Vec<Move>, ParseValueError>>().map(Action::new)
    }
}

impl FromStr for Status {
    type Err = ParseValueError;

    /// Reads `ongoing`, `softmate`, `checkmate` or `stalemate`.
    fn from_str(text: &str) -> Result<Status, ParseValueError> {
        let status = Status::ALL.into_iter().find(|status| status.to_string() == text);
        status.ok_or_else(|| ParseValueError::new("`ongoing`, `softmate`, `checkmate` or `stalemate`", text))
    }
}

impl FromStr for Promotions {
    type Err = ParseValueError;

    /// Reads the letters of pieces with commas between them, in any order and each once, such as `Q,R,B,N`.
    fn from_str(text: &str) -> Result<Promotions, ParseValueError> {
        let mut promotions = Promotions::NONE;
        let letters = text.split(',').filter(|_| !text.is_empty());
        for part in letters {
            let mut letters = part.chars();
            let kind = letters.next().and_then(|letter| PieceKind::try_from(letter).ok());
            let fresh = kind.filter(|&kind| letters.next().is_none() && !promotions.contains(kind));
            promotions = fresh.and_then(|kind| promotions.with(kind)).ok_or_else(|| {
                ParseValueError::new("pieces that pawns may become, such as `Q,R,B,N`", text)
            })?;
        }
        Ok(promotions)
    }
}

impl FromStr for RuleProfile {
    type Err = ParseValueError;

    /// Reads the name of a profile: `default` or `orthodox`, and switches that are turned on or off, as
    /// `default +en-passant-onto-vacated -castling-at-distance-two`. [`RuleProfile::promotions`] are not part
    /// of the name.
    fn from_str(name: &str) -> Result<RuleProfile, ParseValueError> {
        let expected = "`default` or `orthodox`, then switches such as `+en-passant-onto-vacated`";
        RuleProfile::read_name(name).ok_or_else(|| ParseValueError::new(expected, name))
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    /// Whether the text of a value is read back as the same value.
    fn is_read_back<T: FromStr + ToString + PartialEq>(value: T) -> bool {
        value.to_string().parse::<T>().is_ok_and(|read| read == value)
    }

    fn board((timeline, half_turn): (i16, i16)) -> BoardCoordinate {
        BoardCoordinate { timeline: Timeline(timeline), half_turn: HalfTurn(half_turn) }
    }

    fn any_coordinate(at: (i16, i16), square: u8) -> Coordinate {
        Coordinate { board: board(at), square: Square::from_index(square.into()) }
    }

    fn any_move((from, to, from_square, to_square): ((i16, i16), (i16, i16), u8, u8), choice: u8) -> Move {
        let from = any_coordinate(from, from_square);
        let to = any_coordinate(to, to_square);
        let promotion = PieceKind::ALL.get(usize::from(choice / 3)).copied();
        let (kind, to) = match choice % 3 {
            0 => (MoveKind::Physical, Coordinate { board: from.board, ..to }),
            1 => (MoveKind::Hop, to),
            _ => (MoveKind::Branch, to),
        };
        Move { kind, from, to, promotion }
    }

    /// A move as numbers.
    type Numbers = (((i16, i16), (i16, i16), u8, u8), u8);

    quickcheck! {
        fn half_turns_are_read_back(half_turn: i16) -> bool {
            is_read_back(HalfTurn(half_turn))
        }

        fn coordinates_are_read_back(at: (i16, i16), square: u8) -> bool {
            is_read_back(board(at)) && is_read_back(any_coordinate(at, square))
        }

        fn moves_are_read_back(numbers: Numbers) -> bool {
            is_read_back(any_move(numbers.0, numbers.1))
        }

        fn actions_are_read_back(moves: Vec<Numbers>) -> bool {
            is_read_back(Action::new(moves.into_iter().map(|(squares, choice)| any_move(squares, choice)).collect()))
        }

        fn a_changed_text_is_refused_or_written_back(numbers: Numbers, at: usize, to: u8) -> bool {
            let mut text: Vec<char> = any_move(numbers.0, numbers.1).to_string().chars().collect();
            let at = at % text.len();
            text[at] = char::from(b"0123456789-+>=()TwbahQ "[usize::from(to) % 23]);
            let text: String = text.into_iter().collect();
            text.parse::<Move>().map_or(true, |read| read.to_string() == text)
        }
    }

    #[test]
    fn every_value_of_the_small_types_is_read_back() {
        assert!(Color::ALL.into_iter().all(is_read_back));
        assert!(Status::ALL.into_iter().all(is_read_back));
        assert!((0..64).map(Square::from_index).all(is_read_back));
        for kind in PieceKind::ALL {
            assert!(is_read_back(kind));
            assert_eq!(PieceKind::try_from(kind.letter()), Ok(kind));
            for color in Color::ALL {
                let piece = Piece { color, kind };
                assert!(is_read_back(piece));
                assert_eq!(Piece::try_from(piece.letter()), Ok(piece));
                assert_eq!(Color::try_from(color.letter()), Ok(color));
            }
        }
        for (width, height) in (1..=8).flat_map(|width| (1..=8).map(move |height| (width, height))) {
            assert!(is_read_back(BoardSize::new(width, height).unwrap()));
        }
        let all = PieceKind::ALL.into_iter().filter_map(|kind| Promotions::NONE.with(kind));
        assert!(all.chain([Promotions::NONE, RuleProfile::orthodox().promotions]).all(is_read_back));
        for bits in 0..32_u8 {
            let base = if bits & 16 == 0 { RuleProfile::default() } else { RuleProfile::orthodox() };
            assert!(is_read_back(RuleProfile {
                castling_at_distance_two: bits & 1 == 0,
                en_passant_on_new_timelines: bits & 2 == 0,
                en_passant_onto_vacated: bits & 4 == 0,
                check_passes_every_board: bits & 8 == 0,
                ..base
            }));
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in ["", "e", "e9", "i1", "e44", "E4", "é", "1e", " e4"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
        for text in ["", "T", "Tw", "T1", "1w", "T01w", "T+1w", "T-0w", "T99999w", "T16384w", "T1é"] {
            assert!(text.parse::<HalfTurn>().is_err(), "{text}");
        }
        for text in ["", "()", "(T1w)", "(0T1w", "0T1w", "(0T1w)e", "(0T1w)e2)", "(00T1w)e2"] {
            assert!(text.parse::<Coordinate>().is_err(), "{text}");
        }
        for text in [
            "",
            "(0T1w)e2",
            "(0T1w)e2e",
            "(0T1w)e2e4=",
            "(0T1w)e2e4=QQ",
            "(0T1w)e2>e4",
            "(0T1w)e2é",
            "é",
            "x",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
        for text in ["queen ", "Queen", "", "white  queen", "white"] {
            assert!(text.parse::<Piece>().is_err(), "{text}");
        }
        for text in ["K", "Q,", ",", "QR", "Q,Q", "q"] {
            assert!(text.parse::<Promotions>().is_err(), "{text}");
        }
        for text in ["", "default +teleports", "defaults", "default castling-at-distance-two"] {
            assert!(text.parse::<RuleProfile>().is_err(), "{text}");
        }
        assert!("(0T1w)e2e4  (1T1w)e2e4".parse::<Action>().is_err());
        assert!("9x1".parse::<BoardSize>().is_err() && "08x8".parse::<BoardSize>().is_err());
        assert!("mate".parse::<Status>().is_err() && "w".parse::<Color>().is_err());
    }

    #[test]
    fn errors_say_what_was_expected_and_show_no_long_text() {
        let error = "z9".parse::<Square>().unwrap_err();
        assert_eq!(error.to_string(), "expected a square from `a1` to `h8`, but found `z9`");
        let error = "é".repeat(1000).parse::<Move>().unwrap_err();
        assert_eq!(error.found.chars().count(), ParseValueError::SHOWN + 1);
    }
}
