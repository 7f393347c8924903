//! `worldlines engine`: the built-in engine, over standard input and output.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::command::Command;
use super::exit::{Exit, Failure};
use super::output::Format;
use worldlines::engine::{Demand, Report, Session, Task, Thought, think};
use worldlines::notation::MAX_INPUT_BYTES;
use worldlines::types::Limit;

/// Run the engine, which speaks 5DUCI over standard input and output
///
/// A host starts the engine, sends it positions, and asks for moves. `bestmove` names one move, and `submit`
/// after the last one of an action; meanwhile the engine remembers the rest of its action. Some hosts expect
/// all moves of an action at once: use --whole-actions for those. The page spec/engine-protocol.md describes
/// every command.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines engine
  printf 'position startpos\\ngo nodes 10000\\n' | worldlines engine
  python autoplay.py --white 'worldlines engine --whole-actions' --black '5dchess mcts'

Exit codes: 0 the host said `quit` or closed the input, 2 an I/O error.")]
pub struct Arguments {
    /// Answer with all moves of an action at once, as if the host had set the option WholeAction
    #[arg(long)]
    whole_actions: bool,
}

/// An event while the engine is running.
enum Event {
    Line(Vec<u8>),
    /// The beginning of a line that is too long.
    TooLong(Vec<u8>),
    EndOfInput,
    BadInput(io::Error),
    Report(Report),
    Finished(Thought),
    /// The thinking thread has panicked.
    Panicked,
}

/// The time reserved for the answer to reach the host.
fn margin(time: Duration) -> Duration {
    (time / 10).min(Duration::from_millis(60))
}

/// A thought in progress.
struct Thinking {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let (sender, events) = channel();
        let session = Session::new(self.whole_actions);
        Engine { session, events, sender, thinking: None, is_over: false }.run(out)
    }

    fn format(&self) -> Format {
        Format::Text
    }
}

struct Engine {
    session: Session,
    events: Receiver<Event>,
    sender: Sender<Event>,
    thinking: Option<Thinking>,
    is_over: bool,
}

impl Engine {
    fn run(&mut self, out: &mut dyn Write) -> Result<Exit, Failure> {
        // If lines come faster than they are processed, they wait in the pipe, not in memory.
        let (permit, permits) = sync_channel::<()>(8);
        let sender = self.sender.clone();
        // This thread ends only with the program, since it may be waiting for a line that never comes.
        thread::spawn(move || read_lines(io::stdin().lock(), &sender, &permit));
        while !self.is_over {
            let event = match self.next_event() {
                Some(event) => event,
                None => {
                    self.stop();
                    continue;
                }
            };
            let demands = match event {
                Event::Line(line) => {
                    let _ = permits.try_recv();
                    self.session.read(&line)
                }
                Event::TooLong(beginning) => {
                    let _ = permits.try_recv();
                    self.session.refuse(&beginning)
                }
                Event::EndOfInput => self.session.end_of_input(),
                Event::BadInput(error) => return Err(Failure::new(format_args!("cannot read: {error}"))),
                Event::Report(report) => self.session.report(&report).map(Demand::Say).into_iter().collect(),
                Event::Finished(thought) => {
                    self.thinking = None;
                    self.session.finish(thought)
                }
                Event::Panicked => panic!("the search has panicked"),
            };
            self.obey(demands, out)?;
        }
        Ok(Exit::Ok)
    }

    /// The next event, or `None` if the time to think is over.
    fn next_event(&self) -> Option<Event> {
        let deadline = self.thinking.as_ref().and_then(|thinking| thinking.deadline);
        let gone = "the sender is kept";
        let Some(deadline) = deadline else { return Some(self.events.recv().expect(gone)) };
        let left = deadline.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("{gone}"),
        }
    }

    fn stop(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.stop.store(true, Ordering::Relaxed);
            thinking.deadline = None;
        }
    }

    fn obey(&mut self, demands: Vec<Demand>, out: &mut dyn Write) -> Result<(), Failure> {
        for demand in demands {
            match demand {
                Demand::Say(line) => writeln!(out, "{line}")?,
                Demand::Think(task) => self.think(*task),
                Demand::Stop => self.stop(),
                Demand::End => self.is_over = true,
            }
        }
        Ok(out.flush()?)
    }

    fn think(&mut self, task: Task) {
        let stop = Arc::new(AtomicBool::new(false));
        let time = task.milliseconds.map(Duration::from_millis);
        let deadline = time.map(|time| Instant::now() + time.saturating_sub(margin(time)));
        self.thinking = Some(Thinking { stop: Arc::clone(&stop), deadline });
        let events = self.sender.clone();
        thread::spawn(move || {
            // There is always an answer: if this thread panics, the guard reports it.
            let guard = Guard(events);
            let limit = Limit::steps(task.steps.unwrap_or(u64::MAX)).stopping_on(&*stop);
            let thought = think(&task.question, limit, &mut |report| {
                // Sending fails only if the program is ending.
                let _ = guard.0.send(Event::Report(report.clone()));
            });
            let _ = guard.0.send(Event::Finished(thought));
        });
    }
}

/// Reports if the thread that holds it panics.
struct Guard(Sender<Event>);

impl Drop for Guard {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Panicked);
        }
    }
}

/// Sends every line with a permit. The number of permits limits the lines that wait.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>, permit: &SyncSender<()>) {
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_INPUT_BYTES as u64 + 1).read_until(b'\n', &mut line);
        let event = match read {
            Err(error) => Event::BadInput(error),
            Ok(0) => Event::EndOfInput,
            Ok(_) if line.len() > MAX_INPUT_BYTES && line.last() != Some(&b'\n') => {
                if let Err(error) = skip_line(&mut input) {
                    Event::BadInput(error)
                } else {
                    line.truncate(64);
                    Event::TooLong(line)
                }
            }
            Ok(_) => Event::Line(line),
        };
        if matches!(event, Event::EndOfInput | Event::BadInput(_)) {
            let _ = events.send(event);
            return;
        }
        if permit.send(()).is_err() || events.send(event).is_err() {
            return;
        }
    }
}

/// Skips the rest of the line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (length, is_over) = (end.map_or(buffer.len(), |end| end + 1), end.is_some() || buffer.is_empty());
        input.consume(length);
        if is_over {
            return Ok(());
        }
    }
}
