//! Defences with several answers, and what would be answered if the opponent were to move.

use std::collections::{BTreeMap, BTreeSet};

use super::tables::NOT_SEARCHED;
use super::{NEEDS_SEARCH, StepResult, Verification, counted, pass, show, show_defence, skipped};
use crate::notation::pgn5d;
use crate::puzzle::finding::Finding;
use crate::puzzle::model::{Dual as Written, Duals, Goal, Spanned};
use crate::search::{Dual, KeyClass, Variation, after_null_action};
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The most duals, and the most answers, that a finding names.
const NAMED: usize = 10;

impl Verification<'_> {
    /// Whether the duals of the file are those that there are.
    pub(super) fn duals_listed(&mut self) -> StepResult {
        let (Goal::MateIn(_), Some(written)) = (&self.puzzle.goal.value, &self.puzzle.duals) else {
            return skipped("no mate is claimed");
        };
        let mut found: BTreeMap<Vec<Action>, Dual> = BTreeMap::new();
        for (_, key) in self.listed() {
            let duals = if self.quick { self.shown_duals(&key) } else { self.analysis.all_duals(&key) };
            match duals {
                Err(_) if self.quick => return skipped(NEEDS_SEARCH),
                Err(why) => return self.undecided(why),
                Ok((duals, evident)) => {
                    self.search_only |= !evident;
                    found.extend(duals.into_iter().map(|dual| (dual.line.clone(), dual)));
                }
            }
        }
        let said = if found.is_empty() { "none".to_owned() } else { counted(found.len(), "dual") };
        let rows: &[Spanned<Written>] = match &written.value {
            Duals::None => &[],
            Duals::Listed(rows) => rows,
        };
        let mut seen = BTreeSet::new();
        for row in rows {
            if let Err(why) = self.pay_for_reading(self.start) {
                return self.undecided(why);
            }
            let Some((line, after)) = self.play_line(self.start, &row.value.after) else { continue };
            if !seen.insert(line.clone()) {
                let finding = Finding::new("repeated-row", row.span, "this defence has another row");
                self.findings.push(finding);
                continue;
            }
            match found.get(&line) {
                Some(dual) => self.dual_listed(row, dual, &after),
                None => {
                    let message = "there is no choice of answers to this defence";
                    self.findings.push(Finding::new("no-dual", row.span, message));
                }
            }
        }
        let missing: Vec<&Dual> = found.values().filter(|dual| !seen.contains(&dual.line)).collect();
        if !missing.is_empty() {
            let message = match missing.len() {
                1 => "a dual is not listed".to_owned(),
                many => format!("{many} duals are not listed"),
            };
            let mut finding = Finding::new("unlisted-dual", written.span, message);
            for dual in missing.iter().take(NAMED) {
                finding = finding.note(describe(self.start, dual));
            }
            if missing.len() > NAMED {
                finding = finding.note(format!("and {} more", missing.len() - NAMED));
            }
            self.findings.push(finding);
        }
        pass(said)
    }

    /// The duals after a key as the certificate beside the puzzle shows them, without a search. Actions that mate at once are listed. Of
    /// longer mates the certificate proves answers, and its replies show that no other action mates as soon.
    fn shown_duals(&mut self, key: &Action) -> Result<(Vec<Dual>, bool), Undecided> {
        let mut duals = Vec::new();
        if self.analysis.n() == 1 {
            return Ok((duals, true));
        }
        let mut open = vec![vec![key.clone()]];
        while let Some(line) = open.pop() {
            let mut after = self.after(&line);
            let before = after.clone();
            let mut defences = self.analysis.prover.actions(&before);
            while let Some(defence) = self.analysis.prover.next_action(&mut defences)? {
                after.play_unchecked(&defence);
                let answers = self.analysis.prover.mates_in_one(&after)?;
                let line = [&line[..], std::slice::from_ref(&defence)].concat();
                let (mates_in, answers) = match answers {
                    answers if answers.is_empty() => self.shown_answers(&line, &after)?,
                    answers => (1, answers),
                };
                after.undo_unchecked(&defence);
                if mates_in > 1 {
                    open.extend(answers.iter().map(|class| [&line[..], &[class.key().clone()]].concat()));
                }
                if answers.len() > 1 {
                    duals.push(Dual { line, mates_in, answers });
                }
            }
        }
        duals.sort_by(|a, b| (a.line.len(), &a.line).cmp(&(b.line.len(), &b.line)));
        Ok((duals, true))
    }

    /// The answers that mate soonest after a line, in two actions or more, and in how many, as the certificate beside the puzzle shows.
    fn shown_answers(
        &mut self,
        line: &[Action],
        after: &Position,
    ) -> Result<(u32, Vec<KeyClass>), Undecided> {
        let shown = self.shown.answers_after(line);
        let mates_in = shown.iter().map(|(_, n)| *n).min().ok_or(NOT_SEARCHED)?;
        let soonest: Vec<Action> =
            shown.into_iter().filter(|(_, n)| *n == mates_in).map(|(answer, _)| answer).collect();
        let is_part = |part: &Action, of: &Action| part != of && of.contains(part);
        let is_minimal = |answer: &&Action| !soonest.iter().any(|part| is_part(part, answer));
        let keys: Vec<Action> = soonest.iter().filter(is_minimal).cloned().collect();
        let prover = &mut self.analysis.prover;
        let is_shortest = mates_in <= 2 || prover.is_denied(after, mates_in - 1, &[]);
        if !is_shortest || !prover.is_denied(after, mates_in, &keys) {
            return Err(NOT_SEARCHED);
        }
        Ok((mates_in, prover.classes_of(after, &keys)?))
    }

    /// The answers that mate after each line of the solutions, in two actions or more, each with the number of actions in which it must:
    /// those of which the steps before took note, and those that mate soonest, as far as the budget goes.
    pub(super) fn all_mating_answers(&mut self) -> Vec<(Vec<Action>, Action, u32)> {
        let _ = self.note_soonest_answers();
        let noted = std::mem::take(&mut self.mating_answers).into_iter();
        let answers = noted.flat_map(|(line, answers)| {
            answers.into_iter().map(move |(answer, n)| (line.clone(), answer, n))
        });
        answers.collect()
    }

    /// Takes note of all answers that mate soonest after each line of the solutions.
    fn note_soonest_answers(&mut self) -> Result<(), Undecided> {
        let keys = self.listed();
        let mut open: Vec<_> = keys.into_iter().map(|(_, key)| (vec![key], self.analysis.n() - 1)).collect();
        while let Some((line, left)) = open.pop() {
            for variation in self.analysis.variations(&line, left, usize::MAX).found()? {
                let Variation { defence, mates_in, answers } = variation;
                let line = [&line[..], &[defence]].concat();
                for class in answers.iter().filter(|_| mates_in > 1) {
                    class.keys().iter().for_each(|answer| self.note_answer(&line, answer, mates_in));
                    open.push(([&line[..], &[class.key().clone()]].concat(), mates_in - 1));
                }
            }
        }
        Ok(())
    }

    /// Whether a row has one answer of each class.
    fn dual_listed(&mut self, row: &Spanned<Written>, dual: &Dual, after: &Position) {
        let mut classes = BTreeSet::new();
        for written in &row.value.answers {
            let Some(answer) = self.play(&mut after.clone(), written) else { continue };
            match dual.answers.iter().position(|class| class.contains(&answer)) {
                None => {
                    let message = format!(
                        "this action does not mate in {}, or not all of its moves are needed",
                        dual.mates_in
                    );
                    self.findings.push(Finding::new("wrong-reply", written.span, message));
                }
                Some(class) if !classes.insert(class) => {
                    let message = "this answer is of the class of another one";
                    self.findings.push(Finding::new("repeated-row", written.span, message));
                }
                Some(_) => {}
            }
        }
        let missing: Vec<&KeyClass> = (0..dual.answers.len())
            .filter(|class| !classes.contains(class))
            .map(|class| &dual.answers[class])
            .collect();
        if !missing.is_empty() {
            let message = "an answer to this defence is not listed";
            let mut finding = Finding::new("unlisted-dual", row.span, message);
            for class in missing.iter().take(NAMED) {
                finding = finding.note(format!("also mates: {}", show(after, class.key())));
            }
            self.findings.push(finding);
        }
    }

    /// Whether the set play is legal once the solver has passed, and mates whatever the opponent plays later.
    pub(super) fn set_play_holds(&mut self) -> StepResult {
        let Goal::MateIn(count) = &self.puzzle.goal.value else { return skipped("no mate is claimed") };
        let Some(passed) = after_null_action(self.start) else {
            let span = self.puzzle.set_play[0].span;
            let message = "there is no set play, since the opponent is not to move after a pass here";
            self.findings.push(Finding::new("set-play", span, message));
            return pass("");
        };
        let mut open = None;
        for line in &self.puzzle.set_play {
            if let Err(why) = self.set_line(&passed, &line.value, count.value) {
                open = Some(why);
            }
        }
        self.unless_open(open, pass(counted(self.puzzle.set_play.len(), "line")))
    }

    fn set_line(
        &mut self,
        passed: &Position,
        line: &[Spanned<String>],
        mate_in: u32,
    ) -> Result<(), Undecided> {
        let mut position = passed.clone();
        let mut left = mate_in - 1;
        for (index, written) in line.iter().enumerate() {
            self.pay_for_reading(&position)?;
            let before = position.clone();
            let Some(answer) = self.play(&mut position, written) else { return Ok(()) };
            if index % 2 == 0 {
                continue;
            }
            left -= 1;
            let is_last = index + 1 == line.len();
            if !is_last && self.quick {
                return Err(NOT_SEARCHED);
            }
            if let Some(defence) =
                self.analysis.prover.defence_against(&before, &answer, if is_last { 0 } else { left })?
            {
                let message = if is_last {
                    "this line does not end in mate"
                } else {
                    "this answer does not force mate in time"
                };
                let finding = Finding::new("set-play", written.span, message)
                    .note(format!("true: {}", show_defence(&position, &defence)));
                self.add_with_boards(finding, "After this action", &position);
                return Ok(());
            }
        }
        Ok(())
    }
}

/// A dual in words: the line, and what answers it.
fn describe(start: &Position, dual: &Dual) -> String {
    let (line, position) = pgn5d::line_texts(start, &dual.line);
    let answers = dual.answers.iter().take(NAMED).map(|class| show(&position, class.key()));
    format!(
        "after `{}` mate in {}: {}",
        line.join(" / "),
        dual.mates_in,
        answers.collect::<Vec<_>>().join(", ")
    )
}
