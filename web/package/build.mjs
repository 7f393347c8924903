// Makes dist/ of the WebAssembly and the JavaScript at its border, which are in the folder that is given: `cargo web package`.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';

/** So much that nothing large comes in unseen, and that not every change has to save. */
const MOST_BYTES = 1152 * 1024;
const here = dirname(fileURLToPath(import.meta.url));
const [border] = process.argv.slice(2);
if (!border) {
  console.error('usage: cargo web package');
  process.exit(2);
}

const dist = join(here, 'dist');
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
cpSync(border, join(dist, 'wasm'), { recursive: true });
const packed = join(dist, 'wasm', 'worldlines_bg.wasm');
// What the compiler uses, and every browser of the last years has.
const features = ['bulk-memory', 'bulk-memory-opt', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals', 'reference-types', 'multivalue'];
// Functions that are put into their callers no longer resemble each other, and what is alike packs well: this takes a tenth off.
const inlining = ['--one-caller-inline-max-function-size=0', '--always-inline-max-function-size=2', '--flexible-inline-max-function-size=5'];
const enabled = features.map((feature) => `--enable-${feature}`);
// Functions in the order of how often they are called have short numbers: two in a hundred less.
const order = ['--reorder-functions', '--reorder-locals'];
const options = ['-O2', ...inlining, ...order, '--strip-debug', '--strip-producers', ...enabled];
const optimiser = join(here, 'node_modules', 'binaryen', 'bin', 'wasm-opt');
execFileSync(process.execPath, [optimiser, packed, ...options, '-o', packed], { stdio: ['ignore', 'inherit', 'inherit'] });
cpSync(join(here, 'js'), dist, { recursive: true });
writeFileSync(join(dist, 'worldlines.js'), filled('script.js'));

// What programs take that serve no folder: `require` of Node, and bundlers.
const bundle = join(here, 'bundle');
rmSync(bundle, { recursive: true, force: true });
cpSync(join(here, 'bundle-js'), bundle, { recursive: true });
writeFileSync(join(bundle, 'node.cjs'), filled('node.cjs'));
writeFileSync(join(bundle, 'wasm.js'), wasmAsText());
writeFileSync(join(bundle, 'index.d.cts'), typesOfRequire());
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(join(here, '..', '..', name), join(here, name));

/** A module as an expression: a function that is called, and gives what the module exports. */
function enclosed(path) {
  const names = [];
  const text = readFileSync(path, 'utf8')
    .replace(/^import .*$/gm, '')
    .replace(/^export \{([^}]*)\};?$/gm, (_, list) => {
      names.push(...list.split(',').map((name) => name.trim()).filter((name) => !name.includes(' as ')));
      return '';
    })
    .replace(/^export ((?:async )?function|class|const) (\w+)/gm, (_, kind, name) => {
      names.push(name);
      return `${kind} ${name}`;
    })
    .replaceAll('import.meta.url', 'address');
  return `(() => {\n${text}\nreturn { ${names.join(', ')} };\n})()`;
}

/** A template with both modules in it: the border and the API. */
function filled(template) {
  const [glue, api] = [join(dist, 'wasm', 'worldlines.js'), join(here, 'js', 'api.js')].map(enclosed);
  return readFileSync(join(here, 'templates', template), 'utf8').replace('= GLUE;', () => `= ${glue};`).replace('= API;', () => `= ${api};`);
}

/** The WebAssembly as a module: packed, as letters. */
function wasmAsText() {
  const letters = deflateRawSync(readFileSync(packed), { level: 9 }).toString('base64');
  return `import { inflateSync } from 'fflate';

const packed = '${letters}';

/** The WebAssembly. */
export default () => inflateSync(Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)));
`;
}

/** The types of what `require` gives: the class, with everything else as its properties. */
function typesOfRequire() {
  const names = [];
  const text = readFileSync(join(here, 'js', 'index.d.ts'), 'utf8')
    .replace(/^export default .*$/m, '')
    .replace(/^export (class|function|interface|type) (\w+)/gm, (_, kind, name) => {
      if (name !== 'Chess' && !names.includes(name)) names.push(name);
      return kind === 'class' || kind === 'function' ? `declare ${kind} ${name}` : `${kind} ${name}`;
    });
  const itself = 'declare const Itself: typeof Chess;\ntype Itself = Chess;';
  return `${text}\n${itself}\n\ndeclare namespace Chess {\n  export { Itself as Chess, Itself as default, ${names.join(', ')} };\n}\n\nexport = Chess;\n`;
}

const files = ['api.js', 'browser.js', 'public.js', 'wasm/worldlines.js', 'wasm/worldlines_bg.wasm'];
let bytes = 0;
for (const file of files) bytes += gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
console.log(`${(statSync(packed).size / 1024).toFixed(0)} KiB of WebAssembly; with its JavaScript ${(bytes / 1024).toFixed(0)} KiB gzipped`);
if (bytes > MOST_BYTES) {
  console.error(`error: the package is larger than ${MOST_BYTES / 1024} KiB gzipped`);
  process.exit(1);
}
