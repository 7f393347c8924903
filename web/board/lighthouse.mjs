// What Lighthouse says of the board, on a desktop and on a phone: `npm run lighthouse`. It fails below 95 of 100 for accessibility, best practices and
// search engines. Speed is told only: it is that of a simulated phone on this machine, with all that runs beside it. Skipped without Lighthouse,
// which is not among the packages here because of its size: `npm install --no-save lighthouse@13`.

import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';
import { dist, program } from './tests/page.mjs';

const LEAST = 95;
const TOLD = ['performance'];

/** Lighthouse of this folder, or of the `node_modules` that LIGHTHOUSE_MODULES names. */
async function lighthouse() {
  const here = process.env.LIGHTHOUSE_MODULES ?? join(dirname(fileURLToPath(import.meta.url)), 'node_modules');
  try {
    return await import(pathToFileURL(createRequire(join(here, 'x.js')).resolve('lighthouse')));
  } catch {
    return undefined;
  }
}

/** A port that nobody uses. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

const found = await lighthouse();
if (!found || !program) {
  console.log(`skipped: needs ${found ? 'Chromium, in its usual place or as the variable CHROMIUM' : 'Lighthouse (npm install --no-save lighthouse@13)'}`);
  process.exit();
}
const { default: look, desktopConfig } = found;
const server = await serve(dist);
const port = await freePort();
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', `--remote-debugging-port=${port}`] });
let low = 0;
try {
  for (const [name, config] of [['desktop', desktopConfig], ['phone', undefined]]) {
    const { lhr } = await look(`http://127.0.0.1:${server.address().port}/`, { port, output: 'json', logLevel: 'error' }, config);
    for (const { id, score, auditRefs } of Object.values(lhr.categories)) {
      const points = Math.round(score * 100);
      if (points < LEAST && !TOLD.includes(id)) low += 1;
      console.log(`${name}, ${id}: ${points}`);
      for (const { id: audit, weight } of auditRefs) {
        const { score: part, title, displayValue = '' } = lhr.audits[audit];
        if (weight > 0 && part !== null && part < 0.9) console.log(`  ${title}: ${displayValue} (${Math.round(part * 100)})`);
      }
    }
    if (process.argv.includes('--details')) for (const audit of ['layout-shifts', 'long-tasks', 'lcp-breakdown-insight', 'bootup-time']) console.log(audit, JSON.stringify(lhr.audits[audit]?.details, null, 1)?.slice(0, 3000));
  }
} finally {
  await browser.close();
  server.close();
}
if (low > 0) {
  console.error(`error: ${low} of them below ${LEAST}`);
  process.exit(1);
}
