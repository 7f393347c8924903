//! Tests whether an engine keeps to the protocol, whatever it plays.

use std::time::{Duration, Instant};

use super::engine::{Engine, Limits, Settings, StartError};
use super::fault::Fault;
use super::said::Said;
use super::turn::{position_line, turn};
use crate::notation::{Game, uci5d};
use crate::rules::PartialAction;

/// The result of one test of the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The requirement.
    pub name: &'static str,
    /// Whether the engine meets it.
    pub kept: Kept,
    /// The end of the transcript, if it does not.
    pub transcript: Vec<String>,
}

/// The outcome of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The requirement is met.
    Yes,
    /// The requirement is not met.
    No(Fault),
    /// The test does not apply, for this reason.
    NotAsked(&'static str),
}

/// The number of transcript lines that are shown.
const SHOWN: usize = 12;
/// The time for which a search runs before it is disturbed.
const UNDER_WAY: Duration = Duration::from_millis(300);

type Question = fn(&mut Asking<'_>) -> Result<(), Fault>;

/// The tests. Each runs with a freshly started engine.
const QUESTIONS: [(&str, Question); 18] = [
    ("answers `5duci` with `5duciok`", |asking| asking.introduced().map(|_| ())),
    ("answers `isready` with `readyok`", |asking| asking.introduced()?.be_ready()),
    ("ignores a command that it does not know", |asking| {
        let engine = asking.introduced()?;
        engine.send("xyzzy please");
        engine.be_ready()
    }),
    ("ignores an option that it does not know", |asking| {
        let engine = asking.introduced()?;
        engine.send("setoption name NoSuchOption value 5");
        engine.send("setoption name NoSuchButton");
        engine.be_ready()
    }),
    ("is ready again after `5ducinewgame`", |asking| {
        let engine = asking.introduced()?;
        engine.new_game()?;
        engine.new_game()
    }),
    ("plays from `position startpos`", |asking| asking.plays("position startpos")),
    ("plays after `moves`", |asking| {
        asking.plays("position startpos moves (0T1)e2(0T1)e3 submit (0T1)g8(0T1)f6 submit")
    }),
    ("plays from `size`, `odd` and `fen`", |asking| {
        asking.plays("position size 5x5 odd fen [rqkr1/ppppp/5/PPPPP/RQKR1:0:1:w]")
    }),
    ("plays on two timelines, `even`", |asking| {
        asking.plays("position size 3x3 even fen [k2/3/2K:-0:1:w] [k2/3/2K:+0:1:w]")
    }),
    ("plays on boards that are no squares", |asking| {
        asking.plays("position size 6x4 odd fen [k5/6/6/R4K:0:1:w]")
    }),
    ("plays with every kind of piece", |asking| {
        asking.plays("position size 8x8 odd fen [rnbqkuds/pw4cy/8/8/8/8/PW4CY/RNBQKUDS:0:1:w]")
    }),
    ("plays Black, and on a branch", |asking| {
        asking.plays(
            "position startpos moves (0T1)g1(0T1)f3 submit (0T1)g8(0T1)f6 submit (0T2)f3(0T1)f5 submit",
        )
    }),
    ("goes on with an action under way", |asking| asking.goes_on()),
    ("has no move when it is mated", |asking| {
        let limits = asking.limits;
        let engine = asking.introduced()?;
        match engine.ask("position size 3x3 odd fen [k2/1Q1/1K1:0:1:b]", limits)?.moves {
            None => Ok(()),
            Some(moves) => Err(Fault::Illegal {
                code: "after-mate",
                message: format!("it plays `{}` where no action is legal", moves.join(" ")),
            }),
        }
    }),
    ("answers `stop` with a move", |asking| {
        let engine = asking.introduced()?;
        engine.be_ready()?;
        engine.send("position startpos");
        engine.send("go");
        // It may also answer by itself.
        match engine.answer(UNDER_WAY)?.moves {
            Some(moves) if !moves.is_empty() => engine.be_ready(),
            _ => Err(Fault::NoMove("it answers `stop` without a move".into())),
        }
    }),
    ("says `readyok` after a search, not during it", |asking| {
        let grace = asking.settings.grace;
        let engine = asking.introduced()?;
        engine.send("position startpos");
        engine.send("go");
        engine.send("isready");
        engine.send("stop");
        let deadline = Instant::now() + grace;
        let mut is_played = false;
        while let Some(line) = engine.hear(deadline)? {
            match Said::of(&line) {
                Said::BestMove(_) | Said::NoBestMove => is_played = true,
                Said::Ready if is_played => return Ok(()),
                Said::Ready => return Err(Fault::Babbled("`readyok` comes before `bestmove`".into())),
                _ => {}
            }
        }
        Err(Fault::Hung("after `go`, `isready` and `stop` an answer is missing".into()))
    }),
    ("says `bye` and ends after `quit`", |asking| {
        asking.introduced()?;
        asking.quit()
    }),
    ("ends after `quit` while it thinks", |asking| {
        let engine = asking.introduced()?;
        engine.be_ready()?;
        engine.send("position startpos");
        engine.send("go");
        let deadline = Instant::now() + UNDER_WAY;
        while Instant::now() < deadline && engine.hear(deadline)?.is_some() {}
        asking.quit()
    }),
];

/// Runs all tests of the protocol, each with a freshly started engine. `time` is for each search.
///
/// # Errors
///
/// When it cannot be started at all.
pub fn compliance(command: &str, settings: &Settings, time: Duration) -> Result<Vec<Check>, StartError> {
    let limits = Limits { time, nodes: None, mate: None };
    let mut checks = Vec::new();
    for (name, question) in QUESTIONS {
        let mut asking =
            Asking { engine: Some(Engine::spawn(command, settings)?), settings, limits, skipped: None };
        let answer = question(&mut asking);
        let transcript: Vec<&str> = asking.engine.iter().flat_map(Engine::transcript).collect();
        let shown = transcript[transcript.len().saturating_sub(SHOWN)..].iter();
        let shown: Vec<String> = shown.map(|line| (*line).to_owned()).collect();
        let (kept, transcript) = match (answer, asking.skipped) {
            (Err(fault), _) => (Kept::No(fault), shown),
            (Ok(()), Some(why)) => (Kept::NotAsked(why), Vec::new()),
            (Ok(()), None) => (Kept::Yes, Vec::new()),
        };
        checks.push(Check { name, kept, transcript });
    }
    Ok(checks)
}

/// An engine under test.
struct Asking<'s> {
    /// The engine; `None` once it has been told to quit.
    engine: Option<Engine>,
    settings: &'s Settings,
    limits: Limits,
    /// The reason why a test was skipped.
    skipped: Option<&'static str>,
}

impl Asking<'_> {
    fn introduced(&mut self) -> Result<&mut Engine, Fault> {
        let gone = || Fault::Crashed("it was told to quit".into());
        let engine = self.engine.as_mut().ok_or_else(gone)?;
        engine.introduce()?;
        Ok(engine)
    }

    fn quit(&mut self) -> Result<(), Fault> {
        self.engine.take().map_or(Ok(()), Engine::quit)
    }

    fn plays(&mut self, line: &str) -> Result<(), Fault> {
        let limits = self.limits;
        let engine = self.introduced()?;
        turn(engine, &game(line), limits)?;
        engine.be_ready()
    }

    /// One of two mandatory boards has been played.
    fn goes_on(&mut self) -> Result<(), Fault> {
        if self.settings.whole_actions {
            self.skipped = Some("it names whole actions");
            return Ok(());
        }
        let limits = self.limits;
        let game = game("position size 3x3 even fen [k2/3/2K:-0:1:w] [k2/3/2K:+0:1:w]");
        let mut partial = PartialAction::new(game.end());
        let first = uci5d::parse_move(&partial, "(0T1)c1b1").expect("a king's step");
        partial.push(first).expect("it was read as a move that can be made");
        let engine = self.introduced()?;
        let answer = engine.ask(&position_line(&game, partial.moves()), limits)?;
        let moves = answer.moves.unwrap_or_default();
        let Some(word) = moves.first() else {
            return Err(Fault::NoMove("it has no move for the other board".into()));
        };
        match uci5d::parse_move(&partial, word) {
            Ok(_) => Ok(()),
            Err(error) => {
                let message = format!("`{word}`: {}", error.issue.message);
                Err(Fault::Illegal { code: error.issue.code, message })
            }
        }
    }
}

/// The game of a line in the source code.
fn game(line: &str) -> Game {
    uci5d::parse(line).into_result().expect("a line that a test reads")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_positions_are_what_they_are_to_be() {
        let mated = super::game("position size 3x3 odd fen [k2/1Q1/1K1:0:1:b]").end();
        assert!(mated.is_checkmate());
        for (line, legal) in [
            ("position size 3x3 even fen [k2/3/2K:-0:1:w] [k2/3/2K:+0:1:w]", true),
            ("position size 5x5 odd fen [rqkr1/ppppp/5/PPPPP/RQKR1:0:1:w]", true),
            ("position size 6x4 odd fen [k5/6/6/R4K:0:1:w]", true),
            ("position size 8x8 odd fen [rnbqkuds/pw4cy/8/8/8/8/PW4CY/RNBQKUDS:0:1:w]", true),
        ] {
            let position = super::game(line).end();
            assert_eq!(position.legal_actions().next().is_some(), legal, "{line}");
            assert!(crate::notation::uci5d::write(&super::game(line)).into_text().starts_with(&line[..20]));
        }
    }
}
