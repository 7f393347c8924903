//! Products of sets of values, and the depth-first walk through the remainders that cutting leaves.
//!
//! A cuboid gives every axis a set of values, kept as bits in words. The walk holds one current cuboid; whatever it cuts
//! off or splits is done in place and restored from a trail, so memory stays in proportion to the depth.
//!
//! # Going back further than one step
//!
//! Two independent reasons for illegality would multiply the work: for each remainder of the first, the walk would visit
//! all those of the second. So the walk remembers which frames caused a dead end (the *blame*). A cuboid is a dead
//! end because values are missing, and every missing value was taken away by one of the frames (or is banned, or was
//! never there). If the topmost frame did not cause the dead end, the cuboid was already a dead end before that frame
//! divided it, and the other remainders of the frame are skipped.

use std::ops::Range;

use crate::rules::meter::Meter;
use crate::types::{Limit, Undecided};

/// The current cuboid and the way back.
#[derive(Default)]
pub(super) struct Walk {
    domain: Vec<u64>,
    /// Values that are impossible in every cuboid, now and later.
    banned: Vec<u64>,
    /// The values that were taken away, by word.
    trail: Vec<(u32, u64)>,
    frames: Vec<Frame>,
    /// For each frame, the set of frames below it that caused the dead ends among its cuboids so far.
    blame: Vec<u64>,
    /// The frames that caused the current dead end.
    culprits: Vec<u64>,
    /// The values whose absence makes the current cuboid a dead end.
    missing: Vec<u64>,
    sets: Vec<AxisSet>,
    set_words: Vec<u64>,
    /// The work since it was last taken, in the units of [`Meter::work`].
    work: usize,
}

/// Some values of one axis.
#[derive(Clone, Copy)]
struct AxisSet {
    /// The axis's first word in the domain.
    domain: usize,
    /// The set's first word in `set_words`.
    words: usize,
    len: usize,
    /// Whether the next set belongs to another alternative.
    ends_alternative: bool,
}

/// A place where the walk left a cuboid for the first of several others: remainders or alternatives.
struct Frame {
    kind: FrameKind,
    /// Into `sets`.
    sets: Range<usize>,
    /// The first set that has not been used.
    next: usize,
    /// The beginning of the trail of the cuboid that the walk went into.
    trail: usize,
    /// The beginning of the trail of the frame: first the part that its cuboids share, then the cuboid.
    first_trail: usize,
    /// Into `blame`.
    blame: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    /// The remainders around the product of the sets: number n lies inside the sets before the n-th and outside the n-th.
    Around,
    /// One cuboid for each alternative, inside all its sets.
    Among,
}

/// Sets under construction: where they begin.
#[derive(Clone, Copy)]
pub(super) struct Draft(usize);

impl Walk {
    /// The words of an axis in the current cuboid.
    pub(super) fn values(&self, axis: &Range<usize>) -> &[u64] {
        &self.domain[axis.clone()]
    }

    /// The words of an axis that are banned.
    #[cfg(test)]
    pub(super) fn banned(&self, axis: &Range<usize>) -> &[u64] {
        &self.banned[axis.clone()]
    }

    /// Starts again from a cuboid of `len` words without values, to be filled by `fill`. Dead values stay out.
    pub(super) fn restart(&mut self, len: usize, fill: impl FnOnce(&mut [u64])) {
        debug_assert!(self.frames.is_empty(), "a walk ends before the next one starts");
        if self.banned.len() < len {
            self.banned.resize(len, 0);
        }
        self.domain.clear();
        self.domain.resize(len, 0);
        self.missing.clear();
        self.trail.clear();
        fill(&mut self.domain);
        for (word, banned) in self.domain.iter_mut().zip(&self.banned) {
            *word &= !banned;
        }
    }

    /// Moves the banned values of axes whose words have moved, each given by its old and its new words.
    pub(super) fn relocate_banned(&mut self, moves: impl Iterator<Item = (Range<usize>, Range<usize>)>) {
        let mut banned = Vec::new();
        for (old, new) in moves {
            banned.resize(new.start, 0);
            banned.extend_from_slice(self.banned.get(old).unwrap_or_default());
            banned.resize(new.end, 0);
        }
        self.banned = banned;
    }

    /// Begins a product or a list of alternatives.
    pub(super) fn draft(&self) -> Draft {
        Draft(self.sets.len())
    }

    /// Adds a set of values of an axis to the draft under construction. The set starts empty and is filled by `fill`.
    pub(super) fn add_set(&mut self, axis: &Range<usize>, fill: impl FnOnce(&mut [u64])) {
        // Filling the set looks at the values one by one.
        self.work += 64 * axis.len();
        let words = self.set_words.len();
        self.set_words.resize(words + axis.len(), 0);
        fill(&mut self.set_words[words..]);
        self.sets.push(AxisSet { domain: axis.start, words, len: axis.len(), ends_alternative: false });
    }

    /// Ends an alternative; the sets added since the last one belong to it.
    pub(super) fn end_alternative(&mut self) {
        if let Some(set) = self.sets.last_mut() {
            set.ends_alternative = true;
        }
    }

    /// The number of sets that a draft has so far.
    pub(super) fn draft_len(&self, draft: Draft) -> usize {
        self.sets.len() - draft.0
    }

    /// The sets of a draft, each with the first word of its axis in a cuboid.
    #[cfg(any(debug_assertions, test))]
    pub(super) fn draft_sets(&self, draft: Draft) -> impl Iterator<Item = (usize, &[u64])> {
        self.sets[draft.0..].iter().map(|set| (set.domain, &self.set_words[set.words..set.words + set.len]))
    }

    /// Removes the only set of a draft for good: its values are impossible whatever the other axes do.
    pub(super) fn ban(&mut self, draft: Draft) {
        let set = self.sets[draft.0];
        for i in 0..set.len {
            let members = self.set_words[set.words + i];
            self.banned[set.domain + i] |= members;
            self.domain[set.domain + i] &= !members;
        }
        self.drop_sets(draft.0);
    }

    /// Takes a draft back, and the work for it: what is only looked at must not change how much is counted.
    pub(super) fn take_back(&mut self, draft: Draft) {
        self.work -= self.sets[draft.0..].iter().map(|set| 64 * set.len).sum::<usize>();
        self.drop_sets(draft.0);
    }

    /// Leaves the current cuboid: [`Walk::next`] goes on to what remains of it around the product of the draft.
    pub(super) fn cut(&mut self, draft: Draft) {
        self.push_frame(FrameKind::Around, draft);
    }

    /// Leaves the current cuboid: [`Walk::next`] goes on to its parts inside the alternatives of the draft.
    pub(super) fn split(&mut self, draft: Draft) {
        self.push_frame(FrameKind::Among, draft);
    }

    fn push_frame(&mut self, kind: FrameKind, draft: Draft) {
        let sets = draft.0..self.sets.len();
        let (trail, blame) = (self.trail.len(), self.blame.len());
        self.frames.push(Frame { kind, next: sets.start, sets, trail, first_trail: trail, blame });
        // Alternatives outside the current cuboid are left out, so every frame below may be the cause if none is
        // left.
        let all_below = if kind == FrameKind::Among { u64::MAX } else { 0 };
        self.blame.resize(blame + words_for(self.frames.len()), all_below);
    }

    /// The current cuboid holds legal points: none of the remainders around it may be skipped.
    pub(super) fn keep(&mut self) {
        if let Some(frame) = self.frames.last() {
            self.blame[frame.blame..].fill(u64::MAX);
        }
    }

    /// Says that the current cuboid might hold a legal point if these values of an axis were not missing. `values` fills a
    /// set of values of the axis, those that are not missing included.
    pub(super) fn miss(&mut self, axis: &Range<usize>, values: impl FnOnce(&mut [u64])) {
        self.missing.resize(self.domain.len(), 0);
        values(&mut self.missing[axis.clone()]);
    }

    /// Leaves the current cuboid, which holds no legal point because of the values that [`Walk::miss`] was told.
    pub(super) fn leave(&mut self) {
        let Walk { trail, frames, culprits, missing, banned, work, .. } = self;
        *work += blame_work(frames, trail) + missing.len();
        culprits.clear();
        culprits.resize(words_for(frames.len()), 0);
        blame_for(frames, trail, culprits, |word| {
            missing.get(word).map_or(0, |missing| missing & !banned[word])
        });
        missing.fill(0);
        self.go_back();
    }

    /// Drops the topmost frames as long as the dead end is not to be blamed on them.
    fn go_back(&mut self) {
        while let Some(frame) = self.frames.last() {
            let index = self.frames.len() - 1;
            if self.culprits[index / 64] >> (index % 64) & 1 == 1 {
                for (blamed, culprits) in self.blame[frame.blame..].iter_mut().zip(&self.culprits) {
                    *blamed |= culprits;
                }
                return;
            }
            self.drop_frame();
        }
    }

    fn drop_frame(&mut self) {
        self.work += 16;
        if let Some(Frame { sets, first_trail, blame, .. }) = self.frames.pop() {
            self.undo_to(first_trail);
            self.blame.truncate(blame);
            self.drop_sets(sets.start);
        }
    }

    /// The work since the last time it was taken.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// Goes on to the next cuboid. False when the walk is over. Where the limit comes first, it can go on later.
    pub(super) fn next(&mut self, meter: &mut Meter, limit: Limit<'_>) -> Result<bool, Undecided> {
        while let Some(frame) = self.frames.last() {
            meter.work(std::mem::take(&mut self.work));
            meter.charge(limit)?;
            let Frame { kind, ref sets, next, trail, blame, .. } = *frame;
            let sets = sets.clone();
            self.undo_to(trail);
            let entered = match kind {
                FrameKind::Around => self.enter_around(&sets, next),
                FrameKind::Among => self.enter_among(&sets, next),
            };
            match entered {
                Some((next, trail)) => {
                    let frame = self.frames.last_mut().expect("the frame is still there");
                    frame.next = next;
                    frame.trail = trail;
                    return Ok(true);
                }
                None => {
                    self.culprits.clear();
                    self.culprits.extend_from_slice(&self.blame[blame..]);
                    self.drop_frame();
                    self.go_back();
                }
            }
        }
        Ok(false)
    }

    /// Restricts the cuboid to the next remainder around a product. What comes next, and where its trail begins.
    fn enter_around(&mut self, sets: &Range<usize>, mut next: usize) -> Option<(usize, usize)> {
        while next < sets.end {
            if next > sets.start && !self.restrict(next - 1, true) {
                self.blame_empty(next - 1, true);
                return None;
            }
            let mark = self.trail.len();
            next += 1;
            if self.restrict(next - 1, false) {
                return Some((next, mark));
            }
            self.undo_to(mark);
            self.blame_empty(next - 1, false);
        }
        None
    }

    /// Records which frames caused an axis to have no value left inside (or outside) a set.
    fn blame_empty(&mut self, set: usize, inside: bool) {
        let Walk { trail, frames, blame, banned, sets, set_words, work, .. } = self;
        *work += blame_work(frames, trail);
        let set = sets[set];
        let members = &set_words[set.words..set.words + set.len];
        let frame = frames.last().expect("remainders belong to a frame");
        blame_for(frames, trail, &mut blame[frame.blame..], |word| match word.checked_sub(set.domain) {
            Some(i) if i < members.len() => (if inside { members[i] } else { !members[i] }) & !banned[word],
            _ => 0,
        });
    }

    /// Restricts the cuboid to the next alternative.
    fn enter_among(&mut self, sets: &Range<usize>, mut next: usize) -> Option<(usize, usize)> {
        let mark = self.trail.len();
        while next < sets.end {
            let mut possible = true;
            loop {
                possible = possible && self.restrict(next, true);
                next += 1;
                if next == sets.end || self.sets[next - 1].ends_alternative {
                    break;
                }
            }
            if possible {
                return Some((next, mark));
            }
            self.undo_to(mark);
        }
        None
    }

    /// Keeps the values of an axis inside (or outside) a set. False when none is left.
    fn restrict(&mut self, set: usize, inside: bool) -> bool {
        let set = self.sets[set];
        self.work += 8 + 2 * set.len;
        let mut any = 0;
        for i in 0..set.len {
            let word = self.domain[set.domain + i];
            let members = self.set_words[set.words + i];
            let kept = word & if inside { members } else { !members };
            if kept != word {
                self.trail.push(((set.domain + i) as u32, word & !kept));
                self.domain[set.domain + i] = kept;
            }
            any |= kept;
        }
        any != 0
    }

    fn undo_to(&mut self, mark: usize) {
        self.work += self.trail.len() - mark.min(self.trail.len());
        for (word, removed) in self.trail.drain(mark..) {
            self.domain[word as usize] |= removed & !self.banned[word as usize];
        }
    }

    fn drop_sets(&mut self, first: usize) {
        if let Some(set) = self.sets.get(first) {
            self.set_words.truncate(set.words);
        }
        self.sets.truncate(first);
    }
}

/// Adds the frames that took away values which count: those that `counts` gives for a word.
fn blame_for(frames: &[Frame], trail: &[(u32, u64)], blamed: &mut [u64], counts: impl Fn(usize) -> u64) {
    let mut end = trail.len();
    for (index, frame) in frames.iter().enumerate().rev() {
        let mut removed = trail[frame.first_trail..end].iter();
        if removed.any(|&(word, removed)| removed & counts(word as usize) != 0) {
            blamed[index / 64] |= 1 << (index % 64);
        }
        end = frame.first_trail;
    }
}

/// The work of [`blame_for`].
fn blame_work(frames: &[Frame], trail: &[(u32, u64)]) -> usize {
    4 * frames.len() + 2 * trail.len()
}

/// The number of words that hold this many bits.
fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// Sets a range of bits.
pub(super) fn fill_bits(words: &mut [u64], bits: Range<usize>) {
    for (word, mask) in masks(bits) {
        words[word] |= mask;
    }
}

/// Sets a bit if `is_set`, and leaves it as it is otherwise.
pub(super) fn insert_if(words: &mut [u64], bit: usize, is_set: bool) {
    words[bit / 64] |= u64::from(is_set) << (bit % 64);
}

/// Sets a bit.
pub(super) fn insert(words: &mut [u64], bit: usize) {
    insert_if(words, bit, true);
}

/// Clears a bit.
pub(super) fn remove(words: &mut [u64], bit: usize) {
    words[bit / 64] &= !(1 << (bit % 64));
}

/// Whether a bit is set.
pub(super) fn has(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

/// Clears a range of bits.
pub(super) fn clear_bits(words: &mut [u64], bits: Range<usize>) {
    for (word, mask) in masks(bits) {
        words[word] &= !mask;
    }
}

/// The bits of a range that are set.
pub(super) fn ones(words: &[u64], bits: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    masks(bits).flat_map(|(word, mask)| {
        let mut left = words[word] & mask;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                bit
            })
        })
    })
}

/// Whether any bit of a range is set.
pub(super) fn any(words: &[u64], bits: Range<usize>) -> bool {
    masks(bits).any(|(word, mask)| words[word] & mask != 0)
}

/// The words that a range of bits touches, each with the bits of it that belong to the range.
fn masks(bits: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let words = if bits.is_empty() { 0..0 } else { bits.start / 64..bits.end.div_ceil(64) };
    words.map(move |word| {
        let low = if word == bits.start / 64 { u64::MAX << (bits.start % 64) } else { u64::MAX };
        let high =
            if word == (bits.end - 1) / 64 { u64::MAX >> (63 - (bits.end - 1) % 64) } else { u64::MAX };
        (word, low & high)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(walk: &mut Walk) -> bool {
        walk.next(&mut Meter::default(), Limit::NONE).expect("there is no limit")
    }

    /// All points of the current cuboid of two axes of one word each.
    fn points(walk: &Walk) -> Vec<(usize, usize)> {
        let (a, b) = (walk.values(&(0..1)), walk.values(&(1..2)));
        ones(a, 0..64).flat_map(|x| ones(b, 0..64).map(move |y| (x, y))).collect()
    }

    #[test]
    fn the_remainders_around_a_product_are_the_rest() {
        let mut walk = Walk::default();
        walk.restart(2, |words| words.copy_from_slice(&[0b1111, 0b111]));
        let draft = walk.draft();
        walk.add_set(&(0..1), |set| set[0] = 0b0011);
        walk.add_set(&(1..2), |set| set[0] = 0b110);
        walk.cut(draft);
        let mut rest = Vec::new();
        while next(&mut walk) {
            rest.extend(points(&walk));
        }
        assert!(walk.sets.is_empty() && walk.set_words.is_empty(), "what is over takes no memory");
        rest.sort();
        let expected: Vec<_> =
            (0..4).flat_map(|x| (0..3).map(move |y| (x, y))).filter(|&(x, y)| x > 1 || y == 0).collect();
        assert_eq!(rest, expected);
    }

    #[test]
    fn a_dead_end_skips_the_remainders_that_have_no_part_in_it() {
        let mut walk = Walk::default();
        walk.restart(3, |words| words.copy_from_slice(&[0b11, 0b11, 0b11]));
        let cut = |walk: &mut Walk, axes: &[(usize, u64)]| {
            let draft = walk.draft();
            axes.iter().for_each(|&(axis, values)| walk.add_set(&(axis..axis + 1), |set| set[0] = values));
            walk.cut(draft);
            next(walk)
        };
        // Axis 0 is divided first, then axes 1 and 2: the third value of neither is there.
        assert!(cut(&mut walk, &[(0, 0b01), (1, 0b01)]));
        assert!(cut(&mut walk, &[(1, 0b01), (2, 0b01)]));
        assert_eq!((walk.values(&(0..1))[0], walk.values(&(1..2))[0]), (0b10, 0b10));
        // A dead end because of axis 1: the remainder of the second cut that leaves axis 1 alone is entered.
        walk.miss(&(1..2), |values| values[0] = 0b01);
        walk.leave();
        assert!(next(&mut walk));
        assert_eq!([0, 1, 2].map(|axis| walk.values(&(axis..axis + 1))[0]), [0b10, 0b01, 0b10]);
        // A dead end because of axis 2: the first cut has no part in it, so its other remainder is skipped.
        walk.miss(&(2..3), |values| values[0] = 0b01);
        walk.leave();
        assert!(!next(&mut walk));
        assert_eq!([0, 1, 2].map(|axis| walk.values(&(axis..axis + 1))[0]), [0b11; 3]);
    }

    #[test]
    fn alternatives_are_entered_one_after_another_and_banned_values_stay_out() {
        let mut walk = Walk::default();
        walk.restart(2, |words| words.copy_from_slice(&[0b1111, 0b111]));
        let draft = walk.draft();
        walk.add_set(&(0..1), |set| set[0] = 0b0001);
        walk.add_set(&(1..2), |set| set[0] = 0b001);
        walk.end_alternative();
        walk.add_set(&(0..1), |set| set[0] = 0b1100);
        walk.end_alternative();
        walk.split(draft);
        assert!(next(&mut walk));
        assert_eq!(points(&walk), [(0, 0)]);
        let draft = walk.draft();
        walk.add_set(&(0..1), |set| set[0] = 0b0100);
        walk.ban(draft);
        assert!(next(&mut walk));
        assert_eq!(points(&walk), [(3, 0), (3, 1), (3, 2)]);
        assert!(!next(&mut walk));
    }

    #[test]
    fn ranges_of_bits_cross_words() {
        let mut words = [0; 3];
        fill_bits(&mut words, 60..130);
        assert_eq!(ones(&words, 0..192).collect::<Vec<_>>(), (60..130).collect::<Vec<_>>());
        assert_eq!(ones(&words, 62..65).collect::<Vec<_>>(), [62, 63, 64]);
        assert!(any(&words, 129..130) && !any(&words, 130..192) && !any(&words, 5..5));
    }
}
