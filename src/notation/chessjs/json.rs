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

use super::raw::Raw;
use super::resolve::{is_en_passant, with_promotions};
use super::schema::{Action, Board, Castling, Move, Position};
use super::start::{Named, turn_offset, usual_promotions};
use super::write::rules;
use crate::notation::format::Options;
use crate::notation::json::{Json, Kind, write_string};
use crate::notation::play::{Player, Wanted};
use crate::notation::{Game, Issue, Loss, MAX_ACTIONS, ReadError, Reading, Span, Unwritable, Written};
use crate::rules::variants;
use crate::state;
use crate::types::{self, Color, HalfTurn, Place};

/// What a text holds.
#[derive(Default)]
struct Content {
    start: Option<state::Position>,
    actions: Vec<(Action, Span, Vec<Span>)>,
}

/// The game of a text as far as it can be read.
pub fn read(text: &str, options: &Options) -> Reading {
    let mut content = Content::default();
    let error = decode(text, &mut content).err();
    if content.start.is_none() && content.actions.is_empty() && error.is_some() {
        return Reading { error, ..Reading::default() };
    }
    let start = match (content.start, &options.start) {
        (Some(start), _) => with_promotions_of(&start, &content.actions),
        (None, Some(start)) => start.clone(),
        (None, None) => {
            let setup = Named::Standard.variant().setup();
            let start = state::Position::from_setup(&setup).expect("variants are positions");
            with_promotions_of(&start, &content.actions)
        }
    };
    let mut player = Player::new(start);
    let played = play(&mut player, &content.actions).err();
    player.finish(played.or(error))
}

/// The position with the usual promotions and those of the actions.
fn with_promotions_of(start: &state::Position, actions: &[(Action, Span, Vec<Span>)]) -> state::Position {
    let kinds = actions.iter().flat_map(|(action, ..)| &action.moves).filter_map(|m| m.promotion);
    let set = kinds.fold(usual_promotions(start), |set, kind| set.with(kind).unwrap_or(set));
    with_promotions(start, set)
}

fn decode(text: &str, content: &mut Content) -> Result<(), ReadError> {
    let mut json = Json::new(text)?;
    match json.kind() {
        Kind::Array if is_raw(text) => {
            let start = json.offset();
            let raw = Raw::decode(&mut json)?;
            let span = json.span_from(start);
            content.start = Some(raw.position().map_err(|message| no_multiverse(span, message))?);
        }
        Kind::Array => actions(&mut json, &mut content.actions)?,
        Kind::Object => object(text, &mut json, content)?,
        _ => return Err(json.expected("a list of actions, or an object")),
    }
    json.end()
}

/// Whether an array begins with an array, or with the `null` of a missing timeline.
fn is_raw(text: &str) -> bool {
    let array = text.trim_start_matches('\u{feff}').trim_ascii_start();
    let first = array.strip_prefix('[').map_or("", str::trim_ascii_start);
    first.starts_with('[') || first.starts_with("null")
}

fn no_multiverse(span: Span, message: String) -> ReadError {
    Issue::new("no-multiverse", span, message).illegal()
}

fn actions(json: &mut Json<'_>, list: &mut Vec<(Action, Span, Vec<Span>)>) -> Result<(), ReadError> {
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
fn object(text: &str, json: &mut Json<'_>, content: &mut Content) -> Result<(), ReadError> {
    let start = json.offset();
    let mut keys = Vec::new();
    Json::at(text, start).object(|json, key, _| {
        keys.push(key.to_owned());
        json.skip()
    })?;
    let has = |key: &str| keys.iter().any(|known| known == key);
    if has("timelines") {
        let board = Board::decode(json)?;
        let span = json.span_from(start);
        content.start = Some(board.position().map_err(|message| no_multiverse(span, message))?);
        return Ok(());
    }
    if has("moves") {
        content.actions.push(Action::decode_with_spans(json)?);
        return Ok(());
    }
    if !has("actions") {
        let hint = "a game is a list of actions, or an object with `variant` and `actions`";
        let issue = Issue::new("unexpected-json", json.here(), "expected a game, a Board or an Action");
        return Err(issue.hint(hint).malformed());
    }
    json.object(|json, key, _| {
        match key {
            "variant" => content.start = Some(variant(json)?),
            "actions" => actions(json, &mut content.actions)?,
            _ => json.skip()?,
        }
        Ok(())
    })?;
    Ok(())
}

fn variant(json: &mut Json<'_>) -> Result<state::Position, ReadError> {
    let start = json.offset();
    if json.kind() == Kind::Object {
        let board = Board::decode(json)?;
        let span = json.span_from(start);
        return board.position().map_err(|message| no_multiverse(span, message));
    }
    let (name, span) = json.string()?;
    let Some(variant) = variants::by_name(&name) else {
        let issue = Issue::new("unknown-variant", span, format!("there is no variant `{name}`"));
        return Err(issue.hint("a position of its own is a Board object").malformed());
    };
    Ok(state::Position::from_setup(&variant.setup()).expect("variants are positions"))
}

fn play(player: &mut Player, actions: &[(Action, Span, Vec<Span>)]) -> Result<(), ReadError> {
    let offset = turn_offset(&player.start);
    for (action, span, spans) in actions {
        if usize::try_from(action.action).ok() != Some(player.number()) {
            player.warn("wrong-number", *span, format!("the number {} is out of turn", action.action));
            player.take_number(action.action);
        }
        play_one(player, action, *span, spans, offset).map_err(|error| player.in_action(error))?;
    }
    Ok(())
}

fn play_one(
    player: &mut Player,
    action: &Action,
    span: Span,
    spans: &[Span],
    offset: i16,
) -> Result<(), ReadError> {
    let to_move = player.position.to_move();
    if action.player != to_move {
        let message = format!("expected an action of {to_move}, but found one of {}", action.player);
        return Err(Issue::new("wrong-player", span, message).illegal());
    }
    for (m, &span) in action.moves.iter().zip(spans) {
        if m.player != to_move {
            let message = format!("expected a move of {to_move}, but found one of {}", m.player);
            return Err(Issue::new("wrong-player", span, message).illegal());
        }
        let wanted =
            Wanted { from: place(&m.start, offset), to: place(&m.end, offset), promotion: m.promotion };
        let made = player.meant(wanted, span)?;
        if made.promotion != m.promotion {
            let message = "what the pawn becomes is not written";
            return Err(Issue::new("missing-promotion", span, message).ambiguous());
        }
        let said = (m.en_passant, m.castling);
        let object = move_object(&player.position, &made, offset);
        if (object.en_passant, object.castling) != said {
            let message = "`enPassant` or `castling` is not what the move does";
            player.warn("wrong-remark", span, message);
        }
        player.push_move(made, span)?;
    }
    player.submit(span)
}

fn place(position: &Position, offset: i16) -> Place {
    let mut board = position.board();
    board.half_turn = HalfTurn(board.half_turn.0 - 2 * offset);
    Place { board, square: position.square }
}

fn move_object(position: &state::Position, m: &types::Move, offset: i16) -> Move {
    let object = |Place { board, square }: Place| Position {
        timeline: board.timeline.0,
        turn: board.half_turn.turn() + offset,
        player: board.color(),
        square,
    };
    let on_source = |square| object(Place { board: m.from.board, square });
    let board = position.board(m.from.board);
    let rook = board
        .filter(|_| m.kind == types::MoveKind::Physical)
        .and_then(|board| board.castling_rook(m.from.square, m.to.square));
    let victim = is_en_passant(position, m)
        .then(|| on_source(state::Board::en_passant_victim(m.from.square, m.to.square)));
    Move {
        start: object(m.from),
        end: object(m.to),
        player: position.to_move(),
        promotion: m.promotion,
        en_passant: victim,
        castling: rook.map(|(from, to)| Castling { start: on_source(from), end: on_source(to) }),
    }
}

/// A game as JSON.
///
/// # Errors
///
/// When the game has timelines `-0` and `+0`, which are no numbers.
pub fn write_game(game: &Game) -> Result<Written, Unwritable> {
    let start = &game.start;
    let named = Named::of(start);
    let mut losses = game.losses_of_headers();
    losses.extend(game.loss_of_result());
    losses.extend(rules(game).map(|name| Loss::new(format!("the rules in force: {name}"))));
    if start.profile().promotions != usual_promotions(start) {
        losses.push(Loss::new(format!("what pawns may become: {}", start.profile().promotions)));
    }
    let unwritable = || Unwritable::new("the timelines -0 and +0 have no numbers there");
    let board = Board::of(&Game::new(start.clone(), Vec::new())).ok_or_else(unwritable)?;
    let mut text = String::new();
    if named != Some(Named::Standard) {
        text.push_str("{\"variant\":");
        match named {
            Some(named) => write_string(&mut text, named.tag()),
            None => board.encode(&mut text),
        }
        text.push_str(",\"actions\":");
    }
    text.push('[');
    let offset = turn_offset(start);
    let mut position = start.clone();
    let mut number = 1;
    for (index, action) in game.actions.iter().enumerate() {
        let player = position.to_move();
        let mut moves = Vec::with_capacity(action.moves().len());
        for m in action.moves() {
            moves.push(move_object(&position, m, offset));
            position.push(m);
        }
        position.submit_unchecked();
        text.push_str(if index == 0 { "" } else { "," });
        text.push_str(&Action { action: number, player, moves }.write());
        number += u32::from(player == Color::Black);
    }
    text.push(']');
    text.push_str(if named == Some(Named::Standard) { "\n" } else { "}\n" });
    Ok(Written::new(text, losses))
}
