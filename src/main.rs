//! The `worldlines` command.

fn main() {}
