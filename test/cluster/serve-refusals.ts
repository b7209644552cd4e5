/**
 * The output of `gatehouse serve --cluster` when it cannot start, and that its output never contains a password: `npm
 * run test:cluster -- serve`.
 */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { joinCluster } from '#cluster';
import { eventually } from '../eventually.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { OtlpCollector } from '../server/otlp-collector.ts';
import { PostgresServer } from './postgres-server.ts';

const password = 'not-to-be-shown';

let postgres: PostgresServer;
before(async () => {
  postgres = await PostgresServer.start();
});
after(() => postgres.stop());

/** Any password is accepted, unless the user is `walled`. */
async function createDatabase(user = 'gatehouse'): Promise<URL> {
  const url = new URL(await postgres.createDatabase());
  url.username = user;
  url.password = password;
  return url;
}

function hasPassword(text: string): boolean {
  return text.includes(password);
}

/** Starts it, and returns its output when it has exited with an error. */
async function fail(t: TestContext, url: URL | string, ...args: readonly string[]): Promise<string> {
  const server = new Gatehouse(t, {
    directory: temporary(t),
    args: ['--data', 'data', '--port', '0', ...args],
    environment: { GATEHOUSE_CLUSTER: String(url) },
  });
  notEqual(await server.exited, 0);
  equal(hasPassword(server.stdout + server.stderr), false, server.stderr);
  return server.stderr;
}

test('gatehouse serve --cluster says what is wrong with the database, and where, without its password', async (t) => {
  const other = await createDatabase();
  await (await joinCluster({ url: other.href, name: 'staging' })).leave();
  match(await fail(t, other), /cluster "gatehouse-serve": the database is that of the cluster "staging"/);

  const later = await createDatabase();
  await (await joinCluster({ url: later.href, name: 'gatehouse-serve' })).leave();
  await postgres.execute('UPDATE gatehouse.cluster SET format = 3', later.pathname.slice(1));
  match(await fail(t, later), /its tables have format 3, and this program supports formats up to 2/);

  match(await fail(t, `postgres://gatehouse:${password}@127.0.0.1:1/gatehouse`), /ECONNREFUSED/);
  match(await fail(t, `postgres://gatehouse:12/${password}@127.0.0.1/gatehouse`), /percent-encoded/);
  match(await fail(t, `mysql://gatehouse:${password}@127.0.0.1/gatehouse`), /address of a database/);

  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const refused = await fail(t, await createDatabase(), '--cluster-listen', `127.0.0.1:${port}`);
  match(refused, /^gatehouse: cannot listen for the other hosts.*EADDRINUSE.*\(cluster_listen\)\n$/);

  await postgres.execute('CREATE ROLE poor LOGIN');
  match(await fail(t, await createDatabase('poor')), /permission denied/);
  await postgres.execute("CREATE ROLE walled LOGIN PASSWORD 'another'");
  const [{ hba_file: rules }] = (await postgres.execute('SHOW hba_file')) as [{ hba_file: string }];
  const lines = String.raw`local all walled scram-sha-256\nlocal all all trust`;
  await postgres.execute(`COPY (SELECT unnest(string_to_array(E'${lines}', E'\n'))) TO '${rules}'`);
  await postgres.execute('SELECT pg_reload_conf()');
  match(await fail(t, await createDatabase('walled')), /password authentication failed for user "walled"/);
});

/** The processes below one, with what other users of the machine and the processes themselves can see. */
function listProcesses(pid: number): Array<{ command: string; environment: string }> {
  const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  const children = read(`task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number); // prettier-ignore
  return [{ command: read('cmdline'), environment: read('environ') }, ...children.flatMap(listProcesses)];
}

test('gatehouse serve --cluster shows the password to nobody: not to ps, its own children, the log, metrics or a collector', async (t) => {
  const url = await createDatabase();
  await using collector = await OtlpCollector.listen();
  for (const place of ['argument', 'environment'] as const) {
    const { server, ready } = await Gatehouse.start(t, {
      directory: temporary(t),
      args: [
        ...['--admin-port', '0', '--log-level', 'debug', '--otlp-endpoint', collector.url],
        ...['--otlp-trace-sample', '1', '--otlp-metrics-interval', '100ms', '--edge-workers', '1'],
        ...(place === 'argument' ? ['--cluster', url.href] : []),
      ],
      environment: {
        GATEHOUSE_WATCHDOG: 'true',
        ...(place === 'environment' ? { GATEHOUSE_CLUSTER: url.href } : {}),
      },
    });
    const processes = listProcesses(server.process.pid!);
    // The watchdog, the program, a worker of the edge, and the process that releases leases when the program is killed.
    equal(processes.length, 4);
    deepEqual(
      processes.map(({ command }) => hasPassword(command)),
      [false, false, false, false],
    );
    deepEqual(
      processes.slice(2).map(({ environment }) => hasPassword(environment)),
      [false, false],
    );
    const before = collector.headers.length;
    await eventually(() => collector.headers.length > before + 1, 'metrics arrive');
    const metrics = await fetch(`${ready.admin}/metrics`);
    equal(metrics.status, 200);
    // Its output for an unavailable database.
    await postgres.kill();
    await server.said(/could not renew the lease/);
    await postgres.run();
    await server.said(/answers again/);
    await server.end('SIGTERM');
    const collected = inspect([collector.metrics, collector.spans, collector.headers], { depth: null });
    const texts = [server.stdout, server.stderr, await metrics.text(), collected];
    deepEqual(texts.filter(hasPassword), []);
  }
});
