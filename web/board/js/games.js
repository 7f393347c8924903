// @ts-check
// Games of the library for documents. A game is made from the nearest one that is there, and what is no longer used gives its memory back.

import Chess, { Game, readTree, variants, writeTree } from '../worldlines/browser.js';
import { lineOf, resultOf, treeOf, writeShapes } from './annotated.js';
import { headerOf } from './headers.js';
import { actionsOf, goTo, movesOf, newDocument } from './session.js';
import { actionsTo, endOf, isPlain, lineThrough, nodeOn } from './tree.js';

/**
 * @typedef {import('./session.js').Document} Document
 */

/** The number of games that are kept at hand. */
const KEPT = 48;
/** On a long way one game of so many is kept. */
const EACH = 12;

export class Games {
  /** Games by their start and their actions. @type {Map<string, Map<string, Game>>} */
  #starts = new Map();
  /** @type {{ start: string, key: string }[]} */
  #used = [];
  /** @type {Map<string, string[]>} */
  #short = new Map();

  /** @param {string} start @param {string} key @param {Game} game */
  #keep(start, key, game) {
    let games = this.#starts.get(start);
    if (!games) this.#starts.set(start, (games = new Map()));
    games.set(key, game);
    this.#used.push({ start, key });
    if (this.#used.length <= KEPT) return;
    const [old] = this.#used.splice(0, 1);
    const others = this.#starts.get(old.start);
    others?.get(old.key)?.free();
    others?.delete(old.key);
    if (others?.size === 0) this.#starts.delete(old.start);
  }

  /** The game after some actions. It is shared: whoever changes it copies it. @param {string} start @param {string[]} actions @returns {Game} */
  after(start, actions) {
    const keyOf = (/** @type {number} */ count) => actions.slice(0, count).join('\n');
    const key = keyOf(actions.length);
    const games = this.#starts.get(start);
    const known = games?.get(key);
    if (known) {
      const at = this.#used.findIndex((one) => one.start === start && one.key === key);
      this.#used.push(...this.#used.splice(at, 1));
      return known;
    }
    const later = [...(games ?? [])].find(([other]) => actions.length > 0 && other.startsWith(`${key}\n`));
    if (later) {
      const game = later[1].until(actions.length);
      this.#keep(start, key, game);
      return game;
    }
    let count = actions.length - 1;
    while (count > 0 && !games?.has(keyOf(count))) count -= 1;
    let game = games?.get(keyOf(Math.max(0, count)))?.copy() ?? Game.parse(start);
    for (let index = Math.max(0, count); index < actions.length; index++) {
      try {
        game.play(actions[index]);
      } catch (error) {
        game.free();
        throw error;
      }
      if ((index + 1) % EACH === 0 && index + 1 < actions.length) this.#keep(start, keyOf(index + 1), game.copy());
    }
    this.#keep(start, key, game);
    return game;
  }

  /** A game of its own for what a document shows, with the moves of the action under way. @param {Document} document */
  shown(document) {
    const game = this.after(document.start, actionsOf(document)).copy();
    for (const move of movesOf(document)) game.move(move);
    return game;
  }

  /** @param {Document} document @param {string} node */
  at(document, node) {
    return this.after(document.start, actionsTo(document.tree, node));
  }

  /** The action as it is written in full. @param {Document} document @param {string} action */
  canonical(document, action) {
    const game = this.after(document.start, actionsOf(document)).copy();
    try {
      return /** @type {string} */ (game.play(action).actions().at(-1));
    } finally {
      game.free();
    }
  }

  /** The short texts of the line through a node, as 5DPGN has them, by node. @param {Document} document @param {string} node @returns {Map<string, string>} */
  short({ start, tree }, node) {
    const line = lineThrough(tree, node);
    const actions = line.map((id) => tree.nodes[id].action);
    const key = `${start}\n${actions.join('\n')}`;
    let texts = this.#short.get(key);
    if (!texts) {
      try {
        texts = actions.length > 0 ? shortTexts(this.after(start, actions), actions) : [];
      } catch {
        // A document that was spoilt has actions that cannot be played.
        texts = actions;
      }
      this.#keepShort(key, texts);
    }
    const found = texts;
    return new Map(line.map((id, index) => [id, found[index]]));
  }

  /** The short texts of a line that could be played after a node. @param {Document} document @param {string} node @param {string[]} line */
  shortAfter(document, node, line) {
    const before = actionsTo(document.tree, node);
    const key = `${document.start}\n${[...before, ...line].join('\n')}`;
    let texts = this.#short.get(key);
    if (!texts) {
      const game = this.after(document.start, before).copy();
      try {
        for (const action of line) game.play(action);
        texts = shortTexts(game, [...before, ...line]);
      } catch {
        // A line that the engine did not look at to its end.
        texts = [...before, ...line];
      } finally {
        game.free();
      }
      this.#keepShort(key, texts);
    }
    return texts.slice(before.length);
  }

  /** @param {string} key @param {string[]} texts */
  #keepShort(key, texts) {
    if (this.#short.size > 200) this.#short.clear();
    this.#short.set(key, texts);
  }

  /** How the game ended at a node: by mate or stalemate, by resignation or agreement, or not. @param {Document} document @param {string} node @returns {import('./session.js').Resignation | undefined} */
  #endAt({ start, tree, resigned }, node) {
    const game = this.after(start, actionsTo(tree, node));
    const by = loserOf(game);
    return by ? { at: node, by } : resigned?.at === node ? resigned : undefined;
  }

  /** The line to a node as text, with its result; with `marks` those of check and mate too. @param {Document} document @param {string} node */
  record(document, node, { marks = false } = {}) {
    const text = this.at(document, node).record({ marks });
    const end = this.#endAt(document, node);
    return end ? `${text.trimEnd()} ${resultOf(end)}\n` : text;
  }

  /** The whole of a document as text, with comments, variations and drawings. @param {Document} document */
  text(document, { marks = false } = {}) {
    const { start, tree } = document;
    const last = endOf(tree);
    if (isPlain(tree)) return this.record(document, last, { marks });
    const resigned = this.#endAt(document, last) ?? document.resigned;
    const drawn = (/** @type {string} */ id) => writeShapes(tree.nodes[id].shapes, this.at(document, id).scene().tiles);
    return writeTree({ start, line: lineOf(tree, drawn, resigned) }).text;
  }

  /** The numbers of actions, by how many are before them. @param {Document} document @returns {(depth: number) => { number: number, black: boolean }} */
  numbering({ start }) {
    const first = this.after(start, []);
    const [number, black] = [first.actionNumber, first.toMove === 'black' ? 1 : 0];
    return (depth) => ({ number: number + Math.floor((depth + black) / 2), black: (depth + black) % 2 === 1 });
  }
}

/** The actions of a game as 5DPGN has them, with marks of check and mate; in full if that has no other texts for them. @param {Game} game @param {string[]} actions */
function shortTexts(game, actions) {
  let chess;
  try {
    chess = new Chess(game.record());
    const text = chess.export('5dpgn').replace(/\[[^\]]*\]/g, '');
    const found = text.split(/\s*(?:\d+[wb]?\.|\/)\s*/).map((part) => part.replace(/\s*\(>L[-+]?\d+\)/g, '').trim()).filter(Boolean);
    // The sign of a new timeline is seen on the board.
    const marks = game.marks();
    if (found.length === actions.length) return found.map((one, index) => castled(one.replace(/~(?=\s|$)/g, ''), actions[index]) + marks[index]);
  } catch {
    // The full texts are given.
  } finally {
    chess?.free();
  }
  return actions;
}

/** A short text in which castling is no move of the king, but what the full text has for it. @param {string} short @param {string} full */
function castled(short, full) {
  const [moves, own] = [short.split(' '), full.split(' ')];
  if (!full.includes('O-O') || moves.length !== own.length) return short;
  return moves.map((move, index) => move.replace(/K\S*$/, /O-O(?:-O)?/.exec(own[index])?.[0] ?? '$&')).join(' ');
}

/** The steps for finding out whether a game has ended. */
const END_STEPS = 100_000;

/** Who has lost where a game ends by the rules: the one who is mated, or both by a stalemate; undefined where it goes on. @param {Game} game */
function loserOf(game) {
  const status = game.status({ steps: END_STEPS });
  return status === 'checkmate' ? game.toMove : status === 'stalemate' ? /** @type {const} */ ('both') : undefined;
}

/** Names actions of a position: without the board, where only one can be played. @param {Game} game */
export function namesOf(game) {
  const isAlone = game.scene({ checks: false }).tiles.filter(({ duty }) => duty !== 'none').length === 1;
  return (/** @type {string} */ action) => (isAlone ? action.replace(/^\([^()]*\)/, '') : action).replace(/~(?=\s|$)/g, '');
}

/** The start of a game, as text. @param {Game} game */
export function startOf(game) {
  const first = game.until(0);
  try {
    return first.record();
  } finally {
    first.free();
  }
}

/** A start without the headers that say nothing of it. @param {string} start */
const plain = (start) => start.split('\n').filter((line) => !line.startsWith('[') || !line.includes('"') || /^\[(?:Board|Mode|Size|Promotions|Rules) "/.test(line)).join('\n').trim();

/** The names of variants by their starts, once they were asked for. @type {Map<string, string> | undefined} */
let starts;
/** The variant that a position begins, if there is one: texts name only those whose start nobody disputes, and the page names all. @param {string} start */
export function variantOf(start) {
  starts ??= new Map(variants().map(({ name }) => {
    const game = Game.start(name);
    try {
      return [plain(game.record()), name];
    } finally {
      game.free();
    }
  }));
  return starts.get(plain(start));
}

/** The name of a variant whose boards stand in a text without it; empty if there is none. @param {string} start */
const namelessIn = (start) => (headerOf(start, 'Board') === 'custom' && variantOf(start)) || '';

/** A document of a game, with the action under way. @param {Game} game @param {{ id: string, title?: string, players?: Document['players'], flipped?: boolean, now?: number }} more @returns {Document} */
export function documentOf(game, more) {
  const start = startOf(game);
  const made = newDocument({ start, actions: game.actions(), title: namelessIn(start), ...more });
  const moves = game.movesMade();
  return moves.length > 0 ? { ...made, unfinished: { [made.at]: moves } } : made;
}

/** The longest text that is looked at, in letters. */
const MOST_PGN = 1_000_000;

/** Whether a text may be PGN, as servers for chess write it: moves after numbers, and nothing that 5DPGN needs for boards and players. @param {string} text */
function mayBePgn(text) {
  if (text.length > MOST_PGN) return false;
  const moves = text.replace(/\{[^{}]*\}|;[^\n]*|^[ \t]*\[[^\n]*$/gm, ' ').replace(/1\/2-1\/2/g, ' ');
  return /(?:^|\s)\d+\.+\s*[A-Za-z]/.test(moves) && !/\/|\([^()]*T\d/.test(moves);
}

/** What is lost, with a number where the same is lost several times. @param {string[]} losses */
function together(losses) {
  const counts = new Map();
  for (const loss of losses) counts.set(loss, (counts.get(loss) ?? 0) + 1);
  return [...counts].map(([loss, count]) => (count > 1 ? `${loss} (${count})` : loss));
}

/**
 * Reads a game in any notation, with its comments, variations and drawings. What could not be kept is said.
 * @param {string} text @param {string | undefined} from a notation, if its own cannot be told
 * @param {string} id
 * @param {string} [way] to the place where it stands; without one, or where it leads nowhere, the game stands at its end
 * @returns {{ document: Document, losses: string[], isChess: boolean }} `isChess` says that it was a game of chess, on one board
 */
export function readGame(text, from, id, way = '') {
  const read = readWhole(text, from, id);
  return { ...read, document: goTo(read.document, nodeOn(read.document.tree, way) ?? read.document.at) };
}

/** @param {string} text @param {string | undefined} from @param {string} id @returns {{ document: Document, losses: string[], isChess: boolean }} */
function readWhole(text, from, id) {
  /** @type {any} */
  let first;
  // Short texts have nothing that tells their notation, and are 5DPGN as a rule.
  for (const notation of new Set([undefined, '5dpgn', from, ...(mayBePgn(text) ? ['pgn'] : [])])) {
    try {
      const { start, line, losses, from: found } = readTree(text, { from: notation });
      return { ...documentOfTree(start, line, id, together(losses)), isChess: found === 'pgn' };
    } catch (error) {
      first ??= error;
    }
  }
  try {
    // The whole state of a game, or a game that ends within an action.
    const game = Game.parse(text);
    try {
      return { document: documentOf(game, { id }), losses: [], isChess: false };
    } finally {
      game.free();
    }
  } catch (error) {
    throw first.code === 'unknown-format' ? error : first;
  }
}

/**
 * @param {string} start @param {import('../worldlines/browser.js').TreeLine} line @param {string} id @param {string[]} losses
 * @returns {{ document: Document, losses: string[] }}
 */
function documentOfTree(start, line, id, losses) {
  const begun = Game.parse(start);
  try {
    const boards = (/** @type {string[]} */ actions) => {
      const game = begun.copy();
      try {
        for (const action of actions) game.play(action);
        return game.scene().tiles;
      } finally {
        game.free();
      }
    };
    const { tree, end } = treeOf(line, boards);
    const text = startOf(begun);
    const document = { ...newDocument({ id, start: text, title: namelessIn(text) }), tree, at: end };
    const { result } = line;
    if (result === undefined || result === '*') return { document, losses };
    // The board says that of a mate by itself.
    const last = begun.copy();
    try {
      for (const action of actionsTo(tree, end)) last.play(action);
      if (loserOf(last)) return { document, losses };
    } finally {
      last.free();
    }
    const by = /** @type {const} */ ({ '1-0': 'black', '0-1': 'white', '1/2-1/2': 'both' })[result];
    return { document: { ...document, resigned: { at: end, by, told: true } }, losses };
  } finally {
    begun.free();
  }
}

/** What captures a king if the player passes on all boards that are left after the moves that were made. @param {Game} game @returns {{ from: import('./tree.js').Place, to: import('./tree.js').Place }[]} */
export function capturesOf(game) {
  let chess;
  try {
    chess = new Chess(game.record());
    for (const move of game.movesMade()) chess.move(move);
    // Where there is no timeline in the middle, those above begin with 1.
    const isEven = game.scene({ checks: false }).tiles.some(({ label }) => label.startsWith('(+0T'));
    /** @param {import('../worldlines/browser.js').Position} position @returns {import('./tree.js').Place} */
    const place = ({ timeline, turn, player, file, rank }) => ({
      timeline: isEven && timeline > 0 ? timeline - 1 : timeline,
      halfTurn: 2 * turn + (player === 'black' ? 1 : 0),
      square: [file - 1, rank - 1],
    });
    return chess.checks().map(({ start, end }) => ({ from: place(start), to: place(end) }));
  } catch {
    return [];
  } finally {
    chess?.free();
  }
}

/** The position after the player has passed; undefined where that cannot be. @param {Game} game @returns {Game | undefined} */
export function passed(game) {
  let chess;
  try {
    chess = new Chess(game.record());
    chess.pass();
    const { saved } = chess.state();
    return saved === undefined ? undefined : Game.parse(saved);
  } catch {
    return undefined;
  } finally {
    chess?.free();
  }
}
