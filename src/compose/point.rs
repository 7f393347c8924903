//! The `point` of a mate: a few sentences about why its solution works, derived from its study. Begin at [`point`].

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::line::{Line, LineGoal, MOST_REPLIES};
use super::merit::Merit;
use super::step::{Role, Step, castles, checker, gives, landing, mover, played};
use super::study::{Continuation, Study};
use super::words::{capital, joined, listed, number};
use crate::notation::is_en_passant;
use crate::rules::{Check, Count};
use crate::search::{Analysis, Defence, Prover, Threat, after_null_action};
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Coordinate, Move, MoveKind, Piece, PieceKind};

/// The most ways to mate that are told.
const MOST_WAYS: usize = 4;
/// The most defences that are named together.
const MOST_DEFENCES: usize = 3;
/// The most tries that are named.
const MOST_TRIES: usize = 3;

/// The `point` of a mate. `themes` are those of the solution.
pub fn point(
    position: &Position,
    study: &Study,
    merit: &Merit,
    themes: &[&str],
    prover: &mut Prover<'_>,
) -> String {
    let attacker = position.to_move().name();
    if study.mate_in == 1 {
        let Count { count, capped } = study.first_actions;
        let more = if capped { "at least " } else { "" };
        let mate = Mate::of(position, study.key());
        let deed = &mate.deed;
        return format!(
            "{attacker}'s {deed}{}. This is the only mate among {more}{count} legal actions.",
            mate.because(position)
        );
    }
    let told = [
        key_sentence(position, study, themes, prover),
        answers_sentence(position, study),
        last_actions(position, study),
        tries_sentence(position, merit),
        extra_sentence(position, study, themes, prover),
    ];
    told.into_iter().flatten().collect::<Vec<String>>().join(" ")
}

/// The `point` of a position in which only one action avoids mate.
pub fn point_of_defence(position: &Position, mate_in: u32, action: &Action, losing: u64) -> String {
    let (defender, attacker) = (position.to_move().name(), (!position.to_move()).name());
    let losing = usize::try_from(losing).unwrap_or(usize::MAX);
    let how = match mate_in {
        1 => "at once".to_owned(),
        n => format!("in {} or sooner", number(n as usize)),
    };
    let (many, deed) = (number(losing), deed_of(position, action));
    format!("{attacker} mates {how} after {many} of {defender}'s actions. One alone avoids it: the {deed}.")
}

/// The `point` of a helpmate or a selfmate: its line in words.
pub fn point_of_line(position: &Position, line: &Line) -> String {
    let (solver, opponent) = (position.to_move().name(), (!position.to_move()).name());
    let mut deeds = Vec::new();
    line.visit(position, |Step { position: at, action, role, .. }| {
        let player = at.to_move().name();
        deeds.push(if role == Role::Mate {
            let mate = Mate::of(at, action);
            format!("{player}'s {}{}", mate.deed_and_mate(), mate.because(at))
        } else {
            format!("{player}'s {}", deed_of(at, action).trim_end_matches(','))
        });
    });
    let begins = match line.goal {
        LineGoal::Helpmate => format!("Both play for the mate of {solver}: "),
        LineGoal::Selfmate if line.replies == 1 => format!("{opponent} has no choice: "),
        LineGoal::Selfmate => {
            let least = if line.replies == MOST_REPLIES { "at least " } else { "" };
            format!("Each of {least}{} replies ends in mate. The longest line: ", number(line.replies))
        }
    };
    format!("{begins}{}.", deeds.join("; "))
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
        (Some(kind), [m]) => format!("{attacker} offers a {kind} on {}", m.to.square),
        (Some(kind), _) => format!("{attacker} offers a {kind}"),
        (None, _) => format!("{attacker}'s {}", deed_of(position, study.key())),
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
            let threat = Mate::of(&passed, classes[0].key());
            format!("{key}. The threat is that the {}; {losing}.", threat.deed_and_mate())
        }
        Some(Threat::Mates(_)) => format!("{key} and threatens mate; {losing}."),
        Some(Threat::Nothing) | None => format!("{key}; {losing}."),
    })
}

/// The answers to the first defences, the most frequent first, each with the defences that it answers: of a mate in two the mates with
/// their reasons, of a longer one the actions that go on.
fn answers_sentence(position: &Position, study: &Study) -> Option<String> {
    let after = played(position, study.key());
    let mates = study.mate_in == 2;
    let mut ways: BTreeMap<String, Vec<&Continuation>> = BTreeMap::new();
    for one in study.variations.iter().filter(|one| mates || one.variation.mates_in > 1) {
        let defended = played(&after, &one.variation.defence);
        let answer = one.variation.answers[0].key();
        let told = if mates {
            Mate::of(&defended, answer).told(position)
        } else {
            format!("the {}", deed_of(&defended, answer))
        };
        ways.entry(told).or_default().push(one);
    }
    let mut ways: Vec<(String, Vec<&Continuation>)> = ways.into_iter().collect();
    ways.sort_by_key(|(_, answered)| Reverse(answered.len()));
    let landed = landings(position, study.key());
    let told = ways.iter().take(MOST_WAYS).map(|(told, answered)| {
        format!("{} {told}.", capital(&defences(&after, answered, &landed, study.variations.len())))
    });
    let mut told: Vec<String> = told.collect();
    if mates && ways.len() > MOST_WAYS {
        told.push("The others have mates of their own.".to_owned());
    }
    (!told.is_empty()).then(|| told.join(" "))
}

/// The most frequent last action of a longer mate, if it is one of many.
fn last_actions(position: &Position, study: &Study) -> Option<String> {
    if study.mate_in == 2 {
        return None;
    }
    let mut mates: BTreeMap<Mate, usize> = BTreeMap::new();
    study.visit(position, &mut |step| {
        if step.role == Role::Mate {
            *mates.entry(Mate::of(step.position, step.action)).or_insert(0) += 1;
        }
    });
    let total: usize = mates.values().sum();
    let (mate, count) = mates.iter().max_by_key(|(_, count)| **count)?;
    let told = mate.told(position);
    match (total, *count) {
        (1, _) => Some(format!("At last {told}.")),
        (total, count) if count == total => Some(format!("In every line {told}.")),
        (total, count) if 3 * count >= total => {
            Some(format!("In {} of {} lines {told}.", number(count), number(total)))
        }
        _ => None,
    }
}

/// The tries that one reply alone refutes.
fn tries_sentence(position: &Position, merit: &Merit) -> Option<String> {
    let tries: Vec<(String, Option<String>)> = merit
        .near_tries
        .iter()
        .map(|one| {
            let reply = match &one.best {
                Defence::Stalemate => None,
                Defence::Action(reply) => {
                    let after = played(position, &one.action);
                    Some(noun(&after, reply, &landings(position, &one.action)))
                }
            };
            (noun(position, &one.action, &[]), reply)
        })
        .collect();
    let ((first, reply), others) = tries.split_first()?;
    let fails = |(what, reply): &(String, Option<String>), fails: &str| match reply {
        Some(reply) => format!("{what} {fails}only to {reply}"),
        None => format!("{what} stalemates"),
    };
    let named = &tries[..tries.len().min(MOST_TRIES)];
    let many = capital(&number(tries.len()));
    Some(match reply {
        Some(reply) if others.is_empty() => format!("One try is near: {first} fails only to {reply}."),
        None if others.is_empty() => format!("One try is near: {first} stalemates."),
        Some(only) if others.iter().all(|(_, reply)| reply.as_ref() == Some(only)) => {
            let named: Vec<String> = named.iter().map(|(what, _)| what.clone()).collect();
            if tries.len() == named.len() {
                capital(&format!("{} fail only to {only}.", listed(&named)))
            } else {
                format!("{many} tries, such as {}, fail only to {only}.", listed(&named))
            }
        }
        _ if tries.len() == named.len() => {
            let told = named.iter().enumerate();
            let told: Vec<String> =
                told.map(|(index, one)| fails(one, if index == 0 { "fails " } else { "" })).collect();
            capital(&format!("{}.", listed(&told)))
        }
        _ => {
            let told: Vec<String> = named.iter().map(|one| fails(one, "")).collect();
            format!("{many} tries fail to one reply each: {}, and so on.", told.join(", "))
        }
    })
}

/// A feature of the whole play that is worth a word.
fn extra_sentence(
    position: &Position,
    study: &Study,
    themes: &[&str],
    prover: &mut Prover<'_>,
) -> Option<String> {
    if study.mate_in == 2
        && themes.contains(&"changed-mate")
        && let Some(set) = study.set_play(position, prover)
        && let Some((defence, answer)) = set.changed(study)
        && let Some(passed) = after_null_action(position)
    {
        let (what, then) = (noun(&passed, defence, &[]), deed_of(&played(&passed, defence), answer));
        return Some(format!("Before the key {what} had another answer: the {then}."));
    }
    let sentences = [
        ("switchback", "A piece returns to the square that it left."),
        ("echo", "The same mate stands on two timelines."),
        ("must-leave-a-board", "A board that may be played has to be left alone."),
    ];
    sentences.into_iter().find(|(theme, _)| themes.contains(theme)).map(|(_, sentence)| sentence.to_owned())
}

/// A mating action in words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Mate {
    /// The piece and its move, to follow `the`.
    deed: String,
    /// The square of a king that is attacked on an earlier board, and how many turns before.
    past: Option<(String, u16)>,
    /// The piece that gives check although it does not move, if no other gives check.
    discovered: Option<String>,
    /// Whether only kings of other timelines than that of the move are attacked.
    beside: bool,
}

impl Mate {
    fn of(position: &Position, action: &Action) -> Mate {
        let after = played(position, action);
        let checks = after.checks();
        let moves = action.moves();
        let checking = moves.iter().find(|m| checks.iter().any(|check| gives(position, m, check)));
        let told = checking.or_else(|| travelling(action)).or(moves.first());
        let own: Vec<&Check> =
            checks.iter().filter(|check| checking.is_none_or(|m| gives(position, m, check))).collect();
        let past = own.iter().find_map(|check| {
            let turns = turns_before(&after, check.to.board);
            let is_king = after.board(check.to.board)?.get(check.to.square)?.kind == PieceKind::King;
            (turns > 0 && is_king).then(|| (check.to.square.to_string(), turns))
        });
        let beside = told.is_some_and(|m| {
            let timeline = landing(position, m).board.timeline;
            past.is_none() && !own.is_empty() && own.iter().all(|check| check.to.board.timeline != timeline)
        });
        let discovered = own.first().filter(|_| checking.is_none()).and_then(|check| {
            let kind = checker(&after, check)?.kind;
            Some(format!("the {kind} on {}", check.from.square))
        });
        let deed = match told {
            Some(m) => with_other_moves(deed(position, m), moves.len()),
            None => "player passes".to_owned(),
        };
        Mate { deed, past, discovered, beside }
    }

    /// The mate as a part of a sentence.
    fn told(&self, position: &Position) -> String {
        format!("the {}{}", self.deed_and_mate(), self.because(position))
    }

    /// The same without its article and its reason.
    fn deed_and_mate(&self) -> String {
        format!("{} and mates", self.deed.replacen(" and takes", ", takes", 1))
    }

    /// The king that is attacked, where that is not plain, after a colon. `position` says who attacks.
    fn because(&self, position: &Position) -> String {
        let king = format!("{}'s king", (!position.to_move()).name());
        let who = self.discovered.as_deref().unwrap_or("it");
        match (&self.past, &self.discovered) {
            (Some((square, 1)), _) => format!(": {who} attacks {square}, where {king} stood a turn before"),
            (Some((square, turns)), _) => {
                let turns = number(usize::from(*turns));
                format!(": {who} attacks {square}, where {king} stood {turns} turns before")
            }
            (None, _) if self.beside => format!(": {who} attacks the king of another timeline"),
            (None, Some(who)) => format!(": {who} gives check"),
            (None, None) => String::new(),
        }
    }
}

/// The number of turns from a board to the one that would be the player's next on its timeline if the opponent passed.
fn turns_before(position: &Position, board: BoardCoordinate) -> u16 {
    let last = position.multiverse().last(board.timeline).map(|(last, _)| last.0);
    let now = last.map_or(board.half_turn.0, |last| last + (last - board.half_turn.0).rem_euclid(2));
    u16::try_from((now - board.half_turn.0) / 2).unwrap_or(0)
}

/// The defences of some continuations, to begin a sentence: `after Kb4 or Kb5`.
fn defences(position: &Position, answered: &[&Continuation], landed: &[Coordinate], all: usize) -> String {
    let named: BTreeSet<String> =
        answered.iter().map(|one| noun(position, &one.variation.defence, landed)).collect();
    let named = without_repeats(named);
    match answered.len() {
        many if many == all && many > 1 => format!("whatever {} plays,", position.to_move().name()),
        _ if named.len() <= MOST_DEFENCES => format!("after {}", joined(&named, "or")),
        many => format!("after {} of them", number(many)),
    }
}

/// Nouns in which what is as before is left out: `the king's flight back to a4`, `b5`.
fn without_repeats(named: BTreeSet<String>) -> Vec<String> {
    let mut before = String::new();
    let shortened = named.into_iter().map(|name| {
        let same = name.rfind(" to ").map(|end| end + " to ".len());
        let is_repeated = same.is_some_and(|end| before.get(..end) == name.get(..end));
        let told = same.filter(|_| is_repeated).map_or_else(|| name.clone(), |end| name[end..].to_owned());
        before = name;
        told
    });
    shortened.collect()
}

/// The squares on which an action puts its pieces.
fn landings(position: &Position, action: &Action) -> Vec<Coordinate> {
    action.moves().iter().map(|m| landing(position, m)).collect()
}

/// An action as a noun: `Kb4`, `the capture`, `the king's flight back to c3`. `landed` are the squares on which the action before it put
/// its pieces.
fn noun(position: &Position, action: &Action, landed: &[Coordinate]) -> String {
    let moves = action.moves();
    let Some(m) = travelling(action) else {
        let moves = on_boards(moves.iter().map(|m| short(position, m)));
        return if moves.is_empty() { "a pass".to_owned() } else { moves.join(" with ") };
    };
    if landed.contains(&m.to) {
        return "the capture".to_owned();
    }
    let Some(Piece { kind, .. }) = mover(position, m) else { return "a move".to_owned() };
    let square = m.to.square;
    match (m.kind, turns_back(m), kind.is_royal()) {
        (MoveKind::Hop, ..) => format!("the {kind}'s hop to {square}"),
        (_, 1.., true) => format!("the {kind}'s flight back to {square}"),
        (_, 1.., false) => format!("the {kind}'s journey back to {square}"),
        _ => format!("the {kind}'s journey to a new timeline"),
    }
}

/// A move on its board in short notation: `Kxb4`.
fn short(position: &Position, m: &Move) -> String {
    let Some(Piece { kind, .. }) = mover(position, m) else { return m.to.square.to_string() };
    let takes = target(position, m).is_some();
    let from = m.from.square.to_string();
    let piece = match kind {
        PieceKind::Pawn if takes => from[..1].to_owned(),
        PieceKind::Pawn => String::new(),
        kind => kind.letter().to_string(),
    };
    let capture = if takes { "x" } else { "" };
    let promotion = m.promotion.map_or_else(String::new, |kind| format!("={}", kind.letter()));
    format!("{piece}{capture}{}{promotion}", m.to.square)
}

/// The piece that a move captures, on the square where it ends or beside it.
fn target(position: &Position, m: &Move) -> Option<Piece> {
    let color = mover(position, m)?.color;
    let board = position.board(m.to.board)?;
    let there = board.get(m.to.square).filter(|piece| piece.color != color);
    there.or_else(|| is_en_passant(position, m).then(|| Piece { kind: PieceKind::Pawn, color: !color }))
}

/// The first move that leads to another board.
fn travelling(action: &Action) -> Option<&Move> {
    action.moves().iter().find(|m| m.kind != MoveKind::Physical)
}

/// The turns by which a move goes back.
fn turns_back(m: &Move) -> u16 {
    u16::try_from((m.from.board.half_turn.0 - m.to.board.half_turn.0) / 2).unwrap_or(0)
}

/// An action in words, to follow the name of its player: `knight goes back a turn to b3`.
fn deed_of(position: &Position, action: &Action) -> String {
    let moves = action.moves();
    match (travelling(action), moves) {
        (Some(m), _) => with_other_moves(deed(position, m), moves.len()),
        (None, []) => "player passes".to_owned(),
        (None, moves) => on_boards(moves.iter().map(|m| deed(position, m))).join(", the "),
    }
}

/// Texts of moves, in which what happens on several boards is said once.
fn on_boards(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for text in texts {
        match counted.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => counted.push((text, 1)),
        }
    }
    let told = counted.into_iter().map(|(text, count)| match count {
        1 => text,
        count => format!("{text} on {} boards", number(count)),
    });
    told.collect()
}

/// A deed with a word about moves on other boards.
fn with_other_moves(deed: String, moves: usize) -> String {
    if moves > 1 { format!("{deed}, with a move on another board,") } else { deed }
}

/// The piece of a move and what it does: `knight takes the pawn on b3`.
fn deed(position: &Position, m: &Move) -> String {
    let Some(Piece { kind, .. }) = mover(position, m) else { return "piece moves".to_owned() };
    let square = m.to.square;
    let taken = target(position, m).map(|piece| piece.kind);
    let takes = taken.map(|taken| format!("and takes the {taken} on {square}"));
    let there = |word: &str| takes.clone().unwrap_or_else(|| format!("{word} {square}"));
    match (m.kind, turns_back(m)) {
        (MoveKind::Physical, _) => match (m.promotion, taken) {
            (Some(promoted), None) => format!("{kind} becomes a {promoted} on {square}"),
            (Some(promoted), Some(taken)) => {
                format!("{kind} takes the {taken} on {square} and becomes a {promoted}")
            }
            (None, Some(_)) if is_en_passant(position, m) => format!("{kind} takes en passant on {square}"),
            (None, Some(taken)) => format!("{kind} takes the {taken} on {square}"),
            (None, None) if castles(position, m) => format!("{kind} castles to {square}"),
            (None, None) => format!("{kind} goes to {square}"),
        },
        (MoveKind::Hop, _) => format!("{kind} hops to another timeline {}", there("on")),
        (MoveKind::Branch, 0) => format!("{kind} goes to a new timeline {}", there("on")),
        (MoveKind::Branch, 1) => format!("{kind} goes back a turn {}", there("to")),
        (MoveKind::Branch, turns) => {
            format!("{kind} goes back {} turns {}", number(turns.into()), there("to"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::themes;
    use crate::notation::{fen5d, pgn5d};
    use crate::search::Budget;

    /// The point of a mate in `n` after these actions.
    fn said(start: &str, n: u32) -> String {
        let position = pgn5d::parse(start).into_result().unwrap().end();
        let mut prover = Prover::new(Budget::default());
        let study = Study::of(&position, n, &mut prover).unwrap().unwrap();
        let merit = Merit::of(&study, &position, &mut prover);
        let themes = themes(&position, &study, &mut prover);
        point(&position, &study, &merit, &themes, &mut prover)
    }

    #[test]
    fn a_mate_is_told_with_its_reasons() {
        assert_eq!(
            said("[Board \"custom\"]\n[5/NK2k/p4/5/5:0:1:w]", 2),
            "White's king goes to c4. The threat is that the knight goes back a turn to c4 and mates; each of Black's three actions \
             loses. After a2 the knight goes back a turn to c4 and mates: it attacks e4, where Black's king stood a turn before. After \
             Ke3 the knight goes to c3 and mates: it attacks e3, where Black's king stood a turn before. After Ke5 the knight goes to \
             c5 and mates: it attacks e5, where Black's king stood a turn before. Nc3 and Nc5 fail only to Kd4."
        );
        assert_eq!(
            said("[Board \"custom\"]\n[Rw3/N4/k1K2/5/5:0:1:w]\n1. (0T1)Ra5xb5 / (0T1)Ka3xa4", 2),
            "White's rook goes to b3. It threatens nothing, but each of Black's three actions loses. After the king's flight back to a4 \
             or b5 the rook goes back two turns to b3 and mates. After Ka5 the rook goes to a3 and mates: it \
             attacks a3, where Black's king stood three turns before. One try is near: the rook's journey back to b5 fails only to Ka2."
        );
    }

    #[test]
    fn a_line_is_told_to_its_mate() {
        let told = |boards: &str, goal: LineGoal| {
            let position = fen5d::parse(boards).into_result().unwrap();
            let mut prover = Prover::new(Budget::default());
            point_of_line(&position, &Line::of(&position, goal, 2, &mut prover).unwrap().unwrap())
        };
        assert_eq!(
            told("[K2k1/bU3/5/5/1Q3:0:1:w]", LineGoal::Helpmate),
            "Both play for the mate of White: White's king takes the bishop on a4; Black's king goes to c4; White's king goes back a turn \
             to a3; Black's bishop goes to b5 and mates: it attacks a5, where White's king stood a turn before."
        );
        assert_eq!(
            told("[3d/4/1KBk/4:0:1:w]", LineGoal::Selfmate),
            "Black has no choice: White's bishop goes to b3; Black's king goes to d3; White's bishop goes back a turn to c3; Black's dragon \
             hops to another timeline, takes the bishop on c3 and mates: it attacks b2, where White's king stood two turns before."
        );
        let several = told("[1k3/2b2/2d2/3K1/5:0:1:b]", LineGoal::Selfmate);
        assert!(
            several.starts_with(
                "Each of five replies ends in mate. The longest line: Black's king goes to b4; "
            ),
            "{several}"
        );
    }

    #[test]
    fn an_only_defence_is_named() {
        let position = fen5d::parse("[k4/5/1K3/5/4R:0:1:b]").into_result().unwrap();
        let action = position.legal_actions().within(9).next().unwrap();
        assert_eq!(
            point_of_defence(&position, 2, &action, 3),
            "White mates in two or sooner after three of Black's actions. One alone avoids it: the king goes to b5."
        );
    }
}
