/** The short form of `npm run verify -- simulate:planted`: the classes that need no package. */
import { equal, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('gatehouse simulate finds one changed line in each class written after a public sample, and nothing without it', async () => {
  const program = fileURLToPath(new URL('../../projects/planted.ts', import.meta.url));
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [program, '--own', '--seeds', '60'], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
  for (const name of ['batcher', 'theatre', 'account'])
    match(said, new RegExp(`✓ ${name}\\n {4}published: nothing in 60 lives\\n {4}changed: +seed \\d+: `));
  match(said, /3 of 3 classes: the changed line is found, and nothing without it/);
  equal(code, 0);
});
