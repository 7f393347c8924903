//! Reads boards that are drawn with letters, as `worldlines show` prints them. Begin at [`parse`].

use std::fmt::Write;

use worldlines::notation::{Game, Issue, Loss, Parsed, Span, Written, fen5d};
use worldlines::render::{Frame, text};
use worldlines::state::Position;
use worldlines::types::{BoardSize, Color, PieceKind};

/// The most boards in a drawing.
const MOST: usize = 1000;

/// The most bytes of a drawing.
const MAX_BYTES: usize = 1 << 20;

/// Columns from one tab stop to the next.
const TAB: usize = 8;

/// Whether a text begins as a drawing does: with a line that names boards, or with rows of squares of which one is empty.
pub fn detect(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let mut begun = text.lines().take(2 * usize::from(BoardSize::MAX)).map(Line::of).filter(Line::is_content);
    let Some(first) = begun.next() else { return false };
    if !labels(&first).is_empty() {
        return first.names_only();
    }
    let rows: Vec<Line> = std::iter::once(first).chain(begun).collect();
    let is_row = |line: &Line| {
        let cells = line.without_rank();
        let text: String = cells.iter().map(|cell| cell.sign).collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        let are_squares = words.len() > 1
            && words.iter().all(|word| matches!(word.trim_end_matches('*').chars().count(), 0 | 1));
        are_squares || row(cells).is_ok_and(|row| row.len() > 1)
    };
    rows.len() > 1
        && rows.iter().all(is_row)
        && rows.iter().flat_map(|line| &line.cells).any(|cell| cell.sign == '.')
}

/// The position of a drawing: boards below their names such as `(0T1w)`, or the rows of one board. `to_move` has the action where
/// neither names nor a line such as `Black to move` say who has it.
pub fn parse(text: &str, to_move: Color) -> Parsed {
    match read(text, to_move) {
        Ok(fen) => fen.parse(),
        Err(issue) => Parsed::refused(issue.malformed()),
    }
}

/// Draws all boards of a position.
pub fn write(position: &Position) -> Written {
    let drawn = text(position, Frame::ALL);
    let same = parse(&drawn, position.to_move()).into_result().is_ok_and(|game| game.start == *position);
    let loss =
        (!same).then(|| Loss::new("which pieces have never moved, pawns that were passed, or the rules"));
    Written { bytes: drawn.into_bytes(), losses: loss.into_iter().collect() }
}

/// The 5DFEN of a drawing, and the row of the drawing for each row in it.
struct Fen {
    text: String,
    /// The places in the text at which rows begin, in order, each with the row in the drawing.
    rows: Vec<(usize, Span)>,
}

impl Fen {
    fn parse(&self) -> Parsed {
        let Parsed { value, error, .. } = fen5d::parse(&self.text);
        let error = error.map(|error| error.map(|issue| self.in_drawing(issue)));
        Parsed { value: value.map(|position| Game::new(position, Vec::new())), error, ..Parsed::default() }
    }

    /// The issue with its place in the drawing.
    fn in_drawing(&self, issue: Issue) -> Issue {
        let at = issue.span.range().start;
        let row = self.rows.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        Issue { span: self.rows.get(row).map_or(issue.span, |(_, span)| *span), ..issue }
    }
}

/// An error in a drawing.
fn wrong(span: Span, message: impl Into<String>) -> Issue {
    Issue::new("drawing", span, message)
}

fn read(text: &str, to_move: Color) -> Result<Fen, Issue> {
    let whole = Span::new(0, text.len());
    if text.len() > MAX_BYTES {
        return Err(wrong(Span::new(0, 0), format!("a drawing has at most {MAX_BYTES} bytes")));
    }
    let lines: Vec<Line> = lines(text);
    let said = lines.iter().find_map(Line::to_move);
    let boards = if lines.iter().any(|line| !labels(line).is_empty()) {
        named(&lines)?
    } else {
        one_board(&lines)?;
        let rows = lines.iter().filter(|line| line.is_content()).map(|line| row(line.without_rank()));
        let player = said.unwrap_or(to_move).letter();
        vec![(Label { timeline: "0".into(), turn: "1".into(), player }, rows.collect::<Result<_, _>>()?)]
    };
    let mut fen = Fen { text: String::new(), rows: Vec::new() };
    let size = boards.first().and_then(|(_, rows)| Some((rows.first()?.len(), rows.len())));
    let (width, height) = size
        .filter(|(width, _)| *width > 0)
        .ok_or_else(|| wrong(whole, "there is no board in the drawing").hint(EXAMPLE))?;
    let most = usize::from(BoardSize::MAX);
    if width > most || height > most {
        let why = format!("a board has {width}x{height} squares, and at most {most}x{most} are supported");
        return Err(wrong(boards[0].1[0].span, why));
    }
    for (label, rows) in &boards {
        let name = format!("({}T{}{})", label.timeline, label.turn, label.player);
        if let Some(row) = rows.iter().find(|row| row.len() != width) {
            let why = format!(
                "this row of the board {name} has {} squares, and the first row of the drawing {width}",
                row.len()
            );
            return Err(wrong(row.span, why));
        }
        if rows.len() != height {
            let span = rows.last().map_or(whole, |row| row.span);
            let why = format!("the board {name} has {} rows, and the first board {height}", rows.len());
            return Err(wrong(span, why));
        }
        for (index, row) in rows.iter().enumerate() {
            fen.rows.push((fen.text.len(), row.span));
            fen.text.push(if index == 0 { '[' } else { '/' });
            write_row(row, &mut fen.text);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(fen.text, ":{}:{}:{}]", label.timeline, label.turn, label.player);
    }
    Ok(fen)
}

/// Fails if rows follow an empty line, since several boards need names.
fn one_board(lines: &[Line]) -> Result<(), Issue> {
    let rows = lines.iter().skip_while(|line| !line.is_content());
    let Some(another) = rows.skip_while(|line| !line.is_blank()).find(|line| line.is_content()) else {
        return Ok(());
    };
    let hint = "a board of several has its name above it, such as `(0T1w)`, as `worldlines show` draws them";
    Err(wrong(another.cells[0].span, "another board begins after the empty line").hint(hint))
}

/// An example of a drawing, for messages.
const EXAMPLE: &str =
    "a row is a line such as `. . k .`, with White's pieces in capitals and `.` for an empty square";

/// A sign of a drawing.
#[derive(Clone, Copy)]
struct Cell {
    sign: char,
    /// Its place in the text.
    span: Span,
}

/// A line of a drawing, with blanks instead of tabs.
struct Line {
    cells: Vec<Cell>,
}

/// The lines of a text.
fn lines(text: &str) -> Vec<Line> {
    let mut at = 0;
    let place = |line: &str| {
        let start = at;
        at += line.len();
        Line::at(line.trim_end_matches(['\n', '\r']), start)
    };
    text.split_inclusive('\n').map(place).collect()
}

impl Line {
    fn of(text: &str) -> Line {
        Line::at(text, 0)
    }

    /// The line with this text, which begins at this place of the whole.
    fn at(text: &str, start: usize) -> Line {
        let mut cells: Vec<Cell> = Vec::new();
        for (at, sign) in text.char_indices() {
            let span = Span::new(start + at, start + at + sign.len_utf8());
            match sign {
                '\t' => {
                    let stop = (cells.len() / TAB + 1) * TAB;
                    cells.resize(stop, Cell { sign: ' ', span });
                }
                sign => cells.push(Cell { sign, span }),
            }
        }
        Line { cells }
    }

    fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.sign).collect()
    }

    fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.sign.is_whitespace())
    }

    /// Whether the line is more than space, letters of files and the player to move.
    fn is_content(&self) -> bool {
        !self.is_blank() && self.to_move().is_none() && !self.is_files()
    }

    /// The player of a line such as `Black to move`.
    fn to_move(&self) -> Option<Color> {
        let text = self.text().trim_start().to_ascii_lowercase();
        let begins =
            |color: &Color| text.starts_with(&format!("{} to move", color.name().to_ascii_lowercase()));
        [Color::White, Color::Black].into_iter().find(begins)
    }

    /// Whether these are the letters of the files: `a b c d`.
    fn is_files(&self) -> bool {
        let signs = self.cells.iter().map(|cell| cell.sign).filter(|sign| !sign.is_whitespace());
        let mut files = ('a'..='h').cycle();
        let mut count = 0;
        for sign in signs.filter(|&sign| sign != '|') {
            // The letters of the next board begin anew.
            if sign == 'a' {
                files = ('a'..='h').cycle();
            }
            if files.next() != Some(sign) {
                return false;
            }
            count += 1;
        }
        count > 0
    }

    /// Whether the line has names of boards and nothing else but signs beside them.
    fn names_only(&self) -> bool {
        let text = self.text();
        let mut rest = text.as_str();
        let mut beside = String::new();
        while let Some((before, after)) = rest.split_once('(') {
            beside += before;
            rest = after.split_once(')').map_or("", |(_, after)| after);
        }
        beside += rest;
        beside.chars().all(|sign| sign.is_whitespace() || matches!(sign, '|' | '!' | '?'))
    }

    /// The signs after the number of a rank, if there is one.
    fn without_rank(&self) -> &[Cell] {
        let blank = |cell: &Cell| cell.sign.is_whitespace();
        let start = self.cells.iter().position(|cell| !blank(cell)).unwrap_or(self.cells.len());
        let cells = &self.cells[start..];
        match cells {
            [number, next, ..] if number.sign.is_ascii_digit() && blank(next) => &cells[1..],
            _ => cells,
        }
    }
}

/// A square: empty, or the letter of a piece and whether it is unmoved.
type Square = Option<(char, bool)>;

/// A row of a board, and its place in the drawing.
#[derive(Clone)]
struct Row {
    squares: Vec<Square>,
    span: Span,
}

impl Row {
    fn len(&self) -> usize {
        self.squares.len()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Label {
    timeline: String,
    turn: String,
    player: char,
}

/// The names of boards in a line, such as `(0T1w)`, each with its column.
fn labels(line: &Line) -> Vec<(usize, Label)> {
    let signs: Vec<char> = line.cells.iter().map(|cell| cell.sign).collect();
    let mut found = Vec::new();
    for start in (0..signs.len()).filter(|&at| signs[at] == '(') {
        let Some(length) = signs[start..].iter().position(|&c| c == ')') else { break };
        let inside: String = signs[start + 1..start + length].iter().collect();
        let Some((timeline, rest)) = inside.split_once('T') else { continue };
        let Some(player @ ('w' | 'b')) = rest.chars().last() else { continue };
        let turn = &rest[..rest.len() - 1];
        let is_number = |text: &str| text.trim_start_matches(['+', '-']).parse::<u16>().is_ok();
        if is_number(timeline) && turn.parse::<u16>().is_ok() {
            found.push((start, Label { timeline: timeline.to_owned(), turn: turn.to_owned(), player }));
        }
    }
    found
}

/// The boards below their names, as `worldlines show` draws them.
fn named(lines: &[Line]) -> Result<Vec<(Label, Vec<Row>)>, Issue> {
    let mut boards: Vec<(usize, Label, Vec<Row>)> = Vec::new();
    // The index of the first board in the current row of boards.
    let mut first = 0;
    for line in lines {
        let names = labels(line);
        if !names.is_empty() {
            first = boards.len();
            boards.extend(names.into_iter().map(|(column, label)| (column, label, Vec::new())));
            if boards.len() > MOST {
                let span = line.cells.first().map_or(Span::new(0, 0), |cell| cell.span);
                return Err(wrong(span, format!("there are more than {MOST} boards in the drawing")));
            }
            continue;
        }
        if boards.is_empty() || !line.is_content() {
            continue;
        }
        for board in first..boards.len() {
            let end = boards.get(board + 1).map_or(line.cells.len(), |(column, ..)| column.saturating_sub(1));
            let (column, _, rows) = &mut boards[board];
            let cells = line.cells.get(*column..end.min(line.cells.len())).unwrap_or_default();
            let is_beside = |cell: &Cell| matches!(cell.sign, ' ' | '|');
            if cells.iter().all(is_beside) {
                continue;
            }
            let start = cells.iter().position(|cell| !is_beside(cell)).unwrap_or(0);
            let end = cells.iter().rposition(|cell| !is_beside(cell)).map_or(0, |last| last + 1);
            match row(&cells[start..end]) {
                Ok(row) => rows.push(row),
                // Words below the boards end the rows.
                Err(_) if !rows.is_empty() => break,
                Err(why) => return Err(why),
            }
        }
    }
    // In the place of a board that does not exist yet, the drawing has no name.
    Ok(boards.into_iter().map(|(_, label, rows)| (label, rows)).collect())
}

/// The squares of a row. Blanks between them do not matter.
fn row(cells: &[Cell]) -> Result<Row, Issue> {
    let mut squares: Vec<Square> = Vec::new();
    for &Cell { sign, span } in cells {
        match sign {
            sign if sign.is_whitespace() => {}
            '.' | '-' | '_' => squares.push(None),
            '*' => match squares.last_mut() {
                Some(Some((_, unmoved))) => *unmoved = true,
                _ => return Err(wrong(span, "`*` stands behind a piece that has never moved")),
            },
            sign if PieceKind::ALL.iter().any(|kind| kind.letter() == sign.to_ascii_uppercase()) => {
                squares.push(Some((sign, false)));
            }
            sign => {
                let what = if sign.is_ascii_alphabetic() {
                    "there is no piece"
                } else {
                    "expected pieces and `.`, but found"
                };
                return Err(wrong(span, format!("{what} `{sign}`")).hint(EXAMPLE));
            }
        }
    }
    let seen = || cells.iter().filter(|cell| !cell.sign.is_whitespace()).map(|cell| cell.span.range());
    let start = seen().next().map_or(0, |range| range.start);
    let end = seen().next_back().map_or(start, |range| range.end);
    Ok(Row { squares, span: Span::new(start, end) })
}

fn write_row(row: &Row, text: &mut String) {
    let mut empty = 0;
    let flush = |text: &mut String, empty: &mut u32| {
        if *empty > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "{empty}");
        }
        *empty = 0;
    };
    for square in &row.squares {
        let Some((piece, unmoved)) = square else {
            empty += 1;
            continue;
        };
        flush(text, &mut empty);
        text.push(*piece);
        text.push_str(if *unmoved { "*" } else { "" });
    }
    flush(text, &mut empty);
}

#[cfg(test)]
mod tests {
    use super::*;
    use worldlines::notation::pgn5d;

    fn fen(drawn: &str, to_move: Color) -> Result<String, String> {
        read(drawn, to_move).map(|fen| fen.text).map_err(|issue| {
            let place = drawn.get(issue.span.range()).unwrap_or_default();
            format!("{}: `{place}`", issue.message)
        })
    }

    #[test]
    fn a_board_of_letters_is_read() {
        let drawn = "\n . . k .\n....\nR * . . .\n K . . .\n";
        assert_eq!(fen(drawn, Color::Black).unwrap(), "[2k1/4/R*3/K3:0:1:b]\n");
        let with_labels = "black to move\n4 . . k .\n3 ....\n2 R * . . .\n1 K\t. . .\n  a b c d\n";
        assert_eq!(fen(with_labels, Color::White).unwrap(), "[2k1/4/R*3/K3:0:1:b]\n");
        for drawn in [drawn, with_labels, "(0T1w)\nk.\n.K\n"] {
            assert!(detect(drawn.as_bytes()), "{drawn}");
        }
        for other in ["", "k", "1. e4 / e5", "[k1/1K:0:1:w]", "(0T1)Nf3\n(1T1)Nf3", "e4 e5", "NN\nQQ"] {
            assert!(!detect(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn errors_have_their_place() {
        for (drawn, why) in [
            ("", "there is no board in the drawing: ``"),
            (
                "k.\n.\n",
                "this row of the board (0T1w) has 1 squares, and the first row of the drawing 2: `.`",
            ),
            ("k 1\n. .\n", "expected pieces and `.`, but found `1`: `1`"),
            ("* k\n. .\n", "`*` stands behind a piece that has never moved: `*`"),
            ("k . . .\nR . . K\n a b d c\n", "there is no piece `a`: `a`"),
            ("k .\n. K\n\nk .\n. K\n", "another board begins after the empty line: `k`"),
            ("(0T1w)\nk x\n", "there is no piece `x`: `x`"),
            (
                "(0T1w) (0T1b)\nk K    k K\n. .    . .\n(1T1b)\nk K\n",
                "the board (1T1b) has 1 rows, and the first board 2: `k K`",
            ),
        ] {
            assert_eq!(fen(drawn, Color::White).unwrap_err(), why, "{drawn}");
        }
        let twice = "(0T1w)\nk .\n. K\n\n(0T1w)\nk .\n. K\n";
        let error = parse(twice, Color::White).error.unwrap();
        assert!(error.issue.span.range().start > 20, "{error:?}");
    }

    #[test]
    fn tabs_stand_for_columns() {
        let drawn = "(0T1w)\t(0T1b)\n. k\t. k\nK .\tK .\n";
        assert_eq!(fen(drawn, Color::White).unwrap(), "[1k/K1:0:1:w]\n[1k/K1:0:1:b]\n");
    }

    /// Drawings by `show` are read as the same boards, in any position.
    #[test]
    fn drawings_of_positions_are_read_back() {
        for name in ["standard-1", "small-2", "custom-mini-shogi-0", "misc-timeline-skirmish-2"] {
            let path = format!("{}/corpus/games/{name}.5dpgn", env!("CARGO_MANIFEST_DIR"));
            let mut game = pgn5d::parse(&std::fs::read_to_string(path).unwrap()).into_result().unwrap();
            game.actions.truncate(8);
            let position = game.end();
            let drawn = text(&position, Frame::ALL);
            assert!(detect(drawn.as_bytes()), "{name}");
            let read = fen(&drawn, Color::White).unwrap_or_else(|why| panic!("{name}: {why}\n{drawn}"));
            let bare = |text: &str| {
                let boards = text.lines().filter(|line| line.matches(':').count() == 3);
                let mut boards: Vec<String> = boards.map(|line| line.trim().replace('*', "")).collect();
                boards.sort();
                boards
            };
            assert_eq!(bare(&read), bare(&fen5d::write(&position)), "{name}\n{drawn}");
        }
    }
}
