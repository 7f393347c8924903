// 5d-chess-js behind lines of JSON, for `compare.py`: node chessjs.cjs FOLDER, which holds `node_modules/5d-chess-js`.
'use strict';
const path = require('node:path');
const readline = require('node:readline');

const folder = path.join(path.resolve(process.argv[2]), 'node_modules', '5d-chess-js');
const Chess = require(folder);
const { version } = require(path.join(folder, 'package.json'));
const MOST_ACTIONS = 30;
const ATTEMPTS = 200;

let chess = null;
let loaded = '';

// Whether a mate was found is remembered, so a position is read anew before it is asked about.
function read(text) {
  chess = new Chess();
  chess.skipDetection = true;
  chess.import(text);
}

function count() {
  let found = 0;
  for (const move of chess.moves('object')) {
    chess.move(move);
    found += chess.submittable() ? 1 : 0;
    chess.undo();
  }
  return found;
}

/** A random action. False if none was found. */
function act(random) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    while (chess.undoable()) chess.undo();
    for (;;) {
      const moves = chess.moves('object');
      if (!moves.length) break;
      chess.move(moves[Math.floor(random() * moves.length)]);
      if (chess.submittable()) {
        chess.submit();
        return true;
      }
    }
  }
  return false;
}

const questions = {
  load(text) {
    loaded = text;
    read(text);
    // It reads as far as it understands, without a word: the end has to be that of the text.
    const [line] = text.trim().split('\n').slice(-1);
    const actions = line.startsWith('[') ? 0 : text.split('\n').filter((each) => /^\d+\./.test(each)).reduce((sum, each) => sum + each.split(' / ').length, 0);
    if (chess.rawActionHistory.length !== actions) throw new Error(`it read ${chess.rawActionHistory.length} of ${actions} actions`);
    return version;
  },
  mates(seconds) {
    chess.skipDetection = false;
    chess.checkmateTimeout = seconds * 1000;
    const answer = chess.inCheckmate ? 'checkmate' : chess.inStalemate ? 'stalemate' : 'ongoing';
    chess.skipDetection = true;
    return answer;
  },
  actions: () => count(),
  playouts(text, seconds, seed) {
    let state = seed;
    const random = () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32);
    let total = 0;
    let spent = 0;
    while (spent < seconds) {
      read(text);
      const begun = performance.now();
      for (let action = 0; action < MOST_ACTIONS && act(random); action++) total++;
      spent += (performance.now() - begun) / 1000;
    }
    return [total, spent];
  },
};

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [name, ...values] = JSON.parse(line);
  let answer;
  try {
    answer = { answer: questions[name](...values) };
  } catch (error) {
    answer = { error: String(error && error.message ? error.message : error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
