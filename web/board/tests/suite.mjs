// The beginning of the files that test the board in a browser: one browser for a file, and a page as at a first visit for each test.

import { after, before, beforeEach } from 'node:test';
import { open } from './page.mjs';

/** The answer of `open`. */
export let board;
/** Its page. */
export let page;

before(async () => {
  board = await open();
  ({ page } = board);
});
after(() => board?.close());
beforeEach(async () => {
  await board.fresh();
  board.errors.length = 0;
});

/** Waits until something is true in the page. */
export const until = (what, arg) => page.waitForFunction(what, arg, { timeout: 20_000 });
