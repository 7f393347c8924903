//! Reads a text into entries.

use super::table::{AXEMAN, LIFESTONE};
use super::{
    A_FILE, Ambiguity, Change, Code, Entries, Entry, Manner, Move, Names, Origin, SLIMES, Spell, Transfer,
    Unit,
};
use crate::notation::common::cursor::{Cursor, file_of, rank_of};
use crate::notation::common::{Issue, ParseError, Parsed, Span};
use crate::types::Square;

/// Reads `text` up to the first error.
pub(super) fn parse(text: &str) -> Parsed<Entries> {
    let mut parser =
        Parser { cursor: Cursor::new(text), said: Entries::default(), reading: Parsed::default() };
    parser.reading.error = parser.text().err();
    Parsed { value: Some(parser.said), ..parser.reading }
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    said: Entries,
    reading: Parsed<Entries>,
}

/// The spelling of a code to try.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Exact,
    /// No code, which means a pawn.
    Pawn,
    AnyCase,
}

/// A move up to its target.
enum Core {
    Transfer(Transfer),
    Spell { unit: Unit, origin: Origin, spell: Spell, to: Square },
    Freeze { unit: Unit, origin: Origin },
    Recover { level: u32, origin: Origin },
}

type Read<T> = Result<T, ParseError>;

impl Parser<'_> {
    fn text(&mut self) -> Read<()> {
        self.cursor.begin()?;
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
            self.said.entries.push(entry);
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
                    let issue = Issue::new(
                        "wrong-separator",
                        span,
                        "read as an automatic capture, which ends with `;`",
                    );
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
        if !active.slimes.is_empty() {
            return refused(
                Span::new(comma, comma + 1),
                "expected one more square, since a swap captures no giantslime",
            );
        }
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

    /// Records the ambiguity of a code that two units have.
    fn check_unit(&mut self, code: Code, start: usize) {
        if let Names::Either(names) = code.names() {
            let span = Span::new(start, start + code.text().len());
            let message = format!("`{code}` is the code of both {} and {}", names[0], names[1]);
            self.reading.warnings.push(Issue::new("ambiguous-unit", span, message));
            self.said.ambiguities.push((span, Ambiguity::Unit { code, names }));
        }
    }

    /// Records the ambiguity of an axeman's move that may be a pawn's.
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
        let message = "read as a capture by the axeman, but it may be one by a pawn of the a-file";
        let hint = "write a capture by the pawn with its rank, as `a4xb5`";
        self.reading.warnings.push(Issue::new("axeman-or-pawn", span, message).hint(hint));
        self.said.ambiguities.push((span, Ambiguity::AxemanOrPawn { axeman: transfer.clone(), pawn }));
    }

    /// The beginning of a move up to its target, in the first spelling that fits.
    fn core(&mut self) -> Read<Core> {
        let start = self.cursor.at;
        let mut furthest: Option<ParseError> = None;
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

    /// Like [`Parser::core`], in one spelling; `None` when there is no code in that spelling.
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
            // The letters and digits are the target square, perhaps after an origin.
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
                return Err(self.cursor.expected("missing-square", "a square, a1 to h8").malformed());
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
            let issue = Issue::new(
                "wrong-sign",
                self.cursor.span_here(),
                "read as a capture by magic, which is written `/`",
            );
            self.reading.warnings.push(issue);
        }
        self.cursor.at += transfer.manner.sign().len();
        transfer.to = self.square()?;
        Ok(Core::Transfer(transfer))
    }

    /// The text from `start` to here as an origin: a file, a rank, or both.
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
        let message = "expected the file, the rank or the square of the unit";
        Err(Issue::new("malformed-origin", self.cursor.span_from(start), message).malformed())
    }

    fn suffixes(&mut self, transfer: &mut Transfer) -> Read<()> {
        let enemy = self.cursor.rest().starts_with(b"!=");
        if enemy || self.cursor.peek() == Some(b'=') && !self.slimes_follow() {
            self.cursor.at += if enemy { 2 } else { 1 };
            transfer.change = Some(Change { enemy, into: Some(self.named_unit()?) });
        }
        // A `#` before a square is not a suffix.
        transfer.frozen = self.cursor.eat("#");
        if self.slimes_follow() {
            let start = self.cursor.at;
            self.cursor.at += SLIMES.len();
            let span = self.cursor.span_from(start);
            if span.of(self.cursor.text) != SLIMES {
                let message = format!("read as `{SLIMES}`");
                self.reading.warnings.push(Issue::new("wrong-case", span, message));
            }
            transfer.slimes = self.squares()?;
        }
        Ok(())
    }

    /// Whether the squares of slimes come next. In `=sl=sl=d1` they come later: first the unit itself becomes
    /// a slime.
    fn slimes_follow(&self) -> bool {
        let follow = |rest: &[u8]| {
            rest.get(..SLIMES.len()).is_some_and(|next| next.eq_ignore_ascii_case(SLIMES.as_bytes()))
        };
        let rest = self.cursor.rest();
        follow(rest) && !follow(&rest[SLIMES.len() - 1..])
    }

    /// Squares with commas between them. A comma before anything else is not read.
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

    /// A unit, which must stand here.
    fn named_unit(&mut self) -> Read<Unit> {
        let exact = self.unit(Spelling::Exact);
        exact.or_else(|| self.unit(Spelling::AnyCase)).ok_or_else(|| {
            let issue = self.cursor.expected("missing-unit", "the code of a unit");
            issue.hint("pawns have no code, so they cannot stand here").malformed()
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
            let message = format!("read as the code `{code}`");
            self.reading.warnings.push(Issue::new("wrong-case", self.cursor.span_from(start), message));
        }
        let pluses = self.cursor.at;
        self.cursor.skip_while(|byte| byte == b'+');
        Some(Unit { code, level: (self.cursor.at - pluses) as u32 })
    }
}
