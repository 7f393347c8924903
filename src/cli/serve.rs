//! `worldlines serve`: a web server for the board, for this machine only.

mod board;
mod http;
mod server;
mod site;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files;
use super::output::Format;
use super::terminal::say;
use super::time::seconds;
use super::verify;
use board::Board;
use server::{Bridge, PATIENCE, Server};
use site::Site;
use worldlines::host::{Player, Settings};
use worldlines::notation::printable;

/// Open the board in the browser
///
/// The board is part of the command. DIR is a folder with other files to serve: one that `export --to html`
/// made, or `web/board/dist`. Only programs on this machine get an answer. With an engine the board can play
/// against it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines serve
  worldlines serve --port 8000 site
  worldlines serve --engine 'worldlines engine' --move-time 2

The command runs until it is interrupted, and ends with exit code 2 if it cannot begin.")]
pub struct Arguments {
    /// A folder with an index.html, in place of the board
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The port; 0 takes a free one [default: 5050, or a free one if that is taken]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Only print the address; otherwise a browser is opened if the command was started on a desktop
    #[arg(long)]
    no_open: bool,
    /// The command of an engine that speaks 5DUCI
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// The engine names all moves of an action at once
    #[arg(long, requires = "engine")]
    whole_actions: bool,
    /// Seconds of the engine for an action
    #[arg(long, alias = "time", value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    move_time: Duration,
}

/// The port that is tried if none is named.
const USUAL_PORT: u16 = 5050;

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let site = self.site()?;
        let engine = self.engine.as_deref().map(|command| self.bridge(command)).transpose()?;
        let listeners = match self.port {
            Some(port) => listen(port),
            None => listen(USUAL_PORT).or_else(|_| {
                say(&format!("note: port {USUAL_PORT} is taken, so another one is chosen"));
                listen(0)
            }),
        };
        let listeners = listeners.map_err(|(address, error)| {
            Failure::new(format_args!(
                "cannot listen on {address}: {error}; without --port a free port is chosen"
            ))
        })?;
        let address = listeners[0].local_addr()?;
        let page = format!("http://{address}/");
        writeln!(out, "{page}")?;
        out.flush()?;
        if !self.no_open && is_on_desktop(io::stdout().is_terminal(), |name| env::var_os(name).is_some()) {
            // The address is printed, so that a browser can be opened by hand.
            if let Err(error) = open::that_detached(&page) {
                say(&format!("no browser could be opened: {}", printable(&error.to_string())));
            }
        }
        let server = Server::new(site, engine, address.port(), PATIENCE);
        for listener in &listeners[1..] {
            let (server, listener) = (Arc::clone(&server), listener.try_clone()?);
            thread::spawn(move || server.serve(&listener));
        }
        server.serve(&listeners[0]);
        Ok(Exit::Ok)
    }

    fn format(&self) -> Format {
        Format::Text
    }
}

impl Arguments {
    fn site(&self) -> Result<Site, Failure> {
        let Some(folder) = &self.folder else {
            let board = Board::new();
            return board
                .map(Site::Board)
                .map_err(|error| Failure::new(format_args!("the board is spoilt: {error}")));
        };
        if !folder.join("index.html").is_file() {
            let name = files::shown(folder);
            return Err(match (folder.exists(), holds_puzzles(folder)) {
                (false, _) => Failure::new(format_args!("there is no folder {name}")),
                (true, true) => Failure::new(format_args!(
                    "{name} holds puzzles and no page of them: `worldlines export {} --to html site` makes pages, and `worldlines serve site` opens them",
                    shell_words::quote(&name)
                )),
                (true, false) => Failure::new(format_args!(
                    "there is no index.html in {name}; `worldlines serve` without a folder opens the board"
                )),
            });
        }
        Ok(Site::Folder(folder.clone()))
    }

    fn bridge(&self, command: &str) -> Result<Bridge, Failure> {
        let settings = Settings { whole_actions: self.whole_actions, ..Settings::default() };
        let player =
            Player::new(command, &settings).map_err(|error| Failure::new(printable(&error.to_string())))?;
        Ok(Bridge { name: printable(command), player: Mutex::new(player), time: self.move_time })
    }
}

/// Whether there is a puzzle among the files at this path.
fn holds_puzzles(path: &Path) -> bool {
    let files = verify::files(&[path.to_owned()]).unwrap_or_default();
    let text = |file: &PathBuf| String::from_utf8(files::read(file).ok()?).ok();
    files.iter().filter_map(text).any(|text| worldlines::puzzle::is_puzzle_file(&text))
}

/// Listens on a port of this machine under both of its addresses, the older one first. A system may have only that.
fn listen(port: u16) -> Result<Vec<TcpListener>, (SocketAddr, io::Error)> {
    // Another program may have the free port of one address on the other.
    const TRIES: usize = 10;
    let mut tries = if port == 0 { TRIES } else { 1 };
    loop {
        tries -= 1;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).map_err(|error| (address, error))?;
        let bound = listener.local_addr().map_err(|error| (address, error))?.port();
        let address = SocketAddr::from((Ipv6Addr::LOCALHOST, bound));
        match TcpListener::bind(address) {
            Ok(other) => return Ok(vec![listener, other]),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && tries == 0 => {
                return Err((address, error));
            }
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(_) => return Ok(vec![listener]),
        }
    }
}

/// Whether there is a screen for a browser, beside the terminal on which the command was started.
fn is_on_desktop(is_terminal: bool, is_set: impl Fn(&str) -> bool) -> bool {
    // On the other systems every user who is not connected from elsewhere has a desktop.
    let has_screen = !cfg!(all(unix, not(target_os = "macos")))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].into_iter().any(&is_set);
    is_terminal && has_screen && !is_set("SSH_CONNECTION")
}

#[cfg(test)]
mod tests;
