//! Start positions as JSON: the files of variants of FiveDChessDataInterface, by GHXX.
//!
//! ```json
//! [{ "Name": "Standard - Turn Zero", "Author": "?", "CosmeticTurnOffset": -1,
//!    "Timelines": { "0L": [null, "rnbqkbnr/…/RNBQKBNR", "rnbqkbnr/…/RNBQKBNR"] } }]
//! ```
//!
//! A file is a list of variants, or one of them. The boards of a timeline are in order of time: White's board
//! of the first turn, Black's, White's of the second turn; `null` where there is none. The first turn is 1,
//! shifted by `CosmeticTurnOffset`. An even number of timelines means a start with `-0L` and `+0L`, unless
//! `GameBuilderOverride` says otherwise. The format is described in `spec/notation-variants-json.md`.
//!
//! A game is one variant. [`parse`] reads a text with a single variant, [`list`] one with several. [`write()`]
//! writes the boards at the end of a game, and [`join`] makes one list of several texts.
//!
//! The format says neither which pieces have moved nor the promotions. A pawn, brawn, king or rook is unmoved
//! as long as it stands on its square of the first board of its timeline.
//!
//! # Relaxations
//!
//! * a file with one variant outside of a list; `null` in place of a name, author, offset or override;
//!   timelines without sign, with `+0L` for `0L` and the other way round; `8*p` for `pppppppp`;
//! * with a warning: a comma after the last part of a list or object, `*` after a piece, which means nothing,
//!   and boards that are not those of the variant of the name.

mod write;

pub use write::{join, write};

use crate::notation::common::json::{Json, Kind};
use crate::notation::common::{Cursor, Game, Head, Issue, Label, Loss, ParseError, Parsed, Sign, Span};
use crate::rules::variants;
use crate::state::{Board, MAX_BOARDS, MAX_TURN, Position, RowsProblem, Setup, SetupError, SetupProblem};
use crate::types::{BoardCoordinate, BoardSize, HalfTurn, Parity, RuleProfile, Timeline};

/// One variant of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant<'t> {
    /// The text that contains the variant.
    text: &'t str,
    /// The span of the variant, which is itself a text with one variant.
    pub span: Span,
    /// The name, if there is one.
    pub name: Option<String>,
    /// The author.
    pub author: Option<String>,
}

impl Variant<'_> {
    /// The game that starts with these boards, without actions. All places are those in the text of all
    /// variants.
    pub fn game(&self) -> Parsed {
        let mut reader = Reader::default();
        let mut json = Json::at(self.text, self.span.range().start).with_trailing_commas();
        let game = reader.parts(&mut json).and_then(|parts| reader.start(parts));
        let Reader { mut warnings, losses, .. } = reader;
        warnings.extend(comma(&json));
        Parsed { losses, ..Parsed::new(game, warnings) }
    }

    /// The name for messages.
    fn shown(&self) -> String {
        self.name.as_deref().map_or("one without a name".to_owned(), |name| format!("`{name}`"))
    }
}

/// Every variant of a text, up to the first error. The boards are not checked yet.
///
/// ```
/// use worldlines::notation::variants_json;
///
/// let text = r#"[{"Name":"A","Timelines":{"0L":["k1/1K"]}}, {"Name":"B","Timelines":{"0L":["1q/K1"]}}]"#;
/// let variants = variants_json::list(text).into_result()?;
/// assert_eq!(variants[1].name.as_deref(), Some("B"));
/// assert_eq!(variants[1].game().into_result()?.start.to_string(), "[1q/K*1:0:1:w]");
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub fn list(text: &str) -> Parsed<Vec<Variant<'_>>> {
    let mut variants = Vec::new();
    let mut warnings = Vec::new();
    let error = list_into(text, &mut variants, &mut warnings).err();
    Parsed { value: Some(variants), warnings, error, ..Parsed::default() }
}

fn list_into<'t>(
    text: &'t str,
    variants: &mut Vec<Variant<'t>>,
    warnings: &mut Vec<Issue>,
) -> Result<(), ParseError> {
    let mut json = Json::new(text)?.with_trailing_commas();
    let mut add = |json: &mut Json<'t>| -> Result<(), ParseError> {
        variants.push(variant(text, json)?);
        Ok(())
    };
    match json.kind() {
        Kind::Array => json.array(add).map(drop)?,
        Kind::Object => add(&mut json)?,
        _ => return Err(json.expected("a list of variants, or one")),
    }
    json.end()?;
    warnings.extend(comma(&json));
    Ok(())
}

/// Reads the name and the author of a variant and steps over the rest.
fn variant<'t>(text: &'t str, json: &mut Json<'t>) -> Result<Variant<'t>, ParseError> {
    let (mut name, mut author) = (None, None);
    let span = json.object(|json, key, _| {
        match key {
            "Name" => name = optional_string(json)?,
            "Author" => author = optional_string(json)?,
            _ => json.skip()?,
        }
        Ok(())
    })?;
    Ok(Variant { text, span, name, author })
}

/// The most variants that the error for a text with several ones names.
const NAMED: usize = 10;

/// The start of the only variant of a text.
///
/// ```
/// use worldlines::notation::variants_json;
///
/// let text = r#"{"Name":"Small","Timelines":{"0L":["k1/1K"]}}"#;
/// assert_eq!(variants_json::parse(text).into_result()?.start.to_string(), "[k*1/1K*:0:1:w]");
/// let error = variants_json::parse(&format!("[{text},{text}]")).error.unwrap();
/// assert_eq!(error.issue.code, "several-games");
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
///
/// # Errors
///
/// When the text contains several: the error names them. [`list`] returns each.
pub fn parse(text: &str) -> Parsed {
    let Parsed { value, warnings, error, .. } = list(text);
    if let Some(error) = error {
        return Parsed::refused(error);
    }
    let variants = value.unwrap_or_default();
    let whole = Span::new(0, text.len());
    match &variants[..] {
        [] => Parsed::refused(
            Issue::new("no-game", whole, "expected a variant, but the list is empty").malformed(),
        ),
        [only] => {
            let mut game = only.game();
            // A comma after the variant is outside of it.
            let is_new = |warning: &Issue| game.warnings.iter().all(|known| known.code != warning.code);
            let outside: Vec<Issue> = warnings.into_iter().filter(is_new).collect();
            game.warnings.extend(outside);
            game
        }
        [first, ..] => {
            let numbered =
                |(index, variant): (usize, &Variant<'_>)| format!("{} {}", index + 1, variant.shown());
            let mut names: Vec<String> = variants.iter().take(NAMED).enumerate().map(numbered).collect();
            if variants.len() > NAMED {
                names.push("…".into());
            }
            let message = format!("the text holds {} variants, of which a game has one", variants.len());
            let hint = format!("`--game N` chooses one of {}", names.join(", "));
            Parsed::refused(Issue::new("several-games", first.span, message).hint(hint).ambiguous())
        }
    }
}

/// The warning for a comma after the last part of a list or object.
fn comma(json: &Json<'_>) -> Option<Issue> {
    let message = "the comma after the last part is left out";
    json.trailing_comma().map(|span| Issue::new("trailing-comma", span, message))
}

fn optional_string(json: &mut Json<'_>) -> Result<Option<String>, ParseError> {
    if json.null() {
        return Ok(None);
    }
    Ok(Some(json.string()?.0.into_owned()))
}

/// The parts of a variant as they are written, before its boards are read.
#[derive(Default)]
struct Parts {
    span: Span,
    name: Option<(String, Span)>,
    author: Option<String>,
    timelines: Vec<TimelineText>,
    offset: i64,
    parity: Option<Parity>,
}

/// The boards of a timeline.
struct TimelineText {
    label: Label,
    span: Span,
    boards: Vec<BoardText>,
}

/// A board as it is written.
struct BoardText {
    /// The index in the list: the number of half-turns after the first place.
    index: i64,
    rows: String,
    span: Span,
}

/// Offsets beyond this limit are cut to it; all of them are too far away for a turn.
const FARTHEST_TURN: i64 = 1 << 32;

/// Reads one variant.
#[derive(Default)]
struct Reader {
    warnings: Vec<Issue>,
    losses: Vec<Loss>,
    boards: usize,
}

impl Reader {
    fn parts(&mut self, json: &mut Json<'_>) -> Result<Parts, ParseError> {
        let mut parts = Parts::default();
        let mut has_timelines = false;
        parts.span = json.object(|json, key, _| {
            match key {
                "Name" if json.null() => {}
                "Name" => parts.name = Some(json.string().map(|(name, span)| (name.into_owned(), span))?),
                "Author" => parts.author = optional_string(json)?,
                "Timelines" => {
                    has_timelines = true;
                    json.object(|json, key, span| {
                        let label = timeline(key, span)?;
                        let boards = self.boards_of(json)?;
                        parts.timelines.push(TimelineText { label, span, boards });
                        Ok(())
                    })?;
                }
                "CosmeticTurnOffset" if json.null() => {}
                "CosmeticTurnOffset" => parts.offset = json.integer()?.0,
                "GameBuilderOverride" if json.null() => {}
                "GameBuilderOverride" => parts.parity = Some(builder(json)?),
                _ => {
                    self.losses.push(Loss::new(format!("the field `{key}`")));
                    json.skip()?;
                }
            }
            Ok(())
        })?;
        if !has_timelines {
            let issue = Issue::new("missing-start", parts.span, "expected `Timelines` with the boards");
            return Err(issue.malformed());
        }
        Ok(parts)
    }

    /// The boards of a timeline.
    fn boards_of(&mut self, json: &mut Json<'_>) -> Result<Vec<BoardText>, ParseError> {
        let (mut boards, mut index) = (Vec::new(), 0);
        json.array(|json| {
            if !json.null() {
                if json.kind() != Kind::String {
                    return Err(json.expected("a board, or `null`"));
                }
                let (rows, span) = json.string()?;
                self.boards += 1;
                if self.boards > MAX_BOARDS {
                    let message = format!("expected at most {MAX_BOARDS} boards");
                    return Err(Issue::new("too-many-boards", span, message).malformed());
                }
                boards.push(BoardText { index, rows: self.expanded(&rows, span), span });
            }
            index += 1;
            Ok(())
        })?;
        Ok(boards)
    }

    /// The rows with `8*p` written out, without `*` after pieces, and with each run of digits replaced by its
    /// sum, since every digit counts squares.
    fn expanded(&mut self, rows: &str, span: Span) -> String {
        let (mut text, mut empty) = (String::with_capacity(rows.len()), 0);
        let mut rest = rows.chars().peekable();
        while let Some(c) = rest.next() {
            let digit = c.to_digit(10);
            let starred = rest.next_if_eq(&'*').is_some();
            if let (Some(digit), false) = (digit, starred) {
                empty += u64::from(digit);
                continue;
            }
            if let Some(times) = digit {
                match rest.next_if(|&c| c != '/') {
                    Some(c) if c.is_ascii_digit() => empty += u64::from(times * c.to_digit(10).unwrap_or(0)),
                    repeated => {
                        push_number(&mut text, &mut empty);
                        (0..times).for_each(|_| text.extend(repeated));
                    }
                }
                continue;
            }
            push_number(&mut text, &mut empty);
            text.push(c);
            if starred && self.warnings.iter().all(|warning| warning.code != "needless-star") {
                let message =
                    "`*` after a piece means nothing here: what has moved shows in the boards before";
                self.warnings.push(Issue::new("needless-star", span, message));
            }
        }
        push_number(&mut text, &mut empty);
        text
    }

    /// The game that starts with these boards.
    fn start(&mut self, parts: Parts) -> Result<Game, ParseError> {
        let is_even = parts.timelines.len().is_multiple_of(2);
        let counted = if is_even { Parity::Even } else { Parity::Odd };
        let parity = parts.parity.unwrap_or(counted);
        // From here on half-turns may be out of the range of a coordinate.
        let first = 2 * (parts.offset.clamp(-FARTHEST_TURN, FARTHEST_TURN) + 1);
        let firsts = parts.timelines.iter().filter_map(|timeline| timeline.boards.first());
        let earliest = firsts.map(|board| board.index).min();
        let earliest = earliest.unwrap_or_default() + first;
        let later = if earliest < 0 { (1 - earliest) / 2 } else { 0 };
        if later > 0 {
            let what = format!("that its first turn is {}: turns are counted from 0", earliest.div_euclid(2));
            self.losses.push(Loss::new(what));
        }
        let first = first + 2 * later;

        let mut setup =
            Setup { size: BoardSize::STANDARD, parity, profile: RuleProfile::default(), boards: Vec::new() };
        let (mut size, mut spans) = (None, Vec::new());
        for TimelineText { label, span, boards } in &parts.timelines {
            let timeline = timeline_of(*label, parity, *span)?;
            let mut before: Option<(HalfTurn, Board)> = None;
            for BoardText { index, rows, span } in boards {
                let half_turn = i16::try_from(first + index).ok().filter(|&half| half / 2 <= MAX_TURN);
                let Some(half_turn) = half_turn.map(HalfTurn) else {
                    let message = format!("expected a turn number up to {MAX_TURN}");
                    return Err(Issue::new("number-too-large", *span, message).malformed());
                };
                let mut board = Board::from_rows(rows, size).map_err(|error| {
                    let code = match error.problem {
                        RowsProblem::TooLarge => "board-too-large",
                        RowsProblem::UnknownPiece(_)
                        | RowsProblem::LoneStar
                        | RowsProblem::ZeroSquares
                        | RowsProblem::RankLength { .. }
                        | RowsProblem::RankCount { .. } => "malformed-pieces",
                    };
                    Issue::new(code, *span, error.to_string()).malformed()
                })?;
                size.get_or_insert(board.size());
                // On the first board of a timeline every piece is unmoved.
                let earlier = before.as_ref().filter(|(at, _)| at.next() == half_turn);
                mark_unmoved(&mut board, earlier.map(|(_, board)| board));
                setup.boards.push((BoardCoordinate { timeline, half_turn }, board));
                spans.push(*span);
                before = Some((half_turn, board));
            }
        }
        setup.size = size.unwrap_or(BoardSize::STANDARD);
        let start = Position::from_setup(&setup)
            .map_err(|error| no_multiverse(&error, &setup, &spans, &parts, counted))?;
        let name = self.name(parts.name, &start);
        let headers = parts.author.map(|author| ("Author".to_owned(), author)).into_iter().collect();
        Ok(Game { name, headers, ..Game::new(start, Vec::new()) })
    }

    /// The name, unless it is that of a known variant.
    fn name(&mut self, name: Option<(String, Span)>, start: &Position) -> Option<String> {
        let (name, span) = name?;
        // The name becomes the value of a header, which is one line.
        let name = name.replace(['\n', '\r'], " ");
        if name.eq_ignore_ascii_case("custom") {
            return None;
        }
        let Some(variant) = variants::by_name(&name) else { return Some(name) };
        let same = variants::by_setup(&start.to_setup()).is_some_and(|other| other.name == variant.name);
        if !same {
            let message = format!(
                "the boards are not those of `{}`: they are read, and the name is left out",
                variant.name
            );
            self.warnings.push(Issue::new("boards-differ-from-name", span, message));
        }
        None
    }
}

/// Writes a number of empty squares, if there are any.
fn push_number(text: &mut String, empty: &mut u64) {
    if *empty > 0 {
        text.push_str(&std::mem::take(empty).to_string());
    }
}

/// Marks as unmoved the pieces that were so on the same square of the board before, or all pieces if there is
/// none.
fn mark_unmoved(board: &mut Board, before: Option<&Board>) {
    for (square, piece) in board.pieces().collect::<Vec<_>>() {
        let stays = |before: &Board| before.get(square) == Some(piece) && before.is_unmoved(square);
        board.put(square, piece, before.is_none_or(stays));
    }
}

/// `-0L`
fn timeline(key: &str, span: Span) -> Result<Label, ParseError> {
    let mut cursor = Cursor::new(key);
    let label = cursor.label().ok().flatten().filter(|_| cursor.eat("L") && cursor.is_at_end());
    label.ok_or_else(|| {
        let message = format!("expected a timeline as `0L` or `-1L`, but found `{key}`");
        Issue::new("missing-timeline", span, message).malformed()
    })
}

/// The timeline of a label; a label without sign is positive.
fn timeline_of(label: Label, parity: Parity, span: Span) -> Result<Timeline, ParseError> {
    if parity == Parity::Odd && label.number == 0 && label.sign == Some(Sign::Minus) {
        let message = "expected the label `0L`: a start with an odd number of timelines has no `-0L`";
        let hint = "an even number has, or `\"GameBuilderOverride\": \"GameBuilderEven\"` says so";
        return Err(Issue::new("parity-contradicted", span, message).hint(hint).malformed());
    }
    Label { sign: label.sign.or(Some(Sign::Plus)), ..label }.timeline_at(parity, span)
}

fn builder(json: &mut Json<'_>) -> Result<Parity, ParseError> {
    let (name, span) = json.string()?;
    match &*name {
        "GameBuilderOdd" => Ok(Parity::Odd),
        "GameBuilderEven" => Ok(Parity::Even),
        _ => {
            let message = format!("expected `GameBuilderOdd` or `GameBuilderEven`, but found `{name}`");
            Err(Issue::new("malformed-parity", span, message).malformed())
        }
    }
}

/// The error that the boards make no multiverse, placed at the board at fault.
fn no_multiverse(
    error: &SetupError,
    setup: &Setup,
    spans: &[Span],
    parts: &Parts,
    counted: Parity,
) -> ParseError {
    let at = match error.problem {
        SetupProblem::TurnOutOfRange(at) | SetupProblem::WrongSize(at) | SetupProblem::Repeated(at) => {
            Some(at)
        }
        _ => None,
    };
    let blamed = setup.boards.iter().rposition(|(place, _)| Some(*place) == at);
    let span = blamed.map_or(parts.span, |index| spans[index]);
    let issue = Issue::new("no-multiverse", span, error.to_string());
    match (error.problem, counted) {
        (SetupProblem::MissingTimeline(_), Parity::Even) if parts.parity.is_none() => {
            let hint = "an even number of timelines has `-0L` and `+0L`, unless there is `\"GameBuilderOverride\": \"GameBuilderOdd\"`";
            issue.hint(hint).illegal()
        }
        (SetupProblem::MissingBoard(_), _) => {
            issue.hint("a `null` between two boards leaves a gap, which no game has").illegal()
        }
        _ => issue.illegal(),
    }
}

/// Whether a text with this beginning is in this format: an object, or a list of them, with boards by
/// timeline.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let object = head.text.strip_prefix('[').map_or(head.text, str::trim_ascii_start);
    object.starts_with('{') && head.text.contains("\"Timelines\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::common::samples::assert_refused;

    /// The boards of a variant with these fields after its name.
    fn boards(fields: &str) -> String {
        let reading = parse(&format!("{{\"Name\":\"A\",{fields}}}"));
        assert_eq!((&reading.error, &reading.warnings[..], &reading.losses[..]), (&None, &[][..], &[][..]));
        reading.value.unwrap().start.to_string()
    }

    #[test]
    fn boards_stand_in_order_of_time() {
        for (fields, expected) in [
            (r#""Timelines":{"0L":["k1/1K"]}"#, "[k*1/1K*:0:1:w]"),
            (r#""Timelines":{"0L":[null,"k1/1K"]}"#, "[k*1/1K*:0:1:b]"),
            (r#""Timelines":{"0L":["k1/1K",null,null]}"#, "[k*1/1K*:0:1:w]"),
            (
                r#""Timelines":{"0L":[null,"kr/1K","kr/1K"]},"CosmeticTurnOffset":-1"#,
                "[k*r*/1K*:0:0:b]\n[k*r*/1K*:0:1:w]",
            ),
            (r#""CosmeticTurnOffset":4,"Timelines":{"0L":["k1/1K"]}"#, "[k*1/1K*:0:5:w]"),
            (r#""Timelines":{"0L":["k1/1K"],"-0L":["1k/K1"]}"#, "[1k*/K*1:-0:1:w]\n[k*1/1K*:+0:1:w]"),
            (
                r#""Timelines":{"0L":["k1/1K"],"+1L":["2/2"]},"GameBuilderOverride":"GameBuilderOdd""#,
                "[k*1/1K*:0:1:w]\n[2/2:1:1:w]",
            ),
            (r#""Timelines":{"+0L":["11/1k","2*1/1k"]},"Author":null"#, "[2/1k*:0:1:w]\n[2/1k*:0:1:b]"),
            (r#""Timelines":{"0L":["2*k2*r/4"]}"#, "[k*k*r*r*/4:0:1:w]"),
        ] {
            assert_eq!(boards(fields), expected, "{fields}");
        }
    }

    #[test]
    fn what_comes_to_a_square_has_moved() {
        let fields = r#""Timelines":{"0L":["kr2/PR1K","k1r1/PR1K","k1r1/P1RK"]}"#;
        let expected = "[k*r*2/P*R*1K*:0:1:w]\n[k*1r1/P*R*1K*:0:1:b]\n[k*1r1/P*1RK*:0:2:w]";
        assert_eq!(boards(fields), expected);
        // A piece that arrives where another piece stood has moved too.
        let fields = r#""Timelines":{"0L":["kr","kR","kr"]}"#;
        assert_eq!(boards(fields), "[k*r*:0:1:w]\n[k*R:0:1:b]\n[k*r:0:2:w]");
    }

    #[test]
    fn name_and_author_are_kept() {
        let text = r#"{"Name":"two\nlines","Author":"me","Timelines":{"0L":["k1/1K"]}}"#;
        let game = parse(text).into_result().unwrap();
        assert_eq!(game.name.as_deref(), Some("two lines"));
        assert_eq!(game.headers, [("Author".to_owned(), "me".to_owned())]);
        let standard = r#"[{"Name":"Standard","Timelines":{"0L":["rnbqkbnr/8*p/8/8/8/8/8*P/RNBQKBNR"]}}]"#;
        let game = parse(standard).into_result().unwrap();
        assert_eq!((game.name, game.start), (None, Position::default()));
    }

    #[test]
    fn earlier_turns_than_0_are_a_loss() {
        let text = r#"{"CosmeticTurnOffset":-128,"Timelines":{"0L":[null,"k1/1K","k1/1K"]}}"#;
        let reading = parse(text);
        assert_eq!(reading.losses.len(), 1);
        assert!(reading.losses[0].what.contains("-127"), "{:?}", reading.losses);
        assert_eq!(reading.value.unwrap().start.to_string(), "[k*1/1K*:0:0:b]\n[k*1/1K*:0:1:w]");
        for offset in [i64::MIN, -8_002, -1] {
            let text = format!("{{\"CosmeticTurnOffset\":{offset},\"Timelines\":{{\"0L\":[\"k\"]}}}}");
            assert_eq!(parse(&text).value.unwrap().start.to_string(), "[k*:0:0:w]", "{offset}");
        }
    }

    #[test]
    fn several_variants_are_named() {
        let one = |name: &str| format!("{{\"Name\":{name},\"Timelines\":{{\"0L\":[\"k\"]}}}}");
        let text = format!("[{},{},{}]", one("\"A\""), one("null"), one("\"B\""));
        let error = parse(&text).error.unwrap();
        assert_eq!((error.class.name(), error.issue.code), ("ambiguous", "several-games"));
        let hint = "`--game N` chooses one of 1 `A`, 2 one without a name, 3 `B`";
        assert_eq!(error.issue.hint.as_deref(), Some(hint));
        let variants = list(&text).into_result().unwrap();
        assert_eq!(variants.len(), 3);
        for variant in variants {
            // Each variant is a text of its own, and gives the same game in its place.
            let alone = parse(variant.span.of(&text)).into_result().unwrap();
            assert_eq!(variant.game().into_result(), Ok(alone));
        }
        let many = format!("[{}]", vec![one("\"A\""); 20].join(","));
        assert!(parse(&many).error.unwrap().issue.hint.as_ref().unwrap().ends_with("10 `A`, …"));
        // An error in one of them does not refuse the others.
        let text = format!("[{},{{}}]", one("\"A\""));
        let variants = list(&text).into_result().unwrap();
        let codes: Vec<_> = variants.iter().map(|v| v.game().error.map(|e| e.issue.code)).collect();
        assert_eq!(codes, [None, Some("missing-start")]);
    }

    #[test]
    fn every_mistake_has_its_class_and_place() {
        for (text, class, code, start, end) in [
            ("[]", "malformed", "no-game", 0, 2),
            ("1", "malformed", "unexpected-json", 0, 1),
            ("[1]", "malformed", "unexpected-json", 1, 2),
            ("{}", "malformed", "missing-start", 0, 2),
            ("{\"Timelines\":{}}", "illegal", "no-multiverse", 0, 16),
            ("{\"Timelines\":{\"0\":[]}}", "malformed", "missing-timeline", 14, 17),
            ("{\"Timelines\":{\"0L\":[1]}}", "malformed", "unexpected-json", 20, 21),
            ("{\"Timelines\":{\"0L\":[\"k\",\"kk\"]}}", "malformed", "malformed-pieces", 24, 28),
            ("{\"Timelines\":{\"0L\":[\"9\"]}}", "malformed", "board-too-large", 20, 23),
            ("{\"Timelines\":{\"0L\":[\"k\",null,\"k\"]}}", "illegal", "no-multiverse", 0, 35),
            ("{\"Timelines\":{\"-0L\":[\"k\"]}}", "malformed", "parity-contradicted", 14, 19),
            ("{\"Timelines\":{\"0L\":[\"k\"],\"1L\":[\"k\"]}}", "illegal", "no-multiverse", 0, 37),
            (
                "{\"Timelines\":{\"0L\":[\"k\"],\"+0L\":[\"k\"],\"1L\":[\"k\"]}}",
                "illegal",
                "no-multiverse",
                32,
                35,
            ),
            ("{\"Timelines\":{},\"GameBuilderOverride\":\"x\"}", "malformed", "malformed-parity", 38, 41),
            (
                "{\"CosmeticTurnOffset\":8000,\"Timelines\":{\"0L\":[\"k\"]}}",
                "malformed",
                "number-too-large",
                46,
                49,
            ),
        ] {
            assert_refused(text, parse(text), (class, code, start, end));
        }
    }

    #[test]
    fn oddities_are_warnings_and_unknown_fields_losses() {
        let text = r#"[{"Name":"Small","Rating":1,"Timelines":{"0L":["k*1/1K*","k1/1K",],},},]"#;
        let reading = parse(text);
        let codes: Vec<&str> = reading.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["needless-star", "boards-differ-from-name", "trailing-comma"]);
        assert_eq!(reading.losses, [Loss::new("the field `Rating`")]);
        assert_eq!(parse(r#"[{"Timelines":{"0L":["k"]}},]"#).warnings[0].code, "trailing-comma");
    }
}
