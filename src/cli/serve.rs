//! `worldlines serve`

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::exit::{Exit, Failure};
use super::files;
use super::terminal::say;
use super::time::seconds;
use worldlines::host::{Limits, Player, Settings};
use worldlines::notation::{Parsed, pgn5d, printable};

/// Serve the board in the browser
///
/// The folder is that of the board, which `npm run build` in `web/board` makes, or any other one with files. Only programs of this
/// machine are answered. With an engine the board can play against it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines serve
  worldlines serve --port 8000 site
  worldlines serve --engine 'worldlines engine' --time 2

The command runs until it is interrupted.")]
pub struct Arguments {
    /// The folder with the files
    #[arg(value_name = "DIR", default_value = "web/board/dist")]
    folder: PathBuf,
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "PORT", default_value_t = 5050)]
    port: u16,
    /// An engine that speaks 5DUCI, as a shell command
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// The engine names all moves of an action at once
    #[arg(long, requires = "engine")]
    whole_actions: bool,
    /// How many seconds the engine has for an action
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time: Duration,
}

/// The longest head of a request, and the longest game that is sent.
const MOST_HEAD: u64 = 16 << 10;
const MOST_BODY: usize = 1 << 20;
/// A browser that says nothing for so long is left.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many browsers are answered at once.
const MOST_AT_ONCE: usize = 64;
/// The largest file that is sent.
const MOST_FILE: u64 = 256 << 20;

struct Server {
    folder: PathBuf,
    engine: Option<Bridge>,
    /// Requests that are being answered.
    open: AtomicUsize,
}

/// An engine that the board plays against. It answers one question after another.
struct Bridge {
    name: String,
    player: Mutex<Player>,
    time: Duration,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let folder = &arguments.folder;
    if !folder.join("index.html").is_file() {
        return Err(Failure::new(format_args!(
            "there is no index.html in {}; `npm run build` in web/package and in web/board makes the board",
            files::shown(folder)
        )));
    }
    let engine = arguments.engine.as_deref().map(|command| arguments.bridge(command)).transpose()?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let listener = TcpListener::bind(address)
        .map_err(|error| Failure::new(format_args!("cannot listen on {address}: {error}")))?;
    let address = listener.local_addr()?;
    writeln!(out, "http://{address}/")?;
    out.flush()?;
    let server = Arc::new(Server { folder: folder.clone(), engine, open: AtomicUsize::new(0) });
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        if server.open.fetch_add(1, Ordering::Relaxed) >= MOST_AT_ONCE {
            server.open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let this = Arc::clone(&server);
        thread::spawn(move || {
            // A browser that has gone needs no answer.
            let _ = this.talk(stream, address.port());
            this.open.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(Exit::Ok)
}

impl Arguments {
    fn bridge(&self, command: &str) -> Result<Bridge, Failure> {
        let settings = Settings { whole_actions: self.whole_actions, ..Settings::default() };
        let player =
            Player::new(command, &settings).map_err(|error| Failure::new(printable(&error.to_string())))?;
        Ok(Bridge { name: printable(command), player: Mutex::new(player), time: self.time })
    }
}

/// What a browser asks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    method: String,
    path: String,
    host: String,
    origin: Option<String>,
    length: usize,
}

/// Reads the head of a request.
fn read_head(input: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut head = input.take(MOST_HEAD);
    let mut line = String::new();
    head.read_line(&mut line)?;
    let mut words = line.split_ascii_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let mut request = Request { method: method.to_owned(), path: path.to_owned(), ..Request::default() };
    loop {
        let mut line = String::new();
        if head.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            return Ok(Some(request));
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "host" => value.clone_into(&mut request.host),
            "origin" => request.origin = Some(value.to_owned()),
            "content-length" => request.length = value.parse().unwrap_or(usize::MAX),
            _ => {}
        }
    }
}

/// An answer: its status, its type, and what it holds.
struct Answer {
    status: &'static str,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn error(status: &'static str, message: &str) -> Answer {
        Answer::json(status, &serde_json::json!({ "error": message }))
    }

    fn json(status: &'static str, value: &serde_json::Value) -> Answer {
        Answer { status, kind: "application/json", body: value.to_string().into_bytes() }
    }
}

impl Server {
    fn talk(&self, stream: TcpStream, port: u16) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut input = BufReader::new(stream.try_clone()?);
        let Some(request) = read_head(&mut input)? else { return Ok(()) };
        let answer = if is_from_here(&request, port) {
            self.answer(&request, &mut input)
        } else {
            Answer::error("403 Forbidden", "only pages of this server are answered")
        };
        let mut out = stream;
        write!(
            out,
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
            answer.status,
            answer.kind,
            answer.body.len()
        )?;
        if request.method != "HEAD" {
            out.write_all(&answer.body)?;
        }
        out.flush()
    }

    fn answer(&self, request: &Request, input: &mut impl Read) -> Answer {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/engine") => match &self.engine {
                Some(bridge) => Answer::json("200 OK", &serde_json::json!({ "name": bridge.name })),
                None => Answer::error("404 Not Found", "there is no engine"),
            },
            ("POST", "/engine") => self.play(request, input),
            ("GET" | "HEAD", path) => self.file(path),
            _ => Answer::error("405 Method Not Allowed", "only GET is answered"),
        }
    }

    /// Lets the engine play the next action of the game that is sent.
    fn play(&self, request: &Request, input: &mut impl Read) -> Answer {
        let Some(bridge) = &self.engine else { return Answer::error("404 Not Found", "there is no engine") };
        if request.length > MOST_BODY {
            return Answer::error("413 Content Too Large", "the game is too long");
        }
        let mut body = vec![0; request.length];
        if input.read_exact(&mut body).is_err() {
            return Answer::error("400 Bad Request", "the game was not sent to its end");
        }
        let text = String::from_utf8_lossy(&body);
        let Parsed { value: Some(game), error: None, .. } = pgn5d::parse(&text) else {
            return Answer::error("400 Bad Request", "this is no game in 5DPGN");
        };
        let limits = Limits { time: bridge.time, nodes: None, mate: None };
        let mut player = bridge.player.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match player.turn(&game, limits) {
            Ok(turn) => {
                let action = pgn5d::action_text(&game.end(), &turn.action);
                Answer::json("200 OK", &serde_json::json!({ "action": action }))
            }
            Err(fault) => {
                let message = printable(&fault.to_string());
                say(&format!("engine: {message}"));
                Answer::error("502 Bad Gateway", &message)
            }
        }
    }

    fn file(&self, path: &str) -> Answer {
        let missing = || Answer::error("404 Not Found", "there is no such file");
        let Some(relative) = relative(path) else { return missing() };
        let mut file = self.folder.join(relative);
        if file.is_dir() {
            file.push("index.html");
        }
        // A link may lead out of the folder.
        let inside =
            |file: &Path| Some(file.canonicalize().ok()?.starts_with(self.folder.canonicalize().ok()?));
        if inside(&file) != Some(true) {
            return missing();
        }
        match files::read_at_most(&file, MOST_FILE) {
            Ok(body) => Answer { status: "200 OK", kind: kind_of(&file), body },
            Err(_) => missing(),
        }
    }
}

/// Whether a page of this server asks, and not one that has another name for this machine.
fn is_from_here(request: &Request, port: u16) -> bool {
    let names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = names.contains(&request.host);
    let origin = request
        .origin
        .as_ref()
        .is_none_or(|origin| names.iter().any(|name| *origin == format!("http://{name}")));
    host && origin
}

/// The path of a file in the folder, if it is one.
fn relative(path: &str) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = path.trim_start_matches('/').bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    let path = PathBuf::from(String::from_utf8(bytes).ok()?);
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

fn kind_of(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("yaml" | "yml" | "md" | "txt" | "5dpgn" | "5dfen") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_named() {
        for path in ["/../secret", "/a/../../b", "/%2e%2e/x", "/a/%2e%2e%2f%2e%2e/x", "/%zz", "/%f", "/%ff"] {
            assert_eq!(relative(path), None, "{path}");
        }
        assert_eq!(relative("/js/main.js"), Some(PathBuf::from("js/main.js")));
        assert_eq!(relative("/a%20b"), Some(PathBuf::from("a b")));
        assert_eq!(relative("/"), Some(PathBuf::new()));
    }

    #[test]
    fn other_pages_are_not_answered() {
        let request = |head: &str| read_head(&mut head.as_bytes()).unwrap().unwrap();
        let good = request("GET /x?y HTTP/1.1\r\nHost: localhost:50\r\nOrigin: http://localhost:50\r\n\r\n");
        assert_eq!(good.path, "/x");
        assert!(is_from_here(&good, 50) && !is_from_here(&good, 51));
        assert!(!is_from_here(&request("GET / HTTP/1.1\r\nHost: evil.example:50\r\n\r\n"), 50));
        let other = "POST /engine HTTP/1.1\r\nHost: localhost:50\r\nOrigin: https://evil.example\r\nContent-Length: 7\r\n\r\n";
        assert!(!is_from_here(&request(other), 50) && request(other).length == 7);
        assert_eq!(read_head(&mut &b"\r\n"[..]).unwrap(), None);
        let long = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(1 << 20));
        assert_eq!(read_head(&mut long.as_bytes()).unwrap(), None);
    }

    #[test]
    fn files_and_nothing_else_are_served() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "<p>").unwrap();
        std::fs::write(folder.path().join("a.wasm"), "w").unwrap();
        let server = Server { folder: folder.path().to_owned(), engine: None, open: AtomicUsize::new(0) };
        let get = |method: &str, path: &str| {
            let request = Request { method: method.to_owned(), path: path.to_owned(), ..Request::default() };
            let answer = server.answer(&request, &mut io::empty());
            (answer.status, answer.kind, String::from_utf8(answer.body).unwrap())
        };
        assert_eq!(get("GET", "/"), ("200 OK", "text/html; charset=utf-8", "<p>".to_owned()));
        assert_eq!(get("GET", "/a.wasm").1, "application/wasm");
        assert_eq!(get("GET", "/b").0, "404 Not Found");
        assert_eq!(get("DELETE", "/a.wasm").0, "405 Method Not Allowed");
        assert_eq!(get("GET", "/engine").0, "404 Not Found");
        assert_eq!(get("POST", "/engine").0, "404 Not Found");
    }
}
