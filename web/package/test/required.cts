// Compiled and never run: the types of what `require` gives.

import Chess = require('worldlines');

const chess: Chess = new Chess('1. e4 / e5');
const moves: Chess.Move[] = chess.moves();
const game: Chess.Game = Chess.Game.parse(chess.export('5dpgn'));
const same: Chess = new Chess.Chess();
const again: Chess = new Chess.default();
const goal: Chess.PuzzleInfo['goal'] = { selfmateIn: 2 };
// @ts-expect-error: it makes no game.
new Chess.Game();
export = { moves, game, same, again, goal };
