//! `worldlines compose`: searches for new puzzles.

use std::io::Write;

use clap::ValueEnum;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files::shown;
use super::finds::{Fate, Finds, Keeping, in_order};
use super::input::Limits;
use super::output::Format;
use super::terminal::{self, say};
use worldlines::compose::{Found, KeyWish, LineGoal, Origin, Wishes, attempt};
use worldlines::puzzle;
use worldlines::types::{BoardSize, PieceKind, Promotions};

/// Compose puzzles: search small positions for mates, helpmates and selfmates that meet your wishes
///
/// Each attempt draws a random position, improves it by small changes until it meets the wishes, removes every piece and every action
/// that is not needed, and goes on as long as a change raises the score (`lint --score`). Each puzzle is proven: it has one key, no
/// shorter mate, and no duals unless you allow them. The same seed leads to the same puzzles, and each file names the command that
/// makes it again. A helpmate or a selfmate is told by one line, so wishes for keys, defences, tries and duals are for mates alone.
/// Without --write the files are printed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines compose
  worldlines compose --count 20 --best 5 --per-idea 1 --write my-puzzles
  worldlines compose --mate 3 --duals 9 --count 3 --write my-puzzles
  worldlines compose --mate 4 --pieces RP
  worldlines compose --theme branch-mate --theme sacrifice --attempts 2000 --seed 7
  worldlines compose --theme zugzwang --key-piece K --tries 1
  worldlines compose --helpmate 2 --theme switchback --size 4x4

Exit codes: 0 something was found, 4 nothing was found.")]
pub struct Arguments {
    /// Compose mates in N actions [default: 2]
    #[arg(long, value_name = "N", group = "goal", value_parser = clap::value_parser!(u32).range(1..=6))]
    mate: Option<u32>,
    /// Compose helpmates, in which both players play for the mate of the one who begins, with 2N actions
    #[arg(long, value_name = "N", group = "goal", value_parser = clap::value_parser!(u32).range(1..=3))]
    helpmate: Option<u32>,
    /// Compose selfmates, in which the player who begins forces the opponent to mate, in N actions
    #[arg(long, value_name = "N", group = "goal", value_parser = clap::value_parser!(u32).range(1..=4))]
    selfmate: Option<u32>,
    /// The sizes of boards to choose from, between commas [default: 4x4,5x5, or 4x4 for mates in 4 and more]
    #[arg(long, value_name = "WxH", value_parser = size, value_delimiter = ',')]
    size: Vec<BoardSize>,
    /// The kinds of pieces to choose from beside the kings, as capital letters
    #[arg(long, value_name = "LETTERS", value_parser = pieces, default_value = "PNBRUDS")]
    pieces: Pieces,
    /// The most pieces on a board, kings included [default: 6, or 4 for mates in 4 and more]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(2..=32))]
    most: Option<u8>,
    /// The fewest pieces on a board, kings included
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=32))]
    fewest: u8,
    /// Start with two timelines
    #[arg(long)]
    two_timelines: bool,
    /// Start with two more timelines of the opponent, of which the outer one is inactive
    #[arg(long)]
    inactive_timeline: bool,
    /// Set kings, rooks and pawns up as not moved, so that castling and double steps may be possible
    #[arg(long)]
    unmoved: bool,
    /// The pieces that pawns may become, as capital letters
    #[arg(long, value_name = "LETTERS", value_parser = promotions, default_value = "Q")]
    promotions: Promotions,
    /// The most actions before the position [default: 3, or 0 for mates in 4 and more]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(..=12))]
    history: Option<u8>,
    /// Let pieces travel in these actions
    #[arg(long)]
    history_travels: bool,
    #[command(flatten)]
    solution: Solution,
    #[command(flatten)]
    choice: Choice,
    /// Stop after K attempts
    #[arg(long, value_name = "K", default_value_t = 1_000)]
    attempts: usize,
    /// Seed of the random choices
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    keeping: Keeping,
}

/// Wishes for the solution.
#[derive(clap::Args)]
#[command(next_help_heading = "The solution")]
struct Solution {
    /// A theme that the solution must show, from puzzles/themes.toml, such as zugzwang; may be given several times
    #[arg(long, value_name = "THEME", value_parser = theme)]
    theme: Vec<String>,
    /// The manner of the key of a mate [default: fine, or any for mates in 1]
    #[arg(long, value_name = "MANNER")]
    key: Option<KeyWish>,
    /// The same as --key any
    #[arg(long, hide = true, conflicts_with = "key")]
    any_key: bool,
    /// The pieces of which the key moves one, as capital letters [default: any]
    #[arg(long, value_name = "LETTERS", value_parser = key_pieces)]
    key_piece: Option<Pieces>,
    /// The fewest legal first actions
    #[arg(long, value_name = "K", default_value_t = 8)]
    first_actions: u64,
    /// The fewest defences to the key [default: 1, or 0 for mates in 1]
    #[arg(long, value_name = "K")]
    defences: Option<usize>,
    /// The fewest different answers to these defences [default: 2, or 0 for mates in 1, or 1 for mates in 4 and more]
    #[arg(long, value_name = "K")]
    answers: Option<usize>,
    /// The fewest tries that one reply alone refutes
    #[arg(long, value_name = "K", default_value_t = 0)]
    tries: usize,
    /// The most defences with more than one mating answer [default: 0, or 20 for mates in 4 and more]
    #[arg(long, value_name = "K")]
    duals: Option<usize>,
}

/// The choice among what is found.
#[derive(clap::Args)]
#[command(next_help_heading = "The choice")]
struct Choice {
    /// Stop after K puzzles
    #[arg(long, value_name = "K", default_value_t = 1)]
    count: usize,
    /// Keep only the K of them with the highest scores
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    best: Option<u32>,
    /// Keep at most K of them with one signature of ideas
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    per_idea: Option<u32>,
    /// Leave out puzzles with a lower score
    #[arg(long, value_name = "POINTS", value_parser = points, allow_negative_numbers = true)]
    least_score: Option<Points>,
}

/// Tenths of a point.
#[derive(Clone, Copy)]
struct Points(i32);

fn points(text: &str) -> Result<Points, String> {
    let points: Option<f64> = text.parse().ok().filter(|points: &f64| points.abs() <= 100.0);
    points
        .map(|points| Points((points * 10.0).round() as i32))
        .ok_or_else(|| "expected points such as 3.5".to_owned())
}

/// Kinds of pieces.
#[derive(Clone)]
struct Pieces(Vec<PieceKind>);

fn size(text: &str) -> Result<BoardSize, String> {
    let size = text.parse().ok().filter(|size: &BoardSize| size.width() > 1 && size.height() > 1);
    size.ok_or_else(|| format!("expected a size from 2x2 to {0}x{0}, such as 5x5", BoardSize::MAX))
}

fn pieces(text: &str) -> Result<Pieces, String> {
    kinds(text, |kind| kind != PieceKind::King)
}

fn key_pieces(text: &str) -> Result<Pieces, String> {
    kinds(text, |_| true)
}

/// The kinds of pieces that these letters stand for, if all of them are possible.
fn kinds(text: &str, is_possible: impl Fn(PieceKind) -> bool) -> Result<Pieces, String> {
    let kind = |letter| PieceKind::try_from(letter).ok().filter(|kind| is_possible(*kind));
    let kinds: Option<Vec<PieceKind>> = text.chars().map(kind).collect();
    kinds.filter(|kinds| !kinds.is_empty()).map(Pieces).ok_or_else(|| {
        let possible = PieceKind::ALL.into_iter().filter(|kind| is_possible(*kind));
        format!("expected capital letters of pieces, out of {}", letters(possible))
    })
}

fn promotions(text: &str) -> Result<Promotions, String> {
    let Pieces(kinds) = kinds(text, |kind| Promotions::NONE.with(kind).is_some())?;
    Ok(kinds.into_iter().fold(Promotions::NONE, |all, kind| all.with(kind).expect("a pawn may become it")))
}

fn letters(kinds: impl IntoIterator<Item = PieceKind>) -> String {
    kinds.into_iter().map(PieceKind::letter).collect()
}

/// The name of a theme of puzzles.
pub fn theme(text: &str) -> Result<String, String> {
    let names = || puzzle::themes().map(|(name, _)| name);
    if names().any(|name| name == text) {
        return Ok(text.to_owned());
    }
    Err(match puzzle::closest(text, names()) {
        Some(near) => format!("there is no such theme; did you mean `{near}`?"),
        None => "there is no such theme; puzzles/themes.toml lists them".to_owned(),
    })
}

impl Arguments {
    fn wishes(&self) -> Wishes {
        let Solution { theme, key, any_key, key_piece, first_actions, defences, answers, tries, duals } =
            &self.solution;
        let usual = self.usual();
        let manner = if *any_key { KeyWish::Any } else { usual.key };
        Wishes {
            sizes: if self.size.is_empty() { usual.sizes } else { self.size.clone() },
            kinds: self.pieces.0.clone(),
            promotions: self.promotions,
            unmoved: self.unmoved,
            least_pieces: self.fewest.into(),
            most_pieces: self.most.map_or(usual.most_pieces, Into::into),
            two_timelines: self.two_timelines,
            inactive_timeline: self.inactive_timeline,
            most_history: self.history.map_or(usual.most_history, Into::into),
            history_travels: self.history_travels,
            themes: theme.clone(),
            key: key.unwrap_or(manner),
            key_pieces: key_piece.as_ref().map_or(Vec::new(), |pieces| pieces.0.clone()),
            least_first_actions: *first_actions,
            least_defences: defences.unwrap_or(usual.least_defences),
            least_answers: answers.unwrap_or(usual.least_answers),
            least_tries: *tries,
            most_duals: duals.unwrap_or(usual.most_duals),
            least_score: self.choice.least_score.map(|points| points.0),
            ..usual
        }
    }

    /// The usual wishes for the goal.
    fn usual(&self) -> Wishes {
        let lines = [(LineGoal::Helpmate, self.helpmate), (LineGoal::Selfmate, self.selfmate)];
        let line = lines.into_iter().find_map(|(goal, n)| Some((Some(goal), n?)));
        let (goal, n) = line.unwrap_or((None, self.mate.unwrap_or(2)));
        Wishes::usual_of(goal, n)
    }
}

/// The command that composes a puzzle again.
fn command(wishes: &Wishes, seed: u64) -> String {
    let goal = wishes.line.map_or("mate", LineGoal::name);
    let usual = Wishes::usual_of(wishes.line, wishes.mate_in);
    let mut words = vec!["worldlines compose".to_owned()];
    let mut tell = |is_told: bool, option: &str, value: String| {
        let blank = if value.is_empty() { "" } else { " " };
        words.extend(is_told.then(|| format!("--{option}{blank}{value}")));
    };
    let is_default = (wishes.line, wishes.mate_in) == (None, Wishes::default().mate_in);
    tell(!is_default, goal, wishes.mate_in.to_string());
    let sizes: Vec<String> = wishes.sizes.iter().map(ToString::to_string).collect();
    tell(wishes.sizes != usual.sizes, "size", sizes.join(","));
    tell(wishes.kinds != usual.kinds, "pieces", letters(wishes.kinds.iter().copied()));
    tell(wishes.two_timelines, "two-timelines", String::new());
    tell(wishes.inactive_timeline, "inactive-timeline", String::new());
    tell(wishes.unmoved, "unmoved", String::new());
    tell(wishes.promotions != usual.promotions, "promotions", letters(wishes.promotions.iter()));
    tell(wishes.history_travels, "history-travels", String::new());
    wishes.themes.iter().for_each(|theme| tell(true, "theme", theme.clone()));
    let key = wishes.key.to_possible_value().map_or(String::new(), |key| key.get_name().to_owned());
    tell(wishes.key != usual.key, "key", key);
    tell(!wishes.key_pieces.is_empty(), "key-piece", letters(wishes.key_pieces.iter().copied()));
    let counts = [
        ("most", wishes.most_pieces, usual.most_pieces),
        ("fewest", wishes.least_pieces, usual.least_pieces),
        ("history", wishes.most_history, usual.most_history),
        ("first-actions", wishes.least_first_actions as usize, usual.least_first_actions as usize),
        ("defences", wishes.least_defences, usual.least_defences),
        ("answers", wishes.least_answers, usual.least_answers),
        ("tries", wishes.least_tries, usual.least_tries),
        ("duals", wishes.most_duals, usual.most_duals),
    ];
    counts.into_iter().for_each(|(option, is, usual)| tell(is != usual, option, is.to_string()));
    tell(true, "seed", seed.to_string());
    words.push("--attempts 1".to_owned());
    words.join(" ")
}

/// The best finds so far.
struct Best {
    most: usize,
    most_of_an_idea: usize,
    kept: Vec<Kept>,
}

/// A find that was kept.
struct Kept {
    /// In tenths of a point.
    score: i32,
    signature: String,
    id: String,
    text: String,
}

impl Best {
    /// The find that must leave for one with this score and signature; an error if the new one is no better.
    fn leaving(&self, score: i32, signature: &str) -> Result<Option<usize>, ()> {
        let worst = |of_idea: bool| {
            let among =
                self.kept.iter().enumerate().filter(|(_, one)| !of_idea || one.signature == signature);
            let (count, worst) = (among.clone().count(), among.min_by_key(|(_, one)| one.score));
            (count, worst.map(|(index, one)| (index, one.score)))
        };
        for (most, (count, worst)) in [(self.most_of_an_idea, worst(true)), (self.most, worst(false))] {
            if let Some((index, least)) = worst.filter(|_| count >= most) {
                return if score > least { Ok(Some(index)) } else { Err(()) };
            }
        }
        Ok(None)
    }

    /// Keeps a find if it is good enough, in place of a worse one. Whether it was a puzzle that is not like others.
    fn keep(
        &mut self,
        finds: &mut Finds<'_>,
        found: &Found,
        origin: &Origin,
        out: &mut dyn Write,
    ) -> Result<bool, Failure> {
        let score = found.merit.tenths();
        let signature = &found.merit.signature;
        let Ok(leaving) = self.leaving(score, signature) else { return Ok(true) };
        let Fate::Kept(id, text) = finds.keep(found, origin, out)? else { return Ok(false) };
        if let Some(index) = leaving {
            finds.forget(&self.kept.swap_remove(index).id)?;
        }
        self.kept.push(Kept { score, signature: signature.clone(), id, text });
        Ok(true)
    }

    /// Prints the finds, the best first: their files, or the texts if there are none.
    fn show(mut self, finds: &Finds<'_>, out: &mut dyn Write) -> Result<(), Failure> {
        self.kept.sort_by(|one, other| (other.score, &one.id).cmp(&(one.score, &other.id)));
        for (index, one) in self.kept.iter().enumerate() {
            match finds.file(&one.id) {
                Some(path) => writeln!(out, "{}", shown(&path))?,
                None if index > 0 => write!(out, "---\n{}", one.text)?,
                None => write!(out, "{}", one.text)?,
            }
        }
        Ok(())
    }
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let wishes = self.wishes();
        if let Some(why) = wishes.contradiction() {
            return Err(Failure::new(format_args!("nothing can meet these wishes: {why}")));
        }
        let clock = self.limits.time.start();
        let stop = clock.stop();
        let options = self.limits.options(None, Some(stop));
        let Choice { count, best, per_idea, .. } = self.choice;
        let is_chosen = best.or(per_idea).is_some();
        let mut finds = self.keeping.begin(options)?;
        if is_chosen {
            finds = finds.silenced();
        }
        let most = |most: Option<u32>| most.map_or(usize::MAX, |most| most as usize);
        let mut best = Best { most: most(best), most_of_an_idea: most(per_idea), kept: Vec::new() };
        let bar = terminal::progress(self.attempts, "attempts");
        let seed = |index: usize| self.seed.wrapping_add(index as u64);
        let mut seen = 0;
        in_order(
            self.keeping.threads(),
            self.attempts,
            stop,
            |index| attempt(&wishes, seed(index), options),
            |index, found| {
                bar.inc(1);
                if let Some(found) = found {
                    let from = format!("composed by `{}`", command(&wishes, seed(index)));
                    let origin = self.keeping.origin(from, false);
                    seen += usize::from(bar.suspend(|| best.keep(&mut finds, &found, &origin, out))?);
                }
                Ok(seen < count)
            },
        )?;
        bar.finish_and_clear();
        if is_chosen {
            best.show(&finds, out)?;
            say(&format!("{seen} found, {} kept{}", finds.kept(), finds.left_out()));
        } else {
            say(&finds.summary());
        }
        Ok(if finds.kept() == 0 { Exit::NothingSelected } else { Exit::Ok })
    }

    fn format(&self) -> Format {
        Format::Text
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::arguments_of;
    use super::*;

    fn wishes(line: &str) -> Wishes {
        arguments_of::<Arguments>(line.split_whitespace().skip(1)).unwrap().wishes()
    }

    #[test]
    fn the_help_tells_the_usual_wishes() {
        let command = <Arguments as clap::Args>::augment_args(clap::Command::new("compose"));
        type Number = fn(&Wishes) -> usize;
        let numbers: [(&str, Number); 5] = [
            ("most", |wishes| wishes.most_pieces),
            ("history", |wishes| wishes.most_history),
            ("defences", |wishes| wishes.least_defences),
            ("answers", |wishes| wishes.least_answers),
            ("duals", |wishes| wishes.most_duals),
        ];
        for (name, number) in numbers {
            let of = |mate_in| number(&Wishes::usual(mate_in));
            assert_eq!((of(2), of(4), of(4)), (of(3), of(5), of(6)), "the lengths are told together");
            let mut usual = of(2).to_string();
            for (mate_in, lengths) in [(1, "mates in 1"), (4, "mates in 4 and more")] {
                if of(mate_in) != of(2) {
                    usual += &format!(", or {} for {lengths}", of(mate_in));
                }
            }
            let argument = command.get_arguments().find(|argument| argument.get_id() == name);
            let help = argument.and_then(|argument| argument.get_help()).expect("help").to_string();
            assert!(help.ends_with(&format!("[default: {usual}]")), "{help}: {usual}");
        }
    }

    #[test]
    fn a_puzzle_names_the_command_that_makes_it_again() {
        let all = "worldlines compose --mate 3 --size 4x4,6x5 --pieces PRQ --most 7 --fewest 4 --two-timelines --inactive-timeline --unmoved \
                   --promotions QN --history 4 --history-travels --theme castling --theme zugzwang --key no-check --key-piece KR \
                   --first-actions 9 --defences 3 --answers 3 --tries 1 --duals 2";
        let lines = [
            "worldlines compose",
            "worldlines compose --mate 1",
            "worldlines compose --helpmate 2 --most 4",
            "worldlines compose --selfmate 3 --first-actions 0 --theme hop",
            all,
        ];
        for line in lines {
            let expected = Wishes { least_score: None, ..wishes(line) };
            let told = command(&expected, 7);
            assert_eq!(wishes(&told), expected, "{told}");
            assert!(told.ends_with("--seed 7 --attempts 1"), "{told}");
        }
        assert_eq!(
            command(&wishes("worldlines compose --any-key"), 1),
            "worldlines compose --key any --seed 1 --attempts 1"
        );
    }

    #[test]
    fn the_worst_leaves_and_of_one_idea_the_worst_of_it() {
        let kept = |score, signature: &str, id: &str| Kept {
            score,
            signature: signature.to_owned(),
            id: id.to_owned(),
            text: String::new(),
        };
        let mut best =
            Best { most: 3, most_of_an_idea: 1, kept: vec![kept(50, "a", "one"), kept(20, "b", "two")] };
        assert_eq!(best.leaving(10, "c"), Ok(None), "there is room");
        assert_eq!((best.leaving(50, "a"), best.leaving(51, "a")), (Err(()), Ok(Some(0))));
        best.kept.push(kept(30, "c", "three"));
        assert_eq!((best.leaving(20, "d"), best.leaving(21, "d")), (Err(()), Ok(Some(1))));
    }
}
