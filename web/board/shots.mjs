// Takes the screenshots in pictures/: a whole game against the engine, a puzzle made from nothing, a phone, a hundred timelines. `node shots.mjs`.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { click, open, take } from './tests/page.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'pictures');
mkdirSync(folder, { recursive: true });
const shot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`) });
const wait = (page, what) => page.waitForFunction(what, undefined, { timeout: 180_000 });

const board = await open({ viewport: { width: 1180, height: 720 } });
const { page } = board;
await board.fresh();

// A script plays White: the first legal action that it finds. The engine wins.
await page.selectOption('#variant', 'Standard');
await page.selectOption('#black', 'engine 50000');
await page.click('#new');
for (let action = 0; action < 40 && !(await page.evaluate(() => worldlines.board.over)); action++) {
  await page.evaluate((seed) => {
    const { board } = worldlines;
    const legal = [];
    for (const text of board.game.legalActions()) {
      legal.push(text);
      if (legal.length === 40) break;
    }
    board.play(legal[(seed * 7) % legal.length]);
  }, action);
  await wait(page, () => worldlines.board.over || worldlines.board.game.toMove === 'white');
}
const ended = await page.evaluate(() => [worldlines.board.actions.length, document.getElementById('standing').textContent]);
console.log(`the game against the engine: ${ended.join(' actions; ')}`);
await page.click('#fit');
await page.waitForTimeout(400);
await shot(page, 'game');

for (const id of ['white', 'black']) await page.selectOption(`#${id}`, 'human');
await take(page, '1. e3 / Nf6 2. Qf3 / Nc6 3. Qf3>>(0T1)f5 / (1T1)e6');
await click(page, '(1T2w)', 'f5');
await page.waitForTimeout(400);
await shot(page, 'play');

await page.click('#tab-setup');
await page.fill('#files', '4');
await page.fill('#ranks', '4');
await page.click('#empty');
for (const [piece, square] of [['white king', 'b3'], ['white rook', 'd2'], ['black king', 'a1']]) {
  await page.click(`#palette [aria-label="${piece}"]`, { force: true });
  await click(page, '(0T1w)', square);
}
await page.click('#s-play');
await page.click('#tab-author');
await page.fill('#a-title', 'A rook and a king');
await page.click('#a-make');
await wait(page, () => document.getElementById('verified').dataset.answer);
await page.waitForTimeout(300);
await shot(page, 'author');
await board.close();

const phone = await open({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
await phone.fresh();
await phone.page.tap('#tab-puzzles');
await phone.page.waitForSelector('#puzzles li');
await phone.page.fill('#search', 'one-knight');
await phone.page.tap('#puzzles li button');
await phone.page.waitForTimeout(600);
await shot(phone.page, 'phone');
await phone.close();

const many = await open({ viewport: { width: 1180, height: 720 } });
await many.fresh();
await many.page.evaluate(async () => {
  const { Game } = worldlines.library;
  const boards = [];
  for (let l = -50; l < 50; l++) {
    for (let turn = Math.abs(l) % 5; turn < 8; turn++) boards.push(`[rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR:${l}:${1 + (turn >> 1)}:${turn % 2 ? 'b' : 'w'}]`);
  }
  const { board } = worldlines;
  board.take(Game.parse(boards.join('\n')));
  board.view.frame(board.view.scene.tiles.slice(330, 350));
});
await many.page.waitForTimeout(600);
await shot(many.page, 'hundred');
await many.close();
