// @ts-check
// A game: its variant, its players, the engine that answers, links, and the games of before.

import { Game, variants } from '../worldlines/browser.js';
import { Asker } from './ask.js';
import { $, make, option, toast } from './dom.js';
import { language, words } from './language.js';
import { toLink } from './link.js';
import * as session from './session.js';
import { isMain, pathTo } from './tree.js';
import { nameOf } from './words.js';

/** @typedef {import('./board.js').Board} Board */

/** The steps that the engine may take for an action. */
const STRENGTHS = /** @type {const} */ ([
  ['engine 5000', words.play.engineQuick],
  ['engine 50000', words.play.engine],
  ['engine 400000', words.play.engineStrong],
]);

/** An engine of the server, if there is one. A plain file server gives the file `engine`, which says that there is none. */
async function bridge() {
  try {
    const response = await fetch('engine');
    if (!response.ok) return undefined;
    const { name } = await response.json();
    return typeof name === 'string' ? name : undefined;
  } catch {
    // There is no server, or it has no engine.
    return undefined;
  }
}

/** @param {Board} board */
export function play(board) {
  const engine = new Asker();
  /** The document that an engine thinks about, and a node of it. @type {{ id: string, node: string, abort?: AbortController } | undefined} */
  let thinking;

  $('variant').replaceChildren(...variants().map(({ name }) => option(name, name)));
  $('variant').value = 'Standard';
  for (const id of ['white', 'black']) $(id).replaceChildren(option('human', words.play.human), ...STRENGTHS.map(([value, text]) => option(value, text)));
  bridge().then((name) => {
    if (!name) return;
    for (const id of ['white', 'black']) $(id).append(option('bridge', name));
    show();
    letPlay();
  });

  const game = () => board.state.documents[/** @type {string} */ (board.state.slots.game)];

  function stop() {
    thinking?.abort?.abort();
    engine.stop();
    thinking = undefined;
    $('thinking').textContent = '';
    $('retry').hidden = true;
  }

  async function letPlay() {
    const document = game();
    if (board.state.tab !== 'play' || board.document !== document || board.over) return;
    const { toMove } = board.game;
    const who = document.players[toMove];
    const isSame = thinking?.id === document.id && thinking.node === document.at;
    if (isSame) return;
    if (!session.engineToMove(document, toMove) || session.movesOf(document).length > 0) {
      // An answer for another place of the same game is still welcome.
      if (thinking && thinking.id !== document.id) stop();
      return;
    }
    if (who === 'bridge' && !$('white').querySelector('[value=bridge]')) {
      $('thinking').textContent = words.play.noServer;
      return;
    }
    stop();
    const mine = { id: document.id, node: document.at, abort: who === 'bridge' ? new AbortController() : undefined };
    thinking = mine;
    $('thinking').textContent = words.play.thinks(nameOf(toMove));
    try {
      const action = mine.abort ? await askBridge(board.game, mine.abort.signal) : await askEngine(who);
      if (thinking !== mine) return;
      thinking = undefined;
      $('thinking').textContent = action ? words.play.played(nameOf(toMove), action) : words.play.noAction;
      if (action) board.playIn(mine.id, mine.node, action);
    } catch (/** @type {any} */ error) {
      if (thinking !== mine) return;
      thinking = undefined;
      if (error.code === 'stopped' || error.name === 'AbortError') return;
      $('thinking').textContent = words.play.failed(words.fault(error));
      $('retry').hidden = false;
      return;
    }
    letPlay();
  }

  /** @param {string} who */
  async function askEngine(who) {
    const steps = Number(who.split(' ')[1]) || 50_000;
    const answer = await engine.ask('think', { saved: board.game.save(), steps, seed: board.actions.length + 1 });
    return answer.action;
  }

  /** @param {Game} asked @param {AbortSignal} signal */
  async function askBridge(asked, signal) {
    const response = await fetch('engine', { method: 'POST', body: asked.record(), signal });
    const said = await response.json();
    if (!response.ok) throw new Error(said.error ?? response.statusText);
    return said.action;
  }

  function begin() {
    const players = { ...game().players };
    const start = Game.start($('variant').value);
    const flipped = players.white !== 'human' && players.black === 'human';
    const document = session.newDocument({ id: crypto.randomUUID?.() ?? String(Math.random()), start: start.record(), players, flipped });
    start.free();
    const hadContent = session.hasContent(game());
    board.open('game', document, { said: hadContent ? words.play.begun : undefined, tab: 'play' });
    letPlay();
  }

  async function copyLink() {
    const link = new URL(await toLink(board.games.text(board.document)), location.href.split('#')[0]).href;
    $('link-text').value = link;
    try {
      await navigator.clipboard.writeText(link);
      $('linked').textContent = words.play.linkCopied;
      $('linked-label').hidden = true;
    } catch {
      $('linked').textContent = words.play.linkHolds;
      $('linked-label').hidden = false;
      $('link-text').select();
    }
  }

  /** @param {session.Document} document */
  function titleOf(document) {
    const header = (/** @type {string} */ name) => new RegExp(`\\[${name} "([^"]*)"\\]`).exec(document.start)?.[1];
    const [white, black] = [header('White'), header('Black')];
    return document.title || (white && black ? `${white} – ${black}` : header('Board')) || words.play.game;
  }

  function show() {
    const document = game();
    for (const side of /** @type {const} */ (['white', 'black'])) {
      const known = [.../** @type {HTMLSelectElement} */ ($(side)).options].some(({ value }) => value === document.players[side]);
      if (known) $(side).value = document.players[side];
    }
    $('resign').hidden = board.over || board.actions.length === 0 || session.resigning(document, board.game.toMove) === undefined;
    const others = session.shelf(board.state);
    $('earlier').hidden = others.length === 0;
    if (!$('earlier').open) return;
    $('shelf').replaceChildren(
      ...others.map((other) => {
        const line = pathTo(other.tree, other.at).filter((id) => isMain(other.tree, id));
        const when = other.changed > 0 ? new Date(other.changed).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' }) : '';
        const open = () => board.open('game', other, { said: words.play.opened, sight: 'document', tab: 'play' });
        const forget = () => {
          board.update(session.forget(board.state, other.id));
          toast(words.play.gone, () => board.update(session.withDocument(board.state, other)));
        };
        const away = make('button', { class: 'away', 'aria-label': words.play.deleteGame(titleOf(other)), title: words.play.delete, onclick: forget }, '×');
        return make('li', { class: 'two' }, away, make('button', { onclick: open }, titleOf(other), make('small', {}, words.play.about(Math.max(line.length, other.tree.next - 1), when))));
      }),
    );
  }

  for (const side of /** @type {const} */ (['white', 'black'])) {
    $(side).addEventListener('change', () => {
      const players = { ...game().players, [side]: $(side).value };
      stop();
      board.update(session.withDocument(board.state, { ...game(), players }));
      letPlay();
    });
  }
  $('new').addEventListener('click', begin);
  $('resign').addEventListener('click', () => {
    // The focus goes on at the board, since the button is gone.
    board.resign();
    $('board').focus({ preventScroll: true });
  });
  $('link').addEventListener('click', () => copyLink().catch((error) => toast(words.fault(error))));
  $('retry').addEventListener('click', () => {
    $('retry').hidden = true;
    letPlay();
  });
  $('earlier').addEventListener('toggle', show);
  board.addEventListener('change', show);
  board.stopEngine = stop;
  board.letPlay = letPlay;
  return {
    enter() {
      show();
      letPlay();
    },
  };
}
