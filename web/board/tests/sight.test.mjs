// What is in sight after moves, and what leads to the rest. `npm run build` must have made dist/.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { open, pointOf, take } from './page.mjs';
import { board, page, until } from './suite.mjs';

let phone;
before(async () => {
  phone = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
});
after(() => phone?.close());

/** How boards stand on the canvas: of each label whether it is whole in sight, and the pixels of a square. */
const sight = (on) =>
  on.evaluate(async () => {
    const view = await atRest();
    const { clientWidth, clientHeight } = document.getElementById('board');
    const { files, ranks } = view.scene;
    const half = (view.scale * view.scene.square) / 2;
    const isWhole = ({ timeline, halfTurn }) =>
      [[0, 0], [files - 1, ranks - 1]].every((square) => {
        const [x, y] = view.pointOf({ timeline, halfTurn, square });
        return x >= half - 1 && y >= 24 + half - 1 && x <= clientWidth - half + 1 && y <= clientHeight - half + 1;
      });
    return { size: 2 * half, whole: Object.fromEntries(view.scene.tiles.map((tile) => [tile.label, isWhole(tile)])), must: view.scene.tiles.filter(({ duty }) => duty === 'must').map(({ label }) => label) };
  });
test('a board that must be played and is not half in sight has a mark that is explained', async () => {
  await take(page, '1. e3 / Nf6 2. Qf3 / Nc6 3. Qf3>>(0T1)f5 / (1T1)e6');
  const marks = (share) =>
    page.evaluate(async (part) => {
      const view = await atRest();
      const tile = view.scene.tiles.find(({ duty }) => duty === 'must');
      view.reveal(tile, { jump: true });
      view.settle();
      const { files, square } = view.scene;
      // So much of the board is beyond the right edge.
      const right = (view.pointOf({ ...tile, square: [files - 1, 0] })[0]) + (square * view.scale) / 2;
      view.pan(document.getElementById('board').clientWidth - right + part * files * square * view.scale, 0);
      return view.outOfSight().map((one) => one.tile.label);
    }, share);
  assert.deepEqual(await marks(0.3), []);
  assert.deepEqual(await marks(0.6), ['(1T2w)'], 'its middle is out of sight');
  await until(() => /Gold triangle: a board/.test(document.getElementById('points-to').textContent));
  assert.deepEqual(await marks(-0.1), []);
  await until(() => document.getElementById('points-to').textContent === '');
});

const make = (on, text) =>
  on.evaluate((move) => {
    const { board } = worldlines;
    const tile = board.view.scene.tiles.find(({ label }) => label === move.board);
    board.make(board.game.movesFrom(tile.timeline, tile.halfTurn).moves.find((one) => one.to.halfTurn === move.to && one.to.square.join() === move.square.join()));
  }, text);

test('after a journey the new timeline is in sight, before and after it is submitted', async () => {
  for (const one of [board, phone]) {
    for (const chosen of [false, true]) {
      await one.fresh();
      await take(one.page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3 / h6');
      if (chosen) await one.page.evaluate(() => worldlines.board.view.reveal(worldlines.board.view.scene.tiles.at(-1), { jump: true }));
      if (chosen) await one.page.evaluate(() => worldlines.board.view.zoom(1.05));
      await make(one.page, { board: '(0T5w)', to: 8, square: [5, 4] });
      const made = await sight(one.page);
      assert.ok(made.whole['(1T4b)'], JSON.stringify(made));
      assert.ok(made.size >= 14);
      if (one === board) assert.ok(made.whole['(0T5w)'], 'the board that was left is beside it');
      await one.page.evaluate(() => worldlines.board.submit());
      const { must, whole } = await sight(one.page);
      assert.deepEqual(must.map((label) => whole[label]), [true]);
    }
  }
});

test('boards that must be played are in sight after an answer', async () => {
  const boards = [-2, -1, 0, 1].map((timeline) => `[k*7/p*7/8/8/8/8/P*7/K*7:${timeline}:1:b]`);
  for (const [one, count] of [[board, 4], [phone, 2]]) {
    for (const chosen of [false, true]) {
      await one.fresh();
      await take(one.page, `[Board "custom"]\n[Size "8x8"]\n${boards.slice(4 - count).join('\n')}`);
      if (chosen) await one.page.evaluate(() => worldlines.board.view.zoom(3, 300, 100));
      await one.page.evaluate(() => {
        const { board } = worldlines;
        board.play(board.view.scene.tiles.map(({ label }) => `${label.replace('b', '')}a7a6`).join(' '));
      });
      const { must, whole, size } = await sight(one.page);
      assert.equal(must.length, count);
      // On a phone two boards have squares that a thumb still hits.
      assert.equal(must.filter((label) => whole[label]).length, count, `${chosen} ${size}`);
      assert.ok(size >= (one === phone ? 28 : 14), `${size} pixels`);
    }
  }
});

test('the mark of a board out of sight goes there, and the piece stays in the hand', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. Nd5 / Nd4 4. a3 / a6 5. h3 / h6 6. h4 / h5');
  await page.evaluate(() => worldlines.board.view.near({ jump: true }));
  await page.mouse.click(...(await pointOf(page, 0, 14, 'f3')));
  const selected = await page.evaluate(() => worldlines.board.view.marks.selected);
  const [x, y, target] = await page.evaluate(() => {
    const { view } = worldlines.board;
    const [mark] = view.outOfSight();
    const box = document.getElementById('board').getBoundingClientRect();
    return [box.left + mark.x, box.top + mark.y, view.pointerAt(mark.x, mark.y).label];
  });
  await page.mouse.click(x, y);
  assert.deepEqual(await page.evaluate(() => worldlines.board.view.marks.selected), selected);
  assert.ok((await sight(page)).whole[target], target);
});

test('after Undo and Delete the boards are not left at the edge', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3 / h6');
  await page.evaluate(() => worldlines.board.view.zoom(1.2));
  await page.evaluate(() => worldlines.board.view.reveal(worldlines.board.view.scene.tiles.at(-1), { jump: true }));
  const right = () =>
    page.evaluate(async () => {
      const view = await atRest();
      const last = view.scene.tiles.at(-1);
      const [x] = view.pointOf({ timeline: 0, halfTurn: last.halfTurn, square: [7, 0] });
      return document.getElementById('board').clientWidth - x;
    });
  for (let step = 0; step < 3; step++) await page.click('#undo');
  assert.ok((await right()) < 200, `${await right()} pixels to the right`);
  await page.evaluate(() => document.getElementById('delete').click());
  await until(() => worldlines.board.actions.length === 4);
  assert.ok((await right()) < 200, `${await right()} pixels to the right`);
});

test('at a mate a king is in sight with the piece that mates it', async () => {
  for (const one of [board, phone]) {
    await one.fresh();
    await take(one.page, `[Board "Standard"]
[Mode "5D"]
1. (0T1)Ng1f3 / (0T1)d7d5 2. (0T2)e2e3 / (0T2)Nb8c6 3. (0T3)Nf3>>(0T2)f5 / (0T3)Ng8f6 (1T2)Bc8xf5 4. (1T3)d2d3 / (1T3)Ng8f6
5. (0T4)Bf1b5 (1T4)Bc1g5 / (0T4)Nf6e4 (1T4)c7c6 6. (0T5)Bb5xc6 (1T5)Bg5xf6 / (0T5)b7xc6 (1T5)Qd8a5`);
    // The camera may be on its way.
    let { whole, size } = await sight(one.page);
    for (let tries = 0; tries < 25 && !(whole['(1T6w)'] && size >= 13); tries += 1) {
      await one.page.waitForTimeout(200);
      ({ whole, size } = await sight(one.page));
    }
    const inSight = ['(1T6w)', '(1T2b)'].map((label) => whole[label]);
    // The queen stands on (1T6w), with one of the kings that she attacks.
    assert.ok(inSight[0] && size >= 13, `${inSight} ${size}`);
  }
});

test('after a move its new board is in sight, with a board on which to go on if there is one', async () => {
  for (const one of [board, phone]) {
    await one.fresh();
    await take(one.page, '1. Nf3 / Nf6 2. Nc3 / Nc6');
    // The board that is played stands at the right edge, where nothing of the next one is seen.
    await one.page.evaluate(async () => {
      const view = await atRest();
      const tile = view.scene.tiles.at(-1);
      view.reveal(tile, { jump: true });
      const [right] = view.pointOf({ ...tile, square: [7, 0] });
      view.pan(document.getElementById('board').clientWidth - right - 0.6 * view.scene.square * view.scale, 0);
      view.settle();
    });
    const before = await sight(one.page);
    assert.ok(before.whole['(0T3w)']);
    await make(one.page, { board: '(0T3w)', to: 6, square: [4, 3] });
    const made = await sight(one.page);
    assert.ok(made.whole['(0T3b)'], JSON.stringify(made));
    // Take back leads back to the board of the move, at the size that it had.
    await one.page.evaluate(() => worldlines.board.undo());
    const back = await sight(one.page);
    assert.deepEqual([back.whole, back.size], [before.whole, before.size]);
  }
});

test('both boards that a journey made are in sight after it', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3 / h6');
  await page.evaluate(() => worldlines.board.view.near({ jump: true }));
  await page.evaluate(() => worldlines.board.play('(0T5)Nf3>>(0T3)f4'));
  const { whole, must } = await sight(page);
  assert.deepEqual(must, ['(1T3b)']);
  assert.deepEqual([whole['(1T3b)'], whole['(0T5b)']], [true, true], JSON.stringify(whole));
});

test('a board that the last action made and that has no room on a phone has a mark', async () => {
  await phone.fresh();
  await take(phone.page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3');
  await phone.page.evaluate(() => worldlines.board.play('(0T4)Nf6>>(0T2)f5'));
  const { whole, must } = await sight(phone.page);
  assert.deepEqual([must, whole['(-1T3w)'], whole['(0T5w)']], [['(-1T3w)'], true, false]);
  await phone.page.waitForFunction(() => /^Purple triangle: a board that the last action made/.test(document.getElementById('points-to').textContent));
  const [x, y] = await phone.page.evaluate(() => {
    const mark = worldlines.board.view.outOfSight().find(({ kind }) => kind === 'news');
    const box = document.getElementById('board').getBoundingClientRect();
    return [box.left + mark.x, box.top + mark.y];
  });
  await phone.page.touchscreen.tap(x, y);
  assert.ok((await sight(phone.page)).whole['(0T5w)'], 'it leads there');
});

test('a jump in the list shows the boards of the action large enough to be read', async () => {
  for (const one of [board, phone]) {
    await one.fresh();
    await take(one.page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3 / h6 5. h4 / h5 6. a4 / a5 7. e3 / e6 8. d3 / d6');
    if (one === phone) await one.page.tap('#tab-analyse');
    const press = (label) => one.page.locator('#history [data-node]').filter({ hasText: label }).first().click();
    // As small as everything is, and as large as somebody has made it, far away.
    await one.page.evaluate(() => worldlines.board.view.fit());
    await press('h6');
    const small = await sight(one.page);
    assert.ok(small.size >= (one === board ? 18 : 20) && small.whole['(0T5w)'], JSON.stringify(small));
    await press('Nc6');
    const near = await sight(one.page);
    assert.ok(near.whole['(0T3w)'], JSON.stringify(near));
    // What is in sight and can be read stays where it is.
    if (one === phone) continue;
    const before = await one.page.evaluate(() => worldlines.board.view.sight);
    await press('Nc3');
    assert.deepEqual(await one.page.evaluate(() => worldlines.board.view.sight), before);
  }
});

test('a wrong answer and what refutes it leave a puzzle as large as it was', async () => {
  for (const one of [board, phone]) {
    await one.fresh('#puzzle=unicorn-returns');
    await one.page.waitForFunction(() => !document.getElementById('puzzle').hidden && worldlines.board.mayPlay());
    const before = await sight(one.page);
    // A legal action that is not the answer, into the past: it needs more room.
    await one.page.evaluate(async () => {
      const { board } = worldlines;
      const { puzzleSolution } = worldlines.library;
      const [answer] = puzzleSolution(await (await fetch('puzzles/unicorn-returns.yaml')).text());
      const tile = board.view.scene.tiles.find(({ duty }) => duty === 'must');
      const wrong = board.game.movesFrom(tile.timeline, tile.halfTurn).moves.filter(({ id, from, to }) => {
        const copy = board.game.copy();
        copy.makeMove(id);
        return copy.whyNot() === undefined && !answer.startsWith(copy.movesMade()[0]) && from.halfTurn !== to.halfTurn;
      });
      board.make(wrong[0]);
      board.submit();
    });
    await one.page.waitForFunction(() => /was asked/.test(document.getElementById('puzzle-said').textContent));
    await one.page.waitForFunction(() => worldlines.board.game.movesMade().length === 0);
    const after = await sight(one.page);
    assert.deepEqual(after, before);
    await one.page.evaluate(() => document.getElementById('refute').click());
    await one.page.waitForFunction(() => worldlines.board.actions.length === 4);
    const shown = await sight(one.page);
    assert.ok(shown.size <= before.size && shown.size >= 14, `${shown.size} pixels`);
    assert.ok(shown.must.some((label) => shown.whole[label]), JSON.stringify(shown));
    // Back at the puzzle it is seen as when it was opened.
    await one.page.evaluate(() => document.getElementById('refute').click());
    await one.page.waitForFunction(() => worldlines.board.actions.length === 2 && worldlines.board.mayPlay());
    assert.deepEqual(await sight(one.page), before);
  }
});

test('after a mate no triangle asks for a board to play, and no note says so', async () => {
  await phone.fresh();
  const beyond = () => phone.page.evaluate(async () => {
    const view = await atRest();
    view.pan(-2_000, 0);
    return view.outOfSight().length;
  });
  await take(phone.page, '1. e3 / f6 2. Qe2 / Nc6');
  assert.equal(await beyond(), 1);
  await phone.page.waitForFunction(() => /^Gold triangle/.test(document.getElementById('points-to').textContent));
  await phone.page.evaluate(() => worldlines.board.play('Qh5'));
  await phone.page.waitForFunction(() => worldlines.board.over);
  assert.equal(await beyond(), 0);
  await phone.page.waitForFunction(() => document.getElementById('points-to').textContent === '');
});

test('what is said of triangles lies on none of them, and what is said of corners on no name of a board', async () => {
  /** The note, the triangles and the names of boards on the canvas. */
  const seen = () => phone.page.evaluate(() => {
    const { view } = worldlines.board;
    const box = document.getElementById('board').getBoundingClientRect();
    const { left, right, top, bottom } = document.querySelector('.quiet').getBoundingClientRect();
    const names = view.scene.tiles.map((tile) => view.pointOf({ ...tile, square: [0, view.scene.ranks - 1] })).map(([x, y]) => ({ x, y: y - (view.scene.square / 2 + view.scene.frame) * view.scale - 9 }));
    const isOn = ({ x, y }) => x > left - box.left - 9 && x < right - box.left + 9 && y > top - box.top - 9 && y < bottom - box.top + 9;
    return [view.outOfSight().filter(isOn).length, names.filter(isOn).length];
  });
  await phone.fresh();
  await take(phone.page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3');
  await phone.page.evaluate(() => worldlines.board.play('(0T4)Nf6>>(0T2)f5'));
  for (const down of [0, 300, 600, -300]) {
    await phone.page.evaluate((dy) => {
      worldlines.board.view.near({ jump: true });
      worldlines.board.view.pan(0, dy);
    }, down);
    await phone.page.waitForFunction(() => /triangle/.test(document.getElementById('points-to').textContent));
    await phone.page.waitForTimeout(100);
    assert.equal((await seen())[0], 0, `after ${down} pixels`);
  }
  await phone.fresh('#puzzle=one-knight-four-mates');
  await phone.page.waitForFunction(() => /corners/.test(document.getElementById('points-to').textContent));
  assert.equal((await seen())[1], 0);
});

test('a step to many timelines, and a game that is opened again, have the boards in sight that must be played', async () => {
  for (const one of [board, phone]) {
    await one.fresh();
    const boards = [-2, -1, 0, 1].map((timeline) => `[k*7/p*7/8/8/8/8/P*7/K*7:${timeline}:1:b]`);
    await take(one.page, `[Board "custom"]\n[Size "8x8"]\n${boards.join('\n')}`);
    await one.page.evaluate(() => {
      const { board } = worldlines;
      board.play(board.view.scene.tiles.map(({ label }) => `${label.replace('b', '')}a7a6`).join(' '));
    });
    await one.page.evaluate(() => worldlines.board.view.near({ jump: true }));
    const playing = await sight(one.page);
    // One board fills the view, as after a triangle was pressed.
    const close = () => one.page.evaluate(async () => {
      const view = await atRest();
      view.frame(view.scene.tiles.filter(({ duty }) => duty === 'must').slice(0, 1));
      view.settle();
    });
    const isAsPlaying = async (what) => {
      const { size, whole, must } = await sight(one.page);
      assert.deepEqual([size, must.filter((label) => whole[label])], [playing.size, must.filter((label) => playing.whole[label])], what);
    };
    await close();
    await one.page.evaluate(() => worldlines.board.step('start'));
    await one.page.evaluate(() => worldlines.board.step('end'));
    await isAsPlaying('after Home and End');
    await close();
    await one.page.evaluate(() => document.getElementById('new').click());
    await one.page.evaluate(() => {
      document.getElementById('earlier').open = true;
    });
    await one.page.waitForSelector('#shelf button:not(.away)', { state: 'attached' });
    await one.page.evaluate(() => document.querySelector('#shelf button:not(.away)').click());
    await isAsPlaying('from the earlier games');
  }
});

test('a hint is shown at three positions in all, and not again after a reload', async () => {
  await phone.fresh();
  const shown = () => phone.page.evaluate(() => {
    const { view } = worldlines.board;
    view.pan(-2_000, 0);
    return new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(() => settle(document.getElementById('points-to').textContent))));
  });
  await take(phone.page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3 / h6');
  const texts = [];
  for (let at = 0; at < 5; at += 1) {
    texts.push(await shown());
    await phone.page.evaluate(() => worldlines.board.step('back'));
  }
  assert.deepEqual(texts.map((one) => /^Gold triangle/.test(one)), [true, true, true, false, false]);
  await phone.go();
  assert.equal(await shown(), '');
});

test('of boards in one direction that a piece reaches, a triangle leads to the nearest', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  await page.evaluate(() => worldlines.board.view.near({ jump: true }));
  await page.mouse.click(...(await pointOf(page, 0, 6, 'f3')));
  const out = await page.evaluate(() => worldlines.board.view.outOfSight().map(({ tile, x, y }) => [tile.label, x, y]));
  assert.deepEqual(out.map(([label]) => label), ['(0T1w)', '(0T2w)'], 'both lie to the left');
  const nearest = await page.evaluate(([x, y]) => worldlines.board.view.pointerAt(x, y).label, out[0].slice(1));
  assert.equal(nearest, '(0T2w)');
});
