//! Questions about Chess Evolved Online, a notation of moves without a game: texts and generated moves are
//! read, written and read back equal.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use worldlines::notation::ceo::{
    self, Change, Code, Entry, Manner, Move, Origin, Spell, Transfer, Unit, parse, write,
};
use worldlines::notation::{Issue, Parsed};
use worldlines::types::Square;

use crate::cases::{Case, assert_has_place};
use crate::finding::noted;

/// From text to moves to text.
pub(crate) fn text(bytes: &[u8]) -> Result<()> {
    let text = String::from_utf8_lossy(bytes);
    let Parsed { value, spans, warnings, error, .. } = parse(&text);
    let ceo::Entries { entries, ambiguities } = value.unwrap_or_default();
    for issue in warnings.iter().chain(error.iter().map(|error| &error.issue)) {
        assert_has_place(&text, issue.span, &issue.excerpt("x", &*text));
    }
    assert_eq!(spans.len(), entries.len(), "one place for each entry");
    for span in spans.iter().chain(ambiguities.iter().map(|(span, _)| span)) {
        assert!(text.get(span.range()).is_some(), "{span:?} is no part of the text");
    }
    let written = write(&entries).unwrap_or_else(|error| panic!("what was read is not written: {error}"));
    assert_reads(&entries, &written, parse);
    Ok(())
}

/// From moves to text to moves.
pub(crate) fn entries(bytes: &[u8]) -> Result<()> {
    // Some moves have no text and are refused: the proposal leaves them open.
    for entry in noted(case(bytes)?)? {
        if let Ok(written) = write(std::slice::from_ref(&entry)) {
            assert_reads(&[entry], &written, parse);
        }
    }
    Ok(())
}

fn case(bytes: &[u8]) -> Result<Vec<Entry>> {
    let mut u = Unstructured::new(bytes);
    (0..u.int_in_range(1..=4)?).map(|_| entry(&mut u)).collect()
}

impl Case for Vec<Entry> {
    fn shown(&self) -> String {
        format!("{self:#?}")
    }
}

fn assert_reads(entries: &[Entry], written: &str, read: fn(&str) -> Parsed<ceo::Entries>) {
    let again = read(written);
    assert_eq!(again.error, None, "in\n{written}");
    // An ambiguous text is ambiguous in canonical form too.
    let is_ambiguous = |warning: &&Issue| matches!(warning.code, "ambiguous-unit" | "axeman-or-pawn");
    assert_eq!(again.warnings.iter().find(|warning| !is_ambiguous(warning)), None, "in\n{written}");
    assert_eq!(again.value.unwrap_or_default().entries, entries, "in\n{written}");
}

fn entry(u: &mut Unstructured<'_>) -> Result<Entry> {
    let automatic =
        if u.ratio(1, 4)? { Some(Transfer { manner: Manner::Capture, ..transfer(u)? }) } else { None };
    let main = match u.int_in_range(0..=5)? {
        0 => Move::Swap(
            Transfer { manner: Manner::Move, ..transfer(u)? },
            Transfer { manner: Manner::Move, ..transfer(u)? },
        ),
        1 => {
            Move::Spell { unit: unit(u)?, origin: origin(u)?, spell: *u.choose(&Spell::ALL)?, to: square(u)? }
        }
        2 => Move::Freeze { unit: unit(u)?, origin: origin(u)?, squares: squares(u, 1)? },
        3 => Move::Recover {
            level: u.int_in_range(0..=3)?,
            origin: origin(u)?,
            unit: if u.ratio(7, 8)? { Some(unit(u)?) } else { None },
            to: square(u)?,
        },
        _ => Move::Transfer(transfer(u)?),
    };
    Ok(Entry { automatic, main })
}

fn transfer(u: &mut Unstructured<'_>) -> Result<Transfer> {
    Ok(Transfer {
        unit: if u.ratio(3, 4)? { Some(unit(u)?) } else { None },
        origin: origin(u)?,
        manner: *u.choose(&Manner::ALL)?,
        to: square(u)?,
        change: match u.int_in_range(0..=3)? {
            0 => Some(Change {
                enemy: u.arbitrary()?,
                into: if u.ratio(7, 8)? { Some(unit(u)?) } else { None },
            }),
            _ => None,
        },
        frozen: u.ratio(1, 4)?,
        slimes: if u.ratio(1, 6)? { squares(u, 0)? } else { Vec::new() },
    })
}

fn unit(u: &mut Unstructured<'_>) -> Result<Unit> {
    static CODES: LazyLock<Vec<Code>> = LazyLock::new(|| Code::all().collect());
    Ok(Unit { code: *u.choose(&CODES)?, level: if u.ratio(1, 3)? { u.int_in_range(1..=3)? } else { 0 } })
}

fn origin(u: &mut Unstructured<'_>) -> Result<Origin> {
    let part =
        |u: &mut Unstructured<'_>| Ok(if u.arbitrary()? { Some(u.int_in_range(0..=7)?) } else { None });
    Ok(Origin { file: part(u)?, rank: part(u)? })
}

fn square(u: &mut Unstructured<'_>) -> Result<Square> {
    Ok(Square::from_index(u.int_in_range(0..=63)?))
}

fn squares(u: &mut Unstructured<'_>, fewest: usize) -> Result<Vec<Square>> {
    (0..u.int_in_range(fewest..=3)?).map(|_| square(u)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::flags;
    use crate::random::Random;

    #[test]
    fn most_moves_have_a_text() {
        let mut random = Random::default();
        let entries = (0..2_000).flat_map(|_| case(&random.bytes(100)).expect("entries"));
        let (mut all, mut written) = (0, 0);
        for entry in entries {
            all += 1;
            written += usize::from(write(&[entry]).is_ok());
        }
        assert!(written * 2 > all, "only {written} of {all}");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let entries = parse("KNd4e6\nLS-BB+e6\n").value.expect("entries").entries;
        assert_reads(&entries, "KNd4e6\nLS-BB+e6\n", parse);
        for text in ["KNd4e6\n", "KNd4e6\nLS-BBe6\n", "KNd4e6\nls-BB+e6\n", "KNd4e6\nLS-BB+e9\n"] {
            assert!(flags(|| assert_reads(&entries, text, parse)), "{text}");
        }
    }
}
