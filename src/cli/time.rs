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

    /// Starts the clock.
    pub fn start(self) -> Clock {
        Clock(self.limit.map(|limit| {
            let (end, ended) = channel::<()>();
            let stop = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&stop);
            thread::spawn(move || {
                if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                    flag.store(true, Ordering::Relaxed);
                }
            });
            Running { stop, _end: end }
        }))
    }
}

/// A clock that was started, if there is a limit.
pub struct Clock(Option<Running>);

struct Running {
    stop: Arc<AtomicBool>,
    /// When it is dropped the thread ends.
    _end: Sender<()>,
}

impl Clock {
    /// Becomes true when the time is up.
    pub fn stop(&self) -> Option<&AtomicBool> {
        self.0.as_ref().map(|running| &*running.stop)
    }
}
