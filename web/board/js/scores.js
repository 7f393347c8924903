// @ts-check
// Scores of the engine, seen by the one player or the other.

/**
 * @typedef {import('../worldlines/browser.js').Player} Player
 * @typedef {{ pawns: number } | { mate: number } | null} Score
 * @typedef {{ score: Score, action: string | null, ending: string | null, depth: number, toMove: Player, line?: string[] }} Look what the engine thinks of a position; `line` as it expects the game to go on
 */

/** The score of a player, from what the opponent sees after the action. @param {{ score: Score, ending: string | null }} after @returns {Score} */
export function turned({ score, ending }) {
  if (ending === 'checkmate') return { mate: 1 };
  if (ending) return { pawns: 0 };
  if (!score) return null;
  if ('pawns' in score) return { pawns: -score.pawns };
  return { mate: score.mate > 0 ? -score.mate : 1 - score.mate };
}

/** Scores as numbers, the best one largest. @param {Score} score */
export function worth(score) {
  if (!score) return -Infinity;
  if ('pawns' in score) return score.pawns;
  return score.mate > 0 ? 1e6 - score.mate : -1e6 - score.mate;
}
