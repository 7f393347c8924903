// For Node: the WebAssembly is read from beside this file, at once.

import { readFileSync } from 'node:fs';
import { begin } from './api.js';
import { initSync } from './wasm/worldlines.js';

initSync({ module: readFileSync(new URL('./wasm/worldlines_bg.wasm', import.meta.url)) });
begin();

export * from './public.js';
// `require('worldlines')` gives the class, as `require('5d-chess-js')` does.
export { Chess as default, Chess as 'module.exports' } from './api.js';
