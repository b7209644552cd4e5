/** Damage in one part of a data directory takes that part out of service, with its reason; everything else serves. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporary } from '../server/gatehouse.ts';
import { UploadSite } from '../wrangler/upload-site.ts';
import { environment, fillSite, look, whole } from './full-site.ts';

/** Changes one bit in the middle of a file. */
function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 4;
  writeFileSync(file, bytes);
}

test('serve takes only what is damaged out of service, says why, and serves it again when it is put back', async (t) => {
  const directory = temporary(t);
  const first = await fillSite(t, directory);
  deepEqual(await look(first), whole);
  const { token } = first.ready;
  await first.server.end('SIGKILL');
  const data = join(directory, 'data');
  const kept = join(directory, 'kept');
  cpSync(data, kept, { recursive: true });

  // In all places at once: each has its own reason, and none is in the way of another.
  rmSync(join(data, 'hosts.json'));
  for (const name of ['gatehouse.json', 'gatehouse.json.copy']) rmSync(join(data, 'stores', name));
  rmSync(join(data, 'certificates.key'));
  const workers = readdirSync(join(data, 'workers')).filter((name) => name.startsWith('@'));
  equal(workers.length, 4);
  const [counter] = workers.filter((name) => readdirSync(join(data, 'workers', name)).includes('journal'));
  ok(counter !== undefined, 'that of the Worker with objects');
  for (const name of ['gatehouse.json', 'gatehouse.json.copy']) flip(join(data, 'workers', counter, name));

  const site = await UploadSite.start(t, { directory, environment, token });
  deepEqual(await look(site), {
    ...whole,
    kv: '503 10910',
    d1: '503 10910',
    r2: '503 10910',
    counter: '502',
    stores: '502',
    secret: '502',
  });
  deepEqual(
    readdirSync(join(data, 'workers')).filter((name) => name.startsWith('@')),
    workers,
    'none is removed',
  );
  const { result: metrics } = await site.call('GET A/metrics');
  const parts = metrics.find(({ name }: { name: string }) => name === 'gatehouse_out_of_service').points;
  deepEqual(parts.map(({ labels }: { labels: { part: string } }) => labels.part).toSorted(), [
    'Worker counter',
    'Worker secret',
    'Worker stores',
    'stores',
  ]);
  match(site.server.stderr, /hosts\.json is missing: written again/);
  match(site.server.stderr, /out of service.*Worker secret.*certificates\.key is missing/);
  match(site.server.stderr, /out of service.*stores.*gatehouse\.json/);

  for (const name of ['stores', `workers/${counter}`])
    for (const mark of ['gatehouse.json', 'gatehouse.json.copy'])
      cpSync(join(kept, name, mark), join(data, name, mark));
  cpSync(join(kept, 'certificates.key'), join(data, 'certificates.key'));
  await site.server.said(/serves again.*Worker secret/);
  for (const name of ['counter', 'stores'])
    await site.server.said(new RegExp(`serves again.*Worker ${name}`));
  deepEqual(await look(site), whole);
});
