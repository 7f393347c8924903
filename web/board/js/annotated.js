// @ts-check
// 5DPGN with comments, variations and glyphs, as a tree of texts. The library reads and writes single lines; here are the parts around them.

/**
 * @typedef {{ text: string, comments: string[], glyphs: number[], variations: Action[][] }} Action
 * @typedef {{ head: string, before: string[], actions: Action[] }} Annotated
 */

const SUFFIXES = /** @type {Record<string, number>} */ ({ '!': 1, '?': 2, '!!': 3, '??': 4, '!?': 5, '?!': 6 });
/** Variations within variations, at most. */
const DEEPEST = 50;

/** Whether a text has something that a single line cannot hold. @param {string} text */
export const isAnnotated = (text) => !/^\s*[{[]\s*["{[]/.test(text) && /[{;$]|\((?![-+]?\d+T|[~L>])|[!?]/.test(withoutHead(text));

/** Headers and boards are in square brackets. @param {string} text */
const withoutHead = (text) => text.replace(/\[(?:[^\]"]|"[^"]*")*\]/g, '');

/**
 * Reads a text. It throws where the text is no 5DPGN with comments; whether the actions are legal is asked later.
 * @param {string} text @returns {Annotated}
 */
export function readAnnotated(text) {
  /** @type {string[]} */
  const heads = [];
  const body = text.replace(/\[(?:[^\]"]|"[^"]*")*\]/g, (part) => {
    heads.push(part);
    return ' ';
  });
  // A comment, a glyph, the number of an action, the border between two, a variation, or a part of an action.
  const token = /\s*(?:\{([^}]*)\}|;([^\n]*)|\$(\d+)|(\d+\s*(?:\.{1,3}|(?=[wb]\.)|…)|[wb]\.)|(\/)|(\((?![-+]?\d+T|[~L>]))|(\))|((?:\([^()\s]*\)|[^\s{};/()$])+))/y;
  let at = 0;
  const next = () => {
    token.lastIndex = at;
    const found = token.exec(body);
    if (found) at = token.lastIndex;
    else if (body.slice(at).trim()) throw new Error(`${JSON.stringify(body.slice(at, at + 12).trim())} is no part of a game`);
    return found;
  };
  /** @type {string[]} */
  const before = [];
  /** @param {number} deep */
  const line = (deep) => {
    if (deep > DEEPEST) throw new Error(`variations lie more than ${DEEPEST} deep in each other`);
    /** @type {Action[]} */
    const actions = [];
    let open = false;
    for (let found = next(); found; found = next()) {
      const [, comment, rest, glyph, number, border, begins, ends, part] = found;
      const last = actions.at(-1);
      if (comment !== undefined || rest !== undefined) {
        const said = (comment ?? rest).replace(/\s+/g, ' ').trim();
        if (said) (last?.comments ?? before).push(said);
      } else if (glyph) {
        last?.glyphs.push(Number(glyph));
      } else if (number || border) {
        open = false;
      } else if (begins) {
        const variation = line(deep + 1);
        if (last && variation.length > 0) last.variations.push(variation);
        open = false;
      } else if (ends) {
        if (deep === 0) throw new Error('a bracket is closed that was not opened');
        return actions;
      } else if (/^(?:1-0|0-1|1\/2-1\/2|\*)$/.test(part)) {
        continue;
      } else {
        const [, bare, suffix] = /** @type {RegExpExecArray} */ (/^(.*?)([!?]{0,2})$/s.exec(part));
        if (open && last) last.text += bare ? ` ${bare}` : '';
        else if (bare) actions.push({ text: bare, comments: [], glyphs: [], variations: [] });
        const current = actions.at(-1);
        if (suffix && current) current.glyphs.push(SUFFIXES[suffix]);
        open = true;
      }
    }
    if (deep > 0) throw new Error('a variation is not closed');
    return actions;
  };
  const actions = line(0);
  if (actions.length === 0) throw new Error('there is no action');
  return { head: heads.join('\n'), before, actions };
}

/**
 * Writes a tree. `numberOf` is what stands before an action of so many before it.
 * @param {import('./tree.js').Tree} tree @param {(depth: number) => { number: number, black: boolean }} numberOf @returns {string}
 */
export function writeAnnotated(tree, numberOf) {
  const comment = (/** @type {string} */ text) => (text ? ` {${text.replaceAll('}', ')')}}` : '');
  const one = (/** @type {string} */ id) => `${tree.nodes[id].action}${tree.nodes[id].glyphs.map((glyph) => ` $${glyph}`).join('')}${comment(tree.nodes[id].comment)}`;
  /** The number of an action that begins a game or a variation; Black's has a letter. @param {number} depth */
  const begins = (depth) => `${numberOf(depth).number}${numberOf(depth).black ? 'b' : ''}.`;
  /** The words after a node. @param {string} parent @param {number} depth */
  const after = (parent, depth) => {
    /** @type {string[]} */
    const words = [];
    for (let at = parent, deep = depth; tree.nodes[at].children.length > 0; deep++) {
      const [first, ...others] = tree.nodes[at].children;
      words.push(numberOf(deep).black && deep > 0 ? '/' : begins(deep), one(first));
      for (const other of others) words.push(`(${[begins(deep), one(other), ...after(other, deep + 1)].join(' ')})`);
      at = first;
    }
    return words;
  };
  return [comment(tree.nodes['0'].comment).trim(), ...after('0', 0)].filter(Boolean).join(' ');
}
