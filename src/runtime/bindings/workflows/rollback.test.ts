/** Workflow steps that are undone; batches of instances, and deleted instances. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { refusalOf, TestProgram, type TestRun } from '../testing.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

async function open(t: TestContext, run: TestRun): Promise<TestProgram> {
  const program = await TestProgram.open(t);
  program.useWorkflow(run);
  return program;
}

test('Workflow undoes the steps of an instance that fails, the last one first, and goes on with that after an end', async (t) => {
  const undone: string[] = [];
  let refusals = 1;
  const undo = (name: string) => ({
    rollback: async ({ error, output, stepName, ctx }: Record<string, unknown>) => {
      const { attempt } = ctx as { attempt: number };
      if (name === 'two' && refusals-- > 0) throw new Error('not yet');
      undone.push(`${String(stepName)} ${String(output)} for ${(error as Error).message}, tried ${attempt}`);
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
