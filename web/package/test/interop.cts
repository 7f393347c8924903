// Compiled and never run: `import` in a module that becomes CommonJS.

import Chess, { Game, convert, type Move } from 'worldlines';

const moves: Move[] = new Chess().moves();
const text: string = convert(Game.start().write(), { to: 'raw' }).text;
export { moves, text };
