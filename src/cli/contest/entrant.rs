//! The engines of a match, as the command line describes them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::super::time::seconds;
use worldlines::contest::Time;

/// An engine: a command alone, or settings as `KEY=VALUE` with the command as `cmd=`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Entrant {
    pub command: String,
    pub name: Option<String>,
    pub options: Vec<(String, Option<String>)>,
    pub whole_actions: bool,
    /// Its own time, in place of that of all engines.
    pub time: Option<Control>,
    /// Its own number of nodes, in place of that of all engines.
    pub nodes: Option<u64>,
}

/// A time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// A time for each action.
    MoveTime(Duration),
    Clock(Clock),
}

/// `--clock`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    game: Duration,
    increment: Duration,
}

/// The keys of settings, besides those of options.
const KEYS: [&str; 6] = ["cmd", "name", "whole-actions", "move-time", "clock", "nodes"];

/// The beginning of a key that sets an option of the engine.
const OPTION: &str = "option.";

impl FromStr for Entrant {
    type Err = String;

    fn from_str(text: &str) -> Result<Entrant, String> {
        let words =
            shell_words::split(text).map_err(|error| format!("it cannot be divided into words: {error}"))?;
        let settings: Vec<(&str, Option<&str>)> = words.iter().map(|word| setting(word)).collect();
        if settings.is_empty() {
            return Err("there is no command in it".to_owned());
        }
        let has_command = settings.iter().any(|(key, value)| *key == "cmd" && value.is_some());
        let first = settings.iter().position(|(key, _)| KEYS.contains(key) || key.starts_with(OPTION));
        if !has_command {
            match first {
                // Other words are a program and its arguments.
                None => return Ok(Entrant { command: text.to_owned(), ..Entrant::default() }),
                Some(0) => {}
                Some(index) => {
                    let command = shell_words::join(&words[..index]);
                    return Err(format!(
                        "`{0}` is a setting; beside settings the command is one too: cmd={1} {0}",
                        words[index],
                        shell_words::quote(&command)
                    ));
                }
            }
        }
        let mut entrant = Entrant::default();
        for (index, &(key, value)) in settings.iter().enumerate() {
            if settings[..index].iter().any(|(earlier, _)| *earlier == key) {
                return Err(format!("`{key}` is set twice"));
            }
            entrant.set(key, value).map_err(|why| format!("`{}`: {why}", words[index]))?;
        }
        if entrant.command.is_empty() {
            Err("its command is missing: cmd=COMMAND".to_owned())
        } else {
            Ok(entrant)
        }
    }
}

/// The key and the value of a word `KEY=VALUE`, or a key alone.
pub fn setting(word: &str) -> (&str, Option<&str>) {
    word.split_once('=').map_or((word, None), |(key, value)| (key, Some(value)))
}

impl Entrant {
    fn set(&mut self, key: &str, value: Option<&str>) -> Result<(), String> {
        let given = value.filter(|value| !value.is_empty()).ok_or("a value is missing");
        match key {
            "cmd" => given?.clone_into(&mut self.command),
            "name" => self.name = Some(given?.to_owned()),
            "whole-actions" => {
                self.whole_actions = value.is_none_or(|value| value == "true");
                if !matches!(value, None | Some("true" | "false")) {
                    return Err("expected true or false".to_owned());
                }
            }
            "move-time" | "clock" if self.time.is_some() => {
                return Err("an engine has either a time for each action or a clock".to_owned());
            }
            "move-time" => self.time = Some(Control::MoveTime(seconds(given?)?)),
            "clock" => self.time = Some(Control::Clock(clock(given?)?)),
            "nodes" => self.nodes = Some(given?.parse().map_err(|_| "expected a number of nodes")?),
            _ => match key.strip_prefix(OPTION).filter(|name| !name.is_empty()) {
                Some(name) => self.options.push((name.to_owned(), value.map(str::to_owned))),
                None => {
                    let keys = KEYS.join(", ");
                    return Err(format!(
                        "there is no such setting; the settings are {keys} and {OPTION}NAME"
                    ));
                }
            },
        }
        Ok(())
    }
}

impl Control {
    /// The name of the header that gives it in a game, and the value there.
    pub fn header(self) -> (&'static str, String) {
        match self {
            Control::MoveTime(time) => ("TimePerAction", time.as_secs_f64().to_string()),
            Control::Clock(clock) => ("TimeControl", clock.to_string()),
        }
    }

    pub fn time(self) -> Time {
        match self {
            Control::MoveTime(time) => Time::PerAction(time),
            Control::Clock(Clock { game, increment }) => Time::Clock { game, increment },
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.game.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// Reads a clock of the command line.
pub fn clock(text: &str) -> Result<Clock, String> {
    let (game, increment) = text.split_once('+').unwrap_or((text, "0"));
    let increment = if increment == "0" { Some(Duration::ZERO) } else { seconds(increment).ok() };
    match (seconds(game), increment) {
        (Ok(game), Some(increment)) => Ok(Clock { game, increment }),
        _ => Err("expected seconds for a game and for each action, such as 60+0.5 or 300+0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_shown() {
        for (text, shown) in [("60+0.5", "60+0.5"), ("60", "60+0"), ("0.5+0", "0.5+0")] {
            assert_eq!(clock(text).unwrap().to_string(), shown);
        }
        for text in ["", "+1", "0", "60+", "60+-1", "60+x", "1+2+3"] {
            assert!(clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_engine_is_a_command_or_settings() {
        let read = |text: &str| text.parse::<Entrant>();
        for command in ["./new", "./new --depth 3", "'./my engine' --a=1", "LANG=C ./new"] {
            assert_eq!(read(command), Ok(Entrant { command: command.to_owned(), ..Entrant::default() }));
        }
        let text = "name='The new' cmd='./new --fast' option.Hash=64 option.Path=a=b option.Clear whole-actions clock=60+0.5 nodes=100";
        let option = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        assert_eq!(
            read(text),
            Ok(Entrant {
                command: "./new --fast".to_owned(),
                name: Some("The new".to_owned()),
                options: vec![option("Hash", Some("64")), option("Path", Some("a=b")), option("Clear", None)],
                whole_actions: true,
                time: Some(Control::Clock(clock("60+0.5").unwrap())),
                nodes: Some(100),
            })
        );
    }

    #[test]
    fn wrong_settings_are_refused_with_their_reason() {
        for (text, why) in [
            ("", "there is no command in it"),
            ("'", "it cannot be divided into words"),
            ("name=A", "its command is missing"),
            (
                "./a --fast name=A",
                "`name=A` is a setting; beside settings the command is one too: cmd='./a --fast' name=A",
            ),
            ("cmd= name=A", "`cmd=`: a value is missing"),
            ("cmd=./a cmd=./b", "`cmd` is set twice"),
            ("nam=A cmd=./a", "`nam=A`: there is no such setting"),
            ("cmd=./a ./b", "`./b`: there is no such setting"),
            ("cmd=./a option.=1", "`option.=1`: there is no such setting"),
            (
                "cmd=./a tc=60+1",
                "the settings are cmd, name, whole-actions, move-time, clock, nodes and option.NAME",
            ),
            ("cmd=./a nodes=x", "expected a number of nodes"),
            ("cmd=./a whole-actions=maybe", "expected true or false"),
            ("cmd=./a clock=60 move-time=1", "either a time for each action or a clock"),
        ] {
            let found = text.parse::<Entrant>().unwrap_err();
            assert!(found.contains(why), "{text}: {found}");
        }
    }
}
