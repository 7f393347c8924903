//! The floors of the library: the number of puzzles of each kind, and their quality.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

use super::scores;
use libtest_mimic::Failed;
use worldlines::compose::{Likeness, Merit, NEAR_DUPLICATE, Solution, Study};
use worldlines::puzzle::{Document, Goal, Options, review, themes};
use worldlines::search::{Budget, Prover};

/// Puzzles with fewer than eight first actions that are kept for their ideas.
const OF_FEW_ACTIONS: [&str; 2] = ["four-answers", "one-knight-four-mates"];

/// The most mates in two and more that tell one idea.
const MOST_OF_ONE_SIGNATURE: usize = 3;

/// The least score of a composed mate. Mates in 1 may have less, since they are there for castling and en passant, and mates in 5
/// and more, since they have duals.
fn least_score(mate_in: u32) -> f64 {
    match mate_in {
        1 => -1.0,
        2 | 3 => 1.0,
        4 => 2.0,
        _ => 0.0,
    }
}

/// A position that is kept as its source has it, with pieces that are not needed.
const AS_IN_THE_SOURCE: [&str; 1] = ["rook-tactics-4"];

/// A puzzle with its goal and its origin.
struct Puzzle<'a> {
    document: &'a Document,
    /// N, if it claims a mate.
    mate_in: Option<u32>,
    themes: BTreeSet<&'a str>,
    /// The named variant that its game began with.
    variant: Option<&'a str>,
}

/// A mate that was studied.
struct Mate<'a> {
    document: &'a Document,
    mate_in: u32,
    duals: usize,
    /// Whether all defences were read.
    is_whole: bool,
    is_fine: bool,
    first_actions: u64,
    likeness: Likeness,
    signature: String,
}

fn puzzle(document: &Document) -> Option<Puzzle<'_>> {
    let puzzle = document.puzzle.as_ref().ok()?;
    let mate_in = match &puzzle.goal.value {
        Goal::MateIn(n) => Some(n.value),
        _ => None,
    };
    let start = &puzzle.start.value;
    Some(Puzzle {
        document,
        mate_in,
        themes: puzzle.themes.iter().map(|theme| theme.value.as_str()).collect(),
        variant: start.variant.as_ref().map(|name| name.value.as_str()),
    })
}

/// Whether the boards were set up, and not reached in a game.
fn is_set_up(puzzle: &Puzzle<'_>) -> bool {
    puzzle.variant.is_none()
        && !puzzle.themes.contains("game")
        && !AS_IN_THE_SOURCE.contains(&puzzle.document.id.as_str())
}

fn is_composed(puzzle: &Puzzle<'_>) -> bool {
    puzzle.document.puzzle.as_ref().is_ok_and(|it| it.source.from.value.starts_with("composed by"))
}

/// `None` where a study has no end within its budget.
fn mate<'a>(puzzle: &Puzzle<'a>) -> Option<Mate<'a>> {
    let position = puzzle.document.game().ok()?.end();
    let mut prover = Prover::new(Budget::steps(500_000));
    let study = Study::of(&position, puzzle.mate_in?, &mut prover).ok()??;
    Some(Mate {
        document: puzzle.document,
        mate_in: study.mate_in,
        duals: study.duals(),
        is_whole: study.open.is_none(),
        is_fine: study.is_quiet(&position) || study.offered(&position).is_some(),
        first_actions: study.first_actions.count,
        likeness: Likeness::of(&position, &study),
        signature: Merit::signature_of(&study, &position),
    })
}

/// A helpmate or selfmate with its likeness.
fn line<'a>(puzzle: &Puzzle<'a>) -> Option<(&'a Document, Likeness)> {
    let goal = &puzzle.document.puzzle.as_ref().ok()?.goal.value;
    if !matches!(goal, Goal::HelpmateIn(_) | Goal::SelfmateIn(_)) {
        return None;
    }
    let position = puzzle.document.game().ok()?.end();
    let solution = Solution::of(&position, goal, &mut Prover::new(Budget::default())).ok()??;
    Some((puzzle.document, Likeness::of_solution(&position, &solution)))
}

/// The results for these items, in their order. All cores work on them.
fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let numbers = || std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
    let worker = || {
        let taken = numbers().map_while(|number| Some((number, work(items.get(number)?))));
        taken.collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, R)> = scope(|scope| {
        let cores = available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker that ends")).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The shipped puzzles are many, of all kinds, and worth solving.
pub fn hold(documents: &[Arc<Document>]) -> Result<(), Failed> {
    let puzzles: Vec<Puzzle<'_>> = documents.iter().filter_map(|document| puzzle(document)).collect();
    let mates: Vec<Mate<'_>> = each(&puzzles, mate).into_iter().flatten().collect();
    let mut wrong = Vec::new();
    let mut floor = |what: &str, is: usize, least: usize| {
        eprintln!("{what}: {is} (at least {least})");
        if is < least {
            wrong.push(format!("{what}: {is}, but at least {least} are wanted"));
        }
    };
    let mut lengths: BTreeMap<u32, usize> = BTreeMap::new();
    puzzles.iter().filter_map(|puzzle| puzzle.mate_in).for_each(|n| *lengths.entry(n).or_insert(0) += 1);
    let all = puzzles.len();
    let of = |n: u32| lengths.get(&n).copied().unwrap_or(0);
    floor("puzzles", all, 1_000);
    floor("puzzles that are no mates in 1", all - of(1), (3 * all).div_ceil(4));
    floor("mates in 2", of(2), 400);
    floor("mates in 3", of(3), 150);
    floor("mates in 4", of(4), 40);
    floor("mates in 5 and more", lengths.range(5..).map(|(_, count)| count).sum(), 15);
    let lines: Vec<(&Document, Likeness)> = puzzles.iter().filter_map(line).collect();
    floor("helpmates and selfmates", lines.len(), 40);
    let certified = puzzles.iter().filter(|p| p.mate_in.is_some() && p.document.certificate.is_some());
    floor("mates with a certificate", certified.count(), lengths.values().sum::<usize>());
    floor("other goals", all - lengths.values().sum::<usize>(), 60);
    // A few take more steps than this test has, or have more defences than it reads. `lint --near-duplicates` reads more when they are added.
    floor("mates that were studied", mates.len(), lengths.values().sum::<usize>() - 5);
    floor(
        "mates that were studied to the end",
        mates.iter().filter(|mate| mate.is_whole).count(),
        mates.len() - 10,
    );
    let long: Vec<&Mate<'_>> = mates.iter().filter(|mate| mate.mate_in > 1).collect();
    let share = |count: usize| (6 * count).div_ceil(10);
    floor(
        "mates in 2 and more without duals",
        long.iter().filter(|m| m.duals == 0).count(),
        share(long.len()),
    );
    let in_three: Vec<&Mate<'_>> = mates.iter().filter(|mate| mate.mate_in == 3).collect();
    floor(
        "mates in 3 without duals",
        in_three.iter().filter(|m| m.duals == 0).count(),
        (45 * in_three.len()).div_ceil(100),
    );
    floor(
        "mates in 2 and more with quiet or sacrificing keys",
        long.iter().filter(|m| m.is_fine).count(),
        share(long.len()),
    );
    let hinted = puzzles.iter().filter(|p| p.document.puzzle.as_ref().is_ok_and(|p| !p.hints.is_empty()));
    floor("puzzles with hints", hinted.count(), 320);
    let variants: BTreeSet<&str> = puzzles.iter().filter_map(|puzzle| puzzle.variant).collect();
    floor("variants", variants.len(), 35);
    floor("puzzles from games", puzzles.iter().filter(|p| p.themes.contains("game")).count(), 40);
    for (theme, least) in [("castling", 9), ("en-passant", 12), ("underpromotion", 10), ("reactivation", 8)] {
        floor(theme, puzzles.iter().filter(|p| p.themes.contains(theme)).count(), least);
    }
    let starts = documents.iter().filter_map(|document| document.game().ok());
    let on_two = starts.filter(|game| game.start.multiverse().timelines().count() > 1);
    floor("starts with two timelines or more", on_two.count(), 150);
    let shown: BTreeSet<&str> = puzzles.iter().flat_map(|puzzle| puzzle.themes.iter().copied()).collect();
    floor("themes", themes().filter(|(theme, _)| shown.contains(theme)).count(), themes().count());
    let titles =
        puzzles.iter().filter_map(|p| p.document.puzzle.as_ref().ok()).map(|p| p.title.value.as_str());
    let mut told = BTreeSet::new();
    wrong.extend(
        titles.filter(|title| !told.insert(*title)).map(|title| format!("two puzzles are titled {title:?}")),
    );
    let rows = scores::rows()?;
    // With fewer steps fewer mates of a long one are seen.
    for mate in mates.iter().filter(|mate| mate.is_whole) {
        let recorded = rows.get(mate.document.id.as_str()).map(|row| row.signature);
        if recorded != Some(&mate.signature) {
            let is = &mate.signature;
            wrong.push(format!(
                "{} has the signature {is}, recorded is {recorded:?}: run puzzles/daily --all",
                mate.document.id
            ));
        }
    }
    for puzzle in puzzles.iter().filter(|puzzle| is_composed(puzzle)) {
        let id = puzzle.document.id.as_str();
        let Some(n) = puzzle.mate_in else { continue };
        let score = rows.get(id).map(|row| row.score);
        if score.is_none_or(|score| score < least_score(n)) {
            wrong.push(format!(
                "{id} has the score {score:?}, and mates in {n} have at least {}",
                least_score(n)
            ));
        }
    }
    let mut of_signature: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    long.iter().for_each(|mate| of_signature.entry(&mate.signature).or_default().push(&mate.document.id));
    let many = of_signature.iter().filter(|(_, mates)| mates.len() > MOST_OF_ONE_SIGNATURE);
    wrong.extend(many.map(|(signature, mates)| format!("{} tell the idea {signature}", mates.join(", "))));
    // Of a mate in 5 there is enough to look at after any first action.
    let is_short = |mate: &&&Mate<'_>| {
        mate.first_actions < 8 && mate.mate_in < 5 && !OF_FEW_ACTIONS.contains(&mate.document.id.as_str())
    };
    for mate in long.iter().filter(is_short) {
        wrong.push(format!("{} has only {} first actions", mate.document.id, mate.first_actions));
    }
    let idle = each(&puzzles, |puzzle| {
        let objections = if is_set_up(puzzle) {
            review(puzzle.document, Options::default()).objections
        } else {
            Vec::new()
        };
        let idle = objections.iter().filter(|objection| objection.code.starts_with("idle"));
        idle.map(|objection| format!("{}: {}", puzzle.document.id, objection.message)).collect::<Vec<_>>()
    });
    wrong.extend(idle.into_iter().flatten());
    let with_likeness = mates.iter().map(|mate| (mate.document, &mate.likeness));
    let compared: Vec<_> =
        with_likeness.chain(lines.iter().map(|(document, likeness)| (*document, likeness))).collect();
    for (index, &(document, likeness)) in compared.iter().enumerate() {
        // Twins are alike by their nature.
        let is_twin =
            |other: &Document| (&other.file.path, &other.range) == (&document.file.path, &document.range);
        for &(other, others) in compared[..index].iter().filter(|(other, _)| !is_twin(other)) {
            let like = likeness.to(others);
            if like >= NEAR_DUPLICATE {
                wrong.push(format!("{} and {} are near-duplicates: {like:.2}", other.id, document.id));
            }
            if likeness.is_tail_of(others) {
                wrong.push(format!("{} is the end of {}", document.id, other.id));
            }
            if others.is_tail_of(likeness) {
                wrong.push(format!("{} is the end of {}", other.id, document.id));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
