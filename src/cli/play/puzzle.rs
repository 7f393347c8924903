//! Solving a puzzle at the terminal.

use std::io::Write;

use super::draw;
use super::entry::{Entry, Said};
use super::lines::Lines;
use super::progress::{Progress, Solved};
use crate::cli::exit::Failure;
use crate::cli::input::Proving;
use crate::cli::time::Time;
use crate::cli::{source, terminal};
use worldlines::notation::pgn5d::{action_text, line_texts};
use worldlines::notation::{Game, printable};
use worldlines::puzzle::{Document, Goal, Judge, Judgement, NoJudge, Puzzle, unmoved};
use worldlines::search::{Analysis, Defence, Prover};
use worldlines::state::Position;
use worldlines::types::{Action, Move, MoveKind, Undecided, counted};

pub(super) const HELP: &str = "\
e2e4, Nf3, (0T3)Nf3>>(0T2)f5 …   moves, in any notation; several in one line are made one after another
submit                           end your action
undo                             take back the last move, or else your last action and the answer to it
board                            draw the boards, with the moves that you have made
moves                            list the moves that can come next
pieces                           the letters of the pieces, and how each one moves
hint                             a hint; each one says more, and the last one is the action itself
solution                         show the solution, and leave the puzzle: in the course, for the next lesson
quit                             leave the puzzle; so does the end of the input
";

/// The way in which a puzzle ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Solved,
    /// The user asked for the solution.
    Shown,
    Left,
}

/// Lets the user solve a puzzle, and remembers it in `progress` when it is solved.
pub fn play(
    document: &Document,
    proving: &Proving,
    progress: &mut Progress,
    lines: &mut Lines<'_>,
    out: &mut dyn Write,
) -> Result<Ended, Failure> {
    // The clock runs for each answer.
    let judge = Judge::new(document, proving.options(None)).map_err(|why| match why {
        NoJudge::Unreadable(findings) => source::unreadable(document, &findings),
        NoJudge::Helpmate => Failure::new(
            "in a helpmate both players play for the mate, so nobody refutes an answer: `worldlines verify` checks its lines",
        ),
        _ => Failure::new("this puzzle asks how the game stands, so there is nothing to play"),
    })?;
    let Ok(puzzle) = &document.puzzle else { return Err(Failure::new("the puzzle cannot be read")) };
    if let Goal::NoMateIn(_) = puzzle.goal.value {
        return Err(Failure::new("this puzzle says that there is no mate, so there is nothing to play"));
    }
    let entry = Entry::of_puzzle(judge.game());
    let time = proving.limits.time;
    let line = Vec::new();
    let mut session =
        Session { document, puzzle, judge, time, line, entry, mistakes: 0, hints: 0, given: 0, out };
    session.run(lines, progress)
}

struct Session<'a> {
    document: &'a Document,
    puzzle: &'a Puzzle,
    judge: Judge<'a>,
    /// The limit for each answer.
    time: Time,
    /// The actions since the start: the solver's and the opponent's in turn.
    line: Vec<Action>,
    /// The action that is being entered.
    entry: Entry,
    mistakes: u32,
    hints: u32,
    /// The number of hints given for this action.
    given: usize,
    out: &'a mut dyn Write,
}

/// The continuation after an input line.
#[derive(PartialEq, Eq)]
enum Next {
    On,
    Ended(Ended),
}

impl Session<'_> {
    fn run(&mut self, lines: &mut Lines<'_>, progress: &mut Progress) -> Result<Ended, Failure> {
        let start = self.judge.start();
        let (player, opponent) = (start.to_move().name(), (!start.to_move()).name());
        let n = self.judge.mate_in();
        let task = match &self.puzzle.goal.value {
            Goal::MateIn(_) => format!("{player} mates in {n}"),
            Goal::SelfmateIn(_) => format!("{player} makes {opponent} mate in {n}"),
            Goal::OnlyDefence(_) => {
                format!("{player} has one action after which {opponent} has no mate in {n}")
            }
            _ => format!("{player} finds an action after which {opponent} has no mate in {n}"),
        };
        if let Some(lesson) = &self.puzzle.lesson {
            terminal::paragraph(&lesson.value.text.value, self.out)?;
            writeln!(self.out)?;
        }
        writeln!(
            self.out,
            "{}: {task}. `help` lists what you can say.",
            printable(&self.puzzle.title.value)
        )?;
        if let Some(unmoved) = unmoved(self.puzzle, start) {
            writeln!(self.out, "{unmoved}.")?;
        }
        if let Some(solved) = progress.solved(&self.document.id) {
            writeln!(self.out, "You solved it on {}.", printable(&solved.on))?;
        }
        self.draw()?;
        loop {
            match self.ask(lines)? {
                Next::On => {}
                Next::Ended(Ended::Solved) => break,
                Next::Ended(ended) => return Ok(ended),
            }
        }
        writeln!(
            self.out,
            "Solved, with {} and {}.",
            counted(self.mistakes, "mistake"),
            counted(self.hints, "hint")
        )?;
        if let Some(point) = &self.puzzle.point {
            terminal::paragraph(&point.value, self.out)?;
        }
        progress.note(
            &self.document.id,
            Solved { on: super::progress::today(), mistakes: self.mistakes, hints: self.hints },
        );
        Ok(Ended::Solved)
    }

    fn position(&self) -> Position {
        self.judge.after(&self.line)
    }

    fn game(&self) -> Game {
        let mut game = self.judge.game().clone();
        game.actions.extend_from_slice(&self.line);
        game
    }

    fn draw(&mut self) -> Result<(), Failure> {
        draw(&self.position(), self.out)
    }

    fn ask(&mut self, lines: &mut Lines<'_>) -> Result<Next, Failure> {
        let number = format!("{}.", self.line.len() / 2 + 1);
        let Some(line) = lines.ask(&self.entry.prompt(&number), self.out)? else {
            return Ok(Next::Ended(Ended::Left));
        };
        match Said::of(&line) {
            Said::Nothing => {}
            Said::Help => self.out.write_all(HELP.as_bytes())?,
            Said::Board => draw(self.entry.position(), self.out)?,
            Said::Pieces => {
                self.entry.listed_pieces().iter().try_for_each(|line| writeln!(self.out, "{line}"))?
            }
            Said::Moves => {
                self.entry.listed_moves().iter().try_for_each(|line| writeln!(self.out, "{line}"))?
            }
            Said::Hint => self.hint()?,
            Said::Solution => {
                self.solution()?;
                return Ok(Next::Ended(Ended::Shown));
            }
            Said::Save(_) | Said::Resign => {
                writeln!(self.out, "a puzzle is solved or left; `help` lists what you can say")?
            }
            Said::Quit => return Ok(Next::Ended(Ended::Left)),
            Said::Undo => self.undo()?,
            Said::Submit => return self.submit(),
            Said::Moved(text) => match self.entry.add(text) {
                Ok(true) => return self.submit(),
                Ok(false) => writeln!(self.out, "{}", self.entry.way_on())?,
                Err(why) => writeln!(self.out, "{}", printable(&why))?,
            },
        }
        Ok(Next::On)
    }

    fn submit(&mut self) -> Result<Next, Failure> {
        let action = match self.entry.submit() {
            Ok(action) => action,
            Err(why) => {
                let undo = if self.entry.made_text().is_empty() { "" } else { "; `undo` takes back a move" };
                writeln!(self.out, "{why}{undo}")?;
                return Ok(Next::On);
            }
        };
        let before = self.position();
        let text = action_text(&before, &action);
        self.line.push(action);
        let clock = self.time.start();
        let mut prover = self.judge.prover().stopping_on(Some(clock.stop()));
        let verdict = self.judge.judge_last(&self.line, &mut prover);
        match verdict {
            Judgement::Correct { left: 0, .. } if self.judge.is_selfmate() => {
                writeln!(self.out, "{text} is right: every reply mates.")?;
                return Ok(Next::Ended(Ended::Solved));
            }
            Judgement::Correct { left: 0, .. } => {
                writeln!(self.out, "{text} is mate.")?;
                self.draw()?;
                return Ok(Next::Ended(Ended::Solved));
            }
            Judgement::Holds { .. } => {
                writeln!(self.out, "{text} survives.")?;
                return Ok(Next::Ended(Ended::Solved));
            }
            Judgement::Correct { left, .. } => self.defend(&text, left, &mut prover)?,
            Judgement::Slower { mate_in, refutation } => {
                let does = if self.judge.is_selfmate() { "forces it" } else { "mates" };
                let why = format!("{text} {does} only in {mate_in}");
                self.refuted(&why, &refutation)?;
            }
            Judgement::Wrong { refutation, .. } => self.refuted(&format!("{text} is wrong"), &refutation)?,
            Judgement::Illegal(why) => {
                self.line.pop();
                writeln!(self.out, "{text}: {}", printable(&why.message))?;
            }
            Judgement::Undecided(why) => {
                self.line.pop();
                writeln!(self.out, "{text}: whether this is right was not found out: {why}")?;
            }
        }
        self.entry = Entry::of_puzzle(&self.game());
        Ok(Next::On)
    }

    /// Plays the opponent's answer to a right action.
    fn defend(&mut self, text: &str, left: u32, prover: &mut Prover<'_>) -> Result<(), Failure> {
        match self.defence(left, prover) {
            Ok(Some(defence)) => {
                let answer = action_text(&self.position(), &defence);
                let opponent = self.position().to_move().name();
                writeln!(self.out, "{text} is right. {opponent} replies {answer}")?;
                self.line.push(defence);
                self.given = 0;
                self.draw()
            }
            Ok(None) => Ok(writeln!(self.out, "{text} is right.")?),
            Err(why) => {
                self.line.pop();
                Ok(writeln!(self.out, "{text} is right, but no answer to it was found: {why}")?)
            }
        }
    }

    /// The opponent's answer: the listed one, or else the one that lasts longest, or else any.
    fn defence(&self, left: u32, prover: &mut Prover<'_>) -> Result<Option<Action>, Undecided> {
        let longest = |prover| self.judge.longest_defence(&self.line, left, prover).ok().flatten();
        let listed = self.next_listed().or_else(|| longest(prover));
        if listed.is_some() {
            return Ok(listed);
        }
        // The question for the longest may have cost all that an answer may.
        let (position, mut prover) = (self.position(), self.judge.prover());
        let mut legal = prover.actions(&position);
        prover.next_action(&mut legal)
    }

    /// The next action of the listed solution that begins with the line.
    fn next_listed(&self) -> Option<Action> {
        let listed = self.judge.solutions().iter().find(|line| line.starts_with(&self.line))?;
        listed.get(self.line.len()).cloned()
    }

    /// Shows the refutation of a wrong action, and takes the action back.
    fn refuted(&mut self, why: &str, refutation: &Defence) -> Result<(), Failure> {
        self.mistakes += 1;
        let after = self.position();
        match refutation {
            Defence::Stalemate if after.is_in_check() => {
                writeln!(self.out, "{why}: the opponent is mated. Try again.")?;
            }
            Defence::Stalemate => writeln!(self.out, "{why}: it is stalemate. Try again.")?,
            Defence::Action(reply) => {
                let opponent = after.to_move().name();
                writeln!(self.out, "{why}: {opponent} replies {}", action_text(&after, reply))?;
                let mut replied = after;
                if replied.play(reply).is_ok() {
                    draw(&replied, self.out)?;
                }
                writeln!(self.out, "It is taken back. Try again.")?;
            }
        }
        self.line.pop();
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Failure> {
        if self.entry.undo() {
            return Ok(());
        }
        if self.line.len() < 2 {
            return Ok(writeln!(self.out, "there is nothing to take back")?);
        }
        self.line.truncate(self.line.len() - 2);
        self.entry = Entry::of_puzzle(&self.game());
        self.draw()
    }

    /// The next action of a listed solution, or one that the prover finds.
    fn right_action(&self) -> Option<Action> {
        self.next_listed().or_else(|| {
            let left = self.judge.mate_in().checked_sub((self.line.len() / 2) as u32)?;
            let clock = self.time.start();
            let mut prover = self.judge.prover().stopping_on(Some(clock.stop()));
            let position = self.position();
            let mut analysis = Analysis::new(&mut prover, &position, left.max(1));
            match self.judge.is_selfmate() {
                true => analysis.selfmate().keys.first().map(|class| class.key().clone()),
                false => analysis.mate().soonest,
            }
        })
    }

    /// Gives the next hint: first those of the file; then, and at later turns, facts about the right action. After hints of the file the facts
    /// that say less are left out: the first one, and after hints in three grades the piece too.
    fn hint(&mut self) -> Result<(), Failure> {
        const FACTS: usize = 3;
        let own = if self.line.is_empty() { self.puzzle.hints.len() } else { 0 };
        let skipped = match own {
            0 => 0,
            1 | 2 => 1,
            _ => 2,
        };
        if self.given >= own + FACTS - skipped {
            return Ok(writeln!(self.out, "there are no more hints; `solution` shows it")?);
        }
        let given = self.given;
        self.given += 1;
        self.hints += 1;
        if let Some(hint) = self.puzzle.hints.get(given).filter(|_| given < own) {
            return Ok(terminal::paragraph(&hint.value, self.out)?);
        }
        let Some(action) = self.right_action() else {
            return Ok(writeln!(self.out, "there is no hint here")?);
        };
        let position = self.position();
        let Some(m) = action.moves().first() else { return Ok(()) };
        let piece = position.board(m.from.board).and_then(|board| board.get(m.from.square));
        let piece = piece.map_or("piece".to_owned(), |piece| piece.kind.to_string());
        let boards = match action.moves().len() {
            1 => "one board".to_owned(),
            many => format!("{many} boards"),
        };
        let text = action_text(&position, &action);
        match given - own + skipped {
            0 => {
                let travel = action.moves().iter().find_map(travel);
                let and = travel.map_or(String::new(), |travel| format!(" {travel}"));
                writeln!(self.out, "You move on {boards}. A {piece} moves.{and}")?;
            }
            1 => {
                let from = worldlines::notation::pgn5d::board_text(&position, m.from.board);
                writeln!(self.out, "The {piece} on {from}{} moves.", m.from.square)?;
            }
            _ => writeln!(self.out, "{text}")?,
        }
        Ok(())
    }

    fn solution(&mut self) -> Result<(), Failure> {
        for line in self.judge.solutions() {
            let (texts, _) = line_texts(self.judge.start(), line);
            writeln!(self.out, "{}", texts.join(" / "))?;
        }
        if let Some(point) = &self.puzzle.point {
            terminal::paragraph(&point.value, self.out)?;
        }
        Ok(())
    }
}

/// The way that a move takes through time and across timelines, for a hint; `None` if it stays on its board.
fn travel(m: &Move) -> Option<&'static str> {
    let is_past = m.to.board.half_turn < m.from.board.half_turn;
    let is_other = m.to.board.timeline != m.from.board.timeline;
    match (m.kind, is_past, is_other) {
        (MoveKind::Physical, ..) => None,
        (_, true, false) => Some("A piece goes back in time."),
        (_, true, true) => Some("A piece goes back in time, to another timeline."),
        (MoveKind::Branch, false, _) => Some("A piece goes to a board that was played already."),
        (MoveKind::Hop, false, _) => Some("A piece goes to another timeline."),
    }
}

#[cfg(test)]
mod tests {
    use worldlines::puzzle::{Options, load};

    use super::*;

    /// The opponent's answer to an action of no listed line, with so many search steps.
    fn defence(steps: u64) -> Result<Option<Action>, Undecided> {
        let text = include_bytes!("../../../puzzles/small/today-and-yesterday.yaml");
        let document = load("puzzle.yaml", text).remove(0);
        let options = Options { max_steps: Some(steps), ..Options::default() };
        let judge = Judge::new(&document, options).unwrap();
        let (line, entry) = (judge.read(&[], "Kc1", None).unwrap(), Entry::new(judge.game()));
        let (puzzle, time, out) = (document.puzzle.as_ref().unwrap(), Time::default(), &mut Vec::new());
        let session = Session {
            document: &document,
            puzzle,
            judge,
            time,
            line,
            entry,
            mistakes: 0,
            hints: 0,
            given: 0,
            out,
        };
        session.defence(2, &mut session.judge.prover())
    }

    #[test]
    fn an_answer_is_looked_for_within_the_limits() {
        assert!(matches!(defence(1_000_000), Ok(Some(_))));
        assert!(defence(0).is_err());
    }
}
