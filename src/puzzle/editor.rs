//! The editor's review: objections to a puzzle although every claim is true. Begin at [`review`].

mod point;

use std::collections::BTreeSet;

use super::claims::is_castling;
use super::lint::{KING_CAPTURABLE, capturable_royal};
use super::load::Document;
use super::model::{Goal, Puzzle};
use super::resolve::Resolved;
use super::verify::{MOST_HELPMATES, Options, budget_of};
use crate::notation::pgn5d::{action_text, board_text, line_texts};
use crate::notation::{Span, is_en_passant};
use crate::search::{Analysis, Prover, Selfmates, Solution, Verdict};
use crate::state::{Position, Setup};
use crate::types::{Action, BoardCoordinate, Color, Undecided, counted};

/// An objection of an editor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objection {
    /// A stable name of the objection.
    pub code: &'static str,
    /// The field of the document that it concerns.
    pub span: Span,
    /// The objection in words.
    pub message: String,
}

/// The result of a review.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Review {
    /// The objections, in the order of the questions.
    pub objections: Vec<Objection>,
    /// The question at which the budget ran out. It and those after it are not answered.
    pub open: Option<(&'static str, Undecided)>,
}

/// The number of first actions below which the choice is too small.
const FEWEST: usize = 8;
/// The most duals that are named.
const NAMED: usize = 6;

/// Reviews a puzzle. The review of a puzzle that cannot be read, or asks for no action, is empty.
pub fn review(document: &Document, options: Options<'_>) -> Review {
    ask(document, options, |_| true)
}

/// The questions that are answered while a puzzle is made.
const AT_A_GLANCE: [&str; 3] = ["choice", "keys", "threat"];

/// Asks of a puzzle only what its author wants to know at once: whether there is something to choose, one solution, and something
/// to defend against. The rest of [`review`] takes longer.
pub fn glance(document: &Document, options: Options<'_>) -> Review {
    ask(document, options, |question| AT_A_GLANCE.contains(&question))
}

fn ask(document: &Document, options: Options<'_>, is_asked: impl Fn(&str) -> bool) -> Review {
    let Ok(resolved) = Resolved::of(document) else { return Review::default() };
    let puzzle = resolved.puzzle;
    let prover = Prover::new(budget_of(puzzle, options)).stopping_on(options.stop);
    let mut editor = Editor::new(&resolved, prover);
    let questions: Vec<(&'static str, Question<'_>)> = match &puzzle.goal.value {
        Goal::MateIn(_) => vec![
            ("names", Editor::names),
            ("king", Editor::king_stands),
            ("choice", Editor::choice),
            ("point", Editor::point),
            ("keys", Editor::one_key),
            ("duals", Editor::duals),
            ("history", Editor::history),
            ("pieces", Editor::pieces),
        ],
        Goal::Survive(_) | Goal::OnlyDefence(_) => {
            vec![("names", Editor::names), ("choice", Editor::choice), ("threat", Editor::nothing_loses)]
        }
        Goal::HelpmateIn(_) | Goal::SelfmateIn(_) => vec![
            ("names", Editor::names),
            ("choice", Editor::choice),
            ("history", Editor::history),
            ("pieces", Editor::pieces),
        ],
        _ => Vec::new(),
    };
    let mut open = None;
    for (name, question) in questions.into_iter().filter(|(name, _)| is_asked(name)) {
        if let Err(why) = question(&mut editor) {
            open = Some((name, why));
            break;
        }
    }
    Review { objections: editor.objections, open }
}

type Question<'a> = fn(&mut Editor<'a>) -> Result<(), Undecided>;

/// The features of a puzzle that an idle board or piece does not change.
#[derive(PartialEq, Eq)]
struct Essence {
    verdict: Verdict,
    shortest: Option<u32>,
    keys: Vec<Action>,
    answers: BTreeSet<Action>,
    has_duals: bool,
}

struct Editor<'a> {
    resolved: &'a Resolved<'a>,
    puzzle: &'a Puzzle,
    start: &'a Position,
    prover: Prover<'a>,
    objections: Vec<Objection>,
}

impl<'a> Editor<'a> {
    fn new(resolved: &'a Resolved<'a>, prover: Prover<'a>) -> Editor<'a> {
        Editor { resolved, puzzle: resolved.puzzle, start: &resolved.start, prover, objections: Vec::new() }
    }

    /// The analysis of the start.
    fn analysis(&mut self, n: u32) -> Analysis<'_, 'a> {
        Analysis::new(&mut self.prover, self.start, n)
    }

    fn object(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.objections.push(Objection { code, span, message: message.into() });
    }

    /// The field of the start.
    fn at_start(&self) -> Span {
        self.puzzle.start.span
    }

    /// Objects to a start in which the player to move can capture a royal piece at once.
    fn king_stands(&mut self) -> Result<(), Undecided> {
        if let Some(message) = capturable_royal(self.start) {
            self.object(KING_CAPTURABLE, self.at_start(), message);
        }
        Ok(())
    }

    /// The span of the first solution, or of the goal if there is none.
    fn at_solutions(&self) -> Span {
        self.puzzle.solutions.first().map_or(self.puzzle.goal.span, |line| line.span)
    }

    /// The first actions of the listed solutions.
    fn keys(&self) -> Vec<Action> {
        self.resolved.keys()
    }

    /// The listed keys of a mate that solve. One that does not is a finding of `verify`, and nothing more is said of it.
    fn solving_keys(&mut self) -> Result<Vec<Action>, Undecided> {
        let n = self.mate_in().unwrap_or_default();
        let mut keys = self.keys();
        let mut open = None;
        keys.retain(|key| {
            let line = self.analysis(n).line(key);
            open = open.or(line.as_ref().err().copied());
            line.is_ok_and(|line| line.is_some())
        });
        open.map_or(Ok(keys), Err)
    }

    /// N of a mate, helpmate or selfmate.
    fn mate_in(&self) -> Option<u32> {
        match &self.puzzle.goal.value {
            Goal::MateIn(n) | Goal::HelpmateIn(n) | Goal::SelfmateIn(n) => Some(n.value),
            _ => None,
        }
    }

    /// Objects to ids and titles that give the solution away.
    fn names(&mut self) -> Result<(), Undecided> {
        let Puzzle { id, title, .. } = self.puzzle;
        for (what, text) in [("id", id), ("title", title)] {
            let lower = text.value.to_ascii_lowercase();
            let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).collect();
            let keys = self.keys();
            let leak = keys.iter().flat_map(|key| key.moves()).find_map(|m| {
                let square = m.to.square.to_string();
                if words.contains(&&*square) {
                    return Some(format!("the square {square}, where a move of the solution ends"));
                }
                let piece = self.start.board(m.from.board)?.get(m.from.square)?.kind;
                let has = |any: &[&str]| any.iter().any(|word| lower.contains(word));
                if m.promotion.is_some() && has(&["promot", "coronation", "crown"]) {
                    return Some("the promotion with which the solution begins".to_owned());
                }
                if piece.is_royal() && is_castling(m) && has(&["castl"]) {
                    return Some("castling, with which the solution begins".to_owned());
                }
                (is_en_passant(self.start, m)
                    && has(&["in passing", "in-passing", "en passant", "en-passant"]))
                .then(|| "the capture en passant with which the solution begins".to_owned())
            });
            if let Some(leak) = leak {
                self.object("leak", text.span, format!("the {what} names {leak}"));
            }
        }
        Ok(())
    }

    /// Objects to too few first actions to choose from.
    fn choice(&mut self) -> Result<(), Undecided> {
        let mut legal = self.prover.actions(self.start);
        let mut count = 0;
        while count < FEWEST && self.prover.next_action(&mut legal)?.is_some() {
            count += 1;
        }
        if count < FEWEST {
            let actions = counted(count, "legal action");
            let message = format!("the solver has {actions} to choose from");
            self.object("few-actions", self.at_start(), message);
        }
        Ok(())
    }

    /// Objects to several keys.
    fn one_key(&mut self) -> Result<(), Undecided> {
        if self.puzzle.unique.as_ref().is_some_and(|unique| !unique.value) {
            let count = self.keys().len();
            self.object(
                "several-keys",
                self.at_solutions(),
                format!("{count} solutions of different classes are listed"),
            );
        }
        Ok(())
    }

    /// Objects to duals and short mates.
    fn duals(&mut self) -> Result<(), Undecided> {
        let Some(n) = self.mate_in().filter(|n| *n > 1) else { return Ok(()) };
        for key in self.solving_keys()? {
            let line = std::slice::from_ref(&key);
            let duals = self.analysis(n).duals(line)?;
            let listed: Vec<String> = duals
                .iter()
                .take(NAMED)
                .map(|dual| line_texts(self.start, &dual.line).0.join(" / "))
                .collect();
            if !duals.is_empty() {
                let more = if duals.len() > NAMED { ", …" } else { "" };
                let defences = counted(duals.len(), "defence");
                self.object(
                    "dual",
                    self.at_solutions(),
                    format!("{defences} with several answers: {}{more}", listed.join(", ")),
                );
            }
            let mut analysis = self.analysis(n);
            let variations = analysis.variations(line, n - 1, usize::MAX).found()?;
            let after = analysis.after(line);
            let short = variations.iter().filter(|variation| variation.mates_in < n - 1);
            let short: Vec<String> =
                short.take(NAMED).map(|variation| action_text(&after, &variation.defence)).collect();
            if !short.is_empty() && short.len() == variations.len() {
                self.object(
                    "short-mate",
                    self.at_solutions(),
                    "every defence is met by a mate that comes too soon",
                );
            } else if !short.is_empty() {
                self.object(
                    "short-mate",
                    self.at_solutions(),
                    format!("a mate comes sooner after {}", short.join(", ")),
                );
            }
        }
        Ok(())
    }

    /// Whether the start is that of a variant or a game, so that its boards and pieces cannot be chosen.
    fn is_given(&self) -> bool {
        self.puzzle.start.value.variant.is_some() || self.puzzle.start.value.is_5dpgn()
    }

    /// Objects to boards without which the puzzle stays the same.
    fn history(&mut self) -> Result<(), Undecided> {
        let Some(n) = self.mate_in().filter(|_| !self.is_given()) else { return Ok(()) };
        let start = self.start;
        let before = self.answer(start, n)?;
        let is_same = |position: &Position| Ok(self.answer(position, n)? == before);
        let (_, dropped) = without_boards(start, is_same)?;
        let label = |at: &BoardCoordinate| {
            let (label, turn) = (start.parity().label(at.timeline), at.half_turn.turn());
            format!("({label}T{turn}{})", at.half_turn.color().letter())
        };
        let dropped: Vec<String> = dropped.iter().map(label).collect();
        if !dropped.is_empty() {
            let message = match dropped.len() {
                1 => format!("the board {} is not needed", dropped[0]),
                many if many > NAMED => {
                    format!("{many} older boards are not needed: {} …", dropped[..NAMED].join(" "))
                }
                _ => format!("the boards {} are not needed", dropped.join(" ")),
            };
            self.object("idle-history", self.at_start(), message);
        }
        Ok(())
    }

    /// Objects to pieces without which the puzzle stays the same. Each is taken off one board, and the mate
    /// is proved again.
    fn pieces(&mut self) -> Result<(), Undecided> {
        let Some(n) = self.mate_in().filter(|_| !self.is_given()) else { return Ok(()) };
        let before = self.answer(self.start, n)?;
        let setup = self.start.to_setup();
        let lasts: Vec<_> = self
            .start
            .multiverse()
            .timelines()
            .filter_map(|timeline| Some((timeline, self.start.multiverse().span(timeline)?.1)))
            .collect();
        let mut idle = Vec::new();
        for (index, (at, board)) in setup.boards.iter().enumerate() {
            // On earlier boards nearly everything is idle; the check for idle history covers those boards.
            if !lasts.contains(&(at.timeline, at.half_turn)) {
                continue;
            }
            for (square, piece) in board.pieces() {
                let royals = |color: Color| {
                    board.pieces().filter(|(_, other)| other.kind.is_royal() && other.color == color).count()
                };
                if piece.kind.is_royal() && royals(piece.color) < 2 {
                    continue;
                }
                let mut fewer = Setup { boards: setup.boards.clone(), ..setup };
                fewer.boards[index].1.remove(square);
                let Ok(position) = Position::from_setup(&fewer) else { continue };
                if self.answer(&position, n)? == before {
                    idle.push(format!("{piece} on {}{square}", board_text(self.start, *at)));
                }
            }
        }
        for piece in idle {
            self.object(
                "idle-piece",
                self.at_start(),
                format!("the puzzle stays the same without the {piece}"),
            );
        }
        Ok(())
    }

    /// The essence of a mate: whether there is one, in how many actions, with which first actions, and with
    /// which answers to the defences after the first of them. It does not change if a defence with a known
    /// answer is added. Whether there are duals belongs to it, so a piece that only prevents duals is needed.
    fn answer(&mut self, position: &Position, n: u32) -> Result<Essence, Undecided> {
        match self.puzzle.goal.value {
            Goal::HelpmateIn(_) => return self.answer_to_helpmate(position, n),
            Goal::SelfmateIn(_) => return self.answer_to_selfmate(position, n),
            _ => {}
        }
        let mut analysis = Analysis::new(&mut self.prover, position, n);
        let Solution { verdict, shortest, keys, undecided, .. } = analysis.solution().clone();
        if let Some(why) = undecided {
            return Err(why);
        }
        let mut answers = BTreeSet::new();
        let mut duals = 0;
        if let (Some(class), true) = (keys.first(), n > 1) {
            let line = std::slice::from_ref(class.key());
            let variations = analysis.variations(line, n - 1, usize::MAX).found()?;
            answers.extend(variations.iter().map(|variation| variation.answers[0].key().clone()));
            duals = analysis.duals(line)?.len();
        }
        let keys = keys.iter().flat_map(|class| class.keys()).cloned().collect();
        Ok(Essence { verdict, shortest, keys, answers, has_duals: duals > 0 })
    }

    /// The essence of a helpmate: all lines. A piece may be needed to limit their number.
    fn answer_to_helpmate(&mut self, position: &Position, n: u32) -> Result<Essence, Undecided> {
        let mut analysis = Analysis::new(&mut self.prover, position, n);
        let shortest = analysis.shortest_helpmate()?;
        let help = analysis.helpmates(MOST_HELPMATES);
        if let Some(why) = help.undecided {
            return Err(why);
        }
        let verdict = if help.lines.is_empty() { Verdict::Refuted } else { Verdict::Proven };
        let (keys, answers) = (help.lines.concat(), BTreeSet::new());
        Ok(Essence { verdict, shortest, keys, answers, has_duals: !help.complete })
    }

    /// The essence of a selfmate: the keys, and the answers to the replies to the first of them.
    fn answer_to_selfmate(&mut self, position: &Position, n: u32) -> Result<Essence, Undecided> {
        let mut analysis = Analysis::new(&mut self.prover, position, n);
        let Selfmates { verdict, shortest, keys, undecided, .. } = analysis.selfmates().clone();
        if let Some(why) = undecided {
            return Err(why);
        }
        let mut answers = BTreeSet::new();
        if let Some(class) = keys.first() {
            let replies = analysis.forced_replies(class.key(), usize::MAX).found()?;
            answers.extend(replies.into_iter().map(|reply| reply.answer.unwrap_or(reply.reply)));
        }
        let keys = keys.iter().flat_map(|class| class.keys()).cloned().collect();
        Ok(Essence { verdict, shortest, keys, answers, has_duals: false })
    }

    /// Objects to a goal of the defender that every action reaches.
    fn nothing_loses(&mut self) -> Result<(), Undecided> {
        let (Goal::Survive(n) | Goal::OnlyDefence(n)) = &self.puzzle.goal.value else { return Ok(()) };
        let (_, losing) = self.analysis(n.value).surviving_actions(usize::MAX)?;
        if losing == 0 {
            self.object("no-threat", self.puzzle.goal.span, "no action loses, so there is nothing to find");
        }
        Ok(())
    }
}

/// The boards of a position without those that can be missing, and these. The oldest are tried first; each timeline keeps one, and the
/// player to move stays the same. `is_same` says whether a position is as good as the whole.
///
/// # Errors
///
/// Those of `is_same`.
pub(crate) fn without_boards<E>(
    position: &Position,
    mut is_same: impl FnMut(&Position) -> Result<bool, E>,
) -> Result<(Setup, Vec<BoardCoordinate>), E> {
    let (mut rest, mut dropped) = (position.to_setup(), Vec::new());
    let mut places: Vec<BoardCoordinate> = rest.boards.iter().map(|(at, _)| *at).collect();
    places.sort_by_key(|at| (at.half_turn, at.timeline));
    for place in places {
        if rest.boards.iter().filter(|(at, _)| at.timeline == place.timeline).count() < 2 {
            continue;
        }
        let mut fewer = rest.clone();
        fewer.boards.retain(|(at, _)| *at != place);
        let Ok(smaller) = Position::from_setup(&fewer) else { continue };
        if smaller.to_move() == position.to_move() && is_same(&smaller)? {
            dropped.push(place);
            rest = fewer;
        }
    }
    Ok((rest, dropped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::load;

    fn codes(text: &str) -> Vec<&'static str> {
        let document = load("puzzle.yaml", text.as_bytes()).remove(0);
        assert!(document.puzzle.is_ok(), "{:?}", document.puzzle);
        let review = review(&document, Options::default());
        assert_eq!(review.open, None);
        review.objections.iter().map(|objection| objection.code).collect()
    }

    #[test]
    fn a_puzzle_without_a_flaw_has_no_objection() {
        let text = include_str!("../../corpus/puzzles/good/every-field.yaml");
        // It is small on purpose.
        assert_eq!(codes(text), ["few-actions"]);
    }

    #[test]
    fn a_solution_that_is_wrong_has_no_duals() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/two-actions/unicorn-in-2-bf07.yaml");
        let text = std::fs::read_to_string(path).unwrap();
        let line = text.lines().find(|line| line.starts_with("  - [")).unwrap();
        let document = load(path, text.as_bytes()).swap_remove(0);
        let start = document.game().unwrap().end();
        let key = document.puzzle.as_ref().unwrap().solutions[0].value[0].value.clone();
        let wrong = start
            .legal_actions()
            .map(|action| action_text(&start, &action))
            .find(|text| *text != key)
            .unwrap();
        let spoilt = text.replace(line, &format!("  - [\"{wrong}\"]"));
        let document = load("wrong.yaml", spoilt.as_bytes()).swap_remove(0);
        let codes: Vec<_> =
            review(&document, Options::default()).objections.iter().map(|one| one.code).collect();
        assert!(!codes.contains(&"dual"), "{codes:?}");
    }

    #[test]
    fn each_objection_is_made() {
        let idle = "schema: worldlines/puzzle-1\nid: rook-to-c3\ntitle: Two rooks\nsource: { from: x }\n\
                    point: The rook waits, and White sacrifices it.\n\
                    start: { size: 4x4, fen: [\"[3N/KR1R/4/2k1:0:1:w]\"] }\ngoal: { mate-in: 2 }\n\
                    solutions:\n  - [\"(0T1)Rb3c3\", \"(0T1)Kc1b1\", \"(0T2)Rd3d1#\"]\n";
        let found = codes(idle);
        for code in ["leak", "point"] {
            assert!(found.contains(&code), "{code}: {found:?}");
        }
        let taken = "schema: worldlines/puzzle-1\nid: a\ntitle: T\nsource: { from: x }\n\
                     start: { size: 5x5, fen: [\"[3r1/R4/K*3R*/2p2/k4:0:1:w]\"] }\ngoal: { mate-in: 1 }\n\
                     solutions:\n  - [\"(0T1)Ka3c3#\"]\n";
        assert_eq!(codes(taken), ["idle-piece", "idle-piece"]);
        let varied = "schema: worldlines/puzzle-1\nid: a\ntitle: T\nsource: { from: x }\n\
                      start: { size: 4x4, fen: [\"[3k/R1R1/K3/3r:0:1:w]\"] }\ngoal: { mate-in: 2 }\n\
                      solutions:\n  - [\"(0T1)Ra3a4\", \"(0T1)Kd4xc3\", \"(0T2)Ra4>>(0T1)a4#\"]\n";
        assert_eq!(codes(varied), [""; 0], "a defence of the black rook has a mate of its own");
        let duals = include_str!("../../corpus/puzzles/fix/duals.fixed");
        let found = codes(duals);
        assert!(found.contains(&"dual") && found.contains(&"idle-history"), "{found:?}");
        let lone = "schema: worldlines/puzzle-1\nid: a\ntitle: T\nsource: { from: x }\n\
                    start: { size: 4x4, fen: [\"[k3/4/4/3K:0:1:w]\"] }\ngoal: { survive: 1 }\n\
                    solutions:\n  - [\"(0T1)Kd1c1\"]\n";
        assert_eq!(codes(lone), ["few-actions", "no-threat"]);
    }

    #[test]
    fn a_small_budget_leaves_questions_open() {
        let document = load("puzzle.yaml", include_bytes!("../../corpus/puzzles/fix/duals.fixed")).remove(0);
        let poor = Options { max_steps: Some(40), ..Options::default() };
        assert!(review(&document, poor).open.is_some());
    }
}
