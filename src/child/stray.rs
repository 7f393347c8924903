//! Programs that a program has started and that have left its process group.
//!
//! On Linux they are known by a mark in their environment, which they have of the program and pass on to what they start. A program
//! that clears or hides its environment is not found, nor is any on other systems.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The variable with the marks of all programs that a program descends from.
const VARIABLE: &str = "WORLDLINES_CHILD";

/// The mark of a program and of everything that it starts.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    /// A mark that nothing else has.
    pub(super) fn new() -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        Mark(format!("{}-{}-{now}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The variable to start a program with, beside the marks that this program has itself.
    pub(super) fn variable(&self) -> (&'static str, String) {
        let own = std::env::var(VARIABLE).unwrap_or_default();
        (VARIABLE, format!("{own} {}", self.0).trim_start().to_owned())
    }

    /// Whether something with the mark runs.
    pub(super) fn runs(&self) -> bool {
        self.processes().next().is_some()
    }

    /// Kills everything with the mark, also what is started meanwhile, until nothing is left or the deadline has passed.
    pub(super) fn kill(&self, deadline: Instant) {
        while self.processes().map(|process| self.kill_one(process)).count() > 0 && Instant::now() < deadline
        {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    fn processes(&self) -> impl Iterator<Item = i32> + '_ {
        // Without such a folder there is nothing to be seen.
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter(|process| self.is_on(*process))
    }

    /// Whether a process has the mark. One that has ended has no environment any more.
    fn is_on(&self, process: i32) -> bool {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| {
            let marks = str::from_utf8(variable).ok().and_then(|variable| variable.strip_prefix(VARIABLE));
            let marks = marks.and_then(|marks| marks.strip_prefix('='));
            marks.is_some_and(|marks| marks.split(' ').any(|mark| mark == self.0))
        })
    }

    #[cfg(target_os = "linux")]
    fn kill_one(&self, process: i32) {
        use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
        let opened = Pid::from_raw(process).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        // Another process may have the number by now: what is asked once more is the one that was opened.
        if let Some(opened) = opened.filter(|_| self.is_on(process)) {
            let _ = pidfd_send_signal(opened, Signal::KILL);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn kill_one(&self, _: i32) {}
}
