//! [`Record`] to [`Game`]: which move each text can only mean, and whether it is legal.

use super::san::{Writer, castling};
use super::{MoveText, Record, Remark, START_HEADERS, Shape};
use crate::notation::common::fen;
use crate::notation::common::orthodox;
use crate::notation::common::{Game, GameResult, Header, Issue, Loss, ParseError, Parsed, Span};
use crate::state::Position;
use crate::types::{Action, Color, Move, Piece, PieceKind, Square};

/// After so many warnings no more are made: a text in another style has one for each move.
const MAX_WARNINGS: usize = 1_000;

/// Plays a record as far as it goes.
pub(super) fn game(record: &Record<'_>) -> Parsed {
    let mut warnings = Vec::new();
    let (start, clock) = match start(record, &mut warnings) {
        Ok(start) => start,
        Err(error) => return Parsed { warnings, ..Parsed::refused(error) },
    };
    let mut player = Replay {
        position: start.clone(),
        actions: Vec::with_capacity(record.moves.len()),
        spans: Vec::with_capacity(record.moves.len()),
        warnings,
        ahead: 0,
        moves: Vec::new(),
        writer: Writer::default(),
        canonical: String::new(),
    };
    let error = record.moves.iter().try_for_each(|text| player.play(record.text, text)).err();
    for (_, span) in record.remarks.iter().filter(|(remark, _)| *remark == Remark::Variation) {
        player.warn("variation-skipped", *span, "the variation is not read");
    }
    let result = result(record, &mut player);
    let headers = record.headers.iter().filter(|header| !is_about_start(header, record.text));
    let headers = headers
        .map(|header| (header.key.of(record.text).to_string(), header.value(record.text).into_owned()))
        .chain(fen::clock_header(clock));
    let game = Game { headers: headers.collect(), result, ..Game::new(start, player.actions) };
    let losses = losses(record, &player.spans);
    Parsed { value: Some(game), spans: player.spans, warnings: player.warnings, losses, error }
}

fn is_about_start(header: &Header, text: &str) -> bool {
    START_HEADERS.iter().any(|name| name.eq_ignore_ascii_case(header.key.of(text)))
}

fn headers_named<'a>(record: &'a Record<'_>, name: &'a str) -> impl Iterator<Item = &'a Header> {
    record.headers.iter().filter(move |header| header.key.of(record.text).eq_ignore_ascii_case(name))
}

/// The start position and its clock of half-moves.
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
            let message = "read as a game from the usual position: there is no header `FEN`";
            warnings.push(Issue::new("missing-start", header.span, message));
        }
        return Ok((orthodox::standard_start(), 0));
    };
    if let Some(second) = positions.next() {
        let message = "there are two headers `FEN`";
        return Err(Issue::new("contradicting-headers", second.span, message).malformed());
    }
    let moved = |issue: Issue| Issue {
        span: Span {
            start: header.value.start.saturating_add(issue.span.start),
            end: header.value.start.saturating_add(issue.span.end),
        },
        ..issue
    };
    // A backslash is no part of a FEN, so that the value stands in the text as it is.
    let mut remarks = Vec::new();
    let read = fen::read(header.value.of(record.text), &mut remarks);
    warnings.extend(remarks.into_iter().map(moved));
    read.map_err(|error| error.map(moved))
}

/// The result after the moves, or else that of the header.
fn result(record: &Record<'_>, player: &mut Replay) -> Option<GameResult> {
    let header = headers_named(record, "Result").next();
    let told = header.map(|header| header.value(record.text));
    let told = told.as_deref().and_then(GameResult::from_text);
    let (result, span) = match (record.result, header) {
        (Some((result, span)), _) => {
            if told.is_some_and(|told| told != result) {
                let message = format!("the header `Result` says otherwise: read as {result}");
                player.warn("contradicting-result", span, message);
            }
            if result == GameResult::Draw && span.of(record.text) == "1/2" {
                player.warn("other-spelling", span, "read as 1/2-1/2");
            }
            (result, span)
        }
        (None, Some(header)) if told.is_some() => {
            let message = "expected the result at the end of the moves: read from the header";
            player.warn("missing-result", header.value, message);
            (told?, header.value)
        }
        _ => {
            let end = record.text.len();
            player.warn("missing-result", Span::new(end, end), "expected a result, as `*`, at the end");
            return None;
        }
    };
    let _ = span;
    (result != GameResult::Open).then_some(result)
}

/// What a record says beyond the game.
fn losses(record: &Record<'_>, actions: &[Span]) -> Vec<Loss> {
    let mut begun = 0;
    let about = |(remark, span): &(Remark, Span)| {
        while actions.get(begun).is_some_and(|action| action.start < span.start) {
            begun += 1;
        }
        let what = match remark {
            Remark::Comment => "a comment".to_string(),
            Remark::Annotation => format!("the annotation `{}`", span.of(record.text)),
            Remark::Variation => "a variation".to_string(),
            Remark::Escape => "a line that begins with `%`".to_string(),
        };
        Loss { what, action: begun.checked_sub(1) }
    };
    record.remarks.iter().map(about).collect()
}

/// Plays the moves of a record.
struct Replay {
    position: Position,
    actions: Vec<Action>,
    spans: Vec<Span>,
    warnings: Vec<Issue>,
    /// How much higher the text counts its moves than the boards count turns.
    ahead: i64,
    /// The moves that a text may mean; kept for its memory.
    moves: Vec<Move>,
    writer: Writer,
    /// How the move is written; kept for its memory.
    canonical: String,
}

impl Replay {
    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Issue::new(code, span, message));
        } else if self.warnings.len() == MAX_WARNINGS {
            self.warnings.push(Issue::new(
                "more-warnings",
                span,
                "there is more like this, which is not said",
            ));
        }
    }

    fn play(&mut self, text: &str, written: &MoveText) -> Result<(), ParseError> {
        self.check_number(written)?;
        let m = self.meant(written)?;
        if !self.position.has_room_for(&m) {
            let message = "the game has more turns than are supported";
            return Err(Issue::new("game-too-long", written.span, message).malformed());
        }
        self.canonical.clear();
        self.writer.write(&mut self.canonical, &mut self.position, &m);
        let shown = written.span.of(text);
        if shown != self.canonical {
            self.remark_on_spelling(written, shown);
        }
        self.actions.push(Action::from(vec![m]));
        self.spans.push(written.span);
        Ok(())
    }

    fn turn(&self) -> (i16, Color) {
        self.position.only_board().map_or((1, Color::White), |(at, _)| (at.half_turn.turn(), at.color()))
    }

    fn check_number(&mut self, written: &MoveText) -> Result<(), ParseError> {
        let Some(number) = written.number else { return Ok(()) };
        let (turn, color) = self.turn();
        if number.color == Color::Black && color == Color::White {
            let message = format!("expected a move of {color}, but dots announce one of {}", !color);
            return Err(self.named(Issue::new("wrong-player", number.span, message)).illegal());
        }
        let turn = i64::from(turn) + self.ahead;
        if number.color != color || i64::from(number.value) != turn {
            let expected = if color == Color::White { "." } else { "..." };
            self.warn("wrong-number", number.span, format!("expected the number `{turn}{expected}`"));
            self.ahead += i64::from(number.value) - turn;
        }
        Ok(())
    }

    /// Says what is not as it would be written.
    fn remark_on_spelling(&mut self, written: &MoveText, shown: &str) {
        let bare = |text: &str| text.trim_end_matches(['+', '#']).to_string();
        let canonical = self.canonical.clone();
        if bare(shown) == bare(&canonical) {
            self.warn("wrong-check-mark", written.span, format!("the move is written `{canonical}`"));
        } else if written.promotion.is_none() && canonical.contains('=') {
            let message = format!("expected what the pawn becomes: read as `{canonical}`");
            self.warn("missing-promotion", written.span, message);
        } else {
            self.warn("other-spelling", written.span, format!("read as `{canonical}`"));
        }
    }

    /// The one move that the text can mean.
    fn meant(&mut self, written: &MoveText) -> Result<Move, ParseError> {
        self.list(written, |_, _| true);
        let pseudo = self.moves.len();
        self.position.retain_legal_on_board(&mut self.moves);
        match self.moves.as_slice() {
            [] => Err(self.refused(written, pseudo > 0)),
            [only] => Ok(*only),
            // Nothing but what the pawn becomes is open.
            [first, rest @ ..]
                if written.promotion.is_none()
                    && first.promotion.is_some()
                    && rest.iter().all(|m| m.from == first.from) =>
            {
                Ok(Move { promotion: Some(PieceKind::Queen), ..*first })
            }
            several => {
                let several = several.to_vec();
                let issue =
                    Issue::new("ambiguous-move", written.span, "more than one move is written like this");
                Err(self.named(issue.hint(self.shown(&several))).ambiguous())
            }
        }
    }

    /// Lists the moves that fit a text, without asking about check.
    fn list(&mut self, written: &MoveText, also: impl Fn(&Position, &Move) -> bool) {
        let position = &self.position;
        position.moves_on_board(&mut self.moves);
        self.moves.retain(|m| fits(position, written, m) && also(position, m));
    }

    fn shown(&self, moves: &[Move]) -> String {
        let shown: Vec<String> = moves.iter().take(6).map(|m| super::san(&self.position, m)).collect();
        shown.join(", ")
    }

    /// Why no move fits.
    fn refused(&mut self, written: &MoveText, exposed: bool) -> ParseError {
        let (_, color) = self.turn();
        let mut legal = Vec::new();
        self.position.legal_moves_on_board(&mut legal);
        if legal.is_empty() {
            let how = match self.position.is_attacked_on_board(color) {
                true => "checkmate",
                false => "stalemate",
            };
            let message = format!("expected the end of the game, which ended with {how}");
            return self.named(Issue::new("game-over", written.span, message)).illegal();
        }
        if exposed {
            let message = format!("the move leaves the king of {color} in check");
            return self.named(Issue::new("royal-exposed", written.span, message)).illegal();
        }
        let (what, to) = match written.shape {
            Shape::Piece { kind, to, .. } => (format!("no {color} {kind} can make this move"), Some(to)),
            _ => (format!("{color} cannot castle to that side"), None),
        };
        legal.retain(|m| Some(m.to.square) == to);
        let issue = Issue::new("no-such-move", written.span, what);
        let issue = match legal.as_slice() {
            [] => issue,
            others => issue.hint(format!("what can go there: {}", self.shown(others))),
        };
        self.named(issue).illegal()
    }

    /// An issue with the name that the text gives the action that comes next.
    fn named(&self, issue: Issue) -> Issue {
        let (turn, color) = self.turn();
        let turn = i64::from(turn) + self.ahead;
        Issue { message: format!("action {turn}{}: {}", color.letter(), issue.message), ..issue }
    }
}

/// Whether a move can be written like this.
fn fits(position: &Position, written: &MoveText, m: &Move) -> bool {
    let Some((_, board)) = position.only_board() else { return false };
    let castles = castling(board, m);
    let Shape::Piece { kind, file, rank, to } = written.shape else {
        return castles == Some(written.shape);
    };
    let from: Square = m.from.square;
    m.to.square == to
        && file.is_none_or(|file| file == from.file())
        && rank.is_none_or(|rank| rank == from.rank())
        && written.promotion.is_none_or(|promotion| m.promotion == Some(promotion))
        && board.get(from) == Some(Piece { color: position.to_move(), kind })
        // A pawn that captures says where it comes from.
        && (kind != PieceKind::Pawn || file.is_some() || from.file() == to.file())
}
