// Builds dist/: the page, the package beside it, and the puzzles. The package must have been built.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

import { inEnglish } from './js/language.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const packaged = join(here, '..', 'package', 'dist');
if (!existsSync(join(packaged, 'wasm', 'worldlines_bg.wasm'))) {
  console.error('error: build the package first: npm ci && npm run build in web/package');
  process.exit(2);
}

const dist = join(here, 'dist');
rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, 'puzzles'), { recursive: true });
for (const part of ['index.html', 'board.css', 'icon.svg', 'manifest.webmanifest', 'embed.html']) cpSync(join(here, part), join(dist, part));

// A program asks for a few files, not for one of each module. What several programs use, and what is loaded later, is a file of its own.
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ['boot', 'embed', 'worker'].map((name) => `js/${name}.js`),
  outdir: 'dist/js',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
  metafile: true,
  plugins: [{ name: 'package', setup: ({ onResolve }) => onResolve({ filter: /^\.\.\/worldlines\/browser\.js$/ }, () => ({ path: join(packaged, 'browser.js') })) }],
});
// The package looks for it beside the program.
cpSync(join(packaged, 'wasm', 'worldlines_bg.wasm'), join(dist, 'js', 'wasm', 'worldlines_bg.wasm'));

// Pages say their texts in English until the page is loaded, and where there is no JavaScript.
for (const name of ['index.html', 'embed.html']) writeFileSync(join(dist, name), inEnglish(readFileSync(join(here, name), 'utf8')));

/** The programs that are loaded with one, and it. @param {string} name @param {Set<string>} [found] */
function loadedWith(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind } of metafile.outputs[name].imports) if (kind === 'import-statement') loadedWith(path, found);
  return found;
}
/** The program that was made of a module. @param {string} module */
const madeOf = (module) => Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === module);

// The browser may fetch all parts of the page at once, and need not find one in the other.
const programs = new Set(['js/boot.js', 'js/main.js'].flatMap((module) => [...loadedWith(madeOf(module))]));
const links = [
  ...[...programs].map((name) => `<link rel="modulepreload" href="${relative('dist', name)}">`),
  '<link rel="preload" href="js/wasm/worldlines_bg.wasm" as="fetch" type="application/wasm" crossorigin>',
];
const page = readFileSync(join(dist, 'index.html'), 'utf8');
writeFileSync(join(dist, 'index.html'), page.replace('<script type="module"', () => `${links.join('\n')}\n<script type="module"`));

const { puzzlesOf } = await import(pathToFileURL(join(packaged, 'node.js')));
const list = [];
const lessons = [];
/** The days of puzzles, in the round of all. */
const days = new Map(readFileSync(join(root, 'puzzles', 'daily.txt'), 'utf8').trim().split('\n').map((id, day) => [id, day]));
const folders = readdirSync(join(root, 'puzzles'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name: collection } of folders) {
  const folder = join(root, 'puzzles', collection);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml')).sort()) {
    const yaml = readFileSync(join(folder, file), 'utf8');
    const puzzles = puzzlesOf(yaml);
    for (const { lesson, ...puzzle } of puzzles) {
      // A file may hold several; the page reads one at a time. Of a helpmate nobody can judge single actions, and the bounds of variants are to be
      // looked up, not solved.
      const isSolved = !('helpmateIn' in puzzle.goal) && !(collection === 'variants' && 'noMateIn' in puzzle.goal);
      if (puzzles.length === 1 && isSolved) list.push({ ...puzzle, collection, file: `${puzzle.id}.yaml`, daily: days.get(puzzle.id) });
      if (lesson) lessons.push({ id: puzzle.id, ...lesson });
      writeFileSync(join(dist, 'puzzles', `${puzzle.id}.yaml`), yaml);
    }
  }
}
lessons.sort((a, b) => a.number - b.number);
writeFileSync(join(dist, 'puzzles', 'lessons.json'), JSON.stringify(lessons));
// The texts of lessons in the other languages of the page.
for (const name of readdirSync(here).filter((name) => /^lessons\.\w+\.json$/.test(name))) cpSync(join(here, name), join(dist, 'puzzles', name));
writeFileSync(join(dist, 'puzzles', 'index.json'), JSON.stringify(list));
// The files that are kept for times without a network. Puzzles are kept once they were opened.
const kept = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(dist, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .filter((name) => name === 'puzzles/index.json' || name.startsWith('puzzles/lessons.') || !name.startsWith('puzzles/'))
  .sort();
writeFileSync(join(dist, 'offline.js'), readFileSync(join(here, 'offline.js'), 'utf8').replace('const FILES = [];', `const FILES = ${JSON.stringify(kept)};`));

// The page asks for `engine`: a server that has one answers itself, and a plain file server gives this.
writeFileSync(join(dist, 'engine'), '{}\n');
console.log(`${list.length} puzzles; open dist/ with \`worldlines serve web/board/dist\` or any file server`);
