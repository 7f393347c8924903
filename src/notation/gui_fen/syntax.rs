//! Reads a text into a [`Record`].

use super::{Generation, Header, Line, Record};
use crate::notation::common::{Cursor, Sign};
use crate::notation::common::{Issue, ParseError, Span};
use crate::notation::common::{boards, coordinates};
use crate::state::MAX_TIMELINES;
use crate::types::{BoardSize, Color, HalfTurn, Parity, Square};

/// Reads the header, the lines and the moves of a text.
pub(super) fn parse(text: &str) -> Result<Record, ParseError> {
    let mut cursor = Cursor::new(text);
    cursor.begin()?;
    let header = {
        skip_to_line(&mut cursor);
        header(&mut cursor)?
    };
    let mut record = Record { header, lines: Vec::new(), moves: Vec::new() };
    loop {
        skip_to_line(&mut cursor);
        let Some(byte) = cursor.peek() else { break };
        if record.lines.len() < record.header.timelines {
            record.lines.push(line(&mut cursor, &record.header)?);
        } else if record.header.generation == Generation::Origins && record.moves.is_empty() && byte != b';' {
            record.moves = coordinates::elements(&mut cursor)?;
        } else {
            let issue = cursor.expected("text-after-game", "the end of the game");
            let hint = format!("the number of timelines in the header is {}", record.header.timelines);
            return Err(issue.hint(hint).malformed());
        }
    }
    if record.lines.len() < record.header.timelines {
        let (announced, found) = (record.header.timelines, record.lines.len());
        let message =
            format!("expected as many timelines as the header says, {announced}, but found {found}");
        return Err(Issue::new("missing-timeline", record.header.span, message).malformed());
    }
    Ok(record)
}

fn skip_to_line(cursor: &mut Cursor<'_>) {
    cursor.skip_while(|byte| byte.is_ascii_whitespace() || byte == b'>');
}

/// Steps to the end of a field, a `;` or the end of the line, and returns its span without blanks around it.
fn field_end(cursor: &mut Cursor<'_>) -> Span {
    cursor.skip_blanks();
    let start = cursor.at;
    cursor.skip_while(|byte| !matches!(byte, b';' | b'\n' | b'\r'));
    let text = cursor.span_from(start).of(cursor.text);
    Span::new(start, start + text.trim_ascii_end().len())
}

fn header(cursor: &mut Cursor<'_>) -> Result<Header, ParseError> {
    let start = cursor.at;
    let mut fields: Vec<Span> = Vec::new();
    loop {
        fields.push(field_end(cursor));
        if !cursor.eat(";") || fields.len() > 6 {
            break;
        }
    }
    if fields.len() > 4 && fields.last().is_some_and(|field| field.of(cursor.text).is_empty()) {
        fields.pop();
    }
    let span = Span::new(start, fields.last().map_or(start, |field| field.end as usize));
    let text = |index: usize| fields.get(index).map_or("", |field: &Span| field.of(cursor.text));
    let hint = "a header reads `8;8;1;0;w;F`";
    if !(4..=6).contains(&fields.len()) {
        let message = format!("expected a header of 4 to 6 fields, but found {}", fields.len());
        return Err(Issue::new("malformed-header", span, message).hint(hint).malformed());
    }
    let unknown = |index: usize, what: &str| {
        let message = format!("expected {what}, but found `{}`", text(index));
        Issue::new("malformed-header", fields[index], message).hint(hint).malformed()
    };
    let number = |index: usize, what: &str| text(index).parse::<u32>().map_err(|_| unknown(index, what));
    let label = |index: usize| {
        let mut label = Cursor::new(text(index));
        let read = label.label().ok().flatten().filter(|_| label.is_at_end());
        read.ok_or_else(|| unknown(index, "the lowest timeline"))
    };
    let color = |index: usize| match text(index) {
        "w" | "W" => Some(Color::White),
        "b" | "B" => Some(Color::Black),
        _ => None,
    };
    let flag = |index: usize| match text(index) {
        "T" | "t" => Some(Parity::Even),
        "F" | "f" => Some(Parity::Odd),
        _ => None,
    };
    let player = |index: usize| color(index).ok_or_else(|| unknown(index, "`w` or `b`"));
    let seed = |to_move: Option<Color>, parity: Option<Parity>| {
        Ok((Generation::Seed, number(2, "the number of timelines")?, label(3)?, to_move, parity))
    };
    let (generation, timelines, lowest, to_move, parity) = match fields.len() {
        4 => seed(None, None)?,
        5 => seed(Some(player(4)?), None)?,
        _ => match (flag(5), color(5)) {
            (Some(parity), _) => seed(Some(player(4)?), Some(parity))?,
            (None, Some(to_move)) => {
                let parity = match text(2) {
                    "0" => Parity::Odd,
                    "1" => Parity::Even,
                    _ => return Err(unknown(2, "`0` or `1`")),
                };
                let timelines = number(3, "the number of start timelines")?;
                (Generation::Origins, timelines, label(4)?, Some(to_move), Some(parity))
            }
            (None, None) => return Err(unknown(5, "`T`, `F`, `w` or `b`")),
        },
    };
    let (width, height) = (number(0, "the number of files")?, number(1, "the number of ranks")?);
    let size = boards::board_size(width.into(), height.into(), fields[0].to(fields[1]))?;
    let timelines = timelines as usize;
    if timelines == 0 || timelines > MAX_TIMELINES {
        let message = format!("expected a number of timelines from 1 to {MAX_TIMELINES}");
        return Err(Issue::new("malformed-header", span, message).malformed());
    }
    if lowest.sign == Some(Sign::Minus) && lowest.number == 0 && parity == Some(Parity::Odd) {
        let message =
            "`-0` needs a start with an even number of timelines, but the header says that it is odd";
        return Err(Issue::new("malformed-header", span, message).hint(hint).malformed());
    }
    let parity = parity.unwrap_or(if lowest.is_signed_zero() { Parity::Even } else { Parity::Odd });
    Ok(Header { span, generation, size, timelines, lowest, to_move, parity })
}

fn line(cursor: &mut Cursor<'_>, header: &Header) -> Result<Line, ParseError> {
    let start = cursor.at;
    let semicolon = |cursor: &mut Cursor<'_>, after: &str| {
        let issue = cursor.expected("missing-field", &format!("`;` after the {after}"));
        let hint = "a timeline reads `pieces;castling;en passant;start;number of moves;moves`";
        if cursor.eat(";") { Ok(()) } else { Err(issue.hint(hint).malformed()) }
    };
    let rows = field_end(cursor);
    semicolon(cursor, "pieces")?;
    let castling = field_end(cursor);
    semicolon(cursor, "castling rights")?;
    let en_passant = field_end(cursor);
    let skipped = match en_passant.of(cursor.text) {
        "" | "-" => None,
        found => Some(square_of(found, header.size).ok_or_else(|| {
            let message = format!("expected an en passant square or `-`, but found `{found}`");
            Issue::new("malformed-en-passant", en_passant, message).malformed()
        })?),
    };
    semicolon(cursor, "en passant square")?;
    let start_turn = loop {
        let field = field_end(cursor);
        match start_of(field.of(cursor.text)) {
            Some(start) => break start,
            // A number that is left from a clock.
            None if is_number(field.of(cursor.text)) && cursor.peek() == Some(b';') => cursor.at += 1,
            None => {
                let found = field.of(cursor.text);
                let message = format!(
                    "expected the half-turn at which the timeline starts, such as `w1`, but found `{found}`"
                );
                return Err(Issue::new("malformed-start", field, message).malformed());
            }
        }
    };
    let mut line = Line {
        span: Span::new(start, cursor.at),
        rows,
        castling,
        en_passant,
        skipped,
        start: start_turn,
        elements: Vec::new(),
    };
    let mut announced = None;
    let mut more = cursor.eat(";");
    if more && header.generation == Generation::Seed {
        let mut ahead = cursor.clone();
        let field = field_end(&mut ahead);
        if is_number(field.of(cursor.text)) {
            *cursor = ahead;
            let count = field.of(cursor.text).parse().unwrap_or(u32::MAX);
            announced = Some((count, field));
            more = cursor.eat(";");
        }
        cursor.skip_blanks();
        if more && !matches!(cursor.peek(), None | Some(b'\n' | b'\r')) {
            line.elements = coordinates::elements(cursor)?;
        }
    }
    cursor.skip_blanks();
    if !matches!(cursor.peek(), None | Some(b'\n' | b'\r')) {
        return Err(cursor.expected("unexpected-field", "the end of the line").malformed());
    }
    line.span = Span::new(start, cursor.at);
    // The program read as many moves as are announced. With fewer the text was cut off; with more it is two
    // games.
    if let Some((count, field)) = announced
        && usize::try_from(count) != Ok(line.elements.len())
    {
        let message = format!(
            "expected as many moves as the number before them, {count}, but found {}",
            line.elements.len()
        );
        return Err(Issue::new("wrong-move-count", field, message).malformed());
    }
    Ok(line)
}

/// The square that is the whole text of a field, on boards of this size.
fn square_of(text: &str, size: BoardSize) -> Option<Square> {
    let mut cursor = Cursor::new(text);
    cursor.square().filter(|&square| cursor.is_at_end() && size.contains(square))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `w1`, or `1w`.
fn start_of(text: &str) -> Option<HalfTurn> {
    let mut cursor = Cursor::new(text);
    let color = cursor.color();
    let turn = cursor.turn().ok()?;
    let color = color.or_else(|| cursor.color())?;
    cursor.is_at_end().then(|| HalfTurn::new(turn, color))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_en_passant_square_lies_on_the_board() {
        let size = BoardSize::new(5, 6).unwrap();
        for text in ["a1", "e6"] {
            assert!(square_of(text, size).is_some_and(|square| square.to_string() == text), "{text}");
        }
        for text in ["e7", "f6", "a0", "i1", "e", "e66", "--"] {
            assert_eq!(square_of(text, size), None, "{text}");
        }
    }
}
