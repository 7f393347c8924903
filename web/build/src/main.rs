//! `cargo web`: builds the npm package and the board, and packs the board for the command.
//!
//! The program wasm-bindgen is used as a library here, so that nobody has to install it. npm brings the rest: wasm-opt and the
//! tools of the tests.

mod embed;
mod tools;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use embed::Embedded;
use tools::{npm_ci, run, wasm_target};

const HELP: &str = "Builds the npm package and the board in the browser.

Usage: cargo web [PART]

  all      the package, the board, and web/board/board.zip, which is in the command (the default)
  package  web/package/dist
  board    web/board/dist, of the package that is there
  check    the same as all, but board.zip goes to target/web and is compared with the one of the repository
  stale    whether board.zip was made of other sources than those that are there; builds nothing

It needs Node 20.19 or later with npm, and a network the first time.";

fn main() -> ExitCode {
    match work() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn work() -> Result<()> {
    let web = Web::new()?;
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["all"] => {
            web.package()?;
            web.board()?;
            let made = Embedded::of(&web)?;
            made.write(&web.embedded())?;
            println!("{}", made.about());
        }
        ["package"] => web.package()?,
        ["board"] => web.board()?,
        ["check"] => {
            web.package()?;
            web.board()?;
            let made = Embedded::of(&web)?;
            made.write(&web.target.join("board.zip"))?;
            println!("{}", made.about());
            println!("{}", made.compared(&web.embedded())?);
        }
        ["stale"] => println!("{}", embed::staleness(&web)?),
        ["help" | "--help" | "-h"] => println!("{HELP}"),
        _ => bail!("expected one of: all, package, board, check, stale\n\n{HELP}"),
    }
    Ok(())
}

/// The folders of the project.
pub struct Web {
    pub root: PathBuf,
    /// The folder for what is made on the way.
    pub target: PathBuf,
}

impl Web {
    fn new() -> Result<Web> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.ancestors().nth(2).context("web/build is in the repository")?.to_owned();
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        Ok(Web { target: target.join("web"), root })
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.root.join("web").join(name)
    }

    fn embedded(&self) -> PathBuf {
        self.folder("board").join("board.zip")
    }

    /// Builds the npm package: Rust to WebAssembly, the JavaScript at its border, and what `build.mjs` makes of both.
    fn package(&self) -> Result<()> {
        let package = self.folder("package");
        npm_ci(&package)?;
        wasm_target()?;
        let cargo_home = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
            .context("there is no home folder")?;
        let sysroot = tools::output("rustc", &["--print", "sysroot"])?;
        // The same bytes in every folder: no path of this machine is in them.
        let flags = [
            format!("--remap-path-prefix={}=/worldlines", self.root.display()),
            format!("--remap-path-prefix={}=/cargo", cargo_home.display()),
            format!("--remap-path-prefix={sysroot}=/rust"),
        ];
        let compiled = self.target.parent().context("a folder for what is built")?;
        let mut cargo = tools::command("cargo", &self.root);
        cargo.args(["build", "--locked", "-p", "worldlines-web", "--profile", "web"]);
        cargo.args(["--target", tools::TARGET, "--target-dir"]).arg(compiled);
        run(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")))?;

        let border = self.target.join("border");
        if border.exists() {
            fs::remove_dir_all(&border)?;
        }
        let wasm = compiled.join(tools::TARGET).join("web").join("worldlines_web.wasm");
        Bindgen::new()
            .web(true)?
            .input_path(&wasm)
            .out_name("worldlines")
            .typescript(true)
            .generate(&border)?;
        run(tools::command("node", &package).arg("build.mjs").arg(&border))
    }

    /// Builds the board over the package that was built.
    fn board(&self) -> Result<()> {
        let board = self.folder("board");
        npm_ci(&board)?;
        run(tools::command("node", &board).arg("build.mjs"))
    }
}
