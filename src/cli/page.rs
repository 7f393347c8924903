//! HTML pages that need no other file.

pub use worldlines::render::escape as escaped;

use worldlines::render::{Layout, Sheet};

/// A list of the pieces in a picture that orthodox chess does not have; nothing if there are none.
pub fn legend(sheet: &mut Sheet, layout: &Layout) -> String {
    let entry = |(picture, words): (String, &str)| format!("<li>{picture} {words}</li>");
    let entries: String = sheet.legend(layout).into_iter().map(entry).collect();
    if entries.is_empty() { entries } else { format!("<ul class=\"legend\">{entries}</ul>") }
}

/// The beginning of a page.
pub fn begin(title: &str) -> String {
    HEAD.replacen("TITLE", &escaped(title), 1)
}

/// The style of a picture on a page, which is not made too small to read, and of the legend below it. The style of
/// the boards themselves is [`worldlines::render::STYLE`].
pub const PICTURE_STYLE: &str = include_str!("picture.css");

/// The end of a page.
pub const END: &str = "</main>\n</body>\n</html>\n";

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>TITLE</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8888; padding: .2rem .6rem; text-align: left; vertical-align: top; font-weight: normal; }
thead th { font-weight: bold; position: sticky; top: 0; background: Canvas; }
.total th, .total td { font-weight: bold; }
td small { display: block; max-width: 28rem; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
td.wrong, td.surprise { background: light-dark(#fdd, #511); }
td.known { background: light-dark(#ffc, #440); }
td.right { background: light-dark(#dfd, #131); }
</style>
</head>
<body>
<main>
";
