//! Examines engines: whether one mates against the chosen defences, and claims no mate where there is none.
//!
//! A puzzle with a mate is played action by action. The engine must keep the mate after every action, against
//! each chosen defence; a [`Judge`] decides whether it does. The same puzzles give [cases](Kind) without a
//! mate. `spec/engines.md` describes them. Begin at [`examine`].

use std::fmt;
use std::time::Duration;

use crate::host::{Answer, Fault, Limits, Player, Score, Turn};
use crate::notation::Game;
use crate::notation::pgn5d::action_text;
use crate::puzzle::{Document, Goal, Judge, Judgement, NoJudge, Options, Resolved};
use crate::search::Defence;
use crate::types::{Action, RuleProfile, Status, fnv1a};

/// The task of a case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// Mate in so many actions, as the puzzle claims.
    Mate(u32),
    /// Play an action where there is no mate in so many actions, and announce none.
    NoMate(u32),
    /// Play an action where the shortest mate takes this many actions but one fewer is asked for, without
    /// announcing the shorter mate.
    Longer(u32),
    /// Play the only legal action.
    OnlyAction,
    /// Play any action where nothing is claimed about a mate.
    Play,
    /// Recognise that there is no legal action.
    Over,
}

impl Kind {
    /// The name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Mate(_) => "mate",
            Kind::NoMate(_) => "no-mate",
            Kind::Longer(_) => "longer",
            Kind::OnlyAction => "only-action",
            Kind::Play => "play",
            Kind::Over => "over",
        }
    }
}

/// The defences against which an engine has to mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defences {
    /// The longest defence.
    Longest,
    /// One defence of each class. A class is the defences of one row of the table of replies, or those with
    /// the same answer.
    EachClass,
    /// A random sample of the defences.
    Sample {
        /// The largest number of defences.
        count: u32,
        /// The seed: the same seed gives the same sample.
        seed: u64,
    },
}

/// The settings of an examination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The time for one action, for all its moves together.
    pub time: Duration,
    /// The most nodes for one answer, for engines with such a limit.
    pub nodes: Option<u64>,
    /// The defences.
    pub defences: Defences,
}

/// The verdict on a case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// The engine solved the task.
    Solved,
    /// The engine forces mate, but not in time.
    SlowerMate,
    /// The engine played an action that loses the mate.
    LostMate,
    /// The engine announced a mate that does not exist.
    FalseMate,
    /// The engine played an illegal move.
    Illegal,
    /// The engine gave no move although there is one.
    NoMove,
    /// The engine ended.
    Crashed,
    /// The engine gave no answer.
    Hung,
    /// The engine gave an answer that was not asked for.
    Babbled,
    /// The budget of the puzzle did not suffice to decide whether the engine keeps the mate.
    Undecided,
    /// The engine was not asked.
    NotAsked,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 11] = [
        Verdict::Solved,
        Verdict::SlowerMate,
        Verdict::LostMate,
        Verdict::FalseMate,
        Verdict::Illegal,
        Verdict::NoMove,
        Verdict::Crashed,
        Verdict::Hung,
        Verdict::Babbled,
        Verdict::Undecided,
        Verdict::NotAsked,
    ];

    /// The name of the verdict.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Solved => "solved",
            Verdict::SlowerMate => "slower-mate",
            Verdict::LostMate => "lost-mate",
            Verdict::FalseMate => "false-mate",
            Verdict::Illegal => "illegal",
            Verdict::NoMove => "no-move",
            Verdict::Crashed => "crashed",
            Verdict::Hung => "hung",
            Verdict::Babbled => "babbled",
            Verdict::Undecided => "undecided",
            Verdict::NotAsked => "not-asked",
        }
    }

    /// Whether the engine failed.
    pub const fn is_failure(self) -> bool {
        !matches!(self, Verdict::Solved | Verdict::Undecided | Verdict::NotAsked)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A task for an engine.
#[derive(Debug)]
pub struct Case<'d> {
    /// The id of the puzzle; for a case derived from a puzzle, with `#` and the kind.
    pub name: String,
    /// The puzzle.
    pub document: &'d Document,
    /// The task.
    pub kind: Kind,
    /// The game that leads to the position.
    pub game: Game,
    judge: Option<Judge<'d>>,
}

/// The outcome of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason, for people.
    pub why: String,
    /// The action of the engine that decided the case, from 1.
    pub at: usize,
    /// The actions from the position of the case up to that one, in 5DPGN.
    pub line: Vec<String>,
    /// The defence against which the mate was lost, if it was not lost with the first action.
    pub defence: Option<String>,
    /// The number of defences that the engine has met.
    pub defences: u32,
    /// The longest time that it took for an action.
    pub slowest: Duration,
    /// The number of times that it was sent `stop`.
    pub stopped: u32,
    /// The end of the dialogue, if the engine failed.
    pub transcript: Vec<String>,
}

/// The cases of puzzles: the puzzles themselves and, with `negatives`, the cases without a mate derived from
/// them. Puzzles that cannot be read have none.
pub fn cases<'d>(documents: &'d [Document], options: Options<'_>, negatives: bool) -> Vec<Case<'d>> {
    documents.iter().flat_map(|document| cases_of(document, options, negatives)).collect()
}

fn cases_of<'d>(document: &'d Document, options: Options<'_>, negatives: bool) -> Vec<Case<'d>> {
    let case = |kind: Kind, game: Game, is_puzzle: bool| {
        let name = if is_puzzle { document.id.clone() } else { format!("{}#{}", document.id, kind.name()) };
        Case { name, document, kind, game, judge: None }
    };
    let judge = match Judge::new(document, options) {
        Ok(judge) => judge,
        Err(NoJudge::Status) => {
            let (Ok(game), Ok(puzzle), None) = (document.game(), &document.puzzle, &document.repeated_id)
            else {
                return Vec::new();
            };
            let Goal::Status(word) = &puzzle.goal.value else { return Vec::new() };
            let is_over = matches!(word.value.status(), Status::Checkmate | Status::Stalemate);
            return vec![case(if is_over { Kind::Over } else { Kind::Play }, game, true)];
        }
        Err(NoJudge::Helpmate | NoJudge::Unreadable(_)) => return Vec::new(),
    };
    let (n, start) = (judge.mate_in(), judge.game().clone());
    // Engines are only asked for mates; as the defender or in a selfmate they just have to play an action.
    if judge.defends() || judge.is_selfmate() {
        return vec![case(Kind::Play, start, true)];
    }
    if !judge.has_mate() {
        return vec![case(Kind::NoMate(n), start, true)];
    }
    let mut derived = Vec::new();
    if negatives {
        let after = |actions: &[Action]| {
            let mut game = start.clone();
            game.actions.extend_from_slice(actions);
            game
        };
        if n > 1 {
            derived.push(case(Kind::Longer(n), start.clone(), false));
            if let Some(line) = refuted_try(judge.resolved()) {
                derived.push(case(Kind::NoMate(n - 1), after(&line), false));
            }
        }
        let lines = judge.solutions();
        let prefixes = lines.iter().flat_map(|line| (1..line.len()).step_by(2).map(|length| &line[..length]));
        let has_one = |line: &&[Action]| judge.after(line).count_legal_actions(2).count == 1;
        if let Some(line) = prefixes.into_iter().find(has_one) {
            derived.push(case(Kind::OnlyAction, after(line), false));
        }
        if let Some(line) = lines.iter().find(|line| judge.after(line).is_checkmate()) {
            derived.push(case(Kind::Over, after(line), false));
        }
    }
    let mut all = vec![Case { judge: Some(judge), ..case(Kind::Mate(n), start, true) }];
    all.extend(derived);
    all
}

/// The first try of a puzzle and the reply that refutes it.
fn refuted_try(puzzle: &Resolved<'_>) -> Option<Vec<Action>> {
    let tries = &puzzle.puzzle.tries.as_ref()?.value;
    let lines = tries.rows.0.iter().map(|(action, row)| [action.clone(), row.reply.clone()]);
    lines.filter_map(|line| puzzle.line(&puzzle.start, &line)).next()
}

/// The end of a line of play.
struct Stop {
    verdict: Verdict,
    why: String,
    /// The actions of the line.
    line: Vec<Action>,
}

/// Examines an engine with a case.
pub fn examine(case: &Case<'_>, player: &mut Player, rules: &Rules) -> Outcome {
    let mut asking = Asking { case, player, rules, defences: 0, slowest: Duration::ZERO, stopped: 0 };
    let stop = asking.run();
    let Asking { defences, slowest, stopped, .. } = asking;
    let start = case.game.end();
    let (verdict, why, line) = match stop {
        Err(Stop { verdict, why, line }) => (verdict, why, line),
        Ok(line) => (Verdict::Solved, String::new(), line),
    };
    let mut position = start;
    let written = line.iter().map(|action| {
        let text = action_text(&position, action);
        position.play_unchecked(action);
        text
    });
    let line: Vec<String> = written.collect();
    let defence = (verdict != Verdict::Solved).then(|| line.iter().skip(1).step_by(2).next_back().cloned());
    let transcript = if verdict.is_failure() { player.transcript() } else { Vec::new() };
    Outcome {
        verdict,
        why,
        at: line.len().div_ceil(2).max(1),
        line,
        defence: defence.flatten(),
        defences,
        slowest,
        stopped,
        transcript,
    }
}

struct Asking<'c, 'd> {
    case: &'c Case<'d>,
    player: &'c mut Player,
    rules: &'c Rules,
    defences: u32,
    slowest: Duration,
    stopped: u32,
}

impl Asking<'_, '_> {
    fn run(&mut self) -> Result<Vec<Action>, Stop> {
        let stop = |verdict, why: String| Stop { verdict, why, line: Vec::new() };
        let profile = self.case.game.start.profile();
        let usual = RuleProfile { promotions: profile.promotions, ..RuleProfile::default() };
        if profile != usual {
            return Err(stop(Verdict::NotAsked, format!("the protocol cannot say the rules {profile}")));
        }
        if self.player.is_lost() {
            return Err(stop(Verdict::NotAsked, "it has gone too often".into()));
        }
        self.player.new_game().map_err(|fault| stop(verdict_of(&fault), fault.to_string()))?;
        match self.case.kind {
            Kind::Mate(n) => {
                let Some(judge) = &self.case.judge else {
                    return Err(stop(Verdict::NotAsked, "nobody can judge the answer".into()));
                };
                self.mate(judge, n, Vec::new())
            }
            Kind::Over => {
                let limits = self.limits(None);
                let answer = self.player.ask(&self.case.game, limits);
                let Answer { moves, time, .. } =
                    answer.map_err(|fault| stop(verdict_of(&fault), fault.to_string()))?;
                self.slowest = time;
                match moves.filter(|moves| !moves.is_empty()) {
                    None => Ok(Vec::new()),
                    Some(moves) => {
                        let why = format!("it plays `{}` where no action is legal", moves.join(" "));
                        Err(stop(Verdict::Illegal, why))
                    }
                }
            }
            Kind::NoMate(n) => self.plays(n, None),
            Kind::Longer(n) => self.plays(n - 1, Some(n - 1)),
            Kind::OnlyAction | Kind::Play => self.plays(0, None),
        }
    }

    fn limits(&self, mate: Option<u32>) -> Limits {
        Limits { time: self.rules.time, nodes: self.rules.nodes, mate }
    }

    /// The next action of the engine.
    fn turn(&mut self, line: &[Action], mate: Option<u32>) -> Result<Turn, Stop> {
        let mut game = self.case.game.clone();
        game.actions.extend_from_slice(line);
        let limits = self.limits(mate);
        let turn = self.player.turn(&game, limits).map_err(|fault| Stop {
            verdict: verdict_of(&fault),
            why: fault.to_string(),
            line: line.to_vec(),
        })?;
        self.slowest = self.slowest.max(turn.time);
        self.stopped += turn.stopped;
        Ok(turn)
    }

    /// Asks for any legal action. Announcing a mate in at most `no_mate_in` actions is a failure.
    fn plays(&mut self, no_mate_in: u32, asked: Option<u32>) -> Result<Vec<Action>, Stop> {
        let Turn { action, score, .. } = self.turn(&[], asked)?;
        let line = vec![action];
        match score.and_then(Score::mate) {
            Some(mate) if (1..=i64::from(no_mate_in)).contains(&mate) => {
                let why = format!("it announces mate in {mate}; there is none in {no_mate_in}");
                Err(Stop { verdict: Verdict::FalseMate, why, line })
            }
            _ => Ok(line),
        }
    }

    /// Tests whether the engine mates after a line. Returns a line that ends in mate.
    fn mate(&mut self, judge: &Judge<'_>, n: u32, mut line: Vec<Action>) -> Result<Vec<Action>, Stop> {
        let Turn { action, score, .. } = self.turn(&line, None)?;
        let is_first = line.is_empty();
        line.push(action);
        let text = |line: &[Action], action: &Action| action_text(&judge.after(line), action);
        let stop = |verdict, why: String, line: &[Action]| Err(Stop { verdict, why, line: line.to_vec() });
        if let (true, Some(mate)) = (is_first, score.and_then(Score::mate))
            && (1..i64::from(n)).contains(&mate)
        {
            let why = format!("it announces mate in {mate}; the shortest is in {n}");
            return stop(Verdict::FalseMate, why, &line);
        }
        let refuted = |refutation: &Defence| match refutation {
            Defence::Action(reply) => format!("{} refutes it", text(&line, reply)),
            Defence::Stalemate => "it is stalemate".to_owned(),
        };
        let left = match judge.judge_last(&line, &mut judge.prover()) {
            Judgement::Correct { left: 0, .. } => return Ok(line),
            Judgement::Correct { left, .. } => left,
            // Only mates are examined here.
            Judgement::Holds { .. } => return Ok(line),
            Judgement::Slower { mate_in, refutation } => {
                let why = format!("mate in {mate_in} instead of {n}; {}", refuted(&refutation));
                return stop(Verdict::SlowerMate, why, &line);
            }
            Judgement::Wrong { refutation, .. } => {
                return stop(Verdict::LostMate, refuted(&refutation), &line);
            }
            Judgement::Illegal(why) => return stop(Verdict::Illegal, why.message, &line),
            Judgement::Undecided(why) => return stop(Verdict::Undecided, why.to_string(), &line),
        };
        let chosen = match self.chosen(judge, left, &line) {
            Ok(chosen) => chosen,
            Err(why) => return stop(Verdict::Undecided, why, &line),
        };
        let mut end = line.clone();
        for defence in chosen {
            self.defences += 1;
            let mut next = line.clone();
            next.push(defence);
            end = self.mate(judge, n, next)?;
        }
        Ok(end)
    }

    /// The chosen defences after a line.
    fn chosen(&self, judge: &Judge<'_>, left: u32, line: &[Action]) -> Result<Vec<Action>, String> {
        let mut prover = judge.prover();
        match self.rules.defences {
            Defences::Longest => {
                let longest = judge.longest_defence(line, left, &mut prover);
                Ok(longest.map_err(|why| why.to_string())?.into_iter().collect())
            }
            Defences::EachClass => {
                let classes = judge.defences(line, &mut prover).map_err(|why| why.to_string())?;
                Ok(classes.into_iter().filter_map(|class| class.into_iter().next()).collect())
            }
            Defences::Sample { count, seed } => {
                let position = judge.after(line);
                let (mut legal, mut actions) = (Vec::new(), prover.actions(&position));
                while let Some(action) = prover.next_action(&mut actions).map_err(|why| why.to_string())? {
                    prover.charge_memory(&action).map_err(|why| why.to_string())?;
                    legal.push(action);
                }
                // The sample depends only on the position and the seed.
                let text = position.to_string();
                let mut state = seed ^ fnv1a(text.bytes());
                let count = legal.len().min(count as usize);
                for place in 0..count {
                    let other = place + (random(&mut state) % (legal.len() - place) as u64) as usize;
                    legal.swap(place, other);
                }
                legal.truncate(count);
                Ok(legal)
            }
        }
    }
}

/// A pseudo-random number (SplitMix64).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn verdict_of(fault: &Fault) -> Verdict {
    match fault {
        Fault::Crashed(_) => Verdict::Crashed,
        Fault::Hung(_) => Verdict::Hung,
        Fault::Babbled(_) => Verdict::Babbled,
        Fault::NoMove(_) => Verdict::NoMove,
        Fault::Illegal { .. } => Verdict::Illegal,
        _ => Verdict::NotAsked,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::host::Settings;
    use crate::puzzle::load;

    fn documents(path: &str) -> Vec<Document> {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        load(path, &std::fs::read(file).unwrap())
    }

    /// An engine that prints these lines before its answer: this move, and then `submit`.
    fn player(says: &[&str], plays: &str) -> Player {
        let says: String = says.iter().map(|line| format!("echo 'info depth 1 score {line}'; ")).collect();
        let script = format!(
            "n=0; while read word rest; do case $word in 5duci) echo 5duciok;; isready) echo readyok;; \
             go) n=$((n+1)); if [ $n = 1 ]; then {says}echo 'bestmove {plays}'; else echo 'bestmove submit'; fi;; esac; done"
        );
        Player::new(&shell_words::join(["sh", "-c", &script]), &Settings::default()).unwrap()
    }

    const RULES: Rules =
        Rules { time: Duration::from_secs(5), nodes: None, defences: Defences::Sample { count: 1, seed: 1 } };

    #[test]
    fn only_a_mate_that_is_not_there_is_a_false_one_and_only_what_was_said_last_counts() {
        let documents = documents("puzzles/small/rook-from-the-past.yaml");
        let cases = cases(&documents, Options::default(), true);
        let longer = cases.iter().find(|case| case.kind == Kind::Longer(2)).unwrap();
        for (says, verdict) in [
            (&["mate 1"][..], Verdict::FalseMate),
            (&["mate 2"], Verdict::Solved),
            (&["mate 1", "cp 5"], Verdict::Solved),
            (&["cp 5", "mate 1"], Verdict::FalseMate),
        ] {
            let outcome = examine(longer, &mut player(says, "(0T1)a3(0T1)a4"), &RULES);
            assert_eq!(outcome.verdict, verdict, "{says:?}: {}", outcome.why);
        }
    }

    #[test]
    fn another_seed_chooses_other_defences() {
        let documents = documents("puzzles/small/today-and-yesterday.yaml");
        let cases = cases(&documents, Options::default(), false);
        let judge = cases[0].judge.as_ref().unwrap();
        let key = judge.solutions()[0][..1].to_vec();
        let mut player = player(&[], "(0T1)a1(0T1)a2");
        let mut chosen = |seed| {
            let rules = Rules { defences: Defences::Sample { count: 1, seed }, ..RULES };
            let (case, player) = (&cases[0], &mut player);
            let asking =
                Asking { case, player, rules: &rules, defences: 0, slowest: Duration::ZERO, stopped: 0 };
            asking.chosen(judge, judge.mate_in() - 1, &key).unwrap()
        };
        let all: BTreeSet<Vec<Action>> = (1..=30).map(&mut chosen).collect();
        assert!(all.len() > 1 && chosen(7) == chosen(7), "{all:?}");
    }
}
