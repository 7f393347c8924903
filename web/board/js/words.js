// @ts-check
// Sentences that several places say.

import { words } from './language.js';

/**
 * @typedef {import('../worldlines/browser.js').Player} Player
 * @typedef {import('../worldlines/browser.js').Status} Status
 */

/** @param {Player} player */
export const nameOf = (player) => (player === 'white' ? words.white : words.black);
/** @param {Player} player @returns {Player} */
export const otherThan = (player) => (player === 'white' ? 'black' : 'white');

/** The standing of a game. @param {Status} status @param {Player} toMove @param {boolean} inCheck */
export function standing(status, toMove, inCheck) {
  const mover = nameOf(toMove);
  if (status === 'checkmate') return words.standing.checkmate(nameOf(otherThan(toMove)));
  if (status === 'stalemate') return words.standing.stalemate;
  if (status === 'softmate') return words.standing.softmate(mover);
  return words.standing.ongoing(mover, inCheck);
}

/** The end of a game that a player gave up, or both as a draw. @param {import('./session.js').Resignation} resigned */
export function resignation({ by, told, timed }) {
  if (by === 'both') return told ? words.result.drawn : words.result.agreed;
  if (timed) return words.result.timed(nameOf(by));
  return (told ? words.result.lost : words.result.resigned)(nameOf(by));
}

/** The texts of a scene for those who do not see it. @param {import('./view.js').Scene} scene @param {Player} toMove */
export const aboutScene = (scene, toMove) => words.board.about(nameOf(toMove), scene.present, scene.tiles.length, scene.rows.length);

/** `(0T1)` of `(0T1w)`. @param {string} label */
export const placeOf = (label) => label.replace(/[wb]\)$/, ')');

/** Which boards must still be played. @param {number} played how many were @param {string[]} left their names */
export function boardsLeft(played, left) {
  if (left.length === 0) return '';
  if (played + left.length === 1) return '';
  // One more is named rather than counted.
  const named = left.length <= 4 ? left : left.slice(0, 3);
  return words.board.left(named.map(placeOf), left.length - named.length);
}

/** A sentence of the library, in the language of the page. @param {string} text */
export function sentence(text) {
  const said = words.library(text);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?…]$/.test(said) ? '' : '.'}`;
}

/** `e4` of [4, 3]. @param {readonly [number, number]} square */
export const squareName = ([file, rank]) => `${String.fromCharCode(97 + file)}${rank + 1}`;

/** [4, 3] of `e4`. @param {string} name @returns {[number, number]} */
export const squareOf = (name) => [name.charCodeAt(0) - 97, Number(name[1]) - 1];

/** A score for White: `+1.25`, `#3`, and `+M?` for a guess at a mate. @param {import('./scores.js').Score} score @param {Player} toMove */
export function scoreText(score, toMove, digits = 2, isGuess = false) {
  if (!score) return '';
  const sign = toMove === 'white' ? 1 : -1;
  if ('mate' in score && score.mate === 0) return '#';
  if ('mate' in score) return `${score.mate * sign < 0 ? '−' : ''}#${Math.abs(score.mate)}`;
  const value = score.pawns * sign;
  if (isGuess) return `${value < 0 ? '−' : '+'}M?`;
  const size = Math.abs(value);
  // From ten pawns on nobody wants to know tenths, and the bar has no room for them.
  const text = size.toFixed(size >= 9.95 ? 0 : digits);
  // What is rounded to nothing is nobody's.
  return `${Number(text) === 0 ? '' : value < 0 ? '−' : '+'}${text}`;
}

/** Actions as texts that tell them apart: moves that all of them have are left out. @param {string[]} actions */
export function apart(actions) {
  const moves = actions.map((action) => action.split(' '));
  const isShared = (/** @type {string} */ move) => moves.every((one) => one.includes(move));
  if (moves.length < 2) return actions;
  return moves.map((own, index) => {
    const left = own.map((move) => (isShared(move) ? '…' : move)).filter((move, at, all) => move !== '…' || all[at - 1] !== '…');
    return left.join('') === '…' ? actions[index] : left.join(' ');
  });
}

/** The other actions of the class of a key, behind the key; empty if there are none. @param {{ size: number, free: string[] }} given */
export const classText = ({ size, free }) => (size > 1 ? words.analyse.others(size - 1, free) : '');
