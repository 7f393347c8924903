//! Reads boards that are drawn with letters. Begin at [`read`].

use worldlines::types::{BoardSize, Color, PieceKind};

/// The most boards in a drawing.
const MOST: usize = 1000;

/// The 5DFEN of a drawing: the output of `worldlines show`, or the rows of one board.
pub fn read(text: &str, to_move: Color) -> Result<String, String> {
    let lines: Vec<&str> = text.lines().collect();
    let boards = if lines.iter().any(|line| !labels(line).is_empty()) {
        named(&lines)?
    } else {
        let rows: Rows = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| row(line).map_err(|why| in_line(index, line, &why)))
            .collect::<Result<_, _>>()?;
        let player = if to_move == Color::White { 'w' } else { 'b' };
        vec![(Label { timeline: "0".into(), turn: "1".into(), player }, rows)]
    };
    let mut out = String::new();
    let size = boards.first().and_then(|(_, rows)| Some((rows.first()?.len(), rows.len())));
    let (width, height) = size.filter(|(width, _)| *width > 0).ok_or("there is no board in it")?;
    let most = usize::from(BoardSize::MAX);
    if width > most || height > most {
        return Err(format!("a board has {width}x{height} squares, and at most {most}x{most} are supported"));
    }
    for (label, rows) in &boards {
        if rows.len() != height || rows.iter().any(|row| row.len() != width) {
            return Err(format!(
                "not every row of the board ({}T{}{}) has {width} squares, or it has not {height} rows",
                label.timeline, label.turn, label.player
            ));
        }
        let rows: Vec<String> = rows.iter().map(|row| fen(row)).collect();
        out += &format!("[{}:{}:{}:{}]\n", rows.join("/"), label.timeline, label.turn, label.player);
    }
    Ok(out)
}

/// A square: empty, or the letter of a piece and whether it is unmoved.
type Square = Option<(char, bool)>;

type Rows = Vec<Vec<Square>>;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Label {
    timeline: String,
    turn: String,
    player: char,
}

/// The names of boards in a line, such as `(0T1w)`, each with its column.
fn labels(line: &str) -> Vec<(usize, Label)> {
    let chars: Vec<char> = line.chars().collect();
    let mut found = Vec::new();
    for start in (0..chars.len()).filter(|&at| chars[at] == '(') {
        let Some(length) = chars[start..].iter().position(|&c| c == ')') else { continue };
        let inside: String = chars[start + 1..start + length].iter().collect();
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
fn named(lines: &[&str]) -> Result<Vec<(Label, Rows)>, String> {
    let mut boards: Vec<(usize, Label, Rows)> = Vec::new();
    // The index of the first board in the current row of boards.
    let mut first = 0;
    for (index, line) in lines.iter().enumerate() {
        let names = labels(line);
        if !names.is_empty() {
            first = boards.len();
            boards.extend(names.into_iter().map(|(column, label)| (column, label, Vec::new())));
            if boards.len() > MOST {
                return Err(format!("there are more than {MOST} boards in it"));
            }
            continue;
        }
        let chars: Vec<char> = line.chars().collect();
        let is_files = chars.iter().all(|c| matches!(c, 'a'..='h' | ' ' | '|')) && line.contains("a b");
        if boards.is_empty() || line.trim().is_empty() || is_files {
            continue;
        }
        for board in first..boards.len() {
            let end = boards.get(board + 1).map_or(chars.len(), |(column, ..)| column.saturating_sub(1));
            let (column, _, rows) = &mut boards[board];
            let cells: String = chars.get(*column..end.min(chars.len())).unwrap_or_default().iter().collect();
            let cells = cells.trim_matches([' ', '|']);
            if cells.is_empty() {
                continue;
            }
            match row(cells) {
                Ok(row) => rows.push(row),
                // Words below the boards end the rows.
                Err(_) if !rows.is_empty() => break,
                Err(why) => return Err(in_line(index, cells, &why)),
            }
        }
    }
    // In the place of a board that does not exist yet, the drawing has no name.
    Ok(boards.into_iter().map(|(_, label, rows)| (label, rows)).collect())
}

/// An error message with the row of the error.
fn in_line(index: usize, row: &str, why: &str) -> String {
    format!("line {}, `{}`: {why}", index + 1, row.trim())
}

/// The squares of a row. Blanks between them do not matter.
fn row(line: &str) -> Result<Vec<Square>, String> {
    let mut squares: Vec<Square> = Vec::new();
    for c in line.trim().chars() {
        match c {
            ' ' | '\t' => {}
            '.' | '-' | '_' => squares.push(None),
            '*' => match squares.last_mut() {
                Some(Some((_, unmoved))) => *unmoved = true,
                _ => return Err("`*` stands behind a piece that has never moved".to_owned()),
            },
            c if PieceKind::ALL.iter().any(|kind| kind.letter() == c.to_ascii_uppercase()) => {
                squares.push(Some((c, false)));
            }
            c if c.is_ascii_alphabetic() => return Err(format!("there is no piece `{c}`")),
            c => return Err(format!("expected pieces and `.`, but found `{c}`")),
        }
    }
    Ok(squares)
}

fn fen(row: &[Square]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for square in row {
        let Some((piece, unmoved)) = square else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.push(*piece);
        text.push_str(if *unmoved { "*" } else { "" });
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use worldlines::notation::{fen5d, pgn5d};
    use worldlines::render::{Frame, text};

    #[test]
    fn a_board_of_letters_is_read() {
        let drawn = "\n . . k .\n....\nR * . . .\n K . . .\n";
        let fen = read(drawn, Color::Black).unwrap();
        assert_eq!(fen, "[2k1/4/R*3/K3:0:1:b]\n");
        for wrong in ["", "k.\n.\n", "k 1\n. .\n", "* k\n. .\n", ". . . . . . . . .\n"] {
            assert!(read(wrong, Color::White).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_row_of_file_letters_is_named() {
        let why = |drawn: &str| read(drawn, Color::White).unwrap_err();
        assert_eq!(why("k . . .\nR . . K\n\n a b c d\n"), "line 4, `a b c d`: there is no piece `a`");
        assert_eq!(why("(0T1w)\nk x\n"), "line 2, `k x`: there is no piece `x`");
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
            let read = read(&drawn, Color::White).unwrap_or_else(|why| panic!("{name}: {why}\n{drawn}"));
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
