// What is true of the position: legal actions, mates, reasons, and what the engine would play.

import { $ } from './page.js';

/** So many actions are shown at a time. */
const PART = 300;
const MOST_COUNTED = 200_000;

export function analyse(board) {
  const shown = () => board.shown.save();
  const say = (text) => {
    $('analysed').textContent = text;
  };

  /** A list of actions; each is drawn as arrows when it is chosen. */
  const list = (rows, { more = false, after = false } = {}) => {
    $('more').hidden = !more;
    const items = rows.map(([text, note, action]) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.append(text);
      if (note) {
        const small = document.createElement('small');
        small.textContent = note;
        button.append(small);
      }
      button.addEventListener('click', () => {
        board.planned = action ?? '';
        board.refresh();
      });
      item.append(button);
      return item;
    });
    if (after) $('found').append(...items);
    else $('found').replaceChildren(...items);
  };
  const asRows = (actions) => actions.map((action) => [action, '', action]);
  const number = (count) => count.toLocaleString('en');

  const asked = (what, ask) => async () => {
    board.proofs.stop();
    say(`${what} …`);
    list([]);
    try {
      await ask();
    } catch (error) {
      say(error.code === 'stopped' ? 'Stopped.' : error.message);
    }
  };

  $('count').addEventListener(
    'click',
    asked('Looking for legal actions', async () => {
      const saved = shown();
      const { list: found, complete } = await board.proofs.ask('actions', { saved, most: PART });
      list(asRows(found), { more: !complete });
      if (complete) {
        say(found.length === 0 ? 'No legal action.' : found.length === 1 ? 'One legal action.' : `${number(found.length)} legal actions.`);
        return;
      }
      say(`More than ${number(found.length)} legal actions; counting …`);
      try {
        const { count } = await board.proofs.ask('count', { saved });
        say(count > MOST_COUNTED ? `More than ${number(MOST_COUNTED)} legal actions.` : `${number(count)} legal actions.`);
      } catch (error) {
        if (error.code === 'stopped') throw error;
        say(`More than ${number(found.length)} legal actions; they could not be counted.`);
      }
    }),
  );
  // More of them are looked for when the end of the list comes into sight.
  let asking = false;
  const more = async () => {
    if (asking || $('more').hidden) return;
    asking = true;
    try {
      const { list: found, complete } = await board.proofs.ask('more', { most: PART });
      list(asRows(found), { more: !complete, after: true });
    } catch {
      $('more').hidden = true;
    } finally {
      asking = false;
    }
  };
  $('more').addEventListener('click', more);
  new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && more()).observe($('more'));
  $('mate').addEventListener(
    'click',
    asked('Proving', async () => {
      const mateIn = Math.min(20, Math.max(1, Number($('mate-in').value) || 1));
      const answer = await board.proofs.ask('mate', { saved: shown(), mateIn, steps: 20_000_000 });
      if (answer.verdict === 'proven') {
        say(`Mate in ${answer.mateIn}: ${answer.keys.length} ${answer.keys.length === 1 ? 'key' : 'keys'}. ${answer.steps} search steps.`);
        list([...answer.keys.map((key) => [key, 'mates by force', key]), ...answer.line.slice(1).map((action) => [action, 'the longest defence'])]);
      } else {
        say(answer.verdict === 'refuted' ? `No mate in ${mateIn}.` : `Not known after ${answer.steps} search steps.`);
      }
    }),
  );
  $('best').addEventListener(
    'click',
    asked('Thinking', async () => {
      const answer = await board.proofs.ask('think', { saved: shown(), steps: 400_000, seed: 0 });
      const score = answer.score === null ? '' : 'mate' in answer.score ? `mate in ${answer.score.mate}` : `${answer.score.pawns} pawns`;
      say(answer.action ? `Best: ${answer.action} (${score}, depth ${answer.depth})` : `No action: ${answer.ending}`);
      list(answer.line.map((action, index) => [action, index === 0 ? 'best' : 'expected', index === 0 ? action : undefined]));
    }),
  );
  $('why').addEventListener(
    'click',
    asked('Looking', async () => {
      const { status, inCheck } = await board.proofs.ask('status', { saved: shown() });
      const { checks, reasons, all } = await board.proofs.ask('why', { saved: shown() });
      const words = {
        checkmate: 'Checkmate: in check, and no action is legal.',
        stalemate: 'Stalemate: not in check, and no action is legal.',
        softmate: 'Softmate: in check, and every legal action moves the present back.',
        ongoing: inCheck ? 'Check. The arrows show what captures a royal piece.' : 'No check: nothing captures a royal piece if the player passes.',
        undecided: 'Not known within the search steps.',
      };
      const failing = reasons.filter(({ why }) => why !== 'it is legal');
      say(failing.length > 0 ? `${words[status]} Why actions fail, each with an example:` : words[status]);
      const rows = checks.map((check) => [check, 'check', undefined]);
      for (const { count, why, example } of failing) {
        const others = count > 1 ? `, and ${number(count - 1)} more` : '';
        rows.push([why, example ? `${example}${others}` : '', example || undefined]);
      }
      list(rows);
      if (!all) say(`${$('analysed').textContent} There are more than were tried.`);
    }),
  );
  $('stop').addEventListener('click', () => board.proofs.stop());
  return {
    leave() {
      board.planned = '';
      board.refresh();
    },
  };
}
