//! Games as JSON: the list of Action objects that `export("json")` of 5d-chess-js gives.
//!
//! ```json
//! [{"action":1,"player":"white","moves":[{"start":{…},"end":{…},"player":"white","promotion":null,…}]},…]
//! ```
//!
//! The list does not say where the game starts, so it is what is written for `standard` only. For any other start the text
//! is an object with the two arguments of the constructor: `{"variant":"princess","actions":[…]}`, where `variant` is a
//! name or a Board object.
//!
//! # Relaxations
//!
//! Those of [`schema`](super::schema). Nothing says what pawns may become: what is usual, and what they become in the list. Read
//! are also a single Action, a single Board and the [raw](super::raw) arrays of numbers, which are games without actions, and
//! `variant` as the name of any variant. A wrong `enPassant` or `castling`, and a wrong number of an action, are warnings.

use super::edition::Edition;
use super::field::Value;
use super::numbering::Numbering;
use super::raw::Raw;
use super::schema::{Action, Board};
use super::start::{Named, rules_of, turn_offset, usual_promotions, with_promotions};
use crate::notation::common::Options;
use crate::notation::common::json::{Json, Kind, write_string};
use crate::notation::common::lines::after_mark;
use crate::notation::common::replay::{CoordinateMove, Replay};
use crate::notation::common::{
    Game, Issue, Loss, MAX_ACTIONS, ParseError, Parsed, Span, WriteError, Written,
};
use crate::rules::variants;
use crate::state;
use crate::types::Color;

/// The content of a text.
#[derive(Default)]
struct Content {
    start: Option<Game>,
    warnings: Vec<Issue>,
    losses: Vec<Loss>,
    actions: Vec<(Action, Span, Vec<Span>)>,
}

/// The game of a text, as far as it can be read.
pub fn parse(text: &str) -> Parsed {
    parse_with(text, &Options::default())
}

/// Parses like [`parse`], from the start if one is given.
pub(in crate::notation) fn parse_with(text: &str, options: &Options) -> Parsed {
    let mut content = Content::default();
    let error = decode(text, &mut content).err();
    if content.start.is_none() && content.actions.is_empty() && error.is_some() {
        return Parsed { error, ..Parsed::default() };
    }
    let mut also_moved = Vec::new();
    let start = match (content.start, &options.start) {
        (Some(game), _) => {
            also_moved = game.also_moved;
            with_promotions_of(&game.start, &content.actions)
        }
        (None, Some(start)) => start.clone(),
        (None, None) => {
            let setup = Named::Standard.variant().setup();
            let start = state::Position::from_setup(&setup).expect("variants are positions");
            with_promotions_of(&start, &content.actions)
        }
    };
    let mut player = Replay::new(start);
    player.warnings = content.warnings;
    let played = play(&mut player, &content.actions).err();
    let reading = player.finish(played.or(error)).map(|game| Game { also_moved, ..game });
    Parsed { losses: content.losses, ..reading }
}

/// The position with the usual promotions and those of the actions.
fn with_promotions_of(start: &state::Position, actions: &[(Action, Span, Vec<Span>)]) -> state::Position {
    let kinds = actions.iter().flat_map(|(action, ..)| &action.moves).filter_map(|m| m.promotion);
    let set = kinds.fold(usual_promotions(start), |set, kind| set.with(kind).unwrap_or(set));
    with_promotions(start, set)
}

fn decode(text: &str, content: &mut Content) -> Result<(), ParseError> {
    let mut json = Json::new(text)?;
    match json.kind() {
        Kind::Array if is_raw(text) => {
            let start = json.offset();
            let raw = Raw::decode(&mut json)?;
            let span = json.span_from(start);
            content.start = Some(raw.game().map_err(|message| no_multiverse(span, message))?);
        }
        Kind::Array => actions(&mut json, &mut content.actions)?,
        Kind::Object => object(text, &mut json, content)?,
        _ => return Err(json.expected("a list of actions, or an object")),
    }
    json.end()
}

/// Whether an array begins with an array, or with the `null` of a missing timeline.
fn is_raw(text: &str) -> bool {
    let array = after_mark(text).trim_ascii_start();
    let first = array.strip_prefix('[').map_or("", str::trim_ascii_start);
    first.starts_with('[') || first.starts_with("null")
}

fn no_multiverse(span: Span, message: String) -> ParseError {
    Issue::new("no-multiverse", span, message).illegal()
}

fn actions(json: &mut Json<'_>, list: &mut Vec<(Action, Span, Vec<Span>)>) -> Result<(), ParseError> {
    json.array(|json| {
        if list.len() == MAX_ACTIONS {
            let message = format!("expected at most {MAX_ACTIONS} actions");
            return Err(Issue::new("too-many-actions", json.here(), message).malformed());
        }
        list.push(Action::decode_with_spans(json)?);
        Ok(())
    })?;
    Ok(())
}

/// A Board, an Action, or a game with its start.
fn object(text: &str, json: &mut Json<'_>, content: &mut Content) -> Result<(), ParseError> {
    let start = json.offset();
    let mut keys = Vec::new();
    Json::at(text, start).object(|json, key, _| {
        keys.push(key.to_owned());
        json.skip()
    })?;
    let has = |key: &str| keys.iter().any(|known| known == key);
    if has("timelines") {
        return board(json, content);
    }
    if has("moves") {
        content.actions.push(Action::decode_with_spans(json)?);
        return Ok(());
    }
    if !has("actions") {
        let hint = "a game is a list of actions, or an object with `variant` and `actions`";
        let issue =
            Issue::new("unexpected-json", json.here(), "expected a game, or a Board or Action object");
        return Err(issue.hint(hint).malformed());
    }
    json.object(|json, key, _| {
        match key {
            "variant" => variant(json, content)?,
            "actions" => actions(json, &mut content.actions)?,
            _ => json.skip()?,
        }
        Ok(())
    })?;
    Ok(())
}

fn board(json: &mut Json<'_>, content: &mut Content) -> Result<(), ParseError> {
    let start = json.offset();
    let board = Board::decode(json)?;
    let game = start_at(&board, json.span_from(start), &mut content.warnings, &mut content.losses)?;
    content.start = Some(game);
    Ok(())
}

/// The game that starts from a Board object, which must not say otherwise than its boards.
pub(super) fn start_at(
    board: &Board,
    span: Span,
    warnings: &mut Vec<Issue>,
    losses: &mut Vec<Loss>,
) -> Result<Game, ParseError> {
    let game = board.game().map_err(|message| no_multiverse(span, message))?;
    let contradictions = board.contradictions(&game.start).into_iter();
    warnings.extend(contradictions.map(|why| Issue::new("contradicting-board", span, why)));
    // The library counts from 2 in `turn_zero`.
    if !(1..=1 + u32::from(turn_offset(&game.start) > 0)).contains(&board.action) {
        losses.push(Loss::new(format!("the number of the next action, {}", board.action)));
    }
    Ok(game)
}

fn variant(json: &mut Json<'_>, content: &mut Content) -> Result<(), ParseError> {
    if json.kind() == Kind::Object {
        return board(json, content);
    }
    let (name, span) = json.string()?;
    let Some(variant) = variants::by_name(&name) else {
        let issue = Issue::new("unknown-variant", span, format!("there is no variant `{name}`"));
        return Err(issue.hint("for another start, write a Board object").malformed());
    };
    let start = state::Position::from_setup(&variant.setup()).expect("variants are positions");
    content.start = Some(Game::new(start, Vec::new()));
    Ok(())
}

fn play(player: &mut Replay, actions: &[(Action, Span, Vec<Span>)]) -> Result<(), ParseError> {
    let numbering = Numbering::of(Edition::Readme, &player.start);
    for (action, span, spans) in actions {
        player.check_number(action.action, *span);
        play_one(player, action, *span, spans, numbering).map_err(|error| player.in_action(error))?;
    }
    Ok(())
}

fn play_one(
    player: &mut Replay,
    action: &Action,
    span: Span,
    spans: &[Span],
    numbering: Numbering,
) -> Result<(), ParseError> {
    let to_move = player.position.to_move();
    player.check_player(action.player, span).map_err(Issue::illegal)?;
    for (m, &span) in action.moves.iter().zip(spans) {
        if m.player != to_move {
            let message =
                format!("expected a move of {}, but found one of {}", to_move.name(), m.player.name());
            return Err(Issue::new("wrong-player", span, message).illegal());
        }
        let wanted = CoordinateMove {
            from: numbering.coordinate(&m.start),
            to: numbering.coordinate(&m.end),
            promotion: m.promotion,
        };
        let made = player.meant(wanted, span)?;
        if made.promotion != m.promotion {
            let message = "what the pawn becomes is not written";
            return Err(Issue::new("missing-promotion", span, message).ambiguous());
        }
        let said = (m.en_passant, m.castling);
        let object = numbering.move_object(&player.position, &made);
        if (object.en_passant, object.castling) != said {
            let message = "`enPassant` or `castling` does not fit the move";
            player.warn("wrong-remark", span, message);
        }
        player.push_move(made, span)?;
    }
    player.submit(span)
}

/// A game as JSON.
///
/// # Errors
///
/// When the game has timelines `-0` and `+0`, which are no numbers.
pub fn write(game: &Game) -> Result<Written, WriteError> {
    let start = &game.start;
    // A name says that no piece has moved.
    let named = Named::of(start).filter(|_| game.also_moved.is_empty());
    let mut losses = game.losses_of_headers();
    losses.extend(game.loss_of_result());
    losses.extend(rules_of(&game.start).map(|name| Loss::new(format!("the rules in force, `{name}`"))));
    if start.profile().promotions != usual_promotions(start) {
        losses.push(Loss::new(format!(
            "the pieces that pawns may become, {}; whoever reads it takes the usual ones",
            start.profile().promotions
        )));
    }
    let unwritable = || WriteError::new("its numbers cannot tell the timelines -0 and +0 apart");
    let board = Board::of(&Game { actions: Vec::new(), ..game.clone() }).ok_or_else(unwritable)?;
    let mut text = String::new();
    if named != Some(Named::Standard) {
        text.push_str("{\"variant\":");
        match named {
            Some(named) => write_string(&mut text, named.tag()),
            None => text.push_str(&board.write()),
        }
        text.push_str(",\"actions\":");
    }
    text.push('[');
    let numbering = Numbering::of(Edition::Readme, start);
    let mut position = start.clone();
    let mut number = 1;
    for (index, action) in game.actions.iter().enumerate() {
        let player = position.to_move();
        let mut moves = Vec::with_capacity(action.moves().len());
        for m in action.moves() {
            moves.push(numbering.move_object(&position, m));
            position.push(m);
        }
        position.switch_player();
        text.push_str(if index == 0 { "" } else { "," });
        text.push_str(&Action { action: number, player, moves }.write());
        number += u32::from(player == Color::Black);
    }
    text.push(']');
    text.push_str(if named == Some(Named::Standard) { "\n" } else { "}\n" });
    Ok(Written::new(text, losses))
}
