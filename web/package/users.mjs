// Runs published programs that use 5d-chess-js with both libraries, and compares all that they say: with this package only the line that imports
// the library is another one. What differs must be in differences.json, with its reason, and what is there must differ.
//
// Nothing of them is part of this repository. The client chess-in-5d is cloned at that moment, or CHESSJS_CLIENT names a folder with it; the
// documentation comes with the tests of the library (see peer.mjs); its renderer and its clock come from npm, or from CHESSJS_MODULES.
// The renderer runs in Chromium, driven by the Playwright of web/board; without that it is left out, and the last line says so.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import vm from 'node:vm';

import { cloned, modulesFolder, ourLibrary, testFolder } from './peer.mjs';
import { pages } from './users-pages.mjs';

const Ours = await ourLibrary();

const CLIENT = process.env.CHESSJS_CLIENT_REPOSITORY ?? 'https://github.com/NKID00/chess-in-5d-stripped';
/** The client asks for every possible move after every action: longer games take minutes with 5d-chess-js. */
const MOST_ACTIONS = Number(process.env.USERS_ACTIONS ?? 6);

/** A module of theirs, with other modules in place of what it imports. */
function load(path, needs, globals = {}) {
  const need = (name) => {
    if (!(name in needs)) throw new Error(`${path} wants ${name}`);
    return needs[name];
  };
  const source = readFileSync(path, 'utf8')
    .replace(/^import \* as (\w+) from '([^']+)';?/gm, "const $1 = need('$2');")
    .replace(/^import (\w+) from '([^']+)';?/gm, "const $1 = need('$2').default ?? need('$2');")
    .replace(/^import (\{[^}]+\}) from '([^']+)';?/gm, "const $1 = need('$2');")
    .replace(/^export default /gm, 'out.default = ')
    .replace(/^export const (\w+) =/gm, 'const $1 = out.$1 =');
  const words = { need, require: need, out: {}, ...globals };
  vm.compileFunction(source, Object.keys(words), { filename: path })(...Object.values(words));
  return words.out;
}

/** A game of each variant that both know, played by a fixed rule: `[name, text]`. */
function games(Theirs) {
  const theirs = new Set(new Theirs().variants.map(({ shortName }) => shortName));
  const known = new Ours().variants.map(({ shortName }) => shortName).filter((name) => name !== 'custom' && theirs.has(name));
  return known.map((variant) => {
    let seed = 12345;
    const any = (count) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed % count;
    };
    const chess = new Ours(undefined, variant);
    for (let action = 0; action < MOST_ACTIONS; action++) {
      const moves = chess.moves();
      if (moves.length === 0) break;
      for (let tries = 0; !chess.submittable() && tries < 40; tries++) {
        const next = chess.moves();
        if (next.length === 0 || chess.inCheck && chess.moveBuffer.length > 0) while (chess.undoable()) chess.undo();
        else chess.move(next[any(next.length)]);
      }
      if (!chess.submittable()) break;
      chess.submit();
    }
    while (chess.undoable()) chess.undo();
    return [variant, chess.export()];
  });
}

/** What was seen, as data, without what is allowed to differ between two runs. */
function seenAs(value) {
  return JSON.parse(JSON.stringify(value, (key, part) => (['startDate', 'endDate', 'lastUpdate', 'id'].includes(key) ? undefined : part)) ?? 'null');
}

/** The programs: each gets the class and says what it saw, as a list of `[what, value]`. */
function programs(client, modules, documents, Theirs) {
  const require = createRequire(join(modules, 'x.js'));
  const clock = require('5d-chess-clock');
  const played = games(Theirs);
  const at = (name) => join(client, 'src', name);
  const emitter = { createNanoEvents: () => ({ emit() {}, on() {} }) };
  const deepcopy = (value) => structuredClone(value);
  const window = { setTimeout: () => 0, clearTimeout() {} };
  /** What a program sees of each game; an error is the last thing that it sees. */
  const eachGame = async (work) => {
    const said = [];
    for (const [name, text] of played) {
      const seen = [];
      try {
        await work(text, (what, value) => seen.push([what, seenAs(value)]));
      } catch (error) {
        if (process.env.USERS_VERBOSE) console.log(`${name}: ${error.stack}`);
        seen.push(['threw', true]);
      }
      said.push([name, seen]);
    }
    return said;
  };
  return {
    'analysis of the client': async (Chess) => {
      const links = { decompressLink: (text) => text, compressLink: (text) => text };
      const { default: Manager } = load(at('state/AnalysisManager.js'), { '5d-chess-js': Chess, nanoevents: emitter, 'utils/LinkCompression': links, deepcopy }, { window });
      return eachGame(async (text, say) => {
        const manager = new Manager();
        const tell = (what) => say(what, manager.getBoard());
        await manager.init(text);
        tell('opened');
        for (const word of ['previousAction', 'previousMove', 'previousAction', 'nextMove', 'nextAction', 'nextAction', 'nextAction']) {
          manager[word]();
          tell(word);
        }
        const [first] = manager.getBoard().availableMoves;
        if (first) {
          manager.move(first);
          tell('moved');
          manager.undo();
          tell('undone');
          manager.move(first);
          if (manager.chess.submittable()) manager.submit();
          tell('submitted');
        }
        manager.select(text);
        tell('selected');
      });
    },
    'sessions of the client': async (Chess) => {
      const { generate } = load(at('utils/SessionGenerate.js'), { '5d-chess-js': Chess, '5d-chess-clock': clock });
      return eachGame(async (text, say) => {
        const parts = new Chess(text);
        const session = { ...generate(parts.metadata.board), player: 'white' };
        const table = { update: async () => {}, remove: async () => {} };
        const needs = {
          '5d-chess-js': Chess,
          '5d-chess-clock': clock,
          nanoevents: emitter,
          'state/auth': { get: () => ({ username: 'x' }) },
          'network/sessions': { getCurrentSession: async () => session, getSession: async () => session },
          'state/db': { init: () => ({ currentSessions: table, pastSessions: table }) },
        };
        const { default: Manager } = load(at('state/SessionManager.js'), needs, { window });
        const manager = new Manager();
        await manager.init('1');
        say('begun', [manager.getBoard(), session.board]);
        for (const action of parts.actionHistory) {
          for (const move of action.moves) {
            await manager.move(move);
            say(`${action.action} ${action.player} moved`, manager.getBoard());
          }
          await manager.undo();
          await manager.move(action.moves.at(-1));
          await manager.submit();
          say(`${action.action} ${action.player} submitted`, [manager.getBoard(), manager.session.player]);
        }
        await manager.updateInterval();
        say('over', [manager.session.ended, manager.session.winner, manager.session.winCause]);
      });
    },
    'games of the server': async (Chess) => {
      const { fromServerGame } = load(at('utils/SessionTransform.js'), { '5d-chess-js': Chess });
      return eachGame(async (text, say) => {
        const chess = new Chess(text);
        say('board', fromServerGame({ variant: chess.metadata.board, actionHistory: chess.actionHistory }).board);
      });
    },
    'notation of the client': async (Chess) => {
      const { extractHighlightNotation } = load(at('components/Player/Notation/HighlightNotationWorker.js'), { '5d-chess-js': Chess });
      return eachGame(async (text, say) => {
        const chess = new Chess(text);
        const whole = chess.export('5dpgn_active_timeline');
        const begun = new Chess(undefined, chess.metadata.board);
        begun.action(chess.actionHistory[0]);
        const half = begun.export('5dpgn_active_timeline');
        say('found', extractHighlightNotation(whole.split('\n'), whole, half));
      });
    },
    'examples of the documentation': async (Chess) => {
      const blocks = [...readFileSync(documents, 'utf8').matchAll(/^``` ?js\n([^]*?)^```/gm)].map(([, block]) => block).filter((block) => block.includes('chess.'));
      return blocks.map((block, index) => {
        const said = [];
        const console = { log: (...values) => said.push(...values) };
        // What is printed goes to the console of the library, not to this one.
        const { log } = globalThis.console;
        globalThis.console.log = console.log;
        try {
          vm.compileFunction(`{${block}}`, ['require', 'Chess', 'console'])(() => Chess, Chess, console);
        } finally {
          globalThis.console.log = log;
        }
        return [`example ${index + 1}`, said];
      });
    },
  };
}

/** The first places where two values differ. */
function firstDifference(a, b, path = '') {
  if (isDeepStrictEqual(a, b)) return undefined;
  const isTree = (value) => value !== null && typeof value === 'object';
  if (!isTree(a) || !isTree(b)) return `${path}: ${JSON.stringify(a)?.slice(0, 90)} here, ${JSON.stringify(b)?.slice(0, 90)} there`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(a[key], b[key], `${path}.${key}`);
    if (found) return found;
  }
  return `${path}: another order`;
}

async function main() {
  const modules = modulesFolder('5d-chess-js@1.2.1', '5d-chess-clock@1.0.1', '5d-chess-renderer@1.1.16');
  const client = cloned(CLIENT, 'CHESSJS_CLIENT');
  const documents = join(testFolder(), '../../docs/README.md');
  const Theirs = createRequire(join(modules, 'x.js'))('5d-chess-js');
  const expected = JSON.parse(readFileSync(new URL('./differences.json', import.meta.url), 'utf8')).users;
  const all = programs(client, modules, documents, Theirs);
  const wrong = [];
  const report = (name, same, differing, took) => {
    const reasonOf = (what) => expected[`${name}: ${what}`] ?? expected[`${name}: *`];
    const reasons = [...new Set(differing.map(([what]) => reasonOf(what)).filter(Boolean))];
    console.log(`${name}: the same in ${same} of ${same + differing.length}${took}`);
    for (const reason of reasons) console.log(`  differs: ${reason}`);
    for (const [what, message] of differing) {
      if (!reasonOf(what)) wrong.push(`${name}: ${what}\n    ${message}`);
    }
    for (const id of Object.keys(expected)) {
      const [program, part] = id.split(': ');
      if (program === name && !differing.some(([what]) => part === '*' || part === what)) wrong.push(`${id}\n    is the same`);
    }
  };
  for (const [name, program] of Object.entries(all)) {
    const begun = performance.now();
    const ours = await program(Ours);
    const between = performance.now();
    const theirs = await program(Theirs);
    const took = ` (${(between - begun).toFixed(0)} ms here, ${(performance.now() - between).toFixed(0)} ms there)`;
    const other = new Map(theirs);
    const differing = [];
    let answers = 0;
    for (const [what, value] of ours) {
      const message = firstDifference(seenAs(value), seenAs(other.get(what)));
      if (!message) answers += value.length;
      else differing.push([what, message]);
    }
    if (ours.length !== theirs.length) differing.push(['number of answers', `${ours.length} here, ${theirs.length} there`]);
    report(name, ours.length - differing.length, differing, `, ${answers} answers each${took}`);
  }
  const played = await pages(modules);
  if (played === undefined) console.log('renderer and page: left out, because web/board has no Playwright (npm ci there) or there is no Chromium');
  for (const [name, { same, differing }] of Object.entries(played ?? {})) report(name, same, differing, ' (in Chromium)');
  if (wrong.length > 0) {
    console.error(`error: not as differences.json says:\n  ${wrong.join('\n  ')}`);
    process.exit(1);
  }
}

await main();
