/** The structure of the tree: no import cycles, no comment too wide to read. */
import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { test } from 'node:test';

const root = new URL('../src/', import.meta.url);
const filesUsual = 25;
const linesUsual = 600;
const linesFew = 15;
/** Code is 110 columns wide, which the formatter ensures; a comment may end with the word that crosses. */
const commentColumnsMax = 125;

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('testdata'))
  .filter((name) => !/\.test\.ts$|(?:^|[/-])testing\.ts$/.test(name));

/** The imports of each file from its own room, types included. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
    return [file, targets.map(([, target]) => normalize(join(dirname(file), target!)))];
  }),
);

/** The part of a path below `src/` that follows its part. */
function belowPart(path: string): string {
  return path.split('/').slice(1).join('/') || '.';
}

function isWithin(folder: string, parent: string): boolean {
  return parent === '.' || folder === parent || folder.startsWith(`${parent}/`);
}

test('structure: no file imports itself in a circle', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at !== -1) circles.push([...path.slice(at), file].join(' -> '));
    if (at !== -1 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  deepEqual(circles, []);
});

test('structure: no two folders beside each other import each other', () => {
  const arrows = new Map<string, string>();
  for (const [file, targets] of imports) {
    const from = dirname(file);
    for (const target of targets) {
      const to = dirname(target);
      // A folder may import from the folders that contain it, and they may import from it.
      if (!isWithin(from, to) && !isWithin(to, from)) arrows.set(`${from} ${to}`, `${file} -> ${target}`);
    }
  }
  const tangled = [...arrows].filter(([arrow]) => arrows.has(arrow.split(' ').toReversed().join(' ')));
  deepEqual(
    tangled.map(([, example]) => example),
    [],
  );
});

/**
 * Sizes begin a conversation and do not end it: an algorithm that reads from top to bottom is one file, a list has a file
 * for each of its items. So they are shown, and only a file without a subject would be wrong.
 */
test('structure: long files, full folders and small files that one other file imports are shown', (t) => {
  const lengths = files.map(
    (file) => [file, readFileSync(new URL(file, root), 'utf8').split('\n').length] as const,
  );
  const importers = new Map<string, number>();
  for (const target of [...imports.values()].flat()) importers.set(target, (importers.get(target) ?? 0) + 1);
  const long = lengths.filter(([, lines]) => lines > linesUsual);
  const small = lengths.filter(([file, lines]) => lines < linesFew && importers.get(file) === 1);
  const full = [...Map.groupBy(files, dirname)].filter(([, { length }]) => length > filesUsual);
  for (const [file, lines] of long) t.diagnostic(`${file} has ${lines} lines: is it one subject?`);
  for (const [folder, { length }] of full) t.diagnostic(`${folder} has ${length} files: is it a list?`);
  for (const [file, lines] of small)
    t.diagnostic(`${file} has ${lines} lines and one reader: does it belong there?`);
  equal(lengths.length > 1_000, true);
});

test('structure: time, timers and the console are used only where they belong', () => {
  const owners: Readonly<Record<string, RegExp>> = {
    'Date.now(':
      /^(?:base\/clock|objects\/actor\/|server\/|observability\/|deployments\/|cli\/|control\/objects\/|events\/event-log|edge\/embed\/|bindings\/|workers\/globals\/cache\/|workers\/under-test\/|vitest\/|page\/)/,
    'setTimeout(':
      /^(?:base\/clock|listeners\/|bindings\/workflows\/|certificates\/scan\/|client\/client|cluster\/lease-clock|cluster\/leases\/|objects\/actor\/|server\/|observability\/|deployments\/|cli\/|rehearsal\/rule-tests\/send-raw|events\/recorder|edge\/proxy\/|edge\/challenge\/page-script|simulator\/surroundings\/native-work|sockets\/network\/|tested-projects\/|workers\/|processes\/|page\/)/,
    'setInterval(':
      /^(?:listeners\/|cluster\/leases\/|objects\/actor\/|processes\/|server\/|observability\/|deployments\/|workers\/realm\/self-check|vitest\/|page\/)/,
    'console.':
      /^(?:objects\/runtime|server\/|observability\/|deployments\/|edge\/embed\/|edge\/proxy\/serve-proxy|regex\/pumped-table|tested-projects\/|vitest\/thread\/|workers\/)/,
  };
  const wrong = files.flatMap((file) => {
    // Names of files are ignored.
    const code = readFileSync(new URL(file, root), 'utf8').replace(
      /\/\*[\s\S]*?\*\/|\/\/.*$|from '.*'/gm,
      '',
    );
    return Object.entries(owners)
      .filter(([word, owner]) => code.includes(word) && !owner.test(belowPart(file)))
      .map(([word]) => `${file} uses ${word}`);
  });
  deepEqual(wrong, []);
});

test('structure: comments are narrow enough to be read beside the code', () => {
  const comment = /^\s*(?:\/\*\*|\*|\/\/) ?/;
  // Tables and examples keep their lines unbroken.
  const isKept = (text: string): boolean => /^(?:\||\s|const )/.test(text);
  const wide = files.flatMap((file) =>
    readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const isWide = line.length > commentColumnsMax && comment.test(line);
        return isWide && !isKept(line.replace(comment, '')) ? [`${file}:${index + 1}`] : [];
      }),
  );
  deepEqual(wide, []);
});
