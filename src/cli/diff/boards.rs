//! Draws the boards of two positions side by side.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use worldlines::notation::printable;

/// A board as 5DFEN has it: ranks from the top, and for each square the piece, with a star if it is unmoved.
type Board<'t> = Vec<Vec<&'t str>>;

/// The boards in which two positions in 5DFEN differ: the expected ones on the left, those found on the
/// right, and `!` before every square that differs. `None` if one of the texts is not a position.
pub fn side_by_side(expected: &str, found: &str, finder: &str) -> Option<String> {
    let (left, right) = (boards(expected)?, boards(found)?);
    let mut names: Vec<&str> = left.keys().chain(right.keys()).copied().collect();
    names.sort_unstable();
    names.dedup();
    let mut text = String::new();
    for name in names.into_iter().filter(|name| left.get(name) != right.get(name)) {
        // Writing to a string cannot fail.
        let _ = draw(name, left.get(name), right.get(name), finder, &mut text);
    }
    Some(text)
}

/// The boards of a position, by the name that follows their pieces.
fn boards(position: &str) -> Option<BTreeMap<&str, Board<'_>>> {
    let board = |line| {
        let (ranks, name) = str::strip_prefix(line, "[")?.strip_suffix(']')?.split_once(':')?;
        Some((name, ranks.split('/').map(rank).collect()))
    };
    position.lines().map(board).collect()
}

fn rank(text: &str) -> Vec<&str> {
    let mut squares = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter.to_digit(10) {
            Some(empty) => squares.extend((0..empty).map(|_| ".")),
            None if letter == '*' => {}
            None => {
                let end = at + letter.len_utf8();
                let star = usize::from(text[end..].starts_with('*'));
                squares.push(&text[at..end + star]);
            }
        }
    }
    squares
}

fn draw(
    name: &str,
    left: Option<&Board<'_>>,
    right: Option<&Board<'_>>,
    finder: &str,
    out: &mut String,
) -> fmt::Result {
    let (left_title, right_title) = match (left, right) {
        (Some(_), None) => ("expected".to_owned(), format!("{finder}: there is no such board")),
        (None, Some(_)) => ("expected no such board".to_owned(), finder.to_owned()),
        _ => ("expected".to_owned(), finder.to_owned()),
    };
    let height = left.into_iter().chain(right).map(Vec::len).max().unwrap_or(0);
    let width = left.into_iter().chain(right).flatten().map(Vec::len).max().unwrap_or(0);
    let column = (3 * width).max(left_title.len());
    writeln!(out, "    [{}]", printable(name))?;
    writeln!(out, "       {left_title:<column$}   {right_title}")?;
    for row in 0..height {
        let square = |board: Option<&Board<'_>>, file| {
            board.and_then(|board| board.get(row)?.get(file).copied().map(str::to_owned))
        };
        let side = |board| {
            let squares = (0..width).map(|file| {
                let differs = left.is_some() && right.is_some() && square(left, file) != square(right, file);
                format!("{}{:<2}", if differs { '!' } else { ' ' }, square(board, file).unwrap_or_default())
            });
            squares.collect::<String>()
        };
        let line = format!("    {:<3}{:<column$}   {}", height - row, side(left), side(right));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn what_differs_is_marked_and_nothing_else() {
        let expected = "[r*1k/3/2K:0:1:w]\n[3/3/K2:0:1:b]";
        let found = "[r1k/3/1K1:0:1:w]\n[3/3/K2:0:1:b]\n[3/3/k2:1:1:b]";
        let lines = [
            "    [0:1:w]",
            "       expected    somebody",
            "    3  !r* .  k    !r  .  k",
            "    2   .  .  .     .  .  .",
            "    1   . !. !K     . !K !.",
            "    [1:1:b]",
            "       expected no such board   somebody",
            "    3                            .  .  .",
            "    2                            .  .  .",
            "    1                            k  .  .",
            "",
        ];
        assert_eq!(side_by_side(expected, found, "somebody").unwrap(), lines.join("\n"));
        for (expected, found) in [("[1:0:1:w]", "none"), ("12", "13"), ("[]", "[]")] {
            assert_eq!(side_by_side(expected, found, "somebody"), None);
        }
    }
}
