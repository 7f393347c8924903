// Answers the questions of `worldlines diff` with 5d-chess-js 1.2.1. The protocol is in spec/oracle-protocol.md.
//
// Positions are put on the library's boards directly, because its reader of 5DFEN takes the timelines +1 and -1 of games with
// two start timelines for others. Whether a player is mated is asked of the library as its users do it. The legal actions
// are found with its moves and its test of check, one board after another, since its own list trusts its verdicts of mate.

//
// With `--strict` an action counts as accepted if the library lets it be submitted, as its users would; it does not, where it takes a
// position for mate or stalemate.

import { createInterface } from 'node:readline';
import Chess from '5d-chess-js';

const IS_STRICT = process.argv.includes('--strict');
const LETTERS = ['', 'P', 'P', 'B', 'B', 'N', 'N', 'R', 'R', 'Q', 'Q', 'K', 'K', 'S', 'S', 'W', 'W', 'C', 'C', 'Y', 'Y', 'U', 'U', 'D', 'D'];
const WITH_MARKS = 'PWKR';

const chess = new Chess();
const { boardFuncs, mateFuncs } = chess.raw;

/** The number of a piece: even for White; below zero if it has never moved. */
function pieceOf(letter, unmoved) {
  const upper = letter.toUpperCase();
  const isWhite = letter === upper;
  const number = LETTERS.findIndex((name, index) => name === upper && (index % 2 === 0) === isWhite);
  if (number <= 0) throw new Error(`unknown piece ${letter}`);
  return unmoved ? -number : number;
}

/** Where timelines and half-turns stand in the arrays of the library. */
class Layout {
  constructor(start) {
    this.isEven = start.parity === 'even';
    this.height = Number(start.size.split('x')[1]);
    const turns = start.boards.map((text) => Number(text.split(':')[2]));
    // The first index is White's board of the first turn.
    this.firstTurn = Math.min(...turns);
  }

  lineOf(label) {
    const isMinus = label.startsWith('-');
    const number = Math.abs(Number(label));
    if (this.isEven) return isMinus ? 2 * number + 1 : 2 * number + 2;
    return isMinus ? 2 * number - 1 : 2 * number;
  }

  labelOf(line) {
    if (this.isEven) return line % 2 ? `-${(line - 1) / 2}` : `+${(line - 2) / 2}`;
    return line % 2 ? `-${(line + 1) / 2}` : `${line / 2}`;
  }

  timeOf(turn, isBlack) {
    return 2 * (turn - this.firstTurn) + (isBlack ? 1 : 0);
  }

  turnOf(time) {
    return Math.floor(time / 2) + this.firstTurn;
  }
}

function readRows(text) {
  const ranks = text.split('/').map((row) => {
    const squares = [];
    for (const [, blanks, letter, mark] of row.matchAll(/(\d+)|([a-zA-Z])(\*?)/g)) {
      if (blanks) squares.push(...new Array(Number(blanks)).fill(0));
      else squares.push(pieceOf(letter, mark === '*'));
    }
    return squares;
  });
  return ranks.reverse();
}

function writeRows(board) {
  const rows = [...board].reverse().map((rank) => {
    let text = '';
    let blanks = 0;
    for (const piece of rank) {
      if (piece === 0) {
        blanks += 1;
        continue;
      }
      if (blanks) text += blanks;
      blanks = 0;
      const number = Math.abs(piece);
      const letter = LETTERS[number] ?? '?';
      text += number % 2 ? letter.toLowerCase() : letter;
      if (piece < 0 && WITH_MARKS.includes(letter)) text += '*';
    }
    return blanks ? text + blanks : text;
  });
  return rows.join('/');
}

/** Puts a start on the boards of the library. */
function begin(start, layout) {
  chess.reset('standard');
  const raw = [];
  for (const text of start.boards) {
    const [rows, label, turn, colour] = text.slice(1, -1).split(':');
    boardFuncs.setTurn(raw, layout.lineOf(label), layout.timeOf(Number(turn), colour === 'b'), readRows(rows));
  }
  chess.rawBoard = raw;
  chess.rawAction = start.to_move === 'black' ? 1 : 0;
  chess.rawStartingAction = chess.rawAction;
  chess.rawBoardHistory = [boardFuncs.copy(raw)];
  chess.rawActionHistory = [];
  chess.rawMoveBuffer = [];
  chess.checkmateCache = [];
  chess.metadata.board = 'custom';
  chess.metadata.size = start.size;
  chess.rawPromotionPieces = start.promotions
    .split(',')
    .filter((letter) => letter)
    .flatMap((letter) => [pieceOf(letter, false), pieceOf(letter.toLowerCase(), false)]);
}

function boards(layout) {
  const shown = [];
  chess.rawBoard.forEach((timeline, line) => {
    (timeline ?? []).forEach((board, time) => {
      if (board) shown.push(`[${writeRows(board)}:${layout.labelOf(line)}:${layout.turnOf(time)}:${time % 2 ? 'b' : 'w'}]`);
    });
  });
  return shown;
}

function placeText([line, time, rank, file], layout) {
  return `(${layout.labelOf(line)}T${layout.turnOf(time)})${String.fromCharCode(97 + file)}${rank + 1}`;
}

function moveText(move, layout) {
  const [from, to] = move;
  const becomes = to[4] ? LETTERS[Math.abs(to[4])] : '';
  return placeText(from, layout) + placeText(to, layout) + becomes;
}

/** The moves that the library has on these boards, by their text. */
function movesOn(board, layout) {
  const found = new Map();
  for (const move of boardFuncs.moves(board, chess.rawAction, false, false, false, chess.rawPromotionPieces)) {
    found.set(moveText(move, layout), move);
  }
  return found;
}

/** The boards after a move. Boards themselves are never changed, so only the lists of them are copied. */
function after(board, move) {
  const copy = board.map((timeline) => (timeline ? [...timeline] : timeline));
  boardFuncs.move(copy, move);
  return copy;
}

/** Why an action cannot be played, or nothing if it can: its moves are the library's, it ends the turn, and leaves no check. */
function whyNot(words, layout) {
  let board = chess.rawBoard;
  for (const word of words) {
    const move = movesOn(board, layout).get(word);
    if (!move) return `it has no move ${word}`;
    board = after(board, move);
  }
  if (boardFuncs.present(board, chess.rawAction).length > 0) return 'it says that boards are left to play';
  if (mateFuncs.checks(board, chess.rawAction, true)) return 'it says that a check is left';
  return undefined;
}

/** Whether the library lets an action be played and submitted. */
function isSubmitted(words, layout) {
  const copy = chess.copy();
  try {
    for (const word of words) copy.move(movesOn(copy.rawBoard, layout).get(word));
    copy.submit();
    return true;
  } catch {
    return false;
  }
}

function play(words, layout) {
  const moves = [];
  for (const word of words) {
    const move = movesOn(chess.rawBoard, layout).get(word);
    boardFuncs.move(chess.rawBoard, move);
    moves.push(move);
  }
  chess.rawBoardHistory.push(boardFuncs.copy(chess.rawBoard));
  chess.rawActionHistory.push(moves);
  chess.rawAction += 1;
}

/** All legal actions, or some of them if there are more than the cap or no time is left. */
function actions(layout, cap, deadline) {
  const found = [];
  let complete = true;
  const visit = (board, lastLine, isBranching, words) => {
    if (found.length >= cap || performance.now() > deadline) {
      complete = false;
      return;
    }
    const isDone = words.length > 0 && boardFuncs.present(board, chess.rawAction).length === 0;
    if (isDone && !mateFuncs.checks(board, chess.rawAction, true)) found.push(words);
    for (const [word, move] of movesOn(board, layout)) {
      const [from, to] = move;
      const isBranch = (from[0] !== to[0] || from[1] !== to[1]) && to[1] !== board[to[0]].length - 1;
      // Moves that create no timeline do not disturb each other, so one order of them is enough.
      if (!isBranch && (isBranching || from[0] <= lastLine)) continue;
      visit(after(board, move), isBranch ? lastLine : from[0], isBranch || isBranching, [...words, word]);
      if (!complete) return;
    }
  };
  visit(chess.rawBoard, -1, false, []);
  return { found, complete };
}

/** The game that stands on the boards of the library. */
let current = { start: '', actions: [] };

/** Sets up the game of a question. Returns the refusal of an action, if one is refused. */
function replay(question, layout) {
  const start = JSON.stringify(question.start);
  const continues =
    start === current.start &&
    current.actions.every((words, index) => JSON.stringify(words) === JSON.stringify(question.actions[index]));
  if (!continues) {
    begin(question.start, layout);
    current = { start, actions: [] };
  }
  for (const [index, words] of question.actions.entries()) {
    if (index < current.actions.length) continue;
    const message = whyNot(words, layout);
    if (message) return { action: index, message };
    play(words, layout);
    current.actions.push(words);
  }
  return undefined;
}

function position(question) {
  const layout = new Layout(question.start);
  const refused = replay(question, layout);
  if (refused) return { refused };
  const answer = { boards: boards(layout) };
  // Each of the two verdicts takes that long at most, and so do the list and the tries.
  chess.checkmateTimeout = question.milliseconds / 4;
  for (const wanted of question.want) {
    const deadline = performance.now() + question.milliseconds / 4;
    if (wanted === 'in_check') answer.in_check = chess.inCheck;
    if (wanted === 'status') answer.status = chess.inCheckmate ? 'checkmate' : chess.inStalemate ? 'stalemate' : 'ongoing';
    if (wanted === 'accepts') {
      answer.accepts = question.tries.map((words) => {
        if (performance.now() > deadline) return null;
        return IS_STRICT ? isSubmitted(words, layout) : !whyNot(words, layout);
      });
    }
    if (wanted === 'actions') {
      const { found, complete } = actions(layout, question.cap, deadline);
      answer.actions = found;
      answer.legal_actions = { count: found.length, exact: complete };
    }
  }
  return answer;
}

function write(question) {
  const layout = new Layout(question.start);
  const refused = replay(question, layout);
  if (refused) return { refused };
  return { text: chess.export('5dpgn') };
}

function read(question) {
  const reader = new Chess();
  reader.checkmateTimeout = question.milliseconds;
  try {
    reader.import(question.text);
  } catch (error) {
    return { refused: { message: String(error?.message ?? error) } };
  }
  const lines = reader.fen(null, true).split('\n').filter((line) => line);
  return { played: reader.rawActionHistory.length, boards: lines };
}

const MANIFEST = {
  name: '5d-chess-js',
  version: '1.2.1',
  features: ['in_check', 'status', 'accepts', 'actions', 'legal_actions'],
  statuses: ['ongoing', 'checkmate', 'stalemate'],
  reads: ['5dpgn'],
  writes: ['5dpgn'],
};

const ANSWERS = { hello: () => MANIFEST, position, write, read };

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const answer = ANSWERS[question.ask]?.(question) ?? { not_asked: `unknown question ${question.ask}` };
  process.stdout.write(`${JSON.stringify({ id: question.id, ...answer })}\n`);
}
