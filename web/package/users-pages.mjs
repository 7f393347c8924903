// Pages in Chromium that use 5d-chess-js, with both libraries: the published renderer of the library, and a page in the style of its
// documentation. Only the line that loads the library is another one.

import { readFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html; charset=utf-8' };

/** The line that loads the library, ours and theirs. */
const LINES = {
  ours: '<script src="/ours/worldlines.js"></script>',
  theirs: '<script src="/theirs/5d-chess-js/dist/5d-chess.js"></script>',
};

const PRINTS = `<!doctype html><title>A game</title>
LINE
<pre id="said"></pre>
<script>
  const say = (...words) => { document.getElementById('said').textContent += words.map((word) => typeof word === 'string' ? word : JSON.stringify(word, sorted)).join(' ') + '\\n'; };
  // The keys of an object are in no order.
  const sorted = (key, value) => value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
  var chess = new Chess();
  chess.import('1. e3 / f6\\n2. Qe2 / Nc6');
  say(chess.moves('5dpgn'));
  say(chess.moves().map((move) => move.end.coordinate));
  say(chess.player, chess.actionNumber, chess.inCheck, chess.hash);
  chess.move('Qh5');
  say(chess.moveBuffer, chess.submittable());
  chess.submit();
  say(chess.print().split('\\n').slice(2).map((line) => line.replaceAll('.', ' ').trimEnd()).filter((line) => line).join('\\n'));
  say(chess.inCheckmate, chess.export(), chess.board, chess.checks('5dpgn').length > 0);
  var travel = new Chess();
  travel.import('1. e3 / f6\\n2. (0T2)Nb1>>(0T1)b3~ / (1T1)a6\\n3. (1T2)c3 / (0T2)Nc6 (1T2)Nc6');
  say(travel.board.timelines.map((line) => [line.timeline, line.player, line.active, line.present, line.turns.length]));
  say(travel.moves('5dpgn', false, false));
  say(travel.copy().hash === travel.hash);
  say(travel.importable('1. e9'));
  document.title = 'ready';
</script>`;

/** What the renderer is given: as its own tests, and games with timelines and checks. */
const DRAWN = {
  standard: 'new Chess()',
  'turn zero': "(() => { const chess = new Chess(); chess.reset('turn_zero'); return chess; })()",
  'half reflected': "(() => { const chess = new Chess(); chess.reset('half_reflected'); return chess; })()",
  'a mate': "new Chess('1. e3 / f6\\n2. Qe2 / Nc6\\n3. Qh5')",
  timelines: "new Chess('1. e3 / f6\\n2. (0T2)Nb1>>(0T1)b3~ / (1T1)a6\\n3. (1T2)c3 / (0T2)Nc6 (1T2)Nc6\\n4. (0T3)Qh5 (1T3)Qc2')",
  'an action under way': "(() => { const chess = new Chess('1. Nf3 / Nf6'); chess.move('(0T2)Nf3>>(0T1)f5'); return chess; })()",
};

/** Without the shadows of boards: when frames are slow they stay away, with either library. */
const RENDERS = (game) => `<!doctype html><title>The renderer</title><style>body { margin: 0 }</style>
LINE
<script src="/theirs/5d-chess-renderer/dist/5d-chess-renderer.js"></script>
<div id="root" style="width: 900px; height: 600px"></div>
<script>
  const seen = [];
  const chess = ${game};
  const renderer = new ChessRenderer(null, { app: { forceCanvas: true, preserveDrawingBuffer: true, height: 600, width: 900, resolution: 1 }, viewport: { snapOptions: { time: 1 }, snapZoomOptions: { time: 1 } }, board: { showPresentBlink: false }, boardShadow: { show: false } });
  renderer.global.attach(document.getElementById('root'));
  renderer.global.sync(chess);
  setTimeout(() => { document.title = 'ready'; }, 700);
</script>`;

function serve(modules) {
  const pages = new Map();
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    if (pages.has(path)) {
      response.writeHead(200, { 'content-type': TYPES['.html'] }).end(pages.get(path));
      return;
    }
    const file = path.startsWith('/ours/') ? join(here, 'dist', path.slice(6)) : join(modules, path.slice(8));
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  return new Promise((settle) => server.listen(0, '127.0.0.1', () => settle({ server, pages, base: `http://127.0.0.1:${server.address().port}` })));
}

/** How many of the bytes of two pictures differ by more than the eye sees, in the page. */
async function unlike(page, pictures) {
  return page.evaluate(async (urls) => {
    const [a, b] = await Promise.all(
      urls.map(async (url) => {
        const image = await createImageBitmap(await (await fetch(url)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
      }),
    );
    if (a.length !== b.length) return 1;
    let unlike = 0;
    for (let index = 0; index < a.length; index++) if (Math.abs(a[index] - b[index]) > 24) unlike += 1;
    return unlike / a.length;
  }, pictures.map((picture) => `data:image/png;base64,${picture.toString('base64')}`));
}

/** The picture of a page once it stands still: the renderer moves for a while. */
async function still(page) {
  await page.evaluate('renderer.zoom.fullBoard()');
  await page.waitForTimeout(2_500);
  let last = await page.screenshot();
  for (let tries = 0; tries < 20; tries++) {
    await page.waitForTimeout(1_000);
    const now = await page.screenshot();
    if ((await unlike(page, [last, now])) === 0) return now;
    last = now;
  }
  throw new Error('the renderer does not come to rest');
}

/** What the pages say with both libraries: `{ program: { same, differing: [[what, message]] } }`; nothing if there is no Chromium. */
export async function pages(modules) {
  let playwright;
  try {
    playwright = createRequire(join(here, '../board/x.js'))('playwright-core');
  } catch {
    return undefined;
  }
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) return undefined;
  const { server, pages: served, base } = await serve(modules);
  const browser = await playwright.chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const visit = async (html, line) => {
    errors.length = 0;
    served.set('/page.html', html.replace('LINE', LINES[line]));
    await page.goto(`${base}/page.html`);
    await page.waitForFunction(() => document.title === 'ready', undefined, { timeout: 20_000 }).catch(() => {});
    if (errors.length > 0) throw new Error(`${line}: ${errors[0]}`);
  };
  try {
    const said = {};
    for (const line of ['ours', 'theirs']) {
      await visit(PRINTS, line);
      said[line] = (await page.textContent('#said')).split('\n');
    }
    const lines = said.ours.flatMap((text, index) => (text === said.theirs[index] ? [] : [[`line ${index + 1}`, `${text.slice(0, 200)} here, ${said.theirs[index]?.slice(0, 200)} there`]]));
    const results = { 'page of the documentation': { same: said.ours.length - lines.length, differing: lines } };
    const differing = [];
    for (const [name, game] of Object.entries(DRAWN)) {
      const pictures = [];
      for (const line of ['ours', 'theirs']) {
        await visit(RENDERS(game), line);
        pictures.push(await still(page));
        if (process.env.USERS_PICTURES) (await import('node:fs')).writeFileSync(join(process.env.USERS_PICTURES, `${name}-${line}.png`), pictures.at(-1));
      }
      const share = await unlike(page, pictures);
      if (share > 0.001) differing.push([name, `${(share * 100).toFixed(2)} % of the picture differ`]);
    }
    results.renderer = { same: Object.keys(DRAWN).length - differing.length, differing };
    return results;
  } finally {
    await browser.close();
    server.close();
  }
}
