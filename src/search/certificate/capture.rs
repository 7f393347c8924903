//! The needs of one capture of a royal piece.
//!
//! Each condition concerns a single board. That is why threats are useful: whether a capture is still possible after
//! an action can be decided for each board separately.

use std::collections::BTreeMap;

use super::Threat;
use super::looks::{Held, Looks};
use crate::state::{Board, Multiverse, Position, squares_of};
use crate::types::{Because, BoardCoordinate, Color, Coordinate, HalfTurn, PieceKind, Square, Timeline};

/// The length of a move along each axis: files, ranks, turns, timelines.
type Distance = [i16; 4];

/// A condition on one board for a capture to be possible.
#[derive(Clone, Copy, Debug)]
pub(super) enum Need {
    /// A piece of this colour that can go so far. The board must be the last of its timeline.
    Capturer(Color, Square, Distance),
    /// An empty square.
    Empty(Square),
    /// A royal piece of this colour.
    Royal(Color, Square),
}

impl Need {
    /// Whether a board shows it.
    pub(super) fn is_met(&self, board: &Board) -> bool {
        match *self {
            Need::Capturer(color, square, distance) => {
                board.by_color(color) & square.bit() != 0
                    && board.get(square).is_some_and(|it| goes(it.kind, color, distance))
            }
            Need::Empty(square) => board.occupied() & square.bit() == 0,
            Need::Royal(color, square) => board.royals() & board.by_color(color) & square.bit() != 0,
        }
    }
}

impl Threat {
    /// The way from the capturer to the royal piece; `None` if it is longer than any board is large.
    fn distance(&self) -> Option<Distance> {
        let Threat { from, to } = *self;
        Some(distance_to(from.square, to.square, distance(from.board, to.board)?))
    }

    /// Whether such a piece captures that far, if nothing stands between.
    pub(super) fn is_reached_by(&self, kind: PieceKind, color: Color) -> bool {
        self.distance().is_some_and(|distance| goes(kind, color, distance))
    }

    /// Whether the player to move can make this capture.
    pub(super) fn stands(&self, position: &Position) -> bool {
        let is_met = |(at, need): (_, Need)| position.board(at).is_some_and(|board| need.is_met(board));
        let is_last = position.playable(self.from.board.timeline) == Some(self.from.board);
        let needs = self.needs(position.to_move(), position.profile().time_travel);
        is_last && needs.is_some_and(|mut needs| needs.all(is_met))
    }

    /// The needs of the capture with their boards, the capturer first; `None` when no piece of `attacker` ever captures so.
    pub(super) fn needs(
        &self,
        attacker: Color,
        time_travel: bool,
    ) -> Option<impl Iterator<Item = (BoardCoordinate, Need)> + use<>> {
        let Threat { from, to } = *self;
        let distance = self.distance()?;
        let same_board = from.board == to.board;
        if from.board.color() != attacker || to.board.color() != attacker || !same_board && !time_travel {
            return None;
        }
        let [files, ranks, turns, timelines] = distance;
        let longest = files.abs().max(ranks.abs()).max(turns.abs()).max(timelines.abs());
        // Leaps that are no straight line have nothing between; whether a piece can make them is for the capturer to say.
        let is_even = |d: i16| d == 0 || d.abs() == longest;
        let straight = is_even(files) && is_even(ranks) && is_even(turns) && is_even(timelines);
        let between = if straight { 1..longest } else { 0..0 };
        let crossed = between.map(move |count| {
            let step = |d: i16| d.signum() * count;
            let square = from.square.offset(step(files) as i8, step(ranks) as i8);
            let square = square.expect("between two squares of a board");
            let timeline = Timeline(from.board.timeline.0 + step(timelines));
            let half_turn = HalfTurn(from.board.half_turn.0 + 2 * step(turns));
            (BoardCoordinate { timeline, half_turn }, Need::Empty(square))
        });
        let capturer = (from.board, Need::Capturer(attacker, from.square, distance));
        let royal = (to.board, Need::Royal(!attacker, to.square));
        Some(std::iter::once(capturer).chain(crossed).chain(std::iter::once(royal)))
    }
}

/// Whether a piece of this kind captures that far, if nothing stands between.
fn goes(kind: PieceKind, color: Color, distance: Distance) -> bool {
    // Written out, since much of the time of a check goes into this.
    let [files, ranks, turns, timelines] = distance;
    let [a, b, c, d] =
        [files.unsigned_abs(), ranks.unsigned_abs(), turns.unsigned_abs(), timelines.unsigned_abs()];
    let longest = a.max(b).max(c).max(d);
    let is_even = |length: u16| (length == 0) | (length == longest);
    if !(is_even(a) & is_even(b) & is_even(c) & is_even(d)) {
        return kind == PieceKind::Knight && longest == 2 && a + b + c + d == 3;
    }
    let axes = u8::from(a != 0) + u8::from(b != 0) + u8::from(c != 0) + u8::from(d != 0);
    match kind {
        PieceKind::Rook => axes == 1,
        PieceKind::Bishop => axes == 2,
        PieceKind::Unicorn => axes == 3,
        PieceKind::Dragon => axes == 4,
        PieceKind::Princess => axes == 1 || axes == 2,
        PieceKind::Queen | PieceKind::RoyalQueen => axes > 0,
        PieceKind::King | PieceKind::CommonKing => longest == 1,
        PieceKind::Knight => false,
        PieceKind::Pawn | PieceKind::Brawn => {
            let up = ranks * i16::from(color.rank_forward());
            let across = timelines * i16::from(color.timeline_forward());
            let plain = files != 0 && ranks != 0 || turns != 0 && timelines != 0;
            let forward = up.min(across) == 0 && up.max(across) == 1 || (up, across) == (1, 1);
            longest == 1 && axes == 2 && forward && (plain || kind == PieceKind::Brawn)
        }
    }
}

/// Every royal piece of the opponent that the player to move could capture. Eight pairs of pieces cost a look.
pub(super) fn threats_of(position: &Position, looks: &Looks<'_>) -> Result<Vec<Threat>, Because> {
    let mut threats = Vec::new();
    visit_threats(position, looks, |threat| {
        threats.push(threat);
        false
    })?;
    Ok(threats)
}

/// One of [`threats_of`].
pub(super) fn first_threat(position: &Position, looks: &Looks<'_>) -> Result<Option<Threat>, Because> {
    let mut first = None;
    visit_threats(position, looks, |threat| {
        first = Some(threat);
        true
    })?;
    Ok(first)
}

/// Shows the captures of royal pieces by the player to move, until one is `enough`.
fn visit_threats(
    position: &Position,
    looks: &Looks<'_>,
    mut enough: impl FnMut(Threat) -> bool,
) -> Result<(), Because> {
    let (multiverse, attacker) = (position.multiverse(), position.to_move());
    looks.charge(multiverse.timelines().count())?;
    let targets = royals(multiverse, !attacker);
    let royals: u32 = targets.iter().map(|(_, squares)| squares.count_ones()).sum();
    for (board, content) in multiverse.ends().filter(|(at, _)| at.color() == attacker) {
        let pieces = content.by_color(attacker);
        looks.charge(pieces.count_ones() as usize * (1 + royals as usize / 8))?;
        let ended = targets.iter().any(|&(target, royals)| {
            squares_of(royals).map(|square| Coordinate { board: target, square }).any(|to| {
                squares_of(pieces & sources_of(board, to)).any(|square| {
                    let threat = Threat { from: Coordinate { board, square }, to };
                    let kind = content.get(square).expect("one of the attacker's pieces").kind;
                    threat.is_reached_by(kind, attacker) && threat.stands(position) && enough(threat)
                })
            })
        });
        if ended {
            break;
        }
    }
    Ok(())
}

/// The boards on which a player's royal pieces can be captured, with their squares: those on which the opponent is to move.
pub(super) fn royals(multiverse: &Multiverse, color: Color) -> Vec<(BoardCoordinate, u64)> {
    let mut targets = Vec::new();
    for timeline in multiverse.timelines() {
        // By index, since much of the time of a check goes into this.
        let Some((start, boards)) = multiverse.timeline_boards(timeline.0) else { continue };
        let first = usize::from(HalfTurn(start).color() == color);
        for index in (first..boards.len()).step_by(2) {
            let squares = boards[index].royals() & boards[index].by_color(color);
            if squares != 0 {
                let half_turn = HalfTurn(start + index as i16);
                targets.push((BoardCoordinate { timeline, half_turn }, squares));
            }
        }
    }
    targets
}

/// The pieces of a player that may stand on a board.
#[derive(Default)]
pub(super) struct Pieces {
    /// By kind, the squares.
    kinds: [u64; PieceKind::ALL.len()],
}

impl Pieces {
    /// Those of a player on a board.
    pub(super) fn of(board: &Board, color: Color) -> Pieces {
        let mut pieces = Pieces::default();
        pieces.add(board, color);
        pieces
    }

    /// Adds those of a player on a board.
    pub(super) fn add(&mut self, board: &Board, color: Color) {
        for square in squares_of(board.by_color(color)) {
            let kind = board.get(square).expect("a piece of this colour").kind;
            self.kinds[kind as usize] |= square.bit();
        }
    }

    /// The kinds of which one may capture on a board so many turns and timelines away, with their squares.
    fn reaching(&self, away: [i16; 2]) -> impl Iterator<Item = (PieceKind, u64)> {
        let of_kind = |kind: PieceKind| (kind, self.kinds[kind as usize]);
        let may_capture = move |(kind, squares): &(PieceKind, u64)| *squares != 0 && reaches(*kind, away);
        PieceKind::ALL.into_iter().map(of_kind).filter(may_capture)
    }
}

/// The captures of royal pieces that a player could make if nothing stood between, by the boards of the pieces and of the royal pieces. Eight
/// pairs of them cost a look, and the list is held.
pub(super) fn captures(
    pieces: &BTreeMap<BoardCoordinate, Pieces>,
    royals: &BTreeMap<BoardCoordinate, u64>,
    color: Color,
    looks: &Looks<'_>,
    held: &mut Held<'_>,
) -> Result<Vec<Threat>, Because> {
    // Pairs of boards, of kinds and royal pieces, and of squares.
    let (mut captures, mut pairs) = (Vec::new(), 0);
    let mut reaching = Vec::new();
    for (&board, pieces) in pieces {
        for (&target, &royal) in royals {
            pairs += 1;
            let Some(away) = distance(board, target) else { continue };
            reaching.clear();
            reaching.extend(pieces.reaching(away));
            let before = captures.len();
            let royal = if reaching.is_empty() { 0 } else { royal };
            for to in squares_of(royal) {
                let near = sources(to, away);
                let mut capturers = 0;
                for &(kind, squares) in &reaching {
                    let captures = |from: &Square| goes(kind, color, distance_to(*from, to, away));
                    pairs += 1 + (squares & near).count_ones() as usize;
                    capturers |=
                        squares_of(squares & near).filter(captures).fold(0, |all, from| all | from.bit());
                }
                let to = Coordinate { board: target, square: to };
                captures.extend(
                    squares_of(capturers).map(|square| Threat { from: Coordinate { board, square }, to }),
                );
            }
            looks.charge(pairs / 8)?;
            pairs %= 8;
            held.take(size_of_val(&captures[before..]))?;
        }
    }
    Ok(captures)
}

/// The turns and timelines from one board to another; `None` if they are more than any board is large.
fn distance(from: BoardCoordinate, to: BoardCoordinate) -> Option<[i16; 2]> {
    let half_turns = to.half_turn.0.checked_sub(from.half_turn.0)?;
    Some([half_turns / 2, to.timeline.0.checked_sub(from.timeline.0)?])
}

/// The distance between two squares whose boards are so many turns and timelines apart.
fn distance_to(from: Square, to: Square, [turns, timelines]: [i16; 2]) -> Distance {
    let files = i16::from(to.file()) - i16::from(from.file());
    [files, i16::from(to.rank()) - i16::from(from.rank()), turns, timelines]
}

/// Whether a piece of this kind may capture on a board so many turns and timelines away.
fn reaches(kind: PieceKind, away: [i16; 2]) -> bool {
    let [turns, timelines] = away.map(i16::unsigned_abs);
    let is_straight = turns == 0 || timelines == 0 || turns == timelines;
    match kind {
        PieceKind::Rook => turns == 0 || timelines == 0,
        PieceKind::Knight => turns + timelines <= 3,
        PieceKind::King | PieceKind::CommonKing | PieceKind::Pawn | PieceKind::Brawn => {
            turns.max(timelines) <= 1
        }
        PieceKind::Unicorn => is_straight && turns + timelines > 0,
        PieceKind::Dragon => turns == timelines && turns > 0,
        PieceKind::Bishop | PieceKind::Princess | PieceKind::Queen | PieceKind::RoyalQueen => is_straight,
    }
}

/// The squares of a board from which a piece may capture there: all from which some piece does, and others. Asking each piece would take
/// most of the time of a check.
fn sources_of(board: BoardCoordinate, to: Coordinate) -> u64 {
    distance(board, to.board).map_or(0, |away| sources(to.square, away))
}

/// The same, of a board so many turns and timelines away.
fn sources(to: Square, away: [i16; 2]) -> u64 {
    let [turns, timelines] = [away[0].unsigned_abs(), away[1].unsigned_abs()];
    let longest = turns.max(timelines);
    let beside = |length: u16| BESIDE[usize::from(length).min(8)][to.index()];
    if longest == 0 {
        return ON_BOARD[to.index()];
    }
    // A rider changes the other axes by as much, or not at all. A knight changes all by three in sum.
    let rides = turns.min(timelines) == 0 || turns == timelines;
    (if rides { beside(longest) } else { 0 }) | if longest <= 2 { beside(3 - longest) } else { 0 }
}

/// By distance and square, the squares whose file is the same or so many away, and whose rank is so too. No board has squares that are 8 away.
const BESIDE: [[u64; 64]; 9] = {
    let mut beside = [[0; 64]; 9];
    let mut index = 0;
    while index < 9 * 64 {
        let (away, square) = (index / 64, index % 64);
        let file = 1u64 << (square % 8);
        let files = if away < 8 { (file | file << away | file >> away) & 0xff } else { file };
        let row = files << (square - square % 8);
        beside[away][square] = if away < 8 { row | row << (8 * away) | row >> (8 * away) } else { row };
        index += 1;
    }
    beside
};

/// By square, those from which some piece captures there on the same board: in a straight line, or as a knight.
const ON_BOARD: [u64; 64] = {
    let mut squares = [0; 64];
    let mut index: usize = 0;
    while index < 64 * 64 {
        let (from, to) = (index / 64, index % 64);
        let (files, ranks) = ((from % 8).abs_diff(to % 8), (from / 8).abs_diff(to / 8));
        if files == 0 || ranks == 0 || files == ranks || files + ranks == 3 {
            squares[to] |= 1u64 << from;
        }
        index += 1;
    }
    squares
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardSize, HalfTurn, Piece};

    /// The attacker captures from and on boards on which it is to move, and between boards only by travel through time.
    #[test]
    fn a_capture_is_between_boards_of_the_attacker() {
        use Color::{Black, White};
        let square = Square::new(0, 0).expect("a square");
        let at = |timeline, color| Coordinate {
            board: BoardCoordinate { timeline: Timeline(timeline), half_turn: HalfTurn::new(1, color) },
            square,
        };
        for (from, to, time_travel, is_possible) in [
            (at(0, White), at(1, White), true, true),
            (at(0, White), at(1, White), false, false),
            (at(0, White), at(0, White), false, true),
            (at(0, White), at(1, Black), true, false),
            (at(0, Black), at(1, White), true, false),
            (at(0, Black), at(1, Black), true, false),
        ] {
            let needs = Threat { from, to }.needs(White, time_travel);
            assert_eq!(needs.is_some(), is_possible, "{from:?} to {to:?}");
        }
    }

    /// Many boards full of queens and many full of kings: the list of captures ends with the memory or the looks.
    #[test]
    fn the_captures_of_many_boards_are_paid_for() {
        let at = |timeline| BoardCoordinate {
            timeline: Timeline(timeline),
            half_turn: HalfTurn::new(1, Color::White),
        };
        let mut full = Board::empty(BoardSize::new(8, 8).expect("a size"));
        let queen = Piece { color: Color::White, kind: PieceKind::Queen };
        squares_of(u64::MAX).for_each(|square| full.put(square, queen, false));
        let pieces: BTreeMap<_, _> = (0..60).map(|n| (at(n), Pieces::of(&full, Color::White))).collect();
        let royals: BTreeMap<_, _> = (-60..0).map(|n| (at(n), u64::MAX)).collect();
        let list = |looks: Looks<'_>| captures(&pieces, &royals, Color::White, &looks, &mut looks.hold());
        let all = list(Looks::within(u64::MAX)).expect("enough looks").len();
        assert!(all > 200_000, "{all}");
        assert_eq!(list(Looks::within(u64::MAX).with_memory(1 << 20)), Err(Because::Memory));
        assert_eq!(list(Looks::within(all as u64 / 8)), Err(Because::Budget));
    }

    /// The squares and boards that are left out are no source of a capture.
    #[test]
    fn every_capture_comes_from_a_source() {
        let squares = || squares_of(u64::MAX);
        let kinds = PieceKind::ALL;
        let mut captured = 0;
        for (turns, timelines) in (-9..=9).flat_map(|turns| (-9..=9).map(move |timelines| (turns, timelines)))
        {
            for (from, to) in squares().flat_map(|from| squares().map(move |to| (from, to))) {
                let files = i16::from(to.file()) - i16::from(from.file());
                let ranks = i16::from(to.rank()) - i16::from(from.rank());
                let away = [turns, timelines];
                let captures = |kind: &PieceKind| {
                    [Color::White, Color::Black]
                        .iter()
                        .any(|color| goes(*kind, *color, [files, ranks, turns, timelines]))
                };
                for kind in kinds.into_iter().filter(captures) {
                    captured += 1;
                    let is_source = reaches(kind, away) && sources(to, away) & from.bit() != 0;
                    assert!(is_source, "{kind:?} from {from} to {to}, {away:?} turns and timelines away");
                }
            }
        }
        assert!(captured > 10_000, "{captured}");
    }
}
