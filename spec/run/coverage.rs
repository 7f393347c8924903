//! Checks of all chapters together: links, examples, codes, and agreement with the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use walkdir::WalkDir;
use worldlines::notation::{Format, Span};
use worldlines::puzzle::certificate::{self, Checked};
use worldlines::puzzle::load;
use worldlines::rules::variants::{Confidence, VARIANTS, Variant};
use worldlines::search::certificate::Looks;
use worldlines::state::Position;
use worldlines::types::RuleProfile;

use super::block::{self, Shown};
use super::json;
use super::page::{Line, Page, rule_numbers};
use super::root;

/// The looks for a certificate of a page.
const LOOKS: u64 = 100_000_000;

type Check = fn(&[Page]) -> Result<(), String>;

pub const CHECKS: [(&str, Check); 12] = [
    ("every block is run", fences_are_known),
    ("every rule is numbered and has an example", rules_have_examples),
    ("every error is produced", errors_are_produced),
    ("every reference leads somewhere", references_lead_somewhere),
    ("the index lists every rule", index_is_complete),
    ("the chapters list their lessons", lessons_are_listed),
    ("every switch has an experiment", switches_have_experiments),
    ("the table of variants is right", variants_are_right),
    ("verbs are explained", verbs_are_explained),
    ("every certificate proves its mate", certificates_hold),
    ("a spoilt certificate is refused", spoilt_certificates_are_refused),
    ("every command prints what its schema says", json::check),
];

/// The languages of blocks. Only `5d` is run here. Whole puzzles in `yaml` are verified with the others;
/// transcripts in `console` and conversations with the engine in `5duci` run with those of the corpus, and a `trace` of the
/// search for legal actions with the tests of the library.
const LANGUAGES: [&str; 7] = ["5d", "5duci", "console", "ebnf", "text", "trace", "yaml"];

/// Codes and kinds of errors that no block can show, with the reason.
const NOT_SHOWN: [(&str, &str); 16] = [
    ("another-start", "answers to puzzles and moves at the terminal may hold a start; no block is one"),
    ("board-named-twice", "classes of puzzles name their boards; shown in corpus/puzzles/wrong"),
    ("not-a-board", "classes of puzzles name their boards; shown in corpus/puzzles/wrong"),
    ("tag-characters", "found on request only"),
    ("game-too-long", "takes thousands of turns or timelines"),
    (
        "illegal-action",
        "a net below `present-stays` and `royal-exposed`: reading moves one by one finds the rest",
    ),
    ("more-warnings", "takes a thousand warnings"),
    ("text-too-long", "takes 16 MiB"),
    ("too-many-actions", "takes 100000 actions"),
    ("too-many-boards", "takes 100000 boards"),
    ("too-many-moves", "takes 2000 moves"),
    ("NoBoards", "5DFEN without boards has the code `no-boards`"),
    ("TooManyBoards", "5DFEN with so many boards has the code `too-many-boards`"),
    ("TooManyTimelines", "takes 2000 timelines"),
    ("TurnOutOfRange", "5DFEN with such a turn has the code `number-too-large`"),
    ("WrongSize", "5DFEN with such a board has a code about its ranks"),
];

fn fail_unless_empty(problems: Vec<String>) -> Result<(), String> {
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n\n")) }
}

/// The number of the chapter: 5 for the page whose name begins with `05-`.
fn chapter(page: &Page) -> Option<u32> {
    page.path.rsplit('/').next()?.split_once('-')?.0.parse().ok()
}

fn rules_have_examples(pages: &[Page]) -> Result<(), String> {
    let mut problems = Vec::new();
    let mut rules = 0;
    for page in pages {
        let mut expected = 1;
        for (index, heading) in page.headings.iter().enumerate() {
            let Some((of, number)) = heading.rule_id().and_then(rule_numbers) else { continue };
            rules += 1;
            let mut complain = |message: String| {
                problems.push(page.excerpt(heading.span, format!("error: {message}"), Vec::new()));
            };
            if chapter(page) != Some(of) || number != expected {
                complain(format!("expected R-{}.{expected}", chapter(page).unwrap_or_default()));
            }
            expected = number + 1;
            let below = page.headings.iter().skip(index + 1).take_while(|other| other.level > heading.level);
            let own = index..=index + below.count();
            if !page.blocks.iter().any(|block| own.contains(&block.heading)) {
                complain("this rule has no example".into());
            }
        }
    }
    if rules < 40 {
        problems.push(format!("only {rules} rules were found"));
    }
    fail_unless_empty(problems)
}

/// Checks whole certificates in blocks: they are accepted and in canonical form.
fn certificates_hold(pages: &[Page]) -> Result<(), String> {
    let mut problems = Vec::new();
    let mut checked = 0;
    for page in pages {
        let blocks = page.text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
        for block in blocks.filter(|block| block.starts_with(&format!("schema: {}\n", certificate::SCHEMA))) {
            checked += 1;
            let file = match certificate::read(block) {
                Ok(file) => file,
                Err(finding) => {
                    problems.push(format!("{}: {} in\n{block}", page.path, finding.message));
                    continue;
                }
            };
            let Checked { findings, undecided, .. } = file.check_alone(&Looks::within(LOOKS));
            problems.extend(findings.iter().map(|finding| format!("{}: {}", page.path, finding.message)));
            if undecided > 0 || certificate::write(&file.certificate).as_deref() != Ok(block) {
                problems.push(format!("{}: not as it is written:\n{block}", page.path));
            }
        }
    }
    if checked < 3 {
        problems.push(format!("only {checked} certificates were found"));
    }
    fail_unless_empty(problems)
}

/// Checks the rows of a table below a certificate: each says how to corrupt it, and with which code it is
/// then refused.
fn spoilt_certificates_are_refused(pages: &[Page]) -> Result<(), String> {
    const HEADER: &str = "| instead of | written | finding |\n|---|---|---|\n";
    let mut problems = Vec::new();
    let mut spoilt = 0;
    for page in pages {
        for (at, _) in page.text.match_indices(HEADER) {
            let (above, table) = (&page.text[..at], &page.text[at + HEADER.len()..]);
            let good = above.rsplit("```yaml\n").next().and_then(|rest| rest.split("```").next());
            let good = good.unwrap_or_default();
            for row in table.lines().take_while(|row| row.starts_with('|')) {
                spoilt += 1;
                let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
                let [_, old, new, code, _] = cells[..] else { return Err(format!("{}: {row}", page.path)) };
                let refused = refused_with(&good.replacen(old, new, 1));
                if !good.contains(old) || refused.as_deref() != Some(code) {
                    problems.push(format!("{}: {refused:?} and not as in {row}", page.path));
                }
            }
        }
    }
    if spoilt < 20 {
        problems.push(format!("only {spoilt} spoilt certificates were found"));
    }
    fail_unless_empty(problems)
}

/// The code of the first finding about a certificate.
fn refused_with(text: &str) -> Option<String> {
    let finding = match certificate::read(text) {
        Ok(file) => file.check_alone(&Looks::within(LOOKS)).findings.into_iter().next()?,
        Err(finding) => finding,
    };
    Some(finding.code.to_owned())
}

/// Checks that the language of every block is known. A misspelt one, or a missing fence, would silently leave
/// a block out.
fn fences_are_known(pages: &[Page]) -> Result<(), String> {
    let mut problems = Vec::new();
    for page in pages {
        for (index, (language, span)) in page.fences.iter().enumerate() {
            let opens = index % 2 == 0;
            let known = if opens { LANGUAGES.contains(&language.as_str()) } else { language.is_empty() };
            if !known || opens && index + 1 == page.fences.len() {
                let message =
                    "error: expected blocks that are closed, in one of the known languages".to_owned();
                problems.push(page.excerpt(*span, message, vec![format!("known: {}", LANGUAGES.join(", "))]));
            }
        }
    }
    fail_unless_empty(problems)
}

/// The codes and kinds that all blocks show. Blocks that fail add none; they fail in their own test.
fn shown(pages: &[Page]) -> Shown {
    let mut all = Shown::default();
    for page in pages {
        for shown in page.blocks.iter().filter_map(|block| block::run(page, block).ok()) {
            all.codes.extend(shown.codes);
            all.kinds.extend(shown.kinds);
        }
    }
    all
}

fn errors_are_produced(pages: &[Page]) -> Result<(), String> {
    let codes = codes_of_notations();
    let kinds: BTreeMap<String, String> =
        [("src/state/setup.rs", "SetupProblem"), ("src/rules/illegal.rs", "IllegalAction")]
            .into_iter()
            .flat_map(|(path, name)| {
                variants_of(path, name).into_iter().map(move |kind| (kind, path.to_owned()))
            })
            .collect();
    let shown = shown(pages);
    let mut problems = Vec::new();
    for (all, shown, what) in [(&codes, &shown.codes, "code"), (&kinds, &shown.kinds, "kind")] {
        if all.len() < 5 {
            problems.push(format!("only {} {what}s were found in the sources", all.len()));
        }
        for (name, path) in all {
            let excused = NOT_SHOWN.iter().find(|(excused, _)| excused == name);
            match (shown.contains(name), excused) {
                (false, None) => problems.push(format!("{path}: no block produces `{name}`")),
                (true, Some(_)) => {
                    problems.push(format!("`{name}` is produced: take it off the list of exceptions"))
                }
                _ => {}
            }
        }
        problems.extend(
            shown
                .iter()
                .filter(|name| !all.contains_key(*name))
                .map(|name| format!("no source has the {what} `{name}`")),
        );
    }
    for (name, _) in
        NOT_SHOWN.iter().filter(|(name, _)| !codes.contains_key(*name) && !kinds.contains_key(*name))
    {
        problems.push(format!("`{name}` is excused and does not exist"));
    }
    fail_unless_empty(problems)
}

/// The codes of errors and warnings, each with a file that uses it: the lowercase words with hyphens between
/// quotes.
fn codes_of_notations() -> BTreeMap<String, String> {
    let mut codes = BTreeMap::new();
    let reasons = files("src/rules", "rs").into_iter().filter(|(path, _)| path.ends_with("/illegal.rs"));
    for (path, text) in files("src/notation", "rs").into_iter().chain(reasons) {
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        // Files with tests only are skipped.
        if code.contains("#[test]") {
            continue;
        }
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for literal in line.split('"').skip(1).step_by(2) {
                let word = |part: &str| {
                    !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
                };
                if literal.contains('-')
                    && literal.split('-').all(word)
                    && !literal.starts_with(|c: char| c.is_ascii_digit())
                    && literal.parse::<Format>().is_err()
                {
                    codes.insert(literal.to_owned(), path.clone());
                }
            }
        }
    }
    codes
}

/// The variants of an enum, read from its source.
fn variants_of(path: &str, name: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(path)).expect("a readable source").replace("\r\n", "\n");
    let body = text.split(&format!("pub enum {name} {{\n")).nth(1).and_then(|rest| rest.split("\n}").next());
    let lines = body.unwrap_or_else(|| panic!("{path} has no enum {name}")).lines();
    let names = lines.filter_map(|line| {
        line.strip_prefix("    ").filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
    });
    names
        .map(|line| line.trim_end_matches(',').split(['(', '{', ' ']).next().unwrap_or_default().to_owned())
        .collect()
}

/// The files of a folder and its subfolders with this extension: paths from the root, and texts.
fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in WalkDir::new(root().join(folder)).sort_by_file_name() {
        let path = entry.expect("a readable folder").into_path();
        if path.extension().is_some_and(|e| e == extension) {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
            files.push((name.replace('\\', "/"), text.replace("\r\n", "\n")));
        }
    }
    files
}

fn references_lead_somewhere(pages: &[Page]) -> Result<(), String> {
    let known: BTreeSet<&str> =
        pages.iter().flat_map(|page| &page.headings).filter_map(|heading| heading.rule_id()).collect();
    let folders = [
        ("src", "rs"),
        ("fuzz/src", "rs"),
        ("corpus", "rs"),
        ("puzzles", "md"),
        ("spec", "md"),
        ("spec", "rs"),
        ("README.md", "md"),
        ("ARCHITECTURE.md", "md"),
        ("CONTRIBUTING.md", "md"),
    ];
    // Whether a page of this folder has the heading to which a link leads. Other pages are not read.
    let has_heading = |path: &str, place: &str| {
        let page = pages.iter().find(|page| page.path == path);
        page.is_none_or(|page| page.headings.iter().any(|heading| anchor(&heading.title) == place))
    };
    let mut problems = Vec::new();
    let mut seen = 0;
    for (path, text) in folders.into_iter().flat_map(|(folder, extension)| files(folder, extension)) {
        let mut complain = |at: usize, message: String| {
            let excerpt = worldlines::notation::Excerpt {
                name: &path,
                source: (&text).into(),
                span: Span::new(at, at + 1),
                title: format!("error: {message}"),
                notes: Vec::new(),
            };
            problems.push(excerpt.to_string());
        };
        for (at, _) in text.match_indices("spec/") {
            let rest = &text[at..];
            let end =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && !"/-.".contains(c)).unwrap_or(rest.len());
            let name = rest[..end].trim_end_matches('.');
            if name.ends_with(".md") {
                seen += 1;
                if !root().join(name).exists() {
                    complain(at, format!("there is no {name}"));
                }
                if let Some((place, _)) = rest[name.len()..].strip_prefix('#').and_then(|s| s.split_once(')'))
                    && !has_heading(name, place)
                {
                    complain(at, format!("{name} has no heading `#{place}`"));
                }
            }
        }
        // In a chapter, links to other chapters and to its own headings are checked.
        if path.starts_with("spec/") && path.ends_with(".md") {
            for (at, _) in text.match_indices("](") {
                let link = text[at + 2..].split(')').next().unwrap_or_default();
                let (target, place) = link.split_once('#').unwrap_or((link, ""));
                let page = if target.is_empty() { path.clone() } else { format!("spec/{target}") };
                if target.ends_with(".md") && !root().join(&page).exists() {
                    complain(at + 2, format!("there is no {target} here"));
                } else if !place.is_empty() && !has_heading(&page, place) {
                    complain(at + 2, format!("{page} has no heading `#{place}`"));
                }
            }
        }
        for (at, _) in text.match_indices("R-") {
            let rest = &text[at + 2..];
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let id = text[at..at + 2 + end].trim_end_matches('.');
            if rule_numbers(id).is_some() {
                seen += 1;
                if !known.contains(id) && !path.ends_with("run.rs") && !path.starts_with("spec/run/") {
                    complain(at, format!("there is no rule {id}"));
                }
            }
        }
    }
    if seen < 40 {
        problems.push(format!("only {seen} references were found"));
    }
    fail_unless_empty(problems)
}

/// The marks around the index of rules in `README.md`.
const INDEX: (&str, &str) = ("<!-- index: written by the tests -->\n", "<!-- end of index -->");

fn index_is_complete(pages: &[Page]) -> Result<(), String> {
    let mut index = String::from("\n");
    for page in pages {
        let rules: Vec<_> = page.headings.iter().filter(|heading| heading.rule_id().is_some()).collect();
        if rules.is_empty() {
            continue;
        }
        let file = page.path.trim_start_matches("spec/");
        let title = page.headings.first().map_or("", |heading| heading.title.as_str());
        let _ = writeln!(index, "**[{title}]({file})**\n");
        for heading in &rules {
            let _ = writeln!(index, "- [{}]({file}#{})", heading.title, anchor(&heading.title));
        }
        index.push('\n');
    }
    is_between(INDEX, "spec/README.md", &index)
}

/// Checks what stands between two marks of a page, or writes it with `BLESS=1`.
fn is_between(marks: (&str, &str), page: &str, expected: &str) -> Result<(), String> {
    let path = root().join(page);
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?.replace("\r\n", "\n");
    let parts = text.split_once(marks.0).and_then(|(before, rest)| Some((before, rest.split_once(marks.1)?)));
    let Some((before, (now, after))) = parts else {
        return Err(format!("{page} lacks the marks {} and {}", marks.0.trim_end(), marks.1.trim_end()));
    };
    if now == expected {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        let text = [before, marks.0, expected, marks.1, after].concat();
        return fs::write(&path, text).map_err(|error| error.to_string());
    }
    let difference = similar::TextDiff::from_lines(now, expected);
    Err(format!("{}\nwrite it with .ci/bless", difference.unified_diff().header(page, "now")))
}

/// The marks around the lessons of a chapter.
const LESSONS: (&str, &str) = ("<!-- lessons: written by the tests -->\n", "<!-- end of lessons -->");

fn lessons_are_listed(pages: &[Page]) -> Result<(), String> {
    let mut lessons: BTreeMap<u32, BTreeMap<u32, String>> = BTreeMap::new();
    for entry in WalkDir::new(root().join("puzzles")) {
        let path = entry.map_err(|error| error.to_string())?.into_path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string().replace('\\', "/");
        for document in load(&name, text.as_bytes()) {
            let Ok(puzzle) = &document.puzzle else { continue };
            let Some(lesson) = puzzle.lesson.as_ref().map(|lesson| &lesson.value) else { continue };
            let (number, title) = (lesson.number.value, &puzzle.title.value);
            let rule = lesson.rule.as_ref().ok_or_else(|| format!("{name}: its lesson names no rule"))?;
            let (chapter, _) = rule_numbers(&rule.value)
                .ok_or_else(|| format!("{name}: there is no rule {}", rule.value))?;
            let line = format!("- Lesson {number}: [{title}](../{name}), {}\n", rule.value);
            if lessons.entry(chapter).or_default().insert(number, line).is_some() {
                return Err(format!("{name}: lesson {number} comes twice"));
            }
        }
    }
    let mut problems = Vec::new();
    for page in pages {
        let Some(chapter) = chapter(page) else { continue };
        let lines: String = lessons.remove(&chapter).unwrap_or_default().into_values().collect();
        if !lines.is_empty() || page.text.contains(LESSONS.0) {
            problems.extend(is_between(LESSONS, &page.path, &lines).err());
        }
    }
    problems.extend(
        lessons.keys().map(|chapter| format!("lessons are about chapter {chapter}, which there is not")),
    );
    fail_unless_empty(problems)
}

/// The anchor of a heading.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn switches_have_experiments(pages: &[Page]) -> Result<(), String> {
    let page =
        pages.iter().find(|page| page.path == "spec/experiments.md").ok_or("spec/experiments.md is gone")?;
    let mut problems = Vec::new();
    for switch in RuleProfile::switch_names() {
        let names = |line: &Line| line.verb == "profile" && line.argument.contains(switch);
        // There are claims both before the change of the profile and after it.
        let found = page.blocks.iter().any(|block| {
            let under = page.headings[block.heading].title == switch;
            let change = block.lines.iter().position(names);
            under && change.is_some_and(|at| (1..block.lines.len() - 1).contains(&at))
        });
        if !found {
            problems.push(format!("{}: no block under `{switch}` turns the switch round", page.path));
        }
    }
    fail_unless_empty(problems)
}

fn mark(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Confirmed => "A",
        Confidence::OneSource => "B",
        Confidence::PartlyDisputed => "C",
        Confidence::Disputed => "D",
    }
}

fn variants_are_right(pages: &[Page]) -> Result<(), String> {
    let page =
        pages.iter().find(|page| page.path == "spec/07-variants.md").ok_or("spec/07-variants.md is gone")?;
    let mut problems = Vec::new();
    let lines: Vec<_> = page.blocks.iter().flat_map(|block| &block.lines).collect();
    let counted = |variant: &Variant, count: u64| {
        lines.windows(2).any(|pair| {
            pair[0].verb == "variant"
                && pair[0].argument == variant.name
                && pair[1].verb == "actions"
                && pair[1].argument == count.to_string()
        })
    };
    for variant in &VARIANTS {
        let position = Position::from_setup(&variant.setup()).expect("variants are positions");
        let count = position.count_legal_actions(u64::MAX).count;
        let id = variant.id.map_or("–".into(), |id| id.to_string());
        let row = format!(
            "| {id} | {} | {} | {} | {count} | {} |",
            variant.name,
            position.size(),
            position.multiverse().timelines().count(),
            mark(variant.confidence)
        );
        if !page.text.contains(&row) {
            problems.push(format!("{}: this row is missing: {row}", page.path));
        }
        if !counted(variant, count) {
            problems
                .push(format!("{}: no block says `variant {}`, `actions {count}`", page.path, variant.name));
        }
    }
    fail_unless_empty(problems)
}

fn verbs_are_explained(pages: &[Page]) -> Result<(), String> {
    let page = pages.iter().find(|page| page.path == "spec/README.md").ok_or("spec/README.md is gone")?;
    let missing = block::verbs().filter(|verb| !page.text.contains(&format!("`{verb}")));
    fail_unless_empty(missing.map(|verb| format!("{}: `{verb}` is not explained", page.path)).collect())
}
