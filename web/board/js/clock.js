// @ts-check
// A clock for games under Play. It goes on with each action, and stands while something else is on the board.

import { $, make, option } from './dom.js';
import { words } from './language.js';
import * as session from './session.js';
import { isMain } from './tree.js';
import { nameOf } from './words.js';

/** Minutes, and the seconds that each action adds. */
const TIMES = ['3+2', '5+3', '10+5', '15+10', '30+20', '60+30'];
/** Milliseconds until the clock is shown anew, and those of which tenths are told. */
const TICK = 100;
const LITTLE = 10_000;

/** The clock of a new game. @param {string} time `5+3`; empty for none @returns {session.Clock | undefined} */
export function newClock(time) {
  const [minutes, increment] = time.split('+').map(Number);
  return time ? { time, increment: 1_000 * increment, white: 60_000 * minutes, black: 60_000 * minutes } : undefined;
}

/** A time as `4:31`, and as `9.3` where little is left. @param {number} left milliseconds */
export function timeText(left) {
  if (left < LITTLE) return (Math.floor(Math.max(0, left) / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @param {import('./board.js').Board} board */
export function clock(board) {
  $('clock').replaceChildren(option('', words.play.noClock), ...TIMES.map((time) => option(time, time.replace('+', ' + '))));
  const sides = /** @type {const} */ (['white', 'black']);
  const faces = sides.map((side) => make('span', { title: nameOf(side), 'data-side': side }));
  $('clocks').append(...faces);
  /** Whose time runs, in which document, since when, and what was left then. @type {{ id: string, side: session.Side, since: number, left: number } | undefined} */
  let running;
  /** Where the board stood. */
  let stood = { id: '', at: '' };

  const left = () => (running ? running.left - (performance.now() - running.since) : 0);

  /** Writes into the document what is left, and stops the clock. @param {number} [more] milliseconds that the action adds */
  function halt(more = 0) {
    const document = running && board.state.documents[running.id];
    if (running && document?.clock) board.keepClock(document.id, { ...document.clock, [running.side]: Math.max(0, left()) + more });
    running = undefined;
  }

  function changed() {
    const { id, at, tree, clock } = board.document;
    const isInSight = board.state.tab === 'play' && board.state.slot === 'game' && clock !== undefined;
    const isNext = stood.id === id && tree.nodes[at].parent === stood.at && isMain(tree, at) && tree.nodes[at].children.length === 0;
    if (stood.id !== id || stood.at !== at || !isInSight || board.isDecided) {
      const hasActed = isNext && isInSight && running?.id === id && running.side !== board.game.toMove;
      halt(hasActed && !board.isDecided ? clock?.increment : 0);
      const side = board.game.toMove;
      const now = board.document.clock;
      if (isNext && isInSight && now && now[side] > 0 && !board.isDecided) running = { id, side, since: performance.now(), left: now[side] };
    }
    stood = { id, at };
    show();
  }

  function show() {
    const { clock } = board.document;
    $('clocks').hidden = board.state.tab !== 'play' || board.state.slot !== 'game' || !clock;
    sides.forEach((side, index) => {
      const isRunning = running?.side === side;
      const time = isRunning ? left() : (clock?.[side] ?? 0);
      const text = timeText(time);
      if (faces[index].textContent !== text) faces[index].textContent = text;
      faces[index].classList.toggle('runs', isRunning);
      faces[index].classList.toggle('little', time < LITTLE);
    });
  }

  setInterval(() => {
    if (!running) return;
    show();
    if (left() > 0) return;
    const { side } = running;
    halt();
    board.timeOut(side);
  }, TICK);
  addEventListener('pagehide', () => {
    halt();
    board.save();
  });
  board.addEventListener('change', changed);
  changed();
}
