//! Batches for machine learning: boards as planes, moves as tables, random play-outs. `worldlines/learn.py` makes arrays of the bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use worldlines::types::{BoardCoordinate, Color, Coordinate, Limit, MoveKind, PieceKind, Status};

use crate::errors::undecided;
use crate::values::Position;
use crate::work::{deadline, run};

/// The planes of a board: one for each kind and colour, one for pieces that have not moved, one for the squares of the board.
const PLANES: usize = 2 * PieceKind::ALL.len() + 2;
/// The most bytes of a batch.
const MOST: usize = 2 << 30;
/// The most play-outs of a call.
const MOST_GAMES: usize = 1 << 26;
/// The search steps for an action of a play-out.
const STEPS: u64 = 100_000;

/// The names of the planes.
#[pyfunction]
pub fn plane_names() -> Vec<String> {
    let pieces = Color::ALL.into_iter().flat_map(|color| {
        PieceKind::ALL.into_iter().map(move |kind| worldlines::types::Piece { color, kind }.to_string())
    });
    pieces.chain(["unmoved".to_owned(), "board".to_owned()]).collect()
}

/// The names of the kinds of pieces, in the order of their numbers.
#[pyfunction]
pub fn piece_names() -> Vec<&'static str> {
    PieceKind::ALL.into_iter().map(PieceKind::name).collect()
}

/// The boards of a batch: all of each position, or the last of each timeline.
struct Batch {
    positions: Vec<Arc<worldlines::Position>>,
    width: usize,
    height: usize,
    /// The boards, with the index of their position.
    rows: Vec<(usize, BoardCoordinate)>,
    /// The row where the boards of each position begin.
    begins: Vec<usize>,
}

impl Batch {
    fn new(positions: Vec<Position>, last_only: bool) -> PyResult<Batch> {
        let positions: Vec<_> = positions.into_iter().map(|position| position.0).collect();
        let (mut width, mut height, mut rows, mut begins) = (0, 0, Vec::new(), Vec::new());
        for (index, position) in positions.iter().enumerate() {
            width = width.max(usize::from(position.size().width()));
            height = height.max(usize::from(position.size().height()));
            begins.push(rows.len());
            let multiverse = position.multiverse();
            if last_only {
                rows.extend(multiverse.ends().map(|(at, _)| (index, at)));
            } else {
                rows.extend(multiverse.boards().map(|(at, _)| (index, at)));
            }
        }
        begins.push(rows.len());
        let bytes = rows.len().checked_mul(PLANES * width * height);
        if bytes.is_none_or(|bytes| bytes > MOST) {
            return Err(PyValueError::new_err(
                "this batch has too many boards: give fewer positions at once",
            ));
        }
        Ok(Batch { positions, width, height, rows, begins })
    }

    /// The row of a board.
    fn row(&self, index: usize, at: BoardCoordinate) -> Option<usize> {
        let (begin, end) = (self.begins[index], self.begins[index + 1]);
        // Boards stand by timeline and time.
        let found = self.rows[begin..end].binary_search_by_key(&at, |&(_, board)| board);
        found.ok().map(|row| begin + row)
    }

    fn square(&self, at: Coordinate) -> usize {
        usize::from(at.square.rank()) * self.width + usize::from(at.square.file())
    }
}

/// The planes of boards, `(rows, planes, height, width)` of bytes, and a row of six 32-bit numbers for each board: position, timeline,
/// turn, player (0 White), and whether it is playable (1), mandatory (2) and on an active timeline (4), and 1 if it is the last of its
/// timeline.
#[pyfunction]
pub fn planes<'py>(
    py: Python<'py>,
    positions: Vec<Position>,
    last_only: bool,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, [usize; 4])> {
    let batch = Batch::new(positions, last_only)?;
    let (planes, index) = run(py, None, |_| {
        let area = batch.width * batch.height;
        let mut planes = vec![0_u8; batch.rows.len() * PLANES * area];
        let mut index = Vec::with_capacity(batch.rows.len() * 24);
        for (row, &(which, at)) in batch.rows.iter().enumerate() {
            let position = &batch.positions[which];
            let Some(board) = position.board(at) else { continue };
            let of_row = &mut planes[row * PLANES * area..(row + 1) * PLANES * area];
            for (square, piece) in board.pieces() {
                let place = batch.square(Coordinate { board: at, square });
                let plane = piece.color.index() * PieceKind::ALL.len() + piece.kind as usize;
                of_row[plane * area + place] = 1;
                of_row[(PLANES - 2) * area + place] = u8::from(board.is_unmoved(square));
            }
            for rank in 0..usize::from(position.size().height()) {
                let begin = (PLANES - 1) * area + rank * batch.width;
                of_row[begin..begin + usize::from(position.size().width())].fill(1);
            }
            let last = position.multiverse().last(at.timeline).is_some_and(|(end, _)| end == at.half_turn);
            let playable = position.playable(at.timeline) == Some(at);
            let active = position.multiverse().active().contains(at.timeline);
            let mandatory = playable && active && at.half_turn == position.present();
            let flags = i32::from(playable) + 2 * i32::from(mandatory) + 4 * i32::from(active);
            let turn = i32::from(at.half_turn.turn());
            let player = at.color().index() as i32;
            let numbers = [which as i32, i32::from(at.timeline.0), turn, player, flags, i32::from(last)];
            index.extend(numbers.into_iter().flat_map(i32::to_ne_bytes));
        }
        (planes, index)
    })?;
    let shape = [batch.rows.len(), PLANES, batch.height, batch.width];
    Ok((PyBytes::new(py, &planes), PyBytes::new(py, &index), shape))
}

/// The moves of positions, a row of seven 32-bit numbers for each: position, row and square of the origin, row and square of the target,
/// kind of the promotion or -1, and 0, 1 or 2 for a physical move, a hop or a branch. Rows are those of [`planes`]; a target that is not
/// among them has the row -1. With `legal` only moves with which a legal action can begin.
#[pyfunction]
pub fn move_table<'py>(
    py: Python<'py>,
    positions: Vec<Position>,
    last_only: bool,
    legal: bool,
    time: Option<f64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let end = deadline(time)?;
    let batch = Batch::new(positions, last_only)?;
    let table = run(py, end, |stop| {
        let mut table = Vec::new();
        for (index, position) in batch.positions.iter().enumerate() {
            let moves = if legal {
                let partial = worldlines::PartialAction::new((**position).clone());
                partial.legal_moves_within(Limit::NONE.stopping_on(stop))?
            } else {
                position.pseudo_legal_moves()
            };
            for m in moves {
                let row = |at| batch.row(index, at).map_or(-1, |row| row as i32);
                let kind = match m.kind {
                    MoveKind::Physical => 0,
                    MoveKind::Hop => 1,
                    MoveKind::Branch => 2,
                };
                let numbers = [
                    index as i32,
                    row(m.from.board),
                    batch.square(m.from) as i32,
                    row(m.to.board),
                    batch.square(m.to) as i32,
                    m.promotion.map_or(-1, |kind| kind as i32),
                    kind,
                ];
                table.extend(numbers.into_iter().flat_map(i32::to_ne_bytes));
            }
        }
        Ok(table)
    })?;
    table.map(|table| PyBytes::new(py, &table)).map_err(|error| undecided(py, &error))
}

/// Numbers that look random and are the same everywhere (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is at most a few thousand, so that the unevenness is beyond notice.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }
}

/// The end of a play-out: its result for White, and the number of actions.
#[derive(Clone, Copy, Default)]
struct Played {
    result: i8,
    ended: u8,
    actions: u16,
}

/// Plays random legal actions: each is one of the first `width` that are listed.
fn play_out(
    position: &worldlines::Position,
    random: &mut Random,
    most: u16,
    width: usize,
    stop: &AtomicBool,
) -> Played {
    let mut position = position.clone();
    let mut actions = 0;
    loop {
        if actions == most || stop.load(Ordering::Relaxed) {
            return Played { actions, ..Played::default() };
        }
        // The list goes only as far as the chosen action. If it is shorter, one of it is chosen anew, so that each is as likely.
        let wanted = random.below(width);
        let mut list = position.legal_actions().within(Limit::steps(STEPS).stopping_on(stop));
        let first: Vec<worldlines::Action> = list.by_ref().take(wanted + 1).collect();
        if first.is_empty() {
            if list.end() != Some(Ok(())) {
                return Played { actions, ..Played::default() };
            }
            let status = if position.is_in_check() { Status::Checkmate } else { Status::Stalemate };
            let result = match (status, position.to_move()) {
                (Status::Checkmate, Color::White) => -1,
                (Status::Checkmate, Color::Black) => 1,
                _ => 0,
            };
            return Played { result, ended: 1, actions };
        }
        drop(list);
        let chosen = first.get(wanted).unwrap_or_else(|| &first[random.below(first.len())]);
        if position.play(chosen).is_err() {
            return Played { actions, ..Played::default() };
        }
        actions += 1;
    }
}

/// Plays `count` games from each position. Returns results for White, whether a game ended, and its number of actions (16 bits).
#[pyfunction]
pub fn playouts<'py>(
    py: Python<'py>,
    positions: Vec<Position>,
    count: usize,
    seed: u64,
    most: u16,
    width: usize,
    threads: usize,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let games = positions.len().checked_mul(count).filter(|&games| games <= MOST_GAMES);
    let games =
        games.ok_or_else(|| PyValueError::new_err("this is more play-outs than memory has room for"))?;
    if width == 0 || width > 4096 {
        return Err(PyValueError::new_err("expected a width from 1 to 4096"));
    }
    let wanted = if threads == 0 { thread::available_parallelism().map_or(1, usize::from) } else { threads };
    let threads = wanted.min(games).clamp(1, 256);
    let positions: Vec<_> = positions.into_iter().map(|position| position.0).collect();
    let played = run(py, None, |stop| {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut mine = Vec::new();
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= games || stop.load(Ordering::Relaxed) {
                    return mine;
                }
                // Each game has numbers of its own, so that threads change nothing.
                let mut random = Random(seed ^ Random(game as u64).next());
                random.next();
                mine.push((game, play_out(&positions[game / count], &mut random, most, width, stop)));
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut all = vec![Played::default(); games];
            let mut keep =
                |part: Vec<(usize, Played)>| part.into_iter().for_each(|(game, it)| all[game] = it);
            keep(work());
            for worker in workers {
                match worker.join() {
                    Ok(part) => keep(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    })?;
    let results: Vec<u8> = played.iter().map(|game| game.result.to_ne_bytes()[0]).collect();
    let ended: Vec<u8> = played.iter().map(|game| game.ended).collect();
    let actions: Vec<u8> = played.iter().flat_map(|game| game.actions.to_ne_bytes()).collect();
    Ok((PyBytes::new(py, &results), PyBytes::new(py, &ended), PyBytes::new(py, &actions)))
}
