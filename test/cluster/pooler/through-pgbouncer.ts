/**
 * A cluster whose hosts reach their databases through PgBouncer: `npm run verify -- test:pooler`. Real hosts are
 * killed, stopped and cut off, commits are lost and the server is restarted behind it; many objects and their alarms; a
 * data directory is moved in and out. An unsuitable pooler is refused.
 */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, describe, test } from 'node:test';
import { createLog } from '#base';
import { type Cluster, joinCluster, readClusterStatus } from '#cluster';
import { Control } from '#control';
import { DurableObject, type Runtime, createRuntime } from '#objects';
import { claimDataDirectory, loadDirectoryMoves, readConfig } from '#server';
import { eventually } from '../../eventually.ts';
import { recordHistory } from '../history/history.ts';
import { PostgresServer } from '../postgres-server.ts';
import { PgBouncer, type PgBouncerOptions } from './pgbouncer.ts';

const { exportDirectory, importDirectory } = await loadDirectoryMoves();

interface Pooler extends Omit<PgBouncerOptions, 'server'> {
  readonly title: string;
  /** Whether statements stay prepared under their names. */
  readonly keepsStatements: boolean;
}

const poolers: readonly Pooler[] = [
  {
    title: 'PgBouncer 1.24, transactions',
    release: 'trixie',
    settings: { pool_mode: 'transaction' },
    keepsStatements: true,
  },
  {
    title: 'PgBouncer 1.24, transactions, no prepared statements',
    release: 'trixie',
    settings: { pool_mode: 'transaction', max_prepared_statements: '0' },
    keepsStatements: false,
  },
  {
    title: 'PgBouncer 1.18, transactions',
    release: 'bookworm',
    settings: { pool_mode: 'transaction' },
    keepsStatements: false,
  },
  {
    title: 'PgBouncer 1.24, sessions',
    release: 'trixie',
    // A host keeps its connections.
    settings: { pool_mode: 'session', default_pool_size: '40' },
    keepsStatements: true,
  },
];

const leaseMs = 30_000;
const objectCount = 400;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.stop());

class Counter extends DurableObject {
  async increment(): Promise<number> {
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put('value', value);
    return value;
  }

  async wake(): Promise<void> {
    await this.ctx.storage.setAlarm(1);
  }

  async alarm(): Promise<void> {
    await this.ctx.storage.put('rang', true);
  }

  async rang(): Promise<boolean> {
    return (await this.ctx.storage.get('rang')) === true;
  }
}

interface Host {
  readonly runtime: Runtime;
  readonly cluster: Cluster;
  readonly said: string[];
}

function createDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-pooler-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function openHost(t: TestContext, url: string): Promise<Host> {
  const said: string[] = [];
  const cluster = await joinCluster({ url, leaseMs, listen: {}, log: (message) => said.push(message) });
  const classes = { Kv: { class: Counter }, Sql: { class: Counter, storage: 'sql' } } as const;
  const runtime = await createRuntime({ cluster, directory: createDirectory(t), classes, log: () => {} });
  t.after(() => runtime.close());
  return { runtime, cluster, said };
}

for (const { title, keepsStatements, ...options } of poolers) {
  describe(title, () => {
    let pooler: PgBouncer;
    before(async () => {
      pooler = await PgBouncer.start({ ...options, server });
    });
    after(() => pooler.stop());

    test('two hosts share many objects, whose alarms run', async (t) => {
      const url = pooler.urlThrough(await server.createDatabase());
      const hosts = [await openHost(t, url), await openHost(t, url)];
      for (const { cluster } of hosts) await cluster.lookForHosts();
      const names = Array.from({ length: objectCount }, (_, index) => `object ${index}`);
      const all = <T>({ runtime }: Host, call: (stub: Counter) => Promise<T>): Promise<T[]> =>
        Promise.all(
          names.map((name, index) =>
            call(runtime.namespace(index % 2 === 0 ? 'Kv' : 'Sql').getByName(name) as Counter),
          ),
        );
      for (const [round, host] of [...hosts, ...hosts].entries())
        deepEqual(new Set(await all(host, (stub) => stub.increment())), new Set([round + 1]));
      await all(hosts[0]!, (stub) => stub.wake());
      await eventually(async () => !(await all(hosts[1]!, (stub) => stub.rang())).includes(false));
      const { objects, unowned } = await readClusterStatus(url);
      deepEqual([objects, unowned], [objectCount, 0]);
      for (const { said } of hosts)
        equal(
          said.filter((line) => /does not support prepared statements/.test(line)).length,
          keepsStatements ? 0 : 1,
        );
    });

    test('a history with faults has no contradiction', async () => {
      const { problems, acknowledged } = await recordHistory({
        server,
        socketPath: pooler.socketPath,
        faults: ['kill', 'lose-commits', 'restart-database', 'stop', 'cut-database', 'lose-commits'],
        leaseMs: 2_000,
      });
      deepEqual(problems, []);
      ok(acknowledged > 40, `${acknowledged} answers`);
    });

    test('gatehouse cluster import and export go through it', async (t) => {
      const [data, again] = [join(createDirectory(t), 'data'), join(createDirectory(t), 'again')];
      claimDataDirectory(data, 'control plane');
      const control = await Control.open({
        directory: data,
        durability: 'os',
        rateLimit: 'off',
        bootstrap: { accountName: 'Test', email: 'owner@example.com' },
        log: () => {},
        onError: (error) => {
          throw error;
        },
      });
      await control.close();
      const cluster = pooler.urlThrough(await server.createDatabase());
      const config = readConfig({ flags: { cluster }, environment: {}, directory: tmpdir() });
      const log = createLog({ level: 'error', format: 'text', write: () => {} });
      const move = { config, log, onProgress: () => {} };
      const { copied } = await importDirectory({ ...move, directory: data });
      ok(copied > 0);
      equal((await exportDirectory({ ...move, directory: again })).copied, copied);
    });
  });
}

test('joinCluster refuses a pooler in statement mode, and one that refuses its start parameters, with the reason', async () => {
  const url = await server.createDatabase();
  const pooler = await PgBouncer.start({ release: 'trixie', server, settings: { pool_mode: 'statement' } });
  try {
    const statements = {
      code: 'CLUSTER_DATABASE_UNFIT',
      message: /several statements.*pool_mode = transaction/,
    };
    await rejects(joinCluster({ url: pooler.urlThrough(url) }), statements);
    // With existing tables, joining does not touch them.
    await (await joinCluster({ url })).leave();
    await rejects(joinCluster({ url: pooler.urlThrough(url) }), statements);
    await rejects(joinCluster({ url: `${pooler.urlThrough(url)}&options=-c%20work_mem%3D8MB` }), {
      message: /unsupported startup parameter.*options/,
    });
  } finally {
    await pooler.stop();
  }
});
