// @ts-check
// Elements of the page.

import { words } from './language.js';

/**
 * The element of an id. It must be there.
 * @param {string} id @returns {any}
 */
export const $ = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
};

/**
 * A new element with attributes and children. `on…` attributes are listeners, others are attributes; false leaves one out.
 * @param {string} name @param {Record<string, any>} [attributes] @param {...(Node | string | undefined | false)} children @returns {any}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child !== undefined && child !== false)));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} name @param {Record<string, string | number>} attributes @param {...Node} children */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** A text of moves that breaks before a board or a journey, and not within one: a hyphen is no place for that. @param {string} text */
export const breakable = (text) => text.split(/(?=>>)|(?<=\S)(?=\()/).flatMap((part, index) => [...(index > 0 ? [make('wbr')] : []), ...part.split(/(\S*-\S*)/).map((word) => (word.includes('-') ? make('span', { class: 'whole' }, word) : word))]);

/** @param {string} value @param {string} text */
export const option = (value, text) => make('option', { value }, text);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

/** Takes the message at the lower edge away: something else was done, or is said elsewhere. */
export function hushToast() {
  clearTimeout(toastTimer);
  const place = $('toast');
  place.hidden = true;
  place.replaceChildren();
}

/** Says something at the lower edge, with a way to undo it or to go on. @param {string} text @param {() => void} [act] @param {{ label?: string, stays?: boolean }} [how] `stays` until something else is done */
export function toast(text, act, { label = words.undo, stays = false } = {}) {
  const place = $('toast');
  clearTimeout(toastTimer);
  const button = act && make('button', { id: 'toast-act', onclick: () => (hushToast(), act()) }, label);
  place.replaceChildren(make('span', {}, text), ...(button ? [button] : []), make('button', { 'aria-label': words.close, class: 'plain', onclick: hushToast }, '×'));
  place.hidden = false;
  if (stays) return;
  let more = 3;
  const later = () => {
    // It stays a little longer if somebody is about to use it.
    more -= 1;
    if (more > 0 && place.matches(':hover, :focus-within')) toastTimer = setTimeout(later, 3_000);
    else hushToast();
  };
  toastTimer = setTimeout(later, act ? 12_000 : 6_000);
}

/** A phone held sideways: board and panel stand beside each other. */
const SIDEWAYS = '(pointer: coarse) and (min-width: 640px) and (max-height: 470px)';
/** A narrow window, as that of a phone held upright, where panels fold away. */
export const NARROW = `(max-width: 800px) and (not (${SIDEWAYS}))`;
/** A low window, where everything lies below each other and the page scrolls. */
export const LOW = `${NARROW} and (max-height: 520px)`;

/** Takes the focus to an element, and scrolls that or what stands above it to the upper edge. @param {HTMLElement} element @param {HTMLElement} [above] */
export function goTo(element, above = element) {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  above.scrollIntoView({ block: 'start' });
}

/** Whether the user asked the system for less motion. */
export const lessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
/** Whether fingers are used. */
export const isTouch = () => matchMedia('(pointer: coarse)').matches;

/** Lets the browser draw and answer before more is done. */
export const breath = () => new Promise((done) => setTimeout(done));
