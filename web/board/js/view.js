// The multiverse on a canvas. Where everything stands is said by the scene, which the library makes; colours and pieces are those of its
// pictures too. Boards are painted once for each size and content, so that moving about only copies them.

import { pieces } from '../worldlines/browser.js';

const LEAST_SCALE = 0.004;
const MOST_SCALE = 2.5;
const DRAG = 5;
/** Milliseconds for painting new boards in one frame. The rest follows in the next. */
const PAINTING = 9;
const KEPT = 1_500;
/** The widest overview, in pixels. */
const OVERVIEW = 200;
/** The bar at the lower edge covers so many pixels. */
const BAR = 76;
/** While it is zoomed, boards are drawn from the images that are there; this many milliseconds later they are painted anew. */
const CALM = 140;

const drawings = new Map(
  pieces().map(({ letter, name, body, lines, eye }) => [letter, { name, body: new Path2D(body), lines: new Path2D(lines), eye }]),
);

/** `white king` of a letter. */
export function pieceName(letter) {
  const { name } = drawings.get(letter.toUpperCase());
  return `${letter === letter.toUpperCase() ? 'white' : 'black'} ${name}`;
}

export function squareName([file, rank]) {
  return `${String.fromCharCode(97 + file)}${rank + 1}`;
}

/** The colours that the style of pictures has now, light or dark. */
function palette() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'wl');
  svg.style.cssText = 'position:absolute;width:0;height:0;visibility:hidden';
  const probe = (path, property) => {
    let parent = svg;
    for (const name of path.split(' ')) {
      const part = document.createElementNS('http://www.w3.org/2000/svg', 'g');
      part.setAttribute('class', name.replaceAll('.', ' '));
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
  document.body.append(svg);
  const colors = Object.fromEntries(Object.entries(wanted).map(([name, read]) => [name, read()]));
  svg.remove();
  return colors;
}

/** Draws a piece in a square of 60 units. */
export function drawPiece(context, letter, colors) {
  const white = letter === letter.toUpperCase();
  const { body, lines, eye } = drawings.get(letter.toUpperCase());
  context.lineWidth = 2;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.fillStyle = white ? colors.white : colors.black;
  context.strokeStyle = white ? colors.whiteEdge : colors.blackEdge;
  context.fill(body);
  context.stroke(body);
  context.strokeStyle = white ? colors.whiteEdge : colors.blackLines;
  context.stroke(lines);
  if (eye) {
    context.fillStyle = context.strokeStyle;
    context.beginPath();
    context.arc(eye[0], eye[1], eye[2], 0, 7);
    context.fill();
  }
}

export class View extends EventTarget {
  #canvas;
  #context;
  #overview;
  #scene;
  #paths = [];
  #index = new Map();
  #colors;
  #x = 0;
  #y = 0;
  #scale = 0.5;
  #asked = false;
  #boards = new Map();
  #pieces = new Map();
  #pointers = new Map();
  #drag;
  #hovered;
  #overviewImage;
  /** What the boards cover. */
  #bounds = [0, 0, 0, 0];
  #settled = 0;
  /** How many pixels a square has in the images that are drawn, and what makes new ones. */
  #drawn;
  #calm;
  #style = document.createElement('style');
  /** What is marked: the selected place, places to move to, and where the keyboard stands. */
  marks = { selected: undefined, targets: [], cursor: undefined };

  constructor(canvas, overview) {
    super();
    this.#canvas = canvas;
    this.#overview = overview;
    this.#context = canvas.getContext('2d', { alpha: false });
    document.head.append(this.#style);
    this.#recolor();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#recolor());
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#listen();
    this.#resize();
  }

  #recolor() {
    this.#colors = palette();
    this.#boards.clear();
    this.#pieces.clear();
    this.#overviewImage = undefined;
    this.redraw();
  }

  /** The style of pictures, whose colours are those of the boards. */
  set style(text) {
    this.#style.textContent = text;
    this.#recolor();
  }

  get colors() {
    return this.#colors;
  }

  #resize() {
    const ratio = devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.#canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#canvas.width = Math.round(clientWidth * ratio);
    this.#canvas.height = Math.round(clientHeight * ratio);
    if (this.#scene && this.#settled === 0) this.fit();
    this.#paint();
  }

  get scene() {
    return this.#scene;
  }

  get scale() {
    return this.#scale;
  }

  /** What is in sight; undefined as long as it is the whole multiverse. */
  get sight() {
    return this.#settled === 0 ? undefined : { x: this.#x, y: this.#y, scale: this.#scale };
  }

  set sight({ x, y, scale }) {
    this.#scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, Number(scale) || LEAST_SCALE));
    this.#x = Number(x) || 0;
    this.#y = Number(y) || 0;
    this.#settled = 1;
    this.#drawn = undefined;
    this.#keepInside();
    this.#changed();
  }

  set scene(scene) {
    const first = !this.#scene;
    this.#scene = scene;
    this.#paths = scene.rows.map((row) => new Path2D(row.path));
    this.#index = new Map(scene.tiles.map((tile) => [`${tile.timeline} ${tile.halfTurn}`, tile]));
    for (const arrow of scene.arrows) {
      arrow.line = new Path2D(arrow.shaft);
      arrow.tip = new Path2D(arrow.head);
    }
    this.#overviewImage = undefined;
    const [xs, ys] = [scene.tiles.map(({ x }) => x), scene.tiles.map(({ y }) => y)];
    this.#bounds = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + scene.files * scene.square, Math.max(...ys) + scene.ranks * scene.square];
    if (first) this.fit();
    this.#keepInside();
    this.redraw();
  }

  tile(timeline, halfTurn) {
    return this.#index.get(`${timeline} ${halfTurn}`);
  }

  /** The whole multiverse. */
  fit() {
    const { clientWidth: width, clientHeight } = this.#canvas;
    const height = Math.max(100, clientHeight - BAR);
    const { width: w, height: h } = this.#scene;
    this.#scale = Math.min(1.1, Math.max(LEAST_SCALE, Math.min(width / w, height / h)));
    this.#x = (w - width / this.#scale) / 2;
    this.#y = (h - height / this.#scale) / 2;
    this.#settled = 0;
    this.#drawn = undefined;
    this.#changed();
  }

  /** So near that boards can be played, around the given ones, or those that can be played: all of them, or those that must be, or one of those. */
  focus(wanted) {
    const { frame, square, files, ranks, tiles } = this.#scene;
    const { clientWidth: width, clientHeight } = this.#canvas;
    const height = Math.max(100, clientHeight - BAR);
    const least = Math.min(200, width * 0.5, height * 0.5) / (square * Math.max(files, ranks));
    const room = frame + 70;
    const areaOf = (shown) => [
      Math.min(...shown.map((tile) => tile.x)) - room,
      // The name of the board and the word for the present stand above it.
      Math.min(...shown.map((tile) => tile.y)) - room - 60,
      Math.max(...shown.map((tile) => tile.x)) + files * square + room,
      Math.max(...shown.map((tile) => tile.y)) + ranks * square + room,
    ];
    const must = tiles.filter((tile) => tile.duty === 'must');
    const may = tiles.filter((tile) => tile.duty !== 'none');
    const choices = (wanted ? [wanted] : [may, must, must.slice(0, 1), may.slice(0, 1), tiles.slice(-1)]).filter((shown) => shown.length > 0).map(areaOf);
    const fits = ([left, top, right, bottom]) => Math.min(width / (right - left), height / (bottom - top)) >= least;
    const [left, top, right, bottom] = choices.find(fits) ?? choices.at(-1);
    this.#scale = Math.min(1.1, Math.max(least, Math.min(width / (right - left), height / (bottom - top))));
    this.#x = (left + right) / 2 - width / this.#scale / 2;
    this.#y = (top + bottom) / 2 - height / this.#scale / 2;
    this.#settled = 1;
    this.#drawn = undefined;
    this.#keepInside();
    this.#changed();
  }

  zoom(factor, x = this.#canvas.clientWidth / 2, y = this.#canvas.clientHeight / 2) {
    const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.#scale * factor));
    this.#x += x / this.#scale - x / scale;
    this.#y += y / this.#scale - y / scale;
    this.#scale = scale;
    this.#settled = 1;
    clearTimeout(this.#calm);
    this.#calm = setTimeout(() => {
      this.#drawn = undefined;
      this.redraw();
    }, CALM);
    this.#keepInside();
    this.#changed();
  }

  pan(dx, dy) {
    this.#x -= dx / this.#scale;
    this.#y -= dy / this.#scale;
    this.#settled = 1;
    this.#keepInside();
    this.#changed();
  }

  /** Brings a tile into sight. */
  reveal(tile) {
    const { square, files, ranks, frame } = this.#scene;
    const { clientWidth, clientHeight } = this.#canvas;
    const [width, height] = [clientWidth / this.#scale, Math.max(100, clientHeight - BAR) / this.#scale];
    const [w, h] = [files * square + frame, ranks * square + frame];
    if (tile.x - frame < this.#x || tile.x + w > this.#x + width) this.#x = tile.x + w / 2 - width / 2;
    if (tile.y - frame < this.#y || tile.y + h > this.#y + height) this.#y = tile.y + h / 2 - height / 2;
    this.#changed();
  }

  #keepInside() {
    if (!this.#scene) return;
    const width = this.#canvas.clientWidth / this.#scale;
    const height = this.#canvas.clientHeight / this.#scale;
    this.#x = Math.min(Math.max(this.#x, -width * 0.8), this.#scene.width - width * 0.2);
    this.#y = Math.min(Math.max(this.#y, -height * 0.8), this.#scene.height - height * 0.2);
  }

  #changed() {
    this.redraw();
    this.#tell('sight', {});
  }

  redraw() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#paint();
    });
  }

  /** The place under a point of the canvas. */
  placeAt(x, y) {
    if (!this.#scene) return undefined;
    const { square, files, ranks, flipped, tiles } = this.#scene;
    const [px, py] = [this.#x + x / this.#scale, this.#y + y / this.#scale];
    const tile = tiles.find((t) => px >= t.x && py >= t.y && px < t.x + files * square && py < t.y + ranks * square);
    if (!tile) return undefined;
    const [column, row] = [Math.floor((px - tile.x) / square), Math.floor((py - tile.y) / square)];
    const place = flipped ? [files - 1 - column, row] : [column, ranks - 1 - row];
    return { timeline: tile.timeline, halfTurn: tile.halfTurn, square: place, tile };
  }

  /** Where a place is on the canvas: the middle of its square. */
  pointOf({ timeline, halfTurn, square: [file, rank] }) {
    const tile = this.tile(timeline, halfTurn);
    const [x, y] = this.#squareAt(tile, file, rank);
    const half = this.#scene.square / 2;
    return [(x + half - this.#x) * this.#scale, (y + half - this.#y) * this.#scale];
  }

  #squareAt(tile, file, rank) {
    const { square, files, ranks, flipped } = this.#scene;
    const [column, row] = flipped ? [files - 1 - file, rank] : [file, ranks - 1 - rank];
    return [tile.x + column * square, tile.y + row * square];
  }

  pieceAt(tile, [file, rank]) {
    const letter = tile.pieces[rank * this.#scene.files + file];
    return letter === '.' ? undefined : letter;
  }

  #listen() {
    const canvas = this.#canvas;
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener('pointerdown', (event) => {
      const [x, y] = point(event);
      this.#pointers.set(event.pointerId, { x, y });
      canvas.setPointerCapture(event.pointerId);
      this.#drag = this.#pointers.size === 1 ? { x, y, moved: false } : { ...this.#drag, moved: true };
    });
    canvas.addEventListener('pointermove', (event) => {
      const [x, y] = point(event);
      const last = this.#pointers.get(event.pointerId);
      if (!last) {
        this.#hover(this.placeAt(x, y));
        return;
      }
      if (this.#pointers.size === 2) {
        const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
        const before = Math.hypot(last.x - other.x, last.y - other.y);
        const now = Math.hypot(x - other.x, y - other.y);
        if (before > 0) this.zoom(now / before, (x + other.x) / 2, (y + other.y) / 2);
        this.pan((x - last.x) / 2, (y - last.y) / 2);
      } else if (this.#drag && (this.#drag.moved || Math.hypot(x - this.#drag.x, y - this.#drag.y) > DRAG)) {
        this.#drag.moved = true;
        this.pan(x - last.x, y - last.y);
      }
      this.#pointers.set(event.pointerId, { x, y });
    });
    const end = (event) => {
      const [x, y] = point(event);
      const wasDrag = this.#drag?.moved;
      this.#pointers.delete(event.pointerId);
      if (this.#pointers.size > 0) return;
      this.#drag = undefined;
      if (!wasDrag && event.type === 'pointerup') this.#tell('place', { place: this.placeAt(x, y), button: event.button });
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
    canvas.addEventListener('pointerleave', () => this.#hover(undefined));
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const [x, y] = point(event);
        if (event.shiftKey) this.pan(-event.deltaY, 0);
        else this.zoom(Math.exp(-event.deltaY * 0.0016), x, y);
      },
      { passive: false },
    );
    const jump = (event) => {
      if (event.buttons !== 1 || !this.#scene) return;
      const box = this.#overview.getBoundingClientRect();
      const scale = Math.min(box.width / this.#scene.width, box.height / this.#scene.height);
      this.#x = (event.clientX - box.left) / scale - this.#canvas.clientWidth / this.#scale / 2;
      this.#y = (event.clientY - box.top) / scale - this.#canvas.clientHeight / this.#scale / 2;
      this.#keepInside();
      this.redraw();
    };
    this.#overview.addEventListener('pointerdown', jump);
    this.#overview.addEventListener('pointermove', jump);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #hover(place) {
    const key = (p) => (p ? `${p.timeline} ${p.halfTurn} ${p.square}` : '');
    if (key(place) === key(this.#hovered)) return;
    this.#hovered = place;
    this.#tell('hover', { place });
    this.redraw();
  }

  /** Puts a piece on a square that was coloured. */
  #put(context, letter, size, x, y) {
    const { square } = this.#scene;
    if (size < 40) {
      context.drawImage(this.#piece(letter, size), x, y, square, square);
      return;
    }
    context.save();
    context.translate(x, y);
    drawPiece(context, letter, this.#colors);
    context.restore();
  }

  /** A piece as an image of so many pixels. */
  #piece(letter, size) {
    const key = `${letter}${size}`;
    let image = this.#pieces.get(key);
    if (!image) {
      image = new OffscreenCanvas(size, size);
      const context = image.getContext('2d');
      context.scale(size / 60, size / 60);
      drawPiece(context, letter, this.#colors);
      this.#pieces.set(key, image);
    }
    return image;
  }

  /** The image of a board, if it is there or there is time to paint it. */
  #board(tile, size, mayPaint) {
    const key = `${size.toFixed(3)} ${tile.white} ${tile.active} ${this.#scene.flipped} ${this.#scene.files} ${tile.pieces}`;
    let image = this.#boards.get(key);
    if (image) {
      // The ones used last stay.
      this.#boards.delete(key);
      this.#boards.set(key, image);
      return image;
    }
    if (!mayPaint) return undefined;
    const { files, ranks, frame, square, flipped } = this.#scene;
    const unit = size / square;
    const [width, height] = [files * square + 2 * frame, ranks * square + 2 * frame];
    image = new OffscreenCanvas(Math.max(1, Math.round(width * unit)), Math.max(1, Math.round(height * unit)));
    const context = image.getContext('2d', { alpha: false });
    context.scale(image.width / width, image.height / height);
    const colors = this.#colors;
    context.fillStyle = tile.white ? colors.frameWhite : colors.frameBlack;
    context.fillRect(0, 0, width, height);
    context.strokeStyle = tile.white ? colors.edgeWhite : colors.edgeBlack;
    context.lineWidth = 4;
    context.strokeRect(0, 0, width, height);
    context.translate(frame, frame);
    context.fillStyle = tile.active ? colors.light : colors.lightOff;
    context.fillRect(0, 0, files * square, ranks * square);
    context.fillStyle = tile.active ? colors.dark : colors.darkOff;
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
        context.fillStyle = letter === letter.toUpperCase() ? colors.white : colors.black;
        context.fillRect(x + 12, y + 12, 36, 36);
      } else if (size < 40) {
        context.drawImage(this.#piece(letter, sprite), x, y, square, square);
      } else {
        context.save();
        context.translate(x, y);
        drawPiece(context, letter, colors);
        context.restore();
      }
    }
    if (size >= 22) {
      context.font = '17px system-ui, sans-serif';
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillStyle = tile.white ? '#5c5966' : '#d9d6e2';
      for (let file = 0; file < files; file++) {
        context.fillText(String.fromCharCode(97 + file), corner(file, 0)[0] + square / 2, ranks * square + frame / 2);
      }
      for (let rank = 0; rank < ranks; rank++) {
        context.fillText(String(rank + 1), -frame / 2, corner(0, rank)[1] + square / 2);
      }
    }
    this.#boards.set(key, image);
    if (this.#boards.size > KEPT) this.#boards.delete(this.#boards.keys().next().value);
    return image;
  }

  #paint() {
    const scene = this.#scene;
    const context = this.#context;
    const ratio = this.#canvas.width / Math.max(1, this.#canvas.clientWidth);
    const colors = this.#colors;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colors.ground;
    context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    if (!scene) return;
    const scale = this.#scale * ratio;
    context.setTransform(scale, 0, 0, scale, -this.#x * scale, -this.#y * scale);
    const [px, py, pw, ph] = scene.presentArea;
    context.fillStyle = colors.present;
    context.beginPath();
    context.roundRect(px, py, pw, ph, 18);
    context.fill();
    context.textBaseline = 'alphabetic';
    context.textAlign = 'center';
    context.fillStyle = colors.now;
    context.font = '600 30px system-ui, sans-serif';
    context.fillText(`present ${scene.present}`, px + pw / 2, py + 38);

    context.lineWidth = 12;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    scene.rows.forEach((row, index) => {
      context.strokeStyle = row.active ? colors.line : colors.lineOff;
      context.setLineDash(row.active ? [] : [2, 20]);
      context.stroke(this.#paths[index]);
    });
    context.setLineDash([]);
    context.textAlign = 'right';
    if (scale > 0.05) {
      for (const row of scene.rows) {
        context.fillStyle = colors.row;
        context.font = '700 46px system-ui, sans-serif';
        context.fillText(row.label, row.labelX, row.labelY + 16);
        if (!row.active) {
          context.fillStyle = colors.still;
          context.font = '26px system-ui, sans-serif';
          context.fillText('inactive', row.labelX, row.labelY + 50);
        }
      }
    }

    const { square, frame, files, ranks } = scene;
    this.#drawn ??= Math.max(1, square * scale);
    const size = this.#drawn;
    const sprite = Math.max(2, Math.round(square * scale));
    const [width, height] = [files * square, ranks * square];
    const [right, bottom] = [this.#x + this.#canvas.clientWidth / this.#scale, this.#y + this.#canvas.clientHeight / this.#scale];
    const start = performance.now();
    let missing = false;
    context.imageSmoothingEnabled = true;
    context.textAlign = 'left';
    for (const tile of scene.tiles) {
      const [x, y] = [tile.x - frame, tile.y - frame];
      if (x > right || y - 50 > bottom || tile.x + width + frame < this.#x || tile.y + height + frame < this.#y) continue;
      if (tile.duty !== 'none') {
        context.strokeStyle = colors.must;
        context.lineWidth = 12;
        context.setLineDash(tile.duty === 'may' ? [22, 14] : []);
        context.strokeRect(x - 5, y - 5, width + 2 * frame + 10, height + 2 * frame + 10);
        context.setLineDash([]);
      }
      const image = this.#board(tile, size, performance.now() - start < PAINTING);
      if (image) {
        // At whole pixels, so that nothing is blurred.
        context.setTransform(1, 0, 0, 1, 0, 0);
        const [left, top] = [Math.round((x - this.#x) * scale), Math.round((y - this.#y) * scale)];
        const fits = Math.abs(size - square * scale) < 0.001;
        if (fits) context.drawImage(image, left, top);
        else context.drawImage(image, left, top, (width + 2 * frame) * scale, (height + 2 * frame) * scale);
        context.setTransform(scale, 0, 0, scale, -this.#x * scale, -this.#y * scale);
      } else {
        missing = true;
        context.fillStyle = tile.white ? colors.frameWhite : colors.frameBlack;
        context.fillRect(x, y, width + 2 * frame, height + 2 * frame);
        context.fillStyle = colors.light;
        context.fillRect(tile.x, tile.y, width, height);
      }
      if (scale > 0.04) {
        for (const [squares, color] of [
          [tile.touched, colors.touched],
          [tile.threatened, colors.danger],
        ]) {
          for (const [file, rank] of squares) {
            const [sx, sy] = this.#squareAt(tile, file, rank);
            context.fillStyle = color;
            context.fillRect(sx, sy, square, square);
            const letter = this.pieceAt(tile, [file, rank]);
            if (letter && size >= 7) this.#put(context, letter, sprite, sx, sy);
          }
        }
      }
      if (scale > 0.12) {
        context.fillStyle = colors.name;
        context.font = '31px system-ui, sans-serif';
        context.fillText(tile.label, x, y - 14);
      }
    }
    this.#paintMarks(context, sprite);
    for (const arrow of scene.arrows) {
      context.globalAlpha = 0.78;
      context.strokeStyle = context.fillStyle = colors[arrow.kind];
      context.lineWidth = scene.shaft;
      context.setLineDash(arrow.kind === 'check' ? [24, 12] : []);
      context.stroke(arrow.line);
      context.fill(arrow.tip);
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
    if (missing) this.redraw();
    this.#paintOverview();
    if (!missing) this.#tell('painted', { milliseconds: performance.now() - start });
  }

  #paintMarks(context, size) {
    const { square } = this.#scene;
    const { selected, targets, cursor } = this.marks;
    const at = (place) => {
      const tile = this.tile(place.timeline, place.halfTurn);
      return tile && [...this.#squareAt(tile, ...place.square), tile];
    };
    const box = (place, color, width) => {
      const found = place && at(place);
      if (!found) return;
      context.strokeStyle = color;
      context.lineWidth = width;
      context.strokeRect(found[0] + width / 2, found[1] + width / 2, square - width, square - width);
    };
    if (selected) {
      const found = at(selected);
      if (found) {
        context.fillStyle = this.#colors.touched;
        context.fillRect(found[0], found[1], square, square);
        const letter = this.pieceAt(found[2], selected.square);
        if (letter) this.#put(context, letter, size, found[0], found[1]);
      }
    }
    for (const target of targets) {
      const found = at(target);
      if (!found) continue;
      const [x, y, tile] = found;
      context.fillStyle = context.strokeStyle = this.#colors.planned;
      context.globalAlpha = target.faint ? 0.55 : 0.9;
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
    box(this.#hovered, this.#colors.row, 4);
    box(cursor, this.#colors.row, 7);
  }

  #paintOverview() {
    const canvas = this.#overview;
    const scene = this.#scene;
    const scale = Math.min(Math.min(OVERVIEW, this.#canvas.clientWidth * 0.25) / scene.width, (this.#canvas.clientHeight * 0.5) / scene.height);
    const [clientWidth, clientHeight] = [Math.max(12, scene.width * scale), Math.max(12, scene.height * scale)];
    const [left, top] = [this.#x, this.#y];
    const [width, height] = [this.#canvas.clientWidth / this.#scale, this.#canvas.clientHeight / this.#scale];
    const [x0, y0, x1, y1] = this.#bounds;
    const all = left <= x0 && top <= y0 && left + width >= x1 && top + height >= y1;
    canvas.classList.toggle('needless', all);
    if (all) return;
    canvas.style.width = `${clientWidth}px`;
    canvas.style.height = `${clientHeight}px`;
    const ratio = devicePixelRatio || 1;
    if (!this.#overviewImage) {
      const image = new OffscreenCanvas(Math.round(clientWidth * ratio), Math.round(clientHeight * ratio));
      const context = image.getContext('2d');
      context.scale(scale * ratio, scale * ratio);
      context.fillStyle = this.#colors.ground;
      context.fillRect(0, 0, scene.width, scene.height);
      context.fillStyle = this.#colors.present;
      context.fillRect(...scene.presentArea);
      const [w, h] = [scene.files * scene.square + 2 * scene.frame, scene.ranks * scene.square + 2 * scene.frame];
      for (const tile of scene.tiles) {
        context.fillStyle = tile.white ? this.#colors.frameWhite : this.#colors.frameBlack;
        context.fillRect(tile.x - scene.frame, tile.y - scene.frame, w, h);
        if (tile.duty === 'none' && tile.threatened.length === 0) continue;
        context.fillStyle = tile.threatened.length > 0 ? this.#colors.check : this.#colors.must;
        context.fillRect(tile.x + w * 0.2, tile.y + h * 0.2, w * 0.5, h * 0.5);
      }
      this.#overviewImage = image;
    }
    if (canvas.width !== this.#overviewImage.width || canvas.height !== this.#overviewImage.height) {
      canvas.width = this.#overviewImage.width;
      canvas.height = this.#overviewImage.height;
    }
    const context = canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.#overviewImage, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = this.#colors.planned;
    context.lineWidth = 2;
    context.strokeRect(left * scale, top * scale, width * scale, height * scale);
  }
}
