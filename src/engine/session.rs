//! The engine's side of 5DUCI: lines go in and lines come out. Reading, writing, the clock and the thread for
//! thinking belong to the caller. `spec/engine-protocol.md` describes the protocol and its extensions.

use std::collections::VecDeque;

use super::question::{Question, Report, Thought};
use crate::notation::uci5d::{self, move_text};
use crate::notation::{Location, MAX_INPUT_BYTES, ParseError, printable, text_of};
use crate::rules::variants;
use crate::state::Position;
use crate::types::{Action, Move, MoveKind};

/// A request of a session to its caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Write this line.
    Say(String),
    /// Begin to think, and give the answer to [`Session::finish`]. Lines may be read meanwhile.
    Think(Box<Task>),
    /// Stop thinking as soon as possible; [`Session::finish`] still gets the answer.
    Stop,
    /// End the program. The answer of a thought under way is no longer needed.
    End,
}

/// A question with its limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The question.
    pub question: Question,
    /// The most search steps.
    pub steps: Option<u64>,
    /// The most milliseconds.
    pub milliseconds: Option<u64>,
}

impl Task {
    /// Whether it ends by itself, because it has a limit.
    fn is_bounded(&self) -> bool {
        self.steps.is_some() || self.milliseconds.is_some()
    }
}

/// The options that a host can set.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Options {
    /// The memory in MiB.
    memory: u64,
    seed: u64,
    /// The time in milliseconds for a `go` without limits.
    move_time: u64,
    whole_action: bool,
}

/// The ranges of numeric options.
const MEMORY: (u64, u64) = (1, 65_536);
const MOVE_TIME: (u64, u64) = (1, 86_400_000);
const SEED: (u64, u64) = (0, u64::MAX);

/// The most lines and bytes that wait until a thought ends.
const WAITING_LINES: usize = 1_024;
const WAITING_BYTES: usize = 2 * MAX_INPUT_BYTES;

/// The rest of an action that the engine has begun.
struct Plan {
    /// The position before the action.
    position: Position,
    action: Action,
}

impl Plan {
    /// The moves left after `made`; `None` unless these are moves of the action in a possible order.
    fn after(&self, position: &Position, made: &[Move]) -> Option<Vec<Move>> {
        let all = self.action.moves();
        let branches = |moves: &[Move]| -> Vec<Move> {
            moves.iter().filter(|m| m.kind == MoveKind::Branch).copied().collect()
        };
        let fits = self.position == *position
            && made.iter().all(|m| all.contains(m))
            && branches(all).starts_with(&branches(made));
        fits.then(|| all.iter().filter(|m| !made.contains(m)).copied().collect())
    }
}

/// One conversation with a host.
///
/// ```
/// use worldlines::engine::{Demand, Session, think};
/// use worldlines::types::Limit;
///
/// let mut session = Session::new(false);
/// assert_eq!(session.read(b"isready"), [Demand::Say("readyok".into())]);
/// session.read(b"position startpos moves (0T1)e2e3 submit (0T1)f7f6 submit (0T2)d1h5 submit");
/// let [Demand::Think(task)] = &session.read(b"go nodes 500")[..] else { panic!() };
/// let thought = think(&task.question, Limit::steps(500), &mut |_| ());
/// let [.., Demand::Say(answer)] = &session.finish(thought)[..] else { panic!() };
/// assert!(answer.starts_with("bestmove (0T2)"));
/// ```
pub struct Session {
    options: Options,
    /// The position before the action under way, and its moves so far; `None` after a line that could not be
    /// read.
    position: Option<(Position, Vec<Move>)>,
    plan: Option<Plan>,
    thinking: Option<Task>,
    /// The lines that arrived while the engine was thinking.
    waiting: VecDeque<Vec<u8>>,
    waiting_bytes: usize,
    /// The number of waiting `go` commands that must be answered at once.
    hurried: usize,
    input_is_over: bool,
    ended: bool,
}

impl Session {
    /// A session. `bestmove` names a whole action if `whole_action` is true, otherwise its next move.
    pub fn new(whole_action: bool) -> Session {
        Session {
            options: Options { memory: 64, seed: 0, move_time: 1_000, whole_action },
            position: Some((start(), Vec::new())),
            plan: None,
            thinking: None,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            hurried: 0,
            input_is_over: false,
            ended: false,
        }
    }

    /// Reads a line, with or without its end.
    pub fn read(&mut self, line: &[u8]) -> Vec<Demand> {
        let mut demands = Vec::new();
        if !self.ended {
            self.command(line, &mut demands);
        }
        demands
    }

    /// Handles a line that was too long to be kept, given its beginning.
    pub fn refuse(&mut self, beginning: &[u8]) -> Vec<Demand> {
        let mut demands = Vec::new();
        if !self.ended && word_of(beginning) == "position" {
            error(&mut demands, &format!("position: a line has at most {MAX_INPUT_BYTES} bytes"));
            // The next `go` must not be about an old position. While the engine thinks, the current one still
            // counts.
            if self.thinking.is_some() {
                self.command(b"position", &mut demands);
            } else {
                self.position = None;
            }
        }
        demands
    }

    /// Handles the end of the input. Open questions are still answered; a thought without a limit is stopped.
    pub fn end_of_input(&mut self) -> Vec<Demand> {
        self.input_is_over = true;
        match &self.thinking {
            _ if self.ended => Vec::new(),
            None => self.end(),
            Some(task) if task.is_bounded() => Vec::new(),
            Some(_) => vec![Demand::Stop],
        }
    }

    /// A report of the search as a line.
    pub fn report(&self, report: &Report) -> Option<String> {
        let task = self.thinking.as_ref()?;
        let Report { depth, steps, score, line } = report;
        let mut text = format!("info depth {depth} nodes {steps} score {score} pv");
        for (index, action) in line.iter().enumerate() {
            let made: &[Move] = if index == 0 { &task.question.made } else { &[] };
            for m in action.moves().iter().filter(|m| !made.contains(m)) {
                text.push(' ');
                text.push_str(&move_text(m));
            }
            text.push_str(" submit");
        }
        Some(text)
    }

    /// Takes the answer to the thought under way, and continues with the lines that arrived meanwhile.
    pub fn finish(&mut self, thought: Thought) -> Vec<Demand> {
        let mut demands = Vec::new();
        let Some(task) = self.thinking.take().filter(|_| !self.ended) else { return demands };
        let Question { position, made, .. } = task.question;
        if let Some(n) = thought.no_mate_in {
            demands.push(Demand::Say(format!("info string no mate in {n}")));
        }
        match (thought.best, thought.ending) {
            (Some(action), _) => {
                let plan = Plan { position, action };
                let left = plan.after(&plan.position, &made).unwrap_or_default();
                self.best(&left, &mut demands);
                self.plan = Some(plan);
            }
            (None, ending) => {
                let why = ending.map_or_else(|| "no action".to_owned(), |ending| ending.to_string());
                demands.push(Demand::Say(format!("info string {why}")));
                demands.push(Demand::Say("nobestmove".into()));
            }
        }
        while self.thinking.is_none()
            && !self.ended
            && let Some(line) = self.waiting.pop_front()
        {
            self.waiting_bytes -= line.len();
            self.command(&line, &mut demands);
        }
        if self.input_is_over && self.thinking.is_none() && !self.ended {
            demands.extend(self.end());
        }
        demands
    }

    fn end(&mut self) -> Vec<Demand> {
        self.ended = true;
        vec![Demand::End]
    }

    fn command(&mut self, line: &[u8], demands: &mut Vec<Demand>) {
        let word = word_of(line);
        let is_busy = self.thinking.is_some();
        match word {
            "quit" => {
                demands.extend(is_busy.then_some(Demand::Stop));
                demands.push(Demand::Say("bye".into()));
                demands.extend(self.end());
            }
            "stop" if is_busy => {
                self.hurried = self.waiting.iter().filter(|line| word_of(line) == "go").count();
                demands.push(Demand::Stop);
            }
            "5duci" | "setoption" | "isready" | "5ducinewgame" | "position" | "go" if is_busy => {
                let bytes = self.waiting_bytes + line.len();
                if self.waiting.len() >= WAITING_LINES || bytes > WAITING_BYTES {
                    error(demands, &format!("{word}: too many lines while thinking; this one is ignored"));
                } else {
                    self.waiting_bytes = bytes;
                    self.waiting.push_back(line.to_vec());
                }
            }
            "5duci" => self.introduce(demands),
            "isready" => demands.push(Demand::Say("readyok".into())),
            "5ducinewgame" => {
                self.position = Some((start(), Vec::new()));
                self.plan = None;
            }
            "setoption" => self.set_option(line, demands),
            "position" => self.set_position(line, demands),
            "go" => self.go(line, demands),
            _ => {}
        }
    }

    fn introduce(&self, demands: &mut Vec<Demand>) {
        let Options { memory, seed, move_time, whole_action } = &self.options;
        let lines = [
            format!("Worldlines {}", env!("CARGO_PKG_VERSION")),
            format!("option Memory, in MiB, {} to {}, now {memory}", MEMORY.0, MEMORY.1),
            format!("option MoveTime, in milliseconds, {} to {}, now {move_time}", MOVE_TIME.0, MOVE_TIME.1),
            format!("option Seed, {} to {}, now {seed}", SEED.0, SEED.1),
            format!("option WholeAction, true or false, now {whole_action}"),
        ];
        demands.extend(lines.map(|line| Demand::Say(format!("info string {line}"))));
        demands.push(Demand::Say("5duciok".into()));
    }

    fn set_option(&mut self, line: &[u8], demands: &mut Vec<Demand>) {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_ascii_whitespace().skip(1);
        let (Some("name"), Some(name)) = (words.next(), words.next()) else {
            return error(demands, "setoption: expected `setoption name NAME value VALUE`");
        };
        let value = words.next().filter(|word| *word == "value").and_then(|_| words.next());
        let number = |(least, most): (u64, u64)| {
            let number: Option<u64> = value.and_then(|value| value.parse().ok());
            number
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| format!("setoption: {} is a number from {least} to {most}", printable(name)))
        };
        let options = &mut self.options;
        let set = match name.to_ascii_lowercase().as_str() {
            "memory" | "hash" => number(MEMORY).map(|number| options.memory = number),
            "movetime" => number(MOVE_TIME).map(|number| options.move_time = number),
            "seed" => number(SEED).map(|number| options.seed = number),
            "wholeaction" => match value {
                // An option without a value is switched on.
                None | Some("true" | "false") => {
                    options.whole_action = value != Some("false");
                    Ok(())
                }
                Some(_) => Err("setoption: WholeAction is `true` or `false`".to_owned()),
            },
            _ => Err(format!("setoption: there is no option {}", shortened(name))),
        };
        if let Err(message) = set {
            error(demands, &message);
        }
    }

    fn set_position(&mut self, line: &[u8], demands: &mut Vec<Demand>) {
        let read = || -> Result<(Position, Vec<Move>), (ParseError, usize)> {
            let text = text_of(line).map_err(|error| {
                let valid = &line[..error.span().range().start];
                let column = Location::of(&String::from_utf8_lossy(valid), valid.len()).column;
                (error, column)
            })?;
            let uci5d::UnderWay { game, made } = uci5d::parse_under_way(text);
            match (game.value, game.error) {
                (Some(game), None) => Ok((game.end(), made)),
                (_, Some(error)) => {
                    let column = Location::of(text, error.span().range().start).column;
                    Err((error, column))
                }
                (None, None) => unreachable!("a text that is not read has an error"),
            }
        };
        self.position = match read() {
            Ok(position) => Some(position),
            Err((why, column)) => {
                let (class, issue) = (why.class.name(), &why.issue);
                let hint = issue.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
                let message = format!("position: column {column}: {class}: {}{hint}", issue.message);
                error(demands, &shortened(&message));
                None
            }
        };
    }

    fn go(&mut self, line: &[u8], demands: &mut Vec<Demand>) {
        let is_hurried = self.hurried > 0;
        self.hurried = self.hurried.saturating_sub(1);
        let Some((position, made)) = self.position.clone() else {
            error(demands, "go: there is no position, since the last one could not be read");
            return demands.push(Demand::Say("nobestmove".into()));
        };
        if !made.is_empty()
            && let Some(left) = self.plan.as_ref().and_then(|plan| plan.after(&position, &made))
        {
            return self.best(&left, demands);
        }
        let Options { memory, seed, move_time, .. } = self.options;
        let question = Question { made, seed, memory: memory << 20, ..Question::new(position) };
        let mut task = Task { question, steps: None, milliseconds: None };
        let mut is_infinite = false;
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_ascii_whitespace().skip(1).peekable();
        while let Some(word) = words.next() {
            if word == "infinite" {
                is_infinite = true;
            }
            if !["movetime", "nodes", "depth", "mate"].contains(&word) {
                continue;
            }
            let Some(number) = words.peek().and_then(|next| next.parse::<u64>().ok()).filter(|n| *n > 0)
            else {
                error(demands, &format!("go: expected a number above 0 after `{word}`"));
                continue;
            };
            words.next();
            let small = number.min(1_000) as u32;
            match word {
                "movetime" => task.milliseconds = Some(number.min(MOVE_TIME.1)),
                "nodes" => task.steps = Some(number),
                "depth" => task.question.depth = Some(small),
                _ => task.question.mate_in = Some(small),
            }
        }
        let Task { question: Question { depth, mate_in, .. }, steps, milliseconds } = &task;
        let is_limited = steps.is_some() || milliseconds.is_some() || depth.is_some() || mate_in.is_some();
        if !is_limited && !is_infinite {
            task.milliseconds = Some(move_time);
        }
        if is_hurried || self.input_is_over && !task.is_bounded() {
            task.steps = Some(1);
        }
        self.plan = None;
        self.thinking = Some(task.clone());
        demands.push(Demand::Think(Box::new(task)));
    }

    /// Answers with the next move of an action with these moves left.
    fn best(&self, left: &[Move], demands: &mut Vec<Demand>) {
        let mut text = "bestmove".to_owned();
        let count = if self.options.whole_action { left.len() } else { 1 };
        for m in left.iter().take(count) {
            text.push(' ');
            text.push_str(&move_text(m));
        }
        if left.is_empty() {
            text.push_str(" submit");
        }
        demands.push(Demand::Say(text));
    }
}

/// The position of `startpos`.
fn start() -> Position {
    let variant = variants::by_name("Standard - Turn Zero").expect("there is such a variant");
    Position::from_setup(&variant.setup()).expect("variants are positions")
}

/// The command of a line: its first word.
fn word_of(line: &[u8]) -> &str {
    let line = line.trim_ascii_start();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    std::str::from_utf8(&line[..end]).unwrap_or_default()
}

fn error(demands: &mut Vec<Demand>, message: &str) {
    demands.push(Demand::Say(format!("info string error: {}", printable(message))));
}

/// The beginning of a text, for messages that should not get too long.
fn shortened(text: &str) -> String {
    const MOST: usize = 300;
    let mut shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::think;
    use crate::types::Limit;

    /// Runs the lines of a host, with `~` where the thought under way ends. Returns the answers, and `think`,
    /// `stop` and `end` for the other demands.
    fn said(session: &mut Session, script: &str) -> Vec<String> {
        let mut task: Option<Box<Task>> = None;
        let mut said = Vec::new();
        for line in script.lines().map(str::trim) {
            let demands = if line == "~" {
                let steps = task.as_ref().and_then(|task| task.steps).unwrap_or(300).min(300);
                let task = task.take().expect("a thought under way");
                session.finish(think(&task.question, Limit::steps(steps), &mut |_| ()))
            } else {
                session.read(line.as_bytes())
            };
            for demand in demands {
                said.push(match demand {
                    Demand::Say(line) => line,
                    Demand::Think(new) => {
                        assert!(task.replace(new).is_none(), "two thoughts at once");
                        "think".into()
                    }
                    Demand::Stop => "stop".into(),
                    Demand::End => "end".into(),
                });
            }
        }
        said
    }

    fn talk(script: &str) -> Vec<String> {
        said(&mut Session::new(false), script)
    }

    /// Two boards, on each of which the king must move.
    const TWO: &str = "position size 3x3 even fen [k*2/3/2K*:-0:1:w] [k*2/3/2K*:+0:1:w]";

    #[test]
    fn the_handshake_ends_with_5duciok() {
        let lines = talk("5duci");
        assert_eq!(lines.last().unwrap(), "5duciok");
        assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info string ")));
        assert_eq!(talk("isready\n  isready \nisready now"), ["readyok"; 3]);
    }

    #[test]
    fn unknown_commands_are_ignored() {
        assert!(talk("hello\n\nucinewgame\nBestmove\nsetopti\nstop\nponderhit\n5duciok").is_empty());
        assert!(Session::new(false).read(b"\xff\xfe go").is_empty());
        assert!(Session::new(false).read(&[b'x'; 100_000]).is_empty());
    }

    #[test]
    fn an_answer_comes_before_what_waits_for_it() {
        let lines = talk(
            "go\nisready\nposition startpos moves (0T1)e2e3 submit\nsetoption name Seed value 9\nisready\ngo\nstop\n~\n~",
        );
        let [think, stop, best, ready, again, then, answer] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!([think, stop, ready, again, then], ["think", "stop", "readyok", "readyok", "think"]);
        assert!(best.starts_with("bestmove (0T1)") && best.ends_with(['3', '4']), "{best}");
        assert!(answer.starts_with("bestmove (0T1)") && answer.ends_with(['5', '6']), "{answer}");
    }

    #[test]
    fn an_action_is_said_move_by_move() {
        let mut session = Session::new(false);
        let lines = said(&mut session, &format!("{TWO}\ngo nodes 200\n~"));
        let [_, first] = &lines[..] else { panic!("{lines:?}") };
        let first = first.strip_prefix("bestmove ").unwrap();
        // The rest of the action is remembered: no thought is needed.
        let lines = said(&mut session, &format!("{TWO} moves {first}\ngo nodes 200"));
        let [second] = &lines[..] else { panic!("{lines:?}") };
        let second = second.strip_prefix("bestmove ").unwrap();
        let lines = said(&mut session, &format!("{TWO} moves {first} {second}\ngo\nposition startpos\ngo"));
        assert_eq!(lines, ["bestmove submit", "think"]);
        let mut whole = Session::new(true);
        let lines = said(&mut whole, &format!("{TWO}\ngo nodes 200\n~"));
        assert_eq!(lines[1], format!("bestmove {first} {second}"));
    }

    #[test]
    fn another_move_than_the_planned_one_is_thought_about() {
        let mut session = Session::new(false);
        let lines = said(&mut session, &format!("{TWO}\ngo nodes 200\n~"));
        let first = lines[1].strip_prefix("bestmove ").unwrap();
        let other =
            ["(-1T1)c1b1", "(-1T1)c1c2"].into_iter().find(|m| m[..8] != first[..8] || m[8..] != first[14..]);
        let lines = said(&mut session, &format!("{TWO} moves {}\ngo nodes 200\n~", other.unwrap()));
        let [think, answer] = &lines[..] else { panic!("{lines:?}") };
        assert!(think == "think" && answer.starts_with("bestmove (0T1)c1(0T1)"), "{answer}");
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_place() {
        for (line, expected) in [
            ("position", "column 9: malformed: "),
            ("position fen", "column 13: malformed: "),
            ("position startpos moves (0T1)e2e5 submit", "column 25: illegal: action 1w: "),
            ("position startpos moves (0T1)e2e4 submit submit", "column 42: illegal: "),
            ("position fen [kx:0:1:w]", "column 16: malformed: "),
            ("position size 99x1 fen [k:0:1:w]", "column 15: malformed: "),
        ] {
            let lines = talk(&format!("{line}\ngo\nposition startpos\ngo"));
            let [error, none, no, think] = &lines[..] else { panic!("{lines:?}") };
            assert!(error.starts_with(&format!("info string error: position: {expected}")), "{error}");
            assert!(none.starts_with("info string error: go: there is no position"), "{none}");
            assert_eq!((no.as_str(), think.as_str()), ("nobestmove", "think"));
        }
        let demands = Session::new(false).read(b"position startpos \xff moves");
        let [Demand::Say(error)] = &demands[..] else { panic!("{demands:?}") };
        assert!(
            error.starts_with("info string error: position: column 19: malformed: expected UTF-8"),
            "{error}"
        );
        let refused = Session::new(false).refuse(b" position fen [");
        assert!(
            matches!(&refused[0], Demand::Say(error) if error.ends_with("a line has at most 16777216 bytes"))
        );
        assert!(Session::new(false).refuse(b"positions").is_empty());
    }

    #[test]
    fn a_game_that_is_over_has_no_move() {
        let fools_mate = "position fen [k2/1Q1/1K1:0:1:b]";
        assert_eq!(talk(&format!("{fools_mate}\ngo\n~")), ["think", "info string checkmate", "nobestmove"]);
        let stalemate = "position fen [k2/2Q/1K1:0:1:b]";
        assert_eq!(talk(&format!("{stalemate}\ngo\n~")), ["think", "info string stalemate", "nobestmove"]);
        let dead_end = "position fen [k2/2R/1K1:0:1:b] moves (0T1)a3a2";
        let lines = talk(&format!("{dead_end}\ngo\n~"));
        assert_eq!(lines, ["think", "info string no legal action has these moves", "nobestmove"]);
    }

    #[test]
    fn options_are_set_or_refused() {
        let mut session = Session::new(false);
        let options = "setoption name Hash value 8\nsetoption name seed value 5\nsetoption name MoveTime value 250\n\
                       setoption name WholeAction";
        assert!(said(&mut session, options).is_empty());
        let expected = Options { memory: 8, seed: 5, move_time: 250, whole_action: true };
        assert_eq!(session.options, expected);
        let wrong = "setoption name Memory value 0\nsetoption name Seed\nsetoption name Seed value x\n\
                     setoption name WholeAction value 1\nsetoption name Colour value red\nsetoption Seed\nsetoption";
        let lines = said(&mut session, wrong);
        assert_eq!(lines.len(), 7);
        assert!(lines.iter().all(|line| line.starts_with("info string error: setoption: ")), "{lines:?}");
        assert_eq!(session.options, expected);
        let [Demand::Think(task)] = &session.read(b"go")[..] else { panic!() };
        let Task { question, steps, milliseconds } = &**task;
        assert_eq!((question.memory, question.seed), (8 << 20, 5));
        assert_eq!((*steps, *milliseconds), (None, Some(250)));
    }

    #[test]
    fn go_takes_limits() {
        let task = |line: &str| {
            let demands = Session::new(false).read(line.as_bytes());
            match demands.into_iter().next_back() {
                Some(Demand::Think(task)) => task,
                other => panic!("{other:?}"),
            }
        };
        let Task { question, steps, milliseconds } = *task("go movetime 50 nodes 7 depth 3 mate 2 ponder");
        assert_eq!(
            (steps, milliseconds, question.depth, question.mate_in),
            (Some(7), Some(50), Some(3), Some(2))
        );
        for line in ["go infinite", "go depth 2", "go mate 3"] {
            assert!(!task(line).is_bounded(), "{line}");
        }
        assert_eq!(task("go movetime -5").milliseconds, Some(1_000));
        assert_eq!(task("go nodes 99999999999999999999").steps, None);
        assert_eq!(talk("go nodes 0")[0], "info string error: go: expected a number above 0 after `nodes`");
    }

    #[test]
    fn a_session_ends_with_quit_or_its_input() {
        assert_eq!(talk("quit\nisready\ngo"), ["bye", "end"]);
        assert_eq!(talk("go\nquit\n~"), ["think", "stop", "bye", "end"]);
        let mut session = Session::new(false);
        assert_eq!(session.end_of_input(), [Demand::End]);
        for (line, demands) in [("go infinite", vec![Demand::Stop]), ("go nodes 100", vec![])] {
            let mut session = Session::new(false);
            let [Demand::Think(task)] = &session.read(line.as_bytes())[..] else { panic!() };
            session.read(b"isready");
            assert_eq!(session.end_of_input(), demands);
            let last = session.finish(think(&task.question, Limit::steps(100), &mut |_| ()));
            let [Demand::Say(best), Demand::Say(ready), Demand::End] = &last[..] else { panic!("{last:?}") };
            assert!(best.starts_with("bestmove ") && ready == "readyok");
        }
    }

    #[test]
    fn only_so_much_waits() {
        let mut session = Session::new(false);
        session.read(b"go");
        let said = |demands: Vec<Demand>| demands.len();
        let refused: usize = (0..WAITING_LINES + 10).map(|_| said(session.read(b"isready"))).sum();
        assert_eq!(refused, 10);
        let mut session = Session::new(false);
        session.read(b"go");
        let line = [b"position ".as_slice(), &vec![b' '; MAX_INPUT_BYTES]].concat();
        assert_eq!([said(session.read(&line)), said(session.read(&line))], [0, 1]);
    }

    #[test]
    fn what_is_known_is_told() {
        let mut session = Session::new(false);
        let made = format!("{TWO} moves (0T1)c1b1");
        session.read(made.as_bytes());
        let [Demand::Think(task)] = &session.read(b"go nodes 500")[..] else { panic!() };
        let mut lines = Vec::new();
        think(&task.question, Limit::steps(500), &mut |report| lines.extend(session.report(report)));
        assert!(!lines.is_empty());
        for line in lines {
            let (figures, moves) = line.split_once(" pv ").unwrap();
            assert!(
                figures.starts_with("info depth ")
                    && figures.contains(" nodes ")
                    && figures.contains(" score ")
            );
            // The move that is already made is not repeated.
            assert!(
                moves.starts_with("(-1T1)c1") && !moves.contains("(0T1)c1") && moves.ends_with(" submit"),
                "{moves}"
            );
        }
    }
}
