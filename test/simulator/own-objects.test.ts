import { deepEqual, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Of each of the five; `npm run verify -- lives` runs any number. */
const seeds = 60;

test('Account, Zone and the objects of KV, D1 and queues keep their promises in 300 simulated lives', async () => {
  const program = fileURLToPath(new URL('own/run.ts', import.meta.url));
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [program, String(seeds)], (_, stdout) => resolve(stdout));
  });
  const lines = said.trim().split('\n');
  deepEqual(
    lines.map((line) => line.split(':')[0]),
    ['kv', 'd1', 'queues', 'zone', 'account'],
    said,
  );
  for (const line of lines)
    match(line, new RegExp(`: ${seeds} lives, [1-9]\\d* commits, [1-9]\\d* crashes, told nothing$`));
});
