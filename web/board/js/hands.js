// @ts-check
// Mouse, pen and fingers on the board, as intentions: take a piece, choose a square, drop, draw, pan, zoom.

/**
 * @typedef {import('./view.js').View} View
 * @typedef {import('./view.js').Spot} Spot
 * @typedef {import('./tree.js').Shape} Shape
 * @typedef {{
 *   grab: (spot: Spot) => 'fresh' | 'again' | 'loose' | false, choose: (spot: Spot | undefined) => void, drop: (from: Spot, to: Spot | undefined) => void, release: () => void,
 *   hover: (spot: Spot | undefined) => void, draw: (shape: Shape) => void, ink?: () => string | undefined,
 * }} Intentions
 */

/** The pixels from its beginning after which a press is a drag. */
export const DRAG = 5;
/** The smallest squares, in pixels, that a finger hits, and the mouse: a press on smaller ones brings their board. */
const SMALL = { touch: 16, mouse: 10 };

/** A piece that is held so near the edge takes the view along, so many pixels in a frame. */
const EDGE = 28;
const PACE = 9;

/** @param {MouseEvent} event */
const colorOf = ({ shiftKey, altKey, ctrlKey }) => (shiftKey && altKey ? 'yellow' : shiftKey || ctrlKey ? 'red' : altKey ? 'blue' : undefined);

/** @param {HTMLCanvasElement} canvas @param {View} view @param {Intentions} intentions */
export function hands(canvas, view, { grab, choose, drop, release, hover, draw, ink = () => undefined }) {
  /** @type {Map<number, { x: number, y: number }>} */
  const pointers = new Map();
  /** @type {{ kind: 'piece' | 'pan' | 'draw' | 'point', x: number, y: number, moved: boolean, small?: boolean, spot?: Spot, taken?: ReturnType<Intentions['grab']>, tile?: Spot['tile'] } | undefined} */
  let press;

  /** Whether the mouse is on a mark at the edge. */
  let pointing = false;

  /** @param {MouseEvent} event @returns {[number, number]} */
  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  /** @param {number} x @param {number} y */
  const drag = (x, y) => {
    const { selected } = view.marks;
    const tile = selected && view.tile(selected.timeline, selected.halfTurn);
    const letter = tile && view.pieceAt(tile, selected.square);
    view.marks.drag = letter ? { place: selected, letter, x, y } : undefined;
    if (press?.taken === 'loose') view.marks.aim = view.placeAt(x, y);
    view.redraw();
  };
  /** Goes on as long as a piece is held at the edge. */
  const follow = () => {
    const held = view.marks.drag;
    if (!held) return;
    const [dx, dy] = [[held.x, canvas.clientWidth], [held.y, canvas.clientHeight]].map(([at, size]) => (at < EDGE ? PACE : at > size - EDGE ? -PACE : 0));
    if (dx !== 0 || dy !== 0) view.pan(dx, dy);
    requestAnimationFrame(follow);
  };
  const letGo = () => {
    view.marks.drag = undefined;
    view.marks.aim = undefined;
    view.redraw();
  };

  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('pointerdown', (event) => {
    const [x, y] = point(event);
    pointers.set(event.pointerId, { x, y });
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size > 1) {
      // A second finger: the first one does not move a piece.
      if (press) press = { ...press, kind: 'pan', moved: true };
      letGo();
      return;
    }
    const pointed = event.button === 0 ? view.pointerAt(x, y) : undefined;
    if (pointed) {
      press = { kind: 'point', x, y, moved: false, tile: pointed };
      return;
    }
    const spot = view.placeAt(x, y);
    if (event.button === 2 || (event.button === 0 && ink())) {
      press = { kind: 'draw', x, y, moved: false, spot };
      return;
    }
    if (event.button !== 0) {
      press = { kind: 'pan', x, y, moved: true };
      return;
    }
    const small = view.scale * view.scene.square < (event.pointerType === 'touch' ? SMALL.touch : SMALL.mouse);
    const taken = spot && !small ? grab(spot) : false;
    press = { kind: taken ? 'piece' : 'pan', x, y, moved: false, small, spot, taken };
  });
  canvas.addEventListener('pointermove', (event) => {
    const [x, y] = point(event);
    const last = pointers.get(event.pointerId);
    if (!last) {
      if (event.pointerType === 'touch') return;
      const pointed = view.pointerAt(x, y) !== undefined;
      if (pointed) hover(undefined);
      if (pointed || pointing) canvas.style.cursor = pointed ? 'pointer' : '';
      pointing = pointed;
      if (!pointed) hover(view.placeAt(x, y));
      return;
    }
    if (pointers.size === 2) {
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const now = Math.hypot(x - other.x, y - other.y);
      if (before > 0) view.zoom(now / before, (x + other.x) / 2, (y + other.y) / 2);
      view.pan((x - last.x) / 2, (y - last.y) / 2);
    } else if (press && (press.moved || Math.hypot(x - press.x, y - press.y) > DRAG)) {
      press.moved = true;
      if (press.kind === 'pan' || press.kind === 'point') view.pan(x - last.x, y - last.y);
      else if (press.kind === 'piece') {
        const began = view.marks.drag === undefined;
        drag(x, y);
        if (began) follow();
      }
    }
    pointers.set(event.pointerId, { x, y });
  });
  /** @param {PointerEvent} event */
  const end = (event) => {
    const [x, y] = point(event);
    pointers.delete(event.pointerId);
    if (pointers.size > 0) return;
    const ended = press;
    press = undefined;
    const dragged = view.marks.drag !== undefined;
    letGo();
    if (ended?.taken === 'loose') release();
    if (!ended || event.type === 'pointercancel') return;
    // Boards go on beyond the edge, where nobody sees them.
    const spot = x >= 0 && y >= 0 && x < canvas.clientWidth && y < canvas.clientHeight ? view.placeAt(x, y) : undefined;
    if (ended.kind === 'point') {
      // The piece stays in the hand: its square is on the board that comes.
      if (ended.tile && !ended.moved) view.reveal(ended.tile);
    } else if (ended.kind === 'draw') {
      if (!ended.spot) return;
      const from = { timeline: ended.spot.timeline, halfTurn: ended.spot.halfTurn, square: ended.spot.square };
      const to = spot ? { timeline: spot.timeline, halfTurn: spot.halfTurn, square: spot.square } : from;
      draw({ kind: JSON.stringify(from) === JSON.stringify(to) ? 'circle' : 'arrow', color: colorOf(event) ?? ink() ?? 'green', from, to });
    } else if (ended.kind === 'piece') {
      if (dragged && ended.spot) drop(ended.spot, spot);
      else if (ended.taken === 'again') release();
      // A piece that nobody has chosen, and that is not moved, lets the press be one on its square.
      else if (ended.taken === 'loose') choose(spot);
    } else if (!ended.moved && !(ended.small && spot && view.reveal(spot.tile))) {
      // Where squares are too small to be hit, the board comes first, and a piece stays in the hand.
      choose(spot);
    }
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('pointerleave', () => hover(undefined));
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const [x, y] = point(event);
      // A wheel counts in pixels, lines or pages.
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      if (event.shiftKey) view.pan(-event.deltaY * unit, 0);
      else view.zoom(Math.exp(-event.deltaY * unit * 0.0016), x, y);
    },
    { passive: false },
  );
}
