// @ts-check
// The part of the multiverse that is in sight, as numbers. Lengths of the scene are units; the camera says how many pixels a unit has.

/**
 * @typedef {import('./session.js').Camera} Camera
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Area
 * @typedef {{ width: number, height: number, inset: Area }} Stage
 * @typedef {import('../worldlines/browser.js').Scene} Scene
 * @typedef {Scene['tiles'][number]} Tile
 */

export const LEAST_SCALE = 0.004;
export const MOST_SCALE = 2.5;
/** The largest scale that is taken on its own accord. */
const LARGEST = 1.5;
/** Squares of so many pixels are large enough: what is left of the stage is for other boards. The more timelines, the smaller. */
const COMFORT = { least: 26, most: 56 };
/** Units between two boards. */
const GAP = 72;
/** Squares of so many pixels can be hit with a thumb. */
export const THUMB = 40;
/** Squares of so many pixels can still be played with a mouse. */
const PLAYABLE = 20;
/** Squares of so many pixels can still be read: so small they become, and no smaller, that all boards are in sight that must be played. */
const READABLE = { mouse: 14, touch: 28 };
/** The part of its size that a board keeps at least, when it becomes smaller to stay whole beside the bar of the engine. */
const SLIGHTLY = 0.85;

/** @param {number} value @param {number} least @param {number} most */
export const within = (value, least, most) => Math.min(most, Math.max(least, value));

/** The area of boards with their frames. @param {Scene} scene @param {Tile[]} tiles @returns {Area} */
export function areaOf({ files, ranks, square, frame }, tiles) {
  const area = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of tiles) {
    area.left = Math.min(area.left, x - frame);
    area.top = Math.min(area.top, y - frame);
    area.right = Math.max(area.right, x + files * square + frame);
    area.bottom = Math.max(area.bottom, y + ranks * square + frame);
  }
  return area;
}

/** The camera that has an area in the middle of the free part of the stage. @param {Area} area @param {Stage} stage @param {number} [most] @returns {Camera} */
export function around(area, { width, height, inset }, most = LARGEST) {
  const free = { width: Math.max(60, width - inset.left - inset.right), height: Math.max(60, height - inset.top - inset.bottom) };
  const scale = within(Math.min(free.width / (area.right - area.left), free.height / (area.bottom - area.top)), LEAST_SCALE, most);
  return {
    scale,
    x: (area.left + area.right) / 2 - (inset.left + free.width / 2) / scale,
    y: (area.top + area.bottom) / 2 - (inset.top + free.height / 2) / scale,
  };
}

/** The camera that sees everything. @param {Scene} scene @param {Stage} stage */
export const whole = (scene, stage) => around(areaOf(scene, scene.tiles), stage);

/** Whether two cameras see the same. @param {Camera} one @param {Camera} other */
export const isSame = (one, other) => Math.abs(one.x - other.x) * one.scale < 1 && Math.abs(one.y - other.y) * one.scale < 1 && Math.abs(one.scale / other.scale - 1) < 1e-6;

/** @param {boolean} touch */
const readable = (touch) => (touch ? READABLE.touch : READABLE.mouse);

/**
 * The camera for playing: it sees the boards that can be played, or those that must be and those that the last action made, or one of them. The rest of
 * the stage shows the boards beside them, not emptiness.
 * @param {Scene} scene @param {Stage} stage @param {boolean} [touch] @param {Tile[]} [made]
 */
export function near(scene, stage, touch = false, made = []) {
  const must = scene.tiles.filter(({ duty }) => duty === 'must');
  const may = scene.tiles.filter(({ duty }) => duty !== 'none');
  const threatened = scene.tiles.filter((tile) => tile.threatened.length > 0);
  const last = scene.tiles.slice(-1);
  // Where an action needs several moves, the boards that they make have room already: then none moves on while it is made.
  const room = !touch && must.length > 1 ? scene.files * scene.square + 2 * scene.frame + GAP : 0;
  const wide = (/** @type {Area} */ area) => ({ ...area, right: area.right + room });
  const all = wide(areaOf(scene, scene.tiles));
  // Of more than can be read at once, as many are in sight as can be played: whole, and not the half of one.
  const some = must.slice(0, 12).map((_, index) => must.slice(0, Math.min(12, must.length - 1) - index));
  const news = [...must, ...made];
  const choices = (may.length > 0 ? [[...may, ...threatened], may, ...(made.length > 0 ? [news] : []), must, ...some, may.slice(0, 1)] : [threatened, threatened.slice(0, 1), last]).filter((tiles) => tiles.length > 0);
  const rows = (stage.height - stage.inset.top - stage.inset.bottom) / (all.bottom - all.top);
  // Two boards beside each other, if there are two.
  const columns = (stage.width - stage.inset.left - stage.inset.right) / (scene.tiles.length > 1 ? 2 * (scene.files * scene.square + 2 * scene.frame) + GAP : 1);
  const comfort = within(Math.min(rows, columns), COMFORT.least / scene.square, COMFORT.most / scene.square);
  const most = Math.min(LARGEST, Math.max(touch ? THUMB / scene.square : comfort, around(all, stage).scale));
  const largest = around(areaOf(scene, last), stage, most).scale * scene.square;
  const found = choices
    .map((tiles) => ({ camera: around(wide(areaOf(scene, tiles)), stage, most), least: tiles === must || tiles === news || (touch && some.includes(tiles) && tiles.length > 1) ? readable(touch) : touch ? THUMB : PLAYABLE }))
    .find(({ camera, least }) => camera.scale * scene.square >= Math.min(least, largest) - 0.01);
  const camera = found?.camera ?? around(wide(areaOf(scene, choices[choices.length - 1])), stage, most);
  return filled(camera, all, stage);
}

/**
 * The camera after a move: moved and zoomed out as little as needed, so that boards are in sight. Of several choices, the best one first, it is the
 * first whose squares can be read.
 * @param {Camera} camera @param {Scene} scene @param {Tile[][]} choices @param {Stage} stage @param {boolean} [touch] @returns {Camera}
 */
export function showing(camera, scene, choices, stage, touch = false) {
  // What somebody has made smaller than that stays so.
  const least = Math.min(camera.scale, readable(touch) / scene.square);
  const areas = choices.filter((tiles) => tiles.length > 0).map((tiles) => areaOf(scene, tiles));
  const scaleOf = (/** @type {Area} */ area) => around(area, stage, camera.scale).scale;
  const area = areas.find((one) => scaleOf(one) >= least - 1e-9) ?? areas[areas.length - 1];
  if (!area) return camera;
  const factor = Math.max(least, scaleOf(area)) / camera.scale;
  return moved(zoomed(camera, factor, stage.width / 2, stage.height / 2), area, stage);
}

/** The camera without more emptiness than there must be. @param {Camera} camera @param {Scene} scene @param {Stage} stage */
export const settled = (camera, scene, stage) => filled(camera, areaOf(scene, scene.tiles), stage);

/** Moved so that the stage is as full as it can be. @param {Camera} camera @param {Area} all @param {Stage} stage @returns {Camera} */
function filled({ x, y, scale }, all, { width, height, inset }) {
  const along = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ from, /** @type {number} */ to) => {
    const [least, most] = [low - from / scale, high - to / scale];
    return least > most ? (least + most) / 2 : within(at, least, most);
  };
  return { scale, x: along(x, all.left, all.right, inset.left, width - inset.right), y: along(y, all.top, all.bottom, inset.top, height - inset.bottom) };
}

/**
 * The camera after a change of the stage: its middle stays in the middle, and boards that were whole stay so, if that needs no more than a move, and one
 * of them if it becomes a little smaller. On a stage that has become much smaller the boards do so too.
 * @param {Camera} camera @param {Scene} scene @param {Stage} before @param {Stage} stage @returns {Camera}
 */
export function resized(camera, scene, before, stage) {
  if (before.width <= 0 || before.height <= 0) return inside(camera, scene, stage);
  const centred = { ...camera, x: camera.x + (before.width - stage.width) / 2 / camera.scale, y: camera.y + (before.height - stage.height) / 2 / camera.scale };
  const factor = Math.min(stage.width / before.width, stage.height / before.height);
  const to = factor < 0.7 ? zoomed(centred, factor, stage.width / 2, stage.height / 2) : centred;
  const seen = scene.tiles.filter((tile) => isWithin(camera, areaOf(scene, [tile]), before));
  const choices = [seen, seen.filter(({ duty }) => duty !== 'none'), seen.filter(({ duty }) => duty === 'must').slice(0, 1), seen.slice(-1)].filter((tiles) => tiles.length > 0);
  const areas = choices.map((tiles) => areaOf(scene, tiles));
  const scaleOf = (/** @type {Area} */ area) => around(area, stage, to.scale).scale;
  const area = areas.find((one) => scaleOf(one) >= to.scale - 1e-9);
  if (area) return inside(moved(to, area, stage), scene, stage);
  // A single board that lacks a little room becomes a little smaller.
  const one = areas[areas.length - 1];
  if (!one || scaleOf(one) < SLIGHTLY * to.scale) return inside(to, scene, stage);
  return inside(moved(zoomed(to, scaleOf(one) / to.scale, stage.width / 2, stage.height / 2), one, stage), scene, stage);
}

/** Whether a camera sees the whole of an area. @param {Camera} camera @param {Area} area @param {Stage} stage */
function isWithin(camera, area, stage) {
  const there = moved(camera, area, stage);
  return Math.abs(there.x - camera.x) * camera.scale < 1 && Math.abs(there.y - camera.y) * camera.scale < 1;
}

/** Zooms, with the point (x, y) of the stage where it is. @param {Camera} camera @param {number} factor @param {number} x @param {number} y @returns {Camera} */
export function zoomed(camera, factor, x, y) {
  const scale = within(camera.scale * factor, LEAST_SCALE, MOST_SCALE);
  return { scale, x: camera.x + x / camera.scale - x / scale, y: camera.y + y / camera.scale - y / scale };
}

/** Moved so far that a board is in sight. @param {Camera} camera @param {Scene} scene @param {Tile} tile @param {Stage} stage @returns {Camera} */
export const revealing = (camera, scene, tile, stage) => moved(camera, areaOf(scene, [tile]), stage);

/** Moved so far that an area is in sight. @param {Camera} camera @param {Area} area @param {Stage} stage @returns {Camera} */
function moved(camera, area, { width, height, inset }) {
  const along = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ from, /** @type {number} */ to) => {
    const [least, most] = [high - to / camera.scale, low - from / camera.scale];
    // An area that is larger than the stage is put in its middle.
    if (least > most) return (least + most) / 2;
    return within(at, least, most);
  };
  return {
    scale: camera.scale,
    x: along(camera.x, area.left, area.right, inset.left, width - inset.right),
    y: along(camera.y, area.top, area.bottom, inset.top, height - inset.bottom),
  };
}

/** Keeps a camera so near that something is in sight. @param {Camera} camera @param {Scene} scene @param {Stage} stage @returns {Camera} */
export function inside({ x, y, scale }, scene, stage) {
  const [width, height] = [stage.width / scale, stage.height / scale];
  const area = areaOf(scene, scene.tiles);
  return { scale, x: within(x, area.left - width * 0.75, area.right - width * 0.25), y: within(y, area.top - height * 0.75, area.bottom - height * 0.25) };
}

/** A camera between two others; `share` goes from 0 to 1. @param {Camera} from @param {Camera} to @param {number} share @returns {Camera} */
export function between(from, to, share) {
  const eased = 1 - (1 - share) ** 3;
  const scale = from.scale * (to.scale / from.scale) ** eased;
  // The left upper corner goes with the scale, so that what both show moves on a straight line.
  const part = Math.abs(to.scale - from.scale) < 1e-9 ? eased : (1 / scale - 1 / from.scale) / (1 / to.scale - 1 / from.scale);
  return { scale, x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
