//! Another program as an oracle.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::protocol::{Asked, Hello, Introduction, Said};
use super::{Answer, Manifest, Oracle, Question};
use crate::child::{Child, Fault};

/// The most bytes that a program may write at once.
const MOST_BYTES: usize = 64 << 20;
/// How much longer than it is told a program is waited for, to start, to print, and on a slow machine.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a program may take to introduce itself.
const START: Duration = Duration::from_secs(30);
/// After this many questions in a row without an answer no more are asked.
const MOST_FAULTS: u32 = 8;

/// Another program, which speaks the protocol of `spec/oracle-protocol.md` on its standard streams.
///
/// After a crash or a time-out it is started again for the next question.
#[derive(Debug)]
pub struct Program {
    command: Vec<String>,
    manifest: Manifest,
    child: Option<Child>,
    questions: u64,
    /// How many questions in a row had no answer.
    faults: u32,
}

/// Why a program cannot be asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The command is no shell command.
    Command(shell_words::ParseError),
    /// It cannot be started.
    Start(io::Error),
    /// It does not introduce itself. With what it says on its standard error.
    Fault(Fault, String),
    /// It introduces itself in a way that cannot be understood.
    Introduction(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Command(error) => write!(f, "the command cannot be divided into words: {error}"),
            StartError::Start(error) => write!(f, "the program cannot be started: {error}"),
            StartError::Fault(fault, errors) if errors.is_empty() => write!(f, "{fault}"),
            StartError::Fault(fault, errors) => write!(f, "{fault}; its last words: {errors}"),
            StartError::Introduction(why) => write!(f, "the program does not introduce itself: {why}"),
        }
    }
}

impl std::error::Error for StartError {}

impl Program {
    /// Starts a program and reads what it can be asked. The command is divided into words as a shell does it; no shell runs.
    ///
    /// # Errors
    ///
    /// When it cannot be started or does not introduce itself.
    pub fn start(command: &str) -> Result<Program, StartError> {
        let command = shell_words::split(command).map_err(StartError::Command)?;
        let (child, manifest) = introduced(&command)?;
        Ok(Program { command, manifest, child: Some(child), questions: 0, faults: 0 })
    }

    /// Asks a question that takes so long, and gives what is said.
    fn say(&mut self, line: &str, time: Duration) -> Result<Said, Answer> {
        if self.faults >= MOST_FAULTS {
            return Err(Answer::NotAsked(format!("it gave no answer to the last {MOST_FAULTS} questions")));
        }
        let said = self.try_say(line, time);
        self.faults = if said.is_ok() { 0 } else { self.faults + 1 };
        if said.is_err() {
            // What a program says after a fault may belong to an earlier question.
            self.child = None;
        }
        said
    }

    fn try_say(&mut self, line: &str, time: Duration) -> Result<Said, Answer> {
        let child = match &mut self.child {
            Some(child) => child,
            None => match introduced(&self.command) {
                Ok((child, _)) => self.child.insert(child),
                Err(error) => return Err(Answer::Crash(format!("it does not start again: {error}"))),
            },
        };
        child.send(line);
        let answer = child.line(Instant::now() + time + PATIENCE);
        let errors = child.errors();
        let with_errors =
            |text: String| if errors.is_empty() { text } else { format!("{text}; its last words: {errors}") };
        match answer {
            Ok(line) => serde_json::from_str(&line).map_err(|error| {
                Answer::Void(format!("its answer is no JSON object of the protocol: {error}"))
            }),
            Err(Fault::Silent) => {
                let milliseconds = time.as_millis();
                Err(Answer::TimeOut(with_errors(format!(
                    "no answer, though it was told to take {milliseconds} ms"
                ))))
            }
            Err(fault @ Fault::Ended(_)) => Err(Answer::Crash(with_errors(fault.to_string()))),
            Err(fault) => Err(Answer::Void(with_errors(fault.to_string()))),
        }
    }

    fn next(&mut self) -> u64 {
        self.questions += 1;
        self.questions
    }
}

/// A program that was started, and what it says about itself.
fn introduced(command: &[String]) -> Result<(Child, Manifest), StartError> {
    let mut child = Child::start(command, MOST_BYTES).map_err(StartError::Start)?;
    child.send(&line(&Hello::LINE));
    let answer =
        child.line(Instant::now() + START).map_err(|fault| StartError::Fault(fault, child.errors()))?;
    let introduction: Introduction =
        serde_json::from_str(&answer).map_err(|error| StartError::Introduction(error.to_string()))?;
    Ok((child, introduction.manifest().map_err(StartError::Introduction)?))
}

fn line(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("questions are plain data")
}

impl Oracle for Program {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn ask(&mut self, question: &Question<'_>) -> Answer {
        let id = self.next();
        let asked = line(&Asked::position(id, question, &self.manifest));
        match self.say(&asked, question.time) {
            Ok(said) => said.answer(id, Some(question.position)),
            Err(answer) => answer,
        }
    }

    fn read(&mut self, notation: &str, text: &str) -> Option<Answer> {
        if !self.manifest.reads.iter().any(|name| name == notation) {
            return None;
        }
        let (id, time) = (self.next(), PATIENCE);
        let asked =
            line(&Asked::read(id, notation, text, u64::try_from(time.as_millis()).unwrap_or(u64::MAX)));
        Some(match self.say(&asked, time) {
            Ok(said) => said.answer(id, None),
            Err(answer) => answer,
        })
    }

    fn write(&mut self, notation: &str, question: &Question<'_>) -> Option<Result<String, Answer>> {
        if !self.manifest.writes.iter().any(|name| name == notation) {
            return None;
        }
        let id = self.next();
        let asked = line(&Asked::write(id, notation, question));
        Some(self.say(&asked, question.time).and_then(|said| said.text(id)))
    }
}
