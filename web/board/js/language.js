// @ts-check
// The language of the page: its texts, and the elements that show them. `english.js` and `german.js` hold every text that the page says.

import { english } from './english.js';
import { SETTINGS, kept, readSettings } from './settings.js';

/** Languages by their tags: the name of each in itself, and how its texts are loaded. A language more is a file more, and a line here. */
export const LANGUAGES = {
  en: { name: 'English', texts: async () => english },
  de: { name: 'Deutsch', texts: async () => (await import('./german.js')).german },
};
/** @typedef {keyof typeof LANGUAGES} Language */

/** The language that was chosen, if it is one, or else the first of those that the browser wants. @param {string} choice @param {readonly string[]} wanted @returns {Language} */
export function languageOf(choice, wanted) {
  const known = /** @type {Language[]} */ (Object.keys(LANGUAGES));
  for (const tag of [choice, ...wanted]) {
    const found = known.find((name) => name === tag.toLowerCase().split('-')[0]);
    if (found) return found;
  }
  return 'en';
}

/** The name of the language in an address, for browsers that keep nothing: `?language=de`. */
export const ASKED = 'language';

/** The language of the page. It is chosen when the page is loaded; outside of a page it is English. */
export const language = typeof document === 'undefined' ? 'en' : languageOf(new URLSearchParams(location.search).get(ASKED) ?? readSettings(kept(SETTINGS)).language, navigator.languages);
/** The texts of the page. @type {typeof english} */
export const words = await LANGUAGES[language].texts();

/** A text without arguments, by its path: `play.variant`. @param {string} path @returns {string} */
export function wordsAt(path) {
  /** @type {any} */
  let found = words;
  for (const name of path.split('.')) found = found?.[name];
  if (typeof found !== 'string') throw new Error(`there is no text ${path}`);
  return found;
}

/** Attributes of elements that name texts, and what the texts become. @type {Record<string, string>} */
const PLACES = { 'data-title': 'title', 'data-label': 'aria-label', 'data-hint': 'placeholder', 'data-drop': 'data-drop-text', 'data-content': 'content' };

/** The text of an attribute. A key of the keyboard stands after a bar: `view.near|9`. @param {string} path @param {string} [key] */
const textOf = (path, key) => (key ? words.view.withKey(wordsAt(path), words.keys[key] ?? key) : wordsAt(path));

/** Puts the texts into the elements that name them: `data-words="play.variant"`, `data-title="…"`. @param {Document} page */
export function translate(page) {
  // The build put the English ones there.
  if (page.documentElement.lang === language) return;
  page.documentElement.lang = language;
  for (const element of page.querySelectorAll('[data-words]')) element.textContent = wordsAt(element.getAttribute('data-words') ?? '');
  for (const [from, to] of Object.entries(PLACES)) {
    for (const element of page.querySelectorAll(`[${from}]`)) {
      const [path, key] = (element.getAttribute(from) ?? '').split('|');
      element.setAttribute(to, textOf(path, key));
    }
  }
}

/** The source of a page with its texts in English. @param {string} source */
export function inEnglish(source) {
  const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const filled = source.replace(/( data-words="([\w.]+)"[^<>]*>)</g, (_, start, path) => `${start}${escaped(wordsAt(path))}<`);
  return filled.replace(/ (data-\w+)="([\w.]+)(?:\|([^"]*))?"/g, (whole, from, path, key) => (PLACES[from] ? `${whole} ${PLACES[from]}="${escaped(textOf(path, key))}"` : whole));
}
