//! A position under composition: boards that are set up, and actions that are played from there.

use fastrand::Rng;

use super::wishes::Wishes;
use crate::puzzle::capturable_royal;
use crate::state::{Board, Position, Setup};
use crate::types::{
    Action, BoardCoordinate, Color, Coordinate, HalfTurn, Move, MoveKind, Parity, Piece, PieceKind,
    RuleProfile, Square, Timeline, TimelineRange,
};

/// The most legal actions among which the next one of the history is drawn.
const DRAWN_FROM: usize = 64;

/// A position under composition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Draft {
    /// The boards that are set up, at first all of one half-turn.
    pub start: Setup,
    /// The actions from there to the position to be solved.
    pub history: Vec<Action>,
}

impl Draft {
    /// Draws boards with a king for each side and a few other pieces, and some actions from there.
    pub fn draw(wishes: &Wishes, rng: &mut Rng) -> Draft {
        let size = wishes.sizes[rng.usize(..wishes.sizes.len())];
        let parity = if wishes.two_timelines { Parity::Even } else { Parity::Odd };
        let plies = rng.usize(0..=wishes.most_history);
        let color = if rng.bool() { Color::White } else { Color::Black };
        let half_turn = HalfTurn::new(1, color);
        let solver = if plies.is_multiple_of(2) { color } else { !color };
        let mut boards = Vec::new();
        for timeline in timelines(parity, wishes.inactive_timeline.then_some(!solver)).iter() {
            let mut board = Board::empty(size);
            arrange(&mut board, wishes, solver, rng);
            for color in Color::ALL {
                if board.kings() & board.by_color(color) == 0 {
                    put(&mut board, Piece { color, kind: PieceKind::King }, wishes.unmoved, rng);
                }
            }
            let others = wishes.least_pieces..=wishes.most_pieces.max(wishes.least_pieces);
            for _ in 2..rng.usize(others) {
                let piece = draw_piece(wishes, rng);
                put(&mut board, piece, wishes.unmoved, rng);
            }
            boards.push((BoardCoordinate { timeline, half_turn }, board));
        }
        let profile = RuleProfile { promotions: wishes.promotions, ..RuleProfile::default() };
        let start = Setup { size, parity, profile, boards };
        let mut draft = Draft { start, history: Vec::new() };
        for _ in 0..plies {
            draft.extend(wishes, rng);
        }
        draft
    }

    /// The position to be solved. `None` if the history cannot be played, or if a royal piece can be captured
    /// on the way.
    pub fn position(&self) -> Option<Position> {
        let mut position = Position::from_setup(&self.start).ok()?;
        if capturable_royal(&position).is_some() {
            return None;
        }
        for action in &self.history {
            position.play(action).ok()?;
        }
        Some(position)
    }

    /// The number of pieces on the boards that are set up, and of actions.
    pub fn size(&self) -> i64 {
        let pieces: usize = self.start.boards.iter().map(|(_, board)| board.pieces().count()).sum();
        (pieces + self.history.len()) as i64
    }

    /// The draft with a small random change. `None` if that change is not possible.
    pub fn changed(&self, wishes: &Wishes, rng: &mut Rng) -> Option<Draft> {
        let mut draft = self.clone();
        let which = rng.usize(..draft.start.boards.len());
        let board = &mut draft.start.boards[which].1;
        let pieces: Vec<(Square, Piece)> = board.pieces().collect();
        let (square, piece) = *pieces.get(rng.usize(..pieces.len().max(1)))?;
        match rng.u8(0..10) {
            // Moves a piece to another square.
            0..=3 => {
                board.remove(square);
                put(board, piece, wishes.unmoved, rng);
            }
            4 if piece.kind != PieceKind::King => {
                board.remove(square);
                let kind = draw_piece(wishes, rng).kind;
                board.put(square, Piece { kind, ..piece }, wishes.unmoved);
            }
            5 if pieces.len() < wishes.most_pieces => {
                put(board, draw_piece(wishes, rng), wishes.unmoved, rng)
            }
            6 if piece.kind != PieceKind::King && pieces.len() > wishes.least_pieces => board.remove(square),
            7 if !draft.history.is_empty() => {
                draft.history.pop();
                draft.extend(wishes, rng);
            }
            8 if draft.history.len() < wishes.most_history => {
                draft.extend(wishes, rng);
            }
            9 if draft.history.len() > 1 => {
                let last = draft.history.pop()?;
                draft.history.pop();
                draft.history.push(last);
            }
            _ => return None,
        }
        (draft != *self).then_some(draft)
    }

    /// A random draft of one turn earlier: the last two actions are taken back, or moves to the boards that are set up. Its player to
    /// move could play into this draft, so that a mate from there may be an action longer. `None` if a move that was drawn was not
    /// possible.
    pub fn earlier(&self, rng: &mut Rng) -> Option<Draft> {
        let mut draft = self.clone();
        for _ in 0..2 {
            if draft.history.pop().is_none() {
                draft.start.boards = draft.unmoved(rng)?;
            }
        }
        Some(draft)
    }

    /// The boards that are set up with one move of the opponent of the player to move taken back on each of them.
    fn unmoved(&self, rng: &mut Rng) -> Option<Vec<(BoardCoordinate, Board)>> {
        let boards = self.start.boards.iter().map(|(at, board)| {
            let color = !at.half_turn.color();
            let at = BoardCoordinate { half_turn: HalfTurn::new(1, color), ..*at };
            let pieces: Vec<_> = board.pieces().filter(|(_, piece)| piece.color == color).collect();
            let (to, piece) = *pieces.get(rng.usize(..pieces.len().max(1)))?;
            let empty = (0..64).map(Square::from_index).filter(|&square| board.size().contains(square));
            let origins: Vec<Board> = empty
                .filter(|&square| board.get(square).is_none())
                .filter_map(|from| self.before(at, board, piece, [from, to]))
                .collect();
            (!origins.is_empty()).then(|| (at, origins[rng.usize(..origins.len())]))
        });
        boards.collect()
    }

    /// The board before a piece moved between two squares. `None` if it could not.
    fn before(
        &self,
        at: BoardCoordinate,
        board: &Board,
        piece: Piece,
        [from, to]: [Square; 2],
    ) -> Option<Board> {
        let mut board = *board;
        board.remove(to);
        board.put(from, piece, false);
        let one = Setup {
            parity: Parity::Odd,
            boards: vec![(BoardCoordinate { timeline: Timeline(0), ..at }, board)],
            ..self.start.clone()
        };
        let position = Position::from_setup(&one).ok()?;
        let [from, to] = [from, to].map(|square| Coordinate { board: one.boards[0].0, square });
        let moves = Move { kind: MoveKind::Physical, from, to, promotion: None };
        position.is_pseudo_legal(&moves).then_some(board)
    }

    /// Plays one more random action.
    fn extend(&mut self, wishes: &Wishes, rng: &mut Rng) {
        let Some(position) = self.position() else { return };
        let travels = wishes.history_travels && rng.u8(0..4) == 0;
        let fits = |action: &Action| travels == action.travels();
        let mut actions: Vec<Action> =
            position.legal_actions().within(20_000).filter(fits).take(DRAWN_FROM).collect();
        let is_double_step = |action: &Action| action.moves().iter().any(|m| is_double_step(&position, m));
        if wishes.has_theme("en-passant") && actions.iter().any(is_double_step) && rng.bool() {
            actions.retain(is_double_step);
        }
        if !actions.is_empty() {
            self.history.push(actions[rng.usize(..actions.len())].clone());
        }
    }

    /// The draft without one piece, for each piece that is not the last royal piece of its side.
    pub fn without_a_piece(&self) -> impl Iterator<Item = Draft> + '_ {
        let boards = self.start.boards.iter().enumerate();
        boards.flat_map(move |(index, (_, board))| {
            board.pieces().filter_map(move |(square, piece)| {
                let royals = |(_, board): &(_, Board)| {
                    board
                        .pieces()
                        .filter(|(_, other)| other.color == piece.color && other.kind.is_royal())
                        .count()
                };
                let is_last =
                    piece.kind.is_royal() && self.start.boards.iter().map(royals).sum::<usize>() == 1;
                (!is_last).then(|| {
                    let mut draft = self.clone();
                    draft.start.boards[index].1.remove(square);
                    draft
                })
            })
        })
    }

    /// The draft begun one action later: the boards after the first action are set up instead. `None` if
    /// there is no action, or if a piece travels in it.
    pub fn begun_later(&self) -> Option<Draft> {
        let (first, history) = self.history.split_first()?;
        if first.travels() {
            return None;
        }
        let mut position = Position::from_setup(&self.start).ok()?;
        position.play(first).ok()?;
        let ends = position.multiverse().ends().map(|(at, board)| (at, *board));
        let start = Setup { boards: ends.collect(), ..self.start.clone() };
        Some(Draft { start, history: history.to_vec() })
    }

    /// The draft with its turns counted from 1.
    pub fn counted_from_one(mut self) -> Draft {
        let first = self.start.boards.iter().map(|(at, _)| at.half_turn.turn()).min().unwrap_or(1);
        let earlier = |half_turn: HalfTurn| HalfTurn(half_turn.0 - 2 * (first - 1));
        for (at, _) in &mut self.start.boards {
            at.half_turn = earlier(at.half_turn);
        }
        for action in &mut self.history {
            let moves = action.moves().iter().map(|m| {
                let mut m = *m;
                m.from.board.half_turn = earlier(m.from.board.half_turn);
                m.to.board.half_turn = earlier(m.to.board.half_turn);
                m
            });
            *action = Action::new(moves.collect());
        }
        self
    }
}

/// The timelines at the start: the central ones, and two more of one player, of which the outer one is inactive.
fn timelines(parity: Parity, more_of: Option<Color>) -> TimelineRange {
    let TimelineRange { lowest, highest } = parity.central();
    match more_of.map(Color::branch_direction) {
        None => parity.central(),
        Some(1..) => TimelineRange::new(lowest, Timeline(highest.0 + 2)),
        Some(_) => TimelineRange::new(Timeline(lowest.0 - 2), highest),
    }
}

/// Puts up the pieces without which a wished theme hardly comes about by chance.
fn arrange(board: &mut Board, wishes: &Wishes, solver: Color, rng: &mut Rng) {
    let (width, height) = (board.size().width(), board.size().height());
    // Ranks as the solver counts them.
    let mut put_at = |file, rank, color, kind| {
        let rank = if solver == Color::White { rank } else { height - 1 - rank };
        if let Some(square) = Square::new(file, rank) {
            board.put(square, Piece { color, kind }, true);
        }
    };
    if wishes.has_theme("castling") && width > 3 {
        let left = rng.u8(..width - 3);
        let right = rng.u8(left + 3..width);
        let (king, rook) = if rng.bool() { (left, right) } else { (right, left) };
        let rank = rng.u8(..height);
        put_at(king, rank, solver, PieceKind::King);
        put_at(rook, rank, solver, PieceKind::Rook);
    }
    let pawns = wishes.kinds.iter().copied().find(|kind| kind.is_pawn_like());
    if let Some(pawn) = pawns.filter(|_| wishes.has_theme("en-passant") && width > 1 && height > 3) {
        // The opponent's pawn passes the solver's with a double step.
        let left = rng.u8(..width - 1);
        let (own, other) = if rng.bool() { (left, left + 1) } else { (left + 1, left) };
        let rank = rng.u8(1..height - 2);
        put_at(own, rank, solver, pawn);
        put_at(other, rank + 2, !solver, pawn);
    }
}

/// Whether a pawn or brawn moves two ranks.
fn is_double_step(position: &Position, m: &Move) -> bool {
    let piece = position.board(m.from.board).and_then(|board| board.get(m.from.square));
    m.kind == MoveKind::Physical
        && m.from.square.rank().abs_diff(m.to.square.rank()) == 2
        && piece.is_some_and(|piece| piece.kind.is_pawn_like())
}

/// Puts a piece on a random empty square where it may stand, if there is one.
fn put(board: &mut Board, piece: Piece, unmoved: bool, rng: &mut Rng) {
    let size = board.size();
    let last = match piece.color {
        Color::White => size.height() - 1,
        Color::Black => 0,
    };
    let squares: Vec<Square> = (0..64)
        .map(Square::from_index)
        .filter(|&square| size.contains(square) && board.get(square).is_none())
        .filter(|square| !(piece.kind.is_pawn_like() && square.rank() == last))
        .collect();
    if !squares.is_empty() {
        board.put(squares[rng.usize(..squares.len())], piece, unmoved);
    }
}

fn draw_piece(wishes: &Wishes, rng: &mut Rng) -> Piece {
    let kind = wishes.kinds[rng.usize(..wishes.kinds.len())];
    let color = if rng.u8(0..5) < 3 { Color::White } else { Color::Black };
    Piece { color, kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::step::castles;
    use crate::notation::is_en_passant;
    use crate::types::BoardSize;

    #[test]
    fn a_board_without_pieces_changes_nothing() {
        let wishes = Wishes { two_timelines: true, most_history: 0, ..Wishes::default() };
        let mut rng = Rng::with_seed(1);
        let mut draft = Draft::draw(&wishes, &mut rng);
        draft.start.boards[1].1 = Board::empty(draft.start.size);
        assert!((0..100).any(|_| draft.changed(&wishes, &mut rng).is_some()));
    }

    #[test]
    fn the_outer_timeline_of_the_opponent_is_inactive() {
        for two_timelines in [false, true] {
            let wishes = Wishes {
                two_timelines,
                inactive_timeline: true,
                most_pieces: 3,
                most_history: 0,
                ..Wishes::default()
            };
            let mut rng = Rng::with_seed(1);
            let drawn = (0..1_000).filter_map(|_| Draft::draw(&wishes, &mut rng).position());
            let positions: Vec<Position> = drawn.collect();
            assert!(positions.len() > 10);
            for position in positions {
                let all = position.multiverse().range();
                let active = position.multiverse().active();
                let central = position.parity().central();
                assert_eq!((all.len(), active.len()), (central.len() + 2, central.len() + 1));
                // A timeline of the player to move would activate it.
                let forward = (!position.to_move()).branch_direction();
                let outer = if forward > 0 { all.highest } else { all.lowest };
                assert!(!active.contains(outer));
            }
        }
    }

    #[test]
    fn what_a_theme_needs_is_set_up() {
        let size = |width, height| BoardSize::new(width, height).expect("a size");
        let wishes = Wishes {
            sizes: vec![size(4, 5), size(5, 4), size(6, 6), size(3, 3)],
            kinds: vec![PieceKind::Pawn, PieceKind::Rook],
            unmoved: true,
            ..Wishes::default()
        };
        for (theme, shows) in
            [("castling", castles as fn(&Position, &Move) -> bool), ("en-passant", is_en_passant)]
        {
            // Most drafts without the wish do not show it, and many with it do.
            let share = |themes: &[&str]| {
                let themes = themes.iter().map(|&theme| theme.to_owned()).collect();
                let (wishes, mut rng) = (Wishes { themes, ..wishes.clone() }, Rng::with_seed(1));
                let positions: Vec<Position> =
                    (0..1_000).filter_map(|_| Draft::draw(&wishes, &mut rng).position()).collect();
                let shown = |position: &&Position| {
                    let mut actions = position.legal_actions().take(200);
                    actions.any(|action| action.moves().iter().any(|m| shows(position, m)))
                };
                positions.iter().filter(shown).count() as f64 / positions.len() as f64
            };
            let (without, with) = (share(&[]), share(&[theme]));
            assert!(with > 4.0 * without && with > 0.05, "{theme}: {with:.3}, {without:.3} without the wish");
        }
    }
}
