//! Writing certificate files. Begin at [`write`].

use std::fmt::{self, Write as _};

use super::text::Writer;
use super::{Certificate, FurtherAnswer, NoMate, OPPONENT, SCHEMA};
use crate::notation::fen5d;
use crate::puzzle::yaml::{MAX_DEPTH, MAX_NODES};
use crate::search::certificate::{Node, Reply, When};
use crate::types::Action;

/// The certificate is longer or more deeply nested than [`read`](super::read()) accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the certificate has more than {MAX_NODES} entries, or is nested more deeply than {MAX_DEPTH} times"
        )
    }
}

impl std::error::Error for TooLarge {}

/// The text of a file.
///
/// # Errors
///
/// If [`read`](super::read()) would refuse the text for its size.
pub fn write(certificate: &Certificate) -> Result<String, TooLarge> {
    let Certificate { puzzle, start, attacker, mate_in, keys, answers, no, refutations } = certificate;
    let proofs = keys.iter().map(|(_, node)| node).chain(answers.iter().map(|further| &further.node));
    let sizes = proofs.map(Size::of).fold(Size { nodes: 0, depth: 0 }, Size::beside);
    // The names, values and lists of the file itself; and for each key its mapping, its name and its text.
    let promotions = start.profile().promotions.iter().count();
    // Each list with its name.
    let named = |is_empty: bool| if is_empty { 0 } else { 2 };
    let after = |no: &NoMate| named(no.after.is_empty()) + no.after.len();
    let denied = named(no.is_empty()) + no.iter().map(|no| 3 + after(no)).sum::<usize>();
    // For each further answer its mapping, two names, its text and its line.
    let further =
        named(answers.is_empty()) + answers.iter().map(|further| 5 + further.after.len()).sum::<usize>();
    let lists = refutations.lists();
    let replies = named(lists.is_empty()) + lists.iter().map(|list| 1 + list.len()).sum::<usize>();
    let is_defended = *attacker != start.to_move();
    let nodes =
        17 + promotions + named(!is_defended) + 3 * keys.len() + sizes.nodes + further + denied + replies;
    if nodes > MAX_NODES || 3 + sizes.depth > MAX_DEPTH {
        return Err(TooLarge);
    }
    let profile = start.profile();
    // Without quotes an `N` is a boolean to many readers of YAML.
    let letter = |letter: char| if letter == 'N' { "\"N\"".to_owned() } else { letter.to_string() };
    let promotions: Vec<String> = profile.promotions.iter().map(|kind| letter(kind.letter())).collect();
    let mut out = format!(
        "schema: {SCHEMA}\npuzzle: {puzzle}\nrules: {{ profile: {}, promotions: [{}] }}\nstart: |\n",
        profile,
        promotions.join(", ")
    );
    for line in fen5d::write(start).lines() {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "mate-in: {mate_in}");
    if is_defended {
        let _ = writeln!(out, "attacker: {OPPONENT}");
    }
    let _ = writeln!(out, "keys:{}", if keys.is_empty() { " []" } else { "" });
    let writer = Writer(start.parity());
    for (key, node) in keys {
        let _ = writeln!(out, "  - key: \"{}\"", writer.action(key));
        write_node(&mut out, writer, node, 4);
    }
    let line = |actions: &[Action]| {
        let actions: Vec<String> =
            actions.iter().map(|action| format!("\"{}\"", writer.action(action))).collect();
        format!("[{}]", actions.join(", "))
    };
    if !answers.is_empty() {
        out.push_str("answers:\n");
    }
    for FurtherAnswer { after, answer, node } in answers {
        let _ = writeln!(out, "  - after: {}\n    answer: \"{}\"", line(after), writer.action(answer));
        write_node(&mut out, writer, node, 4);
    }
    if !no.is_empty() {
        out.push_str("no:\n");
    }
    for NoMate { after, mate_in, but_keys } in no {
        let name = if *but_keys { "other-mate-in" } else { "mate-in" };
        let after = if after.is_empty() { String::new() } else { format!("after: {}, ", line(after)) };
        let _ = writeln!(out, "  - {{ {after}{name}: {mate_in} }}");
    }
    if !refutations.lists().is_empty() {
        out.push_str("refutations:\n");
    }
    for list in refutations.lists() {
        let _ = writeln!(out, "  - {}", line(list));
    }
    Ok(out)
}

/// The size of a node in a file, in the units that are limited.
#[derive(Clone, Copy)]
struct Size {
    /// Scalars, lists and mappings.
    nodes: usize,
    /// The deepest nesting of lists and mappings.
    depth: usize,
}

impl Size {
    /// The size of a node, with its lists and their names.
    fn of(node: &Node) -> Size {
        let rows = node.replies.iter().map(Size::of_row).fold(Size { nodes: 0, depth: 0 }, Size::beside);
        let names = if node.replies.is_empty() { 1 } else { 2 };
        Size { nodes: 2 * names + node.threats.len() + rows.nodes, depth: 1 + rows.depth }
    }

    fn of_row(row: &Reply) -> Size {
        let when = match &row.when {
            When::Class(class) => {
                let starts: usize = class.boards().iter().map(|(_, starts)| 2 + starts.len()).sum();
                Size { nodes: 2 + starts, depth: 2 }
            }
            When::If(_) | When::Otherwise => Size { nodes: 2, depth: 0 },
        };
        let Size { nodes, depth } = when.beside(Size::of(&row.node));
        Size { nodes: 3 + nodes, depth: 1 + depth }
    }

    fn beside(self, other: Size) -> Size {
        Size { nodes: self.nodes + other.nodes, depth: self.depth.max(other.depth) }
    }
}

fn write_node(out: &mut String, writer: Writer, node: &Node, indent: usize) {
    let threats: Vec<String> =
        node.threats.iter().map(|threat| format!("\"{}\"", writer.threat(threat))).collect();
    let _ = writeln!(out, "{:indent$}threats: [{}]", "", threats.join(", "));
    if node.replies.is_empty() {
        return;
    }
    let _ = writeln!(out, "{:indent$}replies:", "");
    for Reply { when, answer, node } in &node.replies {
        let when = match when {
            When::If(action) => format!("if: \"{}\"", writer.action(action)),
            When::Class(class) => format!("class: {}", writer.class(class)),
            When::Otherwise => "otherwise: true".to_owned(),
        };
        let _ = writeln!(out, "{:indent$}  - {when}", "");
        let _ = writeln!(out, "{:indent$}    answer: \"{}\"", "", writer.action(answer));
        write_node(out, writer, node, indent + 4);
    }
}
