//! Headers and boards to the start position.

use super::record::{Header, Record};
use crate::notation::fen5d::{self, Given};
use crate::notation::{Issue, ReadError, Span};
use crate::rules::variants;
use crate::state::Position;
use crate::types::{BoardSize, Parity, PieceKind, Promotions, RuleProfile};

/// The headers that decide about the start position. Every other one is kept as it is.
mod keys {
    pub const BOARD: &[&str] = &["Board", "Variant", "Layout"];
    pub const SIZE: &[&str] = &["Size"];
    pub const PARITY: &[&str] = &["Timelines", "Timeline"];
    pub const PROMOTIONS: &[&str] = &["Promotions", "Promotion"];
    pub const MODE: &[&str] = &["Mode"];
    pub const ALL: [&[&str]; 5] = [BOARD, SIZE, PARITY, PROMOTIONS, MODE];
}

/// Whether this header is read here.
pub(super) fn is_about_start(header: &Header, text: &str) -> bool {
    keys::ALL.iter().copied().flatten().any(|key| key.eq_ignore_ascii_case(header.key.of(text)))
}

/// The start position, and its name if that is not the name of a variant.
pub(super) fn position(
    record: &Record<'_>,
    warnings: &mut Vec<Issue>,
) -> Result<(Position, Option<String>), ReadError> {
    let text = record.text;
    let promotions = match single(record, keys::PROMOTIONS)? {
        Some((value, span)) => promotions(&value, span)?,
        None => Promotions::QUEEN,
    };
    let given = Given {
        size: single(record, keys::SIZE)?.map(|(value, span)| size(&value, span)).transpose()?,
        parity: single(record, keys::PARITY)?.map(|(value, span)| parity(&value, span)).transpose()?,
        profile: RuleProfile { promotions, ..RuleProfile::default() },
    };
    if let Some((mode, span)) =
        single(record, keys::MODE)?.filter(|(mode, _)| !mode.eq_ignore_ascii_case("5D"))
    {
        warnings.push(Issue::new("other-mode", span, format!("expected the mode `5D`, but found `{mode}`")));
    }
    if !record.boards.is_empty() {
        let position = fen5d::position(&record.boards, given)?;
        let name = name_of_boards(record, &position, warnings);
        return Ok((position, name));
    }
    let whole = Span::new(0, text.len().min(1));
    let named = single(record, keys::BOARD)?;
    let (name, span) = match &named {
        Some((name, span)) => (name.as_str(), *span),
        // What the notation says when there is no header.
        None if given.size.is_none_or(|size| size == BoardSize::STANDARD) => ("Standard", whole),
        None => {
            let issue = Issue::new("missing-start", whole, "expected a `Board` header or start boards");
            return Err(issue.malformed());
        }
    };
    let Some(variant) = variants::by_name(name) else {
        return Err(unknown_variant(name, span).malformed());
    };
    let mut setup = variant.setup();
    setup.profile = given.profile;
    let contradicts = |what: &str| {
        let message = format!("the {what} of `{}` is another one than the headers say", variant.name);
        Err(Issue::new("contradicting-headers", span, message).malformed())
    };
    if given.size.is_some_and(|size| size != setup.size) {
        return contradicts("board size");
    }
    if given.parity.is_some_and(|parity| parity != setup.parity) {
        return contradicts("number of timelines");
    }
    let position = Position::from_setup(&setup).expect("variants are positions");
    Ok((position, None))
}

/// The value of a header that must not appear with two values.
fn single(record: &Record<'_>, names: &[&str]) -> Result<Option<(String, Span)>, ReadError> {
    let mut found: Option<(String, Span)> = None;
    for header in record.headers_named(names) {
        let value = header.value(record.text);
        match &found {
            Some((first, _)) if !first.eq_ignore_ascii_case(&value) => {
                let message = format!("the headers say both `{first}` and `{value}`");
                return Err(Issue::new("contradicting-headers", header.span, message).ambiguous());
            }
            Some(_) => {}
            None => found = Some((value.into_owned(), header.value)),
        }
    }
    Ok(found)
}

/// With boards in the text a name decides nothing; it is kept unless it names a known position or none.
fn name_of_boards(record: &Record<'_>, position: &Position, warnings: &mut Vec<Issue>) -> Option<String> {
    let header = record.headers_named(keys::BOARD).next()?;
    let name = header.value(record.text);
    if let Some(variant) = variants::by_name(&name) {
        let same = variants::by_setup(&position.to_setup()).is_some_and(|v| v.name == variant.name);
        if !same {
            let message = format!("the boards are not those of `{}`: the boards count", variant.name);
            warnings.push(Issue::new("boards-differ-from-name", header.value, message));
        }
        return None;
    }
    (!name.eq_ignore_ascii_case("custom")).then(|| name.into_owned())
}

fn unknown_variant(name: &str, span: Span) -> Issue {
    if name.to_ascii_lowercase().starts_with("custom") {
        return Issue::new(
            "missing-start",
            span,
            "expected start boards, since the position is a custom one",
        );
    }
    let issue = Issue::new("unknown-variant", span, format!("there is no variant `{name}`"));
    match variants::closest(name) {
        Some(variant) => issue.hint(format!("did you mean `{}`?", variant.name)),
        None => issue.hint("a position of its own needs its boards, as `[rows:timeline:turn:colour]`"),
    }
}

fn size(value: &str, span: Span) -> Result<BoardSize, ReadError> {
    let numbers = value.split_once(['x', 'X']).and_then(|(width, height)| {
        Some((width.trim().parse::<u64>().ok()?, height.trim().parse::<u64>().ok()?))
    });
    let Some((width, height)) = numbers else {
        let message = format!("expected a size such as `8x8`, but found `{value}`");
        return Err(Issue::new("malformed-size", span, message).malformed());
    };
    let side = |n| u8::try_from(n).unwrap_or(u8::MAX);
    BoardSize::new(side(width), side(height)).ok_or_else(|| {
        let max = BoardSize::MAX;
        let message = format!("expected boards of at most {max}x{max}: larger ones are not supported");
        Issue::new("board-too-large", span, message).malformed()
    })
}

fn parity(value: &str, span: Span) -> Result<Parity, ReadError> {
    match value.to_ascii_lowercase().as_str() {
        "odd" => Ok(Parity::Odd),
        "even" => Ok(Parity::Even),
        _ => {
            let message = format!("expected `odd` or `even`, but found `{value}`");
            Err(Issue::new("malformed-parity", span, message).malformed())
        }
    }
}

/// Letters, with or without commas and blanks between them; `*` for every kind that a pawn may become.
fn promotions(value: &str, span: Span) -> Result<Promotions, ReadError> {
    if value.trim() == "*" {
        let kinds = PieceKind::ALL.into_iter();
        return Ok(kinds.fold(Promotions::NONE, |set, kind| set.with(kind).unwrap_or(set)));
    }
    let mut set = Promotions::NONE;
    for c in value.chars().filter(|c| !c.is_whitespace() && *c != ',') {
        set = PieceKind::from_letter(c).and_then(|kind| set.with(kind)).ok_or_else(|| {
            let message = format!("expected pieces that a pawn may become, such as `Q,N`, but found `{c}`");
            Issue::new("malformed-promotions", span, message).malformed()
        })?;
    }
    if set == Promotions::NONE {
        let message = "expected at least one piece that a pawn may become";
        return Err(Issue::new("malformed-promotions", span, message).malformed());
    }
    Ok(set)
}
