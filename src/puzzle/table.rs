//! [`Table`]: rows that are looked up by the actions that they are about.

use std::collections::BTreeMap;

use crate::search::Class;
use crate::types::Action;

/// The rows of a table of actions: some about one action, some about a class, and one about all other
/// actions.
///
/// The spelling of an action in its row does not matter: actions are compared in canonical form. Classes are
/// asked in their order, and only if there is no row for the action itself.
#[derive(Clone, Debug)]
pub struct Table<T> {
    actions: BTreeMap<Action, T>,
    classes: Vec<(Class, T)>,
    otherwise: Option<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { actions: BTreeMap::new(), classes: Vec::new(), otherwise: None }
    }
}

impl<T> Table<T> {
    /// Adds a row about one action. A row that was there before stays, and is the error.
    ///
    /// # Errors
    ///
    /// The earlier row about this action.
    pub fn add(&mut self, action: Action, row: T) -> Result<(), &T> {
        use std::collections::btree_map::Entry;
        match self.actions.entry(action) {
            Entry::Vacant(entry) => {
                entry.insert(row);
                Ok(())
            }
            Entry::Occupied(entry) => Err(entry.into_mut()),
        }
    }

    /// Adds a row about a class.
    pub fn add_class(&mut self, class: Class, row: T) {
        self.classes.push((class, row));
    }

    /// Sets the row about every action that no other row covers.
    pub fn set_otherwise(&mut self, row: T) {
        self.otherwise = Some(row);
    }

    /// The row about an action.
    ///
    /// ```
    /// use worldlines::notation::pgn5d;
    /// use worldlines::puzzle::Table;
    ///
    /// let position = pgn5d::parse("").into_result().unwrap().end();
    /// let mut table = Table::default();
    /// table.add(pgn5d::parse_action(&position, "Nf3").unwrap(), "a knight").unwrap();
    /// table.set_otherwise("anything else");
    /// let knight = pgn5d::parse_action(&position, "(0T1)Ng1f3").unwrap();
    /// let pawn = pgn5d::parse_action(&position, "e4").unwrap();
    /// assert_eq!(table.get(&knight), Some(&"a knight"));
    /// assert_eq!(table.get(&pawn), Some(&"anything else"));
    /// ```
    pub fn get(&self, action: &Action) -> Option<&T> {
        let class = || self.classes.iter().find(|(class, _)| class.contains(action));
        self.actions.get(action).or_else(|| class().map(|(_, row)| row)).or(self.otherwise.as_ref())
    }

    /// Every row about an action except the one about all other actions.
    pub fn matching<'a>(&'a self, action: &'a Action) -> impl Iterator<Item = &'a T> {
        let classes = self.classes.iter().filter(|(class, _)| class.contains(action));
        self.actions.get(action).into_iter().chain(classes.map(|(_, row)| row))
    }

    /// The rows about single actions, in the order of the actions.
    pub fn actions(&self) -> impl Iterator<Item = (&Action, &T)> {
        self.actions.iter()
    }

    /// The number of rows about a class.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// Whether there are rows about more than one action.
    pub fn has_classes(&self) -> bool {
        !self.classes.is_empty()
    }
}
