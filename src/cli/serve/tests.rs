//! The server over sockets, as browsers and those who mean harm talk to it.

use std::fs::File;
use std::io::Read;
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

use super::server::Patience;
use super::*;

const LONG: Duration = Duration::from_secs(1_000);
const SHORT: Duration = Duration::from_millis(200);
/// Enough for a machine with other work.
const USUAL: Patience = Patience { request: Duration::from_secs(30), answer: Duration::from_secs(60) };

/// A server of this site, and its address.
fn started(site: Site, patience: Patience) -> (Arc<Server>, SocketAddr) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::new(site, None, address.port(), patience);
    let this = Arc::clone(&server);
    thread::spawn(move || this.serve(&listener));
    (server, address)
}

/// A folder with one file of this length.
fn folder(length: u64) -> (tempfile::TempDir, Site) {
    let folder = tempfile::tempdir().unwrap();
    File::create(folder.path().join("index.html")).unwrap().set_len(length).unwrap();
    let site = Site::Folder(folder.path().to_owned());
    (folder, site)
}

fn board() -> Site {
    Site::Board(Board::new().expect("the board of the command"))
}

/// A connection on which this was sent.
fn sent(address: SocketAddr, text: impl AsRef<[u8]>) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(text.as_ref()).unwrap();
    stream
}

/// The head and the content of the only answer to this.
fn answer(address: SocketAddr, text: impl AsRef<[u8]>) -> (String, Vec<u8>) {
    let mut stream = sent(address, text);
    stream.shutdown(Shutdown::Write).unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    let end = all.windows(4).position(|four| four == b"\r\n\r\n").map_or(all.len(), |place| place + 4);
    (String::from_utf8(all[..end].to_vec()).unwrap(), all[end..].to_vec())
}

/// The answer to a question for a path, with more lines in the head.
fn get(address: SocketAddr, path: &str, more: &str) -> (String, Vec<u8>) {
    answer(address, format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{more}\r\n"))
}

fn status(head: &str) -> &str {
    head.lines().next().and_then(|line| line.strip_prefix("HTTP/1.1 ")).unwrap_or(head)
}

fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn the_board_is_served_packed_and_not_twice() {
    let (_server, address) = started(board(), USUAL);
    let (head, page) = get(address, "/", "Accept-Encoding: gzip, br\r\n");
    assert_eq!(status(&head), "200 OK");
    assert_eq!(field(&head, "Content-Type"), Some("text/html; charset=utf-8"));
    assert_eq!(field(&head, "Content-Encoding"), Some("gzip"));
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(&page[..]).read_to_string(&mut unpacked).unwrap();
    assert!(unpacked.contains("Worldlines: a board for 5D chess</title>"));

    let (plain_head, plain) = get(address, "/index.html", "");
    assert_eq!(field(&plain_head, "Content-Encoding"), None);
    assert_eq!(plain, unpacked.as_bytes());
    let tag = field(&head, "ETag").unwrap();
    assert_ne!(Some(tag), field(&plain_head, "ETag"), "two forms of one file have two names");

    let (again, nothing) = get(address, "/", &format!("Accept-Encoding: gzip\r\nIf-None-Match: {tag}\r\n"));
    assert_eq!((status(&again), nothing.len()), ("304 Not Modified", 0));
    let (other, _) = get(address, "/", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!(status(&other), "200 OK");

    let wasm = get(address, "/js/wasm/worldlines_bg.wasm", "Accept-Encoding: gzip\r\n");
    assert_eq!(field(&wasm.0, "Content-Type"), Some("application/wasm"));
    assert!(wasm.1.len() > 500_000);
    let (puzzle, yaml) = get(address, "/puzzles/scholars-mate.yaml", "");
    assert_eq!(status(&puzzle), "200 OK");
    assert_eq!(yaml, include_bytes!("../../../puzzles/first-steps/scholars-mate.yaml"));
    let known = field(&puzzle, "ETag").unwrap();
    let again = get(address, "/puzzles/scholars-mate.yaml", &format!("If-None-Match: {known}\r\n"));
    assert_eq!(status(&again.0), "304 Not Modified");

    for path in
        ["/nothing", "/js", "/js/", "/puzzles/", "/puzzles/nothing.yaml", "/index.html/", "/made-of.json%00"]
    {
        assert_eq!(status(&get(address, path, "").0), "404 Not Found", "{path}");
    }
}

#[test]
fn the_board_is_there_at_once() {
    let began = Instant::now();
    let (_server, address) = started(board(), USUAL);
    let (head, _) = get(address, "/", "Accept-Encoding: gzip\r\n");
    assert_eq!(status(&head), "200 OK");
    // It takes a few milliseconds; tests run beside other work and without much optimisation.
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn a_folder_is_served_with_its_changes() {
    let (folder, site) = folder(3);
    let (_server, address) = started(site, USUAL);
    let (head, content) = get(address, "/", "Accept-Encoding: gzip\r\n");
    assert_eq!((status(&head), &content[..]), ("200 OK", &[0; 3][..]));
    let tag = field(&head, "ETag").unwrap().to_owned();
    let known = format!("If-None-Match: {tag}\r\n");
    assert_eq!(status(&get(address, "/", &known).0), "304 Not Modified");
    std::fs::write(folder.path().join("index.html"), "other").unwrap();
    let (head, content) = get(address, "/", &known);
    assert_eq!((status(&head), &content[..]), ("200 OK", &b"other"[..]));
    assert_eq!(status(&get(address, "/js/main.js", "").0), "404 Not Found");
}

#[test]
fn an_engine_that_is_not_there_is_no_error() {
    let (_server, address) = started(board(), USUAL);
    let (head, content) = get(address, "/engine", "");
    assert_eq!((status(&head), content.len()), ("204 No Content", 0));
    let post = format!(
        "POST /engine HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n1."
    );
    assert_eq!(status(&answer(address, post).0), "404 Not Found");
}

#[test]
fn a_connection_serves_one_request_after_another() {
    let (_folder, site) = folder(5);
    let (_server, address) = started(site, USUAL);
    // Three at once, and the last one ends it.
    let one = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let head = format!("HEAD / HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let last = format!("GET /nothing HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut stream = sent(address, [one.as_str(), &head, &one, &last, &one].concat());
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    assert_eq!(said.matches("HTTP/1.1 200 OK\r\n").count(), 3, "{said}");
    assert_eq!(said.matches("Content-Length: 5\r\n").count(), 3, "{said}");
    assert_eq!(said.matches("\0\0\0\0\0HTTP/1.1").count(), 2, "{said}");
    assert_eq!(said.matches("HTTP/1.1 404 Not Found\r\n").count(), 1, "nothing follows the end: {said}");
    assert_eq!(said.matches("Connection: close\r\n").count(), 1, "{said}");
}

#[test]
fn other_pages_are_not_answered() {
    let (_server, address) = started(board(), USUAL);
    let port = address.port();
    let ask = |host: &str, more: &str| {
        let text = format!("GET / HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n");
        status(&answer(address, text).0).to_owned()
    };
    for name in ["127.0.0.1", "localhost", "[::1]", "LocalHost"] {
        assert_eq!(ask(&format!("{name}:{port}"), ""), "200 OK", "{name}");
        assert_eq!(
            ask(&format!("{name}:{port}"), &format!("Origin: http://{name}:{port}\r\n")),
            "200 OK",
            "{name}"
        );
    }
    let here = format!("localhost:{port}");
    for host in ["evil.example", "localhost", "localhost:1", "localhost.evil.example", ""] {
        assert_eq!(ask(host, ""), "403 Forbidden", "{host}");
    }
    for origin in ["https://evil.example", "null", "http://localhost:1", &format!("https://localhost:{port}")]
    {
        assert_eq!(ask(&here, &format!("Origin: {origin}\r\n")), "403 Forbidden", "{origin}");
    }
    assert_eq!(status(&answer(address, "GET / HTTP/1.1\r\n\r\n").0), "403 Forbidden");
}

#[test]
fn hostile_requests_get_an_error_and_an_end() {
    let (server, address) = started(board(), USUAL);
    let here = format!("Host: {address}\r\n");
    let long = "x".repeat(1 << 16);
    let cases = [
        ("\r\n\r\n".to_owned(), "400 Bad Request"),
        ("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\n\n".to_owned(), "400 Bad Request"), // as TLS begins
        (format!("GET /{long}"), "431 Request Header Fields Too Large"),
        (format!("GET / HTTP/1.1\r\nX: {long}\r\n\r\n"), "431 Request Header Fields Too Large"),
        (format!("GET / HTTP/1.1\r\n{here}{here}\r\n"), "400 Bad Request"),
        (format!("GET http://evil.example/ HTTP/1.1\r\n{here}\r\n"), "404 Not Found"),
        (format!("GET /../../etc/passwd HTTP/1.1\r\n{here}\r\n"), "404 Not Found"),
        (format!("GET /%2e%2e%2fetc/passwd HTTP/1.1\r\n{here}\r\n"), "404 Not Found"),
        (format!("GET /..\\..\\etc HTTP/1.1\r\n{here}\r\n"), "404 Not Found"),
        (format!("CONNECT evil.example:443 HTTP/1.1\r\n{here}\r\n"), "405 Method Not Allowed"),
        (format!("DELETE /index.html HTTP/1.1\r\n{here}\r\n"), "405 Method Not Allowed"),
        (format!("POST / HTTP/1.1\r\n{here}Content-Length: 3\r\n\r\nabc"), "405 Method Not Allowed"),
        (
            format!("POST /engine HTTP/1.1\r\n{here}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            "501 Not Implemented",
        ),
        // The body of the first must not be taken for another request.
        (
            format!(
                "GET / HTTP/1.1\r\n{here}Content-Length: 99\r\nConnection: close\r\n\r\nGET /js/boot.js HTTP/1.1\r\n{here}\r\n"
            ),
            "200 OK",
        ),
    ];
    for (text, wanted) in cases {
        let (head, content) = answer(address, &text);
        assert_eq!(status(&head), wanted, "{text:.80?}");
        assert!(!content.windows(9).any(|part| part == b"HTTP/1.1 "), "one answer: {text:.80?}");
    }
    // Nobody is left.
    let began = Instant::now();
    while !server.is_quiet() {
        assert!(began.elapsed() < Duration::from_secs(30));
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn who_sends_too_slowly_is_left_however_often_something_comes() {
    let (_folder, site) = folder(0);
    let (server, address) = started(site, Patience { request: SHORT, answer: LONG });
    let mut slow = TcpStream::connect(address).unwrap();
    // The head never ends. Without a deadline for the whole head, this would take hours.
    let sent = (0..10_000).take_while(|_| {
        thread::sleep(Duration::from_millis(20));
        slow.write_all(b"G").is_ok()
    });
    assert!(sent.count() < 1_000);
    while !server.is_quiet() {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn who_asks_nothing_more_is_left() {
    let (_folder, site) = folder(1);
    let (server, address) = started(site, Patience { request: SHORT, answer: LONG });
    let mut stream = sent(address, format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n"));
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    assert!(all.starts_with(b"HTTP/1.1 200 OK\r\n") && all.ends_with(b"\0"));
    while !server.is_quiet() {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn who_takes_nothing_is_left() {
    let (_folder, site) = folder(1 << 30);
    let (server, address) = started(site, Patience { request: LONG, answer: SHORT });
    let slow = sent(address, format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n"));
    while server.is_quiet() {
        thread::yield_now();
    }
    while !server.is_quiet() {
        thread::sleep(Duration::from_millis(5));
    }
    drop(slow);
}

#[test]
fn slow_connections_keep_nobody_out() {
    let (_folder, site) = folder(3);
    let (_server, address) = started(site, Patience { request: LONG, answer: LONG });
    let slow: Vec<TcpStream> = (0..50).map(|_| TcpStream::connect(address).unwrap()).collect();
    let (head, content) = get(address, "/", "");
    assert_eq!((status(&head), content.len()), ("200 OK", 3));
    // The first of them had to go.
    let mut ended = Vec::new();
    assert_eq!((&slow[0]).read_to_end(&mut ended).unwrap_or(0), 0);
    drop(slow);
}

#[test]
fn a_port_that_is_taken_is_not_shared() {
    let listeners = listen(0).unwrap();
    let port = listeners[0].local_addr().unwrap().port();
    assert_ne!(port, 0);
    for listener in &listeners {
        assert_eq!(listener.local_addr().unwrap().port(), port);
        assert!(listener.local_addr().unwrap().ip().is_loopback());
    }
    let (address, error) = listen(port).unwrap_err();
    assert_eq!((address.port(), error.kind()), (port, io::ErrorKind::AddrInUse));
    // Another program may have it under the other address alone.
    if let Some(other) = listeners.get(1) {
        let other = other.try_clone().unwrap();
        drop(listeners);
        assert_eq!(listen(port).unwrap_err().0, other.local_addr().unwrap());
    }
}

#[test]
fn a_browser_is_opened_on_a_desktop_alone() {
    let with = |names: &'static [&str]| move |name: &str| names.contains(&name);
    assert!(!is_on_desktop(false, with(&["DISPLAY"])));
    assert!(!is_on_desktop(true, with(&["DISPLAY", "SSH_CONNECTION"])));
    assert!(is_on_desktop(true, with(&["DISPLAY"])));
    assert!(is_on_desktop(true, with(&["WAYLAND_DISPLAY"])));
    assert_eq!(is_on_desktop(true, with(&[])), cfg!(any(windows, target_os = "macos")));
}
