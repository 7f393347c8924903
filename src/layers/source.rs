//! The modules of the crate and what each of them uses, read from the sources without their tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of a module from the root of the crate on, such as `["notation", "pgn"]`.
pub type Name = Vec<String>;

/// One module: what it declares and what it uses.
#[derive(Debug, Default)]
pub struct Module {
    /// Its file; the file around it for a module in braces.
    pub file: PathBuf,
    /// Every path outside of `pub use`, and its line.
    pub uses: Vec<(Name, usize)>,
    /// The names that `pub use` makes part of it, each with the path that it stands for. `*` for everything.
    pub exports: Vec<(String, Name)>,
    /// The methods that it calls, and their lines.
    pub calls: Vec<(String, usize)>,
    /// The methods that it gives to `Position` and that others may call.
    pub methods_of_position: Vec<String>,
}

/// All modules, by name. The root of the crate is the empty name.
pub struct Crate(pub BTreeMap<Name, Module>);

impl Crate {
    /// The modules that are declared in these files of a folder, and in those again, but for tests.
    pub fn read(folder: &Path, roots: &[&str]) -> Crate {
        let mut found = Crate(BTreeMap::new());
        for root in roots {
            found.read_file(&folder.join(root), folder, Name::new());
        }
        found
    }

    fn read_file(&mut self, file: &Path, folder: &Path, name: Name) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let tokens = without_tests(&tokens(&text));
        let mut reader = Reader { all: self, file, tokens: &tokens, at: 0 };
        let declared = reader.module(name.clone());
        for (child, path) in declared {
            let beside = folder.join(path.unwrap_or_else(|| format!("{child}.rs")));
            let inside = folder.join(&child);
            let file = if beside.exists() { beside } else { inside.join("mod.rs") };
            self.read_file(&file, &inside, [&name[..], &[child]].concat());
        }
    }

    /// The modules that have modules in them, the crate itself among them.
    pub fn folders(&self) -> BTreeSet<&[String]> {
        self.0.keys().filter_map(|name| Some(name.split_last()?.1)).collect()
    }

    /// The module in which the item of a path is defined, seen through every `pub use`; none for what is not of this crate.
    pub fn home(&self, path: &[String]) -> Option<Name> {
        let mut module = Name::new();
        for (index, segment) in path.iter().enumerate() {
            let child = [&module[..], std::slice::from_ref(segment)].concat();
            if self.0.contains_key(&child) {
                module = child;
                continue;
            }
            let exports = &self.0.get(&module)?.exports;
            let named = exports.iter().find(|(last, target)| last == segment && target != path);
            let rest = &path[index + 1..];
            if let Some((_, target)) = named {
                return self.home(&[target, rest].concat());
            }
            return Some(module);
        }
        Some(module)
    }
}

/// A name, a sign, or a text in quotation marks with the first of them, and its line.
type Token = (String, usize);

/// The names, signs and texts of a source, without comments, raw strings and characters.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let skip_to =
        |at: usize, end: &str| text[at..].find(end).map_or(text.len(), |found| at + found + end.len());
    while at < bytes.len() {
        let start = at;
        let rest = &text[at..];
        if rest.starts_with("//") {
            at = skip_to(at, "\n");
        } else if rest.starts_with("/*") {
            at = skip_to(at, "*/");
        } else if let Some(hashes) = raw_string(rest) {
            at = skip_to(at + hashes + 2, &format!("\"{}", "#".repeat(hashes)));
        } else if bytes[at] == b'"' || bytes[at] == b'\'' && is_character(rest) {
            at += 1;
            while at < bytes.len() && bytes[at] != bytes[start] {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            if bytes[start] == b'"' {
                tokens.push((text[start..at].to_owned(), line));
            }
            at += 1;
        } else if is_name(&bytes[at]) {
            at += bytes[at..].iter().take_while(|byte| is_name(byte)).count();
            tokens.push((text[start..at].to_owned(), line));
        } else {
            at += if rest.starts_with("::") { 2 } else { 1 };
            if !bytes[start].is_ascii_whitespace() {
                tokens.push((text[start..at].to_owned(), line));
            }
        }
        line += text[start..at.min(text.len())].matches('\n').count();
    }
    tokens
}

/// The number of `#` with which a raw string begins, if one does.
fn raw_string(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('r')?;
    let hashes = rest.bytes().take_while(|&byte| byte == b'#').count();
    rest[hashes..].starts_with('"').then_some(hashes)
}

/// Whether `'` begins a character and no lifetime.
fn is_character(text: &str) -> bool {
    let mut rest = text[1..].chars();
    rest.next() == Some('\\') || rest.next() == Some('\'')
}

/// The tokens but for items that only tests have.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let word = |ahead: usize| tokens.get(at + ahead).map_or("", |(word, _)| word.as_str());
        let is_cfg = (word(0), word(1), word(2), word(3)) == ("#", "[", "cfg", "(");
        if is_cfg && matches!(word(4), "test" | "doctest") && word(5) == ")" {
            at = end_of_item(tokens, at + 7);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// The token after an item: after its semicolon or its last brace. The last field of a struct ends before the brace around it.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, (word, _)) in tokens.iter().enumerate().skip(start) {
        match word.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return at,
            ")" | "]" => depth -= 1,
            "}" if depth == 1 => return at + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

struct Reader<'a> {
    all: &'a mut Crate,
    file: &'a Path,
    tokens: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    fn word(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |(word, _)| word.as_str())
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |(_, line)| *line)
    }

    /// Reads a module to its last brace or the end of its file. Returns the modules that have files of their own, each with the
    /// path of its file if that is written.
    fn module(&mut self, name: Name) -> Vec<(String, Option<String>)> {
        let mut module = Module { file: self.file.to_owned(), ..Module::default() };
        let (mut declared, mut path) = (Vec::new(), None);
        let (mut depth, mut is_public, mut of_position) = (0_usize, false, None);
        while self.at < self.tokens.len() {
            let (word, next) = (self.word(0).to_owned(), self.word(1).to_owned());
            let follows = |sign: &str| self.at > 0 && self.tokens[self.at - 1].0 == sign;
            match word.as_str() {
                "{" => depth += 1,
                "}" if depth == 0 => break,
                "}" => depth -= 1,
                "impl" if next == "Position" && self.word(2) == "{" => of_position = Some(depth),
                "pub" => is_public = true,
                "fn" if is_public && of_position.is_some_and(|outside| depth == outside + 1) => {
                    module.methods_of_position.push(next.clone());
                }
                "path" if next == "=" && follows("[") => {
                    path = self.word(2).strip_prefix('"').map(str::to_owned);
                }
                "mod" if self.word(2) == ";" => {
                    declared.push((next.clone(), path.take()));
                    self.all.0.entry([&name[..], std::slice::from_ref(&next)].concat()).or_default();
                }
                "mod" if self.word(2) == "{" => {
                    self.at += 3;
                    let files = self.module([&name[..], &[next]].concat());
                    assert!(files.is_empty(), "{}: a file of a module in braces", self.file.display());
                }
                "use"
                    if follows(";")
                        || follows("}")
                        || follows("]")
                        || follows(")")
                        || is_public
                        || self.at == 0 =>
                {
                    self.at += 1;
                    self.use_tree(&name, &declared, is_public, Name::new(), &mut module);
                }
                _ if next == "::" && !follows("::") && is_word(&word) => {
                    self.path(&name, &declared, &mut module)
                }
                _ if next == "(" && follows(".") => module.calls.push((word.clone(), self.line())),
                _ => {}
            }
            if of_position == Some(depth) && word == "}" {
                of_position = None;
            }
            if matches!(
                word.as_str(),
                ";" | "}" | "fn" | "use" | "mod" | "struct" | "enum" | "const" | "static"
            ) {
                is_public = false;
            }
            self.at += 1;
        }
        let known = self.all.0.entry(name).or_default();
        known.uses.append(&mut module.uses);
        known.exports.append(&mut module.exports);
        known.calls.append(&mut module.calls);
        known.methods_of_position.append(&mut module.methods_of_position);
        known.file = module.file;
        declared
    }

    /// A path in the middle of code.
    fn path(&mut self, name: &[String], declared: &[(String, Option<String>)], module: &mut Module) {
        let (line, mut path) = (self.line(), vec![self.word(0).to_owned()]);
        while self.word(1) == "::" && is_word(self.word(2)) {
            path.push(self.word(2).to_owned());
            self.at += 2;
        }
        module.uses.extend(absolute(name, declared, &path).map(|path| (path, line)));
    }

    /// The rest of a `use`, after a part of its path.
    fn use_tree(
        &mut self,
        name: &[String],
        declared: &[(String, Option<String>)],
        public: bool,
        mut path: Name,
        module: &mut Module,
    ) {
        loop {
            match self.word(0) {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    while self.word(0) != "}" {
                        self.use_tree(name, declared, public, path.clone(), module);
                        self.at += usize::from(self.word(0) == ",");
                    }
                    self.at += 1;
                    return;
                }
                "," | "}" | ";" | "" | "as" => break,
                word => {
                    path.push(word.to_owned());
                    self.at += 1;
                }
            }
        }
        let line = self.line();
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let mut shown = path.last().cloned().unwrap_or_default();
        if self.word(0) == "as" {
            shown = self.word(1).to_owned();
            self.at += 2;
        }
        let Some(path) = absolute(name, declared, &path) else { return };
        if public {
            assert_ne!(shown, "*", "{}:{line}: `pub use` of everything", self.file.display());
            module.exports.push((shown, path));
        } else {
            module.uses.push((path, line));
        }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// A path from the root of the crate on, or as it is if it begins with `std`; none for what the file itself brings in.
fn absolute(name: &[String], declared: &[(String, Option<String>)], path: &[String]) -> Option<Name> {
    let mut base = name.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => {
            base.clear();
            rest = &path[1..];
        }
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|first| first == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        "std" => base.clear(),
        first if declared.iter().any(|(child, _)| child == first) => {}
        _ => return None,
    }
    Some([&base[..], rest].concat())
}

#[test]
fn sources_are_read_without_comments_texts_and_tests() {
    let text = r##"
        // use crate::comment;
        use crate::a::{self, b::{C, D as E}, std};
        pub(crate) use super::f::G;
        #[cfg(test)]
        mod tests { use crate::h; }
        mod inner { const X: char = '{'; const Y: &str = "crate::i"; fn z<'a>() -> super::j::K<'a> {} }
        impl Position {
            pub fn method(&self) { println!("{}", crate::l::M); self.call(); }
            fn own(&self) {}
        }
        #[cfg(test)]
        fn test() { crate::n::O }
        struct S { t: crate::t::T, #[cfg(test)] u: crate::u::U, }
        fn last() { std::fs::read() }
        #[path = "q/p.rs"]
        mod p;
        mod r;
    "##;
    let tokens = without_tests(&tokens(text));
    let mut all = Crate(BTreeMap::new());
    let name = |path: &str| path.split("::").map(str::to_owned).collect::<Name>();
    let mut reader = Reader { all: &mut all, file: Path::new("x.rs"), tokens: &tokens, at: 0 };
    let beside = |file: &str| (file.to_owned(), None);
    let elsewhere = |file: &str, path: &str| (file.to_owned(), Some(path.to_owned()));
    assert_eq!(reader.module(name("room::x")), [elsewhere("p", "q/p.rs"), beside("r")]);
    let shown = |path: &str| {
        let uses = all.0[&name(path)].uses.iter();
        uses.map(|(path, line)| format!("{}:{line}", path.join("::"))).collect::<Vec<_>>()
    };
    assert_eq!(
        shown("room::x"),
        ["a:3", "a::b::C:3", "a::b::D:3", "a::std:3", "l::M:9", "t::T:14", "std::fs::read:15"]
    );
    assert_eq!(shown("room::x::inner"), ["room::x::j::K:7"]);
    let module = &all.0[&name("room::x")];
    assert_eq!(module.exports, [("G".to_owned(), name("room::f::G"))]);
    assert_eq!(module.methods_of_position, ["method"]);
    assert_eq!(module.calls, [("call".to_owned(), 9)]);
    for outer in [Name::new(), name("room"), name("room::f")] {
        all.0.insert(outer, Module::default());
    }
    assert_eq!(all.home(&name("room::x::G")), Some(name("room::f")), "seen through `pub use`");
    assert_eq!(all.home(&name("room::x::inner::Y")), Some(name("room::x::inner")));
}
