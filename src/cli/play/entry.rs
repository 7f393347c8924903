//! Input at the terminal: commands, and the action that is entered move by move.

use std::collections::BTreeSet;

use worldlines::notation::pgn5d::{self, move_text};
use worldlines::notation::{
    Correction, ErrorClass, Game, ParseError, corrections, did_you_mean, parse_actions, uci5d,
};
use worldlines::render::how_it_moves;
use worldlines::render::why::existing;
use worldlines::rules::{IllegalAction, PartialAction};
use worldlines::state::Position;
use worldlines::types::{Action, BoardCoordinate, Coordinate, Limit, Move, PieceKind};

/// The meaning of an input line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said<'l> {
    Nothing,
    Help,
    Board,
    Moves,
    Pieces,
    Save(&'l str),
    Resign,
    Quit,
    Undo,
    Submit,
    Hint,
    Solution,
    /// Moves, or text that is read as moves.
    Moved(&'l str),
}

impl<'l> Said<'l> {
    pub fn of(line: &'l str) -> Said<'l> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (&*word.to_ascii_lowercase(), rest.trim()) {
            ("", _) => Said::Nothing,
            ("help" | "?", "") => Said::Help,
            ("board", "") => Said::Board,
            ("moves", "") => Said::Moves,
            ("pieces", "") => Said::Pieces,
            ("save", file) if !file.is_empty() => Said::Save(file),
            ("resign", "") => Said::Resign,
            ("quit" | "exit", "") => Said::Quit,
            ("undo", "") => Said::Undo,
            ("submit", "") => Said::Submit,
            ("hint", "") => Said::Hint,
            ("solution", "") => Said::Solution,
            _ => Said::Moved(line),
        }
    }
}

/// The most moves that are listed.
const MOST_MOVES: usize = 60;
/// The most search steps to find them.
const STEPS: u64 = 200_000;

/// The action that is being entered.
pub struct Entry {
    partial: PartialAction,
    /// The moves as they were written.
    texts: Vec<String>,
    /// Whether an error names the moves that may have been meant.
    guesses: bool,
}

impl Entry {
    /// The beginning of an action at the end of a game.
    pub fn new(game: &Game) -> Entry {
        Entry { partial: PartialAction::new(game.end()), texts: Vec::new(), guesses: true }
    }

    /// The same in a puzzle, where a guess could be the solution.
    pub fn of_puzzle(game: &Game) -> Entry {
        Entry { guesses: false, ..Entry::new(game) }
    }

    /// The moves made so far.
    pub fn made_text(&self) -> String {
        self.texts.join(" ")
    }

    /// The prompt for the action with this number: the number, and the moves made so far.
    pub fn prompt(&self, number: &str) -> String {
        let made = self.made_text();
        let blank = if made.is_empty() { "" } else { " " };
        format!("{number}{blank}{made}> ")
    }

    /// Makes the moves of a text. Returns true if that ends the action: the text says so, or no board is left
    /// from which one can move. An error changes nothing.
    pub fn add(&mut self, text: &str) -> Result<bool, String> {
        let (moves, submits) = match text.strip_suffix("submit") {
            Some(moves) => (moves.trim_end(), true),
            None => (text, false),
        };
        if let (Some(why), false) = (self.why_stuck(), moves.is_empty()) {
            return Err(format!("no board is left to move on, but {why}; `undo` takes back a move"));
        }
        let made = self.moves(moves);
        let (made, submits) = match made {
            Ok(made) => (made, submits),
            // Other notations have no single moves, only whole actions.
            Err(error) => match self.whole_action(text) {
                Some(action) => (action.moves().to_vec(), true),
                None => return Err(self.explained(moves, &error)),
            },
        };
        let before = self.texts.len();
        for m in made {
            let text = move_text(&self.partial, &m);
            if let Err(why) = self.partial.push(m) {
                while self.texts.len() > before {
                    self.undo();
                }
                return Err(format!("{text}: {why}"));
            }
            self.texts.push(text);
        }
        Ok(submits || self.partial.playable_boards().next().is_none())
    }

    /// The moves of a text in 5DPGN or 5DUCI.
    fn moves(&self, text: &str) -> Result<Vec<Move>, ParseError> {
        pgn5d::parse_moves(&self.partial, text).or_else(|error| {
            let mut partial = self.partial.clone();
            let each = text.split_ascii_whitespace().map(|word| {
                let m = uci5d::parse_move(&partial, word).ok()?;
                partial.push(m).ok()?;
                Some(m)
            });
            each.collect::<Option<Vec<Move>>>().filter(|moves| !moves.is_empty()).ok_or(error)
        })
    }

    /// The action of a text in any notation, unless some moves were already made.
    fn whole_action(&self, text: &str) -> Option<Action> {
        if !self.texts.is_empty() {
            return None;
        }
        let position = self.partial.clone().into_position();
        let mut actions = parse_actions(&position, text, None).ok()?;
        let action = actions.pop();
        action.filter(|_| actions.is_empty())
    }

    /// The moves that lead to a legal action, board by board and piece by piece, and whether the action can end here.
    pub fn listed_moves(&self) -> Vec<String> {
        let Ok(moves) = self.partial.legal_moves_within(Limit::steps(STEPS)) else {
            return vec!["there are too many to find them all; any move of a piece may be tried".to_owned()];
        };
        let mut lines: Vec<String> =
            moves.iter().map(|m| format!("  {}", move_text(&self.partial, m))).collect();
        lines.sort();
        let more = lines.len().saturating_sub(MOST_MOVES);
        lines.truncate(MOST_MOVES);
        lines.extend((more > 0).then(|| format!("  … and {more} more")));
        if self.partial.can_submit().is_ok() {
            lines.push("  submit".to_owned());
        } else if moves.is_empty() {
            lines.push("no move leads to a legal action; `undo` takes back a move".to_owned());
        }
        lines
    }

    /// The pieces on the boards, each with its letter and how it moves.
    pub fn listed_pieces(&self) -> Vec<String> {
        let position = self.partial.clone().into_position();
        let boards = position.multiverse().boards();
        let kinds: BTreeSet<PieceKind> = boards
            .flat_map(|(_, board)| board.pieces().map(|(_, piece)| piece.kind).collect::<Vec<_>>())
            .collect();
        let mut lines = vec![
            "Capital letters are White's, small ones Black's. A square has a place on four axes: file, rank, turn and timeline.".to_owned(),
        ];
        lines.extend(kinds.into_iter().map(|kind| format!("  {} {}", kind.letter(), how_it_moves(kind))));
        lines
    }

    /// Takes back the last move; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.texts.pop();
        self.partial.pop().is_some()
    }

    /// The position with the moves made so far.
    pub fn position(&self) -> &Position {
        self.partial.position()
    }

    /// The way on after moves that do not end the action.
    pub fn way_on(&self) -> String {
        match self.partial.can_submit() {
            Ok(()) => "Nothing more must be played. `submit` ends your action.".to_owned(),
            Err(IllegalAction::PresentNotAdvanced) => format!("Still to be played: {}.", self.left()),
            Err(why) => format!("Not legal yet: {}.", self.told(&why)),
        }
    }

    /// Ends the action.
    pub fn submit(&mut self) -> Result<Action, String> {
        self.partial.submit().map_err(|why| self.told(&why))
    }

    /// The reason why an action is not legal that leaves no board to move on.
    fn why_stuck(&self) -> Option<String> {
        let is_complete = !self.texts.is_empty() && self.partial.playable_boards().next().is_none();
        is_complete.then(|| self.partial.can_submit().err()).flatten().map(|why| self.told(&why))
    }

    /// A reason why the action is not legal, with the boards and pieces that it is about.
    fn told(&self, why: &IllegalAction) -> String {
        match why {
            IllegalAction::PresentNotAdvanced => format!("you still have to move on {}", self.left()),
            IllegalAction::Exposed(check) => {
                let opponent = (!self.partial.to_move()).name();
                let (from, to) = (self.piece(check.from), self.piece(check.to));
                format!("{opponent} could take the {to} with the {from}")
            }
            why => why.to_string(),
        }
    }

    /// The boards that must still be played.
    fn left(&self) -> String {
        let boards = self.partial.mandatory_boards().map(|at| self.board_text(at));
        boards.collect::<Vec<String>>().join(" and ")
    }

    fn board_text(&self, at: BoardCoordinate) -> String {
        pgn5d::board_text(self.position(), at)
    }

    /// `king on (0T1)e1`; a piece on a board that only a pass would make stands on the board before it.
    fn piece(&self, at: Coordinate) -> String {
        let at = existing(at, self.position());
        let piece = self.position().board(at.board).and_then(|board| board.get(at.square));
        let kind = piece.map_or("piece".to_owned(), |piece| piece.kind.to_string());
        format!("{kind} on {}{}", self.board_text(at.board), at.square)
    }

    /// An error in a text with the moves that may have been meant, on one line.
    fn explained(&self, text: &str, error: &ParseError) -> String {
        let issue = &error.issue;
        let read = |text: &str| self.moves(text).err().map(|error| error.issue.span.range().start);
        let meant = corrections(text, issue.span.range().start, read);
        let meant: Vec<Correction> =
            meant.into_iter().filter_map(|meant| self.in_full(text, &meant)).collect();
        // Moves that are all written like this give no more away than the text itself.
        let is_told = self.guesses || error.class == ErrorClass::Ambiguous;
        let hint = did_you_mean(&meant).or_else(|| issue.hint.clone()).filter(|_| is_told);
        let usual = match self.texts.is_empty() {
            true => "`moves` lists the moves, `help` the commands",
            false => "`undo` takes back your last move, `moves` lists those that are left",
        };
        format!("{}; {}", issue.message, hint.as_deref().unwrap_or(usual))
    }

    /// The full text of a corrected move: `Ke1f2`. `None` if the move cannot be played now, or belongs to another piece than the one that
    /// is named.
    fn in_full(&self, text: &str, meant: &Correction) -> Option<Correction> {
        let mut partial = self.partial.clone();
        let mut words = Vec::new();
        for m in self.moves(&meant.applied(text)).ok()? {
            let piece = partial.multiverse().board(m.from.board)?.get(m.from.square)?;
            words.push((move_text(&partial, &m), piece.kind));
            partial.push(m).ok()?;
        }
        let named = named_kind(&text[meant.span.range()]);
        let is_named = |kind: PieceKind| words.iter().any(|(_, moved)| *moved == kind);
        if words.is_empty() || named.is_some_and(|kind| !is_named(kind)) {
            return None;
        }
        let words: Vec<String> = words.into_iter().map(|(text, _)| text).collect();
        Some(Correction { text: words.join(" "), ..meant.clone() })
    }
}

/// The kind of piece that a word names with its first letter, behind the name of the board.
fn named_kind(word: &str) -> Option<PieceKind> {
    let word = word.rsplit_once(')').filter(|_| word.starts_with('(')).map_or(word, |(_, word)| word);
    let letter = word.chars().next()?;
    PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(game: &str) -> Entry {
        Entry::new(&pgn5d::parse(game).into_result().unwrap())
    }

    #[test]
    fn pieces_on_the_boards_are_told_with_their_moves() {
        let game = pgn5d::parse("[k2/3/1QK:0:1:w]").into_result().unwrap();
        let lines = Entry::new(&game).listed_pieces();
        assert_eq!(
            lines[1..],
            [
                "  Q queen: slides along any number of axes at once",
                "  K king: one step along any number of axes; it must not be captured"
            ]
        );
    }

    #[test]
    fn a_puzzle_tells_moves_that_are_written_alike_and_no_others() {
        let game = pgn5d::parse("[k2/3/N1N/K2:0:1:w]").into_result().unwrap();
        let mut entry = Entry::of_puzzle(&game);
        let told = entry.add("Nb4").unwrap_err();
        assert!(told.ends_with("did you mean `(0T1)Na2b4` or `(0T1)Nc2b4`?"), "{told}");
        let told = entry.add("Nb3").unwrap_err();
        assert!(told.ends_with("`moves` lists the moves, `help` the commands"), "{told}");
        assert_eq!(entry.add("Ka1b1"), Ok(true));
        let told = entry.add("Ka1a2").unwrap_err();
        assert!(told.contains("`undo` takes back your last move"), "{told}");
    }

    #[test]
    fn moves_are_made_in_any_spelling_and_taken_back() {
        let two = "[Board \"Standard - Two Timelines\"]";
        for text in
            ["(-0T1)e4 (+0T1)Nf3", "(-0T1)e2e4 (+0T1)g1f3 submit", "(-0T1)e2(-0T1)e4 (+0T1)g1(+0T1)f3"]
        {
            let mut entry = entry(two);
            assert_eq!(entry.add(text), Ok(true), "{text}");
            assert_eq!(entry.made_text(), "(-0T1)e2e4 (+0T1)Ng1f3");
            assert_eq!(entry.submit().unwrap().moves().len(), 2);
        }
        let mut entry = entry(two);
        assert_eq!(entry.add("(-0T1)e4"), Ok(false));
        assert_eq!(entry.way_on(), "Still to be played: (+0T1).");
        assert_eq!(entry.submit().unwrap_err(), "you still have to move on (+0T1)");
        assert!(entry.add("(+0T1)Nf3 (+0T1)e4").is_err(), "that board was played");
        assert_eq!(entry.made_text(), "(-0T1)e2e4", "an error changes nothing");
        assert!(entry.undo() && !entry.undo());
        assert!(entry.add("castle").is_err());
        assert!(entry.add("(-0T1)mf3").unwrap_err().ends_with("did you mean `(-0T1)Ng1f3`?"));
        assert_eq!(entry.made_text(), "");
    }

    /// A suggestion is played as it stands: it keeps the piece, and says which one goes where.
    #[test]
    fn suggestions_keep_the_piece_and_are_moves_that_can_be_made() {
        let mut own = entry("[Board \"custom\"]\n[Size \"4x4\"]\n[3k/4/1K2/4:0:1:w]");
        for text in ["Bc3", "0000", "Qb3"] {
            let said = own.add(text).unwrap_err();
            assert!(!said.contains("did you mean"), "{text}: {said}");
        }
        assert!(own.add("kb3").unwrap_err().ends_with("did you mean `(0T1)Kb2b3`?"));
    }

    #[test]
    fn a_complete_action_that_is_not_legal_is_called_so() {
        let mut own = entry("[Board \"custom\"]\n[Size \"4x4\"]\n[1r1k/4/2K1/4:0:1:w]");
        assert_eq!(own.add("Kb2"), Ok(true));
        let taken = own.submit().unwrap_err();
        assert_eq!(taken, "Black could take the king on (0T1)b2 with the rook on (0T1)b4");
        let said = own.add("Kc3").unwrap_err();
        assert!(
            said.starts_with("no board is left to move on, but Black could take the king")
                && said.ends_with("`undo` takes back a move"),
            "{said}"
        );
        assert!(own.undo());
    }

    #[test]
    fn lines_are_commands_or_moves() {
        for (line, said) in [
            ("", Said::Nothing),
            (" HELP ", Said::Help),
            ("save a b.5dpgn", Said::Save("a b.5dpgn")),
            ("submit", Said::Submit),
            ("hint", Said::Hint),
            ("Nf3 submit", Said::Moved("Nf3 submit")),
            ("save", Said::Moved("save")),
        ] {
            assert_eq!(Said::of(line), said, "{line}");
        }
    }
}
