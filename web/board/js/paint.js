// @ts-check
// Colours and pieces. Both are those of the library's pictures: colours are read from their style, which the themes of the page's own style change.

import { pictureStyle, pieces } from '../worldlines/browser.js';
import { svg } from './dom.js';
import { words } from './language.js';

const drawings = new Map(
  pieces().map(({ letter, body, lines, eye }) => [letter, { body, lines, bodyPath: new Path2D(body), linesPath: new Path2D(lines), eye }]),
);

/** @param {string} letter */
const drawing = (letter) => {
  const found = drawings.get(letter.toUpperCase());
  if (!found) throw new Error(`there is no piece ${letter}`);
  return found;
};

/** @param {string} letter */
export const isWhite = (letter) => letter === letter.toUpperCase();

/** `white king` of a letter. @param {string} letter */
export const pieceName = (letter) => words.piece(letter.toUpperCase(), isWhite(letter));

/** The style of pictures in the chosen colours: of its own accord it knows only what the system says. @param {'system' | 'light' | 'dark'} choice */
export function styleOf(choice) {
  const whole = pictureStyle();
  const at = whole.indexOf('@media (prefers-color-scheme:dark){');
  if (choice === 'system' || at < 0) return whole;
  const dark = whole.slice(whole.indexOf('{', at) + 1, whole.lastIndexOf('}'));
  return choice === 'dark' ? whole.slice(0, at) + dark : whole.slice(0, at);
}

/** @typedef {ReturnType<typeof palette>} Colors */

/** The colours that the style has now. */
export function palette() {
  const root = svg('svg', { class: 'wl hidden' });
  /** @param {string} path @param {'fill' | 'stroke'} property */
  const probe = (path, property) => {
    /** @type {Element} */
    let parent = root;
    for (const name of path.split(' ')) {
      const part = name === 'text' ? svg(name, {}) : svg('g', { class: name.replaceAll('.', ' ') });
      parent.append(part);
      parent = part;
    }
    return () => {
      const style = getComputedStyle(parent);
      const color = style[property];
      const opacity = property === 'fill' ? Number(style.fillOpacity) : 1;
      return opacity < 1 ? color.replace('rgb(', 'rgba(').replace(')', `, ${opacity})`) : color;
    };
  };
  const wanted = {
    ground: probe('ground', 'fill'),
    present: probe('present', 'fill'),
    now: probe('now', 'fill'),
    line: probe('line', 'stroke'),
    lineOff: probe('line.off', 'stroke'),
    row: probe('row', 'fill'),
    still: probe('still', 'fill'),
    name: probe('name', 'fill'),
    frameWhite: probe('w frame', 'fill'),
    frameBlack: probe('b frame', 'fill'),
    edgeWhite: probe('w frame', 'stroke'),
    edgeBlack: probe('b frame', 'stroke'),
    textWhite: probe('wl-w text', 'fill'),
    textBlack: probe('wl-b text', 'fill'),
    must: probe('must', 'stroke'),
    light: probe('wl-sl', 'fill'),
    dark: probe('wl-sd', 'fill'),
    lightOff: probe('wl-off wl-sl', 'fill'),
    darkOff: probe('wl-off wl-sd', 'fill'),
    touched: probe('touched', 'fill'),
    danger: probe('danger', 'fill'),
    white: probe('wl-pw', 'fill'),
    whiteEdge: probe('wl-pw', 'stroke'),
    black: probe('wl-pb', 'fill'),
    blackEdge: probe('wl-pb', 'stroke'),
    blackLines: probe('wl-pb wl-pl', 'stroke'),
    made: probe('made tip', 'fill'),
    check: probe('check tip', 'fill'),
    planned: probe('plan tip', 'fill'),
  };
  document.body.append(root);
  const colors = /** @type {Record<keyof typeof wanted, string>} */ (Object.fromEntries(Object.entries(wanted).map(([name, read]) => [name, read()])));
  root.remove();
  if (matchMedia('(forced-colors: active)').matches) Object.assign(colors, forced());
  return colors;
}

/** The colours that the user forces on every page. */
function forced() {
  const probe = document.createElement('span');
  probe.style.cssText = 'forced-color-adjust:none';
  document.body.append(probe);
  const color = (/** @type {string} */ name) => {
    probe.style.color = name;
    return getComputedStyle(probe).color;
  };
  const [ground, ink, mark, dim] = ['Canvas', 'CanvasText', 'Highlight', 'GrayText'].map(color);
  probe.remove();
  return { ground, present: ground, now: ink, line: ink, lineOff: dim, row: ink, still: ink, name: ink, must: mark, planned: mark, made: ink, check: mark };
}

/** How pieces look: as figures, or as the letters of notations on discs. @typedef {import('./settings.js').Settings['pieces']} PieceSet */

const FONT = 'system-ui, "Segoe UI", Roboto, sans-serif';

/** The disc of a letter in a square of 60 units: royal pieces have a ring, pawns are smaller. @param {string} letter */
function discOf(letter) {
  const [isPawn, isRoyal] = ['PW', 'KY'].map((letters) => letters.includes(letter.toUpperCase()));
  const radius = isPawn ? 18 : 24;
  return { text: letter.toUpperCase(), radius, ring: isRoyal ? radius - 4 : 0, size: isPawn || isRoyal ? 26 : 30, y: isPawn || isRoyal ? 39.1 : 40.5 };
}

/** @param {any} context @param {string} letter @param {Colors} colors @param {number} scale */
function drawLetter(context, letter, colors, scale) {
  const white = isWhite(letter);
  const { text, radius, ring, size, y } = discOf(letter);
  const ink = white ? colors.whiteEdge : colors.white;
  context.lineWidth = Math.max(2.4, 1.15 / scale);
  context.fillStyle = white ? colors.white : colors.black;
  context.strokeStyle = white ? colors.whiteEdge : colors.blackEdge;
  context.beginPath();
  context.arc(30, 30, radius, 0, 7);
  context.fill();
  context.stroke();
  if (ring > 0) {
    context.strokeStyle = ink;
    context.lineWidth = 2.2;
    context.beginPath();
    context.arc(30, 30, ring, 0, 7);
    context.stroke();
  }
  context.fillStyle = ink;
  context.font = `700 ${size}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.fillText(text, 30, y);
}

/** In squares of fewer pixels pieces are silhouettes. */
const SMALL = 22;

/** Draws a piece in a square of 60 units, of which each has `scale` pixels. @param {any} context @param {string} letter @param {Colors} colors @param {PieceSet} set @param {number} [scale] */
export function drawPiece(context, letter, colors, set, scale = 1) {
  if (set === 'letters') {
    drawLetter(context, letter, colors, scale);
    return;
  }
  const white = isWhite(letter);
  const { bodyPath, linesPath, eye } = drawing(letter);
  if (scale * 60 < SMALL) {
    // A rim of the other colour, and none of the lines within, which would only be grey.
    context.lineJoin = 'round';
    context.strokeStyle = white ? colors.whiteEdge : colors.white;
    context.lineWidth = 2.6 / scale;
    context.stroke(bodyPath);
    context.fillStyle = white ? colors.white : colors.black;
    context.fill(bodyPath);
    return;
  }
  // An outline thinner than a pixel would leave a white piece to drown in a light square.
  const width = Math.max(2.4, 1.15 / scale);
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.fillStyle = white ? colors.white : colors.black;
  context.strokeStyle = white ? colors.whiteEdge : colors.blackEdge;
  context.lineWidth = white ? width : Math.max(2, 0.8 / scale);
  context.fill(bodyPath);
  context.stroke(bodyPath);
  context.strokeStyle = white ? colors.whiteEdge : colors.blackLines;
  context.lineWidth = 2.2;
  context.stroke(linesPath);
  if (eye) {
    context.fillStyle = context.strokeStyle;
    context.beginPath();
    context.arc(eye[0], eye[1], eye[2], 0, 7);
    context.fill();
  }
}

/** A piece as a small picture. @param {string} letter @param {PieceSet} set */
export function pieceImage(letter, set) {
  if (set === 'letters') {
    const { text, radius, ring, size, y } = discOf(letter);
    const [ground, ink] = isWhite(letter) ? ['#fffefa', '#26242c'] : ['#2f2d38', '#fffefa'];
    const disc = svg('circle', { cx: 30, cy: 30, r: radius, fill: ground, stroke: '#121116', 'stroke-width': 2.4 });
    const circle = svg('circle', { cx: 30, cy: 30, r: ring, fill: 'none', stroke: ring > 0 ? ink : 'none', 'stroke-width': 2.2 });
    const name = svg('text', { x: 30, y, fill: ink, 'text-anchor': 'middle', 'font-size': size, 'font-weight': 700, 'font-family': FONT }, document.createTextNode(text));
    return svg('svg', { viewBox: '0 0 60 60', 'aria-hidden': 'true' }, disc, circle, name);
  }
  const { body, lines, eye } = drawing(letter);
  const group = svg('g', { class: isWhite(letter) ? 'wl-pw' : 'wl-pb' }, svg('path', { d: body }), svg('path', { d: lines, class: 'wl-pl' }));
  if (eye) group.append(svg('circle', { cx: eye[0], cy: eye[1], r: eye[2], class: 'wl-pe' }));
  return svg('svg', { viewBox: '0 0 60 60', 'aria-hidden': 'true' }, group);
}
