//! The rules a second time, naive and obvious.
