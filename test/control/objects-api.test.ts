/** Inspecting the objects of the server over its API, and restoring a zone. */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let objects: string;
let zone: string;
let zoneName: string;
before(async () => {
  control = await TestControl.open();
  const { directory } = control.control;
  objects = `/accounts/${directory.accountId}/objects`;
  zone = control.zone('enterprise');
  zoneName = directory.zones.get(zone)!.name;
});
after(() => control.close());

async function createFilter(expression: string): Promise<void> {
  const { success, errors } = await control.call(`POST /zones/${zone}/filters`, { body: [{ expression }] });
  ok(success, JSON.stringify(errors));
  await control.clock.advance(1_000);
}

async function get(path: string): Promise<any> {
  const { result, errors } = await control.call(`GET ${objects}${path}`);
  deepEqual(errors, []);
  return result;
}

function query(place: string, body: object) {
  return control.call(`POST ${objects}/${place}/query`, { body });
}

async function readFilters(at?: string): Promise<unknown[]> {
  const body = {
    sql: 'SELECT expression FROM filters ORDER BY sequence',
    ...(at === undefined ? {} : { at }),
  };
  return (await query(`Zone/${zone}`, body)).result.rows.flat();
}

test('objects.listClasses lists the classes of the program with what they hold', async () => {
  const classes = await get('');
  const account = classes.find(({ name }: { name: string }) => name === 'Account');
  deepEqual(account, { name: 'Account', storage: 'sql', objects: 1 });
  equal(classes.find(({ name }: { name: string }) => name === 'TokenUses').storage, 'kv');
});

test('objects.list finds an object by the name of its zone, with its size', async () => {
  await createFilter('ip.src eq 192.0.2.1');
  const found = await get(`/Zone?search=${zoneName}`);
  deepEqual(
    found.map(({ name, zone_name }: any) => [name, zone_name]),
    [[zone, zoneName]],
  );
  ok(found[0].bytes > 0 && found[0].bytes % 4096 === 0);
  const detail = await get(`/Zone/${zone}`);
  equal(detail.id, found[0].id);
  equal(detail.is_restorable, true);
  match(detail.bookmark, /^[0-9a-f]{8}-/);
  equal((await get(`/Zone/${detail.id}`)).id, detail.id);
});

test('objects.listTables counts the rows, and objects.query reads them', async () => {
  await createFilter('ip.src eq 192.0.2.2');
  const tables = await get(`/Zone/${zone}/tables`);
  const filters = tables.find(({ name }: { name: string }) => name === 'filters');
  equal(filters.rows, (await readFilters()).length);
  ok(filters.columns.includes('expression'));
  const { result } = await query(`Zone/${zone}`, {
    sql: 'SELECT 1 AS a, NULL AS b UNION ALL SELECT 2, 3',
    limit: 1,
  });
  deepEqual(result, { columns: ['a', 'b'], rows: [[1, null]], has_more: true });
});

test('objects.query takes the longest SQL, whatever characters it has', async () => {
  const end = 'SELECT 1';
  // As JSON, each line feed is two characters: more than an argument of a process can have.
  const sql = `${'\n'.repeat(100_000 - end.length)}${end}`;
  const { errors, result } = await query(`Zone/${zone}`, { sql });
  deepEqual(errors, []);
  deepEqual(result.rows, [[1]]);
});

test('objects.query refuses to write, to attach, and what is no SQL, and the object stays as it is', async () => {
  const before = await readFilters();
  for (const sql of [
    'DELETE FROM filters',
    'DROP TABLE filters',
    "ATTACH '/etc/passwd' AS other",
    'PRAGMA writable_schema = ON',
    'SELECT',
  ]) {
    const { status, errors } = await query(`Zone/${zone}`, { sql });
    deepEqual([status, errors[0]!.code], [400, 11304], sql);
  }
  deepEqual(await readFilters(), before);
});

test('objects.query is stopped when it never ends, and holds up nobody meanwhile', async () => {
  const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';
  const answered: string[] = [];
  const stopped = query(`Zone/${zone}`, { sql: endless }).finally(() => answered.push('endless'));
  await get(`/Zone/${zone}`).finally(() => answered.push('other'));
  const below = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
  await eventually(() => readNicenessOfCopies().includes(below), 'what is served goes before a copy');
  const { status, errors } = await stopped;
  deepEqual([status, errors[0]!.code], [400, 11305]);
  deepEqual(answered, ['other', 'endless']);
});

/** Of the processes that read a copy for this one. */
function readNicenessOfCopies(): number[] {
  return execFileSync('ps', ['-A', '-o', 'ppid=,ni=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(-?\d+)\s+(.*)/.exec(line))
    .filter((found) => Number(found?.[1]) === process.pid && found![3]!.includes('copy-process'))
    .map((found) => Number(found![2]));
}

test('objects.query, objects.export and values never show hashes of secrets or sealed keys', async () => {
  const hashOf = async (place: string, sql: string): Promise<unknown[]> => {
    const { errors, result } = await query(place, { sql });
    deepEqual(errors, []);
    return result.rows.flat();
  };
  const shown = [
    ...(await hashOf('Account/account', "SELECT hex(hash) || '' FROM tokens")),
    ...(await hashOf('Account/account', 'SELECT key_hash FROM users')),
  ];
  ok(shown.length >= 2);
  for (const each of shown) match(String(each), /^(?:hidden-\d+|68696464656E2D3\d+)$/);
  // The triggers of these tables did not run.
  const noted =
    'SELECT count(*) FROM directory_changes, account WHERE directory_changes.revision > account.revision';
  deepEqual(await hashOf('Account/account', noted), [0]);
  const answer = await control.control.answer({
    method: 'GET',
    target: `/client/v4${objects}/Account/account/export`,
    headers: { 'x-auth-email': 'owner@example.com', 'x-auth-key': control.control.bootstrapped!.key },
    address: '127.0.0.1',
    readBody: async () => Buffer.alloc(0),
  });
  equal(answer.headers['content-type'], 'application/vnd.sqlite3');
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-export-'));
  try {
    const file = join(directory, 'account.sqlite');
    writeFileSync(file, await buffer(answer.body as AsyncIterable<Uint8Array>));
    using database = new DatabaseSync(file);
    const { hash } = database.prepare('SELECT hash FROM tokens').get() as { hash: string };
    match(hash, /^hidden-/);
    deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('the columns that could hold secrets are those that are known', async () => {
  const found: string[] = [];
  for (const [className, object] of [
    ['Account', 'account'],
    ['Zone', zone],
    ['Sessions', (await get('/Sessions'))[0].name],
  ])
    for (const { name, columns } of await get(`/${className}/${object}/tables`))
      for (const column of columns)
        if (/hash|seal|secret|password|private/.test(column)) found.push(`${className}.${name}.${column}`);
  deepEqual(found, [
    'Account.alert_webhooks.sealed_secret',
    // The hash chain of the audit log is not a secret.
    'Account.audit.hash',
    'Account.audit_anchors.hash',
    'Account.list_sources.sealed_key',
    'Account.logpush_jobs.sealed_destination',
    'Account.tokens.hash',
    'Account.users.key_hash',
    'Account.worker_versions.sealed_secrets',
    'Zone.audit.hash',
    'Zone.custom_certificates.sealed_key',
    'Zone.managed_certificates.sealed_key',
    'Zone.managed_certificates.sealed_order_key',
    'Sessions.sessions.hash',
  ]);
});

test('objects.listValues decodes the values of an object with key-value storage', async () => {
  const token = await makeToken(control, { groups: ['Zone Read'] });
  await control.call('GET /zones', { headers: token.headers });
  await control.clock.advance(600_000);
  const [{ name }] = await get('/TokenUses');
  const values = await get(`/TokenUses/${name}/values`);
  ok(values.length > 0, 'a use of a token is stored');
  deepEqual(Object.keys(values[0]), ['key', 'type', 'bytes', 'shown']);
  const refused = await control.call(`GET ${objects}/TokenUses/${name}/history`);
  deepEqual([refused.status, refused.errors[0]!.code], [400, 11302]);
});

test('objects.list shows when the alarm of an object is due, until it has run', async () => {
  const lists = `/accounts/${control.control.directory.accountId}/rules/lists`;
  const { result: list } = await control.call(`POST ${lists}`, { body: { name: 'alarmed', kind: 'ip' } });
  await control.call(`POST ${lists}/${list.id}/items`, { body: [{ ip: '192.0.2.9' }] });
  ok(Date.parse((await get('/Account'))[0].alarm_on) >= control.clock.now());
  await control.clock.advance(60_000);
  equal((await get('/Account/account')).alarm_on, undefined);
});

test('objects.listHistory is a timeline, and each of its points can be read', async () => {
  await createFilter('ip.src eq 192.0.2.3');
  const [{ bookmark: earlier }] = await get(`/Zone/${zone}/history?limit=1`);
  const then = await readFilters();
  await createFilter('ip.src eq 192.0.2.4');
  const points = await get(`/Zone/${zone}/history`);
  ok(points.some(({ bookmark }: any) => bookmark === earlier));
  deepEqual(
    points,
    points.toSorted((a: any, b: any) => b.time.localeCompare(a.time)),
  );
  deepEqual(await readFilters(earlier), then);
  equal((await readFilters()).length, then.length + 1);
  equal((await get(`/Zone/${zone}/history?at=${earlier}&limit=1`))[0].bookmark, earlier);
  const { time } = points.find(({ bookmark }: any) => bookmark === earlier);
  equal((await get(`/Zone/${zone}/history?before=${time}&limit=1`))[0].bookmark, earlier);
  const tooEarly = await control.call(`GET ${objects}/Zone/${zone}/history?before=2020-01-01T00:00:00Z`);
  deepEqual([tooEarly.status, tooEarly.errors[0]!.code], [400, 11303]);
});

test('objects.restore puts a zone back, at once and audited, and its answer undoes it', async () => {
  const [{ bookmark }] = await get(`/Zone/${zone}/history?limit=1`);
  const then = await readFilters();
  await createFilter('ip.src eq 192.0.2.5');
  const listed = async (): Promise<number> =>
    (await control.call(`GET /zones/${zone}/filters`)).result.length;
  equal(await listed(), then.length + 1);
  const restore = `POST ${objects}/Zone/${zone}/restore`;
  const restored = await control.call(restore, { body: { bookmark, confirm: zoneName } });
  deepEqual(restored.errors, []);
  // The cached response is no longer used.
  equal(await listed(), then.length);
  deepEqual(await readFilters(), then);
  const { accountId } = control.control.directory;
  const { result: audit } = await control.call(`GET /accounts/${accountId}/audit_logs?per_page=1`);
  equal(audit[0].metadata.operation, 'objects.restore');
  deepEqual([audit[0].resource, audit[0].newValueJson.bookmark], [{ type: 'object', id: zone }, bookmark]);
  const { undo } = restored.result;
  notEqual(undo, bookmark);
  equal((await control.call(restore, { body: { bookmark: undo, confirm: zoneName } })).status, 200);
  equal(await listed(), then.length + 1);
  const { result: trails } = await control.call(`GET /accounts/${accountId}/audit_logs/verify`);
  ok(trails.every((trail: any) => trail.is_intact));
});

test('objects.restore refuses what is not confirmed, and the objects of the program', async () => {
  const [{ bookmark }] = await get(`/Zone/${zone}/history?limit=1`);
  const [account] = await get('/Account/account/history?limit=1');
  const cases = [
    [`Zone/${zone}`, { bookmark, confirm: 'something else' }, 11308],
    ['Account/account', { bookmark: account.bookmark, confirm: 'account' }, 11307],
    [`Zone/${zone}`, { bookmark: account.bookmark, confirm: zoneName }, 11303],
    [`Zone/${zone}`, { bookmark: 'yesterday', confirm: zoneName }, 10026],
  ] as const;
  for (const [place, body, code] of cases) {
    const { status, errors } = await control.call(`POST ${objects}/${place}/restore`, { body });
    deepEqual([status, errors[0]!.code], [400, code], place);
  }
});

test('objects that do not exist are not found, and looking for them creates none', async () => {
  for (const path of ['/Nothing', '/Zone/nobody', `/Zone/${'0'.repeat(64)}`, '/Account/other/tables']) {
    const { status, errors } = await control.call(`GET ${objects}${path}`);
    deepEqual([status, errors[0]!.code], [404, 11301], path);
  }
  equal((await get('/Account')).length, 1);
});

test('a token that may read objects cannot restore one', async () => {
  const { headers } = await makeToken(control, { groups: ['Account Objects Read'] });
  equal((await control.call(`GET ${objects}`, { headers })).status, 200);
  const body = { bookmark: 'x', confirm: zoneName };
  equal((await control.call(`POST ${objects}/Zone/${zone}/restore`, { headers, body })).status, 403);
});
