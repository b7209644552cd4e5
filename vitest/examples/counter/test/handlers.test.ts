import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import worker from '../src/index';

vi.mock('../src/format', () => ({ format: (value) => `mocked ${value}` }));
afterEach(() => void vi.restoreAllMocks());

it('waits for what a handler leaves running, with a module of the Worker mocked', async () => {
  const context = createExecutionContext();
  const response = await worker.fetch(new Request('https://example.com/later'), env, context);
  await waitOnExecutionContext(context);
  expect(await response.text()).toBe('mocked 1');
  expect(await env.NOTES.get('later')).toBe('written');
  const failing = createExecutionContext();
  failing.waitUntil(Promise.reject(new Error('too late')));
  await expect(waitOnExecutionContext(failing)).rejects.toThrow('too late');
});

it('tells what a consumer decided, called by hand and by a binding', async () => {
  const messages = ['one', 'again'].map((key) => ({
    id: key,
    timestamp: new Date(0),
    attempts: 1,
    body: { key },
  }));
  const batch = createMessageBatch('jobs', messages);
  const context = createExecutionContext();
  await worker.queue(batch, env, context);
  const expected = { outcome: 'ok', explicitAcks: ['one'], retryMessages: [{ msgId: 'again' }] };
  expect(await getQueueResult(batch, context)).toMatchObject(expected);
  expect(await exports.default.queue('jobs', [messages[0]])).toMatchObject({ explicitAcks: ['one'] });
});

it('delivers what is sent to a queue', async () => {
  await exports.default.fetch('https://example.com/job');
  await vi.waitUntil(async () => (await env.NOTES.get('job')) === 'done', { timeout: 60_000 });
});

it('fires crons', async () => {
  await worker.scheduled(createScheduledController({ cron: '1 * * * *' }), env, createExecutionContext());
  expect(await env.NOTES.get('cron')).toBe('1 * * * *');
  expect(await exports.default.scheduled({ cron: '2 * * * *' })).toMatchObject({ outcome: 'ok' });
  expect(await env.NOTES.get('cron')).toBe('2 * * * *');
});

it('has another Worker beside it, functions, and values of the setup', async () => {
  const greeting = await exports.default.fetch('https://example.com/greet', {
    method: 'POST',
    body: 'world',
  });
  expect(await greeting.text()).toBe('Hello, world, outside of /news');
  expect(await (await exports.default.fetch('https://example.com/clock')).text()).toBe('noon');
  expect(env.PROVIDED).toBe('from the setup');
});

it('mocks fetch of the Worker and of its objects', async () => {
  const mock = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (input) => new Response(`mock of ${input}`));
  expect(await (await exports.default.fetch('https://example.com/outside')).text()).toBe(
    'mock of https://outside.example/',
  );
  expect(await env.COUNTERS.getByName('asking').ask()).toBe('mock of https://outside.example/question');
  expect(mock).toHaveBeenCalledTimes(2);
});

it('has migrated the database', async () => {
  const { results } = await env.DATABASE.prepare('SELECT name, stock FROM goods').all();
  expect(results).toEqual([{ name: 'a;b', stock: 0 }]);
});
