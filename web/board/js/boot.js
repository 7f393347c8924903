// @ts-check
// Loads the page, and says so where that cannot be done: then nothing else of it runs.

import { translate, words } from './language.js';

try {
  translate(document);
  const { begin } = await import('./main.js');
  await begin();
} catch (/** @type {any} */ error) {
  console.error(error);
  const message = document.createElement('p');
  message.className = 'fatal';
  message.setAttribute('role', 'alert');
  const again = document.createElement('button');
  again.textContent = words.page.again;
  again.className = 'main';
  again.addEventListener('click', () => location.reload());
  message.append(words.page.failed(error.message), document.createElement('br'), again);
  document.body.append(message);
  const standing = document.getElementById('standing');
  if (standing) standing.textContent = words.page.notLoaded;
  document.documentElement.dataset.ready = 'failed';
}
export {};
