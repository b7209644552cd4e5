import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { simulate } from './simulate.ts';

/** `npm run verify -- simulate` tries more. */
const seeds = 1_000;

/**
 * In a separate process: the test runner tracks every promise of this one, which takes three times as long as the runs.
 */
function runSeeds(): Promise<string> {
  const program = fileURLToPath(new URL('./run.ts', import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [program, '1', String(seeds)], (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

test('a simulated cluster loses nothing, does nothing twice and answers nothing stale', async () => {
  const said = await runSeeds();
  match(said, new RegExp(`^${seeds} seeds, \\d+ answers, 0 seeds with problems\\n$`));
  const answers = Number(/(\d+) answers/.exec(said)![1]);
  ok(answers > 50 * seeds, `${answers} answers`);
});

test('a simulated cluster finds a commit that is not fenced', async () => {
  notEqual((await simulate(52, { plant: 'no-fence' })).problems.length, 0);
});

test('a simulated cluster finds a host that answers after its lease', async () => {
  notEqual((await simulate(11, { plant: 'no-deadline' })).problems.length, 0);
});

test('a simulated cluster finds a lease that is released while its process is only stopped', async () => {
  notEqual((await simulate(3, { plant: 'release-stopped' })).problems.length, 0);
});

test('a simulated host keeps its lease while its objects compute for longer than that', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { problems, replaced } = await simulate(seed, { faults: 'computing' });
    deepEqual({ seed, problems, replaced }, { seed, problems: [], replaced: 0 });
  }
});

test('a simulated cluster does the same again with the same seed', async () => {
  equal((await simulate(7)).trace, (await simulate(7)).trace);
});
