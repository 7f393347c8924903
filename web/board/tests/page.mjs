// A browser with the board in it.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const dist = join(here, '..', 'dist');
/** The modules of the page, which are not in what is built: a test takes them from `./source/js/`. */
const SOURCE = { 'source/js': join(here, '..', 'js'), 'source/worldlines': join(here, '..', '..', 'package', 'dist') };

/** The Chromium of the system, or the one that CHROMIUM names. */
export const program = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export async function open({ url, folder = dist, ...context } = {}) {
  // The build ends with the list of puzzles: without it every test would wait in vain.
  if (!url && !existsSync(join(folder, 'puzzles', 'index.json'))) throw new Error(`${folder} is not built: npm run build`);
  const server = url ? undefined : await serve(folder, 0, SOURCE);
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 820 }, serviceWorkers: 'block', ...context })).newPage();
  // Boards take new room only with the next frame, so a place that was read before may be wrong. Waits two frames and ends all motion.
  await page.addInitScript(() => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    globalThis.atRest = async () => {
      await frame();
      await frame();
      const { view } = worldlines.board;
      view.settle();
      return view;
    };
  });
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  const start = url ?? `http://127.0.0.1:${server.address().port}/`;
  return {
    page,
    errors,
    start,
    async go(more = '') {
      await page.goto(start + more);
      await page.waitForSelector('html[data-ready=yes]');
    },
    /** The page as at a first visit, without what was kept and without the tour. */
    async fresh(more = '') {
      // A page of the same place that keeps nothing.
      await page.goto(`${start}board.css`);
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
        localStorage.setItem('worldlines settings', '{"toured":true}');
      });
      await this.go(more);
    },
    async close() {
      await browser.close();
      server?.close();
    },
  };
}

/** Clicks on a square of a board, by the board's label: `(0T1w)`. */
export async function click(page, label, square) {
  const [x, y] = await page.evaluate(
    async ([wanted, name]) => {
      const view = await atRest();
      const tile = view.scene.tiles.find((one) => one.label === wanted);
      if (!tile) throw new Error(`there is no board ${wanted}`);
      view.reveal(tile, { jump: true });
      view.settle();
      const place = { timeline: tile.timeline, halfTurn: tile.halfTurn, square: [name.charCodeAt(0) - 97, Number(name[1]) - 1] };
      const box = document.getElementById('board').getBoundingClientRect();
      const [dx, dy] = view.pointOf(place);
      return [box.left + dx, box.top + dy];
    },
    [label, square],
  );
  await page.mouse.click(x, y);
}

export const text = (page, id) => page.locator(`#${id}`).innerText();

/** Takes a game in any notation. */
export const take = (page, game) =>
  page.evaluate(async (written) => {
    const { Game } = worldlines.library;
    worldlines.board.take(Game.parse(written));
  }, game);

/** The middle of a square on the page. */
export const pointOf = (page, timeline, halfTurn, square) =>
  page.evaluate(
    async (place) => {
      const view = await atRest();
      view.reveal(view.tile(place.timeline, place.halfTurn), { jump: true });
      view.settle();
      const box = document.getElementById('board').getBoundingClientRect();
      const [dx, dy] = view.pointOf(place);
      return [box.left + dx, box.top + dy];
    },
    { timeline, halfTurn, square: [square.charCodeAt(0) - 97, Number(square[1]) - 1] },
  );
