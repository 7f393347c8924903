//! Puzzles to solve: the content of a puzzle file, and the judgement of answers.

use wasm_bindgen::prelude::wasm_bindgen;
use worldlines::chessjs::{self, Edition};
use worldlines::notation::pgn5d;
use worldlines::puzzle::{self, Document, Goal, Judge, Judgement, Lesson, NoJudge, Options, Unmoved};
use worldlines::search::Defence;
use worldlines::state::Position;
use worldlines::types::Action;

use crate::chess::{Chess, list};
use crate::fault::{Fault, write_string};
use crate::tools::MEMORY;

fn quoted(text: &str) -> String {
    let mut json = String::new();
    write_string(&mut json, text);
    json
}

fn goal_json(goal: &Goal) -> String {
    match goal {
        Goal::MateIn(count) => format!("{{\"mateIn\":{}}}", count.value),
        Goal::NoMateIn(count) => format!("{{\"noMateIn\":{}}}", count.value),
        Goal::Status(word) => format!("{{\"status\":\"{}\"}}", word.value.status()),
        Goal::Survive(count) => format!("{{\"survive\":{}}}", count.value),
        Goal::OnlyDefence(count) => format!("{{\"onlyDefence\":{}}}", count.value),
        Goal::HelpmateIn(count) => format!("{{\"helpmateIn\":{}}}", count.value),
        Goal::SelfmateIn(count) => format!("{{\"selfmateIn\":{}}}", count.value),
        _ => "{}".to_owned(),
    }
}

fn lesson_json(lesson: &Lesson) -> String {
    let rule = lesson.rule.as_ref().map_or("", |rule| &rule.value);
    format!(
        "{{\"number\":{},\"chapter\":{},\"text\":{},\"rule\":{}}}",
        lesson.number.value,
        quoted(&lesson.chapter.value),
        quoted(&lesson.text.value),
        quoted(rule)
    )
}

fn unmoved_json(unmoved: &Unmoved) -> String {
    let names = |pieces: &[String]| list(pieces.iter().map(|piece| quoted(piece)));
    format!("{{\"white\":{},\"black\":{}}}", names(&unmoved.white), names(&unmoved.black))
}

/// The puzzles of a YAML text: a list of
/// `{"id","title","point","themes","hints","author","goal","difficulty","lesson","toMove","size","boards","timelines","unmoved"}`.
/// Puzzles that cannot be read are left out; `verify` reports them.
#[wasm_bindgen(js_name = puzzlesOf)]
pub fn puzzles_of(yaml: &str) -> String {
    let documents = puzzle::load("puzzle.yaml", yaml.as_bytes());
    list(documents.iter().filter_map(|document| {
        let puzzle = document.puzzle.as_ref().ok()?;
        let end = document.game().ok()?.end();
        let themes = puzzle.themes.iter().map(|theme| quoted(&theme.value));
        let or_empty = |text: Option<&str>| quoted(text.unwrap_or_default());
        Some(format!(
            "{{\"id\":{},\"title\":{},\"point\":{},\"themes\":{},\"hints\":{},\"author\":{},\"goal\":{},\"difficulty\":{},\"lesson\":{},\"toMove\":\"{}\",\"size\":\"{}\",\"boards\":{},\"timelines\":{},\"unmoved\":{}}}",
            quoted(&document.id),
            quoted(&puzzle.title.value),
            or_empty(puzzle.point.as_ref().map(|point| point.value.as_str())),
            list(themes),
            list(puzzle.hints.iter().map(|hint| quoted(&hint.value))),
            or_empty(puzzle.source.author.as_ref().map(|author| author.value.as_str())),
            goal_json(&puzzle.goal.value),
            puzzle.difficulty.as_ref().map_or("null".to_owned(), |grade| grade.value.to_string()),
            puzzle.lesson.as_ref().map_or("null".to_owned(), |lesson| lesson_json(&lesson.value)),
            end.to_move(),
            end.size(),
            end.multiverse().count(),
            end.multiverse().timelines().count(),
            puzzle::unmoved(puzzle, &end).map_or("null".to_owned(), |unmoved| unmoved_json(&unmoved))
        ))
    }))
}

/// Calls a function with the judge of the first puzzle of a text.
fn with_judge<T>(
    yaml: &str,
    ask: impl FnOnce(&Document, &Judge<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let documents = puzzle::load("puzzle.yaml", yaml.as_bytes());
    let document = documents.first().ok_or_else(|| Fault::new("no-puzzle", "there is no puzzle", None))?;
    let options = Options { memory: MEMORY, ..Options::default() };
    let judge = Judge::new(document, options).map_err(|error| match error {
        NoJudge::Unreadable(findings) => {
            let said = findings.first().map_or("it cannot be read", |finding| finding.message.as_str());
            Fault::new("unreadable", said, None)
        }
        _ => Fault::new("no-answer", "this puzzle asks for no action", None),
    })?;
    ask(document, &judge)
}

/// The game that ends at the start of the first puzzle of a text.
#[wasm_bindgen(js_name = puzzleGame)]
pub fn puzzle_game(yaml: &str) -> Result<Chess, Fault> {
    let documents = puzzle::load("puzzle.yaml", yaml.as_bytes());
    let document = documents.first().ok_or_else(|| Fault::new("no-puzzle", "there is no puzzle", None))?;
    let game = document.game().map_err(|findings| {
        let said = findings.first().map_or("it cannot be read", |finding| finding.message.as_str());
        Fault::new("unreadable", said, None)
    })?;
    Ok(Chess::from(chessjs::Chess::of(Edition::Current, &game)))
}

/// The first solution of the first puzzle of a text: a list of actions.
#[wasm_bindgen(js_name = puzzleSolution)]
pub fn puzzle_solution(yaml: &str) -> Result<String, Fault> {
    with_judge(yaml, |_, judge| {
        let mut position = judge.start().clone();
        let line = judge.solutions().first().map_or(&[][..], Vec::as_slice);
        Ok(list(line.iter().map(|action| quoted(&spoken(&mut position, action)))))
    })
}

/// The text of an action, which is then played.
fn spoken(position: &mut Position, action: &Action) -> String {
    let text = pgn5d::action_text(position, action);
    let played = position.play(action);
    debug_assert!(played.is_ok(), "the actions of a line are legal");
    text
}

/// Judges the last action of a line that begins with the solver's first action:
/// `{"verdict","left","mateIn","refutation","reply","message"}`. Each action is on its own line. `reply` is the
/// opponent's answer to a right action that does not mate yet; `mateIn` is the length of a mate that comes too late.
#[wasm_bindgen(js_name = judgeAnswer)]
pub fn judge_answer(yaml: &str, line: &str) -> Result<String, Fault> {
    with_judge(yaml, |_, judge| {
        let mut actions: Vec<Action> = Vec::new();
        for text in line.lines().filter(|text| !text.trim().is_empty()) {
            let read = judge.read(&actions, text, None).map_err(|error| Fault::of_text(&error, text))?;
            actions.extend(read);
        }
        let mut prover = judge.prover();
        let judged = judge.judge_with(&actions, &mut prover);
        let [mut left, mut mate_in, mut refutation, mut reply, mut message] =
            std::array::from_fn(|_| String::from("null"));
        let shown = |defence: &Defence| match defence {
            Defence::Action(action) => {
                quoted(&pgn5d::action_text(&judge.after(&actions[..judged.at + 1]), action))
            }
            Defence::Stalemate => quoted("stalemate"),
        };
        match &judged.verdict {
            Judgement::Correct { left: more, .. } => {
                left = more.to_string();
                if *more > 0 {
                    let classes = judge.defences(&actions, &mut prover).unwrap_or_default();
                    if let Some(defence) = classes.first().and_then(|class| class.first()) {
                        reply = quoted(&pgn5d::action_text(&judge.after(&actions), defence));
                    }
                }
            }
            // The defender has reached the goal.
            Judgement::Holds { .. } => left = "0".to_owned(),
            Judgement::Slower { refutation: by, mate_in: slower } => {
                refutation = shown(by);
                mate_in = slower.to_string();
            }
            Judgement::Wrong { refutation: by, .. } => refutation = shown(by),
            Judgement::Illegal(illegal) => message = quoted(&illegal.message),
            Judgement::Undecided(undecided) => message = quoted(&undecided.to_string()),
        }
        Ok(format!(
            "{{\"verdict\":\"{}\",\"left\":{left},\"mateIn\":{mate_in},\"refutation\":{refutation},\"reply\":{reply},\"message\":{message}}}",
            judged.verdict.name()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: &str = include_str!("../../../puzzles/branch/one-knight-four-mates.yaml");

    #[test]
    fn pieces_that_have_not_moved_are_named() {
        let castling = include_str!("../../../puzzles/two-actions/rook-bishop-in-2-ff2b9a50.yaml");
        let about = puzzles_of(castling);
        assert!(about.contains("\"unmoved\":{\"white\":[\"Ra5\",\"Kd5\"],\"black\":[]}}"), "{about}");
        assert!(puzzles_of(FOUR).contains("\"unmoved\":null}"));
    }

    #[test]
    fn a_puzzle_is_solved_action_by_action() {
        let about = puzzles_of(FOUR);
        assert!(
            about.contains("\"id\":\"one-knight-four-mates\"") && about.contains("\"mateIn\":2"),
            "{about}"
        );
        assert_eq!(puzzle_game(FOUR).ok().unwrap().game().action_count(), 0);
        assert!(puzzle_solution(FOUR).ok().unwrap().starts_with("[\"(0T1)c2c3\""));
        let right = judge_answer(FOUR, "c3").ok().unwrap();
        assert!(
            right.contains("\"verdict\":\"correct\",\"left\":1") && right.contains("\"reply\":\"(0T1)Kc4xc3"),
            "{right}"
        );
        let wrong = judge_answer(FOUR, "Nb3").ok().unwrap();
        assert!(wrong.contains("\"verdict\":\"wrong\"") && wrong.contains("Na3xc2"), "{wrong}");
        let mate = judge_answer(FOUR, "c3\nKd3\nNb3").ok().unwrap();
        assert!(mate.contains("\"left\":0"), "{mate}");
        assert!(judge_answer(FOUR, "Ka4").is_err() && judge_answer("id: x", "c3").is_err());
        assert_eq!(puzzles_of("id: x"), "[]");
    }
}
