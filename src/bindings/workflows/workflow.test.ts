/** Workflows: which steps are run and how often, what waits and for how long, and what survives an end. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { refusalOf, testStart, TestProgram } from '../testing.ts';
import { NonRetryableError } from './workflow-errors.ts';
import type { WorkflowCode, WorkflowStep } from './workflow-code.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

type Run = (step: WorkflowStep, payload: unknown) => Promise<unknown>;

async function open(t: TestContext, run: Run, settings: Partial<WorkflowCode> = {}): Promise<TestProgram> {
  const program = await TestProgram.open(t);
  use(program, run, settings);
  return program;
}

function use({ workflows }: TestProgram, run: Run, settings: Partial<WorkflowCode> = {}): void {
  workflows.set('flow', {
    stepsMax: 100,
    keepsFatalMessages: true,
    run: (event, step) => run(step, event.payload),
    ...settings,
  });
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
  use(program, async () => 'found');
  await program.clock.advance(minute);
  equal((await instance.status()).output, 'found');
});

test('Workflow undoes the steps of an instance that fails, the last one first, and goes on with that after an end', async (t) => {
  const undone: string[] = [];
  let refusals = 1;
  const undo = (name: string) => ({
    rollback: async ({ error, output, stepName, ctx }: Record<string, unknown>) => {
      const { attempt } = ctx as { attempt: number };
      if (name === 'two' && refusals-- > 0) throw new Error('not yet');
      undone.push(`${stepName} ${output} for ${(error as Error).message}, tried ${attempt}`);
    },
    rollbackConfig: { retries: { limit: 1, delay: '1 hour' } },
  });
  const program: TestProgram = await open(t, async (step) => {
    await step.do('one', async () => 1, undo('one'));
    await step.do('plain', async () => 'is not undone');
    await step.do('two', async () => 2, undo('two'));
    await step.do('caught', once, async () => Promise.reject(new Error('a'))).catch(() => {});
    await step.do('three', once, async () => Promise.reject(new Error('broken')), undo('three'));
  });
  const once = { retries: { limit: 0, delay: 0 } };
  const instance = await program.env.FLOW.create();
  await program.clock.untilIdle();
  equal((await instance.status()).status, 'rollingBack');
  deepEqual(undone, ['three-1 undefined for broken, tried 1']);
  await program.restart();
  const found = await program.env.FLOW.get(instance.id);
  equal((await found.status()).status, 'rollingBack');
  await found.pause();
  match(await refusalOf(() => found.terminate()), /cannot_terminate/);
  await program.clock.advance(60 * minute);
  deepEqual(undone.slice(1), ['two-1 2 for broken, tried 1', 'one-1 1 for broken, tried 1']);
  const { status, error } = await found.status();
  deepEqual([status, error], ['errored', { name: 'Error', message: 'broken' }]);
});

test('Workflow stops undoing at a step that cannot be undone, and undoes nothing that the code has caught', async (t) => {
  const undone: unknown[] = [];
  const once = { retries: { limit: 0, delay: 0 } };
  const program = await open(t, async (step, payload) => {
    await step.do('one', async () => 1, { rollback: () => undone.push('one') });
    const refuse = async () => Promise.reject(new Error('broken'));
    const failing = step.do('two', once, refuse, {
      rollback: () => Promise.reject(new Error('stays')),
      rollbackConfig: once,
    });
    if (payload === 'caught') return await failing.catch(() => 'fine');
    return await failing;
  });
  const failed = await program.env.FLOW.create();
  const fine = await program.env.FLOW.create({ params: 'caught' });
  await program.clock.untilIdle();
  const { status, error } = await failed.status();
  deepEqual(
    [status, error?.message, (await fine.status()).output, undone],
    ['errored', 'broken', 'fine', []],
  );
});

test('WorkflowInstance.terminate undoes the steps if asked, also of an instance that is put away', async (t) => {
  const undone: unknown[] = [];
  const program = await open(t, async (step) => {
    await step.do('one', async () => 1, {
      rollback: ({ error }: { error: Error }) => undone.push(error.message),
    });
    await step.sleep('long', '1 day');
    await step.do('later', async () => undone.push('went on'));
  });
  const instance = await program.env.FLOW.create();
  const other = await program.env.FLOW.create();
  await program.clock.untilIdle();
  await program.restart();
  await (await program.env.FLOW.get(instance.id)).terminate({ rollback: true });
  await (await program.env.FLOW.get(other.id)).terminate();
  await program.clock.advance(2 * day);
  const statusOf = async (id: string) => (await (await program.env.FLOW.get(id)).status()).status;
  deepEqual([await statusOf(instance.id), await statusOf(other.id)], ['terminated', 'terminated']);
  deepEqual(undone, ['Instance terminated during rollback']);
});

test('Workflow refuses rollback options that are none, and what is not available, by name', async (t) => {
  const program = await open(t, async (step) => {
    const refusals = [];
    for (const options of [5, { rollback: 5 }, { rollback() {}, rollbackConfig: { x: 1 } }])
      refusals.push(await step.do('a', async () => 1, options).catch((error: Error) => error.message));
    return refusals;
  });
  const instance = await program.env.FLOW.create();
  await program.clock.untilIdle();
  deepEqual((await instance.status()).output, [
    'WorkflowFatalError: Rollback options for "a" must be an object',
    'WorkflowFatalError: Rollback for "a" must be a function',
    'WorkflowFatalError: Rollback config for "a" is in a invalid format. See https://developers.cloudflare.com/workflows/build/sleeping-and-retrying/',
  ]);
  match(await refusalOf(() => instance.subscribe()), /subscribe\(\) of a workflow instance is not available/);
});

test('Workflow creates and deletes batches, and tells what it could not', async (t) => {
  const program = await open(t, (step) => step.sleep('long', '1 day'));
  const { FLOW } = program.env;
  const { created, errors } = await FLOW.createBatch({ instances: [{ id: 'a' }, { id: 'a' }, {}] });
  deepEqual([created.length, created[0]!.id], [2, 'a']);
  const duplicate = 'workflows.api.error.instance.duplicate_in_batch';
  deepEqual(errors, [{ index: 1, id: 'a', code: 10_415, message: duplicate }]);
  equal((await FLOW.createBatch({ count: 3, params: 1 })).created.length, 3);
  const again = await FLOW.createBatch({ instances: [{ id: 'a' }] });
  deepEqual([again.created, again.errors[0]!.code], [[], 10_405]);
  await program.clock.untilIdle();
  const notFound = { code: 10_400, message: 'workflows.api.error.instance.not_found' };
  deepEqual(await FLOW.deleteBatch(['a', 'none', 'a']), {
    deleted: [{ id: 'a' }, { id: 'a' }],
    errors: [{ id: 'none', ...notFound }],
  });
  match(await refusalOf(() => FLOW.get('a')), /instance.not_found/);
  const instance = await FLOW.create({ id: 'a' });
  await instance.delete();
  match(await refusalOf(() => instance.delete()), /\(instance.not_found\) Instance does not exist/);
  for (const [batch, message] of [
    [{}, 'Provided argument is invalid'],
    [{ count: 0 }, 'count must be a positive integer'],
    [{ count: 101 }, 'batchCreate only supports 100 instances at a time'],
  ] as const)
    equal(await refusalOf(() => FLOW.createBatch(batch)), `Error: WorkflowError: (body) ${message}`);
  match(await refusalOf(() => FLOW.deleteBatch([])), /should have at least 1 instance/);
});
