// @ts-check
// Headers of texts of games, `[Name "value"]`; without a browser. The title of a game is its `Event`, as other programs have it.

const HEADER = /^\[(\w+) "((?:[^"\\]|\\.)*)"\]$/;

/** The value of a header; empty if there is none, or only a question mark. @param {string} text @param {string} name */
export function headerOf(text, name) {
  for (const line of text.split('\n')) {
    const [, key, value] = HEADER.exec(line.trim()) ?? [];
    if (key === name) return value === '?' ? '' : value.replace(/\\(["\\])/g, '$1');
  }
  return '';
}

/** A text with another value for a header, or without it if the value is empty. @param {string} text the start of a game, as the library writes it @param {string} name @param {string} value */
export function withHeader(text, name, value) {
  const lines = text.split('\n');
  const keys = lines.map((line) => HEADER.exec(line.trim())?.[1]);
  const old = keys.indexOf(name);
  const line = value.trim() && `[${name} "${value.trim().replace(/[\r\n]+/g, ' ').replace(/["\\]/g, '\\$&')}"]`;
  // A new one comes behind the others, which say how the game begins.
  const at = old < 0 ? keys.findLastIndex((key) => key !== undefined) + 1 : old;
  lines.splice(at, old < 0 ? 0 : 1, ...(line ? [line] : []));
  return lines.join('\n');
}

/** The header of the title. */
const TITLE = /** @type {const} */ ('Event');
/** The title that somebody has given a game; empty if nobody has. @param {{ start: string }} document */
export const titleOf = ({ start }) => headerOf(start, TITLE);

/** The start of a game with another title. @param {string} start @param {string} title */
export const withTitle = (start, title) => withHeader(start, TITLE, title);
