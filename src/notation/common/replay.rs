//! Replays the moves of a text one by one, for notations that name both squares of every move.

use super::describe::{board_text, check_mark, is_capture, is_en_passant, piece_at, place_text};
use super::error::{Issue, ParseError};
use super::game::{Game, Loss, MAX_ACTIONS, Parsed};
use super::move_text::{MoveText, Shape};
use super::span::Span;
use crate::rules::IllegalAction;
use crate::rules::variants;
use crate::state::Position;
use crate::types::{
    Action, BoardCoordinate, Color, Coordinate, HalfTurn, Move, MoveKind, Piece, PieceKind, Promotions,
    Timeline,
};

/// A move with both of its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CoordinateMove {
    /// The square that the piece leaves.
    pub from: Coordinate,
    /// The square that it enters.
    pub to: Coordinate,
    /// The promotion as it is written.
    pub promotion: Option<PieceKind>,
}

/// A game in the course of being read.
#[derive(Clone)]
pub(crate) struct Replay {
    /// The position, in the middle of an action if moves were pushed and not submitted.
    pub position: Position,
    pub start: Position,
    pub actions: Vec<Action>,
    /// The range of the text for each action.
    pub spans: Vec<Span>,
    pub warnings: Vec<Issue>,
    /// The moves of the action under way.
    made: Vec<Move>,
    /// The number that White's and Black's action share.
    number: usize,
    /// A buffer for the moves that a text may mean, reused for each move.
    pub candidates: Vec<Move>,
}

/// The line around a variation that is being read.
pub(crate) struct OuterLine {
    actions: Vec<Action>,
    spans: Vec<Span>,
    number: usize,
}

impl Replay {
    pub fn new(start: Position) -> Replay {
        Replay {
            position: start.clone(),
            start,
            actions: Vec::new(),
            spans: Vec::new(),
            warnings: Vec::new(),
            made: Vec::new(),
            number: 1,
            candidates: Vec::new(),
        }
    }

    pub fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.warnings.push(Issue::new(code, span, message));
    }

    /// The number of the action under way or, between actions, the next one.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Sets the number of this action to that in the text. Errors name it, and later actions count on from
    /// it.
    pub fn take_number(&mut self, said: u32) {
        self.number = said as usize;
    }

    /// Like [`take_number`](Replay::take_number), with a warning if another number was due.
    pub fn check_number(&mut self, said: u32, span: Span) {
        if usize::try_from(said) != Ok(self.number) {
            let message = format!("expected the number {}, but found {said}", self.number);
            self.warn("wrong-number", span, message);
        }
        self.take_number(said);
    }

    /// Refuses an action of this player if the other one is to move.
    pub fn check_player(&self, said: Color, span: Span) -> Result<(), Issue> {
        let to_move = self.position.to_move();
        if said == to_move {
            return Ok(());
        }
        let message = format!("expected an action of {}, but found one of {}", to_move.name(), said.name());
        Err(Issue::new("wrong-player", span, message))
    }

    /// Warns if `#` is written and the position is no checkmate. Says nothing if the budget of a mark is too
    /// small to tell.
    pub fn check_checkmate(&mut self, span: Span) {
        if check_mark(&self.position).is_ok_and(|is| is != "#") {
            self.warn("wrong-mark", span, "`#` marks a checkmate, but this is none");
        }
    }

    /// Warns if `x` is written and the move captures nothing.
    pub fn check_capture(&mut self, said: bool, m: &Move, span: Span) {
        if said && !is_capture(&self.position, m) {
            self.warn("not-a-capture", span, "`x` marks a capture, but the move captures nothing");
        }
    }

    /// Compares the remarks of a text with its move, which is not made yet: the letter, `x`, `e.p.`, and the
    /// timeline that is created.
    pub fn check_remarks(&mut self, text: &MoveText, m: &Move) {
        let span = text.span;
        if let Shape::Piece { kind, capture, .. } = text.shape {
            let piece = piece_at(&self.position, m.from);
            if let (Some(said), Some(Piece { kind: is, .. })) = (kind, piece)
                && said != is
            {
                self.warn("wrong-letter", span, wrong_letter(is, said));
            }
            self.check_capture(capture, m, span);
        }
        if text.en_passant && !is_en_passant(&self.position, m) {
            self.warn("wrong-remark", span, "`e.p.` marks a capture en passant, but the move is none");
        }
        let (parity, next) =
            (self.position.parity(), self.position.multiverse().next_timeline(self.position.to_move()));
        match text.creates {
            Some(_) if m.kind != MoveKind::Branch => {
                self.warn("wrong-remark", span, "the text names a new timeline, but the move creates none");
            }
            Some(label) if label.timeline(parity) != Some(next) => {
                let message = format!(
                    "the text names another timeline, but the move creates timeline {}",
                    parity.label(next)
                );
                self.warn("wrong-remark", span, message);
            }
            _ => {}
        }
    }

    /// Makes losses of texts with their byte offsets, in ascending order. Each belongs to the last action
    /// that begins before it.
    pub fn losses_at(&self, said: impl IntoIterator<Item = (u32, String)>) -> Vec<Loss> {
        let mut begun = 0;
        let about = |(start, what): (u32, String)| {
            while self.spans.get(begun).is_some_and(|action| action.start < start) {
                begun += 1;
            }
            Loss { what, action: begun.checked_sub(1) }
        };
        said.into_iter().map(about).collect()
    }

    /// The moves of the action under way.
    pub fn made(&self) -> &[Move] {
        &self.made
    }

    /// The error with the number of the action in front.
    pub fn in_action(&self, error: ParseError) -> ParseError {
        let name = format!("action {}{}", self.number, self.position.to_move().letter());
        error.map(|issue| Issue { message: format!("{name}: {}", issue.message), ..issue })
    }

    /// The last board of a timeline, if a piece can move from it.
    pub fn source(&self, timeline: Timeline, span: Span) -> Result<BoardCoordinate, ParseError> {
        source(&self.position, timeline, span).map_err(|error| self.with_played(error, timeline))
    }

    /// Adds a hint to the error that no piece can move from a timeline, if a move of this action is the
    /// reason.
    pub fn with_played(&self, error: ParseError, timeline: Timeline) -> ParseError {
        let plays = |m: &Move| {
            m.from.board.timeline == timeline || m.kind == MoveKind::Hop && m.to.board.timeline == timeline
        };
        if error.issue.code != "not-playable" || !self.made.iter().any(plays) {
            return error;
        }
        error.map(|issue| issue.hint("an earlier move of this action has played there"))
    }

    /// Makes a move. Warns if a pawn had a choice of promotions and none is written.
    pub fn push(&mut self, wanted: CoordinateMove, span: Span) -> Result<Move, ParseError> {
        let m = self.meant(wanted, span)?;
        let has_choice = self.position.profile().promotions.iter().nth(1).is_some();
        if let (None, Some(kind)) = (wanted.promotion, m.promotion)
            && has_choice
        {
            let message = format!("what the pawn becomes is not written: read as a {kind}");
            self.warn("missing-promotion", span, message);
        }
        self.push_move(m, span)
    }

    /// Makes a move that is known to be possible.
    pub fn push_move(&mut self, m: Move, span: Span) -> Result<Move, ParseError> {
        if !self.position.has_room_for(&m) {
            return Err(too_long(span));
        }
        self.position.push(&m);
        self.made.push(m);
        Ok(m)
    }

    /// The king's move that castles to the right (`2`) or to the left (`-2`) on the last board of a timeline,
    /// for a king on the e-file.
    pub fn castling(&mut self, timeline: Timeline, files: i8, span: Span) -> Result<Move, ParseError> {
        let at = self.source(timeline, span)?;
        let board = *self.position.board(at).expect("the board exists");
        let own = |square| board.get(square).is_some_and(|piece| piece.color == self.position.to_move());
        self.candidates.clear();
        self.position.pseudo_legal_moves_from(at, &mut self.candidates);
        let castling = self.candidates.iter().find(|m| {
            m.kind == MoveKind::Physical
                && m.from.square.file() == 4
                && m.from.square.offset(files, 0) == Some(m.to.square)
                && own(m.from.square)
                && board.get(m.from.square).is_some_and(|piece| piece.kind == PieceKind::King)
        });
        castling.copied().ok_or_else(|| {
            let message = format!("no king on the e-file of {} can castle", board_text(&self.position, at));
            let hint = "from another file castling is written as the king's move of two squares";
            Issue::new("no-such-move", span, message).hint(hint).illegal()
        })
    }

    /// Ends the action under way; an error if it has no move.
    pub fn submit(&mut self, span: Span) -> Result<(), ParseError> {
        if self.made.is_empty() {
            let message = format!("expected a move of {}", self.position.to_move().name());
            return Err(Issue::new("no-move", span, message).illegal());
        }
        if self.actions.len() == MAX_ACTIONS {
            let message = format!("expected at most {MAX_ACTIONS} actions");
            return Err(Issue::new("too-many-actions", span, message).malformed());
        }
        if let Err(reason) = self.position.can_submit() {
            return Err(cannot_submit(&self.position, reason, span));
        }
        self.position.switch_player();
        let made = std::mem::take(&mut self.made);
        self.played(Action::new(made), span);
        Ok(())
    }

    /// Records an action that has been played on the position already.
    pub fn played(&mut self, action: Action, span: Span) {
        self.number += usize::from(self.position.to_move() == Color::White);
        self.actions.push(action);
        self.spans.push(span);
    }

    /// Begins another line at this position, which [`end_line`](Replay::end_line) ends.
    pub fn begin_line(&mut self) -> OuterLine {
        OuterLine {
            actions: std::mem::take(&mut self.actions),
            spans: std::mem::take(&mut self.spans),
            number: self.number,
        }
    }

    /// Takes the moves of a line back, and goes on with the line around it. Returns the actions.
    pub fn end_line(&mut self, outer: OuterLine) -> Vec<Action> {
        while let Some(m) = self.made.pop() {
            self.position.pop(&m);
        }
        for action in self.actions.iter().rev() {
            self.position.undo_unchecked(action);
        }
        (self.spans, self.number) = (outer.spans, outer.number);
        std::mem::replace(&mut self.actions, outer.actions)
    }

    /// The result of reading, up to the last action that was submitted.
    pub fn finish(self, error: Option<ParseError>) -> Parsed {
        let Replay { start, actions, spans, warnings, .. } = self;
        Parsed { value: Some(Game::new(start, actions)), spans, warnings, error, ..Parsed::default() }
    }

    /// The possible move that this text means.
    pub fn meant(&mut self, wanted: CoordinateMove, span: Span) -> Result<Move, ParseError> {
        let CoordinateMove { from, to, promotion } = wanted;
        let at = self.source(from.board.timeline, span)?;
        if at != from.board {
            return Err(Issue::new("not-playable", span, not_the_last(&self.position, at)).illegal());
        }
        self.candidates.clear();
        self.position.pseudo_legal_moves_between(from, to, &mut self.candidates);
        let choice = self.position.profile().promotions;
        let mut fitting = self.candidates.iter().filter(|m| becomes(choice, promotion, m.promotion));
        match (fitting.next(), fitting.next()) {
            (Some(m), None) => Ok(*m),
            (None, _) => Err(self.no_move(wanted, span)),
            (Some(_), Some(_)) => {
                let message = "what the pawn becomes is not written";
                let hint = format!("it can become {}", choices(choice));
                Err(Issue::new("ambiguous-move", span, message).hint(hint).ambiguous())
            }
        }
    }

    /// The error that no move fits, with the most likely reason.
    fn no_move(&self, CoordinateMove { from, to, promotion }: CoordinateMove, span: Span) -> ParseError {
        let position = &self.position;
        let refused = |message: String| Issue::new("no-such-move", span, message);
        let Some(piece) = position.board(from.board).and_then(|board| board.get(from.square)) else {
            return refused(format!("there is no piece on {}", place_text(position, from))).illegal();
        };
        if piece.color != position.to_move() {
            return refused(opponents_piece(position, piece, from)).illegal();
        }
        if position.board(to.board).is_none() {
            let message = format!("there is no board {}", board_text(position, to.board));
            return Issue::new("no-such-board", span, message).illegal();
        }
        if self.candidates.iter().any(|m| m.promotion.is_some()) {
            let choice = position.profile().promotions;
            return refused(cannot_become(promotion))
                .hint(format!("it can become {}", choices(choice)))
                .illegal();
        }
        if promotion.is_some() && !self.candidates.is_empty() {
            let message = format!("the {piece} on {} does not promote", place_text(position, from));
            return refused(message).illegal();
        }
        let (from_text, to_text) = (place_text(position, from), place_text(position, to));
        let issue = refused(format!("the {piece} on {from_text} cannot go to {to_text}"));
        match obstacle(position, from, to) {
            Some(place) => {
                let piece = position.board(place.board).and_then(|board| board.get(place.square));
                let what = piece.map_or("piece".to_owned(), |piece| piece.to_string());
                issue.hint(format!("a {what} on {} is in the way", place_text(position, place))).illegal()
            }
            None => issue.illegal(),
        }
    }
}

/// The start of a game whose notation does not say it: the given one, or that of `Standard`.
///
/// No text gives the rules of that usual start: its pawns may become the pieces of `promotions`, which the
/// moves show.
pub(crate) fn start_or_standard(given: Option<&Position>, promotions: Promotions) -> Position {
    given.cloned().unwrap_or_else(|| {
        let mut setup = variants::by_name("Standard").expect("there is such a variant").setup();
        setup.profile.promotions = promotions;
        Position::from_setup(&setup).expect("variants are positions")
    })
}

/// The losses of a game in a notation that says neither where it starts nor how it ends.
pub(crate) fn losses_beside_actions(game: &Game) -> Vec<Loss> {
    let mut losses = game.losses_of_headers();
    let standard = start_or_standard(None, Promotions::QUEEN);
    if game.start.multiverse() != standard.multiverse() {
        let what = "the start, which is not that of `Standard`: it must be given beside the text";
        losses.push(Loss::new(what));
    } else {
        losses.extend(game.loss_of_rules(game.promotions_shown()));
    }
    losses.extend(game.loss_of_result());
    losses
}

/// The error of a move that needs more timelines or turns than are supported.
pub(crate) fn too_long(span: Span) -> ParseError {
    let message = "the game has more timelines or turns than is supported";
    Issue::new("game-too-long", span, message).malformed()
}

/// The last board of a timeline, if the player to move can move from it.
fn source(position: &Position, timeline: Timeline, span: Span) -> Result<BoardCoordinate, ParseError> {
    let label = position.parity().label(timeline);
    let Some((_, end)) = position.multiverse().span(timeline) else {
        let message = format!("there is no timeline {label}");
        return Err(Issue::new("no-such-timeline", span, message).illegal());
    };
    if end.color() != position.to_move() {
        return Err(Issue::new("not-playable", span, opponents_timeline(position, timeline)).illegal());
    }
    Ok(BoardCoordinate { timeline, half_turn: end })
}

/// Message for a move on a timeline that ends with a board of the opponent.
pub(crate) fn opponents_timeline(position: &Position, timeline: Timeline) -> String {
    let (to_move, label) = (position.to_move(), position.parity().label(timeline));
    let [player, opponent] = [to_move, !to_move].map(Color::name);
    format!("{player} cannot move on timeline {label}, which ends with a {opponent} board")
}

/// Message for a move from another board of a timeline than its last one, `last`.
pub(crate) fn not_the_last(position: &Position, last: BoardCoordinate) -> String {
    let label = position.parity().label(last.timeline);
    format!("pieces on timeline {label} move from its last board, {}", board_text(position, last))
}

/// Message for a move of a piece of the opponent.
pub(crate) fn opponents_piece(position: &Position, piece: Piece, at: Coordinate) -> String {
    let mover = position.to_move().name();
    format!("the piece on {} is a {piece}, but {mover} is to move", place_text(position, at))
}

/// Message for a wrong piece letter.
pub(crate) fn wrong_letter(is: PieceKind, said: PieceKind) -> String {
    format!("the piece that moves is a {is}, not a {said}")
}

/// Message for a promotion that is not possible.
pub(crate) fn cannot_become(said: Option<PieceKind>) -> String {
    said.map_or_else(
        || "the pawn must become another piece".into(),
        |kind| format!("a pawn cannot become a {kind} here"),
    )
}

/// `a queen, a rook or a knight`
pub(crate) fn choices(promotions: Promotions) -> String {
    let mut names: Vec<String> = promotions.iter().map(|kind| format!("a {kind}")).collect();
    let last = names.pop().unwrap_or_else(|| "nothing".into());
    if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
}

/// The error that an action may not be submitted.
fn cannot_submit(position: &Position, reason: IllegalAction, span: Span) -> ParseError {
    let hint = match reason {
        IllegalAction::PresentNotAdvanced => {
            let left = list(position.mandatory_boards().map(|board| board_text(position, board)));
            format!("still to be played: {left}")
        }
        IllegalAction::Exposed(check) => {
            format!("{} attacks {}", piece_text(position, check.from), piece_text(position, check.to))
        }
        _ => String::new(),
    };
    let message = reason.to_string();
    let issue = Issue::new(reason.code(), span, message);
    if hint.is_empty() { issue.illegal() } else { issue.hint(hint).illegal() }
}

/// `the white king on (0T1)e1`
fn piece_text(position: &Position, at: Coordinate) -> String {
    let piece = piece_at(position, at).map_or("piece".to_owned(), |piece| piece.to_string());
    format!("the {piece} on {}", place_text(position, at))
}

/// Whether a pawn may become `made` if `said` is written. `None` written means a queen, or the only choice.
pub(crate) fn becomes(choice: Promotions, said: Option<PieceKind>, made: Option<PieceKind>) -> bool {
    match (said, made) {
        (Some(said), made) => made == Some(said),
        (None, Some(made)) => made == PieceKind::Queen || !choice.contains(PieceKind::Queen),
        (None, None) => true,
    }
}

/// Joins the first few texts of a list.
pub(crate) fn list(texts: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 4;
    let mut texts: Vec<String> = texts.take(SHOWN + 1).collect();
    if texts.len() > SHOWN {
        texts[SHOWN] = "…".into();
    }
    texts.join(", ")
}

/// The first piece that stands between two squares, or the mover's own piece on the second one, when they lie
/// on one line through space and time.
fn obstacle(position: &Position, from: Coordinate, to: Coordinate) -> Option<Coordinate> {
    let difference = [
        i32::from(to.board.timeline.0) - i32::from(from.board.timeline.0),
        (i32::from(to.board.half_turn.0) - i32::from(from.board.half_turn.0)) / 2,
        i32::from(to.square.file()) - i32::from(from.square.file()),
        i32::from(to.square.rank()) - i32::from(from.square.rank()),
    ];
    let own = position.board(to.board)?.get(to.square).filter(|piece| piece.color == position.to_move());
    let length = difference.iter().map(|d| d.abs()).max()?;
    let in_line = difference.iter().all(|&d| d == 0 || d.abs() == length);
    let mut place = from;
    for _ in 1..length {
        if !in_line {
            break;
        }
        let [timelines, turns, files, ranks] = difference.map(|d| d.signum());
        let square = place.square.offset(files as i8, ranks as i8)?;
        let half_turn = HalfTurn(place.board.half_turn.0 + 2 * turns as i16);
        let timeline = Timeline(place.board.timeline.0 + timelines as i16);
        place = Coordinate { board: BoardCoordinate { timeline, half_turn }, square };
        if position.board(place.board)?.get(square).is_some() {
            return Some(place);
        }
    }
    own.map(|_| to)
}

/// For each move of an action, whether it gives check: it made the board of an attacker of a royal piece, or
/// else the board of that piece. A check between older boards counts for the last move.
///
/// `next` is the first timeline that the action could create.
pub(crate) fn checking_moves(next: Timeline, moves: &[Move], after: &Position) -> Vec<bool> {
    let mut checking = vec![false; moves.len()];
    let checks = after.checks();
    if checks.is_empty() {
        return checking;
    }
    let mut next = next;
    let step = (!after.to_move()).branch_direction();
    let mut made: Vec<(Timeline, usize)> = Vec::new();
    for (index, m) in moves.iter().enumerate() {
        made.push((m.from.board.timeline, index));
        match m.kind {
            MoveKind::Physical => {}
            MoveKind::Hop => made.push((m.to.board.timeline, index)),
            MoveKind::Branch => {
                made.push((next, index));
                next = Timeline(next.0 + step);
            }
        }
    }
    let by_timeline = |timeline| made.iter().find(|(made, _)| *made == timeline).map(|(_, index)| *index);
    let last = moves.len().saturating_sub(1);
    for check in checks {
        let index = by_timeline(check.from.board.timeline).or_else(|| by_timeline(check.to.board.timeline));
        if let Some(mark) = checking.get_mut(index.unwrap_or(last)) {
            *mark = true;
        }
    }
    checking
}

#[cfg(test)]
mod tests {
    use crate::notation::Options;
    use crate::notation::format::Format;

    #[test]
    fn errors_name_the_number_of_the_text() {
        for (format, text, name) in [
            (Format::Simplified, "20. e2e3, g7g6 21. d2d5", "action 21w: "),
            (Format::Simplified, "1. e2e3, g7g6 7. d2d3, g6g4", "action 7b: "),
            (Format::ChessJs, "5w. 1:e2:e3\n5b. 1:e7:e3", "action 5b: "),
            (Format::ChessJs, "[Variant \"turn_zero\"]\n2w. 2:e2:e5", "action 2w: "),
            (Format::ChessJsJson, "[{\"action\":3,\"player\":\"black\",\"moves\":[]}]", "action 3w: "),
            (Format::Pgn, "5. e4 e5 6. Ke3 *", "action 6w: "),
            (Format::Pgn5d, "5. e4 / e5 6. Ke3", "action 6w: "),
            (Format::Raw, "(5,2,1,0)(5,9,1,0)", "action 1w: "),
        ] {
            let error = format.parse(text.as_bytes(), &Options::default()).error.expect(text);
            assert!(error.issue.message.starts_with(name), "{text}: {error}");
        }
    }

    #[test]
    fn the_first_piece_in_the_way_is_named() {
        for (moves, hint) in [
            ("(4,1,1,0)(4,5,1,0)", Some("a white pawn on (0T1)d2 is in the way")),
            ("(1,1,1,0)(1,2,1,0)", Some("a white pawn on (0T1)a2 is in the way")),
            ("(2,1,1,0)(4,2,1,0)", Some("a white pawn on (0T1)d2 is in the way")),
            ("(1,1,1,0)(2,3,1,0)", None),
            ("(7,1,1,0)(6,3,1,0)\n(7,8,1,0)(6,6,1,0)\n(4,1,2,0)(6,3,1,0)", None),
            (
                "(7,1,1,0)(6,3,1,0)\n(7,8,1,0)(6,6,1,0)\n(4,1,2,0)(4,2,1,0)",
                Some("a white pawn on (0T1)d2 is in the way"),
            ),
        ] {
            let error = Format::Raw.parse(moves.as_bytes(), &Options::default()).error.expect(moves);
            assert_eq!((error.issue.code, error.issue.hint.as_deref()), ("no-such-move", hint), "{moves}");
        }
    }
}
