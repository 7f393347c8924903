// What the browser keeps for the next time. Without storage it lasts as long as the page.

const memory = new Map();
const nameOf = (key) => `worldlines ${key}`;

export function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(nameOf(key)) ?? 'null') ?? memory.get(key);
  } catch {
    return memory.get(key);
  }
}

export function keep(key, value) {
  memory.set(key, value);
  try {
    localStorage.setItem(nameOf(key), JSON.stringify(value));
  } catch {
    // It is full, or not allowed.
  }
}
