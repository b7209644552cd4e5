/** The structure of the tree: no import cycles, no folder with too many files, no comment too wide to read. */
import { deepEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { test } from 'node:test';

const root = new URL('../src/', import.meta.url);
const filesMax = 15;
/** Code is 110 columns wide, which the formatter ensures; a comment may end with the word that crosses. */
const commentColumnsMax = 125;

/** Lists: one file for each thing that a user can name. */
const lists = new Set([
  '.',
  'cli/commands',
  'contract/codes',
  'contract/operations',
  'cli',
  'control/stores',
  'expressions/functions',
  'managed/signatures',
]);

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

test('structure: a folder has few files, or is a list', () => {
  const counts = Map.groupBy(files, (file) => dirname(file));
  const large = [...counts].filter(
    ([folder, { length }]) => length > filesMax && !lists.has(belowPart(folder)),
  );
  deepEqual(
    large.map(([folder, { length }]) => `${folder}: ${length} files`),
    [],
  );
});

test('structure: time, timers and the console are used only where they belong', () => {
  const owners: Readonly<Record<string, RegExp>> = {
    'Date.now(':
      /^(?:base\/clock|objects\/actor\/|server\/|observability\/|deployments\/|cli\/|control\/objects\/|events\/event-log|edge\/embed\/|bindings\/|workers\/globals\/cache\/|workers\/under-test\/|vitest\/|page\/)/,
    'setTimeout(':
      /^(?:base\/clock|base\/listeners\/|bindings\/workflows\/|certificates\/scan\/|client\/client|cluster\/lease-clock|cluster\/keeping\/|objects\/actor\/|server\/|observability\/|deployments\/|cli\/|rehearsal\/rule-tests\/send-raw|events\/recorder|edge\/proxy\/|edge\/challenge\/page-script|simulator\/surroundings\/native-work|sockets\/network\/|tested-projects\/|workers\/|processes\/|page\/)/,
    'setInterval(':
      /^(?:base\/listeners\/|cluster\/keeping\/|objects\/actor\/|processes\/|server\/|observability\/|deployments\/|workers\/realm\/self-check|vitest\/|page\/)/,
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
