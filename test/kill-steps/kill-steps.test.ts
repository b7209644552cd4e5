/**
 * Every command that writes, killed at its steps: it can be repeated, and a server that is started in between shows the
 * old or the new state, or says why it does not start. `npm test` kills one command of each kind at its decisive step,
 * `npm run verify -- kills` all of them at steps of every kind (`steps.ts`), and prints the number of steps.
 */
import { equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { loadCommands } from '#cli';
import { PostgresServer } from '../cluster/postgres-server.ts';
import type { KilledCommand, Parts } from './attempt.ts';
import { killedCommands, otherCommands } from './commands.ts';
import { createFolder, runCommand, Template } from './rig.ts';
import { chooseSteps, type Step } from './steps.ts';

const commands = await loadCommands();

/** `all`, or the names of the commands that are killed at steps of every kind, with commas. */
const swept = process.env['KILL_STEPS'];
const isSweep = swept !== undefined;
/** Side by side: each waits for processes most of the time. */
const attemptsAtOnce = 4;

let lasting: Omit<Parts, 't'>;
const endings: Array<() => void | Promise<void>> = [];
before(async () => {
  const shared = { after: (end: () => void) => endings.unshift(end) } as unknown as TestContext;
  const postgres = await PostgresServer.start();
  endings.unshift(() => postgres.stop());
  const [single, double] = [await Template.create(shared, 1), await Template.create(shared, 2)];
  lasting = { shared, postgres, single, double };
});
after(async () => {
  for (const end of endings) await end();
});

test('every command of gatehouse is killed at its steps, or it is said why not', () => {
  const killed = Object.keys(killedCommands);
  for (const { name } of commands) {
    const ways = [
      killed.some((each) => each === name || each.startsWith(`${name} `)),
      Object.keys(otherCommands).some((each) => each === name || name.startsWith(`${each} `)),
    ];
    equal(ways.filter(Boolean).length, 1, name);
  }
});

/** Returns whether the command reached the step. */
async function kill(t: TestContext, { prepare }: KilledCommand, endAt: Step): Promise<boolean> {
  const folder = createFolder(t);
  const attempt = await prepare({ ...lasting, t }, folder);
  const killed = await runCommand(folder, { ...attempt, endAt });
  if (killed.code === 0) {
    await attempt.checkDone(killed);
    return false;
  }
  equal(killed.code, null, `it was not killed: ${killed.said}`);
  // A complete directory that is in use is not overwritten.
  if (await attempt.checkKilled()) return true;
  const again = await runCommand(folder, attempt);
  equal(again.code, 0, `it could not be repeated: ${again.said}`);
  await attempt.checkDone(again);
  return true;
}

for (const [name, command] of Object.entries(killedCommands)) {
  if (isSweep ? swept !== 'all' && !swept.split(',').includes(name) : command.isOnlyInSweep === true)
    continue;
  const title = `gatehouse ${name} that is killed at any step loses nothing and can be repeated`;
  test(title, { concurrency: attemptsAtOnce }, async (t) => {
    if (!isSweep) {
      ok(
        await kill(t, command, { pattern: command.decisive, text: command.decisiveText, occurrence: 1 }),
        'it came to its decisive step',
      );
      return;
    }
    const folder = createFolder(t);
    const stepsFile = join(createFolder(t), 'steps');
    const first = await command.prepare({ ...lasting, t }, folder);
    const outcome = await runCommand(folder, { ...first, stepsFile });
    equal(outcome.code, 0, outcome.said);
    await first.checkDone(outcome);
    const { lines, kinds, chosen } = chooseSteps(stepsFile);
    ok(
      lines.some((line) => command.decisive.test(line)),
      `its decisive step is one of these: ${lines.join('\n')}`,
    );
    const missed: string[] = [];
    await Promise.all(
      chosen.map((step) =>
        t.test(step.name, async (inner) => {
          if (!(await kill(inner, command, step))) missed.push(step.name);
        }),
      ),
    );
    t.diagnostic(
      `${name}: ${lines.length} steps of ${kinds} kinds, killed at ${chosen.length - missed.length}`,
    );
    for (const step of missed) t.diagnostic(`${name}: not killed ${step}`);
    // The batching of writes depends on time, so that some steps do not recur; most do.
    ok(missed.length * 4 <= chosen.length);
  });
}
