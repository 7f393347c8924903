//! The moves of single pieces.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::state::{Cell, SlowState};
use crate::types::{
    BoardCoordinate, Color, Coordinate, HalfTurn, Move, MoveKind, Piece, PieceKind, Square, Timeline,
};

/// A change of file, rank, turn and timeline.
type Vector = [i16; 4];

/// The unit steps of every piece except pawn and brawn. A rider may repeat a step.
static VECTORS: LazyLock<BTreeMap<PieceKind, Vec<Vector>>> = LazyLock::new(|| {
    let axes = |numbers: RangeInclusive<usize>| grid(1).filter(|v| numbers.contains(&axes_of(v))).collect();
    BTreeMap::from([
        (PieceKind::Rook, axes(1..=1)),
        (PieceKind::Bishop, axes(2..=2)),
        (PieceKind::Unicorn, axes(3..=3)),
        (PieceKind::Dragon, axes(4..=4)),
        (PieceKind::Princess, axes(1..=2)),
        (PieceKind::Queen, axes(1..=4)),
        (PieceKind::RoyalQueen, axes(1..=4)),
        (PieceKind::King, axes(1..=4)),
        (PieceKind::CommonKing, axes(1..=4)),
        (PieceKind::Knight, grid(2).filter(|v| axes_of(v) == 2 && length(v) == 3).collect()),
    ])
});

fn grid(n: i16) -> impl Iterator<Item = Vector> {
    let along = move || -n..=n;
    along().flat_map(move |x| {
        along().flat_map(move |y| along().flat_map(move |t| along().map(move |l| [x, y, t, l])))
    })
}

fn axes_of(vector: &Vector) -> usize {
    vector.iter().filter(|&&part| part != 0).count()
}

fn length(vector: &Vector) -> i16 {
    vector.iter().map(|part| part.abs()).sum()
}

/// The steps with which a pawn or brawn captures: diagonals of one forward and one sideways axis. A pawn may
/// pair the two axes of the board, or the two axes of the multiverse; a brawn any forward axis with any
/// other.
fn pawn_captures(piece: Piece) -> Vec<Vector> {
    let f = i16::from(piece.color.rank_forward());
    let g = i16::from(piece.color.timeline_forward());
    let mut steps = vec![[1, f, 0, 0], [-1, f, 0, 0], [0, 0, 1, g], [0, 0, -1, g]];
    if piece.kind == PieceKind::Brawn {
        steps.extend([[1, 0, 0, g], [-1, 0, 0, g], [0, f, 0, g], [0, f, -1, 0]]);
    }
    steps
}

impl SlowState {
    /// The moves that the player to move can make now, whether or not they are part of a legal action.
    pub fn moves(&self) -> BTreeSet<Move> {
        let mut moves = BTreeSet::new();
        for at in self.playable(self.mover) {
            for (from, cell) in self.army(at, self.mover) {
                for to in self.destinations(from, cell) {
                    let kind = self.kind(from, to);
                    if self.promotes(cell.piece, from, to) {
                        for promotion in self.profile.promotions.iter() {
                            moves.insert(Move { kind, from, to, promotion: Some(promotion) });
                        }
                    } else {
                        moves.insert(Move { kind, from, to, promotion: None });
                    }
                }
            }
        }
        moves
    }

    /// The squares on which this piece could capture, and the piece there.
    ///
    /// Promotion does not matter here, and neither castling nor en passant ever captures a royal piece.
    pub(super) fn captures(&self, from: Coordinate, piece: Piece) -> Vec<(Coordinate, Cell)> {
        let reached = if piece.kind.is_pawn_like() {
            pawn_captures(piece).into_iter().filter_map(|v| self.step(from, v, 1)).collect()
        } else {
            self.reach(from, piece)
        };
        let taken = reached.into_iter().filter_map(|place| Some((place, self.cell(place)?)));
        taken.filter(|(_, cell)| cell.piece.color != piece.color).collect()
    }

    /// The kind of a move. It may change during an action: a board that the action has advanced is history.
    fn kind(&self, from: Coordinate, to: Coordinate) -> MoveKind {
        if from.board == to.board {
            MoveKind::Physical
        } else if self.lines[&to.board.timeline.0].end() == to.board.half_turn {
            MoveKind::Hop
        } else {
            MoveKind::Branch
        }
    }

    /// Whether a move promotes. Only entering the last rank does: a pawn that starts there and crosses
    /// timelines stays a pawn.
    fn promotes(&self, piece: Piece, from: Coordinate, to: Coordinate) -> bool {
        let last = match piece.color {
            Color::White => self.size.height() - 1,
            Color::Black => 0,
        };
        piece.kind.is_pawn_like() && to.square.rank() == last && from.square.rank() != last
    }

    fn destinations(&self, from: Coordinate, cell: Cell) -> Vec<Coordinate> {
        let piece = cell.piece;
        if piece.kind.is_pawn_like() {
            let mut places = self.pawn_steps(from, cell);
            places.extend(self.captures(from, piece).into_iter().map(|(place, _)| place));
            places.extend([-1, 1].into_iter().filter_map(|side| self.en_passant(from, piece, side)));
            places
        } else {
            let mut places = self.reach(from, piece);
            if piece.kind == PieceKind::King && cell.unmoved {
                places.extend([-1, 1].into_iter().filter_map(|side| self.castling(from, piece, side)));
            }
            places
        }
    }

    /// The square this many steps away, if the board and the square exist.
    ///
    /// A step in time is a whole turn, so a piece never meets boards on which the other player is to move.
    fn step(&self, from: Coordinate, [x, y, t, l]: Vector, times: i16) -> Option<Coordinate> {
        if !self.profile.time_travel && (t, l) != (0, 0) {
            return None;
        }
        let file = u8::try_from(i16::from(from.square.file()) + x * times).ok()?;
        let rank = u8::try_from(i16::from(from.square.rank()) + y * times).ok()?;
        let square = Square::new(file, rank).filter(|&square| self.size.contains(square))?;
        let board = BoardCoordinate {
            timeline: Timeline(from.board.timeline.0 + l * times),
            half_turn: HalfTurn(from.board.half_turn.0 + 2 * t * times),
        };
        self.board(board).map(|_| Coordinate { board, square })
    }

    /// The square this many steps away, if it exists and is empty.
    fn free(&self, from: Coordinate, vector: Vector, times: i16) -> Option<Coordinate> {
        self.step(from, vector, times).filter(|&place| self.cell(place).is_none())
    }

    /// The empty and enemy squares that any piece except pawn and brawn can reach.
    ///
    /// Riders stop at pieces and at missing boards. Leapers ignore the squares in between.
    fn reach(&self, from: Coordinate, piece: Piece) -> Vec<Coordinate> {
        let leaps = matches!(piece.kind, PieceKind::Knight | PieceKind::King | PieceKind::CommonKing);
        let mut places = Vec::new();
        for &vector in &VECTORS[&piece.kind] {
            for times in 1.. {
                let Some(place) = self.step(from, vector, times) else { break };
                let occupant = self.cell(place);
                if occupant.is_none_or(|cell| cell.piece.color != piece.color) {
                    places.push(place);
                }
                if leaps || occupant.is_some() {
                    break;
                }
            }
        }
        places
    }

    /// The squares of a pawn's steps: straight ahead on the board, or towards the opponent's timelines.
    fn pawn_steps(&self, from: Coordinate, cell: Cell) -> Vec<Coordinate> {
        let f = i16::from(cell.piece.color.rank_forward());
        let g = i16::from(cell.piece.color.timeline_forward());
        let mut places = Vec::new();
        for ahead in [[0, f, 0, 0], [0, 0, 0, g]] {
            let Some(one) = self.free(from, ahead, 1) else { continue };
            places.push(one);
            if cell.unmoved {
                places.extend(self.free(from, ahead, 2));
            }
        }
        places
    }

    /// The target square of an en passant capture.
    ///
    /// No mark records a double step, so it is deduced from the board one turn earlier. A timeline without
    /// that board has no en passant.
    fn en_passant(&self, from: Coordinate, piece: Piece, side: i16) -> Option<Coordinate> {
        let f = i16::from(piece.color.rank_forward());
        let beside = self.step(from, [side, 0, 0, 0], 1)?;
        let landing = self.free(from, [side, f, 0, 0], 1)?;
        let origin = self.free(from, [side, 2 * f, 0, 0], 1)?;
        let victim = self.cell(beside)?.piece;

        let one_turn_back = self.earlier(from, 2);
        let half_a_turn_back = self.earlier(from, 1);
        let before = if self.profile.en_passant_on_new_timelines {
            one_turn_back.or(half_a_turn_back)?
        } else {
            one_turn_back?
        };
        let emptiness = if self.profile.en_passant_onto_vacated { half_a_turn_back? } else { before };
        let stepped_twice = self.cell(Coordinate { board: before, ..origin })
            == Some(Cell { piece: victim, unmoved: true })
            && self.cell(Coordinate { board: emptiness, ..beside }).is_none();

        (victim.color != piece.color && victim.kind.is_pawn_like() && stepped_twice).then_some(landing)
    }

    /// An earlier board of the same timeline, if it has one.
    fn earlier(&self, from: Coordinate, half_turns: i16) -> Option<BoardCoordinate> {
        let half_turn = HalfTurn(from.board.half_turn.0 - half_turns);
        let board = BoardCoordinate { half_turn, ..from.board };
        self.board(board).map(|_| board)
    }

    /// The target square of the king in castling.
    fn castling(&self, from: Coordinate, king: Piece, side: i16) -> Option<Coordinate> {
        let ray = (1..).map_while(|distance| self.step(from, [side, 0, 0, 0], distance));
        let (distance, rook) = (1..).zip(ray).find_map(|(i, place)| Some((i, self.cell(place)?)))?;
        let expected = Cell { piece: Piece { kind: PieceKind::Rook, ..king }, unmoved: true };
        let nearest = if self.profile.castling_at_distance_two { 2 } else { 3 };
        if rook != expected || distance < nearest {
            return None;
        }
        let crossed = self.step(from, [side, 0, 0, 0], 1)?;
        let landing = self.step(from, [side, 0, 0, 0], 2)?;
        let safe =
            [from, crossed, landing].into_iter().all(|place| !self.attacked_on_board(place, !king.color));
        safe.then_some(landing)
    }

    /// Whether a piece of `by` attacks this square on the same board. Castling only depends on this: attacks
    /// through turns and timelines do not prevent it, unless they make the whole action illegal.
    fn attacked_on_board(&self, place: Coordinate, by: Color) -> bool {
        self.army(place.board, by).into_iter().any(|(from, cell)| {
            if cell.piece.kind.is_pawn_like() {
                pawn_captures(cell.piece).into_iter().any(|v| self.step(from, v, 1) == Some(place))
            } else {
                self.reach(from, cell.piece).contains(&place)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow::games::{parse, parse_with, read_action, read_move};
    use crate::types::{Promotions, RuleProfile};

    #[test]
    fn pieces_have_their_number_of_directions() {
        let count = |kind| {
            let all = &VECTORS[&kind];
            // A timeline has no boards after its last one.
            (all.len(), all.iter().filter(|[_, _, t, l]| *t <= 0 || *l != 0).count())
        };
        assert_eq!(count(PieceKind::Rook), (8, 7));
        assert_eq!(count(PieceKind::Bishop), (24, 20));
        assert_eq!(count(PieceKind::Unicorn), (32, 28));
        assert_eq!(count(PieceKind::Dragon), (16, 16));
        assert_eq!(count(PieceKind::Princess), (32, 27));
        assert_eq!(count(PieceKind::Queen), (80, 71));
        assert_eq!(count(PieceKind::Knight), (48, 40));
    }

    #[test]
    fn castling_moves_the_rook_and_clears_both_flags() {
        let mut state = parse("[4k3/8/8/8/8/8/8/R*3K*2R*:0:1:w]");
        state.play(&read_action(&state, "Ke1g1"));
        assert_eq!(state, parse("[4k3/8/8/8/8/8/8/R*3K*2R*:0:1:w] [4k3/8/8/8/8/8/8/R*4RK1:0:1:b]"));

        let attacked = parse("[4k1r1/8/8/8/8/8/8/R*3K*2R*:0:1:w]").moves();
        let castlings = attacked.iter().filter(|m| m.from.square.file().abs_diff(m.to.square.file()) == 2);
        let king = Square::new(4, 0).unwrap();
        assert_eq!(castlings.filter(|m| m.from.square == king).count(), 1, "the king may not land on g1");

        let near = "[3k2/6/6/6/6/R*1K*3:0:1:w]";
        let mut state = parse(near);
        state.play(&read_action(&state, "Kc1a1"));
        assert_eq!(state, parse(&format!("{near} [3k2/6/6/6/6/KR4:0:1:b]")));

        let strict = RuleProfile { castling_at_distance_two: false, ..RuleProfile::default() };
        assert_eq!(parse_with(near, strict).moves().len() + 1, parse(near).moves().len());
        let far = "[4k3/8/8/8/8/8/8/4K*2R*:0:1:w]";
        assert_eq!(parse_with(far, strict).moves(), parse(far).moves());
    }

    #[test]
    fn en_passant_removes_the_victim() {
        let past = "[4k3/3p*4/8/4P3/8/8/8/3K4:0:1:w] [4k3/3p*4/8/4P3/8/8/8/4K3:0:1:b]
                    [4k3/8/8/3pP3/8/8/8/4K3:0:2:w]";
        let mut state = parse(past);
        state.play(&read_action(&state, "e5d6"));
        assert_eq!(state, parse(&format!("{past} [4k3/8/3P4/8/8/8/8/4K3:0:2:b]")));
    }

    #[test]
    fn promotions_are_those_of_the_profile() {
        let count = |promotions| {
            let profile = RuleProfile { promotions, ..RuleProfile::default() };
            let moves = parse_with("[1r2k/P4/5/5/4K:0:1:w]", profile).moves();
            (moves.len(), moves.iter().filter(|m| m.promotion.is_some()).count())
        };
        assert_eq!(count(Promotions::QUEEN), (5, 2));
        assert_eq!(count(Promotions::QUEEN.with(PieceKind::Knight).expect("allowed")), (7, 4));
        assert_eq!(count(Promotions::NONE), (3, 0));
    }

    #[test]
    fn a_pawn_already_on_its_last_rank_does_not_promote() {
        let state = parse("[3/3/3:-0:1:w] [P2/3/3:+0:1:w]");
        let moves: Vec<_> = state.moves().into_iter().map(|m| (m.kind, m.promotion)).collect();
        assert_eq!(moves, [(MoveKind::Hop, None)]);
    }

    #[test]
    fn a_pawn_that_cannot_promote_still_attacks() {
        let profile = RuleProfile { promotions: Promotions::NONE, ..RuleProfile::default() };
        let state = parse_with("[4k/5/5/1p3/3K1:0:1:w]", profile);
        assert_eq!(state.legal_actions(100).expect("few").len(), 4);
    }

    #[test]
    fn a_jump_to_a_board_that_has_advanced_is_a_branch() {
        let mut state = parse("[k2/3/2R:-0:1:w] [k2/3/N2:+0:1:w]");
        let before = read_move(&state, "(-0T1)Rc1>(+0T1)c1");
        state.play_move(&read_move(&state, "(+0T1)Na1b3"));
        let after = read_move(&state, "(-0T1)Rc1>>(+0T1)c1");
        assert!(!state.moves().contains(&before));
        state.play_move(&after);
        let boards = "[k2/3/2R:-0:1:w] [k2/3/3:-0:1:b] [k2/3/N2:+0:1:w] [kN1/3/3:+0:1:b] [k2/3/N1R:+1:1:b]";
        assert!(state.boards().eq(parse(boards).boards()));
    }
}
