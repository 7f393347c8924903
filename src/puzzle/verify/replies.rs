//! Answers to every defence.

use std::collections::BTreeMap;

use super::tables::{NOT_SEARCHED, Row, RowIndices, Uncovered, unreachable_row};
use super::wrong_answers::Seen;
use super::{StepResult, Verification, counted, pass, show, show_defence, skipped};
use crate::notation::Span;
use crate::puzzle::finding::Finding;
use crate::puzzle::model::{Goal, Reply, Spanned};
use crate::puzzle::resolve::About;
use crate::puzzle::table::Table;
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The findings in a tree of replies.
#[derive(Default)]
struct Tally {
    rows: usize,
    /// Why a question was left open: the budget, or the wish to be quick.
    open: Option<Undecided>,
}

/// The rows of one list, and what is known of them.
struct List<'a> {
    rows: Vec<&'a Spanned<Reply>>,
    /// The place at which a missing row of the list is told.
    place: Span,
    /// Why a row cannot be read, as long as it could not be read anywhere.
    unread: Vec<Option<Finding>>,
    /// For each row the actions from the key to answers that are no mate yet.
    open_ends: Vec<Vec<Vec<Action>>>,
    /// Rows that some defence matched.
    used: RowIndices,
    /// Rows that are wrong.
    told: RowIndices,
    /// For each row what is known of the wrong answers that it lists.
    wrong_answers: Vec<Seen>,
    /// Whether it was said that rows are missing.
    lacks_rows: bool,
    /// Whether every legal defence was seen, in every line that leads to the list.
    complete: bool,
}

impl<'a> List<'a> {
    fn new(rows: Vec<&'a Spanned<Reply>>, place: Span) -> List<'a> {
        List {
            unread: vec![None; rows.len()],
            open_ends: vec![Vec::new(); rows.len()],
            wrong_answers: rows.iter().map(|_| Seen::default()).collect(),
            place: rows.first().map_or(place, |row| row.span),
            rows,
            used: RowIndices::new(),
            told: RowIndices::new(),
            lacks_rows: false,
            complete: true,
        }
    }
}

impl Reply {
    /// Names the defence in a finding about a row that does not name it.
    fn after_defence(&self, finding: Finding, position: &Position, defence: &Action) -> Finding {
        match self.defence {
            Some(_) => finding,
            None => finding.note(format!("for example: after {}", show(position, defence))),
        }
    }
}

impl<'a> Verification<'a> {
    pub(super) fn replies_complete(&mut self) -> StepResult {
        let Goal::MateIn(count) = &self.puzzle.goal.value else { return skipped("no mate is claimed") };
        if count.value == 1 {
            return skipped("a mate in 1 leaves none");
        }
        if self.puzzle.replies.is_empty() {
            return skipped("none listed: covered by search only");
        }
        let mut rows: BTreeMap<Action, Vec<&'a Spanned<Reply>>> =
            self.listed().into_iter().map(|(_, key)| (key, Vec::new())).collect();
        let Some(only) = rows.keys().next().cloned() else { return skipped("no legal line") };
        for row in &self.puzzle.replies {
            let Some(written) = &row.value.key else {
                rows.entry(only.clone()).or_default().push(row);
                continue;
            };
            let Some(key) = self.play(&mut self.start.clone(), written) else { continue };
            match rows.get_mut(&key) {
                Some(rows) => rows.push(row),
                None => {
                    let message = "no line of the solutions begins with this action";
                    self.findings.push(Finding::new("key", written.span, message));
                }
            }
        }
        let mut tally = Tally::default();
        for (key, rows) in rows {
            let list = List::new(rows, self.puzzle.goal.span);
            self.replies_to(vec![vec![key]], list, count.value - 1, &mut tally);
        }
        self.unless_open(tally.open, pass(counted(tally.rows, "row")))
    }

    /// Whether a list answers every action that can follow each of these lines, after which the solver has `mate_in`
    /// actions left.
    fn replies_to(&mut self, lines: Vec<Vec<Action>>, mut list: List<'a>, mate_in: u32, tally: &mut Tally) {
        tally.rows += list.rows.len();
        let has_all_lines = list.complete;
        for (nth, line) in lines.iter().enumerate() {
            let position = self.after(line);
            let table = self.read_list(&position, nth == 0, &mut list);
            if let Err(why) = self.replies_after(&position, line, &table, &mut list, mate_in) {
                tally.open = Some(why);
                list.complete = false;
            }
        }
        let List { rows, unread, open_ends, wrong_answers, used, told, complete, .. } = list;
        for (row, seen) in rows.iter().zip(&wrong_answers).filter(|_| complete) {
            if let Some(tries) = &row.value.tries {
                self.unused_wrong_answers(&tries.value, seen);
            }
        }
        for (index, ((row, unread), open_ends)) in rows.into_iter().zip(unread).zip(open_ends).enumerate() {
            if let Some(finding) = unread.filter(|_| has_all_lines) {
                self.add_with_boards(finding, "Before this action", &self.after(&lines[0]));
            } else if complete && !used.contains(&index) && !told.contains(&index) {
                self.findings.push(unreachable_row(row));
            }
            let inner: Vec<&Spanned<Reply>> = row.value.replies.iter().collect();
            match (open_ends.is_empty(), inner.first().map(|first| first.span)) {
                (false, Some(place)) => {
                    // The lines after a defence that was left out are missing too.
                    let list = List { complete, ..List::new(inner, place) };
                    self.replies_to(open_ends, list, mate_in - 1, tally)
                }
                (false, None) => self.answers_win(&open_ends, &row.value.answer, mate_in, tally),
                (true, Some(place)) if complete && used.contains(&index) => {
                    let message = "the answer mates, so nothing is left to reply to";
                    self.findings.push(Finding::new("after-mate", place, message));
                }
                (true, _) => {}
            }
        }
    }

    /// Whether a list answers every action in one position, to which `line` leads.
    fn replies_after(
        &mut self,
        position: &Position,
        line: &[Action],
        table: &Table<Row>,
        list: &mut List<'a>,
        mate_in: u32,
    ) -> Result<(), Undecided> {
        let mut uncovered = Uncovered::default();
        let mut legal = self.analysis.prover.actions(position);
        let listed = loop {
            let defence = match self.analysis.prover.next_action(&mut legal) {
                Ok(Some(defence)) => defence,
                Ok(None) => break Ok(()),
                Err(why) => break Err(why),
            };
            if let Err(why) = self.pay_for_classes(table) {
                break Err(why);
            }
            match self.row_of(table, position, &defence, &mut list.told) {
                Some(row) => self.answer(position, line, defence, row.index, list, mate_in)?,
                None => uncovered.add(defence),
            }
        };
        if listed.is_err() {
            // The rows about single actions are asked anyway.
            let mut single: Vec<(Row, Action)> =
                table.actions().map(|(action, row)| (*row, action.clone())).collect();
            single.retain(|(row, _)| !list.used.contains(&row.index));
            single.sort_unstable();
            for (row, defence) in single {
                self.answer(position, line, defence, row.index, list, mate_in)?;
            }
        }
        let missing = uncovered.finding(position, list.place, listed.is_ok());
        if let Some(finding) = missing.filter(|_| !list.lacks_rows) {
            list.lacks_rows = true;
            self.add_with_boards(finding, "Before these actions", position);
        }
        listed
    }

    /// The position after some actions from the start.
    pub(super) fn after(&self, line: &[Action]) -> Position {
        let mut position = self.start.clone();
        line.iter().for_each(|action| position.play_unchecked(action));
        position
    }

    /// The rows of a list as they are to be understood in a position.
    fn read_list(&mut self, position: &Position, first: bool, list: &mut List<'a>) -> Table<Row> {
        let mut table = Table::default();
        for (index, written) in list.rows.clone().into_iter().enumerate() {
            if self.pay_for_reading(position).is_err() {
                // Then nothing is left to go through the defences either.
                list.complete = false;
                break;
            }
            let row = Row { index, span: written.span };
            match self.texts.about(position, &written.value) {
                Ok(about) => {
                    list.unread[index] = None;
                    match about {
                        About::One(action) => {
                            let span = written.value.defence.as_ref().map_or(row.span, |text| text.span);
                            self.add_row(&mut table, action, Row { span, ..row }, &mut list.told);
                        }
                        About::Class(class) => table.add_class(class, row),
                        About::Otherwise => {
                            if index + 1 < list.rows.len() && list.told.insert(index) {
                                let message = "`otherwise` stands in the last row of its list";
                                self.findings.push(Finding::new("row", written.span, message));
                            }
                            table.set_otherwise(row);
                        }
                    }
                }
                Err(finding) if first => list.unread[index] = Some(finding),
                Err(_) => {}
            }
        }
        table
    }

    /// Plays the answer of a row to a defence, and sees whether it mates.
    fn answer(
        &mut self,
        position: &Position,
        line: &[Action],
        defence: Action,
        index: usize,
        list: &mut List<'a>,
        mate_in: u32,
    ) -> Result<(), Undecided> {
        list.used.insert(index);
        if list.told.contains(&index) {
            return Ok(());
        }
        let answer = &list.rows[index].value.answer;
        let mut after = position.clone();
        after.play_unchecked(&defence);
        if let Some(tries) = &list.rows[index].value.tries {
            let seen = &mut list.wrong_answers[index];
            seen.line = [line, std::slice::from_ref(&defence)].concat();
            let answers = self.shown.answers_after(&seen.line).into_iter();
            seen.proven = answers.filter(|(_, n)| *n <= mate_in).map(|(answer, _)| answer).collect();
            self.wrong_answers(&after, tries, mate_in, &mut list.wrong_answers[index])?;
        }
        let played = match self.texts.action(&after, answer) {
            Ok(played) => played,
            Err(finding) => {
                list.told.insert(index);
                let finding = list.rows[index].value.after_defence(finding, position, &defence);
                self.add_with_boards(finding, "Before this action", &after);
                return Ok(());
            }
        };
        if self.analysis.prover.defence_against(&after, &played, 0)?.is_none() {
            return Ok(());
        }
        after.play_unchecked(&played);
        if mate_in == 1 {
            list.told.insert(index);
            let finding = Finding::new("wrong-reply", answer.span, "this answer does not mate")
                .note("expected: checkmate")
                .note(format!("true: {}", self.standing(&after)));
            let finding = list.rows[index].value.after_defence(finding, position, &defence);
            self.add_with_boards(finding, "After the answer", &after);
        } else {
            list.open_ends[index].push([line, &[defence, played]].concat());
        }
        Ok(())
    }

    /// Whether an answer that no rows follow leaves the opponent without a defence. `mate_in` counts the answer too.
    fn answers_win(
        &mut self,
        lines: &[Vec<Action>],
        answer: &Spanned<String>,
        mate_in: u32,
        tally: &mut Tally,
    ) {
        for line in lines {
            if self.shown.length_after(line).is_some_and(|shown| shown <= mate_in) {
                continue;
            }
            if self.quick {
                tally.open = Some(NOT_SEARCHED);
                return;
            }
            let after = self.after(line);
            let (answer_made, before) = line.split_last().expect("a line ends with the answer");
            match self.analysis.prover.defence_against(&self.after(before), answer_made, mate_in - 1) {
                Ok(None) => {}
                Err(why) => {
                    tally.open = Some(why);
                    return;
                }
                Ok(Some(defence)) => {
                    let finding =
                        Finding::new("wrong-reply", answer.span, "this answer does not force mate in time")
                            .note(format!("true: {}", show_defence(&after, &defence)));
                    self.add_with_boards(finding, "After the answer", &after);
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::prover_of;
    use super::{Action, Tally, Verification};
    use crate::puzzle::report::{Answer, Step};
    use crate::puzzle::{File, Options, load, verify};
    use crate::search::{Budget, KeyClass, Solve, solve};

    /// The answer about the replies of a mate in three whose first list of later replies is replaced.
    fn answer(replies: &str, options: Options) -> Answer {
        let text = include_str!("../../../puzzles/small/today-and-yesterday.yaml");
        let (before, rest) = text.split_once("    replies:\n").expect("later replies");
        let (_, after) = rest.split_once("  - if:").expect("another reply");
        let text = format!("{before}{replies}  - if:{after}");
        let documents = load("puzzle.yaml", text.as_bytes());
        let report = verify(&documents[0], options);
        let step = report.steps.iter().find(|(step, ..)| *step == Step::RepliesComplete);
        step.expect("the step is always there").1
    }

    #[test]
    fn a_list_that_was_not_searched_is_not_complete_whatever_comes_after_it() {
        let quick = Options { quick: true, ..Options::default() };
        assert_eq!(answer("", quick), Answer::Skipped);
        assert_eq!(
            answer("    replies:\n      - { otherwise: true, answer: \"(1T2)Kb1c1#\" }\n", quick),
            Answer::Fail
        );
        assert_eq!(answer("", Options::default()), Answer::Pass);
    }

    /// A row is not unreachable because the lines that lead to it were left out.
    #[test]
    fn rows_below_a_list_that_was_left_open_are_not_missed() {
        let text = include_str!("../../../puzzles/three-actions/dragon-rook-in-3-54f1.yaml");
        let certificate =
            include_bytes!("../../../puzzles/three-actions/certificates/dragon-rook-in-3-54f1.yaml");
        let mut document = load("puzzle.yaml", text.as_bytes()).remove(0);
        document.certificate = Some(File::new("certificate.yaml", certificate).into());
        let report = verify(&document, Options { quick: true, ..Options::default() });
        assert!(report.findings.is_empty() && report.answer() == Answer::Pass, "{:?}", report.findings);
    }

    /// An answer to several defences is right only if it wins after each of them.
    #[test]
    fn an_answer_wins_in_every_line() {
        let text = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
        let document = load("puzzle.yaml", text.as_bytes()).remove(0);
        let start = document.game().expect("a start").end();
        let puzzle = document.puzzle.as_ref().expect("a puzzle");
        let found = solve(&start, Solve { mate_in: 2, all: true, budget: Budget::default() });
        let key = found.keys[0].key().clone();
        let mates = |action: &Action| {
            let mut keys = found.keys.iter().flat_map(KeyClass::keys);
            keys.any(|key| action.contains(key))
        };
        let wrong = start.legal_actions().find(|action| !mates(action)).expect("a wrong action");
        let answer = &puzzle.solutions[0].value[0];
        for (other, findings) in [(key.clone(), 0), (wrong, 1)] {
            let mut prover = prover_of(puzzle, Options::default());
            let mut asking = Verification::new(&document, puzzle, &start, Options::default(), &mut prover);
            let mut tally = Tally::default();
            asking.answers_win(&[vec![key.clone()], vec![other]], answer, 2, &mut tally);
            assert!(tally.open.is_none());
            assert_eq!(asking.findings.len(), findings, "{:?}", asking.findings);
        }
    }
}
