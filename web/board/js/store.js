// @ts-check
// Keeps the state of the page in the browser. Each document has a record of its own, and each window remembers which documents it shows, so that
// two windows do not overwrite each other: whoever finds that a document was changed elsewhere goes on in a copy.

import { SLOTS, TABS, readDocument, tidy } from './session.js';

/**
 * @typedef {import('./session.js').State} State
 * @typedef {import('./session.js').Document} Document
 * @typedef {Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>} Box
 */

const DOCUMENT = 'worldlines document ';
/** Reviews have records of their own: whatever becomes of them, their games are kept. */
const REVIEW = 'worldlines review ';
const WINDOW = 'worldlines window';

/** @param {Box | undefined} box @param {string} key */
function read(box, key) {
  try {
    return JSON.parse(box?.getItem(key) ?? 'null');
  } catch {
    // It is spoilt, or not allowed.
    return null;
  }
}

export class Store {
  /** The storage of all windows of the browser, and the one of this window, which is there again after a reload. */
  #shared;
  #own;
  #random;
  /** The stamp of each document as it was read or written last, and its value then. @type {Map<string, { stamp: string, document: Document }>} */
  #known = new Map();
  /** Whether the last `save` was complete. */
  complete = true;

  /** @param {Box | undefined} shared @param {Box | undefined} own @param {() => string} random */
  constructor(shared, own, random) {
    this.#shared = shared;
    this.#own = own;
    this.#random = random;
  }

  /** @param {string} id @returns {Document | undefined} */
  #document(id) {
    const record = read(this.#shared, DOCUMENT + id);
    const document = readDocument({ ...record?.document, review: read(this.#shared, REVIEW + id) });
    if (!document || document.id !== id) return undefined;
    this.#known.set(id, { stamp: String(record.stamp), document });
    return document;
  }

  /** The names of the records of a kind. @param {string} kind */
  #ids(kind) {
    const ids = [];
    try {
      for (let index = 0; index < (this.#shared?.length ?? 0); index++) {
        const key = this.#shared?.key(index);
        if (key?.startsWith(kind)) ids.push(key.slice(kind.length));
      }
    } catch {
      // It is not allowed.
    }
    return ids;
  }

  /** The state of this window, or of the last one; undefined if there is none. @returns {State | undefined} */
  load() {
    const window = read(this.#own, WINDOW) ?? read(this.#shared, WINDOW);
    /** @type {State['documents']} */
    const documents = {};
    for (const id of this.#ids(DOCUMENT)) {
      const document = this.#document(id);
      if (document) documents[id] = document;
    }
    for (const id of this.#ids(REVIEW)) if (!Object.hasOwn(documents, id)) this.#remove(REVIEW + id);
    /** @type {State['slots']} */
    const slots = {};
    for (const slot of SLOTS) {
      const id = window?.slots?.[slot];
      if (typeof id === 'string' && Object.hasOwn(documents, id)) slots[slot] = id;
    }
    // The latest game is shown if the memory of the window is spoilt: no game is lost for that.
    slots.game ??= Object.values(documents)
      .filter((document) => !document.puzzle)
      .sort((a, b) => b.changed - a.changed)[0]?.id;
    if (!slots.game) {
      this.#known.clear();
      return undefined;
    }
    const slot = SLOTS.includes(window?.slot) && slots[/** @type {import('./session.js').Slot} */ (window.slot)] ? window.slot : 'game';
    return { tab: TABS.includes(window?.tab) ? window.tab : 'play', slot, slots, documents };
  }

  /** Keeps the state. The answer is the state to go on with: where another window has changed a document, this one goes on in a copy. @param {State} given @returns {State} */
  save(given) {
    let state = tidy(given);
    this.complete = true;
    for (const document of Object.values(state.documents)) {
      const known = this.#known.get(document.id);
      if (known?.document === document) continue;
      const stored = read(this.#shared, DOCUMENT + document.id);
      const isElsewhere = stored !== null && String(stored.stamp) !== known?.stamp;
      if (isElsewhere) state = renamed(state, document.id, this.#random());
    }
    const used = Object.values(state.slots);
    for (const document of Object.values(state.documents)) {
      const before = this.#known.get(document.id)?.document;
      const isKept = before === document;
      // Another window may have tidied away what it does not use itself.
      if (isKept && !(used.includes(document.id) && read(this.#shared, DOCUMENT + document.id) === null)) continue;
      const stamp = this.#random();
      const { review, ...others } = document;
      if (this.#writeDocument(document.id, { stamp, document: others })) {
        if (isKept || review !== before?.review) this.#writeReview(document.id, review);
        this.#known.set(document.id, { stamp, document });
      } else this.complete = false;
    }
    for (const [id, { stamp }] of this.#known) {
      if (Object.hasOwn(state.documents, id)) continue;
      this.#known.delete(id);
      // Another window may have gone on with it.
      if (String(read(this.#shared, DOCUMENT + id)?.stamp) === stamp && !Object.values(given.slots).includes(id)) {
        this.#remove(DOCUMENT + id);
        this.#remove(REVIEW + id);
      }
    }
    const window = { tab: state.tab, slot: state.slot, slots: state.slots };
    this.#write(this.#own, WINDOW, window);
    this.#write(this.#shared, WINDOW, window);
    return state;
  }

  /** Writes a document. Where there is no room for it, reviews make some. @param {string} id @param {object} record */
  #writeDocument(id, record) {
    if (this.#write(this.#shared, DOCUMENT + id, record)) return true;
    const reviews = this.#ids(REVIEW);
    for (const other of reviews) this.#remove(REVIEW + other);
    return reviews.length > 0 && this.#write(this.#shared, DOCUMENT + id, record);
  }

  /** Writes the review of a document. One for which there is no room lasts as long as the page. @param {string} id @param {Document['review']} review */
  #writeReview(id, review) {
    if (!review || !this.#write(this.#shared, REVIEW + id, review)) this.#remove(REVIEW + id);
  }

  /** @param {Box | undefined} box @param {string} key @param {unknown} value */
  #write(box, key, value) {
    try {
      box?.setItem(key, JSON.stringify(value));
      return box !== undefined;
    } catch {
      // It is full, or not allowed.
      return false;
    }
  }

  /** @param {string} key */
  #remove(key) {
    try {
      this.#shared?.removeItem(key);
    } catch {
      // It is not allowed.
    }
  }
}

/** The state with another name for a document. @param {State} state @param {string} id @param {string} name @returns {State} */
function renamed(state, id, name) {
  const { [id]: document, ...others } = state.documents;
  const slots = Object.fromEntries(Object.entries(state.slots).map(([slot, used]) => [slot, used === id ? name : used]));
  return { ...state, slots, documents: { ...others, [name]: { ...document, id: name } } };
}
