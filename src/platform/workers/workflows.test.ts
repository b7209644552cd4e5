/** Workflows in a project: their code, its environment, and changes of the code while instances wait. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { createProject, type StartedWorker, startWorker, writeFiles } from './testing.ts';

const handler = `
  export default {
    async fetch(request, env) {
      const { pathname, searchParams } = new URL(request.url);
      const [, call, id] = pathname.split('/');
      if (call === 'create') return Response.json(await env.FLOW.create({ id, params: searchParams.get('params') }));
      const instance = await env.FLOW.get(id);
      if (call === 'send') await instance.sendEvent({ type: 'go', payload: searchParams.get('payload') });
      return Response.json(await instance.status());
    },
  };
`;

const flowModule = (version: string): string => `
  import { DurableObject, WorkflowEntrypoint } from 'cloudflare:workers';
  import { NonRetryableError } from 'cloudflare:workflows';
  export class Counter extends DurableObject {
    async increment() {
      const value = ((await this.ctx.storage.get('value')) ?? 0) + 1;
      await this.ctx.storage.put('value', value);
      return value;
    }
  }
  export class Flow extends WorkflowEntrypoint {
    async run(event, step) {
      const { payload, instanceId, workflowName } = event;
      const count = await step.do('count', () => this.env.COUNTERS.getByName('one').increment());
      const version = await step.do('version', () => '${version}');
      const { payload: sent } = await step.waitForEvent('wait', { type: 'go' });
      if (sent === 'fail') throw new NonRetryableError('as asked');
      return [payload, instanceId, workflowName, count, version, '${version}', sent, typeof this.ctx.waitUntil];
    }
  }
  ${handler}
`;

const config = {
  name: 'shop',
  main: 'index.js',
  compatibility_date: '2026-07-01',
  durable_objects: { bindings: [{ name: 'COUNTERS', class_name: 'Counter' }] },
  migrations: [{ tag: 'v1', new_sqlite_classes: ['Counter'] }],
  workflows: [{ binding: 'FLOW', name: 'orders', class_name: 'Flow' }],
};

async function statusOf({ fetch }: StartedWorker, path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(path)).json()) as Record<string, unknown>;
}

test('Worker runs a workflow, whose instances go on with other code', async (t) => {
  const path = createProject(t, { 'wrangler.json': config, 'index.js': flowModule('first') });
  const clock = new VirtualClock({ start: Date.UTC(2030, 0, 1) });
  const started = await startWorker(t, { path, clock });
  await started.fetch('/create/a?params=for+a');
  await started.fetch('/create/b');
  await clock.untilIdle();
  equal((await statusOf(started, '/status/a'))['status'], 'waiting');
  writeFiles(path, { 'index.js': flowModule('second') });
  await started.worker.reload();
  await started.fetch('/send/a?payload=sent');
  await started.fetch('/send/b?payload=fail');
  await clock.untilIdle();
  deepEqual(await statusOf(started, '/status/a'), {
    status: 'complete',
    output: ['for a', 'a', 'orders', 1, 'first', 'second', 'sent', 'function'],
  });
  deepEqual(await statusOf(started, '/status/b'), {
    status: 'errored',
    output: null,
    error: { name: 'NonRetryableError', message: 'as asked' },
  });
  match(started.said.join('\n'), /workflow orders: the instance b failed: NonRetryableError: as asked/);
});

test('Worker replaces the message of a NonRetryableError before 2026-05-14', async (t) => {
  const older = { ...config, compatibility_date: '2026-05-13' };
  const path = createProject(t, { 'wrangler.json': older, 'index.js': flowModule('only') });
  const clock = new VirtualClock({ start: Date.UTC(2030, 0, 1) });
  const started = await startWorker(t, { path, clock });
  await started.fetch('/create/a');
  await started.fetch('/send/a?payload=fail');
  await clock.untilIdle();
  const message =
    'The execution of the Workflow instance was terminated, as a step threw an NonRetryableError and it was not handled';
  deepEqual((await statusOf(started, '/status/a'))['error'], { name: 'WorkflowFatalError', message });
});

test('Worker uses a workflow of another Worker', async (t) => {
  const front = {
    name: 'front',
    main: 'index.js',
    compatibility_date: '2026-07-01',
    workflows: [{ binding: 'FLOW', name: 'orders', class_name: 'Flow', script_name: 'shop' }],
  };
  const path = createProject(t, {
    'front/wrangler.json': front,
    'front/index.js': handler,
    'shop/wrangler.json': config,
    'shop/index.js': flowModule('only'),
  });
  const clock = new VirtualClock({ start: Date.UTC(2030, 0, 1) });
  const started = await startWorker(t, { path: `${path}/front`, workers: [`${path}/shop`], clock });
  await started.fetch('/create/a?params=from+front');
  await started.fetch('/send/a?payload=sent');
  await clock.untilIdle();
  const { output } = await statusOf(started, '/status/a');
  deepEqual((output as unknown[]).slice(0, 4), ['from front', 'a', 'orders', 1]);
  const alone = await startWorker(t, { path: `${path}/front`, directory: `${path}/alone` });
  match(alone.said.join('\n'), /the code of the workflow env\.FLOW is that of the Worker "shop"/);
});

test('Worker refuses a workflow whose class is missing, whose name cannot be one, or which two Workers have', async (t) => {
  const refuse = async (workflow: object, message: RegExp): Promise<void> => {
    const workflows = [{ ...config.workflows[0], ...workflow }];
    const path = createProject(t, {
      'wrangler.json': { ...config, workflows },
      'index.js': flowModule('only'),
    });
    await rejects(startWorker(t, { path }), { message });
  };
  await refuse(
    { class_name: 'Absent' },
    /does not export the class Absent.*export class Absent extends WorkflowEntrypoint/,
  );
  await refuse({ class_name: 'Counter' }, /does not export the class Counter/);
  await refuse({ name: 'a/b' }, /the name of a workflow has letters, digits, dashes and underscores/);
  await refuse({ limits: { steps: 25_001 } }, /steps must be a whole number from 1 to 25000/);
  const path = createProject(t, {
    'a/wrangler.json': config,
    'a/index.js': flowModule('only'),
    'b/wrangler.json': { ...config, name: 'other' },
    'b/index.js': flowModule('only'),
  });
  await rejects(startWorker(t, { path: `${path}/a`, workers: [`${path}/b`] }), {
    message: /the Workers "shop" and "other" both have a workflow orders/,
  });
});
