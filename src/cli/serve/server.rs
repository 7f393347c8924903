//! Connections of browsers, and what they are answered.
//!
//! The server is written here and not taken from a crate such as `tiny_http`, because it needs what those do not offer: one deadline
//! for a whole request and its answer, a limit for each client, and no thread that a slow client can keep.

use std::io::{self, BufReader, Read, Write};
use std::net::{IpAddr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::http::{Answer, Head, Request, read_head};
use super::site::Site;
use crate::cli::terminal::say;
use worldlines::host::{Limits, Player};
use worldlines::notation::{Parsed, pgn5d, printable};

/// The most bytes of a game that is sent.
const MOST_BODY: usize = 1 << 20;
/// The most connections that are open at once, in all and of one address.
const MOST_AT_ONCE: usize = 64;
const MOST_OF_ONE: usize = 32;

/// The time for receiving a whole request, and for sending a whole answer. A connection without a request ends after the first too.
#[derive(Clone, Copy)]
pub struct Patience {
    pub request: Duration,
    pub answer: Duration,
}

pub const PATIENCE: Patience = Patience { request: Duration::from_secs(10), answer: Duration::from_secs(60) };

pub struct Server {
    site: Site,
    engine: Option<Bridge>,
    /// The hosts that a browser may name.
    names: Vec<String>,
    patience: Patience,
    /// The connections that are open, the oldest first.
    open: Mutex<Vec<Open>>,
    number: AtomicU64,
}

/// A connection.
struct Open {
    number: u64,
    address: IpAddr,
    stream: TcpStream,
    /// Whether a request is being answered.
    is_busy: bool,
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
pub struct Bridge {
    pub name: String,
    pub player: Mutex<Player>,
    pub time: Duration,
}

impl Server {
    pub fn new(site: Site, engine: Option<Bridge>, port: u16, patience: Patience) -> Arc<Server> {
        // Browsers leave out the port that everybody knows.
        let port = if port == 80 { String::new() } else { format!(":{port}") };
        let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}{port}")).to_vec();
        Arc::new(Server { site, engine, names, patience, open: Mutex::default(), number: AtomicU64::new(0) })
    }

    /// Answers connections without end.
    pub fn serve(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            let number = self.number.fetch_add(1, Ordering::Relaxed);
            // A connection beyond the limit is closed.
            let Ok(stream) = stream.and_then(|stream| self.admit(number, stream)) else { continue };
            let this = Arc::clone(self);
            let talk = move || {
                // A failure means that the browser has gone.
                let _ = this.talk(number, stream);
                this.connections().retain(|open| open.number != number);
            };
            if thread::Builder::new().spawn(talk).is_err() {
                self.connections().retain(|open| open.number != number);
            }
        }
    }

    fn connections(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no connection is open.
    #[cfg(test)]
    pub fn is_quiet(&self) -> bool {
        self.connections().is_empty()
    }

    /// Registers a connection. If an address has too many, its oldest one is closed, one without a request before
    /// the others, so that slow ones keep nobody out.
    fn admit(&self, number: u64, stream: TcpStream) -> io::Result<TcpStream> {
        // Answers are written in one piece, and none waits for the next.
        stream.set_nodelay(true)?;
        let address = stream.peer_addr()?.ip();
        let mut open = self.connections();
        let of_address = |open: &&mut Open| open.address == address && !open.is_cut;
        if open.iter_mut().filter(of_address).count() >= MOST_OF_ONE
            && let Some(oldest) = open.iter_mut().filter(of_address).min_by_key(|open| open.is_busy)
        {
            oldest.is_cut = true;
            oldest.stream.shutdown(Shutdown::Both)?;
        }
        if open.len() >= MOST_AT_ONCE {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        open.push(Open { number, address, stream: stream.try_clone()?, is_busy: false, is_cut: false });
        Ok(stream)
    }

    /// Answers one request after another.
    fn talk(&self, number: u64, stream: TcpStream) -> io::Result<()> {
        let set_busy = |is_busy| {
            self.connections()
                .iter_mut()
                .filter(|open| open.number == number)
                .for_each(|open| open.is_busy = is_busy);
        };
        let mut input = BufReader::new(Timed { stream, deadline: Instant::now() });
        loop {
            input.get_mut().deadline = Instant::now() + self.patience.request;
            let (answer, is_head, stays) = match read_head(&mut input)? {
                Head::End => return Ok(()),
                Head::Wrong(status) => {
                    (Answer::error(status, "this is no request of a browser"), false, false)
                }
                Head::Request(request) => {
                    set_busy(true);
                    let mut rest = (&mut input).take(request.length as u64);
                    let answer = self.answer(&request, &mut rest);
                    // The next request begins only after a body that was read.
                    (answer, request.method == "HEAD", request.stays && rest.limit() == 0)
                }
            };
            let out = input.get_mut();
            out.deadline = Instant::now() + self.patience.answer;
            answer.write(is_head, stays, out)?;
            set_busy(false);
            if !stays {
                return self.part(input);
            }
        }
    }

    /// Ends a connection. What is still sent is read for a while: otherwise the answer might be lost with it.
    fn part(&self, mut input: BufReader<Timed>) -> io::Result<()> {
        let timed = input.get_mut();
        timed.stream.shutdown(Shutdown::Write)?;
        timed.deadline = Instant::now() + self.patience.request.min(Duration::from_secs(1));
        io::copy(&mut input.take(2 * MOST_BODY as u64), &mut io::sink())?;
        Ok(())
    }

    fn answer(&self, request: &Request, body: &mut impl Read) -> Answer {
        if !self.is_from_here(request) {
            return Answer::error("403 Forbidden", "only pages of this server are answered");
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("GET" | "HEAD", "/engine") => match &self.engine {
                Some(bridge) => Answer::json(&serde_json::json!({ "name": bridge.name })),
                None => Answer::nothing(),
            },
            ("POST", "/engine") => self.play(request, body),
            ("GET" | "HEAD", _) => self.site.answer(request),
            _ => Answer::error("405 Method Not Allowed", "only GET is answered"),
        }
    }

    /// Whether the request comes from a page of this server, and not from one under another name for this
    /// machine.
    fn is_from_here(&self, request: &Request) -> bool {
        let is_own = |origin: &String| self.names.iter().any(|name| *origin == format!("http://{name}"));
        self.names.contains(&request.host) && request.origin.as_ref().is_none_or(is_own)
    }

    /// Plays the engine's next action in the game that was sent.
    fn play(&self, request: &Request, input: &mut impl Read) -> Answer {
        let Some(bridge) = &self.engine else { return Answer::error("404 Not Found", "there is no engine") };
        if request.length > MOST_BODY {
            return Answer::error("413 Content Too Large", "the game is too long");
        }
        let mut body = Vec::new();
        if input.read_to_end(&mut body).ok() != Some(request.length) {
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
                Answer::json(&serde_json::json!({ "action": action }))
            }
            Err(fault) => {
                let message = printable(&fault.to_string());
                say(&format!("engine: {message}"));
                Answer::error("502 Bad Gateway", &message)
            }
        }
    }
}
