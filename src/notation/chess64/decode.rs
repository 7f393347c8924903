//! Decodes tokens into moves and checks that they are legal.

use super::table::{BASE64, SQUARE_OF, square_of};
use super::{HEADER, result_of};
use crate::notation::common::Cursor;
use crate::notation::common::lines::mark_length;
use crate::notation::common::orthodox;
use crate::notation::common::replay::{Replay, too_long};
use crate::notation::common::work::look_at;
use crate::notation::common::{Game, GameResult, Issue, MAX_ACTIONS, ParseError, Parsed, Span};
use crate::rules::{IllegalAction, IllegalMove};
use crate::types::{Action, Color, Move, Piece, PieceKind, Square};

/// A decoder, which plays the moves of the tokens.
#[derive(Clone)]
pub(super) struct Decoder {
    player: Replay,
    /// A pawn move to the last rank whose promotion is not read yet; here to a queen.
    promoting: Option<(Move, Span)>,
    result: Option<GameResult>,
}

impl Decoder {
    pub(super) fn new(tokens: usize) -> Decoder {
        let mut player = Replay::new(orthodox::standard_start());
        let expected = tokens.min(MAX_ACTIONS);
        player.actions.reserve_exact(expected);
        player.spans.reserve_exact(expected);
        Decoder { player, promoting: None, result: None }
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), ParseError> {
        let bytes = text.as_bytes();
        let begin = mark_length(text);
        let mut at = begin;
        let shown = text[begin..].trim_ascii_start();
        if shown.starts_with("CHESS64") {
            at = text.len() - shown.len() + HEADER.len();
            self.player.warn(
                "text-with-header",
                Span::new(begin, at),
                "only the binary form begins with `CHESS64`: read without it",
            );
        }
        let mut first = None;
        let mut remarks = Remarks::default();
        while let Some(&byte) = bytes.get(at) {
            look_at(1);
            let byte = match byte {
                _ if square_of(byte).is_some() && remarks.padding.is_none() => byte,
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
            let message =
                "expected an even number of characters: a token has two, but the last one has only one";
            return Err(Issue::new("odd-length", Span::new(at, at + 1), message).malformed());
        }
        self.end_of_tokens()
    }

    /// The character that a byte outside the alphabet stands for, if there is one.
    fn ornament(&mut self, text: &str, at: usize, remarks: &mut Remarks) -> Result<Option<u8>, ParseError> {
        let byte = text.as_bytes()[at];
        let span = Span::new(at, at + 1);
        if byte.is_ascii_whitespace() {
            // The line end at the end of a text file gives no warning.
            let ends_text = matches!(&text[at..], "\n" | "\r\n" | "\r");
            if !remarks.blank && !ends_text && !text[..at].ends_with('\r') {
                remarks.blank = true;
                self.player.warn("white-space", span, "the strict form has no white space: read without it");
            }
            return Ok(None);
        }
        if byte == b'=' {
            if remarks.padding.is_none() {
                remarks.padding = Some(at);
                self.player.warn("base64-padding", span, "the strict form has no `=`: read without it");
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
                let mut cursor = Cursor::new(text);
                cursor.at = at;
                return Err(cursor.expected("foreign-character", "a character of Base64").malformed());
            }
        };
        if !remarks.url {
            remarks.url = true;
            let message = "the strict form has `+` and `/` where this text has `-` and `_`";
            self.player.warn("address-alphabet", span, message);
        }
        Ok(Some(meant))
    }

    pub(super) fn binary(&mut self, payload: &[u8]) -> Result<(), ParseError> {
        let bits = payload.len() * 8;
        let tokens = bits / 12;
        look_at(payload.len());
        for token in 0..tokens {
            let (from, to) = (character_at(payload, 2 * token), character_at(payload, 2 * token + 1));
            self.token(from, to, binary_span(token, payload.len()))?;
        }
        let end = HEADER.len() + payload.len();
        let last = Span::new(end.saturating_sub(1), end);
        match bits % 12 {
            4 if payload.last().is_some_and(|byte| byte & 15 != 0) => {
                let message = "expected the last four bits to be 0, since the number of tokens is odd";
                Err(Issue::new("nonzero-padding", last, message).malformed())
            }
            8 => self.complete(payload[payload.len() - 1], last),
            _ => self.end_of_tokens(),
        }
    }

    /// Completes a last token of which only the first eight bits are there.
    fn complete(&mut self, byte: u8, span: Span) -> Result<(), ParseError> {
        let from = BASE64[usize::from(byte >> 2)];
        let fitting = (0..16).filter_map(|lost| {
            let to = BASE64[usize::from(byte & 3) << 4 | lost];
            let mut decoder = self.clone();
            // Accept the guessed bits only if the token decodes without a warning.
            let tried = decoder.token(from, to, span).and_then(|()| decoder.end_of_tokens());
            let good = tried.is_ok() && decoder.player.warnings.len() == self.player.warnings.len();
            good.then_some((to, decoder))
        });
        let mut fitting: Vec<(u8, Decoder)> = fitting.collect();
        let shown = |to: &u8| format!("`{}{}`", char::from(from), char::from(*to));
        match fitting.len() {
            1 => {
                let (to, decoder) = fitting.remove(0);
                *self = decoder;
                let message =
                    format!("the last four bits are missing: read as {}, the only legal token", shown(&to));
                self.player.warn("damaged-binary", span, message);
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

    #[inline]
    fn token(&mut self, from: u8, to: u8, span: Span) -> Result<(), ParseError> {
        if self.result.is_some() {
            let message = "expected the end of the text: the game has ended with a resignation or a draw";
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
    fn pair(&mut self, letter: u8, span: Span) -> Result<(), ParseError> {
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
                if color != self.player.position.to_move() {
                    let message =
                        "in the strict form a draw is `DD` if White is to move, and `dd` if Black is";
                    self.player.warn("draw-case", span, message);
                }
                return self.end(GameResult::Draw, span);
            }
            _ => {
                let letter = char::from(letter);
                let message = format!("`{letter}{letter}` means nothing: a move needs two squares");
                return Err(Issue::new("undefined-pair", span, message).malformed());
            }
        };
        let Some((m, start)) = self.promoting.take() else {
            let letter = char::from(letter);
            let message = format!("`{letter}{letter}` promotes, but no pawn has just reached its last rank");
            let error = Issue::new("misplaced-promotion", span, message).illegal();
            return Err(self.player.in_action(error));
        };
        if color != self.player.position.to_move() {
            self.player.warn(
                "promotion-case",
                span,
                "in the strict form White promotes in capitals, Black in small letters",
            );
        }
        self.make(Move { promotion: Some(kind), ..m }, start.to(span));
        Ok(())
    }

    fn castle(&mut self, color: Color, short: bool, span: Span, letter: u8) -> Result<(), ParseError> {
        let rank = if color == Color::White { 0 } else { 56 };
        let (king, landing) =
            (Square::from_index(rank + 4), Square::from_index(rank + if short { 6 } else { 2 }));
        let is_king = self.piece_on(king) == Some(Piece { color, kind: PieceKind::King });
        if color == self.player.position.to_move()
            && is_king
            && let Ok(m) = self.player.position.legal_on_board(king, landing, None)
        {
            self.make(m, span);
            return Ok(());
        }
        let token = [letter, letter].map(char::from).iter().collect::<String>();
        let can = if color == self.player.position.to_move() {
            "cannot castle to that side"
        } else {
            "is not to move"
        };
        let message = format!("`{token}` castles for {}, who {can}", color.name());
        let issue = Issue::new("no-such-move", span, message);
        Err(orthodox::game_over(&self.player, span).unwrap_or_else(|| self.player.in_action(issue.illegal())))
    }

    fn play(&mut self, from: Square, to: Square, span: Span, token: [u8; 2]) -> Result<(), ParseError> {
        let legal = match self.player.position.legal_on_board(from, to, None) {
            // No other king moves two squares.
            Ok(m) => {
                if from.file().abs_diff(to.file()) == 2
                    && self.piece_on(from).is_some_and(|piece| piece.kind == PieceKind::King)
                {
                    let message = "the strict form castles by the square of the rook, as `HH`";
                    self.player.warn("castling-by-king", span, message);
                }
                self.make(m, span);
                return Ok(());
            }
            Err(reason) => reason,
        };
        if let (IllegalAction::IllegalMove { .. }, 0 | 7) = (&legal, to.rank())
            && let Ok(m) = self.player.position.legal_on_board(from, to, Some(PieceKind::Queen))
        {
            self.promoting = Some((m, span));
            return Ok(());
        }
        Err(self.refused(from, to, span, token, legal))
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.player.position.only_board().and_then(|(_, board)| board.get(square))
    }

    #[inline]
    fn make(&mut self, m: Move, span: Span) {
        self.player.position.play_legal_on_board(&m);
        self.player.played(Action::from(vec![m]), span);
    }

    /// The error of a refused move.
    #[cold]
    fn refused(
        &self,
        from: Square,
        to: Square,
        span: Span,
        token: [u8; 2],
        reason: IllegalAction,
    ) -> ParseError {
        if matches!(reason, IllegalAction::IllegalMove { why: IllegalMove::TooLarge, .. }) {
            return too_long(span);
        }
        if let Some(error) = orthodox::game_over(&self.player, span) {
            return error;
        }
        let player = self.player.position.to_move();
        let why = match (reason, self.piece_on(from)) {
            (IllegalAction::Exposed(_), _) => return orthodox::exposed(&self.player, span),
            (_, None) => format!("is a move from {from}, which is empty"),
            (_, Some(piece)) if piece.color != player => {
                let player = player.name();
                format!("is a move from {from}, where a {piece} stands, but {player} is to move")
            }
            // The move may be refused for the queen that it promotes to: then it is the pawn's move that
            // exposes the king.
            (_, Some(piece)) => match self.player.position.legal_on_board(from, to, Some(PieceKind::Queen)) {
                Err(IllegalAction::Exposed(_)) => return orthodox::exposed(&self.player, span),
                _ => format!("is a move from {from} to {to}, which the {piece} cannot make"),
            },
        };
        let token: String = token.map(char::from).iter().collect();
        let issue = Issue::new("no-such-move", span, format!("`{token}` {why}"));
        self.player.in_action(issue.illegal())
    }

    /// Promotes a pawn to a queen if its promotion is not written.
    #[inline]
    fn end_promotion(&mut self) {
        if let Some((m, span)) = self.promoting.take() {
            self.player.warn(
                "missing-promotion",
                span,
                "what the pawn becomes is not written: read as a queen",
            );
            self.make(m, span);
        }
    }

    fn end(&mut self, result: GameResult, span: Span) -> Result<(), ParseError> {
        self.end_promotion();
        if let Some(error) = orthodox::game_over(&self.player, span) {
            return Err(error);
        }
        self.result = Some(result);
        Ok(())
    }

    fn end_of_tokens(&mut self) -> Result<(), ParseError> {
        self.end_promotion();
        if self.result.is_none() {
            self.result = result_of(orthodox::over(&self.player.position), self.player.position.to_move());
        }
        Ok(())
    }

    pub(super) fn finish(self, error: Option<ParseError>) -> Parsed {
        let result = self.result;
        self.player.finish(error).map(|game| Game { result, ..game })
    }
}

/// The relaxations of characters that were warned about already.
#[derive(Default)]
struct Remarks {
    blank: bool,
    url: bool,
    padding: Option<usize>,
}

/// Whether a text may contain this byte in addition to the characters of squares.
pub(super) fn is_ornament(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'-' | b'_' | b'=')
}

/// The character of six bits of a binary.
fn character_at(payload: &[u8], index: usize) -> u8 {
    let (byte, shift) = (index * 6 / 8, index * 6 % 8);
    let pair = u16::from(payload[byte]) << 8 | u16::from(payload.get(byte + 1).copied().unwrap_or(0));
    BASE64[usize::from(pair >> (10 - shift) & 63)]
}

/// The bytes of a binary in which a token lies.
fn binary_span(token: usize, payload: usize) -> Span {
    let end = ((token + 1) * 12).div_ceil(8).min(payload);
    Span::new(HEADER.len() + token * 12 / 8, HEADER.len() + end)
}
