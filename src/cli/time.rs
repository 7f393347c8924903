//! The wall clock, which only the command line looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How long an answer may take.
#[derive(clap::Args, Clone, Copy)]
pub struct Time {
    /// The most seconds for an answer; what takes longer is undecided. Unlike a budget, it ends elsewhere each time
    #[arg(long = "time", value_name = "SECONDS", value_parser = seconds)]
    limit: Option<Duration>,
}

/// A number of seconds, as on the command line.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a number of seconds above 0, such as 10 or 0.5".to_owned())
}

impl Time {
    /// The limit in seconds.
    pub fn seconds(self) -> Option<f64> {
        self.limit.map(|limit| limit.as_secs_f64())
    }

    /// Starts the clock. Ctrl-C ends it too: what is known by then is still said.
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

/// A clock that was started.
pub struct Clock {
    stop: Arc<AtomicBool>,
    /// When it is dropped the thread ends.
    _end: Option<Sender<()>>,
}

impl Clock {
    /// Becomes true when the time is up.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }
}

/// Whether it was Ctrl-C that ended the clocks.
pub fn was_interrupted() -> bool {
    interrupt::is_set()
}

/// What Ctrl-C does: the first time clocks end, the second time the program.
mod interrupt {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

    use crate::cli::terminal::say;

    /// How shells say that a program was interrupted.
    const CODE: i32 = 130;

    static IS_SET: AtomicBool = AtomicBool::new(false);
    static CLOCKS: Mutex<Vec<Weak<AtomicBool>>> = Mutex::new(Vec::new());

    /// Whether Ctrl-C was pressed.
    pub fn is_set() -> bool {
        IS_SET.load(Ordering::Relaxed)
    }

    /// Sets this flag too when Ctrl-C is pressed.
    pub fn also_stop(flag: &Arc<AtomicBool>) {
        static ONCE: Once = Once::new();
        // Where the system has no such signal, the program ends as if this was not there.
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
