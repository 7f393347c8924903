//! Turns the start of a puzzle into a position. Every error has its place in the file.

use super::check::promotion;
use super::finding::Finding;
use super::model::{Change, Mover, Puzzle, Spanned, Start};
use crate::notation::pgn5d::{self, Record};
use crate::notation::{Format, Game, Options, ParseError, Parsed, Span, fen5d};
use crate::render::{Frame, text as draw};
use crate::rules::variants;
use crate::state::{Position, Setup};
use crate::types::{Action, BoardSize, Color, Piece, Promotions, RuleProfile, Square};

/// The game that leads to the position of a puzzle. The game of a twin has no actions: its changed boards are
/// set up directly.
pub(super) fn start(text: &str, puzzle: &Puzzle) -> Result<Game, Finding> {
    let game = unchanged(text, puzzle)?;
    if puzzle.changes.is_empty() {
        return Ok(game);
    }
    changed(&game.end(), &puzzle.changes).map(|position| Game::new(position, Vec::new()))
}

/// The position with the changes of a twin.
fn changed(position: &Position, changes: &[Spanned<Change>]) -> Result<Position, Finding> {
    let mut setup = position.to_setup();
    for change in changes {
        let refuse = |scalar: &Spanned<String>, message: String| {
            let hint =
                "squares are written `(0T1)a2`, and boards are those on which the player to move may move";
            Finding::new("change", scalar.span, message).hint(hint)
        };
        // The index of a board in the setup, and the text written behind the board.
        let place =
            |setup: &Setup, scalar: &Spanned<String>, written: &str| -> Result<(usize, String), Finding> {
                let end = written.find(')').map_or(0, |end| end + 1);
                let (board, squares) = written.split_at(end);
                let at = pgn5d::parse_board(position, board)
                    .map_err(|error| refuse(scalar, error.issue.message.clone()))?;
                let index = setup.boards.iter().position(|(other, _)| *other == at);
                index
                    .map(|index| (index, squares.to_owned()))
                    .ok_or_else(|| refuse(scalar, format!("there is no board {board}")))
            };
        let square = |setup: &Setup, scalar: &Spanned<String>, text: &str| -> Result<Square, Finding> {
            let square = text.parse::<Square>().ok().filter(|square| setup.size.contains(*square));
            square.ok_or_else(|| refuse(scalar, format!("there is no square `{text}`")))
        };
        match &change.value {
            Change::Remove(scalar) => {
                let (board, squares) = place(&setup, scalar, &scalar.value)?;
                let square = square(&setup, scalar, &squares)?;
                taken(&mut setup, board, square)
                    .ok_or_else(|| refuse(scalar, format!("no piece stands on {square}")))?;
            }
            Change::Put(scalar) => {
                let mut letters = scalar.value.chars();
                let letter = letters.next().unwrap_or_default();
                let piece = Piece::try_from(letter)
                    .map_err(|_| refuse(scalar, format!("no piece has the letter `{letter}`")))?;
                let (board, squares) = place(&setup, scalar, letters.as_str())?;
                let square = square(&setup, scalar, &squares)?;
                setup.boards[board].1.put(square, piece, false);
            }
            Change::Move(scalar) => {
                let (board, squares) = place(&setup, scalar, &scalar.value)?;
                let (from, to) = squares.split_at(squares.len().min(2));
                let (from, to) = (square(&setup, scalar, from)?, square(&setup, scalar, to)?);
                let piece = taken(&mut setup, board, from)
                    .ok_or_else(|| refuse(scalar, format!("no piece stands on {from}")))?;
                setup.boards[board].1.put(to, piece, false);
            }
            Change::ToMove(mover) => {
                let color = if mover.value == Mover::White { Color::White } else { Color::Black };
                if color != position.to_move() {
                    for (at, _) in &mut setup.boards {
                        at.half_turn = at.half_turn.next();
                    }
                }
            }
        }
    }
    Position::from_setup(&setup).map_err(|error| {
        let span = changes.first().map_or_else(Span::default, |change| change.span);
        Finding::new("change", span, format!("there is no such position: {error}"))
    })
}

fn taken(setup: &mut Setup, board: usize, square: Square) -> Option<Piece> {
    let piece = setup.boards[board].1.get(square)?;
    setup.boards[board].1.remove(square);
    Some(piece)
}

/// The game without the changes of a twin.
fn unchanged(text: &str, puzzle: &Puzzle) -> Result<Game, Finding> {
    let start = &puzzle.start.value;
    let mut game = match whole(start) {
        Some((written, notation)) => game_of(text, puzzle, written, notation)?,
        None => Game::new(boards(text, puzzle)?, Vec::new()),
    };
    let Some(moves) = &start.moves else { return Ok(game) };
    let (actions, error) = actions(&game.end(), &moves.value);
    game.actions.extend(actions);
    match error {
        None => Ok(game),
        Some(error) => Err(before(Some(&game.end()), unreadable(text, moves, &error))),
    }
}

/// The text that holds the whole game, and its notation: boards of 5DFEN with headers are a game of 5DPGN.
fn whole(start: &Start) -> Option<(&Spanned<String>, Format)> {
    let has_headers = |boards: &&Spanned<String>| !Record::parse(&boards.value).0.headers.is_empty();
    let pgn = start.pgn_text.as_ref().or(start.fen_text.as_ref().filter(has_headers));
    // Unknown names were refused before.
    let named = || Some((start.text.as_ref()?, start.notation.as_ref()?.value.parse().ok()?));
    pgn.map(|game| (game, Format::Pgn5d)).or_else(named)
}

/// The game that is written in a notation, under the rules of the puzzle.
fn game_of(
    text: &str,
    puzzle: &Puzzle,
    written: &Spanned<String>,
    notation: Format,
) -> Result<Game, Finding> {
    let Parsed { value, error, spans, .. } = notation.parse(written.value.as_bytes(), &Options::default());
    let game = match (value, error) {
        (Some(game), None) => game,
        (so_far, error) => {
            let error = error.expect("a text without a game has an error");
            let end = so_far.as_ref().map(Game::end);
            return Err(before(end.as_ref(), unreadable(text, written, &error)));
        }
    };
    let place =
        |action: usize| spans.get(action).map_or(written.span, |span| in_document(text, written, *span));
    if puzzle.start.value.fen_text.is_some() {
        boards_alone(puzzle, &game, place)?;
    }
    under(puzzle, game).map_err(|wrong| {
        let (game, action) = *wrong;
        let message = "illegal: the rules of the puzzle do not allow this action";
        before(Some(&game.end()), Finding::new("rules", place(action), message))
    })
}

/// Checks that boards of 5DFEN have no moves behind them, and the size that the puzzle says.
fn boards_alone(puzzle: &Puzzle, game: &Game, place: impl Fn(usize) -> Span) -> Result<(), Finding> {
    if !game.actions.is_empty() {
        let finding = Finding::new("start", place(0), "`5dfen` holds boards, but moves follow them");
        return Err(finding.hint("a whole game stands under `5dpgn`, and moves under `moves`"));
    }
    let (of_boards, size) = (game.start.to_setup().size, size(&puzzle.start.value)?);
    match (&puzzle.start.value.size, size) {
        (Some(written), Some(size)) if size != of_boards => {
            let message = format!("the boards are {of_boards}, but `size` says {size}");
            Err(Finding::new("size", written.span, message))
        }
        _ => Ok(()),
    }
}

/// The game under the rules of the puzzle; rules that it does not mention stay as they are.
///
/// # Errors
///
/// The game up to the first action that they do not allow, and its number.
fn under(puzzle: &Puzzle, game: Game) -> Result<Game, Box<(Game, usize)>> {
    let own = game.start.profile();
    let profile = profile(puzzle, own);
    if profile == own {
        return Ok(game);
    }
    let setup = Setup { profile, ..game.start.to_setup() };
    let start = Position::from_setup(&setup).expect("a position is one under all rules");
    let game = Game { start, ..game };
    let mut position = game.start.clone();
    let wrong = game.actions.iter().position(|action| position.play(action).is_err());
    wrong.map_or(Ok(game.clone()), |action| Err(Box::new((game.until(action), action))))
}

/// The rules of a puzzle; those that it does not mention are the given ones.
fn profile(puzzle: &Puzzle, given: RuleProfile) -> RuleProfile {
    // Unknown names were refused before.
    let named = puzzle.rules.profile.as_ref().and_then(|name| name.value.parse::<RuleProfile>().ok());
    let mut profile = named.unwrap_or(given);
    if let Some(promotions) = &puzzle.rules.promotions {
        let kinds = promotions.value.iter().filter_map(|letter| promotion(&letter.value));
        profile.promotions = kinds.fold(Promotions::NONE, |set, kind| set.with(kind).unwrap_or(set));
    }
    profile
}

/// The actions of a text up to the first that cannot be read, and its error.
fn actions(start: &Position, moves: &str) -> (Vec<Action>, Option<ParseError>) {
    match pgn5d::parse_line(start, moves) {
        Ok(actions) => (actions, None),
        Err(error) => {
            let (record, _) = Record::parse(moves);
            let wrong = record.line.actions.iter().find(|action| error.span().start < action.span.end);
            let good = &moves[..wrong.map_or(error.span(), |action| action.span).range().start];
            (pgn5d::parse_line(start, good).unwrap_or_default(), Some(error))
        }
    }
}

/// Adds the boards before the action that a finding is about.
fn before(position: Option<&Position>, mut finding: Finding) -> Finding {
    finding.boards =
        position.map(|position| format!("Before this action:\n{}", draw(position, Frame::REPORT)));
    finding
}

fn boards(text: &str, puzzle: &Puzzle) -> Result<Position, Finding> {
    let start = &puzzle.start.value;
    let profile = profile(puzzle, RuleProfile::default());
    if let Some(name) = &start.variant {
        let Some(variant) = variants::by_name(&name.value) else {
            let message = format!("there is no variant `{}`", name.value);
            let finding = Finding::new("unknown-variant", name.span, message);
            return Err(match variants::closest(&name.value) {
                Some(near) => finding.meant(near.name),
                None => finding.hint("for another start, write its boards under `fen`"),
            });
        };
        let setup = Setup { profile, ..variant.setup() };
        return Ok(Position::from_setup(&setup).expect("the boards of a variant are a multiverse"));
    }
    let size = size(start)?;
    let given = fen5d::Given { size, parity: None, profile };
    // All boards are read as one text, so that they can be compared. An error is then traced back to the
    // scalar that contains it.
    let written: Vec<&Spanned<String>> = start.fen.iter().flatten().chain(&start.fen_text).collect();
    let joined: Vec<&str> = written.iter().map(|board| board.value.as_str()).collect();
    fen5d::blocks(&joined.join("\n")).and_then(|blocks| fen5d::position(&blocks, given)).map_err(|error| {
        let span = error.span();
        let mut offset = 0;
        for board in &written {
            let end = offset + board.value.len();
            if span.range().start <= end {
                let within = Span::new(span.range().start - offset, span.range().end.min(end) - offset);
                return finding(in_document(text, board, within), &error);
            }
            offset = end + 1;
        }
        finding(puzzle.start.span, &error)
    })
}

/// The size that the puzzle says.
fn size(start: &Start) -> Result<Option<BoardSize>, Finding> {
    let Some(size) = &start.size else { return Ok(None) };
    board_size(&size.value).map(Some).ok_or_else(|| {
        let message =
            format!("expected a size from 1x1 to {0}x{0}, but found `{1}`", BoardSize::MAX, size.value);
        Finding::new("size", size.span, message)
    })
}

fn board_size(text: &str) -> Option<BoardSize> {
    let (width, height) = text.split_once(['x', 'X'])?;
    BoardSize::new(width.parse().ok()?, height.parse().ok()?)
}

/// The finding of a scalar whose text cannot be read.
pub(super) fn unreadable(text: &str, scalar: &Spanned<String>, error: &ParseError) -> Finding {
    finding(in_document(text, scalar, error.span()), error)
}

fn finding(span: Span, error: &ParseError) -> Finding {
    let issue = &error.issue;
    let finding = Finding::new(issue.code, span, format!("{}: {}", error.class.name(), issue.message));
    // A file of a puzzle is no place to choose a game.
    let hint = match issue.code {
        "several-games" => Some("keep one of them"),
        _ => issue.hint.as_deref(),
    };
    match hint {
        Some(hint) => finding.hint(hint),
        None => finding,
    }
}

/// The span in the document of a part of a scalar's value; the whole scalar if escapes or folded lines make
/// that unclear.
pub(super) fn in_document(text: &str, scalar: &Spanned<String>, part: Span) -> Span {
    let (raw, value) = (scalar.span.of(text), scalar.value.as_str());
    let start = scalar.span.range().start;
    let shifted = |by: usize| Span::new(start + by + part.range().start, start + by + part.range().end);
    if raw == value {
        return shifted(0);
    }
    // A block may begin with a quotation mark, but it ends with a line.
    let unquoted = ['"', '\''].iter().find_map(|quote| raw.strip_prefix(*quote)?.strip_suffix(*quote));
    if let Some(unquoted) = unquoted {
        return if unquoted == value { shifted(1) } else { scalar.span };
    }
    // A block: every line of the value is the end of a line of the document.
    let (mut in_raw, mut in_value) = (0, 0);
    for (raw_line, line) in raw.split_inclusive('\n').zip(value.split_inclusive('\n')) {
        let (bare, line_bare) = (raw_line.trim_end_matches(['\r', '\n']), line.trim_end_matches('\n'));
        if !bare.ends_with(line_bare) {
            break;
        }
        if part.range().start < in_value + line.len() {
            let column = bare.len() - line_bare.len() + part.range().start - in_value;
            let length =
                part.range().len().min(line_bare.len().saturating_sub(part.range().start - in_value));
            return Span::new(start + in_raw + column, start + in_raw + column + length);
        }
        in_raw += raw_line.len();
        in_value += line.len();
    }
    // At the end of the text, something is missing after the last line.
    let end = start + raw.trim_end().len();
    if part.range().start >= value.trim_end().len() { Span::new(end, end) } else { scalar.span }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::notation::samples::{random_game, random_orthodox_game};
    use crate::puzzle::grammar::NOTATIONS;
    use crate::puzzle::load;
    use crate::puzzle::yaml::Yaml;

    #[derive(serde::Deserialize)]
    struct Document {
        a: Spanned<String>,
    }

    /// A puzzle with these fields of its start.
    fn puzzle(fields: &str) -> String {
        format!(
            "schema: worldlines/puzzle-1\nid: a\ntitle: T\nsource: {{ from: x }}\nstart:\n{fields}goal: {{ status: ongoing }}\n"
        )
    }

    /// The position of a puzzle with these fields of its start, or the code of its first finding and the text there.
    fn position(fields: &str) -> Result<Position, (&'static str, String)> {
        let document = load("a.yaml", puzzle(fields).as_bytes()).remove(0);
        let game = document.game().map_err(|mut findings| findings.remove(0));
        game.map(|game| game.end())
            .map_err(|finding| (finding.code, finding.span.of(document.text()).to_owned()))
    }

    /// A text as a block under a field.
    fn block(field: &str, text: &str) -> String {
        let lines: String = text.lines().map(|line| format!("    {line}\n")).collect();
        format!("  {field}: |\n{lines}")
    }

    #[test]
    fn every_notation_but_bytes_is_a_start() {
        let names: Vec<&str> =
            Format::all().map(Format::name).filter(|name| *name != "chess64-binary").collect();
        let mut listed = NOTATIONS.to_vec();
        listed.sort_by_key(|name| names.iter().position(|other| other == name));
        assert_eq!(listed, names);
        let mut read = 0;
        for format in NOTATIONS.iter().map(|name| name.parse::<Format>().unwrap()) {
            let games = (0..20).map(|seed| {
                if format.is_orthodox() { random_orthodox_game(seed) } else { random_game(seed) }
            });
            for written in games.filter_map(|game| format.write(&game).ok()) {
                let text = written.into_text();
                let Ok(game) = format.parse(text.as_bytes(), &Options::default()).into_result() else {
                    continue;
                };
                let quoted = serde_json::to_string(&text).unwrap();
                let found = position(&format!("  notation: {format}\n  text: {quoted}\n"));
                assert_eq!(found, Ok(game.end()), "{format}: {text}");
                read += 1;
            }
        }
        assert!(read > 150, "{read}");
    }

    #[test]
    fn errors_of_a_text_have_their_place_in_it() {
        for (notation, text, code, place) in [
            ("gui-fen", "4;4;1;0;w;F\nr2x/4/4/P2K;;-;w1;0;", "malformed-pieces", "x"),
            ("gui-fen", "9;4;1;0;w;F\n9/9/9/9;;-;w1;0;", "board-too-large", "9;4"),
            (
                "5duci",
                "position size 4x4 odd fen [r2k/4/4/P2K:0:1:w] moves (0T1)a1a4",
                "no-such-move",
                "(0T1)a1a4",
            ),
            ("variants-json", "[{ \"Timelines\":\n{ \"0L\": [1] } }]", "unexpected-json", "1"),
            (
                "variants-json",
                "[{\"Timelines\":{\"0L\":[\"k\"]}},\n{\"Timelines\":{\"0L\":[\"q\"]}}]",
                "several-games",
                "{\"Timelines\":{\"0L\":[\"k\"]}}",
            ),
            ("pgn", "1. e4 e6 2. Ke3", "no-such-move", "Ke3"),
        ] {
            let found = position(&format!("  notation: {notation}\n{}", block("text", text)));
            assert_eq!(found, Err((code, place.to_owned())), "{notation}: {text}");
        }
        assert_eq!(position("  notation: gui\n  text: 'x'\n"), Err(("unknown-word", "gui".to_owned())));
        assert_eq!(position("  variant: Standard\n  notation: fen\n"), Err(("start", "fen".to_owned())));
        assert_eq!(position("  text: '8;8'\n"), Err(("start", "'8;8'".to_owned())));
        let two = "  variant: Standard\n  notation: 5dfen\n  text: '[k:0:1:w]'\n";
        assert_eq!(position(two).unwrap_err().0, "start");
    }

    #[test]
    fn moves_and_rules_belong_to_a_text_too() {
        let text = "  notation: gui-fen\n  text: \"4;4;1;0;w;F\\nr2k/4/P3/3K;;-;w1;0;\"\n";
        let moved = position(&format!("{text}  moves: \"1. (0T1)Kd1d2\"\n")).unwrap();
        assert_eq!(moved.multiverse().count(), 2);
        let promoting = "  notation: 5duci\n  text: \"position size 3x3 odd fen [2k/P2/K2:0:1:w] moves (0T1)a2a3n submit\"\n";
        let knights = puzzle(promoting).replace("goal:", "rules: { promotions: [N] }\ngoal:");
        let queens = knights.replace("[N]", "[Q]");
        let game = |text: &str| load("a.yaml", text.as_bytes())[0].game();
        let [with, without] = [game(&knights), game(&queens)];
        assert_eq!(with.unwrap().start.profile().promotions.to_string(), "N");
        assert_eq!(without.unwrap_err()[0].code, "rules");
    }

    #[test]
    fn boards_of_5dfen_may_have_headers() {
        let headed = "[size \"4x4\"]\n[board \"custom\"]\n[Promotions \"Q,N\"]\n[r2k/4/4/P2K:0:1:w]";
        let found = position(&block("5dfen", headed)).unwrap();
        assert_eq!(
            (found.to_string(), found.profile().promotions.to_string()),
            ("[r2k/4/4/P2K:0:1:w]".to_owned(), "Q,N".to_owned())
        );
        let variant = variants::by_name("Standard - Turn Zero").unwrap();
        let named = position(&block("5dfen", "[Board \"Standard - Turn Zero\"]"));
        assert_eq!(named, Ok(Position::from_setup(&variant.setup()).unwrap()));
        let moved = block("5dfen", &format!("{headed}\n1. Kc1"));
        assert_eq!(position(&moved), Err(("start", "1. Kc1".to_owned())));
        let moves = block("5dfen", headed) + "  moves: \"1. Kc1\"\n";
        assert_eq!(position(&moves).unwrap().multiverse().count(), 2);
        let size = block("5dfen", headed) + "  size: 5x5\n";
        assert_eq!(position(&size), Err(("size", "5x5".to_owned())));
        let wrong = block("5dfen", &headed.replace("r2k", "rxk"));
        assert_eq!(position(&wrong), Err(("unknown-piece", "x".to_owned())));
    }

    #[test]
    fn a_header_of_another_claim_is_false() {
        let headed = "[Puzzle \"mate-in-2\"]\n[Size \"4x4\"]\n[Board \"custom\"]\n[r2k/4/4/P2K:0:1:w]";
        for field in ["5dfen", "5dpgn", "notation: 5dpgn\n  text"] {
            let fields = block(field, headed);
            assert_eq!(
                position(&fields),
                Err(("false-header", "[Puzzle \"mate-in-2\"]".to_owned())),
                "{field}"
            );
            let same = puzzle(&fields).replace("status: ongoing", "mate-in: 2");
            assert!(load("a.yaml", same.as_bytes())[0].draft().is_ok(), "{field}");
        }
    }

    /// Neither fields of a megabyte nor parts that never end take long, and none panics.
    #[test]
    fn great_texts_have_an_end() {
        for (notation, begin, part) in [
            ("gui-fen", "8;8;1;0;w;F\n", "8/"),
            (
                "gui-fen",
                "8;8;1;0;w;F\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR;;-;w1;9;",
                "(5,2,1,0)(5,4,1,0);",
            ),
            ("variants-json", "", "["),
            ("variants-json", "[", "{\"Timelines\":{\"0L\":[\"k\"]}},"),
            ("5dpgn", "1. e4 ", "("),
            ("5dpgn", "1. e4 ", "{"),
            ("pgn", "1. e4 ", "{ a ("),
            ("5duci", "position startpos moves ", "(0T1)g1f3 "),
            ("chessjs-json", "{\"action\":", "["),
            ("tn", "", "e4 "),
        ] {
            let text = format!("{begin}{}", part.repeat((1 << 20) / part.len()));
            let quoted = serde_json::to_string(&text).unwrap();
            assert!(
                position(&format!("  notation: {notation}\n  text: {quoted}\n")).is_err(),
                "{notation} {part}"
            );
        }
    }

    /// The text of the document at the place of `needle` in the value.
    fn located(text: &str, needle: &str) -> String {
        let yaml = Yaml::of(text);
        let document = Document::deserialize(yaml.whole().unwrap()).unwrap();
        let at = document.a.value.find(needle).unwrap();
        let span = in_document(text, &document.a, Span::new(at, at + needle.len()));
        format!("{}@{}", span.of(text), span.range().start)
    }

    #[test]
    fn parts_of_scalars_are_found_in_the_document() {
        assert_eq!(located("a: one two", "two"), "two@7");
        assert_eq!(located("a: \"é two\"", "two"), "two@7");
        assert_eq!(located("a: 'é two'", "two"), "two@7");
        assert_eq!(located("a: |\n  one\n   two\n\n  three\n", "two"), "two@14");
        assert_eq!(located("a: |\n  one\n   two\n\n  three\n", "three"), "three@21");
        assert_eq!(located("a: |\r\n  one\r\n   two\r\n  three", "three"), "three@23");
        assert_eq!(located("a: \"x\\ttwo\"", "two"), "\"x\\ttwo\"@3");
        assert_eq!(located("a: |\n  \"one\n  two\"\n", "two"), "two@14");
    }

    #[test]
    fn the_end_of_a_block_is_its_last_line() {
        let text = "a: |\n  one\n  two\nb: 1";
        let yaml = Yaml::of(text);
        let document = Document::deserialize(yaml.whole().unwrap()).unwrap();
        assert_eq!(in_document(text, &document.a, Span::new(8, 8)), Span::new(16, 16));
    }
}
