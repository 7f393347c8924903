//! The judge of answers: decides whether an answer to a puzzle is right. Begin at [`Judge::judge`].
//!
//! The judge trusts the tables of tries, which [`verify`](super::verify()) checks. It proves everything else
//! within the budget of the puzzle, listed solutions too. Each answer has a budget of its own, so that its
//! judgement does not depend on other answers.

use std::fmt;

use super::finding::Finding;
use super::load::Document;
use super::model::Goal;
use super::resolve::Resolved;
use super::verify::{Options, budget_of};
use crate::notation::{Format, Game, ParseError, parse_actions};
use crate::search::{Analysis, Budget, Defence, Prover};
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The number of actions beyond the claim for which a slower mate is looked for.
const SLOWER: u32 = 1;

/// A puzzle that answers can be compared with.
#[derive(Debug)]
pub struct Judge<'d> {
    resolved: Resolved<'d>,
    /// N of the goal, which claims a mate in N or denies one.
    mate_in: u32,
    budget: Budget,
}

/// The reason why answers to a puzzle cannot be judged.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NoJudge {
    /// The faults of the puzzle or its start.
    Unreadable(Vec<Finding>),
    /// It asks for the status of the game, which no action answers.
    Status,
    /// It is a helpmate: both players play for the mate, so no reply refutes a wrong action.
    Helpmate,
}

/// The judgement of an answer, which may be a whole line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The judgement.
    pub verdict: Judgement,
    /// The number of actions of the line before the one that decided it.
    pub at: usize,
}

/// The judgement of an action of the solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It mates in time; in a selfmate, it forces the opponent to mate in time.
    Correct {
        /// The most further actions that the solver needs; 0 is mate. In a selfmate, 0 means that every reply
        /// mates.
        left: u32,
        /// The grounds.
        by: Basis,
    },
    /// The opponent cannot force mate in time after it, as the goal demands.
    Holds {
        /// The grounds.
        by: Basis,
    },
    /// It forces mate, but later than the goal allows.
    Slower {
        /// The number of actions of the solver, counted from the start.
        mate_in: u32,
        /// The reply that prevents a mate in time.
        refutation: Defence,
    },
    /// It does not force mate.
    Wrong {
        /// The reply that refutes it.
        refutation: Defence,
        /// The grounds.
        by: Basis,
        /// The longest mate, in actions of the solver from the start, that is known not to exist.
        no_mate_in: u32,
    },
    /// It may not be played.
    Illegal(IllegalAnswer),
    /// The budget ran out before the answer was known.
    Undecided(Undecided),
}

impl Judgement {
    /// The word for it.
    pub const fn name(&self) -> &'static str {
        match self {
            Judgement::Correct { .. } | Judgement::Holds { .. } => "correct",
            Judgement::Slower { .. } => "slower-mate",
            Judgement::Wrong { .. } => "wrong",
            Judgement::Illegal(_) => "illegal",
            Judgement::Undecided(_) => "undecided",
        }
    }
}

/// The reason why an answer may not be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalAnswer {
    /// The name of the reason in errors of notations.
    pub code: &'static str,
    /// The reason as a sentence.
    pub message: String,
}

/// The grounds of a judgement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// The puzzle lists it as a solution.
    Solution,
    /// The puzzle lists it as a try.
    Try,
    /// It was proved now.
    Proof,
}

impl Basis {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Basis::Solution => "solution",
            Basis::Try => "try",
            Basis::Proof => "proof",
        }
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<'d> Judge<'d> {
    /// Prepares for answers to a puzzle.
    ///
    /// # Errors
    ///
    /// If the puzzle cannot be read, or asks for no action.
    pub fn new(document: &'d Document, options: Options<'_>) -> Result<Judge<'d>, NoJudge> {
        let resolved = Resolved::of(document).map_err(NoJudge::Unreadable)?;
        let puzzle = resolved.puzzle;
        let goal = &puzzle.goal.value;
        let mate_in = goal.length().ok_or(NoJudge::Status)?;
        if matches!(goal, Goal::HelpmateIn(_)) {
            return Err(NoJudge::Helpmate);
        }
        let budget = budget_of(puzzle, options);
        Ok(Judge { resolved, mate_in, budget })
    }

    /// The game that leads to the position of the puzzle.
    pub fn game(&self) -> &Game {
        &self.resolved.game
    }

    /// The puzzle as actions.
    pub fn resolved(&self) -> &Resolved<'d> {
        &self.resolved
    }

    /// The position of the puzzle.
    pub fn start(&self) -> &Position {
        &self.resolved.start
    }

    /// The number of actions in which the solver mates or cannot mate; if the solver has to defend, in which
    /// the opponent cannot mate.
    pub fn mate_in(&self) -> u32 {
        self.mate_in
    }

    /// Whether the puzzle says that there is a mate.
    pub fn has_mate(&self) -> bool {
        matches!(self.resolved.puzzle.goal.value, Goal::MateIn(_))
    }

    /// Whether the solver has to avoid mate.
    pub fn defends(&self) -> bool {
        self.resolved.puzzle.goal.value.is_defence()
    }

    /// Whether the solver has to force the opponent to mate.
    pub fn is_selfmate(&self) -> bool {
        matches!(self.resolved.puzzle.goal.value, Goal::SelfmateIn(_))
    }

    /// The lines that the puzzle lists.
    pub fn solutions(&self) -> &[Vec<Action>] {
        &self.resolved.solutions
    }

    /// The position after some actions from the start.
    ///
    /// # Panics
    ///
    /// When they cannot be played.
    pub fn after(&self, line: &[Action]) -> Position {
        self.resolved.after(line)
    }

    /// Reads the actions of an answer: in 5DPGN with all its spellings, or else in another notation in which
    /// actions can stand alone. They follow each other as in a game. `played` are the actions from the start
    /// before them.
    ///
    /// # Errors
    ///
    /// If no notation reads it: the error of 5DPGN, or of the notation that was named.
    pub fn read(
        &self,
        played: &[Action],
        text: &str,
        notation: Option<Format>,
    ) -> Result<Vec<Action>, ParseError> {
        parse_actions(&self.after(played), text, notation)
    }

    /// Judges an answer: an action of the solver, or a line of an action, the opponent's defence, the next
    /// action, and so on.
    pub fn judge(&self, line: &[Action]) -> Judged {
        let mut prover = Prover::new(self.budget);
        self.judge_with(line, &mut prover)
    }

    /// Judges an answer with the rest of a prover's budget.
    pub fn judge_with(&self, line: &[Action], prover: &mut Prover<'_>) -> Judged {
        let mut position = self.resolved.start.clone();
        let mut verdict = Judgement::Illegal(IllegalAnswer {
            code: "no-move",
            message: "there is no action in this answer".into(),
        });
        for (at, action) in line.iter().enumerate() {
            let illegal = |code, message| {
                let verdict = Judgement::Illegal(IllegalAnswer { code, message });
                Judged { verdict, at }
            };
            if let (Judgement::Correct { left: 0, .. }, false) = (&verdict, self.is_selfmate()) {
                return illegal("after-mate", "the game is over: this action comes after the mate".into());
            }
            if position.clone().play(action).is_err() {
                return illegal("illegal-action", "this action is not legal here".into());
            }
            if at % 2 == 0 {
                verdict = self.judge_action(&line[..at], &position, action, prover);
                if !matches!(verdict, Judgement::Correct { .. }) {
                    return Judged { verdict, at };
                }
            }
            position.play_unchecked(action);
        }
        let at = line.len().saturating_sub(1);
        Judged { verdict, at: at - at % 2 }
    }

    /// Judges the last action of a line, which is legal and the solver's. The actions before it must mate in
    /// time.
    ///
    /// # Panics
    ///
    /// If the line is empty or cannot be played.
    pub fn judge_last(&self, line: &[Action], prover: &mut Prover<'_>) -> Judgement {
        let (action, played) = line.split_last().expect("a line has an action");
        self.judge_action(played, &self.after(played), action, prover)
    }

    /// Judges a legal action in the position after a line that mates in time so far.
    fn judge_action(
        &self,
        played: &[Action],
        position: &Position,
        action: &Action,
        prover: &mut Prover<'_>,
    ) -> Judgement {
        if self.defends() {
            return self.judge_defence(played, position, action, prover);
        } else if self.is_selfmate() {
            return self.judge_selfmate(played, position, action, prover);
        }
        let before = (played.len() / 2) as u32;
        let left = self.mate_in.saturating_sub(before + 1);
        let mut after = position.clone();
        after.play_unchecked(action);
        if before >= self.mate_in {
            return too_long();
        }
        let is_listed = self.is_listed(played, action);
        // A listed solution may be wrong, but so may a row that contradicts it: such an action is proved.
        let listed = if is_listed { None } else { self.listed_refutation(played, action) };
        let (refutation, by) = match listed {
            Some(refutation) => (refutation, Basis::Try),
            None => match prover.defence_against(position, action, left) {
                Err(undecided) => return Judgement::Undecided(undecided),
                Ok(None) => {
                    let mated = prover.surviving_defence(&after, 0);
                    let left = if mated == Ok(None) { 0 } else { left };
                    let by = if is_listed { Basis::Solution } else { Basis::Proof };
                    return Judgement::Correct { left, by };
                }
                Ok(Some(refutation)) => (refutation, Basis::Proof),
            },
        };
        let mut no_mate_in = self.mate_in;
        for more in 1..=SLOWER {
            match prover.defence_against(position, action, left + more) {
                Ok(None) => return Judgement::Slower { mate_in: self.mate_in + more, refutation },
                Ok(Some(_)) => no_mate_in = self.mate_in + more,
                Err(_) => break,
            }
        }
        Judgement::Wrong { refutation, by, no_mate_in }
    }

    /// Judges the action of a solver who has to avoid mate.
    fn judge_defence(
        &self,
        played: &[Action],
        position: &Position,
        action: &Action,
        prover: &mut Prover<'_>,
    ) -> Judgement {
        if !played.is_empty() {
            return too_long();
        }
        let is_listed = self.resolved.solutions.iter().any(|line| line.first() == Some(action));
        if let Some(refutation) = self.listed_refutation(played, action) {
            return Judgement::Wrong { refutation, by: Basis::Try, no_mate_in: 0 };
        }
        let mut after = position.clone();
        after.play_unchecked(action);
        match prover.mating_answer(&after, self.mate_in) {
            Err(undecided) => Judgement::Undecided(undecided),
            Ok(None) => Judgement::Holds { by: if is_listed { Basis::Solution } else { Basis::Proof } },
            Ok(Some(mate)) => match prover.confirm(&after, &mate, self.mate_in) {
                Err(undecided) => Judgement::Undecided(undecided),
                Ok(_) => {
                    let refutation = Defence::Action(mate);
                    Judgement::Wrong { refutation, by: Basis::Proof, no_mate_in: 0 }
                }
            },
        }
    }

    /// Judges an action of a solver who has to be mated.
    fn judge_selfmate(
        &self,
        played: &[Action],
        position: &Position,
        action: &Action,
        prover: &mut Prover<'_>,
    ) -> Judgement {
        let before = (played.len() / 2) as u32;
        if before >= self.mate_in {
            return too_long();
        }
        let most = self.mate_in - before - 1;
        let mut after = position.clone();
        after.play_unchecked(action);
        let by = if self.is_listed(played, action) { Basis::Solution } else { Basis::Proof };
        let mut refutation = None;
        for left in 0..=most + SLOWER {
            match prover.selfmate_evasion(&after, left) {
                Ok(None) if left <= most => return Judgement::Correct { left, by },
                Ok(None) => {
                    let Some(refutation) = refutation else { break };
                    return Judgement::Slower { mate_in: before + 1 + left, refutation };
                }
                Ok(evasion) if left <= most => refutation = evasion,
                Ok(_) => {}
                Err(undecided) if left <= most => return Judgement::Undecided(undecided),
                Err(_) => break,
            }
        }
        let refutation = refutation.unwrap_or(Defence::Stalemate);
        Judgement::Wrong { refutation, by: Basis::Proof, no_mate_in: self.mate_in }
    }

    /// Whether `action` continues a solution of the puzzle after `played`.
    fn is_listed(&self, played: &[Action], action: &Action) -> bool {
        let goes_on = |line: &Vec<Action>| line.starts_with(played) && line.get(played.len()) == Some(action);
        (self.has_mate() || self.is_selfmate()) && self.resolved.solutions.iter().any(goes_on)
    }

    /// The refutation that the tables list for an action of the solver after `played`.
    fn listed_refutation(&self, played: &[Action], action: &Action) -> Option<Defence> {
        // If the claim is that there is no mate, every action is wrong.
        let is_wrong = matches!(self.resolved.puzzle.goal.value, Goal::NoMateIn(_));
        self.resolved.listed_refutation(played, action, is_wrong)
    }

    /// The defence that lasts longest after a line that ends with an action of the solver's, who mates or is mated in `left` more.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub fn longest_defence(
        &self,
        line: &[Action],
        left: u32,
        prover: &mut Prover<'_>,
    ) -> Result<Option<Action>, Undecided> {
        let Some((key, before)) = line.split_last() else { return Ok(None) };
        let position = self.after(before);
        let mut analysis = Analysis::new(prover, &position, left + 1);
        let line = if self.is_selfmate() { analysis.selfmate_line(key)? } else { analysis.line(key)? };
        Ok(line.and_then(|line| line.into_iter().nth(1)))
    }

    /// The legal actions of the defender after a line of the solver's, in classes. Those of one class have
    /// the same row in the table of replies. Without a table, one answer mates after all of them.
    ///
    /// # Errors
    ///
    /// If the budget runs out.
    pub fn defences(&self, line: &[Action], prover: &mut Prover<'_>) -> Result<Vec<Vec<Action>>, Undecided> {
        let position = self.after(line);
        let mut listed = Vec::new();
        let mut legal = prover.actions(&position);
        while let Some(defence) = prover.next_action(&mut legal)? {
            prover.charge_memory(&defence)?;
            listed.push(defence);
        }
        listed.sort_unstable();
        if let Some(rows) = self.resolved.rows_after(line) {
            let table = self.resolved.replies(&position, &rows);
            let mut classes = vec![Vec::new(); rows.len()];
            let mut others = Vec::new();
            for defence in listed {
                match table.get(&defence) {
                    Some(&row) => classes[row].push(defence),
                    None => others.push(defence),
                }
            }
            classes.push(others);
            classes.retain(|class| !class.is_empty());
            return Ok(classes);
        }
        let left = self.mate_in.saturating_sub(line.len().div_ceil(2) as u32);
        let mut classes = Vec::new();
        while !listed.is_empty() {
            let mut after = position.clone();
            after.play_unchecked(&listed[0]);
            let answer = prover.mating_answer(&after, left.max(1))?;
            let (mut class, mut others) = (vec![listed[0].clone()], Vec::new());
            for defence in listed.into_iter().skip(1) {
                let mut after = position.clone();
                after.play_unchecked(&defence);
                let same = match &answer {
                    Some(answer) if after.play_if_legal(answer) => {
                        prover.surviving_defence(&after, left.saturating_sub(1))?.is_none()
                    }
                    _ => false,
                };
                if same { &mut class } else { &mut others }.push(defence);
            }
            classes.push(class);
            listed = others;
        }
        Ok(classes)
    }

    /// A prover with the budget of the puzzle.
    pub fn prover(&self) -> Prover<'static> {
        Prover::new(self.budget)
    }
}

/// The judgement of an action beyond the number that the solver has.
fn too_long() -> Judgement {
    let message = "the solver has no action left".into();
    Judgement::Illegal(IllegalAnswer { code: "too-long", message })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{ActionWriter, Options as Writing};
    use crate::puzzle::load;
    use crate::puzzle::load::shipped_files;
    use crate::types::Color;

    fn puzzle(name: &str) -> Document {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles").join(name);
        load(name, &std::fs::read(path).unwrap()).remove(0)
    }

    const TWICE: &str = "small/today-and-yesterday.yaml";

    fn judged(judge: &Judge<'_>, text: &str) -> Judged {
        judge.judge(&judge.read(&[], text, None).unwrap())
    }

    #[test]
    fn each_verdict_is_given() {
        let document = puzzle(TWICE);
        let judge = Judge::new(&document, Options::default()).unwrap();
        for (text, at, verdict) in [
            ("Re1", 0, "correct"),
            ("Re1 / Kd2", 0, "correct"),
            ("Re1 / Kd2 / Re1>>(0T1)e1", 2, "correct"),
            ("Re1 / Kd3 / Kc1", 2, "slower-mate"),
            ("Kc1", 0, "slower-mate"),
            ("Rd5", 0, "wrong"),
        ] {
            let judged = judged(&judge, text);
            assert_eq!((judged.at, judged.verdict.name()), (at, verdict), "{text}");
        }
        let Judgement::Wrong { by: Basis::Try, no_mate_in: 3.., .. } = judged(&judge, "Rd5").verdict else {
            panic!("the table of tries is used")
        };
        let line = &judge.solutions()[0];
        let mate = judge.judge(line).verdict;
        assert_eq!(mate, Judgement::Correct { left: 0, by: Basis::Solution });
        let beyond = judge.judge(&[&line[..], &line[..1]].concat());
        assert!(
            matches!(&beyond.verdict, Judgement::Illegal(why) if why.code == "after-mate"),
            "{:?}",
            beyond.verdict
        );
        assert!(matches!(judge.judge(&[]).verdict, Judgement::Illegal(why) if why.code == "no-move"));
        assert!(matches!(judge.judge(&line[1..]).verdict, Judgement::Illegal(_)));
        let poor = Options { max_steps: Some(3), ..Options::default() };
        let judge = Judge::new(&document, poor).unwrap();
        let line = judge.read(&[], "Re1 / Kd3 / Kb1b2", None).unwrap();
        assert_eq!(judge.judge(&line).verdict.name(), "undecided");
    }

    /// After `Kc1` it takes two more actions to mate, and one is left.
    #[test]
    fn a_later_action_of_a_listed_line_has_fewer_actions_left_than_the_key() {
        let text = puzzle(TWICE).text().to_owned();
        let (before, rest) = text.split_once("\nsolutions:").unwrap();
        let (_, after) = rest.split_once("\nunique:").unwrap();
        let line = "(0T1)Rd1e1 / (0T1)Ke3d3 / (0T2)Kb1c1";
        let listed = line.replace(" / ", "\", \"");
        let text = format!("{before}\nsolutions: [[\"{listed}\"]]\nunique:{after}");
        let document = load("listed.yaml", text.as_bytes()).remove(0);
        let judge = Judge::new(&document, Options::default()).unwrap();
        assert_eq!(judge.solutions()[0], judge.read(&[], line, None).unwrap());
        let judged = judged(&judge, line);
        assert_eq!((judged.at, judged.verdict.name()), (2, "slower-mate"));
    }

    /// A puzzle without its tables gives the same verdicts, by proof.
    #[test]
    fn lists_and_proofs_agree() {
        let document = puzzle("small/rook-from-the-past.yaml");
        let text = document.text();
        let bare = text.split_once("\ntries:").unwrap().0.to_owned() + "\n";
        let bare = load("bare.yaml", bare.as_bytes()).remove(0);
        let [listed, proved] =
            [&document, &bare].map(|document| Judge::new(document, Options::default()).unwrap());
        let mut kinds = std::collections::BTreeSet::new();
        for action in listed.start().legal_actions() {
            let [a, b] = [&listed, &proved].map(|judge| judge.judge(std::slice::from_ref(&action)).verdict);
            assert_eq!(a.name(), b.name(), "{action}");
            kinds.insert(a.name());
        }
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["correct", "slower-mate", "wrong"]);
    }

    /// Every fourth of the shipped puzzles.
    fn every_fourth() -> Vec<Document> {
        let files = shipped_files().into_iter().step_by(4);
        files.map(|(_, text)| load("puzzle.yaml", text.as_bytes()).remove(0)).collect()
    }

    #[test]
    fn an_answer_may_be_in_any_notation_that_writes_actions() {
        let mut read = [0, 0];
        for document in every_fourth() {
            let (name, Ok(judge)) = (&document.id, Judge::new(&document, Options::default())) else {
                continue;
            };
            for format in ActionWriter::formats() {
                let mut writer = ActionWriter::new(format, judge.game(), &Writing::default()).unwrap();
                for action in judge.start().legal_actions().take(6) {
                    let text = writer.action(&action);
                    let named = judge.read(&[], text, Some(format)).map_err(|error| error.issue.clone());
                    assert_eq!(named, Ok(vec![action.clone()]), "{name}: {text} in {format}");
                    let guessed = judge.read(&[], text, None).map_err(|error| error.issue.clone());
                    assert_eq!(guessed, Ok(vec![action.clone()]), "{name}: {text}");
                    read[usize::from(judge.start().to_move() == Color::Black)] += 1;
                }
            }
        }
        assert!(read.iter().all(|&read| read > 300), "{read:?}");
    }

    #[test]
    fn defences_are_in_the_classes_of_the_table_or_of_their_answers() {
        let document = puzzle(TWICE);
        let judge = Judge::new(&document, Options::default()).unwrap();
        let key = &judge.solutions()[0][..1];
        let by_table = judge.defences(key, &mut judge.prover()).unwrap();
        let text = document.text();
        let bare = text.split_once("\nreplies:").unwrap().0.to_owned() + "\n";
        let bare = load("bare.yaml", bare.as_bytes()).remove(0);
        let judge = Judge::new(&bare, Options::default()).unwrap();
        let by_answer = judge.defences(key, &mut judge.prover()).unwrap();
        let all = |classes: &[Vec<Action>]| {
            let mut all = classes.concat();
            all.sort_unstable();
            all
        };
        let mut legal: Vec<Action> = judge.after(key).legal_actions().collect();
        legal.sort_unstable();
        assert_eq!((all(&by_table), all(&by_answer)), (legal.clone(), legal));
        assert!(by_table.len() > 1, "{by_table:?}");
    }
}
