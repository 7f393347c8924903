//! Tests: every example of the proposal, and properties of all texts.

use std::collections::{BTreeMap, HashSet};

use super::table::AXEMAN;
use super::*;
use crate::notation::common::ParseError;
use crate::notation::common::samples::Random;
use crate::types::Square;

fn read(text: &str) -> Result<Vec<Entry>, ParseError> {
    parse(text).into_result().map(|said| said.entries)
}

fn canonical(text: &str) -> String {
    write(&read(text).unwrap_or_else(|error| panic!("{text}: {error}"))).unwrap()
}

fn code(text: &str) -> Code {
    Code::new(text).unwrap()
}

fn codes_of_warnings(text: &str) -> Vec<&'static str> {
    parse(text).warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn the_table_is_that_of_the_proposal() {
    let listed = || UNITS.iter().filter(|unit| unit.group != Group::Unlisted);
    assert_eq!(listed().count(), 71);
    assert_eq!(listed().filter(|unit| unit.code.is_some()).count(), 69);
    let codes: HashSet<&str> = listed().filter_map(|unit| unit.code).collect();
    assert_eq!(codes.len(), 68);
    assert_eq!(codes.iter().filter(|code| code.bytes().all(|byte| byte.is_ascii_lowercase())).count(), 21);
    assert_eq!(codes.iter().filter(|code| code.bytes().all(|byte| byte.is_ascii_uppercase())).count(), 47);
    let folded: HashSet<String> = codes.iter().map(|code| code.to_ascii_lowercase()).collect();
    assert_eq!(folded.len(), codes.len());
    assert_eq!(Code::all().count(), 69);
    let shared: Vec<Code> = Code::all().filter(|code| matches!(code.names(), Names::Either(_))).collect();
    assert_eq!(shared, [code("RG")]);
    assert_eq!(code("RG").names(), Names::Either(["Ranger", "Royalguard"]));
    assert_eq!(code("BB").names(), Names::One("Bishop"));
    assert_eq!(Unit::new("RR++").map(|unit| (unit.level, unit.to_string())), Some((2, "RR++".to_owned())));
    assert_eq!([Unit::new("rr"), Unit::new("++"), Unit::new("R+R")], [None; 3]);
}

/// Every example of the proposal, in its order, with its canonical form.
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
        assert_eq!((error.issue.code, span.start, span.end), (code, start, end), "{text}");
        assert_eq!(error.class.name(), "malformed");
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
        parse(text).value.unwrap().ambiguities.into_iter().map(|(_, ambiguity)| ambiguity).collect()
    };
    let guard = Ambiguity::Unit { code: code("RG"), names: ["Ranger", "Royalguard"] };
    for text in ["RGe4", "RGxe4", "RG%e4", "RG#e4", "RG+]e4"] {
        assert_eq!(ambiguities(text), std::slice::from_ref(&guard), "{text}");
    }
    assert_eq!(ambiguities("RG/e4"), []);
    // Each at the code, wherever that stands.
    let text = "RGe4\nRGe5";
    let spans = parse(text).value.unwrap().ambiguities.into_iter().map(|(span, _)| span.range());
    assert_eq!(spans.collect::<Vec<_>>(), [0..2, 5..7]);
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

/// Every transfer and spell to e4: two of them share a text only for an axeman and a pawn, in two families.
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
        let reading = parse(text);
        assert_eq!(reading.error, None, "{text}");
        assert_eq!(write(&reading.value.as_ref().unwrap().entries).unwrap(), format!("{text}\n"));
    }
}

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
        let examples = EXAMPLES[random.below(26)].0.to_owned() + EXAMPLES[random.below(26)].0;
        let text = random.spoil(&[examples], ALPHABET);
        let reading = parse(&text);
        let spans = reading.error.iter().map(ParseError::span).chain(reading.warnings.iter().map(|w| w.span));
        for span in spans.chain(reading.spans.iter().copied()) {
            assert!(text.get(span.range()).is_some(), "{span:?} does not fit {text:?}");
        }
        // Every entry that was read can be written and read back, except for a pawn without a text.
        if let Ok(printed) = write(&reading.value.as_ref().unwrap().entries) {
            assert_eq!(
                read(&printed).as_ref(),
                Ok(&reading.value.as_ref().unwrap().entries),
                "{text:?} {printed:?}"
            );
        } else {
            panic!("{text:?} was read and cannot be written");
        }
    }
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    for piece in ["+", "a", "e4,", "CT#c3,", "x", "=sl=", "e4\n", "KNxe4;", " ", "KN+", "LS-", "-", "#e4"] {
        for head in ["", "CT#c3,", "KN", "KNxe3=sl=", "ZZ"] {
            let text = format!("{head}{}", piece.repeat((1 << 20) / piece.len()));
            let _ = parse(&text);
        }
    }
}
