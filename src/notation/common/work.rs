//! How much of a text was looked at, for tests that check that reading is linear.
//!
//! Counts do not depend on the machine, as times do. What looks at bytes calls [`look_at`], which does nothing outside of
//! tests: the [`Cursor`](super::cursor::Cursor) of the readers for every byte that it is asked for, what cuts a text into
//! pieces for their lengths, and the [index of lines](super::LineIndex). `doubled.rs` asserts on the counts and says what
//! they leave out.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
}

/// Counts bytes that are looked at.
#[inline(always)]
pub(crate) fn look_at(bytes: usize) {
    #[cfg(test)]
    LOOKED_AT.set(LOOKED_AT.get() + bytes);
    #[cfg(not(test))]
    let _ = bytes;
}

/// What a function returns, and how many bytes this thread looked at meanwhile.
#[cfg(test)]
pub(crate) fn looked_at<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = LOOKED_AT.get();
    let result = run();
    (result, LOOKED_AT.get() - before)
}

/// Asserts that a text of twice the parts takes at most about twice the work. `text` makes one of so many parts, `run`
/// does the work.
#[cfg(test)]
pub(crate) fn assert_in_proportion(name: &str, text: impl Fn(usize) -> String, run: impl Fn(&str)) {
    const PARTS: usize = 1_500;
    // What is done once, whatever the length: the beginning of a text is looked at in many ways.
    const CONSTANT: usize = 2_000;
    let work = |parts| looked_at(|| run(&text(parts))).1;
    let (single, double) = (work(PARTS), work(2 * PARTS));
    assert!(single >= PARTS / 2, "{name}: nothing was counted");
    assert!(double <= single * 22 / 10 + CONSTANT, "{name}: {single} bytes were looked at, then {double}");
}
