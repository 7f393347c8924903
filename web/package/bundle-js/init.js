// `worldlines/init`: the WebAssembly is loaded when it is asked for, from where the program says, and compiled while it arrives.

import { begin, ChessError } from '../dist/api.js';
import load from '../dist/wasm/worldlines.js';

let loading;

/** Loads the WebAssembly. Once it has, everything can be used. */
export function init(wasm) {
  loading ??= start(wasm).catch((error) => {
    // The next call tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start(wasm) {
  const source = await wasm;
  if (!source) throw new ChessError({ code: 'wrong-argument', message: '`init` needs the address or the content of worldlines/worldlines.wasm' });
  await load({ module_or_path: source });
  begin();
}

export * from '../dist/public.js';
export { Chess as default } from '../dist/api.js';
