// @ts-check
// A puzzle file of the position on the board, verified while it is written.

import { Game, puzzleGame } from '../worldlines/browser.js';
import { newId } from './board.js';
import { $, toast } from './dom.js';
import { pick, save, textOf } from './files.js';
import { documentOf } from './games.js';
import { words } from './language.js';
import { kept, keep } from './settings.js';

/** @typedef {import('./board.js').Board} Board */

const PATIENCE = 500;
const STEPS = 20_000_000;
/** The most solutions that are written down for a goal of the defender. */
const MOST_LINES = 20;
/** The name under which the file is kept that is written. */
const KEPT = 'worldlines author';

/** The most actions of a goal. */
const MOST_COUNT = 8;

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
  $('a-title').value = words.author.newPuzzle;
  const before = kept(KEPT);
  for (const [id, value] of Object.entries(typeof before === 'object' && before ? before : {})) {
    if (['yaml', 'a-title', 'a-author'].includes(id) && typeof value === 'string') $(id).value = value;
  }
  const remember = () => keep(KEPT, { yaml: $('yaml').value, 'a-title': $('a-title').value, 'a-author': $('a-author').value });
  for (const id of ['yaml', 'a-title', 'a-author']) $(id).addEventListener('input', remember);

  async function check() {
    remember();
    const yaml = $('yaml').value;
    $('findings').hidden = true;
    $('steps').textContent = '';
    if (!yaml.trim()) {
      $('verified').textContent = '';
      return;
    }
    board.proofs.stop();
    $('verified').textContent = words.author.verifying;
    $('verified').className = '';
    try {
      const reports = await board.proofs.ask('verify', { yaml });
      const [report] = reports;
      const steps = report.steps
        .filter((/** @type {{ answer: string }} */ { answer }) => answer !== 'skipped')
        .map((/** @type {{ step: string, answer: string }} */ { step, answer }) => (answer === 'pass' ? step : `${step}: ${answer}`));
      $('verified').textContent = `${report.id}: ${words.author.verdicts[report.answer] ?? report.answer}`;
      $('steps').textContent = words.author.lookedAt(steps);
      $('verified').className = report.answer === 'pass' ? 'good' : 'bad';
      const texts = reports.flatMap((/** @type {{ findings: { text: string }[] }} */ { findings }) => findings.map(({ text }) => text));
      $('findings').textContent = texts.join('\n');
      $('findings').hidden = texts.length === 0;
    } catch (/** @type {any} */ error) {
      if (error.code !== 'stopped') {
        $('verified').textContent = words.fault(error);
        $('verified').className = 'bad';
      }
    }
  }

  $('yaml').addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(check, PATIENCE);
  });
  /**
   * What can be said of a goal at this position: `goal`, `lines`, `unique`, and `note` if it is not reached.
   * @param {string} kind @param {string} saved @param {number} count
   * @returns {Promise<{ goal: string, lines: string[][], unique?: boolean, note: string }>}
   */
  async function answer(kind, saved, count) {
    if (kind === 'status') {
      const { status } = await board.proofs.ask('status', { saved });
      return { goal: `status: ${status}`, lines: [], note: status === 'ongoing' ? words.author.goesOn : '' };
    }
    if (kind === 'mate-in' || kind === 'no-mate-in') {
      const found = await board.proofs.ask('mate', { saved, mateIn: count, steps: STEPS });
      const proven = found.verdict === 'proven';
      if (kind === 'no-mate-in') return { goal: `no-mate-in: ${count}`, lines: [], note: proven ? words.author.isMate(found.mateIn, found.keys[0]) : '' };
      const mateIn = proven && found.mateIn < count ? found.mateIn : count;
      $('a-mate').value = mateIn;
      const note = found.verdict === 'refuted' ? words.author.noMate(count) : mateIn < count ? words.author.sooner(mateIn, count) : '';
      return { goal: `mate-in: ${mateIn}`, lines: found.line.length > 0 ? [found.line] : [], unique: proven && found.keys.length === 1, note };
    }
    const { actions, losing, verdict } = await board.proofs.ask('surviving', { saved, mateIn: count, most: MOST_LINES, steps: STEPS });
    const enough = kind === 'only-defence' ? actions.length === 1 : actions.length > 0;
    let note = '';
    if (verdict === 'undecided') note = words.author.notKnown;
    else if (actions.length === 0) note = words.author.allMated(count);
    else if (!enough) note = words.author.notAlone(actions.slice(0, 4), actions.length > 4);
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
      $('verified').className = 'bad';
      $('verified').textContent = words.analyse.mateRange(MOST_COUNT);
      return;
    }
    const record = board.game.record();
    board.proofs.stop();
    $('verified').className = '';
    $('verified').textContent = words.author.looking;
    let found;
    try {
      const clean = Game.parse(record);
      const saved = clean.save();
      clean.free();
      found = await answer(kind, saved, count);
    } catch (/** @type {any} */ error) {
      if (error.code === 'stopped') return;
      $('verified').textContent = words.fault(error);
      $('verified').className = 'bad';
      return;
    }
    const old = $('yaml').value.trim();
    const undone = replace(fileOf({ title: $('a-title').value.trim() || words.author.newPuzzle, author: $('a-author').value.trim(), record, ...found }));
    if (old && old !== $('yaml').value.trim()) toast(words.author.made, undone);
    await check();
    if (found.note) $('verified').textContent = `${found.note} ${$('verified').textContent}`;
    showVerdict();
  });
  /** Scrolls to what is said of the file. */
  function showVerdict() {
    for (const id of ['findings', 'steps', 'verified']) $(id).scrollIntoView({ block: 'nearest' });
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
      board.open('game', documentOf(game, { id: newId() }), { said: words.author.opened, tab: 'author', undone });
      game.free();
    } catch {
      toast(words.author.fileOpen, undone);
      // The check below says what is wrong with it.
    }
    return check();
  };
  $('a-open').addEventListener('click', async () => {
    const file = await pick('.yaml,.yml,text/plain');
    if (!file) return;
    await read(await textOf(file));
    showVerdict();
  });
  $('a-save').addEventListener('click', () => save(`${idOf($('a-title').value)}.yaml`, 'application/yaml', $('yaml').value));
  return { read };
}
