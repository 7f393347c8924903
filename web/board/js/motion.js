// @ts-check
// Movement from one scene to the next: boards that come, and pieces that go from square to square.

/**
 * @typedef {import('../worldlines/browser.js').Scene} Scene
 * @typedef {Scene['tiles'][number]} Tile
 * @typedef {{ letter: string, from: { tile: Tile, index: number }, to: { tile: Tile, index: number } }} Slide
 */

/** More new boards than these are another game, and nothing moves. */
const MOST = 12;

/** @param {Tile} tile */
const keyOf = ({ timeline, halfTurn }) => `${timeline} ${halfTurn}`;

/** The squares where two boards differ. @param {string} before @param {string} after */
function differences(before, after) {
  const found = [];
  for (let index = 0; index < after.length; index++) if (before[index] !== after[index]) found.push(index);
  return found;
}

/**
 * The boards of the second scene that are new, each with the board that it comes from, and the pieces that moved.
 * @param {Scene | undefined} before @param {Scene} after
 * @returns {{ boards: { tile: Tile, from: Tile }[], slides: Slide[] }}
 */
export function motion(before, after) {
  const none = { boards: [], slides: [] };
  if (!before || before.files !== after.files || before.ranks !== after.ranks) return none;
  const known = new Map(before.tiles.map((tile) => [keyOf(tile), tile]));
  const now = new Map(after.tiles.map((tile) => [keyOf(tile), tile]));
  // Every board of before must still be there as it was: boards are never changed.
  if (before.tiles.some((tile) => now.get(keyOf(tile))?.pieces !== tile.pieces)) return none;
  const fresh = after.tiles.filter((tile) => !known.has(keyOf(tile)));
  if (fresh.length === 0 || fresh.length > MOST) return none;
  const boards = [];
  const gone = [];
  const come = [];
  for (const tile of fresh) {
    const onTimeline = now.get(keyOf({ ...tile, halfTurn: tile.halfTurn - 1 }));
    const from = onTimeline ?? nearest(tile, after.tiles.filter((one) => one.halfTurn === tile.halfTurn - 1 && known.has(keyOf(one))));
    if (!from) continue;
    boards.push({ tile, from });
    for (const index of differences(from.pieces, tile.pieces)) {
      if (from.pieces[index] !== '.') gone.push({ letter: from.pieces[index], from, tile, index });
      if (tile.pieces[index] !== '.') come.push({ letter: tile.pieces[index], tile, index });
    }
  }
  const slides = [];
  for (const arrival of come) {
    const sameBoard = gone.find((one) => one.tile === arrival.tile && one.letter === arrival.letter && one.index !== arrival.index);
    const promoted = gone.find((one) => one.tile === arrival.tile && /[pw]/i.test(one.letter) && isUpper(one.letter) === isUpper(arrival.letter) && one.index !== arrival.index);
    const elsewhere = gone.find((one) => one.tile !== arrival.tile && one.letter === arrival.letter);
    const source = sameBoard ?? elsewhere ?? promoted;
    if (!source) continue;
    gone.splice(gone.indexOf(source), 1);
    // On its own timeline a piece sets out on the new board, which still looks like the old one.
    const tile = source.tile === arrival.tile ? arrival.tile : source.from;
    slides.push({ letter: arrival.letter, from: { tile, index: source.index }, to: { tile: arrival.tile, index: arrival.index } });
  }
  return { boards, slides };
}

/** @param {string} letter */
const isUpper = (letter) => letter === letter.toUpperCase();

/** The board that is most like another one. @param {Tile} tile @param {Tile[]} others */
function nearest(tile, others) {
  let best;
  let fewest = Infinity;
  for (const other of others) {
    const count = differences(other.pieces, tile.pieces).length;
    if (count < fewest) [best, fewest] = [other, count];
  }
  return best;
}
