//! A running engine, or the recording of one.

use std::collections::{HashMap, VecDeque};
use std::fmt::{self, Write as _};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::dialogue::Dialogue;
use super::fault::Fault;
use super::said::{Said, Score};
use crate::child::{self, Child, Leaving};
use crate::notation::printable;

/// The most bytes of unread output of an engine, and of one line.
const MOST_BYTES: usize = 256 << 10;
/// The most bytes of one answer.
const MOST_FOR_AN_ANSWER: usize = 8 << 20;
/// The number of lines that a transcript keeps, and the number of bytes of each.
const KEPT_LINES: usize = 200;
const KEPT_BYTES: usize = 2_000;

/// The treatment of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The options to set at the start, each perhaps with a value.
    pub options: Vec<(String, Option<String>)>,
    /// Whether it answers with all moves of an action at once, so that the host submits.
    pub whole_actions: bool,
    /// The time for it to start, and to become ready.
    pub patience: Duration,
    /// The time for it to answer after its thinking time is over, and to end.
    pub grace: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            options: Vec::new(),
            whole_actions: false,
            patience: Duration::from_secs(10),
            grace: Duration::from_secs(2),
        }
    }
}

/// The limits of one `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The thinking time.
    pub time: Duration,
    /// The number of nodes, for engines with such a limit.
    pub nodes: Option<u64>,
    /// The length of the mate to look for, for engines with such a search.
    pub mate: Option<u32>,
}

impl Limits {
    /// The `go` line.
    fn line(self) -> String {
        let mut line = format!("go movetime {}", self.time.as_millis().max(1));
        // Writing to a string cannot fail.
        if let Some(nodes) = self.nodes {
            let _ = write!(line, " nodes {nodes}");
        }
        if let Some(mate) = self.mate {
            let _ = write!(line, " mate {mate}");
        }
        line
    }
}

/// The answer of an engine to one `go`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The words after `bestmove`; `None` for `nobestmove`.
    pub moves: Option<Vec<String>>,
    /// The last score that it gave, for the player to move.
    #[serde(flatten)]
    pub score: Option<Score>,
    /// The time that it took.
    #[serde(skip)]
    pub time: Duration,
    /// Whether it was sent `stop`, because its time was over.
    #[serde(skip)]
    pub stopped: bool,
}

/// The reason why there is no engine.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The command cannot be split into words.
    Command(shell_words::ParseError),
    /// The program cannot be started.
    Start {
        /// The program.
        program: String,
        /// The reason.
        error: io::Error,
    },
    /// The recording cannot be read.
    Recording(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Command(error) => write!(f, "the command cannot be divided into words: {error}"),
            StartError::Start { program, error } => {
                write!(f, "the engine `{}` cannot be started: {error}", printable(program))?;
                // A name alone is looked for in the folders of the variable PATH.
                let is_here = !program.contains(['/', '\\']) && Path::new(program).exists();
                if is_here { write!(f, "; did you mean `./{}`?", printable(program)) } else { Ok(()) }
            }
            StartError::Recording(why) => write!(f, "this is no recording of an engine: {why}"),
        }
    }
}

impl std::error::Error for StartError {}

/// An engine that speaks 5DUCI. When it is dropped, it is killed with all processes that it started.
#[derive(Debug)]
pub struct Engine {
    source: Source,
    settings: Settings,
    dialogue: Dialogue,
    transcript: VecDeque<String>,
    /// The recording, if one is kept: a line for each question and answer.
    recording: Option<String>,
}

#[derive(Debug)]
enum Source {
    Child(Box<Child>),
    /// The answers of a recording, by question.
    Recording(HashMap<(String, Option<u32>), Answer>),
}

/// A line of a recording.
#[derive(Serialize, Deserialize)]
struct Exchange {
    position: String,
    /// The length of the mate to look for.
    asked: Option<u32>,
    #[serde(flatten)]
    answer: Answer,
}

impl Engine {
    /// Starts an engine, without sending anything. The command is split into words as a shell does it; no
    /// shell runs.
    ///
    /// # Errors
    ///
    /// When there is no such program.
    pub fn spawn(command: &str, settings: &Settings) -> Result<Engine, StartError> {
        let words = shell_words::split(command).map_err(StartError::Command)?;
        let program = || words.first().cloned().unwrap_or_default();
        let child = Child::start(&words, MOST_BYTES)
            .map_err(|error| StartError::Start { program: program(), error })?;
        Ok(Engine::of(Source::Child(Box::new(child)), settings))
    }

    /// Replays the answers of an engine from its [recording](Engine::recording).
    ///
    /// # Errors
    ///
    /// When the text is not a recording.
    pub fn replay(recording: &str, settings: &Settings) -> Result<Engine, StartError> {
        let read = |line| {
            let Exchange { position, asked, answer } =
                serde_json::from_str(line).map_err(|error| StartError::Recording(error.to_string()))?;
            Ok(((position, asked), answer))
        };
        let answers = recording.lines().map(read).collect::<Result<_, StartError>>()?;
        Ok(Engine::of(Source::Recording(answers), settings))
    }

    fn of(source: Source, settings: &Settings) -> Engine {
        Engine {
            source,
            settings: settings.clone(),
            dialogue: Dialogue::default(),
            transcript: VecDeque::new(),
            recording: None,
        }
    }

    /// Records questions and answers from now on.
    pub fn record(&mut self) {
        self.recording.get_or_insert_default();
    }

    /// The recording, if one is kept: a line of JSON for each `go`.
    pub fn recording(&self) -> Option<&str> {
        self.recording.as_deref()
    }

    /// The treatment of the engine.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The last lines of the dialogue: `>` from the host, `<` from the engine.
    pub fn transcript(&self) -> impl Iterator<Item = &str> {
        self.transcript.iter().map(String::as_str)
    }

    /// The end of its standard error.
    pub fn errors(&self) -> String {
        match &self.source {
            Source::Child(child) => child.errors(),
            Source::Recording(_) => String::new(),
        }
    }

    /// Sends `5duci` and the options, and waits until the engine is ready.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn introduce(&mut self) -> Result<(), Fault> {
        self.send("5duci");
        self.wait("5duciok", |said| matches!(said, Said::Ok))?;
        for (name, value) in self.settings.options.clone() {
            let value = value.map(|value| format!(" value {value}")).unwrap_or_default();
            self.send(&format!("setoption name {name}{value}"));
        }
        self.be_ready()
    }

    /// Announces that the next position belongs to another game.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.send("5ducinewgame");
        self.be_ready()
    }

    /// Waits until the engine is ready. An answer before that which was not asked for is a fault.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn be_ready(&mut self) -> Result<(), Fault> {
        self.send("isready");
        self.wait("readyok", |said| matches!(said, Said::Ready))
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.dialogue.say(line);
        self.keep('>', line);
        if let Source::Child(child) = &mut self.source {
            child.send(line);
        }
    }

    /// The next line of the engine; `None` if there is none by the deadline. An answer that was not asked for
    /// is a fault.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn hear(&mut self, deadline: Instant) -> Result<Option<String>, Fault> {
        let Source::Child(child) = &mut self.source else { return Ok(None) };
        match child.line(deadline) {
            Ok(line) => {
                self.keep('<', &line);
                let said = Said::of(&line);
                if self.dialogue.hear(&said) {
                    return Ok(Some(line));
                }
                let word = line.split_ascii_whitespace().next().unwrap_or_default();
                Err(Fault::Babbled(format!("it says `{word}`, which nobody asked for")))
            }
            Err(child::Fault::Silent) => Ok(None),
            Err(fault @ child::Fault::Ended(_)) => {
                // Its last words arrive on another pipe, perhaps a little later.
                let mut errors = child.errors();
                for _ in 0..10 {
                    if errors.is_empty() {
                        thread::sleep(Duration::from_millis(10));
                        errors = child.errors();
                    }
                }
                let last = errors.lines().last().unwrap_or_default();
                let words = if last.is_empty() { String::new() } else { format!("; its last words: {last}") };
                Err(Fault::Crashed(format!("{fault}{words}")))
            }
            Err(fault) => Err(Fault::Babbled(fault.to_string())),
        }
    }

    /// Waits for an answer that should come at once.
    fn wait(&mut self, what: &str, is_it: impl Fn(&Said<'_>) -> bool) -> Result<(), Fault> {
        if let Source::Recording(_) = self.source {
            return Ok(());
        }
        let deadline = Instant::now() + self.settings.patience;
        let mut bytes = 0;
        while let Some(line) = self.hear(deadline)? {
            if is_it(&Said::of(&line)) {
                return Ok(());
            }
            weigh(&mut bytes, &line)?;
            if Instant::now() >= deadline {
                break;
            }
        }
        let seconds = self.settings.patience.as_secs_f64();
        Err(Fault::Hung(format!("it does not say `{what}` within {seconds} s")))
    }

    /// Asks for a move in the position of this line. Sends `stop` when the time is over.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn ask(&mut self, position: &str, limits: Limits) -> Result<Answer, Fault> {
        if let Source::Recording(answers) = &self.source {
            let answer = answers.get(&(position.to_owned(), limits.mate)).cloned();
            self.keep('>', position);
            return answer.ok_or_else(|| Fault::NotRecorded("the recording has no such question".into()));
        }
        // A line before `readyok` belongs to an earlier question and is a fault.
        self.be_ready()?;
        self.send(position);
        self.send(&limits.line());
        let answer = self.answer(limits.time)?;
        if let Some(recording) = &mut self.recording {
            let exchange = Exchange { position: position.into(), asked: limits.mate, answer: answer.clone() };
            *recording += &serde_json::to_string(&exchange).expect("an exchange is plain data");
            recording.push('\n');
        }
        Ok(answer)
    }

    /// Waits for the answer to a `go` with this thinking time.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn answer(&mut self, time: Duration) -> Result<Answer, Fault> {
        /// An allowance for the transport of the answer.
        const WAY: Duration = Duration::from_millis(100);
        let begun = Instant::now();
        let mut deadline = begun + time + WAY;
        let mut answer = Answer::default();
        let mut bytes = 0;
        loop {
            let line = if Instant::now() < deadline { self.hear(deadline)? } else { None };
            let Some(line) = line else {
                if answer.stopped {
                    let (time, grace) = (time.as_secs_f64(), self.settings.grace.as_secs_f64());
                    let what = format!("no answer within {time} s, and none within {grace} s of `stop`");
                    return Err(Fault::Hung(what));
                }
                self.send("stop");
                answer.stopped = true;
                deadline = Instant::now() + self.settings.grace;
                continue;
            };
            weigh(&mut bytes, &line)?;
            match Said::of(&line) {
                Said::BestMove(moves) => {
                    answer.moves = Some(moves.into_iter().map(str::to_owned).collect());
                    break;
                }
                Said::NoBestMove => break,
                Said::Info(Some(score)) => answer.score = Some(score),
                _ => {}
            }
        }
        answer.time = begun.elapsed();
        Ok(answer)
    }

    /// Sends `quit`, and waits until the engine has ended.
    ///
    /// # Errors
    ///
    /// The fault of the engine: it says more than `bye`, does not end or ends with an error, or leaves
    /// processes running.
    pub fn quit(mut self) -> Result<(), Fault> {
        if let Source::Recording(_) = self.source {
            return Ok(());
        }
        self.send("quit");
        let deadline = Instant::now() + self.settings.grace;
        let (mut bytes, mut said_bye) = (0, false);
        loop {
            match self.hear(deadline) {
                Ok(Some(line)) => {
                    weigh(&mut bytes, &line)?;
                    match Said::of(&line) {
                        Said::Bye => said_bye = true,
                        Said::Other | Said::Info(_) if !said_bye => {}
                        // A search that ends because of `quit` may still answer.
                        Said::BestMove(_) | Said::NoBestMove if !said_bye => {}
                        _ => return Err(Fault::Babbled("it goes on talking after `bye`".into())),
                    }
                }
                Ok(None) | Err(Fault::Crashed(_)) => break,
                Err(Fault::Babbled(what)) => return Err(Fault::Babbled(format!("after `quit`: {what}"))),
                Err(fault) => return Err(fault),
            }
        }
        let Source::Child(child) = self.source else { return Ok(()) };
        match child.leave(deadline) {
            Leaving::Well if said_bye => Ok(()),
            Leaving::Well => Err(Fault::Crashed("it ends without `bye`".into())),
            Leaving::Badly(how) => Err(Fault::Crashed(format!("after `quit` it ends badly: {how}"))),
            Leaving::Not => Err(Fault::Hung("it does not end after `quit`".into())),
            Leaving::Others(_) => Err(Fault::Hung("it ends and leaves a program running".into())),
        }
    }

    fn keep(&mut self, who: char, line: &str) {
        let mut end = line.len().min(KEPT_BYTES);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let more = if end < line.len() { "…" } else { "" };
        self.transcript.push_back(format!("{who} {}{more}", &line[..end]));
        if self.transcript.len() > KEPT_LINES {
            self.transcript.pop_front();
        }
    }
}

/// Counts the bytes of a line towards an answer; too many are a fault.
fn weigh(bytes: &mut usize, line: &str) -> Result<(), Fault> {
    *bytes += line.len() + 1;
    if *bytes > MOST_FOR_AN_ANSWER {
        return Err(Fault::Babbled(format!("it writes more than {MOST_FOR_AN_ANSWER} bytes for one answer")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_keeps_the_score_and_earlier_ones_are_read() {
        for (line, score) in [
            (r#"{"position":"p","asked":null,"moves":["m"],"mate":null}"#, None),
            (r#"{"position":"p","asked":2,"moves":["m"],"mate":-2}"#, Some(Score::Mate(-2))),
            (r#"{"position":"p","asked":null,"moves":null,"cp":26}"#, Some(Score::Centipawns(26))),
            (r#"{"position":"p","asked":null,"moves":null}"#, None),
        ] {
            let exchange: Exchange = serde_json::from_str(line).unwrap();
            assert_eq!(exchange.answer.score, score, "{line}");
            let again: Exchange = serde_json::from_str(&serde_json::to_string(&exchange).unwrap()).unwrap();
            assert_eq!((again.answer, again.asked), (exchange.answer, exchange.asked));
        }
    }
}
