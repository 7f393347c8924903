//! Another program as an oracle.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::protocol::{Asked, Hello, Introduction, Said, not_of_the_protocol};
use super::{Answer, Manifest, Oracle, Question};
use crate::child::{Child, Fault};

/// The most bytes that a program may write at once.
const MOST_BYTES: usize = 64 << 20;
/// The time added to that of a question: for starting, printing, and a slow machine.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time for a program to introduce itself.
const START: Duration = Duration::from_secs(30);
/// The number of questions in a row without an answer after which no more are asked.
const MOST_FAULTS: u32 = 8;

/// Another program, which speaks the protocol of `spec/oracle-protocol.md` on its standard streams, or a
/// recording of one.
///
/// After a crash or a time-out it is restarted for the next question.
#[derive(Debug)]
pub struct Program {
    source: Source,
    manifest: Manifest,
    questions: u64,
    /// The number of questions in a row without an answer.
    faults: u32,
    /// The recording, if one is kept: a line for each question.
    recording: Option<String>,
}

/// The source of answers.
#[derive(Debug)]
enum Source {
    Child {
        command: Vec<String>,
        child: Option<Child>,
    },
    /// The answers of a recording, by question.
    Recording(HashMap<String, Value>),
}

/// A line of a recording.
#[derive(Serialize, Deserialize)]
struct Exchange {
    question: Value,
    answer: Value,
}

/// The reason why a program cannot be asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The command cannot be split into words.
    Command(shell_words::ParseError),
    /// The program cannot be started.
    Start(io::Error),
    /// It does not introduce itself. The text is the end of its standard error.
    Fault(Fault, String),
    /// Its introduction cannot be understood.
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
    /// Starts a program and reads its introduction. The command is split into words as a shell does it; no
    /// shell runs.
    ///
    /// # Errors
    ///
    /// When it cannot be started or does not introduce itself.
    pub fn start(command: &str) -> Result<Program, StartError> {
        let command = shell_words::split(command).map_err(StartError::Command)?;
        let (child, introduction) = introduced(&command)?;
        let manifest = manifest(&introduction)?;
        let source = Source::Child { command, child: Some(child) };
        let mut program =
            Program { source, manifest, questions: 0, faults: 0, recording: Some(String::new()) };
        program.record(&line(&Hello::LINE), &introduction);
        Ok(program)
    }

    /// Replays the answers of a program from its [recording](Oracle::recording). Other questions have no
    /// answer.
    ///
    /// # Errors
    ///
    /// When the text is not a recording.
    pub fn replay(recording: &str) -> Result<Program, StartError> {
        let mut answers = HashMap::new();
        for text in recording.lines() {
            let wrong = |error: serde_json::Error| StartError::Introduction(format!("no recording: {error}"));
            let Exchange { question, answer } = serde_json::from_str(text).map_err(wrong)?;
            answers.insert(key(question), answer);
        }
        let hello = serde_json::from_str(&line(&Hello::LINE)).expect("questions are plain data");
        let introduction = answers.get(&key(hello));
        let introduction = introduction
            .ok_or_else(|| StartError::Introduction("no recording: it has no beginning".into()))?;
        let manifest = manifest(&introduction.to_string())?;
        Ok(Program { source: Source::Recording(answers), manifest, questions: 0, faults: 0, recording: None })
    }

    fn record(&mut self, question: &str, answer: &str) {
        let (Some(recording), Ok(question), Ok(answer)) =
            (&mut self.recording, serde_json::from_str(question), serde_json::from_str(answer))
        else {
            return;
        };
        recording.push_str(&line(&Exchange { question, answer }));
        recording.push('\n');
    }

    /// Asks a question, allows this much time, and returns the answer.
    fn say(&mut self, line: &str, time: Duration) -> Result<Said, Answer> {
        if self.faults >= MOST_FAULTS {
            return Err(Answer::NotAsked(format!("it gave no answer to the last {MOST_FAULTS} questions")));
        }
        let said = self.try_say(line, time);
        self.faults = if matches!(said, Ok(_) | Err(Answer::NotAsked(_))) { 0 } else { self.faults + 1 };
        if let (Err(_), Source::Child { child, .. }) = (&said, &mut self.source) {
            // After a fault, further lines of the program may belong to an earlier question.
            *child = None;
        }
        let answer = said?;
        self.record(line, &answer);
        serde_json::from_str(&answer).map_err(|error| Answer::Void(not_of_the_protocol(&error)))
    }

    fn try_say(&mut self, line: &str, time: Duration) -> Result<String, Answer> {
        let (command, child) = match &mut self.source {
            Source::Child { command, child } => (command, child),
            Source::Recording(answers) => return replayed(answers, line),
        };
        let child = match child {
            Some(child) => child,
            None => match introduced(command) {
                Ok((started, _)) => child.insert(started),
                Err(error) => return Err(Answer::Crash(format!("it does not start again: {error}"))),
            },
        };
        child.send(line);
        let answer = child.line(Instant::now() + time + PATIENCE);
        let errors = child.errors();
        let with_errors =
            |text: String| if errors.is_empty() { text } else { format!("{text}; its last words: {errors}") };
        match answer {
            Ok(line) => Ok(line),
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

/// Starts a program and returns its introduction.
fn introduced(command: &[String]) -> Result<(Child, String), StartError> {
    let mut child = Child::start(command, MOST_BYTES).map_err(StartError::Start)?;
    child.send(&line(&Hello::LINE));
    let answer =
        child.line(Instant::now() + START).map_err(|fault| StartError::Fault(fault, child.errors()))?;
    Ok((child, answer))
}

fn manifest(introduction: &str) -> Result<Manifest, StartError> {
    let introduction: Introduction =
        serde_json::from_str(introduction).map_err(|error| StartError::Introduction(error.to_string()))?;
    introduction.manifest().map_err(StartError::Introduction)
}

/// The content of a question as a key: without its number and its time.
fn key(mut question: Value) -> String {
    if let Some(fields) = question.as_object_mut() {
        fields.remove("id");
        fields.remove("milliseconds");
    }
    question.to_string()
}

/// The recorded answer to a question, with the number of this one.
fn replayed(answers: &HashMap<String, Value>, line: &str) -> Result<String, Answer> {
    let question: Value = serde_json::from_str(line).expect("questions are plain data");
    let id = question.get("id").cloned();
    match answers.get(&key(question)) {
        Some(answer) => {
            let mut answer = answer.clone();
            if let (Some(fields), Some(id)) = (answer.as_object_mut(), id) {
                fields.insert("id".into(), id);
            }
            Ok(answer.to_string())
        }
        None => Err(Answer::NotAsked("the recording has no such question".into())),
    }
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("questions are plain data")
}

impl Oracle for Program {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn ask(&mut self, question: &Question<'_>) -> Answer {
        if !self.manifest.takes(&question.game.start) {
            return Answer::NotAsked("it can start only from variants that it knows".into());
        }
        let id = self.next();
        let asked = line(&Asked::position(id, question, &self.manifest));
        let answer = match self.say(&asked, question.time) {
            Ok(said) => said.answer(id, Some(question.position)),
            Err(answer) => answer,
        };
        if let (Answer::Void(_), Source::Child { child, .. }) = (&answer, &mut self.source) {
            // The program may be out of step with the questions.
            *child = None;
        }
        answer
    }

    fn provoke(&mut self, question: &Question<'_>) -> Answer {
        let faults = self.faults;
        let answer = self.ask(question);
        self.faults = self.faults.min(faults);
        answer
    }

    fn recording(&self) -> Option<&str> {
        self.recording.as_deref()
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
        if !self.manifest.takes(&question.game.start) {
            return Some(Err(Answer::NotAsked("it can start only from variants that it knows".into())));
        }
        let id = self.next();
        let asked = line(&Asked::write(id, notation, question));
        Some(self.say(&asked, question.time).and_then(|said| said.text(id)))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::notation::Game;
    use crate::rules::variants;
    use crate::state::Position;

    fn ask(program: &mut Program, variant: &str) -> Answer {
        let setup = variants::by_name(variant).unwrap().setup();
        let game = Game::new(Position::from_setup(&setup).unwrap(), Vec::new());
        let time = Duration::from_secs(5);
        program.ask(&Question { game: &game, position: &game.start, cap: 10, tries: &[], time })
    }

    #[test]
    fn a_program_that_is_out_of_step_is_started_again() {
        // It writes one line too many before its first answer.
        let script = r#"
            n=0
            while read line; do
                if [ $n = 0 ]; then echo '{"name":"a"}'; echo '{"id":77}'; else echo "{\"id\":$n,\"not_asked\":\"$n\"}"; fi
                n=$((n+1))
            done"#;
        let mut program = Program::start(&shell_words::join(["sh", "-c", script])).unwrap();
        for _ in 0..2 {
            let Answer::Void(why) = ask(&mut program, "Standard") else {
                panic!("an answer out of step counts")
            };
            assert!(why.contains("77"), "{why}");
        }
    }

    #[test]
    fn faults_that_are_provoked_do_not_end_the_questions() {
        let script = r#"read line; echo '{"name":"a"}'; read line; exit 3"#;
        let mut program = Program::start(&shell_words::join(["sh", "-c", script])).unwrap();
        let game = Game::new(Position::default(), Vec::new());
        let time = Duration::from_secs(5);
        let question = Question { game: &game, position: &game.start, cap: 10, tries: &[], time };
        for _ in 0..2 * MOST_FAULTS {
            assert!(matches!(program.provoke(&question), Answer::Crash(_)));
        }
        for _ in 0..MOST_FAULTS {
            assert!(matches!(program.ask(&question), Answer::Crash(_)));
        }
        assert!(matches!(program.ask(&question), Answer::NotAsked(_)));
    }

    #[test]
    fn a_program_is_asked_only_about_starts_that_it_takes() {
        let script =
            r#"read line; echo '{"name":"a","boards":false,"variants":["Standard"]}'; read line; exit 3"#;
        let mut program = Program::start(&shell_words::join(["sh", "-c", script])).unwrap();
        assert!(matches!(ask(&mut program, "Small"), Answer::NotAsked(_)));
        assert!(matches!(ask(&mut program, "Standard"), Answer::Crash(_)));
    }
}
