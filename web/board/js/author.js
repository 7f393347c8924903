// @ts-check
// A puzzle file of the position on the board, verified while it is written.

import { Game, puzzleGame, puzzleSolution, puzzlesOf } from '../worldlines/browser.js';
import { newId } from './board.js';
import { $, make, toast } from './dom.js';
import { pick, save, textOf } from './files.js';
import { documentOf, namesOf } from './games.js';
import { words } from './language.js';
import { kept, keep } from './settings.js';
import { classText, nameOf, placeOf, squareName } from './words.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {import('../worldlines/browser.js').Verified} Verified
 * @typedef {{ goal: string, lines: string[][], unique?: boolean, note: string }} Answer
 */

const PATIENCE = 500;
const STEPS = 20_000_000;
/** The most solutions that are written down for a goal of the defender. */
const MOST_LINES = 20;
/** The name under which the file is kept that is written. */
const KEPT = 'worldlines author';
/** The name under which the puzzles are kept that were saved. */
const MINE = 'worldlines my puzzles';
/** The most of them, and the most letters of one. */
const MOST_MINE = 20;
const MOST_LETTERS = 50_000;

/** The most actions of a goal. */
const MOST_COUNT = 8;
/** The most keys that are named. */
const MOST_KEYS = 6;

/** The puzzles that were saved, the last one first. @returns {{ title: string, yaml: string }[]} */
const mine = () => {
  const list = kept(MINE);
  return Array.isArray(list) ? list.filter((one) => typeof one?.title === 'string' && typeof one.yaml === 'string') : [];
};

/** What is odd about a position: the player to move can capture a royal piece at once, so that no game reaches it. Empty if all is well. @param {Game} game */
export function warningOf(game) {
  const capture = game.royalCapture();
  if (!capture) return '';
  const { to } = capture;
  const { tiles, files, toMove } = game.scene({ checks: false });
  const tile = tiles.find((one) => one.timeline === to.timeline && one.halfTurn === to.halfTurn);
  if (!tile) return '';
  const square = tiles.length === 1 ? squareName(to.square) : placeOf(tile.label) + squareName(to.square);
  return words.author.capturable(nameOf(toMove), tile.pieces[to.square[1] * files + to.square[0]].toUpperCase(), square);
}

/** @param {string} title */
export function idOf(title) {
  const id = title.toLowerCase().normalize('NFD').replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return id || 'puzzle';
}

/** A text between quotes of YAML, which are those of JSON. @param {string} text */
const quoted = (text) => JSON.stringify(text);

/**
 * A puzzle file. `goal` is what stands in the file, `lines` are the solutions that are known, and `unique` says that there is one key.
 * @param {{ title: string, author: string, goal: string, record: string, lines: string[][], unique?: boolean }} given
 */
export function fileOf({ title, author, goal, record, lines, unique }) {
  const start = record.trimEnd().split('\n').map((row) => `    ${row}`.trimEnd());
  const source = author ? `{ from: "made on the board", author: ${quoted(author)} }` : '{ from: "made on the board" }';
  const rows = [
    'schema: worldlines/puzzle-1',
    `id: ${quoted(idOf(title))}`,
    `title: ${quoted(title)}`,
    `source: ${source}`,
    'themes: []',
    'start:',
    '  5dpgn: |',
    ...start,
    `goal: { ${goal} }`,
  ];
  if (lines.length > 0) rows.push('solutions:', ...lines.map((line) => `  - [${line.map(quoted).join(', ')}]`));
  // Other keys are left to `worldlines verify --fix`, which writes their lines too.
  if (unique) rows.push('unique: true');
  return `${rows.join('\n')}\n`;
}

/** @param {Board} board */
export function author(board) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** The number of the last verification, and whether it was cut short by another question. */
  let checks = 0;
  let isCut = false;
  $('a-title').value = words.author.newPuzzle;
  const before = kept(KEPT);
  for (const [id, value] of Object.entries(typeof before === 'object' && before ? before : {})) {
    if (['yaml', 'a-title', 'a-author'].includes(id) && typeof value === 'string') $(id).value = value;
  }
  const remember = () => keep(KEPT, { yaml: $('yaml').value, 'a-title': $('a-title').value, 'a-author': $('a-author').value });
  for (const id of ['yaml', 'a-title', 'a-author']) $(id).addEventListener('input', remember);

  const say = (/** @type {string} */ text, kind = '', answer = '') => {
    $('verified').textContent = text;
    $('verified').className = kind;
    $('verified').dataset.answer = answer;
  };

  /** What is odd about the puzzle of a file. @param {string} yaml */
  function warningOfFile(yaml) {
    let game;
    try {
      game = puzzleGame(yaml);
      return warningOf(game);
    } catch {
      // The verification says what is wrong with the file.
      return '';
    } finally {
      game?.free();
    }
  }

  /** The actions of the only class of keys, but for the one that is named: one key need not be one action. @param {Game} game @param {number} mateIn */
  async function othersOf(game, mateIn) {
    const { classes } = await board.proofs.ask('mate', { saved: game.save(), mateIn, steps: STEPS });
    return classes.length === 1 ? classText(classes[0]) : undefined;
  }

  /** Whether a title is that of the file that is there, which is about another position. @param {string} record @param {string} title */
  function isOfOther(record, title) {
    let game;
    try {
      const yaml = $('yaml').value;
      game = puzzleGame(yaml);
      return puzzlesOf(yaml)[0]?.title === title && game.record() !== record;
    } catch {
      return false;
    } finally {
      game?.free();
    }
  }

  /** What was found out about a file, in plain words. @param {string} yaml @param {Verified[]} reports */
  async function verdictOf(yaml, reports) {
    const report = reports.find((one) => one.answer !== 'pass') ?? reports[0];
    const [finding] = report.findings;
    if (report.answer === 'fail') {
      const isRead = report.steps.some(({ step, answer }) => step === 'well-formed' && answer === 'pass');
      return words.author.faults[finding?.code] ?? (isRead ? words.author.fails : words.author.unreadable)(finding?.line ?? 1);
    }
    const puzzles = puzzlesOf(yaml);
    const said = words.author.verdicts[report.answer] ?? report.answer;
    if (report.answer !== 'pass' || puzzles.length !== 1) return said;
    const [{ goal, toMove }] = puzzles;
    const [[kind, value]] = Object.entries(goal);
    const game = puzzleGame(yaml);
    try {
      const isAlone = kind === 'onlyDefence' || (kind === 'mateIn' && /^unique: true$/m.test(yaml));
      const key = isAlone ? puzzleSolution(yaml).slice(0, 1).map(namesOf(game))[0] : undefined;
      const others = isAlone && kind === 'mateIn' ? await othersOf(game, Number(value)) : '';
      // Where the classes are not known, nothing is said of the key.
      return words.author.proved[kind]?.(nameOf(toMove), value, others === undefined ? undefined : key, others) ?? said;
    } finally {
      game.free();
    }
  }

  /** Verifies the text in the field. @param {Answer} [found] what is known of it, if it was made here */
  async function check(found) {
    remember();
    const yaml = $('yaml').value;
    for (const id of ['findings', 'a-details']) $(id).hidden = true;
    for (const id of ['steps', 'a-warning']) $(id).textContent = '';
    if (!yaml.trim()) {
      say('');
      return;
    }
    board.proofs.stop();
    say(words.author.verifying);
    $('a-warning').textContent = warningOfFile(yaml);
    const mine = ++checks;
    isCut = false;
    try {
      const reports = /** @type {Verified[]} */ (await board.proofs.ask('verify', { yaml }));
      const [report] = reports;
      const steps = report.steps.filter(({ answer }) => answer !== 'skipped').map(({ step, answer }) => (answer === 'pass' ? step : `${step}: ${answer}`));
      const isProved = reports.every(({ answer }) => answer === 'pass');
      const verdict = await verdictOf(yaml, reports);
      // What is wrong with a file that was made here is wrong with the position.
      const text = !found?.note ? verdict : isProved ? `${found.note} ${verdict}` : found.note;
      say(text, isProved ? 'good' : 'bad', reports.find(({ answer }) => answer !== 'pass')?.answer ?? 'pass');
      $('steps').textContent = words.author.lookedAt(steps);
      const texts = reports.flatMap(({ findings }) => findings.map((finding) => finding.text));
      $('findings').textContent = texts.join('\n');
      $('findings').hidden = texts.length === 0;
      $('a-details').hidden = false;
    } catch (/** @type {any} */ error) {
      if (error.code === 'stopped') isCut = mine === checks;
      else say(words.fault(error), 'bad');
    }
  }

  $('yaml').addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      check();
    }, PATIENCE);
  });
  /**
   * What can be said of a goal at this position: `goal`, `lines`, `unique`, and `note` if it is not reached.
   * @param {string} kind @param {string} saved @param {number} count @param {(action: string) => string} nameIt
   * @returns {Promise<Answer>}
   */
  async function answer(kind, saved, count, nameIt) {
    if (kind === 'status') {
      const { status } = await board.proofs.ask('status', { saved });
      return { goal: `status: ${status}`, lines: [], note: status === 'ongoing' ? words.author.goesOn : '' };
    }
    if (kind === 'mate-in' || kind === 'no-mate-in') {
      const found = await board.proofs.ask('mate', { saved, mateIn: count, steps: STEPS });
      const proven = found.verdict === 'proven';
      if (kind === 'no-mate-in') return { goal: `no-mate-in: ${count}`, lines: [], note: proven ? words.author.isMate(found.mateIn, nameIt(found.keys[0])) : '' };
      const mateIn = proven && found.mateIn < count ? found.mateIn : count;
      $('a-mate').value = mateIn;
      const notes = [];
      if (found.verdict === 'refuted') notes.push(words.author.noMate(count));
      if (mateIn < count) notes.push(words.author.sooner(mateIn, count));
      if (found.keys.length > 1) notes.push(words.author.severalKeys(found.keys.length, found.complete, mateIn, found.keys.slice(0, MOST_KEYS).map(nameIt), Math.max(0, found.keys.length - MOST_KEYS), found.classes.some((/** @type {{ size: number }} */ { size }) => size > 1)));
      const note = notes.join(' ');
      // Of many keys the library gives no line.
      const line = found.line.length > 0 ? found.line : mateIn === 1 ? found.keys.slice(0, 1) : [];
      return { goal: `mate-in: ${mateIn}`, lines: line.length > 0 ? [line] : [], unique: proven && found.keys.length === 1, note };
    }
    const { actions, losing, verdict } = await board.proofs.ask('surviving', { saved, mateIn: count, most: MOST_LINES, steps: STEPS });
    const enough = kind === 'only-defence' ? actions.length === 1 : actions.length > 0;
    let note = '';
    if (verdict === 'undecided') note = words.author.notKnown;
    else if (actions.length === 0) note = words.author.allMated(count);
    else if (!enough) note = words.author.notAlone(actions.slice(0, 4).map(nameIt), actions.length > 4);
    else if (losing === 0) note = words.author.noneMated(count);
    const lines = kind === 'survive' ? actions.slice(0, 1) : enough ? actions : [];
    return { goal: `${kind}: ${count}`, lines: lines.map((/** @type {string} */ action) => [action]), note };
  }

  $('a-goal').addEventListener('change', () => {
    $('a-count').hidden = $('a-goal').value === 'status';
  });
  $('a-make').addEventListener('click', async () => {
    const kind = $('a-goal').value;
    const count = Number($('a-mate').value);
    $('verified').scrollIntoView({ block: 'nearest' });
    if (kind !== 'status' && !(Number.isInteger(count) && count >= 1 && count <= MOST_COUNT)) {
      board.proofs.stop();
      say(words.analyse.mateRange(MOST_COUNT), 'bad');
      return;
    }
    const record = board.game.record();
    // The title of a file about another position says nothing of this one.
    if (isOfOther(record, $('a-title').value.trim())) $('a-title').value = words.author.newPuzzle;
    checks += 1;
    board.proofs.stop();
    say(words.author.looking);
    $('a-details').hidden = true;
    let found;
    try {
      const clean = Game.parse(record);
      const saved = clean.save();
      const nameIt = namesOf(clean);
      $('a-warning').textContent = warningOf(clean);
      clean.free();
      found = await answer(kind, saved, count, nameIt);
    } catch (/** @type {any} */ error) {
      if (error.code !== 'stopped') say(words.fault(error), 'bad');
      return;
    }
    const old = $('yaml').value.trim();
    const undone = replace(fileOf({ title: $('a-title').value.trim() || words.author.newPuzzle, author: $('a-author').value.trim(), record, ...found }));
    if (old && old !== $('yaml').value.trim()) toast(words.author.made, undone);
    await check(found);
    showVerdict();
  });
  /** Scrolls to what is said of the file. */
  function showVerdict() {
    for (const id of ['a-details', 'verified', 'a-warning']) $(id).scrollIntoView({ block: 'nearest' });
  }
  /** Another text in the field. @param {string} text @returns {() => void} brings the old one back */
  const replace = (text) => {
    const old = $('yaml').value;
    $('yaml').value = text;
    return () => {
      $('yaml').value = old;
      check();
    };
  };
  const read = (/** @type {string} */ text) => {
    const undone = replace(text);
    try {
      const game = puzzleGame(text);
      board.open('game', documentOf(game, { id: newId(), title: puzzlesOf(text)[0]?.title }), { said: words.author.opened, tab: 'author', undone });
      game.free();
    } catch {
      toast(words.author.fileOpen, undone);
      // The check below says what is wrong with it.
    }
    return check();
  };
  /** Lists the puzzles that were saved. */
  function showMine() {
    const list = mine();
    $('a-mine').hidden = list.length === 0;
    const change = (/** @type {typeof list} */ other) => {
      keep(MINE, other);
      showMine();
    };
    $('a-mine-list').replaceChildren(
      ...list.map((one) => {
        const forget = () => {
          change(mine().filter(({ title }) => title !== one.title));
          toast(words.author.forgotten, () => change(list));
        };
        const open = async () => {
          await read(one.yaml);
          showVerdict();
        };
        const away = make('button', { class: 'away', 'aria-label': words.play.deleteGame(one.title), title: words.play.delete, onclick: forget }, '×');
        return make('li', { class: 'two' }, make('button', { onclick: open }, one.title), away);
      }),
    );
  }
  showMine();
  $('a-open').addEventListener('click', async () => {
    const file = await pick('.yaml,.yml,text/plain');
    if (!file) return;
    await read(await textOf(file));
    showVerdict();
  });
  $('a-try').addEventListener('click', () => {
    if (!$('yaml').value.trim()) {
      say(words.author.nothing, 'bad');
      return;
    }
    try {
      board.solve($('yaml').value);
      // The verification that was about to begin waits until the author is back.
      isCut ||= timer !== undefined;
      clearTimeout(timer);
      timer = undefined;
    } catch (/** @type {any} */ error) {
      // The verdict on the file stays where it is.
      toast(words.fault(error));
    }
  });
  $('a-save').addEventListener('click', () => {
    if (!$('yaml').value.trim()) {
      say(words.author.nothing, 'bad');
      return;
    }
    const name = `${idOf($('a-title').value)}.yaml`;
    save(name, 'application/yaml', $('yaml').value);
    toast(savedAs(name));
    // The next one of the same title takes its place.
    const title = $('a-title').value.trim() || words.author.newPuzzle;
    const yaml = $('yaml').value;
    if (yaml.length <= MOST_LETTERS) keep(MINE, [{ title, yaml }, ...mine().filter((one) => one.title !== title)].slice(0, MOST_MINE));
    showMine();
  });
  /** Says that the file is saved, and what is wrong with it: a file need not be right to be kept. @param {string} name */
  function savedAs(name) {
    const { textContent, className, dataset } = $('verified');
    if (textContent === '' || dataset.answer === 'pass') return words.author.saved(name);
    // The verdict stands whole above the file: its first words are enough.
    return words.author.savedUnproved(name, className === 'bad' ? (/^[^:.]*/.exec(textContent)?.[0] ?? '') : '');
  }
  return {
    read,
    enter() {
      if (isCut) check();
    },
  };
}
