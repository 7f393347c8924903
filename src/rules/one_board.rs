//! Checks whether a single move within one board is possible. It lists no moves: the origin and the target
//! decide which squares between must be empty.
//!
//! This is checked for every physical move of 5D chess. A game of orthodox chess needs nothing more
//! (`spec/notation-pgn-and-fen.md`): it has one timeline and no time travel, so that a move is an action, and
//! the board after it shows whether it is legal. The methods of [`Position`] here are for such games.

use super::attacks::is_exposed_within;
use super::movement::Mover;
use super::steps::{Vector, pawn_reach};
use super::{IllegalAction, IllegalMove};
use crate::state::{Board, LAST_TURN, Position, squares_of};
use crate::types::{BoardCoordinate, Color, Coordinate, Move, MoveKind, PieceKind, Square};

impl Mover<'_> {
    /// Whether the piece on `from` of the board at `at` can go to `to` on the same board, with this
    /// promotion.
    pub(super) fn is_pseudo_legal_on_board(
        &self,
        at: BoardCoordinate,
        board: &Board,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> bool {
        let becomes = match (self.promotions(board, from, to), promotion) {
            (Some(kinds), Some(kind)) => kinds.contains(kind),
            (kinds, kind) => kinds.is_none() && kind.is_none(),
        };
        becomes && self.reaches(at, board, from, to)
    }

    /// Whether the piece on `from` of the board at `at` can go to `to` on the same board, with any promotion.
    pub(super) fn reaches(&self, at: BoardCoordinate, board: &Board, from: Square, to: Square) -> bool {
        let piece = from.bit();
        if board.by_color(self.color) & piece == 0 || at.half_turn.turn() >= LAST_TURN {
            return false;
        }
        let vector = Vector::within(from, to);
        if vector.ranks == 0 && vector.files.abs() == 2 && board.kings() & piece != 0 {
            // The king may land on the square of the rook itself.
            let mut castles = false;
            self.castling_moves(board, |king, landing| castles |= (king, landing) == (from, to));
            return castles;
        }
        if board.blocked_for(self.color) & to.bit() != 0 {
            return false;
        }
        if board.pawns() & piece != 0 {
            return self.pawn_reaches(at, board, from, to);
        }
        if board.knights() & piece != 0 {
            return vector.is_knight_step();
        }
        if board.king_steppers() & piece != 0 {
            return vector.is_king_step();
        }
        let axes = vector.axes();
        axes != 0
            && board.sliders(axes) & piece != 0
            && vector.is_ride()
            && board.occupied() & between(from, to) == 0
    }

    fn pawn_reaches(&self, at: BoardCoordinate, board: &Board, from: Square, to: Square) -> bool {
        let forward = i16::from(self.color.rank_forward());
        let occupied = board.occupied();
        let Vector { files, ranks, .. } = Vector::within(from, to);
        if files == 0 {
            let double = ranks == 2 * forward && board.unmoved() & from.bit() != 0;
            return (double || ranks == forward) && occupied & (to.bit() | between(from, to)) == 0;
        }
        pawn_reach(from.bit(), self.color) & to.bit() != 0
            && (board.by_color(!self.color) & to.bit() != 0
                || occupied & to.bit() == 0 && self.en_passant_targets(at, board) & to.bit() != 0)
    }
}

/// The squares strictly between two on a rank, file or diagonal. For other pairs the result has no meaning.
fn between(from: Square, to: Square) -> u64 {
    let files = (to.file() as i32 - from.file() as i32).signum();
    let ranks = (to.rank() as i32 - from.rank() as i32).signum();
    let (step, end) = (files + 8 * ranks, to.index() as i32);
    let mut square = from.index() as i32 + step;
    let mut squares = 0_u64;
    // Seven steps cross any board.
    for _ in 0..7 {
        if square == end || !(0..64).contains(&square) {
            break;
        }
        squares |= 1 << square;
        square += step;
    }
    squares
}

impl Position {
    /// The board of a position with one timeline and without time travel.
    pub(crate) fn only_board(&self) -> Option<(BoardCoordinate, &Board)> {
        let range = self.multiverse().range();
        if range.len() != 1 || self.profile().time_travel {
            return None;
        }
        let (half_turn, board) = self.multiverse().last(range.lowest)?;
        Some((BoardCoordinate { timeline: range.lowest, half_turn }, board))
    }

    /// Checks that a move of orthodox chess is legal. The answer is that of [`Position::play`] for the action
    /// of this move, and comes sooner. Play the move with [`Position::play_legal_on_board`].
    ///
    /// # Errors
    ///
    /// When the move is illegal, or the position is not one of [`Position::only_board`].
    pub(crate) fn legal_on_board(
        &self,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> Result<Move, IllegalAction> {
        let Some((at, board)) = self.only_board() else { return Err(IllegalAction::PresentNotAdvanced) };
        let place = |square| Coordinate { board: at, square };
        let m = Move { kind: MoveKind::Physical, from: place(from), to: place(to), promotion };
        if !self.has_room_for(&m) {
            return Err(IllegalAction::IllegalMove { number: 1, m, why: IllegalMove::TooLarge });
        }
        let color = self.to_move();
        if at.color() != color || !Mover::of(self).is_pseudo_legal_on_board(at, board, from, to, promotion) {
            return Err(IllegalAction::IllegalMove { number: 1, m, why: self.why_illegal(&m) });
        }
        if is_exposed_within(&board.after_physical(from, to, promotion), color) {
            let mut after = self.clone();
            after.push(&m);
            return Err(after.can_submit().err().unwrap_or(IllegalAction::PresentNotAdvanced));
        }
        Ok(m)
    }

    /// Plays a move that [`Position::legal_on_board`] has found legal.
    pub(crate) fn play_legal_on_board(&mut self, m: &Move) {
        self.push(m);
        self.switch_player();
    }

    /// Replaces the content of `moves` by every legal move on the only board.
    pub(crate) fn legal_moves_on_board(&self, moves: &mut Vec<Move>) {
        self.moves_on_board(moves);
        self.retain_legal_on_board(moves);
    }

    /// Replaces the content of `moves` by every move on the only board, without regard to check.
    pub(crate) fn moves_on_board(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if let Some((at, _)) = self.only_board() {
            self.pseudo_legal_moves_from(at, moves);
        }
    }

    /// Keeps only the moves on the only board after which no royal piece can be captured.
    pub(crate) fn retain_legal_on_board(&self, moves: &mut Vec<Move>) {
        let Some((_, board)) = self.only_board() else { return moves.clear() };
        let color = self.to_move();
        moves.retain(|m| {
            !is_exposed_within(&board.after_physical(m.from.square, m.to.square, m.promotion), color)
        });
    }

    /// Whether a royal piece of this player is attacked on the only board.
    pub(crate) fn is_attacked_on_board(&self, victim: Color) -> bool {
        self.only_board().is_some_and(|(_, board)| is_exposed_within(board, victim))
    }

    /// The square on the only board that a pawn skipped with the last move, whether or not it can be captured
    /// there.
    pub(crate) fn skipped_on_board(&self) -> Option<Square> {
        let (at, board) = self.only_board().filter(|(at, _)| at.color() == self.to_move())?;
        squares_of(Mover::of(self).en_passant_targets(at, board)).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Random, multiverse};
    use crate::rules::variants::{VARIANTS, Variant};
    use crate::state::{MAX_TURN, Setup};
    use crate::types::{Action, BoardSize, HalfTurn, Parity, Piece, RuleProfile, TimelineRange};

    /// The start of a variant, with or without time travel.
    fn start(variant: &Variant, profile: RuleProfile) -> Position {
        let setup = Setup { profile, ..variant.setup() };
        Position::from_setup(&setup).expect("variants are positions")
    }

    /// The moves of a board, in order.
    fn moves_from(position: &Position, at: BoardCoordinate) -> Vec<Move> {
        let mut moves = Vec::new();
        position.pseudo_legal_moves_from(at, &mut moves);
        moves.sort();
        moves
    }

    /// The same moves, found by asking for every square of every board.
    fn moves_by_target(position: &Position, at: BoardCoordinate) -> Vec<Move> {
        let mut moves = Vec::new();
        for (board, _) in position.multiverse().boards() {
            for square in (0..64).map(Square::from_index) {
                position.pseudo_legal_moves_to(at, Coordinate { board, square }, &mut moves);
            }
        }
        moves.sort();
        moves
    }

    /// Games end at the last turn without a mate: half-turns are counted in 16 bits.
    #[test]
    fn nothing_moves_from_the_last_turn_or_to_it_from_another_timeline() {
        let size = BoardSize::new(2, 2).unwrap();
        let mut board = Board::empty(size);
        let (a1, a2) = (Square::new(0, 0).unwrap(), Square::new(0, 1).unwrap());
        board.put(a1, Piece { color: Color::White, kind: PieceKind::CommonKing }, false);
        let TimelineRange { lowest: low, highest: high } = Parity::Even.central();
        let start = |timeline| BoardCoordinate { timeline, half_turn: HalfTurn::new(MAX_TURN, Color::White) };
        let boards = vec![(start(low), board), (start(high), board)];
        let setup = Setup { size, parity: Parity::Even, profile: RuleProfile::default(), boards };
        let mut position = Position::from_setup(&setup).unwrap();
        let mut advance = |timeline, turn| loop {
            let (half_turn, board) = position.multiverse().last(timeline).unwrap();
            if half_turn == HalfTurn::new(turn, Color::White) {
                return position.clone();
            }
            let (from, to) = if board.get(a1).is_some() { (a1, a2) } else { (a2, a1) };
            let place = |square| Coordinate { board: BoardCoordinate { timeline, half_turn }, square };
            position.push(&Move {
                kind: MoveKind::Physical,
                from: place(from),
                to: place(to),
                promotion: None,
            });
        };
        advance(low, LAST_TURN - 1);
        advance(high, LAST_TURN - 1);
        let ahead = |position: &Position, at: BoardCoordinate| {
            let moves = moves_from(position, at);
            assert_eq!(moves_by_target(position, at), moves);
            let latest = moves.iter().map(|m| m.to.board.half_turn).max();
            latest.map(|half_turn| half_turn.turn())
        };
        for turn in [LAST_TURN - 1, LAST_TURN] {
            let position = advance(high, turn);
            let at = |timeline| BoardCoordinate {
                timeline,
                half_turn: position.multiverse().last(timeline).unwrap().0,
            };
            assert_eq!(ahead(&position, at(low)), Some(LAST_TURN - 1));
            assert_eq!(ahead(&position, at(high)), (turn < LAST_TURN).then_some(turn));
        }
    }

    #[test]
    fn a_move_is_made_when_it_is_listed() {
        let mut random = Random(1);
        let promotions = [None, Some(PieceKind::Queen), Some(PieceKind::Knight), Some(PieceKind::King)];
        for variant in &VARIANTS {
            for profile in [RuleProfile::default(), RuleProfile::orthodox()] {
                let mut position = start(variant, profile);
                for _ in 0..12 {
                    for at in position.playable_boards().collect::<Vec<_>>() {
                        let listed = moves_from(&position, at);
                        let (mover, board) = (Mover::of(&position), position.board(at).unwrap());
                        let mut made = Vec::new();
                        for (from, to) in (0..4096).map(|i| (i / 64, i % 64)) {
                            let (from, to) = (Square::from_index(from), Square::from_index(to));
                            let kinds = promotions.into_iter();
                            made.extend(
                                kinds
                                    .filter(|&p| mover.is_pseudo_legal_on_board(at, board, from, to, p))
                                    .map(|p| (from, to, p)),
                            );
                        }
                        let mut expected: Vec<_> = listed
                            .iter()
                            .filter(|m| m.kind == MoveKind::Physical && promotions.contains(&m.promotion))
                            .map(|m| (m.from.square, m.to.square, m.promotion))
                            .collect();
                        made.sort();
                        expected.sort();
                        assert_eq!(made, expected, "{}", variant.name);
                        assert_eq!(moves_by_target(&position, at), listed, "{}", variant.name);
                    }
                    let moves = position.pseudo_legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    position.push(&moves[random.below(moves.len())]);
                    if position.present().color() != position.to_move() {
                        position.switch_player();
                    }
                }
            }
        }
    }

    #[test]
    fn a_whole_rank_of_pawns_promotes() {
        let board = Board::from_rows("8/PPPPPPPP/8/8/8/8/8/8", None).unwrap();
        let at = BoardCoordinate::new(0, 1, Color::White);
        let (size, profile) = (BoardSize::new(8, 8).unwrap(), RuleProfile::default());
        let setup = Setup { size, parity: Parity::Odd, profile, boards: vec![(at, board)] };
        let moves = moves_from(&Position::from_setup(&setup).unwrap(), at);
        assert_eq!(moves.len(), 8 * profile.promotions.iter().count());
        assert!(moves.iter().all(|m| m.promotion.is_some()), "{moves:?}");
    }

    #[test]
    fn a_jump_is_found_by_its_target_when_it_is_listed() {
        let mut random = Random(3);
        let mut jumps = 0;
        for _ in 0..3_000 {
            let position = multiverse(&mut random, 4);
            for at in position.playable_boards() {
                let listed = moves_from(&position, at);
                assert_eq!(moves_by_target(&position, at), listed, "{position:?}");
                jumps += listed.iter().filter(|m| m.kind != MoveKind::Physical).count();
            }
        }
        assert!(jumps > 3_000, "{jumps}");
    }

    #[test]
    fn playing_says_the_same_as_playing_the_action() {
        let mut random = Random(2);
        let standard = VARIANTS.iter().find(|variant| variant.name == "Standard").unwrap();
        let (mut made, mut refused) = (0, 0);
        for _ in 0..40 {
            let mut position = start(standard, RuleProfile::orthodox());
            for _ in 0..80 {
                let mut moves = position.pseudo_legal_moves();
                for m in &moves {
                    let (mut one, mut other) = (position.clone(), position.clone());
                    let fast = one.legal_on_board(m.from.square, m.to.square, m.promotion);
                    fast.iter().for_each(|m| one.play_legal_on_board(m));
                    let slow = other.play(&Action::new(vec![*m]));
                    assert_eq!(fast.map(|_| ()), slow.map(|_| ()));
                    assert_eq!(one, other);
                    assert_eq!(one, other);
                }
                let all = moves.len();
                position.retain_legal_on_board(&mut moves);
                made += moves.len();
                refused += all - moves.len();
                assert_eq!(position.legal_actions().count(), moves.len());
                if moves.is_empty() {
                    break;
                }
                let m = moves[random.below(moves.len())];
                position.play_legal_on_board(&m);
            }
        }
        assert!(made > 10_000 && refused > 100, "{made} made, {refused} refused");
    }

    #[test]
    fn other_positions_have_no_only_board() {
        let position = start(&VARIANTS[0], RuleProfile::default());
        let (from, to) = (Square::new(4, 1).unwrap(), Square::new(4, 3).unwrap());
        assert_eq!(position.legal_on_board(from, to, None), Err(IllegalAction::PresentNotAdvanced));
        assert!(position.only_board().is_none() && position.skipped_on_board().is_none());
    }
}
