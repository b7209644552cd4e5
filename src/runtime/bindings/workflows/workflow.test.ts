/** Workflows: which steps run and how often, what waits and for how long, and what survives a restart. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { refusalOf, type TestRun, testStart, TestProgram } from '../testing.ts';
import { NonRetryableError } from './workflow-errors.ts';
import type { WorkflowCode } from './workflow-code.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

async function open(
  t: TestContext,
  run: TestRun,
  settings: Partial<WorkflowCode> = {},
): Promise<TestProgram> {
  const program = await TestProgram.open(t);
  program.useWorkflow(run, settings);
  return program;
}

/** Seconds since the start of the test. */
function seconds({ clock }: TestProgram): number {
  return (clock.now() - testStart) / 1_000;
}

test('Workflow runs each step once, however often its code is loaded again', async (t) => {
  const ran: string[] = [];
  const note = (name: string) => async () => void ran.push(name);
  const program = await open(t, async (step) => {
    await step.do('before', note('before'));
    await step.sleep('long', '3 days');
    await step.do('between', note('between'));
    await step.sleepUntil('until', testStart + 5 * day);
    return await step.do('after', async () => 'done');
  });
  const { id } = await program.env.FLOW.create();
  await program.clock.untilIdle();
  equal((await (await program.env.FLOW.get(id)).status()).status, 'waiting');
  await program.restart();
  await program.clock.advance(3 * day);
  await program.restart();
  await program.clock.advance(day);
  deepEqual(ran, ['before', 'between']);
  await program.clock.advance(day);
  const { status, output } = await (await program.env.FLOW.get(id)).status();
  deepEqual([status, output, ran], ['complete', 'done', ['before', 'between']]);
});

test('Workflow tries a step again after 10, 20, 40, 80 and 160 seconds, unless it says otherwise', async (t) => {
  const at: number[] = [];
  const program: TestProgram = await open(t, (step) =>
    step.do('fails', async () => {
      at.push(seconds(program));
      throw new RangeError('broken');
    }),
  );
  const instance = await program.env.FLOW.create();
  await program.clock.advance(5 * minute);
  await program.restart();
  await program.clock.advance(5 * minute);
  deepEqual(at, [0, 10, 30, 70, 150, 310]);
  const { status, error } = await (await program.env.FLOW.get(instance.id)).status();
  deepEqual([status, error], ['errored', { name: 'RangeError', message: 'broken' }]);
  match(program.said.join('\n'), /workflow flow: the instance \S+ failed: RangeError: broken/);
});

test('Workflow grows delays as asked, and gives up at once what is not to be tried again', async (t) => {
  const at: Record<string, number[]> = { linear: [], constant: [], never: [] };
  const program: TestProgram = await open(t, async (step) => {
    const attempt = (name: string, error: Error) => async () => {
      at[name]!.push(seconds(program));
      throw error;
    };
    const outcomes = [];
    for (const backoff of ['linear', 'constant'] as const) {
      const retries = { limit: 2, delay: '1 minute', backoff };
      const work = attempt(backoff, new Error(backoff));
      outcomes.push(await step.do(backoff, { retries }, work).catch((error: Error) => error.message));
    }
    await step.do('never', attempt('never', new NonRetryableError('no', 'Own'))).catch(() => {});
    return outcomes;
  });
  const instance = await program.env.FLOW.create();
  await program.clock.advance(day);
  deepEqual(at, { linear: [0, 60, 180], constant: [180, 240, 300], never: [300] });
  deepEqual((await instance.status()).output, ['linear', 'constant']);
});

test('Workflow runs a step again that an end of the program has interrupted, as the next attempt', async (t) => {
  const attempts: number[] = [];
  const program = await open(t, (step) =>
    step.do('interrupted', { retries: { limit: 0, delay: 0 } }, async ({ attempt }: { attempt: number }) => {
      attempts.push(attempt);
      return await new Promise((resolve) => {
        if (attempt === 3) resolve('done');
      });
    }),
  );
  const { id } = await program.env.FLOW.create();
  await program.clock.untilIdle();
  await program.restart();
  await program.clock.untilIdle();
  await program.restart();
  await program.clock.untilIdle();
  deepEqual(attempts, [1, 2, 3]);
  equal((await (await program.env.FLOW.get(id)).status()).output, 'done');
});

test('Workflow ends a step after 10 minutes, and holds one that may take longer', async (t) => {
  const program: TestProgram = await open(t, async (step) => {
    const slow = async () => await new Promise((resolve) => void setTimeout(resolve, 45 * minute, 'slow'));
    const retries = { limit: 0, delay: 0 };
    const late = await step.do('late', { retries }, slow).catch((error: Error) => error.message);
    return [late, seconds(program), await step.do('held', { timeout: '1 hour' }, slow)];
  });
  const instance = await program.env.FLOW.create();
  await program.clock.advance(60 * minute);
  deepEqual((await instance.status()).output, ['Execution timed out after 600000ms', 600, 'slow']);
});

test('Workflow gives events to those that wait, the oldest first, also after an end of the program', async (t) => {
  const program = await open(t, async (step) => {
    const payloads = [];
    for (let count = 0; count < 3; count++)
      payloads.push((await step.waitForEvent('wait', { type: 'news' })).payload);
    const late = await step.waitForEvent('late', { type: 'never' }).catch((error: Error) => error.message);
    return [payloads, late];
  });
  const { id } = await program.env.FLOW.create();
  const send = async (payload: unknown) =>
    (await program.env.FLOW.get(id)).sendEvent({ type: 'news', payload });
  await send(1);
  await program.clock.untilIdle();
  await program.restart();
  await send(2);
  await program.restart();
  await program.clock.untilIdle();
  await send({ three: new Date(3) });
  await program.clock.advance(day);
  const { output } = await (await program.env.FLOW.get(id)).status();
  deepEqual(output, [[1, 2, { three: new Date(3) }], `Execution timed out after ${day}ms`]);
});

test('Workflow fires what is due inside of a step that is running', async (t) => {
  const program = await open(t, (step) =>
    step.do('outer', { timeout: '1 day' }, async () => {
      await step.sleep('inner', '1 hour');
      return (await step.waitForEvent('event', { type: 'go' })).payload;
    }),
  );
  const instance = await program.env.FLOW.create();
  await program.clock.advance(61 * minute);
  await instance.sendEvent({ type: 'go', payload: 'went' });
  await program.clock.untilIdle();
  equal((await instance.status()).output, 'went');
});

test('Workflow pauses where it waits, and waits for the rest when it is resumed', async (t) => {
  const program: TestProgram = await open(t, async (step) => {
    await step.sleep('hour', '1 hour');
    return seconds(program) / 60;
  });
  const { id } = await program.env.FLOW.create();
  await program.clock.advance(20 * minute);
  const instance = await program.env.FLOW.get(id);
  await instance.pause();
  await program.clock.advance(day);
  await program.restart();
  equal((await instance.status()).status, 'paused');
  await instance.resume();
  await program.clock.advance(39 * minute);
  equal((await instance.status()).status, 'waiting');
  await program.clock.advance(minute);
  equal((await instance.status()).output, 24 * 60 + 60);
});

test('Workflow pauses after the step that is running, and goes on with what that returned', async (t) => {
  const ran: string[] = [];
  const program = await open(t, async (step) => {
    const slow = (name: string) => async () => {
      ran.push(name);
      return await new Promise((resolve) => void setTimeout(resolve, minute, name));
    };
    return [await step.do('first', slow('first')), await step.do('second', slow('second'))];
  });
  const instance = await program.env.FLOW.create();
  await program.clock.advance(1_000);
  await instance.pause();
  equal((await instance.status()).status, 'waitingForPause');
  await instance.resume();
  equal((await instance.status()).status, 'running');
  await instance.pause();
  await program.clock.advance(minute);
  equal((await instance.status()).status, 'paused');
  await program.clock.advance(day);
  deepEqual(ran, ['first']);
  await instance.resume();
  await program.clock.advance(minute);
  deepEqual(
    [(await instance.status()).output, ran],
    [
      ['first', 'second'],
      ['first', 'second'],
    ],
  );
});

test('Workflow ends at once when it is terminated, and begins again when it is restarted', async (t) => {
  let runs = 0;
  const program = await open(t, async (step) => {
    const run = await step.do('count', async () => ++runs);
    await step.sleep('day', '1 day');
    return [run, await step.do('count again', async () => ++runs)];
  });
  const instance = await program.env.FLOW.create();
  await program.clock.untilIdle();
  await instance.terminate();
  await program.clock.advance(2 * day);
  equal((await instance.status()).status, 'terminated');
  await instance.restart();
  await program.clock.advance(day);
  deepEqual((await instance.status()).output, [2, 3]);
  await instance.restart({ from: { name: 'day', type: 'sleep' } });
  await program.clock.untilIdle();
  equal((await instance.status()).status, 'waiting');
  await program.clock.advance(day);
  deepEqual((await instance.status()).output, [2, 4]);
});

test('Workflow drops what a step returns after its instance was terminated and restarted', async (t) => {
  const releases: ((value: string) => void)[] = [];
  const program = await open(t, (step) =>
    step.do('held', async () => await new Promise((resolve) => void releases.push(resolve))),
  );
  const instance = await program.env.FLOW.create();
  await program.clock.untilIdle();
  await instance.restart();
  await program.clock.untilIdle();
  releases[0]!('of the first run');
  await program.clock.untilIdle();
  equal((await instance.status()).status, 'running');
  releases[1]!('of the second run');
  await program.clock.untilIdle();
  equal((await instance.status()).output, 'of the second run');
});

test('Workflow keeps an instance for 30 days after its end, and nothing of an id that was only asked for', async (t) => {
  const program = await open(t, async () => 'done');
  const { FLOW } = program.env;
  match(await refusalOf(() => FLOW.get('absent')), /instance\.not_found/);
  const instance = await FLOW.create({ id: 'kept' });
  await program.clock.advance(30 * day - 1);
  equal((await instance.status()).status, 'complete');
  await program.clock.advance(1);
  match(await refusalOf(() => instance.status()), /instance\.not_found/);
  await FLOW.create({ id: 'kept' });
  await program.clock.untilIdle();
  equal((await instance.status()).status, 'complete');
});

test('Workflow refuses an id that is there, and leaves it out of a batch', async (t) => {
  const program = await open(t, async (_step, payload) => payload);
  const { FLOW } = program.env;
  await FLOW.create({ id: 'first', params: 1 });
  match(await refusalOf(() => FLOW.create({ id: 'first' })), /instance\.already_exists/);
  const created = await FLOW.createBatch([{ id: 'first' }, { id: 'second', params: 2 }]);
  deepEqual(
    created.map(({ id }) => id),
    ['second'],
  );
  await program.clock.untilIdle();
  equal((await created[0]!.status()).output, 2);
  match(await refusalOf(() => FLOW.createBatch(Array(101).fill({}))), /at most 100 instances/);
  match(await refusalOf(() => FLOW.create({ params: 'x'.repeat(1024 * 1024) })), /at most 1048576/);
});

test('Workflow bounds how many steps there are and what each returns', async (t) => {
  const program = await open(t, async (step) => {
    const retries = { limit: 0, delay: 0 };
    const large = await step
      .do('large', { retries }, async () => 'x'.repeat(1024 * 1024))
      .catch((error: Error) => error.message);
    for (let count = 0; count < 99; count++) await step.do('small', async () => count);
    return [large, await step.do('one too many', async () => 0).catch((error: Error) => error.message)];
  });
  const instance = await program.env.FLOW.create();
  await program.clock.untilIdle();
  deepEqual((await instance.status()).output, [
    'Step large-1 output is too large. Maximum allowed size is 1MiB.',
    'The limit of 100 steps has been reached. This limit can be changed in your worker configuration.',
  ]);
});

test('Workflow waits for its code, and says so, while no Worker has it', async (t) => {
  const program = await TestProgram.open(t);
  const instance = await program.env.FLOW.create();
  await program.clock.advance(1_000);
  equal((await instance.status()).status, 'queued');
  match(program.said.join('\n'), /no Worker here has a workflow of that name/);
  program.useWorkflow(async () => 'found');
  await program.clock.advance(minute);
  equal((await instance.status()).output, 'found');
});
