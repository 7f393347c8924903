//! The certificate beside the puzzle.

use super::{Answer, Asking, Said, counted, pass, skipped};
use crate::puzzle::certificate::{BUDGET, Claim, read};
use crate::puzzle::model::Goal;
use crate::types::Action;

impl Asking<'_> {
    pub(super) fn certificate_accepted(&mut self) -> Said {
        let Some(file) = self.certificate else { return skipped("none") };
        let Goal::MateIn(count) = &self.puzzle.goal.value else { return skipped("no mate is claimed") };
        let keys: Vec<Action> = self.listed().into_iter().map(|(_, key)| key).collect();
        let checked = match read(&file.text) {
            Ok(certificate) => {
                let (puzzle, start) = (self.puzzle.id.value.as_str(), self.start);
                certificate.check(Claim { puzzle, start, mate_in: count.value, keys: &keys }, BUDGET)
            }
            Err(mut finding) => {
                finding.in_certificate = true;
                self.findings.push(finding);
                return pass("");
            }
        };
        for mut finding in checked.findings {
            finding.in_certificate = true;
            self.findings.push(finding);
        }
        match checked.undecided {
            0 => pass(format!(
                "{}, {}",
                counted(checked.keys, "key"),
                counted(checked.defences as usize, "defence")
            )),
            open => (Answer::Undecided, format!("{} took too long", counted(open, "key"))),
        }
    }
}
