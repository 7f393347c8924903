// @ts-check
// Settings, help, the tour of the first visit, and the view of how a game ended.

import { Asker } from './ask.js';
import { $, make } from './dom.js';
import { nameOf, otherThan } from './words.js';

/** @typedef {import('./board.js').Board} Board */

/** Steps of the tour: an element to stand beside, a heading, a text. @type {[string, string, string][]} */
const TOUR = [
  ['board', 'Chess with time', 'Time runs to the right. The board with the gold frame is the present: a move there makes the next board.'],
  ['board', 'Through time', 'Drag a piece, or press it and then a square. Green marks show where it can go, also on boards of the past: whoever goes there begins a new timeline, below or above.'],
  ['submit', 'Moves make an action', 'Make a move on every board with a solid frame. Then submit, and the opponent is to move. What is missing stands beside the button.'],
  ['tab-puzzles', 'Puzzles and proofs', 'Solve a puzzle, let the engine play, or ask Analyse for every mate and why it is one. Whatever you open, your game is kept.'],
  ['help-open', 'More', 'The question mark has the rules in short and all keys. Enjoy.'],
];

/** @param {Board} board */
export function help(board) {
  const { settings } = board;
  const apply = () => {
    const { theme, squares, sound, motion, movable } = settings.value;
    $('theme').value = theme;
    $('squares').value = squares;
    $('sound').checked = sound;
    $('motion').checked = motion;
    $('movable').checked = movable;
  };
  apply();
  for (const id of /** @type {const} */ (['theme', 'squares'])) $(id).addEventListener('change', () => settings.set(id, $(id).value));
  for (const id of /** @type {const} */ (['sound', 'motion', 'movable'])) $(id).addEventListener('change', () => settings.set(id, $(id).checked));
  $('settings-open').addEventListener('click', () => $('settings').showModal());
  const showHelp = () => $('help').showModal();
  $('help-open').addEventListener('click', showHelp);
  for (const id of ['settings', 'help']) $(id).addEventListener('click', (/** @type {MouseEvent} */ event) => event.target === $(id) && $(id).close());

  // The tour.

  let at = 0;
  function tour() {
    const [id, heading, text] = TOUR[at];
    const last = at === TOUR.length - 1;
    const end = () => {
      $('tour').hidden = true;
      settings.set('toured', true);
      $('board').focus({ preventScroll: true });
    };
    const next = () => {
      at += 1;
      tour();
    };
    $('tour').replaceChildren(
      make('h2', {}, heading),
      make('p', {}, text),
      make('div', { class: 'row' }, make('button', { class: 'plain', onclick: end }, last ? '' : 'Skip'), make('span', { class: 'note' }, `${at + 1} of ${TOUR.length}`), make('button', { class: 'main', id: 'tour-next', onclick: last ? end : next }, last ? 'Begin' : 'Next')),
    );
    if (last) $('tour').querySelector('.plain').remove();
    $('tour').hidden = false;
    place($(id));
    $('tour-next').focus({ preventScroll: true });
  }

  /** Stands beside an element, and inside the page. @param {Element} target */
  function place(target) {
    const box = target.getBoundingClientRect();
    const own = $('tour').getBoundingClientRect();
    const isLarge = box.width > innerWidth * 0.4 && box.height > innerHeight * 0.3;
    const [x, y] = isLarge
      ? [box.right - own.width - 16, box.top + 60]
      : [box.left + box.width / 2 - own.width / 2, box.top > innerHeight / 2 ? box.top - own.height - 12 : box.bottom + 12];
    $('tour').style.left = `${Math.max(12, Math.min(x, innerWidth - own.width - 12))}px`;
    $('tour').style.top = `${Math.max(12, Math.min(y, innerHeight - own.height - 12))}px`;
  }
  const beginTour = () => {
    at = 0;
    tour();
  };
  $('tour-again').addEventListener('click', () => {
    $('help').close();
    beginTour();
  });
  $('tour').addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') $('tour').querySelector('button').click();
  });

  // The end of a game.

  const proofs = new Asker();
  /** The end for which the view was closed. */
  let closed = '';
  async function result() {
    const key = `${board.document.id} ${board.document.at}`;
    const tab = board.state.tab;
    const solving = tab === 'puzzles' && board.document.puzzle !== undefined;
    const visible = board.over && (tab === 'play' || tab === 'analyse') && !solving && closed !== key;
    if (!visible) {
      $('result').hidden = true;
      if (!board.over) closed = '';
      return;
    }
    if (!$('result').hidden && $('result').dataset.key === key) return;
    const { game, status } = board;
    const winner = nameOf(otherThan(game.toMove));
    const close = () => {
      closed = key;
      $('result').hidden = true;
    };
    const how = make('p', {}, status === 'checkmate' ? `Checkmate. ${nameOf(game.toMove)} cannot save the king.` : `Stalemate: ${nameOf(game.toMove)} is not in check and has no action.`);
    $('result').dataset.key = key;
    $('result').replaceChildren(
      make('div', { class: 'words' }, make('h2', {}, status === 'checkmate' ? `${winner} has won` : 'A draw'), how),
      make(
        'div',
        { class: 'row' },
        make('button', { class: 'main', id: 'result-show', onclick: () => board.view.frame(board.view.scene.tiles.filter(({ threatened, touched, duty }) => threatened.length + touched.length > 0 || duty === 'must')) }, 'Show the end'),
        make('button', { onclick: () => (close(), board.openTab('analyse'), $('why').click()) }, 'Why?'),
        make('button', { onclick: () => (close(), board.openTab('analyse'), $('review').click()) }, 'Review'),
        make('button', { onclick: () => (close(), $('new').click()) }, 'New game'),
        make('button', { class: 'plain', 'aria-label': 'Close', onclick: close }, '×'),
      ),
    );
    $('result').hidden = false;
    if (status !== 'checkmate') return;
    try {
      proofs.stop();
      const { checks } = await proofs.ask('why', { saved: game.save() });
      if ($('result').dataset.key === key && checks.length > 0) how.textContent = `Checkmate: ${checks[0]}${checks.length > 1 ? `, and ${checks.length - 1} more` : ''}. Nothing saves every king.`;
    } catch {
      // The first sentence is true without it.
    }
  }
  board.addEventListener('change', result);
  result();
  return { showHelp, beginTour };
}
