// @ts-check
// The tree of a game as a list in two columns, with variations and comments, and what changes it.

import { $, breakable, hushToast, isTouch, make, toast } from './dom.js';
import { titleOf, withTitle } from './headers.js';
import { words } from './language.js';
import * as session from './session.js';
import { GLYPHS, ROOT, actionsTo, depth, isMain, pathTo, promote, remove, withComment, withGlyph } from './tree.js';

/** @typedef {import('./board.js').Board} Board */

/** The glyphs of a node as signs. @param {number[]} glyphs */
const signs = (glyphs) => glyphs.map((glyph) => GLYPHS[/** @type {keyof typeof GLYPHS} */ (glyph)] ?? `$${glyph}`).join('');

/** @param {Board} board */
export function moves(board) {
  /** @type {unknown} */
  let drawn;
  /** The result at its end. */
  let told = '';

  function draw() {
    const { document } = board;
    const { tree } = document;
    const { result } = board;
    if (drawn === document.tree && told === result) {
      mark();
      return;
    }
    drawn = document.tree;
    told = result;
    const numberOf = board.games.numbering(document);
    /** @type {Map<string, Map<string, string>>} */
    const lines = new Map();
    /** The short text of a node; the line is that of its first descendants. @param {string} id @param {string} line */
    const textOf = (id, line) => {
      let texts = lines.get(line);
      if (!texts) lines.set(line, (texts = board.games.short(document, line)));
      return texts.get(id) ?? tree.nodes[id].action;
    };
    /** @param {string} id @param {string} line @param {string} [before] */
    const button = (id, line, before = '') => {
      const { action, glyphs } = tree.nodes[id];
      return make('button', { 'data-node': id, title: action, onclick: () => board.goTo(id) }, ...breakable(`${before}${textOf(id, line)}${signs(glyphs)}`));
    };
    /** A variation as running text. @param {string} id @param {number} depth @returns {Node[]} */
    const running = (id, depth) => {
      const parts = [];
      let numbered = true;
      /** The variations of the node, which come behind it. @type {string[]} */
      let beside = [];
      for (let node = id, deep = depth; node; deep++) {
        const { number, black } = numberOf(deep);
        parts.push(button(node, id, black ? (numbered ? `${number}… ` : '') : `${number}. `));
        if (tree.nodes[node].comment) parts.push(make('span', { class: 'comment' }, ` ${tree.nodes[node].comment} `));
        for (const other of beside) parts.push(make('span', {}, ' (', ...running(other, deep), ') '));
        numbered = beside.length > 0;
        const [next, ...others] = tree.nodes[node].children;
        beside = others;
        node = next;
      }
      return parts;
    };
    const grid = make('div', { class: 'grid' });
    const wide = (/** @type {(Node | string)[]} */ ...parts) => grid.append(make('div', { class: 'wide' }, ...parts));
    if (tree.nodes[ROOT].comment) wide(make('span', { class: 'comment' }, tree.nodes[ROOT].comment));
    let open = false;
    for (let node = ROOT, depth = 0; tree.nodes[node].children.length > 0; depth++) {
      const [first, ...others] = tree.nodes[node].children;
      const { number, black } = numberOf(depth);
      if (!black || !open) grid.append(make('span', { class: 'number' }, String(number)));
      if (black && !open) grid.append(make('span', { class: 'number' }, '…'));
      grid.append(button(first, ROOT));
      open = !black;
      const { comment } = tree.nodes[first];
      if (comment || others.length > 0) {
        if (open) grid.append(make('span'));
        open = false;
        if (comment) wide(make('span', { class: 'comment' }, comment));
        for (const other of others) wide(...running(other, depth));
      }
      node = first;
    }
    if (result) grid.append(make('div', { class: 'result' }, result));
    const list = $('history');
    explain(grid);
    if (grid.children.length > 0) list.replaceChildren(grid);
    else list.replaceChildren(make('p', { class: 'empty' }, words.moves.none));
    mark();
  }

  /** Says beneath the list what the signs in it mean, once somebody asks. @param {HTMLElement} grid */
  function explain(grid) {
    const texts = [...grid.querySelectorAll('[data-node]')].map((button) => button.textContent ?? '');
    /** @param {string} sign */
    const isThere = (sign) => texts.some((text) => {
      // A hop is half of a branch, and timeline +0 is no check.
      if (sign === '>') return /(?<!>)>(?!>)/.test(text);
      return sign === '+' ? /\+(?!\d)/.test(text) : text.includes(sign);
    });
    const told = Object.entries(words.moves.signs).filter(([sign]) => isThere(sign));
    $('signs').replaceChildren(...told.flatMap(([sign, meaning], index) => [index > 0 ? ' · ' : '', make('kbd', {}, sign), ` ${meaning}`]));
    $('signs-open').hidden = told.length === 0;
  }

  function toggleSigns() {
    $('signs').hidden = !$('signs').hidden;
    $('signs-open').setAttribute('aria-expanded', String(!$('signs').hidden));
  }

  function mark() {
    const { tree, at } = board.document;
    const list = $('history');
    // What comes after the position on the board, or beside it, has not been played there.
    const played = new Set(pathTo(tree, at));
    for (const button of list.querySelectorAll('[data-node]')) button.classList.toggle('ahead', !played.has(button.dataset.node));
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = list.querySelector(`[data-node="${at}"]`);
    current?.setAttribute('aria-current', 'step');
    scroll();
    trim();
    // Steps have a place wherever there is something to go through.
    document.querySelector('aside')?.toggleAttribute('data-actions', tree.nodes[ROOT].children.length > 0);
    for (const id of ['back', 'first']) $(id).disabled = at === ROOT;
    for (const id of ['forward', 'last']) $(id).disabled = tree.nodes[at].children.length === 0;
    $('delete').disabled = at === ROOT;
    $('promote').disabled = isMain(tree, at);
    $('note-on').textContent = at === ROOT ? words.moves.noteStart : words.moves.noteOn(nameAt());
    for (const one of $('glyphs').children) one.disabled = at === ROOT;
    // Puzzles have titles of their own, and of a setup only the position is kept.
    $('game-title').parentElement.hidden = board.state.slot !== 'game';
    if (document.activeElement !== $('game-title')) $('game-title').value = titleOf(board.document);
    if (document.activeElement !== $('comment')) $('comment').value = tree.nodes[at].comment;
    for (const one of $('glyphs').children) one.setAttribute('aria-pressed', String(tree.nodes[at].glyphs.includes(Number(one.dataset.glyph))));
  }

  /** Brings the current action into sight in the list; at the start its beginning. */
  function scroll() {
    const list = $('history');
    const current = list.querySelector('[aria-current]');
    if (!current) {
      if (list.firstChild) list.scrollTop = 0;
      return;
    }
    const top = current.offsetTop - list.offsetTop;
    const { tree, at } = board.document;
    // The result belongs to the last action.
    const end = (tree.nodes[at].children.length === 0 && isMain(tree, at) && list.querySelector('.result')) || current;
    const bottom = end.offsetTop - list.offsetTop + end.offsetHeight;
    if (top >= list.scrollTop && bottom <= list.scrollTop + list.clientHeight) return;
    if (end !== current && bottom - top <= list.clientHeight) {
      list.scrollTop = bottom - list.clientHeight;
      return;
    }
    const middle = top - (list.clientHeight - current.offsetHeight) / 2;
    // The uppermost row is a whole one.
    const tops = [...list.querySelectorAll('[data-node]')].map((one) => one.offsetTop - list.offsetTop);
    list.scrollTop = Math.min(...tops.filter((one) => one >= middle), top);
  }

  /** Shows whole lines of text only: what the edges of the list cut through is not painted. */
  function trim() {
    const list = $('history');
    const grid = list.querySelector('.grid');
    if (!grid) return;
    const { top, bottom } = list.getBoundingClientRect();
    let [from, to] = [top, bottom];
    for (const one of grid.querySelectorAll('[data-node], .result, .number, .comment')) {
      for (const line of linesOf(one)) {
        if (line.top < top && line.bottom > top) from = Math.max(from, line.bottom);
        if (line.top < bottom && line.bottom > bottom) to = Math.min(to, line.top);
      }
    }
    const box = grid.getBoundingClientRect();
    grid.style.clipPath = from === top && to === bottom ? '' : `inset(${from === top ? -9 : from - box.top}px -9px ${to === bottom ? -9 : box.bottom - to}px -9px)`;
  }

  /** The lines of a text where the edge of the list cuts through it. @param {Element} element */
  function linesOf(element) {
    const list = $('history').getBoundingClientRect();
    const box = element.getBoundingClientRect();
    const isCut = (/** @type {number} */ edge) => box.top < edge && box.bottom > edge;
    if (!isCut(list.top) && !isCut(list.bottom)) return [];
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()];
  }
  // The list may be folded away while the game goes on, and is of another size in each tab.
  new ResizeObserver(() => {
    scroll();
    trim();
  }).observe($('history'));
  $('history').addEventListener('scroll', trim, { passive: true });

  /** The action on the board with its number. */
  function nameAt() {
    const { document } = board;
    const { number, black } = board.games.numbering(document)(depth(document.tree, document.at) - 1);
    return `${number}${black ? '…' : '.'} ${board.games.short(document, document.at).get(document.at) ?? ''}`;
  }

  /** Copies a text, and says so. @param {string} text @param {string} said */
  async function copy(text, said) {
    try {
      await navigator.clipboard.writeText(text);
      toast(said);
    } catch {
      toast(words.moves.notCopied);
    }
  }
  const copyAll = () => copy(board.games.text(board.document, { marks: true }), words.moves.copiedAll);
  function toggleNote() {
    const open = $('note').hidden;
    $('note').hidden = !open;
    $('note-open').setAttribute('aria-expanded', String(open));
    // A keyboard on the screen would cover what is to be chosen.
    if (open && !isTouch()) $('comment').focus();
  }

  $('glyphs').replaceChildren(
    ...Object.entries(GLYPHS).map(([glyph, sign]) => {
      const set = () => board.document.at !== ROOT && board.edit((document) => session.withTree(document, withGlyph(document.tree, document.at, Number(glyph))));
      return make('button', { 'data-glyph': glyph, 'aria-pressed': 'false', onclick: set }, sign);
    }),
  );
  const press = /** @type {Record<string, () => void>} */ ({
    first: () => board.step('start'),
    back: () => board.step('back'),
    forward: () => board.step('on'),
    last: () => board.step('end'),
    promote: () => board.edit((document) => session.withTree(document, promote(document.tree, document.at))),
    delete: () => board.editWithUndo(words.moves.gone, (document) => session.withTree(document, remove(document.tree, document.at)), 'back'),
    'copy-line': () => copy(actionsTo(board.document.tree, board.document.at).length > 0 ? board.game.record() : board.document.start, words.moves.copied),
    'copy-all': copyAll,
    'study-copy': copyAll,
    'study-note': toggleNote,
    'study-draw': () => board.beginDrawing(),
    'note-open': toggleNote,
    'signs-open': toggleSigns,
  });
  for (const [id, act] of Object.entries(press)) $(id).addEventListener('click', act);
  $('comment').addEventListener('input', () => {
    board.edit((document) => session.withTree(document, withComment(document.tree, document.at, $('comment').value)));
  });
  $('game-title').addEventListener('change', () => {
    board.edit((document) => ({ ...document, start: withTitle(document.start, $('game-title').value) }));
  });
  $('typed').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = $('typed-move').value.trim();
    // Enter once more submits what was made.
    if (!text) board.submit();
    if (!text || !board.mayPlay()) return;
    hushToast();
    try {
      type(text);
      $('typed-move').value = '';
      $('typed-said').textContent = '';
    } catch (/** @type {any} */ error) {
      $('typed-said').textContent = words.fault(error);
      $('typed-said').scrollIntoView({ block: 'nearest' });
    }
  });

  $('typed-move').addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') $('board').focus({ preventScroll: true });
  });

  /** Makes what is typed: a move, moves of several boards, or a whole action in place of the moves that were made. Nothing is submitted by it. @param {string} text */
  function type(text) {
    const { document } = board;
    const before = session.movesOf(document);
    const parts = text.split(/\s+/);
    /** @param {string[]} moves */
    const made = (moves) => {
      const game = board.game.copy();
      try {
        for (const move of moves) game.move(move);
        return game.movesMade();
      } finally {
        game.free();
      }
    };
    const ways = [() => made([text]), () => made(parts), () => board.games.canonical(document, text).split(' ')].slice(0, parts.length > 1 ? 3 : 1);
    let fault;
    for (const way of ways) {
      try {
        const moves = way();
        const isMore = before.every((move, index) => move === moves[index]);
        board.makeMoves(moves, moves.length - (isMore ? before.length : 0));
        return;
      } catch (error) {
        fault = error;
      }
    }
    throw fault;
  }

  /** Another tab has no use for an open note. */
  function closeNote() {
    $('note').hidden = true;
    $('note-open').setAttribute('aria-expanded', 'false');
  }

  /** Where the game stood when the page was drawn last. */
  let stood = '';
  board.addEventListener('change', () => {
    draw();
    // What was wrong with a typed move is of no interest once another one is made.
    const { id, at } = board.document;
    const stands = `${id} ${at} ${session.movesOf(board.document).length}`;
    if (stood !== stands) $('typed-said').textContent = '';
    $('typed-move').placeholder = session.movesOf(board.document).length > 0 && $('submit').getAttribute('aria-disabled') === 'false' ? words.moves.enter : words.moves.moveAs;
    stood = stands;
  });
  draw();
  return { closeNote };
}
