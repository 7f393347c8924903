//! Resolves a [`Record`] into a [`Game`]: finds the one legal move that each text can mean.

use super::san::Writer;
use super::{Record, Remark, START_HEADERS};
use crate::notation::common::fen;
use crate::notation::common::header;
use crate::notation::common::move_text::{NO_CASTLING, VARIATION};
use crate::notation::common::notes::{comment_of, glyph_of};
use crate::notation::common::orthodox;
use crate::notation::common::replay::{Replay, too_long};
use crate::notation::common::{
    Game, GameResult, Header, Issue, Loss, MoveText, Note, Notes, Number, ParseError, Parsed, Shape, Span,
};
use crate::state::Position;
use crate::types::{Action, Color, Move, Piece, PieceKind, Square};

/// The limit of warnings: a text in another style has one for each move.
const MAX_WARNINGS: usize = 1_000;

/// Plays a record up to its first error.
pub(super) fn game(record: &Record<'_>) -> Parsed {
    let mut warnings = Vec::new();
    let (start, clock) = match start(record, &mut warnings) {
        Ok(start) => start,
        Err(error) => return Parsed { warnings, ..Parsed::refused(error) },
    };
    let mut player = Replay::new(start);
    player.warnings = warnings;
    player.actions.reserve_exact(record.moves.len());
    player.spans.reserve_exact(record.moves.len());
    // Moves are numbered from the turn of the board.
    player.take_number(player.position.present().turn().unsigned_abs().into());
    let mut reader = Reader { player, writer: Writer::default(), canonical: String::new() };
    let error = record.moves.iter().try_for_each(|text| reader.play(record.text, text)).err();
    for (_, span) in record.remarks.iter().filter(|(remark, _)| *remark == Remark::Variation) {
        reader.warn("variation-skipped", *span, VARIATION);
    }
    let result = result(record, &mut reader);
    let mut headers = header::kept(&record.headers, record.text, is_about_start);
    headers.extend(fen::clock_header(clock));
    let (losses, notes) = (losses(record, &reader.player), notes(record, reader.player.actions.len()));
    Parsed { losses, ..reader.player.finish(error).map(|game| Game { headers, notes, result, ..game }) }
}

fn is_about_start(header: &Header, text: &str) -> bool {
    START_HEADERS.iter().any(|name| name.eq_ignore_ascii_case(header.key.of(text)))
}

fn headers_named<'a>(record: &'a Record<'_>, name: &'a str) -> impl Iterator<Item = &'a Header> {
    record.headers.iter().filter(move |header| header.key.of(record.text).eq_ignore_ascii_case(name))
}

/// The start position and its half-move clock.
fn start(record: &Record<'_>, warnings: &mut Vec<Issue>) -> Result<(Position, u32), ParseError> {
    if let Some(header) = headers_named(record, "Variant").next() {
        let value = header.value(record.text);
        let known = ["standard", "normal", "chess", "orthodox", "from position"];
        if !known.contains(&value.trim().to_ascii_lowercase().as_str()) {
            let message = format!("read as orthodox chess, not as `{value}`");
            warnings.push(Issue::new("other-variant", header.value, message));
        }
    }
    let mut positions = headers_named(record, "FEN");
    let Some(header) = positions.next() else {
        let promised = headers_named(record, "SetUp").find(|header| header.value.of(record.text) == "1");
        if let Some(header) = promised {
            let message = "read from the usual start: `SetUp` promises a header `FEN`, but there is none";
            warnings.push(Issue::new("missing-start", header.span, message));
        }
        return Ok((orthodox::standard_start(), 0));
    };
    if let Some(second) = positions.next() {
        let message = "the header `FEN` is written twice";
        return Err(Issue::new("contradicting-headers", second.span, message).malformed());
    }
    // The value is taken unescaped: no FEN has a backslash.
    let read = fen::parse(header.value.of(record.text)).at(header.value.range().start);
    warnings.extend(read.warnings.iter().cloned());
    read.into_result()
}

/// The result after the moves, or else that of the header.
fn result(record: &Record<'_>, reader: &mut Reader) -> Option<GameResult> {
    let header = headers_named(record, "Result").next();
    let told = header.and_then(|header| GameResult::from_text(&header.value(record.text)));
    let result = match (record.result, header.zip(told)) {
        (Some((result, span)), _) => {
            if told.is_some_and(|told| told != result) {
                let message = format!("the header `Result` says otherwise: read as `{result}`");
                reader.warn("contradicting-result", span, message);
            }
            if result == GameResult::Draw && span.of(record.text) == "1/2" {
                reader.warn("other-spelling", span, "read as `1/2-1/2`");
            }
            result
        }
        (None, Some((header, told))) => {
            let message = "the moves do not end with a result: it is read from the header";
            reader.warn("missing-result", header.value, message);
            told
        }
        (None, None) => {
            let end = record.text.len();
            reader.warn(
                "missing-result",
                Span::new(end, end),
                "the moves do not end with a result, such as `*`",
            );
            return None;
        }
    };
    (result != GameResult::Open).then_some(result)
}

/// The comments and annotations of a record, at the actions before them; those after an error are not part of the game.
fn notes(record: &Record<'_>, played: usize) -> Notes {
    let mut notes = Notes::new();
    for (remark, span) in &record.remarks {
        let after = record.moves.partition_point(|text| text.span.start < span.start);
        if after > played {
            break;
        }
        let text = span.of(record.text);
        let mut note = Note::default();
        match remark {
            Remark::Comment => note.comments.extend(comment_of(text)),
            Remark::Annotation => note.glyphs.extend(glyph(text)),
            Remark::Variation | Remark::Escape => {}
        }
        if !note.is_empty() {
            let kept = notes.entry(after).or_default();
            kept.comments.append(&mut note.comments);
            kept.glyphs.append(&mut note.glyphs);
        }
    }
    notes
}

/// The number of an annotation, if a game can hold it.
fn glyph(text: &str) -> Option<u8> {
    text.strip_prefix('$').map_or_else(|| glyph_of(text), |number| number.parse().ok())
}

/// The losses of a record: its variations, its escaped lines, and annotations with large numbers.
fn losses(record: &Record<'_>, player: &Replay) -> Vec<Loss> {
    player.losses_at(record.remarks.iter().filter_map(|(remark, span)| {
        let text = span.of(record.text);
        let what = match remark {
            Remark::Annotation if glyph(text).is_none() => format!("the annotation `{text}`"),
            Remark::Comment | Remark::Annotation => return None,
            Remark::Variation => "a variation".to_owned(),
            Remark::Escape => "a line that begins with `%`".to_owned(),
        };
        Some((span.start, what))
    }))
}

/// Plays the moves of a record.
struct Reader {
    player: Replay,
    writer: Writer,
    /// The canonical text of a move; a reused buffer.
    canonical: String,
}

impl Reader {
    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        match self.player.warnings.len() {
            ..MAX_WARNINGS => self.player.warn(code, span, message),
            MAX_WARNINGS => {
                self.player.warn("more-warnings", span, "there are more warnings, which are not shown");
            }
            _ => {}
        }
    }

    fn play(&mut self, text: &str, written: &MoveText) -> Result<(), ParseError> {
        written.number.map_or(Ok(()), |number| self.check_number(number))?;
        let m = self.meant(written)?;
        if !self.player.position.has_room_for(&m) {
            return Err(too_long(written.span));
        }
        self.canonical.clear();
        self.writer.write(&mut self.canonical, &mut self.player.position, &m);
        self.player.played(Action::from(vec![m]), written.span);
        let shown = written.span.of(text);
        if shown != self.canonical {
            self.remark_on_spelling(written, shown);
        }
        Ok(())
    }

    fn check_number(&mut self, number: Number) -> Result<(), ParseError> {
        let (expected, color) = (self.player.number(), self.player.position.to_move());
        if number.color == Color::Black && color == Color::White {
            let message = format!(
                "expected a move of {}, but the dots announce one of {}",
                color.name(),
                (!color).name()
            );
            let error = Issue::new("wrong-player", number.span, message).illegal();
            return Err(self.player.in_action(error));
        }
        if number.color != color || usize::try_from(number.value) != Ok(expected) {
            let dots = if color == Color::White { "." } else { "..." };
            self.warn("wrong-number", number.span, format!("expected the number `{expected}{dots}`"));
            self.player.take_number(number.value);
        }
        Ok(())
    }

    /// Warns if a move is not written in the canonical form.
    fn remark_on_spelling(&mut self, written: &MoveText, shown: &str) {
        let bare = |text: &str| text.trim_end_matches(['+', '#']).to_string();
        let canonical = self.canonical.clone();
        if bare(shown) == bare(&canonical) {
            self.warn(
                "wrong-check-mark",
                written.span,
                format!("the mark of check or mate is missing or wrong: read as `{canonical}`"),
            );
        } else if written.promotion.is_none() && canonical.contains('=') {
            let message = format!("what the pawn becomes is not written: read as `{canonical}`");
            self.warn("missing-promotion", written.span, message);
        } else {
            self.warn("other-spelling", written.span, format!("read as `{canonical}`"));
        }
    }

    /// The one move that the text can mean.
    fn meant(&mut self, written: &MoveText) -> Result<Move, ParseError> {
        let Replay { position, candidates, .. } = &mut self.player;
        position.moves_on_board(candidates);
        candidates.retain(|m| fits(position, written, m));
        let exposed = !candidates.is_empty();
        position.retain_legal_on_board(candidates);
        match candidates.as_slice() {
            [] => Err(self.refused(written, exposed)),
            [only] => Ok(*only),
            // Only the promotion is open: to a queen.
            [first, rest @ ..]
                if written.promotion.is_none()
                    && first.promotion.is_some()
                    && rest.iter().all(|m| m.from == first.from) =>
            {
                Ok(Move { promotion: Some(PieceKind::Queen), ..*first })
            }
            several => {
                let message = "more than one move is written like this";
                let issue = Issue::new("ambiguous-move", written.span, message);
                let error = issue.hint(format!("write one of: {}", shown(position, several))).ambiguous();
                Err(self.player.in_action(error))
            }
        }
    }

    /// The error that no move fits, with the reason.
    fn refused(&self, written: &MoveText, exposed: bool) -> ParseError {
        let position = &self.player.position;
        if let Some(error) = orthodox::game_over(&self.player, written.span) {
            return error;
        }
        if exposed {
            return orthodox::exposed(&self.player, written.span);
        }
        let color = position.to_move();
        let (what, to) = match written.shape {
            Shape::Piece { kind, to, .. } => {
                let kind = kind.unwrap_or(PieceKind::Pawn);
                (format!("no {color} {kind} can make this move"), Some(to))
            }
            _ => (NO_CASTLING.to_owned(), None),
        };
        let mut legal = Vec::new();
        position.legal_moves_on_board(&mut legal);
        legal.retain(|m| Some(m.to.square) == to);
        let hint = (!legal.is_empty()).then(|| format!("what can go there: {}", shown(position, &legal)));
        let issue = Issue::new("no-such-move", written.span, what);
        self.player.in_action(Issue { hint, ..issue }.illegal())
    }
}

/// The first few of these moves as text.
fn shown(position: &Position, moves: &[Move]) -> String {
    let shown: Vec<String> = moves.iter().take(6).map(|m| super::san(position, m)).collect();
    shown.join(", ")
}

/// Whether a move matches the text.
fn fits(position: &Position, written: &MoveText, m: &Move) -> bool {
    let Some((_, board)) = position.only_board() else { return false };
    let Shape::Piece { kind, file, rank, to, .. } = written.shape else {
        return orthodox::castling(board, m) == written.shape.castling();
    };
    let kind = kind.unwrap_or(PieceKind::Pawn);
    let from: Square = m.from.square;
    m.to.square == to
        && file.is_none_or(|file| file == from.file())
        && rank.is_none_or(|rank| rank == from.rank())
        && written.promotion.is_none_or(|promotion| m.promotion == Some(promotion))
        && board.get(from) == Some(Piece { color: position.to_move(), kind })
        // A pawn capture gives the file of origin.
        && (kind != PieceKind::Pawn || file.is_some() || from.file() == to.file())
}
