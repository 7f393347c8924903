// Hands, keys and eyes: dragging, movement, typed moves, sentences, the engine, reviews, the tree. `npm run build` must have made dist/.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { click, open, pointOf, take, text } from './page.mjs';
import { board, page, until } from './suite.mjs';

const actions = () => page.evaluate(() => worldlines.board.actions);
const made = () => page.evaluate(() => worldlines.board.game.movesMade());

test('a piece is dragged to a square, and back to its own it stays in the hand', async () => {
  const [e2, e4] = [await pointOf(page, 0, 2, 'e2'), await pointOf(page, 0, 2, 'e4')];
  await page.mouse.move(...e2);
  await page.mouse.down();
  await page.mouse.move(e2[0], e2[1] - 40, { steps: 4 });
  assert.equal(await page.evaluate(() => worldlines.board.view.marks.drag?.letter), 'P');
  await page.mouse.move(...e4, { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await made(), ['(0T1)e2e4']);
  // A drop where the piece cannot go makes no move.
  await page.click('#undo');
  await page.mouse.move(...e2);
  await page.mouse.down();
  await page.mouse.move(...(await pointOf(page, 0, 2, 'e6')), { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await made(), []);
  // A press elsewhere pans.
  const before = await page.evaluate(() => worldlines.board.view.sight);
  await page.mouse.move(...(await pointOf(page, 0, 2, 'e5')));
  await page.mouse.down();
  await page.mouse.move(300, 300, { steps: 4 });
  await page.mouse.up();
  assert.notDeepEqual(await page.evaluate(() => worldlines.board.view.sight), before);
});

test('pieces are set up by dragging them with the mouse', async () => {
  await page.click('#tab-setup');
  const fen = () => page.inputValue('#fen');
  const drag = async (from, to) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
  };
  const { x, y, width, height } = await page.locator('#palette label:has([aria-label="white unicorn"])').boundingBox();
  const [palette, e4, e2] = [[x + width / 2, y + height / 2], await pointOf(page, 0, 2, 'e4'), await pointOf(page, 0, 2, 'e2')];
  await drag(palette, e4);
  assert.match(await fen(), /4U3/);
  await drag(e4, await pointOf(page, 0, 2, 'e5'));
  assert.match(await fen(), /\/8\/4U3\/8\/8\//);
  await drag(await pointOf(page, 0, 2, 'e5'), [x + 40, 700]);
  assert.doesNotMatch(await fen(), /U/);
  // Beside pieces a drag moves the view, and a press puts the chosen piece.
  await page.click('#palette [aria-label="white queen"]', { force: true });
  await page.mouse.click(...e2);
  assert.match(await fen(), /Q[^/]*\/[^/]*Q/);
  assert.deepEqual(board.errors, []);
});

test('a piece that is dragged to the edge takes the view along, and boards out of sight that can be reached are pointed to', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. Nd5 / Nd4 4. a3 / a6');
  await page.evaluate(() => worldlines.board.view.near({ jump: true }));
  const f3 = await pointOf(page, 0, 10, 'f3');
  await page.mouse.click(...f3);
  const pointed = await page.evaluate(() => worldlines.board.view.outOfSight().length);
  assert.ok(pointed > 0);
  const before = await page.evaluate(() => worldlines.board.view.sight.x);
  await page.keyboard.press('Escape');
  await page.mouse.move(...f3);
  await page.mouse.down();
  await page.mouse.move(200, f3[1], { steps: 3 });
  await page.mouse.move(6, f3[1], { steps: 3 });
  await until((x) => worldlines.board.view.sight.x < x - 600, before);
  await page.mouse.up();
  assert.equal(await page.evaluate(() => worldlines.board.view.marks.drag), undefined);
});

test('against an engine, undo goes back to one’s own turn', async () => {
  await page.selectOption('#black', 'engine 5000');
  await page.evaluate(() => worldlines.board.play('e4'));
  await until(() => worldlines.board.actions.length === 2);
  await page.click('#undo');
  assert.equal((await actions()).length, 0);
  await page.evaluate(() => worldlines.board.play('d4'));
  await until(() => worldlines.board.actions.length === 2);
  assert.equal((await actions())[0], '(0T1)d2d4');
});

test('a move that is chosen while the engine thinks is made as soon as it has answered', async () => {
  /** Lets the engine answer. */
  let answer;
  await page.route('**/engine', async (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: { name: 'Slow' } });
    const action = await new Promise((settle) => (answer = settle));
    return route.fulfill({ json: { action } });
  });
  try {
    await board.go();
    await page.waitForSelector('#black option[value=bridge]', { state: 'attached' });
    await page.selectOption('#black', 'bridge');
    const press = async (halfTurn, square) => page.mouse.click(...(await pointOf(page, 0, halfTurn, square)));
    const waiting = () => page.evaluate(() => worldlines.board.premove?.real.to.square);
    const asked = () => until(() => document.getElementById('thinking').textContent.includes('thinks'));
    const answered = async (action) => {
      while (!answer) await page.waitForTimeout(20);
      answer(action);
      answer = undefined;
    };
    await press(2, 'e2');
    await press(2, 'e4');
    await page.click('#submit');
    await asked();
    // Black's pieces are not ours, and undo takes back only what waits.
    await press(3, 'e7');
    assert.equal(await page.evaluate(() => worldlines.board.view.marks.selected), undefined);
    await press(3, 'd2');
    assert.equal(await page.evaluate(() => worldlines.board.view.marks.targets.length), 2);
    await press(3, 'd3');
    assert.deepEqual(await waiting(), [3, 2]);
    assert.match(await text(page, 'why-not'), /^\(0T2\)d2d3 waits for the engine$/);
    assert.equal(await page.evaluate(() => worldlines.board.view.marks.shapes.length), 1);
    await page.click('#undo');
    assert.equal(await waiting(), undefined);
    assert.equal(await page.evaluate(() => worldlines.board.actions.length), 1);
    // Keys go round our pieces, and not round those of the engine.
    await page.keyboard.press('n');
    assert.ok((await page.evaluate(() => worldlines.board.view.marks.cursor.square[1])) < 2);
    await page.keyboard.press('Escape');
    await press(3, 'd2');
    await press(3, 'd4');
    await answered('(0T1)e7e5');
    await until(() => worldlines.board.actions.length === 3);
    assert.deepEqual(await page.evaluate(() => worldlines.board.actions), ['(0T1)e2e4', '(0T1)e7e5', '(0T2)d2d4']);
    // A move that the answer has made impossible is dropped, and said.
    await asked();
    await press(5, 'e4');
    await press(5, 'e5').catch(() => {});
    assert.equal(await waiting(), undefined, 'the square is taken');
    await press(5, 'g1');
    await press(5, 'f3');
    assert.deepEqual(await waiting(), [5, 2]);
    await answered('(0T2)Bf8b4');
    await until(() => worldlines.board.actions.length === 4);
    await until(() => worldlines.board.premove === undefined);
    assert.match(await text(page, 'standing'), /White to move, in check/);
    assert.deepEqual(await made(), []);
    assert.match(await text(page, 'said'), /cannot be made now/);
    assert.match(await text(page, 'toast'), /cannot be made now/, 'who sees the page is told too');
    assert.deepEqual(board.errors, []);
  } finally {
    await page.unroute('**/engine');
  }
});

test('a finger drags a piece', async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  try {
    await phone.fresh();
    const size = await phone.page.evaluate(() => worldlines.board.view.scale * worldlines.board.view.scene.square);
    assert.ok(size >= 40, `squares of ${size} pixels`);
    const [e2, e4] = [await pointOf(phone.page, 0, 2, 'e2'), await pointOf(phone.page, 0, 2, 'e4')];
    const session = await phone.page.context().newCDPSession(phone.page);
    const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    await touch('touchStart', [e2]);
    await touch('touchMove', [[e2[0], e2[1] - 30]]);
    await touch('touchMove', [e4]);
    await touch('touchEnd', []);
    assert.deepEqual(await phone.page.evaluate(() => worldlines.board.game.movesMade()), ['(0T1)e2e4']);
    // The button is where the thumb is, and panels fold.
    const { y, height } = await phone.page.locator('#submit').boundingBox();
    assert.ok(y > 600 && height >= 44, `${y} ${height}`);
    assert.ok(await phone.page.locator('#panel-play').isHidden());
    await phone.page.click('#tab-play');
    assert.ok(await phone.page.locator('#panel-play').isVisible());
    await phone.page.click('#tab-play');
    assert.ok(await phone.page.locator('#panel-play').isHidden());
  } finally {
    await phone.close();
  }
});

test('boards and pieces move, and not for those who do not like that', async () => {
  const painted = () =>
    page.evaluate(
      () =>
        new Promise((settle) => {
          let frames = 0;
          const start = performance.now();
          const { view } = worldlines.board;
          view.addEventListener('painted', () => settle({ frames, time: performance.now() - start }), { once: true });
          const count = () => {
            frames += 1;
            requestAnimationFrame(count);
          };
          requestAnimationFrame(count);
          worldlines.board.play(worldlines.board.game.toMove === 'white' ? 'a4' : 'a5');
        }),
    );
  await page.waitForTimeout(400);
  const moved = await painted();
  assert.ok(moved.time > 150 && moved.time < 400 && moved.frames > 3, JSON.stringify(moved));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await until(() => !worldlines.board.view.moving);
  const still = await painted();
  assert.ok(still.time < 120, JSON.stringify(still));
  await page.emulateMedia({ reducedMotion: null });
});

test('what is left to be played is said and shown', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. Nf3>>(0T2)f5 / (1T2)e6 4. (1T3)a3 / (1T3)a6');
  await until(() => worldlines.board.view.scene.tiles.filter(({ duty }) => duty === 'must').length === 1);
  await page.evaluate(async () => {
    const { Game } = worldlines.library;
    const row = (timeline) => `[k*7/8/8/8/8/8/P*7/K*7:${timeline}:1:w]`;
    worldlines.board.take(Game.parse(`[Board "custom"]\n[Size "8x8"]\n${[-1, 0, 1].map(row).join('\n')}`));
  });
  assert.equal(await text(page, 'left'), '3 boards to play: (-1T1), (0T1), (1T1)');
  assert.ok(await page.locator('#submit').isDisabled());
  for (const label of ['(-1T1w)', '(0T1w)']) {
    await click(page, label, 'a2');
    await click(page, label, 'a3');
  }
  assert.equal(await text(page, 'left'), '1 board to play: (1T1)');
  await page.click('#board');
  await page.keyboard.press('s');
  assert.match(await text(page, 'said'), /Not yet: 1 board to play: \(1T1\)/);
  // The words lead to the board.
  await page.evaluate(() => worldlines.board.view.zoom(6, 0, 0));
  await page.click('#left');
  await page.waitForTimeout(300);
  const [x, y] = await page.evaluate(() => worldlines.board.view.pointOf({ timeline: 1, halfTurn: 2, square: [3, 3] }));
  const box = await page.locator('#board').boundingBox();
  assert.ok(x > 0 && y > 0 && x < box.width && y < box.height, `${x} ${y}`);
  await page.click('#focus');
  await click(page, '(1T1w)', 'a2');
  await click(page, '(1T1w)', 'a3');
  assert.ok(await page.locator('#left').isHidden());
  await page.click('#submit');
  assert.equal((await actions()).length, 1);
});

test('a king that is left in check keeps its arrow, and the bar names what takes it', async () => {
  await take(page, '1. f3 / e5 2. h3 / Qh4');
  const type = async (move) => {
    await page.fill('#typed-move', move);
    await page.press('#typed-move', 'Enter');
  };
  await type('a3');
  assert.equal(await text(page, 'why-not'), 'The king on (0T3b) e1 could be taken by the queen on h4.');
  assert.deepEqual(await page.evaluate(() => worldlines.board.view.marks.shapes.map(({ color, from, to }) => [color, from.halfTurn, from.square, to.square])), [['red', 7, [7, 3], [4, 0]]]);
  await page.click('#board');
  await page.keyboard.press('s');
  assert.match(await text(page, 'said'), /^Not yet: The king on/);
  // Nothing of it is kept as a drawing, and a move that helps ends it.
  await page.click('#undo');
  await type('g3');
  assert.deepEqual(await page.evaluate(() => worldlines.board.view.marks.shapes), []);
  // Between two boards, without a timeline in the middle.
  await take(page, '[Board "Standard - Two Timelines"]\n1. (-0T1)f3 (+0T1)f3 / (-0T1)e5 (+0T1)e5 2. (-0T2)h3 (+0T2)h3 / (-0T2)Qh4 (+0T2)Qh4');
  for (const move of ['(-0T3)a3', '(+0T3)a3']) await type(move);
  assert.deepEqual(await page.evaluate(() => worldlines.board.view.marks.shapes.map(({ from }) => [from.timeline, from.halfTurn])), [[-1, 7], [0, 7]]);
  // In check the threat is the check.
  await take(page, '1. f3 / e5 2. h3 / Qh4');
  await page.click('#tab-analyse');
  await page.click('#threat');
  await until(() => document.getElementById('analysed').textContent === 'White is in check: the threat is to take the king.');
  await until(() => /queen/.test(document.getElementById('found').textContent));
  assert.ok(await page.evaluate(() => worldlines.board.view.scene.arrows.some(({ kind }) => kind === 'check')));
});

test('the history is gone through by keys, wherever the focus is', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  await page.focus('#new');
  const count = async (key) => {
    await page.keyboard.press(key);
    return (await actions()).length;
  };
  assert.deepEqual([await count('ArrowLeft'), await count('ArrowLeft'), await count('ArrowRight'), await count('Home'), await count('End')], [3, 2, 3, 0, 4]);
  await page.focus('#board');
  assert.equal(await count('ArrowLeft'), 3);
  // A variation: down and up go from one to the other.
  await page.evaluate(() => worldlines.board.play('Nf6'));
  assert.equal((await actions()).at(-1), '(0T2)Ng8f6');
  await page.keyboard.press('ArrowUp');
  assert.equal((await actions()).at(-1), '(0T2)Nb8c6');
  await page.keyboard.press('ArrowDown');
  await page.click('#note-open');
  await page.click('#promote');
  assert.deepEqual(await page.evaluate(() => worldlines.board.line.map((id) => worldlines.board.document.tree.nodes[id].action).at(-1)), '(0T2)Ng8f6');
  await page.fill('#comment', 'The Petrov');
  await page.click('#glyphs [data-glyph="5"]');
  assert.match(await text(page, 'history'), /Nf6!\?[^]*The Petrov/);
  // Arrows in a text field are the field's.
  await page.focus('#comment');
  assert.equal(await count('ArrowLeft'), 4);
  await page.click('#delete');
  assert.equal((await actions()).length, 3);
  await page.click('#toast-act');
  assert.equal((await actions()).at(-1), '(0T2)Ng8f6');
  assert.match(await text(page, 'history'), /The Petrov/);
});

test('one timeline is listed short, in two columns', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. Nf3>>(0T2)f5');
  assert.deepEqual(await page.locator('#history .number').allInnerTexts(), ['1', '2', '3']);
  assert.deepEqual(await page.locator('#history button').allInnerTexts(), ['e4', 'e5', 'Nf3', 'Nc6', '(0T3)Nf3>>(0T2)f5']);
});

test('moves are typed, squares are gone over by keys, and both are said', async () => {
  await page.keyboard.press('m');
  await page.keyboard.type('Nf3');
  await page.keyboard.press('Enter');
  assert.deepEqual(await made(), ['(0T1)Ng1f3']);
  assert.match(await text(page, 'said'), /can be submitted/);
  await page.focus('#board');
  await page.keyboard.press('s');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'board');
  assert.match(await text(page, 'said'), /\(0T1\)Ng1f3\. Black to move/);
  await page.keyboard.press('n');
  assert.match(await text(page, 'said'), /^\w\d black \w+ on \(0T1b\)/);
  await page.keyboard.press('Enter');
  assert.match(await text(page, 'said'), /black \w+ on \w\d: \d+ moves: /);
  await page.keyboard.press('n');
  assert.match(await text(page, 'said'), /can be reached/);
  await page.keyboard.press('Enter');
  assert.equal((await made()).length, 1);
  await page.keyboard.press('r');
  assert.match(await text(page, 'said'), /^\(0T1b\): white rook a1/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  assert.ok(await page.locator('#help').isVisible());
  await page.keyboard.press('Escape');
  // A typed move that is none is said, and nothing happens.
  await page.fill('#typed-move', 'Ke9');
  await page.keyboard.press('Enter');
  assert.ok((await text(page, 'typed-said')).length > 10);
});

test('typed moves are made, of one board or of several, and Enter on the empty field submits them', async () => {
  const boards = [-1, 0, 1].map((timeline) => `[k*7/p*7/8/8/8/8/P*7/K*7:${timeline}:1:w]`);
  await take(page, `[Board "custom"]\n[Size "8x8"]\n${boards.join('\n')}`);
  const enter = async (typed) => {
    await page.fill('#typed-move', typed);
    await page.press('#typed-move', 'Enter');
  };
  const action = ['(-1T1)a2a3', '(0T1)a2a3', '(1T1)a2a3'];
  // Two boards of three, and then the last one.
  await enter('(-1T1)a3 (0T1)a3');
  assert.deepEqual(await made(), action.slice(0, 2));
  assert.equal(await page.getAttribute('#typed-move', 'placeholder'), 'Move: Nf3');
  await enter('(1T1)a9 (0T1)a3');
  assert.deepEqual(await made(), action.slice(0, 2));
  await enter('a3');
  assert.deepEqual(await made(), action);
  assert.equal(await page.getAttribute('#typed-move', 'placeholder'), 'Enter: submit');
  // A whole action takes the place of what was made, and waits too.
  await enter('(-1T1)Kb1 (0T1)Kb1 (1T1)Kb1');
  assert.deepEqual(await made(), action.map((move) => move.replace('a2a3', 'Ka1b1')));
  assert.match(await text(page, 'said'), /^made \(-1T1\)Ka1b1 \(0T1\)Ka1b1 \(1T1\)Ka1b1; can be submitted/);
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 0);
  await page.keyboard.press('Enter');
  assert.deepEqual(await page.evaluate(() => worldlines.board.actions), [action.map((move) => move.replace('a2a3', 'Ka1b1')).join(' ')]);
});

test('boards after a pass are shown when they are asked for', async () => {
  await take(page, '1. e4 / e5 2. Qh5 / Nc6 3. Bc4 / a6');
  const count = () => page.evaluate(() => worldlines.board.view.marks.ghosts.length);
  assert.equal(await count(), 0);
  await page.keyboard.press('p');
  assert.equal(await count(), 1);
  await page.click('#tab-analyse');
  assert.equal(await page.getAttribute('#passes', 'aria-pressed'), 'true');
  await page.keyboard.press('p');
  assert.equal(await count(), 0);
  await page.focus('#board');
  await page.keyboard.press('ArrowLeft');
  await page.click('#threat');
  await until(() => /After a pass White plays .*Qh5.*f7.* mates in 1/.test(document.getElementById('analysed').textContent));
  assert.equal(await page.evaluate(() => worldlines.board.planned), '');
  // What is threatened is drawn on the boards after the pass, and goes with its answer.
  await until(() => worldlines.board.view.marks.threats.length === 1);
  await page.click('#why');
  assert.equal(await page.evaluate(() => worldlines.board.view.marks.threats.length), 0);
});

/** A game in which the engine soon suspects a mate for White, and, if White passes, finds a better action late in a look. */
const TANGLED =
  '1. (0T1)e2e4 / (0T1)e7e5 2. (0T2)Ng1f3 / (0T2)Nb8c6 3. (0T3)Bf1c4 / (0T3)Ng8f6 4. (0T4)Nf3>>(0T3)f5 / (1T3)Nc6>>x(0T3)c4 5. (-1T4)d2d3 (1T4)Nf5xg7 / (-1T4)Nc6>x(0T4)c4 (1T4)Bf8xg7 6. (-1T5)d3xc4 (0T5)d2d3 (1T5)d2d3 / (0T5)Nc6>>x(0T4)c4 7. (-2T5)a2a3 / (-2T5)Nf6xe4 (-1T5)d7d6 (1T5)Ke8>>(0T5)e7';

test('a threat is the same action in the sentence, on the board and in the list', async () => {
  // The steps of the engine end within a look that has just found a better action than the look before.
  await take(page, TANGLED);
  await page.click('#tab-analyse');
  await page.click('#threat');
  await until(() => /^After a pass Black plays/.test(document.getElementById('analysed').textContent));
  const [, said] = /plays (.*)\.$/.exec(await text(page, 'analysed'));
  const [first] = await page.locator('#found button').allInnerTexts();
  assert.equal(first, `${said}\nthe threat`);
  // A quiet move at the start is none.
  await take(page, '1. Nf3 / Nf6');
  await page.click('#threat');
  await until(() => /^After a pass Black plays/.test(document.getElementById('analysed').textContent));
  const [quiet] = await page.locator('#found button').allInnerTexts();
  assert.match(quiet, /^[^x]*\nif you passed$/);
});

test('the end tells who has won and how, and goes to the boards', async () => {
  await page.evaluate(() => ['e3', 'f6', 'Qe2', 'Nc6', 'Qh5'].forEach((action) => worldlines.board.play(action)));
  assert.match(await text(page, 'result'), /White has won/);
  await until(() => /white queen \(0T3b\)h5 attacks black king/.test(document.getElementById('result').textContent));
  assert.ok(await page.evaluate(() => worldlines.board.view.marks.mated && worldlines.board.view.scene.tiles.filter(({ threatened }) => threatened.length > 0).length === 2));
  await page.click('#result-show');
  await page.waitForTimeout(300);
  for (const [halfTurn, square] of [[3, [4, 7]], [7, [4, 7]]]) {
    const [x, y] = await page.evaluate((place) => worldlines.board.view.pointOf(place), { timeline: 0, halfTurn, square });
    const box = await page.locator('#board').boundingBox();
    assert.ok(x > 0 && y > 0 && x < box.width && y < box.height, `${halfTurn}: ${x} ${y}`);
  }
  await page.click('#result [aria-label=Close]');
  assert.ok(await page.locator('#result').isHidden());
});

test('a game is reviewed: a graph, and glyphs for what was lost', async () => {
  await take(page, '1. e4 / e5 2. Qh5 / Nc6 3. Bc4 / Nf6 4. a3 / d5');
  await page.click('#tab-analyse');
  await page.click('#review');
  await until(() => / in the list\.$/.test(document.getElementById('analysed').textContent));
  assert.match(await text(page, 'faults'), /4\. a3[^]*missed a mate in 1/);
  // The chance to win is judged, and how deep the judgement goes is said.
  assert.match(await text(page, 'faults'), /Blunder: White's chance to win fell from 100\u00a0% to \d+\u00a0% \(#1 → [+−][\d.]+, depth \d+\)/);
  assert.match(await text(page, 'rests-on'), /depths? \d+( to \d+)?, with 60,000 search steps/);
  assert.match(await text(page, 'graph'), /White's chance to win here: \d+\u00a0%/);
  assert.match(await text(page, 'history'), /a3\?\?/);
  assert.ok(await page.locator('#graph svg polygon').isVisible());
  // The position before the fault, with the better action drawn.
  await page.locator('#faults button', { hasText: '4. a3' }).click();
  assert.equal((await actions()).length, 6);
  assert.match(await page.evaluate(() => worldlines.board.planned), /Qh5.*f7/);
  // Each verdict has the line that would have been better, which goes into the list, and the answer to what was played.
  assert.match(await text(page, 'faults'), /Better line: Qxf7#[^]*After 4\. a3: \S+ \/ \S+/);
  await page.locator('#faults button', { hasText: 'Better line: Qxf7#' }).click();
  assert.match((await actions()).at(-1), /Qh5xf7/);
  assert.match(await text(page, 'history'), /4\. Qxf7#/);
  assert.equal(await text(page, 'review-of'), 'Review of the main line');
  await page.locator('#faults button', { hasText: '4. a3' }).click();
  // The review stays with its game, open or folded as it was left, and the answer to another question is above it.
  const isOpen = () => page.locator('#graph svg polygon').isVisible();
  await page.click('#count');
  await until(() => /legal actions/.test(document.getElementById('analysed').textContent));
  assert.ok(await isOpen());
  assert.ok((await page.locator('#found li').last().boundingBox()).y < (await page.locator('#review-kept').boundingBox()).y);
  // The list of moves gives way to it.
  assert.ok((await page.locator('#history').boundingBox()).height < 100);
  await page.click('#review-kept > summary');
  await page.click('#why');
  await until(() => /check/i.test(document.getElementById('analysed').textContent));
  assert.ok(!(await isOpen()));
  await page.click('#review-kept > summary');
  assert.ok(await isOpen());
  assert.match(await text(page, 'faults'), /4\. a3[^]*missed a mate in 1/);
  await take(page, '1. e4 / e5');
  assert.ok(await page.locator('#review-kept').isHidden());
});

test('the review of a variation says that it is one', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  await page.click('#tab-analyse');
  assert.equal(await text(page, 'review'), 'Review the game');
  await page.click('#back');
  await page.evaluate(() => worldlines.board.play('d6'));
  assert.equal(await text(page, 'review'), 'Review variation');
  await page.click('#review');
  await until(() => /in the list\.$|^No mistake/.test(document.getElementById('analysed').textContent));
  assert.equal(await text(page, 'review-of'), 'Review of the variation with 2… d6');
});

test('the engine says that a game is over, and how, and that a mate is proved', async () => {
  await take(page, '1. e3 / f6 2. Qe2 / Nc6 3. Qh5');
  await page.evaluate(() => worldlines.board.openTab('analyse'));
  await page.click('#engine');
  assert.equal(await text(page, 'engine-said'), 'The game is over. Checkmate: White has won.');
  assert.match(await text(page, 'of-what'), /^Your game: Checkmate/);
  await page.click('#back');
  await until(() => /^White mates in 1, proved/.test(document.getElementById('engine-said').textContent));
});

test('a review is made deeper, and takes over what the engine has found', async () => {
  await take(page, '1. e4 / e5');
  await page.click('#tab-analyse');
  await page.click('#review');
  const done = () => until(() => /in the list\.$|^No mistake/.test(document.getElementById('analysed').textContent));
  await done();
  const depthOf = async (name) => Number(/depth (\d+)/i.exec(await text(page, name))[1]);
  const before = await depthOf('graph');
  await page.click('#engine');
  await until((least) => Number(/Depth (\d+)/.exec(document.getElementById('engine-said').textContent)?.[1]) > least, before);
  const [live, score] = [await depthOf('engine-said'), await page.locator('#engine-lines strong').first().innerText()];
  await page.click('#engine');
  // The report says what the engine said, of the same depth.
  const [told, said] = [await depthOf('graph'), await text(page, 'graph')];
  assert.ok(told >= live, `${told} of ${live}`);
  if (told === live) assert.ok(said.includes(score), `${said}: ${score}`);
  await page.click('#deeper');
  await page.waitForFunction(() => /300,000 search steps/.test(document.getElementById('rests-on').textContent), undefined, { timeout: 60_000 });
});

test('a review compares looks that went as deep, by the chance to win', async () => {
  const grades = await page.evaluate(async () => {
    const { Review } = await import('./source/js/review.js');
    const look = (pawns, depth, toMove) => ({ score: { pawns }, action: 'better', ending: null, depth, toMove });
    const review = new Review(['played']);
    const found = [];
    const judge = () => found.push(review.faultOf(0) ? [review.faultOf(0).grade, review.faultOf(0).depth] : undefined);
    review.take(0, look(3.21, 4, 'white'));
    review.take(1, look(-3.1, 3, 'black'));
    judge();
    // The live engine thinks more of the position, and nobody knows yet what it thinks of the next one.
    review.learn(0, look(10.66, 8, 'white'));
    judge();
    review.learn(1, look(1, 7, 'black'));
    judge();
    review.takeInstead(0, 'better');
    judge();
    const winning = new Review(['played']);
    winning.take(0, look(14, 4, 'white'));
    winning.take(1, look(-11, 3, 'black'));
    return [...found, winning.faultOf(0)?.grade];
  });
  assert.deepEqual(grades, [undefined, undefined, ['blunder', 8], undefined, undefined]);
});

test('a review blames nobody for what an earlier look missed', async () => {
  const said = await page.evaluate(async () => {
    const { Review } = await import('./source/js/review.js');
    const look = (pawns, toMove, action) => ({ score: { pawns }, action, ending: null, depth: 3, toMove });
    const review = new Review(['strong', 'weak', 'plain', 'bad']);
    // The first look saw less than White had, and so seemed the second one; Black could not help it.
    review.take(0, look(3, 'white', 'other'));
    review.take(1, look(0, 'black', 'weak'));
    review.take(2, look(3, 'white', 'plain'));
    review.take(3, look(-3, 'black', 'better'));
    review.take(4, look(9, 'white', 'plain'));
    return { faults: [0, 1, 2, 3].map((at) => review.faultOf(at)?.player), scores: review.shown.map(({ score }) => score.pawns) };
  });
  assert.deepEqual(said, { faults: [undefined, undefined, undefined, 'black'], scores: [3, -3, 3, -3, 9] });
});

test('actions have marks of check and mate, what signs mean is said, and what is taken back looks so', async () => {
  await take(page, '1. e3 / f6 2. Qh5 / g6 3. Qxg6');
  assert.deepEqual(await page.locator('#history button').allInnerTexts(), ['e3', 'f6', 'Qh5+', 'g6', 'Qxg6+']);
  // The list has the room until somebody asks.
  assert.ok(await page.isHidden('#signs'));
  await page.click('#signs-open');
  assert.match(await text(page, 'signs'), /\+ check/);
  await take(page, '1. Nf3 / Nf6 2. Ng5 / Ng4 3. (0T3)Ng5>>(0T2)g3');
  assert.equal(await text(page, 'signs'), '>> into the past, where a new timeline begins');
  assert.equal(await page.locator('#history .ahead').count(), 0);
  await page.click('#undo');
  await page.click('#undo');
  assert.equal(await page.locator('#history .ahead').count(), 2);
});

/** Asks for a mate at the end of a game. */
async function askForMate(game, mateIn) {
  await take(page, game);
  await page.click('#tab-analyse');
  await page.fill('#mate-in', String(mateIn));
  await page.click('#mate');
}

test('files and ranks of Setup are those of the boards', async () => {
  await take(page, '1. e4 / e5');
  await page.click('#tab-setup');
  await page.click('#from-game');
  for (const id of ['files', 'ranks']) {
    await page.fill(`#${id}`, '4');
    await page.press(`#${id}`, 'Enter');
  }
  await page.click('#from-game');
  assert.deepEqual([await page.inputValue('#files'), await page.inputValue('#ranks')], ['8', '8']);
});

test('a proof says what it looks for and for how long, and can be stopped in sight', async () => {
  await page.evaluate(() => {
    globalThis.said = [];
    new MutationObserver(() => globalThis.said.push(document.getElementById('analysed').textContent)).observe(document.getElementById('analysed'), { childList: true });
  });
  await askForMate('1. e4 / e5', 6);
  await until(() => /^Looking for mate in \d … [1-9]\d* seconds?/.test(document.getElementById('analysed').textContent));
  const [stop, panel] = [await page.locator('#stop').boundingBox(), await page.locator('#panel-analyse').boundingBox()];
  assert.ok(stop.y + stop.height <= panel.y + panel.height, JSON.stringify([stop, panel]));
  // What was found before stays said.
  await until(() => globalThis.said.some((text) => /there is none in [12]\.$/.test(text)));
  await page.click('#stop');
  await until(() => /^Stopped\. There is no mate in [1-5]\.$/.test(document.getElementById('analysed').textContent));
});

/** A game in which the engine, stopped early, took the first action that loses for all of them. */
const HASTY = `1. e4 / e5 2. Bc4 / Qg5 3. (0T3)Ng1>>(0T2)g3 / (0T3)Qg5xg2 (1T2)Qd8f6 4. (1T3)Pg2>x(0T4)g2 / (1T3)Bf8b4 (0T4)Nb8>>(0T3)b6
5. (1T4)Nb1>>(1T3)b3 / (2T3)Bf8b4 (1T4)Ke8>>(0T3)d8 6. (-2T4)Ke1f1 (-1T4)Ke1f1 (2T4)Ke1e2 / (-2T4)Bf8c5 (-1T4)Nb6xc4 (2T4)Ke8>>(1T4)f8
7. (-3T5)Ng3>x(-2T5)g5 (-1T5)Qd1f3 (0T5)Qd1g4 (1T5)Ng1f3 (2T5)Ng3f5`;
/** A game in which Black is mated, whatever Black plays. */
const MATED = '[Promotions "Q"]\n[Board "custom"]\n[Mode "5D"]\n[Size "3x4"]\n[Rbu/1R1/3/K1k:0:1:b]\n1b. Kc2 2. Ra2 / Kxb3 3. Rb2';

test('a mate is told only where it is proved', async () => {
  const [hasty, mated, mating] = await page.evaluate(async (games) => {
    const { Game } = worldlines.library;
    const { Asker } = await import('./source/js/ask.js');
    const asker = new Asker();
    const scores = [];
    for (const game of games) {
      const { lines } = await asker.ask('deepen', { saved: Game.parse(game).save(), lines: 1, most: 1 });
      scores.push(lines[0].score);
    }
    return scores;
  }, [HASTY, MATED, '1. e3 / f6 2. Qe2 / g5']);
  // Black is not mated: more than one action helps.
  assert.ok(hasty === null || !('mate' in hasty), JSON.stringify(hasty));
  assert.deepEqual([mated, mating], [{ mate: -1 }, { mate: 1 }]);
});

test('a mate that is only likely outvotes no look that went as deep, and a grade that rests on it says so', async () => {
  const found = await page.evaluate(async () => {
    const { Review } = await import('./source/js/review.js');
    const look = (pawns, depth, toMove, action = 'better') => ({ score: { pawns }, action, ending: null, depth, toMove });
    const of = (depth) => {
      const review = new Review(['played', 'answer']);
      review.take(0, look(0, depth, 'white'));
      review.take(1, look(1.29, depth, 'black'));
      // After the answer the engine thinks that White mates.
      review.take(2, look(200, 3, 'white'));
      return [review.shown[1].score.pawns, review.shown[1].depth];
    };
    return [of(4), of(3), of(2)];
  });
  // Black need not have given the mate, and so the scores of Black stay.
  assert.deepEqual(found, [[1.29, 4], [1.29, 3], [1.29, 2]]);
  const doubtful = await page.evaluate(async () => {
    const { Review } = await import('./source/js/review.js');
    const look = (pawns, depth, toMove, action) => ({ score: { pawns }, action, ending: null, depth, toMove });
    const of = (own, next) => {
      const review = new Review(['played']);
      review.take(0, look(1.29, own, 'white', 'played'));
      review.take(1, look(-200, next, 'black', 'other'));
      return [review.shown[0].score.pawns, review.shown[0].depth];
    };
    return [of(4, 3), of(4, 5)];
  });
  assert.deepEqual(doubtful, [[1.29, 4], [200, 5]]);
});

test('a mate that is not proved is no certainty and makes no blunder alone, and is explained where it stands', async () => {
  const [grades, percents] = await page.evaluate(async () => {
    const { Review, percentOf } = await import('./source/js/review.js');
    const look = (score, depth, toMove, action = 'better') => ({ score, action, ending: null, depth, toMove });
    const gradeOf = (before, after) => {
      const review = new Review(['played']);
      review.take(0, look(before, 4, 'white'));
      review.take(1, look(after, 3, 'black'));
      return review.faultOf(0)?.grade;
    };
    const [likely, three] = [{ pawns: 200 }, { pawns: 3 }];
    return [
      // A likely mate is missed, or allowed; then White loses besides, or has missed a proved one.
      [gradeOf(likely, { pawns: -1 }), gradeOf({ pawns: 0 }, likely), gradeOf(likely, three), gradeOf({ mate: 3 }, likely)],
      [percentOf(look(likely, 3, 'white'), 'white'), percentOf(look(likely, 3, 'white'), 'black'), percentOf(look({ pawns: 40 }, 3, 'white'), 'white'), percentOf(look({ mate: 2 }, 3, 'white'), 'white'), percentOf({ ...look(null, 0, 'black'), ending: 'checkmate' }, 'white')],
    ];
  });
  assert.deepEqual(grades, ['mistake', 'mistake', 'blunder', 'blunder']);
  assert.deepEqual(percents, [99, 1, 99, 100, 100]);
  await take(page, TANGLED);
  await page.click('#tab-analyse');
  await page.selectOption('#lines', '1');
  await page.click('#engine');
  await until(() => /M\?$/.test(document.querySelector('#engine-lines strong')?.textContent ?? ''));
  assert.match(await text(page, 'likely'), /^M\? is a mate that is likely and not proved/);
  assert.match(await page.getAttribute('#evaluation', 'title'), /^White.s chance to win: 99\s%\. M\?/);
  await page.click('#engine');
  assert.ok(await page.isHidden('#likely'));
});

test('a piece that is pressed says what it is', async () => {
  await page.selectOption('#variant', 'Standard');
  await click(page, '(0T1w)', 'g1');
  assert.match(await text(page, 'piece-is'), /^Knight: Leaps two/);
  // It does not matter whose it is, and nothing is said of an empty square.
  await click(page, '(0T1w)', 'd8');
  assert.match(await text(page, 'piece-is'), /^Queen: /);
  await click(page, '(0T1w)', 'e5');
  assert.equal(await text(page, 'piece-is'), '');
});

test('the engine goes on while it is watched, and ends when nobody looks', async () => {
  await page.click('#tab-analyse');
  await page.selectOption('#lines', '2');
  await page.click('#engine');
  await until(() => document.querySelectorAll('#engine-lines li').length === 2);
  // A line is cut until somebody wants to read it.
  await page.locator('#engine-lines [data-fold]').first().dispatchEvent('click');
  assert.equal(await page.locator('#engine-lines .whole [aria-expanded=true]').count(), 1);
  const first = await text(page, 'engine-said');
  await until((before) => document.getElementById('engine-said').textContent !== before, first);
  await until(() => worldlines.board.view.marks.hints.length >= 2);
  await page.evaluate(() => worldlines.board.play('e4'));
  await until(() => /^[−+]/.test(document.querySelector('#engine-lines strong')?.textContent ?? ''));
  await page.click('#tab-play');
  assert.ok(await page.locator('#evaluation').isHidden());
  assert.equal(await page.evaluate(() => worldlines.board.view.marks.hints.length), 0);
});

test('the engine looks at positions with more actions than can be listed', async () => {
  await take(page, readFileSync(new URL('../../../corpus/games/standard-1.5dpgn', import.meta.url), 'utf8'));
  await page.click('#tab-analyse');
  await page.click('#engine');
  await until(() => document.querySelectorAll('#engine-lines li').length === 3);
  assert.match(await text(page, 'engine-lines'), /^[+−#]/);
  await page.click('#engine');
  await page.focus('#board');
  await page.keyboard.press('c');
  await until(() => /No check|attacks/.test(document.getElementById('said').textContent));
  await page.keyboard.press('l');
  assert.match(await text(page, 'said'), /^last: \(0T8\)/);
});

test('puzzles follow each other, and are ordered by how hard they are', async () => {
  await page.click('#tab-puzzles');
  await page.waitForSelector('#puzzles li');
  const first = async () => page.locator('#puzzles li button').first().innerText();
  const easy = await first();
  await page.selectOption('#order', 'hard');
  const hard = await first();
  assert.ok(/mates in 1 .* ●$/.test(easy) && /●{5}$/.test(hard), `${easy} | ${hard}`);
  await page.selectOption('#order', 'easy');
  await page.fill('#search', 'first-steps');
  await page.click('#puzzles li button');
  await page.waitForSelector('#puzzle:not([hidden])');
  const title = await text(page, 'puzzle-title');
  await page.click('#solution');
  assert.match(await text(page, 'puzzle-said'), /The solution/);
  await page.click('#puzzle-next');
  await until((before) => document.getElementById('puzzle-title').textContent !== before, title);
  // A question about the standing is answered by a choice.
  await page.click('#all-puzzles > summary');
  await page.fill('#search', 'fools-mate-is-none');
  await page.click('#puzzles li button');
  await page.click('#answers button:text-is("checkmate")');
  assert.match(await text(page, 'puzzle-said'), /^Not checkmate/);
  await page.click('#answers button:text-is("softmate")');
  assert.match(await text(page, 'puzzle-said'), /Solved/);
});

test('the question mark opens the help during the tour too, which ends', async () => {
  await page.evaluate(() => localStorage.clear());
  await board.go();
  assert.ok(await page.locator('#tour').isVisible());
  await page.keyboard.press('?');
  assert.ok(await page.locator('#help').evaluate((one) => one.open));
  assert.ok(await page.locator('#tour').isHidden());
  const help = await text(page, 'help');
  for (const sign of ['+1.3', '#3', '+M?', 'Depth 5', 'A study is made under Analyse']) assert.ok(help.includes(sign), sign);
  await page.keyboard.press('Escape');
  await page.reload();
  await page.waitForSelector('html[data-ready=yes]');
  assert.ok(await page.locator('#tour').isHidden());
});

test('the tour is shown at the first visit only, and says what the page can do', async () => {
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${board.start}board.css`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await board.go();
  assert.ok(await page.locator('#tour').isVisible());
  let steps = 1;
  while ((await text(page, 'tour-next')) !== 'Begin') {
    await page.click('#tour-next');
    steps += 1;
    const box = await page.locator('#tour').boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 820, JSON.stringify(box));
  }
  assert.equal(steps, 5);
  await page.click('#tour-next');
  await board.go();
  assert.ok(await page.locator('#tour').isHidden());
});

test('pictures are saved, and colours that are forced are used', async () => {
  await page.click('#tab-text');
  for (const [id, name] of [['svg', 'multiverse.svg'], ['png', 'multiverse.png']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#${id}`)]);
    assert.equal(download.suggestedFilename(), name);
  }
  await page.selectOption('#format', 'letters');
  assert.match(await page.inputValue('#text'), /\(0T1w\)[^]*R N B Q K B N R/);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.waitForTimeout(100);
  const ground = await page.evaluate(() => worldlines.board.view.colors.ground);
  const canvas = await page.evaluate(() => {
    const probe = document.createElement('span');
    probe.style.color = 'Canvas';
    document.body.append(probe);
    return getComputedStyle(probe).color;
  });
  assert.equal(ground, canvas);
  await page.emulateMedia({ forcedColors: 'none' });
});

test('a game is shown in a frame of another page', async () => {
  await take(page, '1. e4 / e5 2. Nf3');
  const link = await page.evaluate(async () => (await import('./source/js/link.js')).toLink(worldlines.board.game.record()));
  await page.goto(`${board.start}embed.html${link}`);
  await page.waitForSelector('html[data-ready=yes]');
  assert.match(await text(page, 'standing'), /Ng1f3 · Black to move/);
  await page.click('#back');
  assert.match(await text(page, 'standing'), /e7e5 · White to move/);
  await page.keyboard.press('Home');
  assert.equal(await text(page, 'standing'), 'White to move');
  assert.equal(new URL(await page.locator('#whole').evaluate((a) => a.href)).hash, link);
  for (const hash of ['', '#game=%%%']) {
    await page.goto('about:blank');
    await page.goto(`${board.start}embed.html${hash}`);
    await page.waitForSelector('html[data-ready=failed]');
    assert.match(await text(page, 'standing'), /cannot be shown/);
  }
  assert.deepEqual(board.errors, []);
});

test('the page works without a network once it was there', async () => {
  const visitor = await open({ serviceWorkers: 'allow' });
  try {
    // A program of an earlier version is forgotten once the new ones are there.
    await visitor.page.goto(`${visitor.start}board.css`);
    await visitor.page.evaluate(async () => (await caches.open('worldlines')).put('js/earlier.js', new Response('')));
    await visitor.fresh();
    await visitor.page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active.state !== 'activated') await new Promise((settle) => active.addEventListener('statechange', () => active.state === 'activated' && settle()));
    });
    const programs = await visitor.page.evaluate(async () => (await (await caches.open('worldlines')).keys()).map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/js/')));
    assert.ok(programs.includes('/js/boot.js') && !programs.includes('/js/earlier.js'), programs.join(' '));
    await visitor.page.context().setOffline(true);
    await visitor.page.reload();
    await visitor.page.waitForSelector('html[data-ready=yes]');
    await visitor.page.selectOption('#black', 'engine 5000');
    await visitor.page.evaluate(() => worldlines.board.play('e4'));
    await visitor.page.waitForFunction(() => worldlines.board.actions.length === 2);
    await visitor.page.click('#tab-puzzles');
    await visitor.page.waitForSelector('#puzzles li');
  } finally {
    await visitor.close();
  }
});

test('the keys of the shortest mate are listed, whatever length was asked for', async () => {
  await askForMate('1. e4 / e5 2. Bc4 / Nc6 3. Qh5 / Nf6', 2);
  await until(() => document.getElementById('analysed').textContent.startsWith('Mate in 1: 1 key'));
  const rows = await page.locator('#found li').allTextContents();
  assert.ok(rows[0].includes('Qh5xf7') && !rows.some((row) => row.includes('Bc4xf7')), rows.join('\n'));
});

test('the certificate of a mate is a file that the second checker accepts', async () => {
  await askForMate('1. e3 / f6 2. Qe2 / Nc6', 1);
  await until(() => document.getElementById('analysed').textContent.startsWith('Mate in 1'));
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('#certificate')]);
  assert.equal(file.suggestedFilename(), 'mate-in-1.yaml');
  assert.match(await text(page, 'certified'), /A file that proves the mate/);
  await until(() => /^mate-in-1\.yaml is saved/.test(document.getElementById('toast').textContent));
  const path = await file.path();
  const checker = fileURLToPath(new URL('../../../spec/checker/check.py', import.meta.url));
  const python = spawnSync('python3', ['-c', 'import yaml']);
  if (python.status === 0) {
    const checked = spawnSync('python3', [checker, path], { encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stdout + checked.stderr);
    writeFileSync(`${path}.spoilt`, readFileSync(path, 'utf8').replace('mate-in: 1', 'mate-in: 2'));
    assert.notEqual(spawnSync('python3', [checker, `${path}.spoilt`]).status, 0);
  }
  // Another question hides what belongs to the last answer.
  await page.click('#why');
  assert.equal(await page.locator('#certified').isHidden(), true);
});

test('what is drawn, said and varied goes through a text and comes back', async () => {
  await take(page, '1. e4 / e5');
  const line = '[Board "Standard"]\n{first} 1. e4! {look [%csl R(0T1b)e5] [%cal G(0T1b)e7(0T1w)e5]} (1. d4 {other} / d5 (1b. Nf6)) / e5 {[%clk 1:00]}';
  const shown = () => page.evaluate(() => Object.values(worldlines.board.document.tree.nodes).map(({ action, comment, glyphs, shapes }) => ({ action, comment, glyphs, shapes: shapes.length })));
  await page.click('#tab-text');
  await page.fill('#text', line);
  await page.click('#import');
  const read = await shown();
  const of = (action) => read.find((one) => one.action.endsWith(action));
  assert.deepEqual(['', 'e2e4', 'e7e5', 'd2d4', 'd7d5', 'g8f6'].map((action) => of(action).comment), ['first', 'look', '[%clk 1:00]', 'other', '', '']);
  assert.deepEqual([of('e2e4').shapes, of('e2e4').glyphs, read.length], [2, [1], 6]);
  const written = await page.evaluate(() => worldlines.board.games.text(worldlines.board.document));
  assert.match(written, /%csl R\(0T1b\)e5\] \[%cal G\(0T1b\)e7\(0T1w\)e5\]/);
  await page.fill('#text', written);
  await page.click('#import');
  assert.deepEqual(await shown(), read);
  // A text that is too short to tell its notation keeps its words too.
  const short = await page.evaluate(async () => (await import('./source/js/games.js')).readGame('1. e4 {x}', undefined, 'short').document.tree.nodes['1'].comment);
  assert.equal(short, 'x');
  assert.deepEqual(board.errors, []);
});

test('after the button with the pencil a finger draws', async () => {
  await page.click('#draw');
  assert.equal(await page.locator('#draw').getAttribute('aria-pressed'), 'true');
  const [e2, e4] = [await pointOf(page, 0, 2, 'e2'), await pointOf(page, 0, 2, 'e4')];
  await page.mouse.move(...e2);
  await page.mouse.down();
  await page.mouse.move(...e4, { steps: 4 });
  await page.mouse.up();
  const shapes = () => page.evaluate(() => worldlines.board.document.tree.nodes['0'].shapes.map(({ kind }) => kind));
  assert.deepEqual(await shapes(), ['arrow']);
  assert.deepEqual(await made(), []);
  await page.click('#draw');
  await page.mouse.click(...e2);
  await page.mouse.click(...e4);
  assert.deepEqual(await made(), ['(0T1)e2e4']);
});

test('arrows are no darker where they overlap', async () => {
  const place = (square) => ({ timeline: 0, halfTurn: 2, square });
  await page.evaluate((arrows) => {
    const { board } = worldlines;
    board.edit((document) => ({ ...document, tree: { ...document.tree, nodes: { 0: { ...document.tree.nodes['0'], shapes: arrows } } } }));
  }, [[[0, 3], [7, 3]], [[3, 2], [3, 5]], [[2, 2], [4, 4]]].map(([from, to]) => ({ kind: 'arrow', color: 'green', from: place(from), to: place(to) })));
  const colors = await page.evaluate(
    async (places) => {
      const view = await atRest();
      // The picture at rest.
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      const canvas = document.getElementById('board');
      return places.map((one) => [...canvas.getContext('2d').getImageData(...view.pointOf(one).map((value) => Math.round(value * devicePixelRatio)), 1, 1).data].join(' '));
    },
    // Three arrows cross on d4; f4 has one of them, on a square of the same colour.
    [place([3, 3]), place([5, 3]), place([5, 5])],
  );
  assert.equal(colors[0], colors[1]);
  assert.notEqual(colors[0], colors[2], 'an arrow has another colour than a square');
});

test('the lines of the engine differ in sight, have the colours of their arrows, and are whole when they are unfolded', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. (0T3)Nb1>>(0T2)b3 / (1T2)Nb8c6 4. (1T3)Nc3 / (0T3)Nf6 (1T3)Nf6');
  await page.click('#tab-analyse');
  await page.selectOption('#lines', '3');
  await page.click('#engine');
  await until(() => document.querySelectorAll('#engine-lines li').length === 3 && worldlines.board.view.marks.hints.length >= 3);
  const rows = await page.evaluate(() => [...document.querySelectorAll('#engine-lines li')].map((row) => ({ brief: row.querySelector('.brief').textContent, full: row.querySelector('.full').textContent, color: getComputedStyle(row).borderLeftColor })));
  assert.equal(new Set(rows.map(({ brief }) => brief.split(' / ')[0])).size, 3, JSON.stringify(rows));
  assert.equal(new Set(rows.map(({ color }) => color)).size, 3);
  assert.equal(await page.evaluate(() => new Set(worldlines.board.view.marks.hints.map(({ color }) => color)).size), 3);
  const fold = page.locator('#engine-lines li').first();
  await fold.locator('[data-fold]').dispatchEvent('click');
  assert.ok((await page.locator('#engine-lines .full').first().isVisible()) && (await page.locator('#engine-lines .brief').first().isHidden()));
  await page.click('#engine');
});

test('the lines of the engine begin with different actions', async () => {
  await take(page, '1. e3 / f6 2. Nf3');
  await page.click('#tab-analyse');
  await page.selectOption('#lines', '3');
  await page.click('#engine');
  await until(() => document.querySelectorAll('#engine-lines li').length === 3 && worldlines.board.view.marks.hints.length === 3);
  const first = await page.evaluate(async () => {
    const { Game } = worldlines.library;
    const texts = [...document.querySelectorAll('#engine-lines button:not(.away)')].map((one) => one.lastChild.textContent.split(' / ')[0]);
    return texts.map((text) => Game.parse(worldlines.board.game.record()).play(text).actions().at(-1));
  });
  assert.equal(new Set(first).size, 3, first.join(', '));
  await page.click('#engine');
});

test('an answer leaves with its position, and a program that began is not taken back', async () => {
  await take(page, '1. e4 / e5');
  await page.click('#tab-analyse');
  await page.click('#why');
  await until(() => document.getElementById('analysed').textContent !== '');
  await page.evaluate(() => worldlines.board.step('back'));
  assert.equal(await text(page, 'analysed'), '');
  await page.click('#tab-play');
  await page.selectOption('#white', { index: 1 });
  await page.selectOption('#black', 'human');
  await page.click('#new');
  await until(() => worldlines.board.actions.length === 1);
  await page.click('#undo');
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 1);
});

/** Reads a text in its tab. */
async function readText(page, written) {
  await page.click('#tab-text');
  await page.fill('#text', written);
  await page.click('#import');
}

test('a player resigns, takes it back, and resigns again', async () => {
  await take(page, '1. e4 / e5');
  await page.click('#tab-play');
  await page.selectOption('#white', 'human');
  await page.selectOption('#black', 'human');
  await page.click('#resign');
  assert.equal(await text(page, 'standing'), 'White has resigned.');
  assert.match(await text(page, 'result'), /^Black has won\s+White has resigned\./);
  assert.ok(await page.isHidden('#resign') && await page.isDisabled('#submit'));
  await page.reload();
  await until(() => window.worldlines?.board?.resigned?.by === 'white');
  // The game can be analysed beyond its end, which is known there too.
  await page.click('#tab-analyse');
  assert.equal(await text(page, 'standing'), 'White has resigned.');
  assert.equal(await page.evaluate(() => worldlines.board.over), false);
  await page.click('#tab-play');
  await page.click('#undo');
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 2);
  await page.click('#resign');
  await page.click('#toast-act');
  assert.ok(await page.isHidden('#result') && await page.isVisible('#resign'));
  // Texts keep the end as a result, and tell no more of a text's end than it says.
  await page.click('#resign');
  const written = await page.evaluate(() => worldlines.board.games.text(worldlines.board.document));
  assert.match(written, /e7e5 0-1\s*$/);
  await readText(page, written);
  await page.click('#tab-play');
  assert.equal(await text(page, 'standing'), 'White lost');
  assert.match(await text(page, 'result'), /^Black has won/);
});

test('a draw is agreed between people, and offered to an engine, which declines while it is ahead', async () => {
  await take(page, '1. e4 / e5');
  await page.click('#tab-play');
  await page.selectOption('#black', 'human');
  assert.equal(await text(page, 'draw-game'), 'Draw');
  // Both are asked, at this place of the game alone.
  await page.click('#draw-game');
  assert.equal(await text(page, 'draw-game'), 'Agree to a draw?');
  assert.ok(!(await page.evaluate(() => worldlines.board.over)));
  await page.click('#back');
  await page.click('#forward');
  await page.click('#draw-game');
  assert.equal(await text(page, 'standing'), 'Draw by agreement.');
  assert.match(await text(page, 'result'), /^A draw\s+Draw by agreement\./);
  await page.reload();
  await until(() => window.worldlines?.board?.resigned?.by === 'both');
  const written = await page.evaluate(() => worldlines.board.games.text(worldlines.board.document));
  assert.match(written, /e7e5 1\/2-1\/2\s*$/);
  // Texts keep it.
  await readText(page, written);
  await page.click('#tab-play');
  assert.equal(await text(page, 'standing'), 'The game was drawn here.');
  await page.click('#undo');
  assert.ok(await page.isVisible('#draw-game'));
  const against = async (moves) => {
    await take(page, moves);
    await page.evaluate(() => worldlines.board.edit((document) => ({ ...document, players: { white: 'human', black: 'engine 5000' } })));
    assert.equal(await text(page, 'draw-game'), 'Offer a draw');
    await page.click('#draw-game');
  };
  // White has given a queen away: the engine plays on.
  await against('1. e4 / e5 2. Qg4 / Nf6 3. a3 / Nxg4');
  await until(() => /^No draw/.test(document.getElementById('toast').textContent));
  assert.ok(!(await page.evaluate(() => worldlines.board.over)));
  // Black has: it is glad of a draw.
  await against('1. e4 / e5 2. Nf3 / Qg5 3. Nxg5 / a6');
  await until(() => worldlines.board.over);
  assert.equal(await text(page, 'standing'), 'Draw by agreement.');
  assert.deepEqual(board.errors, []);
});

test('a finished game keeps its result, and what is played within it is a variation', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  await page.click('#tab-play');
  await page.evaluate(() => worldlines.board.draw());
  assert.equal(await page.locator('#history .result').innerText(), 'Draw by agreement.');
  for (const _ of [1, 2]) await page.click('#back');
  assert.equal(await text(page, 'standing'), 'White to move', 'the result stands with the last position');
  assert.ok(await page.isHidden('#resign'));
  assert.ok(await page.isHidden('#draw-game'));
  await page.evaluate(() => worldlines.board.resign());
  await page.evaluate(() => worldlines.board.play('a3'));
  assert.equal(await text(page, 'standing'), 'Black to move');
  assert.ok(await page.isHidden('#resign'));
  assert.equal(await page.locator('#history .result').innerText(), 'Draw by agreement.');
  assert.match(await page.evaluate(() => worldlines.board.games.text(worldlines.board.document)), /\(.*a2a3.*\)[^]*1\/2-1\/2\s*$/);
  // Against an engine too, and after a mate.
  await take(page, '1. e3 / f6 2. Qe2 / Nc6 3. Qh5');
  await page.evaluate(() => worldlines.board.edit((document) => ({ ...document, players: { white: 'engine 5000', black: 'human' } })));
  assert.equal(await text(page, 'standing'), 'Checkmate: White has won');
  assert.equal(await page.locator('#history .result').innerText(), 'Checkmate: White has won');
  for (const _ of [1, 2]) await page.click('#back');
  assert.equal(await text(page, 'standing'), 'Black to move');
  assert.ok(await page.isHidden('#resign'));
  await page.evaluate(() => worldlines.board.play('a6'));
  await until(() => worldlines.board.actions.length === 5);
  const main = await page.evaluate(() => worldlines.board.games.text(worldlines.board.document));
  assert.match(main, /\(2b\. \(0T2\)a7a6/);
  assert.deepEqual(board.errors, []);
});

test('boards stay where they are while an action is under way', async () => {
  await take(page, '[Board "Standard - Two Timelines"]');
  await page.click('#tab-play');
  await page.evaluate(() => worldlines.board.view.near({ jump: true }));
  const before = await pointOf(page, 0, 2, 'a1');
  await page.evaluate(() => worldlines.board.make(worldlines.board.game.movesFrom(0, 2).moves[0]));
  await page.waitForTimeout(400);
  const after = await pointOf(page, 0, 2, 'a1');
  assert.ok(Math.abs(before[0] - after[0]) < 2 && Math.abs(before[1] - after[1]) < 2, `${before} to ${after}`);
});

test('puzzles move the rating once, and it can be reset', async () => {
  await page.click('#tab-puzzles');
  await page.waitForSelector('#puzzles button');
  assert.match(await text(page, 'rating'), /rated from your first try/);
  // A lesson counts for nothing.
  await page.click('#lesson-list button >> nth=0');
  await page.waitForSelector('#solution:visible');
  await page.click('#solution');
  assert.match(await text(page, 'rating'), /rated from your first try/);
  await page.click('#all-puzzles > summary');
  await page.fill('#search', 'rook-pawn-in-2-654c');
  await page.click('#puzzles li:first-child button');
  await until(() => worldlines.board.document.puzzle?.id === 'rook-pawn-in-2-654c');
  await page.waitForSelector('#solution:visible');
  await page.click('#solution');
  assert.match(await text(page, 'rating'), /Your rating: \d{3,4} ± \d+ \(provisional\), from 1 puzzle\./);
  const first = await text(page, 'rating');
  await page.click('#again');
  await page.waitForSelector('#solution:visible');
  await page.click('#solution');
  assert.equal(await text(page, 'rating'), first);
  await page.click('#rating-reset');
  assert.match(await text(page, 'rating'), /rated from your first try/);
  await page.click('#toast-act');
  assert.equal(await text(page, 'rating'), first);
});

test('lessons come in order, with a text before, and progress is kept', async () => {
  await page.route('**/puzzles/lessons.json', (route) => route.fulfill({ json: [
    { id: 'last-defender', number: 2, chapter: 'Mates', text: 'The second text.' },
    { id: 'scholars-mate', number: 1, chapter: 'Mates', text: 'The first text.' },
  ] }));
  await page.click('#tab-puzzles');
  await page.waitForSelector('#lessons:visible');
  // Nothing is solved yet, so they are open.
  assert.deepEqual((await page.locator('#lesson-list button').allInnerTexts()).map((one) => one.slice(0, 2)), ['1.', '2.']);
  await page.click('#lesson-list button >> nth=0');
  await page.waitForSelector('#puzzle-before:visible');
  assert.equal(await text(page, 'puzzle-before'), 'The first text.');
  await page.evaluate(async () => {
    const { puzzleSolution } = worldlines.library;
    const yaml = await (await fetch('puzzles/scholars-mate.yaml')).text();
    const [action] = puzzleSolution(yaml);
    worldlines.board.modes.puzzles().submit([action]);
  });
  await page.waitForSelector('#puzzle-next:visible');
  assert.equal(await text(page, 'puzzle-next'), 'Next lesson');
  assert.match(await page.locator('#lessons-done').textContent(), /^1 of 2 lessons done/);
  await page.click('#puzzle-next');
  await until(() => document.getElementById('puzzle-before').textContent === 'The second text.');
  await page.unroute('**/puzzles/lessons.json');
});

test('the list under Analyse has six rows, cuts no line, and breaks no castling', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. Bc4 / Bc5 4. c3 / Nf6 5. d3 / d6 6. O-O / O-O 7. h3 / h6 8. a3 / a6 9. a4 / a5');
  await page.click('#tab-analyse');
  const [height, row, panel] = await page.evaluate(() => [document.getElementById('history').clientHeight, document.querySelector('#history [data-node]').offsetHeight, document.getElementById('panel-analyse').clientHeight]);
  assert.ok(height >= 6 * row, `${height} for rows of ${row}`);
  assert.ok(panel >= 340, `${panel} for answers`);
  assert.equal(await page.locator('#history .whole', { hasText: 'O-O' }).first().evaluate((one) => getComputedStyle(one).whiteSpace), 'nowrap');
  for (const top of [0, 9, 41, 63]) {
    await page.evaluate((to) => document.getElementById('history').scrollTo(0, to), top);
    await page.waitForTimeout(80);
    // What lies at an edge and would be cut is not painted.
    const cut = await page.evaluate(() => {
      const list = document.getElementById('history').getBoundingClientRect();
      const grid = document.querySelector('#history .grid');
      const box = grid.getBoundingClientRect();
      const [above = -9, , below = -9] = grid.style.clipPath.match(/-?[\d.]+(?=px)/g)?.map(Number) ?? [];
      const [from, to] = [Math.max(list.top, box.top + above), Math.min(list.bottom, box.bottom - below)];
      return [...grid.querySelectorAll('[data-node], .number')].filter((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return [...range.getClientRects()].some(({ top, bottom }) => [from, to].some((edge) => top < edge - 0.5 && bottom > edge + 0.5));
      }).map((one) => one.textContent);
    });
    assert.deepEqual(cut, [], `scrolled to ${top}`);
  }
  await page.setViewportSize({ width: 1280, height: 820 });
});

test('what a review has not looked at yet is grey, and is nobody’s', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. Bb5 / a6');
  await page.click('#tab-analyse');
  /** The part of the graph that was not read, each time that it is drawn. */
  await page.evaluate(() => {
    globalThis.parts = [];
    new MutationObserver(() => globalThis.parts.push(Number(document.querySelector('#graph .unread')?.getAttribute('width')))).observe(document.getElementById('graph'), { childList: true });
  });
  await page.click('#review');
  await until(() => globalThis.parts.length > 2);
  await until(() => globalThis.parts.at(-1) === 0);
  const parts = await page.evaluate(() => globalThis.parts);
  assert.deepEqual(parts.slice(0, 2), [320, 266.7]);
});

test('a review that goes on says how long it may take, and lists the worst so far', async () => {
  await take(page, '1. f3 / e5 2. g4 / a6 3. a3');
  await page.click('#tab-analyse');
  await page.evaluate(() => {
    globalThis.said = [];
    const note = () => globalThis.said.push([document.getElementById('analysed').textContent, document.querySelectorAll('#faults li').length, document.getElementById('worst').checkVisibility(), document.querySelectorAll('#history .ahead').length, document.getElementById('history').textContent]);
    new MutationObserver(() => setTimeout(note)).observe(document.getElementById('analysed'), { childList: true });
  });
  await page.click('#review');
  await page.waitForFunction(() => / in the list\.$/.test(document.getElementById('analysed').textContent), undefined, { timeout: 60_000 });
  const said = await page.evaluate(() => globalThis.said);
  const [first, second] = [1, 2].map((done) => said.find(([text]) => text.startsWith(`Reviewing: ${done} of 6 positions`))[0]);
  assert.match(first, /^Reviewing: 1 of 6 positions, \d+ seconds? …$/);
  assert.match(second, /^Reviewing: 2 of 6 positions, about \d+\s(?:s|min) left …$/);
  const during = said.filter(([text, faults]) => text.startsWith('Reviewing: ') && faults > 0);
  assert.ok(during.length > 0 && during.every(([, faults, isTold, , list]) => faults <= 3 && isTold && !list.includes('?')), JSON.stringify(during));
  assert.ok(await page.isHidden('#worst'));
  assert.match(await text(page, 'history'), /\?/);
});

test('the number of lines is the same after a reload', async () => {
  await page.click('#tab-analyse');
  await page.selectOption('#lines', '5');
  await board.go();
  assert.equal(await page.inputValue('#lines'), '5');
});

test('after a resignation nothing asks for a move, in any tab, until somebody goes on', async () => {
  const boards = [-1, 0, 1].map((timeline) => `[k*7/p*7/8/8/8/8/P*7/K*7:${timeline}:1:w]`);
  await take(page, `[Board "custom"]\n[Size "8x8"]\n${boards.join('\n')}`);
  const submit = (from, to) => page.evaluate(([piece, square]) => {
    const { board } = worldlines;
    board.play(board.view.scene.tiles.filter(({ duty }) => duty === 'must').map(({ label }) => `${label.replace(/[wb]/, '')}${piece}${square}`).join(' '));
  }, [from, to]);
  for (const step of [['a2', 'a3'], ['a7', 'a6'], ['a3', 'a4'], ['a6', 'a5'], ['a1', 'b1'], ['a8', 'b8'], ['b1', 'c1'], ['b8', 'c8']]) await submit(...step);
  await page.evaluate(() => worldlines.board.resign());
  const asks = () => page.evaluate(() => [document.getElementById('left').textContent, document.getElementById('why-not').textContent, worldlines.board.view.marks.over]);
  assert.deepEqual(await asks(), ['', '', true]);
  // The result is in sight in the list.
  await until(() => {
    const [list, result] = [document.getElementById('history'), document.querySelector('#history .result')].map((one) => one.getBoundingClientRect());
    return result.bottom <= list.bottom + 1;
  });
  await page.click('#tab-analyse');
  assert.deepEqual(await asks(), ['', '', true]);
  await page.evaluate(() => {
    const { board } = worldlines;
    board.make(board.game.movesFrom(0, board.view.scene.tiles.find(({ timeline, duty }) => timeline === 0 && duty === 'must').halfTurn).moves[0]);
  });
  const [left, , over] = await asks();
  assert.match(left, /^2 boards to play/);
  assert.equal(over, false);
});

test('after a journey, late in a game too, the bar says how a turn ends', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. a3 / a6');
  await page.evaluate(() => {
    const { board } = worldlines;
    const tile = board.view.scene.tiles.find(({ duty }) => duty === 'must');
    board.make(board.game.movesFrom(tile.timeline, tile.halfTurn).moves.find(({ from, to }) => to.halfTurn < from.halfTurn));
  });
  assert.match(await text(page, 'why-not'), /^Submit to end your turn\./);
});

test('in a game that goes on the bar says that an earlier position is shown, and leads back', async () => {
  const boards = [-1, 0, 1].map((timeline) => `[k*7/p*7/8/8/8/8/P*7/K*7:${timeline}:1:w]`);
  await take(page, `[Board "custom"]\n[Size "8x8"]\n${boards.join('\n')}`);
  await page.evaluate(() => worldlines.board.play(worldlines.board.view.scene.tiles.map(({ label }) => `${label.replace('w', '')}a2a3`).join(' ')));
  assert.match(await text(page, 'left'), /^3 boards to play/);
  assert.ok(await page.isHidden('#return'));
  await page.click('#back');
  assert.equal(await text(page, 'return'), 'Earlier position: go to the end');
  assert.ok(await page.isHidden('#left'));
  await page.click('#return');
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 1);
  assert.match(await text(page, 'left'), /^3 boards to play/);
  // Whoever goes on from there is asked as ever.
  await page.click('#back');
  await page.evaluate(() => worldlines.board.make(worldlines.board.game.movesFrom(0, worldlines.board.view.scene.tiles[0].halfTurn).moves[0]));
  assert.ok(await page.isHidden('#return'));
  assert.match(await text(page, 'left'), /^2 boards to play/);
});

test('after Take back the bar says so, and Redo brings the action back; steps say that the position is an earlier one', async () => {
  const bar = () => page.locator('.doing').innerText();
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  await page.click('#undo');
  assert.match(await bar(), /^Taken back\. Make another move\.\s*Redo$/);
  assert.match(await text(page, 'said'), /^Taken back/);
  await page.click('#undo');
  assert.match(await bar(), /^Taken back/);
  await page.click('#return');
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 4);
  assert.ok(await page.isHidden('#taken'));
  // The same position is an earlier one for whoever steps to it.
  await page.click('#back');
  assert.equal(await bar(), 'Earlier position: go to the end');
  await page.click('#undo');
  assert.equal(await bar(), 'Earlier position: go to the end');
  await page.click('#last');
  await page.click('#undo');
  await page.evaluate(() => worldlines.board.play('Nf6'));
  assert.ok(await page.isHidden('#return'));
  // It is this action that comes back, and not the one before it.
  await page.click('#undo');
  await page.click('#return');
  assert.match(await page.evaluate(() => worldlines.board.actions.at(-1)), /Nf6|g8f6/);
  // A game that has ended keeps its result.
  await take(page, '1. e3 / f6 2. Qe2 / Nc6 3. Qh5');
  await page.click('#undo');
  assert.equal(await bar(), 'Earlier position: go to the end');
});
