//! The words and variations beside the actions of a game. Begin at [`Note`].

use std::collections::BTreeMap;

use super::result::GameResult;
use crate::types::Action;

/// The notes of a line, by the number of actions before them: 0 is the start, 1 stands after the first action.
pub type Notes = BTreeMap<usize, Note>;

/// The remarks about a position of a game, and the lines that leave the game there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Judgements of the action before, by the numbers of PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub glyphs: Vec<u8>,
    /// Comments, without their braces. They may hold commands of PGN, such as `[%csl Re4]`.
    pub comments: Vec<String>,
    /// Lines instead of the one that goes on from here.
    pub variations: Vec<Variation>,
}

/// A line that leaves a game, or another variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// The actions, in order, all of them legal; at least one.
    pub actions: Vec<Action>,
    /// The notes of this line, counted from its own start.
    pub notes: Notes,
    /// The result at its end, if the text gives one.
    pub result: Option<GameResult>,
}

impl Note {
    /// A note with this comment only.
    pub fn comment(text: impl Into<String>) -> Note {
        Note { comments: vec![text.into()], ..Note::default() }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.glyphs.is_empty() && self.comments.is_empty() && self.variations.is_empty()
    }
}

impl Variation {
    /// A line of these actions, without notes.
    pub fn new(actions: Vec<Action>) -> Variation {
        Variation { actions, ..Variation::default() }
    }
}

/// The marks for the first judgements: number 1 is the first.
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The mark of a judgement, as `!?`, if it has one.
pub fn glyph_mark(number: u8) -> Option<&'static str> {
    MARKS.get(usize::from(number).checked_sub(1)?).copied()
}

/// The number of the judgement with this mark.
pub(crate) fn glyph_of(mark: &str) -> Option<u8> {
    MARKS.iter().position(|known| *known == mark).and_then(|index| u8::try_from(index + 1).ok())
}

/// The words of a comment as it is written, in braces or after `;`. Lines end with `\n`, however the file ends them.
pub(crate) fn comment_of(written: &str) -> Option<String> {
    let in_braces = written.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let words = in_braces.or_else(|| written.strip_prefix(';').map(|text| text.trim_end_matches('\r')))?;
    Some(words.replace("\r\n", "\n").replace('\r', "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_have_marks_up_to_six() {
        assert!((0..=u8::MAX).filter(|&number| glyph_mark(number).is_some()).eq(1..=6));
        assert!((1..=6).all(|number| glyph_mark(number).and_then(glyph_of) == Some(number)));
        assert_eq!(glyph_of("!!!"), None);
    }
}
