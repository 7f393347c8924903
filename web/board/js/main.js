// The board: a game, its players, and what is under the tabs.

import { Game, variants } from '../worldlines/browser.js';
import { Asker } from './ask.js';
import { analyse } from './analyse.js';
import { author } from './author.js';
import { dropped, isPuzzle } from './files.js';
import { keep, kept } from './kept.js';
import { fromLink, toLink } from './link.js';
import { $, pieceImage } from './page.js';
import { puzzleMode } from './puzzles.js';
import { setup } from './setup.js';
import { texts } from './text.js';
import { theme } from './theme.js';
import { View, pieceName, squareName } from './view.js';

/** How many steps the engine may take for an action. */
const STRENGTHS = [
  ['engine 5000', 'Engine, quick', 5_000],
  ['engine 50000', 'Engine', 50_000],
  ['engine 400000', 'Engine, strong', 400_000],
];

export class Board {
  view = new View($('board'), $('overview'));
  engine = new Asker();
  proofs = new Asker();
  /** The game as far as it was played, and the one that is shown, which may end earlier. */
  game = Game.start('Standard');
  shown = this.game;
  at = 0;
  flipped = false;
  planned = '';
  moves = [];
  /** A mode that wants to know of squares and actions first: setup, puzzles. */
  mode;
  round = 0;

  constructor() {
    this.view.addEventListener('place', ({ detail }) => this.choose(detail.place));
    this.view.addEventListener('hover', ({ detail }) => this.hover(detail.place));
    this.view.addEventListener('sight', () => this.keep());
    $('board').addEventListener('keydown', (event) => this.key(event));
    const press = {
      'zoom-in': () => this.view.zoom(1.3),
      'zoom-out': () => this.view.zoom(1 / 1.3),
      fit: () => this.view.fit(),
      focus: () => this.view.focus(),
      flip: () => this.flip(),
      undo: () => this.undo(),
      submit: () => this.submit(),
      new: () => this.begin(),
      back: () => this.show(this.at - 1),
      forward: () => this.show(this.at + 1),
      takeback: () => this.cut(),
      link: () => this.copyLink(),
    };
    for (const [id, act] of Object.entries(press)) $(id).addEventListener('click', act);
    for (const id of ['white', 'black']) $(id).addEventListener('change', () => this.letPlay());
  }

  /** Another game takes the place of this one. */
  take(game, { near = false } = {}) {
    this.engine.stop();
    $('thinking').textContent = '';
    this.round += 1;
    if (this.shown !== this.game) this.shown.free();
    if (game !== this.game) this.game.free();
    this.game = this.shown = game;
    this.list = game.actions();
    this.at = this.list.length;
    this.refresh();
    if (near) this.view.focus();
    else this.view.fit();
    this.letPlay();
  }

  /** Keeps the game and what is in sight for the next time, when there is a moment for it. */
  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => {
      if (this.mode?.mayPlay) return;
      try {
        keep('game', { record: this.game.record(), flipped: this.flipped, sight: this.view.sight });
      } catch {
        // A game in which a player has passed has no text.
      }
    }, 400);
  }

  /** The game of the last time, as it was seen then. */
  resume() {
    const last = kept('game');
    if (!last) return false;
    try {
      this.flipped = last.flipped === true;
      this.take(Game.parse(last.record));
      if (last.sight) this.view.sight = last.sight;
      return true;
    } catch {
      return false;
    }
  }

  begin() {
    this.mode = undefined;
    const [white, black] = [$('white').value, $('black').value];
    this.flipped = white !== 'human' && black === 'human';
    this.take(Game.start($('variant').value));
  }

  get live() {
    return this.shown === this.game;
  }

  /** Draws everything anew after the game has changed. */
  refresh() {
    this.view.marks.selected = undefined;
    this.view.marks.targets = [];
    this.moves = [];
    const scene = this.shown.scene({ flipped: this.flipped, planned: this.planned });
    this.view.scene = scene;
    $('board').setAttribute('aria-label', `Multiverse: ${scene.about}`);
    $('flip').setAttribute('aria-pressed', String(this.flipped));
    const made = this.shown.movesMade();
    const why = this.shown.whyNot();
    $('submit').disabled = !this.live || why !== undefined;
    $('submit').title = why ? `Not yet: ${why}` : 'Submit the action (s)';
    $('undo').disabled = !this.live || made.length === 0;
    $('takeback').disabled = this.live;
    $('back').disabled = this.at === 0;
    $('forward').disabled = this.at >= this.list.length;
    this.say();
    const nothing = this.over ? 'the game is over' : 'no move yet';
    $('made').textContent = made.join(' ') || (this.live ? nothing : `after action ${this.at} of ${this.list.length}`);
    this.listActions();
    this.keep();
  }

  say() {
    const mover = this.shown.toMove === 'white' ? 'White' : 'Black';
    const status = this.shown.status({ steps: 100_000 });
    const words = {
      checkmate: `Checkmate: ${mover === 'White' ? 'Black' : 'White'} has won`,
      stalemate: 'Stalemate: a draw',
      softmate: `${mover} to move, in check; only travelling helps`,
      ongoing: `${mover} to move${this.shown.inCheck ? ', in check' : ''}`,
      undecided: `${mover} to move${this.shown.inCheck ? ', in check' : ''}`,
    };
    $('standing').textContent = this.mode?.standing ?? `${words[status]} · present ${this.view.scene.present}`;
    this.over = status === 'checkmate' || status === 'stalemate';
  }

  listActions() {
    // As in 5DPGN: a number for each action of White, and the same one for Black's answer.
    const blackBegins = (this.game.toMove === 'black') === (this.list.length % 2 === 0);
    const first = this.game.actionNumber - Math.floor((this.list.length + (blackBegins ? 1 : 0)) / 2);
    const numberOf = (index) => {
      const half = index - 1 + (blackBegins ? 1 : 0);
      return `${first + Math.floor(half / 2)}${half % 2 === 0 ? '.' : '…'}`;
    };
    const items = [undefined, ...this.list].map((action, index) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.textContent = action === undefined ? 'start' : `${numberOf(index)} ${action}`;
      if (index === this.at) button.setAttribute('aria-current', 'step');
      button.addEventListener('click', () => this.show(index));
      item.append(button);
      return item;
    });
    $('history').replaceChildren(...items);
    const current = $('history').querySelector('[aria-current]');
    if (current) $('history').scrollTop = current.offsetTop - $('history').offsetTop - 60;
  }

  /** Shows the game after so many actions. */
  show(index) {
    if (index < 0 || index > this.list.length) return;
    if (this.shown !== this.game) this.shown.free();
    this.at = index;
    this.shown = index === this.list.length ? this.game : this.game.until(index);
    this.refresh();
  }

  cut() {
    if (this.live) return;
    const game = this.shown;
    this.shown = this.game;
    this.take(game);
  }

  hover(place) {
    const letter = place && this.view.pieceAt(place.tile, place.square);
    const own = letter && this.isOwn(letter) && place.tile.duty !== 'none' && this.live;
    $('board').style.cursor = own || this.targetAt(place).length > 0 ? 'pointer' : 'grab';
    if (this.view.marks.selected || this.mode?.places) return;
    // What a piece could do is shown before it is chosen.
    this.view.marks.targets = own ? this.movesOf(place).map((move) => ({ ...move.to, faint: true })) : [];
    this.view.redraw();
  }

  isOwn(letter) {
    return (letter === letter.toUpperCase()) === (this.shown.toMove === 'white');
  }

  movesOf({ timeline, halfTurn, square }) {
    const { moves } = this.shown.movesFrom(timeline, halfTurn);
    return moves.filter(({ from }) => from.square[0] === square[0] && from.square[1] === square[1]);
  }

  targetAt(place) {
    if (!place) return [];
    return this.moves.filter(
      ({ to }) =>
        to.timeline === place.timeline && to.halfTurn === place.halfTurn && to.square[0] === place.square[0] && to.square[1] === place.square[1],
    );
  }

  mayPlay() {
    if (!this.live || this.over) return false;
    return this.mode?.mayPlay?.() ?? $(this.game.toMove).value === 'human';
  }

  /** A square was clicked, tapped, or entered. */
  async choose(place) {
    if (this.mode?.places) {
      if (place) this.mode.places(place);
      return;
    }
    const found = this.targetAt(place);
    const selected = this.view.marks.selected;
    this.unselect();
    if (found.length > 0) {
      const move = found.length === 1 ? found[0] : await this.promote(found);
      if (move) this.make(move);
      return;
    }
    const same =
      selected && place && selected.timeline === place.timeline && selected.halfTurn === place.halfTurn && String(selected.square) === String(place.square);
    if (!place || same || !this.mayPlay()) return;
    const letter = this.view.pieceAt(place.tile, place.square);
    if (!letter || !this.isOwn(letter) || place.tile.duty === 'none') return;
    this.moves = this.movesOf(place);
    this.view.marks.selected = place;
    this.view.marks.targets = this.moves.map(({ to }) => to);
    this.view.redraw();
    this.tell(`${pieceName(letter)} on ${squareName(place.square)}: ${this.moves.length} moves`);
  }

  unselect() {
    this.moves = [];
    this.view.marks.selected = undefined;
    this.view.marks.targets = [];
    this.view.redraw();
  }

  make(move) {
    this.planned = '';
    this.shown.makeMove(move.id);
    this.refresh();
    this.revealDuty();
    this.tell(`made ${this.shown.movesMade().at(-1)}`);
    this.mode?.moved?.();
  }

  promote(moves) {
    const dialog = $('promotion');
    return new Promise((settle) => {
      const buttons = moves.map((move) => {
        const letter = this.game.toMove === 'white' ? move.promotion : move.promotion.toLowerCase();
        const button = document.createElement('button');
        button.setAttribute('aria-label', pieceName(letter));
        button.append(pieceImage(letter));
        button.addEventListener('click', () => {
          settle(move);
          dialog.close();
        });
        return button;
      });
      const heading = document.createElement('h2');
      heading.textContent = 'Promote to';
      dialog.replaceChildren(heading, ...buttons);
      dialog.onclose = () => settle(undefined);
      dialog.showModal();
    });
  }

  undo() {
    if (!this.live || this.game.movesMade().length === 0) return;
    this.game.undo();
    this.refresh();
  }

  submit() {
    if (!this.live || this.game.whyNot() !== undefined) return;
    if (this.mode?.submit) {
      this.mode.submit();
      return;
    }
    this.game.submit();
    this.played();
    this.letPlay();
  }

  /** An action was played to its end. */
  played() {
    this.planned = '';
    this.list = this.game.actions();
    this.at = this.list.length;
    this.refresh();
    this.revealDuty();
    this.tell($('standing').textContent);
  }

  /** Brings a board that must be played into sight, unless boards are too small for that. */
  revealDuty() {
    const next = this.view.scene.tiles.find((tile) => tile.duty === 'must');
    if (next && this.view.scale > 0.12) this.view.reveal(next);
  }

  /** Plays a whole action given as text. */
  play(action) {
    this.game.play(action);
    this.played();
  }

  /** Lets the engine move if it is its turn. */
  async letPlay() {
    const who = $(this.game.toMove).value;
    if (this.mode?.mayPlay || !this.live || this.over || who === 'human' || this.engine.busy) return;
    const round = this.round;
    $('thinking').textContent = `${this.game.toMove === 'white' ? 'White' : 'Black'} thinks …`;
    try {
      let action;
      if (who === 'bridge') {
        action = await this.askBridge();
      } else {
        const answer = await this.engine.ask('think', { saved: this.game.save(), steps: Number(who.split(' ')[1]), seed: this.list.length + 1 });
        action = answer.action;
        this.lastThought = answer;
      }
      if (round !== this.round || $(this.game.toMove).value !== who) return;
      $('thinking').textContent = action ? `It played ${action}.` : 'It has no action.';
      if (!action) return;
      this.play(action);
    } catch (error) {
      if (error.code !== 'stopped') $('thinking').textContent = `The engine failed: ${error.message}`;
      return;
    }
    this.letPlay();
  }

  async askBridge() {
    const response = await fetch('engine', { method: 'POST', body: this.game.record() });
    const said = await response.json();
    if (!response.ok) throw new Error(said.error ?? response.statusText);
    return said.action;
  }

  flip() {
    this.flipped = !this.flipped;
    this.refresh();
  }

  async copyLink() {
    const link = await toLink(this.game.record());
    history.replaceState(undefined, '', link);
    try {
      await navigator.clipboard.writeText(location.href);
      $('linked').textContent = 'The link is copied; it holds the whole game.';
    } catch {
      $('linked').textContent = 'The link is in the address bar; it holds the whole game.';
    }
  }

  tell(text) {
    $('said').textContent = text;
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const acts = {
      '+': () => this.view.zoom(1.3),
      '=': () => this.view.zoom(1.3),
      '-': () => this.view.zoom(1 / 1.3),
      0: () => this.view.fit(),
      9: () => this.view.focus(),
      f: () => this.flip(),
      u: () => this.undo(),
      s: () => this.submit(),
      Escape: () => this.unselect(),
      PageDown: () => this.nextBoard(1),
      PageUp: () => this.nextBoard(-1),
      Enter: () => this.enter(),
      ' ': () => this.enter(),
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) this.step(...steps[event.key]);
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  }

  enter() {
    const cursor = this.view.marks.cursor;
    const tile = cursor && this.view.tile(cursor.timeline, cursor.halfTurn);
    if (tile) this.choose({ ...cursor, tile });
  }

  nextBoard(direction) {
    const tiles = this.view.scene.tiles.filter((tile) => tile.duty !== 'none');
    const all = tiles.length > 0 ? tiles : this.view.scene.tiles;
    const cursor = this.view.marks.cursor;
    const index = cursor ? all.findIndex((tile) => tile.timeline === cursor.timeline && tile.halfTurn === cursor.halfTurn) : -1;
    const next = index < 0 ? (direction > 0 ? 0 : all.length - 1) : (index + direction + all.length) % all.length;
    this.cursorTo(all[next], cursor?.square ?? [0, 0]);
  }

  cursorTo(tile, square) {
    this.view.marks.cursor = { timeline: tile.timeline, halfTurn: tile.halfTurn, square };
    this.view.reveal(tile);
    const letter = this.view.pieceAt(tile, square);
    const target = this.targetAt(this.view.marks.cursor).length > 0 ? ', can be reached' : '';
    this.tell(`${squareName(square)} ${letter ? pieceName(letter) : 'empty'} on ${tile.label}${target}`);
  }

  step(dx, dy) {
    const { files, ranks } = this.view.scene;
    const cursor = this.view.marks.cursor;
    const tile = cursor && this.view.tile(cursor.timeline, cursor.halfTurn);
    if (!tile) {
      this.nextBoard(1);
      return;
    }
    const turn = this.flipped ? -1 : 1;
    const [file, rank] = [cursor.square[0] + dx * turn, cursor.square[1] + dy * turn];
    if (file >= 0 && rank >= 0 && file < files && rank < ranks) {
      this.cursorTo(tile, [file, rank]);
      return;
    }
    // Over the edge to the next board, where there is one.
    const next = dx !== 0 ? this.view.tile(cursor.timeline, cursor.halfTurn + dx) : this.view.tile(cursor.timeline - dy * turn, cursor.halfTurn);
    if (next) this.cursorTo(next, [(file + files) % files, (rank + ranks) % ranks]);
  }
}

function tabs(opened) {
  const all = [...document.querySelectorAll('[role=tab]')];
  const open = (tab) => {
    for (const other of all) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      $(other.getAttribute('aria-controls')).hidden = !chosen;
    }
    opened(tab.id.slice(4));
  };
  all.forEach((tab, index) => {
    tab.addEventListener('click', () => open(tab));
    tab.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = all[(index + by + all.length) % all.length];
      next.focus();
      open(next);
    });
  });
  return (name) => open($(`tab-${name}`));
}

function option(value, text) {
  const made = document.createElement('option');
  made.value = value;
  made.textContent = text;
  return made;
}

async function players() {
  const list = [['human', 'Human'], ...STRENGTHS];
  try {
    const response = await fetch('engine');
    if (response.ok && response.headers.get('content-type')?.startsWith('application/json')) list.push(['bridge', (await response.json()).name]);
  } catch {
    // A plain file server has no engine.
  }
  for (const id of ['white', 'black']) $(id).replaceChildren(...list.map(([value, text]) => option(value, text)));
}

function unread(error) {
  $('linked').textContent = `The link cannot be read: ${error.message}`;
}

async function begin() {
  $('variant').replaceChildren(...variants().map(({ name }) => option(name, name)));
  $('variant').value = 'Standard';
  const board = new Board();
  await players();
  const modes = {
    play: {},
    analyse: analyse(board),
    puzzles: puzzleMode(board),
    author: author(board),
    setup: setup(board),
    text: texts(board),
  };
  let last = 'play';
  const open = tabs((name) => {
    modes[last].leave?.();
    last = name;
    modes[name].enter?.();
  });
  theme($('theme'), board.view);
  let game;
  try {
    game = await fromLink();
  } catch (error) {
    unread(error);
  }
  if (game || !board.resume()) board.take(game ?? board.game);
  dropped(document.body, async (file) => {
    const text = await file.text();
    const place = isPuzzle(text) ? 'author' : 'text';
    open(place);
    modes[place].read(text, file.name);
  });
  const wanted = new URLSearchParams(location.search).get('tab');
  if (wanted in modes) open(wanted);
  addEventListener('hashchange', async () => {
    try {
      board.take((await fromLink()) ?? Game.start('Standard'));
    } catch (error) {
      unread(error);
    }
  });
  // For scripts that drive the page.
  globalThis.worldlines = { board, modes, open };
  document.documentElement.dataset.ready = 'yes';
}

begin();
