// Figures of the board: first visits, the first picture of 100 timelines, and frames while they are panned and zoomed, with a trace of Chromium.
//
// node trace.mjs [FILE]   prints a summary; FILE keeps the trace, for chrome://tracing
// BOARD=http://127.0.0.1:8000/ node trace.mjs   the same of the page of a server, such as `worldlines serve`

import { writeFileSync } from 'node:fs';
import { toLink } from './js/link.js';
import { open } from './tests/page.mjs';

const VISITS = 8;
const FRAMES = 180;
const board = await open({ url: process.env.BOARD });
const { page, start } = board;
const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const at = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** A visit by somebody who was never here: when there is something in sight, in milliseconds, and what was sent for it. */
async function visited() {
  const context = await page.context().browser().newContext({ viewport: page.viewportSize(), serviceWorkers: 'block' });
  const visitor = await context.newPage();
  await visitor.addInitScript(() => {
    const draw = CanvasRenderingContext2D.prototype.drawImage;
    CanvasRenderingContext2D.prototype.drawImage = function (...given) {
      globalThis.boards ??= performance.now();
      return draw.apply(this, given);
    };
    new MutationObserver(() => document.documentElement.dataset.ready && (globalThis.ready ??= performance.now())).observe(document, { attributes: true, subtree: true });
  });
  await visitor.goto(start);
  await visitor.waitForFunction(() => globalThis.ready);
  const found = await visitor.evaluate(() => {
    const sent = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return { page: performance.getEntriesByName('first-contentful-paint')[0].startTime, boards, ready, requests: sent.length, bytes: sent.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
  });
  await context.close();
  return found;
}

try {
  const visits = [];
  for (let visit = 0; visit < VISITS; visit++) visits.push(await visited());
  const told = (name) => `${middle(visits.map((visit) => visit[name])).toFixed(0)} (${visits.map((visit) => visit[name].toFixed(0)).join(', ')})`;
  console.log(`${VISITS} first visits, each with ${visits[0].requests} requests and ${visits[0].bytes} bytes: the page after ${told('page')} ms, boards after ${told('boards')}, everything after ${told('ready')}`);

  // A game with 100 timelines and several boards on each, from the boards of a start.
  const row = (timeline, turn, color) => `[r*n1q1k*/p*p*p*p*p*p*/6/6/P*P*P*P*P*P*/R*N1Q1K*:${timeline}:${turn}:${color}]`;
  const lines = [];
  for (let timeline = -49; timeline <= 50; timeline++) {
    for (let turn = 1; turn <= 3; turn++) lines.push(row(timeline, turn, 'w'), row(timeline, turn, 'b'));
    lines.push(row(timeline, 4, 'w'));
  }
  const link = await toLink(`[Board "custom"]\n[Size "6x6"]\n${lines.join('\n')}`);

  const opened = [];
  const given = [];
  for (let run = 0; run < 5; run++) {
    await page.goto('about:blank');
    await page.goto(start + link);
    await page.waitForSelector('html[data-ready=yes]');
    opened.push(
      await page.evaluate(
        () =>
          new Promise((settle) => {
            worldlines.board.view.addEventListener('painted', () => settle(performance.now()), { once: true });
            worldlines.board.view.redraw();
          }),
      ),
    );
    given.push(
      await page.evaluate(async () => {
        const { Game } = worldlines.library;
        const text = worldlines.board.game.save();
        const begun = performance.now();
        const painted = new Promise((settle) => worldlines.board.view.addEventListener('painted', () => settle(performance.now()), { once: true }));
        worldlines.board.view.moving = false;
        worldlines.board.take(Game.parse(text));
        return (await painted) - begun;
      }),
    );
  }
  const { timelines, boards } = await page.evaluate(() => ({ timelines: worldlines.board.view.scene.rows.length, boards: worldlines.board.view.scene.tiles.length }));
  console.log(`${timelines} timelines, ${boards} boards; Chromium ${page.context().browser().version()}`);
  console.log(`a link is opened: first whole picture after ${middle(opened).toFixed(0)} ms (median of 5; ${opened.map((time) => time.toFixed(0)).join(', ')})`);
  console.log(`the game is given: first whole picture after ${middle(given).toFixed(0)} ms (median of 5; ${given.map((time) => time.toFixed(0)).join(', ')})`);

  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', { categories: 'devtools.timeline,benchmark,disabled-by-default-devtools.timeline.frame', transferMode: 'ReportEvents' });
  const frames = {};
  for (const [name, zoom, thinks] of [['pan, all in sight', 1], ['pan, boards of 60 pixels', 12], ['pan, boards of 300 pixels', 5], ['pan, boards of 300 pixels, the engine thinks', 1, true]]) {
    if (thinks) {
      await page.click('#tab-analyse');
      await page.click('#engine');
    }
    frames[name] = await page.evaluate(
      ([factor, count]) =>
        new Promise((settle) => {
          const { view } = worldlines.board;
          view.zoom(factor);
          // Boards are painted for this size first, as when a hand comes to rest.
          setTimeout(() => {
            const times = [];
            let last;
            const frame = (now) => {
              if (last !== undefined) times.push(now - last);
              last = now;
              if (times.length === count) return settle(times);
              view.pan(times.length % 60 < 30 ? 9 : -9, times.length % 90 < 45 ? 7 : -7);
              requestAnimationFrame(frame);
            };
            requestAnimationFrame(frame);
          }, 900);
        }),
      [zoom, FRAMES],
    );
    if (thinks) console.log(`the engine says: ${await page.evaluate(() => document.getElementById('engine-said').textContent)}`);
  }
  const ended = new Promise((settle) => session.once('Tracing.tracingComplete', settle));
  await session.send('Tracing.end');
  await ended;
  for (const [name, times] of Object.entries(frames)) {
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    console.log(`${name}: ${(1000 / mean).toFixed(1)} frames a second; a frame takes ${middle(times).toFixed(1)} ms in the median, ${at(times, 0.98).toFixed(1)} ms in 98 of 100`);
  }
  const work = events.filter(({ name, ph, dur }) => name === 'FireAnimationFrame' && ph === 'X' && dur);
  const spent = work.map(({ dur }) => dur / 1000);
  if (spent.length > 0) console.log(`trace: ${spent.length} frames of script, ${middle(spent).toFixed(1)} ms each in the median, ${at(spent, 0.98).toFixed(1)} ms in 98 of 100`);
  if (process.argv[2]) writeFileSync(process.argv[2], JSON.stringify({ traceEvents: events }));
} finally {
  await board.close();
}
