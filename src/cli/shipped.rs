//! The puzzles of this repository, as a part of the program: for those who have the program alone.

use std::path::Path;

/// Lists files of `puzzles/`, each with what it holds.
macro_rules! files {
    ($($name:literal)*) => {
        &[$((concat!("puzzles/", $name), include_str!(concat!("../../puzzles/", $name)))),*]
    };
}

/// Every puzzle and certificate, by name. A test writes the list.
const FILES: &[(&str, &str)] = files! {
    "branch/bring-back-the-queen.yaml"
    "branch/certificates/bring-back-the-queen.yaml"
    "branch/certificates/knight-beside-itself.yaml"
    "branch/certificates/leaving-together.yaml"
    "branch/certificates/one-knight-four-mates.yaml"
    "branch/certificates/queen-from-yesterday.yaml"
    "branch/certificates/two-visits-to-turn-2.yaml"
    "branch/certificates/visit-without-a-check.yaml"
    "branch/knight-beside-itself.yaml"
    "branch/leaving-together.yaml"
    "branch/one-knight-four-mates.yaml"
    "branch/queen-from-yesterday.yaml"
    "branch/two-visits-to-turn-2.yaml"
    "branch/visit-without-a-check.yaml"
    "endings/common-king-softmate.yaml"
    "endings/eight-ways-back.yaml"
    "endings/fools-mate-is-none.yaml"
    "endings/one-king-three-worlds.yaml"
    "endings/unicorn-softmate.yaml"
    "fairy/certificates/common-king-mates.yaml"
    "fairy/certificates/dragon-at-rest.yaml"
    "fairy/certificates/dragon-changes-sides.yaml"
    "fairy/certificates/princess-guards-dragon.yaml"
    "fairy/certificates/rook-and-dragon.yaml"
    "fairy/certificates/royal-queens.yaml"
    "fairy/certificates/two-unicorns.yaml"
    "fairy/certificates/unicorn-does-not-stay.yaml"
    "fairy/certificates/unicorn-returns.yaml"
    "fairy/certificates/unicorns-and-nobody.yaml"
    "fairy/common-king-mates.yaml"
    "fairy/dragon-at-rest.yaml"
    "fairy/dragon-changes-sides.yaml"
    "fairy/princess-guards-dragon.yaml"
    "fairy/rook-and-dragon.yaml"
    "fairy/royal-queens.yaml"
    "fairy/two-unicorns.yaml"
    "fairy/unicorn-does-not-stay.yaml"
    "fairy/unicorn-returns.yaml"
    "fairy/unicorns-and-nobody.yaml"
    "first-steps/castle-off-the-file.yaml"
    "first-steps/certificates/castle-off-the-file.yaml"
    "first-steps/certificates/in-passing.yaml"
    "first-steps/certificates/knight-to-yesterday.yaml"
    "first-steps/certificates/scholars-mate.yaml"
    "first-steps/in-passing.yaml"
    "first-steps/knight-to-yesterday.yaml"
    "first-steps/scholars-mate.yaml"
    "games/certificates/hop-and-look-back.yaml"
    "games/certificates/king-walk-refuted.yaml"
    "games/certificates/kings-only.yaml"
    "games/certificates/missed-in-the-first-game.yaml"
    "games/certificates/one-in-2483.yaml"
    "games/certificates/over-the-world-between.yaml"
    "games/certificates/queen-to-h5.yaml"
    "games/hop-and-look-back.yaml"
    "games/king-walk-refuted.yaml"
    "games/kings-only.yaml"
    "games/missed-in-the-first-game.yaml"
    "games/one-in-2483.yaml"
    "games/over-the-world-between.yaml"
    "games/queen-to-h5.yaml"
    "promotion/certificates/dragon-behind-the-crown.yaml"
    "promotion/certificates/four-answers.yaml"
    "promotion/certificates/king-first-queen-later.yaml"
    "promotion/certificates/open-with-a-queen.yaml"
    "promotion/certificates/queen-follows.yaml"
    "promotion/certificates/second-coronation.yaml"
    "promotion/certificates/stay-a-pawn.yaml"
    "promotion/certificates/three-coronations.yaml"
    "promotion/certificates/three-files-three-turns.yaml"
    "promotion/certificates/two-steps-to-the-crown.yaml"
    "promotion/dragon-behind-the-crown.yaml"
    "promotion/four-answers.yaml"
    "promotion/king-first-queen-later.yaml"
    "promotion/open-with-a-queen.yaml"
    "promotion/queen-follows.yaml"
    "promotion/second-coronation.yaml"
    "promotion/stay-a-pawn.yaml"
    "promotion/three-coronations.yaml"
    "promotion/three-files-three-turns.yaml"
    "promotion/two-steps-to-the-crown.yaml"
    "rook/certificates/rook-tactics-4.yaml"
    "rook/rook-tactics-4.yaml"
    "small/a-pawn-too-many.yaml"
    "small/certificates/a-pawn-too-many.yaml"
    "small/certificates/check-twice-from-e1.yaml"
    "small/certificates/leave-the-other-board.yaml"
    "small/certificates/rook-from-the-past.yaml"
    "small/certificates/waiting-bishop.yaml"
    "small/check-twice-from-e1.yaml"
    "small/leave-the-other-board.yaml"
    "small/rook-from-the-past.yaml"
    "small/waiting-bishop.yaml"
    "two-timelines/abdication.yaml"
    "two-timelines/certificates/abdication.yaml"
    "two-timelines/certificates/empty-world.yaml"
    "two-timelines/certificates/history-on-demand.yaml"
    "two-timelines/certificates/king-crosses-over.yaml"
    "two-timelines/certificates/knight-of-two-worlds.yaml"
    "two-timelines/certificates/pawn-and-bishop.yaml"
    "two-timelines/certificates/rook-on-the-last-rank.yaml"
    "two-timelines/certificates/visits-to-turn-2.yaml"
    "two-timelines/empty-world.yaml"
    "two-timelines/history-on-demand.yaml"
    "two-timelines/king-crosses-over.yaml"
    "two-timelines/knight-of-two-worlds.yaml"
    "two-timelines/pawn-and-bishop.yaml"
    "two-timelines/rook-on-the-last-rank.yaml"
    "two-timelines/visits-to-turn-2.yaml"
};

/// The folder that they stand for.
pub const FOLDER: &str = "puzzles";

/// The names of the puzzle files, without certificates, in order.
pub fn puzzles() -> impl Iterator<Item = &'static Path> {
    let names = FILES.iter().map(|(name, _)| Path::new(*name));
    names.filter(|name| !name.iter().any(|part| part == worldlines::puzzle::CERTIFICATES))
}

/// Every puzzle file, by name, with what it holds.
pub fn all() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let files = FILES.iter().filter(|(name, _)| !name.contains("/certificates/"));
    files.map(|(name, text)| (*name, text.as_bytes()))
}

/// What the file of this name holds, unless this folder has puzzles of its own.
pub fn read(path: &Path) -> Option<&'static [u8]> {
    if Path::new(FOLDER).exists() {
        return None;
    }
    FILES.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| text.as_bytes())
}

#[cfg(test)]
mod tests {
    use walkdir::WalkDir;

    use super::*;

    /// Set `BLESS=1` to write the list anew.
    #[test]
    fn every_puzzle_is_shipped() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut names = Vec::new();
        for entry in WalkDir::new(root.join(FOLDER)) {
            let path = entry.expect("a readable folder").into_path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                let name = path.strip_prefix(root.join(FOLDER)).expect("it is in the folder");
                names.push(name.display().to_string().replace('\\', "/"));
            }
        }
        names.sort();
        let list: String = names.iter().map(|name| format!("    \"{name}\"\n")).collect();
        let source = root.join("src/cli/shipped.rs");
        let text = std::fs::read_to_string(&source).expect("this file").replace("\r\n", "\n");
        let (begin, rest) = text.split_once("files! {\n").expect("the list begins");
        let (old, end) = rest.split_once("};\n").expect("the list ends");
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") && old != list {
            std::fs::write(&source, format!("{begin}files! {{\n{list}}};\n{end}"))
                .expect("this file can be written");
        }
        assert!(
            old == list,
            "the list of shipped puzzles is out of date: run BLESS=1 cargo test --bin worldlines"
        );
    }
}
