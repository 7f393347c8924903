// @ts-check
// A game inside a page of somebody else: it is looked at, gone through, and opened on the whole board. Nothing is kept.

import { $, lessMotion } from './dom.js';
import { Games, readGame } from './games.js';
import { translate, words } from './language.js';
import { hands } from './hands.js';
import { fromLink, isGame, wayOf } from './link.js';
import { styleOf } from './paint.js';
import * as session from './session.js';
import { View } from './view.js';
import { aboutScene, standing } from './words.js';

async function begin() {
  if (!isGame(location.hash)) throw new Error(words.embed.noGame);
  const games = new Games();
  let { document } = readGame(await fromLink(location.hash), undefined, 'embedded', wayOf(location.hash));
  $('whole').href = `./${location.hash}`;
  const view = new View($('board'));
  view.style = styleOf('system');
  view.moving = !lessMotion();

  function show(animate = false) {
    const game = games.at(document, document.at);
    const status = game.status({ steps: 100_000 });
    view.marks.mated = status === 'checkmate';
    view.marks.over = status === 'checkmate' || status === 'stalemate';
    view.marks.shapes = document.tree.nodes[document.at].shapes;
    const scene = game.scene({ flipped: document.flipped });
    view.show(scene, { animate });
    view.follow();
    const { action } = document.tree.nodes[document.at];
    $('standing').textContent = `${action ? `${action} · ` : ''}${standing(status, game.toMove, game.inCheck)}`;
    $('board').setAttribute('aria-label', aboutScene(scene, game.toMove));
    for (const id of ['first', 'back']) $(id).disabled = document.at === '0';
    for (const id of ['forward', 'last']) $(id).disabled = document.tree.nodes[document.at].children.length === 0;
  }
  /** @param {Parameters<typeof session.step>[1]} way */
  const step = (way) => {
    document = session.goTo(document, session.step(document, way));
    show(way === 'on');
  };
  const ways = /** @type {const} */ ({ first: 'start', back: 'back', forward: 'on', last: 'end' });
  for (const [id, way] of Object.entries(ways)) $(id).addEventListener('click', () => step(way));
  const keys = /** @type {Record<string, Parameters<typeof session.step>[1]>} */ ({ ArrowLeft: 'back', ArrowRight: 'on', ArrowUp: 'above', ArrowDown: 'beneath', Home: 'start', End: 'end' });
  addEventListener('keydown', (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    step(keys[event.key]);
  });
  hands($('board'), view, { grab: () => false, choose: () => {}, drop: () => {}, release: () => {}, hover: () => {}, draw: () => {} });
  show();
}

try {
  translate(document);
  await begin();
  document.documentElement.dataset.ready = 'yes';
} catch (/** @type {any} */ error) {
  $('standing').textContent = words.embed.failed(words.fault(error));
  document.documentElement.dataset.ready = 'failed';
}
