// @ts-check
// What a review has found, as it is kept with its document. Values from the storage are looked at before they are used.

import { ROOT, pathTo } from './tree.js';

/**
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {import('./scores.js').Look} Look
 * @typedef {{ nodes: string[], actions: string[] }} Line the nodes that were reviewed, from the start on
 * @typedef {{ looks: Look[], own: [at: number, Look][], instead: [at: number, action: string, Look | null][] }} Looks the deepest looks; of the review's own ones those that went less deep; and looks at better actions
 * @typedef {Line & Looks & { steps: number, seconds: number, glyphs: [node: string, glyph: number][] }} Findings
 */

/** The most letters of a review in the storage, which are those of some 250 positions. A longer one is shown, but not kept. */
export const MOST_LETTERS = 60_000;
/** The number of documents that keep their reviews: those that were changed last. A storage has room for some five million letters. */
export const MOST_REVIEWS = 12;

/** The findings, unless they take too much room. @param {Findings} found @returns {Findings | undefined} */
export const bounded = (found) => (JSON.stringify(found).length > MOST_LETTERS ? undefined : found);

/** Whether a tree still has the line that was reviewed. It may go on behind its end, and another line may be the main one by now. @param {Tree} tree @param {Line} line */
export function isOn(tree, { nodes, actions }) {
  const end = nodes[nodes.length - 1];
  if (!Object.hasOwn(tree.nodes, end)) return false;
  const path = pathTo(tree, end);
  return path.length === actions.length && path.every((id, index) => id === nodes[index + 1] && tree.nodes[id].action === actions[index]);
}

const isText = (/** @type {unknown} */ value) => typeof value === 'string';
const isCount = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
/** @param {unknown} value @param {(one: any) => boolean} isOne @returns {value is any[]} */
const isList = (value, isOne) => Array.isArray(value) && value.every(isOne);

/** @param {any} value @returns {value is Look} */
function isLook(value) {
  const { score, action, ending, depth, toMove, line } = value ?? {};
  const isScore = score === null || Number.isFinite(score?.pawns) || Number.isFinite(score?.mate);
  return isScore && [action, ending].every((one) => one === null || isText(one)) && Number.isFinite(depth) && ['white', 'black'].includes(toMove) && (line === undefined || isList(line, isText));
}

/** The findings that a value from outside is, if it is about a line of the tree. @param {any} value @param {Tree} tree @returns {Findings | undefined} */
export function readFindings(value, tree) {
  const { nodes, actions, steps, seconds, looks, own, instead, glyphs } = value ?? {};
  if (!isList(nodes, isText) || !isList(actions, isText) || nodes[0] !== ROOT || nodes.length !== actions.length + 1) return undefined;
  const isAt = (/** @type {unknown} */ at) => isCount(at) && /** @type {number} */ (at) < nodes.length;
  const isWhole =
    isCount(steps) &&
    isCount(seconds) &&
    // Positions are looked at one after the other.
    isList(looks, isLook) &&
    looks.length > 0 &&
    looks.length <= nodes.length &&
    isList(own, (one) => Array.isArray(one) && isAt(one[0]) && isLook(one[1])) &&
    isList(instead, (one) => Array.isArray(one) && isAt(one[0]) && isText(one[1]) && (one[2] === null || isLook(one[2]))) &&
    isList(glyphs, (one) => Array.isArray(one) && isText(one[0]) && isCount(one[1]));
  const found = { nodes, actions, steps, seconds, looks, own, instead, glyphs };
  return isWhole && isOn(tree, found) ? bounded(found) : undefined;
}
