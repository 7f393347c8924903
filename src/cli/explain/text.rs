//! The report of `explain` for people.

use std::io::{self, Write};

use super::{Asked, Failed, Key, LeftOut, Met, Report, STALEMATE, Told};
use crate::cli::json::Spent;
use worldlines::search::Cut;

pub(super) fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if let (Some(spent), None) = (&report.undecided, report.holds) {
        writeln!(out, "\nundecided: {spent}")?;
    }
    match report.asks {
        Asked::Mate => mate(report, out)?,
        Asked::NoMate => no_mate(report, out)?,
        Asked::Helpmate => helpmate(report, out)?,
        Asked::Selfmate => selfmate(report, out)?,
        Asked::Survive | Asked::OnlyDefence => defence(report, out)?,
    }
    untold(report, out)
}

fn mate(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (solver, opponent) = (report.players.solver, report.players.opponent);
    match (report.shortest, report.holds) {
        (Some(shortest), Some(true)) => writeln!(out, "\n{solver} mates in {shortest}.")?,
        (Some(shortest), _) => writeln!(out, "\n{solver} mates in {shortest}: the claim is not true")?,
        (None, Some(_)) => {
            return writeln!(out, "\n{solver} has no mate in {}: the claim is not true", report.n);
        }
        (None, None) if report.keys.items.is_empty() => return Ok(()),
        (None, None) => writeln!(out, "\n{solver} mates in {} or sooner.", report.n)?,
    }
    for entry in &report.keys.items {
        key(entry, out)?;
        match entry.is_zugzwang {
            Some(true) => {
                writeln!(out, "  Zugzwang: if {opponent} could pass, there would be no mate in time.")?;
            }
            Some(false) => writeln!(out, "  Threat: {}", several(&entry.threats))?,
            None => {}
        }
        variations(&entry.variations, "  ", out)?;
    }
    cut(&report.keys, "", "keys", out)?;
    why(report, "Why it is mate", out)?;
    set_play(report, out)?;
    tries(report, out)
}

/// A key in words.
fn key(Key { action, gives_check, others, .. }: &Key, out: &mut dyn Write) -> io::Result<()> {
    let check = if *gives_check { "check" } else { "no check" };
    let more = match others {
        0 => String::new(),
        others => format!("; {others} more actions differ only where it does not matter"),
    };
    writeln!(out, "\nKey: {action} ({check}{more})")
}

/// The defences below a key, each with its answers; what follows an answer stands below it.
fn variations(told: &Told<Met>, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    for met in &told.items {
        let mate = if met.mates_in == 1 { "mates".to_owned() } else { format!("mates in {}", met.mates_in) };
        let dual = if met.answers.items.len() > 1 { "   (dual)" } else { "" };
        let unconfirmed = if met.confirmed == Some(false) { "   (search only)" } else { "" };
        writeln!(out, "{indent}{}: {} {mate}{dual}{unconfirmed}", met.action, several(&met.answers))?;
        for then in &met.then {
            if met.then.len() > 1 {
                writeln!(out, "{indent}  {}", then.answer)?;
            }
            variations(&then.variations, &format!("{indent}    "), out)?;
        }
    }
    cut(told, indent, "defences", out)
}

/// Actions as alternatives.
fn several(told: &Told<String>) -> String {
    let more = match told.cut {
        Some(Cut::More(more)) => format!(" (and {more} more)"),
        Some(Cut::Undecided(_)) => " (and perhaps others)".to_owned(),
        None => String::new(),
    };
    told.items.join(", or ") + &more
}

/// Says that a list is cut, if it is.
fn cut<T>(told: &Told<T>, indent: &str, what: &str, out: &mut dyn Write) -> io::Result<()> {
    match told.cut {
        None => Ok(()),
        Some(Cut::More(1)) => {
            let what = what
                .strip_suffix("ies")
                .map_or_else(|| what.strip_suffix('s').unwrap_or(what).to_owned(), |stem| format!("{stem}y"));
            writeln!(out, "{indent}… and 1 more {what}")
        }
        Some(Cut::More(more)) => writeln!(out, "{indent}… and {more} more {what}"),
        Some(Cut::Undecided(_)) => writeln!(out, "{indent}… the search ended before all {what} were found"),
    }
}

/// Why it is mate, below a heading.
fn why(report: &Report, heading: &str, out: &mut dyn Write) -> io::Result<()> {
    let Some(mate) = &report.mate else { return Ok(()) };
    // The lines of a helpmate stand above.
    let after = match mate.line.is_empty() || report.asks == Asked::Helpmate {
        true => String::new(),
        false => format!(" after {}", mate.line.join(" / ")),
    };
    writeln!(out, "\n{heading}{after}:")?;
    mate.why.iter().try_for_each(|reason| writeln!(out, "  {reason}"))?;
    let is_cut = |left: &&LeftOut| left.list == super::REASONS;
    if report.left_out.iter().any(|left| is_cut(&left)) {
        writeln!(out, "  … there are more tries than are told here")?;
    }
    Ok(())
}

fn set_play(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some((met, defences)) = report.set_play_of else { return Ok(()) };
    let opponent = report.players.opponent;
    let is_open = matches!(report.set_play.cut, Some(Cut::Undecided(_)));
    match (met, is_open) {
        (0, false) => writeln!(
            out,
            "\nSet play: none; if {opponent} were to move, nothing would be met by a mate in time."
        )?,
        (_, false) => {
            writeln!(out, "\nSet play, if {opponent} were to move ({met} of {defences} actions):")?;
        }
        (_, true) => {
            writeln!(out, "\nSet play, if {opponent} were to move ({met} of the first {defences} actions):")?;
        }
    }
    for Met { action, answers, .. } in &report.set_play.items {
        writeln!(out, "  {action}: {}", several(answers))?;
    }
    cut(&report.set_play, "  ", "actions", out)
}

fn tries(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.fails.items.is_empty() {
        return match report.fails.cut {
            None => writeln!(out, "\nTries: no other check or capture, and no threat that is soon found."),
            Some(_) => writeln!(out, "\nTries: the search ended before one was found."),
        };
    }
    writeln!(out, "\nTries (checks, captures and threats), the nearest first:")?;
    for Failed { action, refutations, reply, replies, .. } in &report.fails.items {
        let number = match refutations {
            _ if reply == STALEMATE => "leaves ".to_owned(),
            Some(1) => "only ".to_owned(),
            Some(many) => format!("{many} replies, best "),
            None => "best reply known ".to_owned(),
        };
        let others: Vec<&String> = replies.items.iter().filter(|other| *other != reply).collect();
        let also = match (others.len(), replies.cut) {
            (1..=3, None) => {
                format!(", also {}", others.iter().map(|other| other.as_str()).collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        };
        writeln!(out, "  {action}: {number}{reply}{also}")?;
    }
    cut(&report.fails, "  ", "tries", out)
}

fn no_mate(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let solver = report.players.solver;
    match report.holds {
        None => Ok(()),
        Some(true) => {
            writeln!(out, "\n{solver} has no mate in {}.", report.n)?;
            tries(report, out)
        }
        Some(false) => {
            let n = report.shortest.unwrap_or(report.n);
            let with = report.keys.items.first().map(|key| format!(" with {}", key.action));
            writeln!(out, "\n{solver} mates in {n}{}: the claim is not true", with.unwrap_or_default())
        }
    }
}

fn helpmate(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (solver, opponent) = (report.players.solver, report.players.opponent);
    let Some(shortest) = report.shortest else {
        let n = report.n;
        return match report.holds {
            None => Ok(()),
            Some(_) => {
                writeln!(out, "\n{solver} cannot be mated in {n}, however both help: the claim is not true")
            }
        };
    };
    let more = match report.lines.cut {
        Some(Cut::More(more)) => more,
        Some(Cut::Undecided(_)) | None => 0,
    };
    let number = match (report.lines.items.len() as u64 + more, report.lines.cut) {
        (1, None) => "one line".to_owned(),
        (many, Some(Cut::Undecided(_))) => format!("{many} lines or more"),
        (many, _) => format!("{many} lines"),
    };
    writeln!(out, "\nHelpmate in {shortest}: {solver} begins, {opponent} mates; {number}.")?;
    report.lines.items.iter().try_for_each(|line| writeln!(out, "  {}", line.join(" / ")))?;
    cut(&report.lines, "  ", "lines", out)?;
    let is_alone = more == 0 && report.lines.items.len() == 1;
    why(report, if is_alone { "Why it ends in mate" } else { "Why the first of them ends in mate" }, out)?;
    match report.set_play.items.first() {
        Some(Met { action, answers, .. }) => {
            let line = [std::slice::from_ref(action), &answers.items].concat().join(" / ");
            let more = if report.set_play.cut.is_some() { " (and perhaps others)" } else { "" };
            writeln!(out, "\nSet play, if {opponent} began: {line}{more}")
        }
        None if report.set_play_of.is_some() && report.set_play.cut.is_none() => {
            writeln!(out, "\nSet play: none, if {opponent} began.")
        }
        None => Ok(()),
    }
}

fn selfmate(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (solver, opponent) = (report.players.solver, report.players.opponent);
    let Some(shortest) = report.shortest else {
        return match report.holds {
            None => Ok(()),
            Some(_) => writeln!(out, "\n{solver} has no selfmate in {}: the claim is not true", report.n),
        };
    };
    writeln!(out, "\n{solver} makes {opponent} mate in {shortest}.")?;
    for entry in &report.keys.items {
        key(entry, out)?;
        for Met { action, mates_in, answers, .. } in &entry.variations.items {
            match answers.items.first() {
                None => writeln!(out, "  {action} mates")?,
                Some(answer) => writeln!(out, "  {action}: {answer} forces it in {mates_in}")?,
            }
        }
        cut(&entry.variations, "  ", "replies", out)?;
    }
    cut(&report.keys, "", "keys", out)?;
    why(report, "Why it is mate", out)?;
    failing(report, out)
}

fn defence(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (solver, opponent) = (report.players.solver, report.players.opponent);
    let Some((surviving, all)) = report.survive_of else { return Ok(()) };
    let n = report.n;
    writeln!(
        out,
        "\n{solver} has to survive: {surviving} of {all} actions leave {opponent} no mate in {n}."
    )?;
    report.survives.items.iter().try_for_each(|action| writeln!(out, "  survives: {action}"))?;
    cut(&report.survives, "  ", "survive", out)?;
    if report.holds == Some(false) {
        writeln!(out, "  The claim is not true.")?;
    }
    failing(report, out)
}

/// The actions that fail, each with what is played against it.
fn failing(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nWhat fails:")?;
    for Failed { action, reply, mates_in, .. } in &report.fails.items {
        let mates = mates_in.map(|n| format!(" mates in {n}")).unwrap_or_default();
        writeln!(out, "  {action}: {reply}{mates}")?;
    }
    match report.fails.cut {
        None => Ok(()),
        Some(_) => writeln!(out, "  …"),
    }
}

/// The reason why lists are not complete, once for all lists that the search left open.
fn untold(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let open: Vec<(&str, &Spent)> = report
        .left_out
        .iter()
        .filter_map(|left| Some((left.list.as_str(), left.undecided.as_ref()?)))
        .collect();
    let Some((_, spent)) = open.first() else { return Ok(()) };
    let lists: Vec<&str> = open.iter().map(|(list, _)| *list).collect();
    writeln!(out, "\nNot told in full: {} ({spent})", lists.join(", "))
}
