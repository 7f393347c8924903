//! The game: its start, the actions played, the action under way, and the status of the player.

use std::cell::OnceCell;

use super::error::Error;
use crate::notation::chessjs::{Edition, Numbering, Untouched, usual_promotions};
use crate::notation::{Game, hash};
use crate::rules::{IllegalAction, Outcome, PartialAction};
use crate::search::after_null_action;
use crate::state::Position;
use crate::types::{Action, Color, Move, PieceKind, Promotions, RuleProfile, Status, Undecided};

/// The default budget of a verdict, in search steps. Positions of games need a few dozen.
const USUAL_STEPS: u64 = 1_000_000;

/// A game, and the moves of the action under way, which the library calls its *move buffer*.
#[derive(Clone, Debug)]
pub struct Chess {
    /// The budget of a verdict, in search steps; the library has a time in milliseconds for it.
    pub steps: u64,
    /// Whether [`Chess::moves`] lists moves after a mate too, and [`Chess::pass`] does not check for a mate.
    pub skip_detection: bool,
    pub(super) edition: Edition,
    /// The start, with headers and without actions.
    pub(super) start: Game,
    /// Whether the start is written as boards even if it has a name.
    pub(super) is_custom: bool,
    pub(super) history: Vec<Played>,
    /// The position in which the action under way began.
    pub(super) begun: Position,
    pub(super) under_way: PartialAction,
    pub(super) outcome: OnceCell<Outcome>,
}

/// The action of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Played {
    /// The moves, in the order in which they were made.
    pub moves: Vec<Move>,
    /// Whether the player passed on the boards without a move.
    pub passes: bool,
}

impl Default for Chess {
    fn default() -> Chess {
        Chess::new(Edition::default())
    }
}

impl Chess {
    /// The standard game, before its first action.
    pub fn new(edition: Edition) -> Chess {
        Chess::of_start(edition, standard(), false)
    }

    /// A game, replayed from its start.
    ///
    /// # Panics
    ///
    /// When an action of the game is not legal.
    pub fn of(edition: Edition, game: &Game) -> Chess {
        let mut chess =
            Chess::of_start(edition, Game { actions: Vec::new(), result: None, ..game.clone() }, false);
        for action in &game.actions {
            let mut under_way = PartialAction::new(chess.begun.clone());
            for m in action.moves() {
                under_way.push(*m).expect("the actions of a game can be played");
            }
            chess.under_way = under_way;
            chess.submit().expect("the actions of a game are legal");
        }
        chess
    }

    /// The promotions of this edition if the text gives none.
    pub(super) fn usual_promotions(edition: Edition, start: &Position) -> Promotions {
        match edition {
            Edition::Readme => usual_promotions(start),
            Edition::Current => usual(start),
        }
    }

    pub(super) fn of_start(edition: Edition, start: Game, is_custom: bool) -> Chess {
        let begun = start.start.clone();
        Chess {
            steps: USUAL_STEPS,
            skip_detection: false,
            edition,
            start,
            is_custom,
            history: Vec::new(),
            under_way: PartialAction::new(begun.clone()),
            begun,
            outcome: OnceCell::new(),
        }
    }

    /// The edition of the library whose numbers and texts are used.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// The player of the action under way.
    pub fn player(&self) -> Color {
        self.begun.to_move()
    }

    /// The number of the action under way, which White's and Black's action share.
    pub fn action_number(&self) -> u32 {
        self.number_of(self.history.len())
    }

    /// The number of the action with this index.
    pub(super) fn number_of(&self, index: usize) -> u32 {
        let begun = usize::from(self.start.start.to_move() == Color::Black);
        u32::try_from((index + begun) / 2 + 1).unwrap_or(u32::MAX)
    }

    /// The position in which the action under way began.
    pub fn position(&self) -> &Position {
        &self.begun
    }

    /// The position with the moves of the action under way.
    pub fn now(&self) -> &Position {
        self.under_way.position()
    }

    /// The number of actions played.
    pub fn action_count(&self) -> usize {
        self.history.len()
    }

    /// The action under way.
    pub fn under_way(&self) -> &PartialAction {
        &self.under_way
    }

    /// The game up to the action under way.
    ///
    /// # Errors
    ///
    /// When a player has passed: an [`Action`] has moves.
    pub fn game(&self) -> Result<Game, Error> {
        if self.history.iter().any(|played| played.passes) {
            return Err(Error::Pass);
        }
        let actions = self.history.iter().map(|played| Action::new(played.moves.clone())).collect();
        Ok(Game { actions, ..self.start.clone() })
    }

    /// Headers of the game, without those about its start, in their order.
    pub fn headers(&self) -> &[(String, String)] {
        &self.start.headers
    }

    /// Starts the game anew from the same position.
    pub fn reset(&mut self) {
        let Chess { steps, skip_detection, .. } = *self;
        let start = std::mem::replace(&mut self.start, standard());
        *self = Chess { steps, skip_detection, ..Chess::of_start(self.edition, start, self.is_custom) };
    }

    /// Takes back the last move of the action under way.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn undo(&mut self) -> Result<(), Error> {
        self.under_way.pop().map(drop).ok_or(Error::NothingToUndo)
    }

    /// Whether the action under way has a move.
    pub fn undoable(&self) -> bool {
        !self.under_way.moves().is_empty()
    }

    /// Ends the action under way.
    ///
    /// # Errors
    ///
    /// When it is not a legal action; then nothing changes.
    pub fn submit(&mut self) -> Result<(), Error> {
        let moves = self.under_way.moves().to_vec();
        if let Err(why) = self.under_way.submit() {
            return Err(self.why_not(why));
        }
        let now = self.under_way.position().clone();
        self.continue_with(Played { moves, passes: false }, now);
        Ok(())
    }

    /// Whether [`Chess::submit`] would end the action.
    pub fn submittable(&self) -> bool {
        self.under_way.can_submit().is_ok()
    }

    fn continue_with(&mut self, played: Played, now: Position) {
        self.history.push(played);
        self.under_way = PartialAction::new(now.clone());
        self.begun = now;
        self.outcome = OnceCell::new();
    }

    /// The error of the library for an action that cannot be submitted: it checks for mate first, then for
    /// check.
    fn why_not(&self, why: IllegalAction) -> Error {
        match self.outcome().map(|outcome| outcome.status) {
            Ok(Status::Checkmate) => Error::InCheckmate,
            Ok(Status::Stalemate) => Error::InStalemate,
            _ if self.in_check() => Error::InCheck,
            _ => Error::Unfinished(why),
        }
    }

    /// Passes on every board that must still be played, and submits.
    ///
    /// # Errors
    ///
    /// When the opponent could then capture a royal piece, or the player is mated; then nothing changes.
    pub fn pass(&mut self) -> Result<(), Error> {
        if !self.skip_detection {
            match self.outcome()?.status {
                Status::Checkmate => return Err(Error::InCheckmate),
                Status::Stalemate => return Err(Error::InStalemate),
                Status::Ongoing | Status::Softmate => {}
            }
        }
        if self.in_check() {
            return Err(Error::InCheck);
        }
        let now = after_null_action(self.under_way.position()).ok_or(Error::TooLarge)?;
        let moves = self.under_way.moves().to_vec();
        self.continue_with(Played { moves, passes: true }, now);
        Ok(())
    }

    /// Whether [`Chess::pass`] would pass.
    pub fn passable(&self) -> bool {
        self.clone().pass().is_ok()
    }

    /// The status of the player at the beginning of the action.
    ///
    /// # Errors
    ///
    /// When there is no answer within the [`Chess::steps`].
    pub fn outcome(&self) -> Result<&Outcome, Undecided> {
        if let Some(outcome) = self.outcome.get() {
            return Ok(outcome);
        }
        let outcome = self.begun.outcome_within(self.steps)?;
        Ok(self.outcome.get_or_init(|| outcome))
    }

    /// Whether the opponent could capture a royal piece if the player passed on the boards that are left.
    pub fn in_check(&self) -> bool {
        self.under_way.position().is_in_check()
    }

    /// Whether the player is in check without a legal action. The moves of the action under way do not count.
    ///
    /// # Errors
    ///
    /// The same as those of [`Chess::outcome`].
    pub fn in_checkmate(&self) -> Result<bool, Undecided> {
        Ok(self.outcome()?.status == Status::Checkmate)
    }

    /// Whether the player has no legal action and is not in check. The moves of the action under way do not
    /// count.
    ///
    /// # Errors
    ///
    /// The same as those of [`Chess::outcome`].
    pub fn in_stalemate(&self) -> Result<bool, Undecided> {
        Ok(self.outcome()?.status == Status::Stalemate)
    }

    /// The hash of the boards, as the edition computes it: 1.2.1 from the boards as they are, 0.3.6 from
    /// those before the action under way.
    ///
    /// # Errors
    ///
    /// When 0.3.6 has no numbers for them.
    pub fn hash(&self) -> Result<String, Error> {
        match self.edition {
            Edition::Current => Ok(hash::fen5d_md5(self.under_way.position())),
            Edition::Readme => hash::chessjs_036(&self.game()?).ok_or(Error::NoNumbers),
        }
    }

    pub(super) fn numbering(&self) -> Numbering {
        Numbering::of(self.edition, &self.start.start)
    }

    /// Visits the positions from the start to the beginning of the action under way, each with its unmoved
    /// pieces, and returns the last of these.
    pub(super) fn walk(&self, mut visit: impl FnMut(usize, &Position, &Untouched)) -> Untouched {
        let mut position = self.start.start.clone();
        let mut untouched = Untouched::at_start(&self.start);
        for (index, played) in self.history.iter().enumerate() {
            visit(index, &position, &untouched);
            for m in &played.moves {
                untouched.follow(&position, m);
                position.push(m);
            }
            if played.passes {
                for at in position.mandatory_boards() {
                    untouched.repeat(at);
                }
                position = after_null_action(&position).expect("the player has passed");
            } else {
                position.switch_player();
            }
        }
        visit(self.history.len(), &position, &untouched);
        untouched
    }
}

/// The start of the standard game, with the promotions of the library.
fn standard() -> Game {
    let start = Position::default();
    let promotions = usual(&start);
    Game::new(promoting(start, promotions), Vec::new())
}

/// The same boards with these promotions.
pub(super) fn promoting(start: Position, promotions: Promotions) -> Position {
    let profile = start.profile();
    start.with_profile(RuleProfile { promotions, ..profile })
}

/// The promotions if the text gives none: the pieces of these kinds on the start boards, or a queen if there
/// are none.
fn usual(start: &Position) -> Promotions {
    use PieceKind::{Bishop, CommonKing, Knight, Princess, Queen, Rook};
    let mut set = Promotions::NONE;
    for (_, board) in start.multiverse().boards() {
        for (_, piece) in board.pieces() {
            if [Bishop, Knight, Rook, Queen, Princess, CommonKing].contains(&piece.kind) {
                set = set.with(piece.kind).unwrap_or(set);
            }
        }
    }
    if set == Promotions::NONE { Promotions::QUEEN } else { set }
}
