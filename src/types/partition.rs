//! Divides work into independent parts.

use std::fmt;
use std::str::FromStr;

use super::ParseValueError;

/// One of `of` parts into which named items are divided.
///
/// The part of an item depends only on its name and on the number of parts: it stays the same when other
/// items are added or files move. It is the same for every program and on every machine. `spec/partitions.md`
/// defines it.
///
/// ```
/// use worldlines::types::Partition;
///
/// let part: Partition = "hash:2/3".parse()?;
/// assert!(part.contains("rook-tactics-4"));
/// assert_eq!(Partition::part_of("rook-tactics-4", 3), 2);
/// assert!("hash:4/3".parse::<Partition>().is_err());
/// # Ok::<(), worldlines::types::ParseValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Partition {
    part: u32,
    of: u32,
}

impl Partition {
    /// Part number `part`, from 1, of `of` parts. `None` if there is no such part.
    pub fn new(part: u32, of: u32) -> Option<Partition> {
        (1 <= part && part <= of).then_some(Partition { part, of })
    }

    /// The number of the part, from 1.
    pub fn part(self) -> u32 {
        self.part
    }

    /// The number of parts.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Whether the item with this name is in the part.
    pub fn contains(self, name: &str) -> bool {
        Partition::part_of(name, self.of) == self.part
    }

    /// The part, from 1 to `of`, of the item with this name. 0 parts count as 1.
    pub fn part_of(name: &str, of: u32) -> u32 {
        let hash = fnv1a(name.bytes());
        // The low bits of this hash depend only on the low bits of the bytes, so the high bits are mixed in.
        let folded = (hash >> 32) as u32 ^ hash as u32;
        1 + folded % of.max(1)
    }
}

/// The 64-bit FNV-1a hash of some bytes. It is not collision resistant.
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.into_iter().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Shown as `hash:2/3`.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hash:{}/{}", self.part, self.of)
    }
}

impl FromStr for Partition {
    type Err = ParseValueError;

    /// Reads `hash:M/N`.
    fn from_str(text: &str) -> Result<Partition, ParseValueError> {
        let number = |text: &str| text.parse().ok().filter(|number: &u32| number.to_string() == text);
        let numbers = text.strip_prefix("hash:").and_then(|numbers| numbers.split_once('/'));
        let partition = numbers.and_then(|(part, of)| Partition::new(number(part)?, number(of)?));
        partition
            .ok_or_else(|| ParseValueError::new("`hash:M/N` with M from 1 to N, such as `hash:1/4`", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_one_that_others_compute() {
        // Values from the page of its authors.
        for (text, hash) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            assert_eq!(fnv1a(text.bytes()), hash, "{text}");
        }
    }

    #[test]
    fn the_page_says_the_same() {
        let page = include_str!("../../spec/partitions.md");
        for name in ["", "a", "rook-tactics-4", "rook-from-the-past", "partie-é"] {
            let hash = fnv1a(name.bytes());
            let folded = (hash >> 32) as u32 ^ hash as u32;
            let parts = [2, 3, 16].map(|of| Partition::part_of(name, of));
            let shown = if name.is_empty() { "(the empty name)".to_owned() } else { format!("`{name}`") };
            let [two, three, sixteen] = parts;
            let row = format!("| {shown} | `{hash:016x}` | {folded} | {two} | {three} | {sixteen} |\n");
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn every_name_is_in_one_part() {
        for of in [1, 2, 3, 7, 64, 1000] {
            let mut sizes = vec![0; of as usize];
            for n in 0..2_000 {
                let name = format!("puzzle-{n}");
                let parts: Vec<u32> =
                    (1..=of).filter(|&part| Partition::new(part, of).unwrap().contains(&name)).collect();
                assert_eq!(parts, [Partition::part_of(&name, of)]);
                sizes[parts[0] as usize - 1] += 1;
            }
            let even = 2_000 / of as usize;
            let largest = sizes.iter().max().unwrap();
            assert!(*largest <= even + even / 3 + 9, "{of} parts of {even}: the largest has {largest}");
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["hash:1/1", "hash:3/4", "hash:4294967295/4294967295"] {
            assert_eq!(text.parse::<Partition>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "1/2",
            "hash:",
            "hash:1",
            "hash:0/2",
            "hash:3/2",
            "hash:1/0",
            "hash:0/0",
            "hash:01/2",
            "hash:+1/2",
            "hash:1/2/3",
            "hash: 1/2",
            "slice:1/2",
            "hash:1/4294967296",
            "HASH:1/2",
        ] {
            assert!(text.parse::<Partition>().is_err(), "{text}");
        }
        assert_eq!(Partition::part_of("x", 0), 1);
    }
}
