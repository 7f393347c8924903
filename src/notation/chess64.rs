//! CHESS64: orthodox chess in two characters of Base64 a move, and packed into bytes.
//!
//! ```text
//! M5m4GVbsF1ftHHjrV4t4D/gv/n
//! ```
//!
//! Each square has a character; White's half of the board has capitals, odd digits and `+`, Black's has small letters,
//! even digits and `/`:
//!
//! ```text
//! 8  a b c d e f g h
//! 7  i j k l m n o p
//! 6  q r s t u v w x
//! 5  y z 0 2 4 6 8 /
//! 4  Y Z 1 3 5 7 9 +
//! 3  Q R S T U V W X
//! 2  I J K L M N O P
//! 1  A B C D E F G H
//!    a b c d e f g h
//! ```
//!
//! A token of two characters is a move, from square to square, White first. Where both are the same no piece moves, and
//! the token has its own meaning: `RR NN BB QQ` after a pawn has reached its last rank, what it becomes; `AA` and `HH`,
//! castling towards the rook on the a-file or the h-file; `KK` and `kk`, White or Black resigns; `DD` and `dd`, a draw.
//! Case is that of the player, White's a capital. Nothing else is said: no start position but the usual one, no headers,
//! and no result other than mate, stalemate, resignation and draw.
//!
//! The binary form, a file `.chess64`, is `CHESS64` and then the characters as Base64 reads them, six bits each. Twelve
//! bits a token are no whole number of bytes when tokens are odd in number; then four zero bits follow. The grammar is in
//! `spec/notation-chess64.md`.
//!
//! # Relaxations
//!
//! Each is a warning; [`Reading::strict`] refuses them.
//!
//! * White space between characters, `-` and `_` for `+` and `/` as in addresses, `=` at the end of the text.
//! * `CHESS64` in front of a text, and a `.chess64` file that is text without it.
//! * Castling as the king's move of two squares, `EG EC eg ec`.
//! * A promotion in the opponent's case; without its token, to a queen.
//! * A draw in the case of the player who is not to move.
//! * A binary whose last token has lost four bits, as ordinary Base64 decoders drop them, if only one way to complete it
//!   is legal.

use super::format::Head;
use super::{
    Game, GameResult, Issue, Loss, MAX_ACTIONS, ReadError, Reading, Span, Unwritable, Written, fen, orthodox,
};
use crate::rules::IllegalReason;
use crate::state::{Board, Position};
use crate::types::{Action, Color, Move, Piece, PieceKind, Square, Status};

/// The characters of the squares from a1 to h8, rank by rank.
const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ13579+yz02468/qrstuvwxijklmnopabcdefgh";
/// The characters of Base64 by their value.
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// What a binary begins with.
pub const HEADER: &[u8; 7] = b"CHESS64";

/// For each byte its place in a table of 64, or [`NONE`].
const fn inverse(table: &[u8; 64]) -> [u8; 256] {
    let mut places = [NONE; 256];
    let mut i = 0;
    while i < 64 {
        places[table[i] as usize] = i as u8;
        i += 1;
    }
    places
}

const NONE: u8 = 64;
const SQUARE_OF: [u8; 256] = inverse(SQUARES);
const VALUE_OF: [u8; 256] = inverse(BASE64);

/// The character of a square.
///
/// ```
/// use worldlines::notation::chess64::{character, square};
/// use worldlines::types::Square;
///
/// let e4 = Square::new(4, 3).unwrap();
/// assert_eq!((character(e4), square('5')), ('5', Some(e4)));
/// assert_eq!(square('='), None);
/// ```
pub fn character(square: Square) -> char {
    char::from(SQUARES[square.index()])
}

/// The square of a character.
pub fn square(character: char) -> Option<Square> {
    u8::try_from(character).ok().and_then(square_of)
}

fn square_of(byte: u8) -> Option<Square> {
    let index = SQUARE_OF[usize::from(byte)];
    (index != NONE).then(|| Square::from_index(index.into()))
}

/// The game of a text.
///
/// ```
/// use worldlines::notation::chess64;
///
/// let game = chess64::read("M5m4GVbsF1ftHHjrV4t4D/gv/n").unwrap();
/// assert_eq!(game.actions.len(), 13);
/// assert_eq!(game.result.unwrap().text(), "1-0");
/// ```
///
/// # Errors
///
/// When a character, a token or a move is wrong.
pub fn read(text: &str) -> Result<Game, ReadError> {
    let Reading { game, error, .. } = read_so_far(text);
    match (game, error) {
        (Some(game), None) => Ok(game),
        (_, error) => Err(error.expect("a text without a game has an error")),
    }
}

/// The game of a text as far as it can be read, with warnings.
pub fn read_so_far(text: &str) -> Reading {
    let mut decoder = Decoder::new(text.len() / 2);
    let error = decoder.text(text).err();
    decoder.finish(error)
}

/// The game of a binary as far as it can be read, with warnings. Spans are bytes of the binary.
pub fn read_binary(bytes: &[u8]) -> Reading {
    let Some(payload) = bytes.strip_prefix(HEADER) else {
        return without_header(bytes);
    };
    let mut decoder = Decoder::new(payload.len() * 2 / 3);
    let error = decoder.binary(payload).err();
    decoder.finish(error)
}

/// A file that is not a binary may be text.
fn without_header(bytes: &[u8]) -> Reading {
    let is_text = bytes.iter().all(|&byte| is_ornament(byte) || SQUARE_OF[usize::from(byte)] != NONE);
    match std::str::from_utf8(bytes) {
        Ok(text) if is_text && !bytes.is_empty() => {
            let mut reading = read_so_far(text);
            let message = "read as text: a binary begins with `CHESS64`";
            reading.warnings.insert(0, Issue::new("missing-header", Span::new(0, 0), message));
            reading
        }
        _ => {
            let span = Span::new(0, bytes.len().min(HEADER.len()));
            let message = "expected `CHESS64` at the beginning";
            Reading::refused(Issue::new("missing-header", span, message).malformed())
        }
    }
}

/// Bytes that a text may hold beside the characters of squares.
fn is_ornament(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'-' | b'_' | b'=')
}

/// Whether a text with this beginning is CHESS64.
pub(super) fn detect(head: &Head<'_>) -> bool {
    begins_like_a_game(head.text.strip_prefix("CHESS64").unwrap_or(head.text))
}

/// Whether these bytes are a binary.
pub(super) fn detect_binary(head: &Head<'_>) -> bool {
    let is_text = |payload| std::str::from_utf8(payload).is_ok_and(begins_like_a_game);
    head.bytes.strip_prefix(HEADER).is_some_and(|payload| !is_text(payload))
}

/// Whether nothing but characters of squares is in the text, and the first two are a move from the start position, or
/// the end of a game without moves.
fn begins_like_a_game(text: &str) -> bool {
    let mut squares = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let (Some(from), Some(to)) = (squares.next(), squares.next()) else { return false };
    let ends = from == to && b"KkDd".contains(&from);
    let opens = match (square_of(from), square_of(to)) {
        (Some(from), Some(to)) => {
            let (files, ranks) =
                (from.file().abs_diff(to.file()), i16::from(to.rank()) - i16::from(from.rank()));
            from.rank() == 1 && files == 0 && matches!(ranks, 1 | 2)
                || from.rank() == 0 && matches!(from.file(), 1 | 6) && files == 1 && ranks == 2
        }
        _ => false,
    };
    (ends || opens) && text.bytes().all(|byte| is_ornament(byte) || SQUARE_OF[usize::from(byte)] != NONE)
}

/// Plays tokens.
#[derive(Clone)]
struct Decoder {
    position: Position,
    actions: Vec<Action>,
    spans: Vec<Span>,
    warnings: Vec<Issue>,
    /// A pawn's move to the last rank that waits for what it becomes, here a queen.
    promoting: Option<(Move, Span)>,
    result: Option<GameResult>,
}

impl Decoder {
    fn new(tokens: usize) -> Decoder {
        let expected = tokens.min(MAX_ACTIONS);
        Decoder {
            position: fen::standard_start(),
            actions: Vec::with_capacity(expected),
            spans: Vec::with_capacity(expected),
            warnings: Vec::new(),
            promoting: None,
            result: None,
        }
    }

    fn text(&mut self, text: &str) -> Result<(), ReadError> {
        let bytes = text.as_bytes();
        let mut at = 0;
        if text.trim_ascii_start().starts_with("CHESS64") {
            at = text.len() - text.trim_ascii_start().len() + HEADER.len();
            self.warn("text-with-header", Span::new(0, at), "only binaries begin with `CHESS64`");
        }
        let mut first = None;
        let mut remarks = Remarks::default();
        while let Some(&byte) = bytes.get(at) {
            let byte = match byte {
                _ if SQUARE_OF[usize::from(byte)] != NONE && remarks.padding.is_none() => byte,
                _ => match self.ornament(text, at, &mut remarks)? {
                    Some(byte) => byte,
                    None => {
                        at += 1;
                        continue;
                    }
                },
            };
            match first.take() {
                None => first = Some((byte, at)),
                Some((from, start)) => self.token(from, byte, Span::new(start, at + 1))?,
            }
            at += 1;
        }
        if let Some((_, at)) = first {
            let message = "expected an even number of characters: a token has two, and the last one has one";
            return Err(Issue::new("odd-length", Span::new(at, at + 1), message).malformed());
        }
        self.end_of_tokens()
    }

    /// The character that a byte stands for that is none itself.
    fn ornament(&mut self, text: &str, at: usize, remarks: &mut Remarks) -> Result<Option<u8>, ReadError> {
        let byte = text.as_bytes()[at];
        let span = Span::new(at, at + 1);
        if byte.is_ascii_whitespace() {
            // The line end of a text file is not worth a word.
            let ends_text = text[at..].trim_ascii().is_empty() && matches!(&text[at..], "\n" | "\r\n");
            if !remarks.blank && !ends_text && !text[..at].ends_with('\r') {
                remarks.blank = true;
                self.warn("white-space", span, "the strict form has no white space");
            }
            return Ok(None);
        }
        if byte == b'=' {
            if remarks.padding.is_none() {
                remarks.padding = Some(at);
                self.warn("base64-padding", span, "the strict form has no `=`");
            }
            return Ok(None);
        }
        let character = text[at..].chars().next().unwrap_or('\u{fffd}');
        if let Some(padding) = remarks.padding {
            let span = Span::new(padding, padding + 1);
            let message =
                format!("expected `=` only at the end of the text, but found `{character}` after it");
            return Err(Issue::new("padding-inside", span, message).malformed());
        }
        let meant = match byte {
            b'-' => b'+',
            b'_' => b'/',
            _ => {
                let message = format!("expected a character of Base64, but found {character:?}");
                let span = Span::new(at, at + character.len_utf8());
                return Err(Issue::new("foreign-character", span, message).malformed());
            }
        };
        if !remarks.url {
            remarks.url = true;
            let message = "the strict form has `+` and `/` where addresses have `-` and `_`";
            self.warn("address-alphabet", span, message);
        }
        Ok(Some(meant))
    }

    fn binary(&mut self, payload: &[u8]) -> Result<(), ReadError> {
        let bits = payload.len() * 8;
        let tokens = bits / 12;
        for token in 0..tokens {
            let (from, to) = (character_at(payload, 2 * token), character_at(payload, 2 * token + 1));
            self.token(from, to, binary_span(token, payload.len()))?;
        }
        let end = HEADER.len() + payload.len();
        let last = Span::new(end.saturating_sub(1), end);
        match bits % 12 {
            4 if payload.last().is_some_and(|byte| byte & 15 != 0) => {
                let message = "expected four zero bits after the last token of an odd number of them";
                Err(Issue::new("nonzero-padding", last, message).malformed())
            }
            8 => self.complete(payload[payload.len() - 1], last),
            _ => self.end_of_tokens(),
        }
    }

    /// Reads a last token of which the first eight bits are there.
    fn complete(&mut self, byte: u8, span: Span) -> Result<(), ReadError> {
        let from = BASE64[usize::from(byte >> 2)];
        let fitting = (0..16).filter_map(|lost| {
            let to = BASE64[usize::from(byte & 3) << 4 | lost];
            let mut decoder = self.clone();
            // What is made up must not need a relaxation.
            let tried = decoder.token(from, to, span).and_then(|()| decoder.end_of_tokens());
            let good = tried.is_ok() && decoder.warnings.len() == self.warnings.len();
            good.then_some((to, decoder))
        });
        let mut fitting: Vec<(u8, Decoder)> = fitting.collect();
        let shown = |to: &u8| format!("`{}{}`", char::from(from), char::from(*to));
        match fitting.len() {
            1 => {
                let (to, decoder) = fitting.remove(0);
                *self = decoder;
                let message = format!("the last four bits are missing: only {} is legal", shown(&to));
                self.warn("damaged-binary", span, message);
                Ok(())
            }
            0 => {
                let message = "the last four bits are missing, and no way to complete them is legal";
                Err(Issue::new("damaged-binary", span, message).malformed())
            }
            _ => {
                let list: Vec<String> = fitting.iter().map(|(to, _)| shown(to)).collect();
                let message =
                    "the last four bits are missing, and more than one way to complete them is legal";
                let issue = Issue::new("damaged-binary", span, message);
                Err(issue.hint(format!("the last token is one of {}", list.join(", "))).ambiguous())
            }
        }
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.warnings.push(Issue::new(code, span, message));
    }

    #[inline]
    fn token(&mut self, from: u8, to: u8, span: Span) -> Result<(), ReadError> {
        if self.result.is_some() {
            let message = "expected the end of the text: the game was given up or drawn";
            return Err(Issue::new("text-after-end", span, message).malformed());
        }
        if from == to {
            return self.pair(from, span);
        }
        self.end_promotion();
        let square = |byte: u8| Square::from_index(SQUARE_OF[usize::from(byte)].into());
        self.play(square(from), square(to), span, [from, to])
    }

    /// A token of two equal characters.
    #[cold]
    fn pair(&mut self, letter: u8, span: Span) -> Result<(), ReadError> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let kind = match letter.to_ascii_uppercase() {
            b'R' => PieceKind::Rook,
            b'N' => PieceKind::Knight,
            b'B' => PieceKind::Bishop,
            b'Q' => PieceKind::Queen,
            side @ (b'A' | b'H') => {
                self.end_promotion();
                return self.castle(color, side == b'H', span, letter);
            }
            b'K' => {
                let winner =
                    if color == Color::White { GameResult::BlackWins } else { GameResult::WhiteWins };
                return self.end(winner, span);
            }
            b'D' => {
                self.end_promotion();
                if color != self.position.to_move() {
                    let message = "the strict form draws in the case of the player to move";
                    self.warn("draw-case", span, message);
                }
                return self.end(GameResult::Draw, span);
            }
            _ => {
                let letter = char::from(letter);
                let message = format!("`{letter}{letter}` means nothing: no piece stands still");
                return Err(Issue::new("undefined-pair", span, message).malformed());
            }
        };
        let Some((m, start)) = self.promoting.take() else {
            let letter = char::from(letter);
            let message =
                self.named(format!("`{letter}{letter}` promotes, and no pawn has reached its last rank"));
            return Err(Issue::new("misplaced-promotion", span, message).illegal());
        };
        if color != self.position.to_move() {
            self.warn("promotion-case", span, "the strict form promotes in the case of the player");
        }
        self.make(Move { promotion: Some(kind), ..m }, start.to(span));
        Ok(())
    }

    fn castle(&mut self, color: Color, short: bool, span: Span, letter: u8) -> Result<(), ReadError> {
        let rank = if color == Color::White { 0 } else { 56 };
        let (king, landing) =
            (Square::from_index(rank + 4), Square::from_index(rank + if short { 6 } else { 2 }));
        let is_king = self
            .position
            .only_board()
            .is_some_and(|(_, board)| board.get(king) == Some(Piece { color, kind: PieceKind::King }));
        if color == self.position.to_move()
            && is_king
            && let Ok(m) = self.position.legal_on_board(king, landing, None)
        {
            self.make(m, span);
            return Ok(());
        }
        let token = [letter, letter].map(char::from).iter().collect::<String>();
        let why = if color == self.position.to_move() { "it cannot" } else { "it is not to move" };
        let message = self.named(format!("`{token}` castles for {color}, and {why}"));
        Err(self.illegal("no-such-move", span, message))
    }

    fn play(&mut self, from: Square, to: Square, span: Span, token: [u8; 2]) -> Result<(), ReadError> {
        let legal = match self.position.legal_on_board(from, to, None) {
            // Another king's step of two squares does not exist.
            Ok(m) => {
                if from.file().abs_diff(to.file()) == 2 && self.is_king(from) {
                    let message = "the strict form castles by the square of the rook, as `HH`";
                    self.warn("castling-by-king", span, message);
                }
                self.make(m, span);
                return Ok(());
            }
            Err(reason) => reason,
        };
        if let (IllegalReason::NotAMove(..), 0 | 7) = (&legal, to.rank())
            && let Ok(m) = self.position.legal_on_board(from, to, Some(PieceKind::Queen))
        {
            self.promoting = Some((m, span));
            return Ok(());
        }
        Err(self.refused(from, to, span, token, legal))
    }

    fn is_king(&self, square: Square) -> bool {
        let piece = self.position.only_board().and_then(|(_, board)| board.get(square));
        piece.is_some_and(|piece| piece.kind == PieceKind::King)
    }

    #[inline]
    fn make(&mut self, m: Move, span: Span) {
        self.position.play_legal_on_board(&m);
        self.actions.push(Action::from(vec![m]));
        self.spans.push(span);
    }

    /// Why a move is refused.
    #[cold]
    fn refused(
        &self,
        from: Square,
        to: Square,
        span: Span,
        token: [u8; 2],
        reason: IllegalReason,
    ) -> ReadError {
        let token: String = token.map(char::from).iter().collect();
        let player = self.position.to_move();
        // A queen may be what is exposed too early: the reason is that of the pawn.
        let piece = self.position.only_board().and_then(|(_, board)| board.get(from));
        let (code, why) = match (reason, piece) {
            (IllegalReason::TooLarge, _) => {
                let message = self.named("the game has more turns than are supported");
                return Issue::new("game-too-long", span, message).malformed();
            }
            (IllegalReason::Exposed(_), _) => {
                ("exposed-royal", format!("leaves the king of {player} in check"))
            }
            (_, None) => ("no-such-move", format!("is a move from {from}, which is empty")),
            (_, Some(piece)) if piece.color != player => (
                "no-such-move",
                format!("is a move from {from}, where a {piece} stands, and {player} is to move"),
            ),
            (_, Some(piece)) => {
                let becomes = Some(PieceKind::Queen);
                match self.position.legal_on_board(from, to, becomes) {
                    Err(IllegalReason::Exposed(_)) => {
                        ("exposed-royal", format!("leaves the king of {player} in check"))
                    }
                    _ => ("no-such-move", format!("is no move of the {piece} on {from}, to {to}")),
                }
            }
        };
        self.illegal(code, span, self.named(format!("`{token}` {why}")))
    }

    /// A move that is illegal; after the end of the game every one is.
    fn illegal(&self, code: &'static str, span: Span, message: String) -> ReadError {
        match self.over() {
            None => Issue::new(code, span, message).illegal(),
            Some(status) => {
                let message =
                    self.named(format!("expected the end of the text: the game ended with {status}"));
                Issue::new("game-over", span, message).illegal()
            }
        }
    }

    /// A message with the name of the action that comes next.
    fn named(&self, message: impl AsRef<str>) -> String {
        let (number, color) = (self.actions.len() / 2 + 1, self.position.to_move());
        format!("action {number}{}: {}", color.letter(), message.as_ref())
    }

    /// Makes a queen of a pawn for which nothing is said.
    #[inline]
    fn end_promotion(&mut self) {
        if let Some((m, span)) = self.promoting.take() {
            self.warn("missing-promotion", span, "expected `QQ` or another promotion: read as a queen");
            self.make(m, span);
        }
    }

    fn end(&mut self, result: GameResult, span: Span) -> Result<(), ReadError> {
        self.end_promotion();
        if self.over().is_some() {
            return Err(self.illegal("game-over", span, String::new()));
        }
        self.result = Some(result);
        Ok(())
    }

    fn end_of_tokens(&mut self) -> Result<(), ReadError> {
        self.end_promotion();
        if self.result.is_none() {
            self.result = result_of(self.over(), self.position.to_move());
        }
        Ok(())
    }

    /// How the game has ended, if no move is legal.
    fn over(&self) -> Option<Status> {
        over(&self.position)
    }

    fn finish(self, error: Option<ReadError>) -> Reading {
        let game = Game { result: self.result, ..Game::new(fen::standard_start(), self.actions) };
        Reading { game: Some(game), spans: self.spans, warnings: self.warnings, error, ..Reading::default() }
    }
}

/// Which relaxations of the characters have been warned about.
#[derive(Default)]
struct Remarks {
    blank: bool,
    url: bool,
    padding: Option<usize>,
}

/// How a game of orthodox chess has ended, if the player to move has no legal move.
pub(super) fn over(position: &Position) -> Option<Status> {
    let mut moves = Vec::with_capacity(64);
    position.legal_moves_on_board(&mut moves);
    moves.is_empty().then(|| match position.is_attacked_on_board(position.to_move()) {
        true => Status::Checkmate,
        false => Status::Stalemate,
    })
}

/// What the end of a game means for its result.
pub(super) fn result_of(over: Option<Status>, to_move: Color) -> Option<GameResult> {
    match (over?, to_move) {
        (Status::Checkmate, Color::White) => Some(GameResult::BlackWins),
        (Status::Checkmate, Color::Black) => Some(GameResult::WhiteWins),
        _ => Some(GameResult::Draw),
    }
}

/// The character of six bits of a binary.
fn character_at(payload: &[u8], index: usize) -> u8 {
    let (byte, shift) = (index * 6 / 8, index * 6 % 8);
    let pair = u16::from(payload[byte]) << 8 | u16::from(payload.get(byte + 1).copied().unwrap_or(0));
    BASE64[usize::from(pair >> (10 - shift) & 63)]
}

/// The bytes of a binary that hold a token.
fn binary_span(token: usize, payload: usize) -> Span {
    let end = ((token + 1) * 12).div_ceil(8).min(payload);
    Span::new(HEADER.len() + token * 12 / 8, HEADER.len() + end)
}

/// A game as text.
///
/// # Errors
///
/// When it is not a game of orthodox chess from the usual start.
pub fn write_game(game: &Game) -> Result<Written, Unwritable> {
    let (text, losses) = encode(game)?;
    Ok(Written::new(text, losses))
}

/// A game as a binary.
///
/// # Errors
///
/// As [`write_game`].
pub fn write_binary_game(game: &Game) -> Result<Written, Unwritable> {
    let (text, losses) = encode(game)?;
    Ok(Written { bytes: pack(&text), losses })
}

/// The bytes of a strict text: `CHESS64`, six bits for each character, and zero bits up to the next byte.
fn pack(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER.len() + (text.len() * 6).div_ceil(8));
    bytes.extend_from_slice(HEADER);
    let (mut held, mut bits) = (0_u32, 0);
    for character in text.bytes() {
        held = held << 6 | u32::from(VALUE_OF[usize::from(character)]);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    if bits > 0 {
        bytes.push((held << (8 - bits)) as u8);
    }
    bytes
}

fn encode(game: &Game) -> Result<(String, Vec<Loss>), Unwritable> {
    let (game, mut losses) = orthodox::from_5d(game)?;
    losses.extend(game.losses_of_headers());
    let start = fen::standard_start();
    if game.start != start {
        let board = |position: &Position| position.only_board().map(|(at, board)| (at.color(), *board));
        if board(&game.start) != board(&start) {
            return Err(Unwritable::new("CHESS64 has no other start position than the usual one"));
        }
        losses.push(Loss::new("the number of the first turn, and what was before it"));
    }
    let end = game.end();
    let mut text = String::with_capacity(2 * game.actions.len() + 2);
    let mut both = |first: char, second: char| {
        text.push(first);
        text.push(second);
    };
    for m in game.actions.iter().flat_map(|action| action.moves()) {
        let color = m.from.board.color();
        let cased = |letter: char| if color == Color::White { letter } else { letter.to_ascii_lowercase() };
        let board = end.board(m.from.board);
        if let Some(side) = board.and_then(|board| castling(board, m)) {
            both(cased(side), cased(side));
            continue;
        }
        both(character(m.from.square), character(m.to.square));
        if let Some(kind) = m.promotion {
            both(cased(kind.letter()), cased(kind.letter()));
        }
    }
    let over = over(&end);
    let implied = result_of(over, end.to_move());
    match (game.result, over) {
        (None, _) => {}
        (result, Some(_)) if result == implied => {}
        (Some(result), Some(status)) => {
            losses.push(Loss::new(format!("the result `{result}`: the game ends with {status}")));
        }
        (Some(GameResult::WhiteWins), None) => both('k', 'k'),
        (Some(GameResult::BlackWins), None) => both('K', 'K'),
        (Some(GameResult::Draw), None) => {
            let letter = if end.to_move() == Color::White { 'D' } else { 'd' };
            both(letter, letter);
        }
        (Some(GameResult::Open), None) => losses.push(Loss::new("the result `*`")),
    }
    Ok((text, losses))
}

/// `A` or `H` for a castling move.
fn castling(board: &Board, m: &Move) -> Option<char> {
    let king = board.get(m.from.square).is_some_and(|piece| piece.kind == PieceKind::King);
    let (from, to) = (m.from.square.file(), m.to.square.file());
    (king && from.abs_diff(to) == 2).then_some(if to > from { 'H' } else { 'A' })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn;
    use crate::notation::pgn::properties::{Random, random_game};

    const SAMPLE: &str = "M5m4GVbsF1ftHHjrV4t4D/gv/n";
    const MISPRINT: &str = "M5m4GVbsF1ftHHV4t4D/gv/n";
    const SAMPLE_PGN: &str =
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bd6 4. O-O b6 5. Nxe5 Bxe5 6. Qh5 Nf6 7. Qxf7# 1-0\n";

    fn text(game: &Game) -> String {
        String::from_utf8(write_game(game).unwrap().bytes).unwrap()
    }

    fn pgn_text(text: &str) -> String {
        String::from_utf8(pgn::write_game(&read(text).unwrap()).unwrap().bytes).unwrap()
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
    }

    /// Class, code and span.
    fn refused(text: &str) -> (&'static str, &'static str, u32, u32) {
        let error = read(text).unwrap_err();
        (error.class(), error.issue().code, error.span().start, error.span().end)
    }

    fn warned(text: &str) -> Vec<&'static str> {
        let reading = read_so_far(text);
        assert_eq!(reading.error, None, "{text}");
        reading.warnings.iter().map(|warning| warning.code).collect()
    }

    #[test]
    fn every_square_has_its_character() {
        let rows =
            ["abcdefgh", "ijklmnop", "qrstuvwx", "yz02468/", "YZ13579+", "QRSTUVWX", "IJKLMNOP", "ABCDEFGH"];
        for (row, rank) in rows.into_iter().zip((0..8).rev()) {
            for (c, file) in row.chars().zip(0..8) {
                let here = Square::new(file, rank).unwrap();
                assert_eq!((character(here), square(c)), (c, Some(here)));
                let white = c.is_ascii_uppercase() || "13579+".contains(c);
                assert_eq!(white, rank < 4, "{c}");
                let mirrored = character(Square::new(file, 7 - rank).unwrap());
                let expected = match c {
                    '+' => '/',
                    '/' => '+',
                    '0'..='9' => char::from(c as u8 ^ 1),
                    _ => char::from(c as u8 ^ 0x20),
                };
                assert_eq!(mirrored, expected);
            }
        }
        let sorted = |table: &[u8]| {
            let mut table = table.to_vec();
            table.sort_unstable();
            table
        };
        assert_eq!(sorted(SQUARES), sorted(BASE64));
    }

    #[test]
    fn the_sample_is_read_as_its_game_once_the_missing_token_is_there() {
        assert_eq!(pgn_text(SAMPLE), SAMPLE_PGN);
        let game = pgn::read(SAMPLE_PGN).unwrap();
        assert_eq!(text(&game), SAMPLE);
        assert_eq!(write_game(&game).unwrap().losses, []);
        let reading = read_so_far(MISPRINT);
        assert_eq!(reading.spans.len(), 7);
        let error = reading.error.unwrap();
        assert_eq!((error.class(), error.span().of(MISPRINT), error.span().start), ("illegal", "V4", 14));
        assert!(error.issue().message.starts_with("action 4b: `V4` is a move from f3"), "{error}");
        // Its legality alone does not tell which token it was.
        let repaired = |token: String| MISPRINT[..14].to_string() + &token + &MISPRINT[14..];
        let pairs =
            SQUARES.iter().flat_map(|a| SQUARES.iter().map(move |b| format!("{}{}", *a as char, *b as char)));
        let legal: Vec<Game> = pairs.filter_map(|token| read(&repaired(token)).ok()).collect();
        assert_eq!(legal.len(), 18);
        assert_eq!(legal.iter().filter(|game| game.result.is_some()).count(), 14);
    }

    #[test]
    fn special_moves_have_their_tokens() {
        for (text, expected) in [
            ("JZiyZypxyqx/qj/+jaNN", "1. b4 a5 2. bxa5 h6 3. a6 h5 4. axb7 h4 5. bxa8=N *\n"),
            ("IQp/QY/+JR+XRZXOKSOHrr", "1. a3 h5 2. a4 h4 3. b3 h3 4. b4 hxg2 5. c3 gxh1=R *\n"),
            ("L3l2BSbsC7c6DTdtAAaa", "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd3 Qd6 5. O-O-O O-O-O *\n"),
            ("M5m4GVgvF1f0HHhh", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *\n"),
            ("M5iq54l24t", "1. e4 a6 2. e5 d5 3. exd6 *\n"),
            ("M5kk", "1. e4 1-0\n"),
            ("M5KK", "1. e4 0-1\n"),
            ("M5dd", "1. e4 1/2-1/2\n"),
            ("DD", "1/2-1/2\n"),
            ("", "*\n"),
        ] {
            assert_eq!(pgn_text(text), expected, "{text}");
            assert_eq!(warned(text), [""; 0], "{text}");
            assert_eq!(self::text(&read(text).unwrap()), text);
            assert_eq!(self::text(&pgn::read(expected).unwrap()), text);
        }
    }

    #[test]
    fn every_relaxation_is_a_warning() {
        for (text, code, strict) in [
            ("M5 m4", "white-space", "M5m4"),
            ("M5\r\nm4\n", "white-space", "M5m4"),
            ("M 5 m 4", "white-space", "M5m4"),
            ("M5m4==", "base64-padding", "M5m4"),
            ("IQp_", "address-alphabet", "IQp/"),
            ("IQp/P-", "address-alphabet", "IQp/P+"),
            ("CHESS64M5m4", "text-with-header", "M5m4"),
            ("M5m4GVgvF1f0EGeg", "castling-by-king", "M5m4GVgvF1f0HHhh"),
            ("L3l2BSbsC7c6DTdtECec", "castling-by-king", "L3l2BSbsC7c6DTdtAAaa"),
            ("JZiyZypxyqx/qj/+ja", "missing-promotion", "JZiyZypxyqx/qj/+jaQQ"),
            ("JZiyZypxyqx/qj/+jaiy", "missing-promotion", ""),
            ("JZiyZypxyqx/qj/+jann", "promotion-case", "JZiyZypxyqx/qj/+jaNN"),
            ("M5DD", "draw-case", "M5dd"),
        ] {
            if strict.is_empty() {
                assert!(read(text).is_err());
                continue;
            }
            assert_eq!(warned(text)[0], code, "{text}");
            assert_eq!(self::text(&read(text).unwrap()), strict);
            assert_eq!(read_so_far(text).strict().unwrap_err().issue().code, code);
        }
        // A text file ends with a line end.
        assert_eq!(warned("M5m4\n"), [""; 0]);
        assert_eq!(warned("M5m4\r\n"), [""; 0]);
        // Each kind is said once.
        assert_eq!(warned("M5 m4 GV"), ["white-space"]);
    }

    #[test]
    fn everything_else_is_refused() {
        for (text, class, code, start, end) in [
            ("M", "malformed", "odd-length", 0, 1),
            ("M5m", "malformed", "odd-length", 2, 3),
            ("M5m\u{e4}", "malformed", "foreign-character", 3, 5),
            ("M5.4", "malformed", "foreign-character", 2, 3),
            ("M5=m4", "malformed", "padding-inside", 2, 3),
            ("M4", "illegal", "no-such-move", 0, 2),
            ("M5M5", "illegal", "no-such-move", 2, 4),
            ("45", "illegal", "no-such-move", 0, 2),
            ("M5m4QQ", "illegal", "misplaced-promotion", 4, 6),
            ("HH", "illegal", "no-such-move", 0, 2),
            ("M5m4GVgvF1f0hh", "illegal", "no-such-move", 12, 14),
            ("JZiyZypxyqx/qj/+jaNNNN", "illegal", "misplaced-promotion", 20, 22),
            ("M5kkm4", "malformed", "text-after-end", 4, 6),
            ("M5ddkk", "malformed", "text-after-end", 4, 6),
            ("M5m4GVbsF1ftHHjrV4t4D/gv/nkk", "illegal", "game-over", 26, 28),
            ("M5m4GVbsF1ftHHjrV4t4D/gv/ndd", "illegal", "game-over", 26, 28),
            ("M5m4GVbsF1ftHHjrV4t4D/gv/nen", "illegal", "game-over", 26, 28),
            ("M5l2F4ks", "illegal", "no-such-move", 6, 8),
            ("M5l2FZiq", "illegal", "exposed-royal", 6, 8),
        ] {
            let text = if text == "M5l2F4ks" { "M5l2Fzks" } else { text };
            if text == "M5l2Fzks" {
                assert_eq!(read(text).map(|game| game.actions.len()), Ok(4));
                continue;
            }
            let text = &text.replace("M5l2FZiq", "M5l2Fziq");
            assert_eq!(refused(text), (class, code, start, end), "{text}");
        }
        // Of the 64 pairs only those with a meaning are more than two characters.
        let pair = |byte: &u8| refused(&String::from_utf8(vec![*byte, *byte]).unwrap()).1;
        let undefined =
            SQUARES.iter().filter(|byte| !b"KkDd".contains(byte)).filter(|b| pair(b) == "undefined-pair");
        assert_eq!(undefined.count(), 64 - 16);
    }

    #[test]
    fn binaries_are_padded_with_zero_bits() {
        let game = read(SAMPLE).unwrap();
        let whole = "434845535336343399b81956ec1757ed1c78eb578b780ff82ffe70";
        let written = write_binary_game(&game).unwrap().bytes;
        assert_eq!((hex(&written).as_str(), written.len()), (whole, 27));
        let reading = read_binary(&written);
        assert_eq!((reading.warnings, reading.error, reading.game), (vec![], None, Some(game)));
        assert_eq!(hex(&pack(MISPRINT)), "434845535336343399b81956ec1757ed1c7578b780ff82ffe7");
        // The misprint has 24 characters, so that nothing is padded; the bytes of `V4` are blamed.
        let error = read_binary(&pack(MISPRINT)).error.unwrap();
        assert_eq!((error.class(), error.span()), ("illegal", Span::new(17, 19)));
        let empty = read_binary(HEADER);
        assert_eq!((empty.error, empty.game.unwrap().actions.len()), (None, 0));
    }

    #[test]
    fn a_token_that_lost_four_bits_is_completed_if_that_is_unique() {
        let binary = |text: &str| pack(text);
        let naive = |text: &str| {
            let mut bytes = binary(text);
            assert_eq!((bytes.len() - HEADER.len()) % 3, 2);
            bytes.pop();
            bytes
        };
        // h5 takes f7 or h7.
        let reading = read_binary(&naive(SAMPLE));
        let error = reading.error.unwrap();
        assert_eq!(
            (error.class(), error.issue().code, reading.spans.len()),
            ("ambiguous", "damaged-binary", 12)
        );
        assert_eq!(error.issue().hint.as_deref(), Some("the last token is one of `/n`, `/p`"));
        // e4 e5 Ke2: of the squares with its two bits only one can be reached.
        let reading = read_binary(&naive("M5m4EM"));
        assert_eq!(reading.error, None);
        assert_eq!(reading.warnings[0].code, "damaged-binary");
        assert_eq!(text(&reading.clone().game.unwrap()), "M5m4EM");
        assert_eq!(reading.strict().unwrap_err().class(), "malformed");
        // Nothing fits.
        let mut none = binary("M5m4");
        none.push(0xff);
        assert_eq!(read_binary(&none).error.unwrap().class(), "malformed");
        // Bits that are not zero.
        let mut nonzero = binary("M5");
        *nonzero.last_mut().unwrap() |= 1;
        assert_eq!(read_binary(&nonzero).error.unwrap().issue().code, "nonzero-padding");
    }

    #[test]
    fn a_file_without_header_may_be_text() {
        let reading = read_binary(b"M5m4\n");
        assert_eq!(reading.warnings[0].code, "missing-header");
        assert_eq!(text(&reading.game.unwrap()), "M5m4");
        for bytes in [&b""[..], b"CHESS", b"\x00", b"M5.m4", b"chess64"] {
            let error = read_binary(bytes).error.unwrap();
            assert!(error.issue().code == "missing-header" || bytes == b"CHESS" || bytes == b"chess64");
        }
        assert_eq!(read_binary(&bytes("43484553533634")).error, None);
    }

    #[test]
    fn what_is_not_said_is_a_loss() {
        let game = pgn::read("[White \"a\"]\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 0-1").unwrap();
        let written = write_game(&game).unwrap();
        let losses: Vec<&str> = written.losses.iter().map(|loss| loss.what.as_str()).collect();
        assert_eq!(losses, ["the header `White`", "the result `0-1`: the game ends with checkmate"]);
        let other = pgn::read("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"] *").unwrap();
        assert!(write_game(&other).unwrap_err().reason.contains("start position"));
        let later = START.replace("0 1", "0 9");
        let later = pgn::read(&format!("[FEN \"{later}\"] 9. e4 *")).unwrap();
        let written = write_game(&later).unwrap();
        assert_eq!((written.bytes.as_slice(), written.losses.len()), (&b"M5"[..], 1));
        let jump = crate::notation::pgn5d::read("1. Nf3 / Nf6 2. N>>f5").unwrap();
        assert_eq!(write_game(&jump).unwrap_err().action, Some(2));
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn random_games_are_read_back_from_text_and_binary() {
        let mut special = [0; 5];
        for seed in 0..400 {
            let game = random_game(seed, false);
            let text = text(&game);
            for (count, kind) in special.iter_mut().zip(["AA", "HH", "aa", "hh", "QQ"]) {
                *count += text.as_bytes().chunks(2).filter(|token| *token == kind.as_bytes()).count();
            }
            let reading = read_so_far(&text);
            assert_eq!((reading.error, reading.warnings), (None, vec![]), "{text}");
            let back = reading.game.unwrap();
            assert_eq!(back.actions, game.actions, "{text}");
            assert_eq!(self::text(&back), text);
            let binary = write_binary_game(&game).unwrap().bytes;
            assert_eq!(binary.len(), HEADER.len() + (text.len() * 6).div_ceil(8));
            let reading = read_binary(&binary);
            assert_eq!((reading.error, reading.warnings), (None, vec![]), "{text}");
            assert_eq!(self::text(&reading.game.unwrap()), text);
        }
        assert!(special.iter().all(|&count| count > 0), "{special:?}");
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let mut random = Random(11);
        for seed in 0..2_000 {
            let game = random_game(seed % 50, false);
            let text = text(&game);
            let binary = random.below(2) == 0;
            let mut bytes = if binary { pack(&text) } else { text.into_bytes() };
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len() + 1);
                match random.below(4) {
                    0 if at < bytes.len() => bytes[at] = SQUARES[random.below(64)],
                    1 => bytes.insert(at, b"\n =-_KkDdQqRrNnAaHh\xc3"[random.below(20)]),
                    2 => bytes.truncate(at),
                    _ => bytes.insert(at, random.below(256) as u8),
                }
            }
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            let (reading, length) =
                if binary { (read_binary(&bytes), bytes.len()) } else { (read_so_far(&shown), shown.len()) };
            let spans =
                reading.error.iter().map(ReadError::span).chain(reading.warnings.iter().map(|w| w.span));
            assert!(spans.into_iter().all(|span| span.start <= span.end && span.end as usize <= length));
            if let Some(game) = reading.game.filter(|_| reading.error.is_none()) {
                let canonical = self::text(&game);
                assert_eq!(read_so_far(&canonical).strict().as_ref(), Ok(&game), "{shown}");
            }
        }
    }

    /// A figure, not a test: `cargo test --release moves_a_second -- --ignored --nocapture`.
    #[test]
    #[ignore = "measures"]
    fn moves_a_second() {
        let texts: Vec<String> = (0..2_000).map(|seed| text(&random_game(seed, true))).collect();
        let started = std::time::Instant::now();
        let mut moves = 0;
        for _ in 0..5 {
            for text in &texts {
                moves += std::hint::black_box(read(text)).unwrap().actions.len();
            }
        }
        let rate = moves as f64 / started.elapsed().as_secs_f64() / 1e6;
        println!("{moves} moves, {rate:.2} million a second");
        assert!(rate > 1.0);
    }
}
