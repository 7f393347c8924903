//! FEN: one board of orthodox chess, and what else must be known to play on.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! ```
//!
//! Six fields: the pieces, the player to move, who may still castle where, the square that a pawn has just skipped, the
//! half-moves since the last capture or pawn's move, and the number of the move. Here this becomes a multiverse:
//!
//! * The number of the move is the turn of the board.
//! * Kings and rooks have never moved as far as the right to castle says so; pawns when they stand on their start rank.
//! * A skipped square means two earlier boards, half a turn and a turn before, on both of which the pawn still stands
//!   where it started. The move that came between them is not known, and none is shown.
//! * The count of half-moves has no place in a position. Unless it is 0 it is kept as the header `HalfmoveClock` of the
//!   game, from which it is written again.
//!
//! The skipped square is written after every double step, whether or not a pawn can capture there.
//!
//! # Relaxations
//!
//! One form of each position is written. Others are accepted, with a warning that says how they were read:
//!
//! * white space around the fields, and more than one blank between them;
//! * missing fields after the player to move: no castling, no skipped square, the clocks `0 1`;
//! * the player to move as a capital; the letters of castling in any order, or repeated;
//! * a right to castle without king or rook at their places: it is dropped;
//! * several numbers of empty squares in a row; numbers with leading zeros; the move number 0, which is read as 1.
//!
//! A position must have one king of each colour, no pawn on a first or last rank, and no check against the player who has
//! just moved.

mod write;

use super::cursor::Cursor;
use super::double_step;
use super::format::Head;
use super::{Game, Issue, ReadError, Reading, Span};
use crate::rules::variants;
use crate::state::{Board, MAX_TURN, Position, Setup};
use crate::types::{
    BoardCoordinate, BoardSize, Color, HalfTurn, Parity, Piece, PieceKind, RuleProfile, Square, Timeline,
};

pub(super) use write::{loss_of_start, without_clock};
pub use write::{write, write_game};

/// The header that holds the half-moves since the last capture or pawn's move.
pub const HALFMOVE_CLOCK: &str = "HalfmoveClock";

/// The position of a FEN and its clock of half-moves.
///
/// ```
/// use worldlines::notation::fen;
///
/// let text = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
/// let (position, clock) = fen::read(text).unwrap();
/// assert_eq!(position.multiverse().boards().count(), 3);
/// assert_eq!(fen::write(&position, clock).unwrap(), text);
/// ```
///
/// # Errors
///
/// When the text is not one FEN, or no game of orthodox chess can go on from it.
pub fn read(text: &str) -> Result<(Position, u32), ReadError> {
    read_with(text, &mut Vec::new())
}

/// The game that starts, and ends, at the position of a FEN.
pub fn read_game(text: &str) -> Reading {
    let mut warnings = Vec::new();
    match read_with(text, &mut warnings) {
        Ok((start, clock)) => {
            let mut game = Game::new(start, Vec::new());
            game.headers.extend(clock_header(clock));
            Reading { game: Some(game), warnings, ..Reading::default() }
        }
        Err(error) => Reading { warnings, ..Reading::refused(error) },
    }
}

/// How a clock is kept.
pub(super) fn clock_header(clock: u32) -> Option<(String, String)> {
    (clock != 0).then(|| (HALFMOVE_CLOCK.to_owned(), clock.to_string()))
}

/// The clock that the headers of a game keep.
pub(super) fn clock_of(headers: &[(String, String)]) -> u32 {
    let header = headers.iter().find(|(key, value)| is_clock(key, value));
    header.and_then(|(_, value)| value.parse().ok()).unwrap_or(0)
}

/// Whether this header is one that [`clock_of`] can read.
pub(super) fn is_clock(key: &str, value: &str) -> bool {
    key == HALFMOVE_CLOCK && value.parse().is_ok_and(|clock: u32| clock.to_string() == value)
}

/// Whether a text with this beginning is FEN.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let mut words = head.text.split_ascii_whitespace();
    let is_board = |word: &str| {
        word.bytes().filter(|&byte| byte == b'/').count() == 7
            && word.bytes().all(|byte| b"pnbrqkPNBRQK12345678/".contains(&byte))
    };
    words.next().is_some_and(is_board) && words.next().is_some_and(|color| matches!(color, "w" | "b"))
}

pub(super) fn read_with(text: &str, warnings: &mut Vec<Issue>) -> Result<(Position, u32), ReadError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_whitespace();
    let start = cursor.at;
    let mut board = pieces(&mut cursor)?;
    if !blank(&mut cursor) {
        return Err(cursor.expected("missing-colour", "a blank and the player to move").malformed());
    }
    let Some(color) = cursor.color() else {
        return Err(cursor.expected("missing-colour", "`w` or `b`").malformed());
    };
    if !blank(&mut cursor) && !cursor.is_at_end() {
        return Err(cursor.expected("missing-field", "a blank").malformed());
    }
    let fields = Fields::rest(&mut cursor)?;
    let end = text.trim_ascii_end().len();
    let whole = Span::new(start, end.max(start));
    if fields.missing > 0 {
        let message = "fields are missing: read as no castling, no skipped square, and the clocks 0 and 1";
        warnings.push(Issue::new("missing-field", Span::new(end, end), message));
    }
    check_pieces(&board, whole)?;
    castling(&mut board, &fields, warnings);
    let turn = turn(&fields, warnings)?;
    let position = position(board, color, turn, &fields)?;
    if position.is_attacked_on_board(!color) {
        let message = format!("{color} is to move and could capture the king");
        return Err(Issue::new("opponent-in-check", whole, message).illegal());
    }
    let canonical = write(&position, fields.clock).expect("what was read says all that can be written");
    if canonical != text && warnings.is_empty() {
        let span = if start > 0 || end < text.len() { Span::new(0, text.len()) } else { whole };
        // A line end after the text is how files end.
        if text.strip_suffix('\n').is_none_or(|text| text.trim_end_matches('\r') != canonical) {
            warnings.push(Issue::new("other-spelling", span, format!("read as `{canonical}`")));
        }
    }
    Ok((position, fields.clock))
}

/// Steps over white space, if there is some.
fn blank(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    cursor.skip_whitespace();
    cursor.at > start
}

/// The first field, with pawns on their start ranks as unmoved.
fn pieces(cursor: &mut Cursor<'_>) -> Result<Board, ReadError> {
    let mut board = Board::empty(BoardSize::STANDARD);
    let whole = cursor.at;
    let (mut rank, mut file, mut start) = (7u8, 0u8, cursor.at);
    loop {
        let byte = cursor.peek().unwrap_or(b' ');
        let piece = char::from(byte).is_ascii_alphabetic().then(|| Piece::from_letter(byte.into())).flatten();
        match (byte, piece) {
            (_, Some(piece)) if is_orthodox(piece.kind) => {
                if let Some(square) = Square::new(file, rank) {
                    let home = if piece.color == Color::White { 1 } else { 6 };
                    board.put(square, piece, piece.kind == PieceKind::Pawn && rank == home);
                }
                file += 1;
            }
            (b'1'..=b'8', _) => file += byte - b'0',
            (b'/', _) | (b' ' | b'\t' | b'\n' | b'\r', _) => {
                if file != 8 {
                    let message = format!("expected 8 squares in the rank, but found {file}");
                    return Err(Issue::new("wrong-rank-length", cursor.span_from(start), message).malformed());
                }
                if rank == 0 && byte != b'/' {
                    return Ok(board);
                }
                if rank == 0 || byte != b'/' {
                    let message = "expected 8 ranks, from the eighth down, with `/` between them";
                    return Err(Issue::new("wrong-rank-count", cursor.span_from(whole), message).malformed());
                }
                (rank, file, start) = (rank - 1, 0, cursor.at + 1);
            }
            _ => {
                let what = "one of the letters PNBRQK, a number up to 8 or `/`";
                let issue = cursor.expected("unknown-piece", what);
                let hint = "FEN is for orthodox chess; boards of 5D chess are written as 5DFEN";
                return Err(
                    if piece.is_some() || byte == b'*' { issue.hint(hint) } else { issue }.malformed()
                );
            }
        }
        if file > 8 {
            let message = "expected 8 squares in the rank, but found more";
            let span = Span::new(start, cursor.at + 1);
            return Err(Issue::new("wrong-rank-length", span, message).malformed());
        }
        cursor.at += 1;
    }
}

fn is_orthodox(kind: PieceKind) -> bool {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    matches!(kind, Pawn | Knight | Bishop | Rook | Queen | King)
}

/// What stands behind the player to move.
struct Fields {
    /// The letters of castling, with their places.
    rights: Vec<(u8, Span)>,
    skipped: Option<(Square, Span)>,
    clock: u32,
    number: (u32, Span),
    missing: u8,
}

impl Fields {
    fn rest(cursor: &mut Cursor<'_>) -> Result<Fields, ReadError> {
        let here = cursor.span_here();
        let mut fields =
            Fields { rights: Vec::new(), skipped: None, clock: 0, number: (1, here), missing: 0 };
        let mut field = |fields: &mut Fields, read: ReadField| {
            if cursor.is_at_end() {
                fields.missing += 1;
                return Ok(());
            }
            read(fields, cursor)?;
            if !blank(cursor) && !cursor.is_at_end() {
                return Err(cursor.expected("missing-field", "a blank after the field").malformed());
            }
            Ok(())
        };
        field(&mut fields, Fields::rights)?;
        field(&mut fields, Fields::skipped)?;
        field(&mut fields, |fields, cursor| {
            fields.clock = number(cursor, "the half-moves since the last capture or pawn's move")?.0;
            Ok(())
        })?;
        field(&mut fields, |fields, cursor| {
            fields.number = number(cursor, "the number of the move")?;
            Ok(())
        })?;
        if !cursor.is_at_end() {
            let issue = cursor.expected("text-after-fen", "the end of the text");
            return Err(issue.hint("a FEN has six fields").malformed());
        }
        Ok(fields)
    }

    fn rights(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
        if cursor.eat("-") {
            return Ok(());
        }
        while let Some(letter @ (b'K' | b'Q' | b'k' | b'q')) = cursor.peek() {
            // Each letter counts once.
            if self.rights.iter().all(|(other, _)| *other != letter) {
                self.rights.push((letter, cursor.span_here()));
            }
            cursor.at += 1;
        }
        if self.rights.is_empty() {
            let issue = cursor.expected("malformed-castling", "`-` or some of the letters KQkq");
            return Err(issue.malformed());
        }
        Ok(())
    }

    fn skipped(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
        if cursor.eat("-") {
            return Ok(());
        }
        let start = cursor.at;
        let Some(square) = cursor.square() else {
            return Err(cursor.expected("malformed-en-passant", "`-` or a square").malformed());
        };
        self.skipped = Some((square, cursor.span_from(start)));
        Ok(())
    }
}

type ReadField = fn(&mut Fields, &mut Cursor<'_>) -> Result<(), ReadError>;

fn number(cursor: &mut Cursor<'_>, what: &str) -> Result<(u32, Span), ReadError> {
    let start = cursor.at;
    let number = cursor.number().ok_or_else(|| cursor.expected("missing-number", what).malformed())?;
    let span = cursor.span_from(start);
    if number == u32::MAX {
        return Err(Issue::new("number-too-large", span, "the number is too large").malformed());
    }
    Ok((number, span))
}

fn check_pieces(board: &Board, span: Span) -> Result<(), ReadError> {
    match obstacle(board) {
        None => Ok(()),
        Some((code, message)) => Err(Issue::new(code, span, message).illegal()),
    }
}

/// Why no game of orthodox chess has these pieces.
fn obstacle(board: &Board) -> Option<(&'static str, String)> {
    for color in Color::ALL {
        let king = Piece { color, kind: PieceKind::King };
        let kings = board.pieces().filter(|(_, piece)| *piece == king).count();
        if kings != 1 {
            return Some(("king-count", format!("expected one king of {color}, but found {kings}")));
        }
    }
    let mut pawns = board.pieces().filter(|(_, piece)| piece.kind == PieceKind::Pawn);
    let (square, _) = pawns.find(|(square, _)| matches!(square.rank(), 0 | 7))?;
    Some(("pawn-on-last-rank", format!("expected no pawn on {square}, a first or last rank")))
}

/// Letter, king and rook of each way to castle.
const CASTLING: [(u8, Color, Square, Square); 4] = [
    (b'K', Color::White, Square::from_index(4), Square::from_index(7)),
    (b'Q', Color::White, Square::from_index(4), Square::from_index(0)),
    (b'k', Color::Black, Square::from_index(60), Square::from_index(63)),
    (b'q', Color::Black, Square::from_index(60), Square::from_index(56)),
];

/// Marks kings and rooks as unmoved.
fn castling(board: &mut Board, fields: &Fields, warnings: &mut Vec<Issue>) {
    for (letter, color, king, rook) in CASTLING {
        let Some((_, span)) = fields.rights.iter().find(|(written, _)| *written == letter) else { continue };
        let (royal, tower) = (Piece { color, kind: PieceKind::King }, Piece { color, kind: PieceKind::Rook });
        if board.get(king) == Some(royal) && board.get(rook) == Some(tower) {
            board.put(king, royal, true);
            board.put(rook, tower, true);
        } else {
            let message = format!("dropped: castling needs a king on {king} and a rook on {rook}");
            warnings.push(Issue::new("castling-dropped", *span, message));
        }
    }
}

fn turn(fields: &Fields, warnings: &mut Vec<Issue>) -> Result<i16, ReadError> {
    let (number, span) = fields.number;
    if number == 0 {
        warnings.push(Issue::new("move-number-zero", span, "moves are numbered from 1: read as 1"));
        return Ok(1);
    }
    i16::try_from(number).ok().filter(|&turn| turn <= MAX_TURN).ok_or_else(|| {
        let message = format!("expected a move number up to {MAX_TURN}");
        Issue::new("number-too-large", span, message).malformed()
    })
}

/// The board and, if a square was skipped, those before it.
fn position(board: Board, color: Color, turn: i16, fields: &Fields) -> Result<Position, ReadError> {
    let now = HalfTurn::new(turn, color);
    let mut boards = Vec::with_capacity(3);
    if let Some((skipped, span)) = fields.skipped {
        let before = double_step::before(&board, color, skipped).ok_or_else(|| {
            let message = format!("no pawn of {} has just skipped {skipped}", !color);
            Issue::new("impossible-en-passant", span, message).illegal()
        })?;
        for half_turn in [HalfTurn(now.0 - 2), HalfTurn(now.0 - 1)] {
            boards.push((BoardCoordinate { timeline: Timeline(0), half_turn }, before));
        }
    }
    boards.push((BoardCoordinate { timeline: Timeline(0), half_turn: now }, board));
    let profile = RuleProfile::orthodox();
    let setup = Setup { size: BoardSize::STANDARD, parity: Parity::Odd, profile, boards };
    Ok(Position::from_setup(&setup).expect("boards of one timeline that follow each other"))
}

/// The start position of orthodox chess.
pub(super) fn standard_start() -> Position {
    let standard = variants::by_name("Standard").expect("the table has the standard position");
    let setup = Setup { profile: RuleProfile::orthodox(), ..standard.setup() };
    Position::from_setup(&setup).expect("variants are positions")
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn strict_text_is_written_back_byte_for_byte() {
        for text in [
            START,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 40",
            "r1bqk2r/p1pp1Qpp/1pn2n2/4b3/2B1P3/8/PPPP1PPP/RNB2RK1 b kq - 0 7",
            "8/8/8/8/8/8/8/k1K5 w - - 99 8000",
            "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1",
        ] {
            let reading = read_game(text);
            assert_eq!((reading.error, reading.warnings), (None, vec![]), "{text}");
            let written = write_game(&reading.game.unwrap()).unwrap();
            assert_eq!((written.bytes, written.losses), (format!("{text}\n").into_bytes(), vec![]));
        }
        assert_eq!(read(START).unwrap().0, standard_start());
    }

    #[test]
    fn earlier_boards_of_the_start_are_a_loss() {
        let (start, _) = read(START).unwrap();
        let mut later = start.clone();
        for _ in 0..2 {
            let action = later.legal_actions().next().unwrap();
            later.play_unchecked(&action);
        }
        let losses = |start: &Position| write_game(&Game::new(start.clone(), Vec::new())).unwrap().losses;
        assert_eq!(losses(&start), []);
        let [loss] = &losses(&later)[..] else { panic!("{:?}", losses(&later)) };
        assert!(loss.what.starts_with("the earlier boards"), "{loss:?}");
    }

    #[test]
    fn a_skipped_square_is_two_earlier_boards() {
        let text = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
        let (position, _) = read(text).unwrap();
        let boards: Vec<String> = position
            .multiverse()
            .boards()
            .map(|(at, board)| format!("{} {}", at.half_turn, board.rows()))
            .collect();
        let before = "r*nbqk*bnr*/p*p*p*1p*p*p*p*/8/3pP3/8/8/P*P*P*P*1P*P*P*/R*NBQK*BNR*";
        assert_eq!(boards.len(), 3);
        assert_eq!(boards[..2], [format!("T2w {before}"), format!("T2b {before}")]);
        assert_eq!(position.to_move(), Color::White);
        // Both double steps show on a board; only the last one can be answered.
        assert_eq!(position.count_legal_actions(100).count, 31);
    }

    #[test]
    fn relaxed_text_means_the_same() {
        let canonical = "r3k3/8/8/8/4p3/8/8/4K2R w Kq - 0 1";
        for (text, code) in [
            (" r3k3/8/8/8/4p3/8/8/4K2R w Kq - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R  w Kq - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R\tw\tKq\t-\t0\t1\n\n", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R W Kq - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w qK - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w KqK - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p111/8/8/4K2R w Kq - 0 1", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w Kq - 00 01", "other-spelling"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w KQkq - 0 1", "castling-dropped"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w Kq - 0 0", "move-number-zero"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w Kq -", "missing-field"),
            ("r3k3/8/8/8/4p3/8/8/4K2R w Kq", "missing-field"),
        ] {
            let reading = read_game(text);
            assert_eq!(reading.warnings.first().map(|w| w.code), Some(code), "{text}");
            assert_eq!(
                write_game(&reading.clone().game.unwrap()).unwrap().bytes,
                format!("{canonical}\n").as_bytes()
            );
            assert_eq!(reading.strict().unwrap_err().class(), "malformed");
        }
        assert_eq!(read_game("4k3/8/8/8/8/8/8/4K3 b").warnings.len(), 1);
    }

    #[test]
    fn every_mistake_has_its_class_and_place() {
        for (text, class, code, start, end) in [
            ("", "malformed", "wrong-rank-length", 0, 0),
            ("8/8 w - - 0 1", "malformed", "wrong-rank-count", 0, 3),
            ("8/8/8/8/8/8/8/8/8 w - - 0 1", "malformed", "wrong-rank-count", 0, 15),
            ("7/8/8/8/8/8/8/8 w - - 0 1", "malformed", "wrong-rank-length", 0, 1),
            ("8/pppppppppp/8 w - - 0 1", "malformed", "wrong-rank-length", 2, 11),
            ("u7/8/8/8/8/8/8/8 w - - 0 1", "malformed", "unknown-piece", 0, 1),
            ("k*7/8/8/8/8/8/8/8 w - - 0 1", "malformed", "unknown-piece", 1, 2),
            ("k7/8/8/8/8/8/8/K7", "malformed", "missing-colour", 17, 17),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "malformed", "missing-colour", 18, 19),
            ("k7/8/8/8/8/8/8/K7 w x - 0 1", "malformed", "malformed-castling", 20, 21),
            ("k7/8/8/8/8/8/8/K7 w - e 0 1", "malformed", "malformed-en-passant", 22, 23),
            ("k7/8/8/8/8/8/8/K7 w - - x 1", "malformed", "missing-number", 24, 25),
            ("k7/8/8/8/8/8/8/K7 w - - 0 8001", "malformed", "number-too-large", 26, 30),
            ("k7/8/8/8/8/8/8/K7 w - - 0 1 x", "malformed", "text-after-fen", 28, 29),
            ("k7/8/8/8/8/8/8/8 w - - 0 1", "illegal", "king-count", 0, 26),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "illegal", "king-count", 0, 28),
            ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "illegal", "pawn-on-last-rank", 0, 28),
            ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "illegal", "opponent-in-check", 0, 28),
            ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "illegal", "impossible-en-passant", 22, 24),
            ("k7/8/8/4p3/8/8/8/K7 w - e5 0 1", "illegal", "impossible-en-passant", 24, 26),
        ] {
            let error = read(text).unwrap_err();
            let span = error.span();
            assert_eq!(
                (error.class(), error.issue().code, span.start, span.end),
                (class, code, start, end),
                "{text}"
            );
        }
    }

    #[test]
    fn what_fen_cannot_say_is_not_written() {
        let refused = |text: &str| {
            let (start, _) = read("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
            let board = Board::from_rows(text, None).unwrap();
            let at = BoardCoordinate::new(0, 1, Color::White);
            let setup = Setup { size: board.size(), boards: vec![(at, board)], ..start.to_setup() };
            write(&Position::from_setup(&setup).unwrap(), 0).map_err(|unwritable| unwritable.reason)
        };
        assert_eq!(refused("4k3/8/8/8/8/8/P*7/R*3K*2R").as_deref(), Ok("4k3/8/8/8/8/8/P7/R3K2R w Q - 0 1"));
        for (text, part) in [
            ("4k3/8/8/8/8/8/P7/4K3", "pawn on a2 has moved"),
            ("4k3/8/8/8/P*7/8/8/4K3", "pawn on a4 has never moved"),
            ("4k3/8/8/8/8/8/8/1R*1K*4", "castle with the rook on b1"),
            ("4k3/8/8/8/8/8/8/4K1U1", "no unicorn"),
            ("4k3/8/8/8/8/8/8/8", "one king of white"),
            ("4k3/4R3/8/8/8/8/8/4K3", "could capture the king"),
            ("4k/5/5/5/4K", "8x8"),
        ] {
            assert!(refused(text).unwrap_err().contains(part), "{text}");
        }
    }

    #[test]
    fn clocks_go_on_with_the_game() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 7 30\"]\n30. Rh8+ Kd7 *";
        let game = crate::notation::pgn::read(text).unwrap();
        let written = write_game(&game).unwrap();
        assert_eq!(written.bytes, b"7R/3k4/8/8/8/8/4P3/4K3 w - - 9 31\n");
        assert_eq!(written.losses.len(), 1);
        let game = crate::notation::pgn::read(&text.replace("Kd7", "Kd7 31. e4")).unwrap();
        assert_eq!(write_game(&game).unwrap().bytes, b"7R/3k4/8/8/4P3/8/8/4K3 b - e3 0 31\n");
    }
}
