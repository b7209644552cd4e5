import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { ExampleCopy, readExample } from './worked-example.ts';

const blocks = readExample();
const files = new Set(blocks.map(({ file }) => file));
const tests = [...files].filter((file) => file.endsWith('.test.ts'));

test('CONTRIBUTING.md adds a resource with a page by at most six files of the product', () => {
  deepEqual(
    [...files].filter((file) => file.startsWith('src/')),
    [
      'src/api/contract/operations/notes.ts',
      'src/api/contract/operations.ts',
      'src/api/control/operations/notes/note-handlers.ts',
      'src/api/control/objects/zone.ts',
      'src/browser/page/pages/notes/notes.tsx',
      'src/browser/page/router.tsx',
    ],
  );
  equal(tests.length, 2);
});

test('CONTRIBUTING.md adds a resource that answers, and whose page can be built (npm run verify -- example checks the rest)', () => {
  using copy = new ExampleCopy(blocks);
  copy.run('--test', 'test/control/notes.test.ts');
  copy.run('tools/build-dashboard.ts');
});
