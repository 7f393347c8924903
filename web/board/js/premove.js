// @ts-check
// A move that is chosen while the opponent thinks. It is shown on the boards that are there now, and made on the one that comes.

import { samePlace } from './tree.js';
import { squareName } from './words.js';

/**
 * @typedef {import('../worldlines/browser.js').BoardMove} BoardMove
 * @typedef {import('./tree.js').Place} Place
 * @typedef {{ id: string, at: string }} Where a document and a node of its tree
 * @typedef {{ real: BoardMove } & Where} Premove a move for the position after the next action of the opponent, and where the board stood
 * @typedef {BoardMove & { premove?: Premove }} Choice a move as it is shown
 * @typedef {(timeline: number, halfTurn: number) => unknown} HasBoard whether a board is there now
 * @typedef {{ movesFrom: (timeline: number, halfTurn: number) => { moves: BoardMove[] } }} Moves a game, as far as it is asked here
 */

/** A place on the boards that are there now: one of a board to come is on the one before it. @param {Place} place @param {HasBoard} hasBoard @returns {Place} */
const nowOf = ({ timeline, halfTurn, square }, hasBoard) => ({ timeline, halfTurn: hasBoard(timeline, halfTurn) ? halfTurn : halfTurn - 1, square });

/** The moves from the board that follows another one. @param {Moves} ahead the game after a pass of the opponent @param {{ timeline: number, halfTurn: number }} tile @param {Where} where @param {HasBoard} hasBoard @returns {Choice[]} */
export function choicesOn(ahead, { timeline, halfTurn }, { id, at }, hasBoard) {
  const { moves } = ahead.movesFrom(timeline, halfTurn + 1);
  return moves.map((real) => ({ ...real, from: nowOf(real.from, hasBoard), to: nowOf(real.to, hasBoard), premove: { real, id, at } }));
}

/** Whether it waits for this position. @param {Premove} premove @param {Where} where */
export const isFor = (premove, { id, at }) => premove.id === id && premove.at === at;

/** It as an arrow. @param {Premove} premove @param {HasBoard} hasBoard @returns {import('./tree.js').Shape} */
export const arrowOf = ({ real }, hasBoard) => ({ kind: 'arrow', color: 'blue', from: nowOf(real.from, hasBoard), to: nowOf(real.to, hasBoard) });

/** The move of a game that it has become, if it can be made. @param {Moves} game @param {Premove} premove */
export function moveOf(game, { real: { from, to, promotion } }) {
  const { moves } = game.movesFrom(from.timeline, from.halfTurn);
  return moves.find((one) => samePlace(one.from, from) && samePlace(one.to, to) && one.promotion === promotion);
}

/** `(0T2)d2d4`, or `(0T2)g1 > (0T1)g3`. @param {Premove} premove @param {(timeline: number, halfTurn: number) => string} label of a board */
export function textOf({ real: { from, to, promotion } }, label) {
  const [here, there] = [from, to].map(({ timeline, halfTurn }) => label(timeline, halfTurn));
  const way = here === there ? '' : ` > ${there}`;
  return `${here}${squareName(from.square)}${way}${squareName(to.square)}${promotion ? `=${promotion}` : ''}`;
}
