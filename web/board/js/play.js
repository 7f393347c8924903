// @ts-check
// A game: its variant, its players, the engine that answers, links, and the games of before.

import { Game, variants } from '../worldlines/browser.js';
import { Asker } from './ask.js';
import { newClock } from './clock.js';
import { $, make, option, toast } from './dom.js';
import { headerOf, titleOf, withTitle } from './headers.js';
import { language, words } from './language.js';
import { toLink } from './link.js';
import { pieceImage } from './paint.js';
import * as session from './session.js';
import { ROOT, endOf, firstWords, lineThrough, longest, wayTo } from './tree.js';
import { nameOf, resignation, standing } from './words.js';

/** @typedef {import('./board.js').Board} Board */

/** The steps that the engine may take for an action. */
const STRENGTHS = /** @type {const} */ ([
  ['engine 5000', words.play.engineWeak],
  ['engine 50000', words.play.engineMedium],
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

/** So many words of a comment name a game, or so many actions. */
const TITLE = 6;
const OPENING = 4;

/** Whether one person plays, and has Black. @param {session.Document['players']} players */
const playsBlack = ({ white, black }) => white !== 'human' && black === 'human';

/** @param {Board} board */
export function play(board) {
  const engine = new Asker();
  /** The document and node of which it is said what was played. */
  let said = '';
  /** The document that an engine thinks about, and a node of it. @type {{ id: string, node: string, abort?: AbortController } | undefined} */
  let thinking;

  const custom = make('option', { value: '', lang: language, hidden: true }, words.play.custom);
  $('variant').replaceChildren(custom, ...variants().map(({ name }) => option(name, name)));
  $('variant').value = 'Standard';
  for (const id of ['white', 'black', 'against']) $(id).replaceChildren(option('human', words.play.human), ...STRENGTHS.map(([value, text]) => option(value, text)));
  // Two programs play each other.
  $('against').append(make('option', { value: '', hidden: true }, `${words.play.engine} – ${words.play.engine}`));
  bridge().then((name) => {
    if (!name) return;
    for (const id of ['white', 'black', 'against']) $(id).append(option('bridge', name));
    show();
    letPlay();
  });

  const game = () => board.state.documents[/** @type {string} */ (board.state.slots.game)];

  function stop() {
    thinking?.abort?.abort();
    engine.stop();
    thinking = undefined;
    board.setThinking('');
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
    if (!session.isUnderWay(document) && board.playedAt !== `${document.id} ${document.at}`) {
      $('thinking').textContent = words.play.waits;
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
    board.setThinking(words.play.thinks(nameOf(toMove)));
    try {
      const action = mine.abort ? await askBridge(board.game, mine.abort.signal) : (await think(who)).action;
      if (thinking !== mine) return;
      thinking = undefined;
      board.setThinking('');
      $('thinking').textContent = action ? words.play.played(nameOf(toMove), action) : words.play.noAction;
      if (action) board.playIn(mine.id, mine.node, action);
      said = `${game().id} ${game().at}`;
    } catch (/** @type {any} */ error) {
      if (thinking !== mine) return;
      thinking = undefined;
      board.setThinking('');
      if (error.code === 'stopped' || error.name === 'AbortError') return;
      $('thinking').textContent = words.play.failed(words.fault(error));
      $('retry').hidden = false;
      return;
    }
    letPlay();
  }

  /** @param {string} who */
  function think(who) {
    const steps = Number(who.split(' ')[1]) || 50_000;
    return engine.ask('think', { saved: board.games.at(board.document, board.document.at).save(), steps, seed: board.actions.length + 1 });
  }

  /** @param {Game} asked @param {AbortSignal} signal */
  async function askBridge(asked, signal) {
    const response = await fetch('engine', { method: 'POST', body: asked.record(), signal });
    const said = await response.json();
    if (!response.ok) throw new Error(said.error ?? response.statusText);
    return said.action;
  }

  /** The players that are chosen for the next game, while the one on the board has begun. @type {session.Document['players'] | undefined} */
  let chosen;

  function begin() {
    const players = { ...(chosen ?? game().players) };
    const start = $('variant').value ? Game.start($('variant').value) : board.games.after(game().start, []).copy();
    const flipped = playsBlack(players);
    // The title is that of the game before.
    const text = withTitle(start.record(), '');
    // 5DPGN has no name for some variants.
    const title = isVariant(headerOf(text, 'Board')) ? '' : $('variant').value;
    const made = session.newDocument({ id: crypto.randomUUID?.() ?? String(Math.random()), start: text, title, players, flipped });
    const document = session.withClock(made, newClock($('clock').value));
    start.free();
    const hadContent = session.hasContent(game());
    board.open('game', document, { said: hadContent ? words.play.begun : undefined, tab: 'play' });
    letPlay();
  }

  /** The place where two people are asked whether they agree to a draw. */
  let asksDraw = '';
  /** Whether an engine is asked for a draw. */
  let asking = false;
  /** Two people agree to a draw by themselves. An engine does unless it sees itself ahead, as strong as it plays. */
  async function offerDraw() {
    const { id, at, players } = game();
    const program = Object.values(players).find((player) => player !== 'human');
    if (!program) {
      const here = `${id} ${at}`;
      // Two people are asked once: one of them may have pressed by mistake.
      if (asksDraw === here) board.draw();
      asksDraw = asksDraw === here ? '' : here;
      show();
      return;
    }
    asking = true;
    show();
    try {
      const { score } = await think(program);
      const isHere = board.document.id === id && board.document.at === at && !board.isDecided && board.state.tab === 'play';
      const isAhead = !score || ('mate' in score ? score.mate < 0 : score.pawns < 0);
      if (isHere && isAhead) toast(words.play.declined);
      else if (isHere) board.draw();
    } catch (/** @type {any} */ error) {
      if (error.code !== 'stopped') toast(words.fault(error));
    }
    asking = false;
    show();
  }

  /** The position whose link was copied. */
  let linked = '';
  async function copyLink() {
    const link = new URL(await toLink(board.games.text(board.document), wayTo(board.document.tree, board.document.at)), location.href.split('#')[0]).href;
    $('link-text').value = link;
    linked = `${game().id} ${game().at}`;
    try {
      await navigator.clipboard.writeText(link);
      toast(words.play.linkCopied);
      $('linked').textContent = '';
      $('linked-label').hidden = true;
    } catch {
      $('linked').textContent = words.play.linkHolds;
      $('linked-label').hidden = false;
      $('link-text').select();
    }
  }

  /** @param {string} name */
  const isVariant = (name) => variants().some((one) => one.name === name);

  /** The game whose variant and players are chosen for the next one. */
  let offered = '';
  /** Its variant in the list; empty if it has none. */
  let offeredName = '';
  /** Offers the variant of the game once more, or its start if that is none. @param {session.Document} document */
  function offerVariant({ start, title }) {
    const name = isVariant(title) ? title : headerOf(start, 'Board');
    const isKnown = isVariant(name);
    custom.hidden = isKnown;
    $('variant').value = offeredName = isKnown ? name : '';
  }

  /** How games ended. @type {WeakMap<session.Document, string>} */
  const endings = new WeakMap();
  /** How a game ended, if it did. @param {session.Document} document */
  function endingOf(document) {
    const known = endings.get(document);
    if (known !== undefined) return known;
    let ending = '';
    try {
      // The main line, wherever in the game somebody has left it.
      const last = board.games.at(document, endOf(document.tree));
      const status = last.status({ steps: 100_000 });
      const isEnd = status === 'checkmate' || status === 'stalemate';
      ending = isEnd ? standing(status, last.toMove, last.inCheck) : document.resigned ? resignation(document.resigned).replace(/\.$/, '') : '';
    } catch {
      // A game that cannot be read has no end.
    }
    endings.set(document, ending);
    return ending;
  }

  /** Who played it. @param {session.Document} document */
  function againstOf({ players }) {
    const engines = [players.white, players.black].filter((player) => player !== 'human');
    return words.play.against(engines.map((player) => STRENGTHS.find(([value]) => value === player)?.[1] ?? words.play.engine));
  }

  /** How a game begins, with the numbers of its actions; empty if it cannot be read. @param {session.Document} document */
  function openingOf(document) {
    const line = lineThrough(document.tree, ROOT).map((id) => document.tree.nodes[id].action);
    try {
      const numberOf = board.games.numbering(document);
      const named = board.games.shortAfter(document, ROOT, line.slice(0, OPENING)).map((action, index) => {
        const { number, black } = numberOf(index);
        return black ? (index > 0 ? action : `${number}… ${action}`) : `${number}. ${action}`;
      });
      return `${named.join(' ')}${line.length > OPENING ? ' …' : ''}`;
    } catch {
      return '';
    }
  }

  /** What an earlier game is called. @param {session.Document} document */
  function nameOfGame(document) {
    const header = (/** @type {string} */ name) => headerOf(document.start, name);
    const [white, black] = [header('White'), header('Black')];
    const given = [titleOf(document), white && black && `${white} – ${black}`].filter(Boolean).join(': ');
    const variant = header('Board') === 'custom' ? words.play.custom : header('Board');
    const said = given || firstWords(document.tree, TITLE);
    if (said) return said;
    const name = document.title || variant;
    // Nearly all games are of one variant: their moves tell them apart.
    return [name === 'Standard' ? '' : name, openingOf(document)].filter(Boolean).join(': ') || name || words.play.game;
  }

  /** Shows the king of the side that the only person has. @param {session.Side} side */
  function showColour(side) {
    $('colour').title = words.play.youPlay(nameOf(side));
    $('colour').setAttribute('aria-label', $('colour').title);
    $('colour').replaceChildren(pieceImage(side === 'white' ? 'K' : 'k', board.settings.value.pieces));
  }

  function show() {
    const document = game();
    if (document.id !== offered) {
      offered = document.id;
      chosen = undefined;
      offerVariant(document);
      $('clock').value = document.clock?.time ?? '';
    }
    const players = chosen ?? document.players;
    for (const side of /** @type {const} */ (['white', 'black'])) {
      const known = [.../** @type {HTMLSelectElement} */ ($(side)).options].some(({ value }) => value === players[side]);
      if (known) $(side).value = players[side];
    }
    const persons = [players.white, players.black].filter((player) => player === 'human').length;
    $('against').value = persons === 0 ? '' : players.white === 'human' ? $('black').value : $('white').value;
    $('colour').hidden = persons !== 1;
    showColour(players.white === 'human' ? 'white' : 'black');
    // What is chosen while a game is played is for the next one.
    const isOtherVariant = document.tree.nodes[ROOT].children.length > 0 && ($('variant').value !== offeredName || $('clock').value !== (document.clock?.time ?? ''));
    $('use-players').hidden = chosen === undefined && !isOtherVariant;
    $('use-now').hidden = chosen === undefined;
    if (said !== '' && said !== `${document.id} ${document.at}` && !thinking) {
      said = '';
      $('thinking').textContent = '';
    }
    $('resign').hidden = board.isDecided || board.actions.length === 0 || session.resigning(document, board.game.toMove) === undefined;
    const programs = Object.values(document.players).filter((player) => player !== 'human');
    // An engine of a server has no word for a draw.
    $('draw-game').hidden = $('resign').hidden || programs.includes('bridge') || programs.length > 1;
    $('draw-game').disabled = asking || (programs.length > 0 && session.engineToMove(document, board.game.toMove));
    $('draw-game').textContent = programs.length > 0 ? words.play.offerDraw : asksDraw === `${document.id} ${document.at}` ? words.play.agree : words.play.draw;
    if (linked !== `${document.id} ${document.at}`) $('linked').textContent = '';
    const others = session.shelf(board.state);
    $('earlier').hidden = others.length === 0;
    if (!$('earlier').open) return;
    $('shelf').replaceChildren(
      ...others.map((other) => {
        const when = other.changed > 0 ? new Date(other.changed).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' }) : '';
        const open = () => board.open('game', other, { said: words.play.opened, sight: 'again', tab: 'play' });
        const forget = () => {
          board.update(session.forget(board.state, other.id));
          toast(words.play.gone, () => board.update(session.withDocument(board.state, other)));
        };
        const away = make('button', { class: 'away', 'aria-label': words.play.deleteGame(nameOfGame(other)), title: words.play.delete, onclick: forget }, '×');
        return make('li', { class: 'two' }, away, make('button', { onclick: open }, nameOfGame(other), make('small', {}, words.play.about(againstOf(other), endingOf(other), longest(other.tree), when))));
      }),
    );
  }

  /** Others play the game on the board. Before it begins, whoever changes to the other colour sees it from there. @param {session.Document['players']} players */
  function take(players) {
    chosen = undefined;
    stop();
    const document = game();
    const isTurned = document.tree.nodes[ROOT].children.length === 0 && playsBlack(players) !== playsBlack(document.players);
    board.update(session.withDocument(board.state, { ...document, players, flipped: document.flipped !== isTurned }));
    letPlay();
  }
  /** Chooses who plays; a game that has begun goes on as it is, unless somebody wants the change there too. @param {Partial<session.Document['players']>} sides */
  function choose(sides) {
    const { players, tree } = game();
    const next = { ...(chosen ?? players), ...sides };
    const isOther = next.white !== players.white || next.black !== players.black;
    if (tree.nodes[ROOT].children.length === 0) take(next);
    else chosen = isOther ? next : undefined;
    show();
  }
  for (const side of /** @type {const} */ (['white', 'black'])) $(side).addEventListener('change', () => choose({ [side]: $(side).value }));
  // The opponent keeps the pieces that it has, and begins with Black's.
  $('against').addEventListener('change', () => {
    const other = $('against').value;
    choose(playsBlack(chosen ?? game().players) ? { white: other } : { white: 'human', black: other });
  });
  $('colour').addEventListener('click', () => {
    const { white, black } = chosen ?? game().players;
    choose({ white: black, black: white });
  });
  $('variant').addEventListener('change', show);
  $('clock').addEventListener('change', () => {
    const document = game();
    if (document.tree.nodes[ROOT].children.length === 0) board.update(session.withDocument(board.state, session.withClock(document, newClock($('clock').value))));
    else show();
  });
  $('use-now').addEventListener('click', () => chosen && take(chosen));
  $('new').addEventListener('click', begin);
  $('resign').addEventListener('click', () => {
    // The focus goes on at the board, since the button is gone.
    board.resign();
    $('board').focus({ preventScroll: true });
  });
  $('draw-game').addEventListener('click', async () => {
    await offerDraw();
    if (board.over) $('board').focus({ preventScroll: true });
  });
  $('link').addEventListener('click', () => copyLink().catch((error) => toast(words.fault(error))));
  $('retry').addEventListener('click', () => {
    $('retry').hidden = true;
    letPlay();
  });
  $('earlier').addEventListener('toggle', () => {
    show();
    if ($('earlier').open) $('earlier').scrollIntoView({ block: 'nearest' });
  });
  board.addEventListener('change', show);
  board.settings.addEventListener('change', show);
  board.stopEngine = stop;
  board.letPlay = letPlay;
  return {
    enter() {
      show();
      letPlay();
    },
  };
}
