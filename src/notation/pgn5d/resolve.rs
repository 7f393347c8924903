//! [`Record`] to [`Game`]: which move each text can only mean, and whether the actions are legal.

use super::record::{ActionText, BoardText, Jump, MoveText, Record, Shape, Target};
use super::write::{board_text, is_capture, is_en_passant, move_text, place_text};
use super::{Game, Reading, start};
use crate::notation::{Issue, Label, ReadError, Span};
use crate::rules::{IllegalAction, IllegalReason};
use crate::state::Position;
use crate::types::{
    Action, BoardCoordinate, Color, Move, MoveKind, PieceKind, Place, Promotions, Square, Timeline,
};

/// Plays a record as far as it goes.
pub(super) fn game(record: &Record<'_>) -> Reading {
    let mut warnings = Vec::new();
    let (start, name) = match start::position(record, &mut warnings) {
        Ok(start) => start,
        Err(error) => return Reading { game: None, warnings, error: Some(error) },
    };
    let mut player = Player::new(start.clone(), warnings);
    let error = player.play(record).err();
    for span in &record.variations {
        let message = "the variation is not read";
        player.warnings.push(Issue::new("variation-skipped", *span, message));
    }
    let headers = record.headers.iter().filter(|header| !start::is_about_start(header, record.text));
    let game = Game {
        name,
        headers: headers
            .map(|header| (header.key.of(record.text).to_string(), header.value(record.text).into_owned()))
            .collect(),
        start,
        actions: player.actions,
        result: record.result.map(|(result, _)| result),
    };
    Reading { game: Some(game), warnings: player.warnings, error }
}

/// The actions of a record that starts at a given position.
pub(super) fn actions(record: &Record<'_>, start: &Position) -> Result<Vec<Action>, ReadError> {
    let mut player = Player::new(start.clone(), Vec::new());
    player.play(record)?;
    Ok(player.actions)
}

/// Plays the actions of a record.
struct Player {
    position: Position,
    actions: Vec<Action>,
    warnings: Vec<Issue>,
    /// The moves that a text may mean; kept for its memory.
    candidates: Vec<Move>,
}

impl Player {
    fn new(position: Position, warnings: Vec<Issue>) -> Player {
        Player { position, actions: Vec::new(), warnings, candidates: Vec::new() }
    }

    fn play(&mut self, record: &Record<'_>) -> Result<(), ReadError> {
        let announced = record.actions.iter().rev().take_while(|action| action.moves.is_empty()).count();
        let written = &record.actions[..record.actions.len() - announced];
        let mut number = None;
        for (index, text) in written.iter().enumerate() {
            let to_move = self.position.to_move();
            if let Some(own) = text.number {
                if number.is_some_and(|number| number != own) {
                    let message = format!("the number {own} is out of turn");
                    self.warnings.push(Issue::new("wrong-number", text.span, message));
                }
                number = Some(own);
            }
            // `1. / e5`: White's place is empty when Black begins.
            if index == 0 && text.moves.is_empty() && to_move == Color::Black {
                continue;
            }
            match self.action(record.moves_of(text), text) {
                Ok(action) => self.actions.push(action),
                Err(error) => {
                    let name = format!("{}{}", number.unwrap_or(1), to_move.letter());
                    return Err(error.map(|issue| Issue {
                        message: format!("action {name}: {}", issue.message),
                        ..issue
                    }));
                }
            }
            if to_move == Color::Black {
                number = Some(number.unwrap_or(1).saturating_add(1));
            }
        }
        Ok(())
    }

    /// Plays one action to its end.
    fn action(&mut self, moves: &[MoveText], text: &ActionText) -> Result<Action, ReadError> {
        let to_move = self.position.to_move();
        if let Some(color) = text.color.filter(|&color| color != to_move) {
            let message = format!("expected an action of {to_move}, but found one of {color}");
            let hint = "an action of black is written after `/`, or with a number such as `1b.`";
            return Err(Issue::new("wrong-player", text.span, message).hint(hint).illegal());
        }
        if moves.is_empty() {
            let message = format!("expected a move of {to_move}");
            return Err(Issue::new("no-move", text.span, message).illegal());
        }
        let mut made = Vec::with_capacity(moves.len());
        for text in moves {
            made.push(self.push(text)?);
        }
        if let Some(reason) = self.position.submit_obstacle() {
            return Err(self.cannot_submit(reason, text.span));
        }
        self.position.submit_unchecked();
        Ok(Action::new(made))
    }

    /// Makes the move that a text means.
    fn push(&mut self, text: &MoveText) -> Result<Move, ReadError> {
        let m = self.meant(text)?;
        self.check_remarks(text, &m);
        if !self.position.has_room_for(&m) {
            let message = "the game has more timelines or turns than are supported";
            return Err(Issue::new("game-too-long", text.span, message).malformed());
        }
        self.position.push(&m);
        let created = m.to.board.half_turn.next();
        if text.rewinds && (m.kind != MoveKind::Branch || self.position.present() != created) {
            let message = "`~` says that the present moves to a new timeline, which it does not";
            self.warnings.push(Issue::new("wrong-remark", text.span, message));
        }
        Ok(m)
    }

    /// Compares what a text says beside the move with what is the case.
    fn check_remarks(&mut self, text: &MoveText, m: &Move) {
        let position = &self.position;
        let mut warn = |code, message: String| self.warnings.push(Issue::new(code, text.span, message));
        if let Shape::Piece { kind, file, rank, capture, .. } = text.shape {
            if capture && !is_capture(position, m) {
                warn("not-a-capture", "`x` marks a capture, which the move is not".to_string());
            }
            let origin = file.is_some() && rank.is_some();
            if kind.is_none() && !origin && piece_of(position, m) != Some(PieceKind::Pawn) {
                let message =
                    format!("a move without a letter is a pawn's: read as {}", move_text(position, m));
                warn("missing-letter", message);
            }
        }
        if text.en_passant && !is_en_passant(position, m) {
            warn("wrong-remark", "the move does not capture en passant".to_string());
        }
        if let Some(label) = text.creates {
            let next = position.multiverse().next_timeline(position.to_move());
            if m.kind != MoveKind::Branch {
                warn("wrong-remark", "the move creates no timeline".to_string());
            } else if label.timeline(position.parity()) != Some(next) {
                warn("wrong-remark", format!("the move creates timeline {}", position.parity().label(next)));
            }
        }
    }

    /// The one move that the text can mean.
    fn meant(&mut self, text: &MoveText) -> Result<Move, ReadError> {
        self.list_candidates(text)?;
        let position = &self.position;
        let fitting = || self.candidates.iter().filter(|m| fits(position, text, m));
        let (first, second) = {
            let mut fitting = fitting();
            (fitting.next(), fitting.next())
        };
        match (first, second) {
            (None, _) => return Err(self.no_move(text)),
            (Some(only), None) => return Ok(*only),
            _ => {}
        }
        // Without a letter a pawn's move is meant, if there is exactly one.
        let lettered = matches!(text.shape, Shape::Piece { kind: Some(_), .. });
        let mut pawns = fitting().filter(|m| !lettered && piece_of(position, m) == Some(PieceKind::Pawn));
        if let (Some(pawn), None) = (pawns.next(), pawns.next()) {
            return Ok(*pawn);
        }
        let hint = list(fitting().map(|m| move_text(position, m)));
        Err(Issue::new("ambiguous-move", text.span, "more than one move is written like this")
            .hint(hint)
            .ambiguous())
    }

    /// Every move that can be made from a board that the text allows.
    fn list_candidates(&mut self, text: &MoveText) -> Result<(), ReadError> {
        self.candidates.clear();
        if let Some((board, label)) = text.from.and_then(|board| Some((board, board.timeline?))) {
            let at = self.source(label, &board)?;
            self.position.pseudo_legal_moves_from(at, &mut self.candidates);
            return Ok(());
        }
        for at in self.position.playable_boards() {
            let allowed = text.from.is_none_or(|board| {
                board.turn.is_none_or(|turn| turn == at.half_turn.turn())
                    && board.color.is_none_or(|color| color == at.color())
            });
            if allowed {
                self.position.pseudo_legal_moves_from(at, &mut self.candidates);
            }
        }
        Ok(())
    }

    /// The board of a timeline from which a piece can move, if it is the one that the text says.
    fn source(&self, label: Label, text: &BoardText) -> Result<BoardCoordinate, ReadError> {
        let position = &self.position;
        let timeline = timeline_of(label, text, position)?;
        let label = position.parity().label(timeline);
        let refused = |code, message: String| Err(Issue::new(code, text.span, message).illegal());
        let Some((_, end)) = position.multiverse().span(timeline) else {
            return refused("no-such-timeline", format!("there is no timeline {label}"));
        };
        let at = BoardCoordinate { timeline, half_turn: end };
        let to_move = position.to_move();
        if text.color.is_some_and(|color| color != to_move) {
            return refused(
                "not-playable",
                format!("{to_move} is to move, and cannot move on a board of {}", !to_move),
            );
        }
        if end.color() != to_move {
            return refused("not-playable", format!("timeline {label} ends with a board of {}", end.color()));
        }
        if text.turn.is_some_and(|turn| turn != end.turn()) {
            let message =
                format!("pieces on timeline {label} move from its last board, {}", board_text(position, at));
            return refused("not-playable", message);
        }
        Ok(at)
    }

    /// Why no move fits.
    fn no_move(&self, text: &MoveText) -> ReadError {
        let position = &self.position;
        let to_move = position.to_move();
        let fitting = |text: &MoveText| {
            let fitting = self.candidates.iter().filter(|m| fits(position, text, m));
            fitting.map(|m| move_text(position, m)).collect::<Vec<String>>()
        };
        let refused = |message: &str, hint: Option<String>| {
            let issue = Issue::new("no-such-move", text.span, message);
            Issue { hint, ..issue }.illegal()
        };
        let meant = |moves: &[String]| moves.first().map(|one| format!("did you mean {one}?"));

        let Shape::Piece { kind, jump, target, capture, to, .. } = text.shape else {
            return refused("no king can castle to that side", None);
        };
        if let Some(message) = self.wrong_piece(text) {
            return refused(&message, None);
        }
        if let Some(Target::Board(board)) = target
            && let Some(Err(error)) = board.timeline.map(|label| timeline_of(label, &board, position))
        {
            return error;
        }
        if text.promotion.is_some() {
            let moves = fitting(&MoveText { promotion: None, ..text.clone() });
            if !moves.is_empty() {
                return refused("the pawn does not become that here", meant(&moves));
            }
        }
        let shaped = |kind, jump| Shape::Piece { kind, file: None, rank: None, jump, target, capture, to };
        if jump.is_some() && target.is_some() {
            let moves = fitting(&MoveText { shape: shaped(kind, None), ..text.clone() });
            if !moves.is_empty() {
                let message =
                    "`>` marks a jump to the last board of a timeline, `>>` one to an earlier board";
                return refused(message, meant(&moves));
            }
        }
        let others = fitting(&MoveText { shape: shaped(None, jump), ..text.clone() });
        let hint = (!others.is_empty()).then(|| format!("what can go there: {}", list(others.into_iter())));
        let piece = kind.map_or("piece", PieceKind::name);
        refused(&format!("no {to_move} {piece} can make this move"), hint)
    }

    /// What stands on the square of origin, if that cannot be what is meant.
    fn wrong_piece(&self, text: &MoveText) -> Option<String> {
        let Shape::Piece { kind, file: Some(file), rank: Some(rank), .. } = text.shape else { return None };
        let position = &self.position;
        let board = match text.from {
            Some(board) => self.source(board.timeline?, &board).ok()?,
            None => {
                let mut boards = position.playable_boards();
                boards.next().filter(|_| boards.next().is_none())?
            }
        };
        let place = Place { board, square: Square::new(file, rank)? };
        let on = place_text(position, place);
        match position.board(board)?.get(place.square) {
            None => Some(format!("there is no piece on {on}")),
            Some(piece) if piece.color != position.to_move() => Some(format!("there is a {piece} on {on}")),
            Some(piece) if kind.is_some_and(|kind| kind != piece.kind) => {
                Some(format!("there is a {piece} on {on}"))
            }
            Some(_) => None,
        }
    }

    /// Why the action that was made may not be submitted.
    fn cannot_submit(&self, reason: IllegalReason, span: Span) -> ReadError {
        let position = &self.position;
        let (code, hint) = match reason {
            IllegalReason::PresentStays => {
                let (low, high) = position.multiverse().active();
                let left = position.playable_boards().filter(|board| {
                    board.half_turn == position.present() && low <= board.timeline && board.timeline <= high
                });
                let left = list(left.map(|board| board_text(position, board)));
                ("present-stays", format!("still to be played: {left}"))
            }
            IllegalReason::Exposed(check) => (
                "royal-exposed",
                format!("{} attacks {}", place_text(position, check.from), place_text(position, check.to)),
            ),
            _ => ("illegal-action", String::new()),
        };
        let message = IllegalAction { reason }.to_string();
        let issue = Issue::new(code, span, message);
        if hint.is_empty() { issue.illegal() } else { issue.hint(hint).illegal() }
    }
}

/// Whether the text can mean this move.
fn fits(position: &Position, text: &MoveText, m: &Move) -> bool {
    match text.shape {
        Shape::CastlingRight => is_castling(position, m, 2),
        Shape::CastlingLeft => is_castling(position, m, -2),
        Shape::Piece { kind, file, rank, jump, target, to, .. } => {
            let from = m.from.square;
            to == m.to.square
                && file.is_none_or(|file| file == from.file())
                && rank.is_none_or(|rank| rank == from.rank())
                && kind.is_none_or(|kind| piece_of(position, m) == Some(kind))
                && goes(position, jump, target, m)
                && becomes(position.profile().promotions, text.promotion, m.promotion)
        }
    }
}

fn is_castling(position: &Position, m: &Move, files: i8) -> bool {
    let (from, to) = (m.from.square, m.to.square);
    m.kind == MoveKind::Physical
        && from.offset(files, 0) == Some(to)
        && piece_of(position, m) == Some(PieceKind::King)
}

/// Whether the move goes to the board that the text says, in the way that it says.
fn goes(position: &Position, jump: Option<Jump>, target: Option<Target>, m: &Move) -> bool {
    let kind = match jump {
        Some(Jump::Hop) => m.kind == MoveKind::Hop,
        Some(Jump::Branch) => m.kind == MoveKind::Branch,
        None => target.is_some() || m.kind == MoveKind::Physical,
    };
    let (from, to) = (m.from.board, m.to.board);
    kind && match target {
        None => true,
        Some(Target::Board(BoardText { timeline, turn, color, .. })) => {
            timeline.is_none_or(|label| label.timeline(position.parity()) == Some(to.timeline))
                && turn.is_none_or(|turn| turn == to.half_turn.turn())
                && color.is_none_or(|color| color == to.color())
        }
        Some(Target::Relative { timelines, turns }) => {
            timelines.is_none_or(|away| from.timeline.0 + away == to.timeline.0)
                && turns.is_none_or(|away| from.half_turn.turn() + away == to.half_turn.turn())
        }
    }
}

/// Whether a pawn that is written to become `said` becomes `made`. Nothing said means the queen, or the only choice.
fn becomes(choice: Promotions, said: Option<PieceKind>, made: Option<PieceKind>) -> bool {
    match (said, made) {
        (Some(said), made) => made == Some(said),
        (None, Some(made)) => made == PieceKind::Queen || !choice.contains(PieceKind::Queen),
        (None, None) => true,
    }
}

fn piece_of(position: &Position, m: &Move) -> Option<PieceKind> {
    Some(position.board(m.from.board)?.get(m.from.square)?.kind)
}

fn timeline_of(label: Label, text: &BoardText, position: &Position) -> Result<Timeline, ReadError> {
    label.timeline(position.parity()).ok_or_else(|| {
        let message = "expected `-0` or `+0`: this game has both";
        Issue::new("unsigned-zero", text.span, message).ambiguous()
    })
}

/// The first few texts of a list.
fn list(texts: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 4;
    let mut texts: Vec<String> = texts.take(SHOWN + 1).collect();
    if texts.len() > SHOWN {
        texts[SHOWN] = "…".into();
    }
    texts.join(", ")
}
