// A game in the address of the page, after the `#`: nothing of it is sent to a server.

import { Game } from '../worldlines/browser.js';
import { unpacked } from './unpack.js';

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function toLink(text) {
  let letters = '';
  for (const byte of await packed(text)) letters += String.fromCharCode(byte);
  return `#game=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The game of the address, if it has one. */
export async function fromLink(hash = location.hash) {
  const [key, value] = [hash.slice(1, hash.indexOf('=')), hash.slice(hash.indexOf('=') + 1)];
  if (key === 'text') return Game.parse(decodeURIComponent(value));
  if (key !== 'game') return undefined;
  const bytes = Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  return Game.parse(new TextDecoder().decode(await unpacked(bytes)));
}
