/** The control plane on several hosts of one cluster, and moving a data directory into a cluster and back. */
import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { createLog, realClock } from '#base';
import { joinCluster, readClusterStatus } from '#cluster';
import { Control } from '#control';
import type { OnProgress } from '#objects';
import { claimDataDirectory, loadDirectoryMoves, readConfig } from '#server';
import { readTestRules } from '../../src/rules/seclang/crs/testing.ts';
import { createAuthority, issueCertificate } from '#certificates';
import { eventOf, eventId } from '../control/security-zone.ts';
import { policy } from '../control/token-maker.ts';
import { eventually } from '../eventually.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PostgresServer, urlThrough } from './postgres-server.ts';

const { exportDirectory, importDirectory } = await loadDirectoryMoves();

/** Long enough that a busy machine is not mistaken for a dead one. */
const leaseMs = 30_000;
const name = 'gatehouse-serve';
const dayMs = 86_400_000;

let server: PostgresServer;
const directories = mkdtempSync(join(tmpdir(), 'gatehouse-control-'));
before(async () => {
  server = await PostgresServer.start();
});
after(async () => {
  await server.stop();
  // Not before: hosts that are closing still write to their databases.
  rmSync(directories, { recursive: true, force: true });
});

function createDirectory(): string {
  return mkdtempSync(join(directories, 'host-'));
}

interface AccountPart {
  answer(call: object): unknown;
}

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly result: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly errors: any;
}

class Host {
  readonly control: Control;
  readonly #token: string;

  constructor(control: Control, token = control.bootstrapped!.token) {
    this.control = control;
    this.#token = token;
  }

  /** In a cluster if there is a URL, in the directory otherwise. */
  static async open(
    directory: string,
    url: string | readonly string[] | undefined,
    token?: string,
    { waitMs = 15_000, failsOnErrors = true } = {},
  ): Promise<Host> {
    const cluster =
      url === undefined ? undefined : await joinCluster({ url, name, leaseMs, waitMs, listen: {} });
    const control = await Control.open({
      cluster,
      directory,
      durability: 'os',
      rateLimit: 'off',
      bootstrap: { accountName: 'Test', email: 'owner@example.com' },
      log: () => {},
      onError: (error) => {
        if (failsOnErrors) throw error;
      },
    });
    return new Host(control, token);
  }

  async call(route: string, body?: unknown, token = this.#token): Promise<Answer> {
    const [method, path] = route.split(' ') as [string, string];
    const { status, body: answer } = await this.control.answer({
      method,
      target: `/client/v4${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      address: '127.0.0.1',
      readBody: async () => Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    });
    return { status, ...(JSON.parse(answer as string) as Omit<Answer, 'status'>) };
  }

  /** The result of a call that must succeed. */
  async get(route: string, body?: unknown): Promise<Answer['result']> {
    const { status, result, errors } = await this.call(route, body);
    equal(status, 200, `${route}: ${JSON.stringify(errors)}`);
    return result;
  }

  get zone(): string {
    return [...this.control.directory.zones.values()].find(({ plan }) => plan === 'enterprise')!.id;
  }

  get lists(): string {
    return `/accounts/${this.control.directory.accountId}/rules/lists`;
  }
}

async function openTwo(t: TestContext): Promise<[Host, Host]> {
  const url = await server.createDatabase();
  const first = await Host.open(createDirectory(), url);
  t.after(() => first.control.close());
  const { token } = first.control.bootstrapped!;
  const second = await Host.open(createDirectory(), url, token);
  t.after(() => second.control.close());
  equal(second.control.bootstrapped, undefined);
  return [first, second];
}

test('hosts of a cluster: what is written to the account through one counts on the other when its caller is told', async (t) => {
  const [first, second] = await openTwo(t);
  const policies = [policy('allow', ['Zone Read'], ['zone.*'])];
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const { id, value } = await one.get('POST /user/tokens', { name: 'made for a test', policies });
    equal((await other.call('GET /user/tokens/verify', undefined, value)).status, 200);
    await other.get(`DELETE /user/tokens/${id}`);
    equal((await one.call('GET /user/tokens/verify', undefined, value)).status, 401);
    const zone = await one.get('POST /zones', {
      name: `${id}.example`,
      account: { id: one.control.directory.accountId },
    });
    await other.get(`POST /zones/${zone.id}/filters`, [{ expression: 'ip.src eq 192.0.2.1' }]);
    equal((await one.get(`GET /zones/${zone.id}/filters`)).length, 1);
    // The host that has the object reads it.
    const object = `/accounts/${one.control.directory.accountId}/objects/Zone/${zone.id}`;
    const sql = { sql: 'SELECT count(*) AS filters FROM filters' };
    for (const host of [one, other]) {
      const { rows } = await host.get(`POST ${object}/query`, sql);
      deepEqual(rows, [[1]]);
    }
    await other.get(`DELETE /zones/${zone.id}`);
    equal((await one.call(`GET /zones/${zone.id}/filters`)).status, 404);
  }
});

test('hosts of a cluster: no zone names a list that another host deletes', async (t) => {
  const [first, second] = await openTwo(t);
  const { zone } = first;
  for (let round = 0; round < 4; round++) {
    const list = await first.get(`POST ${first.lists}`, { name: `list_${round}`, kind: 'ip' });
    const [deleted, created] = await Promise.all([
      (round % 2 === 0 ? first : second).call(`DELETE ${first.lists}/${list.id}`),
      (round % 2 === 0 ? second : first).call(`POST /zones/${zone}/filters`, [
        { expression: `ip.src in $${list.name}` },
      ]),
    ]);
    equal(deleted.status === 200, created.status !== 200, JSON.stringify([deleted, created]));
  }
});

test('hosts of a cluster: sessions, events and counts of one are those of the other', async (t) => {
  const [first, second] = await openTwo(t);
  const { zone } = first;
  const { token } = first.control.bootstrapped!;
  const { secret } = await first.control.openSession({
    headers: { authorization: `Bearer ${token}` },
    address: '127.0.0.1',
  });
  const headers = { cookie: `gatehouse_session=${secret}` };
  const found = second.control.findSession(headers);
  ok(found !== undefined);
  await second.control.closeSession(found);
  equal(first.control.findSession(headers), undefined);

  const nowMs = realClock.now();
  const record = (host: Host, number: number, agoMs: number): Promise<void> => {
    const event = eventOf({ id: eventId(number), datetime: new Date(nowMs - agoMs).toISOString() });
    return host.control.appendEvents(zone, [{ event, judged: JSON.stringify({ rules: [] }) }], 30 * dayMs);
  };
  await record(first, 1, 3_000);
  await record(second, 2, 2_000);
  await record(second, 2, 2_000);
  await record(first, 3, 31 * dayMs);
  const events = `/zones/${zone}/security/events`;
  for (const host of [first, second]) {
    const ids = (await host.get(`GET ${events}`)).map(({ id }: { id: string }) => id);
    deepEqual(ids, [eventId(2), eventId(1)]);
    equal((await host.get(`GET ${events}/${eventId(1)}`)).id, eventId(1));
  }
  const minute = Math.floor(nowMs / 60_000);
  first.control.addTraffic([{ zoneId: zone, minute, counts: [1, 2] }]);
  second.control.addTraffic([{ zoneId: zone, minute, counts: [10, 20] }]);
  const since = new Date(nowMs - 3_600_000).toISOString();
  const count = async (host: Host): Promise<number> =>
    (await host.get(`GET /zones/${zone}/traffic?since=${since}`)).totals.requests;
  // Each host writes what it has counted before it answers.
  await count(first);
  equal(await count(second), 33);
  equal(await count(first), 33);
  // An edge that got no response sends a batch again.
  const rows = [{ zone_id: zone, minute, counts: [100] }];
  const traffic = `POST /accounts/${first.control.directory.accountId}/edge/traffic`;
  for (let times = 0; times < 2; times++) await first.get(traffic, { batch: 'one', rows });
  equal(await count(first), 133);

  // If a host exits while deleting a zone, any other host finishes the deletion.
  const account = first.control.runtime.namespace<AccountPart>('Account').getByName('account');
  const actor = { kind: 'system', userId: '', email: '', address: '' } as const;
  const input = { path: { zone_id: zone }, query: {}, body: undefined };
  await account.answer({ operation: 'zones.delete', input, actor, requestId: '' });
  await second.control.probe();
  deepEqual(second.control.directory.zonesToErase, []);
});

test('a control plane on two databases: zones of one that is away say so, and the others go on', async (t) => {
  const databases: Array<{ readonly way: FaultProxy; readonly name: string; readonly url: string }> = [];
  for (const hash of ['north', 'south']) {
    const way = await FaultProxy.start({ path: server.socketPath });
    const url = await server.createDatabase();
    databases.push({ way, name: new URL(url).pathname.slice(1), url: `${urlThrough(url, way)}#${hash}` });
  }
  const urls = databases.map(({ url }) => url);
  const host = await Host.open(createDirectory(), urls, undefined, {
    waitMs: 5_000,
    // They are what is expected.
    failsOnErrors: false,
  });
  t.after(async () => {
    await host.control.close();
    await Promise.all(databases.map(({ way }) => way.stop()));
  });
  const listNames = async (database: string, className: string): Promise<unknown[]> => {
    const rows = await server.execute(
      `SELECT convert_from(f.name, 'UTF8') AS name FROM gatehouse.fact f
        JOIN gatehouse.class c ON c.name = '${className}' AND get_byte(f.object, 0) = c.number`,
      database,
    );
    return rows.map((row) => row['name']);
  };
  const write = (zone: unknown): Promise<Answer> =>
    host.call(`POST /zones/${String(zone)}/filters`, [{ expression: `ip.src eq 192.0.2.${++writes}` }]);
  let writes = 0;
  const hasAccount = (await listNames(databases[0]!.name, 'Account')).length > 0;
  const [present, away] = hasAccount ? databases : databases.toReversed();
  const zonesOf = async ({ name: database }: { readonly name: string }): Promise<unknown[]> =>
    await listNames(database, 'Zone');
  // Where a zone is depends on its id.
  while ([await zonesOf(present!), await zonesOf(away!)].some(({ length }) => length === 0)) {
    const account = { id: host.control.directory.accountId };
    const { id } = await host.get('POST /zones', { name: `zone-${++writes}.example`, account });
    equal((await write(id)).status, 200);
  }
  const [[near], [far]] = [await zonesOf(present!), await zonesOf(away!)];
  away!.way.cut();
  const { status, errors } = await write(far);
  deepEqual([status, errors[0]?.code], [503, 10503]);
  match(errors[0].message, /waiting for its database, which does not answer/);
  equal((await write(near)).status, 200);
  away!.way.heal();
  await eventually(async () => (await write(far)).status === 200);
});

test('a cluster whose import was killed before its first object is not served, and is imported into again', async (t) => {
  const url = await server.createDatabase();
  const data = join(createDirectory(), 'data');
  claimDataDirectory(data, 'control plane');
  const before = await Host.open(data, undefined);
  const { token } = before.control.bootstrapped!;
  await before.control.close();
  // The state of an import at that moment: the tables exist and are empty.
  await (await joinCluster({ url, name, purpose: 'fill' })).leave();
  const refusal = /an import into the cluster is not complete: run gatehouse cluster import/;
  await rejects(Host.open(createDirectory(), url, token), refusal);
  const config = readConfig({ flags: { cluster: url }, environment: {}, directory: tmpdir() });
  const log = createLog({ level: 'error', format: 'text', write: () => {} });
  await rejects(
    exportDirectory({ config, directory: join(createDirectory(), 'out'), log, onProgress: () => {} }),
    refusal,
  );
  await importDirectory({ config, directory: data, log, onProgress: () => {} });
  const inside = await Host.open(createDirectory(), url, token);
  t.after(() => inside.control.close());
  equal((await inside.get('GET /zones')).length > 0, true);
});

test('gatehouse cluster import and export move everything, go on after an interruption, and refuse what is not theirs', async (t) => {
  const url = await server.createDatabase();
  const [data, again] = [join(createDirectory(), 'data'), join(createDirectory(), 'again')];
  claimDataDirectory(data, 'control plane');
  const before = await Host.open(data, undefined);
  t.after(() => before.control.close());
  const { zone, lists } = before;
  const { token } = before.control.bootstrapped!;
  await before.control.setCoreRules(readTestRules());
  await before.get(`POST /zones/${zone}/filters`, [{ expression: 'ip.src eq 192.0.2.1' }]);
  await before.get(`POST ${lists}`, { name: 'office', kind: 'ip' });
  const shop = issueCertificate(
    createAuthority('Elsewhere', Date.now()),
    ['shop.enterprise.example'],
    Date.now(),
  );
  await before.get(`POST /zones/${zone}/custom_certificates`, {
    certificate: shop.certificate.toString(),
    private_key: shop.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const event = eventOf({ id: eventId(1), datetime: new Date().toISOString() });
  await before.control.appendEvents(zone, [{ event, judged: JSON.stringify({ rules: [] }) }], 30 * dayMs);
  before.control.addTraffic([{ zoneId: zone, minute: Math.floor(Date.now() / 60_000), counts: [7] }]);
  const describe = async (host: Host): Promise<unknown> => ({
    filters: await host.get(`GET /zones/${zone}/filters`),
    lists: await host.get(`GET ${lists}`),
    event: (await host.get(`GET /zones/${zone}/security/events/${eventId(1)}`)).id,
    events: (await host.get(`GET /zones/${zone}/security/events`)).length,
    requests: (await host.get(`GET /zones/${zone}/traffic`)).totals.requests,
    keys: (await host.control.configurations.readZone(zone))?.certificates?.map(
      ({ privateKey }) => privateKey,
    ),
  });
  const expected = await describe(before);
  await before.control.close();

  // It exits halfway. Until another run has finished it, nothing is served.
  const config = readConfig({ flags: { cluster: url }, environment: {}, directory: tmpdir() });
  const log = createLog({ level: 'error', format: 'text', write: () => {} });
  const interruptAt =
    (where: string): OnProgress =>
    ({ step, done }) => {
      if (`${step} ${done}` === where) throw new Error('interrupted');
    };
  const onProgress = interruptAt('copying objects 2');
  await rejects(importDirectory({ config, directory: data, log, onProgress }), /^Error: interrupted$/);
  await rejects(
    Host.open(createDirectory(), url, token),
    /an import into the cluster is not complete: run gatehouse cluster import/,
  );
  const progress: OnProgress = () => {};
  const move = { config, log, onProgress: progress };
  const { copied, present, events } = await importDirectory({ ...move, directory: data });
  deepEqual([copied > 0, present, events], [true, 2, 1]);
  const inside = await Host.open(createDirectory(), url, token);
  t.after(() => inside.control.close());
  deepEqual(await describe(inside), expected);
  await rejects(
    importDirectory({ ...move, directory: data }),
    /being served by 1 host: stop gatehouse serve/,
  );
  await inside.get(`POST /zones/${zone}/filters`, [{ expression: 'ip.src eq 192.0.2.2' }]);
  const later = await describe(inside);
  const { hosts, ...cluster } = await readClusterStatus(url);
  deepEqual([cluster.name, cluster.objects > 0], [name, true]);
  deepEqual(
    hosts.filter(({ state }) => state === 'serving').map(({ address }) => address.replace(/\d+$/, '')),
    ['127.0.0.1:'],
  );
  await inside.control.close();
  await rejects(
    importDirectory({ ...move, directory: data }),
    new RegExp(`Zone ${zone} already exists with other content`),
  );

  for (const where of ['copying objects 2', 'copying events 1']) {
    const interrupted = exportDirectory({ ...move, directory: again, onProgress: interruptAt(where) });
    await rejects(interrupted, /^Error: interrupted$/);
    throws(() => claimDataDirectory(again, 'control plane'), /has other content/);
  }
  equal((await exportDirectory({ ...move, directory: again })).events, 1);
  await rejects(exportDirectory({ ...move, directory: again }), /is not empty/);
  const outside = await Host.open(again, undefined, token);
  t.after(() => outside.control.close());
  deepEqual(await describe(outside), later);
});
