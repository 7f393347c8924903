//! Replays the moves of all timelines of a [`Record`], in an order in which they can be played, and gives a
//! [`Game`](crate::notation::Game).

use super::board::{castling_rights, plain_rows, read_board, rows, same_pieces};
use super::write::start_text;
use super::{Generation, Header, Line, Record};
use crate::notation::common::Label;
use crate::notation::common::Options;
use crate::notation::common::coordinates::{self, Base, Element, Shape};
use crate::notation::common::en_passant;
use crate::notation::common::move_text::NO_PASS;
use crate::notation::common::replay::Replay;
use crate::notation::common::{Issue, Loss, ParseError, Span};
use crate::state::{Board, MAX_BOARDS, Position, Setup, SetupProblem};
use crate::types::{BoardCoordinate, Color, Coordinate, HalfTurn, MoveKind, Piece, RuleProfile, Timeline};

/// A record in the course of being played.
pub(super) struct RecordReplay<'r> {
    text: &'r str,
    record: &'r Record,
    base: Base,
    pub(super) player: Replay,
    /// The timeline of the first line.
    lowest: i16,
    /// The number of moves that were made, for each line.
    made: Vec<usize>,
    /// Parts of the start that no board keeps.
    pub(super) losses: Vec<Loss>,
}

impl<'r> RecordReplay<'r> {
    pub(super) fn start(
        text: &'r str,
        record: &'r Record,
        options: &Options,
        warnings: &mut Vec<Issue>,
    ) -> Result<RecordReplay<'r>, ParseError> {
        let Header { parity, size, .. } = record.header;
        let lowest = match record.header.lowest.timeline(parity) {
            Some(timeline) => timeline.0,
            // `0` for the lower of -0 and +0.
            None => {
                let message = "read as `-0`: this game has both `-0` and `+0`";
                warnings.push(Issue::new("unsigned-zero", record.header.span, message));
                -1
            }
        };
        let elements = record.lines.iter().flat_map(|line| &line.elements).chain(&record.moves);
        let base = Base::of(options, elements, warnings);
        let mut boards = Vec::new();
        let mut losses = Vec::new();
        for index in origins(record)? {
            let line = &record.lines[index];
            let timeline = Timeline(lowest + index as i16);
            let board = read_board(text, line, size, options.unmoved_pawns, warnings)?;
            if let Some(skipped) = line.skipped {
                let before = en_passant::before(&board, line.start.color(), skipped);
                let before = before.filter(|_| line.start.0 >= 2).ok_or_else(|| {
                    let message = en_passant::impossible(!line.start.color(), skipped);
                    Issue::new("impossible-en-passant", line.en_passant, message).illegal()
                })?;
                // Earlier boards are added only for a capture. Otherwise they would only be squares to move
                // back to, of which the text says nothing.
                if en_passant::has_capturer(&board, line.start.color(), skipped) {
                    let message = format!(
                        "two earlier boards are added, which en passant on {skipped} needs: pieces can move back to them"
                    );
                    let hint = "5DFEN writes earlier boards down";
                    warnings.push(Issue::new("implied-boards", line.en_passant, message).hint(hint));
                    for half_turn in [HalfTurn(line.start.0 - 2), HalfTurn(line.start.0 - 1)] {
                        boards.push((BoardCoordinate { timeline, half_turn }, before));
                    }
                } else {
                    losses.push(Loss::new(format!(
                        "the en passant square {skipped}, on which no pawn can capture"
                    )));
                }
            }
            boards.push((BoardCoordinate { timeline, half_turn: line.start }, board));
            // No game begins at turn 0: the board at `b0` is there for moves back to it.
            if line.start == HalfTurn::new(0, Color::Black) {
                boards.push((BoardCoordinate { timeline, half_turn: line.start.next() }, board));
            }
            if boards.len() > MAX_BOARDS {
                let message = format!("expected at most {MAX_BOARDS} boards");
                return Err(Issue::new("too-many-boards", line.span, message).malformed());
            }
        }
        let setup = Setup { size, parity, profile: profile(record), boards };
        let start = Position::from_setup(&setup).map_err(|error| {
            let at = match error.problem {
                SetupProblem::TurnOutOfRange(at) => Some(at.timeline),
                SetupProblem::MissingTimeline(timeline) => Some(timeline),
                _ => None,
            };
            let index = at.and_then(|timeline| usize::try_from(timeline.0 - lowest).ok());
            let line = index.and_then(|index| record.lines.get(index));
            let span = line.map_or(record.header.span, |line| line.span);
            Issue::new("no-multiverse", span, error.to_string()).illegal()
        })?;
        let made = vec![0; record.lines.len()];
        Ok(RecordReplay { text, record, base, player: Replay::new(start), lowest, made, losses })
    }

    pub(super) fn play(&mut self) -> Result<(), ParseError> {
        let played = match self.record.header.generation {
            Generation::Origins => self.play_moves(),
            Generation::Seed => self.play_lines(),
        };
        played.map_err(|error| self.player.in_action(error))
    }

    /// Plays the moves of the last line. An action ends where a piece of the other player moves.
    fn play_moves(&mut self) -> Result<(), ParseError> {
        let mut first: Option<Span> = None;
        let mut last = Span::default();
        for element in &self.record.moves {
            let mover = self.mover(element);
            if let Some(begin) = first
                && mover.is_some_and(|mover| mover != self.player.position.to_move())
            {
                self.player.submit(begin.to(last))?;
                first = None;
            }
            if element.shape == Shape::Null {
                return Err(null_move(element));
            }
            coordinates::push(&mut self.player, element, self.base)?;
            first.get_or_insert(element.span);
            last = element.span;
        }
        match first {
            Some(begin) => self.player.submit(begin.to(last)),
            None => Ok(()),
        }
    }

    /// The player on the last board of the timeline from which a piece moves.
    fn mover(&self, element: &Element) -> Option<Color> {
        let label = match &element.shape {
            Shape::Move { from, .. } => from.timeline,
            Shape::Castling { timeline, .. } => *timeline,
            Shape::Null => return None,
        };
        let timeline = label.timeline(self.player.position.parity())?;
        Some(self.player.position.multiverse().span(timeline)?.1.color())
    }

    /// Plays the moves of all lines together.
    ///
    /// The record does not say which moves belong to one action. Moves of mandatory boards are made; other
    /// boards wait, unless the action is not complete without them, or no board is mandatory any more.
    fn play_lines(&mut self) -> Result<(), ParseError> {
        loop {
            let (mut due, mut waiting) = (Vec::new(), Vec::new());
            let position = &self.player.position;
            let mandatory: Vec<_> = position.mandatory_boards().collect();
            for at in position.playable_boards() {
                let Some(index) = self.waiting_line(at.timeline) else { continue };
                if mandatory.contains(&at) { due.push(index) } else { waiting.push(index) }
            }
            if due.is_empty() && waiting.is_empty() {
                return self.left_over();
            }
            if due.is_empty() {
                due.append(&mut waiting);
            }
            let span = self.make_all(due)?;
            let span = match self.player.position.can_submit() {
                Err(_) if !waiting.is_empty() => span.to(self.make_all(waiting)?),
                _ => span,
            };
            self.player.submit(span)?;
        }
    }

    /// The line of this timeline, if it has moves left.
    fn waiting_line(&self, timeline: Timeline) -> Option<usize> {
        let index = usize::try_from(i32::from(timeline.0) - i32::from(self.lowest)).ok()?;
        let line = self.record.lines.get(index)?;
        (self.made[index] < line.elements.len()).then_some(index)
    }

    /// Makes the next move of each of these lines: first those within boards, then those that create
    /// timelines, in the order of the created lines.
    fn make_all(&mut self, lines: Vec<usize>) -> Result<Span, ParseError> {
        let next =
            |replay: &RecordReplay<'r>, index: usize| replay.record.lines[index].elements[replay.made[index]];
        let is_jump = |replay: &RecordReplay<'r>, index: usize| match next(replay, index).shape {
            Shape::Move { from, to, .. } => (from.turn, from.timeline) != (to.turn, to.timeline),
            _ => false,
        };
        let mut span: Option<Span> = None;
        let (mut jumps, others): (Vec<usize>, Vec<usize>) =
            lines.into_iter().partition(|&index| is_jump(self, index));
        for index in others {
            let element = next(self, index);
            self.make(index, &element)?;
            span = Some(span.map_or(element.span, |span| span.to(element.span)));
        }
        while !jumps.is_empty() {
            let position = &self.player.position;
            let created = position.multiverse().next_timeline(position.to_move());
            let line = usize::try_from(i32::from(created.0) - i32::from(self.lowest)).ok();
            let wanted = line.and_then(|index| self.record.lines.get(index));
            let wanted = wanted.and_then(|line| Some((line.start, self.written_board(line)?)));
            let fits = wanted.and_then(|(start, board)| {
                let arrives = |&index: &usize| self.arrives(&next(self, index), start, &board);
                jumps.iter().position(|index| arrives(index).unwrap_or(false))
            });
            let index = jumps.remove(fits.unwrap_or(0));
            let element = next(self, index);
            self.make(index, &element)?;
            span = Some(span.map_or(element.span, |span| span.to(element.span)));
        }
        Ok(span.unwrap_or_default())
    }

    /// The first board of a line, if it can be read.
    fn written_board(&self, line: &Line) -> Option<Board> {
        Board::from_rows(line.rows.of(self.text), Some(self.player.position.size())).ok()
    }

    /// Whether a jump makes this board as the first one of a timeline that starts at `start`.
    fn arrives(&self, element: &Element, start: HalfTurn, written: &Board) -> Option<bool> {
        let Shape::Move { from, to, promotion } = &element.shape else { return None };
        let position = &self.player.position;
        let place = |at: &coordinates::RawCoordinate| {
            let timeline = at.timeline.timeline(position.parity())?;
            let half_turn = HalfTurn::new(at.turn, position.to_move());
            let square = self.base.square(position, at).ok()?;
            Some(Coordinate { board: BoardCoordinate { timeline, half_turn }, square })
        };
        let (from, to) = (place(from)?, place(to)?);
        if start != to.board.half_turn.next() {
            return Some(false);
        }
        let piece = position.board(from.board)?.get(from.square)?;
        let mut board = *position.board(to.board)?;
        let kind = promotion.unwrap_or(piece.kind);
        board.put(to.square, Piece { kind, ..piece }, false);
        Some(same_pieces(&board, written))
    }

    /// Makes one move of a line, and compares the timeline that it creates with its line.
    fn make(&mut self, index: usize, element: &Element) -> Result<(), ParseError> {
        let position = &self.player.position;
        let before = self.player.made().len();
        let created = position.multiverse().next_timeline(position.to_move());
        let own = Timeline(self.lowest + index as i16);
        if element.shape == Shape::Null {
            return Err(null_move(element));
        }
        let source = match &element.shape {
            Shape::Move { from, .. } => from.timeline,
            Shape::Castling { timeline, .. } => *timeline,
            Shape::Null => Label { sign: None, number: 0 },
        };
        if source.timeline_at(position.parity(), element.span)? != own {
            let message = format!(
                "the line of timeline {} has only moves that begin there",
                position.parity().label(own)
            );
            return Err(Issue::new("wrong-timeline", element.span, message).illegal());
        }
        coordinates::push(&mut self.player, element, self.base)?;
        self.made[index] += 1;
        match self.player.made().get(before) {
            Some(m) if m.kind == MoveKind::Hop => {
                let message = "a hop cannot be written in the line of a timeline";
                let hint = "the later form of the notation has all moves in its last line";
                Err(Issue::new("arrival-on-timeline", element.span, message).hint(hint).illegal())
            }
            Some(m) if m.kind == MoveKind::Branch => {
                let start = m.to.board.half_turn.next();
                self.check_created(created, start, element.span)
            }
            _ => Ok(()),
        }
    }

    fn check_created(&mut self, created: Timeline, start: HalfTurn, span: Span) -> Result<(), ParseError> {
        let record = self.record;
        let label = self.player.position.parity().label(created).to_string();
        let index = usize::try_from(i32::from(created.0) - i32::from(self.lowest)).ok();
        let Some(line) = index.and_then(|index| record.lines.get(index)) else {
            let message = format!("the move creates timeline {label}, but the text has no line for it");
            return Err(Issue::new("missing-timeline", span, message).illegal());
        };
        if line.start != start {
            let (is, said) = (start_text(start), start_text(line.start));
            let message = format!("the move creates timeline {label} at {is}, but its line says {said}");
            return Err(Issue::new("created-board-differs", line.span, message).illegal());
        }
        let at = BoardCoordinate { timeline: created, half_turn: start };
        let made = *self.player.position.board(at).expect("the board was just made");
        let size = self.player.position.size();
        let written = rows(self.text, line, size)?;
        if !same_pieces(&made, &written) {
            let message = format!("the move that creates timeline {label} makes another board");
            let hint = format!("it makes {}", plain_rows(&made));
            return Err(Issue::new("created-board-differs", line.rows, message).hint(hint).illegal());
        }
        if let Some(skipped) = line.skipped {
            let message = format!("the move that creates timeline {label} is no double step over {skipped}");
            self.player.warn("en-passant-differs", line.en_passant, message);
        }
        let rights = castling_rights(&made);
        let said = line.castling.of(self.text);
        if rights != said && !(rights.is_empty() && said == "-") {
            let message = format!(
                "the castling rights on timeline {label} are `{}`",
                if rights.is_empty() { "-" } else { &rights }
            );
            self.player.warn("castling-differs", line.castling, message);
        }
        Ok(())
    }

    /// The error for moves that are left when no more can be made, with the reason.
    fn left_over(&self) -> Result<(), ParseError> {
        for (index, line) in self.record.lines.iter().enumerate() {
            let Some(element) = line.elements.get(self.made[index]) else { continue };
            let position = &self.player.position;
            let label = position.parity().label(Timeline(self.lowest + index as i16));
            let message = format!(
                "this move cannot be made: timeline {label} waits for a move of {}",
                (!position.to_move()).name()
            );
            return Err(Issue::new("not-playable", element.span, message).illegal());
        }
        Ok(())
    }

    pub(super) fn check_player(&mut self) {
        let to_move = self.player.position.to_move();
        if let Some(said) = self.record.header.to_move.filter(|&said| said != to_move) {
            let message =
                format!("the header says that {} is to move, but {} is", said.name(), to_move.name());
            self.player.warn("wrong-player", self.record.header.span, message);
        }
    }
}

fn null_move(element: &Element) -> ParseError {
    Issue::new("null-move", element.span, NO_PASS).illegal()
}

/// The range of lines of the start timelines. In the seed form a jump of White adds a line at the end, one of
/// Black at the beginning.
fn origins(record: &Record) -> Result<std::ops::Range<usize>, ParseError> {
    let mut created = [0usize; 2];
    for line in &record.lines {
        // A timeline from turn zero has its second board before the first move.
        let first = if line.start == HalfTurn::new(0, Color::Black) { line.start.next() } else { line.start };
        let mut mover = first.color();
        for element in &line.elements {
            if let Shape::Move { from, to, .. } = &element.shape
                && (from.turn, from.timeline) != (to.turn, to.timeline)
            {
                created[mover.index()] += 1;
            }
            mover = !mover;
        }
    }
    let [above, below] = created;
    let end = record.lines.len().checked_sub(above).filter(|&end| end > below);
    end.map(|end| below..end).ok_or_else(|| {
        let (created, listed) = (above + below, record.lines.len());
        let message =
            format!("expected a start and {created} created timelines, but only {listed} are listed");
        Issue::new("missing-timeline", record.header.span, message).illegal()
    })
}

/// The default rules, with the promotions of the moves.
fn profile(record: &Record) -> RuleProfile {
    let elements = record.lines.iter().flat_map(|line| &line.elements).chain(&record.moves);
    RuleProfile { promotions: coordinates::promotions_in(elements), ..RuleProfile::default() }
}
