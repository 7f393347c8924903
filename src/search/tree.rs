//! Long mates by checks, found best first.
//!
//! A search that goes through all actions for a mate in N before it looks for one in N + 1 does not reach
//! long mates. This one follows the checks after which the defender has the fewest replies, as deep as they
//! lead. It is proof-number search in the order of df-pn, which leaves a part of the tree only when another
//! has become clearly more promising.
//!
//! Each position of the tree has two numbers. The *proof* is the least number of positions that must still
//! turn out to be mates to show that this one is a mate. The *disproof* is the least number that must turn
//! out not to be mates to show that it is none. For the attacker one action is enough, so the proof is the
//! least of those of the actions, and the disproof the sum; for the defender the other way round.
//!
//! The attacker's actions in the tree are checks, and not even all of them where there are very many. The
//! defender's are all legal actions. So every mate found is a mate, but finding none proves nothing. Begin at
//! [`Prover::mate_by_checks`].

use super::Candidates;
use super::prover::Prover;
use crate::state::Position;
use crate::types::{Action, Undecided};

/// A number of positions.
type Effort = u64;

/// The effort of something impossible.
const NEVER: Effort = Effort::MAX;

/// The number of the attacker's actions among which checks are looked for in a position.
const LOOKED_AT: usize = 20_000;

/// A check with at most this proof is followed before other checks are looked for.
const EASY: Effort = 32;

/// The most replies to a check that are counted; checks with more count as equal.
const COUNTED: Effort = 64;

/// The most replies to a check that are tried; a check with more is given up.
const REPLIES: usize = 20_000;

/// A search for a mate by checks that can be interrupted and resumed.
pub(super) struct Tree {
    /// The length that is looked for now, in actions of the attacker.
    length: u32,
    /// The longest length wanted.
    longest: u32,
    root: Node,
    bytes: u64,
}

/// An action and the position after it.
struct Node {
    action: Action,
    /// The least number of positions that must be shown to be mates to show that this one is; 0 if it is.
    proof: Effort,
    /// The least number that must be shown not to be mates to show that this one is none; 0 if it is none
    /// among the actions examined.
    disproof: Effort,
    /// The number of further actions of the attacker, once it is known. While replies are left, the most so
    /// far.
    length: u32,
    /// The actions that are not settled. `None` before they are listed, and when the position is settled.
    children: Option<Vec<Node>>,
    /// With the attacker to move: whether the children are all checks, or only those that helped elsewhere.
    is_listed: bool,
}

impl Node {
    fn new(action: Action) -> Node {
        Node { action, proof: 1, disproof: 1, length: 0, children: None, is_listed: false }
    }

    fn bytes(&self) -> u64 {
        let own = size_of::<Node>() + size_of_val(self.action.moves());
        own as u64 + self.children.iter().flatten().map(Node::bytes).sum::<u64>()
    }
}

impl Tree {
    /// A search for mates in 2 to this many actions.
    pub(super) fn new(longest: u32) -> Tree {
        Tree { length: 2, longest, root: Node::new(Action::default()), bytes: 0 }
    }
}

/// The choices of a side: it needs one of them, and the other side all.
struct Choices {
    /// The index of the choice with the least effort.
    best: usize,
    least: Effort,
    /// The least effort of the others.
    second: Effort,
    /// The effort of the other side, which needs all choices.
    all: Effort,
    /// The same without the best choice.
    rest: Effort,
}

impl Choices {
    fn of(nodes: &[Node], own: fn(&Node) -> Effort, others: fn(&Node) -> Effort) -> Choices {
        let mut choices = Choices { best: 0, least: NEVER, second: NEVER, all: 0, rest: 0 };
        for (index, node) in nodes.iter().enumerate() {
            let effort = own(node);
            if effort < choices.least {
                choices.second = choices.least;
                (choices.best, choices.least) = (index, effort);
            } else {
                choices.second = choices.second.min(effort);
            }
        }
        for (index, node) in nodes.iter().enumerate() {
            // A great effort is not yet an impossible one.
            choices.all = choices.all.saturating_add(others(node)).min(NEVER - 1);
            if index == choices.best {
                continue;
            }
            choices.rest = choices.rest.saturating_add(others(node)).min(NEVER - 1);
        }
        choices
    }

    /// The threshold for the best: the effort of the second best and a quarter more, against going to and fro.
    fn patience(&self) -> Effort {
        self.second.saturating_add(1 + self.second / 4)
    }
}

impl Prover<'_> {
    /// Looks for a mate by checks in at most `longest` (2 or more) actions of the player to move. Returns an
    /// action that forces it, and its length. It finds long mates sooner than a search through all actions.
    /// `None` proves nothing: there may be a mate with a quiet action, or one among very many checks.
    ///
    /// ```
    /// use worldlines::notation::fen5d;
    /// use worldlines::search::{Analysis, Budget, Prover};
    ///
    /// let position = fen5d::parse("[8/8/4k3/8/R7/1R6/8/K7:0:1:w]").into_result()?;
    /// let mut prover = Prover::new(Budget::default());
    /// let (length, key) = prover.mate_by_checks(&position, 5).expect("few steps").expect("a mate");
    /// assert_eq!(length, 3);
    /// let line = Analysis::new(&mut prover, &position, length).line(&key).expect("few steps");
    /// assert_eq!(line.map(|line| line.len()), Some(5));
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the budget is spent before one is found.
    pub fn mate_by_checks(
        &mut self,
        position: &Position,
        longest: u32,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        self.ask_about(position);
        self.grow(&mut Tree::new(longest), position)
    }

    /// Continues the search for a mate by checks. `None` if it has ended: it found no mate, or gave up where
    /// there were too many replies.
    ///
    /// The length is the shortest by the checks examined, and the positions of the proof are remembered.
    ///
    /// # Errors
    ///
    /// If the budget is spent first.
    pub(super) fn grow(
        &mut self,
        tree: &mut Tree,
        position: &Position,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        while tree.length <= tree.longest {
            let mut visit =
                Visit { position: position.clone(), bytes: tree.bytes, answer: None, prover: self };
            let visited = visit.attacker(&mut tree.root, tree.length, [NEVER, NEVER]);
            let answer = visit.answer.take();
            tree.bytes = visit.bytes;
            visited?;
            if tree.root.proof == 0 {
                return Ok(answer.map(|answer| (tree.root.length, answer)));
            }
            *tree = Tree { length: tree.length + 1, ..Tree::new(tree.longest) };
        }
        Ok(None)
    }
}

/// A walk through the tree.
struct Visit<'v, 's> {
    prover: &'v mut Prover<'s>,
    position: Position,
    /// The bytes of the tree.
    bytes: u64,
    /// The attacker's action in the last position that was proven.
    answer: Option<Action>,
}

impl Visit<'_, '_> {
    /// Examines a position with the attacker to move until it is settled, or its proof or disproof reaches
    /// one of `limits`.
    fn attacker(&mut self, node: &mut Node, left: u32, limits: [Effort; 2]) -> Result<(), Undecided> {
        let mut children = match node.children.take() {
            Some(children) => children,
            None => {
                if let Some((length, answer)) = self.prover.known_mate(&self.position, left) {
                    (node.proof, node.disproof, node.length) = (0, NEVER, length);
                    self.answer = Some(answer);
                    return Ok(());
                }
                node.is_listed = false;
                let helped = self.checks_that_helped(left)?;
                self.counted(helped)
            }
        };
        loop {
            self.drop_settled(&mut children, |child| child.disproof == 0);
            let now = Choices::of(&children, |child| child.proof, |child| child.disproof);
            if now.least > EASY && !node.is_listed {
                self.drop_all(&mut children);
                let checks = self.checks()?;
                children = self.counted(checks);
                node.is_listed = true;
                continue;
            }
            (node.proof, node.disproof) = (now.least, now.all);
            if node.proof == 0 {
                let Node { action, length, .. } = &children[now.best];
                let (action, length) = (action.clone(), *length);
                self.drop_all(&mut children);
                (node.length, node.disproof) = (length + 1, NEVER);
                self.prover.note_mate(&self.position, left, node.length, &action);
                self.answer = Some(action);
                return Ok(());
            }
            if node.disproof == 0 || node.proof >= limits[0] || node.disproof >= limits[1] {
                self.keep(node, children);
                return Ok(());
            }
            let child = &mut children[now.best];
            let limits = [limits[0].min(now.patience()), limits[1].saturating_sub(now.rest)];
            let action = child.action.clone();
            self.position.play_unchecked(&action);
            let visited = self.defender(child, left - 1, limits);
            self.position.undo_unchecked(&action);
            if visited.is_err() {
                node.children = Some(children);
                return visited;
            }
        }
    }

    /// The same for a position with the defender to move.
    fn defender(&mut self, node: &mut Node, left: u32, limits: [Effort; 2]) -> Result<(), Undecided> {
        if left == 1 {
            let mates = self.prover.defence(&self.position, 1, Candidates::Complete)?.is_none();
            (node.proof, node.disproof) = if mates { (0, NEVER) } else { (NEVER, 0) };
            node.length = 1;
            return Ok(());
        }
        let mut children = match node.children.take() {
            Some(children) => children,
            None => match self.replies()? {
                Some(replies) => self.counted(replies),
                None => {
                    (node.proof, node.disproof) = (NEVER, 0);
                    return Ok(());
                }
            },
        };
        loop {
            for child in children.iter().filter(|child| child.proof == 0) {
                node.length = node.length.max(child.length);
            }
            self.drop_settled(&mut children, |child| child.proof == 0);
            let now = Choices::of(&children, |child| child.disproof, |child| child.proof);
            (node.disproof, node.proof) = (now.least, now.all);
            if node.disproof == 0 {
                self.drop_all(&mut children);
                node.proof = NEVER;
                return Ok(());
            }
            if node.proof == 0 || node.proof >= limits[0] || node.disproof >= limits[1] {
                self.keep(node, children);
                return Ok(());
            }
            let child = &mut children[now.best];
            let limits = [limits[0].saturating_sub(now.rest), limits[1].min(now.patience())];
            let defence = child.action.clone();
            self.position.play_unchecked(&defence);
            let visited = self.attacker(child, left, limits);
            self.position.undo_unchecked(&defence);
            if visited.is_err() {
                node.children = Some(children);
                return visited;
            }
        }
    }

    /// The checks that mated elsewhere with as many actions left.
    fn checks_that_helped(&mut self, left: u32) -> Result<Vec<Node>, Undecided> {
        let mut checks = Vec::new();
        for answer in self.prover.answers(left) {
            self.prover.charge_trial()?;
            if self.position.play_if_legal(&answer) {
                let is_check = self.position.is_in_check();
                let checked = if is_check { self.check(answer.clone()).map(Some) } else { Ok(None) };
                self.position.undo_unchecked(&answer);
                checks.extend(checked?);
            }
        }
        Ok(checks)
    }

    /// The checks in a position with the attacker to move. If one mates, the list ends with it.
    fn checks(&mut self) -> Result<Vec<Node>, Undecided> {
        let before = self.position.clone();
        let mut actions = self.prover.actions(&before);
        let mut checks = Vec::new();
        for _ in 0..LOOKED_AT {
            let Some(action) = self.prover.next_action(&mut actions)? else { break };
            self.position.play_unchecked(&action);
            let is_check = self.position.is_in_check();
            let checked = if is_check { self.check(action.clone()).map(Some) } else { Ok(None) };
            self.position.undo_unchecked(&action);
            if let Some(check) = checked? {
                let mates = check.proof == 0;
                checks.push(check);
                if mates {
                    break;
                }
            }
        }
        Ok(checks)
    }

    /// The node of the check that was just given.
    fn check(&mut self, action: Action) -> Result<Node, Undecided> {
        let mut replies = self.prover.actions(&self.position);
        let mut proof = 0;
        while proof < COUNTED && self.prover.next_action(&mut replies)?.is_some() {
            proof += 1;
        }
        let disproof = if proof == 0 { NEVER } else { 1 };
        Ok(Node { proof, disproof, ..Node::new(action) })
    }

    /// All replies to a check; `None` when there are too many.
    fn replies(&mut self) -> Result<Option<Vec<Node>>, Undecided> {
        let before = self.position.clone();
        let mut actions = self.prover.actions(&before);
        let mut replies = Vec::new();
        while let Some(action) = self.prover.next_action(&mut actions)? {
            if replies.len() == REPLIES {
                return Ok(None);
            }
            replies.push(Node::new(action));
        }
        Ok(Some(replies))
    }

    /// The same nodes; their bytes are added to those of the tree.
    fn counted(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        self.bytes += nodes.iter().map(Node::bytes).sum::<u64>();
        nodes
    }

    /// Keeps the children of a node that the search leaves, if there is memory for them.
    fn keep(&mut self, node: &mut Node, mut children: Vec<Node>) {
        if self.bytes <= self.prover.memory_left() {
            node.children = Some(children);
        } else {
            self.drop_all(&mut children);
        }
    }

    fn drop_settled(&mut self, nodes: &mut Vec<Node>, is_settled: impl Fn(&Node) -> bool) {
        nodes.retain(|node| {
            if is_settled(node) {
                self.bytes -= node.bytes();
            }
            !is_settled(node)
        });
    }

    fn drop_all(&mut self, nodes: &mut Vec<Node>) {
        self.drop_settled(nodes, |_| true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;

    fn ladder() -> Position {
        fen5d::parse("[8/8/4k3/8/R7/1R6/8/K7:0:1:w]").into_result().unwrap()
    }

    #[test]
    fn a_search_that_is_cut_short_goes_on_where_it_was() {
        let position = ladder();
        let mut whole = Prover::new(Budget::default());
        let expected = whole.mate_by_checks(&position, 3).unwrap();
        assert_eq!(expected.as_ref().map(|(length, _)| *length), Some(3));
        let mut prover = Prover::new(Budget::default());
        prover.ask_about(&position);
        let mut tree = Tree::new(3);
        let mut turns = 1;
        let found = loop {
            match prover.within(whole.steps() / 4, |prover| prover.grow(&mut tree, &position)) {
                Ok(found) => break found,
                Err(_) => turns += 1,
            }
        };
        assert_eq!(found.map(|(length, _)| length), Some(3));
        assert!(turns > 1 && prover.steps() < 3 * whole.steps(), "{turns} turns, {}", prover.steps());
    }

    #[test]
    fn what_the_tree_takes_is_known_to_the_byte() {
        let position = ladder();
        let mut prover = Prover::new(Budget::default());
        prover.ask_about(&position);
        let mut tree = Tree::new(5);
        for _ in 0..40 {
            let grown = prover.within(400, |prover| prover.grow(&mut tree, &position));
            assert_eq!(tree.bytes, tree.root.bytes() - Node::new(Action::default()).bytes());
            if grown.is_ok() {
                break;
            }
        }
        assert_eq!(tree.root.proof, 0, "the mate was found");
    }

    #[test]
    fn without_room_it_takes_longer_and_finds_the_same() {
        let position = ladder();
        let mut prover = Prover::new(Budget { memory: 0, ..Budget::default() });
        let action = position.legal_actions().next().unwrap();
        while prover.charge_memory(&action).is_ok() {}
        assert!(prover.memory_left() < 1_000);
        let found = prover.mate_by_checks(&position, 3).unwrap();
        assert_eq!(found.map(|(length, _)| length), Some(3));
    }

    #[test]
    fn a_quiet_mate_and_a_stalemate_are_not_found() {
        let quiet = fen5d::parse("[KB2/2k1:0:1:w]").into_result().unwrap();
        let mut prover = Prover::new(Budget::default());
        assert_eq!(prover.mate_by_checks(&quiet, 2), Ok(None));
        assert!(prover.solve(&quiet, 2, false).shortest == Some(2));
    }
}
