//! The start position from the headers and boards of a text.

use std::borrow::Cow;

use super::boards::{self, Block, Given};
use super::error::{Issue, ParseError};
use super::game::Game;
use super::header::{self, Header};
use super::span::Span;
use crate::rules::variants::{self, Confidence, Variant};
use crate::spelling::edit_distance;
use crate::state::Position;
use crate::types::{BoardSize, Parity, PieceKind, Promotions, RuleProfile};

/// The part of a text that describes the start of the game.
#[derive(Clone, Copy)]
pub(crate) struct StartText<'t, 'r> {
    /// The whole text, into which all spans point.
    pub text: &'t str,
    /// The headers, in order.
    pub headers: &'r [Header],
    /// The boards, in order.
    pub boards: &'r [Block<'t>],
}

impl<'r> StartText<'_, 'r> {
    /// The headers with one of these names, without regard to case.
    pub fn headers_named(self, names: &[&str]) -> impl Iterator<Item = &'r Header> {
        self.headers.iter().filter(move |header| {
            let key = header.key.of(self.text);
            names.iter().any(|name| name.eq_ignore_ascii_case(key))
        })
    }
}

/// The headers that describe the start position. All others are kept as they are.
mod keys {
    pub const BOARD: &[&str] = &["Board", "Variant", "Layout"];
    pub const SIZE: &[&str] = &["Size"];
    pub const PARITY: &[&str] = &["Timelines", "Timeline"];
    pub const PROMOTIONS: &[&str] = &["Promotions", "Promotion"];
    pub const MODE: &[&str] = &["Mode"];
    /// Only if the value is the name of a rule profile: in other texts the header may mean something else.
    pub const RULES: &[&str] = &["Rules"];
    pub const ALL: [&[&str]; 5] = [BOARD, SIZE, PARITY, PROMOTIONS, MODE];
}

/// Whether this header describes the start position.
pub(crate) fn is_about_start(header: &Header, text: &str) -> bool {
    is_reserved(header.key.of(text), &header.value(text))
}

/// Whether a header describes the start position, so that a game of another notation cannot keep it.
pub(crate) fn is_reserved(name: &str, value: &str) -> bool {
    let is_named = |key: &&str| key.eq_ignore_ascii_case(name);
    keys::ALL.iter().copied().flatten().any(is_named)
        || keys::RULES.iter().any(is_named) && value.parse::<RuleProfile>().is_ok()
}

/// The variant whose name may stand for the start boards of a game: all programs agree on its boards, and the
/// game gives its start no other name.
pub(crate) fn variant(game: &Game) -> Option<&'static Variant> {
    variants::by_setup(&game.start.to_setup())
        .filter(|variant| variant.id.is_some() && variant.confidence <= Confidence::OneSource)
        .filter(|_| game.name.is_none())
}

/// Writes the headers that describe a start.
pub(crate) fn write_headers(text: &mut String, name: &str, start: &Position) {
    header::write(text, "Board", name);
    header::write(text, "Mode", "5D");
    if start.size() != BoardSize::STANDARD {
        header::write(text, "Size", &start.size().to_string());
    }
    if start.profile().promotions != Promotions::QUEEN {
        header::write(text, "Promotions", &start.profile().promotions.to_string());
    }
    let rules = RuleProfile { promotions: Promotions::QUEEN, ..start.profile() };
    if rules != RuleProfile::default() {
        header::write(text, "Rules", &start.profile().to_string());
    }
}

/// The start position, and its name unless that is the name of a variant.
pub(crate) fn position(
    record: StartText<'_, '_>,
    warnings: &mut Vec<Issue>,
) -> Result<(Position, Option<String>), ParseError> {
    warnings.extend(record.headers.iter().filter_map(|header| misspelt_name(record.text, header.key)));
    let promotions = match single(record, keys::PROMOTIONS)? {
        Some((value, span)) if value.trim().is_empty() => {
            let message = "no piece is named: pawns become queens, as without this header";
            warnings.push(Issue::new("empty-promotions", span, message));
            Promotions::QUEEN
        }
        Some((value, span)) => promotions(&value, span)?,
        None => Promotions::QUEEN,
    };
    let rules = single(record, keys::RULES)?.and_then(|(value, span)| rules(&value, span, warnings));
    let sized = single(record, keys::SIZE)?;
    let timelines = single(record, keys::PARITY)?;
    let given = Given {
        size: sized.as_ref().map(|(value, span)| size(value, *span)).transpose()?,
        parity: timelines.as_ref().map(|(value, span)| parity(value, *span)).transpose()?,
        profile: RuleProfile { promotions, ..rules.unwrap_or_default() },
    };
    if let Some((mode, span)) =
        single(record, keys::MODE)?.filter(|(mode, _)| !mode.eq_ignore_ascii_case("5D"))
    {
        warnings.push(Issue::new(
            "other-mode",
            span,
            format!("read as a game in the mode `5D`, not in `{mode}`"),
        ));
    }
    if !record.boards.is_empty() {
        let position = boards::position(record.boards, given)?;
        warnings.extend(boards::spelling(record.boards, &position));
        let name = name_of_boards(record, &position, warnings);
        return Ok((position, name));
    }
    let variant = match (single(record, keys::BOARD)?, &sized) {
        (Some((name, span)), _) => {
            variants::by_name(&name).ok_or_else(|| unknown_variant(&name, span).malformed())?
        }
        (None, Some((_, span))) if given.size != Some(BoardSize::STANDARD) => {
            let message =
                "expected a `Board` header or start boards, since the boards of `Standard` have another size";
            return Err(Issue::new("missing-start", *span, message).malformed());
        }
        // The default of the notation without a header.
        (None, _) => variants::by_name("Standard").expect("it is in the list"),
    };
    let mut setup = variant.setup();
    setup.profile = given.profile;
    for (what, header, agrees) in [
        ("board size", &sized, given.size.is_none_or(|size| size == setup.size)),
        ("number of timelines", &timelines, given.parity.is_none_or(|parity| parity == setup.parity)),
    ] {
        if let (false, Some((_, span))) = (agrees, header) {
            let message =
                format!("this header contradicts the variant `{}`, which has another {what}", variant.name);
            return Err(Issue::new("contradicting-headers", *span, message).malformed());
        }
    }
    let position = Position::from_setup(&setup).expect("variants are positions");
    Ok((position, None))
}

/// A warning about a header whose name is nearly that of one about the start. Other programs may have such a header, so it is no error; but the start may
/// be another than was meant.
fn misspelt_name(text: &str, span: Span) -> Option<Issue> {
    /// Standard headers of games whose names are nearly those of others.
    const USUAL: [&str; 2] = ["Site", "Title"];
    let name = span.of(text);
    let about_start = || keys::ALL.into_iter().flatten().copied();
    let mut known = about_start().chain(keys::RULES.iter().copied()).chain(USUAL);
    if known.any(|known| known.eq_ignore_ascii_case(name)) {
        return None;
    }
    let is_near = |known: &&str| {
        let slips = if known.len() < 5 { 1 } else { 2 };
        edit_distance(&known.to_ascii_lowercase(), &name.to_ascii_lowercase()) <= slips
    };
    let meant = about_start().find(is_near)?;
    let message = format!("the header `{name}` says nothing about the start");
    Some(Issue::new("misspelt-header", span, message).hint(format!("did you mean `{meant}`?")))
}

/// The rule profile of this name. Other values are ignored, since other programs may mean something else by
/// the header; a text that begins like a profile but is not one gets a warning.
fn rules(value: &str, span: Span, warnings: &mut Vec<Issue>) -> Option<RuleProfile> {
    let profile = value.parse::<RuleProfile>().ok();
    let base = value.split_ascii_whitespace().next().filter(|base| base.parse::<RuleProfile>().is_ok());
    if let (None, Some(base)) = (profile, base) {
        let message = format!("there is no rule profile `{value}`; the rules are those of `default`");
        let switches: Vec<&str> = RuleProfile::switch_names().collect();
        let hint = format!("the switches after `{base}`, each with `+` or `-`, are {}", switches.join(", "));
        warnings.push(Issue::new("unknown-rules", span, message).hint(hint));
    }
    profile
}

/// The value of a header. An error if it appears with two values.
fn single<'t>(record: StartText<'t, '_>, names: &[&str]) -> Result<Option<(Cow<'t, str>, Span)>, ParseError> {
    let mut found: Option<(Cow<'t, str>, Span)> = None;
    for header in record.headers_named(names) {
        let value = header.value(record.text);
        match &found {
            Some((first, _)) if !first.eq_ignore_ascii_case(&value) => {
                let message = format!("the headers say both `{first}` and `{value}`");
                return Err(Issue::new("contradicting-headers", header.span, message).ambiguous());
            }
            Some(_) => {}
            None => found = Some((value, header.value)),
        }
    }
    Ok(found)
}

/// The name of a start that is given by boards. It is kept unless it is `custom` or the name of a variant.
fn name_of_boards(
    record: StartText<'_, '_>,
    position: &Position,
    warnings: &mut Vec<Issue>,
) -> Option<String> {
    let header = record.headers_named(keys::BOARD).next()?;
    let name = header.value(record.text);
    if name.eq_ignore_ascii_case("custom") {
        return None;
    }
    if let Some(variant) = variants::by_name(&name) {
        let same = variants::by_setup(&position.to_setup()).is_some_and(|v| v.name == variant.name);
        if !same {
            let message = format!(
                "the boards are not those of `{}`: they are read, and the name is left out",
                variant.name
            );
            warnings.push(Issue::new("boards-differ-from-name", header.value, message));
        }
        return None;
    }
    Some(name.into_owned())
}

fn unknown_variant(name: &str, span: Span) -> Issue {
    if name.to_ascii_lowercase().starts_with("custom") {
        return Issue::new("missing-start", span, "expected start boards, since the start is a custom one");
    }
    let issue = Issue::new("unknown-variant", span, format!("there is no variant `{name}`"));
    match variants::closest(name) {
        Some(variant) => issue.hint(format!("did you mean `{}`?", variant.name)),
        None => issue.hint("for another start, write its boards, each as `[rows:timeline:turn:colour]`"),
    }
}

fn size(value: &str, span: Span) -> Result<BoardSize, ParseError> {
    let numbers = value.split_once(['x', 'X']).and_then(|(width, height)| {
        Some((width.trim().parse::<u64>().ok()?, height.trim().parse::<u64>().ok()?))
    });
    let Some((width, height)) = numbers else {
        let message = format!("expected a size such as `8x8`, but found `{value}`");
        return Err(Issue::new("malformed-size", span, message).malformed());
    };
    boards::board_size(width, height, span)
}

fn parity(value: &str, span: Span) -> Result<Parity, ParseError> {
    match value.to_ascii_lowercase().as_str() {
        "odd" => Ok(Parity::Odd),
        "even" => Ok(Parity::Even),
        _ => {
            let message = format!("expected `odd` or `even`, but found `{value}`");
            Err(Issue::new("malformed-parity", span, message).malformed())
        }
    }
}

/// Reads the letters of promotions, with or without commas and blanks between them; `*` means every piece
/// that a pawn may become.
fn promotions(value: &str, span: Span) -> Result<Promotions, ParseError> {
    if value.trim() == "*" {
        let kinds = PieceKind::ALL.into_iter();
        return Ok(kinds.fold(Promotions::NONE, |set, kind| set.with(kind).unwrap_or(set)));
    }
    let mut set = Promotions::NONE;
    for c in value.chars().filter(|c| !c.is_whitespace() && *c != ',') {
        set = PieceKind::try_from(c).ok().and_then(|kind| set.with(kind)).ok_or_else(|| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Parsed;
    use crate::notation::pgn5d::parse;

    fn code(text: &str) -> (&'static str, &'static str) {
        let Parsed { value: game, error, .. } = parse(text);
        assert!(game.is_none(), "{text}");
        let error = error.unwrap();
        (error.class.name(), error.issue.code)
    }

    fn start(text: &str) -> Position {
        parse(text).value.unwrap_or_else(|| panic!("{text}")).start
    }

    #[test]
    fn a_name_leads_to_its_boards() {
        let setup = |name| variants::by_name(name).unwrap().setup();
        assert_eq!(start("").to_setup(), setup("Standard"));
        assert_eq!(start("[board \"standard\"]").to_setup(), setup("Standard"));
        assert_eq!(start("[Layout \"No Queens\"] [Size \"7x7\"]").to_setup(), setup("Simple - No Queens"));
        let invasion = "[Variant \"Misc - Timeline Invasion\"] [Timelines \"Even\"]";
        assert_eq!(start(invasion).to_setup(), setup("Misc - Timeline Invasion"));
    }

    #[test]
    fn promotions_are_written_in_many_ways() {
        let all = ["Q,N,B,R", "Q N B R", "QNBR", " R, Q B,N"];
        for value in all {
            let position = start(&format!("[Promotions \"{value}\"]"));
            assert_eq!(position.profile().promotions.to_string(), "Q,N,B,R", "{value}");
        }
        assert_eq!(start("[Promotion \"*\"]").profile().promotions.iter().count(), 8);
        assert_eq!(start("").profile().promotions, Promotions::QUEEN);
        assert_eq!(start("[Promotions \"\"]").profile().promotions, Promotions::QUEEN);
        for value in ["K", "Q,P", ",", "Q;N", "queen"] {
            let text = format!("[Promotions \"{value}\"]");
            assert_eq!(code(&text), ("malformed", "malformed-promotions"), "{value}");
        }
    }

    #[test]
    fn what_decides_nothing_or_contradicts_is_refused() {
        for (text, class, name) in [
            ("[Board \"custom\"]", "malformed", "missing-start"),
            ("[Board \"Custom - Odd\"]", "malformed", "missing-start"),
            ("[Board \"Standrad\"]", "malformed", "unknown-variant"),
            ("[Size \"5x5\"]", "malformed", "missing-start"),
            ("[Board \"Small\"] [Size \"8x8\"]", "malformed", "contradicting-headers"),
            ("[Board \"Small\"] [Timelines \"even\"]", "malformed", "contradicting-headers"),
            ("[Board \"Small\"] [Variant \"Standard\"]", "ambiguous", "contradicting-headers"),
            ("[Size \"9x9\"]", "malformed", "board-too-large"),
            ("[Size \"8\"]", "malformed", "malformed-size"),
            ("[Timelines \"both\"]", "malformed", "malformed-parity"),
            ("[k:0:1:w][k:0:1:w]", "illegal", "no-multiverse"),
            ("[Size \"2x2\"][k:0:1:w]", "malformed", "wrong-rank-count"),
        ] {
            assert_eq!(code(text), (class, name), "{text}");
        }
    }

    #[test]
    fn the_header_that_decides_nothing_or_contradicts_is_marked() {
        for (text, marked) in [
            ("\u{feff}[Size \"5x5\"]", "5x5"),
            ("[Board \"Small\"] [Size \"8x8\"]", "8x8"),
            ("[Board \"Small\"] [Timelines \"even\"]", "even"),
            ("[Timelines \"even\"]", "even"),
            ("[Board \"Small\"] [Variant \"Standard\"]", "[Variant \"Standard\"]"),
        ] {
            assert_eq!(parse(text).error.unwrap().span().of(text), marked, "{text}");
        }
    }

    #[test]
    fn boards_count_more_than_a_name() {
        let text = "[Board \"Standard\"]\n[k1/1K:0:1:w]";
        let reading = parse(text);
        assert_eq!(reading.warnings[0].code, "boards-differ-from-name");
        let game = reading.value.unwrap();
        assert_eq!((game.start.size().to_string(), game.name), ("2x2".to_string(), None));
        let named = parse("[Board \"Custom - Odd\"]\n[k1/1K:0:1:w]");
        assert_eq!(named.value.unwrap().name.as_deref(), Some("Custom - Odd"));
        assert!(named.warnings.is_empty());
        assert_eq!(parse("[Mode \"2D\"]").warnings[0].code, "other-mode");
    }

    #[test]
    fn a_misspelt_header_is_noticed() {
        let warnings = |text: &str| -> Vec<(&'static str, Option<String>)> {
            parse(text).warnings.iter().map(|issue| (issue.code, issue.hint.clone())).collect()
        };
        for (text, meant) in [
            ("[Bord \"Very Small\"]", "Board"),
            ("[baord \"Very Small\"]", "Board"),
            ("[Varient \"Very Small\"]", "Variant"),
            ("[Promotion_ \"Q\"]", "Promotions"),
            ("[Sise \"5x5\"] [Board \"Small\"]", "Size"),
        ] {
            let found = warnings(text);
            assert_eq!(found, [("misspelt-header", Some(format!("did you mean `{meant}`?")))], "{text}");
        }
        for usual in
            ["[Site \"Bord\"]", "[Title \"Size\"] [variant \"Small\"]", "[Black \"a\"] [Round \"1\"]"]
        {
            assert_eq!(warnings(usual), [], "{usual}");
        }
    }
}
