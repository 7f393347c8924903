// What is true of the position: legal actions, mates, reasons, and what the engine would play.

import { $ } from './main.js';

const MOST_SHOWN = 300;

export function analyse(board) {
  const shown = () => board.shown.save();
  const say = (text) => {
    $('analysed').textContent = text;
  };

  /** A list of actions; each is drawn as arrows when it is chosen. */
  const list = (rows) => {
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
    $('found').replaceChildren(...items);
  };

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
      const { list: found, complete } = await board.proofs.ask('actions', { saved: shown(), most: MOST_SHOWN });
      say(complete ? `${found.length} legal actions` : `the first ${found.length} legal actions`);
      list(found.map((action) => [action, '', action]));
    }),
  );
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
      const reasons = await board.proofs.ask('reasons', { saved: shown() });
      const words = {
        checkmate: 'Checkmate. The arrows show what captures a royal piece if the player passes; no action ends all of it.',
        stalemate: 'Stalemate: not in check, and no legal action.',
        softmate: 'Softmate: in check, and every legal action moves the present back.',
        ongoing: inCheck ? 'Check. The arrows show what captures a royal piece.' : 'No check: nothing captures a royal piece if the player passes.',
        undecided: 'Not known within the search steps.',
      };
      say(`${words[status]} ${reasons.length > 0 ? 'Moves that do not help on their own:' : ''}`);
      list(reasons.slice(0, MOST_SHOWN).map(([move, reason]) => [move, reason, undefined]));
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
