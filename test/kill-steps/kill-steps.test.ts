/**
 * Every command that writes, killed at its steps: it can be repeated, and a server that is started in between shows the old or
 * the new state, or says why it does not start. `npm run kills` takes each step that differs from the one before it, `npm test`
 * one of each command.
 */
import { equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { PostgresServer } from '../cluster/postgres-server.ts';
import { commands } from './commands.ts';
import { chooseSteps, createFolder, runCommand, Template } from './rig.ts';

const stepsMax = Number(process.env['KILL_STEPS_MAX'] ?? 1);

let postgres: PostgresServer;
let template: Template;
const endings: Array<() => void | Promise<void>> = [];
before(async () => {
  postgres = await PostgresServer.start();
  template = await Template.create({
    after: (end: () => void) => endings.push(end),
  } as unknown as TestContext);
});
after(async () => {
  for (const end of endings) await end();
  await postgres.stop();
});

for (const [name, prepare] of Object.entries(commands)) {
  test(`gatehouse ${name} that is killed at any step loses nothing and can be repeated`, async (t) => {
    const parts = { t, template, postgres };
    const whole = createFolder(t);
    const stepsFile = join(whole, 'steps');
    const first = await prepare(parts, whole);
    const outcome = await runCommand(whole, { ...first, stepsFile });
    equal(outcome.code, 0, outcome.said);
    await first.checkDone();
    const steps = chooseSteps(stepsFile, stepsMax);
    ok(steps.length > 0);
    for (const endAt of steps) {
      await t.test(`at step ${endAt}`, async (inner) => {
        const folder = createFolder(inner);
        const attempt = await prepare({ ...parts, t: inner }, folder);
        const killed = await runCommand(folder, { ...attempt, endAt });
        equal(killed.code, null, `it was not killed: ${killed.said}`);
        // What is whole and in use is not copied over.
        if (await attempt.checkKilled()) return;
        const again = await runCommand(folder, attempt);
        equal(again.code, 0, `it could not be repeated: ${again.said}`);
        await attempt.checkDone();
      });
    }
  });
}
