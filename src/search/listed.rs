//! Lists that say whether something is missing.

use crate::types::Undecided;

/// A list that says whether something is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed<T> {
    /// The items, in the order that the question promises.
    pub items: Vec<T>,
    /// The reason why there may be more items; `None` if these are all.
    pub cut: Option<Cut>,
}

/// The reason why a list may lack items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// There are at least this many more than were asked for.
    More(u64),
    /// The search ended before all were found.
    Undecided(Undecided),
}

impl<T> Default for Listed<T> {
    fn default() -> Listed<T> {
        Listed { items: Vec::new(), cut: None }
    }
}

impl<T> Listed<T> {
    /// Items of which `count` exist.
    pub(super) fn of(items: Vec<T>, count: u64) -> Listed<T> {
        let more = count.saturating_sub(items.len() as u64);
        Listed { items, cut: (more > 0).then_some(Cut::More(more)) }
    }

    /// Whether these are all.
    pub fn is_complete(&self) -> bool {
        self.cut.is_none()
    }

    /// The reason why the search did not find all, if it ended early.
    pub fn undecided(&self) -> Option<Undecided> {
        match self.cut {
            Some(Cut::Undecided(why)) => Some(why),
            Some(Cut::More(_)) | None => None,
        }
    }

    /// The items, unless the search ended before all were found.
    ///
    /// # Errors
    ///
    /// When it did.
    pub fn found(self) -> Result<Vec<T>, Undecided> {
        match self.undecided() {
            Some(why) => Err(why),
            None => Ok(self.items),
        }
    }
}
