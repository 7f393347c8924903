//! Objections to the `point` of a puzzle: statements that the lines and the proof contradict. Begin at [`Editor::point`].

use super::super::claims::{self, Claim, Deed, Who, captures, does};
use super::Editor;
use crate::notation::pgn5d::action_text;
use crate::search::Threat;
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The words of a point, in small letters.
struct Words {
    all: Vec<String>,
    /// The same with a blank before, between and after them, to look for several together.
    joined: String,
}

impl Words {
    fn of(point: &str) -> Words {
        let lower = point.to_ascii_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let all: Vec<String> = words.map(str::to_owned).collect();
        let joined = format!(" {} ", all.join(" "));
        Words { all, joined }
    }

    fn has(&self, any: &[&str]) -> bool {
        self.all.iter().any(|word| any.contains(&word.as_str()))
    }

    /// Whether these words stand together.
    fn says(&self, words: &str) -> bool {
        self.joined.contains(&format!(" {words} "))
    }

    /// Whether the first action is said to do one of these.
    fn says_of_first(&self, deeds: &[&str]) -> bool {
        let firsts = ["first move", "first action", "key"];
        firsts.iter().any(|first| deeds.iter().any(|deed| self.says(&format!("{first} {deed}"))))
    }
}

impl Editor<'_> {
    /// Objects to words of `point` that the proof does not support.
    pub(super) fn point(&mut self) -> Result<(), Undecided> {
        let (Some(point), Some(n)) = (&self.puzzle.point, self.mate_in()) else { return Ok(()) };
        let words = Words::of(&point.value);
        self.number_of_solutions(&words);
        self.first_actions(&words);
        if n > 1 {
            self.play(&words, n)?;
        }
        // `Only together with` says that neither is enough, not that there is one solution.
        let says_with = words.says("only with") || words.says("only together");
        let has_several = self.puzzle.unique.as_ref().is_some_and(|unique| !unique.value);
        if words.has(&["only", "unique"]) && !says_with && has_several {
            self.object_to_point("the point says `only`, but there are several solutions");
        }
        self.claims()
    }

    fn object_to_point(&mut self, message: impl Into<String>) {
        if let Some(point) = &self.puzzle.point {
            self.object("point", point.span, message);
        }
    }

    /// Objects to another number of solutions than are listed.
    fn number_of_solutions(&mut self, words: &Words) {
        let keys = self.keys().len();
        let numbers = [("two", 2), ("three", 3), ("four", 4)].into_iter().filter(|(_, count)| *count != keys);
        let mut said =
            numbers.flat_map(|(number, _)| ["solutions", "keys"].map(|what| format!("{number} {what}")));
        if let Some(said) = said.find(|said| words.says(said)) {
            let listed = if keys == 1 { "there is one".to_owned() } else { format!("there are {keys}") };
            self.object_to_point(format!("the point says `{said}`, but {listed}"));
        }
    }

    /// Objects to deeds of the first action that the listed ones do not do.
    fn first_actions(&mut self, words: &Words) {
        let says_capture = words.says_of_first(&["is a capture", "captures"]);
        let says_check = words.says_of_first(&["is a check", "gives check"]);
        let says_quiet = words.has(&["quiet", "quietly"]);
        for key in self.keys() {
            let text = format!("`{}`", action_text(self.start, &key));
            let gives_check = self.resolved.after(std::slice::from_ref(&key)).is_in_check();
            if says_capture && !key.moves().iter().any(|m| captures(self.start, m)) {
                self.object_to_point(format!(
                    "the point says that the first move captures, but {text} does not"
                ));
            }
            if says_check && !gives_check {
                self.object_to_point(format!(
                    "the point says that the first move gives check, but {text} does not"
                ));
            }
            if says_quiet && gives_check {
                self.object_to_point(format!("the point calls something quiet, but {text} gives check"));
            }
        }
    }

    /// Objects to words about what follows the first action of a mate in `n`.
    fn play(&mut self, words: &Words, n: u32) -> Result<(), Undecided> {
        let says_zugzwang = words.has(&["zugzwang", "waits", "waiting"]);
        let says_sacrifice = words.has(&["sacrifice", "sacrifices", "sacrificed"]);
        let says_no_duals = ["no dual", "no duals", "free of duals"].iter().any(|said| words.says(said));
        if !(says_zugzwang || says_sacrifice || says_no_duals) {
            return Ok(());
        }
        for key in self.solving_keys()? {
            let text = format!("`{}`", action_text(self.start, &key));
            let line = std::slice::from_ref(&key);
            let after = self.resolved.after(line);
            if says_zugzwang {
                let threat = self.analysis(n).threat(&key)?;
                if after.is_in_check() {
                    self.object_to_point(format!("the point speaks of waiting, but {text} gives check"));
                } else if let Threat::Mates(_) = threat {
                    self.object_to_point(format!("the point speaks of waiting, but {text} threatens mate"));
                }
            }
            if says_sacrifice {
                let variations = self.analysis(n).variations(line, n - 1, usize::MAX).found()?;
                let takes = |action: &Action| action.moves().iter().any(|m| captures(&after, m));
                if !variations.iter().any(|variation| takes(&variation.defence)) {
                    self.object_to_point(format!(
                        "the point speaks of a sacrifice, but after {text} nothing can be captured"
                    ));
                }
            }
            if says_no_duals && !self.analysis(n).duals(line)?.is_empty() {
                self.object_to_point("the point says that there are no duals, but there are some");
            }
        }
        Ok(())
    }

    /// Objects to statements of `point` that no line supports.
    fn claims(&mut self) -> Result<(), Undecided> {
        let (Some(point), Some(n)) = (&self.puzzle.point, self.mate_in()) else { return Ok(()) };
        for said in claims::of(&point.value) {
            let contradiction = match said.claim {
                Claim::Length(length) if length > n => format!("{said}, but it mates in {n}"),
                Claim::Length(_) => continue,
                Claim::Does(who, deed) if self.is_done(who, deed)? => continue,
                Claim::Does(..) => format!("{said}, but that happens in no line and no try"),
            };
            self.object_to_point(contradiction);
        }
        Ok(())
    }

    /// Whether a statement is true in a line of the solution, in the proof, or in a listed try.
    fn is_done(&mut self, who: Who, deed: Deed) -> Result<bool, Undecided> {
        let n = self.mate_in().unwrap_or_default();
        let tries = self.puzzle.tries.iter().flat_map(|tries| &tries.value.rows.0);
        let tries = tries.filter_map(|(action, row)| {
            let line = [action.clone(), row.reply.clone()];
            self.resolved.line(self.start, &line).or_else(|| self.resolved.line(self.start, &line[..1]))
        });
        let mut lines = self.resolved.solutions.iter().cloned().chain(tries);
        if lines.any(|line| happens(self.start, &line, who, deed)) {
            return Ok(true);
        }
        for key in self.solving_keys()? {
            if self.follows(&mut vec![key], n - 1, who, deed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a statement is true in the proof after a line whose last action mates in `left` more.
    fn follows(
        &mut self,
        line: &mut Vec<Action>,
        left: u32,
        who: Who,
        deed: Deed,
    ) -> Result<bool, Undecided> {
        if left == 0 {
            return Ok(false);
        }
        let n = self.mate_in().unwrap_or_default();
        let mut analysis = self.analysis(n);
        let position = analysis.after(line);
        for variation in analysis.variations(line, left, usize::MAX).found()? {
            let mut defended = position.clone();
            defended.play_unchecked(&variation.defence);
            let answers: Vec<&Action> = variation.answers.iter().flat_map(|class| class.keys()).collect();
            if does(&position, &variation.defence, who, deed)
                || answers.iter().any(|answer| does(&defended, answer, who, deed))
            {
                return Ok(true);
            }
            line.push(variation.defence);
            for class in &variation.answers {
                line.push(class.key().clone());
                let happens = self.follows(line, variation.mates_in - 1, who, deed);
                line.pop();
                if happens? {
                    return Ok(true);
                }
            }
            line.pop();
        }
        Ok(false)
    }
}

/// Whether a statement is true in a line, as far as the line can be read.
fn happens(start: &Position, line: &[Action], who: Who, deed: Deed) -> bool {
    let mut position = start.clone();
    for action in line {
        if does(&position, action, who, deed) {
            return true;
        }
        position.play_unchecked(action);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::{Prover, budget_of, review};
    use super::{Editor, claims};
    use crate::puzzle::load::shipped_files;
    use crate::puzzle::model::Goal;
    use crate::puzzle::resolve::Resolved;
    use crate::puzzle::{Options, load};

    fn objections_to_point(point: &str) -> Vec<String> {
        let text = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
        let (before, after) = text.split_once("\npoint: ").unwrap();
        let after = after.split_once('\n').unwrap().1;
        let text = format!("{before}\npoint: \"{point}\"\n{after}");
        let document = load("puzzle.yaml", text.as_bytes()).remove(0);
        let review = review(&document, Options::default());
        let about = review.objections.into_iter().filter(|objection| objection.code == "point");
        let line = text[..text.find("point:").unwrap()].lines().count();
        about
            .map(|objection| {
                let place = document.file.location(objection.span.range().start).line;
                assert_eq!(place, line + 1);
                objection.message
            })
            .collect()
    }

    #[test]
    fn a_point_is_compared_with_the_proof() {
        for (point, words) in [
            (
                "White's queen gives check and mates in three.",
                &["White's queen gives check", "mates in three"][..],
            ),
            ("White castles.", &["White castles"]),
            ("The rook promotes, and the knight mates.", &["rook promotes", "knight mates"]),
            ("A pawn is taken en passant.", &["en passant"]),
            ("Black's bishop captures.", &["Black's bishop captures"]),
            ("There are two solutions.", &["two solutions"]),
            ("The rook moves, Black's king captures it, and the rook gives mate.", &[]),
            ("If White castles, nothing mates in three.", &[]),
        ] {
            let found = objections_to_point(point);
            assert_eq!(found.len(), words.len(), "{point}: {found:?}");
            for (message, words) in found.iter().zip(words) {
                assert!(message.contains(&format!("`{words}`")), "{message}");
            }
        }
    }

    #[test]
    fn what_a_point_says_of_the_first_move_is_compared() {
        for (point, count) in [
            ("The first move is a capture.", 1),
            ("The key gives check, and the rook mates.", 0),
            ("The first move is no capture, and the next one gives check.", 0),
        ] {
            assert_eq!(objections_to_point(point).len(), count, "{point}");
        }
    }

    /// The points of the shipped puzzles are true.
    #[test]
    fn shipped_points_hold() {
        let mut claims = 0;
        let files = shipped_files();
        for document in files.iter().flat_map(|(name, text)| load(name, text.as_bytes())) {
            let Ok(puzzle) = &document.puzzle else { panic!("{}", document.id) };
            let said = puzzle.point.as_ref().map(|point| claims::of(&point.value)).unwrap_or_default();
            if said.is_empty() || !matches!(puzzle.goal.value, Goal::MateIn(_)) {
                continue;
            }
            claims += said.len();
            let resolved = Resolved::of(&document).unwrap();
            let mut editor = Editor::new(&resolved, Prover::new(budget_of(puzzle, Options::default())));
            assert_eq!(editor.claims(), Ok(()), "{}", document.id);
            assert_eq!(editor.objections, [], "{}", document.id);
        }
        assert!(claims > 50, "{claims}");
    }
}
