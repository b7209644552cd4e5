/**
 * Damage in one part of a data directory takes that part out of service, with its reason; everything else keeps
 * working.
 */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporary } from '../server/gatehouse.ts';
import { UploadSite } from '../wrangler/upload-site.ts';
import { environment, fillSite, look, whole } from './full-site.ts';
import { kinds, readRows, walkDirectory } from './kinds.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));

/** Changes one bit, in the middle of a file by default. */
function flip(file: string, place = 0.5): void {
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length * place)]! ^= 4;
  writeFileSync(file, bytes);
}

async function scrub(data: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const command = spawn(process.execPath, [main, 'objects', 'scrub', '--data', data]);
  const [stdout, stderr] = [text(command.stdout), text(command.stderr)];
  const [code] = (await once(command, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}

test('each kind of file has a row in the guide that says what becomes of it when it is damaged', () => {
  deepEqual([...new Set(kinds.map(({ row }) => row))].toSorted(), readRows().toSorted());
});

test('serve takes only what is damaged out of service, says why, and serves it again when it is put back', async (t) => {
  const directory = temporary(t);
  const first = await fillSite(t, directory);
  deepEqual(await look(first), whole);
  const { token } = first.ready;
  const scripts = (await first.call('GET A/workers/scripts')).result as { id: string; tag: string }[];
  const counter = `@${scripts.find(({ id }) => id === 'counter')!.tag}`;
  // A stop makes a segment of the events.
  equal(await first.server.end('SIGTERM'), 0);
  const data = join(directory, 'data');
  const met = new Set(Array.from(walkDirectory(data).values(), ({ kind }) => kind));
  const unmet = kinds.filter((kind) => !met.has(kind) && kind.elsewhere === undefined);
  deepEqual(unmet, [], 'the site has one of each kind');
  const kept = join(directory, 'kept');
  cpSync(data, kept, { recursive: true });

  // In all places at once: each has its own reason, and none affects another.
  rmSync(join(data, 'hosts.json'));
  for (const name of ['gatehouse.json', 'gatehouse.json.copy']) rmSync(join(data, 'stores', name));
  const keys = ['certificates.key', 'certificates.key.copy'];
  for (const name of keys) rmSync(join(data, name));
  const workers = readdirSync(join(data, 'workers')).filter((name) => name.startsWith('@'));
  equal(workers.length, 4);
  for (const name of ['gatehouse.json', 'gatehouse.json.copy']) flip(join(data, 'workers', counter, name));

  const stopped = await scrub(data);
  equal(stopped.code, 1);
  for (const part of ['hosts.json is missing', 'stores', counter])
    match(stopped.stdout, new RegExp(`^.*${part}.*$`, 'm'));

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
  for (const name of keys) cpSync(join(kept, name), join(data, name));
  await site.server.said(/is available again.*Worker secret/);
  for (const name of ['counter', 'stores'])
    await site.server.said(new RegExp(`is available again.*Worker ${name}`));
  deepEqual(await look(site), whole);

  const { stderr: unchecked, ...found } = await scrub(data);
  deepEqual(found, { code: 0, stdout: 'nothing is damaged or missing\n' });
  match(unchecked, /^not checked, .*: logpush, (?:logpush-files, )?logs, stores\/buckets\n$/);
  const segment = readdirSync(join(data, 'stores', 'host-0', 'journal')).find((name) =>
    name.endsWith('.log'),
  )!;
  flip(join(data, 'stores', 'host-0', 'journal', segment), 0.0001);
  const [code] = readdirSync(join(data, 'worker-code'));
  flip(join(data, 'worker-code', code!));
  const live = await scrub(data);
  equal(live.code, 1);
  match(live.stdout, new RegExp(`^${data}/worker-code/${code} .* does not match its name$`, 'm'));
  match(live.stdout, new RegExp(`^${data}/stores/host-0/journal/${segment} `, 'm'));
});
