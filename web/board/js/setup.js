// @ts-check
// A start position of one's own: pieces are put on squares, boards are added and removed. What is made is 5DFEN, which the library reads.

import { Game } from '../worldlines/browser.js';
import { newId } from './board.js';
import { $, make, svg, toast } from './dom.js';
import { documentOf } from './games.js';
import { pieceImage, pieceName } from './paint.js';
import * as session from './session.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {{ rows: string[][], timeline: string, turn: number, color: string }} Drawn
 */

const LETTERS = 'KQRBNPCYSUDW';
/** Kinds that the rules ask whether they have moved. */
const TRACKED = 'KRPW';

/** @param {string} row */
const parse = (row) => {
  const cells = [];
  for (const part of row.match(/\d+|[A-Za-z]\*?/g) ?? []) {
    if (/\d/.test(part)) for (let index = 0; index < Math.min(32, Number(part)); index++) cells.push('');
    else cells.push(part);
  }
  return cells;
};

/** @param {string[]} cells */
const write = (cells) => {
  let text = '';
  let empty = 0;
  for (const cell of cells) {
    if (cell === '') {
      empty += 1;
      continue;
    }
    text += (empty > 0 ? empty : '') + cell;
    empty = 0;
  }
  return text + (empty > 0 ? empty : '');
};

/** @param {string} fen @returns {Drawn[]} */
export function boardsOf(fen) {
  return [...fen.matchAll(/\[([^\s[\]"]+):([-+]?\d+):(\d+):([wb])\]/g)].map(([, rows, timeline, turn, color]) => ({
    rows: rows.split('/').map(parse),
    timeline,
    turn: Number(turn),
    color,
  }));
}

/** @param {Drawn[]} boards */
export function fenOf(boards) {
  return boards.map(({ rows, timeline, turn, color }) => `[${rows.map(write).join('/')}:${timeline}:${turn}:${color}]`).join('\n');
}

/** @param {Board} board */
export function setup(board) {
  /** @type {Drawn[]} */
  let boards = [];

  const options = ['', ...LETTERS, ...LETTERS.toLowerCase()];
  $('palette').replaceChildren(
    ...options.map((letter, index) => {
      const name = letter ? pieceName(letter) : 'clear';
      const input = make('input', { type: 'radio', name: 'piece', value: letter, 'aria-label': name });
      input.checked = index === 1;
      const image = letter
        ? pieceImage(letter)
        : svg('svg', { viewBox: '0 0 60 60', 'aria-hidden': 'true' }, svg('path', { d: 'M16 16L44 44M44 16L16 44', stroke: '#b3231c', 'stroke-width': '6', 'stroke-linecap': 'round' }));
      return make('label', { title: name, class: letter ? false : 'clear' }, input, image);
    }),
  );

  const say = (/** @type {string} */ text, kind = '') => {
    $('setup-said').textContent = text;
    $('setup-said').className = kind;
  };

  /** The texts of before, for going back. @type {string[]} */
  const earlier = [];
  function back() {
    const before = earlier.pop();
    if (before === undefined) return;
    $('fen').value = before;
    read();
  }

  /** Draws the boards, and says it if many squares change at once. @param {string} [said] */
  function show(said) {
    const before = $('fen').value;
    $('fen').value = fenOf(boards);
    if (before === $('fen').value) return;
    earlier.push(before);
    read();
    if (said) toast(said, back);
  }

  /** Reads the text, and draws it if it is a position. */
  function read() {
    const text = $('fen').value;
    boards = boardsOf(text);
    $('s-play').disabled = true;
    if (boards.length === 0) {
      say('There is no board yet.');
      return;
    }
    try {
      const letters = $('s-promotions').value.toUpperCase().match(/[QRBNSUDC]/g) ?? [];
      const [{ rows }] = boards;
      const head = `[Board "custom"]\n[Size "${rows[0].length}x${rows.length}"]\n[Promotions "${letters.join(',')}"]\n`;
      const game = Game.parse(head + text);
      const old = board.state.slots.setup ? board.state.documents[board.state.slots.setup] : undefined;
      // Actions that were played from the position are kept.
      const id = old && !session.hasContent(old) ? old.id : newId();
      const flipped = old?.flipped ?? false;
      const document = documentOf(game, { id, flipped });
      game.free();
      const size = `${board.view.scene.files} ${board.view.scene.ranks} ${board.view.scene.tiles.length}`;
      board.update(session.open(board.state, 'setup', { ...document, changed: Date.now() }), { sight: 'same' });
      if (size !== `${board.view.scene.files} ${board.view.scene.ranks} ${board.view.scene.tiles.length}`) board.view.near();
      say('');
      $('s-play').disabled = false;
    } catch (/** @type {any} */ error) {
      say(error.message, 'bad');
    }
  }

  /** @type {import('./board.js').Mode} */
  const mode = {
    standing: 'Setting up',
    mayPlay: () => false,
    get undo() {
      return earlier.length > 0 ? back : undefined;
    },
    places({ tile, square: [file, rank] }) {
      const letter = document.querySelector('#palette input:checked')?.getAttribute('value') ?? '';
      const found = boardsOf(board.game.fen());
      const index = board.view.scene.tiles.indexOf(tile);
      const same = found.length === boards.length ? found[index] : undefined;
      const at = same && boards.find((one) => one.timeline === same.timeline && one.turn === same.turn && one.color === same.color);
      if (!at) return;
      const star = letter && $('unmoved').checked && TRACKED.includes(letter.toUpperCase()) ? '*' : '';
      const row = at.rows.length - 1 - rank;
      const wanted = letter + star;
      at.rows[row][file] = at.rows[row][file] === wanted ? '' : wanted;
      board.sound('move');
      show();
    },
  };

  const number = (/** @type {string} */ id, /** @type {number} */ least, /** @type {number} */ most) => Math.min(most, Math.max(least, Number($(id).value) || least));
  const place = () => ({ timeline: $('s-timeline').value.trim() || '0', turn: number('s-turn', 0, 1_000), color: $('s-color').value });
  const emptyRows = (/** @type {number} */ files, /** @type {number} */ ranks) => Array.from({ length: ranks }, () => Array(files).fill(''));

  $('empty').addEventListener('click', () => {
    boards = [{ rows: emptyRows(number('files', 1, 8), number('ranks', 1, 8)), ...place() }];
    show('An empty board.');
  });
  $('from-game').addEventListener('click', () => {
    const document = board.state.documents[/** @type {string} */ (board.state.slots.game)];
    boards = boardsOf(board.games.at(document, document.at).fen());
    show('The boards of the game.');
  });
  $('s-add').addEventListener('click', () => {
    const [first] = boards;
    boards.push({ rows: first ? emptyRows(first.rows[0].length, first.rows.length) : emptyRows(8, 8), ...place() });
    show();
  });
  $('s-copy').addEventListener('click', () => {
    const last = boards.at(-1);
    if (!last) return;
    const next = last.color === 'w' ? { turn: last.turn, color: 'b' } : { turn: last.turn + 1, color: 'w' };
    boards.push({ rows: last.rows.map((row) => [...row]), timeline: last.timeline, ...next });
    show();
  });
  $('s-remove').addEventListener('click', () => {
    const { timeline, turn, color } = place();
    const rest = boards.filter((one) => one.timeline !== timeline || one.turn !== turn || one.color !== color);
    if (rest.length === boards.length) {
      say(`There is no board (${timeline}T${turn}${color}).`);
      return;
    }
    boards = rest;
    show('The board is gone.');
  });
  $('fen').addEventListener('input', read);
  $('s-promotions').addEventListener('change', read);
  $('s-play').addEventListener('click', () => {
    const { players } = board.state.documents[/** @type {string} */ (board.state.slots.game)];
    const document = { ...board.document, id: newId(), players };
    board.open('game', document, { said: 'The position is on the board. The last game is kept.', tab: 'play' });
    board.letPlay();
  });
  board.modes.setup = () => mode;
  return {
    enter() {
      if (!board.state.slots.setup) {
        const { document } = board;
        const game = board.games.at(document, document.at).copy();
        // The boards alone, as a start.
        boards = boardsOf(game.fen());
        game.free();
        $('fen').value = fenOf(boards);
        read();
      } else {
        boards = boardsOf(board.game.fen());
        $('fen').value = fenOf(boards);
        say('');
        $('s-play').disabled = false;
      }
      if (boards[0]) [$('files').value, $('ranks').value] = [boards[0].rows[0].length, boards[0].rows.length];
    },
  };
}
