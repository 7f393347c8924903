//! Runs the written rules: `cargo test --test spec`. One test for each block in the language `5d`, named after the
//! headings above it; then tests of the chapters as a whole.
//!
//! Set `BLESS=1` to write the index of rules into `README.md`, and the lessons into the chapters.

#[path = "run/block.rs"]
mod block;
#[path = "run/coverage.rs"]
mod coverage;
#[path = "run/json.rs"]
mod json;
#[path = "run/page.rs"]
mod page;

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use page::Page;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let pages = Page::all(root(), "spec").expect("the folder of chapters can be read");
    // Every test looks at the pages, for as long as the program runs.
    let pages: &'static [Page] = Vec::leak(pages);
    let mut trials = Vec::new();
    for page in pages {
        for block in &page.blocks {
            let run = move || block::run(page, block).map(|_| ()).map_err(Failed::from);
            trials.push(Trial::test(block.name.clone(), run));
        }
    }
    for (name, check) in coverage::CHECKS {
        trials.push(Trial::test(format!("spec: {name}"), move || check(pages).map_err(Failed::from)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
