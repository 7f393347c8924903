//! Every question to the engine has one answer, in order, and every named move leads to a legal action.

use std::collections::VecDeque;

use arbitrary::Result;
use worldlines::engine::{Demand, Session, Task, Thought, think};
use worldlines::notation::uci5d;
use worldlines::rules::PartialAction;
use worldlines::state::Position;
use worldlines::types::{Limit, Move};

use super::assert_printable;
use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target =
    Target::of_text(run, 150, "uci5d", Source::Notation(worldlines::notation::Format::Uci5d));

/// The search steps of the engine.
const STEPS: u64 = 60;
/// The search steps of the judge.
const PATIENCE: u64 = 20_000;
/// The most boards. After a larger position the conversation ends, because it would take too long.
const BOARDS: usize = 300;
/// The most lines; with so few, none has to be refused.
const LINES: usize = 200;

/// Takes lines of a host. At `~` the current thought ends. The last thought ends after all lines, and then one more
/// question follows.
fn run(bytes: &[u8]) -> Result<()> {
    let answer = |task: &Task| {
        let steps = task.steps.unwrap_or(STEPS).min(STEPS);
        think(&task.question, Limit::steps(steps), &mut |_| ())
    };
    check(bytes, answer, Some);
    Ok(())
}

/// The answer that the host waits for.
#[derive(Debug)]
enum Expected {
    Introduction,
    Ready,
    /// The position of a `go`, with the moves made, or `None` if there is none; and whether a whole action
    /// must be named.
    Move(Option<(Position, Vec<Move>)>, bool),
}

/// The host's side.
struct Host {
    expected: VecDeque<Expected>,
    position: Option<(Position, Vec<Move>)>,
    whole_action: bool,
    moves: usize,
}

/// Holds a conversation and returns the number of named moves. The engine thinks with `answer`; its lines go
/// through `hear`.
fn check(bytes: &[u8], answer: impl Fn(&Task) -> Thought, hear: impl Fn(String) -> Option<String>) -> usize {
    let mut session = Session::new(false);
    let start = uci5d::parse("position startpos").value.expect("a game").start;
    let mut host = Host {
        expected: VecDeque::new(),
        position: Some((start.clone(), Vec::new())),
        whole_action: false,
        moves: 0,
    };
    let mut task: Option<Box<Task>> = None;
    let mut ended = false;
    let last = [b"isready".as_slice(), b"go nodes 50"];
    for line in bytes.split(|&byte| byte == b'\n').take(LINES).chain(last) {
        let demands = if line == b"~" {
            let Some(task) = task.take() else { continue };
            session.finish(answer(&task))
        } else {
            if host.say(line, &start).is_none() {
                return host.moves;
            }
            session.read(line)
        };
        ended |= host.hear(demands, &mut task, &hear);
        if ended {
            assert!(session.read(b"isready").is_empty() && session.end_of_input().is_empty(), "it goes on");
            return host.moves;
        }
    }
    ended |= host.hear(session.end_of_input(), &mut task, &hear);
    while let Some(thought) = task.take().map(|task| answer(&task)) {
        assert!(!ended, "the end comes before the answer");
        ended |= host.hear(session.finish(thought), &mut task, &hear);
    }
    assert!(ended, "the input is over and nothing happens");
    assert!(host.expected.is_empty(), "no answer: {:?}", host.expected);
    host.moves
}

impl Host {
    /// Notes the answers that a line demands; `None` if the position is too large.
    fn say(&mut self, line: &[u8], start: &Position) -> Option<()> {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("5duci") => self.expected.push_back(Expected::Introduction),
            Some("isready") => self.expected.push_back(Expected::Ready),
            Some("5ducinewgame") => self.position = Some((start.clone(), Vec::new())),
            Some("setoption") => {
                let words: Vec<&str> = words.collect();
                let is_meant = words.first() == Some(&"name")
                    && words.get(1).is_some_and(|name| name.eq_ignore_ascii_case("WholeAction"));
                let value = words.get(3).filter(|_| words[2] == "value").copied();
                if is_meant && matches!(value, None | Some("true" | "false")) {
                    self.whole_action = value != Some("false");
                }
            }
            Some("position") => {
                let read = std::str::from_utf8(line).ok().map(uci5d::parse_under_way);
                self.position = match read {
                    Some(uci5d::UnderWay { game, made }) if game.error.is_none() => {
                        game.value.map(|game| (game.end(), made))
                    }
                    _ => None,
                };
                if self.position.as_ref().is_some_and(|(end, _)| end.multiverse().count() > BOARDS) {
                    return None;
                }
            }
            Some("go") => {
                self.expected.push_back(Expected::Move(self.position.clone(), self.whole_action));
            }
            _ => {}
        }
        Some(())
    }

    /// Judges the demands of the engine. Returns true at the end.
    fn hear(
        &mut self,
        demands: Vec<Demand>,
        task: &mut Option<Box<Task>>,
        hear: &impl Fn(String) -> Option<String>,
    ) -> bool {
        for demand in demands {
            match demand {
                Demand::Think(new) => assert!(task.replace(new).is_none(), "two thoughts at once"),
                Demand::Stop => assert!(task.is_some(), "nothing is to be stopped"),
                Demand::End => return true,
                Demand::Say(line) => {
                    assert_printable(&line);
                    assert!(!line.contains('\n'), "more than one line: {line:?}");
                    let Some(line) = hear(line) else { continue };
                    self.judge(&line);
                }
            }
        }
        false
    }

    fn judge(&mut self, line: &str) {
        let mut words = line.split(' ');
        let word = words.next().unwrap_or_default();
        if word == "info" || word == "bye" {
            return;
        }
        match (word, self.expected.pop_front()) {
            ("5duciok", Some(Expected::Introduction)) | ("readyok", Some(Expected::Ready)) => {}
            ("nobestmove", Some(Expected::Move(asked, _))) => {
                let Some((position, made)) = asked else { return };
                let partial = under_way(&position, &made);
                let Ok(next) = partial.legal_moves_within(PATIENCE) else { return };
                assert!(next.is_empty() && partial.can_submit().is_err(), "there is a move in {position:?}");
            }
            ("bestmove", Some(Expected::Move(Some((position, made)), whole))) => {
                let partial = under_way(&position, &made);
                let moves: Vec<&str> = words.collect();
                self.moves += moves.len();
                assert!(moves.len() == 1 || whole && !moves.is_empty(), "{line} in {position:?}");
                judge_moves(partial, &moves, whole)
            }
            (_, expected) => panic!("{line} is no answer to {expected:?}"),
        }
    }
}

/// The position with the moves made.
fn under_way(position: &Position, made: &[Move]) -> PartialAction {
    let mut partial = PartialAction::new(position.clone());
    made.iter().for_each(|m| partial.push(*m).expect("a move that was read"));
    partial
}

/// Checks that every move can be made and leads to a legal action; the last one completes it if the moves are
/// a `whole` action.
fn judge_moves(mut partial: PartialAction, moves: &[&str], whole: bool) {
    for text in moves {
        if *text == "submit" {
            partial.submit().unwrap_or_else(|why| panic!("submit: {why} after {:?}", partial.moves()));
            return;
        }
        let Ok(next) = partial.legal_moves_within(PATIENCE) else { return };
        let m = next.into_iter().find(|m| uci5d::move_text(m) == *text);
        let m = m.unwrap_or_else(|| panic!("{text} is no legal move after {:?}", partial.moves()));
        partial.push(m).expect("a legal move");
    }
    if whole {
        partial.submit().unwrap_or_else(|why| panic!("{why} after {moves:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    const SCRIPT: &[u8] = b"5duci\nposition startpos moves (0T1)e2e4 submit\ngo\nisready\n~\n\
        position even fen [k*2/3/2K*:-0:1:w] [k*2/3/2K*:+0:1:w]\ngo\ngo nodes 20\n~\n\
        setoption name WholeAction\nisready\ngo\nposition fen [k2/1Q1/1K1:0:1:b]\ngo";

    fn fair(task: &Task) -> Thought {
        think(&task.question, Limit::steps(STEPS), &mut |_| ())
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        assert!(check(SCRIPT, fair, Some) >= 5);
        // An engine that gives up, or that names an action of another position.
        assert!(flags(|| check(SCRIPT, |_| Thought::default(), Some)));
        let other = |task: &Task| {
            let action = "(0T1w)h2h4".parse::<Move>().unwrap();
            Thought { best: Some(vec![action].into()), ..fair(task) }
        };
        assert!(flags(|| check(SCRIPT, other, Some)));
        // A session that forgets an answer, or gives one twice.
        for lost in ["readyok", "bestmove", "5duciok", "nobestmove"] {
            let deaf = |line: String| (!line.starts_with(lost)).then_some(line);
            assert!(flags(|| check(SCRIPT, fair, deaf)), "{lost}");
        }
        let early = |line: String| Some(line.replace("bestmove", "readyok"));
        assert!(flags(|| check(SCRIPT, fair, early)));
    }

    #[test]
    fn quit_ends_it() {
        assert_eq!(check(b"go\nisready\nquit\ngo", fair, Some), 0);
    }
}
