//! The merit of a mate, helpmate or selfmate: a score that ranks puzzles as an editor would, a measure of difficulty, and a signature of the idea.
//! `spec/merit.md` explains each part and says how far the score agrees with the marks of an editor. Begin at [`Merit::of`].

use std::collections::BTreeSet;

use super::Solution;
use super::line::Line;
use super::step::{captured, manner, played};
use super::study::{Continuation, Study};
use crate::notation::pgn5d::action_text;
use crate::search::{Analysis, Cut, Defence, Failing, Listed, Prover};
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, PieceKind};

/// The merit of a mate, helpmate or selfmate.
#[derive(Clone, PartialEq, Debug)]
pub struct Merit {
    /// The parts of the score, each in points, in the order of `spec/merit.md`. Parts of no points are left out.
    pub parts: Vec<Part>,
    /// The difficulty: the logarithm, to base 2, of about as many first actions and defences as a solver has to look at.
    pub difficulty: f64,
    /// The tries that one reply alone refutes.
    pub near_tries: Vec<Failing>,
    /// The idea in short: N, the piece of the key and its manner, and the pieces that mate with theirs, such as `2 K quiet: N N>>`. Puzzles of
    /// one signature tell one idea.
    pub signature: String,
}

/// A part of the score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Its points.
    pub points: f64,
}

/// The most tries that are compared.
const MOST_TRIES: usize = 60;
/// The most actions that are counted at one turn of a line.
const MOST_CHOICES: u64 = 1_000;
/// The most checks that are looked at.
const MOST_CHECKS: usize = 100;

impl Merit {
    /// The merit of the mate of a study. What the budget leaves open of tries and set play counts as absent.
    ///
    /// ```
    /// use worldlines::compose::{Merit, Study};
    /// use worldlines::notation::fen5d;
    /// use worldlines::search::{Budget, Prover};
    ///
    /// let position = fen5d::parse("[5/NK2k/p4/5/5:0:1:w]").into_result()?;
    /// let mut prover = Prover::new(Budget::default());
    /// let study = Study::of(&position, 2, &mut prover).expect("the budget suffices").expect("there is a mate in 2");
    /// let merit = Merit::of(&study, &position, &mut prover);
    /// assert_eq!(merit.signature, "2 K quiet: N N>>");
    /// assert!(merit.score() > 0.0);
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    pub fn of(study: &Study, position: &Position, prover: &mut Prover<'_>) -> Merit {
        let key = Key::of(study, position);
        let tries = Analysis::new(prover, position, study.mate_in).tries(MOST_TRIES);
        let mut parts = Parts(Vec::new());
        parts.add("key", key.points(study.mate_in));
        let play = Play::of(study, position);
        if study.mate_in > 1 {
            let is_block = study.is_zugzwang(position, prover) == Some(true);
            parts.add("zugzwang", if is_block && !is_set(study, position, prover) { 0.5 } else { 0.0 });
            parts.add("length", 0.7 * f64::from(study.mate_in - 2));
            parts.add("mates", (play.mates.len().saturating_sub(1)).min(3) as f64);
            // A longer mate promises more, and its faults weigh more.
            let n = f64::from(study.mate_in);
            parts.add("short", -n * share(&study.variations, study.mate_in - 1, &is_short));
            parts.add("duals", -0.75 * n * share(&study.variations, study.mate_in - 1, &is_dual));
            parts.add(
                "travel",
                0.7 * f64::from(u8::from(play.answer_travels) + u8::from(play.defence_travels)),
            );
            parts.add("manners", 0.4 * play.manners().min(2) as f64);
        }
        // In a mate in one the tries are refuted by whatever is legal, and set-ups of games are large without fault.
        let weight = if study.mate_in == 1 { 0.5 } else { 1.0 };
        parts.add("tries", weight * points_of_tries(&tries));
        let choice = study.first_actions.count.max(1) as f64 / 8.0;
        parts.add("choice", (0.5 * choice.log2()).clamp(-1.0, 1.0));
        parts.add_set(position, weight);
        Merit {
            parts: parts.0,
            difficulty: difficulty(study, &key, &tries),
            near_tries: near(&tries).cloned().collect(),
            signature: signature(study, position, &key, &play),
        }
    }

    /// The merit of this solution.
    pub fn of_solution(solution: &Solution, position: &Position, prover: &mut Prover<'_>) -> Merit {
        match solution {
            Solution::Mate(study) => Merit::of(study, position, prover),
            Solution::Line(line) => Merit::of_line(line, position),
        }
    }

    /// The merit of a helpmate or a selfmate. Nobody marked any, so the points are a proposal; see `spec/merit.md`.
    pub fn of_line(line: &Line, position: &Position) -> Merit {
        let mut parts = Parts(Vec::new());
        let manners = line.manners(position);
        let different: BTreeSet<&String> = manners.iter().flatten().collect();
        let travels = |first: usize| line.actions.iter().skip(first).step_by(2).any(Action::travels);
        let promotions = line.actions.iter().flat_map(Action::moves).filter_map(|m| m.promotion);
        let promoted = promotions.map(|kind| if kind == PieceKind::Queen { 1.0 } else { 2.0 });
        parts.add("length", 0.7 * f64::from(line.mate_in) - 1.4);
        parts.add("travel", when(travels(0), 0.7) + when(travels(1), 0.7));
        parts.add("manners", 0.4 * (different.len() as f64 - 2.0).clamp(0.0, 4.0));
        let mate_travels = line.actions.last().is_some_and(Action::travels);
        parts.add("mate", when(mate_travels, 0.7));
        parts.add("promotion", promoted.sum::<f64>().min(3.0));
        parts.add("switchback", when(line.has_switchback(position), 1.0));
        parts.add("captures", -0.7 * line.captures(position).min(3) as f64);
        parts.add("replies", 0.5 * line.replies.saturating_sub(1).min(4) as f64);
        parts.add_set(position, 1.0);
        let signature: Vec<String> = manners.iter().map(|action| action.join("+")).collect();
        Merit {
            parts: parts.0,
            difficulty: difficulty_of_line(line, position),
            near_tries: Vec::new(),
            signature: format!("{}{} {}", &line.goal.name()[..1], line.mate_in, signature.join(" ")),
        }
    }

    /// The [signature](Merit::signature) of a mate alone. It takes no search.
    pub fn signature_of(study: &Study, position: &Position) -> String {
        signature(study, position, &Key::of(study, position), &Play::of(study, position))
    }

    /// The sum of the parts, rounded to tenths of a point. Of two puzzles the one with more is the better, as far as a formula can say.
    pub fn score(&self) -> f64 {
        f64::from(self.tenths()) / 10.0
    }

    /// The score in tenths of a point.
    pub fn tenths(&self) -> i32 {
        let sum: f64 = self.parts.iter().map(|part| part.points).sum();
        (sum * 10.0).round() as i32
    }

    /// The field `difficulty` of a puzzle file, from 1 to 5: about a fifth of the shipped mates has each.
    pub fn grade(&self) -> u32 {
        1 + GRADES.into_iter().filter(|least| self.difficulty >= *least).count() as u32
    }
}

/// The parts of a score; those of no points are left out.
struct Parts(Vec<Part>);

impl Parts {
    fn add(&mut self, name: &'static str, points: f64) {
        if points != 0.0 {
            self.0.push(Part { name, points });
        }
    }

    /// Adds the parts of the set-up.
    fn add_set(&mut self, position: &Position, weight: f64) {
        let Set { pieces, history } = Set::of(position);
        self.add("pieces", -weight * (0.25 * (pieces as f64 - 5.0)).clamp(0.0, 2.0));
        self.add("history", -weight * (0.05 * history as f64).min(1.0));
    }
}

fn when(is: bool, points: f64) -> f64 {
    if is { points } else { 0.0 }
}

/// The difficulties from which a puzzle has grade 2, 3, 4 and 5.
const GRADES: [f64; 4] = [3.0, 4.2, 5.0, 6.0];

/// The features of the key.
struct Key {
    checks: bool,
    captures: bool,
    promotes: bool,
    /// Whether a defence captures a piece that the key moves, which is worth more than what the key captured.
    offers: bool,
    travels: bool,
    /// Whether every check of it goes to another board.
    reaches: bool,
}

impl Key {
    fn of(study: &Study, position: &Position) -> Key {
        let action = study.key();
        let (checks, _) = played(position, action).first_checks(MOST_CHECKS);
        Key {
            checks: !checks.is_empty(),
            reaches: !checks.is_empty() && checks.iter().all(|check| check.from.board != check.to.board),
            captures: !captured(position, action).is_empty(),
            promotes: action.moves().iter().any(|m| m.promotion.is_some()),
            offers: study.offered(position).is_some(),
            travels: action.travels(),
        }
    }

    /// A key that the solver would not look at first has merit. In a mate in one, only travelling has: of the key, or of its check.
    fn points(&self, mate_in: u32) -> f64 {
        if mate_in == 1 {
            let travelling = if self.travels { 3.5 } else { when(self.reaches, 1.5) - 1.5 };
            return travelling + when(self.captures, -1.0) + when(self.promotes, -1.0);
        }
        let offered = if self.offers { 2.0 } else { when(self.checks, -1.5) };
        let captures = when(self.captures, if self.offers { -1.0 } else { -2.0 });
        offered + captures + when(self.promotes, -2.5) + when(self.travels, 1.5)
    }
}

/// The features of what follows the key, at every turn.
#[derive(Default)]
struct Play {
    /// The actions that mate, as they are written: a capture is another mate than a move to the same square.
    mates: BTreeSet<String>,
    answer_travels: bool,
    defence_travels: bool,
    /// The pieces that mate, with their ways.
    mating: BTreeSet<String>,
}

impl Play {
    fn of(study: &Study, position: &Position) -> Play {
        let mut play = Play::default();
        play.follow(&mut played(position, study.key()), &study.variations);
        play
    }

    /// The number of ways in which pieces that mate travel.
    fn manners(&self) -> usize {
        self.mating.iter().filter(|way| way.contains('>')).count()
    }

    fn follow(&mut self, position: &mut Position, variations: &[Continuation]) {
        for Continuation { variation, then } in variations {
            let answer = variation.answers[0].key();
            self.defence_travels |= variation.defence.travels();
            self.answer_travels |= answer.travels();
            let mut defended = played(position, &variation.defence);
            if variation.mates_in == 1 {
                self.mates.insert(action_text(&defended, answer));
                self.mating.extend(answer.moves().iter().map(|m| manner(&defended, m)));
            } else {
                defended.play(answer).expect("an answer is legal");
                self.follow(&mut defended, then);
            }
        }
    }
}

/// Whether a mate comes sooner than the defender could have had it.
fn is_short(one: &Continuation, left: u32) -> bool {
    one.variation.mates_in < left
}

/// Whether a defence has answers of several classes.
fn is_dual(one: &Continuation, _left: u32) -> bool {
    one.variation.answers.len() > 1
}

/// The share of defences with a fault, from 0 to 1. Of a defence without it, what follows counts.
fn share(variations: &[Continuation], left: u32, is_faulty: &impl Fn(&Continuation, u32) -> bool) -> f64 {
    if variations.is_empty() {
        return 0.0;
    }
    let of = |one: &Continuation| match is_faulty(one, left) {
        true => 1.0,
        false => share(&one.then, one.variation.mates_in - 1, is_faulty),
    };
    variations.iter().map(of).sum::<f64>() / variations.len() as f64
}

/// Whether the solver has an answer to every defence before the key, and it stays the same after it.
fn is_set(study: &Study, position: &Position, prover: &mut Prover<'_>) -> bool {
    study.set_play(position, prover).is_some_and(|set| set.meets_all && set.changed(study).is_none())
}

/// The tries that one reply alone refutes.
fn near(tries: &Listed<Failing>) -> impl Iterator<Item = &Failing> {
    tries.items.iter().filter(|one| one.refutations == Some(1))
}

/// Tries that one reply alone refutes have merit, most if the replies differ, and a stalemate among them.
fn points_of_tries(tries: &Listed<Failing>) -> f64 {
    let replies: BTreeSet<&Action> = near(tries)
        .filter_map(|one| match &one.best {
            Defence::Action(reply) => Some(reply),
            Defence::Stalemate => None,
        })
        .collect();
    let stalemates = tries.items.iter().any(|one| one.best == Defence::Stalemate);
    0.4 * near(tries).count().min(4) as f64
        + 0.3 * replies.len().min(3) as f64
        + if stalemates { 0.7 } else { 0.0 }
}

/// The size of a set-up.
struct Set {
    /// The pieces on the last boards.
    pieces: usize,
    /// The other boards.
    history: usize,
}

impl Set {
    fn of(position: &Position) -> Set {
        let multiverse = position.multiverse();
        let last =
            |at: BoardCoordinate| multiverse.span(at.timeline).is_some_and(|(_, end)| end == at.half_turn);
        let (mut pieces, mut history) = (0, 0);
        for (at, board) in multiverse.boards() {
            if last(at) {
                pieces += board.pieces().count();
            } else {
                history += 1;
            }
        }
        Set { pieces, history }
    }
}

/// The difficulty: see [`Merit::difficulty`]. A solver looks at checks, captures and promotions first.
fn difficulty(study: &Study, key: &Key, tries: &Listed<Failing>) -> f64 {
    let more = match tries.cut {
        Some(Cut::More(more)) => more,
        _ => 0,
    };
    let plausible = (tries.items.len() as u64 + more) as f64;
    let others = (study.first_actions.count as f64 - plausible).max(0.0);
    let is_loud = key.checks || key.captures || key.promotes;
    let seen = if is_loud { plausible / 2.0 } else { plausible + others / 2.0 };
    let defences = study.variations.len() as f64;
    let difficulty = (1.0 + seen).log2() + f64::from(study.mate_in - 1) * (1.0 + defences).log2();
    (difficulty * 10.0).round() / 10.0
}

/// The difficulty of a line: a third of the sum of the logarithms of all choices, since most of them are seen to be idle.
fn difficulty_of_line(line: &Line, position: &Position) -> f64 {
    let mut sum = 0.0;
    line.visit(position, |step| {
        sum += (step.position.count_legal_actions(MOST_CHOICES).count.max(1) as f64).log2();
    });
    (sum / 3.0 * 10.0).round() / 10.0
}

fn signature(study: &Study, position: &Position, key: &Key, play: &Play) -> String {
    let moves = study.key().moves().iter().map(|m| manner(position, m));
    let mut words: Vec<String> = vec![study.mate_in.to_string(), moves.collect::<Vec<_>>().join("+")];
    let loud = if key.checks { "check" } else { "quiet" };
    let manners =
        [(true, loud), (key.captures, "capture"), (key.offers, "offer"), (key.promotes, "promotion")];
    words.extend(
        manners.into_iter().filter(|(is, _)| *is && study.mate_in > 1).map(|(_, word)| word.to_owned()),
    );
    let mates: Vec<&str> = play.mating.iter().map(String::as_str).collect();
    let colon = if mates.is_empty() { "" } else { ": " };
    format!("{}{colon}{}", words.join(" "), mates.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Goal, load};
    use crate::search::Budget;

    /// The merit of a shipped mate.
    fn merit(file: &str) -> Merit {
        let path = format!("{}/puzzles/{file}.yaml", env!("CARGO_MANIFEST_DIR"));
        merit_in(&std::fs::read_to_string(&path).unwrap())
    }

    /// The merit of the mate in two from this start. Its solution is not read.
    fn merit_from(start: &str) -> Merit {
        merit_in(&format!(
            "schema: worldlines/puzzle-1\nid: x\ntitle: X\nsource: {{ from: a test }}\nstart: {{ size: 5x5, {start} }}\n\
             goal: {{ mate-in: 2 }}\nsolutions:\n  - [\"(0T1)Ka1a2\"]\n"
        ))
    }

    /// The merit of the mate in a puzzle file.
    fn merit_in(text: &str) -> Merit {
        let document = load("x.yaml", text.as_bytes()).swap_remove(0);
        let start = document.game().unwrap().end();
        let Goal::MateIn(n) = &document.puzzle.as_ref().unwrap().goal.value else {
            panic!("{} is a mate", document.id)
        };
        let mut prover = Prover::new(Budget::default());
        let study = Study::of(&start, n.value, &mut prover).unwrap().unwrap();
        Merit::of(&study, &start, &mut prover)
    }

    #[test]
    fn the_better_puzzle_has_the_higher_score() {
        // An editor gave the first of each pair 4 or 5 of 5, and the second 0 or 1.
        let only_promotes = merit_from("fen: [\"[5/3k1/K4/3p1/1D3:0:1:b]\"]");
        let only_checks = merit_from("fen: [\"[4p/1k2p/4K/4w/5:0:1:w]\"], moves: \"1. (0T1)Ke3xe4\"");
        for (better, worse) in [
            ("promotion/four-answers", only_promotes),
            ("two-actions/unicorn-in-2-bf07", only_checks),
            ("branch/knight-beside-itself", merit("from-games/queen-unicorn-in-1-8398")),
        ] {
            let (better, worse) = (merit(better).score(), worse.score());
            assert!(better > worse + 1.5, "{better} {worse}");
        }
    }

    #[test]
    fn a_signature_names_the_idea() {
        for (file, signature) in [
            ("two-actions/princess-in-2-de78", "2 S check offer: K>> S"),
            ("two-actions/princess-in-2-c0c4", "2 S check offer: K>> S"),
            ("branch/knight-beside-itself", "1 N>>"),
        ] {
            assert_eq!(merit(file).signature, signature, "{file}");
        }
        let parts = merit("promotion/four-answers").parts;
        let mates = parts.iter().find(|part| part.name == "mates").unwrap();
        assert_eq!(mates.points, 3.0, "four different mates");
    }
}
