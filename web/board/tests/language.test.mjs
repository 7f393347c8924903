// The languages of the page: both tables are whole, nothing is written beside them, and the browser or the visitor chooses.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Game } from '../../package/dist/node.js';
import { english } from '../js/english.js';
import { german } from '../js/german.js';
import { LANGUAGES, inEnglish, languageOf, wordsAt } from '../js/language.js';
import { textsOf } from '../js/lessons.js';
import { open, text } from './page.mjs';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const TABLES = ['english.js', 'german.js'];
const PAGES = ['index.html', 'embed.html'];

/** All that a table has: `[path, value]`. */
const entries = (table, path = '') =>
  Object.entries(table).flatMap(([name, value]) => (typeof value === 'object' ? entries(value, `${path}${name}.`) : [[path + name, value]]));

/** The literals of a program, without its comments and regular expressions. */
function literals(source) {
  const token = /\/\*[^]*?\*\/|\/\/[^\n]*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[gimsuy]*/g;
  const found = [...source.matchAll(token)].map(([, single, double, template]) => single ?? double ?? template);
  return found.filter((one) => one !== undefined).map((one) => one.replace(/\$\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, '…'));
}

/** Whether it reads like words for people: two words one after another, or one with a capital. */
const isWords = (literal) => /\p{L}{2,}[,.:;…]* \p{L}{2,}/u.test(literal) || /^\p{Lu}\p{Ll}{2,}[ .:…!?]*$/u.test(literal);

/** Literals that look like words and are none of the page's: names of storage, queries of styles, headers of games, names of languages in themselves, errors of the program itself. */
const NO_WORDS = [
  /^worldlines [a-z ]+$/, /^\((?:prefers|pointer|forced)-?/, /^(?:Standard|White|Black|Board|Variant|Event|Files|Enter|Escape|Canvas|Highlight)$/, /^(?:#palette )?input\b/, /^<iframe/, /sans-serif$/, /^wl[ -]/, /^(?:made|check|plan) tip$/,
  /^(?:schema: |unique: |\{ from: )/, /^it is legal$/, /^(?:English|Deutsch)$/, /^(?:the page has no element|there is no (?:text|piece)) …$/,
];

test('both languages have the same texts', () => {
  const [ours, theirs] = [english, german].map((table) => new Map(entries(table)));
  assert.deepEqual([...theirs.keys()].sort(), [...ours.keys()].sort());
  for (const [path, value] of ours) {
    assert.equal(typeof theirs.get(path), typeof value, path);
    assert.ok(typeof value !== 'string' || (value.trim() !== '' && theirs.get(path).trim() !== ''), path);
    if (typeof value !== 'function') continue;
    // Lists are the arguments that have elements; numbers and names serve for all others.
    for (const table of [value, theirs.get(path)]) {
      const said = [['x'], 'x', 2, 3, 4].map((last) => {
        try {
          return table(...Array(5).fill(last));
        } catch {
          return '';
        }
      });
      assert.ok(said.some((one) => one !== ''), `${path} says nothing`);
      assert.doesNotMatch(said.join(' '), /undefined|\[object/, path);
    }
  }
});

test('no text of the page is written beside the tables', () => {
  for (const file of readdirSync(join(here, 'js')).filter((name) => !TABLES.includes(name))) {
    const beside = literals(readFileSync(join(here, 'js', file), 'utf8')).filter((one) => isWords(one) && !NO_WORDS.some((form) => form.test(one)));
    assert.deepEqual(beside, [], file);
  }
  assert.ok(literals("const a = 'Two words'; // 'not these'").filter(isWords).length === 1, 'words are found');
  for (const file of PAGES) {
    const source = readFileSync(join(here, file), 'utf8');
    const words = source.replace(/<[^>]*>/g, ' ').replace('Worldlines', '').match(/\p{L}{2,}/gu) ?? [];
    assert.deepEqual(words, [], file);
    const attributes = [...source.matchAll(/ (?:title|aria-label|placeholder|alt)="([^"]*)"/g)].map(([, value]) => value).filter((value) => value !== 'Nf3, (0T1)e4');
    assert.deepEqual(attributes, [], file);
    assert.doesNotMatch(readFileSync(join(here, 'board.css'), 'utf8'), /content: "[^"]*\p{L}{2}/u);
  }
});

test('every text of the tables is said somewhere, and pages name none that is missing', () => {
  const pages = PAGES.map((file) => readFileSync(join(here, file), 'utf8')).join('\n');
  const programs = readdirSync(join(here, 'js')).map((file) => readFileSync(join(here, 'js', file), 'utf8')).join('\n');
  for (const [, path] of pages.matchAll(/ data-(?:words|title|label|hint|drop|content)="([\w.]+)/g)) assert.ok(wordsAt(path), path);
  for (const [path] of entries(english)) {
    const [group, name] = path.split('.');
    // Some are looked up by a name that comes from elsewhere: all of such a group are used if the group is.
    const used = group === 'keys' ? new RegExp(`"keys\\.${name}"|\\|${name}"`) : new RegExp(`"${path.replaceAll('.', '\\.')}[|"]|words\\.${group}\\b${name ? `\\??\\.${name}\\b` : ''}|${group}\\[`);
    assert.ok(used.test(pages + programs) || (group === 'language' && programs.includes('language')), `nobody says ${path}`);
  }
});

test('the page has its texts in English before it is loaded', () => {
  const page = inEnglish(readFileSync(join(here, 'index.html'), 'utf8'));
  assert.match(page, /<button id="submit"[^>]*title="Submit the action \(s\)"[^>]*>Submit<\/button>/);
  assert.match(page, /<noscript><p[^>]*>The board needs JavaScript/);
});

test('the language is the one that was chosen, or the first one of the browser that there is', () => {
  assert.equal(languageOf('browser', ['fr-FR', 'de-AT', 'en']), 'de');
  assert.equal(languageOf('browser', ['en-GB', 'de']), 'en');
  assert.equal(languageOf('browser', ['fr']), 'en');
  assert.equal(languageOf('browser', []), 'en');
  assert.equal(languageOf('de', ['en']), 'de');
  assert.equal(languageOf('klingon', ['de']), 'de');
  assert.deepEqual(Object.keys(LANGUAGES), ['en', 'de']);
});

test('what the library says of checks and of actions that cannot be submitted is said in German', () => {
  const games = ['1. e3 / f6 2. Qe2 / Nc6 3. Qh5', '1. e3 / f6 2. Qe2 / Nc6', '[Board "Custom"]\n[k2/1Q1/1K1:0:1:b]'];
  let said = 0;
  for (const written of games) {
    const game = Game.parse(written);
    const { checks, reasons } = game.why();
    for (const one of [...checks, ...reasons.map(({ why }) => why), game.whyNot()].filter((one) => one && one !== 'it is legal')) {
      assert.notEqual(german.library(one), one);
      said += 1;
    }
    game.free();
  }
  assert.ok(said >= 8, String(said));
  assert.equal(german.library('white queen (0T3)h5 attacks black king (0T1)e8'), 'weiße Dame (0T3)h5 greift an: schwarzer König (0T1)e8');
  assert.equal(german.library('still in check from the queen (0T3)h5 on the king (0T3)e8'), 'weiter im Schach: Dame (0T3)h5 gegen König (0T3)e8');
  assert.equal(german.library('something else'), 'something else');
});

/** A page in a language, closed after all tests. */
const opened = [];
after(async () => {
  for (const one of opened) await one.close();
});
async function inLanguage(locale, more = {}) {
  const board = await open({ locale, ...more });
  opened.push(board);
  return board;
}

const TABS = ['play', 'analyse', 'puzzles', 'author', 'setup', 'text'];

/** The sources of the library, of its package and of the page. */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(?:rs|js)$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}

test('errors of the library are said in German, with their place', () => {
  const game = Game.start('Standard');
  const faultOf = (act) => {
    try {
      act();
    } catch (error) {
      return german.fault(error);
    }
    return undefined;
  };
  assert.equal(faultOf(() => game.move('Ne5')), 'Diesen Zug gibt es hier nicht');
  assert.match(faultOf(() => Game.parse('1. e4 / e5\n2. Qh9')) ?? '', /^[A-Z].*\(Zeile 2, Spalte \d+\)$/);
  assert.equal(german.fault({ code: 'unheard-of', message: 'a message' }), 'a message');
  game.free();
});

test('each error that is said in German is one of the library', () => {
  const root = join(here, '..', '..');
  const said = [...sources(join(root, 'src')), ...sources(join(root, 'web', 'package', 'src')), ...sources(join(root, 'web', 'package', 'js'))].join('\n');
  const [, table] = /const FAULTS = \{([^]*?)\n\};/.exec(readFileSync(join(here, 'js', 'german.js'), 'utf8')) ?? [];
  const codes = [...table.matchAll(/^ {2}'([a-z-]+)':/gm)].map(([, code]) => code);
  assert.ok(codes.length > 80, `${codes.length} codes`);
  assert.deepEqual(codes.filter((code) => !new RegExp(`['"]${code}['"]`).test(said)), []);
});

test('titles that name pieces are said in German', () => {
  assert.equal(german.title('Two rooks, a knight and two pawns against a lone king'), 'Zwei Türme, Springer und zwei Bauern gegen König');
  assert.equal(german.title('Two princesses against an unicorn'), 'Zwei Prinzessinnen gegen Einhorn');
  assert.equal(german.title('10 pieces against a common king'), 'Zehn Figuren gegen gewöhnlichen König');
  assert.equal(german.title('Two turns back, one square aside'), 'Two turns back, one square aside');
});

test('every lesson has all its texts in German', () => {
  const read = (path) => JSON.parse(readFileSync(join(here, path), 'utf8'));
  const german = read('lessons.de.json');
  const lessons = read('dist/puzzles/lessons.json');
  const puzzles = read('dist/puzzles/index.json');
  assert.deepEqual(Object.keys(german), lessons.map(({ id }) => id));
  const chapters = new Map();
  for (const lesson of lessons) {
    const puzzle = puzzles.find(({ id }) => id === lesson.id);
    const texts = textsOf(german, lesson.id);
    assert.ok(texts, lesson.id);
    assert.deepEqual([texts.hints.length, texts.point === ''], [puzzle.hints.length, puzzle.point === ''], lesson.id);
    for (const [one, other] of [[texts.title, puzzle.title], [texts.text, lesson.text], ...texts.hints.map((hint, index) => [hint, puzzle.hints[index]])]) {
      assert.ok(one.trim() !== '' && one !== other, `${lesson.id}: ${one}`);
    }
    const chapter = chapters.get(lesson.chapter) ?? texts.chapter;
    assert.equal(texts.chapter, chapter, `${lesson.id}: ${lesson.chapter}`);
    chapters.set(lesson.chapter, chapter);
  }
  assert.equal(textsOf({ a: { title: 'x' } }, 'a'), undefined);
  assert.equal(textsOf(null, 'a'), undefined);
  assert.equal(textsOf({}, 'toString'), undefined);
});

test('a lesson is in the language of the page', async () => {
  const board = await inLanguage('de-DE');
  await board.fresh();
  const { page } = board;
  await page.click('#tab-puzzles');
  await page.waitForSelector('#lesson-list button');
  const [first, other] = [JSON.parse(readFileSync(join(here, 'dist', 'puzzles', 'lessons.json'), 'utf8'))[0], JSON.parse(readFileSync(join(here, 'lessons.de.json'), 'utf8'))];
  const texts = other[first.id];
  await page.click('#lesson-list button');
  await page.waitForFunction((title) => document.getElementById('puzzle-title').textContent === title, texts.title);
  assert.equal(await text(page, 'puzzle-before'), texts.text);
  await page.click('#hint');
  assert.equal(await text(page, 'puzzle-said'), texts.hints[0]);
  assert.equal(await page.locator('#puzzle [lang=en], #lesson-list [lang=en]').count(), 0);
  assert.match(await page.locator('#lesson-list').textContent(), new RegExp(texts.chapter));
});

test('pieces of a set-up that have not moved are told in the language of the page', async () => {
  for (const [locale, told] of [['de-DE', 'Noch nicht gezogen: Weiß (Ra5, Kd5).'], ['en-GB', "Not moved yet: White's Ra5, Kd5."]]) {
    const board = await inLanguage(locale);
    await board.fresh('#puzzle=rook-bishop-in-2-ff2b9a50');
    await board.page.waitForSelector('#puzzle:not([hidden])');
    assert.equal(await text(board.page, 'puzzle-unmoved'), told);
    await board.go('#puzzle=one-knight-four-mates');
    await board.page.waitForFunction(() => document.getElementById('puzzle-unmoved').textContent === '');
    assert.ok(await board.page.isHidden('#puzzle-unmoved'));
  }
});

test('a browser in German has the page in German, and a choice is remembered', async () => {
  const board = await inLanguage('de-DE');
  await board.fresh();
  const { page } = board;
  assert.equal(await text(page, 'standing'), 'Weiß am Zug');
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
  assert.equal(await page.evaluate(() => document.querySelector('meta[name=description]').content.slice(0, 9)), 'Ein Brett');
  assert.match(await page.locator('#board').getAttribute('aria-label'), /^Multiversum: Weiß am Zug, Gegenwart T1w: 1 Brett auf 1 Zeitlinie$/);
  await page.evaluate(() => worldlines.board.play('e4'));
  await page.click('#settings-open');
  await Promise.all([page.waitForEvent('load'), page.selectOption('#language', 'en')]);
  await page.waitForSelector('html[data-ready=yes]');
  assert.equal(await text(page, 'standing'), 'Black to move', 'the game is still there');
  await board.go();
  assert.equal(await text(page, 'submit'), 'Submit');
  assert.equal(await page.locator('#language').inputValue(), 'en');
  await page.click('#settings-open');
  await Promise.all([page.waitForEvent('load'), page.selectOption('#language', 'browser')]);
  await page.waitForSelector('html[data-ready=yes]');
  assert.equal(await text(page, 'standing'), 'Schwarz am Zug');
  assert.deepEqual(board.errors, []);
});

test('a change of language keeps the game where the browser keeps nothing', async () => {
  const board = await inLanguage('en-GB');
  const { page } = board;
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: () => { throw new DOMException('blocked', 'SecurityError'); } });
  });
  await board.go();
  await page.evaluate(() => worldlines.board.play('e4'));
  const change = async (to) => {
    await page.evaluate(() => document.getElementById('settings').showModal());
    await Promise.all([page.waitForEvent('load'), page.selectOption('#language', to)]);
    await page.waitForSelector('html[data-ready=yes]');
  };
  await change('de');
  assert.equal(await text(page, 'standing'), 'Schwarz am Zug');
  assert.deepEqual(await page.evaluate(() => worldlines.board.actions), ['(0T1)e2e4']);
  await change('en');
  assert.equal(await text(page, 'standing'), 'Black to move');
  assert.deepEqual(board.errors, []);
});

test('everything that the page shows comes from the table', async () => {
  const board = await inLanguage('de-DE');
  const { page } = board;
  // A language whose texts are marked: what is shown without marks was written elsewhere.
  const marked = `import { english } from '../source/js/english.js';
    const mark = (value) => typeof value === 'string' ? '⟦' + value + '⟧' : typeof value === 'function' ? (...given) => '⟦' + value(...given) + '⟧' : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mark(one)]));
    export const german = mark(english);`;
  await page.route('**/js/german-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: marked }));
  await page.route('**/lessons.de.json', (route) => route.fulfill({ contentType: 'application/json', body: '{}' }));
  await board.fresh();
  const unmarked = () =>
    page.evaluate(() => {
      const found = [];
      const look = (value, where) => {
        let rest = value;
        for (let before = ''; before !== rest; ) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*⟧/g, '')];
        if (/\p{L}{3,}/u.test(rest)) found.push(`${where}: ${value.trim()}`);
      };
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement.closest('script, noscript, h1, [lang=en], option[lang], #history button')) look(node.data, node.parentElement.id || node.parentElement.localName);
      }
      for (const element of document.querySelectorAll('[title], [aria-label], [placeholder]')) {
        if (element.closest('[lang=en], #history')) continue;
        for (const name of ['title', 'aria-label', 'placeholder']) if (element.id !== 'typed-move') look(element.getAttribute(name) ?? '', `${element.id} ${name}`);
      }
      return [...new Set(found)];
    });
  await page.evaluate(() => worldlines.board.openTab('play'));
  for (const tab of TABS) {
    await page.evaluate((name) => worldlines.open(name), tab);
    if (tab === 'puzzles') {
      await page.waitForSelector('#puzzles button');
      await page.click('#daily');
      await page.waitForSelector('#puzzle-title:not(:empty)');
      await page.click('#hint');
    }
    assert.deepEqual(await unmarked(), [], tab);
  }
  await page.evaluate(async () => {
    const { Game } = worldlines.library;
    worldlines.board.take(Game.parse('1. e3 / f6 2. Qe2 / Nc6 3. Qh5'), { said: '' });
    worldlines.open('play');
  });
  await page.waitForSelector('#result:not([hidden])');
  await page.waitForFunction(() => /attacks/.test(document.getElementById('result').textContent));
  assert.deepEqual(await unmarked(), [], 'the end');
  await page.evaluate(() => worldlines.open('analyse'));
  await page.click('#why');
  await page.waitForFunction(() => document.getElementById('found').childElementCount > 1);
  assert.deepEqual((await unmarked()).filter((one) => !/^small: ⟦\(/.test(one)), [], 'why');
  assert.deepEqual(board.errors, []);
});

test('a game in a frame of another page is in the language of the browser', async () => {
  const board = await inLanguage('de-CH');
  const { page } = board;
  await board.fresh();
  await page.goto(`${board.start}embed.html#text=${encodeURIComponent('1. e4')}`);
  await page.waitForSelector('html[data-ready=yes]');
  assert.match(await text(page, 'standing'), /Schwarz am Zug$/);
  assert.equal(await page.locator('#back').getAttribute('aria-label'), 'Eine Aktion zurück');
  assert.equal(await page.title(), 'Eine Partie 5D-Schach');
});

for (const [width, height] of [[320, 568], [390, 844], [1280, 820]]) {
  test(`German fits into ${width} pixels`, async () => {
    const board = await inLanguage('de-DE', { viewport: { width, height } });
    await board.fresh();
    const { page } = board;
    for (const tab of TABS) {
      await page.evaluate((name) => {
        worldlines.open(name);
        document.querySelector('aside').classList.remove('folded');
      }, tab);
      const wide = await page.evaluate(() => {
        const clipped = [...document.querySelectorAll('button, label, h2, p, [role=tab]')].filter((one) => one.checkVisibility() && !one.matches('.hidden') && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline');
        return [document.documentElement.scrollWidth > innerWidth && 'the page', ...clipped.map((one) => one.id || one.textContent)].filter(Boolean);
      });
      assert.deepEqual(wide, [], tab);
    }
  });
}
