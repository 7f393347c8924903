//! Counts the bytes of a text that are read, for tests that check that reading takes linear time.
//!
//! Counts do not depend on the machine, as times do. Code that reads bytes calls [`look_at`], which does
//! nothing outside of tests: the [`Cursor`](super::cursor::Cursor) of the readers for every byte that it is
//! asked for, code that cuts a text into pieces for their lengths, and the [index of
//! lines](super::LineIndex). `doubled.rs` asserts on the counts and says what they leave out.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
}

/// Counts bytes that are read.
#[inline(always)]
pub(crate) fn look_at(bytes: usize) {
    #[cfg(test)]
    LOOKED_AT.set(LOOKED_AT.get() + bytes);
    #[cfg(not(test))]
    let _ = bytes;
}

/// The result of a function, and the number of bytes that this thread read meanwhile.
#[cfg(test)]
pub(crate) fn looked_at<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = LOOKED_AT.get();
    let result = run();
    (result, LOOKED_AT.get() - before)
}

/// Asserts that a text with twice the parts takes at most about twice the work. `text` makes a text with so
/// many parts, `run` reads it.
#[cfg(test)]
pub(crate) fn assert_in_proportion(name: &str, text: impl Fn(usize) -> String, run: impl Fn(&str)) {
    const PARTS: usize = 1_500;
    // The allowance for fixed work: the beginning of a text is read in many ways, whatever its length.
    const CONSTANT: usize = 2_000;
    let work = |parts| looked_at(|| run(&text(parts))).1;
    let (single, double) = (work(PARTS), work(2 * PARTS));
    assert!(single >= PARTS / 2, "{name}: nothing was counted");
    assert!(double <= single * 22 / 10 + CONSTANT, "{name}: {single} bytes were looked at, then {double}");
}
