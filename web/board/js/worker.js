// Answers that may take long, away from the page: the engine, proofs, lists of actions.

import { Game, judgeAnswer, verify } from '../worldlines/browser.js';

/** More legal actions than these are not counted. */
const MOST_COUNTED = 200_000;
const STEPS = 100_000_000;
/** The list of actions that is being read, a part at a time. */
let listed;

function withGame(saved, ask) {
  const game = Game.parse(saved);
  try {
    return ask(game);
  } finally {
    game.free();
  }
}

const answers = {
  think: ({ saved, steps, seed }) => withGame(saved, (game) => game.think({ steps, seed })),
  mate: ({ saved, mateIn, steps }) => withGame(saved, (game) => game.mate(mateIn, { all: true, steps })),
  status: ({ saved }) => withGame(saved, (game) => ({ status: game.status({ steps: 2_000_000 }), inCheck: game.inCheck })),
  why: ({ saved }) => withGame(saved, (game) => game.why()),
  surviving: ({ saved, mateIn, most, steps }) => withGame(saved, (game) => game.surviving(mateIn, { most, steps })),
  /** Begins a list of the legal actions. */
  actions: ({ saved, most }) => {
    listed?.return();
    listed = listing(saved);
    return part(most);
  },
  more: ({ most }) => part(most),
  count: ({ saved }) => withGame(saved, (game) => game.countActions({ cap: MOST_COUNTED + 1, steps: STEPS })),
  judge: ({ yaml, line }) => judgeAnswer(yaml, line),
  verify: ({ yaml }) => verify(yaml, { steps: 3_000_000 }),
};

function* listing(saved) {
  const game = Game.parse(saved);
  try {
    yield* game.legalActions({ steps: STEPS });
  } finally {
    game.free();
  }
}

/** The next actions of the list. */
function part(most) {
  const list = [];
  while (list.length < most) {
    const { value, done } = listed.next();
    if (done) return { list, complete: true };
    list.push(value);
  }
  return { list, complete: false };
}

self.onmessage = ({ data: { number, kind, question } }) => {
  try {
    self.postMessage({ number, answer: answers[kind](question) });
  } catch (error) {
    self.postMessage({ number, error: { message: error.message, code: error.code, line: error.line, column: error.column } });
  }
};
self.postMessage({ ready: true });
