// Fingers on a phone of 390 × 844 pixels: nothing here is done by mouse or keys.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { open, take, text } from './page.mjs';

let phone;
let page;
/** Sends what fingers do, in pixels of the page. */
let touch;

before(async () => {
  phone = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  ({ page } = phone);
  const session = await page.context().newCDPSession(page);
  touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
});
after(() => phone?.close());
beforeEach(async () => {
  await phone.fresh();
  phone.errors.length = 0;
});

/** A square on the page, where it is now, and whether it is in sight. */
const square = (timeline, halfTurn, name) =>
  page.evaluate(
    async (place) => {
      const view = await atRest();
      const box = document.getElementById('board').getBoundingClientRect();
      const [x, y] = view.pointOf(place);
      return [box.left + x, box.top + y, x > 0 && y > 24 && x < box.width && y < box.height];
    },
    { timeline, halfTurn, square: [name.charCodeAt(0) - 97, Number(name[1]) - 1] },
  );
async function tap(timeline, halfTurn, name) {
  const [x, y, inSight] = await square(timeline, halfTurn, name);
  assert.ok(inSight, `${name} of timeline ${timeline}, half-turn ${halfTurn} is out of sight`);
  await page.touchscreen.tap(x, y);
}
/** A finger that rests before it is lifted flings nothing: the tap after that is one. */
async function stroke(from, to, steps = 6, rest = 0) {
  await touch('touchStart', from);
  for (let step = 1; step <= steps; step++) await touch('touchMove', [0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * step) / steps));
  await page.waitForTimeout(rest);
  await touch('touchEnd');
}
/** Where elements are on the page. */
const boxesOf = (...selectors) => page.evaluate((all) => all.map((one) => document.querySelector(one).getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom })), selectors);
/** The boards on the page, with their frames. */
const boards = () =>
  page.evaluate(async () => {
    const view = await atRest();
    const { files, ranks, square, frame, tiles } = view.scene;
    const { left, top } = document.getElementById('board').getBoundingClientRect();
    return tiles.map(({ timeline, halfTurn }) => {
      const [x, y] = view.pointOf({ timeline, halfTurn, square: [0, ranks - 1] });
      const at = [left + x - (square / 2 + frame) * view.scale, top + y - (square / 2 + frame) * view.scale];
      return { left: at[0], top: at[1], right: at[0] + (files * square + 2 * frame) * view.scale, bottom: at[1] + (ranks * square + 2 * frame) * view.scale };
    });
  });
const areApart = (one, other) => one.right <= other.left + 1 || one.left >= other.right - 1 || one.bottom <= other.top + 1 || one.top >= other.bottom - 1;
const camera = () => page.evaluate(() => ({ scale: worldlines.board.view.scale, at: worldlines.board.view.pointOf({ timeline: 0, halfTurn: 2, square: [0, 0] }) }));
const actions = () => page.evaluate(() => worldlines.board.game.actions());

test('taps make moves, along a board and into the past', async () => {
  for (const [halfTurn, from, to] of [[2, 'g1', 'f3'], [3, 'g8', 'f6']]) {
    await tap(0, halfTurn, from);
    await tap(0, halfTurn, to);
    await page.tap('#submit');
  }
  assert.deepEqual(await actions(), ['(0T1)Ng1f3', '(0T1)Ng8f6']);
  await tap(0, 4, 'f3');
  // A board that the piece reaches and that is out of sight is found by going there: the first tap brings it, since no finger hits its squares.
  await page.tap('#fit');
  await tap(0, 2, 'f5');
  assert.equal(await text(page, 'made'), '');
  await tap(0, 2, 'f5');
  assert.equal(await text(page, 'made'), '(0T2)Nf3>>(0T1)f5');
  await page.tap('#submit');
  assert.match(await text(page, 'standing'), /Black to move/);
  assert.equal(await page.evaluate(() => worldlines.board.view.scene.rows.length), 2);
  assert.deepEqual(phone.errors, []);
});

test('one finger pans, two fingers zoom about what is between them, and no piece moves', async () => {
  await take(page, '1. Nf3 / Nf6');
  const before = await camera();
  // The strip beside the boards is no piece.
  await stroke([370, 640], [250, 580]);
  const panned = await camera();
  assert.ok(Math.abs(panned.at[0] - before.at[0] + 120) < 12 && Math.abs(panned.at[1] - before.at[1] + 60) < 12, JSON.stringify([before, panned]));
  const [x, y] = await square(0, 4, 'd2');
  await touch('touchStart', [x, y]);
  await touch('touchStart', [x, y], [x + 60, y]);
  for (const wide of [70, 90, 110, 120]) await touch('touchMove', [x, y], [x + wide, y]);
  await touch('touchEnd');
  const zoomed = await camera();
  assert.ok(Math.abs(zoomed.scale / panned.scale - 2) < 0.2, `${zoomed.scale / panned.scale} times as large`);
  assert.deepEqual(await page.evaluate(() => worldlines.board.game.movesMade()), []);
  assert.equal(await page.evaluate(() => worldlines.board.view.marks.drag), undefined);
});

test('a tap on a board whose squares are too small for a finger brings it, and the piece stays in the hand', async () => {
  await take(page, Array.from({ length: 6 }, (_, index) => `${index + 1}. ${index % 2 ? 'Ng1' : 'Nf3'} / ${index % 2 ? 'Ng8' : 'Nf6'}`).join(' '));
  const seen = () => page.evaluate(async () => {
    const view = await atRest();
    return [Math.round(view.scale * view.scene.square), view.marks.selected?.square];
  });
  await tap(0, 14, 'g1');
  for (const held of [[6, 0], undefined]) {
    if (!held) await page.evaluate(() => worldlines.board.unselect());
    await page.tap('#fit');
    const [small, selected] = await seen();
    assert.ok(small < 10, `${small} pixels`);
    assert.deepEqual(selected, held);
    // A piece of the same player, which a tap on large squares would choose.
    await tap(0, 14, 'b1');
    const [large, kept] = await seen();
    assert.ok(large >= 40, `${large} pixels`);
    assert.deepEqual(kept, held);
    const [, , isInSight] = await square(0, 14, 'b1');
    assert.ok(isInSight);
  }
  await tap(0, 14, 'b1');
  assert.deepEqual((await seen())[1], [1, 0]);
  assert.deepEqual(await actions().then((all) => all.length), 12);
});

test('a finger that rests on a piece shows where it can go, and lets it go on its own square', async () => {
  const [x, y] = await square(0, 2, 'e2');
  await touch('touchStart', [x, y]);
  await page.waitForFunction(() => worldlines.board.view.marks.targets.length === 2);
  await touch('touchEnd');
  await tap(0, 2, 'e2');
  assert.equal(await page.evaluate(() => worldlines.board.view.marks.selected), undefined);
});

test('after the button with the pencil a finger draws arrows and circles, and two still zoom', async () => {
  await page.tap('#draw');
  const [e2, e4, d5] = [await square(0, 2, 'e2'), await square(0, 2, 'e4'), await square(0, 2, 'd5')];
  await stroke(e2.slice(0, 2), e4.slice(0, 2));
  await page.touchscreen.tap(d5[0], d5[1]);
  const shapes = () => page.evaluate(() => worldlines.board.document.tree.nodes['0'].shapes.map(({ kind }) => kind));
  assert.deepEqual(await shapes(), ['arrow', 'circle']);
  const { scale } = await camera();
  await touch('touchStart', [100, 300]);
  await touch('touchStart', [100, 300], [200, 300]);
  await touch('touchMove', [80, 300], [260, 300]);
  await touch('touchEnd');
  assert.ok((await camera()).scale > 1.3 * scale);
  assert.deepEqual(await shapes(), ['arrow', 'circle']);
  assert.deepEqual(await page.evaluate(() => worldlines.board.game.movesMade()), []);
  // Fingers have no Shift: the colour is chosen beside the board, and drawings are cleared there.
  await page.tap('#inks label >> nth=1');
  await stroke(d5.slice(0, 2), e4.slice(0, 2), 12, 120);
  assert.deepEqual(await page.evaluate(() => worldlines.board.document.tree.nodes['0'].shapes.map(({ color }) => color)), ['green', 'green', 'red']);
  const began = Date.now();
  await page.tap('#erase');
  await page.waitForFunction(() => worldlines.board.document.tree.nodes['0'].shapes.length === 0);
  await page.tap('#ink-done');
  assert.equal(await page.locator('#draw').getAttribute('aria-pressed'), 'false');
  assert.ok(await page.isHidden('#inks'));
  assert.ok(await page.isVisible('#toast') && Date.now() - began < 5_000);
});

test('a strip shows that there is a past, and leads there; what ends a game is at hand', async () => {
  await take(page, '1. e3 / Nf6 2. Qf3 / Nc6 3. Qf3>>(0T1)f5 / (1T1)e6');
  const isIn = (label) => page.evaluate(async (wanted) => {
    const view = await atRest();
    const [x, y] = view.pointOf({ ...view.scene.tiles.find((tile) => tile.label === wanted), square: [4, 4] });
    const { clientWidth, clientHeight } = document.getElementById('board');
    return x > 0 && y > 24 && x < clientWidth && y < clientHeight;
  }, label);
  assert.ok(!(await isIn('(0T1w)')));
  // The board fills the width beside the names of timelines, once the camera has come to rest.
  assert.ok((await page.evaluate(() => worldlines.board.view.scale * worldlines.board.view.scene.square)) >= 38);
  const strip = await page.locator('#overview').boundingBox();
  await page.touchscreen.tap(strip.x + 10, strip.y + 10);
  assert.ok(await isIn('(0T1w)'), 'the first board');
  await page.tap('#tab-play');
  const [resign, variant] = [await page.locator('#resign').boundingBox(), await page.locator('#variant').boundingBox()];
  assert.ok(resign.y < variant.y && resign.y + resign.height < 844);
  // A low panel has room for one of the two: what is asked comes before the list of actions, and after it once the panel is drawn up.
  await page.tap('#tab-analyse');
  const [list, ...asked] = await boxesOf('#history', '#engine', '#review', '#count', '#why', '#threat', '#passes');
  const [foot, sheet] = await boxesOf('.foot', '.sheet');
  for (const one of asked) assert.ok(one.top >= foot.bottom && one.bottom <= sheet.bottom && one.bottom <= list.top, JSON.stringify([foot, one, sheet, list]));
  await page.tap('#grip');
  const [above, engine] = await boxesOf('#history', '#engine');
  assert.ok(above.bottom <= engine.top, JSON.stringify([above, engine]));
});

test('what begins a game is in sight without scrolling, and what makes a study is above the answers', async () => {
  const inSight = (selector) =>
    page.evaluate((one) => {
      const [box, sheet] = [document.querySelector(one), document.querySelector('.sheet')].map((element) => element.getBoundingClientRect());
      return box.height > 0 && box.top >= sheet.top && box.bottom <= sheet.bottom;
    }, selector);
  await page.tap('#tab-play');
  await page.waitForTimeout(200);
  assert.ok(await inSight('#new'));
  // The opponent is chosen before the button that begins, and has Black until another choice says more.
  assert.ok(await inSight('#against'));
  const [against, begin, variant] = await boxesOf('#against', '#new', '#variant');
  assert.ok(against.right <= begin.left && begin.bottom <= variant.top, JSON.stringify([against, begin, variant]));
  await page.selectOption('#against', 'engine 50000');
  await page.tap('#new');
  const players = () => page.evaluate(() => worldlines.board.document.players);
  assert.deepEqual(await players(), { white: 'human', black: 'engine 50000' });
  await page.tap('#tab-play');
  await page.selectOption('#white', 'engine 5000');
  await page.waitForFunction(() => document.getElementById('against').value === '');
  await page.selectOption('#against', 'human');
  assert.deepEqual(await players(), { white: 'human', black: 'human' });
  await take(page, '1. e4 / e5');
  await page.tap('#tab-analyse');
  await page.waitForTimeout(200);
  await page.tap('#review');
  await page.waitForFunction(() => /in the list\.$|^No mistake/.test(document.getElementById('analysed').textContent));
  const [engine, study, said, review] = await boxesOf('.controls', '#study > summary', '#analysed', '#review-kept');
  assert.ok(engine.bottom <= study.top + 1 && study.bottom <= said.top + 1 && said.bottom <= review.top + 1, JSON.stringify([engine, study, said, review]));
});

test('a king beside the opponent changes the colour that is played, and the board turns to it', async () => {
  await page.tap('#tab-play');
  await page.waitForTimeout(200);
  assert.ok(!(await page.isVisible('#colour')));
  await page.selectOption('#against', 'engine 5000');
  await page.tap('#new');
  await page.tap('#tab-play');
  const [against, colour, begin] = await boxesOf('#against', '#colour', '#new');
  assert.ok(against.right <= colour.left && colour.right <= begin.left && colour.top < begin.bottom && begin.top < colour.bottom, JSON.stringify([against, colour, begin]));
  assert.match(await page.getAttribute('#colour', 'aria-label'), /^You play White/);
  const picture = () => page.locator('#colour').innerHTML();
  const figure = await picture();
  await page.evaluate(() => worldlines.board.settings.set('pieces', 'letters'));
  assert.notEqual(await picture(), figure);
  await page.evaluate(() => worldlines.board.settings.set('pieces', 'figures'));
  await page.tap('#colour');
  await page.waitForFunction(() => worldlines.board.actions.length === 1);
  const { players, flipped } = await page.evaluate(() => worldlines.board.document);
  assert.deepEqual([players, flipped], [{ white: 'engine 5000', black: 'human' }, true]);
  // The game goes on as it is: the other colour is for the next one.
  await page.tap('#colour');
  assert.deepEqual(await page.evaluate(() => worldlines.board.document.players), players);
  await page.tap('#new');
  assert.deepEqual(await page.evaluate(() => [worldlines.board.document.players, worldlines.board.document.flipped]), [{ white: 'human', black: 'engine 5000' }, false]);
});

test('a finger drags pieces from the palette to squares, from square to square, and off the board', async () => {
  await page.tap('#tab-setup');
  await page.fill('#files', '4');
  await page.fill('#ranks', '4');
  await page.tap('#empty');
  await page.waitForFunction(() => worldlines.board.view.scene.files === 4);
  const middle = async (name) => {
    await page.locator(`#palette [aria-label="${name}"]`).evaluate((one) => one.parentElement.scrollIntoView({ block: 'center' }));
    const { x, y, width, height } = await page.locator(`#palette label:has([aria-label="${name}"])`).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const at = async (name) => (await square(0, 2, name)).slice(0, 2);
  const boards = () => page.inputValue('#fen');
  await stroke(await middle('white king'), await at('b3'));
  await page.waitForFunction(() => /\[4\/1K2\/4\/4:/.test(document.getElementById('fen').value));
  await stroke(await middle('white rook'), await at('d1'));
  await page.waitForFunction(() => /\[4\/1K2\/4\/3R:/.test(document.getElementById('fen').value));
  await stroke(await at('d1'), await at('d2'));
  await page.waitForFunction(() => /\[4\/1K2\/3R\/4:/.test(document.getElementById('fen').value));
  // A piece on its own kind stays one; a press still puts the chosen piece; what is let go beside the palette is nowhere.
  await stroke(await middle('white rook'), await at('d2'));
  await stroke(await middle('black queen'), [20, 20]);
  assert.match(await boards(), /\[4\/1K2\/3R\/4:/);
  assert.equal(await page.locator('.carried').count(), 0);
  await stroke(await at('d2'), [195, 20], 6, 120);
  await page.waitForFunction(() => /\[4\/1K2\/4\/4:/.test(document.getElementById('fen').value));
  await page.tap('#undo');
  await page.waitForFunction(() => /\[4\/1K2\/3R\/4:/.test(document.getElementById('fen').value));
  assert.deepEqual(phone.errors, []);
});

test('a piece that is chosen in the palette leaves the panel where it is', async () => {
  await page.tap('#tab-setup');
  const scrolled = () => page.evaluate(() => document.querySelector('.sheet').scrollTop);
  for (const [index, above] of [[8, 0], [9, 10], [15, -5], [20, -110]]) {
    await page.evaluate(([nth, pixels]) => {
      const [label, sheet] = [document.querySelectorAll('#palette label')[nth], document.querySelector('.sheet')];
      sheet.scrollTop += label.getBoundingClientRect().top - sheet.getBoundingClientRect().top + pixels;
    }, [index, above]);
    const before = await scrolled();
    const { x, y, height } = await page.locator('#palette label').nth(index).boundingBox();
    await page.touchscreen.tap(x + 20, y + height - 8);
    await page.waitForTimeout(100);
    assert.ok(await page.locator('#palette input').nth(index).isChecked());
    assert.equal(await scrolled(), before, `piece ${index}`);
  }
  // Keys still go from piece to piece, and to those out of sight.
  await page.keyboard.press('ArrowLeft');
  assert.ok(await page.locator('#palette input').nth(19).isChecked());
});

test('what is typed into a field with a number takes its place', async () => {
  for (const [tab, id, typed] of [['setup', 'files', '5'], ['setup', 's-timeline', '-1'], ['analyse', 'mate-in', '3']]) {
    await page.evaluate((name) => worldlines.board.openTab(name), tab);
    await page.locator(`#${id}`).tap();
    await page.keyboard.type(typed);
    assert.equal(await page.inputValue(`#${id}`), typed, id);
  }
});

test('a game in the clipboard is pasted and opened by one press', async () => {
  const clipboard = (held) => page.evaluate((text) => {
    navigator.clipboard.readText = async () => {
      if (text === undefined) throw new DOMException('no', 'NotAllowedError');
      return text;
    };
  }, held);
  const paste = async (held, said) => {
    await clipboard(held);
    await page.tap('#t-paste');
    await page.waitForFunction((start) => document.getElementById('text-said').textContent.startsWith(start), said);
    if (!held?.trim()) assert.ok(await inPanel('#text-said'));
  };
  await page.tap('#tab-text');
  assert.ok(await inPanel('#t-paste'));
  await paste(undefined, 'The browser does not let this page read the clipboard.');
  await paste(' ', 'There is no text in the clipboard.');
  assert.deepEqual(await actions(), []);
  await paste('1. e4 / e5 2. Nf3', 'Read 3 actions.');
  assert.equal((await actions()).length, 3);
  assert.equal(await page.inputValue('#text'), '1. e4 / e5 2. Nf3');
  await page.tap('#toast-act');
  assert.deepEqual(await actions(), []);
  // What is no game stands in the field, with what is wrong with it.
  await clipboard('1. e4 / e5 2. Nf6');
  await page.tap('#t-paste');
  await page.waitForFunction(() => document.getElementById('text-said').className === 'bad' && document.getElementById('text').value.endsWith('Nf6'));
  assert.ok(await inPanel('#text-said'));
  assert.deepEqual(phone.errors, []);
});

test('a lesson is opened and solved with a thumb', async () => {
  await page.tap('#tab-puzzles');
  await page.waitForSelector('#lessons:not([hidden])');
  await page.tap('#lesson-list button >> nth=0');
  await page.waitForFunction(() => worldlines.board.document.puzzle !== undefined && !document.getElementById('puzzle').hidden);
  const [, from, to] = await page.evaluate(async () => {
    const { puzzleSolution } = worldlines.library;
    const { id } = worldlines.board.document.puzzle;
    const [first] = puzzleSolution(await (await fetch(`puzzles/${id}.yaml`)).text());
    return /\)[A-Z]?([a-h]\d)x?([a-h]\d)/.exec(first);
  });
  await tap(0, 2, from);
  await tap(0, 2, to);
  await page.waitForFunction(() => /Solved/.test(document.getElementById('puzzle-said').textContent));
  await page.tap('#puzzle-next');
  await page.waitForFunction(() => document.getElementById('puzzle-next').hidden);
  assert.deepEqual(phone.errors, []);
});

test('everything that is pressed is large enough for a finger, and nothing leaves the screen', async () => {
  for (const tab of ['play', 'analyse', 'puzzles', 'author', 'setup', 'text']) {
    await page.evaluate((name) => {
      worldlines.open(name);
      document.querySelector('aside').classList.remove('folded');
    }, tab);
    const wrong = await page.evaluate(() => {
      const small = [...document.querySelectorAll('button, select, input:not([type=checkbox], [type=radio]), [role=tab]')].filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        // The actions of a list lie close to each other, as lines of a text.
        return one.checkVisibility() && !one.closest('#history') && (width < 36 || height < 40);
      });
      return [...small.map((one) => `${one.id || one.textContent}: small`), document.documentElement.scrollWidth > innerWidth && 'wide'].filter(Boolean);
    });
    assert.deepEqual(wrong, [], tab);
  }
});

test('who resigns sees the end of the game', async () => {
  await take(page, '1. e4 / e5');
  await page.evaluate(() => document.querySelector('aside').classList.remove('folded'));
  await page.tap('#resign');
  assert.ok(await page.isVisible('#result'));
  assert.match(await text(page, 'result'), /^Black has won/);
});

test('at the end of a game the panels are a tap away, and what its buttons show is shown', async () => {
  const end = async () => {
    await take(page, '1. e3 / f6 2. Qe2 / Nc6');
    await page.evaluate(() => worldlines.board.play('Qh5'));
    await page.waitForFunction(() => /attacks/.test(document.getElementById('result').textContent));
  };
  await end();
  const banner = await page.locator('#result').boundingBox();
  assert.ok(banner.height < 165, `the end takes ${banner.height} pixels`);
  const bar = await page.locator('.bar').boundingBox();
  assert.ok(bar.y >= banner.y + banner.height - 1, 'nothing lies under it');
  await page.tap('#tab-play');
  for (const id of ['variant', 'new', 'typed-move']) {
    const isOnTop = await page.locator(`#${id}`).evaluate((one) => {
      one.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    assert.ok(isOnTop, id);
  }
  await page.tap('#tab-play');
  assert.ok(await page.isVisible('#result'), 'it is there again when the panel is folded');
  await page.tap('#result button:text-is("Why?")');
  await page.waitForFunction(() => /^Checkmate/.test(document.getElementById('analysed').textContent));
  assert.ok(await page.isVisible('#analysed'));
  await page.tap('#tab-analyse');
  await end();
  await page.tap('#result button:text-is("Review")');
  await page.waitForFunction(() => document.getElementById('graph').checkVisibility());
});

test('a threat is drawn where it is seen', async () => {
  await take(page, '1. e4 / e5 2. Qh5 / Nc6 3. Bc4');
  await page.tap('#tab-analyse');
  await page.tap('#threat');
  await page.waitForFunction(() => worldlines.board.view.marks.threats.length > 0 && !document.getElementById('found').hidden && document.getElementById('found').children.length > 0);
  const [x, y, board, width, height] = await page.evaluate(async () => {
    const view = await atRest();
    const { clientWidth, clientHeight } = document.getElementById('board');
    const { scale } = view;
    const [ghost] = view.marks.ghosts;
    const [left, top] = view.pointOf({ timeline: 0, halfTurn: 7, square: [0, 7] });
    const last = view.tile(0, 7);
    return [left + (ghost.x - last.x) * scale, top + (ghost.y - last.y) * scale, 8 * view.scene.square * scale, clientWidth, clientHeight];
  });
  assert.ok(x > 0 && x + board < width + 20 && y > 0 && y + board < height + 20, `${[x, y, board]} of ${[width, height]}`);
  // The board after a pass, which came with the threat, leaves with it, and so does what the engine says.
  await page.tap('#engine');
  await page.waitForFunction(() => worldlines.board.view.marks.hints.length > 0);
  await page.tap('#tab-play');
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => [worldlines.board.view.marks.ghosts.length, worldlines.board.view.marks.hints.length, document.getElementById('evaluation').hidden]), [0, 0, true]);
});

test('the comment and its buttons stand above the tabs', async () => {
  await page.evaluate(() => worldlines.board.play('e4'));
  for (const tab of ['play', 'analyse']) {
    await page.tap(`#tab-${tab}`);
    await page.evaluate(() => document.querySelector('aside').classList.remove('folded'));
    await page.tap('#note-open');
    const tabs = await page.locator('[role=tablist]').boundingBox();
    for (const id of ['comment', 'promote', 'copy-line', 'delete']) {
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box.y + box.height <= tabs.y + 1, `${id} ends at ${box.y + box.height}, and the tabs begin at ${tabs.y}`);
    }
    await page.tap('#note-open');
  }
});

test('how the game stands is whole in the header, in both languages', async () => {
  const languages = ['en', 'de'];
  for (const language of languages) {
    const long = await page.evaluate(async (name) => {
      const { LANGUAGES } = await import('./source/js/language.js');
      const { standing, white, black } = await LANGUAGES[name].texts();
      const place = document.getElementById('standing');
      const header = document.querySelector('header');
      const height = header.clientHeight;
      return [standing.stalemate, standing.settingUp, ...[white, black].flatMap((player) => [standing.checkmate(player), standing.softmate(player), standing.ongoing(player, true)])].filter((said) => {
        place.textContent = said;
        return place.scrollWidth > place.clientWidth || place.offsetHeight > height || header.clientHeight !== height;
      });
    }, language);
    assert.deepEqual(long, [], language);
  }
});

test('neither the bar nor the boards move while an action is entered', async () => {
  await take(page, '[Board "Standard - Two Timelines"]');
  const sees = () => page.evaluate(async () => {
    const view = await atRest();
    const [bar, canvas] = [document.querySelector('.bar'), document.getElementById('board')].map((one) => one.getBoundingClientRect());
    return [bar.top, bar.height, canvas.height, view.scale * view.scene.square].map(Math.round);
  });
  const before = await sees();
  assert.ok(before[3] >= 28, `squares of ${before[3]} pixels`);
  await page.evaluate(() => worldlines.board.make(worldlines.board.game.movesFrom(0, 2).moves[0]));
  await page.waitForTimeout(300);
  assert.deepEqual((await sees()).slice(0, 3), before.slice(0, 3));
});

test('the colours to draw with cover no board and move none, with the panel folded and unfolded', async () => {
  for (const isOpen of [false, true]) {
    if (isOpen) await page.tap('#tab-play');
    await page.waitForTimeout(150);
    const before = [await boxesOf('#board', '.bar'), await boards()];
    await page.tap('#draw');
    assert.deepEqual([await boxesOf('#board', '.bar'), await boards()], before);
    const [inks, canvas] = await boxesOf('#inks', '#board');
    assert.ok(inks.bottom > inks.top && areApart(inks, canvas), JSON.stringify([inks, canvas]));
    await page.tap('#ink-done');
  }
});

test('the list under Analyse has five rows in a panel that is drawn up', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. Bc4 / Bc5 4. c3 / Nf6 5. d3 / d6 6. h3 / h6');
  await page.tap('#tab-analyse');
  await page.tap('#grip');
  const [list, row] = await page.evaluate(() => [document.getElementById('history').clientHeight, document.querySelector('#history [data-node]').offsetHeight]);
  assert.ok(list >= 5 * row, `${list} for rows of ${row}`);
  // What signs mean is asked in the row of the steps.
  await take(page, '1. e3 / f6 2. Qh5');
  const [first, signs, note] = await page.evaluate(() => ['first', 'signs-open', 'note-open'].map((id) => document.getElementById(id).getBoundingClientRect().bottom));
  assert.deepEqual([signs, note], [first, first]);
});

test('the list stands at the current action when it is unfolded, and above an open note', async () => {
  const moves = Array.from({ length: 14 }, (_, index) => `${index + 1}. ${index % 2 ? 'Ng1' : 'Nf3'} / ${index % 2 ? 'Ng8' : 'Nf6'}`).join(' ');
  await take(page, moves);
  const isSeen = () => page.evaluate(() => {
    const [list, current] = [document.getElementById('history'), document.querySelector('#history [aria-current]')].map((one) => one.getBoundingClientRect());
    return list.height > 0 && current.top >= list.top - 1 && current.bottom <= list.bottom + 1;
  });
  for (const tab of ['play', 'analyse']) {
    await page.tap(`#tab-${tab}`);
    await page.waitForFunction(() => document.getElementById('history').offsetHeight > 0);
    await page.waitForTimeout(100);
    assert.ok(await isSeen(), tab);
  }
  await page.tap('#note-open');
  await page.waitForTimeout(100);
  assert.ok(await isSeen(), 'above a note');
});

test('a study is made with fingers: a variation, a comment, a glyph, an arrow, and all of it as text', async () => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      globalThis.copied = text;
    };
  });
  await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. Bc4 / Bc5');
  await page.tap('#tab-analyse');
  assert.match(await text(page, 'study'), /Make a study/);
  await page.locator('#history [data-node]', { hasText: 'Bc4' }).tap();
  await tap(0, 7, 'g8');
  await tap(0, 7, 'f6');
  await page.tap('#submit');
  await page.tap('#note-open');
  assert.equal(await text(page, 'note-on'), 'On 3… Nf6');
  await page.tap('#glyphs [data-glyph="5"]');
  await page.fill('#comment', 'Two knights');
  await page.tap('#promote');
  assert.ok(await page.isDisabled('#promote'), 'it is the main line now');
  await page.tap('#note-open');
  await page.tap('#study summary');
  await page.tap('#study-draw');
  // The panel makes room for the board, and is there again when that is done.
  assert.ok(await page.isHidden('#panel-analyse'));
  const [from, to] = [await square(0, 8, 'd2'), await square(0, 8, 'd3')];
  await stroke(from.slice(0, 2), to.slice(0, 2), 6, 120);
  await page.tap('#ink-done');
  assert.ok(await page.isVisible('#panel-analyse') && (await page.isHidden('#inks')));
  await page.tap('#study-copy');
  await page.waitForFunction(() => globalThis.copied !== undefined);
  assert.match(await page.evaluate(() => globalThis.copied), /\(3b\. \(0T3\)Bf8c5[^]*3b\. \(0T3\)Ng8f6!\? \{Two knights\}[^]*%cal G\(0T4w\)d2/);
  assert.deepEqual(phone.errors, []);
});

test('a button that was tapped looks as before, and the tour covers no board', async () => {
  const look = () => page.locator('#flip').evaluate((one) => getComputedStyle(one).backgroundColor);
  const before = await look();
  await page.tap('#flip');
  await page.tap('#flip');
  await page.waitForFunction(() => !document.querySelector('#flip:active'));
  assert.equal(await look(), before);
  await page.evaluate(() => localStorage.clear());
  await phone.go();
  for (let step = 1; ; step++) {
    const [, top] = await square(0, 2, 'a8');
    const [, bottom] = await square(0, 2, 'a1');
    const box = await page.locator('#tour').boundingBox();
    assert.ok(box.y + box.height < top - 10 || box.y > bottom + 10, `step ${step}: ${[box.y, box.height]} over ${[top, bottom]}`);
    if ((await text(page, 'tour-next')) === 'Begin') break;
    await page.tap('#tour-next');
  }
});

test('how a piece moves covers no board, no control, and not the picture of the multiverse', async () => {
  for (const [game, isOpen] of [['[Board "Standard - Two Timelines"]', false], ['1. e4 / e5', false], ['1. e4 / e5', true]]) {
    await take(page, game);
    if (isOpen) await page.tap('#tab-play');
    await tap(0, isOpen || game.startsWith('1') ? 4 : 2, 'b1');
    await page.waitForFunction(() => /^Knight: /.test(document.getElementById('piece-is').textContent), undefined, { timeout: 5000 });
    const [quiet, header, bar, aside] = await boxesOf('.quiet', 'header', '.bar', 'aside');
    for (const one of [header, bar, aside, ...(await boards())]) assert.ok(areApart(quiet, one), `${JSON.stringify([quiet, one])} of ${game}, ${isOpen}`);
  }
});

test('an unfolded panel leaves more than half of the height to the board, at its full width', async () => {
  for (const tab of ['play', 'analyse', 'puzzles', 'author', 'setup', 'text']) {
    await page.tap(`#tab-${tab}`);
    await page.waitForTimeout(100);
    const [canvas, submit, panel, tabs] = await boxesOf('#board', '#submit', '.sheet', '[role=tablist]');
    assert.ok(canvas.bottom - canvas.top >= 0.55 * 844, `${tab}: ${canvas.bottom - canvas.top} pixels`);
    assert.ok(submit.top >= canvas.bottom && submit.bottom <= panel.top + 1 && submit.bottom > 844 / 2, `${tab}: ${JSON.stringify([submit, panel])}`);
    assert.ok(panel.bottom - panel.top >= 150 && panel.bottom <= tabs.top + 1, `${tab}: ${JSON.stringify([panel, tabs])}`);
    const [one] = await boards();
    assert.ok(one.left >= 0 && one.right <= 390 && (await page.evaluate(() => worldlines.board.view.scale * worldlines.board.view.scene.square)) >= 40, tab);
    assert.ok(await page.evaluate(() => document.querySelector('.sheet').scrollHeight > document.querySelector('.sheet').clientHeight && document.documentElement.scrollHeight === innerHeight), tab);
  }
});

test('a panel is drawn up and down by its upper edge, or by a press on it', async () => {
  await page.tap('#tab-analyse');
  const [half] = await boxesOf('aside');
  const top = async () => (await boxesOf('aside'))[0].top;
  const edge = async () => {
    const { x, y, width, height } = await page.locator('#grip').boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await page.tap('#grip');
  const tall = await top();
  assert.ok(tall < half.top - 150, `${tall} ${half.top}`);
  assert.equal(await page.getAttribute('#grip', 'aria-expanded'), 'true');
  await page.tap('#grip');
  assert.equal(await top(), half.top);
  const [x, y] = await edge();
  await stroke([x, y], [x, y - 200], 6, 150);
  assert.equal(await top(), tall);
  const [, at] = await edge();
  await stroke([x, at], [x, at + 190], 6, 150);
  assert.equal(await top(), half.top);
  await stroke([x, y], [x, y + 180], 6, 150);
  assert.ok(await page.isHidden('#panel-analyse'), 'it is folded');
  await page.tap('#tab-analyse');
  assert.equal(await top(), half.top);
});

test('beneath a folded panel and in every tab with a game there are steps through it', async () => {
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  const count = () => page.evaluate(() => worldlines.board.actions.length);
  const go = async (what) => {
    for (const [id, left] of [['first', 0], ['forward', 1], ['last', 4], ['back', 3], ['last', 4]]) {
      await page.tap(`#${id}`);
      assert.equal(await count(), left, `${id}: ${what}`);
    }
    const [steps, canvas, map] = await boxesOf('.steps', '#board', '.map');
    assert.ok(areApart(steps, canvas) && areApart(steps, map), what);
  };
  await go('folded');
  for (const tab of ['analyse', 'puzzles', 'author', 'text']) {
    await page.tap(`#tab-${tab}`);
    await go(tab);
    await page.tap(`#tab-${tab}`);
    await go(`${tab}, folded`);
  }
  // Pieces that are set up have no actions.
  await page.tap('#tab-setup');
  assert.ok(await page.isHidden('.steps'));
});

test('the board and what a review says of its action are seen together, and steps change both', async () => {
  await take(page, '1. e4 / e5 2. Bc4 / Nc6 3. Qh5 / Nf6 4. a3');
  await page.tap('#tab-analyse');
  await page.tap('#review');
  await page.waitForFunction(() => document.querySelectorAll('#faults li').length > 0 && !document.getElementById('verdict').hidden, undefined, { timeout: 60_000 });
  const isSeen = async () => {
    const [verdict, canvas, tabs] = await boxesOf('#verdict', '#board', '[role=tablist]');
    return verdict.bottom - verdict.top > 30 && areApart(verdict, canvas) && verdict.bottom <= tabs.top + 1 && canvas.bottom - canvas.top > 390;
  };
  for (const isFolded of [false, true]) {
    if (isFolded) await page.tap('#tab-analyse');
    await page.evaluate(() => worldlines.board.step('end'));
    /** The verdicts from the end to the start. */
    const said = [];
    const heights = new Set();
    for (let step = 0; step < 7; step += 1) {
      said.unshift(await text(page, 'verdict'));
      assert.ok(await isSeen(), `${said[0]}, ${isFolded}`);
      heights.add(JSON.stringify(await boxesOf('#board', '#verdict')));
      await page.tap('#back');
    }
    assert.equal(heights.size, 1, 'nothing moves');
    assert.match(said[5], /^3… Nf6\?\? Blunder, \d+\s% → \d+\s%; better: \S/);
    assert.match(said[0], /^1\. e4 White's chance to win: \d+\s%/);
    // A press draws what was better, on the position before, and what is said stays.
    await page.tap('#last');
    await page.tap('#back');
    await page.tap('#verdict');
    assert.equal(await page.evaluate(() => worldlines.board.actions.length), 5);
    assert.ok(await page.evaluate(() => worldlines.board.view.scene.arrows.some(({ kind }) => kind === 'planned')));
    assert.equal(await text(page, 'verdict'), said[5]);
  }
  // A variation has none, and no room that is kept for it.
  await page.evaluate(() => worldlines.board.play('Qe7'));
  assert.deepEqual(await page.evaluate(() => [worldlines.board.document.tree.nodes[worldlines.board.document.at].children.length, document.getElementById('verdict').offsetHeight]), [0, 0]);
  await page.tap('#back');
  assert.ok(await isSeen());
  // In the unfolded panel an answer begins beneath what the review says, and not under it.
  await page.tap('#tab-analyse');
  await page.tap('#threat');
  await page.waitForFunction(() => /^After a pass/.test(document.getElementById('analysed').textContent));
  await page.waitForTimeout(200);
  const [foot, answered] = await boxesOf('.foot', '#analysed');
  assert.ok(answered.top >= foot.bottom - 1, JSON.stringify([foot, answered]));
  assert.deepEqual(phone.errors, []);
});

/** Where the list, the note and the current action are on the page. */
const places = () => page.evaluate(() => ['#history', '#note', '#history [aria-current]', '.bar'].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));

test('a long list stays in its place above an open note, scrolls there, and shows the current action', async () => {
  await take(page, Array.from({ length: 14 }, (_, index) => `${index + 1}. ${index % 2 ? 'Ng1' : 'Nf3'} / ${index % 2 ? 'Ng8' : 'Nf6'}`).join(' '));
  await page.tap('#tab-analyse');
  await page.tap('#note-open');
  for (const way of ['start', 'end']) {
    await page.evaluate((to) => worldlines.board.step(to), way);
    if (way === 'start') await page.tap('#forward');
    await page.waitForTimeout(100);
    const [list, note, current, bar] = await places();
    assert.ok(list[0] >= bar[1] - 1 && list[1] <= note[0] && list[1] - list[0] >= 70, `${way}: ${[list, note, bar]}`);
    assert.ok(current[0] >= list[0] - 1 && current[1] <= list[1] + 1, `${way}: ${current} in ${list}`);
  }
  assert.ok(await page.evaluate(() => document.getElementById('history').scrollHeight > document.getElementById('history').clientHeight));
});

test('the picture is the same after panels were unfolded and folded, and all boards fill what room there is', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3 / h6 5. h4 / h5');
  const looks = async () => {
    await page.waitForTimeout(150);
    return page.evaluate(async () => {
      const view = await atRest();
      return [view.scale, ...view.pointOf({ timeline: 0, halfTurn: 2, square: [0, 0] })].map((one) => Math.round(one * 1_000));
    });
  };
  const toggles = async (said) => {
    const pictures = [await looks()];
    for (let time = 0; time < 4; time++) {
      await page.tap('#tab-analyse');
      pictures.push(await looks());
    }
    assert.deepEqual(pictures.slice(2), [pictures[0], pictures[1], pictures[0]], said);
    return pictures;
  };
  await page.tap('#tab-analyse');
  await page.tap('#fit');
  const [open] = await toggles('all boards');
  await page.evaluate(() => worldlines.board.view.zoom(1.7));
  const [chosen] = await toggles('what somebody chose');
  await page.tap('#study summary');
  for (let time = 0; time < 2; time++) {
    await page.tap('#study-draw');
    await looks();
    await page.tap('#ink-done');
    assert.deepEqual(await looks(), chosen, 'after drawing');
  }
  await page.tap('#tab-analyse');
  await page.tap('#fit');
  const large = await looks();
  await page.tap('#tab-analyse');
  assert.deepEqual(await looks(), open, 'all boards, from more room');
  await page.tap('#tab-analyse');
  assert.deepEqual(await looks(), large);
});

test('the bar of the engine cuts no board that was whole', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3 / h6');
  await page.tap('#tab-analyse');
  await page.locator('#history [data-node]', { hasText: 'h6' }).tap();
  const right = () => page.evaluate(async () => {
    const view = await atRest();
    const { square, frame, files } = view.scene;
    return document.getElementById('board').clientWidth - view.pointOf({ timeline: 0, halfTurn: 10, square: [files - 1, 0] })[0] - (square / 2 + frame) * view.scale;
  });
  assert.ok((await right()) >= 8);
  await page.evaluate(() => worldlines.board.view.pan(10, 0));
  await page.evaluate(() => worldlines.board.view.pan(-10, 0));
  await page.tap('#engine');
  await page.waitForFunction(() => document.getElementById('evaluation').offsetWidth > 0);
  await page.waitForTimeout(200);
  assert.ok((await right()) >= 8, `${await right()} pixels beside it`);
});

test('after the solution of a puzzle a thumb goes through it, and before that no legend stands without its list', async () => {
  await phone.fresh('#puzzle=one-knight-four-mates');
  await page.waitForFunction(() => !document.getElementById('puzzle').hidden && worldlines.board.mayPlay());
  for (const id of ['history', 'first', 'signs', 'signs-open']) assert.ok(await page.isHidden(`#${id}`), id);
  await page.tap('#solution');
  await page.waitForFunction(() => document.getElementById('forward').disabled);
  assert.ok(await page.isVisible('#history'));
  const end = await actions();
  await page.tap('#first');
  assert.ok((await actions()).length < end.length);
  await page.tap('#last');
  assert.deepEqual(await actions(), end);
  assert.deepEqual(phone.errors, []);
});

test('a message covers no board and no button but those of the header, and goes when a piece is set up', async () => {
  const texts = await page.evaluate(async () => {
    const { LANGUAGES } = await import('./source/js/language.js');
    const languages = await Promise.all(Object.values(LANGUAGES).map(({ texts }) => texts()));
    return languages.flatMap(({ puzzles, page: { linkOpened }, setup, board }) => [[puzzles.slower('Black', '(0T1)Ka4a3', 2, 1), puzzles.showWhy], [board.pinch], [linkOpened(true, []), 'Undo'], [setup.emptied, 'Undo']]);
  });
  const [place] = await boards();
  for (const [said, label] of texts) {
    await page.evaluate(async ([text, act]) => (await import('./source/js/dom.js')).toast(text, act && (() => {}), { label: act }), [said, label]);
    const [toast, canvas] = await boxesOf('#toast', '#board');
    assert.ok(areApart(toast, place) && toast.bottom <= canvas.top + 26, `${said} ${JSON.stringify([toast, canvas])}`);
  }
  await page.tap('#tab-setup');
  await page.tap('#empty');
  assert.ok(await page.isVisible('#toast'));
  for (const tall of [false, true]) {
    if (tall) await page.tap('#grip');
    await page.waitForTimeout(150);
    const [toast, board] = [(await boxesOf('#toast'))[0], (await boards())[0]];
    assert.ok(areApart(toast, board), `${JSON.stringify([toast, board])} ${tall}`);
  }
  const covered = await page.evaluate(() => {
    const over = document.getElementById('toast').getBoundingClientRect();
    return [...document.querySelectorAll('button, input, select, summary, [role=tab]')].filter((one) => {
      const box = one.getBoundingClientRect();
      return one.checkVisibility() && !one.closest('#toast, header') && box.top < over.bottom && box.bottom > over.top;
    }).map(({ id }) => id);
  });
  assert.deepEqual(covered, []);
  await tap(0, 2, 'h8');
  assert.ok(await page.isHidden('#toast'));
});

/** Makes a move that answers a puzzle, or another one. */
const answer = (wanted) => page.evaluate(async (isRight) => {
  const { board } = worldlines;
  const { puzzleSolution } = worldlines.library;
  const [answer] = puzzleSolution(await (await fetch(`puzzles/${board.document.puzzle.id}.yaml`)).text());
  const tile = board.view.scene.tiles.find(({ duty }) => duty === 'must');
  board.make(board.game.movesFrom(tile.timeline, tile.halfTurn).moves.find(({ id }) => {
    const copy = board.game.copy();
    copy.makeMove(id);
    return copy.whyNot() === undefined && (copy.movesMade()[0] === answer) === isRight;
  }));
}, wanted);

/** Opens the first lesson with the panel unfolded. */
async function openLesson() {
  await page.tap('#tab-puzzles');
  await page.waitForSelector('#lessons:not([hidden])');
  await page.tap('#lesson-list button >> nth=0');
  await page.waitForFunction(() => !document.getElementById('puzzle').hidden && worldlines.board.mayPlay());
}

/** Whether elements are wholly in sight in the panel, between the steps and the tabs. */
async function inPanel(...selectors) {
  await page.waitForTimeout(100);
  const [foot, tabs, ...all] = await boxesOf('.foot', '[role=tablist]', ...selectors);
  return all.every(({ top, bottom }) => bottom > top && top >= foot.bottom - 1 && bottom <= tabs.top + 1);
}

test('what is asked and its hints stand above the text of a lesson', async () => {
  await openLesson();
  await page.evaluate(() => (document.getElementById('puzzle-before').textContent = 'A long text. '.repeat(60)));
  assert.ok(await inPanel('#puzzle-title', '#puzzle-goal', '#hint'));
});

for (const language of ['en', 'de']) {
  test(`what comes of answers and hints is in sight in the panel, with what belongs to it: ${language}`, async () => {
    await phone.go(`?language=${language}`);
    await page.evaluate(() => worldlines.modes.puzzles.ask('princess-brawn-in-1-21ad'));
    await page.tap('#tab-puzzles');
    await page.waitForFunction(() => !document.getElementById('puzzle').hidden && worldlines.board.mayPlay());
    assert.ok(await inPanel('#puzzle-title'), 'it begins at its title');
    await answer(false);
    await page.waitForSelector('#refute:visible');
    assert.ok(await inPanel('#puzzle-said', '#refute', '#puzzle-rated'));
    await page.waitForFunction(() => worldlines.board.mayPlay() && worldlines.board.game.movesMade().length === 0);
    assert.ok(await inPanel('#puzzle-said', '#refute', '#puzzle-rated'), 'it stays there');
    for (let hints = 1; hints <= 4; hints += 1) {
      await page.evaluate(() => document.querySelector('.sheet').scrollTo(0, 0));
      await page.tap('#hint');
      assert.ok(await inPanel('#puzzle-said'), `hint ${hints}`);
    }
    await answer(true);
    await page.waitForSelector('#puzzle-next:visible');
    assert.ok(await inPanel('#puzzle-said', '#puzzle-next'), 'solved');
    assert.deepEqual(phone.errors, []);
  });
}

test('with the panel folded a puzzle says its verdicts, and leads on when it is solved', async () => {
  await openLesson();
  const title = await text(page, 'puzzle-title');
  await page.tap('#tab-puzzles');
  await answer(false);
  await page.waitForFunction(() => /^(Wrong|Too slow): /.test(document.getElementById('toast').textContent), undefined, { timeout: 20_000 });
  await page.waitForFunction(() => worldlines.board.mayPlay() && worldlines.board.game.movesMade().length === 0);
  // What refutes it is shown from there too, with a way back.
  const stood = await page.evaluate(() => worldlines.board.document.at);
  assert.equal(await text(page, 'toast-act'), 'Show me why');
  await page.tap('#toast-act');
  await page.waitForFunction((at) => worldlines.board.document.at !== at, stood);
  assert.equal(await text(page, 'toast-act'), 'Back to the puzzle');
  await page.tap('#toast-act');
  await page.waitForFunction((at) => worldlines.board.document.at === at && worldlines.board.mayPlay(), stood);
  assert.ok(await page.evaluate(() => document.getElementById('toast').hidden));
  await answer(true);
  await page.waitForFunction(() => /Solved!/.test(document.getElementById('toast').textContent), undefined, { timeout: 20_000 });
  assert.equal(await text(page, 'toast-act'), 'Next lesson');
  await page.tap('#toast-act');
  await page.waitForFunction((before) => document.getElementById('puzzle-title').textContent !== before, title);
  assert.ok(await page.evaluate(() => document.getElementById('toast').hidden));
  assert.deepEqual(phone.errors, []);
});

test('of an action with many moves the bar names as many as it has room for', async () => {
  const boards = [-2, -1, 0, 1].map((timeline) => `[k*7/p*7/8/8/8/8/P*7/K*7:${timeline}:1:w]`);
  await take(page, `[Board "custom"]\n[Size "8x8"]\n${boards.join('\n')}`);
  const bar = () => page.evaluate(() => {
    const made = document.getElementById('made');
    return [made.textContent, made.offsetHeight <= made.parentElement.clientHeight, made.parentElement.scrollHeight <= made.parentElement.clientHeight + 1];
  });
  for (let moves = 1; moves <= 4; moves += 1) {
    await page.evaluate(() => {
      const { board } = worldlines;
      const tile = board.view.scene.tiles.find(({ duty }) => duty === 'must');
      board.make(board.game.movesFrom(tile.timeline, tile.halfTurn).moves[0]);
    });
  }
  const [made, fits, isWhole] = await bar();
  assert.match(made, /^\(-2T1\)\S+ .*and [12] more$/);
  assert.ok(fits && isWhole, 'no line is cut');
  assert.equal(await page.evaluate(() => document.getElementById('made').title.split(' ').length), 4);
});

/** Four boards, the lowest with a rook that gives check, and actions made on some of them that do not help. */
async function leaveInCheck(boards) {
  await take(page, `[Board "custom"]\n[Size "8x8"]\n${[-2, -1, 0, 1].map((timeline) => `[k${timeline === -2 ? '3r3' : '7'}/p7/8/8/8/8/P7/4K3:${timeline}:1:w]`).join('\n')}`);
  await page.evaluate(async (count) => {
    const session = await import('./source/js/session.js');
    const { board } = worldlines;
    const copy = board.game.copy();
    for (let timeline = -2; timeline < count - 2; timeline += 1) copy.move(`(${timeline}T1)a2a3`);
    const made = copy.movesMade();
    copy.free();
    board.edit((document) => session.withMoves(document, made), { sight: 'keep' });
    board.view.reveal(board.view.scene.tiles.at(-1), { jump: true });
  }, boards);
}

test('the grey Submit says what is missing, and goes there', async () => {
  const isSeen = (timeline) => page.evaluate(async (wanted) => {
    const view = await atRest();
    const { height } = view.stage;
    return view.scene.tiles.filter((tile) => tile.timeline === wanted).some((tile) => view.pointOf({ ...tile, square: [4, 0] })[1] < height && view.pointOf({ ...tile, square: [4, 7] })[1] > 24);
  }, timeline);
  const press = async (id) => {
    await page.evaluate(() => document.getElementById('toast').replaceChildren());
    const { x, y, width, height } = await page.locator(`#${id}`).boundingBox();
    await page.touchscreen.tap(x + width / 2, y + height / 2);
  };
  for (const isOpen of [false, true]) {
    if (isOpen) await page.tap('#tab-play');
    await leaveInCheck(4);
    // What is missing comes first, the moves last.
    assert.match(await text(page, 'why-not'), /^The king on \(-2T1b\) e1 could be taken by the rook on e8\.$/);
    const [why, made, bar] = await boxesOf('#why-not', '#made', '.doing');
    assert.ok(why.top >= bar.top - 1 && why.bottom <= bar.bottom + 1 && (made.bottom === 0 || made.top >= why.bottom - 1), JSON.stringify([why, made, bar]));
    assert.equal(await isSeen(-2), false);
    for (const id of ['submit', 'why-not']) {
      await press(id);
      assert.match(await text(page, 'toast'), /The king on \(-2T1b\) e1 could be taken by the rook on e8\./, id);
      await page.waitForTimeout(300);
      assert.ok(await isSeen(-2), id);
    }
    await leaveInCheck(2);
    assert.match(await text(page, 'left'), /^2 boards to play: \(0T1\), \(1T1\)$/);
    await press('submit');
    assert.match(await text(page, 'toast'), /^Not yet: 2 boards to play/);
  }
  assert.deepEqual(phone.errors, []);
});

test('a king in check that is out of sight has a triangle, which leads to it', async () => {
  await leaveInCheck(0);
  const marks = () => page.evaluate(async () => (await atRest()).outOfSight().filter(({ kind }) => kind === 'check').map(({ tile, x, y }) => [tile.label, x, y]));
  const [[label, x, y]] = await marks();
  assert.equal(label, '(-2T1w)');
  await page.waitForFunction(() => /^Red triangle: a king in check/.test(document.getElementById('points-to').textContent));
  // A message may lie over it for a while.
  await page.evaluate(() => document.querySelector('#toast button')?.click());
  const [canvas] = await boxesOf('#board');
  await page.touchscreen.tap(canvas.left + x, canvas.top + y);
  await page.waitForTimeout(300);
  assert.deepEqual(await marks(), []);
});

test('what is said of triangles and corners covers no board, and a piece does not silence it', async () => {
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. a3 / a6 4. h3');
  await page.evaluate(() => worldlines.board.play('(0T4)Nf6>>(0T2)f5'));
  for (const isOpen of [false, true]) {
    if (isOpen) await page.tap('#tab-play');
    await page.evaluate(() => worldlines.board.view.near({ jump: true }));
    for (const down of [0, 300, -300]) {
      await page.evaluate((dy) => (worldlines.board.view.near({ jump: true }), worldlines.board.view.pan(0, dy)), down);
      await page.waitForFunction(() => /triangle/.test(document.getElementById('points-to').textContent));
      const [quiet, canvas] = await boxesOf('.quiet', '#board');
      assert.ok(quiet.bottom <= canvas.top + 26, `${down}: ${JSON.stringify([quiet, canvas])}`);
    }
  }
  await page.tap('#tab-play');
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  for (const name of ['f3', 'e4']) {
    await page.evaluate(() => (worldlines.board.view.near({ jump: true }), worldlines.board.unselect()));
    await page.evaluate(([x, y]) => worldlines.board.choose({ ...worldlines.board.view.placeAt(x, y) }), await page.evaluate((file) => {
      const { view } = worldlines.board;
      return view.pointOf({ timeline: 0, halfTurn: 6, square: [file.charCodeAt(0) - 97, Number(file[1]) - 1] });
    }, name));
    await page.waitForTimeout(100);
    if (name === 'f3') assert.ok(await page.isVisible('#points-to') && /^Green triangles/.test(await text(page, 'points-to')));
    const [quiet, canvas] = await boxesOf('.quiet', '#board');
    assert.ok(quiet.bottom <= canvas.top + 47, `${name}: ${JSON.stringify([quiet, canvas])}`);
  }
});

test('another puzzle begins at its title, and a long message has room in its box', async () => {
  await page.tap('#tab-puzzles');
  await page.waitForFunction(() => document.querySelectorAll('#puzzles li').length > 0);
  const open = async () => {
    const before = await page.evaluate(() => document.getElementById('puzzle-title').textContent);
    await page.evaluate(() => document.getElementById('unsolved').click());
    await page.waitForFunction((title) => !document.getElementById('puzzle').hidden && document.getElementById('puzzle-title').textContent !== title, before);
  };
  await open();
  await page.evaluate(() => document.querySelector('.sheet').scrollTo(0, 400));
  await open();
  const [title, foot] = await boxesOf('#puzzle-title', '.foot');
  assert.ok(title.top >= foot.bottom - 1, JSON.stringify([title, foot]));
  await page.evaluate(async () => (await import('./source/js/dom.js')).toast('Too slow: Black holds out with (0T1)Ka4a3, and the mate comes in 2. Mate in 1 was asked.', () => {}, { label: 'Show me why' }));
  const [toast] = await boxesOf('#toast');
  const said = await page.evaluate(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('#toast span'));
    const { top, bottom } = range.getBoundingClientRect();
    return { top, bottom };
  });
  assert.ok(said.top - toast.top >= 4 && toast.bottom - said.bottom >= 4, JSON.stringify([toast, said]));
  assert.equal(await page.evaluate(() => document.getElementById('toast-act').getClientRects().length), 1);
});

test('a folded panel shows in one line what a puzzle asks, whole by a press, and what it came to', async () => {
  await page.tap('#tab-puzzles');
  await page.waitForSelector('#lessons:not([hidden])');
  await page.tap('#lesson-list button >> nth=0');
  await page.waitForFunction(() => !document.getElementById('puzzle').hidden && worldlines.board.mayPlay());
  assert.ok(await page.isHidden('#task'));
  await page.tap('#tab-puzzles');
  const [goal, lesson] = await page.evaluate(() => ['puzzle-goal', 'puzzle-before'].map((id) => document.getElementById(id).textContent));
  assert.match(goal, /^White mates in 1/);
  assert.equal(await text(page, 'task'), `${goal} ${lesson}`);
  const [line, bar, tabs, canvas] = await boxesOf('#task', '.bar', '[role=tablist]', '#board');
  assert.ok(line.top >= bar.bottom - 1 && line.bottom <= tabs.top + 1 && line.bottom - line.top < 45, JSON.stringify([line, bar, tabs]));
  await page.tap('#task');
  assert.ok(await page.evaluate(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.getElementById('task');
    return scrollHeight <= clientHeight + 1 && scrollWidth <= clientWidth + 1;
  }), 'all of it');
  assert.deepEqual((await boxesOf('#board'))[0], canvas, 'nothing moves');
  await page.tap('#task');
  assert.ok((await boxesOf('#task'))[0].bottom - (await boxesOf('#task'))[0].top < 45);
  await page.evaluate(() => document.getElementById('solution').click());
  const point = await page.evaluate(() => document.getElementById('puzzle-point').textContent);
  assert.ok(point.length > 10 && (await text(page, 'task')).includes(point));
  // Other tabs have no use for it.
  await page.evaluate(() => worldlines.open('play'));
  assert.ok(await page.isHidden('#task'));
  assert.deepEqual(phone.errors, []);
});

test('the list shows the action that is annotated, also of a reviewed game, and the field has room for a move', async () => {
  await take(page, '1. e4 / e5 2. Qh5 / g6 3. Qxe5');
  await page.tap('#tab-analyse');
  const room = await page.evaluate(() => {
    const field = document.getElementById('typed-move');
    field.value = '(-2T3)Nc3';
    const { scrollWidth, clientWidth } = field;
    field.value = '';
    return [scrollWidth, clientWidth];
  });
  assert.ok(room[0] <= room[1], `${room}`);
  await page.evaluate(() => {
    worldlines.board.step('start');
    worldlines.board.play('c4');
    document.getElementById('verdict').hidden = false;
  });
  await page.tap('#note-open');
  await page.evaluate(() => document.querySelector('.sheet').scrollTo(0, 1_000));
  await page.waitForTimeout(200);
  const [current, foot, note] = await boxesOf('#history [aria-current]', '.foot', '#note');
  assert.ok(current.top >= foot.bottom - 1 && current.bottom <= note.top + 1, JSON.stringify([current, foot, note]));
});
