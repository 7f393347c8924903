export * from '../dist/index.js';
export { default } from '../dist/index.js';

/** What the WebAssembly can be loaded from: the address of `worldlines/worldlines.wasm`, an answer to a request for it, or its content. */
export type Wasm = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/** Loads the WebAssembly. Nothing else of the module can be used before. */
export function init(wasm: Wasm | Promise<Wasm>): Promise<void>;
