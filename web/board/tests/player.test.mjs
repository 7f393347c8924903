// What a player meets who comes from chess: texts of other servers, links, earlier games, and what is said. `npm run build` must have made dist/.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { click, open, take, text } from './page.mjs';
import { board, page, until } from './suite.mjs';

const LICHESS = `[Event "Rated blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "Anna"]
[Black "Bert"]
[Result "1-0"]
[Variant "Standard"]
[TimeControl "300+3"]

1. e4 { [%eval 0.2] [%clk 0:05:00] } e5 { [%clk 0:05:00] } 2. Nf3 (2. Bc4 Nc6 (2... Nf6)) Nc6 { good } (2... d6) 3. Bb5 1-0`;

test('a game of a server for chess is read, and what is lost is said', async () => {
  await page.click('#tab-text');
  await page.fill('#text', LICHESS);
  await page.click('#import');
  assert.match(await text(page, 'text-said'), /^Read 5 actions\. Not kept: a variation.*\. This is chess on one board: it knows no travel through time/);
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 5);
  // What is said of an error takes the message of before away.
  assert.ok(await page.isVisible('#toast'));
  await page.fill('#text', 'nothing of the kind');
  await page.click('#import');
  assert.ok(await page.isHidden('#toast'));
  const [button, panel] = [await page.locator('#export').boundingBox(), await page.locator('#panel-text').boundingBox()];
  assert.ok(button.y + button.height <= panel.y + panel.height, 'export is in sight');
  // A slip in a text of 5D chess is still told as one.
  await page.fill('#text', '1. e4 / e5\n2. Ke3');
  await page.click('#import');
  assert.match(await text(page, 'text-said'), /line 2, column/);
  // One line needs no number.
  await page.fill('#text', '1. e4 / e5 2. Ke3');
  await page.click('#import');
  assert.match(await text(page, 'text-said'), /no white king can make this move/);
  assert.doesNotMatch(await text(page, 'text-said'), /line|column/);
});

test('links that are damaged say one sentence', async () => {
  for (const hash of ['#game=AAAA', '#game=', '#game=%%%', '#text=%', '#text=hello', '#puzzle=', '#puzzle=no-such-puzzle', '#puzzle=%']) {
    await page.goto('about:blank');
    await board.go(hash);
    await until(() => document.getElementById('toast').textContent.length > 10);
    assert.match(await text(page, 'toast'), /The link cannot be read|There is no puzzle/, hash);
  }
  assert.deepEqual(board.errors, []);
});

test('a link opens a puzzle', async () => {
  await page.goto('about:blank');
  await board.go('#puzzle=scholars-mate');
  await until(() => worldlines.board.document.puzzle?.id === 'scholars-mate');
  assert.ok(await page.isVisible('#puzzle'));
  assert.equal(new URL(page.url()).hash, '');
});

test('earlier games tell who played and how they ended', async () => {
  const begin = async (game, black) => {
    await take(page, game);
    await page.evaluate((player) => {
      const { board } = worldlines;
      board.stopEngine();
      board.edit((document) => ({ ...document, players: { white: 'human', black: player } }));
    }, black);
  };
  await begin('1. e3 / f6 2. Qe2 / Nc6 3. Qh5', 'human');
  await begin('1. e4 / e5', 'engine 5000');
  await page.click('#tab-play');
  await page.click('#resign');
  await begin('1. d4 / d5', 'human');
  await page.click('#new');
  await page.click('#earlier summary');
  await until(() => document.querySelectorAll('#shelf li').length === 3);
  const rows = await page.locator('#shelf small').allInnerTexts();
  assert.equal(rows.length, 3);
  assert.match(rows[0], /^two people · 2 actions/);
  assert.match(rows[1], /^against Engine, weak · White has resigned · 2 actions/);
  assert.match(rows[2], /^two people · Checkmate: White has won · 5 actions/);
  // Without a title and names of players the first moves name a game.
  const names = async () => (await page.locator('#shelf li > button:not(.away)').allInnerTexts()).map((row) => row.split('\n')[0]);
  assert.deepEqual(await names(), ['1. d4 d5', '1. e4 e5', '1. e3 f6 2. Qe2 Nc6 …']);
  // A short line that was made the main one does not make the game short.
  await take(page, '1. e4 / e5 2. Nf3 / Nc6');
  await page.evaluate(() => (worldlines.board.step('start'), worldlines.board.play('d4'), document.getElementById('promote').click()));
  await page.click('#tab-play');
  await page.click('#new');
  await until(() => document.querySelectorAll('#shelf li').length === 4);
  assert.match(await page.locator('#shelf small').first().innerText(), /· 4 actions/);
});

test('only the moves of the defender are called a defence', async () => {
  await page.evaluate(async () => {
    const { puzzleGame } = worldlines.library;
    worldlines.board.take(puzzleGame(await (await fetch('puzzles/one-knight-four-mates.yaml')).text()));
  });
  await page.click('#tab-analyse');
  await page.fill('#mate-in', '2');
  await page.click('#mate');
  await until(() => document.getElementById('found').children.length > 2);
  const labels = (await page.locator('#found li').allInnerTexts()).map((row) => row.split('\n').at(-1)).filter((label) => label !== 'mates by force');
  assert.deepEqual(labels, ['the longest defence', 'the next key']);
  // No mate takes no action.
  for (const wrong of ['0', '-1', '', '1.5', '99']) {
    await page.fill('#mate-in', wrong);
    await page.click('#mate');
    assert.equal(await text(page, 'analysed'), 'A mate takes 1 to 20 actions.', wrong);
  }
});

test('what was said goes away, and the bar tells who thinks and what may be played too', async () => {
  await page.click('#link');
  await until(() => document.getElementById('linked').textContent !== '' || document.getElementById('link-text').value !== '');
  await page.evaluate(() => worldlines.board.play('e4'));
  assert.equal(await page.locator('#linked').textContent(), '');
  await page.evaluate(() => worldlines.board.make(worldlines.board.game.movesFrom(0, 3).moves[0]));
  await page.evaluate(() => worldlines.board.play('e5'));
  const selected = await page.evaluate(async () => (await import('./source/js/english.js')).english.board.selected('pawn', 'a2', ['a3'], 0));
  assert.equal(selected, 'pawn on a2: 1 move: a3');
  await page.route('**/worker.js', () => {});
  await page.selectOption('#black', 'engine 5000');
  // It is for the next game, until somebody wants it in this one.
  assert.equal(await page.evaluate(() => worldlines.board.document.players.black), 'human');
  await page.click('#use-now');
  await page.evaluate(() => worldlines.board.play('Nf3'));
  await until(() => document.getElementById('why-not').textContent === 'Black thinks …');
  await page.unroute('**/worker.js');
  await page.click('#undo');
  assert.doesNotMatch(await text(page, 'why-not'), /thinks/);
  await page.selectOption('#black', 'human');
  await page.click('#use-now');
  await take(page, '1. Nf3 / Nf6 2. Nc3 / Nc6 3. Nf3>>(0T2)f5');
  assert.match(await text(page, 'why-not'), /^Move on \(1T2\)\. \(0T3\) may wait\.$/);
});

test('a position of one’s own is not called a variant, and begins again', async () => {
  assert.equal(await page.inputValue('#variant'), 'Standard');
  await take(page, '[Board "custom"]\n[Size "4x4"]\n[3k/P3/4/3K:0:1:w]');
  assert.equal(await page.locator('#variant option:checked').innerText(), 'Custom position');
  await page.click('#new');
  assert.equal(await page.evaluate(() => worldlines.board.view.scene.files), 4);
  await take(page, '[Board "Standard - Princess"]');
  assert.equal(await page.inputValue('#variant'), 'Standard - Princess');
  assert.equal(await page.locator('#variant option:not([hidden])', { hasText: 'Custom position' }).count(), 0);
});

test('the verdict on a file is scrolled into sight', async () => {
  await take(page, '1. e3 / f6 2. Qe2 / Nc6');
  await page.setViewportSize({ width: 1280, height: 560 });
  await page.click('#tab-author');
  await page.click('#a-make');
  await until(() => document.getElementById('verified').dataset.answer === 'pass');
  const [said, panel] = [await page.locator('#verified').boundingBox(), await page.locator('#panel-author').boundingBox()];
  assert.ok(said.y >= panel.y && said.y + said.height <= panel.y + panel.height, `${JSON.stringify(said)} in ${JSON.stringify(panel)}`);
  await page.fill('#a-mate', '0');
  await page.click('#a-make');
  assert.equal(await text(page, 'verified'), 'A mate takes 1 to 8 actions.');
  await page.setViewportSize({ width: 1280, height: 820 });
});

test('puzzles: no game under the list, no lesson as a new one, and what was won and lost', async () => {
  await page.click('#tab-puzzles');
  await page.waitForSelector('#puzzles li');
  assert.ok(await page.isHidden('#line'));
  await page.fill('#search', 'no such thing');
  assert.ok(await page.isVisible('#puzzles-none'));
  await page.fill('#search', '');
  const lessons = await page.evaluate(async () => (await (await fetch('puzzles/lessons.json')).json()).map(({ id }) => id));
  for (let round = 0; round < 3; round++) {
    const before = await page.evaluate(() => worldlines.board.document.puzzle?.id);
    await page.click('#unsolved');
    await until((last) => worldlines.board.document.puzzle?.id !== last, before);
    assert.ok(!lessons.includes(await page.evaluate(() => worldlines.board.document.puzzle.id)));
  }
  assert.ok(await page.isVisible('#line'), 'the list of actions is there once a puzzle is');
  // Lessons are counted apart.
  const count = await page.evaluate(async () => (await (await fetch('puzzles/index.json')).json()).length);
  assert.ok((await text(page, 'solved')).startsWith(`0 of ${count - lessons.length} puzzles solved`), await text(page, 'solved'));
  await page.evaluate(() => localStorage.setItem('worldlines streak', '7'));
  await page.waitForSelector('#solution:visible');
  await page.click('#solution');
  assert.match(await text(page, 'solved'), /· Streak: 0$/);
  assert.match(await text(page, 'puzzle-rated'), /^Your rating: 1500 → 1[34]\d\d \(−\d+\)$/);
  // A solution of several actions is played one by one.
  await page.click('#all-puzzles > summary');
  await page.fill('#search', 'one-knight-four-mates');
  await page.click('#puzzles li button');
  await until(() => worldlines.board.document.puzzle?.id === 'one-knight-four-mates');
  await page.waitForSelector('#solution:visible');
  const seen = await page.evaluate(async () => {
    const counts = [];
    document.getElementById('solution').click();
    const start = performance.now();
    while (performance.now() - start < 1_500) {
      if (counts.at(-1) !== worldlines.board.actions.length) counts.push(worldlines.board.actions.length);
      await new Promise((settle) => setTimeout(settle, 20));
    }
    return counts;
  });
  assert.deepEqual(seen, [1, 2, 3]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.click('#again');
  await page.waitForSelector('#solution:visible');
  await page.click('#solution');
  assert.equal(await page.evaluate(() => worldlines.board.actions.length), 3);
  await page.emulateMedia({ reducedMotion: null });
});

test('help with a puzzle is remembered: playing the solution raises nothing', async () => {
  await page.evaluate(() => ['rating', 'helped', 'solved'].forEach((name) => localStorage.removeItem(`worldlines ${name}`)));
  await page.evaluate(() => localStorage.setItem('worldlines streak', '7'));
  await page.reload();
  await page.waitForSelector('html[data-ready=yes]');
  await page.click('#tab-puzzles');
  await page.waitForSelector('#puzzles li', { state: 'attached' });
  await page.evaluate(() => (document.getElementById('all-puzzles').open = true));
  await page.fill('#search', 'bishop-in-1-5bbf');
  await page.click('#puzzles li:first-child button');
  await until(() => worldlines.board.document.puzzle?.id === 'bishop-in-1-5bbf');
  await page.waitForSelector('#hint:visible');
  // The first hint costs what a failure costs.
  await page.click('#hint');
  assert.match(await text(page, 'puzzle-rated'), /^Your rating: 1500 → 1[34]\d\d \(−\d+\)$/);
  const rating = await text(page, 'rating');
  await page.waitForSelector('#solution:visible');
  await page.click('#solution');
  await until(() => worldlines.board.document.puzzle?.ended === 'shown');
  const actions = await page.evaluate(() => worldlines.board.document.puzzle.line);
  for (let round = 0; round < 2; round++) {
    await page.click('#again');
    await until(() => worldlines.board.document.puzzle?.ended === '');
    for (let index = 0; index < actions.length; index += 2) {
      await until((count) => worldlines.board.document.puzzle.line.length === count && worldlines.board.mayPlay(), index);
      await page.evaluate((action) => worldlines.board.mode.submit(action.split(' ')), actions[index]);
    }
    await until(() => worldlines.board.document.puzzle?.ended === 'solved');
    assert.equal(await text(page, 'rating'), rating);
    assert.match(await text(page, 'solved'), /· Streak: 0$/);
  }
});

test('filters show their texts whole, and German lists are in the order of German', async () => {
  for (const locale of ['en-GB', 'de-DE']) {
    const other = await open({ locale });
    try {
      await other.fresh();
      await other.page.click('#tab-puzzles');
      await other.page.waitForSelector('#puzzles li');
      const cut = await other.page.evaluate(() => {
        const context = document.createElement('canvas').getContext('2d');
        return ['goal', 'puzzle-theme', 'order'].flatMap((id) => {
          const select = document.getElementById(id);
          context.font = getComputedStyle(select).font;
          // The arrow and the padding take some pixels.
          return [...select.options].filter(({ text }) => context.measureText(text).width > select.clientWidth - 34).map(({ text }) => text);
        });
      });
      assert.deepEqual(cut, [], locale);
      const themes = (await other.page.locator('#puzzle-theme option').allInnerTexts()).slice(1);
      assert.deepEqual(themes, [...themes].sort((a, b) => a.localeCompare(b, locale.slice(0, 2))));
      const names = await other.page.locator('#format option').allTextContents();
      if (locale === 'de-DE') assert.ok(names.includes('JSON der Varianten') && !names.some((name) => /\b(?:the|of|short)\b/.test(name)), names.join('; '));
    } finally {
      await other.close();
    }
  }
});

/** Plays any legal action. */
const playAny = () =>
  page.evaluate(() => {
    const [action] = worldlines.board.game.legalActions();
    worldlines.board.play(action);
  });

test('a variant without a name in 5DPGN keeps its name', async () => {
  await page.selectOption('#variant', 'Very Small');
  await page.click('#new');
  assert.equal(await page.inputValue('#variant'), 'Very Small');
  await playAny();
  await page.reload();
  await until(() => document.documentElement.dataset.ready === 'yes');
  assert.equal(await page.inputValue('#variant'), 'Very Small');
  await page.selectOption('#variant', 'Standard');
  await page.click('#new');
  await page.click('#earlier summary');
  await until(() => document.getElementById('shelf').textContent.includes('Very Small'));
});

test('other players wait for the next game once one has begun', async () => {
  await page.evaluate(() => worldlines.board.play('e4'));
  await page.selectOption('#white', 'engine 5000');
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => [worldlines.board.actions.length, worldlines.board.document.players.white]), [1, 'human']);
  assert.ok(await page.isVisible('#use-players'));
  await page.selectOption('#white', 'human');
  assert.ok(await page.isHidden('#use-players'));
  await page.selectOption('#white', 'engine 5000');
  await page.click('#new');
  await until(() => worldlines.board.actions.length === 1 && worldlines.board.document.players.white === 'engine 5000');
});

test('what is played after a takeback against an engine is the main line', async () => {
  await page.selectOption('#black', 'engine 5000');
  await page.evaluate(() => worldlines.board.play('e4'));
  await until(() => worldlines.board.actions.length === 2);
  await page.click('#undo');
  await page.evaluate(() => worldlines.board.play('d4'));
  await until(() => worldlines.board.actions.length === 2);
  assert.match(await page.locator('#history .grid > button').first().innerText(), /d4/);
});

test('a reply is in sight after the whole multiverse was', async () => {
  await page.selectOption('#variant', 'Very Small - Open');
  await page.click('#new');
  await playAny();
  await page.click('#fit');
  for (let turn = 0; turn < 4; turn++) await playAny();
  const isInSight = await page.evaluate(async () => {
    const view = await atRest();
    const { width } = view.stage;
    return view.scene.tiles.filter(({ duty }) => duty !== 'none').every(({ timeline, halfTurn }) => {
      const [x] = view.pointOf({ timeline, halfTurn, square: [3, 0] });
      return x > 0 && x < width;
    });
  });
  assert.ok(isInSight);
});

test('moves break before a board, and not within its name', async () => {
  const parts = await page.evaluate(async () => (await import('./source/js/dom.js')).breakable('(0T3)Ua3>>x(0T1)c4 (1T2)a2a3').map((part) => (typeof part === 'string' ? part : part.tagName)));
  assert.deepEqual(parts, ['(0T3)Ua3', 'WBR', '>>x', 'WBR', '(0T1)c4 (1T2)a2a3']);
});

test('a puzzle begins with all its boards in sight, if they can be read', async () => {
  await page.evaluate(() => void (location.hash = '#puzzle=rook-tactics-4'));
  await until(() => document.getElementById('puzzle-title').textContent === 'The last blow of Rook Tactics IV');
  const left = await page.evaluate(async () => {
    const view = await atRest();
    const { width } = view.stage;
    const xs = view.scene.tiles.map(({ timeline, halfTurn }) => view.pointOf({ timeline, halfTurn, square: [3, 0] })[0]);
    return xs.filter((x) => x < 0 || x > width).length;
  });
  assert.equal(left, 0);
});

/** Black to move mates in one with a move on one board, whatever he plays on the other. */
const CLASS = `[Board "Standard"]
[Mode "5D"]
1. (0T1)Ng1f3 / (0T1)d7d5 2. (0T2)e2e3 / (0T2)Nb8c6 3. (0T3)Nf3>>(0T2)f5 / (0T3)Ng8f6 (1T2)Bc8xf5 4. (1T3)d2d3 / (1T3)Ng8f6
5. (0T4)Bf1b5 (1T4)Bc1g5 / (0T4)Nf6e4 (1T4)c7c6 6. (0T5)Bb5xc6 (1T5)Bg5xf6`;

test('a key says how many others do the same', async () => {
  await take(page, CLASS);
  await page.click('#tab-analyse');
  await page.fill('#mate-in', '1');
  await page.click('#mate');
  await until(() => /^Mate in/.test(document.getElementById('analysed').textContent));
  assert.match(await text(page, 'analysed'), /^Mate in 1: 1 key: \(0T5\)bxc6 \(1T5\)Qa5#?, and 2 more with anything on \(0T5\)\./);
  assert.match(await page.locator('#found li').first().innerText(), /and 2 more with anything on \(0T5\)/);
  // The arrows of the key are in sight, wherever the view was.
  await page.evaluate(() => worldlines.board.view.reveal(worldlines.board.view.scene.tiles[0], { jump: true }));
  await page.locator('#found li button').first().click();
  const inSight = await page.evaluate(async () => {
    const view = await atRest();
    const { clientWidth, clientHeight } = document.getElementById('board');
    return view.scene.tiles.filter(({ label }) => ['(0T5b)', '(1T5b)'].includes(label)).map((tile) => {
      const [x, y] = view.pointOf({ ...tile, square: [3, 3] });
      return x > 0 && y > 0 && x < clientWidth && y < clientHeight;
    });
  });
  assert.deepEqual(inSight, [true, true]);
  await page.click('#tab-author');
  await page.fill('#a-mate', '1');
  await page.fill('#a-title', 'Anything goes');
  await page.click('#a-make');
  await until(() => /^Proved/.test(document.getElementById('verified').textContent));
  assert.match(await text(page, 'verified'), /^Proved: Black mates in one, with .*, and 2 more with anything on \(0T5\)\.$/);
  // Another position does not inherit the title.
  await take(page, '1. e3 / f6 2. Qe2 / Nc6');
  await page.click('#tab-author');
  await page.click('#a-make');
  await until(() => /^Proved: White/.test(document.getElementById('verified').textContent));
  assert.match(await page.inputValue('#yaml'), /title: "A new puzzle"/);
  assert.deepEqual(board.errors, []);
});

test('the legal actions mark the mates', async () => {
  await take(page, '1. e3 / f6 2. Qe2 / Nc6');
  await page.click('#tab-analyse');
  await page.click('#count');
  await until(() => /legal actions?\.$/.test(document.getElementById('analysed').textContent));
  assert.deepEqual((await page.locator('#found li').allInnerTexts()).filter((row) => row.includes('#')), ['Qh5#']);
});

test('who cannot pass is told why', async () => {
  await take(page, '1. e3 / f6 2. Qh5');
  await page.click('#tab-analyse');
  await page.click('#passes');
  await until(() => document.querySelectorAll('#found li').length > 0);
  assert.equal(await text(page, 'analysed'), 'Black is in check and cannot pass: the king would be taken.');
  assert.match(await text(page, 'found'), /check/);
});

test('a mate is written with its result and its mark, and castling as castling', async () => {
  await take(page, '1. e3 / f6 2. Qe2 / Nc6 3. Qh5');
  await page.click('#tab-text');
  assert.match(await page.inputValue('#text'), /Qe2h5# 1-0\s*$/);
  await page.click('#import');
  assert.equal(await text(page, 'standing'), 'Checkmate: White has won');
  assert.equal(await page.evaluate(() => worldlines.board.document.resigned), undefined, 'nobody has resigned');
  await page.click('#tab-play');
  assert.equal(await page.locator('#history .result').innerText(), 'Checkmate: White has won');
  await take(page, '1. e4 / e5 2. Nf3 / Nc6 3. Bc4 / Bc5 4. O-O');
  await until(() => /O-O/.test(document.getElementById('history').textContent));
});

test('Analyse says what it shows, and knows the result', async () => {
  await take(page, '1. e4 / e5 2. Nf3');
  await page.click('#tab-play');
  await page.evaluate(() => worldlines.board.resign());
  await page.click('#tab-analyse');
  assert.equal(await text(page, 'standing'), 'Black has resigned.');
  assert.equal(await text(page, 'of-what'), 'Your game: Black has resigned.');
  await page.click('#back');
  assert.equal(await text(page, 'standing'), 'White to move');
  await page.goto('about:blank');
  await board.go('#puzzle=scholars-mate');
  await until(() => worldlines.board.document.puzzle?.id === 'scholars-mate');
  await page.click('#tab-analyse');
  assert.match(await text(page, 'of-what'), /^Puzzle: /);
  await page.click('#to-game');
  assert.equal(await text(page, 'of-what'), 'Your game: Black has resigned.');
  await page.click('#tab-puzzles');
  await page.click('#tab-analyse');
  await page.click('#back-to-puzzle');
  assert.ok(await page.isVisible('#panel-puzzles'));
});

test('a lesson that goes wrong leaves the streak as it is', async () => {
  await page.evaluate(() => localStorage.setItem('worldlines streak', '7'));
  await page.goto('about:blank');
  const lessons = await fetch(`${board.start}puzzles/lessons.json`).then((answer) => answer.json());
  await board.go(`#puzzle=${lessons[2].id}`);
  await page.waitForSelector('#solution:visible');
  await page.click('#solution');
  await until(() => worldlines.board.document.puzzle?.ended !== '');
  assert.equal(await page.evaluate(() => localStorage.getItem('worldlines streak')), '7');
});

test('an earlier game without names of players has the first words of its first comment', async () => {
  await take(page, '1. e4 / e5');
  await page.evaluate(() => worldlines.board.step('start'));
  await page.click('#note-open');
  await page.fill('#comment', 'Knights that come back from the past in openings');
  await page.click('#tab-play');
  await page.click('#new');
  await page.click('#earlier summary');
  await until(() => document.querySelectorAll('#shelf li').length === 1);
  assert.match(await page.locator('#shelf button:not(.away)').innerText(), /^Knights that come back from the …/);
});

/** The squares that hints have marked. */
const marked = () => page.evaluate(() => worldlines.board.view.marks.clues.map(({ timeline, halfTurn, square }) => `${timeline} ${halfTurn} ${square}`));

test('hints mark on the board what they name, no sooner, and until somebody acts', async () => {
  await board.fresh('#puzzle=bishop-changes-worlds');
  await page.waitForSelector('#hint:visible');
  const seen = [await marked()];
  for (let step = 0; step < 6; step++) {
    await page.click('#hint');
    seen.push(await marked());
  }
  // The idea, the bishop on b2 of (+0T1), two ideas more, b3 of (-0T1), the whole action.
  const [from, to] = ['0 2 1,1', '-1 2 1,2'];
  assert.deepEqual(seen, [[], [], [from], [from], [from], [from, to], [from, to]]);
  await page.click('#tab-play');
  assert.deepEqual(await marked(), []);
  await page.click('#tab-puzzles');
  assert.deepEqual(await marked(), []);
  await page.click('#again');
  for (let step = 0; step < 2; step++) await page.click('#hint');
  assert.deepEqual(await marked(), [from]);
  await page.evaluate(() => {
    const tile = worldlines.board.view.scene.tiles.find(({ duty }) => duty === 'must');
    worldlines.board.make(worldlines.board.game.movesFrom(tile.timeline, tile.halfTurn).moves[0]);
  });
  assert.deepEqual(await marked(), []);
  await page.click('#undo');
  assert.deepEqual(await marked(), []);
  assert.deepEqual(board.errors, []);
});

test('a game has a title, which is shown, written and read again', async () => {
  const title = 'Rooks "through" time \\ and {back]';
  await take(page, '[White "Anna"]\n[Black "Bert"]\n1. e4 / e5');
  await page.click('#tab-analyse');
  await page.click('#note-open');
  assert.equal(await page.inputValue('#game-title'), '');
  await page.fill('#game-title', `  ${title} `);
  await page.fill('#comment', 'A study.');
  assert.equal(await text(page, 'of-what'), `Your game “${title}”`);
  const written = await page.evaluate(() => worldlines.board.games.text(worldlines.board.document, { marks: true }));
  assert.match(written, /^\[Event "Rooks \\"through\\" time \\\\ and \{back\]"\]$/m);
  assert.match(written, /\[White "Anna"\][^]*\{A study\.\}/);
  await page.reload();
  await until(() => document.documentElement.dataset.ready === 'yes');
  await page.click('#note-open');
  assert.equal(await page.inputValue('#game-title'), title);
  // Other notations have it too.
  await page.click('#tab-text');
  await page.selectOption('#format', 'chessjs');
  assert.match(await page.inputValue('#text'), /\[Event "Rooks /);
  // Another game of the same start has none, and the earlier one is called by it.
  await page.click('#tab-play');
  await page.click('#new');
  await page.click('#earlier summary');
  await until(() => document.querySelectorAll('#shelf li').length === 1);
  const row = page.locator('#shelf button:not(.away)').first();
  assert.match(await row.innerText(), /^Rooks "through" time \\ and \{back\]: Anna – Bert/);
  await page.click('#note-open');
  assert.equal(await page.inputValue('#game-title'), '');
  await page.click('#tab-text');
  await page.fill('#text', written);
  await page.click('#import');
  await page.click('#tab-analyse');
  assert.equal(await text(page, 'of-what'), `Your game “${title}”`);
  // It is taken away as it was given; a question mark is none.
  await page.click('#note-open');
  await page.fill('#game-title', '');
  await page.press('#game-title', 'Enter');
  assert.doesNotMatch(await page.evaluate(() => worldlines.board.document.start), /Event/);
  await page.click('#tab-text');
  await page.fill('#text', '[Event "?"]\n1. e4 / e5');
  await page.click('#import');
  await page.click('#tab-analyse');
  assert.equal(await text(page, 'of-what'), 'Your game');
  assert.deepEqual(board.errors, []);
});

test('a title of a position of one’s own is not that of the next game', async () => {
  await take(page, '[Event "Mine"]\n[k2/3/K1R:0:1:w]\n1. (0T1)Rc1c2');
  await page.click('#tab-play');
  await page.click('#new');
  await page.click('#note-open');
  assert.equal(await page.inputValue('#game-title'), '');
  await page.goto('about:blank');
  await board.go('#puzzle=scholars-mate');
  await until(() => worldlines.board.document.puzzle?.id === 'scholars-mate');
  await page.click('#note-open');
  assert.ok(await page.isHidden('#game-title'));
});

test('a text of a variant whose name is left out says why, and brings the name back', async () => {
  await page.selectOption('#variant', 'Very Small');
  await page.click('#new');
  await playAny();
  await page.click('#tab-text');
  for (const format of ['5dpgn', 'chessjs']) {
    await page.selectOption('#format', format);
    assert.match(await page.inputValue('#text'), /"custom"[^]*\[nbr\*k\*\//);
    assert.match(await text(page, 'text-said'), /It has the boards of “Very Small” and no name: other programs/);
  }
  await page.selectOption('#format', '5dpgn');
  await page.click('#import');
  await page.click('#tab-play');
  assert.equal(await page.inputValue('#variant'), 'Very Small');
  // A name that means the same everywhere is written.
  await page.selectOption('#variant', 'Very Small - Open');
  await page.click('#new');
  await page.click('#tab-text');
  assert.match(await page.inputValue('#text'), /\[Board "Very Small - Open"\]/);
  assert.doesNotMatch(await text(page, 'text-said'), /no name/);
});

test('a clock runs with the game, stands when one looks elsewhere, and ends it', async () => {
  const faces = () => page.locator('#clocks span').allInnerTexts();
  const runs = () => page.evaluate(() => document.querySelector('#clocks .runs')?.dataset.side);
  const seconds = (face) => face.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  assert.ok(await page.isHidden('#clocks'));
  await page.selectOption('#clock', '3+2');
  assert.deepEqual([await faces(), await runs()], [['3:00', '3:00'], undefined]);
  await page.evaluate(() => worldlines.board.play('e4'));
  assert.equal(await runs(), 'black');
  await until(() => document.querySelector('#clocks [data-side=black]').textContent !== '3:00');
  assert.equal((await faces())[0], '3:00');
  await page.evaluate(() => worldlines.board.play('e5'));
  const [, black] = await faces();
  // Black's action has added two seconds.
  assert.ok(seconds(black) >= 180 && seconds(black) < 182, black);
  assert.equal(await runs(), 'white');
  await page.click('#tab-analyse');
  assert.ok(await page.isHidden('#clocks'));
  await page.click('#tab-play');
  assert.equal(await runs(), undefined);
  await page.evaluate(() => worldlines.board.play('Nf3'));
  assert.equal(await runs(), 'black');
  await page.waitForTimeout(1_300);
  await page.reload();
  await until(() => document.documentElement.dataset.ready === 'yes');
  assert.equal(await runs(), undefined);
  assert.ok(seconds((await faces())[1]) < seconds(black), 'what was left is kept');
  // The next game has it too. Who has no time left has lost.
  await page.click('#new');
  assert.deepEqual(await faces(), ['3:00', '3:00']);
  await page.evaluate(() => worldlines.board.edit((document) => ({ ...document, clock: { ...document.clock, black: 600 } })));
  await page.evaluate(() => worldlines.board.play('e4'));
  await until(() => document.getElementById('standing').textContent === 'Black has lost on time.');
  assert.match(await page.evaluate(() => worldlines.board.games.text(worldlines.board.document)), /1-0/);
  assert.equal((await faces())[1], '0.0');
  // Who goes on all the same does so without it.
  await page.click('#undo');
  await page.waitForTimeout(300);
  assert.equal(await text(page, 'standing'), 'Black to move');
  await page.selectOption('#clock', '');
  await page.click('#new');
  assert.ok(await page.isHidden('#clocks'));
  assert.deepEqual(board.errors, []);
});

test('hints for the next action begin with its piece, whatever was told of the one before', async () => {
  const [one] = (await fetch(`${board.start}puzzles/index.json`).then((answer) => answer.json())).filter(({ goal, boards }) => goal.mateIn === 2 && boards < 8);
  await page.goto('about:blank');
  await board.go(`#puzzle=${one.id}`);
  await page.waitForSelector('#hint:visible');
  while (!/^Play /.test(await text(page, 'puzzle-said'))) await page.click('#hint');
  await page.evaluate(async () => {
    const { board } = worldlines;
    const { puzzleSolution } = worldlines.library;
    const [answer] = puzzleSolution(await (await fetch(`puzzles/${board.document.puzzle.id}.yaml`)).text());
    for (const move of answer.split(' ')) board.edit((document) => ({ ...document, unfinished: { ...document.unfinished, [document.at]: [...(document.unfinished[document.at] ?? []), move] } }));
    board.submit();
  });
  await until(() => worldlines.board.document.puzzle.line.length === 2 && worldlines.board.mayPlay());
  assert.deepEqual(await marked(), []);
  for (let step = 0; step < 2 && !/ moves\.$/.test(await text(page, 'puzzle-said')); step++) await page.click('#hint');
  assert.match(await text(page, 'puzzle-said'), /^The \w+ on \w\d of the board \S+ moves\.$/);
  assert.equal((await marked()).length, 1);
});

test('an answer that leaves no board to play is submitted by itself, and a setting leaves that to the player', async () => {
  const said = () => text(page, 'puzzle-said');
  const ask = async (id) => {
    await page.goto('about:blank');
    await board.go(`#puzzle=${id}`);
    await until(() => !document.getElementById('puzzle').hidden && worldlines.board.mayPlay());
  };
  /** Makes the first move of the answer. */
  const make = () => page.evaluate(async () => {
    const { board } = worldlines;
    const { puzzleSolution } = worldlines.library;
    const [answer] = puzzleSolution(await (await fetch(`puzzles/${board.document.puzzle.id}.yaml`)).text());
    const moves = board.view.scene.tiles.filter(({ duty }) => duty !== 'none').flatMap(({ timeline, halfTurn }) => board.game.movesFrom(timeline, halfTurn).moves);
    board.make(moves.find(({ id }) => {
      const copy = board.game.copy();
      copy.makeMove(id);
      return answer.startsWith(copy.movesMade()[0]);
    }));
  });
  await ask('princess-brawn-in-1-21ad');
  await make();
  await until(() => /Solved/.test(document.getElementById('puzzle-said').textContent));
  // A second board that must or may be played is for the player to leave or to play.
  for (const id of ['pawn-looks-across', 'knight-in-1-5f6b']) {
    await ask(id);
    const before = await said();
    await make();
    await page.waitForTimeout(400);
    assert.deepEqual([await said(), await page.evaluate(() => worldlines.board.game.movesMade().length)], [before, 1], id);
  }
  await page.click('#settings-open');
  await page.uncheck('#answer-at-once');
  await page.keyboard.press('Escape');
  await ask('rook-in-1-8432');
  const before = await said();
  await make();
  await page.waitForTimeout(400);
  assert.equal(await said(), before);
  await page.click('#submit');
  await until(() => /Solved/.test(document.getElementById('puzzle-said').textContent));
  assert.deepEqual(board.errors, []);
});
