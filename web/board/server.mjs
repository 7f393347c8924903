// A plain file server for tests and for trying the page: `npm start [PORT]`. `worldlines serve` does the same without Node.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.yaml': 'application/yaml',
  '.svg': 'image/svg+xml',
};

export function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    let found = false;
    try {
      found = statSync(file).isFile();
    } catch {
      // It is not there.
    }
    if (!found || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((settle) => server.listen(port, '127.0.0.1', () => settle(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(join(dirname(fileURLToPath(import.meta.url)), 'dist'), Number(process.argv[2] ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
