// A game in the address of the page, after the `#`: nothing of it is sent to a server.

import { Game } from '../worldlines/browser.js';

async function through(stream, bytes) {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await response.arrayBuffer());
}

export async function toLink(text) {
  const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text));
  let letters = '';
  for (const byte of packed) letters += String.fromCharCode(byte);
  return `#game=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The game of the address, if it has one. */
export async function fromLink(hash = location.hash) {
  const [key, value] = [hash.slice(1, hash.indexOf('=')), hash.slice(hash.indexOf('=') + 1)];
  if (key === 'text') return Game.parse(decodeURIComponent(value));
  if (key !== 'game') return undefined;
  const packed = Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  return Game.parse(new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), packed)));
}
