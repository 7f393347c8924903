//! The units of the proposal and their codes.

use std::fmt::{self, Write};

/// The groups in which the proposal lists its units, without names.
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
    /// A unit in an example that is not listed.
    Unlisted,
}

/// A unit of the proposal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnitName {
    /// The name, as the proposal writes it.
    pub name: &'static str,
    /// The code. Pawns have none, and a portal is never named.
    pub code: Option<&'static str>,
    /// The list that contains the unit.
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

/// The meaning of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// One unit.
    One(&'static str),
    /// One of two units with the same code.
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

    /// The code with exactly this text.
    pub fn new(text: &str) -> Option<Code> {
        UNITS.iter().filter_map(|unit| unit.code).find(|code| *code == text).map(Code)
    }

    /// The code with this text in any case.
    pub(super) fn in_any_case(text: &str) -> Option<Code> {
        UNITS.iter().filter_map(|unit| unit.code).find(|code| code.eq_ignore_ascii_case(text)).map(Code)
    }

    /// The code as it is written.
    pub const fn text(self) -> &'static str {
        self.0
    }

    /// The unit or units with this code.
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
    /// The code of the unit.
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

pub(super) const LIFESTONE: Code = Code("LS");
pub(super) const AXEMAN: Code = Code("ax");
