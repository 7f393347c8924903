//! The review of a game, as a method of games.

use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use worldlines::review::{Limits, annotated, positions, review};
use worldlines::search::Budget;

use crate::errors::record;
use crate::game::Game;
use crate::search::length;
use crate::values::{Action, tuple};
use crate::work::{deadline, run};

#[pymethods]
impl Game {
    /// Reviews the game: mates in at most `longest` actions that were missed or allowed, only defences, and what the engine thinks of each
    /// action. `steps` limits the prover for each position and each action, `thinking` the engine; with 0 the engine has no say.
    #[pyo3(signature = (*, longest = 2, steps = 50_000, thinking = 50_000, time = None))]
    fn review<'py>(
        &self,
        py: Python<'py>,
        longest: u32,
        steps: u64,
        thinking: u64,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = Limits { longest: length(longest)?, budget: Budget::steps(steps), thinking };
        let (game, end) = (self.game(), deadline(time)?);
        let reviewed = run(py, end, |stop| review(game, limits, Some(stop)))?;
        let positions = positions(game);
        let mut findings = Vec::new();
        for (index, (action, found)) in game.actions.iter().zip(&reviewed.findings).enumerate() {
            for finding in found {
                let line = |line: Option<&[_]>| tuple(py, line.unwrap_or_default().iter().cloned());
                let text = finding.sentence(&positions[index], action);
                let (better, punishment) = (line(finding.better())?, line(finding.punishment())?);
                let fields = (index, Action::from(action.clone()), finding.kind(), text, better, punishment);
                findings.push(record(py, "ReviewFinding", fields)?);
            }
        }
        let annotated = Game::of(py, annotated(game, &reviewed))?;
        record(py, "Review", (PyTuple::new(py, findings)?, PyTuple::new(py, &reviewed.open)?, annotated))
    }
}
