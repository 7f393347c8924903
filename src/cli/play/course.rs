//! The course: puzzles with a `lesson`, one after another.

use std::io::Write;

use super::Arguments;
use super::lines::Lines;
use super::progress::Progress;
use super::puzzle::{self, Ended};
use crate::cli::exit::{Exit, Failure};
use crate::cli::files;
use worldlines::notation::printable;
use worldlines::puzzle::{Document, Lesson};

/// Lessons in their order.
pub struct Course {
    lessons: Vec<Document>,
}

/// The lesson of a puzzle.
fn lesson(document: &Document) -> Option<&Lesson> {
    let puzzle = document.puzzle.as_ref().ok()?;
    puzzle.lesson.as_ref().map(|lesson| &lesson.value)
}

/// The list of all rules, each with its sentence and its page.
const RULES: &str = include_str!("../../../spec/README.md");

/// A rule in words, with its number and the page that tells more.
fn said(rule: &str) -> String {
    let entry =
        RULES.lines().find_map(|line| line.strip_prefix("- [")?.strip_prefix(rule)?.strip_prefix(' '));
    match entry.and_then(|entry| entry.split_once("](")) {
        Some((sentence, link)) => {
            let page = link.split(['#', ')']).next().unwrap_or_default();
            format!("{sentence} ({rule}; more in spec/{page})")
        }
        None => printable(rule),
    }
}

impl Course {
    /// The lessons among these puzzles.
    pub fn of(documents: Vec<Document>) -> Course {
        let mut lessons: Vec<Document> =
            documents.into_iter().filter(|document| lesson(document).is_some()).collect();
        lessons.sort_by_key(|document| lesson(document).map(|lesson| lesson.number.value));
        Course { lessons }
    }

    /// Lets the user go through the lessons, and writes the progress after each.
    pub fn learn(
        &self,
        arguments: &Arguments,
        progress: &mut Progress,
        lines: &mut Lines<'_>,
        out: &mut dyn Write,
    ) -> Result<Exit, Failure> {
        let open = |document: &&Document| progress.solved(&document.id).is_none();
        let chosen: Vec<&Document> = match &arguments.lesson {
            Some(name) => self.lessons.iter().skip(self.place(name)?).collect(),
            None => self.lessons.iter().filter(open).collect(),
        };
        if chosen.is_empty() {
            if self.lessons.is_empty() {
                return Err(Failure::new("no lesson is part of this program"));
            }
            writeln!(
                out,
                "You have solved all lessons. `worldlines play --next` has more puzzles; `--lesson 1` begins again."
            )?;
            return Ok(Exit::Ok);
        }
        let mut chapter = "";
        for document in chosen {
            let Some(lesson) = lesson(document) else { continue };
            if chapter != lesson.chapter.value {
                chapter = &lesson.chapter.value;
                writeln!(out, "\n== {} ==", printable(chapter))?;
            }
            writeln!(out, "\nLesson {} of {}", lesson.number.value, self.lessons.len())?;
            let ended = puzzle::play(document, &arguments.proving, progress, lines, out)?;
            out.flush()?;
            progress.save()?;
            if let Some(rule) = lesson.rule.as_ref().filter(|_| ended != Ended::Left) {
                writeln!(out, "The rule: {}", said(&rule.value))?;
            }
            if ended == Ended::Left {
                writeln!(out, "`{}` goes on where you left off.", again(arguments, lesson))?;
                return Ok(Exit::Findings);
            }
            if ended == Ended::Shown {
                writeln!(out, "This lesson stays open: it comes again until you solve it.")?;
            }
        }
        writeln!(out, "\nThe course is over. `worldlines play --next` has more puzzles.")?;
        Ok(Exit::Ok)
    }

    /// The place of a lesson in the list, from its number or id.
    fn place(&self, name: &str) -> Result<usize, Failure> {
        let is_named = |document: &Document| {
            document.id == name
                || lesson(document).is_some_and(|lesson| lesson.number.value.to_string() == name)
        };
        self.lessons.iter().position(is_named).ok_or_else(|| {
            Failure::new(format_args!(
                "there is no lesson `{}`: expected a number from 1 to {}, or an id",
                printable(name),
                self.lessons.len()
            ))
        })
    }
}

/// The command that begins with this lesson again, for a shell.
fn again(arguments: &Arguments, lesson: &Lesson) -> String {
    let mut again = "worldlines play --course".to_owned();
    if arguments.lesson.is_some() {
        again += &format!(" --lesson {}", lesson.number.value);
    }
    if let Some(file) = &arguments.progress {
        again += &format!(" --progress {}", shell_words::quote(&files::shown(file)));
    }
    again
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    use super::super::super::command::arguments_of;

    use super::*;

    fn arguments(words: &[&str]) -> Arguments {
        arguments_of([&["play", "--course"], words].concat()).unwrap()
    }

    fn course() -> Course {
        Course::of(super::super::shipped_documents())
    }

    /// The numbers of the rules that have a heading in `spec`.
    fn rules() -> BTreeSet<String> {
        let pages = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/spec")).unwrap();
        let pages = pages
            .map(|page| page.unwrap().path())
            .filter(|page| page.extension().is_some_and(|it| it == "md"));
        let mut rules = BTreeSet::new();
        for page in pages {
            let page = std::fs::read_to_string(page).unwrap();
            let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
            rules.extend(headings.filter_map(|heading| Some(heading.split_once(' ')?.0.to_owned())));
        }
        rules
    }

    #[test]
    fn every_lesson_teaches_one_thing() {
        let course = course();
        assert!((40..=60).contains(&course.lessons.len()), "{}", course.lessons.len());
        let rules = rules();
        let (mut chapters, mut ids, mut texts) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for (document, number) in course.lessons.iter().zip(1..) {
            let (puzzle, lesson) = (document.puzzle.as_ref().unwrap(), lesson(document).unwrap());
            assert_eq!(lesson.number.value, number, "{}", document.id);
            assert!(ids.insert(&document.id), "{}", document.id);
            if chapters.last() != Some(&&lesson.chapter.value) {
                assert!(
                    !chapters.contains(&&lesson.chapter.value),
                    "{}: its chapter is in two parts",
                    document.id
                );
                chapters.push(&lesson.chapter.value);
            }
            let rule = lesson.rule.as_ref().map_or("", |rule| &rule.value);
            assert!(rules.contains(rule), "{}: `spec` has no heading {rule}", document.id);
            let point = puzzle.point.as_ref().map_or("", |point| &point.value);
            assert!(point.ends_with('.') && lesson.text.value.ends_with(['.', '?']), "{}", document.id);
            assert!(puzzle.hints.len() == 3 && !puzzle.solutions.is_empty(), "{}", document.id);
            for text in puzzle.hints.iter().map(|hint| &hint.value).chain([&lesson.text.value]) {
                assert!(texts.insert(text), "{}: {text} is said twice", document.id);
            }
            // The first hint names no square of the key.
            for action in puzzle.solutions.iter().filter_map(|line| line.value.first()) {
                let key = &action.value;
                for at in 0..key.len().saturating_sub(1) {
                    let square = &key[at..at + 2];
                    let bytes = square.as_bytes();
                    let is_square = (b'a'..=b'h').contains(&bytes[0]) && bytes[1].is_ascii_digit();
                    assert!(
                        !is_square || !puzzle.hints[0].value.contains(square),
                        "{}: {square}",
                        document.id
                    );
                }
            }
        }
    }

    #[test]
    fn the_course_is_solved_from_start_to_end() {
        let course = course();
        let mut said = String::new();
        for document in &course.lessons {
            let puzzle = document.puzzle.as_ref().unwrap();
            said += "hint\nhint\nhint\n";
            for action in puzzle.solutions[0].value.iter().step_by(2) {
                // Other boards may be playable too.
                writeln!(said, "{} submit", action.value).unwrap();
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("progress.json");
        let mut progress = Progress::load(Some(&file));
        let mut out = Vec::new();
        let exit = course.learn(&arguments(&[]), &mut progress, &mut Lines::of(&said), &mut out);
        let out = String::from_utf8(out).unwrap();
        assert!(exit.map_err(|failure| failure.shown).unwrap() == Exit::Ok, "{out}");
        assert_eq!(out.matches("with 0 mistakes and 3 hints").count(), course.lessons.len(), "{out}");
        let mut again = Progress::load(Some(&file));
        let mut out = Vec::new();
        let done = course.learn(&arguments(&[]), &mut again, &mut Lines::of(""), &mut out);
        assert!(done.map_err(|failure| failure.shown).unwrap() == Exit::Ok);
        assert!(String::from_utf8(out).unwrap().contains("solved all lessons"));
        let mut out = Vec::new();
        let left =
            course.learn(&arguments(&["--lesson", "1"]), &mut again, &mut Lines::of("quit\n"), &mut out);
        assert!(left.map_err(|failure| failure.shown).unwrap() == Exit::Findings);
        let unknown = arguments(&["--lesson", "no-such-lesson"]);
        assert!(course.learn(&unknown, &mut again, &mut Lines::of(""), &mut Vec::new()).is_err());
    }

    #[test]
    fn who_leaves_is_told_how_to_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("my progress.json");
        let said = |words: &[&str], lines: &str| {
            let mut out = Vec::new();
            let mut progress = Progress::load(Some(&file));
            let left = course().learn(&arguments(words), &mut progress, &mut Lines::of(lines), &mut out);
            assert!(left.map_err(|failure| failure.shown).unwrap() == Exit::Findings);
            String::from_utf8(out).unwrap()
        };
        assert!(said(&[], "quit\n").ends_with("\n`worldlines play --course` goes on where you left off.\n"));
        let after = said(&["--lesson", "3", "--progress", "my file"], "solution\nquit\n");
        assert!(after.contains("\nThis lesson stays open"), "{after}");
        assert!(
            after.ends_with(
                "\n`worldlines play --course --lesson 4 --progress 'my file'` goes on where you left off.\n"
            ),
            "{after}"
        );
    }

    /// The solution of a lesson says more than its hints.
    #[test]
    fn after_its_hints_a_lesson_says_the_action() {
        let (mut out, lines) = (Vec::new(), "hint\n".repeat(5) + "quit\n");
        let mut progress = Progress::load(Some(&tempfile::tempdir().unwrap().path().join("progress.json")));
        let left =
            course().learn(&arguments(&["--lesson", "3"]), &mut progress, &mut Lines::of(&lines), &mut out);
        assert!(left.map_err(|failure| failure.shown).unwrap() == Exit::Findings);
        let out = String::from_utf8(out).unwrap();
        let said: Vec<&str> =
            out.split("> hint\n").skip(4).map(|said| said.lines().next().unwrap()).collect();
        assert!(said[0].contains("(0T") && !said[0].contains(' '), "{out}");
        assert!(said[1].starts_with("there are no more hints"), "{out}");
    }
}
