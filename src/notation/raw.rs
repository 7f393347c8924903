//! Raw coordinate moves, as an open GUI for engines writes them: one action in each line.
//!
//! ```text
//! (7,1,1,0)(6,3,1,0)
//! (7,8,1,0)(6,6,1,0)
//! (6,3,2,0)(6,5,1,0)
//! ```
//!
//! A move is two coordinates `(x,y,T,L)`: file and rank, both counted from 1, the turn that both players
//! share, and the timeline. Moves of one turn are separated by `;`. `=Q` after a move promotes, `O-O,0`
//! castles on timeline 0, and `0000` is a null move. The grammar is in `spec/notation-raw.md`.
//!
//! The notation has no header, start position or result: a game that starts elsewhere than `Standard` needs
//! its start beside the text ([`Options::start`]).
//!
//! # Relaxations
//!
//! [`write()`] prints one form of each game: moves within boards and to last boards by the timeline to which
//! they go, lowest first, then those that create timelines, in their order. These are accepted too:
//!
//! * moves in any order in which they can be made;
//! * blanks, empty lines, `;` at the end of a line, a comma before the closing parenthesis, `>` in front of a
//!   line;
//! * files and ranks counted from 0, if [`Options::zero_based`] says so, or with a warning if one of them is
//!   0;
//! * `+1` for timeline 1;
//! * a small letter after `=`; a promotion without `=Q` is one to a queen, or to the only kind that is
//!   allowed, with a warning where there is a choice;
//! * castling with zeros, for kings on the e-file, and as the king's move for every king;
//! * with a warning: `0000` beside other moves, where it means nothing. Alone it passes, which no rule
//!   allows; before the first move it is read as boards of the start, with a warning.

use crate::notation::common::Cursor;
use crate::notation::common::Head;
use crate::notation::common::Options;
use crate::notation::common::coordinates::{Base, action_text_from, elements, promotions_in, push};
use crate::notation::common::move_text::NO_PASS;
use crate::notation::common::passes::{self, Pass};
use crate::notation::common::replay::{Replay, losses_beside_actions, start_or_standard};
use crate::notation::common::{Game, Issue, ParseError, Parsed, Span, Written};
use crate::state::Position;

pub use super::common::coordinates::{Element, RawCoordinate, Shape, action_text};
pub(super) use super::common::coordinates::{sort, write_move};

/// The moves of one action as they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The span from the first move to the last.
    pub span: Span,
    /// The moves, in order.
    pub elements: Vec<Element>,
}

impl Turn {
    /// Whether the player passes.
    pub fn is_null(&self) -> bool {
        self.elements.iter().all(|element| element.shape == Shape::Null)
    }
}

/// The lines of a text, before replay, and the error that stopped reading, if any.
///
/// ```
/// use worldlines::notation::raw;
///
/// let (turns, error) = raw::turns("(1,2,1,0)(1,4,1,0);O-O,1\n0000\n");
/// assert_eq!(error, None);
/// assert_eq!((turns[0].elements.len(), turns[1].is_null()), (2, true));
/// ```
pub fn turns(text: &str) -> (Vec<Turn>, Option<ParseError>) {
    let mut turns = Vec::new();
    let mut cursor = Cursor::new(text);
    if let Err(error) = cursor.begin() {
        return (turns, Some(error));
    }
    loop {
        cursor.skip_while(|byte| byte.is_ascii_whitespace() || byte == b'>');
        if cursor.is_at_end() {
            return (turns, None);
        }
        match turn(&mut cursor) {
            Ok(turn) => turns.push(turn),
            Err(error) => return (turns, Some(error)),
        }
    }
}

/// Reads one line.
fn turn(cursor: &mut Cursor<'_>) -> Result<Turn, ParseError> {
    let start = cursor.at;
    let elements = elements(cursor)?;
    let span =
        elements.last().map_or(cursor.span_from(start), |last| Span::new(start, last.span.end as usize));
    Ok(Turn { span, elements })
}

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::raw;
///
/// let text = "(5,2,1,0)(5,4,1,0)\n(5,7,1,0)(5,5,1,0)\n";
/// assert_eq!(raw::parse(text).value.unwrap().actions.len(), 2);
/// ```
pub fn parse(text: &str) -> Parsed {
    parse_with(text, &Options::default())
}

/// Like [`parse`], with the start and the first number of files and ranks from the options.
pub(super) fn parse_with(text: &str, options: &Options) -> Parsed {
    let (turns, malformed) = turns(text);
    let promotions = promotions_in(turns.iter().flat_map(|turn| &turn.elements));
    let mut warnings = Vec::new();
    let (before, turns) = turns.split_at(turns.iter().take_while(|turn| turn.is_null()).count());
    let before: Vec<Pass> =
        before.iter().map(|turn| Pass { span: turn.span, timeline: None, turn: None }).collect();
    let start = start_or_standard(options.start.as_ref(), promotions);
    let start = match passes::after(start, &before, &mut warnings) {
        Ok(start) => start,
        Err(error) => return Parsed { warnings, ..Parsed::refused(error) },
    };
    let mut player = Replay::new(start);
    player.warnings = warnings;
    let elements = turns.iter().flat_map(|turn| &turn.elements);
    let base = Base::of(options, elements, &mut player.warnings);
    for turn in turns {
        if let Err(error) = play(&mut player, turn, base) {
            let error = player.in_action(error);
            return player.finish(Some(error));
        }
    }
    player.finish(malformed)
}

fn play(player: &mut Replay, turn: &Turn, base: Base) -> Result<(), ParseError> {
    if turn.is_null() {
        return Err(Issue::new("null-move", turn.span, NO_PASS).illegal());
    }
    for element in &turn.elements {
        if element.shape == Shape::Null {
            player.warn(
                "needless-null-move",
                element.span,
                "the null move is left out: it means nothing beside other moves",
            );
        }
        push(player, element, base)?;
    }
    player.submit(turn.span)
}

/// Whether a text with this beginning is in this notation.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let text = head.text.trim_start_matches(|c: char| c == '>' || c.is_ascii_whitespace());
    let coordinate = text.strip_prefix('(').is_some_and(|rest| {
        let digits = rest.trim_ascii_start().trim_start_matches(|c: char| c.is_ascii_digit());
        digits.len() < rest.len() && digits.trim_ascii_start().starts_with(',')
    });
    coordinate || ["O-O,", "O-O-O,", "0000"].iter().any(|word| text.starts_with(word))
}

/// The actions of a game, one in each line, and the losses.
pub fn write(game: &Game) -> Written {
    write_with(game, &Options::default())
}

/// Like [`write()`], with the first number of files and ranks from the options.
pub(super) fn write_with(game: &Game, options: &Options) -> Written {
    let base = Base::to_write(options);
    let standard = start_or_standard(None, game.start.profile().promotions);
    let passed = passes::between(&standard, &game.start);
    let mut text = "0000\n".repeat(passed.unwrap_or(0));
    let mut position = game.start.clone();
    for action in &game.actions {
        text.push_str(&action_text_from(base, &position, action));
        text.push('\n');
        position.play_unchecked(action);
    }
    let losses = match passed {
        None => losses_beside_actions(game),
        // The null moves lead to the boards of the start, under the rules of the game.
        Some(_) => {
            let mut setup = standard.to_setup();
            setup.profile = game.start.profile();
            let start = Position::from_setup(&setup).expect("the boards of a position");
            losses_beside_actions(&Game { start, ..game.clone() })
        }
    };
    Written::new(text, losses)
}
