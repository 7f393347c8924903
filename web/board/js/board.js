// @ts-check
// The board: what is shown of the state, and what hands and keys do to it. Panels listen to its `change`.

import { Game } from '../worldlines/browser.js';
import { Asker } from './ask.js';
import { $, hushToast, isTouch, lessMotion, make, toast } from './dom.js';
import { Games, capturesOf, documentOf, passed } from './games.js';
import { hands } from './hands.js';
import { words } from './language.js';
import { isWhite, pieceImage, pieceName, styleOf } from './paint.js';
import * as premoves from './premove.js';
import * as session from './session.js';
import { keep, kept } from './settings.js';
import { play as sound } from './sound.js';
import { ROOT, endOf, lineThrough, pathTo, samePlace, withShape, withoutShapes } from './tree.js';
import { SHAPE_COLORS, View } from './view.js';
import { aboutScene, boardsLeft, nameOf, otherThan, placeOf, resignation, sentence, squareName, standing } from './words.js';

/**
 * @typedef {import('./session.js').State} State
 * @typedef {import('./session.js').Document} Document
 * @typedef {import('./session.js').Slot} Slot
 * @typedef {import('./view.js').Spot} Spot
 * @typedef {import('../worldlines/browser.js').BoardMove} BoardMove
 * @typedef {import('./tree.js').Place} Place
 * @typedef {import('./premove.js').Premove} Premove
 * @typedef {import('./premove.js').Choice} Choice
 * @typedef {'same' | 'follow' | 'keep' | 'undo' | 'back' | 'visit' | 'near' | 'document' | 'again'} Sight where to look after a change
 * @typedef {{ mayPlay?: () => boolean, submit?: (moves: string[]) => void, places?: (spot: Spot) => void, moves?: (from: Spot, to: Spot | undefined) => void, undo?: () => void, standing?: string }} Mode
 */

/** Milliseconds before the state is kept. */
const SOON = 250;
/** The name under which it is kept that two fingers were told of. */
const PINCHED = 'worldlines pinched';
/** The name under which it is kept at how many positions each hint was shown. */
const HINTED = 'worldlines hinted';
/** At so many it is, and then it is known. */
const HINTS = 3;
/** Pixels from the middle of a triangle at the edge to its ends, and those above the names of boards at the upper edge. */
const MARK = 13;
const LABELS = 27;
const STATUS_STEPS = 100_000;
/** On so many boards at most the pieces that can move are looked for. */
const MOVABLE = 6;
const FEW = 5;
/** So many squares are named of those that a piece can reach. */
const SAID = 12;

/** What moves sound like. @param {string} text */
const soundOf = (text) => (text.includes('>') ? 'travel' : text.includes('x') ? 'capture' : 'move');

export const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

export class Board extends EventTarget {
  view = new View($('board'), $('overview'));
  games = new Games();
  proofs = new Asker();
  /** An action that could be played, drawn as arrows. */
  planned = '';
  /** Whether the boards after a pass are shown. */
  passes = false;
  /** Modes of tabs that want to know of squares and actions first. @type {Record<string, () => Mode | undefined>} */
  modes = {};
  over = false;
  /** The document and the node to which somebody has played last in a game, and not in an analysis. */
  playedAt = '';
  /** @type {import('../worldlines/browser.js').Status} */
  status = 'ongoing';
  /** What the engine that is to move does, as a sentence. */
  thinking = '';
  /** The moves of the selected piece. @type {Choice[]} */
  moves = [];
  /** A move that is made as soon as the engine has answered. @type {Premove | undefined} */
  premove;
  /** The moves that can be made next, by board. @type {Map<string, BoardMove[]>} */
  #legal = new Map();
  /** @type {Game} */
  #game;
  /** The position after a pass, once it was asked for. @type {Game | undefined} */
  #ahead;
  /** How the lines of trees end, by their last nodes: with a mate, a stalemate, or not. @type {WeakMap<import('./tree.js').Tree, Map<string, string>>} */
  #ends = new WeakMap();
  /** Standings that were found. @type {WeakMap<Game, import('../worldlines/browser.js').Status>} */
  #statuses = new WeakMap();
  /** The boards before the last action of games, by their labels. @type {WeakMap<Game, Set<string>>} */
  #labels = new WeakMap();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saving;
  #warned = false;
  /** The document and the node to which actions of a running game were taken back, as long as it is on the board, and the node that they led to. */
  #takenBack = { to: '', from: '' };
  /** What captures a king if the unfinished action is submitted, as a sentence. */
  #danger = '';
  /** Where that capture begins and ends. @type {Place[]} */
  #dangerAt = [];
  /** The hints, by their names: how often each was shown, and at which position last. @type {Map<string, { times: number, at?: string }>} */
  #hints = new Map(Object.entries(kept(HINTED) ?? {}).map(([name, times]) => [name, { times: Number(times) || 0 }]));

  /** @param {State} state @param {import('./store.js').Store} store @param {import('./settings.js').Choices} settings */
  constructor(state, store, settings) {
    super();
    this.state = state;
    this.store = store;
    this.settings = settings;
    this.#game = this.#readable();
    this.view.addEventListener('sight', () => this.#rememberSight());
    this.view.addEventListener('painted', () => this.#explainPointers());
    hands($('board'), this.view, {
      grab: (spot) => this.#grab(spot),
      choose: (spot) => this.choose(spot),
      drop: (from, to) => this.#drop(from, to),
      release: () => this.unselect(),
      hover: (spot) => this.#hover(spot),
      draw: (shape) => this.edit((document) => session.withTree(document, withShape(document.tree, document.at, shape))),
      ink: () => ($('inks').hidden ? undefined : document.querySelector('#inks :checked')?.getAttribute('value') ?? undefined),
    });
    $('inks').prepend(
      ...Object.entries(SHAPE_COLORS).map(([name, color], index) => make('label', { title: words.board.inks[name], style: `--ink: ${color}` }, make('input', { type: 'radio', name: 'ink', value: name, 'aria-label': words.board.inks[name], checked: index === 0 }))),
    );
    $('erase').addEventListener('click', () => this.clearShapes());
    $('ink-done').addEventListener('click', () => {
      this.#draw(false);
      this.dispatchEvent(new Event('drawn'));
    });
    $('draw').addEventListener('click', () => this.#draw($('draw').getAttribute('aria-pressed') !== 'true'));
    settings.addEventListener('change', () => this.#applySettings());
    matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', () => this.#applySettings());
    for (const event of ['pagehide', 'visibilitychange']) addEventListener(event, () => this.save());
    this.#applySettings();
    this.refresh({ sight: 'document' });
  }

  /** Lets a finger or the left button draw, with the board in sight. */
  beginDrawing() {
    this.#draw(true);
    this.dispatchEvent(new Event('drawing'));
  }

  /** Lets a finger or the left button draw, or move pieces again. @param {boolean} on */
  #draw(on) {
    $('draw').setAttribute('aria-pressed', String(on));
    $('inks').hidden = !on;
    if (on) this.unselect();
    this.tell(on ? words.board.draw : '');
  }

  #applySettings() {
    const { theme, squares, pieces, motion } = this.settings.value;
    document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.squares = squares;
    this.view.pieceSet = pieces;
    this.view.style = styleOf(theme);
    this.view.moving = motion && !lessMotion();
    this.#lookForMovable();
  }

  /** The document on the board. */
  get document() {
    return session.current(this.state);
  }

  /** The game as it is shown. */
  get game() {
    return this.#game;
  }

  /** The actions that lead to what is shown. */
  get actions() {
    return session.actionsOf(this.document);
  }

  /** The result of the game as a sentence, wherever in it the board stands: by resignation or agreement, or at the end of its main line. Empty while it goes on. */
  get result() {
    const document = this.document;
    if (this.state.slot !== 'game') return '';
    return document.resigned ? resignation(document.resigned) : this.#endOn(document, endOf(document.tree));
  }

  /** Whether the game has a result, or the line that is shown. */
  get isDecided() {
    const document = this.document;
    return this.over || this.result !== '' || this.#endOn(document, endOf(document.tree, document.at)) !== '';
  }

  /** How the game ended at a node, as a sentence; empty if it did not. @param {Document} document @param {string} node */
  #endOn(document, node) {
    if (node === ROOT) return '';
    let ends = this.#ends.get(document.tree);
    if (!ends) this.#ends.set(document.tree, (ends = new Map()));
    let end = ends.get(node);
    if (end === undefined) {
      end = '';
      try {
        const game = this.games.at(document, node);
        const status = game.status({ steps: STATUS_STEPS });
        if (status === 'checkmate' || status === 'stalemate') end = standing(status, game.toMove, game.inCheck);
      } catch {
        // A line that was spoilt has no end.
      }
      ends.set(node, end);
    }
    return end;
  }

  /** Whether nothing is to be played: at the end of the game, until somebody who analyses goes on from there. */
  get #isAtEnd() {
    return this.over || (session.resignationOf(this.document) !== undefined && session.movesOf(this.document).length === 0);
  }

  /** What stands over the board: the result with the position in which the game ended, and with any other one whose turn it is. */
  #headline() {
    if (this.mode?.standing !== undefined) return this.mode.standing;
    const { toMove, inCheck } = this.#game;
    const isEnd = this.status === 'checkmate' || this.status === 'stalemate';
    // Whoever analyses the last position can go on, and yet knows how the game ended.
    const resigned = isEnd || !this.#isAtEnd ? undefined : session.resignationOf(this.document);
    if (resigned) return resigned.told && resigned.by !== 'both' ? words.standing.lost(nameOf(resigned.by)) : resignation(resigned);
    return standing(this.status, toMove, inCheck);
  }

  /** @returns {Mode | undefined} */
  get mode() {
    return this.modes[this.state.tab]?.();
  }

  /** The game of the document; of a document that was spoilt, as far as it can be read. */
  #readable() {
    const document = this.document;
    const path = ['0', ...pathTo(document.tree, document.at)];
    while (path.length > 0) {
      const at = /** @type {string} */ (path.pop());
      for (const moves of [document.unfinished[at] ?? [], []]) {
        try {
          const readable = session.withMoves({ ...document, at }, moves);
          const game = this.games.shown(readable);
          this.state = session.withDocument(this.state, readable);
          return game;
        } catch {
          // The one before it is tried.
        }
      }
    }
    const fresh = session.newDocument({ id: newId(), start: '[Board "Standard"]' });
    this.state = session.open(this.state, 'game', fresh);
    return this.games.shown(fresh);
  }

  // Changes of the state.

  /**
   * Takes another state. `sight` says where to look: as before, at what must be played, or as the document remembers.
   * @param {State} state @param {{ animate?: boolean, sight?: Sight }} [how]
   */
  update(state, { animate = false, sight = 'same' } = {}) {
    const before = this.document;
    this.state = state;
    const after = this.document;
    if (before !== after) {
      after.changed === before.changed && this.#touch();
      if (before.start !== after.start || before.at !== after.at || before.id !== after.id || session.movesOf(before) !== session.movesOf(after) || before.tree !== after.tree) {
        const old = this.#game;
        this.#game = this.#readable();
        old.free();
      }
      if (before.id !== after.id || before.at !== after.at) this.planned = '';
    }
    this.refresh({ animate, sight: before.id !== after.id && sight === 'same' ? 'document' : sight });
    this.saveSoon();
  }

  #touch() {
    this.state = session.edit(this.state, (document) => ({ ...document, changed: Date.now() }));
  }

  /** @param {(document: Document) => Document} change @param {Parameters<Board['update']>[1]} [how] */
  edit(change, how) {
    this.update(session.edit(this.state, change), how);
  }

  /**
   * Puts another document in a slot and shows it. With `said` a message tells of it, and brings the old one back if that was wrong.
   * @param {Slot} slot @param {Document} document @param {{ said?: string, sight?: 'near' | 'again', tab?: string, undone?: () => void }} [how]
   */
  open(slot, document, { said, sight = 'near', tab, undone } = {}) {
    const before = this.state;
    // Keys go from square to square in the game where that began.
    this.view.marks.cursor = undefined;
    const opened = session.open(before, slot, { ...document, changed: Date.now() });
    this.stopEngine();
    this.update(opened, { sight });
    if (tab) this.openTab(tab);
    if (said) {
      toast(said, () => {
        const old = before.slots[slot];
        const back = old && before.documents[old];
        this.stopEngine();
        if (back) this.update({ ...session.open(this.state, slot, back), slot: before.slot, tab: this.state.tab }, { sight: 'document' });
        else this.update({ ...this.state, slot: before.slot, slots: before.slots }, { sight: 'document' });
        this.openTab(before.tab);
        undone?.();
      });
    }
    this.tell(said ?? '');
    this.dispatchEvent(new Event('opened'));
  }

  /** A game of the library takes the place of the one that is played. @param {Game} game @param {{ said?: string, tab?: string }} [how] */
  take(game, how) {
    const { players } = this.state.documents[/** @type {string} */ (this.state.slots.game)];
    const document = documentOf(game, { id: newId(), players });
    game.free();
    this.open('game', document, how);
  }

  /** Changes what could hurt, with a way back. @param {string} said @param {(document: Document) => Document} change @param {Sight} [sight] */
  editWithUndo(said, change, sight = 'same') {
    const before = this.document;
    this.edit(change, { sight });
    toast(said, () => this.update(session.withDocument(this.state, before), { sight: sight === 'back' ? 'follow' : sight }));
  }

  /** Opens a tab. The page sets it. @type {(tab: string) => void} */
  openTab = () => {};
  /** Lets the author solve the puzzle of a file. The page sets it. @type {(yaml: string) => void} */
  solve = () => {};
  /** Ends what an engine thinks about. The page sets it. @type {() => void} */
  stopEngine = () => {};
  /** Lets an engine move if it is its turn. The page sets it. @type {() => void} */
  letPlay = () => {};

  // Keeping.

  saveSoon() {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.save(), SOON);
  }

  save() {
    clearTimeout(this.#saving);
    this.state = this.store.save(this.state);
    if (this.store.complete || this.#warned) return;
    this.#warned = true;
    toast(words.board.notKept);
  }

  /** Keeps a review with its document. Nothing else is changed, so that nothing is drawn anew. @param {string} id @param {Document['review']} review */
  keepReview(id, review) {
    const document = this.state.documents[id];
    if (!document || document.review === review) return;
    this.state = session.withDocument(this.state, session.withReview(document, review));
    this.saveSoon();
  }

  /** Keeps what is left of the time of a game, in the same way. @param {string} id @param {session.Clock} clock */
  keepClock(id, clock) {
    this.state = session.withDocument(this.state, { ...this.state.documents[id], clock });
    this.saveSoon();
  }

  #rememberSight() {
    const camera = this.view.sight;
    const { camera: _, ...others } = this.document;
    this.state = session.withDocument(this.state, camera ? { ...others, camera } : others);
    this.saveSoon();
  }

  // Drawing.

  /** @param {{ animate?: boolean, sight?: Sight }} [how] */
  refresh({ animate = false, sight = 'same' } = {}) {
    const { marks } = this.view;
    const document = this.document;
    marks.selected = undefined;
    marks.targets = [];
    marks.movable = [];
    this.moves = [];
    this.#sayPiece();
    this.#legal.clear();
    this.#ahead?.free();
    this.#ahead = undefined;
    if (!this.#isTakenBack) this.#takenBack = { to: '', from: '' };
    const scene = this.#game.scene({ flipped: document.flipped, planned: this.planned });
    this.status = this.#statuses.get(this.#game) ?? this.#game.status({ steps: STATUS_STEPS });
    this.#statuses.set(this.#game, this.status);
    const ended = this.status === 'checkmate' || this.status === 'stalemate';
    // Whoever analyses goes on after a resignation.
    this.resigned = this.state.tab === 'play' && !ended ? session.resignationOf(document) : undefined;
    this.over = ended || this.resigned !== undefined;
    marks.mated = this.status === 'checkmate';
    marks.over = this.#isAtEnd;
    marks.news = document.at === ROOT || this.over || session.movesOf(document).length > 0 ? [] : this.#madeLast(scene);
    marks.ghosts = this.passes ? this.#ghosts(scene) : [];
    const cursor = marks.cursor && scene.tiles.find((tile) => tile.timeline === marks.cursor?.timeline && tile.halfTurn === marks.cursor?.halfTurn);
    if (!cursor) marks.cursor = undefined;
    this.#danger = '';
    this.#dangerAt = [];
    marks.shapes = [...document.tree.nodes[document.at].shapes, ...this.#premoveShape(), ...this.#dangers(scene)];
    this.view.show(scene, { animate });
    // Whoever solves a puzzle goes on in the picture that was there.
    const still = this.state.slot === 'puzzle';
    const isNew = sight === 'near' || (sight === 'document' && !document.camera);
    if (isNew && this.state.slot === 'puzzle' && !marks.mated) this.view.introduce();
    else if (sight === 'document') this.view.sight = document.camera;
    else if (sight === 'again') this.view.returnTo(document.camera);
    else if (sight === 'near') this.view.near();
    else if (sight === 'follow') this.view.follow({ still });
    else if (sight === 'keep') this.view.keep();
    else if (sight === 'undo') this.view.takeBack();
    else if (sight === 'back') this.view.goBack({ still });
    else if (sight === 'visit') this.view.visit(this.#madeLast(scene));
    $('board').setAttribute('aria-label', aboutScene(scene, this.#game.toMove));
    this.#lookForMovable();
    this.#say();
    this.dispatchEvent(new Event('change'));
  }

  /** The boards that the last action made, or those of the beginning that can be played. @param {import('./view.js').Scene} scene */
  #madeLast({ tiles }) {
    const { at, tree } = this.document;
    if (at === ROOT) return tiles.filter(({ duty }) => duty !== 'none');
    let before = this.#labels.get(this.#game);
    if (!before) this.#labels.set(this.#game, (before = new Set(this.games.at(this.document, tree.nodes[at].parent).scene({ checks: false }).tiles.map(({ label }) => label))));
    return tiles.filter(({ label }) => !before.has(label));
  }

  /** @param {import('./view.js').Scene} scene */
  #ghosts(scene) {
    const game = passed(this.#game);
    if (!game) return [];
    const known = new Set(scene.tiles.map(({ label }) => label));
    const { tiles } = game.scene({ flipped: this.document.flipped });
    game.free();
    return tiles.filter(({ label }) => !known.has(label));
  }

  /** What captures a king while the moves of an unfinished action do not help, as arrows; and the first of them as a sentence. @param {import('./view.js').Scene} scene @returns {import('./tree.js').Shape[]} */
  #dangers(scene) {
    if (this.over || this.mode?.places || this.#game.movesMade().length === 0 || !this.#game.inCheck) return [];
    const captures = capturesOf(this.#game);
    const tileOf = (/** @type {Place} */ { timeline, halfTurn }) => scene.tiles.find((tile) => tile.timeline === timeline && tile.halfTurn === halfTurn);
    // A board that comes only with the pass looks like the one before it.
    const shown = (/** @type {Place} */ place) => (tileOf(place) ? place : { ...place, halfTurn: place.halfTurn - 1 });
    const letterAt = (/** @type {Place} */ place) => tileOf(place)?.pieces[place.square[1] * scene.files + place.square[0]] ?? '';
    const arrows = captures.map(({ from, to }) => ({ kind: /** @type {const} */ ('arrow'), color: 'red', from: shown(from), to: shown(to) })).filter(({ from, to }) => tileOf(from) && tileOf(to));
    const [first] = arrows;
    if (first) {
      // With the player: both boards of a turn may be concerned.
      const label = (/** @type {Place} */ place) => tileOf(place)?.label ?? '';
      const [from, to] = [label(first.from), label(first.to)];
      this.#dangerAt = [first.to, first.from];
      this.#danger = words.board.danger(letterAt(first.to).toUpperCase(), `${to} ${squareName(first.to.square)}`, letterAt(first.from).toUpperCase(), `${from === to ? '' : `${from} `}${squareName(first.from.square)}`);
    }
    return arrows;
  }

  /** The legal moves of the player to move. @param {{ timeline: number, halfTurn: number }} tile */
  #movesFrom({ timeline, halfTurn }) {
    const key = `${timeline} ${halfTurn}`;
    let moves = this.#legal.get(key);
    if (!moves) this.#legal.set(key, (moves = this.#game.movesFrom(timeline, halfTurn).moves));
    return moves;
  }

  #lookForMovable() {
    this.view.marks.movable = [];
    const tiles = this.view.scene?.tiles.filter(({ duty }) => duty !== 'none') ?? [];
    if (!this.settings?.value.movable || !this.#game || tiles.length > MOVABLE || !this.mayPlay()) return;
    const squares = new Map(tiles.flatMap((tile) => this.#movesFrom(tile)).map(({ from }) => [JSON.stringify(from), from]));
    // Marks say nothing if nearly every piece can move.
    if (this.#game.inCheck || squares.size <= FEW) this.view.marks.movable = [...squares.values()];
    this.view.redraw();
  }

  #say() {
    const scene = this.view.scene;
    const made = this.#game.movesMade();
    const mode = this.mode;
    $('standing').textContent = this.#headline();
    const why = this.over ? undefined : this.#game.whyNot();
    const left = scene.tiles.filter(({ duty }) => duty === 'must');
    // A press on the grey button says what is missing, so it takes presses.
    $('submit').setAttribute('aria-disabled', String(this.over || why !== undefined || !this.mayPlay()));
    $('undo').disabled = mode?.places ? !mode.undo : !this.premove && !this.resigned && made.length === 0 && this.document.at === '0';
    $('undo').title = words.view.withKey(made.length > 0 ? words.board.undoMove : words.board.undoAction, 'u');
    $('made').textContent = made.join(' ');
    const boards = boardsLeft(made.length, left.map(({ label }) => label));
    const next = $('left');
    const isAtEnd = this.#isAtEnd;
    // Whoever looks back in a game is not asked to play there.
    const isEarlier = this.#isEarlier;
    const isTaken = isEarlier && this.#isTakenBack;
    $('taken').hidden = !isTaken;
    $('return').hidden = !isEarlier;
    $('return').textContent = isTaken ? words.board.redo : words.board.earlier;
    next.textContent = isAtEnd || isEarlier || mode?.places ? '' : boards;
    next.hidden = next.textContent === '';
    // Whoever comes from chess ends a turn by moving: it is not so here.
    const isReady = made.length > 0 && !why && this.mayPlay();
    const reason = isReady ? words.board.ready : isAtEnd || isEarlier || mode?.places || !why ? '' : made.length === 0 ? (boards ? '' : left.length === 1 && this.#mayToo() ? words.board.moveOn(placeOf(left[0].label)) : words.board.makesMove(nameOf(this.#game.toMove))) : this.#danger || sentence(why);
    const waiting = (this.premove && this.#waiting(this.premove)) ?? (this.state.tab === 'play' && session.engineToMove(this.document, this.#game.toMove) ? this.thinking : '');
    $('why-not').textContent = waiting || [boards && made.length > 0 && left.length > 0 ? '' : reason, this.#mayToo()].filter(Boolean).join(' ');
    $('why-not').title = $('why-not').textContent;
    $('made').title = made.join(' ');
    // Where the moves have the room, the button says enough.
    if (isReady && this.#isBarFull()) $('why-not').textContent = this.#mayToo();
    this.#fitMade(made);
    $('flip').setAttribute('aria-pressed', String(this.document.flipped));
    document.title = `${$('standing').textContent} · Worldlines`;
  }

  /** Whether the bar has no room for all that it says. */
  #isBarFull() {
    const { parentElement: bar } = $('made');
    return bar.scrollHeight > bar.clientHeight + 1;
  }

  /** Names as many of the moves made as the bar has room for, once it has said what is missing: no line of it is cut. @param {string[]} made */
  #fitMade(made) {
    const shorter = [...made.slice(1).map((_, index) => words.board.someMade(made.slice(0, made.length - 1 - index), index + 1)), words.board.countMade(made.length), ''];
    for (const text of shorter) if (this.#isBarFull()) $('made').textContent = text;
  }

  /** Whether a position before the end of the game is shown to somebody who plays. */
  get #isEarlier() {
    const { tree, at } = this.document;
    return this.state.tab === 'play' && !this.mode && tree.nodes[at].children.length > 0 && session.movesOf(this.document).length === 0;
  }

  /** Whether the board stands where an action was taken back. */
  get #isTakenBack() {
    return this.#takenBack.to === `${this.document.id} ${this.document.at}`;
  }

  /** Says as a message all that the bar has to say, and shows where it is about. */
  sayAll() {
    const said = [$('left').textContent && sentence($('left').textContent), $('why-not').title, $('made').title].filter(Boolean).join(' ');
    if (!said) return;
    toast(said);
    this.#showDanger();
  }

  /** Brings what captures a king into sight, and the king before all. */
  #showDanger() {
    this.view.bring(this.#dangerAt.flatMap(({ timeline, halfTurn }) => this.view.tile(timeline, halfTurn) ?? []));
  }

  /** Names the boards that may be played, and need not, once the others are. */
  #mayToo() {
    if (this.#isAtEnd || this.#isEarlier || this.mode?.places || !this.mayPlay()) return '';
    const { tiles } = this.view.scene;
    const may = tiles.filter(({ duty }) => duty === 'may').map(({ label }) => placeOf(label));
    if (may.length === 0 || tiles.filter(({ duty }) => duty === 'must').length > 1) return '';
    return words.board.mayWait(may.slice(0, 2), Math.max(0, may.length - 2));
  }

  /** Says what the engine does that is to move. @param {string} text */
  setThinking(text) {
    this.thinking = text;
    this.#say();
  }

  /** Says quietly at the lower edge what a piece is, or nothing. @param {string} [letter] */
  #sayPiece(letter) {
    const kind = letter?.toUpperCase();
    $('piece-is').textContent = kind ? words.board.pieceIs(kind, words.help.moves[kind] ?? '') : '';
  }

  /** Says what triangles at the edge point to, or the corners of pieces mean, if there are some. */
  #explainPointers() {
    const marks = this.view.outOfSight();
    const kinds = new Set(marks.map(({ kind }) => kind));
    const duty = kinds.has('news') ? 'pointsToBoth' : 'pointsToDuty';
    const name = kinds.has('target') ? 'pointsToTarget' : kinds.has('check') ? 'pointsToCheck' : kinds.has('duty') ? duty : kinds.has('news') ? 'pointsToNews' : this.view.marks.movable.length > 0 ? 'corners' : undefined;
    const text = name && this.#mayHint(name) ? words.board[name] : '';
    // A finger sees one board after the other. That two fingers show more is told once.
    if (kinds.has('duty') && isTouch() && kept(PINCHED) === null) {
      keep(PINCHED, true);
      toast(words.board.pinch);
    }
    if ($('points-to').textContent !== text) $('points-to').textContent = text;
    if (text) this.#placeQuiet(marks);
    this.#fitQuiet(text);
  }

  /** Whether a hint is shown here. @param {string} name */
  #mayHint(name) {
    const { id, at } = this.document;
    const here = `${id} ${at}`;
    const hint = this.#hints.get(name) ?? { times: 0 };
    if (hint.at === here) return true;
    if (hint.times >= HINTS) return false;
    this.#hints.set(name, { times: hint.times + 1, at: here });
    keep(HINTED, Object.fromEntries([...this.#hints].map(([one, { times }]) => [one, times])));
    return true;
  }

  /** Shortens how a piece moves to its first sentence where a hint shares its place above the boards. @param {string} hint */
  #fitQuiet(hint) {
    const piece = $('piece-is');
    const quiet = /** @type {HTMLElement} */ (piece.parentElement);
    if (hint && quiet.offsetTop === 0 && quiet.offsetHeight > this.view.stage.inset.top) piece.textContent = piece.textContent.replace(/\. .*$/s, '.');
  }

  /** Puts what is said of triangles where none of them is. @param {{ x: number, y: number }[]} marks */
  #placeQuiet(marks) {
    const quiet = /** @type {HTMLElement} */ ($('points-to').parentElement);
    const [{ clientWidth, clientHeight }, { offsetWidth, offsetHeight }] = [$('board'), quiet];
    const beside = marks.filter(({ x }) => Math.abs(x - clientWidth / 2) < offsetWidth / 2 + MARK);
    const isFree = (/** @type {number} */ top) => beside.every(({ y }) => y < top - MARK || y > top + offsetHeight + MARK);
    quiet.dataset.edge = isFree(clientHeight - offsetHeight - 2) ? 'bottom' : isFree(LABELS) ? 'top' : 'raised';
  }

  /** Says something to those who listen. @param {string} text */
  tell(text) {
    $('said').textContent = text;
  }

  /** @param {import('./sound.js').Sound} name */
  sound(name) {
    if (this.settings.value.sound) sound(name);
  }

  // Moves.

  /** @param {string} letter */
  isOwn(letter) {
    return isWhite(letter) === (this.#game.toMove === 'white') !== this.mayPremove();
  }

  mayPlay() {
    if (this.over) return false;
    const { state } = this;
    const chosen = this.mode?.mayPlay?.();
    if (chosen !== undefined) return chosen;
    return state.tab !== 'play' || this.document.players[this.#game.toMove] === 'human';
  }

  /** Whether a move may be chosen while the engine thinks. */
  mayPremove() {
    const { toMove } = this.#game;
    const isPlaying = !this.over && this.state.tab === 'play' && !this.mode;
    return isPlaying && session.engineToMove(this.document, toMove) && this.document.players[otherThan(toMove)] === 'human';
  }

  /** Whether a board is there. @param {number} timeline @param {number} halfTurn */
  #hasBoard = (timeline, halfTurn) => this.view.tile(timeline, halfTurn) !== undefined;

  /** Moves for the position after the next action of the opponent, as far as a pass tells them. @param {{ timeline: number, halfTurn: number }} tile @returns {Choice[]} */
  #premovesFrom(tile) {
    this.#ahead ??= passed(this.#game);
    return this.#ahead ? premoves.choicesOn(this.#ahead, tile, this.document, this.#hasBoard) : [];
  }

  /** The move that waits, as an arrow. @returns {import('./tree.js').Shape[]} */
  #premoveShape() {
    if (this.premove && !premoves.isFor(this.premove, this.document)) this.premove = undefined;
    return this.premove ? [premoves.arrowOf(this.premove, this.#hasBoard)] : [];
  }

  /** Says which move waits. @param {Premove} premove */
  #waiting(premove) {
    this.#ahead ??= passed(this.#game);
    const tiles = this.#ahead?.scene().tiles ?? [];
    const label = (/** @type {number} */ timeline, /** @type {number} */ halfTurn) => placeOf(tiles.find((tile) => tile.timeline === timeline && tile.halfTurn === halfTurn)?.label ?? '');
    return words.board.premove(premoves.textOf(premove, label));
  }

  /** @param {Premove | undefined} premove */
  #setPremove(premove) {
    this.premove = premove;
    this.refresh();
    if (premove) this.tell(this.#waiting(premove));
  }

  /** Lets a move wait; if the engine has answered while a promotion was chosen, it is made. @param {Premove} premove */
  #settlePremove(premove) {
    if (this.mayPremove()) this.#setPremove(premove);
    else if (this.mayPlay() && this.document.id === premove.id) this.#playPremove(premove);
  }

  /** Makes a move that was chosen before the opponent had moved, if it can be made now, and submits it if nothing else is to be played. @param {Premove} premove */
  #playPremove(premove) {
    const move = premoves.moveOf(this.#game, premove);
    if (!move) {
      toast(words.board.premoveGone);
      this.tell(words.board.premoveGone);
      return;
    }
    this.make(move);
    if (this.#game.movesMade().length > 0 && this.#game.whyNot() === undefined) this.submit();
  }

  /** @param {Spot | undefined} spot @returns {Choice[]} */
  #movesOf(spot) {
    if (!spot || spot.tile.duty === 'none') return [];
    return this.#choicesFrom(spot.tile).filter(({ from }) => samePlace(from, spot));
  }

  /** The moves from a board that can be chosen now. @param {{ timeline: number, halfTurn: number }} tile @returns {Choice[]} */
  #choicesFrom(tile) {
    return this.mayPremove() ? this.#premovesFrom(tile) : this.#movesFrom(tile);
  }

  /** @param {Place | undefined} place */
  #targetsAt(place) {
    return place ? this.moves.filter(({ to }) => samePlace(to, place)) : [];
  }

  /** @param {Spot | undefined} spot */
  #hover(spot) {
    const { marks } = this.view;
    if (samePlace(marks.hovered, spot)) return;
    marks.hovered = spot;
    const letter = spot && this.view.pieceAt(spot.tile, spot.square);
    const own = letter !== undefined && this.isOwn(letter) && spot?.tile.duty !== 'none' && (this.mayPlay() || this.mayPremove());
    $('board').style.cursor = this.mode?.places && spot ? 'crosshair' : own || this.#targetsAt(spot).length > 0 ? 'pointer' : 'grab';
    if (!marks.selected && !this.mode?.places) {
      // Squares that a piece can reach are shown before it is chosen.
      marks.targets = own ? this.#movesOf(spot).map(({ to }) => ({ ...to, faint: true })) : [];
    }
    this.view.redraw();
  }

  /** Takes a piece in the hand, if that can be done. @param {Spot} spot */
  #grab(spot) {
    const letter = this.view.pieceAt(spot.tile, spot.square);
    if (this.mode?.moves) {
      if (!letter) return false;
      this.view.marks.selected = { timeline: spot.timeline, halfTurn: spot.halfTurn, square: spot.square };
      return /** @type {const} */ ('loose');
    }
    if (this.mode?.places || this.#targetsAt(spot).length > 0) return false;
    const { selected } = this.view.marks;
    if (samePlace(selected, spot)) return /** @type {const} */ ('again');
    return this.#select(spot) ? /** @type {const} */ ('fresh') : false;
  }

  /** A piece was dragged. @param {Spot} from @param {Spot | undefined} to */
  #drop(from, to) {
    const { mode } = this;
    if (!mode?.moves) {
      this.choose(to);
      return;
    }
    if (!samePlace(from, to)) mode.moves(from, to);
  }

  /** @param {Spot} spot */
  #select(spot) {
    const letter = this.view.pieceAt(spot.tile, spot.square);
    if (!letter || !this.isOwn(letter) || spot.tile.duty === 'none' || !(this.mayPlay() || this.mayPremove())) return false;
    this.moves = this.#movesOf(spot);
    this.#sayPiece(letter);
    this.view.marks.selected = { timeline: spot.timeline, halfTurn: spot.halfTurn, square: spot.square };
    this.view.marks.targets = this.moves.map(({ to }) => to);
    this.view.redraw();
    const named = (/** @type {BoardMove['to']} */ to) => (to.timeline === spot.timeline && to.halfTurn === spot.halfTurn ? squareName(to.square) : words.board.squareOn(squareName(to.square), this.view.tile(to.timeline, to.halfTurn)?.label ?? ''));
    const names = this.moves.slice(0, SAID).map(({ to }) => named(to));
    this.tell(words.board.selected(pieceName(letter), squareName(spot.square), names, this.moves.length - names.length));
    return true;
  }

  unselect() {
    this.#sayPiece();
    this.moves = [];
    this.view.marks.selected = undefined;
    this.view.marks.targets = [];
    this.view.redraw();
  }

  /** A square was chosen: by a click, a tap, a drop or the keyboard. @param {Spot | undefined} spot */
  async choose(spot) {
    const mode = this.mode;
    if (mode?.places) {
      if (spot) mode.places(spot);
      return;
    }
    const found = this.#targetsAt(spot);
    const { selected } = this.view.marks;
    this.unselect();
    if (found.length > 0) {
      const move = found.length === 1 ? found[0] : await this.#promote(found);
      if (move?.premove) this.#settlePremove(move.premove);
      else if (move) this.make(move);
      return;
    }
    if (this.premove) this.#setPremove(undefined);
    if (!spot || samePlace(selected, spot)) return;
    // Also a piece that cannot move now tells what it is.
    if (!this.#select(spot)) this.#sayPiece(this.view.pieceAt(spot.tile, spot.square));
  }

  /** @param {BoardMove} move */
  make(move) {
    this.#game.makeMove(move.id);
    this.makeMoves(this.#game.movesMade());
  }

  /** Takes other moves as those of the action under way, of which the last ones are new. @param {string[]} made */
  makeMoves(made, count = 1) {
    hushToast();
    const text = made.slice(-count).join(' ');
    this.planned = '';
    this.edit((document) => session.withMoves(document, made), { animate: true, sight: 'keep' });
    this.sound(soundOf(text));
    const isWhole = this.#game.whyNot() === undefined;
    this.tell(words.board.madeMove(text, isWhole));
    // Boards that need not be played are left to the player.
    const { atOnce, answerAtOnce } = this.settings.value;
    if (isWhole && (this.mode?.submit ? answerAtOnce : atOnce) && this.view.scene.tiles.every(({ duty }) => duty === 'none')) this.submit();
  }

  /** @param {Choice[]} moves @returns {Promise<Choice | undefined>} */
  #promote(moves) {
    const dialog = $('promotion');
    return new Promise((settle) => {
      const buttons = moves.map((move) => {
        const kind = /** @type {string} */ (move.promotion);
        const letter = (this.#game.toMove === 'white') !== (move.premove !== undefined) ? kind : kind.toLowerCase();
        const choose = () => {
          settle(move);
          dialog.close();
        };
        return make('button', { 'aria-label': pieceName(letter), onclick: choose }, pieceImage(letter, this.settings.value.pieces));
      });
      dialog.replaceChildren(make('h2', {}, words.board.promoteTo), ...buttons);
      dialog.onclose = () => settle(undefined);
      dialog.showModal();
    });
  }

  /** Takes the last move back, or goes back an action. */
  undo() {
    const mode = this.mode;
    if (mode?.places) {
      mode.undo?.();
      return;
    }
    if (this.premove) {
      this.#setPremove(undefined);
      return;
    }
    if (this.resigned) {
      this.#takeBackResignation();
      return;
    }
    const moves = session.movesOf(this.document);
    if (moves.length > 0) {
      this.planned = '';
      this.edit((document) => session.withMoves(document, moves.slice(0, -1)), { sight: 'undo' });
      this.tell(words.board.takenBack(moves.length - 1));
      return;
    }
    const players = Object.values(this.document.players);
    // A game that has ended is taken back in every tab.
    const isAgainstProgram = (this.state.tab === 'play' || this.over) && players.includes('human') && players.some((player) => player !== 'human');
    const isOwnTurn = () => this.document.players[this.#game.toMove] === 'human';
    if (isAgainstProgram && this.actions.length === 1 && isOwnTurn()) {
      // The program began, and would only begin again.
      this.tell(words.board.nothingBack);
      return;
    }
    const { tree, at } = this.document;
    const isLast = this.#isTakenBack || (tree.nodes[at].children.length === 0 && !this.isDecided);
    const from = this.#isTakenBack ? this.#takenBack.from : at;
    this.step('back');
    // A game against a program goes back to one's own turn.
    if (isAgainstProgram && !isOwnTurn()) this.step('back');
    if (!isLast) return;
    this.#takenBack = { to: `${this.document.id} ${this.document.at}`, from };
    this.#say();
    if (this.#isEarlier) this.tell(`${words.board.taken} ${$('standing').textContent}`);
  }

  /** Brings back what was taken back, or goes to the end of the game. */
  goOn() {
    if (this.#isTakenBack) this.goTo(this.#takenBack.from);
    else this.step('end');
  }

  /** The person at the board gives the game up. */
  resign() {
    const by = session.resigning(this.document, this.#game.toMove);
    if (by) this.#end(by);
  }

  /** The players agree to a draw. */
  draw() {
    this.#end('both');
  }

  /** The time of a player is over. @param {session.Side} by */
  timeOut(by) {
    this.#end(by, true);
  }

  /** @param {import('./session.js').Resignation['by']} by */
  #end(by, timed = false) {
    if (this.isDecided) return;
    this.stopEngine();
    this.planned = '';
    this.edit((document) => session.resign(session.withMoves(document, []), by, timed), { sight: 'keep' });
    this.sound('end');
    this.tell($('standing').textContent);
    const { id } = this.document;
    if (timed) toast($('standing').textContent);
    else toast($('standing').textContent, () => this.#takeBackResignation(id));
  }

  /** @param {string} [id] the document; without one that on the board */
  #takeBackResignation(id = this.document.id) {
    this.update(session.withDocument(this.state, session.withoutResignation(this.state.documents[id])), { sight: 'keep' });
    this.tell($('standing').textContent);
    this.letPlay();
  }

  submit() {
    if (this.over || !this.mayPlay()) return;
    const why = this.#game.whyNot();
    if (why !== undefined) {
      const missing = words.board.notYet($('left').textContent ? sentence($('left').textContent) : this.#danger || $('why-not').title || sentence(why));
      this.tell(missing);
      toast(missing);
      if (this.#danger && !$('left').textContent) this.#showDanger();
      else this.showLeft();
      return;
    }
    const moves = this.#game.movesMade();
    const mode = this.mode;
    if (mode?.submit) mode.submit(moves);
    else this.play(moves.join(' '));
    // The button that was pressed cannot be pressed again; the keyboard goes on at the board.
    if (document.activeElement === document.body || document.activeElement === $('submit')) $('board').focus({ preventScroll: true });
  }

  /** Plays a whole action. @param {string} action */
  play(action) {
    const text = this.games.canonical(this.document, action);
    hushToast();
    const made = session.movesOf(this.document).length > 0;
    const isPlay = this.state.tab === 'play';
    // After the end of a game another action is a variation.
    const isGame = isPlay && !this.mode && !this.isDecided;
    const after = (/** @type {session.Document} */ document) => {
      const played = session.inGame(session.played(document, text), isGame);
      if (isPlay) this.playedAt = `${played.id} ${played.at}`;
      return played;
    };
    this.edit(after, { animate: !made, sight: 'follow' });
    this.#ended(text, made ? 'submit' : soundOf(text));
    this.letPlay();
  }

  /** @param {string} text @param {import('./sound.js').Sound} name */
  #ended(text, name) {
    // The last position is looked at as a whole, whatever was in sight.
    if (this.over) this.view.near();
    this.sound(this.over ? 'end' : this.#game.inCheck ? 'check' : name);
    this.tell(`${text}. ${$('standing').textContent}`);
  }

  /** An action that somebody else has found for a document, shown or not. @param {string} id @param {string} node @param {string} action */
  playIn(id, node, action) {
    const document = this.state.documents[id];
    if (!document) return;
    const text = this.games.canonical({ ...document, at: node }, action);
    const shown = document === this.document && document.at === node;
    const { premove } = this;
    this.update(session.withDocument(this.state, session.inGame(session.playedAfter(document, node, text), shown && !this.isDecided)), { animate: shown, sight: shown ? 'follow' : 'same' });
    if (shown) this.#ended(text, soundOf(text));
    // In another tab the pieces are for something else.
    if (shown && premove && this.state.tab === 'play' && !this.over && this.mayPlay()) this.#playPremove(premove);
  }

  /** @param {string} node */
  goTo(node) {
    this.edit((document) => session.goTo(document, node), { sight: 'visit' });
    const { action } = this.document.tree.nodes[this.document.at];
    this.tell(`${action || words.board.start}. ${$('standing').textContent}`);
    this.letPlay();
  }

  /** @param {'back' | 'on' | 'start' | 'end' | 'above' | 'beneath'} way */
  step(way) {
    const node = session.step(this.document, way);
    if (node !== this.document.at) {
      const animate = way === 'on';
      this.edit((document) => session.goTo(document, node), { sight: way === 'back' ? 'back' : way === 'on' ? 'follow' : 'visit', animate });
      if (animate) this.sound('move');
      const { action } = this.document.tree.nodes[node];
      this.tell(`${action || words.board.start}. ${$('standing').textContent}`);
    }
  }

  /** Draws an action that could be played. @param {string} action */
  plan(action) {
    this.planned = action;
    this.refresh();
  }

  /** Draws an action that could be played, or what gives check, and moves the view so that it is seen. @param {string} action */
  showPlan(action) {
    this.plan(action);
    this.view.showArrows(action ? 'planned' : 'check');
  }

  flip() {
    this.edit((document) => ({ ...document, flipped: !document.flipped }));
  }

  /** Whether there is anything to see after a pass. */
  get canPass() {
    return !this.#game.inCheck && this.#ghosts(this.view.scene).length > 0;
  }

  togglePasses() {
    if (!this.passes && !this.canPass) {
      const why = this.#game.inCheck ? words.analyse.checkPass(nameOf(this.#game.toMove)) : words.analyse.noPass;
      toast(why);
      this.tell(why);
      return;
    }
    this.passes = !this.passes;
    this.refresh({ sight: 'near' });
  }

  /** The next board that must be played. */
  showLeft() {
    const tile = this.view.scene.tiles.find(({ duty }) => duty === 'must');
    if (tile) this.view.reveal(tile);
  }

  clearShapes() {
    if (this.document.tree.nodes[this.document.at].shapes.length === 0) return;
    this.editWithUndo(words.board.drawingsGone, (document) => session.withTree(document, withoutShapes(document.tree, document.at)));
  }

  // The keyboard on squares.

  enter() {
    const { cursor } = this.view.marks;
    const tile = cursor && this.view.tile(cursor.timeline, cursor.halfTurn);
    if (!tile) this.nextBoard(1);
    else this.choose({ ...cursor, tile });
  }

  leave() {
    if (this.view.marks.selected) {
      this.unselect();
      return;
    }
    this.premove = undefined;
    this.view.marks.cursor = undefined;
    this.planned = '';
    this.refresh();
  }

  /** @param {number} direction */
  nextBoard(direction) {
    const { tiles } = this.view.scene;
    const playable = tiles.filter((tile) => tile.duty !== 'none');
    const all = playable.length > 0 ? playable : tiles;
    const { cursor } = this.view.marks;
    const index = cursor ? all.findIndex((tile) => tile.timeline === cursor.timeline && tile.halfTurn === cursor.halfTurn) : -1;
    const next = index < 0 ? (direction > 0 ? 0 : all.length - 1) : (index + direction + all.length) % all.length;
    this.#cursorTo(all[next], cursor?.square ?? [0, 0]);
  }

  /** Goes round the squares that the selected piece can reach, or the pieces that can move. @param {number} direction */
  nextPlace(direction) {
    const places = this.view.marks.selected
      ? this.moves.map(({ to }) => to)
      : this.view.scene.tiles.filter(({ duty }) => duty !== 'none').flatMap((tile) => this.#choicesFrom(tile).map(({ from }) => from));
    const all = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
    if (all.length === 0) return;
    const index = all.findIndex((place) => samePlace(place, this.view.marks.cursor));
    const place = all[index < 0 ? (direction > 0 ? 0 : all.length - 1) : (index + direction + all.length) % all.length];
    const tile = this.view.tile(place.timeline, place.halfTurn);
    if (tile) this.#cursorTo(tile, place.square);
  }

  /** @param {import('./view.js').Tile} tile @param {[number, number]} square */
  #cursorTo(tile, square) {
    const { marks } = this.view;
    marks.cursor = { timeline: tile.timeline, halfTurn: tile.halfTurn, square };
    this.view.reveal(tile);
    this.view.redraw();
    const letter = this.view.pieceAt(tile, square);
    this.tell(words.board.at(squareName(square), letter ? pieceName(letter) : words.board.empty, tile.label, this.#targetsAt(marks.cursor).length > 0));
  }

  /** Whether the arrow keys go from square to square now. */
  get hasCursor() {
    return this.view.marks.cursor !== undefined && document.activeElement === $('board');
  }

  /** @param {number} dx @param {number} dy */
  stepSquare(dx, dy) {
    const { files, ranks } = this.view.scene;
    const { cursor } = this.view.marks;
    const tile = cursor && this.view.tile(cursor.timeline, cursor.halfTurn);
    if (!tile) {
      this.nextBoard(1);
      return;
    }
    const turn = this.document.flipped ? -1 : 1;
    const [file, rank] = [cursor.square[0] + dx * turn, cursor.square[1] + dy * turn];
    if (file >= 0 && rank >= 0 && file < files && rank < ranks) {
      this.#cursorTo(tile, [file, rank]);
      return;
    }
    // The next board lies over the edge, if there is one.
    const next = dx !== 0 ? this.view.tile(cursor.timeline, cursor.halfTurn + dx) : this.#rowBeside(tile, dy);
    if (next) this.#cursorTo(next, [(file + files) % files, (rank + ranks) % ranks]);
  }

  /** The board above or beneath another one. @param {import('./view.js').Tile} tile @param {number} dy */
  #rowBeside(tile, dy) {
    const column = this.view.scene.tiles.filter((one) => one.halfTurn === tile.halfTurn && (dy > 0 ? one.y < tile.y : one.y > tile.y));
    return column.sort((a, b) => Math.abs(a.y - tile.y) - Math.abs(b.y - tile.y))[0];
  }

  /** Says what was played last, and how the game stands. */
  readLast() {
    const { action } = this.document.tree.nodes[this.document.at];
    const moves = this.#game.movesMade();
    this.tell(words.board.last(action, moves, $('standing').textContent));
  }

  /** Says what gives check. */
  async readChecks() {
    if (!this.#game.inCheck) {
      this.tell(words.board.noCheck);
      return;
    }
    try {
      const { checks } = await this.proofs.ask('why', { saved: this.#game.save() });
      this.tell(checks.map(words.library).join('; '));
    } catch (/** @type {any} */ error) {
      if (error.code !== 'stopped') this.tell(words.fault(error));
    }
  }

  /** Reads the board under the cursor, or the ones that can be played. */
  readBoard() {
    const { cursor } = this.view.marks;
    const tile = (cursor && this.view.tile(cursor.timeline, cursor.halfTurn)) ?? this.view.scene.tiles.find(({ duty }) => duty !== 'none');
    if (!tile) return;
    const { files } = this.view.scene;
    const pieces = [...tile.pieces].flatMap((letter, index) => (letter === '.' ? [] : [`${pieceName(letter)} ${squareName([index % files, Math.floor(index / files)])}`]));
    this.tell(`${tile.label}: ${pieces.join(', ')}`);
  }

  /** The nodes of the line that is shown. */
  get line() {
    return lineThrough(this.document.tree, this.document.at);
  }
}
