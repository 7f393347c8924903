//! The limits within which certificates are built and checked.

use std::cell::Cell;

use super::super::Budget;
use crate::types::{Because, Limit};

/// The *looks* (at single choices) that the building and checking of certificates may still take, and the bytes that they may hold
/// at once. A look is their unit of work.
///
/// The certificate itself and the position are the caller's, and are not counted when a certificate is checked. What is built is.
#[derive(Debug)]
pub struct Looks<'s> {
    left: Cell<u64>,
    limit: Limit<'s>,
    held: Cell<u64>,
    most_held: Cell<u64>,
    memory: u64,
}

impl<'s> Looks<'s> {
    /// This many looks in all, and the memory of [`Budget::default`].
    pub fn within(limit: impl Into<Limit<'s>>) -> Looks<'s> {
        let limit = limit.into();
        Looks {
            left: Cell::new(limit.most_steps()),
            limit,
            held: Cell::new(0),
            most_held: Cell::new(0),
            memory: Budget::default().memory,
        }
    }

    /// The same looks within so many bytes. Without room the answer is [`Because::Memory`].
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Looks<'s> {
        Looks { memory: bytes, ..self }
    }

    /// The number of looks that were taken.
    pub fn spent(&self) -> u64 {
        self.limit.most_steps() - self.left.get()
    }

    /// The most bytes that were held at once.
    pub fn most_held(&self) -> u64 {
        self.most_held.get()
    }

    /// Pays for this many looks.
    ///
    /// # Errors
    ///
    /// When not so many are left.
    pub fn charge(&self, looks: usize) -> Result<(), Because> {
        if self.limit.is_stopped() {
            return Err(Because::Stopped);
        }
        match self.left.get().checked_sub(looks as u64) {
            Some(left) => self.left.set(left),
            None => {
                self.left.set(0);
                return Err(Because::Budget);
            }
        }
        Ok(())
    }

    /// No bytes yet.
    pub(super) fn hold(&self) -> Held<'_> {
        Held { looks: self, bytes: 0 }
    }
}

/// Bytes that are in use until this is dropped.
#[derive(Debug)]
pub(super) struct Held<'l> {
    looks: &'l Looks<'l>,
    bytes: u64,
}

impl Held<'_> {
    /// Takes so many more.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), Because> {
        let held = self.looks.held.get().saturating_add(bytes as u64);
        if held > self.looks.memory {
            return Err(Because::Memory);
        }
        self.bytes += bytes as u64;
        self.looks.held.set(held);
        self.looks.most_held.set(held.max(self.looks.most_held.get()));
        Ok(())
    }

    /// The number of bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Gives back all but so many.
    pub(super) fn keep(&mut self, bytes: u64) {
        let returned = self.bytes.saturating_sub(bytes);
        self.bytes -= returned;
        self.looks.held.set(self.looks.held.get() - returned);
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.keep(0);
    }
}
