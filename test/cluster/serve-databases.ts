/**
 * `gatehouse serve --cluster` on two databases, in separate processes: `npm run test:cluster -- serve`. Zones are
 * spread over both; an unavailable database stops only its own zones, and no edge; everything recovers without
 * intervention; `gatehouse cluster` checks both and moves both.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TestOrigin } from '../edge/test-origin.ts';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PostgresServer, urlThrough } from './postgres-server.ts';
import { ServeHost, blockPath } from './serve-host.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));
const databaseNames = ['north', 'south'] as const;
const password = 'not-to-be-shown';
type DatabaseName = (typeof databaseNames)[number];

let postgres: PostgresServer;
before(async () => {
  postgres = await PostgresServer.start();
});
after(() => postgres.stop());

interface Database {
  readonly name: DatabaseName;
  /** Of the same server, through a proxy that can be cut. */
  readonly way: FaultProxy;
  readonly url: string;
}

async function createDatabases(t: TestContext): Promise<Database[]> {
  return await Promise.all(
    databaseNames.map(async (name) => {
      const way = await FaultProxy.start({ path: postgres.socketPath });
      t.after(() => way.stop());
      const url = new URL(urlThrough(await postgres.createDatabase(), way));
      // The server trusts every user.
      url.password = password;
      url.hash = name;
      return { name, way, url: url.href };
    }),
  );
}

/** Names of the objects of a class in a database. */
async function listObjects({ url }: Database, className: string): Promise<string[]> {
  const rows = await postgres.execute(
    `SELECT convert_from(f.name, 'UTF8') AS name FROM gatehouse.head h JOIN gatehouse.fact f USING (object)
      JOIN gatehouse.class c ON c.name = '${className}' AND get_byte(h.object, 0) = c.number`,
    new URL(url).pathname.slice(1),
  );
  return rows.map(({ name }) => String(name));
}

async function runCommand(
  directory: string,
  urls: string,
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const environment = { PATH: process.env['PATH'] ?? '', GATEHOUSE_CLUSTER: urls };
  try {
    const options = { cwd: directory, env: environment };
    return { code: 0, ...(await promisify(execFile)(process.execPath, [main, ...args], options)) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

interface Zone {
  readonly id: string;
  readonly name: string;
}

/** Creates zones until each database has some. */
async function createZones(
  host: ServeHost,
  databases: readonly Database[],
  origin: string,
): Promise<Record<DatabaseName, Zone[]>> {
  const zones: Zone[] = [];
  const places = { north: [] as Zone[], south: [] as Zone[] };
  while (databaseNames.some((name) => places[name].length < 2)) {
    const name = `zone-${zones.length}.example`;
    const account = { id: host.ready.account_id };
    const { id } = await host.insist('POST /zones', { name, account });
    zones.push({ id, name });
    await host.insist(`PUT /zones/${id}/edge`, { origin: { url: origin } });
    for (const database of databases) {
      const ids = await listObjects(database, 'Zone');
      places[database.name] = zones.filter((zone) => ids.includes(zone.id));
    }
  }
  return places;
}

test('gatehouse serve --cluster on two databases: one that is away stops its own zones, and no others', async (t) => {
  await using origin = await TestOrigin.listen();
  const databases = await createDatabases(t);
  const urls = databases.map(({ url }) => url).join(' ');
  const { host: first, server: firstServer } = await ServeHost.run(t, urls);
  const token = first.ready.token!;
  // The order is irrelevant.
  const reversed = databases.toReversed().map(({ url }) => url).join('\n'); // prettier-ignore
  const { host: second, server: secondServer } = await ServeHost.run(t, reversed, token);
  const places = await createZones(first, databases, origin.url);
  const zones = [...places.north, ...places.south];
  for (const { id } of zones) await second.insist(`POST /zones/${id}/firewall/rules`, blockPath('/blocked'));
  const judge = async (host: ServeHost): Promise<void> => {
    for (const { name } of zones) {
      await eventually(async () => (await host.visit(name, '/blocked')) === 403, `${name} blocks`);
      equal(await host.visit(name), 200);
    }
  };
  await judge(first);
  await judge(second);
  const directory = temporary(t);
  const status = await runCommand(directory, urls, 'cluster', 'status');
  for (const name of databaseNames) equal(status.stdout.split(`in ${name}`).length - 1, 2, status.stdout);

  const account = (await listObjects(databases[0]!, 'Account')).length > 0 ? 'north' : 'south';
  const [rest, main_] = [account === 'north' ? 'south' : 'north', account] as [DatabaseName, DatabaseName];
  const wayTo = (name: DatabaseName): FaultProxy => databases.find((each) => each.name === name)!.way;
  const write = (host: ServeHost, { id }: Zone): ReturnType<ServeHost['call']> =>
    host.call(`POST /zones/${id}/filters`, [{ expression: `ip.src eq 192.0.2.${++writes % 250}` }]);
  let writes = 0;

  wayTo(rest).cut();
  const refusals = await Promise.all([first, second].map((host) => write(host, places[rest][0]!)));
  for (const { status: code, body } of refusals) {
    equal(code, 503, JSON.stringify(body));
    match(JSON.stringify(body.errors), /database, which does not answer/);
  }
  for (const host of [first, second]) {
    for (const zone of places[main_]) equal((await write(host, zone)).status, 200);
    equal((await host.call('GET /zones')).status, 200);
    await judge(host);
  }
  const partial = await runCommand(directory, urls, 'cluster', 'status');
  equal(partial.code, 1, partial.stdout);
  match(partial.stdout, new RegExp(`in ${main_}`));
  match(partial.stderr, new RegExp(`database ${rest} .*does not answer`));

  // A host can start, too, and serves the available zones.
  const { host: third, server: thirdServer } = await ServeHost.run(t, urls, token);
  for (const zone of places[main_]) equal((await write(third, zone)).status, 200);
  wayTo(rest).heal();
  const goesOn = async (): Promise<void> => {
    for (const host of [first, second, third])
      for (const zone of zones) await eventually(async () => (await write(host, zone)).status === 200);
  };
  await goesOn();
  await judge(third);

  // Without the database of the account no client can authenticate, but the edges continue.
  wayTo(main_).cut();
  for (const host of [first, second, third]) {
    // For two seconds each may continue with its cached data of the account.
    await eventually(async () => {
      const { status: code, body } = await write(host, places[rest][0]!);
      return code === 503 && /database, which does not answer/.test(JSON.stringify(body.errors));
    });
  }
  for (const host of [first, second, third]) await judge(host);
  wayTo(main_).heal();
  await goesOn();

  await firstServer.end('SIGKILL');
  for (const zone of zones) await second.insist(`GET /zones/${zone.id}/filters`);
  for (const server of [secondServer, thirdServer]) equal(await server.end('SIGTERM'), 0, server.stderr);
  const exported = await runCommand(directory, urls, 'cluster', 'export', '--data', join(directory, 'out'));
  equal(exported.code, 0, exported.stderr);
  const others = (await createDatabases(t)).map(({ url }) => url).join(' ');
  const imported = await runCommand(directory, others, 'cluster', 'import', '--data', join(directory, 'out'));
  equal(imported.code, 0, imported.stderr);
  const said = [firstServer, secondServer, thirdServer].map(({ stdout, stderr }) => stdout + stderr);
  for (const { stdout, stderr } of [status, partial, exported, imported]) said.push(stdout + stderr);
  ok(!said.join('').includes(password));
  const count = (text: string): string => /compared (\d+) objects/.exec(text)![1]!;
  equal(count(imported.stdout), count(exported.stdout));
  const { host: last } = await ServeHost.run(t, others, token);
  deepEqual(
    new Set((await last.insist('GET /zones?per_page=50')).map(({ id }: Zone) => id)),
    new Set([...first.ready.zones, ...zones].map(({ id }) => id)),
  );
  ok((await last.insist(`GET /zones/${zones[0]!.id}/filters`)).length > 1);
});
