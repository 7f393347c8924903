//! The review of a whole game. Begin at [`review`].

use std::sync::atomic::AtomicBool;

use super::finding::Finding;
use super::judge::{Judgement, judge};
use super::look::{Limits, Look};
use crate::notation::Game;
use crate::state::Position;
use crate::types::Color;

/// The review of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// The looks at the positions, from the start to the end of the game.
    pub looks: Vec<Look>,
    /// The findings about each action.
    pub findings: Vec<Vec<Finding>>,
    /// The numbers of actions whose judgement is not complete, because a limit was reached.
    pub open: Vec<usize>,
}

/// Reviews a game.
///
/// ```
/// use worldlines::notation::pgn5d;
/// use worldlines::review::{Finding, Limits, review};
///
/// let game = pgn5d::parse("1. e3 / f6 2. a3 / a6").into_result()?;
/// let review = review(&game, Limits::default(), None);
/// assert_eq!(review.looks.len(), 5);
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub fn review(game: &Game, limits: Limits, stop: Option<&AtomicBool>) -> Review {
    let positions = positions(game);
    let looks: Vec<Look> = positions.iter().map(|position| Look::at(position, limits, stop)).collect();
    let judged = game.actions.iter().enumerate().map(|(index, action)| {
        judge(&positions[index], action, [&looks[index], &looks[index + 1]], limits, stop)
    });
    Review::of(judged.collect(), looks)
}

/// The positions of a game, from the start to the end.
pub fn positions(game: &Game) -> Vec<Position> {
    let mut positions = vec![game.start.clone()];
    let mut position = game.start.clone();
    for action in &game.actions {
        position.play_unchecked(action);
        positions.push(position.clone());
    }
    positions
}

impl Review {
    /// The review of these judgements and looks.
    pub fn of(judged: Vec<Judgement>, looks: Vec<Look>) -> Review {
        let is_open = |(index, judgement): (usize, &Judgement)| {
            (judgement.is_open || looks[index].undecided.is_some()).then_some(index)
        };
        let open = judged.iter().enumerate().filter_map(is_open).collect();
        Review { open, findings: judged.into_iter().map(|judgement| judgement.findings).collect(), looks }
    }

    /// Leaves out the findings about the actions of the other player.
    pub fn keep_only(&mut self, game: &Game, player: Color) {
        let skipped = usize::from(game.start.to_move() == player);
        self.findings.iter_mut().skip(skipped).step_by(2).for_each(Vec::clear);
        self.open.retain(|index| index % 2 != skipped);
    }

    /// The number of findings about actions of this player that are counted.
    pub fn count(&self, game: &Game, player: Color, is_counted: impl Fn(&Finding) -> bool) -> usize {
        let begins = game.start.to_move();
        let is_own = |index: &usize| (index.is_multiple_of(2)) == (begins == player);
        let own = (0..self.findings.len()).filter(is_own);
        own.flat_map(|index| &self.findings[index]).filter(|finding| is_counted(finding)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Score;
    use crate::notation::pgn5d;
    use crate::review::{annotated, expectation, negated};
    use crate::search::Budget;
    use crate::types::Status;

    /// The rook's mate in two is missed, the king allows another one, and it is played.
    const GAME: &str = include_str!("../../corpus/games/ending-mate-14.5dpgn");

    fn game(text: &str) -> Game {
        pgn5d::parse(text).into_result().expect("a game")
    }

    #[test]
    fn mates_are_found_missed_and_allowed() {
        let game = game(GAME);
        let review = review(&game, Limits::default(), None);
        let kinds: Vec<Vec<&str>> = review
            .findings
            .iter()
            .map(|findings| {
                let kind = |finding: &Finding| match finding {
                    Finding::MissedMate { mate, refutation: Some(_) } if mate.mate_in == 2 => "missed",
                    Finding::AllowedMate { mate, is_only: true, .. } if mate.mate_in == 2 => "allowed",
                    Finding::KeptMate { mate_in: 2 } => "in 2",
                    Finding::KeptMate { mate_in: 1 } => "in 1",
                    _ => "other",
                };
                findings.iter().map(kind).collect()
            })
            .collect();
        assert_eq!(kinds, [vec!["missed"], vec!["allowed"], vec!["in 2"], vec![], vec!["in 1"]]);
        assert_eq!(review.open, [0; 0]);
        // Every line that is told can be played, and those of mates end with one.
        let positions = positions(&game);
        for (index, finding) in
            review.findings.iter().enumerate().flat_map(|(index, all)| all.iter().map(move |it| (index, it)))
        {
            for (at, line) in [(index, finding.better()), (index + 1, finding.punishment())] {
                let mut after = positions[at].clone();
                let Some(line) = line else { continue };
                line.iter().for_each(|action| drop(after.play(action).expect("a legal line")));
                let mates = !matches!(finding, Finding::AllowedMate { .. }) || at > index;
                assert_eq!(after.outcome().status == Status::Checkmate, mates, "{finding:?}");
            }
        }
    }

    #[test]
    fn an_annotated_game_says_what_was_found_and_is_read_back() {
        let game = game(GAME);
        let annotated = annotated(&game, &review(&game, Limits::default(), None));
        let text = pgn5d::write(&annotated, pgn5d::Marks::None).into_text();
        assert!(text.contains("misses mate in 2 by"), "{text}");
        assert_eq!(pgn5d::parse(&text).into_result().unwrap(), annotated);
        assert_eq!(annotated.without_notes(), game);
    }

    #[test]
    fn a_limit_leaves_actions_open_and_a_stop_ends_the_review() {
        let game = game(GAME);
        let open = review(&game, Limits { budget: Budget::steps(5), ..Limits::default() }, None).open;
        assert_eq!(open[0], 0);
        let stop = AtomicBool::new(true);
        let stopped = review(&game, Limits::default(), Some(&stop));
        assert!(stopped.findings.iter().flatten().all(|finding| *finding == Finding::Forced));
        assert_eq!(stopped.open.len(), game.actions.len());
    }

    #[test]
    fn the_only_defence_and_the_only_action_are_told() {
        // A shipped puzzle: one of Black's nine actions avoids mate in one.
        let start = "[Board \"Very Small - Open\"]\n1. (0T1)Rb1xb4 / (0T1)Rc4xb4\n2. (0T2)Bc1a3 / (0T2)Rb4b1\n3. (0T3)Ka1xb1 / ";
        let findings = |action: &str| {
            let game = game(&format!("{start}{action}"));
            review(&game, Limits::default(), None).findings.pop().expect("the last action")
        };
        assert_eq!(findings("(0T3)Na4c3"), [Finding::OnlyDefence { mate_in: 1 }]);
        let other = findings("(0T3)Na4b2");
        assert!(matches!(&other[..], [Finding::AllowedMate { is_only: true, .. }]), "{other:?}");
        let forced = game("[Size \"3x3\"] [k2/2R/K2:0:1:b] / Kb3");
        assert_eq!(review(&forced, Limits::default(), None).findings, [[Finding::Forced]]);
    }

    #[test]
    fn expectations_of_both_players_sum_to_a_hundred() {
        for score in
            [Score::Pawns(0), Score::Pawns(-170), Score::Pawns(i32::MAX), Score::Mate(2), Score::Mate(-1)]
        {
            assert!((expectation(score) + expectation(negated(score)) - 100.0).abs() < 1e-9);
        }
        assert!((expectation(Score::Pawns(300)) - 75.0).abs() < 1e-9);
    }

    #[test]
    fn the_other_player_can_be_left_out() {
        let game = game(GAME);
        let mut review = review(&game, Limits::default(), None);
        review.keep_only(&game, Color::Black);
        assert_eq!(review.count(&game, Color::White, |_| true), 0);
        assert_eq!(review.count(&game, Color::Black, |_| true), 1);
    }
}
