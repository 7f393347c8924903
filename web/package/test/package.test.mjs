// The package as programs use it. `npm run build` must have made dist/.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import Chess, { ChessError, Game, ReadmeChess, convert, formats, variants, verify } from 'worldlines';
import { boardsOf, gameOfBoards, gradeLimits, gradeOf, isLikelyMate, judgeAnswer, puzzleGame, puzzleSolution, puzzlesOf, readTree, winChance, withBoard, withNextBoard, withPiece, withSize, withoutBoard, writeTree } from 'worldlines';
import { page } from './drop-in.mjs';

const here = dirname(fileURLToPath(import.meta.url));

test('a program written for 5d-chess-js runs', () => {
  const seen = page(Chess);
  assert.ok(seen.includes('f2842c74db711815acfaf6d6b1bb956c') === false, 'the game was not over when its hash was taken');
  assert.ok(seen.some((value) => value?.end?.coordinate === 'h5'), 'the mate is found');
});

test('the same program sees the same with 5d-chess-js', async (t) => {
  if (!process.env.CHESSJS_MODULES) return t.skip('CHESSJS_MODULES names no node_modules with 5d-chess-js 1.2.1');
  const { theirLibrary } = await import('../peer.mjs');
  const normal = (value) => {
    if (Array.isArray(value)) return value.map(normal);
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value).filter(([key]) => key !== 'realEnd' || value.start);
    return Object.fromEntries(entries.sort().map(([key, part]) => [key, normal(part)]));
  };
  const [ours, theirs] = [page(Chess), page(theirLibrary())].map(normal);
  assert.equal(ours.length, theirs.length);
  ours.forEach((value, index) => assert.deepEqual(value, theirs[index], `what it sees at ${index}`));
});

test('require gives the class, with everything else as its properties', async () => {
  const required = createRequire(import.meta.url)('worldlines');
  assert.equal(required, Chess, 'import and require give one class');
  assert.equal(new required().moves().length, 20);
  const imported = await import('worldlines');
  for (const [name, value] of Object.entries(imported)) assert.equal(required[name], value, name);
  assert.ok(required.Game.start('Small') instanceof Game);
  const late = await import('worldlines/init');
  await late.init('not needed here');
  assert.equal(late.Game, Game);
});

test('an object in a Proxy works', () => {
  // As Vue makes them: whatever is read from the outer one is wrapped too.
  const reactive = (object) =>
    new Proxy(object, {
      get(target, key, receiver) {
        const value = Reflect.get(target, key, receiver);
        return value !== null && typeof value === 'object' ? reactive(value) : value;
      },
    });
  for (const wrapped of [reactive, (object) => new Proxy(object, {})]) {
    const chess = wrapped(new Chess());
    chess.move('e4');
    chess.submit();
    assert.equal(chess.player, 'black');
    assert.equal(chess.inCheckmate, false);
    assert.equal(chess.moves().length, 20);
    chess.metadata.site = 'here';
    assert.match(chess.copy().export(), /\[Site "here"\][^]*1\. e4/);
    chess.import('1. e3 / f6');
    chess.free();
    assert.throws(() => chess.moves(), { code: 'freed' });
    const game = wrapped(Game.start());
    assert.equal(game.play('e4').copy().toMove, 'black');
    assert.equal(game.mate(1).verdict, 'refuted');
    assert.equal([...game.legalActions()].length, 20);
    game.free();
    game.free();
    assert.throws(() => game.moves(), { code: 'freed' });
  }
});

test('the end of a block gives the memory back', () => {
  const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  for (const object of [new Chess(), Game.start()]) {
    object[dispose]();
    assert.throws(() => object.moves(), { code: 'freed' });
  }
});

test('moves are read as the library reads them', () => {
  const squares = (text) => {
    const chess = new Chess();
    chess.move(text);
    const [{ start, end }] = chess.moveBuffer;
    return start.coordinate + end.coordinate;
  };
  for (const text of ['c4', 'c2 c4', '(0T1)c2 >> (0T1)c4', '(0T1)c2>(0T1)c4', 'c4 (0T1)', '(0T1) c2>>(0T1) c4']) {
    assert.equal(squares(text), 'c2c4', text);
  }
  for (const text of ['Nb1 c3', 'Nc3 (0T1)', '(0T1)Nb1>(0T1)c3']) assert.equal(squares(text), 'b1c3', text);
  assert.throws(() => squares('Nc3 Nf3'), { name: 'ChessError' });
});

test('the README of the library works', () => {
  const chess = new ReadmeChess();
  for (const move of ['1w. 1:e2:e3', '1b. 1:f7:f6', '2w. 2:Qd1:e2', '2b. 2:Nb8:c6', '3w. 3:Qe2:h5']) {
    chess.move(move);
    chess.submit();
  }
  assert.equal(chess.inCheckmate, true);
  assert.equal(chess.hash, '3370eaa42355dd543598d3c9a9927365');
  assert.equal(chess.export('notation_short').split('\n')[5], '3w. 3:Qe2:h5#');
  const two = new ReadmeChess(
    '1w. 1:e2:e3\n1b. 1:f7:f6\n2w. 2:Nb1<>1:b3\n2b. 1+1:a7:a6\n3w. 2+1:c2:c3\n3b. 2:Nb8:c6\n3b. 2+1:Nb8:c6\n4w. 3:Qd1:h5\n4w. 3+1:Qd1:c2#',
  );
  assert.equal(two.inCheckmate, false);
  assert.equal(two.hash, '8048de452b714859b78d813254d21386');
  const copy = two.copy();
  assert.ok(copy instanceof ReadmeChess && copy.hash === two.hash);
});

test('a verdict that takes too long is null', () => {
  const mated = new Chess('1. e3 / f6 2. Qe2 / Nc6 3. Qh5');
  mated.checkmateTimeout = 0;
  assert.deepEqual([mated.inCheckmate, mated.inStalemate], [null, null]);
  assert.ok(mated.moves().length > 0, 'nothing is hidden because of a mate that is not known');
  mated.checkmateTimeout = 60000;
  assert.deepEqual([mated.inCheckmate, mated.inStalemate, mated.moves()], [true, false, []]);
  mated.checkmateTimeout = 0;
  assert.equal(mated.inCheckmate, true, 'what is known stays known');
});

test('errors have a name and a place', () => {
  const place = (work) => {
    try {
      work();
    } catch (error) {
      assert.ok(error instanceof ChessError && error instanceof Error);
      return [error.code, error.line, error.column, error.start];
    }
    return assert.fail('nothing was thrown');
  };
  assert.deepEqual(place(() => new Chess('1. e4 / e5\n2. Ke3 / Nf6')), ['no-such-move', 2, 4, 14]);
  assert.equal(place(() => new Chess(undefined, 'princes'))[0], 'unknown-variant');
  assert.equal(place(() => new Chess().move('e5'))[0], 'no-such-move');
  assert.equal(place(() => new Chess().undo())[0], 'nothing-to-undo');
  assert.equal(place(() => new Chess().submit())[0], 'no-move');
  assert.equal(place(() => new Chess().move({}))[0], 'missing-key');
  assert.equal(place(() => new Chess().move(undefined))[0], 'not-a-move');
  assert.equal(place(() => new Chess().export('cuneiform'))[0], 'unknown-format');
  assert.equal(place(() => new Chess([[[[0, 0, 1, 4]]]]))[0], 'no-such-move');
  const chess = new Chess();
  chess.free();
  assert.equal(place(() => chess.moves())[0], 'freed');
  for (const input of ['garbage', 17, null, {}, [], [[]], [{}], { moves: 3 }, '[', '{"moves":[]}', '\u0000', '𝄞', Symbol.iterator.description]) {
    const other = new Chess();
    assert.equal(typeof other.moveable(input), 'boolean');
    assert.equal(typeof other.actionable(input), 'boolean');
    assert.equal(typeof other.importable(input), 'boolean');
    assert.equal(typeof other.fenable(input), 'boolean');
  }
});

test('state is data that another game takes over', () => {
  const chess = new Chess('[White "A \\"b\\""]\n1. e3 / f6\n2. (0T2)Nb1>>(0T1)b3 / (1T1)a6\n3. (1T2)c3 / (0T2)Nc6');
  chess.metadata.round = 3;
  const state = structuredClone(chess.state());
  for (const given of [state, { ...state, saved: undefined }]) {
    const other = new Chess();
    other.state(given);
    assert.deepEqual(other.moveBuffer, chess.moveBuffer);
    assert.deepEqual(other.board, chess.board);
    assert.equal(other.hash, chess.hash);
    assert.equal(other.metadata.round, 3);
  }
  assert.match(chess.export(), /\[White "A \\"b\\""\]\n\[Round "3"\]/);
  assert.equal(new Chess(chess.export()).export().split('\n')[2], '[White "A \\"b\\""]');
});

test('actions are objects of their own, and too many of them are an error', () => {
  const chess = new Chess('1. e4 / e5');
  const actions = chess.actions('object');
  assert.deepEqual(actions, JSON.parse(chess.actions('json')));
  for (const { moves, ...rest } of actions) {
    assert.deepEqual(rest, { action: 2, player: 'white' });
    const copy = chess.copy();
    copy.action({ ...rest, moves });
    assert.deepEqual(copy.actionHistory.at(-1).moves, moves);
  }
  const first = structuredClone(actions[1]);
  actions[0].moves[0].start.file = 99;
  assert.deepEqual(actions[1], first);
  const wide = new Chess(readFileSync(join(here, '../../../corpus/games/standard-1.5dpgn'), 'utf8'));
  assert.throws(() => wide.actions('object'), { code: 'too-many-actions' });
  assert.equal(typeof wide.inCheck, 'boolean', 'the game can still be used');
  const game = Game.parse(wide.export());
  let count = 0;
  for (const action of game.legalActions()) {
    count += 1;
    if (count === 3_000) {
      assert.equal(typeof action, 'string');
      break;
    }
  }
  assert.equal(count, 3_000);
});

test('the modern API answers', () => {
  const game = Game.start().play('e3').play('f6').play('Qe2').play('Nc6');
  const mate = game.mate(1, { all: true });
  assert.deepEqual([mate.verdict, mate.keys, mate.complete, mate.line], ['proven', ['(0T3)Qe2h5'], true, ['(0T3)Qe2h5']]);
  assert.equal(game.mate(1, { steps: 1 }).verdict, 'undecided');
  const actions = [...game.legalActions()];
  assert.equal(actions.length, game.countActions().count);
  assert.equal(new Set(actions).size, actions.length);
  for (const action of actions) game.copy().play(action);
  const [first] = game.legalActions();
  assert.equal(first, actions[0]);
  assert.equal(game.play('Qh5').status(), 'checkmate');
  assert.equal(game.inCheck, true);
  assert.match(game.render({ width: 80 }), /Black to move/);
  assert.match(game.write('chessjs'), /3w\. 3:Qe2<>3:h5#/);
  assert.equal(Game.parse(game.fen()).status(), 'checkmate');
  assert.throws(() => game.mate(0), { code: 'mate-in' });
  // The first of all keys mates later than the shortest.
  const sooner = Game.parse('[2k2/4R/2K2/Q4/5:0:1:w]').mate(2, { all: true });
  assert.deepEqual([sooner.mateIn, sooner.line.length], [1, 1]);
  const partial = Game.parse('1. e4 / e5');
  partial.move('d4').undo().move('Nf3');
  assert.equal(partial.canSubmit(), true);
  assert.equal(partial.submit().toMove, 'black');
  assert.throws(() => [...Game.start().legalActions({ steps: 0 })], { code: 'undecided' });
});

test('a mate says how many actions its classes have, and where anything may be played', () => {
  const game = Game.parse(`[Board "Standard"]
[Mode "5D"]
1. (0T1)Ng1f3 / (0T1)d7d5 2. (0T2)e2e3 / (0T2)Nb8c6 3. (0T3)Nf3>>(0T2)f5 / (0T3)Ng8f6 (1T2)Bc8xf5 4. (1T3)d2d3 / (1T3)Ng8f6
5. (0T4)Bf1b5 (1T4)Bc1g5 / (0T4)Nf6e4 (1T4)c7c6 6. (0T5)Bb5xc6 (1T5)Bg5xf6`);
  const { keys, classes } = game.mate(1, { all: true });
  assert.deepEqual([keys, classes], [['(0T5)b7xc6 (1T5)Qd8a5'], [{ size: 3, free: ['(0T5)'] }]]);
  game.free();
});

test('every notation converts and every variant starts', () => {
  const text = convert('1. e4 / e5', { to: 'chessjs' });
  assert.equal(text.from, '5dpgn');
  for (const { name } of formats()) assert.equal(typeof name, 'string');
  assert.throws(() => convert('1. e4 / e9', { to: 'chessjs' }), { line: 1 });
  assert.throws(() => convert('1. e4', { to: 'cuneiform' }), { code: 'unknown-format' });
  assert.ok(variants().length > 40);
  for (const { name, shortName } of variants()) {
    assert.equal(new Chess(undefined, shortName).metadata.board, shortName);
    assert.equal(Game.start(name).toMove, new Chess(undefined, name).player);
  }
});

test('puzzles are verified', () => {
  const yaml = readFileSync(join(here, '../../../puzzles/first-steps/scholars-mate.yaml'), 'utf8');
  const [right] = verify(yaml);
  assert.deepEqual([right.answer, right.findings], ['pass', []]);
  const [wrong] = verify(yaml.replace(/mate-in: \d/, 'mate-in: 9'));
  assert.notEqual(wrong.answer, 'pass');
  assert.ok(wrong.findings.length > 0 && wrong.findings[0].line > 1);
  const doubtful = `schema: worldlines/puzzle-1
id: a-king-that-falls
title: A king that falls
source: { from: a test }
start: { 5dfen: "[2k/3/K1R:0:1:w]" }
goal: { status: ongoing }
`;
  const [{ answer, warnings }] = verify(doubtful);
  assert.deepEqual([answer, warnings.map(({ code, line }) => [code, line])], ['pass', [['king-capturable', 5]]]);
});

test('a game begins with a variant or a text', () => {
  for (const given of [undefined, {}, 'Standard']) assert.throws(() => new Game(given), { code: 'no-game', message: /Game\.start\(variant\)/ });
  assert.equal(Game.start('Small').status(), 'ongoing');
});

test('the README has the reason of every difference', () => {
  const { tests, users } = JSON.parse(readFileSync(join(here, '../differences.json'), 'utf8'));
  const readme = readFileSync(join(here, '../README.md'), 'utf8');
  for (const reason of Object.values({ ...tests, ...users })) assert.ok(readme.includes(reason), reason);
});

test('the sizes in the README are those of the build', () => {
  const readme = readFileSync(join(here, '../README.md'), 'utf8');
  const [, packed] = /The package is ([\d,]+) KiB gzipped with its JavaScript/.exec(readme);
  const [, text] = /a text in a module \(([\d.]+) MB\)/.exec(readme);
  const files = ['api.js', 'browser.js', 'public.js', 'wasm/worldlines.js', 'wasm/worldlines_bg.wasm'];
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(here, '../dist', file)), { level: 9 }).length, 0);
  // Compilers differ a little.
  assert.ok(Math.abs(bytes / 1024 / Number(packed.replace(',', '')) - 1) < 0.02, `${Math.round(bytes / 1024)} KiB, and the README says ${packed}`);
  const letters = statSync(join(here, '../bundle/wasm.js')).size / 1e6;
  assert.ok(Math.abs(letters - Number(text)) < 0.06, `${letters.toFixed(2)} MB, and the README says ${text}`);
});

test('the module of browsers loads its WebAssembly from beside it', async () => {
  const types = { js: 'text/javascript', wasm: 'application/wasm' };
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader('content-type', types[request.url.split('.').pop()] ?? 'text/plain');
    response.end(readFileSync(join(here, '../dist', request.url)));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const url = `http://127.0.0.1:${server.address().port}/wasm/worldlines_bg.wasm`;
    const response = await fetch(url);
    const module = await WebAssembly.compileStreaming(response);
    assert.ok(WebAssembly.Module.exports(module).some(({ name }) => name === 'game_moves'));
    assert.deepEqual(asked, ['/wasm/worldlines_bg.wasm']);
  } finally {
    server.close();
  }
});

test('a game with comments, judgements and variations is read and written', () => {
  const tree = readTree('{first} 1. e4! (1. d4 {other} / d5 $2) / e5 {[%cal Ge2e4]}');
  assert.equal(tree.from, '5dpgn');
  assert.deepEqual(tree.line.actions, ['(0T1)e2e4', '(0T1)e7e5']);
  const [start, e4, e5] = tree.line.notes;
  assert.deepEqual([start.comments, e4.glyphs, e5.comments], [['first'], [1], ['[%cal Ge2e4]']]);
  assert.deepEqual(start.variations[0].actions, ['(0T1)d2d4', '(0T1)d7d5']);
  const { text, losses } = writeTree(tree);
  assert.deepEqual([readTree(text).line, losses], [tree.line, []]);
  const ended = readTree('1. e4 (1. d4 1-0) / e5 0-1');
  assert.deepEqual([ended.line.result, ended.line.notes[0].variations[0].result], ['0-1', '1-0']);
  assert.deepEqual(readTree(writeTree(ended).text).line, ended.line);
  assert.ok(writeTree(tree, { to: 'raw' }).losses.includes('a variation'));
  assert.throws(() => readTree('1. e4 / e6 2. Ke3'), { name: 'ChessError', line: 1 });
  assert.throws(() => writeTree({ start: '[Board "Standard"]', line: { actions: ['e5'] } }), ChessError);
});

test('the record of a game is read as the same game', () => {
  const root = join(here, '..', '..', '..', 'puzzles');
  let count = 0;
  for (const folder of readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    for (const file of readdirSync(join(root, folder.name)).filter((name) => name.endsWith('.yaml'))) {
      const yaml = readFileSync(join(root, folder.name, file), 'utf8');
      const [puzzle, ...others] = puzzlesOf(yaml);
      if (others.length > 0 || !('mateIn' in puzzle.goal)) continue;
      const game = puzzleGame(yaml);
      const again = Game.parse(game.record());
      assert.equal(again.record(), game.record(), file);
      for (const action of puzzleSolution(yaml)) again.play(action);
      assert.equal(again.status(), 'checkmate', file);
      count += 1;
    }
  }
  assert.ok(count > 250, `${count} mates`);
});

test('scores are chances to win, and actions have grades and marks', () => {
  assert.deepEqual([{ pawns: 0 }, { pawns: 3 }, { mate: 2 }, { mate: 0 }, { mate: -1 }].map((score) => Math.round(winChance(score))), [50, 75, 100, 0, 0]);
  assert.deepEqual([gradeOf({ pawns: 0 }, { pawns: -3 }), gradeOf({ mate: 1 }, { mate: 3 }), gradeOf({ pawns: 14 }, { pawns: 11 })], ['blunder', undefined, undefined]);
  assert.deepEqual([{ pawns: -199.97 }, { pawns: 30 }, { mate: 2 }].map(isLikelyMate), [true, false, false]);
  assert.deepEqual(gradeLimits(), { blunder: 15, mistake: 10, inaccuracy: 5 });
  const game = Game.parse('1. e3 / f6 2. Qh5 / g6');
  assert.deepEqual(game.marks(), ['', '', '+', '']);
  assert.deepEqual([game.record().includes('h5+'), game.record({ marks: true }).includes('h5+')], [false, true]);
  game.free();
});

test('a mate that comes too late is told with its length', () => {
  const yaml = readFileSync(join(here, '..', '..', '..', 'puzzles', 'small', 'rook-from-the-past.yaml'), 'utf8');
  const { verdict, mateIn, refutation } = judgeAnswer(yaml, ['Rd3']);
  assert.deepEqual([verdict, mateIn, refutation], ['slower-mate', 3, '(0T1)Kd4c4']);
});

test('all boards of a start get another size', () => {
  assert.equal(withSize('[K*2/3/2q:0:1:w]', { files: 4, ranks: 2 }), '[4/2q1:0:1:w]\n');
});

test('a start is put together of boards and pieces', () => {
  let fen = withBoard('', { timeline: '0', turn: 1, color: 'w' }, { files: 4, ranks: 4 });
  fen = withPiece(fen, 0, [1, 2], 'K', { unmoved: true });
  fen = withPiece(withPiece(fen, 0, [3, 1], 'R'), 0, [0, 0], 'k');
  assert.equal(fen, '[4/1K*2/3R/k3:0:1:w]\n');
  assert.equal(boardsOf(withNextBoard(fen)).length, 2);
  assert.throws(() => withoutBoard(fen, { timeline: '0', turn: 2, color: 'w' }), { code: 'no-board' });
  const game = gameOfBoards(fen, { promotions: 'QN' });
  const { verdict } = game.mate(1);
  assert.equal(verdict, 'proven');
  assert.match(game.certificate(1), /^schema: worldlines\/certificate-2\npuzzle: mate-in-1\n/m);
  assert.throws(() => Game.start().certificate(1), { code: 'no-proof' });
});
