/** The targets in README.md and docs/ exist: pages, their headings, and the files of this repository that they name. */
import { deepEqual, ok } from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })];

/** The text without code blocks, whose lines are neither headings nor links. */
function readProse(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '');
}

/** With GitHub's rules. */
function anchorsOf(page: string): Set<string> {
  const headings = readProse(page).matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, text]) =>
      text!
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function leadsNowhere(page: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string?];
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(target).has(anchor);
}

test('README.md and docs link to pages and headings that are there', () => {
  const links = pages.flatMap((page) => {
    const text = readProse(page).replaceAll(/`[^`\n]*`/g, '');
    return Array.from(text.matchAll(/\]\((?!https?:)([^)]+)\)/g), ([, link]) => ({ page, link: link! }));
  });
  ok(links.length > 50, `${links.length} links`);
  deepEqual(
    links.filter(({ page, link }) => leadsNowhere(page, link)),
    [],
  );
});

test('README.md and docs name files of this repository that are there', () => {
  const names = pages.flatMap((page) => {
    const found = readProse(page).matchAll(
      /`((?:src|test|tools|conformance|bench|clients|examples)\/[^`\s<]+)`/g,
    );
    return Array.from(found, ([, name]) => ({ page, name: name! }));
  });
  ok(names.length > 20, `${names.length} names`);
  deepEqual(
    names.filter(({ name }) => globSync(name, { cwd: root }).length === 0),
    [],
  );
});

test('docs/README.md, the contents, names every page of the book', () => {
  const contents = readProse('docs/README.md');
  const missing = globSync('docs/{*,start/*,operate/*,rules/*,build/*,reference/*}.md', { cwd: root })
    .map((page) => page.slice('docs/'.length))
    .filter((page) => page !== 'README.md' && !contents.includes(`](${page})`));
  deepEqual(missing, []);
});
