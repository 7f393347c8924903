//! The `worldlines` command.

mod cli;

use std::process::ExitCode;

/// A proof makes and drops many small lists.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
