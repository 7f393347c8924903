//! A picture of a multiverse as PNG.
//!
//! It is the [SVG picture](super::svg()) in its light colours, whatever the system prefers. The only font is the one in
//! `src/render/font`, so that a PNG is the same on every machine. That font was made of DejaVu Sans with fonttools 4.x: for
//! the weights `Sans` and `Sans-Bold`
//!
//! ```text
//! pyftsubset DejaVuSans.ttf --unicodes=U+20-7E,U+2026 --no-hinting --layout-features=kern --name-IDs=0,1,2,3,4,6 --drop-tables+=FFTM,MATH,gasp
//! ```
//!
//! and then every name but the copyright was set to `Worldlines Sans`, since the licence wants changed fonts to have names
//! of their own.

use std::fmt;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

use super::layout::Layout;
use super::svg::svg;

/// The most pixels of a PNG.
pub const MOST_PIXELS: u32 = 25_000_000;
/// The most pixels of a side, for programs that cannot show more.
pub const LONGEST_SIDE: u32 = 16_384;
/// The most boards: the drawing of each piece takes memory before there is a pixel.
pub const MOST_BOARDS: usize = 2_500;

/// The longer side in pixels above which a picture is scaled down, and the smallest and the largest scale in pixels
/// per unit for pictures without a width, as far as the limits allow.
const LARGE: f64 = 4_000.0;
const SCALES: (f64, f64) = (0.5, 1.0);

const FONTS: [&[u8]; 2] =
    [include_bytes!("font/WorldlinesSans-Regular.ttf"), include_bytes!("font/WorldlinesSans-Bold.ttf")];

/// The reason why there is no PNG.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// It would have more than [`MOST_PIXELS`], or a side longer than [`LONGEST_SIDE`].
    Pixels {
        /// The width that was asked for.
        width: u32,
        /// The greatest width that this picture can have.
        widest: u32,
    },
    /// It would have more than [`MOST_BOARDS`].
    Boards(usize),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Pixels { width, widest } => write!(
                f,
                "a PNG {width} pixels wide is too large: this picture may be {widest} wide, since a PNG has at most \
                 {} million pixels and no side longer than {LONGEST_SIDE}",
                MOST_PIXELS / 1_000_000
            ),
            TooLarge::Boards(boards) => {
                write!(f, "a PNG with {boards} boards is too large: it has at most {MOST_BOARDS}")
            }
        }
    }
}

impl std::error::Error for TooLarge {}

/// A picture as a PNG file, so many pixels wide. Without a width, a square has 60 pixels, down to 30 in a
/// large picture, and less if it would be too large otherwise.
///
/// # Errors
///
/// Fails if the picture would be too large.
pub fn png(layout: &Layout, width: Option<u32>) -> Result<Vec<u8>, TooLarge> {
    let boards = layout.tiles.len();
    if boards > MOST_BOARDS {
        return Err(TooLarge::Boards(boards));
    }
    let (width, height) = size(layout, width)?;
    let mut fonts = Database::new();
    for font in FONTS {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("Worldlines Sans");
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    // Styles for dark backgrounds are in a rule `@media`, which usvg leaves out.
    let tree = Tree::from_str(&svg(layout), &options).expect("our pictures are SVG");
    let mut pixels = Pixmap::new(width, height).expect("the sides are positive and not too long");
    let scale =
        Transform::from_scale(width as f32 / tree.size().width(), height as f32 / tree.size().height());
    resvg::render(&tree, scale, &mut pixels.as_mut());
    Ok(pixels.encode_png().expect("the pixels are in memory"))
}

/// The sides of a picture in pixels.
fn size(layout: &Layout, width: Option<u32>) -> Result<(u32, u32), TooLarge> {
    let (across, down) = (f64::from(layout.width), f64::from(layout.height));
    let most = (f64::from(MOST_PIXELS) / (across * down)).sqrt();
    let scale = most.min(f64::from(LONGEST_SIDE) / across.max(down));
    let widest = (across * scale) as u32;
    let usual = (across * (LARGE / across.max(down)).clamp(SCALES.0, SCALES.1)) as u32;
    let width = width.unwrap_or(usual.min(widest));
    if width > widest {
        return Err(TooLarge::Pixels { width, widest });
    }
    let height = (f64::from(width) * down / across) as u32;
    Ok((width.max(1), height.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Marks, Options};
    use crate::state::Position;

    fn layout() -> Layout {
        Layout::new(&Position::default(), &Marks::default(), Options::default())
    }

    /// Pixels that are not the ground, in a part of a picture.
    fn drawn(pixels: &Pixmap, across: std::ops::Range<u32>, down: std::ops::Range<u32>) -> usize {
        let ground = pixels.pixel(0, 0);
        down.flat_map(|y| across.clone().map(move |x| (x, y)))
            .filter(|&(x, y)| pixels.pixel(x, y) != ground)
            .count()
    }

    #[test]
    fn a_png_is_the_picture_in_its_light_colours_with_its_words() {
        let layout = layout();
        let pixels = Pixmap::decode_png(&png(&layout, None).unwrap()).unwrap();
        assert_eq!(
            (pixels.width(), pixels.height()),
            (layout.width.unsigned_abs(), layout.height.unsigned_abs())
        );
        let ground = pixels.pixel(0, 0).unwrap().demultiply();
        assert_eq!((ground.red(), ground.green(), ground.blue(), ground.alpha()), (0xf6, 0xf5, 0xf1, 255));
        // The heading, and the label of the timeline: no font, no words.
        assert!(drawn(&pixels, 20..300, 10..60) > 500);
        assert!(drawn(&pixels, 20..120, 300..500) > 100);
        let half = Pixmap::decode_png(&png(&layout, Some(400)).unwrap()).unwrap();
        assert_eq!(half.width(), 400);
    }

    #[test]
    fn pictures_that_are_too_large_are_refused_and_scaled_down_without_a_width() {
        let mut layout = layout();
        for (width, height) in [(1_000, 500_000), (500_000, 1_000), (90_000, 90_000), (10_000, 5_000)] {
            (layout.width, layout.height) = (width, height);
            let (across, down) = size(&layout, None).unwrap();
            assert!(across.max(down) <= LONGEST_SIDE && across * down <= MOST_PIXELS, "{across} x {down}");
            let Err(TooLarge::Pixels { width, widest }) = size(&layout, Some(400_000)) else { panic!() };
            assert_eq!(width, 400_000);
            assert!(size(&layout, Some(widest)).is_ok() && size(&layout, Some(widest + 1)).is_err());
        }
        layout.tiles = vec![layout.tiles[0].clone(); MOST_BOARDS + 1];
        assert_eq!(png(&layout, Some(10)), Err(TooLarge::Boards(MOST_BOARDS + 1)));
    }
}
