// @ts-check
// Settings, help, the tour of the first visit, and the view of how a game ended.

import { Asker } from './ask.js';
import { $, NARROW, isTouch, make } from './dom.js';
import { ASKED, LANGUAGES, words } from './language.js';
import { toLink } from './link.js';
import { pieceImage } from './paint.js';
import { wayTo } from './tree.js';
import { nameOf, otherThan, resignation } from './words.js';

/** @typedef {import('./board.js').Board} Board */

/** Steps of the tour: an element to stand beside, a heading, a text. @type {[string, string, string][]} */
const TOUR = [
  ['board', words.tour.time, words.tour.timeText],
  ...(isTouch() ? [/** @type {[string, string, string]} */ (['overview', words.tour.fingers, words.tour.fingersText])] : []),
  ['board', words.tour.travel, words.tour.travelText],
  ['submit', words.tour.action, words.tour.actionText],
  ['tab-puzzles', words.tour.puzzles, words.tour.puzzlesText],
  ['help-open', words.tour.more, words.tour.moreText],
];

/** The pieces in the order of the help: those of chess first. */
const ORDER = 'KQRBNPSUDYCW';

/** @param {Board} board */
export function help(board) {
  const { settings } = board;
  $('language').append(...Object.entries(LANGUAGES).map(([tag, { name }]) => make('option', { value: tag, lang: tag }, name)));
  const apply = () => {
    const { language, theme, squares, pieces, sound, motion, movable, atOnce, answerAtOnce } = settings.value;
    $('language').value = language;
    $('theme').value = theme;
    $('squares').value = squares;
    $('piece-set').value = pieces;
    $('sound').checked = sound;
    $('motion').checked = motion;
    $('movable').checked = movable;
    $('at-once').checked = atOnce;
    $('answer-at-once').checked = answerAtOnce;
  };
  apply();
  for (const id of /** @type {const} */ (['theme', 'squares'])) $(id).addEventListener('change', () => settings.set(id, $(id).value));
  for (const id of /** @type {const} */ (['sound', 'motion', 'movable'])) $(id).addEventListener('change', () => settings.set(id, $(id).checked));
  $('at-once').addEventListener('change', () => settings.set('atOnce', $('at-once').checked));
  $('answer-at-once').addEventListener('change', () => settings.set('answerAtOnce', $('answer-at-once').checked));
  $('piece-set').addEventListener('change', () => settings.set('pieces', $('piece-set').value));
  $('language').addEventListener('change', async () => {
    const chosen = $('language').value;
    settings.set('language', chosen);
    // Every text is another one: the page is loaded anew, and all that it shows is kept.
    board.save();
    const address = new URL(location.href);
    address.searchParams.delete(ASKED);
    if (!board.store.complete) {
      // Where the browser keeps nothing, the address does.
      address.searchParams.set(ASKED, chosen);
      address.hash = await toLink(board.games.text(board.document), wayTo(board.document.tree, board.document.at));
    }
    if (address.search === location.search) location.reload();
    else location.assign(address);
  });
  $('settings-open').addEventListener('click', () => $('settings').showModal());
  /** Shows the help from its top: its first button is the one that closes it. */
  const showHelp = () => {
    // Whoever asks for help has no use for the tour; the help has it too.
    if (!$('tour').hidden) endTour();
    $('help').showModal();
    $('help').scrollTop = 0;
  };
  $('help-open').addEventListener('click', showHelp);
  for (const id of ['settings', 'help']) $(id).addEventListener('click', (/** @type {MouseEvent} */ event) => event.target === $(id) && $(id).close());

  $('help-signs').replaceChildren(...[['(0T1w)', words.help.boardName], ...Object.entries(words.moves.signs)].flatMap(([sign, meaning]) => [make('dt', {}, make('kbd', {}, sign)), make('dd', {}, meaning)]));

  /** The table of all pieces, with the pictures that are chosen. */
  function listPieces() {
    const rows = [...ORDER].map((letter) =>
      make('tr', {}, make('td', {}, pieceImage(letter, settings.value.pieces)), make('th', { scope: 'row' }, words.kind(letter)), make('td', {}, make('kbd', {}, letter)), make('td', {}, words.help.moves[letter])),
    );
    $('pieces').replaceChildren(...rows);
  }
  listPieces();
  settings.addEventListener('change', listPieces);

  // The tour.

  let at = 0;
  function endTour() {
    $('tour').hidden = true;
    settings.set('toured', true);
    $('board').focus({ preventScroll: true });
  }
  function tour() {
    const [id, heading, text] = TOUR[at];
    const last = at === TOUR.length - 1;
    const next = () => {
      at += 1;
      tour();
    };
    $('tour').replaceChildren(
      make('h2', {}, heading),
      make('p', {}, text),
      make('div', { class: 'row' }, make('button', { class: 'plain', onclick: endTour }, last ? '' : words.tour.skip), make('span', { class: 'note' }, words.tour.step(at + 1, TOUR.length)), make('button', { class: 'main', id: 'tour-next', onclick: last ? endTour : next }, last ? words.tour.begin : words.tour.next)),
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
    // On a phone it stands over the bars above or beneath the boards, where what it tells of is not.
    if (matchMedia(NARROW).matches) {
      $('tour').style.left = `${(innerWidth - own.width) / 2}px`;
      $('tour').style.top = `${box.top > innerHeight / 2 ? 6 : innerHeight - own.height - 6}px`;
      return;
    }
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
    const { resigned } = board;
    const key = `${board.document.id} ${board.document.at} ${resigned?.by ?? ''}`;
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
    const isDraw = resigned ? resigned.by === 'both' : status === 'stalemate';
    const loser = resigned && resigned.by !== 'both' ? resigned.by : game.toMove;
    const winner = nameOf(otherThan(loser));
    const close = () => {
      closed = key;
      $('result').hidden = true;
    };
    const reason = resigned ? 'resigned' : status === 'checkmate' ? 'checkmate' : 'stalemate';
    const how = make('p', {}, resigned ? resignation(resigned) : words.result[reason](nameOf(loser)));
    $('result').dataset.key = key;
    $('result').replaceChildren(
      make('div', { class: 'words' }, make('h2', {}, isDraw ? words.result.draw : words.result.won(winner)), how),
      make(
        'div',
        { class: 'row' },
        !resigned && make('button', { class: 'main', id: 'result-show', onclick: () => board.view.frame(board.view.scene.tiles.filter(({ threatened, touched, duty }) => threatened.length + touched.length > 0 || duty === 'must')) }, words.result.show),
        !resigned && make('button', { onclick: () => (close(), board.openTab('analyse'), $('why').click()) }, words.analyse.why),
        make('button', { onclick: () => (close(), board.openTab('analyse'), $('review').click()) }, words.result.review),
        make('button', { onclick: () => (close(), $('new').click()) }, words.play.newGame),
      ),
      make('button', { class: 'plain', 'aria-label': words.close, onclick: close }, '×'),
    );
    $('result').hidden = false;
    board.dispatchEvent(new Event('ended'));
    if (reason !== 'checkmate') return;
    try {
      proofs.stop();
      const { checks } = await proofs.ask('why', { saved: game.save() });
      if ($('result').dataset.key === key && checks.length > 0) how.textContent = words.result.checkmateBy(words.library(checks[0]), checks.length - 1);
    } catch {
      // The first sentence is true without it.
    }
  }
  board.addEventListener('change', result);
  result();
  return { showHelp, beginTour };
}
