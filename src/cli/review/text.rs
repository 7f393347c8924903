//! The review as text.

use std::io::Write;

use super::super::exit::Failure;
use super::super::terminal::drawing;
use super::{Arguments, Reviewed};
use worldlines::notation::printable;
use worldlines::render::{Frame, text as draw};
use worldlines::review::{Finding, Grade, Mate, short_text};
use worldlines::state::Position;
use worldlines::types::{Action, Color};

/// The part of the multiverse that is drawn with a finding.
const SMALL: Frame = Frame { width: 72, timelines: 3 };

pub fn print(reviewed: &Reviewed, arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Reviewed { name, game, positions, review } = reviewed;
    writeln!(out, "{}: {}", printable(name), printable(&reviewed.heading()))?;
    for (index, findings) in review.findings.iter().enumerate() {
        for finding in findings.iter().filter(|finding| arguments.verbose || is_told(finding)) {
            let (at, played) = (reviewed.at(index).at, reviewed.short_text(index));
            writeln!(out, "\n{at}  {played}  {}", reviewed.sentence(index, finding))?;
            for (what, line) in [
                ("better", finding.better().map(|line| (&positions[index], line))),
                ("then", finding.punishment().map(|line| (&positions[index + 1], line))),
            ] {
                if let Some((from, line)) = line.filter(|(_, line)| line.len() > 1) {
                    writeln!(out, "    {what}: {}", shown_line(from, line))?;
                }
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
    let players = Color::ALL.into_iter();
    let players = players.filter(|&color| arguments.player.is_none_or(|player| player.color() == color));
    for player in players {
        let told = SUMMED.iter().filter_map(|(kinds, one, many)| {
            let count = review.count(game, player, |finding| *kinds == finding.kind());
            (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
        });
        let told: Vec<String> = told.collect();
        let told = if told.is_empty() { "nothing to say".to_owned() } else { told.join(", ") };
        writeln!(out, "{}: {told}", player.name())?;
    }
    if !arguments.verbose && review.findings.iter().flatten().any(|finding| finding.kind() == "inaccuracy") {
        writeln!(out, "--verbose tells inaccuracies too")?;
    }
    writeln!(out, "mates in at most {} were looked for; --longest looks further", arguments.longest)?;
    if !review.open.is_empty() {
        let places: Vec<String> = review.open.iter().map(|&index| reviewed.at(index).at).collect();
        writeln!(
            out,
            "a limit left the mates open before {} action{}: {}; --budget allows more",
            places.len(),
            if places.len() == 1 { "" } else { "s" },
            shortened(&places)
        )?;
    }
    Ok(())
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
        Finding::Forced | Finding::KeptMate { .. } | Finding::Worse { grade: Grade::Inaccuracy | Grade::Mistake, .. }
    )
}
