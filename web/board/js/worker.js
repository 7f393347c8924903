// Answers that may take long, away from the page: the engine, proofs, lists of actions.

import { Game, judgeAnswer, verify } from '../worldlines/browser.js';

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
  reasons: ({ saved }) => withGame(saved, (game) => game.reasons()),
  actions: ({ saved, most }) =>
    withGame(saved, (game) => {
      const list = [];
      let complete = true;
      for (const action of game.legalActions({ steps: 2_000_000 })) {
        if (list.length === most) {
          complete = false;
          break;
        }
        list.push(action);
      }
      return { list, complete };
    }),
  judge: ({ yaml, line }) => judgeAnswer(yaml, line),
  verify: ({ yaml }) => verify(yaml, { steps: 3_000_000 }),
};

self.onmessage = ({ data: { number, kind, question } }) => {
  try {
    self.postMessage({ number, answer: answers[kind](question) });
  } catch (error) {
    self.postMessage({ number, error: { message: error.message, code: error.code, line: error.line, column: error.column } });
  }
};
self.postMessage({ ready: true });
