//! Moves as programs for 5d-chess-js 1.2.1 spell them, and as 5DPGN does not: `(0T1)c2 >> (0T1)c4`, `c2 c4`, `Nc3 (0T1)`.

/// A text in which no move within a board is written as a jump, as `(0T1)c2>>(0T1)c4` is; `None` if there is none.
pub(super) fn without_false_jumps(text: &str) -> Option<String> {
    let mut changed = String::new();
    let mut rest = text;
    // The board of the move that is being read.
    let mut from = None;
    while let Some(at) = rest.find(['(', '>', ' ', '\n', '/']) {
        let (before, after) = rest.split_at(at);
        changed.push_str(before);
        match after.as_bytes()[0] {
            b'(' => {
                let (board, after) = after.split_at(after.find(')').map_or(after.len(), |end| end + 1));
                from = Some(board);
                changed.push_str(board);
                rest = after;
            }
            b'>' => {
                let target = after.trim_start_matches('>').trim_start_matches('x');
                let end = if target.starts_with('(') { target.find(')').map_or(0, |end| end + 1) } else { 0 };
                let (board, square) = target.split_at(end);
                if from.is_some_and(|from| is_same(from, board)) {
                    // A capture is one without its mark too.
                    rest = square;
                } else {
                    let jump = after.len() - target.len();
                    changed.push_str(&after[..jump + board.len()]);
                    rest = square;
                }
                from = None;
            }
            _ => {
                from = None;
                changed.push_str(&after[..1]);
                rest = &after[1..];
            }
        }
    }
    changed.push_str(rest);
    (changed != text).then_some(changed)
}

/// The text of one move without blanks and false jumps, and with its board in front; `None` if nothing changes.
pub(super) fn of_move(text: &str) -> Option<String> {
    let joined: String = text.split_ascii_whitespace().collect();
    let moved = match joined.rsplit_once('(') {
        Some((m, board)) if is_board(&format!("({board}")) && !m.is_empty() => {
            let board = format!("({board}");
            match m.find(')') {
                Some(end) if m.starts_with('(') && is_same(&m[..=end], &board) => m.to_owned(),
                Some(_) => joined,
                None => board + m,
            }
        }
        _ => joined,
    };
    let changed = without_false_jumps(&moved).unwrap_or(moved);
    (changed != text).then_some(changed)
}

/// Whether a text is a board with its timeline and turn, such as `(0T1)`.
fn is_board(text: &str) -> bool {
    let inner = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
    inner.and_then(|inner| inner.split_once('T')).is_some_and(|(timeline, turn)| {
        let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number(timeline.trim_start_matches(['+', '-'])) && is_number(turn)
    })
}

/// Whether two texts are one board. `+0` and `-0` are two.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |board: &str| match board.strip_prefix("(+") {
        Some(rest) if !rest.starts_with("0T") => format!("({rest}"),
        _ => board.to_owned(),
    };
    is_board(one) && plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_within_a_board_are_no_jumps() {
        for (text, wanted) in [
            ("(0T1)c2>>(0T1)c4", "(0T1)c2c4"),
            ("(0T1)Nb1>x(0T1)c3", "(0T1)Nb1c3"),
            ("(1T2)a7>(+1T2)a5", "(1T2)a7a5"),
            (
                "1. (0T1)c2>>(0T1)c4 / (0T1)c7>>(0T1)c5 2. (0T2)Nb1>>(0T1)b3",
                "1. (0T1)c2c4 / (0T1)c7c5 2. (0T2)Nb1>>(0T1)b3",
            ),
        ] {
            assert_eq!(without_false_jumps(text).as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "",
            "1. c4 / c5",
            "(0T2)Nb1>>(0T1)b3",
            "(0T1)c4 >>(0T1)c5",
            "(+0T1)a7>(-0T1)a5",
            "(0T1)",
            "(0T1",
            "(0T1)c2>>(0T1",
            ">>>(",
            "(é)>(é)é",
        ] {
            assert_eq!(without_false_jumps(text), None, "{text}");
        }
    }

    #[test]
    fn blanks_and_the_place_of_the_board_do_not_count() {
        for (text, wanted) in [
            ("(0T1)c2 >> (0T1)c4", "(0T1)c2c4"),
            ("(0T1) c2>>(0T1) c4", "(0T1)c2c4"),
            ("(0 T1)c4", "(0T1)c4"),
            ("c2 c4", "c2c4"),
            ("Nb1 c3", "Nb1c3"),
            ("Nc3 (0T1)", "(0T1)Nc3"),
            ("Nc3(-1T12)", "(-1T12)Nc3"),
            ("(0T1)c4 (+0T1)", "(0T1)c4(+0T1)"),
            ("(1T1)c4 (+1T1)", "(1T1)c4"),
            ("(0T2)Nb1 >> (0T1)b3", "(0T2)Nb1>>(0T1)b3"),
            ("c4 (~T1)", "c4(~T1)"),
        ] {
            assert_eq!(of_move(text).as_deref(), Some(wanted), "{text}");
        }
        for text in ["c4", "(0T1)Nc3", "(0T2)Nb1>>(0T1)b3", "", "(0T1)"] {
            assert_eq!(of_move(text), None, "{text}");
        }
    }
}
