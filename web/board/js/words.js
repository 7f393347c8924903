// @ts-check
// Sentences that several places say.

/**
 * @typedef {import('../worldlines/browser.js').Player} Player
 * @typedef {import('../worldlines/browser.js').Status} Status
 */

/** @param {Player} player */
export const nameOf = (player) => (player === 'white' ? 'White' : 'Black');
/** @param {Player} player @returns {Player} */
export const otherThan = (player) => (player === 'white' ? 'black' : 'white');

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The standing of a game. @param {Status} status @param {Player} toMove @param {boolean} inCheck */
export function standing(status, toMove, inCheck) {
  const mover = nameOf(toMove);
  if (status === 'checkmate') return `Checkmate: ${nameOf(otherThan(toMove))} has won`;
  if (status === 'stalemate') return 'Stalemate: a draw';
  if (status === 'softmate') return `${mover} to move, in check; only travelling helps`;
  return `${mover} to move${inCheck ? ', in check' : ''}`;
}

/** `(0T1)` of `(0T1w)`. @param {string} label */
const placeOf = (label) => label.replace(/[wb]\)$/, ')');

/** Which boards must still be played. @param {number} played how many were @param {string[]} left their names */
export function boardsLeft(played, left) {
  if (left.length === 0) return '';
  const total = played + left.length;
  if (total === 1) return '';
  const named = left.slice(0, 3).map(placeOf).join(', ') + (left.length > 3 ? ` and ${left.length - 3} more` : '');
  return `${played} of ${total} boards played: ${named} ${left.length === 1 ? 'is' : 'are'} left`;
}

/** A sentence of a reason. @param {string} text */
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`;

/** `e4` of [4, 3]. @param {readonly [number, number]} square */
export const squareName = ([file, rank]) => `${String.fromCharCode(97 + file)}${rank + 1}`;

/** A score for White: `+1.25`, `#3`. @param {{ pawns: number } | { mate: number } | null} score @param {Player} toMove */
export function scoreText(score, toMove) {
  if (!score) return '';
  const sign = toMove === 'white' ? 1 : -1;
  if ('mate' in score) return `${score.mate * sign < 0 ? '−' : ''}#${Math.abs(score.mate)}`;
  const value = score.pawns * sign;
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

/** White's share of a bar, from 0 to 1. @param {{ pawns: number } | { mate: number } | null} score @param {Player} toMove */
export function share(score, toMove) {
  if (!score) return 0.5;
  const sign = toMove === 'white' ? 1 : -1;
  if ('mate' in score) return score.mate * sign < 0 ? 0 : 1;
  return 1 / (1 + Math.exp(-0.35 * score.pawns * sign));
}
