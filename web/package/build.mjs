// Builds dist/: the WebAssembly, made small, and the JavaScript around it.
//
// It needs cargo with the target wasm32-unknown-unknown, and the program wasm-bindgen in the version that Cargo.toml pins: in the PATH, or as
// the variable WASM_BINDGEN.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const MOST_BYTES = 1024 * 1024;
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const bindgen = process.env.WASM_BINDGEN ?? 'wasm-bindgen';

function run(program, args) {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

const wanted = /wasm-bindgen = \{ version = "=([\d.]+)"/.exec(readFileSync(join(here, 'Cargo.toml'), 'utf8'))[1];
let found = 'none';
try {
  found = execFileSync(bindgen, ['--version'], { encoding: 'utf8' }).trim().split(' ')[1];
} catch {
  // The message below says what to do.
}
if (found !== wanted) {
  console.error(`error: wasm-bindgen ${wanted} is needed, but found ${found}`);
  console.error(`hint: cargo install wasm-bindgen-cli --version ${wanted}`);
  process.exit(2);
}

run('cargo', ['build', '--quiet', '-p', 'worldlines-web', '--profile', 'web', '--target', 'wasm32-unknown-unknown']);
const dist = join(here, 'dist');
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const wasm = join(target, 'wasm32-unknown-unknown', 'web', 'worldlines_web.wasm');
run(bindgen, ['--target', 'web', '--out-dir', join(dist, 'wasm'), '--out-name', 'worldlines', wasm]);
const packed = join(dist, 'wasm', 'worldlines_bg.wasm');
// What the compiler uses, and every browser of the last years has.
const features = ['bulk-memory', 'bulk-memory-opt', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals', 'reference-types', 'multivalue'];
// Functions that are put into their callers no longer resemble each other, and what is alike packs well: this takes a tenth off.
const inlining = ['--one-caller-inline-max-function-size=0', '--always-inline-max-function-size=2', '--flexible-inline-max-function-size=5'];
const enabled = features.map((feature) => `--enable-${feature}`);
const options = ['-O2', ...inlining, '--strip-debug', '--strip-producers', ...enabled];
run(process.execPath, [join(here, 'node_modules', 'binaryen', 'bin', 'wasm-opt'), packed, ...options, '-o', packed]);
cpSync(join(here, 'js'), dist, { recursive: true });
rmSync(join(dist, 'script.js'));
writeFileSync(join(dist, 'worldlines.js'), script());

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

/** The classic script of pages that have no modules. */
function script() {
  const [glue, api] = [join(dist, 'wasm', 'worldlines.js'), join(here, 'js', 'api.js')].map(enclosed);
  return readFileSync(join(here, 'js', 'script.js'), 'utf8').replace('= GLUE;', () => `= ${glue};`).replace('= API;', () => `= ${api};`);
}

const files = ['api.js', 'node.js', 'browser.js', 'wasm/worldlines.js', 'wasm/worldlines_bg.wasm'];
let bytes = 0;
for (const file of files) bytes += gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
console.log(`${(statSync(packed).size / 1024).toFixed(0)} KiB of WebAssembly; with its JavaScript ${(bytes / 1024).toFixed(0)} KiB gzipped`);
if (bytes > MOST_BYTES) {
  console.error(`error: the package is larger than ${MOST_BYTES / 1024} KiB gzipped`);
  process.exit(1);
}
