// The classes of the package, around functions of the WebAssembly that take and give texts.

import * as wasm from './wasm/worldlines.js';

let isLoaded = false;

/** Tells the WebAssembly to keep the message of a panic. Called once it is loaded. */
export function begin() {
  wasm.start();
  isLoaded = true;
}

/**
 * An error of the package. `code` is a name for what is wrong; an error in a text also has `line` and `column`, which count from 1, and
 * `start` and `end`, which are indices of the string. The code `bug` is a bug of this package: the object in question can no longer be used.
 */
export class ChessError extends Error {
  constructor({ code, message, ...place }) {
    super(message);
    this.name = 'ChessError';
    this.code = code;
    Object.assign(this, place);
  }
}

/** Calls the WebAssembly. What it throws becomes a ChessError. */
function call(work) {
  try {
    return work();
  } catch (error) {
    if (typeof error === 'string') throw new ChessError(JSON.parse(error));
    if (error instanceof ChessError) throw error;
    if (!isLoaded) throw new ChessError({ code: 'not-loaded', message: 'the WebAssembly is not loaded yet: `await init()` comes first' });
    const panic = wasm.lastPanic();
    // A value that cannot be made a text or a number, such as a symbol.
    if (panic === undefined && error instanceof TypeError) throw new ChessError({ code: 'wrong-argument', message: error.message });
    const said = panic ?? String(error?.message ?? error);
    throw new ChessError({ code: 'bug', message: `this is a bug of worldlines, please report it: ${said}` });
  }
}

/** A text as it is, anything else as JSON. Nothing else may be given to the WebAssembly as a text: it would read beyond its memory. */
function textOf(input) {
  if (typeof input === 'string') return input;
  try {
    return JSON.stringify(input) ?? '';
  } catch (error) {
    throw new ChessError({ code: 'not-data', message: `expected a text or plain data: ${error.message}` });
  }
}

function startOf(variant) {
  return variant === undefined || variant === null ? undefined : textOf(variant);
}

function works(attempt) {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** Steps after which a verdict is asked for again with twice as many, while there is time. */
const FIRST_STEPS = 5_000;
const MOST_STEPS = 2 ** 40;
/** What `verdict` answers. */
const STATUSES = [null, 'ongoing', 'softmate', 'checkmate', 'stalemate'];
/** Steps for a list of actions. */
const LIST_STEPS = 100_000_000;
const MOST_ACTIONS = 200_000;

/** The numbers of pieces that a pawn may become, White's; Black's are lower by one. */
const NUMBERS = { B: 4, N: 6, R: 8, Q: 10, S: 14, C: 18, U: 22, D: 24 };

/**
 * Where an object keeps its game. It is no private field: those of a class are out of reach for a Proxy around the object, as Vue and MobX make
 * them. It is a function, because such libraries wrap plain values in a Proxy too, and the WebAssembly must get the game itself.
 */
const INSIDE = Symbol('inside');
/** `using` calls it. */
const DISPOSE = Symbol.dispose ?? Symbol.for('Symbol.dispose');

function keep(object, inside) {
  Object.defineProperty(object, INSIDE, { value: () => inside, configurable: true, writable: true });
}

/** The game of an object, as it may be asked. */
function live(object) {
  const { game } = object[INSIDE]();
  if (!game) throw new ChessError({ code: 'freed', message: 'this game was freed' });
  if (object instanceof Chess) game.setSkipDetection(Boolean(object.skipDetection));
  return game;
}

/** Gives the memory of an object back. */
function letGo(object) {
  const inside = object[INSIDE]();
  release(inside.game);
  inside.game = undefined;
}

/** Whether a Chess is of the edition whose numbers and names the README of 2020 describes. */
function isReadme(chess) {
  return chess.constructor.isReadme === true;
}

/** 5d-chess-js 1.2.1: the same fields and functions. Where they differ is said in the README of the package. */
export class Chess {
  constructor(input, variant) {
    keep(this, { game: undefined, names: new Map() });
    this.checkmateTimeout = 60000;
    this.skipDetection = false;
    this.enableConsole = false;
    this.metadata = { board: 'standard', mode: '5D' };
    if (input !== undefined) {
      this.import(input, variant);
    } else {
      this.reset(variant);
    }
  }

  /** Gives the memory back at once. Without it that happens some time after the object is gone. */
  free() {
    letGo(this);
  }

  [DISPOSE]() {
    letGo(this);
  }

  copy() {
    const made = new this.constructor();
    take(made, call(() => live(this).copy()));
    Object.assign(made, settings(this));
    made[INSIDE]().names = new Map(this[INSIDE]().names);
    return made;
  }

  state(state) {
    if (state === undefined || state === null) {
      return {
        ...settings(this),
        checkmateCache: [],
        rawAction: this.rawAction,
        rawStartingAction: this.rawStartingAction,
        rawBoardHistory: this.rawBoardHistory,
        rawBoard: this.rawBoard,
        rawActionHistory: this.rawActionHistory,
        rawMoveBuffer: this.rawMoveBuffer,
        rawPromotionPieces: this.rawPromotionPieces,
        saved: call(() => live(this).save()),
      };
    }
    const given = [state.rawBoardHistory, state.rawActionHistory, state.rawMoveBuffer ?? []];
    if (typeof state.saved !== 'string' && !given.every(Array.isArray)) {
      throw new ChessError({ code: 'not-a-state', message: 'expected what `state()` gives' });
    }
    const read = () => {
      if (typeof state.saved === 'string') return wasm.Game.read(isReadme(this), state.saved, undefined);
      const start = textOf(state.rawBoardHistory[0]);
      const game = wasm.Game.read(isReadme(this), textOf(state.rawActionHistory), start);
      for (const move of state.rawMoveBuffer ?? []) game.make(textOf(move));
      return game;
    };
    take(this, call(read));
    const { checkmateTimeout, skipDetection, enableConsole, metadata } = state;
    Object.assign(this, { checkmateTimeout, skipDetection, enableConsole, metadata: { ...metadata } });
    return undefined;
  }

  compare(first, second, type = 'board') {
    const shown = (input) => {
      if (type === 'board') {
        const game = wasm.Game.begin(isReadme(this), textOf(input));
        const board = game.board();
        game.free();
        return board;
      }
      const game = live(this).copy();
      game.make(textOf(input));
      const [move] = JSON.parse(game.moveBuffer()).slice(-1);
      game.free();
      return JSON.stringify(move);
    };
    if (type !== 'board' && type !== 'move') {
      throw new ChessError({ code: 'unknown-type', message: "Type not supported, valid types are 'board' and 'move'." });
    }
    const [a, b] = call(() => [shown(first), shown(second)]);
    if (a === b) return 0;
    return a < b ? -1 : 1;
  }

  reset(variant) {
    const start = startOf(variant);
    if (start === undefined && this[INSIDE]().game) {
      call(() => live(this).restart());
    } else {
      take(this, call(() => wasm.Game.begin(isReadme(this), start)));
    }
  }

  import(input, variant) {
    take(this, call(() => imported(this, input, variant)));
  }

  importable(input, variant) {
    return works(() => call(() => imported(this, input, variant)).free());
  }

  fen(input, currentBoard = false) {
    if (typeof input !== 'string') return call(() => live(this).fen(Boolean(currentBoard)));
    take(this, call(() => ofFen(this, input)));
    return undefined;
  }

  fenable(input) {
    return works(() => call(() => ofFen(this, textOf(input))).free());
  }

  pass() {
    judged(this, (game) => game.pass());
  }

  passable() {
    return judged(this, (game) => game.passable());
  }

  action(input) {
    judged(this, (game) => game.act(textOf(input)));
  }

  actionable(input) {
    return call(() => live(this).actionable(textOf(input)));
  }

  actions(format = 'object', activeOnly = true, presentOnly = true, newActiveTimelinesOnly = true) {
    const form = formOf(this, format);
    const text = call(() => live(this).actions(form, activeOnly, presentOnly, newActiveTimelinesOnly, 0, MOST_ACTIONS, LIST_STEPS));
    const { actions: listed, moves, complete } = JSON.parse(text);
    if (!complete) {
      const message = `there are more than ${listed.length} actions: Game.legalActions() lists them one at a time`;
      throw new ChessError({ code: 'too-many-actions', message });
    }
    // Each move is an object of its own: a program may write into it.
    const [number, player] = [this.actionNumber, this.player];
    const actions = form === 'json' ? listed.map((indices) => ({ action: number, player, moves: indices.map((index) => copied(moves[index])) })) : listed;
    if (form === 'json') return format === 'json' ? JSON.stringify(actions) : actions;
    if (form === 'raw') return actions;
    const gap = form.startsWith('5dpgn') ? '\n' : '\n\n';
    return actions.map((action) => action + gap).join('');
  }

  move(input) {
    call(() => live(this).make(textOf(input)));
  }

  moveable(input) {
    return call(() => live(this).moveable(textOf(input)));
  }

  moves(format = 'object', activeOnly = true, presentOnly = true, spatialOnly = false) {
    // In the README the fourth argument is skipDetection.
    const spatial = isReadme(this) ? false : Boolean(spatialOnly);
    const form = formOf(this, format);
    const text = judged(this, (game) => game.moves(form, Boolean(activeOnly), Boolean(presentOnly), spatial));
    return given(text, form, format);
  }

  submit() {
    judged(this, (game) => game.submit());
  }

  submittable() {
    return call(() => live(this).submittable());
  }

  undo() {
    call(() => live(this).undo());
  }

  undoable() {
    return call(() => live(this).undoable());
  }

  checks(format = 'object') {
    const form = formOf(this, format);
    return given(call(() => live(this).checks(form)), form, format);
  }

  /** Whether the player is mated; null if that is not found within `checkmateTimeout` milliseconds. */
  get inCheckmate() {
    const status = statusOf(this);
    return status === null ? null : status === 'checkmate';
  }

  get inCheck() {
    return call(() => live(this).inCheck());
  }

  /** Whether the player is in stalemate; null if that is not found within `checkmateTimeout` milliseconds. */
  get inStalemate() {
    const status = statusOf(this);
    return status === null ? null : status === 'stalemate';
  }

  get hash() {
    return call(() => live(this).hash());
  }

  export(format = isReadme(this) ? 'notation' : '5dpgn') {
    const form = formOf(this, format, true);
    const text = call(() => live(this).export(form));
    if (form === 'json') return format === 'json' ? text : JSON.parse(text);
    if (form === 'raw') return JSON.parse(text);
    return form.startsWith('5dpgn') ? withMetadata(this, text) : text;
  }

  print() {
    const text = call(() => live(this).print());
    if (this.enableConsole || isReadme(this)) console.log(text);
    return text;
  }

  print2() {
    console.log(call(() => live(this).print()));
  }

  get board() {
    return JSON.parse(call(() => live(this).board()));
  }

  get actionNumber() {
    return call(() => live(this).actionNumber());
  }

  get boardHistory() {
    return JSON.parse(call(() => live(this).boardHistory()));
  }

  get actionHistory() {
    return this.export('object');
  }

  get moveBuffer() {
    return JSON.parse(call(() => live(this).moveBuffer()));
  }

  get player() {
    return call(() => live(this).isBlack()) ? 'black' : 'white';
  }

  get variants() {
    return variants();
  }

  get rawAction() {
    return 2 * (this.actionNumber - 1) + (this.player === 'black' ? 1 : 0);
  }

  get rawStartingAction() {
    return this.rawAction - call(() => live(this).actionCount());
  }

  get rawBoard() {
    return JSON.parse(call(() => live(this).rawBoard()));
  }

  get rawBoardHistory() {
    return JSON.parse(call(() => live(this).rawBoardHistory()));
  }

  get rawActionHistory() {
    return this.export('raw');
  }

  get rawMoveBuffer() {
    return JSON.parse(call(() => live(this).rawMoveBuffer()));
  }

  get rawPromotionPieces() {
    const letters = call(() => live(this).promotions()).split(',').filter((letter) => letter);
    const numbers = letters.map((letter) => NUMBERS[letter]).sort((a, b) => b - a);
    return numbers.flatMap((number) => [number, number - 1]);
  }
}

/** Gives a Chess another game. */
function take(chess, game) {
  const inside = chess[INSIDE]();
  release(inside.game);
  inside.game = game;
  chess.metadata = { board: shortName(game.variant()), mode: '5D' };
  inside.names = new Map();
  for (const [key, value] of JSON.parse(game.headers())) {
    chess.metadata[key.toLowerCase()] = value;
    inside.names.set(key.toLowerCase(), key);
  }
}

/** The game that `import` reads. */
function imported(chess, input, variant) {
  if (input === undefined || input === null) return wasm.Game.begin(isReadme(chess), startOf(variant));
  return wasm.Game.read(isReadme(chess), textOf(input), startOf(variant));
}

/** The game that `fen` reads. */
function ofFen(chess, input) {
  const head = /\[\s*board\s+"/i.test(input) ? '' : '[Board "custom"]\n';
  return wasm.Game.read(isReadme(chess), head + input, undefined);
}

function settings({ checkmateTimeout, skipDetection, enableConsole, metadata }) {
  return { checkmateTimeout, skipDetection, enableConsole, metadata: { ...metadata } };
}

/** Calls the WebAssembly after a verdict was looked for, for as long as it may take. */
function judged(chess, work) {
  return call(() => {
    const game = live(chess);
    if (!chess.skipDetection && statusOf(chess) === null) game.setSteps(0);
    return work(game);
  });
}

/** `ongoing`, `softmate`, `checkmate` or `stalemate`; null if it is not found in time. */
function statusOf(chess) {
  return call(() => {
    const game = live(chess);
    const skip = Boolean(chess.skipDetection);
    const end = chess.checkmateTimeout > 0 ? performance.now() + chess.checkmateTimeout : 0;
    // Without any time only what is known already is said.
    for (let steps = chess.checkmateTimeout > 0 ? FIRST_STEPS : 0; ; steps *= 2) {
      const status = game.verdict(skip, steps);
      if (status > 0) return STATUSES[status];
      if (performance.now() >= end || steps > MOST_STEPS) return null;
    }
  });
}

/** A text in 5DPGN with the metadata as they are now. */
function withMetadata(chess, text) {
  const lines = text.split('\n');
  const isHeader = (line) => /^\[[^\s\]]+ "/.test(line);
  const own = ['board', 'mode', 'size', 'promotions', 'rules'];
  const keyOf = (line) => line.slice(1, line.indexOf(' ')).toLowerCase();
  const head = lines.filter((line) => isHeader(line) && own.includes(keyOf(line)));
  const rest = lines.filter((line) => !isHeader(line));
  const extra = Object.entries(chess.metadata).filter(([key]) => !own.includes(key.toLowerCase()));
  const added = extra.map(([key, value]) => {
    const name = chess[INSIDE]().names.get(key) ?? key.charAt(0).toUpperCase() + key.slice(1);
    const shown = String(typeof value === 'object' ? JSON.stringify(value) : value).replace(/[\r\n]+/g, ' ');
    return `[${name.replace(/[\s"\]]/g, '')} "${shown.replace(/[\\"]/g, '\\$&')}"]`;
  });
  return [...head, ...added, ...rest].join('\n');
}

/** The name that the WebAssembly has for a format of the library. */
function formOf(chess, format, strict = false) {
  if (format === 'raw') return 'raw';
  if (format === 'json' || format === 'object') return 'json';
  const name = String(format);
  if (isReadme(chess) && name === 'notation') return 'full';
  if (isReadme(chess) && name === 'notation_short') return 'short';
  if (name.includes('5dpgn')) return `5dpgn ${name}`;
  if (name.includes('notation')) return `5dpgn ${name}`;
  if (strict) throw new ChessError({ code: 'unknown-format', message: `there is no format \`${name}\`` });
  return 'json';
}

/** Plain data again. */
function copied(value) {
  if (value === null || typeof value !== 'object') return value;
  const copy = {};
  for (const key in value) copy[key] = copied(value[key]);
  return copy;
}

/** Gives the memory of a game back. After a panic that cannot be done. */
function release(game) {
  try {
    game?.free();
  } catch {
    // The game was in use when the panic came.
  }
}

function given(text, form, format) {
  if (form === 'json') return format === 'json' ? text : JSON.parse(text);
  return form === 'raw' ? JSON.parse(text) : text;
}

/** 5d-chess-js 0.3.6, whose API its README describes: the older notation, its numbers and its hash. */
export class ReadmeChess extends Chess {
  static isReadme = true;
}

let names;

/** Every variant: `{ name, shortName }`. */
export function variants() {
  names ??= JSON.parse(call(() => wasm.variants()));
  return names.map(([name, shortName]) => ({ name, shortName }));
}

function shortName(name) {
  return variants().find((variant) => variant.name === name)?.shortName ?? 'custom';
}

/** How many actions are asked for at first; then twice as many each time. */
const FIRST_ACTIONS = 32;

/** A game: the modern API. Actions and moves are 5DPGN. */
export class Game {
  constructor(game) {
    if (!(game instanceof wasm.Game)) throw new ChessError({ code: 'no-game', message: 'a game begins with `Game.start(variant)` or `Game.parse(text)`' });
    keep(this, { game });
  }

  /** The start of a variant. */
  static start(variant = 'Standard') {
    return new Game(call(() => wasm.Game.begin(false, textOf(variant))));
  }

  /** The game of a text in any notation. */
  static parse(text, { variant } = {}) {
    return new Game(call(() => wasm.Game.read(false, textOf(text), startOf(variant))));
  }

  /** Gives the memory back at once. */
  free() {
    letGo(this);
  }

  [DISPOSE]() {
    letGo(this);
  }

  copy() {
    return new Game(call(() => live(this).copy()));
  }

  get toMove() {
    return call(() => live(this).isBlack()) ? 'black' : 'white';
  }

  get actionNumber() {
    return call(() => live(this).actionNumber());
  }

  get inCheck() {
    return call(() => live(this).inCheck());
  }

  /** `ongoing`, `softmate`, `checkmate`, `stalemate`, or `undecided` if that is not found within the steps. */
  status({ steps = 1_000_000 } = {}) {
    return call(() => STATUSES[live(this).verdict(true, Number(steps))] ?? 'undecided');
  }

  /** Plays a whole action and ends it. */
  play(action) {
    call(() => live(this).act(textOf(action)));
    return this;
  }

  /** Makes a move of the action under way. */
  move(move) {
    call(() => live(this).make(textOf(move)));
    return this;
  }

  undo() {
    const game = live(this);
    if (!game.undoable()) {
      throw new ChessError({ code: 'nothing-to-undo', message: 'no move of an unfinished action is left to undo; `until(n)` gives the game after its first n actions' });
    }
    call(() => game.undo());
    return this;
  }

  submit() {
    call(() => live(this).submit());
    return this;
  }

  canSubmit() {
    return call(() => live(this).submittable());
  }

  /** The moves that can be made next, whether or not they lead to a legal action. */
  moves() {
    return call(() => {
      const game = live(this);
      game.setSkipDetection(true);
      return game.moves('5dpgn superphysical', false, false, false).split('\n').filter((line) => line);
    });
  }

  /** The legal actions, found when they are asked for. They are those of the game as it is when the first is asked for. */
  *legalActions({ steps = LIST_STEPS } = {}) {
    const game = call(() => live(this).copy());
    try {
      for (let done = 0, most = FIRST_ACTIONS; ; most = Math.min(2 * most, MOST_ACTIONS)) {
        const text = call(() => game.actions('5dpgn superphysical', false, false, false, done, most, steps));
        const { actions, complete } = JSON.parse(text);
        yield* actions;
        if (complete) return;
        done += actions.length;
      }
    } finally {
      game.free();
    }
  }

  /** How many legal actions there are, counted up to `cap`, with the moves of the action under way taken back. */
  countActions({ cap = 1_000_000, steps = LIST_STEPS } = {}) {
    const count = call(() => live(this).countActions(cap, steps));
    return { count, capped: count >= cap };
  }

  /** Whether the player mates in so many actions. */
  mate(mateIn, { all = false, steps = 2_000_000 } = {}) {
    return JSON.parse(call(() => wasm.solve(live(this), mateIn, all, steps)));
  }

  /** The certificate of a mate, as text: a file that proves its keys and can be checked without a search. */
  certificate(mateIn, { id = `mate-in-${mateIn}`, steps = 2_000_000 } = {}) {
    return call(() => wasm.certificate(live(this), mateIn, textOf(id), steps));
  }

  /** The actions after which the player is not mated in so many, and how many others there are. */
  surviving(mateIn, { most = 100, steps = 2_000_000 } = {}) {
    return JSON.parse(call(() => wasm.surviving(live(this), mateIn, most, steps)));
  }

  /** The boards as text. */
  render({ width = 100, timelines = 8 } = {}) {
    return call(() => live(this).render(width, timelines));
  }

  /** The game in a notation, without the action under way. */
  write(format = '5dpgn') {
    const text = call(() => live(this).export('5dpgn'));
    return convert(text, { from: '5dpgn', to: format }).text;
  }

  /** The boards now, as 5DFEN. */
  fen() {
    return call(() => live(this).fen(true));
  }

  /** The whole state as a text, with the action under way. `Game.parse` reads it. */
  save() {
    return call(() => live(this).save());
  }

  /** The game with its headers, as 5DPGN; with `marks` also those of check and mate. */
  record({ marks = false } = {}) {
    return call(() => live(this).record(marks === true));
  }

  /** The name of the start, if it has one. */
  get variant() {
    return call(() => live(this).variant());
  }

  /** The actions that were played. */
  actions() {
    return JSON.parse(call(() => live(this).actionsPlayed()));
  }

  /** The marks of the actions that were played: `+`, `*` or `#` for check, softmate and checkmate, or an empty text. */
  marks() {
    return JSON.parse(call(() => live(this).marks()));
  }

  /** The moves of the action under way. */
  movesMade() {
    return JSON.parse(call(() => live(this).movesMade()));
  }

  /** A game of its own: this one after so many of its actions. */
  until(actions) {
    return new Game(call(() => live(this).until(actions)));
  }

  /** Where everything stands in a picture: boards, timelines, the present, arrows. */
  scene({ flipped = false, checks = true, planned = '' } = {}) {
    return JSON.parse(call(() => live(this).scene(flipped, checks, textOf(planned))));
  }

  /** The picture as SVG. */
  picture({ flipped = false, planned = '' } = {}) {
    return call(() => live(this).picture(flipped, textOf(planned)));
  }

  /** The moves of a board that can be made next, for a board on a screen. */
  movesFrom(timeline, halfTurn, { steps = 200_000 } = {}) {
    return JSON.parse(call(() => live(this).movesFrom(timeline, halfTurn, steps)));
  }

  /** Makes a move that `movesFrom` has listed, by its `id`. */
  makeMove(id) {
    call(() => live(this).makeMove(textOf(id)));
    return this;
  }

  /** Why the action under way cannot be submitted; undefined if it can. */
  whyNot() {
    return call(() => live(this).whyNot());
  }

  /** A move that captures a king at once; undefined in every game that was played by the rules. */
  royalCapture() {
    const move = call(() => live(this).royalCapture());
    return move === undefined ? undefined : JSON.parse(move);
  }

  /** Why the player has no legal action: checks, and what is wrong with the actions that could be tried. */
  why() {
    return JSON.parse(call(() => live(this).why()));
  }

  /** What the engine plays. The same steps and seed have the same answer everywhere. */
  think({ steps = 50_000, seed = 0 } = {}) {
    return JSON.parse(call(() => live(this).think(steps, seed)));
  }
}

/** The two numbers of which a score is one. */
const parts = (score) => ('mate' in score ? [undefined, Number(score.mate)] : [Number(score.pawns), undefined]);

/** The expected result of the player with a score, from 0 to 100. */
export function winChance(score) {
  return call(() => wasm.winChance(...parts(score)));
}

/** Whether a score stands for a mate that the engine has found and not proved. */
export function isLikelyMate(score) {
  return call(() => wasm.isLikelyMate(...parts(score)));
}

/** The least points of the chance to win that a mistake takes, by its name. */
export function gradeLimits() {
  return JSON.parse(call(() => wasm.gradeLimits()));
}

/** The name of the mistake by which the first score of a player becomes the second: `blunder`, `mistake`, `inaccuracy`; undefined if it is none. */
export function gradeOf(before, after) {
  return call(() => wasm.gradeOf(...parts(before), ...parts(after)));
}

/** How the kinds of pieces are drawn: paths of SVG in a square of 60 units. */
export function pieces() {
  return JSON.parse(call(() => wasm.pieces()));
}

/** The colours of pictures, as CSS: the rules that pictures as SVG have too. */
export function pictureStyle() {
  return call(() => wasm.pictureStyle());
}

/** What the puzzles of a YAML text are about. */
export function puzzlesOf(yaml) {
  return JSON.parse(call(() => wasm.puzzlesOf(String(yaml))));
}

/** The game at whose end the first puzzle of a text begins. */
export function puzzleGame(yaml) {
  return new Game(call(() => wasm.puzzleGame(String(yaml))));
}

/** Its first solution, a list of actions. */
export function puzzleSolution(yaml) {
  return JSON.parse(call(() => wasm.puzzleSolution(String(yaml))));
}

/** Judges the last action of a line of actions, which begins with the solver's first. */
export function judgeAnswer(yaml, line) {
  return JSON.parse(call(() => wasm.judgeAnswer(String(yaml), String(line.join('\n')))));
}

/** A text in another notation, with what is lost. */
export function convert(text, { from, to }) {
  return JSON.parse(call(() => wasm.convert(String(text), from === undefined ? undefined : String(from), String(to))));
}

/** The game of a text in any notation, with its comments, judgements and variations. */
export function readTree(text, { from } = {}) {
  return JSON.parse(call(() => wasm.readTree(String(text), from === undefined ? undefined : String(from))));
}

/** The most variations within each other. */
const DEEPEST = 100;

/** The parts of a line in the order of a text. */
function partsOf({ actions, notes = [], result }, depth = 0) {
  if (depth > DEEPEST) throw new ChessError({ code: 'not-a-tree', message: `variations lie more than ${DEEPEST} deep in each other` });
  const noted = new Map(notes.map((note) => [note.after, note]));
  const parts = [];
  for (let after = 0; after <= actions.length; after++) {
    const { glyphs = [], comments = [], variations = [] } = noted.get(after) ?? {};
    for (const glyph of glyphs) parts.push(`g${glyph}`);
    for (const comment of comments) parts.push(`c${comment}`);
    for (const variation of variations) parts.push('(', ...partsOf(variation, depth + 1), ')');
    if (after < actions.length) parts.push(`a${actions[after]}`);
  }
  if (result !== undefined) parts.push(`r${result}`);
  return parts;
}

/** The text of what `readTree` gives, and what is lost in another notation. */
export function writeTree(tree, { to = '5dpgn' } = {}) {
  return JSON.parse(call(() => wasm.writeTree(textOf(tree.start), partsOf(tree.line), String(to))));
}

/** The boards of 5DFEN, which need not be a position yet. */
export function boardsOf(fen) {
  return JSON.parse(call(() => wasm.boardsOf(String(fen))));
}

/** 5DFEN with a piece on a square, or without it if it stands there already. An empty letter clears the square. */
export function withPiece(fen, board, square, letter, { unmoved = false } = {}) {
  return call(() => wasm.withPiece(String(fen), board, square[0], square[1], String(letter), Boolean(unmoved)));
}

/** 5DFEN with an empty board. */
export function withBoard(fen, board, size) {
  return call(() => wasm.withBoard(String(fen), String(board.timeline), board.turn, String(board.color), size.files, size.ranks));
}

/** 5DFEN with all boards in another size: squares keep their names. */
export function withSize(fen, { files, ranks }) {
  return call(() => wasm.withSize(String(fen), files, ranks));
}

/** 5DFEN with its last board once more, for the other player. */
export function withNextBoard(fen) {
  return call(() => wasm.withNextBoard(String(fen)));
}

/** 5DFEN without a board. */
export function withoutBoard(fen, board) {
  return call(() => wasm.withoutBoard(String(fen), String(board.timeline), board.turn, String(board.color)));
}

/** The game that starts on these boards. */
export function gameOfBoards(fen, { promotions = 'Q' } = {}) {
  return new Game(call(() => wasm.gameOfBoards(String(fen), String(promotions))));
}

/** Every notation: `{ name, title }`. */
export function formats() {
  return JSON.parse(call(() => wasm.formats()));
}

/** What is true of the puzzles of a YAML text. */
export function verify(yaml, { steps = 2_000_000, quick = false } = {}) {
  return JSON.parse(call(() => wasm.verify(String(yaml), steps, Boolean(quick))));
}
