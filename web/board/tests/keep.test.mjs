// Games are not lost, whatever a visitor does. `npm run build` must have made dist/.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { click, pointOf, take, text } from './page.mjs';
import { board, page, until } from './suite.mjs';

const actions = () => page.evaluate(() => worldlines.board.actions);
const ready = () => page.waitForSelector('html[data-ready=yes]');
const play = async (...moves) => {
  for (const [label, from, to] of moves) {
    await click(page, label, from);
    await click(page, label, to);
    await page.click('#submit');
  }
};
const reload = async () => {
  await page.reload();
  await ready();
};
const isSelected = (tab) => page.locator(`#tab-${tab}`).getAttribute('aria-selected');

test('B1: what is played after a link is there after a reload, and the link is no longer in the address', async () => {
  const link = await page.evaluate(async () => (await import('./source/js/link.js')).toLink('1. e4 / e5'));
  await page.goto('about:blank');
  await board.go(link);
  assert.deepEqual(await actions(), ['(0T1)e2e4', '(0T1)e7e5']);
  await play(['(0T2w)', 'g1', 'f3'], ['(0T2b)', 'b8', 'c6']);
  await reload();
  assert.equal((await actions()).length, 4);
  assert.equal(new URL(page.url()).hash, '');
  // Copying a link does not make the address one.
  await page.click('#link');
  await until(() => document.getElementById('link-text').value.includes('#game='));
  await play(['(0T3w)', 'f1', 'c4']);
  await reload();
  assert.equal((await actions()).length, 5);
});

test('B2, B3: a part after # that is no game does nothing; a damaged one is said, and the game stays', async () => {
  await play(['(0T1w)', 'e2', 'e4']);
  for (const hash of ['#section', '#', '#tab=play', '#gamer=1']) {
    await page.evaluate((value) => (location.hash = value), hash);
    await page.waitForTimeout(60);
    assert.deepEqual(await actions(), ['(0T1)e2e4'], hash);
  }
  for (const [hash, said] of [['#game=%%%', 'damaged'], ['#game=AAAA', 'damaged'], ['#text=1. e9', 'Notation invalid'], ['#text=%', 'damaged']]) {
    await page.evaluate((value) => (location.hash = value), hash);
    await until((part) => document.getElementById('toast').textContent.includes(part), said);
    assert.match(await text(page, 'toast'), /The link cannot be read/);
    assert.deepEqual(await actions(), ['(0T1)e2e4'], hash);
    await page.click('#toast button');
  }
  assert.deepEqual(board.errors, []);
});

test('B4: puzzles, setup and new games leave the game where it is; undo brings it back', async () => {
  await play(['(0T1w)', 'e2', 'e4'], ['(0T1b)', 'e7', 'e5']);
  await page.click('#tab-puzzles');
  await page.waitForSelector('#puzzles li');
  await page.click('#daily');
  await page.waitForSelector('#puzzle:not([hidden])');
  await page.click('#tab-setup');
  await page.click('#empty');
  await page.click('#palette [aria-label="white king"]', { force: true });
  await click(page, '(0T1w)', 'a1');
  await page.click('#tab-play');
  assert.equal((await actions()).length, 2);
  await reload();
  assert.equal((await actions()).length, 2);
  await page.click('#new');
  assert.equal((await actions()).length, 0);
  await page.click('#toast-act');
  assert.equal((await actions()).length, 2);
  // The game is under the earlier ones if nothing is undone.
  await page.click('#new');
  await reload();
  await page.click('#earlier summary');
  await page.click('#shelf .away');
  assert.equal(await page.locator('#shelf li').count(), 0);
  await page.click('#toast-act');
  await page.click('#shelf button:not(.away)');
  assert.equal((await actions()).length, 2);
});

test('B4: an import, a drop and a position can be undone', async () => {
  await play(['(0T1w)', 'e2', 'e4']);
  await page.click('#tab-text');
  await page.fill('#text', '1. d4 / d5');
  await page.click('#import');
  assert.equal((await actions()).length, 2);
  await page.click('#toast-act');
  assert.deepEqual(await actions(), ['(0T1)e2e4']);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['1. c4 / c5'], 'game.5dpgn'));
    for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await until(() => worldlines.board.actions.length === 2);
  await page.click('#toast-act');
  assert.deepEqual(await actions(), ['(0T1)e2e4']);
  await page.click('#tab-setup');
  await page.click('#s-play');
  assert.equal(await isSelected('play'), 'true');
  assert.equal((await actions()).length, 0);
  await page.click('#toast-act');
  await page.click('#tab-play');
  assert.deepEqual(await actions(), ['(0T1)e2e4']);
});

test('B5: a puzzle is judged after other tabs and after a reload', async () => {
  await page.click('#tab-puzzles');
  await page.waitForSelector('#puzzles li');
  await page.fill('#search', 'one-knight');
  await page.click('#puzzles li button');
  await page.waitForSelector('#puzzle:not([hidden])');
  for (const leave of [async () => page.click('#tab-analyse'), async () => page.click('#tab-play'), reload]) {
    await leave();
    await page.click('#tab-puzzles');
    await page.waitForSelector('#puzzle:not([hidden])');
    await click(page, '(0T1w)', 'a1');
    await click(page, '(0T1w)', 'b3');
    await until(() => /^Wrong/.test(document.getElementById('puzzle-said').textContent));
    await page.evaluate(() => (document.getElementById('puzzle-said').textContent = ''));
  }
  // The refutation is shown on the board, and the puzzle goes on.
  await page.click('#refute');
  await until(() => worldlines.board.actions.length === 2);
  await page.click('#refute');
  assert.equal((await actions()).length, 0);
  assert.equal(await text(page, 'puzzle-title'), 'One knight, four mates');
});

test('B6: a game against the engine goes on after a reload', async () => {
  await page.selectOption('#black', 'engine 5000');
  await click(page, '(0T1w)', 'e2');
  await click(page, '(0T1w)', 'e4');
  await page.evaluate(() => {
    worldlines.board.letPlay = () => {};
    worldlines.board.submit();
  });
  assert.equal((await actions()).length, 1);
  await reload();
  assert.equal(await page.inputValue('#black'), 'engine 5000');
  await until(() => worldlines.board.actions.length === 2);
});

test('B7: the moves of an action under way, the tab, the side and what is in sight are there after a reload', async () => {
  await take(page, '1. Nf3 / Nf6 2. N>>f5 / (1T1)e6');
  await click(page, '(1T2w)', 'd2');
  await click(page, '(1T2w)', 'd4');
  await page.click('#flip');
  await page.click('#tab-analyse');
  await page.click('#zoom-in');
  const before = await page.evaluate(() => [worldlines.board.game.movesMade(), worldlines.board.document.flipped, worldlines.board.view.sight]);
  assert.equal(before[0].length, 1);
  await reload();
  assert.deepEqual(await page.evaluate(() => [worldlines.board.game.movesMade(), worldlines.board.document.flipped, worldlines.board.view.sight]), before);
  assert.equal(await isSelected('analyse'), 'true');
});

test('B8: the engine of a server is asked once for an action, and not when nobody wants the answer', async () => {
  let asked = 0;
  await page.route('**/engine', async (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: { name: 'Server' } });
    asked += 1;
    await new Promise((settle) => setTimeout(settle, 400));
    return route.fulfill({ json: { action: '(0T1)e7e5' } }).catch(() => {});
  });
  await reload();
  await page.waitForSelector('#black option[value=bridge]', { state: 'attached' });
  await page.selectOption('#black', 'bridge');
  await play(['(0T1w)', 'e2', 'e4']);
  await page.selectOption('#white', 'engine 5000');
  await page.selectOption('#white', 'human');
  await page.click('#tab-analyse');
  await page.click('#tab-play');
  await until(() => worldlines.board.actions.length === 2);
  const needed = asked;
  await page.waitForTimeout(600);
  assert.equal(asked, needed);
  assert.deepEqual(await actions(), ['(0T1)e2e4', '(0T1)e7e5']);
  // Going back and on again asks nobody: the answer is known.
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await page.waitForTimeout(200);
  assert.equal(asked, needed);
  await page.unroute('**/engine');
});

test('B9: a missing worker is said, and can be tried again', async () => {
  await page.route('**/worker.js', (route) => route.fulfill({ status: 404, body: '' }));
  await page.selectOption('#black', 'engine 5000');
  await play(['(0T1w)', 'e2', 'e4']);
  await page.waitForSelector('#retry:not([hidden])');
  assert.match(await text(page, 'thinking'), /The engine failed/);
  await page.click('#tab-analyse');
  await page.click('#engine');
  await until(() => /failed/.test(document.getElementById('engine-said').textContent));
  await page.click('#count');
  await until(() => /could not be loaded/.test(document.getElementById('analysed').textContent));
  await page.unroute('**/worker.js');
  await page.click('#tab-play');
  await until(() => worldlines.board.actions.length === 2);
});

test('B9: missing WebAssembly is said, with a way to try again', async () => {
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(board.start);
  await page.waitForSelector('.fatal button');
  assert.match(await page.locator('.fatal').innerText(), /The board could not be loaded/);
  await page.unroute('**/*.wasm');
  await page.click('.fatal button');
  await ready();
});

test('B10: only the left button moves; the right one draws arrows and circles', async () => {
  const [e2, e4, d2] = [await pointOf(page, 0, 2, 'e2'), await pointOf(page, 0, 2, 'e4'), await pointOf(page, 0, 2, 'd2')];
  for (const button of ['right', 'middle']) {
    for (const point of [e2, e4]) await page.mouse.click(...point, { button });
    assert.equal(await page.evaluate(() => worldlines.board.game.movesMade().length + (worldlines.board.view.marks.selected ? 1 : 0)), 0, button);
  }
  await page.mouse.move(...d2);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...e4);
  await page.mouse.up({ button: 'right' });
  const shapes = () => page.evaluate(() => worldlines.board.view.marks.shapes.map(({ kind, from, to }) => [kind, from.square, to.square]));
  assert.deepEqual(await shapes(), [['circle', [4, 1], [4, 1]], ['circle', [4, 3], [4, 3]], ['arrow', [3, 1], [4, 3]]]);
  await reload();
  assert.equal((await shapes()).length, 3);
  await page.keyboard.press('x');
  assert.equal((await shapes()).length, 0);
  await page.click('#toast-act');
  assert.equal((await shapes()).length, 3);
});

test('B11: names of tabs that are none do nothing', async () => {
  for (const tab of ['toString', 'constructor', '__proto__', 'none', '']) {
    await page.goto('about:blank');
    await board.go(`?tab=${tab}`);
    assert.equal(await page.locator('[role=tabpanel]:visible').count(), 1, tab);
  }
  await page.goto('about:blank');
  await board.go('?tab=setup');
  assert.equal(await isSelected('setup'), 'true');
});

test('B12: comments, variations and glyphs of an import are kept, or it is said that they are lost', async () => {
  await page.click('#tab-text');
  await page.fill('#text', '[White "A"]\n1. e4 {a comment} (1. d4 / d5 {other}) / e5 $1 2. Nf3');
  await page.click('#import');
  await page.click('#tab-play');
  assert.deepEqual(await actions(), ['(0T1)e2e4', '(0T1)e7e5', '(0T2)Ng1f3']);
  const list = await text(page, 'history');
  for (const part of ['a comment', 'other', 'd4', 'd5', 'e5!', 'Nf3']) assert.ok(list.includes(part), `${part}: ${list}`);
  // Written and read again it is the same.
  await page.click('#tab-text');
  await page.selectOption('#format', 'tree');
  const written = await page.inputValue('#text');
  const before = await page.evaluate(() => worldlines.board.document.tree);
  await page.click('#import');
  assert.equal(await page.evaluate(() => JSON.stringify(Object.values(worldlines.board.document.tree.nodes).map(({ action, comment, glyphs }) => [action, comment, glyphs]).sort())), JSON.stringify(Object.values(before.nodes).map(({ action, comment, glyphs }) => [action, comment, glyphs]).sort()), written);
  await page.selectOption('#format', '5dpgn');
  assert.match(await text(page, 'text-said'), /Not kept: .*variations; comments; glyphs/);
  // An illegal variation cannot be kept: that is said, and the rest is kept.
  await page.fill('#text', '1. e4 {a comment} (1. Ke5) / e5');
  await page.click('#import');
  assert.match(await text(page, 'text-said'), /Read 2 actions. Not kept: a variation that cannot be read/);
  await page.click('#tab-play');
  assert.ok((await text(page, 'history')).includes('a comment'));
});

test('a link holds the whole tree, wherever the board stands', async () => {
  await page.click('#tab-text');
  await page.fill('#text', '1. e4 {a comment} (1. d4 / d5) / e5 2. Nf3');
  await page.click('#import');
  await page.click('#tab-play');
  await page.keyboard.press('Home');
  await page.click('#link');
  await until(() => document.getElementById('link-text').value.includes('#game='));
  const link = await page.inputValue('#link-text');
  const before = await page.evaluate(() => worldlines.board.document.tree);
  await page.goto('about:blank');
  await page.goto(link);
  await ready();
  const shapeOf = ({ nodes }) => Object.values(nodes).map(({ action, comment, children }) => [action, comment, children.length]).sort();
  assert.deepEqual(shapeOf(await page.evaluate(() => worldlines.board.document.tree)), shapeOf(before));
  assert.deepEqual(await page.evaluate(() => worldlines.board.actions), [], 'it opens where it was copied');
  // The text of a game is that of its whole line, too.
  await page.click('#tab-text');
  assert.match(await page.inputValue('#text'), /2\. \(0T2\)Ng1f3/);
});

test('a link opens where it was copied, also in a variation and in a frame', async () => {
  const open = async (way, file = '') => {
    const link = await page.evaluate(async (to) => (await import('./source/js/link.js')).toLink('1. e4 / e5 2. Nf3 (2. d4 / d5) / Nc6', to), way);
    await page.goto('about:blank');
    await page.goto(`${board.start}${file}${link}`);
    await ready();
    return file ? text(page, 'standing') : page.evaluate(() => worldlines.board.actions);
  };
  assert.deepEqual(await open('2.1.0'), ['(0T1)e2e4', '(0T1)e7e5', '(0T2)d2d4']);
  assert.deepEqual(await open('1'), ['(0T1)e2e4']);
  // A link without a place, and one whose place is damaged, open at the end.
  for (const way of ['', '7', '2.5.0', 'x%']) assert.equal((await open(way)).length, 4, way);
  // The move list goes on from there.
  await open('2.1.0');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => worldlines.board.actions.at(-1)), '(0T2)d7d5');
  await page.evaluate(() => worldlines.board.step('back'));
  await page.evaluate(() => document.getElementById('link').click());
  await until(() => document.getElementById('link-text').value.endsWith('&at=2.1.0'));
  assert.match(await open('2.1.0', 'embed.html'), /d2d4 · Black to move/);
  assert.deepEqual(board.errors, []);
});

test('B13, B14: large and damaged links end soon, with one sentence', async () => {
  const url = (bytes) => `#game=${Buffer.from(bytes).toString('base64url')}`;
  const bomb = url(deflateRawSync(Buffer.alloc(200_000_000)));
  const damaged = url(deflateRawSync(Buffer.from('1. e4 / e5')).subarray(0, 6));
  for (const [hash, said] of [[bomb, /more than 16777216 bytes/], [damaged, /it is damaged/]]) {
    await page.goto('about:blank');
    const start = Date.now();
    await board.go(hash);
    assert.ok(Date.now() - start < 5_000, `${Date.now() - start} ms`);
    const message = await text(page, 'toast');
    assert.match(message, said);
    assert.ok(!message.includes('fetch'), message);
  }
});

test('links with large texts that are no games end soon, too', async () => {
  for (const content of ['a'.repeat(15e6), '1. e4 {x} '.repeat(15e5), `1. e4 ${'('.repeat(15e6)}`, '{"a":'.repeat(2e6), `[a "${'x'.repeat(1e7)}]`]) {
    await page.goto('about:blank');
    const start = Date.now();
    await board.go(`#game=${deflateRawSync(Buffer.from(content)).toString('base64url')}`);
    assert.ok(Date.now() - start < 8_000, `${content.slice(0, 10)}: ${Date.now() - start} ms`);
    assert.match(await text(page, 'toast'), /^The link cannot be read: [^]{10,300}\.\s*×$/);
  }
});

test('B15: two windows do not overwrite each other', async () => {
  await play(['(0T1w)', 'e2', 'e4']);
  await page.waitForTimeout(400);
  const other = await page.context().newPage();
  await other.goto(board.start);
  await other.waitForSelector('html[data-ready=yes]');
  const inOther = () => other.evaluate(() => worldlines.board.actions);
  assert.deepEqual(await inOther(), ['(0T1)e2e4']);
  await other.evaluate(() => worldlines.board.play('d5'));
  await page.evaluate(() => worldlines.board.play('e5'));
  await other.waitForTimeout(400);
  await other.evaluate(() => worldlines.board.play('exd5'));
  await page.evaluate(() => worldlines.board.play('Nf3'));
  await page.waitForTimeout(400);
  await reload();
  await other.reload();
  await other.waitForSelector('html[data-ready=yes]');
  assert.deepEqual(await actions(), ['(0T1)e2e4', '(0T1)e7e5', '(0T2)Ng1f3']);
  assert.deepEqual(await inOther(), ['(0T1)e2e4', '(0T1)d7d5', '(0T2)e4xd5']);
  await other.close();
});

test('B16: nothing is asked for that is not there', async () => {
  const missing = [];
  const listen = (response) => response.status() >= 400 && missing.push(response.url());
  page.on('response', listen);
  await reload();
  await page.waitForTimeout(300);
  page.off('response', listen);
  assert.deepEqual(missing, []);
});

test('a page without JavaScript says so', () => {
  const html = readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8');
  assert.match(html, /<noscript>.*needs JavaScript/);
});

test('spoilt documents of the browser are passed over, and the page begins', async () => {
  await play(['(0T1w)', 'e2', 'e4']);
  await page.evaluate(() => worldlines.board.save());
  for (const spoil of [
    (record) => (record.document.start = 'nothing'),
    (record) => (record.document.tree.nodes[1].action = 'Ke5'),
    (record) => (record.document.unfinished = { 1: ['Ke5'] }),
    (record) => (record.document.tree = 7),
  ]) {
    await page.goto(`${board.start}board.css`);
    await page.evaluate((change) => {
      const key = `worldlines document ${JSON.parse(localStorage.getItem('worldlines window')).slots.game}`;
      const record = JSON.parse(localStorage.getItem(key));
      new Function('record', `(${change})(record)`)(record);
      localStorage.setItem(key, JSON.stringify(record));
    }, String(spoil));
    await board.go();
    assert.deepEqual(board.errors, []);
    // It is a board that can be played.
    await page.keyboard.press('Home');
    await play(['(0T1w)', 'd2', 'd4']);
    assert.deepEqual(await actions(), ['(0T1)d2d4'], String(spoil));
    await page.evaluate(() => worldlines.board.save());
  }
});

test('a review outlives a reload, another game and another main line, until its actions are gone', async () => {
  await take(page, '1. e4 / e5 2. Qh5 / Nc6 3. Bc4 / Nf6 4. a3 / d5');
  await page.click('#tab-analyse');
  await page.click('#review');
  await until(() => / in the list\.$/.test(document.getElementById('analysed').textContent));
  const shown = async () => [await text(page, 'faults'), await text(page, 'rests-on'), await text(page, 'analysed'), await text(page, 'history'), await text(page, 'review-of'), await page.locator('#graph polygon').getAttribute('points')];
  const before = await shown();
  assert.match(before[0], /4\. a3[^]*missed a mate in 1[^]*Better line: Qxf7#[^]*After 4\. a3/);
  await reload();
  assert.deepEqual(await shown(), before);
  // It can be used as before: the better action is drawn.
  await page.locator('#faults button', { hasText: '4. a3' }).first().click();
  assert.match(await page.evaluate(() => worldlines.board.planned), /Qh5.*f7/);
  // An earlier game has its review again.
  await take(page, '1. d4 / d5');
  assert.ok(await page.locator('#review-kept').isHidden());
  await page.click('#tab-play');
  await page.click('#earlier summary');
  await page.locator('#shelf button:not(.away)').first().click();
  await page.click('#tab-analyse');
  assert.deepEqual(await shown(), before);
  // A glyph that somebody took away stays so.
  const glyph = () => page.evaluate(async () => {
    const [{ withTree }, { withGlyph }] = [await import('./source/js/session.js'), await import('./source/js/tree.js')];
    worldlines.board.edit((document) => withTree(document, withGlyph(document.tree, '7', 4)));
  });
  await glyph();
  await reload();
  assert.doesNotMatch(await text(page, 'history'), /a3\?\?/);
  await glyph();
  assert.deepEqual(await shown(), before);
  // Who stops a deeper one keeps it.
  await page.click('#deeper');
  await page.click('#stop');
  await until(() => document.getElementById('stop').hidden);
  assert.equal(await text(page, 'rests-on'), before[1]);
  // What goes on behind the line says nothing against it, and another main line only makes it the review of a variation.
  await page.evaluate(() => (worldlines.board.step('end'), worldlines.board.play('Bxd5')));
  assert.ok(await page.locator('#graph svg polygon').isVisible());
  await page.evaluate(() => (worldlines.board.step('start'), worldlines.board.play('d4')));
  assert.ok(await page.locator('#graph svg polygon').isVisible());
  const promote = () => page.evaluate(() => document.getElementById('promote').click());
  const found = async () => [await text(page, 'faults'), await text(page, 'rests-on'), await page.locator('#graph polygon').getAttribute('points')];
  await promote();
  assert.equal(await text(page, 'review-of'), 'Review of the variation with 1. e4');
  assert.deepEqual(await found(), [before[0], before[1], before[5]]);
  // An earlier game that is opened again has it too.
  await take(page, '1. d4 / d5');
  await page.click('#tab-play');
  await page.evaluate(() => document.getElementById('earlier').open = true);
  await page.locator('#shelf button:not(.away)').first().click();
  await page.click('#tab-analyse');
  await reload();
  assert.equal(await text(page, 'review-of'), 'Review of the variation with 1. e4');
  assert.deepEqual(await found(), [before[0], before[1], before[5]]);
  await page.evaluate(() => worldlines.board.goTo('3'));
  await promote();
  assert.equal(await text(page, 'review-of'), 'Review of the main line');
  assert.deepEqual(await found(), [before[0], before[1], before[5]]);
  // It goes with the actions that it is about.
  await page.evaluate(() => document.getElementById('delete').click());
  assert.ok(await page.locator('#review-kept').isHidden());
  assert.doesNotMatch(await text(page, 'analysed'), /in the list/);
  await reload();
  assert.ok(await page.locator('#review-kept').isHidden());
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('review'))), []);
  assert.deepEqual(board.errors, []);
});
