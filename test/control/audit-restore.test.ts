/** Audit logs survive every kind of restore of a zone or the account, and record it. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { openRecorded } from '#hosts';
import { TestControl } from './harness.ts';

let control: TestControl;
let logs: string;
before(async () => {
  control = await TestControl.open({ allowsObjectWrites: true });
  logs = `/accounts/${control.control.directory.accountId}`;
});
after(() => control.close());

interface Entry {
  readonly metadata: { readonly operation: string; readonly sequence: number };
  readonly oldValueJson: unknown;
  readonly newValueJson: any;
  readonly resource: { readonly id: string };
}

async function addFilter(zone: string, host: string): Promise<void> {
  const { errors } = await control.call(`POST /zones/${zone}/filters`, {
    body: [{ expression: `http.host eq "${host}"` }],
  });
  deepEqual(errors, []);
}

async function readLog(path: string): Promise<Entry[]> {
  return (await control.call(`GET ${path}/audit_logs?direction=asc&per_page=1000`)).result as Entry[];
}

async function listOperations(zone: string): Promise<string[]> {
  return (await readLog(`/zones/${zone}`)).map(({ metadata }) => metadata.operation);
}

async function verify(zone: string): Promise<any> {
  return (await control.call(`GET /zones/${zone}/audit_logs/verify`)).result;
}

const zoneHistory = (zone: string) =>
  control.control.runtime.history(control.control.runtime.namespace('Zone').idFromName(zone));

test('a restore over the API takes no audit entry back, and is an entry of the zone and of the account', async () => {
  const zone = control.zone('pro');
  await addFilter(zone, 'one.example');
  const bookmark = await zoneHistory(zone).current();
  await addFilter(zone, 'two.example');
  const { result, errors } = await control.call(`POST ${logs}/objects/Zone/${zone}/restore`, {
    body: { bookmark, confirm: 'pro.example' },
  });
  deepEqual(errors, []);
  equal((await control.call(`GET /zones/${zone}/filters`)).result.length, 1);
  deepEqual(await listOperations(zone), [
    'filters.create',
    'filters.create',
    'objects.restore',
    'zone.rewind',
  ]);
  const rewind = (await readLog(`/zones/${zone}`)).at(-1)!;
  deepEqual([rewind.oldValueJson, rewind.newValueJson], [{ audit_entries: 3 }, { audit_entries: 1 }]);
  deepEqual([(await verify(zone)).is_intact, (await verify(zone)).entries], [true, 4]);
  // After undo, the filter exists again, and the log has grown.
  await control.call(`POST ${logs}/objects/Zone/${zone}/restore`, {
    body: { bookmark: result.undo, confirm: 'pro.example' },
  });
  equal((await control.call(`GET /zones/${zone}/filters`)).result.length, 2);
  equal((await verify(zone)).entries, 6);
  const ofAccount = (await readLog(logs)).filter(({ resource }) => resource.id === zone);
  deepEqual(
    ofAccount
      .filter(({ metadata }) => /restore|rewind/.test(metadata.operation))
      .map((each) => each.metadata.operation)
      .toSorted(),
    [
      // Of the zone's own log, which is merged in.
      'objects.restore',
      'objects.restore',
      'objects.restore',
      'objects.restore',
      'zone.rewind',
      'zone.rewind',
      'zone.rewind',
      'zone.rewind',
    ],
  );
});

test('a zone that an operator puts back, also without the server, keeps its audit log and says so when it wakes', async () => {
  const zone = control.zone('free');
  await addFilter(zone, 'one.example');
  const bookmark = await zoneHistory(zone).current();
  await addFilter(zone, 'two.example');
  await zoneHistory(zone).restore(bookmark);
  deepEqual(await listOperations(zone), ['filters.create', 'filters.create', 'zone.rewind']);
  if (control.control.files !== undefined) {
    control = await control.restart({
      allowsObjectWrites: true,
      async meanwhile() {
        await using runtime = await openRecorded({ directory: control.directory });
        await runtime.history(runtime.namespace('Zone').idFromName(zone)).restore(bookmark);
      },
    });
  } else await zoneHistory(zone).restore(bookmark);
  deepEqual((await listOperations(zone)).slice(3), ['zone.rewind']);
  deepEqual([(await verify(zone)).is_intact, (await verify(zone)).entries], [true, 4]);
});

test('the account keeps its audit log and its anchors when it is put back', async () => {
  const history = () =>
    control.control.runtime.history(control.control.runtime.namespace('Account').idFromName('account'));
  const bookmark = await history().current();
  const { result } = await control.call('POST /zones', { body: { name: 'later.example' } });
  await addFilter(result.id, 'one.example');
  await history().restore(bookmark);
  const id = control.control.runtime.namespace('Account').idFromName('account');
  await control.control.followChanged('Account', id);
  equal((await control.call(`GET /zones/${result.id}`)).status, 404);
  const operations = new Set((await readLog(logs)).map(({ metadata }) => metadata.operation));
  ok(operations.has('zones.create') && operations.has('account.rewind'));
  const { result: trails } = await control.call(`GET ${logs}/audit_logs/verify`);
  ok(trails.every((trail: any) => trail.is_intact));
});

test('audit.verify names the entries that a log has lost, and entries in their place do not hide it', async () => {
  const zone = control.zone('business');
  for (const host of ['one.example', 'two.example', 'three.example']) await addFilter(zone, host);
  await control.clock.advance(1_000);
  await verify(zone);
  const execute = (sql: string) =>
    control.call(`POST ${logs}/objects/Zone/${zone}/execute`, { body: { sql, confirm: 'business.example' } });
  // The execution is an entry itself, the fourth.
  const { errors } = await execute(
    'DROP TRIGGER audit_is_not_deleted; DELETE FROM audit WHERE sequence > 1; UPDATE audit_mark SET sequence = 1',
  );
  deepEqual(errors, []);
  const cut = await verify(zone);
  deepEqual([cut.is_intact, cut.entries, cut.missing], [false, 1, { first_sequence: 2, last_sequence: 4 }]);
  for (const host of ['four.example', 'five.example', 'six.example', 'seven.example'])
    await addFilter(zone, host);
  await control.clock.advance(1_000);
  const grown = await verify(zone);
  deepEqual([grown.is_intact, grown.entries, grown.differs_from_anchor], [false, 5, true]);
});

test('a log from before there were marks is taken over as it is, and a restore to a state of that time is an entry', async () => {
  const zone = control.zone('enterprise');
  await addFilter(zone, 'one.example');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'));
  try {
    const file = join(folder, 'zone.sqlite');
    await zoneHistory(zone).exportTo(file);
    const database = new DatabaseSync(file);
    database.exec('DROP TABLE _cf_KEPT; DROP TABLE audit_mark');
    database.close();
    await zoneHistory(zone).importFrom(file, { replacesKept: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const old = await zoneHistory(zone).current();
  await addFilter(zone, 'two.example');
  deepEqual(await listOperations(zone), ['filters.create', 'filters.create']);
  await zoneHistory(zone).restore(old);
  const rewind = (await readLog(`/zones/${zone}`)).at(-1)!;
  deepEqual([rewind.metadata.sequence, rewind.newValueJson], [3, { audit_entries: null }]);
  equal((await verify(zone)).is_intact, true);
});
