//! The report of `worldlines diff`: as text, JSON, and for CI servers.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io::Write;

use serde::{Serialize, Serializer};

use super::super::ci::{Case, Ended, Note, Place};
use super::super::exit::Failure;
use super::super::json::{Head, PositionName};
use super::super::oracle::Verdict;
use super::boards;
use worldlines::notation::pgn5d::action_text;
use worldlines::notation::printable;
use worldlines::oracle::{Class, Difference};
use worldlines::state::Position;
use worldlines::types::{Action, counted};

/// The most actions of a difference that are printed.
const SHOWN: usize = 8;

pub const SCHEMA: &str = "worldlines/diff-1";

/// The differences between an implementation and these rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    pub head: Head<Settings>,
    /// Files that cannot be read.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub errors: Vec<Unread>,
    pub games: Vec<Compared>,
    pub summary: Summary,
}

/// The settings on which the answers depend, besides the games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Settings {
    /// The version of worldlines.
    pub version: &'static str,
    /// The implementation that was asked; `null` if recorded figures were compared.
    pub oracle: Option<String>,
    /// The rules that give the expected figures, if they are not those of the games.
    pub rules: Option<String>,
    /// The number of known differences in all files of --known.
    pub known: usize,
    pub end: bool,
    pub cap: u64,
    pub tries: usize,
    /// The seconds of `--time`.
    pub time: f64,
    pub shrink: u64,
}

/// A file that cannot be read, with the reason.
pub struct Unread {
    pub file: String,
    pub why: String,
}

impl Serialize for Unread {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.why.serialize(serializer)
    }
}

/// A game, with its first position in which the oracle differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compared {
    /// Its number among all games that were read, from 1.
    pub index: usize,
    /// The file of the game and, if that holds several, the number of the game.
    pub game: String,
    /// The number of positions in which something could be compared.
    pub positions: u64,
    /// The number of positions about which the oracle could not be asked.
    pub not_asked: u64,
    /// The reasons for that.
    pub reasons: Vec<NotAsked>,
    /// Whether there is a difference, and whether it is known.
    pub result: Verdict,
    /// The reason for a known difference.
    pub known: Option<String>,
    pub difference: Option<Found>,
    /// The file, and the line of the game in it.
    #[serde(skip)]
    pub place: (String, Option<usize>),
}

/// A reason why an oracle could not be asked about positions of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NotAsked {
    why: String,
    /// The number of these positions.
    count: u64,
    /// The first of them.
    first: PositionName,
}

/// The numbers of games, positions and differences.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    games: u64,
    positions: u64,
    not_asked: u64,
    differences: u64,
    /// The number of differences that are known.
    known: u64,
    /// The number of games that were known to have a difference, and have none.
    surprises: u64,
    /// The number of differences of each class.
    classes: BTreeMap<&'static str, u64>,
    /// The reasons why positions could not be asked about, with their number and the place of the first one.
    #[serde(skip)]
    reasons: BTreeMap<String, (u64, String)>,
}

/// A position in which the oracle differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Found {
    #[serde(flatten)]
    pub name: PositionName,
    /// The class of the first difference.
    #[cfg_attr(test, schemars(with = "String"))]
    pub class: &'static str,
    /// The differences, the most informative first.
    pub differences: Vec<Shown>,
    /// A position with the same difference: that of the game, or a smaller one.
    pub boards: Vec<String>,
    /// The action that is played there, if the difference is about one.
    pub action: Option<String>,
    /// The difference in that position.
    pub smallest: Shown,
    /// Whether it was made smaller.
    pub shrunk: bool,
    /// A command that reproduces the difference.
    pub reproduce: String,
    /// The position with its true figures, as a case for a file of figures.
    pub corpus_case: String,
}

/// A difference.
#[derive(PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Shown {
    #[cfg_attr(test, schemars(with = "String"))]
    class: &'static str,
    /// The feature that differs.
    #[cfg_attr(test, schemars(with = "String"))]
    about: &'static str,
    expected: String,
    found: String,
    /// The number of legal actions that the oracle misses.
    missing_count: usize,
    /// The first legal actions that it misses.
    missing: Vec<String>,
    /// The number of illegal actions that it takes for legal.
    extra_count: usize,
    /// The first illegal actions that it takes for legal.
    extra: Vec<String>,
}

impl Shown {
    pub fn new(position: &Position, difference: &Difference) -> Shown {
        let texts = |actions: &[Action]| {
            actions.iter().take(SHOWN).map(|action| action_text(position, action)).collect()
        };
        Shown {
            class: difference.class.name(),
            about: difference.about.name(),
            expected: difference.expected.clone(),
            found: difference.found.clone(),
            missing_count: difference.missing.len(),
            missing: texts(&difference.missing),
            extra_count: difference.extra.len(),
            extra: texts(&difference.extra),
        }
    }

    /// The difference on one line, without boards and lists.
    fn on_a_line(&self) -> String {
        let Shown { about, expected, found, .. } = self;
        if expected.starts_with('[') {
            format!("{about}: other boards")
        } else {
            format!("{about}: expected {expected}, but found {found}")
        }
    }

    fn write(&self, oracle: &str, out: &mut String) -> fmt::Result {
        let Shown { class, about, expected, found, .. } = self;
        match boards::side_by_side(expected, found, oracle) {
            Some(drawing) => write!(out, "  {class}, {about}:\n{drawing}")?,
            None => {
                let (expected, found) = (printable(expected), printable(found));
                writeln!(out, "  {class}, {about}: expected {expected}; {oracle}: {found}")?;
            }
        }
        for (sign, (one, many), count, actions) in [
            (
                '-',
                ("legal action is missing", "legal actions are missing"),
                self.missing_count,
                &self.missing,
            ),
            ('+', ("action is not legal", "actions are not legal"), self.extra_count, &self.extra),
        ] {
            if count > 0 {
                writeln!(out, "    {count} {}:", if count == 1 { one } else { many })?;
                for action in actions {
                    writeln!(out, "    {sign} {action}")?;
                }
                if count > actions.len() {
                    writeln!(out, "    {sign} …")?;
                }
            }
        }
        Ok(())
    }
}

impl Compared {
    /// Notes that the oracle could not be asked about a position.
    pub fn add_reason(&mut self, position: PositionName, why: &str) {
        match self.reasons.iter_mut().find(|reason| reason.why == why) {
            Some(reason) => reason.count += 1,
            None => self.reasons.push(NotAsked { why: why.to_owned(), count: 1, first: position }),
        }
    }

    /// The result as text, printed as soon as it is known.
    pub fn text(&self, oracle: &str, with_case: bool) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(oracle, with_case, &mut text);
        text
    }

    fn write(&self, oracle: &str, with_case: bool, out: &mut String) -> fmt::Result {
        let (game, why) = (printable(&self.game), self.known.as_deref().map(printable).unwrap_or_default());
        match (&self.difference, self.result) {
            (Some(found), Verdict::Known) => {
                writeln!(out, "known {}: {game} at {}: {why}", found.class, found.name.at)
            }
            (Some(found), _) => {
                writeln!(out, "{game} at {}: {}", found.name.at, found.class)?;
                found.write(&printable(oracle), with_case, out)?;
                out.push('\n');
                Ok(())
            }
            (None, Verdict::Surprise) => {
                writeln!(out, "SURPRISE: {game}: no difference, but one is known: {why}")
            }
            (None, _) => Ok(()),
        }
    }

    fn case(&self, suite: &str, oracle: &str, with_case: bool) -> Case {
        let ended = match self.result {
            Verdict::NotAsked => Ended::Error,
            result => result.ended(),
        };
        let (code, message) = match (&self.difference, self.result) {
            (_, Verdict::Surprise) => ("surprise", "no difference, but one is known".to_owned()),
            (Some(Found { name, class, differences, .. }), _) => (
                *class,
                differences
                    .first()
                    .map(|first| format!("at {}: {}", name.at, first.on_a_line()))
                    .unwrap_or_default(),
            ),
            (None, _) => {
                let why = self.reasons.first().map(|reason| format!(": {}", printable(&reason.why)));
                ("not-asked", format!("nothing could be compared{}", why.unwrap_or_default()))
            }
        };
        let (file, line) = self.place.clone();
        let place = line.map(|line| Place { file: file.clone(), line, column: None });
        let is_told = ended != Ended::Passed;
        let note = is_told.then(|| Note { place, ..Note::error(code, message) });
        let text = self.text(oracle, with_case);
        Case {
            suite: suite.into(),
            name: self.game.clone(),
            file,
            ended,
            notes: note.into_iter().collect(),
            text,
        }
    }
}

impl Found {
    fn write(&self, oracle: &str, with_case: bool, out: &mut String) -> fmt::Result {
        for difference in &self.differences {
            difference.write(oracle, out)?;
        }
        if self.shrunk {
            writeln!(out, "  smallest position, {}:", counted(self.boards.len(), "board"))?;
        } else {
            writeln!(out, "  the position:")?;
        }
        for board in &self.boards {
            writeln!(out, "    {board}")?;
        }
        if let Some(action) = &self.action {
            writeln!(out, "  and then {action}")?;
        }
        // In a smaller position, other actions may be missing or too many.
        let is_told = self.differences.first() == Some(&self.smallest);
        if self.shrunk && !is_told {
            self.smallest.write(oracle, out)?;
        }
        writeln!(out, "  again: {}", self.reproduce)?;
        if with_case {
            writeln!(out, "  case for a file of figures:\n{}", self.corpus_case.trim_end())?;
        }
        Ok(())
    }
}

impl Report {
    /// The games for CI servers, and the files that cannot be read.
    pub fn cases(&self, with_case: bool) -> Vec<Case> {
        let suite = self.head.run.oracle.as_deref().unwrap_or("recorded figures");
        let oracle = self.head.run.oracle.as_deref().unwrap_or("worldlines");
        let unread = self.errors.iter().map(|Unread { file, why }| Case {
            suite: suite.to_owned(),
            name: file.clone(),
            file: file.clone(),
            ended: Ended::Error,
            notes: vec![Note::error("unreadable", why)],
            text: why.clone(),
        });
        let games = self.games.iter().map(|game| game.case(suite, oracle, with_case));
        unread.chain(games).collect()
    }
}

impl Summary {
    pub fn of(games: &[Compared]) -> Summary {
        let classes = Class::ALL.iter().map(|class| (class.name(), 0)).collect();
        let mut summary = Summary { classes, ..Summary::default() };
        for game in games {
            summary.games += 1;
            summary.positions += game.positions;
            summary.not_asked += game.not_asked;
            summary.known += u64::from(game.result == Verdict::Known);
            summary.surprises += u64::from(game.result == Verdict::Surprise);
            for NotAsked { why, count, first } in &game.reasons {
                let place = || (0, format!("{} at {}", game.game, first.at));
                summary.reasons.entry(why.clone()).or_insert_with(place).0 += count;
            }
            if let Some(found) = &game.difference {
                summary.differences += 1;
                *summary.classes.entry(found.class).or_default() += 1;
            }
        }
        summary
    }

    pub fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Summary { games, positions, not_asked, differences, known, surprises, .. } = *self;
        let by_class = self.classes.iter().filter(|(_, count)| **count > 0);
        let by_class: Vec<String> = by_class.map(|(class, count)| format!("{class}: {count}")).collect();
        let classes = if by_class.is_empty() { String::new() } else { format!(" ({})", by_class.join(", ")) };
        writeln!(
            out,
            "{}, {} compared, {}{classes}",
            counted(games, "game"),
            counted(positions, "position"),
            counted(differences, "difference"),
        )?;
        if known + surprises > 0 {
            writeln!(out, "{known} known, {}", counted(surprises, "surprise"))?;
        }
        if not_asked > 0 {
            writeln!(out, "{} could not be asked about:", counted(not_asked, "position"))?;
        }
        for (why, (count, first)) in &self.reasons {
            writeln!(out, "  {count}: {}; first {}", printable(why), printable(first))?;
        }
        Ok(())
    }
}
