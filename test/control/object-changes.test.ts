/**
 * Changes to objects of the server over its API: only to those of zones, only if the operator allows it, and audited.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sessionCookie } from '#contract';
import { type Envelope, TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let objects: string;
let zone: string;
let confirm: string;
before(async () => {
  control = await TestControl.open({ allowsObjectWrites: true });
  const { directory } = control.control;
  objects = `/accounts/${directory.accountId}/objects`;
  zone = control.zone('enterprise');
  confirm = directory.zones.get(zone)!.name;
});
after(() => control.close());

function execute(place: string, sql: string, name = confirm): Promise<Envelope> {
  return control.call(`POST ${objects}/${place}/execute`, { body: { sql, confirm: name } });
}

function refusalOf({ status, errors }: Envelope): unknown[] {
  return [status, errors[0]?.code];
}

async function listFilters(): Promise<string[]> {
  const { result } = await control.call(`GET /zones/${zone}/filters`);
  return result.map(({ expression }: { expression: string }) => expression);
}

test('objects.execute writes into the object of a zone, which serves it at once, audited and undoable', async () => {
  const { success } = await control.call(`POST /zones/${zone}/filters`, {
    body: [{ expression: 'ip.src eq 192.0.2.1' }],
  });
  ok(success);
  deepEqual(await listFilters(), ['ip.src eq 192.0.2.1']);
  const sql = `UPDATE filters SET expression = 'ip.src eq 192.0.2.2' RETURNING expression`;
  const { result, errors } = await execute(`Zone/${zone}`, sql);
  deepEqual(errors, []);
  deepEqual([result.columns, result.rows], [['expression'], [['ip.src eq 192.0.2.2']]]);
  ok(result.rows_written > 0);
  deepEqual(await listFilters(), ['ip.src eq 192.0.2.2']);
  const { accountId } = control.control.directory;
  const { result: audit } = await control.call(`GET /accounts/${accountId}/audit_logs?per_page=1`);
  equal(audit[0].metadata.operation, 'objects.execute');
  deepEqual([audit[0].resource, audit[0].newValueJson.sql], [{ type: 'object', id: zone }, sql]);
  const restored = await control.call(`POST ${objects}/Zone/${zone}/restore`, {
    body: { bookmark: result.undo, confirm },
  });
  deepEqual(restored.errors, []);
  deepEqual(await listFilters(), ['ip.src eq 192.0.2.1']);
});

test('objects.execute refuses what fails, what never ends, what is not confirmed, and then has written nothing', async () => {
  const before = await listFilters();
  const filters = `Zone/${zone}`;
  deepEqual(refusalOf(await execute(filters, 'DELETE FROM filters', 'yes')), [400, 11308]);
  deepEqual(refusalOf(await execute(filters, 'DELETE FROM filters; SELECT * FROM nothing')), [400, 11304]);
  const endless =
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) INSERT INTO filters SELECT x FROM n';
  match(JSON.stringify(refusalOf(await execute(filters, endless))), /400,1130[45]/);
  deepEqual(refusalOf(await execute(filters, "INSERT INTO _cf_KV VALUES ('a', 'b')")), [400, 11304]);
  deepEqual(await listFilters(), before);
});

test('the objects of the program cannot be changed, whatever the setting says', async () => {
  const classes = [
    'Account/account',
    `Sessions/${(await control.call(`GET ${objects}/Sessions`)).result[0].name}`,
  ];
  for (const place of classes) {
    const { result } = await control.call(`GET ${objects}/${place}`);
    equal(result.is_writable, false);
    match(result.write_refusal, /the program's own state/);
    deepEqual(refusalOf(await execute(place, 'DELETE FROM audit', result.confirm)), [403, 11309]);
    const body = { key: 'a', value: '1', confirm: result.confirm };
    deepEqual(refusalOf(await control.call(`PUT ${objects}/${place}/value`, { body })), [403, 11309]);
    const gone = await control.call(`DELETE ${objects}/${place}/value?key=a&confirm=${result.confirm}`);
    deepEqual(refusalOf(gone), [403, 11309]);
  }
});

test('objects of zones cannot be changed unless the operator allows it, nor by a token that may only read', async () => {
  const { headers } = await makeToken(control, { groups: ['Account Objects Read'] });
  const body = { sql: 'DELETE FROM filters', confirm };
  equal((await control.call(`POST ${objects}/Zone/${zone}/execute`, { headers, body })).status, 403);
  const locked = await TestControl.open();
  try {
    const other = locked.zone('free');
    await locked.call(`POST /zones/${other}/filters`, { body: [{ expression: 'ip.src eq 192.0.2.1' }] });
    const place = `/accounts/${locked.control.directory.accountId}/objects/Zone/${other}`;
    const { result } = await locked.call(`GET ${place}`);
    equal(result.is_writable, false);
    match(result.write_refusal, /object_writes of the server is off/);
    const refused = await locked.call(`POST ${place}/execute`, {
      body: { sql: 'DELETE FROM filters', confirm: result.confirm },
    });
    deepEqual(refusalOf(refused), [403, 11309]);
  } finally {
    await locked.close();
  }
});

test('objects.putValue stores a typed value in a zone, and refuses one that changed or is none', async () => {
  const place = `${objects}/Zone/${zone}/value`;
  const put = (key: string, value: string, version?: string): Promise<Envelope> =>
    control.call(`PUT ${place}`, {
      body: { key, value, confirm, ...(version === undefined ? {} : { version }) },
    });
  deepEqual((await put('seen', '{"$map": [["a", {"$date": "2026-01-31T12:00:00Z"}]]}', 'none')).errors, []);
  const { result } = await control.call(`GET ${place}?key=seen`);
  deepEqual([result.type, result.shown], ['Map', "Map(1) { 'a' => 2026-01-31T12:00:00.000Z }"]);
  deepEqual(JSON.parse(result.json), { $map: [['a', { $date: '2026-01-31T12:00:00.000Z' }]] });
  deepEqual(refusalOf(await put('seen', '1', 'none')), [412, 11310]);
  deepEqual((await put('seen', '1', result.version)).errors, []);
  deepEqual(refusalOf(await put('seen', '2', result.version)), [412, 11310]);
  deepEqual(refusalOf(await put('seen', '{"$date": "soon"}')), [400, 11312]);
  deepEqual(refusalOf(await put('seen', '{"$undefined": true}')), [400, 11311]);
  const { result: values } = await control.call(`GET ${place}s`);
  deepEqual(
    values.map(({ key, type, shown }: any) => [key, type, shown]),
    [['seen', 'number', '1']],
  );
  deepEqual((await control.call(`GET ${place}s?after=seen`)).result, []);
  deepEqual((await control.call(`DELETE ${place}?key=seen&confirm=${confirm}`)).errors, []);
  deepEqual(refusalOf(await control.call(`DELETE ${place}?key=seen&confirm=${confirm}`)), [404, 11313]);
  deepEqual(refusalOf(await control.call(`GET ${place}?key=seen`)), [404, 11313]);
});

test('objects.listAlarms lists what is due, objects.runAlarm does it now, and it is not cancelled', async () => {
  const { accountId } = control.control.directory;
  const lists = `/accounts/${accountId}/rules/lists`;
  const { result: list } = await control.call(`POST ${lists}`, { body: { name: 'alarmed', kind: 'ip' } });
  await control.call(`POST ${lists}/${list.id}/items`, { body: [{ ip: '192.0.2.9' }] });
  const { result: alarms } = await control.call(`GET /accounts/${accountId}/object_alarms?class=Account`);
  deepEqual(
    alarms.map(({ name, can_run_alarm, can_cancel_alarm }: any) => [name, can_run_alarm, can_cancel_alarm]),
    [['account', true, false]],
  );
  const alarm = `${objects}/Account/account/alarm`;
  deepEqual(refusalOf(await control.call(`DELETE ${alarm}`)), [403, 11309]);
  equal((await control.call(`POST ${alarm}`)).result.outcome, 'completed');
  await control.clock.advance(60_000);
  deepEqual(refusalOf(await control.call(`POST ${alarm}`)), [404, 11314]);
});

test('Control.followChanged ends the sessions that are gone when an operator has put their object back', async () => {
  const { control: program } = control;
  const { headers } = await makeToken(control, { groups: ['Zone Read'] });
  const sign = () => program.openSession({ headers, address: '127.0.0.1' });
  const find = ({ secret }: { secret: string }) =>
    program.findSession({ cookie: `${sessionCookie}=${secret}` });
  const first = await sign();
  const id = program.runtime.namespace('Sessions').idFromName('sessions');
  const history = program.runtime.history(id);
  const before = await history.current();
  const second = await sign();
  ok(find(first) !== undefined && find(second) !== undefined);
  await history.restore(before);
  await program.followChanged('Sessions', id);
  ok(find(first) !== undefined && find(second) === undefined);
});
