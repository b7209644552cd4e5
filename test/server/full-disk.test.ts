/**
 * The view of clients and operators while the disk refuses writes: a specific code, reads that still work, and
 * readiness.
 */
import { deepEqual, equal, match, rejects, throws } from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { realFileSystem, createPrivateFile, writePrivateFile } from '#files';
import type { ApiResponse } from '#contract';
import { openEdgeSecret } from '../../src/program/server/edge/edge-secret.ts';
import { ReadinessCheck } from '../../src/program/server/readiness.ts';
import { Site } from '../../src/program/server/site.ts';
import { LocalAuthority } from '#certificates';
import { createRecorded } from '../../src/traffic/events/testing.ts';
import { TestControl } from '../control/harness.ts';
import { FaultyFileSystem } from '../faults/faulty-file-system.ts';
import { Gatehouse, temporary } from './gatehouse.ts';

function siteOf({ control }: TestControl): Site {
  const readiness = new ReadinessCheck({
    probe: () => control.probe(),
    onFailure: () => {},
    // Calls it again at once, and waits for a busy machine.
    freshMs: -1,
    timeoutMs: 60_000,
  });
  readiness.phase = 'running';
  return new Site({
    version: '0',
    readiness,
    metrics: () => [],
    api: () => (request) => control.answer(request),
    hasAdmin: false,
  });
}

async function readyOf(site: Site): Promise<Pick<ApiResponse, 'status' | 'body'>> {
  const { status, body } = await site.answer({
    method: 'GET',
    target: '/readyz',
    headers: {},
    address: '127.0.0.1',
    readBody: async () => new Uint8Array(),
  });
  return { status, body };
}

const cases = [
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EROFS', 'the disk is read-only'],
  ['EIO', 'the disk reports errors'],
] as const;

for (const [code, reason] of cases) {
  test(`the API answers 507 while the disk answers ${code}, still reads, and is not ready until a write succeeds`, async () => {
    const fs = new FaultyFileSystem(realFileSystem);
    const failures: unknown[] = [];
    const api = await TestControl.open({ fs, onError: (error) => failures.push(error) });
    try {
      const site = siteOf(api);
      const filters = `/zones/${api.zone('pro')}/filters`;
      const create = (host: string): ReturnType<TestControl['call']> =>
        api.call(`POST ${filters}`, { body: [{ expression: `http.host eq "${host}"` }] });
      const expressions = async (): Promise<string[]> =>
        (await api.call(`GET ${filters}`)).result.map((each: { expression: string }) => each.expression);
      equal((await create('before')).status, 200);
      deepEqual(await readyOf(site), { status: 200, body: 'ok\n' });

      fs.fail('write', { code, path: 'journal', times: Infinity });
      // The second meets an object that was reset for the first.
      for (const host of ['during', 'again']) {
        const refused = await create(host);
        deepEqual(
          [refused.status, refused.errors],
          [507, [{ code: 10507, message: `The change cannot be stored: ${reason}` }]],
        );
        equal(refused.headers['retry-after'], '30');
      }
      equal(failures.length, 2);
      match(String(failures[0]), /journal/, 'the log says which file it was');
      deepEqual(await expressions(), ['http.host eq "before"']);
      deepEqual(await readyOf(site), { status: 503, body: `${reason}: changes cannot be stored\n` });
      deepEqual(await readyOf(site), { status: 503, body: `${reason}: changes cannot be stored\n` });

      fs.heal();
      // Only the probe writes.
      deepEqual(await readyOf(site), { status: 200, body: 'ok\n' });
      equal((await create('after')).status, 200);
      deepEqual((await expressions()).toSorted(), ['http.host eq "after"', 'http.host eq "before"']);
    } finally {
      await api.close();
    }
  });
}

test('the server is not ready while events cannot be written, and keeps those that come later', async () => {
  const fs = new FaultyFileSystem(realFileSystem);
  const api = await TestControl.open({ fs });
  try {
    const site = siteOf(api);
    const zoneId = api.zone('pro');
    const append = (id: string): Promise<void> => {
      const datetime = new Date(api.clock.now()).toISOString();
      return api.control.appendEvents(
        zoneId,
        [createRecorded(`${id}-0`, { rayName: id, datetime })],
        86_400_000,
      );
    };
    await append('before');
    fs.fail('write', { code: 'ENOSPC', path: 'events/tail', times: Infinity });
    await rejects(append('during'));
    for (let time = 0; time < 2; time++) {
      deepEqual(await readyOf(site), { status: 503, body: 'the disk is full: changes cannot be stored\n' });
    }
    fs.heal();
    deepEqual(await readyOf(site), { status: 200, body: 'ok\n' });
    await append('after');
    const range = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
    const { events } = await api.control.files!.events.find(zoneId, range, { limit: 10, order: 'oldest' });
    deepEqual(
      events.map(({ rayName }) => rayName),
      ['before', 'after'],
    );
  } finally {
    await api.close();
  }
});

test('openEdgeSecret and LocalAuthority leave the files alone that are there', (t) => {
  const directory = temporary(t);
  const secretFile = join(directory, 'edge.secret');
  const secret = openEdgeSecret(secretFile);
  const authority = LocalAuthority.open(join(directory, 'tls'), Date.now());
  authority.getServerCertificate(['localhost'], Date.now());
  const stampOf = (): unknown =>
    ['edge.secret', 'tls/ca.pem', 'tls/ca.crt', 'tls/server.pem', 'tls', '.'].map((name) => {
      const { ino, mtimeNs } = statSync(join(directory, name), { bigint: true });
      return { name, ino, mtimeNs };
    });
  const before = stampOf();
  deepEqual(openEdgeSecret(secretFile), secret);
  LocalAuthority.open(join(directory, 'tls'), Date.now()).getServerCertificate(['localhost'], Date.now());
  deepEqual(stampOf(), before);
});

test('a private file that cannot be written leaves nothing behind, and the error has its path', (t) => {
  const directory = temporary(t);
  // A directory of that name cannot be replaced by a file.
  const file = join(directory, 'taken');
  mkdirSync(join(file, 'inside'), { recursive: true });
  throws(() => writePrivateFile(file, 'text'), {
    code: 'FILE_WRITE_FAILED',
    path: file,
    message: /taken: E/,
  });
  equal(createPrivateFile(file, 'text'), false);
  const missing = join(directory, 'nowhere', 'file');
  throws(() => createPrivateFile(missing, 'text'), { code: 'FILE_WRITE_FAILED', path: missing });
  deepEqual(readdirSync(directory), ['taken']);
});

test('gatehouse serve starts again with the same settings without writing a file that it has', async (t) => {
  const directory = temporary(t);
  const data = join(directory, 'data');
  const first = await Gatehouse.start(t, { directory });
  await first.server.end('SIGTERM');
  const port = new URL(first.ready.api).port;
  const names = ['edge.secret', 'gatehouse.json'];
  const stampsOf = (): unknown => names.map((name) => statSync(join(data, name), { bigint: true }).ino);
  const before = stampsOf();
  const args = ['--data', 'data', '--port', port, '--edge-port', '0', '--ready-file', 'ready.json'];
  const again = new Gatehouse(t, { directory, args });
  await again.said(/"ready"/);
  deepEqual(stampsOf(), before);
  equal(existsSync(join(data, 'lock-journal')), false);
  await again.end('SIGTERM');
  deepEqual(
    readdirSync(data).filter((name) => name.endsWith('.tmp')),
    [],
  );
});
