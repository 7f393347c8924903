//! The themes of a mate: words of `puzzles/themes.toml`, derived from its study. Begin at [`themes`].

use std::collections::{BTreeMap, BTreeSet};

use super::line::{Line, LineGoal};
use super::step::{Role, Step, castles, checker, gives, goes_back, mover, played};
use super::study::{Continuation, Study};
use crate::notation::is_en_passant;
use crate::rules::Check;
use crate::search::Prover;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Move, MoveKind, Parity, PieceKind, Timeline};

/// The most pieces on each board of an endgame.
const ENDGAME: usize = 5;

/// The most actions among which those are looked for that play a board that the key leaves alone.
const COMPARED: u64 = 20_000;

/// The themes that the solution of a mate shows, sorted. What the budget leaves open of threats and set play counts as absent.
pub fn themes(position: &Position, study: &Study, prover: &mut Prover<'_>) -> Vec<&'static str> {
    let mut themes = BTreeSet::new();
    study.visit(position, &mut |step| match step.role {
        Role::Mate => of_mate(step, &mut themes),
        Role::Attack => of_action(step, &mut themes),
        Role::Defence => {}
    });
    of_key(position, study, &mut themes);
    of_play(position, study, &mut themes);
    of_threats(position, study, prover, &mut themes);
    of_position(position, &mut themes);
    themes.into_iter().collect()
}

/// The themes of a helpmate or a selfmate, sorted.
pub(super) fn of_line(position: &Position, line: &Line) -> Vec<&'static str> {
    let mut themes = BTreeSet::new();
    line.visit(position, |step| {
        match step.role {
            Role::Mate => of_mate(step, &mut themes),
            _ => of_action(step, &mut themes),
        }
        let is_key = step.left as usize == line.actions.len();
        if is_key && line.goal == LineGoal::Selfmate && !played(step.position, step.action).is_in_check() {
            themes.insert("quiet");
        }
    });
    if line.has_switchback(position) {
        themes.insert("switchback");
    }
    of_position(position, &mut themes);
    themes.into_iter().collect()
}

/// Adds the themes of a mating action.
fn of_mate(step: Step<'_>, themes: &mut BTreeSet<&'static str>) {
    of_action(step, themes);
    let after = played(step.position, step.action);
    let checks = after.checks();
    let moved = |check: &Check| step.action.moves().iter().any(|m| gives(step.position, m, check));
    for check in &checks {
        if let Some(kind) = attacker(&after, check) {
            themes.insert(kind);
        }
        let last = after.multiverse().last(check.to.board.timeline);
        if last.is_some_and(|(last, _)| check.to.board.half_turn < last) {
            themes.insert("royal-of-the-past");
        }
        if check.to.board.half_turn < check.from.board.half_turn {
            themes.insert("check-through-time");
        }
    }
    if !checks.is_empty() && !checks.iter().any(moved) {
        themes.insert("discovered-check");
    }
    let attackers: BTreeSet<_> = checks.iter().map(|check| check.from).collect();
    if attackers.len() > 1 {
        themes.insert("double-check");
    }
    for m in step.action.moves() {
        match m.kind {
            MoveKind::Branch => themes.insert("branch-mate"),
            MoveKind::Hop => themes.insert("hop"),
            MoveKind::Physical => false,
        };
    }
}

/// The word for the piece that gives this check.
fn attacker(position: &Position, check: &Check) -> Option<&'static str> {
    Some(match checker(position, check)?.kind {
        PieceKind::Brawn => PieceKind::Pawn.name(),
        PieceKind::RoyalQueen => "royal-queen",
        PieceKind::CommonKing => "common-king",
        kind => kind.name(),
    })
}

/// Adds the themes of any action of the attacker.
fn of_action(step: Step<'_>, themes: &mut BTreeSet<&'static str>) {
    let position = step.position;
    for m in step.action.moves() {
        match m.promotion {
            Some(PieceKind::Queen) => {
                themes.insert("promotion");
            }
            Some(_) => {
                themes.insert("promotion");
                themes.insert("underpromotion");
            }
            None => {}
        }
        if castles(position, m) {
            themes.insert("castling");
        }
        if is_en_passant(position, m) {
            themes.insert("en-passant");
        }
    }
}

/// Adds the themes of the first action.
fn of_key(position: &Position, study: &Study, themes: &mut BTreeSet<&'static str>) {
    if study.is_quiet(position) {
        themes.insert("quiet");
    }
    if study.offered(position).is_some() {
        themes.insert("sacrifice");
    }
    if study.keys.iter().all(|class| class.keys().iter().all(Action::travels)) {
        themes.insert("time-travel-only");
    }
    let mandatory: Vec<BoardCoordinate> = position.mandatory_boards().collect();
    let plays_optional = |m: &Move| !mandatory.contains(&m.from.board);
    if study.key().moves().iter().any(plays_optional) {
        themes.insert("optional-board");
    }
    if leaves_a_board(position, study) {
        themes.insert("must-leave-a-board");
    }
    let after = played(position, study.key());
    let (before, now) = (position.multiverse().active(), after.multiverse().active());
    let old = position.multiverse().range();
    if old.iter().any(|timeline| now.contains(timeline) && !before.contains(timeline)) {
        themes.insert("reactivation");
    }
    if after.present() < position.present() {
        themes.insert("present-shift");
    }
}

/// Adds the themes that compare the key and the mates with the threats before and after the key.
fn of_threats(
    position: &Position,
    study: &Study,
    prover: &mut Prover<'_>,
    themes: &mut BTreeSet<&'static str>,
) {
    let is_zugzwang = study.is_zugzwang(position, prover) == Some(true);
    if is_zugzwang {
        themes.insert("zugzwang");
    }
    let Some(set) = study.set_play(position, prover) else { return };
    if set.changed(study).is_some() {
        themes.insert("changed-mate");
    }
    if is_zugzwang && set.meets_all {
        themes.insert("block");
    }
}

/// Adds the themes of lines of the solution and of mates beside each other.
fn of_play(position: &Position, study: &Study, themes: &mut BTreeSet<&'static str>) {
    let mut mates: BTreeMap<_, BTreeSet<Timeline>> = BTreeMap::new();
    study.visit(position, &mut |step| match (step.role, step.action.moves()) {
        (Role::Defence, moves) if moves.iter().any(|m| escapes(step.position, m)) => {
            themes.insert("escape-into-the-past");
        }
        (Role::Mate, [m]) => {
            let kind = mover(step.position, m).map(|piece| piece.kind);
            let turns = m.to.board.half_turn.0 - m.from.board.half_turn.0;
            let mate = (kind, m.to.square, m.kind, turns, m.promotion);
            mates.entry(mate).or_default().insert(m.from.board.timeline);
        }
        _ => {}
    });
    if mates.values().any(|timelines| timelines.len() > 1) {
        themes.insert("echo");
    }
    if study.variations.iter().any(|one| returns(position, study.key(), one)) {
        themes.insert("switchback");
    }
}

/// Whether a royal piece goes back in time.
fn escapes(position: &Position, m: &Move) -> bool {
    mover(position, m).is_some_and(|piece| piece.kind.is_royal())
        && m.kind == MoveKind::Branch
        && m.to.board.half_turn < m.from.board.half_turn
}

/// Whether a piece that `action` moved goes on to the square from which it came, on whatever board, in the answer to a defence or later.
fn returns(position: &Position, action: &Action, one: &Continuation) -> bool {
    let answer = one.variation.answers[0].key();
    let is_back = |first: &Move| answer.moves().iter().any(|then| goes_back(position, first, then));
    if action.moves().iter().any(is_back) {
        return true;
    }
    let defended = played(&played(position, action), &one.variation.defence);
    one.then.iter().any(|next| returns(&defended, answer, next))
}

/// Whether the player to move may play a board that the key leaves alone.
fn leaves_a_board(position: &Position, study: &Study) -> bool {
    let plays_on = |action: &Action, at| action.moves().iter().any(|m| m.from.board == at);
    let left: Vec<BoardCoordinate> =
        position.playable_boards().filter(|at| !plays_on(study.key(), *at)).collect();
    let plays_more =
        |action: Action| left.iter().any(|at| plays_on(&action, *at)) && action.contains(study.key());
    !left.is_empty() && study.is_unique() && position.legal_actions().within(COMPARED).any(plays_more)
}

/// Adds the themes of the position itself.
pub(super) fn of_position(position: &Position, themes: &mut BTreeSet<&'static str>) {
    match position.mandatory_boards().count() {
        0 | 1 => {}
        2 => {
            themes.insert("two-timelines");
        }
        _ => {
            themes.insert("many-timelines");
        }
    }
    if position.parity() == Parity::Even {
        themes.insert("two-timeline-start");
    }
    if position.multiverse().boards().any(|(at, _)| at.half_turn.turn() == 0) {
        themes.insert("turn-zero");
    }
    let mut boards = position.playable_boards().filter_map(|at| position.board(at));
    if boards.all(|board| board.pieces().count() <= ENDGAME) {
        themes.insert("endgame");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;

    fn themes_of(text: &str, n: u32) -> Vec<&'static str> {
        let position = fen5d::parse(text).into_result().unwrap();
        let mut prover = Prover::new(Budget::default());
        let study = Study::of(&position, n, &mut prover).unwrap().unwrap();
        themes(&position, &study, &mut prover)
    }

    #[test]
    fn the_solution_shows_its_themes() {
        let knight = themes_of("[5/NK2k/p4/5/5:0:1:w]", 2);
        assert!(knight.starts_with(&["branch-mate"]), "{knight:?}");
        for theme in ["endgame", "knight", "quiet"] {
            assert!(knight.contains(&theme), "{knight:?}");
        }
        let pawn = themes_of("[2K/3/k1P:-0:1:w] [3/1P1/k1K:+0:1:w]", 2);
        for theme in ["promotion", "hop", "branch-mate", "two-timelines", "two-timeline-start"] {
            assert!(pawn.contains(&theme), "{pawn:?}");
        }
    }

    #[test]
    fn every_theme_is_a_word_of_the_list() {
        let words: Vec<_> = crate::puzzle::themes().collect();
        for theme in ["underpromotion", "sacrifice", "discovered-check", "double-check", "present-shift"] {
            assert!(words.iter().any(|(word, _)| *word == theme), "{theme}");
        }
    }
}
