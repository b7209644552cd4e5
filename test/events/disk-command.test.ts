import { deepEqual, equal, fail, match, ok } from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { realClock } from '#base';
import { openEventStore } from '#events';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { createRecorded } from '../../src/traffic/events/testing.ts';
import { TestControl } from '../control/harness.ts';

/** A data directory with events of two zones, without a running server. */
async function prepare(t: TestContext): Promise<{ directory: string; zoneIds: readonly string[] }> {
  const control = await TestControl.open();
  t.after(() => rmSync(control.directory, { recursive: true }));
  const zoneIds = [control.zone('pro'), control.zone('free')] as const;
  for (const id of zoneIds)
    await control.call(`POST /zones/${id}/filters`, { body: [{ expression: 'ssl' }] });
  await control.control.close();
  // The command uses the clock of the machine.
  const datetime = new Date(realClock.now()).toISOString();
  const store = await openEventStore({
    directory: join(control.directory, 'events'),
    clock: realClock,
    log: fail,
  });
  const record = (zoneId: string, ids: readonly string[]): Promise<void> =>
    store.append(
      zoneId,
      ids.map((id) => createRecorded(id, { datetime })),
      86_400_000,
    );
  await record(zoneIds[0], ['a', 'b', 'c']);
  await record(zoneIds[1], ['d']);
  await store.close();
  return { directory: control.directory, zoneIds };
}

test('gatehouse disk shows the parts of a directory, each object and the events of each zone', async (t) => {
  const { directory, zoneIds } = await prepare(t);
  const { code, stdout, stderr } = await runCaptured('disk', '--data', directory, '--json');
  deepEqual([code, stderr], [0, '']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const parts = rows.filter(({ kind }) => kind === 'part');
  deepEqual(
    parts.map(({ name }) => name),
    ['journal', 'images', 'tables', 'events', 'traffic'],
  );
  const objects = rows.filter(({ kind }) => kind === 'object');
  ok(objects.some((row) => row.class === 'Account' && row.journal > 0));
  ok(
    zoneIds.every((id) => objects.some((row) => row.class === 'Zone' && row.name === id && row.journal > 0)),
  );
  const events = rows.filter(({ kind }) => kind === 'events');
  deepEqual(
    events.map(({ zone, events: count }) => [zone, count]),
    [
      [zoneIds[0], 3],
      [zoneIds[1], 1],
    ],
  );
  const plain = await runCaptured('disk', '--data', directory);
  match(plain.stdout, /^part {2}journal {2}bytes \d+$/m);
});

test('gatehouse disk says which directory has no data', async (t) => {
  const { directory } = await prepare(t);
  const { code, stderr } = await runCaptured('disk', '--data', join(directory, 'none'));
  equal(code, 1);
  match(stderr, /there is no data in .*none: choose the directory with --data/);
});

test('gatehouse objects scrub finds damaged events', async (t) => {
  const { directory } = await prepare(t);
  const events = join(directory, 'events');
  const file = readdirSync(events).find((name) => name.endsWith('.events'));
  const bytes = readFileSync(join(events, file!));
  bytes[32 + bytes.readUInt32LE(40) - 3]! ^= 0xff;
  writeFileSync(join(events, file!), bytes);
  const { code, stdout } = await runCaptured('objects', 'scrub', '--data', directory);
  equal(code, 1);
  match(stdout, /\.events {2}\d+ {2}a section of a block is broken/);
});
