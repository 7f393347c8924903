//! A game as a picture: well-formed, every board once, arrows between squares, and no text that is not escaped.

use std::collections::BTreeSet;

use arbitrary::{Result, Unstructured};
use roxmltree::Document;
use worldlines::notation::{Game, printable};
use worldlines::render::{Layout, Marks, Options, Sheet, escape, svg};

use super::{Case, game_of, noted};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 600);

/// A game, options for drawing it, and an arbitrary text about it.
struct Pictures {
    game: Game,
    options: Options,
    text: String,
}

impl Case for Pictures {
    fn shown(&self) -> String {
        format!("{:?} {:?}\n{}", self.options, self.text, self.game.shown())
    }
}

fn run(bytes: &[u8]) -> Result<()> {
    let case = noted(case(bytes)?)?;
    check(&case, svg, escape);
    Ok(())
}

fn case(bytes: &[u8]) -> Result<Pictures> {
    let game = game_of(bytes, |u| u.arbitrary())?;
    let mut u = Unstructured::new(bytes);
    let options = Options {
        flipped: u.arbitrary()?,
        columns: u.arbitrary()?,
        crop: u.arbitrary()?,
        legend: u.arbitrary()?,
    };
    Ok(Pictures { game, options, text: u.arbitrary()? })
}

fn check(case: &Pictures, draw: fn(&Layout) -> String, write: fn(&str) -> String) {
    let position = case.game.end();
    let mut marks = Marks::of_game(&case.game);
    marks.checks(&position.checks());
    let arrows = marks.arrows.len();
    let layout = Layout::new(&position, &marks, case.options);
    let picture = draw(&layout);
    let document = Document::parse(&picture)
        .unwrap_or_else(|error| panic!("no XML: {error}\n{picture}\n{}", case.shown()));
    let boards: Vec<&str> =
        document.descendants().filter_map(|element| element.attribute("data-board")).collect();
    let unique: BTreeSet<&str> = boards.iter().copied().collect();
    assert_eq!(unique.len(), boards.len(), "a board is there twice: {}", case.shown());
    if case.options.columns.is_none() {
        if !case.options.crop {
            assert_eq!(boards.len(), position.multiverse().count(), "a board is missing: {}", case.shown());
        }
        assert_eq!(layout.arrows.len(), arrows, "an arrow is missing: {}", case.shown());
    }
    let ids: BTreeSet<&str> = document.descendants().filter_map(|element| element.attribute("id")).collect();
    for used in document.descendants().filter_map(|element| element.attribute("href")) {
        assert!(ids.contains(&used[1..]), "{used} is not defined: {}", case.shown());
    }
    for drawn in &layout.arrows {
        for (end, square) in
            [(drawn.shape.from, drawn.arrow.from.square), (drawn.shape.to, drawn.arrow.to.square)]
        {
            let on = layout.tiles.iter().any(|tile| layout.square(tile, square).middle() == end);
            assert!(on, "an arrow ends beside its square: {}", case.shown());
        }
    }
    let page = format!("<p title=\"{0}\">{0}</p>", write(&case.text));
    let page = Document::parse(&page).unwrap_or_else(|error| panic!("no XML: {error}\n{}", case.shown()));
    assert_eq!(page.root_element().text().unwrap_or_default(), clean(&case.text), "{}", case.shown());
    // The pictures of a page share no name with two meanings.
    let mut sheet = Sheet::new("p");
    let both = sheet.picture(&layout) + &sheet.picture(&layout);
    let page = format!("<div><svg><defs>{}</defs></svg>{both}</div>", sheet.definitions());
    assert!(Document::parse(&page).is_ok(), "no XML: {page}\n{}", case.shown());
}

/// A text as it is shown.
fn clean(text: &str) -> String {
    printable(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;
    use crate::targets::game_notations::example;

    #[test]
    fn what_is_wrong_is_flagged() {
        let game = example(|u| u.arbitrary());
        let case = Pictures { game, options: Options::default(), text: "a < b & \"c\"".to_owned() };
        check(&case, svg, escape);
        let unescaped: fn(&str) -> String = |text| text.to_owned();
        assert!(flags(|| check(&case, svg, unescaped)));
        let unclosed: fn(&Layout) -> String = |layout| svg(layout).replacen("</g>", "", 1);
        assert!(flags(|| check(&case, unclosed, escape)));
        let repeated: fn(&Layout) -> String = |layout| {
            let picture = svg(layout);
            let at = picture.find("<g class=\"tile").expect("a board");
            let end = at + picture[at..].find("</g>").expect("its end") + 4;
            format!("{}{}{}", &picture[..end], &picture[at..end], &picture[end..])
        };
        assert!(flags(|| check(&case, repeated, escape)));
    }
}
