//! `worldlines serve`: a web server for the board, for this machine only.
//!
//! The server is written here and not taken from a crate such as `tiny_http`, because it needs what those do not offer: one deadline
//! for a whole request and its answer, a limit for each client, and no thread that a slow client can keep.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::exit::{Exit, Failure};
use super::files;
use super::terminal::say;
use super::time::seconds;
use worldlines::host::{Limits, Player, Settings};
use worldlines::notation::{Parsed, pgn5d, printable};

/// Serve the board in the browser
///
/// DIR is a folder with the board, which `npm run build` in `web/board` makes, or any other folder with
/// files. Only programs on this machine get an answer. With an engine the board can play against it.
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
    /// The port; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 5050)]
    port: u16,
    /// The shell command of an engine that speaks 5DUCI
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// The engine names all moves of an action at once
    #[arg(long, requires = "engine")]
    whole_actions: bool,
    /// Seconds of the engine for an action
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time: Duration,
}

/// The most bytes of the head of a request, and of a game that is sent.
const MOST_HEAD: u64 = 16 << 10;
const MOST_BODY: usize = 1 << 20;
/// The most connections that are answered at once, in all and of one address.
const MOST_AT_ONCE: usize = 64;
const MOST_OF_ONE: usize = 32;

/// The time for receiving a whole request, and for sending a whole answer.
#[derive(Clone, Copy)]
struct Patience {
    request: Duration,
    answer: Duration,
}

const PATIENCE: Patience = Patience { request: Duration::from_secs(10), answer: Duration::from_secs(60) };

struct Server {
    folder: PathBuf,
    engine: Option<Bridge>,
    port: u16,
    patience: Patience,
    /// The connections that are being answered, the oldest first.
    open: Mutex<Vec<Open>>,
}

/// A connection that is being answered.
struct Open {
    number: u64,
    address: IpAddr,
    stream: TcpStream,
    /// Whether it was closed in favour of a later one.
    is_cut: bool,
}

/// A connection with a deadline for everything, however often data come.
struct Timed {
    stream: TcpStream,
    deadline: Instant,
}

impl Timed {
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for Timed {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// An engine that the board plays against. It answers one question at a time.
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
    Server::new(folder.clone(), engine, address.port(), PATIENCE).serve(&listener);
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

/// The head of a request of a browser.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    method: String,
    path: String,
    host: String,
    origin: Option<String>,
    length: usize,
}

/// Reads the head of a request; `None` if it is not one.
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

/// An answer: its status, its type, and its content.
struct Answer {
    status: &'static str,
    kind: &'static str,
    length: u64,
    body: Body,
}

enum Body {
    Bytes(Vec<u8>),
    /// A file, which is read while it is sent.
    File(File),
}

impl Answer {
    fn error(status: &'static str, message: &str) -> Answer {
        Answer::json(status, &serde_json::json!({ "error": message }))
    }

    fn json(status: &'static str, value: &serde_json::Value) -> Answer {
        let bytes = value.to_string().into_bytes();
        Answer { status, kind: "application/json", length: bytes.len() as u64, body: Body::Bytes(bytes) }
    }

    fn write(self, is_head: bool, out: &mut impl Write) -> io::Result<()> {
        let Answer { status, kind, length, body } = self;
        write!(
            out,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
        )?;
        match body {
            _ if is_head => {}
            Body::Bytes(bytes) => out.write_all(&bytes)?,
            Body::File(file) => {
                io::copy(&mut file.take(length), out)?;
            }
        }
        out.flush()
    }
}

impl Server {
    fn new(folder: PathBuf, engine: Option<Bridge>, port: u16, patience: Patience) -> Arc<Server> {
        Arc::new(Server { folder, engine, port, patience, open: Mutex::default() })
    }

    /// Answers connections without end.
    fn serve(self: Arc<Self>, listener: &TcpListener) {
        for (number, stream) in (0..).zip(listener.incoming()) {
            // A connection beyond the limit is closed.
            let Ok(stream) = stream.and_then(|stream| self.admit(number, stream)) else { continue };
            let this = Arc::clone(&self);
            thread::spawn(move || {
                // A failure means that the browser has gone.
                let _ = this.talk(stream);
                this.connections().retain(|open| open.number != number);
            });
        }
    }

    fn connections(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a connection. If an address has too many, its oldest one is closed, so that slow ones keep
    /// nobody out.
    fn admit(&self, number: u64, stream: TcpStream) -> io::Result<TcpStream> {
        let address = stream.peer_addr()?.ip();
        let mut open = self.connections();
        let of_address = |open: &&mut Open| open.address == address && !open.is_cut;
        if open.iter_mut().filter(of_address).count() >= MOST_OF_ONE
            && let Some(oldest) = open.iter_mut().find(of_address)
        {
            oldest.is_cut = true;
            oldest.stream.shutdown(Shutdown::Both)?;
        }
        if open.len() >= MOST_AT_ONCE {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        open.push(Open { number, address, stream: stream.try_clone()?, is_cut: false });
        Ok(stream)
    }

    fn talk(&self, stream: TcpStream) -> io::Result<()> {
        let deadline = Instant::now() + self.patience.request;
        let mut input = BufReader::new(Timed { stream, deadline });
        let Some(request) = read_head(&mut input)? else { return Ok(()) };
        let answer = if is_from_here(&request, self.port) {
            self.answer(&request, &mut input)
        } else {
            Answer::error("403 Forbidden", "only pages of this server are answered")
        };
        let deadline = Instant::now() + self.patience.answer;
        let mut out = Timed { deadline, ..input.into_inner() };
        answer.write(request.method == "HEAD", &mut out)
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

    /// Plays the engine's next action in the game that was sent.
    fn play(&self, request: &Request, input: &mut impl Read) -> Answer {
        let Some(bridge) = &self.engine else { return Answer::error("404 Not Found", "there is no engine") };
        if request.length > MOST_BODY {
            return Answer::error("413 Content Too Large", "the game is too long");
        }
        let mut body = Vec::new();
        let read = input.take(request.length as u64).read_to_end(&mut body);
        if read.ok() != Some(request.length) {
            return Answer::error("400 Bad Request", "the game was not sent to its end");
        }
        let text = String::from_utf8_lossy(&body);
        let Parsed { value: Some(game), error: None, .. } = pgn5d::parse(&text) else {
            return Answer::error("400 Bad Request", "this is no game in 5DPGN");
        };
        let limits = Limits { time: bridge.time, nodes: None, mate: None };
        let mut player = bridge.player.lock().unwrap_or_else(PoisonError::into_inner);
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
        match files::real_path_within(&self.folder, &file).and_then(|real| files::open(&real)) {
            Ok((opened, length)) => {
                Answer { status: "200 OK", kind: kind_of(&file), length, body: Body::File(opened) }
            }
            Err(_) => missing(),
        }
    }
}

/// Whether the request comes from a page of this server, and not from one under another name for this
/// machine.
fn is_from_here(request: &Request, port: u16) -> bool {
    let names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = names.contains(&request.host);
    let origin = request
        .origin
        .as_ref()
        .is_none_or(|origin| names.iter().any(|name| *origin == format!("http://{name}")));
    host && origin
}

/// The path of a file in the folder; `None` if it leads out of the folder.
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
        let server = Server::new(folder.path().to_owned(), None, 50, PATIENCE);
        let get = |method: &str, path: &str| {
            let request = Request { method: method.to_owned(), path: path.to_owned(), ..Request::default() };
            let answer = server.answer(&request, &mut io::empty());
            let (status, kind) = (answer.status, answer.kind);
            let mut sent = Vec::new();
            answer.write(false, &mut sent).unwrap();
            let sent = String::from_utf8(sent).unwrap();
            (status, kind, sent.split_once("\r\n\r\n").unwrap().1.to_owned())
        };
        assert_eq!(get("GET", "/"), ("200 OK", "text/html; charset=utf-8", "<p>".to_owned()));
        assert_eq!(get("GET", "/a.wasm").1, "application/wasm");
        assert_eq!(get("GET", "/b").0, "404 Not Found");
        assert_eq!(get("DELETE", "/a.wasm").0, "405 Method Not Allowed");
        assert_eq!(get("GET", "/engine").0, "404 Not Found");
        assert_eq!(get("POST", "/engine").0, "404 Not Found");
    }
    /// A server of a folder with one file of this length, and its address.
    fn started(length: u64, patience: Patience) -> (tempfile::TempDir, Arc<Server>, SocketAddr) {
        let folder = tempfile::tempdir().unwrap();
        File::create(folder.path().join("index.html")).unwrap().set_len(length).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = Server::new(folder.path().to_owned(), None, address.port(), patience);
        let this = Arc::clone(&server);
        thread::spawn(move || this.serve(&listener));
        (folder, server, address)
    }

    fn asked(address: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        stream
    }

    const LONG: Duration = Duration::from_secs(1_000);
    const SHORT: Duration = Duration::from_millis(200);

    #[test]
    fn who_sends_too_slowly_is_left_however_often_something_comes() {
        let (_folder, server, address) = started(0, Patience { request: SHORT, answer: LONG });
        let mut slow = TcpStream::connect(address).unwrap();
        // The head never ends. Without a deadline for the whole head, this would take hours.
        let sent = (0..10_000).take_while(|_| {
            thread::sleep(Duration::from_millis(20));
            slow.write_all(b"G").is_ok()
        });
        assert!(sent.count() < 1_000);
        while !server.connections().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn who_takes_nothing_is_left() {
        let (_folder, server, address) = started(1 << 30, Patience { request: LONG, answer: SHORT });
        let slow = asked(address);
        while server.connections().is_empty() {
            thread::yield_now();
        }
        while !server.connections().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        drop(slow);
    }

    #[test]
    fn slow_connections_keep_nobody_out() {
        let (_folder, server, address) = started(3, Patience { request: LONG, answer: LONG });
        let slow: Vec<TcpStream> =
            (0..MOST_OF_ONE + 10).map(|_| TcpStream::connect(address).unwrap()).collect();
        let mut said = String::new();
        asked(address).read_to_string(&mut said).unwrap();
        assert!(said.starts_with("HTTP/1.1 200 OK\r\n") && said.ends_with("\r\n\r\n\0\0\0"), "{said}");
        assert!(server.connections().iter().filter(|open| !open.is_cut).count() <= MOST_OF_ONE);
        drop(slow);
    }
}
