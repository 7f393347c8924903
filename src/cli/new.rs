//! `worldlines new`: makes puzzle files.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::command::Command;
use super::compose::theme;
use super::exit::{Exit, Failure};
use super::files::{self, STDIN, shown};
use super::input::{GameFile, Limits};
use super::output::{Format, print_json};
use super::proof::shortest_mate;
use super::source::Source;
use super::terminal::say;
use worldlines::compose::{quoted, rules_text, start_text};
use worldlines::notation::{Game, printable};
use worldlines::puzzle::{
    self, FixError, MAX_ID, MAX_MATE_IN, Options, Spanned, Wanted, announced_mate, capturable_royal, load,
    repair,
};
use worldlines::search::Prover;

/// Make a puzzle file from a position, from a game at some position, or from a drawing of boards
///
/// Solutions, tries, replies and duals are filled in and proved. If the claim is false, nothing is written.
/// Without a claim a header `[Puzzle "mate-in-N"]` makes it, or else the shortest mate is looked for.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines new my-game.5dpgn --at 8w my-puzzle.yaml
  worldlines new position.5dfen --mate 2 --title 'Two rooks' two-rooks.yaml
  worldlines new --to-move black board.txt --survive 1 escape.yaml
  worldlines new position.5dfen --helpmate 2 both-help.yaml

A drawing is what `worldlines show` prints, or a board of letters, White's in capitals, with `.` for an empty square:

  . . k .
  . . . .
  R . . .
  K . . .

Exit codes: 0 the file is written, 1 the claim is not true, nothing mates or loses, or a king can be captured at once, 2 the input cannot be read or the file is there
already, 3 undecided.")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile,
    /// The puzzle file to write. Its name without the extension is the id; `-` prints the file instead
    #[arg(value_name = "PUZZLE")]
    puzzle: PathBuf,
    #[command(flatten)]
    claim: Claim,
    /// The title [default: the claim in words]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The idea of the puzzle and why it works, in a sentence or two to be read after it is solved
    #[arg(long, value_name = "TEXT")]
    point: Option<String>,
    /// A hint for the solver; up to three, of which the first says little
    #[arg(long = "hint", value_name = "TEXT")]
    hints: Vec<String>,
    /// Source of the position [default: the name of the file]
    #[arg(long, value_name = "TEXT")]
    from_where: Option<String>,
    /// Author of the puzzle
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// Themes between commas; `puzzles/themes.toml` lists them
    #[arg(long, value_name = "THEMES", value_delimiter = ',', value_parser = theme)]
    themes: Vec<String>,
    /// The most search steps for all proofs of the puzzle together [default: 1000000]
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,
    #[command(flatten)]
    limits: Limits,
}

/// The claim of the puzzle.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Claim {
    /// The player to move mates in N actions
    #[arg(long, value_name = "N", value_parser = number())]
    mate: Option<u32>,
    /// The player to move cannot mate in N actions
    #[arg(long, value_name = "N", value_parser = number())]
    no_mate: Option<u32>,
    /// The player to move can avoid mate in N
    #[arg(long, value_name = "N", value_parser = number())]
    survive: Option<u32>,
    /// Only one action avoids mate in N
    #[arg(long, value_name = "N", value_parser = number())]
    only_defence: Option<u32>,
    /// Both players play for it: the player to move begins, and is mated by the opponent's N-th action
    #[arg(long, value_name = "N", value_parser = number())]
    helpmate: Option<u32>,
    /// The player to move forces the opponent to mate him with the N-th reply
    #[arg(long, value_name = "N", value_parser = number())]
    selfmate: Option<u32>,
    /// The status of the game as it is: checkmate, stalemate, softmate or ongoing
    #[arg(long)]
    status: bool,
}

fn number() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(MAX_MATE_IN))
}

pub const SCHEMA: &str = "worldlines/new-1";

/// The puzzle that was made, or the reason why none was.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// The id of the puzzle.
    puzzle: String,
    /// The file that was written.
    file: Option<String>,
    /// The goal, as the file has it.
    goal: Option<String>,
    /// The goal in words.
    claim: Option<String>,
    /// The lines of its solutions.
    solutions: Vec<Vec<String>>,
    /// A part that is missing because the budget did not suffice.
    lacking: Option<&'static str>,
    /// Objections that the author may want to know at once.
    objections: Vec<String>,
    /// The reason why there is no puzzle.
    refused: Option<String>,
    /// The text of the puzzle, if it is not written to a file.
    text: Option<String>,
}

/// The options that help where a limit was reached.
const MORE: &str = "--budget, --evidence-budget, --memory and --time allow more";

/// The objection to a defence that anything is. Others are notes: a puzzle with them has something to find.
const NO_THREAT: &str = "no-threat";

/// The longest mate that is looked for if no claim is given.
const LONGEST: u32 = 3;

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let prints = self.puzzle == Path::new(STDIN);
        let id = if prints { "my-puzzle".to_owned() } else { id(&self.puzzle)? };
        if !prints && self.puzzle.exists() {
            let why = format_args!("{} is there already; name a new file", shown(&self.puzzle));
            return Err(Failure::new(why));
        }
        let mut made = Report { schema: SCHEMA, puzzle: id, ..Report::default() };
        let exit = make(self, &mut made)?;
        if self.input.format == Format::Json {
            print_json(out, &made)?;
            return Ok(exit);
        }
        if let Some(lacking) = made.lacking {
            say(&format!("note: {lacking}; --budget allows more"));
        }
        for objection in &made.objections {
            say(&format!("note: {}", printable(objection)));
        }
        if let Some(refused) = &made.refused {
            let head = if exit == Exit::Undecided { "undecided" } else { "nothing is written" };
            writeln!(out, "{head}: {}", printable(refused))?;
        } else if let (true, Some(text)) = (prints, &made.text) {
            out.write_all(text.as_bytes())?;
        } else {
            let name = shown(&self.puzzle);
            writeln!(out, "wrote {name}: {}", made.claim.as_deref().unwrap_or_default())?;
            for line in &made.solutions {
                writeln!(out, "  {}", printable(&line.join(" / ")))?;
            }
            let next = match (&self.title, &self.point) {
                (Some(_), Some(_)) => "now",
                (Some(_), None) => "now give it a point, then",
                (None, Some(_)) => "now give it a title, then",
                (None, None) => "now give it a title and a point, then",
            };
            writeln!(out, "{next}: worldlines verify {name}, worldlines lint {name}")?;
        }
        Ok(exit)
    }

    fn format(&self) -> Format {
        self.input.format
    }

    fn source(&mut self) -> Option<&mut Source> {
        Some(&mut self.input.source)
    }
}

/// Makes the text, and writes it unless it is to be printed.
fn make(arguments: &Arguments, made: &mut Report) -> Result<Exit, Failure> {
    let game = game(arguments)?;
    if let Some(why) = capturable_royal(&game.end()) {
        let other = !game.end().to_move();
        let hint = format!("perhaps {} is to move (in a drawing: --to-move {other})", other.name());
        made.refused = Some(format!("{why}; {hint}"));
        return Ok(Exit::Findings);
    }
    let steps = arguments.budget.unwrap_or(puzzle::DEFAULT_NODES);
    let clock = arguments.limits.time.start();
    let stop = Some(clock.stop());
    let prover = Prover::new(arguments.limits.budget(steps)).stopping_on(stop);
    let claim = match claim(arguments, &game, prover) {
        Ok(claim) => claim,
        Err((exit, why)) => {
            made.refused = Some(why);
            return Ok(exit);
        }
    };
    let draft = draft(arguments, &made.puzzle, &game, &claim);
    (made.goal, made.claim) = (Some(claim.goal), Some(claim.words));
    let (text, lacking) = match fill(&draft, arguments.limits.options(Some(steps), stop)) {
        Ok(filled) => filled,
        Err(FixError::Undecided(what)) => {
            made.refused = Some(format!("the limits are too narrow to {what}; {MORE}"));
            return Ok(Exit::Undecided);
        }
        Err(why) => {
            made.refused = Some(why.to_string());
            return Ok(Exit::Findings);
        }
    };
    let text = puzzle::format(&text).unwrap_or(text);
    made.lacking = lacking;
    let document = load("puzzle.yaml", text.as_bytes()).pop();
    if let Some(document) = &document {
        let options = arguments.limits.options(Some(steps), stop);
        let objections = puzzle::glance(document, options).objections;
        if let Some(objection) = objections.iter().find(|objection| objection.code == NO_THREAT) {
            made.refused = Some(objection.message.clone());
            return Ok(Exit::Findings);
        }
        made.objections = objections.into_iter().map(|objection| objection.message).collect();
    }
    if let Some(Ok(puzzle)) = document.as_ref().map(|document| &document.puzzle) {
        let line = |line: &Spanned<Vec<Spanned<String>>>| -> Vec<String> {
            line.value.iter().map(|action| action.value.clone()).collect()
        };
        made.solutions = puzzle.solutions.iter().map(line).collect();
    }
    if arguments.puzzle == Path::new(STDIN) {
        made.text = Some(text);
        return Ok(Exit::Ok);
    }
    files::create(&arguments.puzzle, &text)?;
    made.file = Some(files::name(&arguments.puzzle));
    Ok(Exit::Ok)
}

/// The id of the puzzle in a file of this name.
fn id(path: &Path) -> Result<String, Failure> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let is_yaml = path.extension().is_some_and(|extension| extension == "yaml");
    if is_yaml && stem.len() <= MAX_ID && stem.split('-').all(is_part) {
        return Ok(stem);
    }
    let lacks_ending = path.extension().is_none() && stem.split('-').all(is_part);
    let hint = if lacks_ending { format!("; did you mean {}.yaml?", shown(path)) } else { String::new() };
    Err(Failure::new(format_args!(
        "a puzzle is named by its file, in small letters, digits and single hyphens, such as two-rooks.yaml, but here it is {}{hint}",
        shown(path)
    )))
}

fn game(arguments: &Arguments) -> Result<Game, Failure> {
    let input = arguments.input.read(false)?;
    input.refuse_errors()?;
    let game = input.game();
    // The mate of a header is one at the end of the game.
    let headers = if arguments.input.is_end() { game.headers.clone() } else { Vec::new() };
    Ok(Game { headers, ..Game::new(game.start.clone(), game.actions.clone()) })
}

/// The claim as the file has it, and in words.
struct Made {
    goal: String,
    words: String,
    /// Whether a table of wrong actions and their replies is useful.
    has_tries: bool,
}

/// The reason why there is no claim, and how the command ends.
type Unclaimed = (Exit, String);

/// The claim of the arguments, or else the shortest mate.
fn claim(arguments: &Arguments, game: &Game, mut prover: Prover<'_>) -> Result<Made, Unclaimed> {
    let end = game.end();
    let player = end.to_move().name();
    let opponent = (!end.to_move()).name();
    let made = |goal: String, words: String, has_tries| Ok(Made { goal, words, has_tries });
    let Claim { mate, no_mate, survive, only_defence, helpmate, selfmate, status } = &arguments.claim;
    if let Some(n) = no_mate {
        return made(format!("no-mate-in: {n}"), format!("{player} has no mate in {n}"), true);
    } else if let Some(n) = survive {
        return made(format!("survive: {n}"), format!("{player} avoids mate in {n}"), true);
    } else if let Some(n) = only_defence {
        return made(
            format!("only-defence: {n}"),
            format!("{player} has one defence against mate in {n}"),
            true,
        );
    } else if let Some(n) = helpmate {
        let words = format!("helpmate in {n}: {player} begins, and {opponent} mates");
        return made(format!("helpmate-in: {n}"), words, false);
    } else if let Some(n) = selfmate {
        let words = format!("selfmate in {n}: {player} makes {opponent} mate");
        return made(format!("selfmate-in: {n}"), words, false);
    } else if *status {
        let status = match end.outcome_within(prover.limit()) {
            Ok(outcome) => outcome.status.to_string(),
            Err(_) => {
                return Err((Exit::Undecided, format!("how the game stands was not found out; {MORE}")));
            }
        };
        return made(format!("status: {status}"), format!("{player} to move: {status}"), false);
    }
    let n = match mate.or_else(|| announced_mate(game)) {
        Some(n) => n,
        None => match shortest_mate(&mut prover, &end, LONGEST) {
            Ok(Some(shortest)) => shortest,
            Ok(None) => {
                let why = format!("{player} has no mate in {LONGEST} or fewer; --mate N looks further");
                return Err((Exit::Findings, why));
            }
            Err(because) => {
                let why = format!(
                    "whether {player} has a mate in {LONGEST} or fewer was not found out ({because}); {MORE}. --mate N asks for one mate, \
                     --survive N and --only-defence N for a defence"
                );
                return Err((Exit::Undecided, why));
            }
        },
    };
    made(format!("mate-in: {n}"), format!("{player} mates in {n}"), false)
}

/// The comment that tells editors the schema of puzzles, if a file `schema.json` of it lies beside the puzzle or in one of the three
/// folders above.
fn schema_line(puzzle: &Path) -> Option<String> {
    let parent = puzzle.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = parent.canonicalize().ok()?;
    let folders = folder.ancestors().take(4).enumerate();
    let mut schemas = folders.map(|(above, folder)| (above, folder.join("schema.json")));
    let (above, _) = schemas.find(|(_, path)| {
        files::text(path, MAX_SCHEMA).is_ok_and(|text| text.contains("\"worldlines/puzzle-1\""))
    })?;
    Some(format!("# yaml-language-server: $schema={}schema.json\n", "../".repeat(above)))
}

/// The most bytes of a schema that is looked into.
const MAX_SCHEMA: u64 = 1 << 20;

/// The text of the file before its tables are filled.
fn draft(arguments: &Arguments, id: &str, game: &Game, claim: &Made) -> String {
    let mut text = schema_line(&arguments.puzzle).unwrap_or_default();
    text.push_str("schema: worldlines/puzzle-1\n");
    let file = Path::new(arguments.input.source.name());
    let from = arguments.from_where.clone().unwrap_or_else(|| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name == STDIN || name.is_empty() {
            "a position".to_owned()
        } else {
            format!("a position of {name}")
        }
    });
    let title = arguments.title.clone().unwrap_or_else(|| claim.words.clone());
    let author = arguments.author.as_ref();
    let author = author.map_or(String::new(), |author| format!(", author: {}", quoted(author)));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "id: {id}\ntitle: {}", quoted(&title));
    if let Some(point) = &arguments.point {
        let _ = writeln!(text, "point: {}", quoted(point));
    }
    let _ = writeln!(text, "source: {{ from: {}{author} }}", quoted(&from));
    if !arguments.hints.is_empty() {
        let hints: Vec<String> = arguments.hints.iter().map(|hint| quoted(hint)).collect();
        let _ = writeln!(text, "hints: [{}]", hints.join(", "));
    }
    if !arguments.themes.is_empty() {
        let _ = writeln!(text, "themes: [{}]", arguments.themes.join(", "));
    }
    text += &start_text(game);
    text += &rules_text(game.start.profile());
    let _ = writeln!(text, "goal: {{ {} }}", claim.goal);
    if claim.has_tries {
        let _ = writeln!(text, "tries: {{ scope: plausible, rows: {{}} }}");
    }
    if let Some(nodes) = arguments.budget {
        let _ = writeln!(text, "budget: {{ nodes: {nodes} }}");
    }
    text
}

/// The text in canonical form with all parts for which the budget suffices, and the part that is missing.
fn fill(draft: &str, options: Options<'_>) -> Result<(String, Option<&'static str>), FixError> {
    let (text, lacking) = filled(draft, options)?;
    let text = puzzle::format(&text).map_err(|why| FixError::Text(why.to_string()))?;
    Ok((text, lacking))
}

fn filled(draft: &str, options: Options<'_>) -> Result<(String, Option<&'static str>), FixError> {
    let document = || load("puzzle.yaml", draft.as_bytes()).pop();
    let Some(document) = document() else {
        return Err(FixError::Text("the text holds no puzzle".to_owned()));
    };
    let wishes = [
        (Wanted { tables: true, duals: true, ..Wanted::default() }, None),
        (
            Wanted { duals: true, ..Wanted::default() },
            Some("the budget is too small for a reply to every wrong action, so the tables are incomplete"),
        ),
        (
            Wanted::default(),
            Some("the budget is too small for the duals and for a reply to every wrong action"),
        ),
    ];
    let mut open = FixError::Undecided("fill the tables");
    let mut partly = None;
    for (wanted, lacking) in wishes {
        match repair(&document, options, wanted) {
            // With fewer tables the rest may be complete.
            Ok(Some(fixed)) if !fixed.open.is_empty() => partly = Some(fixed.text),
            Ok(fixed) => return Ok((fixed.map_or_else(|| draft.to_owned(), |fixed| fixed.text), lacking)),
            // With fewer tables the budget may suffice.
            Err(why @ (FixError::Undecided(_) | FixError::Text(_))) => open = why,
            Err(why) => return Err(why),
        }
    }
    partly.map(|text| (text, Some("the budget is too small for all solutions and tables"))).ok_or(open)
}

#[cfg(test)]
mod tests {
    use super::super::command::arguments_of;
    use super::*;

    #[test]
    fn a_puzzle_names_the_schema_that_lies_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/schema.json");
        std::fs::copy(schema, folder.path().join("schema.json")).unwrap();
        let deeper = folder.path().join("a/b");
        std::fs::create_dir_all(&deeper).unwrap();
        let made = |puzzle: &Path| {
            let game = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/cli/rook-tactics-4.5dpgn");
            let mut arguments: Arguments = arguments_of(["new", game, puzzle.to_str().unwrap()]).unwrap();
            arguments.input.source.open().map_err(|failure| failure.shown).unwrap();
            arguments.run(&mut Vec::new()).map_err(|failure| failure.shown).unwrap();
            std::fs::read_to_string(puzzle).unwrap().lines().next().unwrap().to_owned()
        };
        assert_eq!(made(&folder.path().join("one.yaml")), "# yaml-language-server: $schema=schema.json");
        assert_eq!(made(&deeper.join("two.yaml")), "# yaml-language-server: $schema=../../schema.json");
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::write(elsewhere.path().join("schema.json"), "{}").unwrap();
        assert_eq!(made(&elsewhere.path().join("three.yaml")), "schema: worldlines/puzzle-1");
    }
}
