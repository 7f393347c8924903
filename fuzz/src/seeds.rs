//! First inputs: the content of `corpus/`, `puzzles/` and `spec/`, in the form that a target reads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use worldlines::notation::Options;
use worldlines::notation::chessjs::{raw::Raw, schema};
use worldlines::notation::{Format, Game, Parsed, ceo, pgn5d};
use worldlines::oracle::record::is_figures;
use worldlines::puzzle::load;

use crate::Target;
use crate::random::Random;

/// The name for texts of other implementations.
const ORACLES: &str = "oracles";

/// The most bytes of a seed. Longer ones would slow every run down and show little that shorter ones do not.
const MAX_BYTES: usize = 8_192;
/// The most actions of a game, for the same reason.
const MAX_ACTIONS: usize = 12;

/// The files of the repository that are good first inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Games and positions as 5DPGN. Targets whose inputs are otherwise choices read these too.
    Games,
    /// No files: pseudo-random bytes.
    Bytes,
    /// Texts of a notation: examples of the chapters and cases, and the games written in it.
    Notation(Format),
    /// Texts of all notations.
    EveryNotation,
    /// Moves of Chess Evolved Online.
    Ceo,
    /// Numbers and objects of 5d-chess-js.
    ChessJsObjects,
    /// Puzzle files, right and wrong ones.
    Puzzles,
    /// Answers of other implementations, and files of figures.
    Oracles,
}

/// Whether texts of chapters and cases may be in a notation of this name.
fn is_notation(name: &str) -> bool {
    name == "ceo" || name.parse::<Format>().is_ok()
}

impl Source {
    /// Whether a reader accepts this seed. Some seeds are wrong on purpose.
    pub fn loads(self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let reads = |format: Format| {
            matches!(format.parse(bytes, &Options::default()), Parsed { value: Some(_), error: None, .. })
        };
        match self {
            Source::Games => bytes.starts_with(b"[") && reads(Format::Pgn5d),
            Source::Bytes => !bytes.is_empty(),
            Source::Notation(format) => reads(format),
            Source::EveryNotation => Format::all().any(reads),
            Source::Ceo => ceo::parse(&text).error.is_none(),
            Source::ChessJsObjects => Raw::parse(&text).is_ok() || schema::Board::parse(&text).is_ok(),
            Source::Oracles => serde_json::from_str::<serde_json::Value>(&text).is_ok() || is_figures(&text),
            Source::Puzzles => load("seed.yaml", bytes).iter().any(|document| document.puzzle.is_ok()),
        }
    }
}

/// A first input.
pub struct Seed {
    /// Its origin, in the form of a file name.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
}

/// The content of the repository, read once.
pub struct Repository {
    /// Its folder.
    pub root: PathBuf,
    games: Vec<(String, Game)>,
    /// Texts by the name of their notation.
    texts: BTreeMap<String, Vec<(String, Vec<u8>)>>,
    puzzles: Vec<(String, Vec<u8>)>,
    /// Inputs that once showed a bug.
    regressions: Vec<(String, Vec<u8>)>,
}

impl Repository {
    /// The repository that this crate was built from.
    ///
    /// # Panics
    ///
    /// If it no longer exists.
    pub fn here() -> Repository {
        Repository::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
            .unwrap_or_else(|error| panic!("the repository cannot be read: {error}"))
    }

    fn at(root: &Path) -> io::Result<Repository> {
        let mut repository = Repository {
            root: root.to_owned(),
            games: Vec::new(),
            texts: BTreeMap::new(),
            puzzles: Vec::new(),
            regressions: Vec::new(),
        };
        for (name, bytes) in files(&root.join("corpus"))? {
            match name.rsplit_once('.') {
                Some((_, "yaml")) if name.starts_with("puzzles-") => repository.puzzles.push((name, bytes)),
                Some((stem, "yaml")) if stem.ends_with(".figures") => {
                    repository.add_text(ORACLES, name.clone(), &String::from_utf8_lossy(&bytes));
                }
                Some((_, "yaml")) => repository.add_cases(&name, &bytes),
                Some((_, "jsonl")) => {
                    for (number, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
                        let exchange: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
                        repository.add_text(
                            ORACLES,
                            format!("{name}-{number}"),
                            &exchange["answer"].to_string(),
                        );
                    }
                }
                Some((_, "input")) => repository.regressions.push((name, bytes)),
                Some((_, extension)) => {
                    let texts = repository.texts.entry(extension.to_owned()).or_default();
                    texts.push((name.clone(), bytes));
                }
                _ => {}
            }
        }
        let puzzles = files(&root.join("puzzles"))?;
        repository.puzzles.extend(puzzles.into_iter().filter(|(name, _)| name.ends_with(".yaml")));
        for (name, bytes) in files(&root.join("spec"))? {
            if name.ends_with(".md") {
                repository.add_examples(&name, &String::from_utf8_lossy(&bytes));
            }
        }
        repository.add_games();
        Ok(repository)
    }

    fn add_text(&mut self, format: &str, name: String, text: &str) {
        self.texts.entry(format.to_owned()).or_default().push((name, text.as_bytes().to_vec()));
    }

    /// The games of all texts, each once, whatever notation it is in.
    fn add_games(&mut self) {
        let mut seen = BTreeSet::new();
        for (format, texts) in &self.texts {
            let Ok(format) = format.parse::<Format>() else { continue };
            for (name, bytes) in texts {
                let Parsed { value: Some(mut game), error: None, .. } =
                    format.parse(bytes, &Options::default())
                else {
                    continue;
                };
                game.actions.truncate(MAX_ACTIONS);
                if seen.insert(pgn5d::write(&game, pgn5d::Marks::None).into_text()) {
                    self.games.push((name.clone(), game));
                }
            }
        }
    }

    /// The inputs of a case file.
    fn add_cases(&mut self, name: &str, bytes: &[u8]) {
        let file: serde_json::Value = serde_yaml::from_slice(bytes).unwrap_or_default();
        for case in file["cases"].as_array().into_iter().flatten() {
            let [id, from, input] = ["id", "from", "input"].map(|field| case[field].as_str());
            if let (Some(id), Some(from), Some(input)) = (id, from, input) {
                self.add_text(from, format!("{name}-{id}"), input);
            }
        }
    }

    /// The texts in the blocks of a chapter: `VERB NOTATION TEXT`, `game TEXT`, `position BOARDS`.
    fn add_examples(&mut self, name: &str, page: &str) {
        let mut is_block = false;
        for (number, line) in page.lines().enumerate() {
            if line.starts_with("```") {
                is_block = line == "```5d";
                continue;
            }
            let name = format!("{name}-{}", number + 1);
            let example = line.split(" -- ").next().unwrap_or_default().replace("\\n", "\n");
            let Some((verb, rest)) = example.split_once(' ').filter(|_| is_block) else { continue };
            match verb {
                "game" => self.add_text("5dpgn", name, rest),
                "position" => self.add_text("5dfen", name, rest),
                _ => {
                    // In `writes raw game TEXT` the text is in the second notation.
                    let mut words = rest.splitn(3, ' ');
                    let (first, second) =
                        (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                    let known = |word: &str| is_notation(word) || word == "game";
                    let (format, text) = match words.next() {
                        Some(text) if known(first) && known(second) => (second, text),
                        _ => (first, rest.split_once(' ').map_or("", |(_, text)| text)),
                    };
                    let format = if format == "game" { "5dpgn" } else { format };
                    if is_notation(format) && !text.is_empty() {
                        self.add_text(format, name, text);
                    }
                }
            }
        }
    }

    /// The tokens of a dictionary.
    ///
    /// # Panics
    ///
    /// If there is none of this name.
    pub fn dictionary(&self, name: &str) -> Vec<Vec<u8>> {
        let path = self.root.join("fuzz/dictionaries").join(name).with_extension("dict");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.lines().filter_map(token).collect()
    }

    fn of_notation(&self, format: Format) -> Vec<Seed> {
        let written = self.games.iter().filter_map(|(name, game)| {
            let bytes = format.write(game).ok()?.bytes;
            Some(Seed { name: format!("written-{name}"), bytes })
        });
        self.texts_named(format.name()).chain(written).collect()
    }

    /// The texts of a notation.
    fn texts_named(&self, notation: &str) -> impl Iterator<Item = Seed> {
        let texts = self.texts.get(notation).into_iter().flatten();
        texts.map(|(name, bytes)| Seed { name: name.clone(), bytes: bytes.clone() })
    }
}

/// The token of a line of a dictionary, if it has one.
pub(crate) fn token(line: &str) -> Option<Vec<u8>> {
    let mut inner = line.trim().strip_prefix('"')?.strip_suffix('"')?.bytes();
    let mut token = Vec::new();
    while let Some(byte) = inner.next() {
        if byte != b'\\' {
            token.push(byte);
            continue;
        }
        match inner.next()? {
            b'x' => {
                let digits = [inner.next()?, inner.next()?];
                token.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
            }
            byte => token.push(byte),
        }
    }
    Some(token)
}

/// The seeds of a target.
pub fn seeds(target: &Target, repository: &Repository) -> Vec<Seed> {
    let mut seeds = match target.seeds {
        Source::Bytes => {
            let mut random = Random::default();
            (0..32).map(|n| Seed { name: format!("bytes-{n}"), bytes: random.bytes(16 << (n % 6)) }).collect()
        }
        Source::Games => repository
            .games
            .iter()
            .map(|(name, game)| Seed {
                name: name.clone(),
                bytes: pgn5d::write(game, pgn5d::Marks::None).into_text().into_bytes(),
            })
            .collect(),
        Source::Notation(format) => repository.of_notation(format),
        Source::EveryNotation => Format::all()
            .flat_map(|format| {
                let seeds = repository.of_notation(format).into_iter();
                // A few of each are enough: the notations have targets of their own.
                seeds
                    .take(40)
                    .map(move |seed| Seed { name: format!("{}-{}", format.name(), seed.name), ..seed })
            })
            .collect(),
        Source::Ceo => repository.texts_named("ceo").collect(),
        Source::ChessJsObjects => repository
            .games
            .iter()
            .flat_map(|(name, game)| {
                let raw = Raw::of(game).map(|raw| ("raw", raw.write()));
                let board = schema::Board::of(game).map(|board| ("board", board.write()));
                raw.into_iter().chain(board).map(move |(kind, text)| Seed {
                    name: format!("{kind}-{name}"),
                    bytes: text.into_bytes(),
                })
            })
            .collect(),
        Source::Oracles => repository.texts_named(ORACLES).collect(),
        Source::Puzzles => repository
            .puzzles
            .iter()
            .map(|(name, bytes)| Seed { name: name.clone(), bytes: bytes.clone() })
            .collect(),
    };
    let folder = format!("regressions-{}-", target.name);
    let own = repository.regressions.iter().filter(|(name, _)| name.starts_with(&folder));
    seeds.extend(own.map(|(name, bytes)| Seed { name: name.clone(), bytes: bytes.clone() }));
    seeds.retain(|seed| seed.bytes.len() <= MAX_BYTES);
    seeds
}

/// Writes the seeds of every target into a folder of its name. Returns the names with the number of seeds.
///
/// # Errors
///
/// When a file cannot be written.
pub fn write_all(
    targets: &[Target],
    repository: &Repository,
    folder: &Path,
) -> io::Result<Vec<(&'static str, usize)>> {
    let mut counts = Vec::new();
    for target in targets {
        let of_target = folder.join(target.name);
        fs::create_dir_all(&of_target)?;
        let seeds = seeds(target, repository);
        for seed in &seeds {
            fs::write(of_target.join(&seed.name), &seed.bytes)?;
        }
        counts.push((target.name, seeds.len()));
    }
    Ok(counts)
}

/// Every file below a folder, with its path in one word.
fn files(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path)?.into_iter().map(|(inner, bytes)| (format!("{name}-{inner}"), bytes)));
        } else {
            found.push((name, fs::read(&path)?));
        }
    }
    Ok(found)
}
