// @ts-check
// The tree of a document as the lines and notes of the library, and back. Drawn shapes are commands in comments, as in PGN: `[%csl G(0T1w)e4]`
// colours a square, `[%cal R(0T1w)e2(0T2w)e4]` draws an arrow.

import { ROOT, add, empty, pathTo } from './tree.js';
import { squareName, squareOf } from './words.js';

/**
 * @typedef {import('../worldlines/browser.js').TreeLine} Line
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {import('./tree.js').Shape} Shape
 * @typedef {{ label: string, timeline: number, halfTurn: number }} Named a board, by its label
 */

const COLORS = /** @type {Record<string, string>} */ ({ G: 'green', R: 'red', B: 'blue', Y: 'yellow' });
const COMMAND = /\s*\[%(cal|csl)\s+([^\]]*)\]/g;
const ITEM = /^([GRBY])(\([^()]+\))([a-h][1-8])(?:(\([^()]+\))([a-h][1-8]))?$/;

/** Whether a comment may draw something. @param {string} comment */
export const mayDraw = (comment) => /\[%c[as]l\s/.test(comment);

/**
 * The shapes that a comment draws, and its words without them. A command that names a board or a square that is not there stays a word.
 * @param {string} comment @param {readonly Named[]} boards @returns {{ comment: string, shapes: Shape[] }}
 */
export function readShapes(comment, boards) {
  /** @type {Shape[]} */
  const shapes = [];
  /** @param {string} label @param {string} square */
  const place = (label, square) => {
    const board = boards.find((one) => one.label === label);
    return board && { timeline: board.timeline, halfTurn: board.halfTurn, square: squareOf(square) };
  };
  const words = comment.replace(COMMAND, (command, kind, items) => {
    /** @type {Shape[]} */
    const found = [];
    for (const item of items.split(',')) {
      const [, color, board, square, otherBoard, otherSquare] = ITEM.exec(item.trim()) ?? [];
      const from = color && place(board, square);
      const to = kind === 'csl' ? from : otherBoard && place(otherBoard, otherSquare);
      if (!from || !to || (kind === 'csl' && otherBoard)) return command;
      found.push({ kind: kind === 'csl' ? 'circle' : 'arrow', color: COLORS[color], from, to });
    }
    shapes.push(...found);
    return '';
  });
  return { comment: words.trim(), shapes };
}

/** The commands that draw shapes. @param {readonly Shape[]} shapes @param {readonly Named[]} boards */
export function writeShapes(shapes, boards) {
  /** @param {import('./tree.js').Place} place */
  const name = ({ timeline, halfTurn, square }) => {
    const board = boards.find((one) => one.timeline === timeline && one.halfTurn === halfTurn);
    return board ? `${board.label}${squareName(square)}` : undefined;
  };
  const letter = (/** @type {string} */ color) => Object.keys(COLORS).find((key) => COLORS[key] === color) ?? 'G';
  /** @param {Shape['kind']} kind */
  const items = (kind) =>
    shapes
      .filter((shape) => shape.kind === kind)
      .map(({ color, from, to }) => [letter(color), name(from), kind === 'arrow' ? name(to) : ''])
      .filter((parts) => parts.every((part) => part !== undefined))
      .map((parts) => parts.join(''));
  const command = (/** @type {string} */ word, /** @type {string[]} */ list) => (list.length > 0 ? `[%${word} ${list.join(',')}]` : '');
  return [command('csl', items('circle')), command('cal', items('arrow'))].filter(Boolean).join(' ');
}

/**
 * A tree as a line of the library. `drawn` gives the commands of a node with shapes. A resignation is the result of the line that ends there.
 * @param {Tree} tree @param {(id: string) => string} drawn @param {import('./session.js').Resignation} [resigned] @returns {Line}
 */
export function lineOf(tree, drawn, resigned) {
  /** @param {string | undefined} first @param {string} [before] the position before the line, if its note belongs to it @returns {Line} */
  const line = (first, before) => {
    /** @type {Line & { notes: import('../worldlines/browser.js').TreeNote[] }} */
    const made = { actions: [], notes: [] };
    /** @param {string} id */
    const note = (id) => {
      const { comment, glyphs, shapes, children } = tree.nodes[id];
      const comments = [comment, shapes.length > 0 ? drawn(id) : ''].filter(Boolean);
      const others = children.slice(1);
      if (comments.length + glyphs.length + others.length === 0) return;
      made.notes.push({ after: made.actions.length, glyphs, comments, variations: others.map((other) => line(other)) });
    };
    if (before !== undefined) note(before);
    let end = before;
    for (let at = first; at !== undefined; [at] = tree.nodes[at].children) {
      made.actions.push(tree.nodes[at].action);
      note(at);
      end = at;
    }
    if (resigned && resigned.at === end) made.result = resultOf(resigned);
    return made;
  };
  return line(tree.nodes[ROOT].children[0], ROOT);
}

/** The result of a game that a player lost, or that was drawn. @param {{ by: import('./session.js').Resignation['by'] }} lost */
export const resultOf = ({ by }) => /** @type {const} */ ({ white: '0-1', black: '1-0', both: '1/2-1/2' })[by];

/**
 * A line of the library as a tree, with the last node of its main line. `boards` names the boards after some actions.
 * @param {Line} given @param {(actions: string[]) => readonly Named[]} boards @returns {{ tree: Tree, end: string }}
 */
export function treeOf(given, boards) {
  let tree = empty();
  /** @param {string} id @param {readonly string[]} comments @param {readonly number[]} glyphs */
  const say = (id, comments, glyphs) => {
    const node = tree.nodes[id];
    const words = [node.comment, ...comments.map((one) => one.trim())].filter(Boolean).join(' ');
    tree = { ...tree, nodes: { ...tree.nodes, [id]: { ...node, comment: words, glyphs: [...new Set([...node.glyphs, ...glyphs])] } } };
  };
  /** @param {string} parent @param {Line} line */
  const grow = (parent, { actions, notes = [] }, isVariation = true) => {
    const noted = new Map(notes.map((note) => [note.after, note]));
    let at = parent;
    for (let after = 0; after <= actions.length; after++) {
      const { glyphs = [], comments = [], variations = [] } = noted.get(after) ?? {};
      const here = at;
      if (after < actions.length) {
        const made = add(tree, here, actions[after]);
        tree = made.tree;
        at = made.id;
      }
      // The words before the first action of a variation are about that action.
      const isBefore = after === 0 && isVariation;
      say(isBefore ? at : here, comments, isBefore ? [] : glyphs);
      for (const variation of variations) grow(here, variation);
    }
    return at;
  };
  const end = grow(ROOT, given, false);
  for (const [id, node] of Object.entries(tree.nodes)) {
    if (!mayDraw(node.comment)) continue;
    const read = readShapes(node.comment, boards(pathTo(tree, id).map((one) => tree.nodes[one].action)));
    tree = { ...tree, nodes: { ...tree.nodes, [id]: { ...node, ...read } } };
  }
  return { tree, end };
}
