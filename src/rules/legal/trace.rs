//! Test builds write down what the search does, for the page that explains it (`spec/legal-actions.md`).
//!
//! The blocks of that page in the language `trace` begin with boards. Below them stand the stages, points, slices and blocks in
//! the order in which the search meets them. `the_page_shows_what_the_search_does` compares, and `BLESS=1` writes them anew.

use std::ops::Range;
use std::{env, fs};

use super::axis::{Axis, Value};
use super::cuboid::{Draft, ones};
use super::point::Choice;
use super::search::{Event, Search};
use super::space::{Scope, Space, Stage};
use crate::notation::fen5d;
use crate::types::{BoardCoordinate, Limit, Square};

impl Search<'_> {
    /// Writes down what the search has just done, if somebody wants to read it.
    pub(super) fn record(&mut self, event: Event) {
        if self.trace.is_none() {
            return;
        }
        let lines = match event {
            Event::Stage => self.stage_lines(),
            Event::Banned => self.banned_lines(),
            Event::Point { is_legal } => self.point_lines(is_legal),
            Event::DeadEnd => vec!["nothing pairs off".to_owned()],
            Event::Slice(draft) => self.slice_lines(draft),
            Event::Split => vec!["split".to_owned()],
            Event::Block => self.block_lines(),
        };
        self.trace.iter_mut().for_each(|trace| trace.extend(lines.iter().cloned()));
    }

    /// A stage, with the values of its axes.
    fn stage_lines(&self) -> Vec<String> {
        let stage = self.stage.expect("a stage begins");
        let values = self.axes().map(|words| (words.clone(), self.walk.values(&words)));
        self.listed(format!("stage {stage:?}"), values)
    }

    /// The values that are banned before the first point.
    fn banned_lines(&self) -> Vec<String> {
        let banned = self.axes().map(|words| (words.clone(), self.walk.banned(&words)));
        self.listed("banned".to_owned(), banned)
    }

    /// The point that was picked.
    fn point_lines(&self, is_legal: bool) -> Vec<String> {
        let Search { space, point, .. } = self;
        let values = (0..space.axes.len()).map(|index| match point.choices[index] {
            Choice::Pass => "pass".to_owned(),
            _ => value_text(space, &space.axes[index], space.bit_of(point, index)),
        });
        let branches = point.branches.iter().map(|&jump| jump_text(space, jump));
        let point = values.chain(branches).collect::<Vec<_>>().join(" | ");
        vec![format!("point {point}: {}", if is_legal { "legal" } else { "illegal" })]
    }

    /// A slice of illegal points, cut down to the current cuboid.
    fn slice_lines(&self, slice: Draft) -> Vec<String> {
        let sets: Vec<(Range<usize>, Vec<u64>)> = self
            .walk
            .draft_sets(slice)
            .map(|(start, set)| {
                let words = start..start + set.len();
                let alive = self.walk.values(&words).iter().zip(set).map(|(word, set)| word & set);
                (words, alive.collect())
            })
            .collect();
        let name = if sets.len() == 1 { "slice, banned" } else { "slice, cut" };
        self.listed(name.to_owned(), sets.iter().map(|(words, set)| (words.clone(), &**set)))
    }

    /// A block of legal points, with the values of the current cuboid.
    fn block_lines(&self) -> Vec<String> {
        let count = self.block.count().expect("a small number");
        let values = self.axes().map(|words| (words.clone(), self.walk.values(&words)));
        let actions = if count == 1 { "action" } else { "actions" };
        self.listed(format!("block of {count} {actions}"), values)
    }

    /// The words of the axes, those of new timelines last.
    fn axes(&self) -> impl Iterator<Item = Range<usize>> {
        let created = self.stage.map_or(0, Stage::branches);
        let play = self.space.axes.iter().map(|axis| axis.words.clone());
        play.chain((0..created).map(|n| self.space.creation_axis(n)))
    }

    /// A line with a name, and one for each axis that has some of these values.
    fn listed<'s>(&self, name: String, sets: impl Iterator<Item = (Range<usize>, &'s [u64])>) -> Vec<String> {
        let lines = sets.filter(|(_, set)| set.iter().any(|&word| word != 0));
        std::iter::once(name).chain(lines.map(|(words, set)| self.axis_line(&words, set))).collect()
    }

    /// An axis and some of its values: `  (0T1) pass Ka1a2`.
    fn axis_line(&self, words: &Range<usize>, set: &[u64]) -> String {
        let space = &self.space;
        let bits = 0..64 * set.len();
        match space.axes.iter().find(|axis| axis.words == *words) {
            Some(axis) => {
                let values = ones(set, bits).map(|bit| format!(" {}", value_text(space, axis, bit)));
                format!("  {}{}", board_text(axis.at), values.collect::<String>())
            }
            None => {
                let n = (0..).find(|&n| space.creation_axis(n) == *words).expect("a new timeline");
                let jumps = ones(set, bits).map(|jump| format!(" {}", jump_text(space, jump)));
                format!("  new {}{}", space.creation_timeline(n).0, jumps.collect::<String>())
            }
        }
    }
}

/// `(0T1)`.
fn board_text(at: BoardCoordinate) -> String {
    format!("({}T{})", at.timeline.0, at.half_turn.turn())
}

/// The letter of a piece, which a pawn has none of, and its square.
fn piece_text(axis: &Axis<'_>, from: Square) -> String {
    let letter = axis.board.get(from).map_or('?', |piece| piece.kind.letter());
    format!("{}{from}", if letter == 'P' { String::new() } else { letter.to_string() })
}

/// A value: `pass`, a move as `Ka1a2`, a departure as `Ka1>`, an arrival as `>b2`.
fn value_text(space: &Space<'_>, axis: &Axis<'_>, bit: usize) -> String {
    match axis.value(bit) {
        Value::Depart(square) => format!("{}>", piece_text(axis, square)),
        Value::Pass => "pass".to_owned(),
        Value::Move(_) => {
            let made = space.physical(axis, bit).made;
            format!("{}{}", piece_text(axis, made.from), made.to)
        }
        Value::Arrive(_) => {
            let pooled = &space.pool[space.arrival(axis, bit)];
            format!(">{}", pooled.jump.to)
        }
    }
}

/// A jump with its target: `Ka1>(0T1)b2`.
fn jump_text(space: &Space<'_>, jump: usize) -> String {
    let pooled = &space.pool[jump];
    let from = piece_text(&space.axes[pooled.source()], pooled.jump.from);
    format!("{from}>{}{}", board_text(pooled.jump.to_board), pooled.jump.to)
}

/// The lines of a search for all legal actions, and their number.
fn trace_of(boards: &str) -> String {
    let position = fen5d::parse(boards).into_result().expect("the boards of the page");
    let mut search = Search::new(&position, Scope::All);
    search.trace = Some(Vec::new());
    let mut count = 0;
    while search.next_block(Limit::NONE).expect("no limit") {
        count += search.block.count().expect("a small number");
    }
    assert_eq!(count, position.legal_actions().count() as u64);
    let lines = search.trace.unwrap_or_default();
    format!("{}\n{count} legal actions\n", lines.join("\n"))
}

/// The page with the steps of each search.
fn traced(page: &str) -> String {
    let (text, blocks) = page.split_once("```trace\n").expect("a block");
    let mut traced = text.to_owned();
    for part in blocks.split("```trace\n") {
        let (block, rest) = part.split_once("```").expect("the end of the block");
        let (boards, _) = block.split_once("\n\n").expect("an empty line after the boards");
        traced += &format!("```trace\n{boards}\n\n{}```{rest}", trace_of(boards));
    }
    traced
}

#[test]
fn the_page_shows_what_the_search_does() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/spec/legal-actions.md");
    let page = fs::read_to_string(path).expect("the page").replace("\r\n", "\n");
    let traced = traced(&page);
    if env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(path, traced).expect("the page");
        return;
    }
    let changed = traced.lines().zip(page.lines()).find(|(now, told)| now != told);
    assert!(
        page == traced,
        "{changed:?}: the search does something else; run BLESS=1 cargo test --lib legal::trace"
    );
}

#[test]
fn a_page_that_tells_another_search_is_noticed() {
    let boards = "[4/4/1r2/P1P1:0:1:w]\n[4/3p/4/1K2:1:1:w]";
    let page = format!("```trace\n{boards}\n\n{}```\n", trace_of(boards));
    assert_eq!(traced(&page), page);
    assert_eq!(traced(&page.replace("block of 8", "block of 9")), page);
}
