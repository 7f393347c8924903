//! Writes entries as text.

use std::fmt::Write;

use super::table::LIFESTONE;
use super::{A_FILE, Change, Entry, Manner, Move, SLIMES, Transfer, Unit};
use crate::types::Square;

/// Appends the canonical form of an entry to a text; the error is the reason why there is none.
pub(super) fn entry(text: &mut String, entry: &Entry) -> Result<(), &'static str> {
    if let Some(automatic) = &entry.automatic {
        if automatic.manner == Manner::Move {
            return Err("an automatic capture must capture something");
        }
        transfer_text(text, automatic)?;
        text.push(';');
    }
    // Writing to a string cannot fail, here and below.
    match &entry.main {
        Move::Transfer(transfer) => transfer_text(text, transfer)?,
        Move::Swap(active, other) => {
            if [active, other].iter().any(|transfer| transfer.manner != Manner::Move) {
                return Err("a swap captures nothing");
            }
            if !active.slimes.is_empty() {
                return Err("a swap captures no giantslime");
            }
            transfer_text(text, active)?;
            text.push(',');
            transfer_text(text, other)?;
        }
        Move::Spell { unit, origin, spell, to } => {
            let _ = write!(text, "{unit}{origin}{}{to}", spell.sign());
        }
        Move::Freeze { unit, origin, squares } => {
            if squares.is_empty() {
                return Err("a unit that freezes others names their squares");
            }
            let _ = write!(text, "{unit}{origin}#");
            squares_text(text, squares);
        }
        Move::Recover { level, origin, unit, to } => {
            let Some(unit) = unit else {
                return Err("the proposal has no code for a pawn that is recovered");
            };
            let lifestone = Unit { code: LIFESTONE, level: *level };
            let _ = write!(text, "{lifestone}{origin}-{unit}{to}");
        }
    }
    Ok(())
}

fn transfer_text(text: &mut String, transfer: &Transfer) -> Result<(), &'static str> {
    let Transfer { unit, origin, manner, to, change, frozen, slimes } = transfer;
    match (unit, manner) {
        (Some(unit), _) => {
            let _ = write!(text, "{unit}");
        }
        (None, Manner::Move) => {}
        (None, _) if origin.file.is_none() => return Err("a pawn that captures is written with its file"),
        (None, Manner::Capture | Manner::Suicide) if *origin == A_FILE => {
            return Err(
                "a pawn of the a-file that captures is written with its rank, since `ax` is the axeman",
            );
        }
        (None, _) => {}
    }
    let _ = write!(text, "{origin}{}{to}", manner.sign());
    if let Some(Change { enemy, into }) = change {
        let Some(into) = into else { return Err("the proposal has no code for a pawn after `=`") };
        let _ = write!(text, "{}={into}", if *enemy { "!" } else { "" });
    }
    text.push_str(if *frozen { "#" } else { "" });
    if !slimes.is_empty() {
        text.push_str(SLIMES);
        squares_text(text, slimes);
    }
    Ok(())
}

fn squares_text(text: &mut String, squares: &[Square]) {
    for (index, square) in squares.iter().enumerate() {
        let _ = write!(text, "{}{square}", if index == 0 { "" } else { "," });
    }
}
