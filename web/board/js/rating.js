// @ts-check
// Ratings by Glicko-2 (M. Glickman, "Example of the Glicko-2 system"): of a visitor who solves puzzles of known difficulty.

/** @typedef {{ rating: number, deviation: number, volatility: number }} Rating */
/** @typedef {{ rating: number, deviation: number, score: number }} Game the opponent, and 1 for a win or 0 for a loss */

/**
 * The rating of somebody of whom nothing is known. The paper begins with a deviation of 350, after which one failure at an easy puzzle takes nearly 500
 * points. That says more of one bad moment than of the visitor: with 200 it takes about 200 at most. @type {Readonly<Rating>}
 */
export const BEGINNING = Object.freeze({ rating: 1500, deviation: 200, volatility: 0.06 });
/** How much the volatility may change. */
const TAU = 0.5;
const SCALE = 173.7178;
const TOLERANCE = 1e-6;
/** A visitor comes back with another strength than before: the deviation is never less. */
const LEAST_DEVIATION = 45;
const MOST_DEVIATION = 350;
/** The deviation of a puzzle, whose difficulty is a guess of its author. */
const PUZZLE_DEVIATION = 120;

/** The weight of an opponent, by the deviation. @param {number} phi */
const weight = (phi) => 1 / Math.sqrt(1 + (3 * phi * phi) / (Math.PI * Math.PI));

/**
 * The rating after the games of one period.
 * @param {Readonly<Rating>} before @param {readonly Game[]} games @returns {Rating}
 */
export function rated({ rating, deviation, volatility }, games) {
  const [mu, phi] = [(rating - 1500) / SCALE, deviation / SCALE];
  if (games.length === 0) return { rating, deviation: SCALE * Math.hypot(phi, volatility), volatility };
  let [information, surprise] = [0, 0];
  for (const game of games) {
    const g = weight(game.deviation / SCALE);
    const expected = 1 / (1 + Math.exp(-g * (mu - (game.rating - 1500) / SCALE)));
    information += g * g * expected * (1 - expected);
    surprise += g * (game.score - expected);
  }
  const variance = 1 / information;
  const next = changed(volatility, phi, variance, variance * surprise);
  const widened = Math.hypot(phi, next);
  const narrowed = 1 / Math.sqrt(1 / (widened * widened) + information);
  return { rating: 1500 + SCALE * (mu + narrowed * narrowed * surprise), deviation: SCALE * narrowed, volatility: next };
}

/** The new volatility: a root that is looked for between two bounds. @param {number} sigma @param {number} phi @param {number} variance @param {number} delta */
function changed(sigma, phi, variance, delta) {
  const a = Math.log(sigma * sigma);
  /** @param {number} x */
  const f = (x) => {
    const e = Math.exp(x);
    const sum = phi * phi + variance + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
  };
  let low = a;
  let high = delta * delta > phi * phi + variance ? Math.log(delta * delta - phi * phi - variance) : a - TAU;
  while (high < a && f(high) < 0) high -= TAU;
  let [atLow, atHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > TOLERANCE) {
    const between = low + ((low - high) * atLow) / (atHigh - atLow);
    const at = f(between);
    if (at * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [between, at];
  }
  return Math.exp(low / 2);
}

/** The rating of a puzzle, by its hardness: 1 is easy, 5 hard. @param {number} hardness @returns {{ rating: number, deviation: number }} */
export const puzzleRating = (hardness) => ({ rating: Math.round(600 + 300 * Math.max(0, Math.min(7, hardness))), deviation: PUZZLE_DEVIATION });

/** The rating after a puzzle, solved at once or not. @param {Readonly<Rating>} before @param {number} hardness @param {boolean} isSolved @returns {Rating} */
export function afterPuzzle(before, hardness, isSolved) {
  const after = rated(before, [{ ...puzzleRating(hardness), score: isSolved ? 1 : 0 }]);
  return { ...after, deviation: Math.min(MOST_DEVIATION, Math.max(LEAST_DEVIATION, after.deviation)) };
}

/** A rating that was kept; what is none becomes the beginning. @param {any} value @returns {Rating} */
export function readRating(value) {
  const { rating, deviation, volatility } = value ?? {};
  const isOne = [rating, deviation, volatility].every(Number.isFinite) && Math.abs(rating) <= 10_000 && deviation > 0 && deviation <= MOST_DEVIATION && volatility > 0 && volatility < 1;
  return isOne ? { rating, deviation, volatility } : { ...BEGINNING };
}
