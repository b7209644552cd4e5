/** A backup of a running server: all of its logs, as of one moment. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findEntryKind } from '../../src/operator/directory/contents.ts';
import { runCaptured } from '../../src/cli/testing.ts';
import { UploadSite } from '../wrangler/upload-site.ts';
import { temporary } from './gatehouse.ts';

/** Each round writes to the database, then to the object, then to the bucket, each when the one before is acknowledged. */
const chain = `
import { DurableObject } from 'cloudflare:workers';
export class Counter extends DurableObject {
  async next(n) { await this.ctx.storage.put('n', n); }
  async read() { return (await this.ctx.storage.get('n')) ?? 0; }
}
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const object = env.COUNTER.getByName('one');
    if (pathname === '/read') {
      const file = await env.FILES.get('n');
      return Response.json([
        (await env.DB.prepare('SELECT max(n) AS n FROM t').first()).n,
        await object.read(),
        file === null ? 0 : Number(await file.text()),
      ]);
    }
    if (pathname === '/begin') return Response.json(await env.DB.prepare('CREATE TABLE t (n INTEGER)').run());
    const n = Number(searchParams.get('n'));
    await env.DB.prepare('INSERT INTO t VALUES (?)').bind(n).run();
    await object.next(n);
    await env.FILES.put('n', String(n));
    return new Response('done');
  },
};`;

async function deployChain(site: UploadSite): Promise<void> {
  const { result: d1 } = await site.call('POST A/d1/database', { name: 'rows' });
  equal((await site.call('POST A/r2/buckets', { name: 'files' })).status, 200);
  const bindings = [
    { type: 'durable_object_namespace', name: 'COUNTER', class_name: 'Counter' },
    { type: 'd1', name: 'DB', id: d1.uuid },
    { type: 'r2_bucket', name: 'FILES', bucket_name: 'files' },
  ];
  const migrations = { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Counter'] }] };
  const uploaded = await site.deploy('chain', { code: chain, metadata: { bindings, migrations } });
  ok(uploaded.success, JSON.stringify(uploaded.errors));
  equal((await site.ask('chain.workers.example', '/begin')).status, 200);
}

test('a backup of a running server has the stores and the objects of Workers, all as of one moment', async (t) => {
  const directory = temporary(t);
  const site = await UploadSite.start(t, { directory });
  await deployChain(site);
  const load = { acknowledged: 0, isDone: false };
  const writing = (async () => {
    for (let n = 1; !load.isDone; n++) {
      equal(await site.read('chain', `/?n=${n}`), 'done');
      load.acknowledged = n;
    }
  })();
  const data = join(directory, 'data');
  for (let round = 1; round <= 3; round++) {
    const before = load.acknowledged;
    while (load.acknowledged < before + 5) await site.read('chain', '/read');
    const asked = load.acknowledged;
    // The first is whole, the others are brought up to date.
    const backup = await runCaptured('backup', join(directory, 'backup'), '--data', data);
    equal(backup.code, 0, backup.stderr);
    const place = join(directory, `restored-${round}`);
    const restored = await runCaptured('restore', join(directory, 'backup'), '--to', join(place, 'data'));
    equal(restored.code, 0, restored.stderr);
    const again = await UploadSite.start(t, { directory: place, token: site.ready.token });
    const [inDatabase, inObject, inBucket] = JSON.parse(await again.read('chain', '/read'));
    ok(inDatabase >= asked, `${inDatabase} rows, ${asked} were acknowledged before the backup`);
    ok(inDatabase - inObject <= 1 && inDatabase >= inObject, `database ${inDatabase}, object ${inObject}`);
    ok(inObject - inBucket <= 1 && inObject >= inBucket, `object ${inObject}, bucket ${inBucket}`);
    equal(await again.server.end('SIGTERM'), 0);
  }
  load.isDone = true;
  await writing;
  for (const folder of ['', 'stores', ...readdirSync(join(data, 'workers')).map((name) => `workers/${name}`)])
    for (const name of readdirSync(join(data, folder)))
      ok(findEntryKind(name) !== undefined, `${folder}/${name} is not in the table of directory/contents.ts`);
  equal(await site.server.end('SIGTERM'), 0);
});
