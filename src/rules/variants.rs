//! The start positions that have a name: the 45 of the game and some that the community plays (`spec/07-variants.md`).

use std::sync::LazyLock;

use crate::spelling::edit_distance;
use crate::state::{Board, Position, Setup};
use crate::types::{BoardCoordinate, Color, Parity, RuleProfile};

/// The certainty that a variant has the boards of the original game, whose data are not published.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// A second independent source or a recorded game confirms them.
    Confirmed,
    /// One list gives them, and no source contradicts it.
    OneSource,
    /// Sources differ in part.
    PartlyDisputed,
    /// Sources contradict each other.
    Disputed,
}

/// A start position with a name.
#[derive(Debug)]
pub struct Variant {
    /// The name as headers write it, such as `Standard - Turn Zero`.
    pub name: &'static str,
    /// The number in the protocol of the original game; `None` when only the community plays it.
    pub id: Option<u8>,
    /// The certainty of its boards. For a variant in doubt, the boards that other sources give form a variant
    /// of their own, whose name ends in `Alt`.
    pub confidence: Confidence,
    boards: &'static [Start],
}

/// A board of a start position: timeline, turn, player to move and pieces.
type Start = (i16, i16, Color, &'static str);

impl Variant {
    /// Its boards, under the default rules.
    pub fn setup(&self) -> Setup {
        let boards: Vec<(BoardCoordinate, Board)> = self
            .boards
            .iter()
            .map(|&(timeline, turn, color, rows)| {
                let board = Board::from_rows(rows, None).expect("the boards of the table are valid");
                (BoardCoordinate::new(timeline, turn, color), board)
            })
            .collect();
        let size = boards[0].1.size();
        Setup { size, parity: self.parity(), profile: RuleProfile::default(), boards }
    }

    fn parity(&self) -> Parity {
        // A start has -0 and +0, which are timelines -1 and 0, or is symmetric around 0.
        let (lowest, highest) = self
            .boards
            .iter()
            .fold((0, 0), |(low, high), &(timeline, ..)| (low.min(timeline), high.max(timeline)));
        if lowest == -highest { Parity::Odd } else { Parity::Even }
    }
}

/// The start of the standard game.
impl Default for Position {
    fn default() -> Position {
        Position::from_setup(&VARIANTS[0].setup()).expect("variants are positions")
    }
}

/// The variant with this name.
///
/// Case, spaces and punctuation do not matter, the heading of the game's menu may be left out (`Turn Zero`)
/// or added (`Misc - Small`), and spellings that are common in recorded games are known.
pub fn by_name(name: &str) -> Option<&'static Variant> {
    let wanted: String = letters(&[name]).collect();
    // A spelling that two variants share means the first of them.
    VARIANTS.iter().find(|variant| spellings(variant).any(|parts| letters(&parts).eq(wanted.chars())))
}

/// The variant with this number in the protocol of the original game. 34 stands for a random one and has no boards.
pub fn by_id(id: u8) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.id == Some(id))
}

/// The variant that starts with exactly these boards, whatever the rules in force.
pub fn by_setup(setup: &Setup) -> Option<&'static Variant> {
    // Writers call this for every game, so the table is read only once.
    static SORTED: LazyLock<Vec<Setup>> =
        LazyLock::new(|| VARIANTS.iter().map(|variant| sorted(&variant.setup())).collect());
    // Most positions are no start position: a comparison of board counts avoids sorting them.
    if !VARIANTS.iter().any(|variant| variant.boards.len() == setup.boards.len()) {
        return None;
    }
    let setup = sorted(setup);
    let is_same = |other: &Setup| {
        other.size == setup.size && other.parity == setup.parity && other.boards == setup.boards
    };
    SORTED.iter().position(is_same).map(|index| &VARIANTS[index])
}

/// The setup with its boards sorted by timeline and time.
fn sorted(setup: &Setup) -> Setup {
    let mut setup = setup.clone();
    setup.boards.sort_by_key(|(at, _)| *at);
    setup
}

/// The variant whose name is most like this one, for a name that [`by_name`] does not know; `None` when none is close.
pub fn closest(name: &str) -> Option<&'static Variant> {
    let wanted: String = letters(&[name]).collect();
    let close = wanted.len() / 3;
    if wanted.len() > LONGEST_NAME {
        return None;
    }
    let far = |parts: [&str; 2]| edit_distance(&wanted, &letters(&parts).collect::<String>());
    let distance = |variant: &&Variant| spellings(variant).map(far).min();
    VARIANTS.iter().min_by_key(distance).filter(|variant| distance(variant) <= Some(close))
}

/// Names longer than this are not compared.
const LONGEST_NAME: usize = 64;

/// The form in which names are compared: only letters and digits, without case.
fn letters(parts: &[&str]) -> impl Iterator<Item = char> {
    parts
        .iter()
        .flat_map(|part| part.chars())
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
}

/// Every way to write the name of a variant: a heading, which may be empty, and a title.
fn spellings(variant: &Variant) -> impl Iterator<Item = [&str; 2]> {
    let (heading, title) = match variant.name.split_once(" - ") {
        Some((heading, title)) if HEADINGS.contains(&heading) => (heading, title),
        // The menu shows names without a heading of their own under this one.
        _ => ("Misc", variant.name),
    };
    let other =
        OTHER_SPELLINGS.iter().filter(move |(_, of)| *of == variant.name).map(|(spelling, _)| *spelling);
    std::iter::once(title).chain(other).flat_map(move |title| [["", title], [heading, title]])
}

/// The headings of the menu that do not distinguish boards. `Small` and `Checkmate Practice` do, so they are
/// not listed.
const HEADINGS: [&str; 4] = ["Standard", "Simple", "Focused", "Misc"];

/// Spellings found in recorded games, and the name that is meant.
const OTHER_SPELLINGS: [(&str, &str); 4] = [
    ("Two Timeline", "Standard - Two Timelines"),
    ("Knights vs. Bishop", "Simple - Knights vs. Bishops"),
    ("Timeline Tactitian", "Misc - Timeline Tactician"),
    ("Timeline Battlegrounds", "Misc - Timeline Battleground"),
];

const fn white(timeline: i16, rows: &'static str) -> Start {
    (timeline, 1, Color::White, rows)
}

const fn black(timeline: i16, turn: i16, rows: &'static str) -> Start {
    (timeline, turn, Color::Black, rows)
}

const fn official(id: u8, name: &'static str, confidence: Confidence, boards: &'static [Start]) -> Variant {
    Variant { name, id: Some(id), confidence, boards }
}

const fn community(name: &'static str, boards: &'static [Start]) -> Variant {
    Variant { name, id: None, confidence: OneSource, boards }
}

/// The boards that a variant in doubt has according to others.
const fn alternative(name: &'static str, boards: &'static [Start]) -> Variant {
    Variant { name, id: None, confidence: Disputed, boards }
}

const STANDARD: &str = "r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*";
const BRAWNS: &str = "r*nbqk*bnr*/w*w*w*w*w*w*w*w*/8/8/8/8/W*W*W*W*W*W*W*W*/R*NBQK*BNR*";
const ROYALTY_BELOW: &str = "r*nbycbnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*";
const ROYALTY_ABOVE: &str = "r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBYCBNR*";

use Confidence::{Confirmed, Disputed, OneSource, PartlyDisputed};

/// All variants in the order of the game's menu, then those of the community, then the alternative boards of
/// those in doubt.
#[rustfmt::skip]
pub static VARIANTS: [Variant; 60] = [
    official(1, "Standard", Confirmed, &[white(0, STANDARD)]),
    official(35, "Standard - Turn Zero", Confirmed, &[black(0, 0, STANDARD), white(0, STANDARD)]),
    official(36, "Standard - Two Timelines", Confirmed, &[white(-1, STANDARD), white(0, STANDARD)]),
    official(37, "Standard - Defended Pawn", Confirmed, &[white(0, "r*qbnk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*QBNK*BNR*")]),
    official(28, "Standard - Half Reflected", Confirmed, &[white(0, "r*nbk*qbnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*")]),
    official(38, "Standard - Princess", Confirmed, &[white(0, "r*nbsk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBSK*BNR*")]),
    official(39, "Standard - Reversed Royalty", Confirmed, &[white(0, "r*nbycbnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBYCBNR*")]),
    official(2, "Simple - No Knights", OneSource, &[white(0, "r*bqk*br*/p*p*p*p*p*p*/6/6/P*P*P*P*P*P*/R*BQK*BR*")]),
    official(3, "Simple - No Bishops", OneSource, &[white(0, "r*nqk*nr*/p*p*p*p*p*p*/6/6/P*P*P*P*P*P*/R*NQK*NR*")]),
    official(4, "Simple - No Rooks", OneSource, &[white(0, "nbqk*bn/p*p*p*p*p*p*/6/6/P*P*P*P*P*P*/NBQK*BN")]),
    official(5, "Simple - No Queens", Confirmed, &[white(0, "r*nbk*nbr*/p*p*p*p*p*p*p*/7/7/7/P*P*P*P*P*P*P*/R*NBK*NBR*")]),
    official(6, "Simple - Knights vs. Bishops", OneSource, &[white(0, "r*bqk*br*/p*p*p*p*p*p*/6/6/P*P*P*P*P*P*/R*NQK*NR*")]),
    official(45, "Simple - Simple Set", OneSource, &[white(0, "r*nbqk*r*/p*p*p*p*p*p*/6/6/P*P*P*P*P*P*/R*K*QBNR*")]),
    official(21, "Small", Confirmed, &[white(0, "k*qbnr*/p*p*p*p*p*/5/P*P*P*P*P*/K*QBNR*")]),
    official(22, "Small - Flipped", OneSource, &[white(0, "nbr*qk*/p*p*p*p*p*/5/P*P*P*P*P*/K*QR*BN")]),
    official(23, "Small - Centered", OneSource, &[white(0, "r*nk*qr*/p*p*p*p*p*/5/P*P*P*P*P*/R*QK*NR*")]),
    official(24, "Small - Open", OneSource, &[white(0, "p*r*nbk*/3p*p*/5/P*P*3/K*BNR*P*")]),
    official(25, "Very Small", PartlyDisputed, &[white(0, "nbr*k*/p*p*p*p*/P*P*P*P*/K*R*BN")]),
    official(26, "Very Small - Open", Confirmed, &[white(0, "nbr*k*/3p*/P*3/K*R*BN")]),
    official(7, "Focused - Just Knights", OneSource, &[white(0, "n1k*n1/5/5/5/1NK*1N")]),
    official(8, "Focused - Just Bishops", OneSource, &[white(0, "1bbk*1/5/5/5/1K*BB1")]),
    official(9, "Focused - Just Rooks", OneSource, &[white(0, "1r*k*1r*/5/5/5/R*1K*R*1")]),
    official(10, "Focused - Just Queens", OneSource, &[white(0, "1q1k*2/6/6/6/6/2K*1Q1")]),
    official(11, "Focused - Just Pawns", Confirmed, &[white(0, "p*p*p*p*k*/5/5/5/K*P*P*P*P*")]),
    official(12, "Focused - Just Kings", Confirmed, &[white(0, "2k*/3/K*2")]),
    official(13, "Focused - Just Unicorns", OneSource, &[white(0, "1u1uk*/5/5/5/K*U1U1")]),
    official(14, "Focused - Just Dragons", OneSource, &[white(0, "2ddk*/5/5/5/K*DD2")]),
    official(43, "Focused - Just Brawns", Confirmed, &[white(0, "w*w*w*w*k*/5/5/5/K*W*W*W*W*")]),
    official(15, "Misc - Timeline Invasion", Confirmed, &[white(-1, "nbk*r*b/p*p*p*p*p*/5/5/P*P*P*P*P*"), white(0, "p*p*p*p*p*/5/5/P*P*P*P*P*/NBK*R*B")]),
    official(18, "Misc - Timeline Formations", OneSource, &[white(-1, "p*p*p*p*p*/5/5/5/2K*2"), white(0, "2k*2/5/5/5/P*P*P*P*P*")]),
    official(16, "Misc - Timeline Tactician", OneSource, &[white(-1, "k*bnr*/p*p*p*p*/4/4"), white(0, "4/4/P*P*P*P*/K*BNR*")]),
    official(17, "Misc - Timeline Strategos", OneSource, &[white(-1, "nbk*ur*/p*p*p*p*p*/5/5/5"), white(0, "5/5/5/P*P*P*P*P*/R*UK*BN")]),
    official(19, "Misc - Timeline Battleground", Confirmed, &[white(-1, "r*r*k*r*r*/bbqbb/p*p*p*p*p*/5/P*P*P*P*P*"), white(0, "nnnnn/p*p*p*p*p*/5/P*P*P*P*P*/NNNNN"), white(1, "p*p*p*p*p*/5/P*P*P*P*P*/BBQBB/R*R*K*R*R*")]),
    official(40, "Misc - Timeline Skirmish", OneSource, &[white(-1, "3r*k*/3p*p*/5/BB3/NN3"), white(0, "3nn/3bb/5/P*P*3/K*R*3")]),
    official(46, "Misc - Timeline Fragments", PartlyDisputed, &[black(-1, 1, "k*p*p*p*/4/4/NBR*U"), white(0, "nbr*u/4/4/K*P*P*P*")]),
    official(44, "Misc - Timeline Marauders", OneSource, &[white(-1, "w*r*k*r*w*/1w*w*w*1/5/5/5"), white(0, "w*1w*1w*/5/5/5/W*1W*1W*"), white(1, "5/5/5/1W*W*W*1/W*R*K*R*W*")]),
    official(27, "Misc - Excessive", OneSource, &[white(0, "k*r*uqdr*k*/r*nbk*nbr*/p*p*p*p*p*p*p*/7/P*P*P*P*P*P*P*/R*NBK*NBR*/K*R*UQDR*K*")]),
    official(41, "Misc - King of Kings", OneSource, &[white(0, "cck*cc/5/5/5/CCK*CC")]),
    official(42, "Misc - Royal Queen Showdown", OneSource, &[white(0, "4y1/6/6/6/6/1Y4")]),
    official(20, "Misc - Global Warming", OneSource, &[white(0, "1")]),
    official(29, "Checkmate Practice - Knight", PartlyDisputed, &[white(0, "5n/6/6/6/6/K*5")]),
    official(30, "Checkmate Practice - Bishop", Disputed, &[white(0, "4b1/6/6/6/6/K*5")]),
    official(31, "Checkmate Practice - Rook", OneSource, &[white(0, "5r*/6/6/6/6/K*5")]),
    official(32, "Checkmate Practice - Queen", Disputed, &[white(0, "4q1/6/6/6/6/K*5")]),
    official(33, "Checkmate Practice - Pawns", OneSource, &[white(0, "2p*p*p*1/6/6/6/6/3K*2")]),
    community("Standard - Brawns", &[white(0, BRAWNS)]),
    community("Standard - Turn Zero - Brawns", &[black(0, 0, BRAWNS), white(0, BRAWNS)]),
    community("Standard - Staggered Timelines", &[black(-1, 1, STANDARD), white(0, STANDARD)]),
    community("Standard - Staggered Timelines - Brawns", &[black(-1, 1, BRAWNS), white(0, BRAWNS)]),
    community("Standard - Double Royalty", &[white(0, "r*nbyk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBYK*BNR*")]),
    community("Standard - Defended Pawn - Alt", &[white(0, "r*nbqk*nbr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*NBR*")]),
    community("Standard - Royalty War", &[black(-1, 0, ROYALTY_BELOW), white(-1, ROYALTY_BELOW), black(0, 0, ROYALTY_ABOVE), white(0, ROYALTY_ABOVE)]),
    alternative("Very Small - Alt", &[white(0, "k*r*bn/p*p*p*p*/P*P*P*P*/K*R*BN")]),
    alternative("Very Small - Alt 2", &[white(0, "nbr*k*/p*p*p*p*/P*P*P*P*/NBR*K*")]),
    alternative("Misc - Timeline Fragments - Alt", &[white(-1, "nbr*u/4/4/K*P*P*P*"), black(0, 1, "k*p*p*p*/4/4/NBR*U")]),
    alternative("Checkmate Practice - Knight - Alt", &[white(0, "k*5/6/6/6/6/5N")]),
    alternative("Checkmate Practice - Bishop - Alt", &[white(0, "4k*1/6/6/6/6/B5")]),
    alternative("Checkmate Practice - Rook - Alt", &[white(0, "k*5/6/6/6/6/5R*")]),
    alternative("Checkmate Practice - Queen - Alt", &[white(0, "1k*4/6/6/6/6/5Q")]),
    alternative("Checkmate Practice - Pawns - Alt", &[white(0, "3k*2/6/6/6/6/2P*P*P*1")]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::HalfTurn;

    #[test]
    fn every_variant_is_a_position_in_which_white_begins() {
        for variant in &VARIANTS {
            let position = Position::from_setup(&variant.setup()).unwrap();
            assert_eq!(position.present(), HalfTurn::new(1, Color::White), "{}", variant.name);
            assert_eq!(by_setup(&variant.setup()).unwrap().name, variant.name);
        }
        let ids: Vec<u8> = (1..=46).filter(|&id| by_id(id).is_some()).collect();
        assert_eq!(ids, (1..=46).filter(|&id| id != 34).collect::<Vec<u8>>());
    }

    /// The number of legal first actions, on which independent programs agree, reveals a slip in the boards.
    #[test]
    fn first_actions_are_as_many_as_elsewhere() {
        let counts: [(u8, u64); 45] = [
            (1, 20),
            (2, 12),
            (3, 16),
            (4, 14),
            (5, 18),
            (6, 16),
            (7, 9),
            (8, 12),
            (9, 12),
            (10, 15),
            (11, 10),
            (12, 2),
            (13, 2),
            (14, 2),
            (15, 231),
            (16, 12),
            (17, 19),
            (18, 107),
            (19, 3571),
            (20, 0),
            (21, 7),
            (22, 6),
            (23, 7),
            (24, 15),
            (25, 7),
            (26, 9),
            (27, 11),
            (28, 20),
            (29, 3),
            (30, 2),
            (31, 3),
            (32, 2),
            (33, 5),
            (35, 20),
            (36, 484),
            (37, 20),
            (38, 20),
            (39, 20),
            (40, 102),
            (41, 13),
            (42, 9),
            (43, 10),
            (44, 120),
            (45, 14),
            (46, 7),
        ];
        for (id, count) in counts {
            let variant = by_id(id).unwrap();
            let position = Position::from_setup(&variant.setup()).unwrap();
            assert_eq!(position.count_legal_actions(10_000).count, count, "{}", variant.name);
        }
    }

    #[test]
    fn no_spelling_means_two_variants() {
        for variant in &VARIANTS {
            for spelling in spellings(variant) {
                let spelling = spelling.join(" - ");
                assert_eq!(by_name(&spelling).unwrap().name, variant.name, "{spelling}");
            }
            assert_eq!(by_name(variant.name).unwrap().name, variant.name);
        }
    }

    #[test]
    fn names_of_recorded_games_are_found() {
        for (spelling, name) in [
            ("standard", "Standard"),
            ("Standard-Turn Zero", "Standard - Turn Zero"),
            ("turn_zero", "Standard - Turn Zero"),
            ("half_reflected", "Standard - Half Reflected"),
            ("Misc - Small", "Small"),
            ("No Queens", "Simple - No Queens"),
            ("Simple - Knights vs. Bishop", "Simple - Knights vs. Bishops"),
            ("Misc - Timeline Tactitian", "Misc - Timeline Tactician"),
            ("Focused-Just Brawns", "Focused - Just Brawns"),
            ("Staggered Timelines", "Standard - Staggered Timelines"),
        ] {
            assert_eq!(by_name(spelling).map(|v| v.name), Some(name), "{spelling}");
        }
        for unknown in ["", "custom", "Random", "Open", "Knight"] {
            assert!(by_name(unknown).is_none(), "{unknown}");
        }
    }

    #[test]
    fn misspelt_names_are_recognised() {
        assert_eq!(closest("Timeline Invsion").unwrap().name, "Misc - Timeline Invasion");
        assert_eq!(closest("Standrad").unwrap().name, "Standard");
        assert!(closest("Chess960").is_none());
        assert!(closest("").is_none());
    }

    #[test]
    fn every_variant_in_doubt_has_an_alternative() {
        for variant in VARIANTS.iter().filter(|v| v.id.is_some() && v.confidence > OneSource) {
            let other = by_name(&format!("{} - Alt", variant.name)).unwrap();
            assert_ne!(other.boards, variant.boards, "{}", variant.name);
        }
    }

    #[test]
    fn parity_is_even_exactly_with_two_start_timelines() {
        for variant in &VARIANTS {
            let mut timelines: Vec<i16> = variant.boards.iter().map(|start| start.0).collect();
            timelines.dedup();
            let even = variant.parity() == Parity::Even;
            assert_eq!(even, timelines.len() == 2, "{}", variant.name);
        }
    }
}
