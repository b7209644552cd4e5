import {
  abortAllDurableObjects,
  env,
  evictAllDurableObjects,
  evictDurableObject,
  listDurableObjectIds,
  reset,
  runDurableObjectAlarm,
  runInDurableObject,
  SELF,
} from 'cloudflare:test';
import { exports } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { Counter } from '../src/index';

it('calls the Worker and has the very instance that it called', async () => {
  expect(await (await SELF.fetch('https://example.com/a')).text()).toBe('count 1');
  expect(await (await exports.default.fetch('https://example.com/a')).text()).toBe('count 2');
  const stub = env.COUNTERS.getByName('/a');
  await runInDurableObject(stub, async (instance, state) => {
    expect(instance).toBeInstanceOf(Counter);
    expect(instance.inMemory).toBe(2);
    expect(await state.storage.get('value')).toBe(2);
  });
  expect(await exports.Greeting.greet('Anna')).toBe('Anna here');
});

it('runs alarms at once, and lists objects', async () => {
  const stub = env.COUNTERS.getByName('alarms');
  expect(await runDurableObjectAlarm(stub)).toBe(false);
  await stub.increment(5);
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + 3_600_000));
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await stub.increment()).toBe(1);
  const ids = await listDurableObjectIds(env.COUNTERS);
  expect(ids.map(String)).toContain(env.COUNTERS.idFromName('alarms').toString());
});

it('forgets memory when objects are evicted, keeps storage and sockets', async () => {
  const stub = env.COUNTERS.getByName('evicted');
  await stub.increment(3);
  const response = await stub.fetch('https://example.com/', { headers: { Upgrade: 'websocket' } });
  const socket = response.webSocket;
  socket.accept();
  const message = new Promise((resolve) => socket.addEventListener('message', ({ data }) => resolve(data)));
  await evictDurableObject(stub);
  socket.send('hello');
  expect(await message).toBe('hello, 0');
  expect(await stub.increment()).toBe(4);
  await evictAllDurableObjects();
  expect(await runInDurableObject(stub, ({ inMemory }) => inMemory)).toBe(0);
  socket.close(1000, 'done');
});

it('ends objects at once, and deletes everything', async () => {
  await env.COUNTERS.getByName('ended').increment();
  await env.NOTES.put('note', 'kept');
  await abortAllDurableObjects();
  expect(await env.COUNTERS.getByName('ended').increment()).toBe(2);
  await reset();
  expect(await env.COUNTERS.getByName('ended').increment()).toBe(1);
  expect(await env.NOTES.get('note')).toBe(null);
});
