/** `gatehouse run` with objects in two processes: an endless query, in an object and in a D1 database. */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Gatehouse, temporary } from './gatehouse.ts';

const module = `
import { DurableObject } from 'cloudflare:workers';
const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
export class Room extends DurableObject {
  async hit() {
    const hits = ((await this.ctx.storage.get('hits')) ?? 0) + 1;
    await this.ctx.storage.put('hits', hits);
    return hits;
  }
  pid() { return process.pid; }
  query() { return this.ctx.storage.sql.exec(endless).one(); }
}
export default {
  async fetch(request, env) {
    const [name, method] = new URL(request.url).pathname.slice(1).split('/');
    try {
      return Response.json(await (name === 'd1' ? env.DB.prepare(endless).all() : env.ROOM.getByName(name)[method]()));
    } catch ({ message }) {
      return Response.json(message, { status: 500 });
    }
  },
};`;

const configuration = {
  name: 'rooms',
  main: 'index.mjs',
  compatibility_date: '2026-01-01',
  durable_objects: { bindings: [{ name: 'ROOM', class_name: 'Room' }] },
  migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
  d1_databases: [{ binding: 'DB', database_name: 'rooms', database_id: 'rooms' }],
};

test('gatehouse run ends the host of an endless query, tells its caller, and pauses the object or the database', async (t) => {
  const directory = temporary(t);
  mkdirSync(join(directory, 'project'));
  writeFileSync(join(directory, 'project', 'index.mjs'), module);
  writeFileSync(join(directory, 'project', 'wrangler.json'), JSON.stringify(configuration));
  const environment = { GATEHOUSE_OBJECT_HOSTS: '2' };
  const { server, ready } = await Gatehouse.start(t, {
    command: 'run',
    directory,
    args: ['project'],
    environment,
  });
  const { url } = ready as unknown as { readonly url: string };
  const ask = async (path: string): Promise<unknown> => (await fetch(`${url}/${path}`)).json();
  const pid = await ask('0/pid');
  const others: string[] = [];
  const beside: string[] = [];
  for (let i = 1; others.length === 0 || beside.length === 0; i++)
    ((await ask(`${i}/pid`)) === pid ? beside : others).push(String(i));
  const pidOfOthers = await ask(`${others[0]!}/pid`);
  equal(await ask(`${beside[0]!}/hit`), 1);

  match(
    (await ask('0/query')) as string,
    /exceeded timeout which caused object to be reset\..*statement WITH RECURSIVE/,
  );
  match((await ask('0/hit')) as string, /^Durable Object is paused until /);
  equal(await ask(`${beside[0]!}/hit`), 2);
  notEqual(await ask(`${beside[0]!}/pid`), pid);
  equal(await ask(`${others[0]!}/pid`), pidOfOthers);

  match((await ask('d1')) as string, /D1_ERROR: Durable Object storage operation exceeded timeout/);
  match((await ask('d1')) as string, /D1_ERROR: Durable Object is paused until /);
  deepEqual([await ask(`${beside[0]!}/hit`), await ask(`${others[0]!}/hit`)], [3, 1]);
  equal(await server.end('SIGTERM'), 0);
});
