// Games as text, in every notation.

import { Game, convert, formats, puzzleGame } from '../worldlines/browser.js';
import { GAMES, fileName, isPuzzle, pick, save } from './files.js';
import { $ } from './page.js';

export function texts(board) {
  const written = formats().filter((format) => format.written);
  $('format').replaceChildren(
    ...written.map(({ name, title }) => {
      const option = document.createElement('option');
      option.value = name;
      option.textContent = title.toLowerCase() === name ? title : `${title} (${name})`;
      return option;
    }),
  );
  $('format').value = '5dpgn';

  const say = (text, kind = '') => {
    $('text-said').textContent = text;
    $('text-said').className = kind;
  };

  function write() {
    try {
      const { text, losses } = convert(board.game.record(), { from: '5dpgn', to: $('format').value });
      $('text').value = text;
      say(losses.length > 0 ? `Lost: ${losses.join('; ')}.` : '');
    } catch (error) {
      say(error.message, 'bad');
    }
  }

  function read() {
    const text = $('text').value;
    const attempts = isPuzzle(text) ? [() => puzzleGame(text)] : [
      () => Game.parse(text),
      // What the library has a detector for; then the notation that is chosen.
      () => Game.parse(convert(text, { to: '5dpgn' }).text),
      () => Game.parse(convert(text, { from: $('format').value, to: '5dpgn' }).text),
    ];
    let first;
    for (const attempt of attempts) {
      try {
        board.mode = undefined;
        board.take(attempt());
        say(`Read ${board.list.length} actions.`, 'good');
        return;
      } catch (error) {
        first ??= error;
      }
    }
    say(first.message, 'bad');
    if (Number.isInteger(first.start)) {
      $('text').focus();
      $('text').setSelectionRange(first.start, Math.max(first.end, first.start + 1));
    }
  }

  $('export').addEventListener('click', write);
  $('format').addEventListener('change', write);
  $('import').addEventListener('click', read);
  $('svg').addEventListener('click', () => save('multiverse.svg', 'image/svg+xml', board.shown.picture({ flipped: board.flipped, planned: board.planned })));
  $('t-save').addEventListener('click', () => {
    if (!$('text').value.trim()) write();
    save(fileName($('format').value), 'text/plain', $('text').value);
  });
  const take = (text) => {
    $('text').value = text;
    read();
  };
  $('t-open').addEventListener('click', async () => {
    const file = await pick(GAMES);
    if (file) take(await file.text());
  });
  return { enter: write, read: take };
}
