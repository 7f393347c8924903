//! Messages on standard error, and colours.
//!
//! Output has colours only on a terminal, unless `--color always` asks for them elsewhere. They are added to
//! finished text, line by line: the library that makes the text knows nothing of terminals.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use console::{Style, Term};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use worldlines::notation::printable;

/// The choice when colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// The choice on the command line, found before the command line is checked, so that its errors are
    /// coloured too.
    pub fn of_arguments() -> Color {
        let arguments: Vec<_> = std::env::args_os().collect();
        let after = |pair: &[std::ffi::OsString]| (pair[0] == "--color").then(|| pair[1].clone());
        let inside =
            |argument: &std::ffi::OsString| Some(argument.to_str()?.strip_prefix("--color=")?.into());
        let asked = arguments.windows(2).find_map(after).or_else(|| arguments.iter().find_map(inside));
        let color = asked.and_then(|name: std::ffi::OsString| Color::from_str(name.to_str()?, false).ok());
        color.unwrap_or_default()
    }

    /// The same choice for the parser of the command line.
    pub fn of_help(self) -> clap::ColorChoice {
        match self {
            Color::Auto => clap::ColorChoice::Auto,
            Color::Always => clap::ColorChoice::Always,
            Color::Never => clap::ColorChoice::Never,
        }
    }

    fn is_wanted(self, term: &Term, is_terminal: bool) -> bool {
        match self {
            Color::Auto => is_terminal && term.features().colors_supported(),
            Color::Always => true,
            Color::Never => false,
        }
    }
}

static ON_STDOUT: AtomicBool = AtomicBool::new(false);
static ON_STDERR: AtomicBool = AtomicBool::new(false);

/// Decides for the whole run which outputs are coloured.
pub fn set(color: Color) {
    ON_STDOUT.store(color.is_wanted(&Term::stdout(), io::stdout().is_terminal()), Ordering::Relaxed);
    ON_STDERR.store(color.is_wanted(&Term::stderr(), io::stderr().is_terminal()), Ordering::Relaxed);
}

/// Prints a message on standard error. A failure to do so is ignored.
pub fn say(message: &str) {
    let lines = message.trim_end().lines().map(printable);
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    let _ = io::stderr().write_all(painted_if(&ON_STDERR, &text, message_line).as_bytes());
}

/// A progress bar on standard error, if that is a terminal. It vanishes when the work is over.
pub fn progress(count: usize, what: &str) -> ProgressBar {
    let target =
        if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}  {{elapsed}}"));
    ProgressBar::with_draw_target(Some(count as u64), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_finish(ProgressFinish::AndClear)
}

/// Does some work, and meanwhile shows its progress on a terminal.
pub fn waiting<T>(how_far: impl Fn() -> String + Send + Sync, work: impl FnOnce() -> T) -> T {
    /// The time between two updates. Quicker work shows none.
    const LOOK: Duration = Duration::from_millis(500);
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, end) = channel::<()>();
        scope.spawn(move || {
            let spinner = ProgressBar::new_spinner();
            while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                spinner.set_message(how_far());
                spinner.tick();
            }
            spinner.finish_and_clear();
        });
        let result = work();
        drop(done);
        result
    })
}

/// The width of standard output in characters.
pub fn width() -> usize {
    /// The width if it is unknown.
    const WIDTH: usize = 100;
    width_of_terminal().unwrap_or(WIDTH)
}

/// The width of standard output in characters, if that is a terminal.
pub fn width_of_terminal() -> Option<usize> {
    Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}

/// A text of at most `most` characters; an ellipsis stands for the rest.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The text of a report about puzzles for standard output, with colours if they are wanted.
pub fn report(text: &str) -> String {
    painted_if(&ON_STDOUT, text, |line| step_line(line).or_else(|| message_line(line)))
}

/// A drawing of boards for standard output, with colours if they are wanted.
pub fn drawing(text: &str) -> String {
    painted_if(&ON_STDOUT, text, board_line)
}

/// An output of answers about positions, such as those of `status`, `explain` and `judge`: finished lines are coloured, if colours are wanted.
pub struct Answers<W: Write> {
    out: W,
    /// The line that is not finished yet.
    line: Vec<u8>,
}

impl<W: Write> Answers<W> {
    pub fn new(out: W) -> Answers<W> {
        Answers { out, line: Vec::new() }
    }
}

impl<W: Write> Write for Answers<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.line.split_off(end + 1);
            let lines = std::mem::replace(&mut self.line, rest);
            let text = String::from_utf8_lossy(&lines);
            self.out.write_all(painted_if(&ON_STDOUT, &text, answer_line).as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.line))?;
        self.out.flush()
    }
}

impl<W: Write> Drop for Answers<W> {
    fn drop(&mut self) {
        // The caller flushes before, if it wants to know of a failure.
        let _ = self.out.write_all(&self.line);
    }
}

/// Colours each line that `paint` knows, if colours are wanted.
fn painted_if(wanted: &AtomicBool, text: &str, paint: impl Fn(&str) -> Option<String>) -> String {
    if !wanted.load(Ordering::Relaxed) {
        return text.to_owned();
    }
    let paint = |line: &str| {
        let bare = line.trim_end_matches('\n');
        paint(bare).unwrap_or_else(|| bare.to_owned()) + &line[bare.len()..]
    };
    text.split_inclusive('\n').map(paint).collect()
}

fn style() -> Style {
    // The caller has decided already that colours are wanted.
    Style::new().force_styling(true)
}

/// Colours a line of a message: its title, or a part of an excerpt.
fn message_line(line: &str) -> Option<String> {
    let title = |word: &str, style: Style| {
        let rest = line.strip_prefix(word).filter(|rest| rest.starts_with([':', '[']))?;
        let end = rest.find(": ").map_or(rest.len(), |colon| colon + 1);
        let (label, rest) = rest.split_at(end);
        let bold = self::style().bold();
        Some(format!("{}{}", style.apply_to(format!("{word}{label}")), bold.apply_to(rest)))
    };
    let gutter = style().blue().bold();
    title("error", style().red().bold())
        .or_else(|| title("warning", style().yellow().bold()))
        .or_else(|| title("lost", style().yellow().bold()))
        .or_else(|| title("note", style().cyan().bold()))
        .or_else(|| {
            let at = line.find(|c: char| c != ' ' && !c.is_ascii_hexdigit())?;
            let (margin, rest) = line.split_at(at);
            if let Some(place) = rest.strip_prefix("--> ") {
                return Some(format!("{}{place}", gutter.apply_to(format!("{margin}--> "))));
            }
            if let Some(note) = rest.strip_prefix("= ") {
                return Some(format!("{}{note}", gutter.apply_to(format!("{margin}= "))));
            }
            let shown = rest.strip_prefix('|').filter(|_| margin.ends_with(' '))?;
            let is_marks =
                margin.trim().is_empty() && shown.contains('^') && shown.trim_matches(['^', ' ']).is_empty();
            let shown =
                if is_marks { style().red().bold().apply_to(shown).to_string() } else { shown.to_owned() };
            Some(format!("{}{shown}", gutter.apply_to(format!("{margin}|"))))
        })
}

/// Colours a line with the answer to a step, or with the name of a puzzle and its answer.
fn step_line(line: &str) -> Option<String> {
    let answers = [
        ("pass", style().green()),
        ("fail", style().red().bold()),
        ("undecided", style().yellow()),
        ("skipped", style().dim()),
    ];
    let inner = line.strip_prefix("  ")?;
    answers.into_iter().find_map(|(answer, style)| {
        let at = inner.find(&format!("  {answer}"))? + 2;
        let (name, rest) = inner.split_at(at);
        let rest = rest.strip_prefix(answer).filter(|rest| rest.is_empty() || rest.starts_with(' '))?;
        Some(format!("  {name}{}{rest}", style.apply_to(answer)))
    })
}

/// Colours a line of an answer about a position: its verdict or label, or a heading.
fn answer_line(line: &str) -> Option<String> {
    let (good, bad, open) = (style().green(), style().red().bold(), style().yellow());
    let painted = |at: usize, word: &str, style: &Style| {
        let (before, rest) = line.split_at(at);
        format!("{before}{}{}", style.apply_to(word), &rest[word.len()..])
    };
    let labels = [
        ("correct:", &good),
        ("legal:", &good),
        ("survives:", &good),
        ("wrong:", &bad),
        ("illegal [", &bad),
        ("attacked by", &bad),
        ("slower mate:", &open),
        ("undecided:", &open),
    ];
    let inner = line.trim_start();
    let label = labels.into_iter().find(|(label, _)| inner.starts_with(label));
    if let Some((label, style)) = label {
        return Some(painted(line.len() - inner.len(), label, style));
    }
    let marks = [
        (": ongoing,", &good),
        (": softmate,", &open),
        (": checkmate,", &bad),
        (": stalemate,", &open),
        (": undecided,", &open),
        ("the claim is not true", &bad),
        ("The claim is not true", &bad),
        ("(dual)", &open),
        ("(search only)", &open),
    ];
    if let Some((at, mark, style)) =
        marks.into_iter().find_map(|(mark, style)| Some((line.find(mark)?, mark, style)))
    {
        let word = mark.trim_matches([':', ' ', ',']);
        return Some(painted(at + mark.find(word)?, word, style));
    }
    // A heading stands at the margin and announces what is below it.
    let is_heading = inner.len() == line.len() && (line.ends_with(':') || line.starts_with("Key: "));
    is_heading.then(|| style().bold().apply_to(line).to_string())
}

/// Colours a line of a drawing: boards, or their names.
fn board_line(line: &str) -> Option<String> {
    if line.contains("to move.") {
        return Some(style().bold().apply_to(line).to_string());
    }
    if !line.starts_with([' ', '-', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) {
        return None;
    }
    let mut painted = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let name = rest.starts_with('(').then(|| rest.find(')')).flatten().map(|end| end + 1);
        let (style, length) = match (name, c) {
            (Some(length), _) => (style().blue(), length),
            (_, '|' | '!') => (style().yellow().bold(), 1),
            (_, '.') => (style().dim(), 1),
            (_, 'A'..='Z') => (style().bold(), 1),
            // The letters of files are in lines below the boards that contain nothing else.
            (_, 'a'..='z') if !is_files(line) => (style().red().bold(), 1),
            _ => (Style::new(), c.len_utf8()),
        };
        let (part, after) = rest.split_at(length);
        painted.push_str(&style.apply_to(part).to_string());
        rest = after;
    }
    Some(painted)
}

/// Whether a line contains only the letters of files.
fn is_files(line: &str) -> bool {
    line.chars().all(|c| matches!(c, 'a'..='h' | ' ' | '|')) && line.trim_start().starts_with('a')
}

/// Writes a text from outside in lines that fit.
pub fn paragraph(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let text = wrapped(&printable(text), width().min(80));
    out.write_all(if text.is_empty() { "\n" } else { &text }.as_bytes())
}

/// The words of a text in lines of at most `width` characters, each with its end; longer words have lines of their own.
pub fn wrapped(text: &str, width: usize) -> String {
    let (mut wrapped, mut column) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= width;
            wrapped.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        wrapped.push_str(word);
        column += length;
    }
    if !wrapped.is_empty() {
        wrapped.push('\n');
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(painted: &str) -> String {
        console::strip_ansi_codes(painted).into_owned()
    }

    #[test]
    fn colours_change_no_text() {
        let lines = [
            "error[no-such-move]: illegal: action 3w: no white king can make this move",
            " --> corpus/cli/misprint.5dpgn:7:4",
            "  |",
            "7 | 3. (1T2)Kc2b4",
            "  |    ^^^^^^^^^^",
            "  = hint: write it",
            "00000010 | 1c 75 78 b7  |.ux......|",
            "warning: something",
            "  goal proven             undecided  the budget of 5 steps is spent",
            "0        4   r . . k  r . . k |. . r k",
            "             a b c d  a b c d |a b c d",
            "             (0T1w)   (0T1b)  |(0T2w)!",
            "Black to move. The present is T2b, right of the bar.  !: must be played",
        ];
        for line in lines {
            let painted = [message_line(line), step_line(line), board_line(line)];
            assert!(painted.iter().flatten().any(|painted| painted != line), "{line}");
            for painted in painted.into_iter().flatten() {
                assert_eq!(plain(&painted), line);
            }
        }
        for line in ["", "an error of somebody", "é|è", "1. e4 e5", "  = "] {
            for painted in [message_line(line), step_line(line), board_line(line)].into_iter().flatten() {
                assert_eq!(plain(&painted), line);
            }
        }
    }

    #[test]
    fn answers_are_coloured_and_keep_their_text() {
        for (line, colour) in [
            ("3w: checkmate, in check", "\u{1b}[31m\u{1b}[1mcheckmate\u{1b}[0m, in check"),
            (
                "1w: undecided, not in check: the budget of 5 steps is spent",
                "\u{1b}[33mundecided\u{1b}[0m, not",
            ),
            (
                "  attacked by white queen: (0T1)b2 to (0T1)a1",
                "\u{1b}[31m\u{1b}[1mattacked by\u{1b}[0m white",
            ),
            ("  legal: (0T1)Ka1b1", "  \u{1b}[32mlegal:\u{1b}[0m (0T1)"),
            ("correct: (0T1)Ka1b1 mates", "\u{1b}[32mcorrect:"),
            ("slower mate: (0T1)Ka1b1 mates in 3, not in 2: it is stalemate", "\u{1b}[33mslower mate:"),
            ("White mates in 3: the claim is not true", "3: \u{1b}[31m\u{1b}[1mthe claim is not true"),
            ("Key: (0T1)Ka1b1 (check)", "\u{1b}[1mKey: (0T1)Ka1b1 (check)"),
            ("  (0T1)Kb1: (0T1)Qa1 mates   (dual)", "mates   \u{1b}[33m(dual)"),
        ] {
            let painted = answer_line(line).unwrap();
            assert!(painted.contains(colour), "{painted:?}");
            assert_eq!(plain(&painted), line);
        }
        for line in ["", "  (0T1)Kb1: (0T1)Qa1 mates", "White mates in 2.", "  Threat: (0T1)Qa1"] {
            assert_eq!(answer_line(line), None);
        }
    }

    #[test]
    fn an_answer_without_an_end_of_line_is_not_lost() {
        let mut out = Vec::new();
        let mut answers = Answers::new(&mut out);
        write!(answers, "correct: é\nwr").unwrap();
        write!(answers, "ong").unwrap();
        drop(answers);
        assert_eq!(plain(&String::from_utf8(out).unwrap()), "correct: é\nwrong");
    }

    #[test]
    fn marks_are_painted_and_letters_of_files_are_not() {
        assert!(message_line("  |    ^^^^").unwrap().contains("\u{1b}[31m"));
        assert!(!board_line("    a b c").unwrap().contains('\u{1b}'));
        assert!(
            step_line("  shortest                pass       nothing").unwrap().contains("\u{1b}[32mpass")
        );
    }
}
