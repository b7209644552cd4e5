/** Rules for pages of documentation, styles and scripts, which the formatter does not cover. */
import { deepEqual, equal } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findWideLines, pageColumnsMax, pages, wrapPage } from './wrap-pages.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('pages: no line of prose is too wide to be read beside the code (npm run fix wraps them)', () => {
  const wide = pages.flatMap((page) => findWideLines(read(page)).map((line) => `${page}:${line}`));
  deepEqual(wide, []);
});

test('pages: no line of a style or a script is too wide either', () => {
  // The formatter covers JavaScript; a line of the Containerfile is an instruction.
  const files = [
    ...globSync('{src,test,bench,examples}/**/*.{css,sh}', { cwd: root, exclude: ['**/node_modules'] }),
    'gatehouse',
    '.ci/run',
  ];
  const wide = files.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (line.length > pageColumnsMax ? [`${path}:${index + 1}`] : [])),
  );
  deepEqual(wide, []);
});

test('wrapPage breaks prose between words, carries on in the paragraph, and leaves code and tables alone', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');
  const wide = words(40);
  equal(wrapPage(`- ${wide}\n  end\n\nnext`), `- ${words(29)}\n  ${words(11)} end\n\nnext`);
  for (const kept of [`| ${wide} |`, `# ${wide}`, `\`\`\`\n${wide}\n\`\`\``, `\`${wide}\``, `[a](${wide})`])
    equal(wrapPage(kept), kept);
  // No break where the rest would start a list.
  equal(wrapPage(`${words(30)} - ${words(9)}`), `${words(29)}\nword - ${words(9)}`);
});
