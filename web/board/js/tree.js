// @ts-check
// A tree of actions: variations, comments, glyphs and drawn shapes. A tree is a value: every function gives another one.

/**
 * @typedef {{ kind: 'arrow' | 'circle', color: string, from: Place, to: Place }} Shape
 * @typedef {{ timeline: number, halfTurn: number, square: [number, number] }} Place
 * @typedef {{ parent: string, action: string, children: string[], comment: string, glyphs: number[], shapes: Shape[] }} Node
 * @typedef {{ nodes: Record<string, Node>, next: number }} Tree
 */

export const ROOT = '0';

/** The glyphs that can be set, by their numbers in PGN. */
export const GLYPHS = /** @type {const} */ ({ 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 10: '=', 14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+' });

/** @param {string} parent @param {string} action @returns {Node} */
const leaf = (parent, action) => ({ parent, action, children: [], comment: '', glyphs: [], shapes: [] });

/** A tree without actions. @returns {Tree} */
export const empty = () => ({ nodes: { [ROOT]: leaf('', '') }, next: 1 });

/** @param {Tree} tree @param {string} id @param {Partial<Node>} change @returns {Tree} */
const changed = (tree, id, change) => ({ ...tree, nodes: { ...tree.nodes, [id]: { ...tree.nodes[id], ...change } } });

/**
 * Adds an action after a node. The same action is not added twice.
 * @param {Tree} tree @param {string} parent @param {string} action @returns {{ tree: Tree, id: string }}
 */
export function add(tree, parent, action) {
  const known = tree.nodes[parent].children.find((id) => tree.nodes[id].action === action);
  if (known) return { tree, id: known };
  const id = String(tree.next);
  const { children } = tree.nodes[parent];
  const nodes = { ...tree.nodes, [id]: leaf(parent, action), [parent]: { ...tree.nodes[parent], children: [...children, id] } };
  return { tree: { nodes, next: tree.next + 1 }, id };
}

/** A line of actions as a tree. @param {string[]} actions @returns {{ tree: Tree, id: string }} */
export function ofLine(actions) {
  /** @type {Record<string, Node>} */
  const nodes = { [ROOT]: leaf('', '') };
  let last = ROOT;
  actions.forEach((action, index) => {
    const id = String(index + 1);
    nodes[id] = leaf(last, action);
    nodes[last].children.push(id);
    last = id;
  });
  return { tree: { nodes, next: actions.length + 1 }, id: last };
}

/** The nodes from the first action to a node. @param {Tree} tree @param {string} id */
export function pathTo(tree, id) {
  const path = [];
  for (let at = id; at !== ROOT; at = tree.nodes[at].parent) path.push(at);
  return path.reverse();
}

/** The actions that lead to a node. @param {Tree} tree @param {string} id */
export const actionsTo = (tree, id) => pathTo(tree, id).map((at) => tree.nodes[at].action);

/** The number of actions before a node. @param {Tree} tree @param {string} id */
export const depth = (tree, id) => pathTo(tree, id).length;

/** The number of actions of the longest line, whether it is the main one or not. @param {Tree} tree */
export function longest(tree) {
  const depths = new Map([[ROOT, 0]]);
  for (const [id, count] of depths) for (const child of tree.nodes[id].children) depths.set(child, count + 1);
  return Math.max(...depths.values());
}

/** The last node of the line that goes on from a node. @param {Tree} tree */
export function endOf(tree, id = ROOT) {
  let at = id;
  while (tree.nodes[at].children.length > 0) [at] = tree.nodes[at].children;
  return at;
}

/** The line through a node: to it, and on by first children. @param {Tree} tree @param {string} id */
export const lineThrough = (tree, id) => pathTo(tree, endOf(tree, id));

/** @param {Tree} tree @param {string} id */
export const isMain = (tree, id) => pathTo(tree, id).every((at) => tree.nodes[tree.nodes[at].parent].children[0] === at);

/** The first words of the first comment of the main line: what somebody has written there names the game. Empty if there is none. @param {Tree} tree @param {number} count how many words */
export function firstWords(tree, count) {
  const comment = [ROOT, ...lineThrough(tree, ROOT)].map((id) => tree.nodes[id].comment.trim()).find(Boolean) ?? '';
  const all = comment.split(/\s+/);
  return all.length > count ? `${all.slice(0, count).join(' ')} …` : all.join(' ');
}

/** Whether a tree is a single line without words and drawings. @param {Tree} tree */
export const isPlain = (tree) => Object.values(tree.nodes).every(({ children, comment, glyphs, shapes }) => children.length <= 1 && !comment && glyphs.length + shapes.length === 0);

/** The node and everything after it. @param {Tree} tree @param {string} id */
export function below(tree, id) {
  const found = [id];
  for (let index = 0; index < found.length; index++) found.push(...tree.nodes[found[index]].children);
  return found;
}

/** Takes a node away, with everything after it. @param {Tree} tree @param {string} id @returns {Tree} */
export function remove(tree, id) {
  if (id === ROOT || !tree.nodes[id]) return tree;
  const gone = new Set(below(tree, id));
  const { parent } = tree.nodes[id];
  const nodes = Object.fromEntries(Object.entries(tree.nodes).filter(([key]) => !gone.has(key)));
  nodes[parent] = { ...nodes[parent], children: nodes[parent].children.filter((child) => child !== id) };
  return { ...tree, nodes };
}

/** Makes the line through a node the main one. @param {Tree} tree @param {string} id @returns {Tree} */
export function promote(tree, id) {
  return pathTo(tree, id).reduce((promoted, at) => {
    const { parent } = promoted.nodes[at];
    const { children } = promoted.nodes[parent];
    return children[0] === at ? promoted : changed(promoted, parent, { children: [at, ...children.filter((child) => child !== at)] });
  }, tree);
}

/** @param {Tree} tree @param {string} id @param {string} comment */
export const withComment = (tree, id, comment) => changed(tree, id, { comment });

/** Sets a glyph, or takes it away. Of the six for an action there is one at a time. @param {Tree} tree @param {string} id @param {number} glyph */
export function withGlyph(tree, id, glyph) {
  const { glyphs } = tree.nodes[id];
  if (glyphs.includes(glyph)) return changed(tree, id, { glyphs: glyphs.filter((one) => one !== glyph) });
  const kind = (/** @type {number} */ one) => one < 10;
  return changed(tree, id, { glyphs: [...glyphs.filter((one) => kind(one) !== kind(glyph)), glyph].sort((a, b) => a - b) });
}

/** @param {Shape} one @param {Shape} other */
const sameShape = (one, other) => JSON.stringify([one.kind, one.from, one.to]) === JSON.stringify([other.kind, other.from, other.to]);

/** Draws a shape. The same shape in the same colour is taken away. @param {Tree} tree @param {string} id @param {Shape} shape */
export function withShape(tree, id, shape) {
  const { shapes } = tree.nodes[id];
  const known = shapes.find((one) => sameShape(one, shape));
  const others = shapes.filter((one) => one !== known);
  return changed(tree, id, { shapes: known?.color === shape.color ? others : [...others, shape] });
}

/** @param {Tree} tree @param {string} id */
export const withoutShapes = (tree, id) => changed(tree, id, { shapes: [] });

/** Adds the line `actions` after a node, and gives its last node. @param {Tree} tree @param {string} id @param {string[]} actions */
export const addLine = (tree, id, actions) => actions.reduce((made, action) => add(made.tree, made.id, action), { tree, id });

/** The way to a node: so many actions along first children, then the child that is taken, and so on, as `4.1.2`. Nothing for the end of the main line. @param {Tree} tree @param {string} id */
export function wayTo(tree, id) {
  if (id === endOf(tree)) return '';
  /** @type {number[]} */
  const parts = [0];
  for (const at of pathTo(tree, id)) {
    const index = tree.nodes[tree.nodes[at].parent].children.indexOf(at);
    if (index === 0) parts[parts.length - 1] += 1;
    else parts.push(index, 0);
  }
  return parts.join('.');
}

/** The node at the end of a way, if there is one. @param {Tree} tree @param {string} way @returns {string | undefined} */
export function nodeOn(tree, way) {
  if (!/^\d+(?:\.\d+\.\d+)*$/.test(way)) return undefined;
  /** @type {string | undefined} */
  let at = ROOT;
  way.split('.').map(Number).forEach((part, index) => {
    if (index % 2 === 1) at = at && tree.nodes[at].children[part];
    // Whoever asks for a million steps gets as many as there are nodes.
    else for (let step = 0; step < part && at !== undefined; step++) at = tree.nodes[at].children[0];
  });
  return at;
}

/** Whether a value from outside is a tree. @param {any} value @returns {value is Tree} */
export function isTree(value) {
  if (typeof value?.nodes !== 'object' || value.nodes === null || !Number.isSafeInteger(value.next)) return false;
  const texts = (/** @type {any} */ list) => Array.isArray(list) && list.every((one) => typeof one === 'string');
  const isNode = (/** @type {any} */ node) =>
    typeof node?.action === 'string' && typeof node.comment === 'string' && texts(node.children) && Array.isArray(node.glyphs) && Array.isArray(node.shapes);
  if (!Object.hasOwn(value.nodes, ROOT) || !Object.values(value.nodes).every(isNode)) return false;
  // Every node but the root is the child of its parent, once: there are no circles and no loose ends.
  const seen = new Set([ROOT]);
  for (const id of seen) {
    for (const child of value.nodes[id].children) {
      if (seen.has(child) || !Object.hasOwn(value.nodes, child) || value.nodes[child].parent !== id || Number(child) >= value.next) return false;
      seen.add(child);
    }
  }
  return seen.size === Object.keys(value.nodes).length;
}

/** Whether two places are the same, or none. @param {Place | undefined} one @param {Place | undefined} other */
export const samePlace = (one, other) =>
  one === other ||
  (one !== undefined && other !== undefined && one.timeline === other.timeline && one.halfTurn === other.halfTurn && one.square[0] === other.square[0] && one.square[1] === other.square[1]);
