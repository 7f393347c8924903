// A plain file server for tests and for trying the page: `npm start [PORT]`. `worldlines serve` does the same without Node.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.yaml': 'application/yaml',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** The file of the folder, or of those beside it, that a request names, if it is one. */
function fileOf(folder, beside, url) {
  try {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    const name = Object.keys(beside).find((one) => path.startsWith(join(sep, one, sep)));
    const [root, rest] = name ? [beside[name], path.slice(name.length + 1)] : [folder, path];
    const file = join(root, rest.endsWith(sep) ? join(rest, 'index.html') : rest);
    return file.startsWith(join(root, sep)) && statSync(file).isFile() ? file : undefined;
  } catch {
    // It is no path, or nothing is there.
    return undefined;
  }
}

/** Whether a request names this machine as its host: another page may have a name for it too. */
const isFromHere = ({ headers }, { port }) => [`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host);

/** Serves a folder, and others by their names below it. */
export function serve(folder, port = 0, beside = {}) {
  const server = createServer((request, response) => {
    if (!isFromHere(request, server.address())) {
      response.writeHead(403).end();
      return;
    }
    const file = request.method === 'GET' ? fileOf(folder, beside, request.url) : undefined;
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const type = { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' };
    const packs = request.headers['accept-encoding']?.includes('gzip');
    response.writeHead(200, packs ? { ...type, 'content-encoding': 'gzip' } : type);
    pipeline([createReadStream(file), ...(packs ? [createGzip()] : []), response], () => {});
  });
  return new Promise((settle) => server.listen(port, '127.0.0.1', () => settle(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(join(dirname(fileURLToPath(import.meta.url)), 'dist'), Number(process.argv[2] ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
