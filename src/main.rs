//! The `worldlines` command; see `cli/mod.rs`.

mod cli;

use std::process::ExitCode;

/// A fast allocator, since proofs make and drop many small lists.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
