// @ts-check
// Games as text in every notation, and as pictures.

import { convert, formats, puzzleGame } from '../worldlines/browser.js';
import { newId } from './board.js';
import { $, hushToast, option, toast } from './dom.js';
import { GAMES, fileName, isPuzzle, pick, pictureName, save, textOf } from './files.js';
import { documentOf, readGame, variantOf } from './games.js';
import { headerOf } from './headers.js';
import { words } from './language.js';
import { toLink } from './link.js';
import { keep, kept } from './settings.js';
import { wayTo } from './tree.js';

/** @typedef {import('./board.js').Board} Board */

/** The name of 5DPGN with everything that the tree has. */
const WHOLE = 'tree';
/** The name of the boards as letters, for reading. */
const LETTERS = 'letters';
/** The name under which a text is kept that somebody writes. */
const KEPT = 'worldlines text';

/** @param {Board} board */
export function texts(board) {
  $('format').replaceChildren(
    ...formats().map(({ name, title }) => option(name, words.notation(name, title))),
    option(WHOLE, words.text.whole),
    option(LETTERS, words.text.letters),
  );
  $('format').value = '5dpgn';
  /** The document for which somebody chose the format. */
  let chosen = '';

  /** The text that was written last: one that somebody has changed stays. */
  let own = '';
  const isOwn = () => $('text').value === own || !$('text').value.trim();
  $('text').addEventListener('input', () => keep(KEPT, isOwn() ? '' : $('text').value));
  const before = kept(KEPT);
  if (typeof before === 'string') $('text').value = before;
  /** @param {string} text */
  const put = (text) => {
    if (!isOwn() && $('text').value !== text) {
      const old = $('text').value;
      toast(words.text.anew, () => {
        $('text').value = old;
      });
    }
    $('text').value = own = text;
    keep(KEPT, '');
  };

  const say = (/** @type {string} */ text, kind = '') => {
    $('text-said').textContent = text;
    $('text-said').className = kind;
    if (kind !== 'bad') return;
    // What was said before an error is of no interest any more. On a phone an error may be below the fold, and the field with it.
    hushToast();
    requestAnimationFrame(() => $('text-said').scrollIntoView({ block: 'nearest' }));
  };

  /** The parts of a tree that a single line does not have. */
  function leftOut() {
    const nodes = Object.values(board.document.tree.nodes);
    const lost = [];
    if (nodes.some(({ children }) => children.length > 1)) lost.push(words.text.variations);
    if (nodes.some(({ comment }) => comment)) lost.push(words.text.comments);
    if (nodes.some(({ glyphs }) => glyphs.length > 0)) lost.push(words.text.glyphs);
    if (nodes.some(({ shapes }) => shapes.length > 0)) lost.push(words.text.drawings);
    return lost;
  }

  /** What stands in the field, and why a variant has no name there: the library writes only names that mean the same boards everywhere. */
  function written() {
    const variant = variantOf(board.document.start);
    const isNameless = variant && ['Board', 'Variant'].some((name) => headerOf($('text').value, name) === 'custom');
    return `${words.text.written($('format').selectedOptions[0].text, $('text').value.length)}${isNameless ? words.text.noName(variant) : ''}`;
  }

  function write() {
    try {
      const format = $('format').value;
      if (format === WHOLE) {
        put(board.games.text(board.document, { marks: true }));
        say(written());
        return;
      }
      if (format === LETTERS) {
        put(board.game.render({ width: 60, timelines: 100 }));
        say(words.text.forReading);
        return;
      }
      // The whole line, also if an earlier position is on the board. The own notation marks check and mate.
      const record = board.games.record(board.document, board.line.at(-1) ?? '0', { marks: format === '5dpgn' });
      const { text, losses } = format === '5dpgn' ? { text: record, losses: [] } : convert(record, { from: '5dpgn', to: format });
      put(text);
      const lost = [...losses, ...leftOut()];
      say(`${written()}${words.lost(lost)}`);
    } catch (/** @type {any} */ error) {
      say(words.fault(error), 'bad');
    }
  }

  /** @param {string} text */
  function read(text) {
    const format = [WHOLE, LETTERS].includes($('format').value) ? '5dpgn' : $('format').value;
    try {
      if (isPuzzle(text)) {
        const game = puzzleGame(text);
        board.open('game', documentOf(game, { id: newId() }), { said: words.text.puzzleOpened });
        game.free();
        say(words.text.read(board.actions.length, []), 'good');
        return;
      }
      const { document, losses, isChess } = readGame(text, format, newId());
      own = $('text').value;
      keep(KEPT, '');
      board.open('game', document, { said: words.text.opened });
      const count = document.tree.next - 1;
      say(`${words.text.read(count, losses)}${isChess ? ` ${words.text.chess}` : ''}`, losses.length > 0 ? '' : 'good');
    } catch (/** @type {any} */ error) {
      say(words.fault(error), 'bad');
      if (Number.isInteger(error.start)) {
        $('text').focus();
        $('text').setSelectionRange(error.start, Math.max(error.end, error.start + 1));
      }
    }
  }

  $('export').addEventListener('click', () => {
    prefer();
    write();
  });
  $('t-copy').addEventListener('click', async () => {
    if (!$('text').value.trim()) write();
    try {
      await navigator.clipboard.writeText($('text').value);
      say(words.text.copied($('text').value.length), 'good');
    } catch {
      $('text').select();
      say(words.text.notCopied);
    }
  });
  $('format').addEventListener('change', () => {
    chosen = board.document.id;
    write();
  });
  $('import').addEventListener('click', () => read($('text').value));
  $('svg').addEventListener('click', () => save(pictureName('svg'), 'image/svg+xml', board.game.picture({ flipped: board.document.flipped, planned: board.planned })));
  $('png').addEventListener('click', async () => save(pictureName('png'), 'image/png', await board.view.png()));
  $('embed').addEventListener('click', async () => {
    const address = new URL(`embed.html${await toLink(board.games.text(board.document), wayTo(board.document.tree, board.document.at))}`, location.href.split('#')[0]).href;
    const frame = `<iframe src="${address}" width="640" height="420" style="border:0" title="${words.text.frameTitle}"></iframe>`;
    try {
      await navigator.clipboard.writeText(frame);
      say(words.text.frameCopied, 'good');
    } catch {
      put(frame);
      say(words.text.frameAbove);
    }
  });
  $('t-save').addEventListener('click', () => {
    if (!$('text').value.trim()) write();
    save(fileName($('format').value === WHOLE ? '5dpgn' : $('format').value), 'text/plain', $('text').value);
  });
  const take = (/** @type {string} */ text) => {
    put(text);
    read(text);
  };
  $('t-paste').hidden = !navigator.clipboard?.readText;
  $('t-paste').addEventListener('click', async () => {
    let text;
    try {
      text = await navigator.clipboard.readText();
    } catch {
      say(words.text.notPasted, 'bad');
      return;
    }
    if (text.trim()) take(text);
    else say(words.text.nothingToPaste, 'bad');
  });
  $('t-open').addEventListener('click', async () => {
    const file = await pick(GAMES);
    if (!file) return;
    try {
      take(await textOf(file));
    } catch (/** @type {any} */ error) {
      say(words.fault(error), 'bad');
    }
  });
  /** Chooses the notation for 5DPGN: a game with variations, comments or drawings is written with them, unless somebody chose one for this game. */
  function prefer() {
    const isPgn = [WHOLE, '5dpgn'].includes($('format').value);
    if (isPgn && chosen !== board.document.id) $('format').value = leftOut().length > 0 ? WHOLE : '5dpgn';
  }
  /** The text of the game, unless somebody has written another one. */
  function enter() {
    if (!isOwn()) return;
    prefer();
    write();
  }
  return { enter, read: take };
}
