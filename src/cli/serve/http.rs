//! Requests and answers as they are written in HTTP/1.1. Nothing here knows of sockets or files of the board.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};

/// The most bytes of the head of a request.
const MOST_HEAD: u64 = 16 << 10;

/// The head of a request of a browser.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub host: String,
    pub origin: Option<String>,
    /// The bytes that follow the head.
    pub length: usize,
    pub accepts_gzip: bool,
    /// The names of the contents that the browser has already, as it wrote them.
    pub known: Option<String>,
    /// Whether another request may follow on the same connection.
    pub stays: bool,
}

/// The outcome of reading a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Head {
    Request(Request),
    /// The other side has said all.
    End,
    /// Something that is no request, with the status that says so.
    Wrong(&'static str),
}

/// Reads the head of a request.
pub fn read_head(input: &mut impl BufRead) -> io::Result<Head> {
    const NO_REQUEST: Head = Head::Wrong("400 Bad Request");
    let mut head = input.take(MOST_HEAD);
    let mut line = Vec::new();
    if head.read_until(b'\n', &mut line)? == 0 {
        return Ok(Head::End);
    }
    let first = String::from_utf8_lossy(&line).into_owned();
    let words: Vec<&str> = first.split_ascii_whitespace().collect();
    let [method, target, version] = words[..] else { return Ok(too_long(&head).unwrap_or(NO_REQUEST)) };
    if !version.starts_with("HTTP/1.") {
        return Ok(NO_REQUEST);
    }
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        stays: version != "HTTP/1.0",
        ..Request::default()
    };
    let mut lengths = Vec::new();
    let mut hosts = 0;
    loop {
        line.clear();
        head.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            return Ok(too_long(&head).unwrap_or(NO_REQUEST));
        }
        let field = String::from_utf8_lossy(&line);
        let field = field.trim_end_matches(['\r', '\n']);
        if field.is_empty() {
            break;
        }
        let Some((name, value)) = field.split_once(':') else { return Ok(NO_REQUEST) };
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Ok(NO_REQUEST);
        }
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "host" => {
                hosts += 1;
                request.host = value.to_ascii_lowercase();
            }
            "origin" => request.origin = Some(value.to_ascii_lowercase()),
            "content-length" => lengths.push(value.to_owned()),
            // No browser sends a body in parts, and where it ends could be read in two ways.
            "transfer-encoding" => return Ok(Head::Wrong("501 Not Implemented")),
            "accept-encoding" => request.accepts_gzip |= accepts_gzip(value),
            "if-none-match" => request.known = Some(value.to_owned()),
            "connection" => request.stays &= !value.to_ascii_lowercase().contains("close"),
            _ => {}
        }
    }
    lengths.dedup();
    request.length = match &lengths[..] {
        [] => 0,
        [length] if length.bytes().all(|byte| byte.is_ascii_digit()) && !length.is_empty() => {
            length.parse().unwrap_or(usize::MAX)
        }
        _ => return Ok(NO_REQUEST),
    };
    Ok(if hosts > 1 { NO_REQUEST } else { Head::Request(request) })
}

/// The status of a head that goes on after the last byte that is read of it.
fn too_long<R>(head: &io::Take<R>) -> Option<Head> {
    (head.limit() == 0).then_some(Head::Wrong("431 Request Header Fields Too Large"))
}

/// Whether a list such as `br, gzip;q=0.5` has gzip in it.
fn accepts_gzip(list: &str) -> bool {
    list.split(',').any(|item| {
        let (name, quality) = item.split_once(';').unwrap_or((item, ""));
        let name = name.trim();
        let refuses = quality.trim().strip_prefix("q=").is_some_and(|value| value.parse() == Ok(0.0));
        (name.eq_ignore_ascii_case("gzip") || name == "*") && !refuses
    })
}

/// An answer: its status, its type, and its content.
pub struct Answer {
    pub status: &'static str,
    pub kind: &'static str,
    pub body: Body,
    /// The name of this content, which another content does not have.
    pub tag: Option<String>,
    /// Whether the content is sent as gzip.
    pub is_packed: bool,
}

pub enum Body {
    None,
    Bytes(Vec<u8>),
    /// Parts that are there as long as the program.
    Parts(Vec<u8>, &'static [u8], Vec<u8>),
    /// A file of this length, which is read while it is sent.
    File(File, u64),
}

impl Body {
    fn length(&self) -> u64 {
        match self {
            Body::None => 0,
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::Parts(before, middle, after) => (before.len() + middle.len() + after.len()) as u64,
            Body::File(_, length) => *length,
        }
    }
}

impl Answer {
    pub fn new(kind: &'static str, body: Body) -> Answer {
        Answer { status: "200 OK", kind, body, tag: None, is_packed: false }
    }

    pub fn error(status: &'static str, message: &str) -> Answer {
        Answer { status, ..Answer::json(&serde_json::json!({ "error": message })) }
    }

    pub fn json(value: &serde_json::Value) -> Answer {
        Answer::new("application/json", Body::Bytes(value.to_string().into_bytes()))
    }

    /// An answer that has nothing to say.
    pub fn nothing() -> Answer {
        Answer { status: "204 No Content", ..Answer::new("", Body::None) }
    }

    /// The same content, unless the browser has it already.
    pub fn unless_known(self, known: Option<&str>) -> Answer {
        let is_known = match (&self.tag, known) {
            (Some(tag), Some(known)) => {
                // Whether a tag is weak makes no difference here.
                let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
                known.trim() == "*" || known.split(',').any(|one| bare(one) == bare(tag))
            }
            _ => false,
        };
        if is_known { Answer { status: "304 Not Modified", body: Body::None, ..self } } else { self }
    }

    /// Writes the answer, to a question for the head alone without its content.
    pub fn write(self, is_head: bool, stays: bool, out: &mut dyn Write) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {}\r\n", self.status);
        if !matches!(self.status, "204 No Content" | "304 Not Modified") {
            let _ = write!(head, "Content-Type: {}\r\nContent-Length: {}\r\n", self.kind, self.body.length());
            if self.is_packed {
                head.push_str("Content-Encoding: gzip\r\n");
            }
        }
        if let Some(tag) = &self.tag {
            let _ = write!(head, "ETag: {tag}\r\nVary: Accept-Encoding\r\n");
        }
        head.push_str("X-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n");
        head.push_str(if stays { "\r\n" } else { "Connection: close\r\n\r\n" });
        if is_head {
            out.write_all(head.as_bytes())?;
            return out.flush();
        }
        match self.body {
            // In one piece with the head: less to wait for.
            Body::Bytes(bytes) => out.write_all(&[head.as_bytes(), &bytes].concat())?,
            Body::None => out.write_all(head.as_bytes())?,
            Body::Parts(before, middle, after) => {
                out.write_all(&[head.as_bytes(), &before].concat())?;
                out.write_all(middle)?;
                out.write_all(&after)?;
            }
            Body::File(file, length) => {
                out.write_all(head.as_bytes())?;
                if io::copy(&mut file.take(length), out)? < length {
                    // It became shorter: only the end of the connection can say so.
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: impl AsRef<[u8]>) -> Head {
        read_head(&mut text.as_ref()).unwrap()
    }

    fn request(text: &str) -> Request {
        match read(text) {
            Head::Request(request) => request,
            other => panic!("{text:?}: {other:?}"),
        }
    }

    #[test]
    fn heads_are_read() {
        let read = request(
            "GET /x?y HTTP/1.1\r\nHost: LocalHost:50\r\nOrigin: http://localhost:50\r\nContent-Length: 7\r\nIf-None-Match: \"a\"\r\n\r\n",
        );
        let wanted = Request {
            method: "GET".to_owned(),
            path: "/x".to_owned(),
            host: "localhost:50".to_owned(),
            origin: Some("http://localhost:50".to_owned()),
            length: 7,
            accepts_gzip: false,
            known: Some("\"a\"".to_owned()),
            stays: true,
        };
        assert_eq!(read, wanted);
        assert!(!request("GET / HTTP/1.0\r\n\r\n").stays);
        assert!(!request("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n").stays);
        assert_eq!(request("GET / HTTP/1.1\nHost: a\n\n").host, "a");
        assert_eq!(
            request("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n").length,
            usize::MAX
        );
    }

    #[test]
    fn other_things_are_no_heads() {
        assert_eq!(read(""), Head::End);
        let wrong = [
            "\r\n",
            "GET\r\n\r\n",
            "GET / \r\n\r\n",
            "GET / a HTTP/1.1\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n",
            "GET / HTTP/1.1\r\n: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: \r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a",
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/1.1",
        ];
        for text in wrong {
            assert_eq!(read(text), Head::Wrong("400 Bad Request"), "{text:?}");
        }
        assert_eq!(read(b"\xff\x00 / HTTP/9\r\n\r\n"), Head::Wrong("400 Bad Request"));
        let in_parts = read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        assert_eq!(in_parts, Head::Wrong("501 Not Implemented"));
        let too_long = Head::Wrong("431 Request Header Fields Too Large");
        assert_eq!(read(format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(1 << 20))), too_long);
        assert_eq!(read(format!("GET /{}", "x".repeat(1 << 20))), too_long);
        assert_eq!(read(format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(1 << 16))), too_long);
    }

    #[test]
    fn gzip_is_accepted_where_it_is_named() {
        for list in ["gzip", "br, GZIP;q=0.5", "*", "deflate,gzip ; q=1"] {
            assert!(accepts_gzip(list), "{list}");
        }
        for list in ["", "br", "gzip;q=0", "gzip; q=0.0", "x-gzip2", "identity"] {
            assert!(!accepts_gzip(list), "{list}");
        }
    }

    #[test]
    fn known_contents_are_not_sent_again() {
        let answer = |known| {
            let tag = Some("W/\"a\"".to_owned());
            let full = Answer { tag, ..Answer::new("text/plain", Body::Bytes(b"content".to_vec())) };
            let mut sent = Vec::new();
            full.unless_known(known).write(false, true, &mut sent).unwrap();
            String::from_utf8(sent).unwrap()
        };
        for known in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"] {
            let sent = answer(Some(known));
            assert!(sent.starts_with("HTTP/1.1 304 Not Modified\r\nETag: W/\"a\"\r\n"), "{sent}");
            assert!(sent.ends_with("\r\n\r\n") && !sent.contains("Content-Length"), "{sent}");
        }
        for known in [None, Some("\"b\""), Some(""), Some("a")] {
            assert!(answer(known).ends_with("Content-Length: 7\r\nETag: W/\"a\"\r\nVary: Accept-Encoding\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n\r\ncontent"));
        }
    }
}
