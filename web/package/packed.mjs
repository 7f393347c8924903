// The package as npm packs it, used by other programs: `npm run packed`. With `--bundlers` also by Deno, Vite, webpack and esbuild, whose pages
// are opened in Chromium; they are installed for this, which takes a minute and a network. CHROMIUM names another program than `chromium`.
// Deno is used without `--bundlers` too, if it is in the PATH; where it cannot be had, the last line says so.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const browser = process.env.CHROMIUM ?? 'chromium';
const place = mkdtempSync(join(tmpdir(), 'worldlines-packed-'));
const DENO = 'deno@2.9.6';
const VITES = ['5.4.21', '6.4.1', '7.3.8'];

/** Receives what pages say. */
let heard = () => {};
const listener = createServer((request, response) => {
  let said = '';
  request.on('data', (data) => (said += data));
  request.on('end', () => {
    response.end();
    heard(said);
  });
});
await new Promise((done) => listener.listen(0, '127.0.0.1', done));
const ear = `http://127.0.0.1:${listener.address().port}/`;

/** What every program says in the end. */
const SAID = 'moves 20, mate proven, worker 36';
const MODULE = `const text = (Chess, Game) => 'moves ' + new Chess().moves().length + ', mate ' + Game.parse('1. e3 / f6 2. Qe2 / Nc6').mate(1).verdict;`;
const COUNT = `Game.parse('1. e3 / f6 2. Qe2 / Nc6').countActions().count`;
const SAY = `const say = (text) => fetch('${ear}', { method: 'POST', mode: 'no-cors', body: text });
self.onerror = (message) => say('error: ' + message);
self.onunhandledrejection = ({ reason }) => say('error: ' + reason);`;
/** A page and its worker, ready when they are imported. */
const PAGE = `import Chess, { Game } from 'worldlines';
${SAY}
${MODULE}
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => say(text(Chess, Game) + ', worker ' + data);
worker.onerror = ({ message }) => say('error of the worker: ' + message);
`;
const WORKER = `import { Game } from 'worldlines';
postMessage(${COUNT});
`;
/** The same, loaded when they ask for it, from an address that each bundler gives in its own way. */
const late = (address) => ({
  page: `import Chess, { Game, init } from 'worldlines/init';
${address}
${SAY}
${MODULE}
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = async ({ data }) => {
  await init(wasm);
  say(text(Chess, Game) + ', worker ' + data);
};
worker.onerror = ({ message }) => say('error of the worker: ' + message);
`,
  worker: `import { Game, init } from 'worldlines/init';
${address}
init(wasm).then(() => postMessage(${COUNT}));
`,
});
const READY = { page: PAGE, worker: WORKER };
const LATE = {
  vite: late("import wasm from 'worldlines/worldlines.wasm?url';"),
  webpack: late("const wasm = new URL('worldlines/worldlines.wasm', import.meta.url);"),
  esbuild: late("import wasm from 'worldlines/worldlines.wasm';"),
};

const passed = [];

async function step(name, work) {
  await work();
  passed.push(name);
  console.log(`ok: ${name}`);
}

/** A folder with these files and the package. */
function program(name, files) {
  const folder = join(place, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

function node(folder, ...args) {
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

/** Runs a program of the installed packages. */
function tool(folder, file, ...args) {
  execFileSync(process.execPath, [join(place, 'node_modules', file), ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs esbuild. */
function bundled(folder, ...args) {
  execFileSync(join(place, 'node_modules', '.bin', 'esbuild'), ['--bundle', '--log-level=error', ...args], { cwd: folder, stdio: 'inherit' });
}

/** What a page says, in Chromium. */
async function seen(url) {
  const profile = mkdtempSync(join(place, 'profile-'));
  const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, url];
  const chromium = spawn(browser, options, { stdio: 'ignore' });
  try {
    return await new Promise((settle, refuse) => {
      heard = settle;
      chromium.on('error', refuse);
      setTimeout(() => refuse(new Error(`${url} said nothing in a minute`)), 60_000).unref();
    });
  } finally {
    const ended = new Promise((done) => chromium.on('exit', done));
    if (chromium.exitCode === null && chromium.kill()) await ended;
  }
}

/** What a page of a folder says, from a server that knows nothing of the package. */
async function served(folder) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    const file = join(folder, request.url === '/' ? 'index.html' : decodeURIComponent(request.url.split('?')[0]));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await seen(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const html = (script) => `<!doctype html><title>page</title><body>nothing</body><script type="module" src="${script}"></script>\n`;

/** What a page says while Vite's server makes it. */
async function developed(folder, vite) {
  const server = spawn(process.execPath, [vite, '--host', '127.0.0.1', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await new Promise((settle, refuse) => {
      let said = '';
      server.on('exit', () => refuse(new Error(`Vite ended: ${said}`)));
      server.stdout.on('data', (data) => {
        // Without its colours.
        said += String(data).replace(/\u001b\[\d+m/g, '');
        const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
        if (found) settle(found[0]);
      });
    });
    return await seen(url);
  } finally {
    server.kill();
  }
}

async function withoutBundlers() {
  await step('npm packs licences, types and both kinds of modules', () => {
    const files = readdirSync(join(place, 'node_modules', 'worldlines'), { recursive: true });
    const wanted = ['LICENSE-MIT', 'LICENSE-APACHE', 'README.md', 'dist/index.d.ts', 'bundle/index.d.cts', 'bundle/node.cjs', 'bundle/init.d.ts'];
    for (const file of wanted) assert.ok(files.map((name) => name.replaceAll('\\', '/')).includes(file), file);
    const { exports } = JSON.parse(readFileSync(join(place, 'node_modules', 'worldlines', 'package.json'), 'utf8'));
    const named = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(named));
    for (const file of named(exports)) assert.ok(existsSync(join(place, 'node_modules', 'worldlines', file)), file);
  });
  await step('Node, import', () => {
    const folder = program('esm', { 'main.mjs': `import Chess, { Game } from 'worldlines';\n${MODULE}\nconsole.log(text(Chess, Game));` });
    assert.equal(node(folder, 'main.mjs'), 'moves 20, mate proven');
  });
  await step('Node, require', () => {
    const folder = program('cjs', { 'main.cjs': `const Chess = require('worldlines');\n${MODULE}\nconsole.log(text(Chess, require('worldlines').Game));` });
    assert.equal(node(folder, 'main.cjs'), 'moves 20, mate proven');
  });
  await step('Node, worldlines/init', () => {
    const folder = program('late', { 'main.mjs': `import Chess, { Game, init } from 'worldlines/init';\n${MODULE}\nawait init();\nconsole.log(text(Chess, Game));` });
    assert.equal(node(folder, 'main.mjs'), 'moves 20, mate proven');
  });
  await step('TypeScript: import, import = require, esModuleInterop, using', () => {
    const folder = program('types', {});
    for (const file of ['types.ts', 'required.cts', 'interop.cts', 'tsconfig.json']) cpSync(join(here, 'test', file), join(folder, file));
    // Modules of TypeScript are those of Node here.
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    execFileSync(process.execPath, [join(here, 'node_modules', 'typescript', 'bin', 'tsc'), '--project', folder], { stdio: 'inherit' });
  });
}

/** Deno of the system or of npm, if it runs. */
function denoProgram() {
  const own = join(place, 'node_modules', '.bin', 'deno');
  return [own, 'deno'].find((program) => {
    try {
      return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).startsWith('deno 2');
    } catch {
      return false;
    }
  });
}

/** Deno with the package in `node_modules`, as the README says: it may read, and nothing else. */
async function withDeno(deno) {
  const run = (folder, ...args) => execFileSync(deno, ['run', '--quiet', '--no-remote', '--allow-read', ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const files = {
    'deno.json': '{ "nodeModulesDir": "manual" }',
    'package.json': '{ "type": "module", "dependencies": { "worldlines": "*" } }',
    'main.js': `import Chess, { Game } from 'worldlines';\n${MODULE}\nconsole.log(text(Chess, Game));`,
    'late.js': `import Chess, { Game, init } from 'worldlines/init';\n${MODULE}\nawait init();\nconsole.log(text(Chess, Game));`,
    'types.ts': `import { Game, type Status } from 'worldlines';\nconst status: Status = Game.parse('1. e3 / f6 2. Qe2 / Nc6').status();\nconsole.log(status);`,
  };
  const folder = program('deno', files);
  mkdirSync(join(folder, 'node_modules'));
  cpSync(join(place, 'node_modules', 'worldlines'), join(folder, 'node_modules', 'worldlines'), { recursive: true });
  cpSync(join(place, 'node_modules', 'fflate'), join(folder, 'node_modules', 'fflate'), { recursive: true });
  await step('Deno, import', () => assert.equal(run(folder, 'main.js'), 'moves 20, mate proven'));
  await step('Deno, worldlines/init', () => assert.equal(run(folder, 'late.js'), 'moves 20, mate proven'));
  await step('Deno, types are checked', () => assert.equal(run(folder, '--check', 'types.ts'), 'ongoing'));
}

async function withBundlers() {
  const kinds = (bundler) => [['', READY], [', worldlines/init', LATE[bundler]]];
  const isModule = '{"type":"module"}';
  for (const version of VITES) {
    for (const [kind, { page, worker }] of kinds('vite')) {
      const name = `vite-${version}`;
      const folder = program(name + kind.replace(/\W/g, ''), { 'index.html': html('./main.js'), 'main.js': page, 'worker.js': worker, 'package.json': isModule });
      const vite = join(place, 'node_modules', name, 'bin', 'vite.js');
      await step(`Vite ${version}, server${kind}`, async () => assert.equal(await developed(folder, vite), SAID));
      await step(`Vite ${version}, build${kind}`, async () => {
        tool(folder, `${name}/bin/vite.js`, 'build', '--logLevel', 'error');
        assert.equal(await served(join(folder, 'dist')), SAID);
      });
    }
  }
  for (const [kind, { page, worker }] of kinds('webpack')) {
    await step(`webpack${kind}`, async () => {
      const folder = program(`webpack${kind.replace(/\W/g, '')}`, { 'main.js': page, 'worker.js': worker, 'package.json': isModule });
      tool(folder, 'webpack/bin/webpack.js', '--mode', 'production', '--entry', './main.js', '-o', 'dist', '--no-performance');
      writeFileSync(join(folder, 'dist', 'index.html'), html('./main.js'));
      assert.equal(await served(join(folder, 'dist')), SAID);
    });
  }
  for (const [kind, { page, worker }] of kinds('esbuild')) {
    await step(`esbuild${kind}`, async () => {
      const folder = program(`esbuild${kind.replace(/\W/g, '')}`, { 'main.js': page, 'worker.js': worker, 'package.json': isModule });
      bundled(folder, 'main.js', 'worker.js', '--format=esm', '--target=es2020', '--loader:.wasm=file', '--outdir=dist');
      writeFileSync(join(folder, 'dist', 'index.html'), html('./main.js'));
      assert.equal(await served(join(folder, 'dist')), SAID);
    });
  }
  await step('esbuild for Node, one file', () => {
    const folder = program('esbuild-node', { 'main.js': `import Chess, { Game } from 'worldlines';\n${MODULE}\nconsole.log(text(Chess, Game));` });
    bundled(folder, 'main.js', '--platform=node', '--outfile=elsewhere/out.cjs');
    assert.equal(node(folder, 'elsewhere/out.cjs'), 'moves 20, mate proven');
  });
  await step('no bundler: a page with an import map', async () => {
    const folder = program('plain', { 'main.js': PAGE, 'worker.js': WORKER.replace("'worldlines'", "'./worldlines/dist/browser.js'") });
    cpSync(join(place, 'node_modules', 'worldlines'), join(folder, 'worldlines'), { recursive: true });
    const map = '<script type="importmap">{"imports":{"worldlines":"./worldlines/dist/browser.js"}}</script>';
    writeFileSync(join(folder, 'index.html'), html('./main.js').replace('<title>', `${map}<title>`));
    assert.equal(await served(folder), SAID);
  });
}

let deno;
const bundlers = process.argv.includes('--bundlers');
try {
  const [{ filename }] = JSON.parse(execFileSync(npm, ['pack', '--json', '--pack-destination', place], { cwd: here, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  const tools = bundlers ? [...VITES.map((version) => `vite-${version}@npm:vite@${version}`), 'webpack@5', 'webpack-cli@6', 'esbuild@0.25', DENO] : [];
  execFileSync(npm, ['install', '--no-audit', '--no-fund', '--no-save', join(place, filename), ...tools], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  await withoutBundlers();
  deno = denoProgram();
  if (deno) await withDeno(deno);
  if (bundlers) await withBundlers();
} finally {
  listener.close();
  listener.closeAllConnections();
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${passed.length} passed, 0 failed${deno ? '' : `; Deno skipped: it is neither in the PATH nor installed by npm (${bundlers ? `${DENO} does not run here` : '-- --bundlers installs it'})`}`);
