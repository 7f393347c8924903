// Small windows and the keyboard: moves are typed at every size, the focus is never lost, and buttons stay under the mouse. `npm run build` must have made dist/.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, take, text } from './page.mjs';
import { board, page, until } from './suite.mjs';

const focused = (on) => on.evaluate(() => document.activeElement?.id || document.activeElement?.localName);
const SIZES = [[640, 410, false], [390, 844, true], [1280, 460, false], [320, 256, false]];

test('moves are typed at every size', async () => {
  for (const [width, height, touch] of SIZES) {
    const other = await open({ viewport: { width, height }, ...(touch && { hasTouch: true, isMobile: true }) });
    try {
      for (const tab of ['play', 'analyse', 'puzzles', 'author']) {
        await other.fresh();
        if (tab === 'puzzles') {
          await other.page.evaluate(() => worldlines.open('puzzles'));
          await other.page.waitForSelector('#lesson-list button', { state: 'attached' });
          await other.page.evaluate(() => document.querySelector('#lesson-list button').click());
          await other.page.waitForSelector('#puzzle:not([hidden])', { state: 'attached' });
        } else {
          await other.page.evaluate((name) => worldlines.open(name), tab);
        }
        await other.page.keyboard.press('m');
        const what = `${tab} at ${width} × ${height}`;
        assert.equal(await focused(other.page), 'typed-move', what);
        const box = await other.page.locator('#typed-move').boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= height + 1 && box.x + box.width <= width, `${what}: ${JSON.stringify(box)}`);
        const move = await other.page.evaluate(() => {
          const { board } = worldlines;
          const copy = board.game.copy();
          const tile = board.view.scene.tiles.find(({ duty }) => duty === 'must');
          const [first] = copy.movesFrom(tile.timeline, tile.halfTurn).moves;
          return copy.makeMove(first.id).movesMade()[0];
        });
        await other.page.keyboard.type(move);
        await other.page.keyboard.press('Enter');
        assert.deepEqual(await other.page.evaluate(() => worldlines.board.game.movesMade()), [move], what);
      }
      assert.deepEqual(other.errors, []);
    } finally {
      await other.close();
    }
  }
});

test('on a phone that is held sideways the board has the height, and nothing is cut off or scrolls away', async () => {
  for (const [locale, width, height] of [['en', 844, 390], ['de', 844, 390], ['en', 667, 375], ['de', 740, 360]]) {
    const other = await open({ viewport: { width, height }, hasTouch: true, isMobile: true, locale });
    try {
      await other.fresh();
      await take(other.page, '1. e4 / e5 2. Nf3 / Nc6 3. Bc4 / Bc5');
      for (const tab of ['play', 'analyse', 'puzzles', 'author', 'setup', 'text']) {
        await other.page.evaluate((name) => worldlines.open(name), tab);
        for (const draws of [false, true]) {
          await other.page.tap('#draw');
          const wrong = await other.page.evaluate(() => {
            const box = (/** @type {string} */ id) => document.querySelector(id).getBoundingClientRect();
            const parts = ['#board', '.bar', '#submit', '#undo', 'header', 'aside', '.foot'].filter((id) => document.querySelector(id).checkVisibility());
            return [
              box('#board').height < 0.84 * innerHeight && 'a small board',
              document.documentElement.scrollHeight > innerHeight && 'the page scrolls',
              ...parts.filter((id) => box(id).top < -1 || box(id).bottom > innerHeight + 1 || box(id).right > innerWidth + 1),
              ...['#submit', '#inks'].filter((id) => box(id).right > box('.bar').right + 1),
              [...document.querySelectorAll('.foot > *, .steps > *')].some((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight) && 'the steps',
            ].filter(Boolean);
          });
          assert.deepEqual(wrong, [], `${tab}, ${locale}, ${width}, ${draws}`);
        }
      }
    } finally {
      await other.close();
    }
  }
});

test('every tab with a game has steps through it, and the colours to draw with move nothing', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  for (const tab of ['analyse', 'author', 'text', 'puzzles']) {
    await page.click(`#tab-${tab}`);
    for (const [id, left] of [['first', 0], ['forward', 1], ['last', 4], ['back', 3], ['last', 4]]) {
      await page.click(`#${id}`);
      assert.equal(await page.evaluate(() => worldlines.board.actions.length), left, `${id} under ${tab}`);
    }
  }
  const sees = () => page.evaluate(() => ['board', 'submit', 'undo'].map((id) => JSON.stringify(document.getElementById(id).getBoundingClientRect())));
  const before = await sees();
  await page.click('#draw');
  assert.deepEqual(await sees(), before);
  const [inks, canvas] = await page.evaluate(() => ['inks', 'board'].map((id) => document.getElementById(id).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
  assert.ok(inks[0] >= canvas[1], `${inks} over ${canvas}`);
});

test('what is wrong with a typed move stands by the field, and goes with the next good one', async () => {
  await page.fill('#typed-move', 'Ke9');
  await page.keyboard.press('Enter');
  assert.ok((await text(page, 'typed-said')).length > 10);
  const [field, said] = [await page.locator('#typed-move').boundingBox(), await page.locator('#typed-said').boundingBox()];
  assert.ok(said.y >= field.y && said.y - field.y - field.height < 30, `${field.y} ${said.y}`);
  assert.ok(await page.isHidden('#toast'));
  await page.fill('#typed-move', 'Nf3');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#typed-said').textContent(), '');
});

test('in a low window a tab and a lesson are gone to, with the focus', async () => {
  const other = await open({ viewport: { width: 640, height: 410 } });
  try {
    await other.fresh();
    const top = (id) => other.page.evaluate((name) => document.getElementById(name).getBoundingClientRect().top, id);
    for (const tab of ['analyse', 'puzzles']) {
      await other.page.click(`#tab-${tab}`);
      assert.equal(await focused(other.page), `panel-${tab}`);
      assert.ok((await top(`panel-${tab}`)) < 200 && (await top('tab-play')) >= -1, `${await top(`panel-${tab}`)}`);
    }
    await other.page.click('#lesson-list button >> nth=3');
    await other.page.waitForSelector('#puzzle:not([hidden])');
    await other.page.waitForFunction(() => document.activeElement.id === 'puzzle');
    assert.ok(Math.abs(await top('puzzle')) < 60, `${await top('puzzle')}`);
  } finally {
    await other.close();
  }
});

test('the focus does not fall to the page when a button is gone', async () => {
  await page.click('#tab-puzzles');
  await page.waitForSelector('#lesson-list button');
  const press = async (selector) => {
    await page.focus(selector);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(150);
    assert.notEqual(await focused(page), 'body', selector);
  };
  await press('#lesson-list button >> nth=2');
  await page.waitForSelector('#solution:visible');
  await press('#solution');
  await until(() => !document.getElementById('puzzle-next').hidden);
  await press('#puzzle-next');
  await page.click('#tab-play');
  await take(page, '1. e4 / e5');
  await press('#new');
  await take(page, '1. e4 / e5');
  await press('#resign');
  await press('#toast button:last-child');
});

test('eight presses at one place go back eight times', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3 / h6 5. Nf3>>(0T4)f5 / (1T4)e6');
  const { x, y, width, height } = await page.locator('#back').boundingBox();
  for (let press = 0; press < 8; press++) {
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForTimeout(60);
  }
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 2);
});

test('a press on the board draws no frame round it; keys do', async () => {
  const outline = () => page.evaluate(() => getComputedStyle(document.getElementById('board')).outlineStyle);
  await page.keyboard.press('m');
  await page.keyboard.type('Nf3');
  await page.keyboard.press('Enter');
  await page.click('#submit');
  await page.mouse.click(300, 400);
  assert.equal(await focused(page), 'board');
  assert.equal(await outline(), 'none');
  await page.focus('#submit');
  await page.focus('#board');
  await page.keyboard.press('PageDown');
  assert.equal(await outline(), 'solid');
});

test('answers have room under Analyse, and the questions stay in sight', async () => {
  for (const [width, height, touch, least] of [[1280, 800, false, 30], [1920, 1080, false, 60], [390, 844, true, 24]]) {
    const other = await open({ viewport: { width, height }, ...(touch && { hasTouch: true, isMobile: true }) });
    try {
      await other.fresh();
      await take(other.page, '1. e4 / e5 2. Nf3 / Nc6 3. Bc4 / Bc5 4. c3 / Nf6 5. d4 / exd4');
      await other.page.evaluate(() => {
        document.querySelector('aside').classList.remove('folded');
        worldlines.open('analyse');
      });
      // On a phone the panel is drawn up for long answers.
      if (touch) await other.page.click('#grip');
      await other.page.click('#engine');
      await other.page.waitForFunction(() => document.querySelectorAll('#engine-lines li').length === 3);
      const line = await other.page.locator('#engine-lines button').first().boundingBox();
      assert.ok(line.height < 50, `a line of the engine has ${line.height} pixels at ${width}`);
      await other.page.click('#count');
      await other.page.waitForFunction(() => /^\d+ legal actions/.test(document.getElementById('analysed').textContent));
      await other.page.waitForTimeout(100);
      const seen = await other.page.evaluate(() => {
        const sheet = document.querySelector('.sheet');
        const panel = (sheet.offsetHeight > 0 ? sheet : document.getElementById('panel-analyse')).getBoundingClientRect();
        return [...document.querySelectorAll('#found li')].filter((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top >= panel.top && bottom <= panel.bottom + 1;
        }).length;
      });
      assert.ok(seen >= least, `${seen} actions are seen at ${width} × ${height}`);
      const [said, why] = [await other.page.locator('#analysed').boundingBox(), await other.page.locator('#why').boundingBox()];
      const panel = await other.page.locator('#panel-analyse').boundingBox();
      assert.ok(said.y >= panel.y - 1, 'the answer begins in sight');
      if (!touch) assert.ok(why.y >= panel.y && said.y >= why.y + why.height, 'the questions stand above the answer');
    } finally {
      await other.close();
    }
  }
});

test('after a press on a tab, arrow keys go through the game', async () => {
  await take(page, '1. e4 / e5');
  await page.click('#tab-analyse');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 1);
  assert.equal(await page.locator('#tab-analyse').getAttribute('aria-selected'), 'true');
  // Whoever goes to the tabs by keys goes over them by keys.
  await page.focus('#board');
  await page.focus('#tab-analyse');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('#tab-play').getAttribute('aria-selected'), 'true');
});

test('all of a note can be reached on a desktop, beside a review too', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  try {
    await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. Bc4 / Nf6 4. Ng5 / d5');
    await page.click('#tab-analyse');
    for (const isReviewed of [false, true]) {
      await page.evaluate((shown) => {
        document.getElementById('verdict').hidden = !shown;
        document.getElementById('review-kept').hidden = !shown;
      }, isReviewed);
      if (await page.isHidden('#note')) await page.click('#note-open');
      const seen = await page.evaluate(() => {
        const map = document.querySelector('.map').getBoundingClientRect();
        const foot = document.querySelector('.foot').getBoundingClientRect();
        const box = (one) => one.getBoundingClientRect();
        const { scrollHeight, clientHeight } = document.getElementById('note');
        return { below: [...document.querySelectorAll('#note button')].filter((one) => box(one).bottom > map.top + 1).map(({ id }) => id), cut: scrollHeight - clientHeight, gap: box(document.getElementById('game-title')).top - box(document.getElementById('typed-move')).bottom, foot: foot.height };
      });
      assert.deepEqual(seen.below, []);
      assert.ok(seen.cut <= 1 && seen.gap < 30, JSON.stringify(seen));
    }
  } finally {
    await page.setViewportSize({ width: 1280, height: 820 });
  }
});

test('a verdict is whole, however long it is', async () => {
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    const other = await open({ viewport: size });
    try {
      await other.fresh();
      await take(other.page, '1. e4 / e5');
      await other.page.evaluate(() => (worldlines.open('analyse'), document.querySelector('aside').classList.remove('folded')));
      for (const more of ['', ' (1T3)Nb1>>(0T2)c3 (2T3)Nb1>>(0T2)a3 (3T3)Nb1>>(0T2)a3 (4T3)Nb1>>(0T2)a3']) {
        const cut = await other.page.evaluate((rest) => {
          const verdict = document.getElementById('verdict');
          verdict.hidden = false;
          const name = document.createElement('strong');
          name.textContent = '4. (-2T3)Nc3 (-1T3)Nc3 (0T3)Nc3 (1T3)d4 (2T3)Nc3 (3T3)d4??';
          verdict.replaceChildren(name, ` Blunder, 97 % → 75 %; better: (-2T3)Nc3 (-1T3)Nc3 (0T3)Nc3${rest}`);
          const range = document.createRange();
          range.selectNode(verdict.lastChild);
          return range.getBoundingClientRect().bottom - verdict.getBoundingClientRect().bottom;
        }, more);
        assert.ok(cut <= 1, `${size.width}: ${cut} pixels`);
      }
    } finally {
      await other.close();
    }
  }
});

test('the field for moves has room for one with its board', async () => {
  await take(page, '1. e4 / e5 2. Qh5 / g6 3. Qxe5');
  for (const tab of ['play', 'analyse']) {
    await page.click(`#tab-${tab}`);
    await page.fill('#typed-move', '(-2T3)Nc3');
    const [wide, room] = await page.evaluate(() => [document.getElementById('typed-move').scrollWidth, document.getElementById('typed-move').clientWidth]);
    assert.ok(wide <= room && room >= 95, `${tab}: ${[wide, room]}`);
    await page.fill('#typed-move', '');
  }
});

test('the buttons of a puzzle stay under the mouse while hints are read', async () => {
  await board.fresh('#puzzle=one-knight-four-mates');
  await until(() => !document.getElementById('puzzle').hidden && worldlines.board.mayPlay());
  const places = () => page.evaluate(() => ['hint', 'solution', 'again', 'puzzle-analyse'].map((id) => document.getElementById(id).getBoundingClientRect()).map(({ x, y }) => [x, y].map(Math.round)));
  const before = await places();
  const said = new Set();
  for (let step = 0; step < 4; step += 1) {
    await page.click('#hint');
    said.add(await text(page, 'puzzle-said'));
    assert.deepEqual(await places(), before, `after ${step + 1} hints`);
  }
  assert.equal(said.size, 4);
});

test('the words of a first visit are gone when the boards are drawn', async () => {
  const board = await open();
  await board.page.addInitScript(() => {
    const draw = CanvasRenderingContext2D.prototype.drawImage;
    CanvasRenderingContext2D.prototype.drawImage = function (...given) {
      globalThis.covered ??= document.getElementById('welcome').checkVisibility();
      return draw.apply(this, given);
    };
  });
  await board.go();
  assert.equal(await board.page.evaluate(() => globalThis.covered), false);
  assert.deepEqual(board.errors, []);
  await board.close();
});
