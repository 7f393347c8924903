//! The difference in strength that results show.
//!
//! Two games from the same start with colours swapped are a pair. Pairs are independent, single games are
//! not: a start that is won for White gives each engine a win and says nothing. So everything here is computed
//! from the numbers of pairs with 0, ½, 1, 1½ and 2 points, the *pentanomial* statistics of the field.
//!
//! # Formulas
//!
//! A pair with `h` half points has the score `a = h / 4`, and `p(a)` is its share of all `n` pairs. A difference of `e` in Elo has
//! the expected score `s(e) = 1 / (1 + 10^(-e / 400))`.
//!
//! *Elo*: `e` with `s(e) = m`, where `m = Σ p(a) a`. The ends of its interval are those of `m ± 1.96 √(v / n)`, where
//! `v = Σ p(a) (a - m)²`.
//!
//! *Sequential test*: the generalised likelihood ratio for an expected score, `n Σ p(a) ln(p1(a) / p0(a))`, where `p0` and `p1` are
//! the most likely distributions with the expected scores `s(elo0)` and `s(elo1)`. The most likely one with the expected score `s`
//! is `p(a) / (1 + t (a - s))`, with the `t` for which its mean is `s`. A number of pairs that is 0 counts as 0.001, so that there is one.
//! The test ends at the bounds of Wald, `±ln((1 - α) / α)`.
//!
//! Sources: M. Van den Bergh, *The generalised SPRT* and *Comments on normalized Elo* (the mathematics of Fishtest); A. Wald, *Sequential
//! Tests of Statistical Hypotheses*, 1945.

/// The results of one engine against another: the numbers of pairs with 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// The numbers, by half points.
    pub pairs: [u64; 5],
}

/// A difference of strength in Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The most likely difference.
    pub elo: f64,
    /// The lower end of the 95 % confidence interval.
    pub least: f64,
    /// The upper end.
    pub most: f64,
}

/// A sequential probability ratio test between the differences `elo0` and `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative.
    pub elo1: f64,
}

/// The result of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// `elo1` is accepted.
    Accepted,
    /// `elo0` is accepted.
    Rejected,
    /// More games are needed.
    Open,
}

/// The probability of each error of a sequential test.
const ERROR: f64 = 0.05;

/// The scores that a pair of games can have.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The `t` of the likeliest distribution with this expected score, for numbers above 0 of pairs.
fn tilt(counts: &[f64; 5], score: f64) -> f64 {
    // The sum falls from +∞ to -∞ between these ends, where the share of an end of the scores is infinite.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    loop {
        let middle = low.midpoint(high);
        if middle <= low || middle >= high {
            return middle;
        }
        let terms = SCORES.iter().zip(counts).map(|(pair, count)| {
            let distance = pair - score;
            count * distance / (1.0 + middle * distance)
        });
        if terms.sum::<f64>() > 0.0 { low = middle } else { high = middle }
    }
}

/// The expected score for a difference in Elo.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo for an expected score; infinite at 0 and 1.
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

impl Tally {
    /// Adds a pair with 0 to 4 half points.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.pairs.get_mut(half_points) {
            *count += 1;
        }
    }

    /// The number of pairs, their mean score from 0 to 1, and its variance.
    fn moments(&self) -> (f64, f64, f64) {
        let count: u64 = self.pairs.iter().sum();
        let scores = || SCORES.into_iter().zip(self.pairs.map(|count| count as f64));
        let mean = scores().map(|(score, count)| score * count).sum::<f64>() / count as f64;
        let variance =
            scores().map(|(score, count)| (score - mean).powi(2) * count).sum::<f64>() / count as f64;
        (count as f64, mean, variance)
    }

    /// The difference in strength; `None` without pairs. As long as all pairs have the same score the
    /// variance is unknown, and the interval is infinite.
    ///
    /// ```
    /// use worldlines::contest::Tally;
    ///
    /// let even = Tally { pairs: [10, 0, 30, 0, 10] }.elo().unwrap();
    /// assert!(even.elo.abs() < 1e-9 && even.least < -20.0 && even.most > 20.0);
    /// ```
    pub fn elo(&self) -> Option<Elo> {
        let (count, mean, variance) = self.moments();
        if count == 0.0 {
            return None;
        }
        let error = if variance == 0.0 { f64::INFINITY } else { 1.96 * (variance / count).sqrt() };
        Some(Elo { elo: elo_of(mean), least: elo_of(mean - error), most: elo_of(mean + error) })
    }

    /// The logarithm of the generalised likelihood ratio of `elo1` to `elo0`; 0 without pairs.
    ///
    /// ```
    /// use worldlines::contest::{Sprt, Tally};
    ///
    /// let tally = Tally { pairs: [223, 9863, 21279, 10037, 246] };
    /// let llr = tally.log_likelihood(Sprt { elo0: 0.5, elo1: 2.5 });
    /// assert!((llr + 3.07).abs() < 0.01);
    /// ```
    pub fn log_likelihood(&self, sprt: Sprt) -> f64 {
        /// The number for a score that no pair has.
        const UNSEEN: f64 = 0.001;
        if self.pairs.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let counts = self.pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let likeliest = |elo| {
            let score = expected(elo);
            // The logarithms of the shares that are observed, divided by those that are likeliest.
            let tilt = tilt(&counts, score);
            SCORES.map(|pair| (tilt * (pair - score)).ln_1p())
        };
        let (null, alternative) = (likeliest(sprt.elo0), likeliest(sprt.elo1));
        (0..5).map(|half| counts[half] * (null[half] - alternative[half])).sum()
    }

    /// The result of a sequential test with an error probability of 5 % in each direction.
    pub fn test(&self, sprt: Sprt) -> Test {
        match self.log_likelihood(sprt) {
            llr if llr >= Sprt::bound() => Test::Accepted,
            llr if llr <= -Sprt::bound() => Test::Rejected,
            _ => Test::Open,
        }
    }
}

impl Sprt {
    /// The largest difference in Elo of a hypothesis, either way.
    pub const MOST_ELO: f64 = 1_000.0;

    /// The logarithm of the likelihood ratio with which `elo1` is accepted; `elo0` is accepted at minus this.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_elo_belong_together() {
        for elo in [-300.0, -10.0, 0.0, 35.0, 500.0] {
            assert!((elo_of(expected(elo)) - elo).abs() < 1e-6);
        }
        assert!(elo_of(0.5).is_sign_positive(), "no report shows -0");
        assert!((expected(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(Tally::default().elo(), None);
        let won = Tally { pairs: [0, 0, 0, 0, 3] }.elo().unwrap();
        assert_eq!((won.elo, won.least, won.most), (f64::INFINITY, -f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn the_interval_is_that_of_the_normal_distribution() {
        // The mean score is a half, and the standard deviation of the mean of 50 pairs the root of 0.1 / 50.
        let even = Tally { pairs: [10, 0, 30, 0, 10] }.elo().unwrap();
        let score = 0.5 + 1.96 * (0.1_f64 / 50.0).sqrt();
        assert!((expected(even.most) - score).abs() < 1e-9 && (even.most + even.least).abs() < 1e-9);
    }

    /// The numbers of tests of Stockfish on Fishtest, and the ratios that it showed for them.
    #[test]
    fn published_tests_have_their_ratios() {
        for (pairs, elo0, elo1, published) in [
            ([223, 9_863, 21_279, 10_037, 246], 0.5, 2.5, -3.07),
            ([871, 26_175, 55_983, 26_678, 821], 0.0, 2.0, -4.98),
        ] {
            let found = Tally { pairs }.log_likelihood(Sprt { elo0, elo1 });
            assert!((found - published).abs() < 0.01, "{pairs:?}: {found}");
        }
    }

    /// With pairs of 0 and 2 points alone the likeliest distribution is known: its share of 2 points is the expected score.
    #[test]
    fn pairs_that_are_won_or_lost_have_the_ratio_of_coins() {
        let sprt = Sprt { elo0: -40.0, elo1: 120.0 };
        let (s0, s1) = (expected(sprt.elo0), expected(sprt.elo1));
        let coins = 40_000.0 * ((1.0 - s1) / (1.0 - s0)).ln() + 60_000.0 * (s1 / s0).ln();
        let found = Tally { pairs: [40_000, 0, 0, 0, 60_000] }.log_likelihood(sprt);
        assert!((found - coins).abs() < 0.01, "{found} and {coins}");
    }

    #[test]
    fn the_ratio_changes_its_sign_with_sides_and_hypotheses() {
        for pairs in [[10, 20, 40, 20, 10], [2, 8, 20, 30, 40], [0, 0, 3, 5, 12], [0, 0, 0, 0, 1]] {
            let llr = |pairs, elo0, elo1| Tally { pairs }.log_likelihood(Sprt { elo0, elo1 });
            let (one, turned) = (llr(pairs, 0.0, 20.0), llr(pairs, 20.0, 0.0));
            let mut other = pairs;
            other.reverse();
            assert!((one + turned).abs() < 1e-9, "{one} and {turned}");
            assert!((one - llr(other, 0.0, -20.0)).abs() < 1e-9);
        }
        assert_eq!(Tally::default().log_likelihood(Sprt { elo0: 0.0, elo1: 5.0 }), 0.0);
        for elo in [-Sprt::MOST_ELO, Sprt::MOST_ELO] {
            let tally = Tally { pairs: [0, 0, 0, 0, 1_000_000_000] };
            assert!(tally.log_likelihood(Sprt { elo0: 0.0, elo1: elo }).is_finite());
        }
    }

    #[test]
    fn the_likeliest_distribution_has_the_expected_score() {
        let counts = [3.0, 0.001, 12.0, 7.0, 1.0];
        for score in [0.01, 0.3, 0.5, 0.99] {
            let tilt = tilt(&counts, score);
            let shares = SCORES.map(|pair| 1.0 / (1.0 + tilt * (pair - score)));
            let weighed = || shares.iter().zip(counts).map(|(share, count)| share * count / 23.001);
            let mean: f64 = weighed().zip(SCORES).map(|(share, pair)| share * pair).sum();
            assert!((weighed().sum::<f64>() - 1.0).abs() < 1e-6 && (mean - score).abs() < 1e-6);
        }
    }

    #[test]
    fn who_is_better_is_found_out_with_enough_games_only() {
        let sprt = Sprt { elo0: 0.0, elo1: 20.0 };
        let some = Tally { pairs: [1, 2, 5, 3, 2] };
        let times = |n: u64| Tally { pairs: some.pairs.map(|count| count * n) };
        assert_eq!(some.test(sprt), Test::Open);
        assert_eq!(times(20).test(sprt), Test::Accepted);
        let mut other = times(20);
        other.pairs.reverse();
        assert_eq!(other.test(sprt), Test::Rejected);
        let (few, many) = (some.elo().unwrap(), times(20).elo().unwrap());
        assert!((few.elo - many.elo).abs() < 1e-9 && many.most - many.least < few.most - few.least);
        assert!(few.least < few.elo && few.elo < few.most);
    }
}
