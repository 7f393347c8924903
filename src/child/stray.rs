//! Finds processes that a program has started and that have left its process group.
//!
//! On Linux they have a mark in their environment, which they inherit from the program and pass on. A process
//! that clears or hides its environment is not found, and none is found on other systems.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The variable with the marks of all programs from which a process descends.
const VARIABLE: &str = "WORLDLINES_CHILD";

/// The mark of a program and of all processes that it starts.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    /// A unique mark.
    pub(super) fn new() -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        Mark(format!("{}-{}-{now}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The variable for a program to start: the marks of this process and the new one.
    pub(super) fn variable(&self) -> (&'static str, String) {
        let own = std::env::var(VARIABLE).unwrap_or_default();
        (VARIABLE, format!("{own} {}", self.0).trim_start().to_owned())
    }

    /// Whether a process with the mark runs.
    pub(super) fn runs(&self) -> bool {
        self.processes().next().is_some()
    }

    /// Kills all processes with the mark, also those started meanwhile, until none is left or the deadline
    /// has passed.
    pub(super) fn kill(&self, deadline: Instant) {
        while self.processes().map(|process| self.kill_one(process)).count() > 0 && Instant::now() < deadline
        {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    fn processes(&self) -> impl Iterator<Item = i32> + '_ {
        // Without `/proc` no process is found.
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter(|process| self.is_on(*process))
    }

    /// Whether a process has the mark. A process that has ended has no environment.
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
        // The number may belong to another process by now, so the mark is checked again after opening.
        if let Some(opened) = opened.filter(|_| self.is_on(process)) {
            let _ = pidfd_send_signal(opened, Signal::KILL);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn kill_one(&self, _: i32) {}
}
