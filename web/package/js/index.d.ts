// The types of the package.

/// <reference lib="esnext.disposable" />

export type Player = 'white' | 'black';

/** `raw`, `object`, `json`, or a text: 5DPGN if the name has `5dpgn` or `notation` in it. */
export type Format =
  | 'object'
  | 'json'
  | 'raw'
  | '5dpgn'
  | '5dpgn_inline'
  | '5dpgn_active_timeline'
  | '5dpgn_active_timeline_superphysical'
  | 'notation'
  | 'notation_short'
  | (string & {});

export interface Position {
  timeline: number;
  turn: number;
  player: Player;
  coordinate: string;
  rank: number;
  file: number;
}

export interface Move {
  start: Position;
  end: Position;
  player: Player;
  promotion: string | null;
  enPassant: Position | null;
  castling: { start: Position; end: Position } | null;
  /** Where the piece then stands. It is not read. */
  realEnd?: Position;
}

/** A move that is given: what follows from the rest may be missing. */
export type MoveInput = string | Pick<Move, 'start' | 'end' | 'player'> & Partial<Move> | RawMove;

export interface Action {
  action: number;
  player: Player;
  moves: Move[];
  /** The player passed on the boards that were left. The library does not say it. */
  pass?: true;
}

export interface Piece {
  piece: string;
  player: Player;
  position: Position;
  hasMoved: boolean;
}

export interface Turn {
  turn: number;
  player: Player;
  width: number;
  height: number;
  pieces: Piece[];
}

export interface Timeline {
  timeline: number;
  player: Player;
  active: boolean;
  present: boolean;
  turns: Turn[];
}

export interface Board {
  action: number;
  player: Player;
  width: number;
  height: number;
  timelines: Timeline[];
}

/** `board[timeline][turn][rank][file]`. */
export type RawBoard = ((number[][] | null)[] | null)[];
/** `[timeline, turn, rank, file]`, and what the pawn becomes. */
export type RawMove = number[][];

export interface State {
  checkmateTimeout: number;
  skipDetection: boolean;
  enableConsole: boolean;
  metadata: Record<string, unknown>;
  checkmateCache: string[];
  rawAction: number;
  rawStartingAction: number;
  rawBoardHistory: RawBoard[];
  rawBoard: RawBoard;
  rawActionHistory: RawMove[][];
  rawMoveBuffer: RawMove[];
  rawPromotionPieces: number[];
  /** The whole game; without it the state is that of the raw arrays. */
  saved?: string;
}

/** An error of the package. */
export class ChessError extends Error {
  /** A name for what is wrong. `bug` is a bug of the package, `undecided` an answer that was not found in time. */
  readonly code: string;
  /** Where it is in the text, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The same as indices of the string. */
  readonly start?: number;
  readonly end?: number;
}

type ActionInput = string | Partial<Action> & { moves: MoveInput[] } | MoveInput[];
type GameInput = string | ActionInput[];
type VariantInput = string | Board | RawBoard;

/** 5d-chess-js 1.2.1: the same fields and functions. */
export class Chess {
  constructor(input?: GameInput, variant?: VariantInput);
  /** How many milliseconds a verdict may take. */
  checkmateTimeout: number;
  skipDetection: boolean;
  enableConsole: boolean;
  metadata: Record<string, unknown>;
  copy(): this;
  state(): State;
  state(state: Omit<State, 'saved'> & { saved?: string }): void;
  compare(first: Board | RawBoard | string, second: Board | RawBoard | string, type?: 'board'): number;
  compare(first: MoveInput, second: MoveInput, type: 'move'): number;
  reset(variant?: VariantInput): void;
  import(input?: GameInput, variant?: VariantInput, actionsRequired?: boolean): void;
  importable(input?: GameInput, variant?: VariantInput, actionsRequired?: boolean): boolean;
  fen(input?: null, currentBoard?: boolean): string;
  fen(input: string): void;
  fenable(input: string): boolean;
  pass(): void;
  passable(): boolean;
  action(input: ActionInput): void;
  actionable(input: ActionInput): boolean;
  actions(format?: 'object', activeOnly?: boolean, presentOnly?: boolean, newActiveTimelinesOnly?: boolean): Action[];
  actions(format: 'raw', activeOnly?: boolean, presentOnly?: boolean, newActiveTimelinesOnly?: boolean): RawMove[][];
  actions(format: Format, activeOnly?: boolean, presentOnly?: boolean, newActiveTimelinesOnly?: boolean): string;
  move(input: MoveInput): void;
  moveable(input: MoveInput): boolean;
  moves(format?: 'object', activeOnly?: boolean, presentOnly?: boolean, spatialOnly?: boolean): Move[];
  moves(format: 'raw', activeOnly?: boolean, presentOnly?: boolean, spatialOnly?: boolean): RawMove[];
  moves(format: Format, activeOnly?: boolean, presentOnly?: boolean, spatialOnly?: boolean): string;
  submit(): void;
  submittable(): boolean;
  undo(): void;
  undoable(): boolean;
  checks(format?: 'object'): Move[];
  checks(format: 'raw'): RawMove[];
  checks(format: Format): string;
  /** Whether the player is mated; null if that is not found within `checkmateTimeout`. */
  readonly inCheckmate: boolean | null;
  readonly inCheck: boolean;
  /** Whether the player is in stalemate; null if that is not found within `checkmateTimeout`. */
  readonly inStalemate: boolean | null;
  readonly hash: string;
  export(format: 'object'): Action[];
  export(format: 'raw'): RawMove[][];
  export(format?: Format): string;
  print(): string;
  print2(): void;
  readonly board: Board;
  readonly actionNumber: number;
  readonly boardHistory: Board[];
  readonly actionHistory: Action[];
  readonly moveBuffer: Move[];
  readonly player: Player;
  readonly variants: Variant[];
  readonly rawBoard: RawBoard;
  readonly rawBoardHistory: RawBoard[];
  readonly rawActionHistory: RawMove[][];
  readonly rawMoveBuffer: RawMove[];
  readonly rawAction: number;
  readonly rawStartingAction: number;
  readonly rawPromotionPieces: number[];
  /** Gives the memory back at once. */
  free(): void;
  /** The same, at the end of a block with `using`. */
  [Symbol.dispose](): void;
}

/** 5d-chess-js 0.3.6, whose API its README describes. */
export class ReadmeChess extends Chess {}

export interface Variant {
  name: string;
  shortName: string;
}

export type Status = 'ongoing' | 'softmate' | 'checkmate' | 'stalemate' | 'undecided';

export interface Mate {
  verdict: 'proven' | 'refuted' | 'undecided';
  /** The smallest number of actions, if there is a mate. */
  mateIn: number | null;
  /** An action of each class of mating actions that was found. */
  keys: string[];
  /** For each of them how many actions its class has that were found, and on which boards they may play anything. */
  classes: { size: number; free: string[] }[];
  /** Whether there are no other classes. */
  complete: boolean;
  /** The mate against the longest defence. */
  line: string[];
  steps: number;
}

/** A game: the modern API. Actions and moves are 5DPGN, and functions that change it give it back. */
export class Game {
  private constructor();
  static start(variant?: VariantInput): Game;
  static parse(text: string, options?: { variant?: VariantInput }): Game;
  readonly toMove: Player;
  readonly actionNumber: number;
  readonly inCheck: boolean;
  copy(): Game;
  status(options?: { steps?: number }): Status;
  play(action: ActionInput): this;
  move(move: MoveInput): this;
  /** Takes back the last move of an unfinished action. Whole actions stay: `until(actions)` gives an earlier position of the game. */
  undo(): this;
  submit(): this;
  canSubmit(): boolean;
  moves(): string[];
  legalActions(options?: { steps?: number }): Generator<string, void, undefined>;
  countActions(options?: { cap?: number; steps?: number }): { count: number; capped: boolean };
  mate(mateIn: number, options?: { all?: boolean; steps?: number }): Mate;
  /** A file that proves the keys of a mate, and can be checked without a search. */
  certificate(mateIn: number, options?: { id?: string; steps?: number }): string;
  render(options?: { width?: number; timelines?: number }): string;
  write(format?: string): string;
  fen(): string;
  save(): string;
  record(options?: { marks?: boolean }): string;
  readonly variant: string | undefined;
  actions(): string[];
  /** `+`, `*` or `#` for check, softmate and checkmate after each action, or an empty text. */
  marks(): string[];
  movesMade(): string[];
  until(actions: number): Game;
  scene(options?: { flipped?: boolean; checks?: boolean; planned?: string }): Scene;
  picture(options?: { flipped?: boolean; planned?: string }): string;
  movesFrom(timeline: number, halfTurn: number, options?: { steps?: number }): { moves: BoardMove[]; legal: boolean };
  makeMove(id: string): this;
  whyNot(): string | undefined;
  /** A move that captures a king at once; undefined in every game that was played by the rules. */
  royalCapture(): BoardMove | undefined;
  /** The actions after which the player is not mated in so many; `losing` counts the others. */
  surviving(mateIn: number, options?: { most?: number; steps?: number }): { verdict: 'proven' | 'undecided'; actions: string[]; losing: number };
  /** Why the player has no legal action. A reason counts whole actions; `all` says that everything was tried and every reason is told. */
  why(): { checks: string[]; reasons: { count: number; why: string; example: string }[]; all: boolean };
  think(options?: { steps?: number; seed?: number }): Thought;
  /** Gives the memory back at once. */
  free(): void;
  /** The same, at the end of a block with `using`. */
  [Symbol.dispose](): void;
}

/** A square: file and rank, from 0. */
export type SquareIndex = [file: number, rank: number];

export interface BoardPlace {
  timeline: number;
  /** Twice the turn, and one more for Black's board. */
  halfTurn: number;
  square: SquareIndex;
}

export interface BoardMove {
  id: string;
  from: BoardPlace;
  to: BoardPlace;
  promotion: string | null;
}

/** Where everything stands in a picture. x grows to the right and y downwards. */
export interface Scene {
  width: number;
  height: number;
  files: number;
  ranks: number;
  flipped: boolean;
  /** The side of a square, the width of a frame, and the thickness of an arrow. */
  square: number;
  frame: number;
  shaft: number;
  toMove: Player;
  present: string;
  presentArea: [x: number, y: number, width: number, height: number];
  about: string;
  rows: { label: string; active: boolean; path: string; labelX: number; labelY: number }[];
  tiles: {
    timeline: number;
    halfTurn: number;
    label: string;
    x: number;
    y: number;
    white: boolean;
    duty: 'must' | 'may' | 'none';
    active: boolean;
    /** A letter or a dot for each square, from a1 along the ranks. */
    pieces: string;
    touched: SquareIndex[];
    threatened: SquareIndex[];
  }[];
  arrows: { kind: 'made' | 'check' | 'planned'; shaft: string; head: string }[];
}

export type Score = { pawns: number } | { mate: number };
/** The expected result of the player with a score, from 0 to 100: 50 is even, and three pawns are 75. */
export function winChance(score: Score): number;
/** Whether a score stands for a mate, of either player, that the engine has found and not proved: about 200 pawns. */
export function isLikelyMate(score: Score): boolean;
/** The least points of `winChance` that a mistake takes. */
export function gradeLimits(): Record<'blunder' | 'mistake' | 'inaccuracy', number>;
/** What an action is called that leads from one score of its player to another; undefined if it is no mistake. */
export function gradeOf(before: Score, after: Score): 'blunder' | 'mistake' | 'inaccuracy' | undefined;

export interface Thought {
  action: string | null;
  score: Score | null;
  depth: number;
  steps: number;
  line: string[];
  ending: string | null;
}

export interface PieceDrawing {
  letter: string;
  name: string;
  body: string;
  lines: string;
  eye: [x: number, y: number, radius: number] | null;
}

export function pieces(): PieceDrawing[];
export function pictureStyle(): string;

export interface PuzzleInfo {
  id: string;
  title: string;
  point: string;
  themes: string[];
  hints: string[];
  author: string;
  goal: { mateIn: number } | { noMateIn: number } | { survive: number } | { onlyDefence: number } | { status: string } | { selfmateIn: number } | { helpmateIn: number };
  /** From 1, easy, to 5, hard. */
  difficulty: number | null;
  /** Its place in a course, the text to read before it, and the rule that it is about, which may be empty. */
  lesson: { number: number; chapter: string; text: string; rule: string } | null;
  toMove: Player;
  size: string;
  boards: number;
  timelines: number;
  /**
   * The kings, rooks and pawns of boards that were set up which have not moved, as far as castling or a double step depends on it: `Kd5`, or `(0T2)Kd5` if
   * there are several boards. `null` if there are none, or if the game began with a variant.
   */
  unmoved: { white: string[]; black: string[] } | null;
}

export function puzzlesOf(yaml: string): PuzzleInfo[];
export function puzzleGame(yaml: string): Game;
export function puzzleSolution(yaml: string): string[];
export function judgeAnswer(
  yaml: string,
  line: string[],
): {
  verdict: 'correct' | 'slower-mate' | 'wrong' | 'illegal' | 'undecided';
  /** How many more actions the mate takes, after a right one. */
  left: number | null;
  /** In how many actions from the start a mate comes that is too late. */
  mateIn: number | null;
  /** What the opponent plays against a wrong action, or `stalemate`. */
  refutation: string | null;
  /** What the opponent plays after a right one. */
  reply: string | null;
  message: string | null;
};

export interface Converted {
  text: string;
  from: string;
  losses: string[];
  warnings: string[];
}

/** A line of actions, with what belongs to the positions after so many of them. */
export interface TreeLine {
  actions: string[];
  notes?: TreeNote[];
  /** The result at its end, if the text gives one. */
  result?: '1-0' | '0-1' | '1/2-1/2' | '*';
}

export interface TreeNote {
  after: number;
  /** Judgements by the numbers of PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`. */
  glyphs?: number[];
  comments?: string[];
  /** Lines that leave here, in place of the action after it. */
  variations?: TreeLine[];
}

export interface Tree {
  /** The start as 5DPGN. */
  start: string;
  line: TreeLine;
}

export function readTree(text: string, options?: { from?: string }): Tree & { from: string; losses: string[]; warnings: string[] };
export function writeTree(tree: Tree, options?: { to?: string }): { text: string; losses: string[] };

export interface BoardName {
  /** The label of the timeline, as `0`, `-1` or `+0`. */
  timeline: string;
  turn: number;
  color: 'w' | 'b';
}

/** Start positions are put together as 5DFEN, which need not be a position yet. */
export function boardsOf(fen: string): { timeline: number; label: string; halfTurn: number; turn: number; color: 'w' | 'b'; files: number; ranks: number }[];
export function withPiece(fen: string, board: number, square: SquareIndex, letter: string, options?: { unmoved?: boolean }): string;
export function withBoard(fen: string, board: BoardName, size: { files: number; ranks: number }): string;
export function withSize(fen: string, size: { files: number; ranks: number }): string;
export function withNextBoard(fen: string): string;
export function withoutBoard(fen: string, board: BoardName): string;
export function gameOfBoards(fen: string, options?: { promotions?: string }): Game;

export function convert(text: string, options: { from?: string; to: string }): Converted;
export function formats(): { name: string; title: string }[];
export function variants(): Variant[];

/** A fault of a puzzle, or a doubt about it, with its place: lines and columns from 1. */
export interface Finding {
  code: string;
  message: string;
  line: number;
  column: number;
  text: string;
}

export interface Verified {
  id: string;
  answer: 'pass' | 'fail' | 'undecided' | 'skipped';
  steps: { step: string; answer: string; note: string }[];
  findings: Finding[];
  /** They change no answer. */
  warnings: Finding[];
}

export function verify(yaml: string, options?: { steps?: number; quick?: boolean }): Verified[];

export default Chess;
