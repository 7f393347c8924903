//! The `point` of a mate: a few sentences about why its solution works, derived from its study. Begin at [`point`].

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::line::{Line, LineGoal, MOST_REPLIES};
use super::merit::Merit;
use super::step::{Role, Step, castles, checker, gives, landing, mover, played};
use super::study::{Continuation, Study};
use super::words::{capital, joined, listed, number};
use crate::notation::is_en_passant;
use crate::notation::pgn5d::action_text;
use crate::rules::{Check, Count};
use crate::search::{Analysis, Defence, Failing, Prover, Threat, after_null_action};
use crate::state::Position;
use crate::types::{Action, Color, Coordinate, Move, MoveKind, Piece, PieceKind, Square};

/// The most ways to mate that are told.
const MOST_WAYS: usize = 4;
/// The most defences that are named together.
const MOST_DEFENCES: usize = 3;
/// The most replies whose tries are named.
const MOST_TRIES: usize = 3;
/// The most tries that are named for one reply.
const MOST_NAMES: usize = 3;

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
        let mate = Mate::of(position, study.key());
        let (deed, because) = (mate.deed.trim_end_matches(','), mate.because(position));
        let alone = tries_sentence(position, merit).unwrap_or_else(|| {
            let Count { count, capped } = study.first_actions;
            let more = if capped { "at least " } else { "" };
            format!("This is the only mate among {more}{count} legal actions.")
        });
        return format!("{attacker}'s {deed}{because}. {alone}");
    }
    let threat = Analysis::new(prover, position, study.mate_in).threat(study.key()).ok();
    let threatened = threatened_mate(position, study, threat.as_ref());
    let told = [
        Some(key_sentence(position, study, themes, threat.as_ref(), threatened.as_deref())),
        answers_sentence(position, study, threatened.as_deref()),
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
            format!("{player}'s {}", last_deed_of(at, action))
        });
    });
    let begins = match line.goal {
        LineGoal::Helpmate => format!("Both players help to mate {solver}: "),
        LineGoal::Selfmate if line.replies == 1 => format!("{opponent} has no choice: "),
        LineGoal::Selfmate => {
            let least = if line.replies == MOST_REPLIES { "at least " } else { "" };
            format!("Each of {least}{} replies ends in mate. The longest line: ", number(line.replies))
        }
    };
    format!("{begins}{}.", deeds.join("; "))
}

/// The mate in 2 that the key threatens, as it is told after a defence that does not stop it.
fn threatened_mate(position: &Position, study: &Study, threat: Option<&Threat>) -> Option<String> {
    let Some(Threat::Mates(classes)) = threat.filter(|_| study.mate_in == 2 && !study.checks(position))
    else {
        return None;
    };
    let passed = after_null_action(&played(position, study.key()))?;
    Some(Mate::of(&passed, classes[0].key()).told(position))
}

/// The key, what it threatens, and what the defender is left with.
fn key_sentence(
    position: &Position,
    study: &Study,
    themes: &[&str],
    threat: Option<&Threat>,
    threatened: Option<&str>,
) -> String {
    let (attacker, defender) = (position.to_move().name(), (!position.to_move()).name());
    let replies = match study.variations.len() {
        1 => format!("{defender} has one reply"),
        several => format!("{defender} has {} replies", number(several)),
    };
    let deed = deed_of(position, study.key());
    let (key, comma) = match (study.offered(position), study.key().moves()) {
        (Some(kind), [m]) if target(position, m).is_none() => {
            (format!("{attacker} offers a {kind} on {}", m.to.square), "")
        }
        (Some(_), [_]) => (format!("{attacker}'s {deed}, a sacrifice"), ","),
        (Some(kind), _) => (format!("{attacker} offers a {kind}"), ""),
        (None, _) => (format!("{attacker}'s {deed}"), ""),
    };
    if study.checks(position) {
        return format!("{key}{comma} with check; {replies}.");
    }
    match threat {
        Some(Threat::Zugzwang) if themes.contains(&"block") => {
            let each = each_reply(study.variations.len(), "has its answer", "have their answers");
            format!("{key}. It only waits: {each} already, and {defender} must play.")
        }
        Some(Threat::Zugzwang) => {
            let each = each_reply(study.variations.len(), "lets", "let");
            format!("{key}. It threatens nothing, but {defender} must play, and {each} {attacker} mate.")
        }
        Some(Threat::Mates(_)) => match threatened {
            Some(mate) => format!("{key}. The threat is that {mate}."),
            None => format!("{key} and threatens mate; {replies}."),
        },
        Some(Threat::Nothing) | None => format!("{key}; {replies}."),
    }
}

/// Every reply and its verb: `each of the three replies lets`.
fn each_reply(count: usize, verb: &str, plural: &str) -> String {
    match count {
        1 => format!("the only reply {verb}"),
        2 => format!("both replies {plural}"),
        several => format!("each of the {} replies {verb}", number(several)),
    }
}

/// The answers to the first defences, the most frequent first, each with the defences that it answers, and the mates with their
/// reasons. The mate of more than half of the lines of a longer mate is told once, at the end.
fn answers_sentence(position: &Position, study: &Study, threatened: Option<&str>) -> Option<String> {
    let after = played(position, study.key());
    let in_two = study.mate_in == 2;
    let lines = Ends::of(&after, &study.variations);
    let usual = lines.usual().filter(|_| !in_two);
    let mut ways: BTreeMap<String, Vec<&Continuation>> = BTreeMap::new();
    for one in study.variations.iter().filter(|one| in_two || one.variation.mates_in > 1) {
        let defended = played(&after, &one.variation.defence);
        let answer = one.variation.answers[0].key();
        let told = if in_two {
            Mate::of(&defended, answer).told(position)
        } else {
            let ends = Ends::of(&after, std::slice::from_ref(one));
            let deed = deed_of(&defended, answer);
            let end = ends.told(position, usual, &deed, one.variation.mates_in);
            format!("{}{end}", by(position.to_move(), &deed))
        };
        ways.entry(told).or_default().push(one);
    }
    let landed = landings(position, study.key());
    let mut told = Vec::new();
    if let Some(mate) = threatened {
        let useless = ways.remove(mate).unwrap_or_default();
        told.push(useless_replies(&after, &useless, &landed, &study.variations));
    }
    let has_others = in_two && ways.len() == 1;
    let mut ways: Vec<(String, Vec<&Continuation>)> = ways.into_iter().collect();
    ways.sort_by_key(|(_, answered)| Reverse(answered.len()));
    told.extend(ways.iter().take(MOST_WAYS).map(|(told, answered)| {
        let replies = match defences(&after, answered, &landed, &study.variations) {
            Replies::All => format!("whatever {} plays,", after.to_move().name()),
            Replies::Named(names) => format!("after {names}"),
            Replies::Many(_) if has_others => "after the others".to_owned(),
            Replies::Many(many) => format!("after {} of them", number(many)),
        };
        format!("{} {told}.", capital(&replies))
    }));
    if in_two && ways.len() > MOST_WAYS {
        told.push("The others have mates of their own.".to_owned());
    }
    if let Some(mate) = usual {
        let how = match (lines.count, lines.mates[mate] == lines.count) {
            (1, _) => "At last",
            (_, true) => "In every line",
            (_, false) => "In most lines",
        };
        told.push(format!("{how} {}.", mate.told(position)));
    }
    (!told.is_empty()).then(|| told.join(" "))
}

/// The mates at the ends of lines.
struct Ends {
    /// Each mate with the number of lines that it ends.
    mates: BTreeMap<Mate, usize>,
    /// The number of lines.
    count: usize,
}

impl Ends {
    fn of(position: &Position, variations: &[Continuation]) -> Ends {
        let mut ends = Ends { mates: BTreeMap::new(), count: 0 };
        ends.read(position, variations);
        ends
    }

    fn read(&mut self, position: &Position, variations: &[Continuation]) {
        for one in variations {
            let defended = played(position, &one.variation.defence);
            let answer = one.variation.answers[0].key();
            if one.then.is_empty() {
                *self.mates.entry(Mate::of(&defended, answer)).or_insert(0) += 1;
                self.count += 1;
            } else {
                self.read(&played(&defended, answer), &one.then);
            }
        }
    }

    /// The mate of more than half of the lines.
    fn usual(&self) -> Option<&Mate> {
        self.mates.iter().find(|(_, count)| 2 * **count > self.count).map(|(mate, _)| mate)
    }

    /// The end of lines that begin with an answer and mate in `n` with it, unless it is the usual one.
    fn told(&self, position: &Position, usual: Option<&Mate>, answer: &str, n: u32) -> String {
        let mut mates = self.mates.keys();
        match (mates.next(), mates.next()) {
            (mate, None) if mate == usual => String::new(),
            (Some(mate), None) if n == 2 && mate.deed != answer => format!("; then {}", mate.told(position)),
            _ if n == 2 => " and mates next".to_owned(),
            _ => format!(" and mates in {} more", number(n as usize - 1)),
        }
    }
}

/// Whether a try fails because a piece on the board where it ends takes it. Nobody would play it.
fn loses_its_piece(position: &Position, one: &Failing) -> bool {
    let Defence::Action(reply) = &one.best else { return false };
    let landed = landings(position, &one.action);
    reply.moves().iter().any(|m| m.kind == MoveKind::Physical && landed.contains(&m.to))
}

/// The tries that one reply alone refutes and that are worth a thought, by the reply: `Nc3 and Nc5 fail only to Kd4`.
fn tries_sentence(position: &Position, merit: &Merit) -> Option<String> {
    let mut by_reply: Vec<(String, Vec<String>)> = Vec::new();
    for one in merit.near_tries.iter().filter(|one| !loses_its_piece(position, one)) {
        let reply = match &one.best {
            Defence::Stalemate => "stalemate".to_owned(),
            Defence::Action(reply) => {
                noun(&played(position, &one.action), reply, &landings(position, &one.action))
            }
        };
        let what = noun(position, &one.action, &[]);
        match by_reply.iter_mut().find(|(known, _)| *known == reply) {
            Some((_, tries)) => tries.push(what),
            None => by_reply.push((reply, vec![what])),
        }
    }
    let count: usize = by_reply.iter().map(|(_, tries)| tries.len()).sum();
    let told: Vec<String> = by_reply
        .iter()
        .take(MOST_TRIES)
        .enumerate()
        .map(|(index, (reply, tries))| {
            let verb = match (index, tries.len()) {
                (0, 1) => "fails ",
                (0, _) => "fail ",
                _ => "",
            };
            format!("{} {verb}only to {reply}", some(tries))
        })
        .collect();
    match (count, by_reply.len() - told.len()) {
        (0, _) => None,
        (1, _) => Some(format!("One try is near: {}.", told[0])),
        (_, 0) => Some(capital(&format!("{}.", told.join(", and ")))),
        (_, 1) => Some(capital(&format!("{}, and others to one more reply.", told.join(", ")))),
        (_, more) => {
            Some(capital(&format!("{}, and others to {} more replies.", told.join(", "), number(more))))
        }
    }
}

/// The first of some names, and the number of the others.
fn some(names: &[String]) -> String {
    match names.len().checked_sub(MOST_NAMES) {
        None | Some(0) => listed(names),
        Some(1) => format!("{} and one more try", names[..MOST_NAMES].join(", ")),
        Some(more) => format!("{} and {} more tries", names[..MOST_NAMES].join(", "), number(more)),
    }
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
        let (what, then) = (noun(&passed, defence, &[]), last_deed_of(&played(&passed, defence), answer));
        let then = by(position.to_move(), &then);
        return Some(format!("Without the key, {what} has another answer: {then}."));
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
    /// The attacked king, where it is not plain.
    king: Option<King>,
    /// The piece that gives check although it does not move, if no other gives check.
    discovered: Option<String>,
}

/// A king that is attacked elsewhere than on the last board of the timeline on which a piece moves.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum King {
    /// On the board of some turns before: its square, `that square` if a piece goes to it, and their number.
    Earlier(String, u16),
    /// On the board that the attacker has just left: its square, and the timeline of the attack.
    Left(String, AttackFrom),
    /// On the last board of another timeline.
    Beside,
}

/// The timeline from which a king is attacked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AttackFrom {
    Same,
    Other,
    New,
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
        let goes_to = checking.map(|m| m.to.square);
        let past = own.iter().filter_map(|check| king_of_the_past(position, &after, check, goes_to)).max();
        let is_beside = told.is_some_and(|m| {
            let timeline = landing(position, m).board.timeline;
            !own.is_empty() && own.iter().all(|check| check.to.board.timeline != timeline)
        });
        let discovered = own.first().filter(|_| checking.is_none()).and_then(|check| {
            let kind = checker(&after, check)?.kind;
            Some(format!("the {kind} on {}", check.from.square))
        });
        let deed = match told {
            Some(m) => with_other_moves(deed(position, m), moves.len()),
            None => "player passes".to_owned(),
        };
        let king = past.or(is_beside.then_some(King::Beside));
        Mate { deed, king, discovered }
    }

    /// The mate as a part of a sentence.
    fn told(&self, position: &Position) -> String {
        format!("{}{}", by(position.to_move(), &self.deed_and_mate()), self.because(position))
    }

    /// The same without its article and its reason.
    fn deed_and_mate(&self) -> String {
        format!("{} and mates", self.deed.replacen(" and takes", ", takes", 1))
    }

    /// The king that is attacked, where that is not plain, after a colon. `position` says who attacks.
    fn because(&self, position: &Position) -> String {
        let owner = (!position.to_move()).name();
        let who = self.discovered.as_deref().unwrap_or("it");
        let Some(king) = &self.king else {
            return self.discovered.as_ref().map_or_else(String::new, |who| format!(": {who} gives check"));
        };
        let whom = match king {
            King::Earlier(square, 1) => format!("{square}, where {owner}'s king stood a turn before"),
            King::Earlier(square, turns) => {
                format!("{square}, where {owner}'s king stood {} turns before", number((*turns).into()))
            }
            King::Left(square, AttackFrom::Same) => format!("the king on {square} through time"),
            King::Left(square, AttackFrom::Other) => format!("the king on {square} from another timeline"),
            King::Left(square, AttackFrom::New) => format!("the king on {square} from the new timeline"),
            King::Beside => "the king of another timeline".to_owned(),
        };
        format!(": {who} attacks {whom}")
    }
}

/// The king that a check attacks on a board of the past. `None` if it is no king, or on a board that the attacker has still to leave.
/// `goes_to` is the square to which the checking piece goes.
fn king_of_the_past(
    before: &Position,
    after: &Position,
    check: &Check,
    goes_to: Option<Square>,
) -> Option<King> {
    let to = check.to;
    let last = after.multiverse().last(to.board.timeline)?.0;
    let is_king = after.board(to.board)?.get(to.square)?.kind == PieceKind::King;
    let half_turns = last.0 - to.board.half_turn.0;
    if !is_king || half_turns <= 0 {
        return None;
    }
    let from = check.from.board.timeline;
    let from = match before.multiverse().last(from) {
        _ if from == to.board.timeline => AttackFrom::Same,
        Some(_) => AttackFrom::Other,
        None => AttackFrom::New,
    };
    let square = to.square.to_string();
    Some(match u16::try_from(half_turns / 2) {
        Ok(turns @ 1..) if goes_to == Some(to.square) => King::Earlier("that square".to_owned(), turns),
        Ok(turns @ 1..) => King::Earlier(square, turns),
        _ => King::Left(square, from),
    })
}

/// The number of replies, and those that leave the threat as it is.
fn useless_replies(
    position: &Position,
    useless: &[&Continuation],
    landed: &[Coordinate],
    all: &[Continuation],
) -> String {
    let defender = position.to_move().name();
    let named = names(position, useless, landed, all);
    let all = all.len();
    let verb = if useless.len() == 1 { "does" } else { "do" };
    match (useless.len(), all) {
        (0, 1) => format!("{defender} has one reply."),
        (0, all) => format!("{defender} has {} replies.", number(all)),
        (1, 1) => format!("{defender}'s only reply does not stop it."),
        (few, all) if few == all => format!("None of {defender}'s {} replies stops it.", number(all)),
        (_, all) if named.len() <= MOST_DEFENCES => {
            let named = listed(&named);
            format!("Of {defender}'s {} replies, {named} {verb} not stop it.", number(all))
        }
        (few, all) => {
            let few = capital(&number(few));
            format!("{few} of {defender}'s {} replies do not stop it.", number(all))
        }
    }
}

/// The names of some defences, each once; in full where a name fits another defence too.
fn names(
    position: &Position,
    answered: &[&Continuation],
    landed: &[Coordinate],
    all: &[Continuation],
) -> Vec<String> {
    let name = |one: &Continuation| noun(position, &one.variation.defence, landed);
    let named: BTreeSet<String> = answered.iter().map(|one| name(one)).collect();
    let mut others = all.iter().filter(|one| !answered.iter().any(|answered| std::ptr::eq(*answered, *one)));
    if others.any(|other| named.contains(&name(other))) {
        return answered.iter().map(|one| action_text(position, &one.variation.defence)).collect();
    }
    without_repeats(named)
}

/// Some defences, as they are told together.
enum Replies {
    /// Every reply of several.
    All,
    /// Few enough to be named: `Kb4 or Kb5`.
    Named(String),
    /// Too many to be named: their number.
    Many(usize),
}

/// Some defences to the key after which the position is.
fn defences(
    position: &Position,
    answered: &[&Continuation],
    landed: &[Coordinate],
    all: &[Continuation],
) -> Replies {
    let named = names(position, answered, landed, all);
    match (answered.len(), named) {
        (many, _) if many == all.len() && many > 1 => Replies::All,
        (_, named) if named.len() <= MOST_DEFENCES => Replies::Named(joined(&named, "or")),
        (many, _) => Replies::Many(many),
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

/// A deed with its subject: `the rook goes to b3`, and of kings, which both players have, `White's king goes to b3`.
fn by(player: Color, deed: &str) -> String {
    let whose = if deed.starts_with("king ") { format!("{}'s", player.name()) } else { "the".to_owned() };
    format!("{whose} {deed}")
}

/// The same with nothing of the sentence after it.
fn last_deed_of(position: &Position, action: &Action) -> String {
    deed_of(position, action).trim_end_matches(',').to_owned()
}

/// A deed with a word about moves on other boards.
fn with_other_moves(deed: String, moves: usize) -> String {
    match moves.saturating_sub(1) {
        0 => deed,
        1 => format!("{deed}, with a move on another board,"),
        others => format!("{deed}, with moves on {} other boards,", number(others)),
    }
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
    use crate::search::{Budget, Variation};

    #[test]
    fn moves_on_other_boards_are_counted() {
        let told = |moves| with_other_moves("king goes to a2".to_owned(), moves);
        assert_eq!(told(1), "king goes to a2");
        assert_eq!(told(2), "king goes to a2, with a move on another board,");
        assert_eq!(told(3), "king goes to a2, with moves on two other boards,");
    }

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
            "White's king goes to c4. The threat is that the knight goes back a turn to c4 and mates: it attacks the king on \
             e4 from the new timeline. Of Black's three replies, a2 does not stop it. After Ke3 the knight goes to c3 and mates: it attacks the king on e3 through time. After Ke5 the knight goes to \
             c5 and mates: it attacks the king on e5 through time. Nc3 and Nc5 fail only to Kd4."
        );
        assert_eq!(
            said("[Board \"custom\"]\n[Rw3/N4/k1K2/5/5:0:1:w]\n1. (0T1)Ra5xb5 / (0T1)Ka3xa4", 2),
            "White's rook goes to b3. It threatens nothing, but Black must play, and each of the three replies lets White mate. After \
             the king's flight back to a4 or b5 the rook goes back two turns to b3 and mates. After Ka5 the rook goes to a3 and mates: \
             it attacks that square, where Black's king stood two turns before. One try is near: the rook's journey back to b5 fails \
             only to Ka2."
        );
    }

    #[test]
    fn a_name_that_fits_another_reply_is_given_in_full() {
        // Either knight may go to c3, and only one of them from b1.
        let position = fen5d::parse("[2k2/5/5/5/KN1N1:0:1:w]").into_result().unwrap();
        let all: Vec<Continuation> = ["Nb1c3", "Nd1c3", "Nd1b2"]
            .into_iter()
            .map(|text| {
                let defence = pgn5d::parse_action(&position, text).unwrap();
                let variation = Variation { defence, mates_in: 1, answers: Vec::new() };
                Continuation { variation, then: Vec::new() }
            })
            .collect();
        let named = |which: &[usize]| {
            let answered: Vec<&Continuation> = which.iter().map(|index| &all[*index]).collect();
            names(&position, &answered, &[], &all)
        };
        assert_eq!(named(&[2]), ["Nb2"]);
        assert_eq!(named(&[0]), ["(0T1)Nb1c3"]);
        assert_eq!(named(&[0, 1]), ["Nc3"]);
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
            "Both players help to mate White: White's king takes the bishop on a4; Black's king goes to c4; White's king goes back a turn \
             to a3; Black's bishop goes to b5 and mates: it attacks the king on a5 through time."
        );
        assert_eq!(
            told("[3d/4/1KBk/4:0:1:w]", LineGoal::Selfmate),
            "Black has no choice: White's bishop goes to b3; Black's king goes to d3; White's bishop goes back a turn to c3; Black's dragon \
             hops to another timeline, takes the bishop on c3 and mates: it attacks b2, where White's king stood a turn before."
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
