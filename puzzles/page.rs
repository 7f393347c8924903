//! Pages with tables that are made from the puzzles: compared in every run, written with `BLESS=1`.

use std::fs;
use std::path::Path;

use libtest_mimic::Failed;

/// Compares the part of a page between `<!-- NAME -->` and `<!-- end of NAME -->` with a table, or writes it with `BLESS=1`.
pub fn tells(page: &str, name: &str, table: &str) -> Result<(), Failed> {
    let marks = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = fs::read_to_string(&path)?.replace("\r\n", "\n");
    let parts =
        text.split_once(&marks.0).and_then(|(before, rest)| Some((before, rest.split_once(&marks.1)?)));
    let (before, (now, after)) = parts.ok_or_else(|| format!("{page} has no marks for {name}"))?;
    if now == table {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        return Ok(fs::write(&path, [before, &marks.0, table, &marks.1, after].concat())?);
    }
    let difference = similar::TextDiff::from_lines(now, table);
    Err(format!("{}\nwrite it with .ci/bless", difference.unified_diff().header("page", "now")).into())
}
