// @ts-check
// A start position of one's own: pieces are put on squares, boards are added and removed. The library makes 5DFEN of it, and a game.

import { boardsOf, gameOfBoards, withBoard, withNextBoard, withPiece, withSize, withoutBoard } from '../worldlines/browser.js';
import { warningOf } from './author.js';
import { newId } from './board.js';
import { $, hushToast, isTouch, make, svg, toast } from './dom.js';
import { DRAG } from './hands.js';
import { documentOf, variantOf } from './games.js';
import { words } from './language.js';
import { pieceImage, pieceName } from './paint.js';
import * as session from './session.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {import('./view.js').Spot} Spot
 */

const LETTERS = 'KQRBNPCYSUDW';

/** @param {Board} board */
export function setup(board) {
  const options = ['', ...LETTERS, ...LETTERS.toLowerCase()];
  function palette() {
    const chosen = document.querySelector('#palette input:checked')?.getAttribute('value') ?? options[1];
    $('palette').replaceChildren(
      ...options.map((letter) => {
        const name = letter ? pieceName(letter) : words.setup.clear;
        const input = make('input', { type: 'radio', name: 'piece', value: letter, 'aria-label': name });
        input.checked = letter === chosen;
        const image = letter
          ? pieceImage(letter, board.settings.value.pieces)
          : svg('svg', { viewBox: '0 0 60 60', 'aria-hidden': 'true' }, svg('path', { d: 'M16 16L44 44M44 16L16 44', stroke: '#b3231c', 'stroke-width': '6', 'stroke-linecap': 'round' }));
        // The browser would scroll to what gets the focus: the next press would meet another piece.
        const choose = (/** @type {MouseEvent} */ event) => {
          if (event.target === input) return;
          event.preventDefault();
          input.checked = true;
          input.focus({ preventScroll: true });
        };
        return make('label', { title: name, class: letter ? false : 'clear', onclick: choose, onpointerdown: (/** @type {PointerEvent} */ event) => event.button === 0 && carry(event, letter) }, input, image);
      }),
    );
  }
  palette();
  board.settings.addEventListener('change', palette);

  /** Carries a piece of the palette from a press to the square where it is let go. @param {PointerEvent} begun @param {string} letter */
  function carry(begun, letter) {
    const label = /** @type {HTMLElement} */ (begun.currentTarget);
    /** @type {HTMLElement | undefined} */
    let carried;
    const { marks } = board.view;
    const spotAt = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      const box = $('board').getBoundingClientRect();
      const isOver = document.elementFromPoint(clientX, clientY) === $('board');
      return isOver ? board.view.placeAt(clientX - box.left, clientY - box.top) : undefined;
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (!carried && Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY) <= DRAG) return;
      const shown = (carried ??= document.body.appendChild(make('div', { class: 'carried' }, label.lastElementChild?.cloneNode(true))));
      const side = Math.max(44, board.view.scale * board.view.scene.square * 1.1);
      // A finger covers what is under it.
      const above = isTouch() ? 0.95 : 0.5;
      shown.style.cssText = `width:${side}px;left:${event.clientX - side / 2}px;top:${event.clientY - side * above}px`;
      marks.aim = spotAt(event);
      board.view.redraw();
    };
    const end = (/** @type {PointerEvent} */ event) => {
      for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) label.removeEventListener(name, end);
      label.removeEventListener('pointermove', move);
      const isCarried = carried !== undefined;
      carried?.remove();
      marks.aim = undefined;
      board.view.redraw();
      const spot = isCarried && event.type === 'pointerup' ? spotAt(event) : undefined;
      if (spot) put(spot, letter);
    };
    label.setPointerCapture(begun.pointerId);
    label.addEventListener('pointermove', move);
    for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) label.addEventListener(name, end);
  }

  const say = (/** @type {string} */ text, kind = '') => {
    $('setup-said').textContent = text;
    $('setup-said').className = kind;
  };

  /** The pieces that a pawn may become in a game, as letters. @param {import('../worldlines/browser.js').Game} game */
  const promotionsOf = (game) => (/\[Promotions "([^"]*)"\]/.exec(game.record())?.[1] ?? '').replaceAll(',', '');
  /** Puts those of a game into the field. @param {import('../worldlines/browser.js').Game} game */
  const setPromotions = (game) => {
    $('s-promotions').value = promotionsOf(game);
  };

  /** The texts and promotions of before, for going back. @type {{ fen: string, promotions: string }[]} */
  const earlier = [];
  function back() {
    const before = earlier.pop();
    if (before === undefined) return;
    $('fen').value = before.fen;
    $('s-promotions').value = before.promotions;
    read();
  }

  /** Changes the boards, and says it if many squares change at once. @param {(fen: string) => string} change @param {string} [said] */
  function show(change, said) {
    const before = { fen: $('fen').value, promotions: $('s-promotions').value };
    try {
      $('fen').value = change(before.fen);
    } catch (/** @type {any} */ error) {
      say(words.fault(error), 'bad');
      return;
    }
    if (before.fen === $('fen').value && before.promotions === $('s-promotions').value) return;
    earlier.push(before);
    hushToast();
    read();
    if (said) toast(said, back);
  }

  /** A text with a piece on a square. The same piece is taken away. @param {string} fen @param {Spot} spot @param {string} letter */
  function withPieceAt(fen, { tile, square }, letter) {
    const index = boardsOf(fen).findIndex(({ timeline, halfTurn }) => timeline === tile.timeline && halfTurn === tile.halfTurn);
    return index < 0 ? fen : withPiece(fen, index, square, letter, { unmoved: $('unmoved').checked });
  }

  /** Puts a piece that was dragged on a square, and takes it from another one. @param {Spot | undefined} to @param {string} letter @param {Spot} [from] */
  function put(to, letter, from) {
    show((fen) => {
      const without = from ? withPieceAt(fen, from, '') : fen;
      return to && board.view.pieceAt(to.tile, to.square) !== letter ? withPieceAt(without, to, letter) : without;
    });
    board.sound('move');
  }

  /** Shows the size of the boards in its fields. */
  function showSize() {
    const [first] = boardsOf($('fen').value);
    if (first) [$('files').value, $('ranks').value] = [first.files, first.ranks];
  }

  /** Draws the boards of the text, if they are a position. */
  function read() {
    const text = $('fen').value;
    $('s-play').disabled = true;
    if (!text.trim()) {
      say(words.setup.noBoard);
      return;
    }
    try {
      const game = gameOfBoards(text, { promotions: $('s-promotions').value.trim().toUpperCase() });
      const old = board.state.slots.setup ? board.state.documents[board.state.slots.setup] : undefined;
      // Actions that were played from the position are kept.
      const id = old && !session.hasContent(old) ? old.id : newId();
      const flipped = old?.flipped ?? false;
      const document = documentOf(game, { id, flipped });
      const warning = warningOf(game);
      game.free();
      showSize();
      const size = `${board.view.scene.files} ${board.view.scene.ranks} ${board.view.scene.tiles.length}`;
      board.update(session.open(board.state, 'setup', { ...document, changed: Date.now() }), { sight: 'same' });
      if (size !== `${board.view.scene.files} ${board.view.scene.ranks} ${board.view.scene.tiles.length}`) board.view.near();
      say(warning, 'bad');
      $('s-play').disabled = false;
    } catch (/** @type {any} */ error) {
      say(words.fault(error), 'bad');
    }
  }

  /** @type {import('./board.js').Mode} */
  const mode = {
    standing: words.standing.settingUp,
    mayPlay: () => false,
    get undo() {
      return earlier.length > 0 ? back : undefined;
    },
    places(spot) {
      show((fen) => withPieceAt(fen, spot, document.querySelector('#palette input:checked')?.getAttribute('value') ?? ''));
      board.sound('move');
    },
    // A piece that is dragged goes to another square, or off the boards.
    moves: (from, to) => put(to, board.view.pieceAt(from.tile, from.square) ?? '', from),
  };

  const number = (/** @type {string} */ id, /** @type {number} */ least, /** @type {number} */ most) => Math.min(most, Math.max(least, Number($(id).value) || least));
  const place = () => ({ timeline: $('s-timeline').value.trim() || '0', turn: number('s-turn', 0, 1_000), color: $('s-color').value });
  const size = () => ({ files: number('files', 1, 8), ranks: number('ranks', 1, 8) });

  $('empty').addEventListener('click', () =>
    show(() => {
      const fen = withBoard('', place(), size());
      // Nothing is asked of the promotions: they are those of the library.
      const game = gameOfBoards(fen);
      setPromotions(game);
      game.free();
      return fen;
    }, words.setup.emptied),
  );
  $('from-game').addEventListener('click', () => {
    const document = board.state.documents[/** @type {string} */ (board.state.slots.game)];
    show(() => {
      const game = board.games.at(document, document.at);
      setPromotions(game);
      return game.fen();
    }, words.setup.taken);
  });
  $('s-add').addEventListener('click', () => show((fen) => withBoard(fen, place(), size())));
  for (const id of ['files', 'ranks']) $(id).addEventListener('change', () => boardsOf($('fen').value).length > 0 && show((fen) => withSize(fen, size()), words.setup.resized));
  $('s-copy').addEventListener('click', () => show(withNextBoard));
  $('s-remove').addEventListener('click', () => show((fen) => withoutBoard(fen, place()), words.setup.removed));
  $('fen').addEventListener('input', read);
  $('s-promotions').addEventListener('change', read);
  $('s-play').addEventListener('click', () => {
    const { players } = board.state.documents[/** @type {string} */ (board.state.slots.game)];
    const document = { ...board.document, id: newId(), players, title: variantOf(board.document.start) ?? words.play.custom };
    board.open('game', document, { said: words.setup.opened, tab: 'play' });
    board.letPlay();
  });
  board.modes.setup = () => mode;
  return {
    enter() {
      if (!board.state.slots.setup) {
        const { document } = board;
        // The boards alone, as a start.
        const game = board.games.at(document, document.at);
        $('fen').value = game.fen();
        setPromotions(game);
        read();
      } else {
        $('fen').value = board.game.fen();
        setPromotions(board.game);
        say(warningOf(board.game), 'bad');
        $('s-play').disabled = false;
      }
      showSize();
    },
  };
}
