// Playing a puzzle on its picture. The page knows the lines of the puzzle and not the rules: it compares the squares that are clicked
// with the actions of the lines.
const board = document.getElementById('board');
const start = board.innerHTML;
const [width, height] = board.dataset.size.split('x').map(Number);
const isFlipped = board.dataset.flipped === 'true';
const isForBoth = board.dataset.both === 'true';
const SQUARE = 60;
// The figure that is shown, as a number; 0 is the start.
let shown = 0;
let from = null;
let entered = [];
const after = (number) => figures.filter((figure) => Number(figure.dataset.after) === number);
const numberOf = (figure) => Number(figure.id.slice(1));
const words = (figure) => figure.querySelector('figcaption').textContent;
const movesOf = (figure) => figure.dataset.moves.split(' ');
const say = (text) => (document.getElementById('said').textContent = text);
const isOver = () => !after(shown).some((figure) => figure.dataset.kind === 'right');

/** The square under the pointer, such as `(0T1w)e2`. */
function squareAt(event) {
  const tile = event.target.closest('.tile');
  if (!tile) return null;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(tile.getScreenCTM().inverse());
  const [column, row] = [Math.floor(x / SQUARE), Math.floor(y / SQUARE)];
  if (column < 0 || row < 0 || column >= width || row >= height) return null;
  const [file, rank] = isFlipped ? [width - 1 - column, row] : [column, height - 1 - row];
  return `${tile.dataset.board}${'abcdefgh'[file]}${rank + 1}`;
}

/** The middle of a square in the picture. */
function middle(square) {
  const [, label, file, rank] = /^(\(.*\))(.)(.)$/.exec(square);
  const tile = board.querySelector(`.tile[data-board="${label}"]`);
  const [x, y] = tile.getAttribute('transform').match(/-?\d+/g).map(Number);
  const [column, row] = ['abcdefgh'.indexOf(file), height - Number(rank)];
  const seen = isFlipped ? [width - 1 - column, height - 1 - row] : [column, row];
  return [x + (seen[0] + 0.5) * SQUARE, y + (seen[1] + 0.5) * SQUARE];
}

function draw() {
  board.querySelectorAll('.mine').forEach((mark) => mark.remove());
  const picture = board.querySelector('svg');
  const add = (name, attributes, parent) => {
    const part = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    return parent.appendChild(part);
  };
  for (const { squares } of entered) {
    const [[x1, y1], [x2, y2]] = squares.map(middle);
    const group = add('g', { class: 'mine arrow plan' }, picture);
    add('path', { d: `M${x1} ${y1}L${x2} ${y2}`, 'stroke-width': 12 }, group);
    add('circle', { class: 'tip', cx: x2, cy: y2, r: 16 }, group);
  }
  if (from) {
    const [x, y] = middle(from);
    add('rect', { class: 'mine must', x: x - 30, y: y - 30, width: SQUARE, height: SQUARE }, picture);
  }
  document.getElementById('undo').disabled = !from && entered.length === 0;
  document.getElementById('play').disabled = entered.length === 0;
}

function put(number) {
  [shown, from, entered] = [number, null, []];
  board.innerHTML = number === 0 ? start : figures[number - 1].querySelector('.picture').innerHTML;
  document.getElementById('again').disabled = number === 0;
  reveal(board);
  draw();
}

/** Whether these squares and promotions are the moves of an action, in any order. */
const same = (moves) => moves.length === entered.length && [...moves].sort().join() === entered.map(({ text }) => text).sort().join();

function play() {
  const found = after(shown).find((figure) => same(movesOf(figure)));
  if (!found) {
    put(shown);
    say('That is in no line of the solution. It is wrong or not legal, or another action that does as well: the solution says more.');
    return;
  }
  put(numberOf(found));
  // In a helpmate the solver finds the actions of both players.
  const [reply] = isForBoth && found.dataset.kind === 'right' ? [] : after(shown);
  if (found.dataset.kind === 'wrong') {
    if (reply) put(numberOf(reply));
    say(`No: ${words(found)} is a try.${reply ? ` ${words(reply)} refutes it.` : ''} Start again.`);
    return;
  }
  if (reply) put(numberOf(reply));
  if (isOver()) {
    keep(id, true);
    press();
    say(`Right: ${words(found)}. You found it.`);
  } else say(`Right: ${words(found)}.${reply ? ` The reply is ${words(reply)}.` : ''} Go on.`);
}

board.addEventListener('click', (event) => {
  const square = squareAt(event);
  if (!square || isOver()) return;
  if (!from || from === square) from = from ? null : square;
  else {
    const promotion = document.getElementById('promotion').value;
    const bare = `${from}${square}`;
    const promotes = after(shown).some((figure) => movesOf(figure).some((move) => move.startsWith(`${bare}=`)));
    entered.push({ squares: [from, square], text: promotes ? `${bare}=${promotion}` : bare });
    from = null;
    say('One move for each board that you want to play on; then press Play.');
  }
  draw();
});
document.getElementById('play').addEventListener('click', play);
document.getElementById('undo').addEventListener('click', () => {
  if (from) from = null;
  else entered.pop();
  draw();
});
document.getElementById('again').addEventListener('click', () => {
  put(0);
  say('');
});
if (isOver()) document.getElementById('try').remove();
else draw();
