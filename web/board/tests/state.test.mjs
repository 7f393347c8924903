// The state of the page without a browser: documents, trees, what is kept, the camera, what moves.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chapters, nextLesson, readLessons } from '../js/lessons.js';
import { lineOf, readShapes, treeOf, writeShapes } from '../js/annotated.js';
import * as camera from '../js/camera.js';
import { MOST_LETTERS, MOST_REVIEWS, bounded } from '../js/findings.js';
import { fromLink, isGame, puzzleOf, toLink, wayOf } from '../js/link.js';
import { motion } from '../js/motion.js';
import * as premoves from '../js/premove.js';
import * as session from '../js/session.js';
import { readSettings } from '../js/settings.js';
import { Store } from '../js/store.js';
import * as tree from '../js/tree.js';
import { turned } from '../js/scores.js';
import { apart, boardsLeft, scoreText } from '../js/words.js';

const START = '[Board "Standard"]';
const game = (id, actions = [], more = {}) => session.newDocument({ id, start: START, actions, now: 1, ...more });

/** A storage as the browser has it; `most` letters fit into it. */
class Box {
  #map = new Map();
  constructor(most = Infinity) {
    this.most = most;
  }
  get length() {
    return this.#map.size;
  }
  key(index) {
    return [...this.#map.keys()][index] ?? null;
  }
  getItem(key) {
    return this.#map.get(key) ?? null;
  }
  setItem(key, value) {
    if (value.length > this.most) throw new DOMException('full', 'QuotaExceededError');
    this.#map.set(key, value);
  }
  removeItem(key) {
    this.#map.delete(key);
  }
  get keys() {
    return [...this.#map.keys()];
  }
}

let names = 0;
const random = () => `name ${(names += 1)}`;

test('an action played where another one follows is a variation, and nothing is lost', () => {
  let document = game('a', ['e4', 'e5', 'Nf3']);
  document = session.goTo(document, session.step(session.goTo(document, '1'), 'back'));
  assert.equal(document.at, tree.ROOT);
  document = session.played(document, 'd4');
  assert.deepEqual(session.actionsOf(document), ['d4']);
  assert.deepEqual(tree.actionsTo(document.tree, '3'), ['e4', 'e5', 'Nf3']);
  // The same action again is the same node.
  const again = session.played(session.goTo(document, tree.ROOT), 'd4');
  assert.equal(Object.keys(again.tree.nodes).length, Object.keys(document.tree.nodes).length);
  assert.equal(session.step(session.goTo(document, '1'), 'beneath'), document.at);
  assert.equal(session.step(document, 'above'), '1');
  assert.equal(session.step(session.goTo(document, '1'), 'end'), '3');
});

test('the moves of an unfinished action stay where they were made', () => {
  let document = session.withMoves(game('a', ['e4']), ['(0T1)e7e5']);
  document = session.goTo(document, tree.ROOT);
  assert.deepEqual(session.movesOf(document), []);
  document = session.goTo(document, '1');
  assert.deepEqual(session.movesOf(document), ['(0T1)e7e5']);
  assert.deepEqual(session.movesOf(session.played(document, 'e5')), []);
});

test('lines are promoted and taken away', () => {
  const { tree: first } = tree.ofLine(['a', 'b', 'c']);
  const added = tree.addLine(first, '1', ['x', 'y']);
  const promoted = tree.promote(added.tree, added.id);
  assert.deepEqual(tree.actionsTo(promoted, tree.endOf(promoted)), ['a', 'x', 'y']);
  assert.ok(tree.isMain(promoted, added.id) && !tree.isMain(added.tree, added.id));
  const removed = tree.remove(promoted, tree.pathTo(promoted, added.id)[1]);
  assert.deepEqual(tree.actionsTo(removed, tree.endOf(removed)), ['a', 'b', 'c']);
  assert.equal(tree.remove(removed, tree.ROOT), removed);
  const document = { ...session.newDocument({ id: 'a', start: START }), tree: promoted, at: added.id };
  assert.equal(session.withTree(document, removed).at, '1');
  assert.ok([first, added.tree, promoted, removed].every(tree.isTree));
});

test('glyphs of an action exclude each other, shapes are drawn and taken away', () => {
  let { tree: made } = tree.ofLine(['a']);
  made = tree.withGlyph(tree.withGlyph(tree.withGlyph(made, '1', 2), '1', 16), '1', 1);
  assert.deepEqual(made.nodes[1].glyphs, [1, 16]);
  const place = { timeline: 0, halfTurn: 2, square: [4, 1] };
  const arrow = { kind: 'arrow', color: 'green', from: place, to: { ...place, square: [4, 3] } };
  const drawn = tree.withShape(made, '1', arrow);
  assert.equal(drawn.nodes[1].shapes.length, 1);
  assert.equal(tree.withShape(drawn, '1', { ...arrow, color: 'red' }).nodes[1].shapes[0].color, 'red');
  assert.equal(tree.withShape(drawn, '1', arrow).nodes[1].shapes.length, 0);
});

test('what takes the place of a game leaves it on the shelf', () => {
  let state = session.begin(game('a', ['e4']));
  state = session.open(state, 'game', game('b'));
  assert.equal(session.current(state).id, 'b');
  assert.deepEqual(session.shelf(state).map(({ id }) => id), ['a']);
  assert.deepEqual(session.shelf(session.forget(state, 'a')), []);
  assert.equal(session.forget(state, 'b'), state);
  state = session.open(state, 'puzzle', game('p', [], { puzzle: { id: 'x', line: [], tried: [], hints: 0, ended: '' } }));
  assert.equal(session.current(state).id, 'p');
  // Each tab comes back to its own; tabs without one show what is on the board.
  state = session.openTab(state, 'play');
  assert.equal(session.current(state).id, 'b');
  state = session.openTab(session.openTab(state, 'puzzles'), 'analyse');
  assert.equal(session.current(state).id, 'p');
  assert.equal(session.openTab(state, 'toString'), state);
  assert.equal(session.openTab(state, 'constructor'), state);
});

test('the shelf is tidied from its old end, and never what is in use', () => {
  let state = session.begin(game('used', ['e4'], { now: 0 }));
  for (let index = 1; index < 60; index++) state = session.withDocument(state, game(`old ${index}`, ['e4'], { now: index }));
  state = session.withDocument(state, game('empty', [], { now: 99 }));
  const tidied = session.tidy(state);
  assert.equal(Object.keys(tidied.documents).length, session.SHELF + 1);
  assert.ok(tidied.documents.used && tidied.documents['old 59'] && !tidied.documents['old 1'] && !tidied.documents.empty);
});

test('after a puzzle was tried out, its author has the position of before', () => {
  const trial = (id, from) => session.newDocument({ id, start: 's', puzzle: { id: 'mine', line: [], tried: [], hints: 0, ended: '', trial: { yaml: 'y', from } } });
  const game = session.begin(session.newDocument({ id: 'game', start: 's' }));
  const tried = session.openTab(session.open(game, 'puzzle', trial('trial', 'game')), 'puzzles');
  assert.equal(session.current(session.openTab(tried, 'analyse')).id, 'trial');
  assert.equal(session.current(session.openTab(tried, 'author')).id, 'game');
  assert.deepEqual(session.readDocument(structuredClone(session.current(tried))).puzzle.trial, { yaml: 'y', from: 'game' });
  // A puzzle of the list may be what another one is made of: it is kept as long as that is tried, and comes back.
  const listed = session.open(game, 'puzzle', session.newDocument({ id: 'listed', start: 's', puzzle: { id: 'other', line: [], tried: [], hints: 0, ended: '' } }));
  const other = session.tidy(session.open(listed, 'puzzle', trial('trial', 'listed')));
  assert.equal(session.current(session.openTab(other, 'author')).id, 'listed');
  // What is gone is the game.
  assert.equal(session.current(session.openTab(session.open(game, 'puzzle', trial('trial', 'gone')), 'author')).id, 'game');
  // A trial that nobody shows is let go of.
  const played = session.played(trial('old', 'game'), 'e4');
  assert.deepEqual(Object.keys(session.tidy(session.withDocument(tried, played)).documents), ['game', 'trial']);
});

test('a player resigns where the game stands, and a program never does', () => {
  const [white, black] = ['white', 'black'];
  const players = (one, other) => ({ players: { white: one, black: other } });
  assert.equal(session.resigning(game('a'), black), black);
  assert.equal(session.resigning(game('a', [], players('human', 'engine 5000')), black), white);
  assert.equal(session.resigning(game('a', [], players('bridge', 'engine 5000')), black), undefined);
  const played = game('a', ['e4']);
  const resigned = session.resign(played, black);
  assert.equal(session.resignationOf(resigned)?.by, black);
  assert.equal(session.resignationOf(session.goTo(resigned, '0')), undefined);
  assert.deepEqual(session.withoutResignation(resigned), played);
  for (const spoilt of [{ at: 'nowhere', by: black }, { at: resigned.at, by: 'nobody' }, 'x', null]) {
    assert.equal(session.readDocument({ ...resigned, resigned: spoilt }).resigned, undefined);
  }
});

test('a game goes on at the end of its main line, until somebody resigns', () => {
  const [white, black] = ['white', 'black'];
  const played = game('a', ['e4'], { players: { white: 'human', black: 'engine 5000' } });
  assert.ok(session.engineToMove(played, black) && session.isUnderWay(played));
  assert.ok(!session.engineToMove(played, white));
  assert.ok(!session.isUnderWay(session.resign(played, white)));
  const variation = session.playedLine(session.goTo(played, '0'), ['d4']);
  assert.ok(session.engineToMove(variation, black) && !session.isUnderWay(variation));
});

test('everything of a document is there again', () => {
  const [shared, own] = [new Box(), new Box()];
  const camera = { x: 1, y: 2, scale: 0.5 };
  const document = { ...session.withMoves(game('a', ['e4', 'e5'], { players: { white: 'human', black: 'engine 5000' }, flipped: true }), ['(0T2)Ng1f3']), camera, resigned: { at: '2', by: 'black', told: true, timed: true }, clock: { time: '5+3', increment: 3_000, white: 9_000, black: 0 } };
  let state = session.openTab(session.begin(document), 'analyse');
  state = session.open(state, 'puzzle', game('p', [], { puzzle: { id: 'x', line: ['a'], tried: ['b'], hints: 1, ended: '' } }));
  new Store(shared, own, random).save(state);
  // A reload keeps the memory of the window; a new window takes that of the last one.
  for (const window of [own, new Box()]) assert.deepEqual(new Store(shared, window, random).load(), state);
});

test('a clock that is spoilt is none', () => {
  const clock = { time: '5+3', increment: 3_000, white: 1, black: 2 };
  const read = (change) => session.readDocument({ ...game('a'), clock: { ...clock, ...change } }).clock;
  assert.deepEqual(read({}), clock);
  for (const change of [{ time: 5 }, { white: -1 }, { black: 'x' }, { increment: null }]) assert.equal(read(change), undefined);
  assert.deepEqual(session.resign(game('a', ['e4']), 'black', true).resigned, { at: '1', by: 'black', timed: true });
});

test('two windows do not overwrite each other', () => {
  const shared = new Box();
  const [first, second] = [new Store(shared, new Box(), random), new Store(shared, new Box(), random)];
  let one = first.save(session.begin(game('a', ['e4'])));
  let other = /** @type {any} */ (second.load());
  one = first.save(session.edit(one, (document) => session.played(document, 'e5')));
  other = second.save(session.edit(other, (document) => session.played(document, 'd5')));
  assert.equal(session.current(one).id, 'a');
  assert.notEqual(session.current(other).id, 'a');
  one = first.save(session.edit(one, (document) => session.played(document, 'Nf3')));
  other = second.save(session.edit(other, (document) => session.played(document, 'exd5')));
  const lines = shared.keys.filter((key) => key.includes('document')).map((key) => session.actionsOf(session.readDocument(JSON.parse(shared.getItem(key)).document)).join(' '));
  assert.deepEqual(lines.sort(), ['e4 d5 exd5', 'e4 e5 Nf3']);
});

test('a game that another window has tidied away is kept by the one that shows it', () => {
  const shared = new Box();
  const [own, mine] = [new Box(), new Store(shared, new Box(), random)];
  const first = new Store(shared, own, random);
  const one = first.save(session.begin(game('a', ['e4'])));
  let other = session.open(mine.load(), 'game', game('b', ['d4'], { now: 99 }));
  for (let index = 0; index <= session.SHELF; index++) other = session.withDocument(other, game(`c ${index}`, ['d4'], { now: 50 }));
  mine.save(other);
  assert.equal(shared.getItem('worldlines document a'), null);
  first.save(one);
  assert.deepEqual(session.actionsOf(session.current(new Store(shared, own, random).load())), ['e4']);
});

test('a spoilt or full storage loses no game that can be read, and throws nothing', () => {
  const shared = new Box();
  new Store(shared, new Box(), random).save(session.begin(game('a', ['e4'])));
  for (const spoilt of ['', '{', 'null', '[]', '7', '{"slots":{"game":"none"}}', '{"slots":null,"tab":{}}', '{"slots":{"game":"toString"},"tab":"constructor"}']) {
    shared.setItem('worldlines window', spoilt);
    assert.deepEqual(session.actionsOf(session.current(new Store(shared, new Box(), random).load())), ['e4'], spoilt);
  }
  const documents = ['{"stamp":1}', '{"document":{"id":"x"}}', '{"document":{"id":"b","start":"","tree":{"next":1,"nodes":{"0":{"parent":"","action":"","children":["0"],"comment":"","glyphs":[],"shapes":[]}}}}}'];
  documents.forEach((text, index) => shared.setItem(`worldlines document ${'xab'[index]}`, text));
  shared.setItem('worldlines document a', 'spoilt');
  assert.equal(new Store(shared, new Box(), random).load(), undefined);
  const full = new Store(new Box(10), new Box(), random);
  const state = session.begin(game('a', ['e4']));
  assert.equal(session.current(full.save(state)).tree, session.current(state).tree);
  assert.equal(full.complete, false);
  const denied = new Store(undefined, undefined, random);
  assert.equal(denied.load(), undefined);
  denied.save(state);
  assert.equal(denied.complete, false);
});

/** A game with the review of its line. */
const reviewed = (id, actions, more) => {
  const document = game(id, actions, more);
  const nodes = [tree.ROOT, ...tree.lineThrough(document.tree, tree.ROOT)];
  const look = (toMove) => ({ score: { pawns: 0.5 }, action: 'e4', ending: null, depth: 3, toMove });
  const looks = nodes.map((_, at) => look(at % 2 === 0 ? 'white' : 'black'));
  return session.withReview(document, { nodes, actions, steps: 60_000, seconds: 2, looks, own: [[0, { ...looks[0], line: ['e4'] }]], instead: [[0, 'd4', null]], glyphs: [['1', 6]] });
};
const stored = (shared) => session.current(new Store(shared, new Box(), random).load());

test('a review is kept with its document, also while another line is the main one, and goes with its actions', () => {
  const shared = new Box();
  const store = new Store(shared, new Box(), random);
  let state = store.save(session.begin(reviewed('a', ['e4', 'e5'])));
  assert.deepEqual(stored(shared).review, session.current(state).review);
  // A variation beside the line, and what follows it, say nothing against it.
  state = store.save(session.edit(state, (document) => session.played(session.played(session.goTo(document, '1'), 'c5'), 'Nf3')));
  state = store.save(session.edit(state, (document) => session.played(session.goTo(document, '2'), 'd4')));
  assert.ok(stored(shared).review);
  const { review } = session.current(state);
  state = store.save(session.edit(state, (document) => session.withTree(document, tree.promote(document.tree, '3'))));
  assert.deepEqual([stored(shared).review, session.current(state).review], [review, review]);
  state = store.save(session.edit(state, (document) => session.withTree(document, tree.promote(document.tree, '2'))));
  assert.deepEqual(stored(shared).review, review);
  store.save(session.edit(state, (document) => session.withTree(document, tree.remove(document.tree, '2'))));
  assert.equal(stored(shared).review, undefined);
  assert.deepEqual(shared.keys.filter((key) => key.includes('review')), []);
});

test('reviews are few and short, and a spoilt one costs no game', () => {
  const shared = new Box();
  const store = new Store(shared, new Box(), random);
  const first = reviewed('a', ['e4', 'e5']);
  store.save(session.begin(first));
  const name = 'worldlines review a';
  const good = shared.getItem(name);
  for (const [from, to] of [[/^/, '{'], [/"looks":\[/, '$&null,'], [/"toMove":"white"/, '"toMove":"green"'], [/"pawns":0.5/, '"pawns":"much"'], [/"e5"/, '"d5"'], [/"nodes":\["0"/, '"nodes":["7"'], [/"own":\[\[0/, '"own":[[9'], [/"glyphs":/, '"other":']]) {
    assert.match(good, from);
    shared.setItem(name, good.replace(from, to));
    assert.deepEqual([stored(shared).review, session.actionsOf(stored(shared))], [undefined, ['e4', 'e5']], to);
  }
  assert.equal(bounded({ ...first.review, actions: ['e'.repeat(MOST_LETTERS)] }), undefined);
  assert.ok(bounded(first.review));
  let state = session.begin(game('b', ['d4']));
  for (let index = 0; index < MOST_REVIEWS + 3; index++) state = session.withDocument(state, reviewed(`c ${index}`, ['e4', 'e5'], { now: 10 + index }));
  const tidied = Object.values(session.tidy(state).documents);
  assert.equal(tidied.length, MOST_REVIEWS + 4);
  assert.deepEqual(tidied.filter(({ review }) => review).map(({ changed }) => changed).sort((a, b) => a - b)[0], 13);
});

test('reviews make room for games', () => {
  /** A storage with room for so many letters in all. */
  class Small extends Box {
    setItem(key, value) {
      const others = this.keys.filter((one) => one !== key).reduce((sum, one) => sum + this.getItem(one).length, 0);
      if (others + value.length > this.room) throw new DOMException('full', 'QuotaExceededError');
      super.setItem(key, value);
    }
  }
  const shared = Object.assign(new Small(), { room: Infinity });
  const store = new Store(shared, new Box(), random);
  let state = store.save(session.begin(reviewed('a', ['e4', 'e5'])));
  assert.ok(shared.getItem('worldlines review a'));
  shared.room = shared.keys.reduce((sum, one) => sum + shared.getItem(one).length, 620);
  state = store.save(session.open(state, 'game', game('b', ['d4', 'd5', 'c4', 'e6', 'Nc3', 'Nf6', 'Bg5', 'Be7', 'e3'])));
  assert.deepEqual([store.complete, shared.getItem('worldlines review a')], [true, null]);
  assert.equal(Object.keys(new Store(shared, new Box(), random).load().documents).length, 2);
  assert.ok(state.documents.a.review);
  // A document that is gone takes its review along.
  const other = new Box();
  const tidy = new Store(other, new Box(), random);
  state = tidy.save(session.open(session.begin(reviewed('a', ['e4', 'e5'])), 'game', game('b', ['d4'])));
  assert.ok(other.getItem('worldlines review a'));
  tidy.save(session.forget(state, 'a'));
  assert.deepEqual(other.keys.filter((key) => / a$/.test(key)), []);
  other.setItem('worldlines review z', '{}');
  stored(other);
  assert.equal(other.getItem('worldlines review z'), null);
});

test('settings from outside are looked at', () => {
  const standard = readSettings(null);
  assert.deepEqual(readSettings({ theme: 'pink', squares: 7, sound: 'yes', other: 1 }), standard);
  assert.equal(readSettings({ theme: 'dark' }).theme, 'dark');
});

test('links are read, and damaged ones end with a sentence', async () => {
  const text = '1. e4 / e5\n';
  assert.equal(await fromLink(await toLink(text)), text);
  assert.equal(await fromLink('#text=1.%20e4'), '1. e4');
  assert.deepEqual(['#puzzle=one%2Dknight', '#puzzle=%', '#puzzles=x', '#game=x', ''].map(puzzleOf), ['one-knight', '%', undefined, undefined, undefined]);
  for (const hash of ['', '#', '#section', '#gamer=1', '#tab=play', '#game']) assert.ok(!isGame(hash), hash);
  for (const hash of ['#game=%%%', '#game=AAAA', '#game=!', '#game=', '#text=%', `#game=${btoa('no deflate data')}`]) {
    assert.ok(isGame(hash), hash);
    await assert.rejects(fromLink(hash), { message: 'it is damaged' }, hash);
  }
});

test('a link names the place where it was copied, and a damaged place is the end', async () => {
  let { tree: made, id } = tree.ofLine(['a', 'b', 'c']);
  const end = id;
  const variation = tree.add(made, '1', 'x');
  ({ tree: made, id } = tree.add(variation.tree, variation.id, 'y'));
  assert.deepEqual(['0', '1', end, variation.id, id].map((node) => tree.wayTo(made, node)), ['0', '1', '', '1.1.0', '1.1.1']);
  for (const node of ['0', '1', '2', variation.id, id]) assert.equal(tree.nodeOn(made, tree.wayTo(made, node)), node);
  for (const way of ['', '4', '1.2.0', '1.1', '1.1.2', '-1', 'x', '1e9', '999999999999', '__proto__', '1.', '%']) assert.equal(tree.nodeOn(made, way), undefined, way);
  const link = await toLink('1. e4 / e5\n', '1.1.0');
  assert.equal(await fromLink(link), '1. e4 / e5\n');
  assert.deepEqual([link, await toLink('1. e4'), '#text=1.%20e4&at=1', '#game=x&at=&at=2'].map(wayOf), ['1.1.0', '', '1', '2']);
  assert.equal(await fromLink('#text=1.%20e4&at=1'), '1. e4');
});

test('a tree is a line with notes for the library, and comes back', () => {
  const line = {
    actions: ['e4', 'e5'],
    notes: [
      { after: 0, glyphs: [], comments: ['first'], variations: [{ actions: ['d4', 'd5'], notes: [{ after: 0, comments: ['why not'] }, { after: 2, glyphs: [2] }] }] },
      { after: 1, glyphs: [1], comments: ['a', 'b'], variations: [{ actions: ['c5'], notes: [] }] },
    ],
  };
  const { tree: made, end } = treeOf(line, () => []);
  assert.deepEqual(tree.actionsTo(made, end), ['e4', 'e5']);
  assert.equal(made.nodes[tree.ROOT].comment, 'first');
  const [e4, d4] = made.nodes[tree.ROOT].children.map((id) => made.nodes[id]);
  assert.deepEqual([e4.action, e4.glyphs, e4.comment, e4.children.length], ['e4', [1], 'a b', 2]);
  assert.deepEqual([d4.comment, made.nodes[d4.children[0]].glyphs], ['why not', [2]]);
  assert.ok(tree.isTree(made));
  const again = lineOf(made, () => '');
  assert.deepEqual(treeOf(again, () => []).tree, made);
  assert.deepEqual(again.notes[0].variations[0].actions, ['d4', 'd5']);
  assert.deepEqual(lineOf(tree.empty(), () => ''), { actions: [], notes: [] });
  // A resignation is the result of the line that ends there, also of a variation, and of a game without actions.
  assert.equal(lineOf(made, () => '', { at: end, by: 'white' }).result, '0-1');
  assert.equal(lineOf(tree.empty(), () => '', { at: '0', by: 'black' }).result, '1-0');
  assert.ok(JSON.stringify(lineOf(made, () => '', { at: d4.children[0], by: 'white' }).notes).includes('"result":"0-1"'));
});

test('arrows and circles are commands in comments', () => {
  const boards = [{ label: '(0T1w)', timeline: 0, halfTurn: 2 }, { label: '(-1T1b)', timeline: -1, halfTurn: 3 }];
  const shapes = [
    { kind: 'circle', color: 'red', from: { timeline: 0, halfTurn: 2, square: [4, 3] }, to: { timeline: 0, halfTurn: 2, square: [4, 3] } },
    { kind: 'arrow', color: 'green', from: { timeline: 0, halfTurn: 2, square: [4, 1] }, to: { timeline: -1, halfTurn: 3, square: [0, 7] } },
  ];
  const written = writeShapes(shapes, boards);
  assert.equal(written, '[%csl R(0T1w)e4] [%cal G(0T1w)e2(-1T1b)a8]');
  assert.deepEqual(readShapes(`see ${written}`, boards), { comment: 'see', shapes });
  // Commands of other programs, and of boards that are not there, stay words.
  for (const kept of ['[%csl Re4]', '[%cal G(5T1w)e2(0T1w)e4]', '[%cal G(0T1w)e2]', '[%clk 1:00]']) assert.deepEqual(readShapes(kept, boards), { comment: kept, shapes: [] });
  assert.equal(writeShapes([{ ...shapes[0], from: { timeline: 7, halfTurn: 2, square: [0, 0] } }], boards), '');
  const { tree: made } = treeOf({ actions: ['e4'], notes: [{ after: 1, comments: [`so ${written}`] }] }, (actions) => (assert.deepEqual(actions, ['e4']), boards));
  assert.deepEqual([made.nodes['1'].comment, made.nodes['1'].shapes], ['so', shapes]);
  assert.deepEqual(lineOf(made, () => written).notes, [{ after: 1, glyphs: [], comments: ['so', written], variations: [] }]);
});

test('lessons are read in order, and the next one is the first that is not done', () => {
  const given = [{ id: 'b', number: 2, chapter: 'x', text: 'two' }, { id: 'a', number: 1, chapter: 'x', text: 'one', rule: 'R-1.1' }, { id: 'c', number: 3, chapter: 'y', text: 'three' }, { id: 4 }, null];
  const lessons = readLessons(given);
  assert.deepEqual(lessons.map(({ id }) => id), ['a', 'b', 'c']);
  assert.deepEqual(chapters(lessons).map((part) => [part.chapter, part.lessons.length]), [['x', 2], ['y', 1]]);
  assert.equal(nextLesson(lessons, new Set(['a']))?.id, 'b');
  assert.equal(nextLesson(lessons, new Set(['b']), 'a')?.id, 'c');
  assert.equal(nextLesson(lessons, new Set(['b', 'c']), 'c')?.id, 'a');
  assert.equal(nextLesson(lessons, new Set(['a', 'b', 'c'])), undefined);
  assert.deepEqual(readLessons('x'), []);
});

/** A scene of boards in columns and rows. */
const scene = (tiles, more = {}) => ({ files: 8, ranks: 8, square: 60, frame: 24, rows: [], ...more, tiles: tiles.map((tile) => ({ duty: 'none', threatened: [], touched: [], pieces: '.'.repeat(64), active: true, ...tile })) });
const stage = (width, height) => ({ width, height, inset: { left: 14, top: 46, right: 20, bottom: 14 } });

test('the first board of a phone has squares for a thumb, and nothing is cut off', () => {
  const one = scene([{ timeline: 0, halfTurn: 2, x: 214, y: 198, duty: 'must' }]);
  const found = camera.near(one, stage(390, 690), true);
  assert.ok(found.scale * 60 >= camera.THUMB, `${found.scale * 60}`);
  const left = (214 - 24 - found.x) * found.scale;
  const right = (214 + 480 + 24 - found.x) * found.scale;
  assert.ok(left >= 13.9 && right <= 370.1, `${left} ${right}`);
});

test('what must be played is in sight, whole, on every screen', () => {
  for (const count of [1, 2, 5, 30]) {
    const tiles = [];
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < 12; column++) tiles.push({ timeline: row, halfTurn: column, x: 214 + column * 600, y: 198 + row * 612, duty: column === 11 && row > 0 ? 'must' : column === 11 ? 'may' : 'none' });
    }
    const many = scene(tiles);
    for (const [width, height, touch] of [[900, 690, false], [1500, 950, false], [390, 640, true], [320, 300, true]]) {
      const found = camera.near(many, stage(width, height), touch);
      const must = many.tiles.find(({ duty }) => duty === 'must') ?? many.tiles.at(-1);
      const box = camera.areaOf(many, [must]);
      const [l, t, r, b] = [(box.left - found.x) * found.scale, (box.top - found.y) * found.scale, (box.right - found.x) * found.scale, (box.bottom - found.y) * found.scale];
      assert.ok(l >= 13.9 && t >= 45.9 && r <= width - 19.9 && b <= height - 13.9, `${count} timelines on ${width}: ${[l, t, r, b]}`);
    }
  }
});

test('of more boards than can be read at once, whole ones are in sight', () => {
  const tiles = Array.from({ length: 6 }, (_, row) => ({ timeline: row, halfTurn: 2, x: 214, y: 198 + row * 588, duty: 'must' }));
  const many = scene(tiles);
  for (const [width, height, touch, least] of [[900, 690, false, 3], [390, 640, true, 2], [1500, 950, false, 6]]) {
    const found = camera.near(many, stage(width, height), touch);
    const whole = many.tiles.filter((tile) => {
      const box = camera.areaOf(many, [tile]);
      return (box.top - found.y) * found.scale >= 45 && (box.bottom - found.y) * found.scale <= height - 13;
    });
    // A finger needs squares that it hits: it sees two boards at a time.
    assert.ok(whole.length >= least && found.scale * 60 >= (touch ? 28 : 14), `${whole.length} on ${width} × ${height} with ${found.scale * 60} pixels`);
  }
});

test('the camera zooms about a point, and flights end where they should', () => {
  const from = { x: 10, y: 20, scale: 0.5 };
  const to = camera.zoomed(from, 2, 100, 60);
  assert.equal(from.x + 100 / from.scale, to.x + 100 / to.scale);
  assert.deepEqual(camera.between(from, to, 0), from);
  const end = camera.between(from, to, 1);
  assert.ok(Math.abs(end.x - to.x) < 1e-9 && Math.abs(end.scale - to.scale) < 1e-9);
  // The point stays where it is on the way, too.
  const half = camera.between(from, to, 0.4);
  assert.ok(Math.abs(half.x + 100 / half.scale - (from.x + 100 / from.scale)) < 1e-6);
});

test('pieces slide from where they were, along a board and through time', () => {
  const board = (changes) => {
    const squares = [...'.'.repeat(64)];
    for (const [index, letter] of Object.entries({ 4: 'K', 12: 'P', ...changes })) squares[index] = letter;
    return squares.join('');
  };
  const first = { timeline: 0, halfTurn: 2, x: 0, y: 0, pieces: board({}) };
  const one = motion(scene([first]), scene([first, { timeline: 0, halfTurn: 3, x: 600, y: 0, pieces: board({ 12: '.', 28: 'P' }) }]));
  assert.equal(one.boards.length, 1);
  assert.deepEqual(one.slides.map(({ letter, from, to }) => [letter, from.index, to.index]), [['P', 12, 28]]);
  // A king that goes back a turn leaves one board and comes on another one.
  const later = { timeline: 0, halfTurn: 4, x: 1200, y: 0, pieces: board({ 5: 'R' }) };
  const two = motion(scene([first, later]), scene([first, later, { timeline: 0, halfTurn: 5, x: 1800, y: 0, pieces: board({ 4: '.', 5: 'R' }) }, { timeline: 1, halfTurn: 3, x: 600, y: 600, pieces: board({ 20: 'K' }) }]));
  assert.deepEqual(two.slides.map(({ letter, from, to }) => [letter, from.tile.halfTurn, from.index, to.tile.timeline, to.index]), [['K', 4, 4, 1, 20]]);
  // Another game does not move into this one.
  assert.equal(motion(scene([first]), scene([{ ...first, pieces: board({ 1: 'N' }) }])).boards.length, 0);
});

test('what is left to be played is said', () => {
  assert.equal(boardsLeft(0, ['(0T8w)']), '');
  assert.equal(boardsLeft(1, ['(1T8w)']), '1 board to play: (1T8)');
  assert.equal(boardsLeft(0, ['(0T8b)', '(1T8b)']), '2 boards to play: (0T8), (1T8)');
  assert.equal(boardsLeft(2, ['(0T8b)', '(1T8b)', '(2T8b)', '(3T8b)', '(4T8b)']), '5 boards to play: (0T8), (1T8), (2T8) and 2 more');
  assert.equal(boardsLeft(2, []), '');
  assert.deepEqual([scoreText({ pawns: 1.5 }, 'black'), scoreText({ mate: 3 }, 'black'), scoreText({ mate: 2 }, 'white'), scoreText(null, 'white')], ['−1.50', '−#3', '#2', '']);
  assert.deepEqual([scoreText({ pawns: -0.04 }, 'white', 1), scoreText({ pawns: 0.04 }, 'white', 1), scoreText({ pawns: 0 }, 'white'), scoreText({ pawns: -0.05 }, 'white')], ['0.0', '0.0', '0.00', '−0.05']);
  assert.deepEqual([scoreText({ pawns: 199.97 }, 'black', 1, true), scoreText({ pawns: 199.97 }, 'white', 2, true)], ['−M?', '+M?']);
  assert.deepEqual([scoreText({ pawns: -10.04 }, 'white', 1), scoreText({ pawns: 9.94 }, 'white', 1), scoreText({ pawns: 9.96 }, 'white', 1), scoreText({ pawns: 12.5 }, 'black')], ['−10', '+9.9', '+10', '−13']);
});

test('actions are told apart by the moves that not all of them have', () => {
  assert.deepEqual(apart(['(0T7)Rb1 (1T7)Rb1 (2T7)a3', '(0T7)Rb1 (1T7)Rb1 (2T7)b3', '(0T7)Rb1 (1T7)Rb1 (2T7)c3']), ['… (2T7)a3', '… (2T7)b3', '… (2T7)c3']);
  assert.deepEqual(apart(['(0T7)a3 (1T7)b3 (2T7)c3', '(0T7)d3 (1T7)b3 (2T7)e3']), ['(0T7)a3 … (2T7)c3', '(0T7)d3 … (2T7)e3']);
  // A single line, other actions, and one whose moves are all in the other one stay whole.
  assert.deepEqual([apart(['(0T7)a3 (1T7)b3']), apart(['e4', 'd4']), apart(['(0T7)a3', '(0T7)a3 (1T7)b3']), apart([])], [['(0T7)a3 (1T7)b3'], ['e4', 'd4'], ['(0T7)a3', '… (1T7)b3'], []]);
});

test('no file imports itself by way of others, and those without a browser import none that needs one', () => {
  const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'js');
  const imports = new Map(
    readdirSync(folder).map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return [file, [...text.matchAll(/^import [^;']*from '\.\/([\w.]+)';$|await import\('\.\/([\w.]+)'\)/gm)].map((found) => found[1] ?? found[2])];
    }),
  );
  const reached = (file, seen = new Set()) => {
    for (const other of imports.get(file)) {
      assert.ok(imports.has(other), `${file} imports ${other}`);
      if (!seen.has(other)) reached(other, seen.add(other));
    }
    return seen;
  };
  for (const file of imports.keys()) assert.ok(!reached(file).has(file), `${file} imports itself`);
  const pure = ['annotated.js', 'camera.js', 'english.js', 'findings.js', 'german.js', 'headers.js', 'language.js', 'link.js', 'motion.js', 'scores.js', 'session.js', 'settings.js', 'store.js', 'tree.js', 'unpack.js', 'words.js'];
  for (const file of pure) for (const other of reached(file)) assert.ok(pure.includes(other), `${file} needs ${other}`);
});

test('a score is turned to the player who has acted', () => {
  assert.deepEqual(turned({ score: { pawns: 1.5 }, ending: null }), { pawns: -1.5 });
  assert.deepEqual(turned({ score: { mate: 2 }, ending: null }), { mate: -2 });
  // The action that mates is one of those to the mate.
  assert.deepEqual(turned({ score: { mate: -1 }, ending: null }), { mate: 2 });
  assert.deepEqual(turned({ score: null, ending: 'checkmate' }), { mate: 1 });
  assert.deepEqual(turned({ score: null, ending: 'stalemate' }), { pawns: 0 });
});

test('a move that waits is shown on the boards that are there, and made on those that come', () => {
  const place = (halfTurn, square, timeline = 0) => ({ timeline, halfTurn, square });
  const quiet = { id: 'a', from: place(4, [3, 1]), to: place(4, [3, 2]), promotion: null };
  const back = { id: 'b', from: place(4, [6, 0]), to: place(2, [6, 2]), promotion: null };
  const there = [2, 3];
  const hasBoard = (_, halfTurn) => there.includes(halfTurn);
  const ahead = { movesFrom: (timeline, halfTurn) => ({ moves: timeline === 0 && halfTurn === 4 ? [quiet, back] : [] }) };
  const where = { id: 'game', at: '0.1' };
  const [first, second, ...others] = premoves.choicesOn(ahead, { timeline: 0, halfTurn: 3 }, where, hasBoard);
  assert.deepEqual(others, []);
  assert.deepEqual([first.from, first.to], [place(3, [3, 1]), place(3, [3, 2])]);
  assert.deepEqual([second.from, second.to], [place(3, [6, 0]), place(2, [6, 2])]);
  assert.deepEqual(premoves.arrowOf(second.premove, hasBoard), { kind: 'arrow', color: 'blue', from: second.from, to: second.to });
  assert.ok(premoves.isFor(first.premove, where) && !premoves.isFor(first.premove, { ...where, at: '0' }));
  const label = (timeline, halfTurn) => `(${timeline}T${halfTurn / 2})`;
  assert.equal(premoves.textOf(first.premove, label), '(0T2)d2d3');
  assert.equal(premoves.textOf(second.premove, label), '(0T2)g1 > (0T1)g3');
  assert.equal(premoves.textOf({ ...where, real: { ...quiet, promotion: 'Q' } }, label), '(0T2)d2d3=Q');
  assert.equal(premoves.moveOf(ahead, first.premove), quiet);
  assert.equal(premoves.moveOf({ movesFrom: () => ({ moves: [] }) }, first.premove), undefined);
});
