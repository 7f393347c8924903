//! The multiverse as text, for terminals and reports.
//!
//! Timelines are rows, Black's newest at the top and White's newest at the bottom, and time runs to the
//! right, as players see them. A bar is drawn left of the column of the present:
//!
//! ```text
//! White to move. The present is T2w, right of the bar.  !: must be played
//!
//!              (0T1w)    (0T1b)   |(0T2w)!
//! 0        2   . k       . k      |. k
//!          1   K .       . K      |. K
//!              a b       a b      |a b
//! ```

use std::fmt::Write;

use crate::state::{Board, Position};
use crate::types::{BoardCoordinate, HalfTurn, Square, Timeline, TimelineRange, counted};

/// The part of a multiverse that is drawn. The text says so if some of it is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The widest line, in characters. One column of boards is always drawn.
    pub width: usize,
    /// The most timelines.
    pub timelines: usize,
}

impl Frame {
    /// For reports, which end up in terminals, logs and golden files.
    pub const REPORT: Frame = Frame { width: 100, timelines: 8 };
    /// No restriction.
    pub const ALL: Frame = Frame { width: usize::MAX, timelines: usize::MAX };
}

/// Draws a position.
///
/// If columns are left out, those around the present and the latest ones stay. If timelines are left out,
/// those that the player to move can play stay.
pub fn text(position: &Position, frame: Frame) -> String {
    let drawing = Drawing::new(position, frame);
    let mut out = drawing.heading();
    for &timeline in &drawing.timelines {
        out.push('\n');
        drawing.row(timeline, &mut out);
    }
    out.push_str(&drawing.footer());
    out
}

/// The role of a board for the player to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Duty {
    Must,
    May,
    None,
}

impl Duty {
    const fn mark(self) -> &'static str {
        match self {
            Duty::Must => "!",
            Duty::May => "?",
            Duty::None => "",
        }
    }
}

struct Drawing<'a> {
    position: &'a Position,
    present: HalfTurn,
    active: TimelineRange,
    timelines: Vec<Timeline>,
    columns: std::ops::RangeInclusive<i16>,
    /// The width of one board and its label.
    cell: usize,
    /// The width of the text left of the boards.
    margin: usize,
    timelines_left_out: usize,
    columns_left_out: (i16, i16),
}

impl<'a> Drawing<'a> {
    fn new(position: &'a Position, frame: Frame) -> Drawing<'a> {
        let multiverse = position.multiverse();
        let mut drawing = Drawing {
            position,
            present: position.present(),
            active: multiverse.active(),
            timelines: multiverse.timelines().collect(),
            columns: 0..=0,
            cell: 0,
            margin: 0,
            timelines_left_out: 0,
            columns_left_out: (0, 0),
        };
        drawing.choose_timelines(frame.timelines);
        drawing.choose_columns(frame.width);
        drawing
    }

    fn choose_timelines(&mut self, most: usize) {
        if self.timelines.len() <= most {
            return;
        }
        self.timelines_left_out = self.timelines.len() - most;
        let mut chosen = std::mem::take(&mut self.timelines);
        chosen.sort_by_key(|&timeline| {
            let duty = match self.duty(timeline) {
                Duty::Must => 0,
                Duty::May => 1,
                Duty::None => 2,
            };
            (duty, timeline.0.unsigned_abs(), timeline)
        });
        chosen.truncate(most);
        chosen.sort();
        self.timelines = chosen;
    }

    fn choose_columns(&mut self, width: usize) {
        let multiverse = self.position.multiverse();
        let spans = self.timelines.iter().filter_map(|&timeline| multiverse.span(timeline));
        let (first, last) = spans
            .fold((i16::MAX, i16::MIN), |(first, last), (start, end)| (first.min(start.0), last.max(end.0)));
        let label = |timeline: Timeline, half_turn: i16| {
            let at = BoardCoordinate { timeline, half_turn: HalfTurn(half_turn) };
            self.label(at).len() + 1
        };
        let ends = self.timelines.first().into_iter().chain(self.timelines.last());
        let longest_label = ends.map(|&timeline| label(timeline, last)).max().unwrap_or(0);
        self.cell = longest_label.max(2 * usize::from(self.position.size().width()) - 1);
        let labels = self.timelines.iter().map(|&timeline| self.timeline_label(timeline).len());
        self.margin = labels.max().unwrap_or(0).max("inactive".len());

        // Every column takes a bar, the cell and a space; the margin ends with a rank number and two spaces.
        let room = width.saturating_sub(self.margin + 4) / (self.cell + 2);
        let count = i16::try_from(room.max(1)).unwrap_or(i16::MAX).min(last - first + 1);
        // The latest boards, and always the present and the column before it.
        let before_present = (self.present.0 - 1).max(first);
        let start = (last - count + 1).min(before_present).max(first);
        let start = if count == 1 { self.present.0.clamp(first, last) } else { start };
        self.columns = start..=start + count - 1;
        self.columns_left_out = (start - first, last - (start + count - 1));
    }

    fn duty(&self, timeline: Timeline) -> Duty {
        match self.position.playable(timeline) {
            None => Duty::None,
            Some(board) if self.is_active(timeline) && board.half_turn == self.present => Duty::Must,
            Some(_) => Duty::May,
        }
    }

    fn is_active(&self, timeline: Timeline) -> bool {
        self.active.contains(timeline)
    }

    fn timeline_label(&self, timeline: Timeline) -> String {
        self.position.parity().label(timeline).to_string()
    }

    fn label(&self, at: BoardCoordinate) -> String {
        format!("({}{})", self.timeline_label(at.timeline), at.half_turn)
    }

    fn heading(&self) -> String {
        let mover = self.position.to_move().name();
        let mut out = format!("{mover} to move. The present is {}, right of the bar.", self.present);
        for (duty, meaning) in [(Duty::Must, "must be played"), (Duty::May, "may be played")] {
            if self.timelines.iter().any(|&timeline| self.duty(timeline) == duty) {
                let _ = write!(out, "  {}: {meaning}", duty.mark());
            }
        }
        out.push('\n');
        let (before, after) = self.columns_left_out;
        let left_out = [
            (before as usize, "earlier column"),
            (after as usize, "later column"),
            (self.timelines_left_out, "timeline"),
        ];
        let left_out: Vec<String> = left_out
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| counted(*count, what))
            .collect();
        if !left_out.is_empty() {
            let _ = writeln!(out, "Not shown: {}.", left_out.join(", "));
        }
        out
    }

    fn row(&self, timeline: Timeline, out: &mut String) {
        let height = self.position.size().height();
        let label = self.timeline_label(timeline);
        self.line(
            out,
            "",
            "",
            |at| {
                self.position.board(at).map(|_| {
                    let last = self.position.playable(timeline) == Some(at);
                    self.label(at) + if last { self.duty(timeline).mark() } else { "" }
                })
            },
            timeline,
        );
        for rank in (0..height).rev() {
            let head = match height - rank {
                1 => label.as_str(),
                2 if !self.is_active(timeline) => "inactive",
                _ => "",
            };
            let number = (rank + 1).to_string();
            self.line(
                out,
                head,
                &number,
                |at| self.position.board(at).map(|board| self.rank(board, rank)),
                timeline,
            );
        }
    }

    fn footer(&self) -> String {
        let files: Vec<String> =
            (0..self.position.size().width()).map(|file| char::from(b'a' + file).to_string()).collect();
        let mut out = String::new();
        self.line(&mut out, "", "", |_| Some(files.join(" ")), Timeline(0));
        out
    }

    /// One line of text through all columns.
    fn line(
        &self,
        out: &mut String,
        head: &str,
        rank: &str,
        content: impl Fn(BoardCoordinate) -> Option<String>,
        timeline: Timeline,
    ) {
        let mut line = format!("{head:<margin$} {rank:>1}  ", margin = self.margin);
        for half_turn in self.columns.clone().map(HalfTurn) {
            let bar = if half_turn == self.present { '|' } else { ' ' };
            let text = content(BoardCoordinate { timeline, half_turn }).unwrap_or_default();
            let _ = write!(line, "{bar}{text:<cell$} ", cell = self.cell);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }

    fn rank(&self, board: &Board, rank: u8) -> String {
        let mut out = String::new();
        for file in 0..self.position.size().width() {
            if file > 0 {
                out.push(' ');
            }
            let piece = Square::new(file, rank).and_then(|square| board.get(square));
            out.push(piece.map_or('.', |piece| piece.letter()));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Setup;
    use crate::types::{BoardSize, Color, Parity, Piece, PieceKind, RuleProfile};

    fn kings(size: u8, boards: &[(i16, i16, Color)]) -> Position {
        let size = BoardSize::new(size, size).unwrap();
        let mut board = Board::empty(size);
        board.put(Square::new(0, 0).unwrap(), Piece { color: Color::White, kind: PieceKind::King }, true);
        let boards =
            boards.iter().map(|&(l, turn, color)| (BoardCoordinate::new(l, turn, color), board)).collect();
        Position::from_setup(&Setup { size, parity: Parity::Odd, profile: RuleProfile::default(), boards })
            .unwrap()
    }

    #[test]
    fn boards_stand_in_a_grid() {
        use Color::{Black, White};
        let position = kings(2, &[(0, 1, White), (0, 1, Black), (0, 2, White), (1, 1, Black), (2, 1, Black)]);
        let expected = "\
Black to move. The present is T1b, right of the bar.  !: must be played  ?: may be played

             (0T1w)  |(0T1b)   (0T2w)
0        2   . .     |. .      . .
         1   K .     |K .      K .

                     |(1T1b)!
1        2           |. .
         1           |K .

                     |(2T1b)?
2        2           |. .
inactive 1           |K .
             a b     |a b      a b
";
        assert_eq!(text(&position, Frame::ALL), expected);
    }

    #[test]
    fn a_hundred_timelines_are_no_trouble() {
        let boards: Vec<_> = (0..100).map(|l| (l, 1 + l % 40, Color::White)).collect();
        let position = kings(8, &boards);
        let all = text(&position, Frame::ALL);
        assert!(all.contains("(99T20w)"));
        for width in [0, 10, 40, 100, 1000] {
            let some = text(&position, Frame { width, timelines: 8 });
            assert!(some.contains("92 timelines."), "{some}");
            let longest = some.lines().skip(2).map(str::len).max().unwrap();
            assert!(longest <= width.max(40), "{width}: {longest}\n{some}");
            assert!(some.contains('|'), "the present is always in sight\n{some}");
        }
    }
}
