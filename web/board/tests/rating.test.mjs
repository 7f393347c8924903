// The rating of the visitor, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING, afterPuzzle, puzzleRating, rated, readRating } from '../js/rating.js';

const near = (value, expected, most) => assert.ok(Math.abs(value - expected) <= most, `${value} is not ${expected}`);

test('the worked example of the paper on Glicko-2', () => {
  const before = { rating: 1500, deviation: 200, volatility: 0.06 };
  const games = [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ];
  const after = rated(before, games);
  near(after.rating, 1464.06, 0.01);
  near(after.deviation, 151.52, 0.01);
  near(after.volatility, 0.05999, 0.00001);
  // Without a game only the deviation grows.
  const idle = rated(before, []);
  assert.equal(idle.rating, 1500);
  near(idle.deviation, Math.hypot(200, 0.06 * 173.7178), 1e-9);
});

test('a surprising series makes the rating volatile', () => {
  const games = Array.from({ length: 30 }, () => ({ rating: 2400, deviation: 30, score: 1 }));
  const after = rated({ rating: 1500, deviation: 60, volatility: 0.06 }, games);
  assert.ok(after.volatility > 0.06 && after.rating > 1600, JSON.stringify(after));
});

test('puzzles move the rating by what was to be expected', () => {
  const up = afterPuzzle(BEGINNING, 3, true);
  const down = afterPuzzle(BEGINNING, 3, false);
  assert.ok(up.rating > 1500 && down.rating < 1500 && up.deviation < 200);
  // A single failure says little of a visitor of whom nothing is known, even at the easiest puzzle.
  for (const hardness of [0, 1, 3, 5]) assert.ok(1500 - afterPuzzle(BEGINNING, hardness, false).rating < 220, `${hardness}`);
  const easy = afterPuzzle(BEGINNING, 1, true);
  assert.ok(easy.rating - 1500 < up.rating - 1500, 'an easy one gives less');
  assert.ok(puzzleRating(1).rating < puzzleRating(5).rating);
  let rating = { ...BEGINNING };
  for (let index = 0; index < 400; index++) rating = afterPuzzle(rating, 3, index % 2 === 0);
  near(rating.rating, puzzleRating(3).rating, 60);
  assert.ok(rating.deviation >= 45);
});

test('what was kept and is no rating is not used', () => {
  for (const bad of [null, 'x', {}, { rating: NaN, deviation: 1, volatility: 0.1 }, { rating: 1e9, deviation: 50, volatility: 0.06 }, { rating: 1500, deviation: 0, volatility: 0.06 }]) {
    assert.deepEqual(readRating(bad), BEGINNING);
  }
  assert.deepEqual(readRating({ rating: 1700, deviation: 80, volatility: 0.05, more: 1 }), { rating: 1700, deviation: 80, volatility: 0.05 });
});
