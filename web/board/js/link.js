// @ts-check
// A game in an address, after the `#`: nothing of it is sent to a server.

import { words } from './language.js';
import { MOST_BYTES, unpacked } from './unpack.js';

/** @param {string} text */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The place in a game that a link names after its text. */
const PLACE = /&at=([^&]*)$/;

/** @param {string} text @param {string} [way] where it opens; at its end without one */
export async function toLink(text, way = '') {
  let letters = '';
  for (const byte of await packed(text)) letters += String.fromCharCode(byte);
  return `#game=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}${way && `&at=${way}`}`;
}

/** Whether the part of an address after the `#` holds a game. @param {string} hash */
export const isGame = (hash) => /^#(?:game|text)=/.test(hash);

/** The puzzle that the part of an address after the `#` names. @param {string} hash */
export function puzzleOf(hash) {
  const [, id] = /^#puzzle=(.*)$/s.exec(hash) ?? [];
  if (id === undefined) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The way to the place where a link opens its game; nothing is its end. @param {string} hash */
export const wayOf = (hash) => PLACE.exec(hash)?.[1] ?? '';

/** The text of a game in an address. @param {string} hash */
export async function fromLink(hash) {
  const value = hash.slice(hash.indexOf('=') + 1).replace(PLACE, '');
  if (value.length > 2 * MOST_BYTES) throw new Error(words.errors.longLink(2 * MOST_BYTES));
  if (hash.startsWith('#text=')) {
    try {
      return decodeURIComponent(value);
    } catch {
      throw new Error(words.errors.damaged);
    }
  }
  let letters;
  try {
    letters = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw new Error(words.errors.damaged);
  }
  return new TextDecoder().decode(await unpacked(Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
}
