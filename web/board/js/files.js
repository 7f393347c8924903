// @ts-check
// Games and puzzles as files: saved, opened, and dropped on the page.

import { words } from './language.js';

/** The endings of files that hold games, for the dialog that opens them. */
export const GAMES = '.5dpgn,.pgn,.5dfen,.fen,.json,.yaml,.yml,.txt,text/plain';
/** The most bytes of a file with a game. */
const MOST_BYTES = 16 * 1024 * 1024;

/** @type {Record<string, string>} */
const ENDINGS = { '5dpgn': '5dpgn', '5dfen': '5dfen', json: 'json', raw: 'json' };

/** The name of a file for a game in a notation. @param {string} format */
export const fileName = (format) => `game.${ENDINGS[format] ?? 'txt'}`;

/** The name of a file for a picture. @param {'svg' | 'png'} ending */
export const pictureName = (ending) => `multiverse.${ending}`;

/** Gives something to the browser as a file to be saved. @param {string} name @param {string} type @param {string | Blob} content */
export function save(name, type, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/** A file that the user picks. @param {string} accept @returns {Promise<File | undefined>} */
export function pick(accept) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept });
  return new Promise((settle) => {
    input.addEventListener('change', () => settle(input.files?.[0]));
    input.addEventListener('cancel', () => settle(undefined));
    input.click();
  });
}

/** The text of a file. @param {File} file */
export async function textOf(file) {
  if (file.size > MOST_BYTES) throw new Error(words.errors.longFile(file.name, file.size, MOST_BYTES));
  return file.text();
}

/** Tells of files that are dropped anywhere on the page. @param {HTMLElement} target @param {(file: File) => void} take */
export function dropped(target, take) {
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  let depth = 0;
  const mark = (/** @type {number} */ by) => {
    depth = Math.max(0, depth + by);
    target.classList.toggle('dropping', depth > 0);
  };
  target.addEventListener('dragenter', (event) => hasFiles(event) && mark(1));
  target.addEventListener('dragleave', (event) => hasFiles(event) && mark(-1));
  target.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
  target.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(-depth);
    const file = event.dataTransfer?.files[0];
    if (file) take(file);
  });
}

/** Whether a text is a puzzle file. @param {string} text */
export const isPuzzle = (text) => /^schema:\s*["']?worldlines\/puzzle/m.test(text);
