//! Descriptions of a mate in words, derived from its study: title, id and point.

use std::collections::{BTreeMap, BTreeSet};

use super::merit::Merit;
use super::study::{Role, Study, landing, mover, played};
use crate::rules::Count;
use crate::search::{Analysis, Defence, Prover, Threat, after_null_action};
use crate::state::Position;
use crate::types::{Action, Color, Coordinate, Move, MoveKind, Piece, PieceKind, fnv1a};

/// The pieces of both sides in words, as `Two bishops against a lone king`; or only their number.
pub fn title(position: &Position) -> String {
    let attacker = position.to_move();
    let [own, other] = [attacker, !attacker].map(|color| material(position, color));
    format!("{} against {other}", capital(&own))
}

/// The pieces of a player on the playable boards, in words.
fn material(position: &Position, color: Color) -> String {
    let boards = position.playable_boards().filter_map(|at| position.board(at));
    let mut kinds: BTreeMap<std::cmp::Reverse<PieceKind>, usize> = BTreeMap::new();
    for (_, piece) in boards.flat_map(|board| board.pieces().collect::<Vec<(_, Piece)>>()) {
        if piece.color == color && piece.kind != PieceKind::King {
            *kinds.entry(std::cmp::Reverse(piece.kind)).or_insert(0) += 1;
        }
    }
    let count: usize = kinds.values().sum();
    if count == 0 {
        return "a lone king".to_owned();
    }
    if kinds.len() > 3 || count > 6 {
        return format!("{} pieces", number(count));
    }
    let kinds: Vec<String> = kinds.into_iter().map(|(kind, count)| several(kind.0, count)).collect();
    listed(&kinds)
}

fn several(kind: PieceKind, count: usize) -> String {
    match count {
        1 => format!("a {kind}"),
        _ => format!("{} {kind}s", number(count)).replace("princesss", "princesses"),
    }
}

/// Small numbers as words.
fn number(count: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// `a`, `a and b`, `a, b and c`.
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// An id for the position: the pieces of the player to move, the task, and 16 bits of a hash that tell most
/// positions apart.
pub fn id(position: &Position, asked: &str) -> String {
    let boards = position.multiverse().boards();
    let bytes = boards.flat_map(|(at, board)| format!("{at}{}", board.rows()).into_bytes());
    let hash = fnv1a(bytes);
    let attacker = position.to_move();
    let mut kinds: Vec<PieceKind> = position
        .playable_boards()
        .filter_map(|at| position.board(at))
        .flat_map(|board| board.pieces().map(|(_, piece)| piece).collect::<Vec<Piece>>())
        .filter(|piece| piece.color == attacker && piece.kind != PieceKind::King)
        .map(|piece| piece.kind)
        .collect();
    kinds.sort();
    kinds.dedup();
    let names: Vec<String> = match kinds.len() {
        0 => vec!["kings".to_owned()],
        1..=2 => kinds.iter().rev().map(|kind| kind.name().replace(' ', "-")).collect(),
        _ => vec!["many".to_owned()],
    };
    // Of ten thousand finds with one of these names, no two have the same number in 99 of 100 collections.
    format!("{}-{asked}-{:08x}", names.join("-"), hash & 0xffff_ffff)
}

/// The `point` of a mate: a few sentences about why its solution works. `themes` are those of the solution.
pub fn point(
    position: &Position,
    study: &Study,
    merit: &Merit,
    themes: &[&str],
    prover: &mut Prover<'_>,
) -> String {
    if study.mate_in == 1 {
        let (attacker, Count { count, capped }) = (position.to_move().name(), study.first_actions);
        let more = if capped { "at least " } else { "" };
        let what = phrase_of(position, study.key());
        return format!("{attacker}'s {what}: the only mate among {more}{count} legal actions.");
    }
    let told = [
        key_sentence(position, study, themes, prover),
        mates_sentence(position, study),
        try_sentence(position, merit),
        extra_sentence(themes),
    ];
    told.into_iter().flatten().collect::<Vec<String>>().join(" ")
}

/// The key, what it threatens, and what the defender is left with.
fn key_sentence(
    position: &Position,
    study: &Study,
    themes: &[&str],
    prover: &mut Prover<'_>,
) -> Option<String> {
    let (attacker, defender) = (position.to_move().name(), (!position.to_move()).name());
    let losing = match study.variations.len() {
        1 => format!("{defender}'s only action loses"),
        2 => format!("both of {defender}'s actions lose"),
        several => format!("each of {defender}'s {} actions loses", number(several)),
    };
    let key = match (study.offered(position), study.key().moves()) {
        (Some(kind), _) => format!("{attacker} offers a {kind}"),
        (None, [m]) if !study.key().travels() && m.promotion.is_none() && study.is_quiet(position) => {
            format!("{attacker}'s {} makes a quiet move", name(position, m))
        }
        _ => format!("{attacker}'s {}", phrase_of(position, study.key())),
    };
    if study.checks(position) {
        return Some(format!("{key} with check; {losing}."));
    }
    let mut analysis = Analysis::new(prover, position, study.mate_in);
    Some(match analysis.threat(study.key()).ok() {
        Some(Threat::Zugzwang) if themes.contains(&"block") => {
            format!(
                "{key}. It only waits: each of {defender}'s actions had its answer before, and one must be played."
            )
        }
        Some(Threat::Zugzwang) => format!("{key}. It threatens nothing, but {losing}."),
        Some(Threat::Mates(classes)) if study.mate_in == 2 => {
            let passed = after_null_action(&analysis.after(std::slice::from_ref(study.key())))?;
            format!("{key} and threatens mate by {}; {losing}.", way_of(&passed, classes[0].key()))
        }
        Some(Threat::Mates(_)) => format!("{key} and threatens mate; {losing}."),
        Some(Threat::Nothing) | None => format!("{key}; {losing}."),
    })
}

/// The ways to mate, each with the defences after which it comes; only their numbers in a mate of more than two actions.
fn mates_sentence(position: &Position, study: &Study) -> Option<String> {
    let mut mates: Vec<(String, usize)> = mates(position, study).into_iter().collect();
    mates.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    if let [(how, _)] = &mates[..] {
        return Some(format!("Every mate is by {how}."));
    }
    let few = mates.iter().take(MOST_MATES);
    let rest = if mates.len() > MOST_MATES { ", among others" } else { "" };
    if study.mate_in > 2 {
        let parts: Vec<String> = few.map(|(how, count)| format!("{how} ({count})")).collect();
        let total = mates.iter().map(|(_, count)| count).sum();
        return Some(format!("Of {} mates: {}{rest}.", number(total), listed(&parts)));
    }
    let after = played(position, study.key());
    let mut defences: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in &study.variations {
        let defended = played(&after, &one.variation.defence);
        let how = way_of(&defended, one.variation.answers[0].key());
        let what = defence(&after, &one.variation.defence, &landings(position, study.key()));
        defences.entry(how).or_default().insert(what);
    }
    let parts: Vec<String> = few
        .filter_map(|(how, _)| {
            let after: Vec<String> = defences.get(how)?.iter().cloned().collect();
            let after = if after.len() > MOST_DEFENCES { "many defences".to_owned() } else { listed(&after) };
            Some(format!("by {how} after {after}"))
        })
        .collect();
    Some(format!("Mate comes {}{rest}.", parts.join("; ")))
}

/// A try that one defence alone refutes.
fn try_sentence(position: &Position, merit: &Merit) -> Option<String> {
    let near = merit.near_tries.iter().find_map(|one| match &one.best {
        Defence::Action(reply) => Some((&one.action, reply)),
        Defence::Stalemate => None,
    });
    let (action, reply) = near?;
    let attacker = position.to_move().name();
    let fails = defence(&played(position, action), reply, &landings(position, action));
    let what = phrase_of(position, action);
    Some(match merit.near_tries.len() {
        1 => format!("One try is near: if {attacker}'s {what}, only {fails} refutes it."),
        several => format!(
            "{} tries fail to a single reply each; if {attacker}'s {what}, it is {fails}.",
            capital(&number(several))
        ),
    })
}

/// A feature of the whole play that is worth a word.
fn extra_sentence(themes: &[&str]) -> Option<String> {
    let sentences = [
        ("changed-mate", "Before the first action another answer was ready."),
        ("switchback", "A piece returns to the square that it left."),
        ("echo", "The same mate stands on two timelines."),
        ("must-leave-a-board", "A board that may be played has to be left alone."),
    ];
    sentences.into_iter().find(|(theme, _)| themes.contains(theme)).map(|(_, sentence)| sentence.to_owned())
}

/// The squares on which an action puts its pieces.
fn landings(position: &Position, action: &Action) -> Vec<Coordinate> {
    action.moves().iter().map(|m| landing(position, m)).collect()
}

/// A defence as a noun: `the capture`, `a step of the king`. `landed` are the squares on which the action before it put its pieces.
fn defence(position: &Position, action: &Action, landed: &[Coordinate]) -> String {
    let moves = action.moves();
    if moves.iter().any(|m| landed.contains(&m.to)) {
        return "the capture".to_owned();
    }
    let Some(m) = travelling(action).or(moves.first()) else { return "a pass".to_owned() };
    let Some(Piece { kind, .. }) = mover(position, m) else { return "a move".to_owned() };
    let back = m.to.board.half_turn < m.from.board.half_turn;
    match (m.kind, kind.is_royal()) {
        (MoveKind::Physical, true) => format!("a step of the {kind}"),
        (MoveKind::Physical, false) => format!("a move of the {kind}"),
        (MoveKind::Hop, _) => format!("the {kind}'s hop to another timeline"),
        (MoveKind::Branch, true) if back => format!("the {kind}'s flight into the past"),
        (MoveKind::Branch, _) if back => format!("the {kind}'s journey into the past"),
        (MoveKind::Branch, _) => format!("the {kind}'s journey to another timeline"),
    }
}

fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// The `point` of a position in which only one action avoids mate.
pub fn point_of_defence(position: &Position, mate_in: u32, action: &Action, losing: u64) -> String {
    let (defender, attacker) = (position.to_move().name(), (!position.to_move()).name());
    let losing = usize::try_from(losing).unwrap_or(usize::MAX);
    let how = match mate_in {
        1 => "at once".to_owned(),
        n => format!("in {}", number(n as usize)),
    };
    let what = phrase_of(position, action);
    format!(
        "{attacker} mates {how} after {} of {defender}'s actions. One alone avoids it: the {what}.",
        number(losing)
    )
}

/// The most ways to mate that are mentioned.
const MOST_MATES: usize = 4;
/// The most kinds of defences that are named for one way to mate.
const MOST_DEFENCES: usize = 3;

/// The name of the piece of a move.
fn name(position: &Position, m: &Move) -> &'static str {
    mover(position, m).map_or("piece", |piece| piece.kind.name())
}

/// The first move that leads to another board.
fn travelling(action: &Action) -> Option<&Move> {
    action.moves().iter().find(|m| m.kind != MoveKind::Physical)
}

/// The ways in which the solution mates, each with the number of times.
fn mates(position: &Position, study: &Study) -> BTreeMap<String, usize> {
    let mut mates = BTreeMap::new();
    study.visit(position, &mut |step| {
        if step.role == Role::Mate {
            let how = way_of(step.position, step.action);
            *mates.entry(how).or_insert(0) += 1;
        }
    });
    mates
}

/// The manner of an action. Moves on other boards only pass the time, so it is about the piece that travels.
fn way_of(position: &Position, action: &Action) -> String {
    match travelling(action) {
        Some(m) => way(position, m),
        None => listed(&action.moves().iter().map(|m| way(position, m)).collect::<Vec<_>>()),
    }
}

/// The piece of a move and the manner in which it moves: `the knight back in time`.
fn way(position: &Position, m: &Move) -> String {
    let piece = name(position, m);
    match (m.kind, m.promotion) {
        (_, Some(kind)) => format!("the {piece} by becoming a {kind}"),
        (MoveKind::Physical, _) => format!("the {piece} on its board"),
        (MoveKind::Hop, _) => format!("the {piece} by a hop to another timeline"),
        (MoveKind::Branch, _) if m.to.board.half_turn == m.from.board.half_turn => {
            format!("the {piece} beside another timeline")
        }
        (MoveKind::Branch, _) => format!("the {piece} back in time"),
    }
}

/// An action in words, to follow the name of its player: `knight goes back a turn`.
fn phrase_of(position: &Position, action: &Action) -> String {
    let phrases: Vec<String> = action.moves().iter().map(|m| phrase(position, m)).collect();
    match &phrases[..] {
        [one] => one.clone(),
        several => match travelling(action) {
            Some(m) => format!("{}, with a move on another board", phrase(position, m)),
            None => listed(several),
        },
    }
}

fn phrase(position: &Position, m: &Move) -> String {
    let Some(mover) = mover(position, m) else { return "piece moves".to_owned() };
    let target = position.board(m.to.board).and_then(|board| board.get(m.to.square));
    let captured = target.filter(|piece| piece.color != mover.color);
    let captures = captured.map_or(String::new(), |piece| format!(" and captures a {}", piece.kind));
    let turns = (m.from.board.half_turn.0 - m.to.board.half_turn.0) / 2;
    match (m.kind, m.promotion, turns) {
        (MoveKind::Physical, Some(kind), _) => format!("{} becomes a {kind}", mover.kind),
        (MoveKind::Physical, ..) if captured.is_some() => {
            format!("{} captures a {}", mover.kind, captured.map_or("piece", |piece| piece.kind.name()))
        }
        (MoveKind::Physical, ..) => format!("{} moves on its board", mover.kind),
        (MoveKind::Hop, ..) => format!("{} hops to another timeline{captures}", mover.kind),
        (MoveKind::Branch, _, 0) => format!("{} begins a timeline beside another{captures}", mover.kind),
        (MoveKind::Branch, _, 1) => format!("{} goes back a turn{captures}", mover.kind),
        (MoveKind::Branch, _, turns) => {
            format!("{} goes back {} turns{captures}", mover.kind, number(turns.unsigned_abs().into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;

    #[test]
    fn a_mate_is_told_in_words() {
        let position = fen5d::parse("[5/NK2k/p4/5/5:0:1:w]").into_result().unwrap();
        let mut prover = Prover::new(Budget::default());
        let study = Study::of(&position, 2, &mut prover).unwrap().unwrap();
        assert_eq!(title(&position), "A knight against a pawn");
        let merit = Merit::of(&study, &position, &mut prover);
        assert_eq!(
            point(&position, &study, &merit, &["echo"], &mut prover),
            "White's king makes a quiet move and threatens mate by the knight back in time; each of Black's three actions loses. \
             Mate comes by the knight on its board after a step of the king; by the knight back in time after a move of the pawn. Two \
             tries fail to a single reply each; if White's knight moves on its board, it is a step of the king. The same mate stands on \
             two timelines."
        );
        assert!(id(&position, "in-2").starts_with("knight-in-2-"));
    }

    #[test]
    fn lists_and_numbers_are_english() {
        assert_eq!(several(PieceKind::Princess, 2), "two princesses");
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
        assert_eq!(number(40), "40");
    }
}
