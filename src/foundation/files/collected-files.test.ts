import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Leaves a file open, has it garbage-collected, then throws another error. */
const program = `
import { open } from 'node:fs/promises';
import { surviveCollectedFiles } from ${JSON.stringify(new URL('./collected-files.ts', import.meta.url))};
const reported = Promise.withResolvers();
surviveCollectedFiles(reported.resolve);
await (async () => void (await open(${JSON.stringify(fileURLToPath(import.meta.url))})))();
let isOver = false;
reported.promise.then((error) => { isOver = true; console.log(error.code); });
while (!isOver) { gc(); await new Promise((resolve) => setImmediate(resolve)); }
setImmediate(() => { throw new Error('another one'); });
`;

test('surviveCollectedFiles reports a file that was collected open, and lets other errors end the process', () => {
  const args = ['--expose-gc', '--input-type=module', '--eval', program];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  deepEqual([stdout, status, /Error: another one/.test(stderr)], ['ERR_INVALID_STATE\n', 1, true]);
});
