//! `worldlines export`: makes HTML pages of puzzles.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files;
use super::input::{self, Proving, Selecting};
use super::output::Format;
use super::shipped;
use super::source;
use super::terminal::say;
use super::verify;
use worldlines::notation::printable;
use worldlines::puzzle::{self, Answer, Document, Filter, Report, refuse_repeated_ids};
use worldlines::types::counted;

pub mod pages;

/// Make pages of puzzles that can be read without a network
///
/// Each puzzle becomes a page with its picture, on which it can be played by clicks. The solution and the themes are
/// hidden until the reader opens them; then arrow keys step through the lines. Each page leads to the next: first the lessons of the course in
/// their order, then the other puzzles. A page `index.html` lists all of them, and remembers which were found.
/// Files of the folder that have other names stay as they are.
///
/// Each puzzle is verified first: without a search where its certificate shows every claim, else as `worldlines verify` does. One that
/// fails gets no page. The puzzles that are part of the program were verified before.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines export puzzles --to html site
  worldlines export my-puzzle.yaml --to html site
  worldlines export puzzles --filter mate-in-2 --to html site
  worldlines export --unverified draft.yaml --to html site

Exit codes: 0 all were written, 1 a puzzle is false or cannot be read and has no page, 3 all were written and a claim is undecided,
4 no puzzle was selected.")]
pub struct Arguments {
    /// Files and folders [default: the folder `puzzles`, or else the puzzles that are part of the program]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The format, which is `html`, and the folder for the pages
    #[arg(long, num_args = 2, value_names = ["FORMAT", "DIR"], required = true)]
    to: Vec<String>,
    #[command(flatten)]
    selecting: Selecting,
    /// Verify nothing, and make a page of every puzzle that can be read
    #[arg(long)]
    unverified: bool,
    #[command(flatten)]
    proving: Proving,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let [format, folder] = &self.to[..] else {
            return Err(Failure::new("--to takes a format and a folder"));
        };
        if format != "html" {
            return Err(Failure::new(format_args!(
                "there is no format `{}`: expected `html`",
                printable(format)
            )));
        }
        let folder = Path::new(folder);
        let filter = Filter::new(&self.selecting.filter);
        let mut documents: Vec<Document> = Vec::new();
        for path in verify::chosen(&self.paths)? {
            documents.extend(verify::load_file(&path)?);
        }
        refuse_repeated_ids(&mut documents);
        documents.retain(|document| filter.selects(document));
        documents.sort_by_key(|document| lesson_number(document).unwrap_or(u32::MAX));
        let write = |name: &str, page: &str| files::replace(&folder.join(name), page);
        if documents.iter().any(|document| document.id == "index") {
            return Err(Failure::new(
                "the page `index.html` lists the puzzles, so a puzzle with the id `index` has none",
            ));
        }
        let (mut cards, mut refused, mut undecided) = (Vec::new(), 0, 0);
        let reports = self.verified(&documents)?;
        // Written when the page after it is known.
        let mut last: Option<pages::Page> = None;
        for (document, report) in documents.iter().zip(&reports) {
            match report.as_ref().map(|report| (report.answer(), report)) {
                Some((Answer::Fail, report)) => {
                    refused += 1;
                    let (id, said) = (printable(&document.id), report.findings_text());
                    say(&format!("{said}no page of {id}, which fails; --unverified makes one\n"));
                    continue;
                }
                Some((Answer::Undecided, report)) => {
                    undecided += 1;
                    let said = report.open_steps_text();
                    say(&format!("warning: a claim is undecided; --budget and --time allow more\n{said}"));
                }
                _ => {}
            }
            let page = match pages::page(document) {
                Ok(page) => page,
                Err(findings) => {
                    refused += 1;
                    say(&source::unreadable(document, &findings).shown);
                    continue;
                }
            };
            match last.take() {
                Some(before) => {
                    write(&before.card.file(), &before.html(Some(&page.card)))?;
                    cards.push(before.card);
                }
                None => files::create_folder(folder)?,
            }
            last = Some(page);
        }
        if let Some(last) = last {
            write(&last.card.file(), &last.html(None))?;
            cards.push(last.card);
        }
        if cards.is_empty() {
            if refused == 0 {
                say("no puzzle was selected");
            }
            return Ok(if refused > 0 { Exit::Findings } else { Exit::NothingSelected });
        }
        write("index.html", &pages::index(&cards))?;
        let themes: BTreeSet<&str> =
            cards.iter().flat_map(|card| card.themes.iter().map(String::as_str)).collect();
        writeln!(
            out,
            "{} with {} themes: {}",
            counted(cards.len(), "puzzle"),
            themes.len(),
            files::shown(&folder.join("index.html"))
        )?;
        let worst = [(refused, Exit::Findings), (undecided, Exit::Undecided)];
        Ok(Exit::worst(worst.into_iter().filter(|(count, _)| *count > 0).map(|(_, exit)| exit)))
    }

    fn format(&self) -> Format {
        Format::Text
    }
}

impl Arguments {
    /// A report of each puzzle, without a search where that leaves nothing open; `None` for those that are not to be verified.
    fn verified<'a>(&self, documents: &'a [Document]) -> Result<Vec<Option<Report<'a>>>, Failure> {
        if self.unverified {
            return Ok(documents.iter().map(|_| None).collect());
        }
        verify::each(documents, input::threads(None), |document| {
            let clock = self.proving.limits.time.start();
            let options = self.proving.options(Some(clock.stop()));
            // Tests verified what is part of the program.
            if shipped::read(Path::new(&document.file.path)).is_some() {
                return None;
            }
            let quick = puzzle::verify(document, puzzle::Options { quick: true, ..options });
            let is_decided = quick.answer() == Answer::Fail || quick.grounds().is_some();
            Some(if is_decided { quick } else { puzzle::verify(document, options) })
        })
    }
}

/// The place of a puzzle in the course.
fn lesson_number(document: &Document) -> Option<u32> {
    let lesson = document.puzzle.as_ref().ok()?.lesson.as_ref()?;
    Some(lesson.value.number.value)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::command::arguments_of;

    use super::*;
    use worldlines::puzzle::load;

    fn export(paths: &[&Path], folder: &Path, options: &[&str]) -> (Exit, String) {
        let words = [Path::new("export")].into_iter().chain(paths.iter().copied());
        let to = [Path::new("--to"), Path::new("html"), folder];
        let words = words.chain(to).chain(options.iter().map(Path::new));
        let arguments: Arguments = arguments_of(words).unwrap();
        let mut out = Vec::new();
        let exit = arguments.run(&mut out).map_err(|failure| failure.shown).unwrap();
        (exit, String::from_utf8(out).unwrap())
    }

    #[test]
    fn every_puzzle_has_a_page_whose_links_lead_somewhere() {
        let folder = tempfile::tempdir().unwrap();
        let puzzles = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles");
        let (exit, said) = export(&[&puzzles], folder.path(), &["--unverified"]);
        assert!(exit == Exit::Ok && said.contains("puzzles with"), "{said}");
        let (mut links, mut clicks) = (0, 0);
        for entry in fs::read_dir(folder.path()).unwrap() {
            let path = entry.unwrap().path();
            let page = fs::read_to_string(&path).unwrap();
            for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                links += 1;
                let found = match link.strip_prefix('#') {
                    Some(id) => page.contains(&format!(" id=\"{id}\"")),
                    None => link.starts_with("http") || folder.path().join(link).exists(),
                };
                assert!(found, "{link} in {}", path.display());
            }
            for moves in page.split("data-moves=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                for board in moves.split(&[' ', '('][..]).filter_map(|part| Some(part.split_once(')')?.0)) {
                    clicks += 1;
                    let tile = format!("data-board=\"({board})\"");
                    assert!(page.contains(&tile), "{moves} cannot be clicked in {}", path.display());
                }
            }
            assert!(!page.contains("src="), "{} needs another file", path.display());
        }
        assert!(links > 1_000 && clicks > 1_000, "{links} {clicks}");
    }

    /// The lessons in their order, and the rest behind them.
    #[test]
    fn each_page_leads_to_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let puzzles = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles");
        let paths = [&*puzzles.join("course"), &puzzles.join("first-steps")];
        export(&paths, folder.path(), &["--unverified"]);
        let page = |id: &str| fs::read_to_string(folder.path().join(format!("{id}.html"))).unwrap();
        let (mut at, mut lessons, mut ids) = ("mate-on-one-board".to_owned(), Vec::new(), BTreeSet::new());
        loop {
            assert!(ids.insert(at.clone()), "{at} comes twice");
            let text = page(&at);
            if let Some((_, rest)) = text.split_once("<p class=\"lesson\">Lesson ") {
                assert_eq!(lessons.len() + 1, ids.len(), "{at} comes after puzzles that are no lessons");
                lessons.push(rest.split(':').next().unwrap().parse::<u32>().unwrap());
            }
            assert!(
                text.find("class=\"theme\"")
                    .is_none_or(|themes| themes > text.find("<details id=\"solution\"").unwrap())
            );
            let Some((_, next)) = text.split_once("<p class=\"next\"><a href=\"") else { break };
            at = next.split_once(".html\"").unwrap().0.to_owned();
        }
        assert!(lessons.is_sorted() && lessons.len() > 20, "{lessons:?}");
        assert_eq!(ids.len() + 1, fs::read_dir(folder.path()).unwrap().count(), "a page is not reached");
    }

    /// The command that composed it names castling.
    #[test]
    fn the_source_comes_after_the_solution_and_unmoved_pieces_before() {
        let path = "puzzles/two-actions/rook-bishop-in-2-ff2b9a50.yaml";
        let yaml = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let page = pages::page(&load(path, &yaml)[0]).unwrap().html(None);
        let (before, after) = page.split_once("<details id=\"solution\"").expect("a solution");
        assert!(
            before.contains("Not moved yet: White&#39;s Ra5, Kd5") && before.contains("difficulty 4 of 5")
        );
        assert!(!before.contains("castling") && after.contains("--theme castling"), "{before}");
    }

    #[test]
    fn text_of_a_puzzle_is_no_markup() {
        let yaml = "schema: worldlines/puzzle-1\nid: a\ntitle: \"<script>alert('1')</script>\"\npoint: \"</p><b>\"\n\
                    source: { from: \"<i>\", url: \"javascript:alert(1)\" }\nstart:\n  size: 3x3\n  fen: [\"[k2/3/1KQ:0:1:w]\"]\ngoal: { status: ongoing }\n";
        let documents = load("a.yaml", yaml.as_bytes());
        let page = pages::page(&documents[0]).unwrap().html(None);
        assert!(page.contains("&lt;script&gt;alert(&#39;1&#39;)"), "{page}");
        assert!(!page.contains("<script>alert") && !page.contains("<b>") && !page.contains("<i>"));
        assert!(!page.contains("href=\"javascript"));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_and_the_others_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let broken = folder.path().join("broken.yaml");
        fs::write(&broken, "id: x\n").unwrap();
        let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles/first-steps/scholars-mate.yaml");
        let site = folder.path().join("site");
        let (exit, said) = export(&[&broken, &good], &site, &[]);
        assert!(exit == Exit::Findings && said.starts_with("1 puzzle "), "{said}");
        assert!(site.join("scholars-mate.html").exists() && site.join("index.html").exists());
    }

    /// Fiction is not published by accident.
    #[test]
    fn a_puzzle_that_fails_has_no_page() {
        let folder = tempfile::tempdir().unwrap();
        let text = include_str!("../../puzzles/first-steps/scholars-mate.yaml");
        let write = |name: &str, from: &str, to: &str| {
            let text = text.replace("\nid: scholars-mate\n", &format!("\nid: {name}\n"));
            let path = folder.path().join(format!("{name}.yaml"));
            fs::write(&path, text.replace(from, to)).unwrap();
            path
        };
        let good = write("good", "", "");
        let no_mate = write("no-mate", "goal: { mate-in: 1 }", "goal: { mate-in: 2 }");
        let site = folder.path().join("site");
        let (exit, said) = export(&[&good, &no_mate], &site, &[]);
        assert!(exit == Exit::Findings && said.starts_with("1 puzzle "), "{said}");
        assert!(site.join("good.html").exists() && !site.join("no-mate.html").exists());
        let (exit, said) = export(&[&good, &no_mate], &site, &["--unverified"]);
        assert!(exit == Exit::Ok && said.starts_with("2 puzzles "), "{said}");
        let (exit, said) = export(&[&good], &site, &["--budget", "1"]);
        assert!(exit == Exit::Undecided && said.starts_with("1 puzzle "), "{said}");
    }
}
