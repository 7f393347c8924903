// Times this package and 5d-chess-js 1.2.1 side by side: the recorded games of corpus/games, and of the folder WORLDLINES_REFERENCE if there is
// one. The library comes from npm, or from a folder that CHESSJS_MODULES names.
//
// For each game both must import the same position, or it is left out and counted. An answer that takes longer than BENCH_LIMIT
// milliseconds is cut there. Cut ones are not in the sums; in the median the ratio is then a lower bound.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

const LIMIT = Number(process.env.BENCH_LIMIT ?? 20_000);
const here = dirname(fileURLToPath(import.meta.url));

function gamesOf(folder) {
  const games = [];
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) games.push(...gamesOf(path));
    else if (name.endsWith('.5dpgn')) games.push({ name, text: readFileSync(path, 'utf8') });
    else if (name.endsWith('.json') && /(real|generated)$/.test(folder)) games.push({ name, text: recorded(path) });
  }
  return games;
}

/** A game of the reference set, as 5DPGN that both read: all headers and boards. */
function recorded(path) {
  const game = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(game.initial_boards) || typeof game.moves_pgn !== 'string') return '';
  const head = `[Board "Custom"]\n[Mode "5D"]\n[Size "${game.size}"]\n[Promotions "${game.headers?.Promotions ?? 'Q'}"]`;
  return [head, ...game.initial_boards, game.moves_pgn].join('\n');
}

const QUESTIONS = {
  import: (Chess, text) => {
    const chess = new Chess();
    chess.import(text);
    return chess;
  },
  "actions('object')": (_Chess, _text, chess) => chess.actions('object'),
  inCheckmate: (_Chess, _text, chess) => chess.inCheckmate,
};

/** The median of a few runs; of one if it takes long. What `prepare` does is not timed. */
function timed(prepare, work) {
  const times = [];
  let value;
  do {
    const prepared = prepare();
    const begun = performance.now();
    value = work(prepared);
    times.push(performance.now() - begun);
  } while (times.length < 5 && times[0] < 200);
  return { milliseconds: times.sort((a, b) => a - b)[times.length >> 1], value };
}

/** A library in a thread of its own, which can be stopped. */
class Library {
  constructor(name) {
    this.name = name;
  }

  async ask(question, text) {
    this.worker ??= new Worker(fileURLToPath(import.meta.url), { workerData: this.name });
    const { worker } = this;
    const answer = await new Promise((done) => {
      const finish = (found) => {
        clearTimeout(timer);
        worker.off('message', finish);
        worker.off('error', fail);
        done(found);
      };
      const fail = (error) => finish({ cut: true, milliseconds: LIMIT, error: String(error) });
      const timer = setTimeout(() => finish({ cut: true, milliseconds: LIMIT }), LIMIT);
      worker.on('message', finish);
      worker.on('error', fail);
      worker.postMessage({ question, text });
    });
    if (answer.cut) {
      await worker.terminate();
      this.worker = undefined;
    }
    return answer;
  }
}

async function serve() {
  // 1.2.1 assigns to a variable of this name that it does not declare, and throws where there is none.
  globalThis.res = undefined;
  const Chess = workerData === 'ours' ? (await import('./dist/node.js')).default : (await import('./peer.mjs')).theirLibrary();
  let last = {};
  parentPort.on('message', ({ question, text }) => {
    try {
      if (question !== 'import' && last.text !== text) last = { text, chess: QUESTIONS.import(Chess, text) };
      const prepare = () => {
        if (question === 'import') return undefined;
        // What was found out once is remembered, so each run asks another copy.
        const chess = last.chess.copy();
        if (chess.checkmateCache) chess.checkmateCache = [];
        return chess;
      };
      const { milliseconds, value } = timed(prepare, (chess) => QUESTIONS[question](Chess, text, chess));
      const shown = question === 'import' ? value.hash : Array.isArray(value) ? value.length : value;
      parentPort.postMessage({ milliseconds, shown });
    } catch (error) {
      parentPort.postMessage({ error: String(error?.message ?? error) });
    }
  });
}

function startUp() {
  const script = 'const t=performance.now(); const {default:C}=await import("worldlines"); new C(); console.log(performance.now()-t)';
  const times = [];
  for (let n = 0; n < 7; n++) {
    times.push(Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: here, encoding: 'utf8' })));
  }
  return times.sort((a, b) => a - b)[3];
}

async function main() {
  console.log(`start-up: import and the first game in ${startUp().toFixed(0)} ms (median of 7)`);
  const folders = [join(here, '../../corpus/games'), process.env.WORLDLINES_REFERENCE].filter((folder) => folder && existsSync(folder));
  const games = folders.flatMap(gamesOf).filter((game) => game.text.trim());
  const [ours, theirs] = [new Library('ours'), new Library('theirs')];
  const rows = Object.fromEntries(Object.keys(QUESTIONS).map((name) => [name, []]));
  let refused = 0;
  let other = 0;
  for (const { name, text } of games) {
    const mine = await ours.ask('import', text);
    if (mine.error) {
      refused += 1;
      if (process.env.BENCH_VERBOSE) console.log(`refused: ${name}: ${mine.error}`);
      continue;
    }
    const its = await theirs.ask('import', text);
    if (its.error || !its.cut && its.shown !== mine.shown) {
      other += 1;
      continue;
    }
    rows.import.push([mine, its]);
    for (const question of Object.keys(QUESTIONS).slice(1)) {
      const [a, b] = [await ours.ask(question, text), await theirs.ask(question, text)];
      if (!a.error && !b.error) rows[question].push([a, b]);
    }
    if (process.env.BENCH_VERBOSE) console.log(name);
  }
  console.log(`${games.length} games; ${refused} that this package does not read, ${other} of which 5d-chess-js makes another position`);
  console.log('question | games | cut | worldlines ms | 5d-chess-js ms | ratio of sums | median ratio, cut ones too');
  for (const [question, pairs] of Object.entries(rows)) {
    const whole = pairs.filter(([a, b]) => !a.cut && !b.cut);
    const sum = (index) => whole.reduce((total, pair) => total + pair[index].milliseconds, 0);
    const ratios = pairs.map(([a, b]) => b.milliseconds / a.milliseconds).sort((a, b) => a - b);
    const middle = ratios[ratios.length >> 1] ?? NaN;
    const numbers = [sum(0).toFixed(1), sum(1).toFixed(0), `${(sum(1) / sum(0)).toFixed(0)} x`, `${middle.toFixed(0)} x`];
    console.log([question, pairs.length, pairs.length - whole.length, ...numbers].join(' | '));
  }
  process.exit(0);
}

if (isMainThread) await main();
else await serve();
