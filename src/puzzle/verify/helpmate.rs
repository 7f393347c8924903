//! Helpmates: every line is its own proof; that there is no other and no shorter one needs a search.

use super::{NEEDS_SEARCH, StepResult, Verification, pass, skipped};
use crate::notation::pgn5d;
use crate::puzzle::finding::Finding;
use crate::puzzle::model::Spanned;
use crate::search::{Analysis, Prover, line_contains};
use crate::state::Position;
use crate::types::Action;

/// The most lines that are looked for.
pub(in crate::puzzle) const MOST: usize = 1_000;

/// A line as a file has it.
fn line_text(start: &Position, line: &[Action]) -> String {
    format!("`{}`", pgn5d::line_texts(start, line).0.join("` / `"))
}

impl Verification<'_> {
    /// Whether the lines end in mate, and whether there is a helpmate at all.
    pub(super) fn helpmate_proven(&mut self, count: &Spanned<u32>) -> StepResult {
        let n = count.value;
        let good = match self.unfinished_lines() {
            Ok(unfinished) => self.lines.len() - unfinished.len(),
            Err(why) => return self.undecided(why),
        };
        let proven = pass(format!("helpmate in {n}: each line proves itself"));
        let help = match self.quick {
            false => self.analysis.helpmates(MOST),
            true => match self.analysis.prover.listed_helpmates(self.start, 2 * n as usize) {
                Ok(help) => help,
                Err(_) => return if good > 0 { proven } else { skipped(NEEDS_SEARCH) },
            },
        };
        self.open = help.undecided;
        let (is_none, open) = (help.complete && help.lines.is_empty(), help.undecided);
        self.helpmates = Some(help);
        if is_none {
            let message = format!("there is no helpmate in {n}");
            let finding = Finding::new("no-such-mate", count.span, message)
                .note("both players together cannot reach it".to_owned());
            self.add_with_boards(finding, "The start", self.start);
        } else if let (0, Some(why)) = (good, open) {
            return self.undecided(why);
        } else if good == 0 {
            return skipped("no legal line");
        }
        proven
    }

    /// Whether there is no helpmate in fewer actions.
    pub(super) fn shortest_help(&mut self, count: &Spanned<u32>) -> StepResult {
        if count.value == 1 {
            return pass("nothing is shorter than 1");
        }
        for shorter in 1..count.value {
            let plies = 2 * shorter as usize;
            let help = match self.quick {
                false => Analysis::new(self.analysis.prover, self.start, shorter).helpmates(1),
                true => match self.analysis.prover.listed_helpmates(self.start, plies) {
                    Ok(help) => help,
                    Err(_) => return skipped(NEEDS_SEARCH),
                },
            };
            if let Some(line) = help.lines.first() {
                let message = format!("there is a shorter helpmate, in {shorter}");
                let finding = Finding::new("shorter-mate", count.span, message)
                    .note(format!("true: {}", line_text(self.start, line)));
                self.add_with_boards(finding, "The start", self.start);
                break;
            }
            if let Some(why) = help.undecided {
                return self.undecided(why);
            }
            self.search_only |=
                !self.quick && !self.analysis.prover.confirms_helpmates(self.start, plies, &[]);
        }
        pass(format!("no helpmate in {}", count.value - 1))
    }

    /// Whether every helpmate has a line, no line has a move that is not needed, and `unique` is right.
    pub(super) fn helpmates_listed(&mut self) -> StepResult {
        let Some(help) = self.helpmates.take() else { return self.no_proof() };
        let plies = 2 * self.analysis.n() as usize;
        let prover = &mut self.analysis.prover;
        let is_shown = |prover: &mut Prover<'_>| prover.confirms_helpmates(self.start, plies, &help.lines);
        self.search_only = !(help.complete && (self.quick || is_shown(prover)));
        let said = self.compare_helpmates(&help.lines, help.complete);
        self.helpmates = Some(help);
        said
    }

    fn compare_helpmates(&mut self, lines: &[Vec<Action>], complete: bool) -> StepResult {
        let listed = self.lines.clone();
        for line in &listed {
            let part = lines.iter().find(|part| **part != line.actions && line_contains(&line.actions, part));
            if let Some(part) = part {
                let message = "this line mates, but not all of its moves are needed";
                let finding = Finding::new("superfluous-move", line.written[0].span, message)
                    .note(format!("true: {} mates too", line_text(self.start, part)));
                self.findings.push(finding);
            }
        }
        // If not all were found, a line that holds no listed one still shows that one is missing.
        let is_missing = |line: &&Vec<Action>| match complete {
            true => listed.iter().all(|known| known.actions != **line),
            false => !listed.iter().any(|known| line_contains(line, &known.actions)),
        };
        let missing = lines.iter().filter(is_missing);
        let missing = missing.map(|line| format!("also mates: {}", line_text(self.start, line))).collect();
        self.report_missing(missing, if complete { "" } else { "at least " });
        if !complete {
            return match self.open {
                Some(why) => self.undecided(why),
                None => (crate::puzzle::Answer::Undecided, format!("there are {MOST} lines or more")),
            };
        }
        let solutions = self.check_unique(lines.len());
        pass(format!("{solutions} in all"))
    }
}
