// The puzzles that the reader has found, by id. Some browsers keep nothing for pages of files: then it is forgotten with the page.
const key = 'worldlines-found';
let found = new Set();
try {
  found = new Set(JSON.parse(localStorage.getItem(key) ?? '[]'));
} catch {}
function keep(id, isFound) {
  if (isFound) found.add(id);
  else found.delete(id);
  try {
    localStorage.setItem(key, JSON.stringify([...found]));
  } catch {}
}
const id = document.querySelector('main').dataset.id;
const button = document.getElementById('solved');
function press() {
  button.setAttribute('aria-pressed', String(found.has(id)));
  button.textContent = found.has(id) ? 'Found ✓' : 'I found it';
}
if (button) {
  press();
  button.addEventListener('click', () => {
    keep(id, !found.has(id));
    press();
  });
}
