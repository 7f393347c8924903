//! Resolves a [`Record`] into a [`Game`]: finds the move that each text means, and checks that the actions
//! are legal.

use super::meaning::{meant, piece_of};
use super::record::{ActionText, LineText, Record, VariationText};
use super::write::move_text;
use crate::notation::common::describe::check_mark;
use crate::notation::common::header;
use crate::notation::common::move_text::{HOP_NOT_BRANCH, HOP_OR_BRANCH};
use crate::notation::common::notes::comment_of;
use crate::notation::common::passes;
use crate::notation::common::replay::Replay;
use crate::notation::common::start;
use crate::notation::common::{CheckMark, Issue, Jump, MoveText, ParseError, Shape, Span};
use crate::notation::common::{Game, Notes, Parsed, Variation};
use crate::state::Position;
use crate::types::{Action, Color, Move, MoveKind, PieceKind};

/// Plays a record up to its first error, from its start as `change` gives it.
pub(super) fn game(
    record: &Record<'_>,
    check_marks: bool,
    change: impl FnOnce(Position) -> Position,
) -> Parsed {
    let mut warnings = Vec::new();
    let begun = start::position(record.start(), &mut warnings)
        .and_then(|(start, name)| Ok((passes::after(change(start), &record.passes, &mut warnings)?, name)));
    let (start, name) = match begun {
        Ok(begun) => begun,
        Err(error) => return Parsed { warnings, ..Parsed::refused(error) },
    };
    let mut replay = Replay::new(start);
    replay.warnings = warnings;
    let mut reader = Reader { text: record.text, notes: Notes::new(), losses: Vec::new() };
    let error = play(&mut replay, &record.line, Some(&mut reader)).err();
    let Reader { notes, losses, .. } = reader;
    let mut losses: Vec<(u32, &str)> = losses
        .into_iter()
        .map(|loss| match loss {
            Unkept::Mark(mark) => {
                if check_marks {
                    replay.warn("wrong-mark", mark.span, mark.message());
                }
                (mark.span.start, mark.loss())
            }
            Unkept::Part(span, what) => (span.start, what),
        })
        .collect();
    losses.sort_unstable();
    let losses = replay.losses_at(losses.into_iter().map(|(start, what)| (start, what.to_owned())));
    let headers = header::kept(&record.headers, record.text, start::is_about_start);
    let result = record.line.result.map(|(result, _)| result);
    Parsed { losses, ..replay.finish(error).map(|game| Game { name, headers, notes, result, ..game }) }
}

/// The notes of a line in the course of being read, and the parts that no game keeps.
struct Reader<'t> {
    text: &'t str,
    notes: Notes,
    losses: Vec<Unkept>,
}

/// A part of a text that the game does not keep.
enum Unkept {
    Mark(WrongMark),
    Part(Span, &'static str),
}

impl Reader<'_> {
    /// Takes the remarks of a line, of whose written actions the first `skipped` are none and `played` follow.
    /// Those after an error are not part of the game.
    fn take_remarks(&mut self, line: &LineText, skipped: usize, played: usize, has_error: bool) {
        let last = if has_error { usize::MAX } else { played };
        let at = |written: u32| (written as usize).saturating_sub(skipped).min(last);
        for (index, action) in line.actions.iter().enumerate().skip(skipped).take(played) {
            let glyphs = line.moves_of(action).iter().filter_map(|text| text.glyph);
            for glyph in glyphs {
                self.notes.entry(index + 1 - skipped).or_default().glyphs.push(glyph);
            }
        }
        for remark in line.remarks.iter().filter(|remark| at(remark.after) <= played) {
            let text = remark.span.of(self.text);
            let after = at(remark.after);
            if let Some(comment) = comment_of(text) {
                self.notes.entry(after).or_default().comments.push(comment);
            } else if let Some(number) = text.strip_prefix('$').and_then(|number| number.parse().ok()) {
                self.notes.entry(after).or_default().glyphs.push(number);
            } else {
                self.losses.push(Unkept::Part(remark.span, "an annotation with a number above 255"));
            }
        }
    }

    /// Plays a variation from this position and takes it back. One that cannot be read is left out.
    fn variation(&mut self, replay: &mut Replay, text: &VariationText, after: usize) {
        let (warnings, losses) = (replay.warnings.len(), self.losses.len());
        let around = std::mem::take(&mut self.notes);
        let outer = replay.begin_line();
        let played = text.error.clone().map_or_else(|| play(replay, &text.line, Some(self)), Err);
        let actions = replay.end_line(outer);
        let notes = std::mem::replace(&mut self.notes, around);
        let reason = match played {
            Ok(()) if !actions.is_empty() => {
                let result = text.line.result.map(|(result, _)| result);
                let variation = Variation { actions, notes, result };
                self.notes.entry(after).or_default().variations.push(variation);
                return;
            }
            Ok(()) => {
                Issue::new("variation-skipped", text.span, "the variation is left out: it has no action")
            }
            Err(error) => {
                let message = format!("the variation is left out: {}", error.issue.message);
                Issue { code: "variation-skipped", message, ..error.issue.clone() }
            }
        };
        replay.warnings.truncate(warnings);
        replay.warnings.push(reason);
        self.losses.truncate(losses);
        self.losses.push(Unkept::Part(text.span, "a variation that cannot be read"));
    }
}

/// The number of actions before the place where a variation leaves its line, of whose written actions `skipped` are none:
/// before the action that it follows, if that is one of the same player.
fn leaves_at(text: &str, variation: &VariationText, skipped: usize, first: Color) -> usize {
    let before = (variation.after as usize).saturating_sub(skipped);
    let to_move = if before.is_multiple_of(2) { first } else { !first };
    let is_next = variation.line.actions.first().is_none_or(|action| match action.color {
        Some(color) => color == to_move,
        None => action.span.of(text).starts_with('/'),
    });
    if is_next { before } else { before.saturating_sub(1) }
}

/// The actions of a record that starts at a given position.
pub(super) fn actions(record: &Record<'_>, start: &Position) -> Result<Vec<Action>, ParseError> {
    let mut replay = Replay::new(start.clone());
    play(&mut replay, &record.line, None)?;
    // Warnings are not shown here, so a jump with the wrong mark is an error.
    match replay.warnings.into_iter().find(|warning| warning.code == "wrong-jump") {
        Some(warning) => Err(Issue { code: "no-such-move", ..warning }.illegal()),
        None => Ok(replay.actions),
    }
}

/// The moves of these texts, made one after another in the middle of an action.
pub(super) fn moves(texts: &[MoveText], position: &Position) -> Result<Vec<Move>, ParseError> {
    let mut replay = Replay::new(position.clone());
    for text in texts {
        push(&mut replay, text)?;
    }
    Ok(replay.made().to_vec())
}

/// Plays the actions of a line. The reader takes what stands beside them.
fn play(replay: &mut Replay, line: &LineText, mut reader: Option<&mut Reader<'_>>) -> Result<(), ParseError> {
    let announced = line.actions.iter().rev().take_while(|action| action.moves.is_empty()).count();
    let written = &line.actions[..line.actions.len() - announced];
    replay.actions.reserve_exact(written.len());
    replay.spans.reserve_exact(written.len());
    let first = replay.position.to_move();
    // `1. / e5`: White's action is empty when Black begins.
    let begins_empty = written.first().is_some_and(|action| action.moves.is_empty());
    let skipped = usize::from(begins_empty && first == Color::Black);
    let mut variations: Vec<(usize, &VariationText)> = match &reader {
        Some(reader) => {
            let leaves = |variation| (leaves_at(reader.text, variation, skipped, first), variation);
            line.variations.iter().map(leaves).collect()
        }
        None => Vec::new(),
    };
    variations.sort_by_key(|&(after, _)| after);
    let mut variations = variations.into_iter().peekable();
    let mut is_numbered = false;
    let mut result = Ok(());
    for (index, text) in written.iter().enumerate() {
        let to_move = replay.position.to_move();
        if let Some(own) = text.number {
            // A part of a game may begin with any number.
            match std::mem::replace(&mut is_numbered, true) {
                true => replay.check_number(own, text.span),
                false => replay.take_number(own),
            }
        }
        if index < skipped {
            continue;
        }
        if let Some(reader) = reader.as_deref_mut() {
            while let Some((after, variation)) = variations.next_if(|&(after, _)| after <= index - skipped) {
                reader.variation(replay, variation, after);
            }
        }
        let moves = line.moves_of(text);
        if let Err(error) = play_action(replay, moves, text) {
            // For a single action without a number, the error does not name it.
            result = Err(if is_numbered || written.len() > 1 { replay.in_action(error) } else { error });
            break;
        }
        if let Some(reader) = reader.as_deref_mut() {
            reader.losses.extend(wrong_marks(&replay.position, moves).map(Unkept::Mark));
        }
        is_numbered |= to_move == Color::Black;
    }
    if let Some(reader) = reader {
        let played = replay.actions.len();
        if result.is_ok() {
            for (_, variation) in variations {
                reader.variation(replay, variation, played);
            }
        }
        reader.take_remarks(line, skipped, played, result.is_err());
    }
    result
}

/// Plays one action to its end.
fn play_action(replay: &mut Replay, moves: &[MoveText], text: &ActionText) -> Result<(), ParseError> {
    if let Some(color) = text.color {
        let hint = "an action of Black is written after `/`, or with a number such as `1b.`";
        replay.check_player(color, text.span).map_err(|issue| issue.hint(hint).illegal())?;
    }
    for text in moves {
        push(replay, text)?;
    }
    replay.submit(text.span)
}

/// A wrong mark of check or mate.
struct WrongMark {
    /// The move with the mark.
    span: Span,
    mark: CheckMark,
    is_last: bool,
}

impl WrongMark {
    fn message(&self) -> &'static str {
        match self.mark {
            CheckMark::Check => "`+` marks a check, but this is none",
            _ if !self.is_last => "`#` and `*` stand after the last move of an action",
            CheckMark::Softmate => "`*` marks a softmate, but this is none",
            _ => "`#` marks a checkmate, but this is none",
        }
    }

    fn loss(&self) -> &'static str {
        match self.mark {
            CheckMark::Check => "a mark of check that is wrong",
            _ => "a mark of mate that is wrong",
        }
    }
}

/// The wrong marks after the moves of an action that led to this position. A mark is not wrong if its budget
/// is too small to tell. Nor is `#` for softmate: some programs write it so.
fn wrong_marks(position: &Position, moves: &[MoveText]) -> impl Iterator<Item = WrongMark> {
    let marked = moves.iter().filter_map(|text| Some((text, text.check?)));
    marked.filter_map(move |(text, mark)| {
        let is_last = Some(text) == moves.last();
        let is = || check_mark(position);
        let is_wrong = match mark {
            CheckMark::Check => !position.is_in_check(),
            CheckMark::Softmate => !is_last || is().is_ok_and(|is| is != "*"),
            CheckMark::Checkmate => !is_last || is().is_ok_and(|is| !matches!(is, "#" | "*")),
            CheckMark::Stalemate => false,
        };
        is_wrong.then_some(WrongMark { span: text.span, mark, is_last })
    })
}

/// Makes the move that a text means.
fn push(replay: &mut Replay, text: &MoveText) -> Result<(), ParseError> {
    let m = meant(&replay.position, text, &mut replay.candidates);
    let named = text.from.and_then(|board| board.timeline?.timeline(replay.position.parity()));
    let m = match (m, named) {
        (Err(error), Some(timeline)) => return Err(replay.with_played(error, timeline)),
        (m, _) => m?,
    };
    check_remarks(replay, text, &m);
    // The present takes a look at every timeline.
    let before = text.rewinds.then(|| replay.position.present());
    replay.push_move(m, text.span)?;
    // Some programs write `~` after every move that moves the present, even forward.
    let stays = before.is_some_and(|before| {
        let (created, present) = (m.to.board.half_turn.next(), replay.position.present());
        present == before && (m.kind != MoveKind::Branch || present != created)
    });
    if stays {
        let message = "`~` says that the present moves, but it does not";
        replay.warn("wrong-remark", text.span, message);
    }
    Ok(())
}

/// Compares the remarks that only this notation has with the move, and then the others.
fn check_remarks(replay: &mut Replay, text: &MoveText, m: &Move) {
    if let Shape::Piece { kind, jump, .. } = text.shape {
        if jump == Some(Jump::Branch) && m.kind == MoveKind::Hop {
            replay.warnings.push(Issue::new("wrong-jump", text.span, HOP_NOT_BRANCH).hint(HOP_OR_BRANCH));
        }
        let position = &replay.position;
        if kind.is_none() && text.origin().is_none() && piece_of(position, m) != Some(PieceKind::Pawn) {
            let message = format!("a move without a letter is a pawn's: read as {}", move_text(position, m));
            replay.warn("missing-letter", text.span, message);
        }
    }
    replay.check_remarks(text, m);
}

#[cfg(test)]
mod tests {
    use crate::notation::common::samples::assert_refused;
    use crate::notation::common::{GameResult, ParseError};
    use crate::notation::fen5d;
    use crate::notation::pgn5d::{Marks, Parsed, action_text, parse, parse_action, parse_line, write};
    use crate::state::Position;

    fn position(boards: &str) -> Position {
        fen5d::parse(boards).into_result().unwrap()
    }

    /// The position after this text.
    fn after(text: &str) -> Position {
        parse(text).into_result().unwrap().end()
    }

    fn canonical(position: &Position, text: &str) -> String {
        action_text(position, &parse_action(position, text).unwrap_or_else(|error| panic!("{text}: {error}")))
    }

    fn refused(position: &Position, text: &str) -> ParseError {
        parse_action(position, text).map(|action| action_text(position, &action)).expect_err(text)
    }

    fn class_and_code(error: &ParseError) -> (&'static str, &'static str) {
        (error.class.name(), error.issue.code)
    }

    #[test]
    fn shorthand_is_filled_in() {
        let start = after("");
        for text in [
            "e4",
            "e2e4",
            "Pe4",
            "(0T1)e4",
            "(L0)e4",
            "(T1w)e4",
            "Pe2(0T1)e4",
            "(0T1)Pe2(0T1)e4",
            "1. e4!? {x}",
        ] {
            assert_eq!(canonical(&start, text), "(0T1)e2e4", "{text}");
        }
        for text in ["Nf3", "Ngf3", "N1f3", "g1f3", "Ng1(0T1)f3"] {
            assert_eq!(canonical(&start, text), "(0T1)Ng1f3", "{text}");
        }
        let later = after("1. Nf3 / Nf6");
        for text in ["N>>f5", "Nf3>>(0T1)f5", "Nf3(0T1)f5", "N>>$(L=T-1)f5", "f>>f5", "Nf3>>(L0)f5~ (>L1)"] {
            assert_eq!(canonical(&later, text), "(0T2)Nf3>>(0T1)f5", "{text}");
        }
    }

    #[test]
    fn a_pawn_wins_when_there_is_no_letter() {
        let both = position("[k4/5/5/2P2/K1N2:0:1:w]");
        assert_eq!(canonical(&both, "c3"), "(0T1)c2c3");
        let knight = position("[k4/5/2P2/5/K1N2:0:1:w]");
        assert_eq!(canonical(&knight, "d3"), "(0T1)Nc1d3");
        let record = "[k4/5/2P2/5/K1N2:0:1:w]\n1. d3";
        assert_eq!(parse(record).warnings[0].code, "missing-letter");
        assert_eq!(parse(&record.replace("d3", "c1d3")).warnings, []);
        let pawns = position("[k4/5/1n3/P1P2/K4:0:1:w]");
        assert_eq!(class_and_code(&refused(&pawns, "xb3")), ("ambiguous", "ambiguous-move"));
        assert_eq!(canonical(&pawns, "axb3"), "(0T1)a2xb3");
        // Of several pawns none wins, but no other piece is meant.
        let with_knight = position("[k4/5/1n3/P1P2/K1N2:0:1:w]");
        let hint = refused(&with_knight, "xb3").issue.hint.clone();
        assert_eq!(hint.as_deref(), Some("write one of: (0T1)a2xb3, (0T1)c2xb3"));
    }

    #[test]
    fn even_games_need_their_signs() {
        let start = after("[Board \"Standard - Two Timelines\"]");
        assert_eq!(canonical(&start, "(-0T1)e4 (+0T1)d4"), "(-0T1)e2e4 (+0T1)d2d4");
        assert_eq!(canonical(&start, "(+0T1)d4 (L-0)e4"), "(-0T1)e2e4 (+0T1)d2d4");
        assert_eq!(class_and_code(&refused(&start, "(0T1)e4")), ("ambiguous", "unsigned-zero"));
        assert_eq!(class_and_code(&refused(&start, "e4")), ("ambiguous", "ambiguous-move"));
        assert_eq!(class_and_code(&refused(&start, "(+0T1)Nb1>(0T1)b3")), ("ambiguous", "unsigned-zero"));
        assert_eq!(canonical(&after(""), "(+0T1)e4"), "(0T1)e2e4");
        assert_eq!(canonical(&after(""), "(-0T1)e4"), "(0T1)e2e4");
    }

    #[test]
    fn castling_is_written_with_letters_zeros_or_squares() {
        let start = position("[r*3k*2r*/8/8/8/8/8/8/R*3K*2R*:0:1:w]");
        for text in ["O-O", "0-0", "(0T1)O-O+", "Kg1", "Ke1g1"] {
            assert_eq!(canonical(&start, text), "(0T1)O-O", "{text}");
        }
        assert_eq!(canonical(&start, "O-O-O"), "(0T1)O-O-O");
        let narrow = position("[3k3/7/7/7/7/7/R*2K*2R*:0:1:w]");
        assert_eq!(canonical(&narrow, "O-O"), "(0T1)Kd1f1");
        assert_eq!(canonical(&narrow, "O-O-O"), "(0T1)Kd1b1");
        let moved = position("[4k3/8/8/8/8/8/8/R3K*2R:0:1:w]");
        assert_eq!(class_and_code(&refused(&moved, "O-O")), ("illegal", "no-such-move"));
    }

    #[test]
    fn en_passant_needs_no_mark() {
        let start = after("1. e4 / d5 2. e5 / f5");
        for text in ["exf6", "f6", "e5f6", "exf6 e.p.", "exf6e.p.+"] {
            assert_eq!(canonical(&start, text), "(0T3)e5xf6", "{text}");
        }
    }

    #[test]
    fn promotion_defaults_to_the_queen_or_the_only_choice() {
        let read_last = |promotions: &str, text: &str| {
            let start = after(&format!("{promotions}[4k/P4/5/5/4K:0:1:w]"));
            parse_action(&start, text).map(|action| action_text(&start, &action))
        };
        assert_eq!(read_last("", "a5").unwrap(), "(0T1)a4a5=Q");
        assert_eq!(read_last("", "a5=Q").unwrap(), "(0T1)a4a5=Q");
        assert_eq!(read_last("[Promotions \"N,Q\"]", "a5").unwrap(), "(0T1)a4a5=Q");
        assert_eq!(read_last("[Promotions \"N,Q\"]", "a5=N").unwrap(), "(0T1)a4a5=N");
        assert_eq!(read_last("[Promotions \"N\"]", "a5").unwrap(), "(0T1)a4a5=N");
        let error = read_last("[Promotions \"N,R\"]", "a5").unwrap_err();
        assert_eq!(class_and_code(&error), ("ambiguous", "ambiguous-move"));
        let error = read_last("", "a5=N").unwrap_err();
        assert_eq!(class_and_code(&error), ("illegal", "no-such-move"));
        assert_eq!(error.issue.hint.as_deref(), Some("did you mean (0T1)a4a5=Q?"));
        // The same for a hop that is written as a branch.
        for jump in [">", ">>"] {
            let boards = "[4/1W2/4/3R:0:1:w] [1w2/4/4/4:-1:1:w]";
            let Parsed { error, .. } = parse(&format!("{boards} 1. (0T1)Wb3{jump}x(-1T1)b4=R"));
            let issue = error.expect("a pawn becomes a queen").issue.clone();
            assert_eq!(issue.message, "action 1w: a pawn cannot become a rook here");
            assert_eq!(issue.hint.as_deref(), Some("did you mean (0T1)Wb3>x(-1T1)b4=Q?"));
        }
        assert!(read_last("", "Kd1=Q").is_err());
    }

    #[test]
    fn every_illegal_move_has_its_reason() {
        let start = after("1. e3 / f6 2. Nb1>>(0T1)b3 / (1T1)a6");
        for (text, code, start_byte, end) in [
            ("(2T2)e4", "no-such-timeline", 0, 5),
            ("(0T1)e4", "not-playable", 0, 5),
            ("(0T2)e4", "not-playable", 0, 5),
            ("(1T2b)c3", "not-playable", 0, 6),
            ("(1T2)Ne5", "no-such-move", 0, 8),
            ("(1T2)e7e5", "no-such-move", 0, 9),
            ("(1T2)Bc1c2", "no-such-move", 0, 10),
            ("(1T2)Qd1>(0T2)d2", "no-such-move", 0, 16),
        ] {
            let reading = Parsed::new(parse_action(&start, text), Vec::new());
            assert_refused(text, reading, ("illegal", code, start_byte, end));
        }
        let message = |text| refused(&start, text).issue.message.clone();
        assert_eq!(message("(1T2)e7e5"), "the piece on (1T2)e7 is a black pawn, but White is to move");
        assert_eq!(message("(1T2)Ne2e4"), "the piece on (1T2)e2 is a white pawn, not a knight");
        assert_eq!(message("(1T2)e5e6"), "there is no piece on (1T2)e5");
    }

    #[test]
    fn what_is_wrong_with_a_jump_or_a_played_board_is_said() {
        let issue = |text: &str| parse(text).error.unwrap().issue.clone();
        let played = issue("1. (0T1)e2e4 (0T1)d2d4");
        assert_eq!(
            played.message,
            "action 1w: White cannot move on timeline 0, which ends with a Black board"
        );
        assert_eq!(played.hint.as_deref(), Some("an earlier move of this action has played there"));
        assert!(issue("1. e2e4 e7e5").message.ends_with("White has no board left to move on in this action"));
        let later = issue("1. (0T1)e2e4 / (0T1)e7e5 2. (0T1)Ng1f3");
        assert_eq!((later.code, later.hint), ("not-playable", None));
        let branch = issue("1. Nf3 / Nf6 2. (0T2)Nf3>(0T1)f5");
        assert!(branch.message.contains(crate::notation::common::move_text::BRANCH_NOT_HOP), "{branch:?}");
        assert_eq!(branch.hint.as_deref(), Some("did you mean (0T2)Nf3>>(0T1)f5?"));
        let physical = issue("1. (0T1)Ng1>(0T1)f3");
        assert!(physical.message.ends_with("this move stays on its board"), "{physical:?}");
    }

    #[test]
    fn a_wrong_jump_mark_is_told_from_a_wrong_move() {
        let start = after("1. Nf3 / Nf6");
        let issue = refused(&start, "Nf3>(0T1)f5").issue.clone();
        assert_eq!(issue.hint.as_deref(), Some("did you mean (0T2)Nf3>>(0T1)f5?"));
    }

    #[test]
    fn an_action_must_be_complete_and_safe() {
        let two = after("[Board \"Standard - Two Timelines\"]");
        let error = refused(&two, "(-0T1)e4");
        assert_eq!(class_and_code(&error), ("illegal", "present-stays"));
        assert_eq!(error.issue.hint.as_deref(), Some("still to be played: (+0T1)"));
        let check = position("[4k3/4r3/8/8/8/8/8/R*3K*2R*:0:1:w]");
        let error = refused(&check, "Ra2");
        assert_eq!(class_and_code(&error), ("illegal", "royal-exposed"));
        assert_eq!(
            error.issue.hint.as_deref(),
            Some("the black rook on (0T1)e7 attacks the white king on (0T1)e1")
        );
        assert_eq!(class_and_code(&refused(&two, "")), ("malformed", "no-move"));
        assert_eq!(class_and_code(&refused(&after(""), "e4 / e5")), ("malformed", "more-than-one-action"));
        assert_eq!(class_and_code(&refused(&after(""), "[A \"b\"] e4")), ("malformed", "not-a-move"));
    }

    #[test]
    fn reading_stops_at_the_error_and_keeps_what_came_before() {
        for (text, actions, class, code, action) in [
            ("1. e4 / e5 2. Nf3 / Nf3", 3, "illegal", "no-such-move", "action 2b: "),
            ("1. e4 / e5 2. Nf3 / N?", 3, "malformed", "missing-destination", ""),
            ("1. Nf3 / e5 2. d3 / a6 3. Nd2", 4, "ambiguous", "ambiguous-move", "action 3w: "),
            ("7. e4 / e5 8b. Nc6", 2, "illegal", "wrong-player", "action 8w: "),
            ("1b. e5", 0, "illegal", "wrong-player", "action 1w: "),
            ("1. e4 / / e5", 1, "illegal", "no-move", "action 1b: "),
            ("1. e4 / e5 2. $", 2, "malformed", "unexpected-character", ""),
        ] {
            let Parsed { value: game, spans, error, .. } = parse(text);
            let error = error.unwrap();
            assert_eq!((game.unwrap().actions.len(), spans.len()), (actions, actions), "{text}");
            assert_eq!(class_and_code(&error), (class, code), "{text}");
            assert!(error.issue.message.starts_with(action), "{text}: {error}");
        }
    }

    #[test]
    fn remarks_that_are_wrong_are_warnings() {
        for (text, code) in [
            ("1. exe4", "not-a-capture"),
            ("1. e4 (>L1)", "wrong-remark"),
            ("[Board \"Standard - Two Timelines\"] 1. (-0T1)e4~ (+0T1)e4", "wrong-remark"),
            ("1. e4 e.p.", "wrong-remark"),
            ("1. Nf3 / Nf6 2. N>>f5 (>L2)", "wrong-remark"),
            ("1. e4 / e5 3. d4", "wrong-number"),
            ("1. e4 (1. d5) / e5", "variation-skipped"),
            ("1. e4 (1. Zz) / e5", "variation-skipped"),
            ("1. e4 ({x}) / e5", "variation-skipped"),
        ] {
            let Parsed { warnings, error, .. } = parse(text);
            assert_eq!(error, None, "{text}");
            let codes: Vec<&str> = warnings.iter().map(|issue| issue.code).collect();
            assert_eq!(codes, [code], "{text}");
        }
        let right = "1. Nf3 / Nf6 2. Nf3>>(0T1)f5~ (~T1) (>L1) / (1T1)e6 *";
        assert_eq!(parse(right).warnings, []);
    }

    #[test]
    fn variations_leave_before_the_action_that_they_follow_or_the_next_one() {
        for (text, after, actions) in [
            ("1. e4 (1. d4) / e5", 0, 1),
            ("(1. d4 / d5) 1. e4 / e5", 0, 2),
            ("1. e4 (1b. d5) 1b. e5", 1, 1),
            ("1. e4 (/ d5) / e5", 1, 1),
            ("1. e4 / e5 (1... d5 2. exd5) 2. Nf3", 1, 2),
            ("1. e4 / e5 (2. d4)", 2, 1),
            ("1. e4 (1b. d5) (1. d4)", 0, 1),
        ] {
            let game = parse(text).into_result().unwrap_or_else(|error| panic!("{text}: {error}"));
            let found = game.notes.iter().map(|(&after, note)| (after, note.variations[0].actions.len()));
            assert!(found.take(1).eq([(after, actions)]), "{text}: {:?}", game.notes);
        }
        let nested = parse("1. e4 (1b. d5 (2. exd5 (2b. Qxd5)) 2. e5 1-0) / e5").into_result().unwrap();
        let outer = &nested.notes[&1].variations[0];
        assert_eq!((outer.actions.len(), outer.result), (2, Some(GameResult::WhiteWins)));
        assert_eq!(outer.notes[&1].variations[0].notes[&1].variations[0].actions.len(), 1);
        // The end of the main line is the end of the game, whatever was played beside it.
        assert_eq!(nested.end(), parse("1. e4 / e5").into_result().unwrap().end());
    }

    #[test]
    fn words_belong_to_the_action_before_them() {
        let game = parse("{a} 1. {b} e4!? $14 {c} {d} / {e} e5 $3 ;f\n").into_result().unwrap();
        let words = |after: usize| game.notes[&after].comments.join(",");
        assert_eq!([words(0), words(1), words(2)], ["a,b", "c,d,e", "f"]);
        assert_eq!((&game.notes[&1].glyphs[..], &game.notes[&2].glyphs[..]), (&[5, 14][..], &[3][..]));
        let parsed = parse("1. e4 $256 / e5 2. / {x}");
        assert_eq!(parsed.losses[0].what, "an annotation with a number above 255");
        assert_eq!(parsed.value.unwrap().notes[&2].comments, ["x"]);
    }

    #[test]
    fn black_can_begin() {
        let start = "[2k/3/K2:0:1:b]\n";
        for text in ["1b. Kc2", "1... Kc2", "1. ... Kc2", "1. / Kc2", "/ Kc2", "Kc2", "b. Kc2", "Kc2 / Ka2"] {
            let text = format!("{start}{text}");
            let game = parse(&text).into_result().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(write(&game, Marks::None).into_text().contains("\n1b. (0T1)Kc3c2\n"), "{text}");
        }
        let game = parse(&format!("{start}1b. Kc2\n2. Ka2 / Kc1")).into_result().unwrap();
        assert!(
            write(&game, Marks::None).into_text().ends_with("1b. (0T1)Kc3c2\n2. (0T2)Ka1a2 / (0T2)Kc2c1\n")
        );
    }

    #[test]
    fn the_order_of_writing_does_not_matter_unless_it_does() {
        let start = after("1. Nf3 / Nf6 2. Nf3>>(0T1)f5 / (1T1)e6 3. (1T2)Nc3");
        let one = parse_action(&start, "(0T2)e6 (1T2)d6").unwrap();
        assert_eq!(one, parse_action(&start, "(1T2)d6 (0T2)e6").unwrap());
        let line = parse_line(&start, "3b. (1T2)d6 (0T2)e6 4. (0T3)e3 (1T3)e3").unwrap();
        assert_eq!((line.len(), &line[0]), (2, &one));
    }
}
