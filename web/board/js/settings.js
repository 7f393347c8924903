// @ts-check
// Choices of the user, kept in the browser. Without storage they last as long as the page.

/** @typedef {{ language: string, theme: 'system' | 'light' | 'dark', squares: 'slate' | 'wood' | 'green', pieces: 'figures' | 'letters', sound: boolean, motion: boolean, movable: boolean, atOnce: boolean, answerAtOnce: boolean, toured: boolean, lines: string }} Settings */

/** The name under which they are kept. */
export const SETTINGS = 'worldlines settings';
/** @type {Settings} */
const DEFAULTS = { language: 'browser', theme: 'system', squares: 'slate', pieces: 'figures', sound: true, motion: true, movable: true, atOnce: false, answerAtOnce: true, toured: false, lines: '3' };
/** @type {Partial<Record<keyof Settings, readonly string[]>>} */
export const CHOICES = { theme: ['system', 'light', 'dark'], squares: ['slate', 'wood', 'green'], pieces: ['figures', 'letters'], lines: ['1', '2', '3', '5'] };

/** @param {unknown} value @returns {Settings} */
export function readSettings(value) {
  const settings = { ...DEFAULTS };
  if (typeof value !== 'object' || value === null) return settings;
  for (const [key, standard] of Object.entries(DEFAULTS)) {
    const given = /** @type {Record<string, unknown>} */ (value)[key];
    const choices = CHOICES[/** @type {keyof Settings} */ (key)];
    if (typeof given === typeof standard && (!choices || choices.includes(String(given)))) Object.assign(settings, { [key]: given });
  }
  return settings;
}

/** The storage of the browser, if there is one. @param {'localStorage' | 'sessionStorage'} name */
export function storage(name) {
  try {
    return globalThis[name];
  } catch {
    // It is not allowed.
    return undefined;
  }
}

/** The value that is kept under a name. @param {string} key */
export function kept(key) {
  try {
    return JSON.parse(storage('localStorage')?.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  try {
    storage('localStorage')?.setItem(key, JSON.stringify(value));
  } catch {
    // It is full, or not allowed.
  }
}

export class Choices extends EventTarget {
  value = readSettings(kept(SETTINGS));

  /** @template {keyof Settings} K @param {K} key @param {Settings[K]} value */
  set(key, value) {
    this.value = { ...this.value, [key]: value };
    keep(SETTINGS, this.value);
    this.dispatchEvent(new Event('change'));
  }
}
