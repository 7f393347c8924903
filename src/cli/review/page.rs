//! The review as an HTML page: boards to step through, the actions with what was found, and a graph of the scores.

use std::fmt::Write;

use super::super::export::pages::whole;
use super::{Arguments, Reviewed, text};
use worldlines::render::{Layout, Marks, Options, Sheet, escape};
use worldlines::review::{Finding, expectation, negated};
use worldlines::types::Color;

/// The columns of a picture: the latest ones.
const COLUMNS: u16 = 6;
/// The most boards in all pictures of a page; later positions are text only.
const MOST_BOARDS: usize = 30_000;
/// The size of the graph.
const GRAPH: (f64, f64) = (960.0, 120.0);

/// The page of these games.
pub fn page(games: &[Reviewed], arguments: &Arguments) -> String {
    let mut sheet = Sheet::new("p");
    let (mut figures, mut lists) = (String::new(), String::new());
    let (mut step, mut boards) = (0, 0);
    for (number, reviewed) in games.iter().enumerate() {
        let _ = write!(
            lists,
            "<section><h2>{}</h2><p class=\"about\">{}</p>{}{}<ol class=\"lines moves\">",
            escape(&reviewed.name),
            escape(&reviewed.heading()),
            sums(reviewed, arguments),
            graph(reviewed, number)
        );
        for index in 0..reviewed.positions.len() {
            let is_drawn = boards <= MOST_BOARDS;
            if is_drawn {
                step += 1;
                let before = index.checked_sub(1);
                let _ = write!(figures, "{}", figure(reviewed, step, before, &mut sheet, &mut boards));
            }
            let Some(before) = index.checked_sub(1) else { continue };
            let text = escape(&reviewed.short_text(before));
            let link = if is_drawn { format!("<a href=\"#s{step}\">{text}</a>") } else { text };
            let words: String = reviewed.review.findings[before]
                .iter()
                .filter(|finding| **finding != Finding::Forced)
                .map(|finding| {
                    let sentence = escape(&reviewed.sentence(before, finding));
                    let lines = lines(reviewed, before, finding);
                    format!(" <span class=\"found {}\">{sentence}</span>{lines}", finding.kind())
                })
                .collect();
            let _ = write!(lists, "<li><small>{}</small> {link}{words}</li>", reviewed.at(before).at);
        }
        lists.push_str("</ol></section>");
    }
    let title = escape(&title(games));
    let body = format!(
        "<main><h1>{title}</h1><details id=\"solution\" open><summary>Boards</summary>\
         <div class=\"stage\"><div class=\"controls\"><button id=\"prev\" type=\"button\" aria-label=\"Back\">◀</button>\
         <span id=\"count\" role=\"status\"></span><button id=\"next\" type=\"button\" aria-label=\"On\">▶</button></div>\
         <div class=\"steps\">{figures}</div></div></details>{lists}\
         <p class=\"about\">Mates are proved. Blunders, mistakes and inaccuracies are an engine's guess; scores are in pawns, for White; \
         {}.</p></main>",
        text::longest(arguments)
    );
    whole(&title, &sheet.definitions(), &body)
}

/// The title, which names the players of a game, or else its file.
fn title(games: &[Reviewed]) -> String {
    match games {
        [one] => format!("Review: {}", one.players().unwrap_or_else(|| one.name.clone())),
        _ => format!("Review of {} games", games.len()),
    }
}

/// The numbers of findings of each player, and the error that ended the reading.
fn sums(reviewed: &Reviewed, arguments: &Arguments) -> String {
    let told = text::Sums::of(reviewed).told(arguments).join("; ");
    let error =
        reviewed.error.as_ref().map_or(String::new(), |error| format!("<pre>{}</pre>", escape(error)));
    format!("<p>{told}</p>{error}")
}

/// The better line of a finding, and the one that punishes the action.
fn lines(reviewed: &Reviewed, index: usize, finding: &Finding) -> String {
    let lines = text::lines(reviewed, index, finding).into_iter();
    lines.map(|(what, line)| format!("<br><small>{what}: {}</small>", escape(&line))).collect()
}

/// The picture of a position, with the words about the action before it.
fn figure(
    reviewed: &Reviewed,
    step: usize,
    before: Option<usize>,
    sheet: &mut Sheet,
    boards: &mut usize,
) -> String {
    let position = &reviewed.positions[before.map_or(0, |before| before + 1)];
    let mut marks = Marks::default();
    let (mut caption, mut words) = ("Start".to_owned(), String::new());
    if let Some(before) = before {
        marks.made(&reviewed.positions[before], reviewed.game.actions[before].moves());
        caption = format!("{} {}", reviewed.at(before).at, escape(&reviewed.short_text(before)));
        for finding in &reviewed.review.findings[before] {
            let sentence = escape(&reviewed.sentence(before, finding));
            let lines = lines(reviewed, before, finding);
            let _ = write!(words, "<p class=\"comment found {}\">{sentence}</p>{lines}", finding.kind());
        }
    }
    marks.checks(&position.checks());
    let layout = Layout::new(position, &marks, Options { columns: Some(COLUMNS), ..Options::default() });
    *boards += layout.tiles.len();
    format!(
        "<figure id=\"s{step}\"><figcaption>{caption}</figcaption>{words}\
         <div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"{caption}\">{}</div></figure>",
        sheet.picture(&layout)
    )
}

/// The expected result of White at each position, as a line.
fn graph(reviewed: &Reviewed, number: usize) -> String {
    let (width, height) = GRAPH;
    let looks = &reviewed.review.looks;
    let step = width / looks.len().saturating_sub(1).max(1) as f64;
    let points = looks.iter().zip(&reviewed.positions).enumerate().filter_map(|(index, (look, position))| {
        let score = look.score?;
        let for_white = if position.to_move() == Color::White { score } else { negated(score) };
        let y = height * (1.0 - expectation(for_white) / 100.0);
        Some(format!("{:.1},{y:.1}", index as f64 * step))
    });
    let points: Vec<String> = points.collect();
    if points.len() < 2 {
        return String::new();
    }
    format!(
        "<svg class=\"graph\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"g{number}\">\
         <title id=\"g{number}\">The expected result of White, action by action</title>\
         <line x1=\"0\" y1=\"{0}\" x2=\"{width}\" y2=\"{0}\"/><polyline points=\"{1}\"/></svg>",
        height / 2.0,
        points.join(" ")
    )
}
