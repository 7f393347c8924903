//! The command that reproduces a difference.

use std::path::Path;

use super::Arguments;
use worldlines::notation::{Format, Game};
use worldlines::types::RuleProfile;

/// A shell command that reproduces a difference: with this small game alone, or with the whole game of this
/// name.
pub fn again(arguments: &Arguments, alone: Option<&Game>, name: &str, index: usize) -> String {
    let mut words = vec!["worldlines".to_owned(), "diff".to_owned()];
    for profile in &arguments.profile {
        words.extend(["--profile".to_owned(), profile.to_string()]);
    }
    if let Some(oracle) = &arguments.oracle {
        words.extend(["--oracle".to_owned(), oracle.clone()]);
    }
    if let Some(seconds) = arguments.terms.other_time() {
        words.extend(["--time".to_owned(), seconds.to_string()]);
    }
    if let Some(game) = alone {
        words.push("-".to_owned());
        return format!("echo {} | {}", shell_words::quote(&on_a_line(game)), shell_words::join(words));
    }
    // Only the whole game shows the difference.
    let file = name.split('#').next().unwrap_or(name);
    match arguments.random {
        Some(count) if Path::new(file).metadata().is_err() => {
            let random =
                ["--random".to_owned(), count.to_string(), "--seed".to_owned(), arguments.seed.to_string()];
            words.extend(random);
            words.extend(
                arguments.variant.iter().flat_map(|variant| ["--variant".to_owned(), variant.clone()]),
            );
            shell_words::join(words)
        }
        _ => {
            words.push(file.to_owned());
            format!("{}   # position {index}", shell_words::join(words))
        }
    }
}

/// A game as 5DPGN on one line, or as 5DFEN if it has no actions.
fn on_a_line(game: &Game) -> String {
    let start = &game.start;
    let (promotions, size) = (start.profile().promotions, start.size());
    let texts: Vec<String> = if game.actions.is_empty() {
        let header = (promotions != RuleProfile::default().promotions).then(|| {
            let (width, height) = (size.width(), size.height());
            format!("[Size \"{width}x{height}\"] [Promotions \"{promotions}\"]")
        });
        header.into_iter().chain(start.to_string().lines().map(str::to_owned)).collect()
    } else {
        let text = Format::Pgn5d.write(game).map(|written| written.into_text()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    };
    texts.join(" ")
}
