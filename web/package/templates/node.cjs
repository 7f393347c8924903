// For `require` in Node, and what `import` there takes its classes from. The build puts the modules in place of `GLUE` and `API`. The WebAssembly
// is read from its file, at once.

'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const wasm = GLUE;
const library = API;

wasm.initSync({ module: readFileSync(join(__dirname, '..', 'dist', 'wasm', 'worldlines_bg.wasm')) });
library.begin();
const { begin, ...offered } = library;
// `require` gives the class, as that of 5d-chess-js does, and everything else as its properties.
module.exports = Object.assign(library.Chess, offered, { default: library.Chess });
