// For bundlers: the WebAssembly is a text in a module, so that there is no file to find and no top-level await. It is compiled at once.

import { begin } from '../dist/api.js';
import { initSync } from '../dist/wasm/worldlines.js';
import bytes from './wasm.js';

initSync({ module: bytes() });
begin();

export * from '../dist/public.js';
export { Chess as default } from '../dist/api.js';
