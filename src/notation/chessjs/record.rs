//! The parts of a text, before anyone has asked what they mean.

use crate::notation::common::Header;
use crate::notation::common::boards::Block;
use crate::notation::common::{Issue, MoveText};
use crate::types::Color;

/// A game as it is written. Every part knows its place in the text, so nothing is lost.
#[derive(Clone, Debug)]
pub struct Record<'t> {
    /// The text that everything here points into.
    pub text: &'t str,
    /// The tags, in order, wherever they stand.
    pub tags: Vec<Header>,
    /// The start boards, in order.
    pub boards: Vec<Block<'t>>,
    /// The moves, in order.
    pub moves: Vec<MoveText>,
}

impl Record<'_> {
    /// The moves of each action: those that follow each other with the same number and colour.
    pub fn actions(&self) -> impl Iterator<Item = &[MoveText]> {
        self.moves.chunk_by(|a, b| action_of(a) == action_of(b))
    }

    /// The tags whose name or value has a character that the README does not list: letters, digits, `_`, `-` and `.`
    /// in names, also `/`, `*` and blanks in values.
    ///
    /// The README itself recommends values with commas and `?`, and 5d-chess-js 0.3.6 drops such tags in silence.
    pub fn tags_outside_the_readme(&self) -> Vec<Issue> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let wide = |byte: u8| plain(byte) || matches!(byte, b'/' | b'*' | b' ');
        let outside = |tag: &&Header| {
            !tag.key.of(self.text).bytes().all(plain) || !tag.value.of(self.text).bytes().all(wide)
        };
        let issue = |tag: &Header| {
            let message =
                "the header has a character that 5d-chess-js leaves out, as its README does not allow it";
            Issue::new("tag-characters", tag.span, message)
        };
        self.tags.iter().filter(outside).map(issue).collect()
    }
}

/// The number and the player of the action to which a move belongs.
pub(super) fn action_of(text: &MoveText) -> Option<(u32, Color)> {
    text.number.map(|number| (number.value, number.color))
}
