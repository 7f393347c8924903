// Compiled and never run: what the types must allow, and what they must not.

import Chess, { ChessError, Game, ReadmeChess, convert, verify } from 'worldlines';
import type { Action, Board, Move, PuzzleInfo } from 'worldlines';
import LateChess, { Game as LateGame, init } from 'worldlines/init';
import wasm from 'worldlines/worldlines.wasm';

const chess = new Chess('1. e4 / e5', 'standard');
const moves: Move[] = chess.moves();
const text: string = chess.moves('5dpgn', true, true, true);
const actions: Action[] = chess.actions('object');
const board: Board = chess.board;
chess.reset(board);
chess.move(moves[0]!);
chess.move({ start: moves[0]!.start, end: moves[0]!.end, player: 'white' });
chess.move([[0, 0, 1, 4], [0, 0, 3, 4]]);
chess.action(actions[0]!);
const mated: boolean | null = chess.inCheckmate;
// @ts-expect-error: a verdict may be null.
const sure: boolean = chess.inCheckmate;
// @ts-expect-error: the boards cannot be replaced.
chess.rawBoard = [];
const game: Game = Game.parse(text).play('e4');
for (const action of game.legalActions()) action.toUpperCase();
const verdict: 'proven' | 'refuted' | 'undecided' = game.mate(2, { all: true }).verdict;
const losses: string[] = convert('1. e4', { to: 'chessjs' }).losses;
const ids: string[] = verify('').map((puzzle) => puzzle.id);
const line: number | undefined = new ReadmeChess().export() === '' ? ({} as ChessError).line : undefined;
{
  using held = Game.start();
  using other = new Chess();
  held.play(other.moves('5dpgn').split('\n')[0]!);
}
const goals: PuzzleInfo['goal'][] = [{ selfmateIn: 2 }, { helpmateIn: 2 }];
await init(new URL('https://example.org/worldlines.wasm'));
await init(fetch('worldlines.wasm'));
if (!(wasm instanceof WebAssembly.Module)) await init(wasm);
const late: Game = LateGame.start() satisfies Game;
export { goals, late, LateChess };
export { mated, sure, verdict, losses, ids, line };
