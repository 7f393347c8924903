// @ts-check
// Where the keyboard is: it never falls to the page when the element that had it is gone, its frame is for those who use keys, and a number is selected.

import { $ } from './dom.js';

/** Takes the focus back when the element that had it is hidden or gone: the panel around it gets it, or the board. @returns {() => void} looks once more */
export function keepFocus() {
  /** @type {{ element: Element, panel: HTMLElement | null } | undefined} */
  let last;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = { element: target, panel: target.closest('[role=tabpanel], #line') };
  });
  const look = () =>
    requestAnimationFrame(() => {
      const isLost = document.activeElement === document.body || document.activeElement === null;
      if (!last || !isLost || last.element.checkVisibility()) return;
      const panel = last.panel?.checkVisibility() ? last.panel : $('board');
      if (!panel.hasAttribute('tabindex')) panel.tabIndex = -1;
      panel.focus({ preventScroll: true });
    });
  for (const event of ['click', 'keydown', 'change']) document.addEventListener(event, look);
  return look;
}

/** Selects the number in a field that gets the focus: what is typed takes its place. */
export function selectNumbers() {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('[type=number], #s-timeline')) target.select();
  });
}

/** Marks the page while a pointer is used: what has the focus then needs no frame. */
export function markPointer() {
  const by = (/** @type {string} */ what) => () => {
    document.documentElement.dataset.by = what;
  };
  document.addEventListener('pointerdown', by('pointer'), true);
  document.addEventListener('keydown', by('keys'), true);
}
