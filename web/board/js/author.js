// A puzzle file of the position on the board, verified while it is written.

import { Game } from '../worldlines/browser.js';
import { $ } from './main.js';

const PATIENCE = 500;

export function idOf(title) {
  const id = title.toLowerCase().normalize('NFD').replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return id || 'puzzle';
}

/** A text between quotes of YAML, which are those of JSON. */
const quoted = (text) => JSON.stringify(text);

export function fileOf({ title, author, mateIn, record, keys, line }) {
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
    `goal: { mate-in: ${mateIn} }`,
  ];
  if (line.length > 0) {
    rows.push('solutions:', `  - [${line.map(quoted).join(', ')}]`);
    // Other keys are left to `worldlines verify --fix`, which writes their lines too.
    if (keys.length === 1) rows.push('unique: true');
  }
  return `${rows.join('\n')}\n`;
}

export function author(board) {
  let timer;

  async function check() {
    const yaml = $('yaml').value;
    $('findings').hidden = true;
    if (!yaml.trim()) {
      $('verified').textContent = '';
      return;
    }
    board.proofs.stop();
    $('verified').textContent = 'Verifying …';
    $('verified').className = '';
    try {
      const reports = await board.proofs.ask('verify', { yaml });
      const [report] = reports;
      const steps = report.steps.map(({ step, answer }) => `${step}: ${answer}`).join(', ');
      $('verified').textContent = `${report.id}: ${report.answer}. ${steps}`;
      $('verified').className = report.answer === 'pass' ? 'good' : 'bad';
      const texts = reports.flatMap(({ findings }) => findings.map(({ text }) => text));
      $('findings').textContent = texts.join('\n');
      $('findings').hidden = texts.length === 0;
    } catch (error) {
      if (error.code !== 'stopped') {
        $('verified').textContent = error.message;
        $('verified').className = 'bad';
      }
    }
  }

  $('yaml').addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(check, PATIENCE);
  });
  $('a-make').addEventListener('click', async () => {
    const mateIn = Math.min(5, Math.max(1, Number($('a-mate').value) || 1));
    const game = board.live ? board.game : board.shown;
    const record = game.record();
    board.proofs.stop();
    $('verified').textContent = 'Looking for the mate …';
    let found = { keys: [], line: [], verdict: 'undecided' };
    try {
      const clean = Game.parse(record);
      found = await board.proofs.ask('mate', { saved: clean.save(), mateIn, steps: 20_000_000 });
      clean.free();
    } catch (error) {
      if (error.code === 'stopped') return;
    }
    const lost = found.verdict === 'proven' && found.mateIn < mateIn;
    $('a-mate').value = lost ? found.mateIn : mateIn;
    $('yaml').value = fileOf({
      title: $('a-title').value.trim() || 'A new puzzle',
      author: $('a-author').value.trim(),
      mateIn: Number($('a-mate').value),
      record,
      keys: found.keys,
      line: found.line,
    });
    await check();
  });
  $('a-save').addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([$('yaml').value], { type: 'application/yaml' }));
    link.download = `${idOf($('a-title').value)}.yaml`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
  });
  return {};
}
