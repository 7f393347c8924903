// A start position of one's own: pieces are put on squares, boards are added and removed. What is made is 5DFEN, which the library reads.

import { Game } from '../worldlines/browser.js';
import { $, pieceImage } from './page.js';
import { pieceName } from './view.js';

const LETTERS = 'KQRBNPCYSUDW';
/** Kinds that the rules ask whether they have moved. */
const TRACKED = 'KRPW';

const parse = (row) => {
  const cells = [];
  for (const part of row.match(/\d+|[A-Za-z]\*?/g) ?? []) {
    if (/\d/.test(part)) for (let index = 0; index < Number(part); index++) cells.push('');
    else cells.push(part);
  }
  return cells;
};

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

export function boardsOf(fen) {
  return [...fen.matchAll(/\[([^\s[\]"]+):([-+]?\d+):(\d+):([wb])\]/g)].map(([, rows, timeline, turn, color]) => ({
    rows: rows.split('/').map(parse),
    timeline,
    turn: Number(turn),
    color,
  }));
}

export function fenOf(boards) {
  return boards.map(({ rows, timeline, turn, color }) => `[${rows.map(write).join('/')}:${timeline}:${turn}:${color}]`).join('\n');
}

export function setup(board) {
  let boards = [];
  let mode;

  const options = ['', ...LETTERS, ...LETTERS.toLowerCase()];
  $('palette').replaceChildren(
    ...options.map((letter, index) => {
      const label = document.createElement('label');
      const input = document.createElement('input');
      Object.assign(input, { type: 'radio', name: 'piece', value: letter, checked: index === 1 });
      input.setAttribute('aria-label', letter ? pieceName(letter) : 'clear');
      if (letter) {
        label.append(input, pieceImage(letter));
      } else {
        const svg = pieceImage('K');
        svg.firstChild.remove();
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        path.setAttribute('d', 'M16 16L44 44M44 16L16 44');
        path.setAttribute('stroke', '#b3231c');
        path.setAttribute('stroke-width', '6');
        svg.append(path);
        label.append(input, svg);
      }
      label.title = letter ? pieceName(letter) : 'clear';
      if (!letter) label.className = 'clear';
      return label;
    }),
  );

  function show() {
    $('fen').value = fenOf(boards);
    read();
  }

  /** Reads the text, and draws it if it is a position. */
  function read() {
    const text = $('fen').value;
    boards = boardsOf(text);
    if (boards.length === 0) {
      $('setup-said').textContent = 'There is no board yet.';
      return;
    }
    try {
      const letters = $('s-promotions').value.toUpperCase().match(/[QRBNSUDC]/g) ?? [];
      const [{ rows }] = boards;
      const head = `[Board "custom"]\n[Size "${rows[0].length}x${rows.length}"]\n[Promotions "${letters.join(',')}"]\n`;
      const game = Game.parse(head + text);
      board.take(game);
      $('setup-said').textContent = '';
      $('setup-said').className = '';
      $('s-play').disabled = false;
    } catch (error) {
      $('setup-said').textContent = error.message;
      $('setup-said').className = 'bad';
      $('s-play').disabled = true;
    }
  }

  mode = {
    standing: 'Setting up',
    mayPlay: () => false,
    places({ tile, square: [file, rank] }) {
      const letter = document.querySelector('#palette input:checked')?.value ?? '';
      const found = boardsOf(board.game.fen());
      const index = board.view.scene.tiles.indexOf(tile);
      const same = found.length === boards.length ? found[index] : undefined;
      const at = same && boards.find((one) => one.timeline === same.timeline && one.turn === same.turn && one.color === same.color);
      if (!at) return;
      const star = letter && $('unmoved').checked && TRACKED.includes(letter.toUpperCase()) ? '*' : '';
      const row = at.rows.length - 1 - rank;
      const wanted = letter + star;
      at.rows[row][file] = at.rows[row][file] === wanted ? '' : wanted;
      show();
    },
  };

  const number = (id, least, most) => Math.min(most, Math.max(least, Number($(id).value) || least));
  const place = () => ({ timeline: $('s-timeline').value.trim() || '0', turn: number('s-turn', 0, 1_000), color: $('s-color').value });
  const emptyRows = (files, ranks) => Array.from({ length: ranks }, () => Array(files).fill(''));

  $('empty').addEventListener('click', () => {
    boards = [{ rows: emptyRows(number('files', 1, 8), number('ranks', 1, 8)), ...place() }];
    show();
  });
  $('from-game').addEventListener('click', () => {
    boards = boardsOf(board.game.fen());
    show();
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
      $('setup-said').textContent = `There is no board (${timeline}T${turn}${color}).`;
      return;
    }
    boards = rest;
    show();
  });
  $('fen').addEventListener('input', read);
  $('s-promotions').addEventListener('change', read);
  $('s-play').addEventListener('click', () => {
    board.mode = undefined;
    board.refresh();
    document.getElementById('tab-play').click();
  });
  return {
    enter() {
      board.mode = mode;
      board.refresh();
      boards = boardsOf(board.game.fen());
      $('fen').value = fenOf(boards);
      if (boards[0]) [$('files').value, $('ranks').value] = [boards[0].rows[0].length, boards[0].rows.length];
      $('setup-said').textContent = '';
    },
    leave() {
      if (board.mode === mode) board.mode = undefined;
      board.refresh();
      board.letPlay();
    },
  };
}
