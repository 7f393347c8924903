//! Random games and corrupted texts for tests.

use super::game::{Game, Parsed};
use super::orthodox::standard_start;
use super::result::GameResult;
pub(crate) use crate::rules::samples::Random;
use crate::rules::variants::VARIANTS;
use crate::state::Position;
use crate::types::{Action, Color, Move, PieceKind};

impl Random {
    /// One of the texts with a few bytes changed, mostly to bytes of `alphabet`, or left out, or with the end
    /// cut off.
    pub fn spoil(&mut self, texts: &[String], alphabet: &[u8]) -> String {
        let mut bytes = texts[self.below(texts.len())].clone().into_bytes();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            let byte =
                if self.below(4) == 0 { self.below(256) as u8 } else { alphabet[self.below(alphabet.len())] };
            match self.below(9) {
                0..3 => bytes.insert(at, byte),
                3 => bytes.truncate(at),
                4..6 if at < bytes.len() => drop(bytes.remove(at)),
                _ if at < bytes.len() => bytes[at] = byte,
                _ => {}
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The game of a text that is read without a warning.
pub(crate) fn read(text: &str, parsed: Parsed<Game>) -> Game {
    assert_eq!((&parsed.error, &parsed.warnings[..]), (&None, &[][..]), "{text}");
    parsed.value.unwrap()
}

/// 5DPGN on one line, without its headers.
pub(crate) fn without_headers(written: &str) -> String {
    written.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ")
}

/// Asserts that a text is refused with an error of this class and code, from one byte up to another.
pub(crate) fn assert_refused<T>(text: &str, parsed: Parsed<T>, expected: (&str, &str, u32, u32)) {
    let error = parsed.error.unwrap_or_else(|| panic!("{text} is read"));
    let span = error.span();
    let found = (error.class.name(), error.issue.code, span.start, span.end);
    assert_eq!(found, expected, "{text}: {error}");
}

/// Asserts that the spans of all actions and messages lie within the text.
pub(crate) fn assert_spans_fit(text: &str, reading: &Parsed) {
    let issues = reading.error.iter().map(|error| &error.issue).chain(&reading.warnings);
    for issue in issues {
        assert!(text.get(issue.span.range()).is_some(), "{issue:?} does not fit {text}");
    }
    for span in &reading.spans {
        assert!(text.get(span.range()).is_some(), "{span:?} does not fit {text}");
    }
    if let Some(error) = &reading.error {
        assert!(!error.excerpt("x", text).to_string().is_empty());
    }
}

/// Plays a random legal action and returns it; `None` when a few attempts did not find one.
pub(crate) fn random_action(position: &mut Position, random: &mut Random) -> Option<Action> {
    for _ in 0..20 {
        let mut made: Vec<Move> = Vec::new();
        for _ in 0..position.multiverse().timelines().count() + 2 {
            let Some(m) = random.pick(&position.pseudo_legal_moves()).copied() else { break };
            position.push(&m);
            made.push(m);
            if position.can_submit().is_ok() {
                position.switch_player();
                return Some(Action::new(made));
            }
        }
        for m in made.iter().rev() {
            position.pop(m);
        }
    }
    None
}

pub(crate) fn random_game(seed: u64) -> Game {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut setup = VARIANTS[random.below(VARIANTS.len())].setup();
    let others: &[PieceKind] = match random.below(3) {
        0 => &[PieceKind::Knight],
        1 => &[PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook],
        _ => &[],
    };
    for &kind in others {
        let more = setup.profile.promotions.with(kind);
        setup.profile.promotions = more.expect("a pawn may become that");
    }
    let start = Position::from_setup(&setup).expect("variants are positions");
    let mut position = start.clone();
    let length = random.below(30);
    let actions: Vec<Action> =
        std::iter::from_fn(|| random_action(&mut position, &mut random)).take(length).collect();
    let mut game = Game::new(start, actions);
    game.result = random.pick(&GameResult::ALL).copied().filter(|_| length.is_multiple_of(2));
    if length.is_multiple_of(3) {
        game.headers.push(("White".into(), "a \"b\" \\ é".into()));
    }
    game
}

/// A random game of orthodox chess. Every kind of move occurs now and then.
pub(crate) fn random_orthodox_game(seed: u64) -> Game {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let start = standard_start();
    let mut position = start.clone();
    let mut actions = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    let length = random.below(140);
    while actions.len() < length {
        position.legal_moves_on_board(&mut moves);
        if moves.is_empty() {
            break;
        }
        let is_special = |m: &Move| {
            let board = position.board(m.from.board).unwrap();
            let kind = board.get(m.from.square).map(|piece| piece.kind);
            let (from, to) = (m.from.square, m.to.square);
            let castling = kind == Some(PieceKind::King) && from.file().abs_diff(to.file()) == 2;
            let passing =
                kind == Some(PieceKind::Pawn) && from.file() != to.file() && board.get(to).is_none();
            castling || passing || m.promotion.is_some()
        };
        let special: Vec<Move> = moves.iter().copied().filter(is_special).collect();
        let choice = if special.is_empty() || random.below(3) == 0 { &moves } else { &special };
        let m = choice[random.below(choice.len())];
        position.play_legal_on_board(&m);
        actions.push(Action::from(vec![m]));
    }
    position.legal_moves_on_board(&mut moves);
    let result = match (moves.is_empty(), position.is_attacked_on_board(position.to_move())) {
        (true, true) if position.to_move() == Color::White => Some(GameResult::BlackWins),
        (true, true) => Some(GameResult::WhiteWins),
        (true, false) => Some(GameResult::Draw),
        _ => [None, Some(GameResult::WhiteWins), Some(GameResult::BlackWins), Some(GameResult::Draw)]
            [random.below(4)],
    };
    Game { result, ..Game::new(start, actions) }
}
