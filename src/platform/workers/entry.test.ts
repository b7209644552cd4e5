import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackgroundWork } from './background.ts';
import { callScheduled, entryHandler, entryWarnings, ExecutionContext, queueHandler } from './entry.ts';

const background = new BackgroundWork((error) => assert.fail(error as Error));
const context = new ExecutionContext({ background, exports: {} });
const request = new Request('http://a.test/path');

test('entryHandler calls an object with its own this, and a class with a new instance', async () => {
  const object = {
    greeting: 'hello',
    fetch(this: { greeting: string }, incoming: Request, env: { name: string }, ctx: unknown) {
      assert.equal(ctx, context);
      return new Response(`${this.greeting} ${env.name} ${new URL(incoming.url).pathname}`);
    },
  };
  const answer = await entryHandler(object)(request, { name: 'you' }, context);
  assert.equal(await answer.text(), 'hello you /path');

  class Entry {
    readonly env: { name: string };

    constructor(_ctx: unknown, env: { name: string }) {
      this.env = env;
    }

    fetch(): Response {
      return new Response(this.env.name);
    }
  }
  const fromClass = await entryHandler(Entry)(request, { name: 'class' }, context);
  assert.equal(await fromClass.text(), 'class');
});

test('entryHandler fails as workerd does when there is no fetch', () => {
  const message = 'Handler does not export a fetch() function.';
  for (const nothing of [undefined, {}, class {}, { fetch: 1 }]) {
    assert.throws(() => entryHandler(nothing)(request, {}, context), { message });
  }
});

test('callScheduled calls an object or a new instance, and says if there is nothing to call', async () => {
  const controller = { type: 'scheduled', cron: '* * * * *', scheduledTime: 5, noRetry() {} } as const;
  const called: unknown[] = [];
  const scheduled = (event: typeof controller, ...rest: unknown[]): void =>
    void called.push(event.cron, rest);
  const env = { name: 'you' };
  assert.equal(await callScheduled({ scheduled }, controller, { env, context }), 'ok');
  class Entry {
    readonly scheduled = scheduled;
  }
  assert.equal(await callScheduled(Entry, controller, { env, context }), 'ok');
  assert.equal(await callScheduled({}, controller, { env, context }), undefined);
  assert.deepEqual(called, ['* * * * *', [env, context], '* * * * *', []]);
});

test('entryWarnings names handlers that nothing will call', () => {
  const handlers = { fetch() {}, scheduled() {}, queue() {}, email() {}, tail() {} };
  assert.deepEqual(entryWarnings(handlers, 'main.ts'), [
    'main.ts exports email(), which is never called: Gatehouse has no incoming email',
    'main.ts exports tail(), which is never called: Gatehouse has no tail events',
  ]);
  assert.match(entryWarnings(undefined, 'main.ts')[0]!, /no default export/);
  assert.match(entryWarnings({}, 'main.ts')[0]!, /no fetch\(\)/);
  assert.deepEqual(entryWarnings({ fetch() {} }, 'main.ts', ['jobs']), [
    'main.ts exports no queue(): messages of jobs cannot be delivered',
  ]);
  assert.deepEqual(
    entryWarnings(
      class {
        fetch() {}
      },
      'main.ts',
    ),
    [],
  );
});

test('BackgroundWork reports failures and settles with what was added meanwhile', async () => {
  const errors: unknown[] = [];
  const work = new BackgroundWork((error) => void errors.push(error));
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const done: string[] = [];
  work.add(
    first.promise.then(() => {
      done.push('first');
      work.add(second.promise.then(() => void done.push('second')));
    }),
  );
  work.add(Promise.reject(new Error('lost')));
  const settled = work.settled();
  first.resolve();
  second.resolve();
  await settled;
  assert.deepEqual(done, ['first', 'second']);
  assert.match(String(errors[0]), /lost/);
});

test('queueHandler calls queue of every form of a default export, and fails where there is none', async () => {
  const batch = { queue: 'jobs' } as never;
  const seen: unknown[] = [];
  class Entrypoint {
    readonly env: unknown;
    constructor(_context: unknown, env: unknown) {
      this.env = env;
    }
    queue(given: unknown): void {
      seen.push([given, this.env]);
    }
  }
  await queueHandler(Entrypoint)(batch, 'env', context);
  await queueHandler({ queue: async (...args: unknown[]) => void seen.push(args) })(batch, 'env', context);
  assert.deepEqual(seen, [
    [batch, 'env'],
    [batch, 'env', context],
  ]);
  const message = 'Handler does not export a queue() function.';
  for (const nothing of [undefined, {}, class {}])
    await assert.rejects(queueHandler(nothing)(batch, {}, context), { message });
});
