/** The names in errors of globals that the build has rewritten. */
import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProject, startWorker } from '../testing.ts';
import { describeError } from './describe-error.ts';

const failing = `
const failures = [
  () => navigator.nothing(),
  () => navigator(),
  () => new navigator(),
  () => globalThis.nothing(),
  () => { for (const each of crypto) each(); },
  () => { const { a } = self.nothing; return a; },
];
  export default { fetch: (request) => failures[Number(new URL(request.url).pathname.slice(1))]() };
`;

test('describeError names globals as the author of a Worker did', async (t) => {
  const { text } = await startWorker(t, {
    path: join(createProject(t, { 'index.js': failing }), 'index.js'),
  });
  const heads = await Promise.all(
    Array.from({ length: 6 }, async (_, number) => {
      const error: unknown = await text(`/${number}`).catch((thrown: unknown) => thrown);
      return describeError(error).split('\n', 1)[0];
    }),
  );
  deepEqual(heads, [
    'TypeError: navigator.nothing is not a function',
    'TypeError: navigator is not a function',
    'TypeError: navigator is not a constructor',
    'TypeError: globalThis.nothing is not a function',
    'TypeError: crypto is not iterable',
    "TypeError: Cannot destructure property 'a' of 'self.nothing' as it is undefined.",
  ]);
});
