//! From a YAML text to the model, by serde-saphyr, and its errors in the words of puzzle files. With `model.rs` this is the only file
//! that knows that library.

use serde::de::DeserializeOwned;
use serde_saphyr::{Error as YamlError, MessageFormatter, UserMessageFormatter};

use super::finding::Finding;
use super::grammar::Kind;
use super::shape::misshapen;
use super::yaml::{MAX_DEPTH, MAX_KEY, MAX_NODES, Yaml};
use crate::notation::Span;
use crate::notation::work::look_at;

/// Reads a document as plain YAML of a grammar.
///
/// # Errors
///
/// The first fault.
pub(super) fn parse<T: DeserializeOwned>(text: &str, grammar: &'static Kind) -> Result<T, Finding> {
    match parse_all(text, &Yaml::of(text), grammar) {
        Ok((value, findings)) if findings.is_empty() => Ok(value),
        Ok((_, mut findings)) | Err(mut findings) => Err(findings.swap_remove(0)),
    }
}

/// The value of a document in the model, with everything that the grammar has against it.
pub(super) fn parse_all<T: DeserializeOwned>(
    text: &str,
    yaml: &Yaml,
    grammar: &'static Kind,
) -> Result<(T, Vec<Finding>), Vec<Finding>> {
    // A tag may be the cause of any other error.
    if let Some(tag) = &yaml.tag {
        return Err(vec![tag.clone()]);
    }
    let mut findings = yaml.whole().map_or_else(Vec::new, |root| misshapen(text, root, grammar));
    look_at(text.len());
    match serde_saphyr::from_str_with_options(text, options()) {
        Ok(value) => Ok((value, findings)),
        Err(error) => {
            let error = explain(text, error.without_snippet());
            // The grammar says in our words what does not fit the model, and more of it.
            if findings.is_empty() || error.code != "yaml" {
                findings.push(error);
                findings.sort_by_key(|finding| finding.span.start);
            }
            Err(findings)
        }
    }
}

fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_aliases: 0,
            max_anchors: 0,
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            flow_nesting_limit: MAX_DEPTH,
            simple_key_max_lookahead: MAX_KEY,
        },
        merge_keys: serde_saphyr::MergeKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

/// The error of the YAML library in the words of puzzle files.
fn explain(text: &str, error: &YamlError) -> Finding {
    if let YamlError::AliasError { error, .. } = error {
        return explain(text, error);
    }
    let span = span_of(text, error);
    let finding = |code, message: String| Finding::new(code, span, message);
    match error {
        YamlError::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or("this key");
            finding("repeated-key", format!("`{key}` is written twice"))
        }
        error if is_anchor(error) => {
            finding("anchor", "anchors `&` and aliases `*` are not used in puzzle files".into())
                .note("hint: text that begins with `&` or `*` needs quotes")
        }
        YamlError::Budget { .. } => finding("too-large", "this is nested too deeply, or is too long".into()),
        YamlError::ExternalMessage { msg, .. } if msg.contains("recursion limit") => {
            finding("too-large", "this is nested too deeply".into())
        }
        YamlError::ExternalMessage { msg, .. } if msg.contains("did not find expected key") => {
            finding("yaml", "the fields do not begin in one column: look at the blanks before them".into())
        }
        YamlError::InvalidScalar { ty: ty @ ("u32" | "u64"), .. } => {
            let most = if *ty == "u32" { u32::MAX.into() } else { u64::MAX };
            finding("yaml", format!("expected a number of at most {most}"))
        }
        other => {
            let message = UserMessageFormatter.format_message(other).into_owned();
            if message.contains("quoted scalar")
                && let Some(mark) = open_quote(text, span)
            {
                let message = "this quotation mark begins a text that has no end";
                return Finding::new("yaml", mark, message)
                    .note("hint: write a second quotation mark where the text ends");
            }
            let is_tab = ["found a tab", "tabs disallowed"].iter().any(|words| message.contains(words));
            let message = if is_tab { TAB.to_owned() } else { message };
            let finding = finding("yaml", message);
            if is_tab {
                return finding.note("hint: replace each tab by two blanks");
            }
            match cut_by_comment(text, span) {
                Some(line) => finding.note(format!(
                    "hint: in line {line}, ` #` begins a comment: actions are written in quotes, as in `[\"(0T1)Rd3d1#\"]`"
                )),
                None => finding,
            }
        }
    }
}

/// The message about a tab that YAML does not allow, which `--fix` replaces.
pub(super) const TAB: &str = "a tab stands where YAML wants blanks";

/// The last line up to a place in which a comment begins after a bracket, which it may keep from being closed.
fn cut_by_comment(text: &str, up_to: Span) -> Option<usize> {
    let mut found = None;
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if offset > up_to.range().start {
            break;
        }
        offset += line.len();
        look_at(line.len());
        if let Some((before, _)) = line.split_once(" #")
            && before.contains(['[', '{'])
            && before.matches('"').count().is_multiple_of(2)
        {
            found = Some(index + 1);
        }
    }
    found
}

/// The quotation mark that was opened last before a place, on a line where it has no other.
fn open_quote(text: &str, up_to: Span) -> Option<Span> {
    let mut found = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if offset >= up_to.range().start {
            break;
        }
        look_at(line.len());
        let value = line.split_once(": ").map_or(line, |(_, value)| value).trim_start_matches([' ', '-']);
        // An apostrophe within a text opens none.
        for mark in ['"', '\''] {
            let may_open = mark == '"' || value.starts_with(mark);
            if may_open && !line.matches(mark).count().is_multiple_of(2) {
                let at = offset + line.rfind(mark).expect("an odd number of them");
                found = Some(Span::new(at, at + 1));
            }
        }
        offset += line.len();
    }
    found
}

fn span_of(text: &str, error: &YamlError) -> Span {
    let Some(location) = error.location() else { return Span::default() };
    let span = location.span();
    let start = match span.byte_offset() {
        Some(byte) => byte as usize,
        None => {
            look_at(text.len());
            let before = text.split_inclusive('\n').take(location.line() as usize - 1);
            let line = before.map(str::len).sum();
            let column = location.column() as usize - 1;
            text[line..].char_indices().nth(column).map_or(text.len(), |(byte, _)| line + byte)
        }
    };
    Span::new(start, start + span.byte_len().unwrap_or(0) as usize)
}

fn is_anchor(error: &YamlError) -> bool {
    use serde_saphyr::budget::BudgetBreach;
    match error {
        YamlError::UnknownAnchor { .. } => true,
        YamlError::Budget { breach, .. } => {
            matches!(breach, BudgetBreach::Anchors { .. } | BudgetBreach::Aliases { .. })
        }
        _ => false,
    }
}
