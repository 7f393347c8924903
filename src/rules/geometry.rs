//! Sets of squares, and the steps that shift them.

/// A step on a board: (files, ranks).
pub(super) type Shift = (i8, i8);

/// The nine steps on a board: none, the four along one axis, the four along two.
pub(super) const SHIFTS: [Shift; 9] =
    [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The number of axes that each of [`SHIFTS`] changes.
pub(super) const fn axes_of_shift(shift: usize) -> usize {
    match shift {
        0 => 0,
        1..=4 => 1,
        _ => 2,
    }
}

/// Moves every square of a set by a step of at most two files and two ranks; squares that leave 8x8 are dropped.
#[inline(always)]
pub(super) const fn shifted(set: u64, step: Shift) -> u64 {
    set.rotate_left((step.0 + 8 * step.1) as u32 & 63) & arrivals(step)
}

/// Moves the n-th set by the n-th of [`SHIFTS`].
#[inline(always)]
pub(super) fn shifted_all(sets: &[u64; 9]) -> [u64; 9] {
    // Written out so that every rotation and mask is a constant.
    [
        sets[0],
        shifted(sets[1], SHIFTS[1]),
        shifted(sets[2], SHIFTS[2]),
        shifted(sets[3], SHIFTS[3]),
        shifted(sets[4], SHIFTS[4]),
        shifted(sets[5], SHIFTS[5]),
        shifted(sets[6], SHIFTS[6]),
        shifted(sets[7], SHIFTS[7]),
        shifted(sets[8], SHIFTS[8]),
    ]
}

/// The parts of the sets that are within `mask`.
#[inline(always)]
pub(super) fn within(sets: &[u64; 9], mask: u64) -> [u64; 9] {
    // A loop, since `array::map` is a call in builds without link-time optimization.
    let mut parts = *sets;
    for part in &mut parts {
        *part &= mask;
    }
    parts
}

/// For each square and each of [`SHIFTS`]: the squares from which zero or more of these steps lead there.
pub(super) const LINES_TO: [[u64; 9]; 64] = {
    let mut table = [[0; 9]; 64];
    let mut i = 0;
    while i < 64 * 9 {
        let (square, shift) = (i / 9, i % 9);
        let (files, ranks) = SHIFTS[shift];
        let mut from = 1 << square;
        while from & !table[square][shift] != 0 {
            table[square][shift] |= from;
            from = shifted(from, (-files, -ranks));
        }
        i += 1;
    }
    table
};

/// The union of [`LINES_TO`] for these squares.
pub(super) fn lines_to(mut squares: u64) -> [u64; 9] {
    let mut lines = [0; 9];
    while squares != 0 {
        let more = &LINES_TO[squares.trailing_zeros() as usize];
        for (index, line) in lines.iter_mut().enumerate() {
            *line |= more[index];
        }
        squares &= squares - 1;
    }
    lines
}

/// The union of the sets.
#[inline(always)]
pub(super) fn union(sets: &[u64; 9]) -> u64 {
    sets.iter().fold(0, |union, set| union | set)
}

/// The squares of 8x8 on which a step can end.
#[inline(always)]
const fn arrivals((files, ranks): Shift) -> u64 {
    // A table, since not every caller's step is a constant.
    const TABLE: [[u64; 5]; 5] = {
        const COLUMNS: [u64; 5] = [0x3f, 0x7f, 0xff, 0xfe, 0xfc];
        let mut table = [[0; 5]; 5];
        let mut i = 0;
        while i < 25 {
            let rows = COLUMNS[i / 5] * 0x0101_0101_0101_0101;
            let up = 8 * (i % 5) as u32;
            table[i / 5][i % 5] = if up >= 16 { rows << (up - 16) } else { rows >> (16 - up) };
            i += 1;
        }
        table
    };
    TABLE[(files + 2) as usize][(ranks + 2) as usize]
}

/// The bit `count` steps before `bit`, which must lie on the board.
pub(super) const fn step_back(bit: u64, step: Shift, count: i16) -> u64 {
    bit.rotate_right(((step.0 as i16 + 8 * step.1 as i16) * count) as u32 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn shifting_a_set_is_moving_each_square() {
        for step in (-2..=2).flat_map(|files| (-2..=2).map(move |ranks| (files, ranks))) {
            for index in 0..64 {
                let square = Square::from_index(index);
                let expected = square.offset(step.0, step.1).map_or(0, Square::bit);
                assert_eq!(shifted(square.bit(), step), expected, "{square} {step:?}");
                if expected != 0 {
                    assert_eq!(step_back(expected, step, 1), square.bit());
                }
            }
        }
    }
}
