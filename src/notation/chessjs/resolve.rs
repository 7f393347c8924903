//! [`Record`] to [`Game`]: the start position, and which move each text means.

use super::json::start_at;
use super::record::{Record, action_of};
use super::start::{Named, turn_offset, usual_promotions, with_promotions};
use super::{mark_of, schema};
use crate::notation::common::Options;
use crate::notation::common::describe::{castling, is_en_passant, piece_at};
use crate::notation::common::replay::{CoordinateMove, Replay, not_the_last};
use crate::notation::common::start::{self, StartText, is_about_start};
use crate::notation::common::{BoardText, CheckMark, MoveText, Place, Shape};
use crate::notation::common::{Game, GameResult, Header, Issue, Label, Loss, ParseError, Parsed, Span};
use crate::state::Position;
use crate::types::{BoardCoordinate, Color, Coordinate, HalfTurn, Move, Timeline};

/// Plays a record as far as it goes.
pub(super) fn game(record: &Record<'_>, options: &Options) -> Parsed {
    let (mut warnings, mut losses) = (Vec::new(), Vec::new());
    let Game { name, start, also_moved, .. } = match start_of(record, options, &mut warnings, &mut losses) {
        Ok(game) => game,
        Err(error) => return Parsed { warnings, error: Some(error), ..Parsed::default() },
    };
    let (headers, result) = headers(record, &mut warnings);
    let mut player = Replay::new(start);
    player.warnings = warnings;
    let error = play(&mut player, record).err();
    let reading = player.finish(error).map(|game| Game { name, headers, also_moved, result, ..game });
    Parsed { losses, ..reading }
}

/// The start position, and its name if that is not the name of a variant, as a game without actions.
fn start_of(
    record: &Record<'_>,
    options: &Options,
    warnings: &mut Vec<Issue>,
    losses: &mut Vec<Loss>,
) -> Result<Game, ParseError> {
    let mut tags = record.tags.clone();
    let about = |names: &[&str]| {
        let named =
            |tag: &&Header| names.iter().any(|name| name.eq_ignore_ascii_case(tag.key.of(record.text)));
        record.tags.iter().any(|tag| named(&tag))
    };
    let says_promotions = about(&["Promotions", "Promotion"]);
    let json = |tag: &Header| {
        tag.value.of(record.text).starts_with('{') && tag.key.of(record.text).eq_ignore_ascii_case("variant")
    };
    let given = options.start.as_ref().filter(|_| {
        record.boards.is_empty() && !about(&["Variant", "Board", "Layout", "Size", "Timelines", "Timeline"])
    });
    let mut game = if let Some(tag) = record.tags.iter().find(|tag| json(tag)) {
        tags.retain(|tag| !json(tag));
        board_as_json(tag, record.text, warnings, losses)?
    } else if let Some(start) = given {
        // A start that is given comes with its rules.
        return Ok(Game::new(start.clone(), Vec::new()));
    } else {
        let text = StartText { text: record.text, headers: &tags, boards: &record.boards };
        let (start, name) = start::position(text, warnings)?;
        Game { name, ..Game::new(start, Vec::new()) }
    };
    if !says_promotions {
        game.start = with_promotions(&game.start, usual_promotions(&game.start));
    }
    Ok(game)
}

/// `[Variant "{…}"]`, which 5d-chess-js 0.3.6 writes and cannot read.
fn board_as_json(
    tag: &Header,
    text: &str,
    warnings: &mut Vec<Issue>,
    losses: &mut Vec<Loss>,
) -> Result<Game, ParseError> {
    let start = tag.value.range().start;
    let shifted = |span: Span| Span::new(span.range().start + start, span.range().end + start);
    let board = schema::Board::parse(tag.value.of(text))
        .map_err(|error| error.map(|issue| Issue { span: shifted(issue.span), ..issue }))?;
    start_at(&board, tag.value, warnings, losses)
}

/// The tags that are not about the start position, and the result that one of them gives.
///
/// A `Result` tag at the end is the result alone; before others it stays among the headers too, for their order.
fn headers(record: &Record<'_>, warnings: &mut Vec<Issue>) -> (Vec<(String, String)>, Option<GameResult>) {
    let text = record.text;
    let mut result = None;
    let mut headers = Vec::new();
    for tag in record.tags.iter().filter(|tag| !is_about_start(tag, text)) {
        let (key, value) = (tag.key.of(text), tag.value(text));
        if key.eq_ignore_ascii_case("Result") {
            let found = GameResult::from_text(&value);
            if found.is_none() {
                let message = format!("expected `1-0`, `0-1`, `1/2-1/2` or `*`, but found `{value}`");
                warnings.push(Issue::new("unknown-result", tag.value, message));
            }
            result = result.or(found);
        }
        if key.eq_ignore_ascii_case("Date") && !is_date(&value) {
            let message = format!(
                "expected a date such as 2020.12.31, with `?` for what is unknown, but found `{value}`"
            );
            warnings.push(Issue::new("unknown-date", tag.value, message));
        }
        headers.push((key.to_owned(), value.into_owned()));
    }
    if is_result_alone(&headers, result) {
        headers.pop();
    }
    (headers, result)
}

/// Whether the last of these tags, and no other, says the result, and is spelt as it would be written: then it is the result and
/// no header beside it.
pub(super) fn is_result_alone(headers: &[(String, String)], result: Option<GameResult>) -> bool {
    let says_result = |(key, value): &(String, String)| {
        key.eq_ignore_ascii_case("Result") && result.is_some_and(|result| result.text() == value)
    };
    headers.split_last().is_some_and(|(last, others)| {
        last.0 == "Result" && says_result(last) && !others.iter().any(says_result)
    })
}

/// `2020.10.22`, `????.??.??` or `??`.
fn is_date(value: &str) -> bool {
    let known = |part: &str, length: usize, most: u32| {
        let is_number = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number && part.parse().is_ok_and(|number: u32| (1..=most).contains(&number))
            || part.len() <= length && !part.is_empty() && part.bytes().all(|byte| byte == b'?')
    };
    let parts: Vec<&str> = value.splitn(4, '.').collect();
    match parts[..] {
        ["??"] => true,
        [year, month, day] => known(year, 4, 9999) && known(month, 2, 12) && known(day, 2, 31),
        _ => false,
    }
}

/// The moves of a record, made in this position without being submitted.
pub(super) fn moves(position: &Position, offset: i16, record: &Record<'_>) -> Result<Vec<Move>, ParseError> {
    let mut player = Replay::new(position.clone());
    for text in &record.moves {
        push(&mut player, text, offset)?;
    }
    Ok(player.made().to_vec())
}

fn play(player: &mut Replay, record: &Record<'_>) -> Result<(), ParseError> {
    let offset = turn_offset(&player.start);
    let from_two = Named::of(&player.start) == Some(Named::TurnZero);
    for moves in record.actions() {
        let (first, last) = (&moves[0], &moves[moves.len() - 1]);
        let (number, color) = action_of(first).expect("every move has its number");
        if player.actions.is_empty() && from_two && number == 2 {
            player.take_number(number);
        }
        player.check_number(number, first.span);
        let span = first.span.to(last.span);
        action(player, moves, color, span, offset).map_err(|error| player.in_action(error))?;
        check_mark(player, moves);
    }
    Ok(())
}

fn action(
    player: &mut Replay,
    moves: &[MoveText],
    color: Color,
    span: Span,
    offset: i16,
) -> Result<(), ParseError> {
    let hint = "all moves of an action carry its number, and the players act in turn";
    player.check_player(color, span).map_err(|issue| issue.hint(hint).illegal())?;
    for text in moves {
        push(player, text, offset)?;
    }
    player.submit(span)
}

fn push(player: &mut Replay, text: &MoveText, offset: i16) -> Result<(), ParseError> {
    let (span, parity) = (text.span, player.position.parity());
    let Some(BoardText { timeline, turn: Some(turn), color: Some(color), .. }) = text.from else {
        unreachable!("every move has its board")
    };
    let timeline = Label::timeline_or_zero(timeline, parity, span)?;
    let board = board_of(timeline, turn - offset, color);
    let Shape::Piece { target, to, .. } = text.shape else {
        let at = player.source(timeline, span)?;
        if at != board {
            return Err(Issue::new("not-playable", span, not_the_last(&player.position, at)).illegal());
        }
        let m = player.castling(timeline, text.shape.castling().unwrap_or_default(), span)?;
        return player.push_move(m, span).map(drop);
    };
    let (from, promotion) = (text.origin().expect("every move has its square of origin"), text.promotion);
    let to_timeline = match target.and_then(|target| target.timeline) {
        Some(Place::At(label)) => label.timeline_at(parity, span)?,
        _ => timeline,
    };
    let to_turn = match target.and_then(|target| target.turn) {
        Some(Place::At(turn)) => turn,
        _ => turn,
    };
    let to_board = board_of(to_timeline, to_turn - offset, color);
    let mut wanted = CoordinateMove {
        from: Coordinate { board, square: from },
        to: Coordinate { board: to_board, square: to },
        promotion,
    };
    if promotion.is_none() && promotes(&player.position, &wanted) {
        let choice = player.position.profile().promotions;
        let mut kinds = choice.iter();
        match (kinds.next(), kinds.next()) {
            (Some(only), None) => {
                let message = format!("what the pawn becomes is not written: read as a {only}");
                player.warn("missing-promotion", span, message);
                wanted.promotion = Some(only);
            }
            _ => {
                let issue = Issue::new("missing-promotion", span, "what the pawn becomes is not written");
                let hint = "the letter stands before the square, as in `5:b7:Qb8`";
                // Whether a pawn can go there at all is asked first.
                let tried = CoordinateMove { promotion: choice.iter().next(), ..wanted };
                player.meant(tried, span)?;
                return Err(issue.hint(hint).ambiguous());
            }
        }
    }
    let m = player.meant(wanted, span)?;
    check_remarks(player, text, &m);
    player.push_move(m, span).map(drop)
}

fn board_of(timeline: Timeline, turn: i16, color: Color) -> BoardCoordinate {
    BoardCoordinate { timeline, half_turn: HalfTurn::new(turn, color) }
}

/// Whether a pawn of the player to move comes to its last rank. One that a set-up put there stays a pawn.
fn promotes(position: &Position, wanted: &CoordinateMove) -> bool {
    let last = match position.to_move() {
        Color::White => position.size().height() - 1,
        Color::Black => 0,
    };
    wanted.to.square.rank() == last
        && wanted.from.square.rank() != last
        && piece_at(position, wanted.from).is_some_and(|piece| piece.kind.is_pawn_like())
}

/// Compares what a text says beside the move with what is the case.
fn check_remarks(player: &mut Replay, text: &MoveText, m: &Move) {
    player.check_remarks(text, m);
    let Shape::Piece { .. } = text.shape else { return };
    if !text.en_passant && is_en_passant(&player.position, m) {
        player.warn("missing-en-passant", text.span, "`e.p.` is missing: the move captures en passant");
    }
    if castling(&player.position, m).is_some() {
        player.warn("castling-as-move", text.span, "this is castling, which is written `0-0` or `0-0-0`");
    }
}

/// Compares the mark of an action that was submitted with how the opponent stands.
fn check_mark(player: &mut Replay, moves: &[MoveText]) {
    let (last, others) = moves.split_last().expect("an action has a move");
    for text in others.iter().filter(|text| text.check.is_some()) {
        player.warn(
            "misplaced-mark",
            text.span,
            "marks of check and mate stand after the last move of an action",
        );
    }
    let Some(said) = last.check else { return };
    let Ok(true_mark) = mark_of(&player.position) else { return };
    if true_mark != Some(said) {
        let is = true_mark.map_or("neither check nor mate", CheckMark::name);
        let message = format!("the move is marked as {}, but it is {is}", said.name());
        player.warn("wrong-mark", last.span, message);
    }
}
