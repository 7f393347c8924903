//! The programs that are started: cargo, rustup, npm and Node.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// The target of browsers.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// A program to be started in a folder. On Windows npm is a script, which is found only by its whole name.
pub fn command(program: &str, folder: &Path) -> Command {
    let name = if cfg!(windows) && program == "npm" { "npm.cmd" } else { program };
    let mut command = Command::new(name);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs a program to its end.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start {name}"))?;
    ensure!(status.success(), "{name} failed");
    Ok(())
}

/// The output of a program.
pub fn output(program: &str, arguments: &[&str]) -> Result<String> {
    let done = command(program, &env::current_dir()?)
        .args(arguments)
        .output()
        .with_context(|| format!("cannot start {program}"))?;
    ensure!(done.status.success(), "{program} failed: {}", String::from_utf8_lossy(&done.stderr).trim());
    Ok(String::from_utf8(done.stdout)?.trim().to_owned())
}

/// Installs what a folder's `package-lock.json` names, unless that was done before.
pub fn npm_ci(folder: &Path) -> Result<()> {
    let (major, minor) = node()?;
    ensure!((major, minor) >= (20, 19), "Node 20.19 or later is needed, but this is {major}.{minor}");
    // npm writes down what it installed.
    let installed = folder.join("node_modules").join(".package-lock.json");
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    if let (Ok(done), Ok(wanted)) = (changed(&installed), changed(&folder.join("package-lock.json")))
        && done >= wanted
    {
        return Ok(());
    }
    run(command("npm", folder).args(["ci", "--no-audit", "--no-fund"]))
}

fn node() -> Result<(u32, u32)> {
    let version = output("node", &["--version"]).context("Node is needed (https://nodejs.org)")?;
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok((major, minor)),
        _ => bail!("`node --version` says {version}"),
    }
}

/// Installs the compiler's target of browsers, unless it is there.
pub fn wasm_target() -> Result<()> {
    let library = output("rustc", &["--print", "target-libdir", "--target", TARGET])?;
    if Path::new(&library).exists() {
        return Ok(());
    }
    run(command("rustup", &env::current_dir()?).args(["target", "add", TARGET]))
        .with_context(|| format!("the compiler has no target {TARGET}"))
}
