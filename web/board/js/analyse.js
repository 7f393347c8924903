// @ts-check
// Questions about the position: an engine that goes on thinking, legal actions, mates, reasons, threats, and a whole game reviewed.

import { Game, gradeLimits } from '../worldlines/browser.js';
import { Asker } from './ask.js';
import { $, hushToast, make, svg, toast } from './dom.js';
import { save } from './files.js';
import { bounded, isOn } from './findings.js';
import { namesOf, passed } from './games.js';
import { titleOf } from './headers.js';
import { words } from './language.js';
import { GLYPHS, MOST_SHOWN, Review, chanceOf, deeper, depthOf, isGuess, percentOf, reachOf } from './review.js';
import * as session from './session.js';
import { GLYPHS as SIGNS, ROOT, addLine, isMain, lineThrough, pathTo, withGlyph } from './tree.js';
import { LINE_COLORS } from './view.js';
import { apart, classText, nameOf, otherThan, scoreText, standing } from './words.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {import('./scores.js').Look} Look
 * @typedef {{ score: import('./scores.js').Score, line: string[], depth: number }} Line
 */

/** The number of actions that are shown at a time. */
const PART = 300;
const MOST_COUNTED = 200_000;
/** The engine stops by itself after a last look of so many steps. */
const MOST_STEPS = 1_024_000;
/** The longest mate that is looked for. */
const MOST_MATE = 20;
/** The steps of a proof, and again of its certificate. */
const PROOF_STEPS = 20_000_000;
/** The steps for each position of a review, and how many times as many it takes when a deeper one is asked for. */
const REVIEW_STEPS = 60_000;
const DEEPER = 5;
/** While a review goes on so many faults are listed, the worst ones; and after so many positions it says how long it may still take. */
const WORST = 3;
const PACED = 2;
/** Positions of which the engine's look is kept. */
const MOST_KNOWN = 1_000;

/** A score as it is told. @param {Line['score']} score @param {import('../worldlines/browser.js').Player} toMove @param {number} [digits] */
const told = (score, toMove, digits) => scoreText(score, toMove, digits, isGuess(score));

/** @param {Board} board */
export function analyse(board) {
  const engine = new Asker();
  let running = false;
  /** The position that the engine looks at, and the actions that it has drawn. */
  let looked = '';
  let hinted = '';
  /** The mate that was proved last. @type {{ saved: string, mateIn: number } | undefined} */
  let proved;
  /** The position that the answer in the panel is about, or the whole game. @type {{ id: string, at: string, whole: boolean } | undefined} */
  let answered;
  /** Whether the passed board is shown since a threat was asked for. */
  let showsPass = false;
  /** The threatened action that is drawn, in the game after a pass. @type {{ saved: string, action: string } | undefined} */
  let threat;
  /** The lines of the engine that are shown whole, by their places. @type {Set<number>} */
  const unfolded = new Set();
  /** Marks in the graph where the board stands. */
  let moveMark = () => {};
  /** What the engine thought of positions, by their texts: the deepest look. @type {Map<string, Look>} */
  const known = new Map();
  /** The review that is shown: its document, its nodes from the start on, and the texts of their positions, which begin with a text of the start. @type {{ id: string, nodes: string[], start?: string, keys: string[], review: Review, steps: number, seconds: number, done: boolean } | undefined} */
  let reviewed;
  /** The glyphs that reviews have given, by documents and nodes: a deeper one may take them back. @type {Map<string, number>} */
  const given = new Map();

  const shown = () => board.game.save();
  const say = (/** @type {string} */ text) => {
    $('analysed').textContent = text;
  };

  /** A list of actions; each is drawn as arrows when it is chosen. @param {[string, string, string?][]} rows */
  const list = (rows, { more = false, after = false, place = $('found') } = {}) => {
    $('more').hidden = !more;
    const items = rows.map(([text, note, action]) => make('li', {}, make('button', { onclick: () => board.showPlan(action ?? '') }, text, note ? make('small', {}, note) : '')));
    if (after) place.append(...items);
    else place.replaceChildren(...items);
  };
  /** Actions of the position that is shown. @param {string[]} actions @param {string[]} mates those that mate @returns {[string, string, string][]} */
  function asRows(actions, mates) {
    const nameIt = namesOf(board.game);
    const mating = new Set(mates);
    return actions.map((action) => [`${nameIt(action)}${mating.has(action) ? '#' : ''}`, '', action]);
  }

  /** Brings the answer into sight: from its first line on, if it is long. */
  function showAnswer() {
    const end = (answered?.whole ? $('faults') : $('found')).lastElementChild ?? $('analysed');
    // On a phone the panel goes on beneath what is in sight of it.
    const sheet = /** @type {HTMLElement} */ (document.querySelector('.sheet'));
    const place = sheet.offsetHeight > 0 ? sheet : $('panel-analyse');
    const isLong = end.getBoundingClientRect().bottom > place.getBoundingClientRect().bottom;
    $('analysed').scrollIntoView({ block: isLong ? 'start' : 'nearest' });
  }

  /** Takes the answer away, which is about another position or game. */
  function clear() {
    answered = undefined;
    board.proofs.stop();
    say('');
    list([]);
    $('certified').hidden = true;
    threat = undefined;
    drawThreat();
    if (showsPass && board.passes) board.togglePasses();
    showsPass = false;
  }

  /** Draws what is threatened, which no arrow of the position itself can show. */
  function drawThreat() {
    const game = threat && Game.parse(threat.saved);
    board.view.marks.threats = game ? arrowsOf(game, /** @type {{ action: string }} */ (threat).action, 1) : [];
    game?.free();
    board.view.redraw();
  }

  /** An action as arrows. @param {Game} game @param {string} planned @param {number} strength */
  const arrowsOf = (game, planned, strength) =>
    game
      .scene({ flipped: board.document.flipped, checks: false, planned })
      .arrows.filter(({ kind }) => kind === 'planned')
      .map(({ shaft, head }) => ({ line: new Path2D(shaft), tip: new Path2D(head), strength }));

  // The engine.

  /** Puts a line that begins at the position on the board into the list. @param {string[]} line */
  function keepLine(line) {
    const { tree } = addLine(board.document.tree, board.document.at, canonical(line));
    board.edit((document) => session.withTree(document, tree));
  }

  /** @param {Line[]} lines @param {import('../worldlines/browser.js').Player} toMove */
  function showLines(lines, toMove) {
    const texts = lines.map(({ line }) => board.games.shortAfter(board.document, board.document.at, line));
    // Rows are short, so that the part in which their first actions differ comes first.
    const firsts = apart(texts.map(([action]) => action));
    const items = lines.map(({ score, line }, index) => {
      const keep = () => {
        keepLine(line);
        toast(words.analyse.lineKept);
      };
      const text = texts[index].join(' / ');
      const brief = [firsts[index], ...texts[index].slice(1)].join(' / ');
      const item = make('button', { title: `${words.analyse.lineHelp}: ${text}`, onclick: () => board.play(line[0]) }, make('strong', isGuess(score) ? { title: words.analyse.likelyMate } : {}, told(score, toMove)), ' ', make('span', { class: 'brief' }, brief), make('span', { class: 'full' }, text));
      const whole = make('button', { class: 'away', title: words.analyse.keepLine, 'aria-label': words.analyse.keepLine, onclick: keep }, '+');
      const unfold = () => {
        if (!unfolded.delete(index)) unfolded.add(index);
        row.classList.toggle('whole', unfolded.has(index));
        fold.setAttribute('aria-expanded', String(unfolded.has(index)));
      };
      const fold = make('button', { class: 'away', 'data-fold': true, title: words.analyse.unfold, 'aria-label': words.analyse.unfold, 'aria-expanded': String(unfolded.has(index)), onclick: unfold }, '▸');
      const row = make('li', { class: 'two' }, item, fold, whole);
      // It has the colour of its arrows.
      row.style.setProperty('--arrow', LINE_COLORS[index] ?? 'transparent');
      row.classList.toggle('whole', unfolded.has(index));
      return row;
    });
    $('engine-lines').replaceChildren(...items);
    // A finger sees no title.
    $('likely').hidden = !lines.some(({ score }) => isGuess(score));
    hint(lines.map(({ line: [action] }) => action));
    const [best] = lines;
    evaluate(best?.score ?? null, toMove);
  }

  /** Draws the actions that the engine thinks of, the best one strongest. @param {string[]} actions */
  function hint(actions) {
    const key = actions.join('\n');
    if (key === hinted) return;
    hinted = key;
    const game = board.games.at(board.document, board.document.at);
    board.view.marks.hints = actions.slice(0, 3).flatMap((planned, index) => arrowsOf(game, planned, [1, 0.7, 0.5][index]).map((arrow) => ({ ...arrow, color: LINE_COLORS[index] })));
    board.view.redraw();
  }

  /** The actions of a line as far as they are legal. @param {string[]} line */
  function canonical(line) {
    const game = board.games.at(board.document, board.document.at).copy();
    try {
      for (const action of line) game.play(action);
      return game.actions().slice(board.actions.length);
    } catch {
      return game.actions().slice(board.actions.length);
    } finally {
      game.free();
    }
  }

  /** @param {Line['score']} score @param {import('../worldlines/browser.js').Player} toMove */
  function evaluate(score, toMove) {
    const meter = $('evaluation');
    meter.hidden = false;
    meter.classList.toggle('flipped', board.document.flipped);
    const look = { score, ending: null, toMove };
    const percent = percentOf(look, 'white');
    meter.firstElementChild.style.height = `${chanceOf(look, 'white').toFixed(1)}%`;
    meter.title = `${words.analyse.chance(percent)}${isGuess(score) ? `. ${words.analyse.likelyMate}` : ''}`;
    const text = told(score, toMove);
    meter.lastElementChild.textContent = told(score, toMove, 1);
    meter.setAttribute('aria-valuenow', String(percent));
    meter.setAttribute('aria-valuetext', isGuess(score) ? words.analyse.likelyMate : text || words.board.unknown);
  }

  function halt() {
    engine.stop();
    looked = '';
    $('likely').hidden = true;
    hint([]);
  }

  /** How far the engine has looked. A proved mate needs no depth: only other lines are looked for then. @param {Line | undefined} best @param {boolean} done @param {import('../worldlines/browser.js').Player} toMove */
  function wordsOfDepth(best, done, toMove) {
    const score = best?.score;
    if (!score || !('mate' in score) || isGuess(score)) return words.analyse.depth(best?.depth ?? 0, done);
    return words.analyse.mateFound(nameOf(score.mate > 0 ? toMove : otherThan(toMove)), Math.abs(score.mate), done);
  }

  /** What is known of the position on the board from an earlier look or the review, if that went deeper than the engine now. @param {string} saved @param {Line} best @returns {Look | undefined} */
  function knownBetter(saved, best) {
    const isOf = reviewed?.done && reviewed.id === board.document.id;
    const looks = [known.get(saved), isOf ? reviewed?.review.shown[reviewed.nodes.indexOf(board.document.at)] : undefined];
    const reach = reachOf({ score: best.score, ending: null, depth: best.depth });
    return looks.filter((look) => look !== undefined).find((look) => reachOf(look) > reach);
  }

  async function think(isFirst = false) {
    if (!running || board.state.tab !== 'analyse') return;
    const saved = board.games.at(board.document, board.document.at).save();
    const lines = Number($('lines').value);
    const key = `${lines} ${board.document.flipped} ${saved}`;
    if (key === looked) return;
    halt();
    looked = key;
    const { toMove } = board.game;
    $('engine-lines').replaceChildren();
    // The lines have their room before they are there, so that nothing beneath them moves.
    $('engine-lines').style.setProperty('--lines', String(lines));
    // Whoever has just asked for the engine sees its lines, however far the panel was scrolled.
    if (isFirst) $('engine-lines').scrollIntoView({ block: 'nearest' });
    $('engine-said').title = '';
    const { status } = board;
    if ((status === 'checkmate' || status === 'stalemate') && session.movesOf(board.document).length === 0) {
      $('engine-lines').style.removeProperty('--lines');
      $('engine-said').textContent = words.analyse.over(standing(status, toMove, board.game.inCheck));
      evaluate(status === 'checkmate' ? { mate: 0 } : { pawns: 0 }, toMove);
      return;
    }
    $('engine-said').textContent = words.analyse.thinking;
    try {
      const show = (/** @type {{ lines: Line[], steps: number, ending?: string, done?: boolean, complete?: boolean }} */ part) => {
        if (looked !== key) return;
        if (part.ending) $('engine-said').textContent = words.analyse.noAction(part.ending);
        else $('engine-said').textContent = wordsOfDepth(part.lines[0], part.done === true, toMove);
        $('engine-said').title = words.analyse.steps(part.steps);
        const [best] = part.lines;
        if (best) learn(saved, { score: best.score, action: best.line[0] ?? null, ending: null, depth: best.depth, toMove, line: best.line });
        showLines(part.lines, toMove);
        const further = best && knownBetter(saved, best);
        if (further) {
          $('engine-said').append(` ${words.analyse.knownBetter(told(further.score, toMove), depthOf(further))}`);
          evaluate(further.score, toMove);
        }
        if (part.ending) evaluate(part.ending === 'checkmate' ? { mate: 0 } : { pawns: 0 }, toMove);
      };
      show({ ...(await engine.ask('deepen', { saved, lines, most: MOST_STEPS }, show)) });
    } catch (/** @type {any} */ error) {
      if (error.code === 'stopped') return;
      looked = '';
      $('engine-said').textContent = words.analyse.failed(words.fault(error));
      run(false);
    }
  }

  /** @param {boolean} on */
  function run(on) {
    running = on;
    $('engine').setAttribute('aria-pressed', String(on));
    if (on) {
      think(true);
      return;
    }
    halt();
    $('engine-lines').replaceChildren();
    $('engine-lines').style.removeProperty('--lines');
    $('evaluation').hidden = true;
  }
  $('engine').addEventListener('click', () => {
    $('engine-said').textContent = '';
    run(!running);
  });
  $('lines').value = board.settings.value.lines;
  $('lines').addEventListener('change', () => {
    board.settings.set('lines', $('lines').value);
    think();
  });

  // Questions.

  /** A question to the engine; `whole` says that the answer is about the whole game. @param {string} what @param {() => Promise<void>} ask */
  const asked = (what, ask, whole = false) => async () => {
    // An arrow of the last answer would say something of this one.
    if (board.planned) board.plan('');
    hushToast();
    clear();
    const mine = (answered = { id: board.document.id, at: board.document.at, whole });
    // A review that is asked for is seen; otherwise it stays as somebody left it.
    if (whole) $('review-kept').open = true;
    if (whole) clearGraph();
    say(what);
    $('stop').hidden = false;
    $('analysed').scrollIntoView({ block: 'nearest' });
    try {
      await ask();
    } catch (/** @type {any} */ error) {
      if (answered === mine) say(error.code === 'stopped' ? words.analyse.stopped(error.none ?? 0) : words.fault(error));
    } finally {
      $('stop').hidden = !board.proofs.busy;
      if (answered === mine) showAnswer();
    }
  };

  /** Asks for a mate, and says meanwhile what is looked for and for how long. @param {string} saved @param {number} mateIn */
  async function proving(saved, mateIn) {
    const mine = answered;
    const start = performance.now();
    let [length, none] = [1, 0];
    const tell = () => answered === mine && say(words.analyse.proving(length, none, Math.round((performance.now() - start) / 1_000)));
    const clock = setInterval(tell, 1_000);
    try {
      return await board.proofs.ask('mate', { saved, mateIn, steps: PROOF_STEPS }, (/** @type {{ length: number, none?: number }} */ part) => {
        ({ length } = part);
        none = part.none ?? length - 1;
        tell();
      });
    } catch (/** @type {any} */ error) {
      // What was found before somebody stopped it stays true.
      throw Object.assign(error, { none });
    } finally {
      clearInterval(clock);
    }
  }

  $('count').addEventListener(
    'click',
    asked(words.analyse.lookingForActions, async () => {
      const saved = shown();
      const { list: found, mates, complete } = await board.proofs.ask('actions', { saved, most: PART });
      list(asRows(found, mates), { more: !complete });
      if (complete) {
        say(words.analyse.legal(found.length));
        return;
      }
      say(words.analyse.counting(found.length));
      try {
        const { count } = await board.proofs.ask('count', { saved });
        say(count > MOST_COUNTED ? words.analyse.moreThan(MOST_COUNTED) : words.analyse.legal(count));
      } catch (/** @type {any} */ error) {
        if (error.code === 'stopped') throw error;
        say(words.analyse.notCounted(found.length));
      }
    }),
  );
  // More of them are looked for when the end of the list comes into sight.
  let asking = false;
  const more = async () => {
    if (asking || $('more').hidden) return;
    asking = true;
    try {
      const { list: found, mates, complete } = await board.proofs.ask('more', { most: PART });
      list(asRows(found, mates), { more: !complete, after: true });
    } catch {
      $('more').hidden = true;
    } finally {
      asking = false;
    }
  };
  $('more').addEventListener('click', more);
  new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && more()).observe($('more'));
  $('mate').addEventListener(
    'click',
    asked(words.analyse.looking, async () => {
      const mateIn = Number($('mate-in').value);
      if (!Number.isInteger(mateIn) || mateIn < 1 || mateIn > MOST_MATE) {
        say(words.analyse.mateRange(MOST_MATE));
        return;
      }
      const saved = shown();
      const answer = await proving(saved, mateIn);
      if (answer.verdict === 'proven') {
        proved = { saved, mateIn: answer.mateIn };
        $('certified').hidden = false;
        const names = answer.keys.map((/** @type {string} */ key, /** @type {number} */ index) => board.games.shortAfter(board.document, board.document.at, [key])[0] + classText(answer.classes[index]));
        say(words.analyse.proven(answer.mateIn, answer.asked, answer.keys.length, answer.complete, answer.steps, answer.keys.length === 1 ? names[0] : ''));
        list([
          ...answer.keys.map((/** @type {string} */ key, /** @type {number} */ index) => [key, words.analyse.byForce + classText(answer.classes[index]), key]),
          // Every other action is the defender's.
          ...answer.line.slice(1).map((/** @type {string} */ action, /** @type {number} */ index) => [action, index % 2 === 0 ? words.analyse.longest : words.analyse.mating]),
        ]);
        board.showPlan(answer.keys[0] ?? '');
      } else {
        say(answer.verdict === 'refuted' ? words.analyse.refuted(mateIn) : words.analyse.notKnown(answer.steps, answer.none ?? 0));
      }
    }),
  );
  $('certificate').addEventListener('click', async () => {
    if (!proved) return;
    const { saved, mateIn } = proved;
    $('certificate').disabled = true;
    try {
      const text = await board.proofs.ask('certificate', { saved, mateIn, steps: PROOF_STEPS });
      const name = `mate-in-${mateIn}.yaml`;
      save(name, 'application/yaml', text);
      toast(words.author.saved(name));
    } catch (/** @type {any} */ error) {
      if (error.code !== 'stopped') say(words.analyse.noCertificate(words.fault(error)));
    } finally {
      $('certificate').disabled = false;
    }
  });
  /** Says why the player cannot pass, and what gives check. @param {string} text */
  async function showChecks(text) {
    say(text);
    const mine = answered;
    const { checks } = await board.proofs.ask('why', { saved: shown() });
    if (answered === mine) list(checks.map((/** @type {string} */ check) => [words.library(check), words.analyse.check]));
  }
  $('threat').addEventListener(
    'click',
    asked(words.analyse.lookingForThreat, async () => {
      if (board.game.inCheck) {
        await showChecks(words.analyse.checkThreat(nameOf(board.game.toMove)));
        return;
      }
      const game = passed(board.game);
      if (!game) {
        say(words.analyse.noPass);
        return;
      }
      const saved = game.save();
      game.free();
      const player = otherThan(board.game.toMove);
      const thought = await board.proofs.ask('think', { saved, steps: 60_000, seed: 0 });
      const mateIn = thought.score && 'mate' in thought.score ? thought.score.mate : 0;
      say(words.analyse.afterPass(nameOf(player), thought.action, mateIn));
      if (!board.passes) {
        showsPass = true;
        board.togglePasses();
      }
      threat = thought.action ? { saved, action: thought.action } : undefined;
      drawThreat();
      board.view.showGhost(/^\([^)]*\)/.exec(thought.action ?? '')?.[0] ?? '');
      // A quiet move threatens nothing by itself.
      const isThreat = mateIn > 0 || thought.action?.includes('x');
      const first = isThreat ? words.analyse.theThreat : words.analyse.ifPassed;
      list(thought.line.map((/** @type {string} */ action, /** @type {number} */ index) => [action, index === 0 ? first : words.analyse.expected]));
    }),
  );
  const sayNoPass = asked(words.analyse.looking, async () => {
    if (board.game.inCheck) await showChecks(words.analyse.checkPass(nameOf(board.game.toMove)));
    else say(words.analyse.noPass);
  });
  $('passes').addEventListener('click', () => {
    if (board.passes || board.canPass) board.togglePasses();
    else sayNoPass();
  });
  $('why').addEventListener(
    'click',
    asked(words.analyse.looking, async () => {
      const { status, inCheck } = await board.proofs.ask('status', { saved: shown() });
      const { checks, reasons, all } = await board.proofs.ask('why', { saved: shown() });
      /** @type {Record<string, string>} */
      const standings = {
        checkmate: words.analyse.whyCheckmate,
        stalemate: words.analyse.whyStalemate,
        softmate: words.analyse.whySoftmate,
        ongoing: inCheck ? words.analyse.whyCheck : words.analyse.whyNoCheck,
        undecided: words.analyse.whyUndecided,
      };
      const failing = reasons.filter((/** @type {{ why: string }} */ { why }) => why !== 'it is legal');
      say(`${standings[status]}${failing.length > 0 ? words.analyse.whyFail : ''}${all ? '' : words.analyse.notAllTried}`);
      /** @type {[string, string, string?][]} */
      const rows = checks.map((/** @type {string} */ check) => [words.library(check), words.analyse.check, undefined]);
      for (const { count, why, example } of failing) {
        rows.push([words.library(why), example ? words.analyse.example(example, count - 1) : '', example || undefined]);
      }
      list(rows);
    }),
  );

  // A whole game.

  /** The action with which the line to a node leaves the main line, with its number; empty on the main line. @param {session.Document} document @param {string} node */
  function branchOf(document, node) {
    const { tree } = document;
    const path = pathTo(tree, node);
    const index = path.findIndex((id) => tree.nodes[tree.nodes[id].parent].children[0] !== id);
    if (index < 0) return '';
    const { number, black } = board.games.numbering(document)(index);
    return `${number}${black ? '…' : '.'} ${board.games.short(document, node).get(path[index])}`;
  }

  /** Says which line is reviewed. @param {session.Document} document @param {string[]} nodes */
  function sayLine(document, nodes) {
    const branch = branchOf(document, nodes[nodes.length - 1]);
    $('review-of').textContent = branch ? words.analyse.reviewOfVariation(branch) : words.analyse.reviewOf;
  }

  /** Looks at the whole game, so many steps at each position. @param {number} steps */
  async function reviewGame(steps) {
    const { document } = board;
    const line = lineThrough(document.tree, document.at);
    const nodes = [ROOT, ...line];
    const actions = line.map((id) => document.tree.nodes[id].action);
    if (actions.length === 0) {
      say(words.analyse.nothingToReview);
      return;
    }
    sayLine(document, nodes);
    let isWhole = false;
    const keys = nodes.map((id) => board.games.at(document, id).save());
    const review = new Review(actions);
    /** @type {NonNullable<typeof reviewed>} */
    const mine = (reviewed = { id: document.id, nodes, start: document.start, keys, review, steps, seconds: 0, done: false });
    const start = performance.now();
    const saved = board.games.after(document.start, actions).save();
    try {
      await board.proofs.ask('review', { saved, count: actions.length, steps }, ({ at, look, action, instead }) => {
        if (reviewed !== mine) return;
        if (!look) {
          review.takeInstead(at, action, instead ?? undefined);
          return;
        }
        learn(keys[at], look);
        review.take(at, look);
        review.learn(at, /** @type {Look} */ (known.get(keys[at])));
        const seconds = (performance.now() - start) / 1_000;
        mine.seconds = Math.round(seconds);
        const [done, all] = [at + 1, nodes.length];
        say(words.analyse.reviewed(done, all, mine.seconds, done >= PACED ? Math.ceil((seconds / done) * (all - done)) : 0));
        drawGraph();
        showFaults();
      });
      isWhole = true;
    } finally {
      if (reviewed === mine) {
        // What was found before somebody stopped it is shown too, unless an earlier review of the same line went to its end.
        const earlier = board.document.review;
        const isWorse = !isWhole && earlier?.nodes.join() === nodes.join() && earlier.looks.length === nodes.length;
        if (isWorse || review.looks.length === 0) {
          clearGraph();
          restore();
        } else {
          mine.done = true;
          drawGraph();
          showFaults();
          keepReview();
        }
      }
    }
  }
  $('review').addEventListener('click', asked(words.analyse.reviewing, () => reviewGame(REVIEW_STEPS), true));
  $('deeper').addEventListener('click', () => {
    const steps = (reviewed?.steps ?? REVIEW_STEPS) * DEEPER;
    asked(words.analyse.reviewing, () => reviewGame(steps), true)();
  });

  /** Keeps what the engine thinks of a position, unless more is known. A review that has the position judges by it. @param {string} saved @param {Look} look */
  function learn(saved, look) {
    const best = deeper(known.get(saved), look);
    known.delete(saved);
    known.set(saved, best);
    if (known.size > MOST_KNOWN) known.delete(/** @type {string} */ (known.keys().next().value));
    if (!reviewed?.done || reviewed.id !== board.document.id) return;
    const { document } = board;
    // The texts of positions have the title of the game.
    if (reviewed.start !== document.start) Object.assign(reviewed, { start: document.start, keys: reviewed.nodes.map((id) => board.games.at(document, id).save()) });
    const at = reviewed.keys.indexOf(saved);
    if (at >= 0 && reviewed.review.learn(at, best)) {
      drawGraph();
      showFaults();
      keepReview();
    }
  }

  /** Whether the game on the board still has the line of a review. @param {NonNullable<typeof reviewed>} one */
  const isStill = ({ nodes, review }) => isOn(board.document.tree, { nodes, actions: review.actions });

  /** Keeps the review with its document. */
  function keepReview() {
    if (!reviewed) return;
    const { id, nodes, review, steps, seconds } = reviewed;
    const glyphs = nodes.flatMap((node) => {
      const glyph = given.get(`${id} ${node}`);
      return glyph === undefined ? [] : [/** @type {[string, number]} */ ([node, glyph])];
    });
    board.keepReview(id, bounded({ nodes, actions: review.actions, steps, seconds, glyphs, ...review.found }));
  }

  /** Shows the review that was kept with the document. */
  function restore() {
    const { document } = board;
    const found = document.review;
    if (reviewed || !found || board.state.tab !== 'analyse' || !isOn(document.tree, found)) return;
    const { nodes, actions, steps, seconds, glyphs } = found;
    try {
      board.games.at(document, nodes[nodes.length - 1]);
    } catch {
      // A document that was spoilt has actions that cannot be played.
      return;
    }
    reviewed = { id: document.id, nodes, keys: [], review: Review.of(actions, found), steps, seconds, done: true };
    for (const [node, glyph] of glyphs) given.set(`${document.id} ${node}`, glyph);
    answered ??= { id: document.id, at: document.at, whole: true };
    sayLine(document, nodes);
    drawGraph();
    showFaults();
  }

  /** Shows the mistakes of the review as a list, and as glyphs in the game; while it goes on only the worst ones, as a list. */
  function showFaults() {
    if (!reviewed) return;
    const { id, nodes, review, steps, seconds, done } = reviewed;
    const { document } = board;
    if (document.id !== id || !nodes.every((node) => document.tree.nodes[node])) return;
    const numberOf = board.games.numbering(document);
    const short = board.games.short(document, nodes[nodes.length - 1]);
    let { tree } = document;
    /** @type {Record<import('./review.js').Grade, number>} */
    const counts = { blunder: 0, mistake: 0, inaccuracy: 0 };
    /** Texts, the nodes before the faults, each with the better line, and the answer to what was played. @type {{ row: [string, string], fall: number, node: string, line: string[], name: string, after: string, reply: string[] }[]} */
    let faults = [];
    review.actions.forEach((_, index) => {
      const node = nodes[index + 1];
      const fault = review.faultOf(index);
      const key = `${id} ${node}`;
      const [old, glyph] = [given.get(key), fault && GLYPHS[fault.grade]];
      if (done && old !== glyph) {
        const has = (/** @type {number | undefined} */ one) => one !== undefined && tree.nodes[node].glyphs.includes(one);
        if (old !== undefined && has(old)) tree = withGlyph(tree, node, old);
        if (glyph !== undefined && !has(glyph)) tree = withGlyph(tree, node, glyph);
        if (glyph === undefined) given.delete(key);
        else given.set(key, glyph);
      }
      if (!fault) return;
      counts[fault.grade] += 1;
      const { player, before, after, line, reply, depth, grade } = fault;
      const [was, is] = [before, after].map((look) => percentOf(look, player));
      const missed = insteadOf(fault, nodes[index]);
      const { number, black } = numberOf(index);
      const played = `${number}${black ? '…' : '.'} ${short.get(node)}`;
      /** @type {[string, string]} */
      const row = [
        played,
        `${words.analyse.fault(words.analyse.grades[grade], nameOf(player), was, is)} (${words.analyse.faultBy(told(before.score, player), told(after.score, player), depth)})${suspicion(fault)}; ${missed}`,
      ];
      faults.push({ row, fall: was - is, node: nodes[index], line, name: played, after: node, reply });
    });
    if (!done) faults = faults.sort((one, other) => other.fall - one.fall).slice(0, WORST);
    if (tree !== document.tree) board.edit((current) => (current.id === id ? session.withTree(current, tree) : current));
    if (done && answered?.whole) say(words.analyse.faults(counts.blunder, counts.mistake, counts.inaccuracy));
    const guesses = review.looks.some((look) => look && isGuess(look.score));
    const { inaccuracy, mistake, blunder } = gradeLimits();
    const said = [words.analyse.limits(inaccuracy, mistake, blunder), words.analyse.restsOn(...review.depths, steps, seconds), guesses && words.analyse.likelyMate];
    $('rests-on').textContent = done ? said.filter(Boolean).join(' ') : '';
    list(faults.map(({ row }) => row), { place: $('faults') });
    $('worst').hidden = done || faults.length === 0;
    showVerdict();
    [...$('faults').children].forEach((item, index) => {
      const { node, line, name, after, reply } = faults[index];
      item.firstElementChild.addEventListener('click', () => {
        board.goTo(node);
        board.showPlan(line[0]);
      });
      const textOf = (/** @type {string} */ from, /** @type {string[]} */ actions) => board.games.shortAfter(document, from, actions.slice(0, MOST_SHOWN)).join(' / ');
      // The line goes into the list, as those of the engine do, and is on the board.
      const keep = () => {
        board.goTo(node);
        keepLine(line.slice(0, MOST_SHOWN));
        board.goTo(addLine(board.document.tree, node, canonical(line.slice(0, 1))).id);
      };
      item.append(make('button', { class: 'line', title: words.analyse.keepLine, onclick: keep }, words.analyse.betterLine(textOf(node, line))));
      if (reply.length > 0) item.append(make('p', { class: 'line' }, words.analyse.answer(name, textOf(after, reply))));
    });
  }

  /** The action that the verdict is about: the one on the board, or the next one while what was better is drawn. */
  function judged() {
    if (!reviewed?.done || reviewed.id !== board.document.id) return undefined;
    const { nodes, review } = reviewed;
    const at = nodes.indexOf(board.document.at);
    const next = board.planned ? review.faultOf(at) : undefined;
    if (next?.line[0] === board.planned) return { at: at + 1, fault: next };
    return { at, fault: at > 0 ? review.faultOf(at - 1) : undefined };
  }

  /** Says beside the board what the review found of an action. */
  function showVerdict() {
    const found = judged();
    // Off the line that was reviewed there is nothing to say.
    $('verdict').hidden = !found || found.at < 0;
    $('verdict').disabled = !found?.fault;
    $('verdict').textContent = '';
    if (!found || !reviewed || found.at < 0) return;
    const { at, fault } = found;
    const { nodes, review } = reviewed;
    const { document } = board;
    const { number, black } = board.games.numbering(document)(at - 1);
    const name = at > 0 ? `${number}${black ? '…' : '.'} ${board.games.short(document, nodes[at]).get(nodes[at])}` : words.board.start;
    if (fault) {
      const { grade, player, before, after } = fault;
      const [was, is] = [before, after].map((look) => percentOf(look, player));
      $('verdict').append(make('strong', {}, `${name}${SIGNS[/** @type {keyof typeof SIGNS} */ (GLYPHS[grade])]}`), ` ${words.analyse.verdict(words.analyse.grades[grade], was, is)}${suspicion(fault)}; ${insteadOf(fault, nodes[at - 1])}`);
    } else {
      const look = review.shown[at];
      $('verdict').append(make('strong', {}, name), look ? ` ${words.analyse.chance(percentOf(look, 'white'))}${isGuess(look.score) ? `, ${words.analyse.suspects}` : ''}` : '');
    }
  }
  $('verdict').addEventListener('click', () => {
    const found = judged();
    if (!reviewed || !found?.fault) return;
    board.goTo(reviewed.nodes[found.at - 1]);
    board.showPlan(found.fault.line[0]);
  });

  /** Says that a grade rests on a mate that is not proved. @param {import('./review.js').Fault} fault */
  const suspicion = ({ before, after }) => ([before, after].some(({ score }) => isGuess(score)) ? `, ${words.analyse.suspects}` : '');

  /** Says what was better than a mistake. @param {import('./review.js').Fault} fault @param {string} node the node before it */
  function insteadOf({ before, better }, node) {
    const name = board.games.shortAfter(board.document, node, [better])[0];
    return before.score && 'mate' in before.score && before.score.mate > 0 ? words.analyse.missed(before.score.mate, name) : words.analyse.better(name);
  }

  /** White's chance to win at every position that was looked at. */
  function drawGraph() {
    if (!reviewed) return;
    const { nodes, review } = reviewed;
    const count = nodes.length - 1;
    const [width, height] = [320, 90];
    const x = (/** @type {number} */ at) => (count === 0 ? 0 : (at / count) * width);
    const y = (/** @type {Look} */ look) => height * (1 - chanceOf(look, 'white') / 100);
    const { shown } = review;
    const path = shown.map((look, at) => `${x(at).toFixed(1)},${y(look).toFixed(1)}`).join(' ');
    const read = x(shown.length - 1);
    const area = svg('polygon', { points: `0,${height} ${path} ${read.toFixed(1)},${height}`, fill: '#fbfaf6' });
    // What was not looked at yet is nobody's.
    const unread = svg('rect', { class: 'unread', x: read.toFixed(1), y: 0, width: (width - read).toFixed(1), height, fill: '#8b8894' });
    const middle = svg('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2, stroke: '#8b8894', 'stroke-dasharray': '4 4' });
    const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': words.analyse.graph }, area, unread, middle);
    picture.addEventListener('click', (event) => {
      const at = Math.round(((/** @type {MouseEvent} */ (event).offsetX) / picture.clientWidth) * count);
      board.goTo(nodes[at]);
    });
    // The place of the board in the game.
    const now = svg('line', { y1: 0, y2: height, stroke: '#e2a000', 'stroke-width': 2, 'vector-effect': 'non-scaling-stroke' });
    picture.append(now);
    const caption = make('figcaption', { class: 'note' });
    moveMark = () => {
      const at = nodes.indexOf(board.document.at);
      now.setAttribute('visibility', at < 0 ? 'hidden' : 'visible');
      for (const end of ['x1', 'x2']) now.setAttribute(end, String(x(Math.max(0, at))));
      const look = shown[at];
      caption.textContent = look ? words.analyse.chanceAt(percentOf(look, 'white'), look.ending ? '' : told(look.score, look.toMove), depthOf(look)) + (isGuess(look.score) ? `. ${words.analyse.likelyMate}` : '') : words.analyse.graph;
    };
    moveMark();
    $('graph').replaceChildren(picture, caption);
    $('review-kept').hidden = false;
  }

  /** Takes the graph away, which is of another game. */
  function clearGraph() {
    reviewed = undefined;
    $('review-kept').hidden = true;
    $('faults').replaceChildren();
    $('worst').hidden = true;
    $('rests-on').textContent = '';
    moveMark = () => {};
    showVerdict();
  }

  $('stop').addEventListener('click', () => board.proofs.stop());

  /** Says what is analysed, and leads back to where it came from. */
  function sayWhat() {
    const { slot } = board.state;
    const { title } = board.document;
    const what = slot === 'puzzle' ? words.analyse.puzzle(words.title(title || (board.document.puzzle?.id ?? ''))) : slot === 'setup' ? words.analyse.yourSetup : words.analyse.yourGame;
    const given = slot === 'game' ? titleOf(board.document) : '';
    $('of-what').textContent = [given ? words.analyse.titled(what, given) : what, board.result].filter(Boolean).join(': ');
    const { tree, at } = board.document;
    $('review').textContent = isMain(tree, at) ? words.analyse.review : words.analyse.reviewVariation;
    $('back-to-puzzle').hidden = slot !== 'puzzle';
    $('to-game').hidden = slot === 'game';
  }
  $('back-to-puzzle').addEventListener('click', () => board.openTab('puzzles'));
  $('to-game').addEventListener('click', () => board.update({ ...board.state, slot: 'game' }, { sight: 'document' }));
  sayWhat();
  board.addEventListener('change', () => {
    const { id, at } = board.document;
    if (answered && (id !== answered.id || (!answered.whole && at !== answered.at))) clear();
    $('passes').setAttribute('aria-pressed', String(board.passes));
    if (threat) drawThreat();
    if (reviewed && (reviewed.id !== id || (reviewed.done && !isStill(reviewed)))) {
      clearGraph();
      if (answered?.whole) clear();
    }
    restore();
    // Another line may be the main one by now.
    if (reviewed && isStill(reviewed)) sayLine(board.document, reviewed.nodes);
    moveMark();
    showVerdict();
    sayWhat();
    think();
  });
  return {
    enter() {
      if (running) {
        $('evaluation').hidden = false;
        think();
      }
    },
    leave() {
      threat = undefined;
      drawThreat();
      if (showsPass && board.passes) board.togglePasses();
      showsPass = false;
      // What was changed has asked the engine once more.
      halt();
      $('evaluation').hidden = true;
      if (board.planned) board.plan('');
    },
  };
}
