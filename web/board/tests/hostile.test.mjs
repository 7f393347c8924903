// Things that were made to do harm, without a browser.

import assert from 'node:assert/strict';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { MOST_BYTES, unpacked } from '../js/unpack.js';
import { serve } from '../server.mjs';

const here = dirname(fileURLToPath(import.meta.url));

test('a short link does not unpack to more than a game may have', async () => {
  const text = new TextEncoder().encode('1. e4 / e5\n');
  assert.deepEqual(await unpacked(deflateRawSync(text)), text);
  const full = new Uint8Array(MOST_BYTES);
  assert.equal((await unpacked(deflateRawSync(full))).length, MOST_BYTES);
  const huge = deflateRawSync(new Uint8Array(8 * MOST_BYTES));
  assert.ok(huge.length < MOST_BYTES / 64);
  await assert.rejects(unpacked(huge), { message: `its game has more than ${MOST_BYTES} bytes, and no game is that long` });
  await assert.rejects(unpacked(new Uint8Array([255, 255, 255])));
});

test('the server for tests answers this machine, and is not ended by a path', async () => {
  const server = await serve(here);
  const { address, port } = server.address();
  assert.equal(address, '127.0.0.1');
  const status = (path, host = `127.0.0.1:${port}`) =>
    new Promise((settle, fail) => {
      get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
        response.resume();
        settle(response.statusCode);
      }).on('error', fail);
    });
  for (const path of ['/%', '/%zz', '/%00', '/../server.mjs', '/..%2fserver.mjs', '/%2e%2e/server.mjs', '//[', '/none.js']) {
    assert.equal(await status(path), 404, path);
  }
  assert.equal(await status('/page.mjs'), 200);
  assert.equal(await status('/page.mjs', `localhost:${port}`), 200);
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`]) {
    assert.equal(await status('/page.mjs', host), 403, host);
  }
  server.close();
});
