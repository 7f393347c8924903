// For browsers: the WebAssembly is loaded from beside this file before the module is ready.

import { begin } from './api.js';
import init from './wasm/worldlines.js';

await init({ module_or_path: new URL('./wasm/worldlines_bg.wasm', import.meta.url) });
begin();

export * from './public.js';
export { Chess as default } from './api.js';
