//! Cases as an HTML page.

use std::io::Write;

use super::super::exit::Failure;
use super::super::page::{self, escaped};
use super::{Case, Ended};

/// Prints a page with a row for each case, below a summary.
pub fn print(title: &str, summary: &str, cases: &[Case], out: &mut dyn Write) -> Result<(), Failure> {
    let heading = format!("<h1>{}</h1>\n<p>{}</p>\n", escaped(title), escaped(summary.trim_end()));
    let head = "<tr><th>case</th><th>file</th><th>answer</th><th>findings</th></tr>";
    write!(out, "{}{heading}<table>\n<thead>{head}</thead>\n<tbody>\n", page::begin(title))?;
    cases.iter().try_for_each(|case| writeln!(out, "{}", row(case)))?;
    write!(out, "</tbody>\n</table>\n{}", page::END)?;
    Ok(())
}

fn row(case: &Case) -> String {
    let (class, answer) = match case.ended {
        Ended::Passed => ("right", "pass"),
        Ended::Failed => ("wrong", "fail"),
        Ended::Error => ("known", "not found out"),
        Ended::Skipped => ("", "skipped"),
    };
    // The row has a place for file and name: the lines need not repeat them.
    let (place, own) = (format!("{}:", case.file), format!("{}: ", case.name));
    let without = |line: &str| line.strip_prefix(&place).unwrap_or(line).replacen(&own, "", 1);
    let lines: Vec<String> = case.text.trim().lines().map(|line| escaped(&without(line))).collect();
    let text = if lines.is_empty() { String::new() } else { format!("<pre>{}</pre>", lines.join("\n")) };
    let (name, file) = (escaped(&case.name), escaped(&case.file));
    format!("<tr><th>{name}</th><td>{file}</td><td class=\"{class}\">{answer}</td><td>{text}</td></tr>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::ci::Note;

    #[test]
    fn nothing_in_a_case_is_a_tag() {
        let case = Case {
            suite: "suite".into(),
            name: "<b>".into(),
            file: "a&b.yaml".into(),
            ended: Ended::Failed,
            notes: vec![Note::error("code", "message")],
            text: "\nerror: <script>\n  --> a\n".into(),
        };
        let mut page = Vec::new();
        print("a title", "1 case\n", &[case], &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        let row = "<tr><th>&lt;b&gt;</th><td>a&amp;b.yaml</td><td class=\"wrong\">fail</td>\
                   <td><pre>error: &lt;script&gt;\n  --&gt; a</pre></td></tr>";
        assert!(page.contains(row) && page.contains("<p>1 case</p>"), "{page}");
        assert!(page.ends_with(page::END));
    }
}
