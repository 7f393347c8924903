//! Runs blocks of the specification: every claim is checked by the rules and by their naive twin. Begin at
//! [`run`].

use std::collections::BTreeSet;

use worldlines::notation::Options;
use worldlines::notation::fen5d::{self, Given};
use worldlines::notation::pgn5d::{self, Record};
use worldlines::notation::{Format, ParseError, Parsed, ceo, text_of};
use worldlines::notation::{Jump, Label, MoveText, Place, Shape};
use worldlines::render::{Frame, text as draw};
use worldlines::rules::variants;
use worldlines::slow::{Cell, Pruning, SlowState};
use worldlines::state::Position;
use worldlines::types::{
    Action, BoardCoordinate, Coordinate, Move, MoveKind, Parity, PieceKind, Promotions, RuleProfile, Square,
};

use super::page::{Block, Line, Page};

/// The most beginnings of actions that the twin tries. Every position of the chapters needs fewer.
const TWIN_LIMIT: usize = 1_000_000;

/// The rules and errors that a block demonstrates.
#[derive(Default)]
pub struct Shown {
    /// The number of lines that make a claim.
    pub claims: usize,
    /// Codes of errors and warnings that were produced.
    pub codes: BTreeSet<String>,
    /// Kinds of `SetupProblem` and `IllegalAction` that were produced.
    pub kinds: BTreeSet<String>,
}

/// The fault of a line: a phrase, and notes.
type Wrong = (String, Vec<String>);
type Claim = Result<(), Wrong>;

fn wrong<T>(message: impl Into<String>) -> Result<T, Wrong> {
    Err((message.into(), Vec::new()))
}

/// Runs a block.
///
/// # Errors
///
/// The text of all its faults.
pub fn run(page: &Page, block: &Block) -> Result<Shown, String> {
    let mut stage = Stage::default();
    let mut failures = Vec::new();
    for line in &block.lines {
        let before = stage.shown.claims;
        if let Err((message, notes)) = stage.line(line) {
            let mut text = page.excerpt(line.span, format!("error: {message}"), notes);
            if let Some(now) = &stage.now
                && failures.is_empty()
            {
                text += &format!("\n\nIn this position:\n{}", draw(&now.position, Frame::REPORT).trim_end());
            }
            failures.push(text);
            // After a faulty set-up line, the following lines would only repeat the fault.
            if stage.shown.claims == before {
                break;
            }
        }
    }
    if failures.is_empty() && stage.shown.claims == 0 {
        let span = block.lines.last().map_or(page.headings[block.heading].span, |line| line.span);
        failures.push(page.excerpt(span, "error: this block claims nothing".into(), Vec::new()));
    }
    if failures.is_empty() {
        return Ok(stage.shown);
    }
    let rerun =
        format!("run again: cargo test --test spec -- --exact '{}'", block.name.replace('\'', "'\\''"));
    Err(format!("{}\n\n{rerun}", failures.join("\n\n")))
}

/// The state after the lines of a block so far.
#[derive(Default)]
struct Stage {
    profile: RuleProfile,
    now: Option<Judged>,
    /// The number of legal actions in every position since the block set one up.
    counts: Vec<usize>,
    shown: Shown,
}

/// A position about which both judges were asked.
struct Judged {
    position: Position,
    twin: SlowState,
    moves: BTreeSet<Move>,
    /// The legal actions on which both agree; `None` until they are needed.
    legal: Option<BTreeSet<Action>>,
}

type SetUp = fn(&mut Stage, &str) -> Claim;
type Ask = fn(&mut Stage, &Line) -> Claim;

/// The verbs that set something up, and what they do with the rest of the line.
const SET_UPS: [(&str, SetUp); 5] = [
    ("position", Stage::position),
    ("variant", Stage::variant),
    ("profile", Stage::profile),
    ("promotions", Stage::promotions),
    ("play", Stage::play),
];

/// The verbs that claim something, and what they ask of the line.
const CLAIMS: [(&str, Ask); 22] = [
    ("legal", |stage, line| stage.legal(&line.argument).map(|_| ())),
    ("illegal", Stage::refused),
    ("malformed", Stage::refused),
    ("ambiguous", Stage::refused),
    ("warning", Stage::refused),
    ("reads", Stage::reads),
    ("writes", Stage::writes),
    ("means", Stage::means),
    ("actions", Stage::actions),
    ("counts", Stage::counts),
    ("moves", Stage::moves),
    ("can", |stage, line| stage.movable(&line.argument, true)),
    ("cannot", |stage, line| stage.movable(&line.argument, false)),
    ("status", Stage::status),
    ("check", Stage::check),
    ("attack", Stage::attack),
    ("escape", Stage::escape),
    ("present", Stage::present),
    ("active", Stage::active),
    ("must", |stage, line| stage.playable(&line.argument, true)),
    ("may", |stage, line| stage.playable(&line.argument, false)),
    ("board", Stage::boards),
];

/// All verbs.
pub fn verbs() -> impl Iterator<Item = &'static str> {
    SET_UPS.iter().map(|(verb, _)| *verb).chain(CLAIMS.iter().map(|(verb, _)| *verb))
}

impl Stage {
    fn line(&mut self, line: &Line) -> Claim {
        let verb = line.verb.as_str();
        let refuses = matches!(verb, "illegal" | "malformed" | "ambiguous" | "warning");
        if line.code.is_some() && !refuses || line.note.is_some() && !matches!(verb, "means" | "writes") {
            return wrong("nothing is expected after `--` here");
        }
        if let Some((_, set_up)) = SET_UPS.iter().find(|(known, _)| *known == verb) {
            return set_up(self, &line.argument);
        }
        self.shown.claims += 1;
        match CLAIMS.iter().find(|(known, _)| *known == verb) {
            Some((_, claim)) => claim(self, line),
            None => {
                let verbs = verbs().collect::<Vec<_>>().join(", ");
                Err((format!("there is no verb `{verb}`"), vec![format!("verbs: {verbs}")]))
            }
        }
    }

    fn position(&mut self, boards: &str) -> Claim {
        self.set_up(position(boards, self.profile)?)
    }

    fn variant(&mut self, name: &str) -> Claim {
        let Some(variant) = variants::by_name(name) else {
            return wrong(format!("there is no variant `{name}`"));
        };
        let mut setup = variant.setup();
        setup.profile = self.profile;
        self.set_up(Position::from_setup(&setup).expect("variants are positions"))
    }

    fn profile(&mut self, name: &str) -> Claim {
        match name.parse::<RuleProfile>() {
            Ok(named) => self.change_rules(named),
            Err(_) => wrong(format!("there is no rule profile `{name}`")),
        }
    }

    fn promotions(&mut self, letters: &str) -> Claim {
        let mut promotions = Promotions::NONE;
        for letter in letters.split([' ', ',']) {
            let kind = letter.chars().next().and_then(|letter| PieceKind::try_from(letter).ok());
            match kind.and_then(|kind| promotions.with(kind)) {
                Some(set) if letter.len() == 1 => promotions = set,
                _ => return wrong(format!("no pawn becomes `{letter}`")),
            }
        }
        self.change_rules(RuleProfile { promotions, ..self.profile })
    }

    fn reads(&mut self, line: &Line) -> Claim {
        match read(&unescaped(&line.argument)?, self.now.as_ref().map(|now| &now.position)) {
            Ok(_) => Ok(()),
            Err(error) => wrong(said(&error)),
        }
    }

    fn writes(&mut self, line: &Line) -> Claim {
        let position = self.now.as_ref().map(|now| &now.position);
        let found = written_as(&line.argument, position)?;
        let expected = String::from_utf8(unescaped(line.note.as_deref().unwrap_or_default())?);
        let expected = expected.unwrap_or_default();
        if expected == "unwritable" && found.starts_with("unwritable:") {
            return Ok(());
        }
        equal(found.trim_end(), expected.trim_end())
    }

    fn means(&mut self, line: &Line) -> Claim {
        let position = &self.now()?.position;
        let action = pgn5d::parse_action(position, &line.argument).map_err(|error| (said(&error), vec![]))?;
        equal(&pgn5d::action_text(position, &action), line.note.as_deref().unwrap_or_default())
    }

    fn escape(&mut self, line: &Line) -> Claim {
        self.legal(&line.argument)?;
        if self.now()?.position.is_in_check() { Ok(()) } else { wrong("the player is not in check") }
    }

    fn actions(&mut self, line: &Line) -> Claim {
        equal(&self.now()?.legal()?.len().to_string(), &line.argument)
    }

    fn counts(&mut self, line: &Line) -> Claim {
        let now = self.now()?.legal()?.len();
        let counts = self.counts.iter().chain([&now]).map(usize::to_string).collect::<Vec<_>>();
        equal(&counts.join(" "), &line.argument)
    }

    /// Checks that a move can be made, or that it cannot.
    fn movable(&mut self, text: &str, can: bool) -> Claim {
        let now = self.now()?;
        let action = written(&now.position, text);
        let Some([m]) = action.as_ref().map(Action::moves) else {
            return wrong("expected one move with both boards and both squares");
        };
        match (now.moves.contains(m), can) {
            (true, false) => wrong("the piece can make this move"),
            (false, true) => wrong("the piece cannot make this move"),
            _ => Ok(()),
        }
    }

    fn status(&mut self, line: &Line) -> Claim {
        let now = self.now()?;
        now.legal()?;
        let status = now.position.status();
        match now.twin.status(TWIN_LIMIT) {
            Some(other) if other != status => wrong(format!("fast: {status}; twin: {other}")),
            None => wrong("the twin cannot tell"),
            Some(_) => {
                let check = if now.position.is_in_check() { "check" } else { "no check" };
                let found = match line.argument.contains(", ") {
                    true => format!("{status}, {check}"),
                    false => status.to_string(),
                };
                equal(&found, &line.argument)
            }
        }
    }

    fn check(&mut self, line: &Line) -> Claim {
        equal(if self.now()?.position.is_in_check() { "yes" } else { "no" }, &line.argument)
    }

    fn attack(&mut self, line: &Line) -> Claim {
        let position = &self.now()?.position;
        let place = |place: Coordinate| format!("{}{}", board_text(position, place.board), place.square);
        let attacks: Vec<String> =
            position.checks().iter().map(|c| format!("{} {}", place(c.from), place(c.to))).collect();
        if attacks.contains(&line.argument) {
            return Ok(());
        }
        Err(("there is no such attack on a royal piece".into(), vec![format!("found {attacks:?}")]))
    }

    fn present(&mut self, line: &Line) -> Claim {
        equal(&self.now()?.position.present().to_string(), &line.argument)
    }

    fn active(&mut self, line: &Line) -> Claim {
        let position = &self.now()?.position;
        let (active, parity) = (position.multiverse().active(), position.parity());
        let found = format!("{}..{}", parity.label(active.lowest), parity.label(active.highest));
        equal(&found, &line.argument)
    }

    fn now(&mut self) -> Result<&mut Judged, Wrong> {
        self.now.as_mut().ok_or_else(|| ("there is no position yet".into(), vec![]))
    }

    fn set_up(&mut self, position: Position) -> Claim {
        self.counts.clear();
        self.now = Some(Judged::new(position)?);
        Ok(())
    }

    fn change_rules(&mut self, profile: RuleProfile) -> Claim {
        self.profile = profile;
        let Some(now) = &self.now else { return Ok(()) };
        let mut setup = now.position.to_setup();
        setup.profile = profile;
        self.set_up(Position::from_setup(&setup).expect("a position stays one under other rules"))
    }

    fn play(&mut self, text: &str) -> Claim {
        let actions = match pgn5d::parse_line(&self.now()?.position, text) {
            Ok(actions) => actions,
            Err(error) => return wrong(said(&error)),
        };
        for action in actions {
            let now = self.now()?;
            let legal = now.legal()?;
            if !legal.contains(&action) {
                return wrong(format!("not among the legal actions: {action:?}"));
            }
            let count = legal.len();
            let mut position = now.position.clone();
            if let Err(error) = position.play(&action) {
                return wrong(format!("the fast rules refuse the action: {error}"));
            }
            let mut twin = now.twin.clone();
            twin.play(&action);
            let next = Judged::new(position)?;
            if !twin.boards().eq(next.twin.boards()) {
                return wrong("fast rules and twin disagree about what the action leads to");
            }
            self.now = Some(next);
            self.counts.push(count);
        }
        Ok(())
    }

    fn legal(&mut self, text: &str) -> Result<Action, Wrong> {
        let now = self.now()?;
        let action = match pgn5d::parse_action(&now.position, text) {
            Ok(action) => action,
            Err(error) => return wrong(said(&error)),
        };
        if !now.legal()?.contains(&action) {
            return wrong("this is not among the legal actions");
        }
        match now.position.clone().play(&action) {
            Ok(_) => Ok(action),
            Err(error) => wrong(format!("the fast rules refuse the action: {error}")),
        }
    }

    fn moves(&mut self, line: &Line) -> Claim {
        let now = self.now()?;
        let Some((count, from)) = line.argument.split_once(" from ") else {
            return equal(&now.moves.len().to_string(), &line.argument);
        };
        let of_piece =
            |m: &&Move| format!("{}{}", board_text(&now.position, m.from.board), m.from.square) == from;
        equal(&now.moves.iter().filter(of_piece).count().to_string(), count)
    }

    /// The boards that must or may be played, lowest timeline first.
    fn playable(&mut self, argument: &str, must: bool) -> Claim {
        let position = &self.now()?.position;
        let mandatory: Vec<BoardCoordinate> = position.mandatory_boards().collect();
        let boards = position.playable_boards().filter(|at| mandatory.contains(at) == must);
        let mut boards: Vec<String> = boards.map(|at| board_text(position, at)).collect();
        if boards.is_empty() {
            boards.push("none".into());
        }
        equal(&boards.join(" "), argument)
    }

    /// Checks that boards are where the line says, with exactly these pieces.
    fn boards(&mut self, line: &Line) -> Claim {
        let position = &self.now()?.position;
        let given = Given {
            size: Some(position.size()),
            parity: Some(position.parity()),
            profile: RuleProfile::default(),
        };
        let setup = fen5d::blocks(&line.argument).and_then(|blocks| fen5d::setup(&blocks, given));
        let setup = setup.map_err(|error| (said(&error), vec![]))?;
        for (at, expected) in setup.boards {
            let name = format!("{}{}", board_text(position, at), at.color().letter());
            match position.board(at) {
                None => return wrong(format!("there is no board {name}")),
                Some(board) if *board != expected => {
                    return wrong(format!("the board {name} is {}", board.rows()));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Checks that a text is refused or gives a warning, for the reason that the line names.
    fn refused(&mut self, line: &Line) -> Claim {
        let Some(code) = line.code.as_deref() else {
            return wrong("expected ` -- [code]` at the end of the line");
        };
        let bytes = unescaped(&line.argument)?;
        let position = self.now.as_ref().map(|now| &now.position);
        match (read(&bytes, position), line.verb.as_str()) {
            (Ok(warnings), "warning") => {
                if !warnings.contains(&code) {
                    return wrong(format!("expected the warning {code}, but found {warnings:?}"));
                }
            }
            (Ok(_), class) => return wrong(format!("expected the text to be {class}, but it can be read")),
            (Err(error), class) if (error.class.name(), error.issue.code) != (class, code) => {
                return wrong(said(&error));
            }
            (Err(_), _) => {}
        }
        self.shown.codes.insert(code.to_owned());
        if let Some(boards) = line.argument.strip_prefix("boards ").filter(|_| code == "no-multiverse") {
            self.shown.kinds.insert(no_multiverse(boards)?);
        }
        let is_action = !line.argument.starts_with("boards ") && !line.argument.starts_with("game ");
        if is_action && notation(bytes.as_slice()).is_none() {
            self.refused_by_both(&line.argument, code)?;
        }
        Ok(())
    }

    /// Checks that the rules also refuse the moves without a notation, if the text has all their details.
    fn refused_by_both(&mut self, text: &str, code: &str) -> Claim {
        let expected = match code {
            "no-move" => "NoMove",
            "no-such-move" | "no-such-timeline" | "not-playable" => "IllegalMove",
            "present-stays" => "PresentNotAdvanced",
            "royal-exposed" => "Exposed",
            _ => return Ok(()),
        };
        let Some(now) = self.now.as_mut() else { return Ok(()) };
        let Some(action) = written(&now.position, text) else { return Ok(()) };
        let reason = match now.position.clone().play(&action) {
            Ok(_) => return wrong("the fast rules allow these moves"),
            Err(error) => kind_of(&error),
        };
        if reason != expected {
            return wrong(format!("the fast rules refuse these moves for another reason: {reason}"));
        }
        if now.legal()?.contains(&action) {
            return wrong("the twin allows these moves");
        }
        self.shown.kinds.insert(reason);
        Ok(())
    }
}

impl Judged {
    /// Asks both judges everything that is cheap to answer.
    fn new(position: Position) -> Result<Judged, Wrong> {
        let twin = match twin_of(&position) {
            Ok(twin) => twin,
            Err(error) => return wrong(format!("the twin refuses the boards: {error}")),
        };
        let differ = |what: &str, fast: String, slow: String| {
            let notes = vec![format!("fast: {fast}"), format!("twin: {slow}")];
            Err((format!("fast rules and twin disagree about {what}"), notes))
        };
        let moves: BTreeSet<Move> = position.pseudo_legal_moves().into_iter().collect();
        let slow_moves = twin.moves();
        if moves != slow_moves {
            let only = |a: &BTreeSet<Move>, b: &BTreeSet<Move>| format!("{:?}", a.difference(b).next());
            return differ("the moves", only(&moves, &slow_moves), only(&slow_moves, &moves));
        }
        let facts = [
            ("the player to move", position.to_move().to_string(), twin.to_move().to_string()),
            ("the present", position.present().to_string(), twin.present().to_string()),
            ("check", position.is_in_check().to_string(), twin.is_in_check().to_string()),
            (
                "active timelines",
                format!("{:?}", position.multiverse().active()),
                format!("{:?}", twin.active()),
            ),
        ];
        for (what, fast, slow) in facts {
            if fast != slow {
                return differ(what, fast, slow);
            }
        }
        Ok(Judged { position, twin, moves, legal: None })
    }

    /// The legal actions. Fails unless both judges agree about them.
    fn legal(&mut self) -> Result<&BTreeSet<Action>, Wrong> {
        if self.legal.is_none() {
            let all = self.twin.legal_actions(TWIN_LIMIT);
            let slow = all.or_else(|| self.twin.legal_actions_with(Pruning::CheckedEarly, TWIN_LIMIT));
            let Some(slow) = slow else { return wrong("the position is too large for the twin") };
            let fast: BTreeSet<Action> = self.position.legal_actions().collect();
            let counted = self.position.count_legal_actions(u64::MAX).count;
            if fast != slow || counted != slow.len() as u64 {
                let only = |a: &BTreeSet<Action>, b: &BTreeSet<Action>| {
                    let action = a.difference(b).next();
                    action.map_or("none".into(), |action| pgn5d::action_text(&self.position, action))
                };
                let notes = vec![
                    format!("fast: {}, counted as {counted}; only here: {}", fast.len(), only(&fast, &slow)),
                    format!("twin: {}; only here: {}", slow.len(), only(&slow, &fast)),
                ];
                return Err(("fast rules and twin disagree about the legal actions".into(), notes));
            }
            self.legal = Some(slow);
        }
        Ok(self.legal.as_ref().expect("just found"))
    }
}

fn equal(found: &str, expected: &str) -> Claim {
    if found == expected { Ok(()) } else { wrong(format!("expected {expected}, but found {found}")) }
}

fn said(error: &ParseError) -> String {
    let hint = error.issue.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("{} [{}]: {}{hint}", error.class.name(), error.issue.code, error.issue.message)
}

fn position(boards: &str, profile: RuleProfile) -> Result<Position, Wrong> {
    let given = Given { profile, ..Given::default() };
    fen5d::blocks(boards)
        .and_then(|blocks| fen5d::position(&blocks, given))
        .map_err(|error| (said(&error), vec![]))
}

/// The notation that the first word names, and the rest of the text.
fn notation(bytes: &[u8]) -> Option<(Format, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b' ').unwrap_or(bytes.len());
    let format = std::str::from_utf8(&bytes[..end]).ok()?.parse::<Format>().ok()?;
    Some((format, bytes.get(end + 1..).unwrap_or_default()))
}

/// Reads a text in a notation. The position is its start, if the notation does not contain one.
fn read_in(format: Format, bytes: &[u8], position: Option<&Position>) -> Parsed {
    let options = Options { start: position.cloned(), check_marks: true, ..Options::default() };
    format.parse(bytes, &options)
}

/// `TO FROM TEXT` or `TO game TEXT`: the text in another notation, or the reason why it cannot be written.
fn written_as(argument: &str, position: Option<&Position>) -> Result<String, Wrong> {
    let (to, text) = argument.split_once(' ').unwrap_or((argument, ""));
    let bytes = unescaped(text)?;
    // Moves of Chess Evolved Online belong to another game.
    if let (Some(rest), "ceo") = (bytes.strip_prefix(b"ceo "), to) {
        let said = text_of(rest)
            .and_then(|text| ceo::parse(text).into_result())
            .map_err(|error| (said(&error), vec![]))?;
        let written = ceo::write(&said.entries);
        return Ok(written.unwrap_or_else(|unwritable| format!("unwritable: {unwritable}")));
    }
    let reading = match (notation(&bytes), bytes.strip_prefix(b"game ")) {
        (Some((from, rest)), _) => read_in(from, rest, position),
        (None, Some(game)) => read_in(Format::Pgn5d, game, position),
        (None, None) => return wrong("expected a notation and a text in it"),
    };
    if let Some(error) = reading.error {
        return wrong(said(&error));
    }
    if to == "ceo" {
        return Ok(format!("unwritable: {}", ceo::ANOTHER_GAME));
    }
    let Ok(to) = to.parse::<Format>() else { return wrong(format!("there is no notation `{to}`")) };
    match to.write(&reading.value.expect("a text without error has a game")) {
        Ok(written) => Ok(match String::from_utf8(written.bytes) {
            Ok(text) => text,
            Err(error) => error.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect(),
        }),
        Err(unwritable) => Ok(format!("unwritable: {}", unwritable.reason)),
    }
}

/// Reads a text as the kind that its first word names, by default as an action. Returns the codes of its
/// warnings.
fn read(bytes: &[u8], position: Option<&Position>) -> Result<Vec<&'static str>, ParseError> {
    if let Some(rest) = bytes.strip_prefix(b"ceo ") {
        let reading = ceo::parse(text_of(rest)?);
        let codes = reading.warnings.iter().map(|warning| warning.code).collect();
        return reading.error.map_or(Ok(codes), Err);
    }
    if let Some((format, rest)) = notation(bytes) {
        let reading = read_in(format, rest, position);
        let codes = reading.warnings.iter().map(|warning| warning.code).collect();
        return reading.error.map_or(Ok(codes), Err);
    }
    let text = text_of(bytes)?;
    if let Some(boards) = text.strip_prefix("boards").filter(|rest| rest.is_empty() || rest.starts_with(' '))
    {
        return fen5d::parse(boards.trim_start()).into_result().map(|_| Vec::new());
    }
    match (text.strip_prefix("game "), position) {
        (Some(game), _) => {
            let reading = pgn5d::parse(game);
            let codes = reading.warnings.iter().map(|warning| warning.code).collect();
            reading.error.map_or(Ok(codes), Err)
        }
        (None, Some(position)) => pgn5d::parse_action(position, text).map(|_| Vec::new()),
        (None, None) => fen5d::parse(text).into_result().map(|_| Vec::new()),
    }
}

/// Replaces the escapes `\n` and `\xff`, for texts that do not fit on a line.
fn unescaped(text: &str) -> Result<Vec<u8>, Wrong> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("\\n") {
            bytes.push(b'\n');
            rest = after;
        } else if let Some(digits) = rest.strip_prefix("\\x") {
            match digits.get(..2).and_then(|two| u8::from_str_radix(two, 16).ok()) {
                Some(byte) => bytes.push(byte),
                None => return wrong("expected two digits after `\\x`"),
            }
            rest = &digits[2..];
        } else {
            bytes.push(b'\\');
            rest = &rest[1..];
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// The reason why these boards are no multiverse. Fails unless both judges refuse them.
fn no_multiverse(boards: &str) -> Result<String, Wrong> {
    let setup = fen5d::blocks(boards).and_then(|blocks| fen5d::setup(&blocks, Given::default()));
    let setup = setup.map_err(|error| (said(&error), vec![]))?;
    let slow_boards = setup.boards.iter().map(|(at, _)| (*at, Vec::new()));
    if SlowState::new(setup.size, setup.parity, setup.profile, slow_boards).is_ok() {
        return wrong("the twin accepts these boards");
    }
    match Position::from_setup(&setup) {
        Ok(_) => wrong("the boards are a multiverse"),
        Err(error) => Ok(kind_of(&error.problem)),
    }
}

/// The name of an enum's variant.
fn kind_of<T: std::fmt::Debug>(value: &T) -> String {
    let text = format!("{value:?}");
    text.split(['(', '{', ' ']).next().unwrap_or_default().to_owned()
}

/// The moves of a text that has all their details, whether or not they can be made. `None` for other texts.
fn written(position: &Position, text: &str) -> Option<Action> {
    let (record, error) = Record::parse(text);
    if error.is_some() || record.line.actions.len() > 1 {
        return None;
    }
    let moves: Option<Vec<Move>> =
        record.line.moves.iter().map(|text| written_move(position, text)).collect();
    moves.map(Action::new)
}

fn written_move(position: &Position, text: &MoveText) -> Option<Move> {
    let Shape::Piece { file, rank, jump, target, to, .. } = text.shape else { return None };
    let board = |timeline: Label, turn: i16| {
        let timeline = timeline.timeline(position.parity())?;
        Some(BoardCoordinate::new(timeline.0, turn, position.to_move()))
    };
    let from = text.from.and_then(|from| board(from.timeline?, from.turn?))?;
    let to_board = target.and_then(|target| match (target.timeline, target.turn) {
        (Some(Place::At(timeline)), Some(Place::At(turn))) => board(timeline, turn),
        _ => None,
    });
    let (kind, target) = match (jump, target) {
        (None, None) => (MoveKind::Physical, from),
        (Some(Jump::Hop), Some(_)) => (MoveKind::Hop, to_board?),
        (Some(Jump::Branch), Some(_)) => (MoveKind::Branch, to_board?),
        _ => return None,
    };
    Some(Move {
        kind,
        from: Coordinate { board: from, square: Square::new(file?, rank?)? },
        to: Coordinate { board: target, square: to },
        promotion: text.promotion,
    })
}

fn board_text(position: &Position, at: BoardCoordinate) -> String {
    let parity: Parity = position.parity();
    format!("({}T{})", parity.label(at.timeline), at.half_turn.turn())
}

/// The same position for the twin.
fn twin_of(position: &Position) -> Result<SlowState, worldlines::slow::SlowError> {
    let boards = position.multiverse().boards().map(|(at, board)| {
        let cells =
            board.pieces().map(|(square, piece)| (square, Cell { piece, unmoved: board.is_unmoved(square) }));
        (at, cells.collect())
    });
    SlowState::new(position.size(), position.parity(), position.profile(), boards)
}
