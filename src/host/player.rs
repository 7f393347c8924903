//! An engine that is started when it is needed, and again after it has ended.

use super::engine::{Answer, Engine, Limits, Settings, StartError};
use super::fault::Fault;
use super::turn::{Turn, position_line, turn};
use crate::notation::Game;

/// The number of fatal faults in a row after which an engine is not started again.
const MOST_FAULTS: u32 = 3;

/// An engine that is started when it is needed, and again after it has ended.
#[derive(Debug)]
pub struct Player {
    source: Source,
    settings: Settings,
    engine: Option<Engine>,
    /// The number of fatal faults in a row.
    faults: u32,
    /// The end of the dialogue before the last fault.
    transcript: Vec<String>,
    recording: Option<String>,
}

#[derive(Debug)]
enum Source {
    Command(String),
    Recording(String),
}

impl Player {
    /// The engine of this command. It is started once, to see whether that is possible.
    ///
    /// # Errors
    ///
    /// When there is no such program.
    pub fn new(command: &str, settings: &Settings) -> Result<Player, StartError> {
        let engine = Engine::spawn(command, settings)?;
        drop(engine);
        Ok(Player::of(Source::Command(command.to_owned()), settings))
    }

    /// Replays the answers of an engine from a recording.
    ///
    /// # Errors
    ///
    /// When the text is not a recording.
    pub fn replay(recording: &str, settings: &Settings) -> Result<Player, StartError> {
        Engine::replay(recording, settings)?;
        Ok(Player::of(Source::Recording(recording.to_owned()), settings))
    }

    fn of(source: Source, settings: &Settings) -> Player {
        let settings = settings.clone();
        Player { source, settings, engine: None, faults: 0, transcript: Vec::new(), recording: None }
    }

    /// Records questions and answers from now on.
    pub fn record(&mut self) {
        self.recording.get_or_insert_default();
    }

    /// The recording so far, if one is kept.
    pub fn recording(&self) -> Option<String> {
        let before = self.recording.as_ref()?;
        let now = self.engine.as_ref().and_then(Engine::recording).unwrap_or_default();
        Some(format!("{before}{now}"))
    }

    /// Whether it has failed so often that it is not asked any more.
    pub fn is_lost(&self) -> bool {
        self.faults >= MOST_FAULTS
    }

    /// The last lines of the dialogue: `>` from the host, `<` from the engine.
    pub fn transcript(&self) -> Vec<String> {
        match &self.engine {
            Some(engine) => engine.transcript().map(str::to_owned).collect(),
            None => self.transcript.clone(),
        }
    }

    fn engine(&mut self) -> Result<&mut Engine, Fault> {
        if self.engine.is_none() {
            let started = match &self.source {
                Source::Command(command) => Engine::spawn(command, &self.settings),
                Source::Recording(text) => Engine::replay(text, &self.settings),
            };
            let mut started = started.map_err(|error| Fault::Crashed(error.to_string()))?;
            if self.recording.is_some() {
                started.record();
            }
            let engine = self.engine.insert(started);
            engine.introduce()?;
        }
        self.engine.as_mut().ok_or_else(|| Fault::Crashed("it is gone".into()))
    }

    /// Runs `act` with the engine. After a fatal fault the engine is killed.
    fn with<T>(&mut self, act: impl FnOnce(&mut Engine) -> Result<T, Fault>) -> Result<T, Fault> {
        let done = self.engine().and_then(act);
        match &done {
            Err(fault) if fault.is_fatal() => {
                self.faults += 1;
                drop(self.leave());
            }
            _ => self.faults = 0,
        }
        done
    }

    /// Takes the running engine away, and keeps what was said.
    fn leave(&mut self) -> Option<Engine> {
        let engine = self.engine.take()?;
        self.transcript = engine.transcript().map(str::to_owned).collect();
        if let (Some(all), Some(last)) = (&mut self.recording, engine.recording()) {
            all.push_str(last);
        }
        Some(engine)
    }

    /// Announces that the next position belongs to another game.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.with(Engine::new_game)
    }

    /// Lets the engine play the next action of a game. See [`turn`].
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn turn(&mut self, game: &Game, limits: Limits) -> Result<Turn, Fault> {
        self.with(|engine| turn(engine, game, limits))
    }

    /// Asks for a move at the end of a game, and returns the answer unchecked.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn ask(&mut self, game: &Game, limits: Limits) -> Result<Answer, Fault> {
        self.with(|engine| engine.ask(&position_line(game, &[]), limits))
    }

    /// Checks that the engine has not given an answer that was not asked for, and sends `quit`. It is started again when it is asked
    /// again.
    ///
    /// # Errors
    ///
    /// The fault of the engine.
    pub fn quit(&mut self) -> Result<(), Fault> {
        if self.engine.is_none() {
            return Ok(());
        }
        self.with(Engine::be_ready)?;
        self.leave().map_or(Ok(()), Engine::quit)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::super::said::Score;
    use super::*;
    use crate::state::Position;

    const LIMITS: Limits = Limits { time: Duration::from_millis(900), nodes: None, mate: None };

    /// An engine that runs this script for the nth `go`, from 1.
    fn player(go: &str) -> Player {
        let script = format!(
            "n=0; while read word rest; do case $word in 5duci) echo 5duciok;; isready) echo readyok;; \
             go) n=$((n+1)); {go};; quit) echo bye; exit;; esac; done"
        );
        Player::new(&shell_words::join(["sh", "-c", &script]), &Settings::default()).unwrap()
    }

    fn game() -> Game {
        Game::new(Position::default(), Vec::new())
    }

    #[test]
    fn an_engine_is_lost_after_faults_in_a_row_only() {
        let mut player = player("exit 3");
        for _ in 0..2 * MOST_FAULTS {
            player.new_game().unwrap();
            assert!(matches!(player.turn(&game(), LIMITS), Err(Fault::Crashed(_))));
            assert!(!player.is_lost());
        }
        for _ in 1..MOST_FAULTS {
            assert!(player.turn(&game(), LIMITS).is_err());
        }
        assert!(player.is_lost());
    }

    #[test]
    fn a_recording_keeps_what_was_answered_before_a_fault() {
        let mut player = player("[ $n = 1 ] || exit 3; echo 'bestmove (0T1)e2(0T1)e4'");
        player.record();
        player.ask(&game(), LIMITS).unwrap();
        let kept = player.recording().unwrap();
        assert!(kept.contains("e2(0T1)e4"), "{kept}");
        assert!(player.ask(&game(), LIMITS).is_err());
        assert_eq!(player.recording().unwrap(), kept);
        player.ask(&game(), LIMITS).unwrap();
        assert_eq!(player.recording().unwrap(), kept.repeat(2));
        player.quit().unwrap();
        assert_eq!(player.recording().unwrap(), kept.repeat(2));
        player.ask(&game(), LIMITS).unwrap();
        assert_eq!(player.recording().unwrap(), kept.repeat(3), "it is started again");
    }

    #[test]
    fn an_engine_that_names_whole_actions_is_told_its_setting() {
        let mut player =
            player("if [ $n = 1 ]; then echo 'bestmove (0T1)e2(0T1)e4'; else echo nobestmove; fi");
        let Err(Fault::NoMove(why)) = player.turn(&game(), LIMITS) else { panic!("it has no second move") };
        assert!(why.ends_with("it needs the setting whole-actions"), "{why}");
    }

    #[test]
    fn a_move_behind_a_complete_action_has_the_same_advice() {
        let advised = |go: &str| match player(go).turn(&game(), LIMITS) {
            Err(Fault::Illegal { message, .. }) => message.ends_with("it needs the setting whole-actions"),
            other => panic!("{other:?}"),
        };
        assert!(advised("echo 'bestmove (0T1)e2(0T1)e4'"));
        assert!(!advised("echo 'bestmove (0T1)e2(0T1)e5'"), "nothing was complete before its first move");
    }

    #[test]
    fn the_score_of_an_action_is_that_of_its_first_answer() {
        let go = "if [ $n = 1 ]; then echo 'info score cp 5'; echo 'info score cp -30'; echo 'bestmove (0T1)e2(0T1)e4'; \
                  else echo 'info score mate 1'; echo 'bestmove submit'; fi";
        let turn = player(go).turn(&game(), LIMITS).unwrap();
        assert_eq!(turn.score, Some(Score::Centipawns(-30)));
    }

    #[test]
    fn the_moves_of_an_action_share_its_time() {
        let go =
            "if [ $n = 1 ]; then sleep 0.4; echo 'bestmove (0T1)e2(0T1)e4'; else echo 'bestmove submit'; fi";
        let mut player = player(go);
        let turn = player.turn(&game(), LIMITS).unwrap();
        assert_eq!(turn.action.moves().len(), 1);
        let transcript = player.transcript();
        let times = transcript.iter().filter_map(|line| line.strip_prefix("> go movetime "));
        let times: Vec<u64> = times.map(|time| time.parse().unwrap()).collect();
        assert!(times.len() == 2 && times[0] == 900 && times[1] <= 500, "{times:?}");
    }
}
