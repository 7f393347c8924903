//! The time limit of an answer, and Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The option for the time limit.
#[derive(clap::Args, Clone, Copy, Default)]
pub struct Time {
    /// Give up after this long and answer `undecided`. Where it gives up varies between runs; use a budget to
    /// repeat exactly
    #[arg(long = "time", value_name = "SECONDS", value_parser = seconds)]
    limit: Option<Duration>,
}

/// The most seconds, about 30 years: times that are added to each other stay in range.
const MOST_SECONDS: f64 = 1e9;

/// Reads a number of seconds of the command line.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let in_range = |seconds: &f64| *seconds > 0.0 && *seconds <= MOST_SECONDS;
    let seconds: Option<f64> = text.parse().ok().filter(in_range);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration
        .ok_or_else(|| "expected a number of seconds above 0, such as 10 or 0.5, and at most 1e9".to_owned())
}

impl Time {
    /// The limit in seconds.
    pub fn seconds(self) -> Option<f64> {
        self.limit.map(|limit| limit.as_secs_f64())
    }

    /// Starts the clock. Ctrl-C stops it too, so that the results so far are still printed.
    pub fn start(self) -> Clock {
        let stop = Arc::new(AtomicBool::new(interrupt::is_set()));
        interrupt::also_stop(&stop);
        let end = self.limit.map(|limit| {
            let (end, ended) = channel::<()>();
            let flag = Arc::clone(&stop);
            thread::spawn(move || {
                if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                    flag.store(true, Ordering::Relaxed);
                }
            });
            end
        });
        Clock { stop, _end: end }
    }
}

/// A running clock.
pub struct Clock {
    stop: Arc<AtomicBool>,
    /// The thread of the clock ends when this is dropped.
    _end: Option<Sender<()>>,
}

impl Clock {
    /// The flag that becomes true when the time is up.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }
}

/// Whether Ctrl-C stopped the clocks.
pub fn was_interrupted() -> bool {
    interrupt::is_set()
}

/// The handler of Ctrl-C: the first time it stops all clocks, the second time the program.
mod interrupt {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

    use crate::cli::terminal::say;

    /// The exit code by which shells know that a program was interrupted.
    const CODE: i32 = 130;

    static IS_SET: AtomicBool = AtomicBool::new(false);
    static CLOCKS: Mutex<Vec<Weak<AtomicBool>>> = Mutex::new(Vec::new());

    /// Whether Ctrl-C was pressed.
    pub fn is_set() -> bool {
        IS_SET.load(Ordering::Relaxed)
    }

    /// Makes Ctrl-C set this flag too.
    pub fn also_stop(flag: &Arc<AtomicBool>) {
        static ONCE: Once = Once::new();
        // Without a handler, Ctrl-C ends the program at once.
        ONCE.call_once(|| drop(ctrlc::set_handler(interrupted)));
        let mut clocks = CLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        clocks.retain(|clock| clock.strong_count() > 0);
        clocks.push(Arc::downgrade(flag));
    }

    fn interrupted() {
        let clocks = CLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        let running: Vec<Arc<AtomicBool>> = clocks.iter().filter_map(Weak::upgrade).collect();
        if IS_SET.swap(true, Ordering::Relaxed) || running.is_empty() {
            std::process::exit(CODE);
        }
        say("stopping; what is known so far follows (press Ctrl-C again to end at once)");
        running.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
    }
}
