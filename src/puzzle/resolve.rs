//! From the texts of a puzzle to actions. [`Resolved`] is a puzzle whose start and solutions are actions; its tables are read in the
//! position in which they are asked.
//!
//! The moves of a puzzle file are read here, and in `start` and `class`. A row of a table applies in many positions, and its text may
//! mean another action in each, so it cannot be read once for all. Two other files read moves that stand in no file: `judge` those of
//! a person who answers, `fix/rows` those that it is about to write, in each position where they would apply.

use super::class;
use super::finding::Finding;
use super::load::Document;
use super::model::{ClassText, Puzzle, Reply, STALEMATE, Spanned, Tries};
use super::start::{start, unreadable};
use super::table::Table;
use crate::notation::{Game, pgn5d};
use crate::search::{Class, Defence};
use crate::state::Position;
use crate::types::Action;

/// A puzzle whose start and solutions are actions.
#[derive(Debug)]
pub struct Resolved<'d> {
    /// The puzzle as it is written.
    pub puzzle: &'d Puzzle,
    /// The game that leads to the start.
    pub game: Game,
    /// The position to be solved.
    pub start: Position,
    /// The solutions whose actions are all legal.
    pub solutions: Vec<Vec<Action>>,
    texts: Texts<'d>,
}

impl<'d> Resolved<'d> {
    /// Reads start and solutions. Solutions with an illegal action are left out; `verify` reports them.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the puzzle or its start.
    pub fn of(document: &'d Document) -> Result<Resolved<'d>, Vec<Finding>> {
        let puzzle = document.puzzle.as_ref().map_err(Clone::clone)?;
        let game = start(document.text(), puzzle).map_err(|finding| vec![finding])?;
        let (start, texts) = (game.end(), Texts(document.text()));
        let solutions = puzzle.solutions.iter().filter_map(|line| texts.line(&start, &line.value).whole());
        let solutions = solutions.collect();
        Ok(Resolved { puzzle, game, start, solutions, texts })
    }

    /// The position after some actions from the start.
    ///
    /// # Panics
    ///
    /// When they cannot be played.
    pub fn after(&self, line: &[Action]) -> Position {
        let mut position = self.start.clone();
        line.iter().for_each(|action| position.play_unchecked(action));
        position
    }

    /// The actions of a line that begins in a position. `None` if one of them is not legal.
    pub fn line(&self, position: &Position, written: &[Spanned<String>]) -> Option<Vec<Action>> {
        self.texts.line(position, written).whole()
    }

    /// The action that is written. `None` if it is not legal in this position.
    pub fn action(&self, position: &Position, written: &Spanned<String>) -> Option<Action> {
        self.texts.action(position, written).ok()
    }

    /// The first actions of the solutions, each once.
    pub fn keys(&self) -> Vec<Action> {
        let mut keys: Vec<Action> = Vec::new();
        for key in self.solutions.iter().filter_map(|line| line.first()) {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        keys
    }

    /// The rows of the table of replies for the defences after a line of the solver's. `None` if there are none, or if
    /// the line leaves the table.
    pub fn rows_after(&self, line: &[Action]) -> Option<Vec<&'d Spanned<Reply>>> {
        let (key, rest) = line.split_first()?;
        let is_only = || self.solutions.iter().all(|solution| solution.first() == Some(key));
        let about = |row: &&Spanned<Reply>| match &row.value.key {
            Some(text) => self.action(&self.start, text).as_ref() == Some(key),
            None => is_only(),
        };
        let mut rows: Vec<&'d Spanned<Reply>> = self.puzzle.replies.iter().filter(about).collect();
        let mut position = self.after(std::slice::from_ref(key));
        for pair in rest.chunks_exact(2) {
            let row = *self.texts.replies(&position, &rows).get(&pair[0])?;
            position.play_unchecked(&pair[0]);
            if self.action(&position, &rows[row].value.answer).as_ref() != Some(&pair[1]) {
                return None;
            }
            position.play_unchecked(&pair[1]);
            rows = rows[row].value.replies.iter().collect();
        }
        (!rows.is_empty()).then_some(rows)
    }

    /// The indices of rows about defences, in a table for one position.
    pub fn replies(&self, position: &Position, rows: &[&Spanned<Reply>]) -> Table<usize> {
        self.texts.replies(position, rows)
    }

    /// The refutation that the tables list for an action of the solver after a line. `is_wrong` says that the action is no
    /// solution, so that the replies to all wrong actions count too.
    pub fn listed_refutation(&self, played: &[Action], action: &Action, is_wrong: bool) -> Option<Defence> {
        let tries = match played.split_last() {
            None => self.puzzle.tries.as_ref(),
            Some((defence, before)) => {
                let rows = self.rows_after(before)?;
                let row = *self.replies(&self.after(before), &rows).get(defence)?;
                rows[row].value.tries.as_ref()
            }
        };
        let (tries, mut position) = (&tries?.value, self.after(played));
        let table = self.texts.tries(&position, tries);
        let reply = table.get(action);
        position.play_unchecked(action);
        match reply {
            Some(reply) if reply.value == STALEMATE => Some(Defence::Stalemate),
            Some(reply) => self.action(&position, reply).map(Defence::Action),
            None if !is_wrong => None,
            None => match self.texts.otherwise(&position, &tries.otherwise)? {
                (_, Some(reply)) => Some(Defence::Action(reply)),
                (_, None) => position.is_stalemate().then_some(Defence::Stalemate),
            },
        }
    }
}

/// The document whose texts are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts<'d>(pub &'d str);

/// A line as far as it can be played.
pub(super) struct Played {
    /// The legal actions from the beginning of the line.
    pub actions: Vec<Action>,
    /// The position after them.
    pub end: Position,
    /// The reason why the next action of the line is not legal.
    pub illegal: Option<Finding>,
}

impl Played {
    /// The actions, if all were legal.
    pub fn whole(self) -> Option<Vec<Action>> {
        self.illegal.is_none().then_some(self.actions)
    }
}

/// The defences that a row of replies is about.
pub(super) enum About {
    One(Action),
    Class(Class),
    Otherwise,
}

impl<'d> Texts<'d> {
    /// The action that is written.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read or is not legal.
    pub fn action(self, position: &Position, written: &Spanned<String>) -> Result<Action, Finding> {
        pgn5d::parse_action(position, &written.value).map_err(|error| unreadable(self.0, written, &error))
    }

    /// The same without the reason, which takes much less time for most texts that are not legal.
    pub fn legal_action(self, position: &Position, written: &Spanned<String>) -> Option<Action> {
        pgn5d::legal_action(position, &written.value)
    }

    /// The actions of a line that begins in a position.
    pub fn line(self, position: &Position, written: &[Spanned<String>]) -> Played {
        let mut played = Played { actions: Vec::new(), end: position.clone(), illegal: None };
        for text in written {
            match self.action(&played.end, text) {
                Ok(action) => {
                    played.end.play_unchecked(&action);
                    played.actions.push(action);
                }
                Err(finding) => {
                    played.illegal = Some(finding);
                    break;
                }
            }
        }
        played
    }

    /// The class that is written.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read.
    pub fn class(self, position: &Position, written: &Spanned<ClassText>) -> Result<Class, Finding> {
        class::read(position, self.0, &written.value)
    }

    /// The defences that a row is about in a position.
    ///
    /// # Errors
    ///
    /// The reason why the row cannot be read there.
    pub fn about(self, position: &Position, row: &Reply) -> Result<About, Finding> {
        Ok(match (&row.defence, &row.class) {
            (Some(defence), _) => About::One(self.action(position, defence)?),
            (None, Some(class)) => About::Class(self.class(position, class)?),
            (None, None) => About::Otherwise,
        })
    }

    /// The indices of rows about defences, in a table for one position. Rows that cannot be read there are left out, and of
    /// two rows about one action the first counts: `verify` reports both.
    pub fn replies(self, position: &Position, rows: &[&Spanned<Reply>]) -> Table<usize> {
        let mut table = Table::default();
        for (index, row) in rows.iter().enumerate() {
            match self.about(position, &row.value) {
                Ok(About::One(action)) => drop(table.add(action, index)),
                Ok(About::Class(class)) => table.add_class(class, index),
                Ok(About::Otherwise) => table.set_otherwise(index),
                Err(_) => {}
            }
        }
        table
    }

    /// The replies to wrong actions that have a row, in a table for one position, with the same omissions.
    pub fn tries<'t>(self, position: &Position, tries: &'t Tries) -> Table<&'t Spanned<String>> {
        let mut table = Table::default();
        for (written, refutation) in &tries.rows.0 {
            if let Some(action) = self.legal_action(position, written) {
                let _ = table.add(action, &refutation.reply);
            }
        }
        for row in &tries.classes {
            if let Ok(class) = self.class(position, &row.value.class) {
                table.add_class(class, &row.value.reply);
            }
        }
        table
    }

    /// The first of the replies to every wrong action that is legal; else the word `stalemate`, if it is listed.
    pub fn otherwise<'t>(
        self,
        position: &Position,
        replies: &'t [Spanned<String>],
    ) -> Option<(&'t Spanned<String>, Option<Action>)> {
        let legal = replies.iter().find_map(|reply| Some((reply, Some(self.legal_action(position, reply)?))));
        legal.or_else(|| Some((replies.iter().find(|reply| reply.value == STALEMATE)?, None)))
    }
}
