// @ts-check
// Puzzles to solve: the shipped ones, one of them each day, and the one that is being made. A puzzle has a document of its own, and is judged whenever it is returned to.

import { puzzleGame, puzzleSolution, puzzlesOf } from '../worldlines/browser.js';
import { newId } from './board.js';
import { $, LOW, goTo, hushToast, make, option, toast } from './dom.js';
import { documentOf } from './games.js';
import { language, words } from './language.js';
import { chapters, nextLesson, readLessons, textsOf } from './lessons.js';
import * as session from './session.js';
import { kept, keep } from './settings.js';
import { addLine, actionsTo, pathTo, promote } from './tree.js';
import { afterPuzzle, BEGINNING, readRating } from './rating.js';
import { nameOf, otherThan, squareOf } from './words.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {import('../worldlines/browser.js').PuzzleInfo & { collection: string, file: string, difficulty: number | null, daily?: number, isOwn?: boolean }} Info `isOwn` where its texts are in the language of the page
 * @typedef {{ info: Info, yaml: string, base: string, isTrial: boolean }} Puzzle what is known of it, its file, the node where it begins, and whether its author tries it out
 * @typedef {{ mateIn?: number, noMateIn?: number, survive?: number, selfmateIn?: number, onlyDefence?: number, status?: string }} Goal
 */

const SOLVED = 'worldlines solved';
const STREAK = 'worldlines streak';
const RATING = 'worldlines rating';
const HELPED = 'worldlines helped';
/** Milliseconds until the opponent answers, and between the actions of a solution. */
const ANSWER = 450;
/** Milliseconds for which a wrong action is seen. */
const SEEN = 900;

/** @param {Info} info @returns {Goal} */
const goalOf = ({ goal }) => /** @type {Goal} */ (goal);

/** @param {Goal} goal @param {import('../worldlines/browser.js').Player} toMove */
function goalText(goal, toMove) {
  const [[key, value]] = Object.entries(goal);
  return words.puzzles.tasks[key]?.(nameOf(toMove), value) ?? key;
}

/** @param {Goal} goal */
function goalName(goal) {
  const [[key, value]] = Object.entries(goal);
  return words.puzzles.goals[key]?.(value) ?? key;
}

/** The pieces of a set-up that have not moved, which the board does not show. @param {Info} info */
function unmovedText({ unmoved }) {
  if (!unmoved) return '';
  /** @type {import('../worldlines/browser.js').Player[]} */
  const players = ['white', 'black'];
  const told = players.filter((player) => unmoved[player].length > 0).map((player) => words.puzzles.unmovedOf(nameOf(player), unmoved[player].join(', ')));
  return words.puzzles.unmoved(told.join('; '));
}

/** Puts a text into an element, with its language if that is not the page's. @template {HTMLElement} T @param {T} element @param {string} text @param {boolean} [isOwn] */
function put(element, text, isOwn = language === 'en') {
  element.textContent = text;
  if (isOwn) element.removeAttribute('lang');
  else element.lang = 'en';
  return element;
}

/** Puts the title of a puzzle into an element. Where the page has no words for it, it is in English. @template {HTMLElement} T @param {T} element @param {Info} puzzle */
function named(element, { title, isOwn }) {
  const text = isOwn ? title : words.title(title);
  return put(element, text, isOwn || text !== title || undefined);
}

/** The puzzle of a file, and its game. @param {string} yaml @param {Info} [listed] what the list of puzzles says of it; one without a place there is tried out by its author @returns {{ puzzle: Puzzle, game: import('../worldlines/browser.js').Game }} */
function puzzleOf(yaml, listed) {
  const [read] = listed ? [] : puzzlesOf(yaml);
  if (!listed && !read) throw new Error(words.puzzles.notYet);
  const game = puzzleGame(yaml);
  const info = listed ?? { ...read, collection: '', file: '', isOwn: true };
  return { puzzle: { info, yaml, base: String(game.actions().length), isTrial: listed === undefined }, game };
}

/** The puzzle of a day: the same for everybody, also at the terminal. @param {Date} date @param {Info[]} all */
export function dailyOf(date, all) {
  const listed = all.filter(({ daily }) => daily !== undefined).sort((one, other) => Number(one.daily) - Number(other.daily));
  const day = Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
  return listed.length > 0 ? listed[day % listed.length] : undefined;
}

/** The difficulty of a puzzle, by its author, or else by its length and its boards. @param {Info} info */
export function hardness(info) {
  const { mateIn = 1, selfmateIn, survive, onlyDefence } = goalOf(info);
  const length = Math.max(mateIn, selfmateIn ?? 0, survive ?? 0, onlyDefence ?? 0);
  return (info.difficulty ?? Math.min(4, length + 0.5)) + Math.min(0.9, 0.12 * Math.log2(info.boards + 1) + 0.1 * (length - 1));
}

/** @param {Board} board */
export function puzzles(board) {
  /** @type {Info[]} */
  let all = [];
  /** @type {import('./lessons.js').Lesson[]} */
  let lessons = [];
  /** @type {Puzzle | undefined} */
  let puzzle;
  /** Whether a wrong action is still on the board. */
  let isWrong = false;
  /** Whether the opponent is about to answer. */
  let isAnswering = false;
  /** A wrong action with what refutes it, to be shown. @type {string[]} */
  let refuted = [];
  /** What hints have marked, where they were given: the piece that moves, and where it goes. @type {{ id: string, at: string, places: import('./tree.js').Place[] } | undefined} */
  let clue;
  /** The action that hints are about, by its document and the number of actions before it, and the hints for those before. */
  let hinted = { about: '', before: 0 };
  /** @type {Set<string>} */
  const solved = new Set(Array.isArray(kept(SOLVED)) ? kept(SOLVED) : []);
  const streak = () => Math.max(0, Number(kept(STREAK)) || 0);
  /** Puzzles that were not solved at the first try: after a hint, a wrong action or the solution they count for nothing until they were solved without. @type {Set<string>} */
  const helped = new Set(Array.isArray(kept(HELPED)) ? kept(HELPED) : []);
  const keepHelped = () => keep(HELPED, [...helped]);
  /** The puzzle was not solved at the first try, whatever is played now. */
  function fail() {
    if (!puzzle || puzzle.isTrial) return;
    helped.add(puzzle.info.id);
    keepHelped();
    endStreak();
    rate(false);
  }
  /** Ends the row of puzzles that were solved at once. Lessons teach: they neither end it nor make it longer. */
  function endStreak() {
    if (puzzle?.isTrial || isLesson(puzzle?.info.id)) return;
    keep(STREAK, 0);
    count();
  }

  /** The rating of the visitor, and the puzzles that have counted. @returns {{ now: import('./rating.js').Rating, counted: string[] }} */
  const rating = () => {
    const value = kept(RATING);
    const ids = Array.isArray(value?.counted) ? value.counted.filter((/** @type {unknown} */ id) => typeof id === 'string') : [];
    return { now: readRating(value?.now), counted: ids };
  };
  /** Counts a puzzle, once. @param {boolean} isSolved */
  function rate(isSolved) {
    const { now, counted: before } = rating();
    // Lessons teach, and an author knows the answer: neither counts for anything.
    if (!puzzle || puzzle.isTrial || isLesson(puzzle.info.id) || before.includes(puzzle.info.id)) return;
    const after = afterPuzzle(now, hardness(puzzle.info), isSolved);
    keep(RATING, { now: after, counted: [...before, puzzle.info.id] });
    $('puzzle-rated').textContent = words.puzzles.rated(Math.round(now.rating), Math.round(after.rating));
    showRating();
  }
  function showRating() {
    const { now, counted: before } = rating();
    const count = before.length;
    $('rating').textContent = count === 0 ? words.puzzles.noRating : words.puzzles.rating(Math.round(now.rating), Math.round(2 * now.deviation), count);
    $('rating-reset').hidden = count === 0;
  }
  function resetRating() {
    const before = kept(RATING);
    keep(RATING, { now: BEGINNING, counted: [] });
    showRating();
    toast(words.puzzles.ratingReset, () => (keep(RATING, before), showRating()));
  }

  const say = (/** @type {string} */ text, kind = '', isOwn = true) => {
    put($('puzzle-said'), text, isOwn).className = kind;
    showTask();
    if (kind) tellFolded(text);
    // A page that scrolls as a whole stays at the board. What belongs to a verdict is shown after it.
    if (text !== invitation() && !matchMedia(LOW).matches) requestAnimationFrame(() => $('puzzle-verdict').scrollIntoView({ block: 'nearest' }));
  };
  /** Whether the panel is folded away, and what it says with it. */
  const isFolded = () => board.state.tab === 'puzzles' && $('panel-puzzles').getClientRects().length === 0;
  /** Says a verdict over a folded panel, and leads on from a puzzle that is solved. @param {string} text */
  function tellFolded(text) {
    if (!isFolded()) return;
    const isHidden = $('puzzle-next').hidden;
    if (isHidden && refuted.length > 0) toast(text, refute, { label: words.puzzles.showWhy });
    else if (isHidden) toast(text);
    else toast(text, next, { label: $('puzzle-next').textContent, stays: true });
  }
  const slot = () => board.state.slots.puzzle;
  const document = () => board.state.documents[/** @type {string} */ (slot())];
  const task = () => /** @type {import('./session.js').Task} */ (document().puzzle);
  /** @param {Partial<import('./session.js').Task>} change @param {(document: session.Document) => session.Document} [also] @param {Parameters<Board['update']>[1]} [how] */
  const change = (change, also = (one) => one, how) => {
    const one = document();
    board.update(session.withDocument(board.state, also({ ...one, puzzle: { ...task(), ...change } })), how);
  };
  /** Makes the right actions the main line, also after wrong tries. @param {session.Document} one @returns {session.Document} */
  const main = (one) => ({ ...one, tree: promote(one.tree, one.at) });
  /** The node after the actions that were right. */
  const here = () => addLine(document().tree, of().base, task().line).id;
  const isHere = () => document().at === here();
  const of = () => /** @type {Puzzle} */ (puzzle);
  /** Whether the puzzle is the one of a document. @param {session.Task | undefined} one */
  const isOf = (one) => puzzle !== undefined && one?.id === puzzle.info.id && (puzzle.isTrial ? one.trial?.yaml === puzzle.yaml : !one.trial);
  const isReady = () => isOf(document()?.puzzle);

  /** @type {import('./board.js').Mode} */
  const mode = {
    mayPlay: () => isReady() && (task().ended !== '' || (isHere() && !isWrong && asksAction() && !board.proofs.busy)),
    async submit(moves) {
      hushToast();
      const id = slot();
      const action = moves.join(' ');
      if (task().ended !== '') {
        board.play(action);
        return;
      }
      const line = [...task().line, action];
      say(words.puzzles.judging);
      let judged;
      try {
        judged = await board.proofs.ask('judge', { yaml: of().yaml, line });
      } catch (/** @type {any} */ error) {
        if (error.code !== 'stopped') say(words.fault(error), 'bad');
        return;
      }
      if (slot() !== id || !isReady() || !isHere()) return;
      if (judged.verdict === 'correct') right(action, judged);
      else wrong(action, judged);
    },
  };

  /** @param {string} action @param {{ left: number, reply: string | null }} judged */
  function right(action, judged) {
    const one = session.withMoves(document(), []);
    const text = board.games.canonical(one, action);
    const after = session.played(one, text);
    const reply = judged.reply ? board.games.canonical(after, judged.reply) : undefined;
    refuted = [];
    isAnswering = reply !== undefined;
    change({ line: [...task().line, text, ...(reply ? [reply] : [])] }, (now) => main(session.played(session.withMoves(now, []), text)), { sight: 'follow' });
    const goal = goalOf(of().info);
    const isSelfmate = goal.selfmateIn !== undefined;
    board.sound('right');
    if (judged.left === 0) {
      finish(goal.mateIn !== undefined ? words.puzzles.mateSolved : isSelfmate ? words.puzzles.selfmateSolved : words.puzzles.holds);
      return;
    }
    if (!reply) {
      say(words.puzzles.right(isSelfmate, judged.left), 'good');
      return;
    }
    say(words.puzzles.right(isSelfmate, judged.left, reply), 'good');
    const id = slot();
    const answer = () => {
      isAnswering = false;
      if (slot() !== id || document().at !== after.at) return;
      change({}, (now) => main(session.played(now, reply)), { animate: true, sight: 'follow' });
      board.sound(board.game.inCheck ? 'check' : reply.includes('>>') ? 'travel' : 'move');
    };
    if (board.view.moving) setTimeout(answer, ANSWER);
    else answer();
  }

  /** @param {string} action @param {{ verdict: string, mateIn: number | null, refutation: string | null, message: string | null }} judged */
  function wrong(action, judged) {
    refuted = judged.refutation === 'stalemate' ? [action] : judged.refutation ? [action, judged.refutation] : [];
    say(whyWrong(judged), 'bad');
    board.sound('wrong');
    if (judged.verdict === 'wrong' || judged.verdict === 'slower-mate') {
      fail();
    }
    // Whoever was wrong sees for a moment what was played.
    isWrong = true;
    change({ tried: [...task().tried, action] });
    buttons();
    const [id, at] = [slot(), document().at];
    setTimeout(() => {
      if (slot() === id && document().at === at) takeBack();
      else isWrong = false;
    }, SEEN);
  }

  /** What a wrong action comes to. @param {{ verdict: string, mateIn: number | null, refutation: string | null, message: string | null }} judged */
  function whyWrong({ verdict, mateIn, refutation, message }) {
    const { info } = of();
    const goal = goalOf(info);
    const opponent = nameOf(otherThan(info.toMove));
    if (verdict === 'undecided') return words.puzzles.undecided(message);
    if (verdict !== 'wrong' && verdict !== 'slower-mate') return message ?? '';
    if (refutation === 'stalemate') return words.puzzles.stalemate(opponent);
    const [kind, asked] = /** @type {[string, number | string]} */ (Object.entries(goal).find(([name]) => name in words.puzzles.wrongs));
    return verdict === 'wrong' ? words.puzzles.wrongs[kind](opponent, refutation, asked) : words.puzzles.slower(opponent, refutation, mateIn, asked);
  }

  /** Takes a wrong action back. */
  function takeBack() {
    isWrong = false;
    if (session.movesOf(document()).length > 0) change({}, (one) => session.withMoves(one, []), { sight: board.state.slot === 'puzzle' ? 'undo' : 'same' });
    buttons();
  }

  /** @param {string} text */
  function finish(text) {
    if (!of().isTrial) {
      const isAlone = task().tried.length === 0 && task().hints === 0;
      const clean = isAlone && !helped.has(task().id);
      if (isAlone && helped.delete(task().id)) keepHelped();
      if (clean && !solved.has(task().id) && !isLesson(task().id)) keep(STREAK, streak() + 1);
      if (clean) rate(true);
      solved.add(task().id);
      keep(SOLVED, [...solved]);
    }
    change({ ended: 'solved' });
    list();
    course();
    show();
    say(text, 'good');
    board.sound('end');
  }

  function asksAction() {
    const goal = puzzle && goalOf(puzzle.info);
    return goal !== undefined && [goal.mateIn, goal.selfmateIn, goal.survive, goal.onlyDefence].some((value) => value !== undefined);
  }

  function invitation() {
    if (!asksAction()) return words.puzzles.look;
    return task().line.length > 0 ? words.puzzles.goOn : words.puzzles.make;
  }

  /** Shows the puzzle of the slot in the panel. */
  function show() {
    const ready = isReady();
    $('puzzle').hidden = !ready;
    if (!ready || !puzzle) return;
    const { info, isTrial } = puzzle;
    named($('puzzle-title'), info);
    $('puzzle-goal').textContent = `${goalText(goalOf(info), info.toMove).replace(/[^?]$/, '$&.')} ${info.author ? words.puzzles.by(info.author) : ''}`;
    $('puzzle-unmoved').textContent = unmovedText(info);
    $('puzzle-unmoved').hidden = !$('puzzle-unmoved').textContent;
    const { ended } = task();
    const lesson = isTrial ? undefined : lessons.find(({ id }) => id === info.id);
    $('puzzle-before').hidden = !lesson;
    put($('puzzle-before'), lesson ? lesson.text : '', info.isOwn);
    $('puzzle-next').textContent = lesson ? words.puzzles.nextLesson : words.puzzles.next;
    put($('puzzle-point'), ended ? info.point : '', info.isOwn);
    $('puzzle-author').hidden = !isTrial;
    buttons();
  }

  /** Says over a folded panel what is asked, and after the end what it comes to. */
  function showTask() {
    $('task-line').hidden = !isReady();
    unfoldTask(false);
    if (!isReady()) return;
    const texts = ['puzzle-goal', 'puzzle-unmoved', 'puzzle-before'];
    const told = (task().ended ? ['puzzle-said', 'puzzle-point', ...texts] : texts).map((id) => $(id)).filter(({ textContent }) => textContent);
    $('task').replaceChildren(...told.flatMap(({ textContent, lang }, index) => [index > 0 ? ' ' : '', make('span', { lang: lang || false }, textContent)]));
  }

  function unfoldTask(isOpen = $('task').getAttribute('aria-expanded') !== 'true') {
    $('task').setAttribute('aria-expanded', String(isOpen));
    $('task').scrollTop = 0;
  }

  function buttons() {
    if (!isReady()) return;
    const { ended } = task();
    const isAsking = asksAction() && !ended;
    for (const id of ['hint', 'solution']) $(id).hidden = !isAsking;
    $('puzzle-next').hidden = !ended || of().isTrial;
    const isBack = !ended && !isAnswering && !isHere();
    $('refute').hidden = !isBack && (refuted.length === 0 || ended !== '');
    $('refute').textContent = isBack ? words.puzzles.back : words.puzzles.showWhy;
    const answers = $('answers');
    answers.hidden = asksAction() || ended !== '';
    showTask();
  }

  /** Questions that no action answers. */
  function ask() {
    const goal = goalOf(of().info);
    const [choices, truth] = goal.status !== undefined ? [['checkmate', 'stalemate', 'softmate', 'ongoing'], goal.status] : [['yes', 'no'], 'no'];
    $('answers').replaceChildren(
      ...choices.map((choice) => {
        const named = words.puzzles.answers[choice];
        return make('button', {
          onclick: () => {
            if (choice === truth) {
              finish(words.puzzles.answerRight(named[0].toUpperCase() + named.slice(1)));
              return;
            }
            fail();
            change({ tried: [...task().tried, choice] });
            say(words.puzzles.answerWrong(named), 'bad');
            board.sound('wrong');
          },
        }, named);
      }),
    );
  }

  /** The words that are searched for. */
  const sought = () => $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  /** The puzzles that are asked for, in the order that is asked for. */
  function wanted() {
    const goal = $('goal').value;
    const theme = $('puzzle-theme').value;
    const fits = (/** @type {Info} */ one) =>
      sought().every((/** @type {string} */ word) => `${one.title} ${words.title(one.title)} ${one.themes.join(' ')} ${one.themes.map(words.theme).join(' ')} ${one.collection} ${one.id}`.toLowerCase().includes(word)) &&
      (goal === '' || goalName(goalOf(one)) === goal) &&
      (theme === '' || one.themes.includes(theme));
    const order = $('order').value;
    const sign = order === 'hard' ? -1 : 1;
    const by = (/** @type {Info} */ a, /** @type {Info} */ b) => (order === 'title' ? a.title.localeCompare(b.title) : sign * (hardness(a) - hardness(b)) || a.title.localeCompare(b.title));
    return all.filter(fits).sort(by);
  }

  /** Whether a puzzle of the list is the one that is solved. @param {string} id */
  const isOnBoard = (id) => puzzle?.info.id === id && !puzzle.isTrial;

  function list() {
    const found = wanted();
    const items = found.map((one) => {
      const stars = '●'.repeat(Math.round(Math.min(5, hardness(one))));
      const note = make('small', {}, words.puzzles.about(goalText(goalOf(one), one.toMove), one.size, one.timelines, stars));
      return make('li', {}, make('button', { class: solved.has(one.id) && 'done', 'aria-current': isOnBoard(one.id) && 'true', onclick: () => open(one) }, named(make('span'), one), note));
    });
    $('puzzles').replaceChildren(...items);
    $('puzzles-none').hidden = items.length > 0;
    count();
  }

  /** Says how many are solved, and how many in a row once there was one. */
  function count() {
    const row = kept(STREAK) === null ? undefined : streak();
    // Lessons are counted beside their list.
    const puzzles = all.filter(({ id }) => !isLesson(id));
    $('solved').textContent = words.puzzles.solved(puzzles.filter(({ id }) => solved.has(id)).length, puzzles.length, row);
  }

  /** The course, with what is done of it. */
  function course() {
    $('lessons').hidden = lessons.length === 0;
    $('lessons-done').textContent = words.puzzles.lessonsDone(lessons.filter(({ id }) => solved.has(id)).length, lessons.length);
    const item = (/** @type {import('./lessons.js').Lesson} */ lesson) => {
      const one = all.find(({ id }) => id === lesson.id);
      return make('li', {}, make('button', { class: solved.has(lesson.id) && 'done', 'aria-current': isOnBoard(lesson.id) && 'true', onclick: () => one && open(one) }, `${lesson.number}. `, one ? named(make('span'), one) : lesson.id));
    };
    $('lesson-list').replaceChildren(...chapters(lessons).map((part) => make('li', {}, put(make('h2'), part.chapter, part.lessons.every(({ id }) => all.find((one) => one.id === id)?.isOwn) || undefined), make('ol', { class: 'list' }, ...part.lessons.map(item)))));
  }

  /** A puzzle of the list. @param {Info} one */
  async function load(one) {
    const response = await fetch(`puzzles/${one.file}`);
    if (!response.ok) throw new Error(response.statusText || words.errors.status(response.status));
    return puzzleOf(await response.text(), one);
  }

  /** Opens a puzzle of the list. @param {Info} one */
  async function open(one) {
    board.proofs.stop();
    try {
      begin(await load(one));
    } catch (/** @type {any} */ error) {
      $('solved').textContent = words.puzzles.notLoaded(words.fault(error));
    }
  }

  /** Puts a puzzle on the board, as it was left if it was begun. @param {ReturnType<typeof puzzleOf>} opened @param {string} [from] the document of its author, who tries it out */
  function begin({ puzzle: one, game }, from = '', anew = false) {
    board.proofs.stop();
    hushToast();
    const { info, yaml, isTrial } = one;
    const isOther = puzzle === undefined || puzzle.info.id !== info.id || puzzle.isTrial !== isTrial;
    puzzle = one;
    refuted = [];
    isWrong = false;
    isAnswering = false;
    $('puzzle-rated').textContent = '';
    const begun = anew || isTrial ? undefined : Object.values(board.state.documents).find((other) => isOf(other.puzzle) && other.puzzle?.ended === '' && other.puzzle.line.length > 0);
    const fresh = { id: info.id, line: [], tried: [], hints: 0, ended: /** @type {''} */ (''), ...(isTrial && { trial: { yaml, from } }) };
    // One trial takes the place of the last one.
    const id = isTrial && slot() && task()?.trial ? document().id : newId();
    const made = begun ?? { ...documentOf(game, { id, title: info.title, flipped: info.toMove === 'black' }), puzzle: fresh };
    game.free();
    const isLeft = slot() !== undefined && document().id !== made.id && !task().trial && task().ended === '' && task().line.length > 0;
    board.open('puzzle', made, { said: isLeft ? words.puzzles.another : undefined });
    show();
    ask();
    say(invitation());
    if (begun && !isHere()) change({}, (now) => session.goTo(now, here()), { sight: 'near' });
    if (isOther) {
      list();
      course();
    }
    fold();
    // On a phone the sheet around the panel scrolls.
    for (const one of ['#panel-puzzles', '.sheet']) window.document.querySelector(one)?.scrollTo(0, 0);
    if (matchMedia(LOW).matches) goTo($('puzzle'));
  }

  /** Closes the lists: what was played takes their place. */
  function fold() {
    for (const id of ['lessons', 'all-puzzles']) $(id).open = false;
  }

  /** The puzzle that the slot has: it is there again after a reload and after other tabs. */
  async function resume() {
    const asked = slot() ? document().puzzle : undefined;
    const one = all.find((info) => info.id === asked?.id);
    if (!asked || !(one || asked.trial)) {
      show();
      return;
    }
    const wasReady = isReady();
    if (!wasReady) {
      try {
        const opened = asked.trial ? puzzleOf(asked.trial.yaml) : await load(/** @type {Info} */ (one));
        opened.game.free();
        // Another one may have been opened meanwhile.
        if (!slot() || document().puzzle?.id !== asked.id || isReady()) return;
        puzzle = opened.puzzle;
        fold();
        ask();
        const { ended } = task();
        say(ended === 'solved' ? words.puzzles.isSolved : ended === 'shown' ? words.puzzles.isShown : invitation());
      } catch (/** @type {any} */ error) {
        $('solved').textContent = words.puzzles.notLoaded(words.fault(error));
        return;
      }
    }
    const tried = session.movesOf(document()).join(' ');
    if (tried && task().ended === '' && task().tried.includes(tried)) takeBack();
    // The puzzle goes on where it was, whatever was looked at elsewhere.
    if (task().ended === '' && document().tree.nodes[of().base] && !isHere()) change({}, (one) => session.goTo(one, here()), { sight: 'near' });
    show();
    // A piece that somebody has chosen meanwhile stays so.
    if (!wasReady) board.refresh();
  }

  /** The piece that moves first in an action, and where it goes: as words, and as squares of boards of the player. @param {string} action in full, `(0T2)Na1>>x(0T1)a3` @returns {{ text: string, board: string, square: string }[]} */
  function hintsOf(action) {
    const [, board, letter, from, to, square] = /^(\([-+]?\d+T\d+\))([A-Z]?)([a-h][1-8])[>x]*(\([-+]?\d+T\d+\))?x?([a-h][1-8])/.exec(action) ?? [];
    // Castling has no such form, and its king is hint enough.
    if (!square) return [];
    return [
      { text: words.puzzles.moves(letter || 'P', from, board), board, square: from },
      { text: words.puzzles.goes(letter || 'P', square, to ?? ''), board: to ?? board, square },
    ];
  }

  /** Marks what the words of hints have named, until somebody acts. @param {{ board: string, square: string }[]} named */
  function mark(named) {
    const tiles = named.map(({ board: label }) => board.view.scene.tiles.find((tile) => tile.label === `${label.slice(0, -1)}${of().info.toMove[0]})`));
    const places = tiles.flatMap((tile, index) => (tile ? [{ timeline: tile.timeline, halfTurn: tile.halfTurn, square: squareOf(named[index].square) }] : []));
    clue = { id: document().id, at: here(), places };
    showClue();
    const last = tiles.at(-1);
    if (last && places.length > 0 && isHere()) board.view.reveal(last);
  }

  function showClue() {
    const { id, at } = board.document;
    const isOther = clue !== undefined && (board.state.tab !== 'puzzles' || id !== clue.id || at !== clue.at || session.movesOf(board.document).length > 0);
    if (isOther) clue = undefined;
    board.view.marks.clues = clue?.places ?? [];
    board.view.redraw();
  }

  function hint() {
    if (!puzzle || !isReady()) return;
    const { info, yaml } = puzzle;
    const { line, hints } = task();
    const solution = puzzleSolution(yaml)[line.length];
    if (!solution) {
      say(words.puzzles.noHint);
      return;
    }
    if (hints === 0) fail();
    const about = `${document().id} ${line.length}`;
    // Those for another action begin anew.
    if (hinted.about !== about) hinted = { about, before: line.length === 0 ? 0 : hints };
    const count = hints - hinted.before;
    change({ hints: hints + 1 });
    const own = line.length === 0 ? info.hints : [];
    const themes = own.length === 0 && info.themes.length > 0 ? [words.puzzles.themes(info.themes.map(words.theme))] : [];
    // The author names the idea first, and then often more than the piece: it is named in between.
    const [piece, goes] = hintsOf(solution);
    const steps = [...own.slice(0, 1), ...themes, piece, ...own.slice(1), goes].filter(Boolean);
    const said = steps.slice(0, count + 1).filter((step) => typeof step !== 'string');
    if (said.length > 0) mark(said);
    const step = steps[count];
    const next = typeof step === 'string' ? step : step?.text;
    if (next) {
      say(next, '', !own.includes(next) || (info.isOwn ?? language === 'en'));
    } else {
      say(words.puzzles.play(solution));
      board.plan(solution);
    }
  }

  function solution() {
    if (!isReady()) return;
    const rest = puzzleSolution(of().yaml).slice(task().line.length);
    if (rest.length === 0) {
      say(words.puzzles.noSolution);
      return;
    }
    fail();
    isWrong = false;
    const from = here();
    /** @type {string[]} */
    const actions = [];
    let one = session.withMoves(session.goTo(document(), here()), []);
    for (const action of rest) {
      const text = board.games.canonical(one, action);
      one = session.played(one, text);
      actions.push(text);
    }
    const shown = main(one);
    const path = pathTo(shown.tree, shown.at);
    const steps = path.slice(path.indexOf(from) + 1);
    // One action after the other, unless nothing is to move by itself.
    const [first = from] = board.view.moving ? steps : steps.slice(-1);
    change({}, () => ({ ...shown, at: first, puzzle: { ...task(), line: [...task().line, ...actions], ended: 'shown' } }), { sight: 'follow', animate: true });
    board.sound('move');
    const id = slot();
    const go = (/** @type {number} */ index) => {
      if (slot() !== id || document().at !== steps[index - 1] || !steps[index]) return;
      change({}, (now) => session.goTo(now, steps[index]), board.state.slot === 'puzzle' ? { sight: 'follow', animate: true } : undefined);
      board.sound(board.game.inCheck ? 'check' : 'move');
      setTimeout(go, ANSWER, index + 1);
    };
    if (board.view.moving) setTimeout(go, ANSWER, 1);
    say(words.puzzles.solutionIs(rest));
    show();
  }

  function refute() {
    if (!isReady()) return;
    if (!isHere()) {
      change({}, (one) => session.goTo(one, here()), { sight: 'near' });
      say(invitation());
    } else if (refuted.length > 0) {
      let one = session.withMoves(document(), []);
      for (const action of refuted) one = session.played(one, board.games.canonical(one, action));
      change({}, () => ({ ...one, puzzle: task() }), { animate: true, sight: 'follow' });
      const [action, reply] = actionsTo(one.tree, one.at).slice(-refuted.length);
      const shown = words.puzzles.refutation(action, reply);
      say(shown);
      if (isFolded()) toast(shown, refute, { label: words.puzzles.back, stays: true });
      board.sound('move');
    }
    buttons();
  }

  /** The next one that is not solved. */
  function next() {
    const lesson = isLesson(puzzle?.info.id) ? nextLesson(lessons, solved, puzzle?.info.id) : undefined;
    const after = lesson && all.find(({ id }) => id === lesson.id);
    if (after) {
      open(after);
      return;
    }
    another();
  }

  /** Whether a puzzle is a lesson. @param {string | undefined} id */
  const isLesson = (id) => lessons.some((one) => one.id === id);

  /** The next one of the list that is not solved and no lesson. */
  function another() {
    const found = wanted().filter(({ id }) => !isLesson(id));
    const at = found.findIndex((one) => isOnBoard(one.id));
    const others = [...found.slice(at + 1), ...found.slice(0, at + 1)];
    const one = others.find((info) => !solved.has(info.id) && !isOnBoard(info.id)) ?? others[0];
    if (one) open(one);
  }

  /** Puts the lessons into the language of the page. @param {unknown} table */
  function inOwnWords(table) {
    lessons = lessons.map((lesson) => {
      const texts = textsOf(table, lesson.id);
      if (!texts) return lesson;
      const { chapter, text, ...others } = texts;
      all = all.map((one) => (one.id === lesson.id ? { ...one, ...others, isOwn: true } : one));
      return { ...lesson, chapter, text };
    });
  }

  async function start() {
    const response = await fetch('puzzles/index.json');
    if (!response.ok) throw new Error(words.puzzles.noList);
    all = await response.json();
    const told = await fetch('puzzles/lessons.json');
    lessons = (told.ok ? readLessons(await told.json()) : []).filter(({ id }) => all.some((one) => one.id === id));
    if (language !== 'en') {
      const translated = await fetch(`puzzles/lessons.${language}.json`);
      if (translated.ok) inOwnWords(await translated.json());
    }
    course();
    // Whoever has solved nothing yet begins with the lessons.
    $('lessons').open = solved.size === 0;
    const goals = [...new Set(all.map((one) => goalName(goalOf(one))))].sort();
    $('goal').append(...goals.map((goal) => option(goal, goal)));
    const themes = [...new Set(all.flatMap((one) => one.themes))].sort((a, b) => words.theme(a).localeCompare(words.theme(b), language));
    $('puzzle-theme').append(...themes.map((theme) => option(theme, words.theme(theme))));
    list();
    showRating();
  }

  $('puzzle-goal').after(make('div', { id: 'answers', class: 'row', hidden: true }));
  for (const [id, event] of [['search', 'input'], ['goal', 'change'], ['puzzle-theme', 'change'], ['order', 'change']]) $(id).addEventListener(event, list);
  const press = /** @type {Record<string, () => void>} */ ({
    hint: () => (hushToast(), hint()),
    solution: () => (hushToast(), solution()),
    refute: () => (hushToast(), refute()),
    'puzzle-next': next,
    task: () => unfoldTask(),
    unsolved: another,
    'rating-reset': resetRating,
    again: () => isReady() && begin(puzzleOf(of().yaml, of().isTrial ? undefined : of().info), task().trial?.from, true),
    'puzzle-author': () => board.openTab('author'),
    'puzzle-analyse': () => board.openTab('analyse'),
    daily: () => {
      const today = dailyOf(new Date(), all);
      if (today) open(today);
    },
  });
  for (const [id, act] of Object.entries(press)) $(id).addEventListener('click', act);
  board.modes.puzzles = () => (slot() && board.state.slot === 'puzzle' ? mode : undefined);
  board.addEventListener('change', () => {
    showClue();
    if (board.state.tab === 'puzzles') buttons();
  });
  /** The lists, which are loaded once. @type {Promise<void> | undefined} */
  let loading;
  const loaded = () => {
    loading ??= start().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  board.solve = (yaml) => {
    const opened = puzzleOf(yaml);
    // Of a helpmate nobody can judge single actions.
    if ('helpmateIn' in opened.puzzle.info.goal) {
      opened.game.free();
      throw new Error(words.puzzles.noTrial);
    }
    const from = board.document.id;
    board.openTab('puzzles');
    begin(opened, from);
  };
  return {
    /** Opens the puzzle of a link. @param {string} id */
    async ask(id) {
      try {
        await loaded();
      } catch {
        // The tab says that there is no list.
        return;
      }
      const one = all.find((info) => info.id === id);
      if (one) await open(one);
      else toast(words.page.noPuzzle(id));
    },
    async enter() {
      try {
        await loaded();
      } catch (/** @type {any} */ error) {
        $('solved').textContent = words.fault(error);
      }
      await resume();
    },
    // What leads on from a puzzle is of no use in another tab.
    leave: hushToast,
  };
}
