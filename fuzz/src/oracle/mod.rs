//! What must hold. Each oracle panics on a finding and is silent otherwise.

pub mod rules_twin;

/// Runs an oracle on pseudo-random bytes and returns how many runs it accepted.
#[cfg(test)]
fn smoke(runs: u64, length: usize, oracle: impl Fn(&[u8]) -> arbitrary::Result<()>) -> u64 {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut accepted = 0;
    for _ in 0..runs {
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            })
            .collect();
        accepted += u64::from(oracle(&bytes).is_ok());
    }
    accepted
}
