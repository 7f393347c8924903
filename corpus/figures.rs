//! Recorded figures of games and positions: files of schema `worldlines/figures-1`; see `spec/figures.md`.

use std::fs;
use std::path::Path;

use libtest_mimic::{Failed, Trial};
use worldlines::oracle::record::{self, Record};
use worldlines::oracle::{Answer, Oracle, Own};

/// The search steps for one figure: far more than any of them needs.
const STEPS: u64 = 10_000_000;

/// One trial for each game of a file, and one for a file that cannot be read.
pub fn trials(path: &Path, trials: &mut Vec<Trial>) {
    let name = crate::shown(path);
    let absolute = crate::root().join(path);
    let load =
        |file: &str| fs::read(absolute.with_file_name(file)).map_err(|error| format!("{file}: {error}"));
    let text = fs::read_to_string(&absolute).map_err(|error| error.to_string());
    match text.and_then(|text| record::read(&text, load)) {
        Ok(records) => {
            for record in records {
                trials.push(Trial::test(format!("{name}: {}", record.id), move || agrees(&record)));
            }
        }
        Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
    }
}

fn agrees(record: &Record) -> Result<(), Failed> {
    let own = Own::new(None, STEPS);
    if record.positions.is_empty() {
        return Err("nothing is recorded".into());
    }
    for (place, (index, _)) in record.positions.iter().enumerate() {
        let figures = own.figures(&record.game.until(*index).end(), record.cap(place));
        let differences = record.differences(place, own.manifest(), &Answer::Figures(Box::new(figures)));
        if let Some(difference) = differences.first() {
            return Err(format!("position {index}: {difference:?}").into());
        }
    }
    Ok(())
}
