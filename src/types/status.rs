//! The status of a game for the player to move.

use std::fmt;

/// The status of a game for the player to move (`spec/06-check-mate-stalemate.md`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// There is a legal action.
    Ongoing,
    /// In check, and every legal action moves the present to an earlier time. The game goes on.
    Softmate,
    /// In check without a legal action: the player to move has lost.
    Checkmate,
    /// Not in check without a legal action: a draw.
    Stalemate,
}

impl Status {
    /// Every status, in the order of the enum.
    pub const ALL: [Status; 4] = [Status::Ongoing, Status::Softmate, Status::Checkmate, Status::Stalemate];
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Ongoing => "ongoing",
            Status::Softmate => "softmate",
            Status::Checkmate => "checkmate",
            Status::Stalemate => "stalemate",
        })
    }
}
