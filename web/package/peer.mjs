// Runs the tests of 5d-chess-js against this package and against 5d-chess-js 1.2.1, and compares what fails with differences.json.
//
// Nothing of them is part of this repository: the tests come from a copy of the library's repository that is cloned, or from a folder that
// CHESSJS_TESTS names; the library itself comes from npm, or from a folder that CHESSJS_MODULES names. What cannot be had is named, with exit code 2.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import vm from 'node:vm';

/** Ends with a sentence: without it nothing can be compared. */
function lacking(sentence) {
  console.error(`error: ${sentence}`);
  process.exit(2);
}

/** The class of this package, which must have been built. */
export async function ourLibrary() {
  const built = ['dist/node.js', 'bundle/node.cjs'].every((file) => existsSync(new URL(file, import.meta.url)));
  if (!built) lacking('the package is not built: npm run build');
  return (await import('./dist/node.js')).default;
}

const REPOSITORY = process.env.CHESSJS_REPOSITORY ?? 'https://github.com/NKID00/5d-chess-js';

/** A `node_modules` with some packages: the one of CHESSJS_MODULES, or a new one in the folder for temporary files. */
export function modulesFolder(...packages) {
  if (process.env.CHESSJS_MODULES) return process.env.CHESSJS_MODULES;
  const folder = mkdtempSync(join(tmpdir(), 'chessjs-'));
  try {
    execFileSync('npm', ['install', '--loglevel=error', '--no-audit', '--prefix', folder, ...packages], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    lacking(`${packages.join(', ')} cannot be installed; CHESSJS_MODULES may name a node_modules with them. ${reasonOf(error)}`);
  }
  return join(folder, 'node_modules');
}

export function theirLibrary() {
  return createRequire(join(modulesFolder('5d-chess-js@1.2.1'), 'x.js'))('5d-chess-js');
}

/** The last line that a program wrote before it failed. */
const reasonOf = ({ stderr, message }) => String(stderr || message).trim().split('\n').at(-1);

/** A copy of a repository, unless the variable of this name has a folder with one. */
export function cloned(url, variable) {
  const given = process.env[variable];
  if (given) return existsSync(given) ? given : lacking(`there is no folder ${given}, which ${variable} names`);
  const folder = mkdtempSync(join(tmpdir(), 'chessjs-clone-'));
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', url, folder], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    lacking(`${url} cannot be cloned; ${variable} may name a folder with it. ${reasonOf(error)}`);
  }
  return folder;
}

/** The tests of the library. */
export function testFolder() {
  const folder = cloned(REPOSITORY, 'CHESSJS_TESTS');
  return process.env.CHESSJS_TESTS ? folder : join(folder, 'src', 'tests');
}

class Failed extends Error {}

/** The few words of Jest that the tests use. */
function expect(value, positive = true) {
  const check = (holds, what) => {
    if (holds !== positive) throw new Failed(`expected ${positive ? '' : 'not '}${what}`);
  };
  const matchers = {
    toBe: (wanted) => check(Object.is(value, wanted), `${JSON.stringify(wanted)}, found ${JSON.stringify(value)}`),
    toStrictEqual: (wanted) => check(isDeepStrictEqual(value, wanted), `${JSON.stringify(wanted)}, found ${JSON.stringify(value)}`),
    toEqual: (wanted) => check(isDeepStrictEqual(value, wanted), `${JSON.stringify(wanted)}, found ${JSON.stringify(value)}`),
    toThrow: () => {
      let thrown;
      try {
        value();
      } catch (error) {
        thrown = error;
      }
      check(thrown !== undefined, `an error, found ${thrown?.message ?? 'none'}`);
    },
  };
  return positive ? Object.assign(matchers, { not: expect(value, false) }) : matchers;
}

/** The results of a file's tests with a library: `name -> undefined or a message`. */
function results(path, Chess) {
  const tests = [];
  const known = { '@local/index': Chess, '5d-chess-js': Chess, 'deep-equal': (a, b) => isDeepStrictEqual(a, b) };
  const silent = { ...console, error: () => {}, log: () => {} };
  const spy = { mockImplementation: () => spy, mockRestore: () => {} };
  silent.error.mockImplementation = () => {};
  silent.error.mockRestore = () => {};
  const words = {
    console: silent,
    expect,
    test: (name, work) => tests.push([name, work]),
    it: (name, work) => tests.push([name, work]),
    describe: (_name, work) => work(),
    jest: { spyOn: () => spy },
    require: (name) => {
      if (!(name in known)) throw new Error(`the test wants ${name}`);
      return known[name];
    },
  };
  vm.compileFunction(readFileSync(path, 'utf8'), Object.keys(words), { filename: path })(...Object.values(words));
  return new Map(tests.map(([name, work]) => {
    try {
      work();
      return [name, undefined];
    } catch (error) {
      return [name, String(error?.message ?? error).slice(0, 300)];
    }
  }));
}

async function main() {
  const Ours = await ourLibrary();
  const folder = testFolder();
  const Theirs = theirLibrary();
  const expected = JSON.parse(readFileSync(new URL('./differences.json', import.meta.url), 'utf8')).tests;
  let passed = 0;
  const wrong = [];
  const seen = new Set();
  for (const file of readdirSync(folder).filter((file) => file.endsWith('.test.js')).sort()) {
    const theirs = results(join(folder, file), Theirs);
    for (const [name, message] of results(join(folder, file), Ours)) {
      const id = `${file}: ${name}`;
      seen.add(id);
      const reason = expected[id];
      if (message === undefined) passed += 1;
      const other = theirs.get(name) === undefined ? '' : ' (fails with 5d-chess-js 1.2.1 too)';
      if (message !== undefined) console.log(`differs  ${id}${other}\n         ${message}\n         ${reason ?? 'NO REASON KNOWN'}`);
      if ((message === undefined) !== (reason === undefined)) wrong.push(id);
    }
  }
  console.log(`${passed} of ${seen.size} tests pass; ${Object.keys(expected).length} differences are known`);
  for (const id of Object.keys(expected)) {
    if (!seen.has(id)) wrong.push(id);
  }
  if (wrong.length > 0) {
    console.error(`error: not as differences.json says:\n  ${wrong.join('\n  ')}`);
    process.exit(1);
  }
}

if (process.argv[1]?.endsWith('peer.mjs')) await main();
