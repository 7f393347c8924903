//! Differences between two texts of a file, for options that show a change without making it.

use worldlines::notation::printable;

/// The difference in the unified form that `diff -u` writes and `patch` reads, with three lines around each change; empty if the texts
/// are the same. Characters that would act on a terminal are spelt out.
pub fn unified(name: &str, before: &str, after: &str) -> String {
    let diff = similar::TextDiff::from_lines(before, after);
    let written = diff.unified_diff().context_radius(3).header(name, name).to_string();
    let mut shown = String::with_capacity(written.len());
    for line in written.split_inclusive('\n') {
        let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
        shown.push_str(&printable(text).to_string());
        shown.push_str(end);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_shown() {
        assert_eq!(unified("a", "one\ntwo\n", "one\ntwo\n"), "");
        let shown = unified("a.yaml", "one\ntwo\nthree\n", "one\n2\u{1b}[2J\nthree\n");
        assert_eq!(shown.lines().filter(|line| line.starts_with(['+', '-'])).count(), 4, "{shown}");
        assert!(shown.contains("-two\n+2") && !shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn large_texts_take_a_short_time() {
        let lines = |salt: usize| (0..20_000).map(|n| format!("{}\n", n * salt % 7919)).collect::<String>();
        let begun = std::time::Instant::now();
        assert!(!unified("a", &lines(3), &lines(5)).is_empty());
        assert!(begun.elapsed().as_secs() < 60);
    }
}
