// @ts-check
// Answers that may take long, away from the page: the engine, proofs, lists of actions.

import { turned, worth } from './scores.js';

/** @typedef {import('../worldlines/browser.js').Game} Game */
/** @typedef {import('./scores.js').Look} Look */

/** More legal actions than these are not counted. */
const MOST_COUNTED = 200_000;
const STEPS = 100_000_000;
/** How much longer the engine looks again where an action of a review looks like a mistake: short looks see some that are none. */
const AGAIN = 4;
/** The part of the steps of a proof that every shorter mate may take. */
const SHORTER = 0.1;
/** The steps for proving that a player is mated, as the engine says. */
const PROVING = 100_000;
/** The pawns of a mate that is likely and not proved. */
const LIKELY = 200;
/** The steps for telling whether a listed action mates. */
const MARKING = 3_000;
/** The most actions that are compared for lines beside the best one. */
const CANDIDATES = 48;
/** The list of actions that is being read, a part at a time. @type {Generator<{ action: string, mates: boolean }> | undefined} */
let listed;
/** @type {typeof import('../worldlines/browser.js')} */
let library;

/** @template T @param {string} saved @param {(game: Game) => T} ask */
function withGame(saved, ask) {
  const game = library.Game.parse(saved);
  try {
    return ask(game);
  } finally {
    game.free();
  }
}

/**
 * Asks the engine what it thinks. A mate against the player to move stays one where the library proves it: the engine may end before it has looked at every defence.
 * @param {Game} game @param {{ steps: number }} limit
 */
function thoughtOf(game, limit) {
  const thought = game.think(limit);
  const { score } = thought;
  if (!score || !('mate' in score) || score.mate >= 0) return thought;
  const { verdict, actions } = game.surviving(-score.mate, { most: 1, steps: PROVING });
  return verdict === 'proven' && actions.length === 0 ? thought : { ...thought, score: { pawns: -LIKELY } };
}

/**
 * Looks at a position deeper and deeper. After each step the best lines that are known are told.
 * @param {Game} game @param {number} lines @param {number} most the largest number of steps for one line @param {(part: object) => void} tell
 */
function deepen(game, lines, most, tell) {
  const first = thoughtOf(game, { steps: 4_000 });
  let steps = first.steps;
  if (!first.action) {
    const answer = { lines: [], ending: first.ending, steps, done: true };
    tell(answer);
    return answer;
  }
  tell({ lines: [{ score: first.score, line: first.line, depth: first.depth }], steps });
  if (lines === 1) {
    let best = first;
    for (let budget = 16_000; budget <= most; budget *= 4) {
      best = thoughtOf(game, { steps: budget });
      steps += best.steps;
      tell({ lines: [{ score: best.score, line: best.line, depth: best.depth }], steps });
    }
    return { lines: [{ score: best.score, line: best.line, depth: best.depth }], steps, done: true };
  }
  /** The text of an action that is compared: the list of actions and the engine spell some in another way. @param {string} action */
  const canonical = (action) => {
    const after = game.copy();
    try {
      return /** @type {string} */ (after.play(action).actions().at(-1));
    } finally {
      after.free();
    }
  };
  const preferred = canonical(first.action);
  const actions = [preferred];
  let complete = true;
  try {
    for (const action of game.legalActions({ steps: 400_000 })) {
      if (actions.length >= CANDIDATES) {
        complete = false;
        break;
      }
      const text = canonical(action);
      if (text !== preferred) actions.push(text);
    }
  } catch {
    // The steps did not suffice for all of them.
    complete = false;
  }
  let known = actions.map((action) => looked(action, 600));
  /** @param {string} action @param {number} budget */
  function looked(action, budget) {
    const after = game.copy().play(action);
    try {
      const thought = thoughtOf(after, { steps: budget });
      steps += thought.steps;
      return { score: turned(thought), line: [action, ...thought.line], depth: thought.depth + 1 };
    } finally {
      after.free();
    }
  }
  const sort = () => known.sort((a, b) => worth(b.score) - worth(a.score));
  sort();
  for (let budget = 4_000; ; budget *= 4) {
    // Fewer are looked at the deeper it goes, and always more than are shown.
    const kept = Math.max(lines + 2, Math.round((known.length * 2) / 3));
    known = known.slice(0, kept);
    known = known.map(({ line: [action] }) => looked(action, budget));
    // The best action of the whole search may be none of those that were compared.
    const best = game.think({ steps: budget * 3 });
    steps += best.steps;
    const added = best.action && canonical(best.action);
    if (added && !known.some(({ line: [action] }) => action === added)) known.push(looked(added, budget));
    sort();
    const answer = { lines: known.slice(0, lines), steps, done: budget >= most, complete };
    tell(answer);
    if (answer.done) return answer;
  }
}

/** @type {Record<string, (question: any, tell: (part: object) => void) => unknown>} */
const answers = {
  think: ({ saved, steps, seed }) => withGame(saved, (game) => game.think({ steps, seed })),
  deepen: ({ saved, lines, most }, tell) => withGame(saved, (game) => deepen(game, lines, most, tell)),
  /** Looks for a mate; the length that is looked for is told, and which ones there are not. */
  mate: ({ saved, mateIn, steps }, tell) =>
    withGame(saved, (game) => {
      let length = 1;
      for (; length < mateIn; length++) {
        tell({ length });
        const { verdict } = game.mate(length, { steps: steps * SHORTER });
        // Whoever asks wants the keys of the shortest mate, and not those that mate later too.
        if (verdict === 'proven') return { ...game.mate(length, { all: true, steps }), asked: length };
        if (verdict !== 'refuted') break;
      }
      tell({ length: mateIn, none: length - 1 });
      return { ...game.mate(mateIn, { all: true, steps }), asked: mateIn, none: length - 1 };
    }),
  certificate: ({ saved, mateIn, steps }) => withGame(saved, (game) => game.certificate(mateIn, { steps })),
  status: ({ saved }) => withGame(saved, (game) => ({ status: game.status({ steps: 2_000_000 }), inCheck: game.inCheck })),
  why: ({ saved }) => withGame(saved, (game) => game.why()),
  surviving: ({ saved, mateIn, most, steps }) => withGame(saved, (game) => game.surviving(mateIn, { most, steps })),
  /** Begins a list of the legal actions. */
  actions: ({ saved, most }) => {
    listed?.return(undefined);
    listed = listing(saved);
    return part(most);
  },
  more: ({ most }) => part(most),
  count: ({ saved }) => withGame(saved, (game) => game.countActions({ cap: MOST_COUNTED + 1, steps: STEPS })),
  judge: ({ yaml, line }) => library.judgeAnswer(yaml, line),
  verify: ({ yaml }) => library.verify(yaml, { steps: 3_000_000 }),
  /** Looks at all positions of a game, one by one; where an action looks bad, longer, and at what the engine would have played. */
  review: ({ saved, count, steps }, tell) =>
    withGame(saved, (game) => {
      /** @type {Look | undefined} */
      let before;
      for (let at = 0; at <= count; at++) {
        const position = game.until(at);
        try {
          let look = lookAt(position, steps);
          const score = turned(look);
          if (before?.action && before.score && score && library.gradeOf(before.score, score)) {
            const { action } = before;
            const instead = game.until(at - 1).play(action);
            try {
              const isSame = instead.fen() === position.fen();
              if (!isSame) look = lookAt(position, AGAIN * steps);
              tell({ at: at - 1, action, instead: isSame ? null : lookAt(instead, AGAIN * steps) });
            } finally {
              instead.free();
            }
          }
          tell({ at, look });
          before = look;
        } finally {
          position.free();
        }
      }
      return {};
    }),
};

/** @param {Game} position @param {number} steps @returns {Look} */
function lookAt(position, steps) {
  const { score, action, ending, depth, line } = thoughtOf(position, { steps });
  return { score, action, ending, depth, line, toMove: position.toMove };
}

/** @param {string} saved */
function* listing(saved) {
  const game = library.Game.parse(saved);
  try {
    for (const action of game.legalActions({ steps: STEPS })) {
      const after = game.copy().play(action);
      try {
        yield { action, mates: after.inCheck && after.status({ steps: MARKING }) === 'checkmate' };
      } finally {
        after.free();
      }
    }
  } finally {
    game.free();
  }
}

/** The next actions of the list, and which of them mate. @param {number} most */
function part(most) {
  /** @type {string[]} */
  const list = [];
  /** @type {string[]} */
  const mates = [];
  while (listed && list.length < most) {
    const { value, done } = listed.next();
    if (done) return { list, mates, complete: true };
    list.push(value.action);
    if (value.mates) mates.push(value.action);
  }
  return { list, mates, complete: listed === undefined };
}

self.onmessage = ({ data: { number, kind, question } }) => {
  try {
    self.postMessage({ number, answer: answers[kind](question, (found) => self.postMessage({ number, part: found })) });
  } catch (/** @type {any} */ error) {
    self.postMessage({ number, error: { message: error.message, code: error.code, line: error.line, column: error.column } });
  }
};

try {
  library = await import('../worldlines/browser.js');
  self.postMessage({ ready: true });
} catch (/** @type {any} */ error) {
  self.postMessage({ failed: error.message });
}
export {};
