/** A backup of a running server: all of its logs, as of one moment. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findEntryKind } from '../../src/api/operator/directory-contents.ts';
import { runCaptured } from '../../src/program/cli/testing.ts';
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
      const file = await env.FILES.get('n').catch(() => ({ text: async () => { throw 1; } }));
      return Response.json([
        (await env.DB.prepare('SELECT max(n) AS n FROM t').first()).n,
        await object.read(),
        file === null ? 0 : await file.text().then(Number, () => 'lost'),
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
  for (let round = 1; round <= 2; round++) {
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
  const moment = { n: load.acknowledged, time: Date.now() };
  // Times in a log are whole milliseconds.
  while (Date.now() <= moment.time + 1) await site.read('chain', '/read');
  await site.read('chain', `/?n=${moment.n + 1}`);
  checkNames(data);

  // Nothing is omitted silently: undeclared files are copied, and files that cannot be copied are named.
  writeFileSync(join(data, 'notes.txt'), 'ours');
  writeFileSync(join(data, 'workers/notes.txt'), 'ours, too');
  symlinkSync('nowhere', join(data, 'dangling'));
  const refused = await runCaptured('backup', join(directory, 'backup'), '--data', data);
  equal(refused.code, 1);
  match(refused.stderr, /cannot back up .*\/data\/dangling: it is a link to nowhere.*remove the link/);
  rmSync(join(data, 'dangling'));

  // A Worker whose process is not running is copied as well.
  const broken = await site.call('PUT W/chain/secrets', { name: 'S', text: 's', type: 'secret_text' });
  ok(broken.success, JSON.stringify(broken.errors));
  const backup = await runCaptured('backup', join(directory, 'backup'), '--data', data);
  equal(backup.code, 0, backup.stderr);
  const list = readFileSync(join(directory, 'backup/backup.jsonl'), 'utf8');
  match(list, /"path":"notes.txt"/);
  match(list, /"path":"workers\/notes.txt"/);
  equal(await site.server.end('SIGTERM'), 0);

  // To the moment between two acknowledged rounds, in all logs.
  const past = join(directory, 'past/data');
  const back = [
    'restore',
    join(directory, 'backup'),
    '--to',
    past,
    '--time',
    new Date(moment.time).toISOString(),
  ];
  const restored = await runCaptured(...back);
  // Contents of buckets have no history: those that were replaced since are reported as lost.
  equal(restored.code, 1, restored.stderr);
  match(
    restored.stderr,
    // Long work reports its progress.
    /^(?:checking the [a-z ]+: \d+\n)*lost: stores\/buckets\/\w+\/\w+, which r2_buckets files names, is not in the backup\n$/,
  );
  const then = await UploadSite.start(t, { directory: dirname(past), token: site.ready.token });
  deepEqual(JSON.parse(await then.read('chain', '/read')), [moment.n, moment.n, 'lost']);
  equal(await then.server.end('SIGTERM'), 0);

  // Stopped, the same command copies the same.
  const cold = await runCaptured('backup', join(directory, 'cold'), '--data', data, '--json');
  equal(cold.code, 0, cold.stderr);
  // File names of a log change over time.
  const findKept = (text: string): Set<string> =>
    new Set(
      [...text.matchAll(/"path":"([^"]+)"/g)]
        .map(([, path]) => path!.replace(/(?<=(?:journal|tables|images)\/).*/, ''))
        .filter((path) => !/^(?:events|traffic)\//.test(path)),
    );
  const coldList = readFileSync(join(directory, 'cold/backup.jsonl'), 'utf8');
  deepEqual(findKept(coldList), findKept(list));

  // A list without a log that the directory names is not a whole backup.
  const lacking = coldList.split('\n').filter((line) => !line.includes('"path":"stores/host-0/journal'));
  writeFileSync(join(directory, 'cold/backup.jsonl'), lacking.join('\n'));
  const incomplete = await runCaptured(
    'restore',
    join(directory, 'cold'),
    '--to',
    join(directory, 'lacking'),
  );
  equal(incomplete.code, 1);
  match(incomplete.stderr, /it has no log for stores/);
  equal(existsSync(join(directory, 'lacking')), false);
});

function checkNames(data: string): void {
  const workers = readdirSync(join(data, 'workers')).map((name) => `workers/${name}`);
  for (const folder of ['', 'stores', ...workers])
    for (const name of readdirSync(join(data, folder)))
      ok(findEntryKind(name) !== undefined, `${folder}/${name} is not in the table of directory-contents.ts`);
}
