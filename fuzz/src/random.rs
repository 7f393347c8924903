//! Numbers for tests and seeds that look random.

/// Numbers that look random and are the same in every run (xorshift64).
pub struct Random(u64);

impl Default for Random {
    fn default() -> Random {
        Random::series(0)
    }
}

impl Random {
    /// Other numbers for each `number`.
    pub fn series(number: u32) -> Random {
        // An odd factor: no two series begin alike, and none with the 0 that would stay 0.
        Random((2 * u64::from(number) + 1).wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 32
    }

    /// A number below this one.
    pub fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }

    /// So many bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// The bytes with up to three edits made of these tokens.
    pub fn spoilt(&mut self, bytes: &[u8], tokens: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..self.below(4) {
            let start = self.below(bytes.len() + 1);
            let end = (start + self.below(8)).min(bytes.len());
            let token = if tokens.is_empty() { Vec::new() } else { tokens[self.below(tokens.len())].clone() };
            bytes.splice(start..end, token);
        }
        bytes
    }
}
