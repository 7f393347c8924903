//! A game between two engines.

use std::fmt;
use std::time::Duration;

use super::scores::{Draw, Resign};
use crate::host::{Fault, Limits, Player, Score, Turn};
use crate::notation::pgn5d::action_text;
use crate::notation::{Game, GameResult};
use crate::search::{Budget, Prover, Verdict};
use crate::state::Position;
use crate::types::{Color, Status, counted};

/// The most search steps for the status of a position.
const STEPS: u64 = 2_000_000;

/// A finished game between engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game, with its result.
    pub game: Game,
    /// The number of actions before the engines began.
    pub before: usize,
    /// The statements of the engines about each of their actions.
    pub said: Vec<Said>,
    /// The reason why it ended.
    pub ending: Ending,
    /// The end of the dialogue with an engine that lost by a fault.
    pub transcript: Vec<String>,
}

/// The statements of an engine about its action, and its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Said {
    /// The time that it took.
    pub time: Duration,
    /// The time left on its clock after the action, if there is a clock.
    pub left: Option<Duration>,
    /// The score that it gave.
    pub score: Option<Score>,
}

/// The reason why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// The game reached the largest number of actions.
    Length,
    /// The status was not found within the budget.
    Undecided,
    /// A mate by the player to move was proven, and the checker accepted its certificate.
    Proven {
        /// The number of actions of the player who mates.
        mate_in: u32,
        /// The first of them, in 5DPGN.
        key: String,
    },
    /// A player gave up, by the scores.
    Resigned {
        /// The player who gave up.
        loser: Color,
        /// The scores that were needed.
        resign: Resign,
    },
    /// The players agreed to a draw, by these scores.
    Agreed(Draw),
    /// The player to move committed a fault.
    Fault(Fault),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Checkmate => f.write_str("checkmate"),
            Ending::Stalemate => f.write_str("stalemate"),
            Ending::Length => f.write_str("length limit"),
            Ending::Undecided => f.write_str("how the game stands was not found out"),
            Ending::Proven { mate_in, key } => write!(f, "mate in {mate_in} proven: {key}"),
            Ending::Resigned { loser, resign: Resign { score, actions, two_sided } } => {
                let (name, actions) = (loser.name(), counted(*actions, "action"));
                write!(f, "won by scores: {name} says -{score} or less in {actions}")?;
                if *two_sided { write!(f, " and {} {score} or more", (!*loser).name()) } else { Ok(()) }
            }
            Ending::Agreed(Draw { score, actions, .. }) => {
                let actions = counted(*actions, "action");
                write!(f, "drawn by scores: both say from -{score} to {score} in {actions}")
            }
            Ending::Fault(fault) => write!(f, "{}: {fault}", fault.name()),
        }
    }
}

/// The conduct of a game: when it ends although the rules let it go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conduct {
    /// The most actions after its start; a longer game is a draw.
    pub most_actions: usize,
    /// The proof of a mate that ends it as won, if one is looked for.
    pub proof: Option<Proof>,
    /// The scores that end it as lost for a player, if there are some.
    pub resign: Option<Resign>,
    /// The scores that end it as drawn, if there are some.
    pub draw: Option<Draw>,
}

/// The search for a mate before each action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The longest mate, in actions of the player who mates.
    pub mate_in: u32,
    /// The limits for each position.
    pub budget: Budget,
}

impl Proof {
    /// The shortest mate by the player to move. `None` if there is none or it is not decided.
    fn find(self, position: &Position) -> Option<Ending> {
        let mut prover = Prover::new(self.budget);
        for mate_in in 1..=self.mate_in {
            let solution = prover.solve(position, mate_in, false);
            match (solution.verdict, solution.soonest) {
                (Verdict::Refuted, _) => {}
                (Verdict::Proven, Some(key)) => {
                    return Some(Ending::Proven { mate_in, key: action_text(position, &key) });
                }
                _ => return None,
            }
        }
        None
    }
}

/// The limits of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// The time.
    pub time: Time,
    /// The most nodes for an answer, for engines with such a limit.
    pub nodes: Option<u64>,
}

/// The time of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// A time for each action.
    PerAction(Duration),
    /// A clock for the whole game, with an increment.
    Clock {
        /// The time for the whole game.
        game: Duration,
        /// The time that is added after each action.
        increment: Duration,
    },
}

impl Time {
    /// The time on a clock at the beginning, if there is one.
    pub fn at_first(self) -> Option<Duration> {
        match self {
            Time::PerAction(_) => None,
            Time::Clock { game, .. } => Some(game),
        }
    }

    /// The thinking time for the next action, with `left` on the clock. With a clock: a thirtieth of the time
    /// left and three quarters of the increment, but at most four fifths of the time left.
    pub fn for_action(self, left: Option<Duration>) -> Duration {
        match (self, left) {
            (Time::PerAction(time), _) => time,
            (Time::Clock { increment, .. }, left) => {
                let left = left.unwrap_or_default();
                (left / 30 + increment * 3 / 4).min(left * 4 / 5)
            }
        }
    }

    /// The time on a clock after an action that took `taken`; `None` if it has run out.
    pub fn after(self, left: Duration, taken: Duration) -> Option<Duration> {
        let increment = match self {
            Time::PerAction(_) => Duration::ZERO,
            Time::Clock { increment, .. } => increment,
        };
        left.checked_sub(taken).map(|left| left + increment)
    }
}

/// The result of a game and the reason, if it is over.
pub fn over(position: &Position) -> Option<(GameResult, Ending)> {
    match position.outcome_within(STEPS).map(|outcome| outcome.status) {
        Ok(Status::Checkmate) => Some((won_by(!position.to_move()), Ending::Checkmate)),
        Ok(Status::Stalemate) => Some((GameResult::Draw, Ending::Stalemate)),
        Ok(_) => None,
        Err(_) => Some((GameResult::Draw, Ending::Undecided)),
    }
}

/// Lets two engines, White and Black, continue a game. The rules here decide its end; an engine that commits a
/// fault, or whose clock runs out, loses.
pub fn play(players: [&mut Player; 2], paces: [Pace; 2], start: &Game, conduct: Conduct) -> Played {
    let mut played = Played {
        game: start.clone(),
        before: start.actions.len(),
        said: Vec::new(),
        ending: Ending::Length,
        transcript: Vec::new(),
    };
    let [white, black] = players;
    for (color, player) in [(Color::White, &mut *white), (Color::Black, &mut *black)] {
        if let Err(fault) = player.new_game() {
            return played.lost(color, fault, player);
        }
    }
    let mut position = start.end();
    let mut clocks = paces.map(|pace| pace.time.at_first());
    loop {
        if let Some((result, ending)) = conduct.end(&position, &played.said) {
            (played.game.result, played.ending) = (Some(result), ending);
            return played;
        }
        let mover = position.to_move();
        let seat = usize::from(mover == Color::Black);
        let player = if mover == Color::White { &mut *white } else { &mut *black };
        let (pace, clock) = (paces[seat], &mut clocks[seat]);
        let limits = Limits { time: pace.time.for_action(*clock), nodes: pace.nodes, mate: None };
        let Turn { action, time, score, .. } = match player.turn(&played.game, limits) {
            Ok(turn) => turn,
            Err(fault) => return played.lost(mover, fault, player),
        };
        if let Some(left) = *clock {
            *clock = pace.time.after(left, time);
            if clock.is_none() {
                let (left, taken) = (left.as_secs_f64(), time.as_secs_f64());
                let what = format!("it thought for {taken:.3} s, and its clock showed {left:.3} s");
                return played.lost(mover, Fault::OutOfTime(what), player);
            }
        }
        position.play_unchecked(&action);
        played.game.actions.push(action);
        played.said.push(Said { time, left: *clock, score });
    }
}

impl Conduct {
    /// The result of a game after the actions of engines who said this and the reason, if it ends there.
    fn end(&self, position: &Position, said: &[Said]) -> Option<(GameResult, Ending)> {
        let proven = || self.proof?.find(position).map(|ending| (won_by(position.to_move()), ending));
        let is_long = said.len() >= self.most_actions;
        over(position)
            .or_else(proven)
            .or_else(|| self.end_by_scores(position.to_move(), said))
            .or(is_long.then_some((GameResult::Draw, Ending::Length)))
    }

    fn end_by_scores(&self, to_move: Color, said: &[Said]) -> Option<(GameResult, Ending)> {
        let scores: Vec<Option<Score>> = said.iter().map(|said| said.score).collect();
        let resigned = self.resign.and_then(|resign| {
            let loser = resign.loser(&scores, to_move)?;
            Some((won_by(!loser), Ending::Resigned { loser, resign }))
        });
        let agreed = || self.draw.filter(|draw| draw.is_agreed(&scores));
        resigned.or_else(|| agreed().map(|draw| (GameResult::Draw, Ending::Agreed(draw))))
    }
}

impl Played {
    /// Ends the game as lost by a fault of this player.
    fn lost(mut self, color: Color, fault: Fault, player: &Player) -> Played {
        self.game.result = Some(won_by(!color));
        self.transcript = player.transcript();
        self.ending = Ending::Fault(fault);
        self
    }
}

fn won_by(color: Color) -> GameResult {
    if color == Color::White { GameResult::WhiteWins } else { GameResult::BlackWins }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_clock_runs_and_is_divided_among_the_actions() {
        let time = Time::Clock { game: 60 * SECOND, increment: 2 * SECOND };
        assert_eq!(time.at_first(), Some(60 * SECOND));
        assert_eq!(time.for_action(time.at_first()), 3500 * SECOND / 1000);
        assert_eq!(time.for_action(Some(SECOND)), 800 * SECOND / 1000, "not more than there is");
        assert_eq!(time.after(60 * SECOND, 3 * SECOND), Some(59 * SECOND));
        assert_eq!(time.after(SECOND, SECOND), Some(2 * SECOND));
        assert_eq!(time.after(SECOND, 1001 * SECOND / 1000), None);
        let mut left = time.at_first().unwrap();
        for _ in 0..500 {
            left = time
                .after(left, time.for_action(Some(left)))
                .expect("who takes what is given has always time left");
        }
        let per_action = Time::PerAction(SECOND);
        assert_eq!((per_action.at_first(), per_action.for_action(None)), (None, SECOND));
    }

    #[test]
    fn the_rules_say_when_a_game_is_over() {
        let over = |text: &str| over(&crate::notation::fen5d::parse(text).into_result().unwrap());
        assert_eq!(over("[k2/1Q1/1K1:0:1:b]"), Some((GameResult::WhiteWins, Ending::Checkmate)));
        assert_eq!(over("[k2/2Q/1K1:0:1:b]"), Some((GameResult::Draw, Ending::Stalemate)));
        assert_eq!(over("[k2/3/1K1:0:1:b]"), None);
    }

    #[test]
    fn scores_end_a_game_that_the_rules_let_go_on() {
        let position = Position::default();
        let conduct = Conduct {
            most_actions: 4,
            proof: None,
            resign: Some(Resign { score: 500, actions: 1, two_sided: true }),
            draw: Some(Draw { score: 20, actions: 1, after: 0 }),
        };
        let end = |scores: [i64; 2]| {
            let said =
                scores.map(|score| Said { time: SECOND, left: None, score: Some(Score::Centipawns(score)) });
            conduct.end(&position, &said).map(|(result, ending)| (result, ending.to_string()))
        };
        let lost = "won by scores: Black says -500 or less in 1 action and White 500 or more";
        assert_eq!(end([510, -500]), Some((GameResult::WhiteWins, lost.to_owned())));
        let drawn = "drawn by scores: both say from -20 to 20 in 1 action";
        assert_eq!(end([20, -20]), Some((GameResult::Draw, drawn.to_owned())));
        assert_eq!(end([20, -21]), None);
    }

    #[test]
    fn a_proven_mate_wins_and_an_undecided_one_does_not() {
        let ended = |text: &str, mate_in, steps, actions| {
            let position = crate::notation::fen5d::parse(text).into_result().unwrap();
            let proof = Some(Proof { mate_in, budget: Budget::steps(steps) });
            let conduct = Conduct { most_actions: 10, proof, resign: None, draw: None };
            conduct.end(&position, &vec![Said { time: SECOND, left: None, score: None }; actions])
        };
        let rook = "[5k/w5/5K/1R4:0:1:w]";
        let Some((GameResult::WhiteWins, ending)) = ended(rook, 2, 100_000, 10) else {
            panic!("a mate in one")
        };
        assert_eq!(ending.to_string(), "mate in 1 proven: (0T1)Rb1b4");
        assert_eq!(ended(rook, 2, 1, 9), None, "the budget is too small");
        assert_eq!(ended(rook, 2, 1, 10), Some((GameResult::Draw, Ending::Length)));
        assert_eq!(ended("[k2/3/1K1:0:1:b]", 1, 100_000, 0), None);
        let black = ended("[1r4/5k/W5/5K:0:1:b]", 1, 100_000, 0);
        assert!(
            matches!(black, Some((GameResult::BlackWins, Ending::Proven { mate_in: 1, .. }))),
            "{black:?}"
        );
    }
}
