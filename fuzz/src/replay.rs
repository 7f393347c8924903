//! Runs inputs again, without a fuzzer.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use crate::finding::{from_hex, watched};
use crate::{TARGETS, Target};

/// The answer about an input that the target does not take. It says nothing about the code under test.
const REFUSED: &str =
    "not an input: of another kind, or larger than this target takes (fuzz/README.md, Inputs)";

/// Runs each file, each file of each folder, and each `hex:` argument. Without a given target, the folder of
/// a file names its target, as `corpus/regressions/play_undo/` and `fuzz/artifacts/play_undo/` do.
pub fn files(target: Option<&'static Target>, arguments: &[String]) -> ExitCode {
    let mut replayed = 0_u32;
    for argument in arguments {
        let inputs = match inputs(target, argument) {
            Ok(inputs) => inputs,
            Err(error) => {
                eprintln!("error: {argument}: {error}");
                return ExitCode::from(2);
            }
        };
        for (name, target, bytes) in inputs {
            // The name is printed first, so that it stands above a crash.
            print!("{name}: ");
            let _ = io::Write::flush(&mut io::stdout());
            let accepted = watched(target, &bytes).is_ok();
            println!("{}: {}", target.name, if accepted { "no bug" } else { REFUSED });
            replayed += 1;
        }
    }
    if replayed == 0 {
        eprintln!("error: nothing to replay");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

type Input = (String, &'static Target, Vec<u8>);

fn inputs(target: Option<&'static Target>, argument: &str) -> Result<Vec<Input>, String> {
    if let Some(bytes) = from_hex(argument) {
        let target = target.ok_or("a hex: argument needs the name of its target before it")?;
        return Ok(vec![("hex".into(), target, bytes)]);
    }
    let mut paths = Vec::new();
    listed(Path::new(argument), &mut paths).map_err(|error| error.to_string())?;
    // The notes beside regressions are no inputs.
    paths.retain(|path| path.extension().is_none_or(|extension| extension != "md"));
    paths.sort();
    let input = |path: PathBuf| {
        let by_folder = || path.parent()?.file_name()?.to_str().and_then(Target::by_name);
        let names = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
        let target = target
            .or_else(by_folder)
            .ok_or_else(|| format!("its folder names no target; put one before it: {}", names()))?;
        let bytes = fs::read(&path).map_err(|error| error.to_string())?;
        Ok((path.display().to_string(), target, bytes))
    };
    paths.into_iter().map(input).collect()
}

fn listed(path: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        paths.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        listed(&entry?.path(), paths)?;
    }
    Ok(())
}
