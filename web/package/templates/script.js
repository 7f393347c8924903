// For pages that load the library with a script tag and use `Chess` in the next line, as those of 5d-chess-js do: one classic script. The build
// puts the modules in place of `GLUE` and `API`. The WebAssembly is read from beside the script before the next line runs.

(() => {
  const address = typeof document === 'undefined' ? self.location.href : document.currentScript.src;
  const wasm = GLUE;
  const library = API;

  function bytesOf(url) {
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    // A page that waits may not ask for bytes: it gets a text in which each letter is a byte.
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
    if (request.status !== 200) throw new Error(`${url} is not there (${request.status})`);
    return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0) & 255);
  }

  wasm.initSync({ module: bytesOf(new URL('wasm/worldlines_bg.wasm', address).href) });
  library.begin();
  globalThis.worldlines = library;
  globalThis.Chess = library.Chess;
})();
