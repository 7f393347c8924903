//! Functions beyond 5d-chess-js: the prover, puzzles, and every notation.

use wasm_bindgen::prelude::wasm_bindgen;
use worldlines::notation::pgn5d::board_text;
use worldlines::notation::{Format, Options, pgn5d, text_of};
use worldlines::puzzle::certificate::{self, Certificate};
use worldlines::puzzle::{self, Finding, verify as verify_puzzle};
use worldlines::search::{Analysis, Budget, Prover, Verdict};
use worldlines::state::Position;
use worldlines::types::Action;

use crate::chess::{Chess, list};
use crate::fault::{Fault, write_string};

/// The bytes of memory of a proof: a part of the four gigabytes that WebAssembly has.
pub const MEMORY: u64 = 128 << 20;

/// The notations, as a list of `{"name","title"}`.
#[wasm_bindgen]
pub fn formats() -> String {
    list(Format::all().filter(|format| *format != Format::Chess64Binary).map(|format| {
        let (name, title) = (format.name(), format.title());
        format!("{{\"name\":\"{name}\",\"title\":\"{title}\"}}")
    }))
}

/// The notation with this name.
pub fn format_of(name: &str) -> Result<Format, Fault> {
    name.parse().map_err(|_| Fault::new("unknown-format", &format!("there is no format `{name}`"), None))
}

/// A text in another notation: `{"text","from","losses","warnings"}`. Without `from` its notation is
/// detected.
#[wasm_bindgen]
pub fn convert(text: &str, from: Option<String>, to: &str) -> Result<String, Fault> {
    let from = match from {
        Some(name) => format_of(&name)?,
        None => Format::detect(text.as_bytes()).ok_or_else(|| {
            Fault::new("unknown-format", "it cannot be told which notation this is: say it", None)
        })?,
    };
    let to = format_of(to)?;
    let parsed = from.parse(text.as_bytes(), &Options::default());
    if let Some(error) = &parsed.error {
        return Err(Fault::of_text(error, text));
    }
    let (warnings, mut losses) = (parsed.warnings.clone(), parsed.losses.clone());
    let game = parsed.into_result().map_err(|error| Fault::of_text(&error, text))?;
    let written = to.write(&game).map_err(|error| Fault::new("unwritable", &error.reason, None))?;
    losses.extend(written.losses);
    let Ok(written) = text_of(&written.bytes) else {
        return Err(Fault::new("binary", "this format is not text", None));
    };
    let strings = |strings: Vec<String>| {
        list(strings.iter().map(|text| {
            let mut json = String::new();
            write_string(&mut json, text);
            json
        }))
    };
    let mut json = String::from("{\"text\":");
    write_string(&mut json, written);
    json.push_str(&format!(",\"from\":\"{}\",\"losses\":", from.name()));
    json.push_str(&strings(losses.into_iter().map(|loss| loss.what).collect()));
    json.push_str(",\"warnings\":");
    json.push_str(&strings(warnings.into_iter().map(|warning| warning.message).collect()));
    json.push('}');
    Ok(json)
}

/// Searches for a mate in `mate_in` by the player, from the beginning of the current action:
/// `{"verdict","mateIn","keys","classes","complete","line","steps"}`. `keys` has a text for each class, and `classes` says of
/// each how many actions it has and on which boards anything may be played; `line` is a mate against the longest defence.
#[wasm_bindgen]
pub fn solve(game: &Chess, mate_in: u32, all: bool, steps: f64) -> Result<String, Fault> {
    if !(1..=20).contains(&mate_in) {
        return Err(Fault::new("mate-in", "expected a mate in 1 to 20 actions", None));
    }
    let position = game.game().position();
    let mut prover = Prover::new(Budget { steps: steps as u64, memory: MEMORY, evidence: steps as u64 });
    let mut analysis = Analysis::new(&mut prover, position, mate_in);
    let solution = if all { analysis.solution().clone() } else { analysis.mate() };
    let keys: Vec<&Action> = solution.keys.iter().map(|class| class.key()).collect();
    let mut json = format!("{{\"verdict\":\"{}\",\"mateIn\":", solution.verdict);
    json.push_str(&solution.shortest.map_or("null".to_owned(), |shortest| shortest.to_string()));
    json.push_str(",\"keys\":");
    json.push_str(&list(keys.iter().map(|key| line_text(position, std::slice::from_ref(*key)))));
    json.push_str(",\"classes\":");
    json.push_str(&list(solution.keys.iter().map(|class| {
        let free = list(class.free().iter().map(|board| format!("\"{}\"", board_text(position, *board))));
        format!("{{\"size\":{},\"free\":{free}}}", class.keys().len())
    })));
    let mut line_of =
        |key: &Action, shortest| Analysis::new(&mut prover, position, shortest).line(key).ok().flatten();
    let line = match (solution.verdict, solution.shortest) {
        // Some of the keys may mate later.
        (Verdict::Proven, Some(shortest)) => {
            keys.iter().find_map(|key| line_of(key, shortest)).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    json.push_str(&format!(",\"complete\":{},\"line\":", solution.complete));
    let mut after = position.clone();
    json.push_str(&list(line.iter().map(|action| {
        let text = line_text(&after, std::slice::from_ref(action));
        let played = after.play(action);
        debug_assert!(played.is_ok(), "a line is legal");
        text
    })));
    json.push_str(&format!(",\"steps\":{}}}", solution.steps));
    Ok(json)
}

/// The certificate of a mate in `mate_in`, from the beginning of the current action: a file of `spec/certificates.md` that proves every class of
/// keys. `puzzle` is the id in it.
#[wasm_bindgen]
pub fn certificate(game: &Chess, mate_in: u32, puzzle: &str, steps: f64) -> Result<String, Fault> {
    if !(1..=20).contains(&mate_in) {
        return Err(Fault::new("mate-in", "expected a mate in 1 to 20 actions", None));
    }
    let position = game.game().position();
    let mut prover = Prover::new(Budget { steps: steps as u64, memory: MEMORY, evidence: steps as u64 });
    let mut analysis = Analysis::new(&mut prover, position, mate_in);
    let solution = analysis.solution().clone();
    let keys: Vec<Action> = solution.keys.iter().map(|class| class.key().clone()).collect();
    if solution.verdict != Verdict::Proven {
        return Err(Fault::new("no-proof", &format!("the mate is {}", solution.verdict), None));
    }
    let mut proven = Vec::new();
    for key in &keys {
        let evidence = analysis.evidence(key).map_err(Fault::from)?;
        proven.push((evidence.key.clone(), evidence.node.clone()));
    }
    let made = Certificate::of_keys(puzzle.to_owned(), position.clone(), mate_in, proven);
    certificate::write(&made).map_err(|error| Fault::new("too-large", &error.to_string(), None))
}

/// Actions as a JSON string of 5DPGN.
fn line_text(position: &Position, actions: &[Action]) -> String {
    let mut json = String::new();
    for action in actions {
        write_string(&mut json, &pgn5d::action_text(position, action));
    }
    json
}

/// The results of verifying the puzzles of a YAML text: a list of
/// `{"id","answer","steps":[{"step","answer","note"}],"findings":[{"code","message","line","column","text"}],"warnings":[…]}`, where warnings
/// have the fields of findings.
#[wasm_bindgen]
pub fn verify(yaml: &str, steps: f64, quick: bool) -> String {
    let documents = puzzle::load("puzzle.yaml", yaml.as_bytes());
    list(documents.iter().map(|document| {
        let options = puzzle::Options {
            quick,
            max_steps: Some(steps as u64),
            memory: MEMORY,
            evidence: steps as u64,
            ..puzzle::Options::default()
        };
        let report = verify_puzzle(document, options);
        let mut json = String::from("{\"id\":");
        write_string(&mut json, &document.id);
        json.push_str(&format!(",\"answer\":\"{}\",\"steps\":", report.answer()));
        json.push_str(&list(report.steps.iter().map(|(step, answer, note)| {
            let mut json = format!("{{\"step\":\"{}\",\"answer\":\"{answer}\",\"note\":", step.name());
            write_string(&mut json, note);
            json + "}"
        })));
        let found = |level: &str, findings: &[Finding]| {
            list(findings.iter().map(|finding| {
                let at = report.location(finding);
                let mut json = format!("{{\"code\":\"{}\",\"message\":", finding.code);
                write_string(&mut json, &finding.message);
                json.push_str(&format!(",\"line\":{},\"column\":{},\"text\":", at.line, at.column));
                write_string(&mut json, &document.show(level, finding));
                json + "}"
            }))
        };
        json.push_str(&format!(",\"findings\":{}", found("error", &report.findings)));
        json + &format!(",\"warnings\":{}}}", found("warning", &report.warnings))
    }))
}

/// The actions after which the opponent cannot mate in `mate_in`: `{"verdict","actions","losing"}`, from the
/// beginning of the current action. At most `most` of them are listed; `losing` counts the other actions that
/// were met.
#[wasm_bindgen]
pub fn surviving(game: &Chess, mate_in: u32, most: usize, steps: f64) -> Result<String, Fault> {
    if !(1..=20).contains(&mate_in) {
        return Err(Fault::new("mate-in", "expected a mate in 1 to 20 actions", None));
    }
    let position = game.game().position();
    let mut prover = Prover::new(Budget { steps: steps as u64, memory: MEMORY, evidence: steps as u64 });
    let found = Analysis::new(&mut prover, position, mate_in).surviving_actions(most);
    let (verdict, (actions, losing)) = match found {
        Ok(found) => ("proven", found),
        Err(_) => ("undecided", (Vec::new(), 0)),
    };
    let texts = list(actions.iter().map(|action| line_text(position, std::slice::from_ref(action))));
    Ok(format!("{{\"verdict\":\"{verdict}\",\"actions\":{texts},\"losing\":{losing}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_answer_with_json() {
        let converted = convert("1. e4 / e5", None, "chessjs").ok().unwrap();
        assert!(converted.contains("1w. 1:e2<>1:e4\\u000a1b."), "{converted}");
        assert!(convert("1. e4 / e6 2. Ke3", None, "chessjs").is_err());
        assert!(convert("what?", None, "chessjs").is_err() && convert("", None, "nothing").is_err());
        let game = Chess::read(false, "1. e3 / f6 2. Qe2 / Nc6", None).ok().unwrap();
        let solved = solve(&game, 1, true, 1e6).ok().unwrap();
        assert!(
            solved.starts_with("{\"verdict\":\"proven\",\"mateIn\":1,\"keys\":[\"(0T3)Qe2h5\"]"),
            "{solved}"
        );
        assert!(solved.contains(",\"classes\":[{\"size\":1,\"free\":[]}],"), "{solved}");
        assert!(solve(&game, 1, true, 1.0).ok().unwrap().contains("undecided"));
        assert!(solve(&game, 0, true, 1.0).is_err());
        let puzzle = include_str!("../../../puzzles/first-steps/scholars-mate.yaml");
        let verified = verify(puzzle, 1e6, false);
        assert!(
            verified.contains("\"answer\":\"pass\"") && verified.contains("\"findings\":[]"),
            "{verified}"
        );
        assert!(verify("id: x", 1e6, false).contains("\"answer\":\"fail\""));
        let lost = Chess::read(false, "1. e3 / f6 2. Qe2", None).ok().unwrap();
        let saved = surviving(&lost, 1, 3, 1e6).ok().unwrap();
        assert!(
            saved.starts_with("{\"verdict\":\"proven\",\"actions\":[\"(0T2)")
                && !saved.ends_with("\"losing\":0}"),
            "{saved}"
        );
        assert!(
            surviving(&lost, 1, 3, 1.0).ok().unwrap().contains("undecided")
                && surviving(&lost, 0, 3, 1.0).is_err()
        );
        assert!(formats().contains("5dpgn"));
    }

    #[test]
    fn a_certificate_is_accepted_by_the_checker() {
        let game = Chess::read(false, "1. e3 / f6 2. Qe2 / Nc6", None).ok().unwrap();
        let text = certificate(&game, 1, "mate-in-1", 1e6).ok().unwrap();
        let file = certificate::read(&text).unwrap();
        let keys: Vec<Action> = file.certificate.keys.iter().map(|(key, _)| key.clone()).collect();
        assert!(!keys.is_empty());
        let start = game.game().position();
        let claim = certificate::Claim {
            puzzle: "mate-in-1",
            start,
            attacker: start.to_move(),
            mate_in: 1,
            keys: Some(&keys),
        };
        let checked = file.check(claim, &worldlines::search::certificate::Looks::within(1_000_000));
        assert!(checked.findings.is_empty() && checked.keys == keys.len(), "{:?}", checked.findings);
        let other = Chess::read(false, "1. e3 / f6 2. Qe2", None).ok().unwrap();
        assert!(certificate(&other, 1, "x", 1e6).is_err() && certificate(&game, 0, "x", 1e6).is_err());
    }
}
