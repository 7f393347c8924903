//! A Markdown page: its headings, and the blocks under them that are run.

use std::path::Path;
use std::{fs, io};

use worldlines::notation::{Excerpt, Span};

/// A chapter.
pub struct Page {
    /// The path from the root of the repository.
    pub path: String,
    /// Its text, with `\n` at the end of lines on every machine.
    pub text: String,
    /// Its headings, in order.
    pub headings: Vec<Heading>,
    /// Its blocks, in order.
    pub blocks: Vec<Block>,
    /// The fences of blocks, with the language after them.
    pub fences: Vec<(String, Span)>,
}

/// A line that begins with `#`.
pub struct Heading {
    pub title: String,
    pub level: usize,
    pub span: Span,
}

impl Heading {
    /// `R-5.3` of `R-5.3 A turn must move the present`.
    pub fn rule_id(&self) -> Option<&str> {
        let id = self.title.split(' ').next()?;
        rule_numbers(id).map(|_| id)
    }
}

/// Chapter and number of `R-5.3`.
pub fn rule_numbers(id: &str) -> Option<(u32, u32)> {
    let (chapter, number) = id.strip_prefix("R-")?.split_once('.')?;
    Some((chapter.parse().ok()?, number.parse().ok()?))
}

/// A fenced block in the language `5d`.
pub struct Block {
    /// The page, the headings above it, and a number if there are several under one heading.
    pub name: String,
    /// The index of the heading above it.
    pub heading: usize,
    pub lines: Vec<Line>,
}

/// A line of a block, with the lines that continue it.
#[derive(Clone)]
pub struct Line {
    pub verb: String,
    pub argument: String,
    /// The code in brackets after `--`.
    pub code: Option<String>,
    /// The remark after `--`, if it is no code.
    pub note: Option<String>,
    /// The whole line.
    pub span: Span,
}

impl Page {
    /// Every page of a folder, by name.
    pub fn all(root: &Path, folder: &str) -> io::Result<Vec<Page>> {
        let names: io::Result<Vec<_>> =
            fs::read_dir(root.join(folder))?.map(|entry| Ok(entry?.file_name())).collect();
        let mut names: Vec<String> = names?.iter().filter_map(|name| Some(name.to_str()?.into())).collect();
        names.retain(|name| name.ends_with(".md"));
        names.sort();
        let paths = names.into_iter().map(|name| format!("{folder}/{name}"));
        paths.map(|path| Ok(Page::new(fs::read_to_string(root.join(&path))?, path))).collect()
    }

    fn new(text: String, path: String) -> Page {
        let text = text.replace("\r\n", "\n");
        let mut page =
            Page { path, headings: Vec::new(), blocks: Vec::new(), fences: Vec::new(), text: String::new() };
        // The language of the open fence.
        let mut fence: Option<String> = None;
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let (start, end) = (offset, offset + line.trim_end().len());
            offset += line.len();
            let line = &text[start..end];
            if let Some(language) = line.strip_prefix("```") {
                let opens = fence.is_none();
                page.fences.push((language.to_owned(), Span::new(start, end)));
                fence = opens.then(|| language.to_owned());
                if opens && language == "5d" {
                    let block = Block {
                        name: page.name_of_next(),
                        heading: page.headings.len().saturating_sub(1),
                        lines: Vec::new(),
                    };
                    page.blocks.push(block);
                }
            } else if fence.as_deref() == Some("5d") {
                let block = page.blocks.last_mut().expect("a block is open");
                block.read_line(&text, start, end);
            } else if fence.is_none()
                && let level @ 1.. = line.bytes().take_while(|&byte| byte == b'#').count()
            {
                let title = line[level..].trim().to_owned();
                page.headings.push(Heading { title, level, span: Span::new(start, end) });
            }
        }
        page.text = text;
        page
    }

    /// The headings above the next block, without that of the page.
    fn name_of_next(&self) -> String {
        let mut level = usize::MAX;
        let mut path = Vec::new();
        for heading in self.headings.iter().rev() {
            if heading.level < level && heading.level > 1 {
                level = heading.level;
                path.push(heading.title.as_str());
            }
        }
        path.reverse();
        let name = format!("{}: {}", self.path, path.join(" / "));
        let same = |block: &&Block| block.name == name || block.name.starts_with(&format!("{name} #"));
        match self.blocks.iter().filter(same).count() {
            0 => name,
            before => format!("{name} #{}", before + 1),
        }
    }

    /// An excerpt of the page at this place, with a message.
    pub fn excerpt(&self, span: Span, title: String, notes: Vec<String>) -> String {
        Excerpt { name: &self.path, source: (&self.text).into(), span, title, notes }.to_string()
    }
}

impl Block {
    fn read_line(&mut self, text: &str, start: usize, end: usize) {
        let line = &text[start..end];
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        if line.starts_with([' ', '[']) && !self.lines.is_empty() {
            let last = self.lines.last_mut().expect("there is a line");
            last.span = Span::new(last.span.start as usize, end);
            if let Some(remark) = line.trim_start().strip_prefix("-- ") {
                last.remark(Some(remark.trim()));
                return;
            }
            last.argument.push('\n');
            last.argument.push_str(line.trim_start());
            return;
        }
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (argument, remark) = match rest.rsplit_once("-- ") {
            Some((argument, remark)) => (argument, Some(remark.trim())),
            None => (rest, None),
        };
        let mut line = Line {
            verb: verb.to_owned(),
            argument: argument.trim().to_owned(),
            note: None,
            code: None,
            span: Span::new(start, end),
        };
        line.remark(remark);
        self.lines.push(line);
    }
}

impl Line {
    /// Takes the remark after `--`.
    fn remark(&mut self, remark: Option<&str>) {
        let code = remark.and_then(|remark| remark.strip_prefix('[')?.strip_suffix(']'));
        // A code is a word; boards in brackets are not.
        let is_word = |code: &&str| code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        self.code = code.filter(is_word).map(str::to_owned);
        self.note = remark.filter(|_| self.code.is_none()).map(str::to_owned);
    }
}
