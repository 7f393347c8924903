// A skeleton for asking a rules library in JavaScript: fill in `Library`, then run
//
//     worldlines diff --oracle 'cmd:node oracles/skeleton/oracle.mjs' corpus/rules
//
// The protocol is in spec/oracle-protocol.md. As it stands, the skeleton takes boards and says only what they are.

import { createInterface } from 'node:readline';

/** Replace what these methods do by calls of your library. */
class Library {
  constructor(start) {
    // start.boards holds the boards as 5DFEN, start.to_move is "white" or "black".
    this.shown = start.boards;
  }

  /** Plays an action, a list of moves such as "(0T1)e2(0T1)e4". False if it cannot. */
  play() {
    return false;
  }

  boards() {
    return this.shown;
  }

  inCheck() {
    return undefined;
  }

  legalActions() {
    return undefined;
  }
}

const MANIFEST = { name: 'skeleton', features: ['in_check', 'actions', 'legal_actions'] };

function position({ start, actions }) {
  const library = new Library(start);
  if (!actions.every((action) => library.play(action))) return { not_asked: 'this skeleton plays no actions' };
  const legal = library.legalActions();
  return {
    boards: library.boards(),
    in_check: library.inCheck(),
    ...(legal && { actions: legal, legal_actions: { count: legal.length, exact: true } }),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const answer = question.ask === 'hello' ? MANIFEST : position(question);
  console.log(JSON.stringify({ id: question.id, ...answer }));
}
