//! Untrusted child processes: they may hang, die, say nothing, or never stop writing.
//!
//! A [`Child`] reads and writes lines. Reading has a deadline and a limit of bytes, and writing never blocks.
//! When it is dropped, it and every program that it started are killed: those in its process group (on
//! Windows: its job), and on Linux also those that have left the group, unless they have cleared their
//! environment.

mod stray;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};
use stray::Mark;

/// The number of bytes of standard error that are kept: the end of it.
const KEPT_ERRORS: usize = 4 << 10;
/// The time for a program to disappear after it was killed, or after it has closed its output.
const GRACE: Duration = Duration::from_millis(500);

/// A running program.
#[derive(Debug)]
pub struct Child {
    process: Box<dyn ChildWrapper>,
    /// The mark that identifies it and all programs that it starts.
    mark: Mark,
    input: Sender<String>,
    output: Receiver<Result<String, Fault>>,
    /// The number of bytes that were read and not yet asked for.
    unread: Arc<AtomicUsize>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    /// The thread that reads its standard error.
    error_reader: thread::JoinHandle<()>,
    /// The first fault other than [`Fault::Silent`]; after it nothing more is read.
    fault: Option<Fault>,
}

/// A fault of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// It ended; the text says how.
    Ended(String),
    /// It wrote nothing before the deadline.
    Silent,
    /// It wrote more bytes than are read.
    TooMuch {
        /// The most bytes that are read.
        limit: usize,
    },
    /// A line is not UTF-8.
    NotText,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Ended(how) => write!(f, "the program ended: {how}"),
            Fault::Silent => f.write_str("the program did not answer in time"),
            Fault::TooMuch { limit } => {
                write!(f, "the program wrote more than {limit} bytes that nobody asked for")
            }
            Fault::NotText => f.write_str("the program wrote a line that is not UTF-8"),
        }
    }
}

impl Child {
    /// Starts a program. `most_bytes` is the most unread output, and the longest line.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(command: &[String], most_bytes: usize) -> io::Result<Child> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| io::Error::other("the command has no program"))?;
        let (mut builder, mark) = (Command::new(program), Mark::new());
        builder
            .envs([mark.variable()])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut wrap = CommandWrap::from(builder);
        #[cfg(unix)]
        wrap.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        wrap.wrap(process_wrap::std::JobObject);
        let mut process = wrap.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (process.stdin().take(), process.stdout().take(), process.stderr().take())
        else {
            return Err(io::Error::other("the program has no standard streams"));
        };
        let (input, lines) = channel();
        thread::spawn(move || write_lines(stdin, &lines));
        let (said, output) = channel();
        let unread = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&unread);
        thread::spawn(move || read_lines(BufReader::new(stdout), most_bytes, &counter, &said));
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&errors);
        let error_reader = thread::spawn(move || keep_end(stderr, &kept));
        Ok(Child { process, mark, input, output, unread, errors, error_reader, fault: None })
    }

    /// Sends a line, without waiting until the program reads it.
    pub fn send(&mut self, line: &str) {
        // If the program has ended, the next call of `line` reports it.
        let _ = self.input.send(format!("{line}\n"));
    }

    /// The next line of the program, without its line end.
    ///
    /// # Errors
    ///
    /// The fault of the program. After any fault except [`Fault::Silent`], every call fails.
    pub fn line(&mut self, deadline: Instant) -> Result<String, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let said = match self.output.recv_timeout(left) {
            Ok(said) => said,
            // A program may still answer later, so this fault does not stay.
            Err(RecvTimeoutError::Timeout) => return Err(Fault::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Ended(self.end())),
        };
        match &said {
            Ok(line) => {
                self.unread.fetch_sub(line.len() + 1, Ordering::Relaxed);
            }
            Err(fault) => self.fault = Some(fault.clone()),
        }
        said
    }

    /// The way in which a program ended that has closed its output.
    fn end(&mut self) -> String {
        let deadline = Instant::now() + GRACE;
        loop {
            match self.process.try_wait() {
                // Its last words may not have arrived yet.
                Ok(Some(_)) if !self.error_reader.is_finished() && Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(None) => return "it closed its output and still runs".to_owned(),
                Err(error) => return error.to_string(),
            }
        }
    }

    /// The end of its standard error.
    pub fn errors(&self) -> String {
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// Waits until the program has ended by itself, with its input open, and returns how it ended.
    pub fn leave(mut self, deadline: Instant) -> Leaving {
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) if self.leaves_others() => return Leaving::Others(status.to_string()),
                Ok(Some(status)) if status.success() => return Leaving::Well,
                Ok(Some(status)) => return Leaving::Badly(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) => return Leaving::Not,
                Err(error) => return Leaving::Badly(error.to_string()),
            }
        }
    }

    /// Whether, after its end, a program that it started still runs: one that holds its output, and on Linux
    /// any in its process group or with its mark.
    fn leaves_others(&mut self) -> bool {
        let deadline = Instant::now() + GRACE;
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        group_runs(self.process.id()) || self.mark.runs()
    }

    /// Closes the input of the program and waits until it ends by itself. Returns false if it does not end
    /// before the deadline.
    pub fn finish(mut self, deadline: Instant) -> bool {
        let (closed, _) = channel();
        self.input = closed;
        loop {
            match self.process.try_wait() {
                Ok(Some(_)) => return true,
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return false,
            }
        }
    }
}

/// The end of a program that was to end by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Leaving {
    /// It ended with success and left nothing.
    Well,
    /// It ended in this other way and left nothing.
    Badly(String),
    /// It still ran at the deadline.
    Not,
    /// It ended in this way, and a program that it started still runs.
    Others(String),
}

/// Whether a process of this group runs, as far as `/proc` shows it.
fn group_runs(group: u32) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    let stats =
        processes.flatten().filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    // The name of the program is in brackets and may contain anything: after it come state, parent and group.
    let mut fields = stats.filter_map(|stat| {
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        Some((fields.next()?.to_owned(), fields.nth(1)?.parse::<u32>().ok()?))
    });
    fields.any(|(state, its_group)| its_group == group && state != "Z" && state != "X")
}

impl Drop for Child {
    fn drop(&mut self) {
        // A program that has ended cannot be killed, and need not be.
        let _ = self.process.start_kill();
        let deadline = Instant::now() + GRACE;
        self.mark.kill(deadline);
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn write_lines(mut stdin: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Passes on lines until one is faulty, or the receiver is gone.
fn read_lines(
    mut stdout: impl BufRead,
    most_bytes: usize,
    unread: &AtomicUsize,
    said: &Sender<Result<String, Fault>>,
) {
    loop {
        let mut bytes = Vec::new();
        let room = most_bytes.saturating_sub(unread.load(Ordering::Relaxed));
        let read = stdout.by_ref().take(room as u64 + 1).read_until(b'\n', &mut bytes);
        let fault = match read {
            Ok(0) | Err(_) => return,
            Ok(count) if count > room => Fault::TooMuch { limit: most_bytes },
            Ok(count) => {
                unread.fetch_add(count, Ordering::Relaxed);
                // A last line without a line end is counted with one, as it is when it is taken.
                if bytes.pop_if(|byte| *byte == b'\n').is_none() {
                    unread.fetch_add(1, Ordering::Relaxed);
                }
                let carriage_return = bytes.pop_if(|byte| *byte == b'\r').is_some();
                unread.fetch_sub(usize::from(carriage_return), Ordering::Relaxed);
                match String::from_utf8(bytes) {
                    Ok(line) => match said.send(Ok(line)) {
                        Ok(()) => continue,
                        Err(_) => return,
                    },
                    Err(_) => Fault::NotText,
                }
            }
        };
        let _ = said.send(Err(fault));
        return;
    }
}

/// Reads to the end and keeps the last part.
fn keep_end(mut stderr: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&buffer[..count]);
        let surplus = kept.len().saturating_sub(KEPT_ERRORS);
        kept.drain(..surplus);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Child {
        Child::start(&["sh".into(), "-c".into(), script.into()], 1 << 10).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    #[test]
    fn lines_go_there_and_back() {
        let mut child = shell("while read line; do echo \"<$line>\"; done");
        for word in ["one", "two"] {
            child.send(word);
            assert_eq!(child.line(soon()), Ok(format!("<{word}>")));
        }
        assert!(child.finish(soon()));
    }

    #[test]
    fn a_program_that_ends_says_how() {
        let mut child = shell("echo partial; printf 'no end'; echo why >&2; exit 3");
        assert_eq!(child.line(soon()), Ok("partial".into()));
        assert_eq!(child.line(soon()), Ok("no end".into()));
        assert_eq!(child.line(soon()), Err(Fault::Ended("exit status: 3".into())));
        assert_eq!(child.line(soon()), Err(Fault::Ended("exit status: 3".into())));
        assert_eq!(child.errors(), "why");
        let mut killed = shell("kill -9 $$");
        assert_eq!(killed.line(soon()), Err(Fault::Ended("signal: 9 (SIGKILL)".into())));
    }

    #[test]
    fn a_program_that_hangs_is_silent_and_its_children_die_with_it() {
        let mut child = shell("sleep 1000 & echo $!; read line; sleep 1000");
        let sleeper: u32 = child.line(soon()).unwrap().parse().unwrap();
        let deadline = Instant::now() + Duration::from_millis(50);
        assert_eq!(child.line(deadline), Err(Fault::Silent));
        assert!(runs(sleeper) || !cfg!(target_os = "linux"));
        drop(child);
        assert!(!runs_for_long(sleeper));
    }

    fn runs(process: u32) -> bool {
        let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z")
    }

    fn runs_for_long(process: u32) -> bool {
        let deadline = soon();
        while runs(process) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        runs(process)
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn who_leaves_the_process_group_dies_too() {
        // A session of its own, whose leader has ended, without any pipe of the program.
        const STRAY: &str = "setsid sh -c 'sleep 1000 >/dev/null 2>&1 </dev/null & echo $!'";
        let mut child = shell(&format!("{STRAY}; sleep 1000"));
        let mut other = shell(&format!("{STRAY}; sleep 1000"));
        let stray: u32 = child.line(soon()).unwrap().parse().unwrap();
        let others: u32 = other.line(soon()).unwrap().parse().unwrap();
        assert!(runs(stray) && runs(others));
        drop(child);
        assert!(!runs_for_long(stray));
        assert!(runs(others), "what another program has started goes on");
        drop(other);
        assert!(!runs_for_long(others));
        assert_eq!(shell(STRAY).leave(soon()), Leaving::Others("exit status: 0".into()));
    }

    #[test]
    fn a_program_that_babbles_is_cut_off() {
        let mut lines = shell("while :; do echo babble; done");
        let mut read = 0;
        let fault = loop {
            thread::sleep(Duration::from_millis(1));
            match lines.line(soon()) {
                Ok(_) => read += 1,
                Err(fault) => break fault,
            }
        };
        assert_eq!(fault, Fault::TooMuch { limit: 1 << 10 });
        assert!(read >= 100, "{read}");
        let mut one_line = shell("while :; do printf babble; done");
        assert_eq!(one_line.line(soon()), Err(Fault::TooMuch { limit: 1 << 10 }));
        let mut bytes = shell("printf '\\377\\n'");
        assert_eq!(bytes.line(soon()), Err(Fault::NotText));
    }

    #[test]
    fn a_program_that_does_not_read_does_not_stop_the_writer() {
        let mut child = shell("sleep 1000");
        for _ in 0..1000 {
            child.send(&"x".repeat(1000));
        }
        assert_eq!(child.line(Instant::now()), Err(Fault::Silent));
        assert!(!child.finish(Instant::now()));
    }

    #[test]
    fn what_is_left_of_a_program_is_seen() {
        assert_eq!(shell("exit 0").leave(soon()), Leaving::Well);
        assert_eq!(shell("exit 3").leave(soon()), Leaving::Badly("exit status: 3".into()));
        assert_eq!(shell("read line").leave(Instant::now()), Leaving::Not);
        let others = Leaving::Others("exit status: 0".into());
        assert_eq!(shell("sleep 1000 & exit 0").leave(soon()), others);
        if cfg!(target_os = "linux") {
            assert_eq!(shell("sleep 1000 >/dev/null 2>&1 & exit 0").leave(soon()), others);
        }
    }

    #[test]
    fn what_cannot_be_started_is_an_error() {
        assert!(Child::start(&["no such program".into()], 1).is_err());
        assert!(Child::start(&[], 1).is_err());
    }
}
