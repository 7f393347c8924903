//! Verifies every shipped puzzle, and the one in the guide: `cargo test --test puzzles`.
//! Set `BLESS=1` to write the tables of `variants/README.md` and `records.md`.

mod floors;
mod page;
mod records;
mod scores;
mod variants;
mod yaml;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use walkdir::WalkDir;
use worldlines::puzzle::{
    Answer, CERTIFICATES, Document, File, Goal, Options, format, load, refuse_repeated_ids, verify,
};
use worldlines::search::{Budget, Prover};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut documents = Vec::new();
    let mut trials = Vec::new();
    let shipped = files();
    for (path, text) in shipped.clone() {
        for mut document in load(&path, text.as_bytes()) {
            let path = document.certificate_path();
            let certificate = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).ok();
            document.certificate = certificate.map(|text| Arc::new(File::new(path, text.as_bytes())));
            documents.push(document);
        }
        trials
            .push(Trial::test(format!("{path}: another parser agrees"), move || yaml::another_parser(&text)));
    }
    let guides = ["spec/commands.md", "puzzles/README.md", "spec/puzzle-files.md"];
    for (name, text) in guides.into_iter().flat_map(examples) {
        // An example that shows a shipped puzzle is verified with it.
        if !shipped.iter().any(|(_, shipped)| *shipped == text) {
            documents.extend(load(&name, text.as_bytes()));
        }
    }
    trials.push(Trial::test("every file is in canonical form", canonical));
    refuse_repeated_ids(&mut documents);
    let documents: Vec<Arc<Document>> = documents.into_iter().map(Arc::new).collect();
    let is_shipped = |document: &&Arc<Document>| document.file.path.ends_with(".yaml");
    let library: Vec<Arc<Document>> = documents.iter().filter(is_shipped).cloned().collect();
    type Page = (&'static str, fn(&[Arc<Document>]) -> Result<(), Failed>);
    let pages: [Page; 3] = [
        ("the page of variants tells what is proved", variants::page_tells_them),
        ("the page of records tells what is there", records::page_tells_them),
        ("the scores are as recorded", scores::are_recorded),
    ];
    for (name, tells) in pages {
        let library = library.clone();
        trials.push(Trial::test(name, move || tells(&library)));
    }
    // Lessons are chosen for what they teach, and the starts of variants are as they are.
    let is_composed = |document: &Arc<Document>| {
        !["puzzles/course/", "puzzles/variants/"].iter().any(|folder| document.file.path.starts_with(folder))
    };
    let composed: Vec<Arc<Document>> = library.into_iter().filter(is_composed).collect();
    trials.push(Trial::test("the library keeps its floors", move || floors::hold(&composed)));
    for document in documents {
        let name = format!("{}: {}", document.file.path, document.id);
        trials.push(Trial::test(name, move || holds(&document)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Refuses files that `worldlines fmt` would change.
fn canonical() -> Result<(), Failed> {
    let is_other = |text: &str| format(text).map_or(true, |formatted| formatted != text);
    let others: Vec<String> =
        files().into_iter().filter(|(_, text)| is_other(text)).map(|(name, _)| name).collect();
    match others.is_empty() {
        true => Ok(()),
        false => Err(format!("`cargo run -- fmt` has not seen {}", others.join(", ")).into()),
    }
}

/// The puzzle files, by name, with paths from the root of the repository.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let walk = WalkDir::new(root.join("puzzles")).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.file_name() != CERTIFICATES) {
        let path = entry.expect("a readable folder").into_path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            files.push((name.replace('\\', "/"), text));
        }
    }
    files
}

/// The blocks of a guide that are whole puzzles.
fn examples(path: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
    let text = text.unwrap_or_else(|error| panic!("{path}: {error}")).replace("\r\n", "\n");
    let blocks = text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let whole: Vec<_> = blocks.filter(|block| block.contains("\nid: ")).collect();
    assert!(!whole.is_empty(), "{path} shows no puzzle");
    whole.into_iter().map(|block| (path.to_owned(), block.to_owned())).collect()
}

/// Everything that a puzzle says is true, and a budget that is too small never makes it false.
fn holds(document: &Document) -> Result<(), Failed> {
    for nodes in [Some(1), Some(10), Some(100), Some(1_000), None] {
        let report = verify(document, Options { max_steps: nodes, ..Options::default() });
        let expected = if nodes.is_none() { Answer::Pass } else { report.answer().min(Answer::Undecided) };
        if report.answer() != expected {
            return Err(format!("{}\n{}", report.steps_text(), report.findings_text()).into());
        }
    }
    leaving_out_changes_nothing(document)
}

/// A search that from the second defence on leaves out what an answer to another one answers finds the same keys.
fn leaving_out_changes_nothing(document: &Document) -> Result<(), Failed> {
    let puzzle = document.puzzle.as_ref().expect("it was verified");
    let Goal::MateIn(mate_in) = &puzzle.goal.value else { return Ok(()) };
    let position = document.game().map_err(|_| "the start was verified")?.end();
    let usual = Prover::new(Budget::default()).solve(&position, mate_in.value, true);
    let other = Prover::new(Budget::default()).with_ordered_defences(1).solve(&position, mate_in.value, true);
    if usual.complete && other.complete && usual.keys != other.keys {
        return Err(format!("{:?} and {:?}", usual.keys, other.keys).into());
    }
    Ok(())
}
