import { deepEqual } from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathOf, rooms } from './rooms.ts';

const root = new URL('..', import.meta.url);
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter((name) => name !== 'CHANGELOG.md');
const topFolders = new Set(globSync('*/', { cwd: root }).map((name) => name.replace(/\/$/, '')));

/** A path in backticks with a folder, and the ending of a source file or a folder. */
const writtenPath = /^[\w@.-]+(?:\/[\w@.-]+)*\/(?:[\w@.-]+\.(?:tsx?|mjs|json|md))?$/;

interface Named {
  readonly path: string;
  readonly place: string;
}

/** Code blocks are skipped: their paths are those of a reader's project. */
function listPaths(document: string): Named[] {
  const text = readFileSync(new URL(document, root), 'utf8').replace(/^```[\s\S]*?^```/gm, (block) =>
    block.replace(/[^\n]/g, ''),
  );
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/`([^`]+)`/g)]
        .map(([, path]) => ({ path: path!, place: `${document}:${index + 1}` }))
        .filter(({ path }) => writtenPath.test(path)),
    );
}

const topOf = (path: string): string => path.slice(0, path.indexOf('/'));

/** A path from the root of the tree, or from a room. */
function exists(path: string): boolean {
  const first = topOf(path);
  if (existsSync(new URL(path, root))) return true;
  return first in rooms && existsSync(new URL(pathOf(first) + path.slice(first.length), root));
}

const show = ({ path, place }: Named): string => `${place}: ${path}`;

test('paths: each path in ARCHITECTURE exists', () => {
  const paths = listPaths('docs/ARCHITECTURE.md');
  deepEqual(paths.length > 50, true);
  deepEqual(paths.filter(({ path }) => !exists(path)).map(show), []);
});

test('paths: each path of this tree that a document names exists', () => {
  const isOurs = ({ path }: Named): boolean => {
    const first = topOf(path);
    return topFolders.has(first) || (first in rooms && /\.tsx?$/.test(path));
  };
  const paths = documents.flatMap(listPaths).filter(isOurs);
  deepEqual(paths.filter(({ path }) => !exists(path)).map(show), []);
});
