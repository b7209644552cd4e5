/** `gatehouse dev --hosts 2`: the effect of one object on its process, and on the others. */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, Gatehouse, PlainGatehouse, runCaptured, temporary } from '../testing.ts';

function roomModule(version: string): string {
  return `
import timers from 'node:timers';
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
export class Greeter extends WorkerEntrypoint {
  greet() { return 'hello from ' + process.pid + ' to ' + this.ctx.props.name; }
}
export class Room extends DurableObject {
  async hit() {
    const hits = ((await this.ctx.storage.get('hits')) ?? 0) + 1;
    await this.ctx.storage.put('hits', hits);
    return hits;
  }
  pid() { return process.pid; }
  async greeted() { return await this.ctx.exports.Greeter({ props: { name: 'a room' } }).greet(); }
  async neighbour(name) { return await this.ctx.exports.Room.getByName(name).pid(); }
  version() { return '${version}'; }
  say() { console.error('said by an object'); }
  loop() { console.error('held'); for (;;); }
  query() {
    return this.ctx.storage.sql.exec('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n').one();
  }
  async throwBeside() {
    queueMicrotask(() => { throw new Error('nobody catches this'); });
    await new Promise((resolve) => {
      timers.setTimeout(() => { resolve(); throw new Error('a timer of Node throws this'); }, 1).unref();
    });
    return process.pid;
  }
  async fill() {
    for (const kept = []; ; await new Promise((resolve) => setImmediate(resolve)))
      kept.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  }
  async alarm() { await this.ctx.storage.put('rang', Date.now()); }
  async ring() { await this.ctx.storage.setAlarm(Date.now() + 3_600_000); }
  async rang() { return (await this.ctx.storage.get('rang')) ?? null; }
  async ask(name, method) { return await this.env.Room.getByName(name)[method](); }
  async leave(name) {
    const left = await this.env.Room.getByName(name).fetch('http://room/wait', { signal: AbortSignal.timeout(20) }).catch(({ name }) => name);
    return [left, await this.env.Room.getByName(name).seen()];
  }
  async seen() {
    while (this.left === undefined) await scheduler.wait(1);
    return this.left;
  }
  async fetch(request) {
    if (request.url === 'http://room/wait') {
      const { signal } = request;
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      this.left = signal.reason.message;
    }
    return new Response(request.body, { headers: { 'x-method': request.method } });
  }
}
  export default {
  async fetch(request, env) {
    const [name, method, ...args] = new URL(request.url).pathname.slice(1).split('/');
    const room = env.Room.getByName(name);
    if (method === 'fetch') return room.fetch(request);
    if (method === 'now') return Response.json(Date.now());
    try {
      return Response.json((await room[method](...args)) ?? null);
    } catch ({ message, retryable, durableObjectReset }) {
      return Response.json({ message, retryable, durableObjectReset });
    }
  },
};`;
}

const lost = { message: 'Network connection lost.', retryable: true, durableObjectReset: true };

/** The names of two rooms in different processes. */
async function findRooms(url: string): Promise<[string, string]> {
  const pid = await call(`${url}/0/pid`);
  for (let i = 1; ; i++) if ((await call(`${url}/${i}/pid`)) !== pid) return ['0', String(i)];
}

/** The name of another room in the process of this one. */
async function findBeside(url: string, room: string, prefix: string): Promise<string> {
  const pid = await call(`${url}/${room}/pid`);
  for (let i = 0; ; i++) if ((await call(`${url}/${prefix}${i}/pid`)) === pid) return `${prefix}${i}`;
}

const explanations: Readonly<Record<string, RegExp>> = {
  loop: /^Durable Object exceeded its CPU time limit and was reset\./,
  query: /^Durable Object storage operation exceeded timeout which caused object to be reset\./,
};

const endings = {
  loop: /its event loop did not turn for \d+ ms/,
  query:
    /an SQL statement exceeded its time limit, \d+ ms so far \(object Room [0-9a-f]{64} \(\w+\), statement WITH RECURSIVE/,
  // Garbage collection at the limit can use up the CPU time of an event.
  fill: /SIGABRT|code 134|its event loop did not turn/,
};

test('gatehouse dev --hosts 2 ends only the host that is held, serves, reloads and is looked after', async (t) => {
  const directory = temporary(t, { 'index.mjs': roomModule('one') });
  const limits = ['--cpu-ms', '1500', '--host-bytes', '67108864'];
  const dev = new Gatehouse(t, 'dev', join(directory, 'index.mjs'), '--hosts', '2', ...limits);
  const url = await dev.url();
  const [a, b] = await findRooms(url);
  const others = await call(`${url}/${b}/pid`);
  // Exports of its module are reached in the object's own process, and objects wherever they are.
  equal(await call(`${url}/${b}/greeted`), `hello from ${others} to a room`);
  equal(await call(`${url}/${a}/neighbour/${b}`), others);
  let hits = 0;
  for (const [method, reason] of Object.entries(endings)) {
    equal(await call(`${url}/${a}/hit`), ++hits);
    const pid = await call(`${url}/${a}/pid`);
    // The object that is known to block its process is paused: it must not be called again.
    const culprit = method in explanations ? await findBeside(url, a, method) : a;
    const held = call(`${url}/${culprit}/${method}`);
    // Other objects are served meanwhile.
    equal(await call(`${url}/${b}/pid`), others);
    const told = await held;
    await dev.says(reason);
    if (method in explanations) {
      match(told.message, explanations[method]!);
      match((await call(`${url}/${culprit}/hit`)).message, /^Durable Object is paused until /);
    } else deepEqual(told, lost);
    equal(await call(`${url}/${a}/hit`), ++hits);
    notEqual(await call(`${url}/${a}/pid`), pid);
    equal(await call(`${url}/${b}/pid`), others, `${method} has ended somebody else`);
  }

  // An error that an object does not catch is reported, and its process continues, as in workerd.
  equal(await call(`${url}/${a}/throwBeside`), await call(`${url}/${a}/pid`));
  await dev.says(/nobody catches this/);
  await dev.says(/a timer of Node throws this/);

  equal(await call(`${url}/${a}/ask/${b}/hit`), 1);
  // A signal reaches an object in another process.
  deepEqual(await call(`${url}/${a}/leave/${b}`), ['TimeoutError', 'The client has disconnected']);
  await call(`${url}/${a}/say`);
  await dev.says(/^said by an object$/m);
  const answer = await fetch(`${url}/${a}/fetch`, { method: 'POST', body: 'through two processes' });
  deepEqual([answer.headers.get('x-method'), await answer.text()], ['POST', 'through two processes']);

  writeFileSync(join(directory, 'index.mjs'), roomModule('two'));
  await dev.says(/reloaded/);
  deepEqual([await call(`${url}/${a}/version`), await call(`${url}/${b}/version`)], ['two', 'two']);
  writeFileSync(join(directory, 'index.mjs'), 'export default {');
  await dev.says(/the code from before this change keeps running/);
  equal(await call(`${url}/${b}/hit`), 2);

  const state = join(directory, '.gatehouse', 'state');
  const listed = await runCaptured('objects', 'list', 'Room', '--data', state);
  equal(listed.code, 0, listed.stderr);
  match(listed.stdout, new RegExp(`^Room\\s+[0-9a-f]{64}\\s+${b}$`, 'm'));
  equal(await dev.end('SIGTERM'), 0);
});

test('gatehouse dev --hosts 2 moves virtual time in the Worker and in every host, and ends at a signal whatever they do', async (t) => {
  const path = join(temporary(t, { 'index.mjs': roomModule('one') }), 'index.mjs');
  const start = ['--clock', 'virtual', '--at', '2030-01-01T00:00:00Z'];
  const dev = new Gatehouse(t, 'dev', path, '--no-watch', '--hosts', '2', ...start);
  const url = await dev.url();
  const [a, b] = await findRooms(url);
  for (const room of [a, b]) await call(`${url}/${room}/ring`);
  equal((await runCaptured('clock', 'advance', '2h', '--url', url)).stdout, '2030-01-01T02:00:00.000Z\n');
  equal(await call(`${url}/any/now`), Date.parse('2030-01-01T02:00:00Z'));
  const rang = Date.parse('2030-01-01T01:00:00Z');
  deepEqual([await call(`${url}/${a}/rang`), await call(`${url}/${b}/rang`)], [rang, rang]);
  const held = call(`${url}/${a}/loop`).catch(() => 'the connection ended');
  await dev.says(/held/);
  equal(await dev.end('SIGTERM'), 0);
  await held;
});

test('gatehouse dev has two hosts if there are two cores, and none beside a debugger', async (t) => {
  const path = join(temporary(t, { 'index.mjs': roomModule('one') }), 'index.mjs');
  const countProcesses = async (...args: string[]): Promise<number> => {
    const dev = new PlainGatehouse(t, 'dev', path, '--no-watch', '--dashboard-port', 'off', ...args);
    const url = await dev.url();
    // With this many rooms, each host has some.
    const pids = await Promise.all(Array.from({ length: 40 }, (_, i) => call(`${url}/${i}/pid`)));
    equal(await call(`${url}/0/hit`), ++hits);
    equal(await dev.end('SIGTERM'), 0);
    return new Set(pids).size;
  };
  let hits = 0;
  equal(await countProcesses(), Math.min(2, availableParallelism()));
  equal(await countProcesses('--inspect=0'), 1);
});
