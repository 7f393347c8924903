// @ts-check
// The state of the page as one value: documents, and which of them each place shows. All functions are pure. A document is never
// overwritten by another one: what takes its place leaves it on the shelf.

import { MOST_REVIEWS, isOn, readFindings } from './findings.js';
import { actionsTo, add, addLine, endOf, isMain, isTree, ofLine, promote, ROOT } from './tree.js';

/**
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {'game' | 'puzzle' | 'setup'} Slot
 * @typedef {'white' | 'black'} Side
 * @typedef {{ x: number, y: number, scale: number }} Camera
 * @typedef {{ time: string, increment: number, white: number, black: number }} Clock milliseconds: those that an action adds, and those that are left; `time` as it was chosen, `5+3`
 * @typedef {{ at: string, by: Side | 'both', told?: true, timed?: true }} Resignation `both` agree to a draw; a text tells only how it ended there; `timed` where the time was over
 * @typedef {{ id: string, line: string[], tried: string[], hints: number, ended: '' | 'solved' | 'shown', trial?: { yaml: string, from: string } }} Task `trial` where an author tries a puzzle out that is being made from another document
 * @typedef {{
 *   id: string, title: string, start: string, tree: Tree, at: string, unfinished: Record<string, string[]>,
 *   players: { white: string, black: string }, flipped: boolean, camera?: Camera, puzzle?: Task, resigned?: Resignation, review?: import('./findings.js').Findings, clock?: Clock, changed: number,
 * }} Document
 * @typedef {{ tab: string, slot: Slot, slots: Partial<Record<Slot, string>>, documents: Record<string, Document> }} State
 */

export const TABS = ['play', 'analyse', 'puzzles', 'author', 'setup', 'text'];
/** @type {Slot[]} */
export const SLOTS = ['game', 'puzzle', 'setup'];
/** The tabs that show a document of their own; the others show the one that is on the board. @type {Record<string, Slot>} */
const OWN = { play: 'game', puzzles: 'puzzle', setup: 'setup' };
/** The number of documents that are kept beside those in use. */
export const SHELF = 40;

/**
 * A document. `start` is the text of a position; the actions follow it.
 * @param {{ id: string, start: string, actions?: string[], title?: string, players?: Document['players'], flipped?: boolean, puzzle?: Task, now?: number }} given
 * @returns {Document}
 */
export function newDocument({ id, start, actions = [], title = '', players, flipped = false, puzzle, now = 0 }) {
  const { tree, id: at } = ofLine(actions);
  const made = { id, title, start, tree, at, unfinished: {}, players: players ?? { white: 'human', black: 'human' }, flipped, changed: now };
  return puzzle ? { ...made, puzzle } : made;
}

/** @param {Document} document @returns {State} */
export const begin = (document) => ({ tab: 'play', slot: 'game', slots: { game: document.id }, documents: { [document.id]: document } });

/** The document on the board. @param {State} state @returns {Document} */
export const current = (state) => state.documents[/** @type {string} */ (state.slots[state.slot] ?? state.slots.game)];

/** Another value for a document. @param {State} state @param {Document} document @returns {State} */
export const withDocument = (state, document) => ({ ...state, documents: { ...state.documents, [document.id]: document } });

/** @param {State} state @param {(document: Document) => Document} change */
export const edit = (state, change) => withDocument(state, change(current(state)));

/** Puts a document in a slot, and shows it. What was there stays on the shelf. @param {State} state @param {Slot} slot @param {Document} document @returns {State} */
export function open(state, slot, document) {
  const opened = withDocument(state, document);
  return { ...opened, slot, slots: { ...opened.slots, [slot]: document.id } };
}

/** @param {State} state @param {string} tab @returns {State} */
export function openTab(state, tab) {
  if (!TABS.includes(tab)) return state;
  const trial = tab === 'author' ? current(state).puzzle?.trial : undefined;
  if (trial) return { ...afterTrial(state, trial.from), tab };
  const own = OWN[tab];
  return { ...state, tab, slot: own && state.slots[own] ? own : state.slot };
}

/** Whoever has tried a puzzle out goes on with the position of which it is made. @param {State} state @param {string} from @returns {State} */
function afterTrial(state, from) {
  const slot = SLOTS.find((one) => state.slots[one] === from);
  if (slot) return { ...state, slot };
  // It was a puzzle itself, whose place the trial took.
  return state.documents[from] ? { ...state, slot: 'puzzle', slots: { ...state.slots, puzzle: from } } : { ...state, slot: 'game' };
}

/** The documents in use. @param {State} state */
const inUse = ({ slots, documents }) => new Set(Object.values(slots).flatMap((id) => [id, documents[id]?.puzzle?.trial?.from ?? id]));

/** Whether there is something in a document that somebody made. @param {Document} document */
export const hasContent = ({ tree, unfinished }) => tree.next > 1 || Object.values(unfinished).some((moves) => moves.length > 0);

/** The games that are kept beside the one on the board, the latest first. @param {State} state */
export function shelf(state) {
  const used = inUse(state);
  return Object.values(state.documents)
    .filter((document) => !used.has(document.id) && !document.puzzle && hasContent(document))
    .sort((a, b) => b.changed - a.changed);
}

/** The state without a document that is on the shelf. @param {State} state @param {string} id @returns {State} */
export function forget(state, id) {
  if (inUse(state).has(id)) return state;
  const { [id]: _, ...documents } = state.documents;
  return { ...state, documents };
}

/** Lets go of what nobody misses: empty documents, and more than the shelf holds. @param {State} state @returns {State} */
export function tidy(state) {
  const used = inUse(state);
  const others = Object.values(state.documents)
    .filter((document) => !used.has(document.id) && !document.puzzle?.trial && hasContent(document))
    .sort((a, b) => b.changed - a.changed);
  const kept = new Set([...used, ...others.slice(0, SHELF).map(({ id }) => id)]);
  const isWhole = Object.keys(state.documents).every((id) => kept.has(id));
  return withoutOldReviews(isWhole ? state : { ...state, documents: Object.fromEntries(Object.entries(state.documents).filter(([id]) => kept.has(id))) });
}

/** The state without the reviews of lines that have changed, and of more games than keep theirs. @param {State} state @returns {State} */
function withoutOldReviews(state) {
  const all = Object.values(state.documents).filter(({ review }) => review);
  const current = all.filter(({ tree, review }) => review && isOn(tree, review)).sort((a, b) => b.changed - a.changed);
  const kept = new Set(current.slice(0, MOST_REVIEWS));
  return all.filter((document) => !kept.has(document)).reduce((now, document) => withDocument(now, withReview(document, undefined)), state);
}

// Documents.

/** The moves of the action under way. @param {Document} document */
export const movesOf = (document) => document.unfinished[document.at] ?? [];

/** @param {Document} document @param {string[]} moves @returns {Document} */
export function withMoves(document, moves) {
  const { [document.at]: _, ...others } = document.unfinished;
  return { ...document, unfinished: moves.length > 0 ? { ...others, [document.at]: moves } : others };
}

/** An action is played where the document stands. @param {Document} document @param {string} action @returns {Document} */
export function played(document, action) {
  const { tree, id } = add(document.tree, document.at, action);
  return { ...withMoves(document, []), tree, at: id };
}

/** An action is played after a node, whatever the document shows; it goes along if it stands there. @param {Document} document @param {string} node @param {string} action */
export function playedAfter(document, node, action) {
  if (document.at === node) return played(document, action);
  if (!document.tree.nodes[node]) return document;
  return { ...document, tree: add(document.tree, node, action).tree };
}

/** A game against a program goes on with what was played last, also after a takeback: that is the main line. A game that was resigned or drawn keeps its line. @param {Document} document @param {boolean} isGame @returns {Document} */
export function inGame(document, isGame) {
  if (document.resigned) return document;
  const players = Object.values(document.players);
  const isAgainstProgram = isGame && players.includes('human') && players.some((player) => player !== 'human');
  return isAgainstProgram ? { ...document, tree: promote(document.tree, document.at) } : document;
}

/** The player who resigns: of a person and a program the person, of two persons the one to move. @param {Document} document @param {Side} toMove @returns {Side | undefined} */
export function resigning({ players }, toMove) {
  const persons = /** @type {const} */ (['white', 'black']).filter((side) => players[side] === 'human');
  return persons.length === 2 ? toMove : persons[0];
}

/** A game ends once: a result that is there stays. @param {Document} document @param {Side | 'both'} by @returns {Document} */
export const resign = (document, by, timed = false) => (document.resigned ? document : { ...document, resigned: { at: document.at, by, ...(timed && { timed: /** @type {const} */ (true) }) } });

/** @param {Document} document @returns {Document} */
export function withoutResignation({ resigned, ...document }) {
  return document;
}

/** @param {Document} document @param {Document['review']} review @returns {Document} */
export function withReview({ review: _, ...document }, review) {
  return review ? { ...document, review } : document;
}

/** @param {Document} document @param {Clock | undefined} clock @returns {Document} */
export function withClock({ clock: _, ...document }, clock) {
  return clock ? { ...document, clock } : document;
}

/** The resignation where the document stands. @param {Document} document */
export const resignationOf = ({ resigned, at }) => (resigned?.at === at ? resigned : undefined);

/** @param {Document} document @param {string[]} actions @returns {Document} */
export function playedLine(document, actions) {
  const { tree, id } = addLine(document.tree, document.at, actions);
  return { ...document, tree, at: id };
}

/** @param {Document} document @param {string} node @returns {Document} */
export const goTo = (document, node) => (document.tree.nodes[node] ? { ...document, at: node } : document);

/**
 * The node to which a key leads: back and on along the line, to another variation, or to an end.
 * @param {Document} document @param {'back' | 'on' | 'start' | 'end' | 'above' | 'beneath'} way
 */
export function step(document, way) {
  const { tree, at } = document;
  const node = tree.nodes[at];
  if (way === 'start') return ROOT;
  if (way === 'end') return endOf(tree, at);
  if (way === 'back') return at === ROOT ? at : node.parent;
  if (way === 'on') return node.children[0] ?? at;
  if (at === ROOT) return at;
  const { children } = tree.nodes[node.parent];
  const index = children.indexOf(at) + (way === 'above' ? -1 : 1);
  return children[index] ?? at;
}

/** Another tree; if the node that was shown is gone, the nearest one before it is shown. @param {Document} document @param {Tree} tree @returns {Document} */
export function withTree(document, tree) {
  let at = document.at;
  while (!tree.nodes[at]) at = document.tree.nodes[at].parent;
  const unfinished = Object.fromEntries(Object.entries(document.unfinished).filter(([id]) => tree.nodes[id]));
  return { ...document, tree, at, unfinished };
}

/** The actions that lead to what is shown. @param {Document} document */
export const actionsOf = (document) => actionsTo(document.tree, document.at);

/** Whether a program is to move at the end of a line. @param {Document} document @param {'white' | 'black'} toMove */
export const engineToMove = ({ players, tree, at }, toMove) => players[toMove] !== 'human' && tree.nodes[at].children.length === 0;

/** Whether this is the end of a game that goes on. Other lines belong to whoever analyses the game. @param {Document} document */
export const isUnderWay = ({ tree, at, resigned }) => !resigned && isMain(tree, at);

// Values from outside, such as from the storage of the browser, are looked at before they are used.

/** @param {any} value @returns {Camera | undefined} */
const cameraOf = (value) => ([value?.x, value?.y, value?.scale].every(Number.isFinite) && value.scale > 0 ? { x: value.x, y: value.y, scale: value.scale } : undefined);

/** @param {any} value */
const textsOf = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

/** @param {any} value @returns {Document | undefined} */
export function readDocument(value) {
  if (typeof value?.id !== 'string' || typeof value.start !== 'string' || !isTree(value.tree)) return undefined;
  /** @type {Tree} */
  const tree = value.tree;
  const at = typeof value.at === 'string' && Object.hasOwn(tree.nodes, value.at) ? value.at : endOf(tree);
  const player = (/** @type {any} */ who) => (typeof who === 'string' ? who : 'human');
  const unfinished = Object.fromEntries(
    Object.entries(value.unfinished ?? {}).filter(([id]) => Object.hasOwn(tree.nodes, id)).map(([id, moves]) => [id, textsOf(moves)]),
  );
  /** @type {Document} */
  const document = {
    id: value.id,
    title: typeof value.title === 'string' ? value.title : '',
    start: value.start,
    tree,
    at,
    unfinished,
    players: { white: player(value.players?.white), black: player(value.players?.black) },
    flipped: value.flipped === true,
    changed: Number(value.changed) || 0,
  };
  const camera = cameraOf(value.camera);
  if (camera) document.camera = camera;
  const { at: end, by, told, timed } = value.resigned ?? {};
  if (Object.hasOwn(tree.nodes, end) && ['white', 'black', 'both'].includes(by)) document.resigned = { at: end, by, ...(told === true && { told }), ...(timed === true && { timed }) };
  const { time, increment, white, black } = value.clock ?? {};
  if (typeof time === 'string' && [increment, white, black].every((one) => Number.isFinite(one) && one >= 0)) document.clock = { time, increment, white, black };
  const review = readFindings(value.review, tree);
  if (review) document.review = review;
  const task = value.puzzle;
  if (typeof task?.id === 'string') {
    const ended = task.ended === 'solved' || task.ended === 'shown' ? task.ended : '';
    const { yaml, from } = task.trial ?? {};
    const trial = typeof yaml === 'string' && { yaml, from: String(from) };
    document.puzzle = { id: task.id, line: textsOf(task.line), tried: textsOf(task.tried), hints: Number(task.hints) || 0, ended, ...(trial && { trial }) };
  }
  return document;
}

