//! Errors in a puzzle that can be found without the rules of the game.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::grammar::fields_of_goal;
use super::model::{
    ClassText, Duals, Goal, Lesson, Puzzle, Refutation, Reply, STALEMATE, Scope, Spanned, Start, Starts,
    Tries,
};
use crate::notation::{Format, Span};
use crate::spelling::edit_distance;
use crate::types::{PieceKind, Promotions, RuleProfile};

/// The code of the only error that can be mended without knowing what the author meant.
pub const NO_SOLUTIONS: &str = "no-solutions";
/// The longest mate that can be claimed.
pub const MAX_MATE_IN: u32 = 20;
/// The most hints: the first says little, the last nearly all.
pub(super) const MAX_HINTS: usize = 3;
/// The greatest difficulty.
pub(super) const MAX_DIFFICULTY: u32 = 5;
/// The order of the players where the opponent mates.
const OPPONENT_MATES: &str = "the player to move begins, and the opponent mates with the last action";
/// The longest id.
pub const MAX_ID: usize = 80;

/// Everything that is wrong with a puzzle whose document is as the grammar says.
pub(super) fn check(puzzle: &Puzzle) -> Vec<Finding> {
    let mut check = Check::default();
    check.puzzle(puzzle);
    check.findings
}

/// The search for errors in a puzzle and its twins.
#[derive(Default)]
pub(super) struct Check {
    findings: Vec<Finding>,
}

impl Check {
    /// Everything that is wrong with a twin of a puzzle in which nothing is wrong. What it has of the puzzle is not looked at again.
    pub(super) fn twin(&mut self, merged: &Puzzle) -> Vec<Finding> {
        self.goal(merged);
        std::mem::take(&mut self.findings)
    }

    fn refuse(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.findings.push(Finding::new(code, span, message));
    }

    fn refuse_with_hint(&mut self, code: &'static str, span: Span, message: impl Into<String>, hint: &str) {
        self.findings.push(Finding::new(code, span, message).hint(hint));
    }

    fn puzzle(&mut self, puzzle: &Puzzle) {
        let id = &puzzle.id;
        if id.value.len() > MAX_ID {
            self.refuse("id", id.span, format!("an id has at most {MAX_ID} characters"));
        } else if !is_kebab_case(&id.value) {
            let hint = "for example `rook-tactics-4`";
            self.refuse_with_hint(
                "id",
                id.span,
                "expected an id of small letters and digits, with single hyphens between them",
                hint,
            );
        }
        self.for_solvers(puzzle);
        self.themes(&puzzle.themes);
        self.start(&puzzle.start);
        self.rules(puzzle);
        self.goal(puzzle);
        if let Some(tries) = &puzzle.tries {
            self.tries(&tries.value);
        }
        for row in &puzzle.replies {
            self.reply(row, puzzle.solutions.len() > 1, true);
        }
        if let Some(duals) = &puzzle.duals {
            self.duals(&duals.value);
        }
        self.twins(puzzle);
        if let Some(nodes) = puzzle.budget.nodes.as_ref().filter(|nodes| nodes.value == 0) {
            self.refuse("budget", nodes.span, "expected a budget of at least 1 search step");
        }
    }

    /// The names of twins, and what they change. Everything else is checked in the puzzle that each of them is.
    fn twins(&mut self, puzzle: &Puzzle) {
        let mut earlier = BTreeSet::new();
        for Spanned { value: twin, .. } in &puzzle.twins {
            let id = &twin.id;
            if puzzle.id.value.len() + 1 + id.value.len() > MAX_ID {
                self.refuse(
                    "id",
                    id.span,
                    format!("with the id of the puzzle it has more than {MAX_ID} characters"),
                );
            } else if !is_kebab_case(&id.value) {
                let hint = "for example `b`; it comes behind the id of the puzzle and a hyphen";
                self.refuse_with_hint("id", id.span, "expected small letters and digits", hint);
            } else if !earlier.insert(&id.value) {
                self.refuse("repeated-id", id.span, "another twin has this id");
            }
            if twin.change.is_empty() {
                let hint = "for example `{ remove: \"(0T1)a2\" }`";
                self.refuse_with_hint("change", id.span, "expected at least one change", hint);
            }
        }
    }

    /// Fields for people who solve it.
    fn for_solvers(&mut self, puzzle: &Puzzle) {
        if let Some(more) = puzzle.hints.get(MAX_HINTS) {
            self.refuse("hints", more.span, format!("a puzzle has at most {MAX_HINTS} hints"));
        }
        if let Some(lesson) = &puzzle.lesson {
            let Lesson { number, rule, .. } = &lesson.value;
            if number.value == 0 {
                self.refuse("lesson", number.span, "lessons are numbered from 1");
            }
            if let Some(rule) = rule.as_ref().filter(|rule| !is_rule(&rule.value)) {
                self.refuse("lesson", rule.span, "expected the number of a rule, such as `R-2.4`");
            }
        }
        let is_grade = |grade: &u32| (1..=MAX_DIFFICULTY).contains(grade);
        if let Some(difficulty) = puzzle.difficulty.as_ref().filter(|grade| !is_grade(&grade.value)) {
            let message = format!("expected a number from 1 to {MAX_DIFFICULTY}, from easy to hard");
            self.refuse("difficulty", difficulty.span, message);
        }
        if let Some(date) = puzzle.date.as_ref().filter(|date| !is_date(&date.value)) {
            self.refuse_with_hint(
                "date",
                date.span,
                "expected a date",
                "for example `2026-11-22`, or `2026`",
            );
        }
        for comment in puzzle.comments.iter().filter(|comment| comment.value.after.is_empty()) {
            self.refuse("comment", comment.span, "expected at least one action under `after`");
        }
    }

    fn duals(&mut self, duals: &Duals) {
        let Duals::Listed(rows) = duals else { return };
        for row in rows {
            if row.value.after.is_empty() || !row.value.after.len().is_multiple_of(2) {
                let hint =
                    "the solution, the defence, and for longer mates the answer, the next defence and so on";
                self.refuse_with_hint("dual", row.span, "`after` ends with the opponent's action", hint);
            }
            if row.value.answers.len() < 2 {
                self.refuse("dual", row.span, "expected at least two answers, one of each class");
            }
        }
    }

    fn tries(&mut self, tries: &Tries) {
        if let (Scope::Plausible, Some(reply)) = (tries.scope, tries.otherwise.first()) {
            let hint = "write `scope: all`";
            self.refuse_with_hint("scope", reply.span, "`otherwise` answers every wrong action", hint);
        }
        for (_, Refutation { reply, refutations }) in &tries.rows.0 {
            if let Some(count) = refutations {
                if reply.value == STALEMATE {
                    self.refuse(
                        "count",
                        count.span,
                        "`refutations` counts replies, but after stalemate there is none",
                    );
                } else if count.value == 0 {
                    self.refuse(
                        "count",
                        count.span,
                        "expected at least 1 refutation, since the reply of the row is one",
                    );
                }
            }
        }
        for row in &tries.classes {
            self.class(&row.value.class);
        }
    }

    fn class(&mut self, class: &Spanned<ClassText>) {
        if class.value.0.is_empty() {
            let hint = "`otherwise: true` stands for all other actions";
            self.refuse_with_hint("class", class.span, "expected at least one board in the class", hint);
        }
        for (board, starts) in &class.value.0 {
            if matches!(starts, Starts::Listed(moves) if moves.is_empty()) {
                let hint = "`pass` stands for no move, and `any` for all of them";
                self.refuse_with_hint("class", board.span, "expected at least one move for this board", hint);
            }
        }
    }

    fn themes(&mut self, written: &[Spanned<String>]) {
        let mut earlier = BTreeSet::new();
        for theme in written {
            if !themes().any(|(name, _)| name == theme.value) {
                let message = format!("there is no theme `{}`", theme.value);
                let finding = Finding::new("unknown-theme", theme.span, message);
                self.findings.push(match closest(&theme.value, themes().map(|(name, _)| name)) {
                    Some(near) => finding.misspelt(near),
                    None => finding.hint("`puzzles/themes.toml` lists them"),
                });
            } else if !earlier.insert(&theme.value) {
                self.refuse("repeated-theme", theme.span, "this theme is written twice");
            }
        }
    }

    fn start(&mut self, start: &Spanned<Start>) {
        let Start { size, fen, variant, fen_text, pgn_text, notation, text, moves } = &start.value;
        let ways = [fen.is_some(), variant.is_some(), fen_text.is_some(), pgn_text.is_some(), text.is_some()];
        match ways.iter().filter(|&&way| way).count() {
            0 => {
                let hint =
                    "write `fen` with `size`, or `variant`, `5dfen`, `5dpgn`, or `text` with its `notation`";
                self.refuse_with_hint("start", start.span, "the start has no boards", hint);
            }
            1 => {}
            _ => {
                let hint = "keep one of `fen`, `variant`, `5dfen`, `5dpgn` and `text`";
                self.refuse_with_hint("start", start.span, "the start has boards from several fields", hint);
            }
        }
        match (notation, text) {
            (None, Some(text)) => {
                let found = Format::detect(text.value.as_bytes()).map_or("gui-fen", Format::name);
                let hint = format!("for example `notation: {found}`");
                self.refuse_with_hint("start", text.span, "`text` needs `notation`", &hint);
            }
            (Some(notation), None) if ways.contains(&true) => {
                self.refuse("start", notation.span, "`notation` stands beside `text` only");
            }
            _ => {}
        }
        match (size, fen, fen_text) {
            (None, Some(_), _) => {
                self.refuse_with_hint("start", start.span, "`fen` needs `size`", "for example `size: 8x8`");
            }
            (Some(size), None, None) => {
                self.refuse(
                    "start",
                    size.span,
                    "`size` stands beside `fen` or `5dfen` only, since other starts have their own size",
                );
            }
            _ => {}
        }
        if fen.as_ref().is_some_and(Vec::is_empty) {
            self.refuse("start", start.span, "expected at least one board under `fen`");
        }
        if let (true, Some(moves)) = (start.value.is_5dpgn(), moves) {
            self.refuse("start", moves.span, "`moves` cannot stand beside `5dpgn`, which has its own moves");
        }
    }

    fn rules(&mut self, puzzle: &Puzzle) {
        let rules = &puzzle.rules;
        if let Some(name) = &rules.profile {
            match name.value.parse::<RuleProfile>().ok() {
                None => {
                    let message = format!("there is no rule profile `{}`", name.value);
                    let known: Vec<&str> = RuleProfile::switch_names().collect();
                    let finding = Finding::new("unknown-profile", name.span, message);
                    let finding = match closest_profile(&name.value) {
                        Some(near) => finding.meant(&near),
                        None => finding.hint(
                            "write `default` or `orthodox`, then switches, as in `default \
                             +en-passant-onto-vacated`",
                        ),
                    };
                    self.findings.push(finding.note(format!("the switches are {}", known.join(", "))));
                }
                Some(profile) if profile != RuleProfile::default() && puzzle.start.value.is_5dpgn() => {
                    let hint = "write the header `[Rules \"…\"]` into the game";
                    self.refuse_with_hint(
                        "start",
                        name.span,
                        "`profile` cannot stand beside `5dpgn`, which has its own rules",
                        hint,
                    );
                }
                Some(_) => {}
            }
        }
        let Some(promotions) = &rules.promotions else { return };
        if puzzle.start.value.is_5dpgn() {
            let hint = "write the header `[Promotions \"…\"]` into the game";
            self.refuse_with_hint(
                "start",
                promotions.span,
                "`promotions` cannot stand beside `5dpgn`, which has its own promotions",
                hint,
            );
        }
        let mut earlier = BTreeSet::new();
        for kind in &promotions.value {
            if !earlier.insert(&kind.value) {
                self.refuse("promotion", kind.span, "this letter is written twice");
            } else if promotion(&kind.value).is_none() {
                let hint = "the letters are N, B, R, U, D, S, Q and C";
                self.refuse_with_hint(
                    "promotion",
                    kind.span,
                    format!("no pawn becomes `{}`", kind.value),
                    hint,
                );
            }
        }
    }

    fn goal(&mut self, puzzle: &Puzzle) {
        self.fields_of_goal(puzzle);
        let goal = &puzzle.goal.value;
        if let Some(n) = goal.count() {
            self.length(n);
        }
        match goal {
            Goal::Status(_) | Goal::NoMateIn(_) => {}
            _ => self.solutions(puzzle, goal),
        }
        if let Goal::MateIn(n) = goal {
            self.set_play(puzzle, n.value);
        }
        if let (Goal::OnlyDefence(_), Some(second)) = (goal, puzzle.solutions.get(1)) {
            self.refuse("goal", second.span, "an `only-defence` goal has one solution");
        }
    }

    /// Refuses the fields that the goal has not.
    fn fields_of_goal(&mut self, puzzle: &Puzzle) {
        let goal = puzzle.goal.value.name();
        let ends_at_once = matches!(&puzzle.goal.value, Goal::MateIn(n) if n.value == 1);
        for (name, span) in [
            ("solutions", puzzle.solutions.first().map(|line| line.span)),
            ("unique", puzzle.unique.as_ref().map(|unique| unique.span)),
            ("tries", puzzle.tries.as_ref().map(|tries| tries.span)),
            ("replies", puzzle.replies.first().map(|row| row.span)),
            ("duals", puzzle.duals.as_ref().map(|duals| duals.span)),
            ("set-play", puzzle.set_play.first().map(|line| line.span)),
        ] {
            let Some(span) = span else { continue };
            if !fields_of_goal(goal).any(|field| field == name) {
                let hint = match &*fields_of_goal(goal).map(|field| format!("`{field}`")).collect::<Vec<_>>()
                {
                    [] => "this goal is about the start alone".to_owned(),
                    fields => format!("this goal has only {}", fields.join(", ")),
                };
                self.refuse_with_hint(
                    "goal",
                    span,
                    format!("{} has no `{name}`", titled(&puzzle.goal.value)),
                    &hint,
                );
            } else if ends_at_once && matches!(name, "replies" | "duals" | "set-play") {
                let message = format!("a mate in 1 has no `{name}`, since the first action mates");
                self.refuse("goal", span, message);
            }
        }
    }

    fn length(&mut self, count: &Spanned<u32>) {
        if count.value == 0 || count.value > MAX_MATE_IN {
            let message =
                format!("expected a number of actions from 1 to {MAX_MATE_IN}, but found {}", count.value);
            self.refuse("goal", count.span, message);
        }
    }

    fn set_play(&mut self, puzzle: &Puzzle, mate_in: u32) {
        for line in &puzzle.set_play {
            let actions = line.value.len();
            if actions == 0 || !actions.is_multiple_of(2) {
                let message =
                    format!("a line of set play has an even number of actions, but this one has {actions}");
                let hint = "the opponent begins, and the solver mates with the last action";
                self.refuse_with_hint("line-length", line.span, message, hint);
            } else if actions as u64 > 2 * u64::from(mate_in.saturating_sub(1)) {
                let message = format!(
                    "set play of a mate in {mate_in} has at most {} actions",
                    2 * u64::from(mate_in.saturating_sub(1))
                );
                self.refuse("line-length", line.span, message);
            }
        }
    }

    fn solutions(&mut self, puzzle: &Puzzle, goal: &Goal) {
        if puzzle.solutions.is_empty() {
            let message = format!("{} needs solutions", titled(goal));
            let hint = "`solutions` lists one line of actions for each solution; `verify --fix` finds them";
            self.refuse_with_hint(NO_SOLUTIONS, puzzle.goal.span, message, hint);
        }
        let most = 2 * u64::from(goal.length().unwrap_or(0));
        let (lengths, expected, hint) = match goal {
            Goal::Survive(_) | Goal::OnlyDefence(_) => {
                (1..=1, "one action".to_owned(), "each line is an action that survives")
            }
            Goal::HelpmateIn(_) => (most..=most, format!("{most} actions"), OPPONENT_MATES),
            Goal::SelfmateIn(_) => {
                (2..=most, format!("an even number of actions up to {most}"), OPPONENT_MATES)
            }
            _ => (
                1..=most.saturating_sub(1),
                odd_up_to(most.saturating_sub(1)),
                "the player to move begins, and mates with the last action",
            ),
        };
        for line in &puzzle.solutions {
            let actions = line.value.len() as u64;
            if !lengths.contains(&actions) || actions % 2 != lengths.start() % 2 {
                let message = format!("expected {expected} in this line, but found {actions}");
                let finding = Finding::new("line-length", line.span, message).hint(hint);
                let is_mate = matches!(puzzle.goal.value, Goal::MateIn(_)) && actions % 2 == 1;
                let goal = is_mate.then(|| format!("or is the goal `mate-in: {}`?", actions.div_ceil(2)));
                self.findings.push(match goal {
                    Some(goal) => finding.hint(goal),
                    None => finding,
                });
            }
        }
    }

    fn reply(&mut self, row: &Spanned<Reply>, needs_key: bool, outermost: bool) {
        let Reply { key, defence, class, otherwise, tries, replies, .. } = &row.value;
        let forms = [defence.is_some(), class.is_some(), otherwise.is_some()];
        match forms.iter().filter(|&&form| form).count() {
            1 => {}
            0 => {
                let hint = "write `if: ACTION`, `class: …` or `otherwise: true`";
                let message = "the row does not say which actions it answers";
                self.refuse_with_hint("missing-field", row.span, message, hint);
            }
            _ => {
                let message = "the row says in several ways which actions it answers";
                self.refuse_with_hint("row", row.span, message, "keep one of `if`, `class` and `otherwise`");
            }
        }
        if let Some(class) = class {
            self.class(class);
        }
        if let Some(otherwise) = otherwise.as_ref().filter(|otherwise| !otherwise.value) {
            self.refuse("row", otherwise.span, "expected `otherwise: true`, or `if` or `class` in its place");
        }
        match key {
            Some(key) if !outermost => {
                self.refuse("key", key.span, "a row within another row has no `key`");
            }
            None if outermost && needs_key => {
                let message = "the row does not say which of the solutions it follows";
                self.refuse_with_hint(
                    "key",
                    row.span,
                    message,
                    "write the solution's first action after `key:`",
                );
            }
            _ => {}
        }
        if let Some(tries) = tries {
            self.tries(&tries.value);
        }
        for inner in replies {
            self.reply(inner, false, false);
        }
    }
}

/// A goal with an article.
fn titled(goal: &Goal) -> String {
    let article = if matches!(goal, Goal::OnlyDefence(_)) { "an" } else { "a" };
    format!("{article} `{}` goal", goal.name())
}

/// The kind that a pawn becomes, from its letter.
pub(super) fn promotion(text: &str) -> Option<PieceKind> {
    let mut letters = text.chars();
    let kind = PieceKind::try_from(letters.next()?).ok()?;
    (letters.next().is_none() && Promotions::NONE.with(kind).is_some()).then_some(kind)
}

/// The themes of `puzzles/themes.toml`, each with its sentence.
pub fn themes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("../../puzzles/themes.toml").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (name, sentence) = line.split_once(" = ")?;
        Some((name, sentence.trim_matches('"')))
    })
}

pub(super) fn is_kebab_case(id: &str) -> bool {
    id.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

/// Whether it is written as the number of a rule: `R-2.4`.
fn is_rule(text: &str) -> bool {
    let numbers = text.strip_prefix("R-").and_then(|numbers| numbers.split_once('.'));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(chapter, rule)| is_number(chapter) && is_number(rule))
}

/// A year, perhaps with a month, perhaps with a day.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_within = |index: usize, digits: usize, most: u32| {
        parts.get(index).is_none_or(|part| {
            let number = part.parse::<u32>().ok().filter(|_| part.bytes().all(|b| b.is_ascii_digit()));
            part.len() == digits && number.is_some_and(|number| (1..=most).contains(&number))
        })
    };
    parts.len() <= 3 && is_within(0, 4, 9999) && is_within(1, 2, 12) && is_within(2, 2, 31)
}

/// The name of a profile that differs least from `name`, word by word, if one is near.
fn closest_profile(name: &str) -> Option<String> {
    let mut words = name.split_ascii_whitespace();
    let mut near = vec![closest(words.next()?, ["default", "orthodox"].into_iter())?.to_owned()];
    for word in words {
        let sign = if word.starts_with('-') { '-' } else { '+' };
        let switch = closest(word.trim_start_matches(['+', '-']), RuleProfile::switch_names())?;
        near.push(format!("{sign}{switch}"));
    }
    Some(near.join(" "))
}

/// The numbers of actions of a line that ends with the player who begins, in words.
fn odd_up_to(most: u64) -> String {
    match most {
        0 => "no action".to_owned(),
        1 => "one action".to_owned(),
        3 => "one or three actions".to_owned(),
        _ => format!("an odd number of actions, {most} at most"),
    }
}

/// The candidate that differs least from `word`, if one is near.
pub fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = 1 + word.len() / 4;
    let nearest =
        candidates.map(|candidate| (edit_distance(word, candidate), candidate)).min_by_key(|(d, _)| *d);
    nearest.filter(|(d, _)| *d <= near).map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_have_names_and_sentences() {
        let all: Vec<_> = themes().collect();
        assert!(!all.is_empty());
        for (name, sentence) in &all {
            assert!(is_kebab_case(name) && sentence.ends_with('.'), "{name}: {sentence}");
            assert_eq!(all.iter().filter(|(other, _)| other == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn rules_are_known_by_their_form() {
        for (text, good) in [
            ("R-2.4", true),
            ("R-2.12", true),
            ("R-2", false),
            ("2.4", false),
            ("R-2.", false),
            ("R-a.b", false),
        ] {
            assert_eq!(is_rule(text), good, "{text}");
        }
    }

    #[test]
    fn dates_are_known_by_their_form() {
        for (text, good) in [
            ("2026", true),
            ("2026-11", true),
            ("2026-11-22", true),
            ("26-11-22", false),
            ("2026-13", false),
            ("2026-11-00", false),
            ("2026-11-22-1", false),
            ("+026", false),
            ("", false),
        ] {
            assert_eq!(is_date(text), good, "{text}");
        }
    }

    #[test]
    fn words_are_compared_by_their_letters() {
        assert_eq!(closest("solution", ["start", "solutions"].into_iter()), Some("solutions"));
        assert_eq!(closest("colour", ["start", "solutions"].into_iter()), None);
    }
}
