//! A picture of a multiverse as SVG.
//!
//! All styles are classes, with colours for light and for dark backgrounds. Equal ranks of pieces are written
//! once, so that a multiverse of hundreds of boards stays small.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::arrow::SHAFT;
use super::escape::escape;
use super::geometry::SQUARE;
use super::layout::{Duty, FRAME, LEGEND_ROW, Layout, Tile};
use super::legend::{LegendEntry, legend};
use super::marks::ArrowKind;
use super::pieces::drawing;
use crate::types::{Color, Piece, PieceKind};

/// The style sheet of the pictures, for a page with several.
pub const STYLE: &str = include_str!("style.css");

/// The width in pixels above which a picture is scaled down.
const WIDEST: f64 = 1000.0;
/// The smallest and the largest initial scale, in pixels per unit.
const SCALES: (f64, f64) = (0.36, 0.75);

/// A picture as a complete file.
pub fn svg(layout: &Layout) -> String {
    let mut sheet = Sheet::new("");
    let inside = sheet.inside(layout);
    let mut out = opening(layout, "xmlns=\"http://www.w3.org/2000/svg\" ");
    let _ = writeln!(out, "<style>{STYLE}</style><defs>{}</defs>{inside}</svg>", sheet.definitions());
    out
}

/// The opening tag, with the initial size of the picture.
fn opening(layout: &Layout, more: &str) -> String {
    let scale = (WIDEST / f64::from(layout.width)).clamp(SCALES.0, SCALES.1);
    let size = |length: i32| (f64::from(length) * scale).round();
    let about = escape(&layout.describe());
    format!(
        "<svg {more}class=\"wl\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{about}\"><title>{about}</title>",
        layout.width,
        layout.height,
        size(layout.width),
        size(layout.height)
    )
}

/// Several pictures of one page, which share their definitions.
#[derive(Debug)]
pub struct Sheet {
    prefix: &'static str,
    /// Ranks of pieces, as letters and dots, with their numbers.
    ranks: BTreeMap<String, usize>,
    /// The empty boards that are needed.
    empty: BTreeSet<Empty>,
}

/// A board without pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Empty {
    width: u8,
    height: u8,
    flipped: bool,
    color: char,
    active: bool,
}

impl Empty {
    fn of(layout: &Layout, tile: &Tile) -> Empty {
        Empty {
            width: layout.size.width(),
            height: layout.size.height(),
            flipped: layout.flipped,
            color: tile.at.color().letter(),
            active: tile.active,
        }
    }

    fn name(self) -> String {
        let Empty { width, height, flipped, color, active } = self;
        let (turned, off) = (if flipped { "f" } else { "" }, if active { "" } else { "o" });
        format!("s{width}x{height}{color}{turned}{off}")
    }
}

impl Sheet {
    /// A sheet without pictures. The names of its definitions begin with `prefix`.
    pub fn new(prefix: &'static str) -> Sheet {
        Sheet { prefix, ranks: BTreeMap::new(), empty: BTreeSet::new() }
    }

    /// A picture for a page that has [`STYLE`] and the [definitions](Sheet::definitions). Its variable `--least`
    /// is the width below which squares are too small to read.
    pub fn picture(&mut self, layout: &Layout) -> String {
        let inside = self.inside(layout);
        let least = (f64::from(layout.width) * SCALES.0).round();
        format!("{}{inside}</svg>", opening(layout, &format!("style=\"--least:{least}px\" ")))
    }

    /// The legend of a picture, for a list in a page: a small picture of each piece, and the words about it.
    pub fn legend(&mut self, layout: &Layout) -> Vec<(String, &'static str)> {
        let picture = |LegendEntry { piece, words }| {
            let name = self.name(piece.letter());
            let svg = format!(
                "<svg class=\"wl\" viewBox=\"0 0 {SQUARE} {SQUARE}\" aria-hidden=\"true\"><use href=\"#{name}\"/></svg>"
            );
            (svg, words)
        };
        legend(layout.tiles.iter().flat_map(Tile::kinds)).into_iter().map(picture).collect()
    }

    /// The definitions for the pictures made so far: the content of `<defs>`.
    pub fn definitions(&self) -> String {
        let prefix = self.prefix;
        let mut out = String::new();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece { color, kind };
                if self.ranks.keys().any(|rank| rank.contains(piece.letter())) {
                    self.piece(piece, &mut out);
                }
            }
        }
        for (rank, number) in &self.ranks {
            let _ = write!(out, "<g id=\"{prefix}r{number}\">");
            for (column, letter) in rank.chars().enumerate().filter(|(_, letter)| *letter != '.') {
                let _ = write!(out, "<use href=\"#{}\"", self.name(letter));
                if column > 0 {
                    let _ = write!(out, " x=\"{}\"", column * SQUARE as usize);
                }
                out.push_str("/>");
            }
            out.push_str("</g>");
        }
        for empty in &self.empty {
            self.board(empty, &mut out);
        }
        out
    }

    fn name(&self, letter: char) -> String {
        let color = if letter.is_ascii_uppercase() { 'w' } else { 'b' };
        format!("{}{color}{}", self.prefix, letter.to_ascii_uppercase())
    }

    fn piece(&self, piece: Piece, out: &mut String) {
        let drawing = drawing(piece.kind);
        let class = if piece.color == Color::White { "wl-pw" } else { "wl-pb" };
        let name = self.name(piece.letter());
        let _ = write!(
            out,
            "<g id=\"{name}\" class=\"{class}\"><path d=\"{}\"/><path class=\"wl-pl\" d=\"{}\"/>",
            drawing.body, drawing.lines
        );
        if let Some((x, y, radius)) = drawing.eye {
            let tenths = |length: i32| format!("{}.{}", length / 10, length % 10);
            let _ = write!(
                out,
                "<circle class=\"wl-pe\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                tenths(x),
                tenths(y),
                tenths(radius)
            );
        }
        out.push_str("</g>");
    }

    /// Writes an empty board: its squares, and the names of files and ranks.
    fn board(&self, empty: &Empty, out: &mut String) {
        let &Empty { width, height, flipped, color, .. } = empty;
        let (width, height) = (i32::from(width), i32::from(height));
        let (name, prefix) = (empty.name(), self.prefix);
        let mut dark = String::new();
        let mut names = String::new();
        for row in 0..height {
            let rank = if flipped { row } else { height - 1 - row };
            for column in 0..width {
                let file = if flipped { width - 1 - column } else { column };
                if (file + rank) % 2 == 0 {
                    let _ = write!(dark, "M{} {}h60v60h-60z", column * SQUARE, row * SQUARE);
                }
            }
            let _ = write!(
                names,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                -FRAME / 2,
                row * SQUARE + SQUARE / 2 + 6,
                rank + 1
            );
        }
        for column in 0..width {
            let file = if flipped { width - 1 - column } else { column };
            let letter = char::from(b'a' + u8::try_from(file).unwrap_or(0));
            let (x, y) = (column * SQUARE + SQUARE / 2, height * SQUARE + FRAME - 6);
            let _ = write!(names, "<text x=\"{x}\" y=\"{y}\">{letter}</text>");
        }
        let _ = write!(
            out,
            "<g id=\"{prefix}{name}\" class=\"wl-{color}{}\"><rect class=\"wl-sl\" width=\"{}\" height=\"{}\"/><path class=\"wl-sd\" d=\"{dark}\"/>{names}</g>",
            if empty.active { "" } else { " wl-off" },
            width * SQUARE,
            height * SQUARE
        );
    }

    fn inside(&mut self, layout: &Layout) -> String {
        let mut out = String::new();
        let area = layout.present_area;
        let _ = write!(
            out,
            "<rect class=\"ground\" width=\"{}\" height=\"{}\"/><text class=\"head\" x=\"28\" y=\"46\">{} to move{}</text>",
            layout.width,
            layout.height,
            layout.to_move.name(),
            layout
                .left_out_words()
                .map_or(String::new(), |words| format!("<tspan class=\"cut\" dx=\"28\">{words}</tspan>"))
        );
        let _ = write!(
            out,
            "<rect class=\"present\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"18\"/><text class=\"now\" x=\"{}\" y=\"{}\">present {}</text>",
            area.x,
            area.y,
            area.width,
            area.height,
            area.x + area.width / 2,
            area.y + 38,
            layout.present
        );
        for row in &layout.rows {
            let class = if row.active { "line" } else { "line off" };
            let _ = write!(out, "<path class=\"{class}\" d=\"{}\"/>", row.path);
        }
        for row in &layout.rows {
            let (x, y) = (row.label_at.x, row.label_at.y);
            let _ =
                write!(out, "<text class=\"row\" x=\"{x}\" y=\"{}\">{}</text>", y + 16, escape(&row.label));
            if !row.active {
                let _ = write!(out, "<text class=\"still\" x=\"{x}\" y=\"{}\">inactive</text>", y + 50);
            }
        }
        for tile in &layout.tiles {
            self.tile(layout, tile, &mut out);
        }
        for drawn in &layout.arrows {
            let class = match drawn.arrow.kind {
                ArrowKind::Made => "made",
                ArrowKind::Check => "check",
                ArrowKind::Planned => "plan",
            };
            let (shaft, head) = (&drawn.shape.shaft, &drawn.shape.head);
            let _ = write!(
                out,
                "<g class=\"arrow {class}\"><path d=\"{shaft}\" stroke-width=\"{SHAFT}\"/><path class=\"tip\" d=\"{head}\"/></g>"
            );
        }
        self.write_legend(layout, &mut out);
        out
    }

    fn write_legend(&mut self, layout: &Layout, out: &mut String) {
        let (x, mut y) = (layout.legend_at.x, layout.legend_at.y);
        for LegendEntry { piece, words } in &layout.legend {
            let name = self.name(piece.letter());
            let (right, middle) = (x + SQUARE + 16, y + SQUARE / 2 + 11);
            let _ = write!(
                out,
                "<use href=\"#{name}\" x=\"{x}\" y=\"{y}\"/><text class=\"name\" x=\"{right}\" y=\"{middle}\">{words}</text>"
            );
            y += LEGEND_ROW;
        }
    }

    fn tile(&mut self, layout: &Layout, tile: &Tile, out: &mut String) {
        let empty = Empty::of(layout, tile);
        let name = empty.name();
        self.empty.insert(empty);
        let prefix = self.prefix;
        let (x, y, width, height) = (tile.area.x, tile.area.y, tile.area.width, tile.area.height);
        let label = escape(&tile.label);
        let color = tile.at.color().letter();
        let active = if tile.active { "" } else { " off" };
        let (mark, duty) = match tile.duty {
            Duty::Must => ("must", ", must be played"),
            Duty::May => ("may", ", may be played"),
            Duty::None => ("", ""),
        };
        let _ = write!(
            out,
            "<g class=\"tile {color}{active}\" transform=\"translate({x} {y})\" data-board=\"{label}\"><title>{label}{duty}</title>"
        );
        let frame = |by: i32| {
            format!("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", -by, -by, width + 2 * by, height + 2 * by)
        };
        if !mark.is_empty() {
            let _ = write!(out, "<rect class=\"{mark}\" {} rx=\"14\"/>", frame(FRAME + 5));
        }
        let _ =
            write!(out, "<rect class=\"frame\" {} rx=\"8\"/><use href=\"#{prefix}{name}\"/>", frame(FRAME));
        for (squares, class) in [(&tile.touched, "touched"), (&tile.threatened, "danger")] {
            for &square in squares {
                let area = layout.square(tile, square);
                let _ = write!(
                    out,
                    "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>",
                    area.x - x,
                    area.y - y
                );
            }
        }
        for (row, rank) in ranks(layout, tile).into_iter().enumerate() {
            if rank.chars().all(|letter| letter == '.') {
                continue;
            }
            let next = self.ranks.len();
            let number = *self.ranks.entry(rank).or_insert(next);
            let _ = write!(out, "<use href=\"#{prefix}r{number}\"");
            if row > 0 {
                let _ = write!(out, " y=\"{}\"", row * SQUARE as usize);
            }
            out.push_str("/>");
        }
        let _ = write!(out, "<text class=\"name\" x=\"{}\" y=\"{}\">{label}</text></g>", -FRAME, -FRAME - 14);
    }
}

/// The ranks of a board as they are seen, from top to bottom.
fn ranks(layout: &Layout, tile: &Tile) -> Vec<String> {
    let (width, height) = (usize::from(layout.size.width()), usize::from(layout.size.height()));
    let mut rows = vec![vec!['.'; width]; height];
    for &(square, piece) in &tile.pieces {
        let area = layout.square(tile, square);
        let cell = |from: i32, to: i32| usize::try_from((to - from) / SQUARE).unwrap_or(0);
        let place =
            rows.get_mut(cell(tile.area.y, area.y)).and_then(|row| row.get_mut(cell(tile.area.x, area.x)));
        if let Some(place) = place {
            *place = piece.letter();
        }
    }
    rows.into_iter().map(|row| row.into_iter().collect()).collect()
}
