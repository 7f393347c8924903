// Puzzles to solve: the shipped ones, one of them each day.

import { puzzleGame, puzzleSolution } from '../worldlines/browser.js';
import { $ } from './page.js';

const KEPT = 'worldlines solved';

function kept() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEPT) ?? '[]'));
  } catch {
    return new Set();
  }
}

function goalText(goal, toMove) {
  const mover = toMove === 'white' ? 'White' : 'Black';
  if ('mateIn' in goal) return `${mover} mates in ${goal.mateIn}`;
  if ('noMateIn' in goal) return `Has ${mover} a mate in ${goal.noMateIn}?`;
  if ('survive' in goal) return `${mover} is not mated in ${goal.survive}`;
  if ('selfmateIn' in goal) return `${mover} makes the opponent mate ${mover} in ${goal.selfmateIn}`;
  if ('onlyDefence' in goal) return `${mover} finds the only action that is not mated in ${goal.onlyDefence}`;
  return `How does the game stand for ${mover}?`;
}

/** The same puzzle for everybody on the same day. */
export function dailyIndex(date, count) {
  const day = Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
  // A step that has no divisor in common with the count visits all of them.
  const greatest = (a, b) => (b === 0 ? a : greatest(b, a % b));
  let step = Math.floor(count * 0.618) || 1;
  while (greatest(step, count) !== 1) step += 1;
  return (day * step) % count;
}

export function puzzleMode(board) {
  let all;
  let puzzle;
  let yaml = '';
  let line = [];
  let hints = 0;
  const solved = kept();

  const say = (text, kind = '') => {
    $('puzzle-said').textContent = text;
    $('puzzle-said').className = kind;
  };

  const mode = {
    mayPlay: () => !board.proofs.busy,
    async submit() {
      const action = [...line, board.game.movesMade().join(' ')];
      say('Judging …');
      let judged;
      try {
        judged = await board.proofs.ask('judge', { yaml, line: action });
      } catch (error) {
        if (error.code !== 'stopped') say(error.message, 'bad');
        return;
      }
      if (judged.verdict === 'correct') {
        board.game.submit();
        board.played();
        line = action;
        const what = 'selfmateIn' in puzzle.goal ? 'selfmate' : 'mate';
        if (judged.left === 0) {
          finish('mateIn' in puzzle.goal ? 'Mate. Solved!' : 'selfmateIn' in puzzle.goal ? 'Every reply mates. Solved!' : 'It holds. Solved!');
        } else if (judged.reply) {
          line = [...line, judged.reply];
          board.play(judged.reply);
          say(`Right. ${judged.reply} is played; ${what} in ${judged.left}.`, 'good');
        } else {
          say(`Right: ${what} in ${judged.left}.`, 'good');
        }
        return;
      }
      const by = judged.refutation === 'stalemate' ? 'it is stalemate' : `${judged.refutation} refutes it`;
      const words = {
        wrong: `Wrong: ${by}.`,
        'slower-mate': `It mates, but not in time: ${by}.`,
        illegal: judged.message,
        undecided: `Not known: ${judged.message}.`,
      };
      say(words[judged.verdict], 'bad');
      while (board.game.movesMade().length > 0) board.game.undo();
      board.refresh();
    },
  };

  function finish(text) {
    say(text, 'good');
    $('puzzle-point').textContent = puzzle.point;
    solved.add(puzzle.id);
    try {
      localStorage.setItem(KEPT, JSON.stringify([...solved]));
    } catch {
      // Without storage the progress lasts as long as the page.
    }
    list();
  }

  function list() {
    const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const goal = $('goal').value;
    const fits = (one) =>
      words.every((word) => `${one.title} ${one.themes.join(' ')} ${one.collection} ${one.id}`.toLowerCase().includes(word)) &&
      (goal === '' || JSON.stringify(one.goal) === goal);
    const items = all.filter(fits).map((one) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.append(one.title);
      if (solved.has(one.id)) button.classList.add('done');
      const small = document.createElement('small');
      const timelines = one.timelines === 1 ? '1 timeline' : `${one.timelines} timelines`;
      small.textContent = `${goalText(one.goal, one.toMove)} · ${one.size} · ${timelines}`;
      button.append(small);
      button.addEventListener('click', () => open(one));
      item.append(button);
      return item;
    });
    $('puzzles').replaceChildren(...items);
    $('solved').textContent = `${all.filter((one) => solved.has(one.id)).length} of ${all.length} solved`;
  }

  async function open(one) {
    board.proofs.stop();
    puzzle = one;
    try {
      const response = await fetch(`puzzles/${one.file}`);
      if (!response.ok) throw new Error(response.statusText);
      yaml = await response.text();
    } catch (error) {
      $('solved').textContent = `The puzzle cannot be loaded: ${error.message}`;
      return;
    }
    again();
    $('panel-puzzles').scrollTop = 0;
  }

  function again() {
    line = [];
    hints = 0;
    board.mode = mode;
    board.planned = '';
    board.flipped = puzzle.toMove === 'black';
    $('puzzle').hidden = false;
    $('puzzle-title').textContent = puzzle.title;
    $('puzzle-goal').textContent = `${goalText(puzzle.goal, puzzle.toMove)}. ${puzzle.author ? `By ${puzzle.author}.` : ''}`;
    $('puzzle-point').textContent = '';
    const asksAction = ['mateIn', 'selfmateIn', 'survive', 'onlyDefence'].some((key) => key in puzzle.goal);
    for (const id of ['hint', 'solution']) $(id).disabled = !asksAction;
    say(asksAction ? 'Make the moves on the board and submit.' : 'Look at the position; Analyse has the answer.');
    board.take(puzzleGame(yaml), { near: true });
  }

  function hint() {
    const solution = puzzleSolution(yaml)[line.length];
    if (!solution) return;
    hints += 1;
    if (line.length === 0 && hints <= puzzle.hints.length) {
      say(puzzle.hints[hints - 1]);
    } else if (hints === 1) {
      const themes = puzzle.themes.join(', ');
      say(themes ? `Its themes: ${themes}.` : 'It has no themes.');
    } else if (hints === 2 && puzzle.hints.length === 0) {
      const [, timeline, turn] = /^\(([-+]?\d+)T(\d+)\)/.exec(solution) ?? [];
      say(`Something moves on the board (${timeline}T${turn}).`);
    } else {
      say(`Play ${solution}.`);
      board.planned = solution;
      board.refresh();
    }
  }

  async function load() {
    const response = await fetch('puzzles/index.json');
    if (!response.ok) throw new Error('the list of puzzles is not there');
    all = await response.json();
    const goals = [...new Set(all.map(({ goal }) => JSON.stringify(goal)))].sort();
    for (const goal of goals) {
      const option = document.createElement('option');
      option.value = goal;
      const [[key, value]] = Object.entries(JSON.parse(goal));
      option.textContent = { mateIn: `mate in ${value}`, noMateIn: `no mate in ${value}?`, selfmateIn: `selfmate in ${value}`, survive: `survive ${value}`, onlyDefence: `only defence against mate in ${value}`, status: 'how it stands' }[key];
      $('goal').append(option);
    }
    list();
  }

  $('search').addEventListener('input', list);
  $('goal').addEventListener('change', list);
  $('hint').addEventListener('click', hint);
  $('again').addEventListener('click', again);
  $('solution').addEventListener('click', () => {
    const rest = puzzleSolution(yaml).slice(line.length);
    while (board.game.movesMade().length > 0) board.game.undo();
    rest.forEach((action) => board.play(action));
    line = [...line, ...rest];
    say(`The solution: ${rest.join(', ')}`);
    $('puzzle-point').textContent = puzzle.point;
  });
  $('daily').addEventListener('click', () => {
    const mates = all.filter(({ goal }) => 'mateIn' in goal);
    open(mates[dailyIndex(new Date(), mates.length)]);
  });
  return {
    async enter() {
      try {
        if (!all) await load();
      } catch (error) {
        $('solved').textContent = error.message;
      }
    },
    leave() {
      if (board.mode === mode) board.mode = undefined;
    },
  };
}
