//! No mate: after every action of the attacker one of some listed replies is enough. Begin at [`deny`].
//!
//! The replies are listed by the number of actions that the attacker has left, whatever came before. So the proof of *no mate
//! in n* is short, and one table serves all questions about one puzzle. In which order the replies are tried changes the work and
//! no answer.

use std::collections::{BTreeSet, HashMap};

use super::Threat;
use super::capture::first_threat;
use super::check::{is_in_check, play_if_legal};
use super::cover::Cover;
use super::looks::Looks;
use crate::state::{Board, Position};
use crate::types::{Action, Because, Status};

/// The defender's replies that are tried after an action of the attacker, by the number of actions that the attacker had left
/// with that one. It also remembers some positions in which no mate was shown with them, so that later questions about a puzzle need not show it again.
///
/// Tables with the same replies are equal, whatever was shown with them.
#[derive(Clone, Debug, Default)]
pub struct RefutationTable {
    replies: Vec<Vec<Action>>,
    memory: Memory,
}

impl PartialEq for RefutationTable {
    fn eq(&self, other: &RefutationTable) -> bool {
        self.replies == other.replies
    }
}

impl Eq for RefutationTable {}

impl RefutationTable {
    /// The table of these lists: the first for one action that is left, the second for two, and so on. Nothing is shown yet.
    pub fn new(lists: Vec<Vec<Action>>) -> RefutationTable {
        RefutationTable { replies: lists, memory: Memory::default() }
    }

    /// The same replies, with nothing shown yet.
    pub fn fresh(&self) -> RefutationTable {
        RefutationTable::new(self.replies.clone())
    }

    /// The lists. The replies that helped last come first.
    pub fn lists(&self) -> &[Vec<Action>] {
        &self.replies
    }

    fn reply(&self, left: u32, index: usize) -> Option<&Action> {
        self.replies.get(left as usize - 1)?.get(index)
    }

    /// Moves a reply to the front of its list.
    fn promote(&mut self, left: u32, index: usize) {
        self.replies[left as usize - 1][..=index].rotate_right(1);
    }

    /// Adds a reply to the front of a list.
    fn add(&mut self, left: u32, reply: Action) -> Result<(), Because> {
        let index = left as usize - 1;
        if self.replies.len() <= index {
            self.replies.resize_with(index + 1, Vec::new);
        }
        if self.replies[index].len() >= MOST_REPLIES {
            return Err(Because::Memory);
        }
        self.replies[index].insert(0, reply);
        Ok(())
    }
}

/// Positions without a mate in time, each with the numbers of actions for which this was shown.
///
/// A position is compared whole, with its rules. So it does not matter by which question, or through which line, it was shown. What is remembered
/// counts for the same number only. No mate in N means none in fewer, but that would be shown by other lists, and a file that lacks them must be
/// refused by every checker, with a memory or without.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// With the attacker to move, and so many actions left.
    before: HashMap<Position, Numbers>,
    /// With the defender to move, and so many actions left with the one that was just played.
    after: HashMap<Position, Numbers>,
    /// The number of boards of all these positions.
    boards: usize,
}

/// A bit for each number of actions, up to [`MOST_ACTIONS`].
type Numbers = u128;

/// The most boards of remembered positions.
const MOST_REMEMBERED: usize = 50_000;

impl Memory {
    /// Whether the attacker to move has no mate in `left`.
    fn is_denied(&self, position: &Position, left: u32) -> bool {
        self.before.get(position).is_some_and(|numbers| numbers >> left & 1 > 0)
    }

    /// Whether the defender to move has a reply that is enough, or needs none.
    fn is_refuted(&self, position: &Position, left: u32) -> bool {
        self.after.get(position).is_some_and(|numbers| numbers >> left & 1 > 0)
    }

    fn add_denied(&mut self, position: &Position, left: u32) {
        Self::add(&mut self.before, &mut self.boards, position, left);
    }

    fn add_refuted(&mut self, position: &Position, left: u32) {
        Self::add(&mut self.after, &mut self.boards, position, left);
    }

    fn add(shown: &mut HashMap<Position, Numbers>, boards: &mut usize, position: &Position, left: u32) {
        let number = 1 << left;
        if let Some(numbers) = shown.get_mut(position) {
            *numbers |= number;
            return;
        }
        let more = position.multiverse().count();
        if *boards + more <= MOST_REMEMBERED {
            *boards += more;
            shown.insert(position.clone(), number);
        }
    }
}

/// Somebody who knows replies that are not in the table yet. What is said is checked.
pub trait Adviser {
    /// A reply of the player to move that leaves the attacker no mate in `left` further actions.
    ///
    /// # Errors
    ///
    /// When it is not known.
    fn reply(&mut self, position: &Position, left: u32) -> Result<Option<Action>, Because>;

    /// Whether the player to move, the attacker, has a mate in `left` actions.
    ///
    /// # Errors
    ///
    /// When it is not known.
    fn mates(&mut self, position: &Position, left: u32) -> Result<bool, Because>;
}

/// The answer to [`deny`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denial {
    /// No action of the attacker mates in time, except perhaps those that contain a key.
    Denied,
    /// After this action of the attacker no reply of the table is enough. That does not mean that it mates.
    Open(Action),
    /// It was not found out: looks or memory did not suffice, or more timelines can be made than are supported.
    Undecided(Because),
}

/// The most actions of the attacker: so many lists may be asked within each other.
pub const MOST_ACTIONS: u32 = 64;

/// The most replies in a list that an adviser fills.
const MOST_REPLIES: usize = 10_000;

/// Looks for evidence that the player to move, the attacker, has no mate in `n` actions, except perhaps by actions that contain one of
/// these keys. With an adviser the table gets more replies; with or without one it remembers what was shown.
///
/// ```
/// use worldlines::notation::fen5d;
/// use worldlines::search::certificate::{Denial, Looks, RefutationTable, deny};
///
/// // The king is not in check after any move of the other king, so no reply is needed.
/// let start = fen5d::parse("[k2/3/2K:0:1:w]").into_result()?;
/// let denial = deny(&start, 1, &[], &mut RefutationTable::default(), None, &Looks::within(10_000));
/// assert_eq!(denial, Denial::Denied);
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub fn deny(
    position: &Position,
    n: u32,
    keys: &[Action],
    table: &mut RefutationTable,
    adviser: Option<&mut dyn Adviser>,
    looks: &Looks<'_>,
) -> Denial {
    if n > MOST_ACTIONS {
        return Denial::Undecided(Because::Budget);
    }
    if table.memory.is_denied(position, n) {
        return Denial::Denied;
    }
    let mut denier = Denier::new(position, table, adviser, looks);
    match denier.open_action(n, keys) {
        Ok(None) => {
            if keys.is_empty() && n > 1 {
                table.memory.add_denied(position, n);
            }
            Denial::Denied
        }
        Ok(Some(action)) => Denial::Open(action),
        Err(because) => Denial::Undecided(because),
    }
}

/// Actions of the player to move that mate at once: at least each of which no part does. No reply has to be known before; those that are
/// found are added to the table.
///
/// # Errors
///
/// When looks or memory do not suffice.
pub fn mates_in_one(
    position: &Position,
    table: &mut RefutationTable,
    looks: &Looks<'_>,
) -> Result<Vec<Action>, Because> {
    let mut mates = Vec::new();
    let adviser: Option<&mut dyn Adviser> = Some(&mut Lister { looks });
    let mut denier = Denier::new(position, table, adviser, looks);
    // Those that were found are passed over, and what contains one of them with them.
    denier.list(1, &mut mates, true)?;
    Ok(mates)
}

/// An action of the player to move that mates at once: the first that is met.
///
/// # Errors
///
/// When looks or memory do not suffice.
pub fn mate_in_one(
    position: &Position,
    table: &mut RefutationTable,
    looks: &Looks<'_>,
) -> Result<Option<Action>, Because> {
    match deny(position, 1, &[], table, Some(&mut Lister { looks }), looks) {
        Denial::Denied => Ok(None),
        Denial::Open(mate) => Ok(Some(mate)),
        Denial::Undecided(because) => Err(because),
    }
}

/// An adviser for the last action, who lists the legal replies.
struct Lister<'a> {
    looks: &'a Looks<'a>,
}

impl Adviser for Lister<'_> {
    fn reply(&mut self, position: &Position, _: u32) -> Result<Option<Action>, Because> {
        LegalActions::of(position, self.looks)?.next_action()
    }

    fn mates(&mut self, _: &Position, _: u32) -> Result<bool, Because> {
        Ok(false)
    }
}

/// The state of the game for the player to move, found by listing the legal actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Whether a royal piece could be captured if the player passed (R-6.4).
    pub in_check: bool,
    /// Whether there is a legal action.
    pub has_action: bool,
    /// Whether a legal action leaves the present where it is, or moves it forward: without one, a check is a softmate (R-6.9).
    pub has_plain_action: bool,
}

impl Standing {
    /// The status that this is.
    pub fn status(self) -> Status {
        match (self.in_check, self.has_action) {
            (true, false) => Status::Checkmate,
            (false, false) => Status::Stalemate,
            (true, true) if !self.has_plain_action => Status::Softmate,
            _ => Status::Ongoing,
        }
    }
}

/// The standing of the player to move.
///
/// # Errors
///
/// When looks or memory do not suffice.
pub fn standing(position: &Position, looks: &Looks<'_>) -> Result<Standing, Because> {
    let present = position.present();
    let after = &mut position.clone();
    let in_check = is_in_check(after, looks)?;
    let (mut has_action, mut has_plain_action) = (false, false);
    let mut legal = LegalActions::of(position, looks)?;
    while let Some(action) = legal.next_action()? {
        has_action = true;
        after.play_unchecked(&action);
        has_plain_action = after.present() >= present;
        after.undo_unchecked(&action);
        if has_plain_action {
            break;
        }
    }
    Ok(Standing { in_check, has_action, has_plain_action })
}

/// Whether an action of the player to move mates; `None` if it is not legal.
///
/// # Errors
///
/// When looks or memory do not suffice.
pub fn is_mate(position: &mut Position, action: &Action, looks: &Looks<'_>) -> Result<Option<bool>, Because> {
    if !play_if_legal(position, action, looks)? {
        return Ok(None);
    }
    let standing = standing(position, looks);
    position.undo_unchecked(action);
    standing.map(|standing| Some(standing.in_check && !standing.has_action))
}

/// The legal actions of the player to move, one after another.
struct LegalActions<'l> {
    position: Position,
    cover: Cover<'l>,
    looks: &'l Looks<'l>,
}

impl<'l> LegalActions<'l> {
    fn of(position: &Position, looks: &'l Looks<'l>) -> Result<Self, Because> {
        let cover = Cover::new(position, &[], looks)?;
        Ok(LegalActions { position: position.clone(), cover, looks })
    }

    /// The next of them. A capture that makes an action illegal has to be parried from then on.
    fn next_action(&mut self) -> Result<Option<Action>, Because> {
        while let Some(action) = self.cover.next_action()? {
            self.position.play_unchecked(&action);
            let capture = first_threat(&self.position, self.looks);
            self.position.undo_unchecked(&action);
            match capture? {
                None => return Ok(Some(action)),
                Some(capture) => self.cover.add_threat(&self.position, capture)?,
            }
        }
        Ok(None)
    }
}

/// The legal actions of the player to move.
///
/// # Errors
///
/// When looks or memory do not suffice.
pub fn legal_actions(position: &Position, looks: &Looks<'_>) -> Result<BTreeSet<Action>, Because> {
    let (mut actions, mut held) = (BTreeSet::new(), looks.hold());
    let mut legal = LegalActions::of(position, looks)?;
    while let Some(action) = legal.next_action()? {
        held.take(size_of::<Action>() + size_of_val(action.moves()))?;
        actions.insert(action);
    }
    Ok(actions)
}

/// The most captures of the attacker's royal pieces that are remembered.
const MOST_EXPOSURES: usize = 16;

/// The number of actions left to the attacker from which on the replies are tried in the order of the actions that they leave him: fewer
/// actions are sooner refuted. With fewer left, counting takes longer than it saves.
const LEAST_ORDERED: u32 = 3;

/// The most actions that are counted after a reply.
const MOST_COUNTED: usize = 64;

/// Whether an action of the attacker is answered, and how.
enum Answered {
    Yes,
    No,
    /// By a reply after which the attacker has no action left. It is the first of its list.
    ByLastReply,
    /// The defender could capture a royal piece.
    Illegal(Threat),
}

struct Denier<'a, 'b> {
    position: Position,
    table: &'a mut RefutationTable,
    adviser: Option<&'a mut (dyn Adviser + 'b)>,
    looks: &'a Looks<'a>,
    /// Captures that made actions of the attacker illegal.
    exposures: Vec<Threat>,
    /// The number of replies that were played to come here. What is shown after the first action and its reply is remembered: other questions
    /// about a puzzle begin there.
    depth: u32,
}

impl<'a, 'b> Denier<'a, 'b> {
    fn new(
        position: &Position,
        table: &'a mut RefutationTable,
        adviser: Option<&'a mut (dyn Adviser + 'b)>,
        looks: &'a Looks<'a>,
    ) -> Denier<'a, 'b> {
        Denier { position: position.clone(), table, adviser, looks, exposures: Vec::new(), depth: 0 }
    }

    /// An action of the attacker that contains no key and after which no reply leaves no mate in time. `None` if there is none.
    fn open_action(&mut self, n: u32, keys: &[Action]) -> Result<Option<Action>, Because> {
        if n == 0 { Ok(None) } else { self.list(n, &mut keys.to_vec(), false) }
    }

    /// The same; with `collects`, such an action becomes a key instead of ending the list.
    fn list(&mut self, n: u32, keys: &mut Vec<Action>, collects: bool) -> Result<Option<Action>, Because> {
        // With one action left only a check can mate.
        let list = if n == 1 { Cover::of_checks } else { Cover::new };
        let mut cover = list(&self.position, &self.exposures, self.looks)?;
        while let Some(action) = cover.next_action()? {
            self.position.play_unchecked(&action);
            let answered = self.answered(&action, n, keys);
            self.position.undo_unchecked(&action);
            match answered? {
                Answered::Yes => {}
                Answered::ByLastReply => {
                    let reply = self.table.reply(1, 0).expect("the reply that was enough").clone();
                    cover.add_reply(&mut self.position, &action, &reply)?;
                }
                Answered::No if collects => keys.push(action),
                Answered::No => return Ok(Some(action)),
                Answered::Illegal(capture) => {
                    cover.add_threat(&self.position, capture)?;
                    if !self.exposures.contains(&capture) {
                        self.exposures.truncate(MOST_EXPOSURES - 1);
                        self.exposures.insert(0, capture);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether an action of the attacker that was just played contains a key, or is refuted.
    fn answered(&mut self, action: &Action, n: u32, keys: &[Action]) -> Result<Answered, Because> {
        if let Some(threat) = first_threat(&self.position, self.looks)? {
            return Ok(Answered::Illegal(threat));
        }
        self.looks.charge(keys.len() / 8)?;
        if keys.iter().any(|key| action.contains(key)) {
            return Ok(Answered::Yes);
        }
        if self.depth > 0 || n == 1 {
            return self.refuted(n);
        }
        self.charge_for_memory()?;
        if self.table.memory.is_refuted(&self.position, n) {
            return Ok(Answered::Yes);
        }
        let answered = self.refuted(n)?;
        if matches!(answered, Answered::Yes) {
            self.table.memory.add_refuted(&self.position, n);
        }
        Ok(answered)
    }

    /// Whether the player to move, the defender, is not mated in time after the attacker's action, which was one of `n`.
    fn refuted(&mut self, n: u32) -> Result<Answered, Because> {
        // Most replies take longer to try than a check to see, and only a check can mate at once.
        if n == 1 && !is_in_check(&mut self.position, self.looks)? {
            return Ok(Answered::Yes);
        }
        let by_reply = if n == 1 { Answered::ByLastReply } else { Answered::Yes };
        if self.is_refuted_by_the_table(n)? {
            return Ok(by_reply);
        }
        if n > 1 && !is_in_check(&mut self.position, self.looks)? && !self.has_legal_action()? {
            return Ok(Answered::Yes);
        }
        let Some(adviser) = &mut self.adviser else { return Ok(Answered::No) };
        let Some(reply) = adviser.reply(&self.position, n - 1)? else { return Ok(Answered::No) };
        if !self.refutes(&reply, n)? {
            return Ok(Answered::No);
        }
        self.table.add(n, reply)?;
        Ok(by_reply)
    }

    /// Whether a reply of the table is enough after the attacker's action, which was one of `n`. That one becomes the first of its list.
    fn is_refuted_by_the_table(&mut self, n: u32) -> Result<bool, Because> {
        let (mut index, mut later) = (0, Vec::new());
        while let Some(reply) = self.table.reply(n, index) {
            self.looks.charge(usize::from(index % 16 == 15))?;
            if self.may_begin(reply) {
                let reply = reply.clone();
                if n >= LEAST_ORDERED {
                    later.extend(self.actions_after(&reply)?.map(|actions| (actions, index)));
                } else if self.refutes(&reply, n)? {
                    self.table.promote(n, index);
                    return Ok(true);
                }
            }
            index += 1;
        }
        later.sort_unstable();
        for (_, index) in later {
            let reply = self.table.reply(n, index).expect("a reply of the list").clone();
            if self.refutes(&reply, n)? {
                self.table.promote(n, index);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Pays for a comparison with remembered positions.
    fn charge_for_memory(&self) -> Result<(), Because> {
        self.looks.charge(self.position.multiverse().count() / 4)
    }

    /// Whether a piece of the player to move stands where each move of a reply begins. Most replies of a table fail already here.
    fn may_begin(&self, reply: &Action) -> bool {
        reply.moves().iter().all(|m| {
            let at = m.from.board;
            let is_own = |board: &Board| board.get(m.from.square).is_some_and(|it| it.color == at.color());
            self.position.playable(at.timeline) == Some(at) && self.position.board(at).is_some_and(is_own)
        })
    }

    /// The number of actions that a reply leaves the attacker, counted up to [`MOST_COUNTED`]; that many if there is no room for them. `None` if
    /// the reply is not legal.
    fn actions_after(&mut self, reply: &Action) -> Result<Option<usize>, Because> {
        if !play_if_legal(&mut self.position, reply, self.looks)? {
            return Ok(None);
        }
        let counted = LegalActions::of(&self.position, self.looks).and_then(|mut legal| {
            let mut count = 0;
            while count < MOST_COUNTED && legal.next_action()?.is_some() {
                count += 1;
            }
            Ok(count)
        });
        self.position.undo_unchecked(reply);
        match counted {
            Err(Because::Size | Because::Memory) => Ok(Some(MOST_COUNTED)),
            counted => counted.map(Some),
        }
    }

    /// Whether a reply is legal and leaves the attacker no mate in n - 1.
    fn refutes(&mut self, reply: &Action, n: u32) -> Result<bool, Because> {
        if !play_if_legal(&mut self.position, reply, self.looks)? {
            return Ok(false);
        }
        self.depth += 1;
        let refutes = self.leaves_no_mate(n - 1);
        self.depth -= 1;
        if self.depth == 0 && n > 2 && matches!(refutes, Ok(true)) {
            self.table.memory.add_denied(&self.position, n - 1);
        }
        self.position.undo_unchecked(reply);
        refutes
    }

    fn leaves_no_mate(&mut self, n: u32) -> Result<bool, Because> {
        if self.depth == 1 && n > 1 {
            self.charge_for_memory()?;
            if self.table.memory.is_denied(&self.position, n) {
                return Ok(true);
            }
        }
        if let Some(adviser) = self.adviser.as_mut().filter(|_| n > 0)
            && adviser.mates(&self.position, n)?
        {
            return Ok(false);
        }
        Ok(self.open_action(n, &[])?.is_none())
    }

    fn has_legal_action(&mut self) -> Result<bool, Because> {
        Ok(Lister { looks: self.looks }.reply(&self.position, 0)?.is_some())
    }
}
