import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { DurableObject, type DurableObjectNamespace } from '#objects';
import { openTestObjects } from './test-objects.ts';

interface Env {
  readonly GREETING: string;
  readonly Counter: DurableObjectNamespace<Counter>;
}

class Counter extends DurableObject<Env> {
  calls = 0;

  async increment(): Promise<number> {
    this.calls++;
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put('value', value);
    return value;
  }

  async remind(delayMs: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + delayMs);
  }

  async alarm(): Promise<void> {
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS alarms (at INTEGER)');
    this.ctx.storage.sql.exec('INSERT INTO alarms VALUES (?)', Date.now());
  }

  async greet(name: string): Promise<string> {
    const answer = await fetch(`https://names.example/${name}`);
    return `${this.env.GREETING} ${await answer.text()}`;
  }

  async hang(): Promise<void> {
    await new Promise(() => {});
  }
}

const options = { classes: { Counter }, env: { GREETING: 'hello' } };

test('openTestObjects gives each test objects of its own, and shows what is inside', async () => {
  for (let round = 0; round < 2; round++) {
    await using objects = await openTestObjects(options);
    const counter = objects.namespace<Counter>('Counter').getByName('visits');
    equal(await counter.increment(), 1);
    equal(await counter.increment(), 2);
    const seen = await objects.runInDurableObject(counter, async (instance: Counter, ctx) => [
      instance.calls,
      await ctx.storage.get('value'),
    ]);
    deepEqual(seen, [2, 2]);
    const ids = await objects.listDurableObjectIds('Counter');
    deepEqual(ids.map(String), [counter.id.toString()]);
  }
});

test('TestObjects runs alarms when their time has come, or at once when asked to', async () => {
  await using objects = await openTestObjects({ ...options, start: Date.UTC(2030, 0, 1) });
  const counter = objects.namespace<Counter>('Counter').getByName('a');
  equal(await objects.runDurableObjectAlarm(counter), false);
  await counter.remind(60_000);
  await objects.clock.advance(59_999);
  await counter.remind(60_000);
  await objects.clock.advance(60_000);
  await counter.remind(60_000);
  equal(await objects.runDurableObjectAlarm(counter), true);
  const at = await objects.runInDurableObject(counter, (_counter, ctx) =>
    Array.from(ctx.storage.sql.exec<{ at: number }>('SELECT at FROM alarms'), (row) => row.at),
  );
  const expected = Date.UTC(2030, 0, 1) + 119_999;
  deepEqual(at, [expected, expected]);
});

test('TestObjects evicts objects that are idle, and ends those that are not, and keeps what they stored', async () => {
  await using objects = await openTestObjects(options);
  const find = () => objects.namespace<Counter>('Counter').getByName('a');
  const calls = (): Promise<number> =>
    objects.runInDurableObject(find(), (instance: Counter) => instance.calls);
  await find().increment();
  objects.evictAllDurableObjects();
  equal(await calls(), 0);
  equal(await find().increment(), 2);
  const hanging = find().hang();
  objects.abortAllDurableObjects();
  await rejects(async () => await hanging, /abortAllDurableObjects\(\) was called/);
  equal(await find().increment(), 3);
});

test('TestObjects lets fetch of objects reach what the test says, and nothing else', async () => {
  const outside = (request: Request): Response => new Response(new URL(request.url).pathname.slice(1));
  await using objects = await openTestObjects({ ...options, outside });
  equal(await objects.namespace<Counter>('Counter').getByName('a').greet('Ada'), 'hello Ada');
  await using without = await openTestObjects(options);
  const refused = await without.namespace<Counter>('Counter').getByName('a').greet('Ada').catch(String);
  match(refused, /GET https:\/\/names\.example\/Ada reaches nothing: give openTestObjects\(\) outside/);
});
