//! Keeps account of the answers that an engine owes.

use super::said::Said;

/// The numbers of answers that were asked for and have not come yet.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Dialogue {
    oks: u32,
    readies: u32,
    moves: u32,
    byes: u32,
}

impl Dialogue {
    /// Counts the answer that a line of the host asks for.
    pub fn say(&mut self, line: &str) {
        match line.split_ascii_whitespace().next() {
            Some("5duci") => self.oks += 1,
            Some("isready") => self.readies += 1,
            Some("go") => self.moves += 1,
            Some("quit") => self.byes += 1,
            _ => {}
        }
    }

    /// Counts an answer. Returns false if it was not asked for.
    pub fn hear(&mut self, said: &Said<'_>) -> bool {
        let owed = match said {
            Said::Ok => &mut self.oks,
            Said::Ready => &mut self.readies,
            Said::BestMove(_) | Said::NoBestMove => &mut self.moves,
            Said::Bye => &mut self.byes,
            Said::Info(_) | Said::Other => return true,
        };
        let was_owed = *owed > 0;
        *owed = owed.saturating_sub(1);
        was_owed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_question_has_one_answer() {
        let mut dialogue = Dialogue::default();
        assert!(!dialogue.hear(&Said::Ok), "nobody has asked");
        for (question, answer) in [
            ("5duci", Said::Ok),
            ("isready", Said::Ready),
            ("go movetime 5", Said::NoBestMove),
            ("go", Said::BestMove(vec![])),
            ("quit", Said::Bye),
        ] {
            dialogue.say(question);
            assert!(dialogue.hear(&answer), "{question}");
            assert!(!dialogue.hear(&answer), "{question}, twice");
        }
        dialogue.say("stop");
        dialogue.say("position startpos");
        assert_eq!(dialogue, Dialogue::default());
        assert!(dialogue.hear(&Said::Info(None)) && dialogue.hear(&Said::Other));
    }
}
