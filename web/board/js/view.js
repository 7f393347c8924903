// @ts-check
// The multiverse on a canvas. Where everything stands is said by the scene, which the library makes. Boards are painted once for each size and
// content, so that moving about only copies them. Words have the same size at every zoom.

import { THUMB, areaOf, around, between, inside, isSame, near, resized, revealing, settled, showing, whole, within, zoomed } from './camera.js';
import { isTouch } from './dom.js';
import { words } from './language.js';
import { motion } from './motion.js';
import { drawPiece, isWhite, palette } from './paint.js';
import { samePlace } from './tree.js';

/**
 * @typedef {import('../worldlines/browser.js').Scene} Scene
 * @typedef {Scene['tiles'][number]} Tile
 * @typedef {import('./session.js').Camera} Camera
 * @typedef {import('./tree.js').Shape} Shape
 * @typedef {import('./tree.js').Place} Place
 * @typedef {Place & { tile: Tile }} Spot
 * @typedef {{ line: Path2D, tip: Path2D, strength: number, color?: string }} Hint
 * @typedef {{ line: Path2D, tip?: Path2D, strength: number, color: string, width: number, dash: number[] }} Stroke
 * @typedef {{
 *   selected?: Place, targets: (Place & { faint?: boolean })[], cursor?: Place, hovered?: Place, movable: Place[], shapes: Shape[], clues: Place[],
 *   drag?: { place: Place, letter: string, x: number, y: number }, aim?: Place, mated: boolean, over?: boolean, ghosts: Tile[], news: Tile[], hints: Hint[], threats: Hint[],
 * }} Marks
 */

/** Milliseconds for painting new boards in one frame. The rest follows in the next. */
const PAINTING = 9;
const KEPT = 1_500;
/** The most width and height of the overview, in pixels. */
const OVERVIEW = { width: 340, height: 108 };
/** Milliseconds after zooming until boards are painted anew; until then they are drawn from the images that are there. */
const CALM = 140;
/** Squares of so many pixels can be looked at. */
const SEEN = 18;
/** Squares of so many pixels can still be read. */
const READ = 13;
/** Squares of so many pixels are large enough at the beginning of a puzzle. */
const INTRODUCED = 28;
/** Squares of so many pixels are large enough to be looked at after a jump, and become no larger by it. */
const VISITED = { mouse: 20, touch: 24, most: 56 };
/** Pixels of the strip at the upper edge that names the turns. */
const STRIP = 24;
/** The most marks at the edge. */
const POINTERS = 40;
/** Milliseconds of a movement. */
const MOTION = 180;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** The colours of shapes, by name. @type {Record<string, string>} */
export const SHAPE_COLORS = { green: '#15a05a', red: '#d4342b', blue: '#2f7fe0', yellow: '#e2a000' };
/** The arrows of the engine's lines, the best one first. */
export const LINE_COLORS = [SHAPE_COLORS.blue, '#8a4fbf', '#0e8f8f'];

/** `T2w` of `(0T2w)`. @param {Tile} tile */
const turnName = ({ label }) => /T.*(?=\))/.exec(label)?.[0] ?? label;

export class View extends EventTarget {
  #canvas;
  #context;
  #overview;
  /** @type {Scene | undefined} */
  #scene;
  /** The scene before it. @type {Scene | undefined} */
  #before;
  /** @type {Path2D[]} */
  #paths = [];
  /** @type {{ kind: string, line: Path2D, tip: Path2D }[]} */
  #arrows = [];
  /** @type {Map<string, Tile>} */
  #index = new Map();
  /** The last tile of each row. @type {Tile[]} */
  #lasts = [];
  #colors = palette();
  /** @type {import('./paint.js').PieceSet} */
  #set = 'figures';
  /** @type {Camera} */
  #camera = { x: 0, y: 0, scale: 0.5 };
  /** Whether somebody has chosen what is in sight. */
  #chosen = false;
  #asked = false;
  /** Where the camera was before it followed the moves of an action, and where it went. @type {{ from: Camera, to: Camera } | undefined} */
  #followed;
  /** The camera that sees everything, as long as that is what is looked at. @type {Camera | undefined} */
  #fitted;
  /** What a change of the stage made of the camera, and what it was made of. @type {{ made: Camera, from: Camera, stage: import('./camera.js').Stage } | undefined} */
  #resized;
  /** @type {Map<string, OffscreenCanvas>} */
  #boards = new Map();
  /** @type {Map<string, OffscreenCanvas>} */
  #pieces = new Map();
  /** @type {OffscreenCanvas | undefined} */
  #overviewImage;
  /** Where arrows are drawn before they are on the canvas. @type {OffscreenCanvasRenderingContext2D | undefined} */
  #layer;
  /** The pixels of a square in the images that are drawn; undefined asks for new ones. @type {number | undefined} */
  #drawn;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #calm;
  #style = new CSSStyleSheet();
  /** @type {{ from: Camera, to: Camera, start: number } | undefined} */
  #flight;
  /** @type {(ReturnType<typeof motion> & { start: number }) | undefined} */
  #motion;
  /** Whether anything moves by itself. */
  moving = true;
  /** @type {Marks} */
  marks = { targets: [], movable: [], shapes: [], clues: [], mated: false, ghosts: [], news: [], hints: [], threats: [] };

  /** @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} [overview] */
  constructor(canvas, overview) {
    super();
    this.#canvas = canvas;
    this.#overview = overview;
    this.#context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
    document.adoptedStyleSheets.push(this.#style);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolor());
    matchMedia('(forced-colors: active)').addEventListener('change', () => this.recolor());
    new ResizeObserver(() => this.#resize()).observe(canvas);
    if (overview) this.#listenToOverview(overview);
    this.#resize();
  }

  recolor() {
    this.#colors = palette();
    this.#boards.clear();
    this.#pieces.clear();
    this.#overviewImage = undefined;
    this.redraw();
  }

  /** The style of pictures, whose colours are those of the boards. @param {string} text */
  set style(text) {
    this.#style.replaceSync(text);
    this.recolor();
  }

  /** How pieces look. @param {import('./paint.js').PieceSet} set */
  set pieceSet(set) {
    if (set === this.#set) return;
    this.#set = set;
    this.recolor();
  }

  get colors() {
    return this.#colors;
  }

  #resize() {
    const ratio = devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.#canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    const [width, height] = [this.#canvas.width / ratio, this.#canvas.height / ratio];
    this.#canvas.width = Math.round(clientWidth * ratio);
    this.#canvas.height = Math.round(clientHeight * ratio);
    this.#overviewImage = undefined;
    const camera = this.#flight?.to ?? this.#camera;
    const isFitted = camera === this.#fitted;
    if (this.#scene && isFitted && this.#chosen) {
      this.#flight = undefined;
      this.#camera = this.#fitted = whole(this.#scene, this.stage);
    } else if (this.#scene && isFitted) {
      this.introduce({ jump: true });
    } else if (this.#scene && !this.#chosen) {
      this.near({ jump: true });
    } else if (this.#scene) {
      this.#flight = undefined;
      // Always from what was chosen, and not from what became of it: who folds and unfolds a panel sees the same again.
      const from = this.#resized?.made === camera ? this.#resized : { from: camera, stage: { ...this.stage, width, height } };
      this.#camera = resized(from.from, this.#scene, from.stage, this.stage);
      this.#resized = { ...from, made: this.#camera };
    }
    this.#paint();
  }

  get scene() {
    return /** @type {Scene} */ (this.#scene);
  }

  get scale() {
    return this.#camera.scale;
  }

  /** The free part of the canvas. */
  get stage() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const left = this.#scene && this.#scene.rows.length > 1 ? 40 : 14;
    return { width, height, inset: { left, top: STRIP + 22, right: width < 500 ? 14 : 30, bottom: 14 } };
  }

  /** The camera, if somebody chose it. */
  get sight() {
    return this.#chosen ? { ...(this.#flight?.to ?? this.#camera) } : undefined;
  }

  /** @param {Camera | undefined} camera */
  set sight(camera) {
    this.#flight = undefined;
    if (camera) {
      this.#chosen = true;
      this.#camera = inside(zoomed(camera, 1, 0, 0), this.scene, this.stage);
      this.#drawn = undefined;
      this.redraw();
    } else {
      this.near({ jump: true });
    }
  }

  /** Shows a scene. With `animate` boards and pieces move to their places. @param {Scene} scene */
  show(scene, { animate = false } = {}) {
    const before = this.#scene;
    this.#before = before;
    this.#scene = scene;
    // The arrow-heads of the library's pictures are close to the frames; others are drawn clear of them.
    this.#paths = scene.rows.map(({ path }) => new Path2D(path.replace(/m-16 -16l16 16l-16 16$/, '')));
    this.#index = new Map(scene.tiles.map((tile) => [`${tile.timeline} ${tile.halfTurn}`, tile]));
    /** @type {Map<number, Tile>} */
    const lasts = new Map();
    for (const tile of scene.tiles) lasts.set(tile.timeline, tile);
    this.#lasts = [...lasts.values()];
    this.#arrows = scene.arrows.map(({ kind, shaft, head }) => ({ kind, line: new Path2D(shaft), tip: new Path2D(head) }));
    this.#overviewImage = undefined;
    const found = animate && this.moving ? motion(before, scene) : undefined;
    this.#motion = found && found.boards.length > 0 ? { ...found, start: performance.now() } : undefined;
    if (!before) this.near({ jump: true });
    this.redraw();
  }

  /** @param {number} timeline @param {number} halfTurn */
  tile(timeline, halfTurn) {
    return this.#index.get(`${timeline} ${halfTurn}`);
  }

  // The camera.

  /** @param {Camera} camera @param {{ jump?: boolean, chosen?: boolean }} [how] */
  #go(camera, { jump = false, chosen = true } = {}) {
    this.#chosen = chosen;
    if (jump || !this.moving) {
      this.#flight = undefined;
      this.#camera = camera;
      this.#drawn = undefined;
    } else {
      this.#flight = { from: this.#camera, to: camera, start: performance.now() };
    }
    this.redraw();
    this.#tell('sight', {});
  }

  /** The whole multiverse. */
  fit() {
    this.#fitted = whole(this.scene, this.stage);
    this.#go(this.#fitted);
  }

  /** Some boards. @param {Tile[]} tiles */
  frame(tiles) {
    if (tiles.length > 0) this.#go(around(areaOf(this.scene, tiles), this.stage));
  }

  /** The boards that can be played. As long as nobody chooses something else, that is what is in sight. */
  near({ jump = false, made = /** @type {Tile[]} */ ([]) } = {}) {
    if (this.marks.mated) {
      // The end of a game: every king concerned, and what attacks it; as many of them as can be seen.
      const attacked = this.scene.tiles.filter(({ threatened }) => threatened.length > 0);
      const end = this.scene.tiles.filter(({ threatened, touched, duty }) => threatened.length + touched.length > 0 || duty === 'must');
      const [first] = attacked;
      // A king is of little use without the piece that mates it, which may stand on another board: the pairs that lie closest first, and as small as can be read.
      const cameraOf = (/** @type {Tile[]} */ tiles) => around(areaOf(this.scene, tiles), this.stage, 1);
      const pairs = this.#endsOf('check').filter((tiles) => tiles.length > 0).sort((one, other) => cameraOf(other).scale - cameraOf(one).scale);
      const rest = [attacked, end.filter(({ timeline }) => timeline === first?.timeline), attacked.slice(0, 1)].filter((tiles) => tiles.length > 0);
      const choices = [...(end.length > 0 ? [{ tiles: end, least: SEEN }] : []), ...(pairs.length > 1 ? [{ tiles: [...new Set(pairs.flat())], least: READ }] : []), ...pairs.map((tiles) => ({ tiles, least: READ })), ...rest.map((tiles) => ({ tiles, least: SEEN }))];
      const cameras = choices.map(({ tiles, least }) => ({ camera: cameraOf(tiles), least }));
      const camera = (cameras.find((one) => one.camera.scale * this.scene.square >= one.least) ?? cameras.at(-1))?.camera;
      if (camera) {
        this.#go(settled(camera, this.scene, this.stage), { jump, chosen: false });
        return;
      }
    }
    // A board after a pass is looked at like one that can be played.
    const ghosts = this.marks.ghosts.map((tile) => ({ ...tile, duty: /** @type {const} */ ('may') }));
    this.#go(near({ ...this.scene, tiles: [...this.scene.tiles, ...ghosts] }, this.stage, isTouch(), made), { jump, chosen: false });
  }

  /** The beginning of a puzzle: all boards, if they can be read so, for their past matters. */
  introduce({ jump = false } = {}) {
    const camera = whole(this.scene, this.stage);
    this.#fitted = camera;
    if (camera.scale * this.scene.square >= INTRODUCED) this.#go(camera, { jump, chosen: false });
    else this.near({ jump });
  }

  /** The boards that were not there before the last change. */
  #made() {
    const old = new Set(this.#before?.tiles.map(({ timeline, halfTurn }) => `${timeline} ${halfTurn}`));
    return this.scene.tiles.filter(({ timeline, halfTurn }) => !old.has(`${timeline} ${halfTurn}`));
  }

  /**
   * Brings what an action made and what must be played next into sight; what may be played too, if there is room. As long as nobody chooses what is in
   * sight, that is looked at anew, unless what is there is to stay (`still`).
   */
  follow({ still = false } = {}) {
    this.#followed = undefined;
    const made = this.#made();
    if (!this.#chosen && (!still || this.marks.mated)) {
      this.near({ made });
      return;
    }
    const must = this.scene.tiles.filter(({ duty }) => duty === 'must');
    const may = this.scene.tiles.filter(({ duty }) => duty !== 'none');
    // Of more than can be read the newest comes first.
    const first = must.find((tile) => made.includes(tile)) ?? must[0] ?? made[0];
    this.#include([[...may, ...made], may, [...must, ...made], must, first ? [first] : []]);
  }

  /** Shows the boards that an action made, and those that must be played after it, after a jump to it. Nothing moves if they are in sight and can be read. @param {Tile[]} made */
  visit(made) {
    this.#followed = undefined;
    if (!this.#chosen || made.length === 0) {
      this.near({ made });
      return;
    }
    const { square } = this.scene;
    const [least, most] = isTouch() ? [VISITED.touch, THUMB] : [VISITED.mouse, VISITED.most];
    const cameraOf = (/** @type {Tile[]} */ tiles) => around(areaOf(this.scene, tiles), this.stage, most / square);
    const one = cameraOf(made.slice(0, 1));
    const isLarge = (/** @type {Camera} */ { scale }) => scale * square >= Math.min(least, one.scale * square) - 0.01;
    const concerned = [...new Set([...made, ...this.scene.tiles.filter(({ duty }) => duty === 'must')])];
    if (isLarge(this.#flight?.to ?? this.#camera) && concerned.every((tile) => this.#isInSight(tile))) return;
    const left = made.flatMap(({ timeline, halfTurn }) => this.tile(timeline, halfTurn - 1) ?? []);
    const camera = [[...concerned, ...left], concerned].map(cameraOf).find(isLarge);
    // More boards than have room so: they are looked at as while playing, and not one of them alone.
    if (camera) this.#go(settled(camera, this.scene, this.stage));
    else this.near({ made });
  }

  /** Looks at a game that is opened again as it was left, if the boards that must be played are in sight so. @param {Camera | undefined} camera */
  returnTo(camera) {
    this.sight = camera;
    const must = this.scene.tiles.filter(({ duty }) => duty === 'must');
    if (!must.every((tile) => this.#isInSight(tile))) this.near({ jump: true });
  }

  /** Brings the board after a pass into sight on which an action begins, beside those that must be played if there is room. @param {string} place as `(0T4)` */
  showGhost(place) {
    const { ghosts } = this.marks;
    const one = ghosts.filter(({ label }) => label.startsWith(place.slice(0, -1)));
    const must = this.scene.tiles.filter(({ duty }) => duty === 'must');
    this.#include([[...must, ...ghosts], [...must, ...one], one, ghosts.slice(0, 1)]);
  }

  /** The boards on which arrows begin and end, an arrow after another. @param {string} kind @returns {Tile[][]} */
  #endsOf(kind) {
    const { arrows, tiles, files, ranks, square, frame } = this.scene;
    return arrows.filter((arrow) => arrow.kind === kind).map(({ shaft, head }) => {
      // A shaft begins where the piece stands, and a head at its tip.
      const points = [shaft, head].map((path) => (path.match(/-?\d+(?:\.\d+)?/g) ?? []).slice(0, 2).map(Number));
      return tiles.filter(({ x, y }) => points.some(([px, py]) => px >= x - frame && py >= y - frame && px <= x + files * square + frame && py <= y + ranks * square + frame));
    });
  }

  /** Brings arrows into sight, at least the first of them. @param {string} kind */
  showArrows(kind) {
    const ends = this.#endsOf(kind);
    if (ends.length > 0) this.#include([[...new Set(ends.flat())], ends[0], ends[0].slice(0, 1)]);
  }

  /** Brings boards into sight, all of them or the first. @param {Tile[]} tiles */
  bring(tiles) {
    if (tiles.length > 0) this.#include([tiles, tiles.slice(0, 1)]);
  }

  /** Looks at what is left after boards are gone: no emptiness takes their place. */
  goBack({ still = false } = {}) {
    this.follow({ still });
    if (!this.#chosen && !still) return;
    const camera = this.#flight?.to ?? this.#camera;
    const to = settled(camera, this.scene, this.stage);
    if (to.x !== camera.x || to.y !== camera.y) this.#go(to, { chosen: this.#chosen });
  }

  /** Brings boards into sight, unless all of the first choice that can be read are there. @param {Tile[][]} choices */
  #include(choices) {
    const camera = this.#flight?.to ?? this.#camera;
    const to = showing(camera, this.scene, choices, this.stage, isTouch());
    if (Math.abs(to.x - camera.x) * to.scale < 1 && Math.abs(to.y - camera.y) * to.scale < 1 && to.scale === camera.scale) return;
    this.#go(to, { chosen: this.#chosen });
  }

  /** Keeps boards where they are on the screen when others push them to another place of the scene. */
  #anchor() {
    const anchor = this.#before?.tiles.find(({ timeline, halfTurn }) => this.tile(timeline, halfTurn));
    const now = anchor && this.tile(anchor.timeline, anchor.halfTurn);
    if (!anchor || !now || (anchor.x === now.x && anchor.y === now.y)) return;
    const moved = (/** @type {Camera} */ camera) => ({ ...camera, x: camera.x + now.x - anchor.x, y: camera.y + now.y - anchor.y });
    this.#camera = moved(this.#flight?.to ?? this.#camera);
    this.#flight = undefined;
    this.#drawn = undefined;
    if (this.#followed) this.#followed = { from: moved(this.#followed.from), to: moved(this.#followed.to) };
    this.redraw();
  }

  /** While an action is under way boards stay where they are on the screen, as far as what was made and a board that must be played is in sight. */
  keep() {
    this.#anchor();
    const rows = new Set(this.#before?.tiles.map(({ timeline }) => timeline));
    const made = this.#made();
    const must = this.scene.tiles.filter(({ duty }) => duty === 'must');
    const seen = must.filter((tile) => this.#isInSight(tile));
    const isSeen = must.length === 0 || seen.length > 0;
    // The next tap or click is where it was aimed at: nothing moves as long as there is a board in sight on which to go on, and what became of the move.
    if (isSeen && made.every((tile) => this.#isInSight(tile))) return;
    const from = this.#flight?.to ?? this.#camera;
    // After a journey its end counts: the new timeline, where the present is now. The board that was left is shown beside it, if there is room.
    const branches = made.filter(({ timeline }) => !rows.has(timeline));
    const left = branches.length > 0 ? made.flatMap(({ timeline, halfTurn }) => this.tile(timeline, halfTurn - 1) ?? []) : [];
    const end = branches.length > 0 ? branches : made;
    const next = (seen.length > 0 ? seen : must).slice(0, 1);
    if (isSeen && branches.every((tile) => this.#isInSight(tile))) this.#include([[...made, ...seen], [...made, ...next], next.length > 0 ? next : made]);
    else this.#include([[...made, ...must, ...left], [...made, ...must], [...end, ...must], [...end, ...next], branches.length > 0 ? end : next, end]);
    const to = this.#flight?.to ?? this.#camera;
    if (to !== from) this.#followed = { from: this.#followed && isSame(this.#followed.to, from) ? this.#followed.from : from, to };
  }

  /** Looks where it looked before the moves that are taken back, unless somebody has looked elsewhere meanwhile. */
  takeBack() {
    this.#anchor();
    const followed = this.#followed;
    this.#followed = undefined;
    if (followed && isSame(followed.to, this.#flight?.to ?? this.#camera)) this.#go(followed.from, { chosen: this.#chosen });
    const must = this.scene.tiles.filter(({ duty }) => duty === 'must');
    if (!must.some((tile) => this.#isInSight(tile))) this.#include([must, must.slice(0, 1)]);
  }

  /** @param {Tile} tile */
  #isInSight(tile) {
    const camera = this.#flight?.to ?? this.#camera;
    const there = revealing(camera, this.scene, tile, this.stage);
    return Math.abs(there.x - camera.x) * camera.scale < 1 && Math.abs(there.y - camera.y) * camera.scale < 1;
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] */
  zoom(factor, x = this.#canvas.clientWidth / 2, y = this.#canvas.clientHeight / 2) {
    this.#flight = undefined;
    this.#camera = inside(zoomed(this.#camera, factor, x, y), this.scene, this.stage);
    this.#chosen = true;
    this.#whenCalm();
    this.redraw();
    this.#tell('sight', {});
  }

  #whenCalm() {
    clearTimeout(this.#calm);
    this.#calm = setTimeout(() => {
      this.#drawn = undefined;
      this.redraw();
    }, CALM);
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const { x, y, scale } = this.#flight?.to ?? this.#camera;
    this.#flight = undefined;
    this.#camera = inside({ x: x - dx / scale, y: y - dy / scale, scale }, this.scene, this.stage);
    this.#chosen = true;
    this.redraw();
    this.#tell('sight', {});
  }

  /** Brings a board into sight, large enough to be played; whether it was not yet. @param {Tile} tile @param {{ jump?: boolean }} [how] */
  reveal(tile, { jump = false } = {}) {
    const stage = this.stage;
    const camera = this.#flight?.to ?? this.#camera;
    const least = Math.min(isTouch() ? 40 : 24, 0.95 * Math.min(stage.width / this.scene.files, stage.height / this.scene.ranks));
    const factor = Math.max(1, least / (camera.scale * this.scene.square));
    const to = revealing(zoomed(camera, factor, stage.width / 2, stage.height / 2), this.scene, tile, stage);
    if (to.x === camera.x && to.y === camera.y && to.scale === camera.scale) return false;
    this.#go(to, { jump });
    return true;
  }

  /** Ends what moves by itself where it would end. */
  settle() {
    if (this.#flight) this.#camera = this.#flight.to;
    this.#flight = undefined;
    this.#motion = undefined;
    this.#drawn = undefined;
    this.redraw();
  }

  redraw() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#paint();
    });
  }

  // Places and points.

  /** The place under a point of the canvas. @param {number} x @param {number} y @returns {Spot | undefined} */
  placeAt(x, y) {
    if (!this.#scene) return undefined;
    const { square, files, ranks, flipped, tiles } = this.#scene;
    const { x: left, y: top, scale } = this.#camera;
    const [px, py] = [left + x / scale, top + y / scale];
    const tile = tiles.find((one) => px >= one.x && py >= one.y && px < one.x + files * square && py < one.y + ranks * square);
    if (!tile) return undefined;
    const [column, row] = [Math.floor((px - tile.x) / square), Math.floor((py - tile.y) / square)];
    return { timeline: tile.timeline, halfTurn: tile.halfTurn, square: flipped ? [files - 1 - column, row] : [column, ranks - 1 - row], tile };
  }

  /** The point of the canvas for a place: the middle of its square. @param {Place} place @returns {[number, number]} */
  pointOf({ timeline, halfTurn, square: [file, rank] }) {
    const tile = this.tile(timeline, halfTurn);
    if (!tile) return [0, 0];
    return this.#pointAt(tile, [file, rank], this.#flight?.to);
  }

  /** The middle of a square as a point of the canvas: where it is now, unless another camera is given. @param {Tile} tile @param {readonly [number, number]} square @returns {[number, number]} */
  #pointAt(tile, [file, rank], camera = this.#camera) {
    const [x, y] = this.#squareAt(tile, file, rank);
    const half = this.scene.square / 2;
    return [(x + half - camera.x) * camera.scale, (y + half - camera.y) * camera.scale];
  }

  /** @param {Tile} tile @param {number} file @param {number} rank @returns {[number, number]} */
  #squareAt(tile, file, rank) {
    const { square, files, ranks, flipped } = this.scene;
    const [column, row] = flipped ? [files - 1 - file, rank] : [file, ranks - 1 - rank];
    return [tile.x + column * square, tile.y + row * square];
  }

  /** @param {Tile} tile @param {number} index @returns {[number, number]} */
  #squareOf(tile, index) {
    return this.#squareAt(tile, index % this.scene.files, Math.floor(index / this.scene.files));
  }

  /** @param {Tile} tile @param {readonly [number, number]} square */
  pieceAt(tile, [file, rank]) {
    const letter = tile.pieces[rank * this.scene.files + file];
    return letter === '.' ? undefined : letter;
  }

  /** @param {HTMLCanvasElement} overview */
  #listenToOverview(overview) {
    const jump = (/** @type {PointerEvent} */ event) => {
      if (event.buttons !== 1 || !this.#scene) return;
      const box = overview.getBoundingClientRect();
      const scale = Math.min(box.width / this.#scene.width, box.height / this.#scene.height);
      const { scale: own } = this.#camera;
      this.#flight = undefined;
      this.#chosen = true;
      this.#camera = inside(
        { scale: own, x: (event.clientX - box.left) / scale - this.#canvas.clientWidth / own / 2, y: (event.clientY - box.top) / scale - this.#canvas.clientHeight / own / 2 },
        this.#scene,
        this.stage,
      );
      this.redraw();
      this.#tell('sight', {});
    };
    overview.addEventListener('pointerdown', jump);
    overview.addEventListener('pointermove', jump);
  }

  /** @param {string} name @param {object} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** The board out of sight to which a mark at the edge points that is under a point of the canvas: of several in one direction the nearest. @param {number} x @param {number} y @returns {Tile | undefined} */
  pointerAt(x, y) {
    if (!this.#scene) return undefined;
    const reach = isTouch() ? 22 : 13;
    const marks = this.outOfSight().slice(0, POINTERS).filter((one) => Math.hypot(one.x - x, one.y - y) <= reach);
    const { files, ranks, square } = this.scene;
    const [middleX, middleY] = [this.#camera.x + this.stage.width / 2 / this.#camera.scale, this.#camera.y + this.stage.height / 2 / this.#camera.scale];
    const distance = (/** @type {Tile} */ tile) => Math.hypot(tile.x + (files * square) / 2 - middleX, tile.y + (ranks * square) / 2 - middleY);
    const alike = marks.filter(({ kind }) => kind === marks[0].kind).map(({ tile }) => tile);
    return alike.sort((one, other) => distance(one) - distance(other))[0];
  }

  /** The boards out of sight that the selected piece can reach, or with a king in check, or that must be played or were made by the last action: where they are beyond the edge. After the end of a game nothing is to be played. */
  outOfSight() {
    const { square, files, ranks, tiles } = this.scene;
    const { width, height } = this.stage;
    const reached = new Set(this.marks.targets.map(({ timeline, halfTurn }) => this.tile(timeline, halfTurn)));
    // A king in check comes first, wherever it stands.
    const threatened = tiles.filter((tile) => tile.threatened.length > 0);
    const others = [...tiles.filter(({ duty }) => duty === 'must'), ...this.marks.news.filter(({ duty }) => duty !== 'must')].filter((tile) => !threatened.includes(tile));
    const wanted = reached.size > 0 ? tiles.filter((tile) => reached.has(tile)) : this.marks.over ? [] : [...threatened, ...others];
    const { x: cameraX, y: cameraY, scale } = this.#camera;
    const isInside = (/** @type {number} */ x, /** @type {number} */ y) => x >= 0 && y >= STRIP && x <= width && y <= height;
    /** Half of a board must be in sight, or a square that the piece can reach. @param {Tile} tile @param {{ left: number, top: number, right: number, bottom: number }} area */
    const isSeen = (tile, { left, top, right, bottom }) => {
      if (reached.size > 0) return this.marks.targets.some(({ timeline, halfTurn, square: at }) => timeline === tile.timeline && halfTurn === tile.halfTurn && isInside(...this.#pointAt(tile, at)));
      const seen = Math.max(0, Math.min(right, width) - Math.max(left, 0)) * Math.max(0, Math.min(bottom, height) - Math.max(top, STRIP));
      return 2 * seen >= (right - left) * (bottom - top) || (left <= 0 && right >= width) || (top <= STRIP && bottom >= height);
    };
    /** The end of a board that is beyond the edge; its middle, if none is or both are. */
    const beyond = (/** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ least, /** @type {number} */ most) => (low < least === high > most ? (low + high) / 2 : low < least ? low : high);
    return wanted.flatMap((tile) => {
      const [left, top] = [(tile.x - cameraX) * scale, (tile.y - cameraY) * scale];
      const area = { left, top, right: left + files * square * scale, bottom: top + ranks * square * scale };
      if (isSeen(tile, area)) return [];
      const [x, y] = [beyond(left, area.right, 0, width), beyond(top, area.bottom, STRIP, height)];
      return [{ tile, x: Math.min(Math.max(x, this.scene.rows.length > 1 ? 50 : 16), width - 16), y: Math.min(Math.max(y, STRIP + 16), height - 16), angle: Math.atan2(y - height / 2, x - width / 2), kind: /** @type {'target' | 'check' | 'duty' | 'news'} */ (reached.has(tile) ? 'target' : tile.threatened.length > 0 ? 'check' : tile.duty === 'must' ? 'duty' : 'news') }];
    });
  }

  // Painting.

  /** Puts a piece on a square that was coloured. @param {CanvasRenderingContext2D} context @param {string} letter @param {number} size @param {number} x @param {number} y */
  #put(context, letter, size, x, y) {
    const { square } = this.scene;
    if (size < 40) {
      context.drawImage(this.#piece(letter, size), x, y, square, square);
      return;
    }
    context.save();
    context.translate(x, y);
    drawPiece(context, letter, this.#colors, this.#set, size / square);
    context.restore();
  }

  /** A piece as an image of so many pixels. @param {string} letter @param {number} size */
  #piece(letter, size) {
    const key = `${letter}${size}`;
    let image = this.#pieces.get(key);
    if (!image) {
      image = new OffscreenCanvas(size, size);
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (image.getContext('2d'));
      context.scale(size / 60, size / 60);
      drawPiece(context, letter, this.#colors, this.#set, size / 60);
      this.#pieces.set(key, image);
    }
    return image;
  }

  /** The image of a board, if it is there or there is time to paint it. @param {Tile} tile @param {number} size @param {boolean} mayPaint */
  #board(tile, size, mayPaint) {
    const scene = this.scene;
    const key = `${size.toFixed(3)} ${tile.white} ${tile.active} ${scene.flipped} ${scene.files} ${tile.pieces}`;
    let image = this.#boards.get(key);
    if (image) {
      // The ones used last stay.
      this.#boards.delete(key);
      this.#boards.set(key, image);
      return image;
    }
    if (!mayPaint) return undefined;
    const { files, ranks, frame, square, flipped } = scene;
    const unit = size / square;
    const [width, height] = [files * square + 2 * frame, ranks * square + 2 * frame];
    image = new OffscreenCanvas(Math.max(1, Math.round(width * unit)), Math.max(1, Math.round(height * unit)));
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (image.getContext('2d'));
    context.scale(image.width / width, image.height / height);
    const colors = this.#colors;
    context.fillStyle = tile.white ? colors.frameWhite : colors.frameBlack;
    context.beginPath();
    context.roundRect(0, 0, width, height, 10);
    context.fill();
    context.strokeStyle = tile.white ? colors.edgeWhite : colors.edgeBlack;
    context.lineWidth = 3;
    context.beginPath();
    context.roundRect(1.5, 1.5, width - 3, height - 3, 9);
    context.stroke();
    context.translate(frame, frame);
    context.fillStyle = tile.active ? colors.light : colors.lightOff;
    context.fillRect(0, 0, files * square, ranks * square);
    context.fillStyle = tile.active ? colors.dark : colors.darkOff;
    /** @type {(file: number, rank: number) => [number, number]} */
    const corner = (file, rank) => (flipped ? [(files - 1 - file) * square, rank * square] : [file * square, (ranks - 1 - rank) * square]);
    for (let rank = 0; rank < ranks; rank++) {
      for (let file = 0; file < files; file++) {
        if ((file + rank) % 2 === 0) context.fillRect(...corner(file, rank), square, square);
      }
    }
    const sprite = Math.round(size);
    for (let index = 0; index < tile.pieces.length; index++) {
      const letter = tile.pieces[index];
      if (letter === '.') continue;
      const [x, y] = corner(index % files, Math.floor(index / files));
      if (size < 7) {
        context.fillStyle = isWhite(letter) ? colors.white : colors.black;
        context.fillRect(x + 12, y + 12, 36, 36);
      } else if (size < 40) {
        context.drawImage(this.#piece(letter, sprite), x, y, square, square);
      } else {
        context.save();
        context.translate(x, y);
        drawPiece(context, letter, colors, this.#set, unit);
        context.restore();
      }
    }
    if (size >= 26) {
      // The frame is narrow: names of files and ranks fill it, and no more than that.
      context.font = `600 ${Math.min(17, (12 * devicePixelRatio) / unit)}px ${FONT}`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillStyle = tile.white ? colors.textWhite : colors.textBlack;
      for (let file = 0; file < files; file++) {
        context.fillText(String.fromCharCode(97 + file), corner(file, 0)[0] + square / 2, ranks * square + frame / 2);
      }
      for (let rank = 0; rank < ranks; rank++) {
        context.fillText(String(rank + 1), -frame / 2, corner(0, rank)[1] + square / 2);
      }
    }
    this.#boards.set(key, image);
    if (this.#boards.size > KEPT) this.#boards.delete(/** @type {string} */ (this.#boards.keys().next().value));
    return image;
  }

  /** Moves on what moves by itself; whether something still does. @param {number} now */
  #advance(now) {
    if (this.#flight) {
      const part = Math.min(1, (now - this.#flight.start) / MOTION);
      this.#camera = between(this.#flight.from, this.#flight.to, part);
      if (part >= 1) {
        this.#camera = this.#flight.to;
        this.#flight = undefined;
        this.#drawn = undefined;
      }
    }
    if (this.#motion && now - this.#motion.start >= MOTION) this.#motion = undefined;
    return this.#flight !== undefined || this.#motion !== undefined;
  }

  #paint() {
    const scene = this.#scene;
    const context = this.#context;
    const start = performance.now();
    const isMoving = this.#advance(start);
    const ratio = this.#canvas.width / Math.max(1, this.#canvas.clientWidth);
    const colors = this.#colors;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colors.ground;
    context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    if (!scene) return;
    const { x: left, y: top } = this.#camera;
    const scale = this.#camera.scale * ratio;
    const toScene = () => context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    toScene();
    const [px, py, pw, ph] = scene.presentArea;
    context.fillStyle = colors.present;
    context.beginPath();
    context.roundRect(px, py, pw, ph, 18);
    context.fill();

    context.lineWidth = Math.max(10, 2 / this.#camera.scale);
    context.lineCap = 'round';
    context.lineJoin = 'round';
    scene.rows.forEach((row, index) => {
      context.strokeStyle = row.active ? colors.line : colors.lineOff;
      context.setLineDash(row.active ? [] : [2, 20]);
      context.stroke(this.#paths[index]);
    });
    context.setLineDash([]);

    const { square, frame, files, ranks } = scene;
    this.#drawn ??= Math.max(1, square * scale);
    const size = this.#drawn;
    const sprite = Math.max(2, Math.round(square * scale));
    const [width, height] = [files * square, ranks * square];
    const [right, bottom] = [left + this.#canvas.clientWidth / this.#camera.scale, top + this.#canvas.clientHeight / this.#camera.scale];
    let missing = false;
    context.imageSmoothingEnabled = true;
    const part = this.#motion ? 1 - (1 - Math.min(1, (start - this.#motion.start) / MOTION)) ** 3 : 1;
    const arriving = new Map(this.#motion?.boards.map(({ tile, from }) => [tile, from]));
    for (const tile of [...scene.tiles, ...this.marks.ghosts]) {
      const [x0, y0] = [tile.x - frame, tile.y - frame];
      if (x0 > right || y0 - 50 > bottom || tile.x + width + frame < left || tile.y + height + frame < top) continue;
      const from = arriving.get(tile);
      const ghost = this.marks.ghosts.includes(tile);
      const [x, y] = from ? [x0 + (from.x - tile.x) * (1 - part), y0 + (from.y - tile.y) * (1 - part)] : [x0, y0];
      if (tile.duty !== 'none' && !ghost && !this.marks.over) {
        context.strokeStyle = colors.must;
        // The frame has two to five pixels.
        const wide = Math.max(2.5 / this.#camera.scale, Math.min(10, 5 / this.#camera.scale));
        context.lineWidth = wide;
        context.setLineDash(tile.duty === 'may' ? [24, 16] : []);
        context.beginPath();
        context.roundRect(x - wide / 2, y - wide / 2, width + 2 * frame + wide, height + 2 * frame + wide, 12);
        context.stroke();
        context.setLineDash([]);
      }
      context.globalAlpha = ghost ? 0.5 : from ? 0.35 + 0.65 * part : 1;
      const image = this.#board(tile, size, performance.now() - start < PAINTING);
      if (image) {
        // Whole pixels keep it from being blurred.
        context.setTransform(1, 0, 0, 1, 0, 0);
        const [dx, dy] = [Math.round((x - left) * scale), Math.round((y - top) * scale)];
        if (Math.abs(size - square * scale) < 0.001) context.drawImage(image, dx, dy);
        else context.drawImage(image, dx, dy, (width + 2 * frame) * scale, (height + 2 * frame) * scale);
        toScene();
      } else {
        missing = true;
        context.fillStyle = tile.white ? colors.frameWhite : colors.frameBlack;
        context.fillRect(x, y, width + 2 * frame, height + 2 * frame);
        context.fillStyle = colors.light;
        context.fillRect(x + frame, y + frame, width, height);
      }
      context.globalAlpha = 1;
      if (!from && scale > 0.04) this.#paintSquares(context, tile, sprite);
    }
    this.#paintTails(context);
    this.#paintMarks(context, sprite);
    this.#paintArrows(context);
    this.#paintSlides(context, sprite, part);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#paintWords(context);
    const { drag } = this.marks;
    if (drag) {
      const side = Math.max(40, square * this.#camera.scale) * 1.12;
      context.save();
      context.translate(drag.x - side / 2, drag.y - side * (isTouch() ? 0.95 : 0.5));
      context.scale(side / 60, side / 60);
      context.shadowColor = '#0007';
      context.shadowBlur = 14;
      drawPiece(context, drag.letter, colors, this.#set, side / 60);
      context.restore();
    }
    if (missing || isMoving) this.redraw();
    this.#paintOverview();
    if (!missing && !isMoving) this.#tell('painted', { milliseconds: performance.now() - start });
  }

  /** The squares of the last moves, and those of royal pieces in danger. @param {CanvasRenderingContext2D} context @param {Tile} tile @param {number} size */
  #paintSquares(context, tile, size) {
    const { square } = this.scene;
    const colors = this.#colors;
    for (const [file, rank] of tile.touched) {
      const [x, y] = this.#squareAt(tile, file, rank);
      context.fillStyle = colors.touched;
      context.fillRect(x, y, square, square);
      const letter = this.pieceAt(tile, [file, rank]);
      if (letter && size >= 7) this.#put(context, letter, size, x, y);
    }
    for (const [file, rank] of tile.threatened) {
      const [x, y] = this.#squareAt(tile, file, rank);
      const [cx, cy] = [x + square / 2, y + square / 2];
      const glow = context.createRadialGradient(cx, cy, square * 0.1, cx, cy, square * 0.75);
      glow.addColorStop(0, '#ff2a1c');
      glow.addColorStop(0.55, '#e6231599');
      glow.addColorStop(1, '#e6231500');
      context.fillStyle = this.marks.mated ? colors.check : glow;
      context.fillRect(x, y, square, square);
      const letter = this.pieceAt(tile, [file, rank]);
      if (letter && size >= 7) this.#put(context, letter, size, x, y);
      if (this.marks.mated && size >= 14) {
        context.fillStyle = colors.check;
        context.strokeStyle = '#fff';
        context.lineWidth = 3;
        context.beginPath();
        context.arc(x + square - 6, y + 6, 15, 0, 7);
        context.fill();
        context.stroke();
        context.fillStyle = '#fff';
        context.font = `700 22px ${FONT}`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillText('#', x + square - 6, y + 7);
      }
    }
  }

  /** The arrow after the last board of each timeline, clear of its frame. @param {CanvasRenderingContext2D} context */
  #paintTails(context) {
    const { square, files, ranks, frame, rows } = this.scene;
    this.#lasts.forEach((tile, index) => {
      const [x, y] = [tile.x + files * square + frame + 14, tile.y + (ranks * square) / 2];
      const active = rows[index]?.active !== false;
      context.strokeStyle = active ? this.#colors.line : this.#colors.lineOff;
      context.lineWidth = Math.max(10, 2 / this.#camera.scale);
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + 34, y);
      context.moveTo(x + 18, y - 17);
      context.lineTo(x + 35, y);
      context.lineTo(x + 18, y + 17);
      context.stroke();
    });
  }

  /** @param {CanvasRenderingContext2D} context @param {number} size @param {number} part */
  #paintSlides(context, size, part) {
    if (!this.#motion) return;
    for (const { letter, from, to } of this.#motion.slides) {
      const [x0, y0] = this.#squareOf(from.tile, from.index);
      const [x1, y1] = this.#squareOf(to.tile, to.index);
      this.#cover(context, to.tile, to.index);
      this.#put(context, letter, size, x0 + (x1 - x0) * part, y0 + (y1 - y0) * part);
    }
  }

  /** Hides what stands on a square. @param {CanvasRenderingContext2D} context @param {Tile} tile @param {number} index */
  #cover(context, tile, index) {
    const { files, square } = this.scene;
    const isDark = ((index % files) + Math.floor(index / files)) % 2 === 0;
    const [x, y] = this.#squareOf(tile, index);
    context.fillStyle = isDark ? (tile.active ? this.#colors.dark : this.#colors.darkOff) : tile.active ? this.#colors.light : this.#colors.lightOff;
    context.fillRect(x, y, square, square);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} size */
  #paintMarks(context, size) {
    const { square } = this.scene;
    const { selected, targets, cursor, hovered, movable, clues, drag, aim } = this.marks;
    /** @param {Place} place @returns {[number, number, Tile] | undefined} */
    const at = (place) => {
      const tile = this.tile(place.timeline, place.halfTurn);
      return tile && [...this.#squareAt(tile, ...place.square), tile];
    };
    /** @param {Place | undefined} place @param {string} color @param {number} width */
    const box = (place, color, width) => {
      const found = place && at(place);
      if (!found) return;
      context.strokeStyle = color;
      context.lineWidth = width;
      context.strokeRect(found[0] + width / 2, found[1] + width / 2, square - width, square - width);
    };
    if (size >= 14) {
      context.fillStyle = this.#colors.planned;
      context.globalAlpha = 0.75;
      for (const place of movable) {
        const found = at(place);
        if (!found) continue;
        const [x, y] = found;
        context.beginPath();
        context.moveTo(x, y + square);
        context.lineTo(x + 13, y + square);
        context.lineTo(x, y + square - 13);
        context.fill();
      }
      context.globalAlpha = 1;
    }
    if (selected) {
      const found = at(selected);
      if (found) {
        context.fillStyle = this.#colors.touched;
        context.fillRect(found[0], found[1], square, square);
        const letter = this.pieceAt(found[2], selected.square);
        context.globalAlpha = drag ? 0.35 : 1;
        if (letter) {
          if (drag) {
            this.#cover(context, found[2], selected.square[1] * this.scene.files + selected.square[0]);
            context.fillStyle = this.#colors.touched;
            context.fillRect(found[0], found[1], square, square);
          }
          this.#put(context, letter, size, found[0], found[1]);
        }
        context.globalAlpha = 1;
      }
    }
    for (const target of targets) {
      const found = at(target);
      if (!found) continue;
      const [x, y, tile] = found;
      context.fillStyle = context.strokeStyle = this.#colors.planned;
      context.globalAlpha = target.faint ? 0.5 : 0.92;
      context.beginPath();
      if (this.pieceAt(tile, target.square)) {
        context.lineWidth = 6;
        context.arc(x + square / 2, y + square / 2, square / 2 - 4, 0, 7);
        context.stroke();
      } else {
        context.arc(x + square / 2, y + square / 2, square / 5.5, 0, 7);
        context.fill();
      }
      context.globalAlpha = 1;
    }
    // A frame about the square leaves room for its piece, and is seen on the smallest boards too.
    context.strokeStyle = this.#colors.planned;
    context.lineWidth = Math.min(square / 4, Math.max(7, (2.5 * square) / size));
    for (const place of clues) {
      const found = at(place);
      if (found) context.strokeRect(found[0], found[1], square, square);
    }
    if (aim) {
      box(aim, this.#colors.planned, 6);
    } else if (drag) {
      const over = this.placeAt(drag.x, drag.y);
      if (over && targets.some((target) => samePlace(target, over))) box(over, this.#colors.planned, 6);
    } else if (!isTouch()) {
      box(hovered, this.#colors.row, 4);
    }
    box(cursor, this.#colors.row, 7);
  }

  /** Arrows of the position, of the engine, and what was drawn by hand. Where several lie on each other they are no darker: each strength is a layer, without the stronger ones. @param {CanvasRenderingContext2D} context */
  #paintArrows(context) {
    const { shaft } = this.scene;
    const { hints, threats } = this.marks;
    const thought = (/** @type {Hint[]} */ list, /** @type {string} */ usual) => list.map(({ line, tip, strength, color = usual }) => ({ line, tip, color, strength, width: shaft * (0.5 + 0.4 * strength), dash: [] }));
    const of = (/** @type {string} */ kind) => this.#colors[/** @type {'made' | 'check' | 'planned'} */ (kind)];
    /** @type {Stroke[]} */
    const all = [
      ...thought(hints, SHAPE_COLORS.blue),
      ...thought(threats, SHAPE_COLORS.red),
      ...this.#arrows.map(({ kind, line, tip }) => ({ line, tip, color: of(kind), strength: 1, width: shaft * 0.8, dash: kind === 'check' ? [24, 12] : [] })),
      ...this.marks.shapes.flatMap((shape) => this.#strokeOf(shape) ?? []),
    ];
    if (all.length === 0) return;
    const { width, height } = this.#canvas;
    if (this.#layer?.canvas.width !== width || this.#layer.canvas.height !== height) this.#layer = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext('2d'));
    const layer = this.#layer;
    const paint = (/** @type {Stroke} */ { line, tip, color, width, dash }) => {
      layer.strokeStyle = layer.fillStyle = color;
      layer.lineWidth = width;
      layer.setLineDash(dash);
      layer.stroke(line);
      if (tip) layer.fill(tip);
    };
    for (const strength of [...new Set(all.map((one) => one.strength))].sort((a, b) => a - b)) {
      layer.globalCompositeOperation = 'source-over';
      layer.setTransform(1, 0, 0, 1, 0, 0);
      layer.clearRect(0, 0, width, height);
      layer.setTransform(context.getTransform());
      layer.lineCap = layer.lineJoin = 'round';
      all.filter((one) => one.strength === strength).forEach(paint);
      layer.globalCompositeOperation = 'destination-out';
      all.filter((one) => one.strength > strength).forEach(paint);
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.globalAlpha = 0.8 * strength;
      context.drawImage(layer.canvas, 0, 0);
      context.restore();
    }
  }

  /** A shape that was drawn by hand, if its boards are there. @param {Shape} shape @returns {Stroke | undefined} */
  #strokeOf({ kind, color, from, to }) {
    const { square, shaft } = this.scene;
    const [first, second] = [this.tile(from.timeline, from.halfTurn), this.tile(to.timeline, to.halfTurn)];
    if (!first || !second) return undefined;
    const [x0, y0] = this.#squareAt(first, ...from.square).map((value) => value + square / 2);
    const [x1, y1] = this.#squareAt(second, ...to.square).map((value) => value + square / 2);
    const width = Math.max(shaft * 0.8, 3 / this.#camera.scale);
    const line = new Path2D();
    const made = { line, color: SHAPE_COLORS[color] ?? SHAPE_COLORS.green, strength: 1, width, dash: [] };
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (kind === 'circle' || length < 1) {
      line.arc(x0, y0, square / 2 - width / 2, 0, 7);
      return made;
    }
    const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
    const long = Math.max(22, width * 2.2);
    line.moveTo(x0 + ux * 14, y0 + uy * 14);
    line.lineTo(x1 - ux * long, y1 - uy * long);
    const tip = new Path2D();
    tip.moveTo(x1, y1);
    tip.lineTo(x1 - ux * long * 1.35 - uy * long * 0.75, y1 - uy * long * 1.35 + ux * long * 0.75);
    tip.lineTo(x1 - ux * long * 1.35 + uy * long * 0.75, y1 - uy * long * 1.35 - ux * long * 0.75);
    return { ...made, tip };
  }

  /** Names of boards, timelines and the present, in pixels of the page. @param {CanvasRenderingContext2D} context */
  #paintWords(context) {
    const { square, frame, files, ranks, rows, tiles } = this.scene;
    const { x: left, y: top, scale } = this.#camera;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const colors = this.#colors;
    const board = (files * square + 2 * frame) * scale;
    context.textBaseline = 'alphabetic';
    context.font = `12px ${FONT}`;
    if (board >= 62 && 50 * scale >= 11) {
      context.textAlign = 'left';
      for (const tile of [...tiles, ...this.marks.ghosts]) {
        const [begin, y] = [(tile.x - frame - left) * scale, (tile.y - frame - top) * scale - (tile.duty === 'none' ? 5 : 9)];
        if (begin > width || begin + board < 0 || y < STRIP || y > height + 20) continue;
        // The name of a board that begins out of sight stays in sight, beside that of its timeline.
        const x = begin < 0 && rows.length > 1 && begin + board > 110 ? 40 : begin;
        context.fillStyle = colors.name;
        context.fillText(this.marks.ghosts.includes(tile) ? words.board.afterPass(tile.label) : tile.label, x, y);
      }
    }
    // The names of timelines stay at the left edge when their beginnings are out of sight.
    const rowHeight = (ranks * square + 2 * frame) * scale;
    if (rowHeight >= 15 && rows.length > 1) {
      rows.forEach((row) => {
        const middle = (row.labelY - top) * scale;
        if (middle < STRIP + 8 || middle > height + 10) return;
        context.font = `700 13px ${FONT}`;
        const wide = Math.max(22, context.measureText(row.label).width + 12);
        const x = Math.max(6, (row.labelX - left) * scale - wide + 8);
        if (x > width) return;
        const covered = x === 6 && board >= 62 && tiles.some((tile) => {
          const begin = (tile.x - frame - left) * scale;
          return begin < x + wide && begin + board > x && Math.abs(tile.y + (ranks * square) / 2 - row.labelY) < 1;
        });
        // A name does not lie on a board: there it stands above it.
        const y = covered ? Math.max(STRIP + 13, middle - rowHeight / 2 - 13) : middle;
        context.fillStyle = row.active ? colors.row : colors.still;
        context.beginPath();
        context.roundRect(x, y - 11, wide, 22, 11);
        context.fill();
        context.fillStyle = colors.ground;
        context.textAlign = 'center';
        context.fillText(row.label, x + wide / 2, y + 4.5);
        if (!row.active && !covered && rowHeight >= 46) {
          context.font = `11px ${FONT}`;
          context.fillStyle = colors.still;
          context.textAlign = 'left';
          context.fillText(words.board.inactive, x, y + 25);
        }
      });
    }
    this.#paintTurns(context);
    const filled = { target: colors.planned, check: colors.check, duty: colors.must, news: colors.row };
    for (const { x, y, angle, kind } of this.outOfSight().slice(0, POINTERS)) {
      context.save();
      context.translate(x, y);
      context.rotate(angle);
      context.fillStyle = filled[kind];
      context.strokeStyle = colors.ground;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(11, 0);
      context.lineTo(-7, -9);
      context.lineTo(-7, 9);
      context.closePath();
      context.stroke();
      context.fill();
      context.restore();
    }
  }

  /** The strip with the names of the turns. @param {CanvasRenderingContext2D} context */
  #paintTurns(context) {
    const { square, files, tiles, presentArea, present } = this.scene;
    const { x: left, scale } = this.#camera;
    const { clientWidth: width } = this.#canvas;
    const colors = this.#colors;
    context.fillStyle = colors.ground;
    context.fillRect(0, 0, width, STRIP);
    context.strokeStyle = colors.lineOff;
    context.lineWidth = 1;
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(0, STRIP - 0.5);
    context.lineTo(width, STRIP - 0.5);
    context.stroke();
    context.globalAlpha = 1;
    context.textAlign = 'center';
    const [px, , pw] = presentArea;
    const middle = (px + pw / 2 - left) * scale;
    context.font = `600 12px ${FONT}`;
    const text = width < 500 || pw * scale < 110 ? present : words.board.present(present);
    const wide = context.measureText(text).width + 18;
    // The present stays at the edge when it is out of sight.
    const x = Math.min(Math.max(middle - wide / 2, 4), width - wide - 4);
    const columns = new Map(tiles.map((tile) => [tile.x, tile]));
    context.font = `12px ${FONT}`;
    context.fillStyle = colors.still;
    let free = -Infinity;
    for (const [at, tile] of [...columns].sort((a, b) => a[0] - b[0])) {
      const center = (at + (files * square) / 2 - left) * scale;
      const name = turnName(tile);
      if (center < 0 || center > width || center - 18 < free || name === present || (center + 20 > x && center - 20 < x + wide)) continue;
      context.fillText(name, center, 16.5);
      free = center + 20;
    }
    context.fillStyle = colors.ground;
    context.beginPath();
    context.roundRect(x, 2, wide, 20, 10);
    context.fill();
    context.fillStyle = colors.present;
    context.fill();
    context.fillStyle = colors.now;
    context.font = `600 12px ${FONT}`;
    context.fillText(text, x + wide / 2, 16.5);
  }

  #paintOverview() {
    const canvas = this.#overview;
    if (!canvas) return;
    const scene = this.scene;
    const parent = /** @type {HTMLElement} */ (canvas.parentElement);
    const { x: left, y: top, scale: own } = this.#camera;
    const [width, height] = [this.#canvas.clientWidth / own, this.#canvas.clientHeight / own];
    const most = Math.min(OVERVIEW.width, Math.max(40, parent.clientWidth - 24));
    const scale = Math.min(most / scene.width, within(parent.clientHeight - 16, 40, OVERVIEW.height) / scene.height);
    const [clientWidth, clientHeight] = [Math.max(12, scene.width * scale), Math.max(12, scene.height * scale)];
    canvas.style.width = `${clientWidth}px`;
    canvas.style.height = `${clientHeight}px`;
    const ratio = devicePixelRatio || 1;
    if (!this.#overviewImage) {
      const image = new OffscreenCanvas(Math.max(1, Math.round(clientWidth * ratio)), Math.max(1, Math.round(clientHeight * ratio)));
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (image.getContext('2d'));
      context.scale(scale * ratio, scale * ratio);
      context.fillStyle = this.#colors.present;
      context.fillRect(...scene.presentArea);
      const [w, h] = [scene.files * scene.square + 2 * scene.frame, scene.ranks * scene.square + 2 * scene.frame];
      for (const tile of scene.tiles) {
        context.fillStyle = tile.white ? this.#colors.frameWhite : this.#colors.frameBlack;
        context.fillRect(tile.x - scene.frame, tile.y - scene.frame, w, h);
        context.strokeStyle = this.#colors.edgeWhite;
        context.lineWidth = 1 / scale;
        context.strokeRect(tile.x - scene.frame, tile.y - scene.frame, w, h);
        /** @param {string} color @param {number} part */
        const dot = (color, part) => {
          context.fillStyle = color;
          context.fillRect(tile.x - scene.frame + (w * (1 - part)) / 2, tile.y - scene.frame + (h * (1 - part)) / 2, w * part, h * part);
        };
        // A board can both be played and have a king in danger.
        if (tile.duty !== 'none' && !this.marks.over) dot(this.#colors.must, 0.6);
        if (tile.threatened.length > 0) dot(this.#colors.check, 0.35);
      }
      this.#overviewImage = image;
    }
    if (canvas.width !== this.#overviewImage.width || canvas.height !== this.#overviewImage.height) {
      canvas.width = this.#overviewImage.width;
      canvas.height = this.#overviewImage.height;
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.#overviewImage, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = this.#colors.planned;
    context.lineWidth = 2;
    // What is in sight is framed as far as the overview goes.
    const [x0, y0] = [Math.max(1, left * scale), Math.max(1, top * scale)];
    const [x1, y1] = [Math.min(clientWidth - 1, (left + width) * scale), Math.min(clientHeight - 1, (top + height) * scale)];
    context.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }

  /** The part in sight as a PNG. @returns {Promise<Blob>} */
  png() {
    this.#paint();
    return new Promise((settle, fail) => this.#canvas.toBlob((blob) => (blob ? settle(blob) : fail(new Error(words.errors.noPicture)))));
  }
}
