// @ts-check
// The page: what is kept is loaded, panels are made, tabs and keys go to them.

import * as library from '../worldlines/browser.js';
import { analyse } from './analyse.js';
import { author } from './author.js';
import { Board, newId } from './board.js';
import { clock } from './clock.js';
import { $, LOW, NARROW, breath, goTo, toast } from './dom.js';
import { dropped, isPuzzle, textOf } from './files.js';
import { keepFocus, markPointer, selectNumbers } from './focus.js';
import { documentOf, readGame } from './games.js';
import { help } from './help.js';
import { words } from './language.js';
import { fromLink, isGame, puzzleOf, wayOf } from './link.js';
import { moves } from './moves.js';
import { play } from './play.js';
import { puzzles } from './puzzles.js';
import * as session from './session.js';
import { Choices, kept, storage } from './settings.js';
import { setup } from './setup.js';
import { Store } from './store.js';
import { texts } from './text.js';

/** The state of the last time, or a new game. @param {Store} store @returns {session.State} */
function restored(store) {
  const state = store.load();
  if (state) return state;
  // A version of the page before this one kept a single game.
  const old = kept('worldlines game');
  if (typeof old?.record === 'string') {
    try {
      const game = library.Game.parse(old.record);
      const document = documentOf(game, { id: newId(), flipped: old.flipped === true, now: Date.now() });
      game.free();
      return session.begin(document);
    } catch {
      // It cannot be read.
    }
  }
  const game = library.Game.start('Standard');
  const document = session.newDocument({ id: newId(), start: game.record(), now: Date.now() });
  game.free();
  return session.begin(document);
}

/** Tabs: a click opens one. Where panels fold, a click on the open one folds it. @param {(name: string) => void} opened */
function tabs(opened) {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[role=tab]')]);
  const aside = /** @type {HTMLElement} */ (document.querySelector('aside'));
  const narrow = matchMedia(NARROW);
  const low = matchMedia(LOW);
  /** @param {HTMLElement} tab */
  const open = (tab) => {
    for (const other of all) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      $(other.getAttribute('aria-controls') ?? '').hidden = !chosen;
    }
    aside.dataset.tab = tab.id.slice(4);
    // Pieces that are set up have no actions.
    $('line').hidden = tab.id === 'tab-setup';
    /** @type {HTMLElement} */ (document.querySelector('.sheet')).scrollTop = 0;
    opened(tab.id.slice(4));
  };
  aside.classList.toggle('folded', narrow.matches);
  /** The tab that was pressed by a pointer: keys go through the game then, as everywhere, and not through tabs. @type {HTMLElement | undefined} */
  let pressed;
  all.forEach((tab, index) => {
    tab.addEventListener('blur', () => {
      pressed = undefined;
    });
    tab.addEventListener('click', (event) => {
      if (event.detail > 0) pressed = tab;
      const isOpen = tab.getAttribute('aria-selected') === 'true';
      aside.classList.toggle('folded', narrow.matches && isOpen && !aside.classList.contains('folded'));
      if (!isOpen) open(tab);
      if (low.matches) goTo($(tab.getAttribute('aria-controls') ?? ''), tab);
    });
    tab.addEventListener('keydown', (event) => {
      const to = /** @type {Record<string, number>} */ ({ ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: all.length - 1 })[event.key];
      if (to === undefined || pressed === tab) return;
      event.preventDefault();
      event.stopPropagation();
      const next = all[(to + all.length) % all.length];
      next.focus();
      open(next);
    });
  });
  /** Shows the board, where panels cover a part of it. */
  const fold = () => aside.classList.toggle('folded', narrow.matches);
  const show = (/** @type {string} */ name) => open($(`tab-${name}`));
  /** Goes to a tab because somebody asked for what it has: where panels fold, it is unfolded, but for a game, which is played on the board. */
  const goToTab = (/** @type {string} */ name) => {
    aside.classList.toggle('folded', narrow.matches && name === 'play');
    show(name);
  };
  /** Goes to the field for moves, wherever it is. Tabs without it show the same game under Analyse. */
  const typeMove = () => {
    aside.classList.remove('folded');
    if (!['play', 'analyse', 'puzzles'].includes(aside.dataset.tab ?? '')) show('analyse');
    // The lists of puzzles have the place of the field.
    if (aside.dataset.tab === 'puzzles') for (const id of ['lessons', 'all-puzzles']) $(id).open = false;
    $('typed-move').focus();
  };
  grip(aside);
  return { show, goToTab, fold, typeMove };
}

/** The upper edge of the panel on a phone: a press makes the panel larger or smaller, and a finger draws it up and down. @param {HTMLElement} aside */
function grip(aside) {
  /** Pixels that a finger moves while it presses. */
  const SLIP = 8;
  /** @param {boolean} tall */
  const stretch = (tall) => {
    aside.classList.toggle('tall', tall);
    $('grip').setAttribute('aria-expanded', String(tall));
  };
  /** The height with a class, or without it. @param {'tall' | 'folded'} name @param {boolean} on */
  const heightWith = (name, on) => {
    const had = aside.classList.contains(name);
    aside.classList.toggle(name, on);
    const height = aside.offsetHeight;
    aside.classList.toggle(name, had);
    return height;
  };
  /** @type {{ y: number, height: number, low: number, half: number, tall: number, isDrag: boolean } | undefined} */
  let held;
  let dragged = false;
  $('grip').addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    $('grip').setPointerCapture(event.pointerId);
    held = { y: event.clientY, height: aside.offsetHeight, low: heightWith('folded', true), half: heightWith('tall', false), tall: heightWith('tall', true), isDrag: false };
  });
  $('grip').addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
    if (!held) return;
    const up = held.y - event.clientY;
    held.isDrag ||= Math.abs(up) > SLIP;
    if (held.isDrag) aside.style.height = `${Math.max(held.low, Math.min(held.tall, held.height + up))}px`;
  });
  const end = (/** @type {boolean} */ counts) => {
    const [was, height] = [held, aside.offsetHeight];
    held = undefined;
    aside.style.height = '';
    if (!was?.isDrag) return;
    // The click that ends a drag is none.
    dragged = true;
    setTimeout(() => (dragged = false));
    if (!counts) return;
    aside.classList.toggle('folded', height < (was.low + was.half) / 2);
    stretch(height > (was.half + was.tall) / 2);
  };
  $('grip').addEventListener('pointerup', () => end(true));
  $('grip').addEventListener('pointercancel', () => end(false));
  $('grip').addEventListener('click', () => dragged || stretch(!aside.classList.contains('tall')));
}

/** @param {Board} board @param {() => void} showHelp @param {() => void} typeMove */
function keys(board, showHelp, typeMove) {
  /** @type {Record<string, () => void>} */
  const acts = {
    '+': () => board.view.zoom(1.3),
    '=': () => board.view.zoom(1.3),
    '-': () => board.view.zoom(1 / 1.3),
    0: () => board.view.fit(),
    9: () => board.view.near(),
    f: () => board.flip(),
    u: () => board.undo(),
    s: () => board.submit(),
    p: () => board.togglePasses(),
    x: () => board.clearShapes(),
    r: () => board.readBoard(),
    l: () => board.readLast(),
    c: () => board.readChecks(),
    n: () => board.nextPlace(1),
    N: () => board.nextPlace(-1),
    m: typeMove,
    '?': showHelp,
    Home: () => board.step('start'),
    End: () => board.step('end'),
    Escape: () => board.leave(),
    PageDown: () => board.nextBoard(1),
    PageUp: () => board.nextBoard(-1),
  };
  /** @type {Record<string, [number, number, 'back' | 'on' | 'above' | 'beneath']>} */
  const arrows = { ArrowLeft: [-1, 0, 'back'], ArrowRight: [1, 0, 'on'], ArrowUp: [0, 1, 'above'], ArrowDown: [0, -1, 'beneath'] };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = /** @type {Element} */ (event.target);
    if (event.key === '?' && target.closest('#tour')) showHelp();
    if (target.closest('input, textarea, select, dialog[open], #tour, [contenteditable]')) return;
    const arrow = arrows[event.key];
    const onBoard = target === $('board');
    if (arrow && onBoard && board.hasCursor) board.stepSquare(arrow[0], arrow[1]);
    else if (arrow) board.step(arrow[2]);
    else if (onBoard && (event.key === 'Enter' || event.key === ' ')) board.enter();
    else if (acts[event.key]) acts[event.key]();
    else return;
    if (['PageDown', 'PageUp', 'n', 'N'].includes(event.key)) $('board').focus({ preventScroll: true });
    event.preventDefault();
  });
}

export async function begin() {
  const store = new Store(storage('localStorage'), storage('sessionStorage'), newId);
  const board = new Board(restored(store), store, new Choices());
  $('welcome').hidden = true;
  // The boards are in sight before the panels are made, and no step keeps the page from answering.
  await breath();
  const modes = /** @type {Record<string, { enter?: () => void, leave?: () => void, read?: (text: string) => void, ask?: (id: string) => Promise<void> }>} */ ({});
  for (const [name, make] of Object.entries({ play, analyse, puzzles, author, setup, text: texts })) {
    modes[name] = make(board);
    await breath();
  }
  clock(board);
  const { closeNote } = moves(board);
  const { showHelp, beginTour } = help(board);
  let last = '';
  const { show, goToTab, fold, typeMove } = tabs((name) => {
    if (last !== name) {
      modes[last]?.leave?.();
      closeNote();
    }
    last = name;
    board.update(session.openTab(board.state, name));
    modes[name].enter?.();
  });
  board.openTab = goToTab;
  for (const event of ['opened', 'ended']) board.addEventListener(event, () => board.state.tab === 'play' && fold());
  // The panel makes room for a drawing, and is there again after it.
  board.addEventListener('drawing', fold);
  board.addEventListener('drawn', () => board.state.tab === 'analyse' && goToTab('analyse'));
  // What was scrolled to in a panel may be gone once the game has ended.
  board.addEventListener('ended', () => $(`panel-${board.state.tab}`).scrollTo(0, 0));
  keys(board, showHelp, typeMove);
  board.addEventListener('change', keepFocus());
  markPointer();
  selectNumbers();
  const press = /** @type {Record<string, () => void>} */ ({
    'zoom-in': () => board.view.zoom(1.3),
    'zoom-out': () => board.view.zoom(1 / 1.3),
    fit: () => board.view.fit(),
    focus: () => board.view.near(),
    flip: () => board.flip(),
    undo: () => board.undo(),
    submit: () => board.submit(),
    left: () => board.showLeft(),
    return: () => board.goOn(),
    'why-not': () => board.sayAll(),
    made: () => board.sayAll(),
  });
  for (const [id, act] of Object.entries(press)) $(id).addEventListener('click', act);

  const wanted = new URLSearchParams(location.search).get('tab') ?? '';
  show(session.TABS.includes(wanted) ? wanted : board.state.tab);

  /** Opens the game of the address as a copy: the address is a start, and what is played from there is kept elsewhere. */
  async function openLink() {
    const asked = puzzleOf(location.hash);
    if (asked !== undefined) {
      history.replaceState(undefined, '', location.pathname + location.search);
      goToTab('puzzles');
      await modes.puzzles.ask?.(asked);
      return;
    }
    if (!isGame(location.hash)) return;
    const { hash } = location;
    history.replaceState(undefined, '', location.pathname + location.search);
    try {
      const { document, losses } = readGame(await fromLink(hash), undefined, newId(), wayOf(hash));
      const hadContent = session.hasContent(board.state.documents[/** @type {string} */ (board.state.slots.game)]);
      board.open('game', document, { said: hadContent || losses.length > 0 ? words.page.linkOpened(hadContent, losses) : undefined, tab: board.state.tab === 'analyse' ? 'analyse' : 'play' });
    } catch (/** @type {any} */ error) {
      toast(words.page.linkFailed(words.fault(error).replace(/\.$/, '')));
    }
  }
  await openLink();
  addEventListener('hashchange', openLink);
  dropped(document.body, async (file) => {
    try {
      const text = await textOf(file);
      const place = isPuzzle(text) ? 'author' : 'text';
      show(place);
      modes[place].read?.(text);
    } catch (/** @type {any} */ error) {
      toast(words.fault(error));
    }
  });
  if (!board.settings.value.toured && !session.hasContent(board.document)) beginTour();
  // The page of the last time serves when there is no network.
  navigator.serviceWorker?.register('offline.js').catch(() => {});
  // Scripts that drive the page take it from here.
  Object.assign(globalThis, { worldlines: { board, library, modes, open: show } });
  document.documentElement.dataset.ready = 'yes';
}
