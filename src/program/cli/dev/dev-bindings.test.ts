/** `gatehouse dev` with KV, D1, queues and R2: in one process, after kill -9, and then in several. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, Gatehouse, runCaptured, temporary } from '../testing.ts';

const config = JSON.stringify({
  name: 'shop',
  main: 'index.mjs',
  compatibility_date: '2026-11-01',
  durable_objects: { bindings: [{ name: 'ROOMS', class_name: 'Room' }] },
  migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
  kv_namespaces: [{ binding: 'KV', id: 'kv' }],
  d1_databases: [{ binding: 'DB', database_name: 'shop', database_id: 'shop' }],
  r2_buckets: [{ binding: 'BUCKET', bucket_name: 'images' }],
  queues: {
    producers: [{ binding: 'QUEUE', queue: 'orders' }],
    consumers: [{ queue: 'orders', max_batch_size: 1 }],
  },
});

const source = `
import { DurableObject } from 'cloudflare:workers';
export class Room extends DurableObject {
  async use() {
    await this.env.KV.put('from', 'an object');
    return await this.env.KV.get('from');
  }
}
  export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const body = request.method === 'POST' ? await request.json() : '';
    try {
      switch (pathname) {
        case '/write':
          await env.KV.put('key', body);
          await env.BUCKET.put('image', body.repeat(100_000));
          return Response.json(await env.ROOMS.getByName('a').use());
        case '/read':
          return Response.json({
            kv: await env.KV.get('key'),
            orders: (await env.DB.prepare('SELECT body FROM orders ORDER BY body').raw()).flat(),
            image: (await (await env.BUCKET.get('image')).text()).length,
          });
        case '/send':
          await env.QUEUE.send(body);
          return Response.json('sent');
      }
    } catch (error) {
      return Response.json(String(error));
    }
  },
  async queue(batch, env) {
    const [message] = batch.messages;
    if (message.body === 'hang' && message.attempts === 1) {
      console.error('hanging');
      await new Promise(() => {});
    }
    await env.DB.prepare('INSERT INTO orders VALUES (?)').bind(message.body + message.attempts).run();
  },
};
`;

/** Each takes longer on a busy machine, without a shorter timeout. */
const looksMax = 10_000;

/** All orders, once this many messages have been consumed. */
async function readOrders(url: string, count: number): Promise<unknown> {
  for (let looks = 0; looks < looksMax; looks++) {
    const found = await call(`${url}/read`);
    if (found.orders.length === count) return found;
  }
  throw new Error(`${count} messages were not taken`);
}

test('gatehouse dev has KV, D1, queues and R2, and neither kill -9 nor other hosts lose anything of them', async (t) => {
  const directory = temporary(t, { 'wrangler.json': config, 'index.mjs': source });
  const state = join(directory, '.gatehouse/state');
  const start = (...args: string[]): Gatehouse =>
    new Gatehouse(t, 'dev', directory, '--dashboard-port', 'off', '--no-watch', ...args);
  const first = start();
  const url = await first.url();
  const create = ['objects', 'sql', 'd1_databases', 'shop', 'CREATE TABLE orders (body TEXT)'];
  equal((await runCaptured(...create, '--write', '--data', state)).code, 0);
  equal(await call(`${url}/write`, 'POST', 'x'), 'an object');
  await call(`${url}/send`, 'POST', 'a');
  await readOrders(url, 1);
  equal(await call(`${url}/send`, 'POST', 'hang'), 'sent');
  await first.says(/hanging/);
  await first.end('SIGKILL');

  const buckets = join(state, 'buckets');
  const [bucket] = readdirSync(buckets);
  const old = new Date('2026-01-01');
  for (const name of ['left-by-a-crash', 'lately']) writeFileSync(join(buckets, bucket!, name), '');
  utimesSync(join(buckets, bucket!, 'left-by-a-crash'), old, old);
  const again = await start('--hosts', '2').url();
  await call(`${again}/send`, 'POST', 'b');
  deepEqual(await readOrders(again, 3), { kv: 'x', orders: ['a1', 'b1', 'hang2'], image: 100_000 });
  // The image, and the file without a record: it is kept for 30 days.
  const left = readdirSync(join(buckets, bucket!));
  deepEqual([left.length, left.includes('lately')], [2, true]);
  match((await runCaptured('objects', 'list', '--data', state)).stdout, /d1_databases\s+\S+\s+shop/);
});
