//! Parses a line of an engine.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Said<'l> {
    /// `5duciok`
    Ok,
    /// `readyok`
    Ready,
    /// `bestmove` with moves, as they are written.
    BestMove(Vec<&'l str>),
    /// `nobestmove`
    NoBestMove,
    /// `bye`
    Bye,
    /// `info`, with its score, if it has one.
    Info(Option<Score>),
    /// A line that the host does not know.
    Other,
}

/// The value of a position for the player to move, as an engine states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Score {
    /// A value in hundredths of a pawn.
    #[serde(rename = "cp")]
    Centipawns(i64),
    /// Mate in so many actions, by the opponent if negative.
    #[serde(rename = "mate")]
    Mate(i64),
}

impl Score {
    /// The length of the mate that it announces, if it does.
    pub fn mate(self) -> Option<i64> {
        match self {
            Score::Mate(mate) => Some(mate),
            Score::Centipawns(_) => None,
        }
    }
}

/// The score as an engine writes it.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "cp {value}"),
            Score::Mate(mate) => write!(f, "mate {mate}"),
        }
    }
}

impl<'l> Said<'l> {
    /// Parses a line. Words after the expected ones are ignored, as in UCI.
    ///
    /// ```
    /// use worldlines::host::{Said, Score};
    ///
    /// assert_eq!(Said::of("bestmove (0T1)e2e3"), Said::BestMove(vec!["(0T1)e2e3"]));
    /// assert_eq!(Said::of("info depth 3 score mate 2"), Said::Info(Some(Score::Mate(2))));
    /// assert_eq!(Said::of("Hello!"), Said::Other);
    /// ```
    pub fn of(line: &'l str) -> Said<'l> {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("5duciok") => Said::Ok,
            Some("readyok") => Said::Ready,
            Some("bestmove") => Said::BestMove(words.collect()),
            Some("nobestmove") => Said::NoBestMove,
            Some("bye") => Said::Bye,
            Some("info") => Said::Info(score(words)),
            _ => Said::Other,
        }
    }
}

fn score<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Score> {
    loop {
        match words.next()? {
            // The rest of the line is a text for people.
            "string" => return None,
            "score" => {
                return match (words.next()?, words.next()?.parse().ok()?) {
                    ("cp", value) => Some(Score::Centipawns(value)),
                    ("mate", value) => Some(Score::Mate(value)),
                    _ => None,
                };
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_by_their_first_word() {
        assert_eq!(Said::of("  readyok  "), Said::Ready);
        assert_eq!(Said::of("bestmove"), Said::BestMove(vec![]));
        assert_eq!(Said::of("bestmove a b submit"), Said::BestMove(vec!["a", "b", "submit"]));
        assert_eq!(Said::of("nobestmove x"), Said::NoBestMove);
        for (line, score) in [
            ("info", None),
            ("info string score mate 1", None),
            ("info score", None),
            ("info score mate", None),
            ("info score mate x", None),
            ("info score cp -7 depth 2", Some(Score::Centipawns(-7))),
            ("info mcts_score average=1", None),
        ] {
            assert_eq!(Said::of(line), Said::Info(score), "{line}");
        }
        for line in ["", "Bestmove", "bestmoves x", "unknown command: bye"] {
            assert_eq!(Said::of(line), Said::Other, "{line}");
        }
    }
}
