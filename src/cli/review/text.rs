//! The review as text.

use std::io::Write;

use super::super::exit::Failure;
use super::super::terminal::drawing;
use super::{Arguments, Reviewed};
use worldlines::notation::printable;
use worldlines::render::{Frame, text as draw};
use worldlines::review::{Finding, Grade, Mate, short_text};
use worldlines::state::Position;
use worldlines::types::{Action, Color, counted};

/// The part of the multiverse that is drawn with a finding.
const SMALL: Frame = Frame { width: 72, timelines: 3 };

pub fn print(reviewed: &Reviewed, arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let Reviewed { name, positions, review, .. } = reviewed;
    writeln!(out, "{}: {}", printable(name), printable(&reviewed.heading()))?;
    for (index, findings) in review.findings.iter().enumerate() {
        for finding in findings.iter().filter(|finding| arguments.verbose || is_told(finding)) {
            let (at, played) = (reviewed.at(index).at, reviewed.short_text(index));
            writeln!(out, "\n{at}  {played}  {}", reviewed.sentence(index, finding))?;
            for (what, line) in lines(reviewed, index, finding) {
                writeln!(out, "    {what}: {line}")?;
            }
            if !arguments.no_boards && is_drawn(finding) {
                let picture = drawing(&draw(&positions[index], SMALL));
                // The heading of a whole picture ends with an empty line.
                for line in picture.lines().skip_while(|line| !line.trim().is_empty()) {
                    writeln!(out, "{}", format!("    {line}").trim_end())?;
                }
            }
        }
    }
    if let (Some(Mate { mate_in, line }), Some(end)) =
        (review.looks.last().and_then(|look| look.mate.as_ref()), positions.last())
    {
        let texts = shown_line(end, line);
        writeln!(out, "\nat the end  {} has mate in {mate_in}: {texts}", end.to_move().name())?;
    }
    writeln!(out)?;
    for line in Sums::of(reviewed).told(arguments) {
        writeln!(out, "{line}")?;
    }
    if let Some(sentence) = open(reviewed) {
        writeln!(out, "{sentence}")?;
    }
    Ok(())
}

/// The sentence about the actions before which the limits left open whether there is a mate.
pub fn open(reviewed: &Reviewed) -> Option<String> {
    let places: Vec<String> = reviewed.review.open.iter().map(|&index| reviewed.at(index).at).collect();
    (!places.is_empty()).then(|| {
        let (actions, places) = (counted(places.len(), "action"), shortened(&places));
        format!("a limit left the mates open before {actions}: {places}; --budget allows more")
    })
}

/// The last lines of a review: its totals, and those of each player if there are several games.
pub fn end(games: usize, sums: &Sums, arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    if games > 1 {
        writeln!(out, "\n{games} games together")?;
        for line in sums.told(arguments) {
            writeln!(out, "{line}")?;
        }
    }
    if !arguments.verbose && sums.has("inaccuracy") {
        writeln!(out, "--verbose tells inaccuracies too")?;
    }
    writeln!(out, "{}", longest(arguments))?;
    if ["missed-mate", "slower-mate", "kept-mate"].into_iter().any(|kind| sums.has(kind)) {
        writeln!(out, "why it is mate: worldlines explain GAME --at POSITION, such as --at 3w")?;
    }
    Ok(())
}

/// The sentence about the mates that were looked for.
pub fn longest(arguments: &Arguments) -> String {
    format!("mates in at most {} were looked for; --longest looks further", arguments.longest)
}

/// The better line of a finding, and the one that punishes the action, each with its name. Lines of a single action are in the sentence.
pub fn lines(reviewed: &Reviewed, index: usize, finding: &Finding) -> Vec<(&'static str, String)> {
    let from = |index: usize| &reviewed.positions[index];
    let lines = [("better", index, finding.better()), ("then", index + 1, finding.punishment())];
    let told = lines.into_iter().filter_map(|(what, index, line)| {
        let line = line.filter(|line| line.len() > 1)?;
        Some((what, shown_line(from(index), line)))
    });
    told.collect()
}

/// The numbers of findings of each kind, by player.
#[derive(Default)]
pub struct Sums([[usize; SUMMED.len()]; 2]);

impl Sums {
    pub fn of(reviewed: &Reviewed) -> Sums {
        let Reviewed { game, review, .. } = reviewed;
        let count =
            |player| SUMMED.map(|(kind, ..)| review.count(game, player, |finding| kind == finding.kind()));
        Sums(Color::ALL.map(count))
    }

    pub fn add(&mut self, other: &Sums) {
        for (count, more) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *count += more;
        }
    }

    fn has(&self, kind: &str) -> bool {
        let counts = self.0.iter().flat_map(|counts| counts.iter().zip(SUMMED));
        counts.into_iter().any(|(count, (of, ..))| of == kind && *count > 0)
    }

    /// A line for each player who is reviewed.
    pub fn told(&self, arguments: &Arguments) -> Vec<String> {
        let players = Color::ALL.into_iter().zip(&self.0);
        let players =
            players.filter(|(color, _)| arguments.player.is_none_or(|player| player.color() == *color));
        let told = players.map(|(player, counts)| {
            let kinds = counts.iter().zip(SUMMED).filter(|(count, _)| **count > 0);
            let told = kinds
                .map(|(&count, (_, one, many))| format!("{count} {}", if count == 1 { one } else { many }));
            let told: Vec<String> = told.collect();
            let told = if told.is_empty() { "nothing to say".to_owned() } else { told.join(", ") };
            format!("{}: {told}", player.name())
        });
        told.collect()
    }
}

/// A line with its actions shortened where they are long.
fn shown_line(start: &Position, line: &[Action]) -> String {
    let mut at = start.clone();
    let text = |action: &Action| {
        let text = short_text(&at, action);
        at.play(action).expect("an action of a line is legal");
        text
    };
    line.iter().map(text).collect::<Vec<_>>().join(" / ")
}

/// The most places that are listed.
const LISTED: usize = 12;

fn shortened(places: &[String]) -> String {
    let more = if places.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", places[..places.len().min(LISTED)].join(", "))
}

/// The kinds of findings in the sums, with their names for one and for several.
const SUMMED: [(&str, &str, &str); 9] = [
    ("missed-mate", "missed mate", "missed mates"),
    ("slower-mate", "slower mate", "slower mates"),
    ("allowed-mate", "allowed mate", "allowed mates"),
    ("blunder", "blunder", "blunders"),
    ("mistake", "mistake", "mistakes"),
    ("inaccuracy", "inaccuracy", "inaccuracies"),
    ("only-defence", "only defence found", "only defences found"),
    ("kept-mate", "mate found", "mates found"),
    ("forced", "forced action", "forced actions"),
];

/// Whether a finding is told without `--verbose`.
fn is_told(finding: &Finding) -> bool {
    !matches!(finding, Finding::Forced | Finding::Worse { grade: Grade::Inaccuracy, .. })
}

/// Whether boards are drawn with a finding.
fn is_drawn(finding: &Finding) -> bool {
    !matches!(
        finding,
        Finding::Forced
            | Finding::KeptMate { .. }
            | Finding::Worse { grade: Grade::Inaccuracy | Grade::Mistake, .. }
    )
}
