// `worldlines/init` in Node, where everything is loaded already.

export async function init(_wasm) {}

export * from '../dist/node.js';
export { default } from '../dist/node.js';
