// @ts-check
// Packed text of a link, without the danger that a short one unpacks to gigabytes.

import { words } from './language.js';

/** The most bytes of a game in a link: as many as any text of a game may have. */
export const MOST_BYTES = 16 * 1024 * 1024;

// Larger pieces would be unpacked at once.
const PIECE = 4096;

/** @param {Uint8Array} bytes */
function pieces(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += PIECE)));
    },
  });
}

/** Unpacks bytes, and gives up as soon as there are more than `most`. @param {Uint8Array} bytes */
export async function unpacked(bytes, most = MOST_BYTES) {
  const reader = pieces(bytes).pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error(words.errors.damaged);
    });
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > most) {
      await reader.cancel().catch(() => {});
      throw new Error(words.errors.longGame(most));
    }
    parts.push(value);
  }
}
