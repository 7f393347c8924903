//! FEN as text: one board of orthodox chess, also part of PGN. The grammar and the tests are in `notation/fen.rs`.
//! Boards of 5DFEN are read in `boards.rs`, and their rows in `state/rows.rs`.

use std::fmt;

use super::cursor::Cursor;
use super::en_passant;
use super::error::{Issue, ParseError};
use super::game::{Loss, Parsed, WriteError};
use super::span::Span;
use crate::state::{Board, MAX_TURN, Position, Setup};
use crate::types::{
    BoardCoordinate, BoardSize, Color, HalfTurn, Parity, Piece, PieceKind, RuleProfile, Square, Timeline,
};

/// The header for the number of half-moves since the last capture or pawn move.
pub const HALFMOVE_CLOCK: &str = "HalfmoveClock";

/// Reads a FEN: its position and its half-move clock.
///
/// ```
/// use worldlines::notation::fen;
///
/// let text = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
/// let (position, clock) = fen::parse(text).into_result().unwrap();
/// assert_eq!(position.multiverse().boards().count(), 3);
/// assert_eq!(fen::write(&position, clock).unwrap(), text);
/// ```
pub fn parse(text: &str) -> Parsed<(Position, u32)> {
    let mut warnings = Vec::new();
    Parsed::new(read(text, &mut warnings), warnings)
}

/// The header for a clock; none for 0.
pub(crate) fn clock_header(clock: u32) -> Option<(String, String)> {
    (clock != 0).then(|| (HALFMOVE_CLOCK.to_owned(), clock.to_string()))
}

/// The clock that the headers of a game give, else 0.
pub(crate) fn clock_of(headers: &[(String, String)]) -> u32 {
    let header = headers.iter().find(|(key, value)| is_clock(key, value));
    header.and_then(|(_, value)| value.parse().ok()).unwrap_or(0)
}

/// Whether this header is one that [`clock_of`] can read.
pub(crate) fn is_clock(key: &str, value: &str) -> bool {
    key == HALFMOVE_CLOCK && value.parse().is_ok_and(|clock: u32| clock.to_string() == value)
}

pub(crate) fn read(text: &str, warnings: &mut Vec<Issue>) -> Result<(Position, u32), ParseError> {
    let mut cursor = Cursor::new(text);
    cursor.begin()?;
    let begin = cursor.at;
    cursor.skip_whitespace();
    let start = cursor.at;

    let mut board = pieces(&mut cursor)?;
    if !blank(&mut cursor) {
        return Err(cursor.expected("missing-colour", "a blank and the player to move").malformed());
    }
    let Some(color) = cursor.color() else {
        return Err(cursor.expected("missing-colour", "`w` or `b` for the player to move").malformed());
    };
    end_field(&mut cursor, "a blank after the player to move")?;
    let rights = optional(&mut cursor, rights_to_castle)?;
    let skipped = optional(&mut cursor, skipped_square)?.flatten();
    let clock = optional(&mut cursor, clock)?.unwrap_or(0);
    let number = optional(&mut cursor, move_number)?;
    if !cursor.is_at_end() {
        let issue = cursor.expected("text-after-fen", "the end of the text");
        return Err(issue.hint("a FEN has six fields").malformed());
    }

    let end = text.trim_ascii_end().len();
    let whole = Span::new(start, end.max(start));
    if number.is_none() {
        let message = "fields are missing at the end: they are read as in `- - 0 1`";
        warnings.push(Issue::new("missing-field", Span::new(end, end), message));
    }
    check_pieces(&board, whole)?;
    castling(&mut board, &rights.unwrap_or_default(), warnings);
    let (number, span) = number.unwrap_or((1, Span::default()));
    if number == 0 {
        warnings.push(Issue::new("move-number-zero", span, "moves are numbered from 1: read as 1"));
    }
    let position = position(board, HalfTurn::new(number.max(1), color), skipped)?;
    if position.is_attacked_on_board(!color) {
        let message = format!("{} is to move and could capture the king", color.name());
        return Err(Issue::new("opponent-in-check", whole, message).illegal());
    }
    let canonical = write(&position, clock).expect("what was read says all that can be written");
    let text = &text[begin..];
    // A line end after the text is allowed, since files end with one.
    let is_canonical =
        text.strip_prefix(&*canonical).is_some_and(|end| ["", "\n", "\r\n", "\r"].contains(&end));
    if !is_canonical && warnings.is_empty() {
        let all = Span::new(begin, begin + text.len());
        warnings.push(Issue::new("other-spelling", all, format!("read as `{canonical}`")));
    }
    Ok((position, clock))
}

/// Steps over white space, if there is some.
fn blank(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    cursor.skip_whitespace();
    cursor.at > start
}

/// Steps over the white space after a field. The text may end there too.
fn end_field(cursor: &mut Cursor<'_>, what: &str) -> Result<(), ParseError> {
    if blank(cursor) || cursor.is_at_end() {
        return Ok(());
    }
    Err(cursor.expected("missing-field", what).malformed())
}

/// Reads a field that may be missing: `None` if the text ends before it.
fn optional<'t, T>(
    cursor: &mut Cursor<'t>,
    read: impl FnOnce(&mut Cursor<'t>) -> Result<T, ParseError>,
) -> Result<Option<T>, ParseError> {
    if cursor.is_at_end() {
        return Ok(None);
    }
    let value = read(cursor)?;
    end_field(cursor, "a blank after the field")?;
    Ok(Some(value))
}

/// Reads the first field. Pawns on their start ranks count as unmoved.
fn pieces(cursor: &mut Cursor<'_>) -> Result<Board, ParseError> {
    let mut board = Board::empty(BoardSize::STANDARD);
    let start = cursor.at;
    for rank in (0..8).rev() {
        pieces_of_rank(cursor, &mut board, rank)?;
        let goes_on = cursor.peek() == Some(b'/');
        if goes_on != (rank > 0) {
            let message = "expected 8 ranks, from the eighth down, with `/` between them";
            return Err(Issue::new("wrong-rank-count", cursor.span_from(start), message).malformed());
        }
        cursor.at += usize::from(goes_on);
    }
    Ok(board)
}

fn pieces_of_rank(cursor: &mut Cursor<'_>, board: &mut Board, rank: u8) -> Result<(), ParseError> {
    let start = cursor.at;
    let wrong_length = |cursor: &Cursor<'_>, found: &str| {
        let message = format!("expected 8 squares in the rank, but found {found}");
        Err(Issue::new("wrong-rank-length", cursor.span_from(start), message).malformed())
    };
    let mut file = 0;
    while let Some(byte) = cursor.peek()
        && !matches!(byte, b'/' | b' ' | b'\t' | b'\n' | b'\r')
    {
        if let b'1'..=b'8' = byte {
            file += byte - b'0';
        } else {
            let piece = orthodox_piece(cursor)?;
            if let Some(square) = Square::new(file, rank) {
                let home = if piece.color == Color::White { 1 } else { 6 };
                board.put(square, piece, piece.kind == PieceKind::Pawn && rank == home);
            }
            file += 1;
        }
        cursor.at += 1;
        if file > 8 {
            return wrong_length(cursor, "more");
        }
    }
    if file < 8 { wrong_length(cursor, &file.to_string()) } else { Ok(()) }
}

/// The piece whose letter comes next.
fn orthodox_piece(cursor: &Cursor<'_>) -> Result<Piece, ParseError> {
    let letter = cursor.peek().map(char::from).filter(char::is_ascii_alphabetic);
    let piece = letter.and_then(|letter| Piece::try_from(letter).ok());
    if let Some(piece) = piece.filter(|piece| is_orthodox(piece.kind)) {
        return Ok(piece);
    }
    let issue = cursor.expected("unknown-piece", "one of the letters PNBRQK, a number up to 8 or `/`");
    let is_of_5dfen = piece.is_some() || cursor.peek() == Some(b'*');
    let hint = "FEN is for orthodox chess; boards of 5D chess are written as 5DFEN";
    Err(if is_of_5dfen { issue.hint(hint) } else { issue }.malformed())
}

fn is_orthodox(kind: PieceKind) -> bool {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    matches!(kind, Pawn | Knight | Bishop | Rook | Queen | King)
}

/// Reads the letters of castling, with their places. A repeated letter counts once.
fn rights_to_castle(cursor: &mut Cursor<'_>) -> Result<Vec<(u8, Span)>, ParseError> {
    let mut rights: Vec<(u8, Span)> = Vec::new();
    if cursor.eat("-") {
        return Ok(rights);
    }
    while let Some(letter @ (b'K' | b'Q' | b'k' | b'q')) = cursor.peek() {
        if rights.iter().all(|(other, _)| *other != letter) {
            rights.push((letter, cursor.span_here()));
        }
        cursor.at += 1;
    }
    if rights.is_empty() {
        return Err(cursor.expected("malformed-castling", "`-` or some of the letters KQkq").malformed());
    }
    Ok(rights)
}

/// Reads the square that a pawn has just skipped, if one has.
fn skipped_square(cursor: &mut Cursor<'_>) -> Result<Option<(Square, Span)>, ParseError> {
    if cursor.eat("-") {
        return Ok(None);
    }
    let start = cursor.at;
    match cursor.square() {
        Some(square) => Ok(Some((square, cursor.span_from(start)))),
        None => Err(cursor.expected("malformed-en-passant", "`-` or a square").malformed()),
    }
}

fn clock(cursor: &mut Cursor<'_>) -> Result<u32, ParseError> {
    // A cursor reads every larger number as `u32::MAX`.
    let what = "the number of half-moves since the last capture or pawn move";
    number(cursor, what, u32::MAX - 1).map(|(clock, _)| clock)
}

fn move_number(cursor: &mut Cursor<'_>) -> Result<(i16, Span), ParseError> {
    number(cursor, "the number of the move", MAX_TURN)
}

fn number<N>(cursor: &mut Cursor<'_>, what: &str, most: N) -> Result<(N, Span), ParseError>
where
    N: TryFrom<u32> + PartialOrd + fmt::Display,
{
    let start = cursor.at;
    let number = cursor.number().ok_or_else(|| cursor.expected("missing-number", what).malformed())?;
    let span = cursor.span_from(start);
    match N::try_from(number) {
        Ok(number) if number <= most => Ok((number, span)),
        _ => {
            let message = format!("expected {what} to be at most {most}");
            Err(Issue::new("number-too-large", span, message).malformed())
        }
    }
}

fn check_pieces(board: &Board, span: Span) -> Result<(), ParseError> {
    match obstacle(board) {
        None => Ok(()),
        Some((code, message)) => Err(Issue::new(code, span, message).illegal()),
    }
}

/// The code and message of a reason why no game of orthodox chess has these pieces; `None` if one may.
fn obstacle(board: &Board) -> Option<(&'static str, String)> {
    for color in Color::ALL {
        let king = Piece { color, kind: PieceKind::King };
        let kings = board.pieces().filter(|(_, piece)| *piece == king).count();
        if kings != 1 {
            return Some(("king-count", format!("expected one {color} king, but found {kings}")));
        }
    }
    let mut pawns = board.pieces().filter(|(_, piece)| piece.kind == PieceKind::Pawn);
    let (square, _) = pawns.find(|(square, _)| matches!(square.rank(), 0 | 7))?;
    Some((
        "pawn-on-last-rank",
        format!("the pawn on {square} stands on a first or last rank, where no pawn can be"),
    ))
}

/// Letter, king and rook of each way to castle.
const CASTLING: [(u8, Color, Square, Square); 4] = [
    (b'K', Color::White, Square::from_index(4), Square::from_index(7)),
    (b'Q', Color::White, Square::from_index(4), Square::from_index(0)),
    (b'k', Color::Black, Square::from_index(60), Square::from_index(63)),
    (b'q', Color::Black, Square::from_index(60), Square::from_index(56)),
];

/// Marks kings and rooks as unmoved.
fn castling(board: &mut Board, rights: &[(u8, Span)], warnings: &mut Vec<Issue>) {
    for (letter, color, king, rook) in CASTLING {
        let Some((_, span)) = rights.iter().find(|(written, _)| *written == letter) else { continue };
        let (royal, tower) = (Piece { color, kind: PieceKind::King }, Piece { color, kind: PieceKind::Rook });
        if board.get(king) == Some(royal) && board.get(rook) == Some(tower) {
            board.put(king, royal, true);
            board.put(rook, tower, true);
        } else {
            let message = format!(
                "this way of castling is left out: it needs a {royal} on {king} and a {tower} on {rook}"
            );
            warnings.push(Issue::new("castling-dropped", *span, message));
        }
    }
}

/// The board and, if a square was skipped, those before it.
fn position(board: Board, now: HalfTurn, skipped: Option<(Square, Span)>) -> Result<Position, ParseError> {
    let color = now.color();
    let mut boards = Vec::with_capacity(3);
    if let Some((skipped, span)) = skipped {
        let before = en_passant::before(&board, color, skipped).ok_or_else(|| {
            let message = en_passant::impossible(!color, skipped);
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

/// The FEN of a position of orthodox chess, with its clock of half-moves. [`parse`] reads it back.
///
/// # Errors
///
/// When FEN cannot say how the game can go on: other pieces, pawns that have or have not moved against what
/// their rank says, castling from other squares, or a position that [`parse`] refuses.
pub fn write(position: &Position, clock: u32) -> Result<String, WriteError> {
    let Some((at, board)) = position.only_board().filter(|_| position.size() == BoardSize::STANDARD) else {
        return Err(WriteError::new("FEN is for one board of 8x8 squares under the rules of orthodox chess"));
    };
    if let Some((square, piece)) = board.pieces().find(|(_, piece)| !is_orthodox(piece.kind)) {
        return Err(WriteError::new(format!(
            "orthodox chess has no {}, but one stands on {square}",
            piece.kind
        )));
    }
    if let Some((_, reason)) = obstacle(board) {
        return Err(WriteError::new(reason));
    }
    let color = at.color();
    if position.is_attacked_on_board(!color) {
        return Err(WriteError::new(format!("{} is to move and could capture the king", color.name())));
    }
    let mut text = rows(board);
    text.push(' ');
    text.push(color.letter());
    text.push(' ');
    text.push_str(&rights(board)?);
    match position.skipped_on_board() {
        Some(square) if en_passant::before(board, color, square).is_some() => text += &format!(" {square}"),
        Some(square) => {
            let reason = format!(
                "FEN has no en passant square for the double step over {square}, which began on another rank \
                 than the second"
            );
            return Err(WriteError::new(reason));
        }
        None => text += " -",
    }
    text += &format!(" {clock} {}", at.half_turn.turn().max(1));
    Ok(text)
}

fn rows(board: &Board) -> String {
    board.rows().to_string().replace('*', "")
}

/// The letters of castling, if they say all that the unmoved flags of the board say.
fn rights(board: &Board) -> Result<String, WriteError> {
    let unmoved = |kind| {
        let pieces =
            board.pieces().filter(move |(square, piece)| piece.kind == kind && board.is_unmoved(*square));
        pieces.collect::<Vec<_>>()
    };
    for (square, piece) in board.pieces().filter(|(_, piece)| piece.kind == PieceKind::Pawn) {
        let at_home = square.rank() == if piece.color == Color::White { 1 } else { 6 };
        if at_home != board.is_unmoved(square) {
            let state = if at_home { "has moved" } else { "has never moved" };
            return Err(WriteError::new(format!("FEN cannot say that the pawn on {square} {state}")));
        }
    }
    let mut letters = String::new();
    let rooks = unmoved(PieceKind::Rook);
    for (king, royal) in unmoved(PieceKind::King) {
        for (rook, _) in
            rooks.iter().filter(|(rook, tower)| tower.color == royal.color && rook.rank() == king.rank())
        {
            let way = CASTLING.iter().find(|way| (way.1, way.2, way.3) == (royal.color, king, *rook));
            match way {
                Some((letter, ..)) => letters.push(char::from(*letter)),
                None if rook.file().abs_diff(king.file()) < 2 => {}
                None => {
                    let reason =
                        format!("FEN cannot say that the king on {king} can castle with the rook on {rook}");
                    return Err(WriteError::new(reason));
                }
            }
        }
    }
    let mut sorted: Vec<char> = letters.chars().collect();
    sorted.sort_by_key(|&letter| "KQkq".find(letter));
    Ok(if sorted.is_empty() { "-".into() } else { sorted.into_iter().collect() })
}

/// The loss of a position that is written as `fen`: `None` if the FEN is read as the same position.
pub(crate) fn loss_of_start(start: &Position, fen: &str) -> Option<Loss> {
    let (same, _) = parse(fen).into_result().ok()?;
    if same == *start {
        return None;
    }
    let ends = |position: &Position| position.only_board().map(|(at, _)| at.half_turn);
    Some(Loss::new(if ends(&same) == ends(start) {
        "the earlier boards of the start, and which pieces are unmoved where that makes no difference"
    } else {
        "the number of the first turn"
    }))
}

pub(crate) fn without_clock(headers: &[(String, String)]) -> Vec<(String, String)> {
    headers.iter().filter(|(key, value)| !is_clock(key, value)).cloned().collect()
}
