// For `import` in Node: the same classes that `require` gives.

import Chess from '../bundle/node.cjs';

export const { ReadmeChess, ChessError, Game, convert, formats, variants, verify } = Chess;
export const { judgeAnswer, pictureStyle, pieces, puzzleGame, puzzleSolution, puzzlesOf } = Chess;
export const { readTree, writeTree } = Chess;
export const { boardsOf, gameOfBoards, withBoard, withNextBoard, withPiece, withSize, withoutBoard } = Chess;
export const { gradeLimits, gradeOf, isLikelyMate, winChance } = Chess;
export { Chess, Chess as default };
