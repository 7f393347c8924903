//! The HTML pages of puzzles.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::super::page::{self, PICTURE_STYLE};
use worldlines::notation::pgn5d;
use worldlines::puzzle::{Document, Finding, Goal, Puzzle, Reply, Resolved, STALEMATE, Spanned, unmoved};
use worldlines::render::{Layout, Marks, Options, STYLE, Sheet, escape};
use worldlines::search::after_null_action;
use worldlines::state::Position;
use worldlines::types::{Action, Color, Coordinate};

/// The most pictures on a page; further lines are shown as text.
const MOST_PICTURES: usize = 150;

/// A page, and its entry in the list.
pub struct Page {
    definitions: String,
    body: String,
    pub card: Card,
}

impl Page {
    /// The text of the page, with a link to the page that comes after it.
    pub fn html(&self, next: Option<&Card>) -> String {
        let next = next.map_or(String::new(), |next| {
            let (file, title) = (escape(&next.file()), &next.title);
            format!("<p class=\"next\"><a href=\"{file}\" rel=\"next\">Next: {title}</a></p>")
        });
        let Page { definitions, body, card } = self;
        let body = format!("<main data-id=\"{}\">{body}{next}</main>", escape(&card.id));
        with_script(&card.title, definitions, &body, &format!("{SOLVED_SCRIPT}{PAGE_SCRIPT}{TRY_SCRIPT}"))
    }
}

/// The entry of a puzzle in the list.
pub struct Card {
    id: String,
    title: String,
    goal: String,
    collection: String,
    pub themes: Vec<String>,
    /// From 1 to 5, or 0 if the puzzle does not say.
    difficulty: u32,
    /// The place in the course, in words, for a lesson.
    lesson: String,
    picture: String,
    definitions: String,
}

impl Card {
    /// The name of the page.
    pub fn file(&self) -> String {
        format!("{}.html", self.id)
    }
}

/// A line of actions from the start, with a remark about it.
struct Line {
    actions: Vec<Action>,
    note: String,
}

/// The page of a puzzle; if the puzzle cannot be read, its findings.
pub fn page(document: &Document) -> Result<Page, Vec<Finding>> {
    let puzzle = document.puzzle.as_ref().map_err(Clone::clone)?;
    if let Some(repeated) = &document.repeated_id {
        return Err(vec![repeated.finding.clone()]);
    }
    let resolved = Resolved::of(document)?;
    let start = &resolved.start;
    let options = Options { flipped: start.to_move() == Color::Black, ..Options::default() };
    let mut marks = Marks::of_game(&resolved.game);
    marks.checks(&start.checks());
    let mut sheet = Sheet::new("p");
    let layout = Layout::new(start, &marks, options);
    let first = sheet.picture(&layout);
    let legend = page::legend(&mut sheet, &layout);
    let mut stage = Stage {
        sheet,
        options,
        start,
        comments: comments(&resolved),
        shown: BTreeMap::new(),
        figures: String::new(),
    };
    let lines = [
        stage.list("Solution", "ol", &solutions(&resolved), Kind::Right),
        stage.list("After each defence", "ul", &replies(&resolved), Kind::Right),
        stage.list("If it were the opponent's turn", "ul", &set_play(&resolved), Kind::Right),
        stage.list("Tries and what refutes them", "ul", &tries(&resolved), Kind::Wrong),
    ];
    let Stage { sheet, figures, .. } = stage;

    let card = card(document, puzzle, start, options);
    let Card { title, goal, lesson, .. } = &card;
    let teaching = puzzle.lesson.as_ref().map_or(String::new(), |taught| {
        format!("<p class=\"lesson\">{lesson}</p><p>{}</p>", escaped(&taught.value.text))
    });
    let point = puzzle.point.as_ref();
    let point = point.map_or(String::new(), |point| format!("<p class=\"point\">{}</p>", escaped(point)));
    let themes = card.themes.iter().map(|theme| format!("<span class=\"theme\">{}</span>", escape(theme)));
    let unmoved = unmoved(puzzle, start)
        .map_or(String::new(), |it| format!("<p class=\"unmoved\">{}</p>", escape(&it.to_string())));
    let size = start.size();
    let is_for_both = matches!(puzzle.goal.value, Goal::HelpmateIn(_));
    // Themes tell too much to those who have not found the solution.
    let body = format!(
        "<p class=\"up\"><a href=\"index.html\">All puzzles</a></p><h1>{title}</h1>{teaching}\
         <p class=\"goal\">{goal}</p>{unmoved}<div id=\"board\" class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"Position\" data-size=\"{size}\" \
         data-flipped=\"{}\" data-both=\"{is_for_both}\">{first}</div>{TRY}{legend}\
         {}{}\
         <details id=\"solution\"><summary>Solution</summary>{point}<p>{}</p><p class=\"about\">{}</p>\
         <button id=\"solved\" class=\"js-only\" type=\"button\" aria-pressed=\"false\">I found it</button>\
         <div class=\"stage\"><div class=\"controls\"><button id=\"prev\" type=\"button\" aria-label=\"Back\">◀</button>\
         <span id=\"count\" role=\"status\"></span><button id=\"next\" type=\"button\" aria-label=\"On\">▶</button></div>\
         <div class=\"steps\">{figures}</div></div>{}</details>",
        options.flipped,
        about(puzzle),
        hints(puzzle),
        themes.collect::<String>(),
        source(puzzle),
        lines.concat(),
    );
    Ok(Page { definitions: sheet.definitions(), body, card })
}

fn escaped(text: &Spanned<String>) -> String {
    escape(&text.value)
}

/// The entry of a puzzle in the list.
fn card(document: &Document, puzzle: &Puzzle, start: &Position, options: Options) -> Card {
    let lesson = puzzle.lesson.as_ref().map_or(String::new(), |taught| {
        format!("Lesson {}: {}", taught.value.number.value, escaped(&taught.value.chapter))
    });
    // A sheet of its own gives the parts of this picture names that differ from those of the next puzzle.
    let mut sheet = Sheet::new("p");
    let picture =
        sheet.picture(&Layout::new(start, &Marks::default(), Options { columns: Some(6), ..options }));
    Card {
        id: document.id.clone(),
        title: escaped(&puzzle.title),
        goal: goal(puzzle, start.to_move()),
        collection: document.collection().to_owned(),
        themes: puzzle.themes.iter().map(|theme| theme.value.clone()).collect(),
        difficulty: puzzle.difficulty.as_ref().map_or(0, |grade| grade.value),
        lesson,
        picture,
        definitions: sheet.definitions(),
    }
}

/// The source of a puzzle, its difficulty and its date.
/// Facts that may be known before the solution. Where a puzzle comes from may not: the command that composed it names what it shows.
fn about(puzzle: &Puzzle) -> String {
    let author = puzzle.source.author.as_ref().map(escaped);
    let difficulty = puzzle.difficulty.as_ref().map(|grade| format!("difficulty {} of 5", grade.value));
    let date = puzzle.date.as_ref().map(escaped);
    let facts: Vec<String> = [author, difficulty, date].into_iter().flatten().collect();
    if facts.is_empty() { String::new() } else { format!("<p class=\"about\">{}</p>", facts.join(", ")) }
}

fn source(puzzle: &Puzzle) -> String {
    let mut source = escaped(&puzzle.source.from);
    let is_link = |url: &str| url.starts_with("https://") || url.starts_with("http://");
    if let Some(url) = puzzle.source.url.as_ref().filter(|url| is_link(&url.value)) {
        let _ = write!(source, ", <a href=\"{0}\">{0}</a>", escaped(url));
    }
    source
}

fn hints(puzzle: &Puzzle) -> String {
    let mut hints = String::new();
    for (number, hint) in (1..).zip(&puzzle.hints) {
        let _ = write!(
            hints,
            "<details class=\"hint\"><summary>Hint {number}</summary><p>{}</p></details>",
            escaped(hint)
        );
    }
    hints
}

/// The goal in words.
fn goal(puzzle: &Puzzle, mover: Color) -> String {
    let mover = mover.name();
    match &puzzle.goal.value {
        Goal::MateIn(count) => format!("{mover} to move and mate in {}", count.value),
        Goal::NoMateIn(count) => format!("Has {mover}, to move, no mate in {}?", count.value),
        Goal::HelpmateIn(count) => {
            format!("Helpmate in {}: {mover} begins, helps, and is mated", count.value)
        }
        Goal::SelfmateIn(count) => {
            format!("Selfmate in {}: {mover} to move and be mated by force", count.value)
        }
        Goal::Survive(count) => format!("{mover} to move and not be mated in {}", count.value),
        Goal::OnlyDefence(count) => {
            format!("{mover} to move: the only action that is not mated in {}", count.value)
        }
        _ => format!("{mover} to move: how does the game stand?"),
    }
}

fn solutions(resolved: &Resolved<'_>) -> Vec<Line> {
    let line = |actions: &Vec<Action>| Line { actions: actions.clone(), note: String::new() };
    resolved.solutions.iter().map(line).collect()
}

fn replies(resolved: &Resolved<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let only = resolved.puzzle.solutions.first().and_then(|line| line.value.first());
    for row in &resolved.puzzle.replies {
        let Some(key) = row.value.key.as_ref().or(only) else { continue };
        if let Some(key) = resolved.action(&resolved.start, key) {
            follow(resolved, &row.value, &[key], &mut lines);
        }
    }
    lines
}

/// The lines of a row of the table of replies, and of the rows within it.
fn follow(resolved: &Resolved<'_>, row: &Reply, before: &[Action], lines: &mut Vec<Line>) {
    let position = resolved.after(before);
    let defence = row.defence.as_ref().and_then(|defence| resolved.action(&position, defence));
    let Some(defence) = defence else {
        let who = if row.class.is_some() { "a class of defences" } else { "every other defence" };
        let note = format!("{who}: {}", escape(&row.answer.value));
        lines.push(Line { actions: before.to_vec(), note });
        return;
    };
    let mut actions = [before, &[defence]].concat();
    let Some(answer) = resolved.action(&resolved.after(&actions), &row.answer) else { return };
    actions.push(answer);
    if row.replies.is_empty() {
        lines.push(Line { actions, note: String::new() });
        return;
    }
    for inner in &row.replies {
        follow(resolved, &inner.value, &actions, lines);
    }
}

/// The lines of the set play, which begin with the opponent.
fn set_play(resolved: &Resolved<'_>) -> Vec<Line> {
    let Some(passed) = after_null_action(&resolved.start) else { return Vec::new() };
    let legal = resolved.puzzle.set_play.iter().filter(|line| resolved.line(&passed, &line.value).is_some());
    let written = legal.map(|line| {
        let texts: Vec<String> = line.value.iter().map(|text| escape(&text.value)).collect();
        Line { actions: Vec::new(), note: texts.join(" ") }
    });
    written.collect()
}

fn tries(resolved: &Resolved<'_>) -> Vec<Line> {
    let Some(tries) = &resolved.puzzle.tries else { return Vec::new() };
    let mut lines = Vec::new();
    for (text, refutation) in &tries.value.rows.0 {
        let Some(action) = resolved.action(&resolved.start, text) else { continue };
        let tried = resolved.after(std::slice::from_ref(&action));
        if refutation.reply.value == STALEMATE {
            lines.push(Line { actions: vec![action], note: "stalemate".to_owned() });
        } else if let Some(reply) = resolved.action(&tried, &refutation.reply) {
            lines.push(Line { actions: vec![action, reply], note: String::new() });
        }
    }
    for class in &tries.value.classes {
        let note = format!(
            "a class of {} boards: {}",
            class.value.class.value.0.len(),
            escape(&class.value.reply.value)
        );
        lines.push(Line { actions: Vec::new(), note });
    }
    if !tries.value.otherwise.is_empty() {
        let replies: Vec<String> = tries.value.otherwise.iter().map(|reply| escape(&reply.value)).collect();
        lines.push(Line {
            actions: Vec::new(),
            note: format!("every other action: {}", replies.join(" or ")),
        });
    }
    lines
}

/// The comments of the puzzle, by the actions from the start to the place of the comment.
fn comments(resolved: &Resolved<'_>) -> BTreeMap<Vec<Action>, String> {
    let said = resolved.puzzle.comments.iter().filter_map(|comment| {
        let actions = resolved.line(&resolved.start, &comment.value.after)?;
        Some((actions, escape(&comment.value.text.value)))
    });
    said.collect()
}

/// Whether a line is a solution.
#[derive(Clone, Copy)]
enum Kind {
    Right,
    Wrong,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Right => "right",
            Kind::Wrong => "wrong",
        }
    }
}

/// The squares of each move of an action, as somebody who clicks names them: `(0T1w)e7(0T1w)e8=Q`.
fn clicked(before: &Position, action: &Action) -> String {
    let square = |at: Coordinate| {
        let label = before.parity().label(at.board.timeline);
        format!("({label}{}){}", at.board.half_turn, at.square)
    };
    let moves = action.moves().iter().map(|m| {
        let promotion = m.promotion.map_or(String::new(), |kind| format!("={}", kind.letter()));
        format!("{}{}{promotion}", square(m.from), square(m.to))
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// The pictures of the positions in the lines, each position once.
struct Stage<'a> {
    sheet: Sheet,
    options: Options,
    start: &'a Position,
    comments: BTreeMap<Vec<Action>, String>,
    shown: BTreeMap<Vec<Action>, usize>,
    figures: String,
}

impl Stage<'_> {
    /// A list of lines under a heading; nothing without lines.
    fn list(&mut self, heading: &str, tag: &str, lines: &[Line], kind: Kind) -> String {
        if lines.is_empty() {
            return String::new();
        }
        let items: String = lines.iter().map(|line| format!("<li>{}</li>", self.line(line, kind))).collect();
        format!("<h2>{heading}</h2><{tag} class=\"lines\">{items}</{tag}>")
    }

    /// A line as links to its pictures.
    fn line(&mut self, line: &Line, kind: Kind) -> String {
        let mut out = String::new();
        let mut position = self.start.clone();
        for (index, action) in line.actions.iter().enumerate() {
            let text = escape(&pgn5d::action_text(&position, action));
            let before = position.clone();
            if position.play(action).is_err() {
                break;
            }
            let number = self.picture(&line.actions[..=index], kind, &before, &position, &text);
            match number {
                Some(number) => {
                    let _ = write!(out, "<a href=\"#s{number}\">{text}</a> ");
                }
                None => {
                    let _ = write!(out, "<span>{text}</span> ");
                }
            }
        }
        out + &line.note
    }

    fn picture(
        &mut self,
        actions: &[Action],
        kind: Kind,
        before: &Position,
        after: &Position,
        text: &str,
    ) -> Option<usize> {
        if let Some(number) = self.shown.get(actions) {
            return Some(*number);
        }
        let number = self.shown.len() + 1;
        if number > MOST_PICTURES {
            return None;
        }
        self.shown.insert(actions.to_vec(), number);
        let (last, earlier) = actions.split_last()?;
        let parent = self.shown.get(earlier).copied().unwrap_or(0);
        let mut marks = Marks::default();
        marks.made(before, last.moves());
        marks.checks(&after.checks());
        let picture = self.sheet.picture(&Layout::new(after, &marks, self.options));
        let depth = actions.len().div_ceil(2);
        let dots = if actions.len().is_multiple_of(2) { " …" } else { "" };
        let comment = self
            .comments
            .get(actions)
            .map_or(String::new(), |text| format!("<p class=\"comment\">{text}</p>"));
        let _ = write!(
            self.figures,
            "<figure id=\"s{number}\" data-after=\"{parent}\" data-kind=\"{}\" data-moves=\"{}\"><figcaption>{depth}.{dots} {text}</figcaption><div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"After {text}\">{picture}</div>{comment}</figure>",
            kind.name(),
            clicked(before, last)
        );
        Some(number)
    }
}

/// The page that lists all puzzles.
pub fn index(cards: &[Card]) -> String {
    let goals: BTreeSet<&str> = cards.iter().map(|card| card.goal.as_str()).collect();
    let themes: BTreeSet<&str> =
        cards.iter().flat_map(|card| card.themes.iter().map(String::as_str)).collect();
    let collections: BTreeSet<&str> = cards.iter().map(|card| card.collection.as_str()).collect();
    let grades = cards.iter().map(|card| card.difficulty).filter(|&grade| grade > 0);
    let difficulties: BTreeSet<String> = grades.map(|grade| grade.to_string()).collect();
    let options = |values: &BTreeSet<&str>| {
        values.iter().map(|value| format!("<option>{}</option>", escape(value))).collect::<String>()
    };
    let mut list = String::new();
    for (number, card) in cards.iter().enumerate() {
        let (id, title, goal) = (escape(&card.id), &card.title, escape(&card.goal));
        // Each picture of the list has its own names of parts.
        let picture = card.picture.replace("href=\"#p", &format!("href=\"#c{number}-"));
        let parts = card
            .definitions
            .replace("href=\"#p", &format!("href=\"#c{number}-"))
            .replace(" id=\"p", &format!(" id=\"c{number}-"));
        let picture = picture.replacen("</title>", &format!("</title><defs>{parts}</defs>"), 1);
        let all = card.themes.iter().map(|theme| escape(theme)).collect::<Vec<_>>().join(" ");
        let _ = write!(
            list,
            "<li data-id=\"{id}\" data-goal=\"{goal}\" data-themes=\"{all}\" data-collection=\"{}\" data-difficulty=\"{}\" data-course=\"{}\">\
             <a href=\"{id}.html\"><span class=\"thumb\">{picture}</span>\
             <small>{}</small><strong>{title}</strong><small>{goal}</small></a></li>",
            escape(&card.collection),
            card.difficulty,
            if card.lesson.is_empty() { "" } else { "lessons" },
            card.lesson,
        );
    }
    let body = format!(
        "<main class=\"index\"><h1>Puzzles</h1><form class=\"filters\"><label>Search <input id=\"search\" type=\"search\"></label>\
         <label>Goal <select id=\"goal\"><option value=\"\">any</option>{}</select></label>\
         <label>Theme <select id=\"theme\"><option value=\"\">any</option>{}</select></label>\
         <label>Difficulty <select id=\"difficulty\"><option value=\"\">any</option>{}</select></label>\
         <label>Collection <select id=\"collection\"><option value=\"\">any</option>{}</select></label>\
         <label>Course <select id=\"course\"><option value=\"\">all puzzles</option><option value=\"lessons\">lessons only</option></select></label>\
         <label class=\"js-only\">Progress <select id=\"progress\"><option value=\"\">all</option><option value=\"open\">not found yet</option>\
         <option value=\"solved\">found</option></select></label></form>\
         <p id=\"count\" role=\"status\">{} puzzles</p><ul class=\"cards\">{list}</ul></main>",
        options(&goals),
        options(&themes),
        options(&difficulties.iter().map(String::as_str).collect()),
        options(&collections),
        cards.len()
    );
    with_script("Puzzles", "", &body, &format!("{SOLVED_SCRIPT}{INDEX_SCRIPT}"))
}

/// A page with figures to step through, which needs no other file.
pub fn whole(title: &str, definitions: &str, body: &str) -> String {
    with_script(title, definitions, body, PAGE_SCRIPT)
}

/// A page that needs no other file.
fn with_script(title: &str, definitions: &str, body: &str, script: &str) -> String {
    let parts = if definitions.is_empty() {
        String::new()
    } else {
        format!("<svg class=\"wl parts\" aria-hidden=\"true\"><defs>{definitions}</defs></svg>")
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>\n<style>\n{STYLE}{PICTURE_STYLE}{PAGE_STYLE}</style></head>\n\
         <body>{parts}\n{body}\n<script>{script}</script></body></html>\n"
    )
}

/// The controls for playing the puzzle on its picture.
const TRY: &str = "<div id=\"try\" class=\"js-only\"><button id=\"play\" type=\"button\">Play</button> <button id=\"undo\" type=\"button\">Take back</button> \
    <button id=\"again\" type=\"button\" disabled>Start again</button> <label>Promote to <select id=\"promotion\"><option value=\"Q\">queen</option>\
    <option value=\"R\">rook</option><option value=\"B\">bishop</option><option value=\"N\">knight</option><option value=\"U\">unicorn</option>\
    <option value=\"D\">dragon</option><option value=\"S\">princess</option><option value=\"C\">common king</option><option value=\"Y\">royal queen</option></select></label>\
    <p id=\"said\" role=\"status\">Find it on the boards: click a piece, and then the square it goes to.</p></div>";
const PAGE_STYLE: &str = include_str!("page.css");
const SOLVED_SCRIPT: &str = include_str!("solved.js");
const PAGE_SCRIPT: &str = include_str!("page.js");
const TRY_SCRIPT: &str = include_str!("try.js");
const INDEX_SCRIPT: &str = include_str!("index.js");
