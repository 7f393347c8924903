//! Formats of answers, and output whose reader may go away.

use std::io::{self, Write};

use clap::ValueEnum;

use super::exit::Failure;

/// The format of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs; the field `schema` names the shape and its version
    Json,
}

/// The format of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ProofFormat {
    /// For people
    #[default]
    Text,
    /// For programs; the field `schema` names the shape and its version
    Json,
    /// A game with variations: every key that was found, and every defence with an answer
    #[value(name = "5dpgn")]
    Pgn5d,
}

impl ProofFormat {
    /// The format of errors.
    pub fn of_errors(self) -> Format {
        if self == ProofFormat::Json { Format::Json } else { Format::Text }
    }
}

/// The format of a report, for people, programs or CI servers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// For people
    Text,
    /// For programs; the field `schema` names the shape and its version
    Json,
    /// XML for CI servers: a test case for everything that was checked
    Junit,
    /// Annotations of GitHub workflows: a line for each finding and warning
    Github,
    /// An HTML page, which needs no other file
    Html,
}

impl Shape {
    /// The format of errors.
    pub fn of_errors(self) -> Format {
        if self == Shape::Json { Format::Json } else { Format::Text }
    }
}

/// Prints a value as one line of JSON.
pub fn print_json(out: &mut dyn Write, value: &impl serde::Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// An output whose reader may stop reading. The rest is then dropped, and the exit code stays the same.
pub struct UntilClosed<W> {
    out: W,
    closed: bool,
}

impl<W: Write> UntilClosed<W> {
    pub fn new(out: W) -> UntilClosed<W> {
        UntilClosed { out, closed: false }
    }

    fn unless_closed<T>(&mut self, otherwise: T, act: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(otherwise);
        }
        match act(&mut self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(otherwise)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), W::flush)
    }
}
