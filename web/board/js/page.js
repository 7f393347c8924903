// The parts of the page: its elements by id, and pieces as pictures.

import { pieces } from '../worldlines/browser.js';

export const $ = (id) => document.getElementById(id);

/** A piece as a small picture. */
export function pieceImage(letter) {
  const { body, lines, eye } = pieces().find((piece) => piece.letter === letter.toUpperCase());
  const name = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(name, 'svg');
  svg.setAttribute('viewBox', '0 0 60 60');
  svg.setAttribute('aria-hidden', 'true');
  const group = document.createElementNS(name, 'g');
  group.setAttribute('class', letter === letter.toUpperCase() ? 'wl-pw' : 'wl-pb');
  for (const [className, d] of [['', body], ['wl-pl', lines]]) {
    const path = document.createElementNS(name, 'path');
    path.setAttribute('d', d);
    path.setAttribute('class', className);
    group.append(path);
  }
  if (eye) {
    const circle = document.createElementNS(name, 'circle');
    ['cx', 'cy', 'r'].forEach((key, index) => circle.setAttribute(key, eye[index]));
    circle.setAttribute('class', 'wl-pe');
    group.append(circle);
  }
  svg.append(group);
  return svg;
}
