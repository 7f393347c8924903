//! The difference in strength that results show.
//!
//! Two games from the same start with colours swapped are a pair. Pairs are independent, single games are
//! not: a start that is won for White gives each engine a win and says nothing. So the variance is that of
//! the pairs.

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

/// The expected score for a difference in Elo.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo for an expected score; infinite at 0 and 1.
fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
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
        let scores = || (0..5u32).map(|half| f64::from(half) / 4.0).zip(self.pairs.map(|count| count as f64));
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

    /// The log-likelihood ratio of `elo1` to `elo0`, with scores taken as normally distributed. 0 as long as
    /// all pairs have the same score, since the variance is unknown then.
    pub fn log_likelihood(&self, sprt: Sprt) -> f64 {
        let (count, mean, variance) = self.moments();
        if count == 0.0 || variance == 0.0 {
            return 0.0;
        }
        let (s0, s1) = (expected(sprt.elo0), expected(sprt.elo1));
        count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The result of a sequential test with an error probability of 5 % in each direction.
    pub fn test(&self, sprt: Sprt) -> Test {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        match self.log_likelihood(sprt) {
            llr if llr >= bound => Test::Accepted,
            llr if llr <= -bound => Test::Rejected,
            _ => Test::Open,
        }
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
        assert_eq!(
            Tally { pairs: [0, 0, 50, 0, 0] }.test(sprt),
            Test::Open,
            "nothing is known of the variance"
        );
        let (few, many) = (some.elo().unwrap(), times(20).elo().unwrap());
        assert!((few.elo - many.elo).abs() < 1e-9 && many.most - many.least < few.most - few.least);
        assert!(few.least < few.elo && few.elo < few.most);
    }
}
