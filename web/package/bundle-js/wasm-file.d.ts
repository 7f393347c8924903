/** What a bundler makes of the file: its address, its content, or a module. `init` of `worldlines/init` takes each of them. */
declare const wasm: string | Uint8Array<ArrayBuffer> | WebAssembly.Module;
export default wasm;
