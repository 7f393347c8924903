// Light, dark, or what the system says. The colours of boards are those of pictures, which know only what the system says: for a choice their style
// is taken apart.

import { pictureStyle } from '../worldlines/browser.js';
import { kept, keep } from './kept.js';

const KEPT = 'theme';
const CHOICES = ['system', 'light', 'dark'];

/** The style of pictures in the chosen colours. */
export function styleOf(choice) {
  const whole = pictureStyle();
  const at = whole.indexOf('@media (prefers-color-scheme:dark){');
  if (choice === 'system' || at < 0) return whole;
  const dark = whole.slice(whole.indexOf('{', at) + 1, whole.lastIndexOf('}'));
  return choice === 'dark' ? whole.slice(0, at) + dark : whole.slice(0, at);
}

/** Follows the choice of a `select`, and keeps it. */
export function theme(select, view) {
  const apply = (choice) => {
    document.documentElement.dataset.theme = choice;
    view.style = styleOf(choice);
  };
  const last = kept(KEPT);
  select.value = CHOICES.includes(last) ? last : 'system';
  select.addEventListener('change', () => {
    keep(KEPT, select.value);
    apply(select.value);
  });
  apply(select.value);
}
