// @ts-check
// The course: lessons in order, each of them a puzzle with a text before it.

/** @typedef {{ id: string, number: number, chapter: string, text: string, rule: string }} Lesson */
/** @typedef {{ title: string, chapter: string, text: string, hints: string[], point: string }} Texts the texts of a lesson in another language */

/** The lessons of a list from outside, in their order; what is none is left out. @param {any} value @returns {Lesson[]} */
export function readLessons(value) {
  if (!Array.isArray(value)) return [];
  return value
    .filter((one) => typeof one?.id === 'string' && Number.isFinite(one.number) && typeof one.text === 'string')
    .map(({ id, number, chapter, text, rule }) => ({ id, number, text, chapter: typeof chapter === 'string' ? chapter : '', rule: typeof rule === 'string' ? rule : '' }))
    .sort((a, b) => a.number - b.number);
}

/** The texts of a lesson in a table from outside, if they are whole. @param {any} table @param {string} id @returns {Texts | undefined} */
export function textsOf(table, id) {
  const given = table !== null && typeof table === 'object' && Object.hasOwn(table, id) ? table[id] : undefined;
  const { title, chapter, text, hints = [], point = '' } = given ?? {};
  const whole = [title, chapter, text, point, ...(Array.isArray(hints) ? hints : [undefined])].every((one) => typeof one === 'string');
  return whole ? { title, chapter, text, hints, point } : undefined;
}

/** Lessons by chapter, in order. @param {readonly Lesson[]} lessons @returns {{ chapter: string, lessons: Lesson[] }[]} */
export function chapters(lessons) {
  /** @type {{ chapter: string, lessons: Lesson[] }[]} */
  const found = [];
  for (const lesson of lessons) {
    const last = found.at(-1);
    if (last && last.chapter === lesson.chapter) last.lessons.push(lesson);
    else found.push({ chapter: lesson.chapter, lessons: [lesson] });
  }
  return found;
}

/** The lesson to go on with: the first one after `after` that is not done, or else the first that is not. @param {readonly Lesson[]} lessons @param {ReadonlySet<string>} done @param {string} [after] */
export function nextLesson(lessons, done, after) {
  const at = lessons.findIndex(({ id }) => id === after);
  return [...lessons.slice(at + 1), ...lessons.slice(0, at + 1)].find(({ id }) => !done.has(id));
}
