// @ts-check
// What a review says of the actions of a game. How likely a player wins with a score, and what counts as a mistake, says the library.

import { gradeOf, isLikelyMate, winChance } from '../worldlines/browser.js';
import { turned } from './scores.js';

/**
 * @typedef {import('./scores.js').Player} Player
 * @typedef {import('./scores.js').Score} Score
 * @typedef {import('./scores.js').Look} Look
 * @typedef {'blunder' | 'mistake' | 'inaccuracy'} Grade
 * @typedef {{ grade: Grade, player: Player, before: Look, after: Look, better: string, line: string[], reply: string[], depth: number }} Fault looks at what could have been and at what became, both by the player who acted; `line` begins with the better action, `reply` with the answer to what was played
 */

/** Actions of a line that shows why another one was a mistake. */
export const MOST_SHOWN = 6;

/** The glyphs of grades. @type {Record<Grade, number>} */
export const GLYPHS = { blunder: 4, mistake: 2, inaccuracy: 6 };

/** A player's chance to win, from 0 to 100. @param {Pick<Look, 'score' | 'ending' | 'toMove'>} look @param {Player} player */
export function chanceOf({ score, ending, toMove }, player) {
  const own = ending === 'checkmate' ? 0 : ending || !score ? 50 : winChance(score);
  return toMove === player ? own : 100 - own;
}

/** A player's chance as it is told, in whole percents: only what is proved is certain. @param {Pick<Look, 'score' | 'ending' | 'toMove'>} look @param {Player} player */
export function percentOf(look, player) {
  const percent = Math.round(chanceOf(look, player));
  return look.ending || (look.score && 'mate' in look.score) ? percent : Math.min(99, Math.max(1, percent));
}

/** Whether a score is a mate that is not proved. @param {Score | undefined} score */
export const isGuess = (score) => score !== null && score !== undefined && isLikelyMate(score);

/** How far a look went: the engine proves its mates, so that no depth is beyond them. @param {Pick<Look, 'score' | 'ending' | 'depth'>} look */
export const reachOf = ({ score, ending, depth }) => (ending || (score && 'mate' in score) ? Infinity : depth);

/** The look that went deeper. @param {Look | undefined} known @param {Look} found */
export const deeper = (known, found) => (known && reachOf(known) > reachOf(found) ? known : found);

/** The depths of looks without the endings and mates; 0 if there are only such. @param {Look[]} looks @returns {[least: number, most: number]} */
function depthsOf(looks) {
  const depths = looks.map(reachOf).filter(Number.isFinite);
  return depths.length > 0 ? [Math.min(...depths), Math.max(...depths)] : [0, 0];
}

/** The depth that can be told of a look; 0 if it needs none. @param {Look} look */
export const depthOf = (look) => depthsOf([look])[0];

/** The mistake from one score to another. It is no blunder by a mate alone that is not proved: then the fall must be that large also if the mate is counted as nothing. @param {Score} from @param {Score} to @returns {Grade | undefined} */
function gradeFrom(from, to) {
  if (!from || !to) return undefined;
  const [sureFrom, sureTo] = [from, to].map((score) => (isGuess(score) ? { pawns: 0 } : score));
  const grade = gradeOf(from, to);
  return grade === 'blunder' && gradeOf(sureFrom, sureTo) !== 'blunder' ? 'mistake' : grade;
}

/** The look at a position as the look of the player who has acted. @param {Look} after @returns {Look} */
const before = (after) => ({ ...after, score: turned(after), ending: null, depth: after.depth + 1, toMove: after.toMove === 'white' ? 'black' : 'white' });

/** Whether the looks before and after an action went about as deep, so that their scores can be compared. @param {Look} own @param {Look} next */
const areAlike = (own, next) => reachOf(next) === Infinity || Math.abs(reachOf(own) - next.depth - 1) <= 1;

export class Review {
  /** The deepest looks at the positions from the start on. @type {Look[]} */
  looks = [];
  /** The looks of the review itself, all of which took as long. @type {Look[]} */
  #own = [];
  /** The actions that the engine liked better, with looks at the positions after them; without a look, what was played comes to the same. @type {Map<number, { action: string, look?: Look }>} */
  #instead = new Map();

  /** @param {string[]} actions */
  constructor(actions) {
    this.actions = actions;
  }

  /** Takes a look of the review. @param {number} at @param {Look} look */
  take(at, look) {
    this.#own[at] = look;
    this.learn(at, look);
  }

  /** Takes a look of somebody else, if it is deeper; whether it was. @param {number} at @param {Look} look */
  learn(at, look) {
    if (deeper(this.looks[at], look) !== look) return false;
    this.looks[at] = look;
    return true;
  }

  /** @param {number} at @param {string} action @param {Look} [look] */
  takeInstead(at, action, look) {
    this.#instead.set(at, { action, look });
  }

  /** A look at what could have been, for the player who acted; none if the engine liked what was played. @param {number} at @param {Look} own @returns {Look | undefined} */
  #otherAt(at, own) {
    if (!own.action || own.action === this.actions[at]) return undefined;
    const instead = this.#instead.get(at);
    if (instead?.action !== own.action) return own;
    if (!instead.look) return undefined;
    // What could have been was looked at as long as what became, unless the engine knows better by now.
    return deeper(own, { ...before(instead.look), action: own.action, line: [own.action, ...(instead.look.line ?? [])] });
  }

  /**
   * The looks with the scores that the rest of the game shows, and the depths of the looks that found them: what was played is worth what became of it, and the player need not have done worse. So
   * scores change only where somebody made a mistake. A mate that is not proved changes none that a look has found which went as deep.
   * @returns {Look[]}
   */
  get shown() {
    const shown = [...this.looks];
    for (let at = this.actions.length - 1; at >= 0; at -= 1) {
      const [own, next] = [this.looks[at], shown[at + 1]];
      if (!own || !next) continue;
      const [played, other] = [before(next), this.#otherAt(at, own)];
      const isDoubtful = isGuess(played.score) && reachOf(own) >= reachOf(played);
      const best = isDoubtful ? other ?? own : other && chanceOf(other, own.toMove) > chanceOf(played, own.toMove) ? other : played;
      shown[at] = { ...own, score: best.score, depth: best === played ? next.depth : best.depth };
    }
    return shown;
  }

  /** The mistake that an action was, if it was one. @param {number} index @returns {Fault | undefined} */
  faultOf(index) {
    // A deep look at one position and a short one at the next say nothing of the action between.
    const [own, next] = [this.looks, this.#own].map((looks) => [looks[index], looks[index + 1]]).find(([one, other]) => one && other && areAlike(one, other)) ?? [this.#own[index], this.#own[index + 1]];
    const best = own && next && this.#otherAt(index, own);
    if (!best) return undefined;
    // It is none if the rest of the game shows that nothing was lost here, but earlier or later.
    const after = before(this.shown[index + 1]);
    const [grade, soon] = [after, before(next)].map((look) => gradeFrom(best.score, look.score));
    return soon && grade && { grade, player: own.toMove, before: best, after, better: best.action ?? '', line: best.line ?? (best.action ? [best.action] : []), reply: next.line ?? [], depth: depthsOf([best, after])[0] };
  }

  /** What is kept of it. Lines are kept where they are shown: beside mistakes. @returns {import('./findings.js').Looks} */
  get found() {
    const faults = this.actions.flatMap((_, index) => (this.faultOf(index) ? [index] : []));
    const near = new Set(faults.flatMap((index) => [index, index + 1]));
    /** @param {number} at @param {Look} look @returns {Look} */
    const short = (at, { line, ...look }) => (line && near.has(at) ? { ...look, line: line.slice(0, MOST_SHOWN) } : look);
    const own = Object.entries(this.#own).filter(([at, look]) => this.looks[Number(at)] !== look);
    return {
      looks: this.looks.map((look, at) => short(at, look)),
      own: own.map(([at, look]) => [Number(at), short(Number(at), look)]),
      instead: [...this.#instead].map(([at, { action, look }]) => [at, action, look ? short(at, look) : null]),
    };
  }

  /** The review that was kept. @param {string[]} actions @param {import('./findings.js').Looks} found */
  static of(actions, { looks, own, instead }) {
    const review = new Review(actions);
    review.looks = [...looks];
    review.#own = [...looks];
    for (const [at, look] of own) review.#own[at] = look;
    for (const [at, action, look] of instead) review.takeInstead(at, action, look ?? undefined);
    return review;
  }

  /** The least and the largest depth of all looks. */
  get depths() {
    return depthsOf(this.looks);
  }
}
