// Calls of everything with anything: what is wrong is an error and never a panic, and memory is given back.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

// The modules themselves: their memory can be seen.
import { Chess, ChessError, Game, ReadmeChess, begin, convert, formats, judgeAnswer, puzzleGame, puzzleSolution, puzzlesOf, variants, verify } from '../dist/api.js';
import { boardsOf, gameOfBoards, readTree, withBoard, withNextBoard, withPiece, withoutBoard, writeTree } from '../dist/api.js';
import { Game as Border, initSync } from '../dist/wasm/worldlines.js';

const here = dirname(fileURLToPath(import.meta.url));
const { memory } = initSync({ module: readFileSync(join(here, '../dist/wasm/worldlines_bg.wasm')) });
begin();
const CALLS = Number(process.env.BORDER_CALLS ?? 4_000);
const GAMES = Number(process.env.BORDER_GAMES ?? 10_000);

/** The same numbers on every machine. */
function dice(seed) {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** Values that nobody should give, and parts of such that somebody does. */
function anything(any, chess) {
  const letters = 'KQRBNPabcdefgh12345678x>~=+#()/T-.;[]{}":, \n\u0000é𝄞';
  const text = (length) => Array.from({ length }, () => letters[any(letters.length)]).join('');
  const moves = ['e4', 'Nf3', 'e2e4', '(0T1)Ng1f3', '(0T2)Nf3>>(0T1)f5', '1w. 1:e2:e4', 'O-O', 'd5', 'Nc6'];
  const makers = [
    () => undefined,
    () => null,
    () => any(2) === 0,
    () => any(2 ** 16) - 2 ** 15,
    () => [NaN, Infinity, -Infinity, -0, 2 ** 53, 1e300, 0.5][any(7)],
    () => text(any(30)),
    () => moves[any(moves.length)],
    () => moves.slice(any(4), 4 + any(5)).join(' '),
    () => `1. ${moves[any(3)]} / ${moves[any(9)]}`,
    () => ['object', 'json', 'raw', '5dpgn', '5dpgn_active_timeline', 'notation', text(4)][any(7)],
    () => variants()[any(variants().length)].shortName,
    () => [],
    () => ({}),
    () => [[any(4) - 1, any(6), any(9), any(9)], [any(4), any(6), any(9), any(9), any(30)]],
    () => [[[any(4), any(6), any(9), any(9)], [any(4), any(6), any(9)]]],
    () => ({ start: { timeline: any(3), turn: any(3), player: 'white', coordinate: 'e2' }, end: any(2) ? null : { timeline: 0, turn: 1, player: 'white', rank: any(10), file: any(10) } }),
    () => JSON.stringify({ action: any(4), player: 'white', moves: [] }),
    () => (chess ? chess.board : 7n),
    () => (chess ? chess.moves('raw', false, false)[any(20)] : Symbol('x')),
    () => new Date(0),
    () => () => 1,
    () => `[${text(20)}:0:1:w]`,
    () => '[Board "custom"]\n[Size "5x5"]\n[k4/5/5/5/4K:0:1:w]',
    () => text(400),
  ];
  return makers[any(makers.length)]();
}

/** Every function and field of an object's class, but not those that end it. */
function members(object) {
  const names = new Set();
  for (let kind = Object.getPrototypeOf(object); kind && kind !== Object.prototype; kind = Object.getPrototypeOf(kind)) {
    for (const name of Object.getOwnPropertyNames(kind)) if (!['constructor', 'free', 'print', 'print2'].includes(name)) names.add(name);
  }
  return [...names].sort();
}

function tried(work, what) {
  try {
    const value = work();
    // A list that is found when it is asked for.
    if (value && typeof value.next === 'function') for (let count = 0; count < 5 && !value.next().done; count++);
    value?.free?.();
  } catch (error) {
    assert.ok(error instanceof ChessError || error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError, `${what}: ${error?.stack}`);
    assert.notEqual(error.code, 'bug', `${what}: ${error.message}`);
    assert.ok(!(error instanceof WebAssembly.RuntimeError), `${what}: ${error.message}`);
  }
}

const shown = (values) => values.map((value) => (typeof value === 'symbol' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)?.slice(0, 80))).join(', ');

test('any call with any arguments answers or throws', () => {
  const any = dice(20261123);
  for (const Kind of [Chess, ReadmeChess, Game]) {
    const fresh = () => (Kind === Game ? Game.start() : new Kind());
    let object = fresh();
    const names = members(object);
    // The prover and the engine take as long as they are told to; they are asked in small doses.
    const small = new Set(['mate', 'surviving', 'think', 'status', 'countActions', 'why']);
    for (let call = 0; call < CALLS; call++) {
      if (any(60) === 0) {
        object.free();
        object = fresh();
      }
      if (object.checkmateTimeout !== undefined) object.checkmateTimeout = 5;
      const name = names[any(names.length)];
      const descriptor = (function find(kind) {
        return Object.getOwnPropertyDescriptor(kind, name) ?? find(Object.getPrototypeOf(kind));
      })(Object.getPrototypeOf(object));
      const values = Array.from({ length: any(4) }, () => anything(any, Kind === Game ? undefined : object));
      if (small.has(name)) {
        if (any(8) > 0) continue;
        const options = { steps: any(3_000), most: any(20), all: any(2) === 0 };
        tried(() => (name === 'mate' || name === 'surviving' ? object[name](values[0], options) : object[name](options)), `${name}(${shown(values)})`);
        continue;
      }
      if (name === 'actions' && Kind !== Game) {
        tried(() => object.actions('raw'), name);
        continue;
      }
      if (descriptor.get) tried(() => object[name], name);
      else tried(() => object[name](...values), `${Kind.name}.${name}(${shown(values)})`);
    }
    object.free();
  }
});

test('functions of texts answer or throw, whatever they get', () => {
  const any = dice(7);
  const names = formats().map(({ name }) => name);
  const yaml = readFileSync(join(here, '../../../puzzles/first-steps/scholars-mate.yaml'), 'utf8');
  for (let call = 0; call < CALLS / 8; call++) {
    const broken = any(2) === 0 ? yaml.slice(0, any(yaml.length)) + yaml.slice(any(yaml.length)) : String(shown([anything(any)]));
    const options = { from: any(2) ? names[any(names.length)] : undefined, to: names[any(names.length)] };
    tried(() => convert(any(2) ? broken : '1. e4 / e5 2. Nf3', options), `convert ${JSON.stringify(options)}`);
    tried(() => verify(broken, { steps: any(2_000) }), 'verify');
    tried(() => readTree(any(2) ? broken : '1. e4 {a} (1. d4) / e5', options), 'readTree');
    tried(() => writeTree(anything(any), options), 'writeTree');
    tried(() => writeTree({ start: '[Board "Standard"]', line: { actions: ['e4', broken], notes: [{ after: any(3), comments: [broken], glyphs: [anything(any)] }] } }, options), 'writeTree');
    for (const ask of [boardsOf, withNextBoard]) tried(() => ask(any(2) ? broken : anything(any)), ask.name);
    const boards = any(2) ? '[3/3/K2:0:1:w]' : broken;
    tried(() => withPiece(boards, anything(any), anything(any), anything(any)), 'withPiece');
    tried(() => withPiece(boards, any(2), [any(9), any(9)], 'KQkx*'[any(5)]), 'withPiece');
    tried(() => withBoard(boards, { timeline: broken.slice(0, 4), turn: any(9), color: 'w' }, { files: any(300), ranks: any(300) }), 'withBoard');
    tried(() => withBoard(boards, anything(any), anything(any)), 'withBoard');
    tried(() => withoutBoard(boards, anything(any)), 'withoutBoard');
    tried(() => gameOfBoards(boards, { promotions: broken.slice(0, 9) }).free(), 'gameOfBoards');
    for (const ask of [puzzlesOf, puzzleGame, puzzleSolution]) tried(() => ask(broken), ask.name);
    tried(() => judgeAnswer(broken, [String(shown([anything(any)]))]), 'judgeAnswer');
    tried(() => new Chess(anything(any), anything(any)).free(), 'new Chess');
    tried(() => Game.parse(anything(any)).free(), 'Game.parse');
  }
});

test('ten thousand games leave the memory as it is', () => {
  const any = dice(3);
  const play = () => {
    const chess = new Chess(undefined, ['standard', 'turn_zero', 'two_timelines', 'princess'][any(4)]);
    chess.skipDetection = true;
    for (let moves = 0; moves < 4; moves++) {
      const list = chess.moves('raw', false, false);
      if (list.length === 0) break;
      chess.move(list[any(list.length)]);
      if (chess.submittable()) chess.submit();
    }
    chess.copy().free();
    if (any(10) === 0) tried(() => chess.import(anything(any)), 'import');
    chess.free();
  };
  for (let game = 0; game < GAMES / 20; game++) play();
  const before = memory.buffer.byteLength;
  for (let game = 0; game < GAMES; game++) play();
  const grown = memory.buffer.byteLength - before;
  assert.ok(grown <= 1 << 20, `${grown} bytes more than ${before}`);
});

test('a panic becomes an error with the code bug', () => {
  // Nothing is known to panic, so the border is given an object that is gone.
  const game = Game.start();
  const broken = Object.create(Border.prototype);
  assert.throws(() => new Game(broken).render(), { name: 'ChessError', code: 'bug' });
  assert.equal(game.moves().length, 20);
});
