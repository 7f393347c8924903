// What the package exports.

export { Chess, ReadmeChess, ChessError, Game, convert, formats, variants, verify } from './api.js';
export { judgeAnswer, pictureStyle, pieces, puzzleGame, puzzleSolution, puzzlesOf } from './api.js';
export { gradeLimits, gradeOf, isLikelyMate, winChance } from './api.js';
export { readTree, writeTree } from './api.js';
export { boardsOf, gameOfBoards, withBoard, withNextBoard, withPiece, withSize, withoutBoard } from './api.js';
