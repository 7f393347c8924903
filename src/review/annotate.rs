//! The findings of a review in words, and as notes of the game.

use super::finding::{Finding, Grade};
use super::look::Mate;
use super::whole::{Review, positions};
use crate::engine::Score;
use crate::notation::pgn5d::action_text;
use crate::notation::{Game, Note, Variation};
use crate::state::Position;
use crate::types::{Action, Color};

/// The most actions of a line that the engine prefers.
const SHOWN_ACTIONS: usize = 4;
/// The most moves of an action that a sentence names, if there are more.
const SHOWN_MOVES: usize = 3;

impl Finding {
    /// A sentence about an action in the position before it, without the full stop.
    pub fn sentence(&self, position: &Position, action: &Action) -> String {
        let mut played = position.clone();
        played.play_unchecked(action);
        let mover = position.to_move();
        match self {
            Finding::Forced => "the only legal action".to_owned(),
            Finding::KeptMate { mate_in: 1 } => "mates".to_owned(),
            Finding::KeptMate { mate_in } => format!("mates in {mate_in}"),
            Finding::SlowerMate { mate, played } => {
                let (soonest, mate_in) = (short_text(position, &mate.line[0]), mate.mate_in);
                format!("mates in {played}; {soonest} mates in {mate_in}")
            }
            Finding::MissedMate { mate, refutation } => {
                let key = short_text(position, &mate.line[0]);
                let mate_in = mate.mate_in;
                match refutation {
                    Some(reply) => {
                        format!(
                            "misses mate in {mate_in} by {key}; now {} avoids it",
                            short_text(&played, reply)
                        )
                    }
                    None => format!("misses mate in {mate_in} by {key}"),
                }
            }
            Finding::AllowedMate { mate, defence, is_only } => {
                let (mating, defence) = (short_text(&played, &mate.line[0]), short_text(position, defence));
                let which = if *is_only { "only " } else { "" };
                format!("allows mate in {} by {mating}; {which}{defence} avoids it", mate.mate_in)
            }
            Finding::OnlyDefence { mate_in } => format!("the only defence against mate in {mate_in}"),
            Finding::Worse { grade, played, preferred, better } => {
                let [played, preferred] = [*played, *preferred].map(|score| score_for_white(score, mover));
                let better = better.first().map(|better| short_text(position, better));
                format!("{}: {played}; {} has {preferred}", grade.name(), better.unwrap_or_default())
            }
        }
    }

    /// The judgement of the action, by its number in PGN.
    fn glyph(&self) -> Option<u8> {
        match self {
            Finding::OnlyDefence { .. } => Some(1),
            Finding::MissedMate { .. } | Finding::Worse { grade: Grade::Mistake, .. } => Some(2),
            Finding::AllowedMate { .. } | Finding::Worse { grade: Grade::Blunder, .. } => Some(4),
            Finding::SlowerMate { .. } | Finding::Worse { grade: Grade::Inaccuracy, .. } => Some(6),
            Finding::Forced => Some(7),
            Finding::KeptMate { .. } => None,
        }
    }

    /// The line that would have been better, in the position before the action.
    pub fn better(&self) -> Option<&[Action]> {
        match self {
            Finding::MissedMate { mate, .. } | Finding::SlowerMate { mate, .. } => Some(&mate.line),
            Finding::AllowedMate { defence, .. } => Some(std::slice::from_ref(defence)),
            Finding::Worse { better, .. } => Some(&better[..better.len().min(SHOWN_ACTIONS)]),
            _ => None,
        }
    }

    /// The line of the opponent that punishes the action, in the position after it.
    pub fn punishment(&self) -> Option<&[Action]> {
        match self {
            Finding::AllowedMate { mate, .. } => Some(&mate.line),
            _ => None,
        }
    }
}

/// An action in a sentence: of a long one the first moves and how many there are.
pub fn short_text(position: &Position, action: &Action) -> String {
    let moves = action.moves();
    if moves.len() <= SHOWN_MOVES + 1 {
        return action_text(position, action);
    }
    let text = action_text(position, &Action::new(moves[..SHOWN_MOVES].to_vec()));
    format!("{text} … ({} moves)", moves.len())
}

/// A score for White in pawns, as `+1.25`, or `#-3` for a mate of Black in 3.
pub fn score_for_white(score: Score, player: Color) -> String {
    let sign = if player == Color::White { 1 } else { -1 };
    match score {
        Score::Pawns(0) => "0.00".to_owned(),
        Score::Pawns(hundredths) => format!("{:+.2}", f64::from(hundredths) / 100.0 * f64::from(sign)),
        Score::Mate(actions) => format!("#{}", actions.saturating_mul(sign)),
    }
}

/// The game with the findings of its review as notes: judgements, comments, and the better lines as variations. Its own notes
/// stay.
pub fn annotated(game: &Game, review: &Review) -> Game {
    let mut annotated = game.clone();
    let positions = positions(game);
    for (index, findings) in review.findings.iter().enumerate() {
        for finding in findings {
            let words = finding.sentence(&positions[index], &game.actions[index]);
            let note = annotated.notes.entry(index + 1).or_default();
            note.glyphs.extend(finding.glyph());
            if *finding != Finding::Forced {
                note.comments.push(words);
            }
            add(note, finding.punishment());
            add(annotated.notes.entry(index).or_default(), finding.better());
        }
    }
    if let Some(Mate { mate_in, line }) = review.looks.last().and_then(|look| look.mate.as_ref()) {
        let end = annotated.notes.entry(game.actions.len()).or_default();
        let mover = positions[game.actions.len()].to_move().name();
        end.comments.push(format!("{mover} has mate in {mate_in}"));
        add(end, Some(line));
    }
    annotated.notes.retain(|_, note: &mut Note| !note.is_empty());
    annotated
}

/// Adds a line to a note, unless it is there: the mate that an action allows is often the one that is missed next.
fn add(note: &mut Note, line: Option<&[Action]>) {
    let is_new =
        |line: &&[Action]| !line.is_empty() && note.variations.iter().all(|known| known.actions != *line);
    if let Some(line) = line.filter(is_new) {
        note.variations.push(Variation::new(line.to_vec()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_has_the_sign_of_white_and_nothing_has_none() {
        for (score, player, text) in [
            (Score::Pawns(35), Color::White, "+0.35"),
            (Score::Pawns(35), Color::Black, "-0.35"),
            (Score::Pawns(0), Color::Black, "0.00"),
            (Score::Mate(2), Color::Black, "#-2"),
        ] {
            assert_eq!(score_for_white(score, player), text);
        }
    }
}
