// Games and puzzles as files: saved, opened, and dropped on the page.

/** The endings of files that hold games, for the dialog that opens them. */
export const GAMES = '.5dpgn,.pgn,.5dfen,.fen,.json,.yaml,.yml,.txt,text/plain';

const ENDINGS = { '5dpgn': '5dpgn', '5dfen': '5dfen', json: 'json', raw: 'json' };

/** The name of a file for a game in a notation. */
export function fileName(format) {
  return `game.${ENDINGS[format] ?? 'txt'}`;
}

/** Gives a text to the browser as a file to be saved. */
export function save(name, type, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/** A file that the user picks. */
export function pick(accept) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept });
  return new Promise((settle) => {
    input.addEventListener('change', () => settle(input.files[0]));
    input.addEventListener('cancel', () => settle(undefined));
    input.click();
  });
}

/** Tells of files that are dropped anywhere on the page. */
export function dropped(target, take) {
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  let depth = 0;
  const mark = (by) => {
    depth = Math.max(0, depth + by);
    target.classList.toggle('dropping', depth > 0);
  };
  target.addEventListener('dragenter', (event) => hasFiles(event) && mark(1));
  target.addEventListener('dragleave', (event) => hasFiles(event) && mark(-1));
  target.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
  target.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(-depth);
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });
}

/** Whether a text is a puzzle file. */
export const isPuzzle = (text) => /^schema:\s*["']?worldlines\/puzzle/m.test(text);
