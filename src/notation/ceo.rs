//! The notation proposed for *Chess Evolved Online*, a different game: text to moves and back, without its rules.
//!
//! The proposal describes single moves only: no start position, no numbers, no players, no result. So there is no game
//! here, only [`Entry`]s, one in each line:
//!
//! ```text
//! KNd4e6          a knight goes from d4 to e6
//! gxh6#           a pawn captures on h6 and freezes
//! saxd5;sae6      a samurai captures on its way and then moves
//! PDa8,KKe8       a paladin and the king change places
//! DYe4!=sg        a dryad turns the enemy on e4 into a sapling
//! CT#c3,c4        a comet freezes two squares
//! LS-BB+e6        a lifestone recovers a bishop of level 1
//! KNxe3=sl=d2,f2  a knight captures a giantslime, and slimes appear
//! ```
//!
//! # Relaxations
//!
//! [`write()`] prints one form of each entry. [`read()`] accepts more, with a warning for each:
//!
//! * a code in the wrong case, if nothing else fits: the proposal itself writes `ls-BB+e6`;
//! * `\` for `/`, since the proposal says the one and shows the other;
//! * blanks or a comma between an automatic capture and the move after it, instead of `;`.
//!
//! Without a warning: blanks around an entry and its separators, empty lines.
//!
//! # Two meanings
//!
//! Some texts mean two things, and no position is there to tell. They are read in one way and listed as an
//! [`Ambiguity`]:
//!
//! * `RG` is the code of the ranger and of the royalguard. A magic capture, `RG/e4`, is the ranger's.
//! * `axe4` is an axeman that moves, or a pawn of the a-file that captures; `axxe4` is an axeman that captures, or such
//!   a pawn that captures and dies. They are read as the axeman's. A pawn's is written with its rank, `a4xe5`.

use std::fmt::{self, Write};

use super::cursor::{Cursor, file_of, rank_of};
use super::format::Head;
use super::{Issue, MAX_INPUT_BYTES, ReadError, Span, Unwritable};
use crate::types::Square;

/// The groups in which the proposal lists its units. It does not name them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    /// The first list, from archer to windmage.
    First,
    /// The second list, from alchemist to wisp.
    Second,
    /// The third list, from behemoth to wizard.
    Third,
    /// The fourth list, from antimage to vampire.
    Fourth,
    /// The king.
    King,
    /// Used in an example and not listed.
    Unlisted,
}

/// A unit of the proposal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnitName {
    /// Its name, as the proposal writes it.
    pub name: &'static str,
    /// Its code. Pawns have none, and a portal is never named.
    pub code: Option<&'static str>,
    /// Where it is listed.
    pub group: Group,
}

const fn unit(group: Group, name: &'static str, code: &'static str) -> UnitName {
    UnitName { name, code: Some(code), group }
}

const fn nameless(group: Group, name: &'static str) -> UnitName {
    UnitName { name, code: None, group }
}

use Group::{First, Fourth, Second, Third};

/// Every unit, in the order of the proposal.
#[rustfmt::skip]
pub static UNITS: [UnitName; 72] = [
    unit(First, "Archer", "ar"), unit(First, "Axeman", "ax"), unit(First, "Banshee", "BS"), unit(First, "Bat", "bt"),
    unit(First, "Bomber", "bo"), unit(First, "Dryad", "DY"), unit(First, "Sapling", "sg"), unit(First, "Fireball", "fr"),
    unit(First, "Frostmage", "FM"), unit(First, "Ghost", "gh"), unit(First, "Guardian", "GD"), unit(First, "Knight", "KN"),
    unit(First, "Militia", "ml"), nameless(First, "Pawn"), unit(First, "Penguin", "pg"), unit(First, "Poisonmage", "PM"),
    unit(First, "Shieldsman", "sh"), unit(First, "Skeleton", "sk"), unit(First, "Slime", "sl"),
    unit(First, "Spearman", "se"), unit(First, "Spider", "sp"), unit(First, "Swordsman", "sw"), unit(First, "Tiger", "tg"),
    unit(First, "Warrior", "WR"), unit(First, "Windmage", "WM"),
    unit(Second, "Alchemist", "AC"), unit(Second, "Basilisk", "ba"), unit(Second, "Berserker", "BK"),
    unit(Second, "Crusader", "CR"), unit(Second, "Frostmephit", "fp"), unit(Second, "Giantslime", "GS"),
    unit(Second, "Legionary", "LG"), unit(Second, "Magetower", "MT"), unit(Second, "Necromancer", "NC"),
    unit(Second, "Paladin", "PD"), unit(Second, "Phantasm", "ph"), nameless(Second, "Portal"), unit(Second, "Prince", "PC"),
    unit(Second, "Princess", "ps"), unit(Second, "Pyromancer", "PY"), unit(Second, "Ranger", "RG"),
    unit(Second, "Rook", "RR"), unit(Second, "Samurai", "sa"), unit(Second, "Wisp", "WS"),
    unit(Third, "Behemoth", "BM"), unit(Third, "Demon", "DM"), unit(Third, "Dragon", "DG"), unit(Third, "Ghast", "GT"),
    unit(Third, "Harpy", "HR"), unit(Third, "Hauntedarmor", "HD"), unit(Third, "Lifestone", "LS"),
    unit(Third, "Medusa", "MD"), unit(Third, "Minotaur", "MO"), unit(Third, "Ninja", "NJ"), unit(Third, "Queen", "QQ"),
    unit(Third, "Valkyrie", "VK"), unit(Third, "Wizard", "WZ"),
    unit(Fourth, "Antimage", "AM"), unit(Fourth, "Comet", "CT"), unit(Fourth, "Enchantress", "EC"),
    unit(Fourth, "Gemini", "GM"), unit(Fourth, "Geminitwin", "GW"), unit(Fourth, "Lich", "LH"), unit(Fourth, "Lilith", "LL"),
    unit(Fourth, "Moonfox", "MF"), unit(Fourth, "Phoenix", "PX"), unit(Fourth, "Phoenixegg", "PE"),
    unit(Fourth, "Royalguard", "RG"), unit(Fourth, "Soulkeeper", "SU"), unit(Fourth, "Vampire", "VP"),
    unit(Group::King, "King", "KK"),
    unit(Group::Unlisted, "Bishop", "BB"),
];

/// A code of the table, such as `KN`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(&'static str);

/// Which unit a code stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// One unit.
    One(&'static str),
    /// Either of two.
    Either([&'static str; 2]),
}

impl Code {
    /// Every code once.
    pub fn all() -> impl Iterator<Item = Code> {
        let codes = || UNITS.iter().filter_map(|unit| unit.code);
        codes()
            .enumerate()
            .filter(move |(i, code)| !codes().take(*i).any(|c| c == *code))
            .map(|(_, code)| Code(code))
    }

    /// The code that is written exactly like this.
    pub fn new(text: &str) -> Option<Code> {
        UNITS.iter().filter_map(|unit| unit.code).find(|code| *code == text).map(Code)
    }

    /// The code that is written like this in any case.
    fn in_any_case(text: &str) -> Option<Code> {
        UNITS.iter().filter_map(|unit| unit.code).find(|code| code.eq_ignore_ascii_case(text)).map(Code)
    }

    /// As it is written.
    pub const fn text(self) -> &'static str {
        self.0
    }

    /// The unit or units that have it.
    pub fn names(self) -> Names {
        let mut names = UNITS.iter().filter(|unit| unit.code == Some(self.0)).map(|unit| unit.name);
        let first = names.next().unwrap_or_default();
        match names.next() {
            None => Names::One(first),
            Some(second) => Names::Either([first, second]),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A unit that is not a pawn, with its level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit {
    /// What it is.
    pub code: Code,
    /// The number of `+` after the code.
    pub level: u32,
}

impl Unit {
    /// The unit of a text such as `RR++`.
    pub fn new(text: &str) -> Option<Unit> {
        let code = text.trim_end_matches('+');
        Some(Unit { code: Code::new(code)?, level: u32::try_from(text.len() - code.len()).ok()? })
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.text())?;
        (0..self.level).try_for_each(|_| f.write_char('+'))
    }
}

/// Where a unit comes from, as far as that is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// The file, 0 for `a`.
    pub file: Option<u8>,
    /// The rank, 0 for `1`.
    pub rank: Option<u8>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file {
            f.write_char((b'a' + file) as char)?;
        }
        self.rank.map_or(Ok(()), |rank| f.write_char((b'1' + rank) as char))
    }
}

/// How a unit treats the square to which it goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Manner {
    /// It moves there, on foot or by teleport.
    Move,
    /// `x`: it captures.
    Capture,
    /// `xx`: it captures and dies.
    Suicide,
    /// `]`: it would capture, and is blocked.
    Blocked,
    /// `/`: it captures from afar.
    Magic,
}

impl Manner {
    /// Every manner.
    pub const ALL: [Manner; 5] =
        [Manner::Move, Manner::Capture, Manner::Suicide, Manner::Blocked, Manner::Magic];

    /// The sign before the square.
    pub const fn sign(self) -> &'static str {
        match self {
            Manner::Move => "",
            Manner::Capture => "x",
            Manner::Suicide => "xx",
            Manner::Blocked => "]",
            Manner::Magic => "/",
        }
    }
}

/// A unit becomes another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    /// `!=`: it is the enemy on the square.
    pub enemy: bool,
    /// What it becomes; `None` for a pawn, for which the proposal has no text.
    pub into: Option<Unit>,
}

/// A unit goes somewhere or captures.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transfer {
    /// Which unit; `None` for a pawn.
    pub unit: Option<Unit>,
    /// Where it comes from, as far as that is written.
    pub origin: Origin,
    /// How.
    pub manner: Manner,
    /// The square.
    pub to: Square,
    /// `=NJ`: what becomes of it.
    pub change: Option<Change>,
    /// `#`: it freezes.
    pub frozen: bool,
    /// `=sl=d2,f2`: where slimes appear.
    pub slimes: Vec<Square>,
}

impl Transfer {
    /// Which unit it is, if it has a code. Only rangers capture by magic.
    pub fn names(&self) -> Option<Names> {
        let names = self.unit?.code.names();
        Some(match names {
            Names::Either([ranger, _]) if self.manner == Manner::Magic => Names::One(ranger),
            _ => names,
        })
    }
}

/// What a unit does to another one without moving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spell {
    /// `%`
    Poison,
    /// `*`
    Petrify,
    /// `>`
    Charm,
    /// `^`
    Purify,
    /// `~`
    Enchant,
}

impl Spell {
    /// Every spell.
    pub const ALL: [Spell; 5] = [Spell::Poison, Spell::Petrify, Spell::Charm, Spell::Purify, Spell::Enchant];

    /// The sign before the square.
    pub const fn sign(self) -> char {
        match self {
            Spell::Poison => '%',
            Spell::Petrify => '*',
            Spell::Charm => '>',
            Spell::Purify => '^',
            Spell::Enchant => '~',
        }
    }
}

/// One move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A unit goes somewhere or captures.
    Transfer(Transfer),
    /// Two units change places; the active one comes first.
    Swap(Transfer, Transfer),
    /// A unit casts a spell on a square.
    Spell {
        /// Which unit.
        unit: Unit,
        /// Where it stands, as far as that is written.
        origin: Origin,
        /// Which spell.
        spell: Spell,
        /// The square.
        to: Square,
    },
    /// `#`: a unit freezes others.
    Freeze {
        /// Which unit.
        unit: Unit,
        /// Where it stands, as far as that is written.
        origin: Origin,
        /// The squares, at least one.
        squares: Vec<Square>,
    },
    /// `-`: a lifestone recovers a unit.
    Recover {
        /// The level of the lifestone.
        level: u32,
        /// Where it stands, as far as that is written.
        origin: Origin,
        /// Which unit; `None` for a pawn, for which the proposal has no text.
        unit: Option<Unit>,
        /// The square.
        to: Square,
    },
}

/// One line: a move, after a capture that came by itself if there was one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The automatic capture.
    pub automatic: Option<Transfer>,
    /// The move.
    pub main: Move,
}

/// A text that means two things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ambiguity {
    /// A code of two units.
    Unit {
        /// The code.
        code: Code,
        /// Both of them.
        names: [&'static str; 2],
    },
    /// An axeman goes, or a pawn captures.
    AxemanOrPawn {
        /// As it was read.
        axeman: Transfer,
        /// What it may be as well.
        pawn: Transfer,
    },
}

/// How far a text could be read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The entries up to the error.
    pub entries: Vec<Entry>,
    /// Where each of them stands in the text.
    pub spans: Vec<Span>,
    /// What is wrong without preventing anything.
    pub warnings: Vec<Issue>,
    /// What means two things, and where.
    pub ambiguities: Vec<(Span, Ambiguity)>,
    /// Why reading stopped before the end of the text.
    pub error: Option<ReadError>,
}

/// The entries of a text.
///
/// ```
/// use worldlines::notation::ceo;
///
/// let entries = ceo::read("KNxde6\nls-BB+e6").unwrap_err();
/// assert_eq!((entries.class(), entries.span().start), ("malformed", 3));
/// let entries = ceo::read("KNdxe6\nls-BB+e6").unwrap();
/// assert_eq!(ceo::write(&entries).unwrap(), "KNdxe6\nLS-BB+e6\n");
/// ```
///
/// # Errors
///
/// The first thing that is malformed.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    let Reading { entries, error, .. } = read_so_far(text);
    error.map_or(Ok(entries), Err)
}

/// The entries of a text as far as it can be read, with warnings.
pub fn read_so_far(text: &str) -> Reading {
    let mut parser = Parser { cursor: Cursor::new(text), reading: Reading::default() };
    parser.reading.error = parser.text().err();
    parser.reading
}

/// The entries in canonical form, one in each line.
///
/// # Errors
///
/// When an entry has no text of its own: a pawn after `=` or recovered, a capture by a pawn without its file, or by one
/// of the a-file without its rank, and what [`read()`] refuses: an automatic capture that is none, a swap that captures, an
/// empty list of frozen squares.
pub fn write(entries: &[Entry]) -> Result<String, Unwritable> {
    let mut text = String::new();
    for (index, entry) in entries.iter().enumerate() {
        let unwritable = |reason: &str| Unwritable { reason: reason.into(), action: Some(index) };
        write_entry(&mut text, entry).map_err(unwritable)?;
        text.push('\n');
    }
    Ok(text)
}

/// Why there is no game in this notation.
pub(super) const ANOTHER_GAME: &str =
    "Chess Evolved Online is another game, whose moves are those of no other notation";

/// Where a game is wanted: the error of the text, or that it has none.
pub(super) fn refuse(text: &str) -> super::Reading {
    let Reading { warnings, error, .. } = read_so_far(text);
    let another = || Issue::new("another-game", Span::new(0, 0), ANOTHER_GAME).illegal();
    super::Reading { warnings, error: Some(error.unwrap_or_else(another)), ..super::Reading::default() }
}

/// Whether a text with this beginning is in this notation: its first lines are entries, and one of them has a code in its
/// own case.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let lines = head.moves.lines().take(DETECTED_LINES);
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let Reading { entries, warnings, error, .. } = read_so_far(&text);
    let has_code = |entry: &Entry| match &entry.main {
        Move::Transfer(transfer) | Move::Swap(transfer, _) => transfer.unit.is_some(),
        _ => true,
    };
    error.is_none()
        && head.headers.is_empty()
        && entries.iter().any(has_code)
        && (entries.len() > 1 || warnings.iter().all(|warning| warning.code != "wrong-case"))
}

/// How many lines show which notation it is.
const DETECTED_LINES: usize = 16;

fn write_entry(text: &mut String, entry: &Entry) -> Result<(), &'static str> {
    if let Some(automatic) = &entry.automatic {
        if automatic.manner == Manner::Move {
            return Err("an automatic capture has to capture");
        }
        write_transfer(text, automatic)?;
        text.push(';');
    }
    // Writing to a string cannot fail, here and below.
    match &entry.main {
        Move::Transfer(transfer) => write_transfer(text, transfer)?,
        Move::Swap(active, other) => {
            if [active, other].iter().any(|transfer| transfer.manner != Manner::Move) {
                return Err("a swap does not capture");
            }
            if !active.slimes.is_empty() {
                return Err("a swap captures no giantslime");
            }
            write_transfer(text, active)?;
            text.push(',');
            write_transfer(text, other)?;
        }
        Move::Spell { unit, origin, spell, to } => {
            let _ = write!(text, "{unit}{origin}{}{to}", spell.sign());
        }
        Move::Freeze { unit, origin, squares } => {
            if squares.is_empty() {
                return Err("a unit that freezes others names their squares");
            }
            let _ = write!(text, "{unit}{origin}#");
            write_squares(text, squares);
        }
        Move::Recover { level, origin, unit, to } => {
            let Some(unit) = unit else {
                return Err("the proposal has no code for a pawn that is recovered");
            };
            let lifestone = Unit { code: LIFESTONE, level: *level };
            let _ = write!(text, "{lifestone}{origin}-{unit}{to}");
        }
    }
    Ok(())
}

fn write_transfer(text: &mut String, transfer: &Transfer) -> Result<(), &'static str> {
    let Transfer { unit, origin, manner, to, change, frozen, slimes } = transfer;
    match (unit, manner) {
        (Some(unit), _) => {
            let _ = write!(text, "{unit}");
        }
        (None, Manner::Move) => {}
        (None, _) if origin.file.is_none() => return Err("a pawn that captures is written with its file"),
        (None, Manner::Capture | Manner::Suicide) if *origin == A_FILE => {
            return Err(
                "a pawn of the a-file that captures is written with its rank, since `ax` is the axeman",
            );
        }
        (None, _) => {}
    }
    let _ = write!(text, "{origin}{}{to}", manner.sign());
    if let Some(Change { enemy, into }) = change {
        let Some(into) = into else { return Err("the proposal has no code for a pawn after `=`") };
        let _ = write!(text, "{}={into}", if *enemy { "!" } else { "" });
    }
    text.push_str(if *frozen { "#" } else { "" });
    if !slimes.is_empty() {
        text.push_str(SLIMES);
        write_squares(text, slimes);
    }
    Ok(())
}

fn write_squares(text: &mut String, squares: &[Square]) {
    for (index, square) in squares.iter().enumerate() {
        let _ = write!(text, "{}{square}", if index == 0 { "" } else { "," });
    }
}

const LIFESTONE: Code = Code("LS");
const AXEMAN: Code = Code("ax");
const A_FILE: Origin = Origin { file: Some(0), rank: None };
const SLIMES: &str = "=sl=";

struct Parser<'t> {
    cursor: Cursor<'t>,
    reading: Reading,
}

/// How a code has to be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Exact,
    /// There is no code: a pawn.
    Pawn,
    AnyCase,
}

/// Which move it is, as far as its target.
enum Core {
    Transfer(Transfer),
    Spell { unit: Unit, origin: Origin, spell: Spell, to: Square },
    Freeze { unit: Unit, origin: Origin },
    Recover { level: u32, origin: Origin },
}

type Read<T> = Result<T, ReadError>;

impl Parser<'_> {
    fn text(&mut self) -> Read<()> {
        if self.cursor.text.len() > MAX_INPUT_BYTES {
            let message = format!("expected at most {MAX_INPUT_BYTES} bytes");
            return Err(Issue::new("text-too-long", Span::new(0, 0), message).malformed());
        }
        self.cursor.eat("\u{feff}");
        loop {
            self.cursor.skip_whitespace();
            if self.cursor.is_at_end() {
                return Ok(());
            }
            let start = self.cursor.at;
            let entry = self.entry()?;
            let span = self.cursor.span_from(start);
            self.cursor.skip_blanks();
            if !matches!(self.cursor.peek(), None | Some(b'\n' | b'\r')) {
                return Err(self.cursor.expected("unexpected-character", "the end of the entry").malformed());
            }
            self.reading.entries.push(entry);
            self.reading.spans.push(span);
        }
    }

    fn entry(&mut self) -> Read<Entry> {
        let start = self.cursor.at;
        let first = self.one()?;
        let end = self.cursor.at;
        let captures = matches!(&first, Move::Transfer(transfer) if transfer.manner != Manner::Move);
        self.cursor.skip_blanks();
        match self.cursor.peek() {
            None | Some(b'\n' | b'\r') => {
                self.cursor.at = end;
                Ok(Entry { automatic: None, main: first })
            }
            Some(separator) if captures && (self.cursor.at > end || matches!(separator, b';' | b',')) => {
                if separator == b';' || separator == b',' {
                    self.cursor.at += 1;
                }
                if separator != b';' {
                    let span = Span::new(end, self.cursor.at);
                    let issue = Issue::new("wrong-separator", span, "an automatic capture ends with `;`");
                    self.reading.warnings.push(issue);
                }
                self.cursor.skip_blanks();
                let main = self.one_or_swap()?;
                let Move::Transfer(automatic) = first else { unreachable!("only transfers capture") };
                Ok(Entry { automatic: Some(automatic), main })
            }
            Some(b',') => Ok(Entry { automatic: None, main: self.swap(first)? }),
            Some(b';') => {
                let span = Span::new(start, end);
                let message = "expected a capture before `;`, which ends an automatic capture";
                Err(Issue::new("not-a-capture", span, message).malformed())
            }
            Some(_) => {
                self.cursor.at = end;
                Ok(Entry { automatic: None, main: first })
            }
        }
    }

    fn one_or_swap(&mut self) -> Read<Move> {
        let first = self.one()?;
        let end = self.cursor.at;
        self.cursor.skip_blanks();
        if self.cursor.peek() == Some(b',') {
            return self.swap(first);
        }
        self.cursor.at = end;
        Ok(first)
    }

    /// The second half of a swap, from its comma on.
    fn swap(&mut self, first: Move) -> Read<Move> {
        let comma = self.cursor.at;
        let refused = |span, message: &str| Err(Issue::new("malformed-swap", span, message).malformed());
        let Move::Transfer(active @ Transfer { manner: Manner::Move, .. }) = first else {
            return refused(
                Span::new(comma, comma + 1),
                "expected a move before `,`, which joins two moves to a swap",
            );
        };
        self.cursor.at += 1;
        self.cursor.skip_blanks();
        let start = self.cursor.at;
        match self.one()? {
            Move::Transfer(other @ Transfer { manner: Manner::Move, .. }) => Ok(Move::Swap(active, other)),
            _ => refused(self.cursor.span_from(start), "expected the move of the other unit of the swap"),
        }
    }

    /// A move that is not a swap.
    fn one(&mut self) -> Read<Move> {
        let start = self.cursor.at;
        let core = self.core()?;
        Ok(match core {
            Core::Spell { unit, origin, spell, to } => {
                self.check_unit(unit.code, start);
                Move::Spell { unit, origin, spell, to }
            }
            Core::Freeze { unit, origin } => {
                self.check_unit(unit.code, start);
                Move::Freeze { unit, origin, squares: self.squares()? }
            }
            Core::Recover { level, origin } => {
                let unit = self.named_unit()?;
                let to = self.square()?;
                Move::Recover { level, origin, unit: Some(unit), to }
            }
            Core::Transfer(mut transfer) => {
                self.suffixes(&mut transfer)?;
                if let Some(Names::Either(_)) = transfer.names() {
                    let code = transfer.unit.map_or(AXEMAN, |unit| unit.code);
                    self.check_unit(code, start);
                }
                self.check_axeman(&transfer, start);
                Move::Transfer(transfer)
            }
        })
    }

    /// Lists a code that two units have.
    fn check_unit(&mut self, code: Code, start: usize) {
        if let Names::Either(names) = code.names() {
            let span = Span::new(start, start + code.text().len());
            let message = format!("`{code}` is the code of {} and {}", names[0], names[1]);
            self.reading.warnings.push(Issue::new("ambiguous-unit", span, message));
            self.reading.ambiguities.push((span, Ambiguity::Unit { code, names }));
        }
    }

    /// Lists an axeman's transfer that may be a pawn's.
    fn check_axeman(&mut self, transfer: &Transfer, start: usize) {
        let manner = match transfer.manner {
            Manner::Move => Manner::Capture,
            Manner::Capture => Manner::Suicide,
            _ => return,
        };
        let is_axeman = transfer.unit == Some(Unit { code: AXEMAN, level: 0 });
        let written_so = self.cursor.text[start..].starts_with(AXEMAN.text());
        if !is_axeman || transfer.origin != Origin::default() || !written_so {
            return;
        }
        let pawn = Transfer { unit: None, origin: A_FILE, manner, ..transfer.clone() };
        let span = self.cursor.span_from(start);
        let message = "read as the axeman's, and may be a capture by a pawn of the a-file";
        let hint = "write the pawn's with its rank, as `a4xb5`";
        self.reading.warnings.push(Issue::new("axeman-or-pawn", span, message).hint(hint));
        self.reading.ambiguities.push((span, Ambiguity::AxemanOrPawn { axeman: transfer.clone(), pawn }));
    }

    /// The beginning of a move up to its target, in the first spelling that fits.
    fn core(&mut self) -> Read<Core> {
        let start = self.cursor.at;
        let mut furthest: Option<ReadError> = None;
        for spelling in [Spelling::Exact, Spelling::Pawn, Spelling::AnyCase] {
            self.cursor.at = start;
            let warnings = self.reading.warnings.len();
            match self.core_spelt(spelling) {
                Some(Ok(core)) => return Ok(core),
                Some(Err(error)) => {
                    self.reading.warnings.truncate(warnings);
                    if furthest.as_ref().is_none_or(|other| other.span().start < error.span().start) {
                        furthest = Some(error);
                    }
                }
                None => {}
            }
        }
        self.cursor.at = start;
        Err(furthest
            .unwrap_or_else(|| self.cursor.expected("missing-unit", "a unit or a square").malformed()))
    }

    /// As [`Parser::core`], in one spelling; `None` when no code is spelt so.
    fn core_spelt(&mut self, spelling: Spelling) -> Option<Read<Core>> {
        let unit = match spelling {
            Spelling::Pawn => None,
            _ => Some(self.unit(spelling)?),
        };
        Some(self.core_of(unit))
    }

    fn core_of(&mut self, unit: Option<Unit>) -> Read<Core> {
        let start = self.cursor.at;
        self.cursor.skip_while(|byte| file_of(byte).is_some() || rank_of(byte).is_some());
        let written = &self.cursor.text.as_bytes()[start..self.cursor.at];
        let operator = self.cursor.peek();
        let spell = Spell::ALL.into_iter().find(|spell| operator == Some(spell.sign() as u8));
        let freezes = operator == Some(b'#')
            && self.cursor.peek_at(1).is_some_and(|byte| file_of(byte).is_some())
            && written.len() <= 2;
        if let Some(unit) = unit {
            if let Some(spell) = spell {
                let origin = self.origin(start)?;
                self.cursor.at += 1;
                return Ok(Core::Spell { unit, origin, spell, to: self.square()? });
            }
            if freezes {
                let origin = self.origin(start)?;
                self.cursor.at += 1;
                return Ok(Core::Freeze { unit, origin });
            }
            if operator == Some(b'-') && unit.code == LIFESTONE {
                let origin = self.origin(start)?;
                self.cursor.at += 1;
                return Ok(Core::Recover { level: unit.level, origin });
            }
        }
        let mut transfer = Transfer {
            unit,
            origin: Origin::default(),
            manner: Manner::Move,
            to: Square::from_index(0),
            change: None,
            frozen: false,
            slimes: Vec::new(),
        };
        transfer.manner = match operator {
            Some(b'x') if self.cursor.peek_at(1) == Some(b'x') => Manner::Suicide,
            Some(b'x') => Manner::Capture,
            Some(b']') => Manner::Blocked,
            Some(b'/' | b'\\') => Manner::Magic,
            _ => Manner::Move,
        };
        if transfer.manner == Manner::Move {
            // What is written is the target, perhaps after an origin.
            let origin = match written {
                [_, _] => 0,
                [_, _, _] => 1,
                [_, _, _, _] => 2,
                _ => usize::MAX,
            };
            let end = self.cursor.at;
            self.cursor.at = start + origin.min(written.len());
            let to = self.cursor.square().filter(|_| self.cursor.at == end);
            let Some(to) = to else {
                self.cursor.at = if written.len() > 4 { start + 4 } else { end };
                return Err(self.cursor.expected("missing-square", "a square").malformed());
            };
            self.cursor.at = start + origin;
            transfer.origin = self.origin(start)?;
            self.cursor.at = end;
            transfer.to = to;
            return Ok(Core::Transfer(transfer));
        }
        transfer.origin = self.origin(start)?;
        if unit.is_none() && transfer.origin.file.is_none() {
            let message = "expected the file of the pawn that captures";
            let span = self.cursor.span_here();
            return Err(Issue::new("missing-file", span, message).malformed());
        }
        if operator == Some(b'\\') {
            let issue =
                Issue::new("wrong-sign", self.cursor.span_here(), "a capture by magic is written with `/`");
            self.reading.warnings.push(issue);
        }
        self.cursor.at += transfer.manner.sign().len();
        transfer.to = self.square()?;
        Ok(Core::Transfer(transfer))
    }

    /// What is written from `start` to here as an origin: a file, a rank, or both.
    fn origin(&self, start: usize) -> Read<Origin> {
        let written = &self.cursor.text.as_bytes()[start..self.cursor.at];
        match *written {
            [] => return Ok(Origin::default()),
            [byte] => return Ok(Origin { file: file_of(byte), rank: rank_of(byte) }),
            [file, rank] if file_of(file).is_some() && rank_of(rank).is_some() => {
                return Ok(Origin { file: file_of(file), rank: rank_of(rank) });
            }
            _ => {}
        }
        let message = "expected the file of the unit, its rank, or its square";
        Err(Issue::new("malformed-origin", self.cursor.span_from(start), message).malformed())
    }

    fn suffixes(&mut self, transfer: &mut Transfer) -> Read<()> {
        let enemy = self.cursor.rest().starts_with(b"!=");
        if enemy || self.cursor.peek() == Some(b'=') && !self.slimes_follow() {
            self.cursor.at += if enemy { 2 } else { 1 };
            transfer.change = Some(Change { enemy, into: Some(self.named_unit()?) });
        }
        // A `#` before a square is no suffix.
        transfer.frozen = self.cursor.eat("#");
        if self.slimes_follow() {
            self.cursor.at += SLIMES.len();
            transfer.slimes = self.squares()?;
        }
        Ok(())
    }

    fn slimes_follow(&self) -> bool {
        self.cursor
            .rest()
            .get(..SLIMES.len())
            .is_some_and(|next| next.eq_ignore_ascii_case(SLIMES.as_bytes()))
    }

    /// Squares with commas between them. A comma before something else is left.
    fn squares(&mut self) -> Read<Vec<Square>> {
        let mut squares = vec![self.square()?];
        loop {
            let before = self.cursor.at;
            self.cursor.skip_blanks();
            if !self.cursor.eat(",") {
                self.cursor.at = before;
                return Ok(squares);
            }
            self.cursor.skip_blanks();
            let square = self.cursor.square();
            let ends =
                self.cursor.peek().is_none_or(|byte| !byte.is_ascii_graphic() || matches!(byte, b',' | b';'));
            match square.filter(|_| ends) {
                Some(square) => squares.push(square),
                None => {
                    self.cursor.at = before;
                    return Ok(squares);
                }
            }
        }
    }

    fn square(&mut self) -> Read<Square> {
        self.cursor
            .square()
            .ok_or_else(|| self.cursor.expected("missing-square", "a square, a1 to h8").malformed())
    }

    /// A unit where nothing else can stand.
    fn named_unit(&mut self) -> Read<Unit> {
        let exact = self.unit(Spelling::Exact);
        exact.or_else(|| self.unit(Spelling::AnyCase)).ok_or_else(|| {
            let issue = self.cursor.expected("missing-unit", "the code of a unit");
            issue.hint("pawns have no code, so that they cannot stand here").malformed()
        })
    }

    fn unit(&mut self, spelling: Spelling) -> Option<Unit> {
        let start = self.cursor.at;
        let text = self.cursor.text.get(start..start + 2)?;
        let code = match spelling {
            Spelling::Exact => Code::new(text)?,
            _ => Code::in_any_case(text)?,
        };
        self.cursor.at += 2;
        if code.text() != text {
            let message = format!("the code is written `{code}`");
            self.reading.warnings.push(Issue::new("wrong-case", self.cursor.span_from(start), message));
        }
        let pluses = self.cursor.at;
        self.cursor.skip_while(|byte| byte == b'+');
        Some(Unit { code, level: (self.cursor.at - pluses) as u32 })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::*;

    fn canonical(text: &str) -> String {
        write(&read(text).unwrap_or_else(|error| panic!("{text}: {error}"))).unwrap()
    }

    fn codes_of_warnings(text: &str) -> Vec<&'static str> {
        read_so_far(text).warnings.iter().map(|warning| warning.code).collect()
    }

    #[test]
    fn the_table_is_that_of_the_proposal() {
        let listed = || UNITS.iter().filter(|unit| unit.group != Group::Unlisted);
        assert_eq!(listed().count(), 71);
        assert_eq!(listed().filter(|unit| unit.code.is_some()).count(), 69);
        let codes: HashSet<&str> = listed().filter_map(|unit| unit.code).collect();
        assert_eq!(codes.len(), 68);
        assert_eq!(
            codes.iter().filter(|code| code.bytes().all(|byte| byte.is_ascii_lowercase())).count(),
            21
        );
        assert_eq!(
            codes.iter().filter(|code| code.bytes().all(|byte| byte.is_ascii_uppercase())).count(),
            47
        );
        let folded: HashSet<String> = codes.iter().map(|code| code.to_ascii_lowercase()).collect();
        assert_eq!(folded.len(), codes.len());
        assert_eq!(Code::all().count(), 69);
        let shared: Vec<Code> = Code::all().filter(|code| matches!(code.names(), Names::Either(_))).collect();
        assert_eq!(shared, [Code("RG")]);
        assert_eq!(Code("RG").names(), Names::Either(["Ranger", "Royalguard"]));
        assert_eq!(Code("BB").names(), Names::One("Bishop"));
        assert_eq!(
            Unit::new("RR++").map(|unit| (unit.level, unit.to_string())),
            Some((2, "RR++".to_owned()))
        );
        assert_eq!([Unit::new("rr"), Unit::new("++"), Unit::new("R+R")], [None; 3]);
    }

    /// Every example of the proposal, in the order in which they stand there, with its canonical form.
    const EXAMPLES: [(&str, &str); 26] = [
        ("KNe6", "KNe6"),
        ("KNde6", "KNde6"),
        ("KNd5e6", "KNd5e6"),
        ("KN4e6", "KN4e6"),
        ("KNxe6", "KNxe6"),
        ("KNdxe6", "KNdxe6"),
        ("KNd5xe6", "KNd5xe6"),
        ("KN4xe6", "KN4xe6"),
        ("KN]e6", "KN]e6"),
        ("KNxxe6", "KNxxe6"),
        ("PY/e4", "PY/e4"),
        ("sad8=NJ", "sad8=NJ"),
        ("VPc3=bt", "VPc3=bt"),
        ("slxc4=GS", "slxc4=GS"),
        ("DYe4!=sg", "DYe4!=sg"),
        ("FM#d5", "FM#d5"),
        ("CT#c3,c4", "CT#c3,c4"),
        ("gxh6#", "gxh6#"),
        ("PM%e6", "PM%e6"),
        ("ba*c3", "ba*c3"),
        ("LL>c5", "LL>c5"),
        ("AC^c6", "AC^c6"),
        ("EC~d1", "EC~d1"),
        ("ls-BB+e6", "LS-BB+e6"),
        ("PDa8,KKe8", "PDa8,KKe8"),
        ("KNxe3=sl=d2,f2", "KNxe3=sl=d2,f2"),
    ];

    #[test]
    fn every_example_of_the_proposal_is_read_and_written_back() {
        for (text, printed) in EXAMPLES {
            assert_eq!(canonical(text), format!("{printed}\n"), "{text}");
            let warnings = codes_of_warnings(text);
            assert_eq!(warnings.len(), usize::from(text != printed), "{text}: {warnings:?}");
        }
        let all: String = EXAMPLES.iter().map(|(text, _)| format!("{text}\r\n\r\n")).collect();
        assert_eq!(read(&all).unwrap().len(), EXAMPLES.len());
    }

    #[test]
    fn relaxed_texts_mean_the_same() {
        for (text, printed, warnings) in [
            ("PY\\e4", "PY/e4", &["wrong-sign"][..]),
            ("kne6", "KNe6", &["wrong-case"]),
            ("SAd8=nj", "sad8=NJ", &["wrong-case", "wrong-case"]),
            ("saxd5;sae6", "saxd5;sae6", &[]),
            ("saxd5 sae6", "saxd5;sae6", &["wrong-separator"]),
            ("saxd5,sae6", "saxd5;sae6", &["wrong-separator"]),
            ("saxd5 ; sae6", "saxd5;sae6", &[]),
            ("PDa8 , KKe8", "PDa8,KKe8", &[]),
            ("PDa8,e8", "PDa8,e8", &[]),
            ("  e4  ", "e4", &[]),
            ("CT#c3, c4", "CT#c3,c4", &[]),
            ("KNxe3=sl=d2,f2;KKe8", "KNxe3=sl=d2,f2;KKe8", &[]),
            ("KNxe3=sl=d2,f2,KKe8", "KNxe3=sl=d2,f2;KKe8", &["wrong-separator"]),
            ("slxc4=GS#=sl=a1", "slxc4=GS#=sl=a1", &[]),
            ("slc4=sl", "slc4=sl", &[]),
            ("ba5", "ba5", &[]),
            ("bae5", "bae5", &[]),
            ("gh6", "gh6", &[]),
            ("LS+e7-KN++e6", "LS+e7-KN++e6", &[]),
            ("FMe8#d5", "FMe8#d5", &[]),
            ("FMe8#", "FMe8#", &[]),
        ] {
            assert_eq!(canonical(text), format!("{printed}\n"), "{text}");
            assert_eq!(codes_of_warnings(text), warnings, "{text}");
        }
        let pawn = &read("ba5").unwrap()[0].main;
        assert!(matches!(
            pawn,
            Move::Transfer(Transfer { unit: None, origin: Origin { file: Some(1), .. }, .. })
        ));
    }

    #[test]
    fn every_mistake_has_its_place() {
        for (text, code, start, end) in [
            ("KN", "missing-square", 2, 2),
            ("KNi9", "missing-square", 2, 3),
            ("KNe9", "missing-square", 3, 4),
            ("KNe6e", "missing-square", 5, 5),
            ("KNd4e6e8", "missing-square", 6, 7),
            ("sad8=", "missing-unit", 5, 5),
            ("sad8=e", "missing-unit", 5, 6),
            ("sad8!", "unexpected-character", 4, 5),
            ("ZZe4", "missing-square", 0, 1),
            ("xe5", "missing-file", 0, 1),
            ("4xe5", "missing-file", 1, 2),
            ("%e5", "missing-square", 0, 1),
            ("KN-BBe6", "missing-square", 2, 3),
            ("LS-e6", "missing-unit", 3, 4),
            ("LS-BB", "missing-square", 5, 5),
            ("FM#", "missing-square", 2, 3),
            ("CT#c3,", "malformed-swap", 5, 6),
            ("KNe4 KNe5", "unexpected-character", 5, 6),
            ("sae4;sae6", "not-a-capture", 0, 4),
            ("PDa8,KKxe8", "malformed-swap", 5, 10),
            ("KNdde6", "malformed-origin", 2, 4),
            ("saxd5sae6", "unexpected-character", 5, 6),
            ("saxd8#=NJ", "unexpected-character", 6, 7),
            ("KNddxe6", "malformed-origin", 2, 4),
            ("KNe4é", "unexpected-character", 4, 6),
            ("é", "missing-square", 0, 2),
            ("e4\n;", "missing-square", 3, 4),
        ] {
            let error = read(text).unwrap_err();
            let span = error.span();
            assert_eq!((error.issue().code, span.start, span.end), (code, start, end), "{text}");
            assert_eq!(error.class(), "malformed");
        }
    }

    #[test]
    fn what_has_no_text_is_not_written() {
        let reason = |text: &str, change: fn(&mut Entry)| {
            let mut entries = read(text).unwrap();
            change(&mut entries[0]);
            write(&entries).unwrap_err().action
        };
        assert_eq!(
            reason("e8=QQ", |entry| if let Move::Transfer(t) = &mut entry.main {
                t.change = Some(Change { enemy: false, into: None });
            }),
            Some(0)
        );
        assert_eq!(
            reason("a4xb5", |entry| if let Move::Transfer(t) = &mut entry.main {
                t.origin.rank = None;
            }),
            Some(0)
        );
        assert_eq!(
            reason("b4xa5", |entry| if let Move::Transfer(t) = &mut entry.main {
                t.origin.file = None;
            }),
            Some(0)
        );
        assert_eq!(
            reason("LS-BBe6", |entry| if let Move::Recover { unit, .. } = &mut entry.main {
                *unit = None;
            }),
            Some(0)
        );
    }

    #[test]
    fn two_meanings_are_listed() {
        let ambiguities = |text: &str| -> Vec<Ambiguity> {
            read_so_far(text).ambiguities.into_iter().map(|(_, ambiguity)| ambiguity).collect()
        };
        let guard = Ambiguity::Unit { code: Code("RG"), names: ["Ranger", "Royalguard"] };
        for text in ["RGe4", "RGxe4", "RG%e4", "RG#e4", "RG+]e4"] {
            assert_eq!(ambiguities(text), std::slice::from_ref(&guard), "{text}");
        }
        assert_eq!(ambiguities("RG/e4"), []);
        let ranger = read("RG/e4").unwrap();
        let Move::Transfer(ranger) = &ranger[0].main else { panic!("a transfer") };
        assert_eq!(ranger.names(), Some(Names::One("Ranger")));
        for (text, sign) in [("axe4", "x"), ("axxe4", "xx"), ("axxe4=NJ#", "xx")] {
            let [Ambiguity::AxemanOrPawn { axeman, pawn }] = &ambiguities(text)[..] else { panic!("{text}") };
            assert_eq!(axeman.unit.map(|unit| unit.code), Some(AXEMAN));
            assert_eq!((pawn.unit, pawn.origin, pawn.manner.sign()), (None, A_FILE, sign), "{text}");
        }
        for text in ["axde4", "ax+e4", "ax]e4", "AXe4", "a4xe5", "axdxe4", "bxe4"] {
            assert_eq!(ambiguities(text), [], "{text}");
        }
        assert_eq!(codes_of_warnings("axe4"), ["axeman-or-pawn"]);
    }

    /// Every transfer and spell to e4: two of them share a text only in the two families of the axeman and the pawn.
    #[test]
    fn no_other_texts_mean_two_things() {
        let units = Code::all().flat_map(|code| [0, 1].map(|level| Some(Unit { code, level })));
        let units: Vec<Option<Unit>> = units.chain([None]).collect();
        let some = |n: u8| (0..n).map(Some).chain([None]);
        let to = Square::new(4, 3).unwrap();
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut count = 0;
        for unit in units {
            for origin in some(8).flat_map(|file| some(8).map(move |rank| Origin { file, rank })) {
                let name = unit.map(|unit| unit.to_string()).unwrap_or_default();
                let signs = Manner::ALL.map(|manner| manner.sign().to_owned()).into_iter();
                let spells = Spell::ALL.map(|spell| spell.sign().to_string()).into_iter().chain(["#".into()]);
                let spells = spells.filter(|_| unit.is_some());
                for sign in signs.chain(spells) {
                    if unit.is_none() && !sign.is_empty() && origin.file.is_none() {
                        continue;
                    }
                    let text = format!("{name}{origin}{sign}{to}");
                    let meaning = format!("{name}|{origin}|{sign}");
                    texts.entry(text).or_default().push(meaning);
                    count += 1;
                }
            }
        }
        let shared: Vec<&str> =
            texts.iter().filter(|(_, meanings)| meanings.len() > 1).map(|(text, _)| text.as_str()).collect();
        assert_eq!(shared, ["axe4", "axxe4"]);
        assert!(count > 100_000);
        for text in texts.keys() {
            let reading = read_so_far(text);
            assert_eq!(reading.error, None, "{text}");
            assert_eq!(write(&reading.entries).unwrap(), format!("{text}\n"));
        }
    }

    use crate::notation::samples::Random;

    impl Random {
        fn unit(&mut self) -> Unit {
            let codes: Vec<Code> = Code::all().collect();
            Unit { code: codes[self.below(codes.len())], level: [0, 0, 1, 3][self.below(4)] }
        }

        fn square(&mut self) -> Square {
            Square::from_index(self.below(64) as u32)
        }

        fn squares(&mut self) -> Vec<Square> {
            (0..=self.below(3)).map(|_| self.square()).collect()
        }

        fn origin(&mut self) -> Origin {
            let mut some = || Some(self.below(12) as u8).filter(|&n| n < 8);
            Origin { file: some(), rank: some() }
        }

        fn transfer(&mut self, manner: Manner) -> Transfer {
            let unit = if self.below(3) == 0 { None } else { Some(self.unit()) };
            let mut origin = self.origin();
            if unit.is_none() && manner != Manner::Move {
                origin = Origin { file: Some(self.below(8) as u8), rank: Some(self.below(8) as u8) };
            }
            let change =
                (self.below(4) == 0).then(|| Change { enemy: self.below(2) == 0, into: Some(self.unit()) });
            let frozen = self.below(5) == 0;
            Transfer { unit, origin, manner, to: self.square(), change, frozen, slimes: Vec::new() }
        }

        fn capture(&mut self) -> Transfer {
            let manner = Manner::ALL[1 + self.below(4)];
            let slimes = if self.below(4) == 0 { self.squares() } else { Vec::new() };
            Transfer { slimes, ..self.transfer(manner) }
        }

        fn entry(&mut self) -> Entry {
            let main = match self.below(7) {
                0 | 1 => Move::Transfer(self.capture()),
                2 => Move::Transfer(self.transfer(Manner::Move)),
                3 => Move::Swap(self.transfer(Manner::Move), self.transfer(Manner::Move)),
                4 => Move::Spell {
                    unit: self.unit(),
                    origin: self.origin(),
                    spell: Spell::ALL[self.below(5)],
                    to: self.square(),
                },
                5 => Move::Freeze { unit: self.unit(), origin: self.origin(), squares: self.squares() },
                _ => Move::Recover {
                    level: self.below(3) as u32,
                    origin: self.origin(),
                    unit: Some(self.unit()),
                    to: self.square(),
                },
            };
            Entry { automatic: (self.below(4) == 0).then(|| self.capture()), main }
        }
    }

    #[test]
    fn written_entries_are_read_back() {
        let mut random = Random(3);
        for _ in 0..2000 {
            let entries: Vec<Entry> = (0..random.below(4)).map(|_| random.entry()).collect();
            let text = write(&entries).unwrap();
            assert_eq!(read(&text).as_ref(), Ok(&entries), "{text}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused() {
        const ALPHABET: &[u8] = b"abcdefgh12345678xx]/\\#%*>^~-=!,;+ \nslKNRGaxLSBB";
        let mut random = Random(11);
        for _ in 0..20_000 {
            let mut bytes = EXAMPLES[random.below(26)].0.as_bytes().to_vec();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len() + 1);
                match random.below(4) {
                    0 => bytes.insert(at, ALPHABET[random.below(ALPHABET.len())]),
                    1 => bytes.insert(at, random.below(256) as u8),
                    2 => bytes.extend_from_slice(EXAMPLES[random.below(26)].0.as_bytes()),
                    _ => bytes.truncate(at),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            let reading = read_so_far(&text);
            let spans =
                reading.error.iter().map(ReadError::span).chain(reading.warnings.iter().map(|w| w.span));
            for span in spans.chain(reading.spans.iter().copied()) {
                assert!(text.get(span.range()).is_some(), "{span:?} does not fit {text:?}");
            }
            // Whatever was read has a text of its own, unless it is the pawn's that has none.
            if let Ok(printed) = write(&reading.entries) {
                assert_eq!(read(&printed).as_ref(), Ok(&reading.entries), "{text:?} {printed:?}");
            } else {
                panic!("{text:?} was read and cannot be written");
            }
        }
    }

    #[test]
    fn reading_takes_time_in_proportion_to_the_text() {
        for piece in ["+", "a", "e4,", "CT#c3,", "x", "=sl=", "e4\n", "KNxe4;", " ", "KN+", "LS-", "-", "#e4"]
        {
            for head in ["", "CT#c3,", "KN", "KNxe3=sl=", "ZZ"] {
                let text = format!("{head}{}", piece.repeat((1 << 20) / piece.len()));
                let _ = read_so_far(&text);
            }
        }
    }
}
